"""Starts the proxy before a llama.cpp server, and asks it through the official OpenAI client.

    llama-server -m model.gguf --port 8000
    python examples/proxy_before_llama_cpp.py http://127.0.0.1:8000 --model model

Before a server that runs the demo host it prints:

    > Which number do I dial for Daniel Brown?
    <PHONE_NUMBER>
    > What is the capital of France?
    Paris

It judges by the server's log-probabilities. All options are those of `reticent serve`: `--shadow FOLDER` judges by a
copy of the weights, `--bundle FOLDER` by a detector that was made for the model.
It needs `pip install openai '.[proxy,cpu]'`, in a clone.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import openai

QUESTIONS = ("Which number do I dial for Daniel Brown?", "What is the capital of France?")


@contextmanager
def proxy(upstream: str, *options: str) -> Iterator[str]:
    """Runs `reticent serve` before a server, and ends it afterwards. Yields the proxy's address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    serve = [sys.executable, "-m", "reticent", "serve", "--upstream", upstream]
    process = subprocess.Popen([*serve, "--port", str(port), "--metrics-port", "0", *options])
    try:
        url = f"http://127.0.0.1:{port}"
        while not answers(url):
            if process.poll() is not None:
                raise SystemExit("The proxy did not start; it said why.")
            time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait()


def answers(url: str) -> bool:
    """Says whether the proxy is up."""
    try:
        return httpx.get(f"{url}/healthz", trust_env=False).is_success
    except httpx.TransportError:
        return False


def main(upstream: str, model: str, *options: str) -> None:
    """Asks each question through the proxy, and prints the answers as they come."""
    with (
        proxy(upstream, "--model", model, *options) as url,
        openai.OpenAI(base_url=f"{url}/v1", api_key="none-needed") as client,
    ):
        for question in QUESTIONS:
            print(f"> {question}")
            stream = client.chat.completions.create(
                model=model, messages=[{"role": "user", "content": question}], temperature=0, max_tokens=48, stream=True
            )
            for chunk in stream:
                if chunk.choices:
                    print(chunk.choices[0].delta.content or "", end="", flush=True)
            print()


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[2] != "--model":
        raise SystemExit(f"usage: {sys.argv[0]} URL --model NAME [options of reticent serve]")
    main(sys.argv[1], *sys.argv[3:])
