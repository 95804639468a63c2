"""Reads and writes a collection's index, `shards.json`: settings, feature shapes, parts, cursor, and their digest."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reticent_detectors.errors import ShardError

FORMAT = 1
INDEX = "shards.json"


def canonical(content: Mapping[str, Any]) -> bytes:
    """Encodes JSON with sorted keys and without spaces, for a digest."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def _seal(content: Mapping[str, Any]) -> dict[str, Any]:
    return {**content, "digest": hashlib.sha256(canonical(content)).hexdigest()}


def _write_atomically(path: Path, data: bytes) -> None:
    temporary = path.with_name(path.name + ".tmp")
    with open(temporary, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def stored_cursor(folder: str | os.PathLike[str], settings: Mapping[str, Any]) -> Any:
    """Returns the cursor from which a `ShardWriter` would continue; None if the folder has no index.

    Raises ShardError for a collection with other settings.
    """
    if not (Path(folder) / INDEX).exists():
        return None
    return read_index(Path(folder), json.loads(canonical(settings)))["cursor"]


def read_index(folder: Path, settings: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Returns the index of a folder. Raises ShardError if it is missing or damaged, or has other `settings`."""
    path = folder / INDEX
    try:
        index = json.loads(path.read_bytes())
        digest = index.pop("digest")
    except FileNotFoundError:
        raise ShardError(f"{path} is missing; expected a folder written by `reticent collect`") from None
    except (ValueError, KeyError, AttributeError, TypeError):
        raise ShardError(f"{path} is cut short or was edited; delete the folder and collect again") from None
    if index.get("format") != FORMAT:
        raise ShardError(
            f"{path} has format {index.get('format')!r}, expected {FORMAT}; collect again with this version"
        )
    if hashlib.sha256(canonical(index)).hexdigest() != digest:
        raise ShardError(f"{path} was edited: its digest does not fit; delete the folder and collect again")
    if settings is not None and (differing := differences(index["settings"], settings)):
        raise ShardError(
            f"{folder} was collected with other settings ({differing}); choose another folder or delete it"
        )
    return dict(index)


def differences(expected: Mapping[str, Any], got: Mapping[str, Any]) -> str:
    """Describes the entries in which two mappings differ; empty if they are equal."""
    names = sorted(name for name in {*expected, *got} if expected.get(name) != got.get(name))
    return "; ".join(f"{name}: was {expected.get(name)!r}, now {got.get(name)!r}" for name in names)


def write_index(folder: Path, index: Mapping[str, Any]) -> None:
    """Adds the digest to the index, and replaces `shards.json` atomically."""
    data = json.dumps(_seal(index), indent=1, sort_keys=True, allow_nan=False).encode()
    _write_atomically(folder / INDEX, data)
