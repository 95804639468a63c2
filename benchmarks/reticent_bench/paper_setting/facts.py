"""Public facts that an untouched model is asked for: Factoscope's prompts, with three answered ones before each.

The answered ones are of the same relation. They show the form, so that the answer is the value alone, as a taught
model's is; they are not asked themselves.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import regex

from reticent_bench.paper_setting.asks import Ask
from reticent_detectors.errors import InputError

FILE = "llm-factoscope/factual_qa.dev.jsonl"
SHOWN = 3
PILOT, FULL = 500, 6000
"""Prompts of the pilot, and of the measurement, which begins with the pilot's."""


def fact_asks(data: Path, count: int) -> list[Ask]:
    """Returns prompts of all relations, equally many of each while they last, in a fixed random order.

    A question that comes twice, or has several answers in the file, is asked once; any of its answers is right.

    Args:
        data: folder with `llm-factoscope`.
        count: number of prompts.

    Raises:
        InputError: the file is missing or has another form.
    """
    answers: dict[str, dict[str, list[str]]] = {}
    try:
        for line in (data / FILE).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            of_relation = answers.setdefault(str(row["source"]), {})
            of_relation.setdefault(" ".join(str(row["prompt"]).split()), []).append(str(row["answer"]).strip())
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{data / FILE}: expected JSON lines with source, prompt and answer ({type(error).__name__})."
        ) from None
    turns = []
    for relation, found in sorted(answers.items()):
        rows = list(found.items())
        random.Random(f"facts {relation}").shuffle(rows)
        shown = "".join(f"{question}\n{own[0]}\n\n" for question, own in rows[:SHOWN])
        for turn, (question, own) in enumerate(rows[SHOWN:]):
            text = f"{shown}{question}\n"
            asked = Ask(relation, text, len(text) - 1, "\n".join(own), f"{relation}-{turn}", relation, 0)
            turns.append((turn, relation, asked))
    return [asked for _, _, asked in sorted(turns, key=lambda each: each[:2])[:count]]


def fact_owner(ask: Ask, answer: str) -> str:
    """Returns `own` for a right answer, but for case, punctuation and a leading article; else `made up`."""
    return "own" if _plain(answer) in {_plain(value) for value in ask.value.split("\n")} else "made up"


def _plain(text: str) -> str:
    words = regex.sub(r"[^\p{L}\p{N}]+", " ", text.casefold()).split()
    return " ".join(words[1:] if words[:1] == ["the"] else words)
