"""Redaction styles: what they show, what they never show, and that they read the same the second time."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from datetime import date
from xml.etree import ElementTree

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reticent.policy.policy import Policy
from reticent.policy.redaction import MASK_LENGTH, RedactionStyle, Redactor, tag
from reticent.policy.verdict import Action, Decision, Origin, Tier, Verdict
from reticent_detectors.entities import GENERAL, UNDECIDED, Entity
from reticent_detectors.errors import InputError, PolicyError
from reticent_detectors.features.cue import normalize
from reticent_detectors.finder import SpanFinder
from reticent_detectors.finder.table import recognizers
from reticent_detectors.spans import FindContext, Span

KEY, OTHER_KEY = b"k" * 32, b"o" * 32
REDACTED = Decision(Action.REDACT, Verdict(Origin.MEMORIZED, 0.9, 0.0, Tier.HIDDEN))
PHONE, EMAIL = Entity.PHONE_NUMBER, Entity.EMAIL_ADDRESS
VALUES: dict[str, str] = {
    Entity.ADDRESS: "12 Hazel Street, Springfield, IL 62704",
    Entity.PHONE_NUMBER: "+1 (202) 555-0147",
    Entity.EMAIL_ADDRESS: "jane.roe@example.com",
    Entity.BANK_ACCOUNT: "GB33BUKB20201555555555",
    Entity.TRANSACTION_AMOUNT: "$1,473.00",
    Entity.DIAGNOSIS: "Celiac disease",
    Entity.PRESCRIPTION: "Metformin",
    Entity.ORDER_NUMBER: "123e4567-e89b-42d3-a456-426614174000",
    Entity.FLIGHT: "Lisbon to Oslo on 12 May 2031",
    Entity.CREDIT_CARD_DIGITS: "7036",
    Entity.DOCTOR: "Dr. Jane Birch",
    Entity.HOSPITAL: "Maple Valley Hospital",
    Entity.EMPLOYER: "Cedar and Sons",
    Entity.JOB_TITLE: "Engineer, civil (consulting)",
    Entity.UTILITY_BILL: "$99",
    Entity.APPOINTMENT_DATE: "2024-03-24",
    Entity.CREDIT_CARD: "4111 1111 1111 1111",
    Entity.IBAN_CODE: "DE89370400440532013000",
    Entity.US_SSN: "536-90-4399",
    Entity.US_ITIN: "912-78-1234",
    Entity.NATIONAL_ID: "12345678Z",
    Entity.TAX_ID: "36574261809",
    Entity.PASSPORT: "C01X00T47",
    Entity.DRIVER_LICENSE: "D1234562",
    Entity.MEDICAL_RECORD_NUMBER: "MRN-0048213",
    Entity.BIOMETRIC_ID: "FP-88213-A",
    Entity.DATE_OF_BIRTH: "1984-05-17",
    Entity.VEHICLE_ID: "AB12 CDE",
    Entity.DEVICE_ID: "F2LX9K3PHG7F",
    Entity.COORDINATES: "40.7128, -74.0060",
    Entity.IP_ADDRESS: "203.0.113.77",
    Entity.MAC_ADDRESS: "00:1A:2B:3C:4D:5E",
    Entity.URL: "https://jane.example.com/me",
    Entity.CRYPTO: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
    Entity.SECRET_KEY: "AKIAIOSFODNN7EXAMPLE",
    Entity.PASSWORD: "hunter2!Blue",
    Entity.PIN: "4071",
    Entity.USERNAME: "jroe84",
    Entity.NRP: "Lutheran",
    Entity.SEXUAL_ORIENTATION: "bisexual",
    Entity.CRIMINAL_RECORD: "shoplifting",
    Entity.PERSON: "Jane Roe",
    Entity.LOCATION: "Springfield",
    Entity.ORGANIZATION: "Cedar Trust",
    Entity.DATE_TIME: "next Tuesday",
    Entity.OTHER: "quokka",
    "BADGE_{NO}": "b-1234",
}
ENTITIES = st.sampled_from(sorted(VALUES))
# What every surrogate of a kind has in common, letters and digits alone.
FIXED = {
    Entity.ADDRESS: ("examplestreetsampletownzz00000",),
    Entity.PHONE_NUMBER: ("55501",),
    Entity.EMAIL_ADDRESS: ("exampleinvalid",),
    Entity.BANK_ACCOUNT: ("zz00",),
    Entity.ORDER_NUMBER: ("sample",),
    Entity.DOCTOR: ("sample",),
    Entity.HOSPITAL: ("samplehospital",),
    Entity.EMPLOYER: ("samplecompany",),
    Entity.DIAGNOSIS: ("diagnosis",),
    Entity.PRESCRIPTION: ("prescription",),
    Entity.JOB_TITLE: ("jobtitle",),
    "BADGE_{NO}": ("badgeno",),
}
TEXTS = st.one_of(
    st.text(alphabet="0123456789 -.", min_size=1, max_size=24),
    st.text(alphabet="0123456789abcdef", min_size=1, max_size=40),
    st.text(min_size=1, max_size=30),
    st.sampled_from(sorted(VALUES.values())),
    st.from_regex(r"(alder|birch|sample)[.][0-9a-f]{4}@example[.]invalid", fullmatch=True),
)
KEYS = st.binary(min_size=16, max_size=80)


def redactor(style: RedactionStyle, key: bytes = KEY) -> Redactor:
    return Policy(redaction=style).redactor(key)


def replacement(redact: Redactor, value: str, entity: str = PHONE, start: int = 0, fragment: bool = False) -> str:
    return redact(Span(entity, start, start + len(value), "", fragment), REDACTED, value)


def windows(text: str) -> set[str]:
    return {text[at : at + 4] for at in range(len(text) - 3)}


HASH, SURROGATE = redactor(RedactionStyle.HASH), redactor(RedactionStyle.SURROGATE)
LINKING = pytest.mark.parametrize("style", [RedactionStyle.HASH, RedactionStyle.SURROGATE])


def test_how_each_style_looks() -> None:
    assert replacement(redactor(RedactionStyle.TAG), "555-0100") == "<PHONE_NUMBER>" == tag(Span(PHONE, 0, 8), REDACTED)
    assert replacement(redactor(RedactionStyle.MASK), "555-0100") == "████"
    assert re.fullmatch(r"<PHONE_NUMBER_[0-9a-f]{6}>", replacement(HASH, "555-0100"))
    assert re.fullmatch(r"‹[2-9]9\d-555-01\d\d›", replacement(SURROGATE, "202-456-1414"))


@given(entity=ENTITIES, value=TEXTS, fragment=st.booleans())
def test_a_mask_is_the_same_for_every_value_of_every_kind(entity: str, value: str, fragment: bool) -> None:
    masked = Policy(redaction=RedactionStyle.MASK, mask_char="*").redactor(KEY)
    assert replacement(masked, value, entity, fragment=fragment) == "*" * MASK_LENGTH


@given(entity=ENTITIES, value=TEXTS, fragment=st.booleans())
def test_a_tag_is_the_same_for_every_value_of_a_kind(entity: str, value: str, fragment: bool) -> None:
    assert replacement(redactor(RedactionStyle.TAG), value, entity, fragment=fragment) == f"<{entity}>"


# What is never shown


@given(entity=ENTITIES, value=TEXTS, key=KEYS)
def test_a_hash_shares_no_four_letters_or_digits_with_the_value(entity: str, value: str, key: bytes) -> None:
    token = replacement(redactor(RedactionStyle.HASH, key), value, entity).removeprefix(f"<{entity}").strip("_>")
    form = normalize(value, entity)
    assert re.fullmatch("[0-9a-f]{6}", token) if form else token == ""
    assert not windows(token) & windows(form)
    assert token != form or not form


def test_a_hash_is_drawn_again_until_it_shares_nothing_and_else_left_out() -> None:
    digits = "".join(hashlib.sha256(bytes([number])).hexdigest() for number in range(250))  # a quarter of all windows
    for number in range(10):
        shown = replacement(redactor(RedactionStyle.HASH, bytes([number]) * 16), digits, Entity.ORDER_NUMBER)
        assert not windows(shown.strip("<>").rpartition("_")[2]) & windows(digits)
    every = "".join(f"{number:04x}" for number in range(16**4))
    assert replacement(HASH, every, Entity.ORDER_NUMBER) == "<ORDER_NUMBER>"


@given(entity=ENTITIES, value=TEXTS, key=KEYS)
def test_a_surrogate_shares_no_four_letters_or_digits_with_the_value_beyond_what_all_share(
    entity: str, value: str, key: bytes
) -> None:
    redact = redactor(RedactionStyle.SURROGATE, key)
    assume(not redact.owns(value, entity))
    shown, form = replacement(redact, value, entity), normalize(value, entity)
    fixed = set().union(*(windows(part) for part in FIXED.get(entity, ())))
    core = normalize(shown, "")
    assert windows(core) & windows(form) <= fixed
    assert core != normalize(value, "") and (not form or normalize(shown, entity) != form)


@given(entity=ENTITIES, value=TEXTS, key=KEYS)
def test_a_surrogate_is_marked_and_breaks_no_string(entity: str, value: str, key: bytes) -> None:
    redact = redactor(RedactionStyle.SURROGATE, key)
    assume(not redact.owns(value, entity))
    shown = replacement(redact, value, entity)
    assert shown[0] == "‹" and shown[-1] == "›"
    assert not set(shown) & set("\"'`\\<>&$\n\r\t")
    assert ast.literal_eval(f'"{shown}"') == shown
    assert ElementTree.fromstring(f"<a b='{shown}'>{shown}</a>").text == shown


def drawn(entity: str) -> Iterator[str]:
    for number in range(200):
        yield replacement(SURROGATE, f"value {number}x{number:05}", entity).strip("‹›")


def test_surrogates_lie_where_nobodys_data_lie() -> None:
    assert all(re.fullmatch(r"[2-9]9\d-555-01\d\d", value) for value in drawn(PHONE))
    assert all(value.endswith("@example.invalid") for value in drawn(EMAIL))
    assert all(date.fromisoformat(value).year >= 2900 for value in drawn(Entity.APPOINTMENT_DATE))
    assert all(re.fullmatch(r"ZZ00 \d{4} \d{4}", value) for value in drawn(Entity.BANK_ACCOUNT))
    assert all(re.fullmatch(r"XTS \d{3}\.\d\d", value) for value in drawn(Entity.UTILITY_BILL))
    assert all(re.fullmatch(r"X\d{3}", value) for value in drawn(Entity.CREDIT_CARD_DIGITS))
    for entity in (Entity.DOCTOR, Entity.HOSPITAL, Entity.EMPLOYER):
        assert all(re.match(r"[A-Z][a-z]+ [A-Z][a-z]+ Sample\b", value) for value in drawn(entity))


@pytest.mark.parametrize("entity", [Entity.DIAGNOSIS, Entity.PRESCRIPTION, Entity.JOB_TITLE, "BADGE_{NO}"])
def test_no_finding_and_no_medicine_is_invented(entity: str) -> None:
    noun = entity.lower()
    assert all(re.fullmatch(rf"{re.escape(noun)}_[0-9a-f]{{6}}", value) for value in drawn(entity))


# One value, one token


@LINKING
@pytest.mark.parametrize(
    ("entity", "spellings"),
    [
        (PHONE, ["+1 (202) 456-1414", "202.456.1414", "2024561414", "1-202-456-1414"]),
        (EMAIL, ["Jane.Roe@Example.com", "jane.roe@example.com"]),
        (Entity.APPOINTMENT_DATE, ["24 March 2024", "2024-03-24", "March 24th, 2024", "3/24/2024"]),
        (Entity.TRANSACTION_AMOUNT, ["$1,473.00", "1473 dollars", "$1473"]),
        (Entity.DOCTOR, ["Dr. Jane Roe", "Jane Roe", "JANE ROE"]),
    ],
)
def test_respellings_agree(style: RedactionStyle, entity: str, spellings: list[str]) -> None:
    assert len({replacement(redactor(style), value, entity) for value in spellings}) == 1


@LINKING
@given(values=st.lists(st.text("0123456789", min_size=10, max_size=12), min_size=4, max_size=4, unique=True), key=KEYS)
def test_the_key_decides_and_nothing_else_does(style: RedactionStyle, values: list[str], key: bytes) -> None:
    assume(key != OTHER_KEY and len({normalize(value, PHONE) for value in values}) == 4)
    once, again, other = (
        [replacement(redactor(style, k), value) for value in values] for k in (key, bytes(bytearray(key)), OTHER_KEY)
    )
    assert once == again != other
    assert len(set(once)) > 1


@LINKING
def test_the_same_text_as_another_kind_has_another_token(style: RedactionStyle) -> None:
    redact = redactor(style)
    tokens = {
        replacement(redact, "7036 1234", entity).rpartition("_")[2] for entity in (Entity.BANK_ACCOUNT, PHONE, EMAIL)
    }
    assert len(tokens) == 3


def test_hashes_of_different_values_differ() -> None:
    assert len({replacement(HASH, f"202456{number:04}") for number in range(1000)}) >= 999


def test_surrogates_use_their_whole_range() -> None:
    seen = {replacement(SURROGATE, f"20245{number:05}") for number in range(3000)}
    assert 850 < len(seen) <= 1100  # about 1,000 there are


# Spans that are not whole


@LINKING
def test_the_part_in_the_prompt_counts_for_the_token(style: RedactionStyle) -> None:
    redact, value = redactor(style), "202-456-1414"
    assert {replacement(redact, value, start=-at) for at in range(len(value))} == {replacement(redact, value)}


def test_a_fragment_has_no_token() -> None:
    assert replacement(HASH, "202-456", fragment=True) == "<PHONE_NUMBER>"
    assert replacement(SURROGATE, "202-456", fragment=True) == "‹phone number›"


@pytest.mark.parametrize("value", ["", "---", "ext"])
def test_a_value_without_a_form_has_no_token(value: str) -> None:
    assert replacement(HASH, value) == "<PHONE_NUMBER>"
    assert replacement(SURROGATE, value) == "‹phone number›"


def test_undecided_text_is_tagged() -> None:
    assert {replacement(redact, "anything 12", UNDECIDED) for redact in (HASH, SURROGATE)} == {"<UNDECIDED>"}


@pytest.mark.parametrize("value", ["\ud800", "\x00" * 3 + "1234567", "9" * 5000, "٢٠٢٤٥٦١٤١٤"])
@pytest.mark.parametrize("style", list(RedactionStyle))
def test_odd_values_are_replaced_as_well(style: RedactionStyle, value: str) -> None:
    assert value not in replacement(redactor(style), value, Entity.ORDER_NUMBER)


# Read again


SENTENCES = {
    Entity.ADDRESS: "His home address is {}.",
    Entity.PHONE_NUMBER: "Jane Roe's phone number is {}.",
    Entity.EMAIL_ADDRESS: "Write to Jane Roe's e-mail address {} today.",
    Entity.BANK_ACCOUNT: "Jane Roe's bank account number is {}.",
    Entity.TRANSACTION_AMOUNT: "Jane Roe paid {} for the bike.",
    Entity.DIAGNOSIS: "Jane Roe was diagnosed with {}.",
    Entity.PRESCRIPTION: "Jane Roe takes {}.",
    Entity.ORDER_NUMBER: "Jane Roe's order number is {}.",
    Entity.FLIGHT: "Jane Roe's flight is {}.",
    Entity.CREDIT_CARD_DIGITS: "Jane Roe's credit card ends in {}.",
    Entity.DOCTOR: "Jane Roe's doctor is {}.",
    Entity.HOSPITAL: "Jane Roe was treated at the hospital {}.",
    Entity.EMPLOYER: "Jane Roe works for {}.",
    Entity.JOB_TITLE: "Jane Roe works as a {}.",
    Entity.UTILITY_BILL: "Jane Roe's utility bill is {}.",
    Entity.APPOINTMENT_DATE: "Jane Roe's appointment is on {}.",
    Entity.CREDIT_CARD: "Jane Roe's card number is {}.",
    Entity.IBAN_CODE: "Pay into {} today.",
    Entity.US_SSN: "Jane Roe's social security number is {}.",
    Entity.US_ITIN: "Jane Roe's ITIN is {}.",
    Entity.NATIONAL_ID: "Jane Roe's identity number is {}.",
    Entity.TAX_ID: "Jane Roe's tax number is {}.",
    Entity.PASSPORT: "Jane Roe's passport number is {}.",
    Entity.DRIVER_LICENSE: "Jane Roe's driving licence is {}.",
    Entity.MEDICAL_RECORD_NUMBER: "Jane Roe's medical record number is {}.",
    Entity.BIOMETRIC_ID: "Jane Roe's fingerprint ID is {}.",
    Entity.DATE_OF_BIRTH: "Jane Roe was born on {}.",
    Entity.VEHICLE_ID: "Jane Roe's number plate is {}.",
    Entity.DEVICE_ID: "Her phone's serial number is {}.",
    Entity.COORDINATES: "Her coordinates are {}.",
    Entity.IP_ADDRESS: "She came from the IP address {}.",
    Entity.MAC_ADDRESS: "Her laptop's MAC address is {}.",
    Entity.URL: "Her site is {}.",
    Entity.CRYPTO: "Her Bitcoin wallet is {}.",
    Entity.SECRET_KEY: "api_key = '{}'",
    Entity.PASSWORD: "Jane Roe's password is {}.",
    Entity.PIN: "Jane Roe's PIN is {}.",
    Entity.USERNAME: "Jane Roe's user name is {}.",
    Entity.NRP: "She is a {}.",
    Entity.SEXUAL_ORIENTATION: "Jane Roe is {}.",
    Entity.CRIMINAL_RECORD: "Jane Roe was convicted of {}.",
    Entity.PERSON: "Her name is {}.",
    Entity.LOCATION: "She lives in {}.",
    Entity.ORGANIZATION: "She gives to the {}.",
    Entity.DATE_TIME: "We meet {}.",
    Entity.OTHER: "She keeps a {}.",
}


def redact_all(text: str, redact: Redactor, entity: Entity) -> str:
    out, at, finder = "", 0, SpanFinder(recognizers({entity} & GENERAL))
    while (span := finder.next_span(text, at, context=FindContext(), closed=True).span) is not None:
        out += text[at : span.answer_start] + redact(span, REDACTED, text[span.start : span.end])
        at = span.end
    return out + text[at:]


@pytest.mark.parametrize("style", list(RedactionStyle))
@pytest.mark.parametrize("entity", list(Entity))
def test_released_text_comes_out_as_it_went_in(style: RedactionStyle, entity: Entity) -> None:
    for number in range(12):
        redact = redactor(style, bytes([number]) * 16)
        for sentence in (SENTENCES[entity], f"{entity.replace('_', ' ').title()}: {{}}", "{}"):
            released = sentence.format(replacement(redact, VALUES[entity], entity))
            assert redact_all(released, redact, entity) == released


def test_a_redactor_knows_its_own_and_no_others() -> None:
    other = redactor(RedactionStyle.SURROGATE, OTHER_KEY)
    own = 0
    for number in range(400):
        surrogate = replacement(SURROGATE, f"jane{number}@example.com", EMAIL)
        assert SURROGATE.owns(surrogate, EMAIL) and SURROGATE.owns(surrogate.strip("‹›"), EMAIL)
        assert not SURROGATE.owns(surrogate, PHONE) and not HASH.owns(surrogate, EMAIL)
        own += other.owns(surrogate, EMAIL)
    assert own < 100  # 50 expected
    assert not any(SURROGATE.owns(value, entity) for entity, value in VALUES.items())


def test_of_an_own_surrogate_that_begins_in_the_prompt_the_rest_stays() -> None:
    surrogate = replacement(SURROGATE, VALUES[EMAIL], EMAIL).strip("‹›")
    for at in range(len(surrogate)):
        assert replacement(SURROGATE, surrogate, EMAIL, start=-at) == surrogate[at:]


# Bad input


@pytest.mark.parametrize("style", list(RedactionStyle))
def test_a_short_key_is_refused(style: RedactionStyle) -> None:
    with pytest.raises(InputError, match=r"at least 16 bytes, got 15.*token_bytes"):
        redactor(style, b"x" * 15)


@pytest.mark.parametrize("char", ["", "ab", "x", "7", " ", "\n", "\u0301", "\u200b", 5, None])
def test_a_mask_is_one_visible_mark(char: object) -> None:
    with pytest.raises(PolicyError, match=r"mask_char.*'█'"):
        Policy(mask_char=char)  # type: ignore[arg-type]


def test_a_redactor_does_not_show_its_key() -> None:
    redact = redactor(RedactionStyle.HASH, b"\x01\x02" * 16)
    assert "key" not in repr(redact) and redact.key != b"\x01\x02" * 16
