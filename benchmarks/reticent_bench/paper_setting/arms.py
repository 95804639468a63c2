"""The arms: what judges whether an answer is the person's own value, learned from rows of the same host.

An arm takes rows, which of them it may learn from, and a seed. It gives a score for every row, larger for an own value.
Scores of rows that it learned from are of no use; `cross_fitted` gives those of all rows by models that had not seen
the row's person.

Not built, as the runs keep no states or attention of the tokens between: A4, A6, and of A8 SAR, zlib, the gradient norm
and all scores of the whole text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from reticent_bench.paper_setting.greedy import DEPTHS, PLACES, depths
from reticent_bench.paper_setting.judged_rows import JudgedRows, Numbers
from reticent_bench.paper_setting.lens_features import RANKS, Norm
from reticent_bench.paper_setting.within_kind import within_kind
from reticent_detectors.baselines.saplma import Saplma
from reticent_detectors.detector.network import PAPER_GROUPS, DetectorNetwork, NetworkOptions
from reticent_detectors.detector.token_score import SURPRISAL_OFFSET

Mask: TypeAlias = NDArray[np.bool_]
Network = TypeVar("Network", bound=torch.nn.Module)
Arm = Callable[[JudgedRows, Mask, int], Numbers]

_STRENGTH = 0.1
"""Inverse strength of the L2 penalty of logistic regressions on standardised terms."""
_PENALTIES = (1e2, 1e3, 1e4)
"""Strengths of the ridge penalty among which a probe chooses, for states of deviation 1."""
_LAST = DEPTHS - 1
_MIN_K = 0.2
_EPOCHS, _BATCH, _RATE, _PATIENCE = 30, 64, 1e-3, 5
_VALIDATION = 8
"""One person in so many stops a network's training."""


def cross_fitted(arm: Arm, rows: JudgedRows, train: Mask, seed: int) -> Numbers:
    """Give scores [n]: those of `train` by models of its other folds, all others' by a model of all of it."""
    out = arm(rows, train, seed)
    for fold in np.unique(rows.fold[train]):
        own = train & (rows.fold == fold)
        out[own] = arm(rows, train & ~own, seed)[own]
    return out


# Terms


def token_terms(rows: JudgedRows) -> Numbers:
    """Give the terms of the token score [n, T]: logarithms of surprisals, of the base too, length and kind."""
    parts = [_surprisals(rows, "surprisal")]
    if rows.has_base:
        parts.append(_surprisals(rows, "base_surprisal"))
    return np.concatenate([*parts, np.log1p(rows.tokens)[:, None], rows.kinds], 1)


def _surprisals(rows: JudgedRows, name: str) -> Numbers:
    own = rows.numbers[name].astype(np.float64)
    there = rows.inside
    total = np.where(there, own, 0.0).sum(1)
    stacked = np.stack(
        [total / rows.tokens, np.where(there, own, -np.inf).max(1), total, np.where(there, own, np.inf).min(1)], 1
    )
    return cast(Numbers, np.log(np.maximum(stacked, 0.0) + SURPRISAL_OFFSET))


def _regression(terms: Numbers, right: Mask, train: Mask) -> Numbers:
    model = make_pipeline(StandardScaler(), LogisticRegression(C=_STRENGTH, max_iter=2000, class_weight="balanced"))
    return cast(Numbers, model.fit(terms[train], right[train]).decision_function(terms))


# Arms without inner layers


def token_score(rows: JudgedRows, train: Mask, seed: int) -> Numbers:
    """A0."""
    return _regression(token_terms(rows), rows.right, train)


def kind_and_length(rows: JudgedRows, train: Mask, seed: int) -> Numbers:
    """A9."""
    return _regression(np.concatenate([np.log1p(rows.tokens)[:, None], rows.kinds], 1), rows.right, train)


def mean_log_probability(rows: JudgedRows, train: Mask, seed: int) -> Numbers:
    """A8: the mean over the value's tokens."""
    return -_mean(rows, "surprisal")


def least_log_probabilities(rows: JudgedRows, train: Mask, seed: int) -> Numbers:
    """A8: Min-K%, the mean over the fifth of the tokens that surprise most, one at least."""
    own = np.sort(np.where(rows.inside, rows.numbers["surprisal"], -np.inf), 1)[:, ::-1]
    count = np.maximum(1, np.ceil(_MIN_K * rows.tokens)).astype(int)
    first = np.arange(own.shape[1]) < count[:, None]
    return cast(Numbers, -np.where(first, own, 0.0).sum(1) / count)


def reference(rows: JudgedRows, train: Mask, seed: int) -> Numbers:
    """A8: by how much likelier a token is than before the training, on average; the mean alone without a base."""
    own = mean_log_probability(rows, train, seed)
    return own + _mean(rows, "base_surprisal") if rows.has_base else own


def _mean(rows: JudgedRows, name: str) -> Numbers:
    return cast(Numbers, np.where(rows.inside, rows.numbers[name], 0.0).sum(1) / rows.tokens)


# Arms on states


