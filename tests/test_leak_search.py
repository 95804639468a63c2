"""The search itself finds what it is there to find."""

from __future__ import annotations

from reticent_bench.guard.leak_search import search
from reticent_detectors.entities import Entity

LONG = (str(Entity.PHONE_NUMBER), "468-749-1093")
SHORT = (str(Entity.DIAGNOSIS), "asthma")


def _found(text: str) -> dict[str, int]:
    return search({"here": text}, [LONG, SHORT])["here"]


def test_values_are_found_verbatim_and_respelled() -> None:
    assert _found(f"a log line with {LONG[1]} in it") == {"long": 1, "short": 0}
    assert _found("digits=4687491093;") == {"long": 1, "short": 0}
    assert _found('{"value": "Asthma"}') == {"long": 0, "short": 1}


def test_hashes_times_and_numbers_are_no_values() -> None:
    assert _found("id=9f86d081884c7d65 at 2026-11-21T10:00:00.123Z probability=0.4687 n=468") == {"long": 0, "short": 0}
