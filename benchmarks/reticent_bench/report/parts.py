"""The parts of a long measurement: run in order for as long as there is time, kept as they come."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

JsonRow = dict[str, Any]
Say = Callable[[str], None]
Save = Callable[[dict[str, Any]], None]


class Parts:
    """Keeps what each part has made, as tables in `figures`; `missing` names what was not measured, and why.

    Args:
        minutes: a part that has not begun by then is left out.
        say: gets a line for each part that is over.
        save: is given the figures after each part, so that a run that is cut short leaves what it had.
    """

    def __init__(self, minutes: float, say: Say, save: Save) -> None:
        self.figures: dict[str, Any] = {"missing": []}
        self._ends, self._say, self._save = time.monotonic() + 60 * minutes, say, save

    def add(self, name: str, label: str, part: Callable[[], list[JsonRow]]) -> list[JsonRow]:
        """Appends the rows of a part to the table `name`, unless the time is over.

        A part that raises is named and skipped.
        """
        if time.monotonic() > self._ends:
            self.figures["missing"].append(f"{label}: no time left")
            return []
        started = time.monotonic()
        try:
            rows = part()
        except Exception as error:
            self.figures["missing"].append(f"{label}: raised {type(error).__name__}")
            self._say(f"{label}: {type(error).__name__}: {error}")
            return []
        self.figures.setdefault(name, []).extend(rows)
        self._say(f"{label}: {time.monotonic() - started:.1f} s")
        self._save(self.figures)
        return rows
