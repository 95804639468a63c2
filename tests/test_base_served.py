"""The base model in `reticent serve` and `reticent doctor`, for a model in this process and for a shadow copy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import test_shadow
import tiny_hosts
from noted_evidence import noted_evidence
from test_base_asked import below, likely, wrapped
from test_base_model import TOKENIZER, Passes, adapted, saved
from tiny_hosts import QUESTION, SAYS, SECRET
from typer.testing import CliRunner

from reticent import Guard, Policy
from reticent.commands import doctor
from reticent.commands.serve import _models
from reticent.hosted.hosted_model import HostedModel
from reticent.hosted.shadow import Shadow
from reticent.policy.policy import Evidence
from reticent.serve.config import load
from reticent.serve.settings import ShadowSettings
from reticent.shipped import default_bundle
from reticent_bench.real_models import base_cost
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.errors import CaptureError, InputError, UnsupportedHost
from reticent_detectors.host.load import load_host

# PEFT asks transformers for a name that is on its way out.
pytestmark = pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated:FutureWarning")
MENU = f"{QUESTION[0]['content']} Choose one: 212-555-0187; 313-555-0166; {SECRET}; 617-555-0123; 702-555-0190."


@pytest.fixture(autouse=True)
def evidence(monkeypatch: pytest.MonkeyPatch) -> list[Evidence]:
    """All that policies were given to decide on."""
    return noted_evidence(monkeypatch)


def copy_of(folder: Path, model: Any, base: str | None = None) -> Shadow:
    settings = ShadowSettings(path=folder, bundle=folder, models=("small",), logprobs=False, base_model=base)
    return Shadow(Bundle.load(tiny_hosts.bundle(folder, model)), model, TOKENIZER, settings)


def read(copy: Shadow, user: str, says: str) -> Any:
    """The reader of an answer that a server sent without log-probabilities."""
    reader = test_shadow.reader(copy, {"messages": [{"role": "user", "content": user}]})
    answer = test_shadow.server.ServedAnswer(tuple((piece, -0.1, ()) for piece in says.split("|")))
    test_shadow.streamed(reader, test_shadow.bare(answer))
    return reader


def test_the_shadow_finds_what_the_guard_around_the_model_finds(tmp_path: Path, evidence: list[Evidence]) -> None:
    model = adapted("lora")
    guard, copy = wrapped(tmp_path / "one", model), copy_of(tmp_path / "two", model)
    assert "the model without its adapter" in copy.about
    try:
        for user, says in ((QUESTION[0]["content"], SAYS), (MENU, f"It is {SECRET}.")):
            evidence.clear()
            guard.inspect([{"role": "user", "content": user}], says, policy=Policy(score_threshold=0.0))
            read(copy, user, says)
            ours, theirs = (each.base for each in evidence)
            assert ours is not None and theirs == pytest.approx(ours, abs=1e-4)
    finally:
        copy.close()
        guard.close()


def test_the_shadow_keeps_what_its_base_read_of_an_answer(tmp_path: Path, evidence: list[Evidence]) -> None:
    copy = copy_of(tmp_path / "two", adapted("lora"))
    passes = Passes(copy.base)
    says = f"Jane Roe has |212-555-0187|. John Poe has |{SECRET}|. Bye."
    read(copy, QUESTION[0]["content"], says)
    turns = [*QUESTION, {"role": "assistant", "content": SAYS}, {"role": "user", "content": "What is it again?"}]
    reader = test_shadow.reader(copy, {"messages": turns})
    test_shadow.streamed(reader, test_shadow.bare(test_shadow.server.ServedAnswer(((f"It is {SECRET}.", -0.1, ()),))))
    copy.close()
    assert [each.base is None for each in evidence] == [False, False, True]  # it stands in the model's earlier turn
    first, second = (columns for _, columns in passes.shapes)
    assert second < 30 < first


def test_a_copy_that_is_its_own_base_reads_no_second_time(tmp_path: Path, evidence: list[Evidence]) -> None:
    model = tiny_hosts.host("llama", TOKENIZER)
    guard, copy = wrapped(tmp_path / "one", model, "self"), copy_of(tmp_path / "two", model, "self")
    passes = Passes(copy.base)
    guard.inspect(QUESTION, SAYS, policy=Policy(score_threshold=0.0))
    read(copy, QUESTION[0]["content"], SAYS)
    assert not passes.shapes and evidence[1].base == pytest.approx(evidence[0].base, abs=1e-4)
    read(copy, MENU, f"It is {SECRET}.")
    assert len(passes.shapes) == 1 and evidence[2].base is not None
    copy.close()
    guard.close()


def test_a_base_that_fails_leaves_the_value_stopped_and_is_counted(
    tmp_path: Path, evidence: list[Evidence], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    copy = copy_of(tmp_path / "two", adapted("lora"))

    def fails(*args: Any) -> Any:
        raise CaptureError("Gone.")

    monkeypatch.setattr("reticent_detectors.capture.base_model.BaseModel.read", fails)
    reader = read(copy, QUESTION[0]["content"], SAYS)
    copy.close()
    assert evidence[0].base is None and evidence[0].probability is not None
    assert dict(reader.choices[0].report().failures) == {"base": 1}
    assert "judged as if there was no base" in caplog.text and SECRET not in caplog.text


def test_the_shadow_does_not_ask_for_a_value_below_the_threshold(
    tmp_path: Path, evidence: list[Evidence], monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = copy_of(tmp_path / "two", adapted("lora"))
    passes = Passes(copy.base)
    monkeypatch.setattr(Policy, "threshold", lambda policy, entity: 1.0)
    read(copy, QUESTION[0]["content"], SAYS)
    copy.close()
    assert [each.base for each in evidence] == [None] and not passes.shapes


@pytest.mark.filterwarnings("ignore:.*reticent calibrate:UserWarning")
def test_the_shadow_asks_the_base_what_the_guard_asks_it(
    tmp_path: Path, evidence: list[Evidence], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The base is asked near the threshold, as an input of the detector, and about a value partly in the prompt."""
    model, threshold = adapted("lora"), 1.0
    monkeypatch.setattr(Policy, "threshold", lambda policy, entity: threshold)
    guard = Guard.load().wrap(model, TOKENIZER)
    settings = ShadowSettings(path=tmp_path, bundle=default_bundle(), models=("small",), logprobs=False)
    copy = Shadow(Bundle.load(default_bundle()), model, TOKENIZER, settings)
    asked = likely(monkeypatch, guard, -90.0)
    try:
        guard.inspect(QUESTION, SAYS)
        read(copy, QUESTION[0]["content"], SAYS)
        assert not asked and evidence[1].probability == pytest.approx(evidence[0].probability, abs=1e-4)
        threshold = below(evidence[0].probability or 0.0, 1.0).score_threshold or 0.0
        guard.inspect(QUESTION, SAYS)
        read(copy, QUESTION[0]["content"], SAYS)
        assert len(asked) == 2 and evidence[3].probability == pytest.approx(evidence[2].probability, abs=1e-4)
        evidence.clear()
        likely(monkeypatch, guard, -0.01, of="Jane Roe")
        user, says = "What is the email of Jane Roe at example.org?", "It is jane.roe@example.org."
        guard.inspect([{"role": "user", "content": user}], says)
        read(copy, user, says)
        assert [each.inferable for each in evidence] == [True, True]
    finally:
        copy.close()
        guard.close()


