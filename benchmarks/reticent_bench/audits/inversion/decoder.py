"""The attacker: a small language model that learns texts from vectors (Li et al. 2023, equations 1 to 3).

The vector goes through one trainable linear layer and is put before the tokens' embeddings. Trained by cross-entropy of
the tokens and an end mark; inverted greedily from the vector alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from transformers import LlamaConfig, LlamaForCausalLM

from reticent_bench.audits.inversion.records import Vectors
from reticent_bench.audits.inversion.settings import DecoderSettings
from reticent_detectors.host.tokenizer import train_tokenizer

IGNORED = -100
_CHECKS = 10
"""How often a training looks at the texts that it does not learn from."""


class Codec:
    """Texts to token ids and back, by a BPE tokenizer that is trained on the attacker's texts."""

    def __init__(self, texts: Sequence[str], settings: DecoderSettings) -> None:
        self._tokenizer: Any = train_tokenizer(texts, settings.vocabulary, settings.longest)
        self._longest = settings.longest
        self.size = len(self._tokenizer)
        self.end = int(self._tokenizer.eos_token_id)

    def __repr__(self) -> str:
        return f"Codec({self.size} tokens)"

    def ids(self, text: str) -> list[int]:
        """Ids of a text without end mark, cut at the longest length."""
        return [token for token, _ in self._encoded(text)]

    def ids_outside(self, text: str, spans: Sequence[tuple[int, int]]) -> list[int]:
        """Ids of the tokens that no span touches; offsets in characters."""
        return [t for t, (a, b) in self._encoded(text) if not any(a < end and start < b for start, end in spans)]

    def ids_inside(self, text: str, span: tuple[int, int]) -> list[int]:
        """Ids of the tokens that a span touches; offsets in characters."""
        return [token for token, (start, end) in self._encoded(text) if start < span[1] and span[0] < end]

    def text(self, ids: Sequence[int]) -> str:
        """The text of ids."""
        return str(self._tokenizer.decode(ids, skip_special_tokens=True))

    def bags(self, texts: Sequence[str]) -> Vectors:
        """How often each token is in each text [texts, size]: an embedding from which the tokens can be read."""
        return np.array([np.bincount(self.ids(text), minlength=self.size) for text in texts], np.float32)

    def _encoded(self, text: str) -> list[tuple[int, tuple[int, int]]]:
        read = self._tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        return list(zip(read["input_ids"], read["offset_mapping"], strict=True))[: self._longest]


class Inverter(nn.Module):
    """The aligning layer and the decoder behind it."""

    def __init__(self, vector_width: int, vocabulary: int, end: int, settings: DecoderSettings) -> None:
        super().__init__()
        config = LlamaConfig(
            vocab_size=vocabulary, hidden_size=settings.width, intermediate_size=2 * settings.width,
            num_hidden_layers=settings.layers, num_attention_heads=settings.heads, tie_word_embeddings=True,
            max_position_embeddings=settings.longest + 2, bos_token_id=None, eos_token_id=end, pad_token_id=end,
        )  # fmt: skip
        # Before the aligning layer, so that decoders of one seed begin alike whatever they see.
        self.decoder: Any = LlamaForCausalLM(config)
        self.align = nn.Linear(vector_width, settings.width)
        self.end, self.longest = end, settings.longest

    def loss(self, vectors: Tensor, ids: Tensor, labels: Tensor) -> Tensor:
        """Mean cross-entropy in nats.

        Shapes: vectors [n, width], ids [n, tokens], labels [n, 1 + tokens] with `IGNORED` as padding.
        """
        embedded = self.decoder.get_input_embeddings()(ids)
        before = self.align(vectors)[:, None, :]
        logits = self.decoder(inputs_embeds=torch.cat([before, embedded], 1)).logits
        return nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED)

    @torch.inference_mode()
    def invert(self, vectors: Vectors, batch: int = 256) -> list[list[int]]:
        """The likeliest token after the other, from vectors [n, width]; ids without the end mark."""
        self.eval()
        out: list[list[int]] = []
        for first in range(0, len(vectors), batch):
            before = self.align(torch.from_numpy(vectors[first : first + batch]))[:, None, :]
            mask = torch.ones(before.shape[:2], dtype=torch.long)
            rows = self.decoder.generate(
                inputs_embeds=before, attention_mask=mask, max_new_tokens=self.longest, do_sample=False,
                eos_token_id=self.end, pad_token_id=self.end,
            )  # fmt: skip
            for row in rows.tolist():
                out.append(row[: row.index(self.end)] if self.end in row else row)
        return out


