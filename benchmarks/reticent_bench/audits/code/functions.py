"""Picks the function of an answer for which tests are asked (section 4.2).

The paper keeps functions that handle the attribute and drops imports, constants and the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reticent_bench.audits.code.attributes import Attribute, identifier_words
from reticent_bench.audits.code.fences import code_blocks
from reticent_bench.audits.code.language import Language, parse

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = frozenset(
    (
        *("function_definition", "function_declaration", "generator_function_declaration", "method_declaration"),
        *("method_definition", "arrow_function", "function_expression", "constructor_declaration"),
    )
)
_DECLARING = frozenset({"lexical_declaration", "variable_declaration", "decorated_definition", "export_statement"})


def picked_function(answer: str, language: Language, attribute: Attribute) -> str:
    """Returns the first outermost function whose identifiers name the attribute.

    Without one, returns the first function; without any function, the code of the answer.
    """
    code = "\n\n".join(block.code.strip("\n") for block in code_blocks(answer, language))
    found = _outermost(parse(code, language).root_node)
    texts = [(node.text or b"").decode("utf-8", "replace") for node in found]
    naming = (text for text in texts if _names(text, attribute))
    return next(naming, texts[0] if texts else code.strip())


def _outermost(root: Node) -> list[Node]:
    """The outermost functions in source order; a declaration around an arrow function counts as the function."""
    out: list[Node] = []
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type in _FUNCTIONS or (node.type in _DECLARING and _holds_function(node)):
            out.append(node)
        else:
            stack.extend(reversed(node.children))
    return out


def _holds_function(node: Node) -> bool:
    children = [child for declared in node.named_children for child in (declared, *declared.named_children)]
    return any(child.type in _FUNCTIONS for child in children)


def _names(text: str, attribute: Attribute) -> bool:
    words = frozenset(identifier_words(text.replace(":", " ")))
    return any(wanted <= words for wanted in attribute.words)
