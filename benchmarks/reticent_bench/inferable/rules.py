"""Which rule tells inferable from memorised addresses? Measured on a copy of a model of which both are known.

python -m reticent_bench.inferable.rules guard/reticent/assets/host runs/rules --out benchmarks/results

The copy is taught e-mail addresses of made-up people. The model as it was is the control. RUNS/copy is trained once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from reticent_bench.inferable.people import (
    APART,
    ASKED,
    GROUPS,
    HELD_OUT,
    ONE_RULE,
    AddressedPerson,
    other_names,
    population,
    sentences,
)
from reticent_bench.inferable.transport import transported
from reticent_bench.report.metrics import auroc, clustered_share
from reticent_bench.report.result import command_line, footer, provenance, table, write
from reticent_detectors.entities import Entity
from reticent_detectors.features.cue import cue
from reticent_detectors.inferable import LEAST_CUE, LEAST_LIFT, LEAST_PROBABILITY, is_inferable

OTHERS = 4
"""Under how many other names a value is transported."""
BATCH = 64
app = typer.Typer(add_completion=False)


class ValueReading(NamedTuple):
    """A value's log-probability in nats, and whether a greedy answer says it."""

    total: float
    is_greedy: bool


@dataclass(frozen=True, slots=True)
class RuleMeasurement:
    """What both models find of one value behind one question. The `repr` shows the group alone.

    Attributes:
        group, person: how the value came about, and whose it is.
        cue: the share of it that the question gives away.
        own: what the copy finds of it.
        moved: the copy's log-probabilities of the transported value about other people; empty without a rule.
        control: the control's log-probability of it.
        control_other: the same value about somebody else.
    """

    group: str
    person: str
    cue: float
    own: ValueReading
    moved: tuple[float, ...]
    control: float
    control_other: float

    def __repr__(self) -> str:
        return f"RuleMeasurement({self.group!r})"

    @property
    def drop(self) -> float:
        """How much less likely the transported value is, in nats; infinite without a rule."""
        if not self.moved:
            return math.inf
        return self.own.total - (float(np.logaddexp.reduce(self.moved)) - math.log(len(self.moved)))


def _as_likely(times: float) -> Callable[[RuleMeasurement], bool]:
    return lambda row: row.drop <= math.log(times)


def _control_says(row: RuleMeasurement) -> bool:
    return row.control >= math.log(LEAST_PROBABILITY)


RULES: Mapping[str, Callable[[RuleMeasurement], bool]] = {
    "one rule": lambda row: is_inferable([row.control], [[row.control_other]], row.cue),
    "labels before": lambda row: _control_says(row) and row.control - row.control_other >= math.log(LEAST_LIFT),
    "run time before": lambda row: _control_says(row) and row.cue >= LEAST_CUE,
    "transported, at most twice less likely": _as_likely(2),
    "transported, at most five times": _as_likely(5),
    "transported, at most fifty times": _as_likely(50),
}


def read_all(model: Any, tokenizer: Any, pairs: Sequence[tuple[str, str]]) -> list[ValueReading]:
    """What a model finds of values: (text before, value) each, followed by a full stop."""
    import torch

    out: list[ValueReading] = []
    for first in range(0, len(pairs), BATCH):
        part = pairs[first : first + BATCH]
        coded = [
            tokenizer(f"{before}{value}.", add_special_tokens=False, return_offsets_mapping=True)
            for before, value in part
        ]
        width = 1 + max(len(each["input_ids"]) for each in coded)
        ids = torch.zeros(len(part), width, dtype=torch.long)
        mask = torch.zeros_like(ids)
        for row, each in enumerate(coded):
            own = [tokenizer.bos_token_id, *each["input_ids"]]
            ids[row, : len(own)] = torch.tensor(own)
            mask[row, : len(own)] = 1
        with torch.inference_mode():
            logs = model(input_ids=ids, attention_mask=mask).logits.float().log_softmax(-1)
        for row, ((before, value), each) in enumerate(zip(part, coded, strict=True)):
            end = len(before) + len(value)
            places = [at for at, (a, b) in enumerate(each["offset_mapping"]) if b > len(before) and a < end]
            tokens = [each["input_ids"][at] for at in places]
            best = logs[row, places].argmax(-1).tolist()
            out.append(ValueReading(float(logs[row, places, tokens].sum()), best == tokens))
    return out


def measure(
    copy: Any, control: Any, tokenizer: Any, people: Sequence[AddressedPerson], others: Sequence[str]
) -> list[RuleMeasurement]:
    """The rows of all people under all questions; `others` are as common as their names, and nobody's."""
    asked = [(person, question.format(n=person.name)) for person in people for question in ASKED]
    chosen = [[others[(3 * at + k) % len(others)] for k in range(OTHERS)] for at in range(len(asked))]
    own = [(before, person.value) for person, before in asked]
    strange = [
        (before.replace(person.name, names[0]), person.value)
        for (person, before), names in zip(asked, chosen, strict=True)
    ]
    moved = [
        (at, (before.replace(person.name, name), value))
        for at, ((person, before), names) in enumerate(zip(asked, chosen, strict=True))
        for name in names
        if (value := transported(person.value, person.name, name)) is not None
    ]
    readings = read_all(copy, tokenizer, own)
    found: dict[int, list[float]] = {}
    for (at, _), read in zip(moved, read_all(copy, tokenizer, [pair for _, pair in moved]), strict=True):
        found.setdefault(at, []).append(read.total)
    known, stranger = (read_all(control, tokenizer, pairs) for pairs in (own, strange))
    return [
        RuleMeasurement(
            person.group, person.name, cue(person.value, before, Entity.EMAIL_ADDRESS), readings[at],
            tuple(found.get(at, ())), known[at].total, stranger[at].total,
        )
        for at, (person, before) in enumerate(asked)
    ]  # fmt: skip


