"""The notation in which the tables of languages are written, and the tree that finds its wordings in a text.

A wording is a row of words, `suffer/suffers/suffered _? from`. Between blanks stands one word, or several of which one
must stand there, with `/` between; `?` makes it optional. `_` is any one word, `..` up to eight of one sentence.
Wordings are separated by `|` or line ends; one that ends a line with `/` goes on in the next line. Case and accents
play no part, in the table and in the text.

The wordings of all languages lie in one tree of words, which is read from the last word to the first. One look-up of
the word before a position tells that nothing is announced there.
"""

from __future__ import annotations

import re
from typing import Any

import regex

GAP_WORDS = 8
FORWARD_GAP_WORDS = 3
"""Words that `..` stands for where the text behind a position is read: for these one has to wait."""
_CONTINUED = re.compile(r"/\s*\n\s*")
BREAKS = frozenset(".!?;|\n")
_ACCENTS = str.maketrans(
    "àáâãäåçèéêëìíîïñòóôõöøùúûüýÿœæßÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝŸŒÆẞ’‘İ",
    "aaaaaaceeeeiiiinoooooouuuuyyoasaaaaaaceeeeiiiinoooooouuuuyyoas''i",
)


def fold(text: str) -> str:
    """Return the text in small letters without accents; of the same length."""
    return text.lower() if text.isascii() else text.translate(_ACCENTS).lower()


def words(text: str) -> frozenset[str]:
    """Return the words of a table, folded."""
    return frozenset(fold(text).split())


def spellings(word: str) -> tuple[str, ...]:
    """Return how a folded word may stand in a folded text, where "ß" is one letter and the Swiss "ss" are two."""
    return (word, word.replace("ss", "s")) if "ss" in word else (word,)


def split_wordings(table: str) -> list[str]:
    """Return the wordings of a table in its order, with single blanks between their words."""
    rows = _CONTINUED.sub("/", table).replace("\n", "|").split("|")
    return [wording for row in rows if (wording := " ".join(row.split()))]


class Node:
    """One place in the tree: what may stand to the left, and what is announced if nothing more has to."""

    __slots__ = ("any", "children", "ends", "gap")

    def __init__(self) -> None:
        self.children: dict[str, list[Node]] = {}
        self.any: Node | None = None
        self.gap: Node | None = None
        self.ends: dict[Any, int] = {}

    def child(self, item: str, onward: Node | None) -> Node:
        """Tell where a wording goes on behind an item: at `onward` behind a word, if it is given."""
        if item == "_":
            self.any = self.any or Node()
            return self.any
        if item == "..":
            self.gap = self.gap or Node()
            return self.gap
        nodes = self.children.setdefault(item, [])
        if onward is None:
            nodes += [] if nodes else [Node()]
            return nodes[0]
        nodes.append(onward)
        return onward


_NOTHING: list[tuple[dict[Any, int], int]] = []


class Tree:
    """Wordings of all languages; each ends in a key and the set of languages (bits) that have it.

    They branch at their last words. Above these, a wording goes one way of its own, however many words it offers. So
    five choices among thirty words need few places, not thirty to the fifth.
    """

    def __init__(self, forward: bool = False) -> None:
        self.root = Node()
        self._forward = forward

    def add(self, table: str, key: object, language: int) -> None:
        """Put the wordings of a table in."""
        for wording in split_wordings(table):
            items = fold(wording).split()
            nodes = [self.root]
            for item in items if self._forward else reversed(items):
                way = Node()
                onward = {
                    id(next_): next_
                    for node in nodes
                    for word in item.rstrip("?").split("/")
                    for spelled in spellings(word)
                    for next_ in (node.child(spelled, None if node is self.root else way),)
                }
                nodes = [*nodes, *onward.values()] if item.endswith("?") else list(onward.values())
            for node in nodes:
                node.ends[key] = node.ends.get(key, 0) | language

    def walk(self, tokens: Tokens, i: int) -> list[tuple[dict[Any, int], int]]:
        """Return the keys of all wordings that end with token i (from the right), each with the token left of it."""
        root, words = self.root, tokens.words
        word = words[i] if i < len(words) else tokens.get(i)
        # Nearly every word ends no wording.
        if (
            word not in root.children
            and not (root.ends or root.any or root.gap)
            and not ("e" in word and ("ae" in word or "oe" in word or "ue" in word))
        ):
            return _NOTHING
        found: list[tuple[dict[Any, int], int]] = []
        _walk(root, tokens, i, FORWARD_GAP_WORDS if self._forward else GAP_WORDS, 0, found)
        return found


def without_umlauts(word: str) -> str:
    """Return the folded word as it is where "ae" stands for "ä"."""
    return word.replace("ae", "a").replace("oe", "o").replace("ue", "u")


