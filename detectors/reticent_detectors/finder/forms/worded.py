"""Tell whether the words before a value, or a question, name a kind whose values are words without a form.

These labels stand apart from those of kinds with a form (`kinds.Kinds.labels`): the nearest label names a value, and
"the phone number of her doctor is" names a number. A kind is a file of `finder/data/forms/worded`.

They find no value. They say of one that a tagger found whether it was announced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from reticent_detectors.finder.forms.kinds import Kind, read_files
from reticent_detectors.finder.forms.labels import DATA, WORDS, Labels, fold, sentence_words
from reticent_detectors.finder.forms.named import Sort, Strength

_LAST_CHARS = 24
_ASKING = (Sort.LABEL, Sort.BOTH)


class Worded:
    """The labels of kinds without a form, and the questions that ask for them."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        self.labels = Labels()
        self._asks: list[tuple[str, re.Pattern[str]]] = []
        for kind in kinds:
            for sort, wordings in kind.labels.items():
                self.labels.add(wordings, kind.name, sort)
            if kind.asks:
                self._asks.append((kind.name, re.compile("|".join(kind.asks))))

    def before(self, text: str, p: int) -> frozenset[str]:
        """Return the kinds that the words before p lead to."""
        named = self.labels.before(text, p)
        if named is None:
            return frozenset()
        # "The physician who treats Jo Day is": what stands between is no statement of its own.
        last = [fold(word) for word in WORDS.findall(text[max(0, p - _LAST_CHARS) : p])[-1:]]
        least = Strength.NEAR if sentence_words()["links"].issuperset(last) else Strength.LOOSE
        return frozenset(kind for kind in named.kinds if (named.strength_of(kind) or 0) >= least)

    def asked(self, text: str) -> frozenset[str]:
        """Return the kinds that a text asks for or speaks of."""
        folded = fold(text)
        found = {kind for kind, pattern in self._asks if pattern.search(folded)}
        for named in self.labels.in_text(folded):
            found.update(kind for kind, sort in named.items() if sort in _ASKING)
        return frozenset(found)


@lru_cache(maxsize=1)
def worded() -> Worded:
    """Return the kinds of `finder/data/forms/worded`, read at the first call."""
    return Worded(read_files(DATA / "worded"))