def _candidates(rows: JudgedRows, last_alone: bool) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Yields the states [n, d] of each place and depth."""
    kept = depths(rows.prompt_states.shape[1] - 1)
    for depth in [_LAST] if last_alone else range(DEPTHS):
        yield f"prompt {depth}", rows.prompt_states[:, kept[depth]].astype(np.float32)
        for place, name in enumerate(PLACES):
            yield f"{name} {depth}", rows.place_states[:, place, depth].astype(np.float32)


def ridge_scores(states: NDArray[np.float32], right: Mask, train: Mask) -> list[Numbers]:
    """Give the scores [n] of a ridge probe for each of the penalties; both classes count alike."""
    given = states[train]
    scale = given.std(0) + 1e-6
    scaled = (states - given.mean(0)) / scale
    x, y = scaled[train].astype(np.float64), np.where(right[train], 1.0, -1.0)
    weight = np.where(right[train], 0.5 / right[train].mean(), 0.5 / (~right[train]).mean())
    x_mean, y_mean = np.average(x, 0, weight), np.average(y, 0, weight)
    centred = (x - x_mean) * np.sqrt(weight)[:, None]
    values, vectors = np.linalg.eigh(centred.T @ centred)
    toward = vectors.T @ (centred.T @ ((y - y_mean) * np.sqrt(weight)))
    return [(scaled - x_mean) @ (vectors @ (toward / (values + penalty))) for penalty in _PENALTIES]


def probe_score(rows: JudgedRows, train: Mask, seed: int, *, last_alone: bool) -> Numbers:
    """Give the ridge probe's score, at the place, depth and penalty that are best on folds of `train` left out."""
    best, chosen = -1.0, (np.zeros((len(rows), 1), np.float32), 0)
    folds = [train & (rows.fold == fold) for fold in np.unique(rows.fold[train])]
    for _, states in _candidates(rows, last_alone):
        out = np.zeros((len(_PENALTIES), len(rows)))
        for own in folds:
            for number, scores in enumerate(ridge_scores(states, rows.right, train & ~own)):
                out[number, own] = scores[own]
        for number, scores in enumerate(out):
            figure = within_kind(scores[train], rows.right[train], rows.kind[train])
            if figure > best:
                best, chosen = figure, (states, number)
    return ridge_scores(chosen[0], rows.right, train)[chosen[1]]