def _walk(node: Node, tokens: Tokens, i: int, gap: int, depth: int, found: list[tuple[dict[Any, int], int]]) -> None:
    if node.ends:
        found.append((node.ends, i))
    words = tokens.words
    word = words[i] if i < len(words) else tokens.get(i)
    if not word:
        return
    child = node.children.get(word)
    if child is None and "e" in word and ("ae" in word or "oe" in word or "ue" in word):
        child = node.children.get(without_umlauts(word))
    for next_ in child or ():
        _walk(next_, tokens, i + 1, gap, depth, found)
    if node.any is not None and word[0].isalnum():
        _walk(node.any, tokens, i + 1, gap, depth, found)
    if node.gap is not None and depth < 2:
        children = node.gap.children
        for j in range(i, i + gap + 1):
            word = words[j] if j < len(words) else tokens.get(j)
            if not word or word in BREAKS:
                return
            child = children.get(word)
            for next_ in child or ():
                _walk(next_, tokens, j + 1, gap, depth + 1, found)


# "Dr." and the like are one word with its full stop.
_SHORT = (
    r"n|ord|dr|dra|drs|prof|profa|st|mr|mrs|ms|hr|fr|tel|no|nr|num|dott|ssa|sig|sra|sr|med|mme|pr|approx|ca|bzw|geb"
    r"|str|m"
)
_ELISIONS = words(
    "l d n s c j m t qu dell all nell sull dall coll un quest nessun dev lorsqu jusqu puisqu presqu quell"
)
_SKIP = r"(?:[^\S\n]|[*_\"“”«»„`~]|(?<![^\W_])['‘’])*"
_LEAD = r"(?:[\s*_\"“”«»„`~(\[#>¿¡]|(?<![^\W_])['‘’])*"
_WORD = rf"['’]s(?!\w)|(?<![^\W_])[nN]\.?[ºª°]\.?|(?<![^\W_])(?i:{_SHORT})\.|[^\W_]+(?:[-‐][^\W_]+)*+['’]?|[^\w\s]|\n"
_FIRST = regex.compile(rf"(?r)({_WORD}){_LEAD}")
_NEXT = regex.compile(rf"(?r)({_WORD}){_SKIP}")
_CAMEL = regex.compile(r"(?<=[a-z])(?=\p{Lu})")


WordReading = tuple[int, list[tuple[str, str]]]
"""Where a word begins, and its parts from right to left: as they stand, and folded."""


class Tokens:
    """The words to the left of a position, from right to left, read only as far as somebody asks.

    Marks are words of their own. Quotation marks and emphasis are passed over. `patient_id` and `patientId` are two
    words. `known` keeps what was read to the left of a place, for other positions of the same text, or of a text in
    which the same words stand `shift` characters further on.
    """

    __slots__ = ("_done", "_known", "_low", "_place", "_shift", "raw", "starts", "text", "words")

    def __init__(
        self, text: str, low: int, end: int, known: dict[int, WordReading] | None = None, shift: int = 0
    ) -> None:
        self.text, self._low, self._place, self._shift = text, low, end, shift
        self._known = {} if known is None else known
        self.words: list[str] = []
        self.raw: list[str] = []
        self.starts: list[int] = []
        self._done = False

    def moved(self, text: str, by: int) -> Tokens:
        """Return the same words to the left of a position that lies `by` characters further on in another text."""
        tokens = Tokens(text, self._low + by, self._place + by, self._known, self._shift - by)
        tokens.words, tokens.raw, tokens._done = self.words[:], self.raw[:], self._done
        tokens.starts = [start + by for start in self.starts]
        return tokens

    def get(self, i: int) -> str:
        """Return the word number i from the right, folded; "" if there is none."""
        while len(self.words) <= i:
            if self._done or not self._read():
                self._done = True
                return ""
        return self.words[i]

    def _read(self) -> bool:
        place, shift = self._place, self._shift
        known = self._known.get(place + shift) if self.words else None
        # A word at the lower bound may be but the end of one.
        if known is None or known[0] <= self._low + shift + 1:
            pattern = _NEXT if self.words else _FIRST
            match = pattern.match(self.text, self._low, place)
            if match is None:
                return False
            raw, start = match[1], match.start(1)
            if len(raw) > 2 and not raw.islower() and not raw.isupper() and not raw.istitle():
                parts = [(part, self._word(part, start)) for part in reversed(_CAMEL.split(raw))]
            else:
                parts = [(raw, self._word(raw, start))]
            known = start + shift, parts
            if self.words and start > self._low + 1:
                self._known[place + shift] = known
        start = self._place = known[0] - shift
        for raw, word in known[1]:
            self.words.append(word)
            self.raw.append(raw)
            self.starts.append(start)
        return True

    def _word(self, raw: str, start: int) -> str:
        word = fold(raw)
        if word[0] == "n" and len(word) < 5 and word[-1] in "ºª°.":
            word = "no" if len(word) > 2 or word[-1] != "." else "n"
        if word == "." and self.text[start + 1 : start + 2].strip():
            word = "·"  # no full stop: patient.diagnosis
        elif len(word) > 1 and ((word[-1] == "'" and word[:-1] not in _ELISIONS) or word[-1] == "."):
            word = word[:-1]
        return word

    def sentence(self, i: int, most: int | None = None) -> int:
        """Return the first token at or after i that does not belong to the sentence, line or cell of token i.

        `most`: the token behind which nobody looks; what lies there is not read.
        """
        words = self.words
        while most is None or i < most:
            word = words[i] if i < len(words) else self.get(i)
            if not word or word in BREAKS:
                break
            i += 1
        return i
