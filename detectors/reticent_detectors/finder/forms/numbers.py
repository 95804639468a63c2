"""Numbers that no pattern describes: IBANs, the last digits of a card, coordinates, and the years of a life."""

from __future__ import annotations

import regex

from reticent_detectors.finder.forms.anchored import Anchored
from reticent_detectors.finder.forms.checks import CHECKS
from reticent_detectors.finder.match_ends import NONE, OPEN

# ISO 13616: how many characters an IBAN of a country has.
_IBAN_SIZES = {
    15: "NO",
    16: "BE",
    18: "DK FI FK FO GL NL SD",
    19: "MK SI",
    20: "AT BA EE KZ LT LU MN XK",
    21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA",
    23: "AE GI IL IQ OM SO TL",
    24: "AD CZ ES MD PK RO SA SE SK TN VG",
    25: "LY PT ST",
    26: "IS TR",
    27: "BI DJ FR GR IT MC MR SM",
    28: "AL AZ BY CY DO GT HU LB NI PL SV",
    29: "BR EG PS QA UA",
    30: "JO KW MU YE",
    31: "MT SC",
    32: "LC",
    33: "RU",
}
_IBAN_CHARS = {country: size for size, countries in _IBAN_SIZES.items() for country in countries.split()}
_IBAN_GATE = regex.compile(r"[A-Za-z]{2}[0-9]{2}")
_IBAN_SPACES = " \u00a0\u202f-"


def iban(text: str, p: int, closed: bool) -> int:
    """Read an IBAN, plain or in groups: its country says how long it is.

    One blank or hyphen may stand after every fourth character, and before any digit or capital after the check digits.
    """
    gate = _IBAN_GATE.match(text, p, partial=not closed)
    if gate is None:
        return NONE
    size = _IBAN_CHARS.get(text[p : p + 2].upper(), 0)
    if not size and len(text) > p + 1:
        return NONE
    if gate.partial:
        return OPEN
    end, count = p, 0
    while count < size:
        if end == len(text):
            return NONE if closed else OPEN
        if count > 3 and text[end] in _IBAN_SPACES and text[end - 1] not in _IBAN_SPACES:
            if end + 1 == len(text) and not closed:
                return OPEN
            if count % 4 and end + 1 < len(text) and not (text[end + 1].isdigit() or text[end + 1].isupper()):
                return NONE
            end += 1
            continue
        if not (text[end].isascii() and text[end].isalnum()):
            return NONE
        end += 1
        count += 1
    if end == len(text) and not closed:
        return OPEN
    if end < len(text) and (text[end].isalnum() or text[end] == "_"):
        return NONE
    return end if CHECKS["iban"](text[p:end]) else NONE


_FOUR = regex.compile(r"\d{4,5}+(?![\p{L}\p{N}_]|[-/.:][\p{L}\p{N}]|[, ]\p{N}{3}| ?[%€$£°])")
_FIVE = regex.compile(r"(?i)amex|american express")
_SCHEME = (
    r"(?<!\p{L})(?:visa|vi|master ?card|mc|amex|american express|maestro|discover|diners(?: club)?|jcb|girocard)"
    r"(?!\p{L})"
)
_SCHEME_BEFORE = regex.compile(
    rf"(?r)(?i:{_SCHEME})(?:[ \t]{{1,4}}|[ \t]?[,;|][ \t]?|[\"'][ \t]?,[ \t]?[\"']|[ ]?[(\[:#])"
    r"(?:[*•·●…]{1,16}[ -]?)?"
)
_LONG_MASK = regex.compile(r"(?r)(?:\*{4,}|[•·●]{4,}|(?<!\p{L})[xX]{4,})[ -]?|#{4,}|(?<=#[ -])#{2,4}")
_MASK = regex.compile(r"(?r)(?:[*•·●]{1,3}|…|\.\.\.|(?<=[(\s])-)[ ]?")
_CARD = regex.compile(
    rf"(?i){_SCHEME}|(?<!\p{{L}})(?:(?:credit|debit|bank|store)?[ -]?cards?|(?:kredit|bank|ec-?)?karten?|tarjetas?"
    rf"|cartes?|cart[ae]|cart[ãa]o|plastic)(?!\p{{L}})"
)
_SET_OFF = regex.compile(
    r"(?ri)(?:[,:;(\[\"'“«„–—][ ]?"
    r"|(?<!\p{L})(?:with|to|off|on|ends?|ending|in|has|is|because|mit|der|die|auf|con|en|la|el|il|lo|avec|le|com|o|a) )"
)
_SHUT = regex.compile(r"[,.;:!?)\]\"'”»“\n\t|<]|\Z| (?:[–—-]|\p{Ll}{1,8}(?!\p{L}))")
_YEAR = regex.compile(r"(?:19|20)\d\d")
_ROUND = regex.compile(r"\d{2,3}00|\d{1,2}000")
_SENTENCE_END = regex.compile(r"[.!?](?=\s)|\n")
_LEFT_CHARS, _RIGHT_CHARS = 96, 12


