"""Trains a model step by step, and saves and restores all state that a run needs to continue."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from reticent_detectors.host.architectures import final_logits
from reticent_detectors.host.corpus import Block
from reticent_detectors.host.devices import torch_device
from reticent_detectors.long_runs.save_timer import Clock, SaveTimer

SHAPES = 128
"""The number of learned positions is a multiple of this, because oneDNN keeps buffers of the head's size per shape."""
Progress = Callable[[str, int, int, float], None]
"""Takes phase, step, steps and loss after every step."""


def quiet(phase: str, step: int, steps: int, loss: float) -> None:
    """Shows no progress."""


class Trainer:
    """A model, its optimisers and their learning rates, which can be saved and restored.

    Muon trains matrices; AdamW trains embeddings, norms and biases. For a model with adapters, AdamW trains the
    adapters alone. With `any_architecture`, AdamW trains all weights.

    Args:
        model: a causal language model, or a PEFT model around one.
        rate: learning rate of the matrices, of the adapters, or of all weights.
        embedding_rate: learning rate of all other weights, if Muon trains the matrices.
        device: a torch device.
        any_architecture: runs the model's own forward pass, so the architecture only needs an output layer.
        clock: time in seconds, which decides when to save.
    """

    def __init__(
        self,
        model: Any,
        rate: float,
        embedding_rate: float,
        device: str,
        any_architecture: bool = False,
        clock: Clock = time.monotonic,
    ) -> None:
        self.model, self.device, self._any, self._clock = model, torch_device(device), any_architecture, clock
        self._causal = model.get_base_model() if hasattr(model, "get_base_model") else model
        torch.nn.Module.to(model, self.device)
        named = [(n, p) for n, p in model.named_parameters() if p.requires_grad]
        if any_architecture or self._causal is not model:
            adam = torch.optim.AdamW((p for _, p in named), lr=rate, weight_decay=0.0)
            self.optimizers: list[torch.optim.Optimizer] = [adam]
            self.rates = [rate]
            return
        matrices = [p for n, p in named if p.ndim == 2 and "embed" not in n and "lm_head" not in n]
        others = [p for n, p in named if p.ndim != 2 or "embed" in n or "lm_head" in n]
        self.optimizers = [
            torch.optim.Muon(matrices, lr=rate, momentum=0.95, weight_decay=0.0),
            torch.optim.AdamW(others, lr=embedding_rate, betas=(0.9, 0.98), weight_decay=0.0),
        ]
        self.rates = [rate, embedding_rate]

    def step(self, block: Block, scale: float) -> float:
        """Trains one step at `scale` times the learning rates. Returns the weighted loss in nats per token."""
        for optimizer, rate in zip(self.optimizers, self.rates, strict=True):
            for group in optimizer.param_groups:
                group["lr"] = rate * scale
        ids = torch.from_numpy(block.ids).to(self.device)
        weights = torch.from_numpy(block.weights).to(self.device)[:, 1:].reshape(-1)
        targets = ids[:, 1:].reshape(-1)
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=_multiplies_bfloat16(self.device)):
            learned = _in_steps(weights > 0)
            logits = self._logits(ids, learned)
        losses = torch.nn.functional.cross_entropy(logits, targets[learned], reduction="none")
        loss = (losses * weights[learned]).sum() / weights.sum()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for optimizer in self.optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        return float(loss.detach())

    def _logits(self, ids: torch.Tensor, learned: torch.Tensor) -> torch.Tensor:
        """Returns the logits [k, V] in float32 at the k positions of ids [R, N] that `learned` [R (N - 1)] marks."""
        if self._any:
            with _head_reads(self._causal, learned):
                logits: torch.Tensor = self._causal(input_ids=ids, use_cache=False).logits
            return logits[0].float()
        hidden = self._causal.model(ids, use_cache=False).last_hidden_state[:, :-1]
        return final_logits(self._causal, hidden.reshape(-1, hidden.shape[-1])[learned])

    def run(
        self,
        phase: str,
        steps: int,
        block: Callable[[int], Block],
        scale: Callable[[int], float],
        part: Path,
        progress: Progress,
        position: Callable[[], dict[str, int]] = dict,
        restore: Callable[[dict[str, int]], None] = lambda position: None,
    ) -> None:
        """Trains `steps` steps, or those that are left after the checkpoint `part`.

        Writes the checkpoint at the end, and often enough that an interruption loses at most five minutes of work.

        Args:
            phase: name of the phase, for `progress`.
            steps: number of steps.
            block, scale: batch and share of the learning rate, by step.
            part: path of the checkpoint.
            progress: takes phase, step, steps and loss.
            position, restore: read and set the position in the text, if `block` has one.
        """
        first = 0
        if part.exists():
            saved = torch.load(part, weights_only=True, map_location=self.device)
            self.restore(saved["trainer"])
            restore(saved["corpus"])
            first = saved["step"]
        self.model.train()
        timer = SaveTimer(self._clock)
        for step in range(first, steps):
            loss = self.step(block(step), scale(step))
            progress(phase, step + 1, steps, loss)
            if timer.due() or step + 1 == steps:
                save(part, {"trainer": self.state(), "corpus": position(), "step": step + 1})

    def state(self) -> dict[str, Any]:
        """Returns the trained weights, the optimisers, and the random state (for dropout)."""
        trained = {n for n, p in self.model.named_parameters() if p.requires_grad}
        weights = self.model.state_dict()
        if self._causal is not self.model:
            weights = {n: w for n, w in weights.items() if n in trained}
        return {
            "model": weights,
            "optimizers": [o.state_dict() for o in self.optimizers],
            "random": torch.get_rng_state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continues from a `state`."""
        self.model.load_state_dict(state["model"], strict=self._causal is self.model)
        for optimizer, saved in zip(self.optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(saved)
        torch.set_rng_state(state["random"].cpu())


def _multiplies_bfloat16(device: torch.device) -> bool:
    """Whether bfloat16 is no slower than float32. On a processor without AVX-512 it took 15 to 50 times as long."""
    return device.type != "cpu" or torch.backends.cpu.get_cpu_capability().startswith("AVX512")


def _in_steps(learned: torch.Tensor) -> torch.Tensor:
    """Marks more of the first positions [N], until their number is a multiple of `SHAPES` or all are marked."""
    more = -int(learned.sum()) % SHAPES
    return learned | (~learned & ((~learned).cumsum(0) <= more))


@contextmanager
def _head_reads(causal: Any, learned: torch.Tensor) -> Iterator[None]:
    """Passes only the learned positions [R (N - 1)] to the model's output layer, as one row [1, k, d].

    Logits of a large vocabulary are the largest cost of a step. The model itself scales and caps them.
    """

    def narrow(module: Any, args: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor]:
        (hidden,) = args
        return (hidden[:, :-1].reshape(-1, hidden.shape[-1])[learned].unsqueeze(0),)

    hook = causal.get_output_embeddings().register_forward_pre_hook(narrow)
    try:
        yield
    finally:
        hook.remove()


def saved_step(part: Path) -> int:
    """Returns the number of steps in the checkpoint `part`; 0 without a checkpoint."""
    return int(torch.load(part, weights_only=True, map_location="cpu", mmap=True)["step"]) if part.exists() else 0


def save(path: Path, payload: dict[str, Any]) -> None:
    """Writes a checkpoint in one step, so that it is never incomplete."""
    temporary = path.with_suffix(".tmp")
    torch.save(payload, temporary)
    temporary.replace(path)
