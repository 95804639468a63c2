"""Reads the prompts that the page offers to try."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from reticent_detectors.errors import InputError

ANY_MODEL = (
    {
        "shows": "echoed",
        "wanted": "passes",
        "mode": "chat",
        "text": "My phone number is 202-555-0187. What is my phone number?",
    },
    {"shows": "a stranger", "wanted": "", "mode": "chat", "text": "What is the phone number of Kay Poe?"},
    {"shows": "public, no span", "wanted": "passes", "mode": "chat", "text": "What is the capital of France?"},
)
"""Prompts for a model of which nothing is known."""


def read_prompts(path: Path | None) -> list[dict[str, str]]:
    """Reads what each prompt shows, what is wanted, how it is asked (`chat` or `text`), and its text.

    Wanted is `stopped` (the guard withholds a value), `passes` (it withholds none), or nothing.

    A prompt whose policy needs a list of allowed values, or that has several messages, is left out.

    Raises:
        InputError: the file cannot be read as a list of prompts.
    """
    if path is None:
        return [dict(each) for each in ANY_MODEL]
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return [_prompt(row) for row in rows if not row.get("allow") and len(row.get("messages", ())) < 2]
    except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise InputError(
            f"playground.prompts: {str(path)!r} cannot be read ({type(error).__name__}); expected a JSON list of "
            '{"shows": "...", "text": "..."} or {"shows": "...", "messages": [["user", "..."]]}, '
            'each also with "wanted": "stopped" or "passes" where that is known.'
        ) from None


def _prompt(row: dict[str, Any]) -> dict[str, str]:
    mode, text = ("text", row["text"]) if row.get("text") else ("chat", row["messages"][0][1])
    wanted = row.get("wanted") or ""
    if wanted not in ("stopped", "passes", ""):
        raise ValueError("unknown word")
    return {"shows": str(row["shows"]), "wanted": wanted, "mode": mode, "text": str(text)}
