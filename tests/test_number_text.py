"""Tests of numbers in words that are read as digits."""

from __future__ import annotations

import pytest
from timing import cpu_seconds

from reticent_detectors.finder.number_text import NumberText


def read(text: str) -> str:
    whole = NumberText().closed(text).text
    for size in (1, 7):
        growing = NumberText()
        for end in range(0, len(text), size):
            growing.read(text[:end])
            assert whole.startswith(growing.text)
        assert growing.closed(text).text == whole
    return whole


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("four hundred fifteen, eight hundred and sixty-seven", "415, 867"),
        ("nineteen eighty-seven", "1987"),
        ("nineteen hundred eighty-seven", "1987"),
        ("two thousand and four", "2004"),
        ("four billion one hundred fifty-eight million six hundred thousand three hundred nine", "4158600309"),
        ("forty-one fifty-eight sixty-seven", "41 58 67"),
        ("the fourteenth", "the 14"),
        ("achtttausend", "achtttausend"),
        ("achttausendeinhundertsechsundneunzig", "8196"),
        ("null sechs, einundsiebzig", "null sechs, 71"),
        ("neunzehnhundertsiebenundachtzig", "1987"),
        ("soixante et onze, soixante-dix-sept, quatre-vingt-treize, quatre-vingts", "71, 77, 93, 80"),
        ("mille neuf cent quatre-vingt-sept", "1987"),
        ("cuarenta y uno, veintidós, quinientos veintitrés", "41, 22, 523"),
        ("ottomilacentonovantasei, quarantuno, ventitré", "8196, 41, 23"),
        ("quinhentos e vinte e três, dezesseis, dezassete", "523, 16, 17"),
        ("TWENTY-ONE", "21"),
    ],
)  # fmt: skip
def test_numbers_from_ten_on_are_digits(text: str, digits: str) -> None:
    assert read(f"It is {text}.") == f"It is {digits}."


@pytest.mark.parametrize(
    "text", ["one two three", "Tenant, often, seventh heaven", "a fortyish man", "seven and eight", "null", "zero", "x"]
)
def test_other_words_stay(text: str) -> None:
    assert read(text) == text


@pytest.mark.parametrize("word", ["ein", "dix-sept-", "cent ", "vingt et ", "hundred", "tenten "])
def test_the_cost_of_a_character_is_bounded(word: str) -> None:
    def spent(times: int) -> float:
        return cpu_seconds(lambda: NumberText().closed(word * times))

    assert spent(4000) < 1 + 8 * spent(1000)
