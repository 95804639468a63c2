"""Says which states of an answer are read for its words: those of a segment, and of what has come behind it.

So one pass serves several segments where a text comes faster than it is read, as a whole answer does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from torch import Tensor

from reticent.hosted.cached_rows import CachedPrefix, StateRequest

AHEAD = 64
"""Most tokens behind a segment that are read with it."""


class WordStates:
    """Holds the states of one answer at the depths of a probe, as the last pass read them.

    Args:
        prefix: the answer as far as it was read.
    """

    def __init__(self, prefix: CachedPrefix) -> None:
        self.prefix = prefix
        self._ids: list[int] = []
        self._first = 0
        self._states: Tensor | None = None

    def __repr__(self) -> str:
        return f"WordStates({len(self._ids)} tokens, from {self._first})"

    def states(
        self,
        ids: Sequence[int],
        behind: Sequence[int],
        positions: Sequence[int],
        ask: Callable[[StateRequest], Tensor | None],
    ) -> Tensor:
        """Gives the states [N, D, d] at positions of a prompt and its answer, which are read unless they were.

        Args:
            ids: the prompt and the answer up to the last position.
            behind: ids that have come behind them.
            positions: predictive positions, the least one first.
            ask: reads states [T, D, d] at T positions. Raises what it raises.
        """
        if self._states is None or positions[0] < self._first or self._ids[: len(ids)] != list(ids):
            whole = [*ids, *behind]
            # A token behind them, as those states are read that produced one.
            made = ask(StateRequest([*whole, whole[-1]], range(positions[0], len(whole)), self.prefix))
            assert made is not None
            self._ids, self._first, self._states = whole, positions[0], made
        return self._states[[position - self._first for position in positions]]
