"""Reads a file of people: JSON lines, or a table with a header as `reticent index` takes it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

from reticent_bench.audits.input_lines import read_lines
from reticent_detectors.errors import InputError

FIELDS = ("name", "email", "phone", "company", "language", "planted", "email_prefix", "phone_prefix")
_TABLES = frozenset({".csv", ".tsv"})
_DELIMITERS = ",;\t|"
_PLANTED = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def read_rows(file: Path) -> Iterator[tuple[int, bool, dict[str, str]]]:
    """Yields line, planted and the other fields of each person, without empty ones.

    A name that ends with `.csv` or `.tsv` is of a table, which is UTF-8, with fields of `FIELDS` as its header.

    Raises:
        InputError: a line is no person. The message gives its number and shows nothing of it.
    """
    return _table(file) if file.suffix.casefold() in _TABLES else _json_lines(file)


def _json_lines(file: Path) -> Iterator[tuple[int, bool, dict[str, str]]]:
    for number, line in enumerate(read_lines(file), 1):
        if not line.strip():
            continue
        where = f"{file}, line {number}"
        try:
            row = json.loads(line)
        except ValueError as error:
            raise InputError(f"{where}: expected a JSON object ({type(error).__name__}).") from None
        if not isinstance(row, dict) or not set(row) <= set(FIELDS) or not isinstance(row.get("planted"), bool):
            raise InputError(
                f"{where}: expected an object with planted (true or false) and fields of {', '.join(FIELDS)}."
            )
        planted = row.pop("planted")
        if not all(isinstance(value, str) for value in row.values()):
            raise InputError(f"{where}: expected text in all fields but planted.")
        yield number, planted, {name: value for name, value in row.items() if value}


def _table(file: Path) -> Iterator[tuple[int, bool, dict[str, str]]]:
    text = "\n".join(read_lines(file)).removeprefix("\ufeff")
    head = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(_DELIMITERS, key=head.count), strict=True)
    names: list[str] | None = None
    begin = 1
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise InputError(
                f"{file}, line {begin}: no CSV ({type(error).__name__}): check its quotation marks."
            ) from None
        if names is None:
            names = [name.strip().casefold() for name in row or ()]
            if "planted" not in names or not set(names) <= set(FIELDS) or len(set(names)) < len(names):
                raise InputError(f"{file}, line 1: expected a header with planted and fields of {', '.join(FIELDS)}.")
        elif row is None:
            return
        elif row:
            fields = {name: value for name, value in zip(names, row, strict=False) if value}
            planted = _PLANTED.get(fields.pop("planted", "").strip().casefold())
            if len(row) != len(names) or planted is None:
                raise InputError(
                    f"{file}, line {begin}: expected {len(names)} fields, and true or false as planted; "
                    f"got {len(row)} fields."
                )
            yield begin, planted, fields
        begin = reader.line_num + 1
