"""Presets: that each keeps what its description promises."""

from __future__ import annotations

import pickle
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticent.core.evidence import prompt_evidence
from reticent.core.stream_machine import StreamMachine
from reticent.policy import presets
from reticent.policy.policy import DEFAULT, AfterRedaction, Evidence, Policy
from reticent.policy.redaction import RedactionStyle
from reticent.policy.verdict import Action, Decision, Origin, Reason, Tier
from reticent.prompt.echo import EchoIndex
from reticent.records.index import RecordsIndex
from reticent_detectors.entities import Entity
from reticent_detectors.errors import PolicyError
from reticent_detectors.finder import SpanFinder
from reticent_detectors.spans import FindContext, Span

THRESHOLDS = {DEFAULT: 0.5}
EVIDENCE = {
    Origin.MEMORIZED: Evidence(Tier.HIDDEN, 0.9),
    Origin.ECHOED: Evidence(Tier.TEXT, echoed=True),
    Origin.CONTEXT: Evidence(Tier.TEXT, context=True),
    Origin.INFERABLE: Evidence(Tier.HIDDEN, 0.1, cue=0.9),
    Origin.PRETRAINED: Evidence(Tier.HIDDEN, 0.9, base=-0.1),
    Origin.HALLUCINATED: Evidence(Tier.HIDDEN, 0.1),
    Origin.UNKNOWN: Evidence(Tier.HIDDEN),
}


@cache
def preset(name: str) -> Policy:
    return Policy.preset(name).with_thresholds(THRESHOLDS)


def actions(name: str, entity: str) -> dict[Origin, Action]:
    return {origin: preset(name).decide(entity, known, "x").action for origin, known in EVIDENCE.items()}


@pytest.mark.parametrize("name", presets.PRESETS)
def test_every_preset_is_described_and_travels(name: str) -> None:
    assert f"`{name}`:" in (presets.__doc__ or "")
    policy = Policy.preset(name, list_key=b"k" * 32)
    assert policy.list_key == b"k" * 32
    assert pickle.loads(pickle.dumps(policy)) == policy
    assert policy.digest_hex == Policy.preset(name, list_key=b"k" * 32).digest_hex
    assert Policy.preset(name).list_key != Policy.preset(name).list_key


def test_presets_differ_and_default_is_the_default() -> None:
    assert len({Policy.preset(name).digest_hex for name in presets.PRESETS}) == len(presets.PRESETS)
    assert Policy.preset("default") == Policy.default()


def test_an_unknown_preset_is_refused_with_the_nearest() -> None:
    with pytest.raises(PolicyError, match=r"preset 'clinic'.*Did you mean 'clinic-rag'.*Choices: clinic-rag, code"):
        Policy.preset("clinic")


@pytest.mark.parametrize("name", presets.PRESETS)
@pytest.mark.parametrize("entity", [e for e in Entity if e not in presets.COMMON_IN_CODE])
def test_what_is_remembered_of_people_never_passes(name: str, entity: Entity) -> None:
    for tier, recorded in product(Tier, (False, True)):
        assert preset(name).decide(entity, Evidence(tier, 0.99, recorded=recorded), "nobody's").action.stops
    assert actions(name, entity)[Origin.ECHOED] is Action.ALLOW


# sealed


evidence = st.builds(
    Evidence,
    tier=st.sampled_from(list(Tier)),
    probability=st.none() | st.floats(0, 1),
    cue=st.floats(0, 1),
    context=st.booleans(),
    recorded=st.booleans(),
    inferable=st.none() | st.booleans(),
)


def seen(policy: Policy, entity: str, known: Evidence, value: str) -> tuple[Action, bool, str]:
    """Everything of a decision that reaches a client: the action, the replacement, whether spellings are stopped."""
    decision = policy.decide(entity, known, value)
    return decision.action, decision.suppress, policy.redactor()(Span(entity, 0, len(value)), decision, value)


@given(member=evidence, stranger=evidence, entity=st.sampled_from(list(Entity)))
def test_under_a_seal_a_member_looks_like_a_stranger(member: Evidence, stranger: Evidence, entity: Entity) -> None:
    policy = preset("sealed")
    assert policy.seal
    assert seen(policy, entity, member, "202-456-1414") == seen(policy, entity, stranger, "5")
    assert policy.decide(entity, member).action is Action.REDACT


def test_without_a_seal_they_differ() -> None:
    assert len({seen(preset("default"), Entity.PHONE_NUMBER, known, "x") for known in EVIDENCE.values()}) > 1


TEXT = "Her number is 202-456-1414, or 202 456-14 14 for short; Sam's is 303-456-1515. 2.0.2.4.5.6.1.4.1.4, I said."


