"""Asks a checkpoint all prompts and keeps its answers, one line of JSON each."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from reticent_bench.real_answers.prompts import AnswerPrompt
from reticent_bench.real_models.guarded_answers import Rows
from reticent_detectors.host.answers import answer_all

SEED = 5
_SENTENCE = re.compile(r"[^.!?\n]+[.!?\n]*")
_LOOP_WORDS = 5
"""Words of a sentence or line that makes a loop when it is said again."""


def until_it_repeats(text: str) -> str:
    """The text up to a sentence or line of some length that it said before, word for word."""
    said = set[str]()
    for match in _SENTENCE.finditer(text):
        plain = " ".join(match[0].split())
        if plain in said:
            return text[: match.start()].rstrip()
        if len(plain.split()) >= _LOOP_WORDS:
            said.add(plain)
    return text


def digest(asked: Sequence[AnswerPrompt]) -> str:
    """What tells one set of prompts from another."""
    hashed = [[each.id, each.text, each.temperature] for each in asked]
    return hashlib.sha256(json.dumps(hashed).encode()).hexdigest()[:16]


def write_answers(
    model: Any,
    tokenizer: Any,
    name: str,
    asked: Sequence[AnswerPrompt],
    out: Path,
    *,
    new_tokens: int = 120,
    batch: int = 16,
    resume: bool = False,
    say: Callable[[str], None] = lambda line: None,
) -> None:
    """Appends the answers to `asked` to the file `out`, batch by batch; what it holds already is not asked again.

    An answer ends where it begins to repeat itself.

    Args:
        name: of the model, written beside each answer.
        new_tokens: of each answer, at most.
        batch: prompts of one call; all have the same temperature.
        resume: go on with a file that is there.

    Raises:
        InputError: the file is there without `resume`, or was made with other settings.
    """
    settings = {
        "model": name,
        "dtype": str(model.dtype).removeprefix("torch."),
        "seed": SEED,
        "new_tokens": new_tokens,
        "batch": batch,
        "prompts": len(asked),
        "sha256 of the prompts": digest(asked),
    }
    rows = Rows(out, settings, resume)
    for temperature in sorted({each.temperature for each in asked}):
        own = [each for each in asked if each.temperature == temperature]
        for first in range(0, len(own), batch):
            part = own[first : first + batch]
            if all(each.id in rows.plain for each in part):
                continue
            answers = answer_all(
                model, tokenizer, [each.prompt for each in part], temperature=temperature, max_new_tokens=new_tokens,
                batch=batch, seed=SEED + first,
            )  # fmt: skip
            for each, answer in zip(part, answers, strict=True):
                if each.id in rows.plain:
                    continue
                text = until_it_repeats(tokenizer.decode(answer.ids, skip_special_tokens=True))
                rows.add({"id": each.id, "model": name, "text": text, "ended": answer.ended})
            say(f"{len(rows.plain)} of {len(asked)} answers")
