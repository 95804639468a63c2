"""Guarded generation on tiny random hosts of every family: attaching, tokens unchanged, features right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import peft
import pytest
import tiny_hosts
import torch
import transformers as tf
from torch import nn

from reticent import AfterRedaction, Guard, Policy
from reticent.huggingface.answer import Answer
from reticent.huggingface.guarded_model import GuardedModel
from reticent_detectors.capture import HostAdapter, SpanStates, Taps
from reticent_detectors.errors import BundleMismatch
from reticent_detectors.features.features import FeatureSpec, build_features

# PEFT asks transformers for a name that is on its way out.
pytestmark = pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated:FutureWarning")

TOKENIZER = tiny_hosts.tokenizer()
IDS = {
    "vocab_size": len(TOKENIZER),
    "bos_token_id": TOKENIZER.bos_token_id,
    "eos_token_id": TOKENIZER.eos_token_id,
    "pad_token_id": TOKENIZER.pad_token_id,
}
LIKE: dict[str, Any] = {**tiny_hosts.COMMON, **IDS}
GPT: dict[str, Any] = {"n_embd": 32, "n_layer": 3, "n_head": 2, "n_positions": 512, "initializer_range": 0.3, **IDS}
GEMMA: dict[str, Any] = {"head_dim": 16, "sliding_window": 8, "query_pre_attn_scalar": 16}
MOE: dict[str, Any] = {"num_experts": 3, "num_experts_per_tok": 2, "moe_intermediate_size": 24}


def _llava() -> Any:
    vision = tf.CLIPVisionConfig(
        hidden_size=16, intermediate_size=16, num_hidden_layers=2, num_attention_heads=2, image_size=8, patch_size=4
    )
    config = tf.LlavaConfig(vision_config=vision, text_config=tf.LlamaConfig(**LIKE), image_token_index=5)
    return tf.LlavaForConditionalGeneration(config)


FAMILIES: dict[str, Any] = {
    "llama": lambda: tf.LlamaForCausalLM(tf.LlamaConfig(**LIKE)),
    "llama-tied": lambda: tf.LlamaForCausalLM(tf.LlamaConfig(**LIKE, tie_word_embeddings=True)),
    "llama-padded": lambda: tf.LlamaForCausalLM(tf.LlamaConfig(**{**LIKE, "vocab_size": len(TOKENIZER) + 48})),
    "mistral": lambda: tf.MistralForCausalLM(tf.MistralConfig(**LIKE, sliding_window=8)),
    "qwen2": lambda: tf.Qwen2ForCausalLM(tf.Qwen2Config(**LIKE)),
    "qwen3": lambda: tf.Qwen3ForCausalLM(tf.Qwen3Config(**LIKE, head_dim=16)),
    "phi3": lambda: tf.Phi3ForCausalLM(tf.Phi3Config(**LIKE)),
    "phi": lambda: tf.PhiForCausalLM(tf.PhiConfig(**LIKE)),
    "gemma2": lambda: tf.Gemma2ForCausalLM(tf.Gemma2Config(**LIKE, **GEMMA, final_logit_softcapping=4.0)),
    "gemma3": lambda: tf.Gemma3ForCausalLM(tf.Gemma3TextConfig(**LIKE, **GEMMA)),
    "granite": lambda: tf.GraniteForCausalLM(tf.GraniteConfig(**LIKE, logits_scaling=8.0)),
    "cohere": lambda: tf.CohereForCausalLM(tf.CohereConfig(**LIKE, logit_scale=0.25)),
    "mixtral": lambda: tf.MixtralForCausalLM(tf.MixtralConfig(**LIKE, num_local_experts=3)),
    "qwen3-moe": lambda: tf.Qwen3MoeForCausalLM(tf.Qwen3MoeConfig(**LIKE, **MOE, head_dim=16)),
    "gpt2": lambda: tf.GPT2LMHeadModel(tf.GPT2Config(**GPT)),
    "gptj": lambda: tf.GPTJForCausalLM(tf.GPTJConfig(**GPT, rotary_dim=4)),
    "gpt-neox": lambda: tf.GPTNeoXForCausalLM(tf.GPTNeoXConfig(**LIKE)),
    "falcon": lambda: tf.FalconForCausalLM(tf.FalconConfig(**LIKE)),
    "opt": lambda: tf.OPTForCausalLM(tf.OPTConfig(**LIKE, ffn_dim=48, word_embed_proj_dim=16)),
    "llava": _llava,
    "lora": lambda: _lora(tf.LlamaForCausalLM(tf.LlamaConfig(**LIKE))),
}


def _lora(model: Any) -> Any:
    config = peft.LoraConfig(r=2, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM", init_lora_weights=False)
    return peft.get_peft_model(model, config)


def tiny(family: str) -> Any:
    torch.manual_seed(0)
    model = FAMILIES[family]().eval()
    with torch.no_grad():  # biases and gains start at 0 and 1, which would hide that they are forgotten
        for parameter in model.parameters():
            if parameter.ndim == 1:
                parameter += 0.1 * torch.randn_like(parameter)
    return model


def guard_of(family: str, folder: Path) -> GuardedModel:
    model = tiny(family)
    return Guard.load(tiny_hosts.bundle(folder, model)).wrap(model, TOKENIZER)


def inputs() -> dict[str, torch.Tensor]:
    TOKENIZER.padding_side = "left"
    texts = ["What is the phone number of Jane Roe?", "Hi."]
    return dict(TOKENIZER(texts, return_tensors="pt", padding=True, return_token_type_ids=False))


@pytest.mark.parametrize("family", FAMILIES)
def test_guarded_generation(family: str, tmp_path: Path) -> None:
    """Token-exact when nothing is withheld, in a padded batch; streamed verdicts equal those of a second reading."""
    guard = guard_of(family, tmp_path / "b")
    allow = replace(Policy.allow_all(), after_redaction=AfterRedaction.REWIND)
    plain = guard.model.generate(**inputs(), max_new_tokens=14, do_sample=False)
    assert torch.equal(plain, guard.generate(**inputs(), policy=allow, max_new_tokens=14, do_sample=False))
    prompt = guard.text_ids("The phone number of Jane Roe is")
    says = tiny_hosts.Script(TOKENIZER, f" {tiny_hosts.SECRET}. Bye.", prompt.shape[1])
    answers: list[Answer] = []
    watch = Policy(score_threshold=1.0)
    guard.generate(prompt, policy=watch, logits_processor=[says], max_new_tokens=40, on_answer=answers.append)
    again = guard.inspect("The phone number of Jane Roe is", says.ids[:-1], policy=watch)
    (mine,), (theirs,) = answers[0].report.spans, again.report.spans
    assert mine.decision.verdict.probability == pytest.approx(theirs.decision.verdict.probability, abs=1e-3)
    assert mine.decision.verdict.probability is not None


WAYS: dict[str, dict[str, Any]] = {
    "sampled": {"do_sample": True, "temperature": 0.8, "top_k": 9, "repetition_penalty": 1.2},
    "copies": {"do_sample": True, "num_return_sequences": 2},
    "no cache": {"use_cache": False},
    "static cache": {"cache_implementation": "static"},
    "stop string": {"stop_strings": ["e", "7"]},
    "beams": {"num_beams": 2},
    "output object": {"return_dict_in_generate": True, "output_scores": True},
}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_way_of_generating_passes_through(family: str, tmp_path: Path) -> None:
    guard = guard_of(family, tmp_path / "b")
    allow = replace(Policy.allow_all(), after_redaction=AfterRedaction.REWIND)
    for way, options in WAYS.items():
        options = {"max_new_tokens": 8, "do_sample": False} | options
        theirs = {"tokenizer": TOKENIZER} if "stop_strings" in options else {}
        torch.manual_seed(5)
        plain = guard.model.generate(**inputs(), **options, **theirs)
        torch.manual_seed(5)
        ours = guard.generate(**inputs(), policy=allow, **options)
        assert torch.equal(getattr(plain, "sequences", plain), getattr(ours, "sequences", ours)), way
        assert type(plain) is type(ours)


@pytest.mark.parametrize("family", FAMILIES)
def test_features_equal_a_naive_computation(family: str) -> None:
    """States by plain hooks, logits by the model's own modules: no ring, no reading, no kernel."""
    model = tiny(family)
    adapter = HostAdapter.attach(model, TOKENIZER)
    taps = Taps(adapter)
    ids = torch.tensor([[1, 44, 7, 19, 80, 3, 62, 28, 51, 9]])
    (states,) = taps.read(ids, None, [(0, range(4, 9))])
    taps.remove()
    seen: list[torch.Tensor] = []
    hooks = [
        layer.register_forward_hook(lambda m, a, out: seen.append(out if isinstance(out, torch.Tensor) else out[0]))
        for layer in adapter.layers
    ]
    with torch.no_grad():
        out = model(input_ids=ids, output_hidden_states=True, use_cache=False)
    for hook in hooks:
        hook.remove()
    hidden = torch.stack([s[0, 4:9] for s in seen], 1)
    for layer in range(len(seen) - 1):
        torch.testing.assert_close(hidden[:, layer], out.hidden_states[layer + 1][0, 4:9], atol=1e-5, rtol=1e-5)
    probability = out.logits[0].float().softmax(1)[4:9].gather(1, ids[0, 5:10, None])[:, 0]
    spec = FeatureSpec(k=4)
    naive = build_features(adapter, [SpanStates(hidden, ids[0, 5:10], probability)], spec)
    ours = build_features(adapter, [states], spec)
    for name in ours:
        torch.testing.assert_close(torch.tensor(ours[name]), torch.tensor(naive[name]), atol=2e-3, rtol=1e-3)
    last = out.logits[0, 4:9, : adapter.vocabulary].float().log_softmax(1).gather(1, ids[0, 5:10, None])[:, 0]
    assert ours["pooled"][0, -1, 0, 0] == pytest.approx(float(last.min()), abs=1e-3)


