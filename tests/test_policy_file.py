"""Policy files: what they mean, and how a wrong one is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from reticent.policy import DEFAULT, FailMode, HoldLimits, OnBlock, Policy, Rule
from reticent.policy_file import load_policy, parse_policy, policy_from
from reticent.verdict import Action, Origin
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError, PolicyError

FULL = """
score_threshold: 0.9
entities:
  DEFAULT: {hallucinated: flag}
  PHONE_NUMBER:
    memorized: {action: block, threshold: 0.8}
    context: allow
  BADGE: {unknown: allow}
custom_entities: [BADGE]
list_key: "000102030405060708090a0b0c0d0e0f"
allow_list: ["+1 800 555 0100"]
deny_list: ["hash:AB12"]
fail_mode: open
on_block: {replace: "I may not say that."}
on_overflow: block
hold: {max_tokens: 64, max_chars: 512, max_seconds: 2.5}
redaction: tag
monitor: true
language: de
"""


def test_every_field_arrives() -> None:
    policy = parse_policy(FULL)
    assert policy.score_threshold == 0.9
    assert policy.rules == {
        DEFAULT: {Origin.HALLUCINATED: Rule(Action.FLAG)},
        "PHONE_NUMBER": {Origin.MEMORIZED: Rule(Action.BLOCK, 0.8), Origin.CONTEXT: Rule(Action.ALLOW)},
        "BADGE": {Origin.UNKNOWN: Rule(Action.ALLOW)},
    }
    assert policy.list_key == bytes(range(16))
    assert policy.digest("8005550100", Entity.PHONE_NUMBER) in policy.allow_list
    assert policy.deny_list == {"ab12"}
    assert (policy.fail_mode, policy.on_block, policy.block_text) == (
        FailMode.OPEN,
        OnBlock.REPLACE,
        "I may not say that.",
    )
    assert (policy.on_overflow, policy.hold) == (Action.BLOCK, HoldLimits(64, 512, 2.5))
    assert (policy.monitor, policy.language) == (True, "de")


@pytest.mark.parametrize("text", ["", "# nothing\n", "{}"])
def test_an_empty_file_is_the_default_policy(text: str) -> None:
    assert parse_policy(text) == Policy.default()


@pytest.mark.parametrize("end", ["finish", "error"])
def test_on_block_by_name(end: str) -> None:
    assert parse_policy(f"on_block: {end}").on_block is OnBlock(end)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "entities: {PHONE_NUMBR: {memorized: redact}}",
            ["entity 'PHONE_NUMBR'", "Did you mean 'PHONE_NUMBER'", "HOSPITAL"],
        ),
        ("entities: {PERSON: {memorized: redact}}", ["entity 'PERSON'", "Choices:", "DEFAULT"]),
        ("entities: {DEFAULT: {memorised: redact}}", ["origin 'memorised'", "Did you mean 'memorized'", "unknown"]),
        ("entities: {DEFAULT: {memorized: redakt}}", ["action 'redakt'", "Did you mean 'redact'", "block"]),
        ("entities: {DEFAULT: {memorized: {action: drop}}}", ["action 'drop'", "allow, block, flag, redact"]),
        (
            "entities: {DEFAULT: {memorized: {action: flag, treshold: 1}}}",
            ["field 'treshold'", "Did you mean 'threshold'"],
        ),
        ("entities: {DEFAULT: {memorized: {threshold: 0.5}}}", ["memorized.action", "required"]),
        ("entities: {DEFAULT: {memorized: {action: flag, threshold: 1.5}}}", ["threshold", "less than or equal to 1"]),
        ("entities: {DEFAULT: {echoed: {action: flag, threshold: 0.5}}}", ["DEFAULT.echoed", "threshold"]),
        ("entities: [PHONE_NUMBER]", ["'entities'", "dictionary", "got list"]),
        ("entities: {DEFAULT: redact}", ["entities.DEFAULT", "got str"]),
        ("fail_mod: closed", ["field 'fail_mod'", "Did you mean 'fail_mode'"]),
        ("fail_mode: shut", ["'shut'", "closed, open"]),
        ("on_block: stop", ["'stop'", "finish", "{replace: TEXT}"]),
        ("on_block: replace", ["{replace: TEXT}"]),
        ("on_block: {replce: x}", ["'replce'", "Did you mean 'replace'"]),
        ("on_overflow: flush", ["action 'flush'", "redact"]),
        ("redaction: masc", ["'masc'", "tag"]),
        ("hold: {max_token: 5}", ["field 'max_token'", "under 'hold'", "Did you mean 'max_tokens'"]),
        ("hold: {max_chars: 0}", ["hold.max_chars", "greater than 0"]),
        ("monitor: perhaps", ["'monitor'", "got str"]),
        ("score_threshold: .nan", ["score_threshold"]),
        ("allow_list: [hash:ab]", ["list_key"]),
        ("list_key: abc", ["list_key", "hexadecimal"]),
        ("- a\n- b", ["mapping", "got list"]),
        ("a: [", ["YAML", "line"]),
        ("monitor: true\nmonitor: false", ["'monitor'", "twice"]),
        ("entities:\n  DEFAULT: {echoed: allow}\n  DEFAULT: {echoed: block}", ["'DEFAULT'", "twice", "line 2"]),
    ],
)
def test_a_wrong_file_is_refused_with_the_nearest_name(text: str, words: list[str]) -> None:
    with pytest.raises(PolicyError) as error:
        parse_policy(text)
    assert [word for word in words if word not in str(error.value)] == [], str(error.value)


def test_two_errors_are_both_told() -> None:
    with pytest.raises(PolicyError) as error:
        policy_from({"fail_mod": "closed", "hold": {"max_chars": 0}})
    assert len(str(error.value).splitlines()) == 2


def test_errors_never_repeat_listed_values() -> None:
    with pytest.raises(PolicyError) as error:
        policy_from({"allow_list": "jane@example.com", "deny_list": [["555-0100"]]})
    assert "jane" not in str(error.value) and "0100" not in str(error.value)


def test_yaml_runs_no_code() -> None:
    with pytest.raises(PolicyError):
        parse_policy("monitor: !!python/object/apply:os.getcwd []")


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(FULL)
    assert load_policy(path).score_threshold == 0.9
    assert load_policy(str(path)).monitor


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=r"absent\.yaml"):
        load_policy(tmp_path / "absent.yaml")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="UTF-8"):
        load_policy(tmp_path / "binary.yaml")
    (tmp_path / "huge.yaml").write_bytes(b"#" * (1 << 20) + b"#")
    with pytest.raises(PolicyError, match="at most"):
        load_policy(tmp_path / "huge.yaml")
