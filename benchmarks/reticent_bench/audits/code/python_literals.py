"""Literals of Python source that parses, by the syntax tree of the standard library."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence

from reticent_bench.audits.code.literal import (
    KEY,
    KEYED_CALLS,
    OTHER,
    Place,
    SourceLiteral,
    fold_strings,
    number_text,
)

_Work = list[tuple[ast.AST, Place]]
_TRANSPARENT = (
    *(ast.List, ast.Tuple, ast.Set, ast.BoolOp, ast.Starred, ast.Await, ast.UnaryOp, ast.ListComp, ast.SetComp),
    *(ast.GeneratorExp,),
)


def python_literals(source: str) -> list[SourceLiteral] | None:
    """Returns the literals of a source in order, or None where it does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return sorted(_Reader(source).read(tree), key=lambda literal: (literal.start, literal.end))


def _name(node: ast.AST | None) -> str:
    """The last identifier or key of an expression."""
    while True:
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                return name
            case ast.Subscript(slice=ast.Constant(value=str() as key)):
                return key
            case ast.Subscript(value=inner) | ast.Starred(value=inner) | ast.Call(func=inner):
                node = inner
            case ast.Constant(value=str() as key):
                return key
            case ast.Constant(value=int() | float() as number):
                return str(number)
            case _:
                return ""


class _Reader:
    def __init__(self, source: str) -> None:
        # Columns of `ast` are bytes of UTF-8; offsets of literals are characters.
        self._source = source
        self._lines: list[tuple[int, bytes]] = []
        start = 0
        for line in source.encode("utf-8", "surrogatepass").split(b"\n"):
            self._lines.append((start, line))
            start += len(line.decode("utf-8", "surrogatepass")) + 1

    def read(self, tree: ast.Module) -> list[SourceLiteral]:
        out: list[SourceLiteral] = []
        work: _Work = [(tree, OTHER)]
        while work:
            node, place = work.pop()
            if isinstance(node, ast.BinOp):
                operands = _chain(node)
                parts = [self._literal(operand, place) for operand in operands]
                out += fold_strings(parts) if isinstance(node.op, ast.Add) else [part for part in parts if part]
                done = [part is not None for part in parts]
                work += [(operand, place) for operand, is_done in zip(operands, done, strict=True) if not is_done]
                work += [(value, OTHER) for operand in operands for value in _interpolations(operand)]
                continue
            literal = self._literal(node, place)
            if literal is not None:
                out.append(literal)
                work += [(value, OTHER) for value in _interpolations(node)]
            else:
                work += _children(node, place)
        return out

    def _literal(self, node: ast.AST, place: Place) -> SourceLiteral | None:
        match node:
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=ast.Constant(value=int() | float() | complex())):
                text = number_text(self._segment(node))
                return self._made(node, text, place, is_string=False)
            case ast.Constant(value=bool() | None):
                return None
            case ast.Constant(value=str() as text):
                return self._made(node, text, place)
            case ast.Constant(value=bytes() as blob):
                return self._made(node, blob.decode("latin-1"), place)
            case ast.Constant(value=int() | float() | complex()):
                return self._made(node, number_text(self._segment(node)), place, is_string=False)
            case ast.JoinedStr(values=values):
                parts = (str(value.value) if isinstance(value, ast.Constant) else "{}" for value in values)
                return self._made(node, "".join(parts), place)
        return None

    def _made(self, node: ast.expr, text: str, place: Place, is_string: bool = True) -> SourceLiteral:
        start, end = self._range(node)
        return SourceLiteral(text, "string" if is_string else "number", place.role, place.name, start, end)

    def _range(self, node: ast.expr) -> tuple[int, int]:
        last = len(self._lines)
        first_line, end_line = min(node.lineno, last), min(node.end_lineno or node.lineno, last)
        return self._offset(first_line, node.col_offset), self._offset(end_line, node.end_col_offset or 0)

    def _offset(self, line: int, column: int) -> int:
        start, content = self._lines[line - 1]
        return start + len(content[:column].decode("utf-8", "replace"))

    def _segment(self, node: ast.expr) -> str:
        start, end = self._range(node)
        segment = self._source[start:end]
        if segment[:1].isdigit() or segment[:1] in "-+.":
            return segment
        # Ranges within an f-string are wrong before Python 3.12.
        return ast.unparse(node)


def _chain(node: ast.BinOp) -> list[ast.expr]:
    """The operands of a chain of one operator, in source order."""
    operands: list[ast.expr] = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp) and type(left.op) is type(node.op):
        operands.append(left.right)
        left = left.left
    operands.append(left)
    return operands[::-1]


