"""Tier `logprobs`: which token wrote what, what a server's log-probabilities say, and what the client sees of them."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import logprob_server as server
import pytest
import serve_golden as golden
from hypothesis import given
from hypothesis import strategies as st
from serve_upstream import ReceivedRequest as Request
from serve_upstream import Running, Scripted, reply

from reticent.demo import assets
from reticent.guard import Guard
from reticent.policy.policy import AfterRedaction, Policy
from reticent.policy.verdict import Origin, Tier
from reticent.serve.api.api_format import ChoicesFormat
from reticent.serve.api.chat import ChatFormat
from reticent.serve.api.completions import CompletionsFormat
from reticent.serve.config import load
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.judging.served_detector import ServedDetector
from reticent.serve.judging.token_alignment import ReceivedTokens, Token, TokenTrack, ending, tokens_of
from reticent.serve.options import Permission
from reticent.serve.proxy import Proxy
from reticent.serve.request_bounds import Bounds
from reticent.serve.settings import DetectorSettings
from reticent.serve.stream.chunk_reader import ChunkReader
from reticent.serve.stream.stream_guard import StreamGuard
from reticent_detectors.errors import InputError

REMEMBERED = "Which number do I dial for Daniel Brown?"
TYPED = "Note that my phone is 202-555-0187. What is my phone number?"
SHOW = frozenset({Permission.LOGPROBS})


@cache
def detector() -> ServedDetector:
    return ServedDetector(DetectorSettings(bundle=assets() / "bundle-logprobs", models=("small",)))


def policy() -> Policy:
    return replace(detector().with_thresholds(Policy()), after_redaction=AfterRedaction.CONTINUE, hold=golden.LONG)


def reader(
    body: dict[str, Any], dialect: ChoicesFormat | None = None, allowed: frozenset[Permission] = frozenset()
) -> ChunkReader:
    dialect = dialect or ChatFormat()
    asked = dialect.parse_request({"model": "small", **body}, allowed, False, Bounds())
    judge = detector().open(asked)
    request = GuardedRequest(policy(), golden.FINDER, asked.views, None, Bounds(), detector(), judge)
    return ChunkReader(request, dialect, asked, allowed)


def chat(user: str, **more: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": user}], **more}


def ask(user: str) -> server.ServedAnswer:
    return server.answer([{"role": "user", "content": user}])


def streamed(read: ChunkReader, chunks: Sequence[dict[str, Any]]) -> bytes:
    guard = StreamGuard(read)
    out = b"".join(guard.feed(golden.event(chunk), 0.0) for chunk in chunks)
    return out + guard.feed(b"data: [DONE]\n\n", 0.0) + guard.finish(0.0)


def digits(text: str) -> int:
    return sum(map(str.isdigit, text))


# Which token wrote what


@given(
    st.lists(st.text("ab \n\u00fc\u4e2d", min_size=1, max_size=4), max_size=12),
    st.lists(st.integers(0, 12), max_size=3),
    st.data(),
)
def test_every_character_has_the_tokens_that_wrote_it(texts: list[str], ends: list[int], data: st.DataObject) -> None:
    """Tokens without their blanks, with tags among them that wrote nothing, before their text or behind it."""
    tokens = [Token("".join(text.split()).encode(), -float(at), -math.inf) for at, text in enumerate(texts)]
    places = sorted(min(end, len(tokens)) for end in ends)
    for place in reversed(places):
        tokens.insert(place, Token(b"<|end|>", -99.0, -math.inf))
    whole, track = "".join(texts), TokenTrack()
    added_chars = added_tokens = 0
    while added_chars < len(whole) or added_tokens < len(tokens):
        both_left = added_chars < len(whole) and added_tokens < len(tokens)
        if data.draw(st.booleans()) if both_left else added_tokens < len(tokens):
            step = data.draw(st.integers(1, 3))
            track.add_tokens(tokens[added_tokens : added_tokens + step])
            added_tokens += step
        else:
            step = data.draw(st.integers(1, 5))
            track.add_text(whole[added_chars : added_chars + step])
            added_chars += step
    owners = [at for at, text in enumerate(texts) for character in text if not character.isspace()]
    letters = [place for place, character in enumerate(whole) if not character.isspace()]
    for first in range(0, len(letters), 3):
        for last in range(first, len(letters), 4):
            found = track.between(letters[first], letters[last] + 1)
            assert found
            wanted = sorted(set(owners[first : last + 1]))
            assert [-t.logprob for t in found if texts[int(-t.logprob)].strip()] == wanted


def test_parts_of_characters_share_the_characters_that_they_wrote() -> None:
    entries = [("a", -1.0), ("\ufffd", -2.0), ("\ufffd", -3.0), ("b", -4.0)]
    content = [{"token": t, "bytes": list(t.encode()), "logprob": p, "top_logprobs": []} for t, p in entries]
    track = TokenTrack()
    track.add_tokens(tokens_of({"content": content}))
    track.add_text("a\U0001f600b")
    assert [token.logprob for token in track.between(1, 2)] == [-2.0, -3.0]
    assert [token.logprob for token in track.between(0, 3)] == [-1.0, -2.0, -3.0, -4.0]
    track.add_text("c")
    assert track.between(2, 4) == []  # no token was given for the last one


@pytest.mark.parametrize("count", [1, 2])
def test_bytes_that_are_no_character_belong_to_tokens_without_text(count: int) -> None:
    """So vLLM writes them: the token as an empty text, and the text with U+FFFD."""
    tokens = [Token(b"a", -1.0, -2.0), *[Token(b"", -3.0, -4.0)] * count, Token(b"b", -5.0, -6.0)]
    for cut in range(4):
        track, text = TokenTrack(), "a" + "\ufffd" * count + "b"
        track.add_text(text[:cut])
        track.add_tokens(tokens)
        track.add_text(text[cut:])
        assert [token.logprob for token in track.between(0, 1)] == [-1.0]
        assert [token.logprob for token in track.between(1 + count, 2 + count)] == [-5.0]
        assert {token.logprob for token in track.between(1, 1 + count)} == {-3.0}
    track = TokenTrack()
    track.add_tokens([Token(b"a", -1.0, -2.0), Token(b"b", -5.0, -6.0)])
    track.add_text("a\ufffdb")
    assert track.between(0, 1) == track.between(2, 3) == [], "no token wrote it"


def test_a_text_that_no_token_wrote_leaves_what_follows_unknown() -> None:
    track = TokenTrack()
    track.add_tokens([Token(b"one", -1.0, -2.0)])
    track.add_text("one ")
    track.add_tokens([Token(b"two", -1.0, -2.0), Token(b"four", -1.0, -2.0)])
    track.add_text("two three four")
    assert [(token.logprob, token.rival) for token in track.between(0, 3)] == [(-1.0, -2.0)]
    assert track.between(4, 7) == track.between(8, 13) == track.between(14, 18) == []


def spoken(words: str, logprob: float) -> list[Token]:
    return [Token(word.encode(), logprob, -math.inf) for word in words.split()]


@pytest.mark.parametrize("thoughts", ["So : 4 1 5 then", "4 1 6", "4 1 is it <b> 4 1 so", "<think> 4 1 6"])
def test_thoughts_lend_a_text_none_of_their_tokens(thoughts: str) -> None:
    """Their digits are the text's, one by one, and the text is not among what the server says that it thought."""
    for tag in ("</think>", "<channel> final <message>"):
        track = TokenTrack()
        track.add_tokens([*spoken(f"{thoughts} {tag}", -9.0), *spoken("4 1 5 <|im_end|>", -1.0)])
        track.add_text("415")
        assert [token.logprob for token in track.between(0, 3)] == [-1.0] * 3
        track.add_tokens(spoken("!", -2.0))
        track.add_text("!")
        assert [token.logprob for token in track.between(2, 4)] == [-1.0, -2.0]


