"""Reads the values of training records from CSV with a header, or from JSON Lines.

    file = RecordFile("patients.csv", {"mail": ("EMAIL_ADDRESS",)})
    index = RecordsIndex.build(file.values())

A column counts if it is mapped to entities, or if its name tells the entity (`column_names`). A field of an object
within an object is called `outer.inner`. It counts by its last name as well.

No message holds a value. A file without a header has values where the names of columns should be, so a column's name
that the caller did not give is shown only beside one that was understood, and if it looks like a name.

Not covered: JSON arrays over several lines, spreadsheets, compressed files, other encodings than UTF-8.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import chain
from os import PathLike
from pathlib import Path
from shlex import quote
from typing import Any, BinaryIO

from reticent.policy.checked_settings import nearest
from reticent.records.column_names import entity_of, is_shown
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError

_JSON_LINES = frozenset({".jsonl", ".ndjson", ".json"})
_DELIMITERS = (",", ";", "\t", "|")
_HINT = "Correct it, or leave such rows out with --skip-bad-rows."


def parse_columns(pairs: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Reads `column=ENTITY` pairs, and gives the entities of each column.

    Raises:
        InputError: a pair has no `=`, or names an unknown entity.
    """
    columns: dict[str, tuple[str, ...]] = {}
    for pair in pairs:
        column, equals, entity = pair.rpartition("=")
        if not equals or not column.strip():
            raise InputError(f"--column expects column=ENTITY, such as email=EMAIL_ADDRESS, got {pair!r}.")
        if entity not in Entity.__members__:
            raise InputError(f"Unknown entity {entity!r} for the column {column!r}.{nearest(entity, list(Entity))}")
        before = columns.get(column.strip(), ())
        columns[column.strip()] = before if entity in before else (*before, entity)
    return columns


