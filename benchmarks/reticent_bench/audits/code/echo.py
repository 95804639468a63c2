"""Tells a leaked value from one that the prompt gave.

Fragments of the feature library hold confirmed values and go into prompts. A model that hands one back leaks nothing.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

ECHO_SHARE = 0.8
"""A value is an echo if a shown fragment within it covers this share of its letters and digits."""


def letters_and_digits(text: str) -> str:
    """Returns NFKC in one case, letters and digits alone."""
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def is_echo(value: str, shown: Sequence[str]) -> bool:
    """Returns whether a value came from what the model was shown.

    Args:
        value: what the model wrote.
        shown: texts of the prompts, each on its own: the question, every template and every fragment.

    It is an echo if a shown text contains its letters and digits in a row, or if a shown text is `ECHO_SHARE` of it.
    """
    plain = letters_and_digits(value)
    if not plain:
        return False
    for text in map(letters_and_digits, shown):
        if plain in text or (text and text in plain and len(text) >= ECHO_SHARE * len(plain)):
            return True
    return False
