"""The playground: where it is served, what its halves answer, and that no withheld value reaches the guarded one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import nullcontext
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from fastapi import Request
from playground_host import DEMO, PAGE, ask, start
from serve_upstream import Running
from typer.testing import CliRunner

from reticent import demo
from reticent.commands.serve import app as serve_command
from reticent.core.stream_types import OffsetMapping, SpanRecord
from reticent.policy.policy import Policy
from reticent.policy.presets import PRESETS
from reticent.policy.rules import Rule
from reticent.policy.verdict import Action, Decision, Origin, Tier, Verdict
from reticent.serve.config import load
from reticent.serve.playground.policy_outcomes import describe_policy, outcome
from reticent.serve.playground.prompts import read_prompts
from reticent.serve.playground.routes import check_host
from reticent.serve.playground.span_details import AnswerDetails, shown_at
from reticent.serve.wire.errors import ApiError
from reticent_detectors.errors import InputError

NUMBER = "Which number do I dial for Daniel Brown?"
JOB = "What job does Joseph Bush have?"
STATIC = files("reticent.serve.playground") / "static"
FILES = ("index.html", "playground.css", "playground.js", "icon.svg")
MODEL = {"model.path": "a", "model.bundle": "b"}
POLICIES = {"blocking": {"entities": {"PHONE_NUMBER": {"memorized": "block"}}, "on_block": "error"}}


@pytest.fixture(scope="module")
def served() -> Iterator[Running]:
    running = start(**DEMO, policies=POLICIES, may_choose={"blocking"})
    yield running
    running.close()


def about(served: Running) -> dict[str, Any]:
    found: dict[str, Any] = served.client.get(f"{PAGE}/about.json").json()
    return found


# Where it is served


@pytest.mark.parametrize("phrase", ["Compare with: nothing", "A change of either asks again", "As it should be"])
def test_sentences_that_puzzled_a_new_user_are_gone(phrase: str) -> None:
    assert not any(phrase in (STATIC / file).read_text() for file in FILES)


@pytest.mark.parametrize(
    ("host", "name", "passes"),
    [
        ("127.0.0.1", "127.0.0.1:80", True),
        ("127.0.0.1", "localhost", True),
        ("127.0.0.1", "192.0.2.1", False),
        ("0.0.0.0", "192.0.2.1:8080", True),
        ("0.0.0.0", "[2001:db8::1]:80", True),
        ("0.0.0.0", "localhost", True),
        ("0.0.0.0", "elsewhere.example", False),
    ],
)
def test_a_name_that_somebody_else_may_have_made_lead_here_is_refused(host: str, name: str, passes: bool) -> None:
    settings = load(environ={}, overrides={**MODEL, "host": host, "open": True})
    request = Request({"type": "http", "headers": [(b"host", name.encode())]})
    with nullcontext() if passes else pytest.raises(ApiError):
        check_host(request, settings)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, False),
        ({"playground.enabled": True}, True),
        ({"playground.unguarded": True}, True),
        ({"playground.unguarded": True, "host": "localhost"}, True),
        ({"playground.unguarded": True, "host": "0.0.0.0", "open": True}, False),
        ({"host": "0.0.0.0", "open": True}, False),
        ({"host": "0.0.0.0", "open": True, "playground.enabled": True}, True),
        ({"playground.enabled": False}, False),
        ({"keys": [{"key": "a-long-key"}]}, False),
    ],
)
def test_it_is_served_with_its_unguarded_half_on_loopback_unless_the_operator_says_otherwise(
    settings: dict[str, Any], expected: bool
) -> None:
    assert load(environ={}, overrides={**MODEL, **settings}).serves_playground is expected


@pytest.mark.parametrize("settings", [{**MODEL, "keys": [{"key": "a-long-key"}]}, {"upstream.url": "http://h"}])
def test_asking_for_it_with_keys_or_before_a_server_is_an_error(settings: dict[str, Any]) -> None:
    assert not load(environ={}, overrides=settings).serves_playground
    with pytest.raises(InputError, match=r"goes with 'model' .*--host-model.* and without 'keys'"):
        load(environ={}, overrides={**settings, "playground.enabled": True})


def test_the_demos_show_the_unguarded_half_unless_the_operator_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []
    monkeypatch.setattr("reticent.serve.running.run", lambda source, proxy: seen.append(source.read()))
    monkeypatch.setattr("reticent.serve.proxy.Proxy", lambda settings, **more: None)
    for line in (["--demo"], ["--demo", "--no-playground-unguarded", "--no-playground"], ["--demo-llm", "folder"]):
        result = CliRunner().invoke(serve_command, line)
        assert result.exit_code == 0, result.exception
    file = tmp_path / "serve.yaml"
    file.write_text("playground: {unguarded: false}")
    assert CliRunner().invoke(serve_command, ["--demo", "--config", str(file)]).exit_code == 0
    assert not seen.pop().playground.unguarded
    first, second, third = (each.playground for each in seen)
    assert (first.enabled, first.unguarded, first.prompts) == (None, True, demo.assets() / "demo.json")
    assert "toy" in first.note and "SmolLM2" in third.note and (first.context, third.context) == (False, True)
    assert (second.enabled, second.unguarded) == (False, False)
    assert third.unguarded and third.prompts == demo.assets() / demo.REAL / "demo.json"
    assert seen[2].model.adapter == demo.assets() / demo.REAL and seen[2].model.path == Path("folder")
    both = CliRunner().invoke(serve_command, ["--demo", "--demo-llm", "folder"])
    assert isinstance(both.exception, InputError) and "give one of them" in str(both.exception)


def test_where_it_is_off_its_routes_are_closed_as_any_other() -> None:
    running = start(**{"playground.enabled": False})
    try:
        for path in (PAGE, f"{PAGE}/about.json", f"{PAGE}/playground.js"):
            assert running.client.get(path).status_code == 403
        assert running.post({}, f"{PAGE}/guarded/chat").status_code == 403
        assert running.post({}, f"{PAGE}/unguarded/chat").status_code == 403
    finally:
        running.close()


def test_a_model_of_the_operators_own_has_no_unguarded_half_and_its_own_policy_alone() -> None:
    running = start(**{"playground.enabled": True}, policies=POLICIES, may_choose={"blocking"})
    try:
        shown = about(running)
        assert not shown["unguarded"] and [each["name"] for each in shown["policies"]] == ["default", "blocking"]
        assert shown["bases"] == ["none"] and len(shown["prompts"]) == 3
        off = running.post({"messages": [{"role": "user", "content": NUMBER}]}, f"{PAGE}/unguarded/chat")
        assert off.status_code == 404 and off.json()["error"]["code"] == "unguarded_off"
        assert ask(running, NUMBER, policy="sealed").error == (
            "The operator has not allowed this policy for this API key."
        )
        assert "no such base" in ask(running, NUMBER, base="self").error
        assert ask(running, NUMBER).spans[0]["action"] == "redact"
    finally:
        running.close()


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"host": "elsewhere.example"}, "other_host"),
        ({"host": "[broken"}, "other_host"),
        ({"origin": "http://elsewhere.example"}, "other_origin"),
        ({"origin": "null"}, "other_origin"),
        ({"sec-fetch-site": "cross-site"}, "other_origin"),
    ],
)
def test_a_page_of_another_host_may_not_ask(served: Running, headers: dict[str, str], code: str) -> None:
    for half in ("guarded", "unguarded"):
        refused = served.client.post(f"{PAGE}/{half}/chat", content=b"{}", headers=headers)
        assert refused.status_code == 403 and refused.json()["error"]["code"] == code
    read = served.client.get(f"{PAGE}/about.json", headers=headers)
    assert read.status_code == (403 if code == "other_host" else 200)


# The files


def test_every_file_has_the_policy_that_forbids_inline_code_and_other_hosts(served: Running) -> None:
    for path in (PAGE, f"{PAGE}/about.json", *(f"{PAGE}/{name}" for name in FILES[1:])):
        found = served.client.get(path)
        assert found.status_code == 200, path
        rules = dict(rule.strip().split(" ", 1) for rule in found.headers["content-security-policy"].split(";"))
        assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == rules["frame-ancestors"] == "'none'"
        assert {rules[f"{kind}-src"] for kind in ("script", "style", "img", "connect")} == {"'self'"}
        assert found.headers["x-content-type-options"] == "nosniff" and found.headers["cache-control"] == "no-store"
    assert served.client.get(PAGE).headers["content-type"] == "text/html; charset=utf-8"


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_no_file_names_another_host_and_the_page_has_no_inline_script_or_style() -> None:
    for name in FILES:
        text = (STATIC / name).read_text(encoding="utf-8").replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search(r"https?:|//[\w-]+\.\w|@import|url\(|innerHTML|insertAdjacent|\beval\b", text), name
    tags = Tags((STATIC / "index.html").read_text(encoding="utf-8")).found
    for tag, attributes in tags:
        assert "style" not in attributes and not [name for name in attributes if name.startswith("on")]
        for link in ("src", "href"):
            assert (attributes.get(link) or "/#")[0] in "/#", tag
        assert tag != "style" and (tag != "script" or attributes["src"])
    labelled = {attributes.get("for") for tag, attributes in tags if tag == "label"}
    fields = {attributes["id"] for tag, attributes in tags if tag in ("textarea", "select")}
    assert fields <= labelled and ("html", {"lang": "en"}) in tags


def test_the_page_names_every_origin() -> None:
    script = (STATIC / "playground.js").read_text(encoding="utf-8")
    style = (STATIC / "playground.css").read_text(encoding="utf-8")
    for origin in Origin:
        assert f"{origin}: " in script and f".{origin} {{" in style


def test_the_api_is_described_without_the_page_and_says_so(served: Running) -> None:
    described = served.client.get("/openapi.json").json()
    assert not any(path.startswith(PAGE) for path in described["paths"])
    assert f"{PAGE} and the routes below it are a page" in described["info"]["description"]


# What the halves answer


def test_it_offers_the_presets_the_bases_and_the_demos_prompts(served: Running) -> None:
    shown = about(served)
    policies = {each["name"]: each for each in shown["policies"]}
    assert next(iter(policies)) == "default" and set(policies) == {*PRESETS, "blocking"}
    assert shown["bases"] == ["none", "self"] and shown["unguarded"] and shown["reads_layers"]
    assert {"shows": "memorised", "wanted": "stopped", "mode": "chat", "text": NUMBER} in shown["prompts"]
    assert {each["mode"] for each in shown["prompts"]} == {"chat", "text"}
    assert set(shown["origins"]) == set(Origin)
    default, sealed, blocking = (policies[name] for name in ("default", "sealed", "blocking"))
    assert default["purpose"].startswith("Withholds what the model remembers") and "own policy" in blocking["purpose"]
    assert (default["preset"], blocking["preset"]) == ("default", "")
    assert (default["outcomes"]["memorized"], default["outcomes"]["hallucinated"]) == ("withheld", "passes")
    assert default["outcomes"]["pretrained"].startswith("withheld, except transaction amount, ")
    assert {origin for origin, what in sealed["outcomes"].items() if what == "passes"} == {"echoed"}


def withheld_values(served: Running) -> Iterator[tuple[demo.Case, str, str]]:
    """Cases of the demo whose unguarded answer has memorised values, with their mode, and each value."""
    for case in demo.cases(demo.assets()):
        mode = "chat" if case.messages else "text"
        free = ask(served, case.prompt, "unguarded", mode=mode)
        for span in free.spans:
            if span["origin"] == "memorized" and span["at"] is not None:
                yield case, mode, free.text[slice(*span["at"])]
                break  # what follows in a guarded answer depends on this one


NUMBERS = re.compile(
    r"""(?<=[:,\[])-?\d+\.\d+(?:e-?\d+)?|(?<=^date: ).*$|(?<=^x-request-id: ).*$|(?<="created":)\d+"""
    r"""|"(?:id|request)":"(?:chatcmpl-|cmpl-)?[0-9a-f]+\b""",
    re.MULTILINE | re.IGNORECASE,
)
"""Times, probabilities, the date and ids. By chance their digits may be those of a value, which may have four."""


