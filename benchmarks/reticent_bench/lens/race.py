"""The lens and its rivals at one size: first checked, then timed. What fails its check gets no time."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import Tensor

from reticent_bench.lens.agreement import faults
from reticent_bench.lens.clock import SPENT_MS, Floors, extra_bytes, launch_ms, timed
from reticent_bench.lens.exact import run
from reticent_bench.lens.rivals import Rival
from reticent_bench.report.parts import JsonRow
from reticent_kernels import LensOutput, logit_lens
from reticent_kernels.lens_triton import CublasRoute, Route, Tile, choose_route

CANDIDATES: dict[int, tuple[Route, ...]] = {
    1: (Tile(64, 256, 64, 4, 8, True), Tile(64, 128, 64, 4, 4, True)),
    32: (Tile(64, 256, 64, 4, 8, True), Tile(64, 128, 64, 4, 4, True), Tile(64, 256, 64, 3, 4, True)),
    256: (Tile(128, 256, 64, 4, 8, True), Tile(128, 128, 128, 3, 8, True), Tile(256, 128, 64, 3, 8, True)),
    2048: (Tile(128, 256, 64, 4, 8, True), Tile(128, 256, 64, 3, 8, True), Tile(128, 128, 128, 3, 8, True)),
}
"""What is raced for each bucket of rows beside `CUBLAS_ROUTES`; the first is what is shipped."""
CUBLAS_ROUTES = (CublasRoute(1 << 22), CublasRoute(1 << 23), CublasRoute(1 << 25))


class Inputs(NamedTuple):
    """One call's tensors."""

    hidden: Tensor
    weights: Tensor
    chosen: Tensor
    k: int

    @property
    def rows(self) -> int:
        return len(self.hidden)


def draw(rows: int, size: int, d: int, k: int, device: torch.device, dtype: torch.dtype = torch.bfloat16) -> Inputs:
    """States and weights whose logits have a standard deviation of 3."""
    torch.manual_seed(rows + size)
    hidden = torch.randn(rows, d, device=device).to(dtype)
    weights = torch.empty(size, d, dtype=dtype, device=device)
    for part in weights.split(1 << 14):
        part.copy_(torch.randn(part.shape, device=device) * (3 / d**0.5))
    return Inputs(hidden, weights, torch.randint(size, (rows,), device=device), k)


def name_of(route: Route) -> str:
    """A route in words."""
    if isinstance(route, CublasRoute):
        return f"library in chunks of {route.logits / 2**20:g} Mi logits"
    return f"tiles {route.rows} x {route.ids} x {route.width}, {route.stages} stages, {route.warps} warps"


def row(
    name: str,
    given: Inputs,
    call: Callable[[], LensOutput | Tensor],
    floors: Floors,
    *,
    refused: Sequence[str] = (),
    rounded: bool = False,
    asked: dict[str, Any] | None = None,
    spent_ms: float = SPENT_MS,
    capture: bool = True,
) -> JsonRow:
    """One line of the speed tables.

    `refused` says why a way is not timed, whatever it makes of these inputs. `capture` says whether it is timed in a
    CUDA graph.
    """
    device = given.hidden.device
    (rows, d), size = given.hidden.shape, len(given.weights)
    made: JsonRow = {"way": name, "R": rows, "V": size, "d": d, "faults": list(refused)}
    try:
        if not refused:
            made["faults"], made["worst error"] = check(call(), given, asked or {}, rounded)
        if made["faults"]:
            return made
        floor = floors.ms(rows, size, d, given.weights.element_size())
        for cold in (True, False):
            made["cold" if cold else "warm"] = timed(call, device, cold, spent_ms, capture)._asdict()
        made["floor ms"], made["share of floor"] = floor, floor / made["cold"]["median"]
        made["extra bytes"], made["launch ms"] = extra_bytes(call, device), launch_ms(call, device)
    except Exception as error:  # a rival's failure is its line in the table
        made["faults"] = [f"raised {type(error).__name__}"]
    finally:
        gc.collect()
        if device.type == "cuda":
            torch.cuda.empty_cache()
    return made


def check(
    output: LensOutput | Tensor, given: Inputs, asked: dict[str, Any], rounded: bool = False
) -> tuple[list[str], float]:
    """What is wrong with a lens, or with the losses of a cross-entropy, and its largest error."""
    hidden, weights, chosen, _ = given
    if isinstance(output, LensOutput):
        slack = torch.finfo(weights.dtype).eps if rounded else 0.0
        return faults(output, hidden, weights, slack=slack, **asked)
    wanted = logit_lens(hidden, weights, 1, chosen=chosen, impl="torch")
    assert wanted.chosen_logit is not None
    error = float((output.float() - (wanted.logsumexp - wanted.chosen_logit)).abs().max())
    return ([] if error <= 0.05 else ["loss"]), error


def ours(
    given: Inputs, everything: bool, route: Route | None = None
) -> tuple[Callable[[], LensOutput], dict[str, Any]]:
    """A call of the lens, bare or with all that may be asked for, and its options."""
    asked: dict[str, Any] = {"chosen": given.chosen, "entropy": True} if everything else {}
    if route is None and given.hidden.is_cuda:
        return partial(logit_lens, given.hidden, given.weights, given.k, impl="triton", **asked), asked
    return (lambda: run(given.hidden, given.weights, given.k, route, **asked).output), asked


def shipped(given: Inputs, floors: Floors, bad: frozenset[Route], spent_ms: float) -> list[JsonRow]:
    """The lens as it is called, bare and with everything."""
    made = []
    for everything in (False, True):
        call, asked = ours(given, everything)
        refused = ["exactness"] if choose_route(given.hidden, given.weights, everything) in bad else []
        name = "the lens, with rank and entropy" if everything else "the lens"
        made.append(row(name, given, call, floors, refused=refused, asked=asked, spent_ms=spent_ms))
    return made


def against(rivals: Sequence[Rival], given: Inputs, floors: Floors, spent_ms: float) -> list[JsonRow]:
    """The rivals on the same inputs."""
    return [
        row(
            rival.name, given, partial(rival.call, *given), floors,
            rounded=rival.rounded, spent_ms=spent_ms, capture=not rival.part,
        )
        for rival in rivals
    ]  # fmt: skip


def routes(
    given: Inputs, candidates: Sequence[Route], floors: Floors, bad: frozenset[Route], ms: float
) -> list[JsonRow]:
    """Candidates for the table of routes, on a bare call and on one with everything."""
    made = []
    cublas_is_bad = any(isinstance(route, CublasRoute) for route in bad)
    for route in candidates:
        for everything in (False, True):
            call, asked = ours(given, everything, route)
            wrong = route in bad or (cublas_is_bad and isinstance(route, CublasRoute))
            refused = ["exactness"] if wrong else []
            entry = row(name_of(route), given, call, floors, refused=refused, asked=asked, spent_ms=ms)
            made.append(entry | {"entropy": everything})
    return made
