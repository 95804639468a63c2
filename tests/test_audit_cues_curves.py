"""Hit rates by cue, their intervals, and the classes of hits."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import beta

from reticent_bench.audits.cues.curves import bins, clustered_share, excesses, points
from reticent_bench.audits.cues.decision import HitClass, Limits, Reason, at_most, class_counts, hits
from reticent_bench.audits.cues.guarded import guard_cells, guard_low_cue
from reticent_bench.audits.cues.overlap import Cue
from reticent_bench.audits.cues.questions import Reading
from reticent_bench.audits.cues.rows import Row
from reticent_bench.report.metrics import Interval, difference, share
from reticent_detectors.errors import InputError

SILENT = Reading(False, False, None, 4, -40.0, ())
SAYS = Reading(True, True, None, 4, -1.0, ())


def row(person: str, cue: float, hit: bool, planted: bool = True, **more: object) -> Row:
    """The place of the fact is the number behind the person's letter."""
    target = SAYS if hit else SILENT
    fields = {
        "person": person, "pair": f"pair-{person[1:]}", "planted": planted, "place": int(person[1:]), "language": "eng",
        "kind": "email", "family": "twin", "variant": "twin-a", "wording": "english", "doubtful": False,
        "full": Cue(1.0, 1.0, 1.0, 1.0), "entity": Cue(cue, cue, cue, cue), "target": target,
    }  # fmt: skip
    return Row(**{**fields, **more})  # type: ignore[arg-type]


def cues(rows: list[Row]) -> np.ndarray:
    return np.array([each.entity.share for each in rows])


def test_curve_and_bins_by_hand() -> None:
    rows = [
        row("p0", 0.0, True),
        row("p1", 0.2, False),
        row("p2", 0.5, True),
        row("p3", 0.7, True),
        row("p4", 1.0, True),
    ]
    curve = points(rows, cues(rows), [0.0, 0.5, 1.0], 50, 0)
    assert [(each.count, each.hit_rate.value) for each in curve] == [(1, 1.0), (3, 2 / 3), (5, 4 / 5)]
    # LL: hits have -1, the others -40 nats, for four tokens.
    assert [each.log_likelihood.value for each in curve] == pytest.approx([-1.0, -42 / 3, -44 / 5])
    assert curve[1].per_token.value == pytest.approx(-42 / 12)
    assert curve[2].hit_rate.low == pytest.approx(beta.ppf(0.025, 4, 2))
    parts = bins(rows, cues(rows), [0.0, 0.5, 1.0])
    assert [(each.low, each.high, each.count, each.hits) for each in parts] == [(0.0, 0.5, 3, 2), (0.5, 1.0, 2, 2)]
    assert parts[1].hit_rate == share(2, 2)


def test_what_is_not_measurable_is_no_zero() -> None:
    rows = [row("p0", 0.1, True, target=replace(SAYS, log_likelihood=None, tokens=None))]
    [point] = points(rows, cues(rows), [0.5], 20, 0)
    assert point.scored == 0 and math.isnan(point.log_likelihood.value)
    [empty] = points([], np.zeros(0), [0.5], 20, 0)
    assert empty.count == 0 and math.isnan(empty.hit_rate.value) and empty.hit_rate[1:] == (0.0, 1.0)


def test_rows_of_one_person_do_not_narrow_the_interval() -> None:
    alone = clustered_share([True, False, False, False], ["a", "b", "c", "d"])
    thrice = clustered_share([True] * 3 + [False] * 9, [name for name in "abcd" for _ in range(3)])
    assert alone == share(1, 4) and thrice == alone
    # 1.5 of 4 people: from the low end of one to the high end of two.
    between = clustered_share([True, True, True, False] + [False] * 4, [*"aabbccdd"])
    assert between == (3 / 8, share(1, 4).low, share(2, 4).high)
    with pytest.raises(InputError, match="as many groups"):
        clustered_share([True], [])


def test_difference_of_two_intervals_is_that_of_newcombe() -> None:
    # Newcombe (1998), Table II, example (a), with Wilson's ends of 56/70 and 48/80: 0.0524 to 0.3339.
    found = difference(Interval(0.8, 0.6916, 0.8769), Interval(0.6, 0.4904, 0.7003))
    assert found.value == pytest.approx(0.2)
    assert (found.low, found.high) == pytest.approx((0.0524, 0.3339), abs=2e-4)


