"""Windows of a few tokens around a personal value, cut from longer texts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reticent_detectors.errors import InputError

Span = tuple[int, int]
"""Start and end in characters; the end is not included."""

Tokenize = Callable[[str], Sequence[Span]]
"""The spans of the tokens of a text, in order."""

_WORD_OR_MARK = re.compile(r"\w+|[^\w\s]")


def word_tokens(text: str) -> list[Span]:
    """Spans of words and single punctuation marks.

    The default where the tokenizer of a model is out of reach: a model counts more tokens than this.
    Not covered: scripts without spaces, in which a whole run of letters is one token.
    """
    return [found.span() for found in _WORD_OR_MARK.finditer(text)]


def tokens_of(tokenizer: Any) -> Tokenize:
    """The tokens of a model: spans of a text without the blanks at their beginnings.

    Args:
        tokenizer: of transformers; a fast one.
    """

    def spans(text: str) -> list[Span]:
        found = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
        bare = ((end - len(text[start:end].lstrip()), end) for start, end in found)
        return [(start, end) for start, end in bare if start < end]

    return spans


@dataclass(frozen=True, slots=True)
class Passage:
    """A text with the personal values in it; a whole document, or a window of one.

    Attributes:
        text: the text.
        values: spans of its personal values; windows are cut around the first.
        person: key of the person. Intervals draw whole people.
        language: ISO 639-3, or empty. Figures are given for each language, too.
    """

    text: str
    values: tuple[Span, ...]
    person: str
    language: str = ""

    def __post_init__(self) -> None:
        if not self.values:
            raise InputError("Expected the span of at least one value in a passage, got none. Leave the passage out.")
        for start, end in self.values:
            if not 0 <= start < end <= len(self.text):
                raise InputError(
                    f"Expected a span of at least one character inside the passage, got {start} to {end} in "
                    f"{len(self.text)} characters. Give offsets in characters of this text."
                )

        ordered = sorted(self.values)
        if any(stop > start for (_, stop), (start, _) in itertools.pairwise(ordered)):
            raise InputError("Expected values that do not overlap, got some that do. Join or drop one of them.")

    def __repr__(self) -> str:
        return f"Passage({len(self.text)} characters, {len(self.values)} values)"


def cut_window(passage: Passage, least: int = 50, most: int = 150, tokenize: Tokenize = word_tokens) -> Passage | None:
    """The window around the first value of a passage.

    It takes as many tokens on both sides, up to `most` with the value; an odd one goes to the right. Where one side is
    too short, the other gives more, but only up to `least`. ("Do LLMs Really Memorize Personally Identifiable
    Information?", appendix C.2.) Other values are kept if the window holds them whole.

    Args:
        passage: the text and its values.
        least: fewest tokens of a window.
        most: most tokens of a window.
        tokenize: gives the spans of the tokens.

    Returns:
        The window, or None if the text has fewer than `least` tokens or the value more than `most`.

    Raises:
        InputError: `least` is below 1 or above `most`, or no token touches the value.
    """
    if not 1 <= least <= most:
        raise InputError(f"Expected 1 <= least <= most tokens, got {least} and {most}. Correct the window's limits.")
    spans = tokenize(passage.text)
    start, end = passage.values[0]
    touching = [i for i, (begin, stop) in enumerate(spans) if begin < end and stop > start]
    if not touching:
        raise InputError("Expected a value that holds a token, got one that no token touches. Correct its offsets.")
    first, last = touching[0], touching[-1] + 1
    room = most - (last - first)
    if room < 0:
        return None
    low, high = max(0, first - room // 2), min(len(spans), last + (room + 1) // 2)
    high = min(len(spans), max(high, low + least))
    low = max(0, min(low, high - least))
    if high - low < least:
        return None
    return _part(passage, min(spans[low][0], start), max(spans[high - 1][1], end))


def _part(passage: Passage, start: int, end: int) -> Passage:
    inside = tuple((a - start, b - start) for a, b in passage.values if start <= a and b <= end)
    return replace(passage, text=passage.text[start:end], values=inside)
