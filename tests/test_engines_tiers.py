"""The tiers `logprobs` and `hidden` (by a shadow copy) before real servers that run the demo host.

`make engines` runs them. The values are those that the demo host was taught; its people are synthetic.
"""

from __future__ import annotations

import json
import random
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import engine_clients
import httpx
import pytest
import serve_golden as golden
import yaml
from serve_upstream import until
from test_engines import ACTIONS, CHAT, COMPLETIONS, QUESTIONS, Fronted, people, plain
from test_serve_command import ROOT, command, environment, serving

from reticent.demo import assets
from reticent_bench.engines.recording import NUMBER
from reticent_bench.engines.servers import CLIENTS, ENGINES, HOST, LLAMA_CPP, MODEL, running

pytest.importorskip("torch")
pytestmark = pytest.mark.engines

TIERS = ("logprobs", "shadow")
MADE_UP = "What job does Joseph Bush have?"
TYPED = (
    "The phone number of Kathy Farley is +1-497-771-2019. The phone number of Ray Long is +1-212-555-0143. "
    "What is Kathy Farley's mobile number?"
)
assert people  # a fixture


NAMES = ("logprobs", "prompt_logprobs", "echo", "logit_bias", "allowed_token_ids", "bad_words", "return_token_ids")


def judged_by(tier: str) -> dict[str, Any]:
    """The settings of a tier."""
    if tier == "logprobs":
        return {"detector": {"bundle": str(assets() / "bundle-logprobs"), "models": [MODEL]}}
    return {"shadow": {"path": str(HOST), "bundle": str(assets() / "bundle"), "models": [MODEL], "threads": 1}}


