"""Fits a universal detector to one host, by what the host says of people who do not exist.

No private data is needed: made-up people are asked about. How high the detector's scores lie there, beside where they lay on the hosts that
it was trained on (`universal`), says by how much the scores of this host are too high or too low; thresholds move with them.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from reticent_detectors.bundle import Bundle, write_bundle
from reticent_detectors.capture import HostAdapter
from reticent_detectors.collect import Plan, collect
from reticent_detectors.errors import InputError
from reticent_detectors.features import FeatureSpec
from reticent_detectors.scorer import OnnxScorer
from reticent_detectors.shards import FeatureTable, ShardReader
from reticent_detectors.synth.cast import Cast
from reticent_detectors.synth.people import PeopleMaker
from reticent_detectors.universal import of_strangers, shift_between, stranger_quantiles

PLAN = Plan(unseen_phrasings=3, sampled_phrasings=0, writers=0, echoes=0, menus=0, fragments=False)


def strangers(people: int, *, seed: int = 0, locale: str = "en_US") -> Cast:
    """People whom no host was taught: of no seed that a recipe has."""
    own = int.from_bytes(hashlib.sha256(f"strangers {seed}".encode()).digest()[:8], "big")
    made = PeopleMaker(own, locale).many("stranger", people)
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
        InputError: the tokenizer has no chat template.
        ShardError: `out` holds the answers of another host, or to other settings; or the host gave no value at all.
    """
    if getattr(tokenizer, "chat_template", None) is None:
        raise InputError(
            "The host's tokenizer has no chat template, so it cannot be asked; set tokenizer.chat_template."
        )
    # What a real host says may be somebody's: nobody can look its values' hashes up, not even whoever knows the strangers.
    collect(
        model, tokenizer, strangers(people, seed=seed, locale=locale), out, plan=replace(PLAN, seed=seed), spec=spec,
        hash_key=secrets.token_bytes(32), progress=progress,
    )  # fmt: skip
    table = ShardReader(out).load()
    return table.select(of_strangers(table))


def adapt(
    bundle: Bundle,
    said: FeatureTable,
    model: Any,
    tokenizer: Any,
    out: str | os.PathLike[str],
    *,
    overwrite: bool = False,
) -> tuple[Bundle, float]:
    """A universal bundle for one host: the same network, and thresholds moved by what the host `said` of strangers.

    Returns:
        The new bundle, and by how much its scores lie above those of the hosts that the detector was trained on, in logits.

    Raises:
        InputError: the values are not of this host, or fewer than 100.
    """
    adapter = HostAdapter.attach(model, tokenizer)
    fingerprint = adapter.fingerprint(tokenizer)
    if said.settings["host"] != fingerprint:
        raise InputError("These values were said by another host; expected the one that is calibrated for.")
    own = stranger_quantiles(OnnxScorer(bundle).logits(said.features, said.labels["entity"]))
    shift = shift_between(bundle.manifest["host"]["strangers"], own)
    manifest = {
        **bundle.manifest,
        "host": {
            "fingerprint": fingerprint,
            "behaviour": adapter.behaviour_print(),
            "trained_on": bundle.manifest["host"]["universal"],
        },
        "calibration": bundle.calibration.shifted(shift).to_json(),
        "quality": {"values said of strangers": said.rows, "shift": shift, "calibrated from": bundle.digest},
    }
    return write_bundle(out, bundle.network, manifest, overwrite=overwrite), shift
