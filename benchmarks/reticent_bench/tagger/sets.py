"""The texts that the reader learns, with their weights, and those that are held out to choose by."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reticent_bench.finder.score import Gold
from reticent_bench.fresh_texts.sets import read as read_fresh
from reticent_bench.real_answers.labels import lines, read_answers, read_gold
from reticent_bench.real_answers.marked import Marked, as_marked, phrased, read_marked
from reticent_bench.real_answers.prompts import prompts
from reticent_bench.real_answers.unseen_texts import HALVES, read
from reticent_bench.tagger.harmless import harmless

SEED, PEOPLE, TEST_PEOPLE, PLAIN_MOST = 11, 24, 5, 30_000
HARMLESS = 900
GOLD = ("gold-read.jsonl", "gold-unread.jsonl")
ANSWER_WEIGHT, QUESTION_WEIGHT, PHRASED_WEIGHT = 2.0, 1.5, 0.35
OPENED = ("2026-11-30", "2026-12-01")
"""The fresh sets of earlier days. A third of the newest is held out, by prompt, form and phrasing."""
OPENED_WEIGHTS = {"answers": 8.0, "unannounced": 4.0, "numbers": 2.0, "technical": 2.0, "phrasings": 2.0}
QUESTIONS = "questions-"
"""The beginning of the names of files whose texts answer a question for one value."""


@dataclass(frozen=True)
class Sets:
    """Texts with the weight of each, and the held-out ones by name."""

    learned: Sequence[tuple[Marked, float]]
    held: Mapping[str, Sequence[Marked]]

    @property
    def digest(self) -> str:
        """What tells these texts from others."""
        every = (*self.learned, *((text, 0.0) for texts in self.held.values() for text in texts))
        rows = [(text.question, text.left, text.text, text.gold, weight) for text, weight in every]
        return hashlib.sha256(json.dumps(rows).encode()).hexdigest()

    def __repr__(self) -> str:
        return f"Sets({len(self.learned)} learned, held { ({name: len(texts) for name, texts in self.held.items()}) })"


def read_sets(folder: Path) -> Sets:
    """Read the marked texts below a folder `benchmarks`."""
    answers = folder / "real_answers"
    said = read_answers(*sorted(answers.glob("answers-*.jsonl")))
    own = [each for part in GOLD for each in as_marked(said, read_gold(answers / part), prompts())]
    files = sorted((answers / "written").glob("*.jsonl"))
    written = read_marked([file for file in files if not file.name.startswith(QUESTIONS)])
    questions = read_marked([file for file in files if file.name.startswith(QUESTIONS)])
    practice = read_practice(answers)
    unannounced = [each for half in HALVES for each in _unseen(folder, "unannounced", half)]
    learned = [(text, 1.0) for text in (*written, *unannounced)]
    learned += [(text, ANSWER_WEIGHT) for text in (*own, *practice)]
    learned += [(text, QUESTION_WEIGHT) for text in questions]
    learned += [(text, PHRASED_WEIGHT) for text in phrased(PEOPLE, SEED)]
    learned += [(text, 1.0) for text in harmless(HARMLESS, SEED)]
    for name, weight in OPENED_WEIGHTS.items():
        learned += [(text, weight) for text in read_opened(folder, name, held=False)]
    random.Random(SEED).shuffle(learned)
    return Sets(learned, read_held(folder))


def read_practice(folder: Path) -> list[Marked]:
    """Read the practice answers, with the marks that a third reader kept where two differ."""
    decided = dict[tuple[str, int], list[tuple[str, str, int]]]()
    for line in lines(folder / "practice-second-reading.jsonl"):
        row = json.loads(line)
        if "decided" in row:
            decided[row["model"], row["row"]] = row["decided"]
    out = list[Marked]()
    for file in sorted((folder / "practice").glob("*.jsonl")):
        for number, text in enumerate(read_marked([file])):
            marks = decided.get((file.stem, number))
            gold = (
                text.gold
                if marks is None
                else tuple(sorted((_placed(text.text, mark) for mark in marks), key=lambda mark: mark.start))
            )
            out.append(Marked(text.question, text.text, gold))
    return out


def _placed(text: str, mark: tuple[str, str, int]) -> Gold:
    """Return the n-th place of a value in a text, by its kind."""
    kind, value, count = mark
    at = -1
    for _ in range(count):
        at = text.index(value, at + 1)
    return Gold(kind, at, at + len(value))


def read_opened(folder: Path, name: str, held: bool) -> list[Marked]:
    """Read the part of the opened sets that is held out, or what is learned."""
    return [
        Marked(text.question, text.text, text.gold)
        for day in OPENED
        for text in read_fresh(folder / "opened_texts" / day, name)
        if held is (day == OPENED[-1] and hashlib.sha256(text.group.encode()).digest()[0] % 3 == 0)
    ]


def read_held(folder: Path) -> dict[str, list[Marked]]:
    """Read the texts that are not learned, by name."""
    return {
        "answers of real models": read_opened(folder, "answers", held=True),
        "unannounced": read_opened(folder, "unannounced", held=True),
        "strangers' phrasings": read_opened(folder, "phrasings", held=True),
        "numbers": read_opened(folder, "numbers", held=True),
        "technical": read_opened(folder, "technical", held=True),
        "test phrasings": list(phrased(TEST_PEOPLE, SEED + 1, tests=True)),
    }


def _unseen(folder: Path, name: str, half: str) -> list[Marked]:
    return [Marked(text.question, text.text, text.gold) for text in read(folder / "unseen_texts", name, half)]


def plain_texts(folder: Path) -> list[str]:
    """Read some plain text of JSON lines below a folder, for the pieces that it uses."""
    out = list[str]()
    for file in sorted(folder.rglob("*.jsonl")) + sorted(folder.rglob("*.csv")) + sorted(folder.rglob("*.txt")):
        rows = file.read_text(encoding="utf-8", errors="replace").split("\n")[:PLAIN_MOST]
        for row in rows:
            try:
                made = json.loads(row)
                out += [each for each in (made.values() if isinstance(made, dict) else ()) if isinstance(each, str)]
            except ValueError:
                out.append(row)
    return out
