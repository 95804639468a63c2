"""The settings of a policy: each is declared once, and the same in Python, files, digests and documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

import pytest
import yaml
from annotated_types import BaseMetadata, Ge, Gt, Le, Lt

from reticent.policy.checked_settings import settings_of
from reticent.policy.file_format import PolicyFile
from reticent.policy.loading import load_policy, policy_from
from reticent.policy.options import HoldLimits, SecondLooks
from reticent.policy.policy import DEFAULT, Policy, Rule
from reticent.policy.verdict import Action, Origin
from reticent_detectors.errors import PolicyError
from reticent_detectors.finder.own_forms import OwnForm

ROOT = Path(__file__).resolve().parent.parent
ALIKE = {origin: Rule(Action.REDACT) for origin in Origin if origin is not Origin.ECHOED}
BASE = Policy(rules={DEFAULT: ALIKE}, list_key=b"k" * 32)
SECRET = "kay.poe@example.org"
OTHERWISE = {"preset", "entities", "list_key", "recognizers"}
"""Settings that a file writes in other words than Python."""

CHANGES: dict[str, Any] = {
    "rules": {"PHONE_NUMBER": {Origin.HALLUCINATED: Rule(Action.FLAG)}},
    "score_threshold": 0.5,
    "allow_list": {"ab" * 16},
    "deny_list": {"ab" * 16},
    "thresholds": {DEFAULT: 0.4},
    "bundle_base_threshold": -0.2,
    "fail_mode": "open",
    "fail_modes": {"find": "open"},
    "on_block": "error",
    "block_text": "No.",
    "on_overflow": "block",
    "hold": {"max_tokens": 5},
    "second_looks": {"steps": 8},
    "redaction": "mask",
    "mask_char": "*",
    "after_redaction": "stop",
    "max_rewinds": 1,
    "prevalence": 0.1,
    "seal": True,
    "monitor": True,
    "custom_entities": ["BADGE"],
    "recognizers": [OwnForm("BADGE", "B-[0-9]{4}")],
    "also_find": ["PERSON"],
    "every_token": True,
    "tagger": False,
    "placeholders": True,
    "fits_code": True,
    "base_threshold": -0.1,
    "allow_subjects": ["Ada Lovelace"],
}
APART = {"list_key", "false_positives"}  # the second decides through `thresholds`, which a guard sets by it


class Declared(NamedTuple):
    """What is declared of a setting: its type, without None; what its number may be; its default."""

    kind: Any
    bounds: list[BaseMetadata]
    default: Any


def declared(owner: Any) -> dict[str, Declared]:
    """What a class declares of its settings, by name."""
    return {name: of(its.annotation, its.metadata, its.default) for name, its in settings_of(owner).items()}


def of(annotation: Any, metadata: Iterable[Any], default: Any = None) -> Declared:
    nested = [each for outer in metadata for each in (outer, *getattr(outer, "metadata", ()))]
    bounds = [each for each in nested if isinstance(each, Ge | Gt | Le | Lt)]
    kinds = [each for each in get_args(annotation) if each is not NoneType]
    if isinstance(annotation, UnionType) or get_origin(annotation) is Union:
        inner = of(kinds[0], ())
    elif get_origin(annotation) is Annotated:
        inner = of(kinds[0], annotation.__metadata__)
    else:
        return Declared(get_origin(annotation) or annotation, bounds, default)
    return Declared(inner.kind, bounds + inner.bounds, default)


def every_setting() -> list[tuple[str, Declared]]:
    """Every setting, those of groups too, by its name with dots."""
    groups = {"": Policy, "hold.": HoldLimits, "second_looks.": SecondLooks}
    return [(f"{place}{name}", its) for place, group in groups.items() for name, its in declared(group).items()]


def nested(name: str, value: Any) -> dict[str, Any]:
    """A setting of this name, in its group if it has one."""
    group, _, inner = name.rpartition(".")
    return {group: {inner: value}} if group else {inner: value}


def ways(name: str) -> list[Callable[[dict[str, Any]], Policy]]:
    """What takes a setting: Python, and a file unless only Python sets it."""
    in_a_file = name.partition(".")[0] in settings_of(PolicyFile)
    return [lambda given: Policy(**given), *([policy_from] if in_a_file else [])]


def outside(its: Declared) -> list[float]:
    """The next numbers out of the bounds, and what is no number."""
    step: Any = 1 if its.kind is int else 1e-6
    near = {Ge: lambda b: b.ge - step, Gt: lambda b: b.gt, Le: lambda b: b.le + step, Lt: lambda b: b.lt}
    return [float("nan"), True, *(near[type(bound)](bound) for bound in its.bounds)]


NUMBERS = [(name, its) for name, its in every_setting() if its.kind in (int, float)]
WORDS = [(name, its) for name, its in every_setting() if issubclass(its.kind, StrEnum)]


def test_the_bounds_of_every_number_are_seen() -> None:
    assert len(NUMBERS) == 11 and all(its.bounds for _, its in NUMBERS)
    assert len(WORDS) == 5


@pytest.mark.parametrize(("name", "its"), every_setting())
def test_a_wrong_type_is_refused_in_python_and_in_a_file(name: str, its: Declared) -> None:
    wrong: list[Any] = [object(), [[SECRET]], {SECRET: [SECRET]}]
    if its.kind is not str:
        wrong.append(SECRET)
    for value in wrong:
        for way in ways(name):
            with pytest.raises(PolicyError) as error:
                way(nested(name, value))
            said = str(error.value)
            assert name.rpartition(".")[2] in said or "under 'hold'" in said or "under 'second_looks'" in said, said
            assert SECRET not in said


@pytest.mark.parametrize(("name", "its"), NUMBERS)
def test_bounds_hold_in_python_and_in_a_file(name: str, its: Declared) -> None:
    for value in outside(its):
        for way in ways(name):
            with pytest.raises(PolicyError, match=rf"^'{re.escape(name)}' in a policy: .*\(got .*Meaning: |^'\w+_th"):
                way(nested(name, value))


@pytest.mark.parametrize(("name", "its"), WORDS)
def test_a_choice_is_taken_by_its_word_and_a_misspelt_one_is_told_the_nearest(name: str, its: Declared) -> None:
    for choice in its.kind:
        if choice != "replace":
            assert all(getattr(way({name: str(choice)}), name) is choice for way in ways(name))
    misspelt = f"{its.default}x"
    for way in ways(name):
        with pytest.raises(PolicyError, match=f"'{misspelt}'.*Did you mean '{its.default}'\\?.*Choices: "):
            way({name: misspelt})


@pytest.mark.parametrize("settings", [{"custom_entity": 5}, {"monitr": True}])
def test_an_unknown_setting_is_no_type_error(settings: dict[str, Any]) -> None:
    with pytest.raises(PolicyError, match=f"Unknown field '{next(iter(settings))}' in a policy.*Choices: .*allow_list"):
        Policy(**settings)


@pytest.mark.parametrize("name", [SECRET, [SECRET], None])
def test_a_preset_of_a_wrong_name_or_type_is_not_repeated(name: Any) -> None:
    with pytest.raises(PolicyError, match=r"^Unknown preset \(\w+\) in a policy\..*Choices: clinic-rag") as error:
        Policy.preset(name)
    assert SECRET not in str(error.value)


def test_all_that_is_wrong_is_told_at_once_in_python_too() -> None:
    with pytest.raises(PolicyError) as error:
        Policy(redaction="hsah", max_rewinds=-1, allow_list=SECRET)  # type: ignore[arg-type]
    assert len(str(error.value).splitlines()) == 3 and SECRET not in str(error.value)
    with pytest.raises(PolicyError) as error:
        Policy(rules={"PHONE": {}}, also_find=frozenset({"PERSONS"}), false_positives=0.01, score_threshold=0.5)
    assert len(str(error.value).splitlines()) == 3
    with pytest.raises(
        PolicyError,
        match=r"^Unknown value \(list\) for 'action' .*\n'threshold' in .*got 3",
    ):
        Rule([], 3)  # type: ignore[arg-type]


def test_arguments_without_a_name_are_told_by_it() -> None:
    with pytest.raises(PolicyError, match=r"^'threshold' in a policy: .*got 2") as error:
        Rule(Action.FLAG, 2, 3, 4)  # type: ignore[call-arg]
    assert str(error.value).count("'arguments' in a policy: unexpected positional argument") == 2


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("default", "c022ec87dbf99fbb811823991d09bb6d"),
        ("sealed", "533dcb956c23bfc86cf35b3af6a1e215"),
        ("clinic-rag", "e77b924d4a3dd2a92df36fc46218aec0"),
        ("gateway", "afd3e8d201fc559f4fa0a7b958c6c2a2"),
        ("code", "dcdc5f255cdf9168b371cbf2554b327c"),
    ],
)
def test_the_digest_of_a_preset_changes_only_with_what_it_decides(name: str, digest: str) -> None:
    """Logs and metrics of several versions are told apart by it."""
    assert Policy.preset(name).digest_hex == digest


@pytest.mark.parametrize("name", sorted(set(declared(PolicyFile)) - OTHERWISE))
def test_the_default_in_a_file_is_pythons(name: str) -> None:
    default = getattr(Policy(), name)
    assert getattr(policy_from({}), name) == default
    written = declared(PolicyFile)[name].default
    if name not in ("hold", "second_looks"):
        assert default == written and (type(default) is type(written))


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_every_setting_that_decides_is_in_the_digest(name: str) -> None:
    assert {*CHANGES, *APART} == set(declared(Policy))
    changed = replace(BASE, **{name: CHANGES[name]})
    assert changed.digest_hex != BASE.digest_hex and len(changed.digest_hex) == 32
    assert replace(BASE, **{name: getattr(changed, name)}).digest_hex == changed.digest_hex
    assert changed != BASE


def test_a_number_is_the_same_however_it_is_written() -> None:
    given = [
        {"second_looks": {"steps": steps}, "max_rewinds": most} for steps, most in ((8, 3), (8.0, 3.0), ("8", "3"))
    ]
    assert len({policy_from(each).digest_hex for each in given}) == 1
    assert policy_from({"monitor": "True"}).monitor  # as an environment variable in a file of `reticent serve`


def test_the_page_has_each_setting_once_and_names_its_choices() -> None:
    page = (ROOT / "docs" / "policy.md").read_text()
    table = page[page.index("| setting | meaning |") : page.index("## Presets")]
    rows = [row.split("|")[1:3] for row in table.splitlines()[2:] if row.startswith("|")]
    named = {name: meaning for names, meaning in rows for name in re.findall(r"`(\w+)`", names)}
    assert sorted(name for names, _ in rows for name in re.findall(r"`(\w+)`", names)) == sorted(declared(PolicyFile))
    for name, its in declared(PolicyFile).items():
        if issubclass(its.kind, StrEnum):
            words = set(re.findall(r"\w+", named[name]))
            assert set(its.kind) <= words, name
        if its.kind is int:
            assert f"({its.default})" in named[name]


DEPLOYED = [path for path in sorted((ROOT / "deploy").rglob("*.yaml")) if "templates" not in path.parts]


@pytest.mark.parametrize("path", DEPLOYED, ids=lambda path: path.name)
def test_the_policies_of_deploy_load(path: Path) -> None:
    def policies(of: Any) -> list[Any]:
        if isinstance(of, str) and "policies:" in of:
            return policies(yaml.safe_load(of))
        if not isinstance(of, dict | list):
            return []
        here = list((of.get("policies") or {}).values()) if isinstance(of, dict) else []
        return here + [each for inner in (of.values() if isinstance(of, dict) else of) for each in policies(inner)]

    for document in yaml.safe_load_all(path.read_text()):
        for each in policies(document):
            assert policy_from({"preset": each} if isinstance(each, str) else each)


def test_a_key_that_may_be_somebodys_value_is_not_repeated(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text(
        f"{SECRET}: 1\nentities: {{{SECRET}: {{memorized: 5}}, 5550100199: 5}}\n"
        f"recognizers: {{{SECRET}: 5}}\nredaction: {SECRET}\n"
    )
    with pytest.raises(PolicyError) as error:
        load_policy(tmp_path / "p.yaml")
    assert SECRET not in str(error.value) and "5550100199" not in str(error.value)
    assert len(str(error.value).splitlines()) == 7
