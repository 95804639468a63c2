"""Taps on hosts that transformers' `generate` compiles by itself, as it does on a GPU with a static cache.

The hooks on the layers are traced with the model, and the states leave the compiled graph as one of its outputs. So
nothing of the graph outlives a step: no buffer is written in place, a CUDA graph may be replayed, and states that come
are those of this very pass. A graph that did not run all layers in order gives none, which the recorder notices.

A model that was compiled in another way keeps its hooks silent; the recorder notices that as well.
"""

from __future__ import annotations

import copy
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from transformers import CompileConfig

from reticent_detectors.capture.ring import Ring

NAME = "get_compiled_call"
Step = Callable[..., tuple[Any, Tensor | None, int]]


def _graphs() -> int:
    """How many graphs torch's compiler has made in this process."""
    compiler = sys.modules.get(
        "torch._dynamo.utils"
    )  # takes a second to import, and is not needed until something is compiled
    return 0 if compiler is None else int(compiler.counters["stats"]["unique_graphs"])


class CompiledSteps:
    """Stands before the `get_compiled_call` of one model, until `remove`. Generations that no ring records get the model's own.

    model: the one whose `generate` asks for a compiled call.
    layers: how many decoder layers have to be seen; the states of the last `kept` go to the ring.
    bound: the ring of the calling context, if there is one.
    """

    def __init__(self, model: Any, layers: int, kept: int, bound: Callable[[], Ring | None]) -> None:
        self._model, self._layers, self._kept, self._bound = model, layers, kept, bound
        self._compiled: tuple[CompileConfig, Step] | None = None
        # A compiled step and what it collects serve one thread at a time.
        self._lock = threading.Lock()
        self._owner: int | None = None
        self._collected: list[tuple[int, Tensor]] | None = None
        self.installed = hasattr(model, "get_compiled_call")
        """Whether `generate` may compile the model and is recorded all the same."""
        if self.installed:
            self._before: Callable[..., Any] | None = model.__dict__.get(NAME)  # another guard's
            model.get_compiled_call = self._choose

    def remove(self) -> None:
        """Gives the model back what it had. Where another guard came later, this one only steps aside. May be called twice."""
        self._bound = lambda: None
        if self._model.__dict__.get(NAME) != self._choose:
            return
        if self._before is None:
            del self._model.__dict__[NAME]
        else:
            self._model.get_compiled_call = self._before

    @property
    def runs_here(self) -> bool:
        """Whether the calling thread is inside a step: where the compiler gives up, the model, or a part of it, runs as it is."""
        return self._owner == threading.get_ident()

    def on_layer(self, index: int, output: Any) -> None:
        """What a layer gave, while the model is traced or a step runs; nothing if it is traced for somebody else."""
        if self._collected is not None:
            self._collected.append((index, output if isinstance(output, Tensor) else output[0]))

    def _choose(self, compile_config: CompileConfig | None) -> Callable[..., Any]:
        before = self._before or getattr(type(self._model), NAME).__get__(self._model)
        theirs: Callable[..., Any] = before(compile_config)
        ring = self._bound()
        if ring is None or theirs == self._model.__call__:  # some architectures are never compiled
            return theirs
        step = self._step(compile_config)

        def call(*args: Any, **kwargs: Any) -> Any:
            with self._lock:
                self._owner, graphs, started = threading.get_ident(), _graphs(), time.monotonic()
                try:
                    output, states, length = step(*args, **kwargs)
                finally:
                    self._owner = None
                if _graphs() > graphs:
                    ring.compiling += time.monotonic() - started
                ring.on_pass(states, length, output)
            return output

        return call

    def _step(self, compile_config: CompileConfig | None) -> Step:
        """The compiled step; as in transformers, compiled anew when it is to be compiled in another way."""
        config = compile_config or getattr(self._model, "_default_compile_config", CompileConfig)()
        with self._lock:
            if self._compiled is None or self._compiled[0] != config:
                self._compiled = config, torch.compile(self._run, **config.to_dict())
            return self._compiled[1]

    def _run(self, *args: Any, **kwargs: Any) -> tuple[Any, Tensor | None, int]:
        """The model's output, the states [kept, B, d] of the last position, and how many there were.

        No states, unless every layer was seen in its turn.
        """
        self._collected = []
        try:
            output = self._model(*args, **kwargs)
            seen = self._collected
        finally:
            self._collected = None
        if [index for index, _ in seen] != list(range(self._layers)):
            return output, None, 1
        kept = [hidden for _, hidden in seen[-self._kept :]]
        states = torch.stack([hidden[:, -1].to(kept[0].device, kept[0].dtype) for hidden in kept])
        return output, states, kept[-1].shape[1]

    def __deepcopy__(self, memo: dict[int, Any]) -> CompiledSteps:
        """A copied model comes without a guard, and with its own method."""
        copied = CompiledSteps(copy.deepcopy(self._model, memo), self._layers, self._kept, lambda: None)
        copied._before = None
        return copied
