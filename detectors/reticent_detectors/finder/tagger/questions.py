"""Which sentences before an answer asked for something: after these its first words are read again."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from reticent_detectors.finder.forms.asked import REQUEST
from reticent_detectors.finder.forms.labels import fold
from reticent_detectors.spans import FindContext

_MOST, _MOST_PLAIN = 16, 2
"""Sentences that are read, and those of the last turn among them that are no question and no request."""
_CHARS = 16_000
_LEAST_LETTERS = 3
_SENTENCE = regex.compile(r"[^.?!\n]*+(?:[.!](?!\s)[^.?!\n]*+)*+[.?!\n]?")


def asking_sentences(context: FindContext) -> tuple[str, ...]:
    """Return the sentences that asked, in whatever turn, the last first; the last turn's last ones ask, too."""
    return tuple(dict.fromkeys(_asked(context)))[:_MOST]


def _asked(context: FindContext) -> Iterator[str]:
    plain = 0
    for text, is_last in ((context.question, True), (context.earlier, False)):
        for sentence in _sentences(text[-_CHARS:]):
            if sum(map(str.isalpha, sentence)) < _LEAST_LETTERS:
                continue
            if sentence.endswith("?") or REQUEST.match(fold(sentence)):
                yield sentence
            elif is_last and plain < _MOST_PLAIN:
                plain += 1
                yield sentence


def _sentences(text: str) -> list[str]:
    """Return the sentences of a text, the last first."""
    return [found.strip() for found in _SENTENCE.findall(text) if found.strip()][::-1]
