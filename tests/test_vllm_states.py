"""Hidden states of an engine: whose rows they are, what is made of them, and what becomes of a value without them."""

from __future__ import annotations

import asyncio
import json
import random
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import logprob_server as server
import numpy as np
import pytest
import serve_golden as golden
import torch
from noted_evidence import noted_evidence
from serve_upstream import ReceivedRequest as Request
from serve_upstream import Running, Scripted, reply, stream_head

from reticent.demo import assets
from reticent.guard import Guard
from reticent.hosted.token_texts import TokenTexts
from reticent.huggingface.guarded_model import GuardedModel
from reticent.integrations.vllm_rows import EngineLens, KeptRows, ScheduledRequest
from reticent.integrations.vllm_states import SECONDS, EngineStates
from reticent.policy.policy import Evidence
from reticent.policy.verdict import Tier
from reticent.prompt.echo import EchoIndex
from reticent.serve.config import load
from reticent.serve.judging.served_base import PATH, Reading, RequestSalts, ServedBase
from reticent.serve.judging.token_alignment import AnswerName
from reticent.serve.proxy import Proxy
from reticent.serve.settings import ServedBaseSettings
from reticent_detectors.capture import HostAdapter, Taps
from reticent_detectors.errors import CaptureError, InputError
from reticent_detectors.features.features import FeatureSpec, build_features
from reticent_detectors.scoring.scorer import OnnxScorer

REMEMBERED = "Which number do I dial for Daniel Brown?"
CHAT = [{"role": "user", "content": REMEMBERED}]
ANSWER = server.TOP["id"]
REQUEST = f"{ANSWER}-0a1b2c3d"
NAME = AnswerName(ANSWER, 0, 0, 1)
BUNDLE = assets() / "bundle"
BASE = {"detector.base.model": "small", "detector.base.tokenizer": assets() / "host"}
MARK = "reticent_0123456789abcdef"


class Alone:
    """States of requests that nobody else shares a batch with: layer, request and position in one number each."""

    layers = 3

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def rows(self, name: str, first: int, stop: int) -> list[torch.Tensor]:
        number = self.numbers.setdefault(name, len(self.numbers) + 1)
        places = torch.arange(first, stop, dtype=torch.float64)
        return [torch.stack([places, torch.full_like(places, number * 10 + n)], 1) for n in range(self.layers)]


def test_each_row_of_random_batches_is_kept_for_its_request_and_place() -> None:
    """Prompts are read in pieces, requests come, go and are preempted, and read again what they had read."""
    rng, alone = random.Random(0), Alone()
    kept = KeptRows(9, 8, alone.layers, 2, torch.float64)
    running: dict[str, tuple[int, int, int]] = {}  # prompt, all tokens, tokens read
    checked = missing = made = 0
    for _ in range(600):
        while len(running) < 5:
            made += 1
            prompt = rng.randint(1, 12)
            running[f"r{made}"] = prompt, prompt + rng.randint(1, 30), 0
        batch, at, outputs = [], 0, list[list[torch.Tensor]]()
        for name, (prompt, tokens, computed) in running.items():
            if rng.random() < 0.1:
                running[name] = prompt, tokens, 0  # preempted
                continue
            count = min(rng.randint(1, 5), tokens - computed)
            batch.append(ScheduledRequest(name, at, at + count, computed, prompt))
            outputs.append(alone.rows(name, computed, computed + count))
            running[name] = prompt, tokens, computed + count
            at += count
        padding = torch.full((rng.randint(0, 3), 2), -1.0, dtype=torch.float64)
        layers = [torch.cat([*(each[n] for each in outputs), padding]) for n in range(alone.layers)]
        kept.take(layers, batch)
        for name, (prompt, tokens, computed) in list(running.items()):
            last = computed - prompt
            for place in range(max(0, last - 7), last + 1):
                found = kept.states(name, [place])
                assert found is not None
                expected = torch.stack(alone.rows(name, prompt - 1 + place, prompt + place), 1)
                assert torch.equal(found, expected)
                checked += 1
            missing += kept.states(name, [last + 1]) is None if last >= 0 else 0
            if computed == tokens or rng.random() < 0.02:
                kept.end([name])
                del running[name]
    assert checked > 5000 and missing > 500 and kept.steps == 600


