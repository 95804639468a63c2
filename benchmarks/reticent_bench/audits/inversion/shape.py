"""What the attacker knows who sees kinds, offsets and lengths alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reticent_bench.audits.inversion.records import Record, Vectors

MOST_VALUES = 4
"""Values of a text that are encoded; the others are counted."""


def shape_vectors(records: Sequence[Record], kinds: Sequence[str]) -> Vectors:
    """Number of characters and of values, and for each of the first values its kind, start, end and length.

    Args:
        records: texts with their values.
        kinds: what is encoded, one number each; other kinds share one more number.

    Returns:
        [texts, 2 + 4 * (kinds + 1 + 4)], not scaled. The last of the four says that the value is there.
    """
    place = {kind: number for number, kind in enumerate(kinds)}
    width = len(kinds) + 1 + 4
    out = np.zeros((len(records), 2 + MOST_VALUES * width), np.float32)
    for row, record in enumerate(records):
        out[row, :2] = len(record.text), len(record.values)
        for number, value in enumerate(record.values[:MOST_VALUES]):
            first = 2 + number * width
            out[row, first + place.get(value.kind, len(kinds))] = 1
            out[row, first + len(kinds) + 1 : first + width] = value.start, value.end, value.end - value.start, 1
    return out


def kinds_of(records: Sequence[Record]) -> tuple[str, ...]:
    """All kinds of values, in order."""
    return tuple(sorted({value.kind for record in records for value in record.values}))
