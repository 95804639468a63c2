"""Indexes the values of training records as keyed hashes of every spelling, and reads the files that hold them.

The names below are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reticent.lazy_names import lazy_name

if TYPE_CHECKING:
    from reticent.key_files import read_key, write_key
    from reticent.records.index import KEY_BYTES, RecordsIndex

_HOMES = {
    "KEY_BYTES": "reticent.records.index",
    "RecordsIndex": "reticent.records.index",
    "read_key": "reticent.key_files",
    "write_key": "reticent.key_files",
}

__all__ = [
    "KEY_BYTES",
    "RecordsIndex",
    "read_key",
    "write_key",
]


def __getattr__(name: str) -> object:
    return lazy_name(__name__, _HOMES, name)


def __dir__() -> list[str]:
    return sorted(__all__)
