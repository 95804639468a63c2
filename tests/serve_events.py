"""Streams of typed events as servers write them for responses and messages, and what a client reads from them.

The streams are written by hand after the documented shapes, not recorded.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from serve_golden import FINDER, QUESTION, REDACT
from stream_pieces import fed

from reticent.policy.policy import Policy
from reticent.records.index import RecordsIndex
from reticent.serve.api.api_format import ApiFormat
from reticent.serve.api.messages.api_format import MessagesFormat
from reticent.serve.api.responses.api_format import ResponsesFormat
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.options import OnStoppedCall, Permission
from reticent.serve.request_bounds import Bounds
from reticent.serve.stream.reader import Reader
from reticent.serve.stream.stream_guard import StreamGuard
from reticent.serve.wire.sse import SseReader

DIALECTS: dict[str, ApiFormat] = {"responses": ResponsesFormat(), "messages": MessagesFormat()}
ASKS: dict[str, dict[str, Any]] = {
    "responses": {"model": "gpt-4.1-mini", "input": QUESTION},
    "messages": {"model": "small", "max_tokens": 99, "messages": [{"role": "user", "content": QUESTION}]},
}


def named(body: dict[str, Any], separators: tuple[str, str] = (",", ":")) -> bytes:
    """An event whose name is its type."""
    return f"event: {body['type']}\ndata: {json.dumps(body, ensure_ascii=False, separators=separators)}\n\n".encode()


def numbered(events: Iterable[dict[str, Any]]) -> bytes:
    """Events with their numbers, as OpenAI and vLLM give them."""
    return b"".join(named({"type": body["type"], "sequence_number": at, **body}) for at, body in enumerate(events))


def bare(events: Iterable[dict[str, Any]]) -> bytes:
    """Events without numbers."""
    return b"".join(map(named, events))


# Responses

MSG = "msg_67ccf190ca3881909d433c50b1f6357e087bb177ab789d5c"
RS = "rs_6820f383d7c08191846711c5df8233bc0ac5ba57aafcbac7"


def response(output: list[Any], status: str = "in_progress", **more: Any) -> dict[str, Any]:
    """OpenAI's response object."""
    return {
        "id": "resp_67ccf18ef5fc8190b16dbee19bc54e5f087bb177ab789d5c",
        "object": "response",
        "created_at": 1741484430,
        "status": status,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "max_output_tokens": None,
        "model": "gpt-4.1-mini-2025-04-14",
        "output": output,
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "reasoning": {"effort": None, "summary": None},
        "store": False,
        "temperature": 1.0,
        "text": {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": None,
        "user": None,
        "metadata": {},
        **more,
    }


def output_text(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "output_text", "annotations": [], "logprobs": [], "text": text, **more}


def message(text: str, status: str = "completed", name: str = MSG) -> dict[str, Any]:
    return {"id": name, "type": "message", "status": status, "content": [output_text(text)], "role": "assistant"}


def reasoning(text: str, name: str = RS) -> dict[str, Any]:
    return {"id": name, "type": "reasoning", "summary": [{"type": "summary_text", "text": text}]}


USAGE = {"input_tokens": 37, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 11, "total_tokens": 48}


def message_events(pieces: Sequence[str], at: int = 0, name: str = MSG) -> list[dict[str, Any]]:
    """One message of a stream of OpenAI's."""
    text = "".join(pieces)
    here = {"item_id": name, "output_index": at, "content_index": 0}
    return [
        {
            "type": "response.output_item.added",
            "output_index": at,
            "item": {"id": name, "type": "message", "status": "in_progress", "content": [], "role": "assistant"},
        },
        {"type": "response.content_part.added", **here, "part": output_text("")},
        *({"type": "response.output_text.delta", **here, "delta": piece, "logprobs": []} for piece in pieces),
        {"type": "response.output_text.done", **here, "text": text, "logprobs": []},
        {"type": "response.content_part.done", **here, "part": output_text(text)},
        {"type": "response.output_item.done", "output_index": at, "item": message(text, name=name)},
    ]


def summary_events(pieces: Sequence[str], at: int = 0) -> list[dict[str, Any]]:
    """One reasoning item with a summary."""
    text = "".join(pieces)
    here = {"item_id": RS, "output_index": at, "summary_index": 0}
    part = {"type": "summary_text", "text": text}
    family = "response.reasoning_summary"
    return [
        {"type": "response.output_item.added", "output_index": at, "item": {**reasoning(""), "summary": []}},
        {"type": f"{family}_part.added", **here, "part": {**part, "text": ""}},
        *({"type": f"{family}_text.delta", **here, "delta": piece} for piece in pieces),
        {"type": f"{family}_text.done", **here, "text": text},
        {"type": f"{family}_part.done", **here, "part": part},
        {"type": "response.output_item.done", "output_index": at, "item": reasoning(text)},
    ]


def call_events(arguments: str, at: int = 0, name: str = "send") -> list[dict[str, Any]]:
    """One function call of a stream of OpenAI's."""
    item = {
        "id": f"fc_67ccf18f64008190a39b619f4c8455ef087bb177ab789{at}",
        "type": "function_call",
        "status": "in_progress",
        "arguments": "",
        "call_id": f"call_oPbtq3g8wTt1cAa9Wb2Fi7e{at}",
        "name": name,
    }
    here = {"item_id": item["id"], "output_index": at}
    pieces = [arguments[start : start + 4] for start in range(0, len(arguments), 4)]
    family = "response.function_call_arguments"
    return [
        {"type": "response.output_item.added", "output_index": at, "item": item},
        *({"type": f"{family}.delta", **here, "delta": piece} for piece in pieces),
        {"type": f"{family}.done", **here, "arguments": arguments},
        {
            "type": "response.output_item.done",
            "output_index": at,
            "item": {**item, "status": "completed", "arguments": arguments},
        },
    ]


def streamed(*items: list[dict[str, Any]], status: str = "completed", **more: Any) -> list[dict[str, Any]]:
    """A whole stream around the events of items."""
    output = [events[-1]["item"] for events in items]
    return [
        {"type": "response.created", "response": response([], **more)},
        {"type": "response.in_progress", "response": response([], **more)},
        *(event for events in items for event in events),
        {"type": f"response.{status}", "response": response(output, status, usage=USAGE, **more)},
    ]


def responses_openai(pieces: Sequence[str]) -> bytes:
    return numbered(streamed(summary_events(["Let", " me", " see"]), message_events(pieces, 1)))


def responses_vllm(pieces: Sequence[str]) -> bytes:
    """Reasoning and text; done events have no log-probabilities; the last event has other ids than those before."""
    text = "".join(pieces)
    rs, msg = "msg_8e3a1f0c9d5b4a67b1c2d3e4f5a6b7c8", "msg_1b2c3d4e5f60718293a4b5c6d7e8f901"
    thought = {"item_id": rs, "output_index": 0, "content_index": 0}
    spoken = {"item_id": msg, "output_index": 1, "content_index": 0}
    thoughts = {"text": "Hm, well.", "type": "reasoning_text"}
    top = response([], id="resp_0a1b2c3d4e5f60718293a4b5c6d7e8f9", model="gpt-4.1-mini", input_messages=None)
    item = {"id": rs, "summary": [], "type": "reasoning", "content": [thoughts], "encrypted_content": None}
    plain = {"annotations": [], "text": text, "type": "output_text", "logprobs": None}
    answer_item = {"id": msg, "content": [plain], "role": "assistant", "status": "completed", "type": "message"}
    events = [
        {"response": top, "type": "response.created"},
        {"response": top, "type": "response.in_progress"},
        {
            "item": {**item, "content": None, "status": "in_progress"},
            "output_index": 0,
            "type": "response.output_item.added",
        },
        {"part": {**thoughts, "text": ""}, **thought, "type": "response.reasoning_part.added"},
        {"delta": "Hm,", **thought, "type": "response.reasoning_text.delta"},
        {"delta": " well.", **thought, "type": "response.reasoning_text.delta"},
        {"text": "Hm, well.", **thought, "type": "response.reasoning_text.done"},
        {"part": thoughts, **thought, "type": "response.reasoning_part.done"},
        {"item": {**item, "status": "completed"}, "output_index": 0, "type": "response.output_item.done"},
        {
            "item": {**answer_item, "content": [], "status": "in_progress"},
            "output_index": 1,
            "type": "response.output_item.added",
        },
        {"part": {**plain, "text": "", "logprobs": []}, **spoken, "type": "response.content_part.added"},
        *({"delta": piece, "logprobs": [], **spoken, "type": "response.output_text.delta"} for piece in pieces),
        {"text": text, "logprobs": [], **spoken, "type": "response.output_text.done"},
        {"part": plain, **spoken, "type": "response.content_part.done"},
        {"item": answer_item, "output_index": 1, "type": "response.output_item.done"},
        {
            "response": {
                **top,
                "output": [
                    {**item, "id": "rs_aa1b2c3d4e5f60718293a4b5c6d7e8f9"},
                    {**answer_item, "id": "msg_bb1b2c3d4e5f60718293a4b5c6d7e8f9"},
                ],
                "status": "completed",
                "usage": {**USAGE, "output_tokens_details": {"reasoning_tokens": 4, "tool_output_tokens": 0}},
            },
            "type": "response.completed",
        },
    ]
    return b"".join(named({**body, "sequence_number": at}) for at, body in enumerate(events))


def responses_llama_cpp(pieces: Sequence[str]) -> bytes:
    """Neither numbers nor places: items are known by their ids."""
    text = "".join(pieces)
    rs, msg = "rs_bN3kP0vXqZ7mT5aYcE9wLs2dRf8hJ1uG", "msg_Yh4Kq8RzWv1Lp6TxMn3Bc9Ds5Fg7Aj2E"
    opened = {"id": "resp_Qw8Er2Ty6Ui0Op4As1Df5Gh9Jk3Lz7Xc", "object": "response", "status": "in_progress"}
    thoughts = {"text": "Hm, well.", "type": "reasoning_text"}
    item = {"content": [thoughts], "encrypted_content": "", "id": rs, "summary": [], "type": "reasoning"}
    plain = {"annotations": [], "logprobs": [], "text": text, "type": "output_text"}
    answer_item = {"content": [plain], "id": msg, "role": "assistant", "status": "completed", "type": "message"}
    return bare(
        [
            {"response": opened, "type": "response.created"},
            {"response": opened, "type": "response.in_progress"},
            {"item": {**item, "content": [], "status": "in_progress"}, "type": "response.output_item.added"},
            {"delta": "Hm,", "item_id": rs, "type": "response.reasoning_text.delta"},
            {"delta": " well.", "item_id": rs, "type": "response.reasoning_text.delta"},
            {"item": {**answer_item, "content": [], "status": "in_progress"}, "type": "response.output_item.added"},
            {"item_id": msg, "part": {"text": "", "type": "output_text"}, "type": "response.content_part.added"},
            *({"delta": piece, "item_id": msg, "type": "response.output_text.delta"} for piece in pieces),
            {"item": item, "type": "response.output_item.done"},
            {"item_id": msg, "text": text, "type": "response.output_text.done"},
            {"item_id": msg, "part": plain, "type": "response.content_part.done"},
            {"item": answer_item, "type": "response.output_item.done"},
            {
                "response": {
                    **opened,
                    "created_at": 1741484430,
                    "model": "gpt-4.1-mini",
                    "output": [item, answer_item],
                    "status": "completed",
                    "usage": {"input_tokens": 37, "output_tokens": 11, "total_tokens": 48},
                },
                "timings": {"predicted_n": 11, "predicted_ms": 73.25},
                "type": "response.completed",
            },
        ]
    )


# Messages

SIGNED = "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds+="


def begun(model: str = "small", **more: Any) -> dict[str, Any]:
    return {
        "id": "msg_01XFDUDYJgAACzvnptvVoYEL",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 25, "output_tokens": 1},
        **more,
    }


