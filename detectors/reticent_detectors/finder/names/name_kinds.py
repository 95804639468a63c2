"""What a piece of capitalised words names by all that speaks for it: a person, a place, an organisation, or nothing."""

from __future__ import annotations

from reticent_detectors.entities import Entity
from reticent_detectors.finder.names import name_words as words
from reticent_detectors.finder.names.capitalised_words import Token, Undecided
from reticent_detectors.finder.names.name_edges import trimmed, without_noun
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

_SURE_PERSON, _SURE_PLACE = 1.75, 1.8
_FAIR = 1.6  # an organisation's name sounds no more like a person's or a place's
_MOST_PLACE = 0.9  # for a place, of what stands behind


def add_name(text: str, piece: list[Token], titled: bool, closed: bool, found: list[Name]) -> None:
    """Adds what a piece without heads and titles names: a person, a place, an organisation, or nothing."""
    while piece and piece[0].sort == "P":
        piece = piece[1:]
    while piece and piece[-1].sort == "P":
        piece = piece[:-1]
    if not piece:
        return
    piece = trimmed(text, without_noun(text, piece), titled)
    side = left_of(text, piece[0].start)
    whole = with_right(side, text, piece[-1].end, closed)
    if whole is not None:
        side = whole
    elif _possible(text, piece, side, titled):
        raise Undecided
    for_person, for_place = person(text, piece, side, titled), place(piece, side, titled)
    if for_person >= _SURE_PERSON and for_person >= for_place:
        found.append(Name(piece[0].start, piece[-1].end, Entity.PERSON))
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
    return not spaced and person(text, piece, listed, titled) >= _SURE_PERSON


_AT_WORK = frozenset({"at", "for", "by", "with", "from", "joined", "the", "bought", "left", "and"})
