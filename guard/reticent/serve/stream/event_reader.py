"""Reads answers that come in typed events: `/v1/responses` and `/v1/messages`.

An answer has items or blocks, one after another, with texts and calls. All texts of a kind are one channel of the one
choice. When another text, call or item begins, the open end of the one before is judged. Each format's reader
interprets its events. This module has what both share.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from reticent.policy.options import OnBlock
from reticent.serve.judging.channels import TextLocation
from reticent.serve.judging.choice import Choice
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.judging.metadata import MetadataJudge
from reticent.serve.options import OnStoppedCall, Permission
from reticent.serve.stream.event_queue import ClientView, EventQueue
from reticent.serve.stream.pending_frames import EventFrame
from reticent.serve.stream.transcript import (
    DeltaPart,
    FullTextPart,
    JsonSlot,
    ToolCallTranscript,
    Transcript,
    TranscriptCallPart,
    WithheldPart,
)
from reticent.serve.stream.upstream_error import sanitized, snapshot
from reticent.serve.stream.walk import Entry, Walk
from reticent.serve.wire import errors
from reticent.serve.wire.fields import TYPES, Rule, SimpleRule, Text
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent.serve.wire.sse import Event, FrameError, parse_json, to_json

_MOST_TEXTS = 4096
"""Most different texts of one answer. Search results have hundreds."""
OTHER = "other"
APART = frozenset({OTHER, "code"})
"""Channels whose texts are independent of each other, such as search results.

