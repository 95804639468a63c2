"""The formulas of the attacks, against numbers worked out by hand."""

from __future__ import annotations

import gzip
import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from reticent_bench.audits.membership.attacks import (
    ATTACKS,
    Evidence,
    TokenFrequencies,
    dc_pdd,
    loss,
    min_k,
    min_k_plus,
    neighbourhood,
    pretrained_reference_ratio,
    reference_difference,
    zlib_ratio,
)
from reticent_bench.audits.target import NotMeasurable, TokenScores
from reticent_detectors.errors import InputError


def scored(
    log_probs: Sequence[float],
    ids: Sequence[int] | None = None,
    means: Sequence[float] | None = None,
    deviations: Sequence[float] | None = None,
) -> TokenScores:
    count = len(log_probs)
    return TokenScores(
        tuple(ids if ids is not None else range(count)),
        np.array(log_probs, dtype=np.float64),
        np.array(means if means is not None else [-2.0] * count),
        np.array(deviations if deviations is not None else [1.0] * count),
    )


def test_loss_is_the_mean_over_the_tokens_of_the_text() -> None:
    assert loss(scored([-1.0, -2.0, -6.0])) == pytest.approx(-3.0)


def test_zlib_divides_the_sum_by_the_compressed_bytes() -> None:
    text = "Alina Andsen, Alina Andsen, Alina Andsen writes from alina.andsen41@example.org."
    # gzip wraps the same deflate stream in 18 bytes, zlib in 6.
    compressed = len(gzip.compress(text.encode(), compresslevel=6, mtime=0)) - 12
    assert 40 < compressed < len(text)
    assert zlib_ratio(scored([-10.0, -20.0, -30.0]), text) == pytest.approx(-60.0 / compressed)


def test_zlib_does_not_fall_with_the_length_alone() -> None:
    text = "".join(np.random.default_rng(0).choice(list("abcdefghij"), 4000))
    short, long = zlib_ratio(scored([-2.0] * 50), text[:200]), zlib_ratio(scored([-2.0] * 1000), text)
    # The mean by the bytes, as the field's code has it, would differ by a factor of some twenty.
    assert 0.7 < short / long < 1.3


def test_reference_compares_texts_and_not_tokens() -> None:
    ours = scored([-1.0, -2.0, -3.0, -4.0])
    assert reference_difference(ours, scored([-2.0, -3.0, -4.0, -5.0])) == pytest.approx(-1 * -1.0)
    # Another tokenizer cuts the text into two: its text has log-probability -14, ours -10.
    assert reference_difference(ours, scored([-6.0, -8.0])) == pytest.approx(4.0 / 4)
    assert pretrained_reference_ratio(ours, scored([-6.0, -8.0])) == pytest.approx(4.0)


def test_neighbourhood_subtracts_the_mean_of_the_neighbours() -> None:
    others = [scored([-4.0, -4.0]), scored([-1.0, -2.0, -3.0])]
    assert neighbourhood(scored([-1.0, -2.0]), others) == pytest.approx(-1.5 + (4.0 + 2.0) / 2)
    with pytest.raises(InputError, match="neighbour"):
        neighbourhood(scored([-1.0]), [])


def test_min_k_takes_the_lowest_share_and_at_least_one() -> None:
    found = [-1.0, -9.0, -2.0, -3.0, -7.0, -1.0, -1.0, -2.0, -2.0, -3.0]
    assert min_k(scored(found), 0.2) == pytest.approx((-9.0 - 7.0) / 2)
    assert min_k(scored([-1.0, -5.0, -2.0]), 0.2) == pytest.approx(-5.0)
    # 0.29 * 100 falls just short of 29 in floating point.
    assert min_k(scored([-float(i) for i in range(100)]), 0.29) == pytest.approx(-np.mean(range(71, 100)))


def test_min_k_plus_standardises_by_the_models_own_distribution() -> None:
    # A vocabulary of two tokens with 0.9 and 0.1, a place where the first came and one where the second came.
    mean = 0.9 * math.log(0.9) + 0.1 * math.log(0.1)
    deviation = math.sqrt(0.9 * (math.log(0.9) - mean) ** 2 + 0.1 * (math.log(0.1) - mean) ** 2)
    scores = scored([math.log(0.9), math.log(0.1)], [0, 1], [mean] * 2, [deviation] * 2)
    # (log p - mean) / deviation of a distribution of two is sqrt(0.1 / 0.9) and -sqrt(0.9 / 0.1).
    assert min_k_plus(scores, 1.0) == pytest.approx((1 / 3 - 3) / 2)
    assert min_k_plus(scores, 0.5) == pytest.approx(-3.0)


