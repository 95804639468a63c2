"""Vectors of texts from a file, as a target that encodes just these texts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from reticent_bench.audits.input_lines import read_lines
from reticent_bench.audits.inversion.records import Record, Value, Vectors
from reticent_bench.audits.target import GREEDY, NotMeasurable, Prompt, Sampling
from reticent_detectors.errors import InputError

_FIELDS = ("text", "person", "values", "kinds")
ARRAY = "vectors"


def read_texts(file: Path) -> list[Record]:
    """Reads JSON lines with text, person, values (a list of texts) and if there are any kinds (a list as long).

    Each value is looked for behind the one before it, or else from the beginning.

    Raises:
        InputError: a line is no such object. The message gives its number and shows nothing of it.
    """
    records = []
    for number, line in enumerate(read_lines(file), 1):
        if line.strip():
            records.append(_record(line, f"{file}, line {number}"))
    if not records:
        raise InputError(f"{file} holds no text; expected JSON lines with {', '.join(_FIELDS)}.")
    return records


def _record(line: str, where: str) -> Record:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise InputError(f"{where}: expected a JSON object ({type(error).__name__}).") from None
    if not isinstance(row, dict) or not set(row) <= set(_FIELDS) or not {"text", "person"} <= set(row):
        raise InputError(f"{where}: expected an object with text, person, values and kinds.")
    values = row.get("values", [])
    kinds = row.get("kinds", ["value"] * len(values) if isinstance(values, list) else [])
    lists_fit = all(isinstance(each, list) and all(isinstance(text, str) for text in each) for each in (values, kinds))
    if not lists_fit or not isinstance(row["text"], str) or not row["text"] or not isinstance(row["person"], str):
        raise InputError(
            f"{where}: expected text and person as texts that are not empty, values and kinds as lists of texts."
        )
    if len(kinds) != len(values):
        raise InputError(f"{where}: expected a kind for each of {len(values)} values, got {len(kinds)}.")
    return Record(row["text"], row["person"], _placed(row["text"], values, kinds, where))


def _placed(text: str, values: list[str], kinds: list[str], where: str) -> tuple[Value, ...]:
    out, after = [], 0
    for number, (value, kind) in enumerate(zip(values, kinds, strict=True), 1):
        start = text.find(value, after) if text.find(value, after) >= 0 else text.find(value)
        if start < 0 or not value:
            raise InputError(f"{where}: value {number} is not in the text. Write it as it is there.")
        out.append(Value(kind, start, start + len(value)))
        after = start + len(value)
    return tuple(sorted(out, key=lambda each: each.start))


@dataclass
class VectorFile:
    """Vectors in the order of texts. A target that only encodes."""

    name: str
    vectors: Vectors
    scores_text: bool = False

    @classmethod
    def load(cls, file: Path, texts: int) -> VectorFile:
        """Reads an .npz file with an array `vectors` [texts, width], or with one array of any name.

        Raises:
            InputError: the file holds something else, another number of vectors, or numbers that are not finite.
        """
        try:
            with np.load(file, allow_pickle=False) as read:
                names = list(read.files)
                chosen = ARRAY if ARRAY in names else names[0] if len(names) == 1 else None
                array: Any = None if chosen is None else read[chosen]
        except (OSError, ValueError, AttributeError, EOFError) as error:
            raise InputError(f"{file} is no .npz file of arrays ({type(error).__name__}).") from None
        if array is None:
            raise InputError(f"{file}: expected an array {ARRAY!r}, got {len(names)} others. Save it under this name.")
        if array.ndim != 2 or len(array) != texts or not array.shape[1] or array.dtype.kind != "f":
            raise InputError(
                f"{file}: expected floats of shape [{texts}, width], one row a text, got {array.dtype} of shape "
                f"{list(array.shape)}."
            )
        if not np.isfinite(array).all():
            raise InputError(f"{file} holds numbers that are not finite. Remove these rows and their texts.")
        return cls(file.name, array.astype(np.float32))

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The vectors; the texts are those that they were read for."""
        if len(texts) != len(self.vectors):
            raise InputError(f"Expected {len(self.vectors)} texts, got {len(texts)}.")
        return self.vectors

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> NoReturn:
        """Refused."""
        raise NotMeasurable("A file of vectors answers nothing. Audit a folder.")

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> NoReturn:
        """Refused."""
        raise NotMeasurable("A file of vectors scores no text. Audit a folder.")
