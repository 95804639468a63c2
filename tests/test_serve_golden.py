"""Streams of six servers through the guard, at every cut: byte-equal without a finding, no leak with one."""

from __future__ import annotations

import pytest
import serve_golden as golden
from serve_golden import ALL, BLOCK, EMAIL, HARMLESS, IBAN, INDEX, PHONE, RECORDED, REDACT, SECRETS, STOP, run

TAGS = {IBAN: "<IBAN_CODE>", PHONE: "<PHONE_NUMBER>", EMAIL: "<EMAIL_ADDRESS>"}


def route_of(name: str) -> str:
    return name if name in ("completions", "openai") else "chat"


@pytest.mark.parametrize("name", ALL)
def test_a_harmless_stream_is_byte_equal(name: str) -> None:
    stream = ALL[name](HARMLESS)
    assert run([stream], route=route_of(name), index=INDEX) == stream
    assert run((bytes([byte]) for byte in stream), route=route_of(name)) == stream  # every byte is a cut


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("value", SECRETS)
def test_a_value_does_not_leak(name: str, value: str) -> None:
    stream = ALL[name](golden.leaking(value))
    expected = run([stream], route=route_of(name))
    assert not golden.leaked(expected, value)
    assert golden.said(expected) == f"You can use {TAGS[value]}, which is it."
    assert run((bytes([byte]) for byte in stream), route=route_of(name)) == expected


@pytest.mark.parametrize("name", ["completions", "tgi"])
def test_at_every_cut_a_short_stream_gives_the_same(name: str) -> None:
    every_cut(ALL[name](["f\u00fcr"]), route_of(name), True)
    every_cut(ALL[name](["Use ", EMAIL, *([" now"] if name == "completions" else [])]), route_of(name), False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("pieces", [HARMLESS, *map(golden.leaking, SECRETS)], ids=["harmless", *TAGS.values()])
def test_at_every_cut_every_stream_gives_the_same(name: str, pieces: list[str]) -> None:
    every_cut(ALL[name](pieces), route_of(name), pieces is HARMLESS)


def every_cut(stream: bytes, route: str, untouched: bool) -> None:
    expected = run([stream], route=route)
    assert (expected == stream) == untouched
    for cut in range(len(stream) + 1):
        assert run([stream[:cut], stream[cut:]], route=route) == expected


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("policy", [STOP, BLOCK], ids=["stop", "block"])
def test_an_ended_answer_says_so_once_and_nothing_after_it(name: str, policy: golden.Policy) -> None:
    stream = ALL[name](golden.leaking(IBAN))
    out = run([stream], policy, route_of(name))
    assert not golden.leaked(out, IBAN)
    field = "reasoning_content" if name == "vllm" else "content"  # its reasoning says it first
    assert golden.said(out, field=field) == ("You can use <IBAN_CODE>" if policy is STOP else "You can use ")
    assert field == "content" or golden.said(out) == ""
    assert golden.reasons(out) == ["content_filter"]
    last = golden.frames(out)[-1]
    assert [last["choices"][0]["finish_reason"], out.count(b"[DONE]")] == ["content_filter", 1]
    first = golden.frames(stream)[0]
    assert {key: last[key] for key in ("id", "object", "created", "model")} == {
        key: first[key] for key in ("id", "object", "created", "model")
    }
    assert run((bytes([byte]) for byte in stream), policy, route_of(name)) == out


@pytest.mark.parametrize("name", ALL)
def test_the_records_tier_stops_what_a_record_holds_and_nothing_else(name: str) -> None:
    stream = ALL[name](golden.leaking(PHONE))
    out = run([stream], RECORDED, route_of(name), index=INDEX)
    assert golden.said(out) == "You can use <PHONE_NUMBER>, which is it."
    other = ALL[name](golden.leaking("+1 212 555 0187"))
    out = run([other], RECORDED, route_of(name), index=INDEX)
    assert golden.said(out) == "You can use +1 212 555 0187, which is it."
    assert out == other or name == "vllm"  # there the reasoning ends inside the number, which is open then


def test_a_frame_keeps_its_place_and_only_changed_frames_are_written_anew() -> None:
    stream = golden.openai(golden.leaking(EMAIL))
    came, went = stream.split(b"\n\n"), run([stream], route="openai").split(b"\n\n")
    kept = [each for each in went if each in came]
    assert len(kept) == len(went) - 1  # but for the frame in which the value began
    assert kept == [each for each in came if each in kept]


def test_what_the_user_typed_comes_back_untouched() -> None:
    stream = golden.vllm(golden.leaking(EMAIL))
    messages = [{"role": "user", "content": f"Is {EMAIL} all right?"}]
    assert run([stream], REDACT, messages=messages) == stream
    system = [{"role": "system", "content": f"Support: {EMAIL}"}, {"role": "user", "content": "Whom do I write to?"}]
    assert golden.said(run([stream], RECORDED, messages=system)) == "You can use <EMAIL_ADDRESS>, which is it."


def test_of_a_prefilled_value_the_answers_part_is_withheld() -> None:
    stream = golden.ollama(["04 4 0532 0130 00", " it", " is."])
    messages = [{"role": "user", "content": "And?"}, {"role": "assistant", "content": "The IBAN is DE89 3704 00"}]
    out = run([stream.replace(b"04 4", b"44")], messages=messages)
    assert golden.said(out) == "<IBAN_CODE> it is."
