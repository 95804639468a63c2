"""Finds dates in a text, in every way that they can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reticent_detectors.finder.written_days import day_at

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_START = re.compile(r"(?<![0-9])[0-9]|(?<![^\W\d_])[^\W\d_]")


def days(text: str) -> tuple[set[str], str]:
    """Finds every date that has a year, and removes them from the text.

    `03/04/2024` counts as both the fourth of March and the third of April. A two-digit year counts for 19yy and 20yy.

    Returns:
        The dates as yyyymmdd, one for each reading, and the text with a space in place of each date.
    """
    found: set[str] = set()
    rest, behind, p = list[str](), 0, 0
    while (start := _START.search(text, p)) is not None:
        here, end = day_at(text, start.start(), True, strict=False)
        if here:
            found |= here
            rest += text[behind : start.start()], " "
            behind = end
        p = end if here else start.end()
    return found, "".join(rest) + text[behind:]


def spelled_days(text: str) -> Iterator[str]:
    """Yields the days of a text as they are often written, without what stands between day, month and year."""
    for day in sorted(days(text)[0]):
        y, m, d = day[:4], day[4:6], day[6:]
        name, number = _MONTHS[int(m) - 1], d.lstrip("0")
        yield from (y + m + d, d + m + y, m + d + y, f"{int(d)}/{int(m)}/{y}", f"{int(m)}/{int(d)}/{y}")
        for month in (name, name[:3]):
            yield from (f"{number} {month} {y}", f"{month} {number} {y}")
