"""Precision and recall of found spans: exact and overlapping, with the kinds that may stand for each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from reticent_detectors.entities import GENERAL


class Gold(NamedTuple):
    """A labelled or found piece of text: kind and character range, end exclusive."""

    kind: str
    start: int
    end: int


_GROUPS: tuple[frozenset[str], ...] = tuple(
    frozenset(group.split())
    for group in (
        "BANK_ACCOUNT IBAN_CODE",
        "DATE_TIME APPOINTMENT_DATE DATE_OF_BIRTH FLIGHT",
        "NATIONAL_ID TAX_ID US_SSN US_ITIN",
        "PERSON DOCTOR",
        "ORGANIZATION EMPLOYER HOSPITAL",
        "TRANSACTION_AMOUNT UTILITY_BILL",
        "PASSWORD SECRET_KEY PIN",
        "LOCATION ADDRESS",
    )
)
_ALONE = frozenset({"FLIGHT", "ADDRESS"})
"""Kinds that count for a member of their group, and for which no other kind counts: a date is not a whole flight."""


def accepted(kind: str) -> frozenset[str]:
    """Gives the kinds that count as found for a gold span of this kind."""
    if kind in _ALONE:
        return frozenset({kind})
    return frozenset({kind}).union(*(group for group in _GROUPS if kind in group))


@dataclass(slots=True)
class Tally:
    """Counts for one kind.

    Of gold spans: `exact` and `overlap` count those that a span of an accepted kind equals or touches.
    `same` counts those that a span of the very kind equals.
    Of spans: `found` counts all of the kind. `right_exact` and `right_overlap` count those that equal or touch a gold
    span which accepts them.
    """

    gold: int = 0
    exact: int = 0
    overlap: int = 0
    same: int = 0
    found: int = 0
    right_exact: int = 0
    right_overlap: int = 0

    def add(self, other: Tally) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def figures(self) -> dict[str, float | int | None]:
        """Recall, precision and F1; None where nothing was there to count."""
        out: dict[str, float | int | None] = {"gold": self.gold, "found": self.found}
        for way, hits, right in (
            ("exact", self.exact, self.right_exact),
            ("overlap", self.overlap, self.right_overlap),
        ):
            recall = hits / self.gold if self.gold else None
            precision = right / self.found if self.found else None
            out[f"{way} recall"] = recall
            out[f"{way} precision"] = precision
            out[f"{way} F1"] = f1(precision, recall)
        out["same kind, exact recall"] = self.same / self.gold if self.gold else None
        return out


def f1(precision: float | None, recall: float | None) -> float | None:
    """Harmonic mean; None if there is no gold, 0 if there is and nothing was found."""
    if recall is None:
        return None
    if not precision or not recall:
        return 0.0
    return 2 * precision * recall / (precision + recall)


@dataclass(slots=True)
class Score:
    """Tallies by kind over many texts.

    Args:
        counted: only found spans of these kinds are counted as found; None: all.
        ignored: gold kinds that are not scored, and make no span wrong that touches them.
    """

    counted: frozenset[str] | None = None
    ignored: frozenset[str] = frozenset()
    kinds: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))

    def add(self, gold: Sequence[Gold], found: Iterable[Gold], also: Iterable[Gold] = ()) -> None:
        """Counts one text; spans in `also` help recall and do no harm to precision.

        A right span belongs to the kind of its gold span: precision and recall then count the same spans.
        A wrong span belongs to its own kind.
        """
        spans, more = list(found), list(also)
        scored = [g for g in gold if g.kind not in self.ignored]
        for g in scored:
            fits = accepted(g.kind)
            own = [s for s in (*spans, *more) if s.start < g.end and g.start < s.end and s.kind in fits]
            equal = [s for s in own if (s.start, s.end) == (g.start, g.end)]
            tally = self.kinds[g.kind]
            tally.gold += 1
            tally.overlap += bool(own)
            tally.exact += bool(equal)
            tally.same += any(s.kind == g.kind for s in equal)
        for s in spans:
            met = [g for g in gold if s.start < g.end and g.start < s.end]
            right = [g for g in met if g.kind not in self.ignored and s.kind in accepted(g.kind)]
            if not right:
                if self.counted is not None and s.kind not in self.counted:
                    continue
                if any(g.kind in self.ignored for g in met):
                    continue
                self.kinds[s.kind].found += 1
                continue
            best = next((g for g in right if (g.start, g.end) == (s.start, s.end)), right[0])
            tally = self.kinds[best.kind]
            tally.found += 1
            tally.right_overlap += 1
            tally.right_exact += (best.start, best.end) == (s.start, s.end)

    def total(self, kinds: Iterable[str] | None = None) -> Tally:
        """Gives the sum over kinds (micro average)."""
        sum_ = Tally()
        for kind in self.kinds if kinds is None else kinds:
            if kind in self.kinds:
                sum_.add(self.kinds[kind])
        return sum_

    def figures(self) -> dict[str, dict[str, float | int | None]]:
        return {kind: self.kinds[kind].figures() for kind in sorted(self.kinds)}


GENERAL_NAMES: frozenset[str] = frozenset(map(str, GENERAL))


def without_general(found: Iterable[Gold], gold: Sequence[Gold]) -> list[Gold]:
    """Leaves out spans of general kinds (names, places, dates) that meet no gold span: prose is full of these."""
    return [s for s in found if s.kind not in GENERAL_NAMES or any(s.start < g.end and g.start < s.end for g in gold)]
