"""What the taps cost for each token and layer, without a host: a ring is fed states as the hooks feed it."""

from __future__ import annotations

import statistics
import time
from types import SimpleNamespace
from typing import Any

import torch

from reticent_bench.report.parts import JsonRow
from reticent_detectors.capture import Ring

STEPS = 200
WINDOW = 256


class _Cache:
    """As much of a key-value cache as a ring asks."""

    length = 0

    def get_seq_length(self) -> int:
        return self.length


def capture(layers: int, hidden: int, batch: int, vocabulary: int, device: torch.device, steps: int = STEPS) -> JsonRow:
    """Microseconds for each token and layer: the copies of the states alone, and all that a step of generation keeps.

    On a GPU the time until Python has handed the work over (`handed over`), and with the work itself (`done`).
    """
    dtype = torch.bfloat16 if device.type == "cuda" else torch.float32
    ring, cache = Ring(layers, WINDOW), _Cache()
    states = [torch.randn(batch, 1, hidden, device=device, dtype=dtype) for _ in range(layers)]
    output: Any = SimpleNamespace(
        past_key_values=cache, logits=torch.randn(batch, 1, vocabulary, device=device, dtype=dtype)
    )
    ids = torch.ones(batch, dtype=torch.long, device=device)
    layer_times, step_times, done = list[float](), list[float](), list[float]()
    for step in range(steps):
        cache.length = step + 1
        _wait(device)
        started = time.perf_counter()
        for index, state in enumerate(states):
            ring.on_layer(index, state)
        seen = time.perf_counter()
        ring.on_output(output)
        emit = ring.emitting(ids)
        handed = time.perf_counter()
        emit()
        _wait(device)
        layer_times.append(seen - started)
        step_times.append(handed - started)
        done.append(time.perf_counter() - started)
    assert torch.equal(ring.states([steps - 1])[0, -1].cpu(), states[-1][0, 0].cpu())
    each = 1e6 / layers

    def quantiles(times: list[float]) -> tuple[float, float, float]:
        low, *_, high = statistics.quantiles(times, n=5, method="inclusive")
        return each * statistics.median(times), each * low, each * high

    return {
        "layers": layers,
        "d": hidden,
        "batch": batch,
        "V": vocabulary,
        "hooks us": quantiles(layer_times),
        "step us, handed over": quantiles(step_times),
        "step us, done": quantiles(done),
    }


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize()
