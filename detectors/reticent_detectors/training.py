"""Trains the detector network on a feature table: split by person and phrasing, early stopping, resumable to the bit.

What may be read. Rows of test people or of test-only phrasings are never touched here. Of the rest, some people and
some phrasings are held out: training sees neither of them, validation sees only both (held-out people under held-out
phrasings), and what mixes the two (`mixed`) is used by nobody unless the caller asks (more negatives for thresholds).
Public facts and other rows without a person are held out by their value, or else by their phrasing.

An interrupted run is resumed from its folder and ends in the same weights as one that was not: every epoch draws its
order and its dropout from (seed, epoch), and the checkpoint holds optimiser and best weights. On one machine with the
same number of threads "the same" means bit by bit. Checkpoints are safetensors and JSON, no pickle.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from reticent_detectors.calibration import Calibration, fit_calibration
from reticent_detectors.doubt import find_doubt, looked, unasked
from reticent_detectors.errors import InputError
from reticent_detectors.inputs import derive
from reticent_detectors.network import DEPTHLESS, STATE_GROUPS, DetectorNetwork, NetworkOptions
from reticent_detectors.shards import FeatureTable
from reticent_detectors.stretch import draw_factors, stretch

POSITIVE = frozenset({"memorized", "misattributed", "selected"})
NEGATIVE = frozenset({"hallucinated", "echoed", "inferable", "public"})
# Two labels are neither: `partial` (a long part of the value is right) and `coincident` (a value too common to be
# anybody's).

CHECKPOINT = "checkpoint.safetensors"


@dataclass(frozen=True)
class TrainingConfig:
    """Everything that determines the weights besides the rows.

    `label_weight`: weight of a row by label, 1 where none is given. Echoed values pass by the echo rule and look like
    memory to the lens, so they count little; the same holds for public facts, which are memory. `balance`: positives
    and negatives get equal total weight, over all rows (`class`), within each entity (`entity`) or within each host, of which all
    weigh the same (`host`: rows of several hosts, see `universal`). `held_out_people`
    applies only if no row has person split `val`. `patience` counts epochs without a better validation loss. `unasked` is the
    share of rows that are shown without `renamed`, as if nobody were named: so the network can also say what it thinks before the
    host is asked under other names. `stretch` is the largest factor by which
    a row's log-likelihoods are multiplied or divided while training (`stretch`); 1 leaves them.
    """

    groups: frozenset[str] = STATE_GROUPS
    epochs: int = 16
    patience: int = 4
    batch: int = 256
    learning_rate: float = 1e-3
    weight_decay: float = 0.05
    warmup_steps: int = 100
    dropout: float = 0.1
    seed: int = 0
    balance: str = "class"
    held_out_people: float = 0.2
    held_out_phrasings: float = 0.25
    unasked: float = 0.0
    stretch: float = 1.0
    label_weight: Mapping[str, float] = field(default_factory=lambda: {"echoed": 0.2, "public": 0.2})

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.label_weight) - POSITIVE - NEGATIVE):
            raise InputError(f"label_weight names unknown labels: {', '.join(unknown)}")
        if self.balance not in ("class", "entity", "host"):
            raise InputError(f"balance must be 'class', 'entity' or 'host', got {self.balance!r}")
        if not 0 <= self.unasked < 1:
            raise InputError(f"unasked must be at least 0 and less than 1, got {self.unasked}")
        if not 1 <= self.stretch <= 10:
            raise InputError(f"stretch must be from 1 to 10, got {self.stretch}")
        if min(self.epochs, self.patience, self.batch) < 1:
            raise InputError("epochs, patience and batch must be at least 1")

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "groups": sorted(self.groups), "label_weight": dict(self.label_weight)}


@dataclass(frozen=True)
class Split:
    """Row numbers; `validation` is held-out people under held-out phrasings, `mixed` the same people under the others."""

    train: NDArray[np.int64]
    validation: NDArray[np.int64]
    mixed: NDArray[np.int64]


@dataclass(frozen=True)
class Epoch:
    """One line of the learning curve; losses are balanced and weighted as in training."""

    train_loss: float
    validation_loss: float


@dataclass(frozen=True)
class TrainedDetector:
    """The network with the best validation loss, in evaluation mode, and how it came about."""

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
        """Logits of all rows of a table."""
        return self.network.logits(derive(table.features, table.labels["entity"], self.network.options.entities))

    def summary(self) -> dict[str, Any]:
        """For the bundle's manifest: settings, counts and the learning curve, no data."""
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


