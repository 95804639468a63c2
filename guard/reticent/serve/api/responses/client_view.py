"""Tracks what a client has seen of a response, and writes the events that end it there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from weakref import proxy

from reticent.serve.api.responses.fields import BEGUN, ENDED, PART_TEXTS, PARTS, TEXTS
from reticent.serve.stream.event_reader import EventReader
from reticent.serve.stream.pending_frames import EventFrame
from reticent.serve.wire.error_formats import RESPONSES

FILTERED = {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}
_PLACE = ("item_id", "output_index", "content_index", "summary_index")


def message(name: str, text: str, status: str = "incomplete") -> dict[str, Any]:
    """Makes an item with a text."""
    part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    return {"id": name, "type": "message", "status": status, "role": "assistant", "content": [part]}


@dataclass
class _Text:
    """Holds a text that the client sees grow: its name in events, and which of them the client has seen."""

    item: int
    family: str
    names: dict[str, Any]
    part: dict[str, Any] | None = None
    part_family: str = ""
    finished: bool = False
    closed: bool = False


class ResponsesClientView:
    """Tracks the client's view of one response.

    Args:
        reader: knows what was shown of each text.
    """

    error_format = RESPONSES

    def __init__(self, reader: EventReader) -> None:
        self._reader: EventReader = proxy(reader)  # which owns this view; a cycle would keep the request
        self._response: dict[str, Any] = {"object": "response"}
        self._items: dict[int, dict[str, Any]] = {}
        self._done: set[int] = set()
        self._texts: dict[str, _Text] = {}
        self._numbered = False  # items
        self.number: int | None = None

    def is_last(self, frame: EventFrame) -> bool:
        """Says whether an event carries how the answer ended."""
        return frame.kind in ENDED

    def note(self, frame: EventFrame) -> None:
        """Notes an event that leaves."""
        body: Any = frame.body
        if isinstance(number := body.get("sequence_number"), int):
            self.number = number
        family, _, step = frame.kind.rpartition(".")
        if frame.kind in BEGUN:
            self._response = body["response"]
        elif step not in ("added", "delta", "done"):
            return
        elif family == "response.output_item" and step != "delta":
            self._numbered = "output_index" in body
            self._items[frame.item] = body["item"]
            if step == "done":
                self._done.add(frame.item)
        elif family in PARTS and step != "delta" and body["part"].get("type") in PART_TEXTS:
            text = self._text(frame, PART_TEXTS[body["part"]["type"]][0])
            text.part, text.part_family, text.closed = body["part"], family, step == "done"
        elif family in TEXTS and step != "added":
            text = self._text(frame, family)
            text.finished = text.finished or step == "done"

    def closing_events(self, instead: str | None) -> Iterator[dict[str, Any]]:
        """Yields the events that end the response, with this text at its end if there is one."""
        last = max((n for n in self._items if n not in self._done), default=None)
        for number in sorted(self._items):
            item = self._items[number]
            if number in self._done or item.get("type") not in ("message", "reasoning"):
                continue
            for place, text in self._texts.items():
                if text.item == number and text.closed:
                    _add_part(item, text, text.part or {})
                elif text.item == number:
                    mine = number == last and text.family == "response.output_text" and not text.finished
                    yield from self._close_text(item, place, text, instead if mine else None)
                    instead = None if mine else instead
            item["status"] = "incomplete"
            yield self._event("response.output_item.done", self._place(number), item=item)
        if instead is not None:
            yield from self._own_message(instead)
        output = [self._items[number] for number in sorted(self._items)]
        response = {**self._response, **FILTERED, "output": output, "usage": self._reader.usage}
        yield self._event("response.incomplete", {}, response=response)

    def _text(self, frame: EventFrame, family: str) -> _Text:
        body: Any = frame.body
        names = {name: body[name] for name in _PLACE if name in body}
        return self._texts.setdefault(frame.text, _Text(frame.item, family, names))

    def _close_text(
        self, item: dict[str, Any], place: str, text: _Text, instead: str | None
    ) -> Iterator[dict[str, Any]]:
        field = TEXTS[text.family]
        if instead is not None:
            yield self._event(f"{text.family}.delta", text.names, delta=instead, **_tokens(text.family))
        shown = self._reader.shown_text(place) + (instead or "")
        if not text.finished:
            yield self._event(
                f"{text.family}.done", text.names, **{field.full_text_field: shown}, **_tokens(text.family)
            )
        part = {**(text.part or {"type": field.part}), PART_TEXTS[field.part][1]: shown}
        if text.part is not None:
            yield self._event(f"{text.part_family}.done", text.names, part=part)
        _add_part(item, text, part)

    def _own_message(self, text: str) -> Iterator[dict[str, Any]]:
        """Yields the events of a message of our own."""
        number = max(self._items, default=-1) + 1
        item = message(f"msg_{self._reader.request.id}", text)
        names = {"item_id": item["id"], **self._place(number), "content_index": 0}
        part = item["content"][0]
        self._items[number] = item
        added = {**item, "status": "in_progress", "content": []}
        yield self._event("response.output_item.added", self._place(number), item=added)
        yield self._event("response.content_part.added", names, part={**part, "text": ""})
        yield self._event("response.output_text.delta", names, delta=text, logprobs=[])
        yield self._event("response.output_text.done", names, text=text, logprobs=[])
        yield self._event("response.content_part.done", names, part=part)
        yield self._event("response.output_item.done", self._place(number), item=item)

    def _place(self, number: int) -> dict[str, Any]:
        return {"output_index": number} if self._numbered else {}

    def _event(self, kind: str, names: dict[str, Any], **more: Any) -> dict[str, Any]:
        numbered = {}
        if self.number is not None:
            self.number += 1
            numbered["sequence_number"] = self.number
        return {"type": kind, **numbered, **names, **more}


def _add_part(item: dict[str, Any], text: _Text, part: dict[str, Any]) -> None:
    """Puts a part at its place in the last event of its item."""
    where = TEXTS[text.family].parts
    item[where] = [*(item.get(where) or []), part]


def _tokens(family: str) -> dict[str, Any]:
    return {"logprobs": []} if family == "response.output_text" else {}
