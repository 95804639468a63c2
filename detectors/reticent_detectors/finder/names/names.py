"""Names of people, places, organisations and groups in running text, without a model.

A chunk of capitalised words (`capitals`) is cut into names by what is known of its words (`names_data`), by words that name a kind
("University", "River", "Prize"), and by the nearest words on both sides (`name_evidence`).
It reads at most 160 characters to the left, and to the right of a name its chunk and two words.

Not covered: names in scripts without capitals, and most names in small letters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.site import Site
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, Recognizer
from reticent_detectors.finder.names import name_words as words
from reticent_detectors.finder.names.capitalised_words import Token, Undecided, chunk_at, starts_sentence
from reticent_detectors.finder.names.lowercase_names import LowercaseNames, groups, people, places
from reticent_detectors.finder.names.name_edges import trimmed, without_article, without_noun
from reticent_detectors.finder.names.name_evidence import (
    Name,
    Side,
    is_acronym,
    is_organization,
    left_of,
    person,
    place,
    with_right,
)
from reticent_detectors.finder.names_data import fold, known_words, look_up

_SURE_PERSON, _SURE_PLACE = 1.75, 1.8
_FAIR = 1.6  # an organisation's name sounds no more like a person's or a place's
_INITIALS_FOLLOW = 1.2  # for a person, of ", J. R." behind
_MOST_PLACE = 0.9  # for a place, of what stands behind
_LISTED = regex.compile(r" ?, ?(?:\p{Lu}\.[ -]?){1,3}")
_OPEN_SUFFIX = regex.compile(r",? (?:Jr|Sr|III|II|IV)[\s\S]{0,2}")
_SUFFIX = regex.compile(r",? (?:Jr\.?|Sr\.?|III|II|IV)(?![\p{L}\p{N}])")


def names(text: str, p: int, closed: bool) -> list[Name]:
    """The names in the part of its chunk that the word at p belongs to: from one word that no name has to the next.

    Raises:
        Undecided: more text could change them.
    """
    if p > 1 and text[p - 1] in "'’-." and text[p - 2].isalpha() and (text[p - 1] != "." or text[p - 2].isupper()):
        return []
    tokens = chunk_at(text, p, closed)
    at = next((i for i, token in enumerate(tokens) if token.start == p), None)
    if at is None or _breaks(tokens, at):
        return []
    first, last = at, at + 1
    while first and not _breaks(tokens, first - 1):
        first -= 1
    while last < len(tokens) and not _breaks(tokens, last):
        last += 1
    found: list[Name] = []
    _label(text, tokens[first:last], closed, found)
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
    run = without_article(text, run)
    if not run or (len(run) > 1 and not any(token.sort == "C" for token in run)):
        return
    cut = (_headed(text, run, closed) if len(run) > 1 else None) or _listed(text, run, closed)
    if cut is None and len(run) == 1:
        if run[0].folded.rpartition("-")[2].rstrip(".") not in words.TITLES or not _is_title(run, 0, text):
            _name(text, run, False, closed, found)
        return
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
        if token.folded.rstrip(".") in _UNITS and _counted(text, token, closed):
            _name(text, piece, titled, closed, found)
            piece, titled = [], False
        elif token.folded.rpartition("-")[2].rstrip(".") in words.TITLES and _is_title(run, i, text):
            _name(text, piece, titled, closed, found)
            piece, titled = [], True
        elif token.folded in ("of", "and", "for", "the", "&", "in", "on") and token.sort == "P":
            _name(text, piece, titled, closed, found)
            piece, titled = [], False
        else:
            piece.append(token)
    _name(text, piece, titled, closed, found)


_UNITS = frozenset({"suite", "ste", "apt", "apartment", "unit", "flat", "floor", "room", "box"})


def _counted(text: str, token: Token, closed: bool) -> bool:
    """Whether a number follows the word, as in an address."""
    at = token.end + text.startswith(".", token.end) + 1
    if at >= len(text) and not closed:
        raise Undecided
    return text[at : at + 1].isdigit()


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
            and (kind is not Entity.ORGANIZATION or run[first].folded.rstrip(".") in words.SHORT_TITLES)
            and h - first > 1
        ):
            first += 1
        last = len(run) if of else h + 1
        if h == 0 and of and kind is _OTHER:
            return first, last, None
        if last - first < 2:
            continue
        return first, last, kind if kind is not _OTHER else None
    for i in range(len(run) - 1):
        if run[i].folded in words.ORGANIZATION_STARTS and run[i + 1].sort == "C" and (i == 0 or run[i].shouted):
            last = next(
                (k for k in range(i + 1, len(run)) if run[k].sort == "P" and run[k].folded not in ("de", "of")),
                len(run),
            )
            return i, last, Entity.ORGANIZATION
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
    heads = _first_words()
    for size in range(min(4, len(run)), 0, -1):
        for first in range(len(run) - size + 1):
            if size > 1 and run[first].folded.rstrip(".") not in heads:
                continue
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


@cache
def _first_words() -> frozenset[str]:
    """First words of the places and organisations whose names are several words."""
    listed = [word for word, known in known_words() if known.place] + list(words.ORGANIZATIONS)
    return frozenset(word.partition(" ")[0].rstrip(".") for word in listed if " " in word) | {"st"}


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
    piece = trimmed(text, without_noun(text, piece), titled)
    side = left_of(text, piece[0].start)
    whole = with_right(side, text, piece[-1].end, closed)
    if whole is not None:
        side = whole
    elif _possible(text, piece, side, titled):
        raise Undecided
    for_person, for_place = person(text, piece, side, titled), place(piece, side, titled)
    if (
        len(piece) == 1
        and side.mark_after == ","
        and piece[0].known.place < 2
        and for_person + _INITIALS_FOLLOW >= _SURE_PERSON
        and _extended(text, piece, closed) > piece[0].end
    ):
        for_person += _INITIALS_FOLLOW
    if for_person >= _SURE_PERSON and for_person >= for_place:
        found.append(Name(piece[0].start, _extended(text, piece, closed), Entity.PERSON))
    elif for_place >= _SURE_PLACE:
        found.append(Name(piece[0].start, piece[-1].end, Entity.LOCATION))
    elif is_organization(text, piece, side, titled) and max(for_person, for_place) < _FAIR:
        found.append(Name(piece[0].start, piece[-1].end, Entity.ORGANIZATION))
    elif (len(piece) == 1 and is_acronym(text, piece[0], side)) or (
        len(piece) == 1 and piece[0].folded in words.ORGANIZATIONS and not side.starts and side.before in _AT_WORK
    ):
        found.append(Name(piece[0].start, piece[0].end, Entity.ORGANIZATION))
    elif len(piece) == 2 and piece[0].known.place >= 2 and piece[1].known.place >= 2:
        found.extend(Name(t.start, t.end, Entity.LOCATION) for t in piece)


def _possible(text: str, piece: list[Token], side: Side, titled: bool) -> bool:
    """Whether what follows a piece, which is not yet known, can make it a person's or a place's name."""
    end = piece[-1].end
    spaced = text[end : end + 1] == " " and text[end + 1 : end + 2].isalnum()
    if person(text, piece, side._replace(after="said"), titled) >= _SURE_PERSON:
        return True
    if place(piece, side, titled) + (0.0 if spaced else _MOST_PLACE) >= _SURE_PLACE:
        return True
    if is_organization(text, piece, side._replace(after="employees"), titled):
        return True
    if side.starts and len(piece) == 1 and is_acronym(text, piece[0], side):
        return True  # a label, if a colon follows
    listed = side._replace(after="who", mark_after=",", own=True)
    return not spaced and person(text, piece, listed, titled) + _INITIALS_FOLLOW >= _SURE_PERSON


_AT_WORK = frozenset({"at", "for", "by", "with", "from", "joined", "the", "bought", "left", "and"})


def _extended(text: str, piece: list[Token], closed: bool) -> int:
    """The end of a person's name with what may follow a comma: "Roe, J. R.", "Roe, Jr."."""
    end = piece[-1].end
    if end == len(text):
        if not closed:
            raise Undecided
        return end
    following = end + 1 + text.startswith(", ", end)
    if text[end] not in ", " or text[following : following + 1].islower():
        return end
    if not closed and _OPEN_SUFFIX.fullmatch(text, end, min(end + 7, len(text)), partial=True) and end + 7 > len(text):
        raise Undecided
    suffix = _SUFFIX.match(text, end, end + 10)
    if suffix:
        return suffix.end()
    if text.startswith((",", " ,"), end) and sum(t.sort == "C" for t in piece) == 1:
        if not closed and end + 15 > len(text) and _LISTED.fullmatch(text, end, partial=True):
            raise Undecided
        match = _LISTED.match(text, end, end + 14)
        if match:
            stop = match.end()
            if stop == len(text) and not closed:
                raise Undecided
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
    if not closed and len(text) < token.end + 40 and _OPEN_GIVEN.fullmatch(text, token.end, partial=True):
        raise Undecided
    match = _GIVEN.match(text, token.end)
    if match is None:
        return 0
    first = look_up(fold(match["word"]))
    ends = match.end() == len(text) or text[match.end()] in ";\n|)(.:" or token.shouted or bool(match["more"])
    return match.end() if first.given >= 2 and first.ordinary < 2 and ends else 0


