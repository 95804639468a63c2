"""Indexes the values of training records as keyed hashes of every spelling, and reads the files that hold them.

The names below are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reticent.records.index import KEY_BYTES, RecordsIndex, read_key, write_key

_HOMES = {
    "KEY_BYTES": "reticent.records.index",
    "RecordsIndex": "reticent.records.index",
    "read_key": "reticent.records.index",
    "write_key": "reticent.records.index",
}

__all__ = [
    "KEY_BYTES",
    "RecordsIndex",
    "read_key",
    "write_key",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