def test_min_k_plus_of_a_certain_model_is_zero() -> None:
    assert min_k_plus(scored([0.0, 0.0], means=[0.0, 0.0], deviations=[0.0, 0.0])) == 0.0


def test_min_k_plus_without_the_vocabulary_is_not_measurable() -> None:
    nothing = [math.nan, math.nan]
    with pytest.raises(NotMeasurable):
        min_k_plus(scored([-1.0, -2.0], means=nothing, deviations=nothing))


def test_dc_pdd_counts_first_occurrences_under_a_bound() -> None:
    # Counts 6 and 2, total 8, four ids: smoothed frequencies 7/12, 3/12, 1/12, 1/12.
    frequencies = TokenFrequencies({0: 6, 1: 2}, vocabulary_size=4)
    scores = scored([math.log(p) for p in (0.5, 0.2, 0.9, 0.1)], ids=[0, 1, 0, 3])
    terms = [0.5 * math.log(12 / 7), 0.2 * math.log(12 / 3), 0.1 * math.log(12)]
    assert terms == pytest.approx([0.2695, 0.2773, 0.2485], abs=1e-4)
    assert dc_pdd(scores, frequencies, bound=9.0) == pytest.approx(sum(terms) / 3)
    assert dc_pdd(scores, frequencies, bound=0.26) == pytest.approx((0.26 + 0.26 + terms[2]) / 3)


def test_dc_pdd_rejects_what_has_no_meaning() -> None:
    frequencies = TokenFrequencies({0: 1}, vocabulary_size=2)
    with pytest.raises(InputError, match="bound"):
        dc_pdd(scored([-1.0]), frequencies, bound=0.0)
    with pytest.raises(InputError, match="vocabulary"):
        TokenFrequencies({5: 1}, vocabulary_size=5)


IMPOSSIBLE: list[tuple[str, Callable[[TokenScores], float]]] = [
    ("loss", loss),
    ("zlib", lambda scores: zlib_ratio(scores, "a text")),
    ("reference", lambda scores: reference_difference(scores, scored([-1.0] * 5))),
    ("neighbourhood", lambda scores: neighbourhood(scores, [scored([-1.0] * 5)])),
    ("Min-K%", min_k),
    ("Min-K%++", min_k_plus),
    ("ratio", lambda scores: pretrained_reference_ratio(scores, scored([-1.0] * 5))),
    ("DC-PDD", lambda scores: dc_pdd(scores, TokenFrequencies({}, 5))),
]


@pytest.mark.parametrize(("name", "attack"), IMPOSSIBLE, ids=[name for name, _ in IMPOSSIBLE])
def test_an_impossible_token_makes_the_lowest_score_and_not_the_highest(
    name: str, attack: Callable[[TokenScores], float]
) -> None:
    usual, unlikely = attack(scored([-5.0] * 5)), attack(scored([-60.0] + [-5.0] * 4))
    impossible = attack(scored([-math.inf] + [-5.0] * 4))
    assert math.isfinite(impossible)
    assert impossible <= unlikely < usual
    # DC-PDD looks at probabilities: 0 and exp(-60) are the same to it.
    assert name == "DC-PDD" or impossible < unlikely


@pytest.mark.parametrize("log_probs", [[], [-1.0, math.nan], [0.5, -1.0]])
def test_scores_that_are_none_are_refused(log_probs: list[float]) -> None:
    with pytest.raises(InputError):
        loss(scored(log_probs))


def test_the_table_scores_members_higher() -> None:
    frequencies = TokenFrequencies({}, 50)

    def of(log_prob: float) -> Evidence:
        other = scored([-6.0] * 20)
        return Evidence("a text of words", scored([log_prob] * 20), other, other, (other,), (other,), frequencies)

    assert len({attack.name for attack in ATTACKS}) == 9
    for attack in ATTACKS:
        assert attack.score(of(-5.0)) > attack.score(of(-8.0)), attack.name


def test_a_row_without_its_evidence_is_refused_and_nothing_shows_the_text() -> None:
    evidence = Evidence("alina.andsen41@example.org", scored([-1.0]))
    for attack in ATTACKS:
        if attack.needs:
            with pytest.raises(InputError):
                attack.score(evidence)
    assert "alina" not in repr(evidence)
