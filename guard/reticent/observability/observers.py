"""Defines observers, and the observations of finished answers, which hold no text.

    class Printer:
        def on_answer(self, observation: Observation) -> None:
            print(observation.outcome, observation.report.counts)

Observers are called when an answer is over, in the thread that made it, and their time is added to the answer's. A
slow observer, or one that talks to a network, should only put the observation into a queue. An observer's error never
reaches the answer. The module uses the standard library alone.

Not covered: answers refused before a model was asked (bad input, a bundle for another host) have no observations.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from reticent.policy.options import Stage

if TYPE_CHECKING:
    from reticent.core.report import Report
    from reticent.policy.policy import Policy

_LOGGER = logging.getLogger(__name__)


class Outcome(StrEnum):
    """Says how an answer ended."""

    PASSED = "passed"  # every character left as it was generated
    REDACTED = "redacted"  # something was replaced or left out
    BLOCKED = "blocked"  # the policy stopped the answer
    FAILED = "failed"  # the call raised, or host or client went away; the report covers the answer until then

    @classmethod
    def of(cls, report: Report) -> Outcome:
        """Gives the outcome of an answer that came to its end."""
        if report.blocked:
            return cls.BLOCKED
        return cls.REDACTED if report.changed else cls.PASSED


class Route(StrEnum):
    """Names the way by which an answer was asked for."""

    GENERATE = "generate"
    CHAT = "chat"
    INSPECT = "inspect"
    CHAT_COMPLETIONS = "chat_completions"
    COMPLETIONS = "completions"
    RESPONSES = "responses"
    MESSAGES = "messages"
    REDACT = "redact"
    LITELLM = "litellm"
    TEXT_CONTENTS = "text_contents"
    TEXT_GENERATION = "text_generation"
    AGENTGATEWAY = "agentgateway"


class TimedStage(StrEnum):
    """Names a part of the guard's own time."""

    FIND = "find"
    LENS = "lens"
    DETECTOR = "detector"
    POLICY = "policy"
    WAIT = "wait"  # waiting for a thread that judges, in a proxy


class WireStage(StrEnum):
    """Names what fails besides the judging path, mostly in a proxy. It is counted under fail mode `closed`."""

    REQUEST = "request"  # the client's body cannot be read, or asks for what is not allowed
    CONNECT = "connect"  # the upstream cannot be reached
    UPSTREAM = "upstream"  # the upstream died, took too long, or answered with an error
    FRAME = "frame"  # the upstream sent what cannot be read
    BOUND = "bound"  # the upstream sent more than may be held
    JUDGE = "judge"  # judging took longer than it may
    LOG = "log"  # decisions could not be written down, and their answers had left
    SUPPRESSIONS = "suppressions"  # a changed suppression store cannot be read; the former entries hold
    BASE = "base"  # the base could not be asked; the span was judged as if there was none
    STATES = "states"  # hidden states were not had: of a value, which is unknown then, or of words (the finder goes on)


class ReadinessCheck(StrEnum):
    """Names what a proxy checks before it says that it is ready."""

    UPSTREAM = "upstream"
    CANARY = "canary"


class LookResult(StrEnum):
    """Says what happened to a second look that a doubtful detector asked for."""

    TAKEN = "taken"
    SKIPPED = "skipped"  # the policy's budget for the answer was spent, so the first look decided


class CanaryResult(StrEnum):
    """Says what happened to a scheduled question whose value has to be stopped."""

    STOPPED = "stopped"  # the value was stopped, as it should be
    LEAKED = "leaked"  # the value left
    SILENT = "silent"  # nothing was stopped and the value was not said, so nothing is proven
    FAILED = "failed"  # there was no answer, or only a part of it


@dataclass(frozen=True, slots=True)
class Observation:
    """Describes a finished answer in offsets, counts, probabilities and seconds. It is safe to log.

    Args:
        request_id: random hexadecimal id of the call, which the choices of a request share.
        choice: which of the request's answers this is, from 0.
        report: the answer's spans and what was decided about them.
        outcome: an `Outcome`.
        stage_seconds: the guard's own time by `TimedStage`, summed over the answer.
        route: a `Route`.
        stream: whether the text was released as it was generated.
        added_first_token_seconds: how much later the first released text left than it would have unguarded.
        added_inter_chunk_seconds: mean delay that the guard added to each further piece of text.
        policy: digest of the policy that decided, hexadecimal.
        bundle: digest of the detector bundle, hexadecimal.
        fail_modes: the policy's fail mode by stage of the report's failures. Other stages were `closed`.
        thresholds: probability from which a span of an entity counted as memorised, where one was set.
    """

    request_id: str
    choice: int
    report: Report
    outcome: str
    stage_seconds: Mapping[str, float]
    route: str = Route.GENERATE
    stream: bool = False
    added_first_token_seconds: float | None = None
    added_inter_chunk_seconds: float | None = None
    policy: str = ""
    bundle: str = ""
    fail_modes: Mapping[str, str] = field(default_factory=dict)
    thresholds: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def under(
        cls,
        policy: Policy,
        report: Report,
        *,
        request_id: str,
        choice: int,
        outcome: Outcome,
        stage_seconds: Mapping[str, float],
        route: Route,
        bundle: str,
        first_token_seconds: float | None = None,
        inter_chunk_seconds: float | None = None,
        stream: bool = False,
    ) -> Observation:
        """Makes the observation of an answer that a policy decided about. Added delays count in streams alone."""
        return cls(
            request_id=request_id,
            choice=choice,
            report=report,
            outcome=outcome,
            stage_seconds=stage_seconds,
            route=route,
            stream=stream,
            added_first_token_seconds=first_token_seconds if stream else None,
            added_inter_chunk_seconds=inter_chunk_seconds if stream else None,
            policy=policy.digest_hex,
            bundle=bundle,
            fail_modes={stage: str(policy.fail_mode_of(stage)) for stage, _ in report.failures if stage in set(Stage)},
            thresholds={r.entity: t for r in report.spans if (t := policy.threshold(r.entity)) is not None},
        )


class Observer(Protocol):
    """Gets an observation of each finished answer. It may be called from any thread."""

    def on_answer(self, observation: Observation) -> None:
        """Handles an observation."""
        ...


def notify(observers: Sequence[Observer], observation: Observation) -> Counter[str]:
    """Calls every observer, and counts those that raised by the name of their class.

    A failure is logged as a warning with the names of the observer and of the error. The error's text is left out, as
    it may hold anything.
    """
    failures: Counter[str] = Counter()
    for observer in observers:
        try:
            observer.on_answer(observation)
        except Exception as error:
            name = type(observer).__name__
            failures[name] += 1
            _LOGGER.warning("observer %s raised %s; the answer was not touched", name, type(error).__name__)
    return failures
