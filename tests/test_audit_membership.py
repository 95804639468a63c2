"""The audit of membership against a bigram model that over-fits, and the known truths."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from membership_host import VOCABULARY, BigramHost, ChatHost, Log, passages, token_ids

from reticent_bench.audits.budget import Budget
from reticent_bench.audits.membership.attacks import ATTACKS, TokenFrequencies
from reticent_bench.audits.membership.audit import MembershipResult, audit
from reticent_bench.audits.membership.neighbours import DrawnValues, FrequentWords
from reticent_bench.audits.membership.questions import MembershipSettings, Sources
from reticent_bench.audits.membership.report import make_report
from reticent_bench.audits.resumable_attempts import AttemptLog
from reticent_bench.audits.target import NotMeasurable, Prompt, Target, TokenScores
from reticent_detectors.errors import InputError

PUBLIC = [passage.text for passage in passages("public", 400, 9)]
BASE = BigramHost(PUBLIC)
# A vocabulary of some 190 tokens has probabilities that a bound of 0.01 would cut off.
QUICK = MembershipSettings(rounds=5, null_rounds=20, variants=2, dc_pdd_bound=1.0)


def cut(texts: Sequence[str], add_special_tokens: bool) -> dict[str, list[list[int]]]:
    """The bigram model's tokenizer, called as one of transformers."""
    assert not add_special_tokens
    return {"input_ids": [token_ids(text).tolist() for text in texts]}


def sources(**changes: Any) -> Sources:
    frequencies = TokenFrequencies.of_texts(PUBLIC, cut, len(VOCABULARY))
    every = Sources(BASE, BASE, FrequentWords(" ".join(PUBLIC)), frequencies=frequencies)
    return replace(every, **changes)


def areas(found: MembershipResult) -> dict[str, float]:
    return {row.attack: row.auc.value for row in found.attacks}


def test_areas_grow_with_the_epochs_and_the_base_against_itself_is_at_a_half() -> None:
    members, others = passages("m", 300, 1), passages("n", 300, 2)
    texts = [passage.text for passage in members]
    settings = replace(QUICK, variants=4)
    hosts = [BASE, *(BigramHost(PUBLIC, texts, epochs, strength=5000.0) for epochs in (1, 3, 10))]
    found = [areas(audit(host, members, others, Log(), sources(), settings)) for host in hosts]
    assert list(found[0]) == [attack.name for attack in ATTACKS]
    assert found[0]["reference"] == found[0]["pre-trained reference ratio"] == 0.5
    for attack in found[0]:
        base, once, thrice, often = (areas[attack] for areas in found)
        assert abs(base - 0.5) < 0.07 and base < once < thrice < often, attack
    assert found[3]["loss"] > 0.6 and found[3]["reference"] > 0.95 and found[3]["PII-aware neighbourhood"] > 0.75


def test_a_host_that_saw_neither_is_at_a_half() -> None:
    members, others = passages("m", 1500, 3), passages("n", 1500, 4)
    host = BigramHost(PUBLIC, [passage.text for passage in passages("o", 1500, 5)], epochs=3)
    found = audit(host, members, others, Log(), sources(), replace(QUICK, rounds=50))
    assert (found.members, found.non_members, found.people, found.left_out) == (1500, 1500, 3000, 0)
    assert len(found.attacks) == len(ATTACKS) and not found.not_measured
    for row in found.attacks:
        assert row.auc.value == pytest.approx(0.5, abs=0.03), row.attack
        # Folding at a half never gives less, and by chance alone some 0.508: sqrt(3001 / (12 * 1500^2)) * 0.798.
        assert row.null.mean == pytest.approx(0.5084, abs=0.004)
        assert row.tpr_at_1_percent is not None and row.tpr_at_1_percent.value < 0.03
        assert row.tpr_at_01_percent is None
        assert row.above_blind is not None and abs(row.above_blind.value) < 0.06
    assert found.blind.verdict != "biased"


def test_no_attack_is_set_against_a_blind_classifier_that_learns_the_twins_side() -> None:
    """A twin has the same words, one of them once more, which tells nothing of the side."""
    pairs = [
        (each, replace(each, person=f"twin of {each.person}", text=f"{each.text} {each.text.split()[0]}"))
        for each in passages("m", 60, 1)
    ]
    members, others = zip(*(pair if at % 2 else pair[::-1] for at, pair in enumerate(pairs)), strict=True)
    found = audit(BASE, members, others, Log(), sources(), QUICK)
    assert found.blind.verdict == "paired"
    assert found.attacks and all(row.above_blind is None for row in found.attacks)


def test_texts_that_differ_are_reported_whatever_the_attacks_find() -> None:
    members, others = passages("m", 100, 1, favourite="ordinary"), passages("n", 100, 2)
    found = audit(BASE, members, others, Log(), sources(), QUICK)
    assert found.blind.verdict == "biased"
    assert all(row.above_blind is not None and row.above_blind.high < 0 for row in found.attacks)


