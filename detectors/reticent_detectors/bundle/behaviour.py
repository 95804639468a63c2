"""Compares behaviour prints of models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def compare_behaviour(expected: Mapping[str, Any], got: Mapping[str, Any]) -> list[str]:
    """Lists differences between two behaviour prints beyond the tolerances of `expected`; empty if they agree.

    A print holds `probes`, `norms` [probe][layer], `top_ids` [probe][layer][rank], and the tolerances:
    `norm_tolerance`, the largest relative difference of a norm, and `top_overlap`, the smallest share of top ids that
    must agree over all.
    """
    if expected.get("probes") != got.get("probes"):
        return ["behaviour: the probes differ; make the print with the probes of the bundle"]
    norms = [_flat(print_.get("norms")) for print_ in (expected, got)]
    layers = [_leaves(print_.get("top_ids")) for print_ in (expected, got)]
    if len(norms[0]) != len(norms[1]) or [len(ids) for ids in layers[0]] != [len(ids) for ids in layers[1]]:
        return [f"behaviour: expected norms and top ids of {len(norms[0])} states, got {len(norms[1])}"]
    differences = []
    off = max((abs(a - b) / max(abs(a), 1e-9) for a, b in zip(*norms, strict=True)), default=0.0)
    if not off <= expected["norm_tolerance"]:  # also catches NaN
        differences.append(
            f"behaviour: norms differ by up to {off:.1%}, expected at most {expected['norm_tolerance']:.1%}"
        )
    same = sum(len({*a} & {*b}) for a, b in zip(*layers, strict=True))
    total = sum(len(ids) for ids in layers[0])
    if same < expected["top_overlap"] * total:
        differences.append(
            f"behaviour: {same / total:.0%} of top ids agree, expected at least {expected['top_overlap']:.0%}"
        )
    return differences


def _leaves(entry: Any) -> list[list[Any]]:
    """Collects the innermost lists of nested lists."""
    if not isinstance(entry, list):
        return []
    if entry and isinstance(entry[0], list):
        return [leaf for inner in entry for leaf in _leaves(inner)]
    return [entry]


def _flat(entry: Any) -> list[Any]:
    return [number for leaf in _leaves(entry) for number in leaf]
