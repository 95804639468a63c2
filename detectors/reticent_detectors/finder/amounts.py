"""Amounts of money, and those that the words behind them call a utility bill."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, Pattern
from reticent_detectors.finder.languages import lexicon
from reticent_detectors.finder.languages.wordings import fold

_NUMBER = r"\d{1,3}(?:[.,\u00a0\u202f ]\d{3}){1,3}(?:[.,]\d{1,2})?|\d{1,9}(?:[.,]\d{1,2})?"
MONEY = (
    rf"(?:R\$|€|(?:EUR|CHF|BRL) ) ?(?:{_NUMBER})"
    rf"|(?:US\$|[$£]|(?:USD|GBP) ) ?(?:\d{{1,3}}(?:,\d{{3}}){{1,3}}(?:\.\d{{1,2}})?|\d{{1,9}}(?:\.\d{{1,2}})?)"
    rf"|(?:{_NUMBER}) ?(?:dollars|euros?|Euro|pounds|reais|real|d[óo]lares|libras|pesos|francs|Franken|USD|EUR|GBP"
    r"|CHF|[€£])"
)
_BILLED_CHARS = 56
_BILL_END = regex.compile(r"[.;!?](?=\s)|[\n|,\"]")
_LETTERS = regex.compile(r"\p{L}+")


@dataclass(frozen=True, slots=True)
class BilledAmount:
    """An amount that the words behind it call one for utilities ("$99 for gas", "88 € paga ... de luz")."""

    inner: Pattern
    name: str = "billed"
    entity: Entity = Entity.UTILITY_BILL
    start_classes: str = "dsu"
    fallback: bool = False
    plain_word_starts: str = "ul"

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        end = self.inner.match(text, p, closed)
        if end <= NONE:
            return end
        tail = text[end : end + _BILLED_CHARS]
        stop = _BILL_END.search(tail)
        whole = closed or len(tail) == _BILLED_CHARS
        rest = tail[: stop.start()] if stop else tail if whole else tail[: max(tail.rfind(" "), 0)]
        utilities = lexicon().utilities
        if any(fold(word) in utilities for word in _LETTERS.findall(rest)):
            return end
        return NONE if stop or whole else OPEN

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        return self.inner.may_begin(word, mark, led)

    def may_begin_with(self, head: str) -> bool:
        return self.inner.may_begin_with(head)

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        return False


AMOUNT = Pattern(
    "amount", Entity.UTILITY_BILL, "dsu", MONEY, tail=r"(?![\p{L}\p{N}]|\.\p{N}|,\p{N}{3}(?!\p{N}))", right=5
)
