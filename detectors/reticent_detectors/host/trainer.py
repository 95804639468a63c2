"""One step of training, and everything that has to be kept for a run to go on where it stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from reticent_detectors.host.architectures import final_logits
from reticent_detectors.host.corpus import Block
from reticent_detectors.long_runs.save_timer import Clock, SaveTimer

SHAPES = 128
"""Places are learned in multiples of this: for each shape of a product oneDNN keeps buffers, as large as the head."""
Progress = Callable[[str, int, int, float], None]
"""Called after every step with phase, step, steps and loss."""


def quiet(phase: str, step: int, steps: int, loss: float) -> None:
    """Shows no progress."""


class Trainer:
    """Model, optimisers and their rates; all of it can be saved and restored.

    Matrices are trained with Muon, embeddings, norms and biases with AdamW. A model with adapters trains these alone, with AdamW;
    one of any architecture trains all weights with AdamW.

    Args:
        model: a causal language model, or a PEFT model around one.
        rate: learning rate of the matrices, of the adapters, or of all weights.
        embedding_rate: learning rate of all else, where Muon trains the matrices.
        device: a torch device.
        any_architecture: runs the model's own forward pass, and asks of its architecture nothing but an output layer.
        clock: seconds, for when to save.
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
        self.model, self.device, self._any, self._clock = model, torch.device(device), any_architecture, clock
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
        """One step at `scale` times the learning rates; the weighted loss, in nats a token."""
        for optimizer, rate in zip(self.optimizers, self.rates, strict=True):
            for group in optimizer.param_groups:
                group["lr"] = rate * scale
        ids = torch.from_numpy(block.ids).to(self.device)
        weights = torch.from_numpy(block.weights).to(self.device)[:, 1:].reshape(-1)
        targets = ids[:, 1:].reshape(-1)
        with torch.autocast(self.device.type, dtype=torch.bfloat16):
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
        """Logits [k, V], float32, of the k places of ids [R, N] that are marked among the first N - 1 of all rows [R (N - 1)]."""
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
        """Trains `steps` steps, or what is left of them according to the checkpoint `part`.

        The checkpoint is written at the end, and before so often that an interruption loses at most five minutes of work.

        Args:
            block, scale: batch and share of the learning rate, by step.
            position, restore: where the text stands, if `block` alone does not say it.
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
        """Trained weights, optimisers and the random state (for dropout)."""
        trained = {n for n, p in self.model.named_parameters() if p.requires_grad}
        weights = self.model.state_dict()
        if self._causal is not self.model:
            weights = {n: w for n, w in weights.items() if n in trained}
        return {
            "model": weights, "optimizers": [o.state_dict() for o in self.optimizers], "random": torch.get_rng_state(),
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Goes on where `state` was taken."""
        self.model.load_state_dict(state["model"], strict=self._causal is self.model)
        for optimizer, saved in zip(self.optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(saved)
        torch.set_rng_state(state["random"].cpu())


def _in_steps(learned: torch.Tensor) -> torch.Tensor:
    """The marks [N], with the first unmarked places marked, too, so that their number is a multiple of `SHAPES`, or all are."""
    more = -int(learned.sum()) % SHAPES
    return learned | (~learned & ((~learned).cumsum(0) <= more))


@contextmanager
def _head_reads(causal: Any, learned: torch.Tensor) -> Iterator[None]:
    """Has the model's output layer see only the places [R (N - 1)] that are learned, as one row [1, k, d].

    Logits of a large vocabulary are most of what a step costs. The model itself scales and caps what comes out.
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
    """How many steps the checkpoint `part` holds; 0 if there is none."""
    return int(torch.load(part, weights_only=True, map_location="cpu", mmap=True)["step"]) if part.exists() else 0


def save(path: Path, payload: dict[str, Any]) -> None:
    """Writes a checkpoint, whole or not at all."""
    temporary = path.with_suffix(".tmp")
    torch.save(payload, temporary)
    temporary.replace(path)
