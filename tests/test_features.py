"""Features against a naive computation from `output_hidden_states`, in float64 and plain loops."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
import transformers as tf
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

import reticent_detectors.features.features as features_module
from reticent_detectors.capture import HostAdapter, SpanStates, Taps
from reticent_detectors.errors import CaptureError, InputError
from reticent_detectors.features.derived_features import derive
from reticent_detectors.features.features import Features, FeatureSpec, SpanBatch, build_features, device_features
from reticent_kernels import LensOutput

torch.set_num_threads(1)

VOCABULARY = 120
LLAMA_LIKE: dict[str, Any] = {
    "vocab_size": 128,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "initializer_range": 0.3,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
}
GPT_LIKE: dict[str, Any] = {"vocab_size": 128, "n_embd": 32, "n_layer": 4, "n_head": 4, "initializer_range": 0.3}
GPT_LIKE |= {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}
GEMMA: dict[str, Any] = {"head_dim": 8, "final_logit_softcapping": 4.0, "query_pre_attn_scalar": 8}
HOSTS: dict[str, tuple[Any, float | None, float]] = {  # model, cap, scale
    "llama": (lambda: tf.LlamaForCausalLM(tf.LlamaConfig(**LLAMA_LIKE)), None, 1.0),
    "llama-tied": (lambda: tf.LlamaForCausalLM(tf.LlamaConfig(**LLAMA_LIKE, tie_word_embeddings=True)), None, 1.0),
    "qwen2": (lambda: tf.Qwen2ForCausalLM(tf.Qwen2Config(**LLAMA_LIKE)), None, 1.0),
    "phi": (lambda: tf.PhiForCausalLM(tf.PhiConfig(**LLAMA_LIKE)), None, 1.0),
    "gpt2": (lambda: tf.GPT2LMHeadModel(tf.GPT2Config(**GPT_LIKE)), None, 1.0),
    "gemma2": (lambda: tf.Gemma2ForCausalLM(tf.Gemma2Config(**LLAMA_LIKE, **GEMMA)), 4.0, 1.0),
    "granite": (lambda: tf.GraniteForCausalLM(tf.GraniteConfig(**LLAMA_LIKE, logits_scaling=8.0)), None, 0.125),
}
NORMS = {"phi": "model.final_layernorm", "gpt2": "transformer.ln_f"}


class Words:
    all_special_ids = (0, 1)

    def __len__(self) -> int:
        return VOCABULARY

    def get_vocab(self) -> dict[str, int]:
        return {f"w{i}": i for i in range(VOCABULARY)}


def tiny(name: str) -> tuple[Any, Taps]:
    torch.manual_seed(0)
    model = HOSTS[name][0]().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim == 1:
                parameter += 0.2 * torch.randn_like(parameter)
    return model, Taps(HostAdapter.attach(model, Words()))


IDS = torch.randint(3, VOCABULARY, (1, 60), generator=torch.Generator().manual_seed(5))
SPANS = [(3, 4), (5, 12), (9, 10), (20, 55)]  # predictive positions, end exclusive; the last is longer than 32


def naive(model: Any, name: str, span: tuple[int, int], k: int, norm: str, longest: int = 32) -> Features:
    """The definition of every feature, from output_hidden_states, one token, layer and rank at a time."""
    _, cap, scale = HOSTS[name]
    final_norm = model.get_submodule(NORMS.get(name, "model.norm"))
    head, embedding = model.get_output_embeddings(), model.get_input_embeddings().weight.detach().double().numpy()
    last: list[torch.Tensor] = []
    hook = final_norm.register_forward_hook(lambda module, args, out: last.append(args[0]))
    with torch.no_grad():
        out = model(IDS, output_hidden_states=True)
    hook.remove()
    states = [*out.hidden_states[1:-1], last[0]]  # the reported last one is normed already

    def lens(layer: int, position: int) -> np.ndarray[Any, Any]:
        with torch.no_grad():
            x = states[layer][0, position]
            logits = head(final_norm(x) if norm == "final" else x) * scale
            logits = logits if cap is None else cap * torch.tanh(logits / cap)
        return logits[:VOCABULARY].double().numpy()

    def cosine(a: int, b: int) -> float:
        u, v = embedding[a], embedding[b]
        return float(u @ v / max(np.sqrt((u @ u) * (v @ v)), 1e-12))  # a padding row is zeros

    layers = len(states)
    topk_prob, top = np.zeros((layers, k)), []
    for layer in range(layers):
        x = lens(layer, span[0])
        p = np.exp(x - x.max()) / np.exp(x - x.max()).sum()
        order = sorted(range(VOCABULARY), key=lambda i: (-x[i], i))[:k]
        top.append(order)
        topk_prob[layer] = p[order]
    inter = np.array([[[cosine(a, b) for b in top[j + 1]] for a in top[j]] for j in range(layers - 1)])
    intra = np.array([[cosine(a, b) for a, b in pairwise(row)] for row in top])
    positions = range(span[0], min(span[1], span[0] + longest))
    raw = [float(out.logits[0, t].double().softmax(0)[IDS[0, t + 1]]) for t in positions]
    pooled = np.zeros((layers, 4, 3))
    for layer in range(layers):
        table = []
        for t in positions:
            x, own = lens(layer, t), int(IDS[0, t + 1])
            total = x.max() + np.log(np.exp(x - x.max()).sum())
            p = np.exp(x - total)
            rank = sorted(range(VOCABULARY), key=lambda i: (-x[i], i)).index(own)
            table.append([x[own] - total, np.log1p(rank), x[own] - np.delete(x, own).max(), -(p * np.log(p)).sum()])
        columns = np.array(table)
        pooled[layer] = np.stack([columns.min(0), columns.mean(0), columns.max(0)], 1)
    token_prob = np.array([min(raw), max(raw), sum(raw) / len(raw)])
    arrays = {"topk_prob": topk_prob, "inter": inter, "intra": intra, "token_prob": token_prob, "pooled": pooled}
    return {key: value.astype(np.float32) for key, value in arrays.items()}


def read(taps: Taps, spans: list[tuple[int, int]] = SPANS) -> list[SpanStates]:
    return taps.read(IDS, None, [(0, range(*span)) for span in spans])


@pytest.mark.parametrize("name", HOSTS)
@pytest.mark.parametrize("norm", ["final", "none"])
def test_features_equal_the_naive_definition(name: str, norm: Any) -> None:
    model, taps = tiny(name)
    spec = FeatureSpec(k=6, norm=norm)
    built = build_features(taps.adapter, read(taps), spec)
    assert {key: value.shape[1:] for key, value in built.items()} == spec.shapes(4)
    for row, span in enumerate(SPANS):
        for key, wanted in naive(model, name, span, 6, norm).items():
            assert built[key].dtype == np.float32
            np.testing.assert_allclose(built[key][row], wanted, atol=1e-4, rtol=1e-4, err_msg=key)


def test_position_first_gives_the_papers_arrays_alone_and_the_same_numbers() -> None:
    _, taps = tiny("llama")
    spans = read(taps)
    first = build_features(taps.adapter, spans, FeatureSpec(position="first"))
    pooled = build_features(taps.adapter, spans, FeatureSpec())
    assert list(first) == ["topk_prob", "inter", "intra", "token_prob"]
    assert list(pooled) == [*first, "pooled"]
    for key, value in first.items():
        np.testing.assert_allclose(value, pooled[key], atol=1e-5)


@pytest.mark.parametrize("name", ["llama", "gemma2", "granite"])
def test_a_detector_that_needs_no_inner_layer_reads_none(name: str) -> None:
    _, taps = tiny(name)
    spans = read(taps)
    for span in spans:
        span.hidden[:, :-1] = float("nan")
    taken = {"token_logprob": (2, 3), "renamed": (13,), "entity": (16,)}
    built = build_features(taps.adapter, spans, FeatureSpec(names=2), taken)
    assert set(built) == {"token_prob", "token_logprob", "length", "base_logprob", "renamed"}
    last = [span._replace(hidden=span.hidden[:, -1:]) for span in spans]
    for key, same in build_features(taps.adapter, last, FeatureSpec(names=2), taken).items():
        assert np.array_equal(same, built[key])
    with pytest.raises(InputError, match="needs states"):
        build_features(taps.adapter, last, FeatureSpec(names=2), {*taken, "pooled"})
    for span in last:
        span.hidden[:] = float("nan")
    without_margin = build_features(taps.adapter, last, FeatureSpec(names=2), taken, margin=False)
    own = [span.probability[:32].log().numpy() for span in last]
    expected = [(row.min(), row.mean(), row.max()) for row in own]
    np.testing.assert_allclose(without_margin["token_logprob"][:, 0], expected, rtol=1e-5)
    assert not without_margin["token_logprob"][:, 1].any() and set(without_margin) == set(built)
    whole = build_features(taps.adapter, read(taps), FeatureSpec(names=2), {*taken, "pooled"})
    assert "inter" in whole
    for key, wanted in derive(whole, [""] * len(SPANS), ()).items():
        if key in built:
            np.testing.assert_allclose(built[key], wanted, atol=1e-5)


def test_spans_do_not_depend_on_their_company_or_on_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    _, taps = tiny("gemma2")
    spec, spans = FeatureSpec(), read(taps)
    together = build_features(taps.adapter, spans, spec)
    again = build_features(taps.adapter, spans, spec)
    monkeypatch.setattr(features_module, "BLOCK_STATES", 32 * 7)
    blocks = build_features(taps.adapter, spans, spec)
    for key, value in together.items():
        assert np.array_equal(value, again[key])
        np.testing.assert_allclose(value, blocks[key], atol=1e-4)
        for row, span in enumerate(spans):
            np.testing.assert_allclose(value[row], build_features(taps.adapter, [span], spec)[key][0], atol=1e-4)


def test_streamed_spans_have_the_features_of_re_read_ones() -> None:
    model, taps = tiny("llama")
    with taps.recording() as ring, torch.no_grad():
        out = model(IDS[:, :21])
        for t in range(21, 32):
            ring.emitted([int(IDS[0, t])])
            out = model(IDS[:, t : t + 1], past_key_values=out.past_key_values)
        streamed = build_features(taps.adapter, [ring.span(range(20, 31))], FeatureSpec())
    reread = build_features(taps.adapter, read(taps, [(20, 31)]), FeatureSpec())
    for key, value in streamed.items():
        np.testing.assert_allclose(value, reread[key], atol=1e-4)


def test_only_the_first_tokens_of_a_long_span_count() -> None:
    _, taps = tiny("llama")
    spec = FeatureSpec(max_tokens=5)
    long, short = (build_features(taps.adapter, read(taps, [span]), spec) for span in ((20, 55), (20, 25)))
    for key, value in long.items():
        np.testing.assert_allclose(value, short[key], atol=1e-5)


def test_no_spans_give_empty_arrays_of_the_right_shapes() -> None:
    _, taps = tiny("llama")
    spec = FeatureSpec(k=3)
    built = build_features(taps.adapter, [], spec)
    assert {key: value.shape for key, value in built.items()} == {
        key: (0, *shape) for key, shape in spec.shapes(4).items()
    }


def test_k_of_one_and_tokens_of_the_padding_stay_finite() -> None:
    _, taps = tiny("llama")
    span = read(taps, [(5, 8)])[0]
    padded = span._replace(ids=torch.tensor([VOCABULARY + 3] * 3))
    built = build_features(taps.adapter, [padded], FeatureSpec(k=1))
    assert built["intra"].shape == (1, 4, 0)
    assert (built["pooled"][0, :, 0] == features_module.FLOOR).all()


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_states_that_are_not_finite_are_refused(bad: float) -> None:
    _, taps = tiny("llama")
    good, span = read(taps, [(3, 5), (5, 8)])
    hidden = span.hidden.clone()
    hidden[0, 2, 4] = bad
    for spec in (FeatureSpec(), FeatureSpec(position="first")):
        with pytest.raises(CaptureError, match="finite"):
            build_features(taps.adapter, [good, span._replace(hidden=hidden)], spec)
    with pytest.raises(CaptureError, match="token_prob"):
        build_features(taps.adapter, [span._replace(probability=torch.full((3,), bad))], FeatureSpec())


def test_shapes_that_do_not_fit_and_empty_spans_are_refused() -> None:
    _, taps = tiny("llama")
    span = read(taps, [(5, 8)])[0]
    empty = SpanStates(span.hidden[:0], span.ids[:0], span.probability[:0])
    for wrong in (span._replace(hidden=span.hidden[:, :3]), span._replace(ids=span.ids[:2]), empty):
        with pytest.raises(InputError, match="A span needs"):
            build_features(taps.adapter, [wrong], FeatureSpec())


@pytest.mark.parametrize(
    "options", [{"k": 0}, {"max_tokens": 0}, {"norm": "layer"}, {"position": "last"}, {"embedding": "output"}]
)
def test_options_that_do_not_exist_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(options))):
        FeatureSpec(**options)


class OnDevice(TorchDispatchMode):
    """Fails where an operation is given a tensor of the processor, or gives one."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        made = func(*args, **(kwargs or {}))
        for tensor in tree_leaves((args, kwargs, made)):
            assert not isinstance(tensor, torch.Tensor) or tensor.device.type == "meta", str(func)
        return made


