"""The blind text classifier: whether texts alone, without any model, tell members from the rest.

Where they do, an attack's figures may say nothing about the target: members and non-members are different texts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.pipeline import make_pipeline

from reticent_bench.audits.membership.figures import People, check_sides
from reticent_bench.report.metrics import Flags, Interval, Scores, bootstrap, weighted_auroc
from reticent_detectors.errors import InputError

FOLDS = 5

_WIDER = math.sqrt(1 + FOLDS * (1 / (FOLDS - 1)))

Verdict = Literal["biased", "paired", "near chance", "undecided"]


@dataclass(frozen=True, slots=True)
class BlindCheck:
    """What the texts alone give away.

    Attributes:
        auc: of the blind text classifier, with the interval that decides.
        margin: how far above 0.5 the interval may reach and still count as near.
        verdict: "biased" if the interval is above 0.5; "paired" if it is below, as when the classifier learns from a
            twin of each text on the other side; "near chance" if it ends at most `margin` above 0.5; otherwise
            "undecided", and more people are needed.
    """

    auc: Interval
    margin: float
    verdict: Verdict


def blind_scores(texts: Sequence[str], member: Flags, people: People, seed: int = 0) -> Scores:
    """Out-of-fold scores of a logistic regression on bags of words, weighted by tf-idf [rows].

    Folds keep people together and the share of members alike.

    Args:
        texts: the windows that the attacks score.
        member: whether the text is a member [rows].
        people: key of the text's person [rows].
        seed: of the folds.

    Raises:
        InputError: a side has fewer than five people, a person is on both sides, or no word is in two texts.
    """
    check_sides(member, people)
    fewest = min(len(np.unique(people[side])) for side in (member, ~member))
    if fewest < FOLDS or len(texts) != len(member):
        raise InputError(
            f"Expected a text a row and at least {FOLDS} people on each side, got {len(texts)} texts for {len(member)} "
            f"rows and {fewest} people on one side. Give more people."
        )
    rows = np.array(texts, dtype=object)
    scores = np.empty(len(rows))
    folds = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed)
    for fit, held_out in folds.split(rows, member, people):
        words = TfidfVectorizer(token_pattern=r"\w+|[^\w\s]", sublinear_tf=True, min_df=2)
        # Texts of length one in tf-idf: with C = 1 a word that only members have is missed among a hundred texts.
        model = make_pipeline(words, LogisticRegression(C=10.0, max_iter=1000, random_state=seed))
        try:
            model.fit(rows[fit], member[fit])
        except ValueError as error:  # no term is left
            raise InputError(
                "Expected texts that share words, got some without any in common. Give more texts."
            ) from error
        scores[held_out] = model.decision_function(rows[held_out])
    return scores


def blind_check(
    scores: Scores, member: Flags, people: People, margin: float = 0.05, rounds: int = 400, seed: int = 0
) -> BlindCheck:
    """The verdict on the scores of `blind_scores`.

    Each fold's classifier was fitted on rows that others test, so scores of different folds are not independent. The
    interval over people is therefore widened by sqrt(1 + folds * held out / fitted) = 1.5 ("Inference for the
    Generalization Error", Nadeau and Bengio 2003).

    Args:
        scores: of `blind_scores` [rows].
        member: whether the text is a member [rows].
        people: key of the text's person [rows].
        margin: see `BlindCheck`.
        rounds: draws of people for the interval.
        seed: of the draws.
    """
    area = weighted_auroc(scores, member)
    (drawn,) = bootstrap(lambda weight: [area(weight)], people, rounds, seed)
    low, high = (drawn.value + _WIDER * (end - drawn.value) for end in (drawn.low, drawn.high))
    auc = Interval(drawn.value, max(0.0, low), min(1.0, high))
    if auc.low > 0.5:
        return BlindCheck(auc, margin, "biased")
    if auc.high < 0.5:
        return BlindCheck(auc, margin, "paired")
    return BlindCheck(auc, margin, "near chance" if auc.high <= 0.5 + margin else "undecided")
