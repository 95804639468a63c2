"""Streams as six servers write them, made by hand from knowledge of their shapes, not recorded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from stream_pieces import fed

from reticent.policy.options import AfterRedaction, HoldLimits, OnBlock
from reticent.policy.policy import DEFAULT, Policy, Rule
from reticent.policy.verdict import Action, Origin
from reticent.records.index import RecordsIndex
from reticent.serve.api.chat import ChatFormat
from reticent.serve.api.completions import CompletionsFormat
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.options import Permission
from reticent.serve.request_bounds import Bounds
from reticent.serve.stream.chunk_reader import ChunkReader
from reticent.serve.stream.stream_guard import StreamGuard
from reticent.serve.wire.sse import SseReader
from reticent.suppressions.active import SuppressionList
from reticent_detectors.finder import SpanFinder

FINDER = SpanFinder()
LONG = HoldLimits(max_tokens=100_000, max_chars=1024, max_seconds=1e9)
REDACT = Policy(
    rules={DEFAULT: {Origin.UNKNOWN: Rule(Action.REDACT)}}, after_redaction=AfterRedaction.CONTINUE, hold=LONG
)
STOP = replace(REDACT, after_redaction=AfterRedaction.STOP)
BLOCK = replace(REDACT, rules={DEFAULT: {Origin.UNKNOWN: Rule(Action.BLOCK)}})
INSTEAD = replace(BLOCK, on_block=OnBlock.REPLACE, block_text="I may not say that.")
REFUSE = replace(BLOCK, on_block=OnBlock.ERROR)
RECORDED = replace(Policy(), after_redaction=AfterRedaction.CONTINUE, hold=LONG)

IBAN = "DE89 3704 0044 0532 0130 00"
PHONE = "+1 212 555 0123"
EMAIL = "jane.roe@example.com"
SECRETS = (IBAN, PHONE, EMAIL)
INDEX = RecordsIndex.build([("IBAN_CODE", IBAN), ("PHONE_NUMBER", PHONE), ("EMAIL_ADDRESS", EMAIL)], key=b"k" * 32)

HARMLESS = ["The", " sky is", " blue, and", " gr\u00fcn ist", " die Wiese \U0001f600.", " That", " is", " all."]


def leaking(value: str) -> list[str]:
    """The value cut into the small pieces in which a model would say it, in a sentence."""
    return ["You", " can", " use ", *[value[at : at + 3] for at in range(0, len(value), 3)], ", which", " is", " it."]


def event(body: Any, end: str = "\n\n") -> bytes:
    return f"data: {json.dumps(body, ensure_ascii=False)}{end}".encode()


def compact(body: Any, end: str = "\n\n") -> bytes:
    return f"data: {json.dumps(body, ensure_ascii=False, separators=(',', ':'))}{end}".encode()


def _chunk(top: dict[str, Any], delta: dict[str, Any], reason: str | None = None, **more: Any) -> dict[str, Any]:
    return {**top, "choices": [{"index": 0, "delta": delta, **more, "finish_reason": reason}]}


def openai(pieces: Sequence[str]) -> bytes:
    top = {
        "id": "chatcmpl-BkA1b2C3d4E5f6G7h8I9j0KlMnOpQ",
        "object": "chat.completion.chunk",
        "created": 1732200000,
        "model": "gpt-4o-mini-2024-07-18",
        "service_tier": "default",
        "system_fingerprint": "fp_0aa8d3e20b",
    }
    first = {"role": "assistant", "content": "", "refusal": None}
    out = [_chunk(top, first, logprobs=None) | {"usage": None}]
    out += [_chunk(top, {"content": piece}, logprobs=None) | {"usage": None} for piece in pieces]
    out += [_chunk(top, {}, "stop", logprobs=None) | {"usage": None}]
    details = {"cached_tokens": 0, "audio_tokens": 0}
    usage = {"prompt_tokens": 19, "completion_tokens": 10, "total_tokens": 29, "prompt_tokens_details": details}
    out.append({**top, "choices": [], "usage": usage})
    return b"".join(map(compact, out)) + b"data: [DONE]\n\n"


def vllm(pieces: Sequence[str]) -> bytes:
    top = {
        "id": "chatcmpl-9c1185a5c5e9fc54612808977ee8f548",
        "object": "chat.completion.chunk",
        "created": 1732200000,
        "model": "small",
    }
    out = [_chunk(top, {"role": "assistant", "content": "", "reasoning_content": None}, logprobs=None)]
    half = len(pieces) // 2
    out += [_chunk(top, {"reasoning_content": piece}, logprobs=None, token_ids=None) for piece in pieces[:half]]
    out += [_chunk(top, {"content": piece}, logprobs=None, token_ids=None) for piece in pieces]
    out += [_chunk(top, {"content": ""}, "stop", logprobs=None, stop_reason=None, token_ids=None)]
    out.append({**top, "choices": [], "usage": {"prompt_tokens": 5, "total_tokens": 9, "completion_tokens": 4}})
    return b"".join(map(event, out)) + b"data: [DONE]\n\n"


def llama_cpp(pieces: Sequence[str]) -> bytes:
    top = {
        "created": 1732200000,
        "id": "chatcmpl-Hc1Qm2vYp0Wz8Nn3Dk5Ls7Rt9Bx4Jf6G",
        "model": "small",
        "system_fingerprint": "b4719-ab12cd34",
        "object": "chat.completion.chunk",
    }

    def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
        return {"choices": [{"finish_reason": reason, "index": 0, "delta": delta}], **top}

    out = [chunk({"role": "assistant", "content": None}), *[chunk({"content": piece}) for piece in pieces]]
    timings = {"prompt_n": 5, "prompt_ms": 12.345678901234, "predicted_per_second": 52.94117647058824}
    out.append(chunk({}, "stop") | {"timings": timings})
    return b"".join(map(compact, out)) + b"data: [DONE]\n\n"


def sglang(pieces: Sequence[str]) -> bytes:
    top = {
        "id": "0f8fad5b-d9cb-469f-a165-70867728950e",
        "object": "chat.completion.chunk",
        "created": 1732200000,
        "model": "small",
    }

    def chunk(delta: dict[str, Any], reason: str | None = None, stop: Any = None) -> dict[str, Any]:
        empty = {"role": None, "content": None, "reasoning_content": None, "tool_calls": None}
        choice = {"index": 0, "delta": empty | delta, "logprobs": None, "finish_reason": reason, "matched_stop": stop}
        return {**top, "choices": [choice], "usage": None}

    out = [chunk({"role": "assistant", "content": ""}), *[chunk({"content": piece}) for piece in pieces]]
    return b"".join(map(compact, [*out, chunk({}, "stop", 151645)])) + b"data: [DONE]\n\n"


def ollama(pieces: Sequence[str]) -> bytes:
    top = {
        "id": "chatcmpl-417",
        "object": "chat.completion.chunk",
        "created": 1732200000,
        "model": "small",
        "system_fingerprint": "fp_ollama",
    }
    out = [_chunk(top, {"role": "assistant", "content": piece}) for piece in pieces]
    out += [_chunk(top, {"role": "assistant", "content": ""}, "stop")]
    return b"".join(map(compact, out)) + b"data: [DONE]\n\n"


def tgi(pieces: Sequence[str]) -> bytes:
    top = {
        "object": "chat.completion.chunk",
        "id": "",
        "created": 1732200000,
        "model": "small",
        "system_fingerprint": "3.0.1-native",
    }
    out = [_chunk(top, {"role": "assistant", "content": piece}, logprobs=None) for piece in pieces]
    out += [_chunk(top, {"role": "assistant", "content": ""}, "stop", logprobs=None)]
    blob = [compact(each, "\r\n\r\n") for each in out]
    return b": keep-alive\r\n\r\n" + b"".join(blob) + b"data: [DONE]\r\n\r\n"


def completions(pieces: Sequence[str]) -> bytes:
    top = {
        "id": "cmpl-9c1185a5c5e9fc54612808977ee8f548",
        "object": "text_completion",
        "created": 1732200000,
        "model": "small",
    }

    def chunk(text: str, reason: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "text": text, "logprobs": None, "finish_reason": reason, "stop_reason": None}
        return {**top, "choices": [choice], "usage": None}

    return b"".join(map(event, [*map(chunk, pieces), chunk("", "length")])) + b"data: [DONE]\n\n"


CHAT = {f.__name__: f for f in (openai, vllm, llama_cpp, sglang, ollama, tgi)}
ALL = CHAT | {"completions": completions}

QUESTION = "Tell me something."


def request_body(route: str = "chat", **more: Any) -> dict[str, Any]:
    asks = {"prompt": QUESTION} if route == "completions" else {"messages": [{"role": "user", "content": QUESTION}]}
    return {"model": "small", **asks, **more}


def reader(
    policy: Policy = REDACT,
    route: str = "chat",
    *,
    index: RecordsIndex | None = None,
    allowed: Iterable[Permission] = (),
    cache_counts: bool = True,
    bounds: Bounds | None = None,
    suppressions: SuppressionList | None = None,
    **body: Any,
) -> ChunkReader:
    dialect = CompletionsFormat() if route == "completions" else ChatFormat()
    bounds = Bounds() if bounds is None else bounds
    permissions = frozenset([*allowed, *([Permission.CACHE] if cache_counts else [])])
    body.setdefault("model", "gpt-4o-mini" if route == "openai" else "small")
    asked = dialect.parse_request(request_body(route, **body), permissions, False, bounds)
    request = GuardedRequest(policy, FINDER, asked.views, index, bounds, suppressions=suppressions)
    return ChunkReader(request, dialect, asked, permissions)


def run(pieces: Iterable[bytes], policy: Policy = REDACT, route: str = "chat", **more: Any) -> bytes:
    """What a client gets of a stream that comes in these pieces."""
    return fed(StreamGuard(reader(policy, route, **more)), pieces)


def whole(body: Any, policy: Policy = REDACT, route: str = "chat", **more: Any) -> Any:
    return json.loads(reader(policy, route, **more).judge_body(json.dumps(body).encode(), 0.0))


def frames(stream: bytes) -> list[dict[str, Any]]:
    """The JSON of every frame but the end."""
    payloads = [event.data for event in SseReader(1 << 24).feed(stream) if event.data is not None]
    assert payloads[-1] == "[DONE]"
    return [json.loads(data) for data in payloads[:-1] if data]


def said(stream: bytes, index: int = 0, field: str = "content") -> str:
    """A choice's text over all frames."""
    out = []
    for frame in frames(stream):
        for choice in frame.get("choices", []):
            if choice["index"] == index:
                out.append(choice["text"] if "text" in choice else choice["delta"].get(field) or "")
    return "".join(out)


def reasons(stream: bytes, index: int = 0) -> list[str]:
    """A choice's finish reasons."""
    every = [choice for frame in frames(stream) for choice in frame.get("choices", [])]
    return [c["finish_reason"] for c in every if c["index"] == index and c["finish_reason"]]


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


def leaked(stream: bytes, value: str) -> bool:
    """Whether any four letters or digits of the value stand together in the joined texts, or in any frame."""
    texts = [letters(said(stream, index, field)) for index in range(4) for field in ("content", "reasoning_content")]
    form, raw = letters(value), stream.decode()
    if any(value[at : at + 6] in raw for at in range(len(value) - 5)):
        return True
    return any(form[at : at + 4] in text for text in texts for at in range(len(form) - 3))
