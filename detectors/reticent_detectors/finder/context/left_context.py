"""The words to the left of a position, and how they hang together: links, articles, people.

It reads the last 160 characters, so nothing that follows can change it.
"""

from __future__ import annotations

import re

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder import names_data
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.languages import ALL, lexicon
from reticent_detectors.finder.languages.wordings import Tokens, WordReading, fold
from reticent_detectors.lazy_attribute import lazy_attribute

LEFT_CHARS = 160
PIECES = re.compile(r"[^\W\d_]+")
ENGLISH = 1
_LABELS = frozenset(":=|–—->→⇒➜➔➡\t")
_BEFORE_A_NAME = re.compile(r"\b(?:dass|weil|ob|wenn|obwohl|denn|da) [A-ZÄÖÜ]")
_PAIR = regex.compile(
    r"\p{Lu}[\p{L}'’-]+ (?:\p{Lu}\. |(?:van|von|de|da|di|del|der|den|la|le|dos|do|du|des|della) ){0,2}\p{Lu}[\p{L}'’-]+"
    r"|\b(?:of|for|on|about) \p{Lu}\p{Ll}"
)
_CAPITAL = regex.compile(r"\b\p{Lu}\p{Ll}[\p{L}'’-]*")
_SHORT = word_set("dr dra prof dott ssa no nr n tel med st hr fr sr sra mme num")
_JOINING = word_set("and und et y e")


