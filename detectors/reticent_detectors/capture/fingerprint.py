"""Identifies a host by digests of its weights and tokenizer, and by its behaviour on fixed probes.

The digests show whether two hosts are the same to the bit. The behaviour print shows whether they act the same within
a tolerance for another device or library version; `bundle.host_match` compares. No user's text is read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Protocol

import torch
from torch import Tensor

from reticent_detectors.capture.layer_hooks import TappedHost, Taps
from reticent_kernels import LensOutput

TOP_IDS = 5
NORM_TOLERANCE = 0.02
"""Largest relative difference of a state's norm."""
TOP_OVERLAP = 0.9
"""Smallest share of top ids, over all layers and probes, that must agree."""


class DescribedHost(TappedHost, Protocol):
    """What a fingerprint and a behaviour print need of a host. `HostAdapter` has it."""

    @property
    def vocab_size(self) -> int:
        """Rows of the head."""

    @property
    def hidden_size(self) -> int: ...

    def lens(self, hidden: Tensor, k: int) -> LensOutput:
        """Applies the logit lens to raw residual states [R, d] of any layer."""


def fingerprint(adapter: DescribedHost, tokenizer: Any) -> dict[str, str | int]:
    """Returns architecture, shape and digests of a host, ready for JSON.

    `weights_sha256` covers names, types, shapes and bytes of all parameters and persistent buffers, adapters
    included. It also covers which adapters are switched on. `tokenizer_sha256` covers vocabulary, merges and
    processing, but not padding and truncation, which change with use.
    """
    return {
        "architecture": type(adapter.model).__name__,
        "weights_sha256": _weights_digest(adapter.model),
    } | shape_print(adapter, tokenizer)


def shape_print(adapter: DescribedHost, tokenizer: Any) -> dict[str, str | int]:
    """Returns what a host shares with a taught copy: depth, width, vocabulary size, and the tokenizer's digest."""
    return {
        "layers": adapter.num_layers,
        "hidden_size": adapter.hidden_size,
        "vocab_size": adapter.vocab_size,
        "tokenizer_sha256": _tokenizer_digest(tokenizer),
    }


def dtype_of(model: Any, weights_sha256: str) -> str | None:
    """Returns the number type in which this model's weights have that digest, or None. Casts them one by one."""
    for name in ("float32", "bfloat16", "float16"):
        if _weights_digest(model, getattr(torch, name)) == weights_sha256:
            return name
    return None


def _weights_digest(model: Any, dtype: torch.dtype | None = None) -> str:
    """Returns the digest of the weights; with `dtype`, as if the model had been loaded in that type."""
    digest = hashlib.sha256()
    for name, value in sorted(model.state_dict().items()):
        if not isinstance(value, Tensor):
            digest.update(f"{name}={value!r};".encode())
            continue
        value = value.to(dtype) if dtype is not None and value.is_floating_point() else value
        digest.update(f"{name}:{value.dtype}:{list(value.shape)};".encode())
        digest.update(value.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().data)
    for name, module in model.named_modules():
        # A PEFT layer, where switching an adapter changes no parameter. Models of transformers have a method instead.
        if isinstance(getattr(module, "disable_adapters", None), bool):
            active = getattr(module, "active_adapters", None), module.disable_adapters, getattr(module, "merged", None)
            digest.update(f"{name}:{active};".encode())
    return digest.hexdigest()


def _tokenizer_digest(tokenizer: Any) -> str:
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        content: Any = [sorted(tokenizer.get_vocab().items()), sorted(tokenizer.all_special_ids)]
    else:
        content = json.loads(backend.to_str()) | {"padding": None, "truncation": None}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def behaviour_print(adapter: DescribedHost, probes: Sequence[Sequence[int]] | None = None) -> dict[str, Any]:
    """Returns norm and top ids of every layer at the end of each probe, and the tolerances, ready for JSON.

    `probes` are sequences of token ids. By default they are four fixed sequences spread over the vocabulary.
    """
    if probes is None:
        size = adapter.vocabulary
        probes = [[(31 + 104729 * p + i * i * (7919 + p)) % size for i in range(8)] for p in range(4)]
    norms, tops = [], []
    taps = Taps(adapter)
    try:
        for probe in probes:
            ids = torch.tensor([[*probe, 0]])  # position p is read only if a token follows it
            hidden = taps.read(ids, None, [(0, [len(probe) - 1])])[0].hidden[0]  # [L, d]
            norms.append([float(f"{norm:.6g}") for norm in hidden.float().norm(dim=1).tolist()])
            tops.append(adapter.lens(hidden, min(TOP_IDS, adapter.vocabulary)).topk_id.tolist())
    finally:
        taps.remove()
    return {
        "probes": [list(map(int, probe)) for probe in probes],
        "norms": norms,
        "top_ids": tops,
        "norm_tolerance": NORM_TOLERANCE,
        "top_overlap": TOP_OVERLAP,
    }
