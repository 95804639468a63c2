"""Asks questions side by side, and sends their calls to a target in batches.

    target = GatheredTarget(inner)
    outcomes = side_by_side([lambda: {"n": len(target.generate([prompt], 8)[0])} for prompt in prompts])

Each question has a thread, and one thread runs at a time, in the order of the questions. A thread runs until its
question calls a target or ends. When all open questions wait for a target, one round is over. Calls of a round that ask
the same of a target go to it as one batch, from the thread that called `side_by_side`. So the batches follow from the
questions and their answers, never from timing, and questions need no locks.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import ContextVar, copy_context
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from reticent_bench.audits.target import (
    GREEDY,
    Prompt,
    Sampling,
    Target,
    TokenScores,
    encoder_of,
    scores_chats,
    why_unscored,
)
from reticent_detectors.errors import InputError, ReticentError

T = TypeVar("T")

LONGEST_WAIT = 600.0
"""Seconds that a question may take between two calls."""
LONGEST_END = 10.0
"""Seconds in which all questions have to end once they were given up."""


class AskHangs(ReticentError):
    """A question neither ends nor asks its target."""


class _Kind(NamedTuple):
    """What calls have to agree in to be one batch. Scores have no new tokens."""

    target: GatheredTarget
    is_chat: bool
    new_tokens: int | None
    temperature: float = 0.0
    top_k: int = 0


class _Call(NamedTuple):
    kind: _Kind
    items: Sequence[Any]
    sampling: Sampling = GREEDY


class _GivenUp(BaseException):
    """Ends the thread of a question whose block has ended."""


class GatheredTarget:
    """A target that gathers the calls of questions asked side by side. Other calls pass through unchanged."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self.name, self.scores_text = target.name, target.scores_text
        self.scores_chats, self.why_unscored = scores_chats(target), why_unscored(target)

    def __repr__(self) -> str:
        return f"GatheredTarget({self.name!r})"

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        """The target's answers."""
        seat = _SEAT.get()
        if seat is None or not prompts:
            return self._target.generate(prompts, max_new_tokens, sampling)
        is_chat = not isinstance(prompts[0], str)
        kind = _Kind(self, is_chat, max_new_tokens, sampling.temperature, sampling.top_k)
        return seat.answered(_Call(kind, prompts, sampling))

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        """The target's scores."""
        seat = _SEAT.get()
        if seat is None or not pairs:
            return self._target.scores(pairs)
        return seat.answered(_Call(_Kind(self, not isinstance(pairs[0][0], str), None), pairs))

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The target's vectors; these are not gathered."""
        return encoder_of(self._target).encode(texts)

    def at_once(self, calls: Sequence[_Call]) -> list[list[Any]]:
        """What the target gives for calls of one kind, asked as one."""
        items, new_tokens = [item for call in calls for item in call.items], calls[0].kind.new_tokens
        found: list[Any]
        if new_tokens is None:
            found = list(self._target.scores(items))
        else:
            found = list(self._target.generate(items, new_tokens, _joined(calls)))
        if len(found) != len(items):
            raise InputError(f"Expected {len(items)} results of {self.name}, got {len(found)}. Check the target.")
        results = iter(found)
        return [[next(results) for _ in call.items] for call in calls]


def _joined(calls: Sequence[_Call]) -> Sampling:
    """The sampling of a batch, in which each prompt keeps its seed. A server may use it even at temperature 0."""
    first = calls[0].sampling
    if len(calls) == 1:
        return first
    seeds = tuple(seed for call in calls for seed in call.sampling.seeds(len(call.items)))
    return Sampling(first.temperature, first.top_k, seeds[0], seeds)


