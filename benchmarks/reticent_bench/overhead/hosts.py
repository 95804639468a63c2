"""What the guard adds to hosts of the shape of real models: random weights, real `generate`, forced answers.

A host of random weights costs as much as a trained one, but its text is noise. So its answers are forced: prose without
a span, prose of which one token in twenty is in a span, and prose of which every word is judged.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import torch
from transformers import CompileConfig, LlamaConfig, LlamaForCausalLM

from reticent.guard import Guard
from reticent.huggingface.answer import Answer
from reticent.huggingface.answer_session import AnswerSession
from reticent.huggingface.decoding import GuardStoppingCriteria
from reticent.huggingface.guarded_model import GuardedModel
from reticent.policy.policy import AfterRedaction, Policy
from reticent_bench.overhead.own import PROSE, Prose
from reticent_bench.report.parts import JsonRow
from reticent_detectors.alignment import TokenText
from reticent_detectors.bundle.export import to_onnx
from reticent_detectors.bundle.format import write_bundle
from reticent_detectors.capture import HostAdapter
from reticent_detectors.detector.calibration import Calibration
from reticent_detectors.detector.ensemble import Ensemble
from reticent_detectors.detector.network import DetectorNetwork, NetworkOptions
from reticent_detectors.features.features import FeatureSpec, SpanBatch, device_features
from reticent_detectors.host.tokenizer import train_tokenizer
from reticent_detectors.spans import Span

ROOM = 2048
"""Positions of a host."""
VALUE = " His PIN is {:04d}."
SPAN_SHARE = 0.05
PROMPT_TOKENS = 32
MODES = ("eager", "compiled", "overlapped")
"""The last is compiled as well, and the guard looks at each token while the next is computed."""
_PLAIN = frozenset({"prob", "logprobs", "entity"})
NETWORKS = 5 * (_PLAIN | {"pooled"}, _PLAIN)
"""Those of `defaults.ensemble_of`, which takes what a training needs."""


@dataclass(frozen=True)
class Shape:
    """Of a Llama."""

    vocabulary: int
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    inner: int
    tied: bool


SHAPES = {
    "llama-3.2-1b": Shape(128_256, 2048, 16, 32, 8, 8192, True),
    "llama-3-8b": Shape(128_256, 4096, 32, 32, 8, 14_336, False),
    "tiny": Shape(1000, 32, 3, 2, 2, 48, True),
}


def config(shape: Shape) -> LlamaConfig:
    """What transformers makes a host of the shape from."""
    return LlamaConfig(
        vocab_size=shape.vocabulary, hidden_size=shape.hidden, num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads, num_key_value_heads=shape.kv_heads, intermediate_size=shape.inner,
        tie_word_embeddings=shape.tied, max_position_embeddings=ROOM,
    )  # fmt: skip


def host(shape: Shape, device: torch.device) -> tuple[Any, Any]:
    """A model of random weights, bfloat16 on a GPU, and a tokenizer whose words are those of the prose."""
    tokenizer = train_tokenizer([PROSE, VALUE.format(0), "0123456789"] * 4, min(700, shape.vocabulary), ROOM)
    made = config(shape)
    for name in ("bos_token_id", "eos_token_id", "pad_token_id"):
        setattr(made, name, getattr(tokenizer, name))
    torch.manual_seed(0)
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.bfloat16 if device.type == "cuda" else torch.float32)
    try:
        with torch.device(device):
            return LlamaForCausalLM(made).eval(), tokenizer
    finally:
        torch.set_default_dtype(before)


def guarded(model: Any, tokenizer: Any, folder: Path, ranks: int = 10) -> GuardedModel:
    """Puts the host under a guard whose detector is built like the default one, with random weights.

    The detector reads no spans under other names, since the prose has no names.
    """
    adapter = HostAdapter.attach(model, tokenizer)
    torch.manual_seed(0)
    members = [DetectorNetwork(NetworkOptions(adapter.num_layers, ranks, groups)) for groups in NETWORKS]
    network = Ensemble(members, [(1.0, 0.0)] * len(members))
    spec = FeatureSpec(k=ranks)
    manifest = {
        "host": {"fingerprint": adapter.fingerprint(tokenizer), "behaviour": adapter.behaviour_print()},
        "features": {
            "inputs": list(network.inputs),
            "shapes": {name: list(shape) for name, shape in network.options.shapes.items()},
            "entities": list(network.options.entities),
            "options": {name: getattr(spec, name) for name in spec.__slots__},
        },
        "calibration": Calibration(1.0, 0.0, 0.5, 0.5, {"0.08": 2.0}).to_json(),
        "training": {}, "quality": {}, "versions": {},
    }  # fmt: skip
    write_bundle(folder, to_onnx(network), manifest)
    return Guard.load(folder).wrap(model, tokenizer)


def texts(tokenizer: Any, tokens: int) -> dict[str, tuple[list[int], Policy]]:
    """What the host is made to say, in ids, and under which policy, for each of the three loads."""
    allow = replace(Policy.allow_all(), after_redaction=AfterRedaction.REWIND)
    prose = tokenizer(PROSE, add_special_tokens=False)["input_ids"]
    spans = list[int]()
    for number in range(tokens):
        value = tokenizer(VALUE.format(1357 + 1111 * number % 8000), add_special_tokens=False)["input_ids"]
        between = round(4 / SPAN_SHARE) - len(value)  # a PIN is four tokens
        spans += (prose * 2)[: between // 2] + value + (prose * 2)[: between - between // 2]
        if len(spans) >= tokens:
            break
    return {
        "no spans": (prose, allow),
        "5 % span tokens": (spans, allow),
        "every word judged": (prose, replace(allow, every_token=True)),
    }


@contextmanager
def verdicts() -> Iterator[list[float]]:
    """Collects verdict delays while the block runs.

    A delay is the seconds from the guard's receipt of a step's tokens to the verdict on a span that one of them
    completes.
    """
    taken = list[float]()
    take, judge = GuardStoppingCriteria._feed_sessions, AnswerSession._judge
    begun = 0.0

    def timed_step(watch: GuardStoppingCriteria, tokens: Sequence[int]) -> None:
        nonlocal begun
        begun = time.perf_counter()
        take(watch, tokens)

    def timed_judge(session: AnswerSession, span: Span) -> Any:
        decision = yield from judge(session, span)
        taken.append(time.perf_counter() - begun)
        return decision

    with (
        patch.object(GuardStoppingCriteria, "_feed_sessions", timed_step),
        patch.object(AnswerSession, "_judge", timed_judge),
    ):
        yield taken


def added(guard: GuardedModel, load: str, batch: int, rounds: int, tokens: int, mode: str = "eager") -> JsonRow:
    """Milliseconds per output token without and with the guard, in turns; what is added, as quantiles over the pairs.

    Other modes than eager are compiled by `generate`: on a GPU with a static cache, elsewhere without CUDA graphs. The
    compiler's time does not count. Graphs of other batches have to be gone: with them it compiles for any batch.
    """
    said, policy = texts(guard.tokenizer, tokens)[load]
    prompt = guard.text_ids(PROSE)[:, :PROMPT_TOKENS].expand(batch, -1).contiguous().to(guard.model.device)
    options: dict[str, Any] = {
        "max_new_tokens": tokens, "do_sample": False, "logits_processor": [Prose(said, prompt.shape[1])],
        "attention_mask": torch.ones_like(prompt),
    }  # fmt: skip
    guard.overlap = mode == "overlapped"
    if mode != "eager":
        options["cache_implementation"], options["compile_config"] = "static", _compile_config(prompt.device)
    plain, ours, answers = list[float](), list[float](), list[Answer]()
    with verdicts() as taken:
        for number in range(rounds + 1):
            if number == 1:  # the first is to warm up
                for seen in (plain, ours, taken):
                    seen.clear()
            plain.append(seconds_of(prompt, lambda: guard.model.generate(prompt, **options))[0])
            answers.clear()
            seconds, got = seconds_of(
                prompt, lambda: guard.generate(prompt, policy=policy, on_answer=answers.append, **options)
            )
            ours.append(seconds)
    assert torch.equal(guard.model.generate(prompt, **options), got)
    shares = sorted(b / a - 1 for a, b in zip(plain, ours, strict=True))
    extra = [1000 * (b - a) / tokens for a, b in zip(plain, ours, strict=True)]
    quantiles = statistics.quantiles([1000 * t for t in taken], n=100, method="inclusive") if len(taken) > 1 else None
    return {
        "mode": mode,
        "load": load,
        "batch": batch,
        "answers": rounds * batch,
        "spans": len(taken),
        "span tokens": _span_tokens(guard.tokenizer, said[:tokens], answers[0]) / tokens,
        "host ms per token": 1000 * statistics.median(plain) / tokens,
        "added ms per token": statistics.median(extra),
        "added share": statistics.median(shares),
        "added share, least": shares[0],
        "added share, most": shares[-1],
        "verdict ms, p50": quantiles and quantiles[49],
        "verdict ms, p99": quantiles and quantiles[98],
    }


def replayed(guard: GuardedModel, spans: int, tokens: int) -> JsonRow:
    """Captures the features of `spans` spans of `tokens` tokens in a CUDA graph, and replays it with other inputs.

    The row compares it with the same without a graph: differences, and the time of both. GPUs only.
    """
    adapter, spec, device = guard.adapter, guard.score.spec, guard.adapter.device
    dtype = adapter.input_embedding.dtype

    def draw(seed: int) -> SpanBatch:
        torch.manual_seed(seed)
        many = spans * tokens
        return SpanBatch(
            torch.randn(many, adapter.num_layers, adapter.hidden_size, device=device, dtype=dtype),
            torch.randint(adapter.vocabulary, (many,), device=device),
            torch.rand(many, device=device),
            torch.full((spans,), tokens, device=device),
        )

    given = draw(0)
    with torch.no_grad():
        device_features(adapter, given, spec)  # what has to be compiled cannot be while it is captured
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            captured = device_features(adapter, given, spec)
        differs = set[str]()
        for seed in (1, 2, 3):
            for mine, other in zip(given, draw(seed), strict=True):
                mine.copy_(other)
            graph.replay()
            wanted = device_features(adapter, given, spec)
            differs |= {name for name in wanted if not torch.equal(captured[name], wanted[name])}
        plain = [seconds_of(given.ids, lambda: device_features(adapter, given, spec))[0] for _ in range(30)]
        again = [seconds_of(given.ids, graph.replay)[0] for _ in range(30)]
    return {
        "spans": spans,
        "tokens each": tokens,
        "arrays that differ": ", ".join(sorted(differs)) or "none",
        "without a graph, us": 1e6 * statistics.median(plain),
        "replayed, us": 1e6 * statistics.median(again),
    }


def _compile_config(device: torch.device) -> CompileConfig:
    """How `generate` compiles by default on a GPU; elsewhere it compiles only on request."""
    if device.type == "cuda":
        return CompileConfig()
    config = CompileConfig(mode="default")
    config._compile_all_devices = True  # type: ignore[assignment]
    return config


def seconds_of(prompt: torch.Tensor, call: Any) -> tuple[float, Any]:
    """How long a call takes, in seconds, a GPU's work included, and what it returns."""
    if prompt.is_cuda:
        torch.cuda.synchronize()
    started = time.perf_counter()
    made = call()
    if prompt.is_cuda:
        torch.cuda.synchronize()
    return time.perf_counter() - started, made


