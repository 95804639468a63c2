"""Policies: which origin a span gets from its evidence, and which action from the rules."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticent.policy.policy import (
    DEFAULT,
    Evidence,
    FailMode,
    HoldLimits,
    Policy,
    Rule,
    Stage,
)
from reticent.policy.pretrained import BASE_THRESHOLD
from reticent.policy.redaction import RedactionStyle
from reticent.policy.verdict import Action, Decision, Origin, Reason, Tier, Verdict
from reticent_detectors.entities import Entity
from reticent_detectors.errors import PolicyError
from reticent_detectors.finder.own_forms import OwnForm
from reticent_detectors.spans import Span

PHONE = Entity.PHONE_NUMBER
BOUND = Policy.default().with_thresholds({DEFAULT: 0.5, PHONE: 0.8})


def evidence(probability: float | None = None, tier: Tier = Tier.HIDDEN, **rest: object) -> Evidence:
    return Evidence(tier, probability=probability, **rest)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("known", "origin", "action"),
    [
        (evidence(0.81), Origin.MEMORIZED, Action.REDACT),
        (evidence(0.80), Origin.MEMORIZED, Action.REDACT),
        (evidence(0.79), Origin.HALLUCINATED, Action.ALLOW),
        (evidence(0.79, cue=0.6), Origin.INFERABLE, Action.ALLOW),
        (evidence(0.79, cue=0.6, inferable=False), Origin.HALLUCINATED, Action.ALLOW),
        (evidence(0.99, cue=1.0), Origin.MEMORIZED, Action.REDACT),
        (evidence(0.99, inferable=True), Origin.INFERABLE, Action.ALLOW),
        (evidence(0.01, recorded=True), Origin.MEMORIZED, Action.REDACT),
        (evidence(0.01, recorded=True, inferable=True), Origin.MEMORIZED, Action.REDACT),
        (evidence(0.01, context=True), Origin.CONTEXT, Action.REDACT),
        (evidence(0.99, echoed=True, context=True, recorded=True), Origin.ECHOED, Action.ALLOW),
        (evidence(None), Origin.UNKNOWN, Action.REDACT),
        (evidence(float("nan")), Origin.UNKNOWN, Action.REDACT),
        (evidence(1.5), Origin.UNKNOWN, Action.REDACT),
        (evidence(None, tier=Tier.TEXT), Origin.UNKNOWN, Action.FLAG),
    ],
)
def test_the_default_policy(known: Evidence, origin: Origin, action: Action) -> None:
    decision = BOUND.decide(PHONE, known, "555-0100")
    assert (decision.verdict.origin, decision.action) == (origin, action)
    assert decision.suppress is (origin is Origin.MEMORIZED)


def test_thresholds_are_looked_up_from_the_nearest_to_the_farthest() -> None:
    email = Entity.EMAIL_ADDRESS
    assert (BOUND.threshold(PHONE), BOUND.threshold(email)) == (0.8, 0.5)
    scored = Policy(score_threshold=0.6).with_thresholds({PHONE: 0.8})
    assert scored.threshold(PHONE) == 0.6
    ruled = Policy(rules={DEFAULT: {Origin.MEMORIZED: Rule(Action.BLOCK, 0.3)}}, score_threshold=0.6)
    assert ruled.threshold(PHONE) == 0.3
    both = Policy(
        rules={
            DEFAULT: {Origin.MEMORIZED: Rule(Action.BLOCK, 0.3)},
            PHONE: {Origin.MEMORIZED: Rule(Action.REDACT, 0.2)},
        }
    )
    assert (both.threshold(PHONE), both.threshold(email)) == (0.2, 0.3)
    assert both.decide(email, evidence(0.3)).action is Action.BLOCK
    assert both.decide(PHONE, evidence(0.3)).action is Action.REDACT


def test_without_any_threshold_a_span_is_unknown_and_not_harmless() -> None:
    decision = Policy.default().decide(PHONE, evidence(0.0))
    assert (decision.verdict.origin, decision.action) == (Origin.UNKNOWN, Action.REDACT)
    assert decision.reason is Reason.NO_THRESHOLD
    assert Policy.allow_all().decide(PHONE, evidence(0.0)).action is Action.ALLOW


def test_an_own_rule_for_unknown_holds_in_tier_text_as_well() -> None:
    policy = Policy(rules={PHONE: {Origin.UNKNOWN: Rule(Action.BLOCK)}})
    assert policy.decide(PHONE, evidence(tier=Tier.TEXT)).action is Action.BLOCK
    assert policy.decide(Entity.FLIGHT, evidence(tier=Tier.TEXT)).action is Action.FLAG


def test_rules_of_an_entity_leave_its_other_origins_to_the_defaults() -> None:
    policy = Policy(
        rules={DEFAULT: {Origin.HALLUCINATED: Rule(Action.FLAG)}, PHONE: {Origin.ECHOED: Rule(Action.FLAG)}}
    )
    assert policy.rule(PHONE, Origin.HALLUCINATED, Tier.HIDDEN).action is Action.FLAG
    assert policy.rule(PHONE, Origin.MEMORIZED, Tier.HIDDEN).action is Action.REDACT
    assert policy.rule(Entity.FLIGHT, Origin.ECHOED, Tier.HIDDEN).action is Action.ALLOW


def test_inferable_has_its_own_threshold_on_the_cue() -> None:
    policy = Policy(rules={PHONE: {Origin.INFERABLE: Rule(Action.FLAG, 0.9)}}, score_threshold=0.5)
    assert policy.decide(PHONE, evidence(0.1, cue=0.9)).action is Action.FLAG
    assert policy.decide(PHONE, evidence(0.1, cue=0.8)).action is Action.ALLOW


def test_lists_take_any_spelling_and_deny_comes_before_allow() -> None:
    policy = BOUND.with_lists(allow=["+1 (800) 555-0100", "Route 66 diner"], deny=["800.555.0199"])
    assert policy.decide(PHONE, evidence(0.99), "8005550100") == Decision(
        Action.ALLOW, Verdict(Origin.MEMORIZED, 0.99, 0.0, Tier.HIDDEN), False, Reason.ALLOW_LIST
    )
    denied = policy.decide(PHONE, evidence(0.0), "+1-800-555-0199")
    assert (denied.action, denied.suppress, denied.reason) == (Action.REDACT, True, Reason.DENY_LIST)
    assert policy.decide(Entity.TRANSACTION_AMOUNT, evidence(0.99), "$66").action is Action.REDACT
    both = policy.with_lists(allow=["8005550199"])
    assert both.decide(PHONE, evidence(0.0), "8005550199").action is Action.REDACT


def test_a_typed_value_passes_whatever_the_lists_say_so_that_the_deny_list_cannot_be_guessed() -> None:
    policy = BOUND.with_lists(deny=["8005550199"])
    typed = policy.decide(PHONE, evidence(0.99, echoed=True), "8005550199")
    assert typed == policy.decide(PHONE, evidence(0.99, echoed=True), "8005550111")
    assert typed.action is Action.ALLOW


def test_lists_keep_no_value_and_depend_on_the_key() -> None:
    one, other = (Policy(list_key=bytes([i]) * 32).with_lists(allow=["8005550100"]) for i in (1, 2))
    assert not one.allow_list & other.allow_list
    assert "8005550100" not in repr(one) + str(one.allow_list)
    assert repr(one.list_key) not in repr(one)
    assert Policy.default().list_key != Policy.default().list_key


def test_monitor_says_what_it_would_have_done() -> None:
    watched = Policy(score_threshold=0.5, monitor=True)
    decision = watched.decide(PHONE, evidence(0.9))
    assert (decision.action, decision.monitored_action, decision.suppress) == (Action.ALLOW, Action.REDACT, False)
    assert watched.decide(PHONE, evidence(0.1)).monitored_action is None


def test_allow_all_stops_nothing() -> None:
    policy = Policy.allow_all()
    assert policy.fail_mode is FailMode.OPEN
    assert policy.on_overflow is Action.ALLOW
    for tier in Tier:
        for known in (evidence(1.0, tier), evidence(None, tier), evidence(0.5, tier, context=True)):
            assert not policy.decide(PHONE, known, "x").action.stops


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"PHONE": {}}, ("'PHONE'", "Did you mean", "EMAIL_ADDRESS")),
        ({"phone_number": {}}, ("Did you mean 'PHONE_NUMBER'",)),
        ({PHONE: {"memorised": Rule(Action.ALLOW)}}, ("'memorised'", "Did you mean 'memorized'", "hallucinated")),
        ({PHONE: {Origin.ECHOED: Rule(Action.ALLOW, 0.5)}}, ("PHONE_NUMBER.echoed", "memorized")),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(
    rules: dict[str, dict[Origin, Rule]], words: tuple[str, ...]
) -> None:
    with pytest.raises(PolicyError) as error:
        Policy(rules=rules)
    assert all(word in str(error.value) for word in words), error.value


@pytest.mark.parametrize("score", [-0.1, 1.1, float("nan")])
def test_a_threshold_is_a_probability(score: float) -> None:
    with pytest.raises(PolicyError):
        Rule(Action.REDACT, score)
    with pytest.raises(PolicyError):
        Policy().with_thresholds({DEFAULT: score})


def test_a_policy_is_frozen_to_its_depth() -> None:
    rules: dict[str, dict[Origin, Rule]] = {PHONE: {Origin.ECHOED: Rule(Action.FLAG)}}
    policy = Policy(rules=rules)
    rules[PHONE][Origin.ECHOED] = Rule(Action.BLOCK)
    assert policy.rule(PHONE, Origin.ECHOED, Tier.HIDDEN).action is Action.FLAG
    with pytest.raises(FrozenInstanceError):
        policy.monitor = True  # type: ignore[misc]
    with pytest.raises(TypeError):
        policy.rules[PHONE] = {}  # type: ignore[index]


def test_custom_entities_may_have_rules() -> None:
    policy = Policy(rules={"BADGE": {Origin.UNKNOWN: Rule(Action.FLAG)}}, custom_entities=frozenset({"BADGE"}))
    assert policy.decide("BADGE", evidence()).action is Action.FLAG


@given(
    probability=st.none() | st.floats(0, 1),
    cue=st.floats(0, 1),
    flags=st.tuples(st.booleans(), st.booleans(), st.booleans()),
    control=st.none() | st.booleans(),
    entity=st.sampled_from(list(Entity)),
)
def test_by_default_only_a_measured_or_typed_span_passes(
    probability: float | None, cue: float, flags: tuple[bool, bool, bool], control: bool | None, entity: Entity
) -> None:
    echoed, context, recorded = flags
    known = Evidence(Tier.HIDDEN, probability, cue, echoed, context, recorded, control)
    decision = BOUND.decide(entity, known)
    if not decision.action.stops:
        below = probability is not None and probability < (BOUND.threshold(entity) or 0)
        assert echoed or (not context and not recorded and (below or control))


# Choices besides the rules


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"fail_modes": {"jugde": "open"}}, ("'jugde' under 'fail_modes'", "Did you mean 'judge'")),
        ({"fail_modes": {"judge": "opne"}}, ("'opne'", "'fail_modes.judge'", "Did you mean 'open'")),
        ({"fail_modes": {"redact": "open"}}, ("fail_mode.redact", "tag")),
        ({"false_positives": 5}, ("false_positives", "less than or equal to 0.08 (got 5)", "1 % is 0.01")),
        ({"false_positives": 0.01, "score_threshold": 0.5}, ("false_positives", "score_threshold", "Remove one")),
        ({"mask_char": "xy"}, ("mask_char", "one visible symbol", "length 2")),
        ({"list_key": b"short"}, ("list_key", "expected at least 16 bytes (got bytes)")),
        ({"on_block": "replace"}, ("on_block 'replace' needs its text", "block_text=TEXT")),
        ({"entities": {}}, ("'entities'", "Did you mean 'rules'")),
        ({"deny_list": ["555-867-5309"]}, ("'deny_list.0'", "expected a hash", "with_lists(deny=[...])")),
        ({"allow_list": ["zz"]}, ("'allow_list.0'", "expected a hash", "allow=[...]")),
        ({"allow_list": ["AB" * 16]}, ("'allow_list.0'", "small letters")),
        ({"custom_entities": ["badge no 4"]}, ("'custom_entities.0'", "capitals", "EMPLOYEE_ID")),
        ({"custom_entities": ["DEFAULT"]}, ("'custom_entities.0'", "not DEFAULT")),
    ],
)
def test_a_wrong_choice_is_refused(settings: dict[str, Any], words: tuple[str, ...]) -> None:
    with pytest.raises(PolicyError) as error:
        Policy(**settings)
    assert all(word in str(error.value) for word in words), error.value
    assert not any(value in str(error.value) for value in ("867", "zz", "ABAB", "badge no"))


def test_what_a_policy_lists_are_hashes_as_it_gives_them() -> None:
    policy = Policy(list_key=b"k" * 32)
    listed = replace(policy, deny_list=frozenset({policy.digest("555-867-5309", PHONE)}))
    assert listed.decide(PHONE, evidence(0.0), "555 867 5309").reason is Reason.DENY_LIST


def test_stages_fail_as_they_are_set_to_and_a_style_never_opens() -> None:
    assert {Policy().fail_mode_of(stage) for stage in Stage} == {FailMode.CLOSED}
    opened = Policy(fail_mode=FailMode.OPEN)
    assert [opened.fail_mode_of(stage) for stage in Stage] == [FailMode.OPEN, FailMode.OPEN, FailMode.CLOSED]
    mixed = Policy(fail_modes={Stage.JUDGE: FailMode.OPEN})
    assert [mixed.fail_mode_of(stage) for stage in Stage] == [FailMode.CLOSED, FailMode.OPEN, FailMode.CLOSED]
    closed = Policy(fail_mode=FailMode.OPEN, fail_modes={Stage.FIND: FailMode.CLOSED})
    assert (closed.fail_mode_of("find"), closed.fail_mode_of("judge")) == (FailMode.CLOSED, FailMode.OPEN)
    with pytest.raises(PolicyError, match="Did you mean 'find'"):
        closed.fail_mode_of("fnd")


def test_a_redactor_has_the_policys_style_and_the_conversations_key() -> None:
    span, decision = Span(PHONE, 0, 8), BOUND.decide(PHONE, evidence(0.9))
    policy = Policy(redaction=RedactionStyle.HASH)
    keyed = [policy.redactor(key)(span, decision, "555-0100") for key in (b"a" * 32, b"a" * 32, b"b" * 32)]
    assert keyed[0] == keyed[1] != keyed[2]
    assert policy.redactor()(span, decision, "555-0100") != policy.redactor()(span, decision, "555-0100")
    masked = Policy(redaction=RedactionStyle.MASK, mask_char="•").redactor()
    assert masked(span, decision, "555-0100") == "••••"
    assert Policy().redactor()(span, decision, "555-0100") == "<PHONE_NUMBER>"


# Seal


ALIKE = {origin: Rule(Action.REDACT) for origin in Origin if origin is not Origin.ECHOED}


def test_a_seal_suppresses_whatever_it_stops() -> None:
    policy = Policy(rules={DEFAULT: ALIKE}, seal=True, score_threshold=0.5)
    stopped = [evidence(0.9), evidence(0.1), evidence(None), evidence(0.1, cue=0.9), evidence(0.1, context=True)]
    assert {(d.action, d.suppress) for d in (policy.decide(PHONE, known) for known in stopped)} == {
        (Action.REDACT, True)
    }
    echoed = policy.decide(PHONE, evidence(0.9, echoed=True))
    assert (echoed.action, echoed.suppress) == (Action.ALLOW, False)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"rules": {}}, ("DEFAULT", "'redact' for 'memorized'", "'allow' for 'inferable'", "preset 'sealed'")),
        ({"rules": {DEFAULT: {**ALIKE, Origin.UNKNOWN: Rule(Action.FLAG)}}}, ("'flag' for 'unknown'",)),
        ({"rules": {DEFAULT: ALIKE, PHONE: {Origin.CONTEXT: Rule(Action.ALLOW)}}}, ("PHONE_NUMBER", "for 'context'")),
        ({"redaction": RedactionStyle.HASH}, ("redaction 'hash'", "'tag' or 'mask'")),
        ({"redaction": RedactionStyle.SURROGATE}, ("redaction 'surrogate'",)),
        ({"fail_mode": FailMode.OPEN}, ("fail_mode 'closed'",)),
        ({"fail_modes": {Stage.JUDGE: FailMode.OPEN}}, ("fail_mode 'closed'",)),
        ({"on_overflow": Action.FLAG}, ("on_overflow 'redact'",)),
    ],
)
def test_a_seal_that_would_not_hold_is_refused(settings: dict[str, Any], words: tuple[str, ...]) -> None:
    with pytest.raises(PolicyError) as error:
        Policy(**({"rules": {DEFAULT: ALIKE}} | settings), seal=True)
    assert all(word in str(error.value) for word in words), error.value


def test_some_kinds_may_be_left_out_of_a_seal() -> None:
    open_ = dict.fromkeys(ALIKE, Rule(Action.ALLOW))
    policy = Policy(rules={DEFAULT: ALIKE, Entity.JOB_TITLE: open_}, seal=True, redaction=RedactionStyle.MASK)
    assert policy.decide(Entity.JOB_TITLE, evidence(0.9)).action is Action.ALLOW
    assert policy.decide(PHONE, evidence(0.9)).action is Action.REDACT


# Copies and digests


FULL = Policy(
    rules={PHONE: {Origin.MEMORIZED: Rule(Action.BLOCK, 0.7)}, "BADGE": {Origin.UNKNOWN: Rule(Action.ALLOW)}},
    list_key=b"l" * 32,
    fail_modes={Stage.FIND: FailMode.OPEN},
    thresholds={DEFAULT: 0.4},
    hold=HoldLimits(max_seconds=2.0),
    custom_entities=frozenset({"BADGE"}),
    recognizers=(OwnForm("CARD", "C-[0-9]{4}", ("library",), "luhn"),),
).with_lists(allow=["555-0100"], deny=["jane.roe@example.com"])


@pytest.mark.parametrize("policy", [FULL, Policy(), Policy.allow_all(), Policy(rules={DEFAULT: ALIKE}, seal=True)])
def test_policy_pickle(policy: Policy) -> None:
    copies = [pickle.loads(pickle.dumps(policy, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    for twin in (*copies, copy.copy(policy), copy.deepcopy(policy)):
        assert twin == policy and twin is not policy
        assert (twin.list_key, twin.digest_hex) == (policy.list_key, policy.digest_hex)
        assert twin.decide(PHONE, evidence(0.7), "5550100") == policy.decide(PHONE, evidence(0.7), "5550100")
        with pytest.raises(TypeError):
            twin.rules[PHONE] = {}
        with pytest.raises(FrozenInstanceError):
            twin.monitor = True


def test_the_digest_says_what_is_decided_and_not_how_it_is_written() -> None:
    spelled = Policy(
        rules={
            PHONE: {Origin.MEMORIZED: Rule(Action.REDACT)},
            DEFAULT: {Origin.ECHOED: Rule(Action.ALLOW), Origin.CONTEXT: Rule(Action.REDACT)},
        },
        fail_mode=FailMode.OPEN,
        fail_modes={Stage.FIND: FailMode.CLOSED, Stage.JUDGE: FailMode.CLOSED},
    )
    assert spelled.digest_hex == Policy.default().digest_hex
    named = Policy(rules={Entity.JOB_TITLE: {Origin.PRETRAINED: Rule(Action.ALLOW)}}, base_threshold=BASE_THRESHOLD)
    assert named.digest_hex == Policy.default().digest_hex
    assert Policy(list_key=b"x" * 32).digest_hex == Policy(list_key=b"y" * 32).digest_hex
    one, same, other = (
        Policy(list_key=key * 32).with_lists(deny=["555-0100"]).digest_hex for key in (b"x", b"x", b"y")
    )
    assert one == same != other
    hashes = frozenset({"ab" * 16})
    assert len({Policy(list_key=key * 32, deny_list=hashes).digest_hex for key in (b"x", b"y")}) == 2


def test_the_digest_is_the_same_in_every_process() -> None:
    code = (
        "from reticent.policy.policy import Policy\n"
        "p = Policy(list_key=bytes(32), custom_entities=frozenset('ABCDEFGH'))"
        ".with_lists(allow=['555-0100', 'a@b.example'])\n"
        "print(p.digest_hex)"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1
