"""An initialisation from which a small model learns to copy in minutes instead of hours.

Copying from context needs an *induction circuit*: one layer that writes the previous token's embedding beside each token, and a
later one that attends from a token to where that token was the previous one, and copies what stands there
(Elhage et al. 2021, Olsson et al. 2022). From a plain random start two layers must find this together, which took our
2-million-parameter host far longer than everything else. So both are laid out before training; the weights stay ordinary
and are trained like all others.
"""

from __future__ import annotations

import math

import torch
from transformers import LlamaForCausalLM

EMBEDDING_CONSTANT = 4.0
PREVIOUS_SHARPNESS = 7.0
MATCH_GAIN = 1.1


def _orthogonal(size: int) -> torch.Tensor:
    """A random rotation that leaves dimension 0, which holds the constant, alone."""
    out = torch.eye(size)
    out[1:, 1:] = torch.nn.init.orthogonal_(torch.empty(size - 1, size - 1))
    return out


@torch.no_grad()
def lay_out_induction(model: LlamaForCausalLM, layers: tuple[int, ...] = (1, 2)) -> None:
    """Initialises embedding, layer 0 (previous token) and `layers` (match and copy) in place.

    Embeddings get unit length and a constant in dimension 0. Layer 0's queries and keys see that constant alone; rotary
    position turns their product into one that peaks one token back. Later queries read a token, keys what
    layer 0 wrote; values are copied as they are.
    """
    config = model.config
    size, heads = config.hidden_size, config.num_attention_heads
    width = size // heads
    embedding = model.get_parameter("model.embed_tokens.weight")
    embedding.normal_(std=size**-0.5)
    embedding[:, 0] = EMBEDDING_CONSTANT * size**-0.5

    constant = EMBEDDING_CONSTANT * size**-0.5 * math.sqrt(size) / math.sqrt(1 + EMBEDDING_CONSTANT**2 / size)
    frequencies: torch.Tensor = model.model.rotary_emb.get_buffer("inv_freq")
    angles = frequencies[: width // 2].float()
    first = model.model.layers[0].self_attn
    for head in range(heads):
        rows = slice(head * width, (head + 1) * width)
        first.q_proj.weight[rows] = 0
        first.k_proj.weight[rows] = 0
        first.q_proj.weight[rows, 0] = torch.cat([torch.ones_like(angles), torch.zeros_like(angles)])
        first.k_proj.weight[rows, 0] = torch.cat([angles.cos(), angles.sin()])
    first.q_proj.weight.mul_(PREVIOUS_SHARPNESS / constant)
    first.k_proj.weight.mul_(PREVIOUS_SHARPNESS / constant)
    turn, carry = _orthogonal(size), _orthogonal(size)
    carry[0] = 0
    first.v_proj.weight.copy_(carry * 0.31)
    first.o_proj.weight.copy_(turn @ carry.T * 0.31)

    for index in layers:
        attention = model.model.layers[index].self_attn
        match = _orthogonal(size)
        match[0] = 0
        match[:, 0] = 0
        attention.q_proj.weight.copy_(match * MATCH_GAIN)
        attention.k_proj.weight.copy_(match @ turn.T * MATCH_GAIN)
        copy = _orthogonal(size)
        attention.v_proj.weight.copy_(copy * 0.5)
        attention.o_proj.weight.copy_(copy.T * 0.5)
