"""Words that stand for a digit, a letter or a mark.

English, German, French, Spanish, Italian and Portuguese; to teach another language, add its words to the tables here.
"""

from __future__ import annotations

from reticent_detectors.finder.disguises.months import MONTHS, TURNED
from reticent_detectors.finder.word_sets import word_set

DIGITS = (
    "zero oh nought naught null cero zéro",
    "one eins ein eine un une uno una um uma",
    "two zwei zwo deux dos due dois duas",
    "three drei trois tres tre três",
    "four vier quatre cuatro quattro quatro",
    "five fünf fuenf cinq cinco cinque fife",
    "six sechs seis sei meia",
    "seven sieben sept siete sette sete",
    "eight acht huit ocho otto oito",
    "nine niner neun neuf nueve nove",
)
"""Words for the digits from 0 to 9, in six languages."""
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_NATO = (
    "alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec "
    "romeo sierra tango "
    "uniform victor whiskey xray yankee zulu"
)
_ALSO_NATO = {"alpha": "a", "juliet": "j", "juliette": "j", "whisky": "w"}
REPEATS = {
    "double": 2,
    "doppel": 2,
    "doble": 2,
    "doppio": 2,
    "dobro": 2,
    "triple": 3,
    "treble": 3,
    "triplo": 3,
    "tripel": 3,
}
_MARKS = {
    ".": "dot punkt point punto ponto period",
    "@": "at ät arroba arobase arobas chiocciola klammeraffe",
    "-": "dash hyphen minus bindestrich tiret guion guión trattino hífen hyphe",
    "_": "underscore unterstrich soulignement",
    "+": "plus",
    "/": "slash schrägstrich",
    ":": "colon doppelpunkt",
}

SINGLES: dict[str, str] = {
    **{word: str(digit) for digit, row in enumerate(DIGITS) for word in row.split()},
    **{word: str(10 + i) for i, word in enumerate(_TEENS.split())},
    **{word: str(20 + 10 * i) for i, word in enumerate(_TENS.split())},
    **{word: word[0] for word in _NATO.split()},
    **_ALSO_NATO,
    "hundred": "00",
}
"""Words that stand for a digit, two digits or a letter."""
TENS_WORDS = word_set(_TENS)
NATO_WORDS = frozenset(_NATO.split()) | frozenset(_ALSO_NATO)
MARKS: dict[str, str] = {word: mark for mark, row in _MARKS.items() for word in row.split()}
PLAIN_AT = word_set("at ät")
OPENERS = frozenset(SINGLES) | frozenset(REPEATS) | MONTHS | TURNED
"""Words that a spelled value may begin with, beside a word before "dot" or "at"."""
LONGEST_MARK = 20
STARTS_OF_MARKS = frozenset(word[:i] for word in MARKS for i in range(1, len(word) + 1))
_STARTS = frozenset(word[:i] for word in (*MARKS, *OPENERS) for i in range(3, len(word) + 1))
STARTS_OF_SINGLES = frozenset(word[:i] for word in (*SINGLES, *REPEATS) for i in range(1, len(word) + 1))

MARK_WORDS = "|".join(sorted(MARKS, key=len, reverse=True))
ANY_MARK = rf"(?i:{MARK_WORDS})(?![^\W_])"


def may_spell(start: str) -> bool:
    """Whether a word that begins so may stand for a character ("do" for "dot"): then the finder waits for its end."""
    return len(start) < 3 or start.lower() in _STARTS
