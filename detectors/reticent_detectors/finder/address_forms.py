"""Addresses of the United States, its forces and the United Kingdom, and announced addresses, as patterns."""

from __future__ import annotations

from reticent_detectors.finder.addresses.street_words import OPENERS, OPENING_ARTICLES
from reticent_detectors.finder.context import stop_words
from reticent_detectors.finder.name_forms import WORD


def is_address(value: str) -> bool:
    return sum(c.isdigit() for c in value) >= 2 and _SENTENCE_WORDS.isdisjoint(value.casefold().split())


_SENTENCE_WORDS = (stop_words.STOP | {"mail", "address"}) - {"in", "on", "a", "an", "the"}
_SEP = r"(?:,[ \n]?|\n)"
_STREET_WORD = r"[\p{Lu}\d][\p{L}\p{M}\d'’-]{0,24}+\.?"
_STREET = rf"{_STREET_WORD}(?: (?:{_STREET_WORD}|(?:of|the|and|de|del|de la|la|le|los|las|du|des|van|der|y)(?= )))"
_STATE_ZIP = r"\p{Lu}{2},? \d{5}(?:-\d{4})?"
_POSTCODE = r"\p{Lu}{1,2}\d[\p{Lu}\d]? ?\d\p{Lu}{2}"
_CITY = r"(?:St\. )?\p{Lu}[\p{L}\p{M}'’-]{0,24}+(?: [\p{L}\p{M}'’-]{1,24}+){0,3}"
US_ADDRESS = (
    rf"\d{{1,6}}(?:-\d{{1,4}})? {_STREET}{{0,5}}(?: (?:#|No\. )?\d{{1,5}})?"
    rf"(?:{_SEP}(?:Apt\.?|Apartment|Suite|Ste\.?|Unit|#|Floor|Room) ?\w{{1,6}})?{_SEP}{_CITY},? (?:{_STATE_ZIP})"
)
_UNIT = r"(?:Flat|Studio|Unit|Apartment) \w{1,6}"
UK_ADDRESS = (
    rf"(?:{_UNIT},?[ \n](?:\d{{1,5}}\w? )?|\d{{1,5}}\w? ){_STREET}{{0,3}}"
    rf"(?: \p{{Ll}}{{3,14}})?{_SEP}{_CITY}{_SEP}{_POSTCODE}"
)
MILITARY_ADDRESS = (
    rf"(?:(?:PSC|CMR|Unit) \d{{1,5}}(?:,? Box \d{{1,6}})?|(?:USNS|USS|USCGC|USNV|USNH|USCG|USAF|USMC) {WORD}){_SEP}"
    rf"(?:DPO|APO|FPO),? \p{{Lu}}{{2}} \d{{5}}(?:-\d{{4}})?"
)
_WAY = (
    r"(?:rue|avenue|boulevard|chemin|place|impasse|allée|passage|route|plac|pl\.|ul\.|al\.|os\.|ulica|aleja|calle"
    r"|via|viale|piazza)"
)


_NEXT = rf" (?:{OPENERS}|{OPENING_ARTICLES} [\d\p{{Ll}}])"
# A dot belongs to a short word, unless the next sentence begins. A word that only sentences have ends the address.
_PROSE = (
    r"(?!(?:by|is|was|are|were|and|or|which|that|who|has|have|had|been|from|to|with|for|at|as|because|when|where"
    r"|whose|than|then|paper|study|report)(?!\p{L}))"
)
_ADDRESS_WORDS = (
    rf"(?:{_PROSE}[\p{{L}}\p{{M}}\d'’()/-]{{1,32}}+"
    rf"(?:(?<=\b\p{{L}}{{1,4}})\.(?=[ ,]{{0,2}}[\p{{L}}\d])(?!{_NEXT}))? {{0,2}}+){{1,8}}+(?<! )"
)
ANNOUNCED_ADDRESS = rf"(?:(?=[\p{{Lu}}\d])|{_WAY} ){_ADDRESS_WORDS}(?: ?,[ \n]?{_ADDRESS_WORDS}){{1,4}}"
