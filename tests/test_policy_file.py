"""Policy files: what they mean, and how a wrong one is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reticent.policy.loading import load_policy, named_policy, parse_policy, policy_from
from reticent.policy.policy import (
    DEFAULT,
    AfterRedaction,
    Evidence,
    FailMode,
    HoldLimits,
    OnBlock,
    Policy,
    Rule,
    SecondLooks,
    Stage,
)
from reticent.policy.policy_template import policy_template
from reticent.policy.redaction import RedactionStyle
from reticent.policy.verdict import Action, Origin, Tier
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
deny_list: ["hash:AB12AB12AB12AB12AB12AB12AB12AB12"]
fail_mode: open
on_block: {replace: "I may not say that."}
on_overflow: block
hold: {max_tokens: 64, max_chars: 512, max_seconds: 2.5}
redaction: mask
mask_char: "*"
after_redaction: stop
max_rewinds: 2
second_looks: {steps: .inf, share: 0.5}
prevalence: 0.1
seal: false
monitor: true
"""


NO_VARIABLES = "Environment variables are read only in the settings of `reticent serve`."


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
    assert policy.deny_list == {"ab12" * 8}
    assert (policy.fail_mode, policy.on_block, policy.block_text) == (
        FailMode.OPEN,
        OnBlock.REPLACE,
        "I may not say that.",
    )
    assert (policy.on_overflow, policy.hold) == (Action.BLOCK, HoldLimits(64, 512, 2.5))
    assert policy.monitor
    assert (policy.redaction, policy.mask_char) == (RedactionStyle.MASK, "*")
    assert (policy.after_redaction, policy.max_rewinds) == (AfterRedaction.STOP, 2)
    assert (policy.prevalence, policy.seal) == (0.1, False)
    assert policy.second_looks == SecondLooks(float("inf"), 0.5)


