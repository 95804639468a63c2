"""Which sentences before an answer asked for something: behind these its first words are read again."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from reticent_detectors.finder.forms.labels import fold
from reticent_detectors.spans import FindContext

_MOST, _MOST_PLAIN = 16, 2
"""Sentences that are read, and those of the last turn among them that are no question and no request."""
_CHARS = 16_000
_LEAST_LETTERS = 3
_SENTENCE = regex.compile(r"[^.?!\n]*+(?:[.!](?!\s)[^.?!\n]*+)*+[.?!\n]?")
_REQUEST = regex.compile(
    r"\W*(?:(?:please|bitte|por favor|per favore|now|just|then|and|can you|could you),? ){0,2}(?:tell|give|show"
    r"|list|name|say|state|write|print|output|recall|repeat|reveal|provide|answer|complete|what|who|where|which"
    r"|when|how"
    r"|sag|nenn|gib|schreib|wiederhol|was|wer|wo|welche|wie|dis|donne|ecris|repete|quel|ou|di|dime|da|dame|escribe"
    r"|repite|que|cual|dimmi|dammi|scrivi|ripeti|qual|diga|diz|escreve|repete)\b"
)


def asked(context: FindContext) -> tuple[str, ...]:
    """Return the sentences that asked, in whatever turn, the last first; the last turn's last ones ask, too."""
    return tuple(dict.fromkeys(_asked(context)))[:_MOST]


def _asked(context: FindContext) -> Iterator[str]:
    plain = 0
    for text, is_last in ((context.question, True), (context.earlier, False)):
        for sentence in _sentences(text[-_CHARS:]):
            if sum(map(str.isalpha, sentence)) < _LEAST_LETTERS:
                continue
            if sentence.endswith("?") or _REQUEST.match(fold(sentence)):
                yield sentence
            elif is_last and plain < _MOST_PLAIN:
                plain += 1
                yield sentence


def _sentences(text: str) -> list[str]:
    """Return the sentences of a text, the last first."""
    return [found.strip() for found in _SENTENCE.findall(text) if found.strip()][::-1]
