"""The measurement of faults: what it calls a right end, and what it would call a leak."""

from __future__ import annotations

import pytest

from reticent_bench.proxy.faults_client import End, Seen, _judge

FRAME = b'data: {"choices": [{"index": 0, "delta": {"content": "Write to "}}]}\n\n'
LEAK = b'data: {"choices": [{"index": 0, "delta": {"content": "zq5"}}]}\n\n'
ERROR = (
    b'data: {"error": {"message": "Broken.", "type": "upstream_error", "param": null, "code": "upstream_broken"}}\n\n'
)
DONE = b"data: [DONE]\n\n"


@pytest.mark.parametrize(
    ("raw", "ended", "end", "leaked"),
    [
        (FRAME + DONE, True, End.WHOLE, 0),
        (FRAME + LEAK + DONE, True, End.WHOLE, 3),
        (FRAME + ERROR + DONE, True, End.ERROR, 0),
        (FRAME + ERROR + ERROR + DONE, True, End.WRONG, 0),
        (FRAME + ERROR + FRAME + DONE, True, End.WRONG, 0),
        (FRAME + DONE + DONE, True, End.WRONG, 0),
        (FRAME + ERROR, True, End.CUT, 0),
        (FRAME + LEAK[:-30], False, End.CUT, 0),
        (FRAME + b"data: zq5zq@", False, End.CUT, 6),
        (b"", False, End.CUT, 0),
    ],
)
def test_how_a_stream_ended_and_what_got_out(raw: bytes, ended: bool, end: End, leaked: int) -> None:
    seen = Seen(status=200 if raw else 0)
    _judge(seen, raw, ended)
    assert (seen.end, seen.leaked) == (end, leaked)


def test_an_error_in_the_place_of_a_stream() -> None:
    seen = Seen(status=429)
    _judge(seen, b'{"error": {"code": "overloaded"}}', True)
    assert (seen.end, seen.code) == (End.ERROR, "overloaded")
