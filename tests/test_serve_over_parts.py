"""A recorded value over several parts of one answer: texts, calls, choices, fields beside them, and earlier turns."""

from __future__ import annotations

import json
import re
from itertools import permutations
from typing import Any

import pytest
import serve_events as events
import serve_golden as golden
from serve_golden import RECORDED, compact

from reticent.policy.options import AfterRedaction
from reticent.records.index import RecordsIndex

NUMBER, MAIL, KEY = "650-555-0142", "ulla.tamme@brightfen.example", "zq-proj-4kT9wB2mX7rL5vN8"
INDEX = RecordsIndex.build(
    [("PHONE_NUMBER", NUMBER), ("PHONE_NUMBER", "417-0935"), ("EMAIL_ADDRESS", MAIL), ("SECRET_KEY", KEY)],
    key=b"k" * 32,
)
THIRDS = ["650-", "555-", "0142"]
STOP = golden.replace(RECORDED, after_redaction=AfterRedaction.STOP)
POLICIES = {"go on": RECORDED, "stop": STOP}
every_policy = pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
TOOLS = [{"type": "function", "function": {"name": name}} for name in ("press", *map("key_{}".format, range(10)))]


def shows(shown: Any, value: str = NUMBER) -> bool:
    """Says whether the letters and digits of a value stand in what is shown, in their order."""
    plain = re.sub(r"[^a-z0-9]", "", value.lower())
    text = re.sub(r"[^a-z0-9]", "", json.dumps(shown).lower()) if not value[0].isdigit() else None
    return plain in (re.sub(r"\D", "", json.dumps(shown)) if text is None else text)


def message(parts: dict[str, Any], policy: Any = RECORDED, reason: str = "stop", **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", **parts}, "finish_reason": reason}
    shown: dict[str, Any] = golden.whole({"choices": [choice]}, policy, index=INDEX, **more)["choices"][0]["message"]
    return shown


def stream(deltas: list[Any], policy: Any = RECORDED, reason: str = "stop", **more: Any) -> list[Any]:
    """Gives the deltas that a client sees; `(index, delta)` is one of another choice."""
    numbered = [each if isinstance(each, tuple) else (0, each) for each in deltas]
    chunks = [compact({"choices": [{"index": at, "delta": delta}]}) for at, delta in numbered]
    for at in sorted({at for at, _ in numbered}):
        chunks.append(compact({"choices": [{"index": at, "delta": {}, "finish_reason": reason}]}))
    out = golden.frames(golden.run([*chunks, b"data: [DONE]\n\n"], policy, index=INDEX, **more))
    return [choice["delta"] for frame in out for choice in frame["choices"]]


def joined(deltas: list[Any], *fields: str) -> str:
    """Gives the texts of these fields, one after the other, as a client shows them."""
    return "\n".join("".join(delta.get(field) or "" for delta in deltas) for field in fields)


def call(at: int, arguments: Any, name: str = "press") -> dict[str, Any]:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"index": at, "id": f"call_{at}", "type": "function", "function": {"name": name, "arguments": text}}


def pressed(calls: Any) -> list[Any]:
    """Gives the arguments of calls."""
    return [each["function"]["arguments"] for each in calls or ()]


TWO_FIELDS = {
    "thought and text": ("reasoning_content", "content"),
    "the other thought and text": ("reasoning", "content"),
    "text and refusal": ("content", "refusal"),
    "text and note": ("content", "note"),
}


@every_policy
@pytest.mark.parametrize("fields", TWO_FIELDS.values(), ids=TWO_FIELDS)
@pytest.mark.parametrize("pair", [("650-555-", "0142"), ("It begins 650 555", "and ends with 0142.")])
def test_halves_in_two_texts_of_a_message(fields: tuple[str, str], pair: tuple[str, str], policy: Any) -> None:
    for order in (fields, fields[::-1]):  # servers write the fields in any order
        halves = dict(zip(fields, pair, strict=True))
        shown = message({name: halves[name] for name in order}, policy)
        assert not shows([shown.get(name) for name in fields]), shown
    first, last = fields
    for deltas in (
        [{first: pair[0]}, {last: pair[1]}],
        [{first: pair[0], last: pair[1]}],
        [*({first: char} for char in pair[0]), *({last: char} for char in pair[1])],
        [{last: pair[1]}, {first: pair[0]}],
    ):
        shown = joined(stream(deltas, policy), first, last)
        assert not shows(shown), (deltas, shown)


