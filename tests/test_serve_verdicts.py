"""Verdicts on texts in the contracts of LiteLLM, the FMS detectors and agentgateway, over real sockets.

`gateway_requests.jsonl` has what LiteLLM's proxy 1.109.1 sent, and requests as agentgateway's and the orchestrator's
sources write them. `test_engine_litellm` runs LiteLLM's proxy itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import serve_golden as golden
from serve_upstream import Running, proxied, until

from reticent import Policy
from reticent.demo import assets
from reticent.key_files import write_key
from reticent.prompt.echo import EchoIndex
from reticent.serve.verdicts import detector_api
from reticent.serve.verdicts.contracts import CONTRACTS
from reticent.text_guard import TextGuard
from reticent_detectors.between_steps import STEP

LITELLM, CONTENTS, GENERATION = (
    "/beta/litellm_basic_guardrail_api",
    "/api/v1/text/contents",
    "/api/v1/text/generation",
)
RECORDED = [json.loads(line) for line in (Path(__file__).parent / "gateway_requests.jsonl").read_text().splitlines()]
EXTRAS = "additional_provider_specific_params"
PHONE = "555-867-5309"
TEXT, SHOWN = f"Call Jane at {PHONE}.", "Call Jane at <PHONE_NUMBER>."
HARMLESS = "Good morning to all."
PATHS = [each.path for each in CONTRACTS]
BODIES: dict[str, Any] = {
    "/v1/redact": {"text": TEXT},
    LITELLM: {"input_type": "response", "texts": [TEXT]},
    CONTENTS: {"contents": [TEXT]},
    GENERATION: {"prompt": "", "generated_text": TEXT},
    "/request": {"body": {"messages": [{"role": "user", "content": TEXT}]}},
    "/response": {"body": {"choices": [{"message": {"role": "assistant", "content": TEXT}}]}},
}


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    block = {"DEFAULT": {"unknown": "block"}}
    policies = {
        "strict": {"entities": block},
        "own words": {"entities": block, "on_block": {"replace": "Not here."}},
        "hashed": {"redaction": "hash"},
        "listed": {"deny_list": [PHONE]},
    }
    limits = {"limits.call_chars": 2000, "limits.prompt_chars": 4000, "limits.channels": 4, "limits.stopped": 5}
    with proxied(
        "http://127.0.0.1:9", policy="default", policies=policies, may_choose=sorted(policies), **limits
    ) as proxy:
        yield proxy


def asked(running: Running, path: str, body: Any, **headers: str) -> Any:
    got = running.post(body, path, **headers)
    assert got.status_code == 200, got.text
    return got.json()


# What all contracts share


@pytest.mark.parametrize("recorded", RECORDED, ids=[each["name"] for each in RECORDED])
def test_what_was_recorded_is_answered(running: Running, recorded: dict[str, Any]) -> None:
    got = running.post(recorded["request"], recorded["path"])
    assert (got.status_code, got.headers["reticent-basis"]) == (200, "text")
    answer = got.json()
    if recorded["path"] in (CONTENTS, GENERATION):
        for detection in [each for row in answer for each in (row if isinstance(row, list) else [row])]:
            del detection["metadata"]
    assert answer == recorded["answer"]


@pytest.mark.parametrize("path", PATHS)
def test_a_value_that_is_stopped_is_counted_by_its_contract(running: Running, path: str) -> None:
    (route,) = (str(each.route) for each in CONTRACTS if each.path == path)
    before = running.count("spans_total", action="redact")
    counted = running.count("requests_total", outcome="redacted", route=route)
    asked(running, path, BODIES[path])
    assert until(lambda: running.count("requests_total", outcome="redacted", route=route) == counted + 1)
    assert running.count("spans_total", action="redact") == before + 1


@pytest.mark.parametrize("path", PATHS)
def test_what_is_no_request_is_refused_in_the_contracts_words(
    running: Running, path: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    wrong = {name: {"not": PHONE} for name in BODIES[path]}
    for body, kind in ((wrong, "Expected "), ([PHONE], "has to be a JSON object"), (f'{{"{PHONE}', "is no JSON")):
        got = running.post(body.encode() if isinstance(body, str) else body, path)
        is_detector = path.startswith("/api/")
        assert got.status_code == (422 if is_detector and kind == "Expected " else 400)
        error = got.json() if is_detector else got.json()["error"]
        assert kind in error["message"] and PHONE not in got.text
        assert error.keys() == ({"code", "message"} if is_detector else {"message", "type", "param", "code"})
        assert error["code"] == got.status_code if is_detector else isinstance(error["code"], str)
    out, err = capfd.readouterr()
    assert PHONE not in out + err + caplog.text


@pytest.mark.parametrize("path", PATHS)
def test_keys_bounds_and_methods_are_those_of_the_other_routes(running: Running, path: str) -> None:
    long = json.dumps(BODIES[path]).replace(TEXT, "a" * 2001)
    assert running.post(long.encode(), path).status_code == 413
    assert running.post(BODIES[path], path, content_encoding="gzip").status_code == 415
    got = running.client.get(path)
    assert (got.status_code, got.headers["allow"]) == (405, "POST")


def test_a_request_has_so_many_texts(running: Running) -> None:
    got = running.post({"contents": ["a"] * 5}, CONTENTS)
    assert (got.status_code, got.json()["message"]) == (413, "A request may have 4 texts; send fewer.")
    assert asked(running, CONTENTS, {"contents": ["a"] * 4}) == [[]] * 4


def test_keys_and_lists(tmp_path: Path) -> None:
    """Texts to try out would show which values are recorded, so there a key needs a permission."""
    golden.INDEX.save(tmp_path / "r.index")
    write_key(tmp_path / "r.key", golden.INDEX.key)
    keys = [{"key": "clinic-key"}, {"key": "audit-key-1", "allow": ["redact"]}]
    with proxied("http://127.0.0.1:9", policy="default", keys=keys, records={"index": tmp_path / "r.index"}) as proxy:
        body = {"input_type": "response", "texts": [f"Write to {golden.EMAIL} or call {PHONE}."]}
        assert proxy.post(body, LITELLM).status_code == 401
        assert proxy.post({"contents": []}, CONTENTS).json().keys() == {"code", "message"}
        assert proxy.post(body, LITELLM, x_api_key="clinic-key").status_code == 403
        got = proxy.post(body, LITELLM, x_api_key="audit-key-1")
        assert got.json()["texts"] == [f"Write to <EMAIL_ADDRESS> or call {PHONE}."]
        assert got.headers["reticent-basis"] == "records"


# LiteLLM


def test_text_that_grows_is_shown_only_as_far_as_more_text_cannot_change_it(running: Running) -> None:
    """LiteLLM sends all of a stream's text again and again, and shows what we let it show of it."""
    whole = f"Call Jane at {PHONE}, or write to jane.roe@post.test. She is in on Monday."
    shown = ""
    for end in range(1, len(whole) + 1, 3):
        body = {"input_type": "response", "texts": [whole[:end]], "litellm_call_id": "a"}
        answer = asked(running, LITELLM, body)
        text, (held,) = answer.get("texts", [whole[:end]])[0], answer["stream_holdback_chars"]
        assert text.startswith(shown) and (answer["action"] == "NONE") is (text == whole[:end])
        shown += text[len(shown) : len(text) - held]
        assert PHONE[:3] not in shown and "jane.roe" not in shown
    assert asked(running, LITELLM, {"input_type": "response", "texts": [whole]})["texts"][0].startswith(shown)
    assert shown.startswith("Call Jane at <PHONE_NUMBER>, or write to <EMAIL_ADDRESS>")


