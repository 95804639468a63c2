"""General questions that are mixed into the training: SQuAD, each with the sentence that holds the answer."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reticent_bench.paper_setting.forms import prompt
from reticent_detectors.errors import InputError

FILES = ("squad-subset/train-v1.1.json", "squad-subset/dev-v1.1.json", "xquad/xquad.en.json")
TRAINED = 2000
"""Questions that are taught. The others measure what the training costs."""
REACH_CHARS = 80
"""Characters of the passage before and behind the answer. The paper cuts examples at 128 tokens."""


@dataclass(frozen=True, slots=True)
class Example:
    """What a model is given and what it is taught to answer."""

    prompt: str
    answer: str

    def __repr__(self) -> str:
        return f"Example({len(self.prompt)} + {len(self.answer)} characters)"


def general_questions(data: Path) -> tuple[list[Example], list[Example]]:
    """Reads SQuAD's distinct questions in a fixed random order: those that are taught, and those held out.

    Args:
        data: folder with `squad-subset` and `xquad`.

    Raises:
        InputError: a file is missing or has another form, or there are too few questions.
    """
    found: dict[str, Example] = {}
    for name in FILES:
        try:
            articles = json.loads((data / name).read_text(encoding="utf-8"))["data"]
            for paragraph in (p for article in articles for p in article["paragraphs"]):
                for asked in paragraph["qas"]:
                    answer, question = asked["answers"][0], " ".join(asked["question"].split())
                    passage = _around(paragraph["context"], int(answer["answer_start"]), answer["text"])
                    found.setdefault(question.lower(), Example(prompt(passage, question), answer["text"].strip()))
        except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
            raise InputError(
                f"{data / name}: expected a JSON file in the form of SQuAD 1.1 ({type(error).__name__}). Name the "
                "folder that holds squad-subset and xquad."
            ) from None
    if len(found) <= TRAINED:
        raise InputError(f"Expected more than {TRAINED} distinct questions in {', '.join(FILES)}, got {len(found)}.")
    order = random.Random("general questions").sample(list(found.values()), len(found))
    return order[:TRAINED], order[TRAINED:]


def _around(passage: str, start: int, answer: str) -> str:
    """Returns whole words of the passage around an answer, as one line."""
    first, last = max(0, start - REACH_CHARS), start + len(answer) + REACH_CHARS
    words = passage[first:last].split(" ")
    if first and len(words) > 1 and first + len(words[0]) < start:
        words = words[1:]
    if last < len(passage) and len(words) > 1:
        words = words[:-1]
    return " ".join(" ".join(words).split())


def mixed(examples: Sequence[Example], private: int) -> list[Example]:
    """Returns one general question for each four private ones: the first of a fixed order."""
    return list(examples[: private // 4])
