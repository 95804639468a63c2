"""Reads settings and the files that they name anew, checks all of it, and has it served, or refuses it whole.

A reload replaces keys, policies, records and the bundles of a detector on log-probabilities (`RELOADED`). If any other
setting differs, nothing is replaced, and the result names it. So what is served is always one state of the files.
"""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from pydantic import BaseModel

from reticent.key_files import key_file_of
from reticent.observability.reload_metrics import ReloadMetrics, ReloadOutcome
from reticent.policy.loading import names_file
from reticent.policy.presets import PRESETS
from reticent.serve.config import load
from reticent.serve.proxy import Proxy
from reticent.serve.settings import Settings
from reticent.serve.snapshot import Snapshot, SnapshotInputs
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.errors import InputError, ReticentError

RELOADED = frozenset(
    {
        *("keys", "policies", "policy", "may_choose", "allow", "records"),
        *(f"detector.{name}" for name in ("bundle", "bundles", "models", "trusted_key")),
    }
)
"""Settings that a reload replaces, with the files that they name. Whether there are keys at all, only a start reads."""
_END_SECONDS = 5.0
_LOGGER = logging.getLogger(__name__)


class NeedsRestart(InputError):
    """Says that settings differ that only a start reads.

    Args:
        settings: their places, such as `limits.inflight`.
    """

    def __init__(self, settings: Iterable[str]) -> None:
        self.settings = tuple(settings)
        super().__init__(f"Nothing was reloaded, as this needs a restart: {', '.join(self.settings)}.")


class NotTakenUp(ReticentError):
    """Says that a worker could not serve what was read, so that none does."""


class ParentGone(ReticentError):
    """Says that the process that reloads for this one has ended."""


@dataclass(frozen=True, slots=True)
class SettingsSource:
    """Says where settings come from, as for `config.load`. It can be read again.

    Attributes:
        path: the file, if there is one.
        overrides: values of the command line, by dotted name.
    """

    path: Path | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def read(self) -> Settings:
        """Reads the settings. Raises InputError."""
        return load(self.path, overrides=self.overrides)


@dataclass(frozen=True, slots=True)
class ReloadResult:
    """Holds what came of a reload.

    Attributes:
        outcome: what came of it.
        version: what is served now.
        problem: what was wrong, without any value.
        needs_restart: places of settings that differ and that only a start reads.
    """

    outcome: ReloadOutcome
    version: str
    problem: str = ""
    needs_restart: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WorkerState:
    """Holds the version that a process serves, and since when (Unix time in seconds)."""

    process: int
    version: str
    since: float


class Reloads(Protocol):
    """Reloads for an administrator's routes. Both methods block, and raise ParentGone where nobody can reload."""

    def reload(self) -> ReloadResult:
        """Reloads for all processes."""
        ...

    def workers(self) -> list[WorkerState]:
        """Gives what each process serves."""
        ...


