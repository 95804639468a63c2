"""The token score: logistic regression on how much a value's tokens surprise a model, and its base.

Every other detector has to beat it, and a guard takes it when no bundle is named. It has one shape on every model.
It reads the surprisal of the value's tokens (mean, greatest, sum, least), their number and the group of the kind.
Where a base is asked, it reads the same of the base: the model before it was taught private records.
A value that both find likely was known before.

Surprisals are minus log-probabilities, in nats, and enter as logarithms. Models differ in how sure they are of all
they say: the surprisals of a model that was tuned whole are several times smaller. A logarithm turns such a factor
into a constant, which no ranking depends on (`docs/decisions/surprisals-as-logarithms.md`).

Models agree less on how likely each kind and length is at all. So these weights are shrunk (`CARRIED`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor, nn

from reticent_detectors.detector.training_config import POSITIVE
from reticent_detectors.entities import PRIVACYXRAY, Entity
from reticent_detectors.errors import InputError, MissingExtra
from reticent_detectors.features.derived_features import BASE_SHAPE, derive

if TYPE_CHECKING:
    from reticent_detectors.collection.shards import FeatureTable

SURPRISAL_OFFSET = 0.01
"""Is added to each surprisal, in nats, before its logarithm is taken: smaller differences say nothing."""
KIND_GROUPS: Mapping[str, frozenset[Entity]] = {
    "numbers": frozenset(
        {
            Entity.PHONE_NUMBER, Entity.BANK_ACCOUNT, Entity.ORDER_NUMBER, Entity.CREDIT_CARD_DIGITS, Entity.FLIGHT,
            Entity.TRANSACTION_AMOUNT, Entity.UTILITY_BILL,
        }
    ),
    "places and addresses": frozenset({Entity.ADDRESS, Entity.EMAIL_ADDRESS}),
    "names": frozenset({Entity.DOCTOR, Entity.HOSPITAL, Entity.EMPLOYER}),
    "terms": frozenset({Entity.DIAGNOSIS, Entity.PRESCRIPTION, Entity.JOB_TITLE}),
    "dates": frozenset({Entity.APPOINTMENT_DATE}),
}  # fmt: skip
"""Kinds that models find alike hard to guess. A kind of no group is scored without a constant of its own."""
SURPRISALS = ("mean surprisal", "greatest surprisal", "total surprisal", "least surprisal")
SHRUNK_TERMS = ("log length", *KIND_GROUPS)
TERMS = (*SURPRISALS, *(f"{name} of the base" for name in SURPRISALS), *SHRUNK_TERMS)
"""The terms of the regression, in the order of its weights; surprisals are logarithms."""
CARRIED = 0.5
"""The share of their weights that `SHRUNK_TERMS` keep.

Chosen on copies that were left out once each: with 1 a copy of another model fell below the mean alone.
"""
ALONE, WITH_BASE = 0, 1
"""The rows of the weights: one regression for values of which no base was asked, one for the others."""
PENALTY = 0.1
"""Inverse strength of the L2 penalty on standardised terms. Chosen like `CARRIED`."""
ALIGNED_AT = (0.92, 0.99)
"""Quantiles of made-up values' scores that are the same with and without a base, so that one threshold serves both."""

Logits = NDArray[np.float32]


@dataclass(frozen=True)
class TokenScoreOptions:
    """Input shapes, without the span axis, and the kinds in the order of the one-hot `entity`."""

    entities: tuple[str, ...] = tuple(map(str, PRIVACYXRAY))

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        return {
            "token_logprob": (2, 3), "length": (1,), "base_logprob": BASE_SHAPE, "entity": (len(self.entities),)
        }  # fmt: skip


