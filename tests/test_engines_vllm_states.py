"""The guard inside a real vLLM with hidden states, on the demo host and its detector. Run by `make engines`.

The people that the demo host was taught are synthetic.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from reticent.demo import assets
from reticent_bench.engines.inside_vllm import compare, measure, prompts_of, reread
from reticent_bench.engines.servers import VLLM, Server
from reticent_bench.engines.vllm_start import TAUGHT, guarded
from reticent_detectors.host.load import recipe_of
from reticent_detectors.synth.cast import cast

HOST, BUNDLE = assets() / "host", assets() / "bundle"
WORKERS = "reticent_bench.engines.state_worker"
pytestmark = [
    pytest.mark.engines,
    pytest.mark.skipif(not VLLM.is_there, reason="vLLM is not installed; `make engines` does it"),
]


def stream(server: Server, prompt: int) -> tuple[str, bool]:
    """What an answer shows, and whether it ended without an error."""
    messages = [{"role": role, "content": content} for role, content in prompts_of(HOST, 16, 0)[prompt].messages]
    body = {"model": TAUGHT, "messages": messages, "temperature": 0, "max_tokens": 48, "stream": True}
    text, ended, failed = "", False, False
    try:
        with httpx.stream("POST", f"{server.url}/v1/chat/completions", json=body, timeout=300, trust_env=False) as sent:
            for line in sent.iter_lines():
                if line == "data: [DONE]":
                    ended = True
                elif line.startswith("data: "):
                    event = json.loads(line.removeprefix("data: "))
                    failed |= "error" in event or sent.status_code != 200
                    text += "".join(choice["delta"].get("content") or "" for choice in event.get("choices", ()))
    except httpx.HTTPError:
        return text, False
    return text, ended and not failed


def values() -> set[str]:
    return {value for person in cast(recipe_of(HOST)).private for value in person.values.values() if len(value) > 6}


def test_both_guards_decide_alike_by_all_layers() -> None:
    asked, each = measure(HOST, None, prompts_of(HOST, 16, 0), 8, (), bundle=BUNDLE)
    found = compare(asked, reread(HOST, asked, each, bundle=BUNDLE, base="self"))
    assert found["spans"] >= 12
    assert found["same action and origin"] == found["probabilities agree"] == found["spans"]


def test_a_short_value_that_the_user_typed_is_judged_behind_the_prompt_without_it() -> None:
    """As the user may have typed it by chance."""
    short = [prompt for prompt in prompts_of(HOST, 500, 0) if re.fullmatch(r"\$?\d{3,4}", prompt.about)][:12]
    typed = [
        replace(prompt, messages=(("user", f"{prompt.user_text} The last four are {digits}, or so I think."),))
        for prompt in short
        for digits in [prompt.about.removeprefix("$")]
    ]
    asked, each = measure(HOST, None, typed, 8, (), bundle=BUNDLE)
    found = compare(asked, reread(HOST, asked, each, bundle=BUNDLE, base="self"))
    assert found["without a probability inside"] == found["without one around"] <= found["spans"] - 6
    assert found["same action and origin"] == found["probabilities agree"] == found["spans"]


def test_without_the_worker_the_start_ends_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), guarded(HOST, None, tmp_path, 1, bundles={TAUGHT: BUNDLE}):
        raise AssertionError("it started")
    log = (tmp_path / "vllm.log").read_text()
    assert "--worker-cls reticent.integrations.vllm_worker.GuardWorker" in log


@pytest.fixture(scope="module")
def losing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    options = ("--worker-cls", f"{WORKERS}.DroppingWorker")
    with guarded(HOST, None, tmp_path_factory.mktemp("l"), 1, options, monitor=False, bundle=BUNDLE) as running:
        yield running


def test_a_value_whose_rows_were_lost_is_withheld_and_counted(losing: Server) -> None:
    said = [stream(losing, number) for number in range(8)]
    assert all(ended for _, ended in said)
    assert not any(value in text for text, _ in said for value in values())
    metrics = httpx.get(f"{losing.url}/metrics", timeout=60, trust_env=False).text
    counted = [line for line in metrics.splitlines() if line.startswith("reticent_failures_total") and "states" in line]
    assert sum(float(line.rpartition(" ")[2]) for line in counted) >= 6


def test_a_hook_that_raises_loses_the_states_and_no_value_leaves(tmp_path: Path) -> None:
    options = ("--worker-cls", f"{WORKERS}.FailingWorker")
    with guarded(HOST, None, tmp_path, 1, options, monitor=False, bundle=BUNDLE) as running:
        said = [stream(running, number) for number in range(8)]
    assert all(ended for _, ended in said)
    assert not any(value in text for text, _ in said for value in values())
    assert "the states of a step are lost" in (tmp_path / "vllm.log").read_text()


def test_a_rank_that_does_not_answer_leaves_the_value_unknown_and_the_engine_running(tmp_path: Path) -> None:
    options = ("--worker-cls", f"{WORKERS}.SilentWorker", "--tensor-parallel-size", "2")
    with guarded(HOST, None, tmp_path, 1, options, monitor=False, bundle=BUNDLE) as running:
        said = [stream(running, number) for number in range(2)]
        metrics = httpx.get(f"{running.url}/metrics", timeout=60, trust_env=False).text
    assert all(ended for _, ended in said)
    assert not any(value in text for text, _ in said for value in values())
    counted = [line for line in metrics.splitlines() if line.startswith("reticent_failures_total") and "states" in line]
    assert sum(float(line.rpartition(" ")[2]) for line in counted) >= 1
