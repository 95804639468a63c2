"""Taps and recorders on tiny random hosts: what is captured, what is refused, and that the host never notices."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest
import torch
import transformers as tf
from tiny_configs import GEMMA, GPT_LIKE, LLAMA_LIKE
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

from reticent_detectors.capture import HostAdapter, Ring, SpanStates, Taps
from reticent_detectors.errors import CaptureError, InputError

torch.set_num_threads(1)

FAMILIES: dict[str, Any] = {
    "llama": lambda: tf.LlamaForCausalLM(tf.LlamaConfig(**LLAMA_LIKE)),
    "qwen2": lambda: tf.Qwen2ForCausalLM(tf.Qwen2Config(**LLAMA_LIKE)),
    "gemma2": lambda: tf.Gemma2ForCausalLM(tf.Gemma2Config(**LLAMA_LIKE, **GEMMA)),
    "gpt2": lambda: tf.GPT2LMHeadModel(tf.GPT2Config(**GPT_LIKE)),
    "gpt-neox": lambda: tf.GPTNeoXForCausalLM(tf.GPTNeoXConfig(**LLAMA_LIKE)),
}
PROMPT = torch.tensor([[1, 44, 7, 19, 80, 3, 62, 28, 51]])
OTHER = torch.tensor([[1, 90, 8, 8, 23]])


class Words:
    all_special_ids = (0, 1)

    def __len__(self) -> int:
        return 96

    def get_vocab(self) -> dict[str, int]:
        return {f"w{i}": i for i in range(96)}


def tiny(family: str = "llama", inner: bool = True, others: tuple[int, ...] = ()) -> tuple[Any, Taps]:
    torch.manual_seed(0)
    model = FAMILIES[family]().eval()
    return model, Taps(HostAdapter.attach(model, Words()), inner, others)


class Account(tf.generation.streamers.BaseStreamer):
    """Tells a ring which token came out, as the guard's wrapper does."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self.ids: list[int] = []
        self.prompt = True

    def put(self, value: torch.Tensor) -> None:
        if self.prompt:
            self.prompt = False
            return
        self.ids.append(int(value))
        self.ring.emitted([self.ids[-1]])

    def end(self) -> None: ...


def generate(model: Any, ring: Ring, prompt: torch.Tensor = PROMPT, tokens: int = 12, **options: Any) -> torch.Tensor:
    arguments = {"max_new_tokens": tokens, "do_sample": False, "streamer": Account(ring)} | options
    ids: torch.Tensor = model.generate(prompt, attention_mask=torch.ones_like(prompt), **arguments)
    return ids


