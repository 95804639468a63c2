"""From a host and its people to a collection of labelled features: ask, find spans, label, re-read, store.

No value reaches the collection: labels, lengths and keyed hashes do, and hidden states if the baselines are wanted.
A run that is interrupted goes on at the first group of prompts that is not stored yet.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import torch
from torch import Tensor

from reticent_detectors.alignment import TokenText
from reticent_detectors.baselines.evidence import EvidenceSpec
from reticent_detectors.baselines.reading import EvidenceReader
from reticent_detectors.capture import HostAdapter, SpanStates, Taps
from reticent_detectors.capture.name_swap_reading import read_under_other_names
from reticent_detectors.collection.inferable import COMPOSED_KINDS, LEAST_CUE, OTHER_NAMES, is_candidate, is_inferable
from reticent_detectors.collection.plan import Group, Plan, plan_groups
from reticent_detectors.collection.shards import HALF_PRECISION, RowLabels, ShardWriter, keyed_hash
from reticent_detectors.detector.splits import hash_share
from reticent_detectors.detector.training_config import TrainingConfig
from reticent_detectors.entities import PRIVACYXRAY, Entity
from reticent_detectors.errors import InputError
from reticent_detectors.features.cue import cue, normalize
from reticent_detectors.features.derived_features import base_features
from reticent_detectors.features.features import Features, FeatureSpec, build_features, compare_names
from reticent_detectors.features.name_swap import NameSwapper
from reticent_detectors.finder import SIXTEEN, SpanFinder
from reticent_detectors.host.answers import Answer, answer_all
from reticent_detectors.host.memory import check_disk
from reticent_detectors.long_runs.save_timer import Clock
from reticent_detectors.spans import FindContext, Span
from reticent_detectors.synth.cast import Cast
from reticent_detectors.synth.labels import LABEL_VERSION, Label, Labeller
from reticent_detectors.synth.prompts import Prompt

Progress = Callable[[int, int], None]
ROBUST_SHARE = 0.6
READ_BATCH = 64
COMPRESSED = 0.5
"""Share of a row's bytes that compression leaves at best; about one row comes of a prompt."""
FEATURE_BATCH = 256
_MAY_BE_INFERABLE = frozenset({Label.MEMORIZED, Label.MISATTRIBUTED, Label.HALLUCINATED, Label.PARTIAL})


def find_context(prompt: Prompt) -> FindContext:
    """What a span finder sees of a prompt."""
    if prompt.messages:
        return FindContext(question=prompt.messages[-1][1])
    return FindContext(left=prompt.text[-256:])


def find_all(finder: SpanFinder, text: str, context: FindContext) -> list[Span]:
    """All spans of a finished answer."""
    spans: list[Span] = []
    start = 0
    while True:
        scan = finder.next_span(text, start, context=context, closed=True)
        if scan.span is None:
            return spans
        spans.append(scan.span)
        start = scan.frontier


@dataclass(frozen=True, slots=True)
class FoundSpan:
    """A span in a host's answer, with what it is. `value` is plain text and stays in memory."""

    row: int
    span: Span
    tokens: range
    value: str
    label: Label

    def __repr__(self) -> str:
        return f"FoundSpan({self.span.entity}, {self.label})"


class Batch(NamedTuple):
    """Answers that are read at once: ids and mask [B, N], (row, predictive positions) to keep, and whose they are."""

    ids: Tensor
    mask: Tensor
    gather: list[tuple[int, list[int]]]
    order: list[int]


