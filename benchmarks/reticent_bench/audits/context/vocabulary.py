"""The vocabulary of a tokenizer, by how frequent its tokens are."""

from __future__ import annotations

from typing import Any


def vocabulary_of(tokenizer: Any) -> dict[str, float]:
    """Each token with minus its id, without special tokens.

    Merges are learned in the order of frequency, so high ids are rare.

    Args:
        tokenizer: of transformers.
    """
    special = set(tokenizer.all_special_ids)
    return {token: -float(number) for token, number in tokenizer.get_vocab().items() if number not in special}
