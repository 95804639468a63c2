"""Secrets and user names that a noun in their sentence, or the name of their field, tells.

`LabelledValue` knows how labels and values stand to each other; here only the nouns of the languages count.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.announcements import Strength
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.fields.field_ends import field_at
from reticent_detectors.finder.secrets.label_relation import Found, Way

_AHEAD = 16
BARE_RUN = r"[^\s\"“”«»`<>|,;\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]{1,64}"
_BARE = regex.compile(f"{BARE_RUN}+")
# The value of a line of its own, its last mark with it: "pin: 4711", "senha: Lisb0a55?".
_LINE = regex.compile(r"[^\s\"'“”«»`<>|,;*\[\]{}()]{3,64}+")
_SPEAKERS = word_set(
    "user usuario usuaria utente utilizador utilizadora utilisateur utilisatrice benutzer nutzer login"
)
_LEAST_NEAR = 4  # characters
_MEASURE = re.compile(r"\d{1,4}(?:[.,]\d{1,3})?(?:%|-[a-z]+(?:-[a-z]+)?)\W*\Z")  # "an 18-yard pass", "56.2%"
_YEAR = re.compile(r"(?:1[89]|20)\d\d(?!\w)")


@dataclass(frozen=True, slots=True)
class SecretByNoun:
    """A secret behind a noun.

    Args:
        cell: what a whole field of this name must look like.
        value: the length of the value in what was found; 0: there is none.
        near: whether any noun of the sentence may name a value with digits; else only an announced one counts.
        value_run: see `ByRun`.
    """

    name: str
    entity: Entity
    start_classes: str
    cell: str = field(repr=False)
    value: Callable[[Found], int] = field(repr=False)
    near: bool = False
    fallback: bool = False
    plain_word_starts: str = "ul"
    value_run: str = field(default=BARE_RUN, repr=False)

    @property
    def announced_kinds(self) -> frozenset[Entity]:
        return frozenset({self.entity})

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:  # noqa: C901, PLR0912
        # Not split: parts would cost a call and a second test at every announced secret.
        found = position.announced.get(self.entity)
        labelled = found is not None and found.strength is Strength.LABEL
        if labelled if self.near else found is None:
            return NONE
        if labelled and (position.form is not None or position.ends):
            end = field_at(text, p, position, self.entity, closed)
            if end:
                return end if end == OPEN or self._fills_field(text[p:end]) else NONE
        if labelled and position.label() is not None and not self._spoken(position):
            line = _LINE.match(text, p)
            end = line.end() if line is not None else p
            if line is not None and not closed and end == len(text) and end - p < 64:
                return OPEN
            if line is not None and text[end : end + 1] in ("\n", ""):
                if self.entity is Entity.SECRET_KEY:  # no key ends with the mark of a sentence
                    end = p + len(text[p:end].rstrip(".!?:"))
                if self._fills_field(text[p:end]):
                    return end
        run = _BARE.match(text, p)
        if run is None or text[p - 1 : p] in ("/", "@", ".", "-"):
            return NONE
        end = int(run.end())
        if end == len(text) and not closed and end - p < 64:
            return OPEN
        if self.near and (end - p < _LEAST_NEAR or not any(c.isdigit() for c in run[0]) or _MEASURE.match(run[0])):
            return NONE
        named = not self.near or self._is_named(text, p, position)
        if not named and (position.code is not None or _YEAR.match(text, p)):
            return NONE
        if self.near and not self.value(Found(run[0], Way.SENTENCE, False, "", False, "", "")):
            return NONE
        if not named:
            behind = position.behind(p + len(run[0].rstrip(".,;:!?'’")), closed)
            if behind == OPEN:
                return OPEN
            if behind is not self.entity:
                return NONE
        if not closed and len(text) - end < _AHEAD and "\n" not in text[end:]:
            return OPEN
        ahead = text[end : end + _AHEAD].partition("\n")
        owned = not self.near and found is not None and found.sure and found.strength > Strength.ASKED
        way = Way.FIELD if labelled else Way.SENTENCE
        if way is Way.FIELD and not any(c.isdigit() for c in run[0]):
            return NONE
        # What names it from behind says nothing against it.
        after = ahead[0] + ahead[1] if named else ""
        length = self.value(Found(run[0], way, False, after, owned, "", ""))
        return p + length if length else NONE

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        return bool(mark) and _BARE.match(mark) is not None

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        return len(text) - p > 3 and self.at(text, p, position, True) == len(text) and position.says(self.entity)

    def _spoken(self, position: Position) -> bool:
        """Tell whether the label may as well be the name of who speaks ("User: hello")."""
        place = position.label()
        word = place[0].get(place[1]) if place is not None else ""
        return self.entity is Entity.USERNAME and word in _SPEAKERS

    def _fills_field(self, value: str) -> bool:
        found = Found(value, Way.FIELD, True, "", True, "", "")
        return bool(regex.fullmatch(self.cell, value)) and self.value(found) == len(value)

    def _is_named(self, text: str, p: int, position: Position) -> bool:
        return position.says(self.entity) and (not _YEAR.match(text, p) or self.entity in position.announced)
