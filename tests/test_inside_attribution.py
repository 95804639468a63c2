"""The check that each log-probability inside vLLM belongs to its request, without vLLM."""

from __future__ import annotations

import asyncio
import json
import math
from pathlib import Path

import httpx
import pytest
import torch

from reticent.demo import assets
from reticent_bench.engines.inside_attribution import (
    TOKENS,
    StreamedAnswer,
    Wanted,
    alone,
    compare,
    requests_of,
    save,
    stream_all,
    stream_answer,
)
from reticent_bench.engines.inside_vllm import CHUNK, Configuration
from reticent_bench.engines.vllm_start import BASE, CONTEXT, TAUGHT
from reticent_bench.report.result import provenance
from reticent_detectors.host.load import load_host

HOST = assets() / "host"
CHAT = [{"role": "user", "content": "Who?"}]


def wanted(tokens: int = 3, leaves_after: int | None = None, model: str = TAUGHT) -> Wanted:
    return Wanted(model, CHAT, tokens, tokens if leaves_after is None else leaves_after, 0)


def heard(*nats: float, ids: int | None = None, tokens: int = 3) -> StreamedAnswer:
    return StreamedAnswer(wanted(tokens), [1, 2], [5] * (len(nats) if ids is None else ids), list(nats))


def engine(tokens: int) -> httpx.MockTransport:
    """Streams so many tokens, two in each event, and has preempted four requests."""

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/metrics":
            return httpx.Response(200, text='vllm:num_preemptions_total{engine="0"} 4.0\nvllm:other 9.0\n')
        events = [{"prompt_token_ids": [7, 8], "choices": []}]
        for start in range(0, tokens, 2):
            content = [{"logprob": -float(place)} for place in range(start, start + 2)]
            events.append({"choices": [{"token_ids": [start, start + 1], "logprobs": {"content": content}}]})
        text = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
        return httpx.Response(200, text=text + "data: [DONE]\n\n")

    return httpx.MockTransport(answer)


def test_answers_are_heard_to_their_end_or_until_the_client_leaves() -> None:
    async def both() -> tuple[StreamedAnswer, StreamedAnswer]:
        async with httpx.AsyncClient(transport=engine(6), base_url="http://engine") as client:
            return await stream_answer(client, wanted(6)), await stream_answer(client, wanted(6, leaves_after=3))

    whole, part = asyncio.run(both())
    assert (whole.prompt, whole.ids, whole.nats) == ([7, 8], [0, 1, 2, 3, 4, 5], [0, -1, -2, -3, -4, -5])
    assert part.nats == [0, -1, -2, -3], "it leaves with the event that brings the third token"


def test_all_are_asked_and_preempted_requests_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    client = httpx.AsyncClient
    monkeypatch.setattr(httpx, "AsyncClient", lambda **given: client(transport=engine(4), base_url=given["base_url"]))
    answers, preempted = asyncio.run(stream_all("http://engine", [wanted(4), wanted(4, model=BASE)], 2))
    assert [each.wanted.model for each in answers] == [TAUGHT, BASE] and preempted == 4


def test_rows_are_counted_and_another_requests_would_be_seen() -> None:
    found = compare([heard(-1.0, -2.0, -3.0), heard(-4.0, -5.0, ids=2)], [[-1.0, -2.0005, -3.5], [-4.0, -5.0]])
    assert (found["rows"], found["wrong"], found["missing"]) == (5, 1, 1)
    assert found["largest difference, nats"] == pytest.approx(0.5)
    assert found["another request's would be seen"] == 1.0
    assert compare([heard(math.nan)], [[-1.0]])["wrong"] == 1
    assert compare([heard(-1.0), heard(-1.0)], [[-1.0], [-1.0]])["another request's would be seen"] == 0.0


def test_what_a_text_has_alone_is_what_its_model_says() -> None:
    model, tokenizer = load_host(HOST)
    ids = tokenizer("My name is Ana and I live here.")["input_ids"]
    with torch.inference_mode():
        expected = model(torch.tensor([ids])).logits[0].float().log_softmax(-1)
    one = StreamedAnswer(wanted(4), ids[:-4], ids[-4:], [])
    assert next(alone(HOST, [one])) == pytest.approx([float(expected[-5 + i, ids[-4 + i]]) for i in range(4)], abs=1e-5)


def test_requests_are_of_mixed_lengths_to_both_models_and_some_clients_leave() -> None:
    requests = requests_of(HOST, 100, 0)
    assert {each.model for each in requests} == {TAUGHT, BASE}
    assert (
        all(TOKENS[0] <= each.tokens <= TOKENS[1] for each in requests) and len({each.tokens for each in requests}) > 50
    )
    assert 8 <= sum(each.leaves_after < each.tokens for each in requests) <= 35
    assert requests == requests_of(HOST, 100, 0) != requests_of(HOST, 100, 1)
    assert {each.body["seed"] for each in requests} == set(range(100))


def test_the_table_says_what_was_measured(tmp_path: Path) -> None:
    measured = {
        "requests": 2,
        "at once": 2,
        "left early": 0,
        "preempted": 4,
        **compare([heard(-1.0)] * 2, [[-1.0]] * 2),
    }
    save(
        tmp_path,
        "name",
        {"measured": measured, "mode": "eager", "made_by": {**provenance("a command", 0), "vllm": "0.32.0"}},
    )
    assert "| requests | at once | left early | preempted | rows | wrong |" in (tmp_path / "name.md").read_text()
    assert json.loads((tmp_path / "name.json").read_text())["measured"] == measured


def test_configurations_share_and_cut_prompts_or_do_neither() -> None:
    on, off = Configuration(32, True), Configuration(1, False, 2)
    assert {"--enable-prefix-caching", "--enable-chunked-prefill", str(CHUNK)} < set(on.options)
    assert {"--no-enable-prefix-caching", "--no-enable-chunked-prefill", "--tensor-parallel-size", "2"} < set(
        off.options
    )
    assert int(off.options[off.options.index("--max-num-batched-tokens") + 1]) > CONTEXT
    assert off.row() == {"at once": 1, "prefix cache, chunked prefill": "off", "ranks": 2}
