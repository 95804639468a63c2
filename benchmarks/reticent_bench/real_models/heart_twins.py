"""The twin of a value that a model knows: its own likeliest wrong continuation.

A twin shares the prompt and the first tokens of the value. At one token, the branch, the likeliest token stands that makes the value
another one. From there on the model goes on greedily until the value has the true one's form:

- a number has the true one's letters and digits at the same places, whatever stands between; a token that breaks this form is passed
  over for the next likely one;
- other values have as many tokens as the true one, or fewer where the line or the answer ends, or where a blank comes and the true
  value has none. At the branch a letter stands for a letter and a digit for a digit, so that `7th` is no twin of `7, 1941`.

Each token with a letter or a digit is tried as the branch. The twin is the one of them whose tokens are together the likeliest.
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
"""So many of the likeliest tokens are looked at for one that fits; a branch without any is given up."""
BATCH = 32
SLACK = 8
"""A number may have so many tokens more than the true one, for what stands between its digits."""
_TAIL = 4
"""A token is decoded behind so many others, for some decoders drop the blank at the beginning of a text."""


@dataclass(frozen=True)
class Known:
    """A value that a model said: the ids `prompt`, those of the answer in front of it (`lead`), and its own.

    `start` is its first character in the answer. `ends` says how many of its characters the first tokens wrote, for each number of
    them from 0 on; `logprobs` [T] are theirs, in nats.
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
        """All ids in front of the value."""
        return (*self.prompt, *self.lead)


@dataclass(frozen=True)
class Twin:
    """A wrong value: its ids, at which of them it branches off, and the log-probability of all of them together, in nats."""

    ids: tuple[int, ...]
    branch: int
    logprob: float


@dataclass
class Branch:
    """One value on its way to become a wrong one. `take` and `is_whole` see nothing but texts, so they need no model."""

    known: Known
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
        """Whether a token that writes `piece`, or `ends` the answer, may be the next one."""
        if not self.ids and (ends or not self._differs(piece)):
            return False
        if not self.known.item.is_number:
            return bool(self.ids) or "\n" not in piece
        if ends or "\n" in piece or not self._shape.startswith(_shape(self.said + piece)):
            return False
        return any(map(str.isalnum, piece)) or not self.said or self.said[-1].isalnum()

    def take(self, token: int, piece: str, ends: bool, logprob: float) -> None:
        """Goes on with a token, unless the value ends before it."""
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
        """Whether what is said with this token can no longer become a right spelling."""
        old, new = spelled(self.said), spelled(self.said + piece)
        rights = [spelled(spelling) for spelling in self.known.item.spellings]
        if new == old or any(right.startswith(new) or new.startswith(right) for right in rights):
            return False
        return self._shape[len(old)] == _shape(new[len(old)])


class Branching(LogitsProcessor):
    """Makes `generate` write branches, one a row: of the likeliest tokens the first that fits."""

    def __init__(self, branches: Sequence[Branch], tokenizer: Any, ends: frozenset[int]) -> None:
        self._branches, self._tokenizer, self._ends = branches, tokenizer, ends
        self._end = min(ends)

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        """Scores [B, V] with all mass on the chosen token of each row."""
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


def branches_of(known: Known) -> list[Branch]:
    """A branch at each token that writes a letter or a digit of the value."""
    pieces = [known.text[a:b] for a, b in zip(known.ends, known.ends[1:], strict=False)]
    return [Branch(known, at) for at, piece in enumerate(pieces) if any(map(str.isalnum, piece))]


def grow(model: Any, tokenizer: Any, branches: Sequence[Branch]) -> None:
    """Writes the branches to their ends, in batches of like length."""
    ends = end_ids(model, tokenizer)
    order = sorted(branches, key=lambda each: len(each.known.before) + each.at)
    for begin in range(0, len(order), BATCH):
        rows = order[begin : begin + BATCH]
        prompts = [[*row.known.before, *row.known.ids[: row.at]] for row in rows]
        longest = max(len(row.known.ids) - row.at for row in rows) + SLACK
        written = LogitsProcessorList([Branching(rows, tokenizer, ends)])
        greedy(model, tokenizer, prompts, longest, logits_processor=written)


def greedy(model: Any, tokenizer: Any, prompts: Sequence[Sequence[int]], new_tokens: int, **options: Any) -> Tensor:
    """The likeliest continuations [B, <= new_tokens] of prompts, as ids; what stands behind an end is padding."""
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
    """The tokens that end an answer."""
    stops = model.generation_config.eos_token_id
    several = stops if isinstance(stops, list) else [stops]
    return frozenset(token for token in (*several, tokenizer.eos_token_id) if token is not None)


def twins_of(branches: Sequence[Branch]) -> tuple[Twin | None, Twin | None]:
    """Of one value's finished branches: the likeliest twin, and the one that branches at the first token; None where there is none."""
    whole = [
        Twin((*each.known.ids[: each.at], *each.ids), each.at, each.logprob)
        for each in branches
        if each.is_whole and each.ids
    ]
    first = min((each.at for each in branches), default=0)
    return max(whole, key=lambda twin: twin.logprob, default=None), next((t for t in whole if t.branch == first), None)


def _shape(text: str) -> str:
    """`d` for each digit and `a` for each letter of a text."""
    return "".join("d" if c.isdigit() else "a" for c in text if c.isalnum())
