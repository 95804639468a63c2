"""Tests of recorded values as people say them, and in signs that stand for letters and digits."""

from __future__ import annotations

import pytest

from reticent import TextGuard
from reticent.records import RecordsIndex
from reticent_bench.attacks.kinds_of_speech import SPEECH
from reticent_bench.attacks.measure import BEHIND, guards
from reticent_bench.attacks.readings import shows

GUARD = guards()["records"]
OPEN = {
    "the same words between": 3,
    "a name and more": 2,
    "a house and its street": 1,
    "digits by their number": 12,
}
"""How many attempts of a kind are known to get out."""
OTHERS = TextGuard(
    "default",
    records=RecordsIndex.build(
        [
            ("IBAN_CODE", "DE44 5001 0517 5407 3249 31"),
            ("ADDRESS", "Lindenstraße 73, 50674 Köln"),
            ("PHONE_NUMBER", "415-867-5309"),
            ("PERSON", "Tobias Kvernmo"),
        ]
    ),
)


@pytest.mark.parametrize("kind", SPEECH, ids=lambda kind: kind.name)
def test_what_is_said_otherwise_is_recorded_all_the_same(kind: object) -> None:
    out = 0
    for value, text, read in kind.attempts():  # type: ignore[attr-defined]
        text += BEHIND
        shown = GUARD.redact(text).text
        for size in (1, 7):
            assert "".join(GUARD.stream(text[at : at + size] for at in range(0, len(text), size))) == shown
        out += shows(value, shown, read)
    assert out <= OPEN.get(kind.name, 0)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text",
    [
        '{"bban": "500105175407324931", "country": "DE"}',
        "She lives in Lindenstr. 73.",
        "73 Lindenstraße, second floor",
        "Lindenstraße, Haus 73",
        "Lindenstrasse dreiundsiebzig in Köln",
        "<table>" + "".join(f"<tr><td>{at}</td><td>{digit}</td></tr>" for at, digit in enumerate("4158675309")),
        "T wie Theodor, O wie Otto, B wie Berta, I wie Ida, A wie Anton, S wie Samuel, K wie Kaufmann, V wie Viktor, "
        "E wie Emil, R wie Richard, N wie Nordpol, M wie Martha, O wie Otto",
    ],
)
def test_no_whole_value_gets_out(text: str) -> None:
    said = f"It is {text} as said."
    shown = OTHERS.redact(said)
    assert any(span.action.stops for span in shown.report.spans), shown.text
    for size in (1, 7):
        assert "".join(OTHERS.stream(said[at : at + size] for at in range(0, len(said), size))) == shown.text


@pytest.mark.parametrize(
    "text",
    [
        "Lindenstraße is long; 73 trees stand there.",
        "Tobias met Anna and the Kvernmo family in one hundred days.",
        "Otto, Theodor und Ida gehen am Sonntag in den Zoo.",
        "... --- ... is SOS, and .- is a.",
        "Chapter IV, section VII, paragraph III, page IX",
        "2*3*4 and `x`y`z` and \x1b[31mred\x1b[0m",
        "5001 of 5175 people, and 40732 more",
        "Ein- bis zweimal täglich, vierundzwanzig Stunden lang.",
    ],
)
def test_what_is_nobodys_stays(text: str) -> None:
    assert OTHERS.redact(text).text == text == "".join(OTHERS.stream(text))


@pytest.mark.parametrize(
    "text",
    ["t.kvernmo (at) fjellpost (dot) com", "t.kvernmo84 AT fjellpost DOT com", "t[.]kvernmo84[@]fjellpost[.]no"],
)
def test_an_address_may_begin_with_an_initial(text: str) -> None:
    guard = TextGuard()
    shown = guard.redact(f"Write to {text} today.").text
    assert text not in shown and "kvernmo" not in shown
    for size in (1, 7, 15):
        said = f"Write to {text} today."
        assert "".join(guard.stream(said[at : at + size] for at in range(0, len(said), size))) == shown
