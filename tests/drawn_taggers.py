"""Taggers with drawn weights: they tag nearly every word, and take no time to make."""

from __future__ import annotations

from functools import cache

import torch
from transformers import BertConfig

from reticent_bench.tagger.export import graph_of, tables_of
from reticent_bench.tagger.network import Reader, empty
from reticent_detectors.finder.tagger import TagNetwork
from reticent_detectors.finder.tagger.pieces import Pieces

KINDS = ("EMPLOYER", "JOB_TITLE", "PHONE_NUMBER")
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,;:@-'()[]#/$\n "
PIECES = Pieces([("<unk>", 0.0), ("▁", -3.0), *((char, -4.0) for char in LETTERS), ("▁is", -2.0), ("er", -2.0)])


def drawn_reader(seed: int, no_value: float = 0.0) -> Reader:
    """Return an untrained network in torch; `no_value` is added to the log-odds of no value."""
    torch.manual_seed(seed)
    config = BertConfig(hidden_size=32, num_attention_heads=4, intermediate_size=48, max_position_embeddings=512)
    reader = Reader(empty(config, len(PIECES), 2), 1 + 2 * len(KINDS)).eval()
    torch.nn.init.normal_(reader.out.weight, std=2.0)
    with torch.no_grad():
        reader.out.bias[0] += no_value
    return reader


@cache
def drawn_tagger(seed: int = 0, no_value: float = 0.0) -> TagNetwork:
    """Return the same as the finder runs it."""
    reader = drawn_reader(seed, no_value)
    return TagNetwork(KINDS, [0.0] * len(KINDS), PIECES, tables_of(reader, PIECES), graph_of(reader))
