"""What kind of value the user asks for."""

from __future__ import annotations

from functools import cached_property

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder import cues
from reticent_detectors.finder.languages import lexicon
from reticent_detectors.finder.languages.wordings import Tokens

_QUESTION_CHARS = 2000
_NAMES = regex.compile(r"(?:\p{Lu}[\p{L}'’-]+ ){1,3}\p{Lu}[\p{L}'’-]+")
_ASKED_PAIR = regex.compile(
    r"(?<![.?!] )\b\p{Lu}[\p{L}'’-]+ (?:\p{Lu}\. |(?:van|von|de|da|di|del|der|den|la|le|dos|do|du|des|della) ){0,2}\p{Lu}[\p{L}'’-]+"
)
_QUESTION_SENTENCE = regex.compile(r"[^.?!\n]*+(?:[.!](?!\s)[^.?!\n]*+)*+[.?!\n]?")


class Question:
    """What the user's last turn asks for: the likeliest kind of value, if it is about a person."""

    def __init__(self, text: str) -> None:
        self._text = (
            text if len(text) <= 2 * _QUESTION_CHARS else text[:_QUESTION_CHARS] + "\n" + text[-_QUESTION_CHARS:]
        )

    @cached_property
    def _sentences(self) -> list[str]:
        """Questions first, the last of them foremost, then the other sentences."""
        found = [s.strip() for s in _QUESTION_SENTENCE.findall(self._text) if s.strip()][::-1]
        return [s for s in found if s.endswith("?")] + [s for s in found if not s.endswith("?")]

    @cached_property
    def _asked(self) -> tuple[Entity | None, int]:
        if not self.about_someone:
            return None, 0
        for sentence in self._sentences:
            found = _asked(Tokens(sentence, 0, len(sentence)))
            if found is not None:
                return found
        return None, 0

    @cached_property
    def about_someone(self) -> bool:
        """Whether it names a person."""
        if not self._text:
            return False
        if _ASKED_PAIR.search(self._text):
            return True
        tokens = Tokens(self._text, 0, len(self._text))
        person, i = lexicon().person, 0
        while word := tokens.get(i):
            if word in person and word not in _NOBODY:
                return True
            i += 1
        return lexicon().pro_drop & self._tongue() > 0

    def _tongue(self) -> int:
        """The languages of the words that ask."""
        tokens, which, i = Tokens(self._text, 0, len(self._text)), lexicon().which, 0
        while word := tokens.get(i):
            if word in which:
                return which[word]
            i += 1
        return 0

    @property
    def entity(self) -> Entity | None:
        return self._asked[0]

    @property
    def languages(self) -> int:
        return self._asked[1]

    @cached_property
    def names(self) -> frozenset[str]:
        """Words of the names in the sentences that ask, folded; an answer that begins with one is no value."""
        asking = " . ".join([s for s in self._sentences if s.endswith("?")] or self._sentences[:1])
        pool = asking if _NAMES.search(asking) else self._text
        return frozenset(
            word.casefold().replace("’", "'").removesuffix("'s")
            for m in _NAMES.finditer(pool)
            for word in m[0].split()[-4:]
        )

    @cached_property
    def about_utilities(self) -> bool:
        tokens, utilities, i = Tokens(self._text, 0, len(self._text)), lexicon().utilities, 0
        while word := tokens.get(i):
            if word in utilities:
                return True
            i += 1
        return False


_NOBODY = cues.words("you i we your our me")
_AGENTS = frozenset({Entity.DOCTOR, Entity.HOSPITAL, Entity.EMPLOYER})
_AUXILIARIES = cues.words("do does did is was are were has have had can will")


def _asked(tokens: Tokens) -> tuple[Entity, int] | None:
    """The kind that a sentence asks for: by "which ..." and a noun, by a wording without a noun, or by a noun."""
    words, count = lexicon(), 0
    while tokens.get(count):
        count += 1
    best: dict[int, tuple[int, int, Entity, int]] = {}
    for i in range(count):
        for ends, j in words.nouns.walk(tokens, i):
            which = next(
                (
                    k
                    for k in range(j, min(j + 4, count))
                    if tokens.words[k] in words.which and not _AUXILIARIES & set(tokens.words[j:k])
                ),
                None,
            )
            for entity, languages in ends.items():
                assert isinstance(entity, Entity)
                if which is not None and words.which[tokens.words[which]] & languages:
                    rank = (-which, i, entity, languages & words.which[tokens.words[which]])
                    best[0] = min(best.get(0, rank), rank)
                rank = (-j, i, entity, languages)
                best[2] = min(best.get(2, rank), rank)
        for ends, j in words.asks.walk(tokens, i):
            for entity, languages in ends.items():
                assert isinstance(entity, Entity)
                rank = (-j, i, entity, languages)
                best[1] = min(best.get(1, rank), rank)
    # "What did the doctor prescribe?": who does it stands near the question word as well.
    order = (1, 0, 2) if 0 in best and best[0][2] in _AGENTS else (0, 1, 2)
    return next((best[table][2:] for table in order if table in best), None)
