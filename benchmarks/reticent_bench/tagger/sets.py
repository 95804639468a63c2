"""The texts that the reader learns, with their weights, and those that are held out to choose by."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reticent_bench.real_answers.labels import read_answers, read_gold
from reticent_bench.real_answers.marked import Marked, as_marked, phrased, read_marked
from reticent_bench.real_answers.prompts import prompts
from reticent_bench.real_answers.unseen_texts import read
from reticent_bench.tagger.harmless import harmless

SEED, PEOPLE, TEST_PEOPLE, PLAIN_MOST = 11, 24, 5, 30_000
HARMLESS = 900
ANSWER_WEIGHT, QUESTION_WEIGHT, PHRASED_WEIGHT = 2.0, 1.5, 0.35
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
    own = as_marked(said, read_gold(answers / "gold-read.jsonl"), prompts())
    files = sorted((answers / "written").glob("*.jsonl"))
    written = read_marked([file for file in files if not file.name.startswith(QUESTIONS)])
    questions = read_marked([file for file in files if file.name.startswith(QUESTIONS)])
    practice = read_marked(sorted((answers / "practice").glob("*.jsonl")))
    learned = [(text, 1.0) for text in (*written, *_unseen(folder, "unannounced", "practice"))]
    learned += [(text, ANSWER_WEIGHT) for text in (*own, *practice)]
    learned += [(text, QUESTION_WEIGHT) for text in questions]
    learned += [(text, PHRASED_WEIGHT) for text in phrased(PEOPLE, SEED)]
    learned += [(text, 1.0) for text in harmless(HARMLESS, SEED)]
    random.Random(SEED).shuffle(learned)
    return Sets(learned, read_held(folder))


def read_held(folder: Path) -> dict[str, list[Marked]]:
    """Read the texts that are not learned, by name."""
    answers = folder / "real_answers"
    said = read_answers(*sorted(answers.glob("answers-*.jsonl")))
    return {
        "answers of real models": as_marked(said, read_gold(answers / "gold-unread.jsonl"), prompts()),
        "unannounced": _unseen(folder, "unannounced", "unread"),
        "numbers": _unseen(folder, "numbers", "unread"),
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