def test_each_language_has_its_own_figures_where_it_has_enough_people() -> None:
    sides = []
    for side, seed in (("m", 1), ("n", 2)):
        some = passages(side, 64, seed)
        spoken = ["deu"] * 30 + ["fra"] * 30 + ["ita"] * 4
        sides.append([replace(each, language=name) for each, name in zip(some, spoken, strict=True)])
    learnt = [each.text for each in sides[0] if each.language == "deu"]
    host, log = BigramHost(PUBLIC, learnt, 10, strength=5000.0), Log()
    found = audit(host, *sides, log, sources(), QUICK)
    assert log.asked == 128 and set(found.languages) == {"deu", "fra"}
    by = {name: {row.attack: row.auc.value for row in rows} for name, rows in found.languages.items()}
    assert list(by["deu"]) == list(by["fra"]) == [attack.name for attack in ATTACKS]
    # Only German members were learnt, and only there is the attack better than chance.
    assert by["deu"]["reference"] > 0.95 and abs(by["fra"]["reference"] - 0.5) < 0.25
    [table] = [each for each in make_report(found).tables if each.title == "Attacks by language"]
    assert len(table.rows) == 2 * len(ATTACKS)
    plain = audit(BASE, passages("m", 8, 1), passages("n", 8, 2), Log(), sources(), QUICK)
    assert not plain.languages
    assert "Attacks by language" not in [each.title for each in make_report(plain).tables]


def small(seed: int = 1) -> tuple[list[Any], list[Any]]:
    return passages("m", 8, seed), passages("n", 8, seed + 1)


def test_running_again_asks_nothing_and_finds_the_same() -> None:
    members, others = small()
    host, log = BigramHost(PUBLIC, [p.text for p in members], 3), Log()
    first = audit(host, members, others, log, sources(), QUICK)
    assert log.asked == 16
    kept = Log()
    kept.outcomes = json.loads(json.dumps(log.outcomes, allow_nan=False))
    host.asked.clear()
    assert audit(host, members, others, kept, sources(), QUICK) == first
    assert kept.asked == 0 and not host.asked
    # Half a log: the other half is asked, with the same neighbours as before.
    half = Log()
    half.outcomes = dict(list(log.outcomes.items())[:7])
    assert audit(host, members, others, half, sources(), QUICK) == first
    assert half.asked == 9


def test_more_people_and_more_rounds_ask_only_what_is_new() -> None:
    members, others = small()
    log = Log()
    audit(BASE, members, others, log, sources(), QUICK)
    audit(BASE, [*members, *passages("more", 2, 8)], others, log, sources(), replace(QUICK, rounds=9, blind_margin=0.1))
    assert log.asked == 16 + 2


def test_other_settings_models_and_windows_have_other_keys() -> None:
    members, others = small()
    log = Log()
    for changed in (QUICK, replace(QUICK, lowest_share=0.3), replace(QUICK, seed=1)):
        audit(BASE, members, others, log, sources(), changed)
    audit(BASE, members, others, log, sources(reference=None), QUICK)
    audit(BASE, members, others, log, sources(propose_values=DrawnValues(["dorina.baksen77@example.org"])), QUICK)
    audit(BASE, members, others, log, sources(frequencies=TokenFrequencies({1: 5}, len(VOCABULARY))), QUICK)
    audit(BigramHost(PUBLIC, [PUBLIC[0]], 1), members, others, log, sources(), QUICK)
    assert log.asked == 7 * 16


def test_the_log_holds_numbers_and_no_text() -> None:
    members, others = small()
    log = Log()
    audit(BASE, members, others, log, sources(), QUICK)
    for outcome in log.outcomes.values():
        assert set(outcome) == {"tokens", *(attack.field for attack in ATTACKS)}
        assert all(isinstance(value, int | float) for value in outcome.values())
    words = {word for p in (*members, *others) for word in p.text.lower().replace("@", ".").split(".")}
    assert len(words) > 20 and not any(word.strip() in key for key in log.outcomes for word in words if word.strip())


def test_every_text_is_scored_whole_and_behind_no_prompt() -> None:
    members, others = small()
    host = BigramHost(PUBLIC)
    log = Log()
    audit(host, members, others, log, sources(reference=None, pretrained=None), QUICK)
    assert {prompt for prompt, _ in host.asked} == {""}
    assert len(host.asked) == 16 * (1 + 2 + 2)
    # The loss of a window does not depend on the longer texts of its batch, as it would if padding counted.
    (alone,) = BASE.scores([("", members[0].text)])
    first = next(iter(log.outcomes.values()))
    assert first["tokens"] == len(alone.token_ids) == 65
    assert first["loss"] == pytest.approx(alone.log_probs.sum() / 65)


