"""Finds recorded values by their whole words, wherever these stand in their order, and recorded days however written.

Letters in a row are a word, and so are digits, and each ideograph. Words are compared without capitals and marks over
letters. Marks, blanks and the name of a field may stand between two of them. A value of two short words of letters
counts only if both begin with a capital: "Will May", not "will may". Which values are looked for in this way the
records decide.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import regex

from reticent_detectors.finder.match_ends import NONE, OPEN
from reticent_detectors.finder.month_names import month_number
from reticent_detectors.finder.number_text import SMALL
from reticent_detectors.finder.recorded_lookup import Hit, Records
from reticent_detectors.finder.written_days import day_at

_SINGLE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Characters of scripts without blanks between words."""
_RAISED = "¹²³¼½¾\u2070-\u2089\u2150-\u218b\u2460-\u24ff\u2776-\u2793"
"""Numbers that are no digits: raised ones, fractions, those in circles."""
_LETTER = rf"[^\W\d_{_RAISED}{_SINGLE}]"
WORD = re.compile(rf"{_LETTER}(?:{_LETTER}|[\u0300-\u036f])*|\d+|(?![\W_])[{_SINGLE}]")
"""Letters in a row, digits in a row, or an ideograph."""
GAP = re.compile(rf"[\W_{_RAISED}]{{0,24}}")
_FIELD: Any = regex.compile(
    r"[^\w]{0,3}[\s,;&][\W_]{0,12}[^\W\d_][^\W\d]{0,15}(?: [^\W\d_]{1,15})?[\"']?[ \t]{0,3}[:=][\W_]{0,6}"
)
"""What stands between two fields: the name of the second."""
_REMARK: Any = regex.compile(
    r"(?:[\W_]{0,6}?(?:\n[ \t]{0,8}[0-9]{1,2}[.)][ ]|<[^<>]{1,60}>|\([^()]{1,40}\)|\[[^\[\]]{1,40}\]"
    r"|/\*[^*]{0,40}\*/|[A-Z]\.?(?= ))){1,3}+[\W_]{0,8}+"
)
"""Tags, what is in brackets, initials, and numbers of items."""
_LABEL: Any = regex.compile(r"[,;]? (?:[a-z]{2,12} ){1,2}+(?=[A-Z0-9])")
"""Small words between the parts of an address."""
_HOUSE: Any = regex.compile(
    r"[\W_]{0,4}(?:(?![0-9])\w{1,12}[\W_]{1,4}){0,3}?(?i:number|no|nr|n|numéro|numero|número|num|nummer|hausnummer|house"
    r"|haus|door|tür|casa|maison|au|al)\b(?:[\W_]{1,3}(?:says|is|has|ist|est|the|number|no|nr)\b){0,2}[\W_]{0,4}(?=[0-9])"
)
"""What names the number of a house after its street."""
_STREET: Any = regex.compile(
    r"[\W_]{1,8}(?:(?![0-9])\w{1,12}[\W_]{1,4}){0,2}?(?i:street|road|straße|strasse|rue|calle|via|rua)\b[\W_]{1,3}"
    r"(?:(?:is|ist|est|name|called|heißt)\b[\W_]{1,3}){0,2}(?=[A-Za-zÀ-ÿ])"
)
"""What names a street after the number of a house."""
_HOUSE_BEFORE = re.compile(r"(?i:\b(?:house|number|no|nr|haus|hausnummer|maison|casa|numéro|número|numero))\W{1,2}\Z")
_NAME = r"(?:\p{Lu}['’])?\p{Lu}\p{L}{1,15}(?:-\p{Lu}\p{L}{1,15})?"
_AMID = rf"""(?:["“(']?{_NAME}["”)']?|\p{{Lu}}\.|von|van|de|der|den|di|da|del|della|du|la|le|zu)[ ]"""
_MIDDLES: tuple[Any, ...] = (
    regex.compile(rf"[ ]{_AMID}(?=\p{{Lu}})"),
    regex.compile(rf"[ ](?:{_AMID}){{2}}(?=\p{{Lu}})"),
    regex.compile(
        r"(?:,[ ](?:(?:Dra?|Prof|Mrs?|Ms|Frau|Herr|Sra?|Mme|M|med)\b\.?[ ]){1,3}+"
        rf"|(?:-{_NAME})?[ ](?:and|und|et|y|e|&)[ ]{_NAME}[ ]|-{_NAME}[ ]|[ ]{_NAME}-)(?=\p{{Lu}})"
    ),
)
"""One or two other names or small words between the first and the last; titles after the last, and a second name."""
_OTHER_FIELD: Any = regex.compile(
    r"""["']?[ \t]{0,2}[,;&\n][\W_]{0,12}[A-Za-z]\w{0,15}["']?[ \t]{0,3}[:=][ \t]{0,3}["']?[\w.-]{0,24}"""
    r"""["']?[ \t]{0,2}[,;&\n][\W_]{0,12}[A-Za-z]\w{0,15}["']?[ \t]{0,3}[:=][\W_]{0,6}"""
)
"""A field between two others, and the name of the second."""
_LEAST_LABELLED = 5
_DIGITS_BEFORE = re.compile(r"[0-9][.,]\Z")
_SURE_LETTERS, _LEAST_IN_ONE = 12, 8
MOST_WORD = 64
_MOST_KNOWN = 1 << 16
_NOTHING, _BEGINS, _DATE, _IN_ONE = 0, 1, 2, 4


