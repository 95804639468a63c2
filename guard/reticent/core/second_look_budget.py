"""Limits what second looks (`reticent_detectors.features.name_swap`) may cost one answer.

The cost is counted in positions that the host reads, never in seconds. So a busy machine releases the same text.

Beyond the budget the first look decides. A user who makes an answer long, so that its first spans spend the budget,
still gets no value that the first look stops. The price: beyond the budget, memories that only a second look finds are
missed.
"""

from __future__ import annotations

from reticent.policy.options import SecondLooks

POSITIONS_PER_STEP = 24
"""Positions of one pass that count as a decoding step.

On one CPU core, four texts of 24 positions each took 3.8 steps of a model with 135 million weights. On a GPU, where a
step waits for the weights, they take fewer.
"""


class SecondLookBudget:
    """Counts the second looks of one answer, over all its rewinds.

    The first doubtful span that has a name in its text gets one, whatever it costs. A further one has two conditions.
    Second looks are at most `limits.share` of the spans that the detector scored so far. All of them together cost at
    most `limits.steps` decoding steps.
    """

    def __init__(self, limits: SecondLooks) -> None:
        self.limits = limits
        self.taken = self.skipped = 0
        self._spans = self._positions = 0
        self._is_granted: bool | None = None

    def __repr__(self) -> str:
        return f"SecondLookBudget(taken={self.taken}, skipped={self.skipped}, spans={self._spans})"

    def next_span(self) -> None:
        """Moves to the next span."""
        self._spans += 1
        self._is_granted = None

    @property
    def is_open(self) -> bool:
        """Says whether this span may have a second look, unless it costs too much."""
        if self._is_granted is None and self.taken and self.taken + 1 > self.limits.share * self._spans:
            self._decide(False)
        return self._is_granted is not False

    def spend(self, positions: int) -> bool:
        """Spends positions on a second look, if the budget allows. Returns the same for every call about one span."""
        if self.is_open and self._is_granted is None:
            total = self._positions + positions
            self._decide(not self.taken or total <= self.limits.steps * POSITIONS_PER_STEP)
            self._positions = total if self._is_granted else self._positions
        return bool(self._is_granted)

    def _decide(self, is_granted: bool) -> None:
        self._is_granted = is_granted
        self.taken += is_granted
        self.skipped += not is_granted
