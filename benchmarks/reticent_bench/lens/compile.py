"""What the compiler makes of the kernels for Hopper, without a GPU: instructions, registers, memory, programs that fit.

    python -m reticent_bench.lens --compile-only

Launches are planned on tensors without data, and compiled as Triton would when it launches them. Under another Triton
(`pip install --no-deps --target DIR triton==3.9.0`, `PYTHONPATH=DIR`) its rows join those that the file has. No time
follows from any of it.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from unittest import mock

import torch
import triton
from torch import Tensor
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.tools.tensor_descriptor import TensorDescriptor

from reticent_bench.lens.race import CANDIDATES, name_of
from reticent_bench.report.parts import JsonRow
from reticent_bench.report.result import table
from reticent_kernels import cosines_triton, lens_triton, logprob_triton
from reticent_kernels.launch import Launch
from reticent_kernels.lens_triton import ROUTES, SMALL_TILE, CublasRoute, Route, Tile

HOPPER = GPUTarget("cuda", 90, 32)
MULTIPROCESSORS = 132
"""Of an H100 or H200."""
SHARED_BYTES = 227 * 1024
"""The most that one program may have there."""
SMALL_SHARED_BYTES = 99 * 1024
"""Of one multiprocessor of an RTX 4090, an L4, an A10."""
_SHARED_OF_ALL, _RESERVED = 228 * 1024, 1024
_REGISTERS, _THREADS, _PROGRAMS = 1 << 16, 2048, 32
VOCABULARY, WIDTH = 128_256, 4096
"""Of an 8B host."""
ROWS = (1, 32, 256, 2048, 4096)
WGMMA = frozenset({"wgmma.mma_async.sync.aligned.k16.f32.bf16.bf16"})
"""What each kernel of the lens has to multiply bfloat16 with: a product is then the same bits in all of them."""
_HALF = frozenset(name.replace("bf16", "f16") for name in WGMMA)
_COSINES = frozenset({"mma.sync.aligned.k16.row.col.f32.bf16.bf16.f32"})
_BULK, _ASYNC, _WIDE = "cp.async.bulk.tensor", "cp.async.cg", "ld.global.v4"
_NAMES = {
    torch.float32: "fp32",
    torch.float16: "fp16",
    torch.bfloat16: "bf16",
    torch.int64: "i64",
    torch.int32: "i32",
    torch.int8: "i8",
}


_EVERYTHING = {False: "", True: " with rank and entropy"}


class Expected(NamedTuple):
    """One launch, and what has to come of it."""

    what: str
    launch: Launch
    products: frozenset[str] = frozenset()
    """Matrix instructions without their size in rows and ids: these and no others."""
    loads: str = ""
    """An instruction that has to be there."""
    without: str = "\0"
    """One that may not."""
    shared_bytes: int = SMALL_SHARED_BYTES
    may_spill: bool = False
    """It was raced, and is faster than what does not spill."""


class Compiled(NamedTuple):
    """What came of a launch."""

    ptx: str
    registers: int
    """Of a thread."""
    stack_bytes: int
    """Of a thread; 0 without spills."""
    spill_bytes: int
    shared_bytes: int
    scratch_bytes: int
    serialized: bool
    """Whether the assembler had to wait between matrix instructions."""

    @property
    def products(self) -> frozenset[str]:
        """Matrix instructions without their size in rows and ids."""
        found = re.findall(r"\b(?:wg)?mma\.(?:mma_async|sync)\S+", self.ptx)
        return frozenset(re.sub(r"m\d+n\d+", "", name) for name in found)

    def programs(self, warps: int) -> int:
        """How many programs a multiprocessor of Hopper holds at once."""
        registers = math.ceil(self.registers / 8) * 8 * 32 * warps
        by_memory = _SHARED_OF_ALL // (self.shared_bytes + _RESERVED)
        return min(_REGISTERS // registers, by_memory, _THREADS // (32 * warps), _PROGRAMS)


def meta(*shape: int, dtype: torch.dtype = torch.bfloat16) -> Tensor:
    """A tensor that has a shape and no data."""
    return torch.empty(*shape, dtype=dtype, device="meta")


def lens_launches(
    rows: int,
    dtype: torch.dtype = torch.bfloat16,
    entropy: bool = False,
    route: Route | None = None,
    chosen: bool = True,
) -> dict[str, Launch]:
    """Plans a call that asks for everything by default; the vocabulary and width of an 8B host."""
    made = lens_triton.plan(
        meta(rows, WIDTH, dtype=dtype),
        meta(VOCABULARY, WIDTH, dtype=dtype),
        k=16,
        chosen=meta(rows, dtype=torch.int64) if chosen else None,
        softcap=30.0,
        bias=meta(VOCABULARY, dtype=dtype),
        entropy=entropy,
        route=route,
    )
    return {launch.kernel.__name__: launch for launch in made.launches if isinstance(launch, Launch)}


def _tiles(rows: int, route: Tile, entropy: bool, chosen: bool) -> Expected:
    also = " and ".join(word for word, asked in (("rank", chosen), ("entropy", entropy)) if asked)
    launch = lens_launches(rows, entropy=entropy, route=route, chosen=chosen)["tiles_kernel"]
    what = f"{name_of(route)}{' with ' if also else ''}{also}"
    return Expected(what, launch, WGMMA, _BULK, shared_bytes=SHARED_BYTES, may_spill=entropy)


def shipped() -> Iterator[Expected]:
    """Every configuration that a call may launch. R is no constant: buckets of rows that share a tile compile alike."""
    for route, entropy in sorted({(pair[entropy], entropy) for _, *pair in ROUTES for entropy in (False, True)}):
        assert isinstance(route, Tile)
        for chosen in (False, True):
            yield _tiles(32, route, entropy, chosen)
    for asked in (False, True):
        launches = lens_launches(2048, entropy=asked, route=CublasRoute(1 << 23), chosen=asked)
        yield Expected(f"library's product{_EVERYTHING[asked]}", launches["chunk_kernel"], loads=_WIDE)
    for rows, many, shared in ((32, "", SHARED_BYTES), (4096, ", many rows", SMALL_SHARED_BYTES)):
        launch = lens_launches(rows)["chosen_kernel"]
        yield Expected(f"chosen ids{many}", launch, WGMMA, _ASYNC, shared_bytes=shared)
        for asked in (False, True):
            launch = lens_launches(rows, entropy=asked, chosen=asked)["finish_kernel"]
            what = f"top k and repairs{_EVERYTHING[asked]}{many}"
            yield Expected(what, launch, WGMMA, _ASYNC, shared_bytes=shared)
    half = lens_launches(256, torch.float16)["tiles_kernel"]
    yield Expected("float16", half, _HALF, _BULK, shared_bytes=SHARED_BYTES)
    small = lens_launches(32, entropy=True, route=SMALL_TILE)["tiles_kernel"]
    yield Expected("smaller GPUs and unaligned tensors", small, WGMMA, _ASYNC, without="cp.async.bulk")
    for name, launch in lens_launches(32, torch.float32, entropy=True).items():
        yield Expected(f"float32, {name}", launch, loads="fma.rn.f32")
    for dtype, products in ((torch.bfloat16, _COSINES), (torch.float32, frozenset[str]())):
        launch = cosines_triton.plan(meta(64, 32, 10, dtype=torch.int64), meta(VOCABULARY, WIDTH, dtype=dtype))[0]
        yield Expected(f"cosines, {_NAMES[dtype]}", launch, products)
    for dtype in (torch.bfloat16, torch.float32):
        for size in (1500, 50_257, VOCABULARY, 262_144):
            ids, out = meta(8, dtype=torch.int64), meta(8, dtype=torch.float32)
            launch = logprob_triton.plan(meta(8, size, dtype=dtype), ids, out)
            what = f"log-probability of a step, {_NAMES[dtype]}, V = {size}"
            if size % 16 == 0:
                yield Expected(what, launch, loads=_WIDE)
            else:
                yield Expected(what, launch, without=_WIDE)


def raced() -> Iterator[Expected]:
    """Tiles that `reticent bench lens` races and that are not shipped. These may spill; the race shows the cost."""
    known = {route for _, *pair in ROUTES for route in pair}
    for route in dict.fromkeys(route for routes in CANDIDATES.values() for route in routes):
        if isinstance(route, Tile) and route not in known:
            for asked in (False, True):
                yield _tiles(32, route, asked, asked)


@contextlib.contextmanager
def compiler() -> Iterator[None]:
    """Makes Triton compile without its cache, and keep the assembler's messages."""
    with tempfile.TemporaryDirectory() as folder:
        env_vars = {"TRITON_CACHE_DIR": folder, "TRITON_ALWAYS_COMPILE": "1", "TRITON_DUMP_PTXAS_LOG": "1"}
        with mock.patch.dict(os.environ, env_vars):
            yield


