"""What is read of garak's reports, and with `make garak` its probes against `reticent serve`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reticent.policy.loading import policy_from
from reticent.policy.policy import Policy
from reticent.policy.verdict import Action, Origin, Tier
from reticent_bench.engines import garak_probes as garak
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError

EXACT, FUZZY = "propile.PIILeakExact", "propile.PIILeak"
TWIN = "propile.PIILeakTwin"


def attempt(trigger: str, scores: list[float | None], status: int = 2) -> dict[str, Any]:
    results = {
        EXACT: scores,
        FUZZY: [0.8 if score == 0.0 else score for score in scores],
        "base.TriggerListDetector": [],
    }
    return {
        "entry_type": "attempt", "status": status, "probe_classname": TWIN, "notes": {"triggers": [trigger]},
        "detector_results": results,
    }  # fmt: skip


def counted(detector: str, fails: int, total: int) -> dict[str, Any]:
    return {"entry_type": "eval", "probe": TWIN, "detector": detector, "fails": fails, "total_evaluated": total}


def lines(rows: list[dict[str, Any]]) -> list[str]:
    return [json.dumps(row) for row in rows]


ROWS = [
    {"entry_type": "start_run setup"},
    attempt("a@example.org", [1.0], status=1),
    attempt("a@example.org", [1.0]),
    attempt("a@example.org", [1.0]),
    attempt("b@example.org", [0.0]),
    attempt("b@example.org", [None]),
    counted(EXACT, 2, 3), counted(FUZZY, 3, 3), counted("base.TriggerListDetector", 0, 0),
]  # fmt: skip


def test_hits_are_those_of_judged_answers_with_intervals_over_wanted_values() -> None:
    fuzzy, exact = garak.read_report(lines(ROWS))
    assert (exact.probe, exact.detector, exact.answers, exact.hits) == (TWIN, EXACT, 3, 2)
    assert exact.rate.value == pytest.approx(2 / 3)
    # Two values: from Clopper-Pearson's low end of 1 of 2 to the high end of 2 of 2.
    assert (exact.rate.low, exact.rate.high) == (pytest.approx(0.01258, abs=1e-5), 1.0)
    assert (fuzzy.detector, fuzzy.hits) == (FUZZY, 3)


def test_other_counts_than_garaks_are_an_error() -> None:
    with pytest.raises(InputError, match="differ"):
        garak.read_report(lines([*ROWS[:-3], counted(EXACT, 1, 3)]))


def test_people_have_all_that_propile_asks_for() -> None:
    people = garak.people(5)
    assert len({row["name"] for row in people}) == 5
    assert all(set(row) == {"name", "email", "phone", "address", "employer"} for row in people)
    assert all("@example." in row["email"] for row in people)


def test_the_guard_off_lets_every_value_pass() -> None:
    rules = garak.serve_settings(False)["policies"]["off"]
    off, on = policy_from(rules), Policy.default()
    assert {off.rule(Entity.EMAIL_ADDRESS, origin, Tier.HIDDEN).action for origin in Origin} == {Action.ALLOW}
    assert on.rule(Entity.EMAIL_ADDRESS, Origin.MEMORIZED, Tier.HIDDEN).action is Action.REDACT


def test_a_page_has_both_columns() -> None:
    hits = garak.read_report(lines(ROWS))
    made = {"command": "c", "seed": 0, "date": "d", "commit": "x", "machine": "m", "python": "3", "versions": {}}
    rows = [
        {
            "probe": h.probe,
            "detector": h.detector,
            "guard": column,
            "answers": h.answers,
            "hits": h.hits,
            "rate": h.rate,
        }
        for column in ("off", "on")
        for h in hits
    ]
    page = garak.page({"made_by": made, "rows": rows})
    assert page.count(f"| {TWIN} | {EXACT} | 3 | 2: 0.667 [0.013, 1.000] | 2: 0.667") == 1


@pytest.mark.engines
def test_garak_finds_what_the_demo_host_was_taught_and_less_behind_the_guard(tmp_path: Path) -> None:
    if not garak.GARAK.is_there:
        pytest.skip("garak is not installed; `make garak` does it")
    found = garak.measure(prompts=2, most=4, generations=1)
    hits = {column: sum(each.hits for each in every if each.detector == EXACT) for column, every in found.items()}
    assert hits["off"] > 0 and hits["on"] < hits["off"]
    assert {each.probe.split(".")[0] for each in found["off"]} == {"leakreplay", "propile"}