def test_a_rate_of_false_positives_arrives() -> None:
    assert parse_policy("false_positives: 0.02").false_positives == 0.02
    assert parse_policy("{}").false_positives is None


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
        ("entities: {BADGE: {memorized: redact}}", ["Unknown entity (str)", "Choices:", "DEFAULT"]),
        (
            "entities: {DEFAULT: {memorised: redact}}",
            ["'memorised' under 'entities.DEFAULT'", "Did you mean 'memorized'", "unknown"],
        ),
        *(
            (f"entities: {{DEFAULT: {{{word}: redact}}}}", [f"Did you mean '{meant}'?", "Choices: context"])
            for word, meant in (
                *(("made_up", "hallucinated"), ("made-up", "hallucinated"), ("Made Up", "hallucinated")),
                *(("invented", "hallucinated"), ("memorised", "memorized"), ("remembered", "memorized")),
            )
        ),
        ("entities: {DEFAULT: {memorized: redakt}}", ["'redakt'", "Did you mean 'redact'", "block"]),
        ("entities: {DEFAULT: {memorized: {action: drop}}}", ["(str)", "allow, block, flag, redact"]),
        (
            "entities: {DEFAULT: {memorized: {action: flag, treshold: 1}}}",
            ["field 'treshold'", "Did you mean 'threshold'"],
        ),
        (
            "entities: {DEFAULT: {memorized: {threshold: 0.5}}}",
            ["memorized.action", "is missing", "Write it: allow, flag, redact or block."],
        ),
        (
            "entities: {DEFAULT: {memorized: {action: flag, threshold: 1.5}}}",
            ["threshold", "less than or equal to 1 (got 1.5)"],
        ),
        ("entities: {DEFAULT: {echoed: {action: flag, threshold: 0.5}}}", ["DEFAULT.echoed", "threshold"]),
        ("entities: [PHONE_NUMBER]", ["'entities'", "names with values", "got list"]),
        (
            "entities: {DEFAULT: redact}",
            ["'entities.DEFAULT'", "names with values, such as {memorized: block} (got str)"],
        ),
        ("fail_mod: closed", ["field 'fail_mod'", "Did you mean 'fail_mode'"]),
        ("on_block: finsh", ["'finsh'", "Did you mean 'finish'", "{replace: TEXT}"]),
        ("on_block: replace", ["{replace: TEXT}"]),
        ("on_block: {replace: ''}", ["{replace: TEXT}"]),
        ("rules: {}", ["'rules'", "Did you mean 'entities'"]),
        ("list_key: ${LIST_KEY}", ["'list_key'", "hexadecimal", NO_VARIABLES]),
        ("score_threshold: ${THRESHOLD}", ["'score_threshold'", NO_VARIABLES]),
        ("redaction: ${STYLE}", ["'redaction'", NO_VARIABLES]),
        ("custom_entities: [badge no 4]", ["'custom_entities.0'", "capitals"]),
        ("recognizers: {badge: {pattern: a1, examples: [a1]}}", ["'recognizers.str'", "capitals"]),
        ("recognizers: {X: {pattern: a1, examples: []}}", ["'recognizers.X.examples'", "expected at least 1 item"]),
        ("on_block: {}", ["'on_block.replace'", "is missing", "Write it: the text that replaces"]),
        ("on_block: {replce: x}", ["'replce'", "Did you mean 'replace'"]),
        ("{false_positives: 0.01, score_threshold: 0.5}", ["false_positives", "score_threshold", "Remove one"]),
        ("prevalnce: 0.5", ["field 'prevalnce'", "Did you mean 'prevalence'"]),
        ("fail_mode: {jugde: open}", ["'jugde' under 'fail_mode'", "Did you mean 'judge'", "find"]),
        ("fail_mode: {judge: opne}", ["'opne'", "'fail_mode.judge'", "Did you mean 'open'"]),
        ("fail_mode: {redact: open}", ["fail_mode.redact", "tag"]),
        ("fail_mode: [open]", ["'fail_mode'", "closed, open"]),
        ("preset: seald", ["preset 'seald'", "Did you mean 'sealed'", "clinic-rag, code, default, gateway, sealed"]),
        ("recognizers: {X: {pattern: '[0-9]{9}'}}", ["'recognizers.X.examples'", "is missing", "Write it: a list of"]),
        ("recognizers: {X: {examples: [a1]}}", ["'recognizers.X.pattern'", "is missing", "Write it: the value's form"]),
        ("recognizers: {X: {pattern: '', examples: [a1]}}", ["at least 1 character (got str). Correct it."]),
        ("preset: [sealed]", ["'preset'", "got list"]),
        ("preset: sealed\nentities: {DEFAULT: {hallucinated: allow}}", ["seal: true", "'allow' for 'hallucinated'"]),
        ("preset: sealed\nredaction: hash", ["seal: true", "'hash'", "'tag' or 'mask'"]),
        ("preset: sealed\nfail_mode: {judge: open}", ["seal: true", "fail_mode 'closed'"]),
        ("seal: true", ["seal: true", "preset 'sealed'"]),
        ("second_looks: {step: 5}", ["field 'step'", "under 'second_looks'", "Did you mean 'steps'"]),
        ("hold: {max_token: 5}", ["field 'max_token'", "under 'hold'", "Did you mean 'max_tokens'"]),
        (f"allow_list: [hash:{'ab' * 16}]", ["list_key"]),
        ("list_key: abc", ["list_key", "hexadecimal", "got str"]),
        ("- a\n- b", ["mapping", "got list"]),
        ("a: [", ["YAML", "line"]),
        ("monitor: true\ndeny_list: [2001-13-45]", ["no valid YAML at line 2."]),
        ("deny_list: [!!timestamp x]", ["no valid YAML at line 1."]),
        ("deny_list: [!!int '']", ["no valid YAML at line 1."]),
        ("monitor: true\nmonitor: false", ["'monitor'", "twice"]),
        ("entities:\n  DEFAULT: {echoed: allow}\n  DEFAULT: {echoed: block}", ["'DEFAULT'", "twice", "line 2"]),
    ],
)
def test_a_wrong_file_is_refused_with_the_nearest_name(text: str, words: list[str]) -> None:
    with pytest.raises(PolicyError) as error:
        parse_policy(text)
    assert [word for word in words if word not in str(error.value)] == [], str(error.value)


