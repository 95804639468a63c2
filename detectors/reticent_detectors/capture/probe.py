"""Probes a host: runs a short forward pass and compares what its parts give with what the model reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from reticent_detectors.capture.host_parts import name_of
from reticent_detectors.errors import UnsupportedHost

PROBE_TOKENS = 12
TOLERANCE = {torch.float32: 1e-4, torch.float64: 1e-4, torch.float16: 5e-3, torch.bfloat16: 3e-2}
"""Largest difference between the lens and the host's logits, as a share of the largest logit."""


class TracedCall(NamedTuple):
    """One call of a module during the probe."""

    module: nn.Module
    given: Tensor
    gave: Tensor


@contextmanager
def undisturbed(model: nn.Module) -> Iterator[None]:
    """Runs the body in evaluation mode, and restores modes and hooks afterwards.

    The first `output_hidden_states=True` makes transformers install hooks that stay. This removes them and the mark
    that records them, so transformers installs them again when they are needed.
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
    """Returns the hidden states among a layer's inputs or outputs: the first tensor of a tuple or of keywords."""
    if isinstance(values, Tensor):
        return values
    candidates = values.values() if isinstance(values, dict) else values
    return next(value for value in candidates if isinstance(value, Tensor))


def trace(model: Any, modules: Sequence[nn.Module], ids: Tensor, **options: Any) -> tuple[list[TracedCall], Any]:
    """Runs one forward pass over `ids` [B, N].

    Returns the calls of `modules` in the order they returned, and the output.
    """
    calls: list[TracedCall] = []

    def record(module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> None:
        try:
            given, gave = first_tensor([*args, *kwargs.values()]), first_tensor(output)
        except (StopIteration, TypeError):
            return
        calls.append(TracedCall(module, given.detach().clone(), gave.detach().clone()))

    handles = [m.register_forward_hook(record, with_kwargs=True) for m in dict.fromkeys(modules)]
    try:
        output = model(input_ids=ids, attention_mask=torch.ones_like(ids), use_cache=False, return_dict=True, **options)
    finally:
        for handle in handles:
            handle.remove()
    if not isinstance(getattr(output, "logits", None), Tensor):
        raise UnsupportedHost(f"{name_of(model)}'s output has no logits; load it with AutoModelForCausalLM.")
    return calls, output


def between_layers_and_head(
    calls: list[TracedCall], layers: Sequence[nn.Module], head: nn.Module
) -> tuple[list[TracedCall], list[Tensor]]:
    """Returns the calls between the last layer and the head, and every layer's output [B, N, d].

    Raises:
        UnsupportedHost: a layer runs twice or out of order, or other operations lie between the layers and the head.
    """
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
    current, tail = states[-1], list[TracedCall]()
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


def check_states(states: list[Tensor], tail: list[TracedCall], output: Any) -> None:
    """Raises UnsupportedHost unless every layer's output [B, N, d] equals the reported hidden state."""
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


def check_causal(model: Any, layers: Sequence[nn.Module], ids: Tensor, states: list[Tensor]) -> None:
    """Raises UnsupportedHost if leaving out the last token changes an earlier state: then the model is not causal."""
    calls, _ = trace(model, layers[-1:], ids[:, :-1])
    ours, theirs = states[-1][:, :-1].float(), calls[-1].gave.float()
    limit = 10 * TOLERANCE.get(states[-1].dtype, 3e-2) * float(ours.abs().max())
    off = float((ours - theirs).abs().max())
    if not off <= limit:
        raise UnsupportedHost(
            f"Hidden states of {name_of(model)} depend on later tokens (off by {off:.2g}): it is not a causal model."
        )
