"""Charts: each mark is where its result file says, in words and in place; fields that are missing are named."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from chromium import PROGRAM, Chromium
from typer.testing import CliRunner

from reticent_bench.bench_command import app
from reticent_bench.charts.chart import Chart, Group, Mark, Row
from reticent_bench.charts.chart_table import CHARTS, charts
from reticent_bench.charts.draw import LINEAR_BELOW, draw
from reticent_bench.charts.result_file import ResultFile
from reticent_detectors.errors import InputError

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks/results"
SVG = "{http://www.w3.org/2000/svg}"
Path_ = tuple[str | int, ...]
Place = tuple[str, tuple[Path_, ...]]
"""A result file, and the path of a figure with its interval or the three paths of its value and its ends."""


def documents(name: str) -> Any:
    return json.loads((RESULTS / f"{name}.json").read_text())


def whole(file: str, *path: str | int) -> Place:
    return file, (path,)


def leaks_real() -> Iterator[Place]:
    copies = ("demo-smollm2", "gemma3-270m-12-people")
    for key in ("no guard", "detector", "records", "both"):
        yield from (whole("escape", "copies", copy, key) for copy in copies)
    for key in ("detector", "records", "both"):
        yield from (whole("escape", "copies", copy, "made up, stopped", key) for copy in copies)


def leaks_demo() -> Iterator[Place]:
    guarded = [name + more for name in ("records", "logprobs", "shadow") for more in ("", " and records")]
    guarded = ["text", "text, unknown redacted", *(name for name in guarded if name != "records and records")]
    for tier in ("no guard", *guarded):
        yield from (whole("demo-tiers", "escape", tier, f"escape@{tries}") for tries in (1, 40))
    yield from (whole("demo-tiers", "stopped", "hallucinated", tier) for tier in guarded)


def auroc() -> Iterator[Place]:
    copies = {name: found for name, found in documents("token-score-rows")["copies"].items() if found["parts"]}
    for copy in sorted(copies, key=lambda name: name.startswith("demo-host")):
        scores = ("token score", "token score, no base", "mean log-probability")
        path = ("copies", copy, "parts", "remembered", "auroc")
        there = copies[copy]["parts"]["remembered"]["auroc"]
        yield from (whole("token-score-rows", *path, score) for score in scores if score in there)


def calibration() -> Iterator[Place]:
    files = ("smollm2-135m", "gemma3-270m", "qwen2.5-coder-0.5b", "taught-smollm2")
    for rate in ("0.01", "0.05"):
        for name in (*files, "taught-smollm2-default"):
            file = f"calibrated-rates-{name}"
            (model,) = documents(file)["models"]
            yield whole(file, "models", model, "rates", rate, "all")


def cost() -> Iterator[Place]:
    parts = {"smollm2-overhead": "model", "overhead-1b-compiled": "hosts", "overhead-8b-compiled": "hosts"}
    for file, part in parts.items():
        for number in range(len(documents(file)[part])):
            ends = ("added share", "added share, least", "added share, most")
            yield file, tuple((part, number, end) for end in ends)
    figures = [each["figure"] for each in documents("demo-overhead")["own"]]
    ends = ("added share, median of pairs", "added share, 10th percentile", "added share, 90th percentile")
    yield "demo-overhead", tuple(("own", figures.index(end), "value") for end in ends)


def finder() -> Iterator[Place]:
    unread = documents("real-answers")["unread"]
    many = [kind for kind, found in unread["by kind"].items() if found["gold"] >= 20]
    rows = [("all",), *(("by model", model) for model in unread["by model"])]
    rows += [("by kind", kind) for kind in sorted(many, key=lambda kind: -unread["by kind"][kind]["gold"])]
    for row in rows:
        yield from (whole("real-answers", "unread", *row, figure) for figure in ("recall", "precision"))


PLACES: dict[str, list[Place]] = {
    "leaks-real-models": list(leaks_real()),
    "leaks-demo-host": list(leaks_demo()),
    "auroc-token-score": list(auroc()),
    "calibration-real-models": list(calibration()),
    "cost-a-token": list(cost()),
    "finder-real-answers": list(finder()),
}
"""Where each chart's figures stand in the result files, from top to bottom; written without sight of the charts."""
SCORES, LOGARITHMIC = {"auroc-token-score"}, {"calibration-real-models"}


