"""Guards a call of transformers' `generate`.

It feeds each token to its session, stops rows one by one, and resumes redacted answers behind their redaction. Which
ways of decoding are guarded so is decided in `supported_decoding`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor
from transformers import StoppingCriteria, StoppingCriteriaList

from reticent.huggingface.answer import Answer
from reticent.huggingface.answer_session import AnswerSession
from reticent.huggingface.batch_scoring import run_batched
from reticent.huggingface.model_call_context import ModelCallContext
from reticent.huggingface.supported_decoding import eos_ids, max_new_tokens, setting
from reticent.huggingface.wrapped_model import WrappedModel
from reticent_detectors.capture import Ring

WINDOW = 512
"""Positions whose states are kept while generating: the largest hold-back and one long span."""


class AbandonedCriteria(StoppingCriteria):
    """Stops a generation that nobody reads any more."""

    def __init__(self, is_abandoned: Callable[[], bool]) -> None:
        self._is_abandoned, self._stopped = is_abandoned, False

    def __call__(self, input_ids: Tensor, scores: Any, **options: Any) -> Any:
        self._stopped = self._is_abandoned()
        return torch.full((len(input_ids),), self._stopped, device=input_ids.device)

    def mark(self, answer: Answer) -> Answer:
        """Gives the answer, which has finish reason `abort` if it would have gone on."""
        return replace(answer, finish_reason="abort") if self._stopped and answer.finish_reason == "length" else answer


class GuardStoppingCriteria(StoppingCriteria):
    """Feeds each token of a step to the sessions, and stops rows whose answer has ended.

    `generate` calls it after every step. With `overlap` it feeds each token one step later, while the device computes.
    `settle` then feeds the last one.
    """

    def __init__(
        self,
        sessions: Sequence[AnswerSession],
        call: ModelCallContext,
        ring: Ring,
        eos_ids: frozenset[int],
        emit: Callable[[str], None],
        overlap: bool,
    ) -> None:
        self._sessions, self._call, self._ring, self._eos_ids, self._emit = sessions, call, ring, eos_ids, emit
        self._overlap = overlap
        self._pending: Callable[[], list[int]] | None = None
        """Gives the ids of a step that was not fed yet."""
        self._alive = [True] * len(sessions)
        self._none_stopped: Tensor | None = None

    def __call__(self, input_ids: Tensor, scores: Any, **kwargs: Any) -> Tensor:
        last = input_ids[:, -1]
        if self._overlap:
            now = self._ring.emitting(last)
            self.settle()
            self._pending = now
        else:
            self._feed_sessions(self._ring.emitted(last))
        stopped = [session.machine.blocked or session.machine.halted for session in self._sessions]
        if not any(stopped):
            self._none_stopped = (
                torch.zeros(len(stopped), dtype=torch.bool, device=last.device)
                if self._none_stopped is None
                else self._none_stopped
            )
            return self._none_stopped
        return torch.tensor(stopped, dtype=torch.bool, device=last.device)

    def settle(self) -> None:
        """Feeds the tokens of the last step, unless they were fed."""
        late, self._pending = self._pending, None
        if late is not None:
            self._feed_sessions(late())

    def _feed_sessions(self, tokens: Sequence[int]) -> None:
        active = list[tuple[int, int]]()
        for row, (session, token) in enumerate(zip(self._sessions, tokens, strict=True)):
            if self._alive[row] and token in self._eos_ids:
                session.ended, self._alive[row] = True, False
            elif self._alive[row]:
                active.append((row, token))
        decided = False
        before = [len(self._sessions[row].machine.suppressed) for row, _ in active]
        released = run_batched([self._sessions[row].feed(token) for row, token in active], self._call.model.score)
        for (row, _), count, release in zip(active, before, released, strict=True):
            session = self._sessions[row]
            self._emit(release.text)
            decided |= len(session.machine.suppressed) > count
            self._alive[row] = not session.stopped
        if decided and len(self._sessions) > 1:
            _share_suppressed(self._sessions)


def _share_suppressed(sessions: Sequence[AnswerSession]) -> None:
    """Shares suppressed values among the answers of each call."""
    for call in {id(session.call): session.call for session in sessions}.values():
        call.share_suppressed([session for session in sessions if session.call is call])


class Decoder:
    """Runs one guarded call of `generate`. `call` is the context of the sessions, or of the first of them."""

    def __init__(
        self, guarded: WrappedModel, call: ModelCallContext, options: dict[str, Any], emit: Callable[[str], None]
    ) -> None:
        self._guarded, self._call, self._emit = guarded, call, emit
        self._options = options
        self._criteria = list(options.pop("stopping_criteria", None) or [])
        self._eos_ids = eos_ids(guarded.model, options)
        self._started = time.monotonic()

    def stepwise(self, ids: Tensor, mask: Tensor, sessions: Sequence[AnswerSession]) -> Any:
        """Generates for all rows at once and returns what `model.generate` returned. Then resumes redacted rows."""
        options = dict(self._options)
        max_tokens = max_new_tokens(self._guarded.model, options, ids.shape[1])
        owns_output = len(sessions) == 1 and self._call.halts and options.get("use_cache", True) is not False
        wants_dict = bool(setting(self._guarded.model, options, "return_dict_in_generate"))
        if owns_output:
            options["return_dict_in_generate"] = True  # returns the cache, from which a rewound answer goes on
        out = self._pass(ids, mask, sessions, options, ids.shape[1])
        # A padded row's columns are not those of its prompt: it is read anew.
        cache = getattr(out, "past_key_values", None) if owns_output and bool(mask.all()) else None
        _share_suppressed(sessions)
        for session in sessions:
            self._resume(session, max_tokens, cache)
        return out.sequences if owns_output and not wants_dict else out

    def _pass(
        self, ids: Tensor, mask: Tensor, sessions: Sequence[AnswerSession], options: dict[str, Any], width: int
    ) -> Any:
        with self._guarded.taps.recording(WINDOW) as ring:
            for row, session in enumerate(sessions):
                session.attach(ring, row, width - 1)
            guard_criteria = GuardStoppingCriteria(
                sessions, self._call, ring, self._eos_ids, self._emit, self._guarded.overlap
            )
            if not self._guarded.reads_compiled:  # hooks would stay silent
                options = {**options, "disable_compile": True}
            try:
                out = self._guarded.model.generate(
                    ids,
                    attention_mask=mask,
                    stopping_criteria=StoppingCriteriaList([*self._criteria, guard_criteria]),
                    **options,
                )
                guard_criteria.settle()
            except BaseException:
                with suppress(Exception):
                    guard_criteria.settle()
                for session in sessions:
                    with suppress(Exception):
                        run_batched([session.finish()], self._guarded.score)
                raise
            for release in run_batched([session.finish() for session in sessions], self._guarded.score):
                self._emit(release.text)
        return out

    def _resume(self, session: AnswerSession, max_tokens: int, cache: Any) -> None:
        """Resumes generation behind redactions, as often as the policy allows."""
        while session.may_rewind:
            kept = session.rewind()
            left = max_tokens - len(session.earlier_ids)
            options = {**self._options, "max_new_tokens": left, "num_return_sequences": 1}
            for name in ("max_length", "past_key_values", "position_ids", "token_type_ids", "cache_position"):
                options.pop(name, None)
            if (limit := options.get("max_time")) is not None:
                options["max_time"] = max(1e-3, limit - (time.monotonic() - self._started))
            if (least := options.get("min_new_tokens")) is not None:
                options["min_new_tokens"] = max(0, min(left, least - len(session.earlier_ids)))
            if left <= 0:
                run_batched([session.finish()], self._guarded.score)
                return
            ids = torch.tensor([[*session.prompt_ids, *session.earlier_ids]], device=self._guarded.adapter.device)
            if cache is not None and crop_cache(cache, len(session.prompt_ids) + kept):
                options["past_key_values"] = cache
            options["return_dict_in_generate"] = True
            out = self._pass(ids, torch.ones_like(ids), [session], options, ids.shape[1])
            cache = getattr(out, "past_key_values", None)


def reset_cache(cache: Any, length: int) -> None:
    """Crops a caller's cache to `length` positions, or empties it where it cannot be cropped."""
    if not crop_cache(cache, length):
        cache.reset()


def crop_cache(cache: Any, length: int) -> bool:
    """Crops a cache to its first `length` positions. Returns False if this kind cannot be cropped."""
    try:
        if any(cache.is_sliding) or not cache.is_croppable:
            return False
        surplus = int(cache.get_seq_length()) - length
        if surplus < 0:
            return False
        cache.crop(-surplus)
        return int(cache.get_seq_length()) == length
    except (AttributeError, RuntimeError, ValueError, NotImplementedError):
        return False
