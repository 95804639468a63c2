"""Answers of a model that several columns of a report ask for, each of which judges them in its own way."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from hashlib import sha256

from reticent_bench.audits.target import Sampling
from reticent_detectors.host.answers import Answer


class KeptAnswers:
    """Answers by prompt, length and draw. Of a prompt a digest is kept."""

    def __init__(self) -> None:
        self._answers: dict[bytes, tuple[tuple[int, ...], bool]] = {}

    def __repr__(self) -> str:
        return f"KeptAnswers({len(self._answers)} answers)"

    def __contains__(self, key: bytes) -> bool:
        return key in self._answers

    def key(self, prompt_ids: Sequence[int], max_new_tokens: int, sampling: Sampling, seed: int) -> bytes:
        """The key of an answer. A greedy answer depends on no seed."""
        drawn = (sampling.temperature, sampling.top_k, seed) if sampling.temperature > 0 else ()
        return sha256(repr((max_new_tokens, drawn)).encode() + array("q", prompt_ids).tobytes()).digest()

    def add(self, key: bytes, answer: Answer) -> None:
        """Keeps an answer."""
        self._answers[key] = answer.ids, answer.ended

    def answer(self, key: bytes, prompt_ids: Sequence[int]) -> Answer:
        """The answer that is kept under a key.

        Raises:
            KeyError: none is.
        """
        return Answer(tuple(prompt_ids), *self._answers[key])
