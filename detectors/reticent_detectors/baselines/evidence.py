"""Defines the evidence that baselines need of a span: numbers and states, but no values.

All names begin with `baseline_`, so that training a detector leaves them out. Below, T is `max_tokens`, L the host's
number of layers, d its width and N the number of samples. Arrays are padded with 0.

| array | shape | content |
|---|---|---|
| `logprob` | [T] | log-probability of each token of the span, in nats, at temperature 1 |
| `mean`, `deviation` | [T] | of log p(z), where z is drawn from p, the host's distribution at that place |
| `control` | [T] | as `logprob`, by the control; only with a control |
| `relevance` | [T] | how much the span's meaning depends on the token; see `sar` |
| `zlib` | [1] | bytes of the span's text after zlib |
| `rank` | [L] | rank of the first token in the lens of each layer; 0 is the likeliest |
| `activation` | [L, width] | output of each layer's activation function at the first token's predictive position |
| `state_<layer>` | [`state_tokens`, d] | states at the span's own tokens, evenly spread, with the first and the last |
| `drawn` | [1] | 1 if the expensive evidence below was gathered; else 0, and that evidence is 0 |
| `gradient` | [3] | norms of the loss's gradient; see `gradient_norm` |
| `agreement` | [N] | similarity of the value in each sample; see `self_check` |
| `token_sar`, `similarity` | [N + 1], [N + 1, N + 1] | of the span and of the samples' values; see `sar` |

Hidden states are personal data, because texts can be guessed from them. Their number is bounded here. They stay in the
collection's folder and are deleted with it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.errors import InputError

PREFIX = "baseline_"
STATE = f"{PREFIX}state_"
ACTIVATION = f"{PREFIX}activation"

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class EvidenceSpec:
    """The amount of evidence. A span takes 2 (`state_layers` `state_tokens` d + L `neurons`) bytes before compression.

    `drawn` is the share of prompts whose values are also sampled and differentiated, a random subset of the prompts. On
    the training side it draws only people who are held out from training.
    """

    max_tokens: int = 32
    state_tokens: int = 16
    state_layers: int = 4
    neurons: int = 512
    drawn: float = 0.05
    samples: int = 10

    def __post_init__(self) -> None:
        if min(self.max_tokens, self.state_tokens, self.state_layers, self.neurons, self.samples) < 1:
            raise InputError("Tokens, layers, neurons and samples of the evidence must be at least 1 each.")
        if not 0 <= self.drawn <= 1:
            raise InputError(f"drawn must be a share between 0 and 1, got {self.drawn}.")

    def row_bytes(self, layers: int, width: int) -> int:
        """Returns the bytes of one span's states and activations before compression, for this depth and width."""
        return 2 * (min(self.state_layers, layers) * self.state_tokens * width + layers * self.neurons)

    def layers(self, count: int) -> tuple[int, ...]:
        """Returns the layers, of `count`, whose states are kept: evenly spread, with the last one."""
        kept = min(self.state_layers, count)
        return tuple(-(-(i + 1) * count // kept) - 1 for i in range(kept))

    def places(self, tokens: int) -> NDArray[np.int64]:
        """Returns the tokens of a span whose states are kept: all, or evenly spread from the first to the last."""
        return np.linspace(0, tokens - 1, min(tokens, self.state_tokens)).round().astype(np.int64)


def padded(values: NDArray[np.floating] | list[float], length: int) -> NDArray[np.float32]:
    """Returns the first `length` values, padded with zeros."""
    out = np.zeros(length, np.float32)
    kept = np.asarray(values, np.float32)[:length]
    out[: len(kept)] = kept
    return out
