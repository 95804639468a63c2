"""Illnesses and medicines that are known by their own words, where a person is named in the sentence.

No wording has to announce them: "her rheumatoid arthritis keeps Jo Day awake".
Some words mean an illness only with others, and count with these ("heart failure", "maladie de Crohn").
"""

from __future__ import annotations

from dataclasses import dataclass

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.announced.of_several_kinds import OfSeveralKinds
from reticent_detectors.finder.context import stop_words
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.languages.vocabulary import (
    ILLNESS_HEADS,
    ILLNESS_MODIFIERS,
    ILLNESSES,
    MEDICINES,
    Vocabulary,
)
from reticent_detectors.finder.languages.wordings import fold

_WORD = regex.compile(r"[^\W\d_]{1,30}+(?:['’‐-][^\W\d_]{1,24}+){0,3}+")
_DOSE = regex.compile(r" \d{1,4}(?:[.,]\d{1,3})? ?(?:mg|mcg|µg|g|ml|UI|IE|IU)(?!\w)")
_TYPE = regex.compile(r" (?:[Tt]ype|[Tt]yp|tipo|[Ss]tage|stade|grade|Grad) (?:\d|I{1,3}V?)(?!\w)")
_JOINT = regex.compile(r" (?:(?:of the|of|de la|de los|del|della|delle|dei|de|di|da|do|du|des) |(?:de l|dell|d)['’])")
_PART = regex.compile(
    r" (?:in the |in her |in his |en (?:el |la |los )?|al |alla |allo |all['’]|ai |agli |au |à la |à l['’]|aux |no "
    r"|na |nos |nas |às |aos )"
    r"(?i:plaques|placas|placche|sein|seno|seni|mama|mamas|poumons?|pulmon(?:es)?|pulm[aã]o|pulm[oõ]es|polmon[ei]"
    r"|foie|h[ií]gado|f[ií]gado|fegato|c[oó]lon|prostat[ae]|pr[oó]stata|cerveau|cerebro|c[eé]rebro|cervello|gorge"
    r"|garganta|gola"
    r"|est[oó]mago|estomac|stomaco|peau|piel|pele|pelle|pancr[eé]as|reins?|ri[nñ]on|reni|rene|rim|ovaires?"
    r"|ovari[oi]?o?s?|utero|útero|ut[eé]rus|colonne|colonna|columna|coluna|genou|rodilla|joelho|ginocchio|hanche"
    r"|cadera|quadril|anca|breasts?|lungs?|liver|colon|brain|throat|stomach|skin|kidneys?|knee|hip|spine)(?!\p{L})"
)
_ADJECTIVE = regex.compile(
    r"(?:mellitus|nervosa|vulgaris|cronic[ao]|chroniques?|agud[ao]|acut[ao]|aigue|multiple|multipla|maligne?"
    r"|malign[ao]|metastatic[ao]|obstructiv[ao]|bipolar[e]?|reumatoide|rheumatoide|severe|grave|leve|major|mayor"
    r"|maior"
    r"|[a-z]{2,}(?:ic[ao]|ique|al[e]?|are|aire|oide|ose|os[ao]|euse|iv[ao]|ive|ora|zoster|iaca|iaque|aco|eale|ar))$"
)
# What only says that somebody is ill.
_GENERIC = word_set(
    """krankheit krankheiten erkrankung erkrankungen syndrom syndrome allergie allergien entzundung entzundungen
    lahmung storung tumor tumoren hernie infarkt insuffizienz influenza"""
)
_MORE = Vocabulary(
    """asma ernia ernie enfarte enfartes infarctus infarto infarti avc ictus epatite paludisme anemia anemie lupus
    bandscheibenvorfall bandscheibenvorfalls herzinfarkts schlaganfalls rheuma kreuzbandriss leistenbruch
    polmonite polmoniti pneumonie celiachia celiaquia endometriosi sarampo varicela hansens papeira burn-out varici
    miopia calvizie eczema tiroidite hipotiroidismo hipertiroidismo hipotireoidismo hipertireoidismo
    hypothyroidie hyperthyroidie ipotiroidismo ipertiroidismo"""
)
_ELIDED = regex.compile(r"(?i)(?:[ldsnmjtc]|qu|un|all|dell|nell|dall|sull|coll|quell|quest)['’](?=\p{L}{3})")
# The shorthand of clinical notes, and verbs of having, whose person the Romance languages leave out.
_CLINICAL = regex.compile(
    r"\bbiops|\bmri\b|\bct scan|blood test|lab result|test result|\b(?:pmh|pmhx|hx|dx|atcd|app|v\. ?a\.|z\. ?n\."
    r"|st\. ?n\.)(?!\p{L})|\bbefund|anamnes|vorerkrankung|zustand nach|verdacht auf|antecedents"
    r"|antecedentes|\blaudo\b|\breferto\b|\b(?:ha|aveva|avevo|tiene|tenia|tuvo|tengo|tem|tinha|teve|tenho|sofre"
    r"|sofria|sufre|sufria|padece|padecia|soffre|soffriva)(?: d[eia])?(?: (?:la|il|el|lo|una?|uma?|o|a))?"
    r"(?: l')? ?$"
)
_ENGLISH_HEADS = word_set("disease disorder disorders syndrome infection arthritis dementia lymphoma sclerosis")
_GROUP_LETTERS = frozenset("ABCDE")
_LETTERED = ("hepatitis", "hépatite", "epatite", "hepatite", "influenza", "hämophilie", "hemofilia", "haemophilia")
_NUMBER = regex.compile(r" (?:\d|I{1,3}V?)")
_NAME_GOES_ON = regex.compile(r" (?!\p{Lu}+\b)\p{Lu}\p{L}")
_MODIFIERS = 3
_LONGEST = 30
_AHEAD_CHARS = 64
_MOST = 64
# Who treats an illness, or fights it, has not therefore got it.
_NOT_ONES_OWN = word_set(
    """patient patients ward research specialist specialists clinic centre center charity foundation society
    institute drug drugs treatment medication medicine cells risk screening study studies campaign awareness
    prevention vaccine vaccination test tests epidemic outbreak doctor doctors nurse hospital department unit trial
    trials fund society association day month"""
)
_PERSON = regex.compile(
    r"\p{Lu}[\p{L}'’-]+ (?:\p{Lu}\. |(?:van|von|de|da|di|del|der|den|la|le|dos|do|du|des|della) ){0,2}\p{Lu}[\p{L}'’-]+"
)
_KEY_END = regex.compile(r" ?:|=|[\"'`*]{1,2} ?[:=]| = ?[\"']")
_SENTENCE_END = regex.compile(r"[.;!?](?=\s)|\n")


