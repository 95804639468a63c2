"""Compares the likelihood of a value with its likelihood under other people's names.

A host that remembers a value finds it far less likely for another person. A host that guesses finds it about as likely.
So the text before a span is read again with other people's names, and the likelihoods of the span's tokens are
compared. Membership inference compares with a reference model in the same way. Here the host is its own reference.

`finder.names` finds the names. A chat template may write names before the first message ("You are Ada, made by Example
Labs"). They stay unchanged, because nobody asked about them. Without names there is nothing to compare, and the
features are 0.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.alignment import TokenText, chat_ids, edited
from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder, recognizers
from reticent_detectors.spans import FindContext

FLOOR = -100.0
NAME_SWAP_SHAPE = (13,)
READ_CHARS = 2048
"""Names further from the span than this stay unchanged."""
MOST_TOKENS = 1024
"""Longer texts are not read again, because no cache of a changed text is kept for the next span."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_GIVEN = _words(
    "Alvar Bettina Cosmin Delphine Edda Fergus Giulia Hamish Ilona Joost Katarzyna Leopold Maren Nestor Odile Pascal "
    "Quirin Rosalba Soren Tamsin Ulrike Viggo Wanda Xaver Yolanda Zoltan Ansgar Birgit Cedric Dorothea"
)
_FAMILY = _words(
    "Abelson Brandvold Castellan Dunmore Eastlake Fairweather Grunwald Haverford Ingram Jessop Kirkbride Lindqvist "
    "Mansfield Norcross Ostrander Pemberton Quigley Ravenscroft Stallworth Thornbury Underhill Vandermeer Whitlock "
    "Yardley Zeller Ashdown Blackwood Carmody Drummond Ellsworth"
)


class NameSwapper:
    """Replaces names in texts of one model by other people's names. Safe to share.

    Args:
        tokenizer: the host's fast tokenizer.
        count: number of other names.
        most_tokens: longest text that the host can read. `MOST_TOKENS` is a second limit.
    """

    def __init__(self, tokenizer: Any, count: int, most_tokens: int = MOST_TOKENS) -> None:
        self._tokenizer, self.count, self._most = tokenizer, count, min(most_tokens, MOST_TOKENS)
        self._finder = SpanFinder([r for r in recognizers([Entity.PERSON]) if r.entity is Entity.PERSON])
        self._special = set(tokenizer.all_special_ids)
        self._opening = _opening(tokenizer)

    def __repr__(self) -> str:
        return f"NameSwapper({self.count})"

    def __call__(self, before: Sequence[int], tokens: int) -> list[list[int]]:
        """Returns the text before a span under each of the other names; empty without names, or if it is too long.

        Args:
            before: ids of prompt and answer up to the span.
            tokens: number of tokens of the span.
        """
        if not self.count or len(before) + tokens > self._most:
            return []
        aligned = TokenText(self._tokenizer)
        for token in before:
            aligned.push(token)
        found = self._names(before, aligned)
        if not found:
            return []
        text = aligned.text
        known = {text[start:end] for start, end in found}
        out = []
        for number in range(self.count):
            other = _others(known, number)
            edits = [(start, end, other[text[start:end]]) for start, end in found]
            out.append(edited(self._tokenizer, before, aligned, edits))
            if len(out[-1]) + tokens > self._most:
                return []
        return out

    def _names(self, before: Sequence[int], aligned: TokenText) -> list[tuple[int, int]]:
        """Finds the names of people, in order."""
        text = aligned.text
        opens = len(self._opening) if list(before[: len(self._opening)]) == self._opening else 0
        begin = max(aligned.ends(opens), len(text) - READ_CHARS)
        walls = [aligned.ends(index) for index, token in enumerate(before) if token in self._special]
        edges = sorted({begin, *(wall for wall in walls if begin < wall < len(text)), len(text)})
        found = []
        for first, last in pairwise(edges):
            part, start = text[first:last], 0
            while (scan := self._finder.next_span(part, start, context=FindContext(), closed=True)).span is not None:
                found.append((first + scan.span.start, first + scan.span.end))
                start = scan.frontier
        return found


def _opening(tokenizer: Any) -> list[int]:
    """Returns the ids that the chat template writes before the first message; empty without a template."""
    try:
        one, other = (chat_ids(tokenizer, [{"role": "user", "content": content}]) for content in ("a", "7"))
    except Exception:  # a template may refuse anything
        return []
    return [token for token, _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))]


def _others(names: set[str], number: int) -> dict[str, str]:
    """Chooses another name of as many words for each. The same word gets the same new word, which is not in use."""
    used = {word.casefold() for name in names for word in name.split()}
    instead: dict[str, str] = {}
    for name in sorted(names, key=lambda name: (-len(name.split()), name)):
        words = name.split()
        for at, word in enumerate(words):
            if word.casefold() in instead:
                continue
            stock = _FAMILY if at and at == len(words) - 1 else _GIVEN
            digest = hashlib.blake2b(f"{number} {word.casefold()}".encode(), digest_size=4).digest()
            first = int.from_bytes(digest, "big")
            taken = used | {new.casefold() for new in instead.values()}
            free = (stock[(first + step) % len(stock)] for step in range(len(stock)))
            instead[word.casefold()] = next(
                (new for new in free if new.casefold() not in taken), stock[first % len(stock)]
            )
    return {name: " ".join(instead[word.casefold()] for word in name.split()) for name in names}


def name_swap_features(own: Sequence[float], others: Sequence[Sequence[float]]) -> NDArray[np.float32]:
    """Computes the name-swap features [13] of a span.

    The first number is 1 if there are other names; without them all are 0. Three rows of four numbers follow, each
    (least, mean, most, sum) over the span's tokens, in nats, clipped at +-100. They reduce for each token:

    1. the log-probability minus the log of its mean probability under the other names;
    2. the log-probability minus its largest under any of them;
    3. that log of the mean.

    Args:
        own: log-probabilities [T] of the span's tokens.
        others: the same under each other name, [K][T].
    """
    if not len(others):
        return np.zeros(NAME_SWAP_SHAPE, np.float32)
    mine = np.asarray(own, np.float64).clip(FLOOR, 0.0)
    theirs = np.asarray(others, np.float64).clip(FLOOR, 0.0)
    mean = np.logaddexp.reduce(theirs, axis=0) - np.log(len(theirs))
    rows = np.stack([mine - mean, mine - theirs.max(0), mean])
    pooled = np.stack([rows.min(1), rows.mean(1), rows.max(1), rows.sum(1)], 1)
    return np.concatenate([[1.0], pooled.clip(FLOOR, -FLOOR).ravel()]).astype(np.float32)