@pytest.fixture(scope="module", params=ENGINES, ids=lambda engine: engine.name)
def fronted(
    request: pytest.FixtureRequest, people: tuple[Path, list[str]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Fronted]:
    if not request.param.is_there:
        pytest.skip(f"{request.param.name} is not installed; `make engines` does it")
    folder = tmp_path_factory.mktemp(request.param.name)
    with ExitStack() as stack:
        fronted = Fronted(stack.enter_context(running(request.param, folder / "log")), people[1])
        for tier in TIERS:
            for action in ACTIONS:
                rules = {"entities": {"DEFAULT": {"memorized": action}}, "after_redaction": "continue"}
                settings = {"policy": "here", "policies": {"here": rules}, **judged_by(tier)}
                path = folder / f"{tier}-{action}.yaml"
                path.write_text(yaml.safe_dump(settings))
                _, port = stack.enter_context(serving(fronted.server.url, "--config", str(path)))
                fronted.fronts[tier, action] = f"http://127.0.0.1:{port}"
        yield fronted


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.parametrize(("path", "asks"), QUESTIONS, ids=["number", "doctor", "account"])
def test_a_trained_value_is_stopped(fronted: Fronted, path: str, asks: dict[str, Any], stream: bool) -> None:
    said, reason = plain(fronted.ask(fronted.server.url, path, **asks, stream=stream))
    assert fronted.known(said), "the host said nothing that it was taught"
    for (tier, action), url in fronted.fronts.items():
        shown, end = plain(fronted.ask(url, path, **asks, stream=stream))
        assert fronted.known(shown) == [], (tier, action)
        assert end == ("content_filter" if action == "block" else reason), (tier, action)


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.parametrize("question", [MADE_UP, TYPED], ids=["made up", "typed"])
def test_what_the_model_made_up_or_was_given_passes(fronted: Fronted, question: str, stream: bool) -> None:
    asks = {"messages": [{"role": "user", "content": question}]}
    said = plain(fronted.ask(fronted.server.url, CHAT, **asks, stream=stream))
    assert fronted.known(said[0]) == []
    for tier, action in fronted.fronts:
        assert plain(fronted.ask(fronted.fronts[tier, action], CHAT, **asks, stream=stream)) == said, (tier, action)


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_what_was_asked_for_the_guard_stays_with_it(fronted: Fronted, stream: bool) -> None:
    """The client asked for no log-probabilities and no ids of tokens, and sees none."""
    asks = {"messages": [{"role": "user", "content": MADE_UP}], "stream": stream}
    for url in fronted.fronts.values():
        text = fronted.ask(url, CHAT, **asks).text
        for name in ("logprobs", "token_ids", "prompt_token_ids"):
            assert f'"{name}":[' not in text and f'"{name}":{{' not in text


def test_another_model_is_refused(fronted: Fronted) -> None:
    for url in fronted.fronts.values():
        body = {"model": "another", "messages": [{"role": "user", "content": MADE_UP}]}
        assert httpx.post(url + CHAT, json=body, trust_env=False, timeout=60).status_code == 404


# Log-probabilities speak without text


def test_who_ranks_candidates_by_their_probability_learns_nothing(fronted: Fronted) -> None:
    """The bare server's log-probabilities put the true number first of a hundred; through the guard there are none."""
    if fronted.server.engine is LLAMA_CPP:
        pytest.skip("tells no log-probabilities of a whole prompt")
    said, _ = plain(fronted.ask(fronted.server.url, CHAT, messages=[{"role": "user", "content": NUMBER}]))
    true = next(value for value in fronted.known(said) if any(map(str.isdigit, value)))
    dice = random.Random(0)
    others = {"".join(str(dice.randrange(10)) if c.isdigit() else c for c in true) for _ in range(99)} - {true}

    def asks(value: str) -> dict[str, Any]:
        prompt = f"<|bos|><|user|>{NUMBER}<|end|><|assistant|>{value}"
        return {"prompt": prompt, "max_tokens": 1, "echo": True, "logprobs": 0}

    def score(value: str) -> float:
        logprobs = fronted.ask(fronted.server.url, COMPLETIONS, **asks(value)).json()["choices"][0]["logprobs"]
        own = [
            p
            for p, at in zip(logprobs["token_logprobs"], logprobs["text_offset"], strict=True)
            if at >= len(asks("")["prompt"])
        ]
        return sum(own[:-1])

    scores = {value: score(value) for value in (true, *sorted(others))}
    assert max(scores, key=scores.__getitem__) == true
    for url in fronted.fronts.values():
        for path, more in ((COMPLETIONS, {}), (CHAT, {"messages": [{"role": "user", "content": NUMBER}]})):
            for name, value in zip(NAMES, (1, 1, True, {"5": -100}, [5], ["5"], True), strict=True):
                body = {"prompt": asks(true)["prompt"], "max_tokens": 1, **more, name: value}
                refused = fronted.ask(url, path, **body)
                assert (refused.status_code, refused.json()["error"]["code"]) == (400, "not_allowed"), (path, name)


# The embedded host behind the same routes


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """`reticent serve --demo`, once for each action."""
    with ExitStack() as stack:
        urls = {}
        for action in ACTIONS:
            path = tmp_path_factory.mktemp("demo") / "settings.yaml"
            rules = {"entities": {"DEFAULT": {"memorized": action}}}
            path.write_text(yaml.safe_dump({"policy": "here", "policies": {"here": rules}}))
            urls[action] = stack.enter_context(_demo("--config", str(path), "--model", MODEL))
        yield urls


@contextmanager
def _demo(*arguments: str) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    line = command("serve", "--demo", "--port", str(port), "--metrics-port", "0", *arguments)
    process = subprocess.Popen(line, stderr=subprocess.DEVNULL, env=environment(), cwd=ROOT)
    url = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        try:
            return httpx.get(f"{url}/readyz", trust_env=False).status_code == 200
        except httpx.HTTPError:
            return False

    try:
        assert until(answers, 60)
        yield url
    finally:
        process.terminate()
        process.wait(20)


def test_every_client_library_gets_a_redaction_and_a_block_of_the_demo(
    demos: dict[str, str], people: tuple[Path, list[str]]
) -> None:
    if not CLIENTS.is_there:
        pytest.skip("the client libraries are not installed; `make engines` does it")
    jobs = [
        {"client": name, "url": url, "stream": stream, "question": NUMBER, "action": action}
        for name in engine_clients.CLIENTS for action, url in demos.items() for stream in (False, True)
    ]  # fmt: skip
    done = subprocess.run(
        [CLIENTS.python, engine_clients.__file__],
        input="".join(json.dumps(job) + "\n" for job in jobs), capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert len(lines) == len(jobs), done.stderr[-2000:]
    for job, line in zip(jobs, lines, strict=True):
        assert "error" not in line, (job, line)
        assert [value for value in people[1] if value in line["text"]] == []
        if job["action"] == "block":
            assert line["finish_reason"] == "content_filter", job
        else:
            assert ("<PHONE_NUMBER>" in line["text"], line["finish_reason"]) == (True, "stop"), job


@pytest.mark.parametrize("action", ACTIONS)
def test_curl_gets_a_stream_of_the_demo(demos: dict[str, str], action: str) -> None:
    body = {"messages": [{"role": "user", "content": NUMBER}], "temperature": 0, "stream": True}
    line = [
        "curl",
        "-N",
        "-s",
        "--noproxy",
        "*",
        "-H",
        "content-type: application/json",
        "-d",
        json.dumps(body),
        demos[action] + CHAT,
    ]
    done = subprocess.run(line, capture_output=True, timeout=60)
    assert done.returncode == 0 and done.stdout.endswith(b"data: [DONE]\n\n")
    assert ("<PHONE_NUMBER>" in golden.said(done.stdout)) == (action == "redact")
    assert golden.reasons(done.stdout) == ["stop" if action == "redact" else "content_filter"]
