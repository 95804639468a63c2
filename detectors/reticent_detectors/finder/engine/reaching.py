"""Which recognisers may find a value of at least so many characters.

Much of what is read as a disguise counts only if the value takes all of it, or goes on over what is disguised. What a
recogniser's values are made of tells, before it is asked, that none reaches so far (`Recognizer.value_run`).
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from reticent_detectors.finder.engine.recognizers import Recognizer


class Reaching:
    """A group of recognisers, and those of it whose values may be long enough."""

    def __init__(self, group: Sequence[Recognizer]) -> None:
        self._group = tuple(group)
        runs = [getattr(r, "value_run", "") for r in self._group]
        self._runs = [regex.compile(f"{run}+") for run in dict.fromkeys(runs) if run]
        places = {run: 1 << i for i, run in enumerate(run for run in dict.fromkeys(runs) if run)}
        self._places = [places.get(run, 0) for run in runs]
        self._by_runs = dict[int, tuple[Recognizer, ...]]()

    def asked(self, text: str, p: int, least: int) -> tuple[Recognizer, ...]:
        """Those whose value at p of a complete text may have at least so many characters."""
        if least <= 1:
            return self._group
        short, place, end = 0, 1, p + least
        for run in self._runs:
            match = run.match(text, p, end)
            if match is None or match.end() < end:
                short |= place
            place <<= 1
        found = self._by_runs.get(short)
        if found is None:
            found = self._by_runs[short] = tuple(
                r for r, place in zip(self._group, self._places, strict=True) if not place & short
            )
        return found