def block_events(at: int, block: dict[str, Any], deltas: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """One block of a stream."""
    return [
        {"type": "content_block_start", "index": at, "content_block": block},
        *({"type": "content_block_delta", "index": at, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": at},
    ]


def text_block(pieces: Iterable[str], at: int = 0) -> list[dict[str, Any]]:
    return block_events(at, {"type": "text", "text": ""}, ({"type": "text_delta", "text": piece} for piece in pieces))


def thinking_block(pieces: Iterable[str], at: int = 0, signature: str = SIGNED) -> list[dict[str, Any]]:
    deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces]
    last = {"type": "signature_delta", "signature": signature}
    return block_events(at, {"type": "thinking", "thinking": "", "signature": ""}, [*deltas, last])


def tool_block(given: dict[str, Any], at: int = 0, name: str = "send") -> list[dict[str, Any]]:
    text = json.dumps(given)
    pieces = ["", *(text[start : start + 4] for start in range(0, len(text), 4))]
    block = {"type": "tool_use", "id": f"toolu_01T1x1fJ34qAmk2tNTrN7Up{at}", "name": name, "input": {}}
    return block_events(at, block, ({"type": "input_json_delta", "partial_json": piece} for piece in pieces))


def message_stream(
    *blocks: list[dict[str, Any]], reason: str = "end_turn", model: str = "small"
) -> list[dict[str, Any]]:
    """A whole stream around the events of blocks."""
    return [
        {"type": "message_start", "message": begun(model)},
        *(event for events in blocks for event in events),
        {
            "type": "message_delta",
            "delta": {"stop_reason": reason, "stop_sequence": None},
            "usage": {"output_tokens": 15},
        },
        {"type": "message_stop"},
    ]


def messages_anthropic(pieces: Sequence[str]) -> bytes:
    first, start, *rest = message_stream(thinking_block(["Let", " me see."]), text_block(pieces, 1))
    return b"".join(named(body, (", ", ": ")) for body in [first, start, {"type": "ping"}, *rest])


def messages_vllm(pieces: Sequence[str]) -> bytes:
    start = {"type": "message_start", "message": {**begun(), "id": "chatcmpl-9c1185a5c5e9fc54612808977ee8f548"}}
    blocks = [*thinking_block(["Hm,", " well."], 0, "5f60718293a4b5c6d7e8f9010a1b2c3d"), *text_block(pieces, 1)]
    usage = {"input_tokens": 25, "output_tokens": 15}
    end = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage}
    return bare([start, *blocks, end, {"type": "message_stop"}]) + b"data: [DONE]\n\n"


def messages_llama_cpp(pieces: Sequence[str]) -> bytes:
    """Blocks are closed at the end, all at once; a thought has an empty signature."""
    usage = {"cache_read_input_tokens": 0, "input_tokens": 25, "output_tokens": 0}
    start = begun(id="chatcmpl-Qw8Er2Ty6Ui0Op4As1Df5Gh9Jk3Lz7Xc", usage=usage)
    opened, first, second, signed, closed = thinking_block(["Hm,", " well."], 0, "")
    del opened["content_block"]["signature"]
    *text, stop = text_block(pieces, 1)
    end = [
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {"output_tokens": 15},
        },
        {"type": "message_stop"},
    ]
    return bare([{"type": "message_start", "message": start}, opened, first, second, *text, signed, closed, stop, *end])


