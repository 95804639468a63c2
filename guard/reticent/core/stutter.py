"""Stops a rewound answer that leads to the same redaction again: "in <DIAGNOSIS> in <DIAGNOSIS> in <DIAGNOSIS>".

A host that is set back to the text before a value often says the next value of the same kind right behind the
redaction. Showing each of them says nothing new. So the first words behind a redaction wait until it is clear that
they lead elsewhere. If they lead to a redaction of the same kind, they are withheld with it. A full stop replaces
them, and the model goes on behind it. If the same happens again at once, the answer ends there. The host never has the
value in its context, as after any other rewind.

Two redactions of a kind are the same if only punctuation and function words are between them. They are also the same if
exactly the words are between them that were between the former one and its predecessor. So one tag may be repeated once
with the same words before it, and not again. The price: of several values of one kind in a row ("<PHONE_NUMBER> and
<PHONE_NUMBER>") the reader sees the first tag alone.
"""

from __future__ import annotations

import re
from dataclasses import replace

from reticent.core.stream_types import OffsetMapping, Release
from reticent.policy.policy import Policy
from reticent.policy.verdict import Decision, Origin, Reason
from reticent_detectors.finder.word_sets import word_set

MOST_CHARS = 48
"""Longest text between two redactions that count as the same, in characters. So much is held back at most."""
FULL_STOP = "."

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_FUNCTION_WORDS = word_set(
    """a an the this that these those my your his her its our their and or but nor so also then as of in on at by to
    from for with into near is are was were be been has have had he she it they i you we who which not no one both
    either
    der die das den dem des ein eine einen einem einer eines und oder aber auch in im an am auf aus bei mit nach von
    vom zu zum zur für ist sind war waren hat er sie es wir ich nicht
    le la les un une des du de d l et ou mais aussi dans à au aux en sur par pour avec chez est sont était il elle
    ils elles ne pas
    el los las una unos unas del al y o pero también con por para es son era ella ellos
    lo gli i uno dei degli delle di della nel nella e ma anche da su per sono egli lei non
    os as um uma do da dos das no na nos nas em ao pelo pela com sem foi ele ela eles elas não"""
)


def filled_in(policy: Policy, entity: str, decision: Decision) -> Decision:
    """Decides about a value right behind a redaction of its kind, where the detector would let it pass.

    Set back to the redaction, a host often goes on with the rest of the value: a wrong house number, and then the
    street and the town that it remembers. Its tokens are unlikely at first and likely then, so on average they look
    made up. The value is therefore treated as the one before it.
    """
    rule = policy.rule(entity, Origin.MEMORIZED, decision.verdict.tier)
    verdict = replace(decision.verdict, origin=Origin.MEMORIZED)
    changed = Decision(rule.action, verdict, reason=Reason.SUPPRESSED)
    return changed.monitored() if policy.monitor else changed


class Lead:
    """Follows the text behind a redaction, from which the answer goes on.

    Args:
        entity: the redaction's kind.
        gap: text between the previous redaction and this one, if both are of one kind.
        instead: replaces the same redaction when it comes again.
        waits: whether text is held back until it is clear where it leads.
    """

    def __init__(self, entity: str, gap: str | None = None, instead: str = FULL_STOP, waits: bool = True) -> None:
        self.entity, self._gap, self._instead = entity, gap, instead
        self._held = Release("")
        self._open = waits
        self.repeated = False
        """Says whether the text led to the same redaction again."""

    def __repr__(self) -> str:
        return f"Lead({self.entity}, held=<{len(self._held.text)} chars>, repeated={self.repeated})"

    def take(self, release: Release, redacted: str | None, over: bool) -> Release:
        """Gives what may leave of a release.

        Args:
            release: the release of text behind the redaction.
            redacted: the kind of the redaction at its end, if one halted the answer.
            over: whether no more text comes.
        """
        if not self._open:
            return release
        held = Release(self._held.text + release.text, release.blocked, self._held.mappings + release.mappings)
        if redacted is None and not over and self._may_lead(held.text):
            self._held = held
            return Release("", release.blocked)
        self._held, self._open = Release(""), False
        if redacted is None or not held.mappings:
            return held
        last = held.mappings[-1]
        if redacted != self.entity or not self._is_same(held.text[: len(held.text) - last.length]):
            return held
        self.repeated = True
        return Release(
            self._instead, held.blocked, (OffsetMapping(held.mappings[0].start, last.end, len(self._instead), True),)
        )

    def _may_lead(self, text: str) -> bool:
        """Says whether `_is_same` could hold once more text has come."""
        begins = self._gap is not None and self._gap.startswith(text)
        return len(text) <= MOST_CHARS and (begins or _says_nothing(text, goes_on=True))

    def _is_same(self, gap: str) -> bool:
        return len(gap) <= MOST_CHARS and (gap == self._gap or _says_nothing(gap, goes_on=False))


def _says_nothing(text: str, goes_on: bool) -> bool:
    """Says whether a text has only function words. If it goes on, its last word may still become one."""
    found = list(_WORD.finditer(text))
    if goes_on and found and found[-1].end() == len(text):
        found.pop()
    return all(match[0].casefold() in _FUNCTION_WORDS for match in found)
