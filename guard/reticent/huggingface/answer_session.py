"""Guards one answer: takes token ids, releases text, and records decisions.

A session follows one choice of one call. Where the policy rewinds, an answer has several segments. The model is set back to
the text before a redacted value and goes on from the redaction, with a fresh stream machine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from reticent.core.answer_history import AnswerHistory
from reticent.core.call_context import CallContext
from reticent.core.judge import (
    BaseQuery,
    BaseRole,
    FoundValue,
    Judgement,
    ModelAccess,
    OtherPeopleQuery,
    PrecedingText,
    Query,
    Reply,
    ScoreQuery,
    judge,
)
from reticent.core.release import OffsetMapping, Release, SpanRecord, Suppressed
from reticent.core.report import Report
from reticent.core.stream_machine import MachineSteps, StreamMachine
from reticent.core.stutter import FULL_STOP, Lead
from reticent.core.suppression import to_suppress
from reticent.core.verdict import Decision
from reticent.huggingface.batch_scoring import BaseScoreRequest, ScoreRequest, ScoreResult, ScoringSteps, StateSource
from reticent.observability.observers import TimedStage, WireStage
from reticent.old_names import OldName
from reticent.policy.policy import AfterRedaction, OnBlock, Policy
from reticent.prompt.segments import LEFT_CHARS, PromptView
from reticent_detectors.alignment import TokenText, without_lists
from reticent_detectors.errors import Blocked, CaptureError
from reticent_detectors.features.cue import PromptIndex
from reticent_detectors.features.derived_features import BASE
from reticent_detectors.spans import FindContext, Span

if TYPE_CHECKING:
    from reticent.guard import Guard
    from reticent.huggingface.guarded_model import GuardedModel
    from reticent_detectors.capture.base_model import BaseReader

_FIND = TimedStage.FIND
"""Bound once, because it is read for every token, and reading a member of an enum takes twice as long."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Holds a guarded answer. Its `repr` shows no text.

    Attributes:
        text: what may be shown.
        report: what was decided.
        finish_reason: `stop`, `length` or `content_filter`.
        seconds: time spent in the guard itself, without the model's own.
        pieces: which characters of the model's answer were released, and which were replaced. After a rewind, that
            answer is all segments in order, without the characters that the rewind took back.
        ids: the token ids that `generate` returns for it, without padding.
        stage_seconds: time spent in the guard, by stage.
        rewinds: how often the model was set back.
    """

    text: str
    report: Report
    finish_reason: str
    seconds: float
    mappings: tuple[OffsetMapping, ...] = ()
    ids: tuple[int, ...] = field(default=(), repr=False)
    stage_seconds: Mapping[str, float] = field(default_factory=dict)
    rewinds: int = 0

    pieces = OldName("mappings")

    def __repr__(self) -> str:
        return f"Answer(<{len(self.text)} chars>, finish_reason={self.finish_reason!r}, spans={len(self.report.spans)})"


class ModelCallContext(CallContext):
    """Holds what the answers of one call in the process share.

    Args:
        guard: has the detector, the records and the observers.
        model: the guarded model.
        policy: what is done about spans.
        halts: whether an answer ends at a redaction.
        conversation: names the conversation, whose hashes and surrogates stay the same.
        streams: whether somebody reads along. Where nobody does, nobody waits, and the bound on seconds of what is held back does not
            count.
    """

    def __init__(
        self,
        guard: Guard,
        model: GuardedModel,
        policy: Policy,
        halts: bool,
        conversation: str | None = None,
        streams: bool = False,
    ) -> None:
        super().__init__(policy, guard.finder(policy), guard.records, guard.conversation_key(conversation), halts)
        self.guard, self.model = guard, model
        self.limits = policy.hold if streams else replace(policy.hold, max_seconds=math.inf)
        self.base: BaseReader | None = None if model.base is None else model.base.open()
        """Reads the base for this call, where the model has one."""

    @cached_property
    def model_access(self) -> ModelAccess:
        """Says what can be asked about a value's tokens."""
        role = BaseRole.NONE
        if self.base is not None:
            role = BaseRole.MODEL_ITSELF if self.base.is_host else BaseRole.BEFORE_TUNING
        return ModelAccess(self.guard.tier, True, role, BASE in self.guard.scorer.shapes)