@pytest.mark.parametrize("inner", [True, False])
@pytest.mark.parametrize("position", ["pooled", "first"])
def test_nothing_of_the_features_waits_for_a_gpu_or_comes_from_the_processor(
    monkeypatch: pytest.MonkeyPatch, inner: bool, position: Any
) -> None:
    """Uses tensors with a device and no data, so that a look at one raises. The lens is the kernels' own matter."""

    def lens(adapter: Any, hidden: torch.Tensor, k: int, chosen: Any, **options: Any) -> LensOutput:
        logits, ids = hidden.sum(1), torch.zeros(len(hidden), k, dtype=torch.long, device=hidden.device)
        return LensOutput(ids.float(), ids, logits, None if chosen is None else logits, chosen, logits)

    def cosines(ids: torch.Tensor, embedding: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        spans, layers, k = ids.shape
        return ids.new_zeros(spans, layers - 1, k, k), ids.new_zeros(spans, layers, k - 1)

    monkeypatch.setattr(HostAdapter, "lens", lens)
    monkeypatch.setattr(features_module, "token_cosines", cosines)
    model, _ = tiny("llama")
    adapter, spec = HostAdapter.attach(model, Words()), FeatureSpec(position=position)
    tokens, layers = (5 if position == "pooled" or not inner else 2), adapter.num_layers if inner else 1
    model.to("meta")
    batch = SpanBatch(
        torch.empty(tokens, layers, 32, device="meta"),
        torch.empty(tokens, dtype=torch.long, device="meta"),
        torch.empty(5, device="meta"),
        torch.empty(2, dtype=torch.long, device="meta"),
    )
    with OnDevice(), torch.no_grad():
        arrays = device_features(adapter, batch, spec, inner)
    assert all(len(array) == 2 for array in arrays.values())


@pytest.mark.gpu
@pytest.mark.parametrize("inner", [True, False])
def test_the_scoring_path_in_a_cuda_graph_follows_its_inputs(inner: bool) -> None:
    model, _ = tiny("llama")
    adapter, spec = HostAdapter.attach(model.cuda(), Words()), FeatureSpec(k=4)
    batch = SpanBatch(
        torch.randn(6, adapter.num_layers if inner else 1, 32).cuda(),
        torch.arange(6).cuda(),
        torch.rand(6).cuda(),
        torch.tensor([1, 3, 2]).cuda(),
    )
    with torch.no_grad():
        device_features(adapter, batch, spec, inner)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            captured = device_features(adapter, batch, spec, inner)
        for seed, lengths in enumerate(([1, 3, 2], [2, 2, 2], [4, 1, 1])):
            torch.manual_seed(seed)
            batch.hidden.copy_(torch.randn_like(batch.hidden))
            batch.ids.copy_(torch.randint_like(batch.ids, VOCABULARY))
            batch.probability.copy_(torch.rand_like(batch.probability))
            batch.lengths.copy_(torch.tensor(lengths))
            graph.replay()
            for name, wanted in device_features(adapter, batch, spec, inner).items():
                assert torch.equal(captured[name], wanted), name
