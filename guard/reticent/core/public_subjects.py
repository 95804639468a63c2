"""Says whether a listed public person is the subject of a value, by the text before the value alone.

The subject is the person named in the value's own sentence. If that names nobody, it is the person named in the answer
so far or in the user's last question. The subject is public if

- exactly one listed person is named there (`public_names`), by a full name;
- a surname alone ("Lincoln"), or initials with a surname ("A. Lincoln"), count only if the full name occurred in the
  conversation, and of one such person only;
- nobody else is named there, and no word means somebody related or private ("his wife", "my neighbour", "the patient").

In doubt the answer is no. The text behind a value is not read, so a stream gives the same answer however it is cut.

Not covered: a namesake that no word tells apart from the listed person; a subject that only an earlier question names.
In languages in which nouns have capitals the answer is no more often than necessary.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from reticent.core.public_names import SUFFIXES, PublicNames, Word, adjacent, public_names, words
from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder, recognizers
from reticent_detectors.finder.names import name_words as known_as
from reticent_detectors.finder.names_data import look_up
from reticent_detectors.spans import FindContext

BEFORE_CHARS = 4_000
"""Characters of the answer before a value that are read."""
QUESTION_CHARS = 4_000
"""Characters at the end of a question that are read."""
EARLIER_CHARS = 16_000
"""Characters at the end of the earlier conversation that are searched for full names."""

_RELATED = re.compile(
    r"(?i)(?<!\w)(?:neighbou?r|friend|colleague|co-?worker|boss|manager|employee|client|customer|patient|student"
    r"|pupil|teacher|tutor|tenant"
    r"|landlord|landlady|applicant|candidate|user|member|guest|caller|resident|passenger|subscriber|holder|husband"
    r"|wi(?:fe|ves)|spouse|partner"
    r"|fianc[ée]e?|girlfriend|boyfriend|mother|father|m[ou]m(?:my)?|dad(?:dy)?|parent|son|daughter|child(?:ren)?|kid"
    r"|baby|brother|sister"
    r"|sibling|twin|uncle|aunt|cousin|nephew|niece|grand(?:pa|ma|father|mother|son|daughter|child(?:ren)?|parent)"
    r"|step(?:father|mother|son|daughter|brother|sister)|widow(?:er)?|(?:room|class|house|flat|team)mate|nanny"
    r"|secretary|assistant|doctor"
    r"|nurse|servant|descendant|ancestor|relative|heir|biographer|nachbar(?:in)?|freund(?:in)?|frau|mann"
    r"|kolleg(?:e|in)|voisine?|amie?"
    r"|vecin[oa]|amig[oa]|espos[oa]|namesake|somebody|someone|people|persons?|m[ae]n|wom[ae]n|boy|girl|guy|lady"
    r"|gentleman|stranger|driver|worker|victim|suspect|witness"
    r"|defendant|plaintiff|same name|named after|called|another|unlike|no relation)(?:s|es)?(?:['’]s?)?(?!\w)"
    r"|(?<!\w)(?:my|our|your|mine|ours|yours)(?!\w)|-in-law(?!\w)"
)
_SPEAKER = re.compile(r"(?i)(?<!\w)(?:i|me|we|us|you|myself|ourselves|yourself)(?!\w)")
_PRIVATE_TITLES = frozenset({"mr", "mrs", "ms", "miss", "mx", "mister", "herr", "frau", "mme", "madame", "monsieur"})
_MOST_INITIALS, _MOST_RUN = 5, 12
_VERBS = frozenset({"was", "is", "has", "had", "died", "lived", "lives", "born", "celebrates", "turned"})
_PRONOUNS = frozenset({"he", "she", "it", "they", "who", "that", "this", "which", "there", "what", "when", "where"})
_DETERMINERS = frozenset(
    {"the", "a", "an", "this", "his", "her", "its", "their", "in", "on", "of", "last", "next", "every"}
)
_NO_NAME_ENDS = ("ed", "ing", "ly", "tion", "ity", "ism")
_PLACED = frozenset({"in", "at", "from", "to", "near", "outside", "of", "around", "into"})
_HEADS = known_as.ORGANIZATION_HEADS | known_as.PLACE_HEADS | known_as.OTHER_HEADS
_NO_NAMES = known_as.FUNCTION | known_as.CALENDAR | known_as.TITLES | known_as.GROUPS
_ENDS = re.compile(r"[.!?…]+[\"'”’)\]*_]*\s+(?=[^\Wa-z_]|[\"'“‘(\[*])|\n")
_NO_END = re.compile(
    r"(?<!\w)(?:\w|[Mm]rs?|[Mm]s|[Dd]r|[Pp]rof|[Ss]t|[Jj]r|[Ss]r|[Gg]en|[Gg]ov|[Ss]en|[Rr]ep|[Ll]t|[Cc]ol|[Rr]ev|vs"
    r"|ca|approx|[Bb]orn|[Nn]ée?)\Z"
)


class Mention(NamedTuple):
    """Holds a name in a text and the listed person's number, or None if the name is no listed person's."""

    start: int
    end: int
    person: int | None


def is_public_subject(before: str, question: str = "", earlier: str = "", more: frozenset[str] = frozenset()) -> bool:
    """Says whether a listed public person is the subject of the value that follows.

    Args:
        before: the answer up to the value, with the text from which it goes on.
        question: the user's last turn.
        earlier: the conversation before that turn.
        more: names of public persons beside the shipped ones.
    """
    names = public_names(more)
    before, question, earlier = before[-BEFORE_CHARS:], question[-QUESTION_CHARS:], earlier[-EARLIER_CHARS:]
    people_named_in_full = {person for text in (earlier, question, before) for person in _full_names(text, names)}
    begins = _sentence(before)
    sentence, rest = before[begins:], before[:begins]
    if _speaks_of_others(sentence, names):
        return False
    if own := mentions(sentence, names, people_named_in_full):
        return _one(own) and not _SPEAKER.search(sentence, own[-1].end)
    if _SPEAKER.search(sentence) or _speaks_of_others(rest, names) or _speaks_of_others(question, names):
        return False
    if _has_small_name(sentence, names) or _has_small_name(question, names):
        return False
    return _one(mentions(rest, names, people_named_in_full) + mentions(question, names, people_named_in_full))


def _speaks_of_others(text: str, names: PublicNames) -> bool:
    """Says whether a word outside of listed names means somebody related or private."""
    found, kept, i, at = words(text), list[str](), 0, 0
    while i < len(found):
        hit = names.at(text, found, i)
        if hit is not None:  # "Mother Teresa", "Thomas Mann"
            kept.append(text[at : found[i].start])
            at = found[hit[1] - 1].end
        i = i + 1 if hit is None else hit[1]
    return _RELATED.search("|".join([*kept, text[at:]])) is not None


def _one(found: Sequence[Mention]) -> bool:
    """Says whether all names belong to one listed person."""
    people = {mention.person for mention in found}
    return len(people) == 1 and None not in people


def _sentence(text: str) -> int:
    """Gives the offset at which the last sentence of a text begins."""
    begins = 0
    for end in _ENDS.finditer(text):
        if end[0] == "\n" or not (
            end[0].startswith(".") and _NO_END.search(text, max(0, end.start() - 8), end.start())
        ):
            begins = end.end()
    return begins if text[begins:].strip(" *_-#>|•\t:") else 0


def _full_names(text: str, names: PublicNames) -> set[int]:
    """Gives the listed persons whose full names are in a text."""
    found = words(text)
    listed = (_listed(text, found, i, names) for i in range(len(found)))
    return {mention.person for mention, _ in filter(None, listed) if mention.person is not None}


def mentions(text: str, names: PublicNames, people_named_in_full: set[int]) -> list[Mention]:
    """Finds the names of people in a text, in order. `people_named_in_full`: listed persons named in full before."""
    found, out, i = words(text), list[Mention](), 0
    explained = _explained(text)
    while i < len(found):
        hit = _listed(text, found, i, names) or _shortened(text, found, i, names, people_named_in_full)
        if hit is not None:
            out.append(hit[0])
            i = hit[1]
            continue
        if _may_be_person(text, found, i, explained):
            out.append(Mention(found[i].start, found[i].end, None))
        i += 1
    return out


def _listed(text: str, found: Sequence[Word], i: int, names: PublicNames) -> tuple[Mention, int] | None:
    """Finds a listed person's full name that begins at a word. It is nobody's if a word beside it may belong to it."""
    hit = names.at(text, found, i)
    return None if hit is None else _full_mention(text, found, i, hit[1], hit[0])


def _shortened(
    text: str, found: Sequence[Word], i: int, names: PublicNames, people_named_in_full: set[int]
) -> tuple[Mention, int] | None:
    """Finds a surname, with or without initials, of a listed person whose full name was in the conversation."""
    last, most = i, min(i + _MOST_INITIALS, len(found) - 1)
    while last < most and len(found[last].folded) == 1 and adjacent(text, found[last], found[last + 1]):
        last += 1
    people = [person for person in people_named_in_full if names.surnames.get(person) == found[last].folded]
    if not people:
        return None
    letters = "".join(word.folded for word in found[i:last])
    fitting = [p for p in people if not letters or any(given.startswith(letters) for given in names.initials[p])]
    return _full_mention(text, found, i, last + 1, fitting[0] if len(people) == len(fitting) == 1 else None)


def _full_mention(text: str, found: Sequence[Word], i: int, end: int, person: int | None) -> tuple[Mention, int]:
    """Makes the mention of a person. The name has to be whole: no word beside it may belong to it."""
    if i and adjacent(text, found[i - 1], found[i]):
        left = found[i - 1]
        if left.folded in _PRIVATE_TITLES or _is_name_part(left, known_as.TITLES):
            person = None
    elif i and text[found[i - 1].end : found[i].start] == ". " and found[i - 1].folded in _PRIVATE_TITLES:
        person = None
    if end < len(found) and adjacent(text, found[end - 1], found[end]):
        right = found[end]
        if right.folded in SUFFIXES or _is_name_part(right, frozenset()):
            person, end = None, end + 1
    return Mention(found[i].start, found[end - 1].end, person), end


def _is_name_part(word: Word, titles: frozenset[str]) -> bool:
    """Says whether a word beside a name may belong to it."""
    if word.folded in known_as.FUNCTION or word.folded in known_as.CALENDAR or word.folded in titles:
        return False
    known = look_up(word.folded)
    if not word.capital:
        return max(known.given, known.family) >= 2 and not known.ordinary
    return known.ordinary < 2 or max(known.given, known.family) >= 2


@cache
def _finder() -> SpanFinder:
    kinds = {Entity.PERSON, Entity.LOCATION, Entity.ORGANIZATION, Entity.NRP}
    return SpanFinder([row for row in recognizers(kinds) if row.entity in kinds])


def _explained(text: str) -> dict[int, str]:
    """Gives the kinds that the finder assigns to words, by their offsets: person, place, organisation or group."""
    out: dict[int, str] = {}
    start, finder, context = 0, _finder(), FindContext()
    while (span := finder.next_span(text, start, context=context, closed=True).span) is not None:
        out |= dict.fromkeys(range(span.answer_start, span.end), span.entity)
        start = span.end
    return out


def _may_be_person(text: str, found: Sequence[Word], i: int, explained: dict[int, str]) -> bool:
    """Says whether a word that is no part of a listed name may name somebody. In doubt, it may."""
    word, kind = found[i], explained.get(found[i].start)
    if kind == Entity.PERSON:
        return word.folded not in known_as.TITLES
    if _does_something(text, found, i):
        return True
    if not word.capital or len(word.folded) < 2 or word.folded in _NO_NAMES or kind == Entity.NRP:
        return False
    known = look_up(word.folded)
    given_or_family = max(known.given, known.family)
    if known.ordinary >= 2 and given_or_family < 2:
        return False
    if not given_or_family and (known.ordinary or known.place):
        return False
    if (
        word.end - word.start <= 5
        and text[word.start : word.end].isupper()
        and not given_or_family
        and not text.isupper()
    ):
        return False  # an acronym
    placed = i > 0 and found[i - 1].folded in _PLACED
    if kind in (Entity.LOCATION, Entity.ORGANIZATION) and (placed or not given_or_family):
        return False
    return not (known.given < 2 and _names_a_thing(text, found, i))


def _does_something(text: str, found: Sequence[Word], i: int) -> bool:
    """Says whether a word that may be a name owns something or is the subject of a verb.

    It is asked of names that are ordinary words as well: "April was born", "April's birthday".
    """
    has = text[found[i].start : found[i].end].endswith(("'s", "’s"))
    acts = i + 1 < len(found) and found[i + 1].folded in _VERBS
    if not (has or acts) or found[i].folded in _PRONOUNS:
        return False
    if i and found[i - 1].folded in _DETERMINERS:
        return False
    known = look_up(found[i].folded)
    return max(known.given, known.family) >= 2


def _has_small_name(text: str, names: PublicNames) -> bool:
    """Says whether a word in small letters, outside of listed names, is a known name or a word that no list has."""
    found, i = words(text), 0
    while i < len(found):
        if (hit := names.at(text, found, i)) is not None:
            i = hit[1]
            continue
        word, known = found[i], look_up(found[i].folded)
        if _does_something(text, found, i):
            return True
        i += 1
        if word.capital or len(word.folded) < 3 or word.folded in _NO_NAMES or word.folded.endswith(_NO_NAME_ENDS):
            continue
        if not any(known) or (known.ordinary < 2 and known.given >= 2) or (not known.ordinary and known.family >= 2):
            return True
    return False


def _names_a_thing(text: str, found: Sequence[Word], i: int) -> bool:
    """Says whether the run of capitals from a word on ends in what names no person: "Nobel Prize", "Civil War"."""
    last, most = i, min(i + _MOST_RUN, len(found) - 1)
    while last < most and found[last + 1].capital and adjacent(text, found[last], found[last + 1]):
        last += 1
    return last > i and found[last].folded in _HEADS and found[last].folded not in known_as.AMBIGUOUS_HEADS