def at(document: Any, path: Path_) -> Any:
    for key in path:
        document = document[key]
    return document


def figures_of(places: Sequence[Place]) -> list[list[float]]:
    """Value, low and high of each place."""
    read = {file: documents(file) for file, _ in places}
    found = [[at(read[file], path) for path in paths] for file, paths in places]
    return [each[0] if len(each) == 1 else each for each in found]


def words(figure: Sequence[float], *, score: bool) -> str:
    value, low, high = (f"{end:.3f}" if score else f"{100 * end:.1f}".replace("-0.0", "0.0") for end in figure)
    return f"{value} ({low} to {high})" if score else f"{value} % ({low} to {high})"


def on_axis(value: float, *, logarithmic: bool) -> float:
    """A value's place on the axis, but for shift and scale."""
    if not logarithmic:
        return value
    decades = 10 / 9  # what matplotlib gives the linear part
    small = abs(value) <= LINEAR_BELOW
    return decades * value / LINEAR_BELOW if small else decades + math.log10(value / LINEAR_BELOW)


def differences(drawn: str, name: str, figures: Sequence[Sequence[float]]) -> list[str]:
    """How the words and the places of a chart's marks differ from figures; words hold all that is printed."""
    tree = ElementTree.fromstring(drawn)
    texts = ["".join(each.itertext()).strip() for each in tree.iter(f"{SVG}text")]
    printed = [text for text in texts if re.fullmatch(r"-?[\d.]+( %)? \(-?[\d.]+ to -?[\d.]+\)", text)]
    wanted = [words(figure, score=name in SCORES) for figure in figures]
    found = [f"printed {a}, of the file {b}" for a, b in zip(printed, wanted, strict=False) if a != b]
    if len(printed) != len(wanted):
        return [*found, f"{len(printed)} printed, {len(wanted)} of the file"]
    places = list[tuple[float, float]]()
    for number, figure in enumerate(figures):
        mark, bar = (tree.find(f".//{SVG}g[@id='data-{kind}-{number}']") for kind in ("mark", "bar"))
        assert mark is not None and bar is not None
        use, path = mark.find(f".//{SVG}use"), bar.find(f".//{SVG}path")
        assert use is not None and path is not None
        ends = re.findall(r"[ML] ([\d.]+) ", path.attrib["d"])
        drawn_at = [float(use.attrib["x"]), float(ends[0]), float(ends[-1])]
        places += [(on_axis(end, logarithmic=name in LOGARITHMIC), x) for end, x in zip(figure, drawn_at, strict=True)]
    (least, left), (most, right) = min(places), max(places)
    scale = (right - left) / (most - least)
    off = [abs(left + scale * (value - least) - x) for value, x in places]
    return found + [f"end {number} is {by:.2f} points off" for number, by in enumerate(off) if by > 0.05]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """What the command draws from the result files."""
    out = tmp_path_factory.mktemp("figures")
    done = CliRunner().invoke(app, ["figures", "--results", str(RESULTS), "--out", str(out)])
    assert done.exit_code == 0, done.output
    return {path.stem: path.read_text() for path in out.glob("*.svg")}


def test_every_chart_has_its_places(drawn: Mapping[str, str]) -> None:
    assert set(drawn) == set(PLACES)
    assert len(CHARTS) == len(PLACES)


@pytest.mark.parametrize("name", PLACES)
def test_a_chart_shows_the_figures_of_its_files(name: str, drawn: Mapping[str, str]) -> None:
    assert differences(drawn[name], name, figures_of(PLACES[name])) == []


@pytest.mark.parametrize("name", PLACES)
def test_the_chart_of_the_documents_shows_the_figures_of_its_files(name: str) -> None:
    """If this fails after a measurement: `reticent bench figures`."""
    committed = (RESULTS / "figures" / f"{name}.svg").read_text()
    assert differences(committed, name, figures_of(PLACES[name])) == []


