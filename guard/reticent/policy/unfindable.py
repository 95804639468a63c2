"""Says whether a finder finds a value by its form, and warns of values on a deny list that have none."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from reticent.policy.file_format import hash_in
from reticent.policy.finder_cache import FinderCache
from reticent.policy.policy import Policy
from reticent.policy.policy_warning import PolicyWarning
from reticent_detectors.finder import SpanFinder
from reticent_detectors.spans import FindContext

_FRAMES = ("{}", "It is {}.", "It is {}, she said.")


def finds(finder: SpanFinder, value: str, entity: str | None = None, announcement: str = "") -> bool:
    """Says whether a finder finds a value by its form, as a whole, where nothing but `announcement` stands before."""
    for frame in _FRAMES:
        text = announcement + frame.format(value)
        first, start, context = text.index(value, len(announcement)), 0, FindContext()
        while (span := finder.next_span(text, start, context=context, closed=True).span) is not None:
            if (span.start, span.end) == (first, first + len(value)) and entity in (None, span.entity):
                return True
            start = span.end
    return False


def warn_of_unfindable(policy: Policy, denied: Sequence[str]) -> None:
    """Warns of plain values of a deny list that have no form. No value is repeated.

    Args:
        policy: the policy.
        denied: the deny list as it is written; what is hashed there is not looked at.
    """
    plain = [(at, value) for at, value in enumerate(denied) if hash_in(value) is None]
    # The tagger finds a word in some surroundings only.
    finder = FinderCache().of(policy).untagged() if plain else None
    for at, value in plain:
        if finder is not None and not finds(finder, value):
            warnings.warn(
                f"deny_list[{at}] has no form that the finder knows, so it is stopped only where the words before it "
                "announce its kind. To stop it everywhere, write a recogniser for it "
                "(recognizers: {PROJECT: {pattern: ..., examples: [...]}}).",
                PolicyWarning,
                stacklevel=2,
            )
