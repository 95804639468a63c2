"""Words in capitals that stand together: what a name in running text is read from.

A chunk is a row of such words with single blanks between, initials and particles included: "Dr. J. R. van der Roe".
It is the same for each of its words.
If its end depends on text that has not come, `Undecided` is raised. So a text gives the same chunks however it was cut.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import regex

from reticent_detectors.finder.names import name_words as words
from reticent_detectors.finder.names_data import Lexeme, fold, look_up
from reticent_detectors.finder.word_sets import word_set

MOST_WORDS = 7
_LEFT_CHARS = 112
_WORD_CHARS = 41
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]{0,40}+(?:['’-]\p{L}[\p{L}\p{M}]{0,40}+){0,3}+")
# A word whose end is sure: letters, and a character behind that is no part of any.
_SURE_WORD = re.compile(r"[^\W\d_]{2,40}(?=[ ,;:!?)\n\"])")
_LETTERS = re.compile(r"[^\W\d_]{0,40}")
_INITIALS = regex.compile(r"(?:\p{Lu}\.-?){1,4}+(?![\p{L}\p{N}])")
_HUNG = regex.compile(r"[(\[{\"“”„«'‘’*_`>]+")
_NAME_LIKE = regex.compile(r"(?:\p{Lu}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*|(?:\p{Lu}\.-?){1,4})\.?")
_START = regex.compile(r"(?r)(?:^|[.!?:;…]|\n[ \t>*#|-]*|[|•*]|\d[.)]|[\"“«(\[])\s*[\"“”'‘(\[*_`]{0,3}")


class Undecided(Exception):
    """More text could change what stands here."""


class Token(NamedTuple):
    """A word of a chunk. `sort`: C(apitalised), I(nitials), P(article or link word, in small letters)."""

    start: int
    end: int
    folded: str
    known: Lexeme
    sort: str
    shouted: bool


def token(text: str, q: int, closed: bool) -> Token | None:
    """Gives the word at q, if it can belong to a name; the possessive ending is no part of it."""
    size = len(text)
    if q >= size:
        if closed:
            return None
        raise Undecided
    plain = _SURE_WORD.match(text, q)
    if plain is not None:
        word = plain[0]
        upper = word[0].isupper()
        if not upper and word not in _SMALL and (not word[1].isupper() or word[0] == "i"):
            return None
        folded = fold(word)
        return Token(
            q, plain.end(), folded, look_up(folded), "C" if upper or word not in _SMALL else "P", word.isupper()
        )
    return _odd_token(text, q, closed)


def _odd_token(text: str, q: int, closed: bool) -> Token | None:
    """`token` for initials, for words with hyphens, apostrophes and marks behind, and at the end of the text."""
    size = len(text)
    if text[q].islower() and not closed:
        seen = text[q : _LETTERS.match(text, q).end()]  # type: ignore[union-attr]
        if q + len(seen) == size and len(seen) > 1 and seen.islower() and seen not in _SMALL_STARTS:
            return None
    if text[q].isupper() and q + 1 < size and text[q + 1] == ".":
        seen = text[q : q + 12]
        if not closed and q + 12 > size and not any(c.isspace() for c in seen):
            raise Undecided
        initials = _INITIALS.match(text, q)
        if initials:
            return Token(q, initials.end(), fold(initials[0]), look_up(fold(initials[0])), "I", True)
    match = _WORD.match(text, q, min(size, q + 4 * _WORD_CHARS))
    if match is None:
        return None
    end = match.end()
    if not closed and not _decided(text, end):
        raise Undecided
    word = match[0]
    if len(word) > 2 and word[-1] in "sS" and word[-2] in "'’":
        word, end = word[:-2], end - 2
    after = text[end : end + 2]
    if (
        len(word) >= _WORD_CHARS
        or after[:1].isdigit()
        or after[:1] in ("_", "@")
        or (after[:1] == "." and after[1:].isalnum())
    ):
        return None
    folded = fold(word)
    if after[:1] == "." and folded in words.DOTTED:
        end += 1
    upper = word[0].isupper()
    if not upper and word not in _SMALL:
        if not _CAMEL.match(word):
            return None
        upper = True
    sort = ("I" if len(word) == 1 else "C") if upper else "P"
    return Token(q, end, folded, look_up(folded), sort, len(word) > 1 and word.isupper())


_SMALL = words.PARTICLES | words.LINKS
_SMALL_STARTS = frozenset(word[:n] for word in (*_SMALL, "dell") for n in range(2, 1 + len(word)))
_CAMEL = regex.compile(r"(?!i)\p{Ll}\p{Lu}|(?:d|l|dell|o|t)['’]\p{Lu}")


def _decided(text: str, end: int) -> bool:
    """Whether what follows a word at `end` shows that the word ends there."""
    if end + 2 < len(text):
        return True
    if end == len(text):
        return False
    return text[end] not in "'’-." or (end + 1 < len(text) and text[end + 1] == " ")


def chunk(text: str, s: int, closed: bool) -> list[Token]:
    """Gives the chunk that begins with the capitalised word at s; particles and links only between its words.

    Raises:
        Undecided: more text could make it longer.
    """
    first = token(text, s, closed)
    if first is None or first.sort == "P":
        return []
    found = [first]
    pending: list[Token] = []
    linked = _links(first)
    while len(found) < MOST_WORDS:
        last = (pending or found)[-1]
        if not text.startswith((" ", "\u00a0"), last.end):
            if last.end >= len(text) and not closed:
                raise Undecided
            form = None if pending else _company_form(text, last.end, closed)
            if form is not None:
                found.append(form)
            if not text.startswith("&", last.end) or form is not None:
                break
        q = last.end + 1
        if text.startswith("& ", q) or (q == len(text) - 1 and text[q] == "&" and not closed):
            if q + 2 > len(text):
                raise Undecided
            pending.append(Token(q, q + 1, "&", look_up("&"), "P", False))
            if len(pending) > 1:
                break
            continue
        following = token(text, q, closed)
        if following is None:
            break
        if following.sort == "P":
            joined = (
                not pending
                and any(t.folded in ("of", "for") for t in found)
                and any(t.folded in _JOINING for t in found)
            )
            if len(pending) == 2 or not _goes_on(following, linked, pending, joined, found):
                break
            pending.append(following)
            continue
        found += [*pending, following]
        pending = []
        linked = linked or _links(following)
    return found


def _company_form(text: str, end: int, closed: bool) -> Token | None:
    """Gives the word for its form that a company's name has behind a comma: "Roe Tools, Inc."."""
    if not text.startswith(",", end):
        return None
    if not closed and len(text) < end + 16 and _FORM.fullmatch(text, end, partial=True):
        raise Undecided
    match = _FORM.match(text, end)
    if match is None or text[match.end() : match.end() + 1].isalnum():
        return None
    folded = fold(match["form"])
    return Token(match.start("form"), match.end(), folded, look_up(folded), "C", False)


