"""Phone numbers of every country.

Announced ones are found in any grouping, others where their form or the numbering plan tells them.
"""

from __future__ import annotations

from dataclasses import dataclass

import phonenumbers
import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, Pattern
from reticent_detectors.finder.numbers.number_forms import LINK, MARKS, announces, inside_number, label

_SPACE = "[ \u00a0\u202f]"
_DASH = "[-\u2010\u2011\u2013]"
_BETWEEN = rf"(?:{_SPACE}?(?:{_DASH}|/){_SPACE}?|{_SPACE}|\.|)"
_GROUP = r"(?:\(\d{1,5}\)|\d{1,15}+)"
_CORE = regex.compile(rf"\+?(?:\(\+?\d{{1,5}}\)|\d{{1,15}}+)(?:{_BETWEEN}{_GROUP}){{0,8}}+")
_EXTENSION = regex.compile(rf"(?i){_SPACE}?(?:x|,?{_SPACE}?ext(?:ension|\.)?:?|#){_SPACE}?\d{{1,6}}+(?![\w])")
_SORT = regex.compile(rf"(?i)(?:{_DASH}|{_SPACE}?\()(?:office|fax|mobile|home|work|cell|desk|tel|phone)(?!\w)")
# What, behind the digits, could still lengthen the number or say that it is one.
_MORE = regex.compile(
    rf"(?i){_BETWEEN}{_GROUP}|{_SPACE}?(?:x|,?{_SPACE}?ext(?:ension|\.)?:?|#){_SPACE}?\d{{1,6}}+"
    rf"|(?:{_DASH}|{_SPACE}?\()(?:office|fax|mobile|home|work|cell|desk|tel|phone)|[:,%]"
)
_ENDS = regex.compile(r"\d\)?(?!\d)")

_NOUNS = label(
    r"(?:tele|cell(?:ular)?\s?|mobile\s?|home\s|work\s|office\s|smart|i)?phones?|(?:tele|mobile|cell)_?phone\w{0,10}"
    r"|phone_number|tel(?:ephone)?\.?|mobile"
    r"|mob|cell(?:ular)?|fax|desk|land\s?line"
    r"|(?:direct|emergency|office|home|work|contact|callback)(?:\s(?:line|number|contact))|hotline|switchboard"
    r"|whats\s?app|telefon\w{0,8}|handy\w{0,8}|mobil\w{0,10}|rufnummer|festnetz\w{0,8}|durchwahl|portable|fixe"
    r"|télé?phone|tél\.?|numéro\sde\stéléphone|teléfono"
    r"|t(?:lf|lm|fno|fn|elf|elef|lfn)\.?|fono?|natel|gsm|ph|m[óo]vil|celular|tel[ée]fono|cellulare|telefone"
    r"|telem[óo]vel|(?:registered|phone|mobile|contact|callback)\s(?:number|line)|my\snumber"
    r"|(?:his|her|their|our|your)\snumber"
    r"|(?:messages?|sms|texts?)\s(?:on|to|at|from)(?:\s(?:my|his|her|our|your))?(?:\sregistered)?",
    LINK,
)
_VERBS = label(
    r"(?:(?:call(?:s|ing)?|ring|phone|text|dial(?:led)?|whats\s?app|fax|sms)"
    r"(?:\s(?:me|us|him|her|them|back|now|today|directly|\w{2,15}(?:\s\w{2,15})?)){0,3}"
    r"(?:\s(?:at|on|under|via|to|through))?"
    r"|(?:called|reach(?:ed|able|es)?|contact(?:ed|s)?|phone[ds]|texted|message[ds]?|faxed|available)"
    r"\b[^.?!;|\n\d]{0,40}\s(?:at|on|under|via|through)"
    r"|(?:erreich\w{1,6}|rufen|ruf|anrufen|kontaktieren)\b[^.?!\n\d]{0,30}\b(?:unter|an)|unter\sder\snummer"
    r"|(?:appele[rz]|joindre|joignable|contacte[rz])\b[^.?!\n\d]{0,24}\b(?:au|à)"
    r"|(?:llam\w{1,5}|contactar?)\b[^.?!\n\d]{0,24}\bal"
    r"|ligue|liga|llame|llama|marque|marca|disque|chiami|chiama|componga|appelez|composez|wählen\sSie"
    r"|(?:chiam\w{1,5}|contatt\w{1,5})\b[^.?!\n\d]{0,24}\b(?:al|allo)"
    r"|(?:lig(?:ue|ar)|contacte)\b[^.?!\n\d]{0,24}\b(?:para|pelo))",
    rf":?{MARKS}",
)
# Of a number that is only called so, the noun before it says what it counts: "die Bestellung mit der Nummer ...".
_BARE_NUMBER = label(r"nummer|num[ée]ro|n[úu]mero|number", rf"(?:\s(?:ist|is|est|es|è|é|lautet))?:?{MARKS}")
_OTHER_THINGS = regex.compile(
    r"(?i)(?<!\w)(?:bestell|auftrag|vorgang|rechnung|referenz|sendung|paket|lieferung|akte|ticket|vertrag|kunden"
    r"|konto|buchung|bon|beleg|order|invoice|parcel|shipment|tracking"
    r"|booking|case|contract|account|reference|commande|facture|dossier|colis|r[ée]servation|contrat|compte|pedido"
    r"|factura|reserva|env[íi]o|contrato|cuenta|encomenda|fatura"
    r"|conta|ordine|fattura|pacco|prenotazione|contratto|conto|pratica)"
)
_CALLS = regex.compile(
    r"(?i)(?<!\w)(?:my|his|her|their|our|your|meine|seine|ihre|unsere|mi|su|mon|son|votre|sein|mein) n\w{2,8}(?!\w)"
    r"|anruf|ruf|telefon|phone|call|reach|appel|joindre|llam|chiam|lig(?:ue|ar)|erreich|kontakt|contact"
)
_NUMBERED = label(r"isbn|issn|ean|order|version|tracking|invoice|ticket|account|page|pages|pp|score|reference|ref|case")
# Behind these, only what a numbering plan knows counts, so that no memorised number leaves under another name.
_CODED = label(r"barcode|serial|serien|s/n|conf\.?|confirmation|booking")

