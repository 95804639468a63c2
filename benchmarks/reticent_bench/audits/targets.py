"""All that an audit asks: the columns of its report, and the models beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from reticent_bench.audits.target import Target

T = TypeVar("T")


@dataclass(frozen=True)
class Column:
    """A target as a column of the report, with a token counter, and what the report says of the column."""

    target: Target
    count_tokens: Callable[[str], int]
    note: str = ""


class OtherModels(NamedTuple):
    """Models that an audit asks besides the target.

    Those before private tuning and of another training; what proposes queries, and what judges findings.
    """

    base: Target | None = None
    reference: Target | None = None
    reflection: Target | None = None
    judge: Target | None = None


@dataclass(frozen=True)
class Targets:
    """All that an audit may ask: the columns by name, and the models of `OtherModels` that were given."""

    columns: dict[str, Column]
    base: Column | None = None
    reference: Column | None = None
    reflection: Column | None = None
    judge: Column | None = None

    def mapped(self, wrap: Callable[[Column], Target]) -> tuple[dict[str, Target], OtherModels]:
        """Each target wrapped, by column; and the other models."""
        given = (self.base, self.reference, self.reflection, self.judge)
        others = (None if each is None else wrap(each) for each in given)
        return {name: wrap(each) for name, each in self.columns.items()}, OtherModels(*others)


def off_and_guards(columns: Mapping[str, T]) -> tuple[T, dict[str, T]]:
    """The column without a guard, and the guarded ones by name, which are compared with it. One alone is the first."""
    first = next(iter(columns))
    return columns[first], {name: each for name, each in columns.items() if name != first}