class TokenScore(nn.Module):
    """One logit for each span: `terms @ weight[row] + bias[row]`, where the row says whether a base was asked.

    Args:
        weight: [2, T], a row for each regression and a column for each of `names`.
        bias: [2], their constants.

    Raises:
        InputError: other shapes.
    """

    names: ClassVar[tuple[str, ...]] = TERMS
    """What the terms are called, in their order; the last ones are `SHRUNK_TERMS`."""
    penalty: ClassVar[float] = PENALTY
    weight: Tensor
    bias: Tensor
    grouping: Tensor

    def __init__(self, weight: ArrayLike, bias: ArrayLike) -> None:
        super().__init__()
        rows, constants = np.asarray(weight, np.float32), np.asarray(bias, np.float32)
        if rows.shape != (2, len(self.names)) or constants.shape != (2,):
            raise InputError(
                f"Expected weights [2, {len(self.names)}] and 2 constants, got {rows.shape}, {constants.shape}."
            )
        self.options = TokenScoreOptions()
        members = [[float(Entity(e) in group) for group in KIND_GROUPS.values()] for e in self.options.entities]
        self.register_buffer("weight", torch.from_numpy(rows))
        self.register_buffer("bias", torch.from_numpy(constants))
        self.register_buffer("grouping", torch.tensor(members, dtype=torch.float32))

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the input arrays, in the order of `forward`."""
        return tuple(self.options.shapes)

    def terms(self, token_logprob: Tensor, length: Tensor, base_logprob: Tensor, entity: Tensor) -> Tensor:
        """The terms [S, T] of S spans, in the order of `names`. Arguments are `inputs` of the same names, [S, ...]."""
        has_base = base_logprob[:, 0:1]
        own, base = _surprisals(token_logprob[:, 0], length), _surprisals(base_logprob[:, 1:], length)
        return torch.cat([own, has_base * base, length.log1p(), entity @ self.grouping], dim=1)

    def forward(self, *arrays: Tensor) -> Tensor:
        """Logits [S] of the arrays `inputs`, in their order."""
        base_logprob = arrays[self.inputs.index("base_logprob")]
        both = self.terms(*arrays) @ self.weight.T + self.bias
        has_base = base_logprob[:, 0]
        return both[:, ALONE] * (1.0 - has_base) + both[:, WITH_BASE] * has_base

    def logits(self, features: Mapping[str, NDArray[Any]]) -> Logits:
        """Logits [S] of features as numpy arrays [S, ...], `entity` among them."""
        with torch.no_grad():
            return np.asarray(self(*self._given(features)).numpy(), dtype=np.float32)

    def score(self, table: FeatureTable, *, base: bool = True) -> Logits:
        """Logits [rows] of a collection; without `base`, as if no base had been asked."""
        features = derive(table.features, table.labels["entity"], self.options.entities)
        return self.logits(features if base else _without_base(features))

    def _given(self, features: Mapping[str, NDArray[Any]]) -> list[Tensor]:
        return [torch.from_numpy(np.ascontiguousarray(features[name], dtype=np.float32)) for name in self.inputs]

    def scaled(self, row: int, slope: float, constant: float) -> Self:
        """The same score with the logits of one regression times `slope` plus `constant`."""
        weight, bias = self.weight.numpy().copy(), self.bias.numpy().copy()
        weight[row], bias[row] = weight[row] * slope, bias[row] * slope + constant
        return type(self)(weight, bias)

    @classmethod
    def fit(cls, table: FeatureTable, count: NDArray[np.float64] | None = None) -> Self:
        """Fits both regressions to the rows of a table; the labels in `POSITIVE` are remembered, all others made up.

        Where no row has a base, the second regression is the first.

        Args:
            count: [rows], how much each row counts; all alike if not given.

        Raises:
            InputError: one of the classes is missing.
            MissingExtra: scikit-learn is not installed.
        """
        blank = cls(np.zeros((2, len(cls.names))), np.zeros(2))
        features = derive(table.features, table.labels["entity"], blank.options.entities)
        positive = np.isin(table.labels["label"], sorted(POSITIVE))
        counts = np.ones(table.rows) if count is None else np.asarray(count, np.float64)
        has_base = features["base_logprob"][:, 0] > 0
        with torch.no_grad():
            alone = blank.terms(*blank._given(_without_base(features))).numpy().astype(np.float64)
            both = blank.terms(*blank._given(features)).numpy().astype(np.float64)
        first = _regression(alone, positive, counts, cls.penalty)
        second = first
        if has_base.any():
            second = _regression(both[has_base], positive[has_base], counts[has_base], cls.penalty)
        return cls(np.stack([first[0], second[0]]), np.array([first[1], second[1]]))


def alignment(alone: Logits, with_base: Logits) -> tuple[float, float]:
    """Slope and constant that take made-up values' logits with a base to the quantiles `ALIGNED_AT` of those without.

    Args:
        alone, with_base: logits of made-up values without and with a base, of rows that were not learned from.

    Raises:
        InputError: the quantiles of either are equal, so that there is no scale.
    """
    wanted, own = np.quantile(alone, ALIGNED_AT), np.quantile(with_base, ALIGNED_AT)
    if not (wanted[1] > wanted[0] and own[1] > own[0]):
        raise InputError(
            "Made-up values have too few different scores to bring both regressions on one scale; collect more of them."
        )
    slope = float((wanted[1] - wanted[0]) / (own[1] - own[0]))
    return slope, float(wanted[0] - slope * own[0])


def balanced_counts(table: FeatureTable, models: NDArray[Any]) -> NDArray[np.float64]:
    """Returns how much each row of a pooled table counts [rows].

    Models count alike, so do the copies of a model, and so do remembered and made-up values of a copy.

    Args:
        models: [rows], the model that each row's copy is a copy of.
    """
    positive, own = np.isin(table.labels["label"], sorted(POSITIVE)), table.labels["host"]
    out = np.zeros(table.rows)
    for copy in np.unique(own):
        alike = len(np.unique(own[models == models[own == copy][0]]))
        for side in (positive, ~positive):
            rows = (own == copy) & side
            out[rows] = 1 / (alike * max(1, int(rows.sum())))
    return out * table.rows / max(1e-9, float(out.sum()))


def _without_base(features: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    return {**features, "base_logprob": np.zeros_like(features["base_logprob"])}


def _surprisals(log_probability: Tensor, length: Tensor) -> Tensor:
    """Logarithms [S, 4] of `SURPRISALS` from log-probabilities [S, 3] as (least, mean, greatest) and lengths [S, 1]."""
    greatest, mean, least = (-log_probability).clamp(min=0.0).split(1, dim=1)
    return (torch.cat([mean, greatest, mean * length, least], dim=1) + SURPRISAL_OFFSET).log()


def _regression(
    terms: NDArray[np.float64], positive: NDArray[np.bool_], count: NDArray[np.float64], penalty: float
) -> tuple[NDArray[np.float64], float]:
    """Weights [T] and constant of a logistic regression on terms [n, T], `SHRUNK_TERMS` shrunk around their means."""
    try:
        from sklearn.linear_model import LogisticRegression
        from sklearn.preprocessing import StandardScaler
    except ImportError as error:  # pragma: no cover - the extra is installed where tests run
        raise MissingExtra("scikit-learn", "train") from error
    if positive.all() or not positive.any():
        raise InputError("A token score is fitted to remembered and to made-up values; one of them is missing.")
    scaler = StandardScaler().fit(terms)
    fitted = LogisticRegression(C=penalty, max_iter=2000)
    fitted.fit(scaler.transform(terms), positive, sample_weight=count / count.mean())
    own = fitted.coef_[0] / scaler.scale_
    own[-len(SHRUNK_TERMS) :] *= CARRIED
    return own, float(fitted.intercept_[0] - own @ scaler.mean_)