class Packed(nn.Module):
    """A head whose weights are eight-bit integers and a scale, as quantisers keep them."""

    def __init__(self, head: nn.Linear) -> None:
        super().__init__()
        scale = head.weight.detach().abs().amax(1, keepdim=True) / 127
        self.register_buffer("weight", (head.weight.detach() / scale).round().to(torch.int8))
        self.register_buffer("scale", scale)

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = hidden @ (self.weight.to(hidden.dtype) * self.scale).t()  # type: ignore[operator,union-attr]
        return out


def test_a_quantised_head_is_called_not_read(tmp_path: Path) -> None:
    model = tiny("llama")
    model.lm_head = Packed(model.lm_head)
    adapter = HostAdapter.attach(model, TOKENIZER)
    assert adapter.mode == "modules"
    guard = Guard.load(tiny_hosts.bundle(tmp_path / "b", model)).wrap(model, TOKENIZER)
    plain = model.generate(**inputs(), max_new_tokens=8, do_sample=False)
    assert torch.equal(plain, guard.generate(**inputs(), policy=Policy.allow_all(), max_new_tokens=8, do_sample=False))


# ---- the wrong bundle --------------------------------------------------------------------------


def _retrained(model: Any) -> Any:
    """Fine-tuned again, head and embeddings left alone."""
    with torch.no_grad():
        model.model.layers[1].mlp.down_proj.weight += 0.01 * torch.randn_like(
            model.model.layers[1].mlp.down_proj.weight
        )
    return model