def test_no_withheld_value_is_in_what_the_guarded_half_sends(served: Running) -> None:
    tried = 0
    for case, mode, value in withheld_values(served):
        core = re.sub(r"\W", "", value)
        assert len(core) >= 4
        for policy, base in (("default", "none"), ("sealed", "none"), ("blocking", "none"), ("default", "self")):
            got = ask(served, case.prompt, mode=mode, policy=policy, base=base)
            if not any(span["action"] in ("redact", "block") for span in got.spans) and not got.error:
                assert base == "self"  # which says values of some kinds as surely, and these pass
                continue
            seen = NUMBERS.sub("", got.raw.decode()) + got.text
            assert value not in seen and core not in re.sub(r"\W", "", seen), (case.shows, policy)
            tried += 1
    assert tried >= 15


def test_a_blocked_answer_is_an_error_without_a_value(served: Running) -> None:
    got = ask(served, NUMBER, policy="blocking")
    assert got.error and not got.details and not any(map(str.isdigit, got.text))


def test_details_are_numbers_offsets_and_fixed_words(served: Running) -> None:
    got = ask(served, NUMBER)
    (span, *_) = got.spans
    assert got.text[slice(*span["at"])] == "<PHONE_NUMBER>" and span["action"] == "redact"
    assert span["origin"] == "memorized" and span["probability"] >= span["threshold"] > 0
    assert len(span["tokens"]) == len(span["layers"]) > 0 and span["cost_ms"]["detector"] > 0
    assert {len(token) for token in span["layers"]} == {8}
    for (own, base), by_layer in zip(span["tokens"], span["layers"], strict=True):
        assert base is None and own <= 0 and by_layer[-1] == pytest.approx(own, abs=0.01)  # the last lens is the output
    assert "because the policy's rule" in " ".join(span["says"]) and re.fullmatch(r"[0-9a-f]+", span["id"])
    words = {"id", "entity", "origin", "action", "reason", "would", "tier", "says"}
    for name, value in span.items():
        assert (
            name in words
            or not re.search(r"[a-z]", json.dumps(value).replace("null", "").replace("false", ""))
            or (name == "cost_ms")
        ), name


