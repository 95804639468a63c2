"""Writes the detector's tables and figures as one page, without scripts, outside resources, rows, values and people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from reticent_bench.detector import drawing as draw
from reticent_bench.detector.curves import FIRST_TOKEN, LEAST, STATISTICS
from reticent_bench.detector.report import CLOSED, MISSES, PAPER, headline
from reticent_bench.report.result import footer, show

STYLE = """
:root { color-scheme: light dark; --line: #8886; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
p, figcaption { max-width: 48rem; } small, figcaption, .made { font-size: .85rem; overflow-wrap: anywhere; }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 1.5rem; }
.scroll { overflow-x: auto; } .scroll svg { min-width: 40rem; }
figure { margin: 0; } svg { width: 100%; height: auto; } svg * { stroke-linejoin: round; stroke-linecap: butt; }
.grid svg { max-width: 30rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .85rem; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { text-align: right; padding: .15rem .5rem; border-bottom: 1px solid var(--line); } \
th:first-child { text-align: left; }
tbody tr:first-child { font-weight: 600; }
@media print { :root { color-scheme: light; } body { font-size: 11px; max-width: none; } \
figure, table { break-inside: avoid; }
  .scroll { overflow: visible; } .scroll svg { min-width: 0; } }
"""
MISSING = {
    "topk_prob": "top-k probabilities",
    "inter": "cosines between layers",
    "intra": "cosines within a layer",
    "pooled": "the emitted tokens' statistics",
}


def page(figures: Mapping[str, Any], curves: Mapping[str, Any], main: str = "ours") -> str:
    """Writes the page as HTML; the same arguments give the same text.

    Args:
        figures: of `detector.report.measure`, with their provenance.
        curves: of `detector.curves.curves`.
        main: name of our detector.
    """
    enough = {part: by for part, by in figures["comparisons"].items() if part in curves["roc"]}
    sections = [
        ("Tables", _tables(curves["table"], enough)),
        ("ROC curves", _roc(curves)),
        ("Calibration", _calibration(curves["calibration"])),
        ("Scores by class", _distributions(curves["distributions"], main)),
        ("Kinds of data", _entities(curves["entities"])),
        ("Layer by layer", _layers(curves["layers"])),
    ]
    body = "\n".join(f"<section>\n<h2>{title}</h2>\n{''.join(parts)}</section>" for title, parts in sections)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Detectors on test people</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        "<h1>Detectors on test people</h1>\n"
        f"<p>{marked(headline({**figures, 'comparisons': enough}))}</p>\n"
        f'<p class="made">{marked(footer(dict(figures)).strip())}</p>\n'
        f"<p><small>Everything here is an aggregate; what rests on fewer than {LEAST} rows is not shown.</small></p>\n"
        f"{body}\n</body>\n</html>\n"
    )


def _tables(parts: Mapping[str, Any], comparisons: Mapping[str, Any]) -> Iterator[str]:
    yield '<div class="grid">\n'
    for part, by in parts.items():
        caption = f"{part}: {_rows(by['remembered'])} remembered, {_rows(by['not'])} not"
        head = ["score", "AUROC", "balanced accuracy", "recall at 5 % false positives"]
        yield _table(caption, head, [[name, *cells] for name, cells in by["scores"].items()])
    yield "</div>\n"
    paper = {part: by[PAPER] for part, by in comparisons.items() if CLOSED in by.get(PAPER, {})}
    if paper:
        head = ["part", "distance to AUROC 1.0 closed", "misses of the paper", "misses of ours", "cut by"]
        rows = [[part, by[CLOSED], *by[MISSES].values()] for part, by in paper.items()]
        yield f'<div class="scroll">{_table(f"Ours and the paper, shares; {MISSES}", head, rows)}</div>\n'
    yield (
        "<p><small>Balanced accuracy of bundles: frozen threshold (probability 0.5); "
        "of baselines: threshold from validation rows; "
        "of token probabilities: the best of all thresholds, chosen on these rows. "
        "Intervals: 95 %, bootstrap over people.</small></p>\n"
    )


def _roc(curves: Mapping[str, Any]) -> Iterator[str]:
    yield (
        "<p>Ours, the paper's features, the best token probability and the best two baselines; "
        "the best are chosen on these rows.</p>\n"
    )
    for scale in ("linear", "log"):
        yield _grid(
            draw.roc(f"{part}, {scale} axis", curves["false positive rates"], recalls, scale)
            for part, recalls in curves["roc"].items()
        )


def _calibration(splits: Mapping[str, Any]) -> Iterator[str]:
    yield (
        "<p>What share was remembered of the values that a detector gave a probability, and how many rows there are. "
        "The error is the expected calibration error of the tables, over fifteen bins with equally many rows.</p>\n"
    )
    yield _grid(draw.reliability(f"{split} phrasings", bundles) for split, bundles in splits.items())


def _distributions(classes: Mapping[str, Any], main: str) -> Iterator[str]:
    yield (
        f"<p>Probabilities of {escape(main)} on all rows of test people, all phrasings and temperatures. "
        f"A bin of fewer than {LEAST} rows is drawn empty.</p>\n"
    )
    if classes:
        yield _grid([draw.distributions(f"Probabilities of {main} by class", classes)])


def _entities(kinds: Mapping[str, Any]) -> Iterator[str]:
    yield (
        "<p>AUROC on test-only phrasings; behind each kind the rows, remembered and not. "
        "Colours begin at 0.5, which is chance.</p>\n"
    )
    if not kinds:
        return
    names = list(next(iter(kinds.values()))["auroc"])
    labels = [f"{kind} ({_rows(row['remembered'])}, {_rows(row['not'])})" for kind, row in kinds.items()]
    cells = [[row["auroc"][name] for name in names] for row in kinds.values()]
    wide = (2.6 + 0.5 * len(names), 1.8 + 0.28 * len(labels))
    figure = draw.heat(
        "AUROC by kind, test-only phrasings", cells, ("", names), ("", labels), "AUROC",
        low=0.5, high=1.0, numbers=True, size=wide, upwards=False,
    )  # fmt: skip
    yield f'<figure class="scroll">{figure}</figure>\n'


def _layers(layers: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"<p>What the lens sees of remembered values ({_rows(layers['remembered'])} rows) and of made-up ones "
        f"({_rows(layers['made up'])}), greedy decoding, all phrasings. "
        "PrivacyXray shows single answers (figures 3 to 5) and differences (figures 10 to 15) in this way.</p>\n"
    )
    missing = [label for name, label in MISSING.items() if name not in layers]
    if missing:
        yield f"<p>Left out, because the rows lack them or are too few: {', '.join(missing)}.</p>\n"
    for name, section in zip((*FIRST_TOKEN, "pooled"), (_topk, _inter, _intra, _pooled), strict=True):
        if name in layers:
            yield from section(layers)


def _topk(layers: Mapping[str, Any]) -> Iterator[str]:
    yield "<h3>Probabilities of the best tokens</h3>\n"
    yield _means("Top-k probability", layers["topk_prob"], "rank", _numbers(layers["topk_prob"]["made up"]), "layer")


def _inter(layers: Mapping[str, Any]) -> Iterator[str]:
    inter = layers["inter"]
    pairs = [f"{layer}–{layer + 1}" for layer in range(1, len(inter["top-1"]["made up"]) + 1)]
    yield "<h3>Cosine between the best tokens of neighbouring layers</h3>\n"
    groups = {name: inter[name] for name in ("top-1", "all ranks")}
    yield _grid([draw.lines("Cosine between layers, mean", groups, ("pair of layers", pairs), "cosine")])
    yield _means("Cosine between layers, equal ranks", inter["equal ranks"], "rank", pairs, "pair of layers")
    extent = _extent([row for matrix in inter["last pairs"] for row in matrix])
    last = list(zip(pairs[-len(inter["last pairs"]) :], inter["last pairs"], strict=True))
    yield _grid(
        draw.heat(
            f"Cosine, layers {pair}: remembered minus made up", matrix,
            ("rank, upper layer", _numbers(matrix[0])), ("rank, lower layer", _numbers(matrix)), "difference",
            low=-extent, high=extent, upwards=False,
        )
        for pair, matrix in last
    )  # fmt: skip


def _intra(layers: Mapping[str, Any]) -> Iterator[str]:
    yield "<h3>Cosine between neighbouring ranks of one layer</h3>\n"
    means = layers["intra"]
    ranks = [f"{rank}–{rank + 1}" for rank in range(1, len(means["made up"][0]) + 1)]
    yield _means("Cosine within a layer", means, "ranks", _numbers(means["made up"]), "layer", ranks)
    band = draw.bands("Cosine of the best two tokens, median and quartiles", layers["intra, top-1"], "cosine")
    yield _grid([band])


def _pooled(layers: Mapping[str, Any]) -> Iterator[str]:
    yield "<h3>The tokens that were said, mean over each value's tokens</h3>\n"
    units = dict(
        zip(STATISTICS, ("log-probability (nats)", "log(1 + rank)", "margin (logits)", "entropy (nats)"), strict=True)
    )
    yield _grid(
        draw.bands(f"{name[0].upper()}{name[1:]}, median and quartiles", classes, units[name])
        for name, classes in layers["pooled"].items()
    )


def _means(
    title: str,
    means: Mapping[str, Any],
    across: str,
    labels: Sequence[str],
    up: str,
    ranks: Sequence[str] | None = None,
) -> str:
    """Draws heat maps of both classes in the same colours, and of their difference."""
    values = [value for label in ("remembered", "made up") for row in means[label] for value in row]
    low, high = min(0.0, *values), max(values)
    ranks = ranks or _numbers(means["made up"][0])
    extent = _extent(means["difference"])
    return _grid(
        draw.heat(
            f"{title}: {label}", means[label], (across, ranks), (up, labels), bar,
            low=least, high=most,
        )
        for label, bar, least, most in (
            ("remembered", "mean", low, high),
            ("made up", "mean", low, high),
            ("difference", "difference", -extent, extent),
        )
    )  # fmt: skip


def _extent(rows: Sequence[Sequence[float]]) -> float:
    """Returns the greatest distance from 0; 1.0 if there is none."""
    return max((abs(value) for row in rows for value in row), default=0.0) or 1.0


def _numbers(items: Sequence[Any]) -> list[str]:
    return [str(number) for number in range(1, len(items) + 1)]


def _rows(count: int | None) -> str:
    return f"under {LEAST}" if count is None else str(count)


def _grid(figures: Any) -> str:
    return '<div class="grid">\n' + "".join(f"<figure>{figure}</figure>\n" for figure in figures) + "</div>\n"


def _table(caption: str, head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    heads = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    lines = "".join(
        f'<tr><th scope="row">{escape(str(first))}</th>'
        f"{''.join(f'<td>{escape(show(cell))}</td>' for cell in cells)}</tr>\n"
        for first, *cells in rows
    )
    return (
        f"<table><caption>{escape(caption)}</caption>\n<thead><tr>{heads}</tr></thead>\n"
        f"<tbody>\n{lines}</tbody></table>\n"
    )


def marked(text: str) -> str:
    """Renders Markdown's strong and code as HTML, and escapes everything else."""
    text = re.sub(r"`(.+?)`", r"<code>\1</code>", escape(text))
    return re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
