"""Amounts of money, with the sign or the name of their currency on either side."""

from __future__ import annotations

import regex

from reticent_detectors.finder.forms.anchored import Anchored, followed_by
from reticent_detectors.finder.forms.words import either
from reticent_detectors.finder.match_ends import NONE

_GROUP = r"[.,'’\u00a0\u202f ]"
_CENTS = r"(?:[.,]\d{1,2}(?!\d))?"
_NUMBER = rf"(?:\d{{1,3}}(?:{_GROUP}\d{{3}}(?!\d)){{1,3}}{_CENTS}|\d{{1,9}}{_CENTS})"
_PLAIN = r"(?:\d{1,3}(?:,\d{3}){1,3}(?:\.\d{1,2})?|\d{1,3}(?:\.\d{3}){1,3}(?:,\d\d)?|\d{1,9}(?:\.\d{1,2})?)"
_SCALES = rf" ?(?i:{either('scales', 'money')})(?![\p{{L}}\p{{N}}])"
_SCALE, _NO_SCALE = f"(?:{_SCALES})?", f"(?!{_SCALES})"


def _spanning(number: str) -> str:
    """Return the pattern of a number of this pattern, from it to another, and how many times it counts."""
    return f"{number}(?:[-–]{number})?{_SCALE}"


_CODES = (
    "USD|GBP|INR|AUD|CAD|NZD|SGD|HKD|JPY|CNY|KRW|THB|PHP|MYR|NPR|PKR|LKR|BDT|KES|NGN|GHS|ZAR|EGP|AED|SAR|ILS|MXN|PEN"
)
_NAMES = (
    r"(?:(?:US|American|Canadian|Australian|New Zealand|Hong Kong|Singapore) )?dollars?|euros?|Euro"
    r"|pounds(?: sterling)?|rupees|reais|real|d[óo]lares|libras|pesos|(?:Schweizer )?Franken|francs(?: suisses)?"
    r"|kroner|kronor|réis|rublos?|yen|rand"
)
_AND_CENTS = r"(?: (?:con|e) \d\d(?!\d| \p{L}))?"
_AMOUNT = Anchored(
    rf"(?:(?:R\$|€|(?:EUR|CHF|BRL|DKK|SEK|NOK|PLN|CZK|HUF|RON|TRY|ARS|CLP|COP|UYU|IDR|VND)) ?{_spanning(_NUMBER)}"
    rf"|(?:(?:US|CA|C|AU|A|NZ|HK|S|MX)\$|[$£₹¥]|(?:{_CODES}|Rs\.?)) ?{_spanning(_PLAIN)}(?: (?:{_CODES}))?"
    rf"|{_spanning(_NUMBER)} ?(?:d[ei] |d['’])?(?:(?:{_NAMES}){_AND_CENTS}"
    rf"|{_CODES}|EUR|CHF|[€£]|\$(?: ?(?:CA|US|CAD|USD|MXN))?|Rs|zł|kr|lei|Ft|Fr\.|Mark)(?!\p{{L}}))"
    rf"{_NO_SCALE}(?![\p{{L}}\p{{N}}]|\.\p{{N}}|,\p{{N}}{{3}}(?!\p{{N}}))",
    slack=16,
    reach=80,
    more=rf"{_GROUP}?\d|[.,]\d|[-–]\d|{_SCALES}| (?:con|e) \d| ?(?:{_CODES}|CA|US)| su| st",
)
# Without a sign only with its cents, as sums and totals of anything have none.
_BARE = Anchored(
    rf"(?=[\d.,' ]{{0,16}}\d[.,]\d\d(?!\d)){_NUMBER}(?! ?[\p{{L}}%*+=]|\p{{N}}|[.,:/-]\p{{N}}| - )",
    slack=12,
    reach=40,
    more="[.,:/\u00a0\u202f -]?\\d",
)


