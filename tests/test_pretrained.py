"""The origin `pretrained`: when a span gets it, what it changes and what it may never change."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import inf, nan, nextafter
from pathlib import Path
from typing import Any

import pytest

from reticent.guard import Guard
from reticent.policy.loading import parse_policy
from reticent.policy.policy import DEFAULT, Evidence, Policy, Rule
from reticent.policy.presets import PLACES_OF_CARE, PRESETS, PUBLIC_IN_CODE
from reticent.policy.pretrained import BASE_THRESHOLD, PASSES, PASSES_FOR_PUBLIC_SUBJECTS, PRETRAINED_CUE
from reticent.policy.thresholds import base_threshold
from reticent.policy.verdict import Action, Origin, Reason, Tier
from reticent.shipped import universal_bundle
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.entities import Entity
from reticent_detectors.errors import BundleCorrupt, PolicyError

THRESHOLD = 0.5
BOUND = Policy.default().with_thresholds({DEFAULT: THRESHOLD})
SURE = Evidence(Tier.HIDDEN, 0.9, base=-0.1)
ROLE, PHONE, BIRTH = Entity.JOB_TITLE, Entity.PHONE_NUMBER, Entity.DATE_OF_BIRTH
VALUE = "2083546127"  # reads the same as a value of any kind


def combinations() -> Iterator[Evidence]:
    """Every combination of what may be known of a span, at the edges of its numbers."""
    probabilities = (None, nan, -0.1, 0.0, nextafter(THRESHOLD, 0), THRESHOLD, 1.0, 1.1)
    cues = (0.0, nextafter(PRETRAINED_CUE, 0), PRETRAINED_CUE, 0.5, 1.0, nan)
    bases = (None, nan, inf, -inf, 0.01, 0.0, BASE_THRESHOLD, nextafter(BASE_THRESHOLD, -1), -9.0)
    flags = (False, True)
    for tier, probability, cue, base in product((Tier.HIDDEN, Tier.LOGPROBS, Tier.TEXT), probabilities, cues, bases):
        for echoed, context, recorded, public in product(flags, repeat=4):
            for inferable in (None, *flags):
                yield Evidence(
                    tier, probability, cue, echoed, context, recorded,
                    inferable=inferable, base=base, public_subject=public,
                )  # fmt: skip


def test_the_label_never_weakens_the_order_of_decisions() -> None:
    seen = set()
    for known in combinations():
        origin = BOUND.decide(PHONE, known).verdict.origin
        without = BOUND.decide(PHONE, replace(known, base=None, public_subject=False)).verdict.origin
        wanted = (
            without is Origin.MEMORIZED
            and not known.recorded
            and known.cue < PRETRAINED_CUE
            and known.base in (0.0, BASE_THRESHOLD)
        )
        assert origin is (Origin.PRETRAINED if wanted else without), known
        seen.add(origin)
    assert seen == set(Origin)


@pytest.mark.parametrize("entity", [PHONE, ROLE, BIRTH])
def test_nothing_passes_by_the_base_that_was_not_memorised(entity: Entity) -> None:
    denying = BOUND.with_lists(deny=[VALUE])
    for known in combinations():
        alone = replace(known, base=None, public_subject=False)
        new, old = BOUND.decide(entity, known, VALUE), BOUND.decide(entity, alone, VALUE)
        if (new.action, new.suppress) != (old.action, old.suppress):
            assert (old.verdict.origin, new.verdict.origin) == (Origin.MEMORIZED, Origin.PRETRAINED)
            assert entity in PASSES or (entity in PASSES_FOR_PUBLIC_SUBJECTS and known.public_subject)
        denied = denying.decide(entity, known, VALUE)
        assert denied.action.stops is not known.echoed
        assert known.echoed or (denied.reason is Reason.DENY_LIST and denied.suppress)


@pytest.mark.parametrize("entity", Entity)
@pytest.mark.parametrize("public", [False, True])
def test_what_passes_by_default(entity: Entity, public: bool) -> None:
    decision = BOUND.decide(entity, replace(SURE, public_subject=public))
    passes = entity in {"JOB_TITLE", "EMPLOYER", "HOSPITAL", "LOCATION", "ORGANIZATION"}
    passes |= entity in {"TRANSACTION_AMOUNT", "APPOINTMENT_DATE"}  # prices, and dates of history
    passes |= public and entity in {"DATE_OF_BIRTH", "DATE_TIME"}
    assert decision.verdict.origin is Origin.PRETRAINED
    assert decision.action is (Action.ALLOW if passes else Action.REDACT)
    assert decision.suppress is not passes


def test_the_verdict_keeps_what_the_base_gave() -> None:
    assert BOUND.decide(ROLE, SURE).verdict.base == -0.1
    assert BOUND.decide(ROLE, replace(SURE, base=None)).verdict.base is None


def test_a_model_that_was_taught_nothing_private_may_take_from_the_prompt() -> None:
    given = replace(SURE, cue=0.9)
    assert BOUND.decide(ROLE, given).verdict.origin is Origin.MEMORIZED
    own = BOUND.decide(ROLE, replace(given, own_base=True))
    assert (own.verdict.origin, own.action) == (Origin.PRETRAINED, Action.ALLOW)
    assert BOUND.decide(PHONE, replace(given, own_base=True)).action is Action.REDACT
    unsure = replace(given, own_base=True, base=BASE_THRESHOLD - 0.1)
    assert BOUND.decide(ROLE, unsure).verdict.origin is Origin.MEMORIZED


def test_a_policy_says_otherwise_by_kind() -> None:
    policy = parse_policy(
        "entities: {PHONE_NUMBER: {pretrained: allow}, JOB_TITLE: {pretrained: flag}}"
    ).with_thresholds({DEFAULT: THRESHOLD})
    assert policy.decide(PHONE, SURE).action is Action.ALLOW
    assert policy.decide(ROLE, SURE).action is Action.FLAG
    strict = parse_policy("entities: {DEFAULT: {pretrained: redact}}").with_thresholds({DEFAULT: THRESHOLD})
    assert strict.decide(ROLE, SURE).action is Action.REDACT
    assert not strict.asks_subject(BIRTH, SURE)


def test_without_a_rule_of_its_own_it_follows_that_of_memorised_values() -> None:
    policy = Policy(rules={PHONE: {Origin.MEMORIZED: Rule(Action.BLOCK)}, BIRTH: {Origin.MEMORIZED: Rule(Action.FLAG)}})
    policy = policy.with_thresholds({DEFAULT: THRESHOLD})
    assert policy.decide(PHONE, SURE).action is Action.BLOCK
    assert policy.decide(BIRTH, SURE).action is Action.FLAG
    assert policy.decide(ROLE, SURE).action is Action.ALLOW


def test_the_subject_is_asked_for_only_where_it_decides() -> None:
    assert BOUND.asks_subject(BIRTH, SURE) and BOUND.asks_subject(Entity.DATE_TIME, SURE)
    for entity in Entity:
        assert BOUND.asks_subject(entity, SURE) is (entity in PASSES_FOR_PUBLIC_SUBJECTS)
    for other in ({"base": None}, {"recorded": True}, {"echoed": True}, {"context": True}, {"cue": 0.3}):
        assert not BOUND.asks_subject(BIRTH, replace(SURE, **other))
    assert not BOUND.asks_subject(BIRTH, replace(SURE, probability=0.1))
    assert not Policy.preset("sealed").with_thresholds({DEFAULT: THRESHOLD}).asks_subject(BIRTH, SURE)
    allowing = Policy(rules={BIRTH: {Origin.PRETRAINED: Rule(Action.ALLOW)}}).with_thresholds({DEFAULT: THRESHOLD})
    assert not allowing.asks_subject(BIRTH, SURE)


# Thresholds


def test_the_threshold_is_the_policys_then_the_bundles_then_the_constant() -> None:
    assert BOUND.least_base == BASE_THRESHOLD == -0.7
    bundled = Policy().with_thresholds({DEFAULT: THRESHOLD}, -0.5)
    assert bundled.least_base == -0.5
    assert bundled.decide(ROLE, replace(SURE, base=-0.5)).verdict.origin is Origin.PRETRAINED
    assert bundled.with_thresholds({DEFAULT: THRESHOLD}).least_base == BASE_THRESHOLD  # another bundle, without
    assert parse_policy("base_threshold: -0.2").with_thresholds({}, -0.5).least_base == -0.2
    assert parse_policy("base_threshold: 0").least_base == 0.0


@pytest.mark.parametrize("threshold", [0.1, nan, inf, -inf])
def test_the_threshold_is_a_log_probability(threshold: float) -> None:
    with pytest.raises(PolicyError, match="base_threshold' in a policy: input should be "):
        Policy(base_threshold=threshold)
    with pytest.raises(PolicyError, match="base_threshold' in a policy: input should be "):
        Policy().with_thresholds({}, threshold)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("base_threshold: 0.4", "'base_threshold' in a policy"),
        ("base_threshold: .nan", "'base_threshold' in a policy"),
        ("base_threshold: sure", "'base_threshold' in a policy"),
        ("allow_subjects: Ada Lovelace", "'allow_subjects' in a policy"),
        ("allow_subjects: ['1815']", r"allow_subjects\.0' in a policy: expected a person's name"),
        ("allow_subject: [Ada Lovelace]", "Did you mean 'allow_subjects'"),
        ("entities: {PHONE_NUMBER: {pretraind: allow}}", "Did you mean 'pretrained'"),
        ("entities: {PHONE_NUMBER: {pretrained: {action: allow, threshold: 0.5}}}", "'base_threshold'"),
    ],
)
def test_a_wrong_policy_file_is_refused(text: str, words: str) -> None:
    with pytest.raises(PolicyError, match=words):
        parse_policy(text)


def test_a_file_names_public_persons() -> None:
    policy = parse_policy("allow_subjects: ['Zora  Quill', 'Ada Lovelace']")
    assert policy.allow_subjects == {"Zora Quill", "Ada Lovelace"}
    assert "Quill" not in repr(policy)
    with pytest.raises(PolicyError, match="expected a list"):
        Policy(allow_subjects="Zora Quill")  # type: ignore[arg-type]


def bundle(base: Any, tmp_path: Path) -> Bundle:
    manifest = json.loads(json.dumps({} if base is None else {"base": base}))
    return Bundle(tmp_path, manifest, b"", "", None)  # type: ignore[arg-type]


def test_a_bundle_says_its_threshold(tmp_path: Path) -> None:
    assert base_threshold(bundle(None, tmp_path)) is None
    assert base_threshold(bundle({"threshold": -0.4}, tmp_path)) == -0.4
    for wrong in ({}, {"threshold": "low"}, {"threshold": 0.4}, {"threshold": True}, {"threshold": nan}, [-0.4]):
        with pytest.raises(BundleCorrupt, match="no finite number up to 0"):
            base_threshold(bundle(wrong, tmp_path))


def test_a_guard_decides_by_the_threshold_of_its_bundle() -> None:
    shipped = Bundle.load(universal_bundle())
    guard = Guard(replace(shipped, manifest={**shipped.manifest, "base": {"threshold": -0.2}}))
    assert guard.policy.least_base == guard.policy_with_thresholds(Policy()).least_base == -0.2
    assert guard.policy_with_thresholds(Policy(base_threshold=-0.1)).least_base == -0.1
    assert Guard(shipped).policy.least_base == BASE_THRESHOLD


# Presets


def preset(name: str) -> Policy:
    return Policy.preset(name).with_thresholds({DEFAULT: THRESHOLD})


@pytest.mark.parametrize("entity", Entity)
def test_a_seal_ignores_the_label(entity: Entity) -> None:
    policy = preset("sealed")
    known = replace(SURE, public_subject=True)
    assert policy.decide(entity, known) == replace(
        policy.decide(entity, replace(known, base=None)), verdict=policy.decide(entity, known).verdict
    )
    assert policy.decide(entity, known).verdict.origin is Origin.MEMORIZED
    assert policy.decide(entity, known).suppress


def test_a_seal_needs_one_action_for_this_origin_too() -> None:
    with pytest.raises(PolicyError, match=r"JOB_TITLE has 'redact' for 'memorized' but 'allow' for 'pretrained'"):
        parse_policy("{preset: sealed, entities: {JOB_TITLE: {pretrained: allow}}}")
    # A file of a version that knew no such origin stays valid.
    off = "{memorized: allow, context: allow, inferable: allow, hallucinated: allow, unknown: allow}"
    policy = parse_policy(f"{{preset: sealed, entities: {{JOB_TITLE: {off}}}}}").with_thresholds({DEFAULT: THRESHOLD})
    assert policy.decide(ROLE, SURE).action is Action.ALLOW
    assert policy.decide(Entity.EMPLOYER, SURE).action is Action.REDACT
    blocked = parse_policy(f"{{preset: sealed, entities: {{JOB_TITLE: {off.replace('allow', 'block')}}}}}")
    assert blocked.rule(ROLE, Origin.PRETRAINED, Tier.HIDDEN).action is Action.BLOCK


@pytest.mark.parametrize("entity", Entity)
def test_in_a_clinic_places_are_flagged_and_all_else_is_redacted(entity: Entity) -> None:
    decision = preset("clinic-rag").decide(entity, replace(SURE, public_subject=True))
    assert decision.action is (Action.FLAG if entity in PLACES_OF_CARE else Action.REDACT)


@pytest.mark.parametrize("entity", Entity)
def test_in_code_public_constants_pass(entity: Entity) -> None:
    decision = preset("code").decide(entity, SURE)
    assert decision.action is (Action.ALLOW if entity in {*PUBLIC_IN_CODE, *PASSES} else Action.REDACT)


@pytest.mark.parametrize("name", PRESETS)
def test_no_preset_lets_a_recorded_value_pass_for_the_base(name: str) -> None:
    for entity in Entity:
        known = replace(SURE, recorded=True, public_subject=True)
        assert (
            preset(name).decide(entity, known).action is preset(name).decide(entity, replace(known, base=None)).action
        )
