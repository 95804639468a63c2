"""Decides about one value of an answer, the same in the process and before a server.

    steps = judge(call, prompt, value, model, history)
    query = next(steps)                                  # the first query
    query = steps.send(Reply(probability=0.97))          # the next one; StopIteration brings the Judgement at the end

It goes from what is known to what has to be measured:

1. It searches the user's text, the operator's text, the suppression list and the index of training values
   (`evidence.prompt_evidence`).
2. A value that ends where the answer was cut short gets the action of a recorded one, if there is an index, and of a
   suppressed one that begins so.
3. A disguised value is unknown, because its tokens are not those under which it was learnt. Where nothing private was
   taught, digits that are a number backwards are judged as they stand: most are no such number.
4. A value that this answer let out before keeps its evidence (`AnswerHistory.precedent`).
5. The detector scores the value. If it was chosen from a list in the prompt, the prompt is read without the list.
6. The base is the model before private tuning. It serves as the control if the prompt gives a part of the value away.
   Near the threshold it is one more input of the detector. Above it, the base says what was known before.
7. The policy decides, by its lists and rules, and by whether the conversation names a suppressed person. A value right
   behind a redaction of its kind is treated as the one before.

It has no clock, no I/O and no model. The caller answers the queries, or raises an error.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from reticent.core.answer_history import AnswerHistory
from reticent.core.asking_the_base import may_ask_base, near
from reticent.core.call_context import CallContext
from reticent.core.evidence import PromptEvidence, prompt_evidence
from reticent.core.public_subjects import is_public_subject
from reticent.core.second_look_budget import SecondLookBudget
from reticent.core.stutter import filled_in
from reticent.policy.policy import Evidence, Policy
from reticent.policy.verdict import Decision, Origin, Reason, Tier
from reticent.prompt.echo import EchoIndex
from reticent.prompt.segments import PromptView
from reticent_detectors.features.cue import PromptIndex
from reticent_detectors.finder.disguises.families import REVERSED
from reticent_detectors.finder.tagger import TAGGER
from reticent_detectors.inferable import COMPOSED_KINDS, LEAST_CUE, is_candidate, is_inferable
from reticent_detectors.spans import Span


class BaseRole(StrEnum):
    """Relates the base to the model that answers."""

    NONE = "none"  # there is no base
    BEFORE_TUNING = "before_tuning"  # the model before it was tuned on private records
    MODEL_ITSELF = "model_itself"  # the model was taught nothing private


@dataclass(frozen=True, slots=True)
class ModelAccess:
    """Says what can be asked about the tokens of a value.

    `tier`: what a verdict rests on.
    `has_detector`: whether there is a detector that knows the value's tokens.
    `detector_reads_base`: whether the detector takes the base's log-probabilities as an input.
    """

    tier: Tier = Tier.TEXT
    has_detector: bool = False
    base: BaseRole = BaseRole.NONE
    detector_reads_base: bool = False


@dataclass(frozen=True, slots=True)
class FoundValue:
    """Holds a value that the finder found.

    Args:
        span: the place of the value in the answer.
        text: the value as the answer writes it, its part in the prompt included.
        text_before: gives the text before the value, when it is needed.
        is_cut: whether the value ends where the answer was cut short, so that it may be the beginning of another.
        follows_redaction: whether the value directly follows a redaction of its kind, from which the answer goes on.
        beside: gives the other texts of the same answer so far, such as its thoughts.
    """

    span: Span
    text: str
    text_before: Callable[[], str]
    is_cut: bool = False
    follows_redaction: bool = False
    beside: Callable[[], tuple[str, ...]] = tuple

    def __repr__(self) -> str:
        return f"FoundValue({self.span!r}, <{len(self.text)} chars>)"


class ScoreQuery(NamedTuple):
    """Asks the detector for the probability that the value is memorised.

    Args:
        candidates: values in the prompt from which it was chosen. The prompt is then read without them.
        second_looks: the budget for reading the text under other names.
        base: log-probabilities of the value's tokens under the base, in nats. Empty if the base was not asked.
    """

    candidates: tuple[str, ...]
    second_looks: SecondLookBudget
    base: Sequence[float] = ()

    def __repr__(self) -> str:
        return f"ScoreQuery(<{len(self.candidates)} candidates>, base={len(self.base)})"


class BaseQuery(NamedTuple):
    """Asks for the log-probabilities of the value's tokens under the base. `candidates` is as in `ScoreQuery`."""

    candidates: tuple[str, ...]

    def __repr__(self) -> str:
        return f"BaseQuery(<{len(self.candidates)} candidates>)"


