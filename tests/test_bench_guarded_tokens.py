"""The guarded tokens of one process: what is measured, and that the guard judges what is streamed."""

from __future__ import annotations

import asyncio
from pathlib import Path

from reticent_bench.proxy import guarded_tokens
from reticent_bench.proxy.guarded_tokens import CASES, LOOP, PARTS, Engine, guarded, measure, play, render, texts_of

ANSWERS = Path(__file__).parent.parent / "benchmarks/real_answers"


def test_each_case_gets_a_rate_and_where_its_time_goes() -> None:
    figures = measure(ANSWERS, [2], 2, 1, 0.0)
    assert [(row["case"], row["streams"]) for row in figures["rows"]] == [(case, 2) for case in CASES]
    assert all(row["tokens"] > 0 and {*row["parts"]} == {*PARTS, LOOP} for row in figures["rows"])
    assert "guarded tokens a second" in render(figures)


def test_the_guard_asks_for_what_vllm_tells_and_finds_the_values() -> None:
    spans, told = [], []

    class Watched(Engine):
        async def __call__(self, scope, receive, send):  # type: ignore[no-untyped-def]
            async def noted(message):  # type: ignore[no-untyped-def]
                told.append(b'"top_logprobs"' in message.get("body", b""))
                await send(message)

            await super().__call__(scope, receive, noted)

    class Seen:
        def on_answer(self, observation) -> None:  # type: ignore[no-untyped-def]
            spans.extend(observation.report.spans)

    async def test() -> None:
        engine = Watched(["Write to jo.day@example.org, please, or not at all."], 0.0)
        guard = guarded(engine)
        guard.proxy.observers = (*guard.proxy.observers, Seen())
        steps = asyncio.ensure_future(engine.run())
        await guarded_tokens.ask(guard, 0)
        steps.cancel()
        await guard.proxy.aclose()

    asyncio.run(test())
    assert [span.entity for span in spans] == ["EMAIL_ADDRESS"] and any(told)


def test_answers_come_to_their_end_without_a_guard_too() -> None:
    spent, _ = asyncio.run(play(texts_of(ANSWERS, 2)["prose"], 2, 0.0, False))
    assert spent > 0
