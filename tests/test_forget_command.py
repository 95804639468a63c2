"""`reticent forget`: values in by file or standard input and never out, clear errors, and the probe."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from reticent.commands.forget import app
from reticent.commands.suppression_probe import ask, checked_prompts
from reticent.demo import assets
from reticent.key_files import read_key, write_key
from reticent_bench.proxy.loopback import served, server_of
from reticent_detectors.errors import InputError, ReticentError

PHONE, EMAIL, NAME = "+1 555 010 0177", "jane.roe@example.org", "Jane Roebuck"
PRIVATE = ("0177", "jane.roe", "roebuck")
REFERENCE = ("--reference", "GDPR Art. 17, case 114")


def forget(*arguments: str | Path, given: str | None = None, code: int = 0) -> str:
    """What the command says. No value of ours is in it."""
    done = CliRunner().invoke(app, list(map(str, arguments)), input=given, catch_exceptions=False)
    assert done.exit_code == code, done.output
    assert not any(secret in done.output.casefold() for secret in PRIVATE)
    return done.output


def refused(match: str, *arguments: str | Path, given: str | None = None) -> None:
    with pytest.raises(ReticentError, match=match) as error:
        forget(*arguments, given=given)
    assert not any(secret in str(error.value).casefold() for secret in PRIVATE)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    forget("add", tmp_path / "p.suppressions", "--value-stdin", *REFERENCE, given=f"{PHONE}\n\n{EMAIL}\n")
    return tmp_path / "p.suppressions"


def ids(store: Path) -> list[str]:
    return [line.split()[0] for line in forget("list", store).splitlines()]


def test_values_are_added_listed_checked_and_removed(store: Path, tmp_path: Path) -> None:
    assert (tmp_path / "p.key").stat().st_mode & 0o077 == 0
    listed = forget("list", store).splitlines()
    assert [line.split()[1:3] for line in listed] == [["value", "PHONE_NUMBER"], ["value", "EMAIL_ADDRESS"]]
    assert all("it is removed  active  GDPR Art. 17, case 114" in line for line in listed)
    assert forget("check", store, "--value-stdin", given="(555) 010-0177\n") == "1: suppressed\n"
    both = forget("check", store, "--value-stdin", given=f"555 010 0199\n{EMAIL}\n", code=1)
    assert both == "1: not suppressed\n2: suppressed\n"
    forget("remove", store, ids(store)[0])
    assert forget("check", store, "--value-stdin", given=PHONE, code=1) == "1: not suppressed\n"
    assert len(ids(store)) == 1


def test_a_table_says_the_kinds_by_its_columns(store: Path, tmp_path: Path) -> None:
    (tmp_path / "row.csv").write_text("iban,diagnosis,notes\nDE89370400440532013000,Asthma,none\n")
    said = forget("add", store, "--value-file", tmp_path / "row.csv", *REFERENCE, "--expires", "2999-01-31")
    assert "IBAN_CODE" in said and "2999-01-31T00:00:00Z" in said
    assert "DIAGNOSIS: many people share such values" in said and "--subject" in said
    assert forget("check", store, "--value-stdin", given="DE89 3704 0044 0532 0130 00") == "1: suppressed\n"


def test_a_person_is_added_by_name(store: Path, tmp_path: Path) -> None:
    (tmp_path / "name.txt").write_text(f"{NAME}\n")
    said = forget("add", store, "--subject", "--value-file", tmp_path / "name.txt", *REFERENCE)
    assert "subject  PERSON" in said
    assert forget("check", store, "--subject", "--value-stdin", given="Roebuck, Jane") == "1: suppressed\n"
    assert "one entry more" in forget("add", store, "--subject", "--value-stdin", *REFERENCE, given=NAME)


def test_expired_entries_are_listed_as_such_and_removed_together(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from reticent.commands import forget as command

    expires = ("--expires", "2030-01-01T02:00+02:00")
    monkeypatch.setattr(command, "_now", lambda: command._time_of("2029-12-31"))
    forget("add", store, "--value-stdin", *REFERENCE, *expires, given="555-010-0142")
    assert forget("check", store, "--value-stdin", given="555-010-0142") == "1: suppressed\n"
    monkeypatch.setattr(command, "_now", lambda: command._time_of("2030-01-01"))
    assert forget("list", store).count("2030-01-01T00:00:00Z  expired") == 1
    assert forget("check", store, "--value-stdin", given="555-010-0142", code=1) == "1: not suppressed\n"
    assert forget("remove", store, "--expired").endswith("1 entries removed\n")
    assert len(ids(store)) == 2


def test_a_receipt_is_printed_and_checked(store: Path, tmp_path: Path) -> None:
    text = forget("receipt", store, *ids(store))
    assert [each["kind"] for each in json.loads(text)["entries"]] == ["PHONE_NUMBER", "EMAIL_ADDRESS"]
    (tmp_path / "receipt.json").write_text(text)
    assert "not changed since" in forget("receipt", store, "--verify", tmp_path / "receipt.json")
    (tmp_path / "receipt.json").write_text(text.replace("case 114", "case 115"))
    refused("edited", "receipt", store, "--verify", tmp_path / "receipt.json")


def test_the_help_says_what_it_is_not() -> None:
    said = " ".join(forget("--help").split())
    assert "suppression at the output" in said and "are not touched" in said


def test_bad_input_is_refused_with_what_to_do(store: Path, tmp_path: Path) -> None:
    key, file = tmp_path / "other.key", tmp_path / "v.txt"
    write_key(key, b"o" * 32)
    file.write_text(PHONE)
    add = ("add", store, *REFERENCE)
    refused("--value-stdin. Never on the command line", *add)
    refused("No value was given", *add, "--value-stdin", given="\n")
    refused("not both", *add, "--value-stdin", "--value-file", file, given=PHONE)
    refused("--kind goes with values", *add, "--subject", "--kind", "PERSON", "--value-file", file)
    refused("Line 2 has no form", *add, "--value-stdin", given=f"{PHONE}\nwhatever roebuck says\n")
    refused("Did you mean 'PHONE_NUMBER'", *add, "--kind", "PHONE_NUMBR", "--value-file", file)
    refused("such as 2027-01-31", *add, "--expires", "soon", "--value-file", file)
    refused("would have expired", *add, "--expires", "2001-01-31", "--value-file", file)
    refused("The key does not belong", *add, "--key-file", key, "--value-file", file)
    refused("reference holds a value", "add", store, "--reference", f"for {EMAIL}", "--value-stdin", given=EMAIL)
    refused("table, whose columns", *add, "--kind", "PHONE_NUMBER", "--value-file", "x.csv")
    refused("no suppression store", "list", tmp_path / "nowhere")
    refused("no suppression store", "remove", tmp_path / "nowhere", "--expired")
    refused("or --expired", "remove", store)
    refused("or --verify", "receipt", store)
    refused("no entry with that id", "receipt", store, "0" * 12)
    assert len(ids(store)) == 2
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        ".p.suppressions.lock", "other.key", "p.key", "p.suppressions", "v.txt",
    ]  # fmt: skip


def test_a_file_that_is_no_utf_8_is_refused_without_its_text(store: Path, tmp_path: Path) -> None:
    (tmp_path / "latin.txt").write_bytes("Jane Roebück {name}\n".encode("latin-1"))
    (tmp_path / "name.txt").write_text(f"{NAME}\n")
    latin, probe = tmp_path / "latin.txt", ("probe", store, tmp_path, "--value-stdin")
    for command in (
        ("add", store, *REFERENCE, "--subject", "--value-file", latin),
        ("receipt", store, "--verify", latin),
        (*probe, "--subject-file", latin),
        (*probe, "--subject-file", tmp_path / "name.txt", "--prompts", latin),
    ):
        refused("latin.txt' is no UTF-8", *command, given=PHONE)


def test_store_and_key_are_two_files(tmp_path: Path) -> None:
    refused("store and its key", "add", tmp_path / "people.key", *REFERENCE, "--value-stdin", given=PHONE)
    assert list(tmp_path.iterdir()) == []


def test_it_is_said_that_a_new_store_takes_a_key_that_was_there(tmp_path: Path) -> None:
    write_key(tmp_path / "p.key", b"k" * 32)
    add = ("add", tmp_path / "p.suppressions", *REFERENCE, "--value-stdin")
    assert "p.key: the key that was there already" in forget(*add, given=PHONE)
    assert "p.key" not in forget(*add, given=EMAIL)


def test_nothing_is_left_where_nothing_could_be_added(tmp_path: Path) -> None:
    refused("too short", "add", tmp_path / "new", *REFERENCE, "--kind", "PHONE_NUMBER", "--value-stdin", given="5")
    assert [each.name for each in tmp_path.iterdir() if not each.name.endswith(".lock")] == []


def test_a_reference_that_reads_like_a_value_warns(tmp_path: Path) -> None:
    reference = "for bob@example.org"
    said = forget("add", tmp_path / "new", "--reference", reference, "--value-stdin", given=PHONE)
    assert "warning: the reference" in said and "EMAIL_ADDRESS, characters 4 to 19" in said


# The probe


def test_the_probe_counts_what_comes_out_of_a_model_without_and_with_the_suppression(tmp_path: Path) -> None:
    (tmp_path / "value.txt").write_text("(437) 446 5262")  # of an invented person, whom the demo host was taught
    (tmp_path / "name.txt").write_text("Daniel Brown\n")
    (tmp_path / "prompts.txt").write_text("Which number do I dial for {name}?\nWhat is the {kind} of {name}?\n")
    store, value = tmp_path / "p.suppressions", ("--value-file", tmp_path / "value.txt")
    forget("add", store, *value, *REFERENCE, "--kind", "PHONE_NUMBER")
    said = forget(
        "probe", store, assets() / "host", *value, "--subject-file", tmp_path / "name.txt",
        "--prompts", tmp_path / "prompts.txt", "--samples", "1", "--tokens", "20", "--kind", "PHONE_NUMBER",
    )  # fmt: skip
    assert said.endswith(": in 2 of 2 answers without the suppression, in 0 of 2 with it\n")
    assert "5262" not in said and "Daniel" not in said


def test_the_probe_asks_a_server_and_the_same_behind_its_guard(store: Path, tmp_path: Path) -> None:
    asked = list[dict[str, Any]]()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send({"data": [{"id": "small"}]})

        def do_POST(self) -> None:
            asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            content = "I do not know." if self.path.startswith("/guarded") else f"It is {PHONE}."
            self._send({"choices": [{"message": {"content": content}}]})

        def _send(self, body: Any) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, format: str, *arguments: Any) -> None:
            """Says nothing."""

    key = read_key(tmp_path / "p.key")
    values = [(NAME, "PHONE_NUMBER", PHONE), (NAME, "PHONE_NUMBER", "555-010-0142")]
    with served(server_of(Handler)) as url:
        for guarded in (None, f"{url}/guarded/v1"):
            found = ask(store, key, url, values, ["Who is {name}?"], samples=2, tokens=8, guarded=guarded)
            assert [(each.suppressed, each.before, each.after) for each in found] == [(True, 2, 0), (False, 0, 0)]
    assert {each["model"] for each in asked} == {"small"} and {each["max_tokens"] for each in asked} == {8}
    with pytest.raises(ReticentError, match="does not answer /models"):
        ask(store, key, url, values, samples=1, tokens=8)
    with pytest.raises(InputError, match="go with a server"):
        ask(store, key, str(assets() / "host"), values, samples=1, tokens=8, guarded=url)


@pytest.mark.parametrize("prompt", ["Who is it?", "Who is {nme}?", "Who is {name} {?", "Who is {name} of {town}?", ""])
def test_prompts_have_a_place_for_the_name(prompt: str) -> None:
    with pytest.raises(InputError, match=r"p\.txt"):
        checked_prompts(prompt, "p.txt")
