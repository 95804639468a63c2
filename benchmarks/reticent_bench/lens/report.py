"""The lens on a GPU: exactness, speed beside the floor, and speed beside other libraries. Tables from one run.

The order: first what has to be exact, then time, then the sizes of real vocabularies, which take the times away if
they find the lens wrong. The run stops after its minutes and names what did not fit in.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import torch
import triton

from reticent_bench.lens import race as lens_race
from reticent_bench.lens.agreement import faults, same_bits
from reticent_bench.lens.clock import SPENT_MS, Floors, floors, timed
from reticent_bench.lens.exact import exactness, routes, run
from reticent_bench.lens.parts import PARTS
from reticent_bench.lens.race import CANDIDATES, CUBLAS_ROUTES, Inputs, draw, name_of
from reticent_bench.lens.rivals import Rival, compiled, rivals
from reticent_bench.report.parts import JsonRow, Parts, Save, Say
from reticent_kernels import token_cosines, token_logprob
from reticent_kernels.lens_triton import Route
from reticent_kernels.torch_or_triton import Impl

IMPLS: tuple[Impl, ...] = ("triton", "torch")


@dataclass(frozen=True)
class Sizes:
    """What is measured."""

    rows: tuple[int, ...] = (1, 32, 256, 2048)
    """At which everything is raced."""
    more_rows: tuple[int, ...] = (8, 64, 128, 512, 1024, 4096)
    """At which the lens alone is timed too, for the curve."""
    vocabulary: int = 128_256
    d: int = 4096
    k: int = 16
    grid: tuple[tuple[int, int], ...] = (
        (32_000, 4096), (50_257, 1600), (128_256, 4096), (151_936, 3584), (262_144, 2304),
        (32_003, 1000), (65_537, 2880), (100_003, 4096), (200_019, 8192),
    )  # fmt: skip
    """(V, d) at which the lens is held against float64: real vocabularies, and odd sizes between."""
    square: int = 8192
    """Of the matrix product that gives a floor."""
    compiled: bool = True
    cosines: tuple[int, int, int] = (64, 32, 10)
    """Spans, layers and ranks."""
    step_rows: tuple[int, ...] = (1, 8, 32)
    """Rows of a batch whose step's log-probabilities are looked up."""
    spent_ms: float = SPENT_MS


def device_of(device: torch.device) -> dict[str, Any]:
    """What the figures were measured on."""
    made: dict[str, Any] = {"name": "CPU, interpreted", "triton": triton.__version__, "torch": torch.__version__}
    if device.type == "cuda":
        about = torch.cuda.get_device_properties(device)
        made |= {"name": about.name, "multiprocessors": about.multi_processor_count, "cuda": torch.version.cuda}
        made |= {"memory GiB": about.total_memory / 2**30, "L2 MiB": getattr(about, "L2_cache_size", 0) / 2**20}
    return made


def exact(device: torch.device, dtypes: tuple[torch.dtype, ...] = (torch.bfloat16,)) -> list[JsonRow]:
    """The exactness suite on every route."""
    return [row | {"dtype": str(dtype).removeprefix("torch.")} for dtype in dtypes for row in exactness(device, dtype)]


def agreement(rows: int, size: int, d: int, sizes: Sizes, device: torch.device) -> list[JsonRow]:
    """Compares the shipped route and the library's with float64, at odd sizes with every option.

    It also tells whether a second call gives the same bits.
    """
    given = draw(rows, size, d, sizes.k, device)
    extra: dict[str, Any] = {}
    if size % 16:
        bias = torch.linspace(-2, 2, size, device=device)
        extra = {"scale": 0.5, "softcap": 20.0, "bias": bias, "vocabulary": size - 7}
    asked: dict[str, Any] = {"chosen": given.chosen.clamp(max=size - 8), "entropy": True} | extra
    made = []
    for route in (None, CUBLAS_ROUTES[1]):
        output, again = (run(given.hidden, given.weights, given.k, route, **asked).output for _ in range(2))
        wrong, worst = faults(output, given.hidden, given.weights, **asked)
        if not same_bits(output, again):
            wrong.append("another result the second time")
        made.append(
            {"R": rows, "V": size, "d": d, "route": "shipped" if route is None else name_of(route)}
            | {"options": ", ".join(extra) or "none", "faults": wrong, "worst error": worst}
        )
    return made


