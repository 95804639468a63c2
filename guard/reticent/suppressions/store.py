"""The file of a suppression store: who is kept out of what the model says, as keyed hashes, dates and references.

    with SuppressionStore.editing("people.suppressions", key, now) as store:
        store.add([("PHONE_NUMBER", "+1 555 010 0100")], reference="GDPR Art. 17, case 2026-114")

The first line says what the file is, each line after it is an entry as JSON, and the last is a keyed hash of all
before. A change writes the whole file anew and puts it in place at once, under a lock, so readers see the old file or
the new one, and a removed entry leaves no hash behind.

**Whoever has both the file and its key can try values out**, as of a records index. Keep the key apart.

Not covered: an older copy of the file that is put back, which is intact; values of recognisers of the operator's own.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from secrets import compare_digest
from typing import Any

from reticent.key_files import checked_key, key_file_of, read_key, replace_file
from reticent.records.spellings import SPELLING_VERSION
from reticent.suppressions.entry import Entry, EntryKind, checked_reference, index_of
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError
from reticent_detectors.finder.recorded import RecordedValues

_FORMAT, _VERSION = "reticent-suppressions", 1
_SUM_BYTES = 32
_MAKE = "'reticent forget add'"


class SuppressionStore:
    """Holds the entries of a store. Make it by `read`, or by `editing` to change it.

    Args:
        path: the file.
        key: the key of its hashes, 16 to 64 bytes.
        entries: its entries, in the order in which they were added.
        now: the present time, UTC.
    """

    def __init__(self, path: Path, key: bytes, entries: Iterable[Entry], now: datetime) -> None:
        self.path, self._key, self._now = path, key, now
        self._entries = {entry.id: entry for entry in entries}
        self._lines: dict[bytes, Entry] = {}
        """The entries by the lines that they were read from."""

    def __repr__(self) -> str:
        return f"SuppressionStore({str(self.path)!r}, {len(self._entries)} entries)"

    def __reduce__(self) -> Any:
        raise TypeError("A SuppressionStore holds its key and is not pickled; read its file where it is needed.")

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Return all entries, expired ones too, in the order in which they were added."""
        return tuple(self._entries.values())

    @property
    def key(self) -> bytes:
        """Return the key of the hashes. Keep it apart from the file."""
        return self._key

    @property
    def key_id(self) -> str:
        """Return what names the key and tells nothing of it, 16 hexadecimal digits."""
        return key_id(self._key)

    def entry(self, given: str) -> Entry:
        """Return the entry of an id. Raises InputError if there is none."""
        found = self._entries.get(given)
        if found is None:
            raise InputError(
                f"{str(self.path)!r} has no entry with that id; 'reticent forget list {self.path}' shows all of them."
            )
        return found

    def add(
        self,
        values: Iterable[tuple[str, str]],
        *,
        reference: str,
        expires: datetime | None = None,
        kind: EntryKind = EntryKind.VALUE,
    ) -> list[Entry]:
        """Add an entry for each (entity, value), and return them. For a subject the value is a person's name.

        Raises:
            InputError: a value cannot be recognised, `expires` is past, or the reference holds one of the values.
        """
        if expires is not None and expires <= self._now:
            raise InputError(
                f"The suppression would have expired at {stamp(expires)}; give a later date, or none to suppress until "
                "it is removed."
            )
        reference = checked_reference(reference)
        added = list[Entry]()
        for number, (entity, value) in enumerate(values, 1):
            try:
                added.append(Entry.of(kind, entity, value, self._key, reference, self._now, expires))
            except InputError as error:
                raise InputError(f"Value {number}: {error}") from None
        index = index_of(added, self._key)
        if index is not None and RecordedValues(index).first_in(reference) is not None:
            raise InputError(
                "The reference holds a value that is to be suppressed, and it is kept in the clear. Write it without; "
                "nothing was added."
            )
        self._entries.update((entry.id, entry) for entry in added)
        return added

    def remove(self, ids: Sequence[str]) -> list[Entry]:
        """Remove entries by their ids, and return them. Raises InputError, and removes none, if one is not there."""
        removed = [self.entry(each) for each in dict.fromkeys(ids)]
        for entry in removed:
            del self._entries[entry.id]
        return removed

    @classmethod
    def read(
        cls, path: str | PathLike[str], key: bytes, now: datetime, before: SuppressionStore | None = None
    ) -> SuppressionStore:
        """Read a store from its file.

        Args:
            path: the file.
            key: the key of its hashes.
            now: the present time, UTC.
            before: what was read of the same file before. Lines that have not changed are not parsed again.

        Raises:
            InputError: the file is missing, is no store or one of another release, was cut short or edited; or the key
                belongs to another store.
        """
        path, key = Path(path), checked_key(key)
        try:
            content = path.read_bytes()
        except OSError as error:
            raise InputError(
                f"Cannot read a suppression store from {str(path)!r} ({error.strerror}); make one with {_MAKE}."
            ) from None
        lines = _lines_of(content, str(path), key, {} if before is None else before._lines)
        store = cls(path, key, lines.values(), now)
        store._lines = lines
        return store

    @classmethod
    @contextmanager
    def editing(cls, path: str | PathLike[str], key: bytes, now: datetime) -> Iterator[SuppressionStore]:
        """Read a store, or begin one, and write it when the body ends without an error. Other writers wait meanwhile.

        Raises:
            InputError: as `read`, but a file that is missing is made.
        """
        path = Path(path)
        with _locked(path):
            store = cls.read(path, key, now) if path.exists() else cls(path, checked_key(key), (), now)
            before = store.entries
            yield store
            if store.entries != before:
                store._save()

    def _save(self) -> None:
        head = {
            "format": _FORMAT,
            "version": _VERSION,
            "spelling": SPELLING_VERSION,
            "key": self.key_id,
            "entries": len(self._entries),
        }
        lines = [json.dumps(each) for each in (head, *map(_as_json, self._entries.values()))]
        body = ("\n".join(lines) + "\n").encode()
        replace_file(self.path, body, json.dumps({"sum": _sum(self._key, body)}).encode() + b"\n")


