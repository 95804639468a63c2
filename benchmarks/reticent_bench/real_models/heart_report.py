"""Reports what a model knows by heart, from the rows of `known_by_heart` alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent.policy.pretrained import BASE_THRESHOLD, PRETRAINED_CUE
from reticent_bench.real_models.known_by_heart import Decided, ItemMeasurement, Score
from reticent_bench.report.metrics import Interval, Weights, bootstrap, paired_bootstrap, share, weighted_auroc
from reticent_bench.report.result import table as markdown

OURS, RIVAL = "token score", "mean log-probability"
TWINS, FIRST_TWINS, MADE_UP = "likeliest twins", "twins that branch at the first token", "wrong answers to other items"
_STOPPED = ("redact", "block")


def figures(rows: Sequence[ItemMeasurement], model: Mapping[str, Any]) -> dict[str, Any]:
    """Computes all figures of one model. The rows are among them, so that figures can be computed again.

    Args:
        rows: one for each item.
        model: its architecture, layers, hidden_size and vocab_size.
    """
    known = [row for row in rows if row.outcome == "known"]
    made_up = [row for row in rows if row.outcome == "made up"]
    pairs: dict[str, Callable[[ItemMeasurement], Score | None]] = {
        TWINS: lambda row: row.twin,
        FIRST_TWINS: lambda row: row.first_twin,
    }
    auroc = {name: _paired(known, twin) for name, twin in pairs.items()}
    auroc[MADE_UP] = _against(_scored(known), _scored(made_up))
    return {
        "model": dict(model),
        "items": len(rows),
        "known": share(len(known), len(rows)),
        "made up": len(made_up),
        "auroc": {name: own for name, own in auroc.items() if own is not None},
        "groups": {name: _group(own) for name, own in _by(rows, lambda row: row.group).items()},
        "kinds": {name: _group(own) for name, own in _by(rows, lambda row: row.entity).items()},
        "guard": guard_figures(known),
        "rows": [row.to_json() for row in rows],
    }


def _by(rows: Sequence[ItemMeasurement], key: Callable[[ItemMeasurement], str]) -> dict[str, list[ItemMeasurement]]:
    out: dict[str, list[ItemMeasurement]] = {}
    for row in rows:
        out.setdefault(key(row), []).append(row)
    return out


def _scored(rows: Sequence[ItemMeasurement]) -> list[tuple[int, Score]]:
    return [(row.number, row.score) for row in rows if row.score is not None]


def _paired(known: Sequence[ItemMeasurement], twin: Callable[[ItemMeasurement], Score | None]) -> dict[str, Any] | None:
    """Compares known values with their twins; the bootstrap draws an item with both of its values."""
    both = [(row.number, row.score, own) for row in known if row.score is not None and (own := twin(row)) is not None]
    out = _against([(n, score) for n, score, _ in both], [(n, own) for n, _, own in both])
    if out is not None:
        higher = {
            OURS: sum(score.probability > own.probability for _, score, own in both),
            RIVAL: sum(score.mean > own.mean for _, score, own in both),
        }
        out["above its own twin"] = {name: share(count, len(both)) for name, count in higher.items()}
    return out


def _against(right: Sequence[tuple[int, Score]], wrong: Sequence[tuple[int, Score]]) -> dict[str, Any] | None:
    """Computes AUROC of both scores; values come with their item's number. None if there are no values of one sort."""
    if not right or not wrong:
        return None
    values = [*right, *wrong]
    positive = np.arange(len(values)) < len(right)
    groups = np.array([str(number) for number, _ in values])
    ours = np.array([score.probability for _, score in values])
    mean = np.array([score.mean for _, score in values])
    scores = {OURS: ours, RIVAL: mean}
    return {
        "positive": len(right),
        "negative": len(wrong),
        **{name: _interval(weighted_auroc(own, positive), groups) for name, own in scores.items()},
        "difference": paired_bootstrap(ours, mean, positive, groups),
    }


def _interval(area: Callable[[Weights], float], groups: NDArray[np.str_]) -> Interval:
    return bootstrap(lambda weight: [area(weight)], groups)[0]


def _group(rows: Sequence[ItemMeasurement]) -> dict[str, Any]:
    known = [row for row in rows if row.outcome == "known"]
    twins, first = _paired(known, lambda row: row.twin), _paired(known, lambda row: row.first_twin)
    return {
        "items": len(rows),
        "known": len(known),
        TWINS: None if twins is None else {name: twins[name].value for name in (OURS, RIVAL)},
        FIRST_TWINS: None if first is None else {name: first[name].value for name in (OURS, RIVAL)},
    }


