"""Measures how much of a value the prompt gives away, and decides when two spellings are one value.

The cue is that of cue-resistant memorisation (CRM, appendix D): the longest common substring of normalised prompt
and value, divided by the value's length. Phone numbers are compared by digits alone. The cue of an e-mail address is
the mean of local part and domain (without its public suffix), weighted by length.

    cue(value, prompt) = |LCS(norm(value), norm(prompt))| / |norm(value)|        in 0..1

Normalisation is NFKC, case folding and ASCII digits, and keeps letters and digits alone. Amounts and dates are first
brought into one form. So `24 March 2024` and `2024-03-24`, or `$1,473.00` and `$1473`, are the same value.

Not covered: values in words ("ninety-nine dollars"), transliteration, missing accents, and months in languages other
than English. `03/04/2024` is read with the month first.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.features.public_suffixes import without_suffix

_DEPTH = 64  # characters by which positions of the index are sorted; longer matches are compared directly
_MAX_OCCURRENCES = 1_000  # occurrences of one value that are checked, which bounds the cost of a hostile prompt
_SEARCHED_OCCURRENCES = 64
_MARKS = 3  # letters between the digits of a number ("ext")

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DATE = re.compile(
    r"(?<![\w])(?:"
    r"(?P<y1>\d{4})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})"
    r"|(?P<m2>\d{1,2})[-/.](?P<d2>\d{1,2})[-/.](?P<y2>\d{4}|\d{2})"
    rf"|(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?[\s-]+{_MONTH.format('m3')}(?:,?[\s-]+(?P<y3>\d{{4}}))?"
    rf"|{_MONTH.format('m4')}[\s-]+(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<y4>\d{{4}}))?"
    r")(?![\w])",
    re.IGNORECASE | re.ASCII,
)
_NUMBER = re.compile(
    r"(?<!\d)(?P<whole>\d{1,3}(?:(?P<group>[,.'])\d{3})(?:(?P=group)\d{3})*|\d+)(?:[.,](?P<part>\d{1,2}))?(?!\d)",
    re.ASCII,
)
_NOTHING = re.compile(r"(?!)")
_CLUSTER = regex.compile(r"\X")
_TITLE = re.compile(
    r"^\s*(?:(?:dra?|do[ck]tor(?:in|a)?|docteure?|doutora?|dott(?:\.?\s?ssa|or[ea]?|oressa)?"
    r"|prof(?:\.?\s?ssa)?|professor(?:in|a|e|essa)?|professeure?|profesora?)\b\.?\s*)+",
    re.IGNORECASE,
)


def _ascii_digits(text: str) -> str:
    text = unicodedata.normalize("NFKC", text)
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)


def _date(match: re.Match[str]) -> str:
    found = match.groupdict()
    for form in "1234":
        month, day, year = found[f"m{form}"], found[f"d{form}"], found[f"y{form}"]
        if month is None:
            continue
        m = int(month) if month.isdigit() else _MONTHS.index(month[:3].casefold()) + 1
        d = int(day)
        if form == "2" and m > 12:
            m, d = d, m
        if not (1 <= m <= 12 and 1 <= d <= 31):
            return match.group()
        y = "d" if year is None else year if len(year) == 4 else f"20{year}"
        return f"{y}{m:02d}{d:02d}"
    return match.group()  # pragma: no cover - one of the four forms matched


def _number(match: re.Match[str]) -> str:
    integer_part = re.sub(r"\D", "", match["whole"]).lstrip("0") or "0"
    part = (match["part"] or "").rstrip("0")
    return f"{integer_part}p{part}" if part else integer_part


@dataclass(frozen=True, slots=True)
class _Spelling:
    """How values of some kinds get one form: what the pattern finds is rewritten, then some characters are kept."""

    keep: Callable[[str], bool]
    pattern: re.Pattern[str] = _NOTHING
    rewritten: Callable[[re.Match[str]], str] = re.Match.group

    def rewrite(self, text: str) -> str:
        """Rewrite all of a text."""
        return self.pattern.sub(self.rewritten, text)

    def places(self, text: str) -> list[tuple[int, int]] | None:
        """Return from which range of a text each character of `rewrite(_ascii_digits(text))` comes.

        None if characters of different clusters compose, which no script in use does.
        """
        plain = [(m.start(), m.end()) for m in _CLUSTER.finditer(text) for _ in _ascii_digits(m.group())]
        normalised = _ascii_digits(text)
        if len(plain) != len(normalised):
            return None
        places, done = list[tuple[int, int]](), 0
        for match in self.pattern.finditer(normalised):
            whole = (plain[match.start()][0], plain[match.end() - 1][1])
            places += [*plain[done : match.start()], *[whole] * len(self.rewritten(match))]
            done = match.end()
        return places + plain[done:]


_PLAIN = _Spelling(str.isalnum)
_DIGITS = _Spelling(str.isdigit)
_AMOUNT = _Spelling(str.isalnum, _NUMBER, _number)
_DAY = _Spelling(str.isalnum, _DATE, _date)
_SPELLINGS: dict[str, _Spelling] = {
    Entity.PHONE_NUMBER: _DIGITS,
    Entity.TRANSACTION_AMOUNT: _AMOUNT,
    Entity.UTILITY_BILL: _AMOUNT,
    Entity.APPOINTMENT_DATE: _DAY,
    Entity.FLIGHT: _DAY,
}
_AMOUNTS = (Entity.TRANSACTION_AMOUNT, Entity.UTILITY_BILL)


def normalize(text: str, entity: str) -> str:
    """Returns the normal form of a value. Two spellings are the same value if their forms are equal.

    Phone numbers keep their digits without North America's leading 1. Amounts keep their first number without
    currency, grouping and empty cents; `p` replaces the decimal point. A doctor's name loses titles of doctors and
    professors in six languages. The form is empty, and equals no value, if the text has no character that its kind
    keeps.
    """
    spelling = _SPELLINGS.get(entity, _PLAIN)
    text = _ascii_digits(text)
    if entity == Entity.DOCTOR:
        text = _TITLE.sub("", text)
    if entity in _AMOUNTS and (number := _NUMBER.search(text)):
        return _number(number)
    form = "".join(c for c in spelling.rewrite(text).casefold() if spelling.keep(c))
    if entity == Entity.PHONE_NUMBER and len(form) >= 11 and form[0] == "1":
        return form[1:]
    return form


def _by_itself(char: str) -> bool:
    """Whether a character belongs to a script without spaces, where every character may begin a word."""
    return "\u2e80" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af" or "\u0e00" <= char <= "\u0eff"


def _joined(left: str, right: str) -> bool:
    return left.isalnum() and right.isalnum() and not (_by_itself(left) or _by_itself(right))


class _Index:
    """Sorted positions of a normalised text: a suffix array of bounded depth."""

    def __init__(self, text: str, spelling: _Spelling) -> None:
        self.text = spelling.rewrite(_ascii_digits(text))
        keep = spelling.keep
        if self.text.isascii():  # each character folds to one, which is much faster
            folded_text = self.text.casefold()
            origin = array("I", [at for at, char in enumerate(folded_text) if keep(char)])
            self.norm = norm = "".join([folded_text[at] for at in origin])
        else:
            chars: list[str] = []
            origin = array("I")
            for at, char in enumerate(self.text):
                for folded in char.casefold():
                    if keep(folded):
                        chars.append(folded)
                        origin.append(at)
            self.norm = norm = "".join(chars)
        self.origin = origin
        self._sorted = array("I", sorted(range(len(norm)), key=lambda i: norm[i : i + _DEPTH]))

    def _place(self, value: str) -> int:
        norm, key = self.norm, value[:_DEPTH]
        return bisect_left(self._sorted, key, key=lambda i: norm[i : i + _DEPTH])

    def _common(self, value: str, at: int, position: int) -> int:
        norm, length = self.norm, 0
        limit = min(len(value) - at, len(norm) - position)
        while length < limit and value[at + length] == norm[position + length]:
            length += 1
        return length

    def longest_common(self, value: str) -> int:
        """Returns the length of the longest substring of `value` in the text; beyond 64, a lower bound."""
        best = 0
        for at in range(len(value)):
            if len(value) - at <= best:
                break
            place = self._place(value[at:])
            for neighbour in (place - 1, place):
                if 0 <= neighbour < len(self._sorted):
                    best = max(best, self._common(value, at, self._sorted[neighbour]))
        return best

    def occurrences(self, value: str) -> Iterator[tuple[int, int]]:
        """Yields the ranges of `self.text` that normalise to `value`, between token boundaries and in one piece."""
        norm, origin, text = self.norm, self.origin, self.text
        place = self._place(value)
        for slot in range(place, min(place + _MAX_OCCURRENCES, len(self._sorted))):
            position = self._sorted[slot]
            if not norm.startswith(value[:_DEPTH], position):
                return
            if not norm.startswith(value, position):
                continue
            start, end = origin[position], origin[position + len(value) - 1] + 1
            if start and _joined(text[start - 1], text[start]):
                continue
            if end < len(text) and _joined(text[end - 1], text[end]):
                continue
            if end - start > 2 * len(value) + 8 or sum(map(str.isalnum, text[start:end])) > len(value) + _MARKS:
                continue  # spread over the text, or with letters between the digits
            yield start, end


class PromptIndex:
    """An index of a prompt, to look up many values.

    The first look-up builds it in O(n log n), with comparisons of at most 64 characters (100 kB: about 0.1 s). Then a
    value of m characters costs O(m log n), whatever the prompt holds.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._indices: dict[_Spelling, _Index] = {}

    def __repr__(self) -> str:
        return f"PromptIndex(<{len(self._text)} chars>)"

    def _index(self, spelling: _Spelling) -> _Index:
        index = self._indices.get(spelling)
        if index is None:
            index = self._indices[spelling] = _Index(self._text, spelling)
        return index

    def _share(self, value: str, spelling: _Spelling) -> tuple[float, int]:
        form = "".join(c for c in _ascii_digits(value).casefold() if spelling.keep(c))
        if not form:
            return 0.0, 0
        return self._index(spelling).longest_common(form) / len(form), len(form)

    def cue(self, value: str, entity: str) -> float:
        """Returns the share of `value` in the prompt, 0 to 1 (CRM, appendix D); 1 if it is there in another format."""
        if not self._text or not normalize(value, entity):
            return 0.0
        if entity == Entity.EMAIL_ADDRESS and "@" in value:
            local, _, domain = value.rpartition("@")
            parts = [self._share(part, _PLAIN) for part in (local, without_suffix(domain))]
            length = sum(size for _, size in parts)
            return sum(share * size for share, size in parts) / length if length else 0.0
        if entity == Entity.PHONE_NUMBER:
            return self._share(value, _DIGITS)[0]
        share = self._share(value, _PLAIN)[0]
        return 1.0 if share < 1.0 and self.contains(value, entity) else share

    def find(self, value: str, entity: str) -> list[tuple[int, int]]:
        """Returns the ranges of `text(entity)`, at most 64, that hold the whole value between token boundaries."""
        form = normalize(value, entity)
        if not form or not self._text:
            return []
        index = self._index(_SPELLINGS.get(entity, _PLAIN))
        found = list(islice(index.occurrences(form), _SEARCHED_OCCURRENCES))
        if not found and entity == Entity.PHONE_NUMBER:
            found = list(islice(index.occurrences(f"1{form}"), _SEARCHED_OCCURRENCES))
        return found

    def text(self, entity: str) -> str:
        """Returns the prompt to which `find` refers, with NFKC, ASCII digits, and dates or amounts in one form."""
        return self._index(_SPELLINGS.get(entity, _PLAIN)).text

    def written(self, pieces: Iterable[str], entity: str) -> set[str]:
        """Returns how the prompt itself writes pieces of `text(entity)`, wherever they stand (64 places of each).

        A piece of a text that has no such places is returned as it is.
        """
        spelling = _SPELLINGS.get(entity, _PLAIN)
        text = self._index(spelling).text
        if text == self._text:
            return set(pieces)
        if (places := spelling.places(self._text)) is None:
            return set(pieces)
        found: set[str] = set()
        for piece in pieces:
            for match in islice(re.finditer(re.escape(piece), text), _SEARCHED_OCCURRENCES):
                found.add(self._text[places[match.start()][0] : places[match.end() - 1][1]])
        return found

    def contains(self, value: str, entity: str) -> bool:
        """Whether the prompt holds the whole value between token boundaries, also re-formatted."""
        return bool(self.find(value, entity))


def cue(value: str, prompt: str, entity: str) -> float:
    """Returns the share of `value` that `prompt` gives away. Use `PromptIndex` for many values of one prompt."""
    return PromptIndex(prompt).cue(value, entity)