def _may_follow(word: str) -> bool:
    """Whether an illness may be "of" this: no time, nobody's own, no verb."""
    plain = fold(word)
    return plain not in stop_words.NO_START and not plain.endswith("ing")


class _Words:
    """The words from a position on, as far as they are known."""

    __slots__ = ("closed", "open", "text")

    def __init__(self, text: str, closed: bool) -> None:
        self.text, self.closed, self.open = text, closed, False

    def at(self, p: int) -> str:
        """Gives the word at p, "" if there is none; `open` is set if it may still grow."""
        match = _WORD.match(self.text, p)
        end = match.end() if match else p
        if not self.closed and (end >= len(self.text) or (end + 1 == len(self.text) and self.text[end] in "'’‐-")):
            self.open = True
        return match[0] if match else ""


def _is_illness(plain: str) -> bool:
    return plain in ILLNESSES or plain in _MORE or plain.partition("-")[0] in ILLNESSES


def _illness(words: _Words, p: int, word: str) -> int:
    """Gives the end of the illness whose first word stands at p, modifiers and all; NONE, or OPEN."""
    text, end = words.text, p + len(word)
    for count in range(_MODIFIERS + 1):
        plain = fold(word)
        if _is_illness(plain) or (count and plain in ILLNESS_HEADS):
            return _extended(words, end, plain in ILLNESS_HEADS)
        if plain not in ILLNESS_MODIFIERS:
            return NONE
        number = _NUMBER.match(text, end)
        if number is not None:
            if number.end() == len(text) and not words.closed:
                return OPEN
            end = number.end() if text[number.end() : number.end() + 1] == " " else end
        if text[end : end + 1] != " ":
            return OPEN if end == len(text) and not words.closed else NONE
        word = words.at(end + 1)
        if words.open:
            return OPEN
        if not word:
            return NONE
        end += 1 + len(word)
    return NONE


