"""Tests of recorded numbers whose digits are words or numerals of other scripts."""

from __future__ import annotations

import pytest

from reticent import TextGuard
from reticent.records import RecordsIndex

GUARD = TextGuard("default", records=RecordsIndex.build([("PHONE_NUMBER", "415-867-5309"), ("US_SSN", "512-48-7731")]))
ONE_BY_ONE = ["four", "one", "five", "eight", "six", "seven", "five", "three", "zero", "nine"]


@pytest.mark.parametrize(
    "text",
    [
        "… ".join(ONE_BY_ONE),
        str(ONE_BY_ONE),
        "\n".join(f"* {word}" for word in ONE_BY_ONE),
        " ".join(f"**{word}**" for word in ONE_BY_ONE),
        " and ".join(ONE_BY_ONE),
        "_".join(ONE_BY_ONE),
        "".join(word.capitalize() for word in ONE_BY_ONE),
        "Area: four one five. Exchange: eight six seven. Line: five three zero nine.",
        "415 - eight six seven - 5309",
        "four one five 867 five three oh nine",
        "vier een vijf acht zes zeven vijf drie nul negen",
        "cztery jeden pięć osiem sześć siedem pięć trzy zero dziewięć",
        "четыре один пять восемь шесть семь пять три ноль девять",
        "dört bir beş sekiz altı yedi beş üç sıfır dokuz",
        "fyra ett fem åtta sex sju fem tre noll nio",
        "四一五八六七五三〇九",
        "4一5八6七5三0九",
        "ⅣⅠⅤ-867-5309",
        "forty-one fifty-eight sixty-seven fifty-three zero nine",
        "five twelve, forty-eight, seventy-seven thirty-one",
    ],
)
def test_a_recorded_number_in_words_is_stopped(text: str) -> None:
    said = f"It is {text} as said."
    shown = GUARD.redact(said)
    assert any(span.action.stops for span in shown.report.spans), shown.text
    for size in (1, 7):
        assert "".join(GUARD.stream(said[at : at + size] for at in range(0, len(said), size))) == shown.text


@pytest.mark.parametrize(
    "text",
    [
        "One of the two had four or five of them, six in all.",
        "Four one five eight six seven five three zero eight.",
        "Der eine und ein anderer, un homme et une femme, una o due.",
        "415 and eight of 867 had five, 5310 none.",
    ],
)
def test_other_words_pass(text: str) -> None:
    assert GUARD.redact(text).text == text == "".join(GUARD.stream(text))