def cosines(sizes: Sizes, device: torch.device, weights: torch.Tensor) -> list[JsonRow]:
    """`token_cosines` by the kernel and by torch."""
    ids = torch.randint(len(weights), sizes.cosines, device=device)
    wanted = token_cosines(ids, weights, impl="torch")
    made = []
    for impl in IMPLS:
        call = partial(token_cosines, ids, weights, impl=impl)
        error = max(float((a - b).abs().max()) for a, b in zip(call(), wanted, strict=True))
        entry: JsonRow = {"way": impl, "worst error": error, "faults": [] if error <= 1e-2 else ["cosines"]}
        if not entry["faults"]:
            entry["cold"] = timed(call, device, True, sizes.spent_ms)._asdict()
        made.append(entry)
    return made


def logprobs(rows: int, sizes: Sizes, device: torch.device) -> list[JsonRow]:
    """Compares `token_logprob` of a step by the kernel and by torch.

    Errors against float64 are taken at all vocabularies, times at the first.
    """
    errors: dict[int, dict[Impl, float]] = {}
    times: dict[Impl, Any] = {}
    for size in (sizes.vocabulary, *(size for size, _ in sizes.grid)):
        logits = (4 * torch.randn(rows, size, device=device)).to(torch.bfloat16)
        ids = torch.randint(size, (rows,), device=device)
        wanted = logits.double().log_softmax(1).gather(1, ids.unsqueeze(1)).squeeze(1)
        for impl in IMPLS:
            call = partial(token_logprob, logits, ids, impl=impl)
            error = float(((call() - wanted) / wanted.abs().clamp(min=1)).abs().max())
            errors.setdefault(size, {})[impl] = math.inf if math.isnan(error) else error
            if size == sizes.vocabulary:
                # Warm: the head has just written the logits.
                times[impl] = timed(call, device, False, sizes.spent_ms)._asdict()
    made = []
    for impl in IMPLS:
        faults = [f"V = {size}" for size, error in errors.items() if error[impl] > 1e-5]
        worst = max(e[impl] for e in errors.values())
        entry: JsonRow = {"R": rows, "way": impl, "worst error": worst if worst < math.inf else None, "faults": faults}
        made.append(entry if faults else entry | {"warm": times[impl]})
    return made


@dataclass(frozen=True)
class _Race:
    """The lens and its rivals on the weights of one head."""

    sizes: Sizes
    first: Inputs
    """One row, and the weights that all rows are raced on."""
    floor: Floors
    bad: frozenset[Route]
    """Routes that failed the exactness suite; none of them is timed."""

    def at(self, rows: int) -> Inputs:
        sizes, weights = self.sizes, self.first.weights
        torch.manual_seed(rows)
        hidden = torch.randn(rows, sizes.d, device=weights.device).to(weights.dtype)
        chosen = torch.randint(sizes.vocabulary, (rows,), device=weights.device)
        return Inputs(hidden, weights, chosen, sizes.k)

    def lens(self, rows: int) -> list[JsonRow]:
        return lens_race.shipped(self.at(rows), self.floor, self.bad, self.sizes.spent_ms)

    def bare_lens(self, rows: int) -> list[JsonRow]:
        return self.lens(rows)[:1]

    def rivals(self, raced: list[Rival], rows: int) -> list[JsonRow]:
        return lens_race.against(raced, self.at(rows), self.floor, self.sizes.spent_ms)

    def routes(self, rows: int) -> list[JsonRow]:
        raced = CANDIDATES[rows] + CUBLAS_ROUTES
        return lens_race.routes(self.at(rows), raced, self.floor, self.bad, self.sizes.spent_ms)


