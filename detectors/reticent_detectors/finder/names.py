"""Names of people, places, organisations and groups in running text, without a model.

A chunk of capitalised words (`capitals`) is cut into names by what is known of its words (`names_data`), by words that name a kind
("University", "River", "Prize"), and by the nearest words on both sides (`name_evidence`).
It reads at most 160 characters to the left, and to the right of a name its chunk and two words.

Not covered: names in scripts without capitals, and most names in small letters.
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Sequence
from dataclasses import dataclass

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder import name_words as words
from reticent_detectors.finder.capitals import Token, Undecided, chunk_at, starts_sentence
from reticent_detectors.finder.name_evidence import Name, is_acronym, person, place, side_of
from reticent_detectors.finder.names_data import fold, look_up
from reticent_detectors.finder.recognizers import NONE, OPEN, Recognizer
from reticent_detectors.finder.relations import Site
from reticent_detectors.finder.small_names import small_names

_LETTERS = re.compile(r"[^\W\d_]{1,64}")
_SURE_PERSON, _SURE_PLACE = 1.75, 1.8
_LISTED = regex.compile(r" ?, ?(?:\p{Lu}\.[ -]?){1,3}")
_SUFFIX = regex.compile(r",? (?:Jr\.?|Sr\.?|III|II|IV)(?![\p{L}\p{N}])")


def names(text: str, p: int, closed: bool) -> list[Name]:
    """The names in the chunk that the word at p belongs to.

    Raises:
        Undecided: more text could change them.
    """
    if p > 1 and text[p - 1] in "'’-" and text[p - 2].isalpha():
        return []
    tokens = chunk_at(text, p, closed)
    found: list[Name] = []
    run: list[Token] = []
    for i, token in enumerate(tokens):
        if _breaks(tokens, i):
            _label(text, run, closed, found)
            run = []
        else:
            run.append(token)
    _label(text, run, closed, found)
    return found


def _breaks(tokens: list[Token], i: int) -> bool:
    """Whether a word is part of no name: "The", "Monday", but not "Will Smith" and "April Hughes"."""
    token = tokens[i]
    if token.sort == "P" or (token.folded not in words.FUNCTION and token.folded not in words.CALENDAR):
        return False
    if 0 < i < len(tokens) - 1 and tokens[i - 1].known.given > 1 and token.known.given > 1:
        return False
    return not (
        i + 1 < len(tokens)
        and token.known.given > 0
        and tokens[i + 1].known.family > 1
        and tokens[i + 1].known.ordinary < 2
    )


def _label(text: str, run: list[Token], closed: bool, found: list[Name]) -> None:
    while run and run[0].sort == "P":
        run = run[1:]
    while run and run[-1].sort == "P":
        run = run[:-1]
    if not run:
        return
    cut = _headed(text, run, closed) or _listed(text, run, closed)
    if cut is not None:
        first, last, entity = cut
        _label(text, run[:first], closed, found)
        if entity is not None:
            found.append(Name(run[first].start, run[last - 1].end, entity))
        _label(text, run[last:], closed, found)
        return
    titled = False
    piece: list[Token] = []
    for i, token in enumerate(run):
        if token.folded.rpartition("-")[2].rstrip(".") in words.TITLES and _is_title(run, i, text):
            _name(text, piece, titled, closed, found)
            piece, titled = [], True
        elif token.folded in ("of", "and", "for", "the", "&", "in", "on") and token.sort == "P":
            _name(text, piece, titled, closed, found)
            piece, titled = [], False
        else:
            piece.append(token)
    _name(text, piece, titled, closed, found)


def _is_title(run: list[Token], i: int, text: str) -> bool:
    """Whether the word is a title here, and not a family name ("Martin King", "Larry King")."""
    token = run[i]
    if i + 1 < len(run) and run[i + 1].folded.rstrip(".") not in words.SUFFIXES:
        return not (i > 0 and run[i - 1].known.given == 3 and token.known.family == 3 and run[i - 1].known.ordinary < 2)
    return i == 0 or not (token.known.family >= 2 and run[i - 1].known.given >= 2)


def _headed(text: str, run: list[Token], closed: bool) -> tuple[int, int, Entity | None] | None:
    """(first, last, kind) of what a word of its own names: "University of Leeds", "Lake Como", "Nobel Prize"."""
    heads = [i for i, t in enumerate(run) if t.sort == "C" and _head(t) is not None]
    for h in reversed(heads):
        kind = _head(run[h])
        assert kind is not None
        of = h + 1 < len(run) and run[h + 1].folded in ("of", "for", "de", "des", "du", "di")
        if h == 0 and not of:
            continue
        word = run[h].folded
        if word in words.AMBIGUOUS_HEADS and not of and _after_given(run, h):
            continue
        first = 0
        while first < h and (run[first].folded in words.FUNCTION or (run[first].sort == "P")):
            first += 1
        if (
            first < h
            and run[first].folded.rstrip(".") in words.TITLES
            and run[first].folded.rstrip(".") not in _PLACE_TITLES
            and h - first > 1
        ):
            first += 1
        last = len(run) if of else h + 1
        if h == 0 and of and kind is _OTHER:
            return first, last, None
        if last - first < 2:
            continue
        return first, last, kind if kind is not _OTHER else None
    head = run[0].folded.rstrip(".")
    if len(run) > 1 and head in _PLACE_PREFIX and run[1].sort == "C" and not (run[0].known.given > 1 and len(run) > 2):
        return 0, min(len(run), 3 if run[1].sort == "P" else 2), Entity.LOCATION
    return None


_PLACE_TITLES = frozenset({"king", "queen", "prince", "st", "saint", "duke", "lord", "lady", "father", "sister"})
_PLACE_PREFIX = frozenset({"lake", "mount", "mt", "fort", "ft", "cape", "isla", "rio", "ciudad", "port"})
_OTHER = Entity.DATE_TIME  # Stands for: names of other things.


def _head(token: Token) -> Entity | None:
    if token.folded in words.ORGANIZATION_HEADS or (
        token.folded[-1:] == "s" and token.folded[:-1] in words.ORGANIZATION_HEADS
    ):
        return Entity.ORGANIZATION
    if token.folded in words.PLACE_HEADS:
        return Entity.LOCATION
    return _OTHER if token.folded in words.OTHER_HEADS else None


def _after_given(run: list[Token], h: int) -> bool:
    """Whether the word at h is a family name after a given name or initials, or a title."""
    before = [t for t in run[:h] if t.sort != "P"]
    if not before or sum(t.sort == "C" for t in before) > 1:
        return False
    first = before[0]
    named = first.sort == "I" or (first.known.given >= 2 and first.known.ordinary < 2 and first.known.place < 3)
    return named or first.folded.rstrip(".") in words.SHORT_TITLES


def _listed(text: str, run: list[Token], closed: bool) -> tuple[int, int, Entity | None] | None:
    """(first, last, kind) of an organisation or a place that the lists have, the longest first."""
    for size in (4, 3, 2, 1):
        for first in range(len(run) - size + 1):
            part = run[first : first + size]
            if part[0].sort == "P" or part[-1].sort == "P":
                continue
            name = " ".join(t.folded for t in part)
            if name in words.ORGANIZATIONS and (size > 1 or _sure_organization(text, run, first)):
                return first, first + size, Entity.ORGANIZATION
            if size > 1:
                place = look_up(_SAINT.sub("saint ", name)).place
                if (
                    place
                    and not (place < 3 and _like_person(run, first, size))
                    and not (size < len(run) and run[0].known.given > 1 and place < 3)
                ):
                    return first, first + size, Entity.LOCATION
            elif part[0].folded in words.GROUPS and _is_group(text, run, first, closed):
                return first - (first > 0 and run[first - 1].folded in _DIRECTIONS), first + 1, Entity.NRP
    return None


_SAINT = re.compile(r"^st\.? ")
_DIRECTIONS = frozenset({"north", "south", "east", "west"})


def _like_person(run: list[Token], first: int, size: int) -> bool:
    part = [t for t in run[first : first + size] if t.sort != "P"]
    if part[0].folded in words.PLACE_STARTS:
        return False
    return part[0].known.given >= 2 and part[-1].known.family >= 1


def _sure_organization(text: str, run: list[Token], i: int) -> bool:
    known = run[i].known
    if len(run) > 1 and (known.family or known.given or known.ordinary):
        return False
    if run[i].shouted:
        return True
    if i > 0 and run[i - 1].known.given and run[i - 1].known.ordinary < 2:
        return False
    doubtful = known.ordinary >= 1 or known.given >= 2 or known.family >= 1 or known.place >= 2
    return not doubtful


def _is_group(text: str, run: list[Token], i: int, closed: bool) -> bool:
    token = run[i]
    following = run[i + 1].known if i + 1 < len(run) and run[i + 1].sort == "C" else None
    if token.known.given >= 2 and following and following.ordinary < 2 and (following.family or not any(following)):
        return False
    if i > 0 and run[i - 1].known.given >= 2 and token.known.family >= 1 and run[i - 1].folded not in words.TITLES:
        return False
    if token.folded in words.BROAD_GROUPS and starts_sentence(text, token.start):
        return False
    return not text[max(0, token.start - 4) : token.start].endswith(("in ", "In ")) or i + 1 < len(run)


def _name(text: str, piece: list[Token], titled: bool, closed: bool, found: list[Name]) -> None:
    """Adds what a piece without heads and titles names: a person, a place, an organisation, or nothing."""
    while piece and piece[0].sort == "P":
        piece = piece[1:]
    while piece and piece[-1].sort == "P":
        piece = piece[:-1]
    if not piece:
        return
    if len(piece) == 1:
        turned = _turned(text, piece[0], closed)
        if turned:
            found.append(Name(piece[0].start, turned, Entity.PERSON))
            return
    piece = _trimmed(text, piece, titled)
    side = side_of(text, piece[0].start, piece[-1].end, closed)
    for_person, for_place = person(text, piece, side, titled), place(piece, side, titled)
    if (
        len(piece) == 1
        and side.mark_after == ","
        and piece[0].known.place < 2
        and _extended(text, piece, closed) > piece[0].end
    ):
        for_person += 1.2
    if for_person >= _SURE_PERSON and for_person >= for_place:
        found.append(Name(piece[0].start, _extended(text, piece, closed), Entity.PERSON))
    elif for_place >= _SURE_PLACE:
        found.append(Name(piece[0].start, piece[-1].end, Entity.LOCATION))
    elif (len(piece) == 1 and is_acronym(text, piece[0], side)) or (
        len(piece) == 1 and piece[0].folded in words.ORGANIZATIONS and not side.starts and side.before in _AT_WORK
    ):
        found.append(Name(piece[0].start, piece[0].end, Entity.ORGANIZATION))
    elif len(piece) == 2 and piece[0].known.place >= 2 and piece[1].known.place >= 2:
        found.extend(Name(t.start, t.end, Entity.LOCATION) for t in piece)


def _trimmed(text: str, piece: list[Token], titled: bool) -> list[Token]:
    """A piece without the ordinary words in capitals around a name ("Yesterday Paul Roe", "Attorney Jo Day Today")."""
    while len(piece) > 1 and not titled and piece[1].sort != "P":
        first, second = piece[0].known, piece[1].known
        if piece[0].folded in words.PLACE_STARTS and second.place:
            break
        plain = first.ordinary >= 2 and first.given < 2
        crowded = len(piece) > 2 and second.given >= 2 and first.ordinary >= 2
        if first.given and second.family == 3 and len(piece) == 2:
            break
        if not (crowded or (plain and (second.given >= 2 or starts_sentence(text, piece[0].start)))):
            break
        piece = piece[1:]
    while len(piece) > 2 and piece[-1].known.ordinary >= 2 and not piece[-1].known.family and piece[-2].known.family:
        piece = piece[:-1]
    return piece


_AT_WORK = frozenset({"at", "for", "by", "with", "from", "joined", "the", "bought", "left", "and"})


def _extended(text: str, piece: list[Token], closed: bool) -> int:
    """The end of a person's name with what may follow a comma: "Roe, J. R.", "Roe, Jr."."""
    end = piece[-1].end
    if not closed and end + 10 > len(text) and (end >= len(text) or text[end] in ", "):
        raise Undecided
    suffix = _SUFFIX.match(text, end, end + 10)
    if suffix:
        return suffix.end()
    if len([t for t in piece if t.sort == "C"]) == 1 and text.startswith((",", " ,"), end):
        match = _LISTED.match(text, end, end + 14)
        if not closed and end + 16 > len(text):
            raise Undecided
        if match:
            stop = match.end()
            while text[stop - 1] in " -":
                stop -= 1
            return end if text[match.end() : match.end() + 1].isupper() else stop
    return end