def guard_figures(known: Sequence[ItemMeasurement]) -> dict[str, Any]:
    """Counts the guard's decisions about known values: over the threshold, labelled, why not, and actions."""
    found = [row.decided for row in known if row.decided is not None]
    over = [own for own in found if own.origin in ("memorized", "pretrained")]
    labelled = [own for own in over if own.origin == "pretrained"]
    lines = [row for row in known if row.is_line and row.entity == "PHONE_NUMBER"]
    hotlines = [row for row in known if row.group == "hotline"]
    missed = Counter(_why(own) for own in over if own.origin == "memorized")
    return {
        "known": len(known),
        "found": len(found),
        "over the threshold": len(over),
        "labelled": share(len(labelled), len(over)),
        "not labelled": dict(sorted(missed.items())),
        "decisions": [
            [*key, count]
            for key, count in sorted(Counter((own.origin, own.action, own.reason) for own in found).items())
        ],
        "hotlines": len(hotlines),
        "hotlines that pass": sum(not _is_stopped(row) for row in hotlines),
        "emergency lines": len(lines),
        "emergency lines that pass": sum(not _is_stopped(row) for row in lines),
    }


def _why(own: Decided) -> str:
    if own.cue >= PRETRAINED_CUE:
        return "the prompt gives a part of it away"
    if own.base is None:
        return "the base was not asked"
    return f"the base's mean log-probability is below {BASE_THRESHOLD}"


def _is_stopped(row: ItemMeasurement) -> bool:
    return row.decided is not None and row.decided.action in _STOPPED


def render(found: Mapping[str, Any]) -> str:
    """Renders the report as Markdown."""
    model = found["model"]
    about = f"{model['architecture']}, {model['layers']} layers, d {model['hidden_size']}, V {model['vocab_size']}"
    known = Interval(*found["known"])
    lines = [
        f"# What a pre-trained model knows by heart: {about}\n",
        f"{found['items']} public facts that continue a prompt: hotlines, licences, documentation, test numbers, "
        "namespaces, organisations, standards; no private person. "
        "They were written by hand before any model was asked and not changed since; "
        "how wrong answers are read was corrected after 50 answers of SmolLM2 135M had been looked at; "
        "no prompt gives half of its value away. "
        "Prompts are raw text, as the tokenizer encodes it. "
        "Known: the greedy answer begins with the true value, blanks and punctuation aside, "
        "and does not go on with a longer one. "
        "A twin is the model's own likeliest wrong continuation: "
        "the true tokens up to a branch, there the likeliest token that makes another value, "
        "then greedily to the same form. "
        "Of all branches the one counts whose tokens are together the likeliest. "
        "Scores are those of the default detector without a base, from the guard's own states. "
        "95 % intervals: of shares Clopper-Pearson, of AUROC by a bootstrap over items.\n",
        f"Known: {round(known.value * found['items'])} of {found['items']}, "
        f"{known.value:.3f} [{known.low:.3f}, {known.high:.3f}]. "
        f"Wrong answers with a value: {found['made up']}.\n",
        "\n## Known values against wrong ones\n",
        _auroc_table(found["auroc"]),
    ]
    for title, name in (("group", "groups"), ("kind", "kinds")):
        rows = [(key, own["items"], own["known"], *_cells(own)) for key, own in found[name].items()]
        head = (
            title,
            "items",
            "known",
            f"{OURS}, twins",
            f"{RIVAL}, twins",
            f"{OURS}, first token",
            f"{RIVAL}, first token",
        )
        lines.append(f"\n## AUROC by {title}\n\nOf the {TWINS}, and of the {FIRST_TWINS}.\n\n{markdown(head, rows)}")
    lines.append(_guard_text(found["guard"]))
    return "\n".join(lines)


def _auroc_table(found: Mapping[str, Any]) -> str:
    rows = []
    for name, own in found.items():
        pairs = own.get("above its own twin", {})
        for score in (OURS, RIVAL):
            rows.append(
                (
                    name,
                    own["positive"],
                    own["negative"],
                    score,
                    own[score],
                    own["difference"] if score == OURS else None,
                    pairs.get(score),
                )
            )
    return markdown(
        ("wrong values", "known", "wrong", "score", "AUROC", f"less the {RIVAL}", "above its own twin"), rows
    )


def _cells(own: Mapping[str, Any]) -> list[float | None]:
    return [None if own[name] is None else own[name][score] for name in (TWINS, FIRST_TWINS) for score in (OURS, RIVAL)]


def _guard_text(own: Mapping[str, Any]) -> str:
    labelled = Interval(*own["labelled"])
    count = round(labelled.value * own["over the threshold"]) if own["over the threshold"] else 0
    why = "; ".join(f"{number}: {reason}" for reason, number in own["not labelled"].items())
    return "\n".join(
        [
            "\n## The guard with the model as its own base\n",
            '`Guard.load().wrap(model, tokenizer, base="self")` '
            f"answers the prompts of the {own['known']} known values, with the default policy but without rewinding. "
            f"It finds a span that holds some of the value in {own['found']}; "
            f"of these {own['over the threshold']} lie over the threshold, which without a base would be memorised.\n",
            f"Labelled `pretrained`: {count} of {own['over the threshold']}, "
            f"{labelled.value:.3f} [{labelled.low:.3f}, {labelled.high:.3f}]."
            + (f" Not labelled, {why}." if why else "")
            + "\n",
            f"Hotlines that are known: {own['hotlines']}, of which {own['hotlines that pass']} pass; "
            "of the listed emergency and crisis lines among the known values "
            f"{own['emergency lines that pass']} of {own['emergency lines']}.\n",
            markdown(("origin", "action", "reason", "values"), own["decisions"]),
        ]
    )
