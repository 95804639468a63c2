"""The parts of a transformers host: causal model, head, decoder layers and their neighbours, found by looking.

Nothing here runs the model. `capture.probe` then proves on a short pass that the parts are what they seem to be.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from reticent_detectors.errors import TokenizerMismatch, UnsupportedHost


def name_of(model: Any) -> str:
    return type(model).__name__


def device_of(model: nn.Module) -> torch.device:
    return next(model.parameters()).device


def causal_model(model: Any) -> tuple[Any, Any, Any]:
    """(innermost module with the head, the head, text config)."""
    config = getattr(model, "config", None)
    if config is None or not hasattr(model, "get_output_embeddings"):
        raise UnsupportedHost(f"Expected a transformers causal language model with a config, got {name_of(model)}.")
    if getattr(config, "is_encoder_decoder", False):
        raise UnsupportedHost(f"{name_of(model)} is an encoder-decoder; only decoder-only hosts can be guarded.")
    head = _head(model)
    if head is None:
        raise UnsupportedHost(
            f"{name_of(model)} has no language-model head (get_output_embeddings() gives none). "
            "Load it with AutoModelForCausalLM."
        )
    if any(p.device.type == "meta" for p in model.parameters()):
        raise UnsupportedHost(f"Weights of {name_of(model)} are offloaded (meta device); load it without offloading.")
    causal = [m for m in model.modules() if hasattr(m, "get_output_embeddings") and _head(m) is head][-1]
    text = config.get_text_config(decoder=True) if hasattr(config, "get_text_config") else config
    return causal, head, text


def _head(model: Any) -> Any:
    try:
        return model.get_output_embeddings()
    except (AttributeError, NotImplementedError):
        return None


def vocabulary_size(tokenizer: Any, rows: int) -> int:
    """Number of token ids the tokenizer can use, at most the model's rows."""
    highest = max(tokenizer.get_vocab().values(), default=-1) + 1
    size = max(len(tokenizer), highest)
    if size > rows:
        raise TokenizerMismatch(
            f"The tokenizer has {size} ids, but the model's vocabulary has {rows} rows. Load its own tokenizer "
            "(where AutoTokenizer adds a token, as for Qwen2, with PreTrainedTokenizerFast.from_pretrained(folder)), or resize the model's embeddings before guarding it."
        )
    if outside := [i for i in tokenizer.all_special_ids if not 0 <= i < rows]:
        raise TokenizerMismatch(
            f"{len(outside)} special token ids lie outside the model's {rows} rows. Load the model's own tokenizer."
        )
    if size == 0:
        raise TokenizerMismatch("The tokenizer has no tokens. Load the model's own tokenizer.")
    return size


def layer_stack(model: nn.Module, config: Any) -> str:
    """Path of the decoder layers: of the lists with as many modules as the config has layers, the heaviest."""
    count = getattr(config, "num_hidden_layers", None)
    stacks = {
        name: sum(p.numel() for p in module.parameters())
        for name, module in model.named_modules()
        if isinstance(module, nn.ModuleList) and len(module) == count
    }
    if not count or not stacks:
        raise UnsupportedHost(
            f"No decoder layers found in {name_of(model)}: expected a module list of length num_hidden_layers = {count}."
        )
    heaviest: str = max(stacks, key=lambda name: stacks[name])
    return heaviest


def neighbours(model: nn.Module, stack: str) -> list[nn.Module]:
    """Modules next to the layer stack and next to whatever holds it; a final norm is one of them."""
    parts = stack.split(".")
    paths = [".".join(parts[:depth]) for depth in range(len(parts))]
    parents = [model.get_submodule(path) for path in paths]
    inside = {*parents, model.get_submodule(stack)}
    return [child for parent in parents for child in parent.children() if child not in inside]


def is_plain_head(head: Any, vocab_size: int) -> bool:
    """Whether the head is its weights and nothing else: no adapter, packing, hook or override."""
    return (
        isinstance(head, nn.Linear)
        and type(head).forward is nn.Linear.forward
        and head.weight.is_floating_point()
        and len(head.weight) == vocab_size
        and not (head._forward_hooks or head._forward_pre_hooks)
        and "forward" not in head.__dict__
    )
