"""What a number, a code or a secret is called by the words near it, where no wording announces it.

A value of letters and digits means little by itself. Nearly always a noun in its sentence says what it is:
before it ("the passport she showed was C4J9K2T1"), or behind it ("4827 is her PIN").
"""

from __future__ import annotations

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.apposition import QUOTES, find_apposition
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.languages import lexicon
from reticent_detectors.finder.languages.codes import CODED
from reticent_detectors.finder.languages.wordings import Tokens, fold
from reticent_detectors.finder.match_ends import OPEN

_BEFORE_WORDS = 24
_BEHIND_CHARS = 64
_BEHIND_WORDS = 9
_STOP = regex.compile(r"[.;!?](?=\s)|[\n|]")
_CLOSING = QUOTES + ")]"
# Scripts of which no language is read here, and in which one may wait long for a blank.
_WITHOUT_CASE = regex.compile(rf"[\s{QUOTES})]+(?![ªº])\p{{Lo}}")
_BLANK = regex.compile(r"\s")
_CHUNK = regex.compile(r"\S+")
_LAST_CHUNK = regex.compile(r"\S+\Z")
_JOINS = frozenset(["and", ",", "or", "und", "oder", "et", "ou", "y", "e", "o", "&"])
_ANSWERS = word_set("it that this yes es das ja ce c' oui si eso esto sim isso questo quello")
_LINKS = frozenset(["as", "als", "comme", "como", "come"])
# What is counted, timed or priced is named by nouns of its own.
_OTHERS = frozenset(
    {
        Entity.PHONE_NUMBER,
        Entity.FLIGHT,
        Entity.APPOINTMENT_DATE,
        Entity.TRANSACTION_AMOUNT,
        Entity.UTILITY_BILL,
        Entity.ADDRESS,
        Entity.EMAIL_ADDRESS,
        Entity.CREDIT_CARD_DIGITS,
    }
)


def code_before(tokens: Tokens) -> Entity | None:
    """Gives the kind that the nearest noun before a position names; a number between takes the noun for itself."""
    words, begin = lexicon(), past_question(tokens, past_list(tokens, 0))
    end, other = min(tokens.sentence(begin, _BEFORE_WORDS), _BEFORE_WORDS), False
    for i in range(begin, end):
        word = tokens.words[i]
        if word[0].isdigit() and len(word) > 2:
            return None
        best: tuple[int, Entity] | None = None
        for ends, j in words.nouns.walk(tokens, i):
            for entity in ends:
                assert isinstance(entity, Entity)
                if j <= end and (best is None or j > best[0]):
                    best = j, entity
        if best is None:
            continue
        if best[1] in CODED:
            # "The PIN of her phone", not "her passport and phone".
            joined = i > begin and (words.joins.get(tokens.words[i - 1], 0) or tokens.words[i - 1] in ("'s", "to"))
            return best[1] if not other or joined else None
        other = other or best[1] in _OTHERS
    return None


def past_list(tokens: Tokens, i: int) -> int:
    """Gives the token before the other values of a list that ends at token i ("PINs are 4821, 5512 and ...")."""
    while tokens.get(i) in _JOINS and any(c.isdigit() for c in tokens.get(i + 1)):
        i += 2
    return i


def past_question(tokens: Tokens, i: int) -> int:
    """Gives the token before a question that the words up to token i answer ("Her PIN? It's ...")."""
    k = i
    while k < i + 3 and (tokens.get(k) in _ANSWERS or lexicon().links.get(tokens.get(k), 0)):
        k += 1
    return k + 1 if tokens.get(k) == "?" else i


def _is_noun(word: str) -> bool:
    """Whether a word alone names a code; German puts it behind ("hat am 3. Mai Geburtstag")."""
    tokens = Tokens(word, 0, len(word.rstrip(".,;!?")))
    return any(not tokens.get(j) for _, j in lexicon().codes.walk(tokens, 0))


def code_behind(text: str, end: int, closed: bool) -> Entity | int | None:
    """Gives the kind that the words behind text[:end] name ("... is her PIN"), None, or OPEN while they are unknown."""
    tail = text[end : end + _BEHIND_CHARS]
    whole = closed or len(tail) == _BEHIND_CHARS
    found: Entity | int | None = find_apposition(tail, whole)
    if found is not None or (tail and not _BLANK.match(tail) and tail[0] not in _CLOSING):
        return found
    stop = _STOP.search(tail)
    chunks = list(_CHUNK.finditer(tail[: stop.start()] if stop else tail if whole else _LAST_CHUNK.sub("", tail)))
    chunks, words = chunks[:_BEHIND_WORDS], lexicon()
    first = next((chunk for chunk in chunks if fold(chunk[0]).strip(_CLOSING)), None)
    if first is None:
        return None if stop or whole or _WITHOUT_CASE.match(tail) else OPEN
    word = fold(first[0]).strip(_CLOSING).rstrip(",")
    if word not in words.links and word not in _LINKS and not _is_noun(first[0]):
        return None
    if not stop and not whole and len(chunks) < _BEHIND_WORDS:
        return OPEN
    tokens = Tokens(text, end, end + len(tail[: chunks[-1].end()].rstrip(' .;!?"»”')))
    count = tokens.sentence(0)
    for i in range(max(0, count - _BEHIND_WORDS), count):
        for ends, _ in words.codes.walk(tokens, i):
            found = next((entity for entity in ends if isinstance(entity, Entity)), found)
    return found
