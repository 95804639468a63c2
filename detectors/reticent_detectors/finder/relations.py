"""What the words to the left of a position, and the question, say about the value that may begin there.

A `Site` is one position in a text. Everything that it knows lies to the left of the position, in the last 160
characters, so nothing that follows can change it (DESIGN, invariant I2).
"""

from __future__ import annotations

from enum import IntEnum
from functools import cached_property

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder import cues

LEFT_CHARS = 160
_QUESTION_CHARS = 2000


class Strength(IntEnum):
    """How surely a kind of value is announced.

    ASKED: only the question names the kind. WEAK: the words before do, but nobody is named.
    STRONG: they do, with a person or a form's label, so that a value in small letters counts too.
    """

    ASKED = 1
    WEAK = 2
    STRONG = 3


_LEAD = r"[*_\"“”'‘’`(\[#>]{0,4}"
_LINK = regex.compile(
    rf"""(?rix)
    (?: \s+ (?: is | was | are | were | be | being | ['’]s | remains? | reads? | shows? | says? | states? | equals? | became
              | comes?\ to | came\ to | goes | went | runs? | stands?\ at | stands? | amount(?:s|ed)\ to | total(?:s|led|ed)? | costs?
              | ends?\ (?:in|with) | ending\ (?:in|with) | appears | seems )
        (?: \s+(?: now | currently | still | presently | officially | also | being | been | to\ be ) )?
        (?: \s+(?: recorded | listed | given | noted | registered | named | called | stated | entered | known | on\ (?:file|record) | filed | set
              | shown | documented | identified | booked | scheduled | planned | fixed | due | confirmed | held ) )?
        (?: \s+(?: as | under | from | on | for | at | in | with | to ) )?
        (?: \s+(?: an? | the ) )?
      | (?P<bare>\s+(?: as | under | from | on | for | at | in | to | with ) (?: \s+(?: an? | the ) )?)
      | \s*[*_`]{{0,2}}\s* (?: [:=|–—] | [-=]> | (?<=[\s*_`])- ) [*_`]{{0,2}} )
    \s*{_LEAD}"""
)
_LABEL_END = regex.compile(r"(?r)(?:[:=|–—]|[-=]>|(?<=[\s*_`])-)[*_`]{0,2}\s*" + _LEAD)
# Cheap: does anything that could announce a value end here?
_TRIGGER = regex.compile(
    r"(?ri)(?:[^\p{L}\s]|\b(?:an?|the|dr|doctor|physician|"
    + r"is|was|are|were|be|being|remains?|reads?|shows?|says?|states?|equals?|became"
    r"|to|goes|went|runs?|at|stands?|total\w*|costs?|in|with|appears|seems|as|"
    r"from|on|for|under|by|of|now|currently|still|recorded|listed|given|noted|"
    r"registered|named|called|stated|entered|known|set|shown|documented|identified|"
    r"booked|scheduled|planned|fixed|due|confirmed|held|takes|taking|took|has|have|"
    r"had|prescribed|prescribes|uses|needs|given|ordered|take|reveal\w*|show\w*|"
    r"confirm\w*|indicat\w*|receiv\w+|into|via|through|against|contracted|developed|"
    r"battl\w+|joined|paid|pays|charged|transfer\w*|spen\w+|sent|wired|purchased|"
    r"transact\w*|fl\w+|travel\w*|sees|saw|consult\w*|visit\w*|dial|ring|call|like|"
    r"utilities|end\w*|clos\w+" + r"|" + "|".join(f"(?:{noun})" for noun in cues.NOUNS.values()) + rf"))\s*{_LEAD}"
)
_BREAK = regex.compile(r"(?<!\b(?:Dr|St|Mr|Mrs|Ms|Prof|No|tel|Tel|\p{Lu}))[.!?](?=[\s\"”'])|\n|[;|]")
_MIDDLE = regex.compile(
    r"""(?ix)\s*[*_`]*(?:['’]s\ (?:full\ )?(?:name|number|title))?(?:\ (?:name|number|details?|title))?\s*(?:\([^)]{0,40}\))?[*_`]*\s*
    (?:[\s,]+(?:of|for|on|in|by|to|at|with|from|who|whom|whose|which|that|where|when|under|we|i|you|he|she|they|currently|today|now
    |registered|listed|given|prescribed|assigned|responsible|treating|taken|held|booked|belonging|associated|used|employing|charged|made|paid
    |due|attached|linked|scheduled|planned|planned|seen|named|left|kept|stored|is|was|are|has|\p{L}+ing|\p{L}+ed|(?-i:\p{Lu})\p{L}*)\b.*)?"""
)
_CLAUSE = regex.compile(r"(?i)\b(?:says?|said|that the|whether|and (?:the|his|her|their|my|your)|but|because|while)\b")
_NAMES = regex.compile(r"(?:\p{Lu}[\p{L}'’-]+ ){1,3}\p{Lu}[\p{L}'’-]+")
_INDEFINITE = regex.compile(
    r"(?ri)\b(?:an?|any|some|every|each|most|many|no|what|which|several|other|another|few|all|common|good|such)\s+(?:\p{L}+\s)?"
)
_OWNED = regex.compile(r"(?ri)(?:\b(?:the|his|her|their|my|your|our)|['’]s?)(?:\s\p{L}+)?\s+")
_NOUNS = {entity: regex.compile(rf"(?i)\b(?:{noun})(?!\w)") for entity, noun in cues.NOUNS.items()}
_NOUN_BEFORE = {entity: regex.compile(rf"(?ri)\b(?:{noun})\s*{_LEAD}") for entity, noun in cues.NOUNS.items()}
_VERBS = {
    entity: regex.compile(rf"(?ri)(?<!\w)(?:{verb})(?: (?:an?|the|called|named))?\s*{_LEAD}")
    for entity, verb in cues.VERBS.items()
}
_PERSON_ONLY = regex.compile(rf"(?ri)\b{cues.PERSON_ONLY}\s*{_LEAD}")
_PERSON = regex.compile(cues.PERSON)
_ASKED_PERSON = regex.compile(cues.ASKED_PERSON)
_ANSWER_LEAD = regex.compile(
    rf"(?i)\s*{_LEAD}(?:(?:sure|certainly|yes|of course|okay|ok|according to [^,]{{1,40}})[,.:!] ?)?"
    r"(?:(?:it|that|this|they|he|she|there)(?:['’]s| is| was| would be| are| were| has| takes| works)(?: (?:called|named))? ?)?"
    r"(?:(?:at|for|by|with|as|in|on|to|from|dr\.|doctor) ?)?(?:an? |the )?(?:(?:drug|company|firm|hospital|clinic) )?"
    rf"{_LEAD}"
)
_SAYS = regex.compile(
    r"(?ri)\b(?:has|have|had|takes?|taking|is|was|are|with|at|by|as|for|from|in|to|under|named|called|uses|needs|sees|on)(?: (?:an?|the))?\s*"
    + _LEAD
)
_ASKS = {entity: regex.compile(rf"(?i){ask}") for entity, ask in cues.ASKS.items()}
_WH_NOUN = {
    entity: regex.compile(
        rf"(?i)\b(?:which|what|whose|who(?:['’]s| is| was)(?: the)?)(?: (?!do|does|did|is|was|are|were|has|have|can|will)[\p{{L}}-]+){{0,2}}? (?:{noun})(?!\w)"
    )
    for entity, noun in cues.NOUNS.items()
}
_QUESTION_SENTENCE = regex.compile(r"[^.?!\n]*+(?:[.!](?!\s)[^.?!\n]*+)*+[.?!\n]?")
_GOES_ON = regex.compile(r"['’]s|\s\p{Ll}")
_UTILITY = regex.compile(rf"(?i){cues.UTILITY_WORDS}")
_TRANSACTION = regex.compile(rf"(?i){cues.TRANSACTION_WORDS}")


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
    def entity(self) -> Entity | None:
        if not _ASKED_PERSON.search(self._text):
            return None
        for sentence in self._sentences:
            for table in (_WH_NOUN, _ASKS, _NOUNS):
                hits = [
                    (m.start(), -m.end(), i, e) for i, (e, p) in enumerate(table.items()) if (m := p.search(sentence))
                ]
                if hits:
                    return min(hits)[3]
        return None

    @cached_property
    def names(self) -> frozenset[str]:
        """Words of the names in the sentences that ask, folded; an answer that begins with one is no value."""
        asking = " . ".join([s for s in self._sentences if s.endswith("?")] or self._sentences[:1])
        pool = asking if _NAMES.search(asking) else self._text
        return frozenset(word.casefold() for m in _NAMES.finditer(pool) for word in m[0].split()[-4:])

    @property
    def about_utilities(self) -> bool:
        return bool(_UTILITY.search(self._text))


