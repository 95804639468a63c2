"""Which kinds of value the words to the left of a position, and the question, announce there.

The wordings are in `languages`, those of data and code in `formats`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import regex

from reticent_detectors.entities import PROTECTED, Entity
from reticent_detectors.finder import names_data
from reticent_detectors.finder.context import formats
from reticent_detectors.finder.context.code_nouns import past_question
from reticent_detectors.finder.context.left_context import ENGLISH, LEFT_CHARS, LeftContext, is_small
from reticent_detectors.finder.context.question import Question
from reticent_detectors.finder.context.topic_patterns import TOPIC_PATTERNS
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.languages import ALL, lexicon
from reticent_detectors.finder.languages.codes import CODED
from reticent_detectors.finder.languages.wordings import BREAKS, Tokens, WordReading, fold
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
        needs_form: whether only a value's form will do.
        bare: whether only one small word announces a kind that has a form ("on BA 117"), which says little by itself.
    """

    strength: Strength
    languages: int
    sure: bool
    needs_form: bool = False
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
COMMON = frozenset({Entity.DIAGNOSIS, Entity.PRESCRIPTION, Entity.JOB_TITLE})
_BRACKETED = frozenset({Entity.DIAGNOSIS, Entity.HOSPITAL, Entity.EMPLOYER})
_NEVER_BARE = ANNOUNCED | (CODED - {Entity.BANK_ACCOUNT, Entity.ORDER_NUMBER})
_HEAD_WORDS = 32
_WONDERED_WORDS = 10
_HEAD_ENDS = BREAKS | frozenset("{,(<")
_IN_CELL = regex.compile(r"\s*(?:```\w*\s*)?(?=\{\s*\"|\[\s*[\[{\"\d])[\[{][\s\S]*(?:[:,\[]\s*\"?|\n\s*\"?)$")
_BREAK = regex.compile(r"(?<!\b(?:Dr|St|Mr|Mrs|Ms|Prof|No|tel|Tel|\p{Lu}))[.!?](?=[\s\"”'])|\n|[;|]")


_OWNED = regex.compile(
    r"\b(?:her|his|their|my|patient|patients|ihre?|seine?|mein|sa|son|ses|su|sus|suo|sua|seu|dela|dele)\b|'s\b|’s\b"
)


