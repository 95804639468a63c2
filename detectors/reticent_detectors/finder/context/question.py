"""What kind of value the user asks for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import islice, pairwise
from operator import or_
from typing import Any

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder import names_data
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.languages import lexicon
from reticent_detectors.finder.languages.wordings import Tokens, fold
from reticent_detectors.finder.names_data import look_up
from reticent_detectors.lazy_attribute import lazy_attribute

_QUESTION_CHARS = 2000
_EARLIER_CHARS = 16_000
_MOST_NAMES = 3
_NAMES = regex.compile(r"(?:\p{Lu}[\p{L}'’-]+ ){1,3}\p{Lu}[\p{L}'’-]+")
_ASKED_PAIR = regex.compile(
    r"(?<![.?!] )\b\p{Lu}[\p{L}'’-]+ "
    r"(?:\p{Lu}\. |(?:van|von|de|da|di|del|der|den|la|le|dos|do|du|des|della) ){0,2}\p{Lu}[\p{L}'’-]+"
)
_QUESTION_SENTENCE = regex.compile(r"[^.?!\n]*+(?:[.!](?!\s)[^.?!\n]*+)*+[.?!\n]?")


class Question:
    """What the user's last turn asks for, and the turns before: kinds of value, if they are about a person."""

    def __init__(self, text: str, earlier: str = "") -> None:
        self._text = _ends(text, _QUESTION_CHARS)
        self._earlier = _ends(f"{earlier}\n{text}" if len(self._text) < len(text) else earlier, _EARLIER_CHARS)

    @lazy_attribute
    def _sentences(self) -> list[str]:
        """Questions first, the last of them foremost, then the other sentences."""
        found = sentences(self._text)
        return [s for s in found if s.endswith("?")] + [s for s in found if not s.endswith("?")]

    def matches(self, pattern: Any) -> bool:
        """Says whether a compiled pattern is found in the user's last turn."""
        return pattern.search(self._text) is not None

    @lazy_attribute
    def kinds(self) -> dict[Entity, int]:
        """The kinds of value that are asked for, with the languages in which they are: the likeliest first."""
        return self._likeliest | {
            entity: known for entity, known in self._others.items() if entity not in self._likeliest
        }

    @property
    def others(self) -> frozenset[Entity]:
        """All kinds but the last turn's likeliest: those of all sentences that ask about somebody, there and before.

        A model may answer whatever it was asked, but its words may answer something else.
        So words and numbers that nothing else announces must look like a value, or be the whole answer.
        """
        return frozenset(self.kinds) - frozenset(self._likeliest)

    @lazy_attribute
    def _likeliest(self) -> dict[Entity, int]:
        """The kind that the last sentence of the last turn that speaks of one asks for."""
        for sentence in self._sentences if self.about_someone else ():
            if found := _asked(Tokens(sentence, 0, len(sentence))):
                return dict(islice(found.items(), 1))
        return {}

    @lazy_attribute
    def _others(self) -> dict[Entity, int]:
        found: dict[Entity, int] = {}
        for sentence in self._asking:
            for entity, languages in _asked(Tokens(sentence, 0, len(sentence))).items():
                found.setdefault(entity, languages)
        return found

    @lazy_attribute
    def _asking(self) -> list[str]:
        """The sentences that ask about somebody for something, the last turn's first."""
        found = dict.fromkeys((*self._sentences, *sentences(self._earlier)))
        return [s for s in found if _may_ask(s) and self._asks_about_somebody(s)]

    @lazy_attribute
    def about_someone(self) -> bool:
        """Whether the last turn speaks of a person, or one is named before."""
        if not self._text:
            return self._names_somebody
        return (
            bool(_ASKED_PAIR.search(self._text))
            or _speaks_of_one(self._text)
            or _without_subject(self._text)
            or self._names_somebody
        )

    @lazy_attribute
    def _names_somebody(self) -> bool:
        return any(_names_person(text) for text in (self._text, self._earlier))

    def _asks_about_somebody(self, sentence: str) -> bool:
        if sentence.endswith("?") or REQUEST.match(fold(sentence)):
            return self._names_somebody or _names_person(sentence, True) or _speaks_of_one(sentence, _OF_ANYBODY)
        if _names_person(sentence):
            return True
        return self._names_somebody and any(word in _OF_ONE for word in _words(sentence))

    @property
    def entity(self) -> Entity | None:
        """The likeliest kind."""
        return next(iter(self.kinds), None)

    @lazy_attribute
    def languages(self) -> int:
        """Of all kinds that are asked for."""
        return reduce(or_, self.kinds.values(), 0)

    @lazy_attribute
    def names(self) -> frozenset[str]:
        """Words of the names in the sentences that ask, folded; an answer that begins with one is no value."""
        asking = " . ".join([s for s in self._sentences if s.endswith("?")] or self._sentences[:1])
        pool = asking if _NAMES.search(asking) else self._text
        # A sentence with more names offers a choice.
        before = [s for s in self._asking if s not in self._sentences and len(_NAMES.findall(s)) <= _MOST_NAMES]
        pool = " . ".join([pool, *before])
        return frozenset(
            word.casefold().replace("’", "'").removesuffix("'s")
            for m in _NAMES.finditer(pool)
            for word in m[0].split()[-4:]
        )

    @lazy_attribute
    def about_utilities(self) -> bool:
        utilities = lexicon().utilities
        return any(word in utilities for text in (self._text, self._earlier) for word in _words(text))


