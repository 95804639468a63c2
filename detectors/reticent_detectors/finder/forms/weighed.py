"""Which of the values that may begin at a place is the better one: by its label or form, and by its length."""

from __future__ import annotations

from typing import NamedTuple

from reticent_detectors.finder.forms.named import Strength


class Match(NamedTuple):
    """A value that may be: how much speaks for it, and where it ends."""

    weight: float
    end: int
    kind: str


SURE, CHECKED, FREE = 5.0, 2.6, 2.5
"""Weights of values that need no label: above any label, with a check, and without one."""
WEIGHTS = {Strength.TIGHT: 4.0, Strength.LOOSE: 3.0, Strength.NEAR: 2.0, Strength.ASKED: 1.0}
_FURTHER_CHARS = 3


def goes_further(free: Match | None, named: Match) -> bool:
    """Tell whether a value without a label goes on over more words than what a label says stands at its beginning."""
    return free is not None and free.weight == FREE and free.end > named.end + _FURTHER_CHARS


def better(one: Match | None, other: Match) -> Match:
    """Return the one with more weight, then the longer; of one kind the longer."""
    if one is None or (one.kind == other.kind and one.end != other.end):
        return other if one is None or other.end > one.end else one
    return other if (other.weight, other.end) > (one.weight, one.end) else one
