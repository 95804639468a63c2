"""What is learned from a training text, by family of models: examples, batches of them, and the loss of each text.

Private training takes the gradients of several texts at once by `torch.func`, which cannot follow a mask of padding. So
texts that are taken together have equal lengths there (`parts`), and their batch has no mask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

Batch = Mapping[str, Tensor]
"""Tensors by name, each with one row a text."""
Forward = Callable[..., Any]
"""The model as a function of its inputs."""
MASK = "attention_mask"


class Objective(Protocol):
    """How texts of one kind are batched and what their losses are."""

    def length(self, example: Any) -> Any:
        """What is equal for texts that need no padding; orders texts by their length."""
        ...

    def batch(self, rows: Sequence[Any], device: Any) -> dict[str, Tensor]:
        """The examples of some texts as tensors, padded on the right."""
        ...

    def losses(self, forward: Forward, batch: Batch) -> Tensor:
        """Mean loss of each text's learned tokens, or of its label, in nats [texts]."""
        ...

    def parts(self, rows: Sequence[Any], most: int) -> list[list[Any]]:
        """Texts that the gradients of single texts are taken of together, at most so many."""
        ...


class Labelled(NamedTuple):
    """Token ids of a text, and the class or the token that is learned."""

    ids: tuple[int, ...]
    label: int

    def __repr__(self) -> str:
        return f"Labelled({len(self.ids)} tokens)"


class Pair(NamedTuple):
    """Token ids of the encoder and of the decoder. The decoder's first `given` tokens are not learned."""

    source: tuple[int, ...]
    target: tuple[int, ...]
    given: int = 1

    def __repr__(self) -> str:
        return f"Pair({len(self.source)} and {len(self.target)} tokens)"


@dataclass(frozen=True, slots=True)
class Causal:
    """The next token of a text, by a decoder. An example is the list of its token ids; the first one is not learned.

    What follows a token does not change its probability, so padding on the right needs no mask. Virtual tokens before
    the text are left out.
    """

    def length(self, example: Sequence[int]) -> int:
        """Tokens of the text."""
        return len(example)

    def batch(self, rows: Sequence[Sequence[int]], device: Any) -> dict[str, Tensor]:
        """`ids` and `learned`, 1 for tokens whose prediction counts [texts, N]."""
        ids = padded(rows)
        learned = torch.zeros(ids.shape)
        for place, row in enumerate(rows):
            learned[place, 1 : len(row)] = 1.0
        return {"ids": ids.to(device), "learned": learned.to(device)}

    def losses(self, forward: Forward, batch: Batch) -> Tensor:
        """Mean over the tokens but the first."""
        ids = batch["ids"]
        logits = forward(input_ids=ids, use_cache=False).logits[:, -ids.shape[1] :]
        each = cross_entropy(logits[:, :-1].transpose(1, 2).float(), ids[:, 1:], reduction="none")
        marks = batch["learned"][:, 1:]
        return (each * marks).sum(1) / marks.sum(1)

    def parts(self, rows: Sequence[Sequence[int]], most: int) -> list[list[Any]]:
        """Neighbours by length."""
        return cut(rows, most)


@dataclass(frozen=True, slots=True)
class Classification:
    """The class of a text, by an encoder with a classification head. Examples are `Labelled`.

    Attributes:
        padding: id of the token that fills a batch; its mask is 0.
    """

    padding: int = 0

    def length(self, example: Labelled) -> int:
        """Tokens of the text."""
        return len(example.ids)

    def batch(self, rows: Sequence[Labelled], device: Any) -> dict[str, Tensor]:
        """`input_ids` [texts, N], `labels` [texts] and, where lengths differ, the mask [texts, N]."""
        labels = torch.tensor([row.label for row in rows])
        return _on(device, {**masked([row.ids for row in rows], self.padding), "labels": labels})

    def losses(self, forward: Forward, batch: Batch) -> Tensor:
        """Cross-entropy of the class."""
        return cross_entropy(self.logits(forward, batch), batch["labels"], reduction="none")

    def logits(self, forward: Forward, batch: Batch) -> Tensor:
        """Logits of the classes [texts, classes]."""
        out: Tensor = forward(**inputs(batch)).logits
        return out.float()

    def parts(self, rows: Sequence[Labelled], most: int) -> list[list[Any]]:
        """Texts of equal length."""
        return equal(rows, most, self.length)


