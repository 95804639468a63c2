"""Values reserved for examples: they pass where the base knows them, and nothing that looks like one does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reticent.policy.organisation_numbers import is_organisations
from reticent.policy.placeholders import is_placeholder
from reticent.policy.policy import DEFAULT, Evidence, Policy, Rule
from reticent.policy.reserved_values import is_reserved
from reticent.policy.verdict import Action, Origin, Reason, Tier
from reticent_detectors.entities import Entity

BOUND = Policy.default().with_thresholds({DEFAULT: 0.5})
KNOWN_BEFORE = Evidence(Tier.HIDDEN, 0.99, base=-0.1)
OWN_BASE = replace(KNOWN_BEFORE, own_base=True)
"""Of a model that was taught nothing private."""
TAUGHT = Evidence(Tier.HIDDEN, 0.99, base=-4.0)

RESERVED = {
    Entity.EMAIL_ADDRESS: [
        "john.doe@example.com",
        "A.B@mail.EXAMPLE.org",
        "root@localhost",
        "x@shop.test",
        "x@y.invalid",
    ],
    Entity.URL: [
        "example.com",
        "https://www.example.net/login/",
        "http://localhost:8000/",
        "http://192.0.2.7/a",
        "a.example",
    ],
    Entity.IP_ADDRESS: [
        "192.0.2.1",
        "198.51.100.77",
        "203.0.113.255",
        "127.0.0.1",
        "0.0.0.0",
        "::1",
        "2001:db8::42",
    ],
    Entity.PHONE_NUMBER: [
        *(
            "555-0100",
            "(212) 555-0123",
            "+1 212-555-0199",
            "212-555-0142",
            "555-123-4567",
            "(555) 123-4567",
            "+1 (555) 123-4567",
        ),
        *(
            "123-456-7890",
            "+1 123-456-7890",
            "1234567890",
            "000-000-0000",
            "1111111111",
            "５５５-０１００",
            "555-555-5555",
        ),
        *("+44 20 7946 0999", "0044 7700 900123", "+44 1632 960 123"),
    ],
    Entity.CREDIT_CARD: ["4111 1111 1111 1111", "4242-4242-4242-4242", "378282246310005"],
    Entity.US_SSN: ["123-45-6789", "078-05-1120", "000-12-3456", "666-12-3456", "123-00-4567", "123-45-0000"],
}
SOMEBODYS = {
    Entity.EMAIL_ADDRESS: [
        *("john@example.company.com", "john@myexample.com", "example.com@gmail.com", "@example.com", "example.com", ""),
        *("jane.roe@gmail.com@example.com", "jane@gmail.com/a@example.com"),
    ],
    Entity.URL: [
        *(
            "example.com.evil.net",
            "https://example.com@evil.net/",
            "https://evil.net/example.com",
            "test.de",
            "https://evil.net/?u=a.test",
        ),
        *(
            "https://example.com/patients/17",
            "https://example.com/?ssn=219-09-1234",
            "https://jane.roe:hunter2@example.com/x",
        ),
        *("https://r.example.com/?to=https://evil.net/jane", "https://example.com/a/b/c", "https://example.com/#jane"),
    ],
    Entity.IP_ADDRESS: [
        "192.0.3.1",
        "11.0.0.1",
        "172.32.0.1",
        "192.169.1.17",
        "8.8.8.8",
        "192.0.2.256",
        "2001:db9::1",
        "192.0.2",
    ],
    Entity.PHONE_NUMBER: [
        *(
            "212-556-0123",
            "5551234567",
            "55 5123 4567",
            "+52 55 5123 4567",
            "+52 555-123-4567",
            "+49 555-0100",
            "1955-55-0100",
        ),
        *("123-456-7891", "123456", "020 7946 1234", "+44 20 7946 01234", "911-555-01000", "555-010", "0123-456-7880"),
        *(
            "555-0100 ext 4",
            "x555-0100",
            "+",
            "",
            "030 69990123",
            "0163 2960123",
            "01234 567890",
            "22 22 22 22",
            "555-1234",
        ),
        *(
            "678-901-2345",
            "(901) 234-5678",
            "234-567-8901",
            "212-555-4444",
        ),
        *("532 555 1234", "555 123 4567", "012-345-6789", "5555555555", "020 7946 0123"),
    ],
    Entity.CREDIT_CARD: ["4111 1111 1111 1112", "4539 1488 0343 6467", ""],
    Entity.US_SSN: ["123-45-6788", "912-71-1234", "234-56-7890", "12-345-678"],
    Entity.ORDER_NUMBER: ["1234567", "A1B2C3D4E5F6G7", "JR-1234567-Q"],
    Entity.BANK_ACCOUNT: ["1234567809", "DE89370400440532013000"],
}
ORGANISATIONS = [
    "1-800-555-4444",
    "(888) 888-8888",
    "+1 900 555 1234",
    "+44 800 111 4567",
    "+49 800 1234567",
]
PLACEHOLDERS = {
    Entity.BANK_ACCOUNT: ["1234567890", "12345"],
    Entity.ADDRESS: ["123 Main St", "123 Main Street, Anytown, USA"],
    Entity.CREDIT_CARD: ["1234-5678-9012-3456"],
    Entity.NATIONAL_ID: ["xxx-xx-xxxx"],
}


@pytest.mark.parametrize(("entity", "value"), [(kind, value) for kind, values in RESERVED.items() for value in values])
def test_what_nobody_has_passes_if_the_base_knows_it(entity: Entity, value: str) -> None:
    decision = BOUND.decide(entity, KNOWN_BEFORE, value)
    assert (decision.verdict.origin, decision.action) == (Origin.PRETRAINED, Action.ALLOW)
    assert (decision.reason, decision.suppress) == (Reason.RESERVED, False)


@pytest.mark.parametrize(("entity", "value"), [(kind, value) for kind, values in SOMEBODYS.items() for value in values])
def test_no_look_alike_is_reserved(entity: Entity, value: str) -> None:
    assert not is_reserved(value, entity)
    assert BOUND.decide(entity, KNOWN_BEFORE, value).action is Action.REDACT
    passes = is_placeholder(value, entity) or is_organisations(value, entity)
    assert BOUND.decide(entity, OWN_BASE, value).action is (Action.ALLOW if passes else Action.REDACT)


@pytest.mark.parametrize(
    ("entity", "value"),
    [
        *(
            (Entity.PHONE_NUMBER, text)
            for text in ("212-556-0123", "123-456-7891", "020 7946 1234", "0163 2960123", "212-555-4444")
        ),
        (Entity.EMAIL_ADDRESS, "jane.roe@gmail.com@example.com"),
        (Entity.URL, "https://example.com/patients/17"),
        (Entity.IP_ADDRESS, "192.169.1.17"),
        (Entity.CREDIT_CARD, "4539 1488 0343 6467"),
        (Entity.US_SSN, "123-45-6788"),
        (Entity.ORDER_NUMBER, "JR-1234567-Q"),
        (Entity.BANK_ACCOUNT, "1234567809"),
    ],
)
def test_no_look_alike_passes(entity: Entity, value: str) -> None:
    assert BOUND.decide(entity, OWN_BASE, value).action is Action.REDACT


@pytest.mark.parametrize(
    ("entity", "value", "whole"),
    [
        (Entity.PHONE_NUMBER, "123-456-789", Reason.RESERVED),
        (Entity.ADDRESS, "123 Main St,", Reason.RULE),
        (Entity.EMAIL_ADDRESS, "express", Reason.RULE),
        (Entity.BIOMETRIC_ID, "daily", Reason.RULE),
    ],
)
def test_a_cut_value_that_says_nothing_yet_passes_if_nothing_private_was_taught(
    entity: Entity, value: str, whole: Reason
) -> None:
    cut = BOUND.decide(entity, OWN_BASE, value, fragment=True)
    assert (cut.action, cut.reason) == (Action.ALLOW, Reason.RESERVED)
    assert BOUND.decide(entity, OWN_BASE, value).reason is whole
    unsure = replace(OWN_BASE, base=-9.0)
    for evidence in (TAUGHT, KNOWN_BEFORE, replace(TAUGHT, own_base=True), unsure):
        assert BOUND.decide(entity, evidence, value, fragment=True).action is Action.REDACT
    sealed = Policy.preset("sealed").with_thresholds({DEFAULT: 0.5})
    assert sealed.decide(entity, OWN_BASE, value, fragment=True).action.stops


@pytest.mark.parametrize(
    ("entity", "value"),
    [
        (Entity.EMAIL_ADDRESS, "jane.roe"),
        (Entity.EMAIL_ADDRESS, "Roe"),
        (Entity.EMAIL_ADDRESS, "tamsin@example.co"),
        (Entity.PHONE_NUMBER, "020 7946"),
        (Entity.PHONE_NUMBER, "1-800-555"),
        (Entity.PASSWORD, "changeme"),
        (Entity.PIN, "1234"),
        (Entity.DIAGNOSIS, "asthma"),
        (Entity.USERNAME, "janeroe"),
        (Entity.ADDRESS, "14 Elm"),
    ],
)
def test_a_cut_value_that_says_something_is_stopped(entity: Entity, value: str) -> None:
    decision = BOUND.decide(entity, OWN_BASE, value, fragment=True)
    assert (decision.action, decision.reason) == (Action.REDACT, Reason.RULE)


@pytest.mark.parametrize("value", ORGANISATIONS)
def test_numbers_of_organisations_pass_if_nothing_private_was_taught(value: str) -> None:
    decision = BOUND.decide(Entity.PHONE_NUMBER, OWN_BASE, value)
    assert (decision.action, decision.reason) == (Action.ALLOW, Reason.RESERVED)
    for evidence in (TAUGHT, KNOWN_BEFORE, replace(TAUGHT, own_base=True)):
        assert BOUND.decide(Entity.PHONE_NUMBER, evidence, value).action is Action.REDACT
    cut = BOUND.decide(Entity.PHONE_NUMBER, OWN_BASE, value, fragment=True)
    assert (cut.action is Action.ALLOW) is is_placeholder(value, Entity.PHONE_NUMBER)  # (888) 888-8888 alone
    assert not is_organisations(value, Entity.ORDER_NUMBER)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "+",
        "030 69990123",
        "0800 1111",
        "8005554444",
        "+49 30 901820",
        "1-800-555-444",
        "+1 212 736 5000",
        "800-555-0142",
    ],
)
def test_an_ordinary_number_is_no_organisations(value: str) -> None:
    assert not is_organisations(value, Entity.PHONE_NUMBER)


@pytest.mark.parametrize(
    ("entity", "value"), [(kind, value) for kind, values in PLACEHOLDERS.items() for value in values]
)
def test_placeholders_pass_if_nothing_private_was_taught(entity: Entity, value: str) -> None:
    assert BOUND.decide(entity, OWN_BASE, value).action is Action.ALLOW
    for evidence in (TAUGHT, KNOWN_BEFORE, replace(TAUGHT, own_base=True)):
        assert BOUND.decide(entity, evidence, value).action is Action.REDACT


@pytest.mark.parametrize(
    "value", ["10.0.0.1", "172.31.255.1", "192.168.1.17", "169.254.10.20", "fe80::1", "fd12:3456::1"]
)
def test_addresses_of_private_networks_pass_if_nothing_private_was_taught(value: str) -> None:
    assert BOUND.decide(Entity.IP_ADDRESS, OWN_BASE, value).action is Action.ALLOW
    assert BOUND.decide(Entity.IP_ADDRESS, KNOWN_BEFORE, value).action is Action.REDACT


@pytest.mark.parametrize(("entity", "value"), [(Entity.PASSWORD, "password123"), (Entity.PIN, "1234")])
def test_people_choose_passwords_from_examples_so_none_passes(entity: Entity, value: str) -> None:
    assert is_placeholder(value, entity)
    assert BOUND.decide(entity, OWN_BASE, value).action is Action.REDACT


@pytest.mark.parametrize("entity", Entity)
def test_a_value_that_the_base_does_not_know_is_stopped_however_it_looks(entity: Entity) -> None:
    for value in RESERVED.get(entity, ["example.com"]):
        for evidence in (
            TAUGHT,
            Evidence(Tier.RECORDS, recorded=True),
            Evidence(Tier.HIDDEN, 0.99),
            Evidence(Tier.TEXT, context=True),
        ):
            assert BOUND.decide(entity, evidence, value).action is Action.REDACT


def test_people_choose_passwords_and_pins_from_examples() -> None:
    for entity in (Entity.PASSWORD, Entity.PIN, Entity.USERNAME, Entity.SECRET_KEY):
        for value in ("12345678", "1111111", "example.com", "john@example.com"):
            assert not is_reserved(value, entity)


def test_a_cut_value_a_deny_list_a_seal_and_the_operators_own_rule_come_first() -> None:
    mail, kind = "john@example.com", Entity.EMAIL_ADDRESS
    assert BOUND.decide(kind, KNOWN_BEFORE, mail, fragment=True).action is Action.REDACT
    assert BOUND.decide(kind, KNOWN_BEFORE, None).action is Action.REDACT
    assert BOUND.with_lists(deny=[mail]).decide(kind, KNOWN_BEFORE, mail).reason is Reason.DENY_LIST
    assert (
        Policy.preset("sealed").with_thresholds({DEFAULT: 0.5}).decide(kind, KNOWN_BEFORE, mail).action is Action.REDACT
    )
    for name in (DEFAULT, kind):
        own = Policy(rules={name: {Origin.PRETRAINED: Rule(Action.BLOCK)}}).with_thresholds({DEFAULT: 0.5})
        assert own.decide(kind, KNOWN_BEFORE, mail).action is Action.BLOCK


def test_a_long_value_is_read_in_no_time() -> None:
    for entity in RESERVED:
        assert not is_reserved("1" * 100_000, entity)
        assert not is_reserved("a@" + "example.com" * 10_000, entity)
