"""Whose text a prompt is."""

from __future__ import annotations

from typing import Any

import pytest

from reticent.prompt.segments import LEFT_CHARS, Role, Segment, from_ids, from_messages, from_rows, from_segments
from reticent.serve.api.responses.api_format import ResponsesFormat
from reticent.serve.request_bounds import Bounds
from reticent_detectors.errors import InputError, WrongType
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


def test_what_the_model_said_and_called_is_kept_beyond_the_left_context() -> None:
    function = {"name": "find", "arguments": '{"who": "Jane"}'}
    called = {"role": "assistant", "content": "x" * 2000, "tool_calls": [{"id": "c1", "function": function}]}
    view = from_messages([*CHAT[:3], called, CHAT[3], {"role": "assistant", "content": "It is"}], continues=True)
    assert view.model == "\n".join(["Earlier answer.", "x" * 2000, "It is", "c1", "find", '{"who": "Jane"}'])
    asked = [
        {"role": "user", "content": "Who is it?"},
        {"type": "reasoning", "id": "r1", "summary": [], "content": [{"type": "reasoning_text", "text": "Jo"}]},
        {"type": "function_call", "call_id": "c1", "name": "find", "arguments": '{"who": "Jane"}'},
        {"type": "function_call_output", "call_id": "c1", "output": "Jane Roe"},
    ]
    read = ResponsesFormat().parse_request({"model": "small", "input": asked}, frozenset(), False, Bounds())
    assert '{"who": "Jane"}' in read.views[0].model and "Jo" in read.views[0].model
    assert "Jane Roe" in read.views[0].operator and "Who is it?" not in read.views[0].model


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


@pytest.mark.parametrize("messages", ["What is it?", CHAT[0], None, ["What is it?"], 3])
def test_what_is_no_list_of_messages(messages: Any) -> None:
    with pytest.raises(WrongType, match="'role': 'user'") as raised:
        from_messages(messages)
    assert isinstance(raised.value, TypeError) and "What is it?" not in str(raised.value)


def test_a_turn_of_an_unknown_role_is_the_operators() -> None:
    view = from_messages([{"role": "wizard", "content": "Be brief."}, CHAT[1]])
    assert (view.user, view.operator) == ("First question?", "Be brief.")


def test_a_role_may_be_given_by_its_name_alone() -> None:
    assert Segment("user", "x").role is Role.USER  # type: ignore[arg-type]
    assert from_segments([Segment("context", "x")]).operator == "x"  # type: ignore[arg-type]
    for wrong in ("wizard", "USER", None, 1):
        with pytest.raises(InputError, match="user, context, model"):
            Segment(wrong, "x")  # type: ignore[arg-type]
    with pytest.raises(InputError) as raised:
        Segment("my secret", Role.USER)  # type: ignore[arg-type]
    assert "secret" not in str(raised.value)
    with pytest.raises(WrongType, match=r"Segment\(Role.USER, text\)"):
        Segment(Role.USER, 5)  # type: ignore[arg-type]


def _of_chat() -> list[int]:
    return list(TOKENIZER.apply_chat_template(CHAT, add_generation_prompt=True, return_dict=True)["input_ids"])


def test_segments_that_stand_in_the_prompt_are_believed() -> None:
    whole = [Segment(Role(role), text) for role, text in zip(
        ("context", "user", "model", "user"), (message["content"] for message in CHAT), strict=True
    )]  # fmt: skip
    (view,) = from_rows(TOKENIZER, [_of_chat()], whole)
    assert view.user == "First question?\nSecond question?" and view.operator == "Be brief."
    (view,) = from_rows(TOKENIZER, [_of_chat()], [whole[1:3]])
    assert view.user == "First question?" and view.operator == ""
    (view,) = from_rows(TOKENIZER, [_of_chat()], [Segment(Role.USER, "  First\n\tquestion?\n")])
    assert view.user.split() == ["First", "question?"]
    (view,) = from_rows(TOKENIZER, [_of_chat()], [Segment(Role.USER, "<|user|>First question?<|end|>")])
    assert "First question?" in view.user
    (view,) = from_rows(TOKENIZER, [_of_chat()], whole)
    assert view.model == "Earlier answer."


@pytest.mark.parametrize(
    "texts",
    [
        ["Third question?"],
        ["First question? Second question?"],  # nothing stands between two turns but special tokens
        ["First question?Earlier answer."],
        ["Second question?", "First question?"],
        ["First question?", "First question?"],
    ],
)
def test_segments_that_do_not_stand_in_the_prompt_are_refused(texts: list[str]) -> None:
    with pytest.raises(InputError, match="does not stand in the prompt") as raised:
        from_rows(TOKENIZER, [_of_chat()], [Segment(Role.USER, text) for text in texts])
    assert f"segments[{len(texts) - 1}] (user)" in str(raised.value) and "question?" not in str(raised.value)


def test_a_text_that_the_tokenizer_writes_differently_is_believed_as_it_is_written() -> None:
    class Lower:
        all_special_ids: tuple[int, ...] = ()

        def __call__(self, text: str, add_special_tokens: bool) -> dict[str, list[int]]:
            return {"input_ids": [ord(letter) for letter in text.lower() if letter.isascii()]}

        def decode(self, ids: list[int], **options: bool) -> str:
            return "".join(map(chr, ids))

    ids = Lower()("Call 46 at noon", add_special_tokens=False)["input_ids"]
    (view,) = from_rows(Lower(), [ids], [Segment(Role.USER, "CALL 46\u0663")])
    assert view.user == "call 46"


@pytest.mark.parametrize(
    "segments",
    ["x", Segment(Role.USER, "x"), {"user": "x"}, ["x"], [Segment(Role.USER, ""), "x"], [("user", "x")], [None]],
)
def test_segments_that_are_none_are_refused(segments: Any) -> None:
    with pytest.raises(WrongType, match=r"\[Segment\(Role.USER, text\), ...\]"):
        from_rows(TOKENIZER, [[5]], segments)


def test_no_text_in_reprs() -> None:
    view = from_messages(CHAT)
    for thing in (view, view.context, Segment(Role.USER, "secret")):
        assert "question?" not in repr(thing) and "secret" not in repr(thing)
