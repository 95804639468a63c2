"""Open a fresh set: runs the finders of some checkouts on it, and compares each with the first.

    python -m reticent_bench.fresh_texts.compare unannounced --tree old=../old --tree new=.
    ... --host CHECKPOINT --probe FILE      the last one also with a model's states, after the question

Each opening is written down with date, digests and commits. What was opened has been seen: a finder that is changed
after that is not measured on it again, unless `--again` says why.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from reticent_bench.finder.score import Gold
from reticent_bench.fresh_texts.sets import DOORS, SETS, FreshText, digests, read
from reticent_bench.real_answers.labels import KINDS, is_met, matches
from reticent_bench.report.metrics import bootstrap
from reticent_bench.report.result import command_line, footer, provenance, table, write
from reticent_detectors.errors import InputError

FOLDER, RESULTS = Path("benchmarks/fresh_texts"), Path("benchmarks/results")
OPENINGS = "openings.json"
_ROOTS = ("guard", "detectors", "kernels", "benchmarks")
WITH_STATES = "with states"
FIGURES = ("precision", "recall", "F1", "exact F1", "found at all")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("set", choices=SETS)
    parser.add_argument("--tree", action="append", required=True, help="NAME=FOLDER of a checkout; several times")
    parser.add_argument("--host", type=Path, help="folder of a model whose states are read as well")
    parser.add_argument("--probe", type=Path, help="its probe: `probe.npz` of a bundle (reticent probe)")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="of the sets")
    parser.add_argument("--again", default="", help="why a set that was opened is opened again")
    parser.add_argument("--out", type=Path, default=RESULTS)
    args = parser.parse_args()
    if (args.host is None) != (args.probe is None):
        parser.error("--host and --probe go together")
    trees = {name: Path(folder) for name, _, folder in (each.partition("=") for each in args.tree)}
    texts = read(args.folder, args.set)
    opening = {"set": args.set, "date": date.today().isoformat(), "why again": args.again,
               "finders": {name: commit(tree) for name, tree in trees.items()}}  # fmt: skip
    before = write_down(args.folder, opening)
    found = {name: {door: found_by(tree, texts, door) for door in DOORS} for name, tree in trees.items()}
    if args.host is not None:
        tree = list(trees.values())[-1]
        found[WITH_STATES] = {DOORS[0]: found_by(tree, texts, DOORS[0], (args.host.resolve(), args.probe.resolve()))}
    figures = {"set": args.set, "texts": len(texts), "opened before": before, **opening,
               "digests": digests(args.folder), **measure(texts, found)}  # fmt: skip
    figures["made_by"] = provenance(command_line(), 0)
    write(args.out, f"fresh-{args.set}", figures, render(figures) + footer(figures))
    print(args.out / f"fresh-{args.set}.md")


def write_down(folder: Path, opening: Mapping[str, Any]) -> list[Any]:
    """Write an opening down before anything is run, and return those before it.

    Raises:
        InputError: the set was opened before, and no reason is given.
    """
    file = folder / OPENINGS
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    before = [each for each in known if each["set"] == opening["set"]]
    if before and not opening["why again"]:
        raise InputError(
            f"The set {opening['set']} was opened on {before[-1]['date']} for {before[-1]['finders']}. "
            "Make a new set, or say with --again why this one is opened again."
        )
    file.write_text(json.dumps([*known, opening], indent=1) + "\n", encoding="utf-8")
    return before


def commit(tree: Path) -> str:
    """The commit of a checkout, with a mark where it was changed."""
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=12"], cwd=tree, capture_output=True, text=True, check=True
    )
    return told.stdout.strip()


def found_by(
    tree: Path, texts: Sequence[FreshText], door: str, host: tuple[Path, Path] | None = None
) -> list[tuple[Gold, ...]]:
    """What the default finder of a checkout finds in each text, of the kinds that the guide has.

    `host`: a model and its probe, whose states are read as well.
    """
    command = [str(Path(__file__).with_name("find.py"))]
    if host is not None:
        command = ["-m", "reticent_bench.tagger.find_with_states", *map(str, host)]
    paths = os.pathsep.join(str((tree / root).resolve()) for root in _ROOTS)
    asked = door == DOORS[0]
    lines = "".join(
        json.dumps({"text": each.text, "question": each.question if asked else ""}) + "\n" for each in texts
    )
    ran = subprocess.run(
        [sys.executable, *command], input=lines, capture_output=True, text=True,
        check=False, env={**os.environ, "PYTHONPATH": paths}, cwd=tree,
    )  # fmt: skip
    if ran.returncode:
        raise InputError(f"The finder of {tree} ended with {ran.returncode}: {ran.stderr.splitlines()[-1:]}")
    rows = [json.loads(line)["spans"] for line in ran.stdout.splitlines()]
    return [tuple(Gold(*span) for span in spans if span[0] in KINDS) for spans in rows]


def counts(texts: Sequence[FreshText], found: Sequence[tuple[Gold, ...]]) -> Any:
    """Of each text: values, spans, values with a span of their kind, with its exact range, and with any; [texts, 5]."""
    return np.array(
        [
            [len(text.gold), len(own), matches(text.gold, own), matches(text.gold, own, exact=True),
             sum(any(is_met(gold, span) for span in own) for gold in text.gold)]
            for text, own in zip(texts, found, strict=True)
        ],
        float,
    ).reshape(-1, 5)  # fmt: skip


def _ratios(totals: Any) -> list[float]:
    marked, found, right, exact, met = totals
    with np.errstate(invalid="ignore", divide="ignore"):
        return [right / found, right / marked, 2 * right / (marked + found), 2 * exact / (marked + found), met / marked]


def measure(
    texts: Sequence[FreshText], found: Mapping[str, Mapping[str, Sequence[tuple[Gold, ...]]]]
) -> dict[str, Any]:
    """Figures of each finder by door, and how far the others are above the first, with intervals over groups."""
    groups, languages = np.array([each.group for each in texts]), sorted({each.language for each in texts})
    out = dict[str, Any]()
    for door in DOORS:
        names = [name for name in found if door in found[name]]
        own = {name: counts(texts, found[name][door]) for name in names}
        doors: dict[str, Any] = {}
        for part in ("all", *languages):
            inside = np.array([part in ("all", each.language) for each in texts])
            rows, drawn = {name: own[name][inside] for name in names}, groups[inside]
            doors[part] = {"finders": {name: _interval(_ratios_of(rows[name]), drawn) for name in names}}
            doors[part]["marked"] = int(rows[names[0]][:, 0].sum())
            doors[part]["texts with a span"] = {name: int((rows[name][:, 1] > 0).sum()) for name in names}
            doors[part]["texts"] = int(inside.sum())
            doors[part]["differences"] = {
                f"{name} less {names[0]}": _interval(_gain_of(rows[name], rows[names[0]]), drawn) for name in names[1:]
            }
        out[door] = doors
    kinds = {door: by_kind(texts, [own[door] for own in found.values() if door in own][-1]) for door in DOORS}
    return {"doors": out, "kinds": kinds}


def by_kind(texts: Sequence[FreshText], found: Sequence[tuple[Gold, ...]]) -> dict[str, dict[str, int]]:
    """Of each kind: values, spans, values with a span of their kind, and with one of any kind."""
    out = dict[str, Counter[str]]()
    for text, spans in zip(texts, found, strict=True):
        for kind in {each.kind for each in (*text.gold, *spans)}:
            gold, own = ([each for each in part if each.kind == kind] for part in (text.gold, spans))
            met = sum(any(is_met(value, span) for span in spans) for value in gold)
            counted = {"values": len(gold), "spans": len(own), "right": matches(gold, own), "met": met}
            out.setdefault(kind, Counter()).update(counted)
    return {kind: dict(out[kind]) for kind in sorted(out)}


def _ratios_of(rows: Any) -> Any:
    return lambda weight: _ratios((weight[:, None] * rows).sum(0))


def _gain_of(rows: Any, before: Any) -> Any:
    now, then = _ratios_of(rows), _ratios_of(before)
    return lambda weight: [y - x for x, y in zip(then(weight), now(weight), strict=True)]


def _interval(figure: Any, groups: Any) -> dict[str, list[float]]:
    return {name: list(each) for name, each in zip(FIGURES, bootstrap(figure, groups), strict=True)}


def render(figures: Mapping[str, Any]) -> str:
    """The page."""
    text = (
        f"# Fresh texts: {figures['set']}\n\n"
        f"{figures['texts']} texts that none of the finders had been measured on. Opened on {figures['date']} for "
        + ", ".join(f"{name} ({made})" for name, made in figures["finders"].items())
        + ".\n"
    )
    if figures["opened before"]:
        text += f"Opened {len(figures['opened before'])} times before; again because: {figures['why again']}.\n"
    text += (
        "\nA found span is right if a marked one of the same kind shares at least half of their joint range with it. "
        "*Found at all*: a span of any kind shares half of the value's range. 95 % intervals by a bootstrap over "
        "prompts or forms; differences are paired.\n"
    )
    for door, parts in figures["doors"].items():
        text += f"\n## {door.capitalize()}\n\n"
        rows = []
        for part, own in parts.items():
            for name, made in {**own["finders"], **own["differences"]}.items():
                spans = own["texts with a span"].get(name, "")
                rows.append([part, name, own["texts"], own["marked"], spans, *(tuple(made[each]) for each in FIGURES)])
        text += table(["", "finder", "texts", "values", "texts with a span", *FIGURES], rows)
        kinds = [[kind, *row.values()] for kind, row in figures["kinds"][door].items()]
        text += "\nThe last of these finders, by kind:\n\n"
        text += table(["kind", "values", "spans", "right", "values with a span of any kind"], kinds)
    return text


if __name__ == "__main__":
    main()
