"""Reads what the guard exposes or keeps of a host's answers: its real reports, logs, figures and collections.

Each answer is inspected whole by the guard, so values behind a redaction count, too. Not covered: the released text
itself, and the times at which text leaves a stream.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from reticent.huggingface.guarded_model import GuardedModel
from reticent.observability.decision_log import DecisionLog
from reticent.observability.metrics import Metrics
from reticent.observability.observers import Observation
from reticent.prompt.segments import from_ids, from_messages
from reticent_bench.audits.inversion.flat_rows import Row
from reticent_bench.audits.inversion.records import Record, Value, Vectors
from reticent_detectors.collection.collect import collector
from reticent_detectors.collection.plan import GROUP_PROMPTS, Group, Plan
from reticent_detectors.collection.shards import FeatureTable, ShardReader, ShardWriter, keyed_hash
from reticent_detectors.errors import InputError
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.host.answers import prompt_ids
from reticent_detectors.synth.cast import Cast
from reticent_detectors.synth.prompts import Prompt

MOST_ROWS = 2
"""Rows of a collection that belong to one answer."""
HASHES = ("person_key", "value_key")


@dataclass
class Watcher:
    """An observer that keeps what the guard's own observers make of each answer.

    Attributes:
        log: a decision log of its own.
        metrics: figures of its own, in a registry of their own.
        observations, exposed: for each answer, in order: the observation, and the rise of each sample of the metrics.
    """

    log: DecisionLog
    metrics: Metrics
    registry: Any
    observations: list[Observation] = field(default_factory=list)
    exposed: list[Row] = field(default_factory=list)
    _samples: dict[str, float] = field(default_factory=dict, repr=False)

    @classmethod
    def in_folder(cls, folder: Path) -> Watcher:
        """A watcher whose decision log is in a folder."""
        from prometheus_client import CollectorRegistry

        registry = CollectorRegistry()
        return cls(DecisionLog(folder / "decisions.jsonl"), Metrics(registry), registry)

    def on_answer(self, observation: Observation) -> None:
        """Keeps an answer's surfaces. The metrics are read after each answer: no scraper could see more."""
        self.log.on_answer(observation)
        before = self._samples or self._read()
        self.metrics.on_answer(observation)
        self._samples = self._read()
        rises = {name: value - before.get(name, 0.0) for name, value in self._samples.items()}
        risen = {name: rise for name, rise in rises.items() if rise}
        self.exposed.append({"samples": risen})
        self.observations.append(observation)

    def decisions(self) -> dict[str, list[Row]]:
        """Rows of the decision log as it is in the file, by request."""
        out: dict[str, list[Row]] = defaultdict(list)
        for line in self.log.path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            out[row["request"]].append(row)
        return out

    def _read(self) -> dict[str, float]:
        return {
            f"{sample.name} {' '.join(sample.labels.values())}": sample.value
            for family in self.registry.collect()
            for sample in family.samples
            if not sample.name.endswith("_created")
        }


def report_row(observation: Observation) -> Row:
    """All that an observation holds, as JSON: the report, and the fields beside it."""
    beside = {k: v for k, v in asdict(observation).items() if k not in ("report", "request_id")}
    return {"report": observation.report.as_dict(), **beside}


def inspect_all(
    guarded: GuardedModel, watcher: Watcher, prompts: Sequence[Prompt], texts: Sequence[str], batch: int = 32
) -> tuple[list[Record], dict[str, list[Row]]]:
    """Has the guard inspect answers, and reads what its surfaces then hold.

    Args:
        guarded: the host behind the guard; `watcher` is one of its observers.
        watcher: fresh.
        prompts: what was asked.
        texts: the host's answers.
        batch: answers of one forward pass.

    Returns:
        A record for each answer, whose values are the spans that the guard decided on; and by surface a row for each.
    """
    for first in range(0, len(prompts), batch):
        rows = slice(first, first + batch)
        guarded.inspect_ids([_item(guarded.tokenizer, *each) for each in zip(prompts[rows], texts[rows], strict=True)])
    if len(watcher.observations) != len(prompts):
        raise InputError(f"Expected {len(prompts)} observations, got {len(watcher.observations)}; use a fresh watcher.")
    decisions = watcher.decisions()
    records = [_record(p, t, o) for p, t, o in zip(prompts, texts, watcher.observations, strict=True)]
    return records, {
        "report": [report_row(observation) for observation in watcher.observations],
        "decision-log": [{"rows": decisions.get(each.request_id, [])} for each in watcher.observations],
        "metrics": watcher.exposed,
    }