def word_form(word: str) -> str:
    """Return the form in which a word is compared."""
    if word.isascii():
        return word.casefold()
    return "".join(char for char in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(char))


_ENDINGS = (
    *("owi", "owej", "iem", "ego", "emu", "iej", "ой", "ом", "ем", "ej", "em", "om"),
    *("s", "n", "m", "a", "u", "y", "e", "у", "ы", "е", "а", "и"),
)
_FEMININE = {"y": "a", "e": "a", "ej": "a", "iej": "a", "у": "а", "ы": "а", "е": "а", "ой": "а"}
"""With what a name ends that is written so after a word that asks for another case."""
_LEAST_STEM = 5


def forms_of(word: str) -> Iterator[str]:
    """Yield the form of a word, and those without an ending that names take in German and Slavic languages."""
    form = word_form(word)
    yield form
    if len(form) > _LEAST_STEM and form.isalpha() and word[0].isupper():
        for ending in _ENDINGS:
            if form.endswith(ending) and len(form) - len(ending) >= _LEAST_STEM:
                yield form[: -len(ending)]
                if ending in _FEMININE:
                    yield form[: -len(ending)] + _FEMININE[ending]


def without_fields(text: str, between: str) -> str:
    """Return a text with something else in place of names of fields between its words."""
    return str(_FIELD.sub(between, text))