class _SpanReading(NamedTuple):
    """The ids of a value, and what the model read before them.

    Args:
        prompt: the prompt's ids; without the list of candidates that the value was chosen from, if `is_masked`.
        earlier: ids of the answer before the value.
        before: both.
        ids: of the value.
        states: where the states of its tokens are: those of the running answer, or of a pass without the list.
        positions, row: the value's among these states.
    """

    prompt: Sequence[int]
    earlier: Sequence[int]
    before: Sequence[int]
    ids: Sequence[int]
    states: StateSource | None
    positions: range
    row: int
    is_masked: bool

    def __repr__(self) -> str:
        return f"_SpanReading(<{len(self.ids)} tokens>)"


@contextmanager
def _timed(spent: dict[str, float], stage: TimedStage) -> Iterator[None]:
    """Adds the seconds of the block to a stage."""
    started = time.perf_counter()
    try:
        yield
    finally:
        spent[stage] += time.perf_counter() - started


class AnswerSession:
    """Guards one choice of a call.

    Args:
        request: what it shares with the other choices.
        view: what is known of its prompt.
        prompt_ids: its prompt, without padding.
        choice: its number within the call.
    """

    def __init__(
        self, call: ModelCallContext, prompt_view: PromptView, prompt_ids: Sequence[int], choice: int = 0
    ) -> None:
        self.call, self.choice, self.prompt_ids = call, choice, list(prompt_ids)
        self._prompt_view = prompt_view
        self.earlier_ids: list[int] = []
        """Ids of the answer before this segment, with redactions in place of values."""
        self.ended = False
        self.rewinds = 0
        self._history = AnswerHistory(call.policy.second_looks)
        self._lead: Lead | None = None
        self._stutters = 0
        """How often in a row the answer led to the same redaction again."""
        self.shared_count = 0
        self.seconds = 0.0
        self._away_seconds = 0.0
        """Seconds of this step in which other sessions were judged."""
        self.first_release_seconds: float | None = None
        """From the first token to the first released text: what the guard adds to the time to first token."""
        self._began = math.inf
        self.stages: dict[str, float] = dict.fromkeys(
            (TimedStage.FIND, TimedStage.LENS, TimedStage.DETECTOR, TimedStage.POLICY), 0.0
        )
        self._released: list[str] = []
        self._mappings: list[OffsetMapping] = []
        self._finished_machines: list[StreamMachine] = []
        self._states: StateSource | None = None
        self._row = self._first = 0
        self._open_segment(prompt_view.context)

    def _open_segment(self, context: FindContext) -> None:
        """Starts a segment with a fresh machine."""
        call = self.call
        self._tokens = TokenText(call.model.tokenizer)
        self._ids: list[int] = []
        self._cut = False
        """Whether this segment was cut short, so that a value at its end may be incomplete."""
        self.machine = StreamMachine.from_policy(
            call.finder, context, None, call.policy, call.redact,
            limits=call.limits, halts=call.halts, suppressed=to_suppress(self, call.suppressed),
            code=call.policy.code_redaction(self._prompt_view.context.left + "".join(self._released)),
        )  # fmt: skip
        self.shared_count = len(self.machine.suppressed)

    def repeats(self, value: Suppressed) -> bool:
        """Tells whether the user of this prompt typed a value that another choice was stopped at."""
        return self.call.user_typed(self._prompt_view, value)

    def attach(self, states: StateSource, row: int, first: int) -> None:
        """Sets where the states of this segment are: the row, and the predictive position of its first token."""
        self._states, self._row, self._first = states, row, first

    # ---- tokens ------------------------------------------------------------------------------------------------

    @property
    def stopped(self) -> bool:
        """Whether nothing more is wanted from the host in this segment."""
        return self.ended or self.machine.blocked or self.machine.halted

    @property
    def changed(self) -> bool:
        """Whether anything was withheld so far."""
        return any(machine.changed or machine.blocked for machine in (*self._finished_machines, self.machine))

    @property
    def ids(self) -> list[int]:
        """All ids of the answer so far."""
        return self.earlier_ids + self._ids

    def feed(self, token_id: int) -> ScoringSteps[Release]:
        """Takes the next token, for `run_batched`."""
        started = time.perf_counter()
        self._ids.append(token_id)
        return (
            yield from self._drive_machine(self.machine.feed_steps(self._tokens.push(token_id), self._clock()), started)
        )

    def finish(self) -> ScoringSteps[Release]:
        """Ends the segment, for `run_batched`."""
        started = time.perf_counter()
        self._cut = not self.ended
        return (yield from self._drive_machine(self.machine.finish_steps(self._clock(), cut=self._cut), started))

    def feed_answer(self, token_ids: Iterable[int], ended: bool) -> ScoringSteps[None]:
        """Takes a finished answer, for `run_batched`."""
        for token_id in token_ids:
            yield from self.feed(token_id)
        self.ended = ended
        yield from self.finish()

    def _clock(self) -> float:
        return time.monotonic() - (0.0 if self._states is None else self._states.compile_seconds)

    def _collect(self, release: Release) -> Release:
        if self._lead is not None:
            redacted = self.machine.records[-1].entity if self.machine.halted else None
            release = self._lead.take(release, redacted, self.machine.finished or self.machine.blocked)
            if self._lead.repeated and release.mappings:
                self._stutters += 1
        if not release.mappings:
            return release
        if self.first_release_seconds is None:
            self.first_release_seconds = time.perf_counter() - self._began
        self._released.append(release.text)
        base = sum(machine.generated_chars for machine in self._finished_machines)
        self._mappings += [p._replace(start=p.start + base, end=p.end + base) for p in release.mappings]
        return release

    # ---- after a redaction -------------------------------------------------------------------------------------

    @property
    def may_rewind(self) -> bool:
        """Whether a redaction halted this answer and the policy has the host go on from it."""
        policy = self.call.policy
        return (
            self.machine.halted
            and policy.after_redaction is AfterRedaction.REWIND
            and self.rewinds < policy.max_rewinds
            and self._stutters <= 1
        )

    def rewind(self) -> int:
        """Removes the value, so that `ids` ends with the redaction. Returns how many ids of the answer were kept."""
        last = self._mappings[-1]
        base = sum(machine.generated_chars for machine in self._finished_machines)
        before = self._tokens.tokens(Span("", last.start - base, last.end - base)).start
        kept = self.earlier_ids + self._ids[:before]
        released = "".join(self._released)
        length = self._tokens.ends(before)
        rest = self._tokens.text[length : last.start - base] + released[len(released) - last.length :]
        encoded = self.call.model.tokenizer(rest, add_special_tokens=False)["input_ids"]
        self.earlier_ids = kept + list(encoded)
        self.ended = False
        self.call.share_suppressed([self])
        record, repeated = self.machine.records[-1], self._lead is not None and self._lead.repeated
        self._stutters = self._stutters if repeated else 0
        follows = self._lead is not None and self._lead.entity == record.entity and not repeated
        gap = self._tokens.text[: last.start - base] if follows else None
        waits = not self.call.policy.fits_code  # one file may hold many values in a row
        self._lead = Lead(record.entity, gap, "" if repeated else FULL_STOP, waits)
        self._finished_machines.append(self.machine)
        self.rewinds += 1
        context = self._prompt_view.context
        self._open_segment(context.behind((context.left + released)[-LEFT_CHARS:], len(released)))
        return len(kept)

    # ---- judging -----------------------------------------------------------------------------------------------

    def _drive_machine(self, steps: MachineSteps, started: float) -> ScoringSteps[Release]:
        """Judges every span of the machine, and collects what it releases."""
        self._began, self._away_seconds = min(self._began, started), 0.0
        try:
            span = next(steps)
            while True:
                try:
                    decision = yield from self._judge(span)
                except Exception as error:
                    span = steps.throw(error)
                else:
                    span = steps.send(decision)
        except StopIteration as end:
            return self._collect(end.value)
        finally:
            took = time.perf_counter() - started - self._away_seconds
            self.seconds += took
            self.stages[_FIND] += took

    def _judge(self, span: Span) -> ScoringSteps[Decision]:
        """Runs the judge of a span, and answers its queries by the model, the detector and the base."""
        machine = self.machine
        is_cut = self._cut and (span.fragment or span.end == machine.generated_chars)
        before = partial(machine.text_before, span)
        value = FoundValue(span, machine.value_of(span), before, is_cut, self._follows_redaction(span))
        steps = judge(self.call, self._prompt_view, value, self.call.model_access, self._history)
        spent: dict[str, float] = {TimedStage.POLICY: 0.0, TimedStage.LENS: 0.0, TimedStage.DETECTOR: 0.0}
        reply: Reply | None = None
        reading: _SpanReading | None = None
        try:
            while True:
                with _timed(spent, TimedStage.POLICY):
                    try:
                        query = next(steps) if reply is None else steps.send(reply)
                    except StopIteration as end:
                        judgement: Judgement = end.value
                        return judgement.decision
                if reading is None:  # the candidates of a value are the same in all of its queries
                    with _timed(spent, TimedStage.LENS):
                        reading = self._read(span, query.candidates)
                reply = yield from self._reply(query, span, reading, spent)
        finally:
            for stage, seconds in spent.items():
                self.stages[stage] += seconds
            self.stages[TimedStage.FIND] -= sum(spent.values())  # judging runs inside the machine's call

    def _reply(self, query: Query, span: Span, reading: _SpanReading, spent: dict[str, float]) -> ScoringSteps[Reply]:
        """Answers a query of the judge. Raises CaptureError if the detector cannot score."""
        if isinstance(query, ScoreQuery):
            return Reply(probability=(yield from self._score(query, span.entity, reading, spent)))
        if isinstance(query, BaseQuery):
            return Reply(base=(yield from self._score_by_base(reading, spent)))
        if isinstance(query, OtherPeopleQuery):
            return Reply(others=(yield from self._score_others(reading, spent)))
        with _timed(spent, TimedStage.POLICY):
            decode = self.call.model.tokenizer.decode
            masked = PromptIndex(decode(reading.prompt, skip_special_tokens=True)) if reading.is_masked else None
            answer = decode(reading.earlier, skip_special_tokens=True)
            return Reply(text=PrecedingText(self._prompt if masked is None else masked, answer))

    def _follows_redaction(self, span: Span) -> bool:
        """Tells whether a value follows directly on a redaction of its kind."""
        if self._lead is None or self._lead.entity != span.entity:
            return False
        return not any(map(str.isalnum, self._tokens.text[: span.answer_start]))

    @cached_property
    def _prompt(self) -> PromptIndex:
        """Indexes the whole prompt as the model reads it, its own earlier turns included."""
        return PromptIndex(self.call.model.tokenizer.decode(self.prompt_ids, skip_special_tokens=True))

    def _read(self, span: Span, candidates: Sequence[str]) -> _SpanReading:
        """Collects the ids and states of a value. Where the prompt lists candidates, the model reads it again without them."""
        tokens = self._tokens.tokens(span)
        earlier, ids = [*self.earlier_ids, *self._ids[: tokens.start]], self._ids[tokens.start : tokens.stop]
        if not candidates:
            positions = range(self._first + tokens.start, self._first + tokens.stop)
            before = [*self.prompt_ids, *earlier]
            return _SpanReading(self.prompt_ids, earlier, before, ids, self._states, positions, self._row, False)
        model = self.call.model
        prompt = without_lists(model.tokenizer, self.prompt_ids, candidates)
        before = [*prompt, *earlier]
        return _SpanReading(prompt, earlier, before, ids, model.read(before, ids), range(len(ids)), 0, True)

    def _score(
        self, query: ScoreQuery, entity: str, reading: _SpanReading, spent: dict[str, float]
    ) -> ScoringSteps[float]:
        """Requests the detector's probability. Raises CaptureError if there is none."""
        if reading.states is None:
            raise CaptureError("A span was judged before any state was recorded.")
        # The host's cache holds the ids before the span from its first column on, unless the prompt is padded or read without a list.
        is_aligned = not reading.is_masked and self._first == len(self.prompt_ids) + len(self.earlier_ids) - 1
        beginning = reading.states.beginning(reading.row) if is_aligned else None
        result = yield from self._request_score(
            ScoreRequest(
                reading.states, reading.positions, reading.row, entity, reading.before, beginning, query.second_looks, query.base
            ),
            spent,
        )  # fmt: skip
        if result.probability is None:
            raise CaptureError(f"The span was not scored ({result.error}).")
        return result.probability

    def _request_score(
        self, request: ScoreRequest | BaseScoreRequest, spent: dict[str, float]
    ) -> ScoringSteps[ScoreResult]:
        """Yields a request, and counts only its own share of the time until the result."""
        started = time.perf_counter()
        try:
            result = yield request
        finally:
            self._away_seconds += time.perf_counter() - started
        for stage, seconds in result.seconds.items():
            spent[stage] += seconds
            self._away_seconds -= seconds
        return result

    def _score_by_base(self, reading: _SpanReading, spent: dict[str, float]) -> ScoringSteps[Sequence[float]]:
        """Requests log-probabilities under the base. Returns none and counts a failure if it cannot be read.

        Where the model is its own base, its own pass already gives them.
        """
        base = self.call.base
        if base is None:
            return ()
        if base.is_host and not reading.is_masked and reading.states is not None:
            with _timed(spent, TimedStage.LENS):
                try:
                    (states,) = reading.states.spans([(reading.positions, reading.row)])
                    return states.log_probabilities
                except CaptureError as error:
                    self.machine.note_failure(WireStage.BASE, error)
                    return ()
        return (yield from self._read_by(base, reading.before, reading.ids, spent))

    def _score_others(
        self, reading: _SpanReading, spent: dict[str, float]
    ) -> ScoringSteps[Sequence[Sequence[float]] | None]:
        """Requests log-probabilities under the base with other people's names; None if it cannot be read."""
        model = self.call.model
        if model.base is None:
            return None
        try:
            with _timed(spent, TimedStage.LENS):
                texts = model.rename(reading.before, len(reading.ids))
        except Exception as error:
            self.machine.note_failure(WireStage.BASE, error)
            return None
        others = list[Sequence[float]]()
        for text in texts:
            # A separate reader, because the call's reader continues from the original text.
            other = yield from self._read_by(model.base.open(), text, reading.ids, spent)
            if not other:
                return None
            others.append(other)
        return others

    def _read_by(
        self, base: BaseReader, before: Sequence[int], ids: Sequence[int], spent: dict[str, float]
    ) -> ScoringSteps[Sequence[float]]:
        """Requests log-probabilities of ids behind others. Returns none and counts a failure if the base cannot be read."""
        result = yield from self._request_score(BaseScoreRequest(base, before, ids), spent)
        if result.error is not None:
            self.machine.note_failure(WireStage.BASE, CaptureError(f"The base was not asked ({result.error})."))
        return result.base

    # ---- the end -----------------------------------------------------------------------------------------------

    def _records(self) -> tuple[SpanRecord, ...]:
        records, base = list[SpanRecord](), 0
        for machine in (*self._finished_machines, self.machine):
            records += [replace(r, start=r.start + base, end=r.end + base) for r in machine.records]
            base += machine.generated_chars
        return tuple(records)

    def report(self) -> Report:
        """Reports the decisions so far."""
        combined = Report.combined(
            [Report.of(machine) for machine in (*self._finished_machines, self.machine)], self._records()
        )
        released = sum(
            map(len, self._released)
        )  # fewer than the machines let go of, where an answer ran into the same redaction again
        return replace(
            combined,
            released_chars=released,
            second_looks_taken=self._history.looks.taken,
            second_looks_skipped=self._history.looks.skipped,
        )

    def answer(self) -> Answer:
        """Gives the finished answer.

        Raises:
            Blocked: the policy stopped the answer and asks for an error.
        """
        call, machine, policy = self.call, self.machine, self.call.policy
        text = "".join(self._released)
        report = self.report()
        halted = machine.halted or machine.blocked
        reason = "content_filter" if halted else "stop" if self.ended else "length"
        if machine.blocked:
            if policy.on_block is OnBlock.ERROR:
                raise Blocked(
                    "The policy stopped this answer (on_block: error). See its report for the entity.", report
                )
            if policy.on_block is OnBlock.REPLACE:
                text = policy.block_text
        if machine.changed or machine.blocked:
            plain = call.model.tokenizer(text, add_special_tokens=False)["input_ids"]
        else:
            plain = self.ids
        return Answer(
            text, report, reason, self.seconds, tuple(self._mappings), tuple(plain), dict(self.stages), self.rewinds
        )  # fmt: skip
