"""Reads finished answers of beams, assisted decoding and `inspect` again, with states from one forward pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from reticent.huggingface.answer_session import AnswerSession
from reticent.huggingface.batch_scoring import run_batched
from reticent.huggingface.supported_decoding import eos_ids
from reticent.huggingface.wrapped_model import WrappedModel
from reticent_detectors.capture import SpanStates


class RereadStates:
    """Gives states of tokens that were read in one pass. Positions count from the first token."""

    compile_seconds = 0.0

    def __init__(self, states: SpanStates) -> None:
        self._states = states

    def beginning(self, row: int) -> None:
        """Gives nothing, because the pass kept no keys and values."""

    def spans(self, wanted: Sequence[tuple[Sequence[int], int]]) -> list[SpanStates]:
        return [SpanStates(*(part[list(positions)] for part in self._states)) for positions, _ in wanted]


def judge_sequences(
    guarded: WrappedModel, out: Any, width: int, sessions: Sequence[AnswerSession], options: Mapping[str, Any]
) -> None:
    """Reads finished answers again.

    A redaction ends an answer here, unless the policy says `continue`. The host cannot be set back in the middle of a
    search.
    """
    sequences = getattr(out, "sequences", out)
    final = eos_ids(guarded.model, options)
    answers, ended = [], []
    for row in sequences[:, width:].tolist():
        stop = next((at for at, token in enumerate(row) if token in final), None)
        answers.append(row if stop is None else row[:stop])
        ended.append(stop is not None)
    reread_answers(guarded, sessions, answers, ended)


def reread_answers(
    guarded: WrappedModel, sessions: Sequence[AnswerSession], answers: Sequence[list[int]], ended: Sequence[bool]
) -> None:
    """Feeds finished answers to their sessions, with states from one forward pass over all of them."""
    sequences = [[*session.prompt_ids, *answer] for session, answer in zip(sessions, answers, strict=True)]
    ids = torch.zeros(len(sessions), max(map(len, sequences)), dtype=torch.long)
    mask = torch.zeros_like(ids)
    gather: list[tuple[int, range]] = []
    for row, (session, sequence) in enumerate(zip(sessions, sequences, strict=True)):
        ids[row, : len(sequence)] = torch.tensor(sequence)
        mask[row, : len(sequence)] = 1
        if len(sequence) > len(session.prompt_ids):
            gather.append((row, range(len(session.prompt_ids) - 1, len(sequence) - 1)))
    read = dict(zip([row for row, _ in gather], guarded.taps.read(ids, mask, gather) if gather else [], strict=True))
    for row, states in read.items():
        sessions[row].attach(RereadStates(states), 0, 0)
    all_steps = [
        session.feed_answer(answer, end) for session, answer, end in zip(sessions, answers, ended, strict=True)
    ]
    if len({id(session.call) for session in sessions}) == len(sessions):
        run_batched(all_steps, guarded.score)
        return
    for session, steps in zip(sessions, all_steps, strict=True):  # later choices may not say what one is stopped at
        run_batched([steps], guarded.score)
        session.call.share_suppressed([other for other in sessions if other.call is session.call])
