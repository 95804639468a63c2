"""Texts with class labels, and random halves of them: what classifiers are trained on and audited with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reticent_bench.audits.input_lines import read_lines
from reticent_detectors.errors import InputError

FEWEST = 20
"""Different texts that a data set needs: ten on each side."""


@dataclass(frozen=True, slots=True)
class LabelledTexts:
    """Different texts, an even number of them, and the class of each.

    Attributes:
        texts: the texts.
        labels: index of each text's class in `classes` [texts].
        classes: names of the classes.
        repeated: lines left out because an earlier line has the same text. Such a text would be on both sides.
    """

    texts: tuple[str, ...]
    labels: tuple[int, ...]
    classes: tuple[str, ...]
    repeated: int = 0

    def __post_init__(self) -> None:
        if len(self.texts) != len(self.labels) or len(self.texts) % 2 or len(self.texts) < FEWEST:
            raise InputError(
                f"Expected a label a text and an even number of at least {FEWEST} different texts, got "
                f"{len(self.texts)} texts and {len(self.labels)} labels. Give more lines."
            )
        if len(self.classes) < 2 or not set(self.labels) <= set(range(len(self.classes))):
            raise InputError(f"Expected texts of at least two classes, got {len(self.classes)}. Check the labels.")

    def __repr__(self) -> str:
        return f"LabelledTexts({len(self.texts)} texts of {len(self.classes)} classes)"

    def __len__(self) -> int:
        return len(self.texts)

    def digest(self) -> str:
        """SHA-256 of texts, labels and classes."""
        content = json.dumps([self.texts, self.labels, self.classes])
        return hashlib.sha256(content.encode()).hexdigest()


def read_labelled(file: Path, most: int | None = None, seed: int = 0) -> LabelledTexts:
    """Reads JSON lines with text and label, in an order drawn by the seed.

    Args:
        file: lines with a text, and a label that is a string or an integer. Other fields are ignored.
        most: takes so many different texts at random, or all if None. One is left out where their number is odd.
        seed: of the order.

    Raises:
        InputError: a line is no such object. The message gives its number and shows nothing of it.
    """
    found: dict[str, str] = {}
    lines = 0
    for number, line in enumerate(read_lines(file), 1):
        if not line.strip():
            continue
        text, label = _row(line, f"{file}, line {number}")
        lines += 1
        found.setdefault(text, label)
    names = tuple(sorted(set(found.values())))
    order = np.random.default_rng([seed, 11]).permutation(len(found))
    kept = len(order) if most is None else min(most, len(order))
    texts = list(found)
    chosen = [texts[place] for place in order[: kept - kept % 2]]
    index = {name: place for place, name in enumerate(names)}
    labels = tuple(index[found[text]] for text in chosen)
    return LabelledTexts(tuple(chosen), labels, names, lines - len(found))


def _row(line: str, where: str) -> tuple[str, str]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise InputError(f"{where}: expected a JSON object ({type(error).__name__}).") from None
    if not isinstance(row, dict) or not {"text", "label"} <= row.keys():
        raise InputError(f"{where}: expected an object with text and label.")
    text, label = row["text"], row["label"]
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"{where}: text is empty or no string.")
    if isinstance(label, bool) or not isinstance(label, str | int):
        raise InputError(f"{where}: label is of another type; expected a string or an integer.")
    return text, str(label)


def complementary_halves(rows: int, sets: int, seed: int) -> NDArray[np.bool_]:
    """Random halves in pairs: the second of a pair holds exactly what the first leaves out [sets, rows].

    So every set has half of the rows, and every row is in half of the sets.

    Raises:
        InputError: one of the numbers is odd.
    """
    if rows % 2 or sets % 2:
        raise InputError(f"Expected even numbers of rows and of halves, got {rows} and {sets}.")
    out = np.zeros((sets, rows), dtype=np.bool_)
    for pair in range(0, sets, 2):
        chosen = np.random.default_rng([seed, 12, pair]).permutation(rows)[: rows // 2]
        out[pair, chosen] = True
        out[pair + 1] = ~out[pair]
    return out


def chosen(data: LabelledTexts, places: Sequence[int] | NDArray[np.int64]) -> tuple[list[str], list[int]]:
    """Texts and labels at some places."""
    return [data.texts[place] for place in places], [data.labels[place] for place in places]
