"""The detector's page: its numbers against plain loops, and a page that holds figures and nothing of a row."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from reticent_bench.detector.baseline_scores import Scored
from reticent_bench.detector.curves import (
    BINS,
    FALSE_POSITIVE_RATES,
    LEAST,
    RIVALS,
    curves,
    distribution,
    layers,
    reliability,
    roc,
    shown,
)  # fmt: skip
from reticent_bench.detector.parts import ScoredRows, token_scores
from reticent_bench.detector.report import CLOSED, MISSES, headline, measure, render
from reticent_bench.report.metrics import auroc, bootstrap, headroom, recall_at, weighted_recall_at
from reticent_bench.report.row_parts import EVEN, easy_part
from reticent_detectors.collection.shards import FeatureTable, keyed_hash

LAYERS, RANKS, ROWS = 3, 4, 240
LABELS = ("memorized", "hallucinated", "misattributed", "inferable")
KEY = bytes(16)


def scored_rows(**changes: Any) -> ScoredRows:
    """Rows of forty people; ours and the paper's score know something, ours more. `changes` replaces labels."""
    rng = np.random.default_rng(0)
    labels: dict[str, Any] = {
        "label": rng.choice(LABELS, ROWS, p=(0.5, 0.35, 0.1, 0.05)),
        "entity": rng.choice(["PHONE_NUMBER", "EMAIL_ADDRESS"], ROWS, p=(0.9, 0.1)),
        "phrasing_split": rng.choice(["taught", "test"], ROWS),
        "temperature": np.where(rng.random(ROWS) < 0.2, 1.0, 0.0),
        "robust": rng.random(ROWS) < 0.7,
        "first_prob": rng.random(ROWS),
        "person_key": np.array([keyed_hash(KEY, f"person {i % 40}") for i in range(ROWS)]),
        "value_key": np.array([keyed_hash(KEY, f"value {i}") for i in range(ROWS)]),
    } | changes
    knows = np.where(np.isin(labels["label"], ("memorized", "misattributed")), 1.0, 0.0)
    shapes = {"topk_prob": (LAYERS, RANKS), "inter": (LAYERS - 1, RANKS, RANKS), "intra": (LAYERS, RANKS - 1)}
    shapes |= {"token_prob": (3,), "pooled": (LAYERS, 4, 3)}
    features = {name: rng.random((ROWS, *shape)).astype(np.float32) for name, shape in shapes.items()}
    rows = FeatureTable(features, labels, {})
    scores = token_scores(rows)
    scores |= {name: knows + rng.normal(size=ROWS) for name in ("perplexity", "zlib", "Min-K%")}
    for name, noise in (("ours", 0.5), ("paper", 0.9)):
        scores[name] = 1 / (1 + np.exp(-3 * (knows - 0.5 + noise * rng.normal(size=ROWS))))
    baselines = {name: Scored(scores[name], 0.5, EVEN, "", 0.8, 30) for name in ("perplexity", "zlib", "Min-K%")}
    easy, split = easy_part(rows), labels["phrasing_split"]
    parts = {f"{name} phrasings": easy & (split == name) for name in ("taught", "detector", "test")}
    thresholds = dict.fromkeys([*baselines, "ours", "paper"], 0.5)
    return ScoredRows(rows, scores, thresholds, ("ours", "paper"), baselines, parts, frozenset())


@pytest.fixture(scope="module")
def tested() -> ScoredRows:
    return scored_rows()


@pytest.fixture(scope="module")
def figures(tested: ScoredRows) -> dict[str, Any]:
    return made(tested)


def made(tested: ScoredRows) -> dict[str, Any]:
    figures = measure(tested)
    figures["page"] = curves(tested, figures)
    figures["made_by"] = {
        "command": "reticent evaluate <runs> & more",
        "seed": 0,
        "date": "2026-01-01",
        "commit": "0",
        "machine": "m",
        "python": "3",
        "versions": {"numpy": "2"},
    }
    return figures