_ENDS_IN = regex.compile(
    r"(?ri)(?<!\p{L})(?:end(?:s|ing) (?:in|with)|(?:endet|endend|endung)(?: auf)?|(?:termina|terminada|acaba) en"
    r"|(?:finisce|termina|terminante) (?:con|in|per)|(?:(?:termina|terminado|final) em|acaba em))[ :\"'*]{1,4}"
)


def last_digits(text: str, p: int, closed: bool) -> int:
    """Read the last digits of a card after a mask, a scheme's name or "ends in", or set off beside "card".

    They are four (five of American Express), neither a year nor a round number.
    """
    if not text[p].isdigit() or text[p + 4 : p + 6].isdigit() or not text[p : p + 4].isdigit():
        return NONE if closed or len(text) > p + 3 else OPEN
    before = text[max(0, p - _LEFT_CHARS) : p]
    sentence = _SENTENCE_END.split(before)[-1]
    direct = _SCHEME_BEFORE.match(before) is not None
    masked = not direct and _LONG_MASK.match(before) is not None
    ends = _ENDS_IN.match(before) is not None
    if not (direct or masked or ends or _CARD.search(sentence)):
        return NONE
    if not closed and len(text) < p + 5 + _RIGHT_CHARS:
        return OPEN
    run = _FOUR.match(text, p)
    if run is None or (run.end() - p == 5 and not _FIVE.search(before)):
        return NONE
    if before[-1:].isdigit() or (before[-1:] in "-/.:" and before[-2:-1].isdigit()):
        return NONE
    end = int(run.end())
    if direct and not (before[-1] == " " and _YEAR.match(run[0])):
        return end
    if (masked or _MASK.match(before)) and text[end : end + 1] != "*":
        return end
    if _YEAR.match(run[0]) or _ROUND.match(run[0]):
        return NONE
    return end if ends or (_SET_OFF.match(before[-16:]) and _SHUT.match(text, end)) else NONE


