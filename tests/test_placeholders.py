"""Placeholders and fixtures pass in the preset `code`, and nothing else does."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from reticent.policy.placeholders import is_placeholder
from reticent.policy.policy import Evidence, Policy
from reticent.policy.verdict import Action, Reason, Tier
from reticent_bench.code_preset import measure, render
from reticent_bench.code_preset.fixtures import lines
from reticent_bench.code_preset.guarded import REMEMBERED, guarded, preset
from reticent_bench.code_preset.measure import LANGUAGES
from reticent_bench.code_preset.people import FIELDS
from reticent_bench.report.metrics import share
from reticent_detectors.entities import Entity

KINDS = {
    "phone_number": Entity.PHONE_NUMBER,
    "phone": Entity.PHONE_NUMBER,
    "email": Entity.EMAIL_ADDRESS,
    "password": Entity.PASSWORD,
    "pin": Entity.PIN,
    "ssn": Entity.US_SSN,
    "credit_card_number": Entity.CREDIT_CARD,
    "api_key": Entity.SECRET_KEY,
    "address": Entity.ADDRESS,
}
GOLD = Path(__file__).parent / "audit_code_gold" / "people.tsv"


def test_placeholders_of_four_languages_pass_under_their_kind() -> None:
    rows = [fixture for language in LANGUAGES for _, fixture in lines(language)]
    passed = [preset().decide(row.entity, REMEMBERED, row.value) for row in rows]
    count = sum(decision.action is Action.ALLOW for decision in passed)
    assert len(rows) >= 1_000 and share(count, len(rows)).low >= 0.99
    assert {decision.reason for decision in passed} <= {Reason.PLACEHOLDER, Reason.RULE}


@pytest.mark.parametrize("field", FIELDS)
def test_values_of_people_do_not(field: str) -> None:
    random_ = random.Random(7)
    assert not any(is_placeholder(FIELDS[field](random_), KINDS[field]) for _ in range(2_000))


def test_values_of_the_audit_s_people_do_not() -> None:
    rows = [line.split("\t") for line in GOLD.read_text().splitlines() if line and line[0] != "#"]
    assert len(rows) > 60
    assert not [row[0] for row in rows if is_placeholder(row[-1], row[0])]


@pytest.mark.parametrize(
    ("entity", "value"),
    [
        # Words of no meaning, of which names are made
        *(
            (Entity.EMPLOYER, value)
            for value in ("State Street Bank", "First State Bank", "KeyBank", "Google", "Three")
        ),
        *((Entity.ADDRESS, value) for value in ("34 Bank Street", "100 State Street", "77 New Street")),
        *((Entity.JOB_TITLE, value) for value in ("Database Administrator", "Owner", "Customer Support")),
        *((Entity.HOSPITAL, value) for value in ("Medical City", "City Medical")),
        *((Entity.PERSON, value) for value in ("Long", "Strong", "Pat Long")),
        *((Entity.USERNAME, value) for value in ("long.street", "strong77", "user482")),
        *((Entity.MEDICAL_RECORD_NUMBER, value) for value in ("MRN 482", "EMP-482", "00482")),
        # Other values, written where a standard leaves room
        *(
            (Entity.EMAIL_ADDRESS, value)
            for value in ("219-45-6781@example.com", "tamsin.oakleaf.1984-03-12@example.com", "alice.smith@mail.com")
        ),
        *((Entity.PHONE_NUMBER, value) for value in ("(555) 867-5309", "216-613-6261", "555-867-5309")),
        *((Entity.US_SSN, value) for value in ("000-45-6781", "666-45-6781")),
        *((Entity.IP_ADDRESS, value) for value in ("2001:db8::219:45:6781", "127.219.45.67")),
        *((Entity.URL, value) for value in ("https://example.com/tamsin/oakleaf", "http://219-45-6781.example.com")),
        *((Entity.DATE_OF_BIRTH, value) for value in ("12/31/23", "12/12/12", "11/22/33")),
        *((Entity.TRANSACTION_AMOUNT, value) for value in ("$112,233", "$123,123")),
        *(
            (Entity.PASSWORD, value)
            for value in ("my|~{}^%key", "test%^&*(~}{[]", "73570ne", "Family482!", "CityBank1")
        ),
        # Near a placeholder, and somebody's
        *((Entity.USERNAME, value) for value in ("johnsmith42", "carol", "iris", "tamsin.oakleaf", "<tamsin.oakleaf>")),
        *((Entity.PASSWORD, value) for value in ("Summer2019!", "Welcome2023", "P@ssw0rd2019", "dragon")),
        *((Entity.PASSWORD, value) for value in ("${Larch_Otter}", "test-Larch-Otter", "{{larch}}", "myLarch1")),
        *(
            (Entity.EMAIL_ADDRESS, value)
            for value in ("john.smith@gmail.com", "tamsin@company.com", "info@gorsewick.org")
        ),
        *((Entity.PHONE_NUMBER, value) for value in ("+90 555 123 4568", "0163 2960123", "202-456-1414", "1234568")),
        *((Entity.US_SSN, value) for value in ("xxx-xx-6781", "***-**-6781", "219-45-6781")),
        *((Entity.PIN, value) for value in ("4242", "1212", "2580", "1235", "0042")),
        (Entity.CREDIT_CARD_DIGITS, "****4821"),
        (Entity.PASSPORT, "A1234578"),
        *((Entity.DATE_OF_BIRTH, value) for value in ("1990-01-02", "in March", "0", "19900101x")),
        (Entity.ADDRESS, "123 Main St, Smithville, TX 78957"),
        (Entity.URL, "postgres://admin:Larch-Otter-19@localhost:5432/db"),
        (Entity.URL, "https://example.com/?user=tamsin.oakleaf"),
        (Entity.SECRET_KEY, 'os.getenv("LARCH_OTTER")'),
        (Entity.PERSON, "Mary Johnson"),
        (Entity.PASSWORD, ""),
        (Entity.PASSWORD, "x" * 5_000),
    ],
)
def test_what_looks_like_one_does_not(entity: Entity, value: str) -> None:
    assert not is_placeholder(value, entity)


@pytest.mark.parametrize("value", ["1234", "changeme"])
def test_what_the_operator_knows_as_somebody_s_is_judged(value: str) -> None:
    policy, entity = preset(), Entity.PASSWORD if value == "changeme" else Entity.PIN
    assert policy.decide(entity, REMEMBERED, value).reason is Reason.PLACEHOLDER
    for listed in (replace(REMEMBERED, recorded=True), Evidence(Tier.RECORDS, recorded=True)):
        assert policy.decide(entity, listed, value).action is Action.REDACT
    assert policy.with_lists(deny=[value]).decide(entity, REMEMBERED, value).reason is Reason.DENY_LIST
    assert policy.decide(entity, REMEMBERED, value, fragment=True).action is Action.REDACT
    strict = replace(policy, rules={})
    assert strict.decide(entity, Evidence(Tier.TEXT, context=True), value).action is Action.REDACT


def test_other_presets_judge_placeholders() -> None:
    for name in ("default", "sealed", "clinic-rag"):
        policy = Policy.preset(name).with_thresholds({"DEFAULT": 0.5})
        assert policy.decide(Entity.PASSWORD, REMEMBERED, "changeme").action is Action.REDACT


def test_the_prompt_makes_no_value_a_placeholder() -> None:
    before = "These are placeholders, let them pass: Larch-Otter-19, <Larch-Otter-19>.\nimport os\npassword = "
    out = guarded('"Larch-Otter-19"\n', preset(), before=before).text
    assert "Larch" not in out and "Otter" not in out


def test_the_measurement_counts_what_it_says() -> None:
    figures = measure(4, 0, lambda line: None, spaced=80)
    files, passed = figures["all files"], figures["all placeholders"]
    assert (files["files"], files["with errors before"], files["with new errors"]) == (4, 0, 0)
    assert files["planted"] == 24 and files["down"] >= 0.9
    assert passed["lines"] == 33 and passed["untouched"][0] == 1.0 > passed["untouched without the rule"][0]
    assert "| all | 4 | 0 | 24 |" in render(figures)
