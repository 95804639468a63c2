"""What embeds the features of the code audit's library: a sentence encoder where there is one, else hashed n-grams."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reticent_bench.audits.code.feature_library import HASHED_N_GRAMS, FeatureEncoder
from reticent_bench.audits.sentence_encoder import SentenceEncoder

SENTENCE_DISTANCE = 0.3
"""Largest cosine distance of neighbours. At that of n-grams nearly all templates would be one cluster."""


def feature_encoder(folder: Path | None) -> FeatureEncoder:
    """The sentence encoder of a folder, or hashed n-grams without one.

    Raises:
        InputError: the folder holds no sentence encoder that takes the mean of its states.
        UnsupportedHost: it cannot be loaded.
    """
    if folder is None:
        return HASHED_N_GRAMS
    encoder = SentenceEncoder.load(folder)

    def encode(texts: Sequence[str]) -> NDArray[np.float64]:
        return encoder.encode(texts).astype(np.float64)

    return FeatureEncoder(f"the encoder {encoder.name}", encode, SENTENCE_DISTANCE)
