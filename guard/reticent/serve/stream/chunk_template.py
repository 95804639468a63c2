"""Reads events by a template, as most differ from the one before only in their piece of text.

A template is made of a chunk that was read and not changed, if everything beside its one text has a known meaning. In
another event with the same bytes before and behind its text, only the text is new. A text with escapes, and every other
event, is read from scratch.
"""

from __future__ import annotations

import json
import re
from typing import Any

_PLAIN = re.compile(rb'[^"\\\x00-\x1f]+')


class ChunkTemplate:
    """Holds the bytes and the JSON around a chunk's text.

    Args:
        raw: the event that carries the chunk.
        body: the chunk, parsed.
        holder: `delta` for a text within it, empty for one in the choice itself.
        key: the name of the text's field.
        choice: the number of its choice.
    """

    def __init__(self, raw: bytes, body: dict[str, Any], holder: str, key: str, choice: int) -> None:
        self._body, self._holder, self.key, self.choice = body, holder, key, choice
        self._body = self.with_text("")[0]  # what is read may yet be changed
        place = _find_text(raw, key)
        self.usable = place is not None
        begin, end = place or (0, 0)
        self._before, self._behind = raw[:begin], raw[end:]

    def __repr__(self) -> str:
        return f"ChunkTemplate(choice={self.choice}, usable={self.usable})"

    def text(self, raw: bytes) -> str | None:
        """Gives the text of an event that differs in nothing else, or None."""
        if not (raw.startswith(self._before) and raw.endswith(self._behind)):
            return None
        found = _PLAIN.fullmatch(raw, len(self._before), len(raw) - len(self._behind))
        try:
            return None if found is None else found[0].decode()
        except UnicodeDecodeError:
            return None

    def with_text(self, text: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        """Gives the parsed chunk with this text: its body, its choice, and the object that holds the text."""
        choice = dict(self._body["choices"][0])
        body = {**self._body, "choices": [choice]}
        holder = choice
        if self._holder:
            holder = choice[self._holder] = dict(choice[self._holder])
        holder[self.key] = text
        return body, choice, holder


def _find_text(raw: bytes, key: str) -> tuple[int, int] | None:
    """Finds the range of the text in the event, without its quotes. None if that is ambiguous."""
    name = json.dumps(key).encode() + b":"
    if raw.count(name) != 1:
        return None
    begin = raw.index(name) + len(name)
    while raw[begin : begin + 1] == b" ":
        begin += 1
    if raw[begin : begin + 1] != b'"':
        return None
    found = _PLAIN.match(raw, begin + 1)
    return None if found is None or raw[found.end() : found.end() + 1] != b'"' else found.span()
