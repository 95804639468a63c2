"""Finds, labels and re-reads the spans in a host's answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import torch
from torch import Tensor

from reticent_detectors.alignment import TokenText
from reticent_detectors.capture import HostAdapter, SpanStates, Taps
from reticent_detectors.collection.labels import Label, Labeller
from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder
from reticent_detectors.host.answers import Answer
from reticent_detectors.spans import FindContext, Span
from reticent_detectors.synth.prompts import Prompt

READ_BATCH = 64
"""Answers read in one forward pass, at most."""


def find_context(prompt: Prompt) -> FindContext:
    """Returns the part of a prompt that a span finder sees."""
    if prompt.messages:
        return FindContext(question=prompt.messages[-1][1])
    return FindContext(left=prompt.text[-256:])


def find_all(finder: SpanFinder, text: str, context: FindContext) -> list[Span]:
    """Finds all spans of a finished answer."""
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
    """A labelled span in a host's answer. `row` is the answer's number; `value` is plain text and stays in memory."""

    row: int
    span: Span
    tokens: range
    value: str
    label: Label

    def __repr__(self) -> str:
        return f"FoundSpan({self.span.entity}, {self.label})"


class Batch(NamedTuple):
    """Answers that are read in one forward pass."""

    ids: Tensor
    """[B, N], padded on the right."""
    mask: Tensor
    """[B, N], 0 for padding."""
    gather: list[tuple[int, list[int]]]
    """Rows and predictive positions to keep."""
    order: list[int]
    """For each entry of `gather`, its index in `wanted`."""


class Reader:
    """Finds, labels and re-reads the spans in many answers of one host. `inner` keeps the states of all layers."""

    def __init__(self, model: Any, tokenizer: Any, finder: SpanFinder, labeller: Labeller, inner: bool = True) -> None:
        self.adapter = HostAdapter.attach(model, tokenizer)
        self.taps = Taps(self.adapter, inner=inner)
        self._tokenizer, self._finder, self._labeller = tokenizer, finder, labeller

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Removes the hooks from the model."""
        self.taps.remove()

    def spans(self, prompts: Sequence[Prompt], answers: Sequence[Answer]) -> list[FoundSpan]:
        """Finds and labels every span of every answer. Skips spans that cover no token."""
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
        """Yields the states of answer tokens as (index in `wanted`, states). `wanted` holds (answer, token range)."""
        for batch in self.batches(answers, wanted):
            yield from zip(batch.order, self.taps.read(batch.ids, batch.mask, batch.gather), strict=True)

    def batches(self, answers: Sequence[Answer], wanted: Sequence[tuple[int, range]]) -> Iterator[Batch]:
        """Yields the forward passes for `wanted`, with answers of similar length in one pass."""
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
    """Returns the log-probabilities, in nats, of the tokens of each range under the reader's host."""
    out: list[list[float]] = [[] for _ in wanted]
    for index, states in reader.read(answers, wanted):
        out[index] = states.probability.double().clamp_min(1e-30).log().tolist()
    return out
