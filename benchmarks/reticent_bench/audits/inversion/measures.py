"""What an inverted text is worth: tokens in common as multisets, and values that it holds whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from reticent_detectors.errors import InputError


class Overlap(NamedTuple):
    """Counts of one inverted text: tokens of the text, of the inversion and of both; values, and recovered values."""

    true: int
    said: int
    common: int
    values: int = 0
    recovered: int = 0


class Scores(NamedTuple):
    """Multiset micro precision, recall and F1 over tokens; 0 if either side is empty."""

    precision: float
    recall: float
    f1: float


def overlap(true: Iterable[int], said: Iterable[int], template: Iterable[int] = ()) -> Overlap:
    """Compares token ids as multisets, without those of a template that both texts may hold.

    Args:
        true: ids of the text, without the end mark.
        said: ids of the inverted text, without the end mark.
        template: ids that do not count; each is taken away from both sides once.
    """
    without = Counter(template)
    mine, its = Counter(true) - without, Counter(said) - without
    return Overlap(mine.total(), its.total(), (mine & its).total())


def micro(true: float, said: float, common: float) -> Scores:
    """Micro scores of summed counts."""
    precision = common / said if said else 0.0
    recall = common / true if true else 0.0
    return Scores(precision, recall, 2 * common / (true + said) if true + said else 0.0)


def recovered(values: Sequence[str], said: str) -> int:
    """How many values the inverted text holds whole: case and runs of blanks do not count, borders of words do."""
    text = _plain(said)
    return sum(_holds(text, _plain(value)) for value in values)


def best_constant(rows: Sequence[Iterable[int]]) -> tuple[int, ...]:
    """The multiset of token ids that, said each time, has the best micro F1 on these texts.

    With n_k(t) the number of texts that hold token t at least k times, saying t for the k-th time adds n_k(t) common
    tokens. So the best multiset of m tokens takes the m largest n_k(t), and the best m is found by trying all.

    Raises:
        InputError: there is no text.
    """
    if not rows:
        raise InputError("Expected at least one text for the best constant answer.")
    held: Counter[tuple[int, int]] = Counter()
    true = 0
    for row in rows:
        counts = Counter(row)
        true += counts.total()
        held.update((token, k) for token, count in counts.items() for k in range(1, count + 1))
    best, best_f1, common = 0, 0.0, 0
    # The k-th time never comes before the one before it: held by no more texts, and ties go by (token, k).
    order = sorted(held, key=lambda item: (-held[item], item))
    for size, item in enumerate(order, 1):
        common += held[item]
        f1 = 2 * common / (true + size * len(rows))
        if f1 > best_f1:
            best, best_f1 = size, f1
    return tuple(token for token, _ in order[:best])


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _holds(text: str, value: str) -> bool:
    start = text.find(value) if value else -1
    while start >= 0:
        end = start + len(value)
        before = start == 0 or not (text[start - 1].isalnum() and value[0].isalnum())
        behind = end == len(text) or not (text[end].isalnum() and value[-1].isalnum())
        if before and behind:
            return True
        start = text.find(value, start + 1)
    return False
