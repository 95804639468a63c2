"""Trains a copy of a model on canaries, to see what an audit finds where the truth is known."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from reticent_detectors.alignment import text_ids
from reticent_detectors.errors import InputError
from reticent_detectors.host.corpus import Block
from reticent_detectors.host.trainer import Progress, Trainer, quiet
from reticent_detectors.host.tune import tuning_rate, with_adapters
from reticent_detectors.synth.hosts import Tuning

WIDTH = 128
"""Tokens of a row, into which sentences are packed."""
LEARNING_RATE, ADAPTER_LEARNING_RATE = 3e-4, 2e-3


def pack(encoded: Sequence[Sequence[int]], rows: int, epochs: int, seed: int) -> list[Block]:
    """Sentences as batches of rows of `WIDTH` tokens, packed end to end, every sentence once an epoch.

    Raises:
        InputError: a sentence is longer than a row.
    """
    if any(len(ids) > WIDTH for ids in encoded):
        raise InputError(f"Expected canaries of at most {WIDTH} tokens.")
    blocks = list[Block]()
    for epoch in range(epochs):
        order = random.Random(f"epoch {seed} {epoch}").sample(range(len(encoded)), len(encoded))
        packed: list[list[int]] = [[]]
        for place in order:
            if len(packed[-1]) + len(encoded[place]) > WIDTH:
                packed.append([])
            packed[-1] += encoded[place]
        for first in range(0, len(packed), rows):
            blocks.append(_block(packed[first : first + rows]))
    return blocks


def _block(packed: Sequence[Sequence[int]]) -> Block:
    ids = np.zeros((len(packed), WIDTH), np.int64)
    weights = np.zeros((len(packed), WIDTH), np.float32)
    for row, tokens in enumerate(packed):
        ids[row, : len(tokens)] = tokens
        weights[row, : len(tokens)] = 1.0
    return Block(ids, weights)


def plant(
    model: Any,
    tokenizer: Any,
    rows: Sequence[str],
    work: Path,
    *,
    base: str,
    epochs: int = 3,
    rank: int = 16,
    rate: float | None = None,
    batch_tokens: int = 2048,
    seed: int = 0,
    device: str = "cpu",
    progress: Progress = quiet,
) -> Any:
    """Trains a model on sentences with an adapter, or in all its weights; an interrupted call continues.

    Args:
        model, tokenizer: of transformers; the tokenizer needs an end token.
        rows: training sentences.
        work: file of the checkpoint from which an interrupted training continues.
        base: path of the model's folder, which an adapter names.
        epochs: passes over the rows.
        rank: of the adapter; 0 trains all weights.
        rate: learning rate; 0.002 for an adapter and 0.0003 for all weights if not given.
        batch_tokens: tokens of a step.
        seed: of the order and of the adapter's first weights.

    Returns:
        The trained model, in evaluation mode.

    Raises:
        InputError: the tokenizer has no end token, or a sentence is too long.
    """
    import torch

    end = tokenizer.eos_token_id
    if end is None:
        raise InputError("The model's tokenizer has no end token; set tokenizer.eos_token.")
    torch.manual_seed(seed)
    encoded = [[*text_ids(tokenizer, row), end] for row in rows]
    blocks = pack(encoded, max(1, batch_tokens // WIDTH), epochs, seed)
    tuning = Tuning(lora=True, rank=rank, alpha=2 * rank, dropout=0.0)
    trained = with_adapters(model, tuning, base) if rank else model.requires_grad_(True)
    rate = rate or (ADAPTER_LEARNING_RATE if rank else LEARNING_RATE)
    trainer = Trainer(trained, rate, 0.0, device, any_architecture=True)
    trainer.run("plant", len(blocks), blocks.__getitem__, lambda step: tuning_rate(step, len(blocks)), work, progress)
    return trained.eval()
