"""Caches the span finder of each policy."""

from __future__ import annotations

from reticent.policy.policy import Policy
from reticent_detectors.finder import SpanFinder, recognizers, span_check, tagger
from reticent_detectors.finder.engine.every_word import EVERY_WORD


class FinderCache:
    """Makes the finder of a policy when it is first used, and keeps it.

    Args:
        finder: the finder for every policy, whatever the policy's `also_find`, `every_token`, `check_spans` and
            `tagger`. None makes our own for each policy.
    """

    def __init__(self, finder: SpanFinder | None = None) -> None:
        self._finder = finder
        self._made: dict[tuple[frozenset[str], bool, bool, bool], SpanFinder] = {}

    def of(self, policy: Policy) -> SpanFinder:
        """Gives the finder of a policy."""
        if self._finder is not None:
            return self._finder
        key = policy.also_find, policy.every_token, policy.checks_spans, policy.tagger
        if key not in self._made:
            more = (EVERY_WORD,) if policy.every_token else ()
            check = span_check.shipped() if policy.checks_spans else None
            tags = tagger.shipped() if policy.tagger else None
            self._made[key] = SpanFinder((*recognizers(policy.also_find), *more), check=check, tagger=tags)
        return self._made[key]
