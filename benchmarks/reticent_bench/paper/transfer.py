"""Tables 10 and 11: a detector on another host than its own, with that host's states or its probabilities alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

from reticent_bench.detector.parts import TOKEN_SCORES, token_scores
from reticent_bench.paper import published
from reticent_bench.paper.detectors import Detectors
from reticent_bench.paper.hosted import Hosted, Outline
from reticent_bench.paper.lines import PUBLISHED, cell, line
from reticent_bench.paper.scores import ACCURACY, AUROC, HEADS, Method, figures, methods
from reticent_bench.paper.section import Needs, Section
from reticent_bench.paper.variants import Variant, both
from reticent_bench.report.result import table
from reticent_detectors.detector.defaults import named_groups
from reticent_detectors.synth.hosts import HostRecipe

OTHER_PEOPLE, OTHER_HOST = "other people", "other host"
BEST_TOKEN = "best token score"


def twins(a: Outline, b: Outline) -> bool:
    """Whether two hosts differ in the draw of their private people alone."""
    recipes = [r for r in (a.recipe, b.recipe) if isinstance(r, HostRecipe)]
    plain = [replace(r, name="", tuning=replace(r.tuning, draw=0)) for r in recipes]
    return len(plain) == 2 and plain[0] == plain[1] and recipes[0].tuning.draw != recipes[1].tuning.draw


def fitting(a: Outline, b: Outline) -> dict[str, Variant]:
    """The detectors of `a` that can read `b`: hosts of equal depth whose collections hold the same features."""
    if (a.layers, a.ranks) != (b.layers, b.ranks):
        return {}
    return {name: variant for name, variant in both(a.features).items() if variant.arrays <= b.features}


def pairs(outlines: Sequence[Outline]) -> list[tuple[Outline, Outline]]:
    """Pairs of the detector's host and the tested host, both ways: twins, then all others of equal depth.

    Each detector is first tested on its own host.
    """
    crossed = [(a, b) for a, b in permutations(outlines, 2) if fitting(a, b)]
    crossed.sort(key=lambda pair: not twins(*pair))
    out = list[tuple[Outline, Outline]]()
    for a, b in crossed:
        out += [pair for pair in ((a, a), (a, b)) if pair not in out]
    return out


def needs_states(outlines: Sequence[Outline]) -> Needs:
    found = [(a.name, variant) for a, b in pairs(outlines) for variant in fitting(a, b).values()]
    return list(dict.fromkeys(found))


def with_states(hosts: Sequence[Hosted], detectors: Detectors) -> dict[str, Any]:
    by_name = {host.name: host for host in hosts}
    lines, notes, order = [], list[str](), [host.name for host in hosts]
    for a, b in pairs([host.outline for host in hosts]):
        found = methods(detectors, by_name[a.name], fitting(a, b), notes, on=by_name[b.name])
        twin = next((other for other in hosts if twins(a, other.outline)), None)
        reported = None
        if twin is not None and (a.name == b.name or twins(a, b)):
            second = order.index(twin.name) < order.index(a.name)
            reported = published.TABLE_10[second][a.name != b.name]
        kind = "its own" if a.name == b.name else OTHER_PEOPLE if twins(a, b) else OTHER_HOST
        keys = {"detector of": a.name, "tested on": b.name, "host is": kind}
        lines.append(line(keys, by_name[b.name], by_name[b.name].easy, found, reported))
    return {"lines": lines, "notes": notes}


def depth_free(features: frozenset[str]) -> dict[str, Variant]:
    """Detectors whose inputs every host has, however deep."""
    groups = named_groups(features)["logprobs"]
    found = {"log-probabilities": Variant(groups)}
    return found | ({"log-probabilities, other names": Variant(groups | {"renamed"})} if "renamed" in features else {})


def needs_probabilities(outlines: Sequence[Outline]) -> Needs:
    return [(host.name, variant) for host in outlines for variant in depth_free(host.features).values()]


def with_probabilities(hosts: Sequence[Hosted], detectors: Detectors) -> dict[str, Any]:
    squares: dict[str, dict[str, dict[str, Any]]] = {}
    notes = list[str]()
    for a in hosts:
        for b in hosts:
            able = {n: v for n, v in depth_free(a.outline.features).items() if v.arrays <= b.outline.features}
            for name, method in methods(detectors, a, able, notes, on=b).items():
                square = squares.setdefault(name, {})
                square.setdefault(a.name, {})[b.name] = figures(method.on(b.easy), b.right[b.easy])
    best = {}
    for b in hosts:
        scores, positive = token_scores(b.rows), b.right[b.easy]
        each = [figures(Method((scores[name],), None).on(b.easy), positive) for name in TOKEN_SCORES]
        best[b.name] = max(each, key=lambda found: found[AUROC])
    own, elsewhere = published.TABLE_11
    return {"squares": squares, BEST_TOKEN: best, "paper": {"own host": own, "others": elsewhere}, "notes": notes}


def render_squares(found: Mapping[str, Any]) -> str:
    text = ""
    names = list(found[BEST_TOKEN])
    for name, square in found["squares"].items():
        for metric in (ACCURACY, AUROC):
            text += (
                f"\n{name.capitalize()}, {HEADS[metric]}: trained on the host of the line, tested on that of the "
                "column.\n\n"
            )
            rows = [[a, *[cell(by.get(b, {}).get(metric)) for b in names]] for a, by in square.items()]
            rows.append([f"{BEST_TOKEN}, untrained", *[cell(found[BEST_TOKEN][b][metric]) for b in names]])
            text += table(["trained on", *names], rows)
    text += "\nThe paper's detector on Meta-Llama-3-8B, trained on the host with 20,000 private examples:\n\n"
    text += table(["tested on", PUBLISHED], list(found["paper"].items()))
    return text + "".join(f"\nNot trained: {note}\n" for note in dict.fromkeys(found["notes"]))


STATES = Section(
    "Table 10: with the states of another host",
    "Right against made up under greedy decoding, all phrasings. Hosts fine-tuned on other people first, as in the "
    "paper (its averages beside); then any other host of equal depth. "
    "Thresholds are those of the detector's own host.",
    needs_states,
    with_states,
)
PROBABILITIES = Section(
    "Table 11: with another host's probabilities alone",
    "Right against made up under greedy decoding, all phrasings. What a server tells suffices. "
    "The best token score has the best of all thresholds, chosen on the tested rows, which flatters it. "
    "The paper's other black box, base models asked about a hundred real people, is not here: all our people are "
    "made up.",
    needs_probabilities,
    with_probabilities,
    render_squares,
)
