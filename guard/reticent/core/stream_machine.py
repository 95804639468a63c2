"""Takes text as it is generated, and releases it once every span in it has been decided.

    machine = StreamMachine(finder, FindContext(left=prompt_end), judge)
    for piece in answer:
        yield machine.feed(piece, now=clock()).text
    yield machine.finish(now=clock(), cut=False).text

The machine keeps two offsets into the answer. Everything before `decided` has left, as it was or redacted. From
`frontier` on the span finder has to look again. The two differ only after a hold-back overflow. Text is released up to
the place where a span may still be growing, and not a character further.

It is synchronous, has no clock, no I/O but the log of failures, and uses the standard library alone. Each choice of
each request has its own machine, which keeps the answer's text and nothing else about it.

How a stream is cut into pieces changes nothing in what is released. There are three reasons: the finder's decisions do
not depend on cuts; it never sees more than `max_chars` beyond its frontier, so an overflow happens at a place in the
text; and spans are settled one after another. Only the bounds on tokens and seconds depend on how the text arrives.

Not covered: text that left before its value was first judged memorised is not called back.
"""

from __future__ import annotations

import secrets
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple, Protocol

from reticent.core.failure_log import log_failure
from reticent.core.stream_types import OffsetMapping, Release, SpanRecord, Suppressed
from reticent.policy.fields_between import split
from reticent.policy.policy import FailMode, HoldLimits, Policy, Stage
from reticent.policy.redaction import Redact, tag
from reticent.policy.redaction_in_code_and_json import CodeRedaction
from reticent.policy.verdict import Action, Decision, Origin, Reason, Tier, Verdict
from reticent_detectors.between_steps import between_steps
from reticent_detectors.entities import UNDECIDED, Entity
from reticent_detectors.errors import InputError, PolicyError
from reticent_detectors.finder.engine.suppressed import SUPPRESSED
from reticent_detectors.spans import FindContext, Scan, Span

__all__ = ["Finder", "HoldLimits", "Judge", "OffsetMapping", "Release", "SpanRecord", "StreamMachine", "Suppressed"]

_UNDECIDED = (Stage.FIND, Stage.JUDGE)
"""Stages whose failure leaves a span undecided, so that the fail mode decides.

A failed style is replaced by the tag.
"""

Judge = Callable[[Span], Decision]
MachineSteps = Generator[Span, Decision, Release]
"""Yields each span that has to be judged, and takes its decision, or the error of judging it."""


class Finder(Protocol):
    """Finds spans for the machine (`reticent_detectors.finder.SpanFinder`)."""

    def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Scan:
        """Finds the next final span from `start` on, independent of how the text was cut."""
        ...

    def fragment(self, text: str, start: int, *, context: FindContext) -> Span | None:
        """Finds the first value from `start` on that the text's end may have cut short, and marks it as a fragment.

        It may also report whole values before that one, as `next_span` with `closed` does.
        """
        ...

    def with_suppressed(self, entity: str, value: str) -> Finder:
        """Makes a finder that also reports `value`, re-spelled or not, under the recogniser name `suppressed`."""
        ...


_SpanSteps = Generator[Span, Decision, None]


class _Arrival(NamedTuple):
    """Records a feed: the answer's length after it, its tokens, its time in seconds."""

    end: int
    tokens: int
    now: float


class _FinderFailed(Exception):
    """Marks a finder that raised or broke its contract; see the cause."""


