"""Holds tool calls until they are complete, then judges them as a client would execute them.

A call's arguments are JSON, in which a value may be written with escapes. So they are judged as written, and each text
and number in them as it will be read. A call with a stopped value is withheld whole, and its choice ends there,
because a client cannot execute what it never got. With `redact` the stopped texts are replaced instead. That needs
arguments in JSON, stopped texts that are no numbers or names of fields, and a result in which nothing would be stopped
again.

Not covered: whether replaced arguments still fit the tool's schema.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from reticent.core.report import Report
from reticent.prompt.segments import LEFT_CHARS
from reticent.serve.judging.answer_parts import AnswerPart
from reticent.serve.judging.channels import TextSegment, stops_recorded
from reticent.serve.judging.choice_texts import ChoiceTexts
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.options import OnStoppedCall
from reticent.serve.wire.sse import FrameError, parse_json

_MOST_LEAVES = 2_000
_SHORT_CALL = 2_048
"""Characters of a call that is also read as one text, its name with its arguments."""


class _Withheld(Exception):
    """Says that the call cannot be shown with replacements."""


class ToolCall:
    """Judges one tool call of a choice, over all frames that carry it.

    Args:
        request: what the call shares with the texts.
        prompt: number of the prompt that it answers.
        tools: names of the tools that the client offered.
        part: keeps what is shown of its texts, and knows what stands beside it.
        on_stopped: what happens to the call if a value in it is stopped.
        texts: what came of its choice so far. The call, once it is complete, is added to it.
        key: the name of the call in the choice.
    """

    def __init__(
        self,
        request: GuardedRequest,
        prompt: int,
        tools: frozenset[str],
        part: AnswerPart | None,
        on_stopped: OnStoppedCall = OnStoppedCall.WITHHOLD,
        texts: ChoiceTexts | None = None,
        key: str = "",
    ) -> None:
        self._request, self._prompt, self._tools, self._on_stopped = request, prompt, tools, on_stopped
        self._part = part
        self._texts, self._key = ChoiceTexts() if texts is None else texts, f"call {key}"
        self._name: list[str] = []
        self._arguments: list[str] = []
        self._chars = 0
        self.complete = False
        self.withheld = False
        self.instead: str | None = None
        """The whole arguments, if they differ from what came."""
        self.reports: list[Report] = []

    def __repr__(self) -> str:
        return f"ToolCall(<{self._chars} chars>, complete={self.complete}, withheld={self.withheld})"

    def feed(self, name: str, arguments: str) -> None:
        """Takes a part of the call. A call that grows beyond the bound is withheld."""
        if self.complete:
            self.withheld = self.withheld or bool(name or arguments)
            return
        if name in self._tools and self._name[:1] == [name]:
            name = ""  # llama-cpp-python repeats it with every part
        self._chars += len(name) + len(arguments)
        if self._chars > self._request.bounds.call_chars:
            self.withheld = self.complete = True
            self._name, self._arguments = [], []
            return
        self._name.append(name)
        self._arguments.append(arguments)

    def finish(self) -> None:
        """Judges the call, as it is complete."""
        if self.complete:
            return
        self.complete = self.withheld = True  # until it is judged, whatever happens meanwhile
        name, arguments = "".join(self._name), "".join(self._arguments)
        self._texts.add(self._key, f"{name}\n{arguments}\n")
        try:
            if name not in self._tools and self._redact(name) != name:
                raise _Withheld
            self._judge(arguments)
            self._judge_beside_others(name, arguments if self.instead is None else self.instead)
            self.withheld = False
        except (_Withheld, RecursionError):
            pass
        self._name, self._arguments = [], []

    def take(self) -> str:
        """Gives the replaced arguments for the first part that has any, and nothing for the others."""
        instead, self.instead = self.instead or "", ""
        return instead

    def _judge(self, arguments: str) -> None:
        raw = self._redact(arguments) == arguments
        try:
            value, twice = parse_json(arguments) if arguments else (None, False)
        except FrameError:  # half a call, or none that a client could execute
            texts = (arguments, *_unescaped(arguments))
            if not raw or any(self._redact(text, cut=True) != text for text in texts):
                raise _Withheld from None
            return
        if twice:
            raise _Withheld
        leaves = [leaf for _, leaf in zip(range(_MOST_LEAVES + 1), _leaves(value), strict=False)]
        if len(leaves) > _MOST_LEAVES:
            raise _Withheld
        if raw and all(self._redact(leaf) == leaf for leaf in leaves):
            return
        if self._on_stopped is not OnStoppedCall.REDACT:
            raise _Withheld
        instead = json.dumps(self._replace_texts(value), ensure_ascii=False)
        if self._redact(instead) != instead:
            raise _Withheld
        self.instead = instead

    def _judge_beside_others(self, name: str, arguments: str) -> None:
        """Looks for recorded values of which a part stands in the names, texts or arguments before this call."""
        if self._request.recorded is None:
            return
        try:
            values = "\n".join(_values(parse_json(arguments)[0]))
        except FrameError:
            values = arguments
        for part, text in (
            (self._part, values if name in self._tools else f"{name}\n{values}"),
            (self._request.names.open_next(), name),
            (self._request.calls.open_next(), f"{name}\n{arguments}"),
        ):
            if stops_recorded(self._request, self._prompt, text, part, self.reports, len(text) <= _SHORT_CALL):
                raise _Withheld

    def _replace_texts(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._redact(value)
        if isinstance(value, dict):
            if any(self._redact(key) != key for key in value):
                raise _Withheld
            return {key: self._replace_texts(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self._replace_texts(each) for each in value]
        if value is not None and not isinstance(value, bool) and self._redact(json.dumps(value)) != json.dumps(value):
            raise _Withheld
        return value

    def _redact(self, text: str, cut: bool = False) -> str:
        """Gives the text after redaction, up to a block. `cut` says that it may have been longer."""
        out, rest = "", text
        while rest:
            # Where the prompt has begun the call, each text of it may be what goes on.
            begun = self._request.views[self._prompt].context
            context = begun.behind((begun.left + out)[-LEFT_CHARS:], len(out))
            segment = TextSegment(self._request, self._prompt, context, beside=partial(self._texts.beside, ""))
            _, end = segment.feed(rest, 0.0)
            segment.finish(0.0, cut)
            out += segment.shown(0, end).text
            if segment.machine.changed or segment.machine.blocked:
                self.reports.append(Report.of(segment.machine))
            if segment.machine.blocked:
                raise _Withheld
            rest = rest[segment.decided :] if segment.machine.halted else ""
        return out


def _leaves(value: Any) -> Iterator[str]:
    """Yields every text, number and name of a field, as a reader would see it."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from _leaves(each)
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each)
    elif isinstance(value, str):
        yield value
    elif value is not None and not isinstance(value, bool):
        yield json.dumps(value)


def _values(value: Any) -> Iterator[str]:
    """Yields every text and number of a field, without the names of fields."""
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _values(each)
    if not isinstance(value, dict | list):
        yield from _leaves(value)


def _unescaped(text: str) -> Iterator[str]:
    """Yields a text that is no JSON with its escapes undone, if it has any."""
    if "\\" in text:
        plain = text.replace('"', "'").replace("\n", " ").replace("\r", " ").replace("\t", " ")
        try:
            yield json.loads(f'"{plain}"', strict=False)
        except ValueError:
            raise _Withheld from None
