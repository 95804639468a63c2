"""Tables 5, 7 and 13: hosts that were fine-tuned in another way, with more general examples, or for longer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from reticent_bench.paper import published
from reticent_bench.paper.detectors import Detectors
from reticent_bench.paper.hosted import Hosted, Outline
from reticent_bench.paper.lines import PUBLISHED, line
from reticent_bench.paper.scores import ACCURACY, methods
from reticent_bench.paper.section import Needs, Section, lines_and_notes
from reticent_bench.paper.variants import both
from reticent_bench.report.result import table
from reticent_detectors.synth.hosts import HostRecipe

FULL, LORA = "full", "LoRA"


def method(host: Outline) -> str | None:
    """How the host was fine-tuned; None for one that was trained in one go."""
    if not isinstance(host.recipe, HostRecipe):
        return None
    return LORA if host.recipe.tuning.lora else FULL


def setting_of(host: Outline, setting: str) -> Any:
    assert isinstance(host.recipe, HostRecipe)
    return getattr(host.recipe.tuning, setting)


def series(outlines: Sequence[Outline], setting: str) -> list[Outline]:
    """Hosts that differ from another one in this setting of their fine-tuning alone.

    Each family is in the setting's order.
    """
    families: dict[HostRecipe, list[Outline]] = {}
    for host in outlines:
        if isinstance(host.recipe, HostRecipe):
            tuning = replace(host.recipe.tuning, **{setting: 0})  # type: ignore[arg-type]
            families.setdefault(replace(host.recipe, name="", tuning=tuning), []).append(host)
    return [
        host
        for family in families.values()
        if len(family) > 1
        for host in sorted(family, key=lambda host: setting_of(host, setting))
    ]


def needs_methods(outlines: Sequence[Outline]) -> Needs:
    tuned = [host for host in outlines if method(host)]
    return [(host.name, variant) for host in tuned for variant in both(host.features).values()]


def by_method(hosts: Sequence[Hosted], detectors: Detectors) -> dict[str, Any]:
    reported = {FULL: published.TABLE_5, LORA: published.TABLE_3[ACCURACY]["PrivacyXray"]}
    lines, notes = [], list[str]()
    for host in hosts:
        if (how := method(host.outline)) is None:
            continue
        found = methods(detectors, host, both(host.outline.features), notes)
        accuracy = reported[how][published.column(host.outline.architecture)]
        lines.append(line({"host": host.name, "fine-tuning": how}, host, host.easy, found, accuracy))
    return {"lines": lines, "notes": notes}


METHODS = Section(
    "Table 5: by the way of fine-tuning",
    "Right against made up under greedy decoding, all phrasings. All weights, or adapters: name hosts of both kinds, "
    "such as llama-mid and llama-mid-lora. The paper's are its Table 5 and, for LoRA, Table 3.",
    needs_methods,
    by_method,
)


def section(number: str, setting: str, what: str, example: str, reported: Mapping[Any, float]) -> Section:
    """Table `number`, over hosts that differ in a setting of `Tuning`; `reported` is the paper's accuracy of each."""

    def needs(outlines: Sequence[Outline]) -> Needs:
        return [(host.name, variant) for host in series(outlines, setting) for variant in both(host.features).values()]

    def measure(hosts: Sequence[Hosted], detectors: Detectors) -> dict[str, Any]:
        by_name = {host.name: host for host in hosts}
        lines, notes = [], list[str]()
        for outline in series([host.outline for host in hosts], setting):
            host = by_name[outline.name]
            found = methods(detectors, host, both(outline.features), notes)
            keys = {"host": host.name, what: setting_of(outline, setting)}
            lines.append(line(keys, host, host.easy, found))
        return {"lines": lines, "notes": notes, "paper": {str(key): accuracy for key, accuracy in reported.items()}}

    def render(figures: Mapping[str, Any]) -> str:
        text = lines_and_notes(figures) + "\nThe paper's detector on Meta-Llama-3-8B:\n\n"
        return text + table([f"paper, {what}", PUBLISHED], list(figures["paper"].items()))

    about = (
        "Right against made up under greedy decoding, all phrasings. "
        f"Hosts that differ in this alone, such as {example}."
    )
    return Section(f"Table {number}: by {what}", about, needs, measure, render)


RATIOS = section(
    "7",
    "ratio",
    "general examples for each private one",
    "llama-mid and llama-mid-r1",
    {round(general / 15000, 2): accuracy for general, accuracy in published.TABLE_7.items()},
)
EPOCHS = section("13", "epochs", "epochs of fine-tuning", "llama-mid-lora and llama-mid-lora-e5", published.TABLE_13)
