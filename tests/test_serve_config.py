"""The settings of the proxy: file, environment, command line, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from pydantic import BaseModel

from reticent.policy.policy import Policy
from reticent.policy.verdict import Action, Origin, Tier
from reticent.serve.config import load
from reticent.serve.config_template import TEMPLATE
from reticent.serve.settings import Settings
from reticent.shipped import default_bundle
from reticent_detectors.errors import InputError, PolicyError

UP = {"upstream": {"url": "http://127.0.0.1:8000"}}


UPSTREAM_ONLY = ("detector", "shadow")


def written(path: Path, data: Any) -> Path:
    path.write_text(data if isinstance(data, str) else yaml.safe_dump(data))
    return path


def test_an_upstream_is_enough_and_the_defaults_are_closed() -> None:
    settings = load(environ={}, overrides={"upstream.url": "http://127.0.0.1:8000/v1/"})
    assert settings.upstream.url == "http://127.0.0.1:8000"
    assert (settings.host, settings.metrics_host, settings.keys, settings.allow) == (
        "127.0.0.1",
        "127.0.0.1",
        (),
        frozenset(),
    )
    assert settings.on_stopped_call == "withhold"


def test_the_template_is_valid_and_shows_the_defaults(tmp_path: Path) -> None:
    settings = load(written(tmp_path / "a", TEMPLATE), {})
    assert settings == load(environ={}, overrides={"upstream.url": "http://127.0.0.1:8000"})
    shown = "\n".join(line.removeprefix("# ") if line.startswith("# ") else line for line in TEMPLATE.splitlines()[3:])
    everything = yaml.safe_load(shown)
    assert set(everything) == set(Settings.model_fields)
    assert set(everything["limits"]) == set(type(settings.limits).model_fields)
    for name, value in everything["limits"].items():
        assert value == getattr(settings.limits, name)
    env = {"CLINIC_KEY": "0123456789", "CANARY_VALUE": "555-010-0199"}
    with pytest.raises(InputError, match="either 'upstream'"):
        load(written(tmp_path / "b", shown), env)
    served = {name: value for name, value in everything.items() if name not in (*UPSTREAM_ONLY, "upstream")}
    assert load(written(tmp_path / "c", served), env).keys[0].allow == {"logprobs"}
    unnamed = load(None, {}, {"upstream.url": "http://127.0.0.1:1", "detector.models": ("m",)})
    assert unnamed.detector is not None and unnamed.detector.bundle == default_bundle()
    for other in ("detector", "shadow"):
        before = {name: value for name, value in everything.items() if name not in ("model", other)}
        loaded = load(written(tmp_path / "d", before), env)
        assert (loaded.detector is None) != (loaded.shadow is None)


def _fields(model: type[BaseModel], place: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield f"{place}{name}"
        for inner in (field.annotation, *get_args(field.annotation)):
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                yield from _fields(inner, f"{place}{name}.")


def test_every_setting_stands_in_the_template_with_a_sentence() -> None:
    shown: set[str] = set()
    parents: list[tuple[int, str]] = []
    for line in TEMPLATE.splitlines():
        found = re.match(r"( *)(- )?([a-z_]+):", re.sub(r"^( *)# ", r"\1", line))
        if found is None:
            continue
        assert re.search(r" # \S.{4,}$", line), f"no sentence: {line}"
        depth = len(found[1]) + len(found[2] or "")
        parents = [(at, name) for at, name in parents if at < depth]
        parents.append((depth, found[3]))
        shown.add(".".join(name for _, name in parents))
    missing = {name for name in _fields(Settings) if name not in shown and not name.startswith("tls.")}
    assert missing == set()


@pytest.mark.parametrize("name", ["clinic-rag", "sealed", "gateway", "code"])
def test_a_preset_or_a_file_is_a_policy_wherever_one_is_named(tmp_path: Path, name: str) -> None:
    file = written(tmp_path / "own.yaml", {"preset": name})
    key = {"key": "hunter2-hunter2", "policy": str(file), "may_choose": [name]}
    data = {**UP, "policy": name, "may_choose": ["sealed"], "keys": [key], "policies": {"a": name, "b": str(file)}}
    policies = load(written(tmp_path / "c.yaml", data), {}).policy_objects()
    assert {policies[each].digest_hex for each in (name, str(file), "a", "b")} == {Policy.preset(name).digest_hex}
    assert {"default", "sealed"} <= policies.keys()


def test_an_own_policy_comes_before_the_preset_of_its_name() -> None:
    settings = load(environ={}, overrides={"upstream.url": "http://h", "policy": "code", "policies": {"code": {}}})
    assert settings.policy_objects()["code"].digest_hex == Policy.default().digest_hex


def test_a_policy_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    settings = load(environ={}, overrides={"upstream.url": "http://h", "policy": str(tmp_path / "none.yaml")})
    with pytest.raises(PolicyError, match=r"Cannot read a policy from .*none\.yaml"):
        settings.policy_objects()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("port: 1\nupstream: {url: 'http://h'}\nport: 2\n", "'port'.*line 1"),
        (
            (
                "upstream: {url: 'http://h'}\npolicies:\n  a:\n"
                "    entities: {DEFAULT: {unknown: redact}}\n    entities: {}\n"
            ),
            "'entities'.*line 4",
        ),
        ("upstream: {url: 'http://h:8000/v1/chat/completions'}", "without a route"),
    ],
)
def test_what_would_be_overlooked_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        load(written(tmp_path / "a", text), {})


def test_command_line_before_environment_before_file(tmp_path: Path) -> None:
    path = written(tmp_path / "a", {**UP, "port": 1, "limits": {"inflight": 2}, "host": "::1"})
    env = {"RETICENT_SERVE_PORT": "3", "RETICENT_SERVE_LIMITS__INFLIGHT": "4", "OTHER": "5"}
    settings = load(path, env, {"port": 6, "host": None})
    assert (settings.port, settings.limits.inflight, settings.host) == (6, 4, "::1")


def test_variables_are_filled_in(tmp_path: Path) -> None:
    path = written(tmp_path / "a", {**UP, "keys": [{"key": "${K}-$$x-${L}"}]})
    settings = load(path, {"K": "secret", "L": "1"})
    assert settings.keys[0].key.get_secret_value() == "secret-$x-1"
    assert "secret" not in repr(settings)
    with pytest.raises(InputError, match="variable L, which is not set"):
        load(path, {"K": "secret"})


BAD: list[tuple[Any, str]] = [
    ({}, "upstream"),
    ({**UP, "oddity": 1}, r"Unknown setting \(str\)\. .*Choices: allow, canary"),
    ({"upstrem": {"url": "http://h"}}, "Unknown setting 'upstrem'.*Did you mean 'upstream'"),
    ({**UP, "limits": {"inflght": 1}}, "Unknown setting 'inflght' under 'limits'.*Did you mean 'inflight'"),
    ({**UP, "keys": [{"key": "hunter2-hunter2", "polcy": "x"}]}, "'polcy' under 'keys.0'.*Did you mean 'policy'"),
    ({**UP, "detector": {"bundle": "b"}}, "'detector.models' is missing.*--model NAME"),
    ({**UP, "port": "x"}, "'port': input should be a valid integer.*got str"),
    ({"upstream": {"url": "ftp://x"}}, "expected http"),
    ({"upstream": {"url": "http://u:p@x"}}, "expected http"),
    ({**UP, "host": "0.0.0.0"}, "loopback"),
    ({**UP, "policy": "deny_list: [hunter2/a]"}, "No policy of the given name stands under 'policies'"),
    ({**UP, "policy": "missing"}, "No policy 'missing' stands under 'policies', and it is neither a preset nor a file"),
    (
        {**UP, "policy": "clinc", "policies": {"clinic": {}}},
        "'clinc'.*Did you mean 'clinic'.*: clinic, clinic-rag, code, default, gateway",
    ),
    ({**UP, "port": 9464}, "'port' and 'metrics_port' are both 9464.*--metrics-port"),
    ({**UP, "port": 9464, "metrics_host": "0.0.0.0"}, "both 9464"),
    ({**UP, "port": 9464, "host": "localhost"}, "both 9464"),
    ({**UP, "keys": [{"key": "hunter2-hunter2", "policy": "missing"}]}, "policies"),
    ({**UP, "keys": [{"key": "hunter2"}]}, "8 characters"),
    ({**UP, "keys": [{"key": "hunter2-hunter2"}] * 2}, "twice"),
    ({**UP, "port": 70_000}, "port"),
    ({**UP, "limits": {"inflight": 0}}, "inflight"),
    ({**UP, "allow": ["everything"]}, "allow"),
    ("- a\n", "mapping"),
    ("a: [", "YAML"),
    ("\x00", "YAML"),
]


@pytest.mark.parametrize(("data", "expected"), BAD)
def test_what_is_wrong_is_reported_without_its_value(tmp_path: Path, data: Any, expected: str) -> None:
    with pytest.raises(InputError, match=expected) as error:
        load(written(tmp_path / "a", data), {})
    assert "hunter2" not in str(error.value)
    assert "Value error" not in str(error.value) and "settings:" not in str(error.value)


@pytest.mark.parametrize("name", ["jane.doe@example.com", "Jane Doe", "hunter123", "555-867-5309", "Maria"])
@pytest.mark.parametrize(
    "around",
    [
        lambda name: {name: 1},
        lambda name: {"limits": {name: 1}},
        lambda name: {"limits": {name: {name: 1}}},
        lambda name: {"keys": [{"key": "a-key-of-clinic", name: 1}]},
        lambda name: {"policies": {name: 5}},
        lambda name: {"log_level": name},
    ],
)
def test_a_name_that_is_none_of_ours_is_not_repeated(
    tmp_path: Path, name: str, around: Callable[[str], dict[str, Any]]
) -> None:
    with pytest.raises(InputError) as error:
        load(written(tmp_path / "a", {**UP, **around(name)}), {})
    assert name not in str(error.value)


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Cannot read settings"):
        load(tmp_path / "none", {})


def test_other_hosts_need_keys_or_an_open_door() -> None:
    assert load(environ={}, overrides={**{"upstream.url": "http://h"}, "host": "0.0.0.0", "open": True}).open
    keys = [{"key": "hunter2-hunter2"}]
    assert load(environ={}, overrides={"upstream.url": "http://h", "host": "0.0.0.0", "keys": keys}).keys


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("port: 1\nport: 2", "'port' twice in the block from line 1"),
        ("port: 1\npolicies: {hunter2: a, hunter2: b}", "a key twice in the block from line 2"),
        ("port: 1\npolicies: {p: {deny_list: [2001-13-45]}}", "no valid YAML at line 2."),
        ("port: 1\npolicies: {p: {deny_list: [*hunter2]}}", "no valid YAML at line 2."),
    ],
)
def test_broken_yaml_is_told_by_its_line(tmp_path: Path, text: str, expected: str) -> None:
    with pytest.raises(InputError) as error:
        load(written(tmp_path / "c.yaml", text), {})
    assert expected in str(error.value) and "hunter2" not in str(error.value)


def test_one_port_at_two_addresses_or_none_is_no_clash() -> None:
    for more in ({"metrics_host": "127.0.0.2"}, {"metrics_port": None}, {"port": 0, "metrics_port": 0}):
        assert Settings.model_validate({**UP, "port": 9464, **more})


def test_an_unknown_preset_is_reported_with_its_policy_and_those_there_are() -> None:
    settings = load(environ={}, overrides={"upstream.url": "http://h", "policies": {"s": {"preset": "seald"}}})
    with pytest.raises(
        PolicyError, match=r"'policies.s': Unknown preset 'seald'.*clinic-rag, code, default, gateway, sealed"
    ):
        settings.policy_objects()


def test_policies_are_those_of_the_policy_file() -> None:
    settings = load(environ={}, overrides={"upstream.url": "http://h", "policies": {"s": {"preset": "sealed"}}})
    policies = settings.policy_objects()
    assert set(policies) == {"default", "s"}
    assert policies["s"].rule("IBAN_CODE", Origin.UNKNOWN, Tier.TEXT).action is Action.REDACT