def _turned(text: str, token: Token, closed: bool) -> int:
    """The end of a name with the family name first: "ROE, Jane"; in small letters, where a line or a cell begins."""
    if not text.startswith(", ", token.end):
        if not closed and token.end + 2 > len(text):
            raise Undecided
        return 0
    if token.known.ordinary > 1 or not (
        token.shouted or (starts_sentence(text, token.start) and token.known.family > 1 and token.known.place < 2)
    ):
        return 0
    match = _GIVEN.match(text, token.end)
    if match is None or (not closed and match.end() + 2 > len(text)):
        if not closed and token.end + 40 > len(text):
            raise Undecided
        return 0
    first = look_up(fold(match["word"]))
    ends = match.end() == len(text) or text[match.end()] in ";\n|)(.:" or token.shouted or bool(match["more"])
    return match.end() if first.given >= 2 and first.ordinary < 2 and ends else 0


_GIVEN = regex.compile(r", (?P<word>\p{Lu}[\p{L}\p{M}-]{1,24}+)(?P<more> \p{Lu}\.)?(?![\p{L}'’])")


def _idle(text: str, p: int) -> bool:
    """Whether the word at p, which something else follows, is seen at once to begin no name."""
    match = _LETTERS.match(text, p)
    if match is None or match.end() == len(text) or text[match.end()] in "'’-.":
        return False
    word = match[0]
    if word[0].isupper():
        word = word.lower()
        return word in words.FUNCTION and not look_up(word).given
    known = look_up(word)
    if word.isascii() and (known.ordinary > 1 or not (known.given or known.family or known.place == 3)):
        return True
    return word in words.FUNCTION


