"""Recognisers made of an analyser that reads a whole text at once."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from threading import Lock
from typing import NamedTuple
from weakref import ref

from reticent_detectors.errors import InputError, ReticentError
from reticent_detectors.finder.adapters.sentences import LEAST_CHARS, MOST_CHARS, piece, whole_words
from reticent_detectors.finder.engine.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, Recognizer

CHARS = 400
"""Longest piece of text that an analyser is shown, and longest hold-back, by default, in characters."""
_KEPT = 512


class Finding(NamedTuple):
    """What an analyser found: its own label, a range of characters of the text it was shown, and how sure it is."""

    label: str
    start: int
    end: int
    score: float


Analyse = Callable[[str], Iterable[Finding]]


def adapt(
    name: str, analyse: Analyse, entities: Mapping[str, str], score_threshold: float, chars: int = CHARS
) -> tuple[Recognizer, ...]:
    """Recognisers, one for each entity, that share one analysis of every sentence.

    Args:
        name: of the recognisers, as spans name them.
        analyse: what is found in a text. It is never called by two threads at once.
        entities: our kind for each of the analyser's labels: one of `Entity`, or a name of your own.
            Other labels are ignored.
        score_threshold: what is found with a lower score is ignored.
        chars: longest text that is analysed at once, 320 to 1,000 characters. So much may be held back.

    The recognisers raise `ReticentError` where the analyser raises; its own message, which may hold text, is left out.

    Raises:
        InputError: `entities` is empty, or a number is out of its range.
    """
    if not entities:
        raise InputError("entities is empty: expected at least one of the analyser's labels with our kind for it.")
    if not 0 <= score_threshold <= 1:
        raise InputError(f"score_threshold must lie between 0 and 1, got {score_threshold!r}.")
    if not LEAST_CHARS <= chars <= MOST_CHARS:
        raise InputError(f"chars must lie between {LEAST_CHARS} and {MOST_CHARS}, got {chars!r}.")
    # Plain strings, as a finder changes members of `Entity` by the words around a value; the analyser has read these.
    kinds = {label: str(entity) for label, entity in entities.items()}
    analysis = _Analysis(name, analyse, kinds, score_threshold, chars)
    return tuple(_Adapted(name, entity, analysis) for entity in dict.fromkeys(kinds.values()))


class _Analysis:
    """What an analyser found in the sentences seen last. It keeps keyed hashes of them and ranges, no text."""

    def __init__(self, name: str, analyse: Analyse, kinds: Mapping[str, str], least: float, chars: int) -> None:
        self._name, self._analyse, self._kinds, self._least, self._chars = name, analyse, kinds, least, chars
        self._key = secrets.token_bytes(16)
        self._kept: dict[bytes, tuple[tuple[int, int, str], ...]] = {}
        self._lock = Lock()
        self._last: tuple[Callable[[], Position | None], bool, Mapping[str, int] | None] = (lambda: None, False, None)

    def ends(self, text: str, p: int, position: Position, closed: bool) -> Mapping[str, int] | None:
        """Gives the ends of the values that p is in, by entity; None while their sentence is not complete."""
        seen, was_closed, ends = self._last
        if seen() is not position or was_closed is not closed:
            ends = self._ends(text, p, closed)
            self._last = ref(position), closed, ends
        return ends

    def _ends(self, text: str, p: int, closed: bool) -> Mapping[str, int] | None:
        begin, end = piece(text, p, closed, self._chars)
        if end == OPEN:
            return None
        # A value counts from any position in it: the finder may have passed its first word.
        ends: dict[str, int] = {}
        for first, last, entity in self._spans(text[begin:end].rstrip()):
            if first <= p - begin < last:
                ends[entity] = max(begin + last, ends.get(entity, NONE))
        return ends

    def _spans(self, sentence: str) -> tuple[tuple[int, int, str], ...]:
        key = blake2b(sentence.encode("utf-8", "surrogatepass"), key=self._key, digest_size=16).digest()
        spans = self._kept.get(key)
        if spans is None:
            # One at a time: tokenizers of models fail when two threads use them.
            with self._lock:
                spans = self._kept.get(key)
                if spans is None:
                    spans = self._kept[key] = self._found(sentence)
                    if len(self._kept) > _KEPT:
                        del self._kept[next(iter(self._kept))]
        return spans

    def _found(self, sentence: str) -> tuple[tuple[int, int, str], ...]:
        best: dict[tuple[int, int], tuple[float, str]] = {}
        try:
            for label, start, end, score in self._analyse(sentence):
                if label in self._kinds and not score < self._least:
                    place = whole_words(sentence, start, end)
                    if place not in best or score > best[place][0]:
                        best[place] = score, self._kinds[label]
        except InputError:
            raise
        except Exception as error:
            failure = type(error).__name__
        else:
            return tuple((*place, entity) for place, (_, entity) in best.items())
        raise ReticentError(f"The analyser {self._name} failed on a sentence of {len(sentence)} characters: {failure}.")


@dataclass(frozen=True, slots=True)
class _Adapted:
    """One entity of an analyser. It is OPEN at every position of a sentence that is not complete."""

    name: str
    entity: str
    analysis: _Analysis = field(repr=False)
    start_classes: str = "duls"
    fallback: bool = False
    plain_word_starts: str = "ul"

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        ends = self.analysis.ends(text, p, position, closed)
        return OPEN if ends is None else ends.get(self.entity, NONE)

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        # What the end of the text cut short, the analyser has seen as it stands.
        return False
