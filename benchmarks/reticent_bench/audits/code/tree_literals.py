"""Literals of source text by tree-sitter, for code that may be cut or broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reticent_bench.audits.code import tree_strings
from reticent_bench.audits.code.language import Language, parse
from reticent_bench.audits.code.literal import OTHER, Place, SourceLiteral, fold_strings, number_text
from reticent_bench.audits.code.tree_places import (
    BINARY,
    NUMBERS,
    RULES,
    SKIPPED,
    TRANSPARENT,
    UNARY,
    node_text,
    operator_of,
    plus_chain,
    without_brackets,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_Work = list[tuple["Node", Place]]


def tree_literals(source: str, language: Language) -> list[SourceLiteral]:
    """Returns the literals of a source in order.

    Raises:
        MissingExtra: tree-sitter or the grammar is not installed.
    """
    root = parse(source, language).root_node
    reader = _Reader(source, language)
    return sorted(reader.read(root), key=lambda literal: (literal.start, literal.end))


class _Reader:
    def __init__(self, source: str, language: Language) -> None:
        self._language: Language = language
        # Offsets of tree-sitter are bytes of UTF-8; offsets of literals are characters.
        self._bytes = source.encode("utf-8", errors="replace")
        self._is_ascii = len(self._bytes) == len(source)

    def read(self, root: Node) -> list[SourceLiteral]:
        out: list[SourceLiteral] = []
        work: _Work = [(root, OTHER)]
        while work:
            node, place = work.pop()
            if node.type in SKIPPED or node.is_missing:
                continue
            if node.type in BINARY and operator_of(node) == "+":
                operands = plus_chain(node)
                out += fold_strings([self._literal(without_brackets(operand), place) for operand in operands])
                for operand in map(without_brackets, operands):
                    is_literal = self._literal(operand, place) is not None
                    work += (
                        [(child, OTHER) for child in tree_strings.interpolated(operand)]
                        if is_literal
                        else [(operand, place)]
                    )
                continue
            literal = self._literal(node, place)
            if literal is not None:
                out.append(literal)
                work += [(child, OTHER) for child in tree_strings.interpolated(node)]
            else:
                work += self._children(node, place)
        return out

    def _literal(self, node: Node, place: Place) -> SourceLiteral | None:
        if node.type in tree_strings.STRINGS:
            value = tree_strings.string_value(node, self._language)
            return None if value is None else self._made(node, value, place, is_string=True)
        if node.type in NUMBERS:
            return self._made(node, number_text(node_text(node)), place, is_string=False)
        is_signed = node.type in UNARY and operator_of(node) in ("-", "+") and bool(node.named_children)
        if is_signed and node.named_children[-1].type in NUMBERS:
            return self._made(node, number_text(node_text(node)), place, is_string=False)
        return None

    def _made(self, node: Node, value: str, place: Place, is_string: bool) -> SourceLiteral:
        kind = "string" if is_string else "number"
        start, end = self._offset(node.start_byte), self._offset(node.end_byte)
        return SourceLiteral(value, kind, place.role, place.name, start, end)  # type: ignore[arg-type]

    def _offset(self, byte: int) -> int:
        return byte if self._is_ascii else len(self._bytes[:byte].decode("utf-8", "replace"))

    def _children(self, node: Node, place: Place) -> _Work:
        rule = RULES.get(node.type)
        if rule is not None:
            return rule(node, place)
        passed = place if node.type in TRANSPARENT else OTHER
        return [(child, passed) for child in node.named_children]
