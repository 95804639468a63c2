"""What the models are asked: prompts of many sorts in six languages."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from reticent_detectors.synth.prompts import Prompt

UNREAD_SORTS = frozenset({"medical", "support-chats", "json", "translations"})
"""Their answers, and all of `UNREAD_MODEL`, are read by nobody who changes the finder."""
UNREAD_MODEL = "qwen2.5-coder-0.5b-instruct"
TEMPERATURE = 0.8
"""Of every second prompt; the others are answered greedily."""


@dataclass(frozen=True, slots=True)
class AnswerPrompt:
    """A prompt of the set: its sort, its language as an ISO code, and the temperature of its answers."""

    id: str
    sort: str
    language: str
    text: str
    temperature: float

    @property
    def prompt(self) -> Prompt:
        return Prompt(self.id, self.sort, "", (("user", self.text),), "")


def prompts(file: Path | None = None) -> list[AnswerPrompt]:
    """The prompts of a file in order, or the shipped ones."""
    shipped = files("reticent_bench.real_answers").joinpath("prompts.tsv")
    text = (file or shipped).read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return [
        AnswerPrompt(row["id"], row["sort"], row["language"], row["prompt"], TEMPERATURE * (number % 2))
        for number, row in enumerate(rows)
    ]


def is_unread(model: str, sort: str) -> bool:
    """Whether an answer belongs to the part that is opened once."""
    return model == UNREAD_MODEL or sort in UNREAD_SORTS
