"""What the baselines need to know of a span, stored beside the detector's features: numbers and states, no values.

All names begin with `baseline_`, so that whoever trains a detector leaves them out. Below T is `max_tokens`, L the host's number
of layers, d its width and N the number of samples; what a span does not fill is 0.

| array | shape | what |
|---|---|---|
| `logprob` | [T] | log-probability of each token of the span, in nats, at temperature 1 |
| `mean`, `deviation` | [T] | of log p(z) where z is drawn from p, the host's distribution at that place |
| `control` | [T] | as `logprob`, of the control; only if there is one |
| `relevance` | [T] | how much the span's meaning depends on the token; see `sar` |
| `zlib` | [1] | bytes of the span's text after zlib |
| `rank` | [L] | rank of the first token in the lens of each layer, 0 the likeliest |
| `activation` | [L, width] | output of each layer's activation function where the first token was produced |
| `state_<layer>` | [`state_tokens`, d] | states at the span's own tokens, evenly chosen, the first and the last among them |
| `drawn` | [1] | 1 where the dear evidence below was gathered, else 0 and so is the evidence |
| `gradient` | [3] | norms of the loss's gradient; see `gradient_norm` |
| `agreement` | [N] | likeness of the value that each sample gives; see `self_check` |
| `token_sar`, `similarity` | [N + 1], [N + 1, N + 1] | of the span and of the samples' values; see `sar` |

Hidden states are personal data, for texts can be guessed from them. Their number is bounded here, they stay in the collection's
folder, and deleting it deletes them.
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
    """How much is gathered. On disk a span costs 2 (`state_layers` `state_tokens` d + L `neurons`) bytes before compression.

    `drawn` is the share of prompts whose values are also sampled and differentiated, a random subset by prompt; of the training
    side only people held out from training are drawn.
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
        """Bytes of the states and activations of one span, before compression, of a host of that depth and width."""
        return 2 * (min(self.state_layers, layers) * self.state_tokens * width + layers * self.neurons)

    def layers(self, count: int) -> tuple[int, ...]:
        """Which of a host's layers keep their states: evenly spread, the last among them."""
        kept = min(self.state_layers, count)
        return tuple(-(-(i + 1) * count // kept) - 1 for i in range(kept))

    def places(self, tokens: int) -> NDArray[np.int64]:
        """Which of a span's tokens keep their states: all, or evenly spread from the first to the last."""
        return np.linspace(0, tokens - 1, min(tokens, self.state_tokens)).round().astype(np.int64)


def padded(values: NDArray[np.floating] | list[float], length: int) -> NDArray[np.float32]:
    """The first `length` values, followed by zeros."""
    out = np.zeros(length, np.float32)
    kept = np.asarray(values, np.float32)[:length]
    out[: len(kept)] = kept
    return out
