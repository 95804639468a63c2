"""Leaked values in their lines, kept by one audit for the feature library of the next (section 5).

The file holds values as they are. It is readable by its owner only.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np

from reticent_bench.audits.code.attributes import ATTRIBUTES
from reticent_bench.audits.code.corpus_index import CorpusIndex
from reticent_bench.audits.code.feature_library import (
    HASHED_N_GRAMS,
    FeatureEncoder,
    FeatureLibrary,
    Instance,
    library_of,
    pieces,
    pseudo_nll,
)
from reticent_bench.audits.input_lines import read_lines
from reticent_bench.audits.resumable_attempts import Attempt, writing
from reticent_bench.audits.target import Target
from reticent_detectors.errors import InputError

LEAKS_FILE = "leaks.jsonl"
_FIELDS = tuple(field.name for field in fields(Instance))
_UNSCORED = -1.0
"""In an outcome, which holds finite numbers alone, the pseudo-NLL of a piece that no token scores."""


def keep_instance(file: Path, instance: Instance) -> None:
    """Appends an instance as a line of JSON, to a file of mode 0600.

    Raises:
        InputError: the file cannot be written.
    """
    with writing(file.parent):
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8") as lines:
            lines.write(json.dumps(asdict(instance)) + "\n")


def read_instances(file: Path) -> list[Instance]:
    """Reads what `keep_instance` wrote; equal instances count once.

    Raises:
        InputError: a line is no such object. The message gives its number and shows nothing of it.
    """
    found = dict.fromkeys(
        _instance(line, f"{file}, line {number}") for number, line in enumerate(read_lines(file), 1) if line.strip()
    )
    if not found:
        raise InputError(f"{file} holds no value; expected JSON lines with {', '.join(_FIELDS)}.")
    return list(found)


def library_from(
    instances: Sequence[Instance],
    target: Target,
    attempt: Attempt,
    index: CorpusIndex,
    encoder: FeatureEncoder = HASHED_N_GRAMS,
) -> FeatureLibrary:
    """Builds the library of instances by the likelihoods of their pieces, which `attempt` keeps.

    Args:
        instances: leaked values in their lines.
        target: scores the pieces.
        attempt: keeps the likelihoods; they are not asked for again.
        index: its key hides the instances in the attempt's key.
        encoder: embeds the features.

    Raises:
        NotMeasurable: the target does not score text.
    """
    texts = [instance.text for instance in instances]

    def ask() -> dict[str, Any]:
        scored = np.concatenate(pseudo_nll(texts, target))
        return {"nll": [float(value) if np.isfinite(value) else _UNSCORED for value in scored]}

    kept = np.array(attempt(f"code/library/{index.digest(repr(texts))[:16]}", ask)["nll"], dtype=np.float64)
    kept[kept == _UNSCORED] = np.inf
    ends = np.cumsum([len(pieces(text)) for text in texts])
    return library_of(instances, np.split(kept, ends[:-1]), encoder)


def _instance(line: str, where: str) -> Instance:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise InputError(f"{where}: expected a JSON object ({type(error).__name__}).") from None
    if not isinstance(row, dict) or set(row) != set(_FIELDS):
        raise InputError(f"{where}: expected an object with exactly {', '.join(_FIELDS)}.")
    if row["attribute_key"] not in ATTRIBUTES:
        raise InputError(f"{where}: expected an attribute_key of {', '.join(ATTRIBUTES)}.")
    is_placed = isinstance(row["text"], str) and type(row["start"]) is type(row["end"]) is int
    if not is_placed or not 0 <= row["start"] < row["end"] <= len(row["text"]):
        raise InputError(f"{where}: expected a text, and start and end of a value in it.")
    return Instance(**row)
