"""The operator's settings: which policies a request may name, how long judging may take, size limits, TLS."""

from __future__ import annotations

import datetime
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import serve_golden as golden
from serve_golden import EMAIL, request_body
from serve_upstream import STRICT, Running, Scripted, says, stream_head, until
from test_serve_command import ROOT, command, environment, output

from reticent.policy.policy import Policy
from reticent.policy.verdict import Tier
from reticent.serve.config import load
from reticent.serve.judging.detector_protocols import ForEveryModel, SpanLocation, WithoutBase
from reticent.serve.proxy import Proxy
from reticent.serve.settings import ShadowSettings
from reticent.serve.wire.parsed_request import ParsedRequest


@pytest.fixture
def upstream() -> Iterator[Scripted]:
    scripted = Scripted()
    scripted.script = says(stream_head(), golden.ollama(golden.leaking(EMAIL)))
    yield scripted
    scripted.close()


def running(upstream: Scripted, **settings: Any) -> Running:
    # A busy machine may take longer than the bound on what is held, which would withhold the value.
    loose = {"entities": {"DEFAULT": {"unknown": "allow"}}, "hold": {"max_seconds": 60}}
    policies = {"policies": {"strict": STRICT, "loose": loose}}
    return Running(Proxy(load(environ={}, overrides={"upstream.url": upstream.url, **policies, **settings})))


def says_value(answer: httpx.Response) -> bool:
    return "jane" in golden.said(answer.content)


# Which policies a request may name


def test_a_request_may_name_the_policies_that_its_key_allows_and_no_other(upstream: Scripted) -> None:
    keys = [{"key": "key-one-1", "policy": "loose", "may_choose": ["strict"]}, {"key": "key-two-2", "policy": "loose"}]
    proxy = running(upstream, keys=keys)
    try:

        def ask(key: str, **more: Any) -> httpx.Response:
            return proxy.post({**request_body(stream=True), **more}, authorization=f"Bearer {key}")

        for key in ("key-one-1", "key-two-2"):
            shown = ask(key)
            assert says_value(shown), shown.text
        assert not says_value(ask("key-one-1", reticent={"policy": "strict"}))
        assert "reticent" not in upstream.asked[-1].json
        asked = len(upstream.asked)
        for key, control, status in (
            ("key-two-2", {"policy": "strict"}, 403),
            ("key-one-1", {"policy": "default"}, 403),
            ("key-one-1", {"policy": 3}, 400),
            ("key-one-1", {"policy": "strict", "threshold": 1}, 400),
            ("key-one-1", "strict", 400),
        ):
            refused = ask(key, reticent=control)
            assert (refused.status_code, refused.json()["error"]["param"]) == (status, "reticent")
        assert len(upstream.asked) == asked
    finally:
        proxy.close()


def test_a_tools_grammar_is_refused_as_any_other(upstream: Scripted) -> None:
    proxy = running(upstream)
    try:
        how = {"type": "grammar", "grammar": {"syntax": "regex", "definition": "[0-9]+"}}
        for tool in ({"type": "custom", "custom": {"name": "f", "format": how}}, {"type": "custom", "format": how}):
            refused = proxy.post({**request_body(), "tools": [tool]})
            assert (refused.status_code, refused.json()["error"]["param"]) == (400, "tools")
        assert not upstream.asked
    finally:
        proxy.close()


# How long judging may take, and how much may come


class Hangs(ForEveryModel, WithoutBase):
    """A detector that hangs until it is released."""

    tier, reads_text, wants_logprobs, wants_token_ids, digest, about = Tier.HIDDEN, True, False, False, "", "it hangs"
    needs_thread = True

    prevalence = 0.5

    def __init__(self) -> None:
        self.free = threading.Event()

    def with_thresholds(self, policy: Policy) -> Policy:
        return policy.with_thresholds({"DEFAULT": 0.5})

    def open(self, asked: ParsedRequest) -> Hangs:
        return self

    def close(self) -> None:
        self.free.set()

    def probability(self, place: SpanLocation) -> float | None:
        self.free.wait(20)
        return 0.0


