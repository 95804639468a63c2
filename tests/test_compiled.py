"""Hosts that `generate` compiles: the states and verdicts of the compiled graph, and what is refused or noticed.

Traced by torch's compiler and run operation by operation (`backend="eager"`); with code generation where marked slow.
"""

from __future__ import annotations

import copy
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import test_decoding
import test_layer_hooks
import tiny_hosts
import torch
import transformers as tf
from test_generate import Sink
from test_layer_hooks import FAMILIES, PROMPT, close, generate, naive, tiny
from tiny_hosts import SAYS, SECRET, STOP_ALL

from reticent import AfterRedaction, Origin, Policy
from reticent.core.report import SpanRecord
from reticent.huggingface.answer import Answer
from reticent.huggingface.guarded_model import GuardedModel
from reticent.policy.options import HoldLimits
from reticent.policy.verdict import Reason
from reticent_detectors.capture import HostAdapter, Taps
from reticent_detectors.errors import CaptureError, UnsupportedHost

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # torch's own, while it loads its compiler
    pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated:FutureWarning"),
]
ALLOW = replace(Policy.allow_all(), after_redaction=AfterRedaction.REWIND)


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    yield
    torch._dynamo.reset()


def compiled(backend: Any = "eager", whole: bool = True) -> dict[str, Any]:
    """Options under which `generate` compiles on a processor, too; `whole`: it fails where the compiler gives up."""
    config = tf.CompileConfig(backend=backend, mode="default", fullgraph=whole)
    config._compile_all_devices = True
    return {"cache_implementation": "static", "compile_config": config}


def graphs() -> int:
    return int(torch._dynamo.utils.counters["stats"]["unique_graphs"])


# ---- states ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("family", "inner", "others"),
    [*((family, True, ()) for family in FAMILIES), ("llama", False, ()), ("llama", False, (1,))],
)
def test_states_of_a_compiled_host_equal_one_pass_over_the_text(
    family: str, inner: bool, others: tuple[int, ...]
) -> None:
    model, taps = tiny(family, inner, others)
    with taps.recording() as ring:
        ids = generate(model, ring, **compiled())
        span = ring.span(range(8, 20))
        assert ring.step == 12
        assert ring.position == 19
    assert graphs() >= 1
    states, probability = naive(model, ids)
    close(span.hidden, states[8:20, list(taps.kept)])
    close(span.probability, probability[8:20])
    assert span.ids.tolist() == ids[0, 9:].tolist()


def test_a_prompt_in_chunks_is_counted() -> None:
    model, taps = tiny()
    with taps.recording() as ring:
        ids = generate(model, ring, prefill_chunk_size=4, **compiled())
        assert (ring.step, ring.position) == (12, 19)
        close(ring.states(range(8, 20)), naive(model, ids)[0][8:20])


@pytest.mark.slow
def test_states_of_generated_code_equal_one_pass_over_the_text() -> None:
    model, taps = tiny("gemma2")
    with taps.recording() as ring:
        ids = generate(model, ring, **compiled("inductor"))
        span = ring.span(range(8, 20))
    states, probability = naive(model, ids)
    close(span.hidden, states[8:20])
    close(span.probability, probability[8:20])


def test_where_the_compiler_refuses_the_states_are_the_same() -> None:
    model, taps = tiny()
    with torch.compiler.set_stance("force_eager"), taps.recording() as ring:
        ids = generate(model, ring, **compiled())
        span = ring.span(range(8, 20))
    assert graphs() == 0
    close(span.hidden, naive(model, ids)[0][8:20])


def test_lengths_are_compared_when_states_are_asked_for() -> None:
    model, taps = tiny()
    with taps.recording() as ring:
        generate(model, ring, **compiled())
        held = ring._held[ring._slot_of[12]]
        assert held is not None
        held += 1
        ring.states([11])
        with pytest.raises(CaptureError, match="ended at position 13"):
            ring.states([12])


# ---- accounting --------------------------------------------------------------------------------


@pytest.mark.parametrize("which", range(4))
def test_a_killed_hook_makes_every_state_unusable(which: int) -> None:
    model, taps = tiny()
    taps._handles[which].remove()
    with taps.recording() as ring:
        generate(model, ring, **compiled())
        with pytest.raises(CaptureError, match="layers were seen"):
            ring.span([12])