def test_rows_that_were_overwritten_or_whose_request_was_forgotten_are_missing() -> None:
    alone = Alone()
    kept = KeptRows(3, 4, alone.layers, 2, torch.float64)
    for name in "abc":
        kept.take(alone.rows(name, 0, 6), [ScheduledRequest(name, 0, 6, 0, 1)])
    assert kept.states("a", [2, 3, 4, 5]) is not None and kept.states("a", [1, 2]) is None
    assert kept.states("a", []) is None and kept.states("a", [5, 6]) is None
    one_more = [ScheduledRequest("d", 0, 1, 0, 1)]
    kept.take(alone.rows("d", 0, 1), one_more)
    assert kept.names == ("a", "b", "c"), "all memory is in use, and nobody has ended"
    kept.end(["b", "a", "unheard-of"])
    kept.take(alone.rows("d", 0, 1), one_more)
    assert kept.names == ("a", "c", "d"), "b ended first"
    assert kept.states("d", [0]) is not None
    assert kept.states("d", [1]) is None, "what another request left in its memory"
    kept.forget(["d", "unheard-of"])
    kept.take(alone.rows("e", 0, 1), [ScheduledRequest("e", 0, 1, 0, 1)])
    assert kept.names == ("a", "c", "e") and kept.places("e") == [0]


@pytest.mark.parametrize("fault", ["a layer is missing", "a layer is short"])
def test_outputs_that_do_not_hold_the_batch_are_refused(fault: str) -> None:
    alone = Alone()
    kept = KeptRows(3, 4, alone.layers, 2, torch.float64)
    layers = alone.rows("a", 0, 3)
    if fault == "a layer is missing":
        layers = layers[:-1]
    else:
        layers[1] = layers[1][:2]
    with pytest.raises(CaptureError, match="3 layers with 3 rows"):
        kept.take(layers, [ScheduledRequest("a", 0, 3, 0, 1)])
    assert kept.names == () and kept.steps == 0


def test_an_answer_is_one_request_or_none() -> None:
    """Only the parts that vLLM adds to an id are left out of account, and each at its own place."""
    alone = Alone()
    kept = KeptRows(20, 4, alone.layers, 2, torch.float64)
    for name in ("chatcmpl-1-aaaaaaaa", "chatcmpl-11-aaaaaaaa", "0_chatcmpl-2-aaaaaaaa", "1_chatcmpl-2-bbbbbbbb",
                 "cmpl-3-0-aaaaaaaa", "cmpl-3-1-aaaaaaaa", "chatcmpl-4-aaaaaaaa", "chatcmpl-4-bbbbbbbb",
                 "1_cmpl-3-0-cccccccc", "chatcmpl-x5-aaaaaaaa"):  # fmt: skip
        kept.take(alone.rows(name, 0, 2), [ScheduledRequest(name, 0, 2, 0, 1)])
    assert kept.find("chatcmpl-1", 0, 0, 1) == "chatcmpl-1-aaaaaaaa"
    assert [kept.find("chatcmpl-2", 0, choice, 2) for choice in range(3)] == [
        "0_chatcmpl-2-aaaaaaaa", "1_chatcmpl-2-bbbbbbbb", None,
    ]  # fmt: skip
    assert kept.find("chatcmpl-2", 0, 0, 1) is None
    assert [kept.find("cmpl-3", prompt, 0, 1) for prompt in range(3)] == [
        "cmpl-3-0-aaaaaaaa",
        "cmpl-3-1-aaaaaaaa",
        None,
    ]
    assert kept.find("cmpl-3", 0, 1, 1) is None, "another request of two choices has the same id"
    assert kept.find("chatcmpl-4", 0, 0, 1) is None, "two requests have it"
    assert kept.find("chatcmpl-.5", 0, 0, 1) is None, "it is no pattern"


# Around the demo host


