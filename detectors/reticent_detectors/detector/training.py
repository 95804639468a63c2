"""Trains the detector network on a feature table, with early stopping. `splits` chooses the rows.

An interrupted run resumes from its folder and ends with the same weights as an uninterrupted one. Every epoch draws its
order and its dropout from (seed, epoch), and the checkpoint holds the optimiser and the best weights. On one machine
with the same number of threads the weights are bitwise equal. Checkpoints are safetensors and JSON, not pickle.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.confidence_augmentation import draw_factors, scale_confidence
from reticent_detectors.detector.held_out_calibration import check_table
from reticent_detectors.detector.network import DEPTHLESS, DetectorNetwork, NetworkOptions
from reticent_detectors.detector.second_look import without_name_swap
from reticent_detectors.detector.splits import Split, check_classes, held_rows, row_weights, split_rows
from reticent_detectors.detector.training_config import IGNORED, POSITIVE, TrainingConfig
from reticent_detectors.entities import PRIVACYXRAY
from reticent_detectors.errors import InputError
from reticent_detectors.features.derived_features import derive

CHECKPOINT = "checkpoint.safetensors"


@dataclass(frozen=True)
class Epoch:
    """One point of the learning curve. Losses are balanced and weighted as in training."""

    train_loss: float
    validation_loss: float


@dataclass(frozen=True)
class TrainedDetector:
    """The network with the best validation loss, in evaluation mode, and the record of its training."""

    network: DetectorNetwork
    config: TrainingConfig
    split: Split
    history: tuple[Epoch, ...]
    best_epoch: int
    data_digest: str
    seconds: float

    @property
    def validation_loss(self) -> float:
        return self.history[self.best_epoch].validation_loss

    def logits(self, table: FeatureTable) -> NDArray[np.float32]:
        """Returns the logits [rows] of a table."""
        return self.network.logits(derive(table.features, table.labels["entity"], self.network.options.entities))

    def held_out(
        self,
        table: FeatureTable,
        *,
        ignore: frozenset[str] = IGNORED,
        include_mixed: bool = False,
        name_swap: bool = True,
    ) -> tuple[FeatureTable, NDArray[np.float32]]:
        """Returns the held-out rows and their logits.

        Args:
            table: the table that the network was trained on.
            ignore: labels to leave out.
            include_mixed: adds held-out people under phrasings that training saw.
            name_swap: False sets the name-swap features to zero.

        Raises:
            InputError: the network was trained on another table.
        """
        check_table(table, self.data_digest)
        held = table.select(held_rows(self.split, table.labels, ignore, include_mixed))
        return held, self.logits(held if name_swap else replace(held, features=without_name_swap(held.features)))

    def summary(self) -> dict[str, Any]:
        """Summarises the training for the bundle's manifest: settings, counts and the learning curve. No data."""
        return {
            "config": self.config.to_json(),
            "network": self.network.options.to_json(),
            "parameters": sum(parameter.numel() for parameter in self.network.parameters()),
            "rows": {"train": len(self.split.train), "validation": len(self.split.validation)},
            "epochs": len(self.history),
            "best_epoch": self.best_epoch,
            "history": [[round(epoch.train_loss, 5), round(epoch.validation_loss, 5)] for epoch in self.history],
            "data_digest": self.data_digest,
            "seconds": round(self.seconds, 1),
        }


# ---- checkpoints ----------------------------------------------------------------------------------------------------


@dataclass
class _State:
    """The state that an epoch changes. `best` copies the network's state with the lowest validation loss."""

    network: DetectorNetwork
    optimizer: torch.optim.AdamW
    best: dict[str, Tensor]
    history: list[Epoch]
    seconds: float = 0.0

    @property
    def best_epoch(self) -> int:
        return min(range(len(self.history)), key=lambda epoch: self.history[epoch].validation_loss)

    def save(self, path: Path, run: str) -> None:
        tensors = {f"network.{name}": tensor for name, tensor in self.network.state_dict().items()}
        tensors |= {f"best.{name}": tensor for name, tensor in self.best.items()}
        for number, moments in self.optimizer.state_dict()["state"].items():
            tensors |= {f"optimizer.{number}.{name}": tensor for name, tensor in moments.items()}
        metadata = {
            "run": run,
            "history": json.dumps([[epoch.train_loss, epoch.validation_loss] for epoch in self.history]),
            "seconds": repr(self.seconds),
        }
        temporary = path.with_name(path.name + ".tmp")
        save_file({name: tensor.detach().contiguous().clone() for name, tensor in tensors.items()}, temporary, metadata)
        os.replace(temporary, path)

    def load(self, path: Path, run: str) -> None:
        remedy = f"delete {path} to start again, or choose another folder"
        try:
            with safe_open(path, framework="pt") as file:
                metadata = file.metadata() or {}
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        except (SafetensorError, OSError, ValueError):
            raise InputError(f"{path} is cut short or was edited; {remedy}") from None
        if metadata.get("run") != run:
            raise InputError(f"{path} belongs to a training with other settings or other rows; {remedy}")
        parts: dict[str, dict[str, Tensor]] = {"network": {}, "best": {}, "optimizer": {}}
        for name, tensor in tensors.items():
            part, _, rest = name.partition(".")
            parts[part][rest] = tensor
        self.network.load_state_dict(parts["network"])
        self.best = parts["best"]
        moments: dict[int, dict[str, Tensor]] = {}
        for name, tensor in parts["optimizer"].items():
            number, _, moment = name.partition(".")
            moments.setdefault(int(number), {})[moment] = tensor
        self.optimizer.load_state_dict({**self.optimizer.state_dict(), "state": moments})
        self.history = [Epoch(*losses) for losses in json.loads(metadata["history"])]
        self.seconds = float(metadata["seconds"])


