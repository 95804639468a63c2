"""The proxy around a real model. Run by `make models`, which gets it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from serve_upstream import Running
from test_real_models import FOLDER, MODEL, PLAIN, QUESTIONS

from reticent.hosted.hosted_model import HostedModel
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
    running = Running(
        Proxy(
            settings,
            local_model=lambda *shared: HostedModel.load(loading, *shared),
        )
    )
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


def test_a_question_is_answered_whole_and_streamed(around: Running) -> None:
    (question,) = (message["content"] for message in PLAIN)
    whole = said(around, "closed", question)
    assert "Paris" in whole and said(around, "closed", question, stream=True) == whole


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_is_stopped_is_stopped_streamed_and_whole(around: Running, question: str) -> None:
    plain, stopped = said(around, "open", question), said(around, "closed", question)
    assert stopped != plain and "<" in stopped
    assert said(around, "closed", question, stream=True) == stopped
    assert around.count("spans_total", tier="logprobs") > 0