@pytest.mark.parametrize("value", [MAIL, KEY])
@pytest.mark.parametrize("at", [6, 10, 14])
def test_halves_of_other_values(value: str, at: int) -> None:
    halves = {"reasoning": value[:at], "content": value[at:]}
    assert not shows([*message(halves).values()], value)
    shown = joined(stream([{name: half} for name, half in halves.items()]), "reasoning", "content")
    assert not shows(shown, value), shown


def test_thirds_in_three_fields() -> None:
    names = ("reasoning_content", "content", "refusal")
    for order in permutations(range(3)):
        shown = message({names[at]: THIRDS[at] for at in order})
        assert not shows([shown.get(name) for name in names]), (order, shown)
        deltas = stream([{names[at]: THIRDS[at]} for at in order])
        assert not shows(joined(deltas, *names)), (order, deltas)


def test_a_piece_that_is_given_again_is_stopped_again() -> None:
    parts = {"reasoning": "650-555-", "content": "0142, that is 0142.", "refusal": "0142"}
    assert not shows([*message(parts).values()])
    assert not shows(joined(stream([{name: text} for name, text in parts.items()]), *parts))


def test_fields_in_turns_are_read_as_they_are_shown_and_as_they_came() -> None:
    deltas = stream([{"reasoning": "650-"}, {"content": "01"}, {"reasoning": "555-"}, {"content": "42"}])
    assert not shows(joined(deltas, "reasoning", "content"))
    deltas = stream([{"content": "650-"}, {"reasoning": "555-"}, {"content": "0142"}])
    assert not shows([list(delta.values()) for delta in deltas])


@pytest.mark.parametrize(
    "part",
    [
        {"audio": {"id": "audio_1", "transcript": "0142"}},
        {"annotations": [{"type": "url_citation", "url_citation": {"title": "0142", "url": "https://a.example"}}]},
        {"reasoning_details": [{"type": "reasoning.text", "text": "0142"}]},
        {"tool_calls": [call(0, {"p": "0142"})]},
        {"function_call": {"name": "press", "arguments": '{"p": "0142"}'}},
    ],
    ids=["audio", "annotation", "details", "call", "older call"],
)
@every_policy
def test_a_text_goes_on_in_something_else(part: dict[str, Any], policy: Any) -> None:
    shown = message({"content": "650-555-", **part}, policy, tools=TOOLS)
    assert not shows(shown), shown
    deltas = stream([{"content": "650-555-"}, part], policy, tools=TOOLS)
    assert not shows(deltas), deltas


