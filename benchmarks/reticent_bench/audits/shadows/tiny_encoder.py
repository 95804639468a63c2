"""A small BERT with random weights, and a tokenizer trained on the texts, for audits without a checkpoint."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

_SPECIAL = {
    "pad_token": "[PAD]",
    "unk_token": "[UNK]",
    "cls_token": "[CLS]",
    "sep_token": "[SEP]",
    "mask_token": "[MASK]",
}


def train_word_pieces(texts: Sequence[str], vocabulary: int, longest: int) -> PreTrainedTokenizerFast:
    """Trains a tokenizer in lower case with BERT's special tokens: the commonest words, and single characters.

    Each digit is a token. The same texts give the same tokenizer, which the library's own trainers do not promise. An
    audit that continues has to read texts as before. Members and others are counted alike, so the tokenizer reveals no
    membership.

    Args:
        texts: of both sides.
        vocabulary: tokens at most, special ones included.
        longest: tokens of a text at most; longer ones are cut if truncation is asked for.
    """
    normalizer = normalizers.BertNormalizer(lowercase=True)
    splitter = pre_tokenizers.Sequence(
        [pre_tokenizers.BertPreTokenizer(), pre_tokenizers.Digits(individual_digits=True)]
    )
    words = Counter(word for text in texts for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(text)))
    special = list(_SPECIAL.values())
    core = Tokenizer(models.WordPiece(_numbered(special, words, vocabulary), unk_token=_SPECIAL["unk_token"]))
    core.normalizer, core.pre_tokenizer = normalizer, splitter
    core.decoder = decoders.WordPiece()
    core.add_special_tokens(special)
    first, end = _SPECIAL["cls_token"], _SPECIAL["sep_token"]
    core.post_processor = processors.BertProcessing((end, special.index(end)), (first, special.index(first)))
    return PreTrainedTokenizerFast(tokenizer_object=core, model_max_length=longest, **_SPECIAL)


def _numbered(special: Sequence[str], words: Counter[str], vocabulary: int) -> dict[str, int]:
    """Ids: special tokens, digits, up to half of the vocabulary characters, then words; the commonest first."""
    characters = Counter[str]()
    for word, count in words.items():
        for character in word:
            characters[character] += count
    digits = [str(digit) for digit in range(10)]
    kept = _commonest(characters)[: max(0, vocabulary // 4 - len(digits))]
    single = dict.fromkeys([*digits, *kept])
    pieces = [*special, *single, *(f"##{each}" for each in single)]
    pieces += [word for word in _commonest(words) if word not in single]
    return {piece: place for place, piece in enumerate(pieces[:vocabulary])}


def _commonest(counts: Counter[str]) -> list[str]:
    return sorted(counts, key=lambda each: (-counts[each], each))


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
    config: Any = BertConfig(
        vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=layers, num_attention_heads=max(1, width // 16),
        intermediate_size=2 * width, max_position_embeddings=longest, hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0, pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip
    config.num_labels = classes
    torch.manual_seed(seed)
    return BertForSequenceClassification(config).eval()
