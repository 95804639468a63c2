"""Values that a noun right behind them names.

"4827 (her PIN)", "Lopez Inc – employer", "65653. That is Jo's passport number".
"""

from __future__ import annotations

from functools import cache

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.languages import lexicon
from reticent_detectors.finder.languages.wordings import Node, Tokens, Tree, fold
from reticent_detectors.finder.match_ends import OPEN

QUOTES = "\"'“”«»„’‘*_`~"
_MOST_WORDS = 9
COPULAS = ("is", "was", "ist", "war", "est", "es", "è", "é", "era", "foi", "fue")
# What joins a value and its noun.
_JOINT = regex.compile(
    rf"[{QUOTES})\]]*(?:\s?[(\[]|(?P<cell>,(?!\s)|\s?\|\s?)|\s?(?:->|=>|[–—:=→⇒])\s?|(?P<comma>,\s)|\s--?\s"
    r"|(?P<stop>[.!]\s)"
    rf"|\s(?=(?i:for|für|pour|para|per)\s)|\s(?P<link>(?:{'|'.join(COPULAS)})\s))[{QUOTES}]*"
)
_WORD = regex.compile(r"[^\W_]+(?:[-‐][^\W_]+)*")
_BETWEEN = regex.compile(rf"(?:[^\S\n]|[.{QUOTES}])*")
_CLOSING = frozenset(")],;!?}(–—…|\n")
_ROW_END = regex.compile(rf"[{QUOTES}]*+[^\S\n]*+(?:\|[^\S\n]*+)?+\n")
_LAST_ROW_END = regex.compile(rf"[{QUOTES}]*+[^\S\n]*+\|?+\s*+\Z")
_PRONOUNS = word_set(
    "that this it which das dies es ce c' cela ceci esto eso esta este ese esa questo questa quello isso isto esse essa"
)
_FOR = frozenset(["for", "fur", "pour", "para", "per"])
_ELIDED = frozenset("cdlmnst")  # "c'est", "l'identifiant"
_POSSESSIVES = word_set("of dela dele delas deles suya suyo")


def find_apposition(
    tail: str, whole: bool, tree: Tree | None = None, across_punctuation: bool = True
) -> Entity | int | None:
    """Gives the kind that the noun in apposition behind a value names, None, or OPEN while it is unknown.

    Args:
        tail: what stands behind the value.
        whole: whether that is all that counts.
        tree: the nouns; those of codes, if not given.
        across_punctuation: whether a comma or a full stop may stand between.
    """
    tree = lexicon().codes if tree is None else tree
    joint = _JOINT.match(tail, partial=not whole)
    if joint is None or not (across_punctuation or joint.partial or (joint["comma"] is joint["stop"] is None)):
        return None
    if joint.partial:
        return OPEN
    end = joint.end()
    found: tuple[int, Entity] | None = None
    for _ in range(_MOST_WORDS):
        word = _next(tail, end)
        if word is None or not (whole or word[1] + (tail[word[1] : word[1] + 1] in ("-", "‐")) < len(tail)):
            if not whole and (word is not None or _between(tail, end) == len(tail)):
                return OPEN
            break
        end = word[1]
        tokens = Tokens(tail, joint.end(), end)
        for ends, rest in tree.walk(tokens, 0):
            kind = next((entity for entity in ends if isinstance(entity, Entity)), None)
            if kind is not None and _leads(tokens, rest, joint):
                found = end, kind
        leading = _is_leading(tokens, 0)
        if not leading and (tokens.get(0) not in _in_names(tree) or (joint["comma"] and not tokens.get(1))):
            break
        if joint["stop"] and not tokens.get(1) and tokens.get(0) not in _PRONOUNS | _ELIDED:
            break
    if found is None:
        return None
    if joint["cell"] is None:
        return found[1] if _ends(tail, found[0]) else None
    row = _ROW_END.match(tail, found[0], partial=not whole) or (whole and _LAST_ROW_END.match(tail, found[0]))
    return None if not row else OPEN if row.partial else found[1]


def _between(tail: str, end: int) -> int:
    match = _BETWEEN.match(tail, end)
    assert match is not None
    return int(match.end())


def _next(tail: str, end: int) -> tuple[int, int] | None:
    """Gives where the next word of the line begins and ends."""
    word = _WORD.match(tail, _between(tail, end))
    return None if word is None else word.span()


def _leads(tokens: Tokens, i: int, joint: regex.Match[str]) -> bool:
    """Whether the words from number i on are but those that a noun has before it."""
    before = []
    while word := tokens.get(i):
        if not _is_leading(tokens, i):
            return False
        before.append(word)
        i += 1
    if joint["stop"]:
        return bool(before) and before[-1] in _PRONOUNS
    if joint["link"]:
        return bool(before) and (
            before[0] == "'s" or (before[0] in lexicon().owned and before[0] not in lexicon().articles)
        )
    return bool(before) or not joint["comma"]


def _is_leading(tokens: Tokens, i: int) -> bool:
    """Whether the word number i may stand before the noun: an article, an owner, "that is"."""
    word, words = tokens.get(i), lexicon()
    return (
        word in words.owned
        or word in words.articles
        or word in words.links
        or word in _ELIDED
        or (word in _PRONOUNS | _FOR and not tokens.get(i + 1))
        or tokens.raw[i][0].isupper()
    )


def _ends(tail: str, end: int) -> bool:
    """Whether the noun ends here: nothing goes on, or what does says whose it is."""
    fillers = lexicon().fillers
    while (word := _next(tail, end)) is not None and fold(tail[word[0] : word[1]]) in fillers:
        end = word[1]
    begins = _between(tail, end) if word is None else word[0]
    gap = tail[end:begins]
    if "." in gap:
        return gap[-1] != "." or begins == len(tail)
    if word is None:
        mark = tail[begins : begins + 1]
        return not mark or mark in _CLOSING or (mark == "-" and gap[-1:] == " ")
    plain, words = fold(tail[word[0] : word[1]]), lexicon()
    return plain in _POSSESSIVES or plain in words.prepositions or plain in words.articles


@cache
def _in_names(tree: Tree) -> frozenset[str]:
    """All words of its nouns."""
    found: set[str] = set()
    nodes: list[Node | None] = [tree.root]
    seen = set[int]()
    while nodes:
        node = nodes.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        found.update(node.children)
        nodes += [node.any, node.gap, *(child for children in node.children.values() for child in children)]
    return frozenset(found)
