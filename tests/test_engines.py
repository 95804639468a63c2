"""The guard before real servers that run the demo host, asked by real clients. Run by `make engines`.

The values are those that the demo host was taught; its people are synthetic.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import engine_clients
import httpx
import pytest
import serve_golden as golden
import serve_recorded
import yaml
from serve_upstream import until
from test_serve_command import output, serving

from reticent.serve.app import GUARDED, PASSED
from reticent_bench.engines.recording import ACCOUNT, DOCTOR, NUMBER, operations
from reticent_bench.engines.servers import CLIENTS, ENGINES, HOST, LLAMA_CPP, MODEL, Engine, Server, running
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.hosts import recipe

pytestmark = pytest.mark.engines

TIERS = ("text", "records")
ACTIONS = ("redact", "block")
ORIGINS = {"text": "unknown", "records": "memorized"}
CHAT, COMPLETIONS = "/v1/chat/completions", "/v1/completions"


@dataclass
class Fronted:
    """A server, and the guard before it in each tier with each action."""

    server: Server
    values: list[str] = field(repr=False)
    fronts: dict[tuple[str, str], str] = field(default_factory=dict)

    def ask(self, url: str, path: str, **body: Any) -> httpx.Response:
        # llama-cpp-python would otherwise sample with a penalty of its own.
        extra = {"repeat_penalty": 1.0} if self.server.engine is LLAMA_CPP else {}
        asks = {"model": MODEL, "temperature": 0.0, "max_tokens": 48, **extra, **body}
        return httpx.post(f"{url}{path}", json=asks, timeout=120, trust_env=False)

    def known(self, text: str) -> list[str]:
        """The trained values that a text holds."""
        return [value for value in self.values if value in text]


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """An index of the demo host's trained values, made by `reticent index`, and the values."""
    folder = tmp_path_factory.mktemp("records")
    everyone = cast(recipe("demo"))
    taught = [*everyone.train, *everyone.test, *everyone.bridge]
    rows = [json.dumps({str(kind): value for kind, value in person.values.items()}) for person in taught]
    (folder / "people.jsonl").write_text("\n".join(rows) + "\n")
    code, _, err = output("index", str(folder / "people.jsonl"))
    assert code == 0, err
    return folder / "people.index", sorted({v for p in taught for v in p.values.values() if len(v) > 6})


