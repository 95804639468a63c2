"""Which kinds of value the words to the left of a position, and the question, announce there.

The wordings are in `languages`, those of data and code in `formats`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import regex

from reticent_detectors.entities import PROTECTED, Entity
from reticent_detectors.finder.context import formats
from reticent_detectors.finder.context.code_nouns import past_question
from reticent_detectors.finder.context.left_context import ENGLISH, LEFT_CHARS, LeftContext, is_small
from reticent_detectors.finder.context.question import Question
from reticent_detectors.finder.languages import ALL, lexicon
from reticent_detectors.finder.languages.codes import CODED
from reticent_detectors.finder.languages.wordings import BREAKS, Tokens, WordReading
from reticent_detectors.lazy_attribute import lazy_attribute


class Strength(IntEnum):
    """How surely a kind of value is announced.

    ASKED: only the question names the kind. WEAK: the words before do, but they name nobody.
    STRONG: they do, and name a person. LABEL: a form, a table or code names it.
    """

    ASKED = 1
    WEAK = 2
    STRONG = 3
    LABEL = 4


class Announcement(NamedTuple):
    """One kind announced at a position.

    Attributes:
        strength: how surely.
        languages: in which languages, as bits.
        sure: whether small letters will do.
        bare: whether only one small word announces a kind that has a form ("on BA 117"), which says little by itself.
    """

    strength: Strength
    languages: int
    sure: bool
    bare: bool = False


# Kinds whose values are words without a form of their own: only an announcement sets them apart from other words.
ANNOUNCED = frozenset(
    {
        Entity.DIAGNOSIS,
        Entity.PRESCRIPTION,
        Entity.JOB_TITLE,
        Entity.DOCTOR,
        Entity.HOSPITAL,
        Entity.EMPLOYER,
        *PROTECTED,
    }
)
_NEVER_BARE = ANNOUNCED | (CODED - {Entity.BANK_ACCOUNT, Entity.ORDER_NUMBER})
_HEAD_WORDS = 32
_HEAD_ENDS = BREAKS | frozenset("{,(<")
_IN_CELL = regex.compile(r"\s*(?:```\w*\s*)?(?=\{\s*\"|\[\s*[\[{\"\d])[\[{][\s\S]*(?:[:,\[]\s*\"?|\n\s*\"?)$")
_BREAK = regex.compile(r"(?<!\b(?:Dr|St|Mr|Mrs|Ms|Prof|No|tel|Tel|\p{Lu}))[.!?](?=[\s\"”'])|\n|[;|]")


class Announcements(LeftContext):
    """Reads the kinds announced at the position `p`.

    Args:
        text, p: the text and the position, in characters.
        answer: the distance of p from where the model's turn begins, in characters; None if it is unknown or far.
        question: what the user asks.
        known: what was read of the words of this text so far.
    """

    def __init__(
        self, text: str, p: int, answer: int | None, question: Question, known: dict[int, WordReading] | None = None
    ) -> None:
        super().__init__(text, p, known)
        self._answer, self.question = answer, question

    @lazy_attribute
    def sentence(self) -> str:
        return _after_break(self.before)

    @lazy_attribute
    def kinds(self) -> dict[Entity, Strength]:
        """The kinds of value announced here, the likeliest first."""
        return {entity: found.strength for entity, found in self.announced.items()}

    @lazy_attribute
    def announced(self) -> dict[Entity, Announcement]:
        found: dict[Entity, Announcement] = {}
        if self._triggered():
            self._add_phrases(found)
            self._nouns(found)
            self._apposition(found)
        if self.form is not None:
            self._add_labelled_kinds(found, self.form.label)
        self._add_asked_kinds(found)
        return found

    @lazy_attribute
    def form(self) -> formats.NamedField | None:
        """The cell, field or argument that begins here, and what it is called elsewhere."""
        return formats.place(self._text, self._p)

    @lazy_attribute
    def someone(self) -> bool:
        """Whether the sentence so far names a person, or the question does."""
        if self._answer is not None and self._answer <= LEFT_CHARS and self.question.about_someone:
            return True
        return self._someone(0, ALL)

    def _add(self, found: dict[Entity, Announcement], entity: Entity, new: Announcement) -> None:
        old = found.get(entity)
        if old is None:
            found[entity] = new
        else:
            found[entity] = Announcement(
                max(old.strength, new.strength),
                old.languages | new.languages,
                old.sure or new.sure,
                old.bare and new.bare,
            )

    def _add_phrases(self, found: dict[Entity, Announcement]) -> None:
        words, tokens = lexicon(), self._tokens
        for i, mask in self._beginnings:
            for ends, j in words.announcing.walk(tokens, i):
                for entity, languages in ends.items():
                    assert isinstance(entity, Entity)
                    languages &= mask
                    if not languages:
                        continue
                    strong = self._someone(0, languages) or bool(languages & words.pro_drop)
                    strength = Strength.STRONG if strong else Strength.WEAK
                    sure = strong and not (i and languages == ENGLISH)
                    bare = j - i == 1 and is_small(tokens.get(i))
                    self._add(found, entity, Announcement(strength, languages, sure, bare))

    def _nouns(self, found: dict[Entity, Announcement]) -> None:  # noqa: C901, PLR0912 - parts would pass on mask, label, range and best noun
        link = self._link()
        if link is None:
            return
        i, mask, label, bare = link
        words, tokens = lexicon(), self._tokens
        i = past_question(tokens, i)
        if label:
            i = self._past_brackets(i)
        end = tokens.sentence(i, i + _HEAD_WORDS)
        if label:
            end = next((k for k in range(i, end) if tokens.words[k] in _HEAD_ENDS), end)
        best: tuple[int, int, Entity, int] | None = None
        for k in range(i, end):
            for ends, j in words.nouns.walk(tokens, k):
                if j > end:
                    continue
                for entity, languages in ends.items():
                    assert isinstance(entity, Entity)
                    languages &= mask
                    if not languages or (bare and entity in _NEVER_BARE) or not self._middle(i, k, languages, label):
                        continue
                    rank = (-j, k, entity, languages)
                    best = rank if best is None or rank[:2] < best[:2] else best
        if best is None and label:
            for ends, j in words.announcing.walk(tokens, i):
                for entity, languages in ends.items():
                    assert isinstance(entity, Entity)
                    if j == end or tokens.get(j) in _CODE:
                        best = (-j, i, entity, languages)
        if best is None:
            return
        j, entity, languages = -best[0], best[2], best[3]
        if self._indefinite(j, languages):
            return
        if (
            label
            and tokens.get(0) == "|"
            and not ((tokens.get(end) == "|" and tokens.get(end + 1) in ("", "\n")) or tokens.get(end) in ("", "\n"))
        ):
            return  # a later cell of a table's head
        if label:
            sure = j >= end or tokens.get(j) in _CODE or bool(words.owned.get(tokens.get(j), 0) & languages)
            self._add(found, entity, Announcement(Strength.LABEL if sure else Strength.STRONG, languages, sure))
        else:
            strong = self._someone(i, languages) or bool(languages & ~ENGLISH)
            self._add(found, entity, Announcement(Strength.STRONG if strong else Strength.WEAK, languages, strong))

    def _apposition(self, found: dict[Entity, Announcement]) -> None:
        """Add the kind of a noun that stands directly before the value ("order number X")."""
        words, tokens = lexicon(), self._tokens
        beginnings = self._beginnings[1:] if tokens.get(0) in words.called else [(0, ALL)]
        if tokens.get(0) == "," or (tokens.get(0) and "\n" in self._text[tokens.starts[0] : self._p]):
            return
        for i, mask in beginnings:
            for ends, j in words.nouns.walk(tokens, i):
                for entity, languages in ends.items():
                    assert isinstance(entity, Entity)
                    languages &= mask
                    if languages and entity not in ANNOUNCED and not self._indefinite(j, languages):
                        strength = Strength.STRONG if languages & ~ENGLISH else Strength.WEAK
                        self._add(found, entity, Announcement(strength, languages, False))

    def _add_labelled_kinds(self, found: dict[Entity, Announcement], label: str) -> None:
        """Adds what a column, a key or an argument of this name holds."""
        tokens = Tokens(label, 0, len(label))
        best: tuple[int, int, Entity, int] | None = None
        count = 0
        while tokens.get(count):
            count += 1
        for i in range(count):
            if not all(w in lexicon().fillers or not w[0].isalnum() for w in tokens.words[:i]):
                break
            for ends, j in lexicon().nouns.walk(tokens, i):
                for entity, languages in ends.items():
                    assert isinstance(entity, Entity)
                    rank = (-j, i, entity, languages)
                    best = rank if best is None or rank[:2] < best[:2] else best
            for ends, j in lexicon().announcing.walk(tokens, i):
                for entity, languages in ends.items():
                    assert isinstance(entity, Entity)
                    if j == count:
                        best = best or (-j, i, entity, languages)
        if best is None or count + best[0] > 2:
            return
        if not (self.form is not None and self.form.allows_prose and best[2] in ANNOUNCED):
            self._add(found, best[2], Announcement(Strength.LABEL, best[3], True))

    @lazy_attribute
    def _own_turn(self) -> str:
        """The model's turn so far, if it is short."""
        return "" if self._answer is None else self.before[len(self.before) - self._answer :]

    @lazy_attribute
    def leads(self) -> bool:
        """Whether the model's turn begins here, or with a cell of JSON that begins here.

        Words like "Here it is" may stand before, and, as a label, whom the question names.
        """
        if self._answer is None or self._answer > LEFT_CHARS:
            return False
        turn = self._own_turn
        if _IN_CELL.match(turn):
            return True
        tokens, lead = Tokens(turn, 0, len(turn)), lexicon().lead
        languages, i = self.question.languages | ENGLISH, 0
        label = tokens.get(0) in _COLONS
        while word := tokens.get(i):
            named = label and word in self.question.names
            if i > 16 or (word[0].isalnum() and not lead.get(word, 0) & languages and not named):
                return False
            i += 1
        return True

    def _add_asked_kinds(self, found: dict[Entity, Announcement]) -> None:
        if self._answer is None or self._answer > LEFT_CHARS or not self.question.kinds:
            return
        languages, turn = self.question.languages, self._own_turn
        first = self.sentence.strip() == turn.strip() and self._text[self._p - 1 : self._p] in " '’*_\"“«"
        if first:
            last = self._tokens.get(0)
            words = lexicon()
            first = bool((words.lead.get(last, 0) | words.articles.get(last, 0)) & (languages | ENGLISH))
        if first or self.leads:
            for entity, asked in self.question.kinds.items():
                self._add(found, entity, Announcement(Strength.ASKED, asked, False))


_COLONS = frozenset(":-–—=→")
_CODE = frozenset("·({,[-:") | frozenset(
    ["const", "let", "var", "self", "this", "val", "final", "string", "str", "private", "public", "static"]
)


def _after_break(text: str) -> str:
    """Gives the sentence, line or cell that `text` ends in."""
    end = 0
    for match in _BREAK.finditer(text):
        end = match.end()
    return text[end:]
