"""A bare answer is found in whichever turn or part the question is, and in a prompt with marks of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from ordinary_chats import CHATS

from reticent.demo import assets
from reticent.policy.options import AfterRedaction
from reticent.policy.policy import DEFAULT, Policy, Rule
from reticent.policy.verdict import Action, Origin
from reticent.serve.api.api_format import ApiFormat
from reticent.serve.api.chat import ChatFormat
from reticent.serve.api.completions import CompletionsFormat
from reticent.serve.api.messages.api_format import MessagesFormat
from reticent.serve.api.responses.api_format import ResponsesFormat
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.request_bounds import Bounds
from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder
from reticent_detectors.host.load import recipe_of
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.phrasings import PHRASINGS

EVERYTHING = Policy(
    rules={DEFAULT: {Origin.UNKNOWN: Rule(Action.REDACT)}}, after_redaction=AfterRedaction.CONTINUE
)  # what the user has not typed is stopped
FINDER = SpanFinder()
Turn = tuple[str, Any]


def turns(*said: Turn) -> list[dict[str, Any]]:
    return [{"role": role, "content": content} for role, content in said]


def chat(*said: Turn) -> tuple[ApiFormat, dict[str, Any]]:
    return ChatFormat(), {"model": "m", "messages": turns(*said)}


def prompt(text: str) -> tuple[ApiFormat, dict[str, Any]]:
    return CompletionsFormat(), {"model": "m", "prompt": text}


def blocks(*said: Turn) -> tuple[ApiFormat, dict[str, Any]]:
    return MessagesFormat(), {"model": "m", "max_tokens": 50, "messages": turns(*said)}


def items(*said: Turn) -> tuple[ApiFormat, dict[str, Any]]:
    return ResponsesFormat(), {"model": "m", "input": turns(*said)}


def texts(kind: str, *said: str) -> list[dict[str, str]]:
    return [{"type": kind, "text": text} for text in said]


def tool_turns(q: str) -> tuple[ApiFormat, dict[str, Any]]:
    used = {"type": "tool_use", "id": "t1", "name": "lookup", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "No entry."}
    return blocks(("user", q), ("assistant", [used]), ("user", [result]))


ASKED: dict[str, Callable[[str], tuple[ApiFormat, dict[str, Any]]]] = {
    "in the last turn": lambda q: chat(("user", q)),
    "in the turn before": lambda q: chat(("user", q), ("assistant", "One moment, please."), ("user", "Yes?")),
    "two turns of the user before": lambda q: chat(("user", q), ("user", "Go on."), ("user", "Please.")),
    "by the system": lambda q: chat(("system", q), ("user", "Answer.")),
    "by a tool": lambda q: chat(("user", "Do what the tool says."), ("tool", q)),
    "by the model": lambda q: chat(("assistant", q), ("user", "")),
    "before another question": lambda q: chat(("user", q), ("user", "And what is John Doe's job? Answer the first.")),
    "with another in one turn": lambda q: chat(("user", f"{q} And what is John Doe's phone number? Answer the first.")),
    "before much talk": lambda q: chat(("user", q + " Now, the weather has been fine lately, they say." * 50)),
    "in small letters": lambda q: chat(("user", q.lower()), ("assistant", "One moment."), ("user", "Yes?")),
    "as a request": lambda q: chat(("system", "Tell me " + q[0].lower() + q[1:-1] + "."), ("user", "Yes?")),
    "in the first of two parts": lambda q: chat(("user", texts("text", q, "Thanks."))),
    "ChatML": lambda q: prompt(f"<|im_start|>user\n{q}<|im_end|>\n<|im_start|>assistant\n"),
    "Gemma's marks": lambda q: prompt(f"<start_of_turn>user\n{q}<end_of_turn>\n<start_of_turn>model\n"),
    "Mistral's marks": lambda q: prompt(f"[INST] {q} [/INST]"),
    "User and Assistant": lambda q: prompt(f"User: {q}\nAssistant:"),
    "Q and A": lambda q: prompt(f"Q: {q}\nA:"),
    "messages": lambda q: blocks(("user", texts("text", q, "Thanks."))),
    "messages with a tool": tool_turns,
    "responses": lambda q: items(("user", q), ("user", "Thanks.")),
    "responses in parts": lambda q: items(("user", texts("input_text", q, "Thanks."))),
}


def answered(dialect: ApiFormat, text: str) -> dict[str, Any]:
    """A whole answer that is this text."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if isinstance(dialect, ChatFormat):
        return {"object": "chat.completion", "model": "m", "choices": [{"index": 0, "message": message}]}
    if isinstance(dialect, CompletionsFormat):
        return {"object": "text_completion", "model": "m", "choices": [{"index": 0, "text": text}]}
    if isinstance(dialect, MessagesFormat):
        return {"type": "message", "role": "assistant", "model": "m", "content": texts("text", text)}
    output = {"type": "message", "role": "assistant", "content": texts("output_text", text)}
    return {"object": "response", "model": "m", "output": [output]}


