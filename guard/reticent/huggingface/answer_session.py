"""Guards one answer: takes token ids, releases text, and records decisions.

A session follows one choice of one call. If the policy rewinds, an answer has several segments. The model is set back
to the text before a redacted value, and goes on from the redaction with a fresh stream machine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from reticent.core.answer_history import AnswerHistory
from reticent.core.judge import FoundValue, Judgement, Reply, judge
from reticent.core.report import Report
from reticent.core.stream_machine import MachineSteps, StreamMachine
from reticent.core.stream_types import OffsetMapping, Release, SpanRecord, Suppressed
from reticent.core.stutter import FULL_STOP, Lead
from reticent.core.suppression import to_suppress
from reticent.huggingface.answer import Answer
from reticent.huggingface.answer_state_tags import AnswerStateTags
from reticent.huggingface.batch_scoring import ScoringSteps, StateSource
from reticent.huggingface.model_call_context import ModelCallContext
from reticent.huggingface.span_numbers import SpanNumbers, read_numbers
from reticent.huggingface.span_queries import SpanQueries, SpanReading, SpanTimes
from reticent.observability.answer_watch import AnswerWatch, SpanMeasurement
from reticent.observability.observers import TimedStage
from reticent.policy.policy import AfterRedaction, OnBlock
from reticent.policy.verdict import Decision
from reticent.prompt.segments import LEFT_CHARS, PromptView
from reticent_detectors.alignment import TokenText, without_lists
from reticent_detectors.errors import Blocked
from reticent_detectors.features.cue import PromptIndex
from reticent_detectors.spans import FindContext, Span

_FIND = TimedStage.FIND
"""Bound once, because it is read for every token, and reading a member of an enum takes twice as long."""


class AnswerSession:
    """Guards one choice of a call.

    Args:
        call: what the choice shares with the others.
        view: what is known of the prompt.
        prompt_ids: ids of the prompt, without padding.
        choice: number of the choice within the call.
    """

    def __init__(
        self, call: ModelCallContext, prompt_view: PromptView, prompt_ids: Sequence[int], choice: int = 0
    ) -> None:
        self.call, self.choice, self.prompt_ids = call, choice, list(prompt_ids)
        self._prompt_view = prompt_view
        self._prompt_index: PromptIndex | None = None
        self.earlier_ids: list[int] = []
        """Ids of the answer before this segment, with redactions in place of values."""
        self.ended = False
        self.rewinds = 0
        self._history = AnswerHistory(call.policy.second_looks)
        self._lead: Lead | None = None
        self._stutters = 0
        """Counts how often in a row the answer led to the same redaction again."""
        self.shared_count = 0
        self.seconds = 0.0
        self._away_seconds = 0.0
        """Seconds of this step in which other sessions were judged."""
        self.first_release_seconds: float | None = None
        """Seconds from the first token to the first released text, which the guard adds to the time to first token."""
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
        probe = call.model.probe
        self._state_tags = None if probe is None else AnswerStateTags(probe, call.model.taps.kept, self._tokens)
        if self._state_tags is not None:
            context = replace(context, states=self._state_tags)
        self._ids: list[int] = []
        self._reported = 0
        """Counts the records of this segment's machine that a watch has."""
        self._cut = False
        """Says whether this segment was cut short, so that a value at its end may be incomplete."""
        self.machine = StreamMachine.from_policy(
            call.finder, context, None, call.policy, call.redact,
            limits=call.limits, halts=call.halts, suppressed=to_suppress(self, call.suppressed),
            code=call.policy.code_redaction(self._prompt_view.context.left + "".join(self._released)),
        )  # fmt: skip
        self.shared_count = len(self.machine.suppressed)

    def repeats(self, value: Suppressed) -> bool:
        """Says whether the user of this prompt typed a value that another choice was stopped at."""
        return self.call.user_typed(self._prompt_view, value)

    def attach(self, states: StateSource, row: int, first: int) -> None:
        """Sets where the states of this segment are: the row, and the predictive position of its first token."""
        self._states, self._row, self._first = states, row, first
        if self._state_tags is not None:
            self._state_tags.attach(states, row, first)

    # ---- tokens ------------------------------------------------------------------------------------------------

    @property
    def stopped(self) -> bool:
        """Says whether nothing more is wanted from the host in this segment."""
        return self.ended or self.machine.blocked or self.machine.halted

    @property
    def changed(self) -> bool:
        """Says whether anything was withheld so far."""
        return any(machine.changed or machine.blocked for machine in (*self._finished_machines, self.machine))

    @property
    def ids(self) -> list[int]:
        """Gives all ids of the answer so far."""
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
        mappings = [each._replace(start=each.start + base, end=each.end + base) for each in release.mappings]
        self._mappings += mappings
        if self.call.trial is not None:
            decided = self.machine.records[self._reported :]
            self._reported += len(decided)
            records = [replace(each, start=each.start + base, end=each.end + base) for each in decided]
            self.call.trial.watch.on_release(mappings, records)
        return release

    # ---- after a redaction -------------------------------------------------------------------------------------

    @property
    def may_rewind(self) -> bool:
        """Says whether a redaction halted this answer and the policy has the host go on from it."""
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
        call, machine = self.call, self.machine
        is_cut = self._cut and (span.fragment or span.end == machine.generated_chars)
        before = partial(machine.text_before, span)
        value = FoundValue(span, machine.value_of(span), before, is_cut, self._follows_redaction(span))
        steps = judge(call, self._prompt_view, value, call.model_access, self._history)
        times = SpanTimes()
        reply: Reply | None = None
        queries: SpanQueries | None = None
        try:
            while True:
                with times.stage(TimedStage.POLICY):
                    try:
                        query = next(steps) if reply is None else steps.send(reply)
                    except StopIteration as end:
                        judgement: Judgement = end.value
                        break
                if queries is None:  # the candidates of a value are the same in all of its queries
                    with times.stage(TimedStage.LENS):
                        reading = self._read(span, query.candidates)
                    queries = SpanQueries(call, span.entity, reading, self._index_prompt, times, machine.note_failure)
                reply = yield from queries.reply(query)
            if call.trial is not None:
                self._watch(call.trial.watch, span, times, queries)
            return judgement.decision
        finally:
            self._away_seconds += times.away_seconds
            for stage, seconds in times.stages.items():
                self.stages[stage] += seconds
            self.stages[TimedStage.FIND] -= sum(times.stages.values())  # judging runs inside the machine's call

    def _watch(self, watch: AnswerWatch, span: Span, times: SpanTimes, queries: SpanQueries | None) -> None:
        """Hands what was measured of a value to the watch. The time for it is not the guard's."""
        started = time.perf_counter()
        call, base = self.call, sum(machine.generated_chars for machine in self._finished_machines)
        numbers = SpanNumbers()
        if not call.policy.seal:  # nothing is measured under a seal
            with suppress(Exception):  # a value that cannot be read has no numbers; its decision holds
                reading = self._read(span, ()) if queries is None else queries.reading
                numbers = read_numbers(call, reading, () if queries is None else queries.base)
        watch.on_span(SpanMeasurement(span.entity, span.start + base, span.end + base, dict(times.stages), *numbers))
        times.away_seconds += time.perf_counter() - started

    def _follows_redaction(self, span: Span) -> bool:
        """Says whether a value follows directly on a redaction of its kind."""
        if self._lead is None or self._lead.entity != span.entity:
            return False
        return not any(map(str.isalnum, self._tokens.text[: span.answer_start]))

    def _index_prompt(self) -> PromptIndex:
        """Indexes the whole prompt as the model reads it, its own earlier turns included."""
        if self._prompt_index is None:
            text = self.call.model.tokenizer.decode(self.prompt_ids, skip_special_tokens=True)
            self._prompt_index = PromptIndex(text)
        return self._prompt_index

    def _read(self, span: Span, candidates: Sequence[str]) -> SpanReading:
        """Collects the ids and states of a value. If the prompt lists candidates, the model reads it without them."""
        tokens = self._tokens.tokens(span)
        earlier, ids = [*self.earlier_ids, *self._ids[: tokens.start]], self._ids[tokens.start : tokens.stop]
        if not candidates:
            positions = range(self._first + tokens.start, self._first + tokens.stop)
            before = [*self.prompt_ids, *earlier]
            # A padded prompt's columns are not those of the cache.
            aligned = self._first == len(self.prompt_ids) + len(self.earlier_ids) - 1
            return SpanReading(
                self.prompt_ids, earlier, before, ids, self._states, positions, self._row, False, aligned
            )
        model = self.call.model
        prompt = without_lists(model.tokenizer, self.prompt_ids, candidates)
        before = [*prompt, *earlier]
        return SpanReading(prompt, earlier, before, ids, model.read(before, ids), range(len(ids)), 0, True, False)

    # ---- the end -----------------------------------------------------------------------------------------------

    def _records(self) -> tuple[SpanRecord, ...]:
        records, base = list[SpanRecord](), 0
        for machine in (*self._finished_machines, self.machine):
            records += [replace(r, start=r.start + base, end=r.end + base) for r in machine.records]
            base += machine.generated_chars
        return tuple(records)

    def report(self) -> Report:
        """Reports the decisions so far."""
        reports = [Report.of(machine) for machine in (*self._finished_machines, self.machine)]
        combined = Report.combined(reports, self._records())
        # Fewer than the machines released, where an answer led to the same redaction again.
        released = sum(map(len, self._released))
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
