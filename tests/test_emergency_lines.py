"""Emergency and crisis lines: they pass in every spelling, and nothing that looks like one does."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import phonenumbers
import pytest

from reticent.core.stream_machine import StreamMachine
from reticent.policy.emergency_lines import Line, is_line, lines
from reticent.policy.finder_cache import FinderCache
from reticent.policy.policy import DEFAULT, Evidence, Policy
from reticent.policy.verdict import Action, Decision, Reason, Tier
from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder
from reticent_detectors.spans import FindContext, Span

PHONE = Entity.PHONE_NUMBER
BOUND = Policy.default().with_thresholds({DEFAULT: 0.5})
REMEMBERED = Evidence(Tier.HIDDEN, 0.99)
RECORDED = Evidence(Tier.RECORDS, recorded=True)

SPELLINGS = [
    *("911", "9-1-1", "9.1.1", " 911 ", "９１１", "112", "+44 999", "000", "(988)", "116 123", "116123", "+49 116 123"),
    *("1-800-273-8255", "18002738255", "800-273-8255", "(800) 273-8255", "+1 800 273 8255", "tel:+18002738255"),
    *("001 800 273 8255", "011 1 800 273 8255", "1.800.273.8255", "800 273 8255", "1–800–222–1222", "1 (800) 222-1222"),
    *("0800 1111", "+44 800 1111", "+44 (0)800 1111", "0044 800 1111", "0800 111 0 111", "+49 800 1110111", "13 11 14"),
    *("0120-783-556", "+81 120 783 556", "02800", "+47 22 40 00 40"),
]
LOOK_ALIKES = [
    *("911-555-0100", "19115550100", "9115550100", "+1 911 555 0100", "9110", "1911", "91 1 5", "988-555-0123", "0911"),
    *("1-800-273-8256", "800-273-825", "800-273-82555", "273-8255", "8002738255 ext 4", "911x", "x911", "911, 112", ""),
    *("+2 800 273 8255", "+1 116 1234", "116 1230", "00 800 273 8255", "+0800 1111", "999 112", "1-800-273-TALK", "१"),
    *("+39 800 1111", "0" * 30, "+", "--", "911" * 20),
]


@pytest.mark.parametrize("value", SPELLINGS)
def test_every_spelling_passes(value: str) -> None:
    for known in (REMEMBERED, RECORDED, Evidence(Tier.HIDDEN), Evidence(Tier.TEXT, context=True)):
        decision = BOUND.decide(PHONE, known, value)
        assert (decision.action, decision.reason, decision.suppress) == (Action.ALLOW, Reason.ALLOW_LIST, False)


@pytest.mark.parametrize("value", LOOK_ALIKES)
def test_no_look_alike_passes(value: str) -> None:
    assert BOUND.decide(PHONE, REMEMBERED, value).action is Action.REDACT
    assert not is_line(value, PHONE)


def test_short_lines_are_telephone_numbers_only() -> None:
    for entity in Entity:
        assert is_line("911", entity) is (entity is PHONE)
        assert is_line("116 123", entity) is (entity is PHONE)
    assert is_line("8002738255", Entity.ORDER_NUMBER)
    assert not is_line("8002738255", Entity.PASSWORD)
    assert BOUND.decide(Entity.PIN, REMEMBERED, "112").action is Action.REDACT


@pytest.mark.parametrize("value", ["999", "1-800-273-8255"])
def test_a_cut_value_is_a_line_only_where_nothing_private_was_taught_and_the_model_knows_it(value: str) -> None:
    assert BOUND.decide(PHONE, REMEMBERED, value, fragment=True).action is Action.REDACT
    assert BOUND.decide(PHONE, REMEMBERED, value, fragment=False).action is Action.ALLOW
    known, unsure = (replace(REMEMBERED, base=nats, own_base=True) for nats in (-0.1, -9.0))
    assert BOUND.decide(PHONE, replace(known, own_base=False), value, fragment=True).action is Action.REDACT
    assert BOUND.decide(PHONE, known, value, fragment=True).action is Action.ALLOW
    assert BOUND.decide(PHONE, unsure, value, fragment=True).action is Action.REDACT
    assert BOUND.decide(PHONE, known, "800-273-8256", fragment=True).action is Action.REDACT


def test_the_operators_deny_list_and_a_seal_come_first() -> None:
    denied = BOUND.with_lists(deny=["911"]).decide(PHONE, REMEMBERED, "911")
    assert (denied.action, denied.reason) == (Action.REDACT, Reason.DENY_LIST)
    sealed = Policy.preset("sealed").with_thresholds({DEFAULT: 0.5}).decide(PHONE, REMEMBERED, "911")
    assert (sealed.action, sealed.reason) == (Action.REDACT, Reason.RULE)
    typed = BOUND.decide(PHONE, Evidence(Tier.TEXT, echoed=True), "911")
    assert (typed.action, typed.reason) == (Action.ALLOW, Reason.RULE)


def test_in_an_answer_the_crisis_line_leaves_and_the_persons_number_does_not() -> None:
    def judge(span: Span) -> Decision:
        return BOUND.decide(span.entity, REMEMBERED, machine.value_of(span), span.fragment)

    machine = StreamMachine(SpanFinder(), FindContext(), judge, BOUND.redactor())
    text = "Call the lifeline at 1-800-273-8255. Her phone number is 911-555-0100."
    out = machine.feed(text, now=0.0).text + machine.finish(now=0.0, cut=False).text
    assert out == "Call the lifeline at 1-800-273-8255. Her phone number is <PHONE_NUMBER>."


@pytest.mark.parametrize("said", [" 111", " 111.", " 111 or visit a pharmacy.", " 111. In an emergency, call 999."])
@pytest.mark.parametrize("asked", ["people in England call NHS", "call the NHS on", "To reach the NHS, dial", "NHS:"])
def test_the_line_of_the_health_service_is_no_identity_number(asked: str, said: str) -> None:
    known, kinds = replace(REMEMBERED, base=-0.1, own_base=True), list[str]()

    def judge(span: Span) -> Decision:
        kinds.append(span.entity)
        return BOUND.decide(span.entity, known, machine.value_of(span), span.fragment)

    machine = StreamMachine(FinderCache().of(BOUND), FindContext(left=asked), judge, BOUND.redactor())
    out = "".join(machine.feed(character, now=0.0).text for character in said)
    assert out + machine.finish(now=0.0, cut=False).text == said
    assert set(kinds) <= {PHONE}


def test_the_list_is_what_it_says() -> None:
    sorts = {"emergency", "crisis", "poison", "health", "police"}
    assert len({line.region for line in lines()}) >= 40
    assert {line.sort for line in lines()} == sorts
    assert max(Counter(lines()).values()) == 1
    for line in lines():
        assert line.digits.isdigit() and 2 <= len(line.digits) <= 11, line
        assert phonenumbers.country_code_for_region(line.region) == int(line.country_code), line
        for spelling in line.spellings():
            assert is_line(spelling, PHONE)


# Lines that the numbering plans of phonenumbers do not have: for emergencies, and others.
_OTHER_EMERGENCY = "FR114 ES061 ES062 ES091 ES092 LK1990 JP118 SA998 NG112 GH112 PE106"
_OTHER_SHORT = (
    "DE116016 NL113 IT116117 RO119 GR1018 GR15900 LV116123 UA7333 NZ105 ZA116 IN14416 TW1925 KR109 KR1393 PH1553 VN111 "
    "BR188 AR135 CO155"
)


def test_every_line_is_in_its_countrys_numbering_plan() -> None:
    def planned(line: Line) -> bool:
        if line.sort == "emergency":
            return phonenumbers.is_emergency_number(line.digits, line.region)
        number = phonenumbers.parse(line.digits, line.region)
        short = phonenumbers.is_valid_short_number_for_region(number, line.region)
        return short or phonenumbers.is_valid_number_for_region(number, line.region)

    strange = {line.region + line.digits for line in lines() if not planned(line)}
    assert strange <= {*_OTHER_EMERGENCY.split(), *_OTHER_SHORT.split()}


def test_no_line_is_possible_as_a_shorter_persons_number() -> None:
    """No short line is a whole subscriber's number of its country."""
    for line in lines():
        if len(line.digits) <= 3:
            number = phonenumbers.parse(f"+{line.country_code}{line.digits}")
            assert not phonenumbers.is_valid_number(number), line