@pytest.fixture(scope="module", params=ENGINES, ids=lambda engine: engine.name)
def fronted(
    request: pytest.FixtureRequest, people: tuple[Path, list[str]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Fronted]:
    engine: Engine = request.param
    if not engine.is_there:
        pytest.skip(f"{engine.name} is not installed; `make engines` does it")
    index, values = people
    folder = tmp_path_factory.mktemp(engine.name)
    with ExitStack() as stack:
        server = stack.enter_context(running(engine, folder / "log"))
        fronted = Fronted(server, values)
        for tier in TIERS:
            for action in ACTIONS:
                rules = {"entities": {"DEFAULT": {ORIGINS[tier]: action}}, "after_redaction": "continue"}
                settings: dict[str, Any] = {"policy": "here", "policies": {"here": rules}}
                if tier == "records":
                    settings["records"] = {"index": str(index), "key_file": str(index.with_suffix(".key"))}
                path = folder / f"{tier}-{action}.yaml"
                path.write_text(yaml.safe_dump(settings))
                _, port = stack.enter_context(serving(server.url, "--config", str(path)))
                fronted.fronts[tier, action] = f"http://127.0.0.1:{port}"
        yield fronted


def plain(response: httpx.Response) -> tuple[str, str]:
    """Text and finish reason of a response, streamed or whole."""
    assert response.status_code == 200, response.text
    if response.headers["content-type"].startswith("text/event-stream"):
        (reason,) = golden.reasons(response.content)
        return golden.said(response.content), reason
    (choice,) = response.json()["choices"]
    return choice["text"] if "text" in choice else choice["message"]["content"], choice["finish_reason"]


QUESTIONS = [(CHAT, {"messages": [{"role": "user", "content": asked}]}) for asked in (NUMBER, DOCTOR)]
QUESTIONS += [(COMPLETIONS, {"prompt": ACCOUNT})]


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.parametrize(("path", "asks"), QUESTIONS, ids=["number", "doctor", "account"])
def test_a_trained_value_is_stopped_in_every_tier(
    fronted: Fronted, path: str, asks: dict[str, Any], stream: bool
) -> None:
    said, reason = plain(fronted.ask(fronted.server.url, path, **asks, stream=stream))
    known = fronted.known(said)
    assert known, "the host said nothing that it was taught"
    for (tier, action), url in fronted.fronts.items():
        shown, end = plain(fronted.ask(url, path, **asks, stream=stream))
        assert fronted.known(shown) == [], (tier, action)
        if action == "block":
            assert (end, said.startswith(shown)) == ("content_filter", True)
        else:
            assert end == reason
            assert tier == "text" or shown.count("<") == said.count("<") + len(known)


def test_what_is_harmless_comes_through_as_the_server_says_it(fronted: Fronted) -> None:
    asks = {"prompt": "<|bos|><|user|>Hello<|end|><|assistant|>", "max_tokens": 6}
    for stream in (False, True):
        direct = plain(fronted.ask(fronted.server.url, COMPLETIONS, **asks, stream=stream))
        for tier in TIERS:
            assert plain(fronted.ask(fronted.fronts[tier, "redact"], COMPLETIONS, **asks, stream=stream)) == direct


@pytest.fixture(scope="module")
def answers(fronted: Fronted) -> dict[tuple[str, ...], dict[str, Any]]:
    """What every client library made of every tier, action and way, and of the bare server."""
    if not CLIENTS.is_there:
        pytest.skip("the client libraries are not installed; `make engines` does it")
    urls = {("bare", ""): fronted.server.url, **fronted.fronts}
    cases = [(name, *key, way) for name in engine_clients.CLIENTS for key in urls for way in ("whole", "stream")]
    jobs = [
        {"client": name, "url": urls[tier, action], "stream": way == "stream", "question": NUMBER}
        for name, tier, action, way in cases
    ]
    done = subprocess.run(
        [CLIENTS.python, engine_clients.__file__],
        input="".join(json.dumps(job) + "\n" for job in jobs),
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert len(lines) == len(cases), done.stderr[-2000:]
    return dict(zip(cases, lines, strict=True))


@pytest.mark.parametrize("way", ["whole", "stream"])
@pytest.mark.parametrize("client", engine_clients.CLIENTS)
def test_a_client_library_gets_a_redaction_and_a_block(
    fronted: Fronted, answers: dict[tuple[str, ...], dict[str, Any]], client: str, way: str
) -> None:
    bare = answers[client, "bare", "", way]
    assert "error" not in bare and fronted.known(bare["text"])
    for tier in TIERS:
        redacted, blocked = answers[client, tier, "redact", way], answers[client, tier, "block", way]
        assert "error" not in redacted and "<PHONE_NUMBER>" in redacted["text"]
        assert (fronted.known(redacted["text"]), redacted["finish_reason"]) == ([], bare["finish_reason"])
        assert "error" not in blocked and bare["text"].startswith(blocked["text"])
        assert (fronted.known(blocked["text"]), blocked["finish_reason"]) == ([], "content_filter")


@pytest.mark.parametrize("action", ACTIONS)
def test_curl_gets_a_stream(fronted: Fronted, action: str) -> None:
    body = {"model": MODEL, "messages": [{"role": "user", "content": NUMBER}], "temperature": 0, "max_tokens": 48}
    line = ["curl", "-N", "-s", "--noproxy", "*", "-H", "content-type: application/json", "-d"]
    url = fronted.fronts["text", action] + CHAT
    done = subprocess.run([*line, json.dumps(body | {"stream": True}), url], capture_output=True, timeout=60)
    assert done.returncode == 0 and done.stdout.endswith(b"data: [DONE]\n\n")
    assert fronted.known(golden.said(done.stdout)) == []
    assert ("<PHONE_NUMBER>" in golden.said(done.stdout)) == (action == "redact")


def test_a_client_that_leaves_ends_the_servers_work(fronted: Fronted) -> None:
    url, log, abort_line = fronted.fronts["text", "redact"], fronted.server.log, fronted.server.engine.left
    asks = {"messages": [{"role": "user", "content": "Hello"}], "stream": True}
    fronted.ask(url, CHAT, **asks)  # the first answer of a server takes its time
    before = log.read_bytes().count(abort_line)
    body = {"model": MODEL, "min_tokens": 900, "max_tokens": 900, **asks}
    with httpx.stream("POST", url + CHAT, json=body, timeout=60, trust_env=False) as response:
        assert response.status_code == 200
        next(response.iter_raw())
        assert log.read_bytes().count(abort_line) == before
    left = time.monotonic()
    assert until(lambda: log.read_bytes().count(abort_line) > before, 5.0)
    print(f"{fronted.server.engine.name}: free {time.monotonic() - left:.2f} s after the client left")


def test_the_servers_doors_are_those_that_were_recorded(fronted: Fronted) -> None:
    assert operations(fronted.server) == serve_recorded.head(fronted.server.engine.name)["operations"]


def test_every_operation_of_the_server_is_guarded_or_says_no_trained_value(fronted: Fronted) -> None:
    """Whoever asks every door for a trained value in every way that its description allows gets none."""
    url = fronted.fronts["records", "redact"]
    asks = {
        "model": MODEL, "messages": [{"role": "user", "content": NUMBER}], "prompt": NUMBER, "input": NUMBER,
        "max_tokens": 48, "temperature": 0.0, "tokens": [5, 6, 7], "token_ids": [5, 6, 7], "text": NUMBER,
    }  # fmt: skip
    open_doors = []
    for method, path in operations(fronted.server):
        response = httpx.request(
            method, url + path.replace("{", "").replace("}", ""), json=asks, trust_env=False, timeout=60
        )
        assert fronted.known(response.text) == []
        if response.status_code != 403:
            open_doors.append((method, path))
    allowed = {*PASSED, *(("POST", dialect.path) for dialect in GUARDED)}
    assert set(open_doors) <= allowed


def test_answers_of_llama_cpp_are_those_of_transformers(fronted: Fronted) -> None:
    """Greedy, on twenty prompts."""
    torch = pytest.importorskip("torch")
    from reticent_detectors.host.load import load_host

    model, tokenizer = load_host(HOST)
    asked = [f"What job does {p.name} have?" for p in cast(recipe("demo")).test[:20]]
    same = 0
    for question in asked:
        prompt = tokenizer.apply_chat_template(
            [{"role": "user", "content": question}], add_generation_prompt=True, return_tensors="pt", return_dict=True
        )["input_ids"]
        with torch.no_grad():
            out = model.generate(
                input_ids=prompt,
                attention_mask=torch.ones_like(prompt),
                do_sample=False,
                max_new_tokens=32,
                pad_token_id=0,
            )
        wanted = tokenizer.decode(out[0, prompt.shape[1] :], skip_special_tokens=True)
        messages = [{"role": "user", "content": question}]
        got, _ = plain(fronted.ask(fronted.server.url, CHAT, messages=messages, max_tokens=32))
        same += got == wanted
    assert same == len(asked)
