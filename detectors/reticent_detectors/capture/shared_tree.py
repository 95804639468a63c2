"""Makes a second module tree over the same tensors, to read a model in another state without touching it.

    tree = shared_tree(model)      # own modules and modes, no hooks; parameters and buffers are the model's
    strip_adapters(tree)           # replaces PEFT's layers by those they wrap: the model before tuning

Switching an adapter off on a shared model changes the output of every other thread. A second tree costs the module
objects, some kilobytes a layer, and no weights.

Not covered: biases that PEFT trained in place (`bias="all"`), merged adapters, and weights that other code changed.
`check_adapters` refuses the first two.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from torch import Tensor, nn

from reticent_detectors.errors import UnsupportedHost

_GENERATION_STATE = ("_cache", "_compiled_call", "get_compiled_call")
"""Attributes that `generate` and our taps set on a model: memory and functions of the original."""


def shared_tree(model: nn.Module) -> Any:
    """Copies the modules of `model` over the same tensors, without hooks, in evaluation mode."""
    memo: dict[int, Any] = {}
    for module in model.modules():
        for value in (*module._parameters.values(), *module._buffers.values()):
            if value is not None:
                memo[id(value)] = value
        for name, value in vars(module).items():
            if name in ("_parameters", "_buffers"):
                continue  # tensors are shared, dictionaries are not: a module may put another buffer into its own
            if name in _GENERATION_STATE:
                memo[id(value)] = None
            elif name.endswith("_hooks") or "_hooks_" in name:
                memo[id(value)] = type(value)() if isinstance(value, dict) else value
            elif not isinstance(value, nn.Module) and any(isinstance(each, Tensor) for each in _parts(value)):
                memo[id(value)] = value
    tree = copy.deepcopy(model, memo)
    for module in tree.modules():
        for name in _GENERATION_STATE:
            module.__dict__.pop(name, None)
    return tree.eval()


def _parts(value: Any) -> Iterator[Any]:
    """Yields an attribute and its content. Quantisers keep scales in objects and lists beside the weights."""
    yield value
    if isinstance(value, list | tuple):
        yield from value
    elif isinstance(value, dict):
        yield from value.values()
    elif hasattr(value, "__dict__"):
        yield from vars(value).values()


def adapter_layers(model: nn.Module) -> list[Any]:
    """Returns the layers of PEFT that wrap a model's own; empty if there are none."""
    return [module for module in model.modules() if _is_adapter(module)]


def _is_adapter(module: nn.Module) -> bool:
    # PEFT's layers have a flag of this name; models of transformers have a method.
    return isinstance(getattr(module, "disable_adapters", None), bool)


def check_adapters(model: nn.Module) -> None:
    """Raises UnsupportedHost unless leaving the adapter layers out gives the model before tuning."""
    layers = adapter_layers(model)
    if not layers:
        raise UnsupportedHost(
            "The base is to be the model without its adapter, but this model has no adapter layers of PEFT. "
            "Load it as a PEFT model without merging, or give the folder of the model before tuning."
        )
    check_unmerged(layers)
    configs = getattr(model, "peft_config", None)
    if isinstance(configs, dict) and any(getattr(config, "bias", "none") != "none" for config in configs.values()):
        raise UnsupportedHost(
            "The adapter also trained biases of the model itself (bias is not 'none'). Leaving the adapter out does "
            "not give the model before tuning. Give the folder of the model before tuning."
        )


def check_unmerged(layers: list[Any]) -> None:
    """Raises UnsupportedHost if an adapter is merged into the weights that it shares with the base."""
    if any(getattr(layer, "merged", False) for layer in layers):
        raise UnsupportedHost(
            "The adapter is merged into the weights, so they are not those before tuning. "
            "Call unmerge_adapter(), or give the folder of the model before tuning."
        )


def switch_off(tree: nn.Module) -> None:
    """Switches the adapter layers of a tree off. Sets flags of the tree and touches no parameter."""
    for layer in adapter_layers(tree):
        layer._disable_adapters = True


def _wrapped(module: Any) -> nn.Module:
    """Returns the module inside all adapter layers around it; the module itself if there are none."""
    while _is_adapter(module):
        inner = module.base_layer if hasattr(module, "base_layer") else getattr(module, "original_module", None)
        if not isinstance(inner, nn.Module):
            raise _cannot_be_left_out({type(module).__name__})
        module = inner
    found: nn.Module = module
    return found


def strip_adapters(tree: nn.Module) -> None:
    """Replaces the adapter layers by the layers they wrap. Raises UnsupportedHost if a module of PEFT is left."""
    for module in list(tree.modules()):
        for name, child in module._modules.items():
            module._modules[name] = child if child is None else _wrapped(child)
    if left := {type(module).__name__ for module in tree.modules() if type(module).__module__.startswith("peft.")}:
        raise _cannot_be_left_out(left)


def _cannot_be_left_out(kinds: set[str]) -> UnsupportedHost:
    return UnsupportedHost(
        f"This kind of adapter cannot be left out ({', '.join(sorted(kinds))}). "
        "Give the folder of the model before tuning."
    )