def naive(model: Any, ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """(raw residual states [N, L, d], probability [N - 1] of each next token) by hooks and softmax, no cache."""
    adapter, seen = HostAdapter.attach(model, Words()), list[torch.Tensor]()
    hooks = [
        layer.register_forward_hook(lambda m, a, out: seen.append(out if isinstance(out, torch.Tensor) else out[0]))
        for layer in adapter.layers
    ]
    with torch.no_grad():
        out = model(ids, output_hidden_states=True, use_cache=False)
    for hook in hooks:
        hook.remove()
    assert all(torch.equal(a, b) for a, b in zip(seen[:-1], out.hidden_states[1:-1], strict=True))
    probability = out.logits[0, :-1].float().softmax(1).gather(1, ids[0, 1:, None])[:, 0]
    return torch.stack([s[0] for s in seen], 1), probability


def close(a: torch.Tensor, b: torch.Tensor) -> None:
    torch.testing.assert_close(a, b, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"use_cache": False},
        {"prefill_chunk_size": 4},
        {"do_sample": True, "temperature": 1.7, "top_k": 20},
        {"repetition_penalty": 1.8},
    ],
    ids=["cache", "no-cache", "chunked-prefill", "sampled", "penalty"],
)
def test_streamed_states_and_raw_probabilities_equal_one_pass_over_the_text(family: str, options: Any) -> None:
    model, taps = tiny(family)
    torch.manual_seed(1)
    with taps.recording() as ring:
        ids = generate(model, ring, **options)
        positions = range(8, 20)
        span = ring.span(positions)
        assert ring.step == 12
        assert ring.position == 19
    states, probability = naive(model, ids)
    close(span.hidden, states[8:20])
    close(span.probability, probability[8:20])
    assert span.ids.tolist() == ids[0, 9:].tolist()
    with taps.reading(ids) as reading, torch.no_grad():
        model(ids)
        again = reading.span(range(20))
    close(again.hidden, states[:20])
    close(again.probability, probability)
    assert again.ids.tolist() == ids[0, 1:].tolist()


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("others", [(), (2, 0)])
def test_the_last_layer_and_chosen_ones_alone_can_be_kept(family: str, others: tuple[int, ...]) -> None:
    model, taps = tiny(family, inner=False, others=others)
    kept = [*sorted(others), 3]
    assert taps.kept == tuple(kept)
    with taps.recording() as ring:
        ids = generate(model, ring, prefill_chunk_size=4)
        span = ring.span(range(8, 20))
    states, probability = naive(model, ids)
    close(span.hidden, states[8:20, kept])
    close(span.probability, probability[8:20])
    cache = tf.DynamicCache(config=model.config)
    with torch.no_grad():
        model(ids[:, :8], past_key_values=cache)
    gather = [(0, [8, 12, 19])]
    for read in (taps.read(ids, None, gather), taps.read_on(ids, None, cache, gather)):
        close(read[0].hidden, states[[8, 12, 19]][:, kept])


def test_a_static_cache_and_a_continued_cache_keep_absolute_positions() -> None:
    model, taps = tiny()
    with taps.recording() as ring:
        ids = generate(model, ring, cache_implementation="static", disable_compile=True)
        close(ring.states([8, 12, 19]), naive(model, ids)[0][[8, 12, 19]])
    cache = tf.DynamicCache(config=model.config)
    with torch.no_grad():
        model(PROMPT[:, :5], past_key_values=cache)
    with taps.recording() as ring:
        ids = generate(model, ring, past_key_values=cache)
        close(ring.states([8, 12, 19]), naive(model, ids)[0][[8, 12, 19]])


def test_a_batch_is_read_at_the_asked_positions_only() -> None:
    model, taps = tiny("qwen2")
    rows = [torch.randint(3, 96, (n,), generator=torch.Generator().manual_seed(n)) for n in (11, 20, 6)]
    ids = nn.utils.rnn.pad_sequence(rows, batch_first=True)
    mask = nn.utils.rnn.pad_sequence([torch.ones_like(row) for row in rows], batch_first=True)
    gather = [(1, [4, 5, 6, 18]), (0, [9]), (2, range(5)), (1, [0, 4])]
    spans = taps.read(ids, mask, gather)
    for (row, positions), span in zip(gather, spans, strict=True):
        states, probability = naive(model, rows[row][None])
        at = list(positions)
        close(span.hidden, states[at])
        close(span.probability, probability[at])
        assert span.ids.tolist() == rows[row][[p + 1 for p in at]].tolist()
    taps._takes_columns = False  # hosts that cannot leave logits out
    for a, b in zip(spans, taps.read(ids, mask, gather), strict=True):
        close(a.probability, b.probability)
    assert taps.read(ids, mask, []) == []


def test_reading_inside_a_recording_leaves_the_ring_alone() -> None:
    model, taps = tiny()
    with taps.recording() as ring:
        ids = generate(model, ring, tokens=5)
        before = ring.states(range(8, 13))
        taps.read(ids, None, [(0, [3])])
        assert torch.equal(ring.states(range(8, 13)), before)
        assert ring.step == 5


