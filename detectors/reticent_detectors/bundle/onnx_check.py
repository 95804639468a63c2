"""Checks what an ONNX file contains, from its protobuf wire format alone."""

from __future__ import annotations

import os
from collections.abc import Iterator

from reticent_detectors.errors import BundleCorrupt

REMEDY = "fetch or build the bundle again"
"""What to do about a damaged bundle; ends the messages of its errors."""

_ALLOWED_DOMAINS = frozenset({b"", b"ai.onnx"})
# Protobuf field numbers on the way to a tensor: ModelProto.graph, GraphProto.node/initializer/sparse_initializer,
# NodeProto.attribute, AttributeProto.t/g/tensors/graphs/sparse_tensor(s), SparseTensorProto.values/indices.
_INNER: dict[str, dict[int, str]] = {
    "model": {7: "graph", 8: "opset", 25: "function"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "function": {7: "node", 9: "opset"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
}


def check_onnx(data: bytes, path: str | os.PathLike[str] = "detector.onnx") -> None:
    """Raises BundleCorrupt unless the graph parses, keeps all weights inside and uses standard operators only.

    Reads the protobuf wire format directly: the runtime needs no `onnx` package for it, and onnxruntime would follow
    external data to any file.
    """
    try:
        _check_message(memoryview(data), "model", depth=0)
    except _ForbiddenOnnx as error:
        raise BundleCorrupt(f"{path} {error}; export it again as one file with standard operators") from None
    except (IndexError, ValueError):
        raise BundleCorrupt(f"{path} is no readable ONNX file; {REMEDY}") from None


class _ForbiddenOnnx(Exception):
    """Found something that a bundle's graph may not contain."""


def _check_message(message: memoryview, kind: str, depth: int) -> None:
    if depth > 32:
        raise ValueError("nested too deeply")
    inner = _INNER.get(kind, {})
    seen: set[int] = set()
    for number, value in _fields(message):
        seen.add(number)
        if kind == "tensor" and (number == 13 or (number == 14 and value != 0)):
            raise _ForbiddenOnnx("keeps weights in another file (external data)")
        if kind == "opset" and number == 1 and bytes(_as_bytes(value)) not in _ALLOWED_DOMAINS:
            raise _ForbiddenOnnx("needs custom operators")
        if kind == "node" and number == 7 and bytes(_as_bytes(value)) not in _ALLOWED_DOMAINS:
            raise _ForbiddenOnnx("needs custom operators")
        if number in inner:
            _check_message(_as_bytes(value), inner[number], depth + 1)
    if kind == "model" and not {7, 8} <= seen:
        raise ValueError("no graph or no operator set")


def _as_bytes(value: int | memoryview) -> memoryview:
    if isinstance(value, int):
        raise ValueError("expected a length-delimited field")
    return value


def _fields(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """Reads field numbers and values of one protobuf message."""
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        number, wire = tag >> 3, tag & 7
        if wire == 0:
            value, at = _varint(message, at)
            yield number, value
            continue
        if wire == 2:
            length, at = _varint(message, at)
        elif wire in (1, 5):
            length = 8 if wire == 1 else 4
        else:
            raise ValueError("unknown wire type")
        if length > len(message) - at:
            raise ValueError("truncated")
        yield number, message[at : at + length]
        at += length


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
        if shift > 63:
            raise ValueError("number too long")