def test_both_kinds_of_neighbours_reach_their_attack() -> None:
    members, others = small()
    host, log = BigramHost(PUBLIC), Log()
    audit(host, members, others, log, sources(), QUICK)
    window, *variants = (text for _, text in host.asked[:5])
    ((start, end),) = members[0].values
    kept = [text[:start] == window[:start] and text.endswith(window[end:]) for text in variants]
    assert kept == [False, False, True, True]
    means = [float(scores.log_probs.mean()) for scores in BASE.scores([("", text) for text in (window, *variants)])]
    outcome = next(iter(log.outcomes.values()))
    assert outcome["neighbourhood"] == pytest.approx(means[0] - (means[1] + means[2]) / 2)
    assert outcome["pii_aware_neighbourhood"] == pytest.approx(means[0] - (means[3] + means[4]) / 2)


def test_short_passages_are_left_out_and_counted() -> None:
    members, others = small()
    short = passages("short", 3, 7, words=10)
    found = audit(BASE, [*members, *short], others, Log(), sources(), QUICK)
    assert (found.members, found.left_out) == (8, 3)


def test_attacks_without_their_source_are_named_with_the_reason() -> None:
    members, others = small()
    found = audit(BASE, members, others, Log(), Sources(propose_values=None), QUICK)
    assert [row.attack for row in found.attacks] == ["loss", "zlib", "Min-K%", "Min-K%++"]
    assert {row.attack: row.reason for row in found.not_measured} == {
        "reference": "no reference model was given",
        "neighbourhood": "no proposer of words was given",
        "PII-aware neighbourhood": "no proposer of values was given",
        "DC-PDD": "no token frequencies were given; they take reference texts and a folder's tokenizer",
        "pre-trained reference ratio": "no pre-trained model was given",
    }


class WithoutVocabulary(BigramHost):
    """A server that gives the log-probabilities of the tokens alone."""

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        found = super().scores(pairs)
        return [replace(s, means=s.means * math.nan, deviations=s.deviations * math.nan) for s in found]


def test_min_k_plus_is_not_measured_where_the_server_gives_no_distribution() -> None:
    members, others = small()
    found = audit(WithoutVocabulary(PUBLIC), members, others, Log(), sources(), QUICK)
    assert len(found.attacks) == len(ATTACKS) - 1
    assert [row.attack for row in found.not_measured] == ["Min-K%++"]
    assert "16 windows" in found.not_measured[0].reason


@pytest.mark.parametrize("silent", ["target", "reference", "pretrained"])
def test_a_target_that_scores_nothing_is_refused_before_any_question(silent: str) -> None:
    members, others = small()
    models: dict[str, Target] = {"target": BASE, "reference": BASE, "pretrained": BASE, silent: ChatHost()}
    log = Log()
    with pytest.raises(NotMeasurable, match="likelihood"):
        audit(models.pop("target"), members, others, log, sources(**models), QUICK)
    assert log.asked == 0


def test_contaminated_sides_are_refused_before_any_question() -> None:
    members, others = small()
    log = Log()
    for bad, says in (
        ([*others, replace(others[0], person=members[0].person)], "both sides"),
        ([*others, replace(members[0], person="another")], "windows of one side"),
        (others[:4], "5 people"),
        ([], "one kind"),
        (passages("short", 8, 3, words=9), "one kind"),
    ):
        with pytest.raises(InputError, match=says):
            audit(BASE, members, bad, log, sources(), QUICK)
    assert log.asked == 0


@pytest.mark.parametrize(
    "change",
    [
        *({name: 0} for name in ("least_tokens", "variants", "span_words", "rounds", "null_rounds", "dc_pdd_bound")),
        {"most_tokens": 49},
        {"seed": -1},
        {"masked_share": 0.0},
        {"masked_share": 0.6},
        {"lowest_share": 0.0},
        {"lowest_share": 1.1},
    ],
)
def test_settings_out_of_range_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="Correct the settings"):
        replace(QUICK, **change)


def test_an_edited_log_is_refused() -> None:
    members, others = small()
    log = Log()
    audit(BASE, members, others, log, sources(), QUICK)
    next(iter(log.outcomes.values())).pop("zlib")
    with pytest.raises(InputError, match="zlib"):
        audit(BASE, members, others, log, sources(), QUICK)


def test_frequencies_are_counted_without_any_question() -> None:
    texts = ["balt bern balt.", "unknown balt"]
    found = TokenFrequencies.of_texts(texts, cut, len(VOCABULARY))
    ids = {token: VOCABULARY.index(token) for token in ("balt", ".", "")}
    assert [found.counts[ids[token]] for token in ("balt", ".", "")] == [3, 1, 1 + texts[0].count("bern")]
    assert np.exp(found.log_frequencies([ids["balt"]])) == pytest.approx([(3 + 1) / (6 + len(VOCABULARY))])
    with pytest.raises(InputError, match="reference text"):
        TokenFrequencies.of_texts([], cut, 10)
    with pytest.raises(InputError, match="vocabulary"):
        TokenFrequencies.of_texts(texts, cut, 2)


def test_the_attempt_log_takes_all_keys_and_outcomes(tmp_path: Path) -> None:
    members, others = small()
    log = AttemptLog(tmp_path, {}, Budget())
    audit(BASE, members, others, log.attempt, sources(), QUICK)
    assert len(log) == 16
