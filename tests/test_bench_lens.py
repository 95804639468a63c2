"""The lens benchmark on a CPU: what it checks and withholds, and that it runs where little is installed.

What needs Triton's interpreter runs in a process of its own, as in `test_lens_triton`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from triton_interpreter import interpret

pytest.importorskip("triton")
from reticent_bench.lens import page as lens_page
from reticent_bench.lens import report as lens_report
from reticent_bench.lens import run as lens
from reticent_bench.lens.agreement import exact_logits, faults, same_bits
from reticent_bench.lens.clock import Floors
from reticent_bench.lens.race import CANDIDATES, draw, row
from reticent_bench.lens.rivals import rivals
from reticent_detectors.errors import InputError
from reticent_kernels import LensOutput, logit_lens
from reticent_kernels.lens_triton import ROUTES, Tile

ABSENT = (
    "fastapi",
    "pydantic",
    "faker",
    "phonenumbers",
    "stdnum",
    "typer",
    "onnxruntime",
    "transformers",
    "matplotlib",
)
INTERPRETED = """
import json, sys, warnings
from pathlib import Path
import torch

warnings.filterwarnings("ignore", category=RuntimeWarning)  # NumPy, in which the interpreter computes, of inf and NaN
sys.modules |= dict.fromkeys({absent!r})  # cannot be imported
torch.set_num_threads(1)
from reticent_bench.lens import run as lens
from reticent_bench.lens import clock as lens_clock
from reticent_bench.lens import exact as lens_exact
from reticent_bench.lens import page as lens_page
from reticent_bench.lens import report as lens_report
from reticent_kernels.lens_triton import CublasRoute
cases = list(lens_exact.cases(2))
lens_exact.cases = lambda: cases
lens_exact.routes = lens_report.routes = lambda: [CublasRoute(1 << 10)]
lens_clock.FEWEST = 2
{change}
sizes = lens_report.Sizes(rows=(1, 2), more_rows=(3,), vocabulary=300, d=64, k=4, grid=((333, 48),), square=16,
                          compiled=False, cosines=(1, 2, 3), step_rows=(2,), spent_ms=1.0)