@pytest.mark.parametrize("positions", [[10], [-1], [5]])
def test_positions_outside_or_padded_cannot_be_read(positions: list[int]) -> None:
    _, taps = tiny()
    mask = torch.tensor([[1] * 6 + [0] * 5])
    with pytest.raises(InputError):
        taps.read(torch.ones(1, 11, dtype=torch.long), mask, [(0, positions)])


def test_left_padding_is_refused() -> None:
    _, taps = tiny()
    with pytest.raises(InputError, match="right only"):
        taps.read(PROMPT, torch.tensor([[0] + [1] * 8]), [(0, [3])])


# Accounting


@pytest.mark.parametrize("inner", [True, False])
def test_a_killed_hook_makes_every_state_unusable(inner: bool) -> None:
    for which in range(5):
        model, taps = tiny(inner=inner)
        taps._handles[which].remove()
        with taps.recording() as ring:
            generate(model, ring)
            with pytest.raises(CaptureError):
                ring.span([12])
        with pytest.raises(CaptureError):
            taps.read(PROMPT, None, [(0, [3])])


def test_one_layer_missing_in_one_step_spoils_that_position_alone() -> None:
    model, taps = tiny()
    hooks, key, passes = taps.adapter.layers[1]._forward_hooks, taps._handles[1].id, 0
    hook = hooks[key]

    def sometimes(module: nn.Module, args: Any, output: Any) -> None:
        nonlocal passes
        passes += 1
        if passes != 4:
            hook(module, args, output)

    hooks[key] = sometimes
    with taps.recording() as ring:
        ids = generate(model, ring)
        with pytest.raises(CaptureError, match="position 11 is not usable: layer 2 ran where layer 1 was expected"):
            ring.states([10, 11])
        close(ring.states([10, 12]), naive(model, ids)[0][[10, 12]])


@pytest.mark.parametrize("inner", [True, False])
def test_a_layer_that_comes_late_is_noticed(inner: bool) -> None:
    model, taps = tiny(inner=inner)
    key = taps._handles[2].id
    hook = taps.adapter.layers[2]._forward_hooks.pop(key)
    late = taps.adapter.layers[3].register_forward_hook(hook)
    with taps.recording() as ring:
        generate(model, ring)
        with pytest.raises(CaptureError, match="layer 3 ran where layer 2 was expected"):
            ring.states([12])
    late.remove()


def test_a_copy_that_raises_spoils_the_state_but_not_the_hosts_answer() -> None:
    model, taps = tiny()
    plain = model.generate(PROMPT, attention_mask=torch.ones_like(PROMPT), max_new_tokens=12, do_sample=False)
    with taps.recording() as ring:

        def broken(index: int, hidden: torch.Tensor) -> None:
            raise RuntimeError("no memory")

        store, ring._store = ring._store, broken  # type: ignore[method-assign]
        assert torch.equal(generate(model, ring), plain)
        with pytest.raises(CaptureError):
            ring.states([12])
        ring._store = store  # type: ignore[method-assign]


def test_steps_that_do_not_match_passes_are_noticed() -> None:
    model, taps = tiny()
    with taps.recording() as ring:
        ring.emitted([5])
        with pytest.raises(CaptureError, match="no forward pass"):
            ring.states([0])
    with taps.recording() as ring:
        generate(model, ring, tokens=3)
        ring.emitted([5])
        with pytest.raises(CaptureError, match="no forward pass"):
            ring.states([8])
    with taps.recording() as ring, torch.no_grad():
        cache = model(PROMPT).past_key_values
        ring.emitted([5])
        for _ in range(2):
            model(torch.tensor([[5]]), past_key_values=cache)
        ring.emitted([5])
        with pytest.raises(CaptureError, match="2 forward passes"):
            ring.states([8])
    with taps.recording() as ring, torch.no_grad():
        model(PROMPT)
        ring.emitted([5])
        model(OTHER)
        ring.emitted([5])
        with pytest.raises(CaptureError, match="ended at position 4, expected 9"):
            ring.states([4])
    with taps.recording() as ring, torch.no_grad():
        model(PROMPT)
        model(OTHER)
        ring.emitted([5])
        with pytest.raises(CaptureError, match="position 4 after one at 8"):
            ring.states([4])
    with taps.recording() as ring, torch.no_grad():
        model(PROMPT)
        ring.emitted([96])
        with pytest.raises(CaptureError, match="none of the host's"):
            ring.states([8])


