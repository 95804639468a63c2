"""Turns logits into probabilities at a stated prevalence, and fixes thresholds for given false-positive rates.

    probability = sigmoid(slope * logit + intercept + logit(prevalence) - logit(fitted_prevalence))

Slope and intercept are Platt's, fitted on held-out rows whose share of positives is `fitted_prevalence`. The last two
terms move the result to the prevalence that the deployment expects. Thresholds are logits, so another prevalence
changes the probabilities but not which values are stopped.

Fitting needs scipy (extra `train`); using a calibration needs numpy alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reticent_detectors.errors import InputError, MissingExtra

FALSE_POSITIVE_RATES = (0.001, 0.01, 0.05, 0.08)

# With this many negatives beyond its threshold, an entity's own threshold and the overall one weigh the same.
_SHRINKAGE = 5.0


def sigmoid(logit: ArrayLike) -> NDArray[np.float64]:
    return np.asarray(np.exp(-np.logaddexp(0.0, -np.asarray(logit, dtype=np.float64))), dtype=np.float64)


def logit_of(share: float) -> float:
    if not 0.0 < share < 1.0:
        raise InputError(f"a prevalence must lie between 0 and 1, both excluded; got {share}")
    return math.log(share / (1.0 - share))


@dataclass(frozen=True)
class Calibration:
    """Turns a logit into a probability. Can be written as JSON.

    `thresholds[rate]` and `entity_thresholds[entity][rate]` are *logits*: a span counts as memorised if its logit is
    at least the threshold. Rates are keys such as "0.01". `negatives` is the number of rows behind the thresholds of
    each entity ("" = all entities).
    """

    slope: float
    intercept: float
    fitted_prevalence: float
    prevalence: float
    thresholds: Mapping[str, float] = field(default_factory=dict)
    entity_thresholds: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    negatives: Mapping[str, int] = field(default_factory=dict)
    error: float | None = None

    def __post_init__(self) -> None:
        numbers = [self.slope, self.intercept, *self.thresholds.values()]
        numbers += [threshold for table in self.entity_thresholds.values() for threshold in table.values()]
        if not all(math.isfinite(number) for number in numbers) or self.slope <= 0:
            raise InputError("a calibration needs a positive slope and finite numbers; train the detector again")
        logit_of(self.prevalence)
        logit_of(self.fitted_prevalence)

    def probability(self, logit: ArrayLike) -> NDArray[np.float64]:
        """Returns the probability that a span is memorised, at `prevalence`, in the shape of `logit`."""
        shift = logit_of(self.prevalence) - logit_of(self.fitted_prevalence)
        return sigmoid(self.slope * np.asarray(logit, dtype=np.float64) + self.intercept + shift)

    def threshold(self, rate: float, entity: str | None = None) -> float:
        """Returns the *probability* from which a span counts as memorised at this false-positive rate.

        Uses the entity's own thresholds if there are any. Interpolates between two rates of the table (logits over the
        rate's logarithm). A lower rate never has a lower threshold. Raises InputError for a rate beyond the table.
        """
        table = self.entity_thresholds.get(entity or "", self.thresholds)
        rates = sorted((float(key) for key in table if float(key) > 0), reverse=True)
        if not rates or not rates[-1] <= rate <= rates[0]:
            raise InputError(
                f"no threshold for a false-positive rate of {rate:g}; the bundle has them "
                + (f"from {rates[-1]:g} to {rates[0]:g}" if rates else "for none")
            )
        # With few negatives of a kind, a lower rate may have got a lower threshold.
        logits = np.maximum.accumulate([table[_key(each)] for each in rates])
        return float(self.probability(np.interp(-math.log(rate), [-math.log(each) for each in rates], logits)))

    def at_prevalence(self, prevalence: float) -> Self:
        """Returns this calibration for another share of memorised spans.

        The thresholds stop the same spans as before.
        """
        logit_of(prevalence)
        return replace(self, prevalence=prevalence)

    def shifted(self, shift: float) -> Self:
        """Returns this calibration for logits that are all higher by `shift`."""
        return replace(
            self,
            intercept=self.intercept - self.slope * shift,
            thresholds={key: threshold + shift for key, threshold in self.thresholds.items()},
            entity_thresholds={
                entity: {key: threshold + shift for key, threshold in table.items()}
                for entity, table in self.entity_thresholds.items()
            },
            error=None,
        )

    def without_entities(self) -> Self:
        """Returns this calibration with the overall thresholds for every kind."""
        return replace(self, entity_thresholds={}, negatives={"": self.negatives.get("", 0)})

    def frozen_on(
        self,
        negatives: ArrayLike,
        entities: Sequence[str] | NDArray[Any],
        rates: Sequence[float] = FALSE_POSITIVE_RATES,
    ) -> Self:
        """Returns this calibration with thresholds that the given shares of the negatives reach: logits [n] and kinds.

        A kind's threshold is shrunk towards the overall one until enough of its own negatives are beyond it.
        """
        logit, entity = np.asarray(negatives, dtype=np.float64), np.asarray(entities, dtype=str)
        overall = {_key(rate): threshold_at(logit, rate) for rate in rates}
        by_entity: dict[str, dict[str, float]] = {}
        counts = {"": len(logit)}
        for name in sorted(set(entity.tolist()) - {""}):
            own = logit[entity == name]
            counts[name] = len(own)
            by_entity[name] = {_key(rate): _shrunk(own, rate, overall[_key(rate)]) for rate in rates}
        return replace(self, thresholds=overall, entity_thresholds=by_entity, negatives=counts)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        try:
            return cls(
                slope=float(content["slope"]),
                intercept=float(content["intercept"]),
                fitted_prevalence=float(content["fitted_prevalence"]),
                prevalence=float(content["prevalence"]),
                thresholds={str(key): float(value) for key, value in content["thresholds"].items()},
                entity_thresholds={
                    str(entity): {str(key): float(value) for key, value in table.items()}
                    for entity, table in content["entity_thresholds"].items()
                },
                negatives={str(entity): int(count) for entity, count in content["negatives"].items()},
                error=None if content["error"] is None else float(content["error"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"a calibration entry is missing or of the wrong type ({type(error).__name__})") from None


def fit_calibration(
    logits: ArrayLike,
    positive: ArrayLike,
    entities: Sequence[str] | NDArray[Any],
    *,
    prevalence: float,
    rates: Sequence[float] = FALSE_POSITIVE_RATES,
) -> Calibration:
    """Fits slope and intercept on held-out rows, and fixes thresholds on their negatives.

    logits, positive, entities: [n]. Leave out rows that another rule decides (echoed values), because thresholds use
    all negatives. Raises `InputError` unless both classes have 10 rows.
    """
    logit = np.asarray(logits, dtype=np.float64)
    wanted = np.asarray(positive, dtype=bool)
    entity = np.asarray(entities, dtype=str)
    if not len(logit) == len(wanted) == len(entity):
        raise InputError("logits, positive and entities must have the same length")
    if min(wanted.sum(), (~wanted).sum()) < 10 or not np.isfinite(logit).all():
        raise InputError(
            "calibration needs finite logits and at least 10 rows of each class, "
            f"got {int(wanted.sum())} positive and {int((~wanted).sum())} negative"
        )
    slope, intercept = _platt(logit, wanted)
    fitted = float(wanted.mean())
    calibration = Calibration(slope, intercept, fitted, prevalence).frozen_on(logit[~wanted], entity[~wanted], rates)
    weight = np.where(wanted, prevalence / fitted, (1 - prevalence) / (1 - fitted))
    error = expected_calibration_error(calibration.probability(logit), wanted, weight=weight)
    return replace(calibration, error=error)


def threshold_at(negatives: ArrayLike, rate: float) -> float:
    """Returns the lowest threshold that at most a share of `rate` of the negatives reaches (score >= threshold)."""
    if not 0.0 <= rate < 1.0:
        raise InputError(f"a false-positive rate must be at least 0 and below 1, got {rate}")
    scores = np.sort(np.asarray(negatives, dtype=np.float64))
    if not len(scores):
        raise InputError("A threshold rests on made-up values, and there are none.")
    allowed = math.floor(rate * len(scores) + 1e-9)
    return float(np.nextafter(scores[len(scores) - allowed - 1], np.inf))


def expected_calibration_error(
    probability: ArrayLike, positive: ArrayLike, *, bins: int = 15, weight: ArrayLike | None = None
) -> float:
    """Returns the mean gap between probability and observed share over equally filled bins.

    probability, positive, weight: [n]. `weight` moves the rows to another prevalence.
    """
    given = np.asarray(probability, dtype=np.float64)
    observed = np.asarray(positive, dtype=np.float64)
    weights = np.ones_like(given) if weight is None else np.asarray(weight, dtype=np.float64)
    if len(given) == 0 or not (len(given) == len(observed) == len(weights)):
        raise InputError("calibration error needs as many labels (and weights) as probabilities, and at least one")
    gap = 0.0
    for rows in np.array_split(np.argsort(given, kind="stable"), min(bins, len(given))):
        gap += abs(float((weights[rows] * (given[rows] - observed[rows])).sum()))
    return gap / float(weights.sum())


def _key(rate: float) -> str:
    return f"{rate:g}"


def _shrunk(own: NDArray[np.float64], rate: float, overall: float) -> float:
    """Shrinks an entity's own threshold towards the overall one, the more the fewer negatives are beyond it."""
    beyond = len(own) * rate
    share = beyond / (beyond + _SHRINKAGE)
    return share * threshold_at(own, rate) + (1.0 - share) * overall


def _platt(logit: NDArray[np.float64], positive: NDArray[np.bool_]) -> tuple[float, float]:
    """Fits a logistic regression on one input. Platt's smoothed targets keep it finite on separable data."""
    try:
        from scipy.optimize import minimize
    except ImportError:  # pragma: no cover - the extra is installed where tests run
        raise MissingExtra("scipy", "train") from None
    positives, negatives = int(positive.sum()), int((~positive).sum())
    target = np.where(positive, (positives + 1) / (positives + 2), 1 / (negatives + 2))
    scale = float(logit.std()) or 1.0
    inputs = logit / scale

    def loss(parameters: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        answer = parameters[0] * inputs + parameters[1]
        residual = sigmoid(answer) - target
        value = float(np.mean(np.logaddexp(0.0, answer) - target * answer))
        return value, np.array([np.mean(residual * inputs), np.mean(residual)])

    found = minimize(loss, np.array([1.0, 0.0]), jac=True, method="BFGS", options={"gtol": 1e-8})
    slope = float(found.x[0]) / scale
    if slope <= 0:
        raise InputError(
            "the held-out rows contradict the detector (higher logits for made-up values); train it on more rows"
        )
    return slope, float(found.x[1])