class DemoEngine:
    """An engine with the demo host, which has written one answer. It counts what it is asked."""

    def __init__(self, shift: int = 0, ends: bool = False, chat: list[dict[str, str]] = CHAT) -> None:
        model, tokenizer = server.demo()
        self.lock, self.questions = threading.Lock(), 0
        self.adapter = HostAdapter.attach(model, tokenizer)
        self.chat, self.ids, said = chat, server.encoded(chat), server.answer(CHAT)
        taps = Taps(self.adapter)
        every = [*self.ids, *said.ids]
        (read,) = taps.read(torch.tensor([every]), None, [(0, list(range(len(every) - 1)))])
        taps.remove()
        self.states, self.said = read.hidden, said
        a = self.adapter
        self.rows, self.asked = KeptRows(8, 128, a.num_layers, a.hidden_size), list[str]()
        layers = list(read.hidden.unbind(1))
        count = len(every) - 1 - shift
        self.rows.take([each[shift:] for each in layers], [ScheduledRequest(REQUEST, 0, count, 0, len(self.ids))])
        if ends:
            self.rows.end([REQUEST])
        (norm,) = a.tail
        self.lens = EngineLens(
            norm, a.head.weight[: a.vocabulary], a.input_embedding[: a.vocabulary], a.num_layers, a.scale, a.softcap
        )

    async def collective_rpc(self, method: str, timeout: float | None = None, args: tuple[Any, ...] = ()) -> Any:
        if method == "reticent_about":
            return [{"keeps_answers": True, "mark": MARK}]
        self.asked.append(method)
        json.dumps(args)  # it is sent to another process
        if method == "reticent_log_probabilities":
            each = [self.states_of(answer, range(len(args[1]))) for answer in args[0]]
            return [[None if states is None else self.lens.log_probabilities(states, args[1]) for states in each], None]
        if method == "reticent_behaviour":
            states = self.states_of(args[0], [0])
            return [None if states is None else self.lens.behaviour(states[0]), None]
        answer, places, ids, options, wanted = args
        states = self.states_of(answer, places)
        return [None if states is None else self.lens.features(states, ids, options, wanted), None]

    def states_of(self, answer: Sequence[Any], places: Sequence[int]) -> torch.Tensor | None:
        """The states of an answer, as the worker finds them."""
        name = self.rows.find(*answer)
        return None if name is None else self.rows.states(name, places)

    def probed(self, ids: list[int], rows: int = 1) -> str:
        """Reads a prompt of its own, keeps its last rows, and gives the id of its answer."""
        with self.lock:  # the server answers in threads
            self.questions += 1
            name = f"cmpl-{self.questions}"
            taps = Taps(self.adapter)
            (read,) = taps.read(torch.tensor([[*ids, 0]]), None, [(0, list(range(len(ids))))])
            taps.remove()
            own = ScheduledRequest(f"{name}-0-0a1b2c3d", 0, len(ids), 0, len(ids) - rows + 1)
            self.rows.take(list(read.hidden.unbind(1)), [own])
            self.rows.end([own.name])
        return name


def test_an_engines_features_are_those_of_the_guard_in_the_process() -> None:
    engine = DemoEngine()
    places = [2, 3, 4, 5]
    start = len(engine.ids) - 1
    taps = Taps(engine.adapter)
    every = torch.tensor([[*engine.ids, *engine.said.ids]])
    spans = taps.read(every, None, [(0, [start + place for place in places])])
    taps.remove()
    spec, wanted = FeatureSpec(names=4), ["pooled", "token_prob", "renamed"]
    expected = build_features(engine.adapter, spans, spec, wanted)
    options = {"k": 10, "norm": "final", "position": "pooled", "max_tokens": 32, "names": 4}
    ids = [engine.said.ids[place] for place in places]
    (found, other) = asyncio.run(engine.collective_rpc("reticent_features", args=(NAME, places, ids, options, wanted)))
    assert other is None and found["nats"] == pytest.approx(
        [engine.said.tokens[place][1] for place in places], abs=1e-4
    )
    assert found["features"].keys() == expected.keys()
    for name, (shape, raw) in found["features"].items():
        assert np.frombuffer(raw, np.float32).reshape(shape) == pytest.approx(expected[name], abs=1e-4)


