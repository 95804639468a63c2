"""The tags of an answer's words by the states of the model that writes it."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING

from reticent_detectors.alignment import TokenText
from reticent_detectors.errors import CaptureError
from reticent_detectors.spans import Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from reticent.huggingface.batch_scoring import StateSource
    from reticent_detectors.scoring.host_probe import HostProbe

_KEPT = 512
"""Words whose tags are kept."""


class AnswerStateTags:
    """Tags words of one segment of an answer (`reticent_detectors.spans.StateTags`).

    A word has a tag once the token after its last was drawn: then the model has read the whole word.

    Args:
        probe: reads the states.
        kept: indices of the layers whose states are kept; those that the probe reads are among them.
        tokens: the segment so far.
    """

    def __init__(self, probe: HostProbe, kept: Sequence[int], tokens: TokenText) -> None:
        self._probe, self._tokens = probe, tokens
        self._depths = [kept.index(layer) for layer in probe.layers]
        self._states: StateSource | None = None
        self._row = self._first = 0
        self._said: dict[range, NDArray[np.float32]] = {}

    def __repr__(self) -> str:
        return f"AnswerStateTags({len(self._tokens)} tokens)"

    @property
    def margins(self) -> Sequence[float]:
        """Gives the margins [K] of the tagger's kinds where it and the states decide together, in nats."""
        return self._probe.margins

    def attach(self, states: StateSource, row: int, first: int) -> None:
        """Sets where the states of the segment are: the row, and the predictive position of its first token."""
        self._states, self._row, self._first = states, row, first

    def __call__(self, text: str, words: Sequence[tuple[int, int]]) -> Sequence[NDArray[np.float32] | None]:
        """Gives log-probabilities [1 + 2K] of the tags of words; None for a word without a state."""
        places = [self._place(text, start, end) for start, end in words]
        self._read([place for place in places if place is not None and place not in self._said])
        said = [None if place is None else self._said.get(place) for place in places]
        while len(self._said) > _KEPT:
            del self._said[next(iter(self._said))]
        return said

    def _place(self, text: str, start: int, end: int) -> range | None:
        """Gives the tokens of a word; None if the model wrote something else there, or nothing after it yet."""
        if start < 0 or self._tokens.text[start:end] != text[start:end]:
            return None
        tokens = self._tokens.tokens(Span("", start, end))
        return tokens if tokens and tokens.stop < len(self._tokens) else None

    def _read(self, places: Sequence[range]) -> None:
        """Reads the tags of words by the states before their first tokens and at their last."""
        if not places or self._states is None:
            return
        positions = [self._first + at for place in places for at in (place.start, place.stop)]
        try:
            (read,) = self._states.spans([(positions, self._row)])
        except CaptureError:
            return  # a value behind these words is judged by the same states, and fails there
        states = read.hidden[:, self._depths].unflatten(0, (len(places), 2))
        tags = self._probe.tags(states)
        self._said.update((place, own) for place, own in zip(places, tags, strict=True) if isfinite(own[0]))
