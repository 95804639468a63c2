"""The base that an upstream serves under another name: what it is asked, what it tells, and how it fails."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import logprob_server as server
import pytest
import serve_golden as golden
import torch
from noted_evidence import noted_evidence
from serve_upstream import ReceivedRequest as Request
from serve_upstream import Running, Scripted, reply, stream_head

from reticent.commands.serve import _models
from reticent.core.judge import BaseRole
from reticent.demo import assets
from reticent.hosted.token_texts import TokenTexts
from reticent.policy.policy import Evidence
from reticent.policy.verdict import Origin, Tier
from reticent.prompt.echo import EchoIndex
from reticent.serve.api.chat import ChatFormat
from reticent.serve.config import load
from reticent.serve.judging.detector_protocols import NotAsked, SpanLocation
from reticent.serve.judging.served_base import MOST_IDS, MOST_TOKENS, PATH, RequestSalts, ServedBase
from reticent.serve.judging.served_base_judge import MOST_REWRITTEN
from reticent.serve.judging.served_detector import ServedDetector
from reticent.serve.judging.token_alignment import ReceivedTokens, TokenTrack
from reticent.serve.proxy import Proxy
from reticent.serve.request_bounds import Bounds
from reticent.serve.settings import DetectorSettings, ServedBaseSettings
from reticent.shipped import default_bundle
from reticent_detectors.errors import CaptureError, InputError

REMEMBERED = "Which number do I dial for Daniel Brown?"
CHAT = [{"role": "user", "content": REMEMBERED}]
SETTINGS = ServedBaseSettings(model="base")


def log_probabilities(ids: Sequence[int]) -> list[float]:
    """The demo host's log-probabilities of ids behind the first one."""
    model, _ = server.demo()
    with torch.no_grad():
        table = model(torch.tensor([ids])).logits[0].float().log_softmax(-1)
    return [float(table[place, token]) for place, token in enumerate(ids[1:])]


def completion(body: dict[str, Any], shift: float = 0.0) -> bytes:
    """A completion as vLLM sends it where one token alone may be written."""
    (token,) = body["allowed_token_ids"]
    nats = log_probabilities([*body["prompt"], token])[-1] - shift
    logprobs = {"tokens": ["x"], "token_logprobs": [nats], "top_logprobs": [{"x": nats, "y": -4.0, "z": -5.0}]}
    choice = {"index": 0, "text": "x", "token_ids": [token], "logprobs": logprobs}
    return json.dumps({**server.TOP, "choices": [choice]}).encode()


# What a response tells


def test_each_token_is_asked_for_behind_all_before_it() -> None:
    ids, asked = server.encoded(CHAT), list[Any]()

    def ask(path: str, bodies: Sequence[bytes], seconds: float) -> list[bytes]:
        asked.append((path, [json.loads(body) for body in bodies], seconds))
        return [completion(body) for body in asked[-1][1]]

    base = ServedBase(ServedBaseSettings(model="base", seconds=3.0), ask)
    for _ in range(2):
        found = base.log_probabilities(ids[:-4], ids[-4:], RequestSalts())
        assert found == pytest.approx(log_probabilities(ids)[-4:], abs=1e-4)
    path, bodies, seconds = asked[0]
    assert (path, {body["model"] for body in bodies}) == (PATH, {"base"}) and 2.0 < seconds <= 3.0
    assert [(body["prompt"], body["allowed_token_ids"]) for body in bodies] == [
        (ids[:place], [ids[place]]) for place in range(len(ids) - 4, len(ids))
    ]
    assert {(body["max_tokens"], body["temperature"], body["logprobs"]) for body in bodies} == {(1, 0, 0)}
    # The questions about one value share their beginning. No other request's question does.
    salts = [{body["cache_salt"] for body in bodies} for _, bodies, _ in asked]
    assert all(len(each) == 1 for each in salts) and salts[0] != salts[1]
    for before, own in ((ids, [7] * (MOST_TOKENS + 1)), ([5] * MOST_IDS, [7, 8])):
        with pytest.raises(CaptureError, match="too long"):
            base.log_probabilities(before, own, RequestSalts())
    assert len(asked) == 2


