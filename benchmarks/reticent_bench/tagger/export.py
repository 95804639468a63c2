"""Write a trained tagger as the finder reads it: its layers as an ONNX graph in int8, its pieces in four bits.

    python -m reticent_bench.tagger.export RUN CHECKPOINT [FOLDER]      # then: python -m reticent_bench.tagger.margins

Before anything is written, the graph has to give the logits of the trained network on held-out texts, read segment by
segment, within the tolerance of int8.
"""

from __future__ import annotations

import argparse
import io
import json
import tempfile
import warnings
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import nn

from reticent_bench.tagger.network import Reader, empty
from reticent_bench.tagger.samples import batch, sample
from reticent_bench.tagger.sets import read_held
from reticent_bench.tagger.shipped_weights import config_of
from reticent_bench.tagger.vocabulary import load_pieces
from reticent_detectors.errors import InputError
from reticent_detectors.finder.tagger.network import BLOCK, GRAPH, MARGINS, PLACES, TABLES, TagNetwork
from reticent_detectors.finder.tagger.pieces import Pieces

AGREE = 0.985
"""The share of words with the same tag in int8, at least."""


class Segment(nn.Module):
    """The layers of a trained tagger over one segment, with what they kept of those before.

    Queries, keys and values are one product, so that their input is rounded to int8 once.
    """

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.norm, self.out = reader.encoder.embeddings.LayerNorm, reader.out
        self.layers: Any = reader.encoder.encoder.layer
        self.heads = reader.encoder.config.num_attention_heads
        self.size = reader.encoder.config.hidden_size // self.heads
        self.inputs = nn.ModuleList(map(self._joined, self.layers))

    def _joined(self, layer: Any) -> nn.Linear:
        own, shrunk = layer.attention.self, self.size**-0.5
        joined = nn.Linear(own.query.in_features, 3 * own.query.out_features)
        joined.weight.data = torch.cat((own.query.weight * shrunk, own.key.weight, own.value.weight))
        joined.bias.data = torch.cat((own.query.bias * shrunk, own.key.bias, own.value.bias))
        return joined

    def forward(self, x: torch.Tensor, *past: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return logits [N, tags], and the keys and values of each layer with those of the segment, [H, P + N, D / H].

        Args:
            x: [N, D], vectors of pieces, places and types together.
            past: the keys and values of each layer before, [H, P, D / H].
        """
        x, kept = self.norm(x), list[torch.Tensor]()
        for place, (joined, layer) in enumerate(zip(self.inputs, self.layers, strict=True)):
            q, k, v = joined(x).view(-1, 3, self.heads, self.size).permute(1, 2, 0, 3).unbind(0)
            k, v = torch.cat((past[2 * place], k), 1), torch.cat((past[2 * place + 1], v), 1)
            kept += [k, v]
            seen = (torch.softmax(q @ k.transpose(1, 2), -1) @ v).transpose(0, 1).reshape(-1, x.shape[-1])
            x = layer.attention.output.LayerNorm(layer.attention.output.dense(seen) + x)
            inner = nn.functional.gelu(layer.intermediate.dense(x))
            x = layer.output.LayerNorm(layer.output.dense(inner) + x)
        return self.out(x), *kept


def graph_of(reader: Reader) -> bytes:
    """Return the network as an ONNX graph in int8."""
    config = reader.encoder.config
    size = config.hidden_size // config.num_attention_heads
    x = torch.randn(5, config.hidden_size)
    kept = [f"{name}_{layer}" for layer in range(config.num_hidden_layers) for name in ("keys", "values")]
    names = [f"past_{name}" for name in kept]
    past = [torch.randn(config.num_attention_heads, 7, size) for _ in names]
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        # The newer exporter takes ten times as long, and gives the same graph.
        warnings.simplefilter("ignore", DeprecationWarning)
        whole, small = Path(folder) / "whole.onnx", Path(folder) / "small.onnx"
        torch.onnx.export(
            Segment(reader).eval(), (x, *past), str(whole), dynamo=False, opset_version=17,
            input_names=["x", *names], output_names=["logits", *kept],
            dynamic_axes={"x": {0: "N"}, "logits": {0: "N"}, **{name: {1: "P"} for name in names},
                          **{name: {1: "Q"} for name in kept}},
        )  # fmt: skip
        quantize_dynamic(
            whole, small, weight_type=QuantType.QInt8, per_channel=True, op_types_to_quantize=["MatMul", "Gemm"]
        )
        model = onnx.load(small)
    del model.graph.value_info[:]
    model.producer_name = model.producer_version = model.doc_string = ""
    data: bytes = model.SerializeToString()
    return data


def tables_of(reader: Reader, pieces: Pieces) -> dict[str, NDArray[Any]]:
    """Return the vectors of pieces in blocks of four bits, those of places and types, and the vocabulary.

    A block's largest number is -8 times its scale. The checkpoint's own blocks are made so, so nothing is lost.
    """
    made = reader.encoder.embeddings
    vectors = made.word_embeddings.weight.detach().float().numpy()
    blocks = vectors.reshape(len(vectors), -1, BLOCK)
    peaks = np.take_along_axis(blocks, np.abs(blocks).argmax(-1)[..., None], -1)
    scales = (peaks / -8).astype(np.float16)
    steps = np.divide(blocks, scales, out=np.zeros_like(blocks), where=scales != 0)
    levels = np.clip(np.round(steps) + 8, 0, 15).astype(np.uint8)
    return {
        "rows": (levels[..., : BLOCK // 2] | levels[..., BLOCK // 2 :] << 4).reshape(len(vectors), -1),
        "scales": scales[..., 0],
        "places": made.position_embeddings.weight.detach().numpy()[:PLACES].astype(np.float16),
        "types": made.token_type_embeddings.weight.detach().numpy().astype(np.float16),
        "pieces": np.frombuffer("\n".join(piece for piece, _ in pieces.vocabulary).encode(), np.uint8),
        "scores": np.array([score for _, score in pieces.vocabulary], np.float32),
    }


def trained(run: Path, checkpoint: Path) -> tuple[Reader, Pieces, list[str]]:
    """Return the network of a run, its pieces and its kinds."""
    kept = torch.load(run / "state.pt", map_location="cpu", weights_only=True)
    pieces, kinds = load_pieces(run / "pieces.json"), list(kept["kinds"])
    layers = len({key.split(".")[3] for key in kept["net"] if key.startswith("encoder.encoder.layer.")})
    reader = Reader(empty(config_of(checkpoint), len(pieces), layers), 1 + 2 * len(kinds))
    reader.load_state_dict(kept["net"])
    return reader.eval(), pieces, kinds


def write_files(folder: Path, graph: bytes, tables: dict[str, NDArray[Any]], kinds: list[str]) -> None:
    """Write the files of the finder's tagger, with a margin of 0 for each kind."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / GRAPH).write_bytes(graph)
    packed = io.BytesIO()
    np.savez_compressed(packed, **tables)  # type: ignore[arg-type]
    (folder / TABLES).write_bytes(packed.getvalue())
    (folder / MARGINS).write_text(json.dumps(dict.fromkeys(kinds, 0.0), indent=0) + "\n", encoding="utf-8")


@torch.no_grad()
def agreement(reader: Reader, network: TagNetwork, texts: list[str]) -> float:
    """Return the share of words that both tag alike, in texts that fit into the places."""
    same, all_ = 0, 0
    for text in texts:
        made = sample(network.pieces, text, most=8)
        if not made.first or len(made.pieces) > PLACES:
            continue
        wanted = reader(*batch([made], [[0] * len(made.first)])[:3])[0].argmax(-1)[made.first].tolist()
        state, at, found = network.begin(), 0, list[int]()
        while at < len(made.pieces):
            end = at
            while end < len(made.pieces) and made.segments[end] == made.segments[at]:
                end += 1
            logits, state = network.read(state, tuple(made.pieces[at:end]))
            found += logits.argmax(-1).tolist()
            at = end
        same += sum(found[place] == tag for place, tag in zip(made.first, wanted, strict=True))
        all_ += len(wanted)
    return same / max(1, all_)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("run", type=Path, help="folder of the trained run")
    parser.add_argument("checkpoint", type=Path, help="folder that the training began with")
    own = files("reticent_detectors.finder").joinpath("data", "tagger")
    parser.add_argument("folder", type=Path, nargs="?", default=Path(str(own)))
    parser.add_argument("--benchmarks", type=Path, default=Path("benchmarks"), help="folder of the marked texts")
    args = parser.parse_args()
    reader, pieces, kinds = trained(args.run, args.checkpoint)
    graph, tables = graph_of(reader), tables_of(reader, pieces)
    network = TagNetwork(tuple(kinds), [0.0] * len(kinds), pieces, tables, graph)
    share = agreement(reader, network, [text.text for text in read_held(args.benchmarks)["unannounced"]])
    if share < AGREE:
        raise InputError(
            f"In int8 only {share:.3f} of the words have the same tag, {AGREE} at least should. Nothing is written."
        )
    write_files(args.folder, graph, tables, kinds)
    print(f"{args.folder}: {len(kinds)} kinds, {len(pieces)} pieces, {share:.3f} of words as in float32")


if __name__ == "__main__":
    main()