def test_the_last_tokens_are_the_text_that_came_with_them() -> None:
    tokens = spoken("4 1 5 or 4 9 <b> 4 1 5 <|im_end|>", -1.0)
    assert ending(tokens, "4 15") == tokens[-4:] and ending(tokens, "<b>415") == tokens[-5:]
    assert ending(tokens, "9415") == tokens[-6:]  # the tag between wrote nothing
    assert ending(tokens, "515") is None and ending(tokens, "") is None
    assert ending([*tokens, Token(None, -1.0, -2.0)], "4 15") is None


def test_thoughts_without_a_tag_leave_the_text_unknown() -> None:
    track = TokenTrack()
    track.add_tokens([*spoken("So 4 9 1 9 5 done", -9.0), *spoken("4 1 5", -1.0)])
    track.add_text("415")
    assert track.between(0, 3) == []


def test_long_texts_are_forgotten_behind_what_was_decided() -> None:
    track = TokenTrack()
    for number in range(30_000):
        track.add_tokens([Token(b"ab", -float(number), -math.inf)])
        track.add_text("ab ")
        track.forget(3 * number)
    assert len(track._tokens) < 20_000 and len(track._ends) < 50_000
    assert [token.logprob for token in track.between(3 * 29_999, 3 * 30_000)] == [-29_999.0]
    assert track.between(0, 3) == []


