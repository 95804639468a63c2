"""Cases in which the lens has to be exact: ties, hidden members of groups, odd sizes, what is not finite.

All states and weights are small integers, so that every product is the same number in float16, bfloat16 and float32 and
in any order of summation: ids, logits and ranks are compared bit by bit with the definition in torch on the CPU.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import torch
from torch import Tensor

from reticent_kernels import LensOutput, logit_lens
from reticent_kernels.lens_triton import FLOAT32_TILE, ROUTES, SMALL_TILE, CublasRoute, Plan, Route, plan

D = 64


class Case(NamedTuple):
    """One call, and how many groups of each row have to be multiplied again (None: unknown)."""

    name: str
    hidden: Tensor
    """[R, D] float32."""
    weights: Tensor
    """[V, D] float32."""
    k: int
    options: dict[str, Any]
    repairs: list[int] | None = None


def routes() -> list[Route]:
    """Every route that is shipped or raced."""
    shipped: set[Route] = {route for _, *pair in ROUTES for route in pair}
    shipped |= {SMALL_TILE, FLOAT32_TILE, CublasRoute(1 << 12)}
    return sorted(shipped, key=str)


def run(hidden: Tensor, weights: Tensor, k: int, route: Route | None, **options: Any) -> Plan:
    """The lens by one route; what it leaves says how many groups were multiplied again."""
    made = plan(hidden, weights, k, route=route, **options)
    for step in made.launches:
        step.run()
    return made


def _integers(rows: int, size: int) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(size)
    hidden, weights = (torch.randint(-1, 2, (n, D), generator=generator).float() for n in (rows, size))
    return hidden, weights


def _by_logits(logits: Tensor) -> tuple[Tensor, Tensor]:
    """States and weights whose products are the integers `logits` [R, V] below 1024, in digits of base 32."""
    rows = len(logits)
    hidden, weights = torch.zeros(rows, D), torch.zeros(logits.shape[1], D)
    for row in range(rows):
        hidden[row, 2 * row], hidden[row, 2 * row + 1] = 32, 1
        weights[:, 2 * row], weights[:, 2 * row + 1] = logits[row] // 32, logits[row] % 32
    return hidden, weights


def cases(rows: int = 5) -> Iterator[Case]:
    """The suite; `rows` of the cases whose rows are drawn."""
    hidden, weights = _integers(rows, 700)
    chosen = torch.arange(rows) * 131
    yield Case("ties, V no multiple of a tile", hidden, weights, 10, {"chosen": chosen})
    yield Case("one row, k = 1", hidden[:1], weights, 1, {"chosen": chosen[:1]}, [0])
    yield Case("k = 16", hidden, weights, 16, {"chosen": chosen})
    options: dict[str, Any] = {"scale": 0.5, "bias": torch.arange(700).remainder(7).float(), "vocabulary": 650}
    yield Case("scale, bias, padded vocabulary", hidden, weights, 10, options | {"chosen": chosen})

    hidden, weights = _integers(2, 200)
    yield Case("fewer groups than k", hidden, weights, 10, {"chosen": torch.tensor([0, 199])}, [4, 4])

    down = torch.arange(999, -1, -1)
    hidden, weights = _by_logits(torch.stack([down, down.flip(0)]))
    yield Case("logits sorted by id", hidden, weights, 10, {"chosen": torch.tensor([3, 500])}, [9, 9])

    logits = torch.arange(960).remainder(64)
    logits[128:192] = 500 + torch.randperm(64, generator=torch.Generator().manual_seed(0))
    hidden, weights = _by_logits(logits.repeat(2, 1))
    yield Case("all the best in one group", hidden, weights, 10, {"chosen": torch.tensor([130, 7])}, [1, 1])

    logits = torch.zeros(2, 960, dtype=torch.long)
    logits[:, ::64] = torch.arange(15, 0, -1)
    hidden, weights = _by_logits(logits)
    yield Case("one of the best in each group", hidden, weights, 10, {"chosen": torch.tensor([0, 1])}, [0, 0])

    hidden, weights = _integers(4, 700)
    hidden[0], hidden[1, 2] = math.nan, math.inf
    weights[70], weights[71, 3] = math.nan, math.inf
    yield Case("NaN and infinities", hidden, weights, 10, {"chosen": torch.tensor([0, 70, 71, 699])})


def faults(case: Case, route: Route, device: torch.device, dtype: torch.dtype) -> list[str]:
    """What a route gets wrong in a case; nothing if all is exact."""
    hidden, weights = (t.to(device, torch.float32 if route == FLOAT32_TILE else dtype) for t in case[1:3])
    options = {name: v.to(device) if isinstance(v, Tensor) else v for name, v in case.options.items()}
    entropy = route not in {pair[0] for _, *pair in ROUTES} - {pair[1] for _, *pair in ROUTES}  # as it is shipped
    made = run(hidden, weights, case.k, route, entropy=entropy, **options)
    wanted = logit_lens(case.hidden, case.weights, case.k, entropy=entropy, impl="torch", **case.options)
    found = unequal(made.output, wanted)
    if case.repairs is not None and made.repairs.tolist() != case.repairs:
        found.append(f"repairs {made.repairs.tolist()} instead of {case.repairs}")
    best = made.output.topk_id[:, 0]
    again = run(hidden, weights, case.k, route, entropy=entropy, **options | {"chosen": best}).output
    if again.chosen_rank is None or bool(again.chosen_rank.any()):
        found.append("the best token, chosen, has another rank than 0")
    return found


def unequal(ours: LensOutput, wanted: LensOutput) -> list[str]:
    """Which results differ: logits, ids and ranks by a bit, sums by more than rounding."""
    found = []
    none = (wanted.logsumexp == -math.inf).cpu()
    for name in LensOutput._fields:
        a, b = getattr(ours, name), getattr(wanted, name)
        if a is None or b is None:
            same = a is b
        else:
            a, b = a.cpu(), b.cpu()
            if name == "entropy":  # of a row without a finite logit it is not defined
                a, b = a[~none], b[~none]
            slack = 2e-6 if name in ("logsumexp", "entropy") else 0.0
            same = torch.allclose(a.double(), b.double(), rtol=slack, atol=slack, equal_nan=True)
        if not same:
            found.append(name)
    return found


def exactness(device: torch.device, dtype: torch.dtype, asked: list[Route] | None = None) -> list[dict[str, Any]]:
    """A row for every route and case, with what was wrong."""
    made = list(cases())
    return [
        {"route": str(route), "case": case.name, "faults": faults(case, route, device, dtype)}
        for route in (asked or routes())
        for case in made
    ]
