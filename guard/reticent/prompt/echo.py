"""Finds values in the prompt: in the user's own words, or in the operator's.

A span is *echoed* if its whole value is in the user's own text, so that repeating it gives nothing away. There are two
ways. Neither applies if the user's text offers a choice: a menu of candidates, of which the host picks the one that it
remembers.

1. **As a value.** The span finder, run over the user's text, finds the value as a span of its kind (spellings compared
   by `normalize`), or the value fills a line, a list item or a form's field. No test for chance is made here. `$99` or
   `7036` that the user wrote as a value is their own, however short. With at most three such values a lucky hit says no
   more than one guess in three.
2. **Verbatim.** The value is between token boundaries, though the finder does not see a span there (a name without its
   cue word). It could be a coincidence, or a piece of a long list of digits. So fewer than 0.001 matches by chance may
   be expected in a text with that many tokens. Short values fail this test and need way 1.

A choice is more than three values of the kind in the user's text, as the finder counts them or as their shape shows. A
finder sees the first name in "the doctor: A, B, C or D" and may miss the others. Shape means digit groups as long as
the value, digits enough for more than three such values, neighbours in the same list, values in the same words or
marks (`list_patterns`), and, only where the finder saw none, other capitalised names.

`in_context` is the same for the operator's text without the limit on choices, as more matches there mean more care.

Not covered: candidates that neither finder nor shape shows (in words, or in lower case and running text). For them only
the chance test decides.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from operator import itemgetter
from typing import Protocol

from reticent.policy.verdict import Origin
from reticent.prompt import list_patterns as frames
from reticent_detectors.between_steps import between_steps
from reticent_detectors.entities import Entity
from reticent_detectors.features.cue import PromptIndex, normalize
from reticent_detectors.lazy_attribute import lazy_attribute
from reticent_detectors.spans import FindContext, Scan

MAX_RIVALS = 3
MAX_EXPECTED_MATCHES = 1e-3

# Characters that are as good as one drawn at random: ten digits; letters carry about 2.6 bits in running text.
_DIGIT_CHANCE, _LETTER_CHANCE, _IDEOGRAPH_CHANCE = 1 / 10, 1 / 6, 1 / 200
# A finder sees values with more digits or words than these by their form alone, so it sees their rivals as well.
_SHORT, _SELF_EVIDENT_WORDS = 6, 4

_FAMILIES: dict[str, str] = {
    Entity.TRANSACTION_AMOUNT: "amount",
    Entity.UTILITY_BILL: "amount",
    Entity.EMPLOYER: "company",
    Entity.HOSPITAL: "company",
}
# Items of a list may differ in length. Words in sentences or table cells beside the value count only if they have the
# value's shape. A label is no item.
_DELIMITER = re.compile(
    r"(?P<hard>:(?!\S))|(?P<strict>[|?!]|\.(?!\S))|(?P<loose>[,;\n•·]|\s/\s|\s(?:or|and)\s)", re.IGNORECASE
)
_FIRST = re.compile(r"[$€£¥₹(+]{0,2}([^\W_])")
_NUMBERING = re.compile(r"\s*\d{1,3}")
_HARDEST_FIRST = ("hard", "strict", "loose")
_QUOTES = " \t\"'`“”‘’()[]*_-"
_MOST_NEIGHBOURS = 256  # candidates that are masked
_LEAST_TOKENS = 16  # least length that a text counts with, so that four digits never pass verbatim
# A word is bounded, as it may hold the beginning of a name at every second character.
_NAME_WORD = r"[^\W\d_a-z][\w'’-]{0,63}+"
_NAMES = re.compile(rf"\b{_NAME_WORD}(?:\s++{_NAME_WORD})++")
_SEGMENT_CHARS = 4096
"""How much of a long part between delimiters is read beside a value."""
_STEP_CHARS = 4096
_TOKEN = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+")


class NextSpan(Protocol):
    """Finds spans in a finished text."""

    def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Scan: ...


def _family(entity: str) -> str:
    return _FAMILIES.get(entity, entity)


def _spans(finder: NextSpan, text: str) -> Iterator[tuple[str, str]]:
    """Yields the family and the text of every span in a finished text.

    The text is read in steps, so that its cost is in proportion to its length, and a judge that was given up ends.
    """
    start, context = 0, FindContext()
    for end in range(_STEP_CHARS, len(text) + _STEP_CHARS, _STEP_CHARS):
        between_steps()
        step, closed = text[:end], end >= len(text)
        while (scan := finder.next_span(step, start, context=context, closed=closed)).span is not None:
            yield _family(scan.span.entity), text[scan.span.answer_start : scan.span.end]
            if scan.frontier <= start:
                return
            start = scan.frontier
        start = scan.frontier


def _chance(form: str) -> float:
    """Gives the probability that characters drawn at random are this form."""
    chance = 1.0
    for char in form:
        if char.isdigit():
            chance *= _DIGIT_CHANCE
        else:
            chance *= _IDEOGRAPH_CHANCE if char >= "\u2e80" else _LETTER_CHANCE
    return chance


def _marked(words: list[str]) -> int:
    """Counts the words that begin with a capital or a digit, also after a sign ("$", "(")."""
    firsts = [match[1] for match in map(_FIRST.match, words) if match is not None]
    return sum(first.isupper() or first.isdigit() for first in firsts)


def _may_rival(value: str, item: str) -> bool:
    """Says whether an item of a list is of the value's sort: an address, a number or words."""
    if ("@" in value) != ("@" in item):
        return False
    digits, letters = (sum(map(test, value)) for test in (str.isdigit, str.isalpha))
    if digits > letters:
        return any(map(str.isdigit, item))
    return digits > 0 or any(map(str.isalpha, item))