def stored_epochs(folder: Path) -> int:
    """Returns the number of epochs in a folder's checkpoint; 0 without a checkpoint."""
    path = folder / CHECKPOINT
    if not path.exists():
        return 0
    with safe_open(path, framework="pt") as file:
        return len(json.loads((file.metadata() or {})["history"]))


# ---- training -------------------------------------------------------------------------------------------------------


def learning_rate_factor(step: int, total: int, warmup: int) -> float:
    """Returns the learning rate's factor: linear warm-up for at most a tenth of the steps, then a cosine to zero."""
    warmup = min(warmup, max(1, total // 10))
    if step < warmup:
        return (step + 1) / warmup
    return 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, total - warmup)))


@contextlib.contextmanager
def _seeded(*numbers: int) -> Iterator[None]:
    """Draws from a generator that depends on the numbers alone, and restores the caller's."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int.from_bytes(hashlib.sha256(repr(numbers).encode()).digest()[:7], "big"))
        yield


@dataclass(frozen=True)
class _Rows:
    """Rows of one side of the split: inputs, targets (1 = memorised), and each row's weight in the loss."""

    inputs: dict[str, NDArray[np.float32]]
    targets: Tensor
    weights: Tensor


def _rows_of(
    table: FeatureTable, inputs: dict[str, NDArray[np.float32]], rows: NDArray[np.int64], config: TrainingConfig
) -> _Rows:
    positive = np.isin(table.labels["label"][rows], sorted(POSITIVE)).astype(np.float32)
    return _Rows(inputs, torch.from_numpy(positive), torch.from_numpy(row_weights(table.labels, rows, config)))