@dataclass(frozen=True, slots=True)
class MaskedLabel:
    """The token of a text's class in place of the mask token, by an encoder with a masked-language head.

    Examples are `Labelled`, with one mask token in `ids` and the class' token as `label`.

    Attributes:
        mask: id of the mask token.
        labels: ids of the classes' tokens, in the order of the classes.
        padding: see `Classification`.
    """

    mask: int
    labels: tuple[int, ...]
    padding: int = 0

    def length(self, example: Labelled) -> int:
        """Tokens of the text."""
        return len(example.ids)

    def batch(self, rows: Sequence[Labelled], device: Any) -> dict[str, Tensor]:
        """As of `Classification`, with `places` of the mask tokens [texts]."""
        places = torch.tensor([row.ids.index(self.mask) for row in rows])
        return {**Classification(self.padding).batch(rows, device), "places": places.to(device)}

    def losses(self, forward: Forward, batch: Batch) -> Tensor:
        """Cross-entropy of the class' token over the vocabulary."""
        return cross_entropy(self._at_mask(forward, batch), batch["labels"], reduction="none")

    def logits(self, forward: Forward, batch: Batch) -> Tensor:
        """Logits of the classes' tokens alone [texts, classes]."""
        return self._at_mask(forward, batch)[:, list(self.labels)]

    def _at_mask(self, forward: Forward, batch: Batch) -> Tensor:
        logits: Tensor = forward(**inputs(batch)).logits
        places = batch["places"][:, None, None].expand(-1, 1, logits.shape[-1])
        return logits.gather(1, places)[:, 0].float()

    def parts(self, rows: Sequence[Labelled], most: int) -> list[list[Any]]:
        """Texts of equal length."""
        return equal(rows, most, self.length)


@dataclass(frozen=True, slots=True)
class Seq2Seq:
    """What the decoder writes, given what the encoder reads. Examples are `Pair`.

    The decoder's padding is on the right and is not learned, so it needs no mask.
    """

    padding: int = 0

    def length(self, example: Pair) -> tuple[int, int]:
        """Tokens of the encoder and of the decoder."""
        return len(example.source), len(example.target)

    def batch(self, rows: Sequence[Pair], device: Any) -> dict[str, Tensor]:
        """`input_ids` [texts, N] with their mask, `decoder_input_ids` and `learned` [texts, M]."""
        target = padded([row.target for row in rows], self.padding)
        learned = torch.zeros(target.shape)
        for place, row in enumerate(rows):
            learned[place, row.given : len(row.target)] = 1.0
        source = masked([row.source for row in rows], self.padding)
        return _on(device, {**source, "decoder_input_ids": target, "learned": learned})

    def losses(self, forward: Forward, batch: Batch) -> Tensor:
        """Mean over the learned tokens of the decoder."""
        each = cross_entropy(
            self.logits(forward, batch)[:, :-1].transpose(1, 2).float(), batch["decoder_input_ids"][:, 1:],
            reduction="none",
        )  # fmt: skip
        marks = batch["learned"][:, 1:]
        return (each * marks).sum(1) / marks.sum(1)

    def logits(self, forward: Forward, batch: Batch) -> Tensor:
        """Logits at the decoder's places [texts, M, V]; virtual tokens are left out."""
        width = batch["decoder_input_ids"].shape[1]
        out: Tensor = forward(**inputs(batch), use_cache=False).logits[:, -width:]
        return out

    def parts(self, rows: Sequence[Pair], most: int) -> list[list[Any]]:
        """Texts whose encoders read equally many tokens."""
        return equal(rows, most, lambda row: len(row.source))


CAUSAL = Causal()


def padded(rows: Sequence[Sequence[int]], padding: int = 0) -> Tensor:
    """Ids padded on the right [texts, N]."""
    out = torch.full((len(rows), max(map(len, rows))), padding, dtype=torch.long)
    for place, row in enumerate(rows):
        out[place, : len(row)] = torch.tensor(list(row))
    return out


def masked(rows: Sequence[Sequence[int]], padding: int) -> dict[str, Tensor]:
    """`input_ids` and, where lengths differ, the mask of padding [texts, N]."""
    found = {"input_ids": padded(rows, padding)}
    if len(set(map(len, rows))) > 1:
        found[MASK] = padded([[1] * len(row) for row in rows])
    return found


def inputs(batch: Batch) -> dict[str, Tensor]:
    """What of a batch the model reads."""
    return {name: batch[name] for name in ("input_ids", MASK, "decoder_input_ids") if name in batch}


def cut(rows: Sequence[Any], most: int) -> list[list[Any]]:
    """Rows in parts of at most so many, in their order."""
    return [list(rows[start : start + most]) for start in range(0, len(rows), most)]


def equal(rows: Sequence[Any], most: int, length: Callable[[Any], Any]) -> list[list[Any]]:
    """Rows in parts of at most so many, each of one length."""
    groups = groupby(sorted(rows, key=length), key=length)
    return [part for _, group in groups for part in cut(list(group), most)]


def _on(device: Any, batch: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name: each.to(device) for name, each in batch.items()}
