"""What the words to the left of a position, and the question, say about the value that may begin there.

A `Site` is one position in a text. Everything that it knows lies to the left of the position, in the last 160
characters (for the head of a table, 1,024), so nothing that follows can change it (DESIGN, invariant I2).
The wordings are in `languages`, those of data and code in `formats`.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder import cues, formats
from reticent_detectors.finder.languages import ALL, lexicon
from reticent_detectors.finder.languages.wordings import BREAKS, Tokens, fold

LEFT_CHARS = 160
_QUESTION_CHARS = 2000
_ENGLISH = 1


class Strength(IntEnum):
    """How surely a kind of value is announced.

    ASKED: only the question names the kind. WEAK: the words before do, but nobody is named.
    STRONG: they do, with a person. LABEL: a form, a table or code names it.
    """

    ASKED = 1
    WEAK = 2
    STRONG = 3
    LABEL = 4


class Announcement(NamedTuple):
    """One kind announced at a position: how surely, in which languages, whether small letters will do, whether only a value's form will."""

    strength: Strength
    languages: int
    sure: bool
    formed: bool = False


# Kinds whose values are words without a form of their own: only an announcement tells them from other words.
ANNOUNCED = frozenset(
    {
        Entity.DIAGNOSIS,
        Entity.PRESCRIPTION,
        Entity.JOB_TITLE,
        Entity.DOCTOR,
        Entity.HOSPITAL,
        Entity.EMPLOYER,
        Entity.NRP,
    }
)
_COMMON = frozenset({Entity.DIAGNOSIS, Entity.PRESCRIPTION, Entity.JOB_TITLE})
_HEAD_WORDS = 32
_LABELS = frozenset(":=|–—->\t")
_HEAD_ENDS = BREAKS | frozenset("{,(<")
_NAMES = regex.compile(r"(?:\p{Lu}[\p{L}'’-]+ ){1,3}\p{Lu}[\p{L}'’-]+")
_PAIR = regex.compile(
    r"\p{Lu}[\p{L}'’-]+ (?:\p{Lu}\. |(?:van|von|de|da|di|del|der|den|la|le|dos|do|du|des|della) ){0,2}\p{Lu}[\p{L}'’-]+|\b(?:of|for|on|about) \p{Lu}\p{Ll}"
)
_ASKED_PAIR = regex.compile(
    r"(?<![.?!] )\b\p{Lu}[\p{L}'’-]+ (?:\p{Lu}\. |(?:van|von|de|da|di|del|der|den|la|le|dos|do|du|des|della) ){0,2}\p{Lu}[\p{L}'’-]+"
)
_QUESTION_SENTENCE = regex.compile(r"[^.?!\n]*+(?:[.!](?!\s)[^.?!\n]*+)*+[.?!\n]?")
_GOES_ON = regex.compile(r"['’]s|\s\p{Ll}")
_BREAK = regex.compile(r"(?<!\b(?:Dr|St|Mr|Mrs|Ms|Prof|No|tel|Tel|\p{Lu}))[.!?](?=[\s\"”'])|\n|[;|]")
_SHORT = frozenset(
    ["dr", "dra", "prof", "dott", "ssa", "no", "nr", "n", "tel", "med", "st", "hr", "fr", "sr", "sra", "mme", "num"]
)


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
        if not self._text or not self._about_someone():
            return None, 0
        for sentence in self._sentences:
            found = _asked(Tokens(sentence, 0, len(sentence)))
            if found is not None:
                return found
        return None, 0

    def _about_someone(self) -> bool:
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
        return frozenset(word.casefold() for m in _NAMES.finditer(pool) for word in m[0].split()[-4:])

    @cached_property
    def about_utilities(self) -> bool:
        tokens, utilities, i = Tokens(self._text, 0, len(self._text)), lexicon().utilities, 0
        while word := tokens.get(i):
            if word in utilities:
                return True
            i += 1
        return False


_NOBODY = frozenset(["you", "i", "we", "your", "our", "me"])
_AUXILIARIES = frozenset(["do", "does", "did", "is", "was", "are", "were", "has", "have", "had", "can", "will"])


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
    return next((best[table][2:] for table in (0, 1, 2) if table in best), None)


