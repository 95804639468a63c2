"""Taps hosts that transformers' `generate` compiles by itself, as it does on a GPU with a static cache.

The hooks on the layers are traced with the model, and the states leave the compiled graph as one of its outputs.
So no buffer is written in place, a CUDA graph may be replayed, and the states belong to the same pass. A graph that did
not run all layers in order gives no states, and the recorder notices.

A model that was compiled in another way keeps its hooks silent. The recorder notices that as well.
"""

from __future__ import annotations

import copy
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, cast

import torch
from torch import Tensor
from transformers import CompileConfig

from reticent_detectors.capture.ring import Ring

NAME = "get_compiled_call"
Step = Callable[..., tuple[Any, Tensor | None, int]]


def _graphs() -> int:
    """Returns how many graphs torch's compiler made in this process.

    Does not import the compiler, which takes a second.
    """
    compiler = sys.modules.get("torch._dynamo.utils")
    return 0 if compiler is None else int(compiler.counters["stats"]["unique_graphs"])


class CompiledSteps:
    """Replaces the `get_compiled_call` of one model until `remove`. Generations without a ring get the model's own.

    Args:
        model: the model whose `generate` asks for a compiled call.
        layers: number of decoder layers that a pass must run.
        kept: indices of the layers whose states go to the ring.
        bound: returns the ring of the calling context, or None.
    """

    def __init__(self, model: Any, layers: int, kept: Sequence[int], bound: Callable[[], Ring | None]) -> None:
        self._model, self._layers, self._kept, self._bound = model, layers, kept, bound
        self._compiled: tuple[CompileConfig, Step] | None = None
        self._never: bool | None = None
        """Whether the model's own method returns the model uncompiled, as for some architectures.

        None: not asked yet.
        """
        # A compiled step and its collected states serve one thread at a time.
        self._lock = threading.Lock()
        self._owner: int | None = None
        self._collected: list[tuple[int, Tensor, int]] | None = None
        self._before: Callable[..., Any] | None = model.__dict__.get(NAME)  # another guard's
        self.installed = hasattr(model, NAME)
        """Whether `generate` is recorded even if it compiles the model."""
        if self.installed:
            model.get_compiled_call = self._choose

    def remove(self) -> None:
        """Restores the model's own method, also beneath guards that were attached later. May be called twice."""
        self.installed, self._compiled = False, None
        top = self._model.__dict__.get(NAME)
        if top == self._choose:
            if self._before is None:
                del self._model.__dict__[NAME]
            else:
                self._model.get_compiled_call = self._before
        later = getattr(top, "__self__", None)
        while isinstance(later, CompiledSteps):
            if later._before == self._choose:
                later._before = self._before
            later = getattr(later._before, "__self__", None)

    @property
    def runs_here(self) -> bool:
        """Whether the calling thread is inside a step.

        If the compiler gives up, a part of the model runs uncompiled.
        """
        return self._owner is not None and self._owner == threading.get_ident()

    def on_layer(self, index: int, output: Any) -> None:
        """Collects a layer's output while a step of ours is traced or runs; does nothing otherwise."""
        if self._collected is not None:
            hidden = output if isinstance(output, Tensor) else output[0]
            # A copy, because later operations may write into a layer's output.
            self._collected.append((index, hidden[:, -1].clone(), hidden.shape[1]))

    def _choose(self, compile_config: CompileConfig | None) -> Callable[..., Any]:
        before = self._before or getattr(type(self._model), NAME).__get__(self._model)
        ring = self._bound() if self.installed else None
        if ring is None:
            return cast(Callable[..., Any], before(compile_config))
        if self._never is None:
            self._never = before(compile_config) == self._model.__call__
        if self._never:
            return cast(Callable[..., Any], self._model.__call__)
        step = self._step(compile_config)

        def call(*args: Any, **kwargs: Any) -> Any:
            started = time.monotonic()
            with self._lock:
                begun, graphs = time.monotonic(), _graphs()
                self._owner = threading.get_ident()
                try:
                    output, states, length = step(*args, **kwargs)
                finally:
                    self._owner = None
                ring.compile_seconds += (time.monotonic() if _graphs() > graphs else begun) - started
                ring.on_pass(states, length, output)
            return output

        return call

    def _step(self, compile_config: CompileConfig | None) -> Step:
        """Returns the compiled step. As in transformers, another config compiles it again."""
        config = compile_config or getattr(self._model, "_default_compile_config", CompileConfig)()
        with self._lock:
            if self._compiled is None or self._compiled[0] != config:
                self._compiled = config, torch.compile(self._run, **config.to_dict())
            return self._compiled[1]

    def _run(self, *args: Any, **kwargs: Any) -> tuple[Any, Tensor | None, int]:
        """Returns the model's output, the states [kept, B, d] of the last position, and the number of positions.

        Returns no states unless all layers ran in order.
        """
        self._collected = []
        try:
            output = self._model(*args, **kwargs)
            seen = self._collected
        finally:
            self._collected = None
        if [index for index, _, _ in seen] != list(range(self._layers)):
            return output, None, 1
        kept = [seen[layer][1] for layer in self._kept]
        return output, torch.stack([state.to(kept[0].device, kept[0].dtype) for state in kept]), seen[-1][2]

    def __deepcopy__(self, memo: dict[int, Any]) -> CompiledSteps:
        """Gives a copied model its own method, without a guard."""
        copied = CompiledSteps(copy.deepcopy(self._model, memo), self._layers, self._kept, lambda: None)
        copied._before = None
        return copied
