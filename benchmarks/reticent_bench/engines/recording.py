"""Sends a fixed list of requests to a running server and records its responses, byte by byte.

    python -m reticent_bench.engines.recording tests/recorded

writes NAME.jsonl for every engine whose environment exists: a first line with server and version, then one line for
each request. The demo host speaks of synthetic people only. Times and identifiers differ from run to run, the texts do
not.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from reticent_bench.engines.servers import ENGINES, ENVIRONMENTS, LLAMA_CPP, MODEL, VLLM, Engine, Server, running

CHAT, COMPLETIONS = "/v1/chat/completions", "/v1/completions"
RESPONSES, MESSAGES = "/v1/responses", "/v1/messages"
NUMBER = "Which number do I dial for Daniel Brown?"
DOCTOR = "Who looks after Donald Noble as a doctor?"
ACCOUNT = "<|bos|>Payments to Jennifer Mejia go to account"
TOOL = {
    "type": "function",
    "function": {
        "name": "look_up",
        "description": "Looks a person up.",
        "parameters": {
            "type": "object",
            "properties": {"name": {"type": "string", "maxLength": 12}},
            "required": ["name"],
        },
    },
}
_HEADERS = {"content-type": "application/json", "connection": "close"}
_LETTERS = "gr\u00fcn \u20ac \U0001f600"
_EXACT: dict[str, dict[str, Any]] = {
    VLLM.name: {"structured_outputs": {"choice": [_LETTERS]}},
    LLAMA_CPP.name: {"grammar": f'root ::= "{_LETTERS}"'},
}
"""How an answer is spelt out letter by letter: characters of two, three and four bytes, a token a byte."""


@dataclass(frozen=True, slots=True)
class Case:
    """One request. `only`: the engine that can answer it."""

    name: str
    path: str
    body: dict[str, Any] | str = field(repr=False)
    only: str | None = None


def _chat(content: str = NUMBER, **more: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": content}], "max_tokens": 40, **more}


def _text(**more: Any) -> dict[str, Any]:
    return {"prompt": ACCOUNT, "max_tokens": 30, **more}


def cases(engine: Engine) -> Iterator[Case]:
    """All requests to an engine, greedy unless their name says otherwise."""
    exact = _EXACT[engine.name]
    streams: tuple[tuple[str, dict[str, Any]], ...] = (("whole", {}), ("stream", {"stream": True}))
    for how, stream in streams:
        usage = {"stream_options": {"include_usage": True}} if stream else {}
        yield Case(f"chat-{how}", CHAT, _chat(**stream))
        yield Case(f"chat-usage-{how}", CHAT, _chat(DOCTOR, **stream, **usage))
        yield Case(
            f"chat-system-{how}",
            CHAT,
            {
                "messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": DOCTOR}],
                "max_tokens": 8,
                **stream,
            },
        )
        yield Case(f"chat-logprobs-{how}", CHAT, _chat(**stream, logprobs=True, top_logprobs=2))
        yield Case(f"chat-logprobs-without-top-{how}", CHAT, _chat(**stream, logprobs=True, max_tokens=4))
        yield Case(f"chat-logprobs-top-0-{how}", CHAT, _chat(**stream, logprobs=True, top_logprobs=0, max_tokens=4))
        hot: dict[str, Any] = {"temperature": 1.7, "seed": 3, "max_tokens": 6, "logprobs": True, "top_logprobs": 2}
        yield Case(f"chat-logprobs-hot-{how}", CHAT, _chat(**stream, **hot))
        yield Case(f"chat-letters-{how}", CHAT, _chat(**stream, **exact))
        yield Case(f"chat-letters-logprobs-{how}", CHAT, _chat(**stream, **exact, logprobs=True, top_logprobs=1))
        yield Case(f"chat-stop-{how}", CHAT, _chat(**stream, stop=["-"]))
        yield Case(f"chat-choices-{how}", CHAT, _chat(**stream, n=2, temperature=1.0, seed=5, max_tokens=12), VLLM.name)
        yield Case(f"chat-token-ids-{how}", CHAT, _chat(**stream, return_token_ids=True, max_tokens=6), VLLM.name)
        tools: dict[str, Any] = {"tools": [TOOL], "tool_choice": {"type": "function", "function": {"name": "look_up"}}}
        yield Case(f"chat-tool-{how}", CHAT, _chat(**stream, **tools))
        yield Case(f"completions-{how}", COMPLETIONS, _text(**stream))
        yield Case(f"completions-usage-{how}", COMPLETIONS, _text(**stream, **usage, max_tokens=8))
        yield Case(f"completions-logprobs-{how}", COMPLETIONS, _text(**stream, logprobs=2))
        yield Case(f"completions-logprobs-0-{how}", COMPLETIONS, _text(**stream, logprobs=0, max_tokens=4))
        yield Case(
            f"completions-echo-logprobs-{how}", COMPLETIONS, _text(**stream, logprobs=1, echo=True, max_tokens=4)
        )
        yield Case(f"completions-letters-logprobs-{how}", COMPLETIONS, _text(**stream, **exact, logprobs=1))
        yield Case(f"responses-{how}", RESPONSES, {"input": NUMBER, "max_output_tokens": 40, **stream})
        yield Case(f"messages-{how}", MESSAGES, _chat(**stream))
        yield Case(f"error-length-{how}", CHAT, _chat("no " * 1500, **stream))
        yield Case(f"error-type-{how}", CHAT, {"messages": 7, **stream})
        yield Case(f"error-model-{how}", CHAT, _chat(**stream, model="nobody"))
    yield Case("error-json", CHAT, '{"messages": [')


def record(server: Server) -> Iterator[dict[str, Any]]:
    """Every answer: name, path, request, status, content type, and the body as text."""
    with httpx.Client(base_url=server.url, trust_env=False, timeout=120) as client:
        for case in cases(server.engine):
            body = case.body
            if case.only not in (None, server.engine.name):
                continue
            if isinstance(body, dict):
                greedy = {} if "temperature" in body else {"temperature": 0.0}
                penalty = {"repeat_penalty": 1.0} if server.engine is LLAMA_CPP else {}
                body = {"model": MODEL, **greedy, **penalty, **body}
            content = body if isinstance(body, str) else json.dumps(body)
            yield {"name": case.name, "path": case.path, "request": body, **_answer(client, case.path, content)}


def _answer(client: httpx.Client, path: str, content: str) -> dict[str, Any]:
    """Status, content type and body; `broken` if the server broke off, with status 0 if it had not even begun."""
    recorded: dict[str, Any] = {"status": 0, "content_type": "", "body": ""}
    came = b""
    try:
        with client.stream("POST", path, content=content, headers=_HEADERS) as response:
            recorded |= {"status": response.status_code, "content_type": response.headers.get("content-type", "")}
            for piece in response.iter_raw():
                came += piece
    except httpx.RemoteProtocolError:
        recorded["broken"] = True
    return recorded | {"body": came.decode().replace(str(ENVIRONMENTS), "/srv")}  # tracebacks tell paths


def operations(server: Server) -> list[list[str]]:
    """Method and path of every operation that the server's own description lists."""
    described = httpx.get(f"{server.url}/openapi.json", trust_env=False, timeout=30).json()
    return sorted([method.upper(), path] for path, each in described["paths"].items() for method in each)


def write(server: Server, folder: Path) -> Path:
    """Writes all that a server says, and its doors, to NAME.jsonl."""
    head = {
        "server": server.engine.distribution,
        "version": server.engine.version(server.engine.distribution),
        "operations": operations(server),
    }
    path = folder / f"{server.engine.name}.jsonl"
    folder.mkdir(parents=True, exist_ok=True)
    lines = [head, *record(server)]
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    return path


def main(folder: Path) -> None:
    """Records every engine whose environment exists."""
    for engine in ENGINES:
        if not engine.is_there:
            continue
        with tempfile.TemporaryDirectory() as scratch, running(engine, Path(scratch) / "log") as server:
            print(write(server, folder))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
