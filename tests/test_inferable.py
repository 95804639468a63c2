"""Which values are inferable: one rule, which labels and the running guard follow alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reticent.core.judge import BaseQuery, OtherPeopleQuery, Reply, _control_infers
from reticent_detectors.collection import inferable_labels
from reticent_detectors.collection.inferable_labels import mark_inferable
from reticent_detectors.collection.labels import Label
from reticent_detectors.collection.reader import FoundSpan
from reticent_detectors.entities import Entity
from reticent_detectors.host.answers import Answer
from reticent_detectors.inferable import LEAST_CUE, LEAST_LIFT, LEAST_PROBABILITY, is_candidate, is_inferable
from reticent_detectors.spans import Span
from reticent_detectors.synth.people import PeopleMaker
from reticent_detectors.synth.phrasings import PHRASINGS
from reticent_detectors.synth.prompts import probe

PEOPLE = PeopleMaker(4).many("p", 2)
NAMES = {p.key: p.name for p in PEOPLE}
PROMPTS = [probe(PEOPLE[0], PHRASINGS[Entity.EMAIL_ADDRESS][0], "test")]
OWN, OTHER, VALUE = (7, 8, 9), (7, 3, 9), (4, 5)
"""Ids of the text as it is, of the same about somebody else, and of the value."""
FLOOR, LIFT = math.log(1 / 50), math.log(5)

numbers = st.lists(st.floats(-12.0, 0.5) | st.just(math.nan) | st.just(-math.inf), max_size=3)
shares = st.floats(0.0, 1.0) | st.just(math.nan) | st.just(0.3)


# ---- the rule ----------------------------------------------------------------------------------


def test_the_bounds_are_those_of_the_documentation() -> None:
    assert (LEAST_CUE, LEAST_PROBABILITY, LEAST_LIFT) == (0.3, 0.02, 5.0)


@pytest.mark.parametrize(
    ("own", "other", "cue", "wanted"),
    [
        ([-1.0], [-9.0], 0.9, True),
        ([FLOOR / 2, FLOOR / 2], [-9.0, -9.0], 0.9, True),  # exactly one in 50, over two tokens
        ([FLOOR - 1e-9], [-9.0], 0.9, False),
        ([-1.0], [-1.0 - LIFT - 1e-9], 0.3, True),
        ([-1.0], [-1.0 - LIFT + 1e-9], 0.3, False),  # a common guess
        ([-1.0], [-9.0], 0.3 - 1e-9, False),  # nothing of it is given away
        ([], [-9.0], 0.9, False),
        ([-1.0], [], 0.9, False),
        ([math.nan], [-9.0], 0.9, False),
        ([-1.0], [math.nan], 0.9, False),
        ([0.5], [-9.0], 0.9, False),  # no log-probability
        ([-1.0], [-9.0], math.nan, False),
        ([-1.0], [-math.inf], 0.9, True),
        ([-math.inf], [-math.inf], 0.9, False),
    ],
)
def test_each_condition_decides(own: list[float], other: list[float], cue: float, wanted: bool) -> None:
    assert is_inferable(own, [other], cue) is wanted


def test_a_text_that_names_nobody_gives_nothing_to_infer_from() -> None:
    assert is_candidate([-1.0], 0.9) and not is_inferable([-1.0], [], 0.9)


def test_the_value_is_likelier_than_under_every_other_name() -> None:
    assert is_inferable([-1.0], [[-9.0], [-8.0]], 0.9)
    assert not is_inferable([-1.0], [[-9.0], [-2.0]], 0.9)


@given(numbers, st.lists(numbers, max_size=2), shares)
def test_whatever_is_inferable_is_a_candidate(own: list[float], others: list[list[float]], cue: float) -> None:
    assert is_candidate(own, cue) or not is_inferable(own, others, cue)


# ---- labels ------------------------------------------------------------------------------------


class Scripted:
    """Says how likely the value is behind each text, and notes what it was asked."""

    def __init__(self, own: Sequence[float], other: Sequence[float], names_somebody: bool = True) -> None:
        self.found = {OWN: own, OTHER: other}
        self.asked: list[tuple[int, ...]] = []
        self._names = names_somebody

    def rename(self, before: Sequence[int], tokens: int) -> list[list[int]]:
        assert (tuple(before), tokens) == (OWN, len(VALUE))
        return [list(OTHER)] if self._names else []

    def of_answers(
        self, reader: Any, answers: Sequence[Answer], wanted: Sequence[tuple[int, range]]
    ) -> list[list[float]]:
        out = []
        for row, tokens in wanted:
            answer = answers[row]
            assert answer.ids[tokens.start : tokens.stop] == VALUE
            self.asked.append((*answer.prompt_ids, *answer.ids[: tokens.start]))
            out.append(list(self.found[self.asked[-1]]))
        return out


def labelled(script: Scripted, label: Label, cue: float, person: str = PEOPLE[0].key) -> Label:
    """The label of a value of which the prompt gives away so much."""
    found = [FoundSpan(0, Span("EMAIL_ADDRESS", 0, 5), range(1, 3), "value", label)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inferable_labels, "log_probabilities", script.of_answers)
        patch.setattr(inferable_labels, "cue", lambda value, text, entity: cue)
        answers = [Answer(OWN[:2], (OWN[2], *VALUE), True)]
        (marked,) = mark_inferable(None, script.rename, PROMPTS, answers, found, {person: ""})  # type: ignore[arg-type]
    return marked.label


def test_what_is_likely_for_this_name_alone_is_inferable() -> None:
    for label in (Label.MEMORIZED, Label.HALLUCINATED, Label.MISATTRIBUTED, Label.PARTIAL):
        assert labelled(Scripted((-1.0,), (-9.0,)), label, 0.9) is Label.INFERABLE


def test_echoes_and_other_people_stay_what_they_are() -> None:
    script = Scripted((-1.0,), (-9.0,))
    assert labelled(script, Label.ECHOED, 0.9) is Label.ECHOED
    assert labelled(script, Label.MEMORIZED, 0.9, person="somebody else") is Label.MEMORIZED
    assert script.asked == []


def test_the_control_is_asked_only_what_may_matter() -> None:
    for own, cue, asked in (((-1.0,), 0.2, []), ((-6.0,), 0.9, [OWN]), ((-1.0,), 0.9, [OWN, OTHER])):
        script = Scripted(own, (-9.0,))
        labelled(script, Label.MEMORIZED, cue)
        assert script.asked == asked


# ---- labels and run time -----------------------------------------------------------------------


def at_run_time(script: Scripted, cue: float) -> tuple[bool | None, list[tuple[int, ...]]]:
    """What the running guard's judge makes of the same, and which texts the base has to read for it."""
    asked: list[tuple[int, ...]] = []

    def read(text: Sequence[int]) -> Sequence[float]:
        asked.append(tuple(text))
        return script.found[asked[-1]]

    steps = _control_infers(cue)
    reply: Reply | None = None
    try:
        while True:
            query = next(steps) if reply is None else steps.send(reply)
            if isinstance(query, OtherPeopleQuery):
                others = [read(text) for text in script.rename(list(OWN), len(VALUE))]
                reply = Reply(others=others if all(others) else None)
            else:
                assert query == BaseQuery(())
                reply = Reply(base=read(OWN))
    except StopIteration as end:
        return end.value, asked


@settings(max_examples=300)
@given(numbers, numbers, shares.filter(lambda share: share >= LEAST_CUE), st.booleans())
@example([FLOOR], [FLOOR - LIFT], 0.3, True)
@example([-1.0], [-1.0 - LIFT], 0.3, True)
@example([-1.0], [-9.0], 0.9, False)
def test_labels_and_the_running_guard_agree(own: list[float], other: list[float], cue: float, named: bool) -> None:
    """On the same evidence; the guard asks of nothing below the least cue, and labels then stay as they are."""
    label = labelled(Scripted(own, other, named), Label.MEMORIZED, cue)
    says, asked = at_run_time(Scripted(own, other, named), cue)
    assert (label is Label.INFERABLE) == bool(says)
    assert asked == [OWN, OTHER][: len(asked)] and (len(asked) == 2) == (named and is_candidate(own, cue))
    # None: the base gave nothing, so nobody knows.
    assert (says is None) == (not own or (len(asked) == 2 and not other))
