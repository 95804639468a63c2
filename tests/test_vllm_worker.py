"""The worker of vLLM that keeps hidden states, on stand-ins for vLLM's classes: what it takes, and what it refuses."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import logprob_server as server
import pytest
import torch
from torch import nn

from reticent_detectors.capture import HostAdapter
from reticent_detectors.errors import InputError, UnsupportedHost

MODULE = "reticent.integrations.vllm_worker"
IDS = (5, 6, 7, 8, 9)
PROMPT = 2


class Model(nn.Module):
    """The demo host as vLLM would hold it: it gives the states of the layers that it was told to."""

    def __init__(self, adapter: HostAdapter, taught: Any) -> None:
        super().__init__()
        self._taught = [taught]  # no module of this one
        (norm,) = adapter.tail
        self.model = nn.Module()
        self.model.layers, self.model.norm = nn.ModuleList(adapter.layers), norm
        self.model.embed_tokens = taught.get_input_embeddings()
        self.lm_head = adapter.head
        self.logits_processor = SimpleNamespace(scale=adapter.scale, soft_cap=None, org_vocab_size=adapter.vocab_size)
        self.asked: tuple[int, ...] = ()

    def set_aux_hidden_state_layers(self, layers: tuple[int, ...]) -> None:
        self.asked = layers

    def forward(self, rows: torch.Tensor) -> Any:
        """Gives the last state and those of all layers, which are the rows' numbers here."""
        width = self.model.embed_tokens.weight.shape[1]
        return rows, [rows[:, None].expand(-1, width) + 100.0 * layer for layer in self.asked]


class Runner:
    """vLLM's model runner, as far as the worker reads it."""

    def __init__(self, model: Model) -> None:
        self.model, self.use_aux_hidden_state_outputs = model, False
        self.input_batch: Any = None
        self.prompt = PROMPT
        self.requests: dict[str, Any] = {}
        self.query_start_loc = SimpleNamespace(np=[])

    def get_model(self) -> Model:
        return self.model

    def set_batch(self, rows: list[tuple[str, int, int, Any]]) -> None:
        """Sets a step's requests: id, tokens read before, tokens now, and the arguments of a question of the guard."""
        self.query_start_loc.np = [sum(row[2] for row in rows[:at]) for at in range(len(rows) + 1)]
        self.input_batch = SimpleNamespace(
            num_reqs=len(rows), req_ids=[row[0] for row in rows], num_computed_tokens_cpu=[row[1] for row in rows],
            num_prompt_tokens=[self.prompt] * len(rows),
        )  # fmt: skip
        for name, _, _, asks in rows:
            self.requests[name] = SimpleNamespace(
                sampling_params=SimpleNamespace(
                    allowed_token_ids=None if asks is None else [1], extra_args=asks or None
                )
            )


Runner.__module__ = "vllm.v1.worker.gpu_model_runner"


