"""Rewrites texts about other people by the tokenizer of a base that an upstream serves, without its model."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from reticent_detectors.collection.inferable import OTHER_NAMES
from reticent_detectors.errors import InputError
from reticent_detectors.features.name_swap import MOST_TOKENS, NameSwapper
from reticent_detectors.host.load import load_tokenizer


class TokenTexts:
    """Holds a tokenizer. It is safe to share.

    Args:
        folder: the tokenizer's.

    Raises:
        InputError: there is no tokenizer in the folder.
    """

    def __init__(self, folder: Path) -> None:
        try:
            tokenizer = load_tokenizer(folder)
        except (OSError, ValueError, KeyError) as error:
            raise InputError(
                f"{folder} holds no tokenizer that can be read ({type(error).__name__}). "
                "Expected the folder of the model that detector.base names."
            ) from error
        self._rename = NameSwapper(tokenizer, OTHER_NAMES, MOST_TOKENS)
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"TokenTexts({self._rename!r})"

    def rename(self, before: Sequence[int], sent: int) -> list[list[int]]:
        """Rewrites a text about other people, as ids, where `sent` ids follow. Empty if it names no person."""
        with self._lock:
            return self._rename(before, sent)
