"""Recognisers in a policy: what they find, however a text is cut, and which patterns are refused."""

from __future__ import annotations

import pickle
import re
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from timing import cpu_seconds

from reticent import TextGuard
from reticent.policy.loading import parse_policy
from reticent.policy.policy_warning import PolicyWarning
from reticent_detectors.errors import InputError, PolicyError
from reticent_detectors.finder.own_forms import CHECKS, OwnForm
from reticent_detectors.finder.pattern_cost import check_pattern

EMPLOYEE = r"""
recognizers:
  EMPLOYEE_ID:
    pattern: 'EMP-[0-9]{6}'
    context: [employee, staff number]
    examples: [EMP-471104]
  BADGE:
    pattern: '[A-Z]{2}[0-9]{4}-[0-9]{3,5}'
    examples: [QX4711-042, QX4711-04211]
  MEMBER:
    pattern: 'M[0-9]{9}'
    check: luhn
    examples: [M799273983]
entities:
  BADGE: {unknown: block}
"""
LUHN = "M123456782"


def policy(text: str = EMPLOYEE.replace("M799273983", LUHN)) -> str:
    return text


GUARD = TextGuard(parse_policy(policy()))


def test_a_form_is_found_and_redacted_by_its_kind() -> None:
    shown = GUARD.redact("The employee EMP-471104 has M123456782, not M123456789 and no EMP-47110 or XEMP-471104.")
    assert shown.text.startswith("The employee <EMPLOYEE_ID> has <MEMBER>, not ")
    own = [span.entity for span in shown.report.spans if span.entity in ("EMPLOYEE_ID", "MEMBER")]
    assert own == ["EMPLOYEE_ID", "MEMBER"]


def test_rules_may_name_its_kind() -> None:
    shown = GUARD.redact("Her badge is QX4711-042 and so on.")
    assert shown.text == "Her badge is " and shown.report.blocked


def test_a_word_has_to_stand_before_it_or_in_the_question() -> None:
    alone = "Part EMP-471104 is sold out."
    assert GUARD.redact(alone).text == alone
    assert GUARD.redact("Staff number: EMP-471104.").text == "Staff number: <EMPLOYEE_ID>."
    assert GUARD.redact("EMP-471104", user="Which employee is it?").text == "<EMPLOYEE_ID>"
    far = f"The employee {'and so on ' * 15} EMP-471104"
    assert "EMPLOYEE_ID" not in GUARD.redact(far).text


def test_what_the_user_typed_passes() -> None:
    text = "The employee EMP-471104."
    assert GUARD.redact(text, user="Who is employee EMP-471104?").text == text


@given(st.lists(st.integers(1, 9), max_size=30))
def test_cuts_change_nothing(sizes: list[int]) -> None:
    text = "Our employee EMP-471104 and staff number EMP-998877, M123456782, EMP-1 (EMP-000000)."
    chunks, at = [], 0
    for size in [*sizes, len(text)]:
        chunks.append(text[at : at + size])
        at += size
    assert "".join(GUARD.stream(chunks)) == GUARD.redact(text).text


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("(a+)+b", "more than 10000 ways"),
        (r"(\w*\d*)*x", "more than 10000 ways"),
        ("(a|aa)+b", "more than 10000 ways"),
        (r"\d+\d+\d+", "more than 10000 ways"),
        ("(?:x{0,9}){12}", "more than 10000 ways"),
        ("a(b", "no regular expression"),
        ("(?=a)b", "not allowed"),
        ("^abc$", "not allowed"),
        (r"(a)\1", "not allowed"),
        (r"\babc\b", "not allowed"),
        ("(?R)", "not allowed"),
        ("a(?i)b", "not allowed"),
        ("[0-9]{0,4}", "the empty text"),
    ],
)
def test_a_costly_or_odd_pattern_is_refused(pattern: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        check_pattern(pattern)
    written = pattern.replace("'", "''")
    with pytest.raises(PolicyError, match=f"recognizers.OWN.*{words}"):
        parse_policy(f"recognizers: {{OWN: {{pattern: '{written}', examples: [abc]}}}}")


@pytest.mark.parametrize(
    "pattern",
    [
        "EMP-[0-9]{6}",
        r"[A-Z]{2}-?\d{4,6}",
        r"(?i:emp)[ -]?\d{3}(?: \d{3}){2}",
        "(?:AB|CD|E[FG])-[^\\W_]{1,40}",
        r"\p{Lu}{3}\.\d+",
    ],
)
def test_ordinary_patterns_are_taken(pattern: str) -> None:
    check_pattern(pattern)


def test_the_costliest_pattern_that_is_taken_costs_little() -> None:
    guard = TextGuard(
        parse_policy(r"recognizers: {OWN: {pattern: '[a-z1]{1,21}[a-z1]{1,21}[a-z1]{1,21}!', examples: ['a1b!']}}")
    )
    for text in ("a1" * 3000, "a1a " * 1500, "a" * 6000):
        assert cpu_seconds(lambda text=text: guard.redact(text)) < 0.001 * len(text)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{OWN: {pattern: 'A[0-9]{4}', examples: [B1234]}}", "example 1 is not found"),
        ("{OWN: {pattern: '#[0-9]{4}', examples: ['#1234']}}", "example 1 is not found"),
        ("{OWN: {pattern: 'A[0-9]{4}', check: luhn, examples: [A1234]}}", "example 1 is not found.*luhn"),
        ("{OWN: {pattern: 'A[0-9]{4}', check: lunh, examples: [A1234]}}", "no check 'lunh'.*luhn"),
        ("{OWN: {pattern: 'A[0-9]{4}'}}", "'recognizers.OWN.examples'"),
        ("{OWN: {patern: 'A', examples: [A]}}", "'patern'.*Did you mean 'pattern'"),
        ("{own: {pattern: 'A1', examples: [A1]}}", "capitals"),
        ("{DEFAULT: {pattern: 'A1', examples: [A1]}}", "DEFAULT"),
        ("{OWN: {pattern: 'A1', context: [''], examples: [A1]}}", "'recognizers.OWN.context.0'"),
    ],
)
def test_a_recogniser_that_could_not_work_is_refused(text: str, words: str) -> None:
    with pytest.raises(PolicyError, match=words) as error:
        parse_policy(f"recognizers: {text}")
    assert "1234" not in str(error.value)


