"""Keeps the hidden states of a running engine's last tokens, and makes a detector's features of them.

An engine reads the tokens of many requests in one batch. Each row of a layer's output is labelled with its request and
its place in the answer, and the states of the last places of each request are kept. When a value has been found, its
features are computed of these rows. A row that is not there is missing: nothing else is taken for it.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from reticent_detectors.capture import SpanStates
from reticent_detectors.features.features import FeatureSpec, build_features
from reticent_kernels import LensOutput, logit_lens

ROWS = 128
"""Last places of each request whose states are kept. A longer value, or one that was judged later, is unknown."""
ENDED = 64
"""Requests that have ended whose states are kept, as the last value of an answer is judged behind its end."""


class ScheduledRequest(NamedTuple):
    """Tells which rows of a batch are a request's.

    Attributes:
        name: the request's id.
        start, stop: its rows.
        computed: its tokens that were read before.
        prompt: the tokens of its prompt.
    """

    name: str
    start: int
    stop: int
    computed: int
    prompt: int


class KeptRows:
    """Keeps the states behind the last tokens of each answer.

    The state at place t, counted from the answer's first token, is the one that token t was drawn from.

    Args:
        rows: places that are kept of each request.
        ended: requests that have ended and are kept.
    """

    def __init__(self, rows: int = ROWS, ended: int = ENDED) -> None:
        self._rows, self._most_ended = rows, ended
        self._buffers: dict[str, Tensor] = {}
        self._places: dict[str, list[int]] = {}
        self._ended: OrderedDict[str, None] = OrderedDict()
        self._free: list[Tensor] = []
        self.steps = 0
        """Batches that were taken."""

    def __repr__(self) -> str:
        return f"KeptRows(requests={len(self._buffers)}, steps={self.steps})"

    @property
    def names(self) -> tuple[str, ...]:
        """Gives the ids of the requests whose states are kept."""
        return tuple(self._buffers)

    def places(self, name: str) -> list[int]:
        """Gives the places of a request whose states are kept, in order."""
        return sorted(place for place in self._places[name] if place >= 0)

    def take(self, layers: Sequence[Tensor], batch: Iterable[ScheduledRequest]) -> None:
        """Takes the outputs [rows, d] of all layers for a batch. States of prompts are not kept."""
        self.steps += 1
        wanted, rows = [], list[int]()
        for each in batch:
            first = max(each.start, each.start + each.prompt - 1 - each.computed, each.stop - self._rows)
            if first < each.stop:
                wanted.append((each.name, each.computed + first - each.start - each.prompt + 1, each.stop - first))
                rows += range(first, each.stop)
        if not rows:
            return
        index = torch.tensor(rows, device=layers[0].device)
        states = torch.stack([layer.index_select(0, index) for layer in layers], 1)  # [rows, L, d]
        at = 0
        for name, place, count in wanted:
            self._keep(name, place, states[at : at + count])
            at += count

    def _keep(self, name: str, place: int, states: Tensor) -> None:
        """Keeps the states [n, L, d] at `place` and behind it."""
        buffer = self._buffers.get(name)
        if buffer is None:
            buffer = self._free.pop() if self._free else states.new_empty((self._rows, *states.shape[1:]))
            self._buffers[name], self._places[name] = buffer, [-1] * self._rows
        places = range(place, place + len(states))
        slots = [each % self._rows for each in places]
        buffer[slots] = states
        for slot, each in zip(slots, places, strict=True):
            self._places[name][slot] = each

    def end(self, names: Iterable[str]) -> None:
        """Marks requests as ended. The oldest of them are forgotten."""
        self._ended |= {name: None for name in names if name in self._buffers}
        while len(self._ended) > self._most_ended:
            oldest, _ = self._ended.popitem(last=False)
            self._free.append(self._buffers.pop(oldest))
            del self._places[oldest]

    def find(self, answer: str, index: int) -> str | None:
        """Gives the id of the request that writes an answer. None unless there is exactly one.

        Args:
            answer: the id that the client sees, to which vLLM adds a random part.
            index: number of the choice. vLLM writes it before the id where a request has several choices.
        """
        pattern = re.compile(rf"(?:(\d+)_)?{re.escape(answer)}(?:-0)?-[0-9a-f]{{8}}")
        found = [name for name in self._buffers if (match := pattern.fullmatch(name)) and int(match[1] or 0) == index]
        return found[0] if len(found) == 1 else None

    def states(self, name: str, places: Sequence[int]) -> Tensor | None:
        """Gives the states [n, L, d] at these places, or None if one of them is not kept."""
        slots = [place % self._rows for place in places]
        if not places or [self._places[name][slot] for slot in slots] != list(places):
            return None
        return self._buffers[name][slots]


class EngineLens:
    """Projects states through the norm and head of a model in an engine (what `build_features` needs of a host).

    Args:
        norm: the model's last norm.
        head: rows [V, d] of the head.
        embedding: rows [V, d] of the input embedding.
        layers: number of layers.
        scale: factor on the logits.
        softcap: their soft cap, or None.
    """

    def __init__(
        self, norm: nn.Module, head: Tensor, embedding: Tensor, layers: int, scale: float, softcap: float | None
    ) -> None:
        self._norm, self._head, self.input_embedding = norm, head, embedding
        self.num_layers, self.hidden_size, self.vocabulary = layers, int(head.shape[1]), int(head.shape[0])
        self._scale, self._softcap = scale, softcap

    def __repr__(self) -> str:
        return f"EngineLens(layers={self.num_layers}, hidden_size={self.hidden_size}, vocabulary={self.vocabulary})"

    def lens(
        self, hidden: Tensor, k: int, chosen: Tensor | None = None, entropy: bool = False, norm: str = "final"
    ) -> LensOutput:
        """Applies the logit lens to raw residual states [R, d]. `norm="none"` skips the last norm."""
        with torch.no_grad():
            x = self._norm(hidden) if norm == "final" else hidden
            return logit_lens(
                x.to(self._head.dtype),
                self._head,
                k,
                chosen=None if chosen is None else chosen.to(x.device),
                softcap=self._softcap,
                scale=self._scale,
                vocabulary=self.vocabulary,
                entropy=entropy,
            )

    def features(
        self, states: Tensor, ids: Sequence[int], options: Mapping[str, Any], wanted: Collection[str]
    ) -> dict[str, Any]:
        """Makes a detector's features of one value.

        Args:
            states: [T, L, d], those that the value's tokens were drawn from.
            ids: the value's tokens [T].
            options: the bundle's options.
            wanted: names of the detector's inputs.

        Returns:
            `nats`, the log-probabilities [T] of the tokens by the last layer, and `features`: shape and bytes (float32)
            of each array, by name.

        Raises:
            CaptureError: a state is not finite.
            InputError: the shapes do not fit.
        """
        chosen = torch.tensor(list(ids), device=states.device)
        out = self.lens(states[:, -1], 1, chosen)
        assert out.chosen_logit is not None
        nats = out.chosen_logit - out.logsumexp
        span = SpanStates(states, chosen, nats.exp())
        margin = bool(options.get("margin", True))
        built = build_features(self, [span], FeatureSpec.of(options), wanted, margin)  # type: ignore[arg-type]
        return {
            "nats": nats.tolist(),
            "features": {name: [list(array.shape), array.tobytes()] for name, array in built.items()},
        }