_NOBODY = word_set("you i we your our me")
_OF_ANYBODY = word_set(
    "el il le lo gli l' m on i io eu je yo ich mi mon ma mes mein meine meu minha mio mia my user usted voce 's"
)
_OF_ONE = word_set(
    """he him his she her hers er ihn ihm sein seine ihr ihre ihren elle lui sa son ses ella su sus lei suo sua ela
    ele dela dele seu"""
)
REQUEST = regex.compile(
    r"\W*(?:(?:please|bitte|por favor|per favore|now|just|then|and|can you|could you),? ){0,2}(?:tell|give|show"
    r"|list|name|say|state|write|print|output|recall|repeat|reveal|provide|answer|complete|what|who|where|which"
    r"|when|how"
    r"|sag|nenn|gib|schreib|wiederhol|was|wer|wo|welche|wie|dis|donne|ecris|repete|quel|ou|di|dime|da|dame|escribe"
    r"|repite|que|cual|dimmi|dammi|scrivi|ripeti|qual|diga|diz|escreve|repete)\b"
)


def _ends(text: str, chars: int) -> str:
    """Gives a text, or so many characters of its beginning and of its end."""
    return text if len(text) <= 2 * chars else text[:chars] + "\n" + text[-chars:]


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, the last first."""
    return [s.strip() for s in _QUESTION_SENTENCE.findall(text) if s.strip()][::-1]


def _speaks_of_one(text: str, others: frozenset[str] = frozenset()) -> bool:
    """Whether a text says "she" or "the patient's", or names somebody ("which illness does jane roe have?").

    `others` are words that do not count.
    """
    person, words = lexicon().person, list(_words(text))
    if any(word in person and word not in _NOBODY and word not in others for word in words):
        return True
    return any(
        look_up(first).given >= 2 and look_up(last).family for last, first in pairwise(words)
    )  # the last comes first


def _names_person(text: str, unknown: bool = False) -> bool:
    """Whether two words in capitals are a person's name, and no place or firm; `unknown`: unknown words count, too."""
    for match in _ASKED_PAIR.finditer(text):
        first, *_, last = (
            look_up(names_data.fold(word.removesuffix("'s").removesuffix("’s"))) for word in match[0].split()
        )
        if first.given >= 2 or (last.family >= 2 and not (first.ordinary or first.place)):
            return True
        if unknown and not any((*first, *last)):
            return True
    return False


def _without_subject(text: str) -> bool:
    """Whether it asks in a language that may leave out of whom it speaks ("¿Qué toma?")."""
    which = lexicon().which
    return bool(lexicon().pro_drop & next((which[word] for word in _words(text) if word in which), 0))


def _may_ask(sentence: str) -> bool:
    """Whether a wording that names a kind may end in the sentence."""
    last = lexicon().nouns.root.children, lexicon().asks.root.children
    return any(word in last[0] or word in last[1] for word in _words(sentence))


def _words(text: str) -> Iterator[str]:
    tokens, i = Tokens(text, 0, len(text)), 0
    while word := tokens.get(i):
        yield word
        i += 1


_AGENTS = frozenset({Entity.DOCTOR, Entity.HOSPITAL, Entity.EMPLOYER})
_AUXILIARIES = word_set("do does did is was are were has have had can will")


def _asked(tokens: Tokens) -> dict[Entity, int]:
    """Gives the kinds that a sentence asks for, with their languages.

    It asks by "which ..." and a noun, by a wording without a noun, or by a noun.
    """
    words, count = lexicon(), 0
    while tokens.get(count):
        count += 1
    best: dict[int, tuple[int, int, Entity, int]] = {}
    every: dict[Entity, int] = {}
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
                every[entity] = every.get(entity, 0) | languages
                if which is not None and words.which[tokens.words[which]] & languages:
                    rank = (-which, i, entity, languages & words.which[tokens.words[which]])
                    best[0] = min(best.get(0, rank), rank)
                rank = (-j, i, entity, languages)
                best[2] = min(best.get(2, rank), rank)
        for ends, j in words.asks.walk(tokens, i):
            for entity, languages in ends.items():
                assert isinstance(entity, Entity)
                every[entity] = every.get(entity, 0) | languages
                rank = (-j, i, entity, languages)
                best[1] = min(best.get(1, rank), rank)
    # "What did the doctor prescribe?": who does it stands near the question word as well.
    order = (1, 0, 2) if 0 in best and best[0][2] in _AGENTS else (0, 1, 2)
    likeliest = next((best[table][2:] for table in order if table in best), None)
    return (
        {}
        if likeliest is None
        else {likeliest[0]: likeliest[1]} | {k: v for k, v in every.items() if k is not likeliest[0]}
    )
