"""Tiny encoders and encoder-decoders with random weights, and made-up texts with labels."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import tiny_hosts
import torch
import transformers as tf

from reticent_bench.audits.labelled_texts import LabelledTexts
from reticent_bench.audits.shadows.tiny_encoder import tiny_encoder, train_word_pieces
from reticent_bench.audits.tuning import methods

WORDS = [
    "river",
    "table",
    "garden",
    "paper",
    "window",
    "stone",
    "mountain",
    "chair",
    "lamp",
    "road",
    "cloud",
    "letter",
    "music",
    "winter",
    "bread",
    "field",
]
LONGEST = 48


def texts(count: int, seed: int = 0, words: int = 8) -> LabelledTexts:
    """Random words with random labels: nothing can be learned but the texts themselves."""
    rng = random.Random(seed)
    rows = [" ".join(rng.choice(WORDS) for _ in range(rng.randint(words - 2, words))) + f" {n}" for n in range(count)]
    return LabelledTexts(tuple(rows), tuple(rng.randrange(2) for _ in rows), ("bad", "good"))


def own_words(count: int, seed: int = 0) -> LabelledTexts:
    """Makes texts of four words that no other text has, with random labels. None says anything of the others."""
    rng = random.Random(seed)
    pairs = [first + second for first in "bcdfghjklmnpqrstvwxz" for second in "bcdfghjklmnpqrstvwxz"]
    rng.shuffle(pairs)
    rows = ["the " + " ".join(pairs[4 * n : 4 * n + 4]) for n in range(count)]
    labels = [n % 2 for n in range(count)]
    rng.shuffle(labels)
    return LabelledTexts(tuple(rows), tuple(labels), ("bad", "good"))


def write_lines(file: Path, data: LabelledTexts) -> Path:
    rows = [{"text": t, "label": data.classes[label]} for t, label in zip(data.texts, data.labels, strict=True)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


@cache
def word_pieces() -> Any:
    return train_word_pieces([*texts(40).texts, "The label is 0."], 120, LONGEST)


def bert(seed: int = 0) -> Any:
    """A classifier of some ten thousand parameters."""
    return tiny_encoder(word_pieces(), 2, 16, 1, LONGEST, seed)


def bert_folder(folder: Path) -> Path:
    """A BERT without any head, as pre-trained ones come."""
    model = bert()
    methods.save(model.bert, word_pieces(), folder)
    return folder


@cache
def t5_tokenizer() -> Any:
    tokenizer = tiny_hosts.train_tokenizer(tiny_hosts.TEXTS, 400, 512)
    tokenizer.add_special_tokens({"additional_special_tokens": ["<extra_id_0>"]})
    return tokenizer


def t5(seed: int = 0, **config: Any) -> Any:
    """Of some twenty thousand parameters."""
    tokenizer = t5_tokenizer()
    torch.manual_seed(seed)
    return tf.T5ForConditionalGeneration(
        tf.T5Config(
            vocab_size=len(tokenizer), d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2, dropout_rate=0.0,
            decoder_start_token_id=tokenizer.pad_token_id, pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id, **config,
        )
    ).eval()  # fmt: skip


def t5_folder(folder: Path) -> Path:
    methods.save(t5(), t5_tokenizer(), folder)
    return folder