class OtherPeopleQuery(NamedTuple):
    """Asks the base the same about `inferable.OTHER_NAMES` other people. No list is left out of the prompt."""

    candidates: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "OtherPeopleQuery()"


class TextQuery(NamedTuple):
    """Asks what the base would read before the value. `candidates` is as in `ScoreQuery`."""

    candidates: tuple[str, ...]

    def __repr__(self) -> str:
        return f"TextQuery(<{len(self.candidates)} candidates>)"


class PrecedingText(NamedTuple):
    """Holds the prompt and the answer before a value, as the model reads them."""

    prompt: PromptIndex
    answer: str

    def __repr__(self) -> str:
        return f"PrecedingText({self.prompt!r}, <{len(self.answer)} chars>)"


class Reply(NamedTuple):
    """Answers a query, with one field for each kind of query.

    `probability`: from 0 to 1, or None if the detector cannot tell.
    `base`: log-probabilities in nats. Empty if the base could not be asked; the caller counts that as a failure.
    `others`: log-probabilities about each other person. Empty if the text names nobody, None if the base could not be
    asked.
    `text`: the text before the value, or None if it is not known.
    """

    probability: float | None = None
    base: Sequence[float] = ()
    others: Sequence[Sequence[float]] | None = None
    text: PrecedingText | None = None

    def __repr__(self) -> str:
        others = None if self.others is None else len(self.others)
        return f"Reply(probability={self.probability}, base={len(self.base)}, others={others}, text={self.text!r})"


@dataclass(frozen=True, slots=True)
class Judgement:
    """Holds the decision about a value, and its evidence."""

    decision: Decision
    evidence: Evidence


Query = ScoreQuery | BaseQuery | OtherPeopleQuery | TextQuery
JudgeSteps = Generator[Query, Reply, Judgement]


def judge(
    call: CallContext, prompt: PromptView, value: FoundValue, model: ModelAccess, history: AnswerHistory
) -> JudgeSteps:
    """Decides about a value of an answer to a prompt.

    Args:
        call: what the answers to the call share.
        prompt: the text from which the answer goes on.
        value: the value that was found.
        model: what can be asked about the value's tokens.
        history: the history of the answer. A value that is let out is noted in it.
    """
    span, policy = value.span, call.policy
    index = call.echo_index(prompt)
    known_before = prompt_evidence(span, value.text, index, call.redact, call.records, policy.seal, call.suppressions)
    evidence = known_before.evidence
    if evidence is None:
        if value.is_cut and (stopped := _as_if_whole(call, span.entity, known_before)):
            return stopped
        if model.base is BaseRole.MODEL_ITSELF and span.recognizer == REVERSED and not _has_letters(known_before.value):
            known_before = replace(known_before, disguised=False)
        evidence = yield from _measured(policy, span.entity, known_before, index, model, history)
    if policy.asks_subject(span.entity, evidence):
        context = prompt.context
        public = is_public_subject(value.text_before(), context.question, context.earlier, policy.allow_subjects)
        evidence = replace(evidence, public_subject=public)
    if not evidence.suppressed and call.names_subject(prompt, value.text_before, value.beside):
        evidence = replace(evidence, subject_suppressed=True)
    evidence = replace(evidence, unannounced=span.recognizer == TAGGER)
    is_partial = value.is_cut or span.fragment
    decision = policy.decide(span.entity, evidence, known_before.value, is_partial)
    fills_in = value.follows_redaction and decision.reason is not Reason.PLACEHOLDER
    if fills_in and decision.verdict.origin in (Origin.HALLUCINATED, Origin.INFERABLE):
        decision = filled_in(policy, span.entity, decision)
    is_released = not decision.action.stops and decision.monitored_action is None
    if evidence.probability is not None and is_released and not is_partial:
        history.release(span.entity, known_before.value, evidence)
    return Judgement(decision, evidence)


