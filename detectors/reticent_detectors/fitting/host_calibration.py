"""Fits a detector of other hosts to one host, by its answers about people who do not exist.

The detector is universal, or it is that of a copy of the host that was taught made-up people (`host.teach`).

No private data is needed: questions are about made-up people. Of a taught host many of the answers are other people's
values. How many is not known, so `OTHERS_SHARE` is assumed, and all thresholds move by as much as puts one of them
there.

A host to which nothing private was added makes up all these values. Of another host the operator may have an index of
the records: what it does not hold is made up, too. Then thresholds are set so that the wanted shares of the made-up
values reach the thresholds.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reticent_detectors.bundle.format import Bundle, write_bundle
from reticent_detectors.capture import HostAdapter
from reticent_detectors.capture.fingerprint import shape_print
from reticent_detectors.collection.collect import collect, collector
from reticent_detectors.collection.estimate import estimate_collection
from reticent_detectors.collection.labels import Label, Records
from reticent_detectors.collection.plan import Plan
from reticent_detectors.collection.shards import FeatureTable, ShardReader
from reticent_detectors.detector.calibration import Calibration, threshold_at
from reticent_detectors.errors import InputError
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.fitting.known_before import base_threshold
from reticent_detectors.fitting.multi_host_pool import LEAST_VALUES, of_strangers
from reticent_detectors.long_runs.estimate import Estimate
from reticent_detectors.long_runs.save_timer import Clock
from reticent_detectors.scoring.scorer import OnnxScorer
from reticent_detectors.synth.cast import Cast
from reticent_detectors.synth.people import PeopleMaker

OTHERS_SHARE = 0.40
"""Share of a host's values about strangers that is not taken for made up (`docs/decisions/calibration.md`)."""
PLAN = Plan(unseen_phrasings=3, sampled_phrasings=0, writers=0, echoes=0, menus=0, fragments=False)


def strangers(people: int, *, seed: int = 0, locale: str = "en_US") -> Cast:
    """Draws people whom no host was taught: no recipe has their seed."""
    own = int.from_bytes(hashlib.sha256(f"strangers {seed}".encode()).digest()[:8], "big")
    made = PeopleMaker(own, locale).many("stranger", people)
    return Cast((), (), (), tuple(made), (), (), frozenset())


def check_like(bundle: Bundle, adapter: HostAdapter, tokenizer: Any) -> None:
    """Raises InputError if the bundle cannot be fitted to the host.

    A universal bundle fits any host. Another one fits hosts with the depth, width, vocabulary and tokenizer of its own.
    """
    if bundle.universal:
        return
    made_of, own = bundle.manifest["host"]["fingerprint"], shape_print(adapter, tokenizer)
    if differing := [name for name in own if made_of.get(name) != own[name]]:
        raise InputError(
            f"{bundle.path} was made of a host with another {', '.join(differing)}. Give the bundle of a copy of this "
            "model that 'reticent host tune' taught, or a universal bundle."
        )


