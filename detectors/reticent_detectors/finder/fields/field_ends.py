"""Fields of forms, tables and code: the text behind a label up to the end of its cell, line or quotation.

Also the words of which values are made, and those with which none begins.
"""

from __future__ import annotations

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.fields.field_names import field_words, is_name
from reticent_detectors.finder.forms.labels import fold
from reticent_detectors.finder.match_ends import NONE, OPEN

WORD_JOINTS = "'’/&+%.-"
WORD = regex.compile(
    rf"[\p{{L}}\p{{N}}][\p{{L}}\p{{M}}\p{{N}}]{{0,40}}+"
    rf"(?:[{WORD_JOINTS}][\p{{L}}\p{{N}}][\p{{L}}\p{{M}}\p{{N}}]{{0,40}}+){{0,4}}+"
)
_FIELD_CHARS = 96
_FIELD = regex.compile(r"[\p{L}\p{N}]")
_SHORT_END = regex.compile(r"(?:\p{Lu}|\b(?:Inc|Ltda?|Co|Corp|jr|Jr|S\.\w+|s\.r\.l|S\.r\.l))\.$")
# A few words with a full stop behind, as some write each line of a form ("País: España.").
_STOPPED = regex.compile(r"[\p{Lu}\p{N}][^\s.!?:;]*+(?: [^\s.!?:;]++){0,3}(?<=[\p{L}\p{N}]{3})\.")
QUOTES = frozenset("\"'”»`")
_SENTENCE = regex.compile(
    r"[.!?:;|=({<\[]\s|[;|={<\[\t→⇒]|[-=]>|, \p{Ll}"
    r"|\s(?:and|is|was|who|with|ist|und|der|qui|est|que|es|che|e)\s.*\s(?:is|was|in|at|lives|works|ist|est|es|e)\s"
)
# A comma and a small letter stand in addresses and names of firms as well ("12, rue Hoche").
_TALK = regex.compile(
    r"[!?:|=({<\[]\s|;\s\p{Ll}|[|={<\[\t→⇒]|[-=]>"
    r"|\s(?:and|is|was|who|with|ist|und|qui|est|que|che)\s.*\s(?:is|was|lives|works|ist|est)\s"
)
_WITH_COMMAS = frozenset({Entity.ADDRESS, Entity.ORGANIZATION, Entity.EMPLOYER})
_ADDRESS_WORDS = 16
_DOCTOR = regex.compile(r"\p{Lu}[\p{L}\p{M}.'’-]*(?: [\p{L}\p{M}.'’-]+){0,5}")


def plain_word(word: str) -> str:
    """Return the word as the tables have it; an abbreviation ("IT consultant") is none of their words."""
    plain = fold(word)
    none = word in ("AI", "NA") or (len(word) > 2 and plain in field_words()["no_value"])
    return word if word.isupper() and len(word) > 1 and not none else plain


def field_end(text: str, p: int, ends: str, entity: Entity, closed: bool) -> int:  # noqa: C901, PLR0912 - parts would pass on tail, stop and value, and each could say OPEN
    """Return the end of the field at p, whose name means an `entity`; OPEN, or 0 if no value stands there.

    A field ends with one of the marks `ends` (its quotation mark, its column's mark), or with its line.
    """
    if not _FIELD.match(text, p):
        return NONE
    sentence = _TALK if entity in _WITH_COMMAS else _SENTENCE
    limit = p + _FIELD_CHARS
    tail = text[p:limit]
    stop = min((i for i in (tail.find(mark) for mark in ends + "\n") if i >= 0), default=-1)
    # An apostrophe inside a word closes no quotation.
    while 0 <= stop < len(tail) - 1 and ends == "'" and tail[stop] == "'" and tail[stop + 1].isalnum():
        stop = next((i for i in (tail.find(mark, stop + 1) for mark in "'\n") if i >= 0), -1)
    if 0 <= stop == len(tail) - 1 and ends == "'" and not closed and len(text) < limit:
        return OPEN
    if stop < 0:
        if not closed and len(text) < limit:
            plain = ends or not sentence.search(tail.rstrip(" *_`,;"))
            return OPEN if plain else NONE
        if ends or len(text) >= limit:
            return NONE
        stop = len(tail)
    value = tail[:stop].rstrip(" *_`,;" if not ends else " *_`")
    if value.endswith(")") and "(" not in value:
        value = value[:-1]
    if not ends and _STOPPED.fullmatch(value):
        value = value[:-1]
    if not value or (not ends and (sentence.search(value) or (value[-1] in ".!?:" and not _SHORT_END.search(value)))):
        return NONE
    behind = tail[stop + 1 : stop + 3]
    if ends in QUOTES and len(behind) < 2 and not closed and len(text) < limit:
        return OPEN
    if ends in QUOTES and behind.lstrip()[:1] == ":":
        return NONE
    if len(value.split()) > (_ADDRESS_WORDS if entity is Entity.ADDRESS else 10):
        return NONE
    if entity is not Entity.JOB_TITLE and is_name(value):
        return NONE
    head = WORD.match(value)
    if head is None or plain_word(head[0]) in field_words()["no_value"]:
        return NONE
    if entity is Entity.DOCTOR:
        return p + len(value) if _DOCTOR.fullmatch(value) else NONE
    if entity is not Entity.JOB_TITLE and plain_word(head[0]) in field_words()["titles"]:
        return NONE
    return p + len(value)
