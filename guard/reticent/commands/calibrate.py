"""Fit a detector of other models to your own; no private data is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from reticent.commands.planned import PLAN_HELP, plan_lines
from reticent.commands.train import RATES_SHOWN
from reticent.shipped import default_bundle
from reticent_detectors.long_runs.progress import shown

app = typer.Typer(add_completion=False)


@app.command()
def calibrate(
    host: Annotated[Path, typer.Argument(help="Your model: a transformers checkpoint or a PEFT adapter.")],
    out: Annotated[Path, typer.Argument(help="Folder for the fitted bundle.")],
    bundle: Annotated[
        Path | None,
        typer.Option(
            help="A universal bundle, or one of a copy of your model that 'reticent host tune' taught; the universal one that comes along if not given."
        ),
    ] = None,
    taught: Annotated[
        list[Path] | None,
        typer.Option(
            help="A collection of a copy that 'reticent host tune' taught, made with your model as --control: sets from which likelihood the base counts as having known a value. May be given several times."
        ),
    ] = None,
    nothing_private: Annotated[
        bool,
        typer.Option(
            "--nothing-private",
            help="Nothing private was added to your model (as with base 'self'): thresholds are set where these shares of what it makes up reach them.",
        ),
    ] = False,
    people: Annotated[int, typer.Option(min=5, help="How many made-up people the host is asked about.")] = 100,
    locale: Annotated[str, typer.Option(help="Faker's locale for their names and values.")] = "en_US",
    work: Annotated[
        Path | None, typer.Option(help="Folder for what the host said, as features; beside OUT if not given.")
    ] = None,
    device: Annotated[str, typer.Option(help="A torch device.")] = "cpu",
    dtype: Annotated[
        str, typer.Option(help="The number type that you run it in: a fitted bundle fits the weights as loaded.")
    ] = "float32",
    seed: Annotated[int, typer.Option(help="Of the people and the choice of prompts.")] = 0,
    trusted_key: Annotated[
        Path | None,
        typer.Option(
            "--trusted-key",
            help="Public key, PEM: the bundle that is fitted must be signed by its owner. OUT is not signed.",
        ),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing bundle.")] = False,
    plan: Annotated[bool, typer.Option("--plan", help=PLAN_HELP)] = False,
) -> None:
    """Asks the host about people who do not exist, and moves the thresholds by what it says of them. Interrupted, it goes on."""
    from reticent_detectors.bundle.format import Bundle, read_public_key
    from reticent_detectors.capture import HostAdapter
    from reticent_detectors.collection.shards import ShardReader
    from reticent_detectors.errors import InputError
    from reticent_detectors.features.features import FeatureSpec
    from reticent_detectors.fitting.host_calibration import (
        adapt,
        ask_strangers,
        check_fittable,
        check_like,
        estimate_asking,
    )
    from reticent_detectors.fitting.known_before import base_threshold
    from reticent_detectors.host.load import load_host
    from reticent_detectors.host.memory import check_room

    if out.exists() and not overwrite:
        raise InputError(f"{out} exists; choose another path or pass --overwrite.")
    bundle = default_bundle() if bundle is None else bundle
    made = Bundle.load(bundle, trusted_key=None if trusted_key is None else read_public_key(trusted_key))
    check_fittable(made)
    copies = [ShardReader(folder).load() for folder in taught or ()]
    if copies:
        base_threshold(copies)  # an error comes before the work
    check_room(host, device, dtype)
    model, tokenizer = load_host(host, device, dtype)
    check_like(made, HostAdapter.attach(model, tokenizer), tokenizer)
    folder, spec = work or out.with_name(f"{out.name}-work"), FeatureSpec.of(made.feature_options)
    question_options: dict[str, Any] = {"people": people, "seed": seed, "locale": locale}
    if plan:
        typer.echo(
            plan_lines(estimate_asking(model, tokenizer, folder, spec, device, **question_options), device, folder)
        )
        return
    with shown("prompt") as advance:
        values_of_strangers = ask_strangers(
            model, tokenizer, folder, spec, **question_options,
            progress=lambda done, total: advance("calibrate", done, total),
        )  # fmt: skip
    fitted, shift = adapt(
        made,
        values_of_strangers,
        model,
        tokenizer,
        out,
        taught=copies,
        nothing_private=nothing_private,
        overwrite=overwrite,
    )
    thresholds = ", ".join(
        f"{float(rate):.0%}: {fitted.calibration.threshold(float(rate)):.3f}" for rate in RATES_SHOWN
    )
    typer.echo(
        f"{out}: by {values_of_strangers.rows} values said of strangers, scores lie {abs(shift):.2f} {'higher' if shift > 0 else 'lower'} than on the "
        f"hosts that the detector was trained on; thresholds {'are quantiles of these scores' if nothing_private else 'were moved by as much, and raised where too many of them were reached'}; "
        f"at false positives of {thresholds}"
    )
    if copies:
        base = fitted.manifest["base"]
        typer.echo(
            f"Known before counts what the base finds likelier than {base['threshold']:.2f} nats a token; "
            f"{base['taught values that reach it']} of {base['taught values']} taught values reach it."
        )