RESPONSES = {f.__name__: f for f in (responses_openai, responses_vllm, responses_llama_cpp)}
MESSAGES = {f.__name__: f for f in (messages_anthropic, messages_vllm, messages_llama_cpp)}
ALL = RESPONSES | MESSAGES


# What a client gets, and makes of it


def route_of(name: str) -> str:
    return name.partition("_")[0]


def reader(
    policy: Policy = REDACT,
    route: str = "responses",
    *,
    index: RecordsIndex | None = None,
    allowed: Iterable[Permission] = (),
    cache_counts: bool = True,
    bounds: Bounds | None = None,
    on_stopped_call: OnStoppedCall = OnStoppedCall.WITHHOLD,
    **body: Any,
) -> Reader:
    dialect, permissions = DIALECTS[route], frozenset([*allowed, *([Permission.CACHE] if cache_counts else [])])
    bounds = Bounds() if bounds is None else bounds
    asked = dialect.parse_request({**ASKS[route], **body}, permissions, False, bounds)
    request = GuardedRequest(policy, FINDER, asked.views, index, bounds)
    return dialect.reader(request, asked, permissions, on_stopped_call)


def run(pieces: Iterable[bytes], policy: Policy = REDACT, route: str = "responses", **more: Any) -> bytes:
    """What a client gets of a stream that comes in these pieces."""
    return fed(StreamGuard(reader(policy, route, **more)), pieces)


