"""Which kind of value the end of a cut text has begun: what a label names, or what looks like one so far.

Without a figure a word is a value only where its label leads to it with a colon, a street where a sentence leads to
where somebody lives, and a mail or web address or a key by its first marks.
"""

from __future__ import annotations

import re
from collections.abc import Collection

import regex

from reticent_detectors.finder.forms import dates
from reticent_detectors.finder.forms.kinds import Kinds
from reticent_detectors.finder.forms.labels import fold
from reticent_detectors.finder.forms.named import Named, Sort, Strength
from reticent_detectors.finder.forms.secrets import after_mark, is_argument, is_mixed, is_word_about
from reticent_detectors.finder.word_sets import NO_START

LEAD_CHARS = 48
"""How much of the text before a value is looked at."""
_LEAST_CHARS, _LEAST_FIGURES, _LEAST_DATE_CHARS = 5, 4, 3
_MOST_CAPITALS = 4
_NUMBER = re.compile(r"[\d+() ./-]+")
_MARK = re.compile(r"\W")
_MAIL = regex.compile(r"[\p{L}\p{N}_.+%'-]{1,64}@[\p{L}\p{N}.-]{0,80}")
_LOCAL_PART = regex.compile(r"[\p{L}\p{N}_.+%-]{2,64}")
_WEB = re.compile(r"(?i)(?:[a-z][a-z0-9+.-]{1,20}:/{1,2}\S{0,200}|www\.\S{0,200})")
_KEY = re.compile(r"[A-Za-z0-9]{1,10}[_-]\S{0,140}")
_HOUSE = regex.compile(r"\d{1,5}[a-z]? \p{Lu}[\p{L}'’.-]*(?: [\p{L}'’.-]+){0,4},?(?: [\p{L}\p{N}'’., -]{0,80})?")
_STREET = regex.compile(r"\p{Lu}[\p{L}'’.-]{2,30}(?: [\p{L}\p{N}'’.-]{1,24}){0,4}")
_IS = re.compile(r"(?i)(?:\b(?:is|ist|est|es|è|é|e)|:) \Z")
_LEADS = re.compile(
    r"(?i)(?:\b(?:is|at|to|from|on|ist|lautet|unter|von|am|est|de|du|le|es|desde|el|è|é|da|il|para)|:) [\"'*_`]{0,2}\Z"
)
_HOME = regex.compile(
    r"(?ri)(?<!\p{L})(?:lives?|living|lived|resid(?:es?|ing)|wohn(?:t|e|en|haft)|habite|demeure|vive|vivo|abita|risiede|mora"
    r"|reside) (?:at|in der|in|am|an der|auf der|au|à la|en la|en|na|no|em) "
)
_AT = re.compile(r"(?i)\b(?:at|au|an der|auf der) \Z")
_WAY = re.compile(r"(?i)(?:st|str|stra|straß|straße|stras|strass|strasse|gas|gass|gasse|weg|alle|allee)\Z")
_CALL = re.compile(r"\+\d[\d ()./-]{4,24}(?:x|ext\.?)?")
_ACCOUNT = re.compile(r"[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){1,7}(?:[ -][A-Z0-9]{0,3})?")
_GROUPED = re.compile(r"(?:\([2-9]\d\d\) |[2-9]\d\d[-.])\d{3}(?:[-.]\d{0,4})?")
_FOUR = re.compile(r"\d{1,3}\.\d{1,3}\.\d{1,3}(?:\.\d{0,3})?")
_MOST_OCTET = 255
_PAIRS = re.compile(
    r"(?:[0-9A-Fa-f]{2}:){3,7}[0-9A-Fa-f]{0,2}|(?=.{0,6}[A-Fa-f])(?:[0-9A-Fa-f]{2}[:-]){2,7}[0-9A-Fa-f]{0,2}"
)
# Offices that have the name of a number, and where to call them.
_SERVICE = regex.compile(
    r"(?ri)(?<!\p{L})(?:nhs|uidai|aadhaar|sécurité sociale|dni)(?: in \p{L}{2,16})?\W{1,6}(?:(?:on|at|au) )?"
)
_SERVICE_NUMBERS = frozenset(["111", "119", "999", "24", "1947", "3646", "060"])
_DATED = regex.compile(r"\d{1,4}(?:st|nd|rd|th|\.)?(?:(?:[./-]| (?:of |de )?)[\p{L}\p{N}]{0,12}){0,4}")
_TRIP = regex.compile(r"\p{Lu}[\p{L}'’-]*(?: [\p{L}\p{N}'’/.-]{1,24}){0,9}")
_FROM = re.compile(r"(?i)(?:\b(?:from|on|von|de|da|desde|is|ist|est|es|è|é)|:) \Z")


