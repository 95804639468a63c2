"""Starts the sessions of a call of a guarded model, and reports their finished answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from torch import Tensor

from reticent.huggingface.answer import Answer
from reticent.huggingface.answer_session import AnswerSession
from reticent.huggingface.call_options import CallOptions
from reticent.huggingface.model_call_context import ModelCallContext
from reticent.huggingface.wrapped_model import WrappedModel
from reticent.observability.answer_spans import open_spans
from reticent.observability.observers import Observation, Observer, Outcome, Route, notify
from reticent.policy.options import AfterRedaction
from reticent.prompt.segments import PromptView
from reticent_detectors.errors import Blocked


def start_sessions(
    guarded: WrappedModel,
    ids: Tensor,
    mask: Tensor,
    views: Sequence[PromptView],
    call_options: CallOptions,
    copies: int,
) -> list[AnswerSession]:
    """Starts a session for each row: `copies` of them for each prompt, one after the other."""
    stream = call_options.streamer is not None
    halts = call_options.policy.after_redaction is not AfterRedaction.CONTINUE
    prompts = [row[keep.bool()].tolist() for row, keep in zip(ids, mask, strict=True)]
    count = len(prompts) if call_options.apart else 1
    given = call_options.policy, halts, call_options.conversation, stream, call_options.trial, call_options.request_id
    calls = [ModelCallContext(guarded.guard, guarded, *given) for _ in range(count)]
    return [
        AnswerSession(calls[i // copies % count], views[i // copies], prompts[i // copies], i)
        for i in range(len(ids) * copies)
    ]


def with_spans(guarded: WrappedModel, call_options: CallOptions) -> CallOptions:
    """Opens the span of a call that begins now, if spans are wanted, and adds it to the observers."""
    observers = guarded.guard.observers if call_options.observers is None else call_options.observers
    return replace(call_options, observers=(*observers, *open_spans()))


def finish_sessions(
    guarded: WrappedModel, sessions: Sequence[AnswerSession], call_options: CallOptions
) -> list[Answer]:
    """Reports finished answers to observers and caller. Raises Blocked, after all of them, if one was blocked."""
    blocked: Blocked | None = None
    answers: list[Answer] = []
    for session in sessions:
        notify_observers(
            guarded, session, call_options.route, call_options.streamer is not None, observers=call_options.observers
        )
        try:
            answers.append(session.answer())
        except Blocked as error:
            blocked = error
            continue
        if call_options.on_answer is not None:
            call_options.on_answer(answers[-1])
    if blocked is not None:
        raise blocked
    return answers


def notify_observers(
    guarded: WrappedModel,
    session: AnswerSession,
    route: Route,
    stream: bool,
    failed: bool = False,
    observers: tuple[Observer, ...] | None = None,
) -> None:
    """Reports the answer of a session to these observers, or to those of the guard."""
    observers = guarded.guard.observers if observers is None else observers
    if not observers:
        return
    report = session.report()
    observation = Observation.under(
        session.call.policy,
        report,
        request_id=session.call.id,
        choice=session.choice,
        outcome=Outcome.FAILED if failed else Outcome.of(report),
        stage_seconds=dict(session.stages),
        route=route,
        bundle=guarded.guard.bundle.digest,
        first_token_seconds=session.first_release_seconds,
        inter_chunk_seconds=session.seconds / max(1, len(session.ids)),
        stream=stream,
    )
    notify(observers, observation)