def key_id(key: bytes) -> str:
    """Return what names a key and tells nothing of it, 16 hexadecimal digits."""
    return hashlib.blake2b(key=key, digest_size=8, person=b"suppress-key-id").hexdigest()


def key_of(path: str | PathLike[str], key_file: str | PathLike[str] | None = None) -> bytes:
    """Read the key of a store.

    Args:
        path: the store.
        key_file: the file of its key. None: the store's name with `.key`.

    Raises:
        InputError: there is no key, or it cannot be read.
    """
    key_path = key_file_of(Path(path), key_file)
    if key_file is None and not key_path.exists():
        raise InputError(
            f"There is no key {str(key_path)!r} beside the suppression store; give the file of its key (--key-file, "
            "--suppressions-key-file, or suppressions.key_file in settings)."
        )
    return read_key(key_path)


def stamp(when: datetime) -> str:
    """Write a time in UTC, to the second."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _as_json(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "kind": entry.kind,
        "entity": entry.entity,
        "digest": entry.digest,
        "reference": entry.reference,
        "created": stamp(entry.created),
        "expires": None if entry.expires is None else stamp(entry.expires),
        "lengths": dict(entry.lengths),
        "forms": b64encode(entry.forms).decode("ascii"),
    }


def _lines_of(content: bytes, name: str, key: bytes, known: Mapping[bytes, Entry]) -> dict[bytes, Entry]:
    """Read the entries of a file's content, by their lines. Raises InputError with what is wrong."""
    head_line, _, _ = content.partition(b"\n")
    try:
        head = json.loads(head_line)
        is_store = head["format"] == _FORMAT
    except (ValueError, TypeError, KeyError):
        is_store = False
    if not is_store:
        raise InputError(f"{name!r} is no suppression store; expected a file made by {_MAKE}.")
    made_by = head.get("version"), head.get("spelling")
    if made_by != (_VERSION, SPELLING_VERSION):
        raise InputError(
            f"The suppression store {name!r} has version {made_by}, expected {(_VERSION, SPELLING_VERSION)}: this "
            "release spells values otherwise and would miss some. Serve it by the release that wrote it, or add the "
            "values to a new store."
        )
    if head.get("key") != key_id(key):
        raise InputError(
            f"The key does not belong to the suppression store {name!r}; give the key file that {_MAKE} wrote with it."
        )
    body, _, last = content.removesuffix(b"\n").rpartition(b"\n")
    body += b"\n"
    try:
        if not compare_digest(json.loads(last)["sum"], _sum(key, body)):
            raise ValueError
        return {line: known.get(line) or _entry_of(json.loads(line)) for line in body.splitlines()[1:]}
    except (ValueError, TypeError, KeyError, AttributeError):
        raise InputError(
            f"The suppression store {name!r} is cut short or was edited; put a copy of it back, or add the values to a "
            "new store."
        ) from None


def _entry_of(row: dict[str, Any]) -> Entry:
    expires = row["expires"]
    return Entry(
        row["id"],
        EntryKind(row["kind"]),
        Entity(row["entity"]),
        row["digest"],
        row["reference"],
        datetime.fromisoformat(row["created"]),
        None if expires is None else datetime.fromisoformat(expires),
        row["lengths"],
        b64decode(row["forms"]),
    )


def _sum(key: bytes, body: bytes) -> str:
    return hashlib.blake2b(body, key=key, digest_size=_SUM_BYTES, person=b"suppress-sum").hexdigest()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep other writers of a store out, by a lock on a file beside it that holds nothing and stays."""
    beside = path.with_name(f".{path.name}.lock")
    try:
        descriptor = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise InputError(
            f"The suppression store {str(path)!r} cannot be changed ({error.strerror}); expected a folder that is "
            "there and may be written to."
        ) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
