"""Makes untrained hosts of the five architectures of PrivacyXray, in the size of a recipe.

Each keeps its special features: Mistral its sliding window, Qwen2 its biases, Phi-3 its fused projections. Gemma 2
keeps its soft-caps, scaled embeddings, norms behind each block, and a window in every second layer. The recipe decides
whether heads share keys.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor
from transformers import (
    Gemma2Config,
    LlamaConfig,
    MistralConfig,
    Phi3Config,
    PreTrainedTokenizerFast,
    Qwen2Config,
)
from transformers.models.auto.modeling_auto import AutoModelForCausalLM

from reticent_detectors.host.devices import torch_device
from reticent_detectors.synth.recipes import Recipe


class Projections(NamedTuple):
    """Writable views of one attention block's weights: query [H w, d], key and value [K w, d], output [d, H w]."""

    query: Tensor
    key: Tensor
    value: Tensor
    output: Tensor


def fresh_host(recipe: Recipe, tokenizer: PreTrainedTokenizerFast, device: str = "cpu") -> Any:
    """Makes an untrained float32 model of the recipe's architecture and size, to be trained on `device`."""
    width = recipe.hidden_size // recipe.heads
    longest = 4 * recipe.long_context
    shape: dict[str, Any] = {
        "vocab_size": len(tokenizer),
        "hidden_size": recipe.hidden_size,
        "intermediate_size": recipe.intermediate_size,
        "num_hidden_layers": recipe.layers,
        "num_attention_heads": recipe.heads,
        "num_key_value_heads": recipe.kv_heads,
        "max_position_embeddings": longest,
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }
    config: Any
    match recipe.architecture:
        case "mistral":
            config = MistralConfig(**shape, sliding_window=recipe.context)
        case "qwen2":
            config = Qwen2Config(**shape, tie_word_embeddings=True)
        case "phi3":
            config = Phi3Config(**shape, original_max_position_embeddings=longest)
        case "gemma2":
            shape |= {"sliding_window": recipe.context, "head_dim": width, "query_pre_attn_scalar": width}
            config = Gemma2Config(**shape)
        case _:
            config = LlamaConfig(**shape, tie_word_embeddings=True)
    return AutoModelForCausalLM.from_config(config, attn_implementation=attention_for(recipe.architecture, device))


def attention_for(architecture: str, device: str) -> str:
    """Chooses the attention for training.

    On a CPU and short rows, plain attention is twice as fast as the fused kernels. Gemma 2's soft-cap needs it.
    """
    return "eager" if torch_device(device).type == "cpu" or architecture == "gemma2" else "sdpa"


def projections(attention: Any) -> Projections:
    """Returns the projections of a decoder layer's attention, which may be fused."""
    if not hasattr(attention, "qkv_proj"):
        parts = (attention.q_proj, attention.k_proj, attention.v_proj, attention.o_proj)
        return Projections(*(part.weight.data for part in parts))
    output, fused = attention.o_proj.weight.data, attention.qkv_proj.weight.data
    queries = output.shape[1]
    shared = (len(fused) - queries) // 2
    return Projections(fused[:queries], fused[queries : queries + shared], fused[queries + shared :], output)


def final_logits(model: Any, hidden: Tensor) -> Tensor:
    """Returns the logits [R, V] in float32 of a causal model's normed states [R, d], with its soft-cap if any."""
    logits: Tensor = model.lm_head(hidden).float()
    cap = getattr(model.config, "final_logit_softcapping", None)
    return logits if cap is None else cap * torch.tanh(logits / cap)
