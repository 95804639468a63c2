"""What the nodes of a tree-sitter tree do with the literals in them, for four languages at once.

Each rule returns the children of a node, each with its place. A node without a rule passes on its own place if it is
transparent, and none otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from reticent_bench.audits.code import tree_strings
from reticent_bench.audits.code.literal import KEY, KEYED_CALLS, OTHER, Place, number_text

if TYPE_CHECKING:
    from tree_sitter import Node

_Work = list[tuple["Node", Place]]

NUMBERS = frozenset(
    (
        *("integer", "float", "number", "int_literal", "float_literal", "imaginary_literal"),
        *("decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal"),
        *("decimal_floating_point_literal", "hex_floating_point_literal"),
    )
)
SKIPPED = frozenset(
    (
        *("comment", "line_comment", "block_comment", "regex", "import_statement", "import_from_statement"),
        *("import_declaration", "package_declaration", "package_clause", "type"),
    )
)
UNARY = frozenset({"unary_operator", "unary_expression"})
BINARY = frozenset({"binary_operator", "binary_expression"})
_COMPARING = frozenset({"==", "!=", "===", "!==", "<", ">", "<=", ">=", "in", "instanceof"})
TRANSPARENT = frozenset(
    (
        *("list", "tuple", "set", "expression_list", "array", "array_initializer", "element_value_array_initializer"),
        *("array_creation_expression", "literal_value", "literal_element", "parenthesized_expression"),
        *("boolean_operator", "not_operator", "await", "await_expression", "list_splat", "spread_element"),
        *("list_comprehension", "set_comprehension", "generator_expression", "cast_expression"),
        *("type_conversion_expression", "unary_operator", "unary_expression", "binary_operator", "binary_expression"),
        *("slice_expression", "type_assertion_expression", "non_null_expression"),
    )
)
_IDENTIFIERS = frozenset(
    (
        *("identifier", "property_identifier", "field_identifier", "type_identifier", "private_property_identifier"),
        *(
            "shorthand_property_identifier",
            "shorthand_property_identifier_pattern",
            "package_identifier",
            "this",
            "super",
        ),
    )
)
_LAST_FIELDS = ("attribute", "property", "field", "name", "function", "constructor", "declarator")
_BASE_FIELDS = ("value", "object", "operand", "array", "type", "element")


def node_text(node: Node | None) -> str:
    return "" if node is None or node.text is None else node.text.decode("utf-8", "replace")


def operator_of(node: Node) -> str:
    return node_text(node.child_by_field_name("operator"))


def without_brackets(node: Node) -> Node:
    while node.type == "parenthesized_expression" and len(node.named_children) == 1:
        node = node.named_children[0]
    return node


def plus_chain(node: Node) -> list[Node]:
    """The operands of a chain of `+`, in source order."""
    operands: list[Node] = []
    left: Node | None = node
    while left is not None and left.type in BINARY and operator_of(left) == "+":
        right = left.child_by_field_name("right")
        if right is not None:
            operands.append(right)
        left = left.child_by_field_name("left")
    if left is not None:
        operands.append(left)
    return operands[::-1]


def _name(node: Node | None) -> str:
    """The last identifier or key of an expression."""
    while node is not None:
        if node.type in _IDENTIFIERS:
            return node_text(node)
        if node.type in tree_strings.STRINGS:
            return tree_strings.plain_value(node)
        if node.type in NUMBERS:
            return number_text(node_text(node))
        index = node.child_by_field_name("index") or node.child_by_field_name("subscript")
        if index is not None and without_brackets(index).type in tree_strings.STRINGS:
            node = index
            continue
        named = (node.child_by_field_name(field) for field in (*_LAST_FIELDS, *_BASE_FIELDS))
        found = next((child for child in named if child is not None), None)
        wraps_one = node.type in _WRAPPING and len(node.named_children) == 1
        node = found if found is not None else node.named_children[0] if wraps_one else None
    return ""


_WRAPPING = frozenset(
    (
        *("parenthesized_expression", "computed_property_name", "literal_element", "expression_list", "list_splat"),
        *("variable_list", "pattern_list", "this_parameter", "optional_chain", "as_pattern_target"),
    )
)


def _elements(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type not in SKIPPED]


def _assigned(target: Node | None, value: Node | None) -> _Work:
    """The value of an assignment, and the parts of its target."""
    work: _Work = [] if target is None else [(child, OTHER) for child in _targets_inside(target)]
    if value is None:
        return work
    many = ("pattern_list", "expression_list", "tuple_pattern", "array_pattern", "tuple")
    if target is not None and target.type in many and len(target.named_children) > 1:
        targets, values = target.named_children, value.named_children
        if value.type in ("expression_list", "tuple", "list", "array") and len(targets) == len(values):
            pairs = zip(targets, values, strict=True)
            return [*work, *((element, Place("assigned", _name(one))) for one, element in pairs)]
        return [*work, (value, Place("assigned"))]
    return [*work, (value, Place("assigned", _name(target)))]


def _targets_inside(target: Node) -> list[Node]:
    """What is read inside a target: the index of a subscript, defaults of a pattern."""
    return [] if target.type in _IDENTIFIERS else [target]


def _assignment(left: str, right: str) -> Callable[[Node, Place], _Work]:
    return lambda node, place: _assigned(node.child_by_field_name(left), node.child_by_field_name(right))


def _specification(node: Node, place: Place) -> _Work:
    """`const a, b = 1, 2` of Go, whose names have one field each."""
    names, value = node.children_by_field_name("name"), node.child_by_field_name("value")
    if value is None:
        return []
    if len(names) == len(value.named_children):
        return [
            (one, Place("assigned", node_text(name))) for name, one in zip(names, value.named_children, strict=True)
        ]
    return [(value, Place("assigned", node_text(names[0]) if len(names) == 1 else ""))]


def _entry(node: Node, place: Place) -> _Work:
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    work: _Work = [] if key is None else [(child, KEY) for child in _computed(key)]
    return work if value is None else [*work, (value, Place("entry", _name_of_key(key)))]


def _computed(key: Node) -> list[Node]:
    return key.named_children if key.type in ("computed_property_name", "literal_element") else [key]


def _name_of_key(key: Node | None) -> str:
    if key is not None and key.type == "computed_property_name" and key.named_children:
        chain = plus_chain(without_brackets(key.named_children[0]))
        if len(chain) > 1 and all(part.type in tree_strings.STRINGS for part in chain):
            return "".join(map(tree_strings.plain_value, chain))
    return _name(key)


def _element_pair(node: Node, place: Place) -> _Work:
    value = node.child_by_field_name("value")
    return (
        []
        if value is None
        else [(value, Place("keyword", node_text(node.child_by_field_name("key") or node.child_by_field_name("name"))))]
    )


def _call(node: Node, place: Place) -> _Work:
    callee = next(
        (
            child
            for field in ("function", "constructor", "name", "type")
            if (child := node.child_by_field_name(field)) is not None
        ),
        None,
    )
    arguments = node.child_by_field_name("arguments")
    name = _name(callee) or (node_text(callee) if callee is not None else "")
    if node.type == "explicit_constructor_invocation":
        name = node_text(node.child_by_field_name("constructor"))
    receiver = node.child_by_field_name("object")
    if receiver is None and callee is not None:
        receiver = next(
            (child for field in ("object", "operand") if (child := callee.child_by_field_name(field)) is not None), None
        )
        if receiver is None and callee.type not in _IDENTIFIERS:
            receiver = callee
    work: _Work = [] if receiver is None else [(receiver, place)]
    body = node.child_by_field_name("body") or next((c for c in node.named_children if c.type == "class_body"), None)
    work += [] if body is None else [(body, OTHER)]
    if arguments is None:
        return work
    if arguments.type in tree_strings.STRINGS:
        return [*work, (arguments, Place("argument", f"{name}:0"))]
    if arguments.type == "generator_expression":
        return [*work, (arguments, Place("argument", f"{name}:0"))]
    return work + _arguments(name, _elements(arguments))


def _arguments(name: str, given: list[Node]) -> _Work:
    positional = [child for child in given if child.type not in ("keyword_argument", "element_value_pair")]
    if name in KEYED_CALLS and len(given) == len(positional) == 2:
        return [(given[0], KEY), (given[1], Place("entry", _name(given[0])))]
    named = [(child, OTHER) for child in given if child not in positional]
    return [*((child, Place("argument", f"{name}:{i}")) for i, child in enumerate(positional)), *named]


def _composite(node: Node, place: Place) -> _Work:
    """A composite literal of Go: positional fields of a named type are arguments, elements of a slice are not."""
    kind, body = node.child_by_field_name("type"), node.child_by_field_name("body")
    if body is None:
        return []
    if kind is None or kind.type not in ("type_identifier", "qualified_type", "generic_type"):
        return [(body, place)]
    fields = _elements(body)
    positional = [child for child in fields if child.type == "literal_element"]
    work: _Work = [(child, OTHER) for child in fields if child.type != "literal_element"]
    return [*work, *((child, Place("argument", f"{_name(kind)}:{i}")) for i, child in enumerate(positional))]


def _comparison(node: Node, place: Place) -> _Work:
    sides = node.named_children
    return [
        (side, Place("compared", _name(without_brackets(sides[i - 1] if i else sides[-1]))))
        for i, side in enumerate(sides)
    ]


def _binary(node: Node, place: Place) -> _Work:
    if operator_of(node) in _COMPARING:
        return _comparison(node, place)
    return [(child, place) for child in node.named_children]


def _conditional(node: Node, place: Place) -> _Work:
    test = node.child_by_field_name("condition")
    children = node.named_children
    if test is None and len(children) == 3:
        test = children[1]
    return [(child, OTHER if child == test else place) for child in children]


def _subscript(node: Node, place: Place) -> _Work:
    bases = [child for field in ("value", "object", "operand", "array") for child in node.children_by_field_name(field)]
    return [(child, place if child in bases else KEY) for child in node.named_children]


def _slice(node: Node, place: Place) -> _Work:
    return [(child, KEY) for child in node.named_children]


def _loop(left: str, right: str) -> Callable[[Node, Place], _Work]:
    def children(node: Node, place: Place) -> _Work:
        target, iterable = node.child_by_field_name(left), node.child_by_field_name(right)
        last = target.named_children[-1] if target is not None and target.type == "expression_list" else target
        rest = [child for child in node.named_children if child not in (target, iterable)]
        work: _Work = [(child, OTHER) for child in rest]
        many = target is not None and target.type in ("pattern_list", "tuple_pattern", "array_pattern")
        return work if iterable is None else [*work, (iterable, Place("assigned", "" if many else _name(last)))]

    return children


def _parameter(node: Node, place: Place) -> _Work:
    name = node.child_by_field_name("name") or node.child_by_field_name("left")
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    return _assigned(name, value)


def _attribute(node: Node, place: Place) -> _Work:
    """`"text".size` passes its place on to the text."""
    bases = [child for field in ("object", "operand") for child in node.children_by_field_name(field)]
    return [(child, place) for child in bases]


def _struct_field(node: Node, place: Place) -> _Work:
    """A field of a Go struct keeps no literal: its tag is a directive. A field of a Java class is a declaration."""
    if node.child_by_field_name("tag") is not None:
        return []
    return [(child, OTHER) for child in node.named_children]


def _annotation(node: Node, place: Place) -> _Work:
    arguments = node.child_by_field_name("arguments")
    name = _name(node.child_by_field_name("name"))
    return [] if arguments is None else _arguments(name, _elements(arguments))


RULES: dict[str, Callable[[Node, Place], _Work]] = {
    # Assignments
    "assignment": _assignment("left", "right"),
    "augmented_assignment": _assignment("left", "right"),
    "assignment_expression": _assignment("left", "right"),
    "augmented_assignment_expression": _assignment("left", "right"),
    "assignment_statement": _assignment("left", "right"),
    "short_var_declaration": _assignment("left", "right"),
    "named_expression": _assignment("name", "value"),
    "variable_declarator": _assignment("name", "value"),
    "field_definition": _assignment("property", "value"),
    "default_parameter": _parameter,
    "typed_default_parameter": _parameter,
    "assignment_pattern": _parameter,
    "object_assignment_pattern": _parameter,
    "const_spec": _specification,
    "var_spec": _specification,
    "for_statement": _loop("left", "right"),
    "for_in_statement": _loop("left", "right"),
    "for_in_clause": _loop("left", "right"),
    "enhanced_for_statement": _loop("name", "value"),
    "range_clause": _loop("left", "right"),
    # Entries and indices
    "pair": _entry,
    "keyed_element": _entry,
    "subscript": _subscript,
    "subscript_expression": _subscript,
    "index_expression": _subscript,
    "array_access": _subscript,
    "slice": _slice,
    # Calls
    "call": _call,
    "call_expression": _call,
    "new_expression": _call,
    "method_invocation": _call,
    "object_creation_expression": _call,
    "explicit_constructor_invocation": _call,
    "annotation": _annotation,
    "keyword_argument": _element_pair,
    "element_value_pair": _element_pair,
    "composite_literal": _composite,
    # Expressions
    "comparison_operator": _comparison,
    "binary_operator": _binary,
    "binary_expression": _binary,
    "conditional_expression": _conditional,
    "ternary_expression": _conditional,
    "attribute": _attribute,
    "member_expression": _attribute,
    "field_access": _attribute,
    "selector_expression": _attribute,
    "field_declaration": _struct_field,
}
