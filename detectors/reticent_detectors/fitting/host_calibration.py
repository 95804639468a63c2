"""Fits a detector of other hosts to one, by what that one says of people who do not exist: a universal detector, or that of a copy of the
host that was taught made-up people (`host.teach`).

No private data is needed: made-up people are asked about. How high the detector's scores lie there, beside where they lay on the hosts that
it was trained on (`multi_host_pool`), says by how much the scores of this host are too high or too low; thresholds move with them. They are
raised where more than `OTHERS_SHARE` beyond the wanted share of what is said of strangers would be stopped.

Of a host to which nothing private was added, all that it says of them is made up. Then thresholds are set where the wanted shares of these
values reach them.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from reticent_detectors.bundle.format import Bundle, write_bundle
from reticent_detectors.capture import HostAdapter
from reticent_detectors.capture.fingerprint import shape_print
from reticent_detectors.collection.collect import collect, collector
from reticent_detectors.collection.estimate import estimate_collection
from reticent_detectors.collection.plan import Plan
from reticent_detectors.collection.shards import FeatureTable, ShardReader
from reticent_detectors.errors import InputError
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.fitting.known_before import base_threshold
from reticent_detectors.fitting.multi_host_pool import LEAST_VALUES, of_strangers, shift_between, stranger_quantiles
from reticent_detectors.long_runs.estimate import Estimate
from reticent_detectors.scoring.scorer import OnnxScorer
from reticent_detectors.synth.cast import Cast
from reticent_detectors.synth.people import PeopleMaker

OTHERS_SHARE = 0.16
"""Of what taught hosts say of strangers, 8 to 16 % are other people's values (`LOG.md`). What is more is made up."""
PLAN = Plan(unseen_phrasings=3, sampled_phrasings=0, writers=0, echoes=0, menus=0, fragments=False)


def strangers(people: int, *, seed: int = 0, locale: str = "en_US") -> Cast:
    """People whom no host was taught: of no seed that a recipe has."""
    own = int.from_bytes(hashlib.sha256(f"strangers {seed}".encode()).digest()[:8], "big")
    made = PeopleMaker(own, locale).many("stranger", people)
    return Cast((), (), (), tuple(made), (), (), frozenset())


def check_fittable(bundle: Bundle) -> None:
    """Raises InputError unless the bundle says how its scores lie where its hosts are asked about strangers."""
    if "strangers" not in bundle.manifest["host"]:
        raise InputError(
            f"{bundle.path} does not say how its scores lie where its host is asked about strangers, so it cannot be fitted to another; "
            "expected a universal bundle, or one that 'reticent train' of this version made of a collection with at least "
            f"{LEAST_VALUES} values said of people who were not taught."
        )


def check_like(bundle: Bundle, adapter: HostAdapter, tokenizer: Any) -> None:
    """Raises InputError unless the bundle can be fitted to the host: a universal one to any, another one to hosts of the depth, width,
    vocabulary and tokenizer of its own."""
    check_fittable(bundle)
    if bundle.universal:
        return
    made_of, own = bundle.manifest["host"]["fingerprint"], shape_print(adapter, tokenizer)
    if differing := [name for name in own if made_of.get(name) != own[name]]:
        raise InputError(
            f"{bundle.path} was made of a host with another {', '.join(differing)}; expected a copy of this model that "
            "'reticent host tune' taught, or a universal bundle."
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
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> FeatureTable:
    """What a host says of made-up people, as features; kept in `out`, where an interrupted run goes on.

    Raises:
        InputError: the tokenizer has no chat template.
        ShardError: `out` holds the answers of another host, or to other settings; or the host gave no value at all.
    """
    options = _collection_options(tokenizer, spec, people, seed, locale)
    # What a real host says may be somebody's: nobody can look its values' hashes up, not even whoever knows the strangers.
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
) -> Estimate:
    """What `ask_strangers` will take; raises what it raises. Nothing is written."""
    with collector(model, tokenizer, **_collection_options(tokenizer, spec, people, seed, locale)) as made:
        return estimate_collection("calibrate", made, out, {"weights": model}, device)


def _collection_options(tokenizer: Any, spec: FeatureSpec, people: int, seed: int, locale: str) -> dict[str, Any]:
    """What is asked, of whom, and what is kept of it. Raises InputError if the tokenizer has no chat template."""
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
    """A bundle of other hosts for this one: the same network, and thresholds by what the host `said` of strangers.

    Args:
        taught: collections of taught copies of the host, made with it as control: by them the threshold on the base is set.
        nothing_private: nothing private was added to the host, so thresholds are quantiles of what it said; otherwise they are those of
            the bundle, moved as far as the scores lie off, and bounded (`OTHERS_SHARE`).

    Returns:
        The new bundle, and by how much its scores lie above those of the hosts that the detector was trained on, in logits.

    Raises:
        InputError: the values are not of this host, or fewer than 100, or the bundle cannot be fitted to it (`check_like`); the
            collections do not serve (`base_threshold`).
    """
    adapter = HostAdapter.attach(model, tokenizer)
    fingerprint = adapter.fingerprint(tokenizer)
    if collection.settings["host"] != fingerprint:
        raise InputError("These values were said by another host; expected the one that is calibrated for.")
    check_like(bundle, adapter, tokenizer)
    logits = OnnxScorer(bundle).logits(collection.features, collection.labels["entity"])
    shift = shift_between(bundle.manifest["host"]["strangers"], stranger_quantiles(logits))
    calibration, kinds = bundle.calibration.shifted(shift), collection.labels["entity"]
    if nothing_private:
        made_up = collection.labels["label"] != "inferable"
        calibration = calibration.frozen_on(logits[made_up], kinds[made_up])
    else:
        calibration = calibration.bounded(logits, kinds, OTHERS_SHARE)
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
            "calibrated from": bundle.digest,
        },
    }
    return write_bundle(out, bundle.network, manifest, overwrite=overwrite), shift


def _on_base(taught: Sequence[FeatureTable]) -> dict[str, float]:
    threshold, reached, count = base_threshold(taught)
    return {"threshold": threshold, "taught values": count, "taught values that reach it": reached}
