"""Measures what a pre-trained model knows by heart, and whether the default detector tells it from made-up values.

A model is asked for public facts (`heart_items`), greedily. Right values are known, and wrong ones are made up. The
twin of a known value is the model's own likeliest wrong continuation (`heart_twins`). The guard's own detector scores
all of them on the guard's own states. Then the guard answers the same prompts with the model as its own base. Its
decisions about the known values are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean
from typing import Any, NamedTuple

import torch

from reticent.core.stream_types import SpanRecord
from reticent.guard import Guard
from reticent.policy.emergency_lines import is_line
from reticent.policy.options import AfterRedaction
from reticent.policy.policy import Policy
from reticent.prompt.segments import from_ids
from reticent_bench.real_models.heart_items import Item, invented_in, items, value_in
from reticent_bench.real_models.heart_twins import (
    BATCH,
    AnsweredValue,
    Twin,
    branches_of,
    end_ids,
    greedy,
    grow,
    twins_of,
)
from reticent_detectors.alignment import TokenText
from reticent_detectors.capture import SpanStates
from reticent_detectors.capture.recorder import TINY
from reticent_detectors.entities import Entity
from reticent_detectors.scoring.state_scorer import ReadSpan
from reticent_detectors.spans import Span

NEW_TOKENS = 48
"""Longest answer, in tokens; an IBAN with its blanks has some 30."""


@dataclass(frozen=True)
class Score:
    """A detector's probability for a value, the mean log-probability of its tokens in nats, and their number."""

    probability: float
    mean: float
    tokens: int


@dataclass(frozen=True)
class Decided:
    """What the guard decided about a known value.

    Attributes:
        entity: kind of the span.
        origin: of the verdict.
        action: of the decision.
        reason: of the decision.
        cue: share of the value that the prompt gives away.
        base: mean log-probability under the base, in nats; None if the base was not asked.
    """

    entity: str
    origin: str
    action: str
    reason: str
    cue: float
    base: float | None


@dataclass(frozen=True)
class ItemMeasurement:
    """One item on one model, without its text.

    `outcome` is known, made up, or neither: the answer gives no value, or the true one later.
    """

    number: int
    group: str
    entity: str
    outcome: str
    score: Score | None = None
    twin: Score | None = None
    first_twin: Score | None = None
    decided: Decided | None = None
    is_line: bool = False

    def to_json(self) -> dict[str, Any]:
        """Returns plain types, without fields that were not measured."""
        return {name: value for name, value in asdict(self).items() if value is not None and value is not False}


class Measured(NamedTuple):
    """A row for each item, and the fingerprint of their model (`HostAdapter.fingerprint`)."""

    rows: list[ItemMeasurement]
    model: dict[str, str | int]


def measure(
    model: Any, tokenizer: Any, say: Callable[[str], None] = lambda line: None, asked: Sequence[Item] | None = None
) -> Measured:
    """Measures all items, or those that are `asked`, on one model. The model is left without hooks.

    Raises what `Guard.wrap` raises for a model that cannot be guarded.
    """
    own = list(items() if asked is None else asked)
    guarded = Guard.load().wrap(model, tokenizer, base="self")
    try:
        about = guarded.adapter.fingerprint(tokenizer)
        found = [_value(tokenizer, *each) for each in _answers(model, tokenizer, own)]
        right = [value for value, is_right in found if value is not None and is_right]
        say(f"{len(right)} of {len(own)} known")
        right = _with_logprobs(guarded, right)
        twins = _twins(guarded, right)
        say("twins written")
        decided = _decided(guarded, right)
        say("guarded answers judged")
        wrong = [value for value, is_right in found if value is not None and not is_right]
        scores = _scores(guarded, [*right, *wrong])
        rows = {value.item.number: row for value, row in _rows(guarded, right, twins, decided, scores)}
    finally:
        guarded.close()
    rows |= {
        value.item.number: _row(value.item, "made up", score=score)
        for value, score in zip(wrong, scores[len(right) :], strict=True)
    }
    return Measured([rows.get(item.number) or _row(item, "neither") for item in own], about)


def _row(item: Item, outcome: str, **more: Any) -> ItemMeasurement:
    return ItemMeasurement(item.number, item.group, str(item.entity), outcome, **more)


def _rows(
    guarded: Any,
    right: Sequence[AnsweredValue],
    twins: Sequence[tuple[Twin | None, Twin | None]],
    decided: Sequence[Decided | None],
    scores: Sequence[Score],
) -> Iterator[tuple[AnsweredValue, ItemMeasurement]]:
    wanted = [(at, nth, twin) for at, pair in enumerate(twins) for nth, twin in enumerate(pair) if twin is not None]
    scored = _scores(guarded, [replace(right[at], ids=twin.ids) for at, _, twin in wanted])
    of = {(at, nth): score for (at, nth, _), score in zip(wanted, scored, strict=True)}
    for at, value in enumerate(right):
        line = is_line(value.text, Entity.PHONE_NUMBER)
        yield (
            value,
            _row(
                value.item,
                "known",
                score=scores[at],
                twin=of.get((at, 0)),
                first_twin=of.get((at, 1)),
                decided=decided[at],
                is_line=line,
            ),
        )