CALLS: dict[str, list[Any]] = {
    "thirds": [{"p": "650"}, {"p": "555"}, {"p": "0142"}],
    "halves": [{"p": "650555"}, {"p": "0142"}],
    "numbers": [{"p": 650}, {"p": 5550142}],
    "a digit each": [{"key": digit} for digit in "6505550142"],
    "a digit each, as it were code": [f"press({digit})" for digit in "6505550142"],
    "names of fields": [{f"k{digit}": True} for digit in "6505550142"],
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_that_spell_a_value_together(name: str) -> None:
    calls = [call(at, arguments) for at, arguments in enumerate(CALLS[name])]
    shown = message({"content": None, "tool_calls": calls}, reason="tool_calls", tools=TOOLS)
    assert not shows(pressed(shown.get("tool_calls"))), shown
    deltas = stream([{"tool_calls": [each]} for each in calls], reason="tool_calls", tools=TOOLS)
    assert not shows([pressed(delta.get("tool_calls")) for delta in deltas]), deltas


def test_names_of_offered_tools_that_spell_a_value_together() -> None:
    calls = [call(at, {}, f"key_{digit}") for at, digit in enumerate("6505550142")]
    shown = message({"content": None, "tool_calls": calls}, reason="tool_calls", tools=TOOLS)
    assert len(shown.get("tool_calls") or ()) < 10
    deltas = stream([{"tool_calls": [each]} for each in calls], reason="tool_calls", tools=TOOLS)
    assert sum(len(delta.get("tool_calls") or ()) for delta in deltas) < 10


def test_a_name_that_goes_on_in_its_arguments() -> None:
    shown = message({"content": None, "tool_calls": [call(0, {"x": "0142"}, "f650555")]}, reason="tool_calls")
    assert not shown.get("tool_calls"), shown


def test_a_call_before_the_text_that_it_goes_on_in() -> None:
    deltas = stream([{"tool_calls": [call(0, {"p": "650-555-"})]}, {"content": "0142"}], tools=TOOLS)
    assert not shows(deltas), deltas


@every_policy
def test_halves_in_two_choices(policy: Any) -> None:
    choices = [
        {"index": at, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        for at, text in enumerate(("650-555-", "0142"))
    ]
    for order in (choices, choices[::-1]):
        shown = golden.whole({"choices": json.loads(json.dumps(order))}, policy, index=INDEX, n=2)["choices"]
        assert not shows([each["message"] for each in sorted(shown, key=lambda each: each["index"])])
    for sent in (
        [(0, "650-555-"), (1, "0142")],
        [(1, "0142"), (0, "650-555-")],
        [(0, "650-"), (1, "01"), (0, "555-"), (1, "42")],
        [(1, "01"), (0, "650-"), (1, "42"), (0, "555"), (0, "-")],
    ):
        body = [(at, {"content": text}) for at, text in sent]
        chunks = [compact({"choices": [{"index": at, "delta": delta}]}) for at, delta in body]
        chunks += [compact({"choices": [{"index": at, "delta": {}, "finish_reason": "stop"}]}) for at in (0, 1)]
        out = golden.run([*chunks, b"data: [DONE]\n\n"], policy, index=INDEX, n=2)
        assert not shows([golden.said(out, 0), golden.said(out, 1)]), sent


def test_halves_in_the_answers_to_two_prompts() -> None:
    choices = [{"index": at, "text": text, "finish_reason": "stop"} for at, text in enumerate(("650-555-", "0142"))]
    shown = golden.whole({"choices": choices}, RECORDED, "completions", index=INDEX, prompt=["a b", "c d"])
    assert not shows([each["text"] for each in shown["choices"]])


def test_what_the_user_typed_may_be_given_in_parts() -> None:
    asked = [{"role": "user", "content": f"Call {NUMBER} for me, digit group by digit group."}]
    parts = {"reasoning": "650-555-", "content": "0142"}
    shown = message(parts, messages=asked)
    assert {name: shown[name] for name in parts} == parts
    calls = [call(at, arguments) for at, arguments in enumerate(CALLS["thirds"])]
    shown = message({"content": None, "tool_calls": calls}, messages=asked, tools=TOOLS)
    assert shown["tool_calls"] == calls


HARMLESS: list[dict[str, Any]] = [
    {"reasoning": "She asks for 3 digits, say 650.", "content": "0142 is the code of 2 doors."},
    {"reasoning": "555", "content": "There are 12 of them, or 13."},
    {"reasoning": "She is called Ulla, I think", "content": "Tamme has 2 doors."},
    {"content": "Calling 3 of them.", "tool_calls": [call(0, {"p": 12}), call(1, {"p": 650})]},
]


@pytest.mark.parametrize("parts", HARMLESS)
def test_harmless_parts_leave_as_they_came(parts: dict[str, Any]) -> None:
    shown = message(json.loads(json.dumps(parts)), tools=TOOLS)
    assert {name: shown[name] for name in parts} == parts
    texts = {name: text for name, text in parts.items() if isinstance(text, str)}
    words = [{name: word} for name, text in texts.items() for word in re.findall(r"\S+\s*", text)]
    assert joined(stream(words), *texts) == "\n".join(texts.values())


def test_a_long_thought_before_the_text() -> None:
    thought = "The first digits are 650-555-. " + "So I think about it once more. " * 40
    parts = {"reasoning": thought, "content": "0142"}
    assert message(parts)["content"] == "0142"  # nobody reads it as one number


# Typed events


def responses(output: list[Any]) -> Any:
    body = {"id": "resp_1", "object": "response", "status": "completed", "model": "small", "output": output}
    return events.whole(body, RECORDED, "responses", index=INDEX)["output"]


RESPONSES: dict[str, list[Any]] = {
    "thought and text": [events.reasoning("650-555-"), events.message("0142")],
    "two calls": [
        {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "send", "arguments": '{"p": "650-555-"}'},
        {"type": "function_call", "id": "fc_2", "call_id": "c2", "name": "send", "arguments": '{"p": "0142"}'},
    ],
    "text and call": [
        events.message("650-555-"),
        {"type": "function_call", "id": "fc_2", "call_id": "c2", "name": "send", "arguments": '{"p": "0142"}'},
    ],
    "call and text": [
        {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "send", "arguments": '{"p": "650-555-"}'},
        events.message("0142"),
    ],
    "search and text": [
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"query": "650-555-"}},
        events.message("0142"),
    ],
    "text, thought, text": [
        events.message("650-"),
        events.reasoning("555-"),
        events.message("0142", name=f"{events.MSG}2"),
    ],
}