_GOES_ON = regex.compile(r"(?r)\d[.,]|[$€£₹](?:\d[\d.,]{0,12}[-–])?")
_GROUP_BEFORE = regex.compile(r"(?r)(?<!\d)\d{1,3}[\u00a0\u202f ]")
_BEFORE_CHARS = 16


def _goes_on(text: str, p: int) -> bool:
    """Tell whether the figures at p go on an amount before them: "$", "$20-", "12 " of "12 000"."""
    start = max(0, p - _BEFORE_CHARS)
    if _GOES_ON.match(text, start, p):
        return True
    grouped = text[p : p + 3].isdigit() and not text[p + 3 : p + 4].isdigit()
    return grouped and _GROUP_BEFORE.match(text, start, p) is not None


def money(text: str, p: int, closed: bool) -> int:
    """Read an amount with its currency, whole: "$7.2 million", "20–30 €", "3 millions d'euros"."""
    return NONE if _goes_on(text, p) else _AMOUNT.end(text, p, closed)


# Behind an amount in its sentence, these say that it was somebody's to pay, in six languages.
_PAID = regex.compile(
    r"(?i)(?<!\p{L})(?:sent|paid|owed?|transferred|charged|refunded|deposited|credited|debited|borrowed|lent"
    r"|bezahlt|gezahlt|überwiesen|ausgelegt|abgebucht|angewiesen|erstattet|schulde[tn]?|payée?s?|versée?s?|prélevée?s?"
    r"|virée?s?|remboursée?s?|pagad[oa]s?|enviad[oa]s?|cobrad[oa]s?|devuelt[oa]s?|pagat[oaie]|versat[oaie]|addebitat[oaie]"
    r"|rimborsat[oaie]|pag[oa]s?|debitad[oa]s?|transferid[oa]s?)(?!\p{L})"
)
_PAID_CHARS = 64


def money_paid(text: str, p: int, closed: bool) -> int:
    """Read an amount whose sentence goes on with its payment: "the €2,500 you sent me"."""
    end = money(text, p, closed)
    if end <= 0:
        return end
    return followed_by(_PAID, text, end, _PAID_CHARS, closed)


def bare_amount(text: str, p: int, closed: bool) -> int:
    """Read a number with cents that a label calls an amount."""
    before = text[p - 1 : p]
    if before in ("$", "€", "£", "₹") or (p > 1 and before in ".,:/-" and text[p - 2].isdigit()):
        return NONE
    return _BARE.end(text, p, closed)


_SUPPLY = (
    r"utilit(?:y|ies)|electric(?:ity)?|power|gas|water|heating|strom|gas|wasser|heizung|nebenkosten|électricité|eau|gaz"
    r"|chauffage|luz|agua|água|electricidad|eletricidade|calefacción|energia|energía|luce|acqua|elettricità|riscaldamento"
    r"|utenze"
)
_FOR_SUPPLY = regex.compile(
    rf"(?i)^[^\p{{N}}]{{0,32}} (?:for|für|pour|por|per|para|de|di) "
    r"(?:(?:the|her|his|my|die|den|das|la|el|il|o|a|l['’])[ ]?)?"
    rf"(?:{_SUPPLY})(?!\p{{L}})"
)
_BILL_BEFORE = regex.compile(
    r"(?ri)(?<!\p{L})(?:utilit(?:y|ies)|(?:electric(?:ity)?|power|gas|water|heating|energy) (?:bills?|costs?|charges?)"
    r"|for (?:power|electricity|gas|water|heating)(?: and (?:power|electricity|gas|water|heating))?)"
    r"(?!\p{L})[^.!?\n\p{N}]{0,72}"
)
_SUPPLY_CHARS = 56


def money_for_supply(text: str, p: int, closed: bool) -> int:
    """Read an amount for power, water, gas or heating: "pays $91 for utilities", "the water bill of Jo came to $91"."""
    end = money(text, p, closed)
    if end <= 0:
        return end
    if _BILL_BEFORE.match(text, max(0, p - 100), p):
        return end
    return followed_by(_FOR_SUPPLY, text, end, _SUPPLY_CHARS, closed)
