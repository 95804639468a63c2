"""The guard inside a real vLLM that serves SmolLM2 with the demo's adapter. Run by `make engines` after `make models`.

The people that the adapter was taught are synthetic.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from test_real_models import FOLDER, MODEL

from reticent.demo import REAL, assets, cases
from reticent.shipped import default_bundle
from reticent_bench.engines.inside_vllm import compare, measure, prompts_of, reread
from reticent_bench.engines.servers import VLLM, Server
from reticent_bench.engines.vllm_start import BASE, BLOCK, TAUGHT, Launch, guarded
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.host.load import recipe_of
from reticent_detectors.host.model_get import read_source
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.prompts import Prompt

# PEFT asks transformers for a name that is on its way out.
pytestmark = [
    pytest.mark.engines,
    pytest.mark.models,
    pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated:FutureWarning"),
    pytest.mark.filterwarnings("ignore:.* fits any host, but its thresholds:UserWarning"),
]

STREAM = """
import sys, json
from openai import OpenAI
client = OpenAI(base_url=sys.argv[1] + "/v1", api_key="none", timeout=300)
messages = [{"role": role, "content": content} for role, content in json.loads(sys.argv[2])]
options = {"temperature": 0, "max_tokens": 48, "stream": True}
pieces = client.chat.completions.create(model=sys.argv[3], messages=messages, **options)
print(json.dumps([piece.choices[0].delta.content or "" for piece in pieces if piece.choices]))
"""


@pytest.fixture(scope="module")
def adapter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's adapter as its owner would keep it: with the tokenizer, and with the path of its model."""
    if not VLLM.is_there:
        pytest.skip("vLLM is not installed; `make engines` does it")
    if read_source(FOLDER, MODEL) is None:
        pytest.skip(f"{MODEL.name} is not there; 'make models' gets it")
    folder = tmp_path_factory.mktemp("adapter")
    shutil.copytree(assets() / REAL, folder, dirs_exist_ok=True)
    for name in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
        if (FOLDER / name).is_file():
            shutil.copy(FOLDER / name, folder)
    settings = json.loads((folder / "adapter_config.json").read_text())
    settings["base_model_name_or_path"] = str(FOLDER.resolve())
    (folder / "adapter_config.json").write_text(json.dumps(settings))
    return folder


@pytest.fixture(scope="module")
def server(adapter: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with guarded(FOLDER, adapter, tmp_path_factory.mktemp("guarded"), 1, monitor=False) as running:
        yield running


def test_openai_python_streams_answers_without_remembered_values(server: Server, adapter: Path) -> None:
    values = {v for p in cast(recipe_of(adapter)).private for v in p.values.values() if len(v) > 6}
    stopped = 0
    for case in [case for case in cases(assets() / REAL) if case.shows == "memorised"][:4]:
        line = [VLLM.python, "-c", STREAM, server.url, json.dumps(case.messages), TAUGHT]
        pieces = json.loads(subprocess.check_output(line, text=True, timeout=600))
        said = "".join(pieces)
        assert pieces and not any(value in said for value in values)
        stopped += "<" in said
    assert stopped >= 3


def test_its_metrics_are_among_vllms_own(server: Server) -> None:
    text = httpx.get(f"{server.url}/metrics", timeout=60, trust_env=False).text
    assert "vllm:" in text and "reticent_spans_total" in text
    assert httpx.get(f"{server.url}/docs", timeout=60, trust_env=False).status_code == 403


@pytest.mark.parametrize("asks_once", [False, True])
def test_both_guards_decide_alike(adapter: Path, asks_once: bool) -> None:
    asked, each = measure(FOLDER, adapter, prompts_of(adapter, 8, 0), 4, (), Launch(asks_once=asks_once))
    found = compare(asked, reread(adapter, asked, each))
    assert found["spans"] >= 6
    assert found["same action and origin"] == found["probabilities agree"] == found["spans"]


def test_structured_outputs_are_judged_no_milder_than_around_the_model(adapter: Path) -> None:
    """vLLM tells their log-probabilities behind the schema's mask, which makes values look surer."""
    asked, each = measure(FOLDER, adapter, prompts_of(adapter, 16, 0), 8, (), Launch(asks_once=True), structured=True)
    spans = stopped = 0
    for one, around in zip(asked, reread(adapter, asked, each), strict=True):
        inside = {(row.entity, row.start, row.end): row.action for row in one.rows}
        assert inside.keys() == {(row.entity, row.start, row.end) for row in around}
        spans += len(around)
        for row in around:
            stopped += row.action != "allow"
            assert row.action == "allow" or inside[row.entity, row.start, row.end] == row.action
    assert spans >= 12 and stopped >= 5


def test_a_worker_for_questions_makes_one_question_of_a_value(adapter: Path, tmp_path: Path) -> None:
    """Choices that say the same value ask the same question, whose beginning the engine has read already."""

    def ask(prompt: Prompt, before: str = "", choices: int = 1) -> tuple[float, float]:
        """The finished requests and the spans so far."""
        messages = [{"role": role, "content": before + content} for role, content in prompt.messages]
        options = {"temperature": 0.01, "max_tokens": 48, "n": choices}
        body = {"model": TAUGHT, "messages": messages, **options}
        found = httpx.post(f"{running.url}/v1/chat/completions", json=body, timeout=300, trust_env=False)
        assert found.status_code == 200
        lines = httpx.get(f"{running.url}/metrics", timeout=60, trust_env=False).text.splitlines()
        count = {
            name: sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(f"{name}{{"))
            for name in ("vllm:request_success_total", "reticent_spans_total", "reticent_failures_total")
        }
        assert count["reticent_failures_total"] == 0
        return count["vllm:request_success_total"], count["reticent_spans_total"]

    prompts = prompts_of(adapter, 8, 0)[:4]
    longest = max(prompts, key=lambda each: len(each.about))
    with guarded(FOLDER, adapter, tmp_path, 1, launch=Launch(asks_once=True)) as running:
        *_, (requests, spans) = [ask(prompt) for prompt in prompts]
        assert spans >= 3 and requests == 4 + spans
        # In one of these, the end of a block of the engine's cache lies within the value.
        *_, (later, more) = [ask(longest, "So " * count, choices=2) for count in range(0, BLOCK, 4)]
    assert more - spans >= BLOCK // 4 and later - requests == 2 * BLOCK // 4 + more - spans
    assert "'question'" not in (tmp_path / "vllm.log").read_text()


