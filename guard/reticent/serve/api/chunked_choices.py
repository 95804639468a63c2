"""Defines what OpenAI's two routes of choices share: fields beside the choices, and the reader."""

from __future__ import annotations

from collections.abc import Mapping

from reticent.serve.api.api_format import TOP, ChoicesFormat
from reticent.serve.api.gated_fields import GATED
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.options import OnStoppedCall, Permission
from reticent.serve.stream.chunk_reader import ChunkReader
from reticent.serve.wire.error_formats import OPENAI
from reticent.serve.wire.fields import Only, Rule
from reticent.serve.wire.parsed_request import ParsedRequest


class ChunkedChoices:
    """Reads answers that are choices, streamed in OpenAI's chunks."""

    error_format = OPENAI
    gated: Mapping[str, Permission] = GATED
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