class Reloader:
    """Reloads, one at a time.

    Args:
        source: where settings come from.
        settings: those that are served.
        version: that is served.
        build: makes a snapshot for a check of all that was read. Raises ReticentError.
        take_up: has all processes serve it, or none. Raises NotTakenUp.
    """

    def __init__(
        self,
        source: SettingsSource,
        settings: Settings,
        version: str,
        build: Callable[[SnapshotInputs], Snapshot],
        take_up: Callable[[SnapshotInputs, Snapshot], None],
    ) -> None:
        self._source, self._settings, self._build, self._take_up = source, settings, build, take_up
        self._lock = threading.Lock()
        self._watch = FileWatch(lambda: named_files(source, self._last_read))
        self._last_read = settings
        self.metrics = ReloadMetrics(version)
        self.version = version

    def __repr__(self) -> str:
        return f"Reloader({self.version})"

    def reload(self, asked_by: str) -> ReloadResult:
        """Reloads, and says in the log what came of it. It never raises.

        Args:
            asked_by: whoever asked, for the log.
        """
        with self._lock:
            before = self.version
            result = self._reload()
            self.metrics.count(result.outcome, result.version)
        if result.problem:
            _LOGGER.error(
                "reload by %s: %s; version %s is still served: %s", asked_by, result.outcome, before, result.problem
            )
        elif result.outcome is ReloadOutcome.UNCHANGED:
            _LOGGER.info("reload by %s: unchanged, version %s", asked_by, before)
        else:
            _LOGGER.warning("reload by %s: version %s is served, before it %s", asked_by, result.version, before)
        return result

    def look(self) -> None:
        """Reloads if a file that the settings name has changed since the last reload, and has been so for one look."""
        with self._lock:
            changed = self._watch.changed()
        if changed:
            self.reload("changed files")

    def note_broken(self, what: str) -> None:
        """Counts and logs a look or a reload that broke off by an error of this type."""
        self.metrics.count(ReloadOutcome.FAILED, self.version)
        _LOGGER.error("a reload broke off with %s; version %s is still served", what, self.version)

    def start_watch(self) -> None:
        """Remembers the files as they are."""
        self._watch.remember()

    def _reload(self) -> ReloadResult:
        try:
            if self._settings.watch_seconds is not None:
                self._watch.remember()
            settings = self._source.read()
            list(named_files(self._source, settings))  # what cannot be looked at is not watched
            self._last_read = settings
            if self._settings.watch_seconds is not None:
                self._watch.remember_new()
            if changed := list(settings_for_restart(self._settings, settings)):
                raise NeedsRestart(changed)
            inputs = SnapshotInputs.read(settings)
            snapshot = self._build(inputs)
            if snapshot.version == self.version:
                self._settings = settings
                return ReloadResult(ReloadOutcome.UNCHANGED, self.version)
            self._take_up(inputs, snapshot)
        except NeedsRestart as error:
            return ReloadResult(ReloadOutcome.NEEDS_RESTART, self.version, str(error), error.settings)
        except NotTakenUp as error:
            return ReloadResult(ReloadOutcome.FAILED, self.version, str(error))
        except ReticentError as error:
            return ReloadResult(ReloadOutcome.INVALID, self.version, str(error))
        except Exception as error:  # its text may hold anything
            return ReloadResult(ReloadOutcome.INVALID, self.version, f"Reading failed with {type(error).__name__}.")
        self._settings, self.version = settings, snapshot.version
        return ReloadResult(ReloadOutcome.RELOADED, self.version)


def settings_for_restart(old: Settings, new: Settings) -> Iterator[str]:
    """Yields the places of settings that differ and that no reload replaces."""
    if bool(old.keys) != bool(new.keys):  # a file that lost its keys must not open the server
        yield "keys (from none to some, or back)"
    for place in _differing(old, new, ""):
        if place.partition(".")[0] not in RELOADED and place not in RELOADED:
            yield place


def refuse_other_model(proxy: Proxy, inputs: SnapshotInputs) -> None:
    """Raises NeedsRestart if what was read is loaded with a model in this process, or a copy, and is another one."""
    settings, served = inputs.settings, proxy.snapshot
    if settings.model is not None:
        if inputs.bundles[settings.model.bundle].digest != served.bundles[""]:
            raise NeedsRestart(["model.bundle"])
        if (inputs.records and inputs.records.digest) != (served.records and served.records.digest):
            raise NeedsRestart(["records (of a model in this process)"])
    shadow = settings.shadow
    if shadow is not None and Bundle.load(shadow.bundle).digest not in served.bundles.values():
        raise NeedsRestart(["shadow.bundle"])


def _differing(old: BaseModel, new: BaseModel, within: str) -> Iterator[str]:
    for name in type(old).model_fields:
        before, now = getattr(old, name), getattr(new, name)
        if before == now:
            continue
        if isinstance(before, BaseModel) and isinstance(now, BaseModel):
            yield from _differing(before, now, f"{within}{name}.")
        else:
            yield within + name


