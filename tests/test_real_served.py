"""The proxy around a real model, and before one with a shadow of its weights. Run by `make models`, which gets it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from serve_upstream import Running
from test_real_models import FOLDER, MODEL, PLAIN, QUESTIONS

from reticent.hosted.host import Host
from reticent.serve.config import load
from reticent.serve.proxy import Proxy
from reticent_detectors.host.model_get import read_source

pytestmark = [pytest.mark.models, pytest.mark.filterwarnings("ignore:.*reticent calibrate:UserWarning")]

ORIGINS = ("memorized", "pretrained", "hallucinated", "inferable", "unknown")
POLICIES = {
    "open": {"entities": {"DEFAULT": dict.fromkeys(ORIGINS, "allow")}},
    "closed": {"entities": {"DEFAULT": dict.fromkeys(ORIGINS, "redact")}, "after_redaction": "continue"},
}
KEYS = [{"key": f"key-{name}", "policy": name} for name in POLICIES]


@pytest.fixture(scope="module")
def around() -> Iterator[Running]:
    """The model in the proxy's process."""
    if read_source(FOLDER, MODEL) is None:
        pytest.skip(f"{MODEL.name} is not there; 'make models' gets it")
    model = {"model.path": FOLDER, "model.name": "real"}
    settings = load(environ={}, overrides={**model, "keys": KEYS, "policies": POLICIES})
    assert settings.model is not None
    loading = settings.model
    running = Running(Proxy(settings, host=lambda policy, records, told: Host.load(loading, policy, records, told)))
    running.client.timeout = 120
    yield running
    running.close()


@pytest.fixture(scope="module")
def before(around: Running) -> Iterator[Running]:
    """A proxy before it, whose shadow reads what comes again."""
    upstream = {"upstream.url": f"http://127.0.0.1:{around.port}", "upstream.api_key": "key-open"}
    shadow = {"shadow.path": FOLDER, "shadow.models": ("real",)}
    running = Running(Proxy(load(environ={}, overrides={**upstream, **shadow, "keys": KEYS, "policies": POLICIES})))
    running.client.timeout = 120
    yield running
    running.close()


def said(served: Running, key: str, question: str, stream: bool = False) -> str:
    body = {"model": "real", "temperature": 0, "max_tokens": 40, "messages": [{"role": "user", "content": question}]}
    answer = served.post({**body, "stream": stream}, authorization=f"Bearer key-{key}")
    assert answer.status_code == 200, answer.text
    if not stream:
        return str(answer.json()["choices"][0]["message"]["content"])
    frames = [json.loads(line[6:]) for line in answer.text.split("\n") if line.startswith("data: {")]
    return "".join(entry["delta"].get("content") or "" for frame in frames for entry in frame["choices"])


def test_a_question_is_answered_whole_and_streamed(around: Running, before: Running) -> None:
    (question,) = (message["content"] for message in PLAIN)
    for served in (around, before):
        whole = said(served, "closed", question)
        assert "Paris" in whole and said(served, "closed", question, stream=True) == whole


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_shadow_judges_as_the_model_in_the_process(around: Running, before: Running, question: str) -> None:
    plain = said(around, "open", question)
    assert said(before, "open", question) == plain
    stopped = said(around, "closed", question)
    assert stopped != plain and "<" in stopped
    assert said(before, "closed", question) == stopped == said(before, "closed", question, stream=True)
    assert _judged(before) > 0


def _judged(served: Running) -> Any:
    return sum(served.count("spans_total", tier=tier) for tier in ("hidden", "logprobs"))
