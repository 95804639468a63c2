"""Reads events by a template, as most differ from the one before only in their piece of text and its tokens.

A template is made of a chunk that was read, if everything beside its one text has a known meaning. Its holes are the
text and, where a detector reads them, the log-probabilities and ids of its tokens, which the client is not shown. In
another event with the same bytes between the holes, only these are new. Every other event is read from scratch.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from reticent.serve.wire.sse import to_event, to_json

TOKENS = ("logprobs", "token_ids")
"""Names of the fields of a choice that tell of its tokens."""
_MOST_OPENED = 64
"""Brackets of an event that is read by a template; one with more may be nested too deep (`parse_json`)."""
_MARK = "\x00"


def _refuse(name: str) -> Any:
    raise ValueError


_SCAN = json.JSONDecoder(parse_constant=_refuse).raw_decode


class ChunkText(NamedTuple):
    """Holds what is new in an event: its text, and what it tells of the text's tokens."""

    text: str
    tokens: dict[str, Any]


class ChunkTemplate:
    """Holds the bytes and the JSON around a chunk's text.

    Args:
        raw: the event that carries the chunk.
        body: the chunk as the client is shown it, parsed.
        holder: `delta` for a text within it, empty for one in the choice itself.
        key: the name of the text's field.
        choice: the number of its choice.
        changed: whether it has to be written anew.
        tokens: names of the fields, of `TOKENS`, that are holes.
    """

    def __init__(
        self,
        raw: bytes,
        body: dict[str, Any],
        holder: str,
        key: str,
        choice: int,
        changed: bool = False,
        tokens: Sequence[str] = (),
    ) -> None:
        self._body, self._holder, self.key, self.choice = body, holder, key, choice
        self._body = self.with_text("")[0]  # what is read may yet be changed
        self.changed, self._names = changed, tuple(tokens)
        try:
            self._fixed = self._around_holes(raw)
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            self._fixed = None
        self._first = self._fixed[0].encode() if self._fixed else b""
        self._breaks = _breaks(raw)
        self._written = to_event(self.with_text(_MARK)[0]).split(to_json(_MARK))
        self.usable = self._fixed is not None and len(self._written) == 2

    def __repr__(self) -> str:
        return f"ChunkTemplate(choice={self.choice}, usable={self.usable})"

    def read(self, raw: bytes) -> ChunkText | None:
        """Gives what is new in an event that differs in nothing else, or None."""
        if self._fixed is None or not raw.startswith(self._first):
            return None
        try:
            source, at, values = raw.decode(), 0, list[Any]()
            for fixed in self._fixed[:-1]:
                if not source.startswith(fixed, at):
                    return None
                value, at = _SCAN(source, at + len(fixed))
                values.append(value)
        except (ValueError, RecursionError):
            return None
        text, *told = values
        if not (text and isinstance(text, str)) or source[at:] != self._fixed[-1]:
            return None
        if told and (source.count("{") + source.count("[") >= _MOST_OPENED or _breaks(raw) != self._breaks):
            return None
        return ChunkText(text, dict(zip(self._names, told, strict=True)))

    def written(self, text: str) -> bytes:
        """Writes the chunk anew, with this text."""
        before, behind = self._written
        return before + to_json(text) + behind

    def with_text(self, text: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        """Gives the parsed chunk with this text: its body, its choice, and the object that holds the text."""
        choice = dict(self._body["choices"][0])
        body = {**self._body, "choices": [choice]}
        holder = choice
        if self._holder:
            holder = choice[self._holder] = dict(choice[self._holder])
        holder[self.key] = text
        return body, choice, holder

    def _around_holes(self, raw: bytes) -> list[str] | None:
        """Gives the text around the holes, or None if they do not stand where they are looked for."""
        source, at, fixed, marks = raw.decode(), 0, list[str](), dict[str, str]()
        for name in (self.key, *self._names):
            begin = source.find(f'"{name}":', at)
            if begin < 0:
                return None
            begin += len(name) + 3
            begin += len(source[begin:]) - len(source[begin:].lstrip(" "))
            fixed.append(source[at:begin])
            marks[name] = f"{_MARK}{name}"
            at = _SCAN(source, begin)[1]
        fixed.append(source[at:])
        holes = [json.dumps(mark) for mark in marks.values()]
        filled = "".join(each for pair in zip(fixed, [*holes, ""], strict=True) for each in pair)
        choice = json.loads(filled.removeprefix("data:"))["choices"][0]
        found = {name: choice.get(name) for name in self._names}
        found[self.key] = (choice[self._holder] if self._holder else choice).get(self.key)
        return fixed if found == marks else None


def _breaks(raw: bytes) -> tuple[int, int]:
    """Counts the ends of lines, of which an event has more if its data have several lines."""
    return raw.count(b"\n"), raw.count(b"\r")