@pytest.mark.parametrize(
    "text", ["deny_list: [*hunter2]", "deny_list: {hunter2: 1, hunter2: 2}", "deny_list: [!hunter2 a]", "a: @hunter2"]
)
def test_no_text_of_a_broken_file_is_repeated(text: str) -> None:
    with pytest.raises(PolicyError, match="line 1") as error:
        parse_policy(text)
    assert "hunter2" not in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "deny_list: [hunter2]",
        "deny_list: [a/hunter2]",
        "deny_list:\n- a/hunter2\n",
        "hunter2",
        "hunter2 \0",
        "hunter2 " * 1000,
        "hunter2/" * 1000,
    ],
)
def test_a_policy_in_place_of_its_name_is_refused_without_its_text(text: str) -> None:
    with pytest.raises(PolicyError, match=r"no preset of the given name.*Choices: clinic-rag") as error:
        named_policy(text)
    assert "hunter2" not in str(error.value)


def test_a_misspelt_preset_is_named() -> None:
    with pytest.raises(PolicyError, match=r"no preset 'seeled'.*Did you mean 'sealed'"):
        named_policy("seeled")


def test_a_preset_is_the_base_that_the_rest_overrides() -> None:
    assert parse_policy("preset: clinic-rag").rules == Policy.preset("clinic-rag").rules
    policy = parse_policy(
        "preset: clinic-rag\n"
        "entities:\n"
        "  PHONE_NUMBER: {context: allow}\n"
        "  DIAGNOSIS: {memorized: block}\n"
        "  DEFAULT: {hallucinated: allow}\n"
        "hold: {max_seconds: 2}\n"
        "second_looks: {share: 0.5}\n"
    )
    base = Policy.preset("clinic-rag")
    assert policy.rules["PHONE_NUMBER"] == {Origin.CONTEXT: Rule(Action.ALLOW)}
    assert policy.rules["DIAGNOSIS"] == base.rules["DIAGNOSIS"] | {Origin.MEMORIZED: Rule(Action.BLOCK)}
    assert policy.rules[DEFAULT] == base.rules[DEFAULT] | {Origin.HALLUCINATED: Rule(Action.ALLOW)}
    assert policy.hold == HoldLimits(max_seconds=2.0)
    assert policy.second_looks == SecondLooks(share=0.5)
    assert parse_policy("preset: code\nmax_rewinds: 3").redaction is RedactionStyle.SURROGATE
    assert parse_policy("preset: code").max_rewinds == 16


def test_what_a_file_writes_out_wins_over_a_preset_even_if_it_is_the_usual() -> None:
    assert parse_policy("preset: code\nredaction: tag").redaction is RedactionStyle.TAG
    assert parse_policy("preset: code\nmax_rewinds: 4").max_rewinds == 4
    assert not parse_policy("preset: sealed\nseal: false\nredaction: hash").seal


def test_the_lists_of_a_preset_and_of_the_file_are_joined_under_one_key() -> None:
    policy = parse_policy('preset: code\nlist_key: "00112233445566778899aabbccddeeff"\nallow_list: ["202-456-1414"]')
    known = Evidence(Tier.HIDDEN, 0.99)
    for value in ("2024561414", "555-0100"):
        assert policy.decide(Entity.PHONE_NUMBER, known, value).action is Action.ALLOW
    assert policy.list_key == bytes.fromhex("00112233445566778899aabbccddeeff")


@pytest.mark.parametrize(
    ("text", "modes"),
    [
        ("fail_mode: open", ["open", "open", "closed"]),
        ("fail_mode: {judge: open}", ["closed", "open", "closed"]),
        ("fail_mode: {find: open, judge: closed, redact: closed}", ["open", "closed", "closed"]),
        ("fail_mode: {}", ["closed", "closed", "closed"]),
    ],
)
def test_fail_mode_for_all_stages_or_for_each(text: str, modes: list[str]) -> None:
    assert [str(parse_policy(text).fail_mode_of(stage)) for stage in Stage] == modes


def test_two_errors_are_both_reported() -> None:
    with pytest.raises(PolicyError) as error:
        policy_from({"fail_mod": "closed", "hold": {"max_chars": 0}})
    assert len(str(error.value).splitlines()) == 2


