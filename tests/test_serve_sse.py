"""Events out of bytes: the same events, with the same bytes, however they are cut."""

from __future__ import annotations

import itertools
import json

import pytest
import serve_golden as golden
from hypothesis import given
from hypothesis import strategies as st

from reticent.serve.wire.sse import Event, FrameError, SseReader, parse_json, to_json


def read(*pieces: bytes, most: int = 1 << 20) -> list[Event]:
    reader = SseReader(most)
    return [event for piece in pieces for event in reader.feed(piece)]


SPECIMEN = (
    b'\xef\xbb\xbfdata: {"a":\r\ndata: "gr\xc3\xbcn \xf0\x9f\x98\x80"}\r\n\r\n: ping\r\revent: x\rdata:two\r\r'
    b"\n\ndata: 1\n\nid: 7\ndata\n\n\r\ndata: last\n\n"
)


def test_a_specimen_by_hand() -> None:
    events = read(SPECIMEN)
    assert [(e.data, e.name, e.other) for e in events] == [
        ('{"a":\n"gr\u00fcn \U0001f600"}', "", ""),
        (None, "", "ping"),
        ("two", "x", ""),
        (None, "", ""),
        ("1", "", ""),
        ("", "", "id 7"),
        (None, "", ""),
        ("last", "", ""),
    ]
    assert b"".join(event.raw for event in events) == SPECIMEN


@pytest.mark.parametrize("stream", [SPECIMEN, *(make(golden.HARMLESS) for make in golden.ALL.values())])
def test_every_cut_gives_the_same_events(stream: bytes) -> None:
    expected = read(stream)
    assert b"".join(event.raw for event in expected) == stream
    for cut in range(len(stream) + 1):
        assert read(stream[:cut], stream[cut:]) == expected
    assert read(*(bytes([byte]) for byte in stream)) == expected


@given(st.lists(st.sampled_from([b"data: a", b"\r", b"\n", b"\r\n", b":", b"x", b"\xc3\xa4"]), max_size=30), st.data())
def test_any_bytes_in_any_pieces_give_the_same_events(parts: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(parts) + b"."
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    edges = [0, *cuts, len(stream)]
    assert read(*(stream[a:b] for a, b in itertools.pairwise(edges))) == read(stream)


def test_what_the_end_cuts_short_is_no_event() -> None:
    reader = SseReader(100)
    assert list(reader.feed(b"data: 1\n\ndata: 2\n")) == read(b"data: 1\n\n")
    assert reader.rest == b"data: 2\n"


@pytest.mark.parametrize("stream", [b"data: " + b"x" * 100, b"data: " + b"x" * 100 + b"\n\n", b"data: \xff\n\n"])
def test_too_long_and_no_utf8_are_errors_without_their_text(stream: bytes) -> None:
    with pytest.raises(FrameError) as error:
        read(stream, most=90)
    assert "x" * 5 not in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 64 + "1" + "]" * 64,
        '{"a": ' * 64 + "{}" + "}" * 64,
        "",
        "{",
        "NaN",
        '{"a": Infinity}',
        "[" * 100 + "]" * 100,
        "[" * 100_000,
        "1" * 5000,
        "\ufeff{}",
    ],
)
def test_what_is_no_json_is_an_error(text: str) -> None:
    with pytest.raises(FrameError, match=r"^Expected JSON\.$"):
        parse_json(text)


def test_depth_is_that_of_values_and_not_of_brackets_in_texts() -> None:
    for text in ("[" * 63 + "1" + "]" * 63, json.dumps(["[{" * 100]), json.dumps([[]] * 100)):
        assert parse_json(text) == (json.loads(text), False)


def test_json_in_bytes_is_utf8() -> None:
    assert parse_json('"\u00fc"'.encode()) == ("\u00fc", False)
    for encoding in ("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "latin-1"):
        with pytest.raises(FrameError):
            parse_json('"\u00fc"'.encode(encoding))


def test_a_name_that_stands_twice_is_reported() -> None:
    assert parse_json('{"a": 1, "b": {"a": 2}}') == ({"a": 1, "b": {"a": 2}}, False)
    assert parse_json('{"b": [{"a": 1, "a": 2}]}') == ({"b": [{"a": 2}]}, True)


def test_lone_surrogates_are_written_as_escapes() -> None:
    assert to_json({"a": "\ud83d", "b": "\u00fc"}) == b'{"a":"\\ud83d","b":"\\u00fc"}'
    assert to_json("\u00fc") == b'"\xc3\xbc"'