class StreamMachine:
    """Holds back, judges and releases one answer.

    Args:
        finder: finds spans; its decisions must not depend on how the text is cut.
        context: text before the answer.
        judge: decides about a span, and may ask the machine for its text by `value_of`. None, if only `feed_steps` and
            `finish_steps` are used.
        redact: makes the replacement of a redacted span.
        limits: bounds of the hold-back.
        on_overflow: what happens to held text at the bound.
        fail_mode: what happens to a span whose judging failed, and to a text that no finder could read. It is one mode
            for both, or one each for `judge` and `find`.
        monitor: whether to decide and count, and change nothing.
        halts: whether to take nothing more after the first redaction, and to forget what was held behind it. The caller
            then stops the host there, or sets it back to there.
        suppressed: values that other choices of the request were stopped at.
        code: follows what is released, and fits redactions into JSON and source code.
        new_id: draws decision ids.
        on_failure: called with every failure, its stage (`find`, `judge`, `redact`) and the error.
    """

    def __init__(
        self,
        finder: Finder,
        context: FindContext,
        judge: Judge | None,
        redact: Redact = tag,
        limits: HoldLimits | None = None,
        *,
        on_overflow: Action = Action.REDACT,
        fail_mode: FailMode | Mapping[str, FailMode] = FailMode.CLOSED,
        monitor: bool = False,
        halts: bool = False,
        suppressed: Iterable[Suppressed] = (),
        code: CodeRedaction | None = None,
        new_id: Callable[[], str] = lambda: secrets.token_hex(8),
        on_failure: Callable[[str, BaseException], None] = log_failure,
    ) -> None:
        self._finder, self._judge, self._redact, self.code = finder, judge, redact, code
        # The machine has a context of its own, as finders keep there what they read of a text.
        self._context = context.behind(context.left, context.model_chars)
        self._limits = HoldLimits() if limits is None else limits
        self._on_overflow, self._monitor, self._halts, self._new_id = on_overflow, monitor, halts, new_id
        self._on_failure = on_failure
        modes = dict.fromkeys(_UNDECIDED, fail_mode) if isinstance(fail_mode, FailMode) else fail_mode
        self._fail_modes = {stage: modes.get(stage, FailMode.CLOSED) for stage in _UNDECIDED}
        self._text = ""
        self._frontier = 0
        self._decided = 0
        self._arrivals: deque[_Arrival] = deque()
        self._arrived_tokens = 0
        self._now = 0.0
        self._out: list[str] = []
        self._mappings: list[OffsetMapping] = []
        self._records: list[SpanRecord] = []
        self._suppressed: list[Suppressed] = []
        self._verdicts: dict[str, Verdict] = {}
        self._failures: Counter[str] = Counter()
        self._released_chars = 0
        self._most_held = (0, 0, 0.0)
        self._waiting: tuple[MachineSteps, Span] | None = None
        self._changed = self._blocked = self._finished = self._broken = self._failed_closed = self._cut = False
        self._halted = False
        for value in suppressed:
            self.suppress(value)

    @classmethod
    def from_policy(
        cls,
        finder: Finder,
        context: FindContext,
        judge: Judge | None,
        policy: Policy,
        redact: Redact = tag,
        *,
        limits: HoldLimits | None = None,
        halts: bool = False,
        suppressed: Iterable[Suppressed] = (),
        code: CodeRedaction | None = None,
    ) -> StreamMachine:
        """Makes a machine with a policy's modes, and its bounds unless others are given.

        `code` is the code redaction of an earlier machine, which this one goes on from.
        """
        return cls(
            finder,
            context,
            judge,
            redact,
            limits or policy.hold,
            on_overflow=policy.on_overflow,
            fail_mode={stage: policy.fail_mode_of(stage) for stage in _UNDECIDED},
            monitor=policy.monitor,
            halts=halts,
            suppressed=suppressed,
            code=policy.code_redaction(context.left) if code is None else code,
        )

    def __repr__(self) -> str:
        return (
            f"StreamMachine(<{len(self._text)} chars>, held={self.held_chars}, spans={len(self._records)}, "
            f"blocked={self._blocked}, finished={self._finished})"
        )

    # State of the stream

    @property
    def records(self) -> tuple[SpanRecord, ...]:
        """Gives every decided span, in the order of the text."""
        return tuple(self._records)

    @property
    def suppressed(self) -> tuple[Suppressed, ...]:
        """Gives the values stopped so far, for the request's other choices."""
        return tuple(self._suppressed)

    @property
    def failures(self) -> Counter[str]:
        """Counts failures by stage: `find`, `judge` and `redact`, and `base` where the base could not be asked."""
        return Counter(self._failures)

    @property
    def changed(self) -> bool:
        """Says whether anything released differs from what was generated."""
        return self._changed

    @property
    def blocked(self) -> bool:
        return self._blocked

    @property
    def halted(self) -> bool:
        """Says whether a redaction ended the stream (`halts`)."""
        return self._halted

    @property
    def finished(self) -> bool:
        return self._finished

    @property
    def cut(self) -> bool:
        """Says whether the answer was cut short. It is known when the answer is finished."""
        return self._cut

    @property
    def generated_chars(self) -> int:
        return len(self._text)

    @property
    def released_chars(self) -> int:
        return self._released_chars

    @property
    def held_chars(self) -> int:
        """Counts the characters that are held back now."""
        return 0 if self._blocked or self._finished else len(self._text) - self._decided  # after halting: 0 as well

    @property
    def held_tokens(self) -> int:
        """Counts the tokens that are held back now. A token that was released in part counts."""
        return self._arrived_tokens if self.held_chars else 0

    @property
    def most_held(self) -> tuple[int, int, float]:
        """Gives the most characters, tokens and seconds that were held back after any call."""
        return self._most_held

    @property
    def deadline(self) -> float | None:
        """Gives the time at which `expire` has to be called, or None while nothing is held back."""
        return self._arrivals[0].now + self._limits.max_seconds if self.held_chars and self._arrivals else None

    def value_of(self, span: Span) -> str:
        """Gives the span's whole value, its part in the prompt included, and parts that stand apart."""
        if span.parts:
            between = "@" if span.entity == Entity.EMAIL_ADDRESS else ""
            return between.join(self._written(start, end) for start, end in span.parts)
        return self._written(span.start, span.end)

    def _written(self, start: int, end: int) -> str:
        left = self._context.left
        before = left[len(left) + start : len(left) + min(end, 0)] if start < 0 else ""
        return before + self._text[max(0, start) : max(0, end)]

    def text_before(self, span: Span) -> str:
        """Gives the text before a span: the end of the prompt that the answer continues, then the answer."""
        left = self._context.left
        return left[: len(left) + span.start] if span.start < 0 else left + self._text[: span.start]

    # Feeding

    def feed(
        self, text: str, now: float, tokens: int = 1, part_chars: Sequence[int] = (), may_judge: bool = True
    ) -> Release:
        """Takes newly generated text, and gives what may leave.

        Args:
            text: the text.
            now: the time in seconds.
            tokens: the tokens that the text came from.
            part_chars: lengths in characters of several parts that came together, each of `tokens` tokens.
            may_judge: false if the judge may not be called now. At a value the machine then waits for `settle`.

        Raises:
            InputError: the stream is finished.
        """
        return self._drive_judge(self.feed_steps(text, now, tokens, part_chars), may_judge)

    @property
    def waits(self) -> bool:
        """Says whether a value waits for `settle`, until which the machine takes no other call."""
        return self._waiting is not None

    def settle(self) -> Release:
        """Judges the value at which `feed` left off, and goes on."""
        if self._waiting is None:
            return self._release()
        (steps, span), self._waiting = self._waiting, None
        return self._drive_judge(steps, span=span)

    def feed_steps(self, text: str, now: float, tokens: int = 1, part_chars: Sequence[int] = ()) -> MachineSteps:
        """Does what `feed` does, for a caller who judges the spans of several machines together.

        Until it has ended or is closed, the machine takes no other call. If it is closed early, it drops what it had
        not read yet of a text longer than `max_chars`.
        """
        if self._finished:
            raise InputError("The stream is finished and takes no more text; expected feed() before finish().")
        self._now = now
        if not self._ended:
            end = len(self._text)
            for length in part_chars or (len(text),):
                end += length
                self._arrivals.append(_Arrival(end, tokens, now))
                self._arrived_tokens += tokens
            if text:
                yield from self._append(text)
            if self._exceeds_max_seconds(now) or self.held_tokens >= self._limits.max_tokens:
                self._overflow()
        return self._release()

    def expire(self, now: float) -> Release:
        """Takes the time, and decides text that has been held back for too long by `on_overflow`."""
        self._now = now
        if self._exceeds_max_seconds(now):
            self._overflow()
        return self._release()

    def finish(self, now: float, cut: bool) -> Release:
        """Ends the stream. `cut` is false only if the model came to its end by itself. A second call gives nothing."""
        return self._drive_judge(self.finish_steps(now, cut))

    def finish_steps(self, now: float, cut: bool) -> MachineSteps:
        """Does what `finish` does, for a caller who judges the spans of several machines together."""
        self._now = now
        if not (self._finished or self._ended):
            self._cut = cut
            try:
                yield from self._close(cut)
            except _FinderFailed as error:
                self._break(error.__cause__)
            if not self._ended:
                self._release_unchanged(len(self._text))
        release = self._release()
        self._finished = True
        return release

    def _drive_judge(self, steps: MachineSteps, may_judge: bool = True, span: Span | None = None) -> Release:
        """Lets the judge decide about every span, from one on that was yielded before."""
        if self._judge is None:
            raise InputError(
                "The machine has no judge; expected feed_steps() and finish_steps() in place of feed() and finish()."
            )
        try:
            span = next(steps) if span is None else span
            while may_judge:
                try:
                    decision = self._judge(span)
                except Exception as error:
                    span = steps.throw(error)
                else:
                    span = steps.send(decision)
        except StopIteration as end:
            release: Release = end.value
            return release
        self._waiting = steps, span
        return self._release()

    # Scanning

    def _append(self, text: str) -> _SpanSteps:
        """Appends in steps, so that the finder never sees more than `max_chars` beyond its frontier."""
        most, appended = self._limits.max_chars, 0
        while True:
            step = text[appended : appended + most - (len(self._text) - self._frontier)]
            appended += len(step)
            # In this form CPython extends the string in place: a stream costs time in proportion to its length.
            text_so_far, self._text = self._text, ""
            text_so_far += step
            self._text = text_so_far
            between_steps()
            try:
                yield from self._advance()
            except _FinderFailed as error:
                self._break(error.__cause__)
            if self._ended:
                return
            if len(self._text) - self._frontier >= most:
                self._overflow()
                self._frontier = len(self._text)
            if appended >= len(text) or self._ended:
                return

    def _scan(self, closed: bool) -> Scan:
        try:
            scan = self._finder.next_span(self._text, self._frontier, context=self._context, closed=closed)
        except Exception as error:
            raise _FinderFailed from error
        span = scan.span
        end = scan.frontier if span is None else span.end
        first = end if span is None else span.answer_start
        if not self._frontier <= first <= end <= len(self._text) or (span is not None and end <= self._frontier):
            raise _FinderFailed from InputError("The finder reported a place outside of the text that it was given.")
        return scan

    def _advance(self) -> _SpanSteps:
        """Settles every span that is final, and releases what no span can reach any more."""
        while not (self._ended or self._broken):
            scan = self._scan(closed=False)
            if scan.span is None:
                self._frontier = scan.frontier
                self._release_unchanged(scan.frontier)
                return
            yield from self._settle(scan.span)
        if self._broken:
            self._break()

    def _close(self, cut: bool) -> _SpanSteps:
        """Settles what is left, as no more text comes. If the answer was cut, a value that was cut short is a span too.

        An open value comes before a whole one that it encloses. The scan for a fragment begins where an open stream
        would be held. So text that could not have become a span is never called a fragment.
        """
        while not (self._ended or self._broken):
            yield from self._advance()
            if self._ended or self._broken or self._frontier == len(self._text):
                return
            span = self._scan(closed=True).span
            if cut:
                fragment = self._fragment()
                if fragment is not None and (span is None or (fragment.start, -fragment.end) < (span.start, -span.end)):
                    span = fragment
            if span is None:
                return
            yield from self._settle(span)
        if self._broken:
            self._break()

    def _fragment(self) -> Span | None:
        try:
            span = self._finder.fragment(self._text, self._frontier, context=self._context)
        except Exception as error:
            raise _FinderFailed from error
        if span is None:
            return None
        if not self._frontier <= span.answer_start <= span.end <= len(self._text) or span.end <= self._frontier:
            raise _FinderFailed from InputError("The finder reported a place outside of the text that it was given.")
        return span

    def _settle(self, span: Span) -> _SpanSteps:
        """Decides about a span, and releases or replaces it."""
        self._release_unchanged(span.answer_start)
        if span.end > self._decided:  # else an overflow released the whole span
            decision = yield from self._decide(span)
            if decision.action is Action.REDACT and not self._can_fit(span):
                decision = replace(decision, action=Action.BLOCK)
            self._record(span, decision)
            self._apply_decision(span, decision, span.end)
            if decision.suppress and not (span.fragment or span.recognizer == SUPPRESSED):
                self.suppress(Suppressed(span.entity, self.value_of(span), decision.verdict))
        self._frontier = span.end

    @property
    def _ended(self) -> bool:
        return self._blocked or self._halted

    # Deciding

    def _decide(self, span: Span) -> Generator[Span, Decision, Decision]:
        if span.recognizer == SUPPRESSED:
            verdict = self._verdicts.get(span.entity, Verdict(Origin.MEMORIZED, None, 0.0, Tier.TEXT))
            decision = Decision(Action.REDACT, verdict, reason=Reason.SUPPRESSED)
        else:
            try:
                decision = yield span
                if not isinstance(decision, Decision):
                    raise PolicyError("The judge must return a Decision.")
            except Exception as error:
                self.note_failure(Stage.JUDGE, error)
                return self._fallback(Reason.FAILURE, Stage.JUDGE)
        return decision.monitored() if self._monitor else decision

    def _fallback(self, reason: Reason, stage: Stage = Stage.FIND) -> Decision:
        """Gives the decision about text that could not be judged."""
        if reason is Reason.OVERFLOW:
            action = self._on_overflow
        else:
            action = Action.REDACT if self._fail_modes[stage] is FailMode.CLOSED else Action.ALLOW
        decision = Decision(action, Verdict(Origin.UNKNOWN, None, 0.0, Tier.TEXT), reason=reason)
        return decision.monitored() if self._monitor else decision

    def suppress(self, value: Suppressed) -> None:
        """Redacts the value from here on in every spelling, without judging it, as another choice was stopped at it."""
        if value in self._suppressed or self._broken:
            return
        self._suppressed.append(value)
        self._verdicts[value.entity] = value.verdict
        try:
            self._finder = self._finder.with_suppressed(value.entity, value.value)
        except Exception as error:
            self._broken = True  # a repetition of the value could pass
            self.note_failure(Stage.FIND, error)

    def _overflow(self) -> None:
        """Decides all held text by `on_overflow`, but for what only waits for the tagger, and is no value so far.

        The frontier stays, so a span that is still growing is judged later.
        """
        hastily = getattr(self._finder, "decided_without_tagger", None)
        if hastily is not None and len(self._text) > self._decided and not self._broken:
            try:
                known = hastily(self._text, self._frontier, context=self._context)
            except Exception as error:
                self.note_failure(Stage.FIND, error)
            else:
                self._release_unchanged(known)
        if len(self._text) > self._decided:
            self._decide_rest(self._fallback(Reason.OVERFLOW))

    def note_failure(self, stage: str, error: BaseException) -> None:
        """Counts a failure, and calls `on_failure`."""
        self._failures[stage] += 1
        with suppress(Exception):
            self._on_failure(stage, error)

    def _break(self, error: BaseException | None = None) -> None:
        """Gives up the finder for this answer, and lets the fail mode decide about the rest of it."""
        if error is not None and not self._broken:
            self._broken = True
            self.note_failure(Stage.FIND, error)
        self._frontier = len(self._text)
        if self._decided == len(self._text):
            return
        decision = self._fallback(Reason.FAILURE)
        if self._failed_closed:
            self._emit(len(self._text), "" if decision.action.stops else None)
        else:  # the whole rest gets one record and one tag
            self._failed_closed = True
            self._decide_rest(decision)

    def _decide_rest(self, decision: Decision) -> None:
        rest = Span(UNDECIDED, self._decided, len(self._text))
        self._record(rest, decision)
        self._apply_decision(rest, decision, rest.end)

    # Releasing

    def _apply_decision(self, span: Span, decision: Decision, end: int) -> None:
        if decision.action is Action.BLOCK:
            self._blocked = self._changed = True
        elif decision.action is Action.REDACT:
            try:
                replacement = self._redact(span, decision, self.value_of(span))
            except Exception as error:
                self.note_failure(Stage.REDACT, error)
                replacement = tag(span, decision)
            if self._halts or span.entity == UNDECIDED:
                self._emit(end, self._fit_code(span, replacement, end))
            else:
                self._redact_fields(span, replacement, end)
            if self._halts:
                self._halted = True
                self._text = self._text[:end]
                self._arrivals.clear()
                self._arrived_tokens = 0
        else:
            self._emit(end, None)

    def _redact_fields(self, span: Span, replacement: str, end: int) -> None:
        """Puts the replacement into each field that the text up to `end` is written over."""
        for content, between in split(self._text[self._decided : end]):
            content_end = self._decided + len(content)
            self._emit(content_end, self._fit_code(span, replacement, content_end))
            self._release_unchanged(content_end + len(between))

    def _can_fit(self, span: Span) -> bool:
        return self.code is None or self.code.can_fit(self._text[self._decided : span.end])

    def _fit_code(self, span: Span, replacement: str, end: int) -> str:
        """Fits the redaction of the text up to `end` into source code."""
        if self.code is None:
            return replacement
        try:
            return self.code.fitted(span.entity, self._text[self._decided : end], replacement)
        except Exception as error:
            self.note_failure(Stage.REDACT, error)
            return replacement

    def _release_unchanged(self, end: int) -> None:
        if end > self._decided:
            self._emit(end, None)

    def _emit(self, end: int, replacement: str | None) -> None:
        """Releases the answer up to `end`, or another text in its place."""
        text = self._text[self._decided : end] if replacement is None else replacement
        if self.code is not None:
            self.code.released(text)
        self._mappings.append(OffsetMapping(self._decided, end, len(text), replacement is not None))
        self._out.append(text)
        self._changed = self._changed or replacement is not None
        self._decided = end

    def _record(self, span: Span, decision: Decision) -> None:
        self._settle_arrivals()
        since = self._arrivals[0].now if self._arrivals else self._now
        self._records.append(
            SpanRecord(
                span.entity,
                span.start,
                span.end,
                span.fragment,
                span.recognizer,
                decision,
                len(self._text) - self._decided,
                self._arrived_tokens,
                self._now - since,
                self._new_id(),
            )
        )

    def _settle_arrivals(self) -> None:
        while self._arrivals and self._arrivals[0].end <= self._decided:
            self._arrived_tokens -= self._arrivals.popleft().tokens

    def _exceeds_max_seconds(self, now: float) -> bool:
        self._settle_arrivals()
        return bool(self.held_chars) and now - self._arrivals[0].now >= self._limits.max_seconds

    def _release(self) -> Release:
        self._settle_arrivals()
        if self.held_chars:
            chars, tokens, seconds = self._most_held
            since = self._now - self._arrivals[0].now
            self._most_held = max(chars, self.held_chars), max(tokens, self.held_tokens), max(seconds, since)
        release = Release("".join(self._out), self._blocked, tuple(self._mappings))
        self._released_chars += len(release.text)
        self._out, self._mappings = [], []
        return release
