"""Orientations and crimes in a sentence about somebody, where no wording announces them.

The words mean little else, so a sentence that names a person and holds one is mostly about that person.
Left out are words that go with a noun or stand in a list ("gay rights", "el matrimonio homosexual",
"gay, bisexual and transgender players").
Crimes count only where the sentence speaks of the law before ("was sent down for burglary").

Not covered: beliefs. Most sentences that hold one are about nobody.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.announced.crime_spans import crime_end, of_others
from reticent_detectors.finder.context import stop_words
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.languages import ALL, lexicon
from reticent_detectors.finder.languages.forms import FORMS
from reticent_detectors.finder.languages.protected import CRIME, ORIENTATION
from reticent_detectors.finder.languages.wordings import fold

_REACH = 80
_LAW = regex.compile(
    r"\b(?:convict\w*|arrest(?:ed|s)?|charged?(?: [\w-]+){0,3} with|(?:was|were|is|been|being) charged"
    r"|charges?(?! for\b)|guilty|prison|jail(?:ed)?|sentenced?|court|on trial|custody|bail|probation|parole"
    r"|indict\w*|accused (?:of|by)|(?:was|were|is|been|being|stands|stood) accused|suspected|wanted for|prosecuted"
    r"|felon\w*|offen[cs]es?|criminal record|rap sheet|warrant|behind bars|did time"
    r"|doing time|plead(?:ed|s)?|pled|confessed|admitted to|background check|caught (?:for|on)"
    r"|police (?:arrested|held|want|picked)"
    r"|verurteil\w*|verhaftet\w*|festgenomm\w*|haft|gefangnis|knast|vorbestraft|vorstrafen?|angeklagt\w*|anklage"
    r"|vor gericht|polizei|freiheitsstrafe|geldstrafe|bewahrungsstrafe|ermittl\w*|beschuldig\w*|verdachtig\w*"
    r"|verdacht\w*|bewahrung|gestand\w*|fuhrungszeugnis|sas{1,2}|sitzt|untersuchungshaft"
    r"|condamne\w*|arrete\w*|coupable|inculpe\w*|mise? en examen|garde a vue|casier|tribunal|ecroue\w*|peine"
    r"|soupconn\w*|poursuivie?|detenue?|mandat|comparait\w*|comparu"
    r"|condena\w*|detenid[oa]|detuv\w*|arrestad[oa]|carcel|prision|culpable|imputad[oa]|juzgad[oa]|juicio"
    r"|antecedentes?|procesad[oa]|denunciad[oa]|pres[oa]|delito|sentencia\w*|encarcelad[oa]"
    r"|condannat\w*|condanna|arrestat[oa]|carcere|prigione|colpevole|indagat[oa]|imputat[oa]|precedenti|patteggi\w*"
    r"|reato|domiciliari|fermat[oa]|sconta\w*"
    r"|condenad[oa]|condenacao|prisao|cadeia|culpad[oa]|arguid[oa]|julgad[oa]|reu|crime|detid[oa]|tornozeleira"
    r"|foragid[oa]|sentenciad[oa]|indiciad[oa]|pena)\b"
)
_DETERMINERS = word_set(
    """a an the this that these those any every no el la los las un una unos unas le les des du une il lo i gli uno
    gli o os as um uma uns umas der die das den dem des ein eine einen einem einer"""
)
# What somebody is called by these, is said of that person.
_PEOPLE = word_set(
    """persona person personne pessoa hombre mujer chico chica nino nina homme femme garcon fille uomo donna ragazzo
    ragazza homem mulher rapaz rapariga moca man woman guy girl boy lady mann frau junge madchen estudiante alumno
    alumna hijo hija"""
)
# Behind these a crime is what somebody is accused of.
_ACCUSED_OF = word_set(
    """of for with over on in and or as was is were includes include including shows show lists list mentions
    committed commit commits attempted alleged like wegen des der auf und in als um fur de du pour et par en por y e
    di del della per con da do dos das"""
)
_NEXT = regex.compile(r"[ \u00a0]+(\p{L}+)")
_JOINED = r"(?:,|,?[ ](?:and|or|und|oder|y|e|et|ou|o)|/)"
_LISTED = regex.compile(rf"{_JOINED}[ ]?(?:{ORIENTATION})(?![\w-])", regex.VERBOSE)
_IN_LIST = regex.compile(rf"(?r)\b(?:{ORIENTATION}){_JOINED}[ ]?\Z", regex.VERBOSE)
_INFLECTED = regex.compile(r"(?:sexuell|isch|los|schwul|lesb|konfession\w*)e[nrsm]?\Z")


@dataclass(frozen=True, slots=True)
class SensitiveTerm:
    """A word of one of these kinds, in a sentence that has named somebody."""

    name: str
    entity: Entity
    start_classes: str = "ul"
    fallback: bool = True
    plain_word_starts: str = "ul"

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        folded = fold(text[p : p + _REACH])
        more = not closed and len(text) < p + _REACH
        match = _patterns()[self.entity].match(folded, partial=more)
        if match is None or folded.partition(" ")[0] in _DETERMINERS or not position.someone:
            return NONE
        # "Roxane Gay", "Tyson Gay and his coach".
        if self.entity is Entity.SEXUAL_ORIENTATION and text[p].isupper() and position.word_before is not None:
            return NONE
        crime = self.entity is Entity.CRIMINAL_RECORD
        if crime and (of_others(position) or not _LAW.search(fold(position.sentence))):
            return NONE
        if match.partial:
            return OPEN
        end = p + match.end()
        if crime:
            whole = crime_end(folded, 0, more)
            if whole == OPEN:
                return OPEN
            end = p + max(whole, match.end())
        listed = _LISTED.match(folded, end - p, partial=more)
        if listed is not None and (listed.partial or (more and listed.end() == len(folded))):
            return OPEN
        following = _NEXT.match(text, end, p + _REACH)
        if more and (
            end == len(text) or (following is not None and following.end() == len(text)) or text[end:].isspace()
        ):
            return OPEN
        if listed is not None and self.entity is Entity.SEXUAL_ORIENTATION:
            return NONE
        return NONE if self._goes_with(text, p, end, position, following[1] if following else "") else end

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        return _patterns()[self.entity].match(fold(word + mark), partial=True) is not None

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        if self.at(text, p, position, False) != OPEN:
            return False
        return self.at(text, p, position, True) > NONE or FORMS[self.entity].begun(fold(text[p:]))

    def _goes_with(self, text: str, p: int, end: int, position: Position, following: str) -> bool:
        """Whether the word qualifies a noun."""
        before = fold(position.word_before or "")
        goes_on = bool(following) and fold(following) not in lexicon().stop(ALL) | stop_words.STOP | stop_words.NO_START
        if self.entity is Entity.CRIMINAL_RECORD:
            return bool(before) and before not in _ACCUSED_OF
        if _IN_LIST.search(fold(text[max(0, p - _REACH) : p])):
            return True
        if goes_on and (following.islower() or text[p].isupper() or _INFLECTED.search(fold(text[p:end]))):
            return True
        if not before or before in _DETERMINERS or before in _PEOPLE or before.endswith(("mente", "ment")):
            return False
        # "La fede cattolica": where adjectives stand behind their nouns.
        return fold(position.second_before or "") in _DETERMINERS


@cache
def _patterns() -> dict[Entity, Any]:
    return {
        Entity.SEXUAL_ORIENTATION: regex.compile(rf"(?:{ORIENTATION})(?![\w-])", regex.VERBOSE),
        Entity.CRIMINAL_RECORD: regex.compile(rf"(?:{CRIME})(?![\w-])", regex.VERBOSE),
    }


SENSITIVE_TERMS = (
    SensitiveTerm("orientation-nearby", Entity.SEXUAL_ORIENTATION),
    SensitiveTerm("conviction-nearby", Entity.CRIMINAL_RECORD),
)
