"""Describes a transformers host: its layers, head and logit lens, each proved on a probe.

`HostAdapter.attach` locates the decoder layers, the modules between the last layer and the head, and the head itself.
It also finds the head's scale and soft-cap. Names alone prove nothing, so it runs a short probe. It accepts a host if:

- every layer's output is the state that `output_hidden_states` reports;
- no state depends on later tokens;
- the lens of the last layer gives the host's own logits.

Not covered: encoder-decoders, state-space hosts whose cache does not count tokens, several heads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor, nn

from reticent_detectors.capture.fingerprint import behaviour_print, dtype_of, fingerprint
from reticent_detectors.capture.host_parts import (
    causal_model,
    device_of,
    is_plain_head,
    layer_stack,
    name_of,
    neighbours,
    vocabulary_size,
)
from reticent_detectors.capture.probe import (
    PROBE_TOKENS,
    TOLERANCE,
    between_layers_and_head,
    check_causal,
    check_states,
    trace,
    undisturbed,
)
from reticent_detectors.errors import UnsupportedHost
from reticent_kernels import LensOutput, logit_lens, reduce_logits
from reticent_kernels.lens import block_rows, project
from reticent_kernels.lens_output import concatenate

Norm = Literal["final", "none"]
Mode = Literal["arguments", "modules"]

_SCALES: tuple[tuple[str, Callable[[float], float]], ...] = (
    ("logits_scaling", lambda v: 1.0 / v),  # Granite
    ("logits_scaling", lambda v: v),  # HyperCLOVA X
    ("logit_scale", lambda v: v),  # Cohere
    ("lm_head_multiplier", lambda v: v),  # Falcon-H1
)
"""Names under which configs keep a factor on the logits. The probe decides which of them the host applies."""


@dataclass(frozen=True, eq=False, repr=False)
class HostAdapter:
    """A host with its layers, head and lens. Made by `attach`; changes nothing in the host."""

    model: Any
    """The innermost module with a head: the one whose output holds the logits."""
    layers: tuple[nn.Module, ...]
    tail: tuple[nn.Module, ...]
    """Modules between the last layer and the head, in order: normally the final norm alone."""
    head: Any
    scale: float
    softcap: float | None
    vocab_size: int
    """V, rows of the head."""
    vocabulary: int
    """Number of those rows that are tokens. The others are padding, which the lens ignores."""
    hidden_size: int
    mode: Mode
    """`arguments` passes the head's weights to the lens; `modules` calls the host's own head, block by block."""

    @classmethod
    def attach(cls, model: Any, tokenizer: Any, probe: bool = True) -> HostAdapter:
        """Finds the parts of `model` and proves them on a probe.

        Runs two forward passes over a dozen fixed tokens in evaluation mode. Leaves modules, modes and hooks as they
        were. `probe=False` skips the comparisons. Use it for measuring speed only, never for guarding.

        Raises:
            UnsupportedHost: a part is missing, or the probe found a difference.
            TokenizerMismatch: the tokenizer has ids that the model lacks.
        """
        causal, head, config = causal_model(model)
        vocab_size = int(causal.get_input_embeddings().weight.shape[0])
        vocabulary = vocabulary_size(tokenizer, vocab_size)
        ids = torch.tensor([[(i * 7919 + 3) % vocabulary for i in range(PROBE_TOKENS)]], device=device_of(causal))
        stack = layer_stack(causal, config)
        layers = tuple(causal.get_submodule(stack))  # a shared layer counts as often as it is listed
        with undisturbed(causal), torch.no_grad():
            calls, output = trace(causal, (*layers, *neighbours(causal, stack), head), ids, output_hidden_states=True)
            tail, states = between_layers_and_head(calls, layers, head)
            if probe:
                check_states(states, tail, output)
                check_causal(causal, layers, ids, states)
            adapter = cls(
                model=causal,
                layers=layers,
                tail=tuple(call.module for call in tail),
                head=head,
                scale=1.0,
                softcap=None,
                vocab_size=int(output.logits.shape[-1]),
                vocabulary=vocabulary,
                hidden_size=int(states[-1].shape[-1]),
                mode="arguments",
            )
            return adapter._fitted(config, states[-1][0], output.logits[0], probe)

    def _fitted(self, config: Any, last: Tensor, logits: Tensor, probe: bool) -> HostAdapter:
        """Returns this adapter with the mode, scale and cap for which the lens gives the host's `logits` [N, V]."""
        values = [(getattr(config, name, None), turn) for name, turn in _SCALES]
        scales = [turn(float(value)) for value, turn in values if value] + [1.0]
        softcap = getattr(config, "final_logit_softcapping", None)
        modes: tuple[Mode, ...] = (
            ("arguments", "modules") if is_plain_head(self.head, self.vocab_size) else ("modules",)
        )
        wanted = logits.float()[:, : self.vocabulary]
        limit = TOLERANCE.get(logits.dtype, 3e-2) * max(float(wanted.abs().max()), 1e-6)
        closest = float("inf")
        for mode in modes:
            for scale in dict.fromkeys(scales):
                fields = self.__dict__ | {"mode": mode, "scale": scale, "softcap": softcap and float(softcap)}
                candidate = HostAdapter(**fields)
                if not probe:
                    return candidate
                off = float((candidate.logits(last)[:, : self.vocabulary] - wanted).abs().max())
                if off <= limit:
                    return candidate
                closest = min(closest, off)
        raise UnsupportedHost(
            f"The lens of {name_of(self.model)}'s last layer does not give the model's own logits: expected a "
            f"difference of at most {limit:.2g}, got {closest:.2g}. The head must be norm, projection, scale and "
            "soft-cap only."
        )

    @property
    def num_layers(self) -> int:
        return len(self.layers)

    @property
    def context(self) -> int:
        """Longest text in tokens by the host's config; 2**20 if the config names no limit."""
        return int(getattr(self.model.config, "max_position_embeddings", 0) or 1 << 20)

    @property
    def device(self) -> torch.device:
        """Device of the first parameter, which takes the token ids."""
        return device_of(self.model)

    @property
    def input_embedding(self) -> Tensor:
        """Input embeddings [V, d], whose rows the cosine features compare."""
        weight: Tensor = self.model.get_input_embeddings().weight
        return weight.detach()

    def lens(
        self,
        hidden: Tensor,
        k: int,
        chosen: Tensor | None = None,
        entropy: bool = False,
        norm: Norm = "final",
    ) -> LensOutput:
        """Applies the logit lens to raw residual states [R, d] of any layer, exactly over the whole vocabulary.

        `norm="none"` skips the final norm, as PrivacyXray's formula does. It keeps a projection behind the norm.
        """
        with torch.no_grad():
            x = self._to_head(hidden, norm)
            if self.mode == "arguments":
                return logit_lens(
                    x,
                    self.head.weight,
                    k,
                    chosen=None if chosen is None else chosen.to(x.device),
                    softcap=self.softcap,
                    scale=self.scale,
                    bias=self.head.bias,
                    vocabulary=self.vocabulary,
                    entropy=entropy,
                )
            step, parts = block_rows(self.vocab_size), []
            for start in range(0, max(len(x), 1), step):
                own = None if chosen is None else chosen[start : start + step]
                parts.append(reduce_logits(self._own_logits(x[start : start + step]), k, own, self.vocabulary, entropy))
            return concatenate(parts)

    def logits(self, hidden: Tensor) -> Tensor:
        """Returns all logits [R, V] of raw residual states [R, d], in float32. Meant for probes and tests: few rows."""
        with torch.no_grad():
            x = self._to_head(hidden, "final")
            if self.mode == "modules":
                return self._own_logits(x)
            return project(x, self.head.weight, self.head.bias, self.scale, self.softcap)

    def _to_head(self, hidden: Tensor, norm: Norm) -> Tensor:
        """Turns raw states [R, d] into the head's input [R, d]."""
        for module in self.tail:
            if norm == "final" or isinstance(module, nn.Linear):
                weight = next(module.parameters(), None)
                hidden = module(hidden if weight is None else hidden.to(weight.device, weight.dtype))
        weight = next(self.head.parameters(), None)
        if weight is None:
            return hidden
        return hidden.to(weight.device, weight.dtype if weight.is_floating_point() else hidden.dtype)

    def _own_logits(self, x: Tensor) -> Tensor:
        logits: Tensor = self.head(x).float() * self.scale
        return logits if self.softcap is None else self.softcap * torch.tanh(logits / self.softcap)

    def fingerprint(self, tokenizer: Any) -> dict[str, str | int]:
        """Returns architecture, shape and digests of this host; see `capture.fingerprint`."""
        return fingerprint(self, tokenizer)

    def dtype_of(self, weights_sha256: str) -> str | None:
        """Returns the number type in which this host's weights have that digest; see `capture.fingerprint`."""
        return dtype_of(self.model, weights_sha256)

    def behaviour_print(self, probes: Sequence[Sequence[int]] | None = None) -> dict[str, Any]:
        """Returns how this host behaves on fixed probes; see `capture.fingerprint`."""
        return behaviour_print(self, probes)

    def __repr__(self) -> str:
        return (
            f"HostAdapter({name_of(self.model)}, layers={self.num_layers}, hidden_size={self.hidden_size}, "
            f"vocab_size={self.vocab_size}, vocabulary={self.vocabulary}, mode={self.mode!r})"
        )
