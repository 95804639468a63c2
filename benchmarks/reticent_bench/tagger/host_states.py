"""A host's states on marked texts: before each word's first token and at its last, at some depths, kept in a folder."""

from __future__ import annotations

import json
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from reticent_bench.real_answers.labels import lines
from reticent_bench.real_answers.marked import Marked
from reticent_detectors.capture import HostAdapter
from reticent_detectors.errors import InputError
from reticent_detectors.finder.tagger.words import words_of
from reticent_detectors.long_runs.progress import Advance, unseen

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


class _Over(Exception):
    """Ends a pass behind the last layer that is read."""


class _Kept(NamedTuple):
    """What a file keeps: how many texts were read, in how many seconds, and where their states are."""

    done: int
    seconds: float
    places: list[TextStates]

    def __repr__(self) -> str:
        return f"_Kept({self.done} texts)"

    @property
    def rows(self) -> int:
        return sum(len(each.ends) + 1 for each in self.places)

    def write(self, file: Path, settings: Mapping[str, Any]) -> None:
        """Replace the file in one step."""
        head = {"settings": settings, "done": self.done, "seconds": self.seconds}
        fresh = file.with_suffix(".new")
        fresh.write_text("".join(json.dumps(each) + "\n" for each in (head, *self.places)), encoding="utf-8")
        fresh.replace(file)

    @classmethod
    def of(cls, file: Path, row_bytes: int, settings: Mapping[str, Any]) -> _Kept:
        """Read a file. Raise InputError if it is of other settings."""
        if not file.exists():
            return cls(0, 0.0, [])
        head, *rows = map(json.loads, lines(file))
        if not isinstance(head, dict) or head["settings"] != json.loads(json.dumps(settings)):
            raise InputError(
                f"{file} holds the states of another model, number type or set of texts. Choose another folder for "
                "them, or delete it."
            )
        kept = cls(head["done"], head["seconds"], [_place(row) for row in rows])
        states = states_file(file)
        whole = states.exists() and states.stat().st_size >= kept.rows * row_bytes
        return kept if whole else cls(0, 0.0, [])


def states_file(file: Path) -> Path:
    """Return the file of the states whose places a file holds."""
    return file.with_suffix(".states")


class HostStates:
    """Reads a host at some depths.

    Args:
        host: the host and its layers.
        tokenizer: its own, a fast one.
        layers: indices of the D layers whose output is read, from 0.

    Raises InputError for a tokenizer that does not say which characters its tokens wrote.
    """

    def __init__(self, host: HostAdapter, tokenizer: Any, layers: Sequence[int]) -> None:
        if not getattr(tokenizer, "is_fast", False):
            raise InputError("Expected a fast tokenizer (tokenizer.json), which says what each token wrote.")
        self._host, self._tokenizer, self._layers = host, tokenizer, tuple(layers)
        self._seen = dict[int, torch.Tensor]()

    def _hook(self, layer: int) -> Callable[..., None]:
        def hook(module: Any, args: Any, output: Any) -> None:
            self._seen[layer] = output if isinstance(output, torch.Tensor) else output[0]
            if layer == max(self._layers):
                raise _Over

        return hook

    def keep(
        self, texts: Sequence[tuple[int, Marked]], file: Path, seconds: float, advance: Advance = unseen,
        settings: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """Read texts until the time is over; write places to `file`, and states [rows, D, d] beside it.

        Interrupted, the same call goes on after the last `TEXTS` texts that were read whole.

        Args:
            texts: the texts, each with its number.
            file: ends in `.jsonl`.
            seconds: for all calls together.
            advance: takes the progress.
            settings: what the states depend on. Raises InputError where those of the file are others.
        """
        settings = {} if settings is None else settings
        row_bytes = 2 * len(self._layers) * self._host.hidden_size
        kept = _Kept.of(file, row_bytes, settings)
        with states_file(file).open("ab") as out:
            out.truncate(kept.rows * row_bytes)
            while kept.done < len(texts) and (kept.done == 0 or kept.seconds < seconds):
                began, rows, places = time.monotonic(), kept.rows, list(kept.places)
                some = [(number, *self._ids(text)) for number, text in texts[kept.done : kept.done + TEXTS]]
                for part in _batches([each for each in some if each[2]]):
                    for (number, _, _, ends), states in zip(part, self._read(part), strict=True):
                        places.append(TextStates(number, rows, ends))
                        out.write(states.tobytes())
                        rows += len(states)
                out.flush()
                kept = _Kept(kept.done + len(some), kept.seconds + time.monotonic() - began, places)
                kept.write(file, settings)
                advance(f"read {file.stem}", kept.done, len(texts), f"{kept.rows:,} states")

    def _ids(self, text: Marked) -> tuple[list[int], list[int], tuple[int, ...]]:
        """Return the ids before a text and its own, and where its tokens end."""
        tokenizer = self._tokenizer
        made = tokenizer(text.left + text.text, add_special_tokens=False, return_offsets_mapping=True)
        before = "" if text.left else tokenizer.bos_token or ""
        if text.question:
            before = turn(tokenizer, text.question)
        ids = tokenizer(before, add_special_tokens=False)["input_ids"] if before else []
        most = min(ANSWER_TOKENS, self._host.context // 2)
        ends = tuple(end - len(text.left) for _, end in made["offset_mapping"][:most])
        return ids[most - self._host.context :], made["input_ids"][:most], ends

    @torch.inference_mode()
    def _read(self, part: Sequence[tuple[int, list[int], list[int], tuple[int, ...]]]) -> list[NDArray[np.float16]]:
        width = max(len(before) + len(own) for _, before, own, _ in part)
        ids = torch.zeros(len(part), width, dtype=torch.long)
        for row, (_, before, own, _) in enumerate(part):
            ids[row, : len(before) + len(own)] = torch.tensor(before + own)
        hooks = [self._host.layers[layer].register_forward_hook(self._hook(layer)) for layer in self._layers]
        try:
            with suppress(_Over):  # padding on the right is seen by no token before it
                self._host.model(input_ids=ids.to(self._host.device), use_cache=False)
            states = torch.stack([self._seen[layer].float().cpu() for layer in self._layers], 2)
        finally:
            self._seen.clear()
            for hook in hooks:
                hook.remove()
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
    places = list(map(_place, map(json.loads, lines(file)[1:])))
    rows = sum(len(each.ends) + 1 for each in places)
    states: NDArray[np.float16] = np.fromfile(states_file(file), np.float16)
    return places, states.reshape(-1, depths, states.size // depths // rows)[:rows]


def _place(row: Sequence[Any]) -> TextStates:
    number, first, ends = row
    return TextStates(number, first, tuple(ends))


def _batches(texts: list[Any]) -> list[list[Any]]:
    """Part texts by length, so that each part has about `TOKENS` tokens with its padding."""
    out = list[list[Any]]()
    for each in sorted(texts, key=lambda each: len(each[1]) + len(each[2])):
        if not out or (len(out[-1]) + 1) * (len(each[1]) + len(each[2])) > TOKENS:
            out.append([])
        out[-1].append(each)
    return out
