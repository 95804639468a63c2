"""Reads the prompt: its segments, and the values that they give away.

The names below are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reticent.lazy_names import lazy_name

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
    return lazy_name(__name__, _HOMES, name)


def __dir__() -> list[str]:
    return sorted(__all__)
