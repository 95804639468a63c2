"""Draws terminal output as an SVG file that loads nothing and runs nothing."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Sequence
from html import escape

from reticent_detectors.errors import InputError

GAP = "⋮"
"""Stands for lines that are left out."""


def terminal_picture(captured: str, title: str, ranges: Sequence[str] = ()) -> str:
    """Captured output, with ANSI colours, as an SVG picture of a window as wide as the longest line.

    The same text and title give the same picture. For readers who do not see it, the description is the text.

    Args:
        captured: what the command printed.
        title: of the window.
        ranges: lines that are shown, counted from 1, such as "1-12"; all of them if not given.

    Raises:
        InputError: the output is empty, or a range is none of it.
    """
    from rich.console import Console
    from rich.text import Text

    captured = "\n".join(_lines(captured.rstrip().split("\n"), ranges))
    text = Text.from_ansi(captured + "\n")  # the picture cuts the last line's feet off
    if not text.plain.strip():
        raise InputError("The captured output is empty. Capture it with 'COMMAND > FILE', FORCE_COLOR=1 for colours.")
    wide = max(line.cell_len for line in text.split())
    console = Console(record=True, width=wide, file=io.StringIO())
    console.print(text, no_wrap=True, overflow="ignore", crop=False)
    key = "terminal-" + hashlib.sha256(f"{title}\n{captured}".encode()).hexdigest()[:12]
    drawn = console.export_svg(title=title, unique_id=key)
    # Rich's style asks another host for its font; any font with fixed width does, since each line has its length.
    drawn = re.sub(r"@font-face\s*\{.*?\}\s*", "", drawn, flags=re.S)
    head = f"<title>{escape(title)}</title>\n<desc>{escape(text.plain)}</desc>\n"
    drawn = drawn.replace("<svg ", '<svg role="img" ', 1)
    start = drawn.index(">") + 1
    return f"{drawn[:start]}\n{head}{drawn[start:].strip()}\n"


def _lines(lines: list[str], ranges: Sequence[str]) -> list[str]:
    """The lines of the ranges, with a mark where some are left out."""
    shown, before = list[str](), 0
    for each in ranges or [f"1-{len(lines)}"]:
        found = re.fullmatch(r"(\d+)-(\d+)", each)
        first, last = (int(found[1]), int(found[2])) if found else (0, 0)
        if not before < first <= last <= len(lines):
            raise InputError(f"Expected lines such as 1-12, in order and up to {len(lines)}; got {each!r}.")
        shown += [*([GAP] if first > before + 1 else []), *lines[first - 1 : last]]
        before = last
    return [*shown, *([GAP] if before < len(lines) else [])]
