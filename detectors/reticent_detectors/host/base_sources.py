"""Makes the base: the model without its adapter, a checkpoint, or the model itself.

    base = base_of("adapter", model, HostAdapter.attach(model, tokenizer), tokenizer)

Raises all errors when the base is made. Examples are a merged adapter, another tokenizer, too little memory, and a
checkpoint that is the guarded model. A probe shows that a second tree computes what the model does.

Not covered: whether a checkpoint is what the model was tuned from. The operator has to know that.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from reticent_detectors.alignment import template_opening
from reticent_detectors.capture.adapter import HostAdapter
from reticent_detectors.capture.base_model import BaseKind, BaseModel
from reticent_detectors.capture.host_parts import causal_model
from reticent_detectors.capture.probe import PROBE_TOKENS, TOLERANCE, undisturbed
from reticent_detectors.capture.same_tokens import SharedTokens
from reticent_detectors.capture.shared_tree import (
    adapter_layers,
    check_adapters,
    check_unmerged,
    shared_tree,
    strip_adapters,
    switch_off,
)
from reticent_detectors.errors import InputError, UnsupportedHost, WrongType
from reticent_detectors.host.load import checkpoint_of, load_host
from reticent_detectors.host.memory import check_room
from reticent_detectors.host.saved_tokenizer import read_tokenizer

_LOGGER = logging.getLogger(__name__)

NO_BASE = "none"
"""What an operator names for no base, where a PEFT model would have one."""


def base_of(given: Any, model: Any, adapter: HostAdapter, tokenizer: Any) -> BaseModel | None:
    """Returns the base that an operator names: `adapter`, `self`, `none`, or a checkpoint's folder.

    None takes the adapter's base, if there is an adapter. If that adapter cannot be left out, it logs a warning and
    returns no base. With `none` there is no base, whatever the model is.

    Raises:
        WrongType: `given` is none of these.
        InputError, TokenizerMismatch, MissingExtra, UnsupportedHost: see the three functions below.
    """
    base = _base_of(given, model, adapter, tokenizer)
    if base is not None:
        base.opens_with(template_opening(tokenizer))
    return base


def _base_of(given: Any, model: Any, adapter: HostAdapter, tokenizer: Any) -> BaseModel | None:
    if given == NO_BASE:
        return None
    if given is None:
        if not adapter_layers(model):
            return None
        try:
            return adapter_base(model, adapter)
        except UnsupportedHost as error:
            _LOGGER.warning("memorised values are not compared with the model before tuning: %s", error)
            return None
    if not isinstance(given, str | os.PathLike):
        raise WrongType(
            "base must be 'adapter', 'self', 'none' or the folder of the model before tuning, "
            f"got {type(given).__name__}."
        )
    match given:
        case BaseKind.ADAPTER.value:
            return adapter_base(model, adapter)
        case BaseKind.SELF.value:
            return own_base(adapter)
        case _:
            if not Path(given).exists():
                raise InputError(
                    f"base must be 'adapter', 'self', 'none' or the folder of the model before tuning, and there is no "
                    f"folder {str(given)!r}. Correct it."
                )
            return checkpoint_base(Path(given), model, adapter, tokenizer)


def base_about(base: BaseModel | None) -> str:
    """Describes the base in one clause."""
    descriptions = {
        BaseKind.ADAPTER: "base: the model without its adapter, over the same weights",
        BaseKind.CHECKPOINT: "base: a checkpoint of its own",
        BaseKind.SELF: "base: the model itself, to which nothing private was added",
    }
    return (
        "no base: what was known before private tuning is not told apart" if base is None else descriptions[base.kind]
    )


def adapter_base(model: Any, adapter: HostAdapter) -> BaseModel:
    """Returns the model without its PEFT layers, over the same weights.

    Raises:
        UnsupportedHost: there is no adapter, it is merged, it trained other weights as well, or it cannot be left out.
    """
    check_adapters(model)
    layers = adapter_layers(adapter.model)
    tree = _twin(adapter)
    switch_off(tree)
    wanted = _logits(tree, adapter)
    strip_adapters(tree)
    _compare(_logits(tree, adapter), wanted, "The model without its adapter layers", "the adapter switched off")
    return BaseModel(tree, BaseKind.ADAPTER, lambda ids: check_unmerged(layers))


def own_base(adapter: HostAdapter) -> BaseModel:
    """Returns the model as its own base, for an operator who declares that nothing private was added.

    Raises UnsupportedHost if a second tree over its weights does not compute what the model does.
    """
    return BaseModel(_twin(adapter), BaseKind.SELF)


def checkpoint_base(path: Path, model: Any, adapter: HostAdapter, tokenizer: Any) -> BaseModel:
    """Loads a checkpoint, or an adapter with its model, onto the model's device in its number type.

    Raises:
        InputError: there is no checkpoint, too little memory, or it is the model itself.
        TokenizerMismatch: its tokenizer differs from the model's.
        MissingExtra, UnsupportedHost: see `load_host`.
    """
    checkpoint_of(path)
    named = getattr(adapter.model, "name_or_path", "")
    if not adapter_layers(model) and named and Path(named).is_dir() and Path(named).samefile(path):
        raise _is_itself(path)
    SharedTokens(tokenizer, read_tokenizer(path), adapter.vocab_size)
    device, dtype = str(adapter.device), str(adapter.input_embedding.dtype).removeprefix("torch.")
    check_room(path, device, dtype)
    loaded, own = load_host(path, device, dtype)
    causal, _, _ = causal_model(loaded)
    if _same_weights(adapter.model, causal):
        raise _is_itself(path)
    tokens = SharedTokens(tokenizer, own, int(causal.get_input_embeddings().weight.shape[0]))
    return BaseModel(causal, BaseKind.CHECKPOINT, tokens.check)


def _twin(adapter: HostAdapter) -> Any:
    """Makes a second module tree of a host, and checks that it computes what the host does."""
    tree = shared_tree(adapter.model)
    with undisturbed(adapter.model):
        wanted = _logits(adapter.model, adapter)
    _compare(_logits(tree, adapter), wanted, "A second module tree over the model's weights", "the model")
    return tree


def _logits(model: Any, adapter: HostAdapter) -> Tensor:
    ids = torch.tensor([[(at * 7919 + 3) % adapter.vocabulary for at in range(PROBE_TOKENS)]], device=adapter.device)
    with torch.no_grad():
        logits: Tensor = model(
            input_ids=ids, attention_mask=torch.ones_like(ids), use_cache=False, return_dict=True
        ).logits
    return logits


def _compare(got: Tensor, wanted: Tensor, what: str, like: str) -> None:
    limit = TOLERANCE.get(wanted.dtype, 3e-2) * max(float(wanted.abs().max()), 1e-6)
    if not (off := float((got.float() - wanted.float()).abs().max())) <= limit:
        raise UnsupportedHost(
            f"{what} does not compute what {like} does: expected a difference of at most {limit:.2g}, got {off:.2g}. "
            "Give the folder of the model before tuning."
        )


def _same_weights(one: Any, other: Any) -> bool:
    """Whether two models have the same parameters and buffers, to the bit; stops at the first that differs."""
    own, theirs = one.state_dict(), other.state_dict()
    return own.keys() == theirs.keys() and all(
        value.dtype == theirs[name].dtype
        and value.shape == theirs[name].shape
        and torch.equal(value, theirs[name].to(value.device))
        for name, value in own.items()
        if isinstance(value, Tensor)
    )


def _is_itself(path: Path) -> InputError:
    return InputError(
        f"{path} holds the weights of the guarded model itself, so it would find all that the model remembers as "
        "likely. If nothing private was added to the model, say so with base='self'; else give the model before tuning."
    )
