"""Reads inner layers at relative depths, so that models with different numbers of layers give the same numbers.

No number depends on the width of a model. Ranks and entropies are divided by those of a uniform guess over the
vocabulary. Statistics of all tokens of a value are their mean and their worst. Those of the first token alone are of
the best tokens, whose ids a collection does not keep.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.detector.token_score import SURPRISAL_OFFSET

DEPTHS = (0.25, 0.5, 0.7, 0.8, 0.9, 0.95)
"""Depths as shares of the number of layers. The last layer is left out, because the token score reads it."""
ARRAYS = ("pooled", "topk_prob", "inter", "intra")
"""Arrays of inner layers in a collection."""
OF_A_LAYER = (
    "mean log-surprisal",
    "greatest log-surprisal",
    "mean log-surprisal less the last layer's",
    "mean rank",
    "greatest rank",
    "mean entropy",
    "greatest entropy",
    "first token, best probability",
    "first token, top-k mass",
    "first token, cosine of the best two",
    "first token, mean cosine of neighbouring ranks",
)
OF_A_PAIR = ("first token, cosine of the best of two layers", "first token, mean cosine of equal ranks of two layers")
NAMES = tuple(f"{name} at {depth:g}" for depth in DEPTHS for name in (*OF_A_LAYER, *OF_A_PAIR))
"""Names of the numbers of `inner_statistics`, in their order."""

Numbers = NDArray[np.float64]


def at_depths(values: NDArray[Any], positions: Sequence[float], depths: Sequence[float] = DEPTHS) -> Numbers:
    """Interpolates values [S, L, ...] of layers linearly to relative depths: [S, D, ...].

    Args:
        values: what each layer gives.
        positions: [L], increasing, the relative depth of each layer.
        depths: [D]. A depth outside of the positions gets the value of the nearest.
    """
    weights = np.stack([np.interp(depths, positions, unit) for unit in np.eye(len(positions))], axis=1)
    return np.asarray(np.einsum("dl,sl...->sd...", weights, np.asarray(values, np.float64)), np.float64)


def inner_statistics(features: Mapping[str, NDArray[Any]], vocabulary: int) -> Numbers:
    """Returns the statistics `NAMES` [S, len(NAMES)] of S values.

    Args:
        features: arrays `ARRAYS` of a collection.
        vocabulary: number of tokens of the model.
    """
    of_layers = _of_layers(features, vocabulary)
    equal = np.diagonal(np.asarray(features["inter"], np.float64), axis1=2, axis2=3)
    of_pairs = np.stack([equal[..., 0], equal.mean(-1)], axis=-1)
    layers = of_layers.shape[1]
    depth = np.arange(1, layers + 1) / layers
    both = [at_depths(of_layers, depth.tolist()), at_depths(of_pairs, ((depth[1:] + depth[:-1]) / 2).tolist())]
    return np.concatenate(both, axis=-1).reshape(len(of_layers), -1)


def last_layer_statistics(features: Mapping[str, NDArray[Any]], vocabulary: int) -> Numbers:
    """Returns the statistics `OF_A_LAYER` [S, 11] of the last layer, which is the model's own output.

    Arguments are those of `inner_statistics`.
    """
    return _of_layers(features, vocabulary)[:, -1]


def _of_layers(features: Mapping[str, NDArray[Any]], vocabulary: int) -> Numbers:
    """Returns the statistics `OF_A_LAYER` [S, L, 11] of all layers."""
    pooled, best, intra = (np.asarray(features[name], np.float64) for name in ("pooled", "topk_prob", "intra"))
    log_probability, rank, entropy = pooled[:, :, 0], pooled[:, :, 1], pooled[:, :, 3]
    mean, greatest = _log_surprisal(log_probability[..., 1]), _log_surprisal(log_probability[..., 0])
    return np.stack(
        [
            mean,
            greatest,
            mean - mean[:, -1:],
            *(rank[..., way] / np.log1p(vocabulary) for way in (1, 2)),
            *(entropy[..., way] / np.log(vocabulary) for way in (1, 2)),
            best[..., 0],
            best.sum(-1),
            intra[..., 0],
            intra.mean(-1),
        ],
        axis=-1,
    )


def name_swap_statistics(renamed: NDArray[Any]) -> Numbers:
    """Returns the name-swap figures [S, 12] as signed logarithms; NaN where no other name was read.

    Args:
        renamed: [S, 13] of `name_swap_features`.
    """
    nats = np.asarray(renamed[:, 1:], np.float64)
    return np.where(renamed[:, :1] > 0, np.sign(nats) * np.log1p(np.abs(nats)), np.nan)


def _log_surprisal(log_probability: Numbers) -> Numbers:
    return np.asarray(np.log(np.maximum(-log_probability, 0.0) + SURPRISAL_OFFSET), np.float64)