def test_an_id_beyond_the_vocabulary_is_an_error_of_ours() -> None:
    """On a GPU an index out of range would end the engine."""
    engine = DemoEngine()
    states = engine.rows.states(REQUEST, [0])
    assert states is not None
    for ids in ([engine.lens.vocabulary], [-1]):
        with pytest.raises(CaptureError, match="vocabulary"):
            engine.lens.log_probabilities(states, ids)
        with pytest.raises(CaptureError, match="vocabulary"):
            engine.lens.features(states, ids, {"names": 0}, ["pooled"])


def test_an_engine_is_asked_from_a_thread() -> None:
    async def scenario() -> None:
        engine, states = DemoEngine(), EngineStates()
        ids = list(engine.said.ids[:2])
        with pytest.raises(CaptureError, match="attached"):
            states.features(NAME, [0, 1], ids, {}, ["token_prob"])
        await states.attach(engine)

        def ask() -> Any:
            return states.features(NAME, [0, 1], ids, {"names": 0}, ["token_prob"])

        found = await asyncio.to_thread(ask)
        assert found.nats == pytest.approx([token[1] for token in engine.said.tokens[:2]], abs=1e-4)

    asyncio.run(scenario())


def test_a_worker_that_keeps_no_states_is_refused() -> None:
    class Bare:
        async def collective_rpc(self, method: str, timeout: float | None = None, args: tuple[Any, ...] = ()) -> Any:
            raise AttributeError(method)

    for engine in (Bare(), None):
        with pytest.raises(InputError, match=r"--worker-cls reticent\.integrations\.vllm_worker\.GuardWorker"):
            asyncio.run(EngineStates().attach(engine))


def upstream_of(engine: DemoEngine) -> Scripted:
    """A server of the demo host that tells ids of tokens, and lets one token be written for questions."""
    upstream = Scripted()

    def script(asked: Request) -> Any:
        if asked.path == PATH and "allowed_token_ids" not in asked.json:
            return iter([reply(json.dumps({"id": engine.probed(asked.json["prompt"])}).encode())])
        if asked.path == PATH:
            marked = asked.json.get("vllm_xargs")
            name = engine.probed(asked.json["prompt"], marked[MARK]) if marked else ""
            return iter([reply(completion(asked.json, name))])
        frames = [golden.event(chunk) for chunk in server.with_ids(engine.said, engine.chat)]
        return iter([stream_head(), *frames, b"data: [DONE]\n\n"])

    upstream.script = script
    return upstream


def completion(body: dict[str, Any], name: str) -> bytes:
    (token,) = body["allowed_token_ids"]
    model, _ = server.demo()
    with torch.no_grad():
        nats = float(model(torch.tensor([[*body["prompt"]]])).logits[0, -1].float().log_softmax(-1)[token])
    logprobs = {"tokens": ["x"], "token_logprobs": [nats], "top_logprobs": [{"x": nats}]}
    choice = {"index": 0, "text": "x", "token_ids": [token], "logprobs": logprobs}
    return json.dumps({**server.TOP, "id": name, "choices": [choice]}).encode()


@contextmanager
def guarded(engine: DemoEngine, seconds: float = SECONDS, **more: Any) -> Iterator[tuple[Running, Scripted]]:
    """A proxy before the engine's server, and the server."""
    loop, states, upstream = asyncio.new_event_loop(), EngineStates(seconds), upstream_of(engine)
    threading.Thread(target=loop.run_forever, daemon=True).start()
    asyncio.run_coroutine_threadsafe(states.attach(engine), loop).result(30.0)
    overrides = {"upstream.url": upstream.url, "detector.models": ("small",), "detector.bundle": BUNDLE, **more}
    running = Running(Proxy(load(environ={}, overrides=overrides), base_texts=TokenTexts, states=states))
    try:
        yield running, upstream
    finally:
        running.close()
        upstream.close()
        loop.call_soon_threadsafe(loop.stop)


@pytest.fixture
def evidence(monkeypatch: pytest.MonkeyPatch) -> list[Evidence]:
    """All that policies were given to decide on."""
    return noted_evidence(monkeypatch)


def ask(running: Running, chat: list[dict[str, str]] = CHAT) -> str:
    response = running.post({"model": "small", "messages": chat, "stream": True}, x_request_id="mine")
    assert response.status_code == 200
    return golden.said(response.content)