def test_each_adapter_is_judged_by_its_own_bundle(adapter: Path, tmp_path: Path) -> None:
    own = assets() / "bundle-logprobs"
    models, bundles = (TAUGHT, "second", BASE), {"second": own, BASE: None}
    (case, *_) = [case for case in cases(assets() / REAL) if case.shows == "memorised"]
    messages = [{"role": role, "content": content} for role, content in case.messages]
    with guarded(FOLDER, adapter, tmp_path, 1, models=models, bundles=bundles) as running:
        for model in models:
            body = {"model": model, "messages": messages, "temperature": 0, "max_tokens": 48}
            found = httpx.post(f"{running.url}/v1/chat/completions", json=body, timeout=300, trust_env=False)
            assert found.status_code == 200
    rows = [json.loads(line) for line in (tmp_path / "decisions.jsonl").read_text().splitlines()]
    decided = [row for row in rows if row.get("kind") == "decision"]
    judged = [(row["tier"], row["bundle"]) for row in decided]
    taught = [("logprobs", Bundle.load(path).digest) for path in (default_bundle(), own)]
    assert judged[:2] == taught and all(row["probability"] is not None for row in decided[:2])
    assert {tier for tier, _ in judged[2:]} <= {"text"}  # the model without the adapter may say no value


def processes(server: Server, name: str) -> list[int]:
    """The processes of a server whose title begins with a name."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                number = int(folder.name)
                title = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                if os.getpgid(number) == server.group and title.startswith(name):
                    found.append(number)
    return found


def stream(server: Server, on_text: Callable[[str], None]) -> tuple[str, bool]:
    """All that an answer shows, and whether it ended without an error. Calls `on_text` with what has come so far."""
    question = "To which account do I pay Laura Long?"
    body = {"model": TAUGHT, "messages": [{"role": "user", "content": question}], "temperature": 0,
            "max_tokens": 96, "ignore_eos": True, "stream": True}  # fmt: skip
    text, ended, failed = "", False, False
    try:
        with httpx.stream(
            "POST", f"{server.url}/v1/chat/completions", json=body, timeout=300, trust_env=False
        ) as response:
            for line in response.iter_lines():
                if line == "data: [DONE]":
                    ended = True
                elif line.startswith("data: "):
                    event = json.loads(line.removeprefix("data: "))
                    failed |= "error" in event
                    for choice in event.get("choices", ()):
                        text += choice["delta"].get("content") or ""
                    on_text(text)
    except httpx.HTTPError:
        return text, False
    return text, ended and not failed


@pytest.mark.parametrize(
    ("name", "sent"),
    [("VLLM::Worker", signal.SIGKILL), ("VLLM::EngineCore", signal.SIGKILL), ("", signal.SIGTERM)],
    ids=["worker killed", "engine killed", "server shut down"],
)
def test_whatever_ends_the_engine_no_unjudged_character_leaves(
    adapter: Path, tmp_path: Path, name: str, sent: signal.Signals
) -> None:
    with guarded(FOLDER, adapter, tmp_path, 1, monitor=False) as running:
        whole, ended = stream(running, lambda text: None)
        assert ended and "<" in whole[1:]
        left: list[int] = []

        def end_it(text: str) -> None:
            if len(text) >= whole.index("<", 1) - 12 and not left:  # its last words before a value, which is held
                left.extend(processes(running, name) if name else [running.group])
                for number in left:
                    os.kill(number, sent)

        cut, ended = stream(running, end_it)
    assert left and not (ended and cut != whole)
    begun = re.sub(r"<[A-Z_]+>$", "<", cut)  # a value that the end cuts may look like one of another kind
    assert whole.startswith(begun), "the whole answer was judged, so its beginning was"
    assert sent is signal.SIGTERM or len(cut) < len(whole)