def _answers(model: Any, tokenizer: Any, own: Sequence[Item]) -> Iterator[tuple[Item, list[int], list[int]]]:
    """Yields each item with the ids of its prompt, encoded as raw text, and those of the greedy answer."""
    prompts = [list(tokenizer(item.prompt)["input_ids"]) for item in own]
    ends = end_ids(model, tokenizer)
    order = sorted(range(len(own)), key=lambda at: len(prompts[at]))
    for begin in range(0, len(order), BATCH):
        batch = order[begin : begin + BATCH]
        said = greedy(model, tokenizer, [prompts[at] for at in batch], NEW_TOKENS).tolist()
        for at, ids in zip(batch, said, strict=True):
            end = next((place for place, token in enumerate(ids) if token in ends), None)
            yield own[at], prompts[at], ids[:end]


def _value(
    tokenizer: Any, item: Item, prompt: Sequence[int], answer: Sequence[int]
) -> tuple[AnsweredValue | None, bool]:
    """Finds the value in an answer, and returns whether it is the true one."""
    tokens = TokenText(tokenizer)
    for token in answer:
        tokens.push(token)
    true = value_in(tokens.text, item)
    place = true or invented_in(tokens.text, item)
    if place is None:
        return None, False
    start, end = place
    covered = tokens.tokens(Span(item.entity, start, end))
    if not covered:
        return None, False
    ends = [min(max(tokens.ends(at), start), end) - start for at in range(covered.start, covered.stop + 1)]
    lead, ids = tuple(answer[: covered.start]), tuple(answer[covered.start : covered.stop])
    return AnsweredValue(item, tuple(prompt), lead, ids, tokens.text[start:end], start, tuple(ends)), true is not None


def _states(guarded: Any, values: Sequence[AnsweredValue]) -> list[SpanStates]:
    """Reads the states of the values' tokens as the guard reads a finished answer, in batches of similar length."""
    out: list[SpanStates | None] = [None] * len(values)
    order = sorted(range(len(values)), key=lambda at: len(values[at].before) + len(values[at].ids))
    for begin in range(0, len(order), BATCH):
        batch = order[begin : begin + BATCH]
        whole = [[*values[at].before, *values[at].ids] for at in batch]
        width = max(map(len, whole))
        ids = torch.tensor([own + [0] * (width - len(own)) for own in whole])
        mask = torch.tensor([[1] * len(own) + [0] * (width - len(own)) for own in whole])
        firsts = [len(values[at].before) - 1 for at in batch]
        gather = [
            (row, range(f, f + len(values[at].ids))) for row, (f, at) in enumerate(zip(firsts, batch, strict=True))
        ]
        for at, states in zip(batch, guarded.taps.read(ids, mask, gather), strict=True):
            out[at] = states
    return [states for states in out if states is not None]


def _with_logprobs(guarded: Any, values: Sequence[AnsweredValue]) -> list[AnsweredValue]:
    return [
        replace(value, logprobs=tuple(states.probability.cpu().double().clamp_min(TINY).log().tolist()))
        for value, states in zip(values, _states(guarded, values), strict=True)
    ]


def _scores(guarded: Any, values: Sequence[AnsweredValue]) -> list[Score]:
    """Scores values by the default detector, through the guard's own scorer."""
    states = _states(guarded, values)
    spans = [ReadSpan(own, str(value.item.entity), value.before) for own, value in zip(states, values, strict=True)]
    return [
        Score(probability, fmean(own.log_probabilities), len(own.ids))
        for probability, own in zip(guarded.score(spans), states, strict=True)
    ]


def _twins(guarded: Any, right: Sequence[AnsweredValue]) -> list[tuple[Twin | None, Twin | None]]:
    branches = [branches_of(value) for value in right]
    grow(guarded.model, guarded.tokenizer, [each for own in branches for each in own])
    return [twins_of(own) for own in branches]


def _decided(guarded: Any, right: Sequence[AnsweredValue]) -> list[Decided | None]:
    """Returns the guard's decision about each known value in its own answers; None where it finds no span.

    The policy is the default one, except that an answer continues after a redaction. So it is the answer that the value
    was found in.
    """
    policy = replace(Policy.default(), after_redaction=AfterRedaction.CONTINUE)
    out: list[Decided | None] = []
    for begin in range(0, len(right), BATCH):
        own = right[begin : begin + BATCH]
        views = [from_ids(guarded.tokenizer, value.prompt) for value in own]
        prompts = [value.prompt for value in own]
        answers = guarded.answers(prompts, views, policy=policy, max_new_tokens=NEW_TOKENS, do_sample=False)
        out += [_decision_about(value, answer.report.spans) for value, answer in zip(own, answers, strict=True)]
    return out


def _decision_about(value: AnsweredValue, records: Sequence[SpanRecord]) -> Decided | None:
    """Returns the decision about the span that has most characters of the value."""
    start, end = value.start, value.start + len(value.text)
    shared = {at: min(end, record.end) - max(start, record.start) for at, record in enumerate(records)}
    best = max(shared, key=lambda at: shared[at], default=None)
    if best is None or shared[best] <= 0:
        return None
    decision = records[best].decision
    verdict = decision.verdict
    return Decided(
        records[best].entity, str(verdict.origin), str(decision.action), str(decision.reason), verdict.cue, verdict.base
    )
