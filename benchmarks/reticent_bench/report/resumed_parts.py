"""A measurement of many prompts, part by part: a folder keeps each part's outcome, and an interrupted run continues.

Outcomes are counts, labels, scores and yes or no, as the measurement's own tables need them: no answer and no value.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from reticent_detectors.long_runs.progress import Advance, unseen

PART = 128
"""Items of a part. At one answer a second, an interruption loses some two minutes. Larger batches are no faster."""

T = TypeVar("T")


class Parts:
    """Does work on many items, part by part.

    Args:
        folder: where results are kept; nowhere if not given.
        stamp: what the results depend on (JSON). Results under another stamp are removed.
        progress: called at the start and after every part with the name of the work, items done, and all.
        name: of the measurement, where several keep results in one folder; each has a folder of that name in it.
    """

    def __init__(
        self, folder: Path | None = None, stamp: object = None, progress: Advance = unseen, name: str = ""
    ) -> None:
        self._progress = progress
        self._parents = () if folder is None else (folder / name, folder)
        digest = hashlib.sha256(json.dumps(stamp, sort_keys=True).encode()).hexdigest()[:16]
        self._folder = None if folder is None else folder / name / digest

    def over(
        self, name: str, items: Sequence[T], each: Callable[[Sequence[T], int], list[Any]], size: int | None = None
    ) -> list[Any]:
        """What `each` says of all parts of the items, one after the other.

        Args:
            name: of the work; no other work of the measurement has it.
            each: takes the items of a part and its number, and returns a list for JSON.
            size: items of a part; `PART` if not given.
        """
        out: list[Any] = []
        size = size or PART
        self._progress(name, 0, len(items))
        for number, first in enumerate(range(0, len(items), size)):
            part = items[first : first + size]
            out += self._kept(f"{name} {number}", lambda part=part, number=number: each(part, number))  # type: ignore[misc]
            self._progress(name, first + len(part), len(items))
        return out

    def clear(self) -> None:
        """Removes what is kept and the folders that are empty then, once the measurement is written elsewhere."""
        if self._folder is not None and self._folder.exists():
            shutil.rmtree(self._folder)
        for parent in self._parents:
            if parent.is_dir() and not any(parent.iterdir()):
                parent.rmdir()

    def _kept(self, name: str, work: Callable[[], list[Any]]) -> list[Any]:
        if self._folder is None:
            return _plain(work())
        file = self._folder / f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.json"
        if file.exists():
            return list(json.loads(file.read_text()))
        done = _plain(work())
        if not self._folder.exists():
            self._begin(self._folder)
        temporary = file.with_suffix(".tmp")
        temporary.write_text(json.dumps(done))
        temporary.replace(file)
        return done

    def _begin(self, folder: Path) -> None:
        for other in folder.parent.glob("[0-9a-f]" * 16):
            shutil.rmtree(other)
        folder.mkdir(parents=True)


NO_PARTS = Parts()
"""Keeps nothing and shows nothing."""


def _plain(rows: list[Any]) -> list[Any]:
    """Values as JSON returns them, so that a resumed run sees what an uninterrupted one does."""
    return list(json.loads(json.dumps(rows)))
