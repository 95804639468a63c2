"""What the guard has to know about a transformers host, found by looking and proved on a probe.

`HostAdapter.attach` locates the decoder layers, what stands between the last of them and the head (normally one
norm), the head, its scale and its soft-cap. Nothing is believed because of a name: a short probe is run, and the
host is refused unless every layer's output is what `output_hidden_states` says, unless an earlier state is
independent of later tokens, and unless the lens of the last layer gives the host's own logits.

Not covered: encoder-decoders, state-space hosts whose cache does not count tokens, several heads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor, nn

from reticent_detectors.capture.fingerprint import behaviour_print, dtype_of, fingerprint
from reticent_detectors.errors import TokenizerMismatch, UnsupportedHost
from reticent_kernels import LensOutput, logit_lens, reduce_logits
from reticent_kernels.lens import block_rows, concatenate, project

Norm = Literal["final", "none"]
Mode = Literal["arguments", "modules"]

PROBE_TOKENS = 12
TOLERANCE = {torch.float32: 1e-4, torch.float64: 1e-4, torch.float16: 5e-3, torch.bfloat16: 3e-2}
"""Largest difference between the lens and the host's logits, as a share of the largest logit."""

_SCALES: tuple[tuple[str, Callable[[float], float]], ...] = (
    ("logits_scaling", lambda v: 1.0 / v),  # Granite
    ("logits_scaling", lambda v: v),  # HyperCLOVA X
    ("logit_scale", lambda v: v),  # Cohere
    ("lm_head_multiplier", lambda v: v),  # Falcon-H1
)
"""Names under which configs keep a factor on the logits. The probe decides which of them the host applies."""


class _Call(NamedTuple):
    """One call of a module during the probe."""

    module: nn.Module
    given: Tensor
    gave: Tensor


@dataclass(frozen=True, eq=False, repr=False)
class HostAdapter:
    """A host whose states and lens are understood. Made by `attach`; changes nothing in the host."""

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
    """How many of them are tokens; the rest is padding and never counts."""
    hidden_size: int
    mode: Mode
    """`arguments`: the head's weights are given to the lens. `modules`: the host's own head is called, in blocks."""

    @classmethod
    def attach(cls, model: Any, tokenizer: Any, probe: bool = True) -> HostAdapter:
        """Understand `model`, or raise UnsupportedHost or TokenizerMismatch.

        Runs two forward passes over a dozen fixed tokens, in evaluation mode, and leaves modules, modes and hooks as
        they were. `probe=False` leaves the comparisons out: for measuring speed only, never for guarding.
        """
        causal, head, config = causal_model(model)
        vocab_size = int(causal.get_input_embeddings().weight.shape[0])
        vocabulary = _vocabulary(tokenizer, vocab_size)
        ids = torch.tensor([[(i * 7919 + 3) % vocabulary for i in range(PROBE_TOKENS)]], device=_device(causal))
        stack = _layer_stack(causal, config)
        layers = tuple(causal.get_submodule(stack))  # a shared layer counts as often as it is listed
        with undisturbed(causal), torch.no_grad():
            calls, output = _trace(causal, (*layers, *_neighbour(causal, stack), head), ids, output_hidden_states=True)
            tail, states = _tail(calls, layers, head)
            if probe:
                _check_states(states, tail, output)
                _check_causal(causal, layers, ids, states)
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
        """This adapter with the mode, scale and cap under which the lens gives the host's `logits`."""
        values = [(getattr(config, name, None), turn) for name, turn in _SCALES]
        scales = [turn(float(value)) for value, turn in values if value] + [1.0]
        softcap = getattr(config, "final_logit_softcapping", None)
        modes: tuple[Mode, ...] = ("arguments", "modules") if _is_plain(self.head, self.vocab_size) else ("modules",)
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
            f"The lens of {_name(self.model)}'s last layer does not give the model's own logits: expected a difference "
            f"of at most {limit:.2g}, got {closest:.2g}. The head must be norm, projection, scale and soft-cap only."
        )

    @property
    def num_layers(self) -> int:
        return len(self.layers)

    @property
    def context(self) -> int:
        """Longest text that the host says it can read, in tokens; a large number if it says none."""
        return int(getattr(self.model.config, "max_position_embeddings", 0) or 1 << 20)

    @property
    def device(self) -> torch.device:
        """Where token ids go in."""
        return _device(self.model)

    @property
    def input_embedding(self) -> Tensor:
        """[V, d]; rows compared by the cosine features."""
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
        """The logit lens over raw residual states [R, d] of any layer, exact over the host's vocabulary.

        `norm="none"` leaves the final norm out (PrivacyXray's formula); a projection after it is kept.
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
        """All logits [R, V] of raw residual states [R, d], float32: for a probe and for tests, not for many rows."""
        with torch.no_grad():
            x = self._to_head(hidden, "final")
            if self.mode == "modules":
                return self._own_logits(x)
            return project(x, self.head.weight, self.head.bias, self.scale, self.softcap)

    def _to_head(self, hidden: Tensor, norm: Norm) -> Tensor:
        """What the head would be given for raw states [R, d]."""
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
        """Who this host is, weights and all; see `capture.fingerprint`."""
        return fingerprint(self, tokenizer)

    def dtype_of(self, weights_sha256: str) -> str | None:
        """The number type in which this host has weights of that digest; see `capture.fingerprint`."""
        return dtype_of(self.model, weights_sha256)

    def behaviour_print(self, probes: Sequence[Sequence[int]] | None = None) -> dict[str, Any]:
        """How this host behaves on fixed probes; see `capture.fingerprint`."""
        return behaviour_print(self, probes)

    def __repr__(self) -> str:
        return (
            f"HostAdapter({_name(self.model)}, layers={self.num_layers}, hidden_size={self.hidden_size}, "
            f"vocab_size={self.vocab_size}, vocabulary={self.vocabulary}, mode={self.mode!r})"
        )


@contextmanager
def undisturbed(model: nn.Module) -> Iterator[None]:
    """Run the body in evaluation mode and put modes and hooks back after it.

    The first `output_hidden_states=True` makes transformers install hooks of its own that stay; they go too, with
    the mark that they are there, so that transformers installs them again when somebody needs them.
    """
    mark = "_output_capturing_hooks_installed"
    before = [(m, m.training, set(m._forward_hooks), mark in m.__dict__) for m in model.modules()]
    model.eval()
    try:
        yield
    finally:
        for module, training, hooks, marked in before:
            module.training = training
            for key in set(module._forward_hooks) - hooks:
                for table in (
                    module._forward_hooks,
                    module._forward_hooks_with_kwargs,
                    module._forward_hooks_always_called,
                ):
                    table.pop(key, None)
            if not marked:
                module.__dict__.pop(mark, None)


def first_tensor(values: Any) -> Tensor:
    """The hidden states among a layer's inputs or outputs: a tensor, or the first of a tuple or of keywords."""
    if isinstance(values, Tensor):
        return values
    candidates = values.values() if isinstance(values, dict) else values
    return next(value for value in candidates if isinstance(value, Tensor))


