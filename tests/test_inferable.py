"""Which values a host without the records gives just as well."""

from __future__ import annotations

from typing import Any

import pytest

from reticent_detectors import collect
from reticent_detectors.collect import FoundSpan, mark_inferable
from reticent_detectors.entities import Entity
from reticent_detectors.host.answers import Answer
from reticent_detectors.spans import Span
from reticent_detectors.synth.labels import Label
from reticent_detectors.synth.people import PeopleMaker
from reticent_detectors.synth.phrasings import PHRASINGS
from reticent_detectors.synth.prompts import Prompt, probe

PEOPLE = PeopleMaker(4).many("p", 2)
NAMES = {p.key: p.name for p in PEOPLE}
PROMPTS = [probe(PEOPLE[0], PHRASINGS[Entity.EMAIL_ADDRESS][0], "test")]


def _marked(monkeypatch: pytest.MonkeyPatch, label: Label, own: float, other: float) -> Label:
    """The label after the control gave the value `own` log-probability here and `other` under another name."""
    asked: list[str] = []
    answers = iter(([own], [other]))

    def ids(tokenizer: Any, prompt: Prompt) -> list[int]:
        asked.append(prompt.user_text)
        return [1]

    monkeypatch.setattr(collect, "log_probabilities", lambda reader, rows, wanted: [[each] for each in next(answers)])
    monkeypatch.setattr(collect, "prompt_ids", ids)
    found = [FoundSpan(0, Span("EMAIL_ADDRESS", 0, 5), range(2), "value", label)]
    (marked,) = mark_inferable(None, None, PROMPTS, [Answer((1,), (2, 3), True)], found, NAMES)  # type: ignore[arg-type]
    assert all(PEOPLE[1].name in text and PEOPLE[0].name not in text for text in asked)
    return marked.label


def test_likely_for_this_name_alone_is_inferable(monkeypatch: pytest.MonkeyPatch) -> None:
    for label in (Label.MEMORIZED, Label.HALLUCINATED, Label.MISATTRIBUTED):
        assert _marked(monkeypatch, label, -1.0, -9.0) is Label.INFERABLE


def test_a_common_guess_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _marked(monkeypatch, Label.MEMORIZED, -1.0, -1.5) is Label.MEMORIZED


def test_an_unlikely_value_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _marked(monkeypatch, Label.MEMORIZED, -5.0, -20.0) is Label.MEMORIZED


def test_echoes_stay_echoes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _marked(monkeypatch, Label.ECHOED, -1.0, -9.0) is Label.ECHOED