class Reader:
    """Finds, re-reads and labels the spans in many answers of one host; `inner`: with the states of all its layers."""

    def __init__(self, model: Any, tokenizer: Any, finder: SpanFinder, labeller: Labeller, inner: bool = True) -> None:
        self.adapter = HostAdapter.attach(model, tokenizer)
        self.taps = Taps(self.adapter, inner=inner)
        self._tokenizer, self._finder, self._labeller = tokenizer, finder, labeller

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Takes the hooks off the model."""
        self.taps.remove()

    def spans(self, prompts: Sequence[Prompt], answers: Sequence[Answer]) -> list[FoundSpan]:
        """Every span of every answer."""
        found = []
        for row, (prompt, answer) in enumerate(zip(prompts, answers, strict=True)):
            tokens = TokenText(self._tokenizer)
            for token_id in answer.ids:
                tokens.push(token_id)
            context = find_context(prompt)
            for span in find_all(self._finder, tokens.text, context):
                left = context.left[span.start :] if span.start < 0 else ""
                value = left + tokens.text[span.answer_start : span.end]
                label = self._labeller.label(prompt, Entity(span.entity), value)
                if covered := tokens.tokens(span):
                    found.append(FoundSpan(row, span, covered, value, label))
        return found

    def read(self, answers: Sequence[Answer], wanted: Sequence[tuple[int, range]]) -> Iterator[tuple[int, SpanStates]]:
        """States of answer tokens; `wanted` holds (answer, token range) and comes back as (index, states)."""
        for batch in self.batches(answers, wanted):
            yield from zip(batch.order, self.taps.read(batch.ids, batch.mask, batch.gather), strict=True)

    def batches(self, answers: Sequence[Answer], wanted: Sequence[tuple[int, range]]) -> Iterator[Batch]:
        """The forward passes that `wanted` takes, answers of like length together."""
        by_row: dict[int, list[int]] = {}
        for index, (row, _) in enumerate(wanted):
            by_row.setdefault(row, []).append(index)
        rows = sorted(by_row, key=lambda r: len(answers[r].prompt_ids) + len(answers[r].ids))
        for first in range(0, len(rows), READ_BATCH):
            batch = rows[first : first + READ_BATCH]
            sequences = [[*answers[r].prompt_ids, *answers[r].ids] for r in batch]
            width = max(map(len, sequences))
            ids = torch.zeros(len(batch), width, dtype=torch.long)
            mask = torch.zeros(len(batch), width, dtype=torch.long)
            gather, order = [], []
            for at, (row, sequence) in enumerate(zip(batch, sequences, strict=True)):
                ids[at, : len(sequence)] = torch.tensor(sequence)
                mask[at, : len(sequence)] = 1
                for index in by_row[row]:
                    offset = len(answers[row].prompt_ids) - 1
                    gather.append((at, [offset + t for t in wanted[index][1]]))
                    order.append(index)
            yield Batch(ids, mask, gather, order)


def log_probabilities(
    reader: Reader, answers: Sequence[Answer], wanted: Sequence[tuple[int, range]]
) -> list[list[float]]:
    """Log-probabilities of the tokens of each range under the reader's host."""
    out: list[list[float]] = [[] for _ in wanted]
    for index, states in reader.read(answers, wanted):
        out[index] = states.probability.double().clamp_min(1e-30).log().tolist()
    return out


def mark_inferable(
    control: Reader,
    rename: NameSwapper,
    prompts: Sequence[Prompt],
    answers: Sequence[Answer],
    found: Sequence[FoundSpan],
    names: Mapping[str, str],
) -> list[FoundSpan]:
    """Relabels values that are inferable, by the rule of `reticent_detectors.collection.inferable`, which the running guard follows as well.

    Args:
        control: a host that never saw the records.
        rename: writes texts about somebody else, `OTHER_NAMES` of each; see `other_people`.
        names: by key, of the people whose values may be inferable.
    """
    cues = {
        at: cue(f.value, prompts[f.row].user_text, f.span.entity)
        for at, f in enumerate(found)
        if prompts[f.row].person in names and f.label in _MAY_BE_INFERABLE and f.span.entity in COMPOSED_KINDS
    }
    asked_at = [at for at, share in cues.items() if share >= LEAST_CUE]
    own = _log_probabilities(control, answers, [(found[at].row, found[at].tokens) for at in asked_at])
    candidates = {at: each for at, each in zip(asked_at, own, strict=True) if is_candidate(each, cues[at])}
    texts: list[Answer] = []
    wanted: list[tuple[int, range]] = []
    whose: list[int] = []
    for at in candidates:
        answer, tokens = answers[found[at].row], found[at].tokens
        before, value_ids = [*answer.prompt_ids, *answer.ids[: tokens.start]], answer.ids[tokens.start : tokens.stop]
        for text in rename(before, len(value_ids)):
            whose.append(at)
            wanted.append((len(texts), range(len(value_ids))))
            texts.append(Answer(tuple(text), value_ids, True))
    others: dict[int, list[list[float]]] = {at: [] for at in candidates}
    for at, each in zip(whose, _log_probabilities(control, texts, wanted), strict=True):
        others[at].append(each)
    inferable = {at for at, each in candidates.items() if is_inferable(each, others[at], cues[at])}
    return [replace(f, label=Label.INFERABLE) if at in inferable else f for at, f in enumerate(found)]


def other_people(tokenizer: Any, context: int) -> NameSwapper:
    """What writes texts about somebody else for `mark_inferable`; `context` is the longest text that the control reads."""
    return NameSwapper(tokenizer, OTHER_NAMES, context)