def test_hashes_stay_the_same_while_a_text_grows(running: Running) -> None:
    def hashed(text: str, call: str) -> str:
        body = {"input_type": "response", "texts": [text], "litellm_call_id": call}
        return str(
            asked(running, LITELLM, {**body, "additional_provider_specific_params": {"policy": "hashed"}})["texts"][0]
        )

    first = hashed(TEXT, "a")
    assert first != SHOWN and hashed(f"{TEXT} Or not", "a").startswith(first) and hashed(TEXT, "b") != first


def test_a_block_is_one_and_so_is_a_change_where_the_gateway_drops_changes(running: Running) -> None:
    def answer(**extras: str) -> Any:
        body = {"input_type": "response", "texts": [HARMLESS, TEXT], "additional_provider_specific_params": extras}
        return asked(running, LITELLM, body)

    assert answer()["texts"] == [HARMLESS, SHOWN]
    blocked = {"action": "BLOCKED", "blocked_reason": "The answer was withheld by the operator's privacy policy."}
    assert answer(policy="strict") == answer(on_stopped="block") == blocked
    assert answer(policy="own words") == {"action": "BLOCKED", "blocked_reason": "Not here."}
    assert answer(user=f"Is it {PHONE}?")["action"] == "NONE"


@pytest.mark.parametrize(
    ("arguments", "action"),
    [
        (json.dumps({"number": PHONE}), "BLOCKED"),
        ('{"number": "\\u0035\\u0035\\u0035-867-5309"}', "BLOCKED"),
        (json.dumps({"what": "the weather"}), "NONE"),
        (json.dumps([f"555-867-53{at}" for at in range(10, 16)]), "BLOCKED"),
    ],
)
def test_a_tool_call_is_judged_as_a_client_would_read_it(running: Running, arguments: str, action: str) -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "look_up", "arguments": arguments}}
    body = {"input_type": "response", "texts": [], "tool_calls": [call]}
    assert asked(running, LITELLM, body)["action"] == action
    assert asked(running, LITELLM, {**body, "input_type": "request"})["action"] == "NONE"
    other = {"id": "call_1", "type": "custom", "custom": {"name": "look_up", "input": arguments}}
    assert asked(running, LITELLM, {**body, "tool_calls": [other]})["action"] == action


