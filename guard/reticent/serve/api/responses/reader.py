"""Reads `/v1/responses`, streamed and whole, and recognises texts that come more than once."""

from __future__ import annotations

from typing import Any

from reticent.serve.api.responses.client_view import FILTERED, ResponsesClientView, message
from reticent.serve.api.responses.fields import (
    ANNOTATION,
    BEGUN,
    CALL_ITEMS,
    CALLS,
    CODE,
    ENDED,
    EVENT,
    ITEM,
    ITEMS,
    PART_TEXTS,
    PARTS,
    RESPONSE,
    TEXTS,
    UNREADABLE,
)
from reticent.serve.stream.event_queue import ClientView
from reticent.serve.stream.event_reader import EventReader, EventWalk
from reticent.serve.stream.pending_frames import EventFrame
from reticent.serve.stream.transcript import AttachedPart, ToolCallTranscript
from reticent.serve.wire.fields import Rule, SimpleRule
from reticent.serve.wire.sse import FrameError, to_json

_MOST_ITEMS = 256


class ResponsesReader(EventReader):
    """Reads one response of `/v1/responses`.

    Servers differ in how they number items, and some do not. An item is known by its number, else by its id. A text
    that comes under another number than before is recognised by its content.
    """

    _items, _expected = "output", "Expected a response with output."

    def _client_view(self) -> ClientView:
        self._numbers: dict[str, int] = {}
        return ResponsesClientView(self)

    def _read_whole(self, body: dict[str, Any], walk: EventWalk) -> list[int]:
        owners = self._response(body, walk)
        self._finish(body, walk.now)
        return owners

    def _ended_body(self, body: dict[str, Any], replacement: str | None) -> dict[str, Any]:
        if replacement is not None:
            body["output"] = [message(f"msg_{self.request.id}", replacement)]
        elif body["output"] and "status" in body["output"][-1]:
            body["output"][-1]["status"] = "incomplete"
        body.pop("output_text", None)
        return {**body, **FILTERED}

    def _read(self, frame: EventFrame, body: dict[str, Any], walk: EventWalk) -> None:
        kind = frame.kind
        family, _, step = kind.rpartition(".")
        if kind in BEGUN or kind in ENDED:
            walk.object(body, {**EVENT, "response": SimpleRule.HANDLED}, SimpleRule.METADATA, "")
            response = body.get("response")
            if not isinstance(response, dict):
                raise FrameError("Expected a response.")
            self._response(response, walk)
            if kind in ENDED:
                self.choice.finished = True
                self._finish(response, walk.now)
        elif kind in UNREADABLE:
            frame.dropped = True
        elif kind == "error":
            self.read_error(frame, body, walk, EVENT)
        elif family == "response.output_item" and step in ("added", "done"):
            self._item_event(frame, body, walk, step)
        elif family in PARTS and step in ("added", "done"):
            self._part_event(frame, body, walk, PARTS[family], step)
        elif family in TEXTS and step in ("delta", "done"):
            self._text_event(frame, body, walk, family, step)
        elif kind == "response.output_text.annotation.added":
            walk.place = kind
            walk.object(body, {**EVENT, "annotation": ANNOTATION}, SimpleRule.METADATA, "")
        elif family == CODE and step in ("delta", "done"):
            frame.item = self._number(body)
            name, read_text = ("delta", walk.read_delta) if step == "delta" else ("code", walk.read_full_text)
            walk.object(body, {**EVENT, name: SimpleRule.HANDLED}, SimpleRule.METADATA, "")
            if name in body:
                read_text((body, name), "code", f"{frame.item}.code")
        elif family in CALLS and step in ("delta", "done"):
            self._call_event(frame, body, walk, CALLS[family], step)
        else:
            self.read_unknown(frame, body, walk, EVENT)

    def _item_event(self, frame: EventFrame, body: dict[str, Any], walk: EventWalk, step: str) -> None:
        item = body.get("item")
        if not isinstance(item, dict):
            raise FrameError("Expected an item.")
        frame.item = self._number(body, item)  # by ids as they came
        walk.object(body, {**EVENT, "item": SimpleRule.HANDLED}, SimpleRule.METADATA, "")
        if step == "added":
            self.switch_to(f"{frame.item}", walk.now)
        self._item(item, frame.item, walk, done=step == "done")

    def _part_event(self, frame: EventFrame, body: dict[str, Any], walk: EventWalk, where: str, step: str) -> None:
        part = body.get("part")
        if not isinstance(part, dict):
            raise FrameError("Expected a part.")
        frame.item = self._number(body)
        walk.object(body, {**EVENT, "part": SimpleRule.HANDLED}, SimpleRule.METADATA, "")
        frame.text = f"{frame.item}.{where}[{_index(body, f'{where}_index')}]"
        if step == "added":
            self.switch_to(frame.text, walk.now)
        self._part(part, frame.text, walk)

    def _text_event(self, frame: EventFrame, body: dict[str, Any], walk: EventWalk, family: str, step: str) -> None:
        field = TEXTS[family]
        name = "delta" if step == "delta" else field.full_text_field
        walk.running, walk.place = step == "delta", frame.kind
        other = SimpleRule.TEXT if walk.running else SimpleRule.METADATA
        frame.item = self._number(body)
        walk.object(body, {**EVENT, name: SimpleRule.HANDLED, "logprobs": SimpleRule.HANDLED}, other, "")
        frame.text = f"{frame.item}.{field.parts}[{_index(body, field.number)}]"
        read_text = walk.read_delta if walk.running else walk.read_full_text
        if name in body:
            read_text((body, name), field.channel, frame.text, walk.tokens(body))

    def _call_event(self, frame: EventFrame, body: dict[str, Any], walk: EventWalk, field: str, step: str) -> None:
        name = "delta" if step == "delta" else field
        walk.running, walk.place = step == "delta", frame.kind
        other = SimpleRule.TEXT if walk.running else SimpleRule.METADATA
        frame.item = self._number(body)
        walk.object(body, {**EVENT, name: SimpleRule.HANDLED, "name": SimpleRule.HANDLED}, other, "")
        self._call(body, name, frame.item, walk, done=step == "done", piece=step == "delta")

    def _response(self, response: dict[str, Any], walk: EventWalk) -> list[int]:
        """Reads a response object. Returns for each part the place of its item."""
        if self.request.detector is not None:
            for name in ("include", "top_logprobs"):  # as the client asked, not as we did
                if name in response and response[name] != (wanted := self.parsed.body.get(name)):
                    response[name] = wanted
                    walk.changed = True
        walk.object(response, RESPONSE, SimpleRule.METADATA, "response")
        if response.get("usage") is not None:
            self.usage = response["usage"]
        output = response.get("output")
        if output is None:
            return []
        if not isinstance(output, list) or len(output) > _MOST_ITEMS:
            raise FrameError("Expected a list of items.")
        owners: list[int] = []
        entry = walk.entry
        assert entry is not None
        for at, item in enumerate(output):
            if not isinstance(item, dict):
                raise FrameError("Expected an item.")
            self._item(item, self._number({"output_index": at}, item, by_id=True), walk, done=True)
            owners += [at] * (len(entry.parts) - len(owners))
        return owners

    def _item(self, item: dict[str, Any], number: int, walk: EventWalk, done: bool) -> None:
        kind = item.get("type")
        walk.place, walk.running = f"{number}", False
        fields = ITEMS.get(kind) if isinstance(kind, str) else None
        if fields is None or not isinstance(kind, str):
            walk.all_or_nothing(item, {name: rule for name, rule in ITEM.items() if name != "type"}, "item")
            return
        if kind in CALL_ITEMS:
            self._call(item, CALL_ITEMS[kind], number, walk, done, piece=not done)
        walk.object(item, ITEM | fields, SimpleRule.METADATA, "")
        for name in ("summary", "content"):
            if fields.get(name) is not SimpleRule.HANDLED:
                continue
            parts = item.get(name)
            if isinstance(parts, str):
                walk.read_full_text((item, name), "content", f"{number}.{name}[0]")
            elif parts is not None:
                if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
                    raise FrameError("Expected a list of parts.")
                for at, part in enumerate(parts):
                    self._part(part, f"{number}.{name}[{at}]", walk)

    def _part(self, part: dict[str, Any], place: str, walk: EventWalk) -> None:
        kind = part.get("type")
        walk.place, walk.running = place, False
        if not isinstance(kind, str) or kind not in PART_TEXTS:
            walk.object(part, {"type": SimpleRule.METADATA}, SimpleRule.TEXT, "part")
            return
        family, name = PART_TEXTS[kind]
        known: dict[str, Rule] = {"type": SimpleRule.HANDLED, name: SimpleRule.HANDLED, "logprobs": SimpleRule.HANDLED}
        walk.object(part, {**known, "annotations": ANNOTATION}, SimpleRule.TEXT, "part")
        transcript = (
            walk.read_full_text((part, name), TEXTS[family].channel, place, walk.tokens(part)) if name in part else None
        )
        if transcript is not None and part.get("annotations") and walk.entry is not None:
            walk.entry.parts.append(AttachedPart(transcript, (part, "annotations"), []))

    def _call(self, holder: dict[str, Any], field: str, number: int, walk: EventWalk, done: bool, piece: bool) -> None:
        """Reads a call's name and arguments. Raises FrameError."""
        if isinstance(holder.get(field), dict | list):
            holder[field] = to_json(holder[field]).decode()
            walk.changed = True
        arguments, name = holder.get(field) or "", holder.get("name") or ""
        if not isinstance(arguments, str) or not isinstance(name, str):
            raise FrameError("Expected a call's name and arguments to be texts.")
        place = f"call[{number}]"
        self.switch_to(place, walk.now)
        call: ToolCallTranscript = self.call_at(place, name, arguments if done and arguments else None)
        begun = call.received.chars if done else 0
        call.feed("" if call.name else name, arguments[begun:])
        if done:
            call.tool_call.finish()
        walk.read_call(call, (holder, field) if arguments else None, is_full=not piece)

    def _finish(self, response: dict[str, Any], now: float) -> None:
        self.choice.finish(now, "stop" if response.get("status") == "completed" else None)

    def _number(self, body: dict[str, Any], item: dict[str, Any] | None = None, by_id: bool = False) -> int:
        """Reads the number of the item that an event is about. Raises FrameError."""
        given = (body.get("item_id"),) if item is None else (item.get("id"), item.get("call_id"))
        ids = [each for each in given if isinstance(each, str)]
        number = body.get("output_index")
        known = next((self._numbers[each] for each in ids if each in self._numbers), None)
        if known is not None and (by_id or number is None):
            number = known
        if number is None:
            number = max(self._numbers.values(), default=-1) + (1 if ids or not self._numbers else 0)
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < _MOST_ITEMS:
            raise FrameError("Expected the number of an item.")
        if len(self._numbers) < 2 * _MOST_ITEMS:
            for each in ids:
                self._numbers.setdefault(each, number)
        return number


def _index(body: dict[str, Any], name: str) -> int:
    """Reads the number of a part of an item. Raises FrameError."""
    number = body.get(name, 0)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < _MOST_ITEMS:
        raise FrameError("Expected the number of a part.")
    return number
