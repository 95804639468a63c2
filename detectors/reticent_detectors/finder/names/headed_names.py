"""Names that a word of their own gives the kind of: "University of Leeds", "Lake Como", "Nobel Prize"."""

from __future__ import annotations

from reticent_detectors.entities import Entity
from reticent_detectors.finder.names import name_words as words
from reticent_detectors.finder.names.capitalised_words import Token


def named_by_head(run: list[Token]) -> tuple[int, int, Entity | None] | None:
    """Gives (first, last, kind) of what a word of its own names: "University of Leeds", "Lake Como", "Nobel Prize"."""
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
