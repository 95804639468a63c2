"""Parses server-sent events from bytes that may be cut anywhere. Each event keeps its bytes.

    reader = SseReader(max_bytes=1 << 20)
    for event in reader.feed(piece):
        event.data        # the text of its `data` lines, or None
        event.raw         # its bytes, the blank line behind it included

Lines end with LF, CRLF or CR. After a CR the reader waits for the next byte, so that a CRLF stays with its event.
Bytes that the end of the stream cuts short are no event (`rest`), as in the standard.

Source: WHATWG HTML, "Server-sent events", 9.2.5 and 9.2.6.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

# The blank line that ends an event, undecided where a CR is the last byte.
_BREAK = re.compile(rb"\r\n|\n|\r(?=[^\n])")
_END = re.compile(rb"(?:\r\n|\n|\r(?=[^\n]))(?:\r\n|\n|\r(?=[^\n]))")
_NAME = re.compile(r"[\w.]+", re.ASCII)
_LINE = re.compile(r"\r\n|\n|\r")
_BOM = b"\xef\xbb\xbf"
_FIELDS = {"", "id", "retry"}
"""Known fields besides data and event. The first one is a comment."""
DONE = "[DONE]"


class FrameError(ValueError):
    """Reports an event that is too long, no UTF-8 or no JSON. The message holds nothing of the event."""


@dataclass(frozen=True, slots=True)
class Event:
    """Holds one event: its bytes, its data, its name, and everything else in it (comments, unknown fields).

    `odd`: it has a field that no standard knows, and that a reader may take for another one.
    """

    raw: bytes = field(repr=False)
    data: str | None = field(repr=False)
    name: str = field(default="", repr=False)
    other: str = field(default="", repr=False)
    odd: bool = False


class SseReader:
    """Takes bytes, gives events.

    Args:
        max_bytes: the most that one event may have.

    Raises (from `feed`):
        FrameError: an event is longer than that, or no UTF-8. The reader is of no use afterwards.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._held = b""
        self._searched = 0
        self._begun = False

    def __repr__(self) -> str:
        return f"SseReader(<{len(self._held)} bytes>)"

    @property
    def rest(self) -> bytes:
        """Gives the bytes behind the last whole event."""
        return self._held

    def feed(self, data: bytes) -> Iterator[Event]:
        """Yields the events that are whole now. Take all of them, or use the reader no more."""
        return map(self.event, self.split(data))

    def split(self, data: bytes) -> Iterator[bytes]:
        """Yields the bytes of the events that are whole now. `event` reads one. Those not taken come the next time."""
        self._held += data
        start, searched = 0, False
        try:
            while True:
                # A blank line at the very start is an event of its own.
                end = _BREAK.match(self._held, start) or _END.search(self._held, max(start, self._searched))
                if (len(self._held) if end is None else end.end()) - start > self._max_bytes:
                    raise FrameError(f"An event has more than {self._max_bytes} bytes.")
                if end is None:
                    searched = True
                    break
                raw = self._held[start : end.end()]
                start, self._searched = end.end(), 0
                yield raw
        finally:
            self._held = self._held[start:]
            self._searched = max(0, len(self._held) - 3) if searched else 0

    def event(self, raw: bytes) -> Event:
        """Reads an event that `split` gave. Read the stream's first one before all others. Raises FrameError."""
        body = raw
        if not self._begun:
            self._begun, body = True, raw.removeprefix(_BOM)
        return parse_event(raw, body)


def parse_event(raw: bytes, body: bytes) -> Event:
    """Parses the event in `body`, which came as `raw`. Raises FrameError."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise FrameError("An event is no UTF-8.") from None
    data: list[str] = []
    other: list[str] = []
    name, odd = "", False
    for line in _LINE.split(text):
        key, colon, value = line.partition(":")
        value = value.removeprefix(" ")
        if key == "data":
            data.append(value)
        elif key == "event":
            other += [name] if name else []  # the last one counts, but all of them are judged
            name = value
        elif line:
            other.append(f"{key} {value}".strip() if colon else key)
            odd = odd or key not in _FIELDS
    return Event(raw, "\n".join(data) if data else None, name, "\n".join(other), odd)


def parse_json(text: str | bytes | bytearray, max_depth: int = 64) -> tuple[Any, bool]:
    """Parses a JSON text. Also says whether an object has a name twice, about which readers may differ.

    Raises:
        FrameError: the text is no JSON, has numbers that JSON has not (NaN), or is nested deeper than `max_depth`.
    """
    twice = False

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal twice
        found = dict(items)
        twice = twice or len(found) < len(items)
        return found

    def no_number(name: str) -> Any:
        raise ValueError

    try:
        # Bytes have to be UTF-8: the decoder would take others as well, and a client might read them otherwise.
        plain = text if isinstance(text, str) else text.decode()
        value = json.loads(plain, object_pairs_hook=pairs, parse_constant=no_number)
        opened = plain.count("{") + plain.count("[")
        if opened >= max_depth and _depth(value, max_depth) > max_depth:
            raise ValueError
    except (ValueError, RecursionError):
        raise FrameError("Expected JSON.") from None
    return value, twice


def _depth(value: Any, most: int) -> int:
    level, depth = [value], 0
    while level and depth <= most:
        depth += 1
        level = [inner for each in level if isinstance(each, dict | list) for inner in _inner(each)]
    return depth


def _inner(value: dict[str, Any] | list[Any]) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


def to_json(value: Any) -> bytes:
    """Writes compact JSON in UTF-8, with lone surrogates escaped."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


def to_event(value: Any, name: str = "") -> bytes:
    """Writes the event that carries `value` as JSON, with a name of letters, digits, dots and underscores, if any."""
    named = f"event: {name}\n".encode() if _NAME.fullmatch(name) else b""
    return named + b"data: " + to_json(value) + b"\n\n"


DONE_EVENT = b"data: [DONE]\n\n"
KEEP_ALIVE = b": keep-alive\n\n"
