"""A host's states on marked texts: before each word's first token and at its last, at some depths, kept in a folder."""

from __future__ import annotations

import json
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from reticent_bench.real_answers.labels import lines
from reticent_bench.real_answers.marked import Marked
from reticent_detectors.finder.tagger.words import words_of

TOKENS, ANSWER_TOKENS, TEXTS = 3_000, 400, 160
"""Tokens of a pass, about; tokens of an answer that are read: its first; texts that are sorted by length."""
Place = tuple[int, int]


class TextStates(NamedTuple):
    """A text's place in a file of states: the row of what stands before it, and where its T tokens end."""

    number: int
    row: int
    ends: tuple[int, ...]

    def words(self, text: str) -> list[tuple[Place, Place]]:
        """Return words, and the rows of the states before their first and at their last tokens."""
        out = list[tuple[Place, Place]]()
        for start, end, _ in words_of(text):
            first, last = bisect_right(self.ends, start), bisect_left(self.ends, end)
            if last >= len(self.ends):
                break
            out.append(((start, end), (self.row + first, self.row + last + 1)))
        return out


class HostStates:
    """Reads a host at some depths.

    Args:
        model: a transformers decoder without its head. Layers above the last that is read are taken off.
        tokenizer: its own.
        layers: indices of the D layers whose output is read, from 0.
    """

    def __init__(self, model: Any, tokenizer: Any, layers: Sequence[int]) -> None:
        self._model, self._tokenizer, self._layers = model.eval(), tokenizer, tuple(layers)
        model.layers = model.layers[: max(layers) + 1]
        self._seen = dict[int, torch.Tensor]()
        for layer in layers:
            model.layers[layer].register_forward_hook(self._hook(layer))

    def _hook(self, layer: int) -> Callable[..., None]:
        def hook(module: Any, args: Any, output: Any) -> None:
            self._seen[layer] = output if isinstance(output, torch.Tensor) else output[0]

        return hook

    def keep(self, texts: Sequence[tuple[int, Marked]], file: Path, seconds: float, say: Callable[[str], None]) -> None:
        """Read texts until the time is over; write states [rows, D, d] to `file`, and places beside it."""
        began, rows, places = time.monotonic(), 0, list[TextStates]()
        with file.with_suffix(".states").open("wb") as out:
            for at in range(0, len(texts), TEXTS):
                some = [(number, *self._ids(text)) for number, text in texts[at : at + TEXTS]]
                for part in _batches([each for each in some if each[2]]):
                    for (number, _, _, ends), states in zip(part, self._read(part), strict=True):
                        places.append(TextStates(number, rows, ends))
                        out.write(states.tobytes())
                        rows += len(states)
                say(f"{file.name}: {len(places)} of {len(texts)} texts, {rows} states")
                if time.monotonic() - began > seconds:
                    break
        file.write_text("".join(json.dumps(each) + "\n" for each in places), encoding="utf-8")

    def _ids(self, text: Marked) -> tuple[list[int], list[int], tuple[int, ...]]:
        """Return the ids before a text and its own, and where its tokens end."""
        tokenizer = self._tokenizer
        made = tokenizer(text.left + text.text, add_special_tokens=False, return_offsets_mapping=True)
        before = "" if text.left else tokenizer.bos_token or ""
        if text.question:
            before = turn(tokenizer, text.question)
        ids = tokenizer(before, add_special_tokens=False)["input_ids"] if before else []
        ends = tuple(end - len(text.left) for _, end in made["offset_mapping"][:ANSWER_TOKENS])
        return ids, made["input_ids"][:ANSWER_TOKENS], ends

    @torch.inference_mode()
    def _read(self, part: Sequence[tuple[int, list[int], list[int], tuple[int, ...]]]) -> list[NDArray[np.float16]]:
        width = max(len(before) + len(own) for _, before, own, _ in part)
        ids = torch.zeros(len(part), width, dtype=torch.long)
        for row, (_, before, own, _) in enumerate(part):
            ids[row, : len(before) + len(own)] = torch.tensor(before + own)
        self._model(input_ids=ids, use_cache=False)  # padding on the right is seen by no token before it
        states = torch.stack([self._seen[layer] for layer in self._layers], 2).float()
        states = (states * states.square().mean(-1, keepdim=True).clamp_min(1e-6).rsqrt()).half()
        out = list[NDArray[np.float16]]()
        for row, (_, before, own, _) in enumerate(part):
            first, last = len(before), len(before) + len(own)
            nothing = states[row, :0] if first else torch.zeros_like(states[row, :1])
            out.append(torch.cat((nothing, states[row, max(0, first - 1) : last])).numpy())
        return out


def turn(tokenizer: Any, question: str) -> str:
    """Return a user's turn as the chat template writes it after another; the question alone without a template."""
    if tokenizer.chat_template is None:
        return question + "\n"
    before = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    begun = tokenizer.apply_chat_template(before, tokenize=False)
    whole = tokenizer.apply_chat_template(
        [*before, {"role": "user", "content": question}], tokenize=False, add_generation_prompt=True
    )
    made: str = whole[len(begun) :]
    return made


def load(file: Path, depths: int) -> tuple[list[TextStates], NDArray[np.float16]]:
    """Return the places of texts and the states [rows, D, d] that `HostStates.keep` wrote."""
    places = [TextStates(number, row, tuple(ends)) for number, row, ends in map(json.loads, lines(file))]
    rows = sum(len(each.ends) + 1 for each in places)
    states: NDArray[np.float16] = np.fromfile(file.with_suffix(".states"), np.float16)
    return places, states.reshape(-1, depths, states.size // depths // rows)[:rows]


def _batches(texts: list[Any]) -> list[list[Any]]:
    """Part texts by length, so that each part has about `TOKENS` tokens with its padding."""
    out = list[list[Any]]()
    for each in sorted(texts, key=lambda each: len(each[1]) + len(each[2])):
        if not out or (len(out[-1]) + 1) * (len(each[1]) + len(each[2])) > TOKENS:
            out.append([])
        out[-1].append(each)
    return out
