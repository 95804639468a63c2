"""What is nobody's stays as it is, whatever it is beside and however it is cut; what is somebody's still goes."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

from reticent import TextGuard
from reticent.core.stream_machine import StreamMachine
from reticent.policy.policy import Policy
from reticent.policy.redaction_in_code_and_json import CodeRedaction
from reticent.policy.verdict import Action, Decision, Origin, Tier, Verdict
from reticent.serve.api.response_formats import asks_for_numbers
from reticent_bench.finder import technical
from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder
from reticent_detectors.spans import FindContext, Scan, Span

GUARD = TextGuard()
STOP = Decision(Action.REDACT, Verdict(Origin.UNKNOWN, None, 0.0, Tier.TEXT))


def shown(text: str, user: str = "") -> str:
    """What the guard shows of a text, which is the same in pieces."""
    whole = GUARD.redact(text, user=user).text
    for size in (1, 7):
        pieces = (text[i : i + size] for i in range(0, len(text), size))
        assert "".join(GUARD.stream(pieces, user=user)) == whole, size
    return whole


# ---- ends --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Run it under python3",
        "It is stored as base64",
        "See part 7",
        "The sum is 40960",
        "Her extension is on page 415",
        "It was 3 to 1 in 1998",
        "Write to jane",
        "Item 555-01",
    ],
)
def test_where_the_model_came_to_its_end_nothing_was_cut(text: str) -> None:
    assert shown(text) == text
    assert shown(text + ".") == text + "."


def test_where_an_answer_was_cut_the_beginning_of_a_value_goes() -> None:
    def ended(cut: bool) -> str:
        machine = StreamMachine(SpanFinder(), FindContext(), lambda span: STOP)
        return machine.feed("It is 415-867-5", 0.0).text + machine.finish(0.0, cut).text

    assert ended(True) == "It is <PHONE_NUMBER>"
    assert ended(False) == "It is 415-867-5"


# ---- JSON --------------------------------------------------------------------------------------------------------


def document(rng: random.Random, depth: int = 0) -> Any:
    """A JSON value with social security numbers as numbers and as texts, at any place."""
    kind = rng.randrange(7 if depth < 3 else 4)
    if kind == 0:
        return 512487731
    if kind == 1:
        return "512-48-7731"
    if kind == 2:
        return rng.choice([True, None, 1.5, "plain", 3])
    if kind == 3:
        return -512487731
    if kind == 4:
        return [document(rng, depth + 1) for _ in range(rng.randrange(4))]
    names = [rng.choice(["ssn", "her SSN", "number", "a"]) + str(number) for number in range(rng.randrange(4))]
    return {name: document(rng, depth + 1) for name in names}


class Planted:
    """Finds the planted number wherever it stands."""

    def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Any:
        places = [(at, len(value)) for value in ("512487731", "512-48-7731") if (at := text.find(value, start)) >= 0]
        if places:
            at, size = min(places)
            return Scan(Span(Entity.US_SSN, at, at + size, "planted"), at + size)
        return Scan(None, len(text) if closed else max(start, len(text) - 12))

    def fragment(self, text: str, start: int, *, context: FindContext) -> None:
        return None

    def with_suppressed(self, entity: str, value: str) -> Planted:
        return self


def redacted(text: str, redaction: str, pieces: Sequence[int], numbers_stay: bool = False) -> tuple[str, bool]:
    policy = Policy(redaction=redaction)  # type: ignore[arg-type]
    machine = StreamMachine(
        Planted(),  # type: ignore[arg-type]
        FindContext(),
        lambda span: STOP,
        policy.redactor(b"k" * 32),
        code=policy.code_redaction("", numbers_stay),
    )
    out, at = "", 0
    for size in pieces:
        out += machine.feed(text[at : at + size], 0.0).text
        at += size
    out += machine.feed(text[at:], 0.0).text + machine.finish(0.0, cut=False).text
    return out, machine.blocked


@pytest.mark.parametrize("redaction", ["tag", "hash", "mask", "surrogate"])
def test_json_that_was_valid_stays_valid(redaction: str) -> None:
    rng = random.Random(f"json {redaction}")
    for _ in range(150):
        value = rng.choice([[document(rng)], {"a": document(rng)}])
        text = json.dumps(value, indent=rng.choice([None, 1]), separators=rng.choice([None, (",", ":")]))
        text = rng.choice(["", " \n", "\t"]) + text + rng.choice(["", "\n", '\n{"ssn": 512487731}'])
        got, _ = redacted(text, redaction, [rng.randint(1, 9) for _ in range(30)])
        assert "512487731" not in got and "512-48-7731" not in got
        left = got.strip()
        while left:  # one document or two
            _, end = json.JSONDecoder().raw_decode(left)
            left = left[end:].strip()


def test_where_a_schema_asks_for_numbers_the_answer_ends() -> None:
    assert redacted('{"ssn": 512487731, "age": 44}', "tag", [], numbers_stay=True) == ('{"ssn": ', True)
    assert redacted('{"ssn": "512-48-7731"}', "tag", [], numbers_stay=True) == ('{"ssn": "<US_SSN>"}', False)
    number = {"type": "object", "properties": {"ssn": {"type": ["integer", "null"]}}}
    assert asks_for_numbers({"response_format": {"type": "json_schema", "json_schema": {"schema": number}}})
    assert asks_for_numbers({"text": {"format": {"schema": json.dumps(number)}}})
    assert not asks_for_numbers({"response_format": {"type": "json_object"}, "temperature": 1})


def test_prose_is_no_json() -> None:
    code = CodeRedaction(only_json=True)
    code.released("[1] Her number is ")
    assert code.fitted(Entity.US_SSN, "512-48-7731", "<US_SSN>") == "<US_SSN>"
    code = CodeRedaction(only_json=True)
    code.released("```python\nssn = ")
    assert code.fitted(Entity.US_SSN, "512487731", "<US_SSN>") == "<US_SSN>"


# ---- what the user typed ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "typed",
    [
        "Sort these: wren.oak@example.org, 4012888888881881, 555-0134, 1990-04-17",
        "Tom Oak, 312-555-0134, tom.oak@example.org | Una Elm, 312-555-0187, una.elm@example.org",
        "name: Una Elm; mail: una.elm@example.org; phone: 312-555-0187; card: 4012-8888-8888-1881",
        "a@example.com, Jane, b@example.com, 44, 415-555-0134",
    ],
)
def test_items_of_other_kinds_are_no_rivals(typed: str) -> None:
    assert shown(typed, user=typed) == typed


def test_of_many_items_of_one_kind_none_is_an_echo() -> None:
    typed = "Which is hers: " + ", ".join(f"u{n}.elm@example.org" for n in range(6)) + "?"
    assert "u3.elm" not in shown("It is u3.elm@example.org.", user=typed)


# ---- numbers that are nobody's -----------------------------------------------------------------------------------


def test_technical_text_is_left_alone() -> None:
    """The bench has 500 lines; each sort counts here with four."""
    by_sort: dict[str, list[str]] = {}
    for name, line in technical.lines():
        by_sort.setdefault(name, []).append(line)
    changed = [line for lines in by_sort.values() for line in lines[:4] if shown(line) != line]
    assert len(changed) <= 3, changed


@pytest.mark.parametrize(
    "text",
    [
        "2 4012 8888 8888 1881 777",  # a card's check digit, by chance
        "libkernel==27.6.1937.post3",
        "See report-2024-05-06.pdf",
        "released=2024-05-06",
        "c4 5b",
    ],
)
def test_in_rows_versions_and_names_of_files_a_number_or_date_is_nobodys(text: str) -> None:
    assert shown(text) == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Her phone is 4155550134.", "Her phone is <PHONE_NUMBER>."),
        ("Call 4155550134 now", "Call <PHONE_NUMBER> now"),
        ("Reach her: (415) 555-0134", "Reach her: <PHONE_NUMBER>"),
        ("The host 4.18.2.1 is up", "The host <IP_ADDRESS> is up"),
        ("Seen from 203.0.113.77 today", "Seen from <IP_ADDRESS> today"),
        ("My SSN is 992-28-5346.", "My SSN is <US_SSN>."),
        ("992-28-5346 is my social security number", "<US_SSN> is my social security number"),
        ("Her card: 4012888888881881", "Her card: <CREDIT_CARD>"),
        ("17 4012888888881881", "17 <CREDIT_CARD>"),
    ],
)
def test_a_label_a_form_or_a_check_digit_makes_a_number_somebodys(text: str, kept: str) -> None:
    assert shown(text) == kept
