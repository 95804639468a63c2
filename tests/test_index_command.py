"""`reticent index`: records in, an index and its key out; errors of bad input do not show its values."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from reticent.commands.index import app, index
from reticent.key_files import read_key
from reticent.records.column_names import entity_of
from reticent.records.index import RecordsIndex
from reticent.records.readers import RecordFile, parse_columns
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError

HEAD = "id,m1,PHONE_NUMBER,doctor"
ROWS = ("1,jane.roe@example.com,555-010-0100,Jane Roe", '2,joan@example.org,555-010-0101,"Doe, Joan"')
MAPPED = ["m1=EMAIL_ADDRESS"]
VALUES = ("jane", "roe", "joan", "doe", "555", "0100")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(name: str, *lines: str, encoding: str = "utf-8") -> Path:
    path = Path(name)
    path.write_bytes("".join(f"{line}\n" for line in lines).encode(encoding))
    return path


def load(name: str = "people") -> RecordsIndex:
    return RecordsIndex.load(f"{name}.index", key=read_key(f"{name}.key"))


def refused(*paths: Path, **options: Any) -> str:
    """The message for bad input, which holds none of its values and leaves no file behind."""
    before = sorted(os.listdir())
    with pytest.raises(InputError) as error:
        index(list(paths), **options)
    assert sorted(os.listdir()) == before
    message = str(error.value)
    assert not [value for value in VALUES if value in message.casefold()], message
    return message


# What it makes


def test_a_csv_becomes_an_index_and_a_key(folder: Path) -> None:
    path = put("people.csv", HEAD, *ROWS)
    result = CliRunner().invoke(app, [str(path), "--column", "m1=EMAIL_ADDRESS"], catch_exceptions=False)
    assert result.exit_code == 0
    assert sorted(os.listdir()) == ["people.csv", "people.index", "people.key"]
    made = load()
    assert dict(made.counts) == {"DOCTOR": 2, "EMAIL_ADDRESS": 2, "PHONE_NUMBER": 2}  # `doctor` is an entity's name
    assert made.contains("JANE.ROE (at) example.com", Entity.EMAIL_ADDRESS)
    assert made.contains("Dr. Joan Doe", Entity.DOCTOR)
    assert not made.contains("1", Entity.ORDER_NUMBER)
    assert stat.S_IMODE(Path("people.key").stat().st_mode) == 0o600
    assert "6 different values of 2 records" in result.output and "people.key" in result.output
    assert "look for it beside the index" in result.output and "--records-key-file" in result.output
    assert not [value for value in VALUES if value in result.output.casefold()]
    assert not [value for value in VALUES if value.encode() in Path("people.index").read_bytes().lower()]


def test_a_column_called_like_an_entity_is_left_out_if_asked(folder: Path) -> None:
    path = put("people.csv", HEAD, *ROWS)
    index([path], column=MAPPED, leave_out=["doctor"])
    assert dict(load().counts) == {"EMAIL_ADDRESS": 2, "PHONE_NUMBER": 2}
    assert "'doctro'" in refused(path, column=MAPPED, leave_out=["doctro"], out=Path("other.index"))
    assert "both" in refused(path, column=MAPPED, leave_out=["m1"], out=Path("other.index"))


def test_json_lines_with_numbers_lists_and_objects(folder: Path) -> None:
    records: list[dict[str, object]] = [
        {"key": "a", "values": {"EMAIL_ADDRESS": "jane.roe@example.com", "UTILITY_BILL": 120.50}},
        {"doctor": ["Jane Roe", "Joan Doe"], "bill": 1473, "values": {"EMAIL_ADDRESS": None, "DOCTOR": True}},
        {},
    ]
    path = put("people.jsonl", *map(json.dumps, records), "")
    index([path], column=["bill=TRANSACTION_AMOUNT"])
    assert dict(load().counts) == {"DOCTOR": 2, "EMAIL_ADDRESS": 1, "TRANSACTION_AMOUNT": 1, "UTILITY_BILL": 1}
    assert load().contains("$120.50", Entity.UTILITY_BILL) and load().contains("$1,473", Entity.UTILITY_BILL)


@pytest.mark.parametrize(("delimiter", "given"), [(";", None), ("\t", None), ("|", None), ("\t", "tab"), ("^", "^")])
def test_other_delimiters(folder: Path, delimiter: str, given: str | None) -> None:
    path = put("people.csv", delimiter.join(("DOCTOR", "FLIGHT")), delimiter.join(("Doe, Joan", "A, B; C")))
    index([path], delimiter=given) if delimiter != ";" else index([put("people.csv", "DOCTOR;x", "Doe, Joan;1")])
    assert load().contains("Joan Doe", Entity.DOCTOR)


def test_several_files_share_an_index_and_a_key_serves_again(folder: Path) -> None:
    people, orders = put("people.csv", HEAD, *ROWS), put("orders.csv", "no,DOCTOR", "AB-12345,Jane Roe")
    index([people, orders], column=[*MAPPED, "no=ORDER_NUMBER"], out=Path("o/all"), key_file=Path("k/key"))
    made = RecordsIndex.load("o/all", key=read_key("k/key"))
    assert (made.counts["ORDER_NUMBER"], made.counts["DOCTOR"]) == (1, 2)
    key = Path("k/key").read_bytes()
    index([orders], column=["no=ORDER_NUMBER"], out=Path("o/other"), key_file=Path("k/key"))
    assert Path("k/key").read_bytes() == key
    assert RecordsIndex.load("o/other", key=read_key("k/key")).contains("ab12345", Entity.ORDER_NUMBER)


def test_one_column_may_hold_two_kinds_and_a_mapping_comes_before_the_name(folder: Path) -> None:
    path = put("people.csv", "DOCTOR,ref", "12345678,87654321")
    index([path], column=["ref=ORDER_NUMBER", "ref=BANK_ACCOUNT", "DOCTOR=ORDER_NUMBER", "ref=ORDER_NUMBER"])
    assert dict(load().counts) == {"BANK_ACCOUNT": 1, "ORDER_NUMBER": 2}


def test_line_ends_marks_quotes_and_empty_fields(folder: Path) -> None:
    Path("people.csv").write_bytes(
        b'\xef\xbb\xbfADDRESS , DOCTOR,DOCTOR_ID\r\n"12 Main St\r\nSpringfield, IL 62704",,1\r\n\r\n'
        b'"7 ""Old"" Rd", Jane Roe ,2,,\r\n'
    )
    index([Path("people.csv")])
    assert dict(load().counts) == {"ADDRESS": 2, "DOCTOR": 1}
    assert load().contains("12 Main Street, Springfield", Entity.ADDRESS)


def test_bad_rows_are_counted_if_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = ("3,only", "4,a,b,c,d", '5,"x"y,b,c')
    index([put("people.csv", HEAD, *bad, *ROWS)], column=MAPPED, skip_bad_rows=True)
    assert len(load()) == 6
    assert "3 rows could not be read and were skipped" in capsys.readouterr().out
    lines = ("{", "[1]", '{"DOCTOR": "a", "DOCTOR": "b"}', '{"DOCTOR": "Jane Roe"}', "[" * 100_000)
    index([put("people.jsonl", *lines)], skip_bad_rows=True, overwrite=True)
    assert dict(load().counts) == {"DOCTOR": 1}
    assert "4 rows could not be read" in capsys.readouterr().out


def test_what_was_left_out_and_what_is_guessable_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    index([put("people.csv", "UTILITY_BILL,DOCTOR", "$5,Jane Roe", "$120,N/A", "$120,Jane Roe")])
    lines = capsys.readouterr().out.splitlines()
    assert any("UTILITY_BILL: 3 values, 1 different, 1 left out" in line and "guessable" in line for line in lines)
    assert any("DOCTOR: 3 values, 1 different, 1 left out" in line and "guessable" not in line for line in lines)


def test_usual_names_of_columns_are_understood_and_all_others_are_listed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "name,email,phone,dob,diagnosis,mrn,iban,card,ssn,home address,notes,gender"
    row = (
        "Kay Poe,kay.poe@example.org,555-010-0199,1980-04-02,asthma,MRN-7712045,GB29NWBK60161331926819,"
        '4012888888881881,512-48-7731,"12 Main St, Springfield",calls often,f'
    )
    index([put("people.csv", head, row)])
    assert set(load().counts) == {
        *("PERSON", "EMAIL_ADDRESS", "PHONE_NUMBER", "DATE_OF_BIRTH", "DIAGNOSIS", "MEDICAL_RECORD_NUMBER"),
        *("IBAN_CODE", "CREDIT_CARD", "US_SSN", "ADDRESS"),
    }
    out = capsys.readouterr().out
    assert re.search(r"EMAIL_ADDRESS: 1 values, 1 different; from email$", out, re.M)
    assert re.search(r"PERSON: .*of two words or more stopped anywhere.*also_find: \[PERSON\]; from name$", out, re.M)
    assert re.search(r"DIAGNOSIS: .*guessable.*; from diagnosis$", out, re.M)
    assert "not taken: gender, notes (--column NAME=ENTITY takes one)" in out
    assert "Poe" not in out and "often" not in out


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("EMAIL_ADDRESS", "EMAIL_ADDRESS"), ("patientEmail", "EMAIL_ADDRESS"), ("Work E-Mail 2", "EMAIL_ADDRESS"),
        ("customer.mail", "EMAIL_ADDRESS"), ("Phone 1", "PHONE_NUMBER"), ("emergency_contact_phone", "PHONE_NUMBER"),
        ("Date of Birth", "DATE_OF_BIRTH"), ("CC#", "CREDIT_CARD"), ("Full Name", "PERSON"),
        ("customer name", "PERSON"),
        ("account_no", "BANK_ACCOUNT"), ("doctor_id", None), ("id", None), ("city", None), ("first_name", None),
        ("product_name", None), ("created", None), ("phone_type", None), ("OTHER", None), ("", None), ("...", None),
    ],
)  # fmt: skip
def test_the_name_of_a_column_tells_its_kind(name: str, kind: str | None) -> None:
    assert entity_of(name) == kind


@pytest.mark.parametrize("name", ["people.csv", "people.jsonl"])
def test_only_guessable_columns_are_refused_unless_asked_for(folder: Path, name: str) -> None:
    lines = ("diagnosis,occupation,e1", "asthma,driver,kay@example.org")
    if name.endswith("jsonl"):
        lines = (json.dumps(dict(zip(lines[0].split(","), lines[1].split(","), strict=True))),)
    message = refused(put(name, *lines))
    assert "diagnosis (DIAGNOSIS), occupation (JOB_TITLE)" in message and "Not taken: e1" in message
    assert "asthma" not in message
    index([Path(name)], column=["diagnosis=DIAGNOSIS"])
    assert set(load().counts) == {"DIAGNOSIS", "JOB_TITLE"}


def test_what_may_be_a_value_is_no_name_of_a_column(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    index([put("people.csv", "phone,kay.poe@example.org,5550100199,12 Main St", "555-010-0199,x,y,z")])
    out = capsys.readouterr().out
    assert "not taken: 3 whose names do not look like names of columns" in out
    assert "poe" not in out and "0199" not in out and "Main" not in out


def test_every_usual_name_is_of_one_kind() -> None:
    text = resources.files("reticent").joinpath("data", "column_names.tsv").read_text()
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith(("#", "OWNERS"))]
    names = [name for _, row in rows for name in row.split()]
    assert len(set(names)) == len(names)
    assert all(entity_of(name) is not None for name in names)


# What it refuses


@pytest.mark.parametrize(
    ("lines", "options", "words"),
    [
        ((), {}, "is empty; expected a header"),
        (("",), {}, "is empty; expected a header"),
        ((HEAD,), {"column": MAPPED}, "no records; expected rows of values below the header"),
        (("id,m1", "1,jane@example.com"), {}, "none of its 2 columns is mapped.*--column e1=EMAIL_ADDRESS"),
        ((HEAD, *ROWS), {"column": ["doctors=DOCTOR"]}, "no column 'doctors' in people.csv.*Did you mean 'doctor'"),
        (("id,mail", ROWS[0]), {"column": ["email=EMAIL_ADDRESS"]}, "no column 'email'.*Did you mean 'mail'"),
        ((HEAD, *ROWS), {"column": ["m1=EMAIL"]}, "Unknown entity 'EMAIL' for the column 'm1'.*'EMAIL_ADDRESS'"),
        ((HEAD, *ROWS), {"column": ["m1"]}, "column=ENTITY.*got 'm1'"),
        ((HEAD, *ROWS), {"column": ["=DOCTOR"]}, "column=ENTITY"),
        (("DOCTOR,x,DOCTOR", "Jane Roe,1,Joan"), {}, "columns 1 and 3 of the header have the same name"),
        ((HEAD, ROWS[0], "2,joan"), {"column": MAPPED}, "line 3: 2 fields, but the header has 4.*--skip-bad-rows"),
        ((HEAD, "a,b,c,jane,roe"), {"column": MAPPED}, "line 2: 5 fields"),
        ((HEAD, '1,"jane"roe,3,4'), {"column": MAPPED}, "line 2: no CSV.*--skip-bad-rows"),
        ((HEAD, ROWS[0], '1,"jane,3,4', ROWS[0]), {"column": MAPPED}, "line 3: no CSV: a quotation mark opens a field"),
        ((HEAD, '1,"jane,3,4'), {"column": MAPPED, "skip_bad_rows": True},
         "line 2: no CSV: a quotation mark opens a field"),
        (('"DOCTOR,x', "Jane"), {}, "line 1: no CSV"),
        (("UTILITY_BILL", "$5", "$7"), {"column": ["UTILITY_BILL=UTILITY_BILL"]},
         "None of the 2 values is long enough"),
        ((HEAD, *ROWS), {"delimiter": ";;"}, "one character, or 'tab'"),
        ((HEAD, *ROWS), {"out": Path("people.csv"), "overwrite": True}, "have to be different files"),
        ((HEAD, *ROWS), {"out": Path("a"), "key_file": Path("./a")}, "have to be different files"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_and_leaves_nothing(
    folder: Path, lines: Sequence[str], options: dict[str, Any], words: str
) -> None:
    message = refused(put("people.csv", *lines), **options)

    assert re.search(words, message), message


def test_a_file_without_header_does_not_show_its_values(folder: Path) -> None:
    assert "none of its 4 columns" in (message := refused(put("people.csv", *ROWS)))
    assert "If the first line is a record, put a header above it." in message
    assert "no column 'm1'" in refused(put("people.csv", *ROWS), column=MAPPED)
    assert "columns 1 and 2" in refused(put("people.csv", "jane,jane,DOCTOR", "a,b,c"))


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ((), "no records; expected rows of values, one JSON object a line"),
        (('{"DOCTOR": "Jane Roe"}', '{"DOCTOR": "Jane'), "line 2: not a JSON object.*--skip-bad-rows"),
        (('["Jane Roe"]',), "line 1: not a JSON object"),
        (('{"m1": "jane@example.com"}',), "none of its 1 columns"),
    ],
)
def test_bad_json_lines(folder: Path, lines: Sequence[str], words: str) -> None:

    message = refused(put("people.jsonl", *lines))
    assert re.search(words, message), message
    assert "'mails'" in refused(put("people.jsonl", '{"DOCTOR": "Jane Roe"}'), column=["mails=EMAIL_ADDRESS"])


@pytest.mark.parametrize("name", ["people.csv", "people.jsonl"])
def test_other_encodings_are_refused_with_the_line(folder: Path, name: str) -> None:
    rows = (
        ("DOCTOR", "Jane Roe", "Joan Döe") if name.endswith("csv") else ('{"DOCTOR": "Jane Roe"}', '{"DOCTOR": "Döe"}')
    )
    assert f"line {len(rows)}: no UTF-8" in refused(put(name, *rows, encoding="latin-1"))
    filled = (rows[0], *[rows[1]] * 3000, rows[-1])
    assert "no UTF-8" in refused(put(name, *filled, encoding="latin-1"))
    assert "line 1: no UTF-8" in refused(put("people.csv", "DÖCTOR", "Jane", encoding="latin-1"))


@pytest.mark.parametrize(("encoding", "named"), [("cp1252", "WINDOWS-1252"), ("utf-16", "UTF-16")])
def test_the_way_out_of_another_encoding_is_a_line_that_works(folder: Path, encoding: str, named: str) -> None:
    file = put("people.csv", "DOCTOR", "Joan Döe", encoding=encoding)
    line = re.search(r"(iconv .*? > utf8\.csv)\.", refused(file))
    assert line is not None and f"-f {named} " in line[1]
    if shutil.which("iconv"):
        subprocess.run(line[1], shell=True, check=True, cwd=folder)
        index([Path("utf8.csv")])
        assert load("utf8").counts == {"DOCTOR": 1}


def test_an_existing_index_is_only_replaced_if_asked(folder: Path) -> None:
    path = put("people.csv", HEAD, *ROWS)
    index([path], column=MAPPED)
    before = Path("people.index").read_bytes()
    assert "--overwrite" in refused(path, column=MAPPED)
    assert Path("people.index").read_bytes() == before
    index([put("people.csv", "DOCTOR", "Joan Doe")], overwrite=True)
    assert load().counts == {"DOCTOR": 1}


def test_a_key_file_that_holds_no_key_is_left_alone(folder: Path) -> None:
    Path("people.key").write_text("my password")
    assert "holds no key" in refused(put("people.csv", HEAD, *ROWS), column=MAPPED)
    assert Path("people.key").read_text() == "my password"


@pytest.mark.parametrize("known", [False, True])
def test_an_interrupted_run_leaves_no_half_file(folder: Path, monkeypatch: pytest.MonkeyPatch, known: bool) -> None:
    path = put("people.csv", HEAD, *ROWS)
    if known:
        index([path], column=MAPPED)
    before = {name: Path(name).read_bytes() for name in os.listdir()}

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        index([path], column=MAPPED, overwrite=True)
    assert {name: Path(name).read_bytes() for name in os.listdir()} == before


def test_a_missing_file_names_itself(folder: Path) -> None:
    with pytest.raises(FileNotFoundError) as error:
        index([Path("none.csv")])
    assert error.value.filename == "none.csv" and os.listdir() == []


# Reading


def test_a_file_counts_what_it_reads(folder: Path) -> None:
    file = RecordFile(put("people.csv", HEAD, *ROWS), parse_columns(MAPPED))
    values = list(file.values())
    assert values[:2] == [("EMAIL_ADDRESS", "jane.roe@example.com"), ("PHONE_NUMBER", "555-010-0100")]
    assert (file.rows, file.bad_rows, file.bytes_read) == (2, 0, file.size)
    assert file.found == {"m1", "PHONE_NUMBER", "doctor"}
    assert not [value for value in VALUES if value in repr(file).casefold()]