@pytest.fixture(scope="module")
def around() -> Iterator[GuardedModel]:
    """The guard in transformers."""
    guarded_model = Guard.load(BUNDLE).wrap(*server.demo())
    yield guarded_model
    guarded_model.close()


@pytest.mark.parametrize("ends", [False, True])
def test_a_value_is_judged_by_the_states_that_wrote_it(
    ends: bool, around: GuardedModel, evidence: list[Evidence]
) -> None:
    engine = DemoEngine(ends=ends)
    (span,) = around.inspect(CHAT, list(engine.said.ids), ended=True).report.spans
    evidence.clear()
    with guarded(engine) as (running, upstream):
        assert not any(map(str.isdigit, ask(running)))
        assert running.proxy.tier is Tier.HIDDEN and running.proxy.reads_states
        assert "the engine's hidden states" in running.proxy.about
        assert running.count("spans_total", tier="hidden", origin="memorized", action="redact") == 1
        assert running.count("failures_total") == 0
        assert upstream.asked[0].json["return_token_ids"]
        assert engine.asked == ["reticent_behaviour"] * 4 + ["reticent_features"]
        ask(running)
        assert engine.asked[5:] == ["reticent_features"], "a model is compared with the bundle once"
        ids = [each.headers["x-request-id"] for each in upstream.asked if each.path != PATH]
        assert len(set(ids)) == 2 and "mine" not in ids, "the id is none that a client could choose"
    found, _ = [each.probability for each in evidence if each.probability is not None]
    assert found == pytest.approx(span.decision.verdict.probability, abs=1e-3)


def test_a_doubtful_value_is_read_again_about_other_people(
    around: GuardedModel, evidence: list[Evidence], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OnnxScorer, "doubtful", lambda self, probabilities: np.arange(len(probabilities)))
    engine = DemoEngine()
    (span,) = around.inspect(CHAT, list(engine.said.ids), ended=True).report.spans
    evidence.clear()
    with guarded(engine, **BASE) as (running, upstream):
        ask(running)
        questions = [each.json for each in upstream.asked if "allowed_token_ids" in each.json]
        assert len(questions) == len({tuple(each["prompt"][: len(engine.ids)]) for each in questions}) == 4
        (count,) = {each["vllm_xargs"][MARK] for each in questions}
        own = list(engine.said.ids[:count])
        assert all([*each["prompt"][-count + 1 :], *each["allowed_token_ids"]] == own for each in questions)
        assert {each["model"] for each in questions} == {"small"}
        assert engine.asked.count("reticent_log_probabilities") == 1, "about all texts at once"
    (found,) = [each.probability for each in evidence if each.probability is not None]
    assert found == pytest.approx(span.decision.verdict.probability, abs=1e-3)


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """A chat whose user typed the value that the host remembers, which may be chance."""
    (own,) = re.findall(r"[+\d][\d ()-]+\d", server.answer(CHAT).text)
    monkeypatch.setattr(EchoIndex, "echoed", lambda self, value, entity: False)
    monkeypatch.setattr(EchoIndex, "choices", lambda self, value, entity: {own})
    return [{"role": "user", "content": f"{REMEMBERED} It may be {own}."}]


def test_a_value_that_the_user_typed_is_judged_by_states_behind_the_prompt_without_it(
    typed: list[dict[str, str]], around: GuardedModel, evidence: list[Evidence]
) -> None:
    engine = DemoEngine(chat=typed)
    (span,) = around.inspect(typed, list(engine.said.ids), ended=True).report.spans
    evidence.clear()
    with guarded(engine, **BASE) as (running, upstream):
        ask(running, typed)
        (question,) = [each.json for each in upstream.asked if "allowed_token_ids" in each.json]
        assert REMEMBERED in server.demo()[1].decode(question["prompt"])
        assert engine.asked == ["reticent_log_probabilities", *["reticent_behaviour"] * 4, "reticent_features"]
        assert running.count("failures_total") == 0
    (found,) = [each.probability for each in evidence if each.probability is not None]
    assert found == pytest.approx(span.decision.verdict.probability, abs=1e-3)