def test_both_forms_tell_the_same_tokens() -> None:
    said = ask(REMEMBERED)
    chats, legacy = tokens_of(server.chat_logprobs(said.tokens)), tokens_of(server.legacy_logprobs(said.tokens))
    assert len(chats) == len(said.tokens)
    assert [(t.text, t.logprob) for t in chats] == [(t.text, t.logprob) for t in legacy]
    for token, (text, _, top) in zip(chats, said.tokens, strict=True):
        assert token.rival == max(p for other, p in top if other != text)


@pytest.mark.parametrize(
    "broken",
    [None, 3, [], {"content": [{"token": 1}]}, {"content": [{"token": "a", "logprob": None}]}, {"tokens": ["a"]},
     {"tokens": ["a"], "token_logprobs": [None]}, {"content": [{"token": "a", "logprob": True}]}],
)  # fmt: skip
def test_what_cannot_be_read_tells_nothing(broken: Any) -> None:
    assert tokens_of(broken) == []


def test_tokens_beyond_the_bound_are_unknown_and_not_given_another_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reticent.serve.judging.token_alignment._MOST_TOKENS", 3)
    received = ReceivedTokens()
    entry = {"logprobs": {"content": [{"token": t, "logprob": -1.0} for t in ("a", "b")]}, "token_ids": [7, 8]}
    assert [token.at for token in received.take(entry, [1, 2])] == [0, 1]
    assert received.take(entry, None) == []
    assert (received.tokens, received.prompt) == ([7, 8], [1, 2])


# What they tell


def test_a_remembered_value_is_stopped_and_one_the_model_is_unsure_of_passes() -> None:
    said = ask(REMEMBERED)
    assert digits(said.text) >= 7
    for size in (1, 3, 100):
        out = golden.said(streamed(reader(chat(REMEMBERED)), list(server.chat_chunks(said, size))))
        assert "<PHONE_NUMBER>" in out and digits(out) == 0
        unsure = golden.said(
            streamed(reader(chat(REMEMBERED)), list(server.chat_chunks(server.perplexed(said, 3.0), size)))
        )
        assert unsure == said.text
    whole = json.loads(reader(chat(REMEMBERED)).judge_body(json.dumps(server.chat_whole(said)).encode(), 0.0))
    assert digits(whole["choices"][0]["message"]["content"]) == 0


def _with_thoughts(said: server.ServedAnswer, tag: str) -> tuple[str, list[Any]]:
    """Thoughts that hold each token of an answer once, unsure of it, and the tokens of both."""
    thoughts = [entry for text, _, best in said.tokens for entry in ((text, -4.0, best), (" hm,", -4.0, best))]
    closing = [(tag, -0.1, said.tokens[0][2])] if tag else []
    return "".join(text for text, _, _ in thoughts), [*thoughts, *closing, *said.tokens]


