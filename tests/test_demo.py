"""The embedded host and its detector, as a user gets them."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
import torch
from rich.console import Console
from safetensors import safe_open
from typer.testing import CliRunner

from reticent import Guard, Policy, demo
from reticent.huggingface.guarded_model import GuardedModel
from reticent.prompt.segments import from_messages
from reticent_detectors.errors import BundleCorrupt, InputError, MissingExtra
from reticent_detectors.host.detached import CONFIG, MODEL, RECIPE, WEIGHTS
from reticent_detectors.host.load import load_host
from reticent_detectors.host.model_table import known_model

FOLDER = demo.assets()


@pytest.fixture(scope="module")
def guard() -> GuardedModel:
    model, tokenizer = load_host(FOLDER / "host")
    return Guard.load(FOLDER / "bundle").wrap(model, tokenizer)


@pytest.fixture(scope="module")
def rows() -> list[demo.CaseOutcome]:
    return list(demo.ask(demo.embedded(FOLDER), demo.cases(FOLDER)))


def test_host_and_bundles_are_at_most_ten_megabytes_and_the_real_models_adapter_too() -> None:
    sizes = {f.relative_to(FOLDER): f.stat().st_size for f in FOLDER.rglob("*") if f.is_file()}
    real = sum(size for file, size in sizes.items() if file.parts[0] == demo.REAL)
    assert real <= 10_000_000 and sum(sizes.values()) - real <= 10_000_000


def test_the_demo_shows_every_class(rows: list[demo.CaseOutcome]) -> None:
    shown = {row.shows for row in rows}
    assert {"memorised", "made up", "echoed", "prose", "ordinary talk"} <= shown
    assert any(name.startswith("public") for name in shown)


def test_most_of_the_demo_comes_out_as_wanted(rows: list[demo.CaseOutcome]) -> None:
    right = sum(row.intervened == (row.wanted == "stopped") for row in rows)
    assert right >= len(rows) - 3, [(r.shows, r.wanted, r.intervened) for r in rows]
    assert all(row.intervened for row in rows if row.wanted == "stopped")


def test_nothing_is_changed_where_nothing_was_stopped(rows: list[demo.CaseOutcome]) -> None:
    for row in rows:
        if not row.intervened:
            assert row.guarded == row.unguarded


def test_json_is_one_object_a_line() -> None:
    from reticent.commands.demo import app

    result = CliRunner().invoke(app, ["--json"])
    assert result.exit_code == 0
    lines = [json.loads(line) for line in result.output.splitlines()]
    assert len(lines) == len(demo.cases(FOLDER)) and {"unguarded", "guarded", "spans", "held_tokens"} <= set(lines[0])


def test_a_value_that_was_withheld_several_times_has_one_row_that_says_so(rows: list[demo.CaseOutcome]) -> None:
    from reticent.commands.demo import AGAIN, _panel, said_once

    def printed(row: demo.CaseOutcome) -> str:
        console = Console(width=400, record=True, file=io.StringIO())
        console.print(_panel(row))
        return console.export_text()

    again = [row for row in rows if any(span["reason"] == "suppressed" for span in row.spans)]
    assert [row.shows for row in again] == ["prose"]
    (row,) = again
    assert sum(times for _, times in said_once(row.spans)) == len(row.spans)
    kind, times = next((span["entity"], times) for span, times in said_once(row.spans) if times > 1)
    assert re.search(rf"{kind} .* redact ×{times}", printed(row)) and row.guarded.count(f"<{kind}>") == times
    assert [AGAIN in printed(row) for row in rows] == [row in again for row in rows]


def test_allow_all_is_token_for_token_the_unguarded_run(guard: GuardedModel) -> None:
    for case in demo.cases(FOLDER):
        if not case.messages:
            continue
        ids = guard.chat_ids([{"role": r, "content": c} for r, c in case.messages])
        for options in ({"do_sample": False}, {"do_sample": True, "temperature": 1.0}):
            torch.manual_seed(3)
            plain = guard.model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=40, **options)
            torch.manual_seed(3)
            assert torch.equal(plain, guard.generate(ids, policy=Policy.allow_all(), max_new_tokens=40, **options))


def test_streamed_probabilities_equal_re_read_ones(guard: GuardedModel) -> None:
    compared = 0
    for case in demo.cases(FOLDER):
        if not case.messages:
            continue
        messages = [{"role": r, "content": c} for r, c in case.messages]
        ids = guard.chat_ids(messages)
        answers: list[Any] = []
        out = guard.generate(
            ids, policy=Policy.allow_all(), on_answer=answers.append, do_sample=False, max_new_tokens=64
        )
        new = [t for t in out[0, ids.shape[1] :].tolist() if t != guard.tokenizer.eos_token_id]
        again = guard.inspect_ids([(ids[0].tolist(), new, from_messages(messages), True)], policy=Policy.allow_all())[0]
        for a, b in zip(answers[0].report.spans, again.report.spans, strict=True):
            assert a.decision.verdict.origin == b.decision.verdict.origin
            if a.decision.verdict.probability is not None:
                assert a.decision.verdict.probability == pytest.approx(b.decision.verdict.probability, abs=1e-3)
                compared += 1
    assert compared >= 5


@pytest.mark.parametrize("name", ["detector.onnx", "manifest.json"])
def test_a_truncated_or_edited_bundle_is_refused(name: str, tmp_path: Any) -> None:
    import shutil

    folder = tmp_path / "bundle"
    shutil.copytree(FOLDER / "bundle", folder)
    data = (folder / name).read_bytes()
    (folder / name).write_bytes(data[: len(data) // 2])
    with pytest.raises(BundleCorrupt, match=name):
        Guard.load(folder)


def test_the_real_models_adapter_is_of_rank_16_in_bfloat16_and_belongs_on_a_known_model() -> None:
    folder = FOLDER / demo.REAL
    assert {file.name for file in folder.iterdir()} == {CONFIG, WEIGHTS, RECIPE, MODEL, "demo.json"}
    settings, model = (json.loads((folder / name).read_text()) for name in (CONFIG, MODEL))
    assert (
        settings["r"] == 16 and settings["base_model_name_or_path"] == model["name"] == known_model(model["name"]).name
    )
    with safe_open(folder / WEIGHTS, "pt") as weights:
        assert {weights.get_slice(name).get_dtype() for name in weights.keys()} == {"BF16"}  # noqa: SIM118


def test_the_real_models_cases_are_of_every_class() -> None:
    cases = demo.cases(FOLDER / demo.REAL)
    shown = {case.shows for case in cases}
    assert {"memorised", "misattributed", "made up", "echoed", "echoed, re-formatted", "ordinary talk"} <= shown
    assert any(name.startswith("public") for name in shown) and 20 <= len(cases) <= 25


def test_a_folder_without_the_real_model_says_how_to_get_it(tmp_path: Path) -> None:
    from reticent.commands.demo import app

    result = CliRunner().invoke(app, ["--model", str(tmp_path)])
    assert isinstance(result.exception, InputError) and "reticent models get" in str(result.exception)


def test_without_the_adapter_the_demo_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no adapter"):
        demo.real(tmp_path, tmp_path)


def test_without_assets_the_demo_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setattr(demo, "files", lambda package: tmp_path)
    with pytest.raises(MissingExtra, match=r"reticent-demo is not installed.* \./demo$"):
        demo.assets()