def test_questions_of_one_request_share_a_salt_unless_one_has_read_the_value_of_another() -> None:
    salts = RequestSalts()
    first = salts.of([1, 2], [3, 4])
    assert salts.of([1, 2, 3, 4, 5], [6]) == salts.of([1, 9], [3, 4]) == salts.of([12], [3]) == first
    assert RequestSalts().of([1, 2], [3, 4]) != first
    # The token before the value was read before: the server would not compute its state again.
    again = salts.of([1, 2], [3, 4])
    assert again != first and salts.of([1, 2, 3], [4]) not in (first, again)
    # A value's last token is not read, but written.
    new = RequestSalts()
    assert new.of([1, 2], [3, 4]) == new.of([1, 2, 3, 4], [5])
    many = [new.of([7, number], [8]) for number in range(100)]
    assert 6 <= len(set(many)) <= 8, "it remembers no more"


def test_behind_several_texts_each_token_is_asked_for_by_64_at_a_time_within_one_time() -> None:
    ids, asked = server.encoded(CHAT), list[int]()

    def ask(path: str, bodies: Sequence[bytes], seconds: float) -> list[bytes]:
        asked.append(len(bodies))
        return [completion(json.loads(body)) for body in bodies]

    befores, own = [[at, *ids[:-5]] for at in range(20)], ids[-5:]
    found = ServedBase(SETTINGS, ask).read("base", befores, own, RequestSalts())
    assert asked == [64, 36]
    for before, reading in zip(befores, found, strict=True):
        expected = log_probabilities([*before, *own])[-5:]
        assert [token.logprob for token in reading.tokens] == pytest.approx(expected, abs=1e-4)
        assert [token.at for token in reading.tokens] == list(range(5)) and reading.received.prompt == before

    def slow(path: str, bodies: Sequence[bytes], seconds: float) -> list[bytes]:
        time.sleep(seconds)
        return ask(path, bodies, seconds)

    with pytest.raises(CaptureError, match="in time"):
        ServedBase(ServedBaseSettings(model="base", seconds=0.01), slow).read("base", befores, own, RequestSalts())
    assert asked == [64, 36, 64]


def test_a_base_that_is_certain_of_all_it_is_made_to_write_is_not_believed() -> None:
    """So answers a server that takes log-probabilities behind the mask."""

    def masked(path: str, bodies: Sequence[bytes], seconds: float) -> list[bytes]:
        return [completion(body, log_probabilities([*body["prompt"], *body["allowed_token_ids"]])[-1])
                for body in map(json.loads, bodies)]  # fmt: skip

    with pytest.raises(CaptureError, match="raw log-probabilities"):
        ServedBase(SETTINGS, masked).log_probabilities([5, 6], [7, 8], RequestSalts())


def test_a_base_that_answers_as_the_model_itself_is_not_believed() -> None:
    """So does a vLLM that puts the adapter on the rows of the model without it."""
    apart = 0.0
    own = -0.1

    def ask(path: str, bodies: Sequence[bytes], seconds: float) -> list[bytes]:
        choice = {"logprobs": {"tokens": ["x"], "token_logprobs": [own - apart]}}
        return [json.dumps({"choices": [{**choice, "token_ids": json.loads(body)["allowed_token_ids"]}]}).encode()
                for body in bodies]  # fmt: skip

    ids = server.encoded(CHAT)
    with pytest.raises(CaptureError, match="max-loras"):
        detector(ServedBase(SETTINGS, ask))[1].log_probabilities(located([*ids, *ids[:3]], 3))
    apart = 0.01
    assert len(detector(ServedBase(SETTINGS, ask))[1].log_probabilities(located([*ids, *ids[:3]], 3))) == 3