# ---- who is held out ------------------------------------------------------------------------------------------------


def hash_share(seed: int, *names: str) -> float:
    """A number in [0, 1) that depends on the names alone: stable under reordering and added rows."""
    digest = hashlib.sha256("\x1f".join((str(seed), *names)).encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def split_rows(labels: Mapping[str, NDArray[Any]], config: TrainingConfig) -> Split:
    """Hold out people and phrasings (within each entity and split); see the module's docstring."""
    usable = (
        np.isin(labels["label"], sorted(POSITIVE | NEGATIVE))
        & np.isin(labels["person_split"], ["train", "val"])
        & np.isin(labels["phrasing_split"], ["taught", "detector"])
    )
    person = np.where(labels["person_key"] != "", labels["person_key"], labels["value_key"])
    person = np.where(person != "", person, labels["phrasing_id"])
    held_person = usable & (labels["person_split"] == "val")
    if not held_person.any():
        chosen = {
            name
            for name in np.unique(person[usable])
            if hash_share(config.seed, "person", name) < config.held_out_people
        }
        held_person = usable & np.isin(person, sorted(chosen))
    phrasing = np.array(
        [
            "\x1f".join(row)
            for row in zip(labels["entity"], labels["phrasing_split"], labels["phrasing_id"], strict=True)
        ]
    )
    # Without a person, each prompt may be a phrasing of its own (public facts): such rows are held out by what they ask.
    phrased = (labels["phrasing_id"] != "") & (labels["person_key"] != "")
    held_names: set[str] = set()
    groups: dict[str, list[str]] = {}
    for name in np.unique(phrasing[usable & phrased]):
        groups.setdefault(name.rpartition("\x1f")[0], []).append(name)
    for names in groups.values():
        names.sort(key=lambda name: hash_share(config.seed, "phrasing", name))
        held_names.update(names[: round(config.held_out_phrasings * len(names))])
    held_phrasing = usable & np.isin(phrasing, sorted(held_names))
    # Rows whose form knows only one phrasing (or none) cannot be split by phrasing: they are split by person alone.
    alone = np.array(
        sorted(prefix for prefix, names in groups.items() if not held_names.intersection(names)), dtype=str
    )
    prefix = np.array([name.rpartition("\x1f")[0] for name in phrasing])
    by_person = usable & (~phrased | np.isin(prefix, alone))
    return Split(
        train=np.flatnonzero(usable & ~held_person & (~held_phrasing | by_person)),
        validation=np.flatnonzero(held_person & (held_phrasing | by_person)),
        mixed=np.flatnonzero(held_person & ~held_phrasing & ~by_person),
    )


def row_weights(
    labels: Mapping[str, NDArray[Any]], rows: NDArray[np.int64], config: TrainingConfig
) -> NDArray[np.float32]:
    """Weights with mean 1 that give positives and negatives the same total (within each entity or host, if asked)."""
    names = labels["label"][rows]
    weights = np.array([config.label_weight.get(name, 1.0) for name in names], dtype=np.float64)
    positive = np.isin(names, sorted(POSITIVE))
    cells = np.zeros(len(rows), dtype=int) if config.balance == "class" else labels[config.balance][rows]
    for cell in np.unique(cells):
        sides = [(cells == cell) & positive, (cells == cell) & ~positive]
        totals = [weights[side].sum() for side in sides]
        if (
            config.balance == "host"
        ):  # a class that a host lacks counts for nothing, and the other for no more than elsewhere
            for side, total in zip(sides, totals, strict=True):
                weights[side] /= max(total, 1e-12)
        elif min(totals) > 0:
            for side, total in zip(sides, totals, strict=True):
                weights[side] *= sum(totals) / (2 * total)
    return np.asarray(weights / weights.mean(), dtype=np.float32)


def _check_classes(labels: Mapping[str, NDArray[Any]], split: Split) -> None:
    for part, rows in (("training", split.train), ("validation", split.validation)):
        positive = np.isin(labels["label"][rows], sorted(POSITIVE))
        if not positive.any() or positive.all():
            raise InputError(
                f"{part} has {int(positive.sum())} positive and {int((~positive).sum())} negative rows, "
                "expected some of each; collect more people and at least 4 phrasings per entity"
            )


# ---- checkpoints ----------------------------------------------------------------------------------------------------


@dataclass
class _State:
    """What an epoch changes. `best` is a copy of the network's state with the lowest validation loss."""

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


# ---- training -------------------------------------------------------------------------------------------------------


def learning_rate_factor(step: int, total: int, warmup: int) -> float:
    """Linear warm-up (at most a tenth of the steps), then a cosine to zero."""
    warmup = min(warmup, max(1, total // 10))
    if step < warmup:
        return (step + 1) / warmup
    return 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, total - warmup)))


