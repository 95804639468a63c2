"""Which kind the words directly after a value name: "7036 is her PIN", "7036 (PIN)", "7036: PIN"."""

from __future__ import annotations

import re

import regex

from reticent_detectors.finder.forms.labels import Labels, sentence_words, split_words
from reticent_detectors.finder.forms.named import Named, Sort, Strength

_BEHIND_CHARS, _LEAD_CHARS = 40, 20
# What leads from a value back to its name: "is the", "(her", "- my", ", the".
_LEADS_BACK = regex.compile(
    r"[\"'’”»“*_`]{0,3}[ \u00a0]?[»”\"]?(?:"
    r"(?:[(\[=–—]|- |, )\s?(?i:that(?:['’]s| is) )?"
    r"|[ \u00a0](?:is|was|are|were|as|ist|war|lautet|als|est|était|es|era|fue|è|é|sono|foi|como|come"
    r"|for|für|pour|para|per)\s"
    r"|\.?[ \n](?:(?:That|This|It)(?:['’]s| is| was)|Das (?:ist|war)|(?:C['’]est|C['’]était)|Es[oea]? (?:es|era)"
    r"|Quest[oa] (?:è|era)|Ess[ea] é|Isso é) )"
)
_LEADS_WHOLE = regex.compile(r"[\"'’”»“*_`]{0,3} ?(?::|->|→|⇒|=>|\||\t) ?[*_\"'`]{0,3}")
"""Lead back only where the label is all that follows in the line or cell."""
_POSSESSIVE = regex.compile(r"\p{Lu}[\p{L}-]{1,24}(?: \p{Lu}[\p{L}-]{1,24}){0,2}['’]s ")
_BEHIND_END = re.compile(r"[.,;:!?\n)\]|\"”»]")


def named_after(labels: Labels, text: str, end: int, closed: bool) -> Named | bool | None:
    """Return what the words after a value that ends at `end` name it; False while they are not all there."""
    lead = _LEADS_BACK.match(text, end, end + _LEAD_CHARS, partial=not closed)
    whole = lead is None
    if lead is None:
        lead = _LEADS_WHOLE.match(text, end, end + _LEAD_CHARS, partial=not closed)
    if lead is None:
        return None
    if lead.partial:
        return False
    tail = text[lead.end() : lead.end() + _BEHIND_CHARS]
    stop = _BEHIND_END.search(tail)
    if stop is None and len(tail) < _BEHIND_CHARS and not closed:
        return False
    tail = tail[: stop.start()] if stop else tail
    shut = "(" in lead[0] or "[" in lead[0]
    named = _named_at(labels, tail, "," in lead[0], whole, shut)
    owner = _POSSESSIVE.match(tail) if named is None and not whole else None
    return named if owner is None else _named_at(labels, tail[owner.end() :], False, True)


def _named_at(labels: Labels, tail: str, owned: bool, whole: bool, shut: bool = False) -> Named | None:
    """Return what a label names that `tail` begins with.

    Args:
        labels: the wordings.
        tail: what stands after the value and what leads back to it.
        owned: whether a word for an owner must stand before it.
        whole: whether it must be all of `tail`.
        shut: whether only what it belongs to may stand after it: "(PIN of the card)", not "(PIN required)".
    """
    words, gaps = split_words(tail)
    owners, belongs = sentence_words()["owners"], sentence_words()["belongs"]
    first = next((i for i, word in enumerate(words) if word not in owners), len(words))
    if owned and not first:
        return None
    for last in range(min(len(words), first + 5) - 1, first - 1, -1):
        if shut and last + 1 < len(words) and words[last + 1] not in belongs:
            continue
        found = labels.ending(words, gaps, last)
        if found is not None and found[1] == first and not (whole and (first or last + 1 < len(words))):
            kinds = {kind: sort for kind, sort in found[0].items() if sort not in (Sort.VERB, Sort.BOTH)}
            return Named(kinds, Strength.TIGHT, True)
    return None