@pytest.mark.parametrize("name", RESPONSES)
def test_items_of_a_response(name: str) -> None:
    shown = responses(RESPONSES[name])
    assert not shows(shown), shown


def test_items_of_a_stream_of_responses() -> None:
    for items in (
        [events.summary_events(["650-", "555-"]), events.message_events(["01", "42"], 1)],
        [events.call_events('{"p": "650-555-"}'), events.call_events('{"p": "0142"}', 1)],
        [events.message_events(["650-", "555-"]), events.call_events('{"p": "0142"}', 1)],
        [events.call_events('{"p": "650-555-"}'), events.message_events(["01", "42"], 1)],
    ):
        out = events.run([events.numbered(events.streamed(*items))], RECORDED, "responses", index=INDEX)
        last = json.loads(out.decode().strip().rpartition("data: ")[2])
        assert not shows(last["response"]["output"]), last


def test_blocks_of_a_message() -> None:
    for blocks in (
        [{"type": "thinking", "thinking": "650-555-", "signature": ""}, {"type": "text", "text": "0142"}],
        [
            {"type": "text", "text": "650-555-"},
            {"type": "tool_use", "id": "t1", "name": "send", "input": {"p": "0142"}},
        ],
        [
            {"type": "tool_use", "id": f"t{at}", "name": "send", "input": {"p": piece}}
            for at, piece in enumerate(THIRDS)
        ],
    ):
        body = {**events.begun(), "content": blocks, "stop_reason": "end_turn"}
        shown = events.whole(body, RECORDED, "messages", index=INDEX)["content"]
        assert not shows(shown), shown


# Beside the texts


def top(body: dict[str, Any], content: str = "Hi", **more: Any) -> Any:
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    return golden.whole({"choices": [choice], **body}, RECORDED, index=INDEX, **more)


@pytest.mark.parametrize(
    "identifier",
    [
        "chatcmpl-p6505550142aaaaaaaa",
        "65055501-4200-4000-8000-000000000000",
        "call_p6505550142aaaaaaaa",
        "fp_p6505550142abcdefg",
        "b650-5550142",
        "gen-1650555014-2aaaaaaaaaaaaaaaaaaa",
    ],
)
def test_an_id_that_holds_a_recorded_value_is_replaced(identifier: str) -> None:
    for name in ("id", "system_fingerprint"):
        shown = top({name: identifier})
        assert shown[name] != identifier and not shows(shown), shown
    calls = [{**call(0, {}), "id": identifier}]
    assert not shows(message({"content": None, "tool_calls": calls}, tools=TOOLS))


def test_ids_of_servers_stay() -> None:
    for identifier in ("chatcmpl-9c1185a5c5e9fc54612808977ee8f548", "0f8fad5b-d9cb-469f-a165-70867728950e"):
        assert top({"id": identifier})["id"] == identifier


