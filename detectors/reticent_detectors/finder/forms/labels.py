"""Which kind of value the words directly before or after a place name there: labels of forms, tables, code, sentences.

A wording is a row of words, `phone/mobile number/no?`. One of the words with `/` between must stand there; `?` makes it
optional. Case and accents play no part. Wordings lie in one tree that is read from the last word to the first.

Labels are read at triggers alone, at most `REACH_CHARS` back. The end of a sentence stops that. So does the end of a
line, but for its head.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import yaml

from reticent_detectors.finder import names_data
from reticent_detectors.finder.forms.named import OF_NOBODY, Named, Sort, Strength, classified

REACH_CHARS = 100
_MOST_WORDS = 14
_MOST_OWNERS = 3
DATA = Path(__file__).parent.parent / "data" / "forms"
_ACCENTS = str.maketrans(
    dict(
        zip(
            "àáâãäåçèéêëìíîïñòóôõöøùúûüýÿÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝŸ’‘İ",
            "aaaaaaceeeeiiiinoooooouuuuyyaaaaaaceeeeiiiinoooooouuuuyy''i",
            strict=True,
        )
    )
    | {"ß": "ss", "ẞ": "ss", "œ": "oe", "Œ": "oe", "æ": "ae", "Æ": "ae"}
)
# Words, of which those in camel case are several, and numbers.
WORDS = re.compile(r"[A-Z]{2,}s(?![\w])|[A-ZÀ-Þ]?[a-zß-öø-ÿœ]+|[A-ZÀ-Þ]+(?![a-zß-öø-ÿ])|\d+|[^\W_]|#")
_BREAK = re.compile(r"[.!?;…]+[\"'”»)\]*_]*\s|[.!?][\"”»]*$|;|[。！？]")
_TAG = re.compile(r"<(/?)([\w:.-]{1,40})(?:\s[^<>\n]{0,60})?>")
_ELEMENTS = frozenset(
    [
        "td",
        "th",
        "dd",
        "dt",
        "li",
        "p",
        "div",
        "span",
        "b",
        "strong",
        "i",
        "em",
        "br",
        "tr",
        "a",
        "label",
        "font",
        "center",
        "code",
        "pre",
    ]
)
_JOINED = re.compile(r"[\s\-_.'’/°º&]*\Z")
_HEAD = re.compile(r"[\s\-*+•#>|_`\"'(\[{]*(?:\d{1,2}[.)]\s)?[\s*_`\"']*\Z")
_HEAD_MARKS = re.compile(r"[\s#>*_+•-]*(?:\d{1,2}[.)]\s+)?[*_]*")
_RULED = re.compile(r"\n[-=_*\s]{3,}\Z")
_EXPLICIT = re.compile(r"[:=|→⇒>#]|-{1,2}>|[–—]\s|\s-\s|…")


SENTENCE = re.compile(r"[^.?!\n]*(?:[.](?!\s)[^.?!\n]*)*[.?!\n]?")


def fold(text: str) -> str:
    """Return the text in small letters without accents; one letter may become two, as in "strasse"."""
    return text.lower() if text.isascii() else text.translate(_ACCENTS).lower()


class _Node:
    __slots__ = ("children", "ends")

    def __init__(self) -> None:
        self.children: dict[str, list[_Node]] = {}
        self.ends: dict[str, Sort] = {}


@lru_cache(maxsize=1)
def sentence_words() -> Mapping[str, frozenset[str]]:
    """Return the words of `sentence.yaml` by what they do."""
    rows = yaml.safe_load((DATA / "words" / "sentence.yaml").read_text(encoding="utf-8"))
    return {name: frozenset(str(row).split()) for name, row in rows.items()}


@dataclass(slots=True)
class Labels:
    """The wordings of all kinds."""

    _root: _Node = field(default_factory=_Node, init=False, repr=False)
    words: set[str] = field(default_factory=set, init=False, repr=False)
    """Last words of the wordings, folded."""

    def add(self, wordings: Iterable[str], kind: str, sort: Sort) -> None:
        """Put wordings of a kind in."""
        for wording in wordings:
            nodes = [self._root]
            for item in reversed(fold(wording).split()):
                way, onward = _Node(), dict[int, _Node]()
                for alternative in item.rstrip("?").split("/"):
                    parts = _parts(alternative)
                    if parts:
                        for node in nodes:
                            made = self._chain(node, parts, way)
                            onward[id(made)] = made
                nodes = [*nodes, *onward.values()] if item.endswith("?") else list(onward.values())
            for node in nodes:
                if node is not self._root:
                    other = node.ends.get(kind, sort)
                    both = Sort.VERB in (sort, other) and {Sort.LABEL, Sort.BESIDE} & {sort, other}
                    node.ends[kind] = Sort.BOTH if both else min(sort, other)
        self.words = set(self._root.children)

    def _chain(self, node: _Node, parts: list[str], way: _Node) -> _Node:
        for part in parts[:0:-1]:
            step = _Node()
            node.children.setdefault(part, []).append(step)
            node = step
        found = node.children.setdefault(parts[0], [])
        if node is self._root:
            found += [] if found else [_Node()]
            return found[0]
        found.append(way)
        return way

    def ending(self, words: list[str], gaps: list[str], i: int) -> tuple[Mapping[str, Sort], int] | None:
        """Return what the longest label that ends with word i names, and the place of its first word."""
        nodes, best = self._root.children.get(words[i]), None
        while nodes:
            one = nodes[0] if len(nodes) == 1 else None
            ends = one.ends if one else {kind: sort for node in nodes for kind, sort in node.ends.items()}
            if ends:
                best = ends, i
            i -= 1
            if i < 0 or not (gaps[i] == " " or _JOINED.match(gaps[i])):
                break
            word = words[i]
            nodes = (
                one.children.get(word) if one else [child for node in nodes for child in node.children.get(word, ())]
            )
        return best

    def leads(self, word: str, kinds: frozenset[str]) -> frozenset[str]:
        """Return the words that may stand before this one where it ends a label of one of these kinds.

        Empty if it is such a label by itself.
        """
        nodes = self._root.children.get(word, ())
        if any(not kinds.isdisjoint(node.ends) for node in nodes):
            return frozenset()
        return frozenset(lead for node in nodes for lead in node.children)

    def in_text(self, text: str) -> Iterator[Mapping[str, Sort]]:
        """Yield what each label in a folded text names, of each sentence the last one first."""
        for match in SENTENCE.finditer(text):
            words, gaps = split_words(match[0])
            i = len(words) - 1
            while i >= 0:
                ending = self.ending(words, gaps, i) if words[i] in self.words else None
                if ending is not None:
                    yield ending[0]
                    i = ending[1]
                i -= 1

    def before(self, text: str, p: int, floor: int = 0) -> Named | None:
        """Return what the words before p, back to `floor` at most, name the value at p."""
        start = max(floor, p - REACH_CHARS)
        window = text[start:p]
        headed = False
        line = window.rfind("\n")
        if line >= 0:
            if _HEAD.match(window, line + 1):
                window, headed = _RULED.sub("", window[: line + 1].rstrip()).rstrip(), True
                window = window[window.rfind("\n") + 1 :]
                window = window[_HEAD_MARKS.match(window).end() :]  # type: ignore[union-attr]
            else:
                window = window[line + 1 :]
        if "<" in window:
            tags = list(_TAG.finditer(window))
            if tags and not tags[-1][1] and window[tags[-1].end() :].strip(" \"'") == "":
                if tags[-1][2].lower() not in _ELEMENTS:
                    return self.named(tags[-1][2])
                window = _TAG.sub(lambda tag: " " * len(tag[0]), window)
        return self._read(window, headed)

    def named(self, label: str) -> Named | None:
        """Return what a column, key or element of this name holds."""
        words, gaps = split_words(label[-REACH_CHARS:])
        for i in range(len(words) - 1, max(-1, len(words) - 4), -1):
            found = self.ending(words, gaps, i)
            if found is not None:
                fillers = sentence_words()["fillers"]
                if all(word in fillers or word.isdigit() for word in words[i + 1 :]):
                    return Named(found[0], Strength.TIGHT, True)
                return None
        return None

    def _read(self, window: str, headed: bool) -> Named | None:
        words, gaps = split_words(after_sentence(window))
        if not words:
            return None
        vocabulary = sentence_words()
        fillers, links, prepositions, breaks = (
            vocabulary[name] for name in ("fillers", "links", "prepositions", "breaks")
        )
        last = len(words) - 1
        marked = _EXPLICIT.search(gaps[last]) is not None
        comma = "," in gaps[last]
        linked = prepositional = broken = False
        others = figures = 0
        nobody: Named | None = None
        for i in range(last, max(-1, last - _MOST_WORDS), -1):
            word = words[i]
            gap = gaps[i] if i < last else " "
            if gap != " ":
                if ("|" in gap or "\t" in gap) and (others or figures or not prepositional):
                    return nobody
                if not others and not figures and _EXPLICIT.search(gap):
                    marked = True
                comma = comma or "," in gap
            found = self._ending_at(window, words, gaps, i)
            if found is not None:
                named = classified(found, others, figures, marked, linked, prepositional, broken, comma, headed)
                surest = named is not None and named.marked and named.strength is Strength.TIGHT
                if named is None and OF_NOBODY.issuperset(found[0]):
                    nobody = nobody or Named(found[0], Strength.LOOSE)
                    others += 1
                    continue
                if nobody is not None and (named is None or marked or Sort.VERB in named.kinds.values()):
                    return nobody
                if named is None or surest or named.counts:
                    return named
            if word in links and not others:
                linked = True
            elif word in fillers or word == "#":
                prepositional = prepositional or (word in prepositions and not others)
            elif word in prepositions and not others:
                prepositional = True
            elif word[0].isdigit():
                figures += len(word) > 1
                others += 1
            else:
                broken = broken or word in breaks
                others += 1
        return nobody

    def _ending_at(
        self, window: str, words: list[str], gaps: list[str], i: int
    ) -> tuple[Mapping[str, Sort], int] | None:
        """Return what the label that ends with word i names, and its first word; None without one."""
        found = self.ending(words, gaps, i) if words[i] in self.words else None
        if found is None or (found[1] == i and _is_family_name(window, words, gaps, i)):
            return None
        return self._with_head(found, words, gaps)

    def _with_head(
        self, found: tuple[Mapping[str, Sort], int], words: list[str], gaps: list[str]
    ) -> tuple[Mapping[str, Sort], int]:
        """Return what a label names with the one to which it belongs: "password for the account"."""
        kinds, first = found
        if not first:
            return found
        at, vocabulary = first - 1, sentence_words()
        while at > 0 and words[at] in vocabulary["owners"] and gaps[at] == " " and first - at < _MOST_OWNERS:
            at -= 1
        if at < 1 or words[at] not in vocabulary["belongs"] or gaps[at - 1] != " ":
            return found
        head = self.ending(words, gaps, at - 1) if words[at - 1] in self.words else None
        things = {} if head is None else {kind: sort for kind, sort in head[0].items() if sort is not Sort.VERB}
        return ({**things, **kinds, **things}, first) if things else found


def _is_family_name(window: str, words: list[str], gaps: list[str], i: int) -> bool:
    """Tell whether word i is a name after a given one, both with capitals: "Jo Day", "Ana Price"."""
    if not i or gaps[i - 1] != " " or not names_data.look_up(words[i - 1]).given:
        return False
    return f"{words[i - 1].capitalize()} {words[i].capitalize()}" in window


_ANSWERED = re.compile(
    r"(?i)[\s\"'*_]*(?:it(?:['’]s| is)|(?:er|sie|es|das) (?:ist|lautet)|c['’]est|es|è|é|it is|they are) *[\"'*_`:]*\Z"
    r"|[\s\"'*_]*\Z"
)


def _parts(alternative: str) -> list[str]:
    return [fold(word) for word in WORDS.findall(alternative)]


_PARTED = re.compile(f"({WORDS.pattern})")


def split_words(text: str) -> tuple[list[str], list[str]]:
    """Return the folded words of a text, and what stands after each."""
    parts = _PARTED.split(text)
    words = [word.lower() for word in parts[1::2]] if text.isascii() else [fold(word) for word in parts[1::2]]
    return words, parts[2::2] or [text]


def after_sentence(window: str) -> str:
    """Return what stands after the last sentence that ends in it. No dot of a short word ends one."""
    if not ("." in window or "!" in window or "?" in window or ";" in window or "…" in window):
        return window
    start, short = 0, sentence_words()["short"]
    for match in _BREAK.finditer(window):
        if window[match.start()] == ".":
            word = WORDS.findall(window[max(0, match.start() - 12) : match.start()])
            if word and fold(word[-1]) in short:
                continue
        if window[match.start()] == "?" and _ANSWERED.match(window, match.end()):
            return f"{window[start : match.start()]}: "  # "Her PIN? 7036.", "Her PIN? It's 7036."
        start = match.end()
    return window[start:]
