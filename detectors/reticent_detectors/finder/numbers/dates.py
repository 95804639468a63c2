"""Dates and times in six languages: dates of birth, which are announced, and all the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, AroundPattern, Pattern, Recognizer
from reticent_detectors.finder.numbers.number_forms import MARKS, announces, label


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_MONTH_WORDS = _words(
    """january february march april may june july august september october november december
    januar jänner februar märz mai juni juli oktober dezember
    janvier février fevrier mars avril juin juillet août aout septembre octobre novembre décembre decembre
    enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre
    gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
    janeiro fevereiro março junho julho setembro outubro novembro dezembro"""
)
_SHORT_MONTHS = _words("jan feb mar apr jun jul aug sept sep oct nov dec")
# Short for a month in one language and a word in another: only before a year.
_YEARED_MONTHS = _words("janv févr fev avr juil déc mrz mär okt dez ene abr ago dic gen mag giu lug set ott mai out")


def _any(words: Sequence[str]) -> str:
    return "|".join(sorted(dict.fromkeys(words), key=len, reverse=True))


_END = r"(?![\p{L}\p{N}_])"
_LONG = rf"(?:(?!(?-i:may|march|mars)\b)(?:{_any(_MONTH_WORDS)}){_END}|(?:{_any(_SHORT_MONTHS)})(?:\.|{_END}))"
_ANY_MONTH = rf"(?:(?:{_any(_MONTH_WORDS)}){_END}|(?:{_any([*_SHORT_MONTHS, *_YEARED_MONTHS])})(?:\.|{_END}))"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?!\d)"
_YEAR = r"(?:1[5-9]|20)\d\d"
_SEP = r"(?:,? |-|/)"
_OF = r"(?: of| de| di| d['’])?"
_NUMERIC = (
    (
        rf"{_YEAR}([-/.])(?:0?[1-9]|1[0-2])\1{_DAY}"
        rf"|(?:3[01]|[12]\d|0?[1-9])(?P<s>[-/.])(?:3[01]|[12]\d|0?[1-9])(?P=s) ?(?:{_YEAR}|\d\d)"
        rf"|{_YEAR}年\d{{1,2}}月\d{{1,2}}日"
    )
    .replace(r"([-/.])", "(?P<t>[-/.])", 1)
    .replace(r"\1", "(?P=t)")
)
_WORDED_YEAR = (
    rf"{_DAY}(?:st|nd|rd|th|er|º|°|ª|\.)?{_OF}[ -]?{_ANY_MONTH}(?:,? (?:de |del |of )?|[-/]){_YEAR}"
    rf"|{_ANY_MONTH} (?:the )?{_DAY}(?:st|nd|rd|th)?,? {_YEAR}|{_YEAR}{_SEP}{_ANY_MONTH}{_SEP}{_DAY}"
)
_WORDED = (
    rf"{_DAY}(?:(?:st|nd|rd|th){_OF} (?:{_any(_MONTH_WORDS)}){_END}|(?:er|º|°|ª|\.)?{_OF}[ -]{_LONG})"
    rf"|{_LONG} (?:the )?{_DAY}(?:st|nd|rd|th)?(?![:.]\d)"
)
_FULL_DATE = rf"(?:{_NUMERIC}|{_WORDED_YEAR})"
_DATE = rf"(?:{_NUMERIC}|{_WORDED_YEAR}|{_WORDED})"

_CLOCK = r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,6})?)?"
_HALF = r" ?[ap](?:\.m\.|\.?m(?![\p{L}\p{N}]))"
_TIME = (
    rf"(?:{_CLOCK}(?:{_HALF}| ?Uhr{_END}| ?(?:Z|UTC|GMT){_END}|[+-]\d\d:?\d\d)?|(?:1[0-2]|0?[1-9])(?:\.[0-5]\d)?{_HALF}"
    rf"|(?:[01]?\d|2[0-3]) ?Uhr{_END}|(?:[01]?\d|2[0-3]) ?h(?: ?[0-5]\d)?{_END}|(?:1[0-2]|[1-9]) o['’]clock{_END})"
)
_AT = r"(?:T|,? (?:at |um |à |a las |alle (?:ore )?|às |@ ?)?)"

_WEEKDAYS = _words(
    """monday tuesday wednesday thursday friday saturday sunday
    montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
    lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado
    lunedì martedì mercoledì giovedì venerdì sabato domenica
    segunda-feira terça-feira quarta-feira quinta-feira sexta-feira"""
)
_SHORT_WEEKDAYS = _words("mon tues tue wed thurs thur thu fri sat sun")
_WEEKDAY = rf"(?:{_any(_WEEKDAYS)})s?{_END}"
_NUMBER = (
    r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|several"
    r"|many|some|a few|a couple of"
    r"|ein(?:e[nmr]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|une?|deux|trois|quatre|cinq|dix|un[ao]?|dos"
    r"|tres|cuatro|cinco|diez|due|tre|quattro"
    r"|cinque|dieci|dois|duas|três|quatro|dez)"
)
_UNIT = (
    r"(?:seconds?|minutes?|hours?|days?|nights?|weeks?|fortnights?|months?|years?|decades?|centur(?:y|ies)|Minuten?"
    r"|Stunden?|Tag(?:en?)?|Wochen?|Monat(?:en?)?"
    r"|Jahr(?:en?)?|heures?|jours?|semaines?|mois|an(?:née)?s?|horas?|d[ií]as?|semanas?|mes(?:es)?|años?|giorn[oi]"
    r"|settiman[ae]|mes[ei]|ann[oi]|or[ae]|anos?|mês)"
)
_PERIOD = (
    r"(?:week|weekend|month|year|night|morning|afternoon|evening|spring|summer|autumn|fall|winter|decade|century"
    r"|fortnight)"
)
_RELATIVE = (
    rf"(?:yesterday|today|tomorrow|tonight|(?:the )?day (?:before yesterday|after tomorrow)"
    rf"|(?:last|next|this|coming) (?:{_PERIOD}{_END}|{_WEEKDAY}|{_LONG})"
    rf"|{_NUMBER} {_UNIT} (?:ago|earlier|later|from now|fa){_END}|gestern|heute|morgen|vorgestern|übermorgen"
    rf"|(?:letzte|nächste|diese|vorige|kommende)[nmrs]? "
    rf"(?:Woche|Monat|Jahr|Wochenende|Sommer|Winter|Frühling|Herbst|{_WEEKDAY}){_END}"
    rf"|vor {_NUMBER} {_UNIT}"
    rf"|avant-hier|aujourd['’]hui|demain|il y a {_NUMBER} {_UNIT}"
    rf"|(?:la semaine|le mois|l['’]année|{_WEEKDAY}) (?:derni(?:er|ère)|prochaine?)"
    rf"|anteayer|ayer|hoy|mañana|hace {_NUMBER} {_UNIT}"
    rf"|(?:la semana|el mes|el año|(?:el )?{_WEEKDAY}) (?:pasad[oa]|próxim[oa]|que viene)"
    rf"|(?:l['’]altro )?ieri|oggi|domani|(?:la settimana|il mese|l['’]anno|{_WEEKDAY}) (?:scors|prossim)[oa]"
    rf"|anteontem|ontem|hoje|amanhã|há {_NUMBER} {_UNIT}|(?:a semana|o mês|o ano|{_WEEKDAY}) (?:passad|próxim)[oa])"
    rf"{_END}"
)
_ONLY_YEAR = r"(?:19\d\d|20[0-3]\d)(?:s(?!\w)|(?: ?[-–/] ?)(?:19\d\d|20[0-3]\d|\d\d)(?!\d))?"
_DATED = (
    rf"(?:(?:{_WEEKDAY}|(?:{_any(_SHORT_WEEKDAYS)})\.?)(?:,? (?:the |den |le |el |il )?|, )(?={_ANY_MONTH}|\d))?"
    rf"{_DATE}(?:{_AT}{_TIME})?"
)
_TAIL = r"(?![\p{L}\p{N}_%]|[-/.:,]\p{N})"


def _inside(text: str, p: int) -> bool:
    """Tell whether the digits at p belong to something before them: an amount, a decimal, another date."""
    before = text[p - 1 : p]
    return before in ("$", "€", "£", "#", "@") or (p > 1 and before in ".,-/:–" and text[p - 2].isdigit())


@dataclass(frozen=True, slots=True)
class Dates(AroundPattern):
    """A pattern of dates behind a cheap test: digits, or three letters that begin one of its words.

    Args:
        inner: the pattern.
        words: words with which a date begins.
        announcement: what must stand before; None: nothing.
        pairs: for words that mostly begin no date, the three letters with which the next word must begin.
    """

    words: Sequence[str] = field(repr=False)
    announcement: Any = field(default=None, repr=False)
    pairs: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)
    fallback: bool = False
    plain_word_starts: str = "ul"
    _heads: frozenset[str] = field(init=False, repr=False, compare=False)
    _parts: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        heads = frozenset(word[:3].casefold() for word in self.words)
        object.__setattr__(self, "_heads", heads)
        object.__setattr__(self, "_parts", frozenset(head[:n] for head in heads for n in (1, 2, 3)))

    @property
    def value_run(self) -> str:
        return self.inner.value_run

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        if text[p].isdigit():
            if _inside(text, p):
                return NONE
        elif (head := text[p : p + 3].casefold()) not in self._heads:
            return (
                OPEN
                if len(text) < p + 3 and not closed and head in self._parts and self._is_announced(position)
                else NONE
            )
        elif not self._paired(text, p, closed):
            return NONE
        end = self.inner.at(text, p, position, closed)
        return end if end == NONE or self._is_announced(position) else NONE

    def _paired(self, text: str, p: int, closed: bool) -> bool:
        """Tell whether the word at p can begin a date with the word behind it, as far as that is said."""
        end = text.find(" ", p, p + 14)
        seconds = self.pairs.get(text[p:end].casefold()) if end > 0 else None
        if seconds is None:
            return True
        second = text[end + 1 : end + 4].casefold()
        if second in seconds or second[:1].isdigit():
            return True
        return not closed and len(text) < end + 4 and any(head.startswith(second) for head in seconds)

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        return (word + mark)[:3].casefold() in self._parts

    def may_begin_with(self, head: str) -> bool:
        return self.inner.may_begin_with(head)

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        if self.announcement is None or not self._is_announced(position):
            return False
        return len(text) - p >= 2 and self.inner.at(text, p, position, False) == OPEN

    def _is_announced(self, position: Position) -> bool:
        return self.announcement is None or announces(self.announcement, position)


_BORN = label(
    r"(?:born|d\.?o\.?b\.?|date[\s_-]?of[\s_-]?birth|birth[\s_-]?(?:date|day)|birth|geboren|geb|geburts(?:datum|tag)"
    r"|née?(?:\(e\))?|(?:date\sde\s)?naissance"
    r"|nacid[oa]|nació|nac|(?:fecha\sde\s)?nacimiento|nat[oa]|(?:data\sdi\s)?nascita|nascid[oa]|nasceu|nasc"
    r"|(?:data\sde\s)?nascimento)",
    rf"(?:\.|['’]s)?(?:\s?\([^)\n\d]{{0,24}}\))?(?:[ ,]\s?[^.?!;|\n\d]{{0,40}}?)??"
    rf"(?:[\"'*_`]{{0,3}}\s?[:=|>–-]{{1,2}})?"
    rf"(?:\s(?:on|in|is|was|the|am|le|el|il|em|a|à|al|den|der|ist|war|est|es|è|é|día|dia|giorno)){{0,3}}:?,?{MARKS}"
    rf"(?:(?:the|le|el|il|den|der)\s)?",
)

_BIRTH = Pattern(
    "date-of-birth", Entity.DATE_OF_BIRTH, "dul", rf"(?i:{_FULL_DATE}|{_WORDED})", tail=_TAIL, right=2, reach=64
)
_GENERAL = Pattern(
    "date-time",
    Entity.DATE_TIME,
    "dul",
    rf"(?i:{_DATED}|{_RELATIVE}|{_TIME}|{_ANY_MONTH},?(?: of| de| del)? {_YEAR}|{_WEEKDAY}|{_ONLY_YEAR})",
    tail=_TAIL,
    right=2,
    reach=96,
)

_RELATIVE_WORDS = _words(
    """yesterday today tomorrow tonight day last next this coming gestern heute morgen vorgestern übermorgen letzte
    nächste diese vorige kommende vor avant aujourd demain anteayer ayer hoy mañana hace ieri oggi domani anteontem
    ontem hoje amanhã
    one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty several many some
    due tre quattro cinque dieci"""
)


def _heads(text: str) -> frozenset[str]:
    return frozenset(word[:3].replace("_", " ") for word in text.casefold().split())


_UNITS = _heads(
    """second minute hour day night week fortnight month year decade century minuten stunden tag wochen
    monat jahr heure jour semaine mois an année annee hora dia día semana mes año anno giorno settimana ora ano anos
    mês"""
) | {"an ", "ans"}
_OCCASIONS = _heads(
    "week weekend month year night morning afternoon evening spring summer autumn fall winter decade century fortnight"
) | {word[:3] for word in (*_WEEKDAYS, *_MONTH_WORDS, *_SHORT_MONTHS)}
_NUMBERS = _words(
    """one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty several
    many some ein eine einen einem einer eines zwei drei vier fünf sechs sieben acht neun zehn un une uno una deux
    trois quatre cinq dix dos tres cuatro cinco diez due tre quattro cinque dieci dois duas três quatro"""
)
_SEASONS = _heads("woche monat jahr wochenende sommer winter frühling herbst") | {word[:3] for word in _WEEKDAYS}
_COUNTS = (
    frozenset(word[:3] for word in _NUMBERS) | {"a f", "a c", "an ", "a d", "a w", "a m", "a y", "a h"} | {"un ", "a s"}
)
_PAIRS: dict[str, frozenset[str]] = {
    **dict.fromkeys(_NUMBERS, _UNITS),
    **dict.fromkeys(("last", "next", "this", "coming"), _OCCASIONS),
    **{
        stem + end: _SEASONS
        for stem in ("letzte", "nächste", "diese", "vorige", "kommende")
        for end in ("", "n", "m", "r", "s")
    },
    **dict.fromkeys(("vor", "hace", "há"), _COUNTS),
    "the": frozenset({"day"}),
    "day": frozenset({"bef", "aft"}),
    "a": _UNITS | {"few", "cou"},
    "an": _UNITS,
    "la": frozenset({"sem", "set"}),
    "le": frozenset({"moi"}),
    "el": frozenset({"mes", "año"}) | {word[:3] for word in _WEEKDAYS},
    "il": frozenset({"y a", "mes"}),
    "o": frozenset({"mês", "ano"}),
}

# fmt: off
_RELATIVE_STARTS = (
    "a w", "a m", "a y", "a d", "a f", "a c", "an ", "the", "la ", "le ", "el ", "l'a", "l’a", "il ", "o m", "o a",
    "a s", "há ", "ein", "une", "un ", "uno", "una",
)
# fmt: on

BIRTH = Dates(_BIRTH, (*_MONTH_WORDS, *_SHORT_MONTHS, *_YEARED_MONTHS), _BORN)
DATES: Sequence[Recognizer] = (
    Dates(
        _GENERAL,
        (
            *_MONTH_WORDS,
            *_SHORT_MONTHS,
            *_YEARED_MONTHS,
            *_WEEKDAYS,
            *_SHORT_WEEKDAYS,
            *_RELATIVE_WORDS,
            *_RELATIVE_STARTS,
        ),
        pairs=_PAIRS,
    ),
)