class Site:
    """One position `p` of `text`; `answer` is its distance from where the model's turn begins (None: unknown or far)."""

    def __init__(self, text: str, p: int, answer: int | None, question: Question) -> None:
        self._text, self._p, self._answer, self.question = text, p, answer, question
        self.front: tuple[Entity | None, int] | None = None

    @cached_property
    def before(self) -> str:
        return self._text[max(0, self._p - LEFT_CHARS) : self._p]

    @cached_property
    def sentence(self) -> str:
        return _after_break(self.before)

    @cached_property
    def _tokens(self) -> Tokens:
        return Tokens(self._text, max(0, self._p - LEFT_CHARS), self._p)

    @cached_property
    def kinds(self) -> dict[Entity, Strength]:
        """The kinds of value announced here, the likeliest first."""
        return {entity: found.strength for entity, found in self.announced.items()}

    @cached_property
    def announced(self) -> dict[Entity, Announcement]:
        found: dict[Entity, Announcement] = {}
        if self._triggered():
            self._cues(found)
            self._nouns(found)
            self._apposition(found)
        if self.form is not None:
            self._labelled(found, self.form.label)
        self._asked(found)
        return found

    @cached_property
    def form(self) -> formats.Place | None:
        """The cell, field or argument that begins here, and what it is called elsewhere."""
        return formats.place(self._text, self._p)

    @cached_property
    def ends(self) -> str:
        """The marks at which a field that begins here ends, besides the line's."""
        if self.form is not None:
            return "" if self.form.ends == "\n" else self.form.ends
        last = self._text[self._p - 1 : self._p]
        quoted = formats.QUOTES.get(last, "")
        if quoted and (last != "'" or not self._text[self._p - 2 : self._p - 1].isalnum()):
            return quoted
        return "|" if self._tokens.get(0) == "|" else "&" if "?" in self.before and last == "=" else ""

    @cached_property
    def framed(self) -> dict[Entity, int]:
        """Kinds that are announced here if a word behind the value says so; with their languages."""
        found: dict[Entity, int] = {}
        if not _FRAME.search(self.before, max(0, len(self.before) - 72)):
            return found
        for i, mask in self._beginnings():
            for ends, _ in lexicon().cues.walk(self._tokens, i):
                for (group, entity), languages in ends.items():
                    if group == "framed" and languages & mask:
                        found[entity] = languages & mask
        return found

    def _triggered(self) -> bool:
        """Cheap: could anything that announces a value end here?"""
        text, q = self._text, self._p - 1
        if q > 0 and text[q] == " ":
            last = text[q - 1]
            end = q if last.isalpha() else q - 1 if last in ".,!?" else 0
            if end:
                word = text[text.rfind(" ", max(0, end - 26), end) + 1 : end]
                if word.isalpha():
                    word = fold(word)
                    return word in (lexicon().triggers if last not in ".!?" else _SHORT)
        return q >= 0

    def _add(self, found: dict[Entity, Announcement], entity: Entity, new: Announcement) -> None:
        old = found.get(entity)
        if old is None:
            found[entity] = new
        else:
            found[entity] = Announcement(
                max(old.strength, new.strength),
                old.languages | new.languages,
                old.sure or new.sure,
                old.formed and new.formed,
            )

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
        tokens, person = self._tokens, lexicon().person
        end = tokens.sentence(i)
        if any(person.get(tokens.words[k], 0) & languages for k in range(i, end)):
            return True
        start = tokens.starts[end - 1] if end > i else self._p
        return bool(_PAIR.search(self._text, start, self._p))

    def _cues(self, found: dict[Entity, Announcement]) -> None:
        words, tokens = lexicon(), self._tokens
        for i, mask in self._beginnings():
            for ends, _ in words.cues.walk(tokens, i):
                for (group, entity), languages in ends.items():
                    languages &= mask
                    if not languages or group == "framed":
                        continue
                    person = self._someone(0, languages)
                    if group in ("weak", "formed") and not person:
                        continue
                    strong = person or languages & words.pro_drop
                    named = _DOMAINS.get(entity)
                    said = named is None or bool(named.search(fold(self.before[-64:])))
                    article = i and languages == _ENGLISH and entity is not Entity.JOB_TITLE
                    self._add(
                        found,
                        entity,
                        Announcement(
                            Strength.STRONG if strong else Strength.WEAK,
                            languages,
                            group == "verbs" and bool(strong) and said and not article,
                            group == "formed"
                            or (
                                not languages & _ENGLISH
                                and (group == "weak" or entity is Entity.HOSPITAL or not (said and person))
                            ),
                        ),
                    )

    def _nouns(self, found: dict[Entity, Announcement]) -> None:
        link = self._link()
        if link is None:
            return
        i, mask, label, bare = link
        words, tokens = lexicon(), self._tokens
        if label:
            i = self._past_brackets(i)
        end = min(tokens.sentence(i), i + _HEAD_WORDS)
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
                    if not languages or (bare and entity in ANNOUNCED) or not self._middle(i, k, languages, label):
                        continue
                    rank = (-j, k, entity, languages)
                    best = rank if best is None or rank[:2] < best[:2] else best
        if best is None and label:
            for ends, j in words.cues.walk(tokens, i):
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
            person = self._someone(i, languages) or bool(languages & ~_ENGLISH)
            self._add(found, entity, Announcement(Strength.STRONG if person else Strength.WEAK, languages, person))

    def _link(self) -> tuple[int, int, bool, bool] | None:
        """(token before the link, its languages, whether it is a form's mark, whether it is but a preposition)."""
        words, tokens = lexicon(), self._tokens
        i = 0
        while tokens.get(i) in _LABELS and tokens.get(i):
            i += 1
        if i or self._text[self._p - 1 : self._p] == "\t":
            return i, ALL, True, False
        for start, mask in self._beginnings():
            j, m = start, mask
            for table in (words.prepositions, words.participles, words.adverbs, words.adverbs):
                here = table.get(tokens.get(j), 0) & m
                if here:
                    j, m = j + 1, here
            here = words.links.get(tokens.get(j), 0) & m
            if here:
                return j + 1, here, False, False
        for start, mask in self._beginnings():
            here = words.prepositions.get(tokens.get(start), 0) & mask
            if here:
                return start + 1, here, False, True
        return None

    def _past_brackets(self, i: int) -> int:
        """The token before what stands between a noun and its mark: a bracket, a type, the end of an index."""
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
        """Whether the tokens i to k-1, between a noun on their left and the link, leave the noun in its place."""
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
            or (languages & _ENGLISH and word.endswith(("ing", "ed")))
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

    def _apposition(self, found: dict[Entity, Announcement]) -> None:
        """ "takes the medication X", "sent to the hospital X", "order number X", "her doctor, X"."""
        words, tokens = lexicon(), self._tokens
        beginnings = self._beginnings()[1:] if tokens.get(0) in words.called else [(0, ALL)]
        if tokens.get(0) and "\n" in self._text[tokens.starts[0] : self._p]:
            return
        if tokens.get(0) == ",":
            beginnings = [(1, ALL)]
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
                    if entity not in ANNOUNCED or (
                        owned and ((before and before not in BREAKS) or entity is Entity.DOCTOR)
                    ):
                        strength = Strength.STRONG if languages & ~_ENGLISH else Strength.WEAK
                        self._add(found, entity, Announcement(strength, languages, False))

    def _labelled(self, found: dict[Entity, Announcement], label: str) -> None:
        """What a column, a key or an argument of this name holds."""
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
            for ends, j in lexicon().cues.walk(tokens, i):
                for (group, entity), languages in ends.items():
                    if group == "verbs" and j == count:
                        best = best or (-j, i, entity, languages)
        if best is not None and count + best[0] <= 2:
            self._add(found, best[2], Announcement(Strength.LABEL, best[3], True))

    @cached_property
    def _said(self) -> str:
        """The model's turn so far, if it is short."""
        return "" if self._answer is None else self.before[len(self.before) - self._answer :]

    @cached_property
    def leads(self) -> bool:
        """Whether the model's turn begins here, but for words like "It is"."""
        if self._answer is None or self._answer > LEFT_CHARS:
            return False
        said = self._said
        tokens, lead = Tokens(said, 0, len(said)), lexicon().lead
        languages, i = self.question.languages | _ENGLISH, 0
        while word := tokens.get(i):
            if (
                i > 9
                or (word[0].isalnum() and not lead.get(word, 0) & languages)
                or word == "\n"
                or (word == "." and i < 2)
            ):
                return False
            i += 1
        return True

    def _asked(self, found: dict[Entity, Announcement]) -> None:
        entity = None if self._answer is None or self._answer > LEFT_CHARS else self.question.entity
        if entity is None:
            return
        languages, said = self.question.languages, self._said
        first = self.sentence.strip() == said.strip() and self._text[self._p - 1 : self._p] in " '’*_\"“«"
        if first:
            last = self._tokens.get(0)
            words = lexicon()
            first = bool((words.lead.get(last, 0) | words.articles.get(last, 0)) & (languages | _ENGLISH))
        if first or self.leads:
            self._add(found, entity, Announcement(Strength.ASKED, languages, False))

    def is_answer(self, entity: Entity, end: int) -> bool:
        """Whether text[p:end], which only the question announces, is a value and not the subject of a sentence."""
        words = [word.replace("’", "'") for word in self._text[self._p : end].split()]
        value = [word.casefold().removesuffix("'s") for word in words]
        named = [word in self.question.names for word in value]
        if all(named):
            return False
        if not _GOES_ON.match(self._text, end):
            return True
        if any(word.endswith("'s") for word in words[1:]):
            return False
        if entity in _COMMON and len(value) > 1 and all(word[0].isupper() for word in words):
            return False
        return not any(named) and value[0] not in cues.OPENERS and not self._noun_first(entity, end)

    def _noun_first(self, entity: Entity, end: int) -> bool:
        tokens = Tokens(self._text, self._p, end)
        count = 0
        while tokens.get(count):
            count += 1
        return any(j == count and entity in ends for i in range(count) for ends, j in lexicon().nouns.walk(tokens, i))

    def is_noun(self, entity: Entity, start: int, end: int) -> bool:
        """Whether text[start:end] is but a word for the kind ("takes the medication ...")."""
        tokens = Tokens(self._text, start, end)
        return any(entity in ends and not tokens.get(j) for ends, j in lexicon().nouns.walk(tokens, 0))

    def is_label(self, start: int, end: int) -> bool:
        """Whether text[start:end] is a word for any kind, as in the head of a table."""
        tokens = Tokens(self._text, start, end)
        return any(not tokens.get(j) for _, j in lexicon().nouns.walk(tokens, 0))

    def amount(self) -> Entity:
        """Which kind of amount stands here: the nearest word tells, else the question does."""
        words, tokens = lexicon(), self._tokens
        if self.form is not None:
            found: dict[Entity, Announcement] = {}
            self._labelled(found, self.form.label)
            if found:
                return Entity.UTILITY_BILL if Entity.UTILITY_BILL in found else Entity.TRANSACTION_AMOUNT
        i, cells = 0, 0
        while word := tokens.get(i):
            if word in words.utilities:
                return Entity.UTILITY_BILL
            if word in words.transactions:
                return Entity.TRANSACTION_AMOUNT
            if word in BREAKS:
                cells += 1
                if word != "|" or cells > 1:
                    break
            i += 1
        if self._answer is not None and self._answer <= 2 * LEFT_CHARS and self.question.about_utilities:
            return Entity.UTILITY_BILL
        return Entity.TRANSACTION_AMOUNT