def compiled(launch: Launch) -> Compiled:
    """Compiles a launch for Hopper; inside `compiler`. `triton.compile` gets what a launch would give it."""
    signature: dict[str, str] = {}
    constants: dict[str, Any] = {}
    attributes: dict[tuple[int], Any] = {}
    divisible = [["tt.divisibility", 16]]
    for number, parameter in enumerate(launch.kernel.params):
        name, value = parameter.name, launch.arguments[parameter.name]
        if parameter.is_constexpr or value is None:
            signature[name], constants[name] = "constexpr", value
        elif isinstance(value, TensorDescriptor):
            signature[name] = f"tensordesc<{_NAMES[value.base.dtype]}{value.block_shape}>"
        elif isinstance(value, Tensor):
            signature[name] = "*" + _NAMES[value.dtype]
            if not parameter.do_not_specialize_on_alignment:
                attributes[(number,)] = divisible
        elif isinstance(value, float):
            signature[name] = "fp32"
        else:
            signature[name] = "i32"
            if value % 16 == 0 and not parameter.do_not_specialize:
                attributes[(number,)] = divisible
    if signature.keys() != launch.arguments.keys():
        raise RuntimeError(
            f"Expected the arguments {sorted(signature)} of {launch.kernel.__name__}, got {sorted(launch.arguments)}."
        )
    source = ASTSource(launch.kernel, signature, constants, attributes)
    log = io.StringIO()
    with contextlib.redirect_stdout(log):
        made = triton.compile(source, target=HOPPER, options=launch.options)
    said = log.getvalue()
    registers = re.search(r"Used (\d+) registers", said)
    stack = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", said)
    if registers is None or stack is None:
        raise RuntimeError(f"Expected the assembler's report on {launch.kernel.__name__}, got {said!r}.")
    return Compiled(
        made.asm["ptx"],
        int(registers[1]),
        int(stack[1]),
        int(stack[2]) + int(stack[3]),
        made.metadata.shared,
        made.metadata.global_scratch_size,
        "serialized" in said,
    )


