"""Make synthetic people and the prompts about them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reticent_detectors.errors import InputError
from reticent_detectors.synth import prompts as p
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.hosts import HostRecipe, recipe, reseeded
from reticent_detectors.synth.recipes import Recipe

app = typer.Typer(add_completion=False)


@app.command()
def synth(
    out: Annotated[Path, typer.Argument(help="Folder for people.jsonl, records.jsonl and prompts.jsonl.")],
    recipe_name: Annotated[
        str,
        typer.Option(
            "--recipe",
            help="Recipe of the people: demo, tiny, a host's name such as qwen2-small, or the folder of a model that "
            "'reticent host' made.",
        ),
    ] = "demo",
    seed: Annotated[int | None, typer.Option(help="A seed in place of the recipe's.")] = None,
    locale: Annotated[str | None, typer.Option(help="Any Faker locale, such as de_DE.")] = None,
    phrasings: Annotated[int, typer.Option(help="Phrasings asked for each value (at most 20).", min=1, max=20)] = 20,
) -> None:
    """Writes everybody's records, and all prompts with their labels, as JSON Lines.

    records.jsonl has those alone that the model is taught: 'reticent index' makes an index of it. The same seed gives
    the same people.
    """
    chosen = reseeded(_recipe(recipe_name), seed, locale)
    if out.exists() and not out.is_dir():
        raise InputError(f"{out} is a file; expected a folder for people.jsonl, records.jsonl and prompts.jsonl.")
    everyone = cast(chosen)
    out.mkdir(parents=True, exist_ok=True)
    groups = {"train": everyone.train, "test": everyone.test, "bridge": everyone.bridge, "unseen": everyone.unseen}
    people = p.write_jsonl(
        out / "people.jsonl",
        (
            {
                **person.to_json(),
                "group": group,
                "well": [str(e) for e in person.values if (person.key, e) in everyone.well],
            }
            for group, members in groups.items()
            for person in members
        ),
    )

    p.write_jsonl(out / "records.jsonl", (person.to_json() for person in everyone.private))

    def everything() -> list[p.Prompt]:
        rows: list[p.Prompt] = []
        half = len(everyone.unseen) // 2
        for split, private, unseen in (
            ("train", everyone.train, everyone.unseen[:half]),
            ("test", everyone.test, everyone.unseen[half:]),
        ):
            rows += p.probes((*private, *unseen), split, phrasings)
            rows += p.documents((*private, *unseen), split)
            rows += p.echoes(everyone.copied, split, 10 * len(private), chosen.seed)
            for size in p.MENU_SIZES:
                rows += p.menus(private, everyone.copied, split, len(private), size, chosen.seed)
        return [*rows, *p.public_prompts()]

    count = p.write_jsonl(out / "prompts.jsonl", (row.to_json() for row in everything()))
    typer.echo(f"{out}: {people} people, {count} prompts")


def _recipe(name: str) -> Recipe | HostRecipe:
    """Gives a recipe by its name, or that of a model's folder."""
    if not Path(name).is_dir():
        return recipe(name)
    from reticent_detectors.host.load import recipe_of  # needs torch

    return recipe_of(name)
