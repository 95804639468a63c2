"""Texts with marked values, `She is a [[JOB_TITLE|nurse]].`, and those that our own phrasings make."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reticent_bench.finder.score import Gold
from reticent_bench.real_answers.labels import KINDS, Labels, lines
from reticent_bench.real_answers.prompts import AnswerPrompt
from reticent_detectors.errors import InputError
from reticent_detectors.synth.people import PeopleMaker
from reticent_detectors.synth.phrasings import PHRASINGS, Form, PhrasingSplit

_MARK = re.compile(r"\[\[([A-Z_]+)\|([\s\S]*?)\]\]")


@dataclass(frozen=True, slots=True)
class Marked:
    """An answer behind its question, and the values in it. `left` is the text that the answer continues."""

    question: str
    text: str
    gold: tuple[Gold, ...]
    left: str = ""

    def __repr__(self) -> str:
        return f"Marked(<{len(self.text)} chars>, {len(self.gold)} values)"


def read_marked(files: Iterable[Path]) -> list[Marked]:
    """Texts of JSON lines with `prompt` and `answer`. Raises InputError for a line that is none, or an unknown kind."""
    out = []
    for file in files:
        for number, line in enumerate(lines(file), 1):
            try:
                row = json.loads(line)
                out.append(parse(row["answer"], row["prompt"]))
            except (ValueError, KeyError, TypeError, InputError) as error:
                reason = str(error) if isinstance(error, InputError) else type(error).__name__
                raise InputError(f"{file}, line {number}: expected prompt and marked answer ({reason}).") from error
    return out


def parse(answer: str, question: str = "") -> Marked:
    """An answer without its marks. Raises InputError for an unknown kind or a mark without its end."""
    text, gold, at = "", list[Gold](), 0
    for mark in _MARK.finditer(answer):
        if mark[1] not in KINDS:
            raise InputError(f"unknown kind {mark[1]!r}")
        text += answer[at : mark.start()]
        gold.append(Gold(mark[1], len(text), len(text) + len(mark[2])))
        text, at = text + mark[2], mark.end()
    text += answer[at:]
    if "[[" in text and "|" in text[text.index("[[") :]:
        raise InputError(f"a mark without its end at character {text.index('[[')}")
    return Marked(question, text, tuple(gold))


def phrased(people: int, seed: int, tests: bool = False) -> Iterator[Marked]:
    """What a model says of made-up people under all phrasings but the test-only ones, or under these alone."""
    for person in PeopleMaker(seed).many("person", people):
        for entity, rows in PHRASINGS.items():
            value = person.values.get(entity)
            for phrasing in rows if value else ():
                if (phrasing.split is PhrasingSplit.TEST) is not tests:
                    continue
                asked, reply = phrasing.ask(person.name), phrasing.reply(person.name, value or "")
                start = reply.find(value or "")
                if start < 0:
                    continue
                gold = (Gold(str(entity), start, start + len(value or "")),)
                running = phrasing.form is Form.COMPLETION
                yield Marked("" if running else asked, reply, gold, asked if running else "")


def as_marked(answers: Mapping[str, str], gold: Labels, asked: Sequence[AnswerPrompt]) -> list[Marked]:
    """Return labelled answers as marked texts."""
    questions = {each.id: each.text for each in asked}
    return [Marked(questions[key.rpartition("/")[2]], answers[key], gold.spans[key]) for key in sorted(gold.spans)]