def _item(tokenizer: Any, prompt: Prompt, text: str) -> tuple[list[int], list[int], Any, bool]:
    ids = prompt_ids(tokenizer, prompt)
    view = (
        from_messages([{"role": role, "content": content} for role, content in prompt.messages])
        if prompt.messages
        else from_ids(tokenizer, ids)
    )
    return ids, list(tokenizer(text, add_special_tokens=False)["input_ids"]), view, True


def _record(prompt: Prompt, text: str, observation: Observation) -> Record:
    values = [
        Value(str(span.entity), max(0, span.start), min(len(text), span.end))
        for span in observation.report.spans
        if max(0, span.start) < min(len(text), span.end)
    ]
    return Record(text, prompt.person, tuple(values))


def collected(
    model: Any,
    tokenizer: Any,
    cast: Cast,
    prompts: Sequence[Prompt],
    folder: Path,
    key: bytes,
    names: int,
    answer_tokens: int,
) -> list[FeatureTable]:
    """What a collection without `--baselines` stores of each prompt's answer: its rows, read back from its files.

    Args:
        model, tokenizer: the host. It is asked again, greedily, so that the answers are the same.
        cast: of the host's recipe.
        prompts: of different persons or phrasings.
        folder: an empty one for the collection.
        key: of its hashes.
        names: under how many other names each span is read again, as for `reticent collect`.
        answer_tokens: longest answer. The collector has bounds of its own, which are not shorter.
    """  # fmt: skip
    plan = Plan(fragments=False)
    groups = [Group(tuple(prompts[first : first + GROUP_PROMPTS])) for first in range(0, len(prompts), GROUP_PROMPTS)]
    if groups and groups[0].answer_tokens < answer_tokens:
        raise InputError(f"Expected answers of at most {groups[0].answer_tokens} tokens, got {answer_tokens}.")
    spec = FeatureSpec(names=names)
    with (
        collector(model, tokenizer, cast, plan=plan, spec=spec, hash_key=key) as made,
        ShardWriter(folder, made.settings) as writer,
    ):
        for number, group in enumerate(groups):
            writer.append(*made.ask(group, number), cursor=number + 1)
    table = ShardReader(folder).load()
    rows = defaultdict(list)
    for place, pair in enumerate(zip(table.labels["person_key"], table.labels["phrasing_id"], strict=True)):
        rows[pair].append(place)
    wanted = [(keyed_hash(key, prompt.person), prompt.phrasing) for prompt in prompts]
    if len(set(wanted)) < len(wanted):
        raise InputError("Expected each person to be asked each phrasing once.")
    return [table.select(np.array(rows[pair], dtype=np.int64)) for pair in wanted]


def label_row(table: FeatureTable) -> Row:
    """The label columns of a collection's rows, without the keyed hashes."""
    names = [name for name in table.labels if name not in HASHES]
    return {"rows": [{name: table.labels[name][row].item() for name in names} for row in range(table.rows)]}


def feature_vectors(tables: Sequence[FeatureTable]) -> Vectors:
    """The features of the first rows of each answer, one behind the other, with zeros where there is no row."""
    names = sorted(tables[0].features)
    width = sum(int(np.prod(tables[0].features[name].shape[1:])) for name in names)
    out = np.zeros((len(tables), MOST_ROWS * width), np.float32)
    for place, table in enumerate(tables):
        for row in range(min(MOST_ROWS, table.rows)):
            flat = np.concatenate([table.features[name][row].ravel() for name in names])
            out[place, row * width : (row + 1) * width] = flat
    return out


def keyed_values(record: Record, table: FeatureTable) -> Mapping[int, str]:
    """The keyed hash of each value of a record, by the value's place; those found by kind and length alone."""
    out, taken = dict[int, str](), set[int]()
    for place, value in enumerate(record.values):
        for row in range(table.rows):
            same = table.labels["entity"][row] == value.kind and table.labels["chars"][row] == value.end - value.start
            if same and row not in taken:
                taken.add(row)
                out[place] = str(table.labels["value_key"][row])
                break
    return out
