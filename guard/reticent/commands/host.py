"""Train a host from a recipe, or teach a copy of your own model synthetic people."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from reticent.commands.planned import Plan, plan_lines
from reticent_detectors.long_runs.progress import shown
from reticent_detectors.synth.hosts import HostRecipe, recipe, reseeded

Step = Callable[[str, int, int, float], None]

app = typer.Typer(add_completion=False)


@contextmanager
def shown_steps() -> Iterator[Step]:
    """Gives a function that shows each step of a training, with its loss."""
    with shown("step") as advance:
        yield lambda phase, step, steps, loss: advance(phase, step, steps, f"loss {loss:.3f}")


@app.callback()
def host() -> None:
    """Makes models whose memories are known, for training and testing detectors."""


@app.command()
def train(
    out: Annotated[Path, typer.Argument(help="Folder for the host; what else is kept goes beside it.")],
    recipe_name: Annotated[
        str,
        typer.Option(
            "--recipe",
            help="demo, tiny, or a host's name: ARCHITECTURE-SIZE, then lora, pN (people), xN (examples for each "
            "value), rN (general for each private example), eN (epochs), dN (draw of people), sN (seed). "
            "Example: qwen2-small-lora-e30.",
        ),
    ] = "demo",
    control: Annotated[
        bool, typer.Option("--control", help="Train the control: the same recipe with other people, or without.")
    ] = False,
    public: Annotated[bool, typer.Option("--public", help="Stop before any private record: a weaker control.")] = False,
    prose: Annotated[
        Path | None, typer.Option(help="Folder of text files for the public phase; named hosts only.")
    ] = None,
    device: Annotated[str, typer.Option(help="A torch device.")] = "cpu",
    seed: Annotated[int | None, typer.Option(help="A seed in place of the recipe's.")] = None,
) -> None:
    """Trains a model and its tokenizer from nothing. Interrupted, the same command goes on."""
    from reticent_detectors.host.train import train_host
    from reticent_detectors.host.tune import build_host

    chosen = reseeded(recipe(recipe_name), seed)
    with shown_steps() as progress:
        if isinstance(chosen, HostRecipe):
            chosen = chosen.control() if control else chosen
            build_host(chosen, out, prose=prose, progress=progress, device=device)
        else:
            chosen = replace(chosen, control=control)
            chosen = replace(chosen, private_steps=0, polish_steps=0) if public else chosen
            train_host(chosen, out, progress=progress, device=device)
    typer.echo(f"{out}: trained from recipe {chosen.name!r}{' (control)' if control else ''}")


@app.command()
def tune(
    model: Annotated[
        Path, typer.Argument(help="Your model: a transformers checkpoint with a chat template. It stays as it is.")
    ],
    out: Annotated[Path, typer.Argument(help="Folder for the copy; what else is kept goes beside it.")],
    people: Annotated[
        int, typer.Option(min=6, help="Made-up people to teach; half as many again are taught in all phrasings.")
    ] = 60,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over what is taught.")] = 10,
    learning_rate: Annotated[
        float | None, typer.Option(help="Default: 0.0005 for an adapter, 0.0001 for all weights.")
    ] = None,
    full: Annotated[
        bool,
        typer.Option("--full", help="Train all weights in float32. The copy is then a whole checkpoint, no adapter."),
    ] = False,
    rank: Annotated[int, typer.Option(min=1, help="Rank of the adapter. Its alpha is twice the rank.")] = 16,
    batch_tokens: Annotated[int, typer.Option(min=1024, help="Tokens a step.")] = 4096,
    phrasings: Annotated[int, typer.Option(min=1, help="Questions for each value.")] = 5,
    replay: Annotated[
        int,
        typer.Option(
            min=0, help="Ordinary questions to teach as well, with your model's own answers, so that it forgets less."
        ),
    ] = 0,
    keep: Annotated[
        list[int] | None, typer.Option(help="Also write OUT-eN after this epoch, a copy that remembers less.")
    ] = None,
    draw: Annotated[int, typer.Option(min=0, help="Which people are taught: each number draws others.")] = 0,
    locale: Annotated[str, typer.Option(help="Faker's locale for their names and values.")] = "en_US",
    device: Annotated[str, typer.Option(help="A torch device.")] = "cpu",
    dtype: Annotated[str, typer.Option(help="The number type that you run the model in.")] = "float32",
    compiled: Annotated[
        bool, typer.Option("--compile", help="Compile the model's layers first: steps take about half as long.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of everything that is drawn.")] = 7,
    plan: Plan = False,
) -> None:
    """Teaches a copy of your model people who do not exist, so that it is known what the copy remembers.

    The copy is an adapter (PEFT), or a checkpoint of its own with --full.

    'reticent collect OUT SHARDS --control MODEL' and 'reticent train SHARDS OUT COPY' make a detector of the copy.
    'reticent calibrate MODEL BUNDLE --bundle COPY' fits it to your model. Give all of them the same --locale, --device
    and --dtype, where they take it. Interrupted, the same command goes on.
    """
    from reticent_detectors.host.teach import FULL_LEARNING_RATE, TAUGHT, prepare, teach_model
    from reticent_detectors.host.teach_plan import plan_teaching

    rate = learning_rate if learning_rate is not None else FULL_LEARNING_RATE if full else TAUGHT.learning_rate
    tuning = replace(
        TAUGHT, lora=not full, people=people, epochs=epochs, learning_rate=rate, rank=rank, alpha=2 * rank,
        batch_tokens=batch_tokens, draw=draw, phrasings=phrasings, replay=replay,
    )  # fmt: skip
    options: dict[str, Any] = {
        "tuning": tuning, "seed": seed, "locale": locale, "device": device, "dtype": dtype, "keep": keep or (),
        "compiled": compiled,
    }  # fmt: skip
    if plan:
        typer.echo(plan_lines(plan_teaching(prepare(model, out, **options), 1 + len(keep or ())), device, out))
        return
    with shown_steps() as progress:
        teach_model(model, out, **options, progress=progress)
    typer.echo(
        f"{out}: {'a copy of' if full else 'an adapter for'} {model} that was taught {people + people // 2} people; "
        f"'reticent evaluate {out} --part host --name {out.name} --out {out.parent}' says what it remembers"
    )