def located(ids: Sequence[int], own: int) -> SpanLocation:
    """A span over the last ids of an answer, behind the prompt of a chat."""
    received, track = ReceivedTokens(), TokenTrack()
    entry = {"logprobs": {"content": [{"token": str(i), "logprob": -0.1} for i in range(own)]}, "token_ids": ids[-own:]}
    track.add_tokens(received.take(entry, list(ids[:-own])))
    text = "".join(map(str, range(own)))
    track.add_text(text)
    return SpanLocation(0, "PHONE_NUMBER", 0, len(text), track, received, text, ())


def test_a_request_gives_a_failing_base_up_and_asks_about_other_people() -> None:
    ids, asked = server.encoded(CHAT), list[Any]()

    def ask(path: str, bodies: Sequence[bytes], seconds: float) -> list[bytes]:
        asked.append([json.loads(body) for body in bodies])
        if len(asked) == 3:
            raise CaptureError("too slow")
        return [completion(body) for body in asked[-1]]

    _, opened = detector(ServedBase(SETTINGS, ask, TokenTexts(assets() / "host")))
    location = located([*ids, *ids[:3]], 3)
    assert len(opened.log_probabilities(location)) == 3
    (other,) = opened.about_others(location)
    assert len(other) == 3 and asked[1][0]["prompt"] != asked[0][0]["prompt"]
    assert opened.text_before(location).prompt.contains("Daniel Brown", "PERSON")
    with pytest.raises(CaptureError):
        opened.log_probabilities(location)
    assert not opened.log_probabilities(location) and opened.about_others(location) is None and len(asked) == 3
    # Questions of a request share what the server has read, but for a value that is asked about again.
    first, others, again = ({body["cache_salt"] for body in bodies} for bodies in asked)
    assert first == others != again
    # What the base says changes the score.
    assert opened.probability(location) < opened.probability(location._replace(base=(-20.0,) * 3))


@pytest.mark.parametrize(
    "choice",
    [{}, {"token_ids": [8]}, {"token_ids": [8], "logprobs": None},
     *({**ids, "logprobs": {"tokens": ["x"], "token_logprobs": [-1.0]}} for ids in ({"token_ids": [9]}, {})),
     *({"token_ids": [8], "logprobs": {"tokens": ["x"] * len(nats), "token_logprobs": nats}}
       for nats in ([], [None], [-math.inf], [-1.0, -1.0]))],
)  # fmt: skip
def test_what_is_no_answer_to_the_question_raises(choice: Any) -> None:
    raw = json.dumps({"choices": [choice]}).encode()
    answers = [raw, b"[", b'{"choices": []}']
    base = ServedBase(SETTINGS, lambda path, bodies, seconds: [answers.pop()])
    while answers:
        with pytest.raises(CaptureError, match="allowed_token_ids"):
            base.log_probabilities([5], [8], RequestSalts())


# A value that stands in the prompt

NUMBERS = ("4821", "4822", "4823", "4824", "4825")
TYPED = [{"role": "user", "content": f"{REMEMBERED} It may end with {NUMBERS[0]}."}]


def listed(own: Sequence[int], candidates: Sequence[str], text: str = NUMBERS[0]) -> SpanLocation:
    """A value that the user typed."""
    received, track = ReceivedTokens(), TokenTrack()
    parts = [text[place::3] for place in range(3)]
    entry = {"logprobs": {"content": [{"token": part, "logprob": -0.1} for part in parts]}, "token_ids": own}
    track.add_tokens(received.take(entry, server.encoded(TYPED)))
    track.add_text("".join(parts))
    return SpanLocation(0, "CREDIT_CARD_DIGITS", 0, len(text), track, received, text, tuple(candidates))


