"""Guards one text without a model: as it comes, or whole."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from reticent.core.report import Report
from reticent.core.stream_machine import StreamMachine
from reticent.policy.options import OnBlock
from reticent.policy.policy import Policy
from reticent.policy.verdict import Decision
from reticent.prompt.segments import Role, Segment, from_segments
from reticent.records.index import RecordsIndex
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.request_bounds import Bounds
from reticent.suppressions.active import SuppressionList
from reticent_detectors.between_steps import between_steps
from reticent_detectors.errors import Blocked, WrongType
from reticent_detectors.finder import SpanFinder
from reticent_detectors.spans import Span

_SLICE_CHARS = 4096
"""Part of a whole text that is judged before it is asked whether anybody still waits for the rest."""


class OpenText:
    """Guards one text that no model of this process wrote.

    Args:
        policy: decides; see `Policy.for_texts`.
        finder: finds the values.
        records: values of these count as memorised.
        bounds: how much is judged.
        user: what the user typed. Its values may be repeated.
        context: what the operator gave.
        suppressions: the values and people that are suppressed, if any are.

    Raises:
        WrongType: a text is no `str`.
    """

    def __init__(
        self,
        policy: Policy,
        finder: SpanFinder,
        records: RecordsIndex | None,
        bounds: Bounds,
        user: str = "",
        context: str = "",
        suppressions: SuppressionList | None = None,
    ) -> None:
        view = from_segments([Segment(Role.CONTEXT, _checked(context)), Segment(Role.USER, _checked(user))])
        self._request = GuardedRequest(policy, finder, [view], records, bounds, suppressions=suppressions)
        self._bounds = bounds
        self._machine = StreamMachine.from_policy(
            self._request.finder, view.context, self._judge, policy, self._request.redact
        )

    @property
    def report(self) -> Report:
        """Gives what was decided so far."""
        return Report.of(self._machine)

    def whole(self, text: str) -> str:
        """Gives what may be shown of a whole text. Raises Blocked, WrongType."""
        shown, now = list[str](), time.monotonic()
        for at in range(0, len(_checked(text)), _SLICE_CHARS):
            between_steps()
            shown += self._feed(text[at : at + _SLICE_CHARS], now)  # no text of it waits for a time
        shown += self.finish()
        replaced = self._machine.blocked and self._request.policy.on_block is OnBlock.REPLACE
        return shown[-1] if replaced else "".join(shown)

    def feed(self, text: str) -> Iterator[str]:
        """Yields what may be shown now."""
        yield from self._feed(_checked(text), time.monotonic())

    def _feed(self, text: str, now: float) -> list[str]:
        return [] if self._machine.blocked else list(filter(None, [self._machine.feed(text, now, tokens=0).text]))

    def finish(self) -> Iterator[str]:
        """Yields what may be shown at the end, or the policy's own words if it stopped the text. Raises Blocked."""
        if not self._machine.finished:
            yield from filter(None, [self._machine.finish(time.monotonic(), cut=False).text])
        if not self._machine.blocked:
            return
        if self._request.policy.on_block is OnBlock.ERROR:
            raise Blocked("The policy stopped this text (on_block: error).", self.report)
        if self._request.policy.on_block is OnBlock.REPLACE:
            yield self._request.policy.block_text

    def _judge(self, span: Span) -> Decision:
        machine = self._machine
        before = partial(machine.text_before, span)
        decision = self._request.judge(
            span, machine.value_of(span), 0, False, before=before, note_failure=machine.note_failure
        )
        # Each stopped value is looked for in all that follows, so time would grow with their square.
        return replace(decision, suppress=decision.suppress and len(machine.suppressed) < self._bounds.stopped)


def _checked(text: Any) -> str:
    if not isinstance(text, str):
        raise WrongType(f"A text must be a str, got {type(text).__name__}.")
    return text