class PromptSide:
    """Reads the text of one side, the user or the operator, when it is first searched."""

    def __init__(self, text: str, finder: NextSpan) -> None:
        self.text = text
        self.index = PromptIndex(text)
        self._finder = finder
        self._forms: dict[str, frozenset[str]] = {}
        self._segments: dict[str, list[tuple[int, int, str]]] = {}

    @lazy_attribute
    def _found(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for family, text in _spans(self._finder, self.text):
            found.setdefault(family, set()).add(text)
        return found

    def _is_of_another_kind(self, text: str, entity: str) -> bool:
        """Says whether the finder sees a text as a value of other families alone."""
        families = self._families_of.get(text.strip(_QUOTES).casefold(), set())
        return bool(families) and _family(entity) not in families

    @lazy_attribute
    def _families_of(self) -> dict[str, set[str]]:
        families: dict[str, set[str]] = {}
        for family, found in self._found.items():
            for text in found:
                families.setdefault(text.strip(_QUOTES).casefold(), set()).add(family)
        return families

    @lazy_attribute
    def _tokens(self) -> int:
        return sum(1 for _ in _TOKEN.finditer(self.text))

    @lazy_attribute
    def _digit_groups(self) -> Counter[int]:
        ungrouped = re.sub(r"(?<=\d),(?=\d{3}\b)", "", self.text)
        return Counter(len(group) for group in set(_DIGITS.findall(ungrouped)))

    @lazy_attribute
    def _digits(self) -> int:
        return sum(map(len, _DIGITS.findall(self.text)))

    @lazy_attribute
    def _names(self) -> list[tuple[int, int]]:
        return [match.span() for match in _NAMES.finditer(self._name_text)]

    @lazy_attribute
    def _name_lengths(self) -> list[int]:
        return [len(run.split()) for run in {self._name_text[a:b] for a, b in self._names}]

    @property
    def _name_text(self) -> str:
        return self.index.text(Entity.DOCTOR)

    def values(self, entity: str) -> frozenset[str]:
        """Gives the values of the entity's family that the finder sees, each in its one form."""
        if entity not in self._forms:
            found = self._found.get(_family(entity), ())
            self._forms[entity] = frozenset(normalize(text, entity) for text in found) - {""}
        return self._forms[entity]

    def is_no_coincidence(self, form: str) -> bool:
        """Says whether fewer than 0.001 matches by chance are expected."""
        return max(self._tokens, _LEAST_TOKENS) * _chance(form) < MAX_EXPECTED_MATCHES

    def digit_groups(self, length: int) -> int:
        """Counts the different groups of exactly so many digits."""
        return self._digit_groups[length]

    def digit_mass(self, length: int) -> int:
        """Counts the values of so many digits for which the text has enough digits."""
        return self._digits // length

    def names(self, words: int) -> int:
        """Counts the names of so many words that the capitalised runs of the text can make up."""
        return sum(max(1, length // words) for length in self._name_lengths)

    def listed(self, value: str, entity: str) -> int:
        """Counts the items of the list around the value (1 if it is in no list).

        A list is made by delimiters, or by nothing but capitals: "Anne Roe Bill Poe Wyatt Fox".
        """
        most, words, walked = 1, len(value.split()), set[tuple[int, int]]()
        for start, end in self.index.find(value, entity):
            most = max(most, len(self._list_items(entity, start, end, walked)))
            run = bisect_right(self._names, start, key=itemgetter(0)) - 1
            if run >= 0 and words > 1 and start < self._names[run][1] and self.index.text(entity) is self._name_text:
                most = max(most, len(self._name_text[slice(*self._names[run])].split()) // words)
            if most > MAX_RIVALS:
                return most
        in_frames = frames.neighbours_in_frames(self.index.text(entity), self.index.find(value, entity), MAX_RIVALS)
        return max(most, len(in_frames))

    def fills_segment(self, value: str, entity: str) -> bool:
        """Says whether the value fills a line, a list item or a form's field."""
        text, cut = self.index.text(entity), self._cut(entity)
        for start, end in self.index.find(value, entity):
            at = bisect_right(cut, start, key=itemgetter(0)) - 1
            if at >= 0 and text[cut[at][0] : cut[at][1]].strip(_QUOTES) == text[start:end].strip(_QUOTES):
                return True
        return False

    def _cut(self, entity: str) -> list[tuple[int, int, str]]:
        """Splits the text at delimiters. Gives start, end, and the name of the hardest delimiter before each part."""
        if entity not in self._segments:
            text, before, start, segments = self.index.text(entity), "hard", 0, []
            for found in [*_DELIMITER.finditer(text), None]:
                end = len(text) if found is None else found.start()
                line = not start or text[start - 1] == "\n"
                if line and found is not None and found.group() == "." and _NUMBERING.fullmatch(text, start, end):
                    start = found.end()  # "2. Anne Roe": the item begins after it
                    continue
                if text[start:end].strip():
                    segments.append((start, end, before))
                    before = "loose"
                if found is not None:
                    before = min(before, str(found.lastgroup), key=_HARDEST_FIRST.index)
                    start = found.end()
            self._segments[entity] = segments
        return self._segments[entity]

    def list_neighbours(self, value: str, entity: str) -> set[str]:
        """Lists the value, its neighbours in lists, and the other values of its family, all as they are typed."""
        text, places = self.index.text(entity), self.index.find(value, entity)
        items, walked = {text[start:end].strip(_QUOTES) for start, end in places}, set[tuple[int, int]]()
        for start, end in places:
            if len(items) <= _MOST_NEIGHBOURS:
                items.update(self._list_items(entity, start, end, walked, _MOST_NEIGHBOURS).values())
        items.update(frames.neighbours_in_frames(text, places, _MOST_NEIGHBOURS).values())
        return self.index.written(items - {""}, entity).union(self._found.get(_family(entity), ()))

    def _list_items(
        self, entity: str, start: int, end: int, walked: set[tuple[int, int]], most: int = MAX_RIVALS
    ) -> dict[str, str]:
        """Gives the list around a place: each item's folded form, and its text unless it runs on into other words.

        It ends early with more items than `most`. A place in a part that was walked before, from a value with as many
        marked words, has no list of its own. The parts of this list are added to `walked`.
        """
        text, cut = self.index.text(entity), self._cut(entity)
        value_end = end
        own_words = text[start:end].split()
        size, marked = len(own_words), _marked(own_words)
        most_words = size + (3 if size == marked else 1)  # of a sentence with the value's shape
        items = {" ".join(own_words).casefold(): ""}
        first, last = (bisect_right(cut, place, key=itemgetter(0)) - 1 for place in (start, end - 1))
        if (first, marked) in walked:
            return items
        walked.update((part, marked) for part in range(first, last + 1))
        for step, at in ((-1, first - 1), (1, last + 1)):
            while 0 <= at < len(cut) and len(items) <= most:
                between = cut[at + 1][2] if step < 0 else cut[at][2]
                label = at + 1 < len(cut) and cut[at + 1][2] == "hard"
                if between == "hard" or label:
                    break
                begin, end = cut[at][:2]
                near_end = (
                    slice(max(begin, end - _SEGMENT_CHARS), end) if step < 0 else slice(begin, begin + _SEGMENT_CHARS)
                )
                words = text[near_end if end - begin > _SEGMENT_CHARS else slice(begin, end)].split()
                # A list's first item after its introduction, or its end.
                long = len(words) > size + 3 or end - begin > _SEGMENT_CHARS
                reach = size + 3 if long else size
                near, far = (words[-reach:], words[:reach]) if step < 0 else (words[:reach], words[-reach:])
                if between == "strict" and not (
                    size <= len(words) <= most_words and max(_marked(near), _marked(far)) >= marked
                ):
                    break
                item = text[begin:end] if not long else ""
                of_its_kind = not item or (
                    _may_rival(text[start:value_end], item) and not self._is_of_another_kind(item, entity)
                )
                if of_its_kind and (not marked or _marked(near) or (_marked(far) and not long)):
                    items[" ".join(words).casefold()] = "" if long else text[cut[at][0] : cut[at][1]].strip(_QUOTES)
                if long:
                    break
                walked.add((at, marked))
                at += step
        return items


class EchoIndex:
    """Indexes the texts of user and operator, for many spans.

    Args:
        user_text: the user's own turns, or the whole prompt if its authors are not known.
        operator_text: system prompt, examples, retrieved documents.
        finder: finds the values in both.
    """

    def __init__(self, user_text: str, operator_text: str, finder: NextSpan) -> None:
        self._user = PromptSide(user_text, finder)
        self._operator = PromptSide(operator_text, finder)
        self._prompt = PromptIndex(f"{operator_text}\n{user_text}" if operator_text else user_text)

    def __repr__(self) -> str:
        return f"EchoIndex(user=<{len(self._user.text)} chars>, operator=<{len(self._operator.text)} chars>)"

    def cue(self, value: str, entity: str) -> float:
        """Gives the share of the value that the whole prompt gives away, 0 to 1."""
        return self._prompt.cue(value, entity)

    def origin(self, value: str, entity: str) -> Origin | None:
        """Gives `echoed`, else `context`, else None. With None the value has to be judged."""
        if self.echoed(value, entity):
            return Origin.ECHOED
        return Origin.CONTEXT if self.in_context(value, entity) else None

    def echoed(self, value: str, entity: str) -> bool:
        """Says whether the user wrote the whole value, offered no choice, and a chance match can be ruled out."""
        form = normalize(value, entity)
        if not form or not self._user.text:
            return False
        side = self._user
        values = side.values(entity)
        as_value = form in values or side.fills_segment(value, entity)
        if not as_value and not (side.is_no_coincidence(form) and side.index.contains(value, entity)):
            return False
        return max(len(values), self._rivals(value, form, entity, as_value)) <= MAX_RIVALS

    def choices(self, value: str, entity: str) -> set[str]:
        """Lists the candidates of a choice, the value included, if the user offered more than `MAX_RIVALS`.

        Otherwise it lists nothing. A chosen value is no echo, as the choice itself may come from the weights.
        """
        form = normalize(value, entity)
        if (
            not form
            or not self._user.text
            or not self._user.index.contains(value, entity)
            or self.echoed(value, entity)
        ):
            return set()
        return self._user.list_neighbours(value, entity)

    def in_context(self, value: str, entity: str) -> bool:
        """Says whether the whole value is in the operator's text, and a chance match can be ruled out."""
        form = normalize(value, entity)
        if not form or not self._operator.text:
            return False
        side = self._operator
        return form in side.values(entity) or (side.is_no_coincidence(form) and side.index.contains(value, entity))

    def _rivals(self, value: str, form: str, entity: str, as_value: bool) -> int:
        """Counts the values of the same shape in the user's text, this one included."""
        side, words = self._user, len(value.split())
        digits = sum(map(str.isdigit, form))
        if form in side.values(entity) and (digits > _SHORT or words > _SELF_EVIDENT_WORDS):
            return 1  # a finder needs no cue word to see the rivals of such a value
        if 2 * digits >= len(form):
            groups = side.digit_groups(digits) if digits <= _SHORT else side.digit_mass(digits)
            return max(groups, side.listed(value, entity))
        named = side.names(words) if not as_value and words > 1 and value[:1].isupper() else 1
        return max(named, side.listed(value, entity))
