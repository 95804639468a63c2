"""What speaks for a person, a place or an organisation: weights, set by hand, on words and on what stands beside them.

Read by `names`, which cuts chunks into the pieces that are judged here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.engine.position import LEFT_CHARS
from reticent_detectors.finder.names import name_words as words
from reticent_detectors.finder.names.capitalised_words import Token, starts_sentence
from reticent_detectors.finder.names_data import fold, look_up
from reticent_detectors.finder.word_sets import word_set

_AFTER = re.compile(r"(['’]s?(?!\w))?( ?[,;:.!?()\"”&/–—-])?(?: ?([^\W_](?:[^\W_]|['’\u0300-\u036f]){0,23}))?")
_BEFORE = regex.compile(r"(?r)(?P<word>[\p{L}'’]{1,24}+) ?(?P<mark>[.,;:]?) ?[\"“”'‘’(\[*_`]{0,3}")
_ANNOUNCED = regex.compile(
    r"(?ri)(?<!\w)(?:name(?:['’]s| is| was| ?[:=]| on (?:the |my |your )?(?:card|account|file) is)"
    r"|(?:called|named|signed|sincerely|regards|cheers|attn:?|contact:|patient:|client:|customer:|author:|from:|to:|by:"
    r"|cc:|owner:|holder:|i am|i['’]m|this is|dear|hello|hi|hey|thanks|mr|mrs|ms|miss|mx|dr),?)\s{0,2}"
    r"[\"“*_`|]{0,3}"
)
# The last words of what `_ANNOUNCED` matches.
_ANNOUNCING = word_set(
    """name name's name’s is was called named signed sincerely regards cheers attn contact patient client customer
    author from to by cc owner holder am i'm i’m dear hello hi hey thanks mr mrs ms miss mx dr"""
)
_PLACED = word_set("in from to at near city town village hometown")
# Who lives, was born or goes somewhere; and towns that are called so.
_WHERE = regex.compile(
    r"(?ri)(?<!\w)(?:(?:li[vf](?:e[sd]?|ing)|resid(?:e[sd]?|ing)|born|raised|grew up|mov(?:e[sd]?|ing)|settled"
    r"|stay(?:s|ed|ing)?|headquartered|emigrated|immigrated|relocated|commut(?:e[sd]?|ing))"
    r"(?: \p{Ll}{2,9}){0,2} (?:in|from|to|at|near)|(?:fl(?:ew|y|ies|ying)|travel(?:s|led|ed|ling|ing)?|drove"
    r"|arriv(?:e[sd]?|ing)|return(?:s|ed|ing)?|came) (?:back )?(?:in|from|to|at)"
    r"|(?:home ?town|home city|(?:the|a) (?:city|town|village)(?: of)?))\s[\"“‘]?"
)
_COMPANY_SOUNDS = (
    "tech",
    "soft",
    "tronics",
    "pharma",
    "media",
    "marine",
    "net",
    "sys",
    "com",
    "corp",
    "ware",
    "tel",
    "ics",
)
_NO_NAME_ENDS = (
    "ism",
    "ist",
    "ists",
    "logy",
    "ics",
    "ians",
    "ans",
    "ish",
    "ity",
    "tion",
    "ings",
    "ware",
    "ese",
    "oids",
    "idae",
)
_NAME_PARTS = frozenset(
    {
        "ibn",
        "bin",
        "bint",
        "van",
        "von",
        "de",
        "del",
        "della",
        "al",
        "el",
        "abu",
        "ter",
        "dos",
        "da",
        "di",
        "du",
        "le",
        "la",
    }
)


class Name(NamedTuple):
    start: int
    end: int
    entity: Entity


class Side(NamedTuple):
    """The words next to a name, folded, with the marks between.

    `own`: a possessive ending follows. `where`: a place is named before.
    """

    before: str
    mark_before: str
    after: str
    mark_after: str
    own: bool
    starts: bool
    announced: bool
    where: bool = False


def left_of(text: str, s: int) -> Side:
    """Gives what stands before a name."""
    window = text[max(0, s - 40) : s]
    word = window[:-1].rpartition(" ")[2] if window[-1:] == " " else ""
    if word.isalpha() and len(word) < 25:
        before, mark, starts = fold(word), "", False
    else:
        match = _BEFORE.match(window)
        before, mark = (fold(match["word"]), match["mark"]) if match else ("", "")
        starts = starts_sentence(text, s)
    announced = (not before or before in _ANNOUNCING) and bool(_ANNOUNCED.match(window))
    where = before in _PLACED and not mark and bool(_WHERE.match(window))
    return Side(before, mark, "", "", False, starts, announced, where)


def with_right(side: Side, text: str, end: int, closed: bool) -> Side | None:
    """Gives the same with what stands behind; None: not yet known."""
    match = _AFTER.match(text, end)
    assert match is not None
    if not closed and match.end() + 1 >= len(text):
        return None
    own, mark, after = match.groups()
    return Side(
        side.before,
        side.mark_before,
        fold(after) if after else "",
        mark.strip() if mark else "",
        own is not None,
        side.starts,
        side.announced,
        side.where,
    )


