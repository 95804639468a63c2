"""The lens on this machine's GPU: checks, times, floors and rivals in one run.

    python -m reticent_bench.lens --out benchmarks/results
    python -m reticent_bench.lens --check-only
    python -m reticent_bench.lens --compile-only

Needs torch and triton, and nothing else of what Reticent depends on. `--check-only` runs the exactness suite alone: on
a GPU, or without one in Triton's interpreter. `--compile-only` compiles every kernel for Hopper, which takes no GPU.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from reticent_bench.lens.parts import PARTS
from reticent_bench.report.result import command_line, footer, provenance, write
from reticent_detectors.errors import InputError

VERSIONS = ("triton", "flashinfer-python", "cut-cross-entropy", "liger-kernel")


def measure(
    out: Path, check_only: bool = False, minutes: float = 8.0, parts: Sequence[str] = (), name: str = "lens"
) -> str:
    """Writes NAME.json and NAME.md, and NAME.svg if matplotlib is installed; with `check_only`, lens-check.* instead.

    `parts` are some of `parts.PARTS`, or empty for all. Returns the page. Raises InputError without a CUDA device,
    unless only the checks are asked for, and if a check fails.
    """
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if device.type == "cpu":
        if not check_only:
            raise InputError(
                "Expected a CUDA device to time the lens on, and torch sees none; nothing was measured. "
                "With --check-only its exactness is checked on the CPU."
            )
        if "triton" in sys.modules and os.environ.get("TRITON_INTERPRET") != "1":
            raise InputError("Triton was imported before its interpreter was asked for; set TRITON_INTERPRET=1.")
        os.environ["TRITON_INTERPRET"] = "1"
    try:
        from reticent_bench.lens import page as lens_page
        from reticent_bench.lens import report as lens_report
    except ModuleNotFoundError as error:
        raise InputError(f"{error.name} is not installed, and the lens' kernels need it: pip install triton.") from None

    name = "lens-check" if check_only else name

    def save(figures: dict[str, Any]) -> None:
        figures["made_by"] = provenance(command_line(), 0, VERSIONS)
        write(out, name, figures, lens_page.render(figures) + footer(figures))

    def say(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    if check_only:
        dtypes = (torch.bfloat16, torch.float16) if device.type == "cuda" else (torch.bfloat16,)
        figures: dict[str, Any] = {
            "device": lens_report.device_of(device),
            "exactness": lens_report.exact(device, dtypes),
            "missing": [],
        }
        save(figures)
    else:
        figures = lens_report.measure(lens_report.Sizes(), device, minutes, say, save, parts or PARTS)
        if drawing := lens_page.roofline(figures):
            (out / f"{name}.svg").write_text(drawing)
    page = (out / f"{name}.md").read_text()
    wrong = [
        row
        for part in ("exactness", "agreement", "cosines", "logprobs")
        for row in figures.get(part, [])
        if row["faults"]
    ]
    if wrong:
        raise InputError(f"{len(wrong)} checks of the kernels failed; see {out / name}.md.")
    return page


def compile_only(out: Path) -> str:
    """Writes lens-compile.json and lens-compile.md: what the compiler makes of every kernel for Hopper.

    Rows of another Triton stay in the file, if they are of the same commit. Returns the page.
    Raises InputError where Triton is missing or interprets, and where a shipped kernel is not compiled as it has to be.
    """
    if os.environ.get("TRITON_INTERPRET") == "1":
        raise InputError("TRITON_INTERPRET=1 is set, and the interpreter compiles nothing; unset it.")
    try:
        from reticent_bench.lens import compile as lens_compile
    except ModuleNotFoundError as error:
        raise InputError(f"{error.name} is not installed, and the lens' kernels need it: pip install triton.") from None
    shipped, raced = (lens_compile.rows_of(list(some)) for some in (lens_compile.shipped(), lens_compile.raced()))
    figures: dict[str, Any] = {"shipped": shipped, "raced": raced, "cuts": lens_compile.cuts(shipped)}
    figures["made_by"] = provenance(command_line(), 0, VERSIONS)
    path = out / "lens-compile.json"
    figures = lens_compile.joined(json.loads(path.read_text()) if path.exists() else {}, figures)
    page = lens_compile.render(figures) + footer(figures)
    write(out, path.stem, figures, page)
    if wrong := [row for row in shipped if row["faults"]]:
        raise InputError(
            f"{len(wrong)} shipped kernels are not compiled as they have to be; see {path.with_suffix('.md')}."
        )
    return page


def main() -> None:
    """Measures, writes and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    parser.add_argument("--check-only", action="store_true", help="only the exactness suite")
    parser.add_argument("--compile-only", action="store_true", help="only what the compiler makes of the kernels")
    parser.add_argument("--minutes", type=float, default=8.0, help="what has not begun by then is left out, and named")
    parser.add_argument("--part", action="append", choices=PARTS, help="only this part; can be given again")
    parser.add_argument("--name", default="lens", help="of the files")
    arguments = parser.parse_args()
    try:
        if arguments.compile_only and arguments.check_only:
            raise InputError(
                "Expected --check-only or --compile-only, got both: one needs Triton's interpreter, the other its "
                "compiler."
            )
        if arguments.compile_only:
            print(compile_only(arguments.out))
        else:
            print(measure(arguments.out, arguments.check_only, arguments.minutes, arguments.part or (), arguments.name))
    except InputError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
