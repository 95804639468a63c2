"""What a request may ask for: fields and tools that need a permission, addresses, variables of chat templates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from serve_upstream import Running, Scripted, proxied, reply, says

from reticent.serve.api.api_format import ApiFormat
from reticent.serve.api.chat import ChatFormat
from reticent.serve.api.completions import CompletionsFormat
from reticent.serve.api.gated_fields import GATED
from reticent.serve.api.media_addresses import is_public
from reticent.serve.api.messages.api_format import MessagesFormat
from reticent.serve.api.responses.api_format import ResponsesFormat
from reticent.serve.options import Permission
from reticent.serve.request_bounds import Bounds
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.parsed_request import ParsedRequest

USER = [{"role": "user", "content": "Hello"}]
ROUTES: dict[str, tuple[ApiFormat, dict[str, Any]]] = {
    "chat": (ChatFormat(), {"messages": USER}),
    "completions": (CompletionsFormat(), {"prompt": "Hello"}),
    "responses": (ResponsesFormat(), {"input": USER}),
    "messages": (MessagesFormat(), {"messages": USER}),
}
WITH_TURNS = [name for name in ROUTES if name != "completions"]
every_route = pytest.mark.parametrize("route", ROUTES)
every_chat = pytest.mark.parametrize("route", WITH_TURNS)


def asked(route: str, *allowed: Permission, strip: bool = False, **more: Any) -> ParsedRequest:
    api_format, body = ROUTES[route]
    return api_format.parse_request({"model": "small", **body, **more}, frozenset(allowed), strip, Bounds())


def refused(route: str, *allowed: Permission, strip: bool = False, **more: Any) -> ApiError:
    with pytest.raises(ApiError) as caught:
        asked(route, *allowed, strip=strip, **more)
    assert caught.value.status == 400
    return caught.value


# Fields


@every_route
def test_every_gated_field_needs_its_permission(route: str) -> None:
    for name, permission in GATED.items():
        for value in ("x", {"x": 1}, ["x"], 7, True):
            error = refused(route, **{name: value})
            assert (error.code, error.param) == ("not_allowed", name)
            assert f"'{permission}'" in error.message
            assert name not in asked(route, strip=True, **{name: value}).body or name == "store"
        for nothing in (None, False) if "logprobs" in name else (None, False, "", [], {}):
            asked(route, **{name: nothing})


@every_route
@pytest.mark.parametrize(
    "name",
    [
        *("prompt_embeds", "kv_transfer_params", "ec_transfer_params", "chat_template", "lora_path", "lora"),
        *("lora_request", "custom_logit_processor", "logits_processors", "custom_params", "session_params"),
        *("bootstrap_host", "bootstrap_port", "bootstrap_room", "truncation_side", "mm_processor_kwargs"),
        *("media_io_kwargs", "extra_body", "api_base", "models", "fallbacks", "response_prefix"),
    ],
)
def test_what_reaches_into_the_engine_needs_a_permission(route: str, name: str) -> None:
    assert "'engine'" in refused(route, **{name: {"x": 1}}).message
    assert asked(route, Permission.ENGINE, **{name: {"x": 1}}).body[name] == {"x": 1}


@every_chat
def test_a_clients_values_for_a_chat_template_are_switches(route: str) -> None:
    for name in ("chat_template_kwargs", "chat_template_args", "template_kwargs"):
        for value in ({"enable_thinking": False}, {"thinking": True, "preserve_thinking": None}, {}, None):
            assert asked(route, **{name: value}).body.get(name) == value
        for value in (
            {"chat_template": "{{ x }}"},
            {"continue_final_message": True},
            {"add_generation_prompt": False},
            {"enable_thinking": "yes"},
            {"enable_thinking": 1},
            {"tokenize": True},
            {"enable_thinking": True, "documents": []},
            ["enable_thinking"],
            "enable_thinking",
            True,
        ):
            assert refused(route, **{name: value}).param == name
            assert name not in asked(route, strip=True, **{name: value}).body
            assert asked(route, Permission.ENGINE, **{name: value}).body[name] == value


# Tools that the server runs


SERVER_TOOLS: list[Any] = [
    {"type": "mcp", "server_label": "x", "server_url": "https://tools.example.com/sse", "require_approval": "never"},
    *({"type": kind} for kind in ("web_search", "web_search_preview", "web_search_preview_2025_03_11", "web_fetch")),
    *({"type": kind} for kind in ("code_interpreter", "file_search", "computer_use_preview", "image_generation")),
    *({"type": kind} for kind in ("local_shell", "shell", "apply_patch", "browser_search", "namespace", "tool_search")),
    *(
        {"type": kind, "name": kind.rpartition("_")[0]}
        for kind in (
            *("web_search_20250305", "web_fetch_20250910", "code_execution_20250825", "computer_20250124"),
            *("bash_20250124", "text_editor_20250728", "memory_20250818", "tool_search_tool_regex_20251119"),
            *("mcp_toolset", "advisor_20260301"),
        )
    ),
    {"type": "builtin_function", "function": {"name": "$web_search"}},
    {"type": "Function", "function": {"name": "f"}},
    {"type": ["function"], "function": {"name": "f"}},
    {"type": "function"},
    {"type": "something_new", "name": "f", "parameters": {}},
    {"googleSearch": {}},
    {"google_search_retrieval": {}},
    {"codeExecution": {}},
    {"server_url": "https://tools.example.com/sse"},
    {},
    "web_search",
    7,
]


@every_chat
@pytest.mark.parametrize("tool", SERVER_TOOLS, ids=str)
def test_a_tool_that_is_no_plain_function_needs_a_permission(route: str, tool: Any) -> None:
    own = {"type": "function", "function": {"name": "send"}}
    for tools in ([tool], [own, tool]):
        for strip in (False, True):
            error = refused(route, strip=strip, tools=tools)
            assert (error.code, error.param) == ("not_allowed", "tools")
            assert "'upstream_tools'" in error.message
    asked(route, Permission.UPSTREAM_TOOLS, tools=[tool])


def test_tools_within_turns_and_items_are_tools() -> None:
    turn = {"role": "developer", "content": "Be brief.", "tools": [{"type": "web_search"}]}
    assert refused("chat", messages=[turn, *USER]).param == "tools"
    listed = {"type": "additional_tools", "tools": [{"type": "mcp", "server_url": "https://tools.example.com"}]}
    assert refused("responses", input=[listed, *USER]).param == "tools"


@every_chat
def test_tools_in_an_object_are_refused(route: str) -> None:
    assert refused(route, tools={"type": "web_search"}).param == "tools"


@pytest.mark.parametrize(
    ("route", "tool"),
    [
        ("chat", {"type": "function", "function": {"name": "send", "parameters": {"type": "object"}}}),
        ("chat", {"type": "custom", "custom": {"name": "send"}}),
        ("chat", {"function": {"name": "send"}}),
        ("responses", {"type": "function", "name": "send", "parameters": {"type": "object"}}),
        ("responses", {"type": "custom", "name": "send", "format": {"type": "text"}}),
        ("messages", {"name": "send", "input_schema": {"type": "object"}}),
        ("messages", {"type": "custom", "name": "send", "input_schema": {"type": "object"}}),
        ("messages", {"type": None, "name": "send", "input_schema": {"type": "object"}}),
    ],
)
def test_the_clients_own_tools_are_free(route: str, tool: dict[str, Any]) -> None:
    assert asked(route, tools=[tool]).body["tools"] == [tool]


@every_route
@pytest.mark.parametrize(
    "name",
    ["mcp_servers", "web_search_options", "plugins", "search_parameters", "connectors", "data_sources", "container"],
)
def test_other_ways_to_have_the_server_act_need_a_permission(route: str, name: str) -> None:
    assert "'upstream_tools'" in refused(route, **{name: [{"x": 1}]}).message


# Addresses of media


PUBLIC = [
    "https://pictures.example.com/a.png",
    "HTTPS://Pictures.Example.COM/a.png?x=1&y=http://10.0.0.1/",
    "https://pictures.example.com:8443/a",
    "https://xn--bcher-kva.example.com./a",
    "https://8.8.8.8/a.png",
    "https://a.b.xn--p1ai/",
    "https://bucket_1.s3.eu-west-1.amazonaws.com/key",
]
PRIVATE = [
    "http://pictures.example.com/a.png",
    "https://localhost/a", "https://LOCALHOST./a", "https://foo.localhost/a", "https://intranet/a", "https://db:5432/",
    "https://127.0.0.1/a", "https://10.1.2.3/a", "https://172.16.0.1/", "https://192.168.1.1/", "https://0.0.0.0/",
    "https://169.254.169.254/latest/meta-data/", "https://100.64.0.1/", "https://224.0.0.1/", "https://255.255.255.255",
    "https://metadata.google.internal/", "https://metadata.google.internal./", "https://x.svc.cluster.local/",
    "https://printer.local/", "https://host.docker.internal/", "https://router.lan/", "https://1.0.0.127.in-addr.arpa/",
    "https://2130706433/", "https://0x7f000001/", "https://017700000001/", "https://127.1/", "https://127.0.1/",
    "https://0x7f.0x0.0x0.0x1/", "https://0177.0.0.1/", "https://127.0.0.0x1/", "https://127.0.0.01/", "https://1.1.1/",
    "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://[fd00::1]/", "https://[2001:4860:4860::8888]/",
    "https://[::1", "https://user@pictures.example.com/", "https://pictures.example.com@10.0.0.1/",
    "https://pictures.example.com\\@10.0.0.1/", "https://10.0.0.1\\.example.com/", "https://10.0.0.1%2eexample.com/",
    "https://pictures.example.com:80:80/", "https://pictures.example.com:x/", "https://example..com/", "https:///a",
    "https:pictures.example.com/a", "https://", "//pictures.example.com/a", "/etc/passwd", "etc/passwd", "a.png",
    "file:///etc/passwd", "FILE:/etc/passwd", "ftp://pictures.example.com/a", "gopher://pictures.example.com/",
    "s3://bucket/key", "gs://bucket/key", "javascript:1", "unix:/run/docker.sock", " https://pictures.example.com/a",
    "https://pictures.example.com/a b", "https://pictures.example.com\t/", "https://\u2460\u2461\u2466.0.0.1/",
    "https://127\u30020\u30020\u30021/", "https://pictures.ex\u00e4mple.com/", "https://-a-.example.com/",
    "https://pictures.example.com#@10.0.0.1/", "https://10.0.0.1#.example.com/", "https://10.0.0.1?.example.com/",
    "jar:https://pictures.example.com/a!/b", "blob:https://pictures.example.com/a",
]  # fmt: skip


def test_a_public_host_under_https_is_public() -> None:
    for address in PUBLIC:
        assert is_public(address), address
    for address in PRIVATE:
        assert not is_public(address) or address == "https://pictures.example.com#@10.0.0.1/", address


def media_parts(address: str) -> list[dict[str, Any]]:
    picture = {"type": "image", "source": {"type": "url", "url": address}}
    return [
        {"type": "image_url", "image_url": {"url": address}},
        {"type": "image_url", "image_url": address},
        {"image_url": address},
        {"type": "video_url", "video_url": {"url": address}},
        {"type": "audio_url", "audio_url": {"url": address}},
        {"type": "file_url", "file_url": {"url": address}},
        {"type": "input_image", "image_url": address},
        {"type": "input_image", "detail": "low", "image_url": {"url": address}},
        {"type": "input_file", "file_url": address},
        {"type": "input_video", "video_url": address},
        picture,
        {"type": "document", "source": {"type": "url", "url": address}},
        {"type": "document", "source": {"type": "content", "content": [picture]}},
        {"type": "image", "image": address},
        {"type": "image", "url": address},
        {"type": "video", "video": [address]},
        {"type": "media", "file_uri": address},
        {"type": "file", "file": {"url": address}},
        {"fileData": {"fileUri": address}},
        {"type": "tool_result", "tool_use_id": "t", "content": [picture]},
        {"type": "odd", "thing": {"image_url": {"url": address}}},
    ]  # fmt: skip


@every_chat
@pytest.mark.parametrize("address", ["http://10.0.0.1/a", "https://169.254.169.254/", "file:///etc/passwd", "/a.png"])
def test_an_address_within_a_private_network_is_refused_in_every_part(route: str, address: str) -> None:
    field = "input" if route == "responses" else "messages"
    for part in media_parts(address):
        for role in ("user", "tool", "assistant", "system"):
            error = refused(route, strip=True, **{field: [{"role": role, "content": [part]}]})
            assert (error.code, error.param) == ("address_not_allowed", field), part
            assert address not in error.message
            refused(route, *Permission, **{field: [{"role": role, "content": [part]}]})


@every_chat
@pytest.mark.parametrize("address", ["https://pictures.example.com/a.png", "data:image/png;base64,QUJD"])
def test_data_and_public_addresses_pass(route: str, address: str) -> None:
    field = "input" if route == "responses" else "messages"
    for part in media_parts(address):
        turns = [{"role": "user", "content": [{"type": "text", "text": "See http://10.0.0.1/"}, part]}]
        assert asked(route, **{field: turns}).body[field] == turns


def test_addresses_that_nobody_fetches_are_text() -> None:
    cited = {"type": "url_citation", "url": "http://intranet/", "title": "x"}
    said = {"role": "assistant", "content": "x", "annotations": [cited]}
    asked("chat", messages=[*USER, said, *USER], metadata={"url": "http://intranet/"})
    schema = {"type": "object", "properties": {"url": {"type": "string", "default": "http://intranet/"}}}
    asked("chat", tools=[{"type": "function", "function": {"name": "open", "parameters": schema}}])
    call = {"id": "c", "type": "function", "function": {"name": "open", "arguments": '{"url": "http://intranet/"}'}}
    asked("chat", messages=[*USER, {"role": "assistant", "tool_calls": [call]}, *USER])
    asked("messages", messages=[{"role": "user", "content": [{"type": "text", "text": "http://intranet/a.png"}]}])
    given = {"file_path": "/src/a.py", "url": "http://intranet/", "image_url": "http://intranet/", "image": "a.png"}
    used = {"type": "tool_use", "id": "t", "name": "open", "input": given}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "http://intranet/ /src/a.py"}
    turns = [{"role": "assistant", "content": [used]}, {"role": "user", "content": [result]}]
    asked("messages", messages=[*USER, *turns])
    found = {"type": "web_search_result", "url": "http://intranet/", "title": "x", "encrypted_content": "x"}
    searched = {"type": "web_search_tool_result", "tool_use_id": "s", "content": [found]}
    asked("messages", messages=[*USER, {"role": "assistant", "content": [searched]}, *USER])
    clicked = {"type": "computer_call", "call_id": "c", "action": {"type": "open", "url": "http://intranet/"}}
    asked("responses", input=[*USER, clicked, {"type": "computer_call_output", "call_id": "c", "output": {}}, *USER])


def test_files_in_base64_pass_and_addresses_in_their_place_do_not() -> None:
    for data in ("QUJD" * 30, "data:application/pdf;base64,QUJD"):
        asked("chat", messages=[{"role": "user", "content": [{"type": "file", "file": {"file_data": data}}]}])
        source = {"type": "base64", "media_type": "image/png", "data": data}
        asked("messages", messages=[{"role": "user", "content": [{"type": "image", "source": source}]}])
    asked("chat", messages=[{"role": "user", "content": "x", "images": ["QUJD" * 30]}])
    for data in ("http://10.0.0.1/", "file:///etc/passwd", "/etc/passwd", "../a"):
        refused("chat", messages=[{"role": "user", "content": [{"type": "file", "file": {"file_data": data}}]}])
        refused("chat", messages=[{"role": "user", "content": "x", "images": [data]}])
        refused("chat", images=[data])


@every_chat
def test_embeddings_in_a_part_need_a_permission(route: str) -> None:
    field = "input" if route == "responses" else "messages"
    for part in (
        {"type": "image_embeds", "image_embeds": "QUJD"},
        {"type": "audio_embeds", "audio_embeds": {"x": "QUJD"}},
        {"type": "prompt_embeds", "prompt_embeds": "QUJD"},
        {"image_embeds": "QUJD"},
    ):
        turns = [{"role": "user", "content": [part]}]
        assert "'engine'" in refused(route, **{field: turns}).message
        asked(route, Permission.ENGINE, **{field: turns})


# Routes without generated text


@pytest.fixture(scope="module")
def guarded() -> Iterator[tuple[Running, Scripted]]:
    upstream = Scripted()
    upstream.script = says(reply(b'{"data": []}'))
    keys = [{"key": "plain-key"}, {"key": "engine-key", "allow": ["engine"]}]
    with proxied(upstream.url, keys=keys) as running:
        yield running, upstream
    upstream.close()


@pytest.mark.parametrize("path", ["/tokenize", "/v1/embeddings", "/v1/messages/count_tokens"])
def test_what_reads_a_template_or_a_picture_aside_is_checked_as_well(
    guarded: tuple[Running, Scripted], path: str
) -> None:
    running, upstream = guarded
    picture = {"type": "image_url", "image_url": {"url": "http://10.0.0.1/a.png"}}
    for more in (
        {"chat_template": "{{ x }}"},
        {"chat_template_kwargs": {"chat_template": "{{ x }}"}},
        {"prompt_embeds": "QUJD"},
        {"messages": [{"role": "user", "content": [picture]}]},
        {"input": [picture]},
    ):
        before = len(upstream.asked)
        got = running.post({"model": "small", **more}, path, authorization="Bearer plain-key")
        assert (got.status_code, len(upstream.asked)) == (400, before), more
        got = running.post({"model": "small", **more}, path, authorization="Bearer engine-key")
        assert got.is_success != ("10.0.0.1" in str(more)), more
    for body in (b"{", b"[]", b"\xff"):
        assert running.post(body, path, authorization="Bearer plain-key").status_code == 400
    packed = running.post(b"{}", path, authorization="Bearer plain-key", content_encoding="gzip")
    assert packed.status_code == 415
    raw = b'{"model":  "small", "input": "http://10.0.0.1/a.png", "tools": [{"type": "web_search_20250305"}]}'
    assert running.post(raw, path, authorization="Bearer plain-key").is_success
    assert upstream.asked[-1].body == raw
    twice = b'{"chat_template": "{{ x }}", "chat_template": null}'
    assert running.post(twice, path, authorization="Bearer plain-key").is_success
    assert upstream.asked[-1].json == {"chat_template": None}
    assert b"{{" not in upstream.asked[-1].body
