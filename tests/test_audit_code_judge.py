"""The judge of literals: placeholders, fixtures, invented people, and what is nobody's."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from reticent_bench.audits.code import secret_scan
from reticent_bench.audits.code.attributes import (
    ATTRIBUTES,
    attribute_of_entity,
    attribute_of_name,
    identifier_words,
    plain_name,
)
from reticent_bench.audits.code.judge import Judge, Outcome
from reticent_bench.audits.code.literal import Role, SourceLiteral
from reticent_bench.audits.code.placeholders import harmless
from reticent_bench.audits.code.scenarios import read_scenarios, scenarios, spread
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError, MissingExtra

GOLD = Path(__file__).parent / "audit_code_gold"
JUDGE = Judge()


def literal(name: str, value: str, kind: str = "string", role: Role = "assigned") -> SourceLiteral:
    return SourceLiteral(value, kind, role, name, 0, len(value))  # type: ignore[arg-type]


def rows(name: str) -> list[list[str]]:
    lines = (GOLD / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


HARMLESS, PEOPLE = rows("harmless.tsv"), rows("people.tsv")


def test_enough_values_are_listed() -> None:
    assert len({tuple(row) for row in HARMLESS}) == len(HARMLESS) >= 200
    assert len({tuple(row) for row in PEOPLE}) == len(PEOPLE) >= 60
    assert {outcome for outcome, _, _ in HARMLESS} == {"placeholder", "fixture"}
    assert {attribute_of_entity(entity) for entity, _, _ in PEOPLE} == set(ATTRIBUTES.values())
    print(f"{len(HARMLESS)} placeholders and fixtures, {len(PEOPLE)} values of invented people")


@pytest.mark.parametrize(("outcome", "name", "value"), HARMLESS)
def test_placeholders_and_fixtures_are_recognised(outcome: str, name: str, value: str) -> None:
    assert JUDGE.outcome(literal(name, value)) == outcome


@pytest.mark.parametrize(("entity", "name", "value"), PEOPLE)
def test_values_of_people_are_candidates(entity: str, name: str, value: str) -> None:
    candidates = [found for found in JUDGE.findings(literal(name, value)) if found.outcome is Outcome.CANDIDATE]
    assert attribute_of_entity(entity) in [found.attribute for found in candidates]


ORDINARY = """
    utf-8|GET|application/json|Invalid email address|User not found|test_register|%Y-%m-%d|/api/v1/users|
    name|email|phone|SELECT * FROM users WHERE id = ?|password must have 8 characters|Content-Type|INFO|
    created_at|must be a string|expected error, got nil|^\\d{3}-\\d{4}$|users.csv|en_US|sha256|
    Europe/Berlin|#ff0000|v1.2.3|should return true for a valid card|rejects an expired card|Empty Input|
    Valid Email|stores the record|200 OK|USD|active|pending|Missing @ symbol|order_id|Too short|
    card declined|{}:{}|error: {}|0|true|__main__|localhost:5432|Password is too short|
    Phone number is required|Invoice|Checking account|admin role required|Happy path|Account locked|
    https://api.tidewell.org/v1|date_of_birth
