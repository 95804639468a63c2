"""The steps of a fit. Each goes on where an interruption stopped it, and none does what another command does anew."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from reticent.commands.host import shown_steps
from reticent.records import RecordsIndex
from reticent.shipped import default_bundle
from reticent_bench.fit.held_out import measure
from reticent_bench.fit.settings import FitSettings
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.capture import HostAdapter
from reticent_detectors.collection.collect import collect as collect_rows
from reticent_detectors.collection.labels import Label
from reticent_detectors.collection.shards import FeatureTable, ShardReader
from reticent_detectors.detector.cross_fit import clear_members
from reticent_detectors.detector.training_config import POSITIVE
from reticent_detectors.errors import InputError
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.fitting.host_calibration import adapt, ask_strangers, check_like
from reticent_detectors.fitting.known_before import base_threshold
from reticent_detectors.fitting.multi_host_pool import LEAST_VALUES, of_strangers
from reticent_detectors.fitting.own_detector import describe_host, train_own, training_rows
from reticent_detectors.fitting.token_score_bundle import build_own_token_score, learned_rows
from reticent_detectors.host.load import load_base, load_host, recipe_of
from reticent_detectors.host.memory import check_room
from reticent_detectors.host.teach import teach_model
from reticent_detectors.long_runs.progress import shown
from reticent_detectors.synth.cast import cast

LEAST_OF_A_CLASS = 50
"""Remembered values, and made-up ones, that a detector needs to learn from."""


@dataclass(frozen=True)
class Fit:
    """A fit: its settings and what its steps make, all in one work folder.

    Attributes:
        settings: what the bundle depends on.
        work: the work folder.
        records: the index of what the model was taught, if there is one.
        compiled: whether the copy's layers are compiled before it is taught.
    """

    settings: FitSettings
    work: Path
    records: RecordsIndex | None
    compiled: bool = False

    @property
    def copy(self) -> Path:
        """The adapter that makes the model the copy."""
        return self.work / "copy"

    @property
    def rows(self) -> Path:
        """What the copy said, as features and labels."""
        return self.work / "rows"

    @property
    def checkpoints(self) -> Path:
        """Networks that are being trained."""
        return self.work / "training"

    @property
    def copys_bundle(self) -> Path:
        """The detector, with thresholds for the copy."""
        return self.work / "copy-bundle"

    @property
    def said_of_strangers(self) -> Path:
        """What the model itself said of people who do not exist."""
        return self.work / "strangers"

    @property
    def fitted(self) -> Path:
        """The same detector, with thresholds for the model."""
        return self.work / "fitted"

    @property
    def figures(self) -> Path:
        """What the detector does on people who were held out."""
        return self.work / "held-out.json"

    @property
    def strangers(self) -> dict[str, Any]:
        """Of whom the model is asked."""
        return {"people": self.settings.strangers, "seed": self.settings.seed}

    def loaded(self, folder: Path, *others: Path) -> tuple[Any, Any]:
        """Loads a model and its tokenizer. Raises InputError if it, beside `others`, exceeds the free memory."""
        settings = self.settings
        check_room(folder, settings.device, settings.dtype, *others)
        return load_host(folder, settings.device, settings.dtype)

    def loaded_base(self, folder: Path, host: Path, tokenizer: Any) -> Any:
        """Loads the model from before a host was taught."""
        return load_base(folder, host, tokenizer, self.settings.device, self.settings.dtype)


@dataclass(frozen=True)
class Step:
    """One step.

    Attributes:
        name: its name.
        says: what it is going to do, in a sentence.
        run: does it, or what an interruption left of it.
        digest: of what it made.
    """

    name: str
    says: Callable[[Fit], str]
    run: Callable[[Fit], None]
    digest: Callable[[Fit], str]


def _tune(fit: Fit) -> None:
    settings = fit.settings
    with shown_steps() as progress:
        teach_model(
            settings.model, fit.copy, tuning=settings.tuning, seed=settings.seed, device=settings.device,
            dtype=settings.dtype, compiled=fit.compiled, progress=progress,
        )  # fmt: skip


def _collect(fit: Fit) -> None:
    settings = fit.settings
    model, tokenizer = fit.loaded(fit.copy, settings.model)
    before = fit.loaded_base(settings.model, fit.copy, tokenizer)
    with shown("prompt") as advance:
        collect_rows(
            model, tokenizer, cast(recipe_of(fit.copy)), fit.rows, plan=settings.plan, spec=settings.spec,
            control=before, records=fit.records, progress=lambda done, total: advance("collect", done, total),
        )  # fmt: skip


def _train(fit: Fit) -> None:
    table = training_rows(ShardReader(fit.rows).load())
    check_enough(table, fit)
    host = describe_host(*fit.loaded(fit.copy), table)
    try:
        _learn(fit, table, host)
    except InputError as error:  # a part of the people without rows of a class, or nothing that tells them apart
        raise InputError(
            f"No detector came of what the copy said: {error} Here, give more --people or --epochs, with another OUT. "
            f"No bundle was written; {fit.work} keeps the copy and what it said."
        ) from error


def _learn(fit: Fit, table: FeatureTable, host: dict[str, Any]) -> None:
    if fit.settings.arm == "token":
        build_own_token_score(fit.copys_bundle, table, host, overwrite=True)
        return
    with shown("epoch") as advance:
        train_own(
            fit.copys_bundle, table, fit.settings.networks, host, folder=fit.checkpoints, overwrite=True,
            progress=advance,
        )  # fmt: skip
    clear_members(fit.checkpoints)


def check_enough(table: FeatureTable, fit: Fit) -> None:
    """Raises InputError if a detector cannot be learned from a copy's training rows, and says what to change."""
    labels = table.labels["label"]
    learned = learned_rows(table)
    remembered = int(np.isin(labels[learned], sorted(POSITIVE)).sum())
    made_up, strangers = int(learned.sum()) - remembered, int(of_strangers(table).sum())
    settings = fit.settings
    if remembered < LEAST_OF_A_CLASS:
        why = f"said {remembered} values that it was taught; at least {LEAST_OF_A_CLASS} are needed"
        what = (
            f"It remembers too little: teach it longer (--epochs {2 * settings.epochs}) or faster (--learning-rate), "
            f"or more people (--people {2 * settings.people})"
        )
    elif made_up < LEAST_OF_A_CLASS or strangers < LEAST_VALUES:
        why = (
            f"made {made_up} values up, {LEAST_OF_A_CLASS} are needed, and said {strangers} of people whom it does not "
            f"know, {LEAST_VALUES} are needed"
        )
        what = f"Ask about more people (--people {2 * settings.strangers}), or teach it for fewer --epochs"
    else:
        return
    raise InputError(
        f"The copy {why}. {what}, with another OUT. No bundle was written; {fit.work} keeps the copy and what it said."
    )


