"""A proxy without keys answers this machine's programs, and no page that its browser shows."""

from __future__ import annotations

import pytest

from reticent.serve.same_machine import check_same_machine
from reticent.serve.wire.errors import ApiError

JSON = {"content-type": "application/json"}


def refusal(method: str, **headers: str) -> str:
    given = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    try:
        check_same_machine(method, given)
    except ApiError as error:
        return error.code
    return ""


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost:8080", "localhost", "127.9.8.7", "[::1]:8080", "[::1]"])
def test_this_machines_names_are_answered(host: str) -> None:
    assert refusal("POST", host=host, **JSON) == ""
    assert refusal("GET", host=host) == ""


@pytest.mark.parametrize(
    "host",
    [
        *("rebound.example", "rebound.example:8080", "127.0.0.1.rebound.example", "localhost.rebound.example"),
        *("10.0.0.7", "", "0.0.0.0:8080", "[::1", "user@127.0.0.1@rebound.example", "localhost, rebound.example"),
    ],
)
def test_other_names_are_refused(host: str) -> None:
    assert refusal("POST", host=host, **JSON) == "other_host"
    assert refusal("GET", host=host) == "other_host"


def test_a_missing_or_repeated_host_is_refused() -> None:
    with pytest.raises(ApiError):
        check_same_machine("GET", [])
    with pytest.raises(ApiError):
        check_same_machine("GET", [(b"host", b"127.0.0.1"), (b"Host", b"rebound.example")])


@pytest.mark.parametrize(
    "page",
    [
        {"origin": "https://page.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9000"},
        {"origin": "http://localhost:8080"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
    ],
)
def test_another_pages_requests_are_refused(page: dict[str, str]) -> None:
    assert refusal("POST", host="127.0.0.1:8080", **JSON, **page) == "other_origin"
    assert refusal("GET", host="127.0.0.1:8080", **page) == ""  # a link, which the page cannot read


@pytest.mark.parametrize("page", [{"origin": "http://127.0.0.1:8080"}, {"sec_fetch_site": "none"}, {}])
def test_an_own_page_and_no_page_are_answered(page: dict[str, str]) -> None:
    assert refusal("POST", host="127.0.0.1:8080", **JSON, **page) == ""


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_body_has_to_be_json(kind: str) -> None:
    for sent in ({"content_length": "2"}, {"transfer_encoding": "chunked"}):
        assert refusal("POST", host="127.0.0.1", content_type=kind, **sent) == "unsupported_content_type"
        assert refusal("POST", host="127.0.0.1", **sent) == "unsupported_content_type"


def test_no_body_needs_no_kind() -> None:
    assert refusal("POST", host="127.0.0.1") == refusal("POST", host="127.0.0.1", content_length="0") == ""


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON"])
def test_what_clients_send_is_json(kind: str) -> None:
    assert refusal("POST", host="127.0.0.1", content_type=kind) == ""
