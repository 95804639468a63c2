"""`reticent redact` and `POST /v1/redact`: a text in, the text as it may be shown out."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import serve_golden as golden
from serve_upstream import Running, Scripted, proxied, until
from typer.testing import CliRunner

from reticent import TextGuard
from reticent.commands.redact import app
from reticent.key_files import write_key

TEXT = "Call Jane at 555-867-5309, or write to jane.roe@post.test."
SHOWN = "Call Jane at <PHONE_NUMBER>, or write to <EMAIL_ADDRESS>."


def redacted(text: str | bytes, *arguments: str, code: int = 0) -> str:
    done = CliRunner().invoke(app, list(arguments), input=text, catch_exceptions=False)
    assert done.exit_code == code, done.output
    return bytes(done.stdout_bytes).decode()


@pytest.fixture
def records(tmp_path: Path) -> Path:
    golden.INDEX.save(tmp_path / "r.index")
    write_key(tmp_path / "r.key", golden.INDEX.key)
    return tmp_path / "r.index"


# The command


def test_a_file_that_is_named_is_read_in_place_of_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "note.txt"
    file.write_text(f"{TEXT}\n")
    assert redacted("not read", str(file)) == f"{SHOWN}\n"
    with pytest.raises(FileNotFoundError, match=r"nothere\.txt"):
        redacted("", str(tmp_path / "nothere.txt"))


def test_standard_input_comes_out_redacted() -> None:
    assert redacted(TEXT) == SHOWN
    assert redacted("") == ""
    assert redacted(f"{TEXT}\r\n\n{TEXT}\n") == f"{SHOWN}\r\n\n{SHOWN}\n"


def test_what_the_user_typed_passes() -> None:
    assert redacted(TEXT, "--user", "Is it 555-867-5309?") == TEXT.replace("jane.roe@post.test", "<EMAIL_ADDRESS>")


def test_a_preset_or_a_policy_file(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text("entities: {EMAIL_ADDRESS: {unknown: allow}}\nredaction: mask\nmask_char: '*'")
    assert redacted(TEXT, "--policy", str(tmp_path / "p.yaml")) == TEXT.replace("555-867-5309", "****")
    assert redacted(TEXT, "--policy", "sealed") == SHOWN


def test_with_records_it_redacts_what_they_hold(records: Path) -> None:
    text = f"{TEXT} Also {golden.EMAIL}."
    assert redacted(text, "--records", str(records)) == f"{TEXT} Also <EMAIL_ADDRESS>."


def test_a_blocked_text_ends_with_another_code(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text("entities: {DEFAULT: {unknown: block}}")
    assert redacted(TEXT, "--policy", str(tmp_path / "p.yaml"), code=1) == "Call Jane at "


def test_bytes_that_are_no_utf_8_come_out_as_they_were() -> None:
    raw = b"Caf\xe9 \xff 555-867-5309 \xc3\xa9"
    done = CliRunner().invoke(app, [], input=raw, catch_exceptions=False)
    assert done.stdout_bytes == b"Caf\xe9 \xff <PHONE_NUMBER> \xc3\xa9"


def test_lines_come_out_as_they_come_in() -> None:
    code = "from reticent.commands.redact import app; app()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("Call Jane at 555-867-5309 today.\nGood morning to all.\n")
        process.stdin.flush()
        assert process.stdout.readline() == "Call Jane at <PHONE_NUMBER> today.\n"
        process.stdin.close()
        assert process.stdout.read() == "Good morning to all.\n"


def test_it_loads_no_model_and_no_server() -> None:
    code = (
        "import sys\nfor name in ('torch', 'transformers', 'fastapi', 'uvicorn', 'httpx'):\n"
        "    sys.modules[name] = None\n"
        "from reticent import TextGuard\nimport reticent.commands.redact\n"
        f"print(TextGuard().redact({TEXT!r}).text)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == SHOWN, done.stderr[-500:]


# The route


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    lenient, block = {"DEFAULT": {"unknown": "allow"}}, {"DEFAULT": {"unknown": "block"}}
    policies = {
        "lenient": {"entities": lenient},
        "strict": {"entities": block},
        "error": {"entities": block, "on_block": "error"},
        "listed": {"deny_list": ["555-867-5309"]},
    }
    limits = {"limits.call_chars": 2000, "limits.prompt_chars": 4000}
    own = {"policy": "default", "policies": policies, "may_choose": sorted(policies)}
    with proxied("http://127.0.0.1:9", **own, **limits) as proxy:
        yield proxy


def asked(running: Running, body: Any, **headers: str) -> tuple[int, dict[str, Any]]:
    got = running.post(body, "/v1/redact", **headers)
    return got.status_code, got.json()


def test_a_text_comes_back_redacted_and_the_upstream_hears_nothing(running: Running) -> None:
    assert asked(running, {"text": TEXT}) == (200, {"object": "redacted_text", "text": SHOWN})
    assert asked(running, {"text": TEXT, "user": "555-867-5309?", "context": ""})[1]["text"] == TEXT.replace(
        "jane.roe@post.test", "<EMAIL_ADDRESS>"
    )
    assert until(lambda: running.count("requests_total", outcome="redacted", route="redact") == 2)


def test_a_policy_may_be_named_as_elsewhere(running: Running) -> None:
    assert asked(running, {"text": TEXT, "reticent": {"policy": "lenient"}})[1]["text"] == TEXT
    assert asked(running, {"text": TEXT, "reticent": {"policy": "strict"}})[1]["text"] == "Call Jane at "
    status, answer = asked(running, {"text": TEXT, "reticent": {"policy": "error"}})
    assert (status, answer["error"]["code"]) == (400, "content_filter")
    status, answer = asked(running, {"text": TEXT, "reticent": {"policy": "other"}})
    assert (status, answer["error"]["code"]) == (403, "not_allowed")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "invalid_value"),
        ({"text": 5}, 400, "invalid_value"),
        ({"text": "555-867-5309", "usr": ""}, 400, "invalid_value"),
        ({"text": "a", "reticent": {"polcy": ""}}, 400, "invalid_value"),
        ([], 400, "invalid_type"),
        ("555-867-5309 {", 400, "invalid_json"),
        ("", 400, "invalid_json"),
        ({"text": "a" * 2001}, 413, "too_large"),
        ({"text": "a", "user": "a" * 4000}, 413, "too_large"),
    ],
)
def test_what_is_no_request_is_refused_without_its_text(running: Running, body: Any, status: int, code: str) -> None:
    content = body if isinstance(body, str) else json.dumps(body)
    got = running.client.post("/v1/redact", content=content, headers={"content-type": "application/json"})
    assert (got.status_code, got.json()["error"]["code"]) == (status, code)
    assert "5309" not in got.text


def test_other_methods_are_refused(running: Running) -> None:
    got = running.client.get("/v1/redact")
    assert (got.status_code, got.headers["allow"]) == (405, "POST")


def test_any_text_comes_back_as_it_was(running: Running) -> None:
    text = "\ud800 \u2028 \x00 ü\r\n"
    assert asked(running, {"text": text})[1]["text"] == text


def test_it_takes_the_keys_of_the_other_routes() -> None:
    keys = [{"key": "clinic-key"}, {"key": "strict-key", "policy": "strict"}]
    policies = {"strict": {"entities": {"DEFAULT": {"unknown": "block"}}}}
    with proxied("http://127.0.0.1:9", keys=keys, policies=policies) as proxy:
        assert proxy.post({"text": TEXT}, "/v1/redact").status_code == 401
        assert asked(proxy, {"text": TEXT}, **{"x-api-key": "clinic-key"})[1]["text"] == SHOWN
        assert asked(proxy, {"text": TEXT}, authorization="Bearer strict-key")[1]["text"] == "Call Jane at "


def test_who_may_not_redact_learns_nothing_of_records_or_lists(running: Running, records: Path) -> None:
    """Texts to try out would show which values are recorded."""
    status, answer = asked(running, {"text": TEXT, "reticent": {"policy": "listed"}})
    assert (status, answer["error"]["code"]) == (403, "not_allowed") and "allow: [redact]" in answer["error"]["message"]
    keys = [{"key": "clinic-key"}, {"key": "audit-key-1", "allow": ["redact"]}]
    with proxied("http://127.0.0.1:9", keys=keys, records={"index": records}) as proxy:
        text = f"Write to {golden.EMAIL} or jane.roe@post.test."
        assert asked(proxy, {"text": text}, **{"x-api-key": "clinic-key"})[0] == 403
        shown = asked(proxy, {"text": text}, **{"x-api-key": "audit-key-1"})[1]["text"]
        assert shown == "Write to <EMAIL_ADDRESS> or jane.roe@post.test."


def test_judging_takes_a_thread_and_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    from reticent.serve.judging.open_text import OpenText

    monkeypatch.setattr(OpenText, "judged", lambda *_: time.sleep(0.3))
    limits = {"limits.judge_seconds": 0.1}
    with proxied("http://127.0.0.1:9", **limits) as proxy:
        status, answer = asked(proxy, {"text": TEXT})
        assert (status, answer["error"]["code"]) == (503, "answer_withheld")
        assert proxy.client.get("/healthz").status_code == 200
        assert until(lambda: proxy.count("requests_total", outcome="failed", route="redact") == 1)


def test_nothing_of_a_text_is_logged(running: Running, capfd: pytest.CaptureFixture[str], caplog: Any) -> None:
    asked(running, {"text": TEXT})
    asked(running, {"text": [TEXT]})
    out, err = capfd.readouterr()
    assert "5309" not in out + err + caplog.text


def test_the_description_has_the_route(running: Running) -> None:
    described = running.client.get("/openapi.json").json()["paths"]["/v1/redact"]["post"]
    schema = described["requestBody"]["content"]["application/json"]["schema"]
    assert schema["required"] == ["text"] and "2000 characters" in schema["properties"]["text"]["description"]


def test_a_scripted_upstream_is_not_asked() -> None:
    upstream = Scripted()
    with proxied(upstream.url) as proxy:
        assert asked(proxy, {"text": TEXT})[0] == 200
    assert upstream.asked == []
    upstream.close()


@pytest.mark.parametrize("unseen", ["\x00", "\x80"])
def test_a_long_text_of_characters_that_are_not_seen_is_no_failure(unseen: str) -> None:
    done = TextGuard().redact(unseen * 10_000)
    assert (done.report.failures, done.text) == ((), unseen * 10_000)