_GIVEN_NAME = r", (?P<word>\p{Lu}[\p{L}\p{M}-]{1,24}+)(?P<more> \p{Lu}\.)?"
_OPEN_GIVEN = regex.compile(rf"{_GIVEN_NAME}[\s\S]?")
_GIVEN = regex.compile(rf"{_GIVEN_NAME}(?![\p{{L}}'’])")


@cache
def _idle() -> frozenset[str]:
    """Words that begin no name although a capital begins them."""
    found = {word for word in words.FUNCTION if not look_up(word).given}
    return frozenset(case for word in found for case in (word.capitalize(), word.upper()))


def _read(text: str, p: int, closed: bool) -> list[Name] | None:
    """The names at a position; None: not yet known."""
    end = text.find(" ", p, p + 16)
    if end > 0 and text[p:end].rstrip(",") in _idle():
        return []
    try:
        return names(text, p, closed)
    except Undecided:
        return None


_KEYS = ("names so far", "names")
_UNREAD: list[Name] = []


@dataclass(frozen=True, slots=True)
class Names:
    """Recogniser of one kind of name. What is read at a position is kept on its site for the next one that asks."""

    name: str
    entity: Entity
    first: str = "u"
    loose: bool = False
    plain: str = "u"

    def at(self, text: str, p: int, site: Site, closed: bool) -> int:
        kept = site.__dict__
        found: list[Name] | None = kept.get(_KEYS[closed], _UNREAD)
        if found is _UNREAD:
            found = kept[_KEYS[closed]] = _read(text, p, closed)
        if not found:
            return OPEN if found is None else NONE
        for name in found:
            if name.start == p and name.entity is self.entity:
                return name.end
        return NONE

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        return mark not in (" ", ",") or len(word) > 14 or word not in _idle()

    def begins(self, text: str, p: int, site: Site) -> bool:
        """Whether the text ends inside a name."""
        return self.at(text, p, site, True) == len(text)


PEOPLE: Sequence[Recognizer] = (Names("person", Entity.PERSON), LowercaseNames("small-person", Entity.PERSON, people))
PLACES: Sequence[Recognizer] = (Names("place", Entity.LOCATION), LowercaseNames("small-place", Entity.LOCATION, places))
ORGANIZATIONS: Sequence[Recognizer] = (Names("organization", Entity.ORGANIZATION),)
GROUPS: Sequence[Recognizer] = (Names("group", Entity.NRP), LowercaseNames("small-group", Entity.NRP, groups))
