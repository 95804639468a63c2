"""Writes the twin of a value that a model knows: the model's own likeliest wrong continuation.

A twin shares the prompt and the first tokens of the value. At one token, the branch, it takes the likeliest token that
makes another value. From there the model continues greedily until the twin has the form of the value:

- A number has letters and digits at the same positions as the true one, whatever characters are between. A token that
  breaks this form is skipped for the next likely one.
- Other values have as many tokens as the true one. They have fewer if the line or the answer ends before. They also end
  before a blank if the true value has none. At the branch, a letter replaces a letter and a digit a digit: `7th` is no
  twin of `7, 1941`.

Each token with a letter or a digit is tried as the branch. The twin is the candidate with the likeliest tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from transformers import LogitsProcessor, LogitsProcessorList

from reticent_bench.real_models.heart_items import Item, spelled

LOOKED_AT = 256
"""Number of likeliest tokens that are searched for one that fits; a branch without any fails."""
BATCH = 32
SLACK = 8
"""Tokens that a number may have more than the true one, for characters between its digits."""
_TAIL = 4
"""Tokens that a token is decoded behind, because some decoders drop the blank at the beginning of a text."""


@dataclass(frozen=True)
class AnsweredValue:
    """A value that a model said.

    Attributes:
        item: the fact that was asked for.
        prompt: ids of the prompt.
        lead: ids of the answer before the value.
        ids: ids of the value [T].
        text: the value.
        start: offset of the value in the answer, in characters.
        ends: how many characters of the value its first 0, 1, ..., T tokens wrote [T + 1].
        logprobs: log-probabilities of its tokens [T], in nats.
    """

    item: Item
    prompt: tuple[int, ...]
    lead: tuple[int, ...]
    ids: tuple[int, ...]
    text: str = field(repr=False)
    start: int
    ends: tuple[int, ...]
    logprobs: tuple[float, ...] = ()

    @property
    def before(self) -> tuple[int, ...]:
        """All ids before the value."""
        return (*self.prompt, *self.lead)


@dataclass(frozen=True)
class Twin:
    """A wrong value: its ids, the index of the branch among them, and the sum of their log-probabilities, in nats."""

    ids: tuple[int, ...]
    branch: int
    logprob: float


@dataclass
class Branch:
    """A wrong value that is being written. `fits` and `take` see texts alone, so they need no model."""

    known: AnsweredValue
    at: int
    said: str = field(init=False, repr=False)
    ids: list[int] = field(default_factory=list)
    logprob: float = 0.0
    is_whole: bool = False
    failed: bool = False

    def __post_init__(self) -> None:
        self.said = self.known.text[: self.known.ends[self.at]]
        self.logprob = sum(self.known.logprobs[: self.at])
        self._shape = _shape(self.known.text)

    def fits(self, piece: str, ends: bool) -> bool:
        """Returns whether a token that writes `piece`, or `ends` the answer, may be the next one."""
        if not self.ids and (ends or not self._differs(piece)):
            return False
        if not self.known.item.is_number:
            return bool(self.ids) or "\n" not in piece
        if ends or "\n" in piece or not self._shape.startswith(_shape(self.said + piece)):
            return False
        return any(map(str.isalnum, piece)) or not self.said or self.said[-1].isalnum()

    def take(self, token: int, piece: str, ends: bool, logprob: float) -> None:
        """Appends a token, unless the value ends before it."""
        item = self.known.item
        words = not item.is_number
        if words and self.ids and (ends or "\n" in piece or (not item.has_blanks and any(map(str.isspace, piece)))):
            self.is_whole = True
            return
        self.ids.append(token)
        self.said += piece
        self.logprob += logprob
        if words:
            self.is_whole = self.at + len(self.ids) >= len(self.known.ids)
        else:
            self.is_whole = len(_shape(self.said)) == len(self._shape)
            self.failed = not self.is_whole and self.at + len(self.ids) >= len(self.known.ids) + SLACK

    def _differs(self, piece: str) -> bool:
        """Returns whether the text with this token can no longer become a right spelling."""
        old, new = spelled(self.said), spelled(self.said + piece)
        rights = [spelled(spelling) for spelling in self.known.item.spellings]
        if new == old or any(right.startswith(new) or new.startswith(right) for right in rights):
            return False
        return self._shape[len(old)] == _shape(new[len(old)])


class Branching(LogitsProcessor):
    """Makes `generate` write one branch a row: it takes the likeliest token that fits."""

    def __init__(self, branches: Sequence[Branch], tokenizer: Any, ends: frozenset[int]) -> None:
        self._branches, self._tokenizer, self._ends = branches, tokenizer, ends
        self._end = min(ends)

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        """Returns scores [B, V] with all mass on the chosen token of each row."""
        forced = torch.full_like(scores, -float("inf"))
        likely = torch.log_softmax(scores.float(), -1)
        best = likely.topk(min(LOOKED_AT, scores.shape[1]), -1)
        for row, branch in enumerate(self._branches):
            token = self._end
            if not (branch.is_whole or branch.failed):
                self._step(branch, input_ids[row].tolist(), best.indices[row].tolist(), likely[row])
                token = branch.ids[-1] if branch.ids and not branch.is_whole and not branch.failed else self._end
            forced[row, token] = 0.0
        return forced

    def _step(self, branch: Branch, before: list[int], candidates: list[int], likely: Tensor) -> None:
        for token in candidates:
            ends = token in self._ends
            piece = "" if ends else self._piece(before, token)
            if branch.fits(piece, ends):
                branch.take(token, piece, ends, float(likely[token]))
                return
        branch.failed = True

    def _piece(self, before: list[int], token: int) -> str:
        tail, plain = before[-_TAIL:], {"clean_up_tokenization_spaces": False}
        old, new = self._tokenizer.decode(tail, **plain), self._tokenizer.decode([*tail, token], **plain)
        return str(new[len(old) :])


def branches_of(known: AnsweredValue) -> list[Branch]:
    """Makes a branch at each token that writes a letter or a digit of the value."""
    pieces = [known.text[a:b] for a, b in zip(known.ends, known.ends[1:], strict=False)]
    return [Branch(known, at) for at, piece in enumerate(pieces) if any(map(str.isalnum, piece))]


def grow(model: Any, tokenizer: Any, branches: Sequence[Branch]) -> None:
    """Writes the branches to their ends, in batches of similar length."""
    ends = end_ids(model, tokenizer)
    order = sorted(branches, key=lambda each: len(each.known.before) + each.at)
    for begin in range(0, len(order), BATCH):
        rows = order[begin : begin + BATCH]
        prompts = [[*row.known.before, *row.known.ids[: row.at]] for row in rows]
        longest = max(len(row.known.ids) - row.at for row in rows) + SLACK
        written = LogitsProcessorList([Branching(rows, tokenizer, ends)])
        greedy(model, tokenizer, prompts, longest, logits_processor=written)


def greedy(model: Any, tokenizer: Any, prompts: Sequence[Sequence[int]], new_tokens: int, **options: Any) -> Tensor:
    """Continues prompts greedily; returns ids [B, <= new_tokens], with padding behind an end."""
    ends = sorted(end_ids(model, tokenizer))
    width = max(map(len, prompts))
    ids = torch.tensor([[ends[0]] * (width - len(own)) + list(own) for own in prompts], device=model.device)
    mask = torch.tensor([[0] * (width - len(own)) + [1] * len(own) for own in prompts], device=model.device)
    with torch.inference_mode():
        out: Tensor = model.generate(
            input_ids=ids, attention_mask=mask, max_new_tokens=new_tokens, do_sample=False, repetition_penalty=1.0,
            pad_token_id=ends[0], eos_token_id=ends, **options,
        )  # fmt: skip
    return out[:, width:]


def end_ids(model: Any, tokenizer: Any) -> frozenset[int]:
    """Returns the tokens that end an answer."""
    stops = model.generation_config.eos_token_id
    several = stops if isinstance(stops, list) else [stops]
    return frozenset(token for token in (*several, tokenizer.eos_token_id) if token is not None)


def twins_of(branches: Sequence[Branch]) -> tuple[Twin | None, Twin | None]:
    """Returns the likeliest twin of one value's finished branches, and the twin that branches at the first token.

    Either is None if there is none.
    """
    whole = [
        Twin((*each.known.ids[: each.at], *each.ids), each.at, each.logprob)
        for each in branches
        if each.is_whole and each.ids
    ]
    first = min((each.at for each in branches), default=0)
    return max(whole, key=lambda twin: twin.logprob, default=None), next((t for t in whole if t.branch == first), None)


def _shape(text: str) -> str:
    """Returns `d` for each digit and `a` for each letter of a text."""
    return "".join("d" if c.isdigit() else "a" for c in text if c.isalnum())
