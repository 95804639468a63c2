"""Decides whether a JSON schema could force a value out of an answer, digit by digit or piece by piece.

A plain schema names fields and their types, and its texts and numbers are the model's own. A schema that says what a
text looks like, leaves a field one digit's room, or begins a value itself, is a grammar. The line:

    free                                              needs `grammar`
    text, number, integer, boolean, null              `pattern`, `patternProperties`, a text of less than 8 characters
    `enum` and `const` of words                       of numbers, or of texts with digits or @
    a few single letters (A to E), a few digit words  more than 5 single letters or 2 digit words, in all of the schema
    whole numbers with wide bounds (0 to 100)         one digit (`maximum` 9), or bounds that begin a number
    names of fields                                   names of digits alone, or with more than 4 digits
    `$ref` within the schema                          any other, and what a `$ref` leads to as if it stood there

Words can still say something of a value ("even", "odd"), as can yes and no.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from reticent.serve.wire.sse import FrameError, parse_json
from reticent_detectors.finder.disguises.spelling_words import DIGITS

_LEAST_CHARS = 8
_MOST_LETTERS = 5
_MOST_DIGIT_WORDS = 2
_MOST_NAME_DIGITS = 4
_DIGIT_WORDS = {word: digit for digit, row in enumerate(DIGITS) for word in row.split()}
_WORD = re.compile(r"[^\W\d_]+")
_ADDRESS = re.compile(r"\w@")
_MAPS = frozenset({"properties", "$defs", "definitions", "dependentSchemas"})
"""Keywords that map names to schemas."""
_FORMS = frozenset({"pattern", "patternProperties", "x-guidance", "%llguidance", "$dynamicRef", "$recursiveRef"})
_CHOSEN = ("enum", "const")
_WRAPPERS = ("json_schema", "schema")


class _Forces(Exception):
    """Says that the schema could force a value."""


def forces_values(form: Any) -> bool:
    """Says whether a schema, as an object, as a text or within a request's format, could force a value."""
    if form is None or isinstance(form, bool):
        return False
    if isinstance(form, str):
        try:
            form, twice = parse_json(form)
        except FrameError:
            return True
        if twice:
            return True
    if not isinstance(form, dict):
        return True
    try:
        for root in _roots(form):
            _Schema(root).check()
    except (_Forces, RecursionError):
        return True
    return False


def _roots(form: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields a format's schemas: what stands under a wrapper's name, and all else."""
    wrapped = [form[name] for name in _WRAPPERS if name in form and form[name] is not None]
    for inner in wrapped:
        if isinstance(inner, str):
            try:
                inner, _ = parse_json(inner)
            except FrameError:
                raise _Forces from None
        if isinstance(inner, dict):
            yield from _roots(inner)
        elif not isinstance(inner, bool):
            raise _Forces
    yield {name: value for name, value in form.items() if name not in _WRAPPERS or not wrapped}


class _Schema:
    """Checks one schema. All of it shares the words that it may be spelled with."""

    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self._seen: set[int] = set()
        self._letters: set[str] = set()
        self._digit_words: set[int] = set()

    def check(self) -> None:
        """Raises _Forces."""
        self._schema(self._root)

    def _schema(self, value: Any) -> None:
        if isinstance(value, list):
            for each in value:
                self._schema(each)
        if not isinstance(value, dict) or id(value) in self._seen:
            return
        self._seen.add(id(value))
        if any(value.get(name) is not None for name in _FORMS):
            raise _Forces
        self._lengths(value)
        self._bounds(value)
        for name in _CHOSEN:
            if name in value:
                self._chosen(value[name])
        if "$ref" in value:
            self._schema(self._referred(value["$ref"]))
        for name, each in value.items():
            if name in _MAPS and isinstance(each, dict):
                for key, inner in each.items():
                    if name == "properties":
                        self._name(key)
                    self._schema(inner)
            elif name == "required" and isinstance(each, list):
                for key in each:
                    self._name(key)
            elif name not in _CHOSEN:
                self._schema(each)

    def _lengths(self, value: dict[str, Any]) -> None:
        most = value.get("maxLength")
        if most is not None and (not _is_number(most) or most < _LEAST_CHARS):
            raise _Forces

    def _bounds(self, value: dict[str, Any]) -> None:
        """Raises _Forces for a whole number with room for one digit, or whose first digits are given."""
        kinds, step = value.get("type"), value.get("multipleOf")
        if step is not None and not _is_number(step):
            raise _Forces
        low, high = (
            [value[name] for name in names if value.get(name) is not None and not isinstance(value[name], bool)]
            for names in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum"))
        )
        if not all(map(_is_number, (*low, *high))):
            raise _Forces
        least, most = max(low, default=None), min(high, default=None)
        named = kinds if isinstance(kinds, list) else [kinds]
        is_whole = "number" not in named or "integer" in named or (step is not None and step >= 1)
        if is_whole and most is not None and (most < 10 or (least is not None and most - least <= 11)):
            raise _Forces
        for near, far in ((least, most), (None if most is None else -most, None if least is None else -least)):
            if near is not None and far is not None and near >= 10_000 and far < 10 * near:
                raise _Forces

    def _chosen(self, value: Any) -> None:
        if isinstance(value, dict):
            for key, each in value.items():
                self._name(key)
                self._chosen(each)
        elif isinstance(value, list):
            for each in value:
                self._chosen(each)
        elif isinstance(value, str):
            for word in (value, *_WORD.findall(value)):
                self._word(word)
            if any(map(_is_digit, value)) or _ADDRESS.search(value):
                raise _Forces
        elif value is not None and not isinstance(value, bool):
            raise _Forces

    def _name(self, key: Any) -> None:
        if not isinstance(key, str):
            raise _Forces
        digits = sum(map(_is_digit, key))
        if digits > _MOST_NAME_DIGITS or (digits and not any(map(str.isalpha, key))) or _ADDRESS.search(key):
            raise _Forces
        self._word(key)

    def _word(self, word: str) -> None:
        """Notes a word that digits or letters may be spelled with. Raises _Forces for too many of them."""
        word = word.strip().casefold()
        if len(word) == 1:
            self._letters.add(word)
        if (digit := _DIGIT_WORDS.get(word)) is not None:
            self._digit_words.add(digit)
        if len(self._letters) > _MOST_LETTERS or len(self._digit_words) > _MOST_DIGIT_WORDS:
            raise _Forces

    def _referred(self, pointer: Any) -> Any:
        if not isinstance(pointer, str) or not (pointer == "#" or pointer.startswith("#/")):
            raise _Forces
        value: Any = self._root
        for step in pointer[2:].split("/") if pointer != "#" else ():
            name = unquote(step).replace("~1", "/").replace("~0", "~")
            if isinstance(value, dict) and name in value:
                value = value[name]
            elif isinstance(value, list) and name.isdigit() and int(name) < len(value):
                value = value[int(name)]
            else:
                raise _Forces
        return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_digit(char: str) -> bool:
    return unicodedata.category(char) in ("Nd", "Nl", "No")