_NANP = regex.compile(
    rf"(?:(?:\+|00|001[-. ])?1?[-. ])?(?:\(\d{{3}}\){_SPACE}?|\d{{3}}(?:{_DASH}|\.))\d{{3}}(?:{_DASH}|\.)\d{{4}}"
)
_NANP_SPACED = regex.compile(r"[2-9]\d\d[ \u00a0][2-9]\d\d[ \u00a0]\d{4}")
_BRACKETED = regex.compile(rf"\(\d{{2,5}}\){_SPACE}?\d{{3,5}}(?:{_DASH}|{_SPACE}|/)?\d{{2,5}}(?:{_SPACE}\d{{2,4}})?")
_TRUNK = regex.compile(r"0[1-9]\d{0,5}(?:[^\d]{1,3}\d{2,8}){1,5}|0[1-9]\d{8,9}")
_DATE_LIKE = regex.compile(
    r"(?:1[4-9]|20)\d\d(?:[-–/.]| - )(?:1[4-9]|20)?\d\d|(?:1[4-9]|20)\d\d([-/.])\d{1,2}\1\d{1,2}"
    r"|(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|[12]\d|3[01])\2(?:(?:1[4-9]|20)\d\d|\d\d)(?![-/.\d])"
)
# A date with a time behind it, written in one run; a whole date among other digits.
_STAMP = regex.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[-. T]?(?:[01]\d|2[0-4])[0-5]\d")
_DATED = regex.compile(
    r"(?<![\d./-])(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|1[0-2])\1(?:(?:19|20)\d\d|\d\d)(?![-/.\d])"
)
# A whole date and a hyphen, behind which another number begins; and the time of day that stands there in most names.
_BEHIND_DATE = regex.compile(
    r"(?<![\p{L}\p{N}]|\d[-_./])(?:(?:19|20)\d\d(?:([-/.])(?:0?[1-9]|1[0-2])\1|0[1-9]|1[0-2])(?:0?[1-9]|[12]\d|3[01])"
    rf"|(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|[12]\d|3[01])\2(?:19|20)\d\d){_DASH}\Z"
)
_DATE_CHARS = 11
_TIME = regex.compile(
    r"(?:[01]\d|2[0-3])(?:([-.])[0-5]\d(?:\1[0-5]\d(?:[-.]\d{3,9})?)?|[0-5]\d(?:[0-5]\d)?(?:[-.]\d{3,9})?)"
)
_DOT_AND_OTHERS = regex.compile(r"(?=[^(]*\d\.\d)(?=[^(]*\d[-–/]\d)")
# Without a leading zero, as Spain, Portugal and Italy write them. In threes, only where nothing counted can follow.
_NO_TRUNK = regex.compile(
    r"[689]\d\d([ .-])\d\d\1\d\d\1\d\d|[89]\d([ .-])\d{3}\2\d\d\2\d\d|2\d([ .-])\d{3}\3\d\d\3\d\d"
    r"|3\d\d([ .-])\d{3}\4\d\d\4\d\d|[23689]\d\d([ -])\d{3}\5\d{3}"
)
_NO_TRUNK_REGIONS = ("ES", "PT", "IT")
_CLOSES = regex.compile(rf"{_SPACE}?(?:[,;:)\]}}|<>\"'»”/—!?\n\t]|\.(?!\d)|\Z)|{_SPACE}{{2}}")
_LOCAL = regex.compile(r"555[-.]0\d{3}")
_ROUND = regex.compile(r"[1-9]\d{0,2}(?:[ .]?\d{3}){0,2}[ .]?000")
_REGIONS = {
    "01": ("FR", "GB"),
    "02": ("FR", "GB", "IT", "AU"),
    "03": ("FR", "GB", "AU"),
    "04": ("FR", "DE", "BE", "AU"),
}
_OTHER_REGIONS = ("GB", "DE", "FR", "AT", "CH", "IT", "NL", "BE")