_FORM = regex.compile(rf", (?P<form>{words.COMPANY_FORMS})\.?")


def _links(word: Token) -> bool:
    """Whether "of" may follow inside a name."""
    folded = word.folded
    return (
        folded in words.ORGANIZATION_HEADS
        or folded in words.PLACE_HEADS
        or folded in words.OTHER_HEADS
        or folded in _OF
    )


_OF = word_set(
    """gulf bay isle duke duchess king queen prince princess earl lord bishop archbishop count house bank secretary
    department knights order sons daughters church temple lake port"""
)


# "Department of Fish and Game"
_JOINING = word_set(
    """department ministry committee commission bureau institute society association office school college museum
    board council agency centre center faculty"""
)


def _goes_on(word: Token, linked: bool, pending: list[Token], joined: bool, found: list[Token]) -> bool:
    """Whether a word in small letters may stand inside the name, if a capitalised one follows."""
    folded = word.folded
    if folded == "of":
        return linked and not pending
    if folded == "for":
        return linked and not pending and any(t.folded in _JOINING for t in found)
    if folded in ("and", "und", "et", "y", "e", "i"):
        named = found[-1].known
        return joined or (folded in ("y", "e", "i") and not linked and max(named.given, named.family) > 0)
    if folded == "the":
        return bool(pending)
    last = found[-1]
    if pending or linked or last.sort == "I" or any(last.known[:3]) or last.folded.rstrip(".") in words.TITLES:
        return True
    return not last.known.ordinary and len(found) > 1 and folded not in words.LINKS


def first_words(text: str, p: int) -> int:
    """Gives where the row of words in capitals at p may begin, at most 112 characters before; -1: farther."""
    s = q = p
    if p < 2 or text[p - 1] not in " \u00a0":
        return p
    if text[p - 2].islower():  # the usual word, and by far the most
        begin = text.rfind(" ", max(0, p - 24), p - 1) + 1
        if begin and text[begin].islower() and text[begin : p - 1].isalpha() and text[begin : p - 1] not in _SMALL:
            return p
    for _ in range(MOST_WORDS):
        left = text[max(0, q - 48, p - _LEFT_CHARS) : q]
        if len(left) < 2 or left[-1] not in " \u00a0" or left[-2].isspace():
            return s
        word = left.rsplit(None, 1)[-1]
        if len(word) == len(left) - 1 and q - len(left) > 0:
            return s
        begin = q - 1 - len(word)
        hung = None if word[0].isalpha() else _HUNG.match(word)
        bare = word[hung.end() :] if hung else word
        if bare in _SMALL:
            if hung:
                return s
            q = begin
            continue
        if bare.islower() or not _NAME_LIKE.fullmatch(bare):
            return s
        folded = fold(bare)
        if bare[-1] == ".":
            if not _INITIALS.fullmatch(bare) and folded[:-1] not in words.ABBREVIATED:
                return s
        elif folded in words.FUNCTION or folded.endswith(("'s", "’s")):
            return s
        s = q = begin + len(word) - len(bare)
        if hung:
            return s
    return -1


def chunk_at(text: str, p: int, closed: bool) -> list[Token]:
    """Gives the chunk that the word at p belongs to; [] where too many such words stand before it for a name."""
    s = first_words(text, p)
    if s < 0:
        return []
    while s < p:
        found = chunk(text, s, closed)
        if not found:
            break
        if found[-1].end > p:
            return found
        s = found[-1].end
        while s < p and not (text[s].isupper() and not text[s - 1].isalnum()):
            s += 1
    return chunk(text, p, closed)


def starts_sentence(text: str, s: int) -> bool:
    """Whether a sentence, a line or a cell begins at s."""
    if s > 1 and text[s - 1] == " " and text[s - 2].isalnum():
        return False
    window = text[max(0, s - 24) : s]
    return (
        bool(_START.match(window)) or not window.strip() if s - len(window) == 0 else bool(_START_LATER.match(window))
    )


_START_LATER = regex.compile(_START.pattern.replace("^|", ""))
