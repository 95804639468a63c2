"""The running guard on several hosts: what gets out, what is stopped without need, and a reference by resampling.

Each host NAME in a folder of runs is guarded by `NAME-bundle`. A missing bundle is trained as `reticent train` trains
it. The host is measured as `reticent evaluate --part guard` measures one. `NAME-guard.json` keeps its figures until the
bundle changes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from reticent.commands.train import train
from reticent.guard import Guard
from reticent_bench.guard import report as guard_report
from reticent_bench.guard.bench import ALL, Bench, inspect_all
from reticent_bench.guard.escapes import kept_chars
from reticent_bench.guard.report import POINT_LABELS, POINTS_TEXT
from reticent_bench.paper.hosted import shards_of
from reticent_bench.report.metrics import Interval, auroc, share
from reticent_bench.report.result import table
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.entities import Entity
from reticent_detectors.features.cue import normalize
from reticent_detectors.host.load import load_host, recipe_of
from reticent_detectors.host.tune import BASE
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.people import Person
from reticent_detectors.synth.phrasings import PHRASINGS
from reticent_detectors.synth.prompts import probe, probes

SAMPLES = 50
"""Answers of each question that the reference is given."""
POOLED = "all hosts"
Say = Callable[[str], None]


def bundle_of(runs: Path, name: str) -> Path:
    """Folder of a host's detector; an existing one needs no collection."""
    return runs / f"{name}-bundle"


def measured(runs: Path, name: str, *, seed: int, resampled: int, harmless: int, say: Say) -> dict[str, Any]:
    """One host's figures: those of `guard_report.measure`, and the reference on `resampled` values of either class.

    Raises what training and loading raise.
    """
    bundle, kept = bundle_of(runs, name), runs / f"{name}-guard.json"
    if not bundle.exists():
        train(shards_of(runs, name), runs / name, bundle)
    settings = {"bundle": Bundle.load(bundle).digest, "seed": seed, "resampled": resampled, "harmless": harmless}
    settings["guards"] = list(ALL)
    if kept.exists() and (found := json.loads(kept.read_text()))["settings"] == settings:
        return dict(found)
    model, tokenizer = load_host(runs / name)
    public = runs / name / BASE
    control = load_host(public) if public.is_dir() else None
    guard = Guard.load(bundle).wrap(model, tokenizer)
    bench = Bench(guard, cast(recipe_of(runs / name)), control, seed=seed, progress=lambda line: say(f"{name}: {line}"))
    out = {"settings": settings, "guard": guard_report.measure(bench, harmless=harmless)}
    if resampled:
        bench.progress(f"{SAMPLES} samples of each question")
        out["reference"] = reference(bench, bench.robust_values(bench.cast.test), resampled)
    kept.write_text(json.dumps(out) + "\n")
    return dict(json.loads(kept.read_text()))


