"""The parts of a value that is spelled out: characters as words, marks as words or symbols, and words as they are."""

from __future__ import annotations

import re
from typing import NamedTuple

from reticent_detectors.finder.disguises.candidate import REGION_CHARS
from reticent_detectors.finder.disguises.spelling_words import (
    ANY_MARK,
    LONGEST_MARK,
    MARK_WORDS,
    MARKS,
    OPENERS,
    REPEATS,
    SINGLES,
    STARTS_OF_MARKS,
    STARTS_OF_SINGLES,
)

_BRACKETED = re.compile(rf"(?i)\s?(?:[\[({{<]\s?({MARK_WORDS}|[@._+-])\s?[\])}}>]|([_*-])({MARK_WORDS})\2)\s?")
_HALF_BRACKETED = re.compile(r"\s?(?:[\[({<]\s?(?:[^\W\d_]{0,12}|[@._+-])\s?|[_*-][^\W\d_]{0,12})")
_ALPHA = re.compile(r"[^\W\d_]{1,16}")
FREE_WORD = re.compile(
    rf"[A-Za-z0-9_](?:(?![_-](?:{MARK_WORDS})[_-])(?:[A-Za-z0-9_]|[.+-](?=[A-Za-z0-9_]))){{0,63}}", re.IGNORECASE
)
_INITIAL = re.compile(r"[A-Za-z]\.[A-Za-z0-9_]{3}")
"""What an address may begin with and no spelled letter does."""
_GAP = re.compile(r", ,, |-,-|\s?[,./·|–-]\s?|[ \t\u00a0]{1,3}|\n[ \t>]{0,4}|")
_SYMBOL = re.compile(r"(?: |(?P<gap>-|, ))?([@.+/:()_?&=~%#!$*-])(?(gap)(?P=gap)| ?)")
_PLAIN_SYMBOLS = frozenset("@.+/:()_-")
_XRAY = re.compile(r"(?i)x-ray(?![^\W_])")


class SpelledPart(NamedTuple):
    kind: str  # m(ark), s(ingle), f(ree word), r(epeat), y (a symbol as it is)
    plain: str
    end: int
    gap: str
    word: str


_AHEAD = re.compile(
    rf"\s{{0,4}}(?:{ANY_MARK}|[\[({{<_*-]\s?(?:(?i:{MARK_WORDS})\s?[\])}}>_*-]|[@._+-]\s?[\])}}>])|@)|\s[@.+/:_-]\s"
)
_FIRST_WORD = re.compile(r"[^\W\d_]+|.")


def may_open(token: str) -> bool:
    """Whether a token begins with a spelled character ("four-one")."""
    word = _FIRST_WORD.match(token)
    return word is not None and (word[0].lower() in OPENERS or (len(word[0]) == 1 and not token[:2].isdigit()))


def ends_short(text: str, p: int, closed: bool) -> bool:
    """Whether no mark follows a word that ends at p, and none can."""
    return not _AHEAD.match(text, p) and (closed or len(text) - p > LONGEST_MARK)


_LEFT = re.compile(r"(?:(?:[^\W\d_]{1,16}|\d)(?:[ \t\u00a0,./·|–+:_&=~%#!$*-]{1,3}|\n)){3}$")
_LEFT_WORD = re.compile(r"[^\W_]+")
_LEFT_CHARS = 57


def is_amid(text: str, p: int) -> bool:
    """Whether at least three spelled characters stand directly before p: their value was tried from its beginning."""
    if not _is_single(_last_word(text, p)):
        return False
    left = _LEFT.search(text, max(0, p - _LEFT_CHARS), p)
    return left is not None and all(map(_is_single, _LEFT_WORD.findall(left[0])[-3:]))


def _is_single(word: str) -> bool:
    return len(word) == 1 or word.lower() in SINGLES


def _last_word(text: str, p: int) -> str:
    """Return the last word before p, empty if it is not near. A search from the left takes 40 us."""
    first = max(0, p - _LEFT_CHARS)
    while p > first and not text[p - 1].isalnum():
        p -= 1
    start = p
    while start > first and text[start - 1].isalnum():
        start -= 1
    return text[start:p]


