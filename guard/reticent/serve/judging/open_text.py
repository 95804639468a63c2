"""Guards one text without a model: as it comes, or whole."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from reticent.core.read_prompts import ReadPrompts
from reticent.core.report import Report
from reticent.core.stream_machine import StreamMachine
from reticent.core.stream_types import Release
from reticent.policy.options import OnBlock
from reticent.policy.policy import Policy
from reticent.policy.verdict import Decision
from reticent.prompt.segments import PromptView, Role, Segment, from_segments
from reticent.records.index import RecordsIndex
from reticent.serve.judging.detector_protocols import Detector, Judge
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.judging.token_alignment import ReceivedTokens, Token, TokenTrack
from reticent.serve.judging.token_source import TokenSource
from reticent.serve.request_bounds import Bounds
from reticent.suppressions.active import SuppressionList
from reticent_detectors.between_steps import between_steps
from reticent_detectors.errors import Blocked, WrongType
from reticent_detectors.finder import SpanFinder
from reticent_detectors.spans import Span

_SLICE_CHARS = 4096
"""Part of a whole text that is judged before it is asked whether anybody still waits for the rest."""


@dataclass(frozen=True, slots=True)
class TextTokens:
    """Holds the tokens that a server told of a text, and what judges by them.

    Args:
        detector: separates memories from inventions.
        judge: what it opened for this text.
        received: the tokens as the server sent them.
        tokens: the same ones, with their log-probabilities.
    """

    detector: Detector
    judge: Judge
    received: ReceivedTokens = field(repr=False)
    tokens: Sequence[Token] = field(repr=False)


@dataclass(frozen=True, slots=True)
class JudgedText:
    """Holds a whole text as it may be shown.

    Attributes:
        shown: what may be shown: all of it, or what stands before a block.
        open_chars: how many characters at the end of `shown` a longer text might show otherwise.
        hidden: the ranges of the text, in characters, that `shown` lacks or has replaced.
        report: what was decided.
    """

    shown: str = field(repr=False)
    open_chars: int
    hidden: tuple[tuple[int, int], ...]
    report: Report


def text_view(user: str, context: str) -> PromptView:
    """Gives what is known of the prompt of a text. Raises WrongType."""
    return from_segments([Segment(Role.CONTEXT, _checked(context)), Segment(Role.USER, _checked(user))])


class OpenText:
    """Guards one text that no model of this process wrote.

    Args:
        policy: decides; see `Policy.for_texts`.
        finder: finds the values.
        records: values of these count as memorised.
        bounds: how much is judged.
        view: what is known of the prompt (`text_view`). None: nothing.
        tokens: log-probabilities of the text, and what judges by them.
        key: the key of hashes and surrogates. None draws one.
        suppressions: the values and people that are suppressed, if any are.
        prompts: what was read of the prompt, where other texts are judged by the same one.
    """

    def __init__(
        self,
        policy: Policy,
        finder: SpanFinder,
        records: RecordsIndex | None,
        bounds: Bounds,
        view: PromptView | None = None,
        tokens: TextTokens | None = None,
        key: bytes | None = None,
        suppressions: SuppressionList | None = None,
        prompts: ReadPrompts | None = None,
    ) -> None:
        view, self._bounds = text_view("", "") if view is None else view, bounds
        detector, judge = (None, None) if tokens is None else (tokens.detector, tokens.judge)
        self._request = GuardedRequest(
            policy, finder, [view], records, bounds, detector, judge, suppressions=suppressions, prompts=prompts
        )
        self._source: TokenSource | None = None
        if tokens is not None:
            self._source = TokenSource(TokenTrack(), tokens.received, [], 0)
            self._source.track.add_tokens(tokens.tokens)
        redact = self._request.redact if key is None else policy.redactor(key)
        self._machine = StreamMachine.from_policy(self._request.finder, view.context, self._judge, policy, redact)

    @property
    def report(self) -> Report:
        """Gives what was decided so far."""
        return Report.of(self._machine)

    def judged(self, text: str) -> JudgedText:
        """Judges a whole text. Raises WrongType."""
        shown, hidden, now, decided = list[str](), list[tuple[int, int]](), time.monotonic(), 0
        releases = [self._take(text[at : at + _SLICE_CHARS], now) for at in range(0, len(_checked(text)), _SLICE_CHARS)]
        closed = self._machine.finish(now, cut=False)  # no text of it waits for a time
        for release in (*releases, closed):
            shown.append(release.text)
            hidden += [(piece.start, piece.end) for piece in release.mappings if piece.replaced]
            decided = release.mappings[-1].end if release.mappings else decided
        if decided < len(text):
            hidden.append((decided, len(text)))
        return JudgedText("".join(shown), len(closed.text), tuple(hidden), self.report)

    def whole(self, text: str) -> str:
        """Gives what may be shown of a whole text. Raises Blocked, WrongType."""
        judged = self.judged(text)
        instead = list(self.finish())
        return instead[-1] if instead else judged.shown

    def feed(self, text: str) -> Iterator[str]:
        """Yields what may be shown now."""
        yield from filter(None, [self._take(_checked(text), time.monotonic()).text])

    def _take(self, text: str, now: float) -> Release:
        if self._machine.blocked:
            return Release("")
        between_steps()
        if self._source is not None:
            self._source.track.add_text(text)
            if self._request.reads_text:
                self._source.pieces.append(text)
        return self._machine.feed(text, now, tokens=0)

    def finish(self) -> Iterator[str]:
        """Yields what may be shown at the end, or the policy's own words if it stopped the text. Raises Blocked."""
        if not self._machine.finished:
            yield from filter(None, [self._machine.finish(time.monotonic(), cut=False).text])
        if not self._machine.blocked:
            return
        if self._request.policy.on_block is OnBlock.ERROR:
            raise Blocked("The policy stopped this text (on_block: error).", self.report)
        if self._request.policy.on_block is OnBlock.REPLACE:
            yield self._request.policy.block_text

    def _judge(self, span: Span) -> Decision:
        machine = self._machine
        before = partial(machine.text_before, span)
        decision = self._request.judge(
            span, machine.value_of(span), 0, False, self._source, before, machine.note_failure
        )
        # Each stopped value is looked for in all that follows, so time would grow with their square.
        return replace(decision, suppress=decision.suppress and len(machine.suppressed) < self._bounds.stopped)


def _checked(text: Any) -> str:
    if not isinstance(text, str):
        raise WrongType(f"A text must be a str, got {type(text).__name__}.")
    return text
