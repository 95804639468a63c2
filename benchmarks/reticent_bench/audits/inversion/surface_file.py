"""What attackers see of the guard's surfaces, kept in the folder of a run: numbers and keyed hashes, no text.

Surfaces hold the guard's times, so a host that is asked again gives others. An interrupted run must continue with
the surfaces that its first trainings saw.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from reticent_bench.audits.inversion.records import Keys, Vectors
from reticent_detectors.errors import InputError

FILE = "surfaces.npz"
_KEYS = "keys"


class Surfaces(NamedTuple):
    """By surface, a vector for each text; and the keyed hashes of each text's values by the values' places."""

    vectors: dict[str, Vectors]
    keys: Keys


def kept(file: Path, texts: int, read: Callable[[], Surfaces]) -> Surfaces:
    """What a file holds of so many texts, or what is read and written to it whole, readable by its owner only.

    Raises:
        InputError: the file holds something else, or surfaces of other texts.
    """
    if not file.exists():
        _write(file, read())
    return _read(file, texts)


def _write(file: Path, surfaces: Surfaces) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    rows = json.dumps([{str(place): key for place, key in row.items()} for row in surfaces.keys])
    temporary = file.with_suffix(".tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        np.savez_compressed(stream, **{_KEYS: np.array(rows)}, **surfaces.vectors)  # type: ignore[arg-type]
    temporary.replace(file)


def _read(file: Path, texts: int) -> Surfaces:
    try:
        # A file that numpy opens itself is left open where its end is missing.
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            vectors = {name: stored[name] for name in stored.files if name != _KEYS}
            keys = [{int(place): str(key) for place, key in row.items()} for row in json.loads(str(stored[_KEYS]))]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, AttributeError) as error:
        raise InputError(f"{file} holds no surfaces ({type(error).__name__}); choose another --out.") from None
    if {len(keys), *map(len, vectors.values())} != {texts}:
        raise InputError(f"{file} holds the surfaces of other answers than the host gives now; choose another --out.")
    return Surfaces(vectors, keys)
