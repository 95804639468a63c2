"""Collect labelled features from a host, for training and testing detectors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reticent.commands.planned import Plan as PlanOption
from reticent.commands.planned import plan_lines
from reticent_detectors.long_runs.progress import shown

if TYPE_CHECKING:
    from reticent_detectors.features.features import FeatureSpec

app = typer.Typer(add_completion=False)


@app.command()
def collect(
    host: Annotated[Path, typer.Argument(help="Made by 'reticent host train' or 'reticent host tune'.")],
    out: Annotated[Path, typer.Argument(help="Folder for the collection.")],
    control: Annotated[Path | None, typer.Option(help="The control model, for the label 'inferable'.")] = None,
    baselines: Annotated[
        bool, typer.Option("--baselines", help="Also store what baselines need: hidden states, so personal data.")
    ] = False,
    asked_only: Annotated[
        bool, typer.Option("--asked-only", help="Leave out documents, echoes, menus and cut values.")
    ] = False,
    drawn: Annotated[
        float, typer.Option(help="Share of prompts that are sampled and differentiated for the baselines.")
    ] = 0.05,
    names: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=16,
            help="How many other names each span is read again under; 4 if not given, with --output-only 0.",
        ),
    ] = None,
    people: Annotated[float, typer.Option(min=0.01, max=1.0, help="Share of the people that is asked about.")] = 1.0,
    output_only: Annotated[
        bool,
        typer.Option(
            "--output-only",
            help="Store features of the model's output alone, without inner layers, for 'reticent token-score'.",
        ),
    ] = False,
    unseen_people: Annotated[
        int | None, typer.Option(min=2, help="Most people to ask about whom the model was not taught.")
    ] = None,
    test_only: Annotated[
        bool,
        typer.Option(
            "--test-only",
            help="Ask about everybody in test phrasings alone, to judge detectors of other models by the collection.",
        ),
    ] = False,
    test_phrasings: Annotated[int, typer.Option(min=1, help="Questions for each value of test people.")] = 8,
    train_phrasings: Annotated[int, typer.Option(min=1, help="Questions for each value of training people.")] = 5,
    device: Annotated[str, typer.Option(help="A torch device.")] = "cpu",
    dtype: Annotated[str, typer.Option(help="The number type that you run the model in.")] = "float32",
    seed: Annotated[int, typer.Option(help="Seed of the choice of prompts.")] = 0,
    plan_only: PlanOption = False,
) -> None:
    """Asks the host, finds and labels the spans, and stores their features without values. Interrupted, it goes on."""
    from reticent_detectors.baselines.evidence import EvidenceSpec
    from reticent_detectors.collection.collect import collect as run
    from reticent_detectors.collection.collect import collector
    from reticent_detectors.collection.estimate import estimate_collection
    from reticent_detectors.collection.plan import Plan
    from reticent_detectors.host.load import load_base, load_host, recipe_of
    from reticent_detectors.host.memory import check_room
    from reticent_detectors.synth.cast import cast

    people_of_host = cast(recipe_of(host))
    check_room(host, device, dtype, *([control] if control is not None else []))
    model, tokenizer = load_host(host, device, dtype)
    other = None if control is None else load_base(control, host, tokenizer, device, dtype)
    plan = Plan(
        people=people,
        seed=seed,
        unseen_people=unseen_people,
        train_phrasings=train_phrasings,
        test_phrasings=test_phrasings,
        test_only=test_only,
        unseen_phrasings=test_phrasings if test_only else Plan().unseen_phrasings,
    )
    if asked_only:
        plan = replace(plan, writers=0, echoes=0, menus=0, fragments=False)
    spec = feature_spec(output_only, names)
    evidence = EvidenceSpec(drawn=drawn) if baselines else None
    options: dict[str, Any] = {"plan": plan, "spec": spec, "evidence": evidence, "control": other}
    if plan_only:
        models = {"weights": model} | ({"control": other} if other is not None else {})
        with collector(model, tokenizer, people_of_host, **options) as made:
            typer.echo(plan_lines(estimate_collection("collect", made, out, models, device), device, out))
        return
    with shown("prompt") as advance:
        counts = run(
            model, tokenizer, people_of_host, out, **options,
            progress=lambda done, total: advance("collect", done, total),
        )  # fmt: skip
    typer.echo(f"{out}: " + (", ".join(f"{n} {label}" for label, n in counts.most_common()) or "nothing new"))
    if counts and not counts["memorized"]:
        typer.echo(
            f"{host} remembered nothing that it was asked, so no detector can be trained on this. Teach it longer "
            "(more --epochs, with adapters a larger --rank); 'reticent evaluate ... --part host' says how much it "
            "remembers.",
            err=True,
        )


def feature_spec(output_only: bool, names: int | None) -> FeatureSpec:
    """Gives the features that are stored.

    Args:
        output_only: stores the figures of the model's output alone.
        names: how many other names each span is read under; 4 if not given, and none with `output_only`.
    """
    from reticent_detectors.features.features import FeatureSpec

    if output_only:
        return FeatureSpec(position="output", names=names or 0)
    return FeatureSpec(names=4 if names is None else names)