def _international(number: str) -> bool:
    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(number.replace("(0)", "")))
    except phonenumbers.NumberParseException:
        return False


def _national(number: str, regions: tuple[str, ...] = ()) -> bool:
    """Tell whether it is valid in one of these countries; else in one whose numbers begin with 0 at home."""
    for region in regions or dict.fromkeys((*_REGIONS.get(number[:2], ()), *_OTHER_REGIONS)):
        try:
            if phonenumbers.is_valid_number(phonenumbers.parse(number, region)):
                return True
        except phonenumbers.NumberParseException:
            continue
    return False


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone number, with its extension.

    An announced one ("Mobile:", "call me at", "-Office" behind it) has 6 to 15 digits in any grouping that is no date.
    Others are international and possible, or in North American form, or have an area code in brackets. Or they begin
    with 0 and are valid in a country where numbers do.
    """

    name: str = "phone-number"
    entity: Entity = Entity.PHONE_NUMBER
    start_classes: str = "ds"
    fallback: bool = False
    plain_word_starts: str = ""

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        if text[p] not in "+(" and not text[p].isdigit():
            return NONE
        core = _CORE.match(text, p, partial=not closed)
        if core is None:
            return NONE
        if core.partial or (not closed and self._grows(text, core.end())):
            return OPEN
        if text[p].isdigit() and (_inside(text, p, core.end(), False) or text[p - 1 : p] in ("+", "$", "€", "£")):
            return NONE
        if sum(c.isdigit() for c in core[0]) < 6:
            return NONE
        return self._value(text, p, core.end(), position)

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        core = _CORE.match(text, p, partial=True)
        if core is None or len(text) - core.end() > 1 or _inside(text, p, core.end(), True):
            return False
        digits = sum(c.isdigit() for c in core[0])
        announced = announces(_NOUNS, position) or announces(_VERBS, position)
        return digits >= (2 if announced or core[0][0] == "+" else 6) and not _DATE_LIKE.match(core[0])

    @staticmethod
    def _grows(text: str, end: int) -> bool:
        return len(text) - end < 24 and bool(_MORE.fullmatch(text, end, partial=True))

    def _value(self, text: str, p: int, end: int, position: Position) -> int:
        extension = _EXTENSION.match(text, end)
        behind = text[end : end + 2]
        ends = [m.end() for m in _ENDS.finditer(text, p, end)]
        if extension is None and (
            behind[:1].isalnum() or behind[:1] == "_" or (behind[:1] in ":,%" and behind[1:].isdigit())
        ):
            ends.pop()
        announced = bool(_SORT.match(text, end)) or announces(_NOUNS, position) or announces(_VERBS, position)
        if (not announced and announces(_NUMBERED, position)) or _counts_other(position):
            return NONE
        coded = not announced and (Entity.ORDER_NUMBER in position.kinds or announces(_CODED, position))
        for stop in reversed(ends):
            number = text[p:stop]
            digits = sum(c.isdigit() for c in number)
            if digits < 6:
                break
            if digits > 19 or not _closed(number):
                continue
            extended = extension is not None and stop == end
            if not _is_phone(number, digits, announced) and (coded or not _is_written_so(text, number, stop, extended)):
                continue
            if not announced and stop < end and _NANP_SPACED.fullmatch(number):
                return NONE
            return extension.end() if extension and stop == end else stop
        return NONE


def _inside(text: str, p: int, end: int, cut: bool) -> bool:
    """Tell whether text[p:end] goes on a number before it. Behind a date and a hyphen it does if it is a time.

    `cut`: the text ends there, so that a time may be incomplete.
    """
    if not inside_number(text, p):
        return False
    dated = _BEHIND_DATE.search(text, max(0, p - _DATE_CHARS), p)
    return dated is None or _TIME.fullmatch(text, p, end, partial=cut) is not None


def _counts_other(position: Position) -> bool:
    """Tell whether the digits are only called a number, in a sentence about an order or the like and no call."""
    if not announces(_BARE_NUMBER, position):
        return False
    sentence = position.sentence[-96:]
    return bool(_OTHER_THINGS.search(sentence)) and not _CALLS.search(sentence)


def _closed(number: str) -> bool:
    return number.count("(") == number.count(")")


def _is_phone(number: str, digits: int, announced: bool) -> bool:
    if number[0] == "+" or number.startswith("(+"):
        return digits >= 7 and (_international(number) or (announced and digits <= 15))
    if _NANP.fullmatch(number):
        return True
    if digits > 15 or _DATE_LIKE.match(number):
        return False
    if announced:
        return not _ROUND.fullmatch(number)
    if digits >= 10 and number.startswith("00"):
        return _international("+" + number[2:])
    if digits >= 8 and _BRACKETED.fullmatch(number):
        return not _DATE_LIKE.search(number)
    if _NANP_SPACED.fullmatch(number):
        return True
    if _DATED.search(number) or _DOT_AND_OTHERS.match(number):
        return False
    return 9 <= digits <= 12 and bool(_TRUNK.fullmatch(number)) and _national(number)


def _is_written_so(text: str, number: str, end: int, extended: bool) -> bool:
    """Tell whether an unannounced number without a country or a leading zero is written as telephone numbers are."""
    if _LOCAL.fullmatch(number):
        return not text.startswith("-", end)
    if extended and _SEVEN.fullmatch(number):
        return True
    found = _NO_TRUNK.fullmatch(number)
    if found is None or (found[5] and not extended and not _CLOSES.match(text, end)):
        return False
    return _national(number, _NO_TRUNK_REGIONS)


_SEVEN = regex.compile(r"[2-9]\d\d[-. ]\d{4}")
_GROUPS = regex.compile(r"[-. ]")


def is_grouped(value: str) -> bool:
    """Tell whether digits are grouped as a number to call, not as a date."""
    digits = "".join(c for c in value if c.isdigit())
    if len(digits) < 7:
        return False
    if value[0] == "+" or "(" in value:
        return True
    number = _EXTENSION_BEHIND.sub("", value)
    groups, marks = _GROUPS.split(number), _GROUPS.findall(number)
    if _STAMP.fullmatch(number) or (marks and marks[0] == "." and len(set(marks)) > 1):
        return False
    if not marks:  # such a number is anything, where nothing says that it is one to call
        return False
    if len(groups) == 2 and len(groups[1]) == 10:
        return marks[0] != "." and (len(groups[0]) < 3 or groups[0] == "001")
    return len(groups[0]) <= 6


_EXTENSION_BEHIND = regex.compile(r" ?(?:x|ext\.? ?)\d{1,6}$")


PHONE = Phone()
VANITY = Pattern(
    "vanity-number",
    Entity.PHONE_NUMBER,
    "ds",
    r"(?:\+?1[-. ])?(?:\(8\d\d\) ?|8\d\d[-. ])(?:\d{3}[-. ]?\p{Lu}{4}|\p{Lu}{3}[-. ]?[\p{Lu}\d]{4}|\p{Lu}{7,9})"
    r"|1[-. ]8\d\d[-. ]\p{Lu}{4,9}",
    tail=r"(?![\p{L}\p{N}])",
    start=r"(?<![\d.-])",
    plain_word_starts="",
)
"""A number of North America with letters for its last digits."""
