"""Guards texts without a model or a detector: redacts the personal data in answers.

    from reticent import TextGuard

    guard = TextGuard()
    print(guard.redact("Call Jane at 555-867-5309.").text)      # Call Jane at <PHONE_NUMBER>.
    for chunk in guard.stream(chunks, user="What is the number of the front desk?"):
        print(chunk, end="")

A text does not show whether a model remembered a value. So by default every value is redacted that the user did not
type. With a `RecordsIndex` and the policy `default`, only values of the records are redacted.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from reticent.arguments import checked_finder, checked_records, opened_policy
from reticent.core.report import Report
from reticent.core.stream_machine import StreamMachine
from reticent.policy.finder_cache import FinderCache
from reticent.policy.options import AfterRedaction, OnBlock
from reticent.policy.policy import DEFAULT, Policy, Rule
from reticent.policy.verdict import Action, Decision, Origin
from reticent.prompt.segments import Role, Segment, from_segments
from reticent.records.index import RecordsIndex
from reticent.serve.bounds import Bounds
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent_detectors.errors import Blocked, WrongType
from reticent_detectors.finder import SpanFinder
from reticent_detectors.spans import Span

_BOUNDS = Bounds(spans=1_000_000)
"""Bounds of a text, which is the operator's own: no client chooses how much is judged."""


def strict() -> Policy:
    """Gives the built-in policy, with values of unknown origin redacted."""
    policy = Policy.default()
    rules = {entity: dict(row) for entity, row in policy.rules.items()}
    rules.setdefault(DEFAULT, {})[Origin.UNKNOWN] = Rule(Action.REDACT)
    return replace(policy, rules=rules)


@dataclass(frozen=True, slots=True)
class GuardedText:
    """Holds a text as it may be shown.

    Attributes:
        text: what may be shown.
        report: what was decided about its values.
    """

    text: str = field(repr=False)
    report: Report


class TextGuard:
    """Finds personal data in texts and redacts it, without a model.

    The first hundred stopped values are stopped in every spelling, later ones where the finder finds them.

    Args:
        policy: a `Policy`, a preset's name, or a file. None redacts every value that the user did not type.
            `after_redaction` has no effect: no model goes on from the text, so all of it is judged.
        records: an index of your records. Their values count as memorised.
        finder: finds the values; None takes Reticent's own.

    Raises:
        PolicyError: the policy's file cannot be read, or names something unknown.
        WrongType: an argument is of another type; the message says what to pass.
    """

    def __init__(
        self,
        policy: Policy | str | None = None,
        *,
        records: RecordsIndex | None = None,
        finder: SpanFinder | None = None,
    ) -> None:
        chosen = strict() if policy is None else opened_policy(policy)
        self.policy = replace(chosen, after_redaction=AfterRedaction.CONTINUE)
        self._records, self._finders = checked_records(records), FinderCache(checked_finder(finder))

    def __repr__(self) -> str:
        return f"TextGuard(records={self._records is not None})"

    def redact(self, text: str, *, user: str = "", context: str = "") -> GuardedText:
        """Redacts a whole text.

        Args:
            text: the text, such as a model's answer.
            user: what the user typed. Its values may be repeated.
            context: what the operator gave, such as retrieved documents. By default its values are redacted.

        Raises:
            Blocked: the policy stopped the text and asks for an error.
            WrongType: a text is no `str`.
        """
        opened = self._open(user, context)
        shown = [*opened.feed(text), *opened.finish()]
        replaced = opened.blocked and self.policy.on_block is OnBlock.REPLACE
        return GuardedText(shown[-1] if replaced else "".join(shown), opened.report)

    def stream(self, chunks: Iterable[str], *, user: str = "", context: str = "") -> Iterator[str]:
        """Redacts a text that comes in chunks. A value is held back until it is complete.

        How the text is cut changes nothing in what is shown, except by the policy's bound on held seconds.

        Args:
            chunks: the text, in order.
            user: what the user typed. Its values may be repeated.
            context: what the operator gave. By default its values are redacted.

        Raises:
            Blocked: the policy stopped the text and asks for an error.
            WrongType: a text is no `str`.
        """
        opened = self._open(user, context)
        for chunk in chunks:
            yield from opened.feed(chunk)
        yield from opened.finish()

    async def astream(self, chunks: AsyncIterable[str], *, user: str = "", context: str = "") -> AsyncIterator[str]:
        """Redacts chunks that come asynchronously, as `stream` does."""
        opened = self._open(user, context)
        async for chunk in chunks:
            for shown in opened.feed(chunk):
                yield shown
        for shown in opened.finish():
            yield shown

    def _open(self, user: str, context: str) -> _Open:
        for text in (user, context):
            _checked(text)
        view = from_segments([Segment(Role.CONTEXT, context), Segment(Role.USER, user)])
        finder = self._finders.of(self.policy)
        return _Open(GuardedRequest(self.policy, finder, [view], self._records, _BOUNDS))


class _Open:
    """Guards one text."""

    def __init__(self, request: GuardedRequest) -> None:
        self._request = request
        context = request.views[0].context
        self._machine = StreamMachine.from_policy(request.finder, context, self._judge, request.policy, request.redact)

    @property
    def blocked(self) -> bool:
        return self._machine.blocked

    @property
    def report(self) -> Report:
        return Report.of(self._machine)

    def feed(self, text: str) -> Iterator[str]:
        """Yields what may be shown now."""
        if not self._machine.blocked:
            yield from filter(None, [self._machine.feed(_checked(text), time.monotonic(), tokens=0).text])

    def finish(self) -> Iterator[str]:
        """Yields what may be shown at the end, or the policy's own words if it stopped the text."""
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
        return replace(decision, suppress=decision.suppress and len(machine.suppressed) < _BOUNDS.stopped)


def _checked(text: Any) -> str:
    if not isinstance(text, str):
        raise WrongType(f"A text must be a str, got {type(text).__name__}.")
    return text
