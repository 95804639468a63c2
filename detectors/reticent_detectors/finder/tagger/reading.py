"""The values in a growing text, from the tags of its words, which are read segment by segment."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from reticent_detectors.entities import Entity
from reticent_detectors.finder.match_ends import NONE, OPEN
from reticent_detectors.finder.tagger.network import Floats, TagNetwork, TagState
from reticent_detectors.finder.tagger.words import Word, ends_segment, may_change, words_of
from reticent_detectors.spans import StateTags

LONGEST_VALUE = 24
"""Words of a value at most; a longer one is cut there."""
_ASKED_PIECES = 96
"""Pieces of a question that are read: its last."""
_ASKED_MARGIN = 1.0
"""Of words without a form that a question asked for, in nats, at most."""
_BEGINS_MARGIN = 1.0
"""Of words without a form that begin an answer, in nats, where no question is read."""
STATES_SHARE = 0.4
"""What the states of the model that writes count in a word's tag; the network counts the rest."""
STATES_MOST = 5.0
"""By how much they may speak against a tag, in nats: so no question silences a network that is sure."""
_SAME = 4_096
"""Characters at the end of what was read that must be the same the next time."""


WORDED = frozenset(
    {
        Entity.DIAGNOSIS, Entity.PRESCRIPTION, Entity.DOCTOR, Entity.HOSPITAL,
        Entity.EMPLOYER, Entity.JOB_TITLE, Entity.SEXUAL_ORIENTATION, Entity.CRIMINAL_RECORD,
    }
)  # fmt: skip
"""Kinds whose values are words without a form."""
_NAMES = frozenset({Entity.DOCTOR, Entity.EMPLOYER})
"""Kinds whose values look like any name, with which many an answer begins."""
SAID_ANYWHERE = WORDED | {Entity.CREDIT_CARD_DIGITS, Entity.DATE_OF_BIRTH}
"""Kinds that the tagger says wherever it finds them."""
SAID_IF_SURE = frozenset(
    {
        Entity.ADDRESS, Entity.APPOINTMENT_DATE, Entity.FLIGHT, Entity.PHONE_NUMBER, Entity.TRANSACTION_AMOUNT,
        Entity.UTILITY_BILL,
    }
)  # fmt: skip
"""Kinds with a form that it says beside them. Codes are not among them: to it one number looks like another."""
SURE = 2.0
"""Lead of a value of such a kind where no question asked for it, in nats, at least."""


class TagValue(NamedTuple):
    """Tell what the tagger found at a place.

    Attributes:
        kind: empty without a value.
        end: NONE if there is no value, OPEN if more text could decide.
        announced: whether a question, or the words before, named the kind.
        lead: by how much its first word is likelier of a value than not, in nats.
    """

    kind: str
    end: int
    announced: bool = False
    lead: float = 0.0


_NOTHING, _UNDECIDED = TagValue("", NONE), TagValue("", OPEN)


class TagReading:
    """The values of one answer so far; offsets are in characters of the text.

    Args:
        network: what tags.
        before: what the same answer said before the text.
        questions: the sentences that asked, the last first. After them the answer's first words are read again.
        left: running text of somebody else, which the answer continues. It is read as a question is.
        states: tags by the states of the model that writes the answer, if they are read. They decide with the network.
    """

    def __init__(
        self,
        network: TagNetwork,
        before: str = "",
        questions: Sequence[str] = (),
        left: str = "",
        states: StateTags | None = None,
    ) -> None:
        self.network, self._before, self._left = network, before, left
        own = None if states is None else _Joined(states, len(before))
        continued = None if states is None else _Joined(states, len(left) + len(before))
        self._text = _Passage(network, joined=own)
        self._continued = _Passage(network, asked=True, joined=continued) if left else None
        self._answers = [_Passage(network, question, asked=True, joined=own) for question in questions]

    def __repr__(self) -> str:
        return f"TagReading({len(self._text.starts)} words, {len(self._answers)} questions)"

    def value_at(self, text: str, p: int, closed: bool, any_lead: bool = False) -> TagValue:
        """Return the value at p, which is negative in what the same answer said before.

        A place within a value counts as its beginning, for the caller has passed over the words before it.

        Args:
            any_lead: whether a value counts without its kind's margin.
        """
        before = len(self._before)
        if p + before < 0:
            return _NOTHING
        whole = self._before + text if before else text
        return _moved(self._text.value_at(whole, p + before, closed, any_lead), before)

    def lead_at(self, text: str, p: int) -> float:
        """Return by how much the word at p of a text that has ended is likelier of a value than not, in nats."""
        return self._text.lead_at(self._before + text, p + len(self._before))

    def answer_at(self, text: str, p: int, closed: bool, asked: Collection[str] = ()) -> TagValue:
        """Return the value at p that goes on with what stands on the left, or answers a question, the last one first.

        Args:
            text, closed: as in `value_at`.
            p: negative before the text.
            asked: kinds with a form that count.
        """
        before = len(self._before)
        whole = self._before + text if before else text
        for passage in (self._continued, *self._answers):
            shift = len(self._left) if passage is self._continued else 0
            if passage is None or p + before + shift < 0:
                continue
            text_read = self._left + whole if shift else whole
            found = passage.value_at(text_read, p + before + shift, closed)
            found = _moved(found, before + shift)
            if found.end == OPEN or found.kind in WORDED or found.kind in asked:
                return found._replace(announced=True)
        return _NOTHING