def test_a_further_form_of_a_kind_of_ours() -> None:
    guard = TextGuard(
        parse_policy("recognizers: {MEDICAL_RECORD_NUMBER: {pattern: 'KH[0-9]{8}', examples: [KH12345678]}}")
    )
    assert guard.redact("It is KH12345678.").text == "It is <MEDICAL_RECORD_NUMBER>."


def test_a_policy_with_recognisers_is_copied_and_told_apart() -> None:
    own, other = parse_policy(policy()), parse_policy(policy().replace("{6}", "{6,7}"))
    assert own.digest_hex != other.digest_hex and own.digest_hex == parse_policy(policy()).digest_hex
    copied = pickle.loads(pickle.dumps(own))
    assert copied.recognizers == own.recognizers and copied.digest_hex == own.digest_hex
    assert "EMP" not in repr(own.recognizers[0].pattern) or "pattern" not in repr(own)


@pytest.mark.parametrize("check", sorted(CHECKS))
def test_every_check_refuses_most_values(check: str) -> None:
    values = [f"{number:09d}" for number in range(123456000, 123457000)]
    assert 0 < sum(CHECKS[check](value) for value in values) < 150


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("deny_list: [Falcon]", r"deny_list\[0\].*recognizers"),
        ("deny_list: [555-010-0199, Falcon]", r"deny_list\[1\].*recognizers"),
        ("custom_entities: [PROJECT]", "PROJECT.*recognizers"),
    ],
)
def test_what_nothing_can_find_warns(text: str, words: str) -> None:
    with pytest.warns(PolicyWarning, match=words) as caught:
        TextGuard(parse_policy(text)).redact("Good morning.")
    assert len(caught) == 1 and "Falcon" not in str(caught[0].message)


@pytest.mark.parametrize(
    "text",
    [
        "deny_list: [555-010-0199, jane.roe@post.test]",
        "{deny_list: [Falcon], recognizers: {PROJECT: {pattern: Falcon, examples: [Falcon]}}}",
        "{custom_entities: [PROJECT], recognizers: {PROJECT: {pattern: Falcon, examples: [Falcon]}}}",
    ],
)
def test_what_can_be_found_does_not(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TextGuard(parse_policy(text)).redact("Good morning.")


@pytest.mark.parametrize("entity", ["badge no 4", "badge", "BADGE\n", "4711", "DEFAULT", "", "B" * 65])
def test_a_kind_that_is_no_name_of_one_is_refused(entity: str) -> None:
    with pytest.raises(InputError, match=r"^expected a kind's name of capitals") as error:
        OwnForm(entity, "B-[0-9]{4}")
    assert "badge" not in str(error.value) and "4711" not in str(error.value)


def test_an_own_form_shows_no_pattern() -> None:
    assert repr(OwnForm("A", "Falcon")) == "OwnForm(entity='A', context=(), check='')"


def test_the_documents_example_does_what_stands_there() -> None:
    page = (Path(__file__).resolve().parent.parent / "docs" / "policy.md").read_text()
    (written,) = re.findall(r"```yaml\n# policy.yaml\n(recognizers:.*?)```", page, re.S)
    (text, shown) = re.findall(r'echo "(Card [^"]*)" \| reticent redact --policy policy.yaml\n(.*)', page)[0]
    guard = TextGuard(parse_policy(written))
    assert guard.redact(text).text == shown
    assert guard.redact("Our employee EMP-471104 called.").text == "Our employee "