def _span_tokens(tokenizer: Any, said: list[int], answer: Answer) -> int:
    aligned = TokenText(tokenizer)
    for token in said:
        aligned.push(token)
    return len({t for r in answer.report.spans for t in aligned.tokens(Span("", r.start, r.end))})


class Guarded:
    """A host of a shape under its guard, made when it is first asked for."""

    def __init__(self, shape: str, device: torch.device) -> None:
        self.shape, self._device = shape, device
        self._made: GuardedModel | None = None
        self._compiled_for: int | None = None

    def rows(self, load: str, batch: int, rounds: int, tokens: int, mode: str = "eager") -> list[JsonRow]:
        """One row of the table of hosts. Rows of one batch share what the compiler made."""
        if mode != "eager" and batch != self._compiled_for:
            torch.compiler.reset()
            self._compiled_for = batch
        return [{"host": self.shape, **added(self._guard(), load, batch, rounds, tokens, mode)}]

    def replayed(self, spans: int, tokens: int) -> list[JsonRow]:
        """One row of the table of CUDA graphs."""
        return [{"host": self.shape, **replayed(self._guard(), spans, tokens)}]

    def _guard(self) -> GuardedModel:
        if self._made is None:
            with tempfile.TemporaryDirectory() as folder:
                self._made = guarded(*host(SHAPES[self.shape], self._device), Path(folder) / "bundle")
        return self._made