def test_a_layer_overwritten_within_its_step_is_read_as_it_was() -> None:
    model, taps = tiny()
    model.model.layers[2].register_forward_pre_hook(lambda module, given: given[0].mul_(1.5))
    gave = list[torch.Tensor]()
    with taps.recording() as ring, torch.compiler.set_stance("force_eager"):
        watch = model.model.layers[1].register_forward_hook(lambda m, a, output: gave.append(output[0, -1].clone()))
        generate(model, ring, **compiled())
        close(ring.states(range(9, 20))[:, 1], torch.stack(gave[1:]))
        watch.remove()
    with taps.recording() as ring:
        generate(model, ring, **compiled())
        close(ring.states(range(9, 20))[:, 1], torch.stack(gave[1:]))


@pytest.mark.parametrize("whole", [True, False])
def test_a_graph_that_was_traced_without_the_guard_is_not_used(whole: bool) -> None:
    torch.manual_seed(0)
    model = FAMILIES["llama"]().eval()

    def breaks(module: Any, given: Any) -> None:
        torch._dynamo.graph_break()

    if not whole:
        model.model.layers[2].mlp.register_forward_pre_hook(breaks)
    options = {"attention_mask": torch.ones_like(PROMPT), "max_new_tokens": 12, "do_sample": False}
    options |= compiled(whole=whole)
    before = model.generate(PROMPT, **options)
    taps = Taps(HostAdapter.attach(model, test_layer_hooks.Words()))
    with taps.recording() as ring:
        ids = generate(model, ring, **compiled(whole=whole))
        close(ring.states(range(8, 20)), naive(model, ids)[0][8:20])
    assert torch.equal(before, ids)


def test_the_host_keeps_its_own_compiled_call() -> None:
    model, taps = tiny()
    options = {"attention_mask": torch.ones_like(PROMPT), "max_new_tokens": 6, "do_sample": False, **compiled()}
    expected = model.generate(PROMPT, **options | {"disable_compile": True})
    assert torch.equal(model.generate(PROMPT, **options), expected)
    with taps.recording() as ring:
        assert torch.equal(generate(model, ring, tokens=6, **compiled()), expected)
    assert torch.equal(model.generate(PROMPT, **options), expected)
    copied = copy.deepcopy(model)
    assert torch.equal(copied.generate(PROMPT, **options), expected)
    with torch.no_grad():
        for parameter in copied.parameters():
            parameter.mul_(0.5)
    assert not torch.equal(copied.generate(PROMPT, **options), expected)
    taps.remove()
    taps.remove()
    assert "get_compiled_call" not in model.__dict__


@pytest.mark.parametrize("order", [(1, 0, 2), (0, 2, 1)])
def test_guards_of_one_host_do_not_disturb_each_other(order: tuple[int, ...]) -> None:
    model, one = tiny()
    guards = [one, Taps(one.adapter, inner=False), Taps(one.adapter)]
    for gone in order:
        guards[gone].remove()
        left = [taps for taps in guards if taps.reads_compiled]
        chain, link = list[Any](), model.__dict__.get("get_compiled_call")
        while link is not None:
            chain.append(link.__self__)
            link = link.__self__._before
        assert chain == [taps._steps for taps in reversed(left)]
        for taps in left if len(left) == 2 else ():
            with taps.recording() as ring:
                ids = generate(model, ring, tokens=4, **compiled())
                layers = ring.states([8]).shape[1]
                close(ring.states(range(8, 12)), naive(model, ids)[0][8:12, -layers:])
    assert "get_compiled_call" not in model.__dict__


def test_a_guard_attached_again_and_in_inference_mode() -> None:
    model, taps = tiny()
    taps.remove()
    taps = Taps(taps.adapter)
    for mode in (torch.inference_mode, torch.no_grad):
        with mode(), taps.recording() as ring:
            ids = generate(model, ring, **compiled())
            states = ring.states(range(8, 20))
        close(states, naive(model, ids)[0][8:20])


