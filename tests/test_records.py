"""The records index: what it finds re-spelled, what it does not, and what its file gives away."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reticent import records as module
from reticent.records import RecordsIndex, read_key, write_key
from reticent.spellings import SPELLING_VERSION, forms
from reticent_detectors.cue import normalize
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError

KEY = bytes(range(32))
E = Entity

# A record's value, and how it may come back.
SAME: list[tuple[Entity, str, str]] = [
    (
        E.PHONE_NUMBER,
        "+1-555-010-0100 x12",
        "555.010.0100|15550100100|(555) 010-0100 ext. 12|tel: 555 010 0100|+1 555 010 0100|call 555-010-0100 now|"
        "5550100100 #12|001 555 010 0100|+1-555-010-0100x12",
    ),
    (E.PHONE_NUMBER, "555-010-0100", "+1 (555) 010-0100|1.555.010.0100|555 010 0100 extension 7|55501 00100"),
    (E.PHONE_NUMBER, "020 7946 0958", "+44 20 7946 0958|0044 20 7946 0958|+44 (0)20 7946 0958|442079460958"),
    (E.PHONE_NUMBER, "+49 30 1234567", "030 1234567|030/1234567|0049301234567|+49 (0)30 1234567"),
    (E.PHONE_NUMBER, "+351 21 123 4567", "21 123 4567|00351211234567|351211234567"),
    (
        E.BANK_ACCOUNT,
        "GB29NWBK60161331926819",
        "GB29 NWBK 6016 1331 9268 19|IBAN gb29-nwbk-60161331926819|account GB29NWBK60161331926819 is|"
        "GB29NWBK6O16l33I926819|payable to GB29 NWBK 6016 1331 9268 19|2960161331926819",
    ),
    (E.BANK_ACCOUNT, "ABCO12345678901234", "12345678901234|abco 1234 5678 9012 34|ABC012345678901234"),
    (
        E.ORDER_NUMBER,
        "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
        "1B9D6BCDBBFD4B2D9B5DAB8DFBBD4BED|order number 1b9d6bcd bbfd 4b2d 9b5d ab8dfbbd4bed",
    ),
    (E.CREDIT_CARD_DIGITS, "4111 1111 1111 7036", "7036|ending in 7036|xxxx-xxxx-xxxx-7036|4111111111117036"),
    (E.CREDIT_CARD_DIGITS, "7036", "7 0 3 6|**** 7036|the last four digits are 7036|4111-1111-1111-7036"),
    (
        E.TRANSACTION_AMOUNT,
        "$1473",
        "1,473.00|USD 1473|1473 dollars|1.473,00 €|1 473|1'473|1473 dollars and 0 cents|about $1473 in total",
    ),
    (E.TRANSACTION_AMOUNT, "$1473.50", "1,473.5|1473 dollars and 50 cents|1.473,50 EUR|1473 US dollars and 50 cents"),
    (E.TRANSACTION_AMOUNT, "$1473.05", "1473 dollars and 5 cents|1473,05"),
    (E.UTILITY_BILL, "$120", "120.00|120 dollars|2 bills of $120"),
    (
        E.APPOINTMENT_DATE,
        "2024-03-04",
        "03/04/2024|04/03/2024|4 March 2024|March 4th, 2024|Mar. 4 2024|20240304|04.03.24|the 4th of March 2024|"
        "Monday, 4 Mar 2024 at 10:30|2024/3/4|2024 March 4|4-Mar-2024|04032024|March the 4th, '24|2024-03-04T10:30",
    ),
    (E.APPOINTMENT_DATE, "03/04/2024", "2024-03-04|2024-04-03|4 March 2024|April 3, 2024"),
    (E.APPOINTMENT_DATE, "12/31/85", "1985-12-31|31 December 1985"),
    (
        E.EMAIL_ADDRESS,
        "jane.roe+news@example.com",
        "JANE.ROE+news@EXAMPLE.COM|jane.roe (at) example (dot) com|jane.roe+news [at] example [dot] com|"
        "janeroe@example.com|<jane.roe+news@example.com>|mailto:jane.roe@example.com|jane_roe+news @ example.com|"
        "jane.roe+news at example dot com|write to jane.roe+news@example.com today|Jane Roe <jane.roe@example.com>",
    ),
    (
        E.ADDRESS,
        "123 North Main Street Apt. 4, Springfield, Illinois 62704",
        "123 N. Main St #4, Springfield IL 62704|123 N Main St|123 N Main St Apt 4|123 North Main Str, Springfield|"
        "123 N Main St, Springfield, IL|123 N Main St, 62704|123 N Main St, Springfield, IL 62704-1234, USA|"
        "at 123 N Main St, Springfield, IL 62704 since|123 north main street\nSpringfield, il|"
        "Attn Roe, 123 N Main St #4, Springfield IL 62704|123 N Main St., Apartment 4, Springfield, IL 62704",
    ),
    (E.ADDRESS, "123 Main Street", "123 Main St, Springfield, IL 62704|123 Main St Suite 4, Springfield|home: 123 main st"),
    (E.ADDRESS, "PSC 1234, Box 5678, APO AA 12345", "PSC 1234 Box 5678|psc 1234, box 5678, APO, AA"),
    (E.ADDRESS, "USNS Roe, FPO AE 12345", "USNS Roe FPO AE 12345|U.S.N.S. Roe, FPO AE"),
    (E.ADDRESS, "12 Rue de l'Église, 75001 Paris", "12 rue de l’Eglise, 75001 Paris|12, Rue de l'Eglise|12 RUE DE L'EGLISE, PARIS"),
    (
        E.DOCTOR,
        "Jane Anne Roe",
        "Dr. Jane Roe|Roe, Jane|Jane A. Roe|J. Roe|J. A. Roe|Jane Roe, M.D.|Prof. Dr. Jane Anne Roe PhD|Jane Roe at|"
        "JANE ROE|Dr Jane Roe's|Ja-ne An-ne Roe|Roe Jane Anne|doctor Jane Anne Roe who works|Roe, Dr. Jane A.|"
        "Jane A. Roe, Jr.",
    ),
    (E.DOCTOR, "J. Roe", "Jane Roe|Dr. J Roe"),
    (E.DOCTOR, "An Roe", "An Roe at Acme Clinic|Dr. An Roe"),
    (
        E.DOCTOR,
        "Jürgen Müller-Lüdenscheidt",
        "Juergen Mueller Luedenscheidt|Jurgen Muller-Ludenscheidt|JÜRGEN MÜLLER LÜDENSCHEIDT|Dr. J. Müller-Lüdenscheidt",
    ),
    (E.DOCTOR, "Søren Ångström", "Soren Angstrom|Soeren Aangstroem|SOREN ANGSTROM"),
    (E.DOCTOR, "Soeren Roe", "Søren Roe|Sören Roe"),
    (E.DOCTOR, "李小龙", "李 小龙"),
    (E.EMPLOYER, "Smith, Jones and Roe", "Smith, Jones & Roe|Smith Jones Roe|the Smith-Jones and Roe"),
    (E.EMPLOYER, "Roe Acme Incorporated", "Roe Acme Inc.|Roe Acme|roe-acme inc|at Roe Acme, Inc. since May"),
    (E.EMPLOYER, "R.O.E. Corp.", "ROE Corporation|R O E corp"),
    (E.HOSPITAL, "St. Mary University Hospital", "Saint Mary Univ. Hosp.|St. Mary University Hospital in Springfield"),
    (E.DIAGNOSIS, "Type 2 diabetes", "diabetes type II|Type-2-Diabetes|severe type 2 diabetes"),
    (E.DIAGNOSIS, "Crohn disease", "Crohn's|Crohn's disease|Crohns disease|Crohn’s Disease"),
    (E.DIAGNOSIS, "Anemia", "anaemia|severe anemia|anemia since last spring"),
    (E.PRESCRIPTION, "Metformin", "Metformin 500 mg|metformin twice daily"),
    (E.PRESCRIPTION, "Metformin 500 mg", "metformin|Metformin 500mg tablets"),
    (E.JOB_TITLE, "Engineer, mining", "Mining engineer|engineer (mining)|Mining Eng.|a mining engineer since May"),
    (E.JOB_TITLE, "Scientist, research (life sciences)", "Research scientist (life sciences)|research scientist"),
    (E.JOB_TITLE, "IT consultant", "it consultant|an IT consultant since May"),
    (
        E.FLIGHT,
        "West Roeville to St. Louis on 2024-03-04",
        "from West Roeville to Saint Louis on March 4, 2024|W. Roeville → St Louis (04/03/2024)|"
        "West Roeville to St. Louis|2024-03-04: West Roeville to St. Louis|"
        "is flying from West Roeville to St. Louis on 4 March 2024|flight West Roeville - St Louis, 4 Mar 2024",
    ),
]  # fmt: skip

# Values that look like a record's and are others.
OTHERS: list[tuple[Entity, str, str]] = [
    (E.PHONE_NUMBER, "555-010-0100", "555-010-0101|010-0100|555-010-010|+44 555 010 0101"),
    (E.BANK_ACCOUNT, "GB29NWBK60161331926819", "GB29NWBK60161331926818|60161331926818|6819"),
    (E.ORDER_NUMBER, "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bee|1b9d6bcd"),
    (E.CREDIT_CARD_DIGITS, "4111 1111 1111 7036", "7037|1111|4111"),
    (E.BANK_ACCOUNT, "4111111111117036", "7036"),
    (E.TRANSACTION_AMOUNT, "$1473", "$1474|$14.73|$147|$1473.50|14730"),
    (E.APPOINTMENT_DATE, "2024-03-04", "2024-03-05|2023-03-04|March 4|March 2024"),
    (E.APPOINTMENT_DATE, "2024-12-25", "2025-12-24|25 November 2024"),
    (E.EMAIL_ADDRESS, "jane.roe@example.com", "jane.roe@example.org|jane.row@example.com|joan.roe@example.com|example.com"),
    (
        E.ADDRESS,
        "123 Main Street Apt. 4, Springfield, IL 62704",
        "124 Main Street, Springfield, IL 62704|123 Main Street, Shelbyville, IL 62705|Springfield, IL 62704|"
        "123 Main Street Apt. 5, Springfield, IL 62704|Main Street|123",
    ),
    (E.DOCTOR, "Jane Anne Roe", "Roe|Jane|Joan Roe|Anne Jane|Jane Doe|Richard Roe|A. Roe"),
    (E.DOCTOR, "Roe", "Richard Roe"),
    (E.EMPLOYER, "Roe Inc", "Roe LLC|Roe and Sons|Roe Group|Smith, Roe and Jones"),
    (E.EMPLOYER, "Roe", "Roe-Smith|Roe, Smith and Jones"),
    (E.DIAGNOSIS, "Type 2 diabetes", "Type 1 diabetes|diabetes"),
    (E.PRESCRIPTION, "Metformin", "Metoprolol"),
    (E.JOB_TITLE, "Engineer, mining", "Engineer, civil|Engineer|mining"),
    (E.JOB_TITLE, "Engineer", "Engineer, mining"),
    (E.FLIGHT, "Roeville to Doetown on 2024-03-04", "Roeville to Doetown on 2024-03-05|Doetown to Roeville|Roeville"),
]  # fmt: skip

PAIRS = [(entity, value, asked) for entity, value, spelled in SAME for asked in (value, *spelled.split("|"))]


def one(entity: str, value: str) -> RecordsIndex:
    return RecordsIndex.build([(entity, value)], key=KEY)


@pytest.fixture(scope="module")
def index() -> RecordsIndex:
    return RecordsIndex.build(((entity, value) for entity, value, _ in SAME), key=KEY)


# What it finds


@pytest.mark.parametrize(("entity", "value", "asked"), PAIRS)
def test_a_value_is_found_however_it_is_spelled(entity: Entity, value: str, asked: str) -> None:
    assert one(entity, value).contains(asked, entity)


WAYS = {
    "capitals": str.upper,
    "small letters": str.lower,
    "full width": lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
    "zero width": lambda text: "\u200b".join(text),
    "soft hyphens": lambda text: "\u00ad".join(text),
    "Cyrillic": lambda text: text.translate(str.maketrans("AEOPCaeopcxyi", "АЕОРСаеорсхуі")),
    "Greek": lambda text: text.translate(str.maketrans("AEOPBKMTov", "ΑΕΟΡΒΚΜΤον")),
    "accents": lambda text: text.translate(str.maketrans("aeoncAEON", "áéóñçÁÉÓÑ")),
    "combining": lambda text: "".join(c + "\u0301" if c in "aeouy" else c for c in text),
    "spaces": lambda text: text.replace(" ", "  "),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_spelling_is_found_in_other_letters_as_well(way: str) -> None:
    for entity, value, asked in PAIRS:
        if way in ("capitals", "small letters") or asked.isascii():
            assert one(entity, value).contains(WAYS[way](asked), entity), (value, asked)


@pytest.mark.parametrize("way", WAYS)
def test_a_record_in_other_letters_is_found_in_plain_ones(way: str) -> None:
    for entity, value, _ in SAME:
        if value.isascii():
            assert one(entity, WAYS[way](value)).contains(value, entity), value


@pytest.mark.parametrize(
    ("entity", "value", "asked"),
    [(entity, value, other) for entity, value, others in OTHERS for other in others.split("|")],
)
def test_another_value_is_not_found(entity: Entity, value: str, asked: str) -> None:
    assert not one(entity, value).contains(asked, entity)


def test_no_kind_is_missing_from_the_tables() -> None:
    for table in (SAME, OTHERS):
        assert {entity for entity, *_ in table} >= set(Entity) - {E.UTILITY_BILL, E.HOSPITAL}


@pytest.mark.parametrize(
    ("recorded", "value", "asked"),
    [
        (E.BANK_ACCOUNT, "12345678901234", E.ORDER_NUMBER),
        (E.ORDER_NUMBER, "5550100100", E.PHONE_NUMBER),
        (E.PHONE_NUMBER, "+1-555-010-0100", E.BANK_ACCOUNT),
        (E.CREDIT_CARD_DIGITS, "7036", E.ORDER_NUMBER),
        (E.TRANSACTION_AMOUNT, "$1473", E.UTILITY_BILL),
        (E.UTILITY_BILL, "$120", E.TRANSACTION_AMOUNT),
        (E.DOCTOR, "Jane Roe", E.HOSPITAL),
        (E.EMPLOYER, "Roe Acme Inc", E.HOSPITAL),
        (E.HOSPITAL, "Roe Acme Inc", E.DOCTOR),
        (E.DIAGNOSIS, "Gout", E.PRESCRIPTION),
        (E.PRESCRIPTION, "Insulin", E.DIAGNOSIS),
    ],
)
def test_entities_of_one_family_are_looked_up_together(recorded: Entity, value: str, asked: Entity) -> None:
    assert one(recorded, value).contains(value, asked)
    assert one(recorded, value).contains(value.lower() + "\u200b", asked)


@pytest.mark.parametrize(
    ("recorded", "value", "asked"),
    [
        (E.TRANSACTION_AMOUNT, "$7036", E.CREDIT_CARD_DIGITS),
        (E.APPOINTMENT_DATE, "2024-03-04", E.FLIGHT),
        (E.EMPLOYER, "Engineer", E.JOB_TITLE),
        (E.ADDRESS, "123 Main Street", E.ORDER_NUMBER),
    ],
)
def test_other_families_are_not(recorded: Entity, value: str, asked: Entity) -> None:
    assert not one(recorded, value).contains(value, asked)


def test_a_company_of_a_surname_is_not_every_doctor_of_that_name() -> None:
    index = one(E.EMPLOYER, "Roe LLC")
    assert index.contains("Roe", E.EMPLOYER)
    assert not index.contains("Dr. Roe", E.DOCTOR)


words = st.text(st.sampled_from("abcxyzABC019 .,-'@$/éüßЖοΟ小\u200b\u0301\u0660"), min_size=1, max_size=24)


@given(
    entity=st.sampled_from(list(Entity)),
    value=words,
    noise=st.lists(st.tuples(st.integers(0, 30), st.sampled_from(" .-_/\u200b\u00ad"))),
)
@example(entity=E.DOCTOR, value="ΟΔΟΣ Νίκος", noise=[])
def test_all_that_normalize_takes_for_one_is_found(entity: Entity, value: str, noise: list[tuple[int, str]]) -> None:
    index = one(entity, value)
    spelled = value
    for at, char in noise:
        spelled = spelled[:at] + char + spelled[at:]
    for asked in (value, spelled, spelled.upper(), spelled.lower()):
        if len(index) and normalize(asked, entity) == normalize(value, entity):
            assert index.contains(asked, entity)


@given(entity=st.sampled_from([*map(str, Entity), "BADGE", ""]), value=st.text(max_size=80) | words)
@example(entity="ADDRESS", value="#")
@example(entity="PHONE_NUMBER", value="\ud800 00")
@example(entity="APPOINTMENT_DATE", value="0000-13-32 99/99/99")
def test_any_text_may_be_asked_for(index: RecordsIndex, entity: str, value: str) -> None:
    assert index.contains(value, entity) in (True, False)


def test_long_and_odd_values_take_no_longer() -> None:
    index = RecordsIndex.build(((entity, value) for entity, value, _ in SAME), key=KEY)
    hostile = ["1 " * 5000, "(" * 9000, "a" * 9000, "1" + "a" * 500, " " * 500 + "@", "1,000" * 100, "Jan " * 128, "#" * 500,
               "1" + " " * 509 + "x", "dot " * 125, "a-at-" * 100, "I " * 250]  # fmt: skip
    start = time.process_time()
    for value in hostile:
        for entity in Entity:
            index.contains(value, entity)
    assert time.process_time() - start < 0.02 * len(hostile) * len(Entity)


def test_a_lookup_is_fast(index: RecordsIndex) -> None:
    asked = [(asked, entity) for entity, _, asked in PAIRS]
    start = time.process_time()
    for _ in range(5):
        for value, entity in asked:
            index.contains(f"x{value}", entity)
    assert (time.process_time() - start) / (5 * len(asked)) < 250e-6  # about 25 on an idle core


# What is worth an entry


def test_counts_are_of_different_values_and_short_ones_are_left_out() -> None:
    values = [(E.UTILITY_BILL, "$120"), (E.UTILITY_BILL, "120.00"), (E.UTILITY_BILL, "$5"), (E.DOCTOR, "N/A"),
              (E.DOCTOR, "unknown"), (E.DOCTOR, "李明"), (E.DOCTOR, "Jane Roe"), (E.FLIGHT, "-")]  # fmt: skip
    index = RecordsIndex.build(iter(values), key=KEY)
    assert dict(index.counts) == {"DOCTOR": 2, "FLIGHT": 0, "UTILITY_BILL": 1}
    assert dict(index.skipped) == {"DOCTOR": 2, "FLIGHT": 1, "UTILITY_BILL": 1}
    assert len(index) == 3
    assert not any(index.contains(value, entity) for entity, value in values if value in ("$5", "N/A", "unknown", "-"))
    with pytest.raises(TypeError):
        index.counts["DOCTOR"] = 0  # type: ignore[index]


def test_an_empty_index_holds_nothing(tmp_path: Path) -> None:
    empty = RecordsIndex.build([])
    empty.save(tmp_path / "i")
    for index in (empty, RecordsIndex.load(tmp_path / "i", key=empty.key)):
        assert (len(index), index.form_count, index.contains("Jane Roe", E.DOCTOR)) == (0, 0, False)


def test_an_unknown_entity_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"'PHONE'.*Did you mean 'PHONE_NUMBER'") as error:
        RecordsIndex.build([("PHONE", "555-010-0100")])
    assert "555" not in str(error.value)


def test_the_rules_belong_to_their_version() -> None:
    """Other forms than those that an index was made with would miss values: raise SPELLING_VERSION with this digest."""
    said = [sorted(part) for entity, value, asked in PAIRS for spelled in
            (forms(value, entity, asked=False), forms(asked, entity, asked=True)) for part in (spelled.wholes, spelled.parts)]  # fmt: skip
    digest = hashlib.sha256(json.dumps(said).encode()).hexdigest()[:16]
    assert (SPELLING_VERSION, digest) == (1, "4d6fe036ce28ab55")


# The file and the key


def test_a_saved_index_is_the_same(tmp_path: Path, index: RecordsIndex) -> None:
    index.save(tmp_path / "records.index")
    loaded = RecordsIndex.load(tmp_path / "records.index", key=KEY)
    assert (dict(loaded.counts), dict(loaded.skipped), len(loaded)) == (
        dict(index.counts),
        dict(index.skipped),
        len(index),
    )
    assert all(loaded.contains(asked, entity) for entity, _, asked in PAIRS)
    assert not loaded.contains("555-010-0199", E.PHONE_NUMBER)
    assert loaded.key == KEY and loaded.form_count == index.form_count
    assert (tmp_path / "records.index").stat().st_size < 8 * index.form_count + 2000


def test_neither_file_nor_repr_nor_pickle_holds_a_value(tmp_path: Path, index: RecordsIndex) -> None:
    index.save(tmp_path / "i")
    content = (tmp_path / "i").read_bytes()
    shown = repr(index) + repr(forms("Jane Roe", E.DOCTOR, asked=True))
    for _, value, _ in SAME:
        for word in (value, *value.split()):
            if len(word) > 3:
                assert word.encode() not in content and word.lower().encode() not in content
                assert word not in shown
    assert KEY not in content and KEY.hex().encode() not in content and repr(KEY) not in shown
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(index)


def test_the_digests_depend_on_the_key(tmp_path: Path) -> None:
    bodies = []
    for key in (KEY, b"another key of 32 bytes or so ..."):
        index = RecordsIndex.build([(E.DOCTOR, "Jane Roe")], key=key)
        index.save(tmp_path / "i")
        bodies.append((tmp_path / "i").read_bytes()[-32 - 8 * index.form_count : -32])
        digests = {bodies[-1][i : i + 8] for i in range(0, len(bodies[-1]), 8)}
        assert len(digests) == index.form_count
    assert not {bodies[0][i : i + 8] for i in range(0, 24, 8)} & {bodies[1][i : i + 8] for i in range(0, 24, 8)}
    assert RecordsIndex.build([]).key != RecordsIndex.build([]).key


def test_a_cut_or_edited_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "i"
    one(E.DOCTOR, "Jane Roe").save(path)
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(InputError, match=r"cut short|no records index|does not belong"):
            RecordsIndex.load(path, key=KEY)
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(InputError):
            RecordsIndex.load(path, key=KEY)
    path.write_bytes(whole + b"\0" * 8)
    with pytest.raises(InputError, match="make it anew"):
        RecordsIndex.load(path, key=KEY)


def test_another_key_another_version_and_no_file_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "i"
    with pytest.raises(InputError, match=r"No such file.*reticent index"):
        RecordsIndex.load(path, key=KEY)
    one(E.DOCTOR, "Jane Roe").save(path)
    with pytest.raises(InputError, match="key does not belong"):
        RecordsIndex.load(path, key=KEY[::-1])
    monkeypatch.setattr(module, "SPELLING_VERSION", SPELLING_VERSION + 1)
    with pytest.raises(InputError, match="spells values otherwise"):
        RecordsIndex.load(path, key=KEY)


@pytest.mark.parametrize("key", [b"", b"short", bytes(15), bytes(65)])
def test_a_key_has_16_to_64_bytes(tmp_path: Path, key: bytes) -> None:
    for use in (
        lambda: RecordsIndex.build([], key=key),
        lambda: RecordsIndex.load(tmp_path / "i", key=key),
        lambda: write_key(tmp_path / "k", key),
    ):
        with pytest.raises(InputError, match="16 to 64"):
            use()


def test_a_key_file_is_for_its_owner_only_and_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "k"
    write_key(path, KEY)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_key(path) == KEY
    with pytest.raises(FileExistsError):
        write_key(path, KEY)


@pytest.mark.parametrize("content", [b"", b"xyz", b"00" * 15, b"00" * 65, b"\xff\xfe", "ключ".encode()])
def test_a_file_without_key_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "k").write_bytes(content)
    with pytest.raises(InputError, match="holds no key"):
        read_key(tmp_path / "k")
    with pytest.raises(InputError, match="Cannot read a key"):
        read_key(tmp_path / "none")


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    path = tmp_path / "i"
    one(E.DOCTOR, "Jane Roe").save(path)
    before = path.read_bytes()

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, step, stop)
    with pytest.raises(KeyboardInterrupt):
        one(E.DOCTOR, "Joan Doe").save(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["i"]


def test_it_starts_without_torch() -> None:
    code = "import sys, reticent.records; print(sorted({'torch', 'transformers', 'scipy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
