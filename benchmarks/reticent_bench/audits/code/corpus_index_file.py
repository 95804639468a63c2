"""Stores a corpus index without values and paths: keyed hashes, numbers and flags alone."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np

from reticent_bench.audits.code.corpus_index import CorpusIndex, Hasher
from reticent_detectors.errors import InputError

_VERSION = 1
_NAMES = ("version", "check", "keys", "starts", "files", "records", "paths", "is_test", "record_digests")


def save_index(index: CorpusIndex, path: Path) -> None:
    """Writes an index to a file. The key is not written; paths are written as keyed digests."""
    hasher = index.hasher
    paths = [digest if _is_digest(digest) else hasher.digest(b"path", digest) for digest in index.paths]
    with path.open("wb") as file:
        np.savez_compressed(
            file,
            version=np.array(_VERSION),
            check=np.array(hasher.digest(b"check", "")),
            keys=index.keys,
            starts=index.starts,
            files=index.files,
            records=index.records,
            paths=np.array(paths, dtype="U16"),
            is_test=index.is_test,
            record_digests=np.array(index.record_digests, dtype="U16"),
        )


def load_index(path: Path, key: bytes) -> CorpusIndex:
    """Reads an index. Its `Hits.paths` are digests.

    Raises:
        InputError: the file is missing, damaged or of another version, or the key is another one.
    """
    hasher = Hasher(key)
    try:
        # A file that numpy opens itself is left open where its end is missing.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            found = {name: stored[name] for name in _NAMES}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise InputError(
            "expected the file of a corpus index, got one that is missing or damaged; build it again"
        ) from None
    if int(found["version"]) != _VERSION:
        raise InputError(f"the corpus index must have version {_VERSION}, got {int(found['version'])}; build it again")
    if str(found["check"]) != hasher.digest(b"check", ""):
        raise InputError("the corpus index was built with another key; pass the key that it was built with")
    return CorpusIndex(
        hasher,
        found["keys"].astype(np.uint64),
        found["starts"].astype(np.int64),
        found["files"].astype(np.uint32),
        found["records"].astype(np.uint32),
        [str(digest) for digest in found["paths"]],
        found["is_test"].astype(np.bool_),
        [str(digest) for digest in found["record_digests"]],
    )


def _is_digest(text: str) -> bool:
    return len(text) == 16 and all(char in "0123456789abcdef" for char in text)