class RecordedWords:
    """Finds recorded values by their words; holds none of them, but which words of answers began one."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._counts, self._most = frozenset(records.word_counts), max(records.word_counts, default=0)
        self._has_dates = records.has_dates
        self._known: dict[str, int] = {}

    def __repr__(self) -> str:
        return "RecordedWords()"

    def scan(self, text: str, start: int, closed: bool) -> Hit | int:
        """Return the next recorded value from `start` on, or how far there is none, whatever follows."""
        if not (self._most or self._has_dates):
            return len(text)
        known, size, p = self._known, len(text), start
        for match in WORD.finditer(text, p):
            word, p = match[0], int(match.start())
            if len(word) > MOST_WORD or not _is_border(text, p):
                continue
            if match.end() == size and not closed:
                return p
            role = known.get(word)
            if role is None:
                role = self._role(word)
            if role == _NOTHING:
                continue
            kind, end = self._at(text, p, match.end(), role, closed)
            if end == OPEN:
                return p
            if end > NONE:
                return Hit(kind, p, end)
        return size

    def _role(self, word: str) -> int:
        begins = self._most and any(self._records.words_begin((form,)) for form in forms_of(word))
        role = _BEGINS if begins else _NOTHING
        if self._has_dates and ("0" <= word[0] <= "9" or word.lower() in SMALL or month_number(word)):
            role |= _DATE
        least = _SURE_LETTERS if word[1:].islower() else _LEAST_IN_ONE
        if len(word) >= least and self._records.kind_of_letters(word_form(word)) is not None:
            role |= _IN_ONE
        if len(self._known) < _MOST_KNOWN:
            self._known[word] = role
        return role

    def _at(self, text: str, p: int, end: int, role: int, closed: bool) -> tuple[str, int]:
        if role & _IN_ONE:
            return self._records.kind_of_letters(word_form(text[p:end])) or "", end
        kind, found = self._beginning(text, p, end, closed) if role & _BEGINS else ("", NONE)
        if found == OPEN or not role & _DATE:
            return kind, found
        days, day_end = day_at(text, p, closed)
        if day_end == OPEN:
            return "", OPEN
        if day_end > found:
            for day in days:
                if (day_kind := self._records.kind_of_day(day)) is not None:
                    return day_kind, day_end
        return kind, found

    def _beginning(self, text: str, p: int, end: int, closed: bool) -> tuple[str, int]:
        """Return the longest value that begins with the word at p, in any of its forms."""
        best = "", NONE
        for form in forms_of(text[p:end]):
            if self._records.words_begin((form,)):
                found = self._words(text, p, end, form, closed)
                if found[1] == OPEN:
                    return found
                best = max(best, found, key=lambda each: each[1])
        return best

    def _words(self, text: str, p: int, end: int, form: str, closed: bool) -> tuple[str, int]:
        best, size, is_labelled, starts, words = ("", NONE), len(text), False, [p], [form]
        while True:
            if (
                len(words) in self._counts
                and _is_border(text, end)
                and _stands_alone(text, starts, words)
                and (not is_labelled or len(words) >= _LEAST_LABELLED or _is_house(text, starts[0]))
            ):
                kind = self._records.kind_of_words(tuple(words))
                best = best if kind is None else (kind, end)
            if len(words) == self._most:
                return best
            others = (_FIELD, _REMARK, _LABEL) if words[0].isdecimal() else (_FIELD, _REMARK)
            if words[-1].isdecimal() and len(words) == 1:
                others = (*others, _STREET)
            elif not any(map(str.isdecimal, words)):
                others = (*others, _HOUSE, *_MIDDLES, _OTHER_FIELD)
            if not closed and any(each.fullmatch(text, end, partial=True) for each in others):
                return "", OPEN
            matches = [each.match(text, end) for each in others]
            for between in (GAP.match(text, end), *matches):
                if between is None:
                    continue
                at = between.end()
                if at == size and not closed:
                    return "", OPEN
                word = WORD.match(text, at)
                if word is None or len(word[0]) > MOST_WORD:
                    continue
                if word.end() == size and not closed:
                    return "", OPEN
                following = (form for form in forms_of(word[0]) if self._records.words_begin((*words, form)))
                if (other := next(following, None)) is not None:
                    words.append(other)
                    starts.append(at)
                    end = word.end()
                    is_labelled = is_labelled or (_LABEL in others and between is matches[2])
                    break
            else:
                return best


def _is_border(text: str, at: int) -> bool:
    """Tell whether no word goes on over a place."""
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    return not (_is_of_word(before) and _is_of_word(after)) or before >= "\u0e00" or after >= "\u0e00"


def _is_of_word(char: str) -> bool:
    """Tell whether a character is a letter or a digit; raised digits and fractions are none."""
    return char.isalpha() or char.isdecimal()


def _is_house(text: str, p: int) -> bool:
    """Tell whether the number at a place is called that of a house."""
    return _HOUSE_BEFORE.search(text, max(0, p - 16), p) is not None


def _stands_alone(text: str, starts: list[int], words: list[str]) -> bool:
    """Tell whether words may be a value here: digits are not behind a point, short words of letters have capitals."""
    if len(words) == 1:
        before = text[max(0, starts[0] - 2) : starts[0]]
        return not (words[0].isdecimal() and _DIGITS_BEFORE.match(before))
    letters = sum(map(len, words))
    if letters >= _SURE_LETTERS or not all(map(str.isalpha, words)):
        return True
    return not (text[starts[0]].islower() or text[starts[-1]].islower())
