"""Carries out calls that come at the same time in one batch.

A call without others at the same time is served at once, in its own thread. A call meanwhile waits, and is then served
with all others that wait, by one of them. So a call alone costs a lock, and no thread or timer is needed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

_Job = TypeVar("_Job")
_Result = TypeVar("_Result")


class _Call(Generic[_Job, _Result]):
    def __init__(self, job: _Job) -> None:
        self.job = job
        self.done = False
        self.error: BaseException | None = None
        self.results: list[_Result] = []


class Coalescer(Generic[_Job, _Result]):
    """Turns a function of many jobs into one of a single job.

    Args:
        run: carries jobs out, and returns the result of each. One of these calls runs at a time.
        choose: of those that wait, in the order in which they came, which are to be carried out now. It is asked just
            before, and always takes the first.
    """

    def __init__(
        self,
        run: Callable[[Sequence[_Job]], Sequence[_Result]],
        choose: Callable[[Sequence[_Job]], Sequence[int]],
    ) -> None:
        self._run, self._choose = run, choose
        self._waiting: list[_Call[_Job, _Result]] = []
        self._changed = threading.Condition()
        self._busy = False

    def __repr__(self) -> str:
        return f"Coalescer({len(self._waiting)} waiting)"

    def __call__(self, job: _Job) -> _Result:
        """Gives the result of a job. Raises what `run` raises for it alone.

        If several jobs fail together, each is tried again by itself.
        """
        call = _Call[_Job, _Result](job)
        with self._changed:
            self._waiting.append(call)
            while self._busy and not call.done:
                self._changed.wait()
            self._busy = self._busy or not call.done
        if not call.done:
            self._serve(call)
        if call.error is not None:
            raise call.error
        return call.results[0]

    def _serve(self, own: _Call[_Job, _Result]) -> None:
        """Carries out waiting calls until this call is done. Then a waiting call goes on."""
        try:
            while not own.done:
                with self._changed:
                    waiting = list(self._waiting)
                chosen = (
                    [waiting[at] for at in self._choose([call.job for call in waiting])] if waiting[1:] else waiting
                )
                self._carry_out(chosen)
                with self._changed:
                    self._waiting = [call for call in self._waiting if not call.done]
                    self._changed.notify_all()
        finally:
            with self._changed:
                self._waiting = [call for call in self._waiting if call is not own]
                self._busy = False
                self._changed.notify_all()

    def _carry_out(self, calls: Sequence[_Call[_Job, _Result]]) -> None:
        try:
            results = self._run([call.job for call in calls])
            for call, result in zip(calls, results, strict=True):
                call.results = [result]
        except Exception as error:
            if len(calls) > 1:
                for call in calls:
                    self._carry_out([call])
                return
            calls[0].error = error
        for call in calls:
            call.done = True
