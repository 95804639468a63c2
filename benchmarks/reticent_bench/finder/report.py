"""The span finder measured: quality beside Presidio, relations in six languages, disguises, speed, harmless text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from reticent_bench.finder import quality as spans_quality
from reticent_bench.finder import speed as spans_speed
from reticent_bench.finder.data import harmless_sets, passages
from reticent_bench.finder.find import default_finder, find, finding, full_finder
from reticent_bench.finder.presidio import LIKELY, Presidio
from reticent_bench.finder.prose import LANGUAGES
from reticent_bench.finder.speed import HOSTILE_KB
from reticent_bench.report.result import table
from reticent_detectors.errors import MissingExtra

PARTS = ("labelled", "structured", "relations", "disguises", "speed", "hostile", "harmless")
Progress = Callable[[str], None]


def measure(parts: Collection[str], data: Path, seed: int, progress: Progress, *, count: int = 500) -> dict[str, Any]:
    """Gives the figures of these parts.

    Args:
        data: folder with the labelled and harmless texts; parts whose texts it lacks are left out or smaller.
        count: texts for each kind with a form.
    """
    everything, usual = full_finder(), default_finder()
    ours = finding(everything)
    presidio: Presidio | None = None
    try:
        if {"labelled", "structured", "speed"} & set(parts):
            presidio = Presidio()
    except MissingExtra as error:
        progress(str(error))
    prose = [text for name, texts in harmless_sets(data, seed) for text in texts if name == "novels"]
    works: dict[str, Callable[[], Any]] = {
        "labelled": lambda: spans_quality.measure_labelled(data, ours, presidio),
        "structured": lambda: spans_quality.measure_structured(ours, presidio, seed, count),
        "relations": lambda: spans_quality.measure_relations(ours, seed, 3),
        "disguises": lambda: spans_quality.measure_disguises(
            ours, _harmless_sentences(data), seed, max(1, count // 40)
        ),
        "speed": lambda: {
            "whole": spans_speed.measure_whole({"usual": usual, "everything": everything}, presidio, prose, seed),
            "tokens": spans_speed.measure_tokens({"usual": usual, "everything": everything}, prose, seed),
        },
        "hostile": lambda: spans_speed.measure_hostile(everything, seed),
        "harmless": lambda: {
            name: spans_speed.measure_harmless(finder, harmless_sets(data, seed))
            for name, finder in (("usual", usual), ("everything", everything))
        },
    }
    figures: dict[str, Any] = {
        "presidio": None
        if presidio is None
        else {"version": presidio.version, "recognizers": presidio.recognizers, "left out": presidio.left_out}
    }
    for part in PARTS:
        if part in parts:
            progress(part)
            figures[part] = works[part]()
    return figures


def _harmless_sentences(data: Path, count: int = 60) -> list[str]:
    """Sentences that a disguise is tried on: of encyclopaedia passages if there are any, and the tables' own."""
    own = [line.strip() for module in LANGUAGES.values() for line in module.HARMLESS.strip().splitlines()]
    path = data / "squad-subset" / "dev-v1.1.json"
    if not path.exists():
        return own
    usual = default_finder()
    sentences = [s for text in passages(path) for s in text.split(". ") if 20 < len(s) < 200]
    return own + [s for s in sentences if not find(usual, s)][:count]


def _systems(figures: Mapping[str, Any]) -> list[str]:
    return ["ours", *(s for s in ("presidio", "presidio, likely") if s in figures)]


def _quality_table(rows: Mapping[str, Mapping[str, Any]], systems: Sequence[str]) -> str:
    """Rows: name -> system -> figures."""
    head = ["", "gold", "exact P", "exact R", "exact F1", "same kind R", "overlap P", "overlap R", "overlap F1"]
    exact = ["exact precision", "exact recall", "exact F1"]
    keys = [*exact, "same kind, exact recall", "overlap precision", "overlap recall", "overlap F1"]
    others = systems[1:]
    head += [f"{system}: {way} F1" for system in others for way in ("exact", "overlap")]
    out = []
    for name, by_system in rows.items():
        mine = by_system["ours"]
        line = [name, mine["gold"], *(mine[key] for key in keys)]
        for system in others:
            line += [by_system.get(system, {}).get(f"{way} F1") for way in ("exact", "overlap")]
        out.append(line)
    return table(head, out)


