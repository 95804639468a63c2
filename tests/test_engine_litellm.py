"""Our guardrails in LiteLLM's own proxy, before an upstream with scripted answers. Run by `make engines`.

One runs in LiteLLM's process. The other is `reticent serve`, which LiteLLM asks by its generic guardrail API.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import serve_golden as golden
import yaml
from serve_golden import EMAIL
from serve_upstream import ReceivedRequest, Scripted, proxied, reply, stream_head

from reticent_bench.engines import gateways
from reticent_bench.engines.servers import CLIENTS, running

pytestmark = [
    pytest.mark.engines,
    pytest.mark.skipif(not CLIENTS.is_there, reason="LiteLLM is not installed; `make engines` does it"),
]
WHOLE = {
    "id": "chatcmpl-1", "object": "chat.completion", "created": 1732200000, "model": "small",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": f"Use {EMAIL}."}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}  # fmt: skip
TEXT = WHOLE | {
    "id": "cmpl-1", "object": "text_completion",
    "choices": [{"index": 0, "text": f"Use {EMAIL}.", "finish_reason": "stop"}],
}  # fmt: skip


def says(asked: ReceivedRequest) -> Iterator[bytes | float]:
    """The address, in pieces, in the way that was asked for."""
    if not asked.body:
        yield reply(b"{}")
        return
    is_text = asked.path.endswith("/v1/completions")
    is_harmless = b"harmless" in asked.body
    if not asked.json.get("stream"):
        whole = json.dumps(TEXT if is_text else WHOLE)
        yield reply((whole.replace(EMAIL, "the front desk") if is_harmless else whole).encode())
        return
    stream = (golden.completions if is_text else golden.openai)(
        golden.HARMLESS if is_harmless else golden.leaking(EMAIL)
    )
    yield stream_head()
    for at in range(0, len(stream), 90):
        yield stream[at : at + 90]


@pytest.fixture(scope="module", params=["redact", "block"])
def proxy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of LiteLLM's proxy with our guardrail, and what that does about an address."""
    folder = tmp_path_factory.mktemp("litellm")
    rules = {"entities": {"DEFAULT": {"unknown": request.param}}, "after_redaction": "continue"}
    (folder / "guard.yaml").write_text(yaml.safe_dump({"policy": "here", "policies": {"here": rules}}))
    upstream = Scripted()
    upstream.script = says
    engine = gateways.litellm(upstream.url, folder, gateways.reticent(folder / "guard.yaml"))
    with running(engine, folder / "log") as server:
        yield server.url, request.param
    upstream.close()


def ask(url: str, route: str, stream: bool, **more: Any) -> httpx.Response:
    path = "/v1/completions" if route == "completions" else "/v1/chat/completions"
    body: dict[str, Any] = golden.request_body(route, stream=stream, **more)
    return httpx.post(url + path, json=body, timeout=60, trust_env=False)


def said_by(response: httpx.Response, route: str, stream: bool) -> str:
    """The text that a client gets."""
    if not stream:
        (choice,) = response.json()["choices"]
        return str(choice["text"] if route == "completions" else choice["message"]["content"])
    choices = [choice for frame in golden.frames(response.content) for choice in frame["choices"]]
    parts = [choice if route == "completions" else choice["delta"] for choice in choices]
    return "".join(part.get("text") or part.get("content") or "" for part in parts)


@pytest.mark.parametrize("route", ["chat", "completions"])
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_an_answer_is_judged_in_litellms_proxy(proxy: tuple[str, str], route: str, stream: bool) -> None:
    url, action = proxy
    response = ask(url, route, stream)
    assert response.status_code == 200
    said = said_by(response, route, stream)
    if stream:
        choices = [choice for frame in golden.frames(response.content) for choice in frame["choices"]]
        reasons = [choice["finish_reason"] for choice in choices if choice.get("finish_reason")]
        rest = "You can use <EMAIL_ADDRESS>, which is it."
    else:
        (choice,) = response.json()["choices"]
        reasons, rest = [choice["finish_reason"]], "Use <EMAIL_ADDRESS>."
    assert EMAIL not in response.text
    if action == "redact":
        assert (said, reasons) == (rest, ["stop" if route == "chat" or not stream else "length"])
    else:
        assert (said or "", reasons) == (rest.partition("<")[0], ["content_filter"])


def test_pieces_come_as_they_are_decided(proxy: tuple[str, str]) -> None:
    """Not one chunk at the end, as where a guardrail reads the whole answer first."""
    url, action = proxy
    frames = golden.frames(ask(url, "chat", True).content)
    assert len(frames) > (6 if action == "redact" else 3)


# The generic guardrail API

BUFFERED = {
    "streaming_transform_mode": "block_only",
    "streaming_buffer_until_moderated": True,
    "additional_provider_specific_params": {"on_stopped": "block"},
}
"""Masks reach streams of chats alone. With these settings LiteLLM holds every stream until it was judged."""


@pytest.fixture(scope="module", params=["masks", "blocks"])
def asking(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of LiteLLM's proxy that asks us by the generic guardrail API, and what it is to do."""
    folder, upstream = tmp_path_factory.mktemp("generic"), Scripted()
    upstream.script = says
    keys = [{"key": "litellm-key"}]
    with proxied("http://127.0.0.1:9", keys=keys) as ours:
        more = BUFFERED if request.param == "blocks" else {}
        guardrail = gateways.generic(f"http://127.0.0.1:{ours.port}", api_key="litellm-key", **more)
        with running(gateways.litellm(upstream.url, folder, guardrail), folder / "log") as server:
            yield server.url, request.param
    upstream.close()


@pytest.mark.parametrize("route", ["chat", "completions"])
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_litellm_asks_about_an_answer(asking: tuple[str, str], route: str, stream: bool) -> None:
    url, kind = asking
    if kind == "masks" and stream and route == "completions":
        pytest.skip("LiteLLM writes masks into streams of chats alone")
    response = ask(url, route, stream)
    assert EMAIL not in response.text
    if kind == "blocks":
        message = "The answer was withheld by the operator's privacy policy."
        assert (response.status_code, response.json()["error"]["message"]) == (400, message)
    else:
        shown = "You can use <EMAIL_ADDRESS>, which is it." if stream else "Use <EMAIL_ADDRESS>."
        assert (response.status_code, said_by(response, route, stream)) == (200, shown)


@pytest.mark.parametrize("route", ["chat", "completions"])
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_a_harmless_answer_comes_whole(asking: tuple[str, str], route: str, stream: bool) -> None:
    prompt = (
        {"prompt": "harmless"} if route == "completions" else {"messages": [{"role": "user", "content": "harmless"}]}
    )
    response = ask(asking[0], route, stream, **prompt)
    whole = "".join(golden.HARMLESS) if stream else "Use the front desk."
    assert (response.status_code, said_by(response, route, stream)) == (200, whole)


def test_masked_pieces_come_as_they_are_decided(asking: tuple[str, str]) -> None:
    url, kind = asking
    if kind == "blocks":
        pytest.skip("LiteLLM holds the stream")
    assert len(golden.frames(ask(url, "chat", True).content)) > 3