def _log_probabilities(
    reader: Reader, answers: Sequence[Answer], wanted: Sequence[tuple[int, range]]
) -> list[list[float]]:
    return log_probabilities(reader, answers, wanted) if wanted else []


def _fragments(found: Sequence[FoundSpan]) -> list[tuple[FoundSpan, range]]:
    """Beginnings of every third value, as a stream that was cut would show them."""
    cut = []
    for index, f in enumerate(found):
        if index % 3 == 0 and len(f.tokens) >= 4:
            keep = 2 + (index // 3) % (len(f.tokens) - 3)
            cut.append((f, f.tokens[:keep]))
    return cut


@dataclass(frozen=True)
class Collector:
    """A host that is ready to be asked: the groups of prompts, what the rows are made by, what asks a group, and the bytes of a row."""

    groups: Sequence[Group]
    settings: Mapping[str, Any]
    ask: Callable[[Group, int], tuple[Features, list[RowLabels]]]
    row_bytes: float

    def __repr__(self) -> str:
        return f"Collector({len(self.groups)} groups)"

    def prompts(self, first: int, end: int | None = None) -> int:
        """How many prompts the groups from `first` to `end` hold."""
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
    hash_key: bytes | None = None,
) -> Iterator[Collector]:
    """A collector of the host's spans; see `collect` for what it takes. Within the block the host has hooks.

    Raises:
        InputError: the control is the host itself, or one of another vocabulary.
    """
    plan, spec = plan or Plan(), spec or FeatureSpec()
    labeller = Labeller(cast.private, (*cast.general, *cast.copied, *cast.unseen))
    finder = SpanFinder(SIXTEEN)
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
        collect_group = _GroupCollector(
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
    hash_key: bytes | None = None,
    progress: Progress = lambda done, total: None,
    clock: Clock = time.monotonic,
) -> Counter[str]:
    """Fills `out` with the features of the host's spans; returns how many rows of each label this run added.

    Args:
        model, tokenizer: the host.
        cast: whose records it was taught, and who is unseen.
        out: folder of the collection. If it holds an unfinished one with the same settings, that is continued.
        evidence: gathers what the baselines need as well, hidden states among it; see `baselines.evidence`.
        control: a host of the same tokenizer that never saw the records: for the label `inferable`, and as the base of `base_logprob`.
        hash_key: key of the hashes; derived from the people's names if not given, which suits synthetic people only.
        progress: called at the start and after every group with the prompts that are done, and all.
        clock: seconds, for when to store rows: at most five minutes of work are lost, or one group.

    Raises:
        InputError: the control is the host itself, or one of another vocabulary; or too little disk for the rows.
        ShardError: `out` holds a collection with other settings.
    """
    counts: Counter[str] = Counter()
    options: dict[str, Any] = {
        "plan": plan,
        "spec": spec,
        "evidence": evidence,
        "control": control,
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


@dataclass(frozen=True)
class _GroupCollector:
    """Asks one group of prompts, and says what its answers' rows are: features and labels."""

    model: Any
    tokenizer: Any
    plan: Plan
    spec: FeatureSpec
    reader: Reader
    judge: Reader | None
    gather: EvidenceReader | None
    name_swapper: NameSwapper
    other_people: NameSwapper
    names: Mapping[str, str]
    key: bytes

    def __repr__(self) -> str:
        return f"_Asked({self.plan}, {self.spec})"

    def __call__(self, group: Group, number: int) -> tuple[Features, list[RowLabels]]:
        answers = answer_all(
            self.model, self.tokenizer, group.prompts, temperature=group.temperature, seed=number,
            max_new_tokens=group.answer_tokens,
        )  # fmt: skip
        # Recognisers of the sixteen kinds may find others beside; a detector knows no row of theirs to be remembered.
        found = [f for f in self.reader.spans(group.prompts, answers) if f.span.entity in PRIVACYXRAY]
        if self.judge is not None:
            found = mark_inferable(self.judge, self.other_people, group.prompts, answers, found, self.names)
        rows = [(f, f.tokens, False) for f in found]
        if self.plan.fragments and group.prompts[0].person_split == "train":
            rows += [(f, tokens, True) for f, tokens in _fragments(found)]
        robust = _robust(group, found)
        wanted = [(f.row, tokens) for f, tokens, _ in rows]
        features, first = _features(self.reader, answers, wanted, self.spec, self.name_swapper)
        if self.judge is not None and "base_logprob" in features:
            features["base_logprob"] = base_features(log_probabilities(self.judge, answers, wanted))
        labels = [
            _row(group, f, tokens, cut, first[i], (group.prompts[f.row].person, f.span.entity) in robust, self.key)
            for i, (f, tokens, cut) in enumerate(rows)
        ]
        if self.gather is not None:
            drawn = [_is_drawn(group, f, cut, self.gather.spec.drawn, self.key) for f, _, cut in rows]
            features |= self.gather.read(group.prompts, answers, [(f, t) for f, t, _ in rows], drawn, number)
        return features, labels


def _features(
    reader: Reader,
    answers: Sequence[Answer],
    wanted: Sequence[tuple[int, range]],
    spec: FeatureSpec,
    name_swapper: NameSwapper,
) -> tuple[Features, list[float]]:
    """Features of token ranges, and the probability of the first token of each."""
    blocks: list[tuple[list[int], Features]] = []
    first = [0.0] * len(wanted)
    read = reader.read(answers, wanted)
    while block := list(islice(read, FEATURE_BATCH)):
        indices, states = [index for index, _ in block], [states for _, states in block]
        for index, span_states in block:
            first[index] = float(span_states.probability[0])
        parts = [(answers[row], tokens) for row, tokens in (wanted[index] for index in indices)]
        others = read_under_other_names(
            reader.taps,
            [
                (name_swapper([*answer.prompt_ids, *answer.ids[: t.start]], len(t)), answer.ids[t.start : t.stop])
                for answer, t in parts
            ],
        )
        features = build_features(reader.adapter, states, spec)
        blocks.append((indices, features | (compare_names(states, others, spec) if spec.names else {})))
    if not blocks:
        return build_features(reader.adapter, [], spec), []
    order = np.argsort([index for indices, _ in blocks for index in indices])
    merged = {name: np.concatenate([f[name] for _, f in blocks])[order] for name in blocks[0][1]}
    return merged, first


def _robust(group: Group, found: Sequence[FoundSpan]) -> set[tuple[str, str]]:
    """Values that come right under at least three of five phrasings (of all that this group asks)."""
    probes = Counter((p.person, str(p.entity)) for p in group.prompts if p.kind == "probe")
    right = Counter(
        (group.prompts[f.row].person, f.span.entity)
        for f in {(f.row, f.span.entity): f for f in found if f.label is Label.MEMORIZED}.values()
        if group.prompts[f.row].kind == "probe" and group.prompts[f.row].entity == f.span.entity
    )
    return {key for key, count in probes.items() if count >= 5 and right[key] >= ROBUST_SHARE * count}


def _is_drawn(group: Group, found: FoundSpan, cut: bool, part: float, key: bytes) -> bool:
    """Whether a span is of the random subset that is sampled and differentiated: answers to a share of the questions.

    Of the training side only people whom the default training holds out are drawn, for they alone choose settings.
    """
    prompt, config = group.prompts[found.row], TrainingConfig()
    if cut or prompt.kind != "probe" or hash_share(0, "drawn", prompt.id, str(group.temperature)) >= part:
        return False
    held = hash_share(config.seed, "person", keyed_hash(key, prompt.person)) < config.held_out_people
    return prompt.person_split == "test" or held


def value_key(key: bytes, person: str, entity: str, value: str) -> str:
    """The keyed hash of a value, under a key of the person's own: equal values of two people have different ones.

    Values said of nobody share the collection's key, for `splits.split_rows` keeps equal ones of them together.
    """
    own = hashlib.blake2b(person.encode(), key=key[:64], digest_size=32, person=b"values").digest() if person else key
    return keyed_hash(own, f"{entity} {normalize(value, entity)}")


def _row(group: Group, found: FoundSpan, tokens: range, cut: bool, first: float, robust: bool, key: bytes) -> RowLabels:
    prompt, entity = group.prompts[found.row], found.span.entity
    return RowLabels(
        entity=entity,
        label=str(found.label),
        person_split=prompt.person_split or "train",
        phrasing_split=prompt.phrasing_split or "taught",
        phrasing_id=prompt.phrasing or prompt.id.replace("/", ":")[:64],
        person_key=keyed_hash(key, prompt.person) if prompt.person else "",
        value_key=value_key(key, prompt.person, entity, found.value),
        form=prompt.form,
        first_prob=first,
        temperature=group.temperature,
        tokens=len(tokens),
        chars=found.span.end - found.span.answer_start,
        cue=cue(found.value, prompt.user_text, entity),
        fragment=cut,
        robust=robust,
    )