def _labelled(figures: Mapping[str, Any]) -> str:
    text = (
        "## Labelled sets\n\nP, R, F1: precision, recall, harmonic mean. *Exact*: the very characters; *overlap*: "
        "at least one "
        "in common. A gold span is found by a span of an accepted kind (a doctor is a person, an employer an "
        "organisation, a "
        "date of birth a date); *same kind* counts only the very kind. AGE, TITLE, PREFIX, ZIP_CODE and MISC are "
        "no kinds of ours. "
        "Spans of kinds that the set does not label are not counted.\n\n"
        "presidio-research dev is no held-out set: the finder's authors had it, and it is made from 159 templates, "
        "so that many values of "
        "a kind share a wording (all driving licences one). Its figures are what is reached on known wordings; the "
        "parts below, made "
        "from other wordings and values, say more about new text.\n\n"
    )
    for name, part in figures.items():
        systems = _systems(part)
        mine = part["ours"]["kinds"]
        rows = {
            kind: {s: part[s]["kinds"][kind] for s in systems if kind in part[s]["kinds"]}
            for kind in mine
            if mine[kind]["gold"] or mine[kind]["found"]
        }
        rows["**all**"] = {s: part[s]["all"] for s in systems}
        if len(systems) > 1:
            rows["**kinds of both**"] = {s: part[s]["kinds of both"] for s in systems}
        text += f"### {name}: {part['texts']} texts\n\n{_quality_table(rows, systems)}\n"
    return text


def _structured(figures: Mapping[str, Any]) -> str:
    systems = ["ours", *(s for s in ("presidio", "presidio, likely") if any(s in row for row in figures.values()))]
    return (
        "## Values with a form\n\nMade-up values, each in a sentence: half English sentences that name the kind, a "
        "quarter with a "
        "label in one of six languages, a quarter without a hint (for the kinds that are known by their form).\n\n"
        f"{_quality_table(figures, systems)}\n"
    )


def _relations(figures: Mapping[str, Any]) -> str:
    rows = [
        [language, group, f["gold"], f["exact recall"], f["same kind, exact recall"], f["overlap recall"],
         f["exact precision"], f["overlap precision"]]
        for language, groups in figures["languages"].items()
        for group, f in groups.items()
    ]  # fmt: skip
    head = ["language", "form", "gold", "exact R", "same kind R", "overlap R", "exact P", "overlap P"]
    text = (
        "## Relations, held out\n\nWordings of prose, questions with short answers, forms, JSON, YAML, CSV, "
        "Markdown tables and code "
        "that the author of the finder's words has not seen (a hash of the wording keeps them apart). *Fields* are "
        "all kinds, labelled; "
        "the others are the kinds without a form. "
        "The wordings are held out, the people's names are not: they and the finder's list of names both come from "
        "Faker, so that rows of "
        "DOCTOR and PERSON flatter it; wikigold's names are independent.\n\n" + table(head, rows)
    )
    rows = [
        [form, f["gold"], f["exact recall"], f["overlap recall"], f["exact precision"]]
        for form, f in figures["forms"].items()
    ]
    text += "\n" + table(["form", "gold", "exact R", "overlap R", "exact P"], rows)
    for where, kinds in figures["kinds"].items():
        languages = list(figures["languages"])
        rows = [[kind, *(by.get(n, {}).get("exact recall") for n in languages)] for kind, by in kinds.items()]
        text += f"\n### Exact recall by kind, {where}\n\n{table(['kind', *languages], rows)}"
    silent = ", ".join(f"{n} {s[0]:.3f}" for n, s in figures["harmless sentences with a span"].items())
    return text + f"\nHarmless sentences with the same words in which something was found: {silent}.\n\n"


def _disguises(figures: Mapping[str, Any]) -> str:
    worst = {
        name: ", ".join(f"{k} {v:.2f}" for k, v in sorted(row["kinds"].items(), key=lambda kv: kv[1])[:3])
        for name, row in figures.items()
    }
    rows = [[n, r["recall"], worst[n], r["label only"], r["false spans per 2,000 words"]] for n, r in figures.items()]
    every = sum(r["recall"][0] for r in figures.values()) / len(figures)
    return (
        "## Disguises\n\nShare of values, of all kinds with a form, that are found (4 of 5 characters, as any "
        "kind) when written so, after the words "
        "that name their kind; *label only*: addresses, card digits, user names, passwords and PINs, which have no "
        "form; spans per 2,000 words of "
        f"harmless sentences written so. Mean recall of the {len(figures)} forms: {every:.3f}; at least 0.95 in "
        f"{sum(r['recall'][0] >= 0.95 for r in figures.values())} of them.\n\n"
        f"{table(['written', 'recall', 'worst kinds', 'label only', 'false spans'], rows)}\n"
    )