def _calibrate(fit: Fit) -> None:
    settings, made = fit.settings, Bundle.load(fit.copys_bundle)
    others = () if settings.base is None else (settings.base,)
    model, tokenizer = fit.loaded(settings.model, *others)
    base = None if settings.base is None else fit.loaded_base(settings.base, settings.model, tokenizer)
    check_like(made, HostAdapter.attach(model, tokenizer), tokenizer)
    with shown("prompt") as advance:
        said = ask_strangers(
            model, tokenizer, fit.said_of_strangers, FeatureSpec.of(made.feature_options), **fit.strangers, base=base,
            records=fit.records, progress=lambda done, total: advance("calibrate", done, total),
        )  # fmt: skip
    rest_on = said.rows if fit.records is None else int((said.labels["label"] == Label.HALLUCINATED).sum())
    if rest_on < LEAST_VALUES:
        raise InputError(
            f"{settings.model} made {rest_on} values up about people who do not exist; thresholds need {LEAST_VALUES}. "
            f"Ask about more (--people {2 * settings.strangers}), with another OUT. No bundle was written; {fit.work} "
            "keeps the copy's detector."
        )
    adapt(made, said, model, tokenizer, fit.fitted, taught=_taught(fit), overwrite=True)


def _taught(fit: Fit) -> list[FeatureTable]:
    """Returns the copy's rows if a base is asked, and if they can set from which likelihood it counts as knowing."""
    if fit.settings.base is None:
        return []
    table = ShardReader(fit.rows).load()
    try:
        base_threshold([table])
    except InputError:  # too few values, or some that anybody guesses: the policy's own threshold holds then
        return []
    return [table]


def _evaluate(fit: Fit) -> None:
    figures = measure(
        ShardReader(fit.rows).load(),
        Bundle.load(fit.copys_bundle),
        Bundle.load(default_bundle()),
        based=fit.settings.base is not None,
    )
    fit.figures.write_text(json.dumps(figures, indent=1) + "\n")


def _files_digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(each for each in folder.rglob("*") if each.is_file()):
        digest.update(f"{file.relative_to(folder)}\n".encode())
        with open(file, "rb") as content:
            digest.update(hashlib.file_digest(content, "sha256").digest())
    return digest.hexdigest()


STEPS = (
    Step(
        "tune",
        lambda fit: f"teaches a copy {fit.settings.taught} made-up people; the model stays as it is",
        _tune,
        lambda fit: _files_digest(fit.copy),
    ),
    Step(
        "collect",
        lambda fit: "asks the copy, and keeps features and labels of its answers, no values",
        _collect,
        lambda fit: ShardReader(fit.rows).digest,
    ),
    Step(
        "train",
        lambda fit: (
            "fits a token score to these rows"
            if fit.settings.arm == "token"
            else f"trains up to {len(fit.settings.networks)} networks on the lens of every layer"
        ),
        _train,
        lambda fit: Bundle.load(fit.copys_bundle).digest,
    ),
    Step(
        "calibrate",
        lambda fit: f"asks the model about {fit.settings.strangers} people who do not exist, for thresholds",
        _calibrate,
        lambda fit: Bundle.load(fit.fitted).digest,
    ),
    Step(
        "evaluate",
        lambda fit: "judges what the copy said of people who were held out",
        _evaluate,
        lambda fit: hashlib.sha256(fit.figures.read_bytes()).hexdigest(),
    ),
)
