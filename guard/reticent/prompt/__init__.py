"""Reads the prompt: its segments, and the values that they give away.

The names below are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reticent.prompt.segments import (
        LEFT_CHARS,
        ROLES,
        PromptView,
        Role,
        Segment,
        check_messages,
        from_ids,
        from_messages,
        from_rows,
        from_segments,
    )

_HOMES = {
    "LEFT_CHARS": "reticent.prompt.segments",
    "PromptView": "reticent.prompt.segments",
    "ROLES": "reticent.prompt.segments",
    "Role": "reticent.prompt.segments",
    "Segment": "reticent.prompt.segments",
    "check_messages": "reticent.prompt.segments",
    "from_ids": "reticent.prompt.segments",
    "from_messages": "reticent.prompt.segments",
    "from_rows": "reticent.prompt.segments",
    "from_segments": "reticent.prompt.segments",
}

__all__ = [
    "LEFT_CHARS",
    "ROLES",
    "PromptView",
    "Role",
    "Segment",
    "check_messages",
    "from_ids",
    "from_messages",
    "from_rows",
    "from_segments",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
