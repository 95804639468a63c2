"""Redactions that keep source code parseable, and never show a part of a value."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from reticent.core.stream_machine import StreamMachine
from reticent.policy.code_position import CodePosition
from reticent.policy.policy import DEFAULT, Evidence, Policy
from reticent.policy.redaction_in_code_and_json import fitted
from reticent.policy.verdict import Decision, Tier
from reticent_bench.audits.code.language import parse_errors
from reticent_bench.audits.code.parse_check import ParseCheck
from reticent_bench.code_preset.files import SourceFile, source_files
from reticent_bench.code_preset.guarded import guarded, preset
from reticent_detectors.errors import PolicyError
from reticent_detectors.spans import FindContext, Scan, Span

REMEMBERED = Evidence(Tier.HIDDEN, 0.99)
SHOWN = "‹tag›"


def shown(left: str, value: str, tag: str = SHOWN, entity: str = "PIN", language: str = "python") -> str:
    """What replaces a value behind `left`, in a fence."""
    position = CodePosition()
    position.feed(f"So:\n```{language}\n{left}")
    return fitted(position, entity, value, tag)


@pytest.mark.parametrize(
    ("language", "left", "value", "expected"),
    [
        ("python", "pin = ", "4821", '"‹tag›"'),
        ("python", "pin = '", "4821", "‹tag›"),
        ("python", "login('bai_3', ", "pin=", "REDACTED_PIN="),
        ("python", "login('bai_3', ", "pin='672929'", 'REDACTED_PIN="‹tag›"'),
        ("python", "login('", "bai_3', pin='672929", "‹tag›"),
        ("python", "login('", "bai_3');", "‹tag›')"),
        ("python", "class T(", "unittest.TestCase", "REDACTED_PIN"),
        ("python", "user", "4821", "REDACTED_PIN"),
        ("python", "x = 12", "4821", "0"),
        ("python", "x = '''it's ", "4821", "‹tag›"),
        ("python", "x = '' + ", "4821", '"‹tag›"'),
        ("python", 'x = f"{', "4821", "'‹tag›'"),
        ("python", 'x = f"{{', "4821", "‹tag›"),
        ("python", "x = f\"{f('", "4821", "‹tag›"),
        ("python", 'x = "\\', "n4821", "\\‹tag›"),
        ("python", 'x = r"\\', "n4821", "‹tag›"),
        ("python", 'x = "', "4821\\", "‹tag›\\"),
        ("python", 'x = "\\u00', "314821", "00‹tag›"),
        ("python", 'x = b"', "4821", "<REDACTED_PIN>"),
        ("python", "x = 1  # it's ", "4821", "‹tag›"),
        ("python", "x = 1  # ", "4821\ny = 5", "‹tag›\n"),
        ("javascript", "x = 1; // it's ", "4821", "‹tag›"),
        ("javascript", "x = `it's ${", "4821", '"‹tag›"'),
        ("javascript", "x = `it's ", "4821", "‹tag›"),
        ("javascript", "m = /[\"'/]/.test(", "4821", '"‹tag›"'),
        ("javascript", "m = a / b / '", "4821", "‹tag›"),
        ("java", 'x = """\n "a" ', "4821", "‹tag›"),
        ("java", "char c = '\"'; x = ", "4821", "REDACTED_PIN"),
        ("python", "login(user, ", "pin='6729", "REDACTED_PIN='‹tag›"),
        ("python", "pin = ", "'4821", "'‹tag›"),
        ("python", "return", " 4821", ' "‹tag›"'),
        ("go", "x := `\\", "4821", "‹tag›"),
        ("go", "/* it's */ x := ", "4821", '"‹tag›"'),
        ("json", '{"class": ', "secret", '"‹tag›"'),
        ("text", "pin = ", "4821", "‹tag›"),
    ],
)
def test_a_redaction_fits_where_it_stands(language: str, left: str, value: str, expected: str) -> None:
    assert shown(left, value, language=language) == expected


@pytest.mark.parametrize("tag", ["''''", '""""', "\\\\\\\\", "{{{{", "`", "a\nb"])
def test_a_tag_that_would_break_a_string_is_replaced(tag: str) -> None:
    assert shown("x = '", "4821", tag) == "<REDACTED_PIN>"


def test_prose_around_code_is_left_alone() -> None:
    position = CodePosition()
    position.feed("It's here:\n```python\nx = 'a'\n```\nDon't call ")
    assert position.kind == "prose"
    assert fitted(position, "PHONE_NUMBER", "202-456-1414", SHOWN) == SHOWN


@pytest.mark.parametrize(
    "opening",
    [
        *("# A note\nimport os\n", "from a import b\n", "package a.b;\n", "package main\n", "const a = 1;\n"),
        *("```\ndef f():\n", "~~~js\n", "   ```go\n", "// note\n\nfunc f() {\n"),
    ],
)
def test_code_is_known_by_its_fence_or_its_first_line(opening: str) -> None:
    position = CodePosition()
    position.feed(opening)
    assert position.kind == "code"


