"""Tell whether figures go on a number that stands directly before them: a decimal, a date, a row of groups."""

from __future__ import annotations

import regex

JOINING = ".-/:–"
"""Marks over which figures go on a number."""
_CELL = regex.compile(r"\d{4}-\d\d|\d\d?[./]\d\d?[./]\d|\d{3}[-. ]\d{3}|\(\d|\d{4,}")
"""Matches what after a comma is a cell of its own: a date, groups, more figures than a thousand's group has."""


def goes_on_number(text: str, p: int) -> bool:
    """Tell whether the figures at p go on a number before them, over a mark or over the comma of a number."""
    if p < 2 or not text[p - 2].isdigit():
        return False
    return text[p - 1] in JOINING or (text[p - 1] == "," and _CELL.match(text, p) is None)
