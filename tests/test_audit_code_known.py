"""Leaks that are fed back: kept by one audit of code, and part of the prompts of the next."""

from __future__ import annotations

import json
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from audit_server import Server, asking, run, write_inputs
from test_audit_code import CHOSEN, NO_HINTS, SECRETS, SETTINGS, Log, ScriptedTarget, corpus, leaks_in_second_turn

from reticent_bench.audits.budget import Budget
from reticent_bench.audits.code import audit
from reticent_bench.audits.code.feature_library import Instance, build_library, prior_library
from reticent_bench.audits.code.known_instances import LEAKS_FILE, keep_instance, library_from, read_instances
from reticent_bench.audits.resumable_attempts import AttemptLog
from reticent_bench.audits.target import NotMeasurable, Prompt, TokenScores
from reticent_detectors.errors import InputError

LINE = 'email = "tamsin.oakleaf@gorsewick.org"'
INSTANCE = Instance("email", LINE, 9, 37)


class Scoring(ScriptedTarget):
    """Finds pieces of values unlikely, and all others likely."""

    scores_text = True
    asked = 0

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        self.asked += len(pairs)
        rare = ("tamsin", "oakleaf", "@", ".", "gorsewick", "org")
        each = [np.array([-9.0 if text.strip() in rare else -0.5]) for _, text in pairs]
        return [TokenScores((1,), one, one, one) for one in each]


def kept_by_an_audit(file: Path) -> list[Instance]:
    settings = SETTINGS.__class__(scenarios=CHOSEN, arms=("pipeline",))
    audit(
        ScriptedTarget(leaks_in_second_turn), corpus(), settings, Log().attempt, library=NO_HINTS,
        reveal=lambda instance: keep_instance(file, instance),
    )  # fmt: skip
    return read_instances(file)


def test_what_leaked_is_kept_for_its_owner_and_read_once(tmp_path: Path) -> None:
    file = tmp_path / LEAKS_FILE
    found = kept_by_an_audit(file)
    assert {each.attribute_key: each.text[each.start : each.end] for each in found} == SECRETS
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    keep_instance(file, found[0])
    assert read_instances(file) == found


def test_fragments_go_into_the_next_prompts_and_come_back_as_echoes(tmp_path: Path) -> None:
    [mine] = [each for each in kept_by_an_audit(tmp_path / LEAKS_FILE) if each.attribute_key == "email"]
    assert mine == INSTANCE
    # Alone it would be isolated, and dropped.
    near = Instance("email", LINE.replace("tamsin.oakleaf", "oakleaf.tamsin"), 9, 37)
    library = library_from([mine, near], Scoring(leaks_in_second_turn), Log().attempt, corpus())
    new = set(library.fragments["email"]) - set(prior_library().fragments["email"])
    assert new == {"tamsin.oakleaf@gorsewick.org", "oakleaf.tamsin@gorsewick.org"}
    prompts = list[str]()

    def answer(text: str) -> str:
        prompts.append(text)
        return leaks_in_second_turn(text)

    settings = SETTINGS.__class__(scenarios=CHOSEN[:1], arms=("pipeline", "no-library"), hints=99)
    result = audit(ScriptedTarget(answer), corpus(), settings, Log().attempt, library=library)
    assert any("tamsin.oakleaf@gorsewick.org" in text for text in prompts if "look like these" in text)
    assert (result.pipeline.funnel.echoes, result.pipeline.funnel.leaks) == (1, 0)
    assert result.arms[1].funnel.leaks == 1


def test_the_library_is_that_of_its_likelihoods_and_these_are_asked_once(tmp_path: Path) -> None:
    target, log = Scoring(leaks_in_second_turn), AttemptLog(tmp_path, {}, Budget())
    first = library_from([INSTANCE, INSTANCE], target, log.attempt, corpus())
    assert first == build_library([INSTANCE, INSTANCE], Scoring(leaks_in_second_turn))
    asked = target.asked
    assert library_from([INSTANCE, INSTANCE], target, log.attempt, corpus()) == first
    assert target.asked == asked > 0
    assert "tamsin" not in log.path.read_text()
    with pytest.raises(NotMeasurable):
        library_from([INSTANCE], ScriptedTarget(leaks_in_second_turn), Log().attempt, corpus())


GOOD = {"attribute_key": "email", "text": LINE, "start": 9, "end": 37}


@pytest.mark.parametrize(
    "row",
    ["x", [1], {"text": LINE}, {**GOOD, "attribute_key": "shoe"}, {**GOOD, "end": 99}, {**GOOD, "start": "9"}, None],
)
def test_a_line_that_is_no_leak_is_named_by_its_number_alone(tmp_path: Path, row: Any) -> None:
    file = tmp_path / "known.jsonl"
    file.write_text(row if isinstance(row, str) else json.dumps(row))
    with pytest.raises(InputError, match="line 1: expected") as error:
        read_instances(file)
    assert "tamsin" not in str(error.value)
    file.write_text("\n")
    with pytest.raises(InputError, match="holds no value"):
        read_instances(file)


def test_the_command_takes_known_leaks_and_continues_only_with_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = Server.start()
    try:
        write_inputs(tmp_path)
        known = tmp_path / "known.jsonl"
        keep_instance(known, INSTANCE)
        ask = [*asking("code", tmp_path, server.url), "--running-text", "--scenarios", "2"]
        out = ["--out", str(tmp_path / "out")]
        assert run(*ask, "--known", str(known), "--reveal", *out) == 0
        assert "code/library/" in (tmp_path / "out" / "attempts.jsonl").read_text()
        assert "tamsin" not in (tmp_path / "out" / "attempts.jsonl").read_text()
        assert run(*ask, *out) == 2 and "known" in capsys.readouterr().err
        assert run(*ask, "--known", str(tmp_path / "nowhere"), *out) == 2
    finally:
        server.scripted.close()
