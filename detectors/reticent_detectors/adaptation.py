"""Sets a universal detector's thresholds for one host, by what the host says of people who do not exist.

No private data is needed: made-up people are asked about, so whatever the host answers is not remembered of them. How high the
detector's scores of such answers lie differs between hosts by more than anything else; thresholds are frozen on them.

Not covered: a host that gives a made-up person somebody else's remembered value. Such answers are taken for made-up ones and raise
the thresholds.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from reticent_detectors.bundle import Bundle, write_bundle
from reticent_detectors.calibration import freeze_on_negatives, move_to_negatives
from reticent_detectors.capture import HostAdapter
from reticent_detectors.collect import Plan, collect
from reticent_detectors.errors import InputError
from reticent_detectors.features import FeatureSpec
from reticent_detectors.scorer import OnnxScorer
from reticent_detectors.shards import FeatureTable, ShardReader
from reticent_detectors.synth.cast import Cast
from reticent_detectors.synth.people import PeopleMaker

PLAN = Plan(unseen_phrasings=3, sampled_phrasings=0, writers=0, echoes=0, menus=0, fragments=False)
MADE_UP = "hallucinated"


def strangers(people: int, *, seed: int = 0, locale: str = "en_US") -> Cast:
    """People whom no host was taught."""
    made = PeopleMaker(seed, locale).many("stranger", people)
    return Cast((), (), (), tuple(made), (), (), frozenset())


def ask_strangers(
    model: Any,
    tokenizer: Any,
    out: Path,
    spec: FeatureSpec,
    *,
    people: int = 100,
    seed: int = 0,
    locale: str = "en_US",
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> FeatureTable:
    """What a host says of made-up people, as features; kept in `out`, where an interrupted run goes on.

    Raises:
        ShardError: `out` holds the answers of another host, or to other settings.
    """
    collect(model, tokenizer, strangers(people, seed=seed, locale=locale), out, plan=PLAN, spec=spec, progress=progress)
    table = ShardReader(out).load()
    return table.select(table.labels["label"] == MADE_UP)


def adapt(
    bundle: Bundle,
    made_up: FeatureTable,
    model: Any,
    tokenizer: Any,
    out: str | os.PathLike[str],
    *,
    overwrite: bool = False,
) -> Bundle:
    """The universal bundle for one host: the same network, with thresholds and intercept from its `made_up` values.

    Raises:
        InputError: the bundle is not universal, the values are not of this host, or fewer than 100.
    """
    adapter = HostAdapter.attach(model, tokenizer)
    fingerprint = adapter.fingerprint(tokenizer)
    if not bundle.universal:
        raise InputError(f"{bundle.path} is no universal bundle; expected one made by 'reticent universal'.")
    if made_up.settings["host"] != fingerprint:
        raise InputError("The made-up values were said by another host; expected the one that is calibrated for.")
    entities = made_up.labels["entity"]
    # What is in doubt goes by probability, so that has to be right before it is known which values are looked at twice.
    calibration = move_to_negatives(bundle.calibration, OnnxScorer(bundle).logits(made_up.features, entities))
    logits = OnnxScorer(replace(bundle, calibration=calibration)).logits_as_asked(made_up.features, entities)
    calibration = freeze_on_negatives(calibration, logits, entities)
    manifest = {
        **bundle.manifest,
        "host": {"fingerprint": fingerprint, "behaviour": adapter.behaviour_print()},
        "calibration": calibration.to_json(),
        "quality": {"made-up values": len(logits), "calibrated from": bundle.digest},
    }
    return write_bundle(out, bundle.network, manifest, overwrite=overwrite)


def false_positives(bundle: Bundle, made_up: FeatureTable, rate: float) -> float:
    """Share of these made-up values that the bundle's threshold for the rate would stop."""
    logits = OnnxScorer(bundle).logits_as_asked(made_up.features, made_up.labels["entity"])
    return float(np.mean(logits.astype(np.float64) >= bundle.calibration.thresholds[f"{rate:g}"]))