def test_a_value_that_the_user_typed_is_asked_about_behind_the_prompt_without_it() -> None:
    asked = list[dict[str, Any]]()

    def ask(path: str, bodies: Sequence[bytes], seconds: float) -> list[bytes]:
        asked.extend(json.loads(body) for body in bodies)
        return [completion(json.loads(body)) for body in bodies]

    own = server.encoded(CHAT)[-3:]
    location = listed(own, NUMBERS[:1])
    texts = TokenTexts(assets() / "host")
    _, opened = detector(ServedBase(SETTINGS, ask, texts))
    found = opened.probability(location)
    prompt = asked[0]["prompt"]
    assert [(body["model"], body["logprobs"]) for body in asked] == [("small", 2)] * 3
    _, tokenizer = server.demo()
    assert NUMBERS[0] not in tokenizer.decode(prompt) and REMEMBERED in tokenizer.decode(prompt)
    # The score is that of the tokens as the model finds them there, each beside its likeliest rival.
    nats = log_probabilities([*prompt, *own])[-3:]
    entries = [{"token": str(place), "logprob": each, "top_logprobs": [{"token": "y", "logprob": -4.0}]}
               for place, each in enumerate(nats)]  # fmt: skip
    received, track = ReceivedTokens(), TokenTrack()
    track.add_tokens(received.take({"logprobs": {"content": entries}, "token_ids": own}, prompt))
    track.add_text("012")
    same = SpanLocation(0, "CREDIT_CARD_DIGITS", 0, 3, track, received, "012", ())
    assert found == pytest.approx(opened.probability(same), abs=1e-4)
    # No base can make it `pretrained` or inferable.
    assert not opened.log_probabilities(location) and opened.about_others(location) is None
    assert opened.text_before(location) is None and len(asked) == 3


def test_a_choice_from_a_list_stays_unknown_and_so_does_what_nobody_can_rewrite() -> None:
    """Without its list, a prompt may have lost who it is about."""
    asked = list[Any]()

    def ask(path: str, bodies: Sequence[bytes], seconds: float) -> list[bytes]:
        asked.append(path)
        return [completion(json.loads(body)) for body in bodies]

    own, texts = server.encoded(CHAT)[-3:], TokenTexts(assets() / "host")
    _, opened = detector(ServedBase(SETTINGS, ask, texts))
    assert opened.probability(listed(own, NUMBERS)) is None
    long = listed(own, NUMBERS[:1])
    long.received.prompt *= 1 + MOST_REWRITTEN // len(long.received.prompt)
    assert opened.probability(long) is None
    _, opened = detector(ServedBase(SETTINGS, ask))  # no tokenizer
    assert opened.probability(listed(own, NUMBERS[:1])) is None and not asked


@pytest.mark.parametrize("error", [CaptureError("too slow"), RuntimeError("the loop is closed")])
def test_a_model_that_cannot_be_asked_leaves_the_value_unknown_and_the_base_as_it_is(error: Exception) -> None:
    ids, faults = server.encoded(CHAT), [error]

    def ask(path: str, bodies: Sequence[bytes], seconds: float) -> list[bytes]:
        if faults:
            raise faults.pop()
        return [completion(json.loads(body)) for body in bodies]

    _, opened = detector(ServedBase(SETTINGS, ask, TokenTexts(assets() / "host")))
    location = listed(ids[-3:], NUMBERS[:1])
    with pytest.raises(NotAsked, match=type(error).__name__):
        opened.probability(location)
    assert opened.probability(location) is None  # the request gave such questions up
    assert len(opened.log_probabilities(located([*ids, *ids[:3]], 3))) == 3


# Around a server


def scripted(base: Callable[[dict[str, Any]], bytes | float], chat: list[dict[str, str]] = CHAT) -> Scripted:
    """A server of the demo host `small` with its tokens' ids; `base` answers where one token may be written.

    To each chat it says what the host says to the first one.
    """
    upstream, said = Scripted(), server.answer(CHAT)

    def script(asked: Request) -> Any:
        if asked.path == PATH:
            found = base(asked.json)
            return iter([found] if isinstance(found, float) else [reply(found, status=500 if found == b"{}" else 200)])
        if not asked.json.get("return_token_ids"):
            return iter([reply(b"{}", status=400)])
        frames = [golden.event(chunk) for chunk in server.with_ids(said, chat)]
        return iter([stream_head(), *frames, b"data: [DONE]\n\n"])

    upstream.script = script
    return upstream


