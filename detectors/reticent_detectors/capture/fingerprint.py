"""Who a host is: digests of its weights and tokenizer, and how it behaves on fixed probes.

The digests say whether two hosts are the same to the bit; the behaviour print says whether they act the same
(within tolerance: another device, another library version). Nothing here depends on anybody's text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from reticent_detectors.capture.taps import Taps

if TYPE_CHECKING:
    from reticent_detectors.capture.adapter import HostAdapter

TOP_IDS = 5
NORM_TOLERANCE = 0.02
"""Largest relative difference of a state's norm."""
TOP_OVERLAP = 0.9
"""Smallest share of top ids, over all layers and probes, that must agree."""


def fingerprint(adapter: HostAdapter, tokenizer: Any) -> dict[str, str | int]:
    """Architecture, shape and digests of a host, ready for JSON.

    `weights_sha256` covers names, types, shapes and bytes of all parameters and persistent buffers, adapters
    included, and which adapters are switched on. `tokenizer_sha256` covers vocabulary, merges and processing, but
    not padding and truncation, which change with use.
    """
    return {
        "architecture": type(adapter.model).__name__,
        "layers": adapter.num_layers,
        "hidden_size": adapter.hidden_size,
        "vocab_size": adapter.vocab_size,
        "weights_sha256": _weights_digest(adapter.model),
        "tokenizer_sha256": _tokenizer_digest(tokenizer),
    }


def _weights_digest(model: Any) -> str:
    digest = hashlib.sha256()
    for name, value in sorted(model.state_dict().items()):
        if not isinstance(value, Tensor):
            digest.update(f"{name}={value!r};".encode())
            continue
        digest.update(f"{name}:{value.dtype}:{list(value.shape)};".encode())
        digest.update(value.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().data)
    for name, module in model.named_modules():
        if hasattr(module, "disable_adapters"):  # a PEFT layer; switching an adapter changes no parameter
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


def behaviour_print(adapter: HostAdapter, probes: Sequence[Sequence[int]] | None = None) -> dict[str, Any]:
    """Norm and top ids of every layer at the end of each probe, ready for JSON, with the tolerances to compare by.

    `probes` are token ids; by default four fixed sequences spread over the vocabulary.
    """
    if probes is None:
        size = adapter.vocabulary
        probes = [[(31 + 104729 * p + i * i * (7919 + p)) % size for i in range(8)] for p in range(4)]
    norms, tops = [], []
    taps = Taps(adapter)
    try:
        for probe in probes:
            ids = torch.tensor([[*probe, 0]])  # the last token only closes the last predictive position
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


def compare_behaviour(expected: dict[str, Any], actual: dict[str, Any]) -> list[str]:
    """What differs between two behaviour prints beyond the tolerances of `expected`; empty if they agree."""
    if expected["probes"] != actual["probes"]:
        return ["the probes differ; make the second print with the probes of the first"]
    shapes = [[len(row) for row in print_["norms"]] for print_ in (expected, actual)]
    if shapes[0] != shapes[1]:
        return [f"number of layers: expected {shapes[0][0]}, got {shapes[1][0]}"]
    differences = []
    pairs = [
        pair
        for e, a in zip(expected["norms"], actual["norms"], strict=True)
        for pair in enumerate(zip(e, a, strict=True))
    ]
    layer, off = max(((layer, abs(e - a) / max(abs(e), 1e-9)) for layer, (e, a) in pairs), key=lambda x: x[1])
    if not off <= expected["norm_tolerance"]:
        differences.append(
            f"norm of layer {layer}'s states: off by {off:.1%}, expected at most {expected['norm_tolerance']:.1%}"
        )
    same = total = 0
    for e_probe, a_probe in zip(expected["top_ids"], actual["top_ids"], strict=True):
        for e_ids, a_ids in zip(e_probe, a_probe, strict=True):
            same, total = same + len(set(e_ids) & set(a_ids)), total + len(e_ids)
    if same < expected["top_overlap"] * total:
        differences.append(f"top ids: {same / total:.0%} agree, expected at least {expected['top_overlap']:.0%}")
    return differences