def _headed(words: _Words, p: int, word: str) -> int:
    """Gives the end of an illness that a general word begins ("maladie de Crohn", "insuffisance cardiaque")."""
    end = p + len(word)
    whole = _extended(words, end, True)
    return whole if whole == OPEN or whole > end else NONE


def _extended(words: _Words, end: int, general: bool) -> int:
    """Gives the end with the words that go with an illness behind it: a type, adjectives, what a general word is of."""
    text, closed = words.text, words.closed
    if not closed and len(text) - end < _AHEAD_CHARS and not _SENTENCE_END.search(text, end):
        return OPEN
    for _ in range(3):
        kind = _TYPE.match(text, end)
        if kind is not None:
            end = kind.end()
            continue
        if text[end : end + 1] != " ":
            break
        word = words.at(end + 1)
        plain = fold(word)
        if word and (plain in _ENGLISH_HEADS or (word in _GROUP_LETTERS and text[:end].lower().endswith(_LETTERED))):
            end += 1 + len(word)
            continue
        if word and word.islower() and plain not in stop_words.STOP and (_ADJECTIVE.match(plain) or plain in ILLNESSES):
            end += 1 + len(word)
            continue
        part = _PART.match(text, end)
        if part is not None:
            end = part.end()
            continue
        joint = _JOINT.match(text, end)
        if joint is not None and general:
            word = words.at(joint.end())
            if word and not _PERSON.match(text, joint.end()) and _may_follow(word):
                end = joint.end() + len(word)
                general = False
                continue
        break
    following = words.at(end + 1) if text[end : end + 1] == " " else ""
    return NONE if fold(following) in _NOT_ONES_OWN else end


def _find_medical_term(text: str, p: int, position: Position, closed: bool) -> tuple[Entity | None, int]:
    words = _Words(text, closed)
    word = words.at(p)
    if len(word) < 3:
        return None, (OPEN if words.open and word else NONE)
    if _ELIDED.match(word):
        return None, NONE
    plain = fold(word)
    kind, end = Entity.DIAGNOSIS, NONE
    if plain in _GENERIC:
        return None, (OPEN if words.open else NONE)
    if plain in MEDICINES:
        kind, end = Entity.PRESCRIPTION, p + len(word)
    elif _is_illness(plain) or plain in ILLNESS_MODIFIERS:
        end = OPEN if words.open else _illness(words, p, word)
    elif plain in ILLNESS_HEADS:
        end = OPEN if words.open else _headed(words, p, word)
    else:
        return None, (OPEN if words.open else NONE)
    if words.open or end == OPEN:
        return None, OPEN
    if end <= NONE or end - p > _MOST:
        return None, NONE
    if kind is Entity.PRESCRIPTION:
        if not closed and len(text) - end < 16:
            return None, OPEN
        dose = _DOSE.match(text, end)
        end = dose.end() if dose else end
    if not closed and len(text) - end < 4:
        return None, OPEN
    if _titled(text, p, end) or _KEY_END.match(text, end):
        return None, NONE
    if position.someone or (kind is Entity.DIAGNOSIS and _CLINICAL.search(fold(position.sentence))):
        return kind, end
    tail = text[end : end + _AHEAD_CHARS]
    stop = _SENTENCE_END.search(tail)
    if stop is None and not closed and len(tail) < _AHEAD_CHARS:
        return None, OPEN
    return (kind, end) if _PERSON.search(tail[: stop.start()] if stop else tail) else (None, NONE)


def _titled(text: str, p: int, end: int) -> bool:
    """Whether the words are part of a name ("American Cancer Society", "the Parkinson Foundation")."""
    return bool(text[p].isupper() and _NAME_GOES_ON.match(text, end))


@dataclass(frozen=True, slots=True)
class MedicalTerm(OfSeveralKinds):
    """An illness or a medicine that is known by its own words."""

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        if self.entity is Entity.DIAGNOSIS or position.medical_term is None:
            position.medical_term = _find_medical_term(text, p, position, closed)
        entity, end = position.medical_term
        return end if end == OPEN or entity is self.entity else NONE

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        plain = fold(word)
        tells = _is_illness(plain) or plain in MEDICINES or plain in ILLNESS_MODIFIERS or plain in ILLNESS_HEADS
        return tells or len(word) > _LONGEST
