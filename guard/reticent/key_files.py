"""Reads the keys of records indexes and decision logs from files, and writes them; replaces files as a whole."""

from __future__ import annotations

import os
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


def key_file_of(path: Path, given: str | PathLike[str] | None = None) -> Path:
    """Gives the file of the key of an index or a store: the given one, or by default its own name with `.key`."""
    return path.with_suffix(".key") if given is None else Path(given)


def is_key(key: bytes) -> bool:
    """Says whether a key has an allowed length."""
    return LEAST_KEY_BYTES <= len(key) <= MOST_KEY_BYTES


def write_key(path: str | PathLike[str], key: bytes) -> None:
    """Writes a key to a new file that only its owner may read (mode 0600).

    Raises:
        FileExistsError: the file exists already. A key is never overwritten.
        InputError: the key does not have 16 to 64 bytes.
    """
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(checked_key(key).hex() + "\n")
        file.flush()
        os.fsync(file.fileno())


def checked_key(key: bytes) -> bytes:
    """Gives a key of an allowed length. Raises InputError."""
    if not is_key(key):
        raise InputError(
            f"A key of records has {LEAST_KEY_BYTES} to {MOST_KEY_BYTES} random bytes, got {len(key)}; "
            "'reticent index' makes one."
        )
    return bytes(key)


def replace_file(path: Path, *pieces: bytes | memoryview) -> None:
    """Writes a file beside the path first, and then puts it in place at once."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