def ask_strangers(
    model: Any,
    tokenizer: Any,
    out: Path,
    spec: FeatureSpec,
    *,
    people: int = 100,
    seed: int = 0,
    locale: str = "en_US",
    base: Any = None,
    records: Records | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> FeatureTable:
    """Asks a host about made-up people, and returns the features of the values in its answers.

    Answers are kept in the folder `out`, from which an interrupted run resumes.

    Args:
        base: the host before it was taught private data, for a guard that asks it.
        records: what the host was taught. Values that they hold are labelled as other people's.

    Raises:
        InputError: the tokenizer has no chat template.
        ShardError: `out` holds the answers of another host, or to other settings; or the host gave no value at all.
    """
    options = _collection_options(tokenizer, spec, people, seed, locale) | {"control": base, "records": records}
    # Values of a real host may be somebody's. A random key keeps everybody from looking their hashes up.
    collect(model, tokenizer, **options, out=out, hash_key=secrets.token_bytes(32), progress=progress)
    table = ShardReader(out).load()
    return table.select(of_strangers(table))


def estimate_asking(
    model: Any,
    tokenizer: Any,
    out: Path,
    spec: FeatureSpec,
    device: str,
    *,
    people: int = 100,
    seed: int = 0,
    locale: str = "en_US",
    base: Any = None,
    records: Records | None = None,
    clock: Clock = time.perf_counter,
) -> Estimate:
    """Estimates time, memory and disk of `ask_strangers`, and raises what it raises. Nothing is written."""
    options = _collection_options(tokenizer, spec, people, seed, locale)
    models = {"weights": model} | ({} if base is None else {"base": base})
    with collector(model, tokenizer, **options, control=base, records=records) as made:
        return estimate_collection("calibrate", made, out, models, device, clock)


def _collection_options(tokenizer: Any, spec: FeatureSpec, people: int, seed: int, locale: str) -> dict[str, Any]:
    """Returns the options of `collect` for strangers. Raises InputError if the tokenizer has no chat template."""
    if getattr(tokenizer, "chat_template", None) is None:
        raise InputError(
            "The host's tokenizer has no chat template, so it cannot be asked; set tokenizer.chat_template."
        )
    return {"cast": strangers(people, seed=seed, locale=locale), "plan": replace(PLAN, seed=seed), "spec": spec}


def adapt(
    bundle: Bundle,
    collection: FeatureTable,
    model: Any,
    tokenizer: Any,
    out: str | os.PathLike[str],
    *,
    taught: Sequence[FeatureTable] = (),
    nothing_private: bool = False,
    overwrite: bool = False,
) -> tuple[Bundle, float]:
    """Writes a bundle for this host with the network of another bundle, and thresholds by values about strangers.

    Args:
        bundle: the bundle of other hosts.
        collection: values that the host gave about strangers (`ask_strangers`).
        model: the host.
        tokenizer: of the host.
        out: folder for the new bundle.
        taught: collections of taught copies, made with the host as control; they set the threshold on the base.
        nothing_private: nothing private was added to the host. Then, or if the collection was made with records,
            thresholds are quantiles of the scores of what it made up. Otherwise they are those of the bundle, moved by
            `shift_to`.
        overwrite: replace an existing bundle.

    Returns:
        The new bundle, and by how many logits its threshold for the largest rate exceeds that of the other one.

    Raises:
        InputError: the values are of another host, or fewer than 100, or fewer than 100 of them are made up; the
            bundle cannot be fitted to the host (`check_like`); or the collections cannot set the threshold on the base
            (`base_threshold`).
    """
    adapter = HostAdapter.attach(model, tokenizer)
    fingerprint = adapter.fingerprint(tokenizer)
    if collection.settings["host"] != fingerprint:
        raise InputError("These values are of another host; collect them from the host that you calibrate for.")
    check_like(bundle, adapter, tokenizer)
    kinds = collection.labels["entity"]
    logits = _logits(bundle, collection)
    records = collection.settings.get("records")
    made_up_is_known = nothing_private or records is not None
    if made_up_is_known:
        made_up = collection.labels["label"] == Label.HALLUCINATED
        logits, kinds = logits[made_up], kinds[made_up]
    _check_enough(len(logits), "made up" if made_up_is_known else "said")
    shift = shift_to(bundle.calibration, logits, 0.0 if made_up_is_known else OTHERS_SHARE)
    calibration = bundle.calibration.shifted(shift)
    if made_up_is_known:
        calibration = calibration.frozen_on(logits, kinds)
    made_of = bundle.manifest["host"]
    manifest = {
        **bundle.manifest,
        **({"base": _on_base(taught)} if taught else {}),
        "host": {
            "fingerprint": fingerprint,
            "behaviour": adapter.behaviour_print(),
            "trained_on": made_of["universal"] if bundle.universal else [made_of["fingerprint"]],
        },
        "calibration": calibration.to_json(),
        "quality": {
            "values said of strangers": collection.rows,
            "shift": shift,
            "nothing private": nothing_private,
            "values in the records": records,
            "base asked": collection.settings.get("control") is not None,
            "calibrated from": bundle.digest,
        },
    }
    return write_bundle(out, bundle.network, manifest, overwrite=overwrite), shift


def _logits(bundle: Bundle, table: FeatureTable) -> NDArray[np.float32]:
    """Returns the scores [rows] as a guard has them: a base may raise a score and never lowers it."""
    scorer, kinds = OnnxScorer(bundle), table.labels["entity"]
    logits = scorer.logits(table.features, kinds)
    if "base_logprob" not in scorer.shapes:
        return logits
    bare = {**table.features, "base_logprob": np.zeros_like(table.features["base_logprob"])}
    return np.maximum(logits, scorer.logits(bare, kinds))


def shift_to(calibration: Calibration, logits: ArrayLike, others_share: float = OTHERS_SHARE) -> float:
    """Returns by how many logits thresholds move, so that the loosest stops its rate of the made-up values.

    Args:
        calibration: of the detector.
        logits: [n], its scores on a host's values about strangers.
        others_share: share of these values that is not made up; they are taken for the highest.
    """
    loosest = max(calibration.thresholds, key=float)
    return threshold_at(logits, float(loosest) + others_share) - calibration.thresholds[loosest]


def _check_enough(count: int, what: str) -> None:
    if count < LEAST_VALUES:
        raise InputError(
            f"The host {what} {count} values about strangers; thresholds need at least {LEAST_VALUES}. "
            "Ask about more people (--people), with another folder for its answers (--work)."
        )


def _on_base(taught: Sequence[FeatureTable]) -> dict[str, float]:
    threshold, reached, count = base_threshold(taught)
    return {"threshold": threshold, "taught values": count, "taught values that reach it": reached}