def whole(body: Any, policy: Policy = REDACT, route: str = "responses", **more: Any) -> Any:
    return json.loads(reader(policy, route, **more).judge_body(json.dumps(body).encode(), 0.0))


def frames(stream: bytes) -> list[dict[str, Any]]:
    """The JSON of every event; each is named by its type."""
    out = []
    for event in SseReader(1 << 24).feed(stream):
        if event.data is None or event.data == "[DONE]":
            continue
        body = json.loads(event.data)
        assert event.name == body["type"]
        out.append(body)
    return out


def kinds(stream: bytes) -> list[str]:
    """The types of the events, each run of the same type once."""
    out: list[str] = []
    for frame in frames(stream):
        if out[-1:] != [frame["type"]]:
            out.append(frame["type"])
    return out


def tellings(stream: bytes) -> dict[str, list[str]]:
    """Lists the texts of a response in the order of its events: deltas, ends, parts, items, the whole at last."""
    out: dict[str, list[str]] = {name: [] for name in ("pieces", "texts", "parts", "items", "last")}
    texts: dict[str, str] = {}
    for frame in frames(stream):
        kind = frame["type"]
        if kind.endswith("text.delta"):
            texts[frame["item_id"]] = texts.get(frame["item_id"], "") + frame["delta"]
        elif kind.endswith("text.done"):
            out["texts"].append(frame["text"])
        elif kind.endswith("_part.done"):
            out["parts"].append(frame["part"]["text"])
        elif kind == "response.output_item.done":
            out["items"] += texts_of(frame["item"])
        elif "response" in frame and frame["response"].get("output"):
            out["last"] = [text for item in frame["response"]["output"] for text in texts_of(item)]
    out["pieces"] = list(texts.values())
    return out


def texts_of(item: dict[str, Any]) -> list[str]:
    return [part["text"] for part in [*(item.get("summary") or []), *(item.get("content") or [])]]


def said(stream: bytes, channel: str = "text") -> str:
    """The text, or thought, that a client reads from the pieces."""
    out = []
    for frame in frames(stream):
        kind, delta = frame["type"], frame.get("delta")
        if kind == ("response.output_text.delta" if channel == "text" else "response.reasoning_text.delta"):
            out.append(delta)
        elif kind == "content_block_delta":
            out.append(delta.get(channel, ""))
    return "".join(out)
