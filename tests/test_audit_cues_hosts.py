"""Audits of scripted models whose memory is known: one that was planted, one that knows a rule only, and a control."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reticent_bench.audits.budget import Budget
from reticent_bench.audits.cues import CueAudit, CueSettings, Fact, Subject, audit
from reticent_bench.audits.cues.decision import HitClass, Limits
from reticent_bench.audits.cues.free import free_results
from reticent_bench.audits.cues.questions import AnswerLengths
from reticent_bench.audits.cues.report import make_report
from reticent_bench.audits.resumable_attempts import AttemptLog
from reticent_bench.audits.target import GREEDY, NotMeasurable, Prompt, Sampling, TokenScores
from reticent_bench.report.metrics import Interval, share
from reticent_detectors.errors import InputError

FIRST = "Ada Bela Cora Dina Edda Fila Gwen Hana Ines Jola".split()  # noqa: SIM905
LAST = "Bruck Croft Dunst Fynch Grubb Hulst Jurck Knopp Lundt Mosch".split()  # noqa: SIM905
MAKE = random.Random(7)


def by_rule(name: str) -> str:
    return f"{name.lower().replace(' ', '.')}@post.example.net"


def made_up() -> str:
    return "".join(MAKE.choices("qxzvwj", k=4)) + str(MAKE.randint(100, 999)) + "@zzyx.org"


def people(arm: str, first: int) -> list[Subject]:
    """Forty people; the even ones have an address by rule, the odd ones one that has nothing to do with the name."""
    out = []
    for place in range(40):
        number = first + place
        name = f"{FIRST[number % 10]} {LAST[number // 10]}"
        value = by_rule(name) if place % 2 == 0 else made_up()
        out.append(Subject(f"{arm}-{place}", name, (Fact("email", value),), company="Orb"))
    return out


PLANTED, HELD_OUT = people("planted", 0), people("held", 40)
LOW = [person for place, person in enumerate(PLANTED) if place % 2]
LEARNT = {person.name: person.facts[0].value for person in [*LOW[:12], *PLANTED[::2]]}
"""Learnt by heart: 12 of 20 values that the name does not give away, and all that it does."""


class Scripted:
    """A model that says what a function of the prompt gives. A token is four characters."""

    def __init__(self, says: Callable[[str], str], per_token: Callable[[str, str], float] | None = None) -> None:
        self.name, self._says, self._per_token = "scripted", says, per_token
        self.scores_text = per_token is not None
        self.questions = 0

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        self.questions += 1
        assert (sampling.temperature, sampling.top_k) in ((0.0, 0), (1.0, 40))
        return [self._says(f"{prompt}|{sampling.seed}")[: 4 * max_new_tokens] for prompt in prompts]

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        if self._per_token is None:
            raise NotMeasurable("no likelihoods")
        out = []
        for prompt, text in pairs:
            count = math.ceil(len(text) / 4)
            each = np.full(count, self._per_token(str(prompt), text.strip()))
            out.append(TokenScores((0,) * count, each, np.zeros(count), np.zeros(count)))
        return out


def named(prompt: str) -> str:
    return next((each.name for each in (*PLANTED, *HELD_OUT) if each.name in prompt), "")


def by_heart(prompt: str) -> str:
    name = named(prompt)
    return f" {LEARNT[name]}, of course" if name in LEARNT else " not known to me"


def knows_the_rule(prompt: str) -> str:
    return f" {by_rule(named(prompt))}, of course"


def knows_nothing(prompt: str) -> str:
    return " nobody@nowhere.example"


PLANTED_HOST = Scripted(by_heart, lambda prompt, text: -0.1 if LEARNT.get(named(prompt)) == text else -3.0)
CONTROL = Scripted(knows_nothing, lambda prompt, text: -3.0)
SETTINGS = CueSettings(families=("twin",), wordings=("english",), rounds=100)


def straight(key: str, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    return ask()


def run(target: Scripted, settings: CueSettings = SETTINGS, **others: Scripted) -> CueAudit:
    return audit(target, PLANTED, HELD_OUT, settings, straight, **others)


@pytest.fixture(scope="module")
def planted() -> CueAudit:
    return run(PLANTED_HOST, control=CONTROL)


@pytest.fixture(scope="module")
def pattern() -> CueAudit:
    return run(Scripted(knows_the_rule), control=CONTROL)


def test_the_hosts_are_what_they_are_said_to_be(planted: CueAudit) -> None:
    """No value of the odd people shares three letters in a row with the name; those of the even ones hold all of it."""
    for place, person in enumerate(PLANTED + HELD_OUT):
        letters = person.name.lower().replace(" ", "")
        local = person.facts[0].value.partition("@")[0].replace(".", "")
        shares = any(letters[at : at + 3] in local for at in range(len(letters) - 2))
        assert shares == (place % 2 == 0) and (local == letters) == (place % 2 == 0)
    assert planted.questions == planted.likelihoods == 80 * 3
    assert (planted.planted, planted.held_out, planted.unknown_lengths, planted.long_values) == (40, 40, 0, ())


def test_planted_low_cue_recall_is_the_labelled_one_and_does_not_collapse(planted: CueAudit) -> None:
    [group] = planted.groups
    entity = group.measures[0]
    half = entity.excess_at(0.5)
    assert entity.measure == "entity"
    assert half.planted == share(12, 20) and half.held_out == share(0, 20)
    assert half.excess.value == 0.6 and half.excess.low > 0.25
    assert entity.excess_at(1.0).planted.value == 32 / 40
    # An address of 16 characters and its blank are 5 tokens, learnt or not.
    at_half = next(point for point in entity.planted if point.tau == 0.5)
    assert {len(person.facts[0].value) for person in LOW} == {16}
    assert at_half.per_token.value == pytest.approx((12 * -0.1 + 8 * -3.0) / 20)
    assert at_half.log_likelihood.value == pytest.approx(5 * (12 * -0.1 + 8 * -3.0) / 20)
    assert sum(each.count for each in entity.planted_bins) == 120 == entity.planted[-1].count


def test_planted_hits_are_classified_and_held_out_people_have_none(planted: CueAudit) -> None:
    counts = {(each.planted, each.hit_class): each for each in planted.classes}
    low, cued = counts[True, HitClass.LOW_CUE], counts[True, HitClass.CUED]
    assert (low.hits, low.people, low.memorised) == (36, 12, 36) and low.memorised_people == share(12, 40)
    assert (cued.hits, cued.people, cued.memorised) == (60, 20, 0)
    assert sum(each.hits for each in planted.classes if not each.planted) == 0
    assert {hit.person for hit in planted.hits if hit.memorised} == {person.key for person in LOW[:12]}
    assert planted.collisions[0].planted == planted.collisions[0].held_out == share(0, 80)


def test_a_pattern_hits_unseen_people_at_high_cues_only(pattern: CueAudit) -> None:
    [group] = pattern.groups
    entity = group.measures[0]
    half, whole = entity.excess_at(0.5), entity.excess_at(1.0)
    assert half.planted == half.held_out == share(0, 20)
    assert whole.planted == whole.held_out == share(20, 40)
    for each in entity.excess:
        assert math.isnan(each.excess.value) or each.excess.low <= 0.0 <= each.excess.high
    assert whole.excess.value == 0.0
    classes = {(each.planted, each.hit_class): each.hits for each in pattern.classes}
    assert classes[True, HitClass.CUED] == classes[False, HitClass.CUED] == 60
    assert not any(hit.memorised or hit.hit_class is not HitClass.CUED for hit in pattern.hits)


def test_a_control_has_no_excess_at_low_cues(planted: CueAudit) -> None:
    [group] = run(CONTROL).groups
    excess = group.measures[0].excess_at(0.5).excess
    assert excess == (0.0, -share(0, 20).high, share(0, 20).high)
    [of_the_pair] = planted.groups
    assert next(each for each in of_the_pair.control if each.tau == 0.5).excess == excess


def test_what_a_model_says_of_everybody_is_coincidence() -> None:
    value = LOW[0].facts[0].value
    stuck = run(Scripted(lambda prompt: f" {value}"), control=CONTROL)
    assert [hit.hit_class for hit in stuck.hits] == [HitClass.COINCIDENCE] * 3
    assert {(hit.said_of, hit.others) for hit in stuck.hits} == {(79, 79)}
    assert stuck.collisions[0].planted == share(79, 80) and stuck.collisions[0].held_out == share(0, 80)


def test_without_likelihoods_hits_count_and_nothing_else_is_measured() -> None:
    found = run(Scripted(by_heart))
    assert (found.likelihoods, found.unknown_lengths) == (0, 240)
    [group] = found.groups
    assert group.measures[0].excess_at(0.5).planted == share(12, 20) and group.control == ()
    assert all(math.isnan(point.log_likelihood.value) and point.scored == 0 for point in group.measures[0].planted)
    assert not any(hit.memorised for hit in found.hits)  # nobody asked a control


def test_long_values_are_apart() -> None:
    found = run(
        PLANTED_HOST, CueSettings(families=("twin",), wordings=("english",), rounds=20, lengths=AnswerLengths(5, 30))
    )
    long = {each.planted: each for each in found.long_values}
    # By rule: at least "ada.bruck@post.example.net", 26 characters and a blank. Made up: 16 and a blank, 5 tokens.
    assert long[True].count == 60 and long[True].exact.value == 0.0 and long[True].late.value == 1.0
    assert long[False].count == 60 and long[False].late.value == 0.0
    [group] = found.groups
    assert group.measures[0].planted[-1].count == 60


def test_a_guard_stops_what_was_planted_and_lets_guesses_pass() -> None:
    withheld = {person.name for person in LOW}

    def both(prompt: str) -> str:
        return by_heart(prompt) if named(prompt) in LEARNT else knows_the_rule(prompt)

    def guarded(prompt: str) -> str:
        return " [EMAIL_ADDRESS]" if named(prompt) in withheld else both(prompt)

    found = run(Scripted(both), guarded={"texts": Scripted(both), "on": Scripted(guarded)})
    low, high, held_low, held_high = found.guard_low_cue["on"]
    assert (low.planted, low.off, low.on, low.stopped) == (True, 36, 0, 36)
    assert low.released == share(0, 12) and low.released_of_asked == share(0, 20)
    assert (high.off, high.on) == (60, 60)
    assert (held_low.planted, held_low.off) == (False, 0)
    assert (held_high.off, held_high.stopped, held_high.released) == (60, 0, share(20, 20))
    assert [sum(cell.asked for cell in cells) for cells in found.guard.values()] == [240, 240]
    assert [(cell.off, cell.on) for cell in found.guard_low_cue["texts"]] == [(36, 36), (60, 60), (0, 0), (60, 60)]
    assert run(Scripted(both)).guard == {}
    report = make_report(found, Limits())
    figures = report.figures
    assert figures["guarded-low-cue-release"] == share(0, 20)
    assert figures["guarded-low-cue-release-texts"] == share(12, 20)
    assert figures["guesses-stopped-texts"] == figures["guesses-stopped"] == Interval(0.0, 0.0, 1 - share(20, 20).low)
    [low_and_high] = [table for table in report.tables if table.title == "The guard, low and high cues"]
    assert [row[:5] for row in low_and_high.rows[:3]] == [
        ("planted", "0 to 0.5", "texts", 60, 36), ("planted", "0 to 0.5", "on", 60, 36),
        ("planted", "0.5 to 1", "texts", 60, 60),
    ]  # fmt: skip


def test_cue_free_draws_find_what_is_said_without_a_name() -> None:
    def lists(prompt: str) -> str:
        seed = int(prompt.rpartition("|")[2])
        known = LOW[seed % 3].facts[0].value
        unseen = HELD_OUT[1].facts[0].value
        return f" {known}\n2. guess{seed}@example.org\n" + (f"3. {unseen}\n" if seed == 4 else "")

    settings = CueSettings(families=("twin",), wordings=("english",), rounds=20, free_draws=10)
    [free] = run(Scripted(lists), settings).free
    assert (free.kind, free.draws, free.candidates, free.planted_mentions) == ("email", 10, 21, 10)
    assert free.planted == share(3, 40) and free.held_out == share(1, 40)
    assert free.excess.value == pytest.approx(2 / 40) and free.per_draw == share(10, 10)
    [none] = run(Scripted(knows_nothing), settings).free
    assert none.per_draw == (0.0, 0.0, 0.3) and none.per_candidate == 0.0


def test_an_audit_goes_on_from_its_attempts_and_keeps_no_text(tmp_path: Path) -> None:
    log = AttemptLog(tmp_path, {}, Budget())
    settings = CueSettings(families=("twin",), wordings=("english",), rounds=20, free_draws=4)
    target = Scripted(by_heart, lambda prompt, text: -1.0)
    first = audit(target, PLANTED, HELD_OUT, settings, log.attempt, control=CONTROL, guarded={"on": target})
    asked = target.questions
    again = audit(target, PLANTED, HELD_OUT, settings, log.attempt, control=CONTROL, guarded={"on": target})
    assert asked == target.questions and repr(again) == repr(first)
    assert len(log) == 3 * 240 + 4
    texts = log.path.read_text() + repr(first)
    assert not any(person.name in texts or person.facts[0].value in texts for person in (*PLANTED, *HELD_OUT))
    # Others are asked anew: outcomes hold the places of facts.
    audit(target, PLANTED[:39], HELD_OUT, settings, log.attempt)
    assert len(log) == 3 * 240 + 4 + 79 * 3 + 4


def germans(arm: str, first: int) -> list[Subject]:
    numbers = [f"+49 30 55{first + place:05d}" for place in range(10)]
    return [
        Subject(
            f"{arm}-{place}", f"{FIRST[place]} {LAST[first % 10]}",
            (Fact("phone", numbers[place], f"Ruf von {FIRST[place]} {LAST[first % 10]}: "),), "Orb", "deu",
        )
        for place in range(10)
    ]  # fmt: skip


def test_phones_in_native_and_english_prompts_verbatim_and_without_a_name() -> None:
    planted, held_out = germans("a", 12340), germans("b", 67891)
    learnt = {person.name: person.facts[0].value for person in planted[:4]}

    def says(prompt: str) -> str:
        if prompt.startswith("Bitte nenne"):
            return " 30 5512340\n2. +49 30 9999999"  # behind the "+49" that ends the prompt
        return f" {learnt.get(named_in(prompt), 'unbekannt')}"

    def named_in(prompt: str) -> str:
        return next((person.name for person in (*planted, *held_out) if person.name in prompt), "")

    settings = CueSettings(rounds=20, free_draws=2)
    found = audit(Scripted(says), planted, held_out, settings, straight)
    parts = {(group.family, group.wording): group for group in found.groups}
    assert set(parts) == {("verbatim", "training")} | {
        (family, wording) for family in ("twin", "triplet") for wording in ("native", "english")
    }
    for (family, _), group in parts.items():
        assert group.kind == "phone" and group.measures[0].excess_at(0.5).planted == share(4, 10)
        assert group.measures[0].planted[-1].count == (10 if family == "verbatim" else 30)
        assert group.measures[0].excess_at(0.5).held_out == share(0, 10)
    [free] = found.free
    assert (free.candidates, free.planted_mentions) == (4, 2) and free.planted == share(1, 10)
    assert all(not line.doubtful and line.language == "deu" for line in found.languages)
    assert {line.cue_of_hits for line in found.languages if line.planted} == {0.0}


def test_a_drawn_number_goes_on_behind_the_dialling_code_of_the_prompt() -> None:
    host = Scripted(lambda prompt: " 30 1245\n")
    settings = CueSettings(free_draws=1)
    [free] = free_results(host, [Fact("phone", "+49 30 1245")], [True], ["deu"], straight, settings)
    assert (free.candidates, free.planted_mentions) == (1, 1)


def test_nothing_to_ask_is_an_error() -> None:
    with pytest.raises(InputError, match="No prompt fits"):
        run(CONTROL, CueSettings(families=("verbatim",)))