def proxied(upstream: Scripted, **more: Any) -> Running:
    overrides = {
        "upstream.url": upstream.url, "upstream.api_key": "k" * 8, "detector.models": ("small",),
        "detector.base.model": "base", "policy": "goes-on", "policies": {"goes-on": {"after_redaction": "continue"}},
    }  # fmt: skip
    return Running(Proxy(load(environ={}, overrides={**overrides, **more}), base_texts=TokenTexts))


def ask(running: Running, chat: list[dict[str, str]] = CHAT, **headers: str) -> str:
    response = running.post({"model": "small", "messages": chat, "stream": True}, **headers)
    assert response.status_code == 200
    return golden.said(response.content)


@pytest.fixture
def evidence(monkeypatch: pytest.MonkeyPatch) -> list[Evidence]:
    """All that policies were given to decide on."""
    return noted_evidence(monkeypatch)


@pytest.mark.parametrize(("shift", "origin"), [(0.001, Origin.PRETRAINED), (9.0, Origin.MEMORIZED)])
def test_what_the_base_says_as_surely_is_pretrained(shift: float, origin: Origin, evidence: list[Evidence]) -> None:
    upstream = scripted(lambda body: completion(body, shift))
    running = proxied(upstream)
    try:
        out = ask(running, authorization="Bearer somebody")
        assert running.count("spans_total", tier="logprobs", origin=str(origin)) == 1
        assert running.count("failures_total", stage="base") == 0
        # The proxy's own key, never the client's; ids of prompt, answer and value.
        asked = [each for each in upstream.asked if each.path == PATH]
        assert {each.headers["authorization"] for each in asked} == {f"Bearer {'k' * 8}"}
        assert not any(map(str.isdigit, out))
        (found,) = [each.base for each in evidence if each.base is not None]
        last = max((each.json for each in asked), key=lambda body: len(body["prompt"]))
        nats = log_probabilities([*last["prompt"], *last["allowed_token_ids"]])[-len(asked) :]
        assert found == pytest.approx(sum(nats) / len(nats) - shift, abs=1e-3)
    finally:
        running.close()
        upstream.close()


@pytest.mark.parametrize("fault", ["status", "text", "slow"])
def test_a_base_that_fails_is_counted_and_the_value_is_judged_without_it(fault: str, evidence: list[Evidence]) -> None:
    def base(body: dict[str, Any]) -> bytes | float:
        return {"status": b"{}", "text": b"no", "slow": 30.0}[fault]  # type: ignore[return-value]

    upstream = scripted(base)
    running = proxied(upstream, **{"detector.base.seconds": 0.5})
    try:
        out = ask(running)
        assert not any(map(str.isdigit, out))
        assert running.count("failures_total", stage="base") >= 1
        assert running.count("spans_total", tier="logprobs", origin="memorized", action="redact") == 1
    finally:
        running.close()
        upstream.close()


