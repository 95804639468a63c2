"""`reticent audit inversion`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from reticent_bench.audits.commands import options as shared
from reticent_bench.audits.commands.options import one_of, shared_options


def inversion(
    target: Annotated[
        str | None, typer.Argument(help="Folder of a checkpoint or an adapter; without it, --encoder or --embeddings.")
    ] = None,
    source: Annotated[
        str,
        typer.Option(
            help="Of a folder: 'surfaces', what the guard exposes or keeps, or 'states', the model's hidden states."
        ),
    ] = "surfaces",
    encoder: Annotated[
        Path | None,
        typer.Option(
            help=(
                "Folder of a sentence encoder that embeds the texts, such as that of "
                "'reticent models get all-minilm-l6-v2'."
            )
        ),
    ] = None,
    embeddings: Annotated[
        Path | None, typer.Option(help=".npz file with an array 'vectors', one row for each line of --texts.")
    ] = None,
    texts: Annotated[
        Path | None,
        typer.Option(
            help=(
                "JSON lines with text, person, values and kinds. Without it, sentences about the people of the "
                "target's recipe.json ('reticent host tune'), or of --recipe."
            )
        ),
    ] = None,
    recipe: Annotated[
        Path | None,
        typer.Option(help="Of --encoder: folder whose recipe.json has the people whom sentences are made about."),
    ] = None,
    attack_people: Annotated[int, typer.Option(min=5, help="Of a recipe: people whom the attacker learns from.")] = 300,
    test_people: Annotated[int, typer.Option(min=5, help="Of a recipe: people whom it is tested on.")] = 100,
    each: Annotated[int, typer.Option(min=1, help="Of a recipe: values of each person.")] = 3,
    trainings: Annotated[int, typer.Option(min=1, help="Of each attacker.")] = 3,
    steps: Annotated[int, typer.Option(min=1, help="Of each training.")] = 300,
    names: Annotated[
        int, typer.Option(min=0, max=16, help="As for 'reticent collect': other names that each span is read under.")
    ] = 4,
    model: shared.Model = None, bundle: shared.Bundle = None, policy: shared.PolicyFile = None,
    records: shared.Records = None, records_key_file: shared.RecordsKeyFile = None, base_model: shared.BaseModel = None,
    device: shared.Device = None, dtype: shared.Dtype = None, max_calls: shared.MaxCalls = None,
    max_tokens: shared.MaxTokens = None, max_minutes: shared.MaxMinutes = None, seed: shared.Seed = 0,
    out: shared.Out = Path("audit-inversion"), fail_above: shared.FailAbove = None, plan: shared.Plan = False,
) -> None:  # fmt: skip
    """Reads texts and values from vectors: an encoder's, a file's, hidden states, or what the guard shows or keeps."""
    from reticent_bench.audits.inversion.command_parts import Population, VectorSource, run_surfaces, run_vectors
    from reticent_bench.audits.inversion.settings import DecoderSettings, InversionSettings
    from reticent_bench.audits.options import refuse_alone
    from reticent_detectors.errors import InputError

    if [target, encoder, embeddings].count(None) != 2:
        raise InputError("Expected one of these: the folder of a model, --encoder or --embeddings.")
    if target is not None and target.startswith(("http://", "https://")):
        raise InputError("Vectors are read in this process. Expected the folder of a model, got a server.")
    source = one_of("--source", source, ("surfaces", "states"))
    reads_surfaces = target is not None and source == "surfaces"
    if embeddings is not None and texts is None:
        raise InputError("--embeddings goes with --texts: the texts that the vectors stand for.")
    if encoder is not None and (texts is None) == (recipe is None):
        raise InputError("--encoder goes with --texts, or with --recipe. Give one of them.")
    refuse_alone("--recipe", recipe, "--encoder", encoder is not None)
    if reads_surfaces and texts is not None:
        raise InputError(
            "--texts goes with --encoder, --embeddings or --source states; surfaces are of the host's own answers."
        )
    for flag, value in (("--device", device), ("--dtype", dtype), ("--model", model)):
        refuse_alone(flag, value, "a model", target is not None)
    of_the_guard: tuple[tuple[str, object], ...] = (
        ("--bundle", bundle), ("--policy", policy), ("--records", records), ("--records-key-file", records_key_file),
        ("--base-model", base_model),
    )  # fmt: skip
    for flag, given_to_it in of_the_guard:
        refuse_alone(flag, given_to_it, "--source surfaces", reads_surfaces)
    given = {**locals(), "target": str(embeddings or encoder or target), "api_key_variable": None}
    asked = InversionSettings(
        DecoderSettings(steps=steps), counted="values" if reads_surfaces else "all", trainings=trainings, seed=seed
    )
    population = Population(attack_people, test_people, each, names)
    say = partial(typer.echo, err=True)
    if reads_surfaces:
        raise typer.Exit(run_surfaces(shared_options({**given, "guard": "off,on"}), population, asked, say))
    vectors = VectorSource(embeddings=embeddings, encoder=encoder, texts=texts, recipe=recipe)
    raise typer.Exit(run_vectors(shared_options(given), vectors, population, asked, say))
