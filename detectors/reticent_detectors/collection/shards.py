"""Writes and reads feature shards: Parquet files of features and labels, without values. Collections can be resumed.

A collection is a folder:

    shards.json         settings, feature shapes, the parts with rows and SHA-256, the producer's cursor, its own digest
    part-00000.parquet  one row per span: a fixed-size binary column per feature, typed columns for the labels

A part is written under another name and renamed. Then it is entered in `shards.json`, together with the cursor after
its last row. Opening a folder again removes what an interruption left: a half-written part, or one not yet entered.
The producer continues from `ShardWriter.cursor`, so no row is lost or doubled.

Values cannot get in: the only text columns are those of `RowLabels`, each with a pattern that no sentence fits. People
and values appear as keyed hashes.

Not covered: values in `settings` and `cursor`, which the producer has to keep out; and two writers in one folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.baselines.evidence import PREFIX
from reticent_detectors.collection.row_labels import (
    COLUMNS,
    HALF_PRECISION,
    LABELS,
    PERSON_SPLITS,
    PHRASING_SPLITS,
    RowLabels,
    check_labels,
    keyed_hash,
)
from reticent_detectors.collection.shard_index import (
    FORMAT,
    INDEX,
    canonical,
    differences,
    read_index,
    stored_cursor,
    write_index,
)
from reticent_detectors.errors import InputError, MissingExtra, ShardError
from reticent_detectors.long_runs.save_timer import Clock, SaveTimer

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:  # pragma: no cover - the extra is installed where tests run
    raise MissingExtra("pyarrow", "train") from None

__all__ = [
    "FORMAT",
    "HALF_PRECISION",
    "INDEX",
    "LABELS",
    "PERSON_SPLITS",
    "PHRASING_SPLITS",
    "FeatureTable",
    "RowLabels",
    "ShardReader",
    "ShardWriter",
    "keyed_hash",
    "stored_cursor",
]

_ARROW_TYPES: dict[str, pa.DataType] = {
    "str": pa.string(),
    "float": pa.float32(),
    "int": pa.int32(),
    "bool": pa.bool_(),
}


@dataclass(frozen=True)
class FeatureTable:
    """Features and labels of many spans. `features[name]` is [rows, ...] in float32, `labels[name]` is [rows]."""

    features: dict[str, NDArray[np.float32]]
    labels: dict[str, NDArray[Any]]
    settings: Mapping[str, Any]

    @property
    def rows(self) -> int:
        return len(next(iter(self.labels.values())))

    def select(self, rows: NDArray[Any]) -> FeatureTable:
        """Returns the rows of a boolean mask or of an index array."""
        return FeatureTable(
            {name: array[rows] for name, array in self.features.items()},
            {name: array[rows] for name, array in self.labels.items()},
            self.settings,
        )

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all content. An interrupted training resumes on the same data only."""
        digest = hashlib.sha256()
        for group in (self.features, self.labels):
            for name in sorted(group):
                digest.update(f"{name} {group[name].dtype} {group[name].shape}\n".encode())
                digest.update(np.ascontiguousarray(group[name]).tobytes())
        return digest.hexdigest()


# ---- writing --------------------------------------------------------------------------------------------------------


