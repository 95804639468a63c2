"""Compares two tokenizers, so that one model's token ids may be read by another model."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from reticent_detectors.errors import TokenizerMismatch

_RULES = ("normalizer", "pre_tokenizer", "model")
"""Parts of a fast tokenizer that decide a text's ids. The post-processor, which adds marks around it, does not."""


class SharedTokens:
    """The ids that are the same token for a host and for its base.

    Args:
        host, base: their tokenizers.
        rows: number of ids that the base model has embeddings for.

    Raises:
        TokenizerMismatch: an id is a different token for each, or they split texts by different rules.
    """

    def __init__(self, host: Any, base: Any, rows: int) -> None:
        own = {token_id: token for token, token_id in host.get_vocab().items()}
        other = {token_id: token for token, token_id in base.get_vocab().items()}
        common = own.keys() & other.keys()
        if differ := sum(own[token_id] != other[token_id] for token_id in common):
            raise TokenizerMismatch(
                f"The base's tokenizer has other tokens than the model's for {differ} of {len(common)} ids. "
                "Give a base with the same tokenizer: the model before tuning."
            )
        if _rules(host) != _rules(base):
            raise TokenizerMismatch(
                "The base's tokenizer splits texts by other rules than the model's. "
                "Give a base with the same tokenizer: the model before tuning."
            )
        self._ids = frozenset(token_id for token_id in common if token_id < rows)

    def __repr__(self) -> str:
        return f"SharedTokens({len(self._ids)} ids)"

    def check(self, ids: Iterable[int]) -> None:
        """Raises TokenizerMismatch if the base does not know all of these ids."""
        if unknown := len(set(ids) - self._ids):
            raise TokenizerMismatch(
                f"The base's tokenizer does not know {unknown} of the ids of this text, so the base cannot read it."
            )


def _rules(tokenizer: Any) -> Any:
    """Returns the rules that decide a text's ids. None for a slow tokenizer, whose vocabulary alone is compared."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        return None
    content = json.loads(backend.to_str())
    rules = {name: content[name] for name in _RULES}
    rules["model"] = {name: part for name, part in rules["model"].items() if name != "vocab"}  # compared by id
    return rules
