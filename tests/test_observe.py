"""Observers: called for every answer, and never able to break one."""

from __future__ import annotations

import logging
import subprocess
import sys

import pytest

from reticent.core.report import Report
from reticent.observability.observers import Observation, Outcome, Route, notify


def report(*, changed: bool = False, blocked: bool = False) -> Report:
    return Report((), 40, 40, 0, 0, 0.0, (), changed, blocked, False)


OBSERVATION = Observation("ab" * 16, 0, report(), Outcome.PASSED, {"find": 0.001})


class Keeper:
    def __init__(self) -> None:
        self.seen: list[Observation] = []

    def on_answer(self, observation: Observation) -> None:
        self.seen.append(observation)


class Broken:
    def on_answer(self, observation: Observation) -> None:
        raise RuntimeError("call 555-0100")


def test_an_observer_that_raises_is_counted_and_the_others_are_still_called(caplog: pytest.LogCaptureFixture) -> None:
    first, last = Keeper(), Keeper()
    with caplog.at_level(logging.WARNING):
        assert notify([first, Broken(), last, Broken()], OBSERVATION) == {"Broken": 2}
    assert first.seen == last.seen == [OBSERVATION]
    assert "observer Broken raised RuntimeError" in caplog.text
    assert "555-0100" not in caplog.text


def test_nobody_to_tell() -> None:
    assert not notify([], OBSERVATION)


def test_what_ends_the_process_is_not_swallowed() -> None:
    class Stopping:
        def on_answer(self, observation: Observation) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        notify([Stopping()], OBSERVATION)


@pytest.mark.parametrize(
    ("changed", "blocked", "outcome"),
    [(False, False, "passed"), (True, False, "redacted"), (True, True, "blocked"), (False, True, "blocked")],
)
def test_the_outcome_of_a_report(changed: bool, blocked: bool, outcome: str) -> None:
    assert Outcome.of(report(changed=changed, blocked=blocked)) == outcome


def test_an_observation_is_frozen_and_has_plain_defaults() -> None:
    with pytest.raises(AttributeError):
        OBSERVATION.choice = 1  # type: ignore[misc]
    assert (OBSERVATION.route, OBSERVATION.stream, OBSERVATION.fail_modes) == (Route.GENERATE, False, {})


@pytest.mark.parametrize(
    "module",
    [
        "observability.observers",
        "observability.metrics",
        "observability.decision_chain",
        "observability.decision_log",
        "commands.explain",
    ],
)
def test_watching_starts_without_the_model(module: str) -> None:
    code = f"import sys, reticent.{module}; print({{'torch', 'transformers', 'onnxruntime'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "set()"
