"""The text of a string literal in a tree-sitter tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reticent_bench.audits.code.escapes import decode_escapes, text_block
from reticent_bench.audits.code.language import Language

if TYPE_CHECKING:
    from tree_sitter import Node

STRINGS = frozenset(
    (
        *("string", "concatenated_string", "template_string", "string_literal", "character_literal"),
        *("interpreted_string_literal", "raw_string_literal", "rune_literal"),
    )
)
_INTERPOLATIONS = frozenset({"interpolation", "template_substitution", "string_interpolation"})
_TRIPLE = '"""'


def string_value(node: Node, language: Language) -> str | None:
    """Returns the decoded text of a string literal with `{}` for each interpolation; None if its end is missing."""
    if node.type == "concatenated_string":
        parts = [string_value(child, language) for child in node.named_children if child.type == "string"]
        return "".join(part for part in parts if part is not None)
    if (not node.children and node.type not in ("character_literal", "rune_literal")) or any(
        c.is_missing for c in node.children
    ):
        return None
    if language == "python":
        return _python_value(node)
    inner = _inside(node)
    if node.type == "raw_string_literal":
        return inner.replace("\r", "")
    if node.type == "string_literal" and _text(node).startswith(_TRIPLE):
        return text_block(inner)
    return decode_escapes(inner, language)


def plain_value(node: Node) -> str:
    """Returns the text of a string between its quotes, for a name."""
    return _inside(node) if node.type != "concatenated_string" else "".join(map(plain_value, node.named_children))


def interpolated(node: Node) -> list[Node]:
    """Returns the expressions within a string literal."""
    out: list[Node] = []
    for child in node.named_children:
        if child.type in _INTERPOLATIONS:
            out += [inner for inner in child.named_children if inner.type != "type_conversion"]
        elif child.type in STRINGS or child.type == "string_content":
            out += interpolated(child)
    return out


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _inside(node: Node) -> str:
    """The source between the quotes, with `{}` for each interpolation."""
    text = node.text or b""
    pieces, at = [], 0
    for child in node.named_children:
        if child.type in _INTERPOLATIONS:
            start, end = child.start_byte - node.start_byte, child.end_byte - node.start_byte
            pieces += [text[at:start], b"{}"]
            at = end
    whole = b"".join([*pieces, text[at:]]).decode("utf-8", "replace")
    for quote in (_TRIPLE, "'''", '"', "'", "`"):
        if whole.startswith(quote) and whole.endswith(quote) and len(whole) >= 2 * len(quote):
            return whole[len(quote) : -len(quote)]
    return whole.strip("\"'`")


def _python_value(node: Node) -> str | None:
    first, last = node.children[0], node.children[-1]
    if first.type != "string_start" or last.type != "string_end":
        return None
    prefix = _text(first).rstrip("\"'").lower()
    pieces: list[str] = []
    for child in node.children[1:-1]:
        if child.type in _INTERPOLATIONS:
            pieces.append("{}")
            continue
        piece = _text(child)
        if "f" in prefix:
            piece = piece.replace("{{", "{").replace("}}", "}")
        pieces.append(piece if "r" in prefix else decode_escapes(piece, "python"))
    return "".join(pieces)
