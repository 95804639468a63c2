"""Feeds a stream's pieces to a guard, and lists the texts in JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reticent.serve.stream.stream_guard import StreamGuard


def fed(guard: StreamGuard, pieces: Iterable[bytes]) -> bytes:
    """What a client gets of a stream that comes in these pieces."""
    out = []
    for piece in pieces:
        out.append(guard.feed(piece, 0.0))
        if guard.done:
            break
    return b"".join(out) + guard.finish(0.0)


def texts(value: Any) -> list[str]:
    """All texts of a JSON value, names of fields included."""
    if isinstance(value, dict):
        return [text for key, each in value.items() for text in (key, *texts(each))]
    if isinstance(value, list):
        return [text for each in value for text in texts(each)]
    return [value] if isinstance(value, str) else []
