"""No recorded value leaves whole, whatever an upstream sends: odd fields, odd frames, odd bodies, odd headers."""

from __future__ import annotations

import gzip
import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serve_upstream import Running, Scripted, proxied, reply, says, stream_head

from reticent.records import RecordsIndex

VALUE = "650-555-0117"
PARTS = ["It is 650", "-555", "-01", "17."]
USER = [{"role": "user", "content": "Who is it?"}]
OTHERS = {"licence": ["It is BR", "VK8J", "4QW2."], "name": ["It is Otti", "lie Bran", "dvik."]}
VALUES = [VALUE, "BRVK8J4QW2", "Ottilie Brandvik"]


def compact(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def chunk(delta: Any, index: Any = 0, reason: Any = None, **more: Any) -> dict[str, Any]:
    return {"id": "c", "choices": [{"index": index, "delta": delta, "finish_reason": reason, **more}]}


def top(**fields: Any) -> dict[str, Any]:
    return {**chunk({"content": "a"}), **fields}


def call(at: int, **fields: Any) -> dict[str, Any]:
    return chunk({"tool_calls": [{"index": at, **fields}]})


def sse(*frames: Any, ended: bool = True) -> bytes:
    every = (each if isinstance(each, bytes) else b"data: " + json.dumps(each).encode() + b"\n\n" for each in frames)
    return b"".join(every) + (b"data: [DONE]\n\n" if ended else b"")


def data(frame: Any, before: bytes = b"data: ", behind: bytes = b"\n\n") -> bytes:
    return before + json.dumps(frame).encode() + behind


ROLE, END = chunk({"role": "assistant", "content": ""}), chunk({}, 0, "stop")
SPELT = [{"token": part, "bytes": list(part.encode()), "logprob": -1, "top_logprobs": []} for part in PARTS]
DELTAS: dict[str, list[Any]] = {
    **{
        name: [chunk({name: part}) for part in PARTS]
        for name in ("content", "refusal", "reasoning", "reasoning_content")
    },
    **{name: [chunk({name: part}) for part in PARTS] for name in ("thinking", "notes", "name")},
    **{name: [chunk({"content": part}) for part in parts] for name, parts in OTHERS.items()},
    "with empty ones between": [
        each for part in PARTS for each in (chunk({"content": part}), chunk({}), chunk({"content": None}))
    ],
    "over fields": [
        chunk({name: part}) for name, part in zip(("reasoning", "thinking", "refusal", "content"), PARTS, strict=True)
    ],
    "thinking blocks": [chunk({"thinking_blocks": [{"type": "thinking", "thinking": part}]}) for part in PARTS],
    "transcript": [chunk({"audio": {"id": "a", "transcript": part}}) for part in PARTS],
    "sound": [chunk({"audio": {"id": "a", "data": "NjUwLTU1NS0wMTE3"}})],
    "parts": [chunk({"content": [{"type": "text", "text": part}]}) for part in PARTS],
    "several parts": [chunk({"content": [{"type": "text", "text": part} for part in PARTS]})],
    "a choice twice in a frame": [{"choices": [{"index": 0, "delta": {"content": part}} for part in PARTS]}],
    "no index": [{"choices": [{"delta": {"content": part}}]} for part in PARTS],
    **{
        f"index {index!r}": [chunk({"content": part}, index) for part in PARTS]
        for index in ("0", 0.0, 10**18, -1, None)
    },
    "goes on after its end": [chunk({"content": "It is 650-555"}), END, chunk({"content": "-0117."})],
    "ends with text": [chunk({"content": "It is 650-555"}), chunk({"content": "-0117"}, 0, "stop")],
    "reason": [chunk({}, 0, VALUE)],
    "reasons": [chunk({}, 0, "stop", matched_stop="-555-0117", stop_reason="650")],
    "message in place of delta": [{"choices": [{"index": 0, "message": {"content": part}}]} for part in PARTS],
    "text in place of delta": [{"choices": [{"index": 0, "text": part}]} for part in PARTS],
    "name of a field": [chunk({VALUE: "x"})],
    "role": [chunk({"role": VALUE, "content": "a"})],
    "citation": [
        chunk({"content": "a", "annotations": [{"url_citation": {"title": VALUE, "url": "https://x.example"}}]})
    ],
    "log-probabilities": [chunk({"content": "a"}, logprobs={"content": [each]}) for each in SPELT],
    "tokens": [chunk({"content": "a"}, token_ids=list(VALUE.encode()))],
    **{
        f"top {name}": [top(**{name: VALUE})]
        for name in ("id", "model", "object", "system_fingerprint", "note", "obfuscation")
    },
    "top parts": [top(obfuscation=part) for part in PARTS],
    "top number": [top(created=6505550117)],
    "top nested": [top(x=[[[[[[{"y": VALUE}]]]]]])],
    "usage": [{"choices": [], "usage": {"prompt_tokens": 6505550117, "completion_tokens": 1, "note": VALUE}}],
    "arguments": [
        call(0, id="t", function={"name": "f", "arguments": part}) for part in ('{"a":"650', "-555-", '0117"}')
    ],
    "numbers in arguments": [call(0, id="t", function={"name": "f", "arguments": '{"a":650,"b":555,"c":"0117"}'})],
    "name of a tool": [call(0, id="t", function={"name": "dial_650_555_0117", "arguments": "{}"})],
    "id of a call": [call(0, id="call_6505550117", function={"name": "f", "arguments": "{}"})],
    "over calls": [
        call(at, id=f"t{at}", function={"name": "f", "arguments": json.dumps({"d": part})})
        for at, part in enumerate(PARTS)
    ],
    "names over calls": [
        call(at, id=f"t{at}", function={"name": f"f{part}", "arguments": "{}"})
        for at, part in enumerate(("650", "555", "0117"))
    ],
    "custom tool": [call(0, id="t", type="custom", custom={"name": "f", "input": f"call {VALUE}"})],
    "arguments that are an object": [call(0, id="t", function={"name": "f", "arguments": {"a": VALUE}})],
    "text and call": [
        chunk({"content": "650-555"}),
        call(0, id="t", function={"name": "f", "arguments": '{"a":"0117"}'}),
    ],
    "old call": [
        chunk({"function_call": {"name": "f", "arguments": part}}) for part in ('{"a":"650', "-555-", '0117"}')
    ],
    "signature of a call": [call(0, id="t", function={"name": "f", "arguments": "{}"}, extra={"signature": VALUE})],
    "error": [{"error": {"message": f"bad {VALUE}", "type": "x", "param": VALUE, "code": VALUE}}],
    "base64": [chunk({"content": part}) for part in ("NjUw", "LTU1", "NS0w", "MTE3", " is it")],
    "choices are none": [{**ROLE, "choices": None, "content": VALUE}],
    "choices are an object": [{**ROLE, "choices": {"0": {"delta": {"content": VALUE}}}}],
    "a choice is a text": [{**ROLE, "choices": [VALUE]}],
    "a delta is a text": [chunk(VALUE)],
    "a content is a number": [chunk({"content": 6505550117})],
    "a content is an object": [chunk({"content": {"text": VALUE}})],
    "a field over frames": [top(w=part) for part in PARTS],
}
FRAMES: dict[str, list[Any]] = {
    "error in a field": [b'error: {"message": "bad 650-555-0117"}\n\n'],
    "comment": [b": 650-555-0117\n\n", ROLE],
    **{f"field {name}": [data(ROLE, f"{name}: {VALUE}\ndata: ".encode())] for name in ("event", "id", "retry", "note")},
    "no blank": [data(chunk({"content": part}), b"data:") for part in PARTS],
    "data over lines": [b'data: {"choices":[{"index":0,"delta":\ndata: {"content":"650-555-0117"}}]}\n\n'],
    "CRLF": [data(chunk({"content": part}), behind=b"\r\n\r\n") for part in PARTS],
    "CR": [data(chunk({"content": part}), behind=b"\r\r") for part in PARTS],
    "mark of order": [data(chunk({"content": VALUE}), b"\xef\xbb\xbfdata: ")],
    **{
        f"data {text.decode()}": [b"data: " + text + b"\n\n"]
        for text in (b"650-555-0117", b'"650-555-0117"', b"6505550117")
    },
    "a list": [b'data: ["650-555-0117"]\n\n'],
    "a name twice": [b'data: {"choices":[{"index":0,"delta":{"content":"650-555-0117","content":"x"}}]}\n\n'],
    "an escaped name": [b'data: {"choices":[{"index":0,"delta":{"\\u0063ontent":"650-555-0117"}}]}\n\n'],
    "no number": [b'data: {"choices":[{"index":0,"delta":{"content":"650-555-0117"},"x":NaN,"y":1e999}]}\n\n'],
    "after the end": [END, b"data: [DONE]\n\n", chunk({"content": VALUE})],
    "end with text": [b"data: [DONE] 650-555-0117\n\n"],
}


def whole(**message: Any) -> bytes:
    return json.dumps({"choices": [{"index": 0, "message": {"role": "assistant", **message}}]}).encode()


def choices(*texts: tuple[int, str]) -> bytes:
    return json.dumps({"choices": [{"index": at, "message": {"content": text}} for at, text in texts]}).encode()


BODIES: dict[str, bytes] = {
    "text": reply(whole(content=f"It is {VALUE}.")),
    "thought and text": reply(whole(reasoning_content="650-555", content="-0117")),
    "another type": reply(whole(content=VALUE), "text/plain"),
    "page": reply(f"<p>{VALUE}</p>".encode(), "text/html"),
    "no JSON": reply(VALUE.encode()),
    "JSON that is a text": reply(json.dumps(VALUE).encode()),
    "mark of order": reply(b"\xef\xbb\xbf" + whole(content=VALUE)),
    "UTF-16": reply(whole(content=VALUE).decode().encode("utf-16")),
    "gzip": reply(gzip.compress(whole(content=VALUE)), content_encoding="gzip"),
    "gzip that does not say so": reply(gzip.compress(whole(content=VALUE))),
    "another coding": reply(whole(content=VALUE), content_encoding="br"),
    **{
        f"error {status}": reply(
            json.dumps({"error": {"message": VALUE}, "detail": [VALUE], VALUE: 1}).encode(), status=status
        )
        for status in (400, 401, 404, 422, 429, 500)
    },
    "error in text": reply(f"boom {VALUE}".encode(), "text/plain", 500),
    "redirect": reply(b"", status=307, location=f"https://x.example/{VALUE}"),
    "stream that nobody asked for": reply(sse(ROLE, chunk({"content": VALUE})), "text/event-stream"),
    **{
        f"header {name}": reply(whole(content="a"), **{name: VALUE})
        for name in ("x_note", "x_request_id", "server", "set_cookie", "x_ratelimit_remaining")
    },
    "choices": reply(choices((0, "It is 650-555"), (1, "-0117"))),
    "choices that come in another order": reply(choices((1, "It is 650-555"), (0, "-0117"))),
    "choices with letters": reply(choices((1, "It is BRVK8J"), (0, "4QW2 ok"))),
}


@pytest.fixture(scope="module", params=["default", "gateway"])
def running(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Running, Scripted]]:
    folder, upstream = tmp_path_factory.mktemp("records"), Scripted()
    kinds = ("PHONE_NUMBER", "DRIVER_LICENSE", "PERSON")
    index = RecordsIndex.build(zip(kinds, VALUES, strict=True))
    index.save(folder / "r.index")
    Path(folder / "r.key").write_text(index.key.hex())
    files = {"records.index": str(folder / "r.index"), "records.key_file": str(folder / "r.key")}
    with proxied(upstream.url, policy=request.param, policies={}, **files) as proxy:
        yield proxy, upstream
    upstream.close()