def begun(kinds: Kinds, tail: str, named: Named | None, before: str = "", asked: Collection[str] = ()) -> str:
    """Return the kind of the value that `tail`, the end of a text, has begun; empty for none.

    Args:
        kinds: what is looked for.
        tail: the text from where the value begins.
        named: what the label before it names.
        before: the text before it, its last 48 characters at least.
        asked: kinds that a question asks for, if the tail is all that answers it so far.
    """
    if _SERVICE.match(before) and re.sub(r"\W", "", tail) in _SERVICE_NUMBERS:
        return ""
    sure = named if named is not None and named.strength >= Strength.LOOSE else None
    kind = _of_label(kinds, tail, sure, before) if sure is not None else ""
    kind = kind or _of_look(kinds, tail, before)
    if kind or not asked or fold(tail.split()[0]).rstrip(".,;:!?'") in NO_START:
        return kind
    answered = Named(dict.fromkeys(asked, Sort.LABEL), Strength.TIGHT, True)
    return _of_label(kinds, tail, answered, " from " if tail[0].isupper() else ": ")


def leads(before: str) -> bool:
    """Tell whether a text ends with a word or a colon that leads to a value."""
    return _LEADS.search(before) is not None


def _of_label(kinds: Kinds, tail: str, named: Named, before: str) -> str:
    figures = sum(map(str.isdigit, tail))
    led = named.strength is Strength.TIGHT or _IS.search(before) is not None
    for kind in named.kinds:
        if named.strength_of(kind) is None:
            continue
        for form in kinds.named.get(kind, ()):
            if form.pattern:
                capitals = led and tail.isupper() and len(tail) <= _MOST_CAPITALS
                if (figures or capitals) and form.beginning.fullmatch(tail, partial=True):
                    return kind
            elif (figures and _NUMBER.fullmatch(tail)) or _is_word(form.reader, tail, named, before):
                return kind
    return "EMAIL_ADDRESS" if "EMAIL_ADDRESS" in named.kinds and _LOCAL_PART.fullmatch(tail) else ""


def _is_word(reader: str, tail: str, named: Named, before: str) -> bool:
    """Tell whether a reader's value may begin with letters as these do."""
    if reader in ("password", "username", "token"):
        if named.strength is not Strength.TIGHT or " " in tail or is_word_about(tail) or is_argument(tail):
            return False
        return after_mark(before, len(before)) or (named.marked and is_mixed(tail))
    if reader in ("date", "moment"):
        if _DATED.fullmatch(tail):
            return True
        word = fold(tail)
        return len(word) >= _LEAST_DATE_CHARS and any(each.startswith(word) for each in dates.first_words())
    if reader == "address_line":
        fits = _HOUSE.fullmatch(tail) or _STREET.fullmatch(tail)
        return fits is not None and named.strength is Strength.TIGHT and (named.marked or tail[0].isdigit())
    return reader == "trip" and _FROM.search(before) is not None and _TRIP.fullmatch(tail) is not None


def _of_look(kinds: Kinds, tail: str, before: str) -> str:
    if "@" in tail and _MAIL.fullmatch(tail):
        return "EMAIL_ADDRESS" if "EMAIL_ADDRESS" in kinds.kinds else ""
    if _WEB.fullmatch(tail):
        return "URL" if "URL" in kinds.kinds else ""
    if _FOUR.fullmatch(tail) and all(int(part or 0) <= _MOST_OCTET for part in tail.split(".")):
        return "IP_ADDRESS" if "IP_ADDRESS" in kinds.kinds else ""
    if _PAIRS.fullmatch(tail):
        return "MAC_ADDRESS" if "MAC_ADDRESS" in kinds.kinds else ""
    if _CALL.fullmatch(tail):
        return "PHONE_NUMBER" if "PHONE_NUMBER" in kinds.kinds else ""
    if _HOME.match(before) and (
        tail.isdigit()
        or _HOUSE.fullmatch(tail)
        or (_STREET.fullmatch(tail) and (_AT.search(before) or _WAY.search(tail)))
    ):
        return "ADDRESS" if "ADDRESS" in kinds.kinds else ""
    if _ACCOUNT.fullmatch(tail):
        return "IBAN_CODE" if "IBAN_CODE" in kinds.kinds else ""
    key = _KEY.fullmatch(tail) is not None and _is_key_so_far(tail)
    numeric = len(tail) >= _LEAST_CHARS and sum(map(str.isdigit, tail)) >= _LEAST_FIGURES
    marked = _MARK.search(tail.rstrip(".,;:!?")) is not None
    for form in kinds.free if key or numeric else ():
        if form.words or not form.beginning.fullmatch(tail, partial=True):
            continue
        if (key and form.sure and form.kind == "SECRET_KEY") or (numeric and (form.check or marked)):
            return form.kind
    return "PHONE_NUMBER" if "PHONE_NUMBER" in kinds.kinds and _GROUPED.fullmatch(tail) else ""


def _is_key_so_far(tail: str) -> bool:
    """Tell whether what follows the first mark is nothing yet, or no word: "ghp_", "sk-9f"."""
    head, rest = re.split(r"[_-]", tail, maxsplit=1)
    if not rest:
        return head != "key"
    last = re.split(r"[_-]", rest)[-1]
    return not last or any(map(str.isdigit, rest)) or is_mixed(last)
