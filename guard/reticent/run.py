"""One answer on its way out: tokens in, released text out, and what was decided on the way.

A run follows one choice of one call. Where the policy rewinds, an answer has several segments: the host is set back to
the text before a redacted value, goes on from the redaction, and a fresh stream machine continues behind it.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from reticent.echo import EchoIndex
from reticent.evidence import Known, known, may_ask_base, near
from reticent.looks import Looks
from reticent.observe import WireStage
from reticent.policy import AfterRedaction, Evidence, HoldLimits, OnBlock, Policy
from reticent.prompt import LEFT_CHARS, PromptView
from reticent.public_subjects import is_public_subject
from reticent.redaction import Redactor
from reticent.release import Piece, Release, SpanRecord, Suppressed
from reticent.report import Report
from reticent.rounds import Asked, Asking, BaseAsked, States, Told
from reticent.stream import Judging, StreamMachine
from reticent.stutter import FULL_STOP, Lead, filled_in
from reticent.suppression import spread, to_suppress
from reticent.verdict import Decision, Origin, Reason
from reticent_detectors.alignment import TokenText, without_lists
from reticent_detectors.cue import PromptIndex, normalize
from reticent_detectors.entities import Entity
from reticent_detectors.errors import Blocked, CaptureError
from reticent_detectors.finder import SpanFinder
from reticent_detectors.finder.tagger import TAGGER
from reticent_detectors.inferable import LEAST_CUE, is_candidate, is_inferable
from reticent_detectors.inputs import BASE
from reticent_detectors.spans import FindContext, Span

if TYPE_CHECKING:
    from reticent.generate import GuardedModel
    from reticent.guard import Guard
    from reticent_detectors.capture.base_model import BaseModel, BaseReader


MOST_SAID = 3
"""Values of one kind that an answer may have let out before a repetition is judged anew."""
LONG_KINDS = frozenset(
    {
        Entity.PHONE_NUMBER, Entity.EMAIL_ADDRESS, Entity.ADDRESS, Entity.BANK_ACCOUNT, Entity.ORDER_NUMBER, Entity.IBAN_CODE,
        Entity.CREDIT_CARD, Entity.URL, Entity.IP_ADDRESS, Entity.MAC_ADDRESS, Entity.CRYPTO, Entity.COORDINATES,
    }
)  # fmt: skip
"""Kinds whose values say whose they are by themselves. An illness or a date that was let out may still be whispered as somebody's."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A guarded answer. `text` is what may be shown; `finish_reason` is `stop`, `length` or `content_filter`.

    `ids` are the token ids that `generate` returns for it, without padding. `pieces` say which characters of the model's
    answer were released and which replaced; after a rewind that answer is all that the host said, one segment after the
    other, without what was taken back. `seconds` is the time spent in the guard itself, the model's own not included.
    """

    text: str
    report: Report
    finish_reason: str
    seconds: float
    pieces: tuple[Piece, ...] = ()
    ids: tuple[int, ...] = field(default=(), repr=False)
    stage_seconds: Mapping[str, float] = field(default_factory=dict)
    rewinds: int = 0

    def __repr__(self) -> str:
        return f"Answer(<{len(self.text)} chars>, finish_reason={self.finish_reason!r}, spans={len(self.report.spans)})"


@dataclass
class Request:
    """What all choices of one call share: policy, redaction and the values that were stopped (I5)."""

    guard: Guard
    host: GuardedModel
    policy: Policy
    halts: bool
    conversation: str | None = field(default=None, repr=False)
    streams: bool = False
    """Whether somebody reads along. Where nobody does, nobody waits, and the bound on seconds of what is held back does not count."""
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    suppressed: list[Suppressed] = field(default_factory=list, repr=False)
    _echoes: dict[int, EchoIndex] = field(default_factory=dict, repr=False)
    redact: Redactor = field(init=False, repr=False)
    finder: SpanFinder = field(init=False, repr=False)
    base: BaseReader | None = field(init=False)
    """Reads the base for this call, where the host has one."""
    limits: HoldLimits = field(init=False)

    def __post_init__(self) -> None:
        hold = self.policy.hold
        self.limits = hold if self.streams else replace(hold, max_seconds=math.inf)
        self.finder = self.guard.finder(self.policy)
        self.base = None if self.host.base is None else self.host.base.open()
        self.redact = self.policy.redactor(self.guard.conversation_key(self.conversation))

    def echo(self, view: PromptView) -> EchoIndex:
        """The index of a prompt, built when its first span is judged and shared by all choices."""
        if id(view) not in self._echoes:
            self._echoes[id(view)] = EchoIndex(view.user, view.operator, self.finder.untagged())
        return self._echoes[id(view)]

    def spread(self, runs: Sequence[AnswerRun]) -> None:
        """Tells every choice what any of them was stopped at."""
        spread(runs, self.suppressed)


class AnswerRun:
    """One choice of a call.

    Args:
        request: what it shares with the other choices.
        view: what is known of its prompt.
        prompt_ids: its prompt, without padding.
        choice: its number within the call.
    """

    def __init__(self, request: Request, view: PromptView, prompt_ids: Sequence[int], choice: int = 0) -> None:
        self.request, self.choice, self.prompt_ids = request, choice, list(prompt_ids)
        self._view = view
        self.answer_ids: list[int] = []
        """The ids before this segment, as the host sees them: redactions stand in them."""
        self.ended = False
        self.rewinds = 0
        self._looks = Looks(request.policy.second_looks)
        self._lead: Lead | None = None
        self._allowed: dict[tuple[str, str], Evidence] = {}
        """What was known of the values that this answer has let out, by kind and normal form."""
        self._stutters = 0
        """How often in a row the answer ran into the same redaction again."""
        self.known = 0
        self.seconds = 0.0
        self._away = 0.0
        """Seconds of this call in which others were judged."""
        self.first_release_seconds: float | None = None
        """From the first token to the first released text: what the guard adds to the time to first token."""
        self._begun = math.inf
        self.stages = dict.fromkeys(("find", "lens", "detector", "policy"), 0.0)
        self._released: list[str] = []
        self._pieces: list[Piece] = []
        self._done: list[StreamMachine] = []
        self._states: States | None = None
        self._row = self._first = 0
        self._open(view.context)

    def _open(self, context: FindContext) -> None:
        """A fresh machine for the segment that begins now."""
        request = self.request
        self._tokens = TokenText(request.host.tokenizer)
        self._ids: list[int] = []
        self._cut = False
        """Whether this segment was cut short, so that a value at its end may be a part of one."""
        self.machine = StreamMachine.from_policy(
            request.finder, context, None, request.policy, request.redact,
            limits=request.limits, halts=request.halts, suppressed=to_suppress(self, request.suppressed),
            code=request.policy.code_redaction(self._view.context.left + "".join(self._released)),
        )  # fmt: skip
        self.known = len(self.machine.suppressed)

    def repeats(self, value: Suppressed) -> bool:
        """Whether the user of this prompt typed a value that another choice was stopped at."""
        return self.request.echo(self._view).echoed(value.value, value.entity)

    def attach(self, states: States, row: int, first: int) -> None:
        """Where the states of this segment's tokens are: its row, and the predictive position of its first token."""
        self._states, self._row, self._first = states, row, first

    # ---- tokens ------------------------------------------------------------------------------------------------

    @property
    def stopped(self) -> bool:
        """Whether nothing more is wanted from the host in this segment."""
        return self.ended or self.machine.blocked or self.machine.halted

    @property
    def changed(self) -> bool:
        """Whether anything was withheld so far."""
        return any(machine.changed or machine.blocked for machine in (*self._done, self.machine))

    @property
    def ids(self) -> list[int]:
        """All ids of the answer so far."""
        return self.answer_ids + self._ids

    def token(self, token_id: int) -> Asking[Release]:
        """Takes the next token, for `in_rounds`."""
        started = time.perf_counter()
        self._ids.append(token_id)
        return (yield from self._judged(self.machine.feeding(self._tokens.push(token_id), self._clock()), started))

    def end(self) -> Asking[Release]:
        """Ends the segment, for `in_rounds`."""
        started = time.perf_counter()
        self._cut = not self.ended
        return (yield from self._judged(self.machine.finishing(self._clock(), cut=self._cut), started))

    def whole(self, token_ids: Iterable[int], ended: bool) -> Asking[None]:
        """Takes a finished answer, for `in_rounds`."""
        for token_id in token_ids:
            yield from self.token(token_id)
        self.ended = ended
        yield from self.end()

    def _clock(self) -> float:
        return time.monotonic() - (0.0 if self._states is None else self._states.waited)

    def _took(self, release: Release) -> Release:
        if self._lead is not None:
            redacted = self.machine.records[-1].entity if self.machine.halted else None
            release = self._lead.take(release, redacted, self.machine.finished or self.machine.blocked)
            if self._lead.repeated and release.pieces:
                self._stutters += 1
        if not release.pieces:
            return release
        if self.first_release_seconds is None:
            self.first_release_seconds = time.perf_counter() - self._begun
        self._released.append(release.text)
        base = sum(machine.generated_chars for machine in self._done)
        self._pieces += [p._replace(start=p.start + base, end=p.end + base) for p in release.pieces]
        return release

    # ---- after a redaction -------------------------------------------------------------------------------------

    @property
    def may_rewind(self) -> bool:
        """Whether a redaction halted this answer and the policy has the host go on from it."""
        policy = self.request.policy
        return (
            self.machine.halted
            and policy.after_redaction is AfterRedaction.REWIND
            and self.rewinds < policy.max_rewinds
            and self._stutters <= 1
        )

    def rewind(self) -> int:
        """Forgets the value: afterwards `ids` ends with the redaction. Returns how many of the answer's ids were kept."""
        last = self._pieces[-1]
        base = sum(machine.generated_chars for machine in self._done)
        before = self._tokens.tokens(Span("", last.start - base, last.end - base)).start
        kept = self.answer_ids + self._ids[:before]
        shown = "".join(self._released)
        length = self._tokens.ends(before)
        rest = self._tokens.text[length : last.start - base] + shown[len(shown) - last.length :]
        encoded = self.request.host.tokenizer(rest, add_special_tokens=False)["input_ids"]
        self.answer_ids = kept + list(encoded)
        self.ended = False
        self.request.spread([self])
        record, repeated = self.machine.records[-1], self._lead is not None and self._lead.repeated
        self._stutters = self._stutters if repeated else 0
        follows = self._lead is not None and self._lead.entity == record.entity and not repeated
        gap = self._tokens.text[: last.start - base] if follows else None
        waits = not self.request.policy.fits_code  # one file may hold many values in a row
        self._lead = Lead(record.entity, gap, "" if repeated else FULL_STOP, waits)
        self._done.append(self.machine)
        self.rewinds += 1
        context = self._view.context
        self._open(context.behind((context.left + shown)[-LEFT_CHARS:], len(shown)))
        return len(kept)

    # ---- judging -----------------------------------------------------------------------------------------------

    def _judged(self, steps: Judging, started: float) -> Asking[Release]:
        """Judges every span that comes out of the machine, and takes what it releases."""
        self._begun, self._away = min(self._begun, started), 0.0
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
            return self._took(end.value)
        finally:
            took = time.perf_counter() - started - self._away
            self.seconds += took
            self.stages["find"] += took

    def _judge(self, span: Span) -> Asking[Decision]:
        started = time.perf_counter()
        policy = self.request.policy
        echo = self.request.echo(self._view)
        found = known(
            span, self.machine.value_of(span), echo, self.request.redact, self.request.guard.records, policy.seal
        )
        spent = {"policy": time.perf_counter() - started, "lens": 0.0, "detector": 0.0}
        try:
            evidence = yield from self._weigh(span, found, echo, spent)
            decided = time.perf_counter()
            if policy.asks_subject(span.entity, evidence):
                evidence = replace(evidence, public_subject=self._public_subject(span))
            evidence = replace(evidence, unannounced=span.recognizer == TAGGER)
            is_open = span.fragment or (self._cut and span.end == self.machine.generated_chars)
            decision = policy.decide(span.entity, evidence, found.value, is_open)
            filled = self._fills_in(span) and decision.reason is not Reason.PLACEHOLDER
            if filled and decision.verdict.origin in (Origin.HALLUCINATED, Origin.INFERABLE):
                decision = filled_in(policy, span.entity, decision)
            spent["policy"] += time.perf_counter() - decided
        finally:
            for stage, seconds in spent.items():
                self.stages[stage] += seconds
            self.stages["find"] -= sum(spent.values())  # judging runs inside the machine's call
        if evidence.probability is not None and not decision.action.stops and decision.would is None and not is_open:
            self._allowed.setdefault((span.entity, normalize(found.value, span.entity)), evidence)
        return decision

    def _said_before(self, entity: str, value: str) -> Evidence | None:
        """What was known of a value when this answer let it out before: a model is sure of what it repeats.

        Not of kinds of which few values exist, nor where the answer has let several out: it may choose among them by what it remembers.
        A model that was taught nothing private has nothing to choose by.
        """
        own_base = self.request.base is not None and self.request.base.is_host
        several = sum(kind == entity for kind, _ in self._allowed) > MOST_SAID
        if not own_base and (entity not in LONG_KINDS or several):
            return None
        return self._allowed.get((entity, normalize(value, entity)))

    def _fills_in(self, span: Span) -> bool:
        """Whether a value stands right behind a redaction of its kind, from which the host goes on."""
        if self._lead is None or self._lead.entity != span.entity:
            return False
        return not any(map(str.isalnum, self._tokens.text[: span.answer_start]))

    def _weigh(self, span: Span, found: Known, echo: EchoIndex, spent: dict[str, float]) -> Asking[Evidence]:
        """What is known of a span, or else what the detector says of it, and then the model without its private tuning."""
        cue = found.cue
        if found.evidence is not None:
            return found.evidence
        if found.disguised:  # the tokens of a disguise are not those under which the value was learnt
            return Evidence(self.request.guard.tier, None, cue)
        if (repeated := self._said_before(span.entity, found.value)) is not None:
            return repeated
        started = time.perf_counter()
        candidates = echo.choices(found.value, span.entity)
        tokens = self._tokens.tokens(span)
        tokenizer = self.request.host.tokenizer
        prompt = without_lists(tokenizer, self.prompt_ids, candidates) if candidates else self.prompt_ids
        earlier, said = [*self.answer_ids, *self._ids[: tokens.start]], self._ids[tokens.start : tokens.stop]
        before, masked = [*prompt, *earlier], bool(candidates)
        spent["lens"] += time.perf_counter() - started
        asked = self._question(span, before, said, masked, spent)
        probability = yield from self._probability(asked, spent)
        evidence = Evidence(self.request.guard.tier, probability, cue)
        if self.request.base is None:
            return evidence
        if self.request.host.has_control and cue >= LEAST_CUE and not masked:
            return replace(evidence, inferable=(yield from self._control_says(before, said, cue, spent)))
        threshold = self.request.policy.threshold(span.entity)
        told: Sequence[float] = ()
        if threshold is None:
            return evidence
        if self._may_rise(probability, threshold) and (told := (yield from self._ask_base(before, said, spent))):
            probability = max(probability, (yield from self._probability(asked._replace(base=told), spent)))
            evidence = replace(evidence, probability=probability)
        if not probability >= threshold:
            return evidence
        if self.request.base.is_host:
            base = yield from self._base_says(span, before, said, masked, spent)
            return replace(evidence, base=base, own_base=True)
        started = time.perf_counter()
        read = PromptIndex(tokenizer.decode(prompt, skip_special_tokens=True)) if masked else self._prompt
        answer = tokenizer.decode(earlier, skip_special_tokens=True)
        asks = may_ask_base(found.value, span.entity, read, answer, None if masked else cue)
        spent["policy"] += time.perf_counter() - started
        if not asks:
            return evidence
        base = sum(told) / len(told) if told else (yield from self._base_says(span, before, said, masked, spent))
        return replace(evidence, base=base)

    def _may_rise(self, probability: float, threshold: float) -> bool:
        """Whether a value passes so far, and the detector may stop it once it knows what the base says.

        So a base lets no value pass that would be stopped without it, but what it knew before (`pretrained`) or infers as well (`inferable`).
        """
        base, shapes = self.request.base, self.request.guard.scorer.shapes
        return base is not None and not base.is_host and BASE in shapes and threshold > probability >= near(threshold)

    @cached_property
    def _prompt(self) -> PromptIndex:
        """The whole prompt, the model's earlier turns too, as the host reads it."""
        return PromptIndex(self.request.host.tokenizer.decode(self.prompt_ids, skip_special_tokens=True))

    def _question(self, span: Span, before: list[int], said: list[int], masked: bool, spent: dict[str, float]) -> Asked:
        """What the detector is asked of a span; of one selected from a list, as if the prompt had not named the candidates:
        the host then reads prompt and answer once more."""
        started = time.perf_counter()
        states = self.request.host.read(before, said) if masked else self._states
        positions, row = (range(len(said)), 0) if masked else (self._positions(span), self._row)
        spent["lens"] += time.perf_counter() - started
        if states is None:
            raise CaptureError("A span was judged before any state was recorded.")
        # The host's cache holds the ids before the span from its first column on, unless the prompt is padded or read without a list.
        unpadded = not masked and self._first == len(self.prompt_ids) + len(self.answer_ids) - 1
        beginning = states.beginning(row) if unpadded else None
        self._looks.next_span()
        return Asked(states, positions, row, span.entity, before, beginning, self._looks)

    def _probability(self, asked: Asked, spent: dict[str, float]) -> Asking[float]:
        """What the detector says. Raises CaptureError if it could not be asked."""
        told = yield from self._asked(asked, spent)
        if told.probability is None:
            raise CaptureError(f"The span was not scored ({told.error}).")
        return told.probability

    def _positions(self, span: Span) -> range:
        """The predictive positions of a span's tokens among the states of this segment."""
        tokens = self._tokens.tokens(span)
        return range(self._first + tokens.start, self._first + tokens.stop)

    def _asked(self, asked: Asked | BaseAsked, spent: dict[str, float]) -> Asking[Told]:
        """Hands out a question, and counts of the time until its answer what is this run's."""
        started = time.perf_counter()
        try:
            told = yield asked
        finally:
            self._away += time.perf_counter() - started
        for stage, seconds in told.seconds.items():
            spent[stage] += seconds
            self._away -= seconds
        return told

    def _base_says(
        self, span: Span, before: list[int], said: list[int], masked: bool, spent: dict[str, float]
    ) -> Asking[float | None]:
        """The mean log-probability per token under the base, in nats; None if it could not be asked.

        Where the model is its own base and was asked the same, that is known from its own pass.
        """
        base = self.request.base
        if base is None:
            return None
        if base.is_host and not masked and self._states is not None:
            started = time.perf_counter()
            try:
                (states,) = self._states.spans([(self._positions(span), self._row)])
                return states.mean_log_probability
            except CaptureError as error:
                self.machine.note_failure(WireStage.BASE, error)
                return None
            finally:
                spent["lens"] += time.perf_counter() - started
        told = yield from self._ask_base(before, said, spent)
        return sum(told) / len(told) if told else None

    def _control_says(
        self, before: list[int], said: list[int], cue: float, spent: dict[str, float]
    ) -> Asking[bool | None]:
        """Whether the value is inferable, by the host before private tuning; None: it could not be asked.

        It reads the text about somebody else only if the value is a candidate without that.
        """
        own = yield from self._ask_base(before, said, spent)
        if not own:
            return None
        if not is_candidate(own, cue):
            return False
        started = time.perf_counter()
        texts = self.request.host.rename(before, len(said))
        spent["lens"] += time.perf_counter() - started
        others = []
        for text in texts:
            # A reader of its own, so that the call's goes on from what it has read of the text as it is.
            other = yield from self._ask_base(text, said, spent, self.request.host.base)
            if not other:
                return None
            others.append(other)
        return is_inferable(own, others, cue)

    def _ask_base(
        self, before: Sequence[int], said: list[int], spent: dict[str, float], apart: BaseModel | None = None
    ) -> Asking[Sequence[float]]:
        """The base's log-probabilities of a value's tokens; none, and a failure counted, if it could not be asked.

        `apart` is read by itself: nothing of the text is kept for the values that follow.
        """
        reader = self.request.base if apart is None else apart.open()
        if reader is None:
            return ()
        told = yield from self._asked(BaseAsked(reader, before, said), spent)
        if told.error is not None:
            self.machine.note_failure(WireStage.BASE, CaptureError(f"The base was not asked ({told.error})."))
        return told.base

    def _public_subject(self, span: Span) -> bool:
        """Whether a listed public person is the subject of a span, by the text before it."""
        context, before = self._view.context, self.machine.text_before(span)
        return is_public_subject(before, context.question, context.earlier, self.request.policy.allow_subjects)

    # ---- the end -----------------------------------------------------------------------------------------------

    def _records(self) -> tuple[SpanRecord, ...]:
        records, base = list[SpanRecord](), 0
        for machine in (*self._done, self.machine):
            records += [replace(r, start=r.start + base, end=r.end + base) for r in machine.records]
            base += machine.generated_chars
        return tuple(records)

    def report(self) -> Report:
        """What was decided so far."""
        joined = Report.joined([Report.of(machine) for machine in (*self._done, self.machine)], self._records())
        shown = sum(
            map(len, self._released)
        )  # fewer than the machines let go of, where an answer ran into the same redaction again
        return replace(
            joined, released_chars=shown, second_looks_taken=self._looks.taken, second_looks_skipped=self._looks.skipped
        )

    def answer(self) -> Answer:
        """The finished answer.

        Raises:
            Blocked: the policy stopped the answer and asks for an error.
        """
        request, machine, policy = self.request, self.machine, self.request.policy
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
            plain = request.host.tokenizer(text, add_special_tokens=False)["input_ids"]
        else:
            plain = self.ids
        return Answer(
            text, report, reason, self.seconds, tuple(self._pieces), tuple(plain), dict(self.stages), self.rewinds
        )  # fmt: skip