class _Reader:
    """The names at a position, read once for all recognisers."""

    def __init__(self) -> None:
        self._last: tuple[weakref.ref[Site], int, bool, list[Name] | None] | None = None

    def __call__(self, text: str, p: int, site: Site, closed: bool) -> list[Name] | None:
        """None: not yet known."""
        last = self._last
        if last is not None and last[0]() is site and last[1] == p and last[2] is closed:
            return last[3]
        found: list[Name] | None = []
        if not _idle(text, p):
            try:
                found = (names if text[p].isupper() else small_names)(text, p, closed)
            except Undecided:
                found = None
        self._last = (weakref.ref(site), p, closed, found)
        return found


_READ = _Reader()


@dataclass(frozen=True, slots=True)
class Names:
    """Recogniser of one kind of name."""

    name: str
    entity: Entity
    first: str = "u"
    loose: bool = False
    plain: str = "ul"

    def at(self, text: str, p: int, site: Site, closed: bool) -> int:
        found = _READ(text, p, site, closed)
        if found is None:
            return OPEN
        for name in found:
            if name.start == p and name.entity is self.entity:
                return name.end
        return NONE

    def begins(self, text: str, p: int, site: Site) -> bool:
        """Whether the text ends inside a name."""
        return self.at(text, p, site, True) == len(text)


PEOPLE: Sequence[Recognizer] = (Names("person", Entity.PERSON, "ul"),)
PLACES: Sequence[Recognizer] = (Names("place", Entity.LOCATION, "ul"),)
ORGANIZATIONS: Sequence[Recognizer] = (Names("organization", Entity.ORGANIZATION),)
GROUPS: Sequence[Recognizer] = (Names("group", Entity.NRP),)
