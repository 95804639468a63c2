"""What a person earns: an amount after a verb of earning whose subject is somebody, in six languages.

"Ana Ruiz earns $92,000", "her brother makes $25 an hour", "Gana 2.100 € al mes", "Er hat 4.200 € verdient". What a
firm, a product or anybody of a trade earns is nobody's: "The company earned $7.2 million", "A nurse earns $60,000".
"""

from __future__ import annotations

from typing import Any

import regex

from reticent_detectors.finder.forms.anchored import NONE, Anchored, followed_by
from reticent_detectors.finder.forms.labels import after_sentence
from reticent_detectors.finder.forms.money import money
from reticent_detectors.finder.forms.somebody import ends_with_pronoun, names_firm, names_somebody, people_words
from reticent_detectors.finder.forms.words import either, words_of

_WHOLE = r"(?<![\p{L}\p{N}'’])(?i:%s)(?![\p{L}\p{N}])"
_EARNS, _GETS = (_WHOLE % either(row, "money") for row in ("earns", "gets"))
_VERB = regex.compile(rf"(?r)(?:(?P<earns>{_EARNS})|(?P<gets>{_GETS}))(?P<between>[^.!?;:\n\p{{N}}$€£₹¥]{{0,40}}?)")
_PAY = Anchored(
    rf"(?i)(?: |/ ?|,? )(?:{either('pay', 'money')}"
    rf"|(?:\p{{L}}{{1,4}}[ '’]){{0,2}}(?:{either('units', 'dates')}|hr|mo|yr|std\.?))(?![\p{{L}}\p{{N}}])",
    slack=1,
    reach=32,
)
_BEFORE_CHARS, _AFTER_CHARS = 160, 48
_FIRST_WORDS = 3
_HAS_EARNED = regex.compile(_WHOLE % "verdient")


def money_earned(text: str, p: int, closed: bool) -> int:
    """Read an amount that a sentence says somebody earns."""
    end = money(text, p, closed)
    if end == NONE:
        return NONE
    line = text[max(0, p - _BEFORE_CHARS) : p].rpartition("\n")[2]
    sentence = after_sentence(line)
    found = _VERB.match(sentence)
    if found is None:
        return _earned_after(text, end, closed, sentence)
    begins = len(sentence) == len(line) < _BEFORE_CHARS
    if not _has_subject(sentence[: found.start()], found, begins):
        return NONE
    if end <= 0 or found["earns"]:
        return end
    said = _PAY.end(text, end, closed)
    return end if said > 0 else said


def _earned_after(text: str, end: int, closed: bool, sentence: str) -> int:
    """Return `end`, that of an amount, if the participle follows: "Sie hat im März 4.200 € verdient"."""
    words = people_words(sentence)
    if not (ends_with_pronoun(words[:_FIRST_WORDS]) or _is_somebody(words)):
        return NONE
    return end if end <= 0 else followed_by(_HAS_EARNED, text, end, _AFTER_CHARS, closed)


def _has_subject(lead: str, found: Any, begins: bool) -> bool:
    """Tell whether the subject of a verb is somebody: the words before it, those after it, or nobody at all.

    Args:
        lead: what stands before the verb in its sentence.
        found: the match of the verb.
        begins: whether the sentence begins its line; else a dot ended what may have been a short word.
    """
    words, between = people_words(lead), people_words(found["between"])
    if _is_somebody(between) or ends_with_pronoun(words):
        return True
    if words:
        return _is_somebody(words)
    verb = found["earns"] or found["gets"]
    return (begins or verb[0].isupper()) and verb.lower().replace(" ", "_") not in words_of("requests", "money")


def _is_somebody(words: list[str]) -> bool:
    return names_somebody(words) and not names_firm(words)