Of the model's own texts, one may end in half a value that the next continues.
"""


class EventReader(ABC):
    """Reads the events of one answer.

    Args:
        request: what its texts share.
        parsed: what the client asked for.
        allowed: what it may have.
        on_stopped_call: what becomes of a tool call with a stopped value.
        main: the channel that goes on with the end of the prompt.
    """

    has_template = waits = False
    _items: ClassVar[str]
    """Field of a whole answer that holds its items or blocks."""
    _expected: ClassVar[str]
    """Says what a whole answer has to be, for the error about one that is something else."""

    def __init__(
        self,
        request: GuardedRequest,
        parsed: ParsedRequest,
        allowed: frozenset[Permission],
        on_stopped_call: OnStoppedCall,
        main: str,
    ) -> None:
        self.request, self.parsed, self.allowed = request, parsed, allowed
        self.metadata = MetadataJudge(request, parsed.model)
        self.choice = Choice(request, 0, 0, main, parsed.tools, on_stopped_call, parsed.may_stop)
        self.choices: Mapping[int, Choice] = {0: self.choice}
        self.usage: Any = None
        """The last usage that came."""
        self.queue = EventQueue(self.choice, request, self._client_view())
        self._texts: dict[str, list[Transcript]] = {}
        self._calls: dict[str, list[ToolCallTranscript]] = {}
        self._count = 0
        self._current_place = self._current_message = ""
        self._is_apart = False

    @property
    def over(self) -> bool:
        """Says whether the answer has come to its end, or was ended."""
        return self.choice.over

    @property
    def deadlines(self) -> Iterable[float]:
        """Gives the times at which held texts have to be decided."""
        return self.choice.deadlines

    def expire(self, now: float) -> None:
        """Decides text that has been held for too long."""
        self.choice.expire(now)

    def finish(self, now: float) -> None:
        """Ends the answer. Without a reason for its end it was cut short."""
        if not self.choice.finished:
            self.choice.finish(now)

    def take_templated(self, raw: bytes, now: float) -> bool:
        """Takes no event, as each has a number of its own and has to be read."""
        return False

    def flush_templated(self, now: float, may_judge: bool = True) -> None:  # noqa: B027
        """Does nothing, as `take_templated` takes no event."""

    def settle(self) -> None:  # noqa: B027
        """Does nothing, as no value waits."""

    def frame(self, event: Event, now: float) -> EventFrame:
        """Makes the frame of an event with data. Raises FrameError."""
        assert event.data is not None
        body, twice = parse_json(event.data)
        if not isinstance(body, dict):
            raise FrameError("Expected a JSON object.")
        frame = EventFrame(event.raw, body, changed=twice or not event.raw or event.odd, name=event.name)
        if not self.metadata.allows("comment", event.other):
            frame.changed = True
        kind = body.get("type")
        frame.kind = kind if isinstance(kind, str) else "error" if isinstance(body.get("error"), dict) else ""
        frame.changed = frame.changed or event.name not in ("", frame.kind)  # written anew, it is named by its type
        if self.over:
            frame.dropped = True
            return frame
        entry = Entry(self.choice, body)
        walk = EventWalk(self, entry, now)
        self._read(frame, body, walk)
        frame.entries = [entry]
        frame.raw = walk.with_own_padding(frame.raw)
        frame.changed = frame.changed or walk.changed
        return frame

    def judge_body(self, raw: bytes, now: float) -> bytes:
        """Gives what may be shown of a whole answer. Raises FrameError, ApiError."""
        body, changed = parse_json(raw)
        if not isinstance(body, dict) or not isinstance(body.get(self._items), list):
            raise FrameError(self._expected)
        entry = Entry(self.choice, body)
        walk = EventWalk(self, entry, now)
        owners = self._read_whole(body, walk)
        raw = walk.with_own_padding(raw)
        changed = changed or walk.changed
        for part, owner in zip(entry.parts, owners, strict=True):
            if self.choice.ended:
                part.blank()
                continue
            changed = part.settle() or changed
            if part.ends:
                self.choice.ended = True
                body[self._items] = body[self._items][: owner + (1 if part.order < 2 else 0)]
        if not self.choice.ended:
            return to_json(body) if changed else raw
        policy = self.request.policy
        if self.choice.blocked and policy.on_block is OnBlock.ERROR:
            raise errors.blocked()
        is_replaced = self.choice.blocked and policy.on_block is OnBlock.REPLACE
        return to_json(self._ended_body(body, policy.block_text if is_replaced else None))

    @abstractmethod
    def _read_whole(self, body: dict[str, Any], walk: EventWalk) -> list[int]:
        """Reads a whole answer to its end. Returns for each part the place of its item. Raises FrameError."""

    @abstractmethod
    def _ended_body(self, body: dict[str, Any], replacement: str | None) -> dict[str, Any]:
        """Gives a whole answer that was ended, with its reason. A replacement takes the place of all its items."""

    @abstractmethod
    def _client_view(self) -> ClientView:
        """Makes the client's view, which can end the answer there."""

    @abstractmethod
    def _read(self, frame: EventFrame, body: dict[str, Any], walk: EventWalk) -> None:
        """Reads an event: collects its parts, changes what can be decided at once. Raises FrameError."""

    def read_error(self, frame: EventFrame, body: dict[str, Any], walk: EventWalk, known: Mapping[str, Rule]) -> None:
        """Reads the upstream's error, under `error`, beside it, or both."""
        flat, nested = snapshot(body), snapshot(body.get("error"))
        walk.object(body, known, SimpleRule.METADATA, "error")
        frame.failed = True
        if nested is not None:
            shown = sanitized(body.get("error"), nested, self.metadata)
            walk.changed = walk.changed or shown is not body.get("error")
            body["error"] = (
                {name: shown[name] for name in nested if name in shown} if isinstance(nested, dict) else shown
            )
        if flat.get("message") is not None and body.get("message") is None:
            shown = sanitized(body, {**flat, "type": None}, self.metadata)
            body |= {name: shown[name] for name in ("message", "code", "param")}

    def read_unknown(self, frame: EventFrame, body: dict[str, Any], walk: EventWalk, known: Mapping[str, Rule]) -> None:
        """Judges an event that no table names, and drops it if its type may not be shown."""
        if not self.metadata.allows_name(frame.kind):
            frame.dropped = True
        walk.running = frame.kind.endswith("delta")
        walk.place = frame.kind
        walk.object(
            body,
            {**known, "type": SimpleRule.HANDLED},
            SimpleRule.TEXT if walk.running else SimpleRule.METADATA,
            frame.kind,
        )

    def message_of(self, place: str) -> str:
        """Names the message whose running text goes on at a place, in one part after another. Empty: it has none."""
        return place.rpartition("[")[0]

    def switch_to(self, place: str, now: float) -> None:
        """Judges what is open, as something else goes on. The parts of one message are one running text."""
        if place == self._current_place:
            return
        message = self.message_of(place)
        if not message or message != self._current_message:
            self.choice.finish_open(now)
            self._is_apart = True
        self._current_place, self._current_message = place, message

    def feed(self, transcript: Transcript, text: str, place: str, now: float, is_full: bool) -> TextLocation:
        """Takes the new part of a text. Returns its location. A whole text of its own is judged at once."""
        channel, alone = transcript.channel, is_full and transcript.channel in APART
        if not alone:
            self.switch_to(place, now)
        if transcript.received.chars == 0 and (alone or self._is_apart):
            self.choice.end_text(channel, now, cut=True)
        self._is_apart = self._is_apart and alone
        transcript.received.add(text)
        location = self.choice.feed(channel, text, now)
        if alone:
            self.choice.end_text(channel, now, cut=False)
        return location

    def shown_text(self, place: str) -> str:
        """Gives what was shown of the text at a place."""
        texts = self._texts.get(place)
        return texts[0].shown.text if texts else ""

    def text_at(self, place: str, channel: str) -> Transcript:
        """Gives the text at a place, or a new one."""
        return self._texts[place][0] if place in self._texts else self._new_text(place, channel)

    def full_text(self, place: str, channel: str, text: str) -> Transcript:
        """Gives the transcript of a full text: the one at that place, the same one elsewhere, or a new one."""
        here = self._texts.get(place, [])
        everywhere = (each for texts in self._texts.values() for each in texts if each.channel == channel)
        for transcript in (*here, *everywhere):
            if transcript.channel == channel and transcript.matches(text):
                return transcript
        for transcript in here:
            if transcript.channel == channel and transcript.is_continued_by(text):
                return transcript
        return self._new_text(place, channel)

    def _new_text(self, place: str, channel: str) -> Transcript:
        self._count += 1
        if self._count > _MOST_TEXTS:
            raise FrameError(f"One answer may have {_MOST_TEXTS} texts.")
        transcript = Transcript(channel)
        self._texts.setdefault(place, []).append(transcript)
        return transcript

    def call_at(self, place: str, name: str, arguments: str | None = None) -> ToolCallTranscript:
        """Gives the call at a place.

        If its name or all of its arguments are given, it is the call that has them, the one that goes on with them, or
        a new one.
        """
        calls = self._calls.setdefault(place, [])
        for call in calls:
            same = not name or call.name in ("", name)
            if same and (arguments is None or arguments.startswith(call.received.text)):
                return call
        calls.append(ToolCallTranscript(self.choice.call(f"{place}'{len(calls)}")))
        return calls[-1]


