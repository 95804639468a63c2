"""Whose text a prompt is."""

from __future__ import annotations

import pytest

from reticent.prompt import LEFT_CHARS, Role, Segment, from_ids, from_messages, from_segments
from reticent_detectors.errors import InputError
from reticent_detectors.host.tokenizer import train_tokenizer

TOKENIZER = train_tokenizer(["What is it? It is a test of prompts."] * 20, 300, 64)
CHAT = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "First question?"},
    {"role": "assistant", "content": "Earlier answer."},
    {"role": "user", "content": "Second question?"},
]


def test_messages() -> None:
    view = from_messages(CHAT)
    assert view.user == "First question?\nSecond question?" and view.operator == "Be brief."
    assert view.context.question == "Second question?" and view.context.left == ""


def test_a_prefilled_assistant_runs_on() -> None:
    view = from_messages([*CHAT, {"role": "assistant", "content": "It is 46"}], continues=True)
    assert view.context.left == "It is 46" and view.context.question == "Second question?"
    assert "It is 46" not in view.user


def test_only_the_end_of_a_long_prompt_is_left_context() -> None:
    view = from_segments([Segment(Role.USER, "x" * 2000)], continues=True)
    assert len(view.context.left) == LEFT_CHARS and len(view.user) == 2000


def test_ids_of_a_chat_and_of_running_text() -> None:
    ids = TOKENIZER.apply_chat_template(CHAT[1:2], add_generation_prompt=True, return_dict=True)["input_ids"]
    view = from_ids(TOKENIZER, ids)
    assert view.user == "First question?" == view.context.question and view.context.left == ""
    running = TOKENIZER("<|bos|>It is a", add_special_tokens=False)["input_ids"]
    assert from_ids(TOKENIZER, running).context.left == "It is a"


@pytest.mark.parametrize("messages", [[], [{"role": "user"}], [{"content": "x"}], [{"role": "user", "content": ["x"]}]])
def test_bad_messages(messages: list[dict[str, object]]) -> None:
    with pytest.raises(InputError):
        from_messages(messages)


def test_no_text_in_reprs() -> None:
    view = from_messages(CHAT)
    for thing in (view, view.context, Segment(Role.USER, "secret")):
        assert "question?" not in repr(thing) and "secret" not in repr(thing)