def _eight_bit(model: Any) -> Any:
    with torch.no_grad():
        for module in model.model.modules():
            if isinstance(module, nn.Linear):
                scale = module.weight.abs().amax(1, keepdim=True) / 127
                module.weight.copy_((module.weight / scale).round() * scale)
    return model


OTHERS: dict[str, Any] = {
    "lora": _lora,
    "re-fine-tuned, same head": _retrained,
    "bfloat16": lambda model: model.to(torch.bfloat16),
    "eight bit": _eight_bit,
}


@pytest.mark.parametrize("other", OTHERS)
def test_a_bundle_made_for_the_base_is_refused(other: str, tmp_path: Path) -> None:
    folder = tiny_hosts.bundle(tmp_path / "b", tiny("llama"))
    Guard.load(folder).wrap(tiny("llama"), TOKENIZER)
    with pytest.raises(BundleMismatch, match="weights_sha256"):
        Guard.load(folder).wrap(OTHERS[other](tiny("llama")), TOKENIZER)


def test_a_bundle_for_one_adapter_is_refused_with_it_switched_off(tmp_path: Path) -> None:
    model = tiny("lora")
    folder = tiny_hosts.bundle(tmp_path / "b", model)
    Guard.load(folder).wrap(model, TOKENIZER)
    with model.disable_adapter(), pytest.raises(BundleMismatch):
        Guard.load(folder).wrap(model, TOKENIZER)