@pytest.mark.parametrize("field", ["reasoning", "reasoning_content", None])
@pytest.mark.parametrize("tag", ["</think>", ""])
def test_what_a_model_thought_before_does_not_change_what_is_said_of_its_answer(field: str | None, tag: str) -> None:
    """Servers send the tokens of thoughts with those of the answer, and may leave the thoughts themselves out."""
    said = ask(REMEMBERED)
    thoughts, tokens = _with_thoughts(said, tag)
    shown = {} if field is None else {field: thoughts}
    whole = server.chat_whole(said)
    whole["choices"][0] |= {"message": {"role": "assistant", "content": said.text, **shown}}
    whole["choices"][0]["logprobs"] = server.chat_logprobs(tokens)
    read = reader(chat(REMEMBERED))
    message = json.loads(read.judge_body(json.dumps(whole).encode(), 0.0))["choices"][0]["message"]
    assert digits(message["content"]) == 0
    assert Origin.MEMORIZED in {span.decision.verdict.origin for span in read.choices[0].report().spans}
    if field is None:
        read = reader(chat(REMEMBERED))
        first, *rest = server.chat_chunks(said)
        hidden = {
            **first,
            "choices": [{"index": 0, "delta": {}, "logprobs": server.chat_logprobs(tokens[: -len(said.tokens)])}],
        }
        assert digits(golden.said(streamed(read, [first, hidden, *rest]))) == 0
        assert Origin.MEMORIZED in {span.decision.verdict.origin for span in read.choices[0].report().spans}


def test_a_chunk_that_ends_thoughts_and_begins_an_answer_has_the_tokens_of_both() -> None:
    said = ask(REMEMBERED)
    thoughts, tokens = _with_thoughts(said, "</think>")
    first, *_, last = server.chat_chunks(said)
    both = {"index": 0, "delta": {"content": said.text, "reasoning": thoughts}, "finish_reason": None}
    read = reader(chat(REMEMBERED))
    out = streamed(read, [first, {**first, "choices": [{**both, "logprobs": server.chat_logprobs(tokens)}]}, last])
    assert digits(golden.said(out)) == 0
    assert Origin.MEMORIZED in {span.decision.verdict.origin for span in read.choices[0].report().spans}


def test_completions_are_judged_alike() -> None:
    prompt = "Payments to Jennifer Mejia go to account"
    said = server.answer(prompt)
    read = reader({"prompt": prompt}, CompletionsFormat())
    assert digits(golden.said(streamed(read, list(server.text_chunks(said))), field="text")) == 0 < digits(said.text)


def test_probabilities_are_those_of_the_guard_around_the_model() -> None:
    model, tokenizer = server.demo()
    guard = Guard.load(assets() / "bundle-logprobs", Policy.allow_all()).wrap(model, tokenizer)
    try:
        for user in (REMEMBERED, "A letter to Travis Garcia came back. What address is on file?"):
            said = ask(user)
            mine = reader(chat(user))
            streamed(mine, list(server.chat_chunks(said)))
            theirs = guard.inspect([{"role": "user", "content": user}], said.ids).report.spans
            ours = mine.choices[0].report().spans
            assert len(ours) == len(theirs) >= 1
            for a, b in zip(ours, theirs, strict=True):
                assert a.decision.verdict.tier is b.decision.verdict.tier is Tier.LOGPROBS
                assert a.decision.verdict.probability == pytest.approx(b.decision.verdict.probability, abs=2e-3)
    finally:
        guard.close()


def test_what_the_user_typed_passes_and_is_not_measured() -> None:
    said = server.ServedAnswer((("It", -0.1, ()), (" is", -0.1, ()), (" 202-555-0187", -0.01, ()), (".", -0.1, ())))
    read = reader(chat(TYPED))
    assert golden.said(streamed(read, list(server.chat_chunks(said)))) == said.text
    assert [r.decision.verdict.origin for r in read.choices[0].report().spans] == [Origin.ECHOED]


def test_without_log_probabilities_a_value_is_unknown_and_redacted() -> None:
    said = ask(REMEMBERED)
    chunks = list(server.chat_chunks(said))
    for chunk in chunks:
        chunk["choices"][0].pop("logprobs", None)
    read = reader(chat(REMEMBERED))
    assert digits(golden.said(streamed(read, chunks))) == 0
    verdict = read.choices[0].report().spans[0].decision.verdict
    assert (verdict.origin, verdict.tier, verdict.probability) == (Origin.UNKNOWN, Tier.LOGPROBS, None)


