"""Writes a transformers Llama checkpoint with a byte-level BPE tokenizer as a GGUF file that llama.cpp serves.

Covers what the demo host and SmolLM2 need: one file of weights, no biases, tied or separate embeddings, plain rotary
positions. Weights are written in float32, so greedy answers equal those of transformers. Runs where `gguf` and
`safetensors` are installed:

    python -m reticent_bench.engines.gguf_host guard/reticent/assets/host .engines/host.gguf
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGUFWriter, TokenType
from numpy.typing import NDArray
from safetensors.numpy import load_file

_LAYER = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
_OUTER = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}
_PRE_TOKENIZERS = {("Digits", "ByteLevel"): "smollm", ("ByteLevel",): "gpt-2"}
"""llama.cpp's names for words cut as GPT-2 cuts them, with single digits (the demo host) and without."""


def write(host: Path, out: Path) -> None:
    """Writes `out` from the checkpoint folder `host`.

    Raises:
        ValueError: a checkpoint of another kind.
    """
    config = _json(host / "config.json")
    tokenizer = _json(host / "tokenizer.json")
    _check(config, tokenizer)
    out.parent.mkdir(parents=True, exist_ok=True)
    writer = GGUFWriter(out, "llama")
    _write_shape(writer, host.name, config)
    _write_tokenizer(writer, tokenizer, config, (host / "chat_template.jinja").read_text())
    for name, tensor in _tensors(load_file(host / "model.safetensors"), config):
        writer.add_tensor(name, tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _json(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(path.read_text())
    return loaded


def _check(config: Mapping[str, Any], tokenizer: Mapping[str, Any]) -> None:
    rope = config["rope_parameters"]["rope_type"]
    given = (config["model_type"], rope, config["attention_bias"], tokenizer["model"]["type"])
    wanted = ("llama", "default", False, "BPE")
    if given != wanted or _steps(tokenizer) not in _PRE_TOKENIZERS:
        raise ValueError(
            f"Expected a checkpoint like the demo host's, {wanted} and one of {list(_PRE_TOKENIZERS)}, got {given} "
            f"and {_steps(tokenizer)}."
        )


def _steps(tokenizer: Mapping[str, Any]) -> tuple[str, ...]:
    pre = tokenizer["pre_tokenizer"]
    return tuple(step["type"] for step in pre.get("pretokenizers", [pre]))


def _write_shape(writer: GGUFWriter, name: str, config: Mapping[str, Any]) -> None:
    writer.add_name(name)
    writer.add_vocab_size(config["vocab_size"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_dimension_count(config["head_dim"])
    writer.add_rope_freq_base(config["rope_parameters"]["rope_theta"])


def _write_tokenizer(
    writer: GGUFWriter, tokenizer: Mapping[str, Any], config: Mapping[str, Any], template: str
) -> None:
    model = tokenizer["model"]
    special = {token["id"]: token["content"] for token in tokenizer["added_tokens"]}
    words = {at: word for word, at in model["vocab"].items()} | special
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(_PRE_TOKENIZERS[_steps(tokenizer)])
    writer.add_token_list([words[at] for at in range(len(words))])
    writer.add_token_types([TokenType.CONTROL if at in special else TokenType.NORMAL for at in range(len(words))])
    writer.add_token_merges([" ".join(pair) for pair in model["merges"]])
    writer.add_bos_token_id(config["bos_token_id"])
    writer.add_eos_token_id(config["eos_token_id"])
    writer.add_pad_token_id(config["pad_token_id"])
    writer.add_add_bos_token(False)  # the chat template writes it, and the tokenizer adds none
    writer.add_chat_template(template)


def _tensors(
    weights: Mapping[str, NDArray[Any]], config: Mapping[str, Any]
) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """The weights under llama.cpp's names, its rows in its order.

    transformers rotates the two halves of a head against each other, llama.cpp neighbouring rows. So rows (head, half,
    pair) of queries and keys become (head, pair, half).
    """
    heads = {"attn_q": config["num_attention_heads"], "attn_k": config["num_key_value_heads"]}
    for name, raw in weights.items():
        weight = raw.astype(np.float32)
        stem = name.removesuffix(".weight")
        if stem in _OUTER:
            yield f"{_OUTER[stem]}.weight", weight
            continue
        layer, _, part = stem.removeprefix("model.layers.").partition(".")
        kind = _LAYER[part]
        if kind in heads:
            rows, width = weight.shape
            weight = weight.reshape(heads[kind], 2, rows // heads[kind] // 2, width).swapaxes(1, 2).reshape(rows, width)
        yield f"blk.{layer}.{kind}.weight", np.ascontiguousarray(weight)


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]))