_DEGREES = r"\d{1,3}(?:[.,]\d{1,10})?"
_TURNED = rf"{_DEGREES} ?(?:°|º|deg) ?(?:{_DEGREES} ?['’′] ?(?:{_DEGREES} ?(?:\"|”|″|''|’’) ?)?)?"
_FIX = (
    rf"[NS] ?\d{{1,3}}[.,]\d{{3,10}}°?,? [EWOL] ?\d{{1,3}}[.,]\d{{3,10}}°?"
    rf"|{_TURNED}[NS] ?[,;/]? ?[-+−]?{_TURNED}[EWOL]"
    rf"|\d{{1,3}}[.,]\d{{2,10}} ?[NS] ?[,;/]? \d{{1,3}}[.,]\d{{2,10}} ?[EWOL]"
)
_PAIR = (
    r"[-+−]?(?:[2-9]|[1-8]\d|90)\.\d{5,15}, ?[-+−]?\d{1,3}\.\d{5,15}|[-+−]?\d{1,2}\.\d{4,15}, ?[-+−]?\d{1,3}\.\d{4,15}"
)
_COORDINATES = Anchored(
    rf"(?:{_FIX}|{_PAIR})(?![\p{{L}}\p{{N}}]|\.\p{{N}}|, ?[-+−]?\p{{N}}| (?:and|und|et|y|e) [-+−]?\p{{N}})",
    slack=24,
    reach=96,
    more=r"[\p{L}\p{N}.,]| [\p{Ll}]",
)
_LISTED = regex.compile(r"(?r)\[|\w\([\w, ]{0,8}| ?= ?|\p{N}[,;]? ?")
_PLACED = regex.compile(
    r"(?ri)(?<!\p{L})(?:at|near|around|bei|nahe|à|vers|près de|cerca de|presso|vicino a|perto de|to) "
)
_NAMED_FIX = Anchored(
    r"[-+−]?\d{1,3}\.\d{3,15}(?: ?°)?(?: ?[NSEWO](?!\p{L}))?(?:(?: ?[,;/] ?| )[-+−]?\d{1,3}\.\d{3,15}(?: ?°)?"
    rf"(?: ?[EWO](?!\p{{L}}))?)?(?![\p{{L}}\p{{N}}]|\.\p{{N}})|{_TURNED}[NSEWO](?!\p{{L}})",
    slack=24,
    reach=96,
    more=r"[\p{L}\p{N}.,;/°]| [\p{N}°NSEWO+−-]",
)
_SIGNS = "-+−"


def coordinates(text: str, p: int, closed: bool) -> int:
    """Read a latitude and a longitude with degrees, or a pair of decimals with many places that is in no list."""
    if p and text[p - 1] in _SIGNS:
        return NONE
    end = _COORDINATES.end(text, p, closed)
    if end <= 0:
        return end
    value, before = text[p:end], text[max(0, p - 16) : p]
    if any(map(str.isalpha, value)) or "°" in value or "º" in value:
        return end
    if not CHECKS["on_earth"](value) or _LISTED.match(before):
        return NONE
    places = min(len(part.partition(".")[2].strip()) for part in value.split(","))
    return end if places >= 5 or _PLACED.match(before) else NONE


def coordinates_named(text: str, p: int, closed: bool) -> int:
    """Read one or two decimals that a label calls a place."""
    return NONE if p and text[p - 1] in _SIGNS and text[p].isdigit() else _NAMED_FIX.end(text, p, closed)


_LIFE_YEAR = regex.compile(r"(?:1[4-9]|20)\d\d(?!\d)")
_LIFE = regex.compile(r" ?[-–—] ?(?:((?:1[4-9]|20)\d\d)|present)?\)")
_LEAST_YEARS = 15
"""Fewer years between two in brackets are a term of office."""
_NAMED_ONE = regex.compile(r"(?r)\p{Lu}[\p{L}'’.-]{1,30},? \((?:born |b\. |\* ?|née? [\p{L} -]{1,30}, )?")


def life_dates(text: str, p: int, closed: bool) -> int:
    """Read the first year of a life in brackets after a name: "Ana Ruiz (1908 - 1989)"."""
    if not text[p - 1 : p] or text[p - 1] not in "( *," or text[p : p + 1] not in "12":
        return NONE
    year = _LIFE_YEAR.match(text, p, partial=not closed)
    if year is None or _NAMED_ONE.match(text, max(0, p - 60), p) is None:
        return NONE
    if year.partial or year.end() == len(text):
        return NONE if closed else OPEN
    life = _LIFE.match(text, year.end(), partial=not closed)
    if life is None:
        return NONE
    if life.partial:
        return OPEN
    return int(year.end()) if not life[1] or int(life[1]) >= int(year[0]) + _LEAST_YEARS else NONE
