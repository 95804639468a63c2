"""Holds what came of a response, and the parts of it that wait for a decision."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from reticent.serve.judging.channels import TextLocation
from reticent.serve.judging.choice import Choice
from reticent.serve.stream.chunk_template import ChunkTemplate
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

    def leaves_unchanged(self) -> bool:
        """Says whether it leaves unchanged, as far as that is known without reading it."""
        return False

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

    __slots__ = ("_template", "choice", "location", "raw", "text")

    def __init__(self, raw: bytes, template: ChunkTemplate, text: str, choice: Choice) -> None:
        self.raw, self._template, self.text, self.choice = raw, template, text, choice
        self.location: TextLocation | None = None

    def __repr__(self) -> str:
        return f"TextFrame(<{len(self.text)} chars>, choice={self.choice.index})"

    @property
    def ready(self) -> bool:
        """Says whether its text has been decided."""
        return self.location is not None and self.location[0].settled(self.location[2])

    def leaves_unchanged(self) -> bool:
        """Says whether it leaves as it came."""
        if self.location is None or self.choice.ended:
            return False
        segment, start, end = self.location
        if segment.stopped or segment.shown(start, end).changed:
            return False
        self.choice.begun = True
        return True

    def to_frame(self) -> Frame:
        """Makes the frame that reading it gives."""
        assert self.location is not None
        body, value, holder = self._template.with_text(self.text)
        key = self._template.key
        return Frame(
            self.raw, body, [Entry(self.choice, value, [TextPart(holder, key, self.text, key, self.location)])]
        )