def test_batches_and_second_passes_are_noticed() -> None:
    model, taps = tiny()
    with taps.recording() as ring, torch.no_grad():
        model(PROMPT.repeat(2, 1))
        ring.emitted([5])
        with pytest.raises(CaptureError, match="1 tokens came out of 2 rows"):
            ring.states([8])
    with taps.recording() as ring, torch.no_grad():
        model(PROMPT.repeat(2, 1))
        ring.emitted([5, 6])
        model(torch.cat([PROMPT, PROMPT[:, :1]], 1).repeat(3, 1))  # the right position, but three rows
        ring.emitted([5, 6])
        with pytest.raises(CaptureError, match="reading the model's output raised InputError"):
            ring.states([9])
    with taps.reading(PROMPT) as reading, torch.no_grad():
        model(PROMPT)
        model(PROMPT)
        with pytest.raises(CaptureError, match="more than one"):
            reading.states([3])
    with taps.reading(PROMPT) as reading:
        with pytest.raises(CaptureError, match="none was seen"):
            reading.states([3])
        with torch.no_grad():
            model(OTHER)
        with pytest.raises(CaptureError):
            reading.states([3])


def test_rows_of_a_batch_have_their_own_states() -> None:
    model, taps = tiny()
    other = torch.roll(PROMPT, 1)
    with taps.recording() as ring, torch.no_grad():
        model(torch.cat([PROMPT, other]))
        ring.emitted([5, 6])
        spans = [ring.span([8], row) for row in (0, 1)]
        with pytest.raises(InputError, match="row below 2"):
            ring.span([8], 2)
    with torch.no_grad():
        for row, (ids, span) in enumerate(zip((PROMPT, other), spans, strict=True)):
            states, _ = naive(model, ids)
            close(span.hidden[0], states[8])
            probability = model(ids).logits[0, 8].softmax(0)[5 + row]
            close(span.probability, probability.reshape(1))
            assert span.ids.tolist() == [5 + row]


def test_probabilities_do_not_depend_on_torchs_default_type() -> None:
    model, taps = tiny()
    probabilities = []
    for dtype in (torch.float32, torch.bfloat16):
        torch.set_default_dtype(dtype)
        try:
            with taps.recording() as ring, torch.no_grad():
                model(PROMPT)
                ring.emitted([5])
                probabilities.append(ring.span([8]).probability)
        finally:
            torch.set_default_dtype(torch.float32)
    assert torch.equal(*probabilities) and probabilities[1].dtype == torch.float32


def test_what_was_written_down_on_another_device_is_refused() -> None:
    model, taps = tiny()
    with taps.recording() as ring, torch.no_grad():
        model(PROMPT, use_cache=False)
        ring.emitted([5])
        assert ring._logprob is not None
        ring._logprob = ring._logprob.to("meta")
        model(torch.cat([PROMPT, PROMPT[:, :1]], 1), use_cache=False)
        ring.emitted([6])
        with pytest.raises(CaptureError, match="emitted"):
            ring.span([8])
        assert ring.span([9]).ids.tolist() == [6]


