"""The texts that the tagger is trained on, and those that are held out to measure it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reticent_bench.real_answers.labels import Labels, read_answers, read_gold
from reticent_bench.real_answers.marked import Marked, phrased, read_marked
from reticent_bench.real_answers.prompts import AnswerPrompt, prompts
from reticent_bench.real_answers.unseen_texts import read

SEED, HELD_WRITTEN, HELD_PROMPTS = 11, 6, 3
"""For the figures every sixth written text is held out, and a third of the prompts."""
ANSWER_WEIGHT, PHRASED_WEIGHT = 1.5, 0.3


@dataclass(frozen=True)
class Texts:
    """The tagger's training texts.

    Read answers and practice answers come with their prompts, which are held out whole.
    """

    written: Sequence[Marked]
    answers: Sequence[tuple[str, Marked]]
    practice: Sequence[tuple[str, Marked]]
    phrased: Sequence[Marked]

    def __repr__(self) -> str:
        return f"Texts({self.counts()})"

    def counts(self) -> dict[str, int]:
        """How many of each sort."""
        return {
            "written": len(self.written), "values in these": sum(len(text.gold) for text in self.written),
            "answers": len(self.answers), "practice": len(self.practice),
            "values in practice": sum(len(text.gold) for _, text in self.practice), "phrased": len(self.phrased),
        }  # fmt: skip

    def parted(self) -> tuple[Texts, Texts]:
        """Most of them, and those that are held out: some written texts, and all answers to some prompts."""
        rng = random.Random(SEED)
        answers, held_answers = _parted(self.answers, rng)
        practice, held_practice = _parted(self.practice, rng)
        seen = [text for number, text in enumerate(self.written) if number % HELD_WRITTEN]
        return (
            Texts(seen, answers, practice, self.phrased),
            Texts(self.written[::HELD_WRITTEN], held_answers, held_practice, ()),
        )

    def weighted(self) -> tuple[list[Marked], list[float]]:
        """All texts, and how often each is read in an epoch."""
        answers = [text for _, text in (*self.answers, *self.practice)]
        weights = [1.0] * len(self.written) + [ANSWER_WEIGHT] * len(answers) + [PHRASED_WEIGHT] * len(self.phrased)
        return [*self.written, *answers, *self.phrased], weights


def _parted(
    answers: Sequence[tuple[str, Marked]], rng: random.Random
) -> tuple[list[tuple[str, Marked]], list[tuple[str, Marked]]]:
    """Answers to most prompts, and those to the others."""
    prompts = sorted({key for key, _ in answers})
    held = set(rng.sample(prompts, len(prompts) // HELD_PROMPTS))
    return [each for each in answers if each[0] not in held], [each for each in answers if each[0] in held]


def read_texts(folder: Path, phrasings: int = 800, unseen: Path | None = None) -> Texts:
    """The training texts of a folder, in an order of their own.

    Args:
        phrasings: how many answers in our own phrasings.
        unseen: folder of the unseen texts, whose practice half of the set "unannounced" is learned as well.
    """
    rng = random.Random(SEED)
    written, ours = read_marked(sorted((folder / "written").glob("*.jsonl"))), list(phrased(8, SEED))
    if unseen is not None:
        written += [Marked(each.question, each.text, each.gold) for each in read(unseen, "unannounced", "practice")]
    answers = read_answers(*sorted(folder.glob("answers-*.jsonl")))
    said = as_marked(answers, read_gold(folder / "gold-read.jsonl"), prompts())
    rng.shuffle(written)
    rng.shuffle(ours)
    practice = [(text.question, text) for text in read_marked(sorted((folder / "practice").glob("*.jsonl")))]
    return Texts(written, said, practice, ours[:phrasings])


def as_marked(answers: Mapping[str, str], gold: Labels, asked: Sequence[AnswerPrompt]) -> list[tuple[str, Marked]]:
    """Labelled answers as marked texts, each with the id of its prompt."""
    questions = {each.id: each.text for each in asked}
    keys = ((key, key.rpartition("/")[2]) for key in sorted(gold.spans))
    return [(prompt, Marked(questions[prompt], answers[key], gold.spans[key])) for key, prompt in keys]
