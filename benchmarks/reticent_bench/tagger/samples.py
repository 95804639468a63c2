"""Marked texts as the reader's training reads them: pieces, segments, and a tag for each word."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch

from reticent_bench.finder.score import Gold
from reticent_bench.real_answers.marked import Marked
from reticent_bench.tagger.network import PAD, PLACES, padded
from reticent_detectors.finder.tagger.pieces import Pieces
from reticent_detectors.finder.tagger.words import Word, ends_segment, words_of

NO_TAG = -100
"""Of pieces that have none."""
WHOLE, SENTENCE = 0, -1
"""Widths of segments: the whole text is one, or each sentence."""
ASKED_MOST = 96
"""Pieces of a question that are read: its last."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A text in pieces. `first` holds the place of each word's first piece, `words` where each word stands."""

    pieces: list[int]
    segments: list[int]
    asked: list[int]
    first: list[int]
    words: list[tuple[int, int]]

    def __repr__(self) -> str:
        return f"Sample({len(self.words)} words, {len(self.pieces)} pieces)"


def segments_of(text: str, words: Sequence[Word], most: int) -> list[int]:
    """Return the segment of each word, from 1, as `finder.tagger.words.ends_segment` has it for `MOST_WORDS`.

    Args:
        most: words of a segment; `SENTENCE` for no limit, `WHOLE` for one segment.
    """
    if most == WHOLE:
        return [1] * len(words)
    out, number, held = list[int](), 1, 0
    for word in words:
        out.append(number)
        held += 1
        if ends_segment(text, word, held, most):
            number, held = number + 1, 0
    return out


def sample(pieces: Pieces, text: str, question: str = "", most: int = SENTENCE) -> Sample:
    """A text after its question, which is the first segment."""
    words = list(words_of(text))
    ids, segments, asked = list[int](), list[int](), list[int]()
    if question:
        rows = [row for a, b, spaced in words_of(question) for row in pieces.of(question[a:b], spaced)][-ASKED_MOST:]
        ids, segments, asked = rows, [0] * len(rows), [1] * len(rows)
    first = list[int]()
    for (a, b, spaced), segment in zip(words, segments_of(text, words, most), strict=True):
        own = list(pieces.of(text[a:b], spaced))
        if len(ids) + len(own) > PLACES:
            break
        first.append(len(ids))
        ids, segments, asked = ids + own, segments + [segment] * len(own), asked + [0] * len(own)
    return Sample(ids, segments, asked, first, [(a, b) for a, b, _ in words[: len(first)]])


def covered(words: Sequence[tuple[int, int]], gold: Gold) -> list[int]:
    """Return the places of the words that a value covers, wholly or in part."""
    return [i for i, (start, end) in enumerate(words) if start < gold.end and gold.start < end]


def tags_of(words: Sequence[tuple[int, int]], gold: Sequence[Gold], kinds: Mapping[str, int]) -> list[int]:
    """The tag of each word: 0 for no value, 1 + 2k for a value's first word, 2 + 2k for its others."""
    tags = [0] * len(words)
    for span in gold:
        kind = kinds.get(span.kind)
        within = covered(words, span)
        for i in within:
            tags[i] = NO_TAG if kind is None else 1 + 2 * kind + (i != within[0])
    return tags


def batch(samples: Sequence[Sample], tags: Sequence[Sequence[int]]) -> tuple[torch.Tensor, ...]:
    """Tensors of the network, and the tags [B, N] at the first pieces of words, `NO_TAG` elsewhere."""
    aims = []
    for each, own in zip(samples, tags, strict=True):
        row = [NO_TAG] * len(each.pieces)
        for place, tag in zip(each.first, own, strict=True):
            row[place] = tag
        aims.append(row)
    return (
        padded([each.pieces for each in samples], 0), padded([each.segments for each in samples], PAD),
        padded([each.asked for each in samples], 0), padded(aims, NO_TAG),
    )  # fmt: skip


def pools(texts: Sequence[Marked]) -> dict[str, list[str]]:
    """The values of each kind."""
    out: dict[str, list[str]] = {}
    for text in texts:
        for span in text.gold:
            out.setdefault(span.kind, []).append(text.text[span.start : span.end])
    return out


def varied(text: Marked, pool: Mapping[str, Sequence[str]], share: float, rng: random.Random) -> Marked:
    """The text with other values of the same kinds in a share of the places."""
    out, gold, at = "", list[Gold](), 0
    for span in text.gold:
        own = text.text[span.start : span.end]
        value = rng.choice(pool[span.kind]) if rng.random() < share else own
        out += text.text[at : span.start]
        gold.append(Gold(span.kind, len(out), len(out) + len(value)))
        out, at = out + value, span.end
    return Marked(text.question, out + text.text[at:], tuple(gold), text.left)


def spans_of(each: Sample, tags: Sequence[int], kinds: Sequence[str]) -> list[Gold]:
    """The spans that tags of words say."""
    out = list[Gold]()
    for (start, end), tag in zip(each.words, tags, strict=True):
        if tag <= 0:
            continue
        if out and tag % 2 == 0 and out[-1].end + 3 >= start:
            out[-1] = out[-1]._replace(end=end)
        else:
            out.append(Gold(kinds[(tag - 1) // 2], start, end))
    return out
