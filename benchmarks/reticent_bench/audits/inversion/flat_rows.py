"""Turns what the guard exposes or keeps, as JSON, into vectors of one size.

Numbers and flags stay numbers. Texts are categories: those that the attacker's side has seen get a number each. Lists
are read item by item, up to a bound. Names of fields are paths, such as `spans.0.probability`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reticent_bench.audits.inversion.records import Vectors

Row = Mapping[str, Any]
MOST_ITEMS = 4
"""Items of a list that are read; its length is read, too."""
MOST_CATEGORIES = 64
"""Different texts of a field that get a number; the rarest share one."""


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every number, flag and text in a JSON value, with its path. None is left out."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from leaves(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list | tuple):
        yield f"{path}.count", len(value)
        for place, inner in enumerate(value[:MOST_ITEMS]):
            yield from leaves(inner, f"{path}.{place}")
    elif value is not None:
        yield path, value


@dataclass(frozen=True)
class Columns:
    """Which paths are numbers, and which texts of which paths are categories; learned from the attacker's side."""

    numbers: tuple[str, ...]
    categories: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, rows: Sequence[Row], left_out: frozenset[str] = frozenset()) -> Columns:
        """Learns the columns.

        Args:
            rows: of the attacker's side.
            left_out: last parts of paths that are drawn at random for each answer.
        """
        numbers: set[str] = set()
        texts: dict[str, Counter[str]] = {}
        for row in rows:
            for path, leaf in leaves(row):
                if path.rsplit(".", 1)[-1] in left_out:
                    continue
                if isinstance(leaf, str):
                    texts.setdefault(path, Counter())[leaf] += 1
                else:
                    numbers.add(path)
        categories = [(path, text) for path, seen in texts.items() for text, _ in seen.most_common(MOST_CATEGORIES)]
        return cls(tuple(sorted(numbers)), tuple(sorted(categories)))

    def vectors(self, rows: Sequence[Row]) -> Vectors:
        """The rows as vectors [rows, columns]; a number that is missing is 0, and a flag beside it says so."""
        number = {path: place for place, path in enumerate(self.numbers)}
        category = {pair: 2 * len(number) + place for place, pair in enumerate(self.categories)}
        out = np.zeros((len(rows), 2 * len(number) + len(category)), np.float64)
        for row, content in enumerate(rows):
            for path, leaf in leaves(content):
                if isinstance(leaf, str):
                    if (path, leaf) in category:
                        out[row, category[path, leaf]] = 1
                elif path in number:
                    out[row, number[path]] = float(leaf)
                    out[row, len(number) + number[path]] = 1
        return np.nan_to_num(out).astype(np.float32)


def scaled(attack: Vectors, test: Vectors) -> tuple[Vectors, Vectors]:
    """Scales both sides to mean 0 and deviation 1 on the attacker's rows, and cuts them at 5 deviations.

    Columns that do not vary are dropped.
    """
    mean, deviation = attack.mean(0), attack.std(0)
    varies = deviation > 1e-6
    a, t = (np.clip((side[:, varies] - mean[varies]) / deviation[varies], -5, 5) for side in (attack, test))
    return a.astype(np.float32), t.astype(np.float32)