def measure(
    sizes: Sizes,
    device: torch.device,
    minutes: float,
    say: Say,
    save: Save,
    asked: Collection[str] = PARTS,
) -> dict[str, Any]:
    """The parts `asked` for (of `PARTS`), within about so many minutes. `save` is given the figures after each.

    Floors and the exactness suite come first whatever is asked for: without them no time is printed.
    """
    parts = Parts(minutes, say, save)
    parts.figures["device"] = device_of(device)
    checked = parts.add("exactness", "exactness suite", partial(exact, device))
    bad = frozenset(route for route in routes() for row in checked if row["route"] == str(route) and row["faults"])
    ways, missing = rivals()
    parts.figures["missing"] += missing
    first = draw(1, sizes.vocabulary, sizes.d, sizes.k, device)
    found = parts.add("floors", "floors", lambda: [floors(first.weights, sizes.square)._asdict()])
    if not found:
        return parts.figures
    race = _Race(sizes, first, Floors(**found[0]), bad)

    def add(part: str, label: str, make: Callable[[], list[JsonRow]], under: str = "") -> None:
        if part in asked:
            parts.add(under or part, label, make)

    for r in sizes.rows:
        add("speed", f"lens at R = {r}", partial(race.lens, r))
        add("speed", f"rivals at R = {r}", partial(race.rivals, ways, r))
    for r in sizes.more_rows:
        add("curve", f"lens at R = {r}", partial(race.bare_lens, r))
    for r in sizes.rows:
        if r in CANDIDATES:
            add("race", f"routes at R = {r}", partial(race.routes, r))
    add("cosines", "cosines", partial(cosines, sizes, device, first.weights))
    for r in sizes.step_rows:
        add("logprobs", f"a step's log-probabilities at R = {r}", partial(logprobs, r, sizes, device))
    for (size, d), r in product(sizes.grid, sizes.rows):
        label = f"agreement at R = {r}, V = {size}, d = {d}"
        add("agreement", label, partial(agreement, r, size, d, sizes, device))
    if sizes.compiled:
        for r in reversed(sizes.rows):
            add("compiled", f"torch.compile at R = {r}", partial(race.rivals, compiled(), r), under="speed")
    withhold(parts.figures)
    parts.figures["targets"] = targets(parts.figures)
    save(parts.figures)
    return parts.figures


def withhold(figures: dict[str, Any]) -> None:
    """Takes the lens' times away if it was wrong anywhere on the grid: a fast wrong kernel is not fast."""
    wrong = sorted({row["route"] for row in figures.get("agreement", []) if row["faults"]})
    for row in [*figures.get("speed", []), *figures.get("curve", []), *figures.get("race", [])]:
        by_library = row["way"].startswith("library")
        shipped = row["way"].startswith(("the lens", "tiles"))
        if (shipped and "shipped" in wrong) or (by_library and any(name != "shipped" for name in wrong)):
            for key in ("cold", "warm", "share of floor", "launch ms"):
                row.pop(key, None)
            row["faults"] = [*row["faults"], "agreement"]


def targets(figures: dict[str, Any]) -> list[JsonRow]:
    """What was to be reached, what was, and whether it is enough (None: not measured)."""
    speed = {(row["way"], row["R"]): row for row in figures.get("speed", [])}

    def value(way: str, rows: int, key: str) -> float | None:
        found = speed.get((way, rows), {}).get(key)
        if found is None:
            return None
        return float(found["median"] if isinstance(found, dict) else found)

    made = []
    for rows, wanted in ((32, 0.80), (256, 0.75), (2048, 0.80)):
        share = value("the lens", rows, "share of floor")
        met = None if share is None else share >= wanted
        made.append({"target": f"share of the floor at R = {rows}: at least {wanted}", "value": share, "met": met})
    for rows in (1, 32, 256, 2048):
        mine = value("the lens", rows, "cold")
        others = [
            row["cold"]["median"] for (way, r), row in speed.items() if way[:2] == "b:" and r == rows and "cold" in row
        ]
        ratio = mine / min(others) if mine is not None and others else None
        made.append(
            {"target": f"time beside (b) at R = {rows}: at most 1", "value": ratio, "met": ratio and ratio <= 1}
        )
    mine, plain = (value(way, 2048, "extra bytes") for way in ("the lens", "a: torch, product + softmax + topk"))
    ratio = mine / plain if mine is not None and plain else None
    made.append(
        {"target": "memory beside (a) at R = 2048: at most 0.05", "value": ratio, "met": ratio and ratio <= 0.05}
    )
    return made


def winners(figures: dict[str, Any]) -> list[JsonRow]:
    """The fastest route of each raced bucket, for the table of routes."""
    made = []
    timed_rows = [row for row in figures.get("race", []) if "cold" in row]
    for r, entropy in sorted({(row["R"], row["entropy"]) for row in timed_rows}):
        entries = [row for row in timed_rows if (row["R"], row["entropy"]) == (r, entropy)]
        best = min(entries, key=lambda row: float(row["cold"]["median"]))
        made.append({"R": r, "entropy": entropy, "way": best["way"], "ms": best["cold"]["median"]})
    return made
