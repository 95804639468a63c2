"""Tuning a model with and without differential privacy (DP-SGD with AdamW).

Each step takes every training text with the same probability (Poisson sampling), as the accountants assume. Shuffled
batches would need another accountant. Both arms sample alike; without privacy nothing is clipped and no noise is added.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from reticent_bench.audits.tuning.objectives import CAUSAL, Batch, Objective, cut
from reticent_bench.audits.tuning.per_sample import Route, choose_route, clipped_sum, trained_parameters
from reticent_detectors.host.trainer import save
from reticent_detectors.long_runs.save_timer import SaveTimer

Examples = Sequence[Any]
"""What is learned of each training text, in the form of an objective: token ids, with a label or in pairs."""
Progress = Callable[[int, int, float], None]
"""Called after each step with steps done, all steps, and the mean loss in nats a token or a label."""


def quiet(step: int, steps: int, loss: float) -> None:
    """Shows no progress."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Steps of a run.

    Attributes:
        texts: training texts.
        batch: expected texts of a step.
        epochs: expected passes.
        rate: learning rate at the first step; it falls linearly to 0.
        seed: of sampling and noise.
        rows_at_once: texts whose gradients are in memory together.
    """

    texts: int
    batch: int
    epochs: int
    rate: float
    seed: int = 0
    rows_at_once: int = 16

    @property
    def sample_rate(self) -> float:
        """Probability with which each text is in a step."""
        return min(1.0, self.batch / self.texts)

    @property
    def steps(self) -> int:
        """So many steps that each text is expected `epochs` times."""
        return math.ceil(self.epochs / self.sample_rate - 1e-9)


@dataclass(frozen=True, slots=True)
class Noise:
    """How gradients are made private: clipped to the norm `clip`, with noise of `multiplier * clip` on their sum."""

    clip: float
    multiplier: float


def sampled(schedule: Schedule, step: int) -> NDArray[np.int64]:
    """Indices of the texts of a step: each is drawn by itself with the sampling rate."""
    draws = np.random.default_rng([schedule.seed, 1, step]).random(schedule.texts)
    return np.flatnonzero(draws < schedule.sample_rate)


def noise_like(trained: dict[str, Tensor], deviation: float, seed: Sequence[int]) -> dict[str, Tensor]:
    """Independent Gaussian noise of a standard deviation for each parameter, drawn on the CPU in the order of names."""
    generator = torch.Generator().manual_seed(int(np.random.SeedSequence(list(seed)).generate_state(1, np.uint64)[0]))
    return {
        name: (deviation * torch.randn(trained[name].shape, generator=generator)).to(trained[name])
        for name in sorted(trained)
    }


def tune(
    model: Any,
    examples: Examples,
    schedule: Schedule,
    noise: Noise | None,
    checkpoint: Path,
    *,
    objective: Objective = CAUSAL,
    progress: Progress = quiet,
    timer: SaveTimer | None = None,
    route: Route | None = None,
) -> Route:
    """Trains the trainable parameters of a model in place; an interrupted call continues at its last checkpoint.

    Args:
        model: in evaluation mode, with the trainable parameters chosen.
        examples: of each training text; token ids are at least two.
        schedule: steps, rate and sampling.
        noise: None trains without privacy.
        checkpoint: file of the state of an interrupted run; it is left to the caller to remove it.
        objective: what is learned from an example.
        progress: is called after each step.
        timer: says when to save; about every five minutes if not given.
        route: see `clipped_sum`; tried out if not given.

    Returns:
        The route of single gradients.
    """
    names = [name for name, each in model.named_parameters() if each.requires_grad]
    own = dict(model.named_parameters())
    optimizer = torch.optim.AdamW([own[name] for name in names], lr=schedule.rate, weight_decay=0.0)
    first = 0
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True, map_location=model.device)
        with torch.no_grad():
            for name in names:
                own[name].copy_(state["trained"][name])
        optimizer.load_state_dict(state["optimizer"])
        first = state["step"]
    if noise is not None and route is None:
        route = choose_route(model, objective.batch([examples[0]] * 2, model.device), objective)
    timer = timer or SaveTimer()
    for step in range(first, schedule.steps):
        found, loss = gradient(model, examples, schedule, noise, step, route or "loop", objective)
        for name in names:
            own[name].grad = found[name]
        for group in optimizer.param_groups:
            group["lr"] = schedule.rate * (1 - step / schedule.steps)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        progress(step + 1, schedule.steps, loss)
        if timer.due() and step + 1 < schedule.steps:
            trained = trained_parameters(model)
            save(checkpoint, {"trained": trained, "optimizer": optimizer.state_dict(), "step": step + 1})
    return route or "loop"


def gradient(
    model: Any,
    examples: Examples,
    schedule: Schedule,
    noise: Noise | None,
    step: int,
    route: Route,
    objective: Objective = CAUSAL,
) -> tuple[dict[str, Tensor], float]:
    """The gradient of a step by parameter, over the expected batch, and the mean loss of its texts."""
    trained = trained_parameters(model)
    total = {name: torch.zeros_like(each) for name, each in trained.items()}
    places = sorted(sampled(schedule, step).tolist(), key=lambda place: (objective.length(examples[place]), place))
    chosen = [examples[place] for place in places]
    losses = 0.0
    parts = cut(chosen, schedule.rows_at_once) if noise is None else objective.parts(chosen, schedule.rows_at_once)
    for rows in parts:
        batch = objective.batch(rows, model.device)
        if noise is None:
            part, loss = plain_sum(model, batch, objective)
        else:
            clipped = clipped_sum(model, trained, batch, noise.clip, route, objective)
            part, loss = clipped.total, float(clipped.losses.sum())
        losses += loss
        for name, each in part.items():
            total[name] += each
    if noise is not None:
        drawn = noise_like(trained, noise.multiplier * noise.clip, [schedule.seed, 2, step])
        total = {name: each + drawn[name] for name, each in total.items()}
    expected = schedule.sample_rate * schedule.texts
    return {name: each / expected for name, each in total.items()}, losses / max(1, len(chosen))


def plain_sum(model: Any, batch: Batch, objective: Objective = CAUSAL) -> tuple[dict[str, Tensor], float]:
    """The sum of the gradients of the texts' mean losses, and of the losses."""
    loss = objective.losses(model, batch).sum()
    named = [(name, own) for name, own in model.named_parameters() if own.requires_grad]
    gradients = torch.autograd.grad(loss, [own for _, own in named])
    return {name: found for (name, _), found in zip(named, gradients, strict=True)}, float(loss.detach())