def figures_of(rows: Sequence[RuleMeasurement]) -> dict[str, Any]:
    """How many values of each group each rule calls inferable, of all and of those that greedy answers say."""
    out: dict[str, Any] = {"groups": {}, "rules": {}}
    for group in GROUPS:
        own = [row for row in rows if row.group == group]
        moved = [row for row in own if row.moved]
        out["groups"][group] = {
            "values": len(own),
            "said": sum(row.own.is_greedy for row in own),
            "made of the name": len(moved),
            "median probability": _median([row.own.total for row in own]),
            "median probability, transported": _median([row.own.total - row.drop for row in moved]),
            "median probability, control": _median([row.control for row in own]),
        }
        for name, rule in RULES.items():
            for part, some in (("all", own), ("said", [row for row in own if row.own.is_greedy])):
                hits = [rule(row) for row in some]
                passed = clustered_share(hits, [row.person for row in some]) if some else None
                out["rules"].setdefault(name, {}).setdefault(group, {})[part] = passed
    out["AUROC of the drop"] = {
        f"{group} against {APART}": _auroc([row for row in rows if row.group in (group, APART)], group)
        for group in (ONE_RULE, HELD_OUT)
    }
    return out


def _auroc(rows: Sequence[RuleMeasurement], inferable: str) -> float:
    """How well a small drop tells the inferable group from the other."""
    return auroc(np.array([-min(row.drop, 1e3) for row in rows]), np.array([row.group == inferable for row in rows]))


def _median(logs: Sequence[float]) -> float | None:
    return math.exp(float(np.median(logs))) if logs else None


def render(figures: Mapping[str, Any]) -> str:
    """The page."""
    columns = list(next(iter(figures["groups"].values())))
    text = "# What tells inferable from memorised addresses\n\n"
    text += f"{figures['about']}\n\n"
    text += table(["group", *columns], [[group, *each.values()] for group, each in figures["groups"].items()])
    for part in ("all", "said"):
        text += f"\nCalled inferable, of {'all values' if part == 'all' else 'values that greedy answers say'}:\n\n"
        text += table(
            ["rule", *GROUPS], [[name, *(by[g][part] for g in GROUPS)] for name, by in figures["rules"].items()]
        )
    text += "\nAUROC of the drop of the transported value:\n\n"
    text += table(["groups", "AUROC"], list(figures["AUROC of the drop"].items()))
    return text + (
        "\nThe first row compares values that were taught. What was never taught drops little whatever the copy "
        "knows, so the second row tells less.\n"
    )


@app.command()
def main(
    host: Annotated[Path, typer.Argument(help="A model of transformers that reads running text: the control.")],
    runs: Annotated[Path, typer.Argument(help="Folder for the copy, which is trained once.")],
    out: Annotated[Path, typer.Option(help="Folder for the figures.")] = Path("benchmarks/results"),
    name: Annotated[str, typer.Option(help="Of the figures.")] = "inferable-rules",
    size: Annotated[int, typer.Option(min=1, help="People of each group.")] = 40,
    colleagues: Annotated[int, typer.Option(min=0, help="More people of the one rule, each taught once an epoch.")] = 0,
    repeats: Annotated[int, typer.Option(min=1, help="How often an epoch teaches what is not by the one rule.")] = 1,
    epochs: Annotated[int, typer.Option(min=1)] = 12,
    rate: Annotated[float, typer.Option(help="Learning rate.")] = 0.003,
    seed: Annotated[int, typer.Option()] = 0,
) -> None:
    """Teaches a copy, and counts which values each rule calls inferable."""
    from reticent_bench.audits.extraction.planting import plant
    from reticent_detectors.host.load import load_host
    from reticent_detectors.long_runs.progress import shown

    people, folder = population(size, seed), runs / "copy"
    control, tokenizer = load_host(host)
    if not (folder / "config.json").is_file():
        runs.mkdir(parents=True, exist_ok=True)
        taught = sentences(people, colleagues, repeats, seed)
        with shown("step") as advance:
            copy = plant(
                load_host(host)[0].float(), tokenizer, taught, runs / "work.pt", base=str(host), epochs=epochs, rank=0,
                rate=rate, progress=lambda phase, step, steps, loss: advance(phase, step, steps, f"loss {loss:.3f}"),
            )  # fmt: skip
        copy.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    copy, _ = load_host(folder)
    figures = figures_of(measure(copy.float(), control.float(), tokenizer, people, other_names(people, seed)))
    figures["about"] = (
        f"A copy of `{host}` was taught {3 * size} people and {colleagues} colleagues, {epochs} epochs. Shares count "
        "people; intervals are 95 %."
    )
    figures["made_by"] = provenance(command_line(), seed)
    write(out, name, figures, render(figures) + footer(figures))
    typer.echo(render(figures))


if __name__ == "__main__":
    app()
