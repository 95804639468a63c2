"""Lets a request to vLLM write given tokens, so that one request tells the log-probabilities of a whole value.

    vllm serve ./base ... --logits-processors reticent.integrations.vllm_tokens:GivenTokens

    # serve.yaml
    detector:
      base: {model: ./base, tokenizer: ./base, given_tokens: true}

vLLM takes raw log-probabilities before it calls logits processors, so they are those of the model. Without this
processor the guard sends one request for each token of a value, and the engine reads the end of the prompt for each.

A request names its tokens in `vllm_xargs`. The guard refuses that field of clients (permission `logit_bias`).
vLLM has no logits processors beside speculative decoding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from vllm.v1.sample.logits_processor import AdapterLogitsProcessor

from reticent.serve.judging.served_base import GIVEN_TOKENS, MOST_TOKENS


class GivenTokens(AdapterLogitsProcessor):
    """Replaces what a request would write by the tokens that it names. Other requests stay as they are."""

    def is_argmax_invariant(self) -> bool:
        """Says that the likeliest token may become another one."""
        return False

    @classmethod
    def validate_params(cls, sampling_params: Any) -> None:
        """Checks the tokens of a request.

        Raises:
            ValueError: they are no list of at most `MOST_TOKENS` ids.
        """
        _tokens_of(sampling_params)

    def new_req_logits_processor(self, params: Any) -> Callable[[Sequence[int], Any], Any] | None:
        """Gives what changes the logits of a request, or None for a request that names no tokens."""
        tokens = _tokens_of(params)
        if tokens is None:
            return None

        def write(written: Sequence[int], logits: Any) -> Any:
            """Leaves the next of the tokens alone possible, in a row of logits [vocabulary]."""
            place = len(written)
            if place < len(tokens) and tokens[place] < len(logits):
                logits.fill_(float("-inf"))
                logits[tokens[place]] = 0.0
            return logits

        return write


def _tokens_of(params: Any) -> list[int] | None:
    tokens = (getattr(params, "extra_args", None) or {}).get(GIVEN_TOKENS)
    if tokens is None:
        return None
    if not isinstance(tokens, list) or not 0 < len(tokens) <= MOST_TOKENS or not all(map(_is_id, tokens)):
        raise ValueError(f"{GIVEN_TOKENS}: expected a list of 1 to {MOST_TOKENS} token ids.")
    return tokens


def _is_id(token: object) -> bool:
    return isinstance(token, int) and not isinstance(token, bool) and token >= 0
