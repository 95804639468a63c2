"""Finds the parts of a transformers host: causal model, head, decoder layers, and the modules beside them.

Nothing here runs the model. `capture.probe` proves the parts on a short forward pass.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from reticent_detectors.errors import TokenizerMismatch, UnsupportedHost


def name_of(model: Any) -> str:
    """Returns the model's class name, for error messages."""
    return type(model).__name__


def device_of(model: nn.Module) -> torch.device:
    """Returns the device of the model's first parameter."""
    return next(model.parameters()).device


def causal_model(model: Any) -> tuple[Any, Any, Any]:
    """Returns the innermost module with the head, the head, and the text config.

    Raises:
        UnsupportedHost: `model` is no decoder-only causal model with a head, or its weights are offloaded.
    """
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
    """Returns how many token ids the tokenizer can use. Raises TokenizerMismatch if the model has fewer `rows`."""
    highest = max(tokenizer.get_vocab().values(), default=-1) + 1
    size = max(len(tokenizer), highest)
    if size > rows:
        raise TokenizerMismatch(
            f"The tokenizer has {size} ids, but the model's vocabulary has {rows} rows. Load its own tokenizer "
            "(where AutoTokenizer adds a token, as for Qwen2, with PreTrainedTokenizerFast.from_pretrained(folder)), "
            "or resize the model's embeddings before guarding it."
        )
    if outside := [i for i in tokenizer.all_special_ids if not 0 <= i < rows]:
        raise TokenizerMismatch(
            f"{len(outside)} special token ids lie outside the model's {rows} rows. Load the model's own tokenizer."
        )
    if size == 0:
        raise TokenizerMismatch("The tokenizer has no tokens. Load the model's own tokenizer.")
    return size


def layer_stack(model: nn.Module, config: Any) -> str:
    """Returns the path of the decoder layers: the largest module list whose length is the config's layer count."""
    count = getattr(config, "num_hidden_layers", None)
    stacks = {
        name: sum(p.numel() for p in module.parameters())
        for name, module in model.named_modules()
        if isinstance(module, nn.ModuleList) and len(module) == count
    }
    if not count or not stacks:
        raise UnsupportedHost(
            f"No decoder layers found in {name_of(model)}: "
            f"expected a module list of length num_hidden_layers = {count}."
        )
    heaviest: str = max(stacks, key=lambda name: stacks[name])
    return heaviest


def neighbours(model: nn.Module, stack: str) -> list[nn.Module]:
    """Returns the modules beside the layer stack and beside its parents; a final norm is one of them."""
    parts = stack.split(".")
    paths = [".".join(parts[:depth]) for depth in range(len(parts))]
    parents = [model.get_submodule(path) for path in paths]
    inside = {*parents, model.get_submodule(stack)}
    return [child for parent in parents for child in parent.children() if child not in inside]


def is_plain_head(head: Any, vocab_size: int) -> bool:
    """Whether the head is a plain linear layer, without adapter, packing, hook or override."""
    return (
        isinstance(head, nn.Linear)
        and type(head).forward is nn.Linear.forward
        and head.weight.is_floating_point()
        and len(head.weight) == vocab_size
        and not (head._forward_hooks or head._forward_pre_hooks)
        and "forward" not in head.__dict__
    )
