"""Judges one answer of a response: its running texts, its tool calls, and its end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from reticent.core.report import Report
from reticent.serve.judging.answer_parts import CALL, MAIN, TEXT, THOUGHT
from reticent.serve.judging.channels import Channel, TextLocation
from reticent.serve.judging.choice_texts import ChoiceTexts
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.judging.token_alignment import AnswerName, ReceivedTokens, Token, ending
from reticent.serve.judging.tool_calls import ToolCall
from reticent.serve.options import OnStoppedCall
from reticent.serve.wire.sse import FrameError

FUNCTION_CALL = "function_call"
"""Name of a message's one call, in the older format."""
_COMPLETE = frozenset({"stop", "tool_calls", "function_call", "eos"})
"""Finish reasons with which the model came to its own end."""
_THOUGHTS = ("reasoning", "thinking")
"""How the names of channels begin that are shown before the text."""
_MOST_TOKENS = 1 << 16
"""Most tokens that are kept for a text that has yet to come."""

EMPTY = Report((), 0, 0, 0, 0, 0.0, (), False, False, False)
"""Report on an answer without text."""


class Choice:
    """Judges one answer.

    Args:
        request: what the answer shares with the others.
        index: number of the answer in the response.
        prompt: number of the prompt that it answers.
        main: the channel that goes on with the end of the prompt.
        tools: names of the tools that the client offered.
        on_stopped: what happens to a tool call with a stopped value.
        may_stop: whether the client gave stop strings, which may end an answer inside a value.
    """

    def __init__(
        self,
        request: GuardedRequest,
        index: int,
        prompt: int,
        main: str,
        tools: frozenset[str] = frozenset(),
        on_stopped: OnStoppedCall = OnStoppedCall.WITHHOLD,
        may_stop: bool = False,
    ) -> None:
        self._request, self.index, self._prompt, self._main = request, index, prompt, main
        self._tools, self._on_stopped, self._may_stop = tools, on_stopped, may_stop
        self._channels: dict[str, Channel] = {}
        self._calls: dict[str, ToolCall] = {}
        self._texts = ChoiceTexts()
        self._received = ReceivedTokens()
        self._tokens: list[Token] = []
        self._took_tokens: set[str] = set()  # which channels have taken the tokens
        self.begun = False
        """Says whether a frame of the choice has left."""
        self.finished = False
        """Says whether the upstream finished the choice."""
        self.ended = False
        """Says whether we ended the choice, so that nothing behind the stopped value is shown."""

    def __repr__(self) -> str:
        return f"Choice({self.index}, channels={len(self._channels)}, ended={self.ended})"

    @property
    def over(self) -> bool:
        """Says whether no more of the choice is wanted."""
        return self.finished or self.ended

    @property
    def blocked(self) -> bool:
        """Says whether the policy blocked it."""
        return any(channel.blocked for channel in self._channels.values())

    @property
    def deadlines(self) -> Iterable[float]:
        """Gives the times at which its held texts have to be decided."""
        for channel in self._channels.values():
            if (segment := channel.open) is not None and (deadline := segment.machine.deadline) is not None:
                yield deadline

    def take_tokens(self, entry: Mapping[str, Any], prompt: Any, name: AnswerName | None = None) -> None:
        """Takes the tokens of a frame before its texts. They belong to those, or to the next frame's if it has none.

        `prompt` holds the frame's ids of the prompt, and `name` is the server's name of this choice.
        """
        self._received.name = self._received.name or name
        if self._took_tokens:
            self._tokens, self._took_tokens = [], set()
        self._tokens += self._received.take(entry, prompt)[: _MOST_TOKENS - len(self._tokens)]

    def feed(
        self, name: str, text: str, now: float, pieces: Sequence[int] = (), may_judge: bool = True
    ) -> TextLocation:
        """Takes text of a channel, which came in pieces of these lengths. Returns its location.

        `may_judge`: whether values are judged now, and not by the next call.
        Raises FrameError for too many channels.
        """
        if name not in self._channels:
            self._check_channels()
            # Where the prompt has begun the answer, any text of it may be what goes on.
            context = self._request.views[self._prompt].context
            place = MAIN if name == self._main else THOUGHT if name.startswith(_THOUGHTS) else TEXT
            # Not a method of its own: what is answered leaves no cycle in memory.
            open_part = partial(self._request.open_part, self._prompt, self.index, place, name)
            beside = partial(self._texts.beside, name)
            self._channels[name] = Channel(self._request, self._prompt, context, self._received, open_part, beside)
        channel = self._channels[name]
        tokens = () if name in self._took_tokens else self._tokens_of(text, channel)
        self._took_tokens.add(name)
        location = channel.feed(text, now, tokens, pieces, may_judge)
        self._texts.add(name, text)
        return location

    def foresee(self, message: Mapping[str, Any]) -> None:
        """Takes the thoughts of a whole message, wherever they stand in it: its text comes after them."""
        for name, text in message.items():
            if name.startswith(_THOUGHTS) and isinstance(text, str):
                self._texts.add(name, text)

    def _tokens_of(self, text: str, channel: Channel) -> Sequence[Token]:
        """Gives the tokens of a text in this frame: the last ones if they are its text, else all.

        Those before may be of thoughts. A server may also send a text later than its tokens.
        """
        last = None if channel.awaits_text else ending(self._tokens, text)
        return self._tokens if last is None else last

    def is_only_open(self, name: str) -> bool:
        """Says whether this channel is the only open one."""
        return all((channel.open is not None) is (name == each) for each, channel in self._channels.items())

    def call(self, key: str) -> ToolCall:
        """Gives the tool call of this name. A new call completes those before it.

        A `function_call` does not, as some servers send it beside the same call in its present format. Raises
        FrameError for too many calls.
        """
        if key not in self._calls:
            self._check_channels()
            for name, call in self._calls.items():
                if (name == FUNCTION_CALL) == (key == FUNCTION_CALL):
                    call.finish()
            part = self._request.open_part(self._prompt, self.index, CALL, key)
            self._calls[key] = ToolCall(
                self._request, self._prompt, self._tools, part, self._on_stopped, self._texts, key
            )
        return self._calls[key]

    def finish_others(self, names: Iterable[str], now: float) -> None:
        """Judges the open ends of all other channels, as the answer has gone on elsewhere. They may go on later."""
        if names := set(names):
            for name, channel in self._channels.items():
                if name not in names:
                    channel.finish(now, cut=True)

    def finish_open(self, now: float) -> None:
        """Judges all open ends, as the answer goes on elsewhere."""
        for channel in self._channels.values():
            channel.finish(now, cut=True)

    def end_text(self, name: str, now: float, cut: bool) -> None:
        """Judges the open end of a channel in which another text begins."""
        if name in self._channels:
            self._channels[name].end_text(now, cut)

    def expire(self, now: float) -> None:
        """Decides text that has been held for too long."""
        for channel in self._channels.values():
            if (segment := channel.open) is not None:
                segment.expire(now)

    def finish(self, now: float, reason: str | None = None) -> None:
        """Judges all open ends. Without a finish reason the answer was cut short."""
        cut = reason not in _COMPLETE or self._may_stop
        behind = "" if cut else self._request.views[self._prompt].behind
        for name, channel in self._channels.items():
            channel.finish(now, cut, behind if name == self._main else "")
        for call in self._calls.values():
            call.finish()

    def report(self, metadata_reports: Iterable[Report] = ()) -> Report:
        """Reports the decisions about it."""
        parts = [report for channel in self._channels.values() if (report := channel.report()) is not None]
        parts += [report for call in self._calls.values() for report in call.reports]
        parts += metadata_reports
        if not parts:
            return EMPTY
        merged = Report.combined(parts, tuple(span for part in parts for span in part.spans))
        blocked = any(part.blocked for part in parts) or any(call.withheld for call in self._calls.values())
        looks = self._request.history(self._received).looks
        return replace(merged, blocked=blocked, second_looks_taken=looks.taken, second_looks_skipped=looks.skipped)

    def _check_channels(self) -> None:
        if len(self._channels) + len(self._calls) >= self._request.bounds.channels:
            raise FrameError(f"One choice may have {self._request.bounds.channels} channels.")
