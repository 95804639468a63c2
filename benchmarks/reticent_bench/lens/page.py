"""The lens' figures as a page of tables, and as a picture against the floor."""

from __future__ import annotations

from io import StringIO
from typing import Any

from reticent_bench.lens.report import winners
from reticent_bench.report.result import table


def render(figures: dict[str, Any]) -> str:
    """The page; a table that was not measured is left out, and `missing` says why."""
    device = ", ".join(
        f"{name} {value:.0f}" if isinstance(value, float) else str(value) for name, value in figures["device"].items()
    )
    text = (
        "# The lens\n\n"
        f"Measured on: {device}. Times are medians with 20 and 80 % quantiles, in ms; "
        "a way that failed its check has none.\n\n"
    )
    if rows := figures.get("targets"):
        text += "## What was to be reached\n\n"
        met = {True: "yes", False: "no", None: "not measured"}
        text += table(["target", "measured", "met"], [[r["target"], r["value"], met[r["met"]]] for r in rows]) + "\n"
    if rows := figures.get("exactness"):
        text += "## Exactness suite\n\nWhat is not zero differs from the definition by a bit.\n\n"
        routes = list(dict.fromkeys(r["route"] for r in rows))
        wrong = [[route, sum(r["route"] == route for r in rows), _faults_of(rows, route)] for route in routes]
        text += table(["route", "cases", "faults"], wrong) + "\n"
    if rows := figures.get("agreement"):
        text += (
            "## Beside float64\n\n"
            "The largest error of a logit as a share of the largest logit; every call twice, bit by bit.\n\n"
        )
        keys = ["V", "d", "R", "route", "options"]
        cells = [[*(r[k] for k in keys), f"{r['worst error']:.1e}", ", ".join(r["faults"]) or "none"] for r in rows]
        text += table([*keys, "worst error", "faults"], cells) + "\n"
    if rows := figures.get("floors"):
        read, flops = rows[0]["bytes_per_second"] / 1e12, rows[0]["flops_per_second"] / 1e12
        text += (
            "## Time\n\n"
            f"Floors of this run: a read-only stream at {read:.2f} TB/s, a matrix product at {flops:.0f} TFLOP/s.\n\n"
        )
    for name, head in (("speed", ""), ("curve", "More rows:\n\n"), ("race", "Routes that might be shipped:\n\n")):
        if rows := figures.get(name):
            text += head + _times(rows) + "\n"
    if best := winners(figures):
        cells = [[r["R"], "yes" if r["entropy"] else "no", r["way"], r["ms"]] for r in best]
        text += "The fastest of them:\n\n" + table(["R", "rank and entropy", "route", "ms"], cells) + "\n"
    if rows := figures.get("cosines"):
        cells = [
            [r["way"], _time(r.get("cold")), f"{r['worst error']:.1e}", ", ".join(r["faults"]) or "none"] for r in rows
        ]
        text += "## Cosines\n\n" + table(["way", "cold", "worst error", "faults"], cells) + "\n"
    if rows := figures.get("logprobs"):
        cells = [
            [r["R"], r["way"], _time(r.get("warm")), _error(r["worst error"]), ", ".join(r["faults"]) or "none"]
            for r in rows
        ]
        text += (
            "## Log-probabilities of a step\n\n" + table(["R", "way", "warm", "worst error", "faults"], cells) + "\n"
        )
    if figures["missing"]:
        text += "## Not measured\n\n" + "".join(f"- {line}\n" for line in figures["missing"])
    return text


def _faults_of(rows: list[dict[str, Any]], route: str) -> str:
    wrong = [f"{r['case']}: {', '.join(r['faults'])}" for r in rows if r["route"] == route and r["faults"]]
    return "; ".join(wrong) or "none"


def _time(timing: dict[str, Any] | None) -> str:
    return f"{timing['median']:.3f} [{timing['low']:.3f}, {timing['high']:.3f}]" if timing else "—"


def _error(error: float | None) -> str:
    return "not finite" if error is None else f"{error:.1e}"


def _times(rows: list[dict[str, Any]]) -> str:
    head = ["R", "way", "cold L2", "warm L2", "floor", "share of floor", "extra MiB", "launch", "graph", "faults"]
    cells = []
    for r in sorted(rows, key=lambda row: int(row["R"])):
        name = r["way"] + (", with rank and entropy" if r.get("entropy") else "")
        extra = r.get("extra bytes")
        graph = {True: "yes", False: "no", None: "—"}[r.get("cold", {}).get("graph")]
        times = [_time(r.get("cold")), _time(r.get("warm")), r.get("floor ms"), r.get("share of floor")]
        memory = None if extra is None else f"{extra / 2**20:.1f}"
        cells.append([r["R"], name, *times, memory, r.get("launch ms"), graph, ", ".join(r["faults"]) or "none"])
    return table(head, cells)


def roofline(figures: dict[str, Any]) -> str | None:
    """The lens and its rivals over the rows against the floor, as SVG; None without matplotlib or without times."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        return None
    rows = [r for r in [*figures.get("speed", []), *figures.get("curve", [])] if "cold" in r]
    if not rows:
        return None
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    floor = sorted({(r["R"], r["floor ms"]) for r in rows})
    axes.plot(*zip(*floor, strict=True), color="black", linewidth=1, label="floor")
    for way in dict.fromkeys(r["way"] for r in rows):
        points = sorted((r["R"], r["cold"]["median"]) for r in rows if r["way"] == way)
        axes.plot(*zip(*points, strict=True), marker="o", markersize=3, linewidth=1, label=way)
    axes.set(xscale="log", yscale="log", xlabel="rows", ylabel="ms, cold cache")
    axes.set_title(figures["device"]["name"])
    axes.legend(fontsize="small")
    stream = StringIO()
    figure.savefig(stream, format="svg")
    return stream.getvalue()
