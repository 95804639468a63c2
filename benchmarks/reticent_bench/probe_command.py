"""Make a probe of your model's states for the span finder, and put it into your model's bundle."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from reticent.commands import new_bundle
from reticent_detectors.errors import BundleMismatch, InputError
from reticent_detectors.long_runs.progress import shown

if TYPE_CHECKING:
    from reticent_bench.tagger.sets import Sets
    from reticent_detectors.bundle.format import Bundle
    from reticent_detectors.scoring.host_probe import HostProbe

app = typer.Typer(add_completion=False)
TEXTS = "real_answers"
"""A folder within that of the marked texts."""


@app.command()
def probe(
    host: Annotated[Path, typer.Argument(help="Your model: a transformers checkpoint or a PEFT adapter.")],
    out: Annotated[Path, typer.Argument(help="Folder for the bundle with the probe.")],
    bundle: Annotated[
        Path, typer.Option(help="Your model's bundle, made by 'reticent calibrate' or 'reticent train'.")
    ],
    minutes: Annotated[
        float, typer.Option(min=1.0, help="How long your model reads texts to learn from, at most.")
    ] = 60.0,
    work: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the states of these texts, from which an interrupted run goes on. "
            "Default: OUT-work, which is deleted when the bundle is written."
        ),
    ] = None,
    texts: Annotated[
        Path | None,
        typer.Option(
            help="Folder 'benchmarks' of a clone, with the marked texts. Default: that of the installed clone."
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Folder for the figures as probe-NAME.json and .md, by the name of HOST.")
    ] = None,
    device: Annotated[str, typer.Option(help="A torch device, for reading.")] = "cpu",
    dtype: Annotated[
        str, typer.Option(help="The number type that you run it in: a bundle fits the weights as loaded.")
    ] = "float32",
    trusted_key: Annotated[
        Path | None,
        typer.Option(
            "--trusted-key", help="Public key, PEM. Its owner must have signed the bundle. OUT is not signed."
        ),
    ] = None,
    overwrite: new_bundle.Overwrite = False,
) -> None:
    """Has your model read marked texts, trains a probe on its states, and measures it. Interrupted, it goes on."""
    import shutil

    from reticent_bench.tagger.probe import helps
    from reticent_detectors.bundle.format import write_bundle

    new_bundle.check_new(out, overwrite)
    made, sets = _own_bundle(bundle, trusted_key), _marked_texts(texts)
    folder = work or out.with_name(f"{out.name}-work")
    trained, figures = _trained(_Host(host, device, dtype), made, sets, folder, 60 * minutes)
    _report(figures, report)
    if not helps(figures):
        typer.echo(
            f"The finder is worse with it, so no bundle was written. Let the model read more: --minutes above "
            f"{minutes:g}, with the same --work ({folder}). A very small model may know too little.",
            err=True,
        )
        raise typer.Exit(1)
    write_bundle(out, made.network, made.manifest, made.card, probe=trained.to_bytes(), overwrite=overwrite)
    if work is None:
        shutil.rmtree(folder)
    typer.echo(f"{out}: the bundle with its probe. It is not signed.")


class _Host(NamedTuple):
    """Names a host, and how it is loaded."""

    path: Path
    device: str
    dtype: str


def _trained(host: _Host, bundle: Bundle, sets: Sets, folder: Path, seconds: float) -> tuple[HostProbe, dict[str, Any]]:
    """Has the host read the texts, and trains its probe. Raises BundleMismatch if the bundle is another host's."""
    from reticent_bench.tagger.host_states import HostStates
    from reticent_bench.tagger.probe import make, probed_layers, read_texts
    from reticent_detectors.capture import HostAdapter
    from reticent_detectors.host.load import load_host
    from reticent_detectors.host.memory import check_room

    check_room(*host)
    model, tokenizer = load_host(*host)
    adapter = HostAdapter.attach(model, tokenizer)
    bundle.check_fit(adapter, tokenizer)
    layers = probed_layers(adapter.num_layers)
    settings = {"host": adapter.fingerprint(tokenizer), "layers": layers, "texts": sets.digest}
    with shown("text") as advance:
        files = read_texts(sets, HostStates(adapter, tokenizer, layers), folder, seconds, advance, settings)
    with shown("step") as advance:
        probe, figures = make(sets, *files, layers, advance)
    figures["settings"] |= {"host": host.path.name, "of": adapter.num_layers}
    return probe, figures


def _own_bundle(path: Path, trusted_key: Path | None) -> Bundle:
    """Loads a bundle that fits one model. Raises BundleMismatch for one that fits any."""
    from reticent_detectors.bundle.format import Bundle, read_public_key

    made = Bundle.load(path, trusted_key=None if trusted_key is None else read_public_key(trusted_key))
    if made.universal:
        raise BundleMismatch(f"{path} fits any model, and a probe one alone; fit it first (reticent calibrate).")
    return made


def _marked_texts(given: Path | None) -> Sets:
    """Reads the marked texts of a clone. Raises InputError if they are not there."""
    from reticent_bench.tagger.sets import read_sets

    folder = Path(__file__).parents[1] if given is None else given
    if not (folder / TEXTS).is_dir():
        raise InputError(
            f"{folder} has no folder {TEXTS!r}: the marked texts lie in a clone of Reticent, not in its package. "
            "Name the clone's folder 'benchmarks' (--texts)."
        )
    return read_sets(folder)


def _report(figures: dict[str, Any], folder: Path | None) -> None:
    """Prints what the probe adds, and writes the page of it."""
    from reticent_bench.report.result import command_line, footer, provenance, show, write
    from reticent_bench.tagger.probe import render
    from reticent_bench.tagger.sets import SEED

    typer.echo(f"The probe learned {figures['settings']['texts']:,} texts. F1 of the finder on held-out texts:")
    for name, (without, beside) in ((name, own.values()) for name, own in figures["sets"].items()):
        typer.echo(f"  {name}: {show(without['F1'])} without it, {show(beside['F1'])} with it")
    if folder is not None:
        figures["made_by"] = provenance(command_line(), SEED)
        write(folder, f"probe-{figures['settings']['host']}", figures, render(figures) + footer(figures))
