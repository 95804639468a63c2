"""Guards texts without a model or a detector: redacts the personal data in answers.

    from reticent import TextGuard

    guard = TextGuard()
    print(guard.redact("Call Jane at 555-867-5309.").text)      # Call Jane at <PHONE_NUMBER>.
    for chunk in guard.stream(chunks, user="What is the number of the front desk?"):
        print(chunk, end="")

A text does not show whether a model remembered a value, so every value is of unknown origin that the user did not
type. A policy that says nothing of `unknown` redacts all of them. With a `RecordsIndex`, which tells what may have been
remembered, it redacts the values of the records, and flags the others. `TextGuard()` is `TextGuard("default")`.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, field

from reticent.arguments import checked_finder, checked_records, checked_suppressions, opened_policy
from reticent.core.report import Report
from reticent.policy.finder_cache import FinderCache
from reticent.policy.policy import Policy
from reticent.records.index import RecordsIndex
from reticent.serve.judging.open_text import OpenText, text_view
from reticent.serve.request_bounds import Bounds
from reticent.suppressions.watched import Suppressions
from reticent_detectors.finder import SpanFinder

_BOUNDS = Bounds(spans=1_000_000)
"""Bounds of a text, which is the operator's own: no client chooses how much is judged."""


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
        policy: a `Policy`, a preset's name, or a file. None is `default`. If it says nothing of `unknown`, such values
            are redacted without `records`, and pass flagged with them. `after_redaction` has no effect: no model goes
            on from the text, so all of it is judged.
        records: an index of your records. Their values count as memorised.
        suppressions: the store of what people asked to have forgotten. Each text is judged by the entries of its
            beginning.
        finder: finds the values; None takes Reticent's own.

    Raises:
        PolicyError: the policy's file cannot be read, or names something unknown.
        WrongType: an argument is of another type; the message says what to pass.
        MissingExtra: the policy's tagger needs ONNX Runtime, which is not installed.
    """

    def __init__(
        self,
        policy: Policy | str | None = None,
        *,
        records: RecordsIndex | None = None,
        suppressions: Suppressions | None = None,
        finder: SpanFinder | None = None,
    ) -> None:
        chosen = Policy.default() if policy is None else opened_policy(policy)
        self.policy = chosen.for_texts(recorded=records is not None)
        self._records, self._finders = checked_records(records), FinderCache(checked_finder(finder))
        self._suppressions = checked_suppressions(suppressions)
        self._finders.of(self.policy)

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
        opened = self.open(user=user, context=context)
        return GuardedText(opened.whole(text), opened.report)

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
        opened = self.open(user=user, context=context)
        for chunk in chunks:
            yield from opened.feed(chunk)
        yield from opened.finish()

    async def astream(self, chunks: AsyncIterable[str], *, user: str = "", context: str = "") -> AsyncIterator[str]:
        """Redacts chunks that come asynchronously, as `stream` does."""
        opened = self.open(user=user, context=context)
        async for chunk in chunks:
            for shown in opened.feed(chunk):
                yield shown
        for shown in opened.finish():
            yield shown

    def open(self, *, user: str = "", context: str = "") -> OpenText:
        """Opens a text that comes piece by piece: `feed` its pieces, `finish` it, and read its `report`.

        Args:
            user: what the user typed. Its values may be repeated.
            context: what the operator gave. By default its values are redacted.

        Raises:
            WrongType: a text is no `str`.
        """
        suppressed = None if self._suppressions is None else self._suppressions.current()
        finder = self._finders.of(self.policy)
        view = text_view(user, context)
        return OpenText(self.policy, finder, self._records, _BOUNDS, view, suppressions=suppressed)
