"""Word vectors of a language model: its hidden state after a single word, on the main axes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from reticent_bench.real_answers.marked import Marked
from reticent_detectors.alignment import text_ids
from reticent_detectors.finder.names_data import known_words
from reticent_detectors.finder.tagger import TagNetwork
from reticent_detectors.finder.tagger.words import WORD, vector_key

LAYER, SIZE, MOST_TOKENS, BATCH = 8, 40, 8, 256
"""After which decoder layer states are taken, axes kept, tokens read of a word, words of one pass."""
_ORDINARY = 1


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Vectors [W, SIZE] as int8 with a scale [SIZE], and the words of their rows."""

    words: dict[str, int]
    vectors: NDArray[np.int8]
    scale: NDArray[np.float32]

    def __repr__(self) -> str:
        return f"WordVectors({len(self.words)} words)"


def vocabulary(texts: Iterable[Marked]) -> list[str]:
    """The words that get a vector: ordinary words of the finder's table, and those of `texts` but rare names."""
    found = {word for word, known in known_words() if known.ordinary >= _ORDINARY and " " not in word}
    counted = Counter(
        vector_key(match[0])
        for text in texts
        for match in WORD.finditer(f"{text.text} {text.question}")
        if match[0][0].isalpha()
    )
    return sorted(found | {word for word, count in counted.items() if count > 1 or not word[0].isupper()})


def of_tagger(network: TagNetwork) -> WordVectors:
    """The vectors that a tagger was made with."""
    return WordVectors(dict(network.words), network.weights["vectors"], network.weights["vectors_scale"])


def word_vectors(
    model: Any, tokenizer: Any, words: list[str], say: Callable[[str], None] = lambda line: None
) -> WordVectors:
    """The vectors of words under a causal language model; the mean is taken off, and each state has length 1 before.

    Args:
        model: with more than `LAYER` decoder layers; those behind are cut off.
        words: each a row.
    """
    decoder = model.get_decoder()
    decoder.layers = decoder.layers[: LAYER + 1]  # the others say nothing of this one
    begin = text_ids(tokenizer, "The")
    ids = [list(tokenizer(f" {word}", add_special_tokens=False)["input_ids"])[:MOST_TOKENS] for word in words]
    order = sorted(range(len(words)), key=lambda place: len(ids[place]))
    states = np.zeros((len(words), model.config.get_text_config().hidden_size), np.float32)
    for first in range(0, len(order), BATCH):
        rows = order[first : first + BATCH]
        width = max(len(ids[row]) for row in rows)
        batch = torch.zeros(len(rows), len(begin) + width, dtype=torch.long)
        for place, row in enumerate(rows):
            batch[place, : len(begin) + len(ids[row])] = torch.tensor([*begin, *ids[row]])
        with torch.inference_mode():
            hidden = model(input_ids=batch, output_hidden_states=True, use_cache=False, logits_to_keep=1).hidden_states
        last = torch.tensor([len(begin) + len(ids[row]) - 1 for row in rows])
        states[rows] = hidden[LAYER][torch.arange(len(rows)), last].float().numpy()
        if first % (20 * BATCH) == 0:
            say(f"{first + len(rows)} of {len(words)} words")
    states -= states.mean(0)
    states /= np.linalg.norm(states, axis=1, keepdims=True) + 1e-6
    _, _, axes = np.linalg.svd(states[:: max(1, len(states) // 8000)], full_matrices=False)
    kept = states @ axes[:SIZE].T
    kept /= kept.std(0)
    scale = (np.abs(kept).max(0) / 127).astype(np.float32)
    return WordVectors({word: row for row, word in enumerate(words)}, np.round(kept / scale).astype(np.int8), scale)
