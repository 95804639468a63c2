"""Keeps texts that come more than once, so that each is shown the same every time.

A stream of typed events sends a text in pieces, and then all of it again, two to five times. A *transcript* keeps what
came of one text and what was shown of it. A full text that equals what came so far is shown as before. Whatever goes
beyond that is new and judged. A full text that differs is a text of its own.
"""

from __future__ import annotations

import json
from typing import Any

from reticent.serve.judging.channels import TextLocation
from reticent.serve.judging.tool_calls import ToolCall
from reticent.serve.stream.logprobs import settle_chat
from reticent.serve.stream.pending_parts import TextPart

JsonSlot = tuple[Any, Any]
"""Slot in a frame's JSON: an object or list, and a name or number in it."""


class _Pieces:
    """Holds a text that grows."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self.chars = 0

    def add(self, piece: str) -> None:
        self._pieces.append(piece)
        self.chars += len(piece)

    @property
    def text(self) -> str:
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return "".join(self._pieces)


class Transcript:
    """Keeps one text, over all frames that carry it.

    Args:
        channel: the running text of the choice that it is part of.
    """

    def __init__(self, channel: str) -> None:
        self.channel = channel
        self.received, self.shown = _Pieces(), _Pieces()
        self.changed = False
        """Says whether what was shown differs from what came."""
        self.tokens_received: list[Any] = []
        self.tokens_shown: list[Any] = []

    def __repr__(self) -> str:
        return f"Transcript({self.channel!r}, <{self.received.chars} chars>)"

    def matches(self, text: str) -> bool:
        """Says whether the text equals what came so far."""
        return len(text) == self.received.chars and text == self.received.text

    def is_continued_by(self, text: str) -> bool:
        """Says whether the text begins with what came so far."""
        return len(text) >= self.received.chars and text.startswith(self.received.text)


class DeltaPart(TextPart):
    """Holds a piece of a text, as the stream sends it.

    Args:
        transcript: the whole text.
        slot: where the piece is.
        location: where it is in its segment.
        tokens: the slot of its log-probabilities, if it has any that may be shown.
    """

    def __init__(
        self,
        transcript: Transcript,
        slot: JsonSlot,
        text: str,
        location: TextLocation,
        tokens: JsonSlot | None,
    ) -> None:
        super().__init__(*slot, text, transcript.channel, location)
        self._transcript, self._tokens = transcript, tokens

    def settle(self) -> bool:
        changed = super().settle()
        transcript = self._transcript
        transcript.shown.add(self._holder[self._key])
        transcript.changed = transcript.changed or changed
        if self._tokens is not None:
            changed = self._settle_tokens(*self._tokens) or changed
        return changed

    def _settle_tokens(self, holder: Any, key: str) -> bool:
        received = holder[key]
        shown, _ = settle_chat({self.channel: received}, [self])
        kept = (None if shown is None else shown[self.channel]) or []
        self._transcript.tokens_received += received
        self._transcript.tokens_shown += kept
        holder[key] = kept
        return bool(kept != received)


class FullTextPart:
    """Holds a whole text, of which a part may be new.

    Args:
        transcript: the text.
        slot: where it is.
        rest: its new part with the location; None if all of it is known.
        tokens: the slot of its log-probabilities, if it has any that may be shown.
    """

    order = 1

    def __init__(
        self,
        transcript: Transcript,
        slot: JsonSlot,
        rest: tuple[str, TextLocation] | None,
        tokens: JsonSlot | None,
    ) -> None:
        self._transcript, (self._holder, self._key) = transcript, slot
        self._repeats, self._new = tokens, None
        self._rest: dict[str, Any] = {"text": ""}
        if rest is not None:
            self._rest["text"] = rest[0]
            if tokens is not None and len(rest[0]) == len(self._holder[self._key]):  # nothing of it came before
                self._rest["tokens"], self._repeats = tokens[0][tokens[1]], None
            own = (self._rest, "tokens") if "tokens" in self._rest else None
            self._new = DeltaPart(transcript, (self._rest, "text"), rest[0], rest[1], own)
        self._tokens = tokens
        self.ends = False

    @property
    def ready(self) -> bool:
        return self._new is None or self._new.ready

    def settle(self) -> bool:
        if self._new is not None:
            self._new.settle()
            self.ends = self._new.ends
        changed = self._show()
        if self._tokens is not None:
            holder, key = self._tokens
            known = self._transcript.tokens_received == holder[key]
            shown = self._rest["tokens"] if self._repeats is None else self._transcript.tokens_shown if known else []
            changed = changed or shown != holder[key]
            holder[key] = shown
        return changed

    def blank(self) -> None:
        """Keeps what was shown of the text, as the answer ended before."""
        self._show()
        if self._tokens is not None:
            self._tokens[0][self._tokens[1]] = []

    def _show(self) -> bool:
        text = self._transcript.shown.text
        changed = bool(self._holder[self._key] != text)
        self._holder[self._key] = text
        return changed


class AttachedPart:
    """Holds what is removed with a changed text: its signature, and cited places in it."""

    order = 1
    ends = False
    ready = True

    def __init__(self, transcript: Transcript, slot: JsonSlot, instead: Any) -> None:
        self._transcript, (self._holder, self._key), self._instead = transcript, slot, instead

    def settle(self) -> bool:
        changed = self._transcript.changed and self._holder[self._key] != self._instead
        if changed:
            self._holder[self._key] = self._instead
        return bool(changed)

    def blank(self) -> None:
        self._holder[self._key] = self._instead


class ToolCallTranscript:
    """Keeps one tool call, over all frames that carry it."""

    def __init__(self, tool_call: ToolCall) -> None:
        self.tool_call = tool_call
        self.name = ""
        self.received = _Pieces()
        self._begun = False

    def feed(self, name: str, arguments: str) -> None:
        """Takes a part of the call."""
        self.tool_call.feed(name, arguments)
        self.name += name
        self.received.add(arguments)

    def instead(self, is_full: bool) -> str | None:
        """Gives replaced arguments, if any: the whole, or piece for piece with all in the first piece."""
        shown = self.tool_call.instead
        if shown is None or is_full:
            return shown
        shown, self._begun = "" if self._begun else shown, True
        return shown


class TranscriptCallPart:
    """Holds a frame's part of a tool call. If the call is withheld, so is the frame, and the answer ends.

    Args:
        transcript: the call.
        slot: where the arguments are, or None if this frame has none; as a text, or as the JSON that they are.
        is_full: whether the slot has all of them.
    """

    order = 2

    def __init__(self, transcript: ToolCallTranscript, slot: JsonSlot | None, is_full: bool) -> None:
        self._transcript, self._slot, self._is_full = transcript, slot, is_full
        self.ends = False

    @property
    def ready(self) -> bool:
        return self._transcript.tool_call.complete

    def settle(self) -> bool:
        self.ends = self._transcript.tool_call.withheld
        if self.ends or self._slot is None:
            return self.ends
        holder, key = self._slot
        shown = self._transcript.instead(self._is_full)
        if shown is None:
            return False
        holder[key] = shown if isinstance(holder[key], str) else json.loads(shown)
        return True

    def blank(self) -> None:
        """Does nothing, as its frame is withheld."""


class WithheldPart:
    """Holds something that cannot be shown in part, so that the answer ends before it."""

    order = 2
    ends = True
    ready = True

    def settle(self) -> bool:
        return True

    def blank(self) -> None:
        """Does nothing, as its frame is withheld."""
