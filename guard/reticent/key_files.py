"""Keys in files: of records indexes and of decision logs."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from reticent_detectors.errors import InputError

LEAST_KEY_BYTES, MOST_KEY_BYTES = 16, 64
"""How long a key may be: BLAKE2b takes no more."""


def read_key(path: str | PathLike[str]) -> bytes:
    """The key in a file of 32 to 128 hexadecimal digits, such as `openssl rand -hex 32` and `reticent index` write.

    Raises:
        InputError: no such file, or no key of 16 to 64 bytes in it.
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
    """Whether a key is as long as it has to be."""
    return LEAST_KEY_BYTES <= len(key) <= MOST_KEY_BYTES