def html(figures: dict[str, Any]) -> str:
    pytest.importorskip("matplotlib")
    from reticent_bench.detector.page import page

    return page(figures, figures["page"])


# Numbers


def test_the_curve_goes_through_what_each_threshold_gives() -> None:
    rng = np.random.default_rng(1)
    positive = np.arange(300) < 100
    scores = rng.integers(0, 40, 300) / 40 + positive * 0.3
    got = dict(zip(FALSE_POSITIVE_RATES, roc(scores, positive), strict=True))
    points = {(float((scores[~positive] >= t).mean()), float((scores[positive] >= t).mean())) for t in scores}
    points |= {(0.0, 0.0)}
    for rate in (0.0, 0.1, 0.5, 1.0):
        below = max(p for p in points if p[0] <= rate)
        above = min((p for p in points if p[0] > rate), default=below)
        part = (rate - below[0]) / (above[0] - below[0]) if above != below else 0.0
        assert got[rate] == pytest.approx(below[1] + part * (above[1] - below[1]), abs=1e-3)
    assert np.trapezoid(list(got.values()), list(got)) == pytest.approx(auroc(scores, positive), abs=0.01)


def test_reliability_counts_each_bin_and_leaves_small_ones_out() -> None:
    rng = np.random.default_rng(2)
    probability = np.append(rng.random(200) * 0.5, [0.95, 1.0, 0.97])
    positive = rng.random(203) < probability
    got = reliability(probability, positive)
    for b in range(BINS):
        mine = [i for i, p in enumerate(probability) if min(int(p * BINS), BINS - 1) == b]
        if len(mine) >= LEAST:
            assert got["rows"][b] == len(mine)
            assert got["probability"][b] == pytest.approx(np.mean([probability[i] for i in mine]), abs=1e-4)
            assert got["remembered"][b] == pytest.approx(np.mean([positive[i] for i in mine]), abs=1e-4)
        else:
            assert got["rows"][b] == (None if mine else 0) and got["probability"][b] is got["remembered"][b] is None
    assert got["rows"][-1] is None  # three rows


def test_a_distribution_hides_bins_of_few_rows() -> None:
    got = distribution(np.array([0.01] * 6 + [0.5] * 4 + [1.0] * 10))
    assert got["rows"] == 20 and got["shares"][0] == 0.3 and got["shares"][-1] == 0.5
    assert [i for i, share in enumerate(got["shares"]) if share is None] == [10]


def test_layers_against_loops(tested: ScoredRows, figures: dict[str, Any]) -> None:
    features, labels = tested.rows.features, tested.rows.labels
    got = figures["page"]["layers"]
    greedy = labels["temperature"] == 0
    right = np.flatnonzero(greedy & (labels["label"] == "memorized"))
    wrong = np.flatnonzero(greedy & (labels["label"] == "hallucinated"))
    assert (got["remembered"], got["made up"]) == (len(right), len(wrong))
    mean = {
        name: [sum(features[name][i].astype(float) for i in ids) / len(ids) for ids in (right, wrong)]
        for name in features
    }
    for name in ("topk_prob", "intra"):
        assert np.allclose(got[name]["remembered"], mean[name][0], atol=1e-4)
        assert np.allclose(got[name]["difference"], mean[name][0] - mean[name][1], atol=1e-4)
    inter = mean["inter"][1]
    for pair in range(LAYERS - 1):
        equal = [inter[pair][rank][rank] for rank in range(RANKS)]
        assert np.allclose(got["inter"]["equal ranks"]["made up"][pair], equal, atol=1e-4)
        assert got["inter"]["top-1"]["made up"][pair] == pytest.approx(equal[0], abs=1e-4)
        assert got["inter"]["all ranks"]["made up"][pair] == pytest.approx(np.mean(inter[pair]), abs=1e-4)
    assert np.allclose(got["inter"]["last pairs"], mean["inter"][0] - mean["inter"][1], atol=1e-4)
    entropy = np.sort(features["pooled"][right, 1, 3, 1])
    assert got["pooled"]["entropy"]["remembered"][1][1] == pytest.approx(np.median(entropy), abs=1e-4)
    low, _, high = got["intra, top-1"]["made up"][0]
    inside = [low <= cosine <= high for cosine in features["intra"][wrong, 0, 0]]
    assert np.mean(inside) == pytest.approx(0.5, abs=0.05)


