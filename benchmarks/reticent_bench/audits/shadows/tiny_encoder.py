"""A small BERT with random weights, and a tokenizer that is trained on the texts: what is audited without a checkpoint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

_SPECIAL = {
    "pad_token": "[PAD]",
    "unk_token": "[UNK]",
    "cls_token": "[CLS]",
    "sep_token": "[SEP]",
    "mask_token": "[MASK]",
}


def train_word_pieces(texts: Sequence[str], vocabulary: int, longest: int) -> PreTrainedTokenizerFast:
    """A tokenizer of word pieces in lower case, with digits one by one and BERT's special tokens.

    It is trained on members and non-members alike, so it tells nothing of who is which.

    Args:
        texts: of both sides.
        vocabulary: tokens at most.
        longest: tokens of a text at most; longer ones are cut where truncation is asked for.
    """
    core = Tokenizer(models.WordPiece(unk_token=_SPECIAL["unk_token"]))
    core.normalizer = normalizers.BertNormalizer(lowercase=True)
    core.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.BertPreTokenizer(), pre_tokenizers.Digits(individual_digits=True)]
    )
    trainer = trainers.WordPieceTrainer(
        vocab_size=vocabulary, special_tokens=list(_SPECIAL.values()), initial_alphabet=list("0123456789"),
        show_progress=False,
    )  # fmt: skip
    core.train_from_iterator(texts, trainer)
    first, end = (core.token_to_id(_SPECIAL[name]) for name in ("cls_token", "sep_token"))
    core.post_processor = processors.BertProcessing(("[SEP]", end), ("[CLS]", first))
    return PreTrainedTokenizerFast(tokenizer_object=core, model_max_length=longest, **_SPECIAL)


def tiny_encoder(tokenizer: Any, classes: int, width: int, layers: int, longest: int, seed: int) -> Any:
    """A BERT for classification with random weights, without dropout.

    Args:
        tokenizer: of `train_word_pieces`.
        classes: number of classes.
        width: of the states; heads have 16 each.
        layers: of the encoder.
        longest: positions.
        seed: of the weights.
    """
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=layers, num_attention_heads=max(1, width // 16),
        intermediate_size=2 * width, max_position_embeddings=longest, num_labels=classes, hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0, pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip
    torch.manual_seed(seed)
    return BertForSequenceClassification(config).eval()