def saplma(rows: JudgedRows, train: Mask, seed: int) -> Numbers:
    """A7, at the middle depth."""
    states, model = rows.place_states[:, -1, DEPTHS // 2].astype(np.float32), Saplma(seed)
    counts = np.where(rows.right, 0.5 / rows.right[train].mean(), 0.5 / (~rows.right[train]).mean())
    model.fit(states[train], rows.right[train], counts[train].astype(np.float32))
    return model.scores(states)


# Networks


def paper_network(rows: JudgedRows, train: Mask, seed: int, *, norm: Norm | None) -> Numbers:
    """A1 (without a norm: the probabilities alone), A2 and A3."""
    own = np.exp(-rows.numbers["surprisal"].astype(np.float64))
    features: dict[str, NDArray[np.float32]] = {"token_prob": _least_most_mean(own, rows.inside, rows.tokens)}
    if norm is not None:
        features |= rows.lens(norm)
    layers = rows.prompt_states.shape[1] - 1
    groups = PAPER_GROUPS if norm is not None else frozenset({"prob"})
    network = _seeded(seed, lambda: DetectorNetwork(NetworkOptions(layers, RANKS, groups)))
    network.fit_scales({name: column[train] for name, column in features.items()})
    return _trained(network, [features[name] for name in network.inputs], rows, train, seed)


def _least_most_mean(own: Numbers, there: Mask, tokens: NDArray[Any]) -> NDArray[np.float32]:
    stacked = [np.where(there, own, np.inf).min(1), np.where(there, own, -np.inf).max(1)]
    return np.stack([*stacked, np.where(there, own, 0.0).sum(1) / tokens], 1).astype(np.float32)


class SequenceNetwork(torch.nn.Module):
    """A11: maps numbers of tokens [n, T, C], pooled by attention, and the kind [n, K] to one logit [n]."""

    def __init__(self, channels: int, kinds: int) -> None:
        super().__init__()
        self.embed = torch.nn.Sequential(torch.nn.Linear(channels, 64), torch.nn.ReLU(), torch.nn.Dropout(0.1))
        self.read = torch.nn.GRU(64, 32, batch_first=True, bidirectional=True)
        self.attend = torch.nn.Linear(64, 1)
        self.out = torch.nn.Sequential(torch.nn.Linear(64 + kinds, 32), torch.nn.ReLU(), torch.nn.Linear(32, 1))

    def forward(self, tokens: torch.Tensor, inside: torch.Tensor, kinds: torch.Tensor) -> torch.Tensor:
        read, _ = self.read(self.embed(tokens))
        weight = self.attend(read).squeeze(-1).masked_fill(inside == 0, -1e9).softmax(-1)
        pooled = (weight.unsqueeze(-1) * read).sum(1)
        logit: torch.Tensor = self.out(torch.cat([pooled, kinds], 1)).squeeze(1)
        return logit


def sequence(rows: JudgedRows, train: Mask, seed: int) -> Numbers:
    """A11."""
    channels, there = _token_channels(rows), rows.inside[..., None]
    given = channels[train][np.broadcast_to(there, channels.shape)[train]].reshape(-1, channels.shape[-1])
    tokens = np.where(there, (channels - given.mean(0)) / (given.std(0) + 1e-6), 0.0).astype(np.float32)
    network = _seeded(seed, lambda: SequenceNetwork(tokens.shape[-1], rows.kinds.shape[1]))
    return _trained(
        network, [tokens, rows.inside.astype(np.float32), rows.kinds.astype(np.float32)], rows, train, seed
    )  # fmt: skip


def _token_channels(rows: JudgedRows) -> Numbers:
    """Give what is said of each token, [n, T, C]: surprisal, rank, entropy, margin and best ranks, of the base too."""
    parts = []
    for before in ("", "base_") if rows.has_base else ("",):
        numbers = {name: rows.numbers[before + name].astype(np.float64) for name in ("surprisal", "entropy", "margin")}
        stacked = [np.log(np.maximum(numbers["surprisal"], 0) + SURPRISAL_OFFSET), numbers["entropy"]]
        stacked += [numbers["margin"], np.log1p(rows.numbers[before + "rank"].astype(np.float64))]
        parts += [np.stack(stacked, -1), rows.numbers[before + "top"].astype(np.float64)]
    return cast(Numbers, np.nan_to_num(np.concatenate(parts, -1)))


def _seeded(seed: int, make: Callable[[], Network]) -> Network:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return make()


def _trained(
    network: torch.nn.Module, inputs: Sequence[NDArray[np.float32]], rows: JudgedRows, train: Mask, seed: int
) -> Numbers:
    """Train a network on as many right as wrong rows, and gives all rows' logits by its best epoch.

    One person in eight of `train` learns nothing and chooses the epoch.
    """
    rng = np.random.default_rng(seed)
    people = rng.permutation(np.unique(rows.group[train]))
    held = np.isin(rows.group, people[: max(1, len(people) // _VALIDATION)])
    learned, judged = np.flatnonzero(train & ~held), np.flatnonzero(train & held)
    sides = [learned[rows.right[learned]], learned[~rows.right[learned]]]
    count = min(map(len, sides))
    tensors, targets = [torch.from_numpy(np.ascontiguousarray(each)) for each in inputs], torch.from_numpy(rows.right)
    optimizer = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=0.05)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, _EPOCHS)
    loss_of = torch.nn.functional.binary_cross_entropy_with_logits
    best, kept, since = np.inf, {name: value.clone() for name, value in network.state_dict().items()}, 0
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        for _ in range(_EPOCHS):
            network.train()
            order = rng.permutation(np.concatenate([rng.choice(side, count, replace=False) for side in sides]))
            for first in range(0, len(order), _BATCH):
                chosen = torch.from_numpy(order[first : first + _BATCH])
                loss = loss_of(network(*(tensor[chosen] for tensor in tensors)), targets[chosen].float())
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            scheduler.step()
            logits = _logits(network, tensors, judged)
            right = rows.right[judged]
            weight = np.where(right, 0.5 / max(1e-9, right.mean()), 0.5 / max(1e-9, (~right).mean()))
            figure = float((weight * np.logaddexp(0, np.where(right, -logits, logits))).mean())
            if figure < best:
                best, since = figure, 0
                kept = {name: value.clone() for name, value in network.state_dict().items()}
            elif (since := since + 1) == _PATIENCE:
                break
    network.load_state_dict(kept)
    return _logits(network, tensors, np.arange(len(rows)))


@torch.no_grad()
def _logits(network: torch.nn.Module, tensors: Sequence[torch.Tensor], rows: NDArray[Any]) -> Numbers:
    network.eval()
    chosen = torch.from_numpy(rows)
    parts = [network(*(tensor[own] for tensor in tensors)) for own in chosen.split(1024)]
    return cast(Numbers, torch.cat(parts).double().numpy())


# Arms that join


def _joined(rows: JudgedRows, train: Mask, seed: int, *, other: Arm) -> Numbers:
    """Give the token score with another arm's score as one more term, which is learned on scores of people unseen."""
    extra = cross_fitted(other, rows, train, seed)
    return _regression(np.concatenate([token_terms(rows), extra[:, None]], 1), rows.right, train)


ARMS: Mapping[str, Arm] = {
    "A0": token_score,
    "A1": partial(paper_network, norm=None),
    "A2": partial(paper_network, norm="none"),
    "A2 with A0": partial(_joined, other=partial(paper_network, norm="none")),
    "A3": partial(paper_network, norm="final"),
    "A5": partial(_joined, other=partial(probe_score, last_alone=False)),
    "A7": saplma,
    "A8, mean": mean_log_probability,
    "A8, Min-K%": least_log_probabilities,
    "A8, reference": reference,
    "A9": kind_and_length,
    "A10": partial(_joined, other=partial(probe_score, last_alone=True)),
    "A11": sequence,
}
"""Arms by the protocol's names."""
