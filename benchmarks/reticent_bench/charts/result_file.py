"""Reads a result file: its figures by path, its heading, and what made it. Needs the standard library alone."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reticent_detectors.errors import InputError

ONLY = "*"
"""In a path: the one entry that is there, whatever its name."""
_MADE = re.compile(r"^Made by `(?P<command>.+)` .*?on (?P<date>\d{4}-\d\d-\d\d), commit (?P<commit>[^,]+),", re.M)
_HEADING = re.compile(r"^# (.+)$", re.M)


@dataclass(frozen=True, slots=True)
class ResultFile:
    """Holds NAME.json and NAME.md of a measurement.

    Attributes:
        name: of both files, without its ending.
        figures: of the JSON; empty where there is only a page.
        page: the Markdown.
    """

    name: str
    figures: Mapping[str, Any]
    page: str = ""

    @classmethod
    def read(cls, folder: Path, name: str) -> ResultFile:
        """Reads NAME.json, NAME.md or both.

        Raises:
            InputError: neither is there, or the JSON holds no object.
        """
        table, page = folder / f"{name}.json", folder / f"{name}.md"
        if not table.is_file() and not page.is_file():
            raise InputError(f"{folder} has no {name}.json. Make it with 'reticent bench', or name another folder.")
        figures = json.loads(table.read_text()) if table.is_file() else {}
        if not isinstance(figures, dict):
            raise InputError(f"{name}.json: expected an object, got {type(figures).__name__}. Make the file again.")
        return cls(name, figures, page.read_text() if page.is_file() else "")

    def at(self, *path: str) -> Any:
        """The entry at a path of keys; an entry of a list is named by its number.

        Raises:
            InputError: the file has no such entry.
        """
        found: Any = self.figures
        for depth, key in enumerate(path):
            named = enumerate(found) if isinstance(found, list) else found.items() if isinstance(found, Mapping) else ()
            entries: dict[str, Any] = {str(name): entry for name, entry in named}
            if key == ONLY and len(entries) == 1:
                (found,) = entries.values()
            elif key in entries:
                found = entries[key]
            else:
                there = ", ".join(list(entries)[:8]) or "no entries"
                raise InputError(
                    f"{self.name}.json has no field {' > '.join(path[: depth + 1])!r}; there: {there}. "
                    "Make the file again with its command, or change what is read of it."
                )
        return found

    def interval(self, *path: str) -> tuple[float, float, float]:
        """A figure with the ends of its interval.

        Raises:
            InputError: there is no such figure, or it is no three numbers.
        """
        found = self.at(*path)
        if not isinstance(found, list) or len(found) != 3 or not all(isinstance(end, int | float) for end in found):
            raise InputError(
                f"{self.name}.json, {' > '.join(path)}: expected a figure and the ends of its interval, got "
                f"{type(found).__name__}. Make the file again with its command."
            )
        return float(found[0]), float(found[1]), float(found[2])

    @property
    def heading(self) -> str:
        """The first heading of the page.

        Raises:
            InputError: there is no page, or it has no heading.
        """
        if not (found := _HEADING.search(self.page)):
            raise InputError(f"{self.name}.md has no heading; expected a line '# ...'. Make the file again.")
        return found[1]

    @property
    def opening(self) -> str:
        """The first line under the heading."""
        return self.page.partition(f"# {self.heading}")[2].strip().partition("\n")[0]

    @property
    def made(self) -> tuple[str, str, str]:
        """Command, date and commit; the command joins several by "` and `".

        Raises:
            InputError: the file does not say what made it.
        """
        entries: Any = self.figures.get("made_by", self.figures.get("provenance"))
        if entries is None and (found := _MADE.search(self.page)):
            entries = found.groupdict()
        try:
            return str(entries["command"]), str(entries["date"]), str(entries["commit"])
        except (KeyError, TypeError):
            raise InputError(
                f"{self.name} does not say what made it; expected command, date and commit under 'made_by'. "
                "Make the file again with its command."
            ) from None


def names(folder: Path) -> list[str]:
    """The names of all results in a folder, sorted."""
    return sorted({path.stem for pattern in ("*.json", "*.md") for path in folder.glob(pattern)})
