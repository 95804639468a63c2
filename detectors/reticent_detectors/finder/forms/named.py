"""What a label names, and how surely: by what stands between it and the value."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import NamedTuple

_FAR_WORDS = 8


class Strength(IntEnum):
    """How surely something names a value's kind.

    ASKED: the question alone. NEAR: a label stands in the same sentence. LOOSE: it leads to the value, with other words
    between ("the number of Ana Ruiz is"). TIGHT: nothing but small words stands between.
    """

    ASKED = 1
    NEAR = 2
    LOOSE = 3
    TIGHT = 4


class Sort(IntEnum):
    """What a wording is: a label, or a verb that leads to a value.

    BOTH is a label that leads to it over a preposition, too ("her appointment with the dentist on"). BESIDE is one that
    says little unless it stands directly before ("order RX-118"), WEAK one that also needs a colon or "is" ("code: ").
    """

    LABEL = 0
    BOTH = 1
    BESIDE = 2
    WEAK = 3
    VERB = 4


class Named(NamedTuple):
    """Kinds that a label names, each with its sort, and how surely.

    Attributes:
        marked: whether a colon or the like follows.
        ends: marks at which a value without blanks ends.
    """

    kinds: Mapping[str, Sort]
    strength: Strength
    marked: bool = False
    ends: str = ""

    @property
    def counts(self) -> bool:
        """Tell whether it names any kind surely enough."""
        return any(self.strength_of(kind) is not None for kind in self.kinds)

    def strength_of(self, kind: str) -> Strength | None:
        """Return how surely it names this kind; None if not."""
        sort = self.kinds.get(kind)
        if sort in (Sort.WEAK, Sort.BESIDE) and (
            self.strength < Strength.TIGHT or (sort is Sort.WEAK and not self.marked)
        ):
            return None
        return None if sort is None else self.strength


NOBODY = "NOBODY"
"""What `NOBODY.yaml` names: versions, pages, ports and the like, which are no values of any kind."""
OF_NOBODY = frozenset([NOBODY])
"""Of these a label counts only directly before a number: "page 12", and not "on the page is"."""


def classified(
    found: tuple[Mapping[str, Sort], int],
    others: int,
    figures: int,
    marked: bool,
    linked: bool,
    prepositional: bool,
    broken: bool,
    comma: bool,
    headed: bool,
) -> Named | None:
    """Return what a label names that `others` words, `figures` numbers among them, set apart from the value."""
    kinds, first = found
    verb = all(sort is Sort.VERB for sort in kinds.values())
    if headed:
        plain = not others and (first == 0 or marked or linked)
        return Named(kinds, Strength.TIGHT, True) if plain else None
    if verb:
        if broken or figures or others > _FAR_WORDS:
            return Named(kinds, Strength.NEAR)
        if not (prepositional or marked or linked):
            return Named(kinds, Strength.NEAR)
        return Named(kinds, Strength.LOOSE, marked)
    if not others and OF_NOBODY.issuperset(kinds) and (prepositional or (linked and not marked)):
        return None
    if not others:
        return Named(kinds, Strength.LOOSE if comma and not (marked or linked) else Strength.TIGHT, marked or linked)
    if figures or broken:
        return Named(kinds, Strength.NEAR)
    if prepositional and others <= _FAR_WORDS and any(sort is Sort.BOTH for sort in kinds.values()):
        return Named(kinds, Strength.LOOSE)
    return Named(kinds, Strength.LOOSE if marked or linked else Strength.NEAR)