def test_threads_with_compiled_steps_do_not_mix() -> None:
    model, taps = tiny()
    prompts = [PROMPT, PROMPT.flip(1), PROMPT + 5]
    got: dict[int, Any] = {}
    meet = threading.Barrier(len(prompts))

    @torch.compiler.disable  # type: ignore[misc]
    def pauses(module: Any, given: Any) -> None:
        time.sleep(1e-3)  # in the middle of a step: another thread's may come between, if nothing keeps it out

    model.model.layers[2].mlp.register_forward_pre_hook(pauses)

    def work(number: int) -> None:
        with taps.recording() as ring:
            meet.wait(60)
            ids = generate(model, ring, prompts[number], tokens=20, **compiled(whole=False))
            got[number] = ids, ring.states(range(8, 28))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(prompts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert sorted(got) == [0, 1, 2]
    for ids, states in got.values():
        close(states, naive(model, ids)[0][8:28])


def test_a_thread_that_generates_without_the_compiler_meanwhile_has_its_own_states() -> None:
    model, taps = tiny()
    got: dict[str, Any] = {}

    def work(name: str, **options: Any) -> None:
        with taps.recording() as ring:
            ids = generate(model, ring, **options)
            got[name] = ids, ring.states(range(8, 20))

    @torch.compiler.disable  # type: ignore[misc]
    def breaks(module: Any, given: Any) -> None:
        if taps._steps.runs_here and "eager" not in got:  # in the middle of a compiled step
            thread = threading.Thread(target=work, args=("eager",))
            thread.start()
            thread.join(60)

    model.model.layers[2].mlp.register_forward_pre_hook(breaks)
    work("compiled", **compiled(whole=False))
    assert torch._dynamo.utils.counters["graph_break"]
    for ids, states in got.values():
        close(states, naive(model, ids)[0][8:20])
    assert set(got) == {"eager", "compiled"}


# ---- the guard ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: Any) -> GuardedModel:
    return tiny_hosts.guarded(tmp_path_factory.mktemp("bundles") / "b")


def records(guard: GuardedModel, policy: Policy, **options: Any) -> tuple[list[str], list[SpanRecord]]:
    texts, answers = [SAYS, test_decoding.HARMLESS, test_decoding.MAIL], list[Answer]()
    if policy.after_redaction is AfterRedaction.REWIND:
        ids = guard.chat_ids(tiny_hosts.QUESTION)
        script = tiny_hosts.Script(guard.tokenizer, SAYS, ids.shape[1])
        options |= {"max_new_tokens": 80, "logits_processor": [script], "attention_mask": torch.ones_like(ids)}
        guard.generate(ids, policy=policy, on_answer=answers.append, do_sample=False, **options)
    else:
        answers = test_decoding.say(guard, texts, policy, do_sample=False, **options)[1]
    return [answer.text for answer in answers], [span for answer in answers for span in answer.report.spans]


@pytest.mark.parametrize("after", AfterRedaction)
def test_the_verdicts_are_those_of_the_host_as_it_is(guarded: GuardedModel, after: AfterRedaction) -> None:
    policy = replace(STOP_ALL, after_redaction=after)
    texts, spans = records(guarded, policy)
    again, found = records(guarded, policy, **compiled())
    assert graphs() >= 1
    assert again == texts
    assert SECRET not in texts[0]
    assert [(s.entity, s.start, s.end) for s in found] == [(s.entity, s.start, s.end) for s in spans]
    assert {s.decision.verdict.origin for s in found} == {Origin.MEMORIZED}
    for one, other in zip(spans, found, strict=True):
        assert one.decision.verdict.probability == pytest.approx(other.decision.verdict.probability, abs=1e-5)


def test_nothing_withheld_is_the_hosts_own(guarded: GuardedModel) -> None:
    inputs = test_decoding.batch(guarded)
    for ways in ({"do_sample": False}, {"do_sample": True, "temperature": 0.8, "num_return_sequences": 2}):
        options = {"max_new_tokens": 16, **ways, **compiled()}
        torch.manual_seed(3)
        plain = guarded.model.generate(**inputs, **options)
        torch.manual_seed(3)
        assert torch.equal(plain, guarded.generate(**inputs, policy=ALLOW, **options))


def test_what_the_compiler_takes_is_no_waiting(guarded: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling takes long between two tokens of a value. Held for so long, it would be withheld unjudged."""
    seconds = 0.0

    def later() -> float:
        return time.time() + seconds

    def slow(graph: Any, inputs: Any) -> Any:
        nonlocal seconds
        seconds += 60
        return graph

    monkeypatch.setattr(time, "monotonic", later)
    ids = guarded.chat_ids(tiny_hosts.QUESTION)
    script = tiny_hosts.Script(guarded.tokenizer, SECRET + ".", ids.shape[1])
    answers: list[Answer] = []
    options = compiled(slow) | {"logits_processor": [script], "attention_mask": torch.ones_like(ids)}
    guarded.generate(ids, policy=STOP_ALL, streamer=Sink(), on_answer=answers.append, max_new_tokens=30, **options)
    assert seconds >= 60
    assert [span.decision.reason for span in answers[0].report.spans] == [Reason.RULE]
    assert answers[0].text == "<PHONE_NUMBER>."


def test_nor_is_what_it_takes_in_another_thread(guarded: GuardedModel) -> None:
    """A generation that is past its first token when another one has the compiler at work waits for that one."""
    begun, other = threading.Event(), list[threading.Thread]()
    texts: dict[str, str] = {}
    ids = guarded.chat_ids(tiny_hosts.QUESTION)
    policy = replace(STOP_ALL, hold=HoldLimits(max_seconds=3.0))

    def slow(graph: Any, inputs: Any) -> Any:
        begun.set()
        time.sleep(4)
        return graph

    shared = compiled(slow)

    def say(name: str, *first: Any) -> None:
        script = tiny_hosts.Script(guarded.tokenizer, SECRET + ".", ids.shape[1])
        answers: list[Answer] = []
        options = shared | {"logits_processor": [script, *first], "attention_mask": torch.ones_like(ids)}
        options |= {"policy": policy, "streamer": Sink(), "max_new_tokens": 30, "do_sample": False}
        guarded.generate(ids, on_answer=answers.append, **options)
        texts[name] = answers[0].text

    def meet(given: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        if not other:  # the prompt has been read, no step has been compiled
            other.append(threading.Thread(target=say, args=("other",)))
            other[0].start()
            begun.wait(60)
        return scores

    say("first", meet)
    other[0].join(60)
    assert texts == dict.fromkeys(("first", "other"), "<PHONE_NUMBER>.")


def test_an_adapter_on_the_host_is_read_as_well(tmp_path: Path) -> None:
    import peft

    model = tiny_hosts.host("llama", tiny_hosts.tokenizer())
    adapted = peft.get_peft_model(model, peft.LoraConfig(r=2, target_modules=["q_proj"], init_lora_weights=False))
    guard = tiny_hosts.Guard.load(tiny_hosts.bundle(tmp_path / "b", adapted)).wrap(adapted, tiny_hosts.tokenizer())
    assert guard.reads_compiled
    assert records(guard, STOP_ALL, **compiled())[0] == records(guard, STOP_ALL)[0]
    assert graphs() >= 1


def test_what_the_compiler_is_kept_from_is_not_compiled(tmp_path: Path) -> None:
    guard = tiny_hosts.guarded(tmp_path / "b")
    layer = guard.model.model.layers[1]
    layer.forward = torch.compiler.disable(layer.forward)
    layer.mlp.compile(backend="eager")  # has no hooks and calls nothing that has
    _, spans = records(guard, STOP_ALL)
    assert {span.decision.verdict.origin for span in spans} == {Origin.MEMORIZED}


@pytest.mark.parametrize("part", ["model", "layer", "forward"])
def test_a_host_that_was_compiled_otherwise_is_refused(tmp_path: Path, part: str) -> None:
    guard = tiny_hosts.guarded(tmp_path / "b")
    if part == "forward":
        guard.model.forward = torch.compile(guard.model.forward, backend="eager")
    else:
        (guard.model if part == "model" else guard.model.model.layers[1]).compile(backend="eager")
    with pytest.raises(UnsupportedHost, match="let generate compile it"):
        guard.generate(**test_decoding.batch(guard), max_new_tokens=2)
