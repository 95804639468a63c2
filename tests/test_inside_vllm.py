"""The guard inside vLLM's API process, without vLLM: its settings, what it passes on, and how it is compared."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import serve_golden as golden
import yaml
from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse
from prometheus_client import REGISTRY
from serve_golden import EMAIL
from serve_upstream import STRICT
from test_serve_middleware import CHAT, Caller, run
from uvicorn import Config
from uvicorn.lifespan.on import LifespanOn

from reticent.demo import assets
from reticent.integrations.vllm import CONFIG, GuardMiddleware, fault_of_states, warnings_of
from reticent.integrations.vllm_states import QUESTION_WORKER
from reticent.policy.policy import Policy
from reticent.serve.config import load
from reticent.serve.middleware import URL
from reticent_bench.engines.inside_vllm import AnswerKey, JudgedAnswer, Row, compare, measured_before, reread, save
from reticent_bench.engines.vllm_start import policies
from reticent_bench.report.result import provenance
from reticent_detectors.synth.prompts import Prompt


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "serve.yaml"
    base = {"model": "base", "tokenizer": str(assets() / "host")}
    detector = {"models": ["small"], "base": base}
    file.write_text(yaml.safe_dump({"detector": detector, "policy": "strict", "policies": {"strict": STRICT}}))
    monkeypatch.setenv(CONFIG, str(file))
    return file


def application(asked: list[Any]) -> FastAPI:
    """An application with vLLM's routes, as far as they matter here."""
    app = FastAPI()

    @app.post(CHAT)
    async def chat(request: Request) -> StreamingResponse:
        asked.append(await request.json())
        return StreamingResponse(iter([golden.openai(golden.leaking(EMAIL))]), media_type="text/event-stream")

    @app.get("/health")
    async def health() -> str:
        return "up"

    app.add_middleware(GuardMiddleware)
    return app


def test_answers_are_judged_and_only_pages_about_vllms_state_are_passed_on(settings: Path) -> None:
    before = set(REGISTRY._collector_to_names)
    try:

        async def test() -> None:
            asked: list[Any] = []
            app = application(asked)
            status, body = await Caller(app, CHAT, golden.request_body(stream=True)).whole()
            assert (status, golden.said(body)) == (200, "You can use <EMAIL_ADDRESS>, which is it.")
            # Log-probabilities for the detector, ids for the base.
            assert (asked[0]["logprobs"], asked[0]["top_logprobs"], asked[0]["return_token_ids"]) == (True, 2, True)
            assert await Caller(app, "/health", {}, "GET").whole() == (200, b'"up"')
            for path in ("/v1/score", "/docs"):
                assert (await Caller(app, path, {}, "GET").whole())[0] == 403
            names = {sample.name for family in REGISTRY.collect() for sample in family.samples}
            assert "reticent_spans_total" in names

        run(test)
    finally:
        for collector in set(REGISTRY._collector_to_names) - before:
            REGISTRY.unregister(collector)


def start(app: Any) -> Any:
    """Starts an application as uvicorn does. Returns its lifespan: whether it failed, and what it said."""

    async def begin() -> tuple[bool, str]:
        config = Config(app, lifespan="auto")
        lifespan = LifespanOn(config)
        errors: list[str] = []
        lifespan.logger = SimpleNamespace(info=lambda *_: None, error=lambda *each: errors.append(str(each[0])))
        await lifespan.startup()
        if not lifespan.should_exit:
            await lifespan.shutdown()
        return lifespan.should_exit, " ".join(errors)

    return asyncio.run(begin())


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (None, CONFIG),
        ({"upstream": {"url": "http://h", "api_key": "k" * 8}}, "let everybody in"),
        ({"policy": "unheard-of"}, "unheard-of"),
    ],
)
def test_a_setting_that_cannot_be_used_ends_the_start(
    settings: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any] | None, says: str
) -> None:
    if change is None:
        monkeypatch.delenv(CONFIG)
    else:
        settings.write_text(yaml.safe_dump(yaml.safe_load(settings.read_text()) | change))
    asked: list[Any] = []
    app = application(asked)
    failed, said = start(app)
    assert failed and says in said and "would not be judged" in said

    async def ask() -> None:
        status, body = await Caller(app, CHAT, golden.request_body()).whole()
        assert (status, json.loads(body)["error"]["code"]) == (503, "guard")

    run(ask)
    assert not asked


