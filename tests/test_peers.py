"""A small set of what `make peers` runs, without the packages of others: a sidecar before a scripted server."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest

from reticent_bench.proxy import peers
from reticent_bench.proxy.loopback import served

TEXTS = ["Call 415-555-0134 now.", '{"mail": "una.elm@example.org", "n": 7}', "It took 1048576 ns on 203.0.113.7."]


@pytest.fixture(scope="module")
def shown() -> Iterator[Callable[..., str]]:
    """What a client sees of an answer in these pieces, under the preset."""
    upstream = peers.Saying()
    with served(upstream), peers.proxy(upstream.server_port) as (port, _), httpx.Client(timeout=60) as client:
        yield lambda pieces, *typed: peers.shown_through(client, port, upstream, pieces, *typed)


@pytest.mark.parametrize("text", TEXTS)
def test_an_answer_is_the_same_at_every_cut_and_no_piece_of_a_value_is_shown(
    shown: Callable[..., str], text: str
) -> None:
    whole = shown([text])
    assert "<" in whole and not any(piece in whole for piece in ("555", "0134", "una", "elm", "203.0", "113"))
    assert {shown([text[:at], text[at:]]) for at in range(1, len(text))} == {whole}
    assert shown(list(text)) == whole


def test_what_the_caller_sent_comes_back_whole_at_every_cut(shown: Callable[..., str]) -> None:
    text, typed = "It is una.elm@example.org.", "My address is una.elm@example.org."
    assert {shown([text[:at], text[at:]], typed) for at in range(1, len(text))} == {text}


def test_the_page_has_a_row_for_each_guard() -> None:
    own = {"texts": 16, "splits": 5030, "texts that differ": 0}
    page = peers.render({"response split": [], "chunk-invariance": {"TextGuard": own, "reticent serve": own}})
    assert "| `TextGuard` | 16 | 5030 | 0 |" in page and "| `reticent serve` | 16 | 5030 | 0 |" in page
