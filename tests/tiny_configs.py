"""Configurations of models of four layers that read 96 tokens, by architecture."""

from __future__ import annotations

from typing import Any

LLAMA_LIKE: dict[str, Any] = {
    "vocab_size": 96,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 128,
    "initializer_range": 0.3,
    "bos_token_id": 1,
    "eos_token_id": None,
    "pad_token_id": 0,
}
GPT_LIKE: dict[str, Any] = {
    **{name: LLAMA_LIKE[name] for name in ("vocab_size", "bos_token_id", "eos_token_id", "pad_token_id")},
    **{"n_embd": 32, "n_layer": 4, "n_head": 4, "n_positions": 128, "initializer_range": 0.3},
}
GEMMA: dict[str, Any] = {"head_dim": 8, "sliding_window": 6, "query_pre_attn_scalar": 8, "final_logit_softcapping": 4.0}
