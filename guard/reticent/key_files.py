"""Reads the keys of records indexes and decision logs from files."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from reticent_detectors.errors import InputError

LEAST_KEY_BYTES, MOST_KEY_BYTES = 16, 64
"""Least and most bytes of a key. BLAKE2b takes no more."""


def read_key(path: str | PathLike[str]) -> bytes:
    """Reads a key from a file of 32 to 128 hexadecimal digits, as `openssl rand -hex 32` and `reticent index` write it.

    Raises:
        InputError: the file cannot be read, or holds no key of 16 to 64 bytes.
    """
    name = str(Path(path))
    try:
        key = bytes.fromhex(Path(path).read_text("ascii").strip())
    except OSError as error:
        raise InputError(f"Cannot read a key from {name!r} ({error.strerror}).") from None
    except ValueError:
        key = b""
    if not is_key(key):
        raise InputError(
            f"{name!r} holds no key: expected {LEAST_KEY_BYTES} to {MOST_KEY_BYTES} bytes as hexadecimal digits "
            "(openssl rand -hex 32)."
        )
    return key


def is_key(key: bytes) -> bool:
    """Says whether a key has an allowed length."""
    return LEAST_KEY_BYTES <= len(key) <= MOST_KEY_BYTES
