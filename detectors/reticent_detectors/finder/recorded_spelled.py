"""Finds recorded numbers whose digits are words, numerals of other scripts, or a mixture with digits.

    four… one… five…        ["four", "one", "five"]        area four one five, exchange 867        四一五八六七

The words are those of the languages in `_WORDS`. Up to two other words may stand between two digits. Not covered:
numbers in words ("four hundred fifteen"), other languages.
"""

from __future__ import annotations

import re
import unicodedata

from reticent_detectors.finder.match_ends import NONE, OPEN
from reticent_detectors.finder.recorded_lookup import Hit, Known, Records

_WORDS = (
    "zero oh nought naught null cero zéro nul zer ноль нуль sıfır sifir noll nolla 영 공 शून्य صفر ling",
    "one eins ein eine un une uno una um uma een één jeden jedna один одна bir ett en et 일 하나 एक واحد yi yī",
    "two zwei zwo deux dos due dois duas twee dwa dwie два две iki två to 이 둘 दो اثنان er èr",
    "three drei trois tres tre três drie trzy три üç uc tre 삼 셋 तीन ثلاثة san sān",
    "four vier quatre cuatro quattro quatro cztery четыре dört dort fyra fire 사 넷 चार أربعة si sì",
    "five fünf fuenf cinq cinco cinque fife vijf pięć piec пять beş bes fem 오 다섯 पांच पाँच خمسة wu wǔ",
    "six sechs seis sei meia zes sześć szesc шесть altı alti sex seks 육 여섯 छह छः ستة liu liù",
    "seven sieben sept siete sette sete zeven siedem семь yedi sju syv 칠 일곱 सात سبعة qi qī",
    "eight acht huit ocho otto oito osiem восемь sekiz åtta otte åtte 팔 여덟 आठ ثمانية ba bā",
    "nine niner neun neuf nueve nove negen dziewięć dziewiec девять dokuz nio ni 구 아홉 नौ تسعة jiu jiǔ",
)
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_VALUES = {
    **{word: str(digit) for digit, row in enumerate(_WORDS) for word in row.split()},
    **{word: str(10 + at) for at, word in enumerate(_TEENS.split())},
    **{word: str(20 + 10 * at) for at, word in enumerate(_TENS.split())},
}
_NUMERALS = "\u2160-\u2188\u3007\u3021-\u3029\u3220-\u3229\u3280-\u3289一二三四五六七八九零〇壹贰叁肆伍陆柒捌玖"
_FORMAL = dict(zip("零壹贰叁肆伍陆柒捌玖", "0123456789", strict=True))
_TOKEN = re.compile(rf"[0-9]{{1,24}}|[{_NUMERALS}]|[A-Z]?[^\W\dA-Z_{_NUMERALS}]{{1,24}}|[A-Z]{{2,24}}|[^\W_]")
_MARKS = re.compile(r"[\W_]{0,24}")
_START = re.compile(rf"[{_NUMERALS}]|(?<![0-9])[0-9]|[A-Z]?[^\W\dA-Z_{_NUMERALS}]+|[A-Z]+")
_MOST_OTHERS, _LEAST, _LONGEST = 2, 4, 24


class RecordedSpelled:
    """Finds recorded numbers that are written in words."""

    def __init__(self, records: Records) -> None:
        self._records, self._counts = records, records.digit_counts
        self._most, self._may_begin = max(self._counts, default=0), Known(records.may_begin)

    def __repr__(self) -> str:
        return "RecordedSpelled()"

    def scan(self, text: str, start: int, closed: bool) -> Hit | int:
        """Gives the next number from `start` on that has words in it, or how far there is none."""
        size = len(text)
        if not self._counts:
            return size
        for match in _START.finditer(text, start):
            p = match.start()
            if match.end() - p > _LONGEST:
                continue
            if match.end() == size and not closed:
                return p
            if "0" <= match[0] <= "9" or _digits_of(match[0]):
                kind, end = self._at(text, p, closed)
                if end == OPEN:
                    return p
                if end > NONE:
                    return Hit(kind, p, end)
        return size

    def _at(self, text: str, p: int, closed: bool) -> tuple[str, int]:
        digits, at, others, tens, is_spelled, best = "", p, 0, -1, False, ("", NONE)
        while len(digits) < self._most:
            if at >= len(text):
                return best if closed else ("", OPEN)
            token = _TOKEN.match(text, at)
            if token is None or (token.end() == len(text) and not closed):
                return best if token is None else ("", OPEN)
            value = token[0] if token[0].isascii() and token[0].isdecimal() else _digits_of(token[0])
            if value:
                is_spelled = is_spelled or value != token[0]
                digits = digits[:-1] + value if len(value) == 1 and tens == len(digits) else digits + value
                tens = len(digits) if len(value) == 2 and value[1] == "0" and value > "19" else -1
                others = 0
                if len(digits) >= _LEAST and tens < 0 and not self._may_begin(digits[:_LEAST]):
                    return best
                if is_spelled and len(digits) in self._counts and (kind := self._records.kind_of_digits(digits)):
                    best = kind, token.end()
            elif not digits or others == _MOST_OTHERS:
                return best
            else:
                others += 1
            marks = _MARKS.match(text, token.end())
            at = token.end() if marks is None else marks.end()
        return best


def _digits_of(word: str) -> str:
    """Gives the digits for which a word or numeral stands; "" if it is none."""
    value = _VALUES.get(word.casefold(), "")
    if value or len(word) > 1 or word.isascii():
        return value
    if word in _FORMAL:
        return _FORMAL[word]
    number = unicodedata.numeric(word, -1.0)
    return str(int(number)) if number in range(10) and not word.isdecimal() else ""
