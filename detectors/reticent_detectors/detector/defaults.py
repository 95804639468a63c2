"""Defines the defaults of `reticent train` and `reticent universal`: groups of features and training settings.

Ablations chose the settings (`docs/decisions/detector-inputs.md`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from reticent_detectors.detector.network import DEPTHLESS, PAPER_GROUPS, STATE_GROUPS
from reticent_detectors.detector.training_config import TrainingConfig

NAME_SWAP_DROPOUT = 0.25
"""Fraction of training rows whose name-swap features are zeroed, so the first score works alone."""
CONFIDENCE_RANGE = 2.5
"""Largest factor by which the log-likelihoods of a host may differ from those of the training hosts."""


def named_groups(features: Collection[str]) -> dict[str, frozenset[str]]:
    """Returns the groups by name, for a collection with these features. `renamed` joins if the collection has it."""
    name_swap = {"renamed"} & set(features)
    return {
        "default": frozenset({"pooled", "prob", "logprobs", "entity", *name_swap}),
        "all": STATE_GROUPS | {"logprobs", "entity", *name_swap},
        "paper": PAPER_GROUPS,
        "logprobs": frozenset({"prob", "logprobs", "entity"}),
    }


def default_config(
    groups: frozenset[str], *, seed: int = 0, epochs: int = 30, dropout: float = 0.3, misattributed: float = 0.3
) -> TrainingConfig:
    """Returns the training settings for these groups. `misattributed` is the weight of other people's values."""
    return TrainingConfig(
        groups=groups,
        seed=seed,
        epochs=epochs,
        dropout=dropout,
        name_swap_dropout=NAME_SWAP_DROPOUT,
        label_weight={**TrainingConfig().label_weight, "misattributed": misattributed},
    )


def ensemble_of(config: TrainingConfig, *, plain_as_well: bool = True) -> tuple[TrainingConfig, ...]:
    """Returns the settings of an ensemble: one network for each fold, and a second one without inner layers.

    The second is left out if the first has no inner layers, or if nothing but the kind of data would be left.

    States of inner layers differ between kinds of data and between phrasings. Likelihoods alone generalise better and
    hold less information.

    Args:
        config: the settings of a network.
        plain_as_well: False leaves the second ones out, so that every network reads all groups.
    """
    folds = [replace(config, fold=fold) for fold in range(round(1 / config.held_out_people))]
    plain = config.groups & DEPTHLESS
    alone = not plain_as_well or plain in (config.groups, frozenset(), {"entity"})
    kinds = [config.groups] if alone else [config.groups, plain]
    return tuple(replace(fold, groups=groups) for fold in folds for groups in kinds)


def universal_config(
    *, seed: int = 0, epochs: int = 60, dropout: float = 0.3, misattributed: float = 0.3
) -> TrainingConfig:
    """Returns the training settings of a detector for any host, on a table of `multi_host_pool.pool`."""
    groups = DEPTHLESS - {"prob"}  # see `scale_confidence`
    config = default_config(groups, seed=seed, epochs=epochs, dropout=dropout, misattributed=misattributed)
    # Rows that change in every epoch take longer to learn, and the validation loss is less smooth.
    return replace(config, confidence_range=CONFIDENCE_RANGE, balance="host", batch=512, patience=8)