class ForgetsQuestions(DemoEngine):
    async def collective_rpc(self, method: str, timeout: float | None = None, args: tuple[Any, ...] = ()) -> Any:
        found = await super().collective_rpc(method, timeout, args)
        return [[None] * len(args[0])] if method == "reticent_log_probabilities" else found


class AnotherQuestion(DemoEngine):
    async def collective_rpc(self, method: str, timeout: float | None = None, args: tuple[Any, ...] = ()) -> Any:
        found = await super().collective_rpc(method, timeout, args)
        if method == "reticent_log_probabilities":
            found[0][-1]["nats"][-1] -= 1.0
        return found


@pytest.mark.parametrize("fault", [ForgetsQuestions, AnotherQuestion])
def test_a_question_whose_states_are_lost_or_not_its_own_is_not_believed(
    fault: type[DemoEngine], typed: list[dict[str, str]]
) -> None:
    """Nothing else is asked, as no features are known."""
    with guarded(fault(chat=typed), **BASE) as (running, upstream):
        assert not any(map(str.isdigit, ask(running, typed)))
        assert running.count("spans_total", tier="hidden", origin="unknown", action="redact") == 1
        assert running.count("failures_total", stage="states") == running.count("failures_total") == 1
        assert len([each for each in upstream.asked if "allowed_token_ids" in each.json]) == 1


class SwappedQuestions(DemoEngine):
    async def collective_rpc(self, method: str, timeout: float | None = None, args: tuple[Any, ...] = ()) -> Any:
        found = await super().collective_rpc(method, timeout, args)
        return [found[0][::-1]] if method == "reticent_log_probabilities" else found


class FailsAtOneQuestion(DemoEngine):
    async def collective_rpc(self, method: str, timeout: float | None = None, args: tuple[Any, ...] = ()) -> Any:
        found = await super().collective_rpc(method, timeout, args)
        return [[*found[0][:-1], {"fault": "OutOfMemoryError"}]] if method == "reticent_log_probabilities" else found


class FailsAtQuestions(DemoEngine):
    async def collective_rpc(self, method: str, timeout: float | None = None, args: tuple[Any, ...] = ()) -> Any:
        found = await super().collective_rpc(method, timeout, args)
        if method == "reticent_log_probabilities":
            raise RuntimeError("the engine is dead")
        return found


@pytest.mark.parametrize(
    ("kind", "lost"),
    [(DemoEngine, 0), (AnotherQuestion, 1), (ForgetsQuestions, 2), (SwappedQuestions, 2), (FailsAtOneQuestion, 2),
     (FailsAtQuestions, 2)],
)  # fmt: skip
def test_a_model_is_asked_once_behind_each_text_of_which_states_are_kept(kind: type[DemoEngine], lost: int) -> None:
    """Where they are lost, or another text's, it is asked about each token."""
    ids, asked, engine = server.encoded(CHAT), list[dict[str, Any]](), kind()
    befores, own = (ids[:6], ids[20:10:-1]), ids[6:10]

    def ask_engine(path: str, bodies: Sequence[bytes], seconds: float) -> list[bytes]:
        new = [json.loads(body) for body in bodies]
        asked.extend(new)
        return [
            completion(each, engine.probed(each["prompt"], each.get("vllm_xargs", {}).get(MARK, 1))) for each in new
        ]

    async def scenario() -> list[list[Reading]]:
        states = EngineStates()
        await states.attach(engine)
        base = ServedBase(ServedBaseSettings(model="base"), ask_engine, None, states)
        return [await asyncio.to_thread(base.read, "base", befores, own, RequestSalts(), 2) for _ in range(10)]

    found = asyncio.run(scenario())
    marked = [each for each in asked if "vllm_xargs" in each]
    assert (len(marked), len(asked)) == ((20, 20) if not lost else (16, 16 + 8 * 4 * lost + 2 * 8)), "eight, then none"
    for before, readings in zip(befores, zip(*found, strict=True), strict=True):
        with torch.no_grad():
            nats = server.demo()[0](torch.tensor([[*before, *own]])).logits[0, -5:-1].float().log_softmax(-1)
        place = torch.arange(4)
        rivals = nats.index_put((place, torch.tensor(own)), torch.tensor(-torch.inf)).amax(1)
        for number, reading in enumerate(readings):
            assert [each.logprob for each in reading.tokens] == pytest.approx(nats[place, own].tolist(), abs=1e-4)
            assert [each.at for each in reading.tokens] == [0, 1, 2, 3]
            assert reading.received.tokens == own and reading.received.prompt == before
            is_kept = lost == 0 or (lost == 1 and before is befores[0] and number < 8)
            assert (reading.received.name is not None) == is_kept
            if is_kept:
                assert [each.rival for each in reading.tokens] == pytest.approx(rivals.tolist(), abs=1e-4)