def _has_letters(value: str) -> bool:
    return any(map(str.isalpha, value))


def run_judge(steps: JudgeSteps, answer: Callable[[Query], Reply]) -> Judgement:
    """Runs a judge to its end. Raises what `answer` raises."""
    reply: Reply | None = None
    while True:
        try:
            query = next(steps) if reply is None else steps.send(reply)
        except StopIteration as end:
            judgement: Judgement = end.value
            return judgement
        reply = answer(query)


def _as_if_whole(call: CallContext, entity: str, known_before: PromptEvidence) -> Judgement | None:
    """Stops a value that was cut short if a recorded one would be stopped, as the index has only whole values.

    So it does if a suppressed value begins as this one. Its origin stays unknown, and the whole value is not
    suppressed.
    """
    policy, suppressions = call.policy, call.suppressions
    if suppressions is not None and suppressions.may_begin_with(known_before.value):
        evidence = Evidence(Tier.TEXT, None, known_before.cue, suppressed=True)
    elif call.records is not None:
        evidence = Evidence(Tier.RECORDS, None, known_before.cue, recorded=True)
    else:
        return None
    decision = policy.decide(entity, evidence, known_before.value, fragment=True)
    if not decision.action.stops and decision.monitored_action is None:
        return None
    verdict = replace(decision.verdict, origin=Origin.UNKNOWN, tier=Tier.TEXT)
    return Judgement(replace(decision, verdict=verdict, suppress=False), evidence)


def _measured(
    policy: Policy,
    entity: str,
    known_before: PromptEvidence,
    index: EchoIndex,
    model: ModelAccess,
    history: AnswerHistory,
) -> Generator[Query, Reply, Evidence]:
    """Measures a value that neither prompt nor records have, by the detector and the base."""
    evidence = Evidence(model.tier, None, known_before.cue)
    if not model.has_detector or known_before.disguised:
        return evidence
    is_own_base = model.base is BaseRole.MODEL_ITSELF
    if (precedent := history.precedent(entity, known_before.value, is_own_base)) is not None:
        return precedent
    history.looks.next_span()
    score = ScoreQuery(tuple(sorted(index.choices(known_before.value, entity))), history.looks)
    probability = (yield score).probability
    evidence = replace(evidence, probability=probability)
    if probability is None or model.base is BaseRole.NONE:
        return evidence
    if not is_own_base and known_before.cue >= LEAST_CUE and entity in COMPOSED_KINDS and not score.candidates:
        return replace(evidence, inferable=(yield from _control_infers(known_before.cue)))
    threshold = policy.threshold(entity)
    if threshold is None:
        return evidence
    base: Sequence[float] = ()
    if not is_own_base and model.detector_reads_base and threshold > probability >= near(threshold):
        base = (yield BaseQuery(score.candidates)).base
        if base and (second_probability := (yield score._replace(base=base)).probability) is not None:
            # A base may raise a score and never lowers it, so it lets nothing pass that would be stopped without it.
            probability = max(probability, second_probability)
            evidence = replace(evidence, probability=probability)
    if not probability >= threshold:  # holds for NaN as well
        return evidence
    if not is_own_base:
        text = (yield TextQuery(score.candidates)).text
        cue = None if score.candidates else known_before.cue
        if text is None or not may_ask_base(known_before.value, entity, text.prompt, text.answer, cue):
            return evidence
    base = base or (yield BaseQuery(score.candidates)).base
    return replace(evidence, base=sum(base) / len(base) if base else None, own_base=is_own_base)


def _control_infers(cue: float) -> Generator[Query, Reply, bool | None]:
    """Asks the base, as the control, whether a value is inferable. Returns None if it could not be asked.

    It asks about other people only if the base finds the value likely enough about this one.
    """
    own = (yield BaseQuery(())).base
    if not own:
        return None
    if not is_candidate(own, cue):
        return False
    others = (yield OtherPeopleQuery()).others
    return None if others is None else is_inferable(own, others, cue)
