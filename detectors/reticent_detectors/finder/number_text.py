"""Reads numbers from ten on that are written in words as digits, where only recorded values are looked for.

    vierhundertfünfzehn -> 415        quatre-vingt-treize -> 93        nineteen eighty-seven -> 1987

In English, German, French, Spanish, Italian and Portuguese, up to billions. Two numbers of two digits in a row are one,
as in years and numbers of houses. Numbers below ten stay words (`recorded_spelled` reads them). Not covered: other
languages, ordinals in other languages than English, Spanish "once", which is English, too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import groupby
from typing import Any, ClassVar, NamedTuple

import regex

from reticent_detectors.finder.plain_text import PlainText

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen",
    "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn"
    " achtzehn neunzehn",
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept"
    " dix-huit dix-neuf",
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez - doce trece catorce quince dieciséis diecisiete"
    " dieciocho diecinueve",
    "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici"
    " diciassette diciotto diciannove",
    "zero um dois três quatro cinco seis sete oito nove dez - doze treze catorze quinze dezesseis dezessete dezoito"
    " dezenove",
    "- - dós trés - - séis",
    "oh eins zwo tré duas - meia - - - - - - - quatorze - dezasseis dezassete - dezanove",
    "- first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
    " fifteenth sixteenth seventeenth eighteenth nineteenth",
)
"""The numbers from zero to nineteen."""
_TENS = (
    "twenty thirty forty fifty sixty seventy eighty ninety",
    "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "zwanzig dreissig - - - septante huitante nonante",
    "vingt trente quarante cinquante soixante - quatre-vingts -",
    "- - - - - - quatre-vingt -",
    "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "veinti - - - - - octante -",
    "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    "vent trent quarant cinquant sessant settant ottant novant",
    "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    "twentieth thirtieth - - - - - -",
)
"""The tens from twenty to ninety, also as they stand within other numbers."""
_HUNDREDS = (
    "hundred doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos",
    "hundert duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos",
    "cent", "cents", "ciento", "cien", "cento", "cem",
)  # fmt: skip
_SCALES = {
    1_000: "thousand tausend mille mil mila",
    1_000_000: "million millionen millions millón millones milione milioni milhão milhões",
    1_000_000_000: "billion milliarde milliarden milliard milliards miliardo miliardi",
}


def _folded(word: str) -> str:
    """Return a word in small letters without accents, which counts as well."""
    return "".join(char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char))


def _values() -> dict[str, tuple[str, int]]:
    """Map each word to what it is and its value: a unit below 20, tens, hundreds or a scale."""
    found = dict[str, tuple[str, int]]()
    for kind, values, table in (
        ("unit", range(20), _UNITS),
        ("tens", range(20, 100, 10), _TENS),
        ("hundred", range(100, 1000, 100), _HUNDREDS),
    ):
        for row in table:
            found |= {word: (kind, value) for word, value in zip(row.split(), values, strict=False) if word != "-"}
    found |= {word: ("scale", scale) for scale, row in _SCALES.items() for word in row.split()}
    return {_folded(word): value for word, value in found.items()} | found


_VALUES = _values()
SMALL = {word: str(value) for word, (kind, value) in _VALUES.items() if kind == "unit" and 0 < value < 10}
"""The words for a number below ten, with what it is in digits."""
_LONGEST = 64
"""The most letters of a word that is a number."""
_WORD = "|".join(sorted(_VALUES, key=len, reverse=True))
_JOINT = r"(?:[ \u00a0]?(?:-|\u2011|and |und|et |y |e |)[ \u00a0]?)"
_NUMBER: Any = regex.compile(rf"(?i)(?:{_WORD})(?:{_JOINT}(?:{_WORD})){{0,17}}(?![^\W\d_])")
_PART: Any = regex.compile(rf"(?i)(?P<joint>{_JOINT})(?P<word>{_WORD})(?=$|{_JOINT}(?:{_WORD}))")
_TOO_LONG, _LONGEST_JOINT = re.compile(rf"[^\W\d_]{{{_LONGEST + 1}}}"), 5
_GOES_ON: Any = regex.compile(rf"(?i){_JOINT}[^\W\d_]{{0,{_LONGEST}}}|[ \u00a0]?[^\W\d_]{{0,3}}")


def _any(words: Iterable[str]) -> str:
    """Return a pattern of words in small letters or capitals, by their first letters, which most words do not have."""
    by_first = groupby(sorted(words), key=lambda word: word[0])
    return "|".join(f"[{char}{char.upper()}](?i:{'|'.join(word[1:] for word in group)})" for char, group in by_first)


class _Part(NamedTuple):
    kind: str
    value: int
    has_und: bool


class NumberText(PlainText):
    """Reads a growing text with the numbers in it as digits, with a map back."""

    odd: ClassVar[re.Pattern[str]] = re.compile(rf"(?<![^\W\d_])(?:{_any(_VALUES)}|[^\W\d_]{{1,{_LONGEST}}}\Z)")

    def unit(self, source: str, at: int) -> tuple[str, int] | None:
        """Return the digits of the number at a place and its end; None while more may belong to it."""
        number = _NUMBER.match(source, at)
        if number is None or _TOO_LONG.search(number[0]):
            is_open = len(source) - at <= _LONGEST and source[at:].isalpha()
            return None if is_open else (source[at], at + 1)
        end = number.end()
        if len(source) - end <= _LONGEST + _LONGEST_JOINT and _GOES_ON.fullmatch(source, end):
            return None
        numbers = _numbers(source[at:end])
        if max(numbers) < 10:
            return source[at:end], end
        if len(numbers) == 2 and all(10 <= each < 100 for each in numbers):
            return f"{numbers[0]}{numbers[1]}", end
        return " ".join(map(str, numbers)), end


def _numbers(written: str) -> list[int]:
    """Return the numbers that some words are, one after the other."""
    parts = list[_Part]()
    at = 0
    while at < len(written):
        part = _PART.match(written, at)
        assert part is not None
        kind, value = _VALUES[part["word"].lower()]
        parts.append(_Part(kind, value, "und" in part["joint"].lower()))
        at = part.end()
    found, total, group, scale, last = list[int](), 0, -1, 10**12, ""
    for part in parts:
        more = _grown(group, part, last)
        if part.kind == "scale" and (group >= 0 or total == 0) and part.value < scale:
            total, group, scale = total + (1 if group < 0 else group) * part.value, -1, part.value
        elif more >= 0:
            group = more
        else:
            if group >= 0 or total:
                found.append(total + max(group, 0))
            total, scale, group = 0, 10**12, part.value
        last = part.kind
    return [*found, total + max(group, 0)]


def _grown(group: int, part: _Part, last: str) -> int:
    """Return a number below thousand (or, as in years, ten thousand) with one more part; -1: it cannot have it."""
    kind, value, has_und = part
    if kind == "scale":
        return -1
    if group < 0:
        return value if last in ("", "scale") else -1
    rest = group % 100
    if kind == "hundred":
        return group * 100 if value == 100 and 0 < group < 100 else -1
    if kind == "tens":
        return group + value if (rest == 0 < group) or (has_und and last == "unit" and 0 < rest < 10) else -1
    fits = rest == 0 < group or (last == "tens" and (value < 10 or rest in (60, 80)) and rest % 10 == 0)
    return group + value if fits and value else -1
