"""Organisations, places and groups that the lists have."""

from __future__ import annotations

import re
from functools import cache

from reticent_detectors.entities import Entity
from reticent_detectors.finder.names import name_words as words
from reticent_detectors.finder.names.capitalised_words import Token, starts_sentence
from reticent_detectors.finder.names_data import known_words, look_up


def named_by_list(text: str, run: list[Token]) -> tuple[int, int, Entity | None] | None:
    """Gives (first, last, kind) of an organisation or a place that the lists have, the longest first."""
    heads = _first_words()
    for size in range(min(4, len(run)), 0, -1):
        for first in range(len(run) - size + 1):
            if size > 1 and run[first].folded.rstrip(".") not in heads:
                continue
            part = run[first : first + size]
            if part[0].sort == "P" or part[-1].sort == "P":
                continue
            name = " ".join(t.folded for t in part)
            if name in words.ORGANIZATIONS and (size > 1 or _sure_organization(run, first)):
                return first, first + size, Entity.ORGANIZATION
            if size > 1:
                place = look_up(_SAINT.sub("saint ", name)).place
                if (
                    place
                    and not (place < 3 and _like_person(run, first, size))
                    and not (size < len(run) and run[0].known.given > 1 and place < 3)
                ):
                    return first, first + size, Entity.LOCATION
            elif part[0].folded in words.GROUPS and _is_group(text, run, first):
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


def _sure_organization(run: list[Token], i: int) -> bool:
    known = run[i].known
    if len(run) > 1 and (known.family or known.given or known.ordinary):
        return False
    if run[i].shouted:
        return True
    if i > 0 and run[i - 1].known.given and run[i - 1].known.ordinary < 2:
        return False
    doubtful = known.ordinary >= 1 or known.given >= 2 or known.family >= 1 or known.place >= 2
    return not doubtful


def _is_group(text: str, run: list[Token], i: int) -> bool:
    token = run[i]
    following = run[i + 1].known if i + 1 < len(run) and run[i + 1].sort == "C" else None
    if token.known.given >= 2 and following and following.ordinary < 2 and (following.family or not any(following)):
        return False
    if i > 0 and run[i - 1].known.given >= 2 and token.known.family >= 1 and run[i - 1].folded not in words.TITLES:
        return False
    if token.folded in words.BROAD_GROUPS and starts_sentence(text, token.start):
        return False
    return not text[max(0, token.start - 4) : token.start].endswith(("in ", "In ")) or i + 1 < len(run)
