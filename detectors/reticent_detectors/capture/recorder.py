"""Receives what hooks see, and checks that all layers of a forward pass ran in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from torch import Tensor

TINY = 1e-44
"""Smallest probability, about e to the power of -101. Those that float32 cannot hold count as this."""
Positions = Sequence[int] | Tensor
"""Absolute predictive positions: the state at position p predicts token p + 1."""


class SpanStates(NamedTuple):
    """T tokens, each with the states of the position that produced it. Features are computed from this."""

    hidden: Tensor
    """[T, L, d] raw residual states at the predictive positions, in the host's precision.

    [T, K, d] where K of the layers are kept, in order, the last layer among them.
    """
    ids: Tensor
    """[T] emitted token ids."""
    probability: Tensor
    """[T] raw (temperature 1, unprocessed) probability of each emitted token."""

    @property
    def log_probabilities(self) -> list[float]:
        """Log-probabilities [T] of the emitted tokens, in nats."""
        return [float(each) for each in self.probability.cpu().double().clamp_min(TINY).log()]

    def __repr__(self) -> str:
        return f"SpanStates(<{len(self.ids)} tokens>)"  # states and ids are personal data


class Recorder:
    """Receives the outputs of layers and model. Subclasses store the states; this class checks the order of layers.

    A pass must run all `layers`. The states of the `kept` ones, whose indices ascend, are stored under places from 0.
    """

    def __init__(self, layers: int, kept: Sequence[int]) -> None:
        self._layers, self._kept = layers, len(kept)
        self._place = {layer: place for place, layer in enumerate(kept)}
        self._next = 0
        self._fault: str | None = None

    def on_layer(self, index: int, output: Any) -> None:
        if index == 0:
            self._next, self._fault = 0, None
        if index != self._next:
            self._fault = self._fault or f"layer {index} ran where layer {self._next} was expected"
        try:
            if (place := self._place.get(index)) is not None:
                hidden: Tensor = output if isinstance(output, Tensor) else output[0]
                self._store(place, hidden.detach())
        except Exception as error:  # the host must not fail because of its guard; reading the states raises later
            self._fault = self._fault or f"copying layer {index} raised {type(error).__name__}"
        self._next = index + 1

    def on_output(self, output: Any) -> None:
        if self._next != self._layers:
            self._fault = self._fault or f"{self._next} of {self._layers} layers were seen"
        try:
            self._finish(output)
        except Exception as error:
            self._fail(f"reading the model's output raised {type(error).__name__}")
        self._next = 0

    def _store(self, place: int, hidden: Tensor) -> None:
        raise NotImplementedError

    def _finish(self, output: Any) -> None:
        raise NotImplementedError

    def _fail(self, reason: str) -> None:
        raise NotImplementedError
