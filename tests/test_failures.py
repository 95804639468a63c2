"""What is logged of a failure: why, once, and nothing that a user wrote."""

from __future__ import annotations

import logging
import re

import pytest

from reticent.core import failure_log as failures
from reticent.core.failure_log import describe_error, log_failure
from reticent_detectors.errors import CaptureError

RAW = "468-749-1093"


@pytest.fixture(autouse=True)
def _nothing_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failures, "_logged_kinds", set())


def raised() -> Exception:
    try:
        raise ValueError(RAW)
    except ValueError as error:
        return error


def test_our_own_errors_say_what_they_say() -> None:
    assert describe_error(CaptureError("no states")) == "CaptureError: no states"


def test_of_other_errors_the_class_and_the_place_are_said() -> None:
    assert describe_error(raised()).startswith("ValueError at test_failures.py:")
    assert describe_error(ValueError(RAW)) == "ValueError"


def test_the_same_failure_is_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "reticent.core.failure_log")
    for stage, error in (("judge", raised()), ("judge", raised()), ("find", raised()), ("judge", CaptureError("gone"))):
        log_failure(stage, error)
    assert [record.levelname for record in caplog.records] == ["WARNING", "DEBUG", "WARNING", "WARNING"]
    assert RAW not in caplog.text and "CaptureError: gone" in caplog.text


def test_the_same_with_other_numbers_is_no_other_failure(caplog: pytest.LogCaptureFixture) -> None:
    for number in range(300):
        log_failure("judge", CaptureError(f"The state at position {number} is gone."))
    log_failure("find", raised())
    for line in (34, 35):
        log_failure("judge", CaptureError(f"The span was not scored (RuntimeError at lens.py:{line})."))
    assert [record.message.rpartition(": ")[2] for record in caplog.records] == [
        "The state at position 0 is gone.",
        describe_error(raised()),
        "The span was not scored (RuntimeError at lens.py:34).",
        "The span was not scored (RuntimeError at lens.py:35).",
    ]


def test_there_is_a_bound_on_warnings_and_it_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    for number in range(300):
        log_failure("judge", CaptureError("x" * number))
    assert len(caplog.records) == failures._MOST_KINDS + 1
    assert caplog.records[-1].message == "no other failure is warned of in this process: there were 256 different ones"


def test_a_failure_inside_of_another_call_is_placed_where_it_was_raised() -> None:
    try:
        int(RAW)  # raised in C
    except ValueError as error:
        here = describe_error(error)
    try:
        re.compile("(")
    except re.error as error:
        assert re.fullmatch(r"\w+ at _parser.py:\d+", describe_error(error))
    assert here.startswith("ValueError at test_failures.py:")