class Base:
    """vLLM's worker. It runs a step by calling the model once on the numbers of the step's rows."""

    rank = 0

    def __init__(self, **config: Any) -> None:
        model, tokenizer = server.demo()
        adapter = HostAdapter.attach(model, tokenizer)
        self.model_runner = Runner(Model(adapter, model))
        self.vllm_config = SimpleNamespace(
            parallel_config=SimpleNamespace(
                pipeline_parallel_size=config.get("pipeline", 1), use_ubatching=config.get("microbatches", False)
            ),
            scheduler_config=SimpleNamespace(max_num_seqs=2),
            cache_config=SimpleNamespace(kv_sharing_fast_prefill=config.get("fast_prefill", False)),
            additional_config={},
            speculative_config=config.get("speculative"),
            compilation_config=SimpleNamespace(
                cudagraph_mode=SimpleNamespace(has_full_cudagraphs=lambda: config.get("full", False))
            ),
            model_config=SimpleNamespace(get_hidden_size=lambda: adapter.hidden_size, tokenizer=tokenizer),
        )

    def load_model(self) -> None:
        """Loads nothing."""

    def execute_model(self, scheduler_output: Any) -> str:
        count = self.model_runner.query_start_loc.np[-1]
        self.model_runner.model(torch.arange(float(count)) + scheduler_output.first)
        return "done"


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Makes workers whose vLLM runs with these options."""
    aux = {"supported": True, "cpu": True, "rank": 0}
    stand_ins = {
        "vllm": {}, "vllm.model_executor": {}, "vllm.model_executor.models": {}, "vllm.v1": {}, "vllm.v1.worker": {},
        "vllm.distributed": {"get_tensor_model_parallel_rank": lambda: aux["rank"],
                             "tensor_model_parallel_all_gather": lambda tensor, dim: tensor},
        "vllm.model_executor.models.interfaces": {"supports_eagle3": lambda model: aux["supported"]},
        "vllm.platforms": {"current_platform": SimpleNamespace(is_cpu=lambda: aux["cpu"])},
        "vllm.tokenizers": {"cached_tokenizer_from_config": lambda config: config.tokenizer},
        "vllm.v1.worker.cpu_worker": {"CPUWorker": Base},
        "vllm.v1.worker.gpu_worker": {"Worker": Base},
    }  # fmt: skip
    for name, content in stand_ins.items():
        module = ModuleType(name)
        module.__dict__.update(content)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, MODULE, raising=False)

    def make(load: bool = True, kind: str = "GuardWorker", **config: Any) -> Any:
        aux.update({name: config.pop(name) for name in list(config) if name in aux})
        made = getattr(importlib.import_module(MODULE), kind)(**config)
        if load:
            made.load_model()
        return made

    yield make
    sys.modules.pop(MODULE, None)


def step(
    worker: Any, rows: list[tuple[str, int, int, Any]], first: float = 0.0, finished: tuple[str, ...] = ()
) -> None:
    worker.model_runner.set_batch(rows)
    scheduled = SimpleNamespace(finished_req_ids=set(), first=first)
    assert worker.execute_model(scheduled) == "done"


def test_it_asks_the_model_for_all_layers_and_keeps_the_rows_of_answers(worker: Callable[..., Any]) -> None:
    made = worker()
    layers = len(made.model_runner.model.model.layers)
    assert (
        made.model_runner.model.asked == tuple(range(1, layers + 1)) and made.model_runner.use_aux_hidden_state_outputs
    )
    made.model_runner.model(torch.arange(3.0))  # a pass that warms up, outside of a step
    assert made._answers.steps == 0
    name, other = "chatcmpl-a-00000000", "chatcmpl-b-11111111"
    step(made, [(name, 0, 3, None), ("cmpl-q-22222222", 0, 2, {}), (other, 0, 2, None)])
    step(made, [(other, 2, 1, None), (name, 3, 1, None)], first=50.0)
    assert made._answers.names == (name, other)
    states = made._answers.states(name, [0, 1, 2])
    assert states[:, :, 0].tolist() == [[row + 100.0 * n for n in range(1, layers + 1)] for row in (1.0, 2.0, 51.0)]
    assert made._answers.states(other, [0, 1])[:, 0, 0].tolist() == [106.0, 150.0]


def test_it_gives_features_of_what_it_keeps_and_nothing_else(worker: Callable[..., Any]) -> None:
    made = worker()
    step(made, [("chatcmpl-a-00000000", 0, 4, None)])
    wanted: dict[str, Any] = {
        "answer": ("chatcmpl-a", 0, 0, 1),
        "places": [0, 1],
        "ids": [3, 4],
        "options": {"names": 0},
    }
    found = made.reticent_features(**wanted, wanted=["pooled"])
    assert len(found["nats"]) == 2 and "pooled" in found["features"]
    assert made.reticent_features(**{**wanted, "places": [2, 3]}, wanted=["pooled"]) is None
    assert made.reticent_features(**{**wanted, "answer": ("chatcmpl-b", 0, 0, 1)}, wanted=["pooled"]) is None
    assert made.reticent_features(**{**wanted, "options": {"k": 0}}, wanted=["pooled"]) == {"fault": "InputError"}
    assert len(made.reticent_behaviour(wanted["answer"])["norms"]) == len(made.model_runner.model.model.layers)
    other = worker(rank=1)
    step(other, [("chatcmpl-a-00000000", 0, 4, None)])
    assert other.reticent_features(**wanted, wanted=["pooled"]) is None, "one rank answers"


@pytest.mark.parametrize("kind", ["GuardWorker", "QuestionWorker"])
def test_the_last_rows_of_a_question_are_kept_as_it_asks(worker: Callable[..., Any], kind: str) -> None:
    made, other = worker(kind=kind), worker(kind=kind)
    about = made.reticent_about()
    assert about["keeps_answers"] == (kind == "GuardWorker") and about["mark"] != other.reticent_about()["mark"]
    made.model_runner.prompt = 5
    question, answer = ("cmpl-q-0-00000000", {about["mark"]: 3}), ("chatcmpl-a-11111111", None)
    step(made, [(answer[0], 0, 5, None), (question[0], 0, 4, question[1]), ("cmpl-b-0-22222222", 0, 5, {"theirs": 3})])
    step(made, [(question[0], 4, 1, question[1]), (answer[0], 5, 1, None)], first=50.0)
    layers = len(made.model_runner.model.model.layers)
    assert made.model_runner.model.asked == (tuple(range(1, layers + 1)) if about["keeps_answers"] else (layers,))
    assert made._questions.names == (question[0],)
    assert (made._answers is None) != about["keeps_answers"]
    assert made._answers is None or made._answers.names == (answer[0],)
    assert made._questions.states(question[0], [0, 1, 2])[:, -1, 0].tolist() == [n + 100.0 * layers for n in (7, 8, 50)]
    found, theirs = made.reticent_log_probabilities([("cmpl-q", 0, 0, 1), ("cmpl-b", 0, 0, 1)], [3, 4, 5])
    assert len(found["nats"]) == len(found["rivals"]) == 3 and theirs is None
    assert made.reticent_log_probabilities([("cmpl-q", 0, 0, 1)], [3, 4, 5, 6]) == [None]


def test_questions_about_one_value_under_many_names_are_all_kept_until_they_are_read(
    worker: Callable[..., Any],
) -> None:
    """However few requests the engine runs at a time."""
    made = worker(kind="QuestionWorker")
    mark = {made.reticent_about()["mark"]: 2}
    for number in range(16):
        step(made, [(f"cmpl-{number}-0-00000000", 0, 3, mark)])
    names = [(f"cmpl-{number}", 0, 0, 1) for number in range(16)]
    assert all(made.reticent_log_probabilities(names, [3, 4]))
    other = worker(kind="QuestionWorker", rank=1)
    assert other.reticent_log_probabilities(names, [3, 4]) == [None] * 16


def test_a_head_that_an_adapter_changes_leaves_questions_to_the_server(worker: Callable[..., Any]) -> None:
    made = worker(kind="QuestionWorker")
    question = {made.reticent_about()["mark"]: 1}
    step(made, [("cmpl-q-0-00000000", 0, 2, question)])
    processor = made.model_runner.model.logits_processor
    for adapted in (0.0, 1.0):
        processor.lora_a_stacked = torch.tensor([0.0, adapted])
        (found,) = made.reticent_log_probabilities([("cmpl-q", 0, 0, 1)], [3])
        assert (found is None) == bool(adapted)


def test_steps_without_a_question_are_not_read_by_a_worker_for_questions(worker: Callable[..., Any]) -> None:
    made = worker(kind="QuestionWorker")
    step(made, [("chatcmpl-a-00000000", 0, 5, None)])
    assert made._questions.steps == 0 and not made._failures


def test_a_fault_of_the_hook_loses_the_states_and_nothing_else(
    worker: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    made = worker()
    name, other = "chatcmpl-a-00000000", "chatcmpl-b-11111111"
    step(made, [(other, 0, 3, None)])
    step(made, [(name, 0, 3, None)])
    made.model_runner.model.asked = made.model_runner.model.asked[:-1]
    for _ in range(2):
        step(made, [(name, 3, 1, None)])
    assert made._answers.names == (other,), "its earlier states might be another's"
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_a_graph_that_was_compiled_without_the_states_is_not_taken(worker: Callable[..., Any]) -> None:
    assert worker().vllm_config.additional_config == {"reticent_states": "all"}
    assert worker(kind="QuestionWorker").vllm_config.additional_config == {"reticent_states": "last"}


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ({"pipeline": 2}, "pipeline"), ({"speculative": object()}, "speculative"),
        ({"microbatches": True}, "microbatches"),
        ({"fast_prefill": True}, "fast-prefill"),
        ({"supported": False}, "states of its"),
        ({"full": True, "cpu": False}, "PIECEWISE"),
    ],
)  # fmt: skip
def test_what_would_give_no_states_or_wrong_ones_ends_the_start(
    worker: Callable[..., Any], config: dict[str, Any], says: str
) -> None:
    with pytest.raises(UnsupportedHost, match=says):
        worker(**config)


@pytest.mark.parametrize(("given", "works"), [("2", True), ("0", False), ("many", False)])
def test_an_operator_says_how_many_rows_are_kept(
    worker: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, given: str, works: bool
) -> None:
    monkeypatch.setenv("RETICENT_STATE_ROWS", given)
    if not works:
        with pytest.raises(InputError, match="RETICENT_STATE_ROWS"):
            worker()
        return
    made = worker()
    step(made, [("chatcmpl-a-00000000", 0, 5, None)])
    assert made._answers.places("chatcmpl-a-00000000") == [2, 3]


def test_the_second_runner_a_quantised_head_and_an_unknown_model_end_the_start(
    worker: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = worker(load=False)
    quantised = nn.Module()
    quantised.weight = torch.zeros(8, 16, dtype=torch.int8)
    made.model_runner.model.lm_head = quantised
    with pytest.raises(UnsupportedHost, match="quantised"):
        made.load_model()
    made = worker(load=False)
    del made.model_runner.model.model.norm
    with pytest.raises(UnsupportedHost, match="unknown place"):
        made.load_model()
    monkeypatch.setattr(Runner, "__module__", "vllm.v1.worker.gpu.model_runner")
    with pytest.raises(UnsupportedHost, match="VLLM_USE_V2_MODEL_RUNNER=0"):
        worker()