@contextlib.contextmanager
def _seeded(*numbers: int) -> Iterator[None]:
    """Draw from a generator that depends on the numbers alone, and leave the caller's as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int.from_bytes(hashlib.sha256(repr(numbers).encode()).digest()[:7], "big"))
        yield


@contextlib.contextmanager
def _bar(total: int, done: int, show: bool) -> Iterator[Callable[[int, str], None]]:
    columns = (
        TextColumn("[bold]train"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, disable=not show) as progress:
        task = progress.add_task("", total=total, completed=done)
        yield lambda steps, text: progress.update(task, completed=steps, description=text)


def train(
    table: FeatureTable,
    config: TrainingConfig | None = None,
    *,
    folder: str | os.PathLike[str] | None = None,
    show_progress: bool = False,
    after_epoch: Callable[[int, Epoch], None] | None = None,
) -> TrainedDetector:
    """Train on the table's training rows; stop when the validation loss no longer falls; return the best epoch.

    With a `folder`, a checkpoint is written after each epoch and a run that was interrupted goes on where it stood.
    Raises `InputError` if the rows lack a feature, a class or held-out phrasings, or if the folder belongs to another
    run.
    """
    config = config or TrainingConfig()
    started = time.monotonic()
    options = _options(table, config)
    features = derive(table.features, table.labels["entity"], options.entities)
    split = split_rows(table.labels, config)
    _check_classes(table.labels, split)
    positive = np.isin(table.labels["label"], sorted(POSITIVE)).astype(np.float32)

    with _seeded(config.seed):
        network = DetectorNetwork(options)
    network.fit_scales({name: features[name][split.train] for name in network.inputs})
    groups: list[dict[str, Any]] = [
        {"params": [parameter for parameter in network.parameters() if parameter.ndim > 1]},
        {"params": [parameter for parameter in network.parameters() if parameter.ndim <= 1], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=config.learning_rate, weight_decay=config.weight_decay)
    state = _State(network, optimizer, best={}, history=[])
    path = Path(folder) / CHECKPOINT if folder is not None else None
    run = hashlib.sha256(json.dumps([config.to_json(), table.digest, options.to_json()]).encode()).hexdigest()
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            state.load(path, run)

    inputs = [torch.from_numpy(features[name][split.train]) for name in network.inputs]
    targets = torch.from_numpy(positive[split.train])
    weights = torch.from_numpy(row_weights(table.labels, split.train, config))
    held = {name: features[name][split.validation] for name in network.inputs}
    held_targets = torch.from_numpy(positive[split.validation])
    held_weights = torch.from_numpy(row_weights(table.labels, split.validation, config))

    asked = network.inputs.index("renamed") if "renamed" in network.inputs else None
    steps = -(-len(targets) // config.batch)
    total = steps * config.epochs
    with _bar(total, len(state.history) * steps, show_progress) as advance:
        while len(state.history) < config.epochs and not _stalled(state, config.patience):
            number = len(state.history)
            epoch_started = time.monotonic()
            network.train()
            loss_sum = 0.0
            with _seeded(config.seed, number + 1):
                order = torch.randperm(len(targets))
                for step in range(steps):
                    chosen = order[step * config.batch : (step + 1) * config.batch]
                    factor = learning_rate_factor(number * steps + step, total, config.warmup_steps)
                    for group in optimizer.param_groups:
                        group["lr"] = config.learning_rate * factor
                    optimizer.zero_grad()
                    arrays = [array[chosen] for array in inputs]
                    if config.stretch > 1:
                        named = dict(zip(network.inputs, arrays, strict=True))
                        arrays = list(stretch(named, draw_factors(len(chosen), config.stretch)).values())
                    if asked is not None:
                        arrays[asked] *= (torch.rand(len(chosen), 1) >= config.unasked).float()
                    logit = network(*arrays)
                    loss = _loss(logit, targets[chosen], weights[chosen])
                    loss.backward()
                    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
                    optimizer.step()
                    loss_sum += float(loss.detach()) * len(chosen)
                    if step % 10 == 9:
                        advance(number * steps + step + 1, f"epoch {number + 1}/{config.epochs}")
            held_loss = float(_loss(torch.from_numpy(network.logits(held)), held_targets, held_weights))
            if not math.isfinite(held_loss):
                raise InputError(f"the validation loss of epoch {number + 1} is not finite; lower learning_rate")
            state.history.append(Epoch(loss_sum / len(targets), held_loss))
            if state.best_epoch == number:
                state.best = {name: tensor.clone() for name, tensor in network.state_dict().items()}
            state.seconds += time.monotonic() - epoch_started
            if path is not None:
                state.save(path, run)
            advance((number + 1) * steps, f"validation loss {held_loss:.4f}")
            if after_epoch is not None:
                after_epoch(number, state.history[-1])

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
    options = NetworkOptions(layers, ranks, config.groups, config.dropout)
    features = derive({name: array[:1] for name, array in table.features.items()}, [""], options.entities)
    for name, shape in options.shapes.items():
        got = features[name].shape[1:] if name in features else None
        if got != shape:
            raise InputError(f"feature {name} has shape {got}, expected {shape}; collect again with this version")
    return options


def _stalled(state: _State, patience: int) -> bool:
    return bool(state.history) and len(state.history) - 1 - state.best_epoch >= patience


def _loss(logit: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    return torch.nn.functional.binary_cross_entropy_with_logits(logit, target, weight)


IGNORED = frozenset({"echoed", "public"})
"""Labels that other rules let pass; they count for neither calibration nor doubt."""


def calibrate(
    detector: TrainedDetector,
    table: FeatureTable,
    *,
    prevalence: float = 0.5,
    ignore: frozenset[str] = IGNORED,
    include_mixed: bool = False,
    doubt: tuple[float, float] | None = None,
) -> Calibration:
    """Calibration and thresholds from the detector's validation rows of the table that it was trained on.

    Rows with a label in `ignore` count for neither. `include_mixed` adds held-out people under phrasings that training saw: about
    three times the rows, a little easier than what comes later. With a `doubt`, only rows whose first logit lies in it are asked about
    under other names.
    """
    held = _held(detector, table, ignore, include_mixed)
    logits = detector.logits(held)
    if doubt is not None:
        logits = looked(_first_logits(detector, held), logits, doubt)
    positive = np.isin(held.labels["label"], sorted(POSITIVE))
    return fit_calibration(logits, positive, held.labels["entity"], prevalence=prevalence)


def doubt_of(detector: TrainedDetector, table: FeatureTable) -> tuple[float, float] | None:
    """Between which first logits the host has to be asked under other names; None if the detector compares none, or cannot do
    without."""
    if "renamed" not in detector.network.inputs or not detector.config.unasked:
        return None
    held = _held(detector, table, IGNORED, True)
    positive = np.isin(held.labels["label"], sorted(POSITIVE))
    return find_doubt(_first_logits(detector, held), detector.logits(held), positive)


def _first_logits(detector: TrainedDetector, held: FeatureTable) -> NDArray[np.float32]:
    return detector.logits(replace(held, features=unasked(held.features)))


def _held(detector: TrainedDetector, table: FeatureTable, ignore: frozenset[str], include_mixed: bool) -> FeatureTable:
    if table.digest != detector.data_digest:
        raise InputError("expected the table that the detector was trained on; its held-out rows are meant")
    rows = detector.split.validation
    if include_mixed:
        rows = np.concatenate([rows, detector.split.mixed])
    return table.select(rows[~np.isin(table.labels["label"][rows], sorted(ignore))])
