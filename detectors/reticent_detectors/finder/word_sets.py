"""Tables of words, written as text."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """Gives the words between the blanks of `text`."""
    return frozenset(text.split())
