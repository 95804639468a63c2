"""Labelled and harmless texts for the span finder's benchmark, and how their labels map to our kinds."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from reticent_bench.finder.score import Gold
from reticent_detectors.errors import InputError

PRESIDIO_RESEARCH: dict[str, str] = {
    "PERSON": "PERSON",
    "ADDRESS": "ADDRESS",
    "STREET_ADDRESS": "ADDRESS",
    "LOCATION": "LOCATION",
    "GPE": "LOCATION",
    "ORGANIZATION": "ORGANIZATION",
    "NRP": "NRP",
    "DATE_TIME": "DATE_TIME",
    "CREDIT_CARD": "CREDIT_CARD",
    "PHONE_NUMBER": "PHONE_NUMBER",
    "US_SSN": "US_SSN",
    "IBAN_CODE": "IBAN_CODE",
    "DOMAIN_NAME": "URL",
    "US_DRIVER_LICENSE": "DRIVER_LICENSE",
    "EMAIL_ADDRESS": "EMAIL_ADDRESS",
}
"""presidio-research's labels as our kinds."""
NOT_OURS: frozenset[str] = frozenset({"AGE", "TITLE", "PREFIX", "ZIP_CODE", "MISC"})
"""Labels that are no kind of ours: not scored, and a span that meets one of them is not counted as wrong."""
WIKIGOLD: dict[str, str] = {"PER": "PERSON", "LOC": "LOCATION", "ORG": "ORGANIZATION", "MISC": "MISC"}
_NO_BLANK_BEFORE = frozenset({".", ",", ";", ":", "!", "?", ")", "'s", "n't", "%", "''"})
_NO_BLANK_AFTER = frozenset({"(", "$", "``"})


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text with its gold spans."""

    text: str
    gold: tuple[Gold, ...]

    def __repr__(self) -> str:
        return f"LabelledText({len(self.text)} chars, {len(self.gold)} spans)"


def read_presidio_research(lines: Iterable[str]) -> list[LabelledText]:
    """Sentences of presidio-research: JSON lines with `full_text` and `spans`.

    Raises:
        InputError: a label is unknown.
    """
    out = []
    for line in lines:
        row = json.loads(line)
        gold = []
        for span in row["spans"]:
            label = span["entity_type"]
            if label not in PRESIDIO_RESEARCH and label not in NOT_OURS:
                raise InputError(f"Unknown label {label!r}; map it in reticent_bench.finder.data.")
            gold.append(Gold(PRESIDIO_RESEARCH.get(label, label), span["start_position"], span["end_position"]))
        out.append(LabelledText(row["full_text"], tuple(sorted(gold, key=lambda g: g.start))))
    return out


def read_conll(lines: Iterable[str], kinds: dict[str, str] = WIKIGOLD) -> list[LabelledText]:
    """Reads sentences of a file with a token and its label (`I-PER`, `O`) a line, and an empty line between sentences.

    The text is the tokens with blanks between, but none before a full stop and the like.
    """
    out: list[LabelledText] = []
    words: list[tuple[str, str]] = []
    for line in [*lines, ""]:
        if line.strip():
            word, label = line.split()
            words.append((word, label.partition("-")[2]))
        elif words:
            out.append(_sentence(words, kinds))
            words = []
    return out


def _sentence(words: list[tuple[str, str]], kinds: dict[str, str]) -> LabelledText:
    text, gold, before = "", list[Gold](), ""
    for i, (word, label) in enumerate(words):
        blank = text and word not in _NO_BLANK_BEFORE and words[i - 1][0] not in _NO_BLANK_AFTER
        start = len(text) + bool(blank)
        text += f" {word}" if blank else word
        if label and label == before:
            gold[-1] = gold[-1]._replace(end=len(text))
        elif label:
            gold.append(Gold(kinds[label], start, len(text)))
        before = label
    return LabelledText(text, tuple(gold))


def labelled_sets(data: Path) -> Iterator[tuple[str, list[LabelledText]]]:
    """Gives the labelled sets that the data folder has."""
    path = data / "presidio-research" / "sentences.dev.jsonl"
    if path.exists():
        yield "presidio-research dev", read_presidio_research(path.read_text(encoding="utf-8").splitlines())
    path = data / "ner-open" / "wikigold" / "wikigold.conll.txt"
    if path.exists():
        yield "wikigold", read_conll(path.read_text(encoding="utf-8").splitlines())


def passages(path: Path) -> list[str]:
    """Gives the different passages of a file in SQuAD's form."""
    articles = json.loads(path.read_text(encoding="utf-8"))["data"]
    return list(dict.fromkeys(p["context"] for article in articles for p in article["paragraphs"]))


def novels(folder: Path, rng: random.Random, count: int, chars: int) -> list[str]:
    """Pieces from the middle of novels, one of each of the first `count` drawn files and books."""
    books = [
        json.loads(line)["text"].replace("\r\n", "\n")
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    out = []
    for text in rng.sample(books, min(count, len(books))):
        start = rng.randrange(max(1, len(text) - chars))
        out.append(text[start : start + chars])
    return out


def harmless_sets(data: Path, seed: int, chars: int = 120_000) -> Iterator[tuple[str, list[str]]]:
    """Texts with few or no personal data: name, pieces of at most 12,000 characters, `chars` in all."""
    rng = random.Random(seed)
    if (data / "books-train").is_dir():
        yield "novels", novels(data / "books-train", rng, chars // 6000, 6000)
    path = data / "squad-subset" / "dev-v1.1.json"
    if path.exists():
        yield "SQuAD, encyclopaedia", _up_to(passages(path), rng, chars)
    for language in ("en", "es", "de", "ru", "zh"):
        path = data / "xquad" / f"xquad.{language}.json"
        if path.exists():
            yield f"XQuAD, {language}", _up_to(passages(path), rng, chars // 3)
    source = sorted(Path(__file__).parents[1].glob("*/*.py"))
    yield "Python source", _up_to([p.read_text(encoding="utf-8")[:12_000] for p in source], rng, chars)


def _up_to(texts: list[str], rng: random.Random, chars: int) -> list[str]:
    out, total = [], 0
    for text in rng.sample(texts, len(texts)):
        if total >= chars:
            break
        out.append(text)
        total += len(text)
    return out
