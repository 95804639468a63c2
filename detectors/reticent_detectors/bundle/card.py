"""Writes the card of a bundle, for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reticent_detectors.detector.calibration import Calibration


def make_card(manifest: Mapping[str, Any]) -> str:
    """Makes CARD.md: what the detector is for, how it was trained, and what was measured, as tables."""
    calibration = Calibration.from_json(manifest["calibration"])
    rates = sorted(calibration.thresholds, key=float)
    lines = [
        "# Detector card",
        "",
        "Says of a personal-data span whether its host remembers it.",
        "",
        "## Host",
        "",
        *_hosts(manifest["host"]),
        "",
        "## Features",
        "",
        *_table(
            ("array", "shape per span"),
            [(name, manifest["features"]["shapes"][name]) for name in manifest["features"]["inputs"]],
        ),
        "",
        *_table(("option", "value"), _facts(manifest["features"]["options"])),
        "",
        "## Training",
        "",
        *_table(
            ("fact", "value"),
            _facts({key: value for key, value in manifest["training"].items() if key not in ("history", "networks")}),
        ),
        "",
        *_networks(manifest["training"].get("networks", ())),
        "## Calibration",
        "",
        f"Probabilities hold at a share of {calibration.prevalence:g} memorised spans"
        + (
            "." if calibration.error is None else f"; expected calibration error {calibration.error:.3f} on validation."
        ),
        "Thresholds were set on validation rows, as probabilities, by false-positive rate:",
        "",
        *_table(
            ("entity", "negatives", *rates),
            [
                (
                    entity or "all",
                    calibration.negatives.get(entity, 0),
                    *(f"{calibration.threshold(float(rate), entity):.4f}" for rate in rates),
                )
                for entity in ("", *sorted(calibration.entity_thresholds))
            ],
        ),
        "",
        "## Measured quality",
        "",
        *(_table(("figure", "value"), _facts(manifest["quality"])) if manifest["quality"] else ["Not measured."]),
        "",
        "## Versions",
        "",
        *_table(("library", "version"), _facts(manifest["versions"])),
    ]
    return "\n".join(lines) + "\n"


def _networks(networks: Sequence[Mapping[str, Any]]) -> list[str]:
    if not networks:
        return []
    heads = ("fold", "inputs", "rows", "held out", "epochs", "validation loss")
    rows = [
        (
            n["fold"],
            ", ".join(n["groups"]),
            n["rows"]["train"],
            n["rows"]["validation"],
            n["epochs"],
            n["validation_loss"],
        )
        for n in networks
    ]
    return ["Its networks, whose calibrated logits are averaged:", "", *_table(heads, rows), ""]


def _hosts(host: Mapping[str, Any]) -> list[str]:
    if "universal" not in host:
        lines = ["It fits this host and no other.", "", *_table(("fact", "value"), _facts(host["fingerprint"]))]
        if "trained_on" in host:
            lines += ["", "It was trained on other hosts; its thresholds, set on them, were moved to this one:", ""]
            lines += _trained_on(host["trained_on"])
        return lines
    text = (
        "It fits any host, but its thresholds are those of the hosts below: `reticent calibrate` moves them to yours."
    )
    return [text, "", *_trained_on(host["universal"])]


def _trained_on(hosts: Sequence[Mapping[str, Any]]) -> list[str]:
    facts = ("architecture", "layers", "hidden_size", "vocab_size")
    return _table(facts, [[each.get(fact) for fact in facts] for each in hosts])


def _facts(content: Mapping[str, Any], prefix: str = "") -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    for key, value in content.items():
        name = f"{prefix}{key}"
        rows.extend(_facts(value, name + ".") if isinstance(value, Mapping) else [(name, value)])
    return rows


def _table(head: Sequence[Any], rows: Sequence[Sequence[Any]]) -> list[str]:
    def line(cells: Sequence[Any]) -> str:
        return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"

    return [line(head), "|" + " --- |" * len(head), *map(line, rows)]
