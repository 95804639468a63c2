"""Finds recorded names whose first and last name stand apart, each in a field or a sentence of its own.

    First name .... Jo        <given>Jo</given><phone>1</phone><family>Day</family>        Adı Jo, soyadı Day.
    last,dept,first           | Jo | Sales | Day |
    Day,Sales,Jo

Within `WINDOW` characters both must stand, with a capital. A word for a name has to lead to the second, or each has to
be a cell of its own in one row or column. The second alone is found, as the other may have left already. Names that
stand together are found whole by `recorded_words`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.recorded_lookup import Hit, Known, Records
from reticent_detectors.finder.recorded_words import GAP, MOST_WORD, WORD, forms_of

WINDOW = 200
"""How far apart the two may begin, in characters."""
_NAMES = frozenset({Entity.PERSON, Entity.DOCTOR})
_CAPITAL: Any = regex.compile(rf"(?=\p{{Lu}})(?:{WORD.pattern})")
_LABEL: Any = regex.compile(
    r"(?ri)(?:\p{L}{0,10}name|(?<!\p{L})(?:first|last|given|family|called|née?|nom|prénom|prénommée?|famille|naam"
    r"|nombres?|apellidos?|apellida|llama|nome|cognome|chiama|sobrenome|apelido|chama|vorname|vornamen|heißt|geb|geborene"
    r"|voornaam|achternaam|imię|nazwisko|ad[ıi]?|soyad[ıi]?))(?:\(\p{L}{1,2}\))?"
    r"(?:(?:[\W_]|</?\w{1,12}[^<>]{0,40}>){1,24}|[\W_]{1,8}(?:is|was|ist|war|est|es|è|é)[\W_]{1,6}"
    r"|(?:[\W_]{1,4}[A-Za-z]{1,8}){1,3}[\W_]{0,3}[=:(][\"' ]{1,3})(?:\p{L}{1,12}:[ ])?"
    r"|(?<!\p{L})(?:Mrs?|Ms|Miss|Dra?|Prof|Frau|Herrn?|Familie|Mme|Madame|Monsieur|Sra?|Señora?|Signora?)\.?[ ]{1,2}"
)
"""Matches what leads to a name: a word for one, or a title."""
_LABEL_CHARS = 96
_MARKS, _QUOTES, _BLANKS = "|\t;\n", "\"'", "\"' "
"""What parts cells, though a comma without a blank does, too; and what may stand around a cell's content."""
_NEXT: Any = regex.compile(rf"[ -]({_CAPITAL.pattern})")


class _Name(NamedTuple):
    """Words with which recorded names begin, each in a form, and where they stand."""

    start: int
    end: int
    words: tuple[tuple[str, ...], ...]


class RecordedNames:
    """Finds recorded names by their parts."""

    def __init__(self, records: Records) -> None:
        self._records, self._has_names = records, max(records.word_counts, default=0) > 1
        self._begins = Known(lambda *words: records.words_begin(words))

    def __repr__(self) -> str:
        return "RecordedNames()"

    def scan(self, text: str, start: int, closed: bool) -> Hit | int:
        """Return the next part from `start` on that makes a recorded name whole, or how far there is none."""
        size = len(text)
        if not self._has_names:
            return size
        for match in _CAPITAL.finditer(text, _word_start(text, start)):
            p, end = int(match.start()), int(match.end())
            if end == size and not closed:
                return p
            is_led = _LABEL.match(text, max(0, p - _LABEL_CHARS), p) is not None
            if end - p > MOST_WORD or not (is_led or _opens_cell(text, p)):
                continue
            near, forms = self._near(text, p), tuple(forms_of(match[0]))
            if near and GAP.fullmatch(text, near[-1].end, p) and self._kind(near[-1], forms) is not None:
                continue
            for other in reversed(near):
                if not (is_led or (_in_cell(text, other.start, other.end) and _are_beside(text, other.start, p))):
                    continue
                found = self._with(text, other, p, end, forms, closed)
                if is_led or not isinstance(found, Hit):
                    if found is not None:
                        return found
                elif not closed and not text[found.end :].strip(_BLANKS):
                    return p
                elif _in_cell(text, p, found.end):
                    return found
        return size

    def _with(
        self, text: str, other: _Name, p: int, end: int, forms: tuple[str, ...], closed: bool
    ) -> Hit | int | None:
        """Return the recorded name that goes on at p with a word or two; its place where more text decides."""
        if (kind := self._kind(other, forms)) is not None:
            return Hit(kind, p, end, ((other.start, other.end), (p, end)))
        begun = tuple((*first, form) for first in other.words for form in forms if self._begins(*first, form))
        if not begun:
            return None
        following = _NEXT.match(text, end, partial=not closed)
        if following is None:
            return None
        if not closed and (following.partial or following.end() == len(text)):
            return p
        last, stop = tuple(forms_of(following[1])), int(following.end())
        kind = self._kind(_Name(other.start, end, begun), last)
        return None if kind is None else Hit(kind, p, stop, ((other.start, other.end), (p, stop)))

    def _near(self, text: str, stop: int) -> list[_Name]:
        """Return the words before a place that begin recorded names, but for names that stand whole."""
        near = list[_Name]()
        for match in _CAPITAL.finditer(text, _word_start(text, max(0, stop - WINDOW)), stop):
            start, end, forms = int(match.start()), int(match.end()), tuple(forms_of(match[0]))
            if near and GAP.fullmatch(text, near[-1].end, start):
                before = near[-1]
                if self._kind(before, forms) is not None:
                    near.pop()
                    continue
                words = tuple((*first, form) for first in before.words for form in forms if self._begins(*first, form))
                if words:
                    near[-1] = _Name(before.start, end, words)
                    continue
            if words := tuple((form,) for form in forms if self._begins(form)):
                near.append(_Name(start, end, words))
        return near

    def _kind(self, one: _Name, last: tuple[str, ...]) -> str | None:
        """Return the kind of a recorded name that is some words and one more."""
        for words in one.words:
            for form in last:
                if (kind := self._records.kind_of_words((*words, form))) in _NAMES:
                    return kind
        return None


def _opens_cell(text: str, p: int) -> bool:
    """Tell whether a cell of a table or a row begins at p, or a line."""
    quoted = p - 1 if p and text[p - 1] in _QUOTES else p
    blank = quoted
    while blank and text[blank - 1] == " ":
        blank -= 1
    return not blank or text[blank - 1] in _MARKS or (text[blank - 1] == "," and blank == quoted)


def _in_cell(text: str, start: int, end: int) -> bool:
    """Tell whether a text is all of a cell."""
    quoted = end + 1 if text[end : end + 1] in _QUOTES else end
    blank = quoted
    while text[blank : blank + 1] == " ":
        blank += 1
    mark = text[blank : blank + 1]
    is_end = not mark or mark in _MARKS or (mark == "," and blank == quoted and text[blank + 1 : blank + 2] != " ")
    return is_end and _opens_cell(text, start)


def _are_beside(text: str, one: int, other: int) -> bool:
    """Tell whether two places are in one row, or in one column of rows that begin with a bar."""
    row, other_row = (text.rfind("\n", 0, place) + 1 for place in (one, other))
    if row == other_row:
        return True
    bars = [text[start:place] for start, place in ((row, one), (other_row, other))]
    return all(each.startswith("|") for each in bars) and bars[0].count("|") == bars[1].count("|")


def _word_start(text: str, p: int) -> int:
    """Return the first place from p on that is not within a word."""
    while 0 < p < len(text) and text[p - 1].isalnum() and text[p].isalnum():
        p += 1
    return p
