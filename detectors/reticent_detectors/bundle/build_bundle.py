"""Builds a bundle from a trained detector: calibrates it on held-out rows, exports and writes it."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from reticent_detectors.bundle.export import to_onnx
from reticent_detectors.bundle.format import Bundle, write_bundle
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.held_out_calibration import Trained, calibrate, second_look_range_of
from reticent_detectors.features.derived_features import reads_inner

LIBRARIES = ("reticent", "torch", "transformers", "onnx", "onnxruntime", "numpy")


def build_bundle(
    out: str | os.PathLike[str],
    detector: Trained,
    table: FeatureTable,
    host: Mapping[str, Any],
    *,
    prevalence: float = 0.5,
    thorough: bool = False,
    overwrite: bool = False,
) -> Bundle:
    """Calibrates the detector on its held-out rows of `table`, and writes its bundle.

    Args:
        out: folder for the bundle.
        detector: the trained detector.
        table: the rows that it was trained on.
        host: the host that it fits, as in the manifest of `Bundle`.
        prevalence: share of memorised spans that probabilities are stated for.
        thorough: every span gets a second look, not only doubtful ones.
        overwrite: replaces an existing bundle.

    Raises:
        InputError: `out` exists, or the held-out rows lack a class.
        BundleError: the exported graph and the network give different logits.
    """
    second_look_range = None if thorough else second_look_range_of(detector, table)
    calibration = calibrate(
        detector, table, prevalence=prevalence, include_mixed=True, second_look_range=second_look_range
    )
    options = {**table.settings["features"], **_unread(detector.network.inputs)}
    options |= {} if second_look_range is None else {"doubt": calibration.probability(second_look_range).tolist()}
    network = detector.network.options
    manifest = {
        "host": host,
        "features": {
            "inputs": list(detector.network.inputs),
            "shapes": {name: list(shape) for name, shape in network.shapes.items()},
            "entities": list(network.entities),
            "options": options,
        },
        "calibration": calibration.to_json(),
        "training": detector.summary(),
        "quality": {
            "validation_loss": detector.validation_loss,
            "calibration_error": calibration.error,
            "negatives": calibration.negatives.get("", 0),
        },
        "versions": library_versions(),
    }
    return write_bundle(out, to_onnx(detector.network), manifest, overwrite=overwrite)


def _unread(inputs: Collection[str]) -> dict[str, Any]:
    """Returns feature options that spare a guard what a detector with these inputs does not read."""
    spared = {} if "renamed" in inputs else {"names": 0}
    # Without `pooled`, only a value's first token goes through the lens.
    return spared | ({"position": "first"} if reads_inner(inputs) and "pooled" not in inputs else {})


def library_versions() -> dict[str, str]:
    """Returns the versions of the libraries that a detector is made with."""
    return {name: _version(name) for name in LIBRARIES}


def _version(name: str) -> str:
    for candidate in (name, f"{name}-gpu"):
        try:
            return version(candidate)
        except PackageNotFoundError:
            continue
    return "unknown"
