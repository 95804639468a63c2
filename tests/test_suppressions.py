"""A suppression store, what it stops in the guard, and how running guards take up its changes."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import pickle
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import serve_golden as golden
from serve_upstream import Scripted, proxied, reply, says, until
from test_serve_app import completion

from reticent import Policy, TextGuard
from reticent.key_files import write_key
from reticent.policy.policy import AfterRedaction, Rule
from reticent.policy.redaction import RedactionStyle
from reticent.policy.verdict import Action, Origin, Reason
from reticent.records.either import EitherIndex
from reticent.records.index import RecordsIndex
from reticent.serve.followed_suppressions import follow
from reticent.serve.judging.choice_texts import ChoiceTexts
from reticent.suppressions.active import SuppressionList
from reticent.suppressions.entry import Entry, EntryKind
from reticent.suppressions.receipt import check_receipt, receipt
from reticent.suppressions.store import SuppressionStore
from reticent.suppressions.watched import Suppressions
from reticent_detectors.errors import InputError, WrongType

KEY, NOW = b"s" * 32, datetime(2026, 12, 1, tzinfo=UTC)
PHONE, EMAIL, ADDRESS = "+1 555 010 0177", "jane.roe@example.org", "12 High Street, Leeds"
VALUES = [("PHONE_NUMBER", PHONE), ("EMAIL_ADDRESS", EMAIL), ("ADDRESS", ADDRESS)]
NAME = "Jane Roebuck"
REFERENCE = "GDPR Art. 17, case 114"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    write_key(tmp_path / "p.key", KEY)
    edit(tmp_path / "p.suppressions", lambda opened: opened.add(VALUES, reference=REFERENCE))
    return tmp_path / "p.suppressions"


def edit(path: Path, change: Callable[[SuppressionStore], Any], now: datetime = NOW) -> Any:
    with SuppressionStore.editing(path, KEY, now) as opened:
        return change(opened)


def add_subject(path: Path) -> list[Entry]:
    added: list[Entry] = edit(
        path, lambda opened: opened.add([("PERSON", NAME)], reference=REFERENCE, kind=EntryKind.SUBJECT)
    )
    return added


def shown(path: Path, text: str, policy: Policy | None = None, step: int = 0, **more: Any) -> str:
    """What a guard shows of a text, whole or in pieces, that lets everything pass but what is suppressed."""
    said = {name: more.pop(name) for name in ("user", "context") if name in more}
    guard = TextGuard(policy or Policy.allow_all(), suppressions=Suppressions.open(path), **more)
    if not step:
        return guard.redact(text, **said).text
    return "".join(guard.stream((text[at : at + step] for at in range(0, len(text), step)), **said))


# The store


def test_a_store_holds_no_value_and_gives_back_its_entries(store: Path) -> None:
    add_subject(store)
    raw = store.read_text().casefold()
    for secret in ("0100177", "5550100177", "jane", "roebuck", "example.org", "high", "leeds"):
        assert secret not in raw
    read = SuppressionStore.read(store, KEY, NOW)
    assert [(each.kind, each.entity) for each in read.entries] == [
        *(("value", kind) for kind, _ in VALUES), ("subject", "PERSON"),
    ]  # fmt: skip
    assert {each.created for each in read.entries} == {NOW}
    for private in (read, Suppressions.open(store)):
        assert KEY.hex() not in repr(private) and repr(KEY) not in repr(private)
        with pytest.raises(TypeError, match="hold"):
            pickle.dumps(private)
    assert "0177" not in repr(read.entries)


def test_a_removed_entry_leaves_no_hash(store: Path) -> None:
    first = SuppressionStore.read(store, KEY, NOW).entries[0]
    assert first.digest in store.read_text()
    edit(store, lambda opened: opened.remove([first.id]))
    assert first.digest not in store.read_text()
    assert shown(store, f"Call {PHONE}.") == f"Call {PHONE}."
    with pytest.raises(InputError, match="forget list"):
        edit(store, lambda opened: opened.remove([first.id]))
    assert len(SuppressionStore.read(store, KEY, NOW).entries) == 2


@pytest.mark.parametrize(
    ("spoil", "says_what"),
    [
        (lambda raw: raw[:-40], "cut short or was edited"),
        (lambda raw: raw.replace(b"case 114", b"case 115"), "cut short or was edited"),
        (lambda raw: b"\n".join(raw.split(b"\n")[:2] + raw.split(b"\n")[3:]), "cut short or was edited"),
        (lambda raw: raw.replace(b'"version": 1', b'"version": 9'), "spells values otherwise"),
        (lambda raw: b"reticent-records" + raw, "no suppression store"),
        (lambda raw: b"[]\n", "no suppression store"),
        (lambda raw: b"", "no suppression store"),
        (lambda raw: b"\xff\xfe\x00", "no suppression store"),
    ],
)
def test_a_file_that_is_no_whole_store_is_refused(store: Path, spoil: Callable[[bytes], bytes], says_what: str) -> None:
    store.write_bytes(spoil(store.read_bytes()))
    with pytest.raises(InputError, match=says_what) as error:
        Suppressions.open(store)
    assert "0177" not in str(error.value) and "jane" not in str(error.value)


def test_keys_that_are_missing_or_of_another_store_are_refused(store: Path, tmp_path: Path) -> None:
    write_key(tmp_path / "other.key", b"o" * 32)
    with pytest.raises(InputError, match="The key does not belong"):
        Suppressions.open(store, tmp_path / "other.key")
    (tmp_path / "p.key").unlink()
    with pytest.raises(InputError, match="There is no key"):
        Suppressions.open(store)
    with pytest.raises(InputError, match="no suppression store"):
        Suppressions.open(tmp_path / "nowhere")


def test_what_cannot_be_suppressed_adds_nothing(store: Path) -> None:
    def refused(match: str, values: list[tuple[str, str]], **more: Any) -> None:
        before = store.read_bytes()
        with pytest.raises(InputError, match=match) as error:
            edit(store, lambda opened: opened.add(values, **{"reference": REFERENCE, **more}))
        assert store.read_bytes() == before and "Jo Li" not in str(error.value)

    refused("Value 2: a PHONE_NUMBER is too short", [VALUES[0], ("PHONE_NUMBER", "5")])
    refused("first and last name", [("PERSON", "Jo Li")], kind=EntryKind.SUBJECT)
    refused("first and last name", [("PERSON", "Jane")], kind=EntryKind.SUBJECT)
    refused("expired at 2026-11-30", VALUES, expires=NOW - timedelta(days=1))
    refused("holds a value", VALUES, reference="on behalf of jane.roe@example.org")
    refused("one line of 1 to 200", VALUES, reference="x" * 201)
    refused("one line", VALUES, reference="a\nb")


def test_a_receipt_says_what_is_suppressed_and_what_that_is_not(store: Path) -> None:
    add_subject(store)
    opened = SuppressionStore.read(store, KEY, NOW)
    made = receipt(opened.entries, KEY, NOW)
    text = json.dumps(made)
    assert "not erasure from the model" in made["statement"] and "unchanged" in made["statement"]
    assert [each["digest"] for each in made["entries"]] == [each.digest for each in opened.entries]
    assert made["entries"][0] | {"since": "2026-12-01T00:00:00Z", "until": "it is removed"} == made["entries"][0]
    assert "0177" not in text and "roe" not in text.casefold().replace("erroe", "")
    assert check_receipt(text, KEY)["issued"] == "2026-12-01T00:00:00Z"
    for spoilt, key, match in (
        (text.replace("active", "removed"), KEY, "edited"),
        (text, b"o" * 32, "another key"),
        ("{}", KEY, "no receipt"),
        ("[]", KEY, "no receipt"),
    ):
        with pytest.raises(InputError, match=match):
            check_receipt(spoilt, key)


# In the guard


@pytest.mark.parametrize("step", [0, 1, 4, 7])
def test_a_value_is_stopped_in_every_spelling_however_the_text_is_cut(store: Path, step: int) -> None:
    text = "Call 555.010.0177, or (555) 010 0177; write to Jane.Roe@Example.org. Mr Smith is at 555-010-0199."
    assert shown(store, text, step=step) == (
        "Call <PHONE_NUMBER>, or <PHONE_NUMBER>; write to <EMAIL_ADDRESS>. Mr Smith is at 555-010-0199."
    )


@pytest.mark.parametrize("step", [0, 3])
def test_it_is_stopped_where_the_finder_sees_no_value(store: Path, step: int) -> None:
    for text in ("ref=x5550100177y", "<b>12 High</b> Street, Leeds", "five five five 010 0177", "55 501 001 77"):
        assert shown(store, text, step=step) != text
    assert "0177" not in shown(store, "ref=x5550100177y", step=step)


def test_what_the_user_typed_passes_and_what_the_operator_gave_does_not(store: Path) -> None:
    text = f"It is {PHONE}."
    assert shown(store, text, user=f"Is it {PHONE}?") == text
    assert shown(store, text, context=f"Her number: {PHONE}") == "It is <PHONE_NUMBER>."


def test_it_comes_before_every_other_list_and_rule(store: Path) -> None:
    text, allowed = f"It is {PHONE}.", Policy.allow_all().with_lists(allow=[PHONE])
    assert shown(store, text, allowed) == "It is <PHONE_NUMBER>."
    blocks = Policy(rules={"DEFAULT": {origin: Rule(Action.BLOCK) for origin in Origin}})
    guard = TextGuard(blocks, suppressions=Suppressions.open(store))
    assert guard.redact(text).report.blocked
    watched = TextGuard(Policy(monitor=True), suppressions=Suppressions.open(store)).redact(text)
    assert watched.text == text
    assert [s.decision.monitored_action for s in watched.report.spans] == [Action.REDACT]
    masks = Policy(redaction=RedactionStyle.MASK)
    assert "0177" not in shown(store, text, masks)


def test_a_value_that_the_end_cuts_is_stopped_if_a_suppressed_one_begins_so(store: Path) -> None:
    active = SuppressionList(SuppressionStore.read(store, KEY, NOW).entries, KEY, NOW)
    for cut in ("+1 555 01", "555 010 01", "12 High Str", "jane.ro", "jane.roe@exam", "55"):
        assert active.may_begin_with(cut), cut
    for cut in ("+1 212 01", "14 Low Str", "mary.ro@"):
        assert not active.may_begin_with(cut), cut


@pytest.mark.parametrize("step", [0, 5])
@pytest.mark.parametrize(
    ("user", "answer", "stopped"),
    [
        ("What is Jane Roebuck's number?", "It is 555-010-0142.", True),
        ("what is jane roebuck's number?", "It is 555-010-0142.", True),
        ("Hi", "Roebuck, Jane: 555-010-0142.", True),
        ("Hi", "Dr. Jane M. Roebuck is at 555-010-0142.", True),
        ("Hi", "Jane is at 555-010-0142.", False),
        ("What is Joan Roebuck's number?", "It is 555-010-0142.", False),
        ("Is 555-010-0142 Jane Roebuck's number?", "Yes, 555-010-0142.", False),  # the user typed it
    ],
)
def test_where_a_person_is_named_personal_values_are_stopped(
    store: Path, user: str, answer: str, stopped: bool, step: int
) -> None:
    add_subject(store)
    expected = answer.replace("555-010-0142", "<PHONE_NUMBER>") if stopped else answer
    assert shown(store, answer, user=user, step=step) == expected


OTHER, CONTINUES = "555-010-0142", replace(Policy.allow_all(), after_redaction=AfterRedaction.CONTINUE)


def call_of(**arguments: str) -> list[dict[str, Any]]:
    function = {"name": "find", "arguments": json.dumps(arguments)}
    return [{"id": "c1", "type": "function", "function": function}]


def of_message(path: Path, message: dict[str, Any], *earlier: dict[str, Any], **more: Any) -> str:
    """The message that a proxy shows of an answer to 'Tell me about her' after these turns, as JSON."""
    active = SuppressionList(SuppressionStore.read(path, KEY, NOW).entries, KEY, NOW)
    turns = [*earlier, {"role": "user", "content": "Tell me about her"}]
    body = json.loads(completion("")) | {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    out = golden.whole(body, CONTINUES, suppressions=active, messages=turns, **more)
    return json.dumps(out["choices"][0]["message"])


@pytest.mark.parametrize(
    "message",
    [
        {"reasoning_content": f"She means {NAME}.", "content": f"It is {OTHER}."},
        {"content": f"It is {OTHER}.", "reasoning_content": f"She means {NAME}."},  # as vLLM orders them
        {"content": f"I call {NAME}.", "tool_calls": call_of(phone=OTHER)},
        {"content": None, "tool_calls": [*call_of(q=NAME), *call_of(phone=OTHER)]},
        {"content": None, "tool_calls": call_of(phone=OTHER, last="Roebuck", first="Jane")},
    ],
)
def test_a_person_is_named_in_any_text_of_an_answer(store: Path, message: dict[str, Any]) -> None:
    tools = [{"type": "function", "function": {"name": "find"}}]
    assert OTHER in of_message(store, message, tools=tools)  # before anybody asked
    add_subject(store)
    assert OTHER not in of_message(store, message, tools=tools)


def test_a_person_is_named_in_the_thoughts_of_a_stream(store: Path) -> None:
    add_subject(store)
    active = SuppressionList(SuppressionStore.read(store, KEY, NOW).entries, KEY, NOW)
    said = [("reasoning_content", f"She means {NAME}. "), ("content", "It "), ("reasoning_content", "So."),
            *(("content", each) for each in f"is {OTHER}.")]  # fmt: skip
    stream = [golden.event({"choices": [{"index": 0, "delta": {name: text}}]}) for name, text in said]
    end = golden.event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    out = golden.run([*stream, end], CONTINUES, suppressions=active)
    assert golden.said(out) == "It is <PHONE_NUMBER>."
    assert NAME in golden.said(out, field="reasoning_content")


@pytest.mark.parametrize(
    "earlier",
    [
        {"role": "assistant", "content": f"{NAME}. {'She is well. ' * 500}"},
        {"role": "assistant", "content": None, "tool_calls": call_of(q=NAME)},
        {"role": "system", "content": f"You help {NAME}."},
        {"role": "tool", "tool_call_id": "c1", "content": f"Found: {NAME}"},
    ],
)
def test_a_person_is_named_in_any_turn_before(store: Path, earlier: dict[str, Any]) -> None:
    message = {"content": f"It is {OTHER}."}
    first = {"role": "user", "content": "Who is it?"}
    add_subject(store)
    assert OTHER not in of_message(store, message, first, earlier)
    unnamed = json.loads(json.dumps(earlier).replace("Roebuck", "Rowe"))
    assert OTHER in of_message(store, message, first, unnamed)


def test_the_end_of_an_answer_is_kept_over_its_texts() -> None:
    texts = ChoiceTexts()
    for name, text in (("content", "x" * 9_000), ("reasoning", "Jane "), ("content", "It"), ("reasoning", "Roebuck")):
        texts.add(name, text)
    assert texts.beside("content") == ("Jane Roebuck",)
    assert [len(each) for each in texts.beside("reasoning")] == [8_002]
    texts.add("content", "y" * 8_000)
    assert texts.beside("reasoning") == ("y" * 8_000,) and texts.beside("content") == ()


def test_a_named_person_stops_no_emergency_line_and_nothing_that_is_allowed(store: Path) -> None:
    add_subject(store)
    policy = Policy.allow_all().with_lists(allow=["555-010-0142"])
    text = "For Jane Roebuck call 911 or 555-010-0142, not 555-010-0143."
    assert shown(store, text, policy) == "For Jane Roebuck call 911 or 555-010-0142, not <PHONE_NUMBER>."


def test_beside_a_records_index_both_are_stopped_and_told_apart(store: Path) -> None:
    index = RecordsIndex.build([("PHONE_NUMBER", "+1 212 555 0123")], key=b"k" * 32)
    guard = TextGuard(records=index, suppressions=Suppressions.open(store))
    found = guard.redact(f"Call {PHONE} or 212.555.0123, or x2125550123x and y5550100177y, but not 555-010-0199.")
    reasons = [(s.decision.reason, s.decision.verdict.origin) for s in found.report.spans]
    suppressed, recorded = (Reason.SUPPRESSION_LIST, Origin.UNKNOWN), (Reason.RULE, Origin.MEMORIZED)
    assert reasons == [suppressed, recorded, recorded, suppressed, (Reason.RULE, Origin.UNKNOWN)]
    assert "0177" not in found.text and "0123" not in found.text and "0199" in found.text


def test_either_index_says_what_one_of_them_says() -> None:
    values = [*VALUES, ("PERSON", NAME), ("DATE_OF_BIRTH", "1971-05-03")]
    one, other = (RecordsIndex.build(part, key=key) for part, key in ((values[:2], KEY), (values[2:], b"k" * 32)))
    both, whole = EitherIndex.of(one, other), RecordsIndex.build(values, key=KEY)
    assert isinstance(both, EitherIndex)
    sizes = ("digit_counts", "run_sizes", "word_counts", "letter_sizes", "group_counts", "has_mail", "has_dates")
    assert {name: getattr(both, name) for name in sizes} == {name: getattr(whole, name) for name in sizes}
    assert all(both.contains(value, entity) for entity, value in values)
    asked: list[tuple[str, tuple[Any, ...]]] = [
        ("kind_of_digits", ("15550100177",)), ("kind_of_mail", (EMAIL,)), ("kind_of_words", (("jane", "roebuck"),)),
        ("kind_of_day", ("19710503",)), ("kind_of_letters", ("janeroebuck",)), ("has_mail_domain", ("example.org",)),
        ("has_group", ("0177",)), ("has_groups", ("555", "0177")), ("words_begin", (("jane",),)),
        ("may_begin", ("1555",)), ("letters_begin", ("jane",)), ("kind_of_groups", (("010", "0177", "555"),)),
        ("has_mail_local", ("jane.roe",)), ("run_begins", ("janeroe",)), ("kind_of_run", ("janeroeexampleorg",)),
    ]  # fmt: skip
    for name, given in asked:
        assert getattr(both, name)(*given) == getattr(whole, name)(*given) and getattr(both, name)(*given), name
        assert not getattr(both, name)(*(("zz9",) if isinstance(each, tuple) else "zz9" for each in given))
    assert EitherIndex.of(None, other) is other and EitherIndex.of(None, None) is None


def test_a_guard_says_what_it_takes(store: Path) -> None:
    with pytest.raises(WrongType, match=r"Suppressions\.open"):
        TextGuard(suppressions=str(store))  # type: ignore[arg-type]


# Changes while a guard runs


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """Seconds that have passed for those who look at the file."""
    passed = [0.0]
    monkeypatch.setattr("reticent.suppressions.watched.monotonic", lambda: passed[0])
    yield passed


def test_the_next_request_sees_a_change_and_a_running_one_does_not(store: Path, clock: list[float]) -> None:
    guard = TextGuard(Policy.allow_all(), suppressions=Suppressions.open(store))
    before = guard.open()
    edit(store, lambda opened: opened.add([("PHONE_NUMBER", "555-010-0199")], reference=REFERENCE))
    assert guard.redact("At 555-010-0199.").text == "At 555-010-0199."  # it looked less than a second ago
    clock[0] += 1.0
    assert guard.redact("At 555-010-0199.").text == "At <PHONE_NUMBER>."
    assert "".join([*before.feed("At 555-010-0199."), *before.finish()]) == "At 555-010-0199."


def test_a_broken_file_keeps_the_former_entries_and_is_told_once(
    store: Path, clock: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    failed, loaded = list[None](), list[int]()
    watched = Suppressions.open(store, None, lambda: failed.append(None), loaded.append)
    good = store.read_bytes()
    for broken in (good[:-30], None, b"not a store"):
        store.unlink() if broken is None else store.write_bytes(broken)
        for _ in range(3):
            clock[0] += 1.0
            assert watched.current().holds(PHONE, "PHONE_NUMBER")
    assert (len(failed), loaded) == (3, [3])
    told = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert len(told) == 3 and all("the former entries hold" in line and "0177" not in line for line in told)
    store.write_bytes(good)
    edit(store, lambda opened: opened.remove([opened.entries[0].id]))
    clock[0] += 1.0
    assert not watched.current().holds(PHONE, "PHONE_NUMBER") and loaded == [3, 2]


def test_a_change_is_taken_up_after_a_read_that_failed(
    store: Path, clock: list[float], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failed, loaded = list[None](), list[int]()
    watched = Suppressions.open(store, None, lambda: failed.append(None), loaded.append)
    edit(store, lambda opened: opened.remove([opened.entries[0].id]))
    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", lambda self: (_ for _ in ()).throw(OSError(5, "Input/output error")))
        for _ in range(2):
            clock[0] += 1.0
            assert len(watched.current()) == 3
    clock[0] += 1.0
    assert len(watched.current()) == 2 and loaded == [3, 2] and len(failed) == 1
    assert len([record for record in caplog.records if record.levelno == logging.ERROR]) == 1


def test_a_look_that_fails_is_followed_by_the_next(
    store: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    looks, threads = threading.Semaphore(0), set[str]()

    def look(self: Suppressions) -> None:
        looks.release()
        threads.add(threading.current_thread().name)
        raise RuntimeError(PHONE)

    async def following() -> None:
        async with follow(Suppressions.open(store)):
            for _ in range(3):
                assert looks.acquire(timeout=5.0)  # while the event loop stands still

    monkeypatch.setattr("reticent.serve.followed_suppressions.LOOK_SECONDS", 0.01)
    monkeypatch.setattr(Suppressions, "look", look)
    asyncio.run(following())
    assert threads == {"suppressions"} and until(lambda: not any(t.name in threads for t in threading.enumerate()), 5.0)
    assert "RuntimeError" in caplog.text and PHONE not in caplog.text


def test_an_entry_expires_without_a_change_of_the_file(
    store: Path, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Calendar(datetime):
        today = NOW

        @classmethod
        def now(cls, tz: Any = None) -> Calendar:
            return cls.fromtimestamp(cls.today.timestamp(), tz)

    monkeypatch.setattr("reticent.suppressions.watched.datetime", Calendar)
    tomorrow = NOW + timedelta(days=1)
    edit(store, lambda opened: opened.add([("IBAN_CODE", golden.IBAN)], reference=REFERENCE, expires=tomorrow))
    watched = Suppressions.open(store)
    clock[0] += 1.0
    assert len(watched.current()) == 4
    Calendar.today = tomorrow
    clock[0] += 1.0
    assert len(watched.current()) == 3 and not watched.current().holds(golden.IBAN, "IBAN_CODE")


def test_a_proxy_takes_up_changes_where_nobody_asks(store: Path) -> None:
    upstream = Scripted()
    upstream.script = says(reply(completion(f"Call {PHONE} or 555-010-0199.")))
    passes = {"DEFAULT": {"unknown": "allow"}}
    settings = {
        "policies": {"strict": {"entities": passes, "after_redaction": "continue"}},
        "suppressions": {"store": str(store)},
    }

    def said() -> str:
        content: str = running.post(golden.request_body()).json()["choices"][0]["message"]["content"]
        return content

    with proxied(upstream.url, **settings) as running:
        assert said() == "Call <PHONE_NUMBER> or 555-010-0199."
        assert running.count("suppression_entries") == 3
        redact = running.post({"text": f"Call {PHONE}."}, "/v1/redact")
        assert redact.status_code == 403 and "suppressions" in redact.json()["error"]["message"]
        edit(store, lambda opened: opened.add([("PHONE_NUMBER", "555-010-0199")], reference=REFERENCE))
        assert until(lambda: running.count("suppression_entries") == 4, 5.0)
        assert said() == "Call <PHONE_NUMBER> or <PHONE_NUMBER>."
        os.truncate(store, 100)
        assert until(lambda: running.count("failures_total", stage="suppressions", mode="open") == 1, 5.0)
        assert said() == "Call <PHONE_NUMBER> or <PHONE_NUMBER>."
    upstream.close()