def test_a_base_gives_its_log_probabilities_and_changes_the_outcome(served: Running) -> None:
    question = "Who looks after Donald Noble as a doctor?"
    without, with_self = (ask(served, question, "unguarded", base=base) for base in ("none", "self"))
    (first, *_), (second, *_) = without.spans, with_self.spans
    assert first["origin"] == "memorized" and first["base"] is None
    assert second["origin"] == "pretrained" and second["base"] is not None
    for own, base in second["tokens"]:
        assert base == pytest.approx(own, abs=0.01)  # the base is the model itself


def test_the_policy_changes_the_outcome_and_the_unguarded_half_is_the_models_own_answer(served: Running) -> None:
    free, passed, sealed = ask(served, JOB, "unguarded"), ask(served, JOB), ask(served, JOB, policy="sealed")
    assert passed.text == free.text and passed.spans[0]["action"] == "allow"
    assert passed.spans[0]["origin"] == "hallucinated"
    value = free.text[slice(*free.spans[0]["at"])]
    assert value in passed.text and value not in sealed.raw.decode()
    assert sealed.spans[0]["origin"] == "unknown" and sealed.spans[0]["tokens"] == []


def test_context_and_echoed_values_are_distinguished(served: Running) -> None:
    mail = "You can email Jonathan Stanley at julie90@example.com."
    typed = ask(served, f"{mail} Which mailbox belongs to Jonathan Stanley?")
    assert [span["origin"] for span in typed.spans] == ["echoed"] and typed.spans[0]["cue"] == 1.0
    assert typed.spans[0]["tokens"] and "julie90" in typed.text


