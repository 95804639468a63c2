"""Read the finder's own files as a network that training can go on with.

The layers are in int8, a scale for each output, so what is lost is what the finder never had.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from transformers import BertConfig

from reticent_bench.tagger.network import PLACES, Reader, empty
from reticent_detectors.finder.tagger import TagNetwork
from reticent_detectors.finder.tagger.network import BLOCK, GRAPH, TABLES
from reticent_detectors.finder.tagger.pieces import Pieces


def is_shipped(folder: Path) -> bool:
    """Whether a folder holds the finder's files, and not a checkpoint."""
    return (folder / GRAPH).exists()


def config_of(folder: Path) -> BertConfig:
    """Return the sizes of the finder's network in a folder, or of a checkpoint."""
    if not is_shipped(folder):
        config: BertConfig = BertConfig.from_pretrained(folder)
        return config
    weights = _weights(folder)
    return BertConfig(
        hidden_size=len(weights["norm.weight"]), intermediate_size=len(weights["layers.0.intermediate.dense.bias"]),
        num_attention_heads=_heads(folder), max_position_embeddings=PLACES,
        num_hidden_layers=sum(name.startswith("inputs.") and name.endswith(".bias") for name in weights),
    )  # fmt: skip


def reader_of(folder: Path) -> tuple[Reader, Pieces, list[str]]:
    """Return the finder's network, its pieces and its kinds."""
    network, weights, config = TagNetwork.load(folder), _weights(folder), config_of(folder)
    reader = Reader(empty(config, len(network.pieces), config.num_hidden_layers), 1 + 2 * len(network.kinds))
    state = {
        "out.weight": weights["out"].T, "out.bias": weights["out.bias"],
        **{f"encoder.embeddings.{name}": value for name, value in _tables(folder).items()},
        **{f"encoder.embeddings.LayerNorm.{part}": weights[f"norm.{part}"] for part in ("weight", "bias")},
    }  # fmt: skip
    size = config.hidden_size // config.num_attention_heads
    for layer in range(config.num_hidden_layers):
        own = f"encoder.encoder.layer.{layer}"
        shrunk = np.array([size**0.5, 1.0, 1.0], np.float32)[:, None]
        joined = weights[f"inputs.{layer}"].T.reshape(3, config.hidden_size, -1) * shrunk[..., None]
        biases = weights[f"inputs.{layer}.bias"].reshape(3, -1) * shrunk
        for name, weight, bias in zip(("query", "key", "value"), joined, biases, strict=True):
            state |= {f"{own}.attention.self.{name}.weight": weight, f"{own}.attention.self.{name}.bias": bias}
        for name in ("attention.output.dense", "intermediate.dense", "output.dense"):
            state[f"{own}.{name}.weight"] = weights[f"layers.{layer}.{name}"].T
            state[f"{own}.{name}.bias"] = weights[f"layers.{layer}.{name}.bias"]
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            state |= {f"{own}.{name}.{part}": weights[f"layers.{layer}.{name}.{part}"] for part in ("weight", "bias")}
    reader.load_state_dict({name: torch.from_numpy(np.array(value, np.float32)) for name, value in state.items()})
    reader.encoder.embeddings.word_embeddings.weight.requires_grad_(False)
    return reader, network.pieces, list(network.kinds)


def _heads(folder: Path) -> int:
    """Return the number of heads, which is the first size of the keys that a layer kept."""
    inputs = {each.name: each for each in onnx.load(folder / GRAPH).graph.input}
    return int(inputs["past_keys_0"].type.tensor_type.shape.dim[0].dim_value)


def _weights(folder: Path) -> dict[str, NDArray[np.float32]]:
    """Return the numbers of the graph by name: biases, norms, and products [in, out] without their ending."""
    made = {each.name: numpy_helper.to_array(each) for each in onnx.load(folder / GRAPH).graph.initializer}
    out = {name: value for name, value in made.items() if value.dtype == np.float32 and not name.endswith("_scale")}
    for name, value in made.items():
        if name.endswith(".weight_quantized"):
            own = name.removesuffix(".weight_quantized")
            out[own] = value.astype(np.float32) * made[f"{own}.weight_scale"]
    return out


def _tables(folder: Path) -> dict[str, NDArray[np.float32]]:
    """Return the vectors of pieces, places and types; places that the finder has not are those before them again."""
    with np.load(folder / TABLES) as made:
        packed = made["rows"].reshape(len(made["rows"]), -1, BLOCK // 2)
        blocks = np.concatenate((packed & 15, packed >> 4), -1).astype(np.float32) - 8
        vectors = (blocks * made["scales"].astype(np.float32)[..., None]).reshape(len(packed), -1)
        places = made["places"].astype(np.float32)
        own = np.concatenate((places, places[2 * len(places) - PLACES :]))
        return {
            "word_embeddings.weight": vectors, "position_embeddings.weight": own,
            "token_type_embeddings.weight": made["types"].astype(np.float32),
        }  # fmt: skip
