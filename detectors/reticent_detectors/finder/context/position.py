"""What a recogniser may ask about one position of a text.

A `Position` knows only text to the left of the position, so nothing that follows can change it.
It reads the last 160 characters, and for the head of a table 1,024. `behind` alone reads on.
"""

from __future__ import annotations

from typing import Any

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context import formats
from reticent_detectors.finder.context.announcements import Announcement, Announcements, Strength
from reticent_detectors.finder.context.code_nouns import code_before, code_behind
from reticent_detectors.finder.context.left_context import LEFT_CHARS, LeftContext
from reticent_detectors.finder.languages import lexicon
from reticent_detectors.finder.languages.wordings import BREAKS, Tokens
from reticent_detectors.lazy_attribute import lazy_attribute


class Position(Announcements):
    """One position of a text, as recognisers are shown it."""

    # Defaults in the class: one is made at every word, and one more `__init__` would cost a call.
    number_run: tuple[int, str] | int | None = None
    """What the recognisers of numbers share: the run of groups that begins here, or their common answer."""
    _behind: dict[tuple[int, bool], Entity | int | None] | None = None
    least: int = 0
    """No value of fewer characters counts here, where only a longer one tells of a disguise."""
    groups: list[int] | None = None
    """Where the groups of a disguised candidate begin, as far as they were read."""
    passed: set[str] | None = None
    """The families of disguises of which no value begins here, whatever follows."""
    unopened: str | None = None
    """What stands before, without the marks of an emphasis that begins here."""
    _ends: dict[tuple[Any, int], Any] | None = None
    _replaced: dict[tuple[str, bool, bool], Position] | None = None

    def replaced(self, left: str, plain: str, q: int) -> Position:
        """Gives the position q of `plain`, with `left` before it and `plain` in the place of the text from here on.

        `left` is what stands before the position, at most 160 characters of it. What is read of it once stays read, for
        all that may stand in the place of the text, and what was read of the text itself if it is the same.
        """
        answer = None if self._answer is None else self._answer + q
        text, at = left + plain, len(left) + q
        same = self._text.endswith(left, 0, self._p)
        here = Position(text, at, answer, self.question, self._known if same else None)
        here.shift = self.shift + self._p - len(left)
        if q == 0:
            if self._replaced is None:
                self._replaced = {}
            # Of what stands here, what is to the left of it sees this much.
            key = left, plain[0].islower(), plain[0].isspace()
            before = self._replaced.get(key)
            if before is not None:
                here.take_left(before.left())
            elif same and (self._text[self._p].islower(), self._text[self._p].isspace()) == key[1:]:
                here._share_left(self)
            self._replaced[key] = here
        return here

    def _share_left(self, other: Position) -> None:
        """Takes what was read to the left of a position with the same words before it; both read on by themselves."""
        known = other.__dict__
        self.__dict__.update({name: known[name] for name in _LEFT if name in known and name not in _BY_PLACE})
        if (tokens := known.get("_tokens")) is not None:
            self.__dict__["_tokens"] = tokens.moved(self._text, self._p - other._p)

    def left(self) -> dict[str, Any]:
        """Gives what was read to the left, for the same position in a longer text."""
        known = self.__dict__
        left = {name: known[name] for name in _LEFT if name in known}
        if (tokens := left.get("_tokens")) is not None:
            tokens.text = ""
        return left

    def take_left(self, left: dict[str, Any]) -> None:
        """Takes over what `left` gave."""
        self.__dict__.update(left)
        if (tokens := left.get("_tokens")) is not None:
            tokens.text = self._text

    @lazy_attribute
    def ends(self) -> str:
        """The marks at which a field that begins here ends, besides the line's."""
        if self.form is not None:
            return "" if self.form.ends == "\n" else self.form.ends
        last = self._text[self._p - 1 : self._p]
        quoted = formats.QUOTES.get(last, "")
        if quoted and (last != "'" or not self._text[self._p - 2 : self._p - 1].isalnum()):
            return quoted
        return "|" if self._tokens.get(0) == "|" else "&" if "?" in self.before and last == "=" else ""

    @lazy_attribute
    def code(self) -> Entity | None:
        """The kind of number or secret that the nearest noun of the sentence names."""
        tokens = self._tokens
        if tokens.get(0) and "\n" in self._text[tokens.starts[0] : self._p]:
            return None
        return code_before(tokens)

    @lazy_attribute
    def in_field(self) -> bool:
        """Whether a form, a table or code says what begins here."""
        return any(found.strength is Strength.LABEL for found in self.announced.values())

    def says(self, entity: Entity) -> bool:
        """Whether words before the position call a code that begins here an `entity`."""
        return entity in self.announced or self.code is entity

    def behind(self, end: int, closed: bool) -> Entity | int | None:
        """Gives the kind that the words behind a code name, which ends at `end`; OPEN while they are unknown."""
        if self._behind is None:
            self._behind = {}
        key = end, closed
        if key not in self._behind:
            self._behind[key] = code_behind(self._text, end, closed)
        return self._behind[key]

    def ending_with(self, pattern: Any, chars: int) -> Any:
        """Gives the match of a pattern, which is read from the right, with the last so many characters before; or None.

        What was read stays read: recognisers ask the same again, and again when the text has grown.
        """
        if self._ends is None:
            self._ends = {}
        key = pattern, chars
        found = self._ends.get(key, self)
        if found is self:
            found = self._ends[key] = pattern.match(self.before[-chars:])
        return found

    def ends_with(self, pattern: Any, chars: int) -> bool:
        """Whether the last so many characters before the position match a pattern that is read from the right."""
        return self.ending_with(pattern, chars) is not None

    def is_label(self, start: int, end: int) -> bool:
        """Whether text[start:end] is a word for any kind, as in the head of a table."""
        tokens = Tokens(self._text, start, end)
        return any(not tokens.get(j) for _, j in lexicon().nouns.walk(tokens, 0))

    def amount(self) -> Entity:
        """Gives the kind of amount at the position, by the nearest word, else by the question."""
        words, tokens = lexicon(), self._tokens
        if self.form is not None:
            found: dict[Entity, Announcement] = {}
            self._add_labelled_kinds(found, self.form.label)
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


# What holds places of a text.
_BY_PLACE = frozenset({"_tokens", "_named", "_replaced", "groups", "passed", "unopened"})
# Of a position, what depends on the text to its left alone.
_LEFT = (
    "_people",
    "_spoken",
    "_named",
    "column",
    "_replaced",
    "_ends",
    "groups",
    "passed",
    "unopened",
    *(
        name
        for kind in (LeftContext, Announcements, Position)
        for name, value in vars(kind).items()
        if isinstance(value, lazy_attribute)
    ),
)