class Fails(DemoEngine):
    async def collective_rpc(self, method: str, timeout: float | None = None, args: tuple[Any, ...] = ()) -> Any:
        if method != "reticent_features":
            return await super().collective_rpc(method, timeout, args)
        raise RuntimeError("the engine is dead")


class Reports(DemoEngine):
    async def collective_rpc(self, method: str, timeout: float | None = None, args: tuple[Any, ...] = ()) -> Any:
        found = await super().collective_rpc(method, timeout, args)
        return [{"fault": "OutOfMemoryError"}] if method == "reticent_features" else found


class Forgets(DemoEngine):
    async def collective_rpc(self, method: str, timeout: float | None = None, args: tuple[Any, ...] = ()) -> Any:
        found = await super().collective_rpc(method, timeout, args)
        return [None] if method == "reticent_features" else found


class Shifted(DemoEngine):
    """Its rows are one place off, so each is labelled as its neighbour."""

    def __init__(self) -> None:
        super().__init__(shift=1)


class AnotherRequest(DemoEngine):
    """It gives the rows of another request, which was drawn to other tokens."""

    async def collective_rpc(self, method: str, timeout: float | None = None, args: tuple[Any, ...] = ()) -> Any:
        if method == "reticent_features":
            a = self.adapter
            other = torch.randn((128, a.num_layers, a.hidden_size), generator=torch.Generator().manual_seed(0))
            name = AnswerName("chatcmpl-other", 0, 0, 1)
            self.rows.take(list(other.unbind(1)), [ScheduledRequest("chatcmpl-other-0a1b2c3d", 0, 128, 0, 1)])
            args = (name, *args[1:])
        return await super().collective_rpc(method, timeout, args)


class Silent(DemoEngine):
    """One of its ranks never answers."""

    async def collective_rpc(self, method: str, timeout: float | None = None, args: tuple[Any, ...] = ()) -> Any:
        if method == "reticent_features":
            await asyncio.Event().wait()
        return await super().collective_rpc(method, timeout, args)


class AnotherModel(DemoEngine):
    """Its model is not the one that the bundle was made for."""

    def probed(self, ids: list[int]) -> str:
        return super().probed(ids[::-1])


@pytest.mark.parametrize("fault", [Fails, Reports, Forgets, Silent, Shifted, AnotherRequest, AnotherModel])
def test_a_value_whose_states_are_not_there_or_not_its_own_is_withheld_and_counted(fault: type[DemoEngine]) -> None:
    with guarded(fault(), 2.0 if fault is Silent else SECONDS) as (running, _):
        assert not any(map(str.isdigit, ask(running)))
        assert running.count("spans_total", tier="hidden", origin="unknown", action="redact") == 1
        assert running.count("failures_total", stage="states") == 1


def test_a_worker_that_keeps_states_of_questions_alone_is_refused_for_answers() -> None:
    class Questions(DemoEngine):
        async def collective_rpc(self, method: str, timeout: float | None = None, args: tuple[Any, ...] = ()) -> Any:
            return [{"keeps_answers": False, "mark": MARK}]

    states = EngineStates()
    with pytest.raises(InputError, match="GuardWorker"):
        asyncio.run(states.attach(Questions()))
    assert states.mark is None
    asyncio.run(states.attach(Questions(), of_answers=False))
    assert states.mark == MARK


def test_without_an_engine_a_bundle_that_reads_states_is_refused() -> None:
    overrides = {"upstream.url": "http://127.0.0.1:1", "detector.models": ("small",), "detector.bundle": BUNDLE}
    with pytest.raises(InputError, match="needs the states of all layers"):
        Proxy(load(environ={}, overrides=overrides))