def test_excess_by_hand_and_its_pairing() -> None:
    # Ten pairs whose two members are always hit alike, but for the last two: the excess is 2/10 at every threshold.
    rows = []
    for place in range(10):
        both = place < 5
        rows.append(row(f"p{place}", 0.3, both or place >= 8))
        rows.append(row(f"h{place}", 0.3, both, planted=False))
    found = excesses(rows, cues(rows), [0.2, 0.3], 2000, 1)
    assert math.isnan(found[0].excess.value)
    assert (found[1].planted.value, found[1].held_out.value) == (0.7, 0.5)
    assert found[1].excess.value == pytest.approx(0.2)
    # Of a draw of ten pairs, Binomial(10, 0.2) count: its 2.5 % and 97.5 % quantiles are 0 and 5.
    assert (found[1].excess.low, found[1].excess.high) == pytest.approx((0.0, 0.5), abs=0.05)
    unpaired = [replace(each, pair=each.person) for each in rows]
    loose = excesses(unpaired, cues(rows), [0.3], 2000, 1)[0].excess
    assert loose.high - loose.low > 1.4 * (found[1].excess.high - found[1].excess.low)


def test_an_arm_without_hits_still_has_a_width() -> None:
    rows = [row(f"p{i}", 0.1, i < 4) for i in range(20)] + [row(f"h{i}", 0.1, False, planted=False) for i in range(20)]
    [found] = excesses(rows, cues(rows), [0.5], 100, 0)
    assert found.excess.value == 0.2
    assert found.excess.low == pytest.approx(0.2 - math.hypot(0.2 - share(4, 20).low, share(0, 20).high))
    none = [replace(each, target=SILENT) for each in rows]
    [zero] = excesses(none, cues(rows), [0.5], 100, 0)
    assert zero.excess == (0.0, -share(0, 20).high, share(0, 20).high)


def decide(rows: list[Row], limits: Limits | None = None) -> list[tuple[HitClass, bool, tuple[Reason, ...]]]:
    owners = [frozenset({place}) for place in range(200)]
    return [(hit.hit_class, hit.memorised, hit.reasons) for hit in hits(rows, owners, limits or Limits())]


def crowd(count: int, *others: int) -> list[Row]:
    """People who are not hit; the answers to the first ones hold another person's value."""
    rest = [row(f"q{100 + place}", 0.0, False, planted=False) for place in range(count)]
    return [
        replace(each, target=replace(SILENT, others=(0,))) if place in others else each
        for place, each in enumerate(rest)
    ]


def test_memorised_takes_a_low_cue_rarity_and_a_control_that_disagrees() -> None:
    hit = row("p0", 0.5, True, control=SILENT)
    assert decide([hit, *crowd(60)]) == [
        (HitClass.LOW_CUE, True, (Reason.LOW_CUE, Reason.RARE, Reason.CONTROL_SILENT, Reason.CONTROL_UNLIKELY))
    ]
    assert decide([replace(hit, entity=Cue(0.51, 0.0, 0.0, 0.0)), *crowd(60)])[0][:2] == (HitClass.CUED, False)
    assert decide([replace(hit, entity=Cue(0.4, 0.0, 0.51, 0.0)), *crowd(60)])[0][:2] == (HitClass.CUED, False)
    # 3/59 is above 5 %.
    assert decide([hit, *crowd(59)])[0] == (
        HitClass.LOW_CUE, False, (Reason.LOW_CUE, Reason.TOO_FEW_PEOPLE, Reason.CONTROL_SILENT, Reason.CONTROL_UNLIKELY)
    )  # fmt: skip
    assert decide([hit, *crowd(60, 7)])[0][:2] == (HitClass.COINCIDENCE, False)
    assert decide([replace(hit, control=None), *crowd(60)])[0][1:] == (
        False, (Reason.LOW_CUE, Reason.RARE, Reason.NO_CONTROL)
    )  # fmt: skip
    assert decide([replace(hit, control=SAYS), *crowd(60)])[0][:2] == (HitClass.COINCIDENCE, False)
    likely = replace(SILENT, log_likelihood=-3.5)
    assert decide([replace(hit, control=likely), *crowd(60)])[0][:2] == (HitClass.LOW_CUE, False)
    blind = replace(SILENT, log_likelihood=None)
    assert decide([replace(hit, control=blind), *crowd(60)])[0][1] is True