def test_logits_that_were_written_into_are_refused() -> None:
    model, taps = tiny()
    with taps.recording() as ring, torch.no_grad():
        model(PROMPT, use_cache=False).logits[0, 0, 0] = 1.0
        ring.emitted([5])
        with pytest.raises(CaptureError, match="logits of a step were written into"):
            ring.span([8])
    with taps.recording() as ring, torch.inference_mode():  # nobody knows it of such tensors: they are copied
        out = model(PROMPT, use_cache=False).logits
        wanted = out[0, -1].softmax(0)[5].clone()
        out[0, -1, 5] = 9.0
        ring.emitted([5])
        assert float(ring.span([8]).probability) == pytest.approx(float(wanted))


@pytest.mark.parametrize(
    ("given", "says"),
    [([5, 6, 1], "3 tokens came out of 2 rows"), ([5, -1], "none of the host's"), ([5, 96], "none of the host's")],
)
def test_tokens_that_are_none_of_the_hosts_are_refused(
    monkeypatch: pytest.MonkeyPatch, given: list[int], says: str
) -> None:
    """On a GPU nobody looks at ids before the kernel runs, so that they have to be looked at when they come back."""
    model, taps = tiny()
    monkeypatch.setattr("reticent_detectors.capture.ring.token_logprob", lambda *_, **__: None)
    with taps.recording() as ring, torch.no_grad():
        model(PROMPT.repeat(2, 1), use_cache=False)
        assert ring.emitted(torch.tensor(given)) == given
        with pytest.raises(CaptureError, match=says):
            ring.span([8])


@pytest.mark.gpu
def test_ids_on_their_way_wait_for_their_own_step_alone() -> None:
    ring = Ring(1, 8)
    output = SimpleNamespace(past_key_values=None, logits=torch.zeros(3, 1, 9, device="cuda"))
    output.past_key_values = SimpleNamespace(get_seq_length=lambda: 1)
    ring.on_layer(0, torch.zeros(3, 1, 2, device="cuda"))
    ring.on_output(output)
    text = torch.arange(12, device="cuda").view(3, 4) % 9
    emitted = ring.emitting(text[:, -1])
    busy = torch.cuda.current_stream().record_event()
    for _ in range(200):
        torch.randn(4096, 4096, device="cuda").matmul(torch.randn(4096, 4096, device="cuda"))
    end = torch.cuda.current_stream().record_event()
    assert emitted() == [3, 7, 2]
    assert busy.query() and not end.query()
    assert ring.span([0], 1).ids.tolist() == [7]


