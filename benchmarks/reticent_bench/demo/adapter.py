r"""Writes the adapter of `reticent demo --model` from a taught copy.

reticent host tune .models/smollm2-135m-instruct COPY --people 8 --epochs 10 --rank 16 --learning-rate 0.001 \
    --batch-tokens 2048 --draw 7 --replay 150 --compile
python -m reticent_bench.demo.adapter COPY guard/reticent/assets/smollm2
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reticent_detectors.host.detached import WEIGHTS, detach

app = typer.Typer(add_completion=False)


@app.command()
def write(copy: Annotated[Path, typer.Argument()], out: Annotated[Path, typer.Argument()]) -> None:
    """Writes the adapter without the path of its model, its weights in bfloat16."""
    detach(copy, out)
    typer.echo(f"{out}: {(out / WEIGHTS).stat().st_size / 1e6:.2f} MB of weights")


if __name__ == "__main__":
    app()
