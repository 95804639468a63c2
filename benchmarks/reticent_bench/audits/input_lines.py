"""Reads the lines of an input file."""

from __future__ import annotations

from pathlib import Path

from reticent_detectors.errors import InputError


def read_lines(file: Path) -> list[str]:
    """The lines of a UTF-8 file. They end at line feeds alone: JSON may hold other line separators.

    Raises:
        InputError: the file is no UTF-8 text.
    """
    try:
        return file.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError:
        raise InputError(f"{file} is no UTF-8 text; save it in this encoding.") from None
