"""Decides whether a model is the host that a bundle was made for: by its fingerprint, and by its behaviour print."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from reticent_detectors.errors import BundleMismatch


def check_host(
    path: Path,
    host: Mapping[str, Any],
    fingerprint: Mapping[str, Any],
    behaviour: Mapping[str, Any] | None = None,
    dtype_of: Callable[[str], str | None] | None = None,
) -> None:
    """Raises `BundleMismatch` with every difference unless a bundle was made for this host. See `Bundle.check_host`.

    Args:
        path: the bundle's folder, for the message.
        host: the bundle's entry `host`: fingerprint and behaviour print of the host that it was made for.
        fingerprint: the fingerprint of this host.
        behaviour: its behaviour print, made with the bundle's probes. None compares none.
        dtype_of: returns the number type in which the host's weights have a digest, for the message.
    """
    made_for = host["fingerprint"]
    names = [name for name in sorted({*made_for, *fingerprint}) if made_for.get(name) != fingerprint.get(name)]
    differences = [
        f"{name}: expected {_show(made_for.get(name))}, got {_show(fingerprint.get(name))}" for name in names
    ]
    if behaviour is not None:
        differences += compare_behaviour(host["behaviour"], behaviour)
    if not differences:
        return
    remedy = "Load the host it was made for, or fit the detector for any model to this one (reticent calibrate)"
    if names == ["weights_sha256"]:
        dtype = dtype_of(made_for["weights_sha256"]) if dtype_of is not None and "weights_sha256" in made_for else None
        if dtype is not None:
            raise BundleMismatch(
                f"{path} was made for this host in another dtype: load the model with dtype=torch.{dtype}, "
                "or fit the detector for any model to it as it is (reticent calibrate --dtype)"
            )
        remedy = f"It may be the same host in another dtype: load it with that which the bundle was made with. {remedy}"
    raise BundleMismatch(f"{path} was made for another host: {'; '.join(differences)}. {remedy}")


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


def _show(entry: Any) -> str:
    text = "nothing" if entry is None else str(entry)
    return text if len(text) <= 40 else text[:37] + "..."