def _name(model: Any) -> str:
    return type(model).__name__


def _device(model: nn.Module) -> torch.device:
    return next(model.parameters()).device


def causal_model(model: Any) -> tuple[Any, Any, Any]:
    """(innermost module with the head, the head, text config)."""
    config = getattr(model, "config", None)
    if config is None or not hasattr(model, "get_output_embeddings"):
        raise UnsupportedHost(f"Expected a transformers causal language model with a config, got {_name(model)}.")
    if getattr(config, "is_encoder_decoder", False):
        raise UnsupportedHost(f"{_name(model)} is an encoder-decoder; only decoder-only hosts can be guarded.")
    head = _head(model)
    if head is None:
        raise UnsupportedHost(
            f"{_name(model)} has no language-model head (get_output_embeddings() gives none). "
            "Load it with AutoModelForCausalLM."
        )
    if any(p.device.type == "meta" for p in model.parameters()):
        raise UnsupportedHost(f"Weights of {_name(model)} are offloaded (meta device); load it without offloading.")
    causal = [m for m in model.modules() if hasattr(m, "get_output_embeddings") and _head(m) is head][-1]
    text = config.get_text_config(decoder=True) if hasattr(config, "get_text_config") else config
    return causal, head, text


def _head(model: Any) -> Any:
    try:
        return model.get_output_embeddings()
    except (AttributeError, NotImplementedError):
        return None


def _vocabulary(tokenizer: Any, rows: int) -> int:
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


def _layer_stack(model: nn.Module, config: Any) -> str:
    """Path of the decoder layers: of the lists with as many modules as the config has layers, the heaviest."""
    count = getattr(config, "num_hidden_layers", None)
    stacks = {
        name: sum(p.numel() for p in module.parameters())
        for name, module in model.named_modules()
        if isinstance(module, nn.ModuleList) and len(module) == count
    }
    if not count or not stacks:
        raise UnsupportedHost(
            f"No decoder layers found in {_name(model)}: expected a module list of length num_hidden_layers = {count}."
        )
    heaviest: str = max(stacks, key=lambda name: stacks[name])
    return heaviest


