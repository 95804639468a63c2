"""Which detector is meant: its inputs, what of the features it sees, and on which people and kinds it is trained."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.collection.held_out import hash_share
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.defaults import ensemble_of, named_groups
from reticent_detectors.detector.network import GROUPS, PAPER_GROUPS
from reticent_detectors.detector.training_config import TrainingConfig

OURS, PAPER = "ours", "re-implemented"


@dataclass(frozen=True)
class Variant:
    """A detector with these `groups` of inputs.

    Attributes:
        groups: of inputs.
        single: one network; otherwise it is cross-fitted.
        left_out: kinds that it is not trained on.
        share: of the people that it is trained on.
        layers: of the paper's features, first and last (excluded). Other layers of `inter` and `intra` are zero, which
            carries nothing once the inputs are scaled. `inter` has pairs of layers, the first at 0.
        ranks: of the paper's features. With one rank there is no `intra`.
        facts: it learns that a right public fact is remembered, not that it may pass.
    """

    groups: frozenset[str]
    single: bool = False
    left_out: frozenset[str] = frozenset()
    share: float = 1.0
    layers: tuple[int, int] | None = None
    ranks: int | None = None
    facts: bool = False

    @property
    def arrays(self) -> frozenset[str]:
        """The collection's features that it needs.

        `topk_prob` gives the host's shape, `token_prob` the hard rows, and `pooled` the log-probabilities.
        """
        wanted = {GROUPS[group] for group in self.groups} | {"topk_prob", "token_prob"}
        wanted |= {"pooled"} if "logprobs" in self.groups else set()
        return frozenset(wanted - {"token_logprob", "entity"})

    def networks(self, config: TrainingConfig) -> tuple[TrainingConfig, ...]:
        """The settings of each of its networks."""
        return (config,) if self.single else ensemble_of(config)

    def view(self, table: FeatureTable) -> FeatureTable:
        """All rows, with what it sees of their features."""
        features = {name: table.features[name] for name in sorted(self.arrays)}
        if self.layers is not None:
            first, last = self.layers
            for name in {"inter", "intra"} & set(features):
                kept = np.zeros_like(features[name])
                kept[:, first:last] = features[name][:, first:last]
                features[name] = kept
        if self.ranks is not None:
            features = _first_ranks(features, self.ranks)
        return FeatureTable(features, table.labels, table.settings)

    def training_rows(self, table: FeatureTable) -> FeatureTable:
        """What it sees of the rows that it may learn from. Test people must be gone already."""
        labels = table.labels
        kept = ~np.isin(labels["entity"], sorted(self.left_out))
        if self.share < 1.0:
            kept &= np.isin(labels["person_key"], sorted(volume(labels["person_key"], self.share)))
        chosen = self.view(table.select(kept))
        return facts_remembered(chosen) if self.facts else chosen


def facts_remembered(table: FeatureTable) -> FeatureTable:
    """The same rows; right public facts count as remembered."""
    label = table.labels["label"]
    labels = {**table.labels, "label": np.where(label == "public", "memorized", label)}
    return FeatureTable(table.features, labels, table.settings)


def ours(features: Collection[str]) -> Variant:
    """The detector that `reticent train` makes of a collection with these features."""
    return Variant(named_groups(features)["default"])


def both(features: Collection[str]) -> dict[str, Variant]:
    """Ours and the paper's."""
    return {OURS: ours(features), PAPER: Variant(PAPER_GROUPS, single=True)}


def volume(people: NDArray[Any], share: float) -> frozenset[str]:
    """The same people for everybody: a larger share holds those of a smaller one, and always rows without a person."""
    names = sorted(set(people.tolist()) - {""}, key=lambda name: hash_share(0, "volume", name))
    return frozenset(names[: round(share * len(names))]) | {""}


def _first_ranks(features: dict[str, NDArray[np.float32]], ranks: int) -> dict[str, NDArray[np.float32]]:
    # A network has at least two ranks; of a single one the second is zero.
    wide = max(2, ranks)
    cut = {"topk_prob": np.s_[:, :, :wide], "inter": np.s_[:, :, :wide, :wide], "intra": np.s_[:, :, : wide - 1]}
    out = {name: array[cut[name]].copy() if name in cut else array for name, array in features.items()}
    if ranks == 1:
        for name in {"topk_prob", "inter"} & set(out):
            out[name][:, :, 1:] = 0.0
        if "inter" in out:
            out["inter"][:, :, :, 1:] = 0.0
    return out
