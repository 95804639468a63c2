"""`reticent doctor --upstream`: what a server offers the guard."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serve_upstream import ReceivedRequest, Scripted, reply, stream_head
from typer.testing import CliRunner

from reticent.commands import doctor as d
from reticent.key_files import write_key
from reticent.records.index import RecordsIndex
from reticent.serve.app import GUARDED
from reticent_detectors.errors import InputError

CHAT = {"content": [{"token": "Yes", "logprob": -0.01, "top_logprobs": []}]}
OLDER = {"tokens": [" three"], "token_logprobs": [-0.02], "text_offset": [0]}
PATHS = {"/v1/chat/completions": {"post": {}}, "/v1/models": {"get": {}}, "/sleep": {"post": {}, "parameters": []}}


class Server:
    """An upstream with or without log-probabilities, streams and a description of itself."""

    def __init__(self, probabilities: str = "both", described: bool = True, streams: bool = True) -> None:
        self.probabilities, self.described, self.streams = probabilities, described, streams

    def __call__(self, asked: ReceivedRequest) -> Iterator[bytes | float]:
        if asked.method == "GET":
            yield self.get(asked.path)
        elif asked.path == "/v1/chat/completions":
            yield from self.answer(asked.json, CHAT, {"message": {"content": "Yes"}}, {"delta": {"content": "Yes"}})
        elif asked.path == "/v1/completions":
            yield from self.answer(asked.json, OLDER, {"text": " three"}, {"text": " three"})
        else:
            yield reply(b"{}", status=404)

    def get(self, path: str) -> bytes:
        if path == "/v1/models":
            return reply(b'{"object": "list", "data": [{"id": "small"}, {"id": "other"}]}')
        if path == "/openapi.json" and self.described:
            return reply(json.dumps({"openapi": "3.1.0", "paths": PATHS}).encode())
        return reply(b"not found", "text/plain", 404)

    def answer(
        self, body: dict[str, Any], given: dict[str, Any], whole: dict[str, Any], delta: dict[str, Any]
    ) -> Iterator[bytes]:
        if self.probabilities == "refused" and "logprobs" in body:
            yield reply(b'{"error": {"message": "no"}}', status=400)
            return
        logprobs = given if self.probabilities in ("both", "whole") and body.get("logprobs") else None
        if body.get("stream") and self.streams:
            logprobs = logprobs if self.probabilities == "both" else None
            yield stream_head() + f"data: {json.dumps({'choices': [{**delta, 'logprobs': logprobs}]})}\n\n".encode()
            yield b"data: [DONE]\n\n"
        else:
            yield reply(json.dumps({"choices": [{**whole, "logprobs": logprobs}]}).encode())


@pytest.fixture
def upstream() -> Iterator[Scripted]:
    scripted = Scripted()
    scripted.script = Server()
    yield scripted
    scripted.close()


def diagnose(url: str, *options: Any) -> tuple[int, dict[str, Any]]:
    result = CliRunner().invoke(d.app, ["--upstream", url, "--json", *map(str, options)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    report: dict[str, Any] = json.loads(result.output)
    assert report["guardable"] == (result.exit_code == 0)
    return result.exit_code, report


def outcome(report: dict[str, Any], name: str) -> str:
    return next(f"{check['status']}: {check['detail']}" for check in report["checks"] if check["name"] == name)


def test_a_server_that_streams_with_log_probabilities(upstream: Scripted) -> None:
    code, report = diagnose(upstream.url)
    assert (code, report["tier"], report["path"]) == (0, "logprobs", upstream.url)
    assert report["tiers"] == {"hidden": False, "logprobs": True, "records": False, "text": True}
    assert report["facts"]["model"] == "small" and report["facts"]["models"] == 2
    assert outcome(report, "chat completions") == outcome(report, "completions") == "ok: streams; log-probabilities"
    assert report["verdict"].startswith("Can be guarded at tier logprobs, by the detector for any model")
    assert report["command"] == f"reticent serve --upstream {upstream.url} --model small"
    assert report["routes"]["guarded"][0] == "POST /v1/chat/completions (streams, log-probabilities)"
    assert "GET /v1/models" in report["routes"]["open"]
    assert report["routes"]["refused"] == ["POST /sleep", "every other one"]


def test_nothing_is_asked_that_could_change_anything(upstream: Scripted) -> None:
    diagnose(upstream.url)
    asked = {(each.method, each.path) for each in upstream.asked}
    posts = {("POST", dialect.path) for dialect in GUARDED}
    assert asked == {("GET", "/v1/models"), ("GET", "/openapi.json"), *posts}
    assert all(each.json["model"] == "small" for each in upstream.asked if each.method == "POST")


@pytest.mark.parametrize(
    ("server", "tier", "expected"),
    [
        (Server("none"), False, "ok: streams; no log-probabilities"),
        (Server("refused"), False, "ok: streams; no log-probabilities"),
        (Server("whole"), False, "ok: streams; log-probabilities not streamed"),
        (Server("both", streams=False), True, "note: does not stream; log-probabilities"),
    ],
)
def test_signals_are_seen_not_assumed(upstream: Scripted, server: Server, tier: bool, expected: str) -> None:
    upstream.script = server
    code, report = diagnose(upstream.url)
    assert (code, report["tiers"]["logprobs"], report["tier"]) == (0, tier, "logprobs" if tier else "text")
    judged = "--model small" if tier else "--policy sealed"
    assert report["command"] == f"reticent serve --upstream {upstream.url} {judged}"
    assert outcome(report, "chat completions") == expected


def test_a_server_without_a_description_and_with_one_route(upstream: Scripted) -> None:
    server = Server(described=False)
    upstream.script = lambda asked: iter([reply(b"", status=405)]) if asked.path == "/v1/completions" else server(asked)
    _, report = diagnose(upstream.url)
    assert outcome(report, "completions") == "note: the server does not have it"
    assert report["routes"]["refused"] == ["every other one (the server does not describe its routes)"]


def test_a_server_that_is_not_there_or_refuses_or_writes_nonsense(upstream: Scripted) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    code, report = diagnose(f"http://127.0.0.1:{port}")
    assert code == 1 and outcome(report, "upstream") == "fail: cannot be asked: The model server cannot be reached."
    upstream.script = lambda asked: iter([reply(b"{", status=401)])
    code, report = diagnose(upstream.url)
    assert code == 1 and "answers with status 401" in outcome(report, "chat completions")
    upstream.script = lambda asked: iter(
        [reply(b'{"data": [3], "paths": [], "choices": [{"logprobs": {"content": 7}}]}')]
    )
    code, report = diagnose(upstream.url)
    assert code == 1 and report["facts"]["model"] is None


def test_a_route_that_breaks_off_is_named_and_the_others_count(upstream: Scripted) -> None:
    server = Server()
    upstream.script = lambda asked: iter([b"HTTP/1.1 200 "]) if asked.path == "/v1/responses" else server(asked)
    code, report = diagnose(upstream.url)
    assert (code, report["tier"]) == (0, "logprobs")
    assert outcome(report, "responses").startswith("fail: gives no answer: The model server broke off")


def test_the_address_may_stand_in_the_settings(upstream: Scripted, tmp_path: Path) -> None:
    settings = tmp_path / "serve.yaml"
    settings.write_text(f"upstream: {{url: {upstream.url}}}\n")
    result = CliRunner().invoke(d.app, ["--config", str(settings), "--json"])
    assert result.exit_code == 0 and json.loads(result.output)["path"] == upstream.url
    settings.write_text("port: 8080\n")
    result = CliRunner().invoke(d.app, ["--config", str(settings)])
    assert isinstance(result.exception, InputError) and "upstream" in str(result.exception)


def test_what_is_given_beside_it(upstream: Scripted, tmp_path: Path) -> None:
    upstream.script = Server("none")
    RecordsIndex.build([("PHONE_NUMBER", "555-010-0100")], key=bytes(32)).save(tmp_path / "index")
    write_key(tmp_path / "key", bytes(32))
    code, report = diagnose(upstream.url, "--records", tmp_path / "index", "--records-key-file", tmp_path / "key")
    assert (code, report["tier"], report["verdict"]) == (0, "records", "Can be guarded at tier records.")
    records = f"--records {tmp_path / 'index'} --records-key-file {tmp_path / 'key'}"
    assert report["command"] == f"reticent serve --upstream {upstream.url} {records}"
    (tmp_path / "config.yaml").write_text("upstream: {url: http://127.0.0.1:1, api_key: '${K}'}\nkeys: []\n")
    result = CliRunner().invoke(
        d.app,
        ["--upstream", upstream.url, "--config", str(tmp_path / "config.yaml")],
        env={"K": "its-own-key", "COLUMNS": "160"},
    )
    assert {each.headers["authorization"] for each in upstream.asked[-4:]} == {"Bearer its-own-key"}
    assert "its-own-key" not in result.output
    assert "Can be guarded by its texts alone (tier text)" in result.output
    last = f"reticent serve --config {tmp_path / 'config.yaml'} --upstream {upstream.url}"
    assert result.output.strip().splitlines()[-1] == last
    assert any(line.startswith("refused") and "POST /sleep" in line for line in result.output.splitlines())


def test_a_detector_of_log_probabilities_fits_a_server_that_gives_them(upstream: Scripted, tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    bundle = Path(d.__file__).parent.parent / "assets" / "bundle-logprobs"
    code, report = diagnose(upstream.url, "--bundle", bundle)
    assert (code, report["verdict"]) == (0, "Can be guarded at tier logprobs.")
    settings = tmp_path / "config.yaml"
    settings.write_text(f"detector: {{bundle: {bundle}, models: [small]}}\n")
    assert diagnose(upstream.url, "--config", settings)[1]["verdict"] == "Can be guarded at tier logprobs."
    code, report = diagnose(upstream.url, "--config", settings, "--model", "other")
    assert code == 1 and "other names" in outcome(report, "detector")
    upstream.script = Server("none")
    code, report = diagnose(upstream.url, "--bundle", bundle)
    assert code == 1 and report["command"] is None
    assert any("does not give them" in check["detail"] for check in report["checks"] if check["name"] == "bundle")


def test_a_shadow_brings_the_states(upstream: Scripted, tmp_path: Path) -> None:
    upstream.script = Server("none")
    settings = tmp_path / "config.yaml"
    settings.write_text("shadow: {path: copy, models: [small]}\n")  # with the bundle that comes along
    code, report = diagnose(upstream.url, "--config", settings)
    assert (code, report["verdict"]) == (0, "Can be guarded at tier logprobs.")  # as 'serve' calls it
    assert report["command"] == f"reticent serve --config {settings} --upstream {upstream.url}"
    assert "reads along" in outcome(report, "shadow") and "none is named" in outcome(report, "base model")
    policy = tmp_path / "policy.yaml"
    policy.write_text("false_positives: 0.2\n")
    code, report = diagnose(upstream.url, "--config", settings, "--policy", policy)
    assert code == 1 and "less than or equal to 0.08 (got 0.2)" in outcome(report, "policy")
    settings.write_text(f"shadow: {{path: copy, bundle: {tmp_path / 'none'}, models: [small]}}\n")
    code, report = diagnose(upstream.url, "--config", settings)
    assert code == 1 and "to be put right: bundle" in report["verdict"]


def test_a_checkpoint_or_a_server_and_not_both(tmp_path: Path) -> None:
    for arguments in ([], [str(tmp_path), "--upstream", "http://127.0.0.1:1"], ["--upstream", "ftp://x"]):
        result = CliRunner().invoke(d.app, arguments)
        assert isinstance(result.exception, InputError)
