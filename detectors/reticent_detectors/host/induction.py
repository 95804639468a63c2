"""Initialises a small model so that it learns to copy in minutes instead of hours.

Copying from context needs an *induction circuit* (Elhage et al. 2021, Olsson et al. 2022). One layer writes the
previous token's embedding beside each token. A later layer attends from a token to the places behind its earlier
occurrences, and copies the tokens there. From a random start two layers must learn this together, which took our
2-million-parameter host far longer than the rest. So both are set before training. The weights stay ordinary and are
trained like all others.
"""

from __future__ import annotations

import math
from typing import Any

import torch

from reticent_detectors.host.architectures import projections

EMBEDDING_CONSTANT = 4.0
PREVIOUS_SHARPNESS = 7.0
CAPPED_SHARPNESS = 4.0
"""Sharpness if attention scores are soft-capped (Gemma 2), because a sharper product would reach the cap."""
MATCH_GAIN = 1.1
QUIET = -0.9
"""Gain minus one of the norm behind a block that is not trained yet.

Otherwise Gemma 2 scales its noise to full size.
"""


def _orthogonal(size: int) -> torch.Tensor:
    """Returns a random rotation [size, size] that keeps dimension 0, which holds the constant."""
    out = torch.eye(size)
    out[1:, 1:] = torch.nn.init.orthogonal_(torch.empty(size - 1, size - 1))
    return out


@torch.no_grad()
def lay_out_induction(model: Any, layers: tuple[int, ...] = (1, 2)) -> None:
    """Initialises embedding, layer 0 (previous token) and `layers` (match and copy) in place.

    Embeddings get unit length and a constant in dimension 0. Layer 0's queries and keys read that constant alone. With
    rotary positions, their product has its peak one token back. Later queries read a token, and keys read what layer 0
    wrote. Values are copied unchanged. Heads that share a key and a value do the same.
    """
    config = model.config
    size, heads = config.hidden_size, config.num_attention_heads
    width, group = size // heads, heads // config.num_key_value_heads
    shared = size // group  # rows of the keys and of the values
    embedding = model.get_parameter("model.embed_tokens.weight")
    embedding.normal_(std=size**-0.5)
    embedding[:, 0] = EMBEDDING_CONSTANT * size**-0.5
    if not config.tie_word_embeddings:
        model.lm_head.weight.copy_(embedding)

    constant = EMBEDDING_CONSTANT * size**-0.5 * math.sqrt(size) / math.sqrt(1 + EMBEDDING_CONSTANT**2 / size)
    frequencies: torch.Tensor = model.model.rotary_emb.get_buffer("inv_freq")
    angles = frequencies[: width // 2].float()
    capped = getattr(config, "attn_logit_softcapping", None) is not None
    sharpness = CAPPED_SHARPNESS if capped else PREVIOUS_SHARPNESS
    first = projections(model.model.layers[0].self_attn)
    for rows in first.query.split(width):
        rows.zero_()
        rows[:, 0] = torch.cat([torch.ones_like(angles), torch.zeros_like(angles)])
    for rows in first.key.split(width):
        rows.zero_()
        rows[:, 0] = torch.cat([angles.cos(), angles.sin()])
    first.query.mul_(sharpness / constant)
    first.key.mul_(sharpness / constant)
    turn, carry = _orthogonal(size), _orthogonal(size)
    carry[0] = 0
    first.value.copy_(carry[:shared] * 0.31)
    first.output.copy_(turn @ _for_heads(carry[:shared], width, group).T * 0.31 / group)

    for index in layers:
        block = projections(model.model.layers[index].self_attn)
        match = _orthogonal(size)
        match[0] = 0
        match[:, 0] = 0
        if group > 1:  # shared heads carry fewer dimensions, so only these can be matched
            match[:shared] = _orthogonal(shared) @ carry[:shared]
        block.query.copy_(_for_heads(match[:shared], width, group) * MATCH_GAIN)
        block.key.copy_(match[:shared] @ turn.T * MATCH_GAIN)
        copy = _orthogonal(size)
        block.value.copy_(copy[:shared] * 0.5)
        block.output.copy_(_for_heads(copy[:shared], width, group).T * 0.5 / group)

    for index, layer in enumerate(model.model.layers):
        if hasattr(layer, "post_feedforward_layernorm"):
            layer.post_feedforward_layernorm.weight.fill_(QUIET)
            layer.post_attention_layernorm.weight.fill_(0 if index == 0 else 1 if index in layers else QUIET)


def _for_heads(rows: torch.Tensor, width: int, group: int) -> torch.Tensor:
    """Repeats the rows [K w, d] of shared heads for each head of their group: [K group w, d]."""
    return rows.view(-1, width, rows.shape[1]).repeat_interleave(group, 0).reshape(-1, rows.shape[1])