class Operations(TorchDispatchMode):
    """What is asked of a device: all operations but those that only look at a tensor in another way."""

    def __init__(self) -> None:
        super().__init__()
        self.names = list[str]()

    def __torch_dispatch__(self, operation: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if not operation.is_view:
            self.names.append(operation.overloadpacket.__name__)
        return operation(*args, **(kwargs or {}))


@pytest.mark.parametrize("compiled", [False, True])
def test_what_a_step_asks_of_the_device(monkeypatch: pytest.MonkeyPatch, compiled: bool) -> None:
    """Whatever stands here a GPU has to do for every token: the layers in one copy, and the probability."""
    monkeypatch.setattr("reticent_detectors.capture.ring.token_logprob", lambda *_, **__: None)
    layers, batch = 4, 2
    ring, output = Ring(layers, 8), SimpleNamespace(past_key_values=None, logits=torch.zeros(batch, 1, 9))
    states = [torch.zeros(batch, 1, 3) for _ in range(layers)]
    ids = torch.tensor([[0, 0, 5], [0, 0, 6]])
    for length in (1, 2, 3):
        output.past_key_values = SimpleNamespace(get_seq_length=lambda length=length: length)
        with Operations() as asked:
            if compiled:
                ring.on_pass(torch.zeros(layers, batch, 3), 1, output)
            else:
                for index, state in enumerate(states):
                    ring.on_layer(index, state)
                ring.on_output(output)
            ring.emitted(ids[:, -1])
        assert ring._logits is None  # they are the host's, and may be overwritten by its next step
    names = [name for name in asked.names if name not in ("zeros", "_local_scalar_dense")]
    assert names == (["copy_"] if compiled else ["cat", "copy_"])
    assert ring.span([2], 1).ids.tolist() == [6]


def test_spans_of_several_rows_come_as_each_alone() -> None:
    _, taps = tiny()
    wanted = [(range(8, 11), 1), ([9], 0), (range(9, 11), 2), ([8], 0)]
    with taps.recording() as ring, torch.no_grad():
        taps.adapter.model(torch.cat([torch.roll(PROMPT, n) for n in range(3)]), use_cache=False)
        ring.emitted([5, 6, 7])
        for step in range(1, 3):
            more = torch.randint(0, 40, (3, 9 + step), generator=torch.Generator().manual_seed(step))
            taps.adapter.model(more, use_cache=False)
            ring.emitted([step, step + 1, step + 2])
        for span, (positions, row) in zip(ring.spans(wanted), wanted, strict=True):
            alone = ring.span(positions, row)
            assert all(torch.equal(one, other) for one, other in zip(span, alone, strict=True))
        with pytest.raises(CaptureError, match="not in the ring"):
            ring.spans([([9], 0), ([30], 1)])


def test_a_state_that_left_the_ring_is_refused() -> None:
    model, taps = tiny()
    with taps.recording(window=5) as ring:
        ids = generate(model, ring)
        kept = ring.states(range(15, 20))
        with pytest.raises(CaptureError, match=r"position 14 is not in the ring \(window 5, held: 15 to 19\)"):
            ring.states([14, 15])
        with pytest.raises(CaptureError, match="position 20"):
            ring.states([20])
        with pytest.raises(InputError):
            ring.states([])
    close(kept, naive(model, ids)[0][15:20])
    with pytest.raises(InputError), taps.recording(window=0):
        pass


def test_nothing_is_readable_after_the_recording() -> None:
    model, taps = tiny()
    with taps.recording() as ring:
        generate(model, ring)
    with pytest.raises(CaptureError, match="over"):
        ring.states([12])
    assert ring._states is None


def test_states_handed_out_are_copies() -> None:
    model, taps = tiny()
    with taps.recording(window=2) as ring, torch.no_grad():
        cache = model(PROMPT).past_key_values
        ring.emitted([5])
        kept = ring.states([8])
        before = kept.clone()
        for _ in range(4):
            model(torch.tensor([[5]]), past_key_values=cache)
            ring.emitted([5])
        assert torch.equal(kept, before)


def test_buffers_that_the_host_overwrites_later_do_not_reach_the_ring() -> None:
    model, taps = tiny()
    with torch.no_grad():
        wanted = naive(model, PROMPT)[0][8]
    spoil = [
        layer.register_forward_hook(lambda m, a, out: m.register_buffer("kept", out, persistent=False))
        for layer in taps.adapter.layers
    ]

    def overwrite(module: Any, args: Any, output: Any) -> None:
        for layer in taps.adapter.layers:
            layer.get_buffer("kept").fill_(7)

    spoil.append(model.model.register_forward_hook(overwrite))
    with taps.recording() as ring, torch.no_grad():
        model(PROMPT)
        ring.emitted([5])
        close(ring.states([8])[0], wanted)
    for hook in spoil:
        hook.remove()


def test_a_layer_overwritten_within_its_step_is_noticed() -> None:
    model, taps = tiny()
    with taps.recording() as ring, torch.no_grad():
        cache = model(PROMPT, use_cache=True).past_key_values
        ring.emitted([5])
        spoil = taps.adapter.layers[2].register_forward_hook(lambda m, args, out: args[0].mul_(1))
        model(torch.tensor([[5]]), past_key_values=cache)
        ring.emitted([6])
        spoil.remove()
        model(torch.tensor([[6]]), past_key_values=cache)
        ring.emitted([7])
        with pytest.raises(CaptureError, match="wrote into the output"):
            ring.states([9])
        assert ring.states([8, 10]).shape[0] == 2


# The host


def test_an_unguarded_call_is_bitwise_unchanged_and_removal_leaves_nothing() -> None:
    torch.manual_seed(0)
    model = FAMILIES["llama"]().eval()

    def hooks() -> int:
        return sum(len(v) for m in model.modules() for k, v in vars(m).items() if "hooks" in k and hasattr(v, "keys"))

    with torch.no_grad():
        before, untouched = model(PROMPT).logits, hooks()
        taps = Taps(HostAdapter.attach(model, Words()))
        assert hooks() == untouched + 5
        assert torch.equal(model(PROMPT).logits, before)
        with taps.recording():
            assert torch.equal(model(PROMPT).logits, before)
        taps.remove()
        taps.remove()
        assert hooks() == untouched
        assert torch.equal(model(PROMPT).logits, before)
        with pytest.raises(InputError, match="closed"), taps.recording():
            pass


def test_gradients_still_flow_and_inference_mode_works() -> None:
    model, taps = tiny()
    with taps.recording() as ring:
        model(PROMPT).logits.sum().backward()
        ring.emitted([5])
        assert not ring.states([8]).requires_grad
    assert model.lm_head.weight.grad is not None
    with taps.recording() as ring:
        with torch.inference_mode():
            model(PROMPT)
            ring.emitted([5])
        with torch.no_grad():
            cache = model(torch.cat([PROMPT, torch.tensor([[5]])], 1)).past_key_values
            ring.emitted([6])
        with torch.inference_mode():
            model(torch.tensor([[6]]), past_key_values=cache)
            ring.emitted([7])
        assert ring.span([8, 9, 10]).ids.tolist() == [5, 6, 7]


def test_two_threads_with_one_model_do_not_mix() -> None:
    model, taps = tiny()
    alone = {}
    for name, prompt in (("a", PROMPT), ("b", OTHER)):
        with taps.recording() as ring:
            generate(model, ring, prompt, tokens=40)
            first = prompt.shape[1] - 1
            alone[name] = ring.span(range(first, first + 40))
    together: dict[str, SpanStates] = {}
    barrier = threading.Barrier(2)

    def work(name: str, prompt: torch.Tensor) -> None:
        with taps.recording() as ring:
            barrier.wait()
            generate(model, ring, prompt, tokens=40)
            first = prompt.shape[1] - 1
            together[name] = ring.span(range(first, first + 40))

    threads = [threading.Thread(target=work, args=pair) for pair in (("a", PROMPT), ("b", OTHER))]
    for thread in threads:
        thread.start()
    with torch.no_grad():
        for _ in range(20):
            model(OTHER)  # unguarded, beside them
    for thread in threads:
        thread.join()
    for name, span in alone.items():
        for a, b in zip(span, together[name], strict=True):
            assert torch.equal(a, b)


def test_a_pass_in_another_thread_is_not_recorded_and_that_is_noticed() -> None:
    model, taps = tiny()
    with taps.recording() as ring:
        thread = threading.Thread(target=generate, args=(model, ring))
        thread.start()
        thread.join()
        with pytest.raises(CaptureError, match="no forward pass"):
            ring.states([12])


def test_taps_of_another_host_do_not_write_into_this_ring() -> None:
    model, taps = tiny()
    other, _ = tiny("gpt2")
    with taps.recording() as ring:
        ids = generate(model, ring, tokens=4)
        with torch.no_grad():
            other(PROMPT)
        close(ring.states([11]), naive(model, ids)[0][[11]])


def test_no_repr_shows_states_or_ids() -> None:
    span = SpanStates(torch.ones(2, 1, 1), torch.tensor([12345, 7]), torch.ones(2))
    assert repr(span) == "SpanStates(<2 tokens>)"
    _, taps = tiny()
    with taps.recording() as ring:
        assert "tensor" not in repr(ring)
