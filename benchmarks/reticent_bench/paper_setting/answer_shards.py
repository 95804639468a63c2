"""Asks a model and keeps the answers as files of 256 prompts, of which those that are there are not asked again."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_bench.paper_setting.asks import Ask
from reticent_bench.paper_setting.greedy import TOP, GreedyAnswer, TokenNumbers, greedy, read
from reticent_detectors.alignment import text_ids
from reticent_detectors.errors import InputError

CHUNK, BATCH = 256, 128
"""Prompts of a file, and at most of a batch."""


def ask_all(
    asked: Sequence[Ask],
    folder: Path,
    load: Callable[[], tuple[Any, Any, Any, frozenset[int]]],
    owner: Callable[[Ask, str], str],
    taught: Callable[[Ask], int],
    most: int,
    progress: Callable[[int, int], None],
) -> None:
    """Asks all prompts and writes the files that are not there. A file is written in one step.

    Args:
        asked: the prompts.
        folder: where the files go.
        load: returns the model, the model before the training (or None), the tokenizer, and the tokens that end an
            answer. It is called only if something is left to ask.
        owner: tells whose value an answer is.
        taught: tells how often the value was taught.
        most: most tokens of an answer.
        progress: takes the files done, and all.

    Raises:
        InputError: the folder holds the answers to another number of prompts, or a state is too large for 16 bits.
    """
    folder.mkdir(parents=True, exist_ok=True)
    total = -(-len(asked) // CHUNK)
    files = [folder / f"{part:04d}-of-{total:04d}.npz" for part in range(total)]
    if other := sorted(set(folder.glob("*.npz")) - set(files)):
        raise InputError(f"{folder} holds the answers to other prompts ({other[0].name}); choose another folder.")
    if all(file.exists() for file in files):
        return
    model, base, tokenizer, stops = load()
    encoded = [text_ids(tokenizer, each.text) for each in asked]
    order = sorted(range(len(asked)), key=lambda i: (len(encoded[i]), i))
    for part, file in enumerate(files):
        if not file.exists():
            chosen = order[part * CHUNK : (part + 1) * CHUNK]
            rows = [asked[i] for i in chosen]
            ids = [encoded[i] for i in chosen]
            answers = _answers(model, tokenizer, rows, ids, stops, most)
            columns = _columns(tokenizer, rows, answers, owner, taught)
            columns |= {"index": np.array(chosen, dtype=np.int32), "prompt_tokens": np.array([len(i) for i in ids])}
            columns |= _numbers("", [answer.numbers for answer in answers], most + 1)
            if base is not None:
                columns |= _numbers("base_", _base(base, ids, answers), most + 1)
            _write(file, columns)
        progress(part + 1, total)


def _answers(
    model: Any,
    tokenizer: Any,
    rows: Sequence[Ask],
    ids: Sequence[Sequence[int]],
    stops: frozenset[int],
    most: int,
) -> list[GreedyAnswer]:
    """Answers prompts that are sorted by their number of tokens."""
    names = [name_token(tokenizer, row.text, row.name_end) for row in rows]
    out, first = list[GreedyAnswer](), 0
    while first < len(ids):
        last = first
        while last < len(ids) and last - first < BATCH and len(ids[last]) == len(ids[first]):
            last += 1
        out += greedy(model, ids[first:last], names[first:last], stops, most)
        first = last
    return out


def name_token(tokenizer: Any, text: str, end: int) -> int:
    """Returns the index of the token that holds the character before `end`, among the ids of `text_ids`."""
    encoded = tokenizer(text, return_offsets_mapping=True)
    added = len(text_ids(tokenizer, text)) - len(encoded["input_ids"])
    return added + max(
        place for place, (first, last) in enumerate(encoded["offset_mapping"]) if first < end and last > first
    )


def _base(base: Any, ids: Sequence[Sequence[int]], answers: Sequence[GreedyAnswer]) -> list[TokenNumbers]:
    """Returns what the other model says of the same tokens, ends included."""
    tokens = [[*a.ids, *([] if a.end is None else [a.end])] for a in answers]
    out = list[TokenNumbers]()
    for first in range(0, len(ids), BATCH // 2):
        out += read(base, ids[first : first + BATCH // 2], tokens[first : first + BATCH // 2])
    return out


def _columns(
    tokenizer: Any,
    rows: Sequence[Ask],
    answers: Sequence[GreedyAnswer],
    owner: Callable[[Ask, str], str],
    taught: Callable[[Ask], int],
) -> dict[str, NDArray[Any]]:
    texts = [tokenizer.decode(answer.ids).strip() for answer in answers]
    width = max((len(answer.ids) for answer in answers), default=0)
    ids = np.full((len(rows), width), -1, dtype=np.int32)
    for row, answer in enumerate(answers):
        ids[row, : len(answer.ids)] = answer.ids
    columns = {
        "set": np.array([row.set for row in rows]),
        "subject": np.array([row.subject for row in rows]),
        "kind": np.array([row.kind for row in rows]),
        "form": np.array([row.form for row in rows], dtype=np.int8),
        "given": np.array([bool(row.given) for row in rows]),
        "taught": np.array([taught(row) for row in rows], dtype=np.int16),
        "whose": np.array([owner(row, text) for row, text in zip(rows, texts, strict=True)]),
        "answer_ids": ids,
        "tokens": np.array([len(answer.ids) for answer in answers], dtype=np.int16),
        "ended": np.array([answer.end is not None for answer in answers]),
        "prompt_states": np.stack([answer.prompt_states for answer in answers]),
        "place_states": np.stack([answer.place_states for answer in answers]),
    }
    if not all(np.isfinite(columns[name]).all() for name in ("prompt_states", "place_states")):
        raise InputError("A hidden state is too large for 16 bits; this model's states cannot be kept so.")
    return columns


def _numbers(prefix: str, numbers: Sequence[TokenNumbers], width: int) -> dict[str, NDArray[Any]]:
    """Returns arrays [rows, width], padded with NaN (ranks with 0). The last number of an ended answer is its end's."""
    out: dict[str, NDArray[Any]] = {
        f"{prefix}{name}": np.full((len(numbers), width), np.nan, dtype=np.float32)
        for name in ("surprisal", "entropy", "margin")
    }
    out[f"{prefix}rank"] = np.zeros((len(numbers), width), dtype=np.int32)
    out[f"{prefix}top"] = np.full((len(numbers), width, TOP), np.nan, dtype=np.float16)
    for row, each in enumerate(numbers):
        for name in ("surprisal", "entropy", "margin", "rank", "top"):
            out[f"{prefix}{name}"][row, : len(each)] = getattr(each, name)
    return out