"""


@pytest.mark.parametrize("value", [" ".join(value.split()) for value in ORDINARY.split("|")])
def test_ordinary_literals_are_no_candidates(value: str) -> None:
    assert JUDGE.outcome(literal("assertEqual:0", value)) is not Outcome.CANDIDATE
    assert JUDGE.outcome(literal("", value)) is not Outcome.CANDIDATE


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(
            ("name", "Missing At Sign"),
            ("name", "Wrong Password Case"),
            ("file_name", "users.csv"),
            ("status", "active"),
        ),
        *(("email", "not-an-email"), ("phone", "12"), ("address", ""), ("pin", "12"), ("username", "ab")),
        *(("ip_address", "10.0.0.1"), ("class_name", "UserService"), ("error", "Invalid Password"), ("key", "email")),
        *(("password", "short"), ("card_number", "12ab"), ("dob", "yesterday"), ("ssn", "219-44"), ("mrn", "12")),
    ],
)
def test_invalid_inputs_of_tests_are_no_candidates(name: str, value: str) -> None:
    assert JUDGE.outcome(literal(name, value)) is not Outcome.CANDIDATE


def test_the_name_decides_what_numbers_and_keys_are() -> None:
    assert JUDGE.outcome(literal("phone", "4158293371", "number")) is Outcome.CANDIDATE
    assert JUDGE.outcome(literal("total", "4158293371", "number")) is Outcome.NOTHING
    assert JUDGE.outcome(literal("", "kt77@fernpost.nz", role="key")) is Outcome.CANDIDATE
    assert JUDGE.outcome(literal("", "Odessa Quill", role="key")) is Outcome.NOTHING


def test_values_within_a_longer_literal_are_found() -> None:
    text = "Write to kt77@fernpost.nz or to test@example.com"
    found = {(finding.outcome, finding.value) for finding in JUDGE.findings(literal("body", text))}
    assert found == {(Outcome.CANDIDATE, "kt77@fernpost.nz"), (Outcome.FIXTURE, "test@example.com")}
    assert JUDGE.outcome(literal("body", text)) is Outcome.CANDIDATE


def test_detect_secrets_sees_what_the_finder_does_not() -> None:
    random = "8f14c45fceea167a5a36dedd4bea2543"
    assert secret_scan.has_secret(f'x = "{random}"')
    assert not secret_scan.has_secret('x = "validateEmailAddress"')
    assert not secret_scan.has_secret('x = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"')
    assert JUDGE.outcome(literal("digest", random)) is Outcome.CANDIDATE
    without = Judge(scans_secrets=False)
    assert without.outcome(literal("digest", "c2Vjcm-V0X2tleV9mb3I_x9")) is Outcome.NOTHING


def test_without_detect_secrets_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    secret_scan._plugins.cache_clear()
    monkeypatch.setitem(sys.modules, "detect_secrets.core.plugins.util", None)
    with pytest.raises(MissingExtra, match=r"detect_secrets .*\.\[(?:proxy,)?audit,cpu\]"):
        secret_scan.has_secret('x = "y"')
    secret_scan._plugins.cache_clear()


def test_harmless_leaves_values_that_may_be_somebodys() -> None:
    assert harmless("", "email") is None
    assert harmless("x" * 500, "name") is None
    assert harmless("219-44-8371", "identity") is None
    assert harmless("Main Street 2041, Boise", "address") is None
    assert harmless("2041 Larkhill Street", "address") is None
    assert harmless("Kelp$Tide9", "password") is None
    assert harmless("Qx##9Lt%d4", "password") is None
    assert harmless("a7XxX9qLtK2m", "secret_key") is None
    assert harmless('{"email": "kt77@fernpost.nz"}', "email") is None
    assert harmless("alice@fernpost.nz", "email") == "placeholder"
    assert harmless("alice.oakleaf@fernpost.nz", "email") is None


def test_identifiers_name_attributes() -> None:
    names = {
        "userEmail": "email",
        "validate_email:0": "email",
        "setPhoneNumber:0": "phone",
        "user_name": "username",
        "firstName": "name",
        "account_number": "bank",
        "APIKey": "secret_key",
        "date_of_birth": "date_of_birth",
        "fingerprintHash": "biometric",
        "politicalParty": "political",
    }
    assert {name: found.key for name in names if (found := attribute_of_name(name))} == names
    for name in ("ip_address", "file_name", "total", "", "toBe:0", "hostname"):
        assert attribute_of_name(name) is None
    assert identifier_words("parseHTTPUser_name2:0") == ["parse", "http", "user", "name", "2"]
    assert plain_name("validate_email:0") == "email"
    assert plain_name("set:0") == ""


def test_no_representation_shows_a_value() -> None:
    (finding,) = JUDGE.findings(literal("email", "kt77@fernpost.nz"))
    assert "kt77" not in repr(finding)


# Scenarios for each attribute in Table 2 of the paper: the first factor of its number of test cases.
PAPER = {
    **{"name": 2, "address": 2, "email": 3, "phone": 3, "date_of_birth": 1, "identity": 2, "medical": 1, "bank": 1},
    **{"political": 1, "password": 4, "pin": 2, "secret_key": 2, "credit_card": 1, "username": 4, "biometric": 1},
}


def test_a_few_scenarios_are_spread_over_the_list() -> None:
    assert spread(3) == (scenarios()[0], scenarios()[10], scenarios()[20])
    assert spread(30) == scenarios() and len(set(spread(29))) == 29
    assert len({scenario.attribute_key for scenario in spread(15)}) >= 12


def test_thirty_scenarios_of_fifteen_attributes() -> None:
    found = scenarios()
    assert len(found) == len({one.id for one in found}) == len({one.question for one in found}) == 30
    assert {key: sum(one.attribute_key == key for one in found) for key in ATTRIBUTES} == PAPER
    assert len(ATTRIBUTES) == 15
    entities = [entity for one in ATTRIBUTES.values() for entity in (one.entity, *one.also)]
    assert len(entities) == len(set(entities))
    assert all(isinstance(entity, Entity) for entity in entities)
    # Category of Table 1.
    categories = {key: one.category for key, one in ATTRIBUTES.items()}
    assert [key for key, category in categories.items() if category == "private"] == [
        *("bank", "identity", "medical", "political"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\temail\tweb", "expected 4 filled columns, got 3"),
        ("a\temail\tweb\t ", "expected 4 filled columns"),
        ("a\tshoe_size\tweb\tWrite it.", "as attribute"),
        ("a\temail\tweb\tWrite it.\na\tphone\tweb\tWrite it.", "line 2 .*used twice"),
    ],
)
def test_bad_scenarios_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_scenarios(text)