@pytest.mark.parametrize("opening", ["Use this import:\n", "The import os is\n", "```text\n", "- const a\n", ""])
def test_prose_is_no_code(opening: str) -> None:
    position = CodePosition()
    position.feed(opening)
    assert position.kind == "prose"


def test_the_position_does_not_depend_on_cuts() -> None:
    for file in source_files(8, seed=3):
        whole, pieces = CodePosition(), CodePosition()
        whole.feed(file.source)
        for char in file.source:
            pieces.feed(char)
        assert whole == pieces


# Whole files


class Planted:
    """A finder that knows the planted values of a file, and takes some characters around them along."""

    def __init__(self, values: tuple[str, ...], before: int = 0, behind: int = 0) -> None:
        self._values, self._before, self._behind = values, before, behind

    def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Scan:
        reach = max(map(len, self._values)) + self._behind
        found = sorted((at, value) for value in self._values if (at := text.find(value, start)) >= 0)
        for at, value in found:
            end = min(len(text), at + len(value) + self._behind)
            if not closed and at + reach + self._before > len(text):
                break
            return Scan(Span("PIN", max(start, at - self._before), end), end)
        return Scan(None, len(text) if closed else max(start, len(text) - reach - self._before))

    def fragment(self, text: str, start: int, *, context: FindContext) -> Span | None:
        return None

    def with_suppressed(self, entity: str, value: str) -> Planted:
        return self


def through(file: SourceFile, answer: str, policy: Policy, cuts: random.Random, **around: int) -> str:
    """What the guard's own stream machine releases."""

    def judge(span: Span) -> Decision:
        return policy.decide(span.entity, REMEMBERED, machine.value_of(span))

    values = tuple({text for each in file.planted for text in (each.value, each.number) if text})
    machine = StreamMachine.from_policy(
        Planted(values, **around), FindContext(), judge, policy, policy.redactor(bytes(32))
    )
    out, at = "", 0
    while at < len(answer):
        step = cuts.randrange(1, 60)
        out += machine.feed(answer[at : at + step], now=0.0).text
        at += step
    return out + machine.finish(now=0.0, cut=False).text


def parsed(file: SourceFile, answer: str, text: str, opening: int) -> ParseCheck:
    after = text[opening : len(text) - (len(answer) - opening - len(file.source))]
    return ParseCheck(parse_errors(file.source, file.language), parse_errors(after, file.language))


@pytest.mark.parametrize("fenced", [True, False])
def test_files_parse_as_before_and_hold_no_planted_value(fenced: bool) -> None:
    cuts, policy = random.Random(1), preset()
    for file in source_files(280, seed=int(fenced)):
        opening = f"Here:\n```{file.language}\n" if fenced else ""
        answer = f"{opening}{file.source}" + ("```\nThat is all.\n" if fenced else "")
        text = through(file, answer, policy, cuts)
        check = parsed(file, answer, text, len(opening))
        assert check.before == 0 and not check.adds_errors, text
        assert not any(each.value in text for each in file.planted)


def test_without_fitting_files_break() -> None:
    policy = replace(preset(), fits_code=False)
    broken = 0
    for file in source_files(80, seed=1):
        text = through(file, file.source, policy, random.Random(1))
        broken += parsed(file, file.source, text, 0).adds_errors
    assert broken > 8


@pytest.mark.parametrize("around", [{"before": 1}, {"behind": 1}, {"before": 1, "behind": 1}])
def test_spans_with_a_quote_of_the_code_hold_no_planted_value(around: dict[str, int]) -> None:
    broken = files = 0
    for file in source_files(120, seed=2):
        text = through(file, file.source, preset(), random.Random(1), **around)
        assert not any(each.value in text for each in file.planted)
        files += 1
        broken += parsed(file, file.source, text, 0).adds_errors
    assert broken <= 0.05 * files, f"{broken} of {files}"


def test_the_span_finder_itself() -> None:
    for file in source_files(8, seed=4):
        text = guarded(file.source, preset()).text
        assert text == guarded(file.source, preset(), cuts=random.Random(1)).text
        assert not parsed(file, file.source, text, 0).adds_errors
        assert text != file.source


def test_a_completion_goes_on_in_the_code_of_its_prompt() -> None:
    before = 'import os\n\npassword = "a"\npin = '
    assert guarded("4821\nx = 1\n", preset(), before=before).text.startswith('"‹')


def test_a_seal_refuses_both() -> None:
    for name in ("placeholders", "fits_code"):
        with pytest.raises(PolicyError, match="seal: true with placeholders or fits_code"):
            replace(Policy.preset("sealed"), **{name: True})
    assert DEFAULT not in Policy.preset("code").with_thresholds({}).thresholds
