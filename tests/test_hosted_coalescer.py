"""Calls that wait are carried out together, each with its own result or its own error."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from reticent.hosted.coalescer import Coalescer


class Slow:
    """Doubles numbers; holds the first run until it is released; refuses negative ones."""

    def __init__(self, most: int = 99) -> None:
        self.runs: list[list[int]] = []
        self.begun, self.go = threading.Event(), threading.Event()
        self.together: Coalescer[int, int] = Coalescer(self.run, lambda jobs: range(min(most, len(jobs))))

    def run(self, jobs: Sequence[int]) -> list[int]:
        self.runs.append(list(jobs))
        self.begun.set()
        assert self.go.wait(10)
        if any(job < 0 for job in jobs):
            raise ValueError(f"{min(jobs)}")
        return [2 * job for job in jobs]

    def waits(self, count: int) -> None:
        for _ in range(2000):
            if len(self.together._waiting) == count:
                return
            threading.Event().wait(0.005)
        raise AssertionError


def called(slow: Slow, jobs: Sequence[int]) -> list[Callable[[], int]]:
    """Calls with the first job, and with the others while it runs."""
    pool = ThreadPoolExecutor(len(jobs))
    futures = [pool.submit(slow.together, jobs[0])]
    assert slow.begun.wait(10)
    for at, job in enumerate(jobs[1:], 2):
        futures.append(pool.submit(slow.together, job))
        slow.waits(at)
    slow.go.set()
    pool.shutdown(wait=True)
    return [future.result for future in futures]


def test_who_waits_is_served_together_with_the_others() -> None:
    slow = Slow()
    assert [result() for result in called(slow, [1, 2, 3, 4])] == [2, 4, 6, 8]
    assert slow.runs == [[1], [2, 3, 4]]


def test_no_more_than_fit_and_in_the_order_in_which_they_came() -> None:
    slow = Slow(most=2)
    assert [result() for result in called(slow, [1, 2, 3, 4, 5, 6])] == [2, 4, 6, 8, 10, 12]
    assert slow.runs == [[1], [2, 3], [4, 5], [6]]


def test_one_that_fails_fails_alone_and_once() -> None:
    slow = Slow()
    results = called(slow, [1, 2, -3, 4])
    assert [results[at]() for at in (0, 1, 3)] == [2, 4, 8]
    with pytest.raises(ValueError, match="-3"):
        results[2]()
    assert slow.runs == [[1], [2, -3, 4], [2], [-3], [4]]
    assert slow.together(5) == 10


def test_a_choice_that_fails_harms_its_caller_alone() -> None:
    broken: list[Any] = [ValueError()]

    def fitting(jobs: Sequence[int]) -> Sequence[int]:
        if broken:
            raise broken.pop()
        return range(len(jobs))

    slow = Slow()
    slow.together._choose = fitting
    results = called(slow, [1, 2, 3])
    failed = 0
    for result, wanted in zip(results, (2, 4, 6), strict=True):
        try:
            assert result() == wanted
        except ValueError:
            failed += 1
    assert failed == 1 and not slow.together._waiting