def person(text: str, piece: Sequence[Token], side: Side, titled: bool) -> float:
    """Gives how much speaks for a person."""
    caps = [t for t in piece if t.sort != "P"]
    body = caps[:-1] if len(caps) > 1 and caps[-1].folded.rstrip(".") in words.SUFFIXES else caps
    around = _beside_person(side, titled, len(body)) + (1.5 if body is not caps else 0.0)
    if len(body) > 1:
        return around + _full_name(body, side, len(caps) < len(piece))
    if body[0].sort == "I" or (body[0].folded in words.NO_PEOPLE and not titled):
        return -1.0
    return around + _single_name(text, body[0], side, titled)


def _beside_person(side: Side, titled: bool, count: int) -> float:
    """Gives how much speaks for a person beside a name of so many words."""
    score = 0.0
    if titled:
        score += 2.6
    if side.announced:
        score += 2.2
    if side.before in words.SURE_BEFORE:
        score += 1.2
    elif side.before in words.PERSON_BEFORE and not side.mark_before:
        score += 0.5
    if not side.mark_after and side.after in words.SAYING:
        score += 0.5 if side.after in words.COMMON_VERBS else 1.2
    if side.mark_after in (",", "(") and side.after in ("who", "whose", "born", "aged", "b"):
        score += 1.5
    if side.own:
        score += 0.3
    if side.before in words.BIRTH and not side.mark_before and not titled:
        loose = side.before in ("of", "to", "from", "left", "into", "visited", "near", "around")
        score -= (0.3 if loose else 0.9) if count == 1 else (0.0 if loose else 0.3)
    return score


def _single_name(text: str, name: Token, side: Side, titled: bool) -> float:
    """Gives how much a name of one word, and what only counts beside such, speaks for a person."""
    known, score = name.known, 0.0
    if name.shouted and not titled and (len(name.folded) < 6 or not any(known)):
        score -= 1.5
    score += max((0.0, 0.9, 1.6, 2.1)[known.given], (0.0, 0.6, 1.3, 1.6)[known.family])
    if known.given and known.family:
        score += 0.2
    if not any(known) and len(name.folded) > 3:
        score += 0.6 if side.starts else 0.9
        if name.folded.endswith(_NO_NAME_ENDS):
            score -= 1.0
    score -= (0.0, 0.6, 1.4, 2.2)[known.ordinary] if side.starts else (0.0, 0.4, 1.0, 1.5)[known.ordinary]
    if side.mark_before == "," and side.mark_after == ",":
        score += 0.5
    if side.before in ("the", "a", "an", "this", "some", "any", "each", "every", "no"):
        score -= 1.0
    if not side.mark_after and side.after.endswith("ed") and side.after not in words.SAYING:
        score += 0.5
    if known.place:
        score -= (0.0, 0.2, 0.6, 1.0)[known.place] * (0.5 if known.family == 3 and known.place < 3 else 1.0)
    if side.starts and known.ordinary:
        score -= 0.6
    if name.folded.startswith(("o'", "mac", "mc")) and not known.ordinary and len(name.folded) > 5:
        score += 1.2
    if known.ordinary < 2 and known.place < 3 and _announced_before(text, name):
        score += 1.6
    elif not any(known) and name.folded.endswith(words.FAMILY_ENDS):
        score += 0.5
    return score


def _full_name(body: Sequence[Token], side: Side, particles: bool) -> float:
    """Gives how much several words speak for a person; `particles`: some are in small letters ("van der Berg")."""
    first, last = body[0], body[-1]
    given, family = _given_and_family(first, last)
    initials = sum(t.sort == "I" for t in body)
    many = len(body) - initials - 3
    score = 0.3 if many <= 0 else -0.4 * many
    if initials:
        score += 1.4 if last.sort == "C" else -3.0
    turned = (0.0, 0.6, 0.9, 1.1)[first.known.family] + (0.0, 0.6, 0.9, 1.1)[last.known.given]
    score += max(given + family, turned)
    for t in body:
        named = t.known.given > 1 or t.known.family > 1 or (t is first and t.known.given and last.known.family > 1)
        score -= (0.0, 0.3, 0.9, 1.5)[t.known.ordinary] * (0.5 if named else 1.0)
        if t.known.place == 3 and not t.known.family:
            score -= 0.5
    if not any(last.known) and first.known.given and first.known.ordinary < 2:
        score += 0.4
    if not any(first.known) and first.sort == "C" and last.known.family >= 2:
        score += 0.4
    score += min(0.8, 0.4 * sum(not any(t.known) and len(t.folded) > 2 for t in body))
    if not side.starts and not any(t.known.ordinary for t in body):
        score += 0.3
    if side.mark_before == "," and side.mark_after == ",":
        score += 0.4
    if any(t.folded in _NAME_PARTS for t in body[:-1]):
        score += 1.2
    if particles and given + family > 0.5:
        score += 0.6
    if last.folded.endswith(_COMPANY_SOUNDS) and not last.known.family:
        score -= 1.0
    if any(t.shouted and t.folded in words.NO_ACRONYMS for t in body):
        score -= 2.0
    if side.before == "the":
        score -= 1.2
    return score