def faults(expected: Expected, made: Compiled) -> list[str]:
    """What is not as it has to be; nothing, if all is."""
    wrong = {
        "spills": made.spill_bytes > 0 and not expected.may_spill,
        "takes the stack": made.stack_bytes > 0 and not expected.may_spill,
        "takes scratch memory": made.scratch_bytes > 0,
        "takes too much shared memory": made.shared_bytes > expected.shared_bytes,
        "waits between matrix instructions": made.serialized,
        "multiplies otherwise": made.products != expected.products,
        f"lacks {expected.loads}": expected.loads not in made.ptx,
        f"has {expected.without}": expected.without in made.ptx,
    }
    return [fault for fault, there in wrong.items() if there]


def rows_of(all_: Sequence[Expected]) -> list[JsonRow]:
    """A row of the table for each launch."""
    made = []
    with compiler():
        for expected in all_:
            result, launch = compiled(expected.launch), expected.launch
            made.append(
                {
                    "triton": triton.__version__,
                    "what": expected.what,
                    "kernel": launch.kernel.__name__,
                    "wgmma": result.ptx.count("wgmma.mma_async"),
                    "bulk copies": result.ptx.count(_BULK),
                    "registers": result.registers,
                    "shared KiB": result.shared_bytes / 1024,
                    "programs": result.programs(launch.warps),
                    "stack": result.stack_bytes,
                    "spills": result.spill_bytes,
                    "scratch": result.scratch_bytes,
                    "faults": faults(expected, result),
                }
            )
    return made