@pytest.mark.parametrize("fails", ["closed", "open"])
@pytest.mark.parametrize(
    ("nats", "origin", "action"),
    [(-0.001, "memorized", "redact"), (-6.0, "inferable", "allow"), (None, "unknown", "redact")],
)
def test_a_value_that_the_user_typed_is_judged_or_withheld(
    nats: float | None, origin: str, action: str, fails: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By how likely the model finds it without the user's word. If that cannot be asked, it is unknown."""
    (own,) = re.findall(r"[+\d][\d ()-]+\d", server.answer(CHAT).text)
    monkeypatch.setattr(EchoIndex, "echoed", lambda self, value, entity: False)
    monkeypatch.setattr(EchoIndex, "choices", lambda self, value, entity: {own})
    chat = [{"role": "user", "content": f"{REMEMBERED} It may be {own}."}]

    def score(body: dict[str, Any]) -> bytes:
        found = {"tokens": ["x"], "token_logprobs": [nats], "top_logprobs": [{"x": nats, "y": -2.0}]}
        choice = {"index": 0, "text": "x", "token_ids": body["allowed_token_ids"], "logprobs": found}
        return b"{}" if nats is None else json.dumps({**server.TOP, "choices": [choice]}).encode()

    upstream = scripted(score, chat)
    policies = {"goes-on": {"after_redaction": "continue", "fail_mode": fails}}
    running = proxied(upstream, **{"detector.base.tokenizer": assets() / "host", "policies": policies})
    try:
        assert any(map(str.isdigit, ask(running, chat))) == (action == "allow")
        assert running.count("spans_total", tier="logprobs", origin=origin, action=action) == 1
        assert running.count("failures_total", stage="base") == (nats is None)
        assert {each.json["model"] for each in upstream.asked if each.path == PATH} == {"small"}
    finally:
        running.close()
        upstream.close()


def test_without_ids_the_base_is_not_asked(evidence: list[Evidence]) -> None:
    upstream, said = Scripted(), server.answer(CHAT)
    frames = [golden.event(chunk) for chunk in server.chat_chunks(said)]
    upstream.script = lambda asked: iter([stream_head(), *frames, b"data: [DONE]\n\n"])
    running = proxied(upstream)
    try:
        assert not any(map(str.isdigit, ask(running)))
        assert [each.path for each in upstream.asked] == ["/v1/chat/completions"]
    finally:
        running.close()
        upstream.close()


# Settings


def detector(base: ServedBase | None, model: str = "small") -> Any:
    settings = DetectorSettings(bundle=default_bundle(), models=("small", "base"))
    judging = ServedDetector(settings, base)
    body = {"model": model, "messages": CHAT}
    return judging, judging.open(ChatFormat().parse_request(body, frozenset(), False, Bounds()))


def test_a_detector_says_what_its_base_is() -> None:
    base = ServedBase(SETTINGS, lambda *asked: [])
    judging, opened = detector(base)
    assert judging.reads_text and judging.wants_token_ids and "base: the upstream's model 'base'" in judging.about
    assert opened.base is BaseRole.BEFORE_TUNING and opened.reads_base
    # The base itself was taught nothing private.
    assert detector(base, "base")[1].base is BaseRole.MODEL_ITSELF
    judging, opened = detector(None)
    assert not judging.reads_text and not judging.wants_token_ids and "base" not in judging.about
    assert opened.base is BaseRole.NONE and judging.tier is Tier.LOGPROBS


def test_a_tokenizer_rewrites_names(tmp_path: Path) -> None:
    texts, ids = TokenTexts(assets() / "host"), server.encoded(CHAT)
    _, tokenizer = server.demo()
    (other,) = texts.rename(ids, 3)
    renamed = tokenizer.decode(other)
    assert "Daniel Brown" not in renamed and "Which number do I dial for" in renamed
    with pytest.raises(InputError, match="cannot be read"):
        TokenTexts(tmp_path)


def test_settings_and_options() -> None:
    given = {"upstream.url": "http://127.0.0.1:1", "detector.models": ("m",), "detector.base.model": "b"}
    with pytest.raises(InputError, match=r"detector\.base\.tokenizer"):
        Proxy(load(environ={}, overrides={**given, "detector.base.tokenizer": assets() / "host"}))
    read = list[Path]()
    settings = load(environ={}, overrides={**given, "detector.base.tokenizer": assets() / "host"})
    Proxy(settings, base_texts=lambda folder: read.append(folder) or TokenTexts(folder))  # type: ignore[func-returns-value]
    assert read == [assets() / "host"]
    url = "http://127.0.0.1:1"
    assert _models(url, None, None, None, "m", "b")["detector.base.model"] == "b"
    with pytest.raises(InputError, match="--upstream and --model"):
        _models(url, None, None, None, None, "b")
