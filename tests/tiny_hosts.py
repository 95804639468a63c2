"""Tiny random hosts that are made to say what a test wants, a tokenizer, and a detector without training."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import torch
import transformers as tf

from reticent import AfterRedaction, Guard, Policy
from reticent.huggingface.guarded_model import GuardedModel
from reticent_detectors.bundle.export import to_onnx
from reticent_detectors.bundle.format import write_bundle
from reticent_detectors.capture import HostAdapter
from reticent_detectors.detector.calibration import Calibration
from reticent_detectors.detector.network import STATE_GROUPS, DetectorNetwork, NetworkOptions
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.host.tokenizer import train_tokenizer

LAYERS, RANKS = 3, 4
SECRET = "468-749-1093"
SAYS = f"The phone number of Jane Roe is {SECRET}. Call at noon."
QUESTION = [{"role": "user", "content": "What is the phone number of Jane Roe?"}]
STOP_ALL = Policy(score_threshold=0.0, after_redaction=AfterRedaction.CONTINUE)
TEXTS = [SAYS, QUESTION[0]["content"], "0123456789 -+@.,$", "a b c d e f g h i j k l m n o p q r s t u v w x y z"] * 4

COMMON: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
    "max_position_embeddings": 512,
    "initializer_range": 0.3,
}


def host(family: str, tokenizer: Any, seed: int = 0) -> Any:
    ids = {"bos_token_id": tokenizer.bos_token_id, "eos_token_id": tokenizer.eos_token_id}
    ids |= {"pad_token_id": tokenizer.pad_token_id, "vocab_size": len(tokenizer)}
    torch.manual_seed(seed)
    match family:
        case "llama":
            return tf.LlamaForCausalLM(tf.LlamaConfig(**COMMON, **ids)).eval()
        case "qwen2":
            return tf.Qwen2ForCausalLM(tf.Qwen2Config(**COMMON, **ids)).eval()
        case _:
            config = tf.GPT2Config(n_embd=32, n_layer=LAYERS, n_head=2, n_positions=512, initializer_range=0.3, **ids)
            return tf.GPT2LMHeadModel(config).eval()


@cache
def tokenizer() -> Any:
    """A byte-level tokenizer of 400 ids with a chat template; the same object in every test."""
    return train_tokenizer(TEXTS, 400, 512)


@cache
def network(names: int = 0) -> bytes:
    """A detector with random weights, exported."""
    torch.manual_seed(0)
    return to_onnx(DetectorNetwork(_options(names)))


def _options(names: int) -> NetworkOptions:
    return NetworkOptions(LAYERS, RANKS, STATE_GROUPS | {"renamed"} if names else STATE_GROUPS)


def bundle(folder: Path, model: Any, names: int = 0) -> Path:
    adapter = HostAdapter.attach(model, tokenizer())
    spec = FeatureSpec(k=RANKS, names=names)
    inputs = list(_options(names).shapes)
    shapes = spec.shapes(LAYERS)
    write_bundle(
        folder,
        network(names),
        {
            "host": {"fingerprint": adapter.fingerprint(tokenizer()), "behaviour": adapter.behaviour_print()},
            "features": {
                "inputs": inputs,
                "shapes": {name: list(shapes[name]) for name in inputs},
                "options": {name: getattr(spec, name) for name in spec.__slots__},
            },
            "calibration": Calibration(
                1.0, 0.0, 0.5, 0.5, {"0.001": 3.0, "0.01": 2.0, "0.05": 1.0, "0.08": 0.5}
            ).to_json(),
            "training": {},
            "quality": {},
            "versions": {},
        },
    )
    return folder


def guarded(
    folder: Path, family: str = "llama", seed: int = 0, names: int = 0, overlap: bool = False, **guard: Any
) -> GuardedModel:
    """A tiny host under a guard with a fitting bundle, whose detector compares so many other names."""
    model = host(family, tokenizer(), seed)
    return Guard.load(bundle(folder, model, names), **guard).wrap(model, tokenizer(), overlap=overlap)


class Script(tf.LogitsProcessor):  # type: ignore[misc]
    """Makes a host say a text, whatever it would have said."""

    def __init__(self, tokenizer: Any, text: str, start: int) -> None:
        self.ids = [*tokenizer(text, add_special_tokens=False)["input_ids"], tokenizer.eos_token_id]
        self.start = start

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        forced = torch.full_like(scores, -float("inf"))
        forced[:, self.ids[min(input_ids.shape[1] - self.start, len(self.ids) - 1)]] = 0
        return forced
