"""Holds the pieces of a frame that wait for a decision, and writes each back into it.

A part is *ready* once everything in it is decided. `settle` writes what may be shown into the frame's JSON, and says
whether that differs from what came. Afterwards `ends` is true if the choice ends here.
"""

from __future__ import annotations

from typing import Any, Protocol

from reticent.serve.judging.channels import TextLocation
from reticent.serve.judging.tool_calls import ToolCall


class PendingPart(Protocol):
    """Holds a piece of a choice's entry in a frame."""

    order: int
    """Parts of one entry are settled in the order in which a model writes them: reasoning, texts, calls."""
    ends: bool

    @property
    def ready(self) -> bool: ...

    def settle(self) -> bool: ...

    def blank(self) -> None:
        """Withholds it, as the choice ended before it."""
        ...


class TextPart:
    """Holds a piece of a running text, at `holder[key]`."""

    def __init__(self, holder: Any, key: str | int, text: str, channel: str, location: TextLocation) -> None:
        self._holder, self._key, self.channel, self.text = holder, key, channel, text
        self.segment, self.start, self.end = location
        self.order = 0 if channel.startswith("reasoning") else 1
        self.ends = False

    @property
    def ready(self) -> bool:
        return self.segment.settled(self.end)

    @property
    def has_text(self) -> bool:
        """Says whether there is any text at its place."""
        return bool(self._holder[self._key])

    def settle(self) -> bool:
        shown = self.segment.shown(self.start, self.end)
        self.ends = self.segment.stopped and self.end >= self.segment.decided
        if shown.changed:
            self._holder[self._key] = shown.text
        return shown.changed

    def blank(self) -> None:
        self._holder[self._key] = ""


class ToolCallPart:
    """Holds a piece of a tool call: an item of a list of calls, or a message's `function_call`.

    Args:
        holder: the object or list with the piece, under `key`; `function` is the object with its name and arguments.
        field: which of its fields holds the arguments.
    """

    order = 2

    def __init__(self, holder: Any, key: str | int, function: dict[str, Any], field: str, call: ToolCall) -> None:
        self._holder, self._key, self._function, self._field, self._call = holder, key, function, field, call
        self._item = holder[key]
        self.ends = False

    @property
    def ready(self) -> bool:
        return self._call.complete

    def settle(self) -> bool:
        if self._call.withheld:
            self.ends = True
            self.blank()
            return True
        if self._call.instead is None or not isinstance(self._function.get(self._field), str):
            return False
        self._function[self._field] = self._call.take()
        return True

    def blank(self) -> None:
        if isinstance(self._holder, list):
            self._holder[:] = [item for item in self._holder if item is not self._item]
        else:
            self._holder.pop(self._key, None)
