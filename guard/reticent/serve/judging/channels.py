"""Judges the running texts of a choice, and maps what was released to what came.

A *channel* is one text of a choice that grows over the frames: content, reasoning, refusal, an unknown field. When
another channel of the choice goes on, the open end of the one before is judged. If text comes there again later, a new
*segment* begins, with the end of the one before as its left context. So an answer is not held until its end because
its reasoning ended in a number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple
from weakref import proxy

from reticent.core.report import Report
from reticent.core.stream_machine import Finder, HoldLimits, StreamMachine
from reticent.core.stream_types import Release, SpanRecord, Suppressed
from reticent.core.suppression import to_suppress
from reticent.policy.redaction_in_code_and_json import CodeRedaction
from reticent.policy.verdict import Action, Decision, Origin, Tier, Verdict
from reticent.prompt.segments import LEFT_CHARS
from reticent.serve.judging.answer_parts import AnswerPart
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.judging.recorded_finder import PartFinder, RecordedFinder
from reticent.serve.judging.token_alignment import ReceivedTokens, Token, TokenTrack
from reticent.serve.judging.token_source import TokenSource
from reticent_detectors.finder.recorded import RECORDED
from reticent_detectors.spans import FindContext, Span

_BEHIND_CHARS = 256
"""Characters behind a filled gap in which a value may end."""
_NO_LIMITS = HoldLimits(max_tokens=1 << 62, max_chars=1 << 62, max_seconds=1e18)
_TYPED = Verdict(Origin.ECHOED, None, 1.0, Tier.TEXT)


class _ReleasedPiece(NamedTuple):
    start: int
    end: int
    text: str
    replaced: bool


class VisibleText(NamedTuple):
    """Holds what may be shown of a range: its text, and whether it differs from what came."""

    text: str
    changed: bool


class TextSegment:
    """Runs one stream machine, and maps its released characters to its text.

    Args:
        request: what the text shares with others.
        prompt: number of the prompt that it answers.
        context: the text before it.
        halts: whether it ends at a redaction. None takes the request's.
        token_source: its tokens, if a server sent them.
        is_metadata: whether it is no running text, but an id, a code or the like.
        code: follows the source code of the text from which it goes on.
        is_pieced: whether the text before it may stand otherwise in the model's prompt (`PromptView.pieced`). A value
            that begins there may be the end of another one.
        part: keeps what is shown of it, and knows what stands beside it.
        found: what finds its values; None: the request's finder. The text is judged once it is complete.
        beside: gives the other texts of its choice.
    """

    def __init__(
        self,
        request: GuardedRequest,
        prompt: int,
        context: FindContext,
        halts: bool | None = None,
        token_source: TokenSource | None = None,
        is_metadata: bool = False,
        code: CodeRedaction | None = None,
        is_pieced: bool = False,
        part: AnswerPart | None = None,
        found: RecordedFinder | None = None,
        beside: Callable[[], tuple[str, ...]] = tuple,
    ) -> None:
        self._request, self._prompt, self._token_source = request, prompt, token_source
        self._is_pieced, self._part, self._beside = is_pieced, part, beside
        finder: Finder = found or (request.untagged if is_metadata else request.finder)
        if not is_metadata and found is None:
            note_failure = partial(TextSegment._note_failure, proxy(self))
            if (states := request.state_tags(prompt, token_source, note_failure)) is not None:
                context = replace(context, states=states)
        self._wholes: dict[tuple[int, int], str] = {}
        if part is not None and request.recorded is not None:
            finder = over_parts = PartFinder(finder, request.recorded, part)
            self._wholes = over_parts.wholes
        self.machine = StreamMachine.from_policy(
            finder,
            context,
            partial(TextSegment._judge, proxy(self)),  # the machine is its own; a cycle would keep the request
            request.policy,
            request.redact,
            limits=None if found is None else _NO_LIMITS,
            halts=request.halts if halts is None else halts,
            suppressed=to_suppress(self, request.suppressed),
            code=request.policy.code_redaction(context.left, request.numbers_stay) if code is None else code,
        )
        self.shared_count = len(self.machine.suppressed)
        self.decided = 0
        self._came = 0
        self._cut = self._is_behind = False
        self._out: deque[_ReleasedPiece] = deque()
        request.register(self)

    def __repr__(self) -> str:
        return f"TextSegment(<{self._came} chars>, decided={self.decided})"

    def repeats(self, value: Suppressed) -> bool:
        """Says whether the user of this prompt typed a value that another text was stopped at."""
        return self._request.user_typed(self._request.views[self._prompt], value)

    @property
    def stopped(self) -> bool:
        """Says whether a block or a redaction ended it: nothing behind `decided` is ever shown."""
        return self.machine.blocked or self.machine.halted

    def feed(self, text: str, now: float, pieces: Sequence[int] = (), may_judge: bool = True) -> tuple[int, int]:
        """Takes text that came in pieces of these lengths. Returns its range in this segment.

        `may_judge`: whether values are judged now, and not by the next call.
        """
        self.settle()
        start, self._came = self._came, self._came + len(text)
        if not self.machine.finished:
            self._take_release(self.machine.feed(text, now, part_chars=pieces, may_judge=may_judge))
        return start, self._came

    def settle(self) -> None:
        """Judges the value that `feed` left to be judged, if it did."""
        if self.machine.waits:
            self._take_release(self.machine.settle())

    def expire(self, now: float) -> None:
        """Decides text that has been held for too long."""
        self.settle()
        if not self.machine.finished:
            self._take_release(self.machine.expire(now))

    def finish(self, now: float, cut: bool, behind: str = "") -> None:
        """Ends the segment.

        Args:
            now: the time in seconds.
            cut: false only if the model came to its end by itself.
            behind: the text that follows, where the model filled a gap. What is held is judged together with it, so a
                value may end there. It is never shown.
        """
        self.settle()
        if self.machine.finished:
            return
        self._cut = cut
        if behind and self.machine.held_chars:
            self._is_behind = True
            self._take_release(self.machine.feed(behind[:_BEHIND_CHARS], now))
        self._take_release(self.machine.finish(now, cut))
        if self._part is not None:
            self._part.close()

    def settled(self, end: int) -> bool:
        """Says whether everything before `end` has been decided."""
        return self.decided >= end or self.stopped or self.machine.finished

    def shown(self, start: int, end: int) -> VisibleText:
        """Gives what may be shown of a settled range. A replaced piece belongs to the range in which it starts.

        Ask for ranges from left to right.
        """
        while self._out and self._out[0].end <= start:
            self._out.popleft()
        texts: list[str] = []
        changed = self.decided < end
        for out in self._out:
            if out.start >= end:
                break
            if out.replaced:
                changed = True
                if start <= out.start:
                    texts.append(out.text)
            else:
                texts.append(out.text[max(0, start - out.start) : end - out.start])
        return VisibleText("".join(texts), changed)

    def hidden_ranges(self, start: int, end: int) -> list[tuple[int, int]]:
        """Gives the hidden parts of a settled range. Ask it before the next range."""
        replaced = [(out.start, out.end) for out in self._out if out.replaced and out.start < end and start < out.end]
        return [*replaced, (self.decided, end)] if self.decided < end else replaced

    def spans(self, start: int, end: int) -> Iterator[SpanRecord]:
        """Yields the decided spans that overlap a range."""
        return (record for record in self.machine.records if record.start < end and start < record.end)

    def _judge(self, span: Span) -> Decision:
        if self._is_behind and span.start >= self._came:
            return Decision(Action.ALLOW, _TYPED)
        machine = self.machine
        whole = self._wholes.get((span.start, span.end)) if span.recognizer == RECORDED else None
        is_open = self._cut and whole is None and (span.fragment or span.end == self._came)
        is_open = is_open or (self._is_pieced and span.start < 0)
        before = partial(machine.text_before, span)
        value = machine.value_of(span) if whole is None else whole
        return self._request.judge(
            span, value, self._prompt, is_open, self._token_source, before, machine.note_failure, self._beside
        )

    def _note_failure(self, stage: str, error: BaseException) -> None:
        self.machine.note_failure(stage, error)

    def _take_release(self, release: Release) -> None:
        at = 0
        for piece in release.mappings:
            self._out.append(
                _ReleasedPiece(piece.start, piece.end, release.text[at : at + piece.length], piece.replaced)
            )
            at += piece.length
            self.decided = piece.end
        if self._part is not None:
            self._part.add(release.text)
        if self._token_source is not None:
            self._token_source.track.forget(self._token_source.base + self.decided)
        self._request.share_stopped_values(self)


TextLocation = tuple[TextSegment, int, int]
"""Segment, and the start and end of a text in it."""


class Channel:
    """Holds one running text of a choice, in one or several segments, of which it keeps the last.

    Args:
        request: what it shares with other texts.
        prompt: number of the prompt that it answers.
        context: the text before it.
        received: the tokens of its choice.
        open_part: begins a part of the answer behind a text that the prompt has begun.
        beside: gives the other texts of its choice.
    """

    def __init__(
        self,
        request: GuardedRequest,
        prompt: int,
        context: FindContext,
        received: ReceivedTokens,
        open_part: Callable[[str], AnswerPart | None],
        beside: Callable[[], tuple[str, ...]],
    ) -> None:
        self._request, self._prompt, self._context, self._received = request, prompt, context, received
        self._open_part, self._beside = open_part, beside
        self._tail = context.left
        self._last: TextSegment | None = None
        self._before: Report | None = None
        self._track = None if request.detector is None else TokenTrack()
        self._pieces: list[str] = []
        self._came = 0
        self._code: CodeRedaction | None = None

    @property
    def open(self) -> TextSegment | None:
        """Gives the open segment, or None."""
        return None if self._last is None or self._last.machine.finished else self._last

    @property
    def blocked(self) -> bool:
        """Says whether the policy blocked it."""
        report = self.report()
        return report is not None and report.blocked

    @property
    def awaits_text(self) -> bool:
        """Says whether tokens have come whose text has yet to come."""
        return self._track is not None and self._track.waiting > 0

    def feed(
        self, text: str, now: float, tokens: Iterable[Token] = (), pieces: Sequence[int] = (), may_judge: bool = True
    ) -> TextLocation:
        """Takes text, its tokens and the lengths of its pieces. Returns the location of the text."""
        if self._track is not None:
            self._track.add_tokens(tokens)
            self._track.add_text(text)
            if self._request.reads_text:
                self._pieces.append(text)
        segment = self.open
        if segment is None:
            context = self._context if self._last is None else self._context.behind(self._tail, len(self._tail))
            self._before = self.report()
            token_source = (
                None if self._track is None else TokenSource(self._track, self._received, self._pieces, self._came)
            )
            segment = TextSegment(
                self._request,
                self._prompt,
                context,
                token_source=token_source,
                code=self._code,
                is_pieced=self._last is None and self._request.views[self._prompt].pieced,
                part=self._open_part(self._context.left),
                beside=self._beside,
            )
            self._last, self._code = segment, segment.machine.code
        self._came += len(text)
        self._tail = (self._tail + text[-LEFT_CHARS:])[-LEFT_CHARS:]
        return segment, *segment.feed(text, now, pieces, may_judge)

    def finish(self, now: float, cut: bool, behind: str = "") -> None:
        """Ends the open segment, and judges what is held of it together with the text behind it."""
        if (segment := self.open) is not None:
            segment.finish(now, cut, behind)

    def end_text(self, now: float, cut: bool) -> None:
        """Ends the open segment. The next text is another one, whose first word does not continue this one's last.

        Half a value at this text's end may go on there.
        """
        self.finish(now, cut)
        self._tail += "\n"
        self._code = None

    def report(self) -> Report | None:
        """Reports the decisions, or gives None if there was no text."""
        if self._last is None:
            return None
        own, before = Report.of(self._last.machine), self._before
        if before is None:
            return own
        base = before.generated_chars
        spans = tuple(replace(r, start=r.start + base, end=r.end + base) for r in own.spans)
        merged = Report.combined([before, own], (*before.spans, *spans))
        return replace(merged, blocked=before.blocked or own.blocked)


def stops_recorded(
    request: GuardedRequest,
    prompt: int,
    text: str,
    part: AnswerPart | None,
    reports: list[Report],
    inside: bool = True,
) -> bool:
    """Says whether the policy stops a recorded value in a complete text, or over it and the parts beside it.

    No other value is looked for, so none hides a recorded one. Adds the report of what was stopped. `inside`: whether
    to look for values that have no part beside it.
    """
    if request.recorded is None or not text:
        return False
    context = request.fresh_context(prompt)
    if part is not None:
        context = context.behind(part.begun)
    segment = TextSegment(
        request, prompt, context, part=part, found=RecordedFinder(request.recorded if inside else None)
    )
    segment.feed(text, 0.0)
    segment.finish(0.0, cut=False)
    stopped = segment.machine.changed or segment.machine.blocked
    if stopped:
        reports.append(Report.of(segment.machine))
    return stopped
