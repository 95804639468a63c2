"""Decides which ways of decoding the guard supports: step by step, read again afterwards, or refused.

Greedy decoding and sampling are guarded step by step, in any batch. Beams and assisted decoding, whose tokens are not
final when they come, are read again afterwards. Other ways of decoding are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from reticent_detectors.errors import InputError, UnsupportedHost

DEFAULT_NEW_TOKENS = 20  # the default of transformers, where neither max_new_tokens nor max_length is set

_REFUSED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "guidance_scale": (lambda v: v is not None and v != 1, "it runs the model twice a step"),
    "penalty_alpha": (lambda v: v is not None and v > 0, "contrastive search runs the model several times a step"),
    "dola_layers": (lambda v: v is not None, "the tokens do not come from the model's own output"),
    "custom_generate": (lambda v: v is not None, "nobody knows what it does with the model"),
    "inputs_embeds": (lambda v: v is not None, "without prompt ids the guard cannot know what the user typed"),
    "negative_prompt_ids": (lambda v: v is not None, "it runs the model twice a step"),
    "cache_implementation": (lambda v: v == "paged", "continuous batching passes by hooks and stopping criteria"),
    "token_healing": (bool, "it rewrites the end of the prompt before anything can be judged"),
    "synced_gpus": (bool, "rows that have stopped would still be run"),
}
_REREAD: dict[str, Callable[[Any], bool]] = {
    "num_beams": lambda v: v is not None and v > 1,
    "assistant_model": lambda v: v is not None,
    "prompt_lookup_num_tokens": lambda v: v is not None,
    "assistant_early_exit": lambda v: v is not None,
    "use_mtp": bool,
}


def setting(model: Any, options: Mapping[str, Any], name: str) -> Any:
    """Gives an option's value in `generate`: the call's (even an explicit None), the passed config's or the model's."""
    if name in options:
        return options[name]
    found = getattr(options.get("generation_config"), name, None)
    return found if found is not None else getattr(model.generation_config, name, None)


def needs_rereading(model: Any, streamer: Any, options: Mapping[str, Any], parts: Sequence[Any] = ()) -> bool:
    """Says whether the call has to be judged by reading it again afterwards.

    `parts`: modules of the model that hold the hooks, or call those that do.

    Raises:
        InputError: the guard supports no such decoding.
        UnsupportedHost: the model was compiled by other means than `generate`.
    """
    if any(map(_is_compiled, (model, *parts))):
        raise UnsupportedHost(
            "The model, or a layer of it, was compiled with torch.compile, and hooks stay silent there. "
            "Guard it as it was "
            "before (model._orig_mod, or load it again), and let generate compile it: cache_implementation='static'."
        )
    check_supported(model, options)
    if streamer is not None and not hasattr(streamer, "on_finalized_text"):
        raise InputError(
            f"{type(streamer).__name__} takes token ids, but released text has none. Use transformers' TextStreamer or "
            "TextIteratorStreamer, or any object with on_finalized_text(text, stream_end)."
        )
    reread = any(is_set(setting(model, options, name)) for name, is_set in _REREAD.items())
    if reread and streamer is not None:
        raise InputError(
            "Beams and assisted decoding cannot be streamed: their tokens are judged when the answer is finished. Drop "
            "the streamer, or decode greedily or by sampling."
        )
    return reread


def check_supported(model: Any, options: Mapping[str, Any]) -> None:
    """Raises InputError for an option that goes past the guard."""
    for name, (refused, why) in _REFUSED.items():
        value = setting(model, options, name)
        if refused(value):
            raise InputError(
                f"The guard does not support {name}={_shown(value)}: {why}. "
                "Leave it out (greedy decoding, sampling, beams "
                "and assisted decoding are supported), or read the finished answer with inspect()."
            )


def _is_compiled(module: Any) -> bool:
    forward = module.__dict__.get("forward")
    return (
        "_orig_mod" in module._modules
        or module.__dict__.get("_compiled_call_impl") is not None
        or (hasattr(forward, "_torchdynamo_orig_callable") and not getattr(forward, "_torchdynamo_disable", False))
    )


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, int | float | bool | str) else f"<{type(value).__name__}>"


def eos_ids(model: Any, options: Mapping[str, Any]) -> frozenset[int]:
    """Collects the ids that end an answer."""
    found = setting(model, options, "eos_token_id")
    return frozenset() if found is None else frozenset(int(e) for e in torch.as_tensor(found).reshape(-1).tolist())


def max_new_tokens(model: Any, options: Mapping[str, Any], prompt_tokens: int) -> int:
    """Computes how many tokens the call may generate at most."""
    if (new := setting(model, options, "max_new_tokens")) is not None:
        return int(new)
    limit = setting(model, options, "max_length")
    if limit is None or (limit == DEFAULT_NEW_TOKENS and "max_length" not in options):
        return DEFAULT_NEW_TOKENS
    return max(0, int(limit) - prompt_tokens)
