"""Defines what reader and queue of chunks need to know of an API format whose answers are choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from reticent.serve.stream.walk import Entry
from reticent.serve.wire.fields import Rule

FILTERED = "content_filter"

ENVELOPE = ("id", "object", "created", "model", "system_fingerprint")
"""Fields that every chunk of one stream repeats."""


class ChunkFormat(Protocol):
    """Says where a chunk has its texts, and writes chunks."""

    main: str
    holder: str
    """Name of the object in a chunk's choice that holds the text `main`. Empty: the choice itself."""
    choice: Mapping[str, Rule]
    """Fields of a choice. Whatever else it has is judged."""
    top: Mapping[str, Rule]
    chunk_object: str

    def chunk(self, index: int, text: str | None, finish_reason: str | None) -> dict[str, Any]:
        """Makes a chunk's entry for a choice, with this text."""
        ...

    def replace(self, entry: Entry, text: str) -> None:
        """Replaces all texts of a whole answer by one."""
        ...

    def is_empty(self, entry: dict[str, Any], begun: bool) -> bool:
        """Says whether a chunk's entry has no text left. `begun`: the choice's first chunk, with its role, has left."""
        ...