def test_kinds_and_tables_are_the_reports_own_and_few_rows_are_left_out(
    tested: ScoredRows, figures: dict[str, Any]
) -> None:
    kinds, table = figures["page"]["entities"], figures["page"]["table"]
    labels = tested.rows.labels
    part = tested.parts["test phrasings"] & (labels["entity"] == "PHONE_NUMBER")
    expected = auroc(tested.scores["ours"][part], labels["label"][part] == "memorized")
    assert kinds["PHONE_NUMBER"]["auroc"]["ours"] == pytest.approx(expected, abs=1e-4)
    assert {next(iter(kinds["PHONE_NUMBER"]["auroc"])), next(iter(table["test phrasings"]["scores"]))} == {"ours"}
    assert kinds["EMAIL_ADDRESS"]["not"] is None and set(kinds["EMAIL_ADDRESS"]["auroc"].values()) == {None}
    area, _, recall = table["taught phrasings"]["scores"]["paper"]
    part = tested.parts["taught phrasings"]
    assert area == pytest.approx(auroc(tested.scores["paper"][part], tested.right[part]), abs=1e-4)
    assert recall == pytest.approx(recall_at(tested.scores["paper"][part], tested.right[part], 0.05), abs=1e-4)
    assert list(figures["page"]["roc"]["taught phrasings"])[:2] == ["ours", "paper"]
    assert len(figures["page"]["roc"]["taught phrasings"]) == 5  # and a token score and two baselines
    assert len(json.dumps(figures["page"], indent=1)) < 200_000


def test_recall_of_weighted_rows_is_that_of_repeated_rows() -> None:
    rng = np.random.default_rng(4)
    for rate in (0.0, 0.05, 0.3, 1.0):
        scores, positive, weight = rng.integers(0, 9, 60) / 9, rng.random(60) < 0.5, rng.integers(0, 4, 60)
        again = np.repeat(np.arange(60), weight)
        assert weighted_recall_at(scores, positive, rate)(weight) == recall_at(scores[again], positive[again], rate)


def test_headroom_is_what_its_definition_says() -> None:
    rng = np.random.default_rng(5)
    positive, people = rng.random(300) < 0.5, np.arange(300).astype(str)
    ours, paper = positive + rng.normal(size=300) * 0.4, positive + rng.normal(size=300)
    room = headroom(ours, paper, positive, people, 0.05)
    its, mine = auroc(paper, positive), auroc(ours, positive)
    assert room.closed.value == pytest.approx((mine - its) / (1 - its))
    assert room.misses.value == pytest.approx(1 - recall_at(paper, positive, 0.05))
    assert room.cut.value == pytest.approx(1 - room.misses_ours.value / room.misses.value)
    assert 0 < room.closed.low < room.closed.value < room.closed.high < 1
    perfect = headroom(ours, positive * 1.0, positive, people, 0.05)
    assert np.isnan(perfect.closed.value) and np.isnan(perfect.cut.high)
    assert bootstrap(lambda weight: [0.5, float("nan")], people, 5)[0] == (0.5, 0.5, 0.5)


def test_the_report_says_what_is_left_of_the_papers_errors(figures: dict[str, Any]) -> None:
    compared = figures["comparisons"]["taught phrasings"]["paper"]
    text = f"{100 * compared[CLOSED].value:.1f} % ["
    assert text in headline(figures) and text in render(figures)
    assert f"paper {100 * compared[MISSES]['paper'].value:.1f} % [" in render(figures)


# The page


