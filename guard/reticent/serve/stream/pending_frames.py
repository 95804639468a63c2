"""Holds what came of a response, and the parts of it that wait for a decision."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from reticent.serve.judging.channels import TextLocation
from reticent.serve.judging.choice import Choice
from reticent.serve.stream.chunk_template import ChunkTemplate, ChunkText
from reticent.serve.stream.pending_parts import TextPart
from reticent.serve.stream.walk import Entry


@dataclass
class Frame:
    """Holds one upstream event or one whole body: its bytes, its JSON, and the parts that wait for a decision.

    `body`: the JSON, or None if there is none.
    `changed`: whether its JSON has to be written anew.
    `dropped`: whether choices were taken out of it, since they had ended.
    `judged`: whether something else than a running text was judged in it.
    `failed`: whether it is the upstream's error, and so the stream's last frame.
    """

    raw: bytes = field(repr=False)
    body: dict[str, Any] | None = field(default=None, repr=False)
    entries: list[Entry] = field(default_factory=list)
    changed: bool = False
    dropped: bool = False
    judged: bool = False
    failed: bool = False

    @property
    def ready(self) -> bool:
        """Says whether everything in it has been decided."""
        return all(part.ready for entry in self.entries for part in entry.parts)

    def written(self) -> bytes | None:
        """Gives the bytes that leave, as far as they are known without reading it."""
        return None

    def to_frame(self) -> Frame:
        """Gives itself."""
        return self


@dataclass
class EventFrame(Frame):
    """Holds an event: its name, its type, and the item or block and the text that it is about."""

    name: str = ""
    kind: str = ""
    item: int = 0
    text: str = ""


class TextFrame:
    """Holds a chunk that differs from its template in nothing but its text.

    Its JSON is made only if it has to be written anew. `location` is set once its text is with the judge.
    """

    __slots__ = ("_template", "choice", "location", "raw", "text", "tokens")

    def __init__(self, raw: bytes, template: ChunkTemplate, new: ChunkText, choice: Choice) -> None:
        self.raw, self._template, self.choice = raw, template, choice
        self.text, self.tokens = new
        self.location: TextLocation | None = None

    def __repr__(self) -> str:
        return f"TextFrame(<{len(self.text)} chars>, choice={self.choice.index})"

    @property
    def ready(self) -> bool:
        """Says whether its text has been decided."""
        return self.location is not None and self.location[0].settled(self.location[2])

    def written(self) -> bytes | None:
        """Gives the bytes that leave, if its text leaves as it came."""
        if self.location is None or self.choice.ended:
            return None
        segment, start, end = self.location
        if segment.stopped or segment.shown(start, end).changed:
            return None
        self.choice.begun = True
        return self._template.written(self.text) if self._template.changed else self.raw

    def to_frame(self) -> Frame:
        """Makes the frame that reading it gives."""
        assert self.location is not None
        body, value, holder = self._template.with_text(self.text)
        key = self._template.key
        part = TextPart(holder, key, self.text, key, self.location)
        return Frame(self.raw, body, [Entry(self.choice, value, [part])], self._template.changed)
