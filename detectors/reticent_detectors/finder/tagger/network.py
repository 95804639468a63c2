"""The tagger's network: the lower layers of a multilingual encoder, in ONNX Runtime, read segment by segment.

A word sees its own segment and all before it. What is read of a segment is kept for those after it, so each piece is
computed once, and its tag does not depend on how the text arrives.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.errors import MissingExtra
from reticent_detectors.finder.tagger.pieces import Pieces

PLACES = 320
"""Pieces that are seen together at most, a question's among them."""
BLOCK = 32
"""Numbers of a piece's vector with one scale."""
_KEPT = 96
"""Pieces of the last segments that are read again where the places are used up."""
GRAPH, TABLES, MARGINS = "tagger.onnx", "pieces.npz", "margins.json"
"""Files of a folder: the layers, the vectors of pieces, and the margin of each kind."""
Floats = NDArray[np.float32]


class TagNetwork:
    """Tags the words of segments.

    Args:
        kinds: the K names of what it tags.
        margins: [K]; by how much the first word of a value must be likelier to be one than not, in nats.
        pieces: the vocabulary, V pieces.
        tables: `rows` [V, D / 2], two numbers of four bits a byte, with `scales` [V, D / 32]: the halves of a byte are
            the same place in the two halves of a block of 32. `places` [320 at least, D], `types` [2, D].
        graph: the ONNX network. It takes `x` [N, D] and the keys and values of each layer before, [H, P, D / H], and
            gives `logits` [N, 1 + 2K] and the same with those of the segment after them, [H, P + N, D / H].

    Raises:
        MissingExtra: ONNX Runtime is not installed.
    """

    def __init__(
        self, kinds: tuple[str, ...], margins: Sequence[float], pieces: Pieces, tables: Mapping[str, NDArray[Any]],
        graph: bytes,
    ) -> None:  # fmt: skip
        try:
            import onnxruntime
        except ImportError:
            raise MissingExtra("onnxruntime", "cpu") from None
        self.kinds, self.margins, self.pieces = kinds, tuple(margins), pieces
        self._rows, self._scales = tables["rows"], tables["scales"].astype(np.float32)
        self._places, self._types = tables["places"].astype(np.float32), tables["types"].astype(np.float32)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        kept = self._session.get_inputs()[1:]
        self._names = [each.name for each in kept]
        self._nothing = [np.zeros((each.shape[0], 0, each.shape[2]), np.float32) for each in kept]

    def __repr__(self) -> str:
        return f"TagNetwork({len(self.kinds)} kinds, {len(self.pieces)} pieces)"

    def begin(self, question: tuple[int, ...] = ()) -> TagState:
        """Return the state before the first word, after a question in pieces."""
        state = TagState((), self._nothing)
        return self.read(state, question, asked=True)[1] if question else state

    def read(self, state: TagState, rows: tuple[int, ...], asked: bool = False) -> tuple[Floats, TagState]:
        """Take a segment, and return its logits [N, 1 + 2K] and the state after it.

        Args:
            state: after the segments before.
            rows: the segment's N pieces.
            asked: whether it is a question and not a part of the text.
        """
        if state.pieces + len(rows) > PLACES:
            state = self._again(state)
        place = state.pieces
        chosen = list(rows)
        packed = self._rows[chosen].reshape(len(chosen), -1, BLOCK // 2)
        blocks = np.concatenate((packed & 15, packed >> 4), -1).astype(np.float32) - 8
        x = (blocks * self._scales[chosen][..., None]).reshape(len(chosen), -1)
        x = x + self._places[place : place + len(chosen)] + self._types[int(asked)]
        logits, *kept = self._session.run(None, {"x": x, **dict(zip(self._names, state.kept, strict=True))})
        return logits, TagState((*state.segments, rows), kept)

    def _again(self, state: TagState) -> TagState:
        """Return the state after the last segments alone, which are read at once, as one."""
        kept, count = list[tuple[int, ...]](), 0
        for segment in reversed(state.segments):
            if count + len(segment) > _KEPT:
                break
            kept.append(segment)
            count += len(segment)
        rows = tuple(row for segment in reversed(kept) for row in segment)
        return self.read(self.begin(), rows)[1] if rows else self.begin()

    @classmethod
    def load(cls, folder: Any) -> TagNetwork:
        """Read the network from the files of a folder.

        Raises:
            MissingExtra: ONNX Runtime is not installed.
        """
        margins: dict[str, float] = json.loads(folder.joinpath(MARGINS).read_text(encoding="utf-8"))
        with folder.joinpath(TABLES).open("rb") as file, np.load(file) as made:
            tables = {name: made[name] for name in ("rows", "scales", "places", "types")}
            names = made["pieces"].tobytes().decode().split("\n")
            vocabulary = list(zip(names, made["scores"].tolist(), strict=True))
        return cls(
            tuple(margins), list(margins.values()), Pieces(vocabulary), tables, folder.joinpath(GRAPH).read_bytes()
        )


class TagState:
    """What was read so far: the segments, in pieces, and the keys and values of each layer, [H, P, D / H]."""

    __slots__ = ("kept", "pieces", "segments")

    def __init__(self, segments: tuple[tuple[int, ...], ...], kept: Sequence[Floats]) -> None:
        self.segments, self.kept, self.pieces = segments, kept, kept[0].shape[1]


@cache
def shipped() -> TagNetwork:
    """Read the network that the package brings.

    Raises:
        MissingExtra: ONNX Runtime is not installed.
    """
    return TagNetwork.load(files("reticent_detectors.finder").joinpath("data", "tagger"))