def _interpolations(node: ast.AST) -> list[ast.expr]:
    if not isinstance(node, ast.JoinedStr):
        return []
    return [value.value for value in node.values if isinstance(value, ast.FormattedValue)]


def _assigned(target: ast.AST, value: ast.AST | None) -> _Work:
    """The value of an assignment, and the parts of its target."""
    work: _Work = [(target, OTHER)]
    if value is None:
        return work
    if isinstance(target, ast.Tuple | ast.List):
        work = [(element, OTHER) for element in target.elts]
        is_paired = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts)
        if isinstance(value, ast.Tuple | ast.List) and is_paired:
            for one, element in zip(target.elts, value.elts, strict=True):
                work.append((element, Place("assigned", _name(one))))
            return work
    work.append((value, Place("assigned", _name(target))))
    return work


def _arguments(node: ast.arguments) -> _Work:
    plain = [*node.posonlyargs, *node.args]
    defaults = zip(plain[len(plain) - len(node.defaults) :], node.defaults, strict=True)
    named = zip(node.kwonlyargs, node.kw_defaults, strict=True)
    return [(value, Place("assigned", arg.arg)) for arg, value in (*defaults, *named) if value is not None]


def _call(node: ast.Call, place: Place) -> _Work:
    # A literal that a method is called on keeps the place of the call.
    work: _Work = [(node.func.value, place)] if isinstance(node.func, ast.Attribute) else [(node.func, OTHER)]
    callee = _name(node.func)
    if callee in KEYED_CALLS and len(node.args) == 2 and not node.keywords:
        return [*work, (node.args[0], KEY), (node.args[1], Place("entry", _name(node.args[0])))]
    work += [(argument, Place("argument", f"{callee}:{i}")) for i, argument in enumerate(node.args)]
    for keyword in node.keywords:
        work.append((keyword.value, Place("keyword", keyword.arg) if keyword.arg else OTHER))
    return work


def _compare(node: ast.Compare) -> _Work:
    sides: Sequence[ast.expr] = [node.left, *node.comparators]
    return [(side, Place("compared", _name(sides[i - 1] if i else sides[1]))) for i, side in enumerate(sides)]


def _entries(node: ast.Dict) -> _Work:
    values = zip(node.keys, node.values, strict=True)
    named = [(value, Place("entry", _name(key)) if key else OTHER) for key, value in values]
    return [*((key, KEY) for key in node.keys if key is not None), *named]


def _bound(node: ast.AST) -> _Work | None:
    """Children of a node that gives a value to a name, each with its place, or None for another node."""
    match node:
        case ast.Assign(targets=targets, value=value):
            return _assigned(targets[0], value) + [(target, OTHER) for target in targets[1:]]
        case (
            ast.AnnAssign(target=target, value=value)
            | ast.AugAssign(target=target, value=value)
            | ast.NamedExpr(target=target, value=value)
        ):
            return _assigned(target, value)
        case ast.For(target=target, iter=iterable) | ast.AsyncFor(target=target, iter=iterable):
            body: list[ast.stmt] = [*node.body, *node.orelse]
            return [(iterable, Place("assigned", _name(target))), *((statement, OTHER) for statement in body)]
        case ast.comprehension(target=target, iter=iterable, ifs=tests):
            return [(iterable, Place("assigned", _name(target))), *((test, OTHER) for test in tests)]
        case ast.arguments():
            return _arguments(node)
    return None


def _children(node: ast.AST, place: Place) -> _Work:
    """Children of a node, each with its place."""
    bound = _bound(node)
    if bound is not None:
        return bound
    match node:
        case ast.Call():
            return _call(node, place)
        case ast.Compare():
            return _compare(node)
        case ast.Dict():
            return _entries(node)
        case ast.DictComp(key=key, value=value):
            return [(key, KEY), (value, Place("entry", _name(key))), *((one, OTHER) for one in node.generators)]
        case ast.Subscript(value=value, slice=index):
            return [(value, place), (index, KEY)]
        case ast.Slice():
            return [(child, KEY) for child in ast.iter_child_nodes(node)]
        case ast.IfExp(test=test, body=first, orelse=second):
            return [(test, OTHER), (first, place), (second, place)]
        case ast.Attribute(value=value):
            return [(value, place)]
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            inner = (node.args, *node.decorator_list, *node.body)
            return [(child, OTHER) for child in inner]
    if isinstance(node, _TRANSPARENT):
        return [(child, place) for child in ast.iter_child_nodes(node)]
    return [(child, OTHER) for child in ast.iter_child_nodes(node)]