class LeftContext:
    """The text before the position `p`."""

    shift = 0
    """How much further on in the text of `known` the same words stand, in characters."""

    def __init__(self, text: str, p: int, known: dict[int, WordReading] | None = None) -> None:
        self._text, self._p, self._known = text, p, known
        self._people: dict[tuple[int, int], bool] = {}
        self._spoken: dict[int, tuple[int, int]] = {}
        self._named: dict[int, bool] = {}
        self.column: frozenset[Entity] | None = None

    @lazy_attribute
    def before(self) -> str:
        return self._text[max(0, self._p - LEFT_CHARS) : self._p]

    @lazy_attribute
    def words_before(self) -> frozenset[str]:
        """The words in the last 120 characters, in small letters; of a word with other characters inside, its parts."""
        return frozenset(PIECES.findall(self.before[-120:].lower()))

    @lazy_attribute
    def word_before(self) -> str | None:
        """The word before the position in small letters, if only a blank stands between; None if anything else does."""
        text, end = self._text, self._p - 1
        if end < 1 or text[end] != " ":
            return None
        word = text[text.rfind(" ", max(0, end - 26), end) + 1 : end]
        return word.lower() if word.isalpha() else None

    @lazy_attribute
    def _tokens(self) -> Tokens:
        return Tokens(self._text, max(0, self._p - LEFT_CHARS), self._p, self._known, self.shift)

    def _triggered(self) -> bool:
        """Cheap: could anything that announces a value end here?"""
        if self.word_before is not None:
            if fold(self.word_before) in lexicon().triggers:
                return True
            # A name stands between the wording and the view: "Politisch steht Jo Day links".
            first = max(0, self._p - 56)
            if not self._text[self._p].islower():
                return False
            named = self._text[self._p - 1 - len(self.word_before)].isupper()
            return "olit" in self._text[first : self._p] or (
                named and _BEFORE_A_NAME.search(self._text, first, self._p) is not None
            )
        text, q = self._text, self._p - 1
        if q > 0 and text[q] == " " and text[q - 1] in ".,!?":
            word = text[text.rfind(" ", max(0, q - 27), q - 1) + 1 : q - 1]
            if word.isalpha():
                if text[q - 1] in ",?":
                    return (text[q - 1] == "," and word[0].isupper()) or fold(word) in lexicon().triggers
                return fold(word) in _SHORT
        return q >= 0

    @lazy_attribute
    def _beginnings(self) -> list[tuple[int, int]]:
        """Where a wording may end: here, or before articles and words like "called"; with the languages of these."""
        words, tokens = lexicon(), self._tokens
        found, mask = [(0, ALL)], ALL
        for i in range(2):
            word = tokens.get(i)
            mask &= words.articles.get(word, 0) | words.called.get(word, 0)
            if not mask:
                break
            found.append((i + 1, mask))
        return found

    def _someone(self, i: int, languages: int) -> bool:
        """Whether the sentence of token i, or its part before it, names a person."""
        found = self._people.get((i, languages))
        if found is None:
            found = self._people[i, languages] = self._names_someone(i, languages)
        return found

    def _names_someone(self, i: int, languages: int) -> bool:
        tokens = self._tokens
        people, end = self._spoken.get(i) or self._people_of_sentence(i)
        if people & languages:
            return True
        start = tokens.starts[end - 1] if end > i else self._p
        found = self._named.get(start)
        if found is None:
            found = self._named[start] = self._has_name(start)
        return found

    def _people_of_sentence(self, i: int) -> tuple[int, int]:
        """Gives the languages in which the sentence of token i speaks of a person, and the token behind it."""
        tokens, person, languages = self._tokens, lexicon().person, 0
        end = tokens.sentence(i)
        for word in tokens.words[i:end]:
            if word in person:
                languages |= person[word]
        self._spoken[i] = languages, end
        return languages, end

    def _has_name(self, start: int) -> bool:
        """Whether a person's name stands between `start` and the position."""
        return bool(_PAIR.search(self._text, start, self._p)) or any(
            fold(word[0]) not in lexicon().triggers and _is_given(word[0])
            for word in _CAPITAL.finditer(self._text, start, self._p)
        )

    def _link(self) -> tuple[int, int, bool, bool] | None:
        """Gives (token before the link, languages, whether it is a form's mark, whether it is a mere preposition)."""
        words, tokens = lexicon(), self._tokens
        i = 0
        # "post-war": the hyphen of a word is no mark.
        joined = self._text[max(0, self._p - 2) : self._p]
        while not (joined[-1:] == "-" and joined[:1].isalnum()) and tokens.get(i) in _LABELS and tokens.get(i):
            i += 1
        if i or self._text[self._p - 1 : self._p] == "\t":
            return i, ALL, True, False
        for start, mask in self._beginnings:
            j, m = start, mask
            for table in (words.prepositions, words.participles, words.adverbs, words.adverbs):
                here = table.get(tokens.get(j), 0) & m
                if here:
                    j, m = j + 1, here
            here = words.links.get(tokens.get(j), 0) & m
            if here:
                return j + 1, here, False, False
        for start, mask in self._beginnings:
            here = words.prepositions.get(tokens.get(start), 0) & mask
            if here:
                return start + 1, here, False, True
        return None

    def label(self) -> tuple[Tokens, int] | None:
        """Gives the words to the left and where a field's name ends in them; None without a field's mark."""
        link = self._link()
        return (self._tokens, self._past_brackets(link[0])) if link is not None and link[2] else None

    def _past_brackets(self, i: int) -> int:
        """Gives the token before what stands between a noun and its mark: a bracket, a type, the end of an index."""
        tokens = self._tokens
        if tokens.get(i) == ")":
            for k in range(i + 1, i + 10):
                if tokens.get(k) == "(":
                    return k + 1
        if tokens.get(i) == "]":
            return i + 1
        if tokens.get(i + 1) == ":" and self._text[self._p - 3 : self._p].count("="):
            return i + 2
        return i

    def _middle(self, i: int, k: int, languages: int, label: bool) -> bool:
        """Whether a noun still belongs to the link across the tokens i to k-1 between them."""
        if k == i:
            return True
        words, tokens = lexicon(), self._tokens
        for place in range(i, k):
            if words.clauses.get(tokens.words[place], 0) & languages:
                return False
            if (
                tokens.words[place] in _JOINING
                and place > i
                and words.owned.get(tokens.words[place - 1], 0) & languages
            ):
                return False
        k -= 1
        if tokens.words[k] == "'s" and k > i:
            k -= 1
            if not words.fillers.get(tokens.words[k], 0) & languages:
                return False
        while k >= i and (words.fillers.get(tokens.words[k], 0) & languages or tokens.words[k] == ","):
            k -= 1
        if k < i:
            return True
        word = tokens.words[k]
        if word == "(":
            return True
        if label and not self._text[tokens.starts[k] - 1 : tokens.starts[k]].isspace():
            return False
        return bool(
            words.joins.get(word, 0) & languages
            or (languages & ENGLISH and word.endswith(("ing", "ed")))
            or (tokens.raw[k][0].isupper() and word not in ("i",))
        )

    def _indefinite(self, j: int, languages: int) -> bool:
        indefinite = lexicon().indefinite
        word = self._tokens.get(j)
        if indefinite.get(word, 0) & languages:
            return True
        return bool(
            word[:1].isalpha()
            and not lexicon().owned.get(word, 0) & languages
            and indefinite.get(self._tokens.get(j + 1), 0) & languages
        )


def is_small(word: str) -> bool:
    """Tell whether a word is a preposition or an article."""
    return word in lexicon().prepositions or word in lexicon().articles


def _is_given(word: str) -> bool:
    """Whether the word is a given name and hardly ever anything else."""
    known = names_data.look_up(names_data.fold(word))
    return known.given >= 2 and known.ordinary == 0 and known.place < 2