@pytest.mark.parametrize(
    "body",
    [
        {"usage": {"prompt_tokens": 650, "completion_tokens": 555, "total_tokens": 142, "x": 0}},
        {"usage": {"prompt_tokens": 650, "completion_tokens": 5550142}},
        {"timings": {"predicted_ms": 650.5550142}},
    ],
)
def test_counts_that_are_a_recorded_number_are_zero(body: dict[str, Any]) -> None:
    index = RecordsIndex.build([("BANK_ACCOUNT", "6505551420"), ("BANK_ACCOUNT", "6505550142")], key=b"k" * 32)
    choice = {"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}
    shown = golden.whole({"choices": [choice], **json.loads(json.dumps(body))}, RECORDED, index=index)
    for name, fields in body.items():
        assert shown[name] == dict.fromkeys(fields, 0), shown


def test_places_of_a_citation_that_are_a_recorded_number_are_zero() -> None:
    cited = {"type": "url_citation", "url": "https://a.example", "title": "t", "start_index": 650, "end_index": 5550142}
    item = {**events.message("Hi"), "content": [events.output_text("Hi", annotations=[cited])]}
    shown = responses([item])[0]["content"][0]["annotations"]
    assert [(each["start_index"], each["end_index"]) for each in shown] == [(0, 0)], shown


def test_a_time_that_is_a_recorded_number_is_zero() -> None:
    index = RecordsIndex.build([("PHONE_NUMBER", "173-220-0042")], key=b"k" * 32)
    choice = {"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}
    for created, expected in ((1732200042, 0), (1732200043, 1732200043)):
        assert golden.whole({"choices": [choice], "created": created}, RECORDED, index=index)["created"] == expected


@pytest.mark.parametrize(
    "body",
    [
        {"x": {"latency": 650, "cost": 555, "seconds": "0142"}},
        {"latency": 6505550142.0},
        {"a": "650-555-", "b": "0142"},
        {"provider": "https://a.example/u/6505550142 and"},
        {"obfuscation": "650xa555xb014x2"},
        {"model": "small-6505-55-01"},
    ],
)
def test_fields_beside_the_choices(body: dict[str, Any]) -> None:
    assert not shows({name: value for name, value in top(body).items() if name != "choices"})


def test_a_text_that_goes_on_beside_the_choices() -> None:
    assert not shows(top({"note": "0142"}, content="650-555-"))


def test_padding_is_our_own_if_there_are_records() -> None:
    chunks = [
        compact({"choices": [{"index": 0, "delta": {"content": "a"}}], "obfuscation": f"{piece}x"})
        for piece in ("650", "555", "014", "2")
    ]
    out = golden.run([*chunks, b"data: [DONE]\n\n"], RECORDED, index=INDEX)
    assert [frame["obfuscation"] for frame in golden.frames(out)][:4] == ["xxxx", "xxxx", "xxxx", "xx"]
    odd = [chunk.replace(b'"obfuscation"', b'"obfus\\u0063ation"') for chunk in chunks]
    out = golden.run([*odd, b"data: [DONE]\n\n"], RECORDED, index=INDEX)
    assert [frame["obfuscation"] for frame in golden.frames(out)][:4] == ["xxxx", "xxxx", "xxxx", "xx"]
    plain = golden.run([*chunks, b"data: [DONE]\n\n"], RECORDED)
    assert golden.frames(plain)[0]["obfuscation"] == "650x"


def test_sealed_fields() -> None:
    noise = "AbQxZkTmR" * 8
    cases = [(f"{noise}650Qz555Qz0142Q", False), (f"{noise}12Qz", True)]
    cases += [(f"{noise}{noise}4170935Qz", False), (f"{noise}{noise}650Qz555Qz0142Q", True)]  # chance makes the last
    for sealed, is_shown in cases:
        details = [{"type": "reasoning.encrypted", "data": sealed}]
        shown = message({"content": "Hi", "reasoning_details": details})
        assert (sealed in json.dumps(shown)) is is_shown


COVERED = "see https://a.example/u/6505550142 and"


def test_a_value_within_another_in_an_error() -> None:
    out = golden.run([compact({"error": {"message": COVERED, "code": 6505550142}})], RECORDED, index=INDEX)
    assert not shows(out.decode())


def test_a_value_within_another_in_a_comment() -> None:
    chunk = compact({"choices": [{"index": 0, "delta": {"content": "Hi"}}]})
    out = golden.run([f": {COVERED}\n\n".encode(), chunk, b"data: [DONE]\n\n"], RECORDED, index=INDEX)
    assert not shows(out.decode())
    pieces = [f": {piece}\n\n".encode() for piece in ("a650", "b555", "c0142")]
    out = golden.run([*pieces, chunk, b"data: [DONE]\n\n"], RECORDED, index=INDEX)
    assert not shows(out.decode())


# Earlier turns


def test_the_end_of_the_models_last_turn_goes_on_in_its_answer() -> None:
    asked = [
        {"role": "user", "content": "Which number?"},
        {"role": "assistant", "content": "It begins with 650-555."},
        {"role": "user", "content": "And then?"},
    ]
    for content in ("0142", "It goes on 0142.", "Then 0142"):
        assert "0142" not in json.dumps(message({"content": content}, messages=asked))
        assert "0142" not in joined(stream([{"content": char} for char in content], messages=asked), "content")
    typed = [*asked[:2], {"role": "user", "content": f"It is {NUMBER}, say its end."}]
    assert message({"content": "0142"}, messages=typed)["content"] == "0142"
