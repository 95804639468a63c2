"""Walks over a frame's JSON by the rules of its API format.

A field that a table does not name is never passed unread. Beside the texts, its strings and numbers are judged as
metadata (`Plain.METADATA`). Within a message they are running texts of their own (`Plain.TEXT`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reticent.serve.judging.choice import FUNCTION_CALL, Choice
from reticent.serve.judging.metadata import MetadataJudge
from reticent.serve.options import Permission
from reticent.serve.stream.pending_parts import PendingPart, TextPart, ToolCallPart
from reticent.serve.wire.fields import TYPES, Echo, Literal, Logprobs, Nested, Only, Rule, SimpleRule, Text
from reticent.serve.wire.sse import to_json

_MOST_NUMBERS = 4
"""Most numbers in a list of numbers alone, which is shown only where numbers are known to count something."""
_CACHE_COUNTS = frozenset(
    {
        *("cached_tokens", "created_cache_tokens", "prompt_cache_hit_tokens", "prompt_cache_miss_tokens"),
        *("cache_read_input_tokens", "cache_creation_input_tokens", "cache_creation", "cache_n", "prompt_n"),
        *("prompt_ms", "prompt_per_token_ms", "prompt_per_second", "prompt_time"),
    }
)
"""Counts and times that tell how much of a prompt the server had kept.

Servers keep what they generated, too. So whoever appends a guess to a prompt whose answer was redacted would read there
whether it is right, token by token.
"""
_KEPT_INPUT = ("cache_read_input_tokens", "cache_creation_input_tokens")
_INNER: Mapping[str, Rule] = {
    "type": TYPES,
    "id": SimpleRule.ID,
    "index": SimpleRule.COUNT,
    "encrypted_content": SimpleRule.OPAQUE,
    "encrypted_index": SimpleRule.OPAQUE,
}
"""Fields of an object in a message that no table names."""


@dataclass
class Entry:
    """Holds a choice's part of a frame."""

    choice: Choice
    value: dict[str, Any] = field(repr=False)
    parts: list[PendingPart] = field(default_factory=list)
    attached: list[tuple[Any, Any]] = field(default_factory=list, repr=False)
    """Holders and keys of fields that are removed if the text is changed."""
    logprobs: list[tuple[Any, Any, bool]] = field(default_factory=list, repr=False)


