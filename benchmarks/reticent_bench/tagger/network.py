"""The reader's network: some layers of a multilingual encoder, and a tag for each word.

A text is read in *segments*. A word sees its own segment and all before it, so its tag is final once the segment is
complete, however the text arrives.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from numpy.typing import NDArray
from torch import nn
from transformers import BertConfig, BertModel

PLACES = 512
"""Pieces of a question and its text together, at most."""
PAD = -1
"""The segment of places without a piece."""


class Reader(nn.Module):
    """Tag the words of texts.

    Args:
        encoder: without a pooler.
        tags: 1 + 2K.
    """

    def __init__(self, encoder: BertModel, tags: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(encoder.config.hidden_size, tags)

    def forward(self, pieces: torch.Tensor, segments: torch.Tensor, asked: torch.Tensor) -> torch.Tensor:
        """Return logits [B, N, tags].

        Args:
            pieces: [B, N], rows of the vocabulary.
            segments: [B, N], the number of each piece's segment, growing; `PAD` without a piece.
            asked: [B, N], 1 for pieces of the question, else 0.
        """
        seen = (segments[:, None, :] <= segments[:, :, None]) & (segments[:, None, :] != PAD)
        seen = seen | torch.eye(segments.shape[1], dtype=torch.bool, device=segments.device)
        mask = torch.zeros(seen.shape, dtype=self.out.weight.dtype, device=seen.device).masked_fill(~seen, -1e4)
        states = self.encoder(input_ids=pieces, attention_mask=mask[:, None], token_type_ids=asked).last_hidden_state
        logits: torch.Tensor = self.out(self.drop(states))
        return logits


def from_checkpoint(checkpoint: Path, rows: NDArray[Any], tags: int, layers: int) -> Reader:
    """Make a reader of some lower layers of a checkpoint, all if it has fewer, and of some rows of its table.

    The table is not learned.
    """
    whole = BertModel.from_pretrained(checkpoint, add_pooling_layer=False, dtype=torch.float32)
    encoder = empty(whole.config, len(rows), min(layers, whole.config.num_hidden_layers))
    table = whole.embeddings.word_embeddings.weight.detach()[torch.from_numpy(rows)]
    wanted = encoder.state_dict()
    state = {key: value for key, value in whole.state_dict().items() if key in wanted}
    state["embeddings.word_embeddings.weight"] = table
    encoder.load_state_dict(state)
    reader = Reader(encoder, tags)
    reader.encoder.embeddings.word_embeddings.weight.requires_grad_(False)
    return reader


def empty(config: BertConfig, pieces: int, layers: int) -> BertModel:
    """Make an encoder of the sizes of another one, with its own number of pieces and layers."""
    own = BertConfig.from_dict({**config.to_dict(), "vocab_size": pieces, "num_hidden_layers": layers})
    own.pad_token_id = 0
    own._attn_implementation = "sdpa"
    return BertModel(own, add_pooling_layer=False)


def padded(rows: Sequence[Sequence[int]], value: int) -> torch.Tensor:
    """Rows of different lengths as one tensor [B, N], with `value` after their ends."""
    width = max(1, *(len(row) for row in rows))
    return torch.tensor([[*row, *[value] * (width - len(row))] for row in rows])
