"""The network fed with tensors where they lie: here those of the processor, bound as a GPU's are."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
import tiny_hosts
import torch
from tiny_hosts import QUESTION, SAYS, STOP_ALL
from torch import Tensor

from reticent import Guard
from reticent.core.report import SpanRecord
from reticent.hosted.shadow import Shadow
from reticent.huggingface.answer import Answer
from reticent.serve.settings import ShadowSettings
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.capture import HostAdapter
from reticent_detectors.errors import CaptureError, InputError
from reticent_detectors.features.derived_features import OF_THE_OUTPUT
from reticent_detectors.scoring import state_scorer
from reticent_detectors.scoring.device_scorer import DeviceScorer
from reticent_detectors.scoring.scorer import OnnxScorer
from reticent_detectors.scoring.state_scorer import StateScorer

CUDA = "CUDAExecutionProvider"


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> OnnxScorer:
    folder = tmp_path_factory.mktemp("bundle") / "b"
    model = tiny_hosts.host("llama", tiny_hosts.tokenizer())
    return OnnxScorer(Bundle.load(tiny_hosts.bundle(folder, model, names=2)))


def drawn(scorer: OnnxScorer, spans: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(spans)
    shapes = {name: shape for name, shape in scorer.shapes.items() if name != "entity"}
    return {name: rng.uniform(-1, 1, (spans, *shape)).astype(np.float32) for name, shape in shapes.items()}


def tensors(features: dict[str, np.ndarray]) -> dict[str, Tensor]:
    return {name: torch.from_numpy(array) for name, array in features.items()}


@pytest.mark.parametrize("spans", [0, 1, 9])
def test_the_same_probabilities_as_of_arrays(scorer: OnnxScorer, spans: int) -> None:
    features, entities = drawn(scorer, spans), ["PHONE_NUMBER", "EMAIL_ADDRESS", "NOTHING"][:spans] * (spans // 3 or 1)
    mixed = tensors(features) | {"renamed": features["renamed"]}
    wanted = scorer.score(features, entities)
    for given in (tensors(features), mixed):
        assert np.array_equal(DeviceScorer(scorer).score(given, entities), wanted)


def test_tensors_of_other_types_and_strides_are_made_fit(scorer: OnnxScorer) -> None:
    features = drawn(scorer, 4)
    wanted = scorer.score(features, ["PASSWORD"] * 4)
    odd = {
        name: tensor.double().movedim(0, -1).contiguous().movedim(-1, 0) for name, tensor in tensors(features).items()
    }
    assert not all(tensor.is_contiguous() for tensor in odd.values())
    assert np.array_equal(DeviceScorer(scorer).score(odd, ["PASSWORD"] * 4), wanted)


@pytest.mark.parametrize("bad", [float("nan"), float("-inf")])
def test_one_number_that_is_not_finite_spoils_the_call(scorer: OnnxScorer, bad: float) -> None:
    for name in drawn(scorer, 3):
        given = tensors(drawn(scorer, 3))
        given[name].view(-1)[-1] = bad
        with pytest.raises(CaptureError, match="finite"):
            DeviceScorer(scorer).score(given, ["PASSWORD"] * 3)


def test_arrays_that_are_missing_or_do_not_fit_are_named(scorer: OnnxScorer) -> None:
    given = tensors(drawn(scorer, 3))
    with pytest.raises(InputError, match="renamed is missing"):
        DeviceScorer(scorer).score({name: given[name] for name in given if name != "renamed"}, ["PASSWORD"] * 3)
    with pytest.raises(InputError, match=r"expected \[2, "):
        DeviceScorer(scorer).score(given, ["PASSWORD"] * 2)


def said(guard: Any, policy: Any = STOP_ALL) -> tuple[str, list[SpanRecord]]:
    ids = guard.chat_ids(QUESTION)
    answers: list[Answer] = []
    script = tiny_hosts.Script(guard.tokenizer, SAYS + " Her email is jane77@example.org.", ids.shape[1])
    options = {"attention_mask": torch.ones_like(ids), "max_new_tokens": 90, "logits_processor": [script]}
    guard.generate(ids, policy=policy, on_answer=answers.append, do_sample=False, **options)
    return answers[0].text, list(answers[0].report.spans)


@pytest.mark.parametrize("names", [0, 2])
def test_a_guard_that_scores_so_comes_to_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: int) -> None:
    text, spans = said(tiny_hosts.guarded(tmp_path / "arrays", names=names))
    monkeypatch.setattr(OnnxScorer, "on_gpu", True)
    monkeypatch.setattr(state_scorer, "build_features", None)  # brings everything over
    again, found = said(tiny_hosts.guarded(tmp_path / "tensors", names=names))
    assert again == text and len(spans) == 2
    for one, other in zip(spans, found, strict=True):
        assert one.decision.verdict == other.decision.verdict


def test_states_that_are_not_finite_are_withheld(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OnnxScorer, "on_gpu", True)
    guard = tiny_hosts.guarded(tmp_path / "b")
    guard.model.model.layers[1].register_forward_hook(lambda module, given, output: output * float("nan"))
    text, spans = said(guard)
    assert tiny_hosts.SECRET not in text and all(span.decision.verdict.probability is None for span in spans)


@pytest.mark.gpu
@pytest.mark.skipif(CUDA not in onnxruntime.get_available_providers(), reason="ONNX Runtime without CUDA")
def test_a_guard_on_a_gpu_comes_to_the_same(tmp_path: Path) -> None:
    model, tokenizer = tiny_hosts.host("llama", tiny_hosts.tokenizer()).cuda(), tiny_hosts.tokenizer()
    folder = tiny_hosts.bundle(tmp_path / "b", model, 2)
    text, spans = said(tiny_hosts.Guard.load(folder).wrap(model, tokenizer))
    guard = tiny_hosts.Guard.load(folder, providers=[CUDA]).wrap(model, tokenizer)
    assert guard.guard.scorer.on_gpu
    again, found = said(guard)
    assert again == text
    for one, other in zip(spans, found, strict=True):
        assert one.decision.verdict.probability == pytest.approx(other.decision.verdict.probability, abs=1e-4)


# ---- before the first answer -------------------------------------------------------------------


@pytest.mark.parametrize("inner", [True, False])
def test_warming_meets_every_route_of_the_lens_and_the_steps_probability(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inner: bool
) -> None:
    kernels = pytest.importorskip("reticent_kernels.lens_triton")
    routes = kernels.ROUTES
    guard = tiny_hosts.guarded(tmp_path / "b")
    rows, steps = list[int](), list[torch.Size]()

    def lens(adapter: HostAdapter, hidden: Tensor, *given: Any, **named: Any) -> Any:
        rows.append(len(hidden))
        return unwatched(adapter, hidden, *given, **named)

    unwatched = HostAdapter.lens
    monkeypatch.setattr(HostAdapter, "lens", lens)
    monkeypatch.setattr(state_scorer, "token_logprob", lambda logits, ids: steps.append(logits.shape))
    score = guard.score
    if not inner:
        shapes = {name: shape for name, shape in score._scorer.shapes.items() if name in OF_THE_OUTPUT}
        monkeypatch.setattr(score._scorer, "shapes", shapes)
        monkeypatch.setattr(score, "_probabilities", lambda features, entities: [0.5] * len(entities))
    torch.manual_seed(0)
    before = torch.get_rng_state()
    score.rehearse()
    assert torch.equal(torch.get_rng_state(), before)
    limits = [0.0, *(limit for limit, *_ in routes)]
    assert all(any(low < seen <= high for seen in rows) for low, high in pairwise(limits))
    for rows_of_a_program in (1, 16):  # of the last kernel, and of the one of chosen ids
        few = [seen <= rows_of_a_program * kernels.FEW_PROGRAMS for seen in rows]
        assert any(few) and not all(few)
    assert steps == [(1, guard.adapter.vocab_size)]


def test_a_host_is_warmed_when_it_is_wrapped_and_a_failure_of_that_is_only_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class NoCompiler(Exception):
        pass

    def warm(score: StateScorer) -> None:
        warmed.append(score)
        raise NoCompiler

    warmed = list[StateScorer]()
    monkeypatch.setattr(StateScorer, "warm", warm)
    guard = tiny_hosts.guarded(tmp_path / "b")
    assert warmed == [guard.score] and "NoCompiler at test_device_scorer.py" in caplog.text
    assert said(guard)[1]
    Shadow(
        guard.guard.bundle,
        guard.model,
        guard.tokenizer,
        ShadowSettings(path=tmp_path, bundle=tmp_path / "b", models=("one",)),
    )
    assert len(warmed) == 2


def test_a_head_without_weights_of_its_own_is_warmed_as_well(tmp_path: Path) -> None:
    model, tokenizer = tiny_hosts.host("llama", tiny_hosts.tokenizer()), tiny_hosts.tokenizer()
    model.lm_head = torch.nn.Sequential(model.lm_head)
    guard = Guard.load(tiny_hosts.bundle(tmp_path / "b", model)).wrap(model, tokenizer)
    assert not hasattr(guard.adapter.head, "weight")
    guard.score.rehearse()


FIRST_ANSWER = """
import sys, tempfile
from pathlib import Path
import tiny_hosts, torch, triton
from test_device_scorer import said
from reticent import Guard

compiled = []
triton.knobs.runtime.jit_post_compile_hook = lambda **named: compiled.append(named["repr"])
host, tokenizer = tiny_hosts.host("llama", tiny_hosts.tokenizer()).to("cuda", torch.bfloat16), tiny_hosts.tokenizer()
with tempfile.TemporaryDirectory() as folder:
    guard = Guard.load(tiny_hosts.bundle(Path(folder) / "b", host)).wrap(host, tokenizer)
    before = len(compiled)
    spans = said(guard)[1]
print(before, len(compiled), len(spans))
"""


@pytest.mark.gpu
def test_nothing_is_compiled_for_a_first_answer() -> None:
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])}
    done = subprocess.run([sys.executable, "-c", FIRST_ANSWER], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    before, after, spans = map(int, done.stdout.split())
    assert before == after > 0 < spans