lens_report.CANDIDATES, lens_report.CUBLAS_ROUTES = {{2: ()}}, (CublasRoute(1 << 8), CublasRoute(1 << 10))
say, keep = lambda line: print(line, file=sys.stderr), lambda figures: None
figures = lens_report.measure(sizes, torch.device("cpu"), {minutes}, say, keep)
print(json.dumps([figures, lens_page.render(figures)]))
"""


def interpreted(minutes: float = 60, change: str = "") -> tuple[dict[str, Any], str]:
    """Figures and page of a small run on the CPU, in which nothing of `ABSENT` can be imported."""
    code = INTERPRETED.format(absent=ABSENT, change=change, minutes=minutes)
    done = interpret("-c", code)
    assert done.returncode == 0, done.stderr[-4000:]
    figures, page = json.loads(done.stdout)
    return figures, page


def test_a_small_run_checks_times_and_tells() -> None:
    figures, page = interpreted()
    exactness, agreement = figures["exactness"], figures["agreement"]
    assert len(exactness) == 9 and not any(r["faults"] for r in exactness)
    assert [(r["R"], r["V"]) for r in agreement] == [(1, 333)] * 2 + [(2, 333)] * 2
    assert not any(r["faults"] for r in agreement) and all("softcap" in r["options"] for r in agreement)
    ours = [r for r in figures["speed"] if r["way"].startswith("the lens")]
    assert [r["R"] for r in ours] == [1, 1, 2, 2] and not any(r["faults"] for r in figures["speed"])
    assert all(r["cold"]["median"] > 0 and r["share of floor"] > 0 for r in [*figures["speed"], *figures["race"]])
    assert {r["way"] for r in figures["speed"]} >= {
        "a: torch, product + softmax + topk",
        "b: library + topk + logsumexp",
    }
    assert [r["R"] for r in figures["curve"]] == [3] and len(figures["race"]) == 4 and len(figures["cosines"]) == 2
    assert [(r["R"], r["way"], r["faults"]) for r in figures["logprobs"]] == [(2, "triton", []), (2, "torch", [])]
    assert all(r["warm"]["median"] > 0 for r in figures["logprobs"]) and "Log-probabilities of a step" in page
    assert all(line.endswith("is not installed") for line in figures["missing"])
    assert "Exactness suite" in page and "share of floor" in page and "The fastest of them" in page


def test_without_time_left_parts_are_named_and_not_measured() -> None:
    figures, page = interpreted(minutes=0)
    assert not {"speed", "agreement", "exactness"} & set(figures)
    assert "floors: no time left" in figures["missing"] and "floors: no time left" in page


@pytest.fixture(scope="module")
def wrong() -> tuple[dict[str, Any], str]:
    """Figures and page of a run in which two things are wrong that do not touch: log-probabilities, and one route."""
    return interpreted(
        change="right = lens_report.token_logprob\n"
        "lens_report.token_logprob = lambda *a, impl: right(*a, impl=impl) + (0 if impl == 'torch' else float('nan'))\n"
        "lens_exact.faults = lambda *_: ['topk_id']\nlens_report.agreement = lambda *_: []\n"
    )


def test_wrong_log_probabilities_get_no_time(wrong: tuple[dict[str, Any], str]) -> None:
    figures, page = wrong
    assert [(r["way"], r["faults"], "warm" in r) for r in figures["logprobs"]] == [
        ("triton", ["V = 300", "V = 333"], False),
        ("torch", [], True),
    ]
    assert "V = 300, V = 333" in page and "| not finite |" in page


def test_a_route_that_is_not_exact_gets_no_time(wrong: tuple[dict[str, Any], str]) -> None:
    """The one route of the small run; what is shipped for its rows is another, and keeps its times."""
    figures, page = wrong
    assert figures["race"] and figures["speed"] and figures["curve"]
    assert all(r["faults"] == ["exactness"] and "cold" not in r for r in figures["race"])
    assert all("cold" in r for r in figures["speed"])
    assert "topk_id" in page


def test_wrong_results_are_seen() -> None:
    given = draw(3, 500, 64, 6, torch.device("cpu"))
    options = {"chosen": given.chosen, "entropy": True}
    right = logit_lens(given.hidden, given.weights, 6, **options)
    assert faults(right, given.hidden, given.weights, **options)[0] == []
    assert right.entropy is not None and right.chosen_logit is not None and right.chosen_rank is not None
    shifted = {
        "top logits": {"topk_logit": right.topk_logit + 1e-3},
        "top ids": {"topk_id": right.topk_id.flip(0)},
        "an id twice": {"topk_id": right.topk_id[:, :1].expand(-1, 6)},
        "log-sum-exp": {"logsumexp": right.logsumexp + 1e-3},
        "entropy": {"entropy": right.entropy * 1.01},
        "chosen logit": {"chosen_logit": right.chosen_logit - 1e-3},
        "rank": {"chosen_rank": right.chosen_rank + 1},
    }
    for name, change in shifted.items():
        assert name in faults(right._replace(**change), given.hidden, given.weights, **options)[0]
        assert not same_bits(right, right._replace(**change))
    nan = right._replace(topk_logit=right.topk_logit * float("nan"), logsumexp=right.logsumexp * float("nan"))
    assert {"top logits", "log-sum-exp"} <= set(faults(nan, given.hidden, given.weights, **options)[0])


def test_the_exact_logits_are_the_definition() -> None:
    given = draw(2, 70, 16, 3, torch.device("cpu"), torch.float32)
    options = {"scale": 0.5, "softcap": 4.0, "bias": torch.linspace(-1, 1, 70), "vocabulary": 60}
    wanted = logit_lens(given.hidden, given.weights, 60, **options)
    top = exact_logits(given.hidden, given.weights, options).topk(60).values
    torch.testing.assert_close(top.float(), wanted.topk_logit)


def test_no_speed_for_what_is_wrong_or_fails() -> None:
    given = draw(2, 90, 16, 3, torch.device("cpu"))
    floor = Floors(1e9, 1e9)

    def broken() -> LensOutput:
        raise RuntimeError("no kernel image")

    wrong = logit_lens(given.hidden, -given.weights, 3)
    for call, says in ((lambda: wrong, "top logits"), (broken, "raised RuntimeError")):
        made = row("x", given, call, floor)
        assert says in made["faults"] and "cold" not in made and "share of floor" not in made
    loss = row("d", given, lambda: torch.zeros(2), floor)
    assert loss["faults"] == ["loss"]


@pytest.mark.parametrize("rival", rivals()[0], ids=lambda rival: rival.name)
def test_rivals_make_the_same(rival: Any) -> None:
    given = draw(3, 400, 32, 5, torch.device("cpu"))
    made = row(rival.name, given, lambda: rival.call(*given), Floors(1e9, 1e9), rounded=rival.rounded)
    assert made["faults"] == [] and made["floor ms"] > 0


def test_the_floor_is_the_slower_of_reading_and_multiplying() -> None:
    floor = Floors(4.3e12, 790e12)
    assert floor.ms(32, 128_256, 4096, 2) == pytest.approx(0.244, abs=1e-3)
    assert floor.ms(256, 128_256, 4096, 2) == pytest.approx(0.340, abs=1e-3)
    assert floor.ms(2048, 128_256, 4096, 2) == pytest.approx(2.72, abs=1e-2)


def test_a_wrong_result_on_the_grid_takes_the_times_away() -> None:
    timed = {"cold": {"median": 1.0}, "share of floor": 0.9, "faults": [], "R": 32}
    figures = {
        "agreement": [{"route": "shipped", "faults": ["rank"]}, {"route": "library in chunks", "faults": []}],
        "speed": [timed | {"way": "the lens"}, timed | {"way": "b: library + topk + logsumexp"}],
        "race": [timed | {"way": "library in chunks of 8 Mi logits", "entropy": False}],
    }
    lens_report.withhold(figures)
    assert "cold" not in figures["speed"][0] and figures["speed"][0]["faults"] == ["agreement"]
    assert "cold" in figures["speed"][1] and "cold" in figures["race"][0]


def test_targets_are_judged_by_what_was_measured() -> None:
    def entry(way: str, rows: int, ms: float, share: float, extra: int) -> dict[str, Any]:
        return {
            "way": way,
            "R": rows,
            "cold": {"median": ms},
            "share of floor": share,
            "extra bytes": extra,
            "faults": [],
        }

    speed = [entry("the lens", r, 1.0, 0.78, 100) for r in (32, 256, 2048)]
    speed += [entry("b: library + topk + logsumexp", r, 2.0, 0.4, 100) for r in (32, 256)]
    speed += [entry("a: torch, product + softmax + topk", 2048, 9.0, 0.1, 10_000)]
    met = {r["target"].partition(":")[0]: r["met"] for r in lens_report.targets({"speed": speed})}
    assert met["share of the floor at R = 32"] is False and met["share of the floor at R = 256"] is True
    assert met["time beside (b) at R = 32"] is True and met["time beside (b) at R = 2048"] is None
    assert met["memory beside (a) at R = 2048"] is True


def test_the_first_candidate_of_each_bucket_is_the_shipped_one() -> None:
    for rows, candidates in CANDIDATES.items():
        assert candidates[0] == next(tile for limit, tile, _ in ROUTES if rows <= limit)
        assert all(isinstance(tile, Tile) and tile.shared_bytes(2) <= 227 * 1024 for tile in candidates)


def test_the_picture_shows_the_floor_and_every_way() -> None:
    pytest.importorskip("matplotlib")
    assert lens_page.roofline({"device": {"name": "X"}, "speed": []}) is None
    rows = [{"way": "the lens", "R": r, "floor ms": 1.0, "cold": {"median": 1.2}} for r in (1, 32)]
    drawing = lens_page.roofline({"device": {"name": "X"}, "speed": rows})
    assert drawing is not None and drawing.rstrip().endswith("</svg>")


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_without_a_gpu_it_says_what_is_missing_and_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Expected a CUDA device"):
        lens.measure(tmp_path / "out")
    assert not (tmp_path / "out").exists()
