"""Rewrites texts by the tokenizer of a base that an upstream serves, without its model."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from reticent_detectors.alignment import without_lists
from reticent_detectors.collection.inferable import OTHER_NAMES
from reticent_detectors.features.name_swap import MOST_TOKENS, NameSwapper
from reticent_detectors.host.load import read_tokenizer


class TokenTexts:
    """Holds a tokenizer. It is safe to share.

    Args:
        folder: the tokenizer's.

    Raises:
        InputError: the tokenizer cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self._tokenizer = read_tokenizer(folder)
        self._rename = NameSwapper(self._tokenizer, OTHER_NAMES, MOST_TOKENS)
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"TokenTexts({self._rename!r})"

    def rename(self, before: Sequence[int], sent: int) -> list[list[int]]:
        """Rewrites a text about other people, as ids, where `sent` ids follow. Empty if it names no person."""
        with self._lock:
            return self._rename(before, sent)

    def without_lists(self, prompt: Sequence[int], candidates: Sequence[str]) -> list[int]:
        """Gives a prompt's ids without these values."""
        with self._lock:
            return without_lists(self._tokenizer, prompt, candidates)
