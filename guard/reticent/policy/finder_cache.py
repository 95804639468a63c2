"""Caches the span finder of each policy."""

from __future__ import annotations

import warnings
from typing import Any

from reticent.policy.policy import Policy
from reticent.policy.policy_warning import PolicyWarning
from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder, recognizers, tagger
from reticent_detectors.finder.engine.every_word import EVERY_WORD


class FinderCache:
    """Makes the finder of a policy when it is first used, and keeps it.

    Args:
        finder: the finder for every policy, whatever the policy's `recognizers`, `also_find`, `every_token`
            and `tagger`. None makes our own for each policy.
    """

    def __init__(self, finder: SpanFinder | None = None) -> None:
        self._finder = finder
        self._made: dict[tuple[Any, ...], SpanFinder] = {}

    def of(self, policy: Policy) -> SpanFinder:
        """Gives the finder of a policy."""
        if self._finder is not None:
            return self._finder
        key = policy.recognizers, policy.also_find, policy.every_token, policy.tagger
        if key not in self._made:
            _warn_of_unfindable_kinds(policy)
            more = (EVERY_WORD,) if policy.every_token else ()
            tags = tagger.shipped() if policy.tagger else None
            rows = (*policy.recognizers, *recognizers(policy.also_find), *more)
            self._made[key] = SpanFinder(rows, tagger=tags)
        return self._made[key]


def _warn_of_unfindable_kinds(policy: Policy) -> None:
    found = {each.entity for each in policy.recognizers} | set(map(str, Entity))
    for kind in sorted(policy.custom_entities - found):
        warnings.warn(
            f"custom_entities names {kind}, and no recogniser of this policy finds it. Give it one "
            f"(recognizers: {{{kind}: {{pattern: ..., examples: [...]}}}}), or pass a finder with one from Python.",
            PolicyWarning,
            stacklevel=3,
        )