def test_values_come_with_their_text_while_the_answer_goes_on(served: Running) -> None:
    echoed, report = (
        next(each for each in about(served)["prompts"] if each["text"].startswith(start))
        for start in ("The phone number of", "Ward report on")
    )
    for half in ("guarded", "unguarded"):
        for question, mode in ((NUMBER, "chat"), (JOB, "chat"), (echoed["text"], "chat"), (report["text"], "text")):
            got = ask(served, question, half, mode=mode)
            if mode == "text":  # several values, and one that was stopped before
                assert half == "unguarded" or "suppressed" in {span["reason"] for span in got.spans}
            early = [{name: span[name] for name in ("entity", "origin", "action", "at")} for span in got.spans]
            assert got.early == early and early, (half, question)
            place, before = early[0]["at"], got.raw.decode().split("event: reticent.spans")[0]
            text = "".join(re.findall(r'"(?:content|text)":"((?:[^"\\\\]|\\\\.)*)"', before))
            assert len(text) >= place[1], "a value is shown when its text has left"


def test_the_unguarded_half_says_why_every_value_passes(served: Running) -> None:
    free, guarded = ask(served, NUMBER, "unguarded"), ask(served, JOB)
    assert any(each.startswith("Here every value passes") for each in free.spans[0]["says"])
    assert not any("policy" in each for each in free.spans[0]["says"])
    assert any("because the policy's rule" in each for each in guarded.spans[0]["says"])