def texts(value: Any) -> Iterator[str]:
    """Return all texts and numbers of a JSON value, but numbers of choices and names of kinds."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield name
            yield from () if name in ("index", "type", "role", "id", "finish_reason") else texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield str(value)


def shown(running: tuple[Running, Scripted], script: bytes, **fields: Any) -> str:
    """All that a client gets of an answer: headers and bytes, and then what stands in each place over all frames."""
    proxy, upstream = running
    upstream.script = says(script)
    response = proxy.post({"model": "small", "messages": USER, **fields})
    got = response.content.decode("utf-8", "replace")
    places = dict[str, str]()
    for line in (line.removeprefix("data:") for line in got.splitlines()):
        try:
            body = json.loads(line)
        except ValueError:
            continue
        for number, choice in enumerate(body.get("choices") or []):
            for name, each in (choice.get("delta") or choice.get("message") or {}).items():
                key = f"{choice.get('index', number)} {name}"
                places[key] = places.get(key, "") + "".join(texts(each)).replace(name, "")
        places["all"] = places.get("all", "") + "".join(texts(body)).replace("choicesindexdeltacontent", "")
    return "\n".join([str(response.headers), got, *places.values()])


def leaks(text: str) -> bool:
    return any(compact(value) in compact(line) for line in text.split("\n") for value in VALUES)


@pytest.mark.parametrize("name", [*DELTAS, *FRAMES])
def test_a_stream_shows_no_recorded_value(running: tuple[Running, Scripted], name: str) -> None:
    frames = [ROLE, *DELTAS[name], END] if name in DELTAS else [*FRAMES[name], END]
    assert not leaks(shown(running, stream_head() + sse(*frames), stream=True))


def test_a_stream_that_breaks_off_shows_none(running: tuple[Running, Scripted]) -> None:
    for last in (chunk({"content": f"It is {VALUE}"}), data(chunk({"content": VALUE}), behind=b"")):
        assert not leaks(shown(running, stream_head() + sse(ROLE, last, ended=False), stream=True))


@pytest.mark.parametrize("name", BODIES)
def test_a_body_shows_no_recorded_value(running: tuple[Running, Scripted], name: str) -> None:
    got = shown(running, BODIES[name], n=2 if name.startswith("choices") else 1)
    assert not leaks(got)
    if name.startswith("choices"):
        assert not any(first in got and last in got for first, last in (("650-555", "0117"), ("BRVK8J", "4QW2")))


def test_a_text_in_another_place_of_a_chunk_is_shown_on(running: tuple[Running, Scripted]) -> None:
    frames = [{"choices": [{"index": 0, "message": {"content": part}}]} for part in ("One ", "two ", "three.")]
    got = shown(running, stream_head() + sse(*frames, END), stream=True)
    assert "One" in got and "three." in got and '"error"' not in got
