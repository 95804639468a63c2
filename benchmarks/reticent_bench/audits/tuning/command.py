"""`reticent bench tuning`: the tuning matrix on a model of one's own."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reticent.commands.planned import say_that_it_measures

if TYPE_CHECKING:
    from reticent_bench.audits.report import Report


def tuning(
    model: Annotated[Path, typer.Argument(help="Folder of a transformers checkpoint. It stays as it is.")],
    texts: Annotated[
        Path | None, typer.Option(help="Of an encoder: JSON lines with text and label. A random half is trained on.")
    ] = None,
    most: Annotated[
        int | None, typer.Option(min=20, help="Of --texts: so many of them, at random; all if not given.")
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(help="full, lora, prompt, prefix or infilling; all that the model allows if not given."),
    ] = None,
    epsilon: Annotated[
        list[float] | None, typer.Option(help="inf is without differential privacy; inf and 8 if not given.")
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Expected passes over the texts.")] = 5,
    batch: Annotated[
        int, typer.Option(min=1, help="Expected texts of a step (virtual batch). The paper's is 1024.")
    ] = 256,
    rows_at_once: Annotated[int, typer.Option(min=1, help="Texts whose gradients are in memory together.")] = 16,
    rate: Annotated[list[str] | None, typer.Option(help="METHOD=RATE: the learning rate of a method.")] = None,
    delta: Annotated[float | None, typer.Option(help="Of the guarantee; 1e-5 if not given.")] = None,
    clip: Annotated[
        float | None,
        typer.Option(help="Largest norm of a text's gradient under differential privacy; 0.1 if not given."),
    ] = None,
    people: Annotated[
        int | None, typer.Option(min=5, help="Members, and as many held-out people; a document each. 200 if not given.")
    ] = None,
    base: Annotated[
        int | None, typer.Option(min=1, help="The i-th canary of a kind is repeated so often times i; 1 if not given.")
    ] = None,
    samples: Annotated[
        int | None, typer.Option(min=0, help="Sampled answers for each kind of canary; 96 if not given.")
    ] = None,
    guard: Annotated[
        bool, typer.Option("--guard/--no-guard", help="Ask undefended decoders behind the guard, too.")
    ] = True,
    device: Annotated[str, typer.Option(help="A torch device.")] = "cpu",
    seed: Annotated[
        int, typer.Option(min=0, help="Of all that is drawn, noise too: keep it secret for a guarantee.")
    ] = 0,
    work: Annotated[Path, typer.Option(help="Folder of finished cells and tuned models.")] = Path("runs/tuning"),
    out: Annotated[Path, typer.Option(help="Folder for report.html, report.md, report.json and junit.xml.")] = Path(
        "tuning"
    ),
    plan: Annotated[
        bool,
        typer.Option(
            "--plan", help="Only say what it will cost, by a few texts and answers.", callback=say_that_it_measures
        ),
    ] = False,
) -> None:
    """Privacy beside utility: five ways of tuning, with and without differential privacy. Interrupted, it continues.

    Decoders and encoder-decoders learn canaries and documents about made-up people, encoders classify your --texts.
    """
    from dataclasses import replace

    from reticent_bench.audits.labelled_texts import read_labelled
    from reticent_bench.audits.options import refuse_alone
    from reticent_bench.audits.report_files import write_report
    from reticent_bench.audits.resumable_attempts import check_writable
    from reticent_bench.audits.tuning.accountant import noise_multiplier
    from reticent_bench.audits.tuning.families import family_of, supported
    from reticent_bench.audits.tuning.matrix import finished, kept_folder, run_matrix
    from reticent_bench.audits.tuning.plan import lines
    from reticent_bench.audits.tuning.report import make_report
    from reticent_bench.audits.tuning.settings import CLIP, DELTA, METHODS, TuningSettings, cells
    from reticent_bench.audits.tuning.task import Texts
    from reticent_bench.audits.tuning.texts import draw_texts
    from reticent_bench.report.result import command_line, provenance
    from reticent_detectors.errors import InputError
    from reticent_detectors.long_runs.progress import shown

    if not (model / "config.json").is_file():
        raise InputError(f"{model} is no checkpoint: expected a folder with config.json, weights and tokenizer.json.")
    folder = model.resolve()
    family = family_of(folder)
    if family == "encoder" and texts is None:
        raise InputError("This model is an encoder. Expected --texts: JSON lines with text and label.")
    given: dict[str, Any] = {"people": people, "base": base, "samples": samples}
    _refuse_of_other_family(family == "encoder", given, texts)
    refuse_alone("--most", most, "--texts", texts is not None)
    epsilons = epsilon or (float("inf"), 8.0)
    is_private = any(each.is_private for each in cells(method or METHODS, epsilons))
    refuse_alone("--clip", clip, "a finite --epsilon", is_private)
    refuse_alone("--delta", delta, "a finite --epsilon", is_private)
    settings = TuningSettings(
        epochs=epochs, batch=batch, rows_at_once=rows_at_once, seed=seed,
        delta=DELTA if delta is None else delta, clip=CLIP if clip is None else clip,
        **{name: count for name, count in given.items() if count is not None},
    )  # fmt: skip
    chosen = cells(method or supported(folder, family, settings), epsilons)
    rates = _rates(rate or (), {each.method for each in chosen})
    settings = replace(settings, rates={**settings.rates, **rates})
    drawn: Texts = (
        draw_texts(seed, settings.people, settings.base) if texts is None else read_labelled(texts, most, seed)
    )
    if plan:
        done = finished(kept_folder(folder, drawn, settings, work, guard), chosen)
        for line in lines(folder, chosen, done, drawn, settings, noise_multiplier, guard=guard, device=device):
            typer.echo(line)
        return
    for each in (work, out):
        check_writable(each)
    with shown("step") as advance:
        found = run_matrix(
            folder, chosen, drawn, settings, work, noise_multiplier, guard=guard, device=device, advance=advance
        )
    made_by = provenance(command_line(), seed, ("peft", "opacus", "scikit-learn", "scipy"))
    report = replace(make_report(found, settings), provenance=made_by)
    write_report(out, report)
    _echo_figures(report)
    typer.echo(f"{out / 'report.html'}")


def _refuse_of_other_family(is_encoder: bool, canaries: Mapping[str, int | None], texts: Path | None) -> None:
    """An encoder learns texts with labels, the other families canaries."""
    from reticent_bench.audits.options import refuse_alone, refuse_together

    for name, count in canaries.items():
        advice = "Texts with labels hold no canaries; leave it out."
        refuse_together(f"--{name}", count, "an encoder", is_encoder, advice)
    refuse_alone("--texts", texts, "an encoder", is_encoder)


def _echo_figures(report: Report) -> None:
    for name, value in report.figures.items():
        shown = "not measured" if value is None else f"{value.value:.3f} [{value.low:.3f}, {value.high:.3f}]"
        typer.echo(f"{name}: {shown}", err=True)


def _rates(given: Sequence[str], tuned: Collection[str]) -> dict[str, float]:
    """Learning rates of METHOD=RATE, each of a method that is tuned."""
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
    if idle := sorted(set(out) - set(tuned)):
        raise InputError(
            f"--rate {idle[0]}=... does nothing: {idle[0]} is not tuned. Name it as --method, or leave the rate out."
        )
    return out
