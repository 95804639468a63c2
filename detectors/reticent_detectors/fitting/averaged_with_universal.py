"""Joins a detector with a universal one: the mean of their calibrated logits, in one graph.

A host may have few rows, or rows of a taught copy alone. The universal detector was trained on rows of several hosts,
so its logits steady the mean. Both are calibrated on the rows of the host, which the universal detector did not see.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from reticent_detectors.bundle.export import parity
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.calibration import fit_calibration, logit_of
from reticent_detectors.detector.cross_fit import TrainedEnsemble
from reticent_detectors.detector.ensemble import Ensemble
from reticent_detectors.detector.network import CLIP, DetectorNetwork, NetworkOptions
from reticent_detectors.detector.second_look import without_name_swap
from reticent_detectors.detector.training_config import IGNORED, POSITIVE, TrainingConfig
from reticent_detectors.errors import BundleError, InputError, MissingExtra
from reticent_detectors.features.derived_features import derive


def networks_of(bundle: Bundle) -> Ensemble:
    """Rebuilds the ensemble that a bundle's graph was exported from.

    Raises:
        BundleError: the graph holds no ensemble of this version, or answers otherwise than its networks.
        MissingExtra: onnx is not installed.
    """
    try:
        import onnx
    except ImportError as error:
        raise MissingExtra("onnx", "train") from error
    training, entities = bundle.manifest["training"], tuple(bundle.entities)
    try:
        shape = training["network"]["layers"], training["network"]["ranks"]
        groups = [frozenset(each["groups"]) for each in training["networks"]]
        ensemble = Ensemble(
            [DetectorNetwork(NetworkOptions(*shape, each, entities=entities)) for each in groups],
            [(1.0, 0.0)] * len(groups),
        ).eval()
        stored = {
            each.name: torch.from_numpy(onnx.numpy_helper.to_array(each).copy())
            for each in onnx.load_from_string(bundle.network).graph.initializer
        }
        ensemble.load_state_dict({name: stored[name] for name in ensemble.state_dict()})
    except (InputError, KeyError, TypeError, RuntimeError) as error:
        raise BundleError(
            f"{bundle.path} holds no networks of this version ({type(error).__name__}); make it again."
        ) from error
    if (apart := parity(ensemble, bundle.network)) > 1e-3:
        raise BundleError(f"{bundle.path} does not answer as its networks do ({apart:.1e} apart); make it again.")
    return ensemble


@dataclass(frozen=True)
class JoinedEnsemble:
    """A trained ensemble and another one of equal weight that never saw its rows.

    Attributes:
        network: both in one graph.
        own: the result of `cross_fit`.
        other: the other ensemble.
        scale: slope and intercept of the other's logits.
        digest: of the other's bundle.
    """

    network: Ensemble
    own: TrainedEnsemble
    other: Ensemble
    scale: tuple[float, float]
    digest: str

    @property
    def config(self) -> TrainingConfig:
        return self.own.config

    @property
    def data_digest(self) -> str:
        return self.own.data_digest

    @property
    def validation_loss(self) -> float:
        """Validation loss of the trained networks."""
        return self.own.validation_loss

    def logits(self, table: FeatureTable) -> NDArray[np.float32]:
        """Returns the joined logits [rows] of a table."""
        return self.network.logits(derive(table.features, table.labels["entity"], self.network.options.entities))

    def held_out(
        self,
        table: FeatureTable,
        *,
        ignore: frozenset[str] = IGNORED,
        include_mixed: bool = False,
        name_swap: bool = True,
    ) -> tuple[FeatureTable, NDArray[np.float32]]:
        """Returns the held-out rows of a table with their joined logits [rows].

        The joined logit is the mean of the trained networks' logit and the other ensemble's. Arguments are those of
        `TrainedEnsemble.held_out`.
        """
        held, logits = self.own.held_out(table, ignore=ignore, include_mixed=include_mixed, name_swap=name_swap)
        part = held if name_swap else replace(held, features=without_name_swap(held.features))
        slope, intercept = self.scale
        return held, ((logits + slope * _logits(self.other, part) + intercept) / 2).astype(np.float32)

    def summary(self) -> dict[str, Any]:
        """Describes the trained networks for the manifest, with the digest of the bundle that they are joined with."""
        return self.own.summary() | {"joined with": self.digest}


def check_joinable(universal: Bundle, inputs: Collection[str]) -> None:
    """Raises InputError if a detector that reads the arrays `inputs` cannot be joined with the bundle."""
    if not universal.universal:
        raise InputError(f"{universal.path} is no universal bundle; expected one made by 'reticent universal'.")
    if lacking := sorted(set(universal.shapes) - set(inputs)):
        raise InputError(
            f"The universal detector reads {', '.join(lacking)}, which the trained one does not. Train it with "
            "--groups that hold log-probabilities, name swaps and the kind of data, as 'default' does."
        )


def join(own: TrainedEnsemble, universal: Bundle, table: FeatureTable) -> JoinedEnsemble:
    """Joins a trained detector with a universal one; both have equal weight.

    Args:
        own: detector trained on `table`.
        universal: bundle that was trained on other rows than those of `table`; it is calibrated on them.
        table: training rows, none of test people.

    Raises:
        InputError: the bundle is not universal, or reads arrays that the trained detector does not.
        BundleError: the networks of the bundle cannot be read.
    """
    check_joinable(universal, own.network.inputs)
    other = networks_of(universal)
    rows, _ = own.held_out(table, include_mixed=True)
    positive = np.isin(rows.labels["label"], sorted(POSITIVE))
    fitted = fit_calibration(_logits(other, rows), positive, rows.labels["entity"], prevalence=0.5)
    scale = fitted.slope, fitted.intercept - logit_of(fitted.fitted_prevalence)
    network = _flat([(own.network, (1.0, 0.0)), (other, scale)])
    return JoinedEnsemble(network, own, other, scale, universal.digest)


def _flat(parts: Sequence[tuple[Ensemble, tuple[float, float]]]) -> Ensemble:
    """Merges several scaled ensembles into their mean; members of a small one weigh more than those of a large one."""
    shape = parts[0][0].options
    total = sum(len(ensemble.members) for ensemble, _ in parts)
    members, scales = list[DetectorNetwork](), list[tuple[float, float]]()
    for ensemble, (slope, intercept) in parts:
        share = total / (len(parts) * len(ensemble.members))
        own = zip(ensemble.slope.tolist(), ensemble.intercept.tolist(), strict=True)
        scales += [(share * slope * a, share * (slope * b + intercept)) for a, b in own]
        members += [_recast(member, shape) for member in ensemble.members if isinstance(member, DetectorNetwork)]
    return Ensemble(members, scales).eval()


def _recast(network: DetectorNetwork, shape: NetworkOptions) -> DetectorNetwork:
    """Rebuilds a network for the depth, ranks and kinds of data of another one.

    Unless depths agree, the network may read no array that depends on depth. It treats a kind that is new to it as
    unknown.
    """
    options = replace(network.options, layers=shape.layers, ranks=shape.ranks, entities=shape.entities)
    out, state = DetectorNetwork(options), dict(network.state_dict())
    if "entity" in network.inputs and shape.entities != network.options.entities:
        at = network.inputs.index("entity")
        mean, deviation = state[f"scales.{at}.mean"], state[f"scales.{at}.deviation"]
        weight, known = state[f"branches.{at}.0.weight"], network.options.entities
        own = torch.tensor([known.index(kind) for kind in shape.entities if kind in known], dtype=torch.long)
        places = torch.tensor([index for index, kind in enumerate(shape.entities) if kind in known], dtype=torch.long)
        others = torch.ones(len(known), dtype=torch.bool)
        others[own] = False  # the other kinds never occur, so their constant input moves into the bias
        never = (-mean / deviation).clamp(-CLIP, CLIP)
        state[f"branches.{at}.0.bias"] = state[f"branches.{at}.0.bias"] + weight[:, others] @ never[others]
        count = len(shape.entities)
        for name, old, empty in (("mean", mean, 0.0), ("deviation", deviation, 1.0)):
            new = torch.full((count,), empty)
            new[places] = old[own]
            state[f"scales.{at}.{name}"] = new
        columns = torch.zeros(len(weight), count)
        columns[:, places] = weight[:, own]
        state[f"branches.{at}.0.weight"] = columns
    out.load_state_dict(state)
    return out


def _logits(ensemble: Ensemble, table: FeatureTable) -> NDArray[np.float32]:
    return ensemble.logits(derive(table.features, table.labels["entity"], ensemble.options.entities))