def named_files(source: SettingsSource, settings: Settings) -> Iterator[Path]:
    """Yields the files that a reload reads: the settings' own, and those that they name, of folders all files."""
    if source.path is not None:
        yield source.path
    for name in settings.named_policies() | {each for each in settings.policies.values() if isinstance(each, str)}:
        if name not in PRESETS and names_file(name):
            yield Path(name)
    if (records := settings.records) is not None:
        yield from (records.index, key_file_of(records.index, records.key_file))
    if (detector := settings.detector) is not None:
        for folder in {detector.bundle, *detector.bundles.values()} - {None}:
            assert folder is not None
            with suppress(OSError, ValueError):
                yield from sorted(path for path in folder.iterdir() if path.is_file())
        if detector.trusted_key is not None:
            yield detector.trusted_key


class FileWatch:
    """Says whether files have other contents than when they were remembered.

    Contents are read only if a time, a size or an inode is new, and only at the look after that, so that a file is not
    read while it is being written.

    Args:
        paths: gives the files.
    """

    def __init__(self, paths: Callable[[], Iterable[Path]]) -> None:
        self._paths = paths
        self._stamps: dict[Path, object] = {}
        self._digests: dict[Path, bytes] = {}
        self._settled = True

    def __repr__(self) -> str:
        return f"FileWatch({len(self._stamps)} files)"

    def remember(self) -> None:
        """Remembers the files as they are."""
        self._stamps, self._digests = {}, {}
        self.remember_new()

    def remember_new(self) -> None:
        """Remembers files that are named only now, and forgets those that no longer are."""
        self._stamps = {path: self._stamps.get(path, stamp) for path, stamp in self._stamps_now().items()}
        self._digests = {path: self._digests.get(path) or _digest(path) for path in self._stamps}
        self._settled = True

    def changed(self) -> bool:
        """Looks. Says whether the contents have changed and the files stayed the same since the last look."""
        stamps = self._stamps_now()
        if stamps != self._stamps:
            self._stamps, self._settled = stamps, False
            return False
        if self._settled:
            return False
        self._settled = True
        before, self._digests = self._digests, {path: _digest(path) for path in stamps}
        return self._digests != before

    def _stamps_now(self) -> dict[Path, object]:
        stamps: dict[Path, object] = {}
        for path in self._paths():
            try:
                found = os.stat(path)
                stamps[path] = found.st_mtime_ns, found.st_size, found.st_ino, found.st_dev
            except (OSError, ValueError):
                stamps[path] = None
        return stamps


def _digest(path: Path) -> bytes:
    """Computes the digest of a file's contents: that of an empty one where there is none."""
    content = b""
    with suppress(OSError, ValueError):
        content = path.read_bytes()
    return hashlib.blake2b(content).digest()


class ReloadThread:
    """Reloads in a thread of its own when a signal asks for it, and looks at the files.

    Args:
        reloader: reloads.
        watch_seconds: time between two looks. None: files are not looked at.
    """

    def __init__(self, reloader: Reloader, watch_seconds: float | None) -> None:
        self._reloader, self._watch_seconds = reloader, watch_seconds
        self._asked: SimpleQueue[str | None] = SimpleQueue()  # whose `put` a signal's handler may call
        if watch_seconds is not None:
            reloader.start_watch()
        self._thread = threading.Thread(target=self._run, name="reload", daemon=True)
        self._thread.start()

    def __repr__(self) -> str:
        return f"ReloadThread(watch_seconds={self._watch_seconds})"

    def ask(self, *_: object) -> None:
        """Asks for a reload, from a signal's handler or anywhere."""
        self._asked.put("SIGHUP")

    def close(self) -> None:
        """Ends the thread, after a reload that runs if it ends soon."""
        self._asked.put(None)
        self._thread.join(_END_SECONDS)

    def _run(self) -> None:
        while True:
            try:
                asked_by = self._asked.get(timeout=self._watch_seconds)
            except Empty:
                self._go_on_after(self._reloader.look)
                continue
            if asked_by is None:
                return
            self._go_on_after(partial(self._reloader.reload, asked_by))

    def _go_on_after(self, work: Callable[[], object]) -> None:
        try:
            work()
        except Exception as error:  # its text may hold anything
            self._reloader.note_broken(type(error).__name__)