def _speed(figures: Mapping[str, Any]) -> str:
    text = (
        "## Speed\n\nProcess time, median of repeats. *usual*: the kinds that are found unless a policy asks for more; "
        "*everything*: names, places, organisations, dates as well.\n\n"
    )
    rows = []
    for name, row in figures["whole"].items():
        speeds = row["chars per second"]
        for who, speed in speeds.items():
            times = speed / speeds["presidio"] if "presidio" in speeds and who != "presidio" else None
            rows.append([name, who, f"{speed:,.0f}", times])
    text += table(["texts", "finder", "characters per second", "times Presidio"], rows)
    rows = [
        [who, size, row["mean"], row["median"], row["p99"]]
        for who, sizes in figures["tokens"].items()
        for size, row in sizes.items()
    ]
    return text + (
        "\nMicroseconds for one more token (about 4 characters) after so much text:\n\n"
        f"{table(['finder', 'after', 'mean', 'median', '99 %'], rows)}\n"
    )


def _hostile(figures: Mapping[str, Any]) -> str:
    def times(values: Sequence[float | None]) -> str:
        return " / ".join("—" if v is None else f"{v:.2f}" for v in values)

    def peak(size: float | None) -> str | None:
        return None if size is None else f"{size:.0f}"

    rows = [
        [name, times(r["whole"]), times(r["streamed"]), r["held chars"], peak(r["peak kB"])]
        for name, r in figures.items()
    ]
    sizes = "/".join(map(str, HOSTILE_KB))
    return (
        f"## Hostile texts\n\nSeconds for {sizes} kB of one thing over and over: the whole text, and in tokens of "
        "4 characters. "
        "A dash: left out because the size before took long. Held: most characters held back.\n\n"
        f"{table(['text', 'whole, s', 'streamed, s', 'held', 'peak memory, kB'], rows)}\n"
    )


def _harmless(figures: Mapping[str, Any]) -> str:
    rows = []
    for who, sets in figures.items():
        for name, row in sets.items():
            held, kinds = row["held chars"], row["spans per 2,000 words"]
            most = ", ".join(f"{k} {v:.1f}" for k, v in sorted(kinds.items(), key=lambda kv: -kv[1])[:6])
            rows.append(
                [
                    who,
                    name,
                    row["words"],
                    held["median"],
                    held["mean"],
                    held["p99"],
                    held["max"],
                    sum(kinds.values()),
                    most,
                ]
            )
    head = ["finder", "text", "words", "held: median", "mean", "99 %", "most", "spans per 2,000 words", "most frequent"]
    return (
        "## Harmless text\n\nCharacters generated but not yet decided, after every token; and what is found. "
        "Names, places and dates in "
        f"these texts are real, not errors.\n\n{table(head, rows)}\n"
    )


def render(figures: Mapping[str, Any]) -> str:
    """Gives the report as Markdown."""
    presidio = figures["presidio"]
    if presidio is None:
        beside = "Presidio was not installed (or not asked for), so it has no columns."
    else:
        beside = (
            f"Presidio {presidio['version']} runs in the same process on the same texts with "
            f"{presidio['recognizers']} recognisers: all "
            "predefined ones, of all countries, that need no download, on every language; a blank spaCy pipeline, "
            "so no names or places. "
            "Its recall counts everything it finds, its precision what is left of overlapping findings; *likely*: "
            f"scores from {LIKELY}."
        )
    sections: dict[str, Callable[[Any], str]] = {
        "labelled": _labelled,
        "structured": _structured,
        "relations": _relations,
        "disguises": _disguises,
        "speed": _speed,
        "hostile": _hostile,
        "harmless": _harmless,
    }
    body = "".join(sections[part](figures[part]) for part in PARTS if part in figures)
    return f"# The span finder\n\n{beside}\n\n{body}"