def _fresh_state(
    options: NetworkOptions,
    config: TrainingConfig,
    features: dict[str, NDArray[np.float32]],
    rows: NDArray[np.int64],
) -> _State:
    """Makes a network, scaled by its training rows, and its optimiser. Weight decay applies to matrices alone."""
    with _seeded(config.seed, config.fold):
        network = DetectorNetwork(options)
    network.fit_scales({name: features[name][rows] for name in network.inputs})
    groups: list[dict[str, Any]] = [
        {"params": [parameter for parameter in network.parameters() if parameter.ndim > 1]},
        {"params": [parameter for parameter in network.parameters() if parameter.ndim <= 1], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=config.learning_rate, weight_decay=config.weight_decay)
    return _State(network, optimizer, best={}, history=[])


def _augmented(names: tuple[str, ...], arrays: list[Tensor], config: TrainingConfig) -> list[Tensor]:
    """Scales a batch by drawn confidences, and zeroes the name-swap features in a drawn share of rows."""
    if config.confidence_range > 1:
        named = dict(zip(names, arrays, strict=True))
        arrays = list(scale_confidence(named, draw_factors(len(arrays[0]), config.confidence_range)).values())
    if "renamed" in names:
        swap_input = names.index("renamed")
        arrays[swap_input] *= (torch.rand(len(arrays[swap_input]), 1) >= config.name_swap_dropout).float()
    return arrays


def _fit_epoch(state: _State, rows: _Rows, config: TrainingConfig) -> float:
    """Takes all steps of the next epoch. Returns the mean training loss."""
    network, optimizer, number = state.network, state.optimizer, len(state.history)
    inputs = [torch.from_numpy(rows.inputs[name]) for name in network.inputs]
    steps = -(-len(rows.targets) // config.batch)
    loss_sum = 0.0
    network.train()
    with _seeded(config.seed, config.fold, number + 1):
        order = torch.randperm(len(rows.targets))
        for step in range(steps):
            chosen = order[step * config.batch : (step + 1) * config.batch]
            factor = learning_rate_factor(number * steps + step, steps * config.epochs, config.warmup_steps)
            for group in optimizer.param_groups:
                group["lr"] = config.learning_rate * factor
            optimizer.zero_grad()
            logit = network(*_augmented(network.inputs, [array[chosen] for array in inputs], config))
            loss = _loss(logit, rows.targets[chosen], rows.weights[chosen])
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            loss_sum += float(loss.detach()) * len(chosen)
    return loss_sum / len(rows.targets)


def _add_epoch(state: _State, taught: _Rows, held: _Rows, config: TrainingConfig) -> None:
    """Trains for an epoch, appends its losses, and keeps the weights if they are the best on the held-out rows."""
    number, started = len(state.history), time.monotonic()
    train_loss = _fit_epoch(state, taught, config)
    held_loss = float(_loss(torch.from_numpy(state.network.logits(held.inputs)), held.targets, held.weights))
    if not math.isfinite(held_loss):
        raise InputError(f"the validation loss of epoch {number + 1} is not finite; lower learning_rate")
    state.history.append(Epoch(train_loss, held_loss))
    if state.best_epoch == number:
        state.best = {name: tensor.clone() for name, tensor in state.network.state_dict().items()}
    state.seconds += time.monotonic() - started


def train(
    table: FeatureTable,
    config: TrainingConfig | None = None,
    *,
    folder: str | os.PathLike[str] | None = None,
    after_epoch: Callable[[int, Epoch], None] | None = None,
) -> TrainedDetector:
    """Trains on the table's training rows until the validation loss stops falling. Returns the best epoch's network.

    With a `folder`, it writes a checkpoint after each epoch, and an interrupted run continues.

    Args:
        table: features and labels.
        config: all settings; the default is `TrainingConfig()`.
        folder: where the checkpoint is kept.
        after_epoch: takes the epoch's number, from 0, and its losses.

    Raises:
        InputError: the rows lack a feature, a class or held-out phrasings, or the folder belongs to another run.
    """
    config = config or TrainingConfig()
    started = time.monotonic()
    options = _options(table, config)
    features = derive(table.features, table.labels["entity"], options.entities)
    split = split_rows(table.labels, config)
    check_classes(table.labels, split)
    state = _fresh_state(options, config, features, split.train)
    path = Path(folder) / CHECKPOINT if folder is not None else None
    run = hashlib.sha256(json.dumps([config.to_json(), table.digest, options.to_json()]).encode()).hexdigest()
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            state.load(path, run)

    network = state.network
    taught, held = (
        _rows_of(table, {name: features[name][rows] for name in network.inputs}, rows, config)
        for rows in (split.train, split.validation)
    )
    while len(state.history) < config.epochs and not _stalled(state, config.patience):
        _add_epoch(state, taught, held, config)
        if path is not None:
            state.save(path, run)
        if after_epoch is not None:
            after_epoch(len(state.history) - 1, state.history[-1])

    network.load_state_dict(state.best)
    network.eval()
    seconds = state.seconds if path is not None else time.monotonic() - started
    return TrainedDetector(
        network, config, split, tuple(state.history), state.best_epoch, data_digest=table.digest, seconds=seconds
    )


def _options(table: FeatureTable, config: TrainingConfig) -> NetworkOptions:
    known = table.features.get("topk_prob")
    if known is None and config.groups <= DEPTHLESS:
        layers, ranks = 0, 0
    elif known is None or known.ndim != 3:
        raise InputError("the table has no topk_prob [rows, layers, ranks]; collect again with this version")
    else:
        layers, ranks = known.shape[1:]
    options = NetworkOptions(layers, ranks, config.groups, config.dropout, taught_kinds(table))
    features = derive({name: array[:1] for name, array in table.features.items()}, [""], options.entities)
    for name, shape in options.shapes.items():
        got = features[name].shape[1:] if name in features else None
        if got != shape:
            raise InputError(f"feature {name} has shape {got}, expected {shape}; collect again with this version")
    return options


def taught_kinds(table: FeatureTable) -> tuple[str, ...]:
    """Returns the kinds of data in the rows. The detector's one-hot input has no other kinds."""
    there = set(table.labels["entity"].tolist())
    return tuple(str(kind) for kind in PRIVACYXRAY if str(kind) in there)


def _stalled(state: _State, patience: int) -> bool:
    return bool(state.history) and len(state.history) - 1 - state.best_epoch >= patience


def _loss(logit: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    return torch.nn.functional.binary_cross_entropy_with_logits(logit, target, weight)
