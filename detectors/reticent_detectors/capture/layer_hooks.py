"""Hooks the decoder layers and passes their hidden states to a recorder that belongs to the call, not to the model.

Hooks are registered once and do nothing unless a recorder is bound to the current context. Threads and tasks have
contexts of their own, so two may generate at once with one model. A hook never raises and never changes an output. If
it cannot capture a state, the recorder raises CaptureError when that state is read.

Works in eager mode, and when `generate` compiles the model by itself (`capture.compiled`).

Not covered, but noticed: models compiled in another way, whose hooks stay silent, and a forward pass in another thread
than the `with` block. Not covered and not noticed: hooks that others register later and that change a layer's output.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol, TypeVar

import torch
from torch import Tensor, nn
from transformers import DynamicCache

from reticent_detectors.capture.compiled import CompiledSteps
from reticent_detectors.capture.reading import Reading
from reticent_detectors.capture.recorder import Positions, Recorder, SpanStates
from reticent_detectors.capture.ring import Ring
from reticent_detectors.errors import InputError

_BOUND: ContextVar[tuple[Taps, Recorder] | None] = ContextVar("reticent_bound_recorder", default=None)
_R = TypeVar("_R", Ring, Reading)


class TappedHost(Protocol):
    """What the hooks, and those who read by them, need of a host. `HostAdapter` has it."""

    @property
    def model(self) -> Any:
        """The module whose output holds the logits."""

    @property
    def layers(self) -> Sequence[nn.Module]:
        """The decoder layers, in order."""

    @property
    def num_layers(self) -> int: ...

    @property
    def vocabulary(self) -> int:
        """Number of tokens."""

    @property
    def device(self) -> torch.device:
        """The device that takes the token ids."""

    @property
    def input_embedding(self) -> Tensor:
        """[V, d]"""


class Taps:
    """Forward hooks on every decoder layer and on the model itself; see the module's text.

    Args:
        adapter: the host.
        inner: keeps the states of all layers; False keeps those of the last and of `others` alone, for detectors that
            read no inner ones. The order of all layers is checked either way.
        others: indices of layers that somebody else reads.
    """

    def __init__(self, adapter: TappedHost, inner: bool = True, others: Collection[int] = ()) -> None:
        self.adapter = adapter
        last = adapter.num_layers - 1
        self.kept = tuple(range(adapter.num_layers)) if inner else tuple(sorted({*others, last}))
        """Indices of the layers whose states are kept. They ascend, and the last layer is among them."""
        takes = inspect.signature(adapter.model.forward).parameters
        self._takes_columns, self._takes_positions = "logits_to_keep" in takes, "position_ids" in takes
        self._steps = CompiledSteps(adapter.model, adapter.num_layers, self.kept, self._ring)
        self._handles = [
            layer.register_forward_hook(self._layer_hook(index)) for index, layer in enumerate(adapter.layers)
        ]
        self._handles.append(adapter.model.register_forward_hook(self._output_hook))

    @property
    def reads_compiled(self) -> bool:
        """Whether `generate` is recorded even if it compiles the model by itself."""
        return self._steps.installed

    def _layer_hook(self, index: int) -> Callable[[nn.Module, Any, Any], None]:
        def hook(module: nn.Module, args: Any, output: Any) -> None:
            if torch.compiler.is_dynamo_compiling() or self._steps.runs_here:
                self._steps.on_layer(index, output)
                return
            bound = _BOUND.get()
            if bound is not None and bound[0] is self:
                bound[1].on_layer(index, output)

        return hook

    def _output_hook(self, module: nn.Module, args: Any, output: Any) -> None:
        if torch.compiler.is_dynamo_compiling() or self._steps.runs_here:
            return
        bound = _BOUND.get()
        if bound is not None and bound[0] is self:
            bound[1].on_output(output)

    def _ring(self) -> Ring | None:
        """Returns the ring that is bound to this context for these taps, or None."""
        bound = _BOUND.get()
        return bound[1] if bound is not None and bound[0] is self and isinstance(bound[1], Ring) else None

    def remove(self) -> None:
        """Removes all hooks. May be called twice."""
        self._steps.remove()
        for handle in self._handles:
            handle.remove()
        self._handles = []

    @contextmanager
    def recording(self, window: int = 256) -> Iterator[Ring]:
        """Binds a fresh Ring to this context, which keeps the last `window` positions of one generation of any batch.

        The forward passes must run in the thread (context) of the `with` block. Its end drops the states.
        """
        with self._bound(Ring(self.adapter.num_layers, window, self.kept)) as ring:
            yield ring

    @contextmanager
    def reading(self, ids: Tensor, gather: Sequence[tuple[int, Positions]] | None = None) -> Iterator[Reading]:
        """Binds a Reading of `ids` [B, N] to this context. The caller runs the one forward pass.

        `gather` names rows and predictive positions to keep. The default is every position of row 0 that has a
        following token.
        """
        if gather is None:
            gather = [(0, range(ids.shape[-1] - 1))]
        with self._bound(Reading(self.adapter.num_layers, ids, gather, self.kept)) as reading:
            yield reading

    def read(
        self, ids: Tensor, attention_mask: Tensor | None, gather: Sequence[tuple[int, Positions]]
    ) -> list[SpanStates]:
        """Re-reads finished sequences in one forward pass. Returns one SpanStates for each entry of `gather`.

        Keeps the asked predictive positions only. The head runs for these alone if the host supports that.

        Args:
            ids: [B, N], padded on the right.
            attention_mask: [B, N], 0 for padding; None: no padding.
            gather: rows and predictive positions.

        Raises:
            InputError: a position is outside, padded, or followed by padding; or the hooks were removed.
            CaptureError: the hooks did not see every layer.
        """
        device = self.adapter.device
        reading = Reading(self.adapter.num_layers, ids, gather, self.kept)
        ids = ids.to(device)
        mask = torch.ones_like(ids) if attention_mask is None else attention_mask.to(device)
        if mask.shape != ids.shape or bool((mask[:, 1:] > mask[:, :-1]).any()):
            raise InputError("attention_mask must have the shape of ids and padding on the right only.")
        real = mask.sum(1).tolist()
        if any(int(p) + 1 >= real[row] for row, positions in gather for p in positions):
            raise InputError("Some of the asked positions are padding, or are followed by padding.")
        options = {"logits_to_keep": reading.columns.to(device)} if self._takes_columns else {}
        with self._bound(reading), torch.no_grad():
            self.adapter.model(input_ids=ids, attention_mask=mask, use_cache=False, return_dict=True, **options)
            return [reading.span(positions, row) for row, positions in gather]

    def likelihoods(
        self,
        ids: Tensor,
        attention_mask: Tensor,
        gather: Sequence[tuple[int, Positions]],
        cache: Any = None,
    ) -> list[Tensor]:
        """Returns the probabilities [T] of the tokens behind the positions of each entry of `gather`; keeps no state.

        The head runs for the asked columns alone if the host supports that.

        Args:
            ids: [B, N], read behind the columns of `cache`.
            attention_mask: [B, columns + N], 1 for tokens, which are adjacent in every row, 0 for padding at both ends.
            gather: rows, and predictive positions in `ids`.
            cache: key-value cache to read on from, if any. The new tokens are added to it.

        Raises:
            InputError: a position is outside, padded, or followed by padding; or the hooks were removed.
            CaptureError: the hooks did not see every layer.
        """
        device, first = self.adapter.device, attention_mask.shape[1] - ids.shape[1]
        reading = Reading(self.adapter.num_layers, ids, gather, kept=())
        padded = attention_mask[:, first:] == 0
        if any(padded[row, int(p) + step] for row, positions in gather for p in positions for step in (0, 1)):
            raise InputError("Some of the asked positions are padding, or are followed by padding.")
        mask = attention_mask.to(device)
        options: dict[str, Any] = {"logits_to_keep": reading.columns.to(device)} if self._takes_columns else {}
        if cache is not None:
            options |= {"past_key_values": cache}
        if cache is not None and self._takes_positions:
            options["position_ids"] = (mask.cumsum(1) - 1).clamp(min=0)[:, first:]
        with self._bound(reading), torch.no_grad():
            self.adapter.model(
                input_ids=ids.to(device),
                attention_mask=mask,
                use_cache=cache is not None,
                return_dict=True,
                **options,
            )
            return [reading.probabilities(positions, row) for row, positions in gather]

    def read_beginning(self, ids: Sequence[int]) -> list[tuple[Tensor, Tensor]]:
        """Reads a text of N tokens without a recorder. Returns keys and values [1, heads, N, d] of every layer."""
        cache: Any = DynamicCache()
        given = torch.tensor([list(ids)], device=self.adapter.device)
        options = {"logits_to_keep": 1} if self._takes_columns else {}
        with self.silent(), torch.no_grad():
            self.adapter.model(input_ids=given, past_key_values=cache, use_cache=True, return_dict=True, **options)
        return [(layer.keys, layer.values) for layer in cache.layers]

    def read_on(
        self,
        ids: Tensor,
        attention_mask: Tensor | None,
        cache: Any,
        gather: Sequence[tuple[int, Positions]],
    ) -> list[SpanStates]:
        """Reads on in sequences whose beginnings are cached. Returns one SpanStates for each entry of `gather`.

        Args:
            ids: [B, N], the whole sequences, padded on the left.
            attention_mask: [B, N], 0 for padding; None: no padding.
            cache: key-value cache of the first columns of all rows. It holds all columns afterwards.
            gather: rows and predictive positions, as columns of `ids` behind the cached ones.

        Raises:
            InputError: a position is outside, cached or padded.
            CaptureError: the hooks did not see every layer.
        """
        device, first = self.adapter.device, int(cache.get_seq_length())
        new = ids[:, first:]
        behind = [(row, [int(p) - first for p in positions]) for row, positions in gather]
        reading = Reading(self.adapter.num_layers, new, behind, self.kept)
        mask = torch.ones_like(ids) if attention_mask is None else attention_mask
        if mask.shape != ids.shape or bool((mask[:, 1:] < mask[:, :-1]).any()):
            raise InputError("attention_mask must have the shape of ids and padding on the left only.")
        if any(not mask[row, int(p)] for row, positions in gather for p in positions):
            raise InputError("Some of the asked positions are padding.")
        options = {"logits_to_keep": reading.columns.to(device)} if self._takes_columns else {}
        if self._takes_positions and attention_mask is not None:
            options["position_ids"] = (mask.cumsum(1) - 1).clamp(min=0)[:, first:].to(device)
        with self._bound(reading), torch.no_grad():
            self.adapter.model(
                input_ids=new.to(device),
                attention_mask=mask.to(device),
                past_key_values=cache,
                use_cache=True,
                return_dict=True,
                **options,
            )
            return [reading.span(positions, row) for row, positions in behind]

    @contextmanager
    def silent(self) -> Iterator[None]:
        """Hides forward passes inside the block from all recorders, for look-ups while a generation is recorded."""
        token = _BOUND.set(None)
        try:
            yield
        finally:
            _BOUND.reset(token)

    @contextmanager
    def _bound(self, recorder: _R) -> Iterator[_R]:
        if not self._handles:
            raise InputError(
                "This guarded model is closed: its hooks are off the model. Wrap the model again "
                "(guard.wrap(model, tokenizer)), or close it later."
            )
        token = _BOUND.set((self, recorder))
        try:
            yield recorder
        finally:
            _BOUND.reset(token)
            recorder.close()
