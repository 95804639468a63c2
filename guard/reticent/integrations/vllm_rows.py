"""Keeps the hidden states of a running engine's last tokens, and makes a detector's features of them.

An engine reads the tokens of many requests in one batch. Each row of a layer's output is labelled with its request and
its place in the answer, and the states of the last places of each request are kept. When a value has been found, its
features are computed of these rows. A row that is not there is missing: nothing else is taken for it.

A question of the guard ends with a value, whose states are kept as if the value were the answer.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor, nn

from reticent_detectors.capture import SpanStates
from reticent_detectors.capture.fingerprint import TOP_IDS
from reticent_detectors.errors import CaptureError
from reticent_detectors.features.features import FeatureSpec, build_features
from reticent_kernels import LensOutput, logit_lens

ROWS = 128
"""Last places of each request whose states are kept. A longer value, or one that was judged later, is unknown."""


class ScheduledRequest(NamedTuple):
    """Tells which rows of a batch are a request's.

    Attributes:
        name: the request's id.
        start, stop: its rows.
        computed: its tokens that were read before.
        prompt: its tokens before the first one whose state is kept: its prompt, without the value of a question.
        asks: whether it is a question.
    """

    name: str
    start: int
    stop: int
    computed: int
    prompt: int
    asks: bool = False


class KeptRows:
    """Keeps the states behind the last tokens of each answer, in memory that is taken once.

    The state at place t, counted from the answer's first token, is the one that token t was drawn from. Where all
    memory is in use, the request that ended first is forgotten. If none has ended, a new one is not kept.

    Args:
        requests: requests that are kept, running and ended.
        rows: places that are kept of each.
        layers: number of layers L.
        width: numbers d of a state.
        dtype, device: of the states.
    """

    def __init__(
        self,
        requests: int,
        rows: int,
        layers: int,
        width: int,
        dtype: torch.dtype = torch.float32,
        device: torch.device | str = "cpu",
    ) -> None:
        self._rows, self._layers = rows, layers
        self._states = torch.empty((requests * rows, layers, width), dtype=dtype, device=device)
        self._free = list(range(requests))[::-1]
        self._first: dict[str, int] = {}  # the first row of each request's memory
        self._places: dict[str, list[int]] = {}
        self._ended = OrderedDict[str, None]()
        self.steps = 0
        """Batches that were taken."""

    def __repr__(self) -> str:
        return f"KeptRows(requests={len(self._first)}, steps={self.steps})"

    @property
    def names(self) -> tuple[str, ...]:
        """Gives the ids of the requests whose states are kept."""
        return tuple(self._first)

    def places(self, name: str) -> list[int]:
        """Gives the places of a request whose states are kept, in order."""
        return sorted(place for place in self._places[name] if place >= 0)

    def take(self, layers: Sequence[Tensor], batch: Sequence[ScheduledRequest]) -> None:
        """Takes the outputs [rows, d] of all layers for a batch. States before a request's first place are not kept.

        Raises:
            CaptureError: the outputs do not hold the rows of the batch. Nothing was kept.
        """
        least = max((each.stop for each in batch), default=0)
        if len(layers) != self._layers or any(len(layer) < least for layer in layers):
            raise CaptureError(
                f"Expected {self._layers} layers with {least} rows, got {[len(each) for each in layers]}."
            )
        self.steps += 1
        taken, kept, marks = list[int](), list[int](), list[tuple[str, int]]()
        for each in batch:
            first = max(each.start, each.start + each.prompt - 1 - each.computed, each.stop - self._rows)
            if first >= each.stop or (own := self._memory(each.name)) is None:
                continue
            place = each.computed + first - each.start - each.prompt + 1
            places = range(place, place + each.stop - first)
            taken += range(first, each.stop)
            kept += [own + at % self._rows for at in places]
            marks += [(each.name, at) for at in places]
        if not taken:
            return
        device = self._states.device
        # One copy to the device, which does not wait for the model.
        index = torch.tensor([taken, kept], pin_memory=device.type == "cuda").to(device, non_blocking=True)
        states = torch.stack([layer.index_select(0, index[0]) for layer in layers], 1)
        self._states.index_copy_(0, index[1], states.to(self._states.dtype))
        for name, at in marks:
            self._places[name][at % self._rows] = at

    def _memory(self, name: str) -> int | None:
        """Gives the first row of a request's memory, or None if there is none for it."""
        if name in self._first:
            return self._first[name]
        if not self._free:
            if not self._ended:
                return None
            self.forget([next(iter(self._ended))])
        self._first[name] = self._free.pop() * self._rows
        self._places[name] = [-1] * self._rows
        return self._first[name]

    def end(self, names: Iterable[str]) -> None:
        """Marks requests as ended, so that their memory may be taken."""
        self._ended |= {name: None for name in names if name in self._first}

    def forget(self, names: Iterable[str]) -> None:
        """Forgets requests, as their states may be wrong, or their memory is needed."""
        for name in names:
            self._ended.pop(name, None)
            if (first := self._first.pop(name, None)) is not None:
                self._free.append(first // self._rows)
                del self._places[name]

    def find(self, answer: str, prompt: int, choice: int, choices: int) -> str | None:
        """Gives the id of the request that writes an answer. None unless there is exactly one.

        Args:
            answer: the id that the client sees, to which vLLM adds a random part.
            prompt: the number of the prompt, which vLLM writes behind the id of a completion.
            choice: the number of the choice, which it writes before the id where there are several.
            choices: number of choices for each prompt.
        """
        before = f"{choice}_" if choices > 1 else ""
        behind = f"-{prompt}" if answer.startswith("cmpl-") else ""
        pattern = re.compile(rf"{before}{re.escape(answer)}{behind}-[0-9a-f]{{8}}")
        found = [name for name in self._first if pattern.fullmatch(name)]
        return found[0] if len(found) == 1 and choice < choices else None

    def states(self, name: str, places: Sequence[int]) -> Tensor | None:
        """Gives the states [n, L, d] at these places, or None if one of them is not kept."""
        slots = [place % self._rows for place in places]
        if not places or [self._places[name][slot] for slot in slots] != list(places):
            return None
        return self._states[[self._first[name] + slot for slot in slots]]


class EngineLens:
    """Projects states through the norm and head of a model in an engine (a `LensHost`).

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
        self._norm, self.head, self.input_embedding = norm, head, embedding
        self.num_layers, self.hidden_size, self.vocabulary = layers, int(head.shape[1]), int(head.shape[0])
        self._scale, self._softcap = scale, softcap

    def __repr__(self) -> str:
        return f"EngineLens(layers={self.num_layers}, hidden_size={self.hidden_size}, vocabulary={self.vocabulary})"

    def lens(
        self,
        hidden: Tensor,
        k: int,
        chosen: Tensor | None = None,
        entropy: bool = False,
        norm: Literal["final", "none"] = "final",
    ) -> LensOutput:
        """Applies the logit lens to raw residual states [R, d]. `norm="none"` skips the last norm."""
        with torch.no_grad():
            x = self._norm(hidden) if norm == "final" else hidden
            return logit_lens(
                x.to(self.head.dtype),
                self.head,
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
            CaptureError: a state is not finite, or an id is none of the vocabulary.
            InputError: the shapes do not fit.
        """
        chosen = self._chosen(states, ids)
        nats = self._last_log_probabilities(states)[torch.arange(len(chosen)), chosen]
        span = SpanStates(states, chosen, nats.exp())
        margin = bool(options.get("margin", True))
        built = build_features(self, [span], FeatureSpec.of(options), wanted, margin)
        return {
            "nats": nats.tolist(),
            "features": {name: [list(array.shape), array.tobytes()] for name, array in built.items()},
        }

    def log_probabilities(self, states: Tensor, ids: Sequence[int]) -> dict[str, list[float]]:
        """Gives how likely a value's tokens are by its states.

        Args:
            states: [T, L, d], those that the tokens are drawn from.
            ids: the tokens [T].

        Returns:
            `nats`, the log-probability of each token, and `rivals`, that of the likeliest other one.

        Raises:
            CaptureError: an id is none of the vocabulary.
        """
        chosen = self._chosen(states, ids)
        nats, place = self._last_log_probabilities(states), torch.arange(len(ids), device=states.device)
        own = nats[place, chosen]
        nats[place, chosen] = -torch.inf
        return {"nats": own.tolist(), "rivals": nats.amax(-1).tolist()}

    def _chosen(self, states: Tensor, ids: Sequence[int]) -> Tensor:
        """Gives ids as a tensor beside the states. A GPU would not survive one that is out of range: CaptureError."""
        if not all(0 <= each < self.vocabulary for each in ids):
            raise CaptureError("An id is none of the vocabulary.")
        return torch.tensor(list(ids), device=states.device)

    def behaviour(self, states: Tensor) -> dict[str, Any]:
        """Gives the norms and the likeliest ids by layer of one place's states [L, d], as `behaviour_print` does."""
        ids = self.lens(states, min(TOP_IDS, self.vocabulary)).topk_id
        return {"norms": states.float().norm(dim=1).tolist(), "top_ids": ids.tolist()}

    def _last_log_probabilities(self, states: Tensor) -> Tensor:
        """Gives the log-probabilities [T, V] of the last layer, in nats, rounded as vLLM rounds its logits."""
        with torch.no_grad():
            x = self._norm(states[:, -1])
            logits = nn.functional.linear(x.to(self.head.dtype), self.head)
            if self._softcap is not None:
                logits = torch.tanh(logits / self._softcap) * self._softcap
            return (logits * self._scale).float().log_softmax(-1)
