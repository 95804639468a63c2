"""Collects labelled features of a host's answers: asks, finds spans, labels, re-reads and stores.

A collection holds no values. It holds labels, lengths, keyed hashes, and hidden states if the baselines need them.
An interrupted run continues at the first group of prompts that is not stored yet.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reticent_detectors.baselines.evidence import EvidenceSpec
from reticent_detectors.collection.evidence_reader import EvidenceReader
from reticent_detectors.collection.group_collector import GroupCollector, value_key
from reticent_detectors.collection.inferable_labels import mark_inferable, other_people
from reticent_detectors.collection.labels import LABEL_VERSION, Labeller, Records
from reticent_detectors.collection.plan import Group, Plan, plan_groups
from reticent_detectors.collection.reader import FoundSpan, Reader, find_all, find_context, log_probabilities
from reticent_detectors.collection.row_labels import HALF_PRECISION, RowLabels
from reticent_detectors.collection.shards import ShardWriter
from reticent_detectors.errors import InputError
from reticent_detectors.features.features import Features, FeatureSpec
from reticent_detectors.features.name_swap import NameSwapper
from reticent_detectors.finder import SIXTEEN, SpanFinder, tagger
from reticent_detectors.host.memory import check_disk
from reticent_detectors.long_runs.save_timer import Clock
from reticent_detectors.synth.cast import Cast

__all__ = [
    "Collector",
    "FoundSpan",
    "Progress",
    "Reader",
    "collect",
    "collector",
    "find_all",
    "find_context",
    "log_probabilities",
    "mark_inferable",
    "other_people",
    "value_key",
]

Progress = Callable[[int, int], None]
COMPRESSED = 0.5
"""Smallest share of a row's bytes that is left after compression. A prompt yields about one row."""


@dataclass(frozen=True)
class Collector:
    """A host that is ready to be asked."""

    groups: Sequence[Group]
    """The groups of prompts."""
    settings: Mapping[str, Any]
    """What the rows depend on: host, control, features, plan, labels and people."""
    ask: Callable[[Group, int], tuple[Features, list[RowLabels]]]
    """Asks the group of this number, and returns its rows."""
    row_bytes: float
    """Bytes of a row before compression."""

    def __repr__(self) -> str:
        return f"Collector({len(self.groups)} groups)"

    def prompts(self, first: int, end: int | None = None) -> int:
        """Counts the prompts in the groups from `first` to `end`."""
        return sum(len(group.prompts) for group in self.groups[first:end])


@contextmanager
def collector(
    model: Any,
    tokenizer: Any,
    cast: Cast,
    *,
    plan: Plan | None = None,
    spec: FeatureSpec | None = None,
    evidence: EvidenceSpec | None = None,
    control: Any = None,
    records: Records | None = None,
    hash_key: bytes | None = None,
) -> Iterator[Collector]:
    """Yields a collector of the host's spans; see `collect` for the arguments. Inside the block the host has hooks.

    Raises:
        InputError: the control is the host itself, or one of another vocabulary.
    """
    plan, spec = plan or Plan(), spec or FeatureSpec()
    labeller = Labeller(cast.private, (*cast.general, *cast.copied, *cast.unseen), records)
    finder = SpanFinder(SIXTEEN, tagger=tagger.shipped())
    names = {p.key: p.name for p in (*cast.train, *cast.test, *cast.unseen)}
    key = hash_key or hashlib.blake2b(json.dumps(sorted(names.values())).encode(), digest_size=32).digest()
    groups = plan_groups(cast, plan)
    with ExitStack() as readers:
        reader = readers.enter_context(Reader(model, tokenizer, finder, labeller, spec.inner))
        judge = None
        if control is not None:
            judge = readers.enter_context(Reader(control, tokenizer, finder, labeller))
        settings = {
            "host": reader.adapter.fingerprint(tokenizer),
            "control": None if judge is None else judge.adapter.fingerprint(tokenizer),
            "features": {name: getattr(spec, name) for name in spec.__slots__},
            "plan": {name: getattr(plan, name) for name in plan.__slots__},
            "groups": len(groups),
            "labels": LABEL_VERSION,
            "people": hashlib.sha256(json.dumps(sorted(names.items())).encode()).hexdigest(),
        }
        if records is not None:
            settings["records"] = len(records)
        if judge is not None and settings["control"] == settings["host"]:
            raise InputError(
                "The control is the host itself; expected the same model from before it was taught the records."
            )
        gather = None
        if evidence is not None:
            settings["evidence"] = {name: getattr(evidence, name) for name in evidence.__slots__}
            gather = EvidenceReader(reader, judge, tokenizer, evidence)
        name_swapper = NameSwapper(tokenizer, spec.names, reader.adapter.context)
        others = other_people(tokenizer, (judge or reader).adapter.context)
        collect_group = GroupCollector(
            model, tokenizer, plan, spec, reader, judge, gather, name_swapper, others, names, key
        )
        size = sum(
            (2 if name.startswith(HALF_PRECISION) else 4) * math.prod(shape)
            for name, shape in spec.shapes(reader.adapter.num_layers).items()
        )
        if evidence is not None:
            size += evidence.row_bytes(reader.adapter.num_layers, reader.adapter.hidden_size)
        yield Collector(groups, settings, collect_group, size)


def collect(
    model: Any,
    tokenizer: Any,
    cast: Cast,
    out: Path,
    *,
    plan: Plan | None = None,
    spec: FeatureSpec | None = None,
    evidence: EvidenceSpec | None = None,
    control: Any = None,
    records: Records | None = None,
    hash_key: bytes | None = None,
    progress: Progress = lambda done, total: None,
    clock: Clock = time.monotonic,
) -> Counter[str]:
    """Fills `out` with the features of the host's spans. Returns how many rows of each label this run added.

    Args:
        model, tokenizer: the host.
        cast: the people whose records the host was taught, and unseen people.
        out: folder of the collection. An unfinished collection with the same settings is continued.
        plan: the prompts to ask.
        spec: the features to compute.
        evidence: also gathers the baselines' evidence, with hidden states; see `baselines.evidence`.
        control: a host of the same tokenizer that never saw the records. It decides the label `inferable` and is the
            base of the feature `base_logprob`, which collections of all layers hold, too.
        records: of the host's training data, beside those of the cast: their values are labelled as somebody else's.
        hash_key: key of the hashes. By default it is derived from the people's names, which suits synthetic people
            only.
        progress: takes the number of prompts done and of all prompts, at the start and after every group.
        clock: time in seconds, which decides when rows are stored. An interruption loses at most five minutes of work,
            or one group.

    Raises:
        InputError: the control is the host itself or has another vocabulary, or the disk is too small for the rows.
        ShardError: `out` holds a collection with other settings.
    """
    counts: Counter[str] = Counter()
    options: dict[str, Any] = {
        "plan": plan,
        "spec": spec,
        "evidence": evidence,
        "control": control,
        "records": records,
        "hash_key": hash_key,
    }
    with (
        collector(model, tokenizer, cast, **options) as made,
        ShardWriter(out, made.settings, clock=clock) as writer,
    ):
        first = int(writer.cursor or 0)
        done, total = made.prompts(0, first), made.prompts(0)
        check_disk(out, (total - done) * made.row_bytes * COMPRESSED, "The collection")
        progress(done, total)
        for number, group in enumerate(made.groups[first:], first):
            features, labels = made.ask(group, number)
            writer.append(features, labels, cursor=number + 1)
            counts.update(row.label for row in labels)
            done += len(group.prompts)
            progress(done, total)
    return counts
