"""Reads `/v1/messages`, streamed and whole: blocks of text, thoughts and calls of tools, one after another.

Source: the types of anthropic's Python package 2.12; vLLM's and llama.cpp's servers as of November 2026.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reticent.serve.api.messages.client_view import MessagesClientView
from reticent.serve.stream.event_queue import ClientView
from reticent.serve.stream.event_reader import EventReader, EventWalk
from reticent.serve.stream.pending_frames import EventFrame
from reticent.serve.stream.transcript import AttachedPart
from reticent.serve.wire.fields import Literal, Rule, SimpleRule
from reticent.serve.wire.sse import FrameError, to_json

_MOST_BLOCKS = 1024
_COMPLETE = {"end_turn": "stop", "tool_use": "tool_calls"}
"""Reasons with which the model came to its own end, mapped to a choice's finish reasons."""
_REASONS = Literal(
    frozenset({"end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal"})
    | {"model_context_window_exceeded", "compaction"}
)
_EVENT: Mapping[str, Rule] = {
    "type": SimpleRule.HANDLED,
    "index": SimpleRule.COUNT,
    "timings": SimpleRule.COUNT,
    "__verbose": SimpleRule.WITHHELD,
}
_MESSAGE: Mapping[str, Rule] = {
    "id": SimpleRule.ID,
    "type": Literal(frozenset({"message"})),
    "role": Literal(frozenset({"assistant"})),
    "model": SimpleRule.MODEL,
    "content": SimpleRule.HANDLED,
    "stop_reason": _REASONS,
    "stop_sequence": SimpleRule.HANDLED,
    "usage": SimpleRule.COUNT,
    "timings": SimpleRule.COUNT,
    "__verbose": SimpleRule.WITHHELD,
}
_TEXTS = {"text": "text", "thinking": "thinking"}
"""Channels of blocks with a text, by the block's type. The channel is also the name of the field."""
_DELTAS = {"text_delta": "text", "thinking_delta": "thinking"}
_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_RESULTS = ("_tool_result",)