class Walk:
    """Reads one frame's JSON, changes at once what can be decided at once, and collects the parts that wait.

    Args:
        metadata: judges what is no running text.
        allowed: the client's permissions.
        now: the time.
        sent: the request's body, whose fields may come back.
    """

    def __init__(
        self, metadata: MetadataJudge, allowed: frozenset[Permission], now: float, sent: Mapping[str, Any] | None = None
    ) -> None:
        self._metadata, self._allowed, self._now, self._sent = metadata, allowed, now, sent or {}
        self.entry: Entry | None = None
        self.changed = False
        self.judged = False
        """Says whether any metadata was judged, which depends on earlier frames."""
        self.channels: set[str] = set()
        self._padding: list[tuple[bytes, bytes]] = []

    def with_own_padding(self, raw: bytes) -> bytes:
        """Gives what came with our own padding in it. If that cannot be seen in it, it has to be written anew."""
        for theirs, own in self._padding:
            if rb"\u" in raw or raw.count(theirs) != 1:
                self.changed = True
                return raw
            raw = raw.replace(theirs, own)
        return raw

    def object(self, value: dict[str, Any], fields: Mapping[str, Rule], other: Rule, path: str) -> None:
        """Reads every field of an object. Raises FrameError for more than a choice may have."""
        if Permission.CACHE not in self._allowed and isinstance(value.get("input_tokens"), int):
            # Anthropic's count lacks the tokens that were kept. The whole prompt's tells nothing of them.
            kept = (value.get(name) for name in _KEPT_INPUT)
            total = value["input_tokens"] + sum(count for count in kept if isinstance(count, int))
            self._set(value, "input_tokens", total)
        counts = {name: value[name] for name in value if fields.get(name) is SimpleRule.COUNT}
        if len(counts) > 1:
            for name, shown in self._metadata.shown_counts(counts).items():
                self._set(value, name, shown)
        for name in list(value):
            rule = fields.get(name)
            if rule is None:
                if not self._metadata.allows_name(name):
                    del value[name]
                    self.changed = True
                    continue
                rule = other
            if rule is SimpleRule.COUNT and name in _CACHE_COUNTS and Permission.CACHE not in self._allowed:
                self._set(value, name, None)
            else:
                self._visit(value, name, rule, f"{path}.{name}")

    def _visit(self, holder: Any, key: str | int, rule: Rule, path: str) -> None:
        value = holder[key]
        if value is None or isinstance(value, bool) or rule is SimpleRule.HANDLED:
            return
        match rule:
            case Text(channel):
                self._text(holder, key, channel, path)
            case Literal(words):
                if not (isinstance(value, str) and value in words):
                    self._judge_metadata(holder, key, path)
            case Nested(fields, other):
                self._each(holder, key, fields, other, path)
            case Only(permission):
                if permission not in self._allowed:
                    holder[key] = None
                    self.changed = True
                elif self.entry is not None:
                    self.entry.attached.append((holder, key))
            case Echo():
                self._echo(holder, key, self._sent.get(str(key)), path)
            case Logprobs(legacy):
                if Permission.LOGPROBS not in self._allowed or self.entry is None:
                    holder[key] = None
                    self.changed = True
                else:
                    self.entry.logprobs.append((holder, key, legacy))
            case _:
                self._apply_simple(holder, key, rule, path)

    def _apply_simple(self, holder: Any, key: str | int, rule: SimpleRule, path: str) -> None:
        value = holder[key]
        if rule is SimpleRule.ID and isinstance(value, str):
            self._set(holder, key, self._metadata.replace_id(path, value))
        elif rule is SimpleRule.MODEL and isinstance(value, str):
            self._set(holder, key, self._metadata.shown_model(value))
        elif rule is SimpleRule.COUNT and isinstance(value, int | float):
            if not self._metadata.allows_count(path, value):
                self._set(holder, key, None)
            else:
                self._set(holder, key, self._metadata.shown_counts(value))
        elif rule is SimpleRule.COUNT and isinstance(value, dict | list):
            self._set(holder, key, self._metadata.shown_counts(value))
            self._each(holder, key, {}, SimpleRule.COUNT, path)
        elif rule is SimpleRule.CALLS:
            self.judged = True
            self._calls(holder, key, path)
        elif rule is SimpleRule.WITHHELD:
            self._set(holder, key, None)
        elif rule is SimpleRule.PADDING:
            self._pad(holder, key)
        elif rule is SimpleRule.OPAQUE and isinstance(value, str):
            self.judged = True
            if not self._metadata.allows_opaque(path, value):
                self._set(holder, key, None)
        elif rule is SimpleRule.TEXT and isinstance(value, str):
            self._unknown_text(holder, key, path)
        elif rule is SimpleRule.TEXT and isinstance(value, dict | list):
            self._each(holder, key, _INNER, SimpleRule.TEXT, path)
        else:
            self._judge_metadata(holder, key, path)

    def _pad(self, holder: Any, key: str | int) -> None:
        value = holder[key]
        shown = self._metadata.shown_padding(value) if isinstance(value, str) else None
        if shown is None or shown == value:
            self._set(holder, key, shown)
        else:
            holder[key] = shown
            self._padding.append((value.encode(), shown.encode()))

    def _unknown_text(self, holder: Any, key: str | int, path: str) -> None:
        """Reads a text that no table names, unless it stands in every frame."""
        self.judged = True
        value = holder[key]
        if self._metadata.is_constant(path, value) and self._metadata.allows_name(value):
            return
        if self._metadata.allows_digits(path, value, is_running=True):
            self._text(holder, key, path, path)
        else:
            self._set(holder, key, None)

    def _set(self, holder: Any, key: str | int, value: Any) -> None:
        if holder[key] != value:
            holder[key] = value
            self.changed = True

    def _each(self, holder: Any, key: str | int, fields: Mapping[str, Rule], other: Rule, path: str) -> None:
        value = holder[key]
        if isinstance(value, dict):
            self.object(value, fields, other, path)
        elif isinstance(value, list) and _are_numbers(value, other is SimpleRule.COUNT):
            self._set(holder, key, None)  # tokens, bytes or states: a text in numbers
        elif isinstance(value, list):
            for at, item in enumerate(value):
                named = item.get("index", at) if isinstance(item, dict) else at
                place = f"{path}[{named}]" if other is SimpleRule.TEXT and isinstance(named, int) else path
                if isinstance(item, dict):
                    self.object(item, fields, other, place)
                else:
                    self._visit(value, at, other, place)
        else:
            self._visit(holder, key, other, path)

    def _echo(self, holder: Any, key: str | int, sent: Any, path: str) -> None:
        value = holder[key]
        if value == sent:
            return
        if isinstance(value, dict) and isinstance(sent, dict):
            for name in list(value):
                if name in sent:
                    self._echo(value, name, sent[name], f"{path}.{name}")
                elif self._metadata.allows_name(name):
                    self._visit(value, name, SimpleRule.METADATA, f"{path}.{name}")
                else:
                    del value[name]
                    self.changed = True
        elif isinstance(value, list) and isinstance(sent, list) and len(value) == len(sent):
            for at, each in enumerate(sent):
                self._echo(value, at, each, path)
        else:
            self._visit(holder, key, SimpleRule.METADATA, path)

    def _text(self, holder: Any, key: str | int, channel: str, path: str) -> None:
        value = holder[key]
        if self.entry is None or not isinstance(value, str | list):
            self._judge_metadata(holder, key, path)
        else:
            self._pieces(holder, key, channel, path)

    def _pieces(self, holder: Any, key: str | int, channel: str, path: str) -> None:
        """Reads a text, or one that comes in pieces: texts, numbers and typed parts, which are read in their order."""
        value = holder[key]
        if value is None or isinstance(value, bool):
            return
        if isinstance(value, list) and _are_numbers(value, False):
            self._set(holder, key, None)
        elif isinstance(value, list):
            for at in range(len(value)):
                self._pieces(value, at, channel, f"{path}[{at}]")
        elif isinstance(value, dict):
            self._typed_part(value, channel, path)
        elif value != "":
            self.read_piece(holder, key, value if isinstance(value, str) else json.dumps(value), channel, path)

    def _typed_part(self, value: dict[str, Any], channel: str, path: str) -> None:
        """Reads an object within a text: its `text`, or else all its strings and numbers."""
        own = ("text",) if "text" in value else tuple(name for name in value if name not in _INNER)
        handled: dict[str, Rule] = dict.fromkeys(own, SimpleRule.HANDLED)
        self.object(value, {**_INNER, **handled}, SimpleRule.TEXT, path)
        for name in own:
            if not self._metadata.allows_name(name):
                self.changed = value.pop(name, None) is not None or self.changed
            elif name in value:
                self._pieces(value, name, channel, f"{path}.{name}")

    def read_piece(self, holder: Any, key: str | int, text: str, channel: str, path: str) -> None:
        """Reads a piece of a running text."""
        assert self.entry is not None
        self.channels.add(channel)
        location = self.entry.choice.feed(channel, text, self._now)
        self.entry.parts.append(TextPart(holder, key, text, channel, location))

    def _judge_metadata(self, holder: Any, key: str | int, path: str) -> None:
        self.judged = True
        value = holder[key]
        if isinstance(value, dict | list):
            self._each(holder, key, {}, SimpleRule.METADATA, path)
        elif isinstance(value, str):
            if not self._metadata.allows(path, value):
                self._set(holder, key, None)
        elif isinstance(value, int | float) and not self._metadata.allows_number(path, value):
            self._set(holder, key, None)

    def _calls(self, holder: Any, key: str | int, path: str) -> None:
        value = holder[key]
        if isinstance(value, dict) and self.entry is not None:
            self._call(holder, key, value, FUNCTION_CALL, path)
        elif isinstance(value, list) and self.entry is not None:
            for at, item in enumerate(list(value)):
                if isinstance(item, dict):
                    number = item.get("index", at)
                    self._one_call(value, at, item, f"call[{number if isinstance(number, int) else at}]", path)
                else:
                    self._judge_metadata(value, at, path)
        else:
            self._judge_metadata(holder, key, path)

    def _one_call(self, calls: list[Any], at: int, item: dict[str, Any], name: str, path: str) -> None:
        for kind in ("function", "custom"):
            if isinstance(item.get(kind), dict):
                self._call(calls, at, item[kind], name, path)
        rest: dict[str, Rule] = {"index": SimpleRule.COUNT, "id": SimpleRule.ID, "type": TYPES}
        rest |= {kind: SimpleRule.HANDLED for kind in ("function", "custom") if isinstance(item.get(kind), dict)}
        self.object(item, rest, SimpleRule.TEXT, path)

    def _call(self, holder: Any, key: str | int, function: dict[str, Any], name: str, path: str) -> None:
        assert self.entry is not None
        call = self.entry.choice.call(name)
        self.channels.add(name)
        arguments = "input" if "input" in function else "arguments"
        given = function.get(arguments)
        if isinstance(given, dict | list):  # some servers forget to write them as a string
            function[arguments] = given = to_json(given).decode()
            self.changed = True
        texts = {name: function.get(name) for name in ("name", arguments)}
        call.feed(*(text if isinstance(text, str) else "" for text in texts.values()))
        self.entry.parts.append(ToolCallPart(holder, key, function, arguments, call))
        handled: dict[str, Rule] = {
            name: SimpleRule.HANDLED for name, text in texts.items() if text is None or isinstance(text, str)
        }
        self.object(function, handled, SimpleRule.TEXT, f"{path}.function")


def _are_numbers(value: list[Any], counts: bool) -> bool:
    """Says whether a list may be a text in numbers."""
    numbers = sum(isinstance(each, int | float) and not isinstance(each, bool) for each in value)
    return numbers > _MOST_NUMBERS or (0 < numbers == len(value) and not counts)
