"""Recognises values by a form that the operator gives: a pattern, words that stand before it, a check of its digits.

    OwnForm("EMPLOYEE_ID", r"EMP-\\d{6}", context=("employee", "badge"), check="luhn")

A value begins where a word or number begins, or with one of the symbols $, €, £, + and (, and ends where no letter or
digit follows. It has at most 160 characters. Words with which no value begins (`the`, `my`) begin none here either.

Not covered: disguised spellings; values in scripts without blanks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import regex

from reticent_detectors.entities import checked_kind_name
from reticent_detectors.errors import InputError
from reticent_detectors.finder.engine.position import Position
from reticent_detectors.finder.engine.recognizers import REACH, Pattern
from reticent_detectors.finder.forms.checks import POLICY_CHECKS as CHECKS
from reticent_detectors.finder.forms.labels import fold
from reticent_detectors.finder.pattern_cost import check_pattern

_CONTEXT_CHARS = 100
_LEAST_CUT = 4
"""Least characters of a value that the end of the text cut short, so that ordinary words are none."""


@dataclass(frozen=True, slots=True)
class OwnForm:
    """Recognises one kind of value by the operator's pattern.

    Args:
        entity: the kind, in capitals.
        pattern: the value's form (`pattern_cost` says what may stand in it).
        context: words, one of which has to stand in the 100 characters before the value or in the user's question. None
            are needed if there are none.
        check: a name of `CHECKS`; empty for no check.

    Raises:
        InputError: the pattern is none, or may take too long, there is no such check, or the kind is no name of one.
    """

    entity: str
    pattern: str = field(repr=False)
    context: tuple[str, ...] = ()
    check: str = ""
    start_classes: str = field(default="duls", init=False, repr=False)
    fallback: bool = field(default=False, init=False, repr=False)
    plain_word_starts: str = field(default="ul", init=False, repr=False)
    _form: Pattern = field(init=False, repr=False, compare=False)
    _words: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        try:
            checked_kind_name(self.entity)
        except ValueError as error:
            raise InputError(str(error)) from None
        check_pattern(self.pattern)
        if self.check and self.check not in CHECKS:
            raise InputError(f"there is no check {self.check!r}; choose one of {', '.join(sorted(CHECKS))}")
        words = "|".join(regex.escape(fold(word), literal_spaces=True) for word in self.context)
        put = object.__setattr__
        put(self, "_form", Pattern(self.name, None, self.start_classes, self.pattern))
        put(
            self,
            "_words",
            regex.compile(rf"(?<![\p{{L}}\p{{N}}])(?:{words})(?![\p{{L}}\p{{N}}])") if words else None,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return OwnForm, (self.entity, self.pattern, self.context, self.check)

    @property
    def name(self) -> str:
        """Gives the recogniser's name."""
        return f"own-{self.entity.lower()}"

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        """Gives the end of the value at p, NONE, or OPEN."""
        end = self._form.at(text, p, position, closed)
        if end <= 0:
            return end if end == 0 or self._is_announced(text, p, position) else 0
        valid = not self.check or CHECKS[self.check](text[p:end])
        return end if valid and self._is_announced(text, p, position) else 0

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        """Whether a value may begin with a plain word and the character behind it."""
        return self._form.may_begin(word, mark, led)

    def may_begin_with(self, head: str) -> bool:
        """Whether a value may begin with digits and what stands behind them."""
        return self._form.may_begin_with(head)

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        """Says whether text[p:] looks like the beginning of a value that the end of the text cut short."""
        tail = text[p:]
        if not _LEAST_CUT <= len(tail) <= REACH or not any(map(str.isdecimal, tail)):
            return False
        return self._form.could_be_begun(text, p) and self._is_announced(text, p, position)

    def _is_announced(self, text: str, p: int, position: Position) -> bool:
        if self._words is None:
            return True
        if self._words.search(fold(text[max(0, p - _CONTEXT_CHARS) : p])) is not None:
            return True
        return self._words.search(position.asked.text) is not None
