"""Defines what OpenAI's two routes of choices share: gated fields, fields beside the choices, and the reader."""

from __future__ import annotations

from collections.abc import Mapping

from reticent.serve.api.api_format import TOP, ChoicesFormat
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.options import OnStoppedCall, Permission
from reticent.serve.stream.chunk_reader import ChunkReader
from reticent.serve.wire.error_formats import OPENAI
from reticent.serve.wire.fields import Only, Rule
from reticent.serve.wire.parsed_request import ParsedRequest

# Fields that need a permission. A grammar can spell an answer out choice by choice. `response_format` and tools need
# none, because applications get JSON by them.
_GATED = {
    "logprobs": Permission.LOGPROBS,
    "top_logprobs": Permission.LOGPROBS,
    "prompt_logprobs": Permission.LOGPROBS,
    "n_probs": Permission.LOGPROBS,
    "logprob_token_ids": Permission.LOGPROBS,
    "return_logprob": Permission.LOGPROBS,
    "return_hidden_states": Permission.LOGPROBS,
    "return_token_ids": Permission.TOKEN_IDS,
    "return_tokens_as_token_ids": Permission.TOKEN_IDS,
    "return_tokens": Permission.TOKEN_IDS,
    "echo": Permission.ECHO,
    "logit_bias": Permission.LOGIT_BIAS,
    "allowed_token_ids": Permission.LOGIT_BIAS,
    "bad_words": Permission.LOGIT_BIAS,
    "logits_processors": Permission.LOGIT_BIAS,
    "vllm_xargs": Permission.LOGIT_BIAS,  # vLLM's logits processors are told by it what to do
    "guided_json": Permission.GRAMMAR,
    "guided_regex": Permission.GRAMMAR,
    "guided_choice": Permission.GRAMMAR,
    "guided_grammar": Permission.GRAMMAR,
    "structured_outputs": Permission.GRAMMAR,
    "grammar": Permission.GRAMMAR,
    "regex": Permission.GRAMMAR,
    "ebnf": Permission.GRAMMAR,
    "store": Permission.STORE,
    "background": Permission.STORE,
    "previous_response_id": Permission.STORE,
    "conversation": Permission.STORE,
}


class ChunkedChoices:
    """Reads answers that are choices, streamed in OpenAI's chunks."""

    error_format = OPENAI
    gated: Mapping[str, Permission] = _GATED
    top: Mapping[str, Rule] = {
        **TOP,
        "prompt_logprobs": Only(Permission.LOGPROBS),
        "prompt_token_ids": Only(Permission.TOKEN_IDS),
    }

    def reader(
        self: ChoicesFormat,
        request: GuardedRequest,
        parsed: ParsedRequest,
        allowed: frozenset[Permission] = frozenset(),
        on_stopped_call: OnStoppedCall = OnStoppedCall.WITHHOLD,
    ) -> ChunkReader:
        """Makes the reader of the response."""
        return ChunkReader(request, self, parsed, allowed, on_stopped_call)