class Site:
    """One position `p` of `text`; `answer` is its distance from where the model's turn begins (None: unknown or far)."""

    def __init__(self, text: str, p: int, answer: int | None, question: Question) -> None:
        self._text, self._p, self._answer, self.question = text, p, answer, question

    @cached_property
    def before(self) -> str:
        return self._text[max(0, self._p - LEFT_CHARS) : self._p]

    @cached_property
    def sentence(self) -> str:
        return _after_break(self.before)

    @cached_property
    def kinds(self) -> dict[Entity, Strength]:
        """The kinds of value announced here, the likeliest first."""
        found: dict[Entity, Strength] = {}
        if _TRIGGER.match(self.before):
            self._verbs(found)
            self._nouns(found)
            self._apposition(found)
        self._asked(found)
        return found

    def _add(self, found: dict[Entity, Strength], entity: Entity, strength: Strength) -> None:
        found[entity] = max(strength, found.get(entity, strength))

    def _verbs(self, found: dict[Entity, Strength]) -> None:
        person = bool(_PERSON.search(self.sentence))
        for entity, pattern in _VERBS.items():
            if pattern.match(self.before) and (person or not _PERSON_ONLY.match(self.before)):
                self._add(found, entity, Strength.STRONG if person else Strength.WEAK)

    def _nouns(self, found: dict[Entity, Strength]) -> None:
        link = _LINK.match(self.before)
        if link is None:
            return
        label = bool(_LABEL_END.match(self.before))
        head = self.before[: link.start()]
        if label and head.rstrip(" *_`").endswith("|"):
            head = head.rstrip(" *_`")[:-1]
        head = _after_break(head)
        best: tuple[int, int, Entity] | None = None
        for entity, pattern in _NOUNS.items():
            if link["bare"] and entity in ANNOUNCED:
                continue
            for match in pattern.finditer(head):
                middle = head[match.end() :]
                if _MIDDLE.fullmatch(middle) and not _CLAUSE.search(middle):
                    rank = (match.start(), -match.end(), entity)
                    best = rank if best is None or rank[:2] < best[:2] else best
                    break
        if best is None or _INDEFINITE.match(head[: best[0]]):
            return
        strength = Strength.STRONG if label or _PERSON.search(head) else Strength.WEAK
        self._add(found, best[2], strength)

    def _apposition(self, found: dict[Entity, Strength]) -> None:
        """ "takes the medication X", "sent to the hospital X", "order number X"."""
        for entity, pattern in _NOUN_BEFORE.items():
            match = pattern.match(self.before)
            if match and not _INDEFINITE.match(self.before[: match.start()]):
                owned = _OWNED.match(self.before[: match.start()])
                if entity not in ANNOUNCED or (owned and _after_break(self.before[: owned.start()]).strip()):
                    self._add(found, entity, Strength.WEAK)

    @cached_property
    def _said(self) -> str:
        """The model's turn so far, if it is short."""
        return "" if self._answer is None else self.before[len(self.before) - self._answer :]

    @cached_property
    def leads(self) -> bool:
        """Whether the model's turn begins here, but for words like "It is"."""
        return self._answer is not None and self._answer <= LEFT_CHARS and bool(_ANSWER_LEAD.fullmatch(self._said))

    def _asked(self, found: dict[Entity, Strength]) -> None:
        if self._answer is None or self._answer > LEFT_CHARS or self.question.entity is None:
            return
        said = self._said
        first = self.sentence.strip() == said.strip() and bool(_SAYS.match(said))
        if first or self.leads:
            self._add(found, self.question.entity, Strength.ASKED)

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
        return not any(named) and value[0] not in cues.OPENERS and not _NOUNS[entity].match(self._text, self._p, end)

    def is_noun(self, entity: Entity, start: int, end: int) -> bool:
        """Whether text[start:end] is but a word for the kind ("takes the medication ...")."""
        return bool(_NOUNS[entity].fullmatch(self._text, start, end))

    def amount(self) -> Entity:
        """Which kind of amount stands here: the nearest word tells, else the question does."""
        utility = [m.end() for m in _UTILITY.finditer(self.sentence)]
        transaction = [m.end() for m in _TRANSACTION.finditer(self.sentence)]
        if utility or transaction:
            return (
                Entity.UTILITY_BILL
                if max(utility, default=-1) > max(transaction, default=-1)
                else Entity.TRANSACTION_AMOUNT
            )
        cells = _after_break(self.before.rstrip(" |*_`"))
        if cells != self.sentence and _UTILITY.search(cells):
            return Entity.UTILITY_BILL
        if self._answer is not None and self._answer <= 2 * LEFT_CHARS and self.question.about_utilities:
            return Entity.UTILITY_BILL
        return Entity.TRANSACTION_AMOUNT


# Kinds whose values are words without a form of their own: only an announcement tells them from other words.
ANNOUNCED = frozenset(
    {Entity.DIAGNOSIS, Entity.PRESCRIPTION, Entity.JOB_TITLE, Entity.DOCTOR, Entity.HOSPITAL, Entity.EMPLOYER}
)
_COMMON = frozenset({Entity.DIAGNOSIS, Entity.PRESCRIPTION, Entity.JOB_TITLE})


def _after_break(text: str) -> str:
    """The sentence, line or cell that `text` ends in."""
    end = 0
    for match in _BREAK.finditer(text):
        end = match.end()
    return text[end:]
