"""The last digits of a card that no wording announces.

They stand behind a mask, behind the scheme's name, or alone in a sentence about a card. They are four digits (five of
American Express), neither a year nor a round number, and set off from the words around.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, Recognizer

_LEFT_CHARS = 96
_RIGHT_CHARS = 64
_RUN = regex.compile(r"\d{1,6}+")
_FOUR = regex.compile(r"\d{4,5}+(?![\p{L}\p{N}_]|[-/.:]\p{N}|[, ]\p{N}{3}| ?[%€$£°])")
_TAIL_CHARS = 7
_FIVE = regex.compile(r"(?i)amex|american express")
_BRACKETS = ("(", "[")
# Credit and debit schemes, as names and as tables shorten them.
_SCHEME = (
    r"(?<!\p{L})(?:visa|vi|master ?card|mc|amex|american express|maestro|discover|diners(?: club)?|jcb|union ?pay"
    r"|girocard|barclaycard|ec-karte)(?!\p{L})"
)
_SCHEME_BEFORE = regex.compile(
    rf"(?r)(?i:{_SCHEME})(?:[ \t]{{1,12}}|[ \t]?[,;|][ \t]?|[\"'][ \t]?,[ \t]?[\"']|[ ]?[(\[:#])"
    rf"(?:[*•·●…]{{1,16}}[ -]?)?$"
)
_LONG_MASK = regex.compile(r"(?r)(?:\*{4,}|[•·●]{4,}|(?<!\p{L})[xX]{4,})[ -]?$")
_MASK = regex.compile(r"(?r)(?:[*•·●]{1,3}|…|\.\.\.|(?<=[(\s])-)[ ]?$")
_CARD = regex.compile(
    rf"(?i){_SCHEME}"
    rf"|(?<!\p{{L}})(?:(?:credit|debit|bank|store)?[ -]?cards?|(?:kredit|bank|ec-?)?karten?|tarjetas?"
    rf"|cartes?(?: bancaires?| bleue)?|cart[ae]|cart[ãa]o|cart[õo]es|plastic)(?!\p{{L}})"
)
# What a number that is set off follows: a mark, or a short word that counts nothing.
_SET_OFF = regex.compile(
    r"(?ri)(?:[,:;(\[\"'“«„–—][ ]?"
    r"|(?<!\p{L})(?:with|to|off|on|ends?|ending|has|is|because|mit|der|die|auf|con|la|el|il|lo|avec|le|com|o|a) )$"
)
_SHUT = regex.compile(r"[,.;:!?)\]\"'”»“\n\t|<]|\Z| (?:[–—-]|\p{Ll}{1,4}(?!\p{L}))")
_YEAR = regex.compile(r"(?:19|20)\d\d")
_ROUND = regex.compile(r"\d{2,3}00|\d{1,2}000")
_SENTENCE_END = regex.compile(r"[.!?](?=\s)|\n")


@dataclass(frozen=True, slots=True)
class CardDigits:
    """Recognises the last digits of a card by their surroundings."""

    name: str = "card-digits"
    entity: Entity = Entity.CREDIT_CARD_DIGITS
    start_classes: str = "d"
    fallback: bool = False
    plain_word_starts: str = ""

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        run = _RUN.match(text, p)
        if run is None or run.end() - p > 5 or (run.end() < len(text) and run.end() - p < 4):
            return NONE
        before = text[max(0, p - _LEFT_CHARS) : p]
        direct = _SCHEME_BEFORE.match(before) is not None
        masked = not direct and _LONG_MASK.match(before) is not None
        named = direct or _CARD.search(_SENTENCE_END.split(before)[-1]) is not None
        if not (named or masked or before[-1:] in _BRACKETS or text[p] == "0"):
            return NONE
        if not closed and len(text) < run.end() + _TAIL_CHARS:
            return OPEN
        end = run.end()
        if not _FOUR.match(text, p) or (end - p == 5 and not _FIVE.search(before)):
            return NONE
        if direct and not (before[-1] == " " and _YEAR.match(run[0])):
            return end
        if (masked or (named and _MASK.match(before))) and text[end : end + 1] != "*":
            return end
        if _YEAR.match(run[0]) or _ROUND.match(run[0]):
            return NONE
        if not _SET_OFF.match(before[-16:]) or not _SHUT.match(text, end):
            return NONE
        return end if named else self._announced_behind(text, end, closed)

    @staticmethod
    def _announced_behind(text: str, end: int, closed: bool) -> int:
        """Return the end, if the rest of the sentence speaks of a card within 64 characters; NONE, or OPEN."""
        tail = text[end : end + _RIGHT_CHARS]
        stop = _SENTENCE_END.search(tail)
        whole = stop is not None or closed or len(tail) == _RIGHT_CHARS
        rest = tail[: stop.start()] if stop else tail
        found = _CARD.search(rest)
        if found is not None and (whole or found.end() < len(rest)):
            return end
        return NONE if whole else OPEN

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        before = text[max(0, p - _LEFT_CHARS) : p]
        cut = text[p:].isdigit() and len(text) - p <= 4
        return cut and bool(_SCHEME_BEFORE.match(before) or _LONG_MASK.match(before))


CARD_DIGITS: Sequence[Recognizer] = (CardDigits(),)
