"""What the compiler makes of each shipped kernel for Hopper, checked without a GPU.

The launches are planned on tensors without data, and compiled as Triton would when it launches them.
"""

from __future__ import annotations

import os
import re
from typing import Any

import pytest
import torch

pytest.importorskip("triton")
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, make_backend
from triton.runtime.jit import create_function_from_signature
from triton.tools.tensor_descriptor import TensorDescriptor

from reticent_kernels import cosines_triton, lens_triton, logprob_triton
from reticent_kernels.launch import Launch
from reticent_kernels.lens_triton import ROUTES, SMALL_TILE, Library, Route, Tile

pytestmark = pytest.mark.skipif(os.environ.get("TRITON_INTERPRET") == "1", reason="the interpreter compiles nothing")

HOPPER = GPUTarget("cuda", 90, 32)
SHARED_BYTES = 227 * 1024
SMALL_SHARED_BYTES = 99 * 1024
"""Of one multiprocessor of an RTX 4090, an L4, an A10."""
NAMES = {
    torch.float32: "fp32",
    torch.float16: "fp16",
    torch.bfloat16: "bf16",
    torch.int64: "i64",
    torch.int32: "i32",
    torch.int8: "i8",
}


def meta(*shape: int, dtype: torch.dtype = torch.bfloat16) -> torch.Tensor:
    return torch.empty(*shape, dtype=dtype, device="meta")


def lens_launches(
    rows: int, dtype: torch.dtype, entropy: bool = False, route: Route | None = None, chosen: bool = True
) -> dict[str, Launch]:
    """Of a call that asks for everything unless told otherwise; the vocabulary and width of an 8B host."""
    hidden, weights = meta(rows, 4096, dtype=dtype), meta(128256, 4096, dtype=dtype)
    made = lens_triton.plan(
        hidden,
        weights,
        k=16,
        chosen=meta(rows, dtype=torch.int64) if chosen else None,
        softcap=30.0,
        bias=meta(128256, dtype=dtype),
        entropy=entropy,
        route=route,
    )
    return {launch.kernel.__name__: launch for launch in made.launches if isinstance(launch, Launch)}


class Compiled:
    """PTX, shared memory and the assembler's log of a launch; `triton.compile` is told what a launch would tell it."""

    def __init__(self, launch: Launch, capfd: pytest.CaptureFixture[str]) -> None:
        signature: dict[str, str] = {}
        constants: dict[str, Any] = {}
        attributes: dict[tuple[int], Any] = {}
        divisible = [["tt.divisibility", 16]]
        for number, parameter in enumerate(launch.kernel.params):
            name, value = parameter.name, launch.arguments[parameter.name]
            if parameter.is_constexpr or value is None:
                signature[name], constants[name] = "constexpr", value
            elif isinstance(value, TensorDescriptor):
                signature[name] = f"tensordesc<{NAMES[value.base.dtype]}{value.block_shape}>"
            elif isinstance(value, torch.Tensor):
                signature[name] = "*" + NAMES[value.dtype]
                if not parameter.do_not_specialize_on_alignment:
                    attributes[(number,)] = divisible
            elif isinstance(value, float):
                signature[name] = "fp32"
            else:
                signature[name] = "i32"
                if value % 16 == 0 and not parameter.do_not_specialize:
                    attributes[(number,)] = divisible
        assert signature.keys() == launch.arguments.keys()
        source = ASTSource(launch.kernel, signature, constants, attributes)
        made = triton.compile(source, target=HOPPER, options=launch.options)
        self.ptx: str = made.asm["ptx"]
        self.log = capfd.readouterr().out
        self.shared: int = made.metadata.shared
        self.scratch: int = made.metadata.global_scratch_size

    @property
    def products(self) -> set[str]:
        """Matrix instructions without their size in rows and ids."""
        return {re.sub(r"m\d+n\d+", "", name) for name in re.findall(r"\b(?:wg)?mma\.(?:mma_async|sync)\S+", self.ptx)}

    def assert_fits(self, shared_bytes: int = SHARED_BYTES) -> None:
        assert re.search(r"\b0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads", self.log), self.log
        assert "serialized" not in self.log
        assert self.shared <= shared_bytes
        assert self.scratch == 0


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "triton"))
    monkeypatch.setenv("TRITON_ALWAYS_COMPILE", "1")
    monkeypatch.setenv("TRITON_DUMP_PTXAS_LOG", "1")


WGMMA = {"wgmma.mma_async.sync.aligned.k16.f32.bf16.bf16"}
"""What each kernel of the lens has to multiply with: a product is then the same bits in all of them."""