def read_parts(text: str, p: int, closed: bool) -> tuple[list[SpelledPart], bool]:
    """Gives the parts of the spelled value at p, and whether more text could lengthen it."""
    limit = min(len(text), p + REGION_CHARS)
    more = not closed and limit < p + REGION_CHARS
    parts: list[SpelledPart] = []
    at, before = p, ""
    while at < limit:
        if ([part.kind for part in parts[-3:]] == ["m", "m", "m"] and not _is_scheme(parts)) or (
            before and _second_at(parts)
        ):
            return parts, False
        if before:
            bracketed = _BRACKETED.match(text, at, limit)
            if bracketed is not None:
                if more and bracketed.end() == limit:
                    return parts, True
                word = (bracketed[1] or bracketed[3]).lower()
                parts.append(SpelledPart("m", MARKS.get(word, word), bracketed.end(), "[", word))
                at, before = bracketed.end(), "m"
                continue
            if more and _HALF_BRACKETED.fullmatch(text, at, limit):
                return parts, True
        part = _part(text, at, limit, before)
        if part is None:
            return parts, more and _may_grow(text, at, limit, before)
        if more and part.end == limit and part.kind != "y":
            return parts, True
        parts.append(part)
        at, before = part.end, part.kind if before or part.kind != "f" else "g"
    return parts, more


def _is_scheme(parts: list[SpelledPart]) -> bool:
    return [part.plain for part in parts[-3:]] == [":", "/", "/"]


def _second_at(parts: list[SpelledPart]) -> bool:
    return parts[-1].plain == "@" and sum(part.plain == "@" for part in parts) > 1


def _part(text: str, at: int, limit: int, before: str) -> SpelledPart | None:
    """Gives the next part, after its gap."""
    if before in ("f", "g", "s", "m"):
        symbol = _SYMBOL.match(text, at, limit)
        if (
            symbol is not None
            and (before != "m" or symbol[2] not in _PLAIN_SYMBOLS)
            and _stands_alone(text, symbol, before)
        ):
            return SpelledPart("y", symbol[2], symbol.end(), "", "")
    gap = ""
    if before:
        match = _GAP.match(text, at, limit)
        gap = match[0] if match else ""
        if not gap and before not in ("m", "y"):
            return None
        at += len(gap)
    xray = _XRAY.match(text, at, limit)
    if xray is not None:
        return SpelledPart("s", "x", xray.end(), gap, "xray")
    alpha = _ALPHA.match(text, at, limit)
    if alpha is not None and not _word_goes_on(text, alpha.end(), limit):
        word = alpha[0].lower()
        if word in MARKS and (before == "s" or (before in ("f", "g", "m", "y") and not gap.strip())):
            return SpelledPart("m", MARKS[word], alpha.end(), gap, word)
        if word in REPEATS and before != "g":
            return SpelledPart("r", "", alpha.end(), gap, word)
        if word in SINGLES and before != "g":
            return SpelledPart("s", SINGLES[word], alpha.end(), gap, word)
        is_initial = not before and _INITIAL.match(text, at) is not None
        if len(alpha[0]) == 1 and alpha[0].isascii() and before != "g" and not is_initial:
            return SpelledPart("s", alpha[0], alpha.end(), gap, "")
    if (
        before != "g"
        and at < limit
        and text[at].isascii()
        and text[at].isdigit()
        and not _word_goes_on(text, at + 1, limit)
    ):
        return SpelledPart("s", text[at], at + 1, gap, "")
    if before in ("", "m") or (before == "y" and _parts_are_free(text, at)):
        free = FREE_WORD.match(text, at, limit)
        if free is not None and not is_in_word(text, free.end()):
            return SpelledPart("f", free[0], free.end(), gap, "")
    return None


def _parts_are_free(text: str, at: int) -> bool:
    return text[at - 1] in "@ ._-+"


def _stands_alone(text: str, symbol: re.Match[str], before: str) -> bool:
    """Whether a mark is part of the value and no mere gap: "j a n e @ e", "jane @ example . org"."""
    lead, trail = text[symbol.start()] == " ", text[symbol.end() - 1] == " "
    if symbol["gap"] is not None or symbol[2] not in _PLAIN_SYMBOLS:
        return before in "sm" and symbol[2] not in "-,." and (symbol["gap"] is not None or (lead and trail))
    if symbol[2] == "@":
        return True
    if symbol[2] in "()+":
        return before == "s"
    return lead and trail


def _word_goes_on(text: str, at: int, limit: int) -> bool:
    return at < limit and (text[at].isalnum() or (text[at] == "_" and at + 1 < limit and text[at + 1].isalnum()))


def is_in_word(text: str, at: int) -> bool:
    return at < len(text) and text[at].isalnum()


def _may_grow(text: str, at: int, limit: int, before: str) -> bool:
    """Whether the text ends where the next part could still begin."""
    match = _GAP.match(text, at, limit)
    start = match.end() if match else at
    if start >= limit or text[start:limit].strip() in ("", ",", ",,", *"@.+/:()_-?&=~%#!$*", "x-", "X-", "x-r", "x-ra"):
        return True
    alpha = _ALPHA.match(text, start, limit)
    if alpha is None or alpha.end() < limit:
        return False
    if before in ("", "m", "y"):
        return True
    word = alpha[0].lower()
    return word in STARTS_OF_MARKS or (before != "g" and word in STARTS_OF_SINGLES)
