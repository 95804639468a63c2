"""Tracks what a client has seen of a message, and writes the events that end it there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from weakref import proxy

from reticent.serve.stream.event_reader import EventReader
from reticent.serve.stream.pending_frames import EventFrame
from reticent.serve.wire.error_formats import MESSAGES


class MessagesClientView:
    """Tracks the client's view of one message.

    Args:
        reader: knows the usage.
    """

    error_format = MESSAGES
    number: int | None = None

    def __init__(self, reader: EventReader) -> None:
        self._reader: EventReader = proxy(reader)  # which owns this view; a cycle would keep the request
        self._open: dict[int, str] = {}
        self._last = -1

    def is_last(self, frame: EventFrame) -> bool:
        """Says whether an event carries how the answer ended."""
        return frame.kind in ("message_delta", "message_stop")

    def note(self, frame: EventFrame) -> None:
        """Notes an event that leaves."""
        body: Any = frame.body
        if frame.kind == "content_block_start":
            self._open[frame.item] = str(body["content_block"].get("type"))
            self._last = max(self._last, frame.item)
        elif frame.kind == "content_block_stop":
            self._open.pop(frame.item, None)

    def closing_events(self, instead: str | None) -> Iterator[dict[str, Any]]:
        """Yields the events that end the message, with this text at its end if there is one."""
        open_text = next((number for number, kind in self._open.items() if kind == "text"), None)
        for number in self._open:
            if number != open_text:
                yield {"type": "content_block_stop", "index": number}
        if instead is not None and open_text is None:
            open_text = self._last + 1
            yield {"type": "content_block_start", "index": open_text, "content_block": {"type": "text", "text": ""}}
        if instead is not None:
            delta = {"type": "text_delta", "text": instead}
            yield {"type": "content_block_delta", "index": open_text, "delta": delta}
        if open_text is not None:
            yield {"type": "content_block_stop", "index": open_text}
        usage = {"output_tokens": 0, **(self._reader.usage or {})}
        yield {"type": "message_delta", "delta": {"stop_reason": "refusal", "stop_sequence": None}, "usage": usage}
        yield {"type": "message_stop"}
