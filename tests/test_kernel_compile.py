"""What the compiler makes of each shipped kernel for Hopper, checked without a GPU."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

pytest.importorskip("triton")
from triton.compiler import make_backend
from triton.runtime.jit import create_function_from_signature

from reticent_bench.lens import compile as lens_compile
from reticent_bench.lens import run as lens
from reticent_bench.lens.compile import HOPPER, Expected, compiled, compiler, faults, lens_launches, meta
from reticent_detectors.errors import InputError
from reticent_kernels import lens_triton, logprob_triton
from reticent_kernels.lens_triton import ROUTES, Tile

pytestmark = pytest.mark.skipif(os.environ.get("TRITON_INTERPRET") == "1", reason="the interpreter compiles nothing")

EVERY, RACED = list(lens_compile.shipped()), list(lens_compile.raced())


@pytest.fixture(scope="module", autouse=True)
def _fresh() -> Iterator[None]:
    with compiler():
        yield


@pytest.mark.parametrize("expected", EVERY, ids=[f"{one.what}, {one.launch.kernel.__name__}" for one in EVERY])
def test_nothing_spills_and_products_are_wgmma(expected: Expected) -> None:
    assert faults(expected, compiled(expected.launch)) == []


@pytest.mark.slow
@pytest.mark.parametrize("expected", RACED, ids=[one.what for one in RACED])
def test_what_is_raced_can_be_launched(expected: Expected) -> None:
    assert not set(faults(expected, compiled(expected.launch))) - {"spills", "takes the stack"}


def test_every_route_is_among_them() -> None:
    there = {one.launch.arguments["h"].block_shape[0] for one in EVERY if one.launch.arguments.get("USE_TMA")}
    assert there == {64, 128}
    assert len({one.what for one in EVERY}) == len(EVERY)
    asked = {one.launch.kernel.__name__ for one in EVERY}
    assert asked == {
        "tiles_kernel",
        "chunk_kernel",
        "chosen_kernel",
        "finish_kernel",
        "_cosines_kernel",
        "_logprob_kernel",
    }


def test_every_bucket_gets_its_tile() -> None:
    for limit, *pair in ROUTES:
        for entropy in (False, True):
            rows = min(int(min(limit, 4096)), 4096)
            assert lens_triton.choose_route(meta(rows, 64), meta(9, 64), entropy) == pair[entropy]


def test_what_is_compiled_otherwise_is_reported() -> None:
    large = Tile(128, 256, 64, 4, 8, True)
    launch = lens_launches(256, entropy=True, route=large)["tiles_kernel"]
    expected = Expected("large", launch, lens_compile.WGMMA, "cp.async.bulk.tensor")
    made = compiled(launch)
    assert faults(expected, made) == ["spills", "takes the stack", "takes too much shared memory"]
    other = expected._replace(products=frozenset(), loads="ld.nothing", without="wgmma", shared_bytes=1 << 20)
    assert faults(other, made)[2:] == ["multiplies otherwise", "lacks ld.nothing", "has wgmma"]
    found = faults(
        expected, made._replace(spill_bytes=0, stack_bytes=0, shared_bytes=0, scratch_bytes=1, serialized=True)
    )
    assert found == ["takes scratch memory", "waits between matrix instructions"]


def test_programs_that_fit_are_those_of_the_scarcest_thing() -> None:
    made = lens_compile.Compiled("", 128, 0, 0, 96 * 1024, 0, False)
    assert made.programs(4) == 2  # by shared memory
    assert made._replace(shared_bytes=0).programs(4) == 4  # by registers
    assert made._replace(registers=16, shared_bytes=0).programs(4) == 16  # by threads
    assert made._replace(registers=8, shared_bytes=0).programs(1) == 32
    assert made._replace(registers=255, shared_bytes=0).programs(8) == 1


def test_the_table_keeps_rows_of_other_compilers_of_the_same_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = EVERY[0]
    monkeypatch.setattr(lens_compile, "shipped", lambda: [some])
    monkeypatch.setattr(lens_compile, "raced", lambda: [])
    page = lens.compile_only(tmp_path)
    path = tmp_path / "lens-compile.json"
    figures = json.loads(path.read_text())
    [row] = figures["shipped"]
    assert row["what"] == some.what and row["faults"] == [] and row["registers"] > 0 and some.what in page
    figures["shipped"] = [row | {"triton": "0.1"}, row | {"triton": "0.1", "what": "gone"}]
    path.write_text(json.dumps(figures))
    lens.compile_only(tmp_path)
    assert [r["triton"] for r in json.loads(path.read_text())["shipped"]] == ["0.1", row["triton"]]
    figures["made_by"]["commit"] = "another"
    path.write_text(json.dumps(figures))
    lens.compile_only(tmp_path)
    assert [r["triton"] for r in json.loads(path.read_text())["shipped"]] == [row["triton"]]
    monkeypatch.setattr(lens_compile, "shipped", lambda: [some._replace(loads="ld.nothing")])
    with pytest.raises(InputError, match="1 shipped kernels are not compiled as they have to be"):
        lens.compile_only(tmp_path)


def test_a_growing_text_compiles_nothing_anew() -> None:
    """The last column of the ids has another address and another stride at every step, and the result another place."""
    kernel = logprob_triton.plan(meta(1, 9), meta(1, dtype=torch.int64), meta(1, dtype=torch.float32)).kernel
    bind = create_function_from_signature(kernel.signature, kernel.params, make_backend(HOPPER))
    logits, out = torch.zeros(3, 1, 50257, dtype=torch.bfloat16), torch.zeros(64, 3)
    variants = set[str]()
    for length in range(1, 64):
        text = torch.zeros(3, length, dtype=torch.int64)
        launch = logprob_triton.plan(logits[:, -1], text[:, -1], out[length])
        variants.add(str(bind(**launch.arguments, **launch.options)[1]))
    assert len(variants) == 1
