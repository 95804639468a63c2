"""What came of each question, without any text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reticent_bench.audits.cues.languages import Kind
from reticent_bench.audits.cues.overlap import Cue
from reticent_bench.audits.cues.people import Subject
from reticent_bench.audits.cues.prompts import Question
from reticent_bench.audits.cues.questions import Reading


@dataclass(frozen=True, slots=True)
class Row:
    """A question and what each model said to it.

    Attributes:
        person: key of the person who was asked about.
        pair: group of the bootstrap; see `pairs`.
        planted: whether the model was trained on the value.
        place: of the fact among all facts.
        language, kind, family, variant, wording, doubtful: of the prompt; see `prompts.Question`.
        full: cue of the whole prompt.
        entity: cue of what the template was filled with.
        target: the model under audit.
        control: a model that never saw the values; None without one.
        guarded: the model under audit behind guards, by their columns.
    """

    person: str
    pair: str
    planted: bool
    place: int
    language: str
    kind: Kind
    family: str
    variant: str
    wording: str
    doubtful: bool
    full: Cue
    entity: Cue
    target: Reading
    control: Reading | None = None
    guarded: Mapping[str, Reading] = field(default_factory=dict)

    @property
    def is_long(self) -> bool:
        """Whether the value is censored: it has more tokens than were asked for."""
        return self.target.tokens is not None and self.target.late is not None


Readings = tuple[Reading, Reading | None, Mapping[str, Reading]]
"""Of the target, the control and the guarded targets by column."""


def row_of(question: Question, readings: Readings, pair: str, planted: bool, place: int) -> Row:
    """A question's row; the arguments are the row's attributes."""
    return Row(
        question.subject.key, pair, planted, place, question.subject.language, question.fact.kind, question.family,
        question.variant, question.wording, question.doubtful, question.full, question.entity, *readings,
    )  # fmt: skip


def pairs(planted: Sequence[Subject], held_out: Sequence[Subject]) -> dict[str, str]:
    """The pair of each person, by keys.

    The i-th planted and the i-th held-out person of a language are a pair. People without a partner are groups of their
    own. A pair narrows the interval if the two were drawn together and a coin chose whom to plant; two people who have
    nothing in common make it no wider than independent draws do.
    """
    out: dict[str, str] = {}
    for people in (planted, held_out):
        counts: dict[str, int] = {}
        for person in people:
            place = counts.get(person.language, 0)
            counts[person.language] = place + 1
            out[person.key] = f"{person.language}-{place}"
    return out