@pytest.mark.parametrize("name", PLACES)
def test_another_figure_is_seen_in_words_and_in_place(name: str, drawn: Mapping[str, str]) -> None:
    figures = [list(figure) for figure in figures_of(PLACES[name])]
    for number in (0, len(figures) // 2, len(figures) - 1):
        changed = [list(figure) for figure in figures]
        changed[number][0] = changed[number][0] / 2 + 0.3
        found = differences(drawn[name], name, changed)
        assert any(each.startswith("printed") for each in found) and any("points off" in each for each in found)


@pytest.mark.parametrize("name", PLACES)
def test_a_field_that_is_missing_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make = next(make for make in CHARTS if make(lambda file: ResultFile.read(RESULTS, file)).name == name)
    for file, paths in PLACES[name]:
        for path in paths:
            document = documents(file)
            del at(document, path[:-1])[path[-1]]
            with pytest.raises(InputError, match=re.escape(str(path[-1]))) as caught:
                make(lambda other, file=file, figures=document: (  # type: ignore[misc]
                    ResultFile(file, figures) if other == file else ResultFile.read(RESULTS, other)
                ))  # fmt: skip
            assert f"{file}.json" in str(caught.value)


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no escape\.json"):
        charts(tmp_path)


@pytest.mark.parametrize("entry", [None, 3, [1.0], [1.0, "a", 2.0]])
def test_a_figure_without_interval_is_refused(entry: Any) -> None:
    with pytest.raises(InputError, match=r"some\.json, a > b: expected a figure"):
        ResultFile("some", {"a": {"b": entry}}).interval("a", "b")


@pytest.mark.parametrize("name", PLACES)
def test_a_chart_says_what_it_is_and_what_made_it(name: str, drawn: Mapping[str, str]) -> None:
    tree = ElementTree.fromstring(drawn[name])
    assert tree.attrib["role"] == "img" and tree.findtext(f"{SVG}title") == tree.attrib["aria-label"]
    described = tree.findtext(f"{SVG}desc") or ""
    foot = " ".join("".join(each.itertext()) for each in tree.iter(f"{SVG}text") if each.get("class") == "foot")
    for file in dict.fromkeys(file for file, _ in PLACES[name]):
        command = documents(file)["made_by"]["command"].replace("` and `", " and ")
        assert f"{file}.json" in foot and command[:20] in foot
        assert command in described
    for figure in figures_of(PLACES[name]):
        assert words(figure, score=name in SCORES) in described
    assert "prefers-color-scheme: dark" in drawn[name]
    assert not re.search(r"<script|href=\"http|url\(http|@import", drawn[name])


def test_the_same_numbers_give_the_same_text(drawn: Mapping[str, str]) -> None:
    chart = next(chart for chart in charts(RESULTS) if chart.name == "leaks-real-models")
    assert draw(chart) == drawn[chart.name]


def test_none_at_all_has_a_place_on_a_logarithmic_axis() -> None:
    source = ResultFile("some", {"made_by": {"command": "reticent x", "date": "2026-01-01", "commit": "abc"}})
    figures = [[0.0, 0.0, 0.02], [0.05, 0.0004, 0.4], [1.0, 0.5, 1.0]]
    rows = tuple(Row(str(number), (Mark("a", *figure),)) for number, figure in enumerate(figures))
    chart = Chart("calibration-real-models", "T", "x", "none", (Group("G", rows),), (source,), log=True)
    assert differences(draw(chart), chart.name, figures) == []
    assert draw(replace(chart, title="<T & U>")).count("&lt;T &amp; U&gt;") >= 2


APART = """[...document.querySelectorAll('svg text')].map(text => {
    const box = text.getBoundingClientRect();
    return [text.textContent.trim(), box.left, box.right, box.top, box.bottom];
})"""


@pytest.mark.skipif(PROGRAM is None, reason="Chromium is not installed")
def test_no_words_are_cut_or_over_one_another(drawn: Mapping[str, str], tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    profile.mkdir()
    with Chromium(profile) as browser:
        for name, text in drawn.items():
            page = tmp_path / f"{name}.html"
            page.write_text(f'<!DOCTYPE html><meta charset="utf-8"><body style="margin:0">{text}')
            browser.open(page, 1000, dark=False)
            boxes = [box for box in browser.value(APART) if box[0]]
            assert len(boxes) > len(PLACES[name])
            width = float(re.search(r'width="([\d.]+)"', text)[1])  # type: ignore[index]
            assert not [box for box in boxes if box[1] < 0 or box[2] > width], name
            over = [
                (one[0], other[0])
                for number, one in enumerate(boxes)
                for other in boxes[number + 1 :]
                if one[1] < other[2] - 1 and other[1] < one[2] - 1 and one[3] < other[4] - 3 and other[3] < one[4] - 3
            ]
            assert not over, name
