"""The public interface: a context manager, a stream, texts alone, presets by name, flat results, errors."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tiny_hosts
from tiny_hosts import SAYS, SECRET, STOP_ALL

import reticent
from reticent import Action, AfterRedaction, Blocked, Guard, Origin, Policy, RecordsIndex, TextGuard
from reticent.policy.options import OnBlock
from reticent_detectors import errors

QUESTION = [{"role": "user", "content": "What is his number?"}]
TEXT = "Call Jane at 555-867-5309, or write to jane.roe@post.test. The desk has 555-222-3344."


@pytest.fixture(scope="module")
def guard(tmp_path_factory: pytest.TempPathFactory) -> reticent.GuardedModel:
    return tiny_hosts.guarded(tmp_path_factory.mktemp("front") / "b")


def script(guard: reticent.GuardedModel, text: str) -> list[Any]:
    return [tiny_hosts.Script(guard.tokenizer, text, guard.chat_ids(QUESTION).shape[1])]


# A model


def test_a_guarded_model_is_a_context_manager(tmp_path: Path) -> None:
    with tiny_hosts.guarded(tmp_path / "b") as made:
        assert any(layer._forward_hooks for layer in made.adapter.layers)
    assert not any(layer._forward_hooks for layer in made.adapter.layers)


def test_a_stream_gives_what_chat_gives(guard: reticent.GuardedModel) -> None:
    options: dict[str, Any] = {"policy": STOP_ALL, "max_new_tokens": 99}
    whole = guard.chat(QUESTION, logits_processor=script(guard, SAYS), **options)
    stream = guard.stream(QUESTION, logits_processor=script(guard, SAYS), **options)
    assert stream.answer is None
    pieces = list(stream)
    assert "".join(pieces) == whole.text and len(pieces) > 1 and SECRET not in whole.text
    assert stream.answer is not None and stream.answer.text == whole.text and stream.answer.report.changed
    assert list(stream) == []


def test_a_stream_is_read_by_async_for(guard: reticent.GuardedModel) -> None:
    async def read() -> str:
        stream = guard.stream(QUESTION, logits_processor=script(guard, SAYS), policy=STOP_ALL, max_new_tokens=99)
        return "".join([text async for text in stream])

    whole = guard.chat(QUESTION, logits_processor=script(guard, SAYS), policy=STOP_ALL, max_new_tokens=99)
    assert asyncio.run(read()) == whole.text


def test_an_await_that_is_cancelled_loses_no_text(guard: reticent.GuardedModel) -> None:
    async def read() -> str:
        pieces = list[str]()
        stream = guard.stream(QUESTION, logits_processor=script(guard, SAYS), policy=STOP_ALL, max_new_tokens=99)
        async with stream:
            while True:
                try:
                    pieces.append(await asyncio.wait_for(anext(stream), 0.001))
                except TimeoutError:
                    continue
                except StopAsyncIteration:
                    return "".join(pieces)

    whole = guard.chat(QUESTION, logits_processor=script(guard, SAYS), policy=STOP_ALL, max_new_tokens=99)
    assert asyncio.run(asyncio.wait_for(read(), 60)) == whole.text


def test_a_stream_that_nobody_has_any_more_ends_its_generation(guard: reticent.GuardedModel) -> None:
    words = "One word after the other. " * 200
    stream = guard.stream(QUESTION, logits_processor=script(guard, words), max_new_tokens=1500)
    closed, thread = stream._sink.closed, stream._thread
    next(stream)
    del stream
    gc.collect()
    assert closed.is_set()
    thread.join(60)
    assert not thread.is_alive()


def test_who_leaves_a_stream_ends_the_generation(guard: reticent.GuardedModel) -> None:
    words = "One word after the other. " * 200
    with guard.stream(QUESTION, logits_processor=script(guard, words), max_new_tokens=1500) as stream:
        assert next(stream)
    assert not [thread for thread in threading.enumerate() if thread.name == "reticent-stream"]
    assert list(stream) == [] and stream.answer is not None and len(stream.answer.ids) < 1500
    assert stream.answer.finish_reason == "abort"


@pytest.mark.parametrize(("words", "reason"), [("One word after the other. " * 9, "length"), ("Hello.", "stop")])
def test_a_stream_that_is_closed_at_its_end_ended_by_itself(
    guard: reticent.GuardedModel, words: str, reason: str
) -> None:
    with guard.stream(QUESTION, logits_processor=script(guard, words), max_new_tokens=20) as stream:
        assert list(stream)
    assert stream.answer is not None and stream.answer.finish_reason == reason


def test_an_error_of_a_stream_is_raised_where_it_is_read(guard: reticent.GuardedModel) -> None:
    with pytest.raises(reticent.InputError, match="messages is empty"):
        next(guard.stream([]))
    with pytest.raises(reticent.InputError, match="its own streamer"):
        guard.stream(QUESTION, streamer=print)


def test_a_blocked_answer_carries_its_report(guard: reticent.GuardedModel) -> None:
    block = {
        "DEFAULT": {
            Origin.MEMORIZED: reticent.Rule(Action.BLOCK, 0.0),
            Origin.HALLUCINATED: reticent.Rule(Action.BLOCK),
        }
    }
    policy = replace(Policy.default(), rules=block, on_block=OnBlock.ERROR)
    with pytest.raises(Blocked) as error:
        guard.chat(QUESTION, logits_processor=script(guard, SAYS), policy=policy, max_new_tokens=99)
    (span,) = error.value.report.spans
    assert span.action is Action.BLOCK and span.origin is span.decision.verdict.origin
    assert span.probability == span.decision.verdict.probability and SECRET not in repr(error.value.report)


@pytest.mark.parametrize("name", ["default", "sealed", "clinic-rag", "gateway", "code"])
def test_a_preset_is_taken_by_its_name(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "b"
    tiny_hosts.bundle(folder, tiny_hosts.host("llama", tiny_hosts.tokenizer()))
    assert Guard.load(folder, name).policy.rules == Guard.load(folder, Policy.preset(name)).policy.rules
    text = TextGuard(name).policy
    assert text.digest_hex == Policy.preset(name).for_texts(recorded=False).digest_hex
    assert text.after_redaction is AfterRedaction.CONTINUE


def test_every_error_is_had_from_the_package_itself() -> None:
    there = {
        name for name, value in vars(errors).items() if isinstance(value, type) and value.__module__ == errors.__name__
    }
    assert there <= set(reticent.__all__) and all(getattr(reticent, name) is getattr(errors, name) for name in there)


# Texts alone


def test_texts_are_redacted_unless_the_user_typed_them() -> None:
    done = TextGuard().redact(TEXT, user="The desk has 555-222-3344, I think.")
    assert done.text == "Call Jane at <PHONE_NUMBER>, or write to <EMAIL_ADDRESS>. The desk has 555-222-3344."
    assert [(span.origin, span.action) for span in done.report.spans] == [
        (Origin.UNKNOWN, Action.REDACT), (Origin.UNKNOWN, Action.REDACT), (Origin.ECHOED, Action.ALLOW)
    ]  # fmt: skip
    assert not any(number in repr(done) for number in ("555-867-5309", "5558675309", "555-222-3344", "5552223344"))


def test_what_the_operator_gave_is_redacted_as_context() -> None:
    passes = replace(Policy.default(), rules={"DEFAULT": {Origin.UNKNOWN: reticent.Rule(Action.FLAG)}})
    done = TextGuard(passes).redact(TEXT, context="Jane: 555-867-5309")
    assert [span.origin for span in done.report.spans] == [Origin.CONTEXT, Origin.UNKNOWN, Origin.UNKNOWN]
    assert done.text == TEXT.replace("555-867-5309", "<PHONE_NUMBER>")


SILENT = {
    "none": None,
    "default": "default",
    "a kind's rule": Policy(rules={"IBAN_CODE": {Origin.MEMORIZED: reticent.Rule(Action.BLOCK)}}),
    "an origin's rule": Policy(rules={"DEFAULT": {Origin.MEMORIZED: reticent.Rule(Action.REDACT)}}),
}


@pytest.mark.parametrize("name", SILENT)
def test_a_policy_that_says_nothing_of_unknown_redacts_it_where_nothing_else_could_stop_a_value(name: str) -> None:
    assert TextGuard(SILENT[name]).redact(TEXT).text == TextGuard().redact(TEXT).text
    assert "555-867-5309" not in TextGuard(SILENT[name]).redact(TEXT).text


@pytest.mark.parametrize("name", SILENT)
def test_with_records_it_redacts_what_they_hold(name: str) -> None:
    records = RecordsIndex.build([("PHONE_NUMBER", "555-222-3344")], key=bytes(range(32)))
    done = TextGuard(SILENT[name], records=records).redact(TEXT)
    assert done.text == TEXT.replace("555-222-3344", "<PHONE_NUMBER>")


def test_a_policy_that_lets_unknown_pass_is_followed() -> None:
    policy = Policy(rules={"DEFAULT": {Origin.UNKNOWN: reticent.Rule(Action.ALLOW)}})
    assert TextGuard(policy).redact(TEXT).text == TEXT
    only_mail = Policy(rules={"PHONE_NUMBER": {Origin.UNKNOWN: reticent.Rule(Action.FLAG)}})
    assert TextGuard(only_mail).redact(TEXT).text == TEXT.replace("jane.roe@post.test", "<EMAIL_ADDRESS>")


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_a_stream_of_chunks_is_the_whole_text_however_it_is_cut(size: int) -> None:
    guard, chunks = TextGuard(), [TEXT[at : at + size] for at in range(0, len(TEXT), size)]
    shown = list(guard.stream(chunks))
    assert "".join(shown) == guard.redact(TEXT).text
    assert size == 1000 or shown[0] == "Call "

    async def arriving() -> AsyncIterator[str]:
        for chunk in chunks:
            yield chunk

    async def read() -> str:
        return "".join([text async for text in guard.astream(arriving())])

    assert asyncio.run(read()) == guard.redact(TEXT).text


def test_a_long_value_is_the_same_however_it_is_cut() -> None:
    text = "See https://intranet.post.test/" + "a/b-" * 80 + " for more."
    guard = TextGuard()
    assert "".join(guard.stream(text)) == guard.redact(text).text


def test_many_stopped_values_take_no_longer_each() -> None:
    def seconds(count: int) -> float:
        text = " ".join(f"Number {at}: 555-{200 + at % 700}-{1000 + at}." for at in range(count))
        started = time.process_time()
        assert TextGuard("sealed").redact(text).report.changed
        return time.process_time() - started

    seconds(50)
    assert seconds(1200) < 8 * seconds(300)


def test_a_blocked_text_ends_as_the_policy_says() -> None:
    rules = {"DEFAULT": {Origin.UNKNOWN: reticent.Rule(Action.BLOCK)}}
    policy = replace(Policy.default(), rules=rules)
    assert TextGuard(policy).redact(TEXT).text == "Call Jane at "
    replaced = TextGuard(replace(policy, on_block=OnBlock.REPLACE, block_text="Withheld."))
    assert replaced.redact(TEXT).text == "Withheld." and list(replaced.stream([TEXT]))[-1] == "Withheld."
    with pytest.raises(Blocked) as error:
        TextGuard(replace(policy, on_block=OnBlock.ERROR)).redact(TEXT)
    assert error.value.report.blocked


@pytest.mark.parametrize("text", [None, b"bytes", 5])
def test_what_is_no_text_is_refused(text: Any) -> None:
    with pytest.raises(reticent.WrongType, match="must be a str"):
        TextGuard().redact(text)
    with pytest.raises(reticent.WrongType, match="must be a str"):
        TextGuard().redact("", user=text)
