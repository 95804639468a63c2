"""Rewrites texts by the tokenizer of a base that an upstream serves, without its model."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from reticent_detectors.alignment import without_lists
from reticent_detectors.features.name_swap import MOST_TOKENS, NameSwapper
from reticent_detectors.host.saved_tokenizer import read_tokenizer
from reticent_detectors.inferable import OTHER_NAMES


class TokenTexts:
    """Holds a tokenizer. It is safe to share.

    Args:
        folder: the tokenizer's.

    Raises:
        InputError: the tokenizer cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self._tokenizer = read_tokenizer(folder)
        self._renames: dict[int, NameSwapper] = {}
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return "TokenTexts()"

    def rename(self, before: Sequence[int], sent: int, count: int = OTHER_NAMES) -> list[list[int]]:
        """Rewrites a text about `count` other people, as ids, where `sent` ids follow. Empty if it names no person."""
        with self._lock:
            if count not in self._renames:
                self._renames[count] = NameSwapper(self._tokenizer, count, MOST_TOKENS)
            return self._renames[count](before, sent)

    def without_lists(self, prompt: Sequence[int], candidates: Sequence[str]) -> list[int]:
        """Gives a prompt's ids without these values."""
        with self._lock:
            return without_lists(self._tokenizer, prompt, candidates)
