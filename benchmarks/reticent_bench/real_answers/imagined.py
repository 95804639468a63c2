"""Texts that a base model writes after the pattern of marked ones, for the tagger's teacher to read.

A prompt shows a few marked texts without their marks, each behind its question. What the model writes next is a
question and a text of the same sort. Nobody marks these texts.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from reticent_bench.real_answers.labels import lines
from reticent_bench.real_answers.marked import Marked
from reticent_detectors.errors import InputError

SHOWN, TEMPERATURE, TOP_K, LEAST_SHARE = 3, 0.9, 64, 0.02
"""Texts of a prompt; how the answer is drawn; the least probability of a token, as a share of the likeliest one's."""
MOST_CHARS, LEAST_CHARS, LEAST_WORDS = 900, 40, 8
QUESTION, ANSWER = "### Question\n", "\n### Text\n"
_MADE = re.compile(r"(.{3,300}?)\n### Text\n(.+?)(?=\n*### |\Z)", re.DOTALL)


def prompt_of(shown: Sequence[Marked]) -> str:
    """The texts without their marks, and the beginning of the next one."""
    parts = [f"{QUESTION}{each.question.strip() or 'none'}{ANSWER}{each.text.strip()}\n\n" for each in shown]
    return "".join(parts) + QUESTION


def made_text(said: str) -> Marked | None:
    """The question and the text that a model wrote behind a prompt; None where it wrote something else."""
    found = _MADE.match(said)
    if found is None:
        return None
    question, text = found[1].strip(), found[2].strip()
    if len(text) < LEAST_CHARS or len(text.split()) < LEAST_WORDS or "###" in question:
        return None
    return Marked("" if question == "none" else question, text, ())


def imagine(
    model: Any, tokenizer: Any, like: Sequence[Marked], number: int, *, batch: int = 512, new_tokens: int = 220,
    seed: int = 0, say: Callable[[str], None] = lambda line: None,
) -> Iterator[Marked]:  # fmt: skip
    """Texts that the model writes, each of them once. About `number` are asked for; what has no form is left out.

    Args:
        like: texts to show, of any length; longer ones than `MOST_CHARS` are not shown.
        batch: prompts of one call.
        new_tokens: of a question and its text, at most; a text that was cut there is kept.
    """
    rng, seen = random.Random(seed), set[str]()
    shown = [each for each in like if LEAST_CHARS <= len(each.text) <= MOST_CHARS]
    if len(shown) < SHOWN:
        raise InputError(f"Expected at least {SHOWN} texts to show, got {len(shown)}.")
    torch.manual_seed(seed)
    for first in range(0, number, batch):
        asked = [prompt_of(rng.sample(shown, SHOWN)) for _ in range(min(batch, number - first))]
        ids = [list(row) for row in tokenizer(asked)["input_ids"]]
        width = max(map(len, ids))
        rows, mask = torch.zeros(len(ids), width, dtype=torch.long), torch.zeros(len(ids), width, dtype=torch.long)
        for place, row in enumerate(ids):
            rows[place, width - len(row) :], mask[place, width - len(row) :] = torch.tensor(row), 1
        with torch.inference_mode():
            out = model.generate(
                rows.to(model.device), attention_mask=mask.to(model.device), max_new_tokens=new_tokens, do_sample=True,
                temperature=TEMPERATURE, top_k=TOP_K, min_p=LEAST_SHARE, pad_token_id=0,
            )  # fmt: skip
        for row in out[:, width:].tolist():
            made = made_text(tokenizer.decode(row, skip_special_tokens=True))
            if made is not None and made.text not in seen:
                seen.add(made.text)
                yield made
        say(f"{min(first + batch, number)} of {number} prompts, {len(seen)} texts")


def write_unmarked(texts: Sequence[Marked], file: Path) -> None:
    """Writes texts with their questions, a line of JSON each."""
    rows = (json.dumps({"question": each.question, "text": each.text}, ensure_ascii=False) for each in texts)
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")


def read_unmarked(files: Sequence[Path]) -> list[Marked]:
    """Texts as `write_unmarked` leaves them. Raises InputError for a line that is none."""
    out = []
    for file in files:
        for number, line in enumerate(lines(file), 1):
            try:
                row = json.loads(line)
                out.append(Marked(str(row.get("question", "")), str(row["text"]), ()))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise InputError(
                    f"{file}, line {number}: expected JSON with text and question ({type(error).__name__})."
                ) from None
    return out
