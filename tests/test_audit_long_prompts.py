"""Prompts that are longer than the model was made for are named, before anything is asked and in the report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reticent_bench.audits.options import AuditOptions
from reticent_bench.audits.report import Report
from reticent_bench.audits.session import run_audit
from reticent_bench.audits.target import GREEDY, Prompt, Sampling, TokenScores
from reticent_bench.audits.targets import Column, Targets


class Small:
    """A model that was made for so many tokens. A word is one."""

    name, scores_text = "small", True

    def __init__(self, most_tokens: int | None) -> None:
        self.most_tokens, self.counted = most_tokens, 0

    def prompt_tokens(self, prompt: Prompt) -> int:
        self.counted += 1
        return len(str(prompt).split())

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        return ["yes"] * len(prompts)

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        one = np.array([-1.0])
        return [TokenScores((0,), one, one, one)] * len(pairs)


def ask(targets: dict[str, Any], others: Any, attempt: Any) -> int:
    for number, words in enumerate((30, 10, 50, 20)):
        attempt(f"q/{number}", lambda n=words: {"said": len(targets["off"].generate(["word " * n], 15))})
    return 4


def notices(target: Small, out: Path) -> tuple[list[str], list[str]]:
    lines = list[str]()
    (out.parent / "model").mkdir(exist_ok=True)
    options = AuditOptions(str(out.parent / "model"), out=out)
    code = run_audit(
        "four", options, ask, lambda found: Report("four", "Four", (f"{found} asked.",), ()), {}, lines.append,
        Targets({"off": Column(target, len)}),
    )  # fmt: skip
    assert code == 0
    report = json.loads((out / "report.json").read_text())
    return [line for line in lines if "was made for" in line], [s for s in report["sentences"] if "was made for" in s]


def test_a_prompt_beyond_what_the_model_was_made_for_is_said_and_printed(tmp_path: Path) -> None:
    target = Small(64)
    printed, reported = notices(target, tmp_path / "a")
    assert printed == reported
    assert printed[0].startswith("The longest prompt with its answer has 65 tokens, and small was made for 64.")
    assert "--context-size" in printed[0]
    assert target.counted == 2  # the first prompt, and the one that is longer


@pytest.mark.parametrize("most_tokens", [65, None])
def test_nothing_is_said_where_all_fit_or_no_limit_is_known(most_tokens: int | None, tmp_path: Path) -> None:
    assert notices(Small(most_tokens), tmp_path / "a") == ([], [])
