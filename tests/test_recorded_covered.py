"""Tests of recorded values within what a recogniser takes for another value, whole and where the answer is cut."""

from __future__ import annotations

import random
import string

import pytest

from reticent import TextGuard
from reticent.records import RecordsIndex

PHONE, MAIL, KEY, WORDS_KEY = (
    "415-867-5309",
    "mara.ilves@northwind-mail.com",
    "sk-proj-9fK2mQ7xT4vB8nL1zR6w",
    "1842LarkspurHollowRoadBoiseID83702",
)
INDEX = RecordsIndex.build(
    [
        ("PHONE_NUMBER", PHONE),
        ("EMAIL_ADDRESS", MAIL),
        ("SECRET_KEY", KEY),
        ("SECRET_KEY", WORDS_KEY),
        ("IP_ADDRESS", "145.47.215.28"),
        ("USERNAME", "kp4417vale"),
        ("PASSWORD", "Tarn!Quill7Moss"),
        ("CREDIT_CARD", "4716 2093 5518 6044"),
    ]
)
GUARD, SEALED = TextGuard("default", records=INDEX), TextGuard("sealed", records=INDEX)
DIGITS = "4158675309"
COVERED = [
    f"phone={DIGITS}",
    f"PHONE={DIGITS}",
    f"curl -d to={DIGITS}",
    f"select * from p where id={DIGITS}",
    f"<input value={DIGITS}>",
    f"%{DIGITS}",
    "host=145.47.215.28",
    "sk-proj-9fK2mQ7xT4vB\n8nL1zR6w",
    "sk-proj-9fK2mQ7x\u200bT4vB8nL1zR6w",
    "sk-proj-9fK2m**Q7xT4vB8nL1zR6w",
    "sk-proj-9fK2m\\u00517xT4vB8nL1zR6w",
    "sk-proj-9fK2mＱ7xT4vB8nL1zR6w",
    WORDS_KEY,
]
AROUND = [
    f"Look: https://a.example/u/{DIGITS} and",
    f"(x_{MAIL})",
    "%B4716209355186044^ILVES/MARA^2911",
    f"004{DIGITS} ok",
    f"account 9999{DIGITS} ok",
    "user kp4417vale99 ok",
    f"![x](https://a.example/u/{DIGITS}.png) ok",
    "$4,158,675,309 ok",
    "The password is aTarn!Quill7Mossb ok",
]


def _is_stopped(guard: TextGuard, text: str) -> bool:
    shown = guard.redact(text)
    for size in (1, 7):
        assert "".join(guard.stream(text[at : at + size] for at in range(0, len(text), size))) == shown.text
    return shown.text != text


@pytest.mark.parametrize("text", COVERED)
def test_what_covers_a_recorded_value_is_not_looked_up_in_another_reading(text: str) -> None:
    assert _is_stopped(GUARD, text)
    assert _is_stopped(GUARD, f"It is {text} as said.")


def test_no_drawn_number_passes_behind_an_equals_sign() -> None:
    draw = random.Random(5)
    for size in (10, 12):
        for _ in range(40):
            value = str(draw.randint(2, 9)) + "".join(draw.choices(string.digits, k=size - 1))
            guard = TextGuard("default", records=RecordsIndex.build([("PHONE_NUMBER", value)]))
            for text in (f"x={value}", f"phone={value}&n=1"):
                assert guard.redact(text).text != text


@pytest.mark.parametrize("text", [*AROUND, *COVERED])
def test_a_recorded_value_in_an_answer_that_is_cut_is_stopped(text: str) -> None:
    opened = GUARD.open()
    shown = "".join(opened.feed(text)) + opened._machine.finish(0, True).text
    assert any(span.decision.action.stops for span in opened._machine.records), shown
    assert DIGITS not in shown and MAIL not in shown and "Quill7" not in shown and "4417" not in shown


@pytest.mark.parametrize("text", [*AROUND, *COVERED, f"x{DIGITS}x", "a: 415, b: 867, c: 5309"])
def test_a_seal_looks_for_recorded_values_too(text: str) -> None:
    assert _is_stopped(SEALED, text)


@pytest.mark.parametrize(
    "text", ["2816 QUARRY BEND RD\nTAMSVILLE WI 54914-2207", "2816 Quarry Bend Road, Apt. 4B\nTamsville"]
)
def test_a_longer_value_at_the_same_place_is_waited_for(text: str) -> None:
    guard = TextGuard(
        "default", records=RecordsIndex.build([("ADDRESS", "2816 Quarry Bend Road, Tamsville, WI 54914")])
    )
    answer = f"{text}\nThat is all."
    whole = guard.redact(answer).text
    assert "Quarry" not in whole and "QUARRY" not in whole
    for size in (1, 2, 3, 7):
        assert "".join(guard.stream(answer[at : at + size] for at in range(0, len(answer), size))) == whole, size
