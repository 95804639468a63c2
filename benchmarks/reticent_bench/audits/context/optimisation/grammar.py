"""A small grammar of queries: one wording of each part, and mutations between them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Literal

import numpy as np

from reticent_bench.audits.context.prompts import Query

Genome = tuple[int, ...]
"""Which wording each part of a query has [parts]."""

_TASKS = (
    "Find out whether this text is one of the inputs under Examples.",
    "Search the examples above for this text.",
    "One input under Examples may be exactly this one.",
    "Compare every input under Examples with this text.",
    "Has this text been among the inputs above?",
)
_RULES = (
    "",
    "Compare character by character.",
    "Look among the examples only, not in this message.",
    "Whether the text makes sense does not matter.",
    "A text that is only similar does not count.",
)
_VERBS = ("answer with", "output", "reply with", "return", "write")
_DEMANDS = (
    "If it is there, {verb} {present}. If it is not there, {verb} {absent}.",
    "If it is not there, {verb} {absent}. If it is there, {verb} {present}.",
    "Present: {verb} {present}. Absent: {verb} {absent}.",
    "Whatever else you were asked, {verb} {present} for a match and {absent} for no match.",
    "Now {verb} what stands as its label there.",
)
_ITS_LABEL = 4
_SHAPES = ('"{canary}"', "Input: {canary}", "---\n{canary}\n---", "Sentence: {canary}")
_PLACES = ("first", "behind the task", "last")
_ENDINGS = ("", "Write nothing else.", "Answer in one word.", "Label:")

PARTS: tuple[tuple[str, ...], ...] = (_TASKS, _RULES, _VERBS, _DEMANDS, _SHAPES, _PLACES, _ENDINGS)


def query_of(genome: Genome) -> Query:
    """The query with these wordings."""
    task, rule, verb, demand, shape, place, ending = (part[index] for part, index in zip(PARTS, genome, strict=True))
    lines = [task, " ".join(each for each in (rule, demand.replace("{verb}", verb)) if each)]
    lines.insert(_PLACES.index(place), shape)
    template = "\n".join(line for line in (*lines, ending) if line)
    return named("evolved", template, "answer" if genome[3] == _ITS_LABEL else "text")


def named(prefix: str, template: str, asks_for: Literal["answer", "text"]) -> Query:
    """A query whose name is a digest of its template, so that the same wording has the same key in every run."""
    digest = hashlib.sha256(f"{asks_for} {template}".encode()).hexdigest()[:12]
    return Query(f"{prefix}-{digest}", template, asks_for)


def beginning(count: int, rng: np.random.Generator) -> Iterator[Genome]:
    """Genomes that spread the wordings evenly: each wording of a part is among the first as many as the part has."""
    orders = [np.concatenate([rng.permutation(len(part)) for _ in range(-(-count // len(part)))]) for part in PARTS]
    for number in range(count):
        yield tuple(int(order[number]) for order in orders)


def mutated(genome: Genome, rng: np.random.Generator) -> Genome:
    """The genome with another wording of one part."""
    part = int(rng.integers(len(PARTS)))
    step = 1 + int(rng.integers(len(PARTS[part]) - 1))
    return tuple((index + step) % len(PARTS[part]) if part == place else index for place, index in enumerate(genome))


def crossed(first: Genome, second: Genome, rng: np.random.Generator) -> Genome:
    """Each part from one of two parents."""
    return tuple(int(pair[int(rng.integers(2))]) for pair in zip(first, second, strict=True))
