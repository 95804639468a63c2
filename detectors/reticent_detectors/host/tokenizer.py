"""Trains the demo host's tokenizer: byte-level BPE with single digits, and a chat template."""

from __future__ import annotations

from collections.abc import Iterable

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from reticent_detectors.host.corpus import BOS, CHAT_TEMPLATE, END, PAD, SPECIAL_TOKENS, Pieces, Tokens


def train_tokenizer(texts: Iterable[str], vocab_size: int, context: int) -> PreTrainedTokenizerFast:
    """Trains the tokenizer on `texts`, which should hold no private value."""
    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    core.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=list(SPECIAL_TOKENS),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    core.train_from_iterator(texts, trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=core,
        pad_token=PAD,
        bos_token=BOS,
        eos_token=END,
        model_max_length=context,
        additional_special_tokens=[t for t in SPECIAL_TOKENS if t not in (PAD, BOS, END)],
    )
    tokenizer.chat_template = CHAT_TEMPLATE
    return tokenizer


def encoder(tokenizer: PreTrainedTokenizerFast) -> Tokens:
    """Makes a function that encodes each piece separately, reads special tokens in it, and adds none."""
    core = tokenizer.backend_tokenizer

    def encode(pieces: Pieces) -> tuple[list[int], list[float]]:
        ids: list[int] = []
        weights: list[float] = []
        for text, weight in pieces:
            piece = core.encode(text, add_special_tokens=False).ids
            ids += piece
            weights += [weight] * len(piece)
        return ids, weights

    return encode
