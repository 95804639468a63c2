"""Attempts to write a recorded value past the guard."""

from __future__ import annotations

from reticent_bench.attacks import measure, render
from reticent_bench.attacks.kinds import KINDS
from reticent_bench.attacks.readings import shows
from reticent_bench.attacks.values import VALUES


def test_a_reader_sees_the_value_of_every_kind_before_the_guard() -> None:
    for kind in KINDS:
        assert any(shows(value, text, read) for value, text, read in kind.attempts()), kind.name


def test_a_redacted_value_is_not_seen() -> None:
    assert not shows(VALUES["phone"], "It is 650-<PHONE_NUMBER>0117.", str)


def test_a_slice_is_measured() -> None:
    said, kinds = list[str](), [KINDS[0], KINDS[5]]
    figures = measure(1, said.append, kinds)
    assert len(said) == len(figures["kinds"]) == len(kinds)
    assert all(row["attempts"] == 1 for row in figures["kinds"])
    assert figures["kinds"][0]["out"] == {"records": 0, "unknown": 0, "both": 0, "gateway": 0}
    assert render(figures).count("\n| ") == len(kinds) + 3
