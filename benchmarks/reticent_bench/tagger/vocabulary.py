"""Choose the tagger's pieces: those of a checkpoint's vocabulary that texts use most."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from reticent_detectors.finder.tagger.pieces import BLANK, Pieces
from reticent_detectors.finder.tagger.words import words_of


def load_pieces(file: Path) -> Pieces:
    """Read a vocabulary."""
    return Pieces(json.loads(file.read_text(encoding="utf-8")))


def save_pieces(pieces: Pieces, file: Path) -> None:
    """Write a vocabulary as `load_pieces` reads it."""
    file.write_text(json.dumps(pieces.vocabulary, ensure_ascii=False), encoding="utf-8")


def fewer(checkpoint: Path, texts: Iterable[str], size: int) -> tuple[Pieces, NDArray[Any]]:
    """Take the pieces that texts use most out of a checkpoint's vocabulary, and all single characters among them.

    Returns:
        the pieces, and the row of each in the checkpoint's table, [size].
    """
    tokenizer = Tokenizer.from_file(str(checkpoint / "tokenizer.json"))
    made = json.loads((checkpoint / "tokenizer.json").read_text(encoding="utf-8"))["model"]
    whole, unknown = made["vocab"], int(made["unk_id"])
    counted, characters = Counter[int](), Counter[str]()
    known: dict[str, list[int]] = {}
    for text in texts:
        for start, end, spaced in words_of(text):
            word = unicodedata.normalize("NFKC", text[start:end])
            key = BLANK + word if spaced else word
            if key not in known:
                known[key] = [token.id for token in tokenizer.model.tokenize(key)]
            counted.update(known[key])
            characters.update(word)
    rows = {piece: place for place, (piece, _) in enumerate(whole)}
    kept = {rows[c] for c in [*characters, BLANK] if c in rows}
    for place, _ in counted.most_common():
        if len(kept) >= size - 1:
            break
        kept.add(place)
    kept.discard(unknown)
    order = [unknown, *sorted(kept)]
    return Pieces([(whole[place][0], whole[place][1]) for place in order]), np.array(order)