_CODE = frozenset("·({,[-:") | frozenset(
    ["const", "let", "var", "self", "this", "val", "final", "string", "str", "private", "public", "static"]
)
# What must be named near a wording so that words in small letters, or of no known form, count.
_DOMAINS = {
    Entity.DIAGNOSIS: regex.compile(
        r"diagnos|suffer|treated|condition|illness|disease|living with|history of|leide|litt|erkrank|souffr|atteint|maladie|padec|sufr|enfermed|soffr|malat|affett|sofr|doen|portador|patolog"
    ),
    Entity.PRESCRIPTION: regex.compile(
        r"prescri|medic|drug|takes|taking|verschr|verord|rezept|tablett|ordonn|recet|pauto|farmac|receit|ricett|remed|refill|dose"
    ),
    Entity.JOB_TITLE: regex.compile(
        r"work|employ|hired|career|living|served?\b|serves|job\b|title|occupation|profession|position|role\b|trade|vocation|promoted|arbeite|angestellt|beschaftigt|beruf|gelernt|travaill|embauch|engage|metier|poste\b"
        r"|trabaja|contrat|ejerc|oficio|puesto|profes|ascend|lavora|assunt|mestiere|ruolo|promoss|trabalh|atua|cargo|promov|occup"
    ),
    Entity.NRP: regex.compile(
        r"\bvot|wahl|partei|part[iy]\b|milit|candid|kandid|politi|elect|canvass|campaign|campa[nh]|afili|filiad|adher|iscritt"
    ),
}
_FRAME = regex.compile(
    r"\b(?:wurden?|wird|werden|bekam|bekommt|hat|hatte|haben|ist|war|liegt|nimmt|dass|weil|leitet)\b|\b(?:von|im|ins|bei|mit|aus|auf|für|fur|am|die|der|dem) $"
)
_JOINING = frozenset(["and", "und", "et", "y", "e"])


def _after_break(text: str) -> str:
    """The sentence, line or cell that `text` ends in."""
    end = 0
    for match in _BREAK.finditer(text):
        end = match.end()
    return text[end:]
