"""The fresh sets: answers of real models, written texts, numbers, technical text, and phrasings of strangers.

`benchmarks/fresh_texts/README.md` says how they came about. Nothing here prints a text or a value.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reticent_bench.finder.score import Gold
from reticent_bench.real_answers.labels import lines, read_answers, read_gold
from reticent_bench.real_answers.prompts import prompts
from reticent_bench.real_answers.unseen_texts import unmarked
from reticent_detectors.errors import InputError

SETS = ("answers", "unannounced", "numbers", "technical", "phrasings")
TECHNICAL = "technical-"
"""The beginning of the names of forms in which nothing is anybody's."""
FILES: Mapping[str, tuple[str, ...]] = {
    "answers": (
        "prompts.tsv",
        "answers-gemma3-270m.jsonl",
        "answers-qwen2.5-coder-0.5b-instruct.jsonl",
        "answers-smollm2-135m-instruct.jsonl",
        "gold-answers.jsonl",
    ),
    "unannounced": ("unannounced.jsonl",),
    "numbers": ("numbers.jsonl",),
    "technical": ("numbers.jsonl",),
    "phrasings": ("phrasings.jsonl", "values.tsv", "names.tsv"),
}
DOORS = ("asked", "text alone")
"""What a finder sees: the question and the text, or the text alone."""


@dataclass(frozen=True, slots=True)
class FreshText:
    """A text, the question that it answers, its values, and the group that an interval draws as one."""

    id: str
    group: str
    language: str
    question: str
    text: str
    gold: tuple[Gold, ...]

    def __repr__(self) -> str:
        return f"FreshText({self.id!r}, <{len(self.text)} chars>, {len(self.gold)} values)"


def digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file of the sets."""
    names = sorted({name for files in FILES.values() for name in files})
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}


def check(folder: Path, set_: str) -> None:
    """Raise InputError where a file of a set is missing or is not the one that was committed."""
    wanted = json.loads((folder / "digests.json").read_text(encoding="utf-8"))
    for name in FILES[set_]:
        file = folder / name
        if not file.exists() or hashlib.sha256(file.read_bytes()).hexdigest() != wanted[name]:
            raise InputError(f"{file} is missing or is not the one of digests.json; restore it.")


def read(folder: Path, set_: str) -> list[FreshText]:
    """Read a set. Raises InputError for an unknown name, or a file that is not the one of its digest."""
    if set_ not in SETS:
        raise InputError(f"Unknown set {set_!r}; expected {', '.join(SETS)}.")
    check(folder, set_)
    if set_ == "answers":
        return _answers(folder)
    if set_ == "phrasings":
        return _phrasings(folder)
    rows = [json.loads(line) for line in lines(folder / FILES[set_][0])]
    if set_ != "unannounced":
        rows = [row for row in rows if row["form"].startswith(TECHNICAL) is (set_ == "technical")]
    return [_marked(row) for row in rows]


def _marked(row: Mapping[str, Any]) -> FreshText:
    text = unmarked(row["text"], row["question"] or "")
    return FreshText(row["id"], row["form"], row["language"], text.question, text.text, text.gold)


def _answers(folder: Path) -> list[FreshText]:
    said = read_answers(*sorted(folder.glob("answers-*.jsonl")))
    gold, asked = read_gold(folder / "gold-answers.jsonl"), {each.id: each for each in prompts(folder / "prompts.tsv")}
    out = []
    for key in sorted(gold.spans):
        prompt = asked[key.rpartition("/")[2]]
        out.append(FreshText(key, prompt.id, prompt.language, prompt.text, said[key], gold.spans[key]))
    return out


def _table(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(lines(file), delimiter="\t", quoting=csv.QUOTE_NONE))


def _phrasings(folder: Path) -> list[FreshText]:
    """Each phrasing once with each value of its kind and language, and a name of the language in turn."""
    values, names = _table(folder / "values.tsv"), _table(folder / "names.tsv")
    out = []
    for number, line in enumerate(lines(folder / "phrasings.jsonl")):
        row = json.loads(line)
        own = [v["value"] for v in values if (v["kind"], v["language"]) == (row["kind"], row["language"])]
        called = [n["name"] for n in names if n["language"] == row["language"]]
        for place, value in enumerate(own):
            name = called[(number + 3 * place) % len(called)]
            before, _, after = (part.replace("{n}", name) for part in row["answer"].partition("{v}"))
            gold = (Gold(row["kind"], len(before), len(before) + len(value)),)
            question = row["prompt"].replace("{n}", name)
            out.append(
                FreshText(f"{row['id']}/{place}", row["id"], row["language"], question, before + value + after, gold)
            )
    return out
