"""What a tagger's teacher said of unmarked texts, in a file: training a teacher is long, and students are many."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reticent_bench.real_answers.marked import Marked

LEAST = 0.004
"""Smaller probabilities of a value's tag are not written."""
Probabilities = list[NDArray[np.float16]]


def marks_file(folder: Path, marked: Sequence[Marked], unmarked: Sequence[Marked], epochs: int) -> Path:
    """Where the probabilities stand that a teacher of these marked texts gives to words of these unmarked ones.

    Args:
        epochs: that the teacher read the marked texts.
    """
    digest = hashlib.sha256()
    for text in marked:
        gold = [(span.kind, span.start, span.end) for span in text.gold]
        digest.update(json.dumps([text.question, text.left, text.text, gold]).encode())
    digest.update(json.dumps(["unmarked", epochs]).encode())
    for text in unmarked:
        digest.update(json.dumps([text.question, text.text]).encode())
    return folder / f"{digest.hexdigest()[:16]}.npz"


def write_marks(said: Sequence[NDArray[np.float16]], file: Path) -> None:
    """Writes each text's probabilities [N, 1 + 2K], those of values alone."""
    rows = np.concatenate(said)
    word, tag = np.nonzero(rows[:, 1:] >= LEAST)
    file.parent.mkdir(parents=True, exist_ok=True)
    half_written = file.with_suffix(".half")
    with half_written.open("wb") as target:
        np.savez_compressed(
            target, words=np.array([len(each) for each in said], np.int32), tags=np.int32(rows.shape[1]),
            word=word.astype(np.int32), tag=(tag + 1).astype(np.int16), probability=rows[word, tag + 1],
        )  # fmt: skip
    half_written.replace(file)


def read_marks(file: Path) -> Probabilities:
    """The probabilities that `write_marks` wrote; no value has what is missing to one."""
    with np.load(file) as kept:
        words = kept["words"]
        rows = np.zeros((int(words.sum()), int(kept["tags"])), np.float16)
        rows[kept["word"], kept["tag"]] = kept["probability"]
    rows[:, 0] = np.maximum(0, 1 - rows[:, 1:].sum(1, dtype=np.float32))
    return np.split(rows, np.cumsum(words)[:-1])
