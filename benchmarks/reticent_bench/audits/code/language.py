"""The four programming languages of the audit and their tree-sitter parsers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Literal

from reticent_detectors.errors import InputError, MissingExtra

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree

Language = Literal["python", "javascript", "java", "go"]


@dataclass(frozen=True, slots=True)
class LanguageInfo:
    """What differs between the languages.

    Attributes:
        title: the name in a question.
        test_framework: what a question for unit tests names.
        fences: names behind the opening fence of a Markdown code block.
        comment: what begins a line comment.
        grammar: module of the tree-sitter grammar.
    """

    title: str
    test_framework: str
    fences: frozenset[str]
    comment: str
    grammar: str


LANGUAGES: dict[Language, LanguageInfo] = {
    "python": LanguageInfo(
        "Python", "pytest", frozenset({"python", "py", "python3", "pycon"}), "#", "tree_sitter_python"
    ),
    "javascript": LanguageInfo(
        "JavaScript", "Jest", frozenset({"javascript", "js", "jsx", "mjs", "node"}), "//", "tree_sitter_javascript"
    ),
    "java": LanguageInfo("Java", "JUnit 5", frozenset({"java"}), "//", "tree_sitter_java"),
    "go": LanguageInfo("Go", "the testing package", frozenset({"go", "golang"}), "//", "tree_sitter_go"),
}


def language_info(language: Language) -> LanguageInfo:
    """Returns the row of a language.

    Raises:
        InputError: the language is not one of the four.
    """
    if language not in LANGUAGES:
        raise InputError(f"the language must be one of {', '.join(LANGUAGES)}, got another name; pass one of these")
    return LANGUAGES[language]


@lru_cache(maxsize=len(LANGUAGES))
def parser(language: Language) -> Parser:
    """Returns the tree-sitter parser of a language.

    Raises:
        MissingExtra: tree-sitter or the grammar is not installed.
    """
    module = language_info(language).grammar
    try:
        tree_sitter = import_module("tree_sitter")
    except ImportError:
        raise MissingExtra("tree_sitter", "audit") from None
    try:
        grammar = import_module(module)
    except ImportError:
        raise MissingExtra(module, "audit") from None
    made: Parser = tree_sitter.Parser(tree_sitter.Language(grammar.language()))
    return made


def parse(source: str, language: Language) -> Tree:
    """Parses source text. Lone surrogates become question marks."""
    return parser(language).parse(source.encode("utf-8", errors="replace"))


def nodes(root: Node) -> Iterator[Node]:
    """Yields all nodes of a tree in source order, without recursion."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def parse_errors(source: str, language: Language) -> int:
    """Counts the ERROR and MISSING nodes of the parse tree."""
    root = parse(source, language).root_node
    if not root.has_error:
        return 0
    return sum(node.is_error or node.is_missing for node in nodes(root))
