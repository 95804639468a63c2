"""`/v1/responses` in detail: requests, roles of texts, items and calls, whole answers, unknown types and fields."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import serve_events as events
from serve_events import DIALECTS, frames, named, numbered, output_text, response, run, said, streamed, whole
from serve_golden import BLOCK, EMAIL, IBAN, INDEX, INSTEAD, PHONE, RECORDED, REDACT, REFUSE, STOP, Policy, compact

from reticent.serve.options import OnStoppedCall, Permission
from reticent.serve.request_bounds import Bounds
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent.serve.wire.sse import FrameError
from reticent_detectors.spans import FindContext

TOOLS = [{"type": "function", "name": "send", "parameters": {}}, {"type": "custom", "name": "write"}]


def answer(*output: dict[str, Any], status: str = "completed", **more: Any) -> dict[str, Any]:
    return response(list(output), status, usage=events.USAGE, **more)


def texts(body: dict[str, Any]) -> list[str]:
    return [text for item in body["output"] for text in events.texts_of(item)]


# What may be asked for


def asked(allowed: frozenset[Permission] = frozenset(), strip: bool = False, **body: Any) -> ParsedRequest:
    return DIALECTS["responses"].parse_request({"model": "small", **body}, allowed, strip, Bounds())


def test_an_answer_is_not_stored_unless_the_key_allows_it() -> None:
    assert asked(input="Hi").body["store"] is False
    assert asked(input="Hi", store=False).body["store"] is False
    assert asked(input="Hi", store=None).body["store"] is False
    assert asked(input="Hi", store=True, strip=True).body["store"] is False
    store = frozenset({Permission.STORE})
    assert "store" not in asked(store, input="Hi").body
    assert asked(store, input="Hi", store=True, background=True).body["store"] is True


FORGED: list[tuple[dict[str, Any], str]] = [
    ({"store": True}, "store"),
    ({"store": "yes"}, "store"),
    ({"store": 1}, "store"),
    ({"background": True}, "background"),
    ({"previous_response_id": "resp_1"}, "previous_response_id"),
    ({"previous_response": {"id": "resp_1"}}, "previous_response"),
    ({"previous_input_messages": [{}]}, "previous_input_messages"),
    ({"conversation": "conv_1"}, "conversation"),
    ({"conversation": {"id": "conv_1"}}, "conversation"),
    ({"top_logprobs": 0}, "top_logprobs"),
    ({"include": ["message.output_text.logprobs"]}, "include"),
    ({"logit_bias": {"5": -100}}, "logit_bias"),
    ({"structured_outputs": {"choice": ["a", "b"]}}, "structured_outputs"),
    ({"enable_response_messages": True}, "enable_response_messages"),
    ({"tools": [{"type": "custom", "name": "x", "format": {"type": "grammar", "syntax": "regex"}}]}, "tools"),
    ({"input": [{"type": "item_reference", "id": "msg_1"}]}, "input"),
]


@pytest.mark.parametrize("kind", [[], {"a": 1}, 7, None])
def test_an_items_type_is_a_text(kind: Any) -> None:
    with pytest.raises(ApiError) as refused:
        asked(input=[{"type": kind, "role": "user", "content": "Hi"}])
    assert (refused.value.status, refused.value.param) == (400, "input")


@pytest.mark.parametrize(("body", "param"), FORGED, ids=lambda value: value if isinstance(value, str) else "")
def test_what_needs_a_permission_is_refused(body: dict[str, Any], param: str) -> None:
    with pytest.raises(ApiError) as refused:
        asked(**{"input": "Hi", **body})
    assert (refused.value.status, refused.value.code, refused.value.param) == (400, "not_allowed", param)
    asked(frozenset(Permission), **{"input": "Hi", **body})


@pytest.mark.parametrize(
    "body",
    [{"input": 7}, {"input": [1]}, {}, {"input": []}, {"input": [{"content": "x"}]},
     {"input": [{"role": "user", "content": 7}]}],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(body: dict[str, Any]) -> None:
    with pytest.raises(ApiError) as refused:
        asked(**body)
    assert (refused.value.code, refused.value.param) == ("invalid_type", "input")


def test_log_probabilities_may_be_stripped_from_what_is_included() -> None:
    wanted = ["message.output_text.logprobs", "reasoning.encrypted_content"]
    assert asked(input="Hi", include=wanted, strip=True).body["include"] == wanted[1:]


def test_whose_text_is_whose() -> None:
    view = asked(
        instructions="Rule one.",
        prompt={"id": "pmpt_1", "variables": {"city": "Rome", "note": {"type": "input_text", "text": "Vatican"}}},
        text={"format": {"type": "json_schema", "schema": {"enum": ["Milan"]}}},
        input=[
            {"role": "system", "content": "Be kind."},
            {"role": "developer", "content": [{"type": "input_text", "text": "Be short."}]},
            {
                "role": "user",
                "content": [{"type": "input_text", "text": "Who is it?"}, {"type": "input_file", "filename": "a.pdf"}],
            },
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Thought."}]},
            {"role": "assistant", "content": [{"type": "output_text", "text": "Ann."}]},
            {"type": "function_call", "name": "find", "arguments": '{"who": "Bea"}', "call_id": "c1"},
            {"type": "function_call_output", "call_id": "c1", "output": "Tel. 5"},
            {"type": "function_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": "Tel. 6"}]},
            {"type": "mcp_call", "name": "look", "arguments": '{"who": "Cy"}', "output": "Tel. 7"},
            {"type": "novelty", "data": {"deep": ["Tel. 8"]}},
            {"role": "user", "content": "And now?"},
        ],
    ).views[0]
    assert view.user == "Who is it?\nAnd now?"
    operator = ("Rule one.", "Rome", "Vatican", "Milan", "Be kind.", "Be short.", "a.pdf", "Tel. 5", "Tel. 6", "Tel. 7")
    assert [text for text in (*operator, "Tel. 8") if text not in view.operator] == []
    assert [text for text in ("Ann", "Bea", "Cy", "Thought") if text in view.operator] == []
    assert view.context.behind("") == FindContext("", "And now?", view.context.earlier)


def test_a_prefilled_turn_is_gone_on_with() -> None:
    begun = [{"role": "user", "content": "His IBAN?"}, {"role": "assistant", "content": "It is DE89 3704 00"}]
    assert asked(input=begun).views[0].context == FindContext("It is DE89 3704 00", "His IBAN?", "It is DE89 3704 00")
    stream = events.responses_llama_cpp(["44 0532 0130 00", " it", " is."])
    assert said(run([stream], input=begun)) == "<IBAN_CODE> it is."


def test_what_the_operator_said_is_known_as_such() -> None:
    body = answer(events.message(f"Mail {EMAIL}."))
    assert texts(whole(body, RECORDED, index=INDEX, input=f"Is it {EMAIL}?")) == [f"Mail {EMAIL}."]
    given: list[Any] = [{"role": "user", "content": "Hi"}, {"type": "function_call_output", "output": EMAIL}]
    for more in ({"instructions": f"Say {EMAIL}."}, {"input": given}):
        assert texts(whole(body, RECORDED, index=INDEX, **more)) == ["Mail <EMAIL_ADDRESS>."]


# Whole answers


def test_a_harmless_answer_keeps_its_bytes() -> None:
    body = answer(
        events.reasoning("Let me see"), events.message("Fine."), events.call_events('{"to": "Bob"}')[-1]["item"]
    )
    raw = json.dumps(body, indent=2).encode()
    assert events.reader(tools=TOOLS).judge_body(raw, 0.0) == raw


def test_every_text_of_an_answer_is_redacted() -> None:
    refusal = {"type": "refusal", "refusal": f"Not {PHONE}!"}
    said = {**events.message(f"Mail {EMAIL} now."), "content": [output_text(f"Mail {EMAIL} now."), refusal]}
    thoughts = {
        **events.reasoning(f"It is {IBAN}."),
        "content": [{"type": "reasoning_text", "text": f"So {PHONE} it is."}],
    }
    out = whole(answer(thoughts, said))
    assert out["output"][0]["summary"][0]["text"] == "It is <IBAN_CODE>."
    assert out["output"][0]["content"][0]["text"] == "So <PHONE_NUMBER> it is."
    assert out["output"][1]["content"][0]["text"] == "Mail <EMAIL_ADDRESS> now."
    assert out["output"][1]["content"][1]["refusal"] == "Not <PHONE_NUMBER>!"
    assert (out["status"], out["usage"]) == ("completed", events.USAGE)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("The address", f"{EMAIL} now", ["The address", "<EMAIL_ADDRESS> now"]),
        (f"Mail {EMAIL}.", "The sky is blue", ["Mail <EMAIL_ADDRESS>.", "The sky is blue"]),
        (f"Mail {EMAIL}", "The sky is blue", ["Mail <EMAIL_ADDRESS>", "The sky is blue"]),
        ("Call +1 212 555", "0123 now", ["Call <PHONE_NUMBER>", "<PHONE_NUMBER> now"]),
        ("It is DE89 3704", "0044 0532 0130 00 ok", ["It is <IBAN_CODE>", "<IBAN_CODE> ok"]),
    ],
)
def test_texts_end_where_they_end_and_half_a_value_may_go_on(first: str, second: str, expected: list[str]) -> None:
    body = answer(events.message(first), events.message(second, name="msg_2"))
    stream = numbered(streamed(events.message_events([first]), events.message_events([second], 1, "msg_2")))
    for shown in (
        texts(whole(body, RECORDED, index=INDEX)),
        events.tellings(run([stream], RECORDED, index=INDEX))["last"],
    ):
        assert [each.rstrip(".") for each in shown] == [each.rstrip(".") for each in expected]


def test_block_styles_whole() -> None:
    body = answer(events.reasoning("Let me see"), events.message(f"It is {IBAN} ok"), events.message("More"))
    filtered = {"reason": "content_filter"}
    body["output_text"] = "More"
    for policy, left in ((BLOCK, "It is "), (STOP, "It is <IBAN_CODE>")):
        out = whole(body, policy)
        assert (texts(out), out["output"][-1]["status"]) == (["Let me see", left], "incomplete")
        assert (out["status"], out["incomplete_details"], out["usage"]) == ("incomplete", filtered, events.USAGE)
        assert "output_text" not in out
    out = whole(body, INSTEAD)
    assert (texts(out), out["incomplete_details"]) == (["I may not say that."], filtered)
    with pytest.raises(ApiError) as refused:
        whole(body, REFUSE)
    assert (refused.value.status, refused.value.code) == (400, "content_filter")


def test_an_end_in_the_thoughts_leaves_nothing_behind_it() -> None:
    out = whole(answer(events.reasoning(f"It is {EMAIL} ok"), events.message("Write to her.")), STOP)
    assert texts(out) == ["It is <EMAIL_ADDRESS>"]


@pytest.mark.parametrize(
    "body", [[], {"output": "x"}, {"output": [1]}, {"output": [{"type": "message", "content": [1]}]}, {"error": {}}]
)
def test_an_answer_that_cannot_be_read_is_an_error(body: Any) -> None:
    with pytest.raises(FrameError):
        whole(body)


def test_an_answer_that_was_cut_short_is_judged_as_such() -> None:
    body = answer(events.message("It is +1 212 555"), status="incomplete")
    assert texts(whole(body, RECORDED, index=INDEX)) == ["It is <PHONE_NUMBER>"]
    body["status"] = "completed"
    assert texts(whole(body, RECORDED, index=INDEX)) == ["It is +1 212 555"]


# Calls


def call_names(found: list[dict[str, Any]]) -> set[str]:
    return {frame["item"]["name"] for frame in found if frame.get("item", {}).get("type") == "function_call"}


def test_harmless_calls_leave_as_they_came_and_when_they_are_complete() -> None:
    stream = streamed(events.call_events('{"to": "Bob"}'), events.call_events('{"n": 3}', 1))
    assert run([numbered(stream)], tools=TOOLS) == numbered(stream)
    from reticent.serve.stream.stream_guard import StreamGuard

    guard = StreamGuard(events.reader(tools=TOOLS))
    done = next(at for at, event in enumerate(stream) if event["type"].endswith("arguments.done"))
    assert guard.feed(events.bare(stream[:done]), 0.0) == events.bare(stream[:2])
    assert guard.feed(named(stream[done]), 0.0) == events.bare(stream[2 : done + 1])


@pytest.mark.parametrize("value", [EMAIL, PHONE, IBAN])
@pytest.mark.parametrize("policy", [REDACT, STOP, BLOCK], ids=["redact", "stop", "block"])
def test_a_call_with_a_stopped_value_never_arrives(value: str, policy: Policy) -> None:
    calls = [json.dumps({"to": to}) for to in ("Bob", value, "Cy")]
    stream = streamed(events.message_events(["Now."]), *(events.call_events(c, at + 1) for at, c in enumerate(calls)))
    out = run([numbered(stream)], policy, tools=TOOLS)
    found = frames(out)
    assert [item["type"] for item in found[-1]["response"]["output"]] == ["message", "function_call"]
    assert found[-1]["response"]["output"][1]["arguments"] == calls[0]
    assert {frame.get("output_index") for frame in found} == {None, 0, 1}
    assert found[-1]["type"] == "response.incomplete"
    assert value[4:10] not in out.decode()
    body = whole(answer(*(event[-1]["item"] for event in map(events.call_events, calls))), policy, tools=TOOLS)
    assert ([item["arguments"] for item in body["output"]], body["status"]) == (calls[:1], "incomplete")


def test_a_value_in_escapes_is_seen() -> None:
    escaped = "".join(f"\\u{ord(char):04x}" for char in EMAIL)
    out = run([numbered(streamed(events.call_events(f'{{"to": "{escaped}"}}')))], tools=TOOLS)
    assert call_names(frames(out)) == set()


def test_a_stopped_call_may_be_redacted_instead_and_all_tellings_agree() -> None:
    stream = streamed(events.call_events(json.dumps({"to": EMAIL, "n": 3})), events.message_events(["Done."], 1))
    out = run([numbered(stream)], tools=TOOLS, on_stopped_call=OnStoppedCall.REDACT)
    found = frames(out)
    whole_call = '{"to": "<EMAIL_ADDRESS>", "n": 3}'
    assert "".join(f["delta"] for f in found if f["type"].endswith("arguments.delta")) == whole_call
    assert [f["arguments"] for f in found if f["type"].endswith("arguments.done")] == [whole_call]
    arguments = [f["item"]["arguments"] for f in found if f.get("item", {}).get("type") == "function_call"]
    assert arguments == ["", whole_call]
    assert found[-1]["response"]["output"][0]["arguments"] == whole_call
    assert found[-1]["type"] == "response.completed"


def test_a_tools_name_that_was_not_offered_is_judged() -> None:
    out = run([numbered(streamed(events.call_events("{}", name=EMAIL)))], tools=TOOLS)
    assert EMAIL.encode() not in out
    assert frames(out)[-1]["response"]["output"] == []
    fine = numbered(streamed(events.call_events("{}", name="look_up")))
    assert run([fine], tools=TOOLS) == fine


@pytest.mark.parametrize(
    "item",
    [
        {"type": "custom_tool_call", "name": "write", "input": f"Dear {EMAIL},", "call_id": "call_1"},
        {"type": "mcp_call", "name": "look", "arguments": json.dumps({"q": EMAIL}), "server_label": "s", "output": "-"},
        {"type": "mcp_approval_request", "name": "look", "arguments": json.dumps({"q": EMAIL}), "server_label": "s"},
        {"type": "local_shell_call", "action": {"type": "exec", "command": ["mail", EMAIL]}, "call_id": "call_1"},
        {"type": "computer_call", "action": {"type": "type", "text": EMAIL}, "call_id": "call_1"},
        {"type": "apply_patch_call", "operation": {"type": "create_file", "diff": f"+{EMAIL}"}},
        {"type": "novelty", "deep": [{"er": f"Mail {EMAIL}"}]},
        {"type": "novelty", "tokens": [74, 97, 110, 101, 46, 114, 111, 101]},
        {"type": EMAIL},
        {"deep": EMAIL},
    ],
)
def test_what_a_client_may_execute_and_what_nobody_knows_is_withheld_whole(item: dict[str, Any]) -> None:
    item = {"id": "x_1", "status": "completed", **item}
    out = whole(answer(events.message("Now."), item, events.message("More.")), tools=TOOLS)
    assert (texts(out), out["status"]) == (["Now."], "incomplete")
    added = {"type": "response.output_item.added", "output_index": 1, "item": item}
    stream = streamed(events.message_events(["Now."]), [added, {**added, "type": "response.output_item.done"}])
    shown = run([numbered(stream)], tools=TOOLS)
    assert said(shown) == "Now."
    assert EMAIL.encode() not in shown
    assert [each["type"] for each in frames(shown)[-1]["response"]["output"]] == ["message"]
    assert frames(shown)[-1]["type"] == "response.incomplete"


def test_what_nobody_knows_passes_where_nothing_is_found() -> None:
    item = {
        "type": "novelty",
        "id": "ws_67ccf190ca3881909d433c50b1f6357e",
        "status": "completed",
        "deep": [{"er": "fine"}],
        "count": 3,
    }
    added = {"type": "response.output_item.added", "output_index": 0, "item": item}
    stream = numbered(streamed([added, {**added, "type": "response.output_item.done"}]))
    assert run([stream]) == stream


# What servers find


def test_the_texts_of_searches_and_programs_are_redacted_in_place() -> None:
    search = {"type": "search", "query": f"Who is {EMAIL}?", "sources": [{"type": "url", "url": "https://a.example/b"}]}
    out = whole(
        answer(
            {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": search},
            {
                "type": "file_search_call",
                "id": "fs_1",
                "status": "completed",
                "queries": [f"mail {EMAIL}", "fine"],
                "results": [{"file_id": "file-1", "filename": "a.txt", "score": 0.9, "text": f"Call {PHONE}."}],
            },
            {
                "type": "code_interpreter_call",
                "id": "ci_1",
                "status": "completed",
                "container_id": "cntr_1",
                "code": f"print('{IBAN}')",
                "outputs": [
                    {"type": "logs", "logs": f"{IBAN}\n"},
                    {"type": "image", "url": "data:image/png;base64,AA"},
                ],
            },
            {
                "type": "mcp_call",
                "id": "mcp_1",
                "name": "send",
                "arguments": "{}",
                "server_label": "s",
                "output": f"To {EMAIL}",
            },
            {"type": "image_generation_call", "id": "ig_1", "status": "completed", "result": "iVBORw0KGgo="},
            events.message("Done."),
        ),
        tools=TOOLS,
    )
    web, files, code, mcp, image, _ = out["output"]
    assert web["action"] == {**search, "query": "Who is <EMAIL_ADDRESS>?", "sources": [{"type": "url", "url": "<URL>"}]}
    assert files["queries"] == ["mail <EMAIL_ADDRESS>", "fine"]
    assert files["results"][0] == {
        "file_id": "file-1",
        "filename": "a.txt",
        "score": 0.9,
        "text": "Call <PHONE_NUMBER>.",
    }
    assert (code["code"], code["outputs"][0]["logs"], code["outputs"][1]["url"]) == (
        "print('<IBAN_CODE>')",
        "<IBAN_CODE>\n",
        None,
    )
    assert (mcp["output"], image["result"]) == ("To <EMAIL_ADDRESS>", None)
    assert (out["status"], texts(out)) == ("completed", ["Done."])


def test_code_is_sent_in_pieces_and_agrees() -> None:
    item = {
        "type": "code_interpreter_call",
        "id": "ci_1",
        "status": "in_progress",
        "code": "",
        "container_id": "cntr_1",
        "outputs": None,
    }
    code, here = f"mail('{EMAIL}')  # so", {"output_index": 0, "item_id": "ci_1"}
    family = "response.code_interpreter_call_code"
    sent = [
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.code_interpreter_call.in_progress", **here},
        *({"type": f"{family}.delta", **here, "delta": code[at : at + 5]} for at in range(0, len(code), 5)),
        {"type": f"{family}.done", **here, "code": code},
        {"type": "response.code_interpreter_call.completed", **here},
        {"type": "response.output_item.done", "output_index": 0, "item": {**item, "status": "completed", "code": code}},
    ]
    found = frames(run([numbered(streamed(sent))]))
    clean = "mail('<EMAIL_ADDRESS>')  # so"
    assert "".join(f["delta"] for f in found if f["type"] == f"{family}.delta") == clean
    assert [f["code"] for f in found if f["type"] == f"{family}.done"] == [clean]
    assert found[-1]["response"]["output"][0]["code"] == clean


def test_what_cites_a_changed_text_goes_with_it() -> None:
    cited = {"type": "url_citation", "url": "https://a.example/b", "title": "B", "start_index": 0, "end_index": 9}
    fine = answer({**events.message(""), "content": [output_text("See B now.", annotations=[cited])]})
    assert whole(fine, RECORDED, index=INDEX) == fine
    leaky = answer({**events.message(""), "content": [output_text(f"See {EMAIL} now.", annotations=[cited])]})
    assert whole(leaky, RECORDED, index=INDEX)["output"][0]["content"][0]["annotations"] == []
    titled = answer({**events.message(""), "content": [output_text("See B.", annotations=[{**cited, "title": EMAIL}])]})
    out = whole(titled, RECORDED, index=INDEX)["output"][0]["content"][0]
    assert (out["text"], out["annotations"]) == ("See B.", [{**cited, "title": "<EMAIL_ADDRESS>"}])


def test_sealed_content_passes_and_what_is_readable_does_not() -> None:
    import base64

    sealed = (
        "gAAAAABoISQ24OyVRYbkYfukdJoqdzWT-3uiErKInHDC-lgAaXeky44N77j7aibc2elHISjAvX7OmUwMU1r7NgaiHSVWL5BtWgXVBp4BMFkW"
        "ZpXpZY7ff5pdPFnW3VieuF2cSo8Ay7tJ4aThGUnXkNM5QJqk6_u5jwd-W9cTHjucw9ATGfGqD2qHrXyj6NEW9RmpWHV2SK41d5TpUYdN0xSu"
        "IUP98HBVZ2VGgD4MIocUm6Lx0xhRl9KUx19f7w4Mn7SCpKUQ0zwXze8UsQOVvv1HQxk_yDosbIg1SylEj38H-DNLil6yUFlWI4vGWcPn1bAL"
        "XphTR2EwYVR52nD1rCFEORUd7prS99i18MUMSAhghIVv9OrpbjmfxJh8bSQaHu1ZDTMWcfC58H3i8KnogmI7V_h2TKAiLTgSQIkYRHnV3hz1"
        "XwaUqYAIhBvP6c5UxX-j_tpYpB_XCpD886L0XyJxCmfr9cwitipOhHr8zfLVwMI4ULu-P3ftw7QckIVzf71HFLNixrQlkdgTn-zM6aQl5BZc"
        "Jgwwn3ylJ5ji4DQTS1H3AiTrFsEt4kyiBcE2d7tYA_m3G8L-e4-TuTDdJZtLaz-q8J12onFaKknGSyU6px8Ki4IPqnWIJw8SaFMJ5fSUYJO_"
        "_myhp7lbbQwuOZHIQuvKutM-QUuR0cHus_HtfWtZZksqvVCVNBYViBxD2_KvKJvS-nN62zZ8sNiydIclt1yJfIMkiRErfRTzv92hQaUtdqz8"
        "0UiW7FBcN2Lnzt8awXCz1pnGyWy_hNQe8C7W35zRxJDwFdb-f3VpanJT0tNmU5bfEWSXcIVmiMZL1clwzVNryf9Gk482LaWPwhVYrkv2MRhK"
        "MPKCeAZWVhZbHm0YTT8a4DgbwcYRGhoMGxMxWncOdY062Zv4VoBzz565QvbRbTfpTn5o-KwSEzMTOZ3vZAsXzXHZk-T5lTXsItQYCsZTFf7T"
        "kr1lmTiC"
    )
    body = answer({**events.reasoning("Hm"), "encrypted_content": sealed})
    assert whole(body) == body
    readable = json.dumps([{"role": "assistant", "content": f"She is at {EMAIL}, I think"}]).encode()
    for content in (base64.b64encode(readable), b"ab" + base64.urlsafe_b64encode(readable), EMAIL.encode()):
        body["output"][0]["encrypted_content"] = content.decode()
        assert whole(body)["output"][0]["encrypted_content"] is None


# What the client sent comes back


def test_the_clients_own_settings_come_back_as_they_were_and_others_are_judged() -> None:
    own: dict[str, Any] = {
        "instructions": f"Write to {EMAIL}.",
        "metadata": {"who": EMAIL, "n": "5"},
        "tools": [
            {"type": "function", "name": "send", "description": f"To {EMAIL}", "parameters": {"enum": [1, 2, 3]}}
        ],
        "user": EMAIL,
    }
    body = answer(events.message("Fine."), **{**own, "tools": [{**own["tools"][0], "strict": None}]})
    assert whole(body, **own) == body
    other = whole({**body, "metadata": {"who": PHONE, "n": "5", "x": EMAIL}, "instructions": f"Call {PHONE}."}, **own)
    assert (other["metadata"], other["instructions"]) == ({"who": None, "n": "5", "x": None}, None)


# Log-probabilities


def tokens(*texts: str) -> list[dict[str, Any]]:
    best = [{"token": "DE89", "logprob": -0.1, "bytes": None}]
    return [{"token": text, "logprob": -1.0, "bytes": None, "top_logprobs": best} for text in texts]


def test_log_probabilities_are_sent_again_without_those_of_hidden_text() -> None:
    pieces = ["It is ", IBAN, ", so"]
    sent = events.message_events(pieces)
    for event in sent:
        if event["type"].endswith("text.delta"):
            event["logprobs"] = tokens(event["delta"])
        elif event["type"].endswith("text.done"):
            event["logprobs"] = tokens(*pieces)
        elif event["type"].endswith("_part.done"):
            event["part"]["logprobs"] = tokens(*pieces)
    sent[-1]["item"]["content"][0]["logprobs"] = tokens(*pieces)
    out = frames(run([numbered(streamed(sent))], allowed=[Permission.LOGPROBS]))
    kept = tokens(pieces[0], pieces[2])
    assert [row for f in out if f["type"].endswith("text.delta") for row in f["logprobs"]] == kept
    assert [f["logprobs"] for f in out if f["type"].endswith("text.done")] == [kept]
    assert [f["part"]["logprobs"] for f in out if f["type"].endswith("_part.done")] == [kept]
    assert out[-1]["response"]["output"][0]["content"][0]["logprobs"] == kept
    plain = frames(run([numbered(streamed(sent))]))
    assert {json.dumps(f["logprobs"]) for f in plain if "logprobs" in f} == {"[]"}
    assert plain[-1]["response"]["output"][0]["content"][0]["logprobs"] == []
    body = answer({**events.message(""), "content": [output_text("".join(pieces), logprobs=tokens(*pieces))]})
    assert whole(body, allowed=[Permission.LOGPROBS])["output"][0]["content"][0]["logprobs"] == kept
    assert whole(body)["output"][0]["content"][0]["logprobs"] == []


def test_log_probabilities_without_a_text_are_withheld() -> None:
    empty = {"type": "response.output_text.delta", "item_id": events.MSG, "output_index": 0, "content_index": 0}
    for event in ({**empty, "delta": ""}, {**empty, "type": "response.output_text.done", "text": ""}):
        out = run([named({**event, "logprobs": tokens(EMAIL)})], allowed=[Permission.LOGPROBS])
        assert EMAIL.encode() not in out


# Places that nobody knows

EVENT = {"sequence_number": 3, "output_index": 0, "content_index": 0, "item_id": events.MSG}
DELTA = {"type": "response.output_text.delta", **EVENT, "delta": "Hi"}
PART = {"type": "response.content_part.done", **EVENT, "part": output_text("Hi")}
ITEM = {"type": "response.output_item.done", **EVENT, "item": events.message("Hi")}
PLANTED: dict[str, Callable[[str], dict[str, Any]]] = {
    "type": lambda v: {**DELTA, "type": v},
    "type's end": lambda v: {**DELTA, "type": f"response.output_text.{v}"},
    "part's end": lambda v: {**PART, "type": f"response.content_part.{v}"},
    "item's end": lambda v: {**ITEM, "type": f"response.output_item.{v}"},
    "call's end": lambda v: {**EVENT, "type": f"response.function_call_arguments.{v}"},
    "code's end": lambda v: {**EVENT, "type": f"response.code_interpreter_call_code.{v}"},
    "no type": lambda v: {"x": v},
    "unknown event": lambda v: {"type": "response.novelty", "x": {"y": [v]}},
    "unknown delta": lambda v: {"type": "response.novelty.delta", "delta": v},
    "unknown name": lambda v: {**DELTA, v: 1},
    "unknown field": lambda v: {**DELTA, "x": v},
    "item's id": lambda v: {**DELTA, "item_id": v},
    "delta as object": lambda v: {**DELTA, "delta": {"x": v}},
    "delta as list": lambda v: {**DELTA, "delta": [v]},
    "two texts": lambda v: {**DELTA, "text": v},
    "log-probabilities": lambda v: {**DELTA, "logprobs": [{"token": v, "logprob": -1}]},
    "padding": lambda v: {**DELTA, "obfuscation": v},
    "code": lambda v: {"type": "response.code_interpreter_call_code.delta", **EVENT, "delta": "x", "code": v},
    "code's delta": lambda v: {"type": "response.code_interpreter_call_code.done", **EVENT, "code": "x", "delta": v},
    "call's name": lambda v: {"type": "response.function_call_arguments.done", **EVENT, "name": v, "arguments": "{}"},
    "call's delta": lambda v: {"type": "response.function_call_arguments.done", **EVENT, "delta": v, "arguments": "{}"},
    "part's type": lambda v: {**PART, "part": {"type": v}},
    "part's text as object": lambda v: {**PART, "part": {"type": "output_text", "text": {"x": v}}},
    "part's other text": lambda v: {**PART, "part": output_text("Hi", refusal=v)},
    "unknown part": lambda v: {**PART, "part": {"type": "novelty", "x": v}},
    "annotation": lambda v: {"type": "response.output_text.annotation.added", **EVENT, "annotation": {"title": v}},
    "item's status": lambda v: {**ITEM, "item": {**ITEM["item"], "status": v}},
    "item's role": lambda v: {**ITEM, "item": {**ITEM["item"], "role": v}},
    "item's field": lambda v: {**ITEM, "item": {**ITEM["item"], "x": [[v]]}},
    "item's content": lambda v: {**ITEM, "item": {**ITEM["item"], "content": v}},
    "summary as text": lambda v: {**ITEM, "item": {"type": "reasoning", "summary": v}},
    "message's summary": lambda v: {**ITEM, "item": {**ITEM["item"], "summary": [{"type": "summary_text", "text": v}]}},
    "response's field": lambda v: {"type": "response.created", "response": {**response([]), "x": v}},
    "response's text": lambda v: {"type": "response.created", "response": {**response([]), "output_text": v}},
    "response's model": lambda v: {"type": "response.created", "response": {**response([]), "model": v}},
    "response's id": lambda v: {"type": "response.created", "response": {**response([]), "id": v}},
    "response's error": lambda v: {"type": "response.failed", "response": {**response([]), "error": {"message": v}}},
    "response's reason": lambda v: {
        "type": "response.failed",
        "response": {**response([]), "incomplete_details": {"reason": v}},
    },
    "response's prompt": lambda v: {"type": "response.created", "response": {**response([]), "input_messages": [v]}},
    "response's usage": lambda v: {"type": "response.completed", "response": {**response([]), "usage": {"x": v}}},
    "an unseen item": lambda v: {"type": "response.completed", "response": response([events.message(v)])},
    "beside the response": lambda v: {"type": "response.created", "response": response([]), "x": v},
    "a picture": lambda v: {"type": "response.image_generation_call.partial_image", **EVENT, "partial_image_b64": v},
    "a sound": lambda v: {"type": "response.audio.delta", "delta": v},
    "what was said": lambda v: {"type": "response.audio.transcript.delta", "delta": v},
    "an error": lambda v: {"type": "error", "message": v, "error": {"param": v}},
}


def framed(body: dict[str, Any]) -> bytes:
    return named(body) if "type" in body else compact(body)


@pytest.mark.parametrize("place", PLANTED)
def test_a_value_planted_anywhere_never_arrives(place: str) -> None:
    for value in (EMAIL, "+12125550123"):
        begun = named({"type": "response.created", "response": response([])})
        planted = framed(PLANTED[place](value))
        for stream in (planted, begun + planted):
            out = run([stream], allowed=[Permission.LOGPROBS])
            assert value not in out.decode()
            assert value[4:] not in out.decode()
    assert run([framed(PLANTED[place]("nothing"))])  # the stream ends well


@pytest.mark.parametrize("field", ["x", "output_text", "instructions", "user", "metadata", "id", "model", "error"])
def test_a_value_planted_in_a_whole_answer_never_arrives(field: str) -> None:
    body = answer(events.message("Hi"), **{field: EMAIL})
    assert EMAIL not in json.dumps(whole(body))


@pytest.mark.parametrize("place", ["a picture", "a sound"])
def test_what_is_no_text_is_dropped(place: str) -> None:
    stream = streamed(events.message_events(["Hi."]))
    noise = named(PLANTED[place]("iVBORw0KGgoAAAANSUhEUgAA"))
    assert run([named(stream[0]) + noise + events.bare(stream[1:])]) == events.bare(stream)


def test_a_part_that_was_closed_stands_in_the_item_that_we_close() -> None:
    leaky = events.message_events([f"It is {IBAN} ok"])
    second = [{**event, "content_index": 1} if "content_index" in event else event for event in leaky]
    first = events.message_events(["Fine."])
    out = frames(run([numbered(streamed([*first[:-1], *second[1:]]))], BLOCK))
    assert [part["text"] for part in out[-2]["item"]["content"]] == ["Fine.", "It is "]
    assert out[-1]["response"]["output"] == [out[-2]["item"]]


def test_the_prompt_is_not_sent_once_more() -> None:
    body = answer(events.message("Hi"), input_messages=["You are kind"], output_messages=["Hi"])
    assert whole(body) == {**body, "input_messages": None, "output_messages": None}


def test_an_events_name_is_its_type() -> None:
    stream = numbered(streamed(events.message_events(["Hi."])))
    for name in (b"response.created", EMAIL.encode()):
        odd = stream.replace(b"event: response.output_text.done\n", b"event: " + name + b"\n")
        assert odd != stream
        assert run([odd]) == stream


def test_events_without_names_stay_so() -> None:
    stream = events.responses_openai(["Mail ", EMAIL, " now"])
    plain = b"".join(line + b"\n" for line in stream.split(b"\n")[:-1] if not line.startswith(b"event:"))
    out = run([plain])
    assert b"event:" not in out
    assert b"Mail <EMAIL_ADDRESS> now" in out


def test_padding_is_no_value_and_times_may_be_fractions() -> None:
    noise = ["nK3p9QmZx7Lw2", "aB1cD2", "", "Zq8"]
    sent = streamed(events.message_events(["One", " and", " two", " more."]))
    deltas = [event for event in sent if event["type"].endswith(".delta")]
    for event, padding in zip(deltas, noise, strict=True):
        event["obfuscation"] = padding
    sent[-1]["response"] |= {"created_at": 1741484430.0, "completed_at": 1741484431.0}
    assert run([numbered(sent)]) == numbered(sent)
    deltas[0]["obfuscation"] = "4044053201"
    assert frames(run([numbered(sent)]))[4]["obfuscation"] is None