@pytest.mark.parametrize(
    ("arguments", "on_cpu", "says"),
    [
        ({"logprobs_mode": "processed_logprobs"}, False, "processed_logprobs"),
        ({"logprobs_mode": "raw_logits"}, False, "raw_logits"),
        ({"max_loras": 2, "lora_modules": ["a", "b"]}, True, "set it to 3"),
        ({"max_loras": 2, "lora_modules": ["a", "b"]}, False, None),
        ({"max_loras": 3, "lora_modules": ["a", "b"]}, True, None),
        ({"max_loras": 1, "lora_modules": [SimpleNamespace(name="another")]}, True, "set it to 2"),
        ({"logprobs_mode": "raw_logprobs", "host": None}, True, None),
    ],
)
def test_an_option_under_which_answers_cannot_be_judged_ends_the_start(
    settings: Path, monkeypatch: pytest.MonkeyPatch, arguments: dict[str, Any], on_cpu: bool, says: str | None
) -> None:
    before = set(REGISTRY._collector_to_names)
    monkeypatch.setattr("reticent.integrations.vllm.runs_on_cpu", lambda: on_cpu)
    try:
        app = application([])
        app.state.args = SimpleNamespace(**arguments)
        failed, said = start(app)
        assert failed == (says is not None) and (says or "") in said
    finally:
        for collector in set(REGISTRY._collector_to_names) - before:
            REGISTRY.unregister(collector)


def test_options_under_which_states_are_not_found_end_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fault_of_states(None) is fault_of_states(SimpleNamespace(data_parallel_size=1)) is None
    assert "--data-parallel-size" in str(fault_of_states(SimpleNamespace(data_parallel_size=2)))
    monkeypatch.setenv("VLLM_DISABLE_REQUEST_ID_RANDOMIZATION", "1")
    assert "RANDOMIZATION" in str(fault_of_states(None))


@pytest.mark.parametrize("keeps", [False, True])
def test_a_bundle_that_reads_states_needs_a_worker_that_keeps_them(settings: Path, keeps: bool) -> None:
    class Engine:
        async def collective_rpc(self, method: str, timeout: float | None = None, args: Any = ()) -> Any:
            if not keeps:
                raise AttributeError(method)
            return [{"keeps_answers": True, "mark": "reticent_0"}]

    content = yaml.safe_load(settings.read_text())
    content["detector"]["bundle"] = str(assets() / "bundle")
    settings.write_text(yaml.safe_dump(content))
    before = set(REGISTRY._collector_to_names)
    try:
        app = application([])
        app.state.engine_client = Engine()
        failed, said = start(app)
        assert failed is not keeps and ("GuardWorker" in said) is not keeps
    finally:
        for collector in set(REGISTRY._collector_to_names) - before:
            REGISTRY.unregister(collector)


@pytest.mark.parametrize(
    ("worker", "keeps", "says"),
    [("auto", False, ""), (QUESTION_WORKER, True, ""), (QUESTION_WORKER, False, "does not answer")],
)
def test_an_engine_is_asked_about_its_states_where_a_worker_of_ours_runs(
    settings: Path, worker: str, keeps: bool, says: str
) -> None:
    asked = list[str]()

    class Engine:
        async def collective_rpc(self, method: str, timeout: float | None = None, args: Any = ()) -> Any:
            asked.append(method)
            if not keeps:
                raise AttributeError(method)
            return [{"keeps_answers": False, "mark": "reticent_0"}]

    before = set(REGISTRY._collector_to_names)
    try:
        app = application([])
        app.state.engine_client, app.state.args = Engine(), SimpleNamespace(worker_cls=worker)
        failed, said = start(app)
        assert failed == bool(says) and says in said
        assert asked == ([] if worker == "auto" else ["reticent_about"])
    finally:
        for collector in set(REGISTRY._collector_to_names) - before:
            REGISTRY.unregister(collector)


def test_what_shows_more_than_the_guard_is_said_at_the_start() -> None:
    given = load(environ={}, overrides={"upstream.url": URL})
    everywhere = SimpleNamespace(host=None, enable_log_outputs=True)
    assert [each.split()[0] for each in warnings_of(everywhere, given)] == ["The", "--enable-log-outputs"]
    assert warnings_of(SimpleNamespace(host="127.0.0.1"), given) == warnings_of(None, given) == []
    assert (
        warnings_of(SimpleNamespace(host="0.0.0.0"), load(environ={}, overrides={"upstream.url": URL, "open": True}))
        == []
    )


