"""Derives detector inputs from a span's features and its kind, without reading the host again.

- `token_logprob` [S, 2, 3]: the emitted tokens' log-probability and margin over the best other token, each as (least,
  mean, most) over the span. A server's `logprobs` with two or more alternatives give both. For a host whose states are
  read, they are the last layer's rows of `pooled`. The lens of the last layer is the host's own output, which is
  checked when the guard is attached.
- `length` [S, 1]: number of tokens of the span.
- `base_logprob` [S, 4]: 1 if the base was asked, then the tokens' log-probability under it as (least, mean, most). The
  base is the model before it was taught private records. Without a base all four are 0.
- `entity` [S, E]: the kind of data, one-hot in the bundle's order. A kind that the bundle does not know is all zeros.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.errors import InputError

FLOOR = -100.0
LOG_PROBABILITY, MARGIN = 0, 2
"""Indices of these numbers among a token's four in `pooled`."""
OF_A_SERVER = frozenset({"token_prob", "token_logprob", "length", "base_logprob", "entity"})
"""Inputs that a server's log-probabilities give. Without a base, those of the base are 0."""
OF_THE_OUTPUT = OF_A_SERVER | {"renamed"}
"""Inputs that need no inner layer."""
BASE = "base_logprob"
BASE_SHAPE = (4,)


def reads_inner(wanted: Collection[str]) -> bool:
    """Whether a detector with these inputs needs the states of layers below the last."""
    return not OF_THE_OUTPUT.issuperset(wanted)


def derive(
    features: Mapping[str, NDArray[Any]], entities: Sequence[str] | NDArray[Any], order: Sequence[str]
) -> dict[str, NDArray[Any]]:
    """Adds `entity` to `features`, and `token_logprob` if they hold `pooled`.

    Args:
        features: arrays [S, ...] of S spans.
        entities: the kind of each span.
        order: kinds in the order of the one-hot input.
    """
    out = dict(features)
    if "pooled" in out and "token_logprob" not in out:
        out["token_logprob"] = np.asarray(out["pooled"])[:, -1, [LOG_PROBABILITY, MARGIN]]
    place = {name: index for index, name in enumerate(order)}
    hot = np.zeros((len(entities), len(order)), np.float32)
    for row, entity in enumerate(entities):
        if (index := place.get(str(entity))) is not None:
            hot[row, index] = 1.0
    out["entity"] = hot
    return out


def base_features(log_probabilities: Sequence[Sequence[float]]) -> NDArray[np.float32]:
    """Returns `base_logprob` [S, 4] of S spans from their tokens' log-probabilities under the base, in nats.

    An empty sequence means that the base was not asked.
    """
    out = np.zeros((len(log_probabilities), *BASE_SHAPE), np.float32)
    for row, own in zip(out, log_probabilities, strict=True):
        if len(own):
            cut = np.asarray(own, np.float64).clip(FLOOR, 0.0)
            row[:] = 1.0, cut.min(), cut.mean(), cut.max()
    return out


def logprob_features(logprobs: Sequence[float], best_others: Sequence[float]) -> dict[str, NDArray[np.float32]]:
    """Returns the features [1, ...] of one span of a black-box host: `token_prob`, `token_logprob`, `length`.

    It adds `base_logprob` of a base that was not asked.

    Args:
        logprobs: log-probability of each of the span's tokens, raw (temperature 1), in nats.
        best_others: log-probability of the likeliest other token at each place; `-inf` if none is known.

    Raises:
        InputError: no token, different lengths, or a number that is no log-probability.
    """
    own, other = np.asarray(logprobs, np.float64), np.asarray(best_others, np.float64)
    if own.ndim != 1 or own.shape != other.shape or not len(own):
        raise InputError(f"A span needs as many log-probabilities as rivals, got {own.shape} and {other.shape}.")
    if np.isnan(own).any() or np.isnan(other).any() or own.max() > 1e-3 or other.max() > 1e-3:
        raise InputError("Log-probabilities must be at most 0; ask the server for natural logarithms of raw ones.")
    own, other = own.clip(FLOOR, 0.0), other.clip(FLOOR, 0.0)
    probability = np.exp(own)
    rows = np.stack([own, (own - other).clip(FLOOR, -FLOOR)])
    return {
        "token_prob": np.array([[probability.min(), probability.max(), probability.mean()]], np.float32),
        "token_logprob": np.stack([rows.min(1), rows.mean(1), rows.max(1)], 1)[None].astype(np.float32),
        "length": np.array([[len(own)]], np.float32),
        "base_logprob": base_features([()]),
    }