def _given_and_family(first: Token, last: Token) -> tuple[float, float]:
    """Gives how much the words at the ends of a name speak for a given and for a family name."""
    family = (0.0, 0.9, 1.1, 1.3)[last.known.family]
    if last.folded.startswith(("mc", "o'")) and len(last.folded) > 4:
        family = max(family, 1.0)
    if not last.known.family and last.folded.endswith(words.FAMILY_ENDS):
        family = 0.7
    return (0.0, 1.2, 1.5, 1.8)[first.known.given], family


def _announced_before(text: str, token: Token) -> bool:
    """Whether the word ended a longer name not long before."""
    word = text[token.start : token.end]
    window = text[max(0, token.start - LEFT_CHARS) : token.start]
    at = window.find(word)
    if at < 3 or window[at - 1] not in " ." or window[at + len(word) : at + len(word) + 1].isalnum():
        return False
    head = window[:at].split()[-1] if window[:at].split() else ""
    return head[:1].isupper() and (head.endswith(".") or look_up(fold(head)).given >= 1)


def place(piece: Sequence[Token], side: Side, titled: bool) -> float:
    """Gives how much speaks for a place."""
    if len(piece) == 1:
        known = piece[0].known
        if (
            not known.place
            or len(piece[0].folded) < 3
            or (piece[0].folded in words.NO_PLACES and side.before not in words.BIRTH)
        ):
            level = 0.0
        else:
            level = (0.0, 0.9, 1.5, 2.2)[known.place]
        if level:
            level -= (0.0, 0.3, 0.9, 1.5)[known.ordinary]
    else:
        name = " ".join(t.folded for t in piece)
        level = (0.0, 1.6, 2.2, 2.8)[look_up(name).place]
        if not level and piece[0].folded in words.PLACE_STARTS and piece[-1].known.place >= 2:
            level = 2.0
    if not level and side.where and not titled and _stranger(piece):
        level = 2.0
    score = level + (1.0 if level and side.before in words.BIRTH and not side.mark_before else 0.0)
    if side.mark_before == "," and look_up(side.before).place >= 2:
        score += 0.5
    if side.mark_after == "," and look_up(side.after).place == 3:
        score += 0.9
    if titled or side.announced:
        score -= 1.5
    if not side.mark_after and side.after in words.SAYING and side.after not in words.COMMON_VERBS:
        score -= 0.8
    return score


def _stranger(piece: Sequence[Token]) -> bool:
    """Whether nothing is known of a short name that says what else it is."""
    if len(piece) == 1 and piece[0].shouted and len(piece[0].folded) < 5:
        return False  # an acronym
    return len(piece) < 4 and all(t.sort != "I" and not t.known.given and not t.known.ordinary for t in piece)


def is_acronym(text: str, token: Token, side: Side) -> bool:
    folded = token.folded
    if (
        token.sort == "I"
        or not token.shouted
        or not 2 < len(folded) < 7
        or folded in words.NO_ACRONYMS
        or token.known.ordinary
        or side.announced
        or (side.mark_after == ":" and side.starts)  # a label
    ):
        return False
    near = text[max(0, token.start - 24) : token.start]
    return any(c.islower() for c in near) or not near.strip()


_AT_WORK = regex.compile(
    r"(?ri)(?<!\w)(?:work(?:s|ed|ing)?(?: \w{2,12}){0,2} (?:for|at)|job at|employed (?:by|at)|hired by|career at"
    r"|intern(?:ed|ship)? at|ceo of|cfo of|cto of|founder of|co-founder of|founded|co-founded"
    r"|subsidiary of|division of|owned by|acquired by|bought by|acquired|shares (?:of|in)|stake in|invested in"
    r"|arbeitet (?:bei|für)|travaille (?:chez|pour)|trabaja (?:en|para)|lavora (?:per|presso)) $"
)


def is_organization(text: str, piece: Sequence[Token], side: Side, titled: bool) -> bool:
    """Whether the words next to it make it an organisation."""
    if titled or side.announced or side.starts:
        return False
    first = piece[0]
    followed = not side.mark_after and side.after in words.ORGANIZATION_AFTER
    led = not side.mark_before and (
        side.before in words.ORGANIZATION_NOUNS
        or (side.before in _WORK_ENDS and bool(_AT_WORK.match(text[max(0, first.start - 48) : first.start])))
    )
    if not followed and not led:
        return False
    return first.folded not in words.NO_PEOPLE and not any(t.known.ordinary > 2 for t in piece if t.sort == "C")


_WORK_ENDS = word_set("for at by of in founded co-founded acquired bei für fur chez pour en para per presso")
