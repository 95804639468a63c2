"""Notifies observers of each answer to a request once, even when the server ends first."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from reticent.core.report import Report
from reticent.observability.answer_spans import Header, open_spans
from reticent.observability.observers import Observation, Observer, Outcome, Route, TimedStage, notify
from reticent.serve.judging.choice import EMPTY
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.stream.reader import Reader


@dataclass(slots=True)
class AnswerTimes:
    """Holds the time that the guard added to one response, in seconds.

    Args:
        judging: all judging.
        waiting: for a thread that judges.
        first_token: how much later its first bytes left than they came.
        pieces: how many pieces of the stream were judged.
    """

    judging: float = 0.0
    waiting: float = 0.0
    first_token: float | None = None
    pieces: int = 0


class AnswerNotifier:
    """Notifies the observers of the answers to one request, once.

    Args:
        observers: called for each answer.
        route: the route of the request.
        times: read when the observers are called.
    """

    def __init__(self, observers: Sequence[Observer], route: Route, times: AnswerTimes) -> None:
        self._observers, self._route, self._times = observers, route, times
        self.notified = False

    def __repr__(self) -> str:
        return f"AnswerNotifier(notified={self.notified})"

    def trace(self, headers: list[Header]) -> list[Header]:
        """Opens the answers' span, if spans are wanted. Gives the headers for the upstream, which name it as parent."""
        for spans in open_spans(unsampled=True):
            self._observers = (*self._observers, spans)
            headers = spans.in_place_of(headers)
        return headers

    def notify(self, request: GuardedRequest, stream: bool, reader: Reader | None, failed: bool) -> None:
        """Notifies the observers, unless that was done.

        Args:
            request: what the answers share.
            stream: whether a stream was asked for.
            reader: the reader of the answers. None if a thread still uses it, or none came. Observers then get one
                failed answer without a span, as they do if there is no choice.
            failed: whether answers that did not come to their end failed.
        """
        if self.notified:
            return
        self.notified = True
        answers = list(_answers(reader, failed)) or [(0, EMPTY, Outcome.FAILED)]
        for index, report, outcome in answers:
            notify(self._observers, self._observation(request, stream, (index, report, outcome), len(answers)))

    def _observation(
        self, request: GuardedRequest, stream: bool, answer: tuple[int, Report, Outcome], answers: int
    ) -> Observation:
        (index, report, outcome), times = answer, self._times
        return Observation.under(
            request.policy,
            report,
            request_id=request.id,
            choice=index,
            outcome=outcome,
            stage_seconds={TimedStage.FIND: times.judging / answers, TimedStage.WAIT: times.waiting / answers},
            route=self._route,
            bundle="" if request.detector is None else request.detector.digest,
            first_token_seconds=times.first_token,
            inter_chunk_seconds=(times.judging + times.waiting) / max(1, times.pieces),
            stream=stream,
        )


def _answers(reader: Reader | None, failed: bool) -> Iterator[tuple[int, Report, Outcome]]:
    """Yields number, report and outcome of each answer."""
    choices = [] if reader is None else sorted(reader.choices.items())
    for index, choice in choices:
        metadata_reports = reader.metadata.reports if reader is not None and index == choices[0][0] else ()
        report = choice.report(metadata_reports)
        yield index, report, Outcome.FAILED if failed and not choice.over else Outcome.of(report)


class OpenAnswer(Protocol):
    """Is a request whose observers have not been notified yet."""

    def abandon(self) -> None:
        """Notifies the observers that the request failed."""
        ...


class OpenAnswers:
    """Holds the requests that are being answered, so that the server's end can wait for their observers."""

    def __init__(self) -> None:
        self._open: set[OpenAnswer] = set()
        self._none = asyncio.Event()

    def __repr__(self) -> str:
        return f"OpenAnswers({len(self._open)})"

    def add(self, answer: OpenAnswer) -> None:
        """Adds a request that begins."""
        self._open.add(answer)

    def discard(self, answer: OpenAnswer) -> None:
        """Removes a request whose observers were notified, or that has no answer."""
        self._open.discard(answer)
        if not self._open:
            self._none.set()

    async def close(self, seconds: float) -> None:
        """Waits for the requests' ends. Those that take longer count as failed."""
        while self._open:
            self._none.clear()
            try:
                async with asyncio.timeout(seconds):
                    await self._none.wait()
            except TimeoutError:
                break
        for answer in tuple(self._open):
            answer.abandon()
