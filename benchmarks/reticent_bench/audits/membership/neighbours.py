"""Neighbours of a window: the same text with a few words, or with its personal values, replaced."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from reticent_bench.audits.membership.windows import Passage, Span
from reticent_detectors.errors import InputError

_WORD = re.compile(r"\S+")


class Proposer(Protocol):
    """Fills masked spans of a text; a mask-filling language model is one."""

    @property
    def name(self) -> str:
        """What fills the spans, for the report."""
        ...

    def __call__(self, text: str, masks: Sequence[Sequence[Span]], rng: np.random.Generator) -> list[str]:
        """One variant of the text for each entry of `masks` [variants][spans], in their order.

        The spans of a mask are sorted and do not overlap. All else of the text stays as it is.
        """
        ...


class FrequentWords:
    """Replaces each masked word by one drawn from the word frequencies of a reference text.

    The draw does not look at the context, so these variants are less fluent than those of a mask-filling model.
    A draw may give the word that was there. Not covered: scripts without spaces.

    Args:
        reference_text: a text in the language of the windows, of people whom the audit does not ask about.

    Raises:
        InputError: the reference text has no word.
    """

    name = "word frequencies of a reference text"

    def __init__(self, reference_text: str) -> None:
        counts = Counter(_WORD.findall(reference_text))
        if not counts:
            raise InputError("Expected a reference text with words, got none. Give a text in the windows' language.")
        self._words: list[str] = list(counts)
        weights = np.array(list(counts.values()), dtype=np.float64)
        self._cumulative = weights.cumsum() / weights.sum()

    def __repr__(self) -> str:
        return f"FrequentWords({len(self._words)} words)"

    def __call__(self, text: str, masks: Sequence[Sequence[Span]], rng: np.random.Generator) -> list[str]:
        def fill(masked: str) -> str:
            return _WORD.sub(lambda _: self._draw(rng), masked)

        return [_replaced(text, spans, [fill(text[a:b]) for a, b in spans]) for spans in masks]

    def _draw(self, rng: np.random.Generator) -> str:
        at = int(np.searchsorted(self._cumulative, rng.random(), side="right"))
        return self._words[min(at, len(self._words) - 1)]


class SameShape:
    """Replaces each letter by a random ASCII letter of its case and each digit by a random digit; keeps all else.

    The values look random, so most are less likely than real ones, for members and others alike.
    """

    name = "random letters and digits of the same shape"

    def __call__(self, text: str, masks: Sequence[Sequence[Span]], rng: np.random.Generator) -> list[str]:
        return [_replaced(text, spans, [_reshaped(text[a:b], rng) for a, b in spans]) for spans in masks]


class DrawnValues:
    """Replaces each value by one drawn from a list of synthetic values of the same kind.

    Args:
        values: synthetic values that no training text holds. Their kind has to be that of the masked values.

    Raises:
        InputError: the list is empty.
    """

    name = "drawn from synthetic values"

    def __init__(self, values: Sequence[str]) -> None:
        if not values:
            raise InputError("Expected at least one synthetic value, got none. Give values of the kind under audit.")
        self._values = tuple(values)

    def __repr__(self) -> str:
        return f"DrawnValues({len(self._values)} values)"

    def __call__(self, text: str, masks: Sequence[Sequence[Span]], rng: np.random.Generator) -> list[str]:
        count = len(self._values)
        return [_replaced(text, spans, [self._values[rng.integers(count)] for _ in spans]) for spans in masks]


def mask_words(text: str, rng: np.random.Generator, share: float = 0.2, span_words: int = 3) -> list[Span]:
    """Spans of words to mask; at least one word stays between two spans.

    Masks round(share * words) words, but at least one, in spans of `span_words` words; one span may be shorter.
    Every placement is as likely as any other. ("Do LLMs Really Memorize Personally Identifiable Information?",
    appendix C.1.) A word is a run without white space.

    Args:
        text: the window.
        rng: places the spans.
        share: share of the words that is masked, above 0 and at most 0.5.
        span_words: most words of a span.

    Raises:
        InputError: a limit is out of range, or the text has no word.
    """
    if not 0 < share <= 0.5 or span_words < 1:
        raise InputError(
            f"Expected 0 < share <= 0.5 and at least 1 word a span, got {share} and {span_words}. Correct the settings."
        )
    words = [found.span() for found in _WORD.finditer(text)]
    if not words:
        raise InputError("Expected a text with words to mask, got none. Leave the text out.")
    masked = max(1, round(share * len(words)))
    lengths = np.full(-(-masked // span_words), span_words)
    lengths[-1] = masked - span_words * (len(lengths) - 1)
    rng.shuffle(lengths)
    # Spans go into different gaps between the words that stay, so that no two of them touch.
    gaps = np.sort(rng.choice(len(words) - masked + 1, size=len(lengths), replace=False))
    starts = gaps + lengths.cumsum() - lengths
    return [(words[a][0], words[a + n - 1][1]) for a, n in zip(starts.tolist(), lengths.tolist(), strict=True)]


def word_neighbours(
    window: Passage, propose: Proposer, rng: np.random.Generator, variants: int, share: float, span_words: int
) -> list[str]:
    """Variants of a window with randomly placed words replaced; the value may be among them."""
    masks = [mask_words(window.text, rng, share, span_words) for _ in range(variants)]
    return _checked(propose(window.text, masks, rng), variants)


def value_neighbours(window: Passage, propose: Proposer, rng: np.random.Generator, variants: int) -> list[str]:
    """Variants of a window with all its personal values replaced and nothing else."""
    return _checked(propose(window.text, [sorted(window.values)] * variants, rng), variants)


def _checked(found: list[str], variants: int) -> list[str]:
    if len(found) != variants or not all(found):
        raise InputError(
            f"Expected {variants} variants with text from the proposer, got {len(found)}. Return one for each mask."
        )
    return found


def _reshaped(value: str, rng: np.random.Generator) -> str:
    def other(char: str) -> str:
        if char.isdigit():
            return string.digits[rng.integers(10)]
        if char.isalpha():
            letters = string.ascii_uppercase if char.isupper() else string.ascii_lowercase
            return letters[rng.integers(26)]
        return char

    return "".join(other(char) for char in value)


def _replaced(text: str, spans: Sequence[Span], fills: Sequence[str]) -> str:
    parts, at = [], 0
    for (start, end), fill in zip(spans, fills, strict=True):
        parts += [text[at:start], fill]
        at = end
    return "".join([*parts, text[at:]])
