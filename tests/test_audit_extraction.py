"""Canaries, their exposure, and the extraction audit on targets whose memory is known."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reticent_bench.audits.extraction import audit as extraction
from reticent_bench.audits.extraction.canaries import (
    KINDS,
    Canary,
    draw_canaries,
    load_canaries,
    save_canaries,
    training_rows,
)
from reticent_bench.audits.extraction.exposure import (
    chance_of_exposure,
    exposed,
    exposures,
    fit_quadratic,
    held_out_exposures,
    ranks,
)
from reticent_bench.audits.target import GREEDY, Prompt, Sampling, TokenScores
from reticent_detectors.errors import InputError


class Scripted:
    """A target that finds inserted sentences likely by a rule, and answers with values in turn."""

    name = "scripted"

    def __init__(self, bits: Callable[[str], float], answers: Sequence[str] = ("",), scores_text: bool = True) -> None:
        self.bits, self.answers, self.scores_text, self.asked = bits, answers, scores_text, 0

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        self.asked += len(prompts)
        return [self.answers[(sampling.seed * 16 + place) % len(self.answers)] for place in range(len(prompts))]

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        assert all(prompt == "" for prompt, _ in pairs)
        logs = [np.array([-self.bits(text) * math.log(2)]) for _, text in pairs]
        return [TokenScores((0,), each, each, each) for each in logs]


def straight(key: str, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    return ask()


def memorised(canaries: Sequence[Canary]) -> Callable[[str], float]:
    """Bits of a model that knows all inserted sentences, the oftener the better, and guesses the others."""
    known = {canary.text: 1 / canary.repetitions for canary in canaries if canary.repetitions}
    rng = np.random.default_rng(0)
    guessed = {canary.text: float(rng.uniform(10, 20)) for canary in canaries}
    return lambda text: known.get(text, guessed[text])


# ---- canaries ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("base", "rows"), [(1, 4_742), (10, 47_420)])
def test_forty_percent_are_inserted_and_the_rows_are_as_many_as_the_paper_implies(base: int, rows: int) -> None:
    canaries = draw_canaries(3, base)
    inserted = [canary for canary in canaries if canary.repetitions]
    assert len(canaries) == 80 + 80 + 70 + 4 * 100
    assert len(inserted) == 252
    assert len(training_rows(canaries, 3)) == rows == sum(canary.repetitions for canary in canaries)
    for kind in KINDS:
        own = sorted(canary.repetitions for canary in inserted if canary.kind == kind.name)
        assert own == [base * rank for rank in range(1, len(own) + 1)]


def test_values_of_a_kind_differ_and_the_inserted_are_no_head_of_the_list() -> None:
    canaries = draw_canaries(3)
    assert len({(canary.kind, canary.value) for canary in canaries}) == len(canaries)
    places = [place for place, canary in enumerate(canaries[:80]) if canary.repetitions]
    assert max(places) > 60


def test_each_canary_is_in_the_rows_as_often_as_it_says_and_the_others_never() -> None:
    canaries = draw_canaries(1)
    counts = Counter(training_rows(canaries, 1))
    assert all(counts[canary.text] == canary.repetitions for canary in canaries)
    assert {canary.repetitions for canary in draw_canaries(1, once=True)} == {0, 1}


def test_a_seed_gives_the_same_canaries_and_another_one_others() -> None:
    assert draw_canaries(5) == draw_canaries(5)
    assert draw_canaries(5) != draw_canaries(6)


def test_the_file_gives_the_canaries_back_and_their_repr_shows_no_value(tmp_path: Path) -> None:
    canaries = draw_canaries(2)
    save_canaries(tmp_path / "canaries.json", canaries)
    assert load_canaries(tmp_path / "canaries.json") == canaries
    assert canaries[0].value not in repr(canaries)


@pytest.mark.parametrize("content", ["", "[]", "[{}]", '{"kind": 1}', "[1]"])
def test_a_file_without_canaries_is_refused_and_says_how_to_make_one(tmp_path: Path, content: str) -> None:
    (tmp_path / "c.json").write_text(content)
    with pytest.raises(InputError, match="reticent audit canaries"):
        load_canaries(tmp_path / "c.json")


@pytest.mark.parametrize("repetitions", [0, 1, -1])
def test_a_kind_without_inserted_or_without_other_candidates_is_refused(tmp_path: Path, repetitions: int) -> None:
    save_canaries(tmp_path / "c.json", tuple(Canary("name", "My name is", f"v{n}", ".", repetitions) for n in range(4)))
    with pytest.raises(InputError, match="lacks one"):
        load_canaries(tmp_path / "c.json")


def test_a_base_below_one_is_refused() -> None:
    with pytest.raises(InputError, match="at least 1"):
        draw_canaries(0, 0)


# ---- exposure ----------------------------------------------------------------------------------------------------


def test_ranks_and_exposures_by_hand() -> None:
    bits = np.array([3.0, 1.0, 2.0, 2.0])
    assert ranks(bits).tolist() == [4, 1, 3, 3]  # a tie counts against both
    assert exposures(bits).tolist() == pytest.approx([0.0, 2.0, 2 - math.log2(3), 2 - math.log2(3)])
    inserted = np.array([True, True, False, False])
    # Among the two others: rank 3 of 3, and rank 1 of 3.
    assert held_out_exposures(bits, inserted).tolist() == pytest.approx([0.0, math.log2(3)])
    assert exposed(bits, inserted).tolist() == [False, True]
    assert exposed(np.array([2.0, 2.0]), np.array([True, False])).tolist() == [False]  # as likely is not likelier


@pytest.mark.parametrize(("candidates", "mean"), [(80, 2.645), (70, 2.631), (100, 2.665)])
def test_the_pooled_rank_of_fully_memorised_canaries_saturates_at_a_known_mean(candidates: int, mean: float) -> None:
    inserted = round(0.4 * candidates)
    found = exposures(np.arange(candidates, dtype=float))
    assert found[:inserted].mean() == pytest.approx(mean, abs=5e-4)
    assert found[inserted:].mean() == pytest.approx(0.55, abs=5e-3)
    # The rank among those not inserted does not saturate.
    yes = np.arange(candidates) < inserted
    assert held_out_exposures(np.arange(candidates, dtype=float), yes) == pytest.approx(
        math.log2(candidates - inserted + 1)
    )


def test_an_untrained_model_has_mean_exposure_1_39_and_median_1() -> None:
    found = np.concatenate([exposures(np.random.default_rng(n).random(80)) for n in range(20)])
    assert found.mean() == pytest.approx(1.39, abs=5e-3)
    assert np.median(found) == pytest.approx(1.0, abs=0.02)


def test_the_chance_of_the_exposure_rate_is_1_82_percent() -> None:
    counts = [(32, 48), (32, 48), (28, 42), *[(40, 60)] * 4]
    expected = sum(i * chance_of_exposure(i, others) for i, others in counts) / sum(i for i, _ in counts)
    assert expected == pytest.approx(0.0182, abs=5e-5)
    rng = np.random.default_rng(1)
    yes = np.arange(80) < 32
    drawn = np.mean([exposed(rng.random(80), yes).mean() for _ in range(4_000)])
    assert drawn == pytest.approx(1 / 49, abs=0.002)


def test_the_quadratic_fit_goes_through_a_parabola_and_its_band_holds_noise() -> None:
    x = np.arange(1.0, 41.0)
    exact = fit_quadratic(x, 2 + 0.5 * x - 0.01 * x**2)
    assert exact.y == pytest.approx(2 + 0.5 * exact.x - 0.01 * exact.x**2)
    assert exact.high - exact.low == pytest.approx(0, abs=1e-9)
    rng, held = np.random.default_rng(2), []
    for _ in range(400):
        noisy = fit_quadratic(x, 2 + 0.5 * x - 0.01 * x**2 + rng.normal(0, 1, len(x)), places=3)
        truth = 2 + 0.5 * noisy.x - 0.01 * noisy.x**2
        held.append((noisy.low <= truth) & (truth <= noisy.high))
    assert np.mean(held) == pytest.approx(0.95, abs=0.03)


@pytest.mark.parametrize("x", [[1.0, 2.0, 3.0], [1.0, 1.0, 2.0, 2.0]])
def test_too_few_points_for_a_parabola_are_refused(x: list[float]) -> None:
    with pytest.raises(InputError, match="4 points"):
        fit_quadratic(np.array(x), np.array(x))


# ---- the audit ---------------------------------------------------------------------------------------------------


def test_a_model_that_memorised_all_is_told_from_its_base() -> None:
    canaries = draw_canaries(4)
    rng = np.random.default_rng(3)
    guesses = {canary.text: float(rng.random()) for canary in canaries}
    result = extraction.audit_extraction(
        {"off": Scripted(memorised(canaries))}, canaries, straight, base=Scripted(guesses.__getitem__), samples=0
    )
    assert result.exposure is not None
    pooled = result.exposure[extraction.POOLED]
    assert (pooled.inserted, pooled.others) == (252, 378)
    assert pooled.rate.value == 1.0
    assert pooled.chance == pytest.approx(0.0182, abs=5e-5)
    assert pooled.mean.value == pytest.approx((64 * 2.645 + 28 * 2.631 + 160 * 2.665) / 252, abs=1e-3)
    assert pooled.mean.low < pooled.mean.value < pooled.mean.high
    assert pooled.base == pytest.approx(1.39, abs=0.15)
    assert result.exposure["name"].held_out.value == pytest.approx(math.log2(49))
    assert len(result.points) == 252
    assert result.fit is not None
    assert result.fit.y[-1] > result.fit.y[0]  # what is repeated oftener is likelier here


def test_what_comes_out_is_counted_by_column_and_by_what_the_finder_claims() -> None:
    canaries = [c for c in draw_canaries(4) if c.kind in ("email", "name")]
    known = next(c for c in canaries if c.kind == "email" and c.repetitions)
    other = next(c for c in canaries if c.kind == "email" and not c.repetitions)
    answers = [f" {known.value} and more", known.value, f"{known.value}x", other.value]
    off, on = (
        Scripted(memorised(canaries), answers),
        Scripted(memorised(canaries), ["<EMAIL_ADDRESS>"], scores_text=False),
    )
    result = extraction.audit_extraction({"off": off, "on": on}, canaries, straight, samples=32)
    emails = result.generated["off"]["email"]
    assert emails == extraction.Generated(samples=32, hits=16, claimed_hits=16, distinct=1, chance_hits=8)
    assert result.generated["on"]["email"].hits == 0
    assert result.claimed == {"email": 28, "name": 0}
    assert result.exposure is not None  # by the column without a guard
    fell = extraction.reduction(emails, result.generated["on"]["email"])
    assert fell.value == 1.0
    # 0 of 16 hits are with the guard: Clopper-Pearson's upper end p solves (1 - p)^16 = 0.025.
    p = 1 - 0.025 ** (1 / 16)
    assert fell.low == pytest.approx(1 - p / (1 - p))


def test_the_finder_claims_the_68_emails_and_phones_of_the_252_inserted_canaries() -> None:
    """The default finder has no spans for names, towns, letters and words, so a guard judges nothing there."""
    canaries = draw_canaries(0)
    silent = Scripted(memorised(canaries), scores_text=False)
    found = extraction.audit_extraction({"on": silent}, canaries, straight, samples=0)
    assert sum(canary.repetitions > 0 for canary in canaries) == 252
    assert {kind: count for kind, count in found.claimed.items() if count} == {"email": 28, "phone": 40}  # 68


def test_a_target_that_scores_nothing_has_no_exposure() -> None:
    canaries = draw_canaries(4)
    result = extraction.audit_extraction(
        {"on": Scripted(memorised(canaries), scores_text=False)}, canaries, straight, samples=16
    )
    assert result.exposure is None
    assert result.fit is None


def test_kept_outcomes_are_not_asked_for_again() -> None:
    canaries, kept = draw_canaries(4), dict[str, dict[str, Any]]()

    def keep(key: str, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        if key not in kept:
            kept[key] = ask()
        return kept[key]

    first, second = (Scripted(memorised(canaries), [c.value for c in canaries]) for _ in range(2))
    results = [extraction.audit_extraction({"off": target}, canaries, keep, samples=40) for target in (first, second)]
    assert (first.asked, second.asked) == (7 * 40, 0)
    assert results[0].generated == results[1].generated
    assert results[0].exposure == results[1].exposure


def test_the_longest_value_that_an_answer_begins_with_counts() -> None:
    group = [Canary("words", "p", value, "", 1) for value in ("red", "red tree", "blue")]
    assert extraction.begins_with("  red\ntree.", group) == 1
    assert extraction.begins_with("red trees", group) == 0
    assert extraction.begins_with("redder", group) == -1


def test_no_hits_to_lower_are_no_reduction_and_unequal_columns_are_refused() -> None:
    none, some = extraction.Generated(16, 0, 0, 0, 0), extraction.Generated(32, 1, 1, 1, 0)
    assert math.isnan(extraction.reduction(none, none).value)
    with pytest.raises(InputError, match="equal numbers"):
        extraction.reduction(none, some)


def test_no_target_is_refused() -> None:
    with pytest.raises(InputError, match="at least one"):
        extraction.audit_extraction({}, draw_canaries(0), straight)