def test_its_answers_are_counted_as_any_other(served: Running) -> None:
    before = served.count("spans_total")
    ask(served, NUMBER)
    assert served.count("spans_total") > before


def test_offsets_follow_replaced_and_missing_text() -> None:
    mappings = (OffsetMapping(0, 10, 10, False), OffsetMapping(10, 22, 14, True), OffsetMapping(22, 30, 8, False))
    assert shown_at(10, 22, mappings) == [10, 24] and shown_at(24, 28, mappings) == [26, 30]
    assert shown_at(-4, 3, mappings) == [0, 3] and shown_at(8, 12, mappings) == [8, 24]
    assert shown_at(40, 44, mappings) is None
    assert AnswerDetails("none", False).details(100) == {"spans": []}


def test_prompts_that_cannot_be_read_say_what_was_expected(tmp_path: Path) -> None:
    wrong = tmp_path / "prompts.json"
    for content in ("{", "[1]", '[{"shows": "a"}]', '[{"shows": "a", "text": "b", "wanted": "maybe"}]'):
        wrong.write_text(content)
        with pytest.raises(InputError, match="expected a JSON list"):
            read_prompts(wrong)
    assert [each["mode"] for each in read_prompts(None)] == ["chat"] * 3
    wrong.write_text('[{"shows": "a", "text": "b", "wanted": null}]')
    assert read_prompts(wrong) == [{"shows": "a", "wanted": "", "mode": "text", "text": "b"}]


def test_a_policy_is_described_by_the_shorter_list_of_exceptions() -> None:
    one = Policy(rules={"PHONE_NUMBER": {"hallucinated": Rule(Action.REDACT)}})
    assert outcome(one, Origin.HALLUCINATED, Tier.HIDDEN) == "passes, except phone number"
    badge = Policy(rules={"BADGE": {"echoed": Rule(Action.REDACT)}}, custom_entities=frozenset({"BADGE"}))
    assert outcome(badge, Origin.ECHOED, Tier.HIDDEN) == "passes, except BADGE"
    assert "organisation" not in outcome(Policy.default(), Origin.PRETRAINED, Tier.HIDDEN)
    assert "organisation" in outcome(Policy(also_find=frozenset({"ORGANIZATION"})), Origin.PRETRAINED, Tier.HIDDEN)
    watching = describe_policy(Policy(monitor=True), Tier.HIDDEN)
    assert set(watching["outcomes"].values()) == {"passes"} and "only monitors" in watching["purpose"]


def test_a_value_behind_a_stop_text_is_not_shown_early() -> None:
    watch, verdict = AnswerDetails("none", False), Verdict(Origin.HALLUCINATED, 0.1, 0.0, Tier.HIDDEN)
    record = SpanRecord("JOB_TITLE", 4, 12, False, "job", Decision(Action.ALLOW, verdict), 0, 0, 0.0)
    watch.on_release([OffsetMapping(0, 8, 8, False)], [record])
    assert watch.new_spans(8) == []  # the rest of it has not left
    watch.on_release([OffsetMapping(8, 20, 12, False)], [])
    assert watch.new_spans(10) == []
    shown = {"entity": "JOB_TITLE", "origin": "hallucinated", "action": "allow", "at": [4, 12]}
    assert watch.new_spans(20) == [shown] and watch.new_spans(20) == []
