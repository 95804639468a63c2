"""Flights: from a town to a town on a day, and numbers of flights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.date_forms import ANY_DATE
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, REACH, Pattern, may_match
from reticent_detectors.finder.languages import lexicon
from reticent_detectors.finder.languages.wordings import fold
from reticent_detectors.finder.name_forms import PLACE

NO_LEG = (
    r"(?!(?:Der|Die|Das|Den|Le|La|El|Lo|O|Um|Un|Ein|Eine|Von|De|Da|Dal|Du|Er|Elle|Ela|Ele|Su|Son|Seine|Ihre|Ihr"
    r"|Sein|Voa|Viaja|Viaggia|Vola|Vuela|Tiene|Flug|Vol|Vuelo|Volo|Voo|Il)\b)"
)
NO_PLACE = (
    r"(?!(?:The|From|Flight|Route|Trip|Ticket|I|It|He|She|They|You|We|Is|Are|Yes|No|On|At|In|To|Your|My|His|Her"
    r"|Their|Travel|Booked|Flying|Please|Welcome|Go|Plane|A|An)\b)"
)
_LEG = rf"{PLACE}(?: (?:to|nach|à|a|ad|para|naar)| ?[–→-]| ?->) ?{PLACE}"
DATED_LEG = (
    rf"{_LEG}(?:,? (?:(?:on|am|vom|le|el|il|l['’]|em|no|em o|do|del|den|du)(?: (?:dia|the|giorno|día))?)|,) {ANY_DATE}"
)
FLIGHT_NUMBER = r"(?:\p{Lu}{2}|\p{Lu}\d|\d\p{Lu}) ?-?\d{2,4}"


# Designators of airlines (IATA).
AIRLINES = (
    r"(?:A[ACFIKMRSVYZ3]|B[AETRWY6]|C[AIMUXZ]|D[LEY8]|E[IKNTWY]|F[IRZ]|G[AF3]|H[AUV]|I[BG]|J[JLQU2]|K[ELMQU]"
    r"|L[AGHHOSXY]|M[EHSU]|N[HKZ]|O[SZU]|P[CGRS]|Q[FR]|R[JO]|S[AKNQUVW]|T[GKPOV]|U[AX26]|V[AFKNSYY78]|W[FNSY6]"
    r"|X[3Q]"
    r"|Z[HB]|AD|AT|EZY|RYR|DLH|BAW|TAP|4U|5[KJ]|6E|7C|9[KW]|8Q|3U|2K|U2|W6|G3|D8)"
)
FLIGHT_CODE = rf"{AIRLINES}[ -]?\d{{2,4}}|{FLIGHT_NUMBER}"
_FLOWN = regex.compile(
    r"\b(?:flight|flights|flies|flew|flown|fly|flying|plane|airline|airport|aboard|boarding|boarded|gate|layover"
    r"|departs|departure|land(?:s|ed)|take-?off|rebook\w*"
    r"|flug\w*|flieg\w*|fliegt|flog|geflogen|maschine|abflug|ankunft|landet\w*|gelandet|umgebucht|bordkarte|startet"
    r"|airline|umbuch\w*"
    r"|vols?|avion|vole|volent|aeroport|decoll\w*|embarqu\w*|atterri\w*|escale"
    r"|vuelos?|vuela|volar|avion|aeropuerto|embarc\w*|embarq\w*|despeg\w*|aterriz\w*|escala"
    r"|volo|voli|vola|volare|aereo|imbarc\w*|decoll\w*|atterr\w*|aeroporto|scalo"
    r"|voos?|voa|voar|aviao|aeroporto|embarqu\w*|descol\w*|decol\w*|aterr\w*|aterrissa\w*|pouso|pousa)\b"
)
# Words of any way to travel; with a known airline they mean a flight.
_TRAVELLED = regex.compile(
    r"\b(?:took|takes|catch\w*|caught|missed|arriv\w*|seat|travel\w*|on|booked|ticket|leaves|leaving|onto|delayed"
    r"|nimmt|nahm|verpasst\w*|kommt|sitzt|platz|ticket|gebucht|bucht|reist|reise|verspatung|abgesagt"
    r"|prend\w*|pris|arriv\w*|place|billet|voyag\w*|rate|manqu\w*|reserv\w*|sur|par le|viaja\w*|lleg\w*|perd\w*"
    r"|billete|asiento|retraso|reserv\w*|sale|coge|toma|viaggi\w*|prend\w*|perso|bigliett\w*|posto|lista|ritardo"
    r"|sul|prenot\w*"
    r"|cheg\w*|bilhete|lugar|atras\w*|marc\w*|passagem|parte|sai)\b"
)
_FLOWN_CHARS = 64
_LETTERS = regex.compile(r"\p{L}+")


@dataclass(frozen=True, slots=True)
class FlightNumber:
    """The number of a flight that the rest of its sentence speaks of ("TP 442 is the flight she took")."""

    inner: Pattern
    sure: Any
    name: str = "flown"
    entity: Entity = Entity.FLIGHT
    start_classes: str = "ud"
    fallback: bool = False
    plain_word_starts: str = "u"

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        if not _CODE_BEGINS.match(text, p, partial=not closed) or text[p - 1 : p] in ("-", "/", "_", "."):
            return NONE
        end = self.inner.match(text, p, closed)
        if end <= NONE:
            return end
        if text[end : end + 1] == " " and text[end + 1 : end + 2].isdigit():
            return NONE  # groups of figures: an IBAN
        known = self.sure.fullmatch(text, p, end) is not None
        before = fold(position.sentence)
        flown = bool(_FLOWN.search(before) or (known and _TRAVELLED.search(before)))
        if flown and position.someone:
            return end
        tail = text[end : end + _FLOWN_CHARS]
        stop = _SENTENCE_END.search(tail)
        whole = closed or len(tail) == _FLOWN_CHARS
        rest = tail[: stop.start()] if stop else tail if whole else tail[: max(tail.rfind(" "), 0)]
        flown = flown or (known and _FLOWN.search(fold(rest)) is not None)
        people = (
            position.someone
            or _PEOPLE.search(rest)
            or any(w in lexicon().person for w in map(fold, _LETTERS.findall(rest)))
        )
        if flown and people:
            return end
        return NONE if stop or whole else OPEN

    def may_begin_with(self, head: str) -> bool:
        return may_match(_CODE_BEGINS, head)

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        return False


_CODE_BEGINS = regex.compile(r"(?:[A-Z]{2,3}|[A-Z]\d|\d[A-Z]) ?\d")
_SENTENCE_END = regex.compile(r"[.;!?](?=\s)|\n")
_PEOPLE = regex.compile(
    r"\b\p{Lu}[\p{L}'’-]+ "
    r"(?:\p{Lu}\. |(?:van|von|de|da|di|del|der|den|la|le|dos|do|du|des|della) ){0,2}\p{Lu}[\p{L}'’-]+"
)


@dataclass(frozen=True, slots=True)
class Trip:
    """From a town to a town on a day. No article stands before a town, and no word like "Flight" begins its name."""

    inner: Pattern
    name: str
    entity: Entity = Entity.FLIGHT
    start_classes: str = "u"
    fallback: bool = False
    plain_word_starts: str = "u"

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        word = position.word_before
        if word is not None and word in _ARTICLES:
            return NONE
        # A day has a figure.
        if (closed or len(text) >= p + REACH) and _FIGURE.search(text, p, p + REACH) is None:
            return NONE
        head = _HEAD.match(text, p)
        if head is not None and head.end() < len(text) and not self.inner.may_begin(head[0], text[head.end()], False):
            return NONE
        return self.inner.at(text, p, position, closed)

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        return self.inner.may_begin(word, mark, led)

    def may_begin_with(self, head: str) -> bool:
        return self.inner.may_begin_with(head)

    def may_follow(self, before: str) -> bool:
        return before not in _ARTICLES

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        return self.inner.could_be_cut_value(text, p, position)


_FIGURE = regex.compile(r"\d")
_HEAD = regex.compile(r"\p{Lu}\p{L}*+")
_ARTICLES = word_set(
    """the an this that his her their our your its my der die das den dem des ein eine einen einem einer eines im am
    zum zur seine seiner seinen seinem ihre ihrer ihren ihrem el los las il lo gli le les une un una al del unas
    unos dieser diese dieses diesem diesen und"""
)
