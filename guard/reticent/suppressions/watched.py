"""Follows the file of a suppression store, so that a running guard takes up every change.

    suppressions = Suppressions.open("people.suppressions")
    guard = Guard.load(suppressions=suppressions).wrap(model, tokenizer)

Each request asks for the list of the moment, which looks at the file's time and size at most once a second. A proxy
looks by itself, in a thread, so that no request waits for it. A file that cannot be read leaves the former list in
place, and is logged and counted once for each state of the file. It is read again at every look until that succeeds.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from time import monotonic
from typing import Any

from reticent.suppressions.active import SuppressionList
from reticent.suppressions.store import SuppressionStore, key_of
from reticent_detectors.errors import InputError

LOOK_SECONDS = 1.0
"""Least time between two looks at the file."""
_LOGGER = logging.getLogger(__name__)


class Suppressions:
    """Gives the suppression list of the moment. Make it by `open`; threads may share it.

    Args:
        path: the file of the store.
        key: its key.
        on_failed: called when a changed file cannot be read.
        on_loaded: called with the number of active entries whenever that list was read.

    Raises:
        InputError: the store cannot be read (`SuppressionStore.read`).
    """

    def __init__(
        self,
        path: Path,
        key: bytes,
        on_failed: Callable[[], None] = lambda: None,
        on_loaded: Callable[[int], None] = lambda size: None,
    ) -> None:
        self._path, self._key = path, key
        self._on_failed, self._on_loaded = on_failed, on_loaded
        self._lock, self._failed, self._followed = threading.Lock(), False, False
        self._store: SuppressionStore | None = None
        self._seen = _state(path)
        self._list = self._read()
        self._next_look = monotonic() + LOOK_SECONDS

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        key_file: str | PathLike[str] | None = None,
        on_failed: Callable[[], None] = lambda: None,
        on_loaded: Callable[[int], None] = lambda size: None,
    ) -> Suppressions:
        """Read a store and its key from files.

        Args:
            path: a file that `reticent forget add` wrote.
            key_file: the file of its key. None: the store's name with `.key`.
            on_failed: as for the class.
            on_loaded: as for the class.

        Raises:
            InputError: the store or its key cannot be read, or they do not belong together.
        """
        path = Path(path)
        if not path.exists():
            raise InputError(f"There is no suppression store {str(path)!r}; make one with 'reticent forget add'.")
        return cls(path, key_of(path, key_file), on_failed, on_loaded)

    def __repr__(self) -> str:
        return f"Suppressions({str(self._path)!r}, {len(self._list)} entries)"

    def __reduce__(self) -> Any:
        raise TypeError("Suppressions hold their key and are not pickled; open the store where it is needed.")

    def current(self) -> SuppressionList:
        """Return the list of the moment. It looks at the file first, unless somebody follows it."""
        if not self._followed:
            self.look()
        return self._list

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Leave it to the caller to `look` every second while the body runs, so that no request waits for the file."""
        self._followed = True
        try:
            yield
        finally:
            self._followed = False

    def look(self) -> None:
        """Take up the file if it changed, or an entry expired; at most once a second.

        Raises nothing: a file that cannot be read leaves the former list in place.
        """
        if monotonic() >= self._next_look and self._lock.acquire(blocking=False):
            try:
                self._look()
                self._next_look = monotonic() + LOOK_SECONDS
            finally:
                self._lock.release()

    def _look(self) -> None:
        state, expires = _state(self._path), self._list.expires
        expired = expires is not None and expires <= datetime.now(UTC)
        if state == self._seen and not expired and not self._failed:
            return
        was_told, self._seen = self._failed and state == self._seen, state
        try:
            self._list, self._failed = self._read(), False
        except Exception as error:  # of ours its text names the file and what to do; of others it may hold anything
            self._failed = True
            if was_told:
                return
            what = str(error) if isinstance(error, InputError) else type(error).__name__
            _LOGGER.error("a suppression store was not taken up, and the former entries hold: %s", what)
            self._on_failed()

    def _read(self) -> SuppressionList:
        now = datetime.now(UTC)
        self._store = SuppressionStore.read(self._path, self._key, now, self._store)
        active = SuppressionList(self._store.entries, self._key, now)
        self._on_loaded(len(active))
        return active


def _state(path: Path) -> tuple[int, int, int] | None:
    """Return what changes with a file: its time of change, size and number. None: it cannot be looked at."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
