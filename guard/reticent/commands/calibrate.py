"""Fit a detector of other models to your own; no private data is needed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reticent.commands import new_bundle
from reticent.commands.planned import Plan, plan_lines
from reticent.shipped import default_bundle
from reticent_detectors.errors import InputError
from reticent_detectors.long_runs.progress import shown

if TYPE_CHECKING:
    from reticent.records import RecordsIndex
    from reticent_detectors.bundle.format import Bundle
    from reticent_detectors.collection.shards import FeatureTable

app = typer.Typer(add_completion=False)


@app.command()
def calibrate(
    host: Annotated[Path, typer.Argument(help="Your model: a transformers checkpoint or a PEFT adapter.")],
    out: Annotated[Path, typer.Argument(help="Folder for the fitted bundle.")],
    bundle: Annotated[
        Path | None,
        typer.Option(
            help="A universal bundle, or one of a copy of your model that 'reticent host tune' taught. "
            "Default: the universal one that comes with Reticent."
        ),
    ] = None,
    taught: Annotated[
        list[Path] | None,
        typer.Option(
            help="A collection of a copy that 'reticent host tune' taught, made with your model as --control. "
            "It sets the likelihood from which the base counts as having known a value. May be given several times."
        ),
    ] = None,
    nothing_private: Annotated[
        bool,
        typer.Option(
            "--nothing-private",
            help="Say that nothing private was added to your model (as with base 'self'). "
            "Thresholds are then set where given shares of the values that it makes up reach them.",
        ),
    ] = False,
    records: Annotated[
        Path | None,
        typer.Option(
            help="An index of what your model was taught ('reticent index'). What it says of strangers and the index "
            "does not hold is made up: thresholds are then set where given shares of these values reach them."
        ),
    ] = None,
    records_key_file: Annotated[Path | None, typer.Option(help="File of the index's key.")] = None,
    base_model: Annotated[
        Path | None,
        typer.Option(help="Your model before it was taught private data, if the guard asks it (base)."),
    ] = None,
    people: Annotated[int, typer.Option(min=5, help="How many made-up people the host is asked about.")] = 100,
    locale: Annotated[str, typer.Option(help="Faker's locale for their names and values.")] = "en_US",
    work: Annotated[
        Path | None, typer.Option(help="Folder for the features of the host's answers. Default: beside OUT.")
    ] = None,
    device: Annotated[str, typer.Option(help="A torch device.")] = "cpu",
    dtype: Annotated[
        str, typer.Option(help="The number type that you run it in: a fitted bundle fits the weights as loaded.")
    ] = "float32",
    seed: Annotated[int, typer.Option(help="Seed of the people and of the choice of prompts.")] = 0,
    trusted_key: Annotated[
        Path | None,
        typer.Option(
            "--trusted-key",
            help="Public key, PEM. Its owner must have signed the bundle that is fitted. OUT is not signed.",
        ),
    ] = None,
    overwrite: new_bundle.Overwrite = False,
    plan: Plan = False,
) -> None:
    """Asks the host about people who do not exist, and fits the thresholds to its answers. Interrupted, it goes on."""
    from reticent_detectors.capture import HostAdapter
    from reticent_detectors.features.features import FeatureSpec
    from reticent_detectors.fitting.host_calibration import adapt, ask_strangers, check_like, estimate_asking
    from reticent_detectors.host.load import load_base, load_host
    from reticent_detectors.host.memory import check_room

    new_bundle.check_new(out, overwrite)
    index = read_index(records, records_key_file)
    if nothing_private and index is not None:
        raise InputError("Expected --nothing-private or --records: a model with records was taught something private.")
    made = _bundle(default_bundle() if bundle is None else bundle, trusted_key)
    copies = _taught_copies(taught or ())
    check_room(host, device, dtype, *([base_model] if base_model is not None else []))
    model, tokenizer = load_host(host, device, dtype)
    base = None if base_model is None else load_base(base_model, host, tokenizer, device, dtype)
    check_like(made, HostAdapter.attach(model, tokenizer), tokenizer)
    folder, spec = work or out.with_name(f"{out.name}-work"), FeatureSpec.of(made.feature_options)
    questions: dict[str, Any] = {"people": people, "seed": seed, "locale": locale, "base": base, "records": index}
    if plan:
        estimate = estimate_asking(model, tokenizer, folder, spec, device, **questions)
        typer.echo(plan_lines(estimate, device, folder))
        return
    with shown("prompt") as advance:
        questions["progress"] = lambda done, total: advance("calibrate", done, total)
        strangers = ask_strangers(model, tokenizer, folder, spec, **questions)
    fitted, shift = adapt(
        made, strangers, model, tokenizer, out,
        taught=copies, nothing_private=nothing_private, overwrite=overwrite,
    )  # fmt: skip
    _report(out, fitted, shift, strangers.rows, nothing_private or index is not None)
    if copies:
        _report_base(fitted)


def read_index(path: Path | None, key_file: Path | None) -> RecordsIndex | None:
    """Loads an index of records. Raises InputError for a key without an index, or where they do not match."""
    from reticent.records import RecordsIndex

    if path is None:
        if key_file is not None:
            raise InputError("--records-key-file goes with --records, the index that 'reticent index' wrote.")
        return None
    return RecordsIndex.open(path, key_file)


def _bundle(path: Path, trusted_key: Path | None) -> Bundle:
    from reticent_detectors.bundle.format import Bundle, read_public_key

    return Bundle.load(path, trusted_key=None if trusted_key is None else read_public_key(trusted_key))


def _taught_copies(folders: list[Path] | tuple[()]) -> list[FeatureTable]:
    """Loads the collections of taught copies, and raises an error if they set no threshold on the base."""
    from reticent_detectors.collection.shards import ShardReader
    from reticent_detectors.fitting.known_before import base_threshold

    copies = [ShardReader(folder).load() for folder in folders]
    if copies:
        base_threshold(copies)  # an error comes before the work
    return copies


def _report(out: Path, fitted: Bundle, shift: float, values: int, by_quantile: bool) -> None:
    """Prints what the thresholds rest on, by how many logits they moved, and what they are."""
    from reticent_detectors.fitting.host_calibration import OTHERS_SHARE

    rates = new_bundle.shown_thresholds(fitted.calibration)
    on = f"{values} values said of strangers, of which {OTHERS_SHARE:.0%} are taken for other people's"
    if by_quantile:
        on = f"{fitted.calibration.negatives['']} made-up values, of {values} said of strangers"
    typer.echo(
        f"{out}: thresholds rest on {on}. They lie {abs(shift):.2f} logits {'higher' if shift > 0 else 'lower'} than "
        f"before; at false positives of {rates}"
    )
    if not by_quantile:
        typer.echo(
            "These rates are a guess. Say --records, or --nothing-private if that is so, and they are measured.",
            err=True,
        )


def _report_base(fitted: Bundle) -> None:
    """Prints the threshold on the base (nats a token), and how many taught values reach it."""
    base = fitted.manifest["base"]
    typer.echo(
        f"Known before counts what the base finds likelier than {base['threshold']:.2f} nats a token; "
        f"{base['taught values that reach it']} of {base['taught values']} taught values reach it."
    )