def train_inverter(
    vectors: Vectors,
    rows: Sequence[Sequence[int]],
    held_out: Sequence[bool],
    codec: Codec,
    settings: DecoderSettings,
    seed: int,
) -> Inverter:
    """Trains an attacker, and keeps the weights that were best on the texts that it did not learn from.

    Args:
        vectors: of the attacker's texts, scaled [texts, width]. Width 0 is allowed: such an attacker sees nothing.
        rows: ids of each text, without end mark.
        held_out: texts that choose how long to train; of other people than those learned from.
        codec: whose ids these are.
        settings: of the decoder.
        seed: of weights and batches. The state of torch's own generator is left as it was.
    """  # fmt: skip
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        inverter = Inverter(max(1, vectors.shape[1]), codec.size, codec.end, settings)
        given = torch.from_numpy(seen(vectors))
        learned = [row for row, out in enumerate(held_out) if not out]
        checked = [row for row, out in enumerate(held_out) if out]
        optimizer = torch.optim.AdamW(inverter.parameters(), lr=settings.rate, weight_decay=0.1)
        rng = np.random.default_rng([seed, 5])
        best, kept = math.inf, inverter.state_dict()
        for step in range(settings.steps):
            for group in optimizer.param_groups:
                group["lr"] = settings.rate * _schedule(step, settings.steps)
            inverter.train()
            chosen = rng.choice(learned, min(settings.batch, len(learned)), replace=False).tolist()
            loss = inverter.loss(given[chosen], *_padded([rows[row] for row in chosen], codec.end))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(inverter.parameters(), 1.0)
            optimizer.step()
            if (step + 1) % max(1, settings.steps // _CHECKS) == 0 and checked:
                found = _held_out_loss(inverter, given, rows, checked, codec.end)
                if found < best:
                    best, kept = found, {name: tensor.clone() for name, tensor in inverter.state_dict().items()}
        if checked:
            inverter.load_state_dict(kept)
    return inverter


def seen(vectors: Vectors) -> Vectors:
    """The vectors, or a column of zeros where they have no width."""
    return vectors if vectors.shape[1] else np.zeros((len(vectors), 1), np.float32)


def _schedule(step: int, steps: int) -> float:
    """A short linear rise, then a cosine to a tenth."""
    rise = max(1, steps // 20)
    if step < rise:
        return (step + 1) / rise
    return 0.55 + 0.45 * math.cos(math.pi * (step - rise) / max(1, steps - rise))


@torch.inference_mode()
def _held_out_loss(
    inverter: Inverter, given: Tensor, rows: Sequence[Sequence[int]], checked: list[int], end: int
) -> float:
    inverter.eval()
    return float(inverter.loss(given[checked], *_padded([rows[row] for row in checked], end)))


def _padded(rows: Sequence[Sequence[int]], end: int) -> tuple[Tensor, Tensor]:
    """Ids [n, tokens], and the label at each place [n, 1 + tokens]: the tokens, the end mark, then `IGNORED`."""
    width = max(map(len, rows))
    ids = torch.full((len(rows), width), end)
    labels = torch.full((len(rows), width + 1), IGNORED)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = torch.tensor(row, dtype=torch.long)
        labels[place, : len(row) + 1] = torch.tensor([*row, end])
    return ids, labels