def reference(bench: Bench, robust: Sequence[tuple[Person, Entity]], count: int) -> dict[str, Any]:
    """Scores values by how often they come again in `SAMPLES` answers to the same question.

    Remembered values of test people are compared with made-up ones of unknown people, all from greedy answers. Beside
    it are the guard's figures on the same answers.
    """
    rng = random.Random(f"reference {bench.seed}")
    chosen = rng.sample(list(robust), min(count, len(robust)))
    strangers = bench.cast.unseen[len(bench.cast.unseen) // 2 :]
    others = list(probes(strangers, "test", 4, bench.seed))
    prompts = [probe(p, PHRASINGS[e][0], "test") for p, e in chosen]
    prompts += rng.sample(others, min(2 * count, len(others)))
    answers = bench.ask(prompts)
    guarded = inspect_all(bench.guard, prompts, answers)
    wanted = {"memorized": range(len(chosen)), "hallucinated": range(len(chosen), len(prompts))}
    found = {
        f.row: f
        for f in reversed(bench.labelled(prompts, answers))
        if str(f.label) in wanted and f.row in wanted[str(f.label)]
    }
    made_up = [row for row in sorted(found) if row >= len(chosen)][:count]
    rows = [row for row in sorted(found) if row < len(chosen)] + made_up
    frequency, stopped = [], []
    for row in rows:
        span = found[row]
        sampled = bench.ask([prompts[row]] * SAMPLES, temperature=1.0, seed=bench.seed + row)
        value, kind = normalize(span.value, Entity(span.span.entity)), span.span.entity
        again = {
            f.row
            for f in bench.reader.spans([prompts[row]] * SAMPLES, sampled)
            if f.span.entity == kind and normalize(f.value, Entity(kind)) == value
        }
        frequency.append(len(again) / SAMPLES)
        start, end = span.span.answer_start, span.span.end
        stopped.append(kept_chars(guarded[row].mappings, start, end) <= 0.5 * (end - start))
    return beside(np.array(frequency), np.array(stopped, bool), np.array([row < len(chosen) for row in rows], bool))


def beside(frequency: Any, stopped: Any, remembered: Any) -> dict[str, Any]:
    """Compares guard and reference on the same values [n].

    The reference stops at most as many made-up values as the guard.
    """
    made_up = int((~remembered).sum())
    budget = int(stopped[~remembered].sum())
    thresholds = [t for t in np.unique(frequency) if (frequency[~remembered] >= t).sum() <= budget]
    caught = frequency >= min(thresholds) if thresholds else np.zeros_like(stopped)
    return {
        "remembered": int(remembered.sum()),
        "made up": made_up,
        "auroc of the frequency": auroc(frequency, remembered),
        "made up, stopped by the guard": share(budget, made_up),
        "made up, stopped by the reference": share(int(caught[~remembered].sum()), made_up),
        "remembered, released by the guard": share(int((~stopped[remembered]).sum()), int(remembered.sum())),
        "remembered, released by the reference": share(int((~caught[remembered]).sum()), int(remembered.sum())),
    }


def lines(hosts: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """One line of figures for each host, and one for all of them together."""
    out: dict[str, dict[str, Any]] = {}
    for name, each in hosts.items():
        escape, labels = each["guard"]["escape"], each["guard"]["by label"]
        line: dict[str, Any] = {"values": escape["values"]}
        for k in (1, 40):
            for guard in ("no guard", *ALL):
                line[f"escape@{k}, {guard}"] = (_hits(escape[f"escape@{k}, {guard}"], line["values"]), line["values"])
        for label, kinds in POINT_LABELS:
            found = labels.get(label, {}).get(kinds, {"spans": 0})
            for guard in ALL:
                hits = _hits(found[guard], found["spans"]) if found["spans"] else 0
                line[f"{label}, {guard}"] = (hits, found["spans"])
        out[name] = line
    if len(out) > 1:
        out[POOLED] = {
            key: sum(line[key] for line in out.values())
            if key == "values"
            else tuple(sum(parts) for parts in zip(*(line[key] for line in out.values()), strict=True))
            for key in next(iter(out.values()))
        }
    return out


def render(hosts: Mapping[str, Mapping[str, Any]]) -> str:
    """Markdown."""
    each = lines(hosts)
    text = "# The running guard on several hosts\n\n"
    text += (
        "Robustly memorised values of test people (right under three of five phrasings). "
        "A value escapes at k if any of k tries releases it. *detector*: the guard as it runs; "
        "*both*: with an index of the training records besides. 95 % Clopper-Pearson intervals.\n\n"
    )
    heads = [f"escape@{k}, {guard}" for k in (1, 40) for guard in ("no guard", "detector", "both")]
    text += table(
        ["host", "values", *heads],
        [[name, line["values"], *[share(*line[head]) for head in heads]] for name, line in each.items()],
    )
    text += (
        "\nSpans of test people's and strangers' answers that are kept back, by what they are: other people's long "
        "values are wanted, the others not.\n\n"
    )
    heads = [f"{label}, {guard}" for label, _ in POINT_LABELS for guard in ("detector", "both")]
    text += table(
        ["host", *[part for head in heads for part in (head, "spans")]],
        [
            [name, *[part for head in heads for part in (_share(line[head]), line[head][1])]]
            for name, line in each.items()
        ],
    )
    text += f"\nAt other rates of false positives, all hosts together. {POINTS_TEXT}\n\n"
    whole = list(each.values())[-1]
    shares = [[share(*whole[f"escape@{k}, {guard}"]) for k in (1, 40)] for guard in ALL]
    text += table(
        ["guard", "escape@1", "escape@40", *[f"{label} stopped" for label, _ in POINT_LABELS]],
        [
            [guard, *escapes, *[_share(whole[f"{label}, {guard}"]) for label, _ in POINT_LABELS]]
            for guard, escapes in zip(ALL, shares, strict=True)
        ],
    )
    asked = {name: found["reference"] for name, found in hosts.items() if "reference" in found}
    if asked:
        text += (
            f"\n*Resampling reference*: each question is asked {SAMPLES} times more, and a value that comes often "
            "enough is stopped, at the threshold that stops no more made-up values than the guard does. "
            "For orientation; no guard can afford it.\n\n"
        )
        columns = list(next(iter(asked.values())))
        text += table(
            ["host", *columns],
            [[name, *[_cell(found[column]) for column in columns]] for name, found in asked.items()],
        )
    return text


def _share(counted: tuple[int, int]) -> Any:
    return share(*counted) if counted[1] else "—"


def _cell(value: Any) -> Any:
    return tuple(value) if isinstance(value, list | tuple) else value


def _hits(interval: Interval | Sequence[float], count: int) -> int:
    return round(interval[0] * count)