def _neighbour(model: nn.Module, stack: str) -> list[nn.Module]:
    """Modules next to the layer stack and next to whatever holds it; a final norm is one of them."""
    parts = stack.split(".")
    paths = [".".join(parts[:depth]) for depth in range(len(parts))]
    parents = [model.get_submodule(path) for path in paths]
    inside = {*parents, model.get_submodule(stack)}
    return [child for parent in parents for child in parent.children() if child not in inside]


def _trace(model: Any, modules: Sequence[nn.Module], ids: Tensor, **options: Any) -> tuple[list[_Call], Any]:
    """One forward pass and every call of `modules` in it, in the order in which they returned."""
    calls: list[_Call] = []

    def record(module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> None:
        try:
            given, gave = first_tensor([*args, *kwargs.values()]), first_tensor(output)
        except (StopIteration, TypeError):
            return
        calls.append(_Call(module, given.detach().clone(), gave.detach().clone()))

    handles = [m.register_forward_hook(record, with_kwargs=True) for m in dict.fromkeys(modules)]
    try:
        output = model(input_ids=ids, attention_mask=torch.ones_like(ids), use_cache=False, return_dict=True, **options)
    finally:
        for handle in handles:
            handle.remove()
    if not isinstance(getattr(output, "logits", None), Tensor):
        raise UnsupportedHost(f"{_name(model)}'s output has no logits; load it with AutoModelForCausalLM.")
    return calls, output


def _tail(calls: list[_Call], layers: Sequence[nn.Module], head: nn.Module) -> tuple[list[_Call], list[Tensor]]:
    """(calls between the last layer and the head, output of every layer [1, n, d])."""
    at = [i for i, call in enumerate(calls) if call.module in layers]
    if (
        len(set(layers)) < len(layers)
        or [calls[i].module for i in at] != list(layers)
        or any(calls[i].gave.ndim != 3 for i in at)
    ):
        raise UnsupportedHost(
            f"Expected {len(layers)} different decoder layers that run once, in order, and give [B, N, d]; "
            f"got {len(at)} calls."
        )
    states = [calls[i].gave for i in at]
    current, tail = states[-1], list[_Call]()
    for call in calls[at[-1] + 1 :]:
        if call.given.shape == current.shape and torch.equal(call.given.to(current.device), current):
            if call.module is head:
                return tail, states
            tail.append(call)
            current = call.gave
    raise UnsupportedHost(
        "What the head is given does not follow from the last layer by whole modules such as a final norm; "
        "the lens would differ from the model. This architecture is not supported."
    )


def _check_states(states: list[Tensor], tail: list[_Call], output: Any) -> None:
    reported = output.hidden_states
    if reported is None or len(reported) != len(states) + 1:
        got = "none" if reported is None else str(len(reported))
        raise UnsupportedHost(f"output_hidden_states should give {len(states) + 1} states (layers + 1), it gave {got}.")
    for layer, state in enumerate(states):
        same = [state] if layer + 1 < len(states) else [state, *(call.gave for call in tail)]  # the last may be normed
        theirs = reported[layer + 1]
        if not any(s.shape == theirs.shape and torch.equal(s, theirs.to(s.device)) for s in same):
            raise UnsupportedHost(
                f"The output of decoder layer {layer} is not what output_hidden_states reports for it."
            )


def _check_causal(model: Any, layers: Sequence[nn.Module], ids: Tensor, states: list[Tensor]) -> None:
    """A state must not depend on later tokens, or no position predicts anything."""
    calls, _ = _trace(model, layers[-1:], ids[:, :-1])
    ours, theirs = states[-1][:, :-1].float(), calls[-1].gave.float()
    limit = 10 * TOLERANCE.get(states[-1].dtype, 3e-2) * float(ours.abs().max())
    off = float((ours - theirs).abs().max())
    if not off <= limit:
        raise UnsupportedHost(
            f"Hidden states of {_name(model)} depend on later tokens (off by {off:.2g}): it is not a causal model."
        )


def _is_plain(head: Any, vocab_size: int) -> bool:
    """Whether the head is its weights and nothing else: no adapter, packing, hook or override."""
    return (
        isinstance(head, nn.Linear)
        and type(head).forward is nn.Linear.forward
        and head.weight.is_floating_point()
        and len(head.weight) == vocab_size
        and not (head._forward_hooks or head._forward_pre_hooks)
        and "forward" not in head.__dict__
    )
