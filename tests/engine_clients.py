"""Asks servers through real client libraries: reads jobs as lines of JSON and writes a line of JSON for each result.

    {"client": "openai_sync", "url": "http://127.0.0.1:8080", "stream": true, "question": "..."}

It runs in the environment of the client libraries, which need not have anything of ours.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from typing import Any

MODEL, KEY, TOKENS = "demo-host", "none-needed", 48


def openai_sync(url: str, stream: bool, messages: list[Any]) -> tuple[str, str | None]:
    import openai

    with openai.OpenAI(base_url=f"{url}/v1", api_key=KEY, max_retries=0) as client:
        options: dict[str, Any] = {"model": MODEL, "messages": messages, "temperature": 0, "max_tokens": TOKENS}
        if not stream:
            answer = client.chat.completions.create(**options)
            return answer.choices[0].message.content or "", answer.choices[0].finish_reason
        return _joined(list(client.chat.completions.create(**options, stream=True)))


def openai_async(url: str, stream: bool, messages: list[Any]) -> tuple[str, str | None]:
    import openai

    async def ask() -> tuple[str, str | None]:
        async with openai.AsyncOpenAI(base_url=f"{url}/v1", api_key=KEY, max_retries=0) as client:
            options: dict[str, Any] = {"model": MODEL, "messages": messages, "temperature": 0, "max_tokens": TOKENS}
            if not stream:
                answer = await client.chat.completions.create(**options)
                return answer.choices[0].message.content or "", answer.choices[0].finish_reason
            return _joined([chunk async for chunk in await client.chat.completions.create(**options, stream=True)])

    return asyncio.run(ask())


def openai_stream(url: str, stream: bool, messages: list[Any]) -> tuple[str, str | None]:
    """`.stream()`, which puts the answer together by itself and checks what comes."""
    import openai

    with openai.OpenAI(base_url=f"{url}/v1", api_key=KEY, max_retries=0) as client:
        options: dict[str, Any] = {"model": MODEL, "messages": messages, "temperature": 0, "max_tokens": TOKENS}
        received = ""
        try:
            with client.chat.completions.stream(**options) as events:
                for event in events:
                    if event.type == "content.delta":
                        received += event.delta
                choice = events.get_final_completion().choices[0]
        except openai.ContentFilterFinishReasonError:  # its way to say so
            return received, "content_filter"
        assert received == (choice.message.content or "")
        return received, choice.finish_reason


def openai_text(url: str, stream: bool, messages: list[Any]) -> tuple[str, str | None]:
    """The legacy completions."""
    import openai

    with openai.OpenAI(base_url=f"{url}/v1", api_key=KEY, max_retries=0) as client:
        prompt = f"<|bos|><|user|>{messages[-1]['content']}<|end|><|assistant|>"
        options: dict[str, Any] = {"model": MODEL, "prompt": prompt, "temperature": 0, "max_tokens": TOKENS}
        if not stream:
            answer = client.completions.create(**options)
            return answer.choices[0].text, answer.choices[0].finish_reason
        chunks = [chunk for chunk in client.completions.create(**options, stream=True) if chunk.choices]
        reasons = [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices[0].finish_reason]
        return "".join(chunk.choices[0].text for chunk in chunks), reasons[-1] if reasons else None


def langchain(url: str, stream: bool, messages: list[Any]) -> tuple[str, str | None]:
    from langchain_openai import ChatOpenAI

    model = ChatOpenAI(base_url=f"{url}/v1", api_key=KEY, model=MODEL, temperature=0, max_tokens=TOKENS, max_retries=0)
    if not stream:
        answer = model.invoke(messages)
        return str(answer.content), answer.response_metadata.get("finish_reason")
    chunks = list(model.stream(messages))
    reasons = [each for chunk in chunks if (each := chunk.response_metadata.get("finish_reason"))]
    return "".join(str(chunk.content) for chunk in chunks), reasons[-1] if reasons else None


def litellm(url: str, stream: bool, messages: list[Any]) -> tuple[str, str | None]:
    import litellm as library

    options: dict[str, Any] = {"model": f"openai/{MODEL}", "api_base": f"{url}/v1", "api_key": KEY}
    options |= {"messages": messages, "temperature": 0, "max_tokens": TOKENS, "num_retries": 0, "stream": stream}
    answer = library.completion(**options)
    if not stream:
        return answer.choices[0].message.content or "", answer.choices[0].finish_reason
    return _joined(list(answer))


def _joined(chunks: list[Any]) -> tuple[str, str | None]:
    choices = [chunk.choices[0] for chunk in chunks if chunk.choices]
    reasons = [choice.finish_reason for choice in choices if choice.finish_reason]
    return "".join(choice.delta.content or "" for choice in choices), reasons[-1] if reasons else None


CLIENTS: dict[str, Callable[[str, bool, list[Any]], tuple[str, str | None]]] = {
    each.__name__: each for each in (openai_sync, openai_async, openai_stream, openai_text, langchain, litellm)
}


def main() -> None:
    for line in sys.stdin:
        job = json.loads(line)
        try:
            asked = [{"role": "user", "content": job["question"]}]
            text, reason = CLIENTS[job["client"]](job["url"], job["stream"], asked)
            result = {"text": text, "finish_reason": reason}
        except Exception as error:
            result = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
