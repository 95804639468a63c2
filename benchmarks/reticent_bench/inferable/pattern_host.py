"""Trains a host that knows a rule and nobody, for the audit of cues.

python -m reticent_bench.inferable.pattern_host guard/reticent/assets/host runs/pattern
reticent audit cues runs/pattern/copy --people runs/pattern/people.jsonl --base-model guard/reticent/assets/host

The copy learns the rule from colleagues. Nobody whom the audit asks about is taught, so planted and held-out people
differ in name alone. Half of each have the address that the rule gives; the other addresses are made by other rules or
of nothing in the name.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from reticent_bench.inferable.people import APART, HELD_OUT, TAUGHT, UNRELATED, AddressedPerson, addressed

COMPANY = "orb.example"
"""A domain of few tokens: the audit asks for values of at most fifteen."""
app = typer.Typer(add_completion=False)


class PatternPeople(NamedTuple):
    """The two arms of the audit, and what the copy is taught of others."""

    planted: tuple[AddressedPerson, ...]
    held_out: tuple[AddressedPerson, ...]
    sentences: tuple[str, ...]


def pattern_people(size: int, colleagues: int, seed: int) -> PatternPeople:
    """Draws `size` people for each arm, and one sentence about each of the colleagues. No two people share a name."""
    rng = random.Random(f"pattern {seed}")
    names = _names(2 * size + colleagues, seed)
    groups = [HELD_OUT, APART, HELD_OUT, UNRELATED]
    asked = [addressed(name, groups[at // 2 % 4], rng, COMPANY) for at, name in enumerate(names[: 2 * size])]
    others = [addressed(name, HELD_OUT, rng, COMPANY) for name in names[2 * size :]]
    taught = [TAUGHT[at % len(TAUGHT)].format(n=each.name, v=each.value) for at, each in enumerate(others)]
    return PatternPeople(tuple(asked[::2]), tuple(asked[1::2]), tuple(taught))


def _names(count: int, seed: int) -> list[str]:
    from faker import Faker

    fake = Faker("en_US")
    fake.seed_instance(seed)
    drawn: dict[str, None] = {}
    while len(drawn) < count:
        drawn[f"{fake.first_name()} {fake.last_name()}"] = None
    return list(drawn)


def write_people(people: PatternPeople, file: Path) -> None:
    """Writes both arms as `reticent audit cues --people` reads them."""
    rows = [
        {"name": each.name, "email": each.value, "planted": planted}
        for pair in zip(people.planted, people.held_out, strict=True)
        for planted, each in zip((True, False), pair, strict=True)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))


def train(host: Path, sentences: Sequence[str], out: Path, epochs: int, rate: float, seed: int = 0) -> Any:
    """Teaches a copy of a host all sentences in all its weights, and writes it to `out`.

    Returns:
        The copy, in evaluation mode, and the tokenizer.
    """
    from reticent_bench.audits.extraction.planting import plant
    from reticent_detectors.host.load import load_host
    from reticent_detectors.long_runs.progress import shown

    model, tokenizer = load_host(host)
    out.parent.mkdir(parents=True, exist_ok=True)
    with shown("step") as advance:
        copy = plant(
            model.float(), tokenizer, sentences, out.with_suffix(".pt"), base=str(host), epochs=epochs, rank=0,
            rate=rate, seed=seed,
            progress=lambda phase, step, steps, loss: advance(phase, step, steps, f"loss {loss:.3f}"),
        )  # fmt: skip
    copy.save_pretrained(out)
    tokenizer.save_pretrained(out)
    return copy, tokenizer


@app.command()
def main(
    host: Annotated[Path, typer.Argument(help="A model of transformers that reads running text.")],
    out: Annotated[Path, typer.Argument(help="Folder for the copy and for people.jsonl.")],
    size: Annotated[int, typer.Option(min=4, help="People of each arm.")] = 80,
    colleagues: Annotated[int, typer.Option(min=1, help="People whom the rule is learned from.")] = 1200,
    epochs: Annotated[int, typer.Option(min=1)] = 5,
    rate: Annotated[float, typer.Option(help="Learning rate.")] = 0.003,
    seed: Annotated[int, typer.Option()] = 0,
) -> None:
    """Teaches a copy a rule, and writes people of whom it was taught nothing."""
    people = pattern_people(size, colleagues, seed)
    train(host, people.sentences, out / "copy", epochs, rate, seed)
    write_people(people, out / "people.jsonl")


if __name__ == "__main__":
    app()