@pytest.mark.parametrize("origin", [origin for origin in Origin if origin is not Origin.ECHOED])
def test_under_a_seal_whole_answers_are_the_same_for_every_origin(origin: Origin) -> None:
    policy = preset("sealed")

    def judge(span: Span) -> Decision:
        return policy.decide(span.entity, EVIDENCE[origin], machine.value_of(span))

    machine = StreamMachine(SpanFinder(), FindContext(), judge, policy.redactor())
    out = machine.feed(TEXT, now=0.0).text + machine.finish(now=0.0, cut=False).text
    assert out == (
        "Her number is <PHONE_NUMBER>, or <PHONE_NUMBER> for short; Sam's is <PHONE_NUMBER>. <PHONE_NUMBER>, I said."
    )


class NotAsked(RecordsIndex):
    """Records that say when they are looked at."""

    def __init__(self) -> None: ...

    def contains(self, value: str, entity: str) -> bool:
        raise LookupError


def test_under_a_seal_only_the_prompt_is_asked() -> None:
    number = "202-456-1414"
    span, redact = Span(Entity.PHONE_NUMBER, 0, len(number)), preset("sealed").redactor()
    silent, typed = (EchoIndex(text, "", SpanFinder()) for text in ("Her number?", f"My number is {number}."))
    with pytest.raises(LookupError):
        prompt_evidence(span, number, silent, redact, NotAsked())
    found = prompt_evidence(span, number, silent, redact, NotAsked(), seal=True)
    assert found.evidence == Evidence(Tier.TEXT, None, found.cue)
    typed_evidence = prompt_evidence(span, number, typed, redact, NotAsked(), seal=True).evidence
    assert typed_evidence is not None and typed_evidence.echoed


# gateway


def test_a_gateway_gives_back_what_it_was_sent_and_nothing_else() -> None:
    assert actions("gateway", Entity.PHONE_NUMBER) == {
        **actions("default", Entity.PHONE_NUMBER),
        Origin.CONTEXT: Action.ALLOW,
        Origin.UNKNOWN: Action.REDACT,
    }


# clinic-rag


@pytest.mark.parametrize("entity", list(Entity))
def test_a_clinic_hears_from_its_files_what_care_needs(entity: Entity) -> None:
    context = Action.ALLOW if entity in presets.CARE else Action.REDACT
    assert actions("clinic-rag", entity) == {
        Origin.MEMORIZED: Action.REDACT,
        Origin.ECHOED: Action.ALLOW,
        Origin.CONTEXT: context,
        Origin.INFERABLE: Action.ALLOW,
        Origin.PRETRAINED: Action.FLAG if entity in presets.PLACES_OF_CARE else Action.REDACT,
        Origin.HALLUCINATED: Action.FLAG,
        Origin.UNKNOWN: Action.REDACT,
    }
    assert preset("clinic-rag").decide(entity, Evidence(Tier.TEXT)).action is Action.REDACT
    assert preset("clinic-rag").redaction is RedactionStyle.TAG


# code


@pytest.mark.parametrize(
    ("entity", "value"),
    [
        (Entity.EMAIL_ADDRESS, "user@example.com"),
        (Entity.EMAIL_ADDRESS, "John.Doe@example.org"),
        (Entity.EMAIL_ADDRESS, "git@github.com"),
        (Entity.PHONE_NUMBER, "555-0123"),
        (Entity.PHONE_NUMBER, "+1 (555) 555-0199"),
        (Entity.PHONE_NUMBER, "2147483647"),
        (Entity.BANK_ACCOUNT, "18446744073709551615"),
        (Entity.BANK_ACCOUNT, "DE89 3704 0044 0532 0130 00"),
        (Entity.DOCTOR, "Dr. John Doe"),
        (Entity.ADDRESS, "123 Main St"),
    ],
)
def test_in_code_placeholders_pass(entity: Entity, value: str) -> None:
    decision = preset("code").decide(entity, EVIDENCE[Origin.MEMORIZED], value)
    assert (decision.action, decision.reason) == (Action.ALLOW, Reason.PLACEHOLDER)


@pytest.mark.parametrize(
    ("entity", "value"),
    [
        (Entity.EMAIL_ADDRESS, "jane.roe@gorsewick.org"),
        (Entity.PHONE_NUMBER, "202-456-1414"),
        (Entity.DOCTOR, "Ann Ode"),
    ],
)
def test_in_code_people_are_replaced_by_surrogates(entity: Entity, value: str) -> None:
    policy = preset("code")
    decision = policy.decide(entity, EVIDENCE[Origin.MEMORIZED], value)
    assert decision.action is Action.REDACT
    shown = policy.redactor()(Span(entity, 0, len(value)), decision, value)
    assert shown[0] == "‹" and value not in shown


def test_in_code_constants_are_flagged_and_the_open_project_passes() -> None:
    for entity in Entity:
        assert actions("code", entity)[Origin.CONTEXT] is Action.ALLOW
        expected = Action.FLAG if entity in presets.COMMON_IN_CODE else Action.REDACT
        assert {actions("code", entity)[origin] for origin in (Origin.MEMORIZED, Origin.UNKNOWN)} == {expected}
    assert (preset("code").after_redaction, preset("code").max_rewinds) == (AfterRedaction.REWIND, 16)