class MessagesReader(EventReader):
    """Reads one message of Anthropic's format."""

    _items, _expected = "content", "Expected a message with content."

    def _client_view(self) -> ClientView:
        self._open_calls: set[int] = set()
        self._reason: str | None = None
        return MessagesClientView(self)

    def message_of(self, place: str) -> str:
        """Names the kind of text of a block, as blocks of one kind that follow each other are one running text."""
        kind = place.partition(".")[2]
        return kind if kind in _TEXTS.values() else ""

    def _read_whole(self, body: dict[str, Any], walk: EventWalk) -> list[int]:
        reason = _COMPLETE.get(str(body.get("stop_reason")))
        owners = self._message(body, walk)
        self.choice.finish(walk.now, reason)
        return owners

    def _ended_body(self, body: dict[str, Any], replacement: str | None) -> dict[str, Any]:
        if replacement is not None:
            body["content"] = [{"type": "text", "text": replacement}]
        return {**body, "stop_reason": "refusal", "stop_sequence": None}

    def _read(self, frame: EventFrame, body: dict[str, Any], walk: EventWalk) -> None:
        match frame.kind:
            case "message_start":
                walk.object(body, {**_EVENT, "message": SimpleRule.HANDLED}, SimpleRule.METADATA, "")
                if not isinstance(message := body.get("message"), dict):
                    raise FrameError("Expected a message.")
                self._message(message, walk)
            case "content_block_start":
                walk.object(body, {**_EVENT, "content_block": SimpleRule.HANDLED}, SimpleRule.METADATA, "")
                if not isinstance(block := body.get("content_block"), dict):
                    raise FrameError("Expected a block.")
                frame.item = _number(body)
                kind = block.get("type")
                channel = _TEXTS.get(kind) if isinstance(kind, str) else None
                self.switch_to(f"{frame.item}" if channel is None else f"{frame.item}.{channel}", walk.now)
                self._block(block, frame.item, walk, begins=True)
            case "content_block_delta":
                self._delta(frame, body, walk)
            case "content_block_stop":
                walk.object(body, _EVENT, SimpleRule.METADATA, "")
                frame.item = _number(body)
                if frame.item in self._open_calls:
                    self.call_at(f"call[{frame.item}]", "").tool_call.finish()
            case "message_delta":
                self._read_end(body, walk)
            case "message_stop":
                walk.object(body, _EVENT, SimpleRule.METADATA, "")
                self.choice.finished = True
                self.choice.finish(walk.now, self._reason)
            case "ping":
                walk.object(body, _EVENT, SimpleRule.METADATA, "")
            case "error":
                self.read_error(frame, body, walk, {"type": SimpleRule.HANDLED})
            case _:
                self.read_unknown(frame, body, walk, _EVENT)

    def _delta(self, frame: EventFrame, body: dict[str, Any], walk: EventWalk) -> None:
        walk.running = True
        walk.object(body, {**_EVENT, "delta": SimpleRule.HANDLED}, SimpleRule.TEXT, "")
        if not isinstance(delta := body.get("delta"), dict):
            raise FrameError("Expected a delta.")
        number = frame.item = _number(body)
        kind = delta.get("type")
        walk.place = f"{number}"
        if isinstance(kind, str) and (channel := _DELTAS.get(kind)) is not None:
            walk.object(delta, {"type": SimpleRule.HANDLED, channel: SimpleRule.HANDLED}, SimpleRule.TEXT, "delta")
            if channel in delta:
                walk.read_delta((delta, channel), channel, f"{number}.{channel}")
        elif kind == "input_json_delta":
            walk.object(
                delta, {"type": SimpleRule.HANDLED, "partial_json": SimpleRule.HANDLED}, SimpleRule.TEXT, "delta"
            )
            piece = delta.get("partial_json", "")
            if not isinstance(piece, str):
                raise FrameError("Expected a piece of JSON.")
            self.switch_to(f"call[{number}]", walk.now)
            call = self.call_at(f"call[{number}]", "")
            call.feed("", piece)
            self._open_calls.add(number)
            walk.read_call(call, (delta, "partial_json") if piece else None, is_full=False)
        elif kind == "signature_delta":
            walk.object(
                delta, {"type": SimpleRule.HANDLED, "signature": SimpleRule.OPAQUE}, SimpleRule.METADATA, "delta"
            )
            self._attach_signature(delta, number, walk)
        else:
            walk.running = kind != "citations_delta"  # which has all of a citation
            sealed: dict[str, Rule] = {"type": SimpleRule.METADATA, "encrypted_content": SimpleRule.OPAQUE}
            walk.object(delta, sealed, SimpleRule.TEXT, "delta")

    def _attach_signature(self, holder: dict[str, Any], number: int, walk: EventWalk) -> None:
        """Withholds a signature if the thoughts that it signs were changed."""
        if holder.get("signature") and walk.entry is not None:
            transcript = self.text_at(f"{number}.thinking", "thinking")
            walk.entry.parts.append(AttachedPart(transcript, (holder, "signature"), ""))

    def _read_end(self, body: dict[str, Any], walk: EventWalk) -> None:
        """Reads how the message ends."""
        walk.object(body, {**_EVENT, "delta": SimpleRule.HANDLED, "usage": SimpleRule.COUNT}, SimpleRule.METADATA, "")
        if not isinstance(delta := body.get("delta"), dict):
            raise FrameError("Expected a delta.")
        walk.object(delta, {"stop_reason": _REASONS, "stop_sequence": SimpleRule.HANDLED}, SimpleRule.METADATA, "delta")
        self._read_stop_sequence(delta, walk)
        self._read_usage(body)
        if isinstance(reason := delta.get("stop_reason"), str):
            self._reason = _COMPLETE.get(reason)
            self.choice.finish(walk.now, self._reason)

    def _read_usage(self, holder: dict[str, Any]) -> None:
        if isinstance(usage := holder.get("usage"), dict):
            self.usage = {**(self.usage or {}), **usage}

    def _read_stop_sequence(self, holder: dict[str, Any], walk: EventWalk) -> None:
        """Reads the stop sequence, which is judged unless it is the client's own."""
        wanted = self.parsed.body.get("stop_sequences")
        if holder.get("stop_sequence") not in (wanted if isinstance(wanted, list) else []):
            walk.object(
                holder,
                {name: SimpleRule.HANDLED for name in holder if name != "stop_sequence"},
                SimpleRule.METADATA,
                "",
            )

    def _message(self, message: dict[str, Any], walk: EventWalk) -> list[int]:
        """Reads a message object. Returns for each part the number of its block."""
        walk.object(message, _MESSAGE, SimpleRule.METADATA, "message")
        self._read_stop_sequence(message, walk)
        self._read_usage(message)
        blocks = message.get("content")
        if blocks is None:
            return []
        if not isinstance(blocks, list) or len(blocks) > _MOST_BLOCKS:
            raise FrameError("Expected a list of blocks.")
        owners: list[int] = []
        for number, block in enumerate(blocks):
            if not isinstance(block, dict):
                raise FrameError("Expected a block.")
            self._block(block, number, walk, begins=False)
            owners += [number] * (len(walk.entry.parts if walk.entry else ()) - len(owners))
        return owners

    def _block(self, block: dict[str, Any], number: int, walk: EventWalk, begins: bool) -> None:
        """Reads a block: all of it, or its beginning."""
        kind = block.get("type")
        walk.place, walk.running = f"{number}", False
        if isinstance(kind, str) and (name := _TEXTS.get(kind)) is not None:
            known: dict[str, Rule] = {
                "type": SimpleRule.HANDLED,
                name: SimpleRule.HANDLED,
                "signature": SimpleRule.OPAQUE,
            }
            walk.object(block, known, SimpleRule.TEXT, "block")
            if isinstance(block.get(name), str):
                walk.read_full_text((block, name), name, f"{number}.{name}")
            elif name in block:
                walk.object(
                    block, {each: SimpleRule.HANDLED for each in block if each != name}, SimpleRule.METADATA, "block"
                )
            self._attach_signature(block, number, walk)
        elif kind in _CALLS:
            self._call(block, number, walk, begins)
        elif kind == "redacted_thinking":
            walk.object(block, {"type": SimpleRule.HANDLED, "data": SimpleRule.OPAQUE}, SimpleRule.METADATA, "block")
        else:
            own: dict[str, Rule] = {"tool_use_id": SimpleRule.ID, "encrypted_content": SimpleRule.OPAQUE}
            if isinstance(kind, str) and kind.endswith(_RESULTS):
                walk.object(block, {**own, "type": SimpleRule.METADATA}, SimpleRule.TEXT, "")
            else:
                walk.all_or_nothing(block, own, "block")

    def _call(self, block: dict[str, Any], number: int, walk: EventWalk, begins: bool) -> None:
        known: dict[str, Rule] = {
            "type": SimpleRule.HANDLED,
            "id": SimpleRule.ID,
            "name": SimpleRule.HANDLED,
            "input": SimpleRule.HANDLED,
        }
        walk.object(
            block,
            {**known, "server_name": SimpleRule.METADATA, "caller": SimpleRule.METADATA},
            SimpleRule.METADATA,
            "block",
        )
        name, given = block.get("name") or "", block.get("input")
        if not isinstance(name, str) or (given is not None and not isinstance(given, dict)):
            raise FrameError("Expected a tool's name and its input.")
        self.switch_to(f"call[{number}]", walk.now)
        call = self.call_at(f"call[{number}]", name)
        call.feed(name, to_json(given).decode() if given else "")
        if not begins:
            call.tool_call.finish()
        self._open_calls.add(number)
        walk.read_call(call, (block, "input") if given else None, is_full=not begins)


def _number(body: dict[str, Any]) -> int:
    """Reads the number of a block. Raises FrameError."""
    number = body.get("index")
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < _MOST_BLOCKS:
        raise FrameError("Expected the number of a block.")
    return number
