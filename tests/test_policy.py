"""Policies: which origin a span gets from its evidence, and which action from the rules."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticent.policy import DEFAULT, Evidence, FailMode, HoldLimits, Policy, Rule
from reticent.verdict import Action, Decision, Origin, Reason, Tier, Verdict
from reticent_detectors.entities import Entity
from reticent_detectors.errors import PolicyError

PHONE = Entity.PHONE_NUMBER
BOUND = Policy.default().bound({DEFAULT: 0.5, PHONE: 0.8})


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
    scored = Policy(score_threshold=0.6).bound({PHONE: 0.8})
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
    assert (decision.action, decision.would, decision.suppress) == (Action.ALLOW, Action.REDACT, False)
    assert watched.decide(PHONE, evidence(0.1)).would is None


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
        Policy(score_threshold=score)
    with pytest.raises(PolicyError):
        Policy().bound({DEFAULT: score})


@pytest.mark.parametrize("limit", [{"max_tokens": 0}, {"max_chars": -1}, {"max_seconds": 0.0}])
def test_hold_limits_are_above_zero(limit: dict[str, int]) -> None:
    with pytest.raises(PolicyError, match=next(iter(limit))):
        HoldLimits(**limit)


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