class Reader(HTMLParser):
    """Checks that elements are closed in order, and keeps their names and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_and_asks_for_nothing(tested: ScoredRows, figures: dict[str, Any]) -> None:
    text = html(figures)
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    assert not {"script", "link", "img", "image", "iframe"} & {tag for tag, _ in reader.seen}
    targets = [
        value or "" for _, attrs in reader.seen for name, value in attrs.items() if name.endswith(("href", "src"))
    ]
    assert targets and all(target.startswith("#") for target in targets)
    assert set(re.findall(r"https?:[^\"\s]*", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"@import|url\((?!#)", text)
    drawings = re.findall(r"<svg .*?</svg>", text, flags=re.S)
    for drawing in drawings:
        ElementTree.fromstring(drawing)
    assert len(drawings) > 20 and "ROC" in text and "reticent evaluate &lt;runs&gt; &amp; more" in text
    for key in ("person_key", "value_key"):
        assert not any(value in text + json.dumps(figures["page"]) for value in tested.rows.labels[key])


def test_the_same_numbers_give_the_same_bytes(figures: dict[str, Any]) -> None:
    pytest.importorskip("matplotlib")
    from reticent_bench.detector import drawing as draw

    numbers = figures["page"]
    rates, recalls = numbers["false positive rates"], numbers["roc"]["test phrasings"]
    assert draw.roc("a", rates, recalls, "log") == draw.roc("a", rates, recalls, "log")
    bundles = numbers["calibration"]["test"]
    assert draw.reliability("b", bundles) == draw.reliability("b", bundles)
    # Of equal baselines the first count, whatever the order of a set.
    tied = [f"baseline {i}" for i in range(9)]
    by = {name: {"auroc": 0.5} for name in tied}
    same = {"baselines": by, "parts": {"p": by}, "comparisons": {"p": {"best token score": {"baseline": "least"}}}}
    assert shown(same, "p", "ours") == ["ours", "least", *tied[:RIVALS]]


def test_names_cannot_leave_their_place(tested: ScoredRows) -> None:
    odd = "<script>$x^2$</script>"
    swapped = replace(
        tested,
        rows=FeatureTable({"token_prob": tested.rows.features["token_prob"]}, tested.rows.labels, {}),
        scores={**tested.scores, odd: tested.scores["paper"]},
        thresholds={**tested.thresholds, odd: 0.5},
        bundles=("ours", odd),
    )
    text = html(made(swapped))
    assert "<script" not in text and "&lt;script&gt;$x^2$" in text


def test_few_rows_are_not_shown_and_do_not_fail() -> None:
    label = np.array(["memorized"] * (ROWS - 4) + ["hallucinated"] * 4)
    few = made(scored_rows(label=label))
    page = few["page"]
    assert page["roc"] == page["calibration"] == {} and set(page["distributions"]) == {"memorized"}
    assert set(page["layers"]) == {"remembered", "made up"} and page["layers"]["made up"] is None
    assert {cell for part in page["table"].values() for row in part["scores"].values() for cell in row} == {None}
    one = made(scored_rows(label=np.full(ROWS, "memorized")))
    assert one["comparisons"] == {} and render(one).startswith("Nothing is compared")
    for text in (html(few), html(one)):
        assert "Left out, because" in text and "Nothing is compared" in text


def test_a_feature_that_the_rows_lack_is_left_out_with_a_sentence(tested: ScoredRows) -> None:
    features = {name: array for name, array in tested.rows.features.items() if name in ("token_prob", "topk_prob")}
    rows = FeatureTable(features, tested.rows.labels, {})
    easy = easy_part(rows)
    empty = {"inter": np.zeros((ROWS, 0, 1, 1), np.float32), "intra": np.zeros((ROWS, 1, 0), np.float32)}
    got = layers(features | empty, easy & tested.right, easy & ~tested.right)
    assert set(got) == {"remembered", "made up", "topk_prob"}
    text = html(made(replace(tested, rows=rows)))
    assert "cosines between layers, cosines within a layer, the emitted tokens' statistics." in text.replace(
        "&#x27;", "'"
    )
    assert "Top-k probability" in text and "Cosine" not in text