def cuts(rows: Sequence[JsonRow]) -> list[JsonRow]:
    """How calls of several sizes are cut: programs, how many run at once, and the share of the last round with work."""
    fits = {row["what"]: row["programs"] for row in rows if row["triton"] == triton.__version__}
    made = []
    for count in ROWS:
        for entropy in (False, True):
            route = lens_triton.choose_route(meta(count, WIDTH), meta(VOCABULARY, WIDTH), entropy)
            if not isinstance(route, Tile):
                continue
            expected = _tiles(count, route, entropy, entropy)
            if expected.what not in fits:
                continue
            at_once = fits[expected.what] * MULTIPROCESSORS
            rounds = expected.launch.grid / at_once
            made.append(
                {
                    "triton": triton.__version__,
                    "R": count,
                    "what": expected.what,
                    "programs": expected.launch.grid,
                    "at once": at_once,
                    "rounds": rounds,
                }
                | {"full": rounds / math.ceil(rounds)}
            )
    return made


def render(figures: dict[str, Any]) -> str:
    """The page."""
    text = (
        "# The kernels as they are compiled\n\n"
        "For Hopper (sm_90), without a GPU; no time follows from it. "
        "*Programs*: how many a multiprocessor holds at once, by registers and shared memory. "
        "Nothing may spill, take the stack or scratch memory, or wait between matrix instructions; "
        "products of the lens are WGMMA's, and its tiles are loaded by bulk copies (TMA).\n\n"
    )
    for name, head in (("shipped", "Shipped"), ("raced", "Raced against them, spilling or not")):
        text += f"## {head}\n\n"
        keys = [
            "triton",
            "kernel",
            "wgmma",
            "bulk copies",
            "registers",
            "shared KiB",
            "programs",
            "stack",
            "spills",
            "scratch",
        ]
        cells = [
            [r["what"], *(f"{r[k]:.1f}" if k == "shared KiB" else r[k] for k in keys), ", ".join(r["faults"]) or "none"]
            for r in figures[name]
        ]
        text += table(["what", *keys, "faults"], cells) + "\n"
    text += (
        "## How calls are cut\n\n"
        f"V = {VOCABULARY}, d = {WIDTH}, {MULTIPROCESSORS} multiprocessors. "
        "*Full*: the share of all rounds in which there is work, were all programs as long.\n\n"
    )
    keys = ["triton", "R", "what", "programs", "at once", "rounds", "full"]
    return text + table(keys, [[r[key] for key in keys] for r in figures["cuts"]])


def joined(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The new figures, and the old ones' rows of other versions of Triton, if they are of the same commit."""
    if old.get("made_by", {}).get("commit") != new["made_by"]["commit"]:
        return new
    made = dict(new)
    for part in ("shipped", "raced"):
        order = {row["what"]: number for number, row in enumerate(new[part])}
        kept = [row for row in old[part] if row["triton"] != triton.__version__ and row["what"] in order]
        made[part] = sorted([*kept, *new[part]], key=lambda row: (order[row["what"]], row["triton"]))
    return made