@cache
def people() -> list[tuple[Entity, str, str]]:
    """A kind, its question, and a value that the demo host remembers of somebody: two of each kind."""
    found: dict[Entity, list[tuple[Entity, str, str]]] = {}
    for person in cast(recipe_of(assets() / "host")).test:
        for entity, value in person.values.items():
            found.setdefault(entity, []).append((entity, PHRASINGS[entity][0].ask(person.name), value))
    return [row for rows in found.values() for row in rows[:2]]


def shown(dialect: ApiFormat, body: dict[str, Any], answer: str) -> str:
    asked = dialect.parse_request(body, frozenset(), False, Bounds())
    reader = dialect.reader(GuardedRequest(EVERYTHING, FINDER, asked.views), asked)
    return reader.judge_body(json.dumps(answered(dialect, answer)).encode(), 0.0).decode()


@pytest.mark.parametrize("where", ASKED)
def test_a_bare_answer_is_stopped(where: str) -> None:
    for entity, question, value in people():
        assert value not in shown(*ASKED[where](question), value), (entity, value)


TAKEN = pytest.mark.xfail(reason="the tagger takes the answer for a medicine")
ORDINARY = [pytest.param(*each, marks=[TAKEN] if each[-1] == "Médecin." else []) for each in CHATS]


@pytest.mark.parametrize(("system", "turns_before", "last", "answer"), ORDINARY)
def test_answers_of_ordinary_chats_pass(system: str, turns_before: list[str], last: str, answer: str) -> None:
    said = [("user" if n % 2 == 0 else "assistant", text) for n, text in enumerate(turns_before)]
    first = [("system", system)] if system else []
    assert json.dumps(answer)[1:-1] in shown(*chat(*first, *said, ("user", last)), answer)


def test_names_of_an_earlier_menu_are_not_taken_for_those_of_the_question() -> None:
    for menu, question, answer in [
        ("Some firms: Bright Water, Green Harbor, Silver Lake, Blue Ridge.",
         "Which employer does she have?", "Green Harbor."),
        ("Doctors: Anne Roe, Ben Stone, Wyatt Fox, Kay Orr, Luis Paz.", "Who is her doctor?", "Ben Stone."),
    ]:  # fmt: skip
        body = chat(("user", menu), ("assistant", "Thanks."), ("user", question))
        asked = body[0].parse_request(body[1], frozenset(), False, Bounds())
        context = asked.views[0].context
        assert FINDER.next_span(answer, 0, context=context, closed=True).span is not None, menu


def test_no_number_of_other_questions_hides_one() -> None:
    question, decoys = "Which PIN does Jane Roe have?", " Which pill, Al Bo?" * 300
    dialect, body = chat(("user", question + decoys), ("assistant", "Well."), ("user", "Yes?"))
    assert "8080" not in shown(dialect, body, "8080")