def test_impossible_log_probabilities_fail_closed_and_are_counted() -> None:
    said = ask(REMEMBERED)
    chunks = list(server.chat_chunks(server.ServedAnswer(tuple((t, 0.5, top) for t, _, top in said.tokens))))
    read = reader(chat(REMEMBERED))
    assert digits(golden.said(streamed(read, chunks))) == 0
    assert dict(read.choices[0].report().failures)


def test_however_the_stream_is_cut_the_verdict_is_the_same() -> None:
    raw = b"".join(golden.event(chunk) for chunk in server.chat_chunks(ask(REMEMBERED))) + b"data: [DONE]\n\n"
    expected = None
    for cut in range(0, len(raw), 97):
        guard = StreamGuard(reader(chat(REMEMBERED)))
        out = guard.feed(raw[:cut], 0.0) + guard.feed(raw[cut:], 0.0) + guard.finish(0.0)
        expected = expected or out
        assert out == expected and digits(golden.said(out)) == 0


# What the client sees of them


@pytest.mark.parametrize(
    ("more", "alternatives"), [({}, None), ({"logprobs": True}, 0), ({"logprobs": True, "top_logprobs": 1}, 1)]
)
def test_the_client_sees_what_it_asked_for(more: dict[str, Any], alternatives: int | None) -> None:
    harmless = server.ServedAnswer(
        tuple((t, -0.2, ((t, -0.2), (" z", -3.0))) for t in ("The", " sky", " is", " blue", "."))
    )
    out = streamed(reader(chat("Tell me something.", **more), allowed=SHOW), list(server.chat_chunks(harmless)))
    shown = [c["logprobs"] for frame in golden.frames(out) for c in frame["choices"] if c["delta"].get("content")]
    assert golden.said(out) == harmless.text
    if alternatives is None:
        assert shown == [None] * 5
    else:
        assert [len(each["content"][0]["top_logprobs"]) for each in shown] == [alternatives] * 5
        assert [each["content"][0]["logprob"] for each in shown] == [-0.2] * 5


def test_hidden_tokens_keep_no_log_probabilities() -> None:
    said = ask(REMEMBERED)
    out = streamed(
        reader(chat(REMEMBERED, logprobs=True, top_logprobs=2), allowed=SHOW), list(server.chat_chunks(said))
    )
    value = "".join(filter(str.isdigit, said.text))
    seen = "".join(
        entry["token"]
        for f in golden.frames(out)
        for c in f["choices"]
        for entry in (c["logprobs"] or {}).get("content") or ()
    )
    assert digits(seen) == 0 and not golden.leaked(out, value)


# Around a server


def proxied(upstream: Scripted, **more: Any) -> Running:
    overrides = {
        "upstream.url": upstream.url,
        "detector.bundle": assets() / "bundle-logprobs",
        "detector.models": ("small",),
    }
    return Running(Proxy(load(environ={}, overrides={**overrides, **more})))


def test_the_server_is_asked_for_them_and_other_models_are_refused() -> None:
    upstream = Scripted()
    said = ask(REMEMBERED)

    def script(asked: Request) -> Any:
        whole = server.chat_whole(said) if "messages" in asked.json else {
            **server.TOP, "object": "text_completion",
            "choices": [{"index": 0, "text": said.text, "logprobs": server.legacy_logprobs(said.tokens),
                         "finish_reason": "stop"}],
        }  # fmt: skip
        return iter([reply(json.dumps(whole).encode())])

    upstream.script = script
    running = proxied(upstream)
    try:
        answer = running.post({"model": "small", **chat(REMEMBERED)}).json()["choices"][0]
        assert digits(answer["message"]["content"]) == 0 and answer["logprobs"] is None
        assert (upstream.asked[-1].json["logprobs"], upstream.asked[-1].json["top_logprobs"]) == (True, 2)
        text = running.post({"model": "small", "prompt": REMEMBERED}, "/v1/completions").json()["choices"][0]
        assert digits(text["text"]) == 0 and upstream.asked[-1].json["logprobs"] == 2
        asked = len(upstream.asked)
        for model in ("other", ""):
            refused = running.post({"model": model, **chat(REMEMBERED)})
            assert (refused.status_code, refused.json()["error"]["code"]) == (404, "model_not_found")
        assert len(upstream.asked) == asked
        assert running.count("spans_total", tier="logprobs", origin="memorized", action="redact") == 2
        assert running.proxy.about.startswith("tier logprobs: it tells what the model remembers")
        assert running.count("build_info", bundle=detector().digest) == 1
    finally:
        running.close()
        upstream.close()


