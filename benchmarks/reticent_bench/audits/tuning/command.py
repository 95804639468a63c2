"""`reticent bench tuning`: the tuning matrix on a model of one's own."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer


def tuning(
    model: Annotated[Path, typer.Argument(help="Folder of a transformers checkpoint. It stays as it is.")],
    method: Annotated[
        list[str] | None, typer.Option(help="full, lora, prompt, prefix or infilling; all five if not given.")
    ] = None,
    epsilon: Annotated[
        list[float] | None, typer.Option(help="inf is without differential privacy; inf and 8 if not given.")
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Expected passes over the texts.")] = 5,
    batch: Annotated[int, typer.Option(min=1, help="Expected texts of a step (virtual batch). The paper's is 1024.")] = 256,
    rows_at_once: Annotated[int, typer.Option(min=1, help="Texts whose gradients are in memory together.")] = 16,
    rate: Annotated[list[str] | None, typer.Option(help="METHOD=RATE: the learning rate of a method.")] = None,
    delta: Annotated[float | None, typer.Option(help="Of the guarantee; 1e-5 if not given.")] = None,
    clip: Annotated[float | None, typer.Option(help="Largest norm of a text's gradient under differential privacy; 0.1 if not given.")] = None,
    people: Annotated[int, typer.Option(min=5, help="Members, and as many held-out people; a document each.")] = 200,
    base: Annotated[int, typer.Option(min=1, help="The i-th canary of a kind is repeated so often times i.")] = 1,
    samples: Annotated[int, typer.Option(min=0, help="Sampled answers for each kind of canary.")] = 96,
    guard: Annotated[bool, typer.Option("--guard/--no-guard", help="Ask undefended models behind the guard, too.")] = True,
    device: Annotated[str, typer.Option(help="A torch device.")] = "cpu",
    seed: Annotated[int, typer.Option(min=0, help="Of all that is drawn, noise too: keep it secret for a guarantee.")] = 0,
    work: Annotated[Path, typer.Option(help="Folder of finished cells and tuned models.")] = Path("runs/tuning"),
    out: Annotated[Path, typer.Option(help="Folder for report.html, report.md, report.json and junit.xml.")] = Path("tuning"),
    plan: Annotated[bool, typer.Option("--plan", help="Only say what it will cost, by a few texts and answers.")] = False,
) -> None:  # fmt: skip
    """Privacy beside utility: five ways of tuning, with and without differential privacy. Interrupted, it continues."""
    from dataclasses import replace

    from reticent_bench.audits.attempts import check_writable
    from reticent_bench.audits.options import refuse_alone
    from reticent_bench.audits.report import write_report
    from reticent_bench.audits.tuning.accountant import noise_multiplier
    from reticent_bench.audits.tuning.matrix import finished, kept_folder, run_matrix
    from reticent_bench.audits.tuning.plan import lines
    from reticent_bench.audits.tuning.report import make_report
    from reticent_bench.audits.tuning.settings import CLIP, DELTA, METHODS, TuningSettings, cells
    from reticent_bench.audits.tuning.texts import draw_texts
    from reticent_bench.result import command_line, provenance
    from reticent_detectors.errors import InputError
    from reticent_detectors.progress import shown

    if not (model / "config.json").is_file():
        raise InputError(f"{model} is no checkpoint: expected a folder with config.json, weights and tokenizer.json.")
    chosen = cells(method or METHODS, epsilon or (float("inf"), 8.0))
    is_private = any(each.is_private for each in chosen)
    refuse_alone("--clip", clip, "a finite --epsilon", is_private)
    refuse_alone("--delta", delta, "a finite --epsilon", is_private)
    settings = TuningSettings(
        epochs=epochs, batch=batch, rows_at_once=rows_at_once, people=people, base=base, samples=samples, seed=seed,
        delta=DELTA if delta is None else delta, clip=CLIP if clip is None else clip,
    )  # fmt: skip
    rates = _rates(rate or ())
    if idle := sorted(set(rates) - {each.method for each in chosen}):
        raise InputError(
            f"--rate {idle[0]}=... does nothing: {idle[0]} is not tuned. Name it as --method, or leave the rate out."
        )
    settings = replace(settings, rates={**settings.rates, **rates})
    texts = draw_texts(seed, people, base)
    folder = model.resolve()
    if plan:
        done = finished(kept_folder(folder, texts, settings, work, guard), chosen)
        for line in lines(folder, chosen, done, texts, settings, noise_multiplier, guard=guard, device=device):
            typer.echo(line)
        return
    for each in (work, out):
        check_writable(each)
    with shown("step") as advance:
        found = run_matrix(
            folder, chosen, texts, settings, work, noise_multiplier, guard=guard, device=device, advance=advance
        )
    made_by = provenance(command_line(), seed, ("peft", "opacus", "scikit-learn", "scipy"))
    report = replace(make_report(found, settings), provenance=made_by)
    write_report(out, report)
    say = partial(typer.echo, err=True)
    for name, value in report.figures.items():
        say(
            f"{name}: "
            + ("not measured" if value is None else f"{value.value:.3f} [{value.low:.3f}, {value.high:.3f}]")
        )
    typer.echo(f"{out / 'report.html'}")


def _rates(given: list[str] | tuple[str, ...]) -> dict[str, float]:
    """Learning rates of METHOD=RATE."""
    from reticent_bench.audits.tuning.settings import METHODS
    from reticent_detectors.errors import InputError

    out = {}
    for text in given:
        name, _, number = text.partition("=")
        try:
            out[name] = float(number)
        except ValueError:
            out[name] = 0.0
        if name not in METHODS or not out[name] > 0:
            raise InputError(f"--rate: expected METHOD=RATE with a method of {', '.join(METHODS)} and a rate above 0.")
    return out
