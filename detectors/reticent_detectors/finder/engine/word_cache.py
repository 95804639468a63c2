"""The words that were read to the left of positions, kept while a text grows."""

from __future__ import annotations

from reticent_detectors.finder.context.left_context import LEFT_CHARS
from reticent_detectors.finder.languages.wordings import WordReading

_MOST_WORDS = 4096
_MOST_CHARS = 4096


class WordCache:
    """The words read in the text of a context so far, while it only grows."""

    __slots__ = ("_begins", "_offset", "_text", "known")

    def __init__(self) -> None:
        # `_text` is the text from `_begins` on; of a stream the end alone, as all of it would be copied at each token.
        self._text, self._begins, self._offset, self.known = "", 0, 0, dict[int, WordReading]()

    def of(self, text: str, offset: int, p: int) -> dict[int, WordReading]:
        """Gives what is known of the words of `text` from 160 characters before p on."""
        if len(self.known) > _MOST_WORDS:
            self.known = {}
        if text is self._text:
            return self.known
        low = max(0, p - LEFT_CHARS - 1)
        since = low - self._begins
        old, new = self._text[max(0, since) : max(0, since) + _MOST_CHARS], text[low : low + _MOST_CHARS]
        if since < 0 or offset != self._offset or not (new.startswith(old) or old.startswith(new)):
            self.known = {}
        long = len(text) - low > _MOST_CHARS
        self._text, self._begins, self._offset = text if long else new, 0 if long else low, offset
        return self.known