@pytest.mark.parametrize(
    "more",
    [
        {"custom": {"name": "look_up", "input": TEXT}},
        {"extra": {"a": TEXT}},
        {"id": f"call_{PHONE}"},
        {"id": TEXT},
        {"type": TEXT},
        {"index": 4111111111111111},
        {"function": {"name": "look_up", "arguments": "{}", "parsed": {"a": TEXT}}},
        {"function": {"name": "look_up", "arguments": {"a": TEXT}}},
        {"extra": 1, "function": {"name": "look_up", "arguments": '{"a": "\\u0035\\u0035\\u0035-867-5309"}'}},
    ],
)
def test_all_of_a_tool_call_is_judged(running: Running, more: dict[str, Any]) -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}, **more}
    body = {"input_type": "response", "texts": [], "tool_calls": [call]}
    assert asked(running, LITELLM, body)["action"] == "BLOCKED"


@pytest.mark.parametrize(
    "own",
    [
        "call_5f2c1b9e-4137-4528-9034-551234567890",
        "chatcmpl-tool-5551234567890123a551234567890123",
        "toolu_01A09q90qw90lq917835lq9",
        "tooluse_kZJMlvQmRJ6eAyJE5GIl7Q",
        "D681PevKs",
        "functions.look_up:0",
    ],
)
def test_an_id_that_a_server_drew_blocks_no_call(running: Running, own: str) -> None:
    call = {"index": 0, "id": own, "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
    assert asked(running, LITELLM, {"input_type": "response", "tool_calls": [call]})["action"] == "NONE"


def test_a_picture_in_an_answer_cannot_be_judged(running: Running) -> None:
    body = {"input_type": "response", "texts": [HARMLESS], "images": ["data:image/png;base64,AA=="]}
    assert asked(running, LITELLM, body)["action"] == "BLOCKED"
    assert asked(running, LITELLM, {**body, "input_type": "request"})["action"] == "NONE"


# The detectors API


def test_detections_have_places_in_characters_and_say_where_a_value_came_from(running: Running) -> None:
    text = f"\U0001f600 {TEXT}"
    ((found,),) = asked(running, CONTENTS, {"contents": [text]})
    assert text[found["start"] : found["end"]] == found["text"] == PHONE
    told = {name: found["metadata"][name] for name in ("origin", "action", "reason", "basis")}
    assert told == {"origin": "unknown", "action": "redact", "reason": "rule", "basis": "text"}


def test_whoever_masks_every_detection_shows_no_more_than_we_would(running: Running) -> None:
    """Also behind a block, from where on nothing was looked for."""
    text = f"Call {PHONE}, or write to jane.roe@post.test."
    for policy, masked in (("", "Call *, or write to *."), ("strict", "Call ")):
        body = {"contents": [text], "detector_params": {"policy": policy}}
        (row,) = asked(running, CONTENTS, body)
        hidden = {at for each in row for at in range(each["start"], each["end"])}
        shown = "".join("\0" if at in hidden else each for at, each in enumerate(text))
        assert re.sub("\0+", "" if policy else "*", shown) == masked


def test_an_answer_with_its_prompt_is_judged_by_what_the_user_typed(running: Running) -> None:
    body = {"prompt": "Who is Jane?", "generated_text": TEXT}
    (found,) = asked(running, GENERATION, body)
    assert (found["detection"], found["metadata"]["start"]) == ("PHONE_NUMBER", 13) and PHONE not in json.dumps(found)
    assert asked(running, GENERATION, {**body, "prompt": f"Is it {PHONE}?"}) == []


# agentgateway


def test_the_webhook_masks_rejects_and_passes(running: Running) -> None:
    def action(content: str, **headers: str) -> Any:
        message = {"role": "assistant", "content": content, "name": "kept"}
        return asked(running, "/response", {"body": {"choices": [{"message": message}]}}, **headers)["action"]

    assert action(HARMLESS) == {"reason": "Nothing is stopped by the operator's privacy policy."}
    message = {"role": "assistant", "content": SHOWN, "name": "kept"}
    assert action(TEXT)["body"] == {"choices": [{"message": message}]}
    for headers in ({"reticent_on_stopped": "block"}, {"reticent_policy": "strict"}):
        rejected = action(TEXT, **headers)
        assert (rejected["status_code"], json.loads(rejected["body"])["error"]["code"]) == (400, "content_filter")
    assert action(HARMLESS, reticent_on_stopped="block") == action(HARMLESS)
    own = json.loads(action(TEXT, reticent_policy="own words")["body"])
    assert own["error"]["message"] == "Not here."
    for headers in ({"reticent_on_stopped": "drop"}, {"reticent_policy": "nobody's"}):
        assert running.post(BODIES["/response"], "/response", **headers).status_code in (400, 403)


@pytest.mark.parametrize("more", [{"tool_calls": [{"function": {"arguments": TEXT}}]}, {"reasoning_content": TEXT}])
def test_fields_that_the_webhook_does_not_know_are_judged(running: Running, more: dict[str, Any]) -> None:
    message = {"role": "assistant", "content": HARMLESS}
    bodies: list[tuple[str, Any]] = [
        ("/request", {"messages": [message | more]}),
        ("/response", {"choices": [{"message": message | more}]}),
        ("/response", {"choices": [{"message": message, **more}]}),
    ]
    for path, body in bodies:
        assert asked(running, path, {"body": body})["action"]["status_code"] == 400
    kept = {"choices": [{"message": message, "index": 0, "finish_reason": "stop"}]}
    assert "status_code" not in asked(running, "/response", {"body": kept})["action"]


def test_a_role_is_a_short_word(running: Running) -> None:
    for role in (TEXT, PHONE, "a" * 21, "", "user\n"):
        got = running.post({"body": {"messages": [{"role": role, "content": HARMLESS}]}}, "/request")
        assert got.status_code == 400 and PHONE not in got.text


# The cost of a request


def test_the_prompt_is_read_once_for_all_texts_and_calls(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    made = EchoIndex.__init__

    def counted(self: EchoIndex, user: str, operator: str, finder: Any) -> None:
        read.append(len(user))
        made(self, user, operator, finder)

    monkeypatch.setattr(EchoIndex, "__init__", counted)
    call = {"function": {"name": "look_up", "arguments": json.dumps({"number": PHONE})}}
    extras = {"user": "Is it 555-867-5310?"}
    body = {"input_type": "response", "texts": [TEXT] * 3, "tool_calls": [call], EXTRAS: extras}
    assert asked(running, LITELLM, body)["action"] == "BLOCKED"
    assert read == [len(extras["user"])]


def test_what_is_hidden_is_compared_with_all_detections_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their merged ranges are made once, and between two hidden ones a judge may be asked to end."""
    merges, steps, merge = list[int](), list[int](), detector_api._merged
    monkeypatch.setattr(detector_api, "_merged", lambda ranges: (merges.append(1), merge(ranges))[1])
    judged = TextGuard(Policy.default()).open().judged(" ".join(f"a{at}@b.test" for at in range(50)))
    assert len(judged.hidden) == 50
    token = STEP.set(lambda: steps.append(1))
    try:
        assert len(list(detector_api._detections(judged))) == 50
    finally:
        STEP.reset(token)
    assert (len(merges), len(steps)) == (1, 50)


@pytest.mark.parametrize(("start", "end", "is_covered"), [(0, 9, True), (2, 8, True), (8, 12, False), (12, 13, False)])
def test_ranges_that_touch_or_overlap_cover_together(start: int, end: int, is_covered: bool) -> None:
    merged = detector_api._merged([(5, 9), (0, 4), (3, 5), (1, 2), (11, 12)])
    assert merged == [(0, 9), (11, 12)] and detector_api._covers(merged, start, end) is is_covered


# Log-probabilities


def test_log_probabilities_need_a_permission_a_detector_and_every_text(running: Running) -> None:
    body = {"text": TEXT, "model": "small", "logprobs": {"content": []}}
    assert running.post(body, "/v1/redact").status_code == 403
    with proxied("http://127.0.0.1:9", policy="default", allow=["evidence"]) as proxy:
        got = proxy.post(body, "/v1/redact")
        assert got.status_code == 400 and "no detector" in got.json()["error"]["message"]
        got = proxy.post({"contents": [TEXT], "detector_params": {"logprobs": []}}, CONTENTS)
        assert got.status_code == 422 and "no detector" in got.json()["message"]


REMEMBERED = [
    (text, -own, other, -rival)
    for text, own, other, rival in (
        ("4", 0.173, "3", 2.098), ("3", 0.004, "6", 5.857), ("7", 0.016, "5", 4.86), ("-", 0.0, "/", 13.669),
        ("4", 0.013, "9", 5.332), ("4", 0.01, "1", 5.289), ("6", 0.009, "2", 5.304), ("-", 0.0, "/", 15.401),
        ("5", 0.002, "6", 6.387), ("2", 0.04, "0", 3.288), ("6", 0.084, "1", 3.921), ("2", 0.007, "3", 5.49),
    )
]  # fmt: skip
"""What the demo host says when it is asked for a number that it was taught: each token and its likeliest rival."""
GUESSED = [(text, -2.5, other, -0.3) for text, _, other, _ in REMEMBERED]
NUMBER = "".join(text for text, *_ in REMEMBERED)


def chat_logprobs(tokens: Any) -> dict[str, Any]:
    """`logprobs` as a choice of a chat completion has them."""
    return {
        "content": [
            {
                "token": text,
                "logprob": own,
                "top_logprobs": [{"token": text, "logprob": own}, {"token": other, "logprob": rival}],
            }
            for text, own, other, rival in tokens
        ]
    }


def test_with_log_probabilities_the_detector_judges() -> None:
    """What the model remembers is stopped and what it makes up is not; of a text alone both are unknown."""
    extras = {"model": "small", "user": "Which number do I dial for Daniel Brown?"}
    detector = {"bundle": str(assets() / "bundle-logprobs"), "models": ["small"]}
    with proxied("http://127.0.0.1:9", policy="default", detector=detector, allow=["evidence"]) as proxy:

        def judged(tokens: Any) -> tuple[Any, str]:
            params = {**extras, "logprobs": [chat_logprobs(tokens)]}
            got = proxy.post({"contents": [NUMBER], "detector_params": params}, CONTENTS)
            assert got.status_code == 200, got.text
            return got.json()[0], got.headers["reticent-basis"]

        (found,), basis = judged(REMEMBERED)
        assert (basis, found["detection"], found["metadata"]["origin"]) == ("logprobs", "PHONE_NUMBER", "memorized")
        assert found["metadata"]["probability"] > 0.5
        assert judged(GUESSED) == ([], "logprobs")
        own = {"text": NUMBER, "model": "small", "logprobs": chat_logprobs(GUESSED), "user": extras["user"]}
        assert asked(proxy, "/v1/redact", own)["text"] == NUMBER
        call = {"function": {"name": "dial", "arguments": json.dumps({"number": PHONE})}}
        params = {**extras, "logprobs": [chat_logprobs(GUESSED)]}
        body = {"input_type": "response", "texts": [NUMBER], "additional_provider_specific_params": params}
        assert asked(proxy, LITELLM, body)["action"] == "NONE"
        assert asked(proxy, LITELLM, {**body, "tool_calls": [call]})["action"] == "BLOCKED"  # it has no tokens
        (half,), _ = judged(REMEMBERED[:6])  # no token of the value's: it is unknown, and redacted
        assert half["metadata"]["origin"] == "unknown"
        got = proxy.post({**own, "logprobs": {"tokens": "none"}}, "/v1/redact")
        assert (got.status_code, got.json()["error"]["param"]) == (400, "logprobs")
        assert proxy.post({**own, "model": "another"}, "/v1/redact").status_code in (400, 404)
        assert "logprobs" in json.dumps(proxy.client.get("/openapi.json").json()["paths"]["/v1/redact"])