# The comparison


def row(start: int, probability: float | None = 0.9, action: str = "redact", base: float | None = -3.0) -> Row:
    return Row("PHONE_NUMBER", start, start + 9, "memorized", action, probability, base)


def asked(*rows: Row) -> JudgedAnswer:
    return JudgedAnswer(Prompt("1", "probe", "chat", (("user", "Who?"),), ""), (1, 2), True, rows)


def test_spans_actions_and_probabilities_are_compared() -> None:
    found = compare(
        [asked(row(0), row(20)), asked(row(5)), asked(), asked(row(7, None))],
        [[row(0, 0.9005), row(20, 0.8, "allow", -3.5)], [row(6)], [], [row(7, None)]],
    )
    assert (found["answers"], found["spans"]) == (4, 5)  # two, two at other places, one without a probability
    assert (found["same action and origin"], found["probabilities agree"]) == (2, 2)
    assert found["largest difference of probabilities"] == pytest.approx(0.1)
    assert found["largest difference under the base, nats"] == pytest.approx(0.5)
    assert found["without a probability inside"] == found["without one around"] == 1
    assert [(each["prompt"], each["start"]) for each in found["unlike"]] == [(0, 20), (1, 5), (1, 6)]
    assert found["unlike"][1]["around"] is found["unlike"][2]["inside"] is None
    apart = compare([asked(), asked(row(3, None))], [[], [row(3)]])
    assert apart["probabilities agree"] == 0
    unlike = {"inside": ["memorized", "redact", None], "around": ["memorized", "redact", 0.9]}
    assert apart["unlike"] == [{"prompt": 1, "entity": "PHONE_NUMBER", "start": 3, **unlike}]


def test_an_answer_is_read_again_once_whatever_the_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[tuple[list[int], bool]] = []

    class Stub:
        def wrap(self, *_: object, base: str) -> Stub:
            return self

        def inspect(self, messages: object, ids: list[int], *, policy: object, ended: bool) -> Any:
            read.append((ids, ended))
            return SimpleNamespace(report=SimpleNamespace(spans=()))

        def close(self) -> None:
            pass

    monkeypatch.setattr("reticent_bench.engines.inside_vllm.Guard", SimpleNamespace(load=lambda bundle: Stub()))
    monkeypatch.setattr("reticent_bench.engines.inside_vllm.load_host", lambda adapter: (None, None))
    first, cut = asked(row(0)), replace(asked(row(0)), ended=False)
    other = replace(first, ids=(3, 4))
    known: dict[AnswerKey, tuple[Row, ...]] = {}
    for answers in ([first, cut], [first, other], [cut]):
        assert reread(Path("adapter"), answers, [Policy()] * len(answers), known) == [()] * len(answers)
    assert read == [([1, 2], True), ([1, 2], False), ([3, 4], True)]


def test_what_was_measured_is_written_after_each_configuration(tmp_path: Path) -> None:
    found = compare([asked(row(0))], [[row(0)]])
    figures = {
        "configurations": [{"at once": 1, "prefix cache": True, **found}],
        "mode": "eager",
        "made_by": {**provenance("a command", 0), "vllm": "0.32.0"},
    }
    save(tmp_path, "inside", figures)
    assert json.loads((tmp_path / "inside.json").read_text()) == figures
    text = (tmp_path / "inside.md").read_text()
    assert "| at once | prefix cache | answers | spans |" in text and "vLLM 0.32.0" in text and "unlike" not in text


def test_the_same_command_goes_on_behind_the_last_configuration_and_another_begins_anew(tmp_path: Path) -> None:
    made_by = {**provenance("a command", 0), "vllm": "0.32.0", "commit": "abc"}
    rows = [{"at once": 1, "largest": 0.0}]
    assert measured_before(tmp_path, "inside", made_by) == []
    save(tmp_path, "inside", {"configurations": rows, "mode": "eager", "made_by": made_by})
    assert measured_before(tmp_path, "inside", {**made_by, "date": "2030-01-01"}) == rows
    for other in ({"command": "another"}, {"commit": "def"}, {"vllm": "0.33.0"}, {"commit": "abc with changes"}):
        assert measured_before(tmp_path, "inside", {**made_by, **other}) == []


def test_each_prompt_has_a_policy_of_its_own() -> None:
    every = [json.dumps(each, sort_keys=True) for each in policies(5).values()]
    assert len(set(every)) == 5 and all('"monitor": true' in each for each in every)