def _without_subject(entity: Entity, languages: int) -> bool:
    """Whether a verb without a subject is about somebody ("dejó de ser budista", "fue condenada por estafa")."""
    return entity in PROTECTED and bool(languages & lexicon().pro_drop)


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
            self._wondered(found)
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
    def framed(self) -> dict[Entity, int]:
        """Kinds that are announced here if a word behind the value confirms it; with their languages."""
        found: dict[Entity, int] = {}
        if not _FRAME.search(self.before, max(0, len(self.before) - 72)):
            return found
        for i, mask in self._beginnings:
            for ends, _ in lexicon().framed.walk(self._tokens, i):
                for (_, entity), languages in ends.items():
                    if languages & mask:
                        found[entity] = languages & mask
        return found

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
                old.needs_form and new.needs_form,
                old.bare and new.bare,
            )

    def _add_phrases(self, found: dict[Entity, Announcement]) -> None:
        words, tokens = lexicon(), self._tokens
        for i, mask in self._beginnings:
            for ends, j in words.announcing.walk(tokens, i):
                for (group, entity), languages in ends.items():
                    languages &= mask
                    if not languages:
                        continue
                    if entity is Entity.JOB_TITLE and group != "verbs" and tokens.get(0) in _DEFINITE:
                        continue  # "is the dentist of Jo Day" says what somebody is to Jo Day
                    person = self._someone(0, languages)
                    if (
                        group in ("weak", "needs_form")
                        and not person
                        and not (j - i > 1 and _without_subject(entity, languages))
                    ):
                        continue
                    strong = person or languages & words.pro_drop
                    far = group != "verbs" or j - i > 3
                    if entity is Entity.DOCTOR and far and not TOPIC_PATTERNS[entity].search(fold(self.before[-96:])):
                        continue
                    if entity is Entity.JOB_TITLE and tokens.get(0) == "," and not _is_name(tokens.get(1)):
                        continue
                    named = TOPIC_PATTERNS.get(entity)
                    on_topic = (
                        named is None
                        or (entity is Entity.EMPLOYER and bool(languages & ~ENGLISH))
                        or bool(named.search(fold(self.before[-64:])))
                    )
                    article = i and languages == ENGLISH and entity is not Entity.JOB_TITLE
                    self._add(
                        found,
                        entity,
                        Announcement(
                            Strength.STRONG if strong else Strength.WEAK,
                            languages,
                            group == "verbs" and bool(strong) and on_topic and not article,
                            group == "needs_form"
                            or (group == "weak" and entity in (Entity.JOB_TITLE, Entity.EMPLOYER))
                            or (languages == ENGLISH and not on_topic)
                            or (entity is Entity.EMPLOYER and j - i > 3 and tokens.get(0) in _GENITIVES)
                            or (
                                not languages & ENGLISH
                                and (group == "weak" or entity is Entity.HOSPITAL or not (on_topic and person))
                            ),
                            j - i == 1 and entity not in ANNOUNCED and is_small(tokens.get(i)),
                        ),
                    )

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
                for (group, entity), languages in ends.items():
                    if group == "verbs" and (j == end or tokens.get(j) in _CODE):
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
            person = self._someone(i, languages)
            strong = person or bool(languages & ~ENGLISH)
            foreign = entity is Entity.JOB_TITLE and not languages & ENGLISH
            needs_form = strong and entity in ANNOUNCED and entity is not Entity.DOCTOR and (foreign or not person)
            self._add(
                found, entity, Announcement(Strength.STRONG if strong else Strength.WEAK, languages, strong, needs_form)
            )

    def _wondered(self, found: dict[Entity, Announcement]) -> None:
        """ "Her diagnosis? Asthma." """
        tokens = self._tokens
        if (
            tokens.get(0) != "?"
            or tokens.sentence(1, _WONDERED_WORDS + 1) > _WONDERED_WORDS
            or not _OWNED.search(fold(self.before[-96:]))
        ):
            return
        for ends, _ in lexicon().nouns.walk(tokens, 1):
            for entity, languages in ends.items():
                assert isinstance(entity, Entity)
                if entity in ANNOUNCED:
                    self._add(found, entity, Announcement(Strength.STRONG, languages, False, True))

    def _apposition(self, found: dict[Entity, Announcement]) -> None:
        """ "takes the medication X", "sent to the hospital X", "order number X", "her doctor, X"."""
        words, tokens = lexicon(), self._tokens
        beginnings = self._beginnings[1:] if tokens.get(0) in words.called else [(0, ALL)]
        if tokens.get(0) and "\n" in self._text[tokens.starts[0] : self._p]:
            return
        if tokens.get(0) == ",":
            beginnings = [(1, ALL)]
        bracket = self._text[self._p - 1 : self._p] in ("(", "[")
        for i, mask in beginnings:
            for ends, j in words.nouns.walk(tokens, i):
                for entity, languages in ends.items():
                    assert isinstance(entity, Entity)
                    languages &= mask
                    if not languages or self._indefinite(j, languages):
                        continue
                    owner = j if words.owned.get(tokens.get(j), 0) & languages else j + 1
                    owned = words.owned.get(tokens.get(owner), 0) & languages
                    if tokens.get(0) == "," and not (owned and entity is Entity.DOCTOR):
                        continue
                    before = tokens.get(owner + 1) if owned else ""
                    if bracket and entity in _BRACKETED:
                        self._add(found, entity, Announcement(Strength.STRONG, languages, False, True))
                        continue
                    if entity not in ANNOUNCED or (
                        owned and ((before and before not in BREAKS) or entity is Entity.DOCTOR)
                    ):
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
                for (group, entity), languages in ends.items():
                    if group == "verbs" and j == count:
                        best = best or (-j, i, entity, languages)
        if best is not None and count + best[0] <= 2:
            if self.form is not None and self.form.allows_prose and best[2] in ANNOUNCED:
                self._add(found, best[2], Announcement(Strength.STRONG, best[3], False, True))
            else:
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
                other = entity in self.question.others
                self._add(found, entity, Announcement(Strength.ASKED, asked, False, other))


_COLONS = frozenset(":-–—=→")
_CODE = frozenset("·({,[-:") | frozenset(
    ["const", "let", "var", "self", "this", "val", "final", "string", "str", "private", "public", "static"]
)
_FRAME = regex.compile(
    r"(?i)\b(?:wurden?|wird|werden|bekam|bekommt|hat|hatte|haben|ist|war|liegt|nimmt|dass|weil|leitet)\b"
    r"|\b(?:von|im|ins|bei|mit|aus|auf|für|fur|am|die|der|dem) $"
)
_DEFINITE = word_set("the der die das den dem einem einen einer von vom le la les l' el los las il lo gli o os as")
_GENITIVES = word_set("de del di della dello d' do da dos das du des von vom")


def _is_name(word: str) -> bool:
    known = names_data.look_up(word)
    return bool(known.given or known.family)


def _after_break(text: str) -> str:
    """Gives the sentence, line or cell that `text` ends in."""
    end = 0
    for match in _BREAK.finditer(text):
        end = match.end()
    return text[end:]