class EventWalk(Walk):
    """Walks over one event.

    Args:
        reader: the answer.
        entry: collects the event's parts.
        now: the time.
    """

    def __init__(self, reader: EventReader, entry: Entry, now: float) -> None:
        super().__init__(reader.metadata, reader.allowed, now, reader.parsed.body)
        self._reader, self._entry, self.now = reader, entry, now
        self.entry = entry
        self.place = ""
        self._pending_tokens: Any = None
        self.running = False
        """Says whether strings that no table names are pieces of running texts."""

    def read_delta(self, slot: JsonSlot, channel: str, at: str, tokens: JsonSlot | None = None) -> Transcript:
        """Reads a piece of the text at a place of the answer."""
        holder, key = slot
        transcript = self._reader.text_at(at, channel)
        value = holder[key]
        self._pass_tokens(all_of_it=True)
        if isinstance(value, str) and value:
            location = self._reader.feed(transcript, value, at, self.now, is_full=False)
            self._entry.parts.append(DeltaPart(transcript, slot, value, location, tokens))
        elif tokens is not None:
            self._set(*tokens, [])
        if not isinstance(value, str):
            self._judge_metadata(holder, key, f".{channel}")
        return transcript

    def read_full_text(self, slot: JsonSlot, channel: str, at: str, tokens: JsonSlot | None = None) -> Transcript:
        """Reads the whole text at a place of the answer."""
        holder, key = slot
        text = holder[key]
        if not isinstance(text, str):
            self._judge_metadata(holder, key, f".{channel}")
            text = ""
        transcript = self._reader.full_text(at, channel, text)
        if not text:
            self._pending_tokens = None
            if tokens is not None:
                self._set(*tokens, [])
            return transcript
        rest, new = text[transcript.received.chars :], None
        self._pass_tokens(all_of_it=transcript.received.chars == 0)
        if rest:
            new = rest, self._reader.feed(transcript, rest, at, self.now, is_full=True)
        self._entry.parts.append(FullTextPart(transcript, slot, new, tokens))
        return transcript

    def read_call(self, transcript: ToolCallTranscript, slot: JsonSlot | None, is_full: bool) -> None:
        """Reads a part of a call."""
        self._entry.parts.append(TranscriptCallPart(transcript, slot, is_full))

    def all_or_nothing(self, value: dict[str, Any], known: Mapping[str, Rule], path: str) -> None:
        """Withholds a value whole, and ends the answer, if anything in it may not be shown.

        Reads the `known` fields first.
        """
        self.object(value, known, SimpleRule.HANDLED, path)
        before, self.changed = self.changed, False
        for name in [name for name in value if name not in known]:
            self._visit(value, name, SimpleRule.METADATA, f"{path}.{name}")
        if self.changed:
            self._entry.parts.append(WithheldPart())
        self.changed = self.changed or before

    def tokens(self, holder: dict[str, Any], key: str = "logprobs") -> JsonSlot | None:
        """Gives the slot of log-probabilities, if there are any and the client may have them.

        Otherwise they are emptied, as they are if we asked for them. They are the tokens of the text that is read next.
        """
        value = self._pending_tokens = holder.get(key)
        if value is None or value == []:
            return None
        wanted, ours = self._reader.parsed.alternatives, self._reader.request.detector is not None
        if Permission.LOGPROBS in self._allowed and isinstance(value, list) and not (ours and wanted is None):
            if ours and wanted is not None and any(_has_more(token, wanted) for token in value):
                self._set(holder, key, [_cut_alternatives(token, wanted) for token in value])
            return holder, key
        self._set(holder, key, [])
        return None

    def _pass_tokens(self, all_of_it: bool) -> None:
        """Gives the choice the tokens of the text that comes next, if they are those of all its new part."""
        tokens, self._pending_tokens = self._pending_tokens, None
        self._reader.choice.take_tokens(
            {"logprobs": {"content": tokens}} if all_of_it and isinstance(tokens, list) else {}, None
        )

    def _text(self, holder: Any, key: str | int, channel: str, path: str) -> None:
        value = holder[key]
        if isinstance(value, list):
            for at, each in enumerate(value):
                inner = f"{path}[{at}]"
                if isinstance(each, dict):
                    self.object(each, {"type": TYPES, "text": Text(channel)}, SimpleRule.TEXT, inner)
                else:
                    self._visit(value, at, Text(channel), inner)
        elif not isinstance(value, str):
            self._judge_metadata(holder, key, path)
        elif self.running:
            self.read_delta((holder, key), path, f"{self.place}{path}")
        else:
            self.read_full_text((holder, key), OTHER if channel == path else channel, f"{self.place}{path}")


def _has_more(token: Any, most: int) -> bool:
    """Says whether a token has more alternatives than `most`."""
    return isinstance(token, dict) and isinstance(top := token.get("top_logprobs"), list) and len(top) > most


def _cut_alternatives(token: Any, most: int) -> Any:
    return {**token, "top_logprobs": token["top_logprobs"][:most]} if _has_more(token, most) else token