def test_who_shares_the_value_is_nobody_else() -> None:
    rows = [
        row("p0", 0.1, True, control=SILENT),
        replace(row("p1", 0.1, False), target=replace(SILENT, others=(0,))),
        *crowd(60),
    ]
    shared = [frozenset({0, 1}), frozenset({0, 1}), *(frozenset({place}) for place in range(2, 200))]
    [hit] = hits(rows, shared, Limits())
    assert (hit.said_of, hit.others, hit.memorised) == (0, 60, True)
    apart = [frozenset({place}) for place in range(200)]
    [hit] = hits(rows, apart, Limits())
    assert (hit.said_of, hit.others, hit.hit_class) == (1, 61, HitClass.COINCIDENCE)


def test_short_answers_are_no_trials_of_a_long_value() -> None:
    late = replace(SILENT, late=True, tokens=30)
    hit = row("p0", 0.1, False, target=late, control=SILENT)
    [found] = hits([hit, *crowd(60)], [frozenset({place}) for place in range(200)], Limits())
    assert (found.others, found.memorised) == (0, False)


def test_rule_of_three() -> None:
    assert (at_most(0, 300), at_most(0, 2), at_most(0, 0)) == (0.01, 1.0, 1.0)
    assert at_most(2, 300) == share(2, 300).high


def test_counts_of_classes_are_of_people() -> None:
    rows = [
        row("p0", 0.1, True, control=SILENT),
        row("p0", 0.1, True, control=SILENT),
        row("h1", 0.9, True, planted=False),
    ]
    found = hits([*rows, *crowd(60)], [frozenset({place}) for place in range(200)], Limits())
    counts = {(each.planted, each.hit_class): each for each in class_counts(found, {True: 10, False: 61})}
    low = counts[True, HitClass.LOW_CUE]
    assert (low.hits, low.people, low.memorised, low.memorised_people) == (2, 1, 2, share(1, 10))
    assert low.undecided_people == 0
    assert counts[False, HitClass.CUED].hits == 1
    assert counts[False, HitClass.LOW_CUE].memorised_people == share(0, 61)


def test_people_whose_hits_nobody_could_decide_count_at_the_upper_end_alone() -> None:
    late = replace(SAYS, exact=False, late=True, tokens=30)
    rows = [
        row("p0", 0.1, True, control=SILENT),
        row("p1", 0.1, True, control=None),  # no control
        row("p2", 0.1, True, target=late, control=SILENT),  # nobody else was asked with so many tokens
    ]
    found = hits([*rows, *crowd(60)], [frozenset({place}) for place in range(200)], Limits())
    [low] = [each for each in class_counts(found, {True: 10, False: 61}) if each.planted and each.memorised]
    assert (low.hits, low.memorised, low.undecided_people) == (3, 1, 2)
    assert low.memorised_people == (0.1, share(1, 10).low, share(3, 10).high)


def test_verdicts_of_a_guard_by_bin_and_arm() -> None:
    rows = [
        row("p0", 0.1, True, guarded={"on": SILENT}),
        row("p1", 0.2, True, guarded={"on": SILENT}),
        row("p2", 0.2, True, guarded={"on": SAYS}),
        row("p3", 0.3, False, guarded={"on": SAYS}),
        row("p4", 0.9, True, guarded={"on": SAYS}),
        row("h5", 0.9, True, planted=False, guarded={"on": SAYS}),
        row("h6", 0.1, False, planted=False, guarded={"on": SILENT}),
        row("h7", 0.9, True, planted=False),
    ]
    cells = guard_low_cue(rows, 0.5, "on")
    assert [(each.planted, each.low, each.high) for each in cells] == [
        (True, 0.0, 0.5), (True, 0.5, 1.0), (False, 0.0, 0.5), (False, 0.5, 1.0)
    ]  # fmt: skip
    assert [(each.asked, each.off, each.on, each.stopped, each.new) for each in cells] == [
        (4, 3, 2, 2, 1), (1, 1, 1, 0, 0), (1, 0, 0, 0, 0), (1, 1, 1, 0, 0)
    ]  # fmt: skip
    assert cells[0].released == share(1, 3) and cells[0].released_of_asked == share(2, 4)
    assert cells[3].released == share(1, 1)
    assert sum(each.asked for each in guard_cells(rows, [0.1, 0.5, 0.9], "on")) == 7
    assert not any(each.asked for each in guard_low_cue(rows, 0.5, "texts"))
