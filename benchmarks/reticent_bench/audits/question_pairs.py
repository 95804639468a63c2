"""Pairs of a question and a sentence out of a file in SQuAD's form: does the sentence hold the answer?

After QNLI (Wang et al. 2019, GLUE). One sentence of each question's paragraph holds the answer. Of the others the one
that shares most words with the question makes the second pair, so the overlap of words tells less about the class.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import regex
import typer

from reticent_bench.audits.context.outcomes import words
from reticent_detectors.errors import InputError

ENTAILMENT, NOT_ENTAILMENT = "entailment", "not_entailment"
_END = regex.compile(
    r"(?<!\b(?:\p{L}|Mr|Mrs|Ms|Dr|St|Jr|Sr|No|vs|Inc|Co|Corp|Rev|Gen|Gov|Lt|Sgt|Prof)\.)"
    r"(?<=[.!?][\"'”’)\]]{0,2})\s+(?=[\"'“‘(\[]{0,2}[\p{Lu}\p{N}])"
)


class QuestionPair(NamedTuple):
    """A question, a sentence of its paragraph, and whether it holds the answer."""

    question: str
    sentence: str
    holds_answer: bool

    def row(self) -> dict[str, str]:
        """The pair as `labelled_texts` reads it: one text, and QNLI's name of the class."""
        return {
            "text": f"{self.question} {self.sentence}",
            "label": ENTAILMENT if self.holds_answer else NOT_ENTAILMENT,
        }


def sentences(text: str) -> list[tuple[int, int]]:
    """Ranges of characters of a text's sentences, by their full stops; initials and common abbreviations end none."""
    starts, ends = [0], list[int]()
    for gap in _END.finditer(text):
        ends.append(gap.start())
        starts.append(gap.end())
    return list(zip(starts, [*ends, len(text)], strict=True))


def read_pairs(files: Sequence[Path]) -> Iterator[QuestionPair]:
    """Two pairs of each question of files in SQuAD's form (version 1.1), in their order.

    Left out are questions without an answer, and those of which every sentence holds a form of the answer.

    Raises:
        InputError: a file has another form. The message shows nothing of it.
    """
    for file in files:
        try:
            articles = json.loads(file.read_text(encoding="utf-8"))["data"]
            for paragraph in (each for article in articles for each in article["paragraphs"]):
                for asked in paragraph["qas"]:
                    answers = [(int(each["answer_start"]), str(each["text"])) for each in asked["answers"]]
                    yield from _pairs(str(asked["question"]).strip(), str(paragraph["context"]), answers)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{file}: expected a JSON file in the form of SQuAD 1.1, with data, paragraphs, context, qas and "
                f"answers ({type(error).__name__})."
            ) from None


def _pairs(question: str, context: str, answers: Sequence[tuple[int, str]]) -> Iterator[QuestionPair]:
    if not answers or not question:
        return
    start = answers[0][0]
    ranges = sentences(context)
    holding = next((context[a:b] for a, b in ranges if a <= start < b), None)
    forms = [text.casefold() for _, text in answers]
    others = [
        context[a:b]
        for a, b in ranges
        if not any(a <= place < b for place, _ in answers)
        and not any(form in context[a:b].casefold() for form in forms)
    ]
    if holding is None or not others:
        return
    asked = set(words(question))
    nearest = max(others, key=lambda each: len(asked.intersection(words(each))))
    yield QuestionPair(question, " ".join(holding.split()), True)
    yield QuestionPair(question, " ".join(nearest.split()), False)


def write_pairs(files: Sequence[Path], out: Path) -> dict[str, int]:
    """Writes the pairs as JSON lines with text and label; returns how many of each label.

    Raises:
        InputError: a file has another form, or no question can be used.
    """
    pairs = list(read_pairs(files))
    if not pairs:
        raise InputError("Expected at least one question whose paragraph has a sentence without its answer, got none.")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("".join(json.dumps(pair.row(), ensure_ascii=False) + "\n" for pair in pairs), encoding="utf-8")
    count = sum(pair.holds_answer for pair in pairs)
    return {ENTAILMENT: count, NOT_ENTAILMENT: len(pairs) - count}


def squad_pairs(
    files: Annotated[list[Path], typer.Argument(help="JSON files in the form of SQuAD 1.1.")],
    out: Annotated[Path, typer.Option(help="File for the pairs.")] = Path("question-pairs.jsonl"),
) -> None:
    """Makes pairs of a question and a sentence, labelled by whether it holds the answer: texts for lira and tuning."""
    counts = write_pairs(files, out)
    typer.echo(f"{out}: " + ", ".join(f"{count} {label}" for label, count in counts.items()))