def test_errors_never_repeat_listed_values() -> None:
    with pytest.raises(PolicyError) as error:
        policy_from({"allow_list": "jane@example.com", "deny_list": [["555-0100"]]})
    assert "jane" not in str(error.value) and "0100" not in str(error.value)


@pytest.mark.parametrize("entry", ["hash:555-867-5309", "hash:zz", "hash:", "hash: AB12"])
@pytest.mark.parametrize("name", ["allow_list", "deny_list"])
def test_a_listed_hash_that_is_none_is_refused(name: str, entry: str) -> None:
    with pytest.raises(PolicyError, match=f"^'{name}.1' in a policy: expected 32 hexadecimal.*plain value") as error:
        policy_from({"list_key": "ab" * 16, name: ["555-010-0199", entry]})
    assert "867" not in str(error.value) and "zz" not in str(error.value)


@pytest.mark.parametrize(
    "value", ["please call Jane Doe about her cancer", "Jane Doe", "hunter123", "Maria", "Diabetes", "Peter"]
)
@pytest.mark.parametrize(
    "place",
    [
        "{%s: 1}",
        "{hold: {%s: 1}}",
        "{entities: {%s: 5}}",
        "{entities: {%s: {%s: 5}}}",
        "{entities: {%s: {memorized: {action: flag, threshold: 2}, echoed: {action: flag, threshold: 0.5}}}}",
        "{entities: {%s: {echoed: {action: flag, threshold: 0.5}}}}",
        "{preset: sealed, entities: {%s: {hallucinated: allow}}}",
        "{entities: {DEFAULT: {memorized: %s}}}",
        "{recognizers: {%s: {pattern: '[0-9]', examples: ['1']}}}",
        "{fail_mode: {%s: opne}}",
        "{on_block: %s}",
        "{on_block: {%s: 1}}",
        "{also_find: [%s]}",
        "{redaction: %s}",
        "{preset: %s}",
    ],
)
def test_errors_repeat_no_text_but_what_is_close_to_a_name(place: str, value: str) -> None:
    with pytest.raises(PolicyError) as error:
        parse_policy(place.replace("%s", value))
    assert value not in str(error.value)


def test_an_entry_of_a_wrong_type_is_one_error() -> None:
    with pytest.raises(PolicyError) as error:
        parse_policy("recognizers: {X: {pattern: '[0-9]{6}', examples: [471104]}}")
    assert str(error.value).startswith("'recognizers.X.examples.0' in a policy: input should be a valid string")
    assert len(str(error.value).splitlines()) == 1


def test_the_page_says_where_environment_variables_are_read() -> None:
    page = (Path(__file__).resolve().parent.parent / "docs" / "policy.md").read_text()
    assert NO_VARIABLES in " ".join(page.split())


def test_all_of_the_template_is_a_policy() -> None:
    policy = parse_policy(re.sub("^# ", "", policy_template(), flags=re.M))
    assert policy.recognizers[0].entity == "EMPLOYEE_ID"
    assert policy.threshold(Entity.PHONE_NUMBER) == 0.8


def test_what_is_said_of_a_rate_needs_no_line_above_it() -> None:
    with pytest.raises(PolicyError, match=r"Meaning: Share of made-up values .* in place of score_threshold"):
        parse_policy("false_positives: 5")


def test_yaml_runs_no_code() -> None:
    with pytest.raises(PolicyError):
        parse_policy("monitor: !!python/object/apply:os.getcwd []")


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(FULL)
    assert load_policy(path).score_threshold == 0.9
    assert load_policy(str(path)).monitor


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=r"absent\.yaml"):
        load_policy(tmp_path / "absent.yaml")
    with pytest.raises(PolicyError, match=r"pass Policy\.preset\('sealed'\)"):
        load_policy("sealed")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="UTF-8"):
        load_policy(tmp_path / "binary.yaml")
    (tmp_path / "huge.yaml").write_bytes(b"#" * (1 << 20) + b"#")
    with pytest.raises(PolicyError, match="at most"):
        load_policy(tmp_path / "huge.yaml")
