"""The tags of a text's words by the states of a copy of the model, for the finder of an answer that a server sends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from reticent.observability.observers import WireStage
from reticent.serve.judging.detector_protocols import Judge, WordLocations
from reticent.serve.judging.token_source import TokenSource

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PROBE_UNREAD = "the probe of the bundle is not read, and the finder goes without the model's states"
_KEPT = 512
"""Words whose tags are kept."""
_BEHIND_CHARS = 256
"""Characters behind a segment that a copy may read ahead."""


class ServedStateTags:
    """Tags words of one segment of a text (`reticent_detectors.spans.StateTags`).

    What it says depends on the text up to the last word that is asked about, not on how much of it has come. Where the
    copy cannot say it, the failure is counted under `states`, and the finder goes without.

    Args:
        judge: has the copy read the words.
        margins: of the tagger's kinds, in nats.
        prompt: number of the prompt that the text answers.
        source: the text so far, and its tokens.
        note_failure: takes the stage and the error of a failure.
    """

    def __init__(
        self,
        judge: Judge,
        margins: Sequence[float],
        prompt: int,
        source: TokenSource,
        note_failure: Callable[[str, BaseException], None],
    ) -> None:
        self._judge, self._prompt, self._source, self._note_failure = judge, prompt, source, note_failure
        self.margins = margins
        self._said: dict[tuple[int, int, int], NDArray[np.float32] | None] = {}
        """By the word, and the end of the last one that was read with it."""

    def __repr__(self) -> str:
        return f"ServedStateTags({len(self._said)} words)"

    def __call__(self, text: str, words: Sequence[tuple[int, int]]) -> Sequence[NDArray[np.float32] | None]:
        """Gives log-probabilities [1 + 2K] of the tags of words; None for a word without a state."""
        own = self._source.text[self._source.base :]
        there = [word for word in words if word[0] >= 0 and own[slice(*word)] == text[slice(*word)]]
        if not there:
            return [None] * len(words)
        stop = there[-1][1]
        new = [word for word in there if (*word, stop) not in self._said]
        self._said.update(((*word, stop), tags) for word, tags in zip(new, self._read(stop, new), strict=True))
        said = [self._said.get((*word, stop)) for word in words]
        while len(self._said) > _KEPT:
            del self._said[next(iter(self._said))]
        return said

    def _read(self, stop: int, words: Sequence[tuple[int, int]]) -> Sequence[NDArray[np.float32] | None]:
        """Has the copy read the text up to `stop`. Gives the tags of words there."""
        if not words:
            return ()
        source, end = self._source, self._source.base + stop
        places = [(source.base + first, source.base + last) for first, last in words]
        text, behind = source.text[:end], source.text[end : end + _BEHIND_CHARS]
        at = WordLocations(self._prompt, places, source.track, source.received, text, behind)
        try:
            return self._judge.word_tags(at)
        except Exception as error:
            self._note_failure(WireStage.STATES, error)
            return [None] * len(words)
