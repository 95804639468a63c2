"""Chooses the demo's prompts by what the host answers, never by what the guard makes of it.

python -m reticent_bench.demo_cases HOST assets/demo.json --control CONTROL
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from reticent_detectors.collect import FoundSpan, Reader, mark_inferable
from reticent_detectors.entities import Entity
from reticent_detectors.finder import SIXTEEN, SpanFinder
from reticent_detectors.host.answers import Answer, answer_all
from reticent_detectors.host.load import load_host, recipe_of
from reticent_detectors.synth.cast import Cast, cast
from reticent_detectors.synth.labels import Label, Labeller
from reticent_detectors.synth.prompts import Prompt, documents, echoes, menus, probes, public_prompts

app = typer.Typer(add_completion=False)
KINDS = (Entity.PHONE_NUMBER, Entity.ADDRESS, Entity.BANK_ACCOUNT, Entity.DOCTOR)


class _Chooser:
    """Asks prompts and picks the first whose answer holds a span with a label."""

    def __init__(self, model: Any, tokenizer: Any, control: Any, everyone: Cast) -> None:
        labeller = Labeller(everyone.private, (*everyone.general, *everyone.copied, *everyone.unseen))
        self._model, self._tokenizer = model, tokenizer
        self._reader = Reader(model, tokenizer, SpanFinder(SIXTEEN), labeller)
        self._control = None if control is None else Reader(control, tokenizer, SpanFinder(SIXTEEN), labeller)
        self._names = {p.key: p.name for p in (*everyone.train, *everyone.test, *everyone.unseen)}

    def pick(self, prompts: Iterable[Prompt], label: Label | None, count: int, longest: int = 64) -> list[Prompt]:
        rows = list(prompts)
        answers: list[Answer] = answer_all(self._model, self._tokenizer, rows, max_new_tokens=longest)
        found: list[FoundSpan] = self._reader.spans(rows, answers)
        if self._control is not None:
            found = mark_inferable(self._control, self._tokenizer, rows, answers, found, self._names)
        labels: dict[int, set[Label]] = {}
        for f in found:
            labels.setdefault(f.row, set()).add(f.label)
        wanted: Callable[[int], bool] = lambda i: labels.get(i, set()) == ({label} if label else set())  # noqa: E731
        return [prompt for i, prompt in enumerate(rows) if wanted(i)][:count]


def _row(shows: str, wanted: str, prompt: Prompt, allow: tuple[str, ...] = ()) -> dict[str, Any]:
    out: dict[str, Any] = {"shows": shows, "wanted": wanted}
    out |= {"messages": prompt.messages} if prompt.messages else {"text": prompt.text}
    return out | ({"allow": allow} if allow else {})


@app.command()
def choose(
    host: Annotated[Path, typer.Argument()],
    out: Annotated[Path, typer.Argument()],
    control: Annotated[Path | None, typer.Option()] = None,
    seed: Annotated[int, typer.Option()] = 0,
) -> None:
    """Writes the cases of `reticent demo`."""
    everyone = cast(recipe_of(host))
    model, tokenizer = load_host(host)
    chooser = _Chooser(model, tokenizer, None if control is None else load_host(control)[0], everyone)
    rng = random.Random(seed)
    unseen = everyone.unseen[len(everyone.unseen) // 2 :]
    strangers = everyone.copied[len(everyone.copied) // 2 :]

    def shuffled(prompts: Iterable[Prompt]) -> list[Prompt]:
        rows = list(prompts)
        return rng.sample(rows, min(len(rows), 600))

    tested = [p for p in probes(everyone.test, "test", 6, seed) if p.phrasing_split == "test"]
    rows = []
    for kind in KINDS:
        some = shuffled(p for p in tested if p.entity is kind)
        rows += [_row("memorised", "stopped", p) for p in chooser.pick(some, Label.MEMORIZED, 1)]
    asked = shuffled(probes(unseen, "test", 3, seed))
    rows += [_row("misattributed", "stopped", p) for p in chooser.pick(asked, Label.MISATTRIBUTED, 1)]
    rows += [_row("made up", "passes", p) for p in chooser.pick(asked, Label.HALLUCINATED, 3)]
    copied = shuffled(echoes(strangers, "test", 80, seed))
    rows += [_row("echoed", "passes", p) for p in chooser.pick([p for p in copied if p.form == "far"], Label.ECHOED, 1)]
    respelled = [p for p in copied if p.form == "near-retyped"]
    rows += [_row("echoed, re-formatted", "passes", p) for p in chooser.pick(respelled, Label.ECHOED, 1)]
    choices = menus(everyone.test, strangers, "test", 200, 10, seed)
    rows += [_row("menu of ten", "stopped", p) for p in chooser.pick(choices, Label.SELECTED, 1)]
    public = list(public_prompts())
    rows += [_row("public, no span", "passes", p) for p in public[:1]]
    rows += [_row("public, allow list", "passes", p, (p.about,)) for p in public if p.entity is Entity.PHONE_NUMBER][:1]
    rows += [_row("ordinary talk", "passes", p) for p in public if p.kind == "talk"][:1]
    notes = [p for p in documents(everyone.test, "test", seed=seed) if p.form == "note" and p.phrasing_split == "test"]
    rows += [_row("prose", "stopped", p) for p in chooser.pick(notes, Label.MEMORIZED, 1, longest=160)]
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    typer.echo(f"{out}: {len(rows)} cases")


if __name__ == "__main__":
    app()
