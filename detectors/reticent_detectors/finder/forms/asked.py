"""Which kinds of value the user's question asks for: then a bare number or date of the answer is one.

The same wordings are read as before values. The last turn counts before earlier sentences.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from reticent_detectors.finder.forms.kinds import Kinds, shipped
from reticent_detectors.finder.forms.labels import SENTENCE, fold
from reticent_detectors.finder.forms.named import NOBODY, Sort
from reticent_detectors.finder.forms.somebody import has_full_name
from reticent_detectors.finder.forms.worded import worded
from reticent_detectors.finder.names_data import look_up

_QUESTION_CHARS, _EARLIER_CHARS = 2000, 4000
# Questions that name no label.
_WORDINGS = (
    (
        "DATE_OF_BIRTH",
        r"when (?:was|were|is) .{1,60}\bborn|how old|wann (?:wurde|ist) .{1,60}geboren|quand est .{1,40}ne"
        r"|cuando nacio|quando e nat[oa]|quando nasceu",
    ),
    (
        "ADDRESS",
        r"where (?:does|do|did|is|can|should) .{1,60}\b(?:live|living|reside|home|sent|deliver\w*|found)"
        r"|wo wohnt|wohin .{1,40}schick|ou habite|donde vive|dove (?:vive|abita)|onde (?:mora|vive)",
    ),
    (
        "APPOINTMENT_DATE",
        r"when (?:is|does|do|will|should) .{1,60}\b(?:due|see|seeing|seen|visit|come|meet|scheduled|go)"
        r"|what (?:day|time)\b"
        r"|wh(?:at|ich) (?:day|date)\b.{1,20}\b(?:give|gave|given|get|got|set|assign|book|offer|reserve)"
        r"|wann (?:hat|ist|muss) |quand (?:doit|a|est) |cuando (?:tiene|es) |quando (?:ha|e|tem) ",
    ),
    (
        "PHONE_NUMBER",
        r"how (?:can|do|could) .{1,40}\b(?:call|reach|phone)|which number|what number|erreich|joindre"
        r"|numero di |numero de |nummer von|'s (?:\w+ )?number|number again|nr do |nr da ",
    ),
    (
        "TRANSACTION_AMOUNT",
        r"how much .{1,80}\b(?:pay|paid|spen[dt]|owe|sen[dt]|transfer\w*|charged?|cost)"
        r"|wie viel .{1,60}(?:bezahl|zahl|uberw|schuld)|combien .{1,60}(?:paye|verse|doit|depens)"
        r"|cuanto .{1,60}(?:pag|gast|deb|transf)|quanto .{1,60}(?:pag|spes|spen|dev|gast|transf)",
    ),
)
_PATTERNS = tuple((kind, re.compile(pattern)) for kind, pattern in _WORDINGS)
# What any question about somebody by name may ask for: a sum wherever it stands in the answer, a day where it is asked
# for, else only where the answer is nothing more.
_SUM, _DAY = "TRANSACTION_AMOUNT", "APPOINTMENT_DATE"
_FOR_DAY = re.compile(
    r"\b(?:when|(?:what|which) (?:day|date|time)|dates?|appt|appointment|wann|datum|uhrzeit|termin"
    r"|quand|quel jour|quelle (?:date|heure)|rdv|cuando|(?:que|cual) (?:dia|fecha|hora)|fecha|cita"
    r"|quando|(?:che|quale|la) (?:giorno|data|ora)|(?:que|qual|a) (?:dia|data|hora))\b"
)


# In small letters, how a sentence begins that asks for something without a question mark.
REQUEST = re.compile(
    r"\W*(?:(?:please|bitte|por favor|per favore|now|just|then|and|can you|could you),? ){0,2}(?:tell|give|show"
    r"|list|name|say|state|write|print|output|recall|repeat|reveal|provide|answer|complete|what|who|where|which|when|how|sag|nenn|gib"
    r"|schreib|wiederhol|was|wer|wo|welche|wie|dis|donne|ecris|repete|quel|ou|di|dime|da|dame|escribe|repite|que|cual|dimmi"
    r"|dammi|scrivi|ripeti|qual|diga|diz|escreve|repete)\b"
)
_NAME_CHARS, _SURE = 2000, 2


class Asked(NamedTuple):
    """Kinds that are asked for.

    Attributes:
        kinds: each with whether the last turn asks for it (True), or an earlier one may (False): then little else
            stands in the answer.
        text: the question in small letters without accents, in which words of a context may stand.
        worded: kinds without a form that the last turn or an earlier one asks for (`worded.Worded`).
    """

    kinds: Mapping[str, bool] = MappingProxyType({})
    text: str = ""
    worded: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        return f"Asked({', '.join(sorted({*self.kinds, *self.worded}))}, <{len(self.text)} chars>)"


# Says that a question is about somebody, in six languages; names have two capitals in a row.
_SOMEBODY = re.compile(
    r"\b(?:my|her|his|their|your|our|hers|him|she|he|they|i|me|somebody|someone|person|patient|customer|client|s"
    r"|mein\w{0,2}|dein\w{0,2}|sein\w{0,2}|ihr\w{0,2}|unser\w{0,2}|euer|er|sie|ich|mir"
    r"|mon|ma|mes|ton|ta|tes|son|sa|ses|votre|notre|leur|il|elle|je|mi|mis|tu|su|sus|el|ella|yo|me"
    r"|mio|mia|tuo|tua|suo|sua|lei|lui|io|meu|minha|teu|tua|seu|sua|ele|ela|eu|landlord\w*|mrs?|ms|dr|frau|herr|mme|sr"
    r"|sra|senhor\w?|senor\w?|signor\w?)\b|'s\b|s'(?=\s)"
)
_NAMES = re.compile(
    r"[A-ZÀ-Þ][\w'’-]+ (?:(?:van|von|de|da|di|del|der) )?[A-ZÀ-Þ][\w'’-]+|\b(?:of|von|de|di|do|da) [A-ZÀ-Þ]\w+"
)


_ASKING = (Sort.LABEL, Sort.BOTH, Sort.BESIDE)
# Their forms are those of anybody's dates, sums and words.
_OF_SOMEBODY = frozenset(
    [
        "DATE_OF_BIRTH",
        "APPOINTMENT_DATE",
        "TRANSACTION_AMOUNT",
        "UTILITY_BILL",
        "PIN",
        "PASSWORD",
        "USERNAME",
        "ADDRESS",
        "CREDIT_CARD_DIGITS",
    ]
)


def asked_kinds(question: str, earlier: str = "", kinds: Kinds | None = None) -> Asked:
    """Read the kinds that a question asks for, and the sentences before it.

    Args:
        question: the user's last turn; its first and its last 2,000 characters are read.
        earlier: what was said before, the newest last. Of its last 4,000 characters the sentences are read that ask or
            speak of somebody.
        kinds: those whose wordings are read; the shipped ones by default.
    """
    known = shipped() if kinds is None else kinds
    found: dict[str, bool] = {}
    last, asking = _ends(question, _QUESTION_CHARS), " ".join(_asking(earlier[-_EARLIER_CHARS:]))
    text, before = fold(last), fold(asking)
    if not _about_somebody(f"{last}\n{earlier[-_EARLIER_CHARS:]}"):
        kinds_ = [*(kind for kind in _named(text, known) if kind not in _OF_SOMEBODY), *_by_wording(text, known)]
        return Asked(dict.fromkeys(kinds_, True), text)
    for kind in _named(text, known):
        found[kind] = True
    for kind in _named(before, known):
        found.setdefault(kind, False)
    if has_full_name(last):
        found |= {_SUM: True, _DAY: found.get(_DAY, False) or _FOR_DAY.search(text) is not None}
    return Asked(found, text, worded().asked(text) | worded().asked(before))


def _ends(text: str, chars: int) -> str:
    """Return a text, or so many characters of its beginning and of its end."""
    return text if len(text) <= 2 * chars else f"{text[:chars]}\n{text[-chars:]}"


def _asking(text: str) -> list[str]:
    """Return the sentences that ask for something, or say whose it is."""
    found = [sentence.strip() for sentence in SENTENCE.findall(text)]
    return [each for each in found if each.endswith("?") or REQUEST.match(fold(each)) or _about_somebody(each)]


def _about_somebody(text: str) -> bool:
    """Tell whether a text speaks of a person: "she", "the patient's", a name, in small letters as well."""
    if _SOMEBODY.search(fold(text)) or _NAMES.search(text):
        return True
    words = [fold(word) for word in re.findall(r"[^\W\d_]+", text[-_NAME_CHARS:])]
    return any(look_up(first).given >= _SURE and look_up(name).family for first, name in pairwise(words))


def _named(text: str, kinds: Kinds) -> list[str]:
    if not text or text.isspace():
        return []
    found: dict[str, None] = {}
    for named in kinds.labels.in_text(text):
        for kind, sort in named.items():
            if kind != NOBODY and (sort in _ASKING or kind == "FLIGHT"):
                found[kind] = None
    return [*found, *(kind for kind in _by_wording(text, kinds) if kind not in found)]


def _by_wording(text: str, kinds: Kinds) -> list[str]:
    return [kind for kind, pattern in _PATTERNS if kind in kinds.kinds and pattern.search(text)]
