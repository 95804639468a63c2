"""Where other guards fail: each strategy in a few lines, shown to fail, and ours on the same stream.

The strategies judge with our own finder, so that the difference lies in when they look and what they let go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
import serve_golden as golden
from serve_golden import EMAIL, FINDER, IBAN, PHONE, RECORDED, REDACT, Policy

from reticent_detectors.spans import FindContext


def redacted(text: str) -> str:
    """A whole text with its values replaced."""
    out, start, context = "", 0, FindContext()
    while (scan := FINDER.next_span(text, start, context=context, closed=True)).span is not None:
        out += text[start : scan.span.answer_start] + f"<{scan.span.entity}>"
        start = scan.frontier
    return out + text[start:]


def stream_first(pieces: Sequence[str]) -> Iterator[str]:
    """NeMo Guardrails: tokens leave before the check."""
    for at, piece in enumerate(pieces):
        yield piece
        if redacted("".join(pieces[: at + 1])) != "".join(pieces[: at + 1]):
            return


def every_few_chunks(pieces: Sequence[str]) -> Iterator[str]:
    """OpenAI guardrails-python: checks every so many chunks, and cannot mask what it let go."""
    for at in range(0, len(pieces), 5):
        yield from pieces[at : at + 5]
        said = "".join(pieces[: at + 5])
        if redacted(said) != said:
            return


def by_sentence(pieces: Sequence[str]) -> Iterator[str]:
    """Guardrails AI: chunks that end in a full stop are checked apart."""
    held = ""
    for piece in pieces:
        held += piece
        if held.endswith("."):
            yield redacted(held)
            held = ""
    yield redacted(held)


def first_match(pieces: Sequence[str]) -> Iterator[str]:
    """LangChain's middleware: a match is final as soon as there is one."""
    held = ""
    for piece in pieces:
        held += piece
        if redacted(held) != held:
            yield redacted(held)
            held = ""
    yield held


def unmasked_on_error(pieces: Sequence[str]) -> Iterator[str]:
    """LiteLLM with Presidio: everything is buffered, and released as it is when the analyser fails."""
    try:
        raise RuntimeError
    except RuntimeError:
        yield "".join(pieces)


def not_when_streaming(pieces: Sequence[str]) -> Iterator[str]:
    """Cloudflare, Portkey: judged after the end, if at all."""
    yield from pieces


LEAKS: dict[str, tuple[Callable[[Sequence[str]], Iterator[str]], list[str], str]] = {
    "stream first": (stream_first, ["It is ", IBAN[:9], IBAN[9:], ", yes."], IBAN),
    "every few chunks": (every_few_chunks, ["It is ", EMAIL[:8], EMAIL[8:], ", yes", "."], EMAIL),
    "by sentence": (by_sentence, ["Mail ", "jane.roe@example.", "com now."], EMAIL),
    "first match": (first_match, ["Mail jane.roe@example.co", "mpany now."], "jane.roe@example.company"),
    "unmasked on error": (unmasked_on_error, ["Call ", PHONE, ", yes."], PHONE),
    "not when streaming": (not_when_streaming, ["Call ", PHONE, ", yes."], PHONE),
}


def ours(pieces: Sequence[str], policy: Policy = REDACT, **more: Any) -> str:
    return golden.said(golden.run([golden.ollama(pieces)], policy, **more))


@pytest.mark.parametrize(("strategy", "pieces", "value"), LEAKS.values(), ids=LEAKS)
def test_a_peers_strategy_leaks_and_ours_does_not(
    strategy: Callable[[Sequence[str]], Iterator[str]], pieces: list[str], value: str
) -> None:
    def lost(text: str) -> bool:
        form, said = golden.letters(value), golden.letters(text)
        return any(form[at : at + 5] in said for at in range(len(form) - 4))

    assert lost("".join(strategy(pieces)))
    assert not lost(ours(pieces))


def test_where_the_judge_fails_the_value_is_withheld(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr("reticent.serve.judging.guarded_request.GuardedRequest.judge", broken)
    assert ours(["Call ", PHONE, ", yes."], RECORDED) == "Call <PHONE_NUMBER>, yes."


def test_a_memorised_value_is_distinguished_from_one_that_was_typed() -> None:
    typed = [{"role": "user", "content": f"Is it {PHONE}?"}]
    said = ["Call ", PHONE, " or ", EMAIL, ", yes."]
    assert ours(said, RECORDED, index=golden.INDEX, messages=typed) == f"Call {PHONE} or <EMAIL_ADDRESS>, yes."