class ShardWriter:
    """Appends spans to a collection, or continues an interrupted one.

        with ShardWriter(folder, settings) as writer:
            for prompt in prompts_after(writer.cursor):       # None at the very start
                writer.append(features, labels, cursor=prompt.number)

    `settings` (JSON) describe what made the rows: host fingerprint, feature options, data set. Opening a folder with
    other settings raises `ShardError`. `cursor` is any JSON value from which the producer can continue *after* the
    appended rows. Rows of one `append` always stay together. Leaving the block normally marks the collection complete.
    Leaving it by an exception keeps the rows so far. Rows are written when they fill a part, and at least every five
    minutes by the `clock`. A killed process loses these rows, or those of one `append`.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        settings: Mapping[str, Any],
        *,
        rows_per_part: int = 4096,
        clock: Clock = time.monotonic,
    ) -> None:
        if rows_per_part < 1:
            raise InputError(f"rows_per_part must be at least 1, got {rows_per_part}")
        self.folder = Path(folder)
        self._rows_per_part = rows_per_part
        self._features: list[dict[str, NDArray[np.float32]]] = []
        self._labels: list[RowLabels] = []
        settings = json.loads(canonical(settings))
        self._timer = SaveTimer(clock)
        self.folder.mkdir(parents=True, exist_ok=True)
        if (self.folder / INDEX).exists():
            self._index = read_index(self.folder, settings)
            self._drop_leftovers()
        else:
            if any(self.folder.iterdir()):
                raise ShardError(f"{self.folder} is not empty and holds no {INDEX}; choose an empty folder")
            self._index = {
                "format": FORMAT,
                "settings": settings,
                "shapes": None,
                "parts": [],
                "cursor": None,
                "complete": False,
            }
            write_index(self.folder, self._index)
        self._cursor = self._index["cursor"]

    @property
    def cursor(self) -> Any:
        """Cursor of the last appended rows; None before the first."""
        return self._cursor

    @property
    def rows(self) -> int:
        """Number of rows so far, with those still in memory."""
        return sum(int(part["rows"]) for part in self._index["parts"]) + len(self._labels)

    @property
    def complete(self) -> bool:
        return bool(self._index["complete"])

    def append(self, features: Mapping[str, NDArray[Any]], labels: Sequence[RowLabels], *, cursor: Any) -> None:
        """Adds n rows. Every array is [n, ...] and finite. n may be 0, which only moves the cursor.

        Raises:
            InputError: a shape is wrong, a number is not finite, or a label does not match its pattern.
            ShardError: the collection is complete.
        """
        if self.complete:
            raise ShardError(f"{self.folder} is complete; choose another folder to collect more")
        for row in labels:
            check_labels(row)
        if labels:
            arrays = {name: np.asarray(array, dtype=np.float32) for name, array in features.items()}
            shapes = {name: list(array.shape[1:]) for name, array in arrays.items()}
            if clash := sorted(set(arrays) & set(COLUMNS)):
                raise InputError(f"features may not be called like labels: {', '.join(clash)}")
            if self._index["shapes"] is None:
                self._index["shapes"] = shapes
            if differing := differences(self._index["shapes"], shapes):
                raise InputError(f"features do not have the shapes of the rows before ({differing})")
            for name, array in arrays.items():
                if len(array) != len(labels):
                    raise InputError(f"{name} has {len(array)} rows, expected {len(labels)} as labels")
                if not np.isfinite(array).all() or (
                    name.startswith(HALF_PRECISION) and np.abs(array).max(initial=0.0) > 65504.0
                ):
                    raise InputError(f"{name} holds numbers that are not finite; the row is not stored")
            self._features.append(arrays)
            self._labels.extend(labels)
        self._cursor = json.loads(json.dumps(cursor, allow_nan=False))
        if self._timer.due() or len(self._labels) >= self._rows_per_part:
            self.flush()

    def flush(self) -> None:
        """Writes the rows in memory, and enters them with the cursor in the index."""
        if self._labels:
            name = f"part-{len(self._index['parts']):05d}.parquet"
            temporary = self.folder / (name + ".tmp")
            pq.write_table(
                self._table(), temporary, compression="zstd", use_dictionary=_text_columns(), write_statistics=False
            )
            data = temporary.read_bytes()
            os.replace(temporary, self.folder / name)
            self._index["parts"].append(
                {"name": name, "rows": len(self._labels), "sha256": hashlib.sha256(data).hexdigest()}
            )
            self._features.clear()
            self._labels.clear()
        self._index["cursor"] = self._cursor
        write_index(self.folder, self._index)

    def finish(self) -> None:
        """Writes the remaining rows and marks the collection complete. Before that, `ShardReader` refuses it."""
        self._index["complete"] = True
        self.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.complete:
            return
        if kind is None:
            self.finish()
        else:
            self.flush()

    def _table(self) -> pa.Table:
        arrays: list[pa.Array] = []
        columns: list[pa.Field] = []
        for name, shape in self._index["shapes"].items():
            dtype = np.dtype("<f2" if name.startswith(HALF_PRECISION) else "<f4")
            block = np.concatenate([rows[name] for rows in self._features]).astype(dtype)
            kind = pa.binary(dtype.itemsize * int(np.prod(shape, dtype=int)))
            arrays.append(pa.Array.from_buffers(kind, len(block), [None, pa.py_buffer(np.ascontiguousarray(block))]))
            columns.append(
                pa.field(name, kind, nullable=False, metadata={"dtype": dtype.str, "shape": json.dumps(shape)})
            )
        for name, python_type in COLUMNS.items():
            kind = _ARROW_TYPES[python_type]
            arrays.append(pa.array([getattr(row, name) for row in self._labels], type=kind))
            columns.append(pa.field(name, kind, nullable=False))
        return pa.Table.from_arrays(arrays, schema=pa.schema(columns))

    def _drop_leftovers(self) -> None:
        known = {part["name"] for part in self._index["parts"]}
        for path in (*self.folder.glob("part-*.parquet"), *self.folder.glob("*.tmp")):
            if path.name not in known:
                path.unlink()


def _text_columns() -> list[str]:
    return [name for name, python_type in COLUMNS.items() if python_type == "str"]


# ---- reading --------------------------------------------------------------------------------------------------------


class ShardReader:
    """Reads a collection. Checks every part against its SHA-256 before parsing it.

    Raises:
        ShardError: the folder has no index, the collection is unfinished (unless `allow_incomplete`), or a part is
            missing, cut short or edited.
    """

    def __init__(self, folder: str | os.PathLike[str], *, allow_incomplete: bool = False) -> None:
        self.folder = Path(folder)
        self._index = read_index(self.folder)
        if not (self._index["complete"] or allow_incomplete):
            raise ShardError(f"{self.folder} is not complete; run `reticent collect` again to resume it")

    @property
    def settings(self) -> dict[str, Any]:
        return dict(self._index["settings"])

    @property
    def digest(self) -> str:
        """SHA-256 of the index, which covers all parts."""
        return hashlib.sha256(canonical(self._index)).hexdigest()

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shape of each feature, without the axis of rows."""
        return {name: tuple(shape) for name, shape in (self._index["shapes"] or {}).items()}

    @property
    def rows(self) -> int:
        return sum(int(part["rows"]) for part in self._index["parts"])

    def parts(self) -> Iterator[FeatureTable]:
        """Yields one table for each part, for collections that do not fit in memory."""
        for part in self._index["parts"]:
            yield self._read(part, self.shapes)

    def load(self, features: Collection[str] | None = None) -> FeatureTable:
        """Returns all rows, with the named features. The default is all features except the baselines' own.

        Raises:
            ShardError: the collection has no rows, or lacks one of the features.
        """
        if not self.rows:
            raise ShardError(f"{self.folder} holds no rows; collect again with more prompts")
        if features is None:
            features = [name for name in self.shapes if not name.startswith(PREFIX)]
        if missing := sorted(set(features) - set(self.shapes)):
            raise ShardError(f"{self.folder} holds no {', '.join(missing)}; collect again with what it comes from")
        tables = [self._read(part, features) for part in self._index["parts"]]
        return FeatureTable(
            {name: np.concatenate([table.features[name] for table in tables]) for name in features},
            {name: np.concatenate([table.labels[name] for table in tables]) for name in tables[0].labels},
            self.settings,
        )

    def _read(self, part: Mapping[str, Any], names: Collection[str]) -> FeatureTable:
        path = self.folder / str(part["name"])
        remedy = "delete the folder and collect again"
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise ShardError(f"{path} is missing; {remedy}") from None
        if hashlib.sha256(data).hexdigest() != part["sha256"]:
            raise ShardError(f"{path} is cut short or was edited (its SHA-256 is not the one in {INDEX}); {remedy}")
        wanted = [*names, *COLUMNS]
        table = pq.read_table(pa.BufferReader(data), columns=wanted, use_threads=False).combine_chunks()
        features = {}
        for name in names:
            shape = self.shapes[name]
            metadata = table.schema.field(name).metadata or {}
            dtype = np.dtype(metadata[b"dtype"].decode())
            values = table.column(name).chunk(0).buffers()[1]
            flat = np.frombuffer(values, dtype=dtype, count=len(table) * int(np.prod(shape, dtype=int)))
            features[name] = flat.reshape(len(table), *shape).astype(np.float32)
        labels = {}
        for name, python_type in COLUMNS.items():
            column = table.column(name)
            labels[name] = np.array(column.to_pylist(), dtype=str) if python_type == "str" else column.to_numpy()
        return FeatureTable(features, labels, self.settings)