_REFUSES = '{"error": {"message": "\'logprobs\' is not available here.", "param": "logprobs", "code": "not_allowed"}}'


@pytest.mark.parametrize(
    ("said", "status", "asked", "code"),
    [
        (_REFUSES, 400, {}, "upstream_refuses_logprobs"),
        (
            '{"detail": [{"loc": ["body", "top_logprobs"], "msg": "Extra inputs"}]}',
            422,
            {},
            "upstream_refuses_logprobs",
        ),
        ('{"error": "Log probabilities are not supported."}', 403, {"stream": True}, "upstream_refuses_logprobs"),
        (_REFUSES, 400, {"logprobs": True}, "not_allowed"),  # the client's own wish
        ('{"error": {"message": "Too long", "code": "long"}, "input": {"logprobs": true}}', 400, {}, "long"),
        ('{"error": {"message": "No logprobs now", "code": "busy"}}', 503, {}, "busy"),
        ('{"error": {"message": "Too many requests with logprobs", "code": "rate"}}', 429, {}, "rate"),
        ('{"error": {"message": "No model logprob-7b", "code": "no_model"}}', 404, {}, "no_model"),
        ('{"error": {"message": "Bad ChatCompletionRequest(n=1, logprobs=True)", "code": "bad"}}', 400, {}, "bad"),
    ],
)
def test_a_server_that_refuses_what_only_the_guard_asked_for_is_the_operators_business(
    said: str, status: int, asked: dict[str, Any], code: str, caplog: pytest.LogCaptureFixture
) -> None:
    upstream = Scripted()
    upstream.script = lambda request: iter([reply(said.encode(), status=status)])
    running = proxied(upstream, allow=("logprobs",))
    try:
        got = running.post({"model": "small", **chat(REMEMBERED), **asked})
        assert got.json()["error"]["code"] == code
        assert got.status_code == (502 if code == "upstream_refuses_logprobs" else status)
        kind = code if code == "upstream_refuses_logprobs" else "upstream_status"
        (line,) = [record.getMessage() for record in caplog.records if record.name == "reticent.serve.upstream"]
        assert f"kind={kind} status={status}" in line
        assert running.count("failures_total", stage="upstream") == 1
    finally:
        running.close()
        upstream.close()


@pytest.mark.parametrize("field", [{"echo": True}, {"prompt_logprobs": 0}, {"logprob_token_ids": [0]}])
def test_what_would_change_the_log_probabilities_is_refused_even_with_the_permission(field: dict[str, Any]) -> None:
    upstream = Scripted()
    running = proxied(upstream, allow=("echo", "logprobs"))
    try:
        got = running.post({"model": "small", "prompt": REMEMBERED, **field}, "/v1/completions")
        assert (got.status_code, got.json()["error"]["param"]) == (400, next(iter(field)))
        assert upstream.asked == [] and running.count("failures_total", stage="request") == 1
    finally:
        running.close()
        upstream.close()


def test_a_bundle_that_needs_states_is_refused() -> None:
    with pytest.raises(InputError, match="needs the states of all layers"):
        ServedDetector(DetectorSettings(bundle=assets() / "bundle", models=("small",)))


def test_a_prevalence_moves_no_threshold_away_from_the_probabilities() -> None:
    judge = detector()
    for prevalence in (0.01, 0.9):
        assert (
            judge.with_thresholds(Policy(prevalence=prevalence)).thresholds
            == judge.with_thresholds(Policy()).thresholds
        )


def test_a_policy_chooses_the_rate_of_false_positives() -> None:
    strict, usual = (
        detector().with_thresholds(Policy(false_positives=rate)).threshold("FLIGHT") for rate in (0.01, None)
    )
    assert strict is not None and usual is not None and strict > usual