def test_under_a_seal_the_detector_is_not_waited_for(upstream: Scripted, tmp_path: Path) -> None:
    hangs = Hangs()
    settings = load(
        environ={},
        overrides={
            "upstream.url": upstream.url, "limits.judge_seconds": 1, "policy": "strict",
            "policies": {"strict": {"preset": "sealed"}},
            "shadow": ShadowSettings(path=tmp_path, bundle=Path(__file__).parent, models=("small",)).model_dump(),
        },
    )  # fmt: skip
    proxy = Running(Proxy(settings, shadow=lambda: hangs))
    try:
        answer = proxy.post(request_body(stream=True)).text
        assert "jane" not in answer and "<EMAIL_ADDRESS>" in answer and "error" not in answer
        assert proxy.count("failures_total") == 0
    finally:
        hangs.free.set()
        proxy.close()


@pytest.mark.parametrize("stream", [True, False])
def test_what_takes_too_long_to_judge_is_withheld_and_counted(upstream: Scripted, tmp_path: Path, stream: bool) -> None:
    if not stream:
        whole = {"choices": [{"index": 0, "message": {"content": f"Write to {EMAIL}."}, "finish_reason": "stop"}]}
        upstream.script = lambda asked: iter([golden_reply(whole)])
    hangs = Hangs()
    settings = load(
        environ={},
        overrides={
            "upstream.url": upstream.url, "limits.judge_seconds": 0.3,
            "shadow": ShadowSettings(path=tmp_path, bundle=Path(__file__).parent, models=("small",)).model_dump(),
        },
    )  # fmt: skip
    proxy = Running(Proxy(settings, shadow=lambda: hangs))
    try:
        begun = time.monotonic()
        answer = proxy.post(request_body(stream=stream))
        assert time.monotonic() - begun < 5
        assert "jane" not in answer.text and "answer_withheld" in answer.text
        assert answer.text.endswith("data: [DONE]\n\n") if stream else answer.status_code == 503
        assert until(lambda: proxy.count("failures_total", stage="judge") == 1)
        hangs.free.set()
        assert proxy.post(request_body(stream=stream)).status_code == 200
    finally:
        hangs.free.set()
        proxy.close()


def golden_reply(body: Any) -> bytes:
    import json

    from serve_upstream import reply

    return reply(json.dumps(body).encode())


def test_a_stream_without_end_is_cut_at_its_bound(upstream: Scripted) -> None:
    frame = golden.event({"choices": [{"index": 0, "delta": {"content": "la "}, "finish_reason": None}]})
    upstream.script = says(stream_head(), *[frame * 50] * 100)
    proxy = running(upstream, **{"limits.stream_bytes": 20_000})
    try:
        answer = proxy.post(request_body(stream=True))
        assert len(answer.content) < 25_000
        assert answer.text.endswith("data: [DONE]\n\n") and "upstream_unreadable" in answer.text
        assert proxy.count("failures_total", stage="bound") == 1
    finally:
        proxy.close()


# TLS


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that signs itself."""
    import ipaddress

    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    plain, none = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "cert.pem").write_bytes(made.public_bytes(pem))
    (folder / "key.pem").write_bytes(key.private_bytes(pem, plain, none))
    return folder / "cert.pem", folder / "key.pem"


def test_it_serves_over_tls_and_refuses_files_that_do_not_belong_together(upstream: Scripted, tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    (tmp_path / "other").mkdir()
    other, _ = certificate(tmp_path / "other")
    config = tmp_path / "c.yaml"
    config.write_text(f"upstream: {{url: '{upstream.url}'}}\ntls: {{cert: {other}, key: {key}}}\n")
    code, _, error = output("serve", "--config", str(config), "--check")
    assert code == 2 and "expected PEM files that belong together" in error
    config.write_text(f"upstream: {{url: '{upstream.url}'}}\ntls: {{cert: {cert}, key: {key}}}\n")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    line = command("serve", "--config", str(config), "--port", str(port), "--metrics-port", "0")
    process = subprocess.Popen(line, stderr=subprocess.DEVNULL, env=environment(), cwd=ROOT)
    try:
        with httpx.Client(
            verify=ssl.create_default_context(cafile=cert), trust_env=False, base_url=f"https://127.0.0.1:{port}"
        ) as client:

            def answers() -> bool:
                try:
                    return client.get("/healthz").status_code == 200
                except httpx.HTTPError:
                    return False

            assert until(answers, 30)
            assert "data: [DONE]" in client.post("/v1/chat/completions", json=request_body(stream=True)).text
        with pytest.raises(httpx.HTTPError):
            httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=5)
    finally:
        process.terminate()
        assert process.wait(20) in (0, -15)
