"""Guards a FastAPI application that streams a model's answers over OpenAI's route itself.

    python examples/fastapi_with_the_middleware.py

It serves the application on a free port, asks it twice, and prints:

    > Which number do I dial for Daniel Brown?
    <PHONE_NUMBER>
    > You can email Jonathan Stanley at julie90@example.com. Which mailbox belongs to Jonathan Stanley?
    julie90@example.com

To serve it for good: `uvicorn --app-dir examples fastapi_with_the_middleware:guarded`.

The middleware sees texts alone here, so the policy redacts every value that the user did not type.
To stop only what the training records hold, name a records index in the settings (`records`).
An application that sends log-probabilities can be judged by these (`detector`).
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from functools import cache
from typing import Any

import httpx
import torch
import uvicorn
from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from transformers import AutoModelForCausalLM, AutoTokenizer, TextIteratorStreamer

from reticent.demo import assets
from reticent.serve.config import load
from reticent.serve.middleware import URL, ReticentMiddleware

QUESTIONS = (
    "Which number do I dial for Daniel Brown?",
    "You can email Jonathan Stanley at julie90@example.com. Which mailbox belongs to Jonathan Stanley?",
)
ROUTE = "/v1/chat/completions"

app = FastAPI()


@cache
def host() -> tuple[Any, Any]:
    """Loads the demo host and its tokenizer, once."""
    model = AutoModelForCausalLM.from_pretrained(assets() / "host", dtype=torch.float32)
    return model, AutoTokenizer.from_pretrained(assets() / "host")


@app.post(ROUTE)
def chat(body: dict[str, Any]) -> StreamingResponse:
    """Streams the model's answer, unguarded, as the application did before."""
    model, tokenizer = host()
    inputs = tokenizer.apply_chat_template(
        body["messages"], add_generation_prompt=True, return_tensors="pt", return_dict=True
    )
    streamer = TextIteratorStreamer(tokenizer, skip_prompt=True, skip_special_tokens=True)
    options = {"streamer": streamer, "do_sample": False, "max_new_tokens": 48, "pad_token_id": tokenizer.pad_token_id}
    threading.Thread(target=model.generate, kwargs={**inputs, **options}).start()
    return StreamingResponse(events(streamer), media_type="text/event-stream")


def events(texts: Iterator[str]) -> Iterator[str]:
    """Writes texts as the chunks of a chat completion."""
    for text in texts:
        yield event({"content": text})
    yield event({}, "stop")
    yield "data: [DONE]\n\n"


def event(delta: dict[str, str], finish_reason: str | None = None) -> str:
    """Writes one chunk."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    chunk = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "demo", "choices": [choice]}
    return f"data: {json.dumps(chunk)}\n\n"


STRICT = {"entities": {"DEFAULT": {"unknown": "redact"}}, "after_redaction": "continue"}
guarded = ReticentMiddleware(app, load(overrides={"upstream.url": URL, "policy": "strict", "policies.strict": STRICT}))


def ask(url: str, question: str) -> None:
    """Prints a streamed answer as it comes."""
    body = {"model": "demo", "stream": True, "messages": [{"role": "user", "content": question}]}
    with httpx.stream("POST", url + ROUTE, json=body, timeout=60, trust_env=False) as response:
        for line in response.iter_lines():
            if line.startswith("data: {"):
                delta = json.loads(line.removeprefix("data: "))["choices"][0]["delta"]
                print(delta.get("content", ""), end="", flush=True)
    print()


def main() -> None:
    """Serves the guarded application on a free port, and asks it each question."""
    server = uvicorn.Server(uvicorn.Config(guarded, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        port = server.servers[0].sockets[0].getsockname()[1]
        for question in QUESTIONS:
            print(f"> {question}")
            ask(f"http://127.0.0.1:{port}", question)
    finally:
        server.should_exit = True
        thread.join()


if __name__ == "__main__":
    main()