class RecordFile:
    """Reads one file of records. Reading counts `rows`, `bad_rows` and `bytes_read`.

    It fills `names` with all columns, `found` with those mapped or understood, and `taken` with their entities.

    Args:
        path: a CSV file, or JSON Lines if the name ends in .jsonl, .ndjson or .json.
        columns: the entities of each mapped column. An empty tuple leaves a column out. Columns that the file does not
            have are no error here; `check_columns` reports them.
        delimiter: separates the fields of CSV. None takes the most frequent of comma, semicolon, tab and bar in the
            header.
        skip_bad_rows: counts rows that cannot be read, instead of raising.

    Raises:
        InputError: a CSV file has no header, has two columns of one name, or is not in UTF-8.
        OSError: the file cannot be opened.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        columns: Mapping[str, tuple[str, ...]],
        *,
        delimiter: str | None = None,
        skip_bad_rows: bool = False,
    ) -> None:
        self.path = Path(path)
        self.is_csv = self.path.suffix.casefold() not in _JSON_LINES
        self.size = self.path.stat().st_size
        self.rows = self.bad_rows = self.bytes_read = 0
        self.found: set[str] = set()
        self.names: set[str] = set()
        self.taken: dict[str, tuple[str, ...]] = {}
        self._columns = dict(columns)
        self._delimiter = delimiter
        self._skip = skip_bad_rows
        if self.is_csv:
            with self.path.open("rb") as file:
                self._header(file)

    def __repr__(self) -> str:
        return f"RecordFile({str(self.path)!r}, {self.rows} rows)"

    def values(self) -> Iterator[tuple[str, str]]:
        """Yields (entity, value) for every field that counts and is not empty.

        Raises:
            InputError: the file has no row, no column that counts, or a row that cannot be read, or is not in UTF-8.
        """
        with self.path.open("rb") as file:
            rows = self._csv_rows(file) if self.is_csv else self._json_rows(file)
            for row in rows:
                self.rows += 1
                self.bytes_read = file.tell()
                yield from ((entity, value) for entity, field in row if (value := field.strip()))
        if not self.rows:
            below = " below the header" if self.is_csv else ", one JSON object a line"
            raise InputError(f"{self.path} has no records; expected rows of values{below}.")
        self._check_any()

    def _check_any(self) -> None:
        if not self.found:
            check_columns(self._columns, [self])
            header = " If the first line is a record, put a header above it." if self.is_csv else ""
            raise InputError(
                f"{self.path}: none of its {len(self.names)} columns is mapped or has a name that tells what it holds. "
                f"Say which column holds what, such as --column e1=EMAIL_ADDRESS.{header} "
                f"Entities: {', '.join(sorted(Entity))}."
            )

    def _entities(self, name: str) -> tuple[str, ...]:
        """Gives the entities of a column, and notes that the column was seen."""
        self.names.add(name)
        if name in self._columns:
            entities = self._columns[name]
        else:
            own = entity_of(name)
            entities = () if own is None else (str(own),)
        if entities or name in self._columns:
            self.found.add(name)
        if entities:
            self.taken[name] = entities
        return entities

    @property
    def left(self) -> list[str]:
        """Gives the columns that are not taken, as they may be shown."""
        left = sorted(self.names - self.taken.keys())
        shown = [name for name in left if is_shown(name)]
        hidden = len(left) - len(shown)
        return [*shown, *([f"{hidden} whose names do not look like names of columns"] if hidden else [])]

    def _bad(self, line: int, what: str) -> None:
        if not self._skip:
            raise InputError(f"{self.path}, line {line}: {what}. {_HINT}")
        self.bad_rows += 1

    def _header(self, file: BinaryIO) -> tuple[Any, list[str]]:
        """Reads the header. Returns a reader of the rows below it, and the names of the columns."""
        lines = self._lines(file)
        head = next(lines, "")
        reader = csv.reader(
            chain([head], lines), delimiter=self._delimiter or max(_DELIMITERS, key=head.count), strict=True
        )
        names = [name.strip() for name in self._next(reader) or ()]
        if not any(names):
            raise InputError(f"{self.path} is empty; expected a header with the columns' names in its first line.")
        self._check_names(names)
        for name in filter(None, names):
            self._entities(name)
        return reader, names

    def _next(self, reader: Any) -> list[str] | None:
        """Reads the next row, or None at the end. Raises csv.Error if only this row cannot be read, not the file."""
        line = reader.line_num + 1
        try:
            row: list[str] | None = next(reader, None)
        except csv.Error as error:
            if line > 1 and not str(error).startswith(("unexpected end", "field larger")):
                raise
            raise InputError(
                f"{self.path}, line {line}: no CSV: a quotation mark opens a field that never ends as one, "
                "or lines end in CR alone. Double the marks that are part of a value, and end lines in LF or CR LF."
            ) from None
        return row

    def _csv_rows(self, file: BinaryIO) -> Iterator[list[tuple[str, str]]]:
        reader, names = self._header(file)
        columns = [(at, entity) for at, name in enumerate(names) if name for entity in self._entities(name)]
        self._check_any()
        while True:
            line = reader.line_num + 1
            try:
                row = self._next(reader)
            except csv.Error:
                self._bad(line, "no CSV: a quotation mark stands inside a field, and is not doubled")
                continue
            if row is None:
                return
            if len(row) >= len(names) and not any(row[len(names) :]):
                yield [(entity, row[at]) for at, entity in columns]
            elif row:
                self._bad(line, f"{len(row)} fields, but the header has {len(names)}")

    def _check_names(self, names: Sequence[str]) -> None:
        for at, name in enumerate(names):
            if name and name in names[:at]:
                raise InputError(
                    f"{self.path}: columns {names.index(name) + 1} and {at + 1} of the header have the same name; "
                    "rename or remove one."
                )

    def _json_rows(self, file: BinaryIO) -> Iterator[list[tuple[str, str]]]:
        for line, text in enumerate(self._lines(file), 1):
            if not text.strip():
                continue
            try:
                record = json.loads(text, parse_int=str, parse_float=str, object_pairs_hook=_once)
            except (ValueError, RecursionError):
                record = None
            if not isinstance(record, dict):
                self._bad(line, "not a JSON object with every field once")
                continue
            yield [(entity, value) for name, value in _fields(record, "") for entity in self._entities(name)]

    def _lines(self, file: BinaryIO) -> Iterator[str]:
        for number, line in enumerate(file, 1):
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                likely = _likely_encoding(line) if number == 1 else "WINDOWS-1252"
                raise InputError(
                    f"{self.path}, line {number}: no UTF-8; convert the file, for instance with "
                    f"iconv -f {likely} -t UTF-8 {quote(str(self.path))} > utf8{self.path.suffix}."
                ) from None


def _likely_encoding(line: bytes) -> str:
    return "UTF-16" if line.startswith((b"\xff\xfe", b"\xfe\xff")) else "WINDOWS-1252"


def check_columns(columns: Iterable[str], files: Sequence[RecordFile]) -> None:
    """Checks that every mapped column was found in one of the files.

    Raises:
        InputError: a column was not found. The message gives the nearest name, but no list, as a header may be missing.
    """
    for column in columns:
        if not any(column in file.found for file in files):
            names = {name.casefold(): name for file in files for name in file.names}
            close = get_close_matches(column.casefold(), names, n=1, cutoff=0.7)
            hint = f" Did you mean {names[close[0]]!r}?" if close else ""
            where = str(files[0].path) if len(files) == 1 else f"any of the {len(files)} files"
            raise InputError(f"There is no column {column!r} in {where} ({len(names)} columns).{hint}")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field stands twice")
    return fields


def _fields(value: Any, name: str) -> Iterator[tuple[str, str]]:
    """Yields every text or number in a JSON value, with the path of names to it."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, list):
        for item in value:
            yield from _fields(item, name)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _fields(item, f"{name}.{key}" if name else key)