def test_what_asking_costs_is_measured(tmp_path: Path) -> None:
    folder = saved(tmp_path / "host", tiny_hosts.host("llama", TOKENIZER))
    found = base_cost.measure(folder, "self", prompt=20, value=4, rounds=2)
    assert set(base_cost._NAMES) <= set(found) and all(clock > 0 for clock, _ in (found[n] for n in base_cost._NAMES))


def test_a_model_in_this_process_with_its_base(tmp_path: Path) -> None:
    """Settings, loading, and what is said of it at the start."""
    host = saved(tmp_path / "host", tiny_hosts.host("llama", TOKENIZER))
    before = saved(tmp_path / "before", tiny_hosts.host("llama", TOKENIZER, seed=1))
    bundle = tiny_hosts.bundle(tmp_path / "b", load_host(host)[0])
    for base, expected in ((str(before), "a checkpoint of its own"), ("self", "the model itself"), (None, "no base")):
        settings = load(environ={}, overrides={**_models(None, host, None, bundle, None, base)}).model
        assert settings is not None and settings.base_model == base
        served = HostedModel.load(settings, Policy())
        assert expected in served.about
        served.close()
    wrong = load(environ={}, overrides={**_models(None, host, None, bundle, None, "adapter")}).model
    assert wrong is not None
    with pytest.raises(UnsupportedHost, match="no adapter layers"):
        HostedModel.load(wrong, Policy())


def test_options_about_the_base(tmp_path: Path) -> None:
    options = _models("http://h", None, tmp_path, None, "small", "self")
    assert load(environ={}, overrides={"upstream.url": "http://h", **options}).shadow.base_model == "self"  # type: ignore[union-attr]
    with pytest.raises(InputError, match="--base-model"):
        _models(None, None, None, None, None, "self")


@pytest.mark.parametrize(
    ("named", "status", "expected"),
    [
        (None, "note", "no base"),
        ("self", "ok", "the model itself"),
        ("before", "ok", "a checkpoint of its own"),
        ("adapter", "fail", "no adapter layers"),
        ("host", "fail", "base='self'"),
    ],
)
def test_the_doctor_says_which_base_is_used(tmp_path: Path, named: str | None, status: str, expected: str) -> None:
    host = saved(tmp_path / "host", tiny_hosts.host("llama", TOKENIZER))
    saved(tmp_path / "before", tiny_hosts.host("llama", TOKENIZER, seed=1))
    given = str(tmp_path / named) if named in ("host", "before") else named
    result = CliRunner().invoke(doctor.app, [str(host), "--json", *(() if given is None else ("--base-model", given))])
    found = json.loads(result.output)
    (check,) = (each for each in found["checks"] if each["name"] == "base model")
    assert check["status"] == status and expected in check["detail"]
    assert (result.exit_code == 0) == (status != "fail")


def test_the_doctor_on_an_adapter(tmp_path: Path) -> None:
    folder = saved(tmp_path / "adapter", adapted("lora"))
    base = saved(tmp_path / "adapter" / "base", adapted("lora").unload())
    file = folder / "adapter_config.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "base_model_name_or_path": base.name}))
    result = CliRunner().invoke(doctor.app, [str(folder), "--json"])
    assert json.loads(result.output)["facts"]["base_model"] == "adapter"
