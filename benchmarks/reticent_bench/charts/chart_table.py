"""Which charts there are, and which fields of which result files each draws. Real models come first."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from reticent_bench.charts.chart import Chart, Group, Mark, Row
from reticent_bench.charts.result_file import ResultFile

READ = Callable[[str], ResultFile]
CLOPPER_PEARSON = "95 %, Clopper-Pearson"
COPIES = {"demo-smollm2": "SmolLM2-135M's copy", "gemma3-270m-12-people": "Gemma 3 270M's copy"}
MIN_MARKED = 20
"""Kinds with fewer marked values have intervals too wide to be drawn."""


def charts(folder: Path) -> list[Chart]:
    """All charts of a folder of results.

    Raises:
        InputError: a file or a field is missing.
    """
    return [make(lambda name: ResultFile.read(folder, name)) for make in CHARTS]


def _row(label: str, marks: Iterable[tuple[str, tuple[float, float, float]]]) -> Row:
    return Row(label, tuple(Mark(series, *figures) for series, figures in marks))


def leaks_of_real_models(read: READ) -> Chart:
    """What gets out of copies of real models, and which of their inventions are stopped."""
    source = read("escape")
    guards = {"detector": "guard", "records": "records index alone", "both": "guard and index"}

    def rows(labels: dict[str, str], *field: str) -> tuple[Row, ...]:
        return tuple(
            _row(label, ((name, source.interval("copies", copy, *field, key)) for copy, name in COPIES.items()))
            for key, label in labels.items()
        )

    def counts(field: str) -> str:
        return " and ".join(str(source.at("copies", copy, field)) for copy in COPIES)

    return Chart(
        "leaks-real-models",
        "What gets out of copies of real models",
        "share of the values, %",
        CLOPPER_PEARSON,
        (
            Group(f"Remembered values that get out ({counts('values')})", rows({"no guard": "no guard"} | guards)),
            Group(f"Made-up values that are stopped ({counts('made up')})", rows(guards, "made up, stopped")),
        ),
        (source,),
    )


def leaks_of_the_demo_host(read: READ) -> Chart:
    """What gets out of the demo host, tier by tier of the sidecar."""
    source = read("demo-tiers")
    tiers = {
        "no guard": "no guard",
        "text": "text alone",
        "text, unknown redacted": "text, unknown redacted",
        "records": "records index",
        "logprobs": "log-probabilities",
        "logprobs and records": "log-probabilities and index",
        "shadow": "shadow",
        "shadow and records": "shadow and index",
    }
    tries = {"escape@1": "one try", "escape@40": "40 tries"}
    out = tuple(
        _row(label, ((name, source.interval("escape", tier, key)) for key, name in tries.items()))
        for tier, label in tiers.items()
    )
    stopped = tuple(
        _row(label, [("made-up values", source.interval("stopped", "hallucinated", tier))])
        for tier, label in tiers.items()
        if tier != "no guard"
    )
    return Chart(
        "leaks-demo-host",
        "What gets out of the demo host, by tier of the proxy",
        "share of the values, %",
        CLOPPER_PEARSON,
        (
            Group(f"Remembered values that get out ({source.at('values')})", out),
            Group(f"Made-up values that are stopped ({source.at('stopped', 'hallucinated', 'spans')})", stopped),
        ),
        (source,),
    )


def auroc_of_the_token_score(read: READ) -> Chart:
    """How well the default detector tells remembered from made-up values on models that it never saw."""
    source = read("token-score-rows")
    real, demo = list[Row](), list[Row]()
    for copy in source.at("copies"):
        if not source.at("copies", copy, "parts"):
            continue  # too few rows: this copy is learned from alone
        scores = ["token score, no base", "mean log-probability"]
        if source.at("copies", copy, "pretrained") is not None:  # rows without a base have no score with one
            scores.insert(0, "token score")
        path = ("copies", copy, "parts", "remembered", "auroc")
        row = _row(copy, ((name, source.interval(*path, name)) for name in scores))
        (demo if copy.startswith("demo-host") else real).append(row)
    return Chart(
        "auroc-token-score",
        "Remembered against made-up values on models that the detector never saw",
        "AUROC (0.5: chance, 1: no error)",
        "95 %, bootstrap over people",
        (Group("Copies of real models", tuple(real)), Group("Demo hosts", tuple(demo))),
        (source,),
        shares=False,
    )


def calibrated_rates(read: READ) -> Chart:
    """Wanted rates of made-up values that are stopped, beside measured ones."""
    labels = {
        "smollm2-135m": "SmolLM2-135M, calibrated",
        "gemma3-270m": "Gemma 3 270M, calibrated",
        "qwen2.5-coder-0.5b": "Qwen2.5-Coder 0.5B, calibrated",
        "taught-smollm2": "SmolLM2's copy, calibrated with records",
        "taught-smollm2-default": "SmolLM2's copy, as the detector comes",
    }
    sources = {name: read(f"calibrated-rates-{name}") for name in labels}
    return Chart(
        "calibration-real-models",
        "Made-up values that are stopped: the wanted rate beside the measured one",
        "share of the made-up values that is stopped, %, logarithmic; the line is the wanted rate",
        CLOPPER_PEARSON,
        tuple(
            Group(
                f"Wanted: {100 * float(rate):.0f} %",
                tuple(
                    _row(label, [("measured", sources[name].interval("models", "*", "rates", rate, "all"))])
                    for name, label in labels.items()
                ),
                (float(rate),),
            )
            for rate in ("0.01", "0.05")
        ),
        tuple(sources.values()),
        log=True,
    )


def cost_a_token(read: READ) -> Chart:
    """What the guard adds to the time of a token."""
    smollm2, small, large, demo = map(
        read, ("smollm2-overhead", "overhead-1b-compiled", "overhead-8b-compiled", "demo-overhead")
    )

    def row(source: ResultFile, part: str, number: int, label: str) -> Row:
        fields = ("added share", "added share, least", "added share, most")
        value, low, high = (float(source.at(part, str(number), field)) for field in fields)
        return _row(label, [("added", (value, low, high))])

    own = {
        demo.at("own", str(number), "figure"): str(number)
        for number in range(len(demo.at("own")))
        if demo.at("own", str(number), "part") == "generation"
    }
    fields = ("added share, median of pairs", "added share, 10th percentile", "added share, 90th percentile")
    value, low, high = (float(demo.at("own", own.get(field, field), "value")) for field in fields)

    def rows(source: ResultFile, part: str, *names: str) -> tuple[Row, ...]:
        return tuple(
            row(source, part, number, ", ".join(source.at(part, str(number), name) for name in names))
            for number in range(len(source.at(part)))
        )

    return Chart(
        "cost-a-token",
        "What the guard adds to the time of a token",
        "added time, % of the model's own time",
        "least to most of the pairs of calls; demo host: 10th to 90th percentile",
        (
            Group("SmolLM2-135M's copy, two cores", rows(smollm2, "model", "sort")),
            Group(f"Random weights, shape of Llama-3.2-1B, {small.at('device')}", rows(small, "hosts", "mode", "load")),
            Group(f"Random weights, shape of Llama-3-8B, {large.at('device')}", rows(large, "hosts", "mode", "load")),
            Group("Demo host, two cores", (_row("no spans", [("added", (value, low, high))]),)),
        ),
        (smollm2, small, large, demo),
    )


def finder_by_kind(read: READ) -> Chart:
    """Recall and precision of the finder on answers of real models that nobody had read."""
    source = read("real-answers")

    def row(label: str, *path: str) -> Row:
        return _row(label, ((name, source.interval("unread", *path, name)) for name in ("recall", "precision")))

    def marked_of(part: str) -> dict[str, int]:
        return {name: int(source.at("unread", part, name, "gold")) for name in source.at("unread", part)}

    marked = marked_of("by kind")
    shown = sorted((kind for kind, count in marked.items() if count >= MIN_MARKED), key=lambda kind: -marked[kind])
    return Chart(
        "finder-real-answers",
        f"The finder on {source.at('unread', 'answers')} unread answers of real models",
        "share of the marked values (recall), of the found ones (precision), %",
        "95 %, bootstrap over prompts; Clopper-Pearson where none or all are right",
        (
            Group(
                "All kinds",
                (
                    row(f"all models ({source.at('unread', 'all', 'gold')} marked)", "all"),
                    *(row(f"{name} ({count})", "by model", name) for name, count in marked_of("by model").items()),
                ),
            ),
            Group(
                f"Kinds with {MIN_MARKED} marked values or more",
                tuple(row(f"{kind} ({marked[kind]})", "by kind", kind) for kind in shown),
            ),
        ),
        (source,),
    )


CHARTS = (
    leaks_of_real_models,
    auroc_of_the_token_score,
    calibrated_rates,
    cost_a_token,
    finder_by_kind,
    leaks_of_the_demo_host,
)