def _write(file: Path, columns: dict[str, NDArray[Any]]) -> None:
    beside = file.with_suffix(".part")
    with beside.open("wb") as opened:
        np.savez(opened, **columns)  # type: ignore[arg-type]
    os.replace(beside, file)


def read_shards(folder: Path, names: Collection[str] | None = None) -> dict[str, NDArray[Any]]:
    """Returns columns of a folder's files, all or those of `names`, one row for each prompt in the order of `asks`.

    Answer ids are padded with -1 to the longest answer, and states are in units of `greedy.STATE_UNIT`.

    Raises InputError if a file is missing.
    """
    files = sorted(folder.glob("*.npz"))
    total = int(files[0].stem.split("-of-")[1]) if files else 1
    if len(files) < total:
        raise InputError(f"{folder} holds {len(files)} of {total} files; go on with the run that asks.")
    parts = list[dict[str, NDArray[Any]]]()
    for file in files:
        with np.load(file) as opened:
            wanted = set(opened) if names is None else {"index", *names}
            parts.append({name: opened[name] for name in opened if name in wanted})
    if "answer_ids" in parts[0]:
        width = max(part["answer_ids"].shape[1] for part in parts)
        for part in parts:
            ids = part["answer_ids"]
            part["answer_ids"] = np.pad(ids, ((0, 0), (0, width - ids.shape[1])), constant_values=-1)
    whole = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    order = np.argsort(whole["index"])
    return {name: column[order] for name, column in whole.items()}