SHIPPED = sorted({(pair[entropy], entropy) for _, *pair in ROUTES for entropy in (False, True)})
"""Each bucket's tile with and without entropy; buckets that share one compile alike, for R is no constant."""


@pytest.mark.parametrize("chosen", [False, True], ids=["", "chosen"])
@pytest.mark.parametrize(("tile", "entropy"), SHIPPED, ids=str)
def test_the_tiles_of_each_bucket_of_rows(
    tile: Tile, entropy: bool, chosen: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    launch = lens_launches(32, torch.bfloat16, entropy, tile, chosen)["tiles_kernel"]
    assert launch.arguments["BULK"]
    made = Compiled(launch, capfd)
    made.assert_fits()
    assert made.products == WGMMA and "cp.async.bulk.tensor" in made.ptx


def test_every_bucket_gets_its_tile() -> None:
    for limit, *pair in ROUTES:
        for entropy in (False, True):
            rows = min(int(min(limit, 4096)), 4096)
            assert lens_triton.choose_route(meta(rows, 64), meta(9, 64), entropy) == pair[entropy]


@pytest.mark.parametrize("asked", [False, True], ids=["", "everything"])
def test_what_is_kept_of_a_librarys_product(asked: bool, capfd: pytest.CaptureFixture[str]) -> None:
    launches = lens_launches(2048, torch.bfloat16, asked, Library(1 << 23), asked)
    made = Compiled(launches["chunk_kernel"], capfd)
    made.assert_fits(SMALL_SHARED_BYTES)
    assert not made.products and "ld.global.v4" in made.ptx


@pytest.mark.parametrize(
    ("name", "asked"), [("chosen_kernel", True), ("finish_kernel", False), ("finish_kernel", True)]
)
def test_what_multiplies_single_rows(name: str, asked: bool, capfd: pytest.CaptureFixture[str]) -> None:
    made = Compiled(lens_launches(32, torch.bfloat16, asked, chosen=asked)[name], capfd)
    made.assert_fits(SMALL_SHARED_BYTES)
    assert made.products == WGMMA and "cp.async.cg" in made.ptx


def test_float16_is_multiplied_likewise(capfd: pytest.CaptureFixture[str]) -> None:
    made = Compiled(lens_launches(256, torch.float16)["tiles_kernel"], capfd)
    made.assert_fits()
    assert made.products == {name.replace("bf16", "f16") for name in WGMMA} and "cp.async.bulk.tensor" in made.ptx


def test_the_tile_for_smaller_gpus_and_unaligned_tensors(capfd: pytest.CaptureFixture[str]) -> None:
    made = Compiled(lens_launches(32, torch.bfloat16, entropy=True, route=SMALL_TILE)["tiles_kernel"], capfd)
    made.assert_fits(SMALL_SHARED_BYTES)
    assert made.products == WGMMA and "cp.async.cg" in made.ptx and "cp.async.bulk" not in made.ptx


@pytest.mark.parametrize("name", ["chosen_kernel", "tiles_kernel", "finish_kernel"])
def test_float32_is_multiplied_in_float32(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    made = Compiled(lens_launches(32, torch.float32, entropy=True)[name], capfd)
    made.assert_fits(SMALL_SHARED_BYTES)
    assert not made.products and "fma.rn.f32" in made.ptx


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32], ids=str)
def test_the_cosines(dtype: torch.dtype, capfd: pytest.CaptureFixture[str]) -> None:
    made = Compiled(cosines_triton.plan(meta(64, 32, 10, dtype=torch.int64), meta(128256, 4096, dtype=dtype))[0], capfd)
    made.assert_fits(SMALL_SHARED_BYTES)
    assert made.products == ({"mma.sync.aligned.k16.row.col.f32.bf16.bf16.f32"} if dtype == torch.bfloat16 else set())


@pytest.mark.parametrize("vocabulary", [1500, 50257, 128256, 262144])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32], ids=str)
def test_the_log_probability_of_a_step(dtype: torch.dtype, vocabulary: int, capfd: pytest.CaptureFixture[str]) -> None:
    launch = logprob_triton.plan(
        meta(8, vocabulary, dtype=dtype), meta(8, dtype=torch.int64), meta(8, dtype=torch.float32)
    )
    made = Compiled(launch, capfd)
    made.assert_fits(SMALL_SHARED_BYTES)
    assert ("ld.global.v4" in made.ptx) == (vocabulary % 16 == 0)


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