def _moved(found: TagValue, by: int) -> TagValue:
    """Return a value of the text that begins `by` characters later; none where it ends before it."""
    if found.end in (NONE, OPEN):
        return found
    return found._replace(end=found.end - by) if found.end > by else _NOTHING


class _Joined(NamedTuple):
    """The tags by the model's states, and where its answer begins in a passage, in characters."""

    states: StateTags
    begins: int

    def of(self, text: str, words: Sequence[Word], logits: Floats) -> tuple[Floats, list[bool]]:
        """Return the network's logits [N, 1 + 2K] joined with what the states say, and of which words they do."""
        places = [(word.start - self.begins, word.end - self.begins) for word in words]
        said = self.states(text[self.begins :], places)
        out = logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)
        for row, own in zip(out, said, strict=True):
            if own is not None:
                row *= 1 - STATES_SHARE
                row += STATES_SHARE * np.maximum(own - own.max(), -STATES_MOST)
        return out, [own is not None for own in said]


class _Passage:
    """The tags of a text after a question, of as many segments as were needed so far."""

    def __init__(
        self, network: TagNetwork, question: str = "", asked: bool = False, joined: _Joined | None = None
    ) -> None:
        self._network, self._question, self._asked, self._joined = network, question, asked, joined
        self._forget()

    def _forget(self) -> None:
        self.starts, self._ends, self._tags = list[int](), list[int](), list[int]()
        """Tags: 0 for no value; 1 + 2k for kind k's first word, 2 + 2k for its others."""
        self._leads = list[float]()
        """By how much the tag is likelier than that of no value, in nats."""
        self._firsts = list[int]()
        """The first word of the value that a word is of."""
        self._are_joined = list[bool]()
        """Whether the model's states had a say in a word's tag."""
        self._state: TagState | None = None
        self._read, self._from = "", 0
        """The end of what was read, and where it begins; another text in its place is read from the beginning."""
        self._ended: tuple[str, _Passage] | None = None
        """A text that has ended, and its tags. It may go on all the same, as it does between two values at the end."""

    def value_at(self, text: str, p: int, closed: bool, any_lead: bool = False) -> TagValue:
        """Return the value at p."""
        if not text.startswith(self._read, self._from):
            self._forget()
        while (found := self._value(p, any_lead)).end == OPEN and self._take_segment(text):
            pass
        if found.end != OPEN or not closed:
            return found
        ended = self._whole(text)
        found = ended._value(p, any_lead)
        if found.end != OPEN:
            return found
        i = bisect_right(ended.starts, p) - 1
        counts = i >= 0 and ended.starts[i] == p and ended._counts(i, any_lead)
        return ended._found(i, len(ended._ends) - 1) if counts else _NOTHING

    def lead_at(self, text: str, p: int) -> float:
        """Return the lead of the word at p of a text that has ended."""
        ended = self._whole(text)
        return ended._leads[bisect_right(ended.starts, p) - 1]

    def _value(self, p: int, any_lead: bool) -> TagValue:
        i = bisect_right(self.starts, p) - 1
        if i < 0 or self.starts[i] != p:
            return _NOTHING if self._ends and p < self._ends[-1] else _UNDECIDED
        if not self._counts(i, any_lead):
            return _NOTHING
        last = i
        while last - i < LONGEST_VALUE:
            if last + 1 == len(self._tags):
                return _UNDECIDED
            if not _goes_on(self._tags[last + 1]):
                break
            last += 1
        return self._found(i, last)

    def _found(self, i: int, last: int) -> TagValue:
        """Return the value of the words from i to `last`."""
        return TagValue(self._kind(i), self._ends[last], lead=self._leads[self._firsts[i]])

    def _counts(self, i: int, any_lead: bool) -> bool:
        """Tell whether word i is of a value whose first word is likely enough."""
        if self._tags[i] == 0:
            return False
        first = self._firsts[i]
        joined = self._joined if self._are_joined[first] else None
        kind = (self._tags[first] - 1) // 2
        margin = (self._network if joined is None else joined.states).margins[kind]
        if self._network.kinds[kind] in WORDED:
            if first == 0 and self._network.kinds[kind] not in _NAMES:
                margin = 0.0 if self._asked else _BEGINS_MARGIN  # an answer that begins with a value is little else
            elif self._asked:
                margin = min(margin, _ASKED_MARGIN)
        return any_lead or self._leads[first] >= margin

    def _kind(self, i: int) -> str:
        """Return the kind of the value that word i is of: its first word's."""
        return self._network.kinds[(self._tags[self._firsts[i]] - 1) // 2]

    def _take_segment(self, text: str) -> bool:
        """Read the next segment if it is complete."""
        words = list[Word]()
        for word in words_of(text, self._ends[-1] if self._ends else 0):
            if may_change(text, word):
                return False
            words.append(word)
            if ends_segment(text, word, len(words)):
                self._tag(text, words)
                return True
        return False

    def _tag(self, text: str, words: Sequence[Word]) -> None:
        state, network = self._state or self._begin(), self._network
        rows, first = list[int](), list[int]()
        for start, end, spaced in words:
            first.append(len(rows))
            rows += network.pieces.of(text[start:end], spaced)
        logits, self._state = network.read(state, tuple(rows))
        own, are_joined = logits[first], [False] * len(words)
        if self._joined is not None:
            own, are_joined = self._joined.of(text, words, own)
        self._are_joined += are_joined
        for tag in own.argmax(-1).tolist():
            inside = _goes_on(tag) and self._tags and self._tags[-1]
            self._firsts.append(self._firsts[-1] if inside else len(self._tags))
            self._tags.append(tag)
        self._leads += (own.max(-1) - own[:, 0]).tolist()
        self.starts += [word.start for word in words]
        self._ends += [word.end for word in words]
        self._from = max(0, self._ends[-1] - _SAME)
        self._read = text[self._from : self._ends[-1] + 1]  # and what ends the last word

    def _begin(self) -> TagState:
        rows = [
            row
            for start, end, spaced in words_of(self._question)
            for row in self._network.pieces.of(self._question[start:end], spaced)
        ]
        return self._network.begin(tuple(rows[-_ASKED_PIECES:]))

    def _whole(self, text: str) -> _Passage:
        """Return the tags of the same text, which has ended."""
        if self._ended is None or self._ended[0] != text:
            while self._take_segment(text):
                pass
            ended = _Passage(self._network, self._question, self._asked, self._joined)
            ended.starts, ended._ends, ended._tags = self.starts[:], self._ends[:], self._tags[:]
            ended._leads, ended._firsts, ended._are_joined = self._leads[:], self._firsts[:], self._are_joined[:]
            ended._state = self._state
            while words := list(_next(text, ended._ends[-1] if ended._ends else 0)):
                ended._tag(text, words)
            self._ended = text, ended
        return self._ended[1]


def _goes_on(tag: int) -> bool:
    """Tell whether a word continues the value of the word before, whatever kind its tag says."""
    return tag > 0 and tag % 2 == 0


def _next(text: str, at: int) -> Iterator[Word]:
    """Return the words of the next segment of a text that has ended."""
    for held, word in enumerate(words_of(text, at), 1):
        yield word
        if ends_segment(text, word, held):
            return