class _Seat(Generic[T]):
    """A question, its thread, and the call that it waits in."""

    def __init__(self, ask: Callable[[], T], number: int) -> None:
        self._ask = ask
        self._turn, self._back = threading.Semaphore(0), threading.Semaphore(0)
        # A daemon: a question that hangs must not keep the process from ending.
        self._thread = threading.Thread(
            target=copy_context().run, args=(self._run,), name=f"audit-{number}", daemon=True
        )
        self._started = self._given_up = self.ended = False
        self.hangs = False
        """Whether it was waited for in vain."""
        self.call: _Call | None = None
        """What it waits for."""
        self.reply: list[Any] | Exception | None = None
        self.outcome: list[T] = []
        self.error: BaseException | None = None

    def answered(self, call: _Call) -> list[Any]:
        """Waits for the answer to a call. For the question's own thread."""
        if not self._given_up:
            self.call = call
            self._back.release()
            self._turn.acquire()
        if self._given_up:
            raise _GivenUp
        reply, self.reply = self.reply, None
        if isinstance(reply, Exception):
            raise reply
        assert reply is not None
        return reply

    def goes_on(self) -> None:
        """Lets the question run until its next call or its end.

        Raises:
            AskHangs: it takes too long.
        """
        self.call = None
        if self._started:
            self._turn.release()
        else:
            self._started = True
            self._thread.start()
        if not self._back.acquire(timeout=LONGEST_WAIT):
            self.hangs = True
            raise AskHangs(f"A question takes more than {LONGEST_WAIT:g} seconds without asking its target.")

    def give_up(self) -> None:
        """Ends the question at its next call, or at the one that it waits in."""
        self._given_up = True
        self._turn.release()

    def join(self, seconds: float) -> bool:
        """Whether its thread ends within so many seconds."""
        if self._started:
            with suppress(RuntimeError):  # it could not be started
                self._thread.join(max(0.0, seconds))
        return not self._thread.is_alive()

    def _run(self) -> None:
        _SEAT.set(self)
        try:
            self.outcome.append(self._ask())
        except _GivenUp:
            pass
        except BaseException as error:
            self.error = error
        finally:
            self.ended = True
            self._back.release()


_SEAT: ContextVar[_Seat[Any] | None] = ContextVar("seat", default=None)


def side_by_side(asks: Sequence[Callable[[], T]]) -> list[T]:
    """What each question returns, asked side by side.

    Args:
        asks: the questions; each has a thread of its own while it is asked. They do not depend on one another.

    Raises:
        AskHangs: a question neither ends nor asks.

    If questions raise, the first of them in their order is raised as soon as none before it can run on, and the others
    end where they wait. No thread is left behind but that of a question that hangs; it ends with the process.
    """
    if len(asks) == 1:
        return [asks[0]()]
    seats = [_Seat(ask, number) for number, ask in enumerate(asks)]
    try:
        ready = seats
        while ready:
            for seat in ready:
                seat.goes_on()
                if seat.error is not None:
                    raise seat.error
            _answer([seat for seat in seats if seat.call is not None])
            ready = [seat for seat in seats if seat.reply is not None]
    finally:
        _end(seats)
    return [outcome for seat in seats for outcome in seat.outcome]


def _answer(waiting: Sequence[_Seat[Any]]) -> None:
    """Asks for the calls of a round, those of one kind together. Behind an error no more is asked in the round."""
    groups: dict[_Kind, list[_Seat[Any]]] = {}
    for seat in waiting:
        assert seat.call is not None
        groups.setdefault(seat.call.kind, []).append(seat)
    for kind, seats in groups.items():
        calls = [seat.call for seat in seats if seat.call is not None]
        try:
            replies = kind.target.at_once(calls)
        except Exception as error:
            for seat in seats:
                seat.reply = error
            return
        for seat, reply in zip(seats, replies, strict=True):
            seat.reply = reply


def _end(seats: Sequence[_Seat[Any]]) -> None:
    """Ends all threads but those that hang.

    Raises:
        AskHangs: another one does not end.
    """
    for seat in seats:
        if not seat.ended:
            seat.give_up()
    until = time.monotonic() + LONGEST_END
    ended = [seat.join(until - time.monotonic()) for seat in seats if not seat.hangs]
    if not all(ended):
        raise AskHangs("A question does not end after the others were given up.")
