"""Columns that judge the unguarded model's answers ask it once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_audit_guards import BUNDLE, HOST

from reticent.policy.policy import Policy
from reticent_bench.audits import local_target
from reticent_bench.audits.kept_answers import KeptAnswers
from reticent_bench.audits.local_models import load_targets
from reticent_bench.audits.local_target import LocalTarget
from reticent_bench.audits.options import AuditOptions
from reticent_bench.audits.proxied_target import ProxiedTarget
from reticent_bench.audits.target import Sampling
from reticent_bench.engines.whole_responses import Proxy
from reticent_detectors.finder import SpanFinder
from reticent_detectors.host.answers import Answer
from reticent_detectors.host.load import load_host

DRAWN = Sampling(temperature=1.0, top_k=40, seed=3)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many prompts each call gave the model."""
    counts, whole = list[int](), local_target.answers_to

    def answers_to(model: Any, tokenizer: Any, encoded: list[list[int]], **options: Any) -> list[Answer]:
        counts.append(len(encoded))
        return whole(model, tokenizer, encoded, **options)

    monkeypatch.setattr(local_target, "answers_to", answers_to)
    return counts


def test_another_column_gets_the_answers_that_are_kept(asked: list[int]) -> None:
    model, tokenizer = load_host(HOST)
    plain = LocalTarget(model, tokenizer, "host", keeps_answers=True)
    proxied = ProxiedTarget(plain, "behind", Proxy(Policy(), SpanFinder()))
    for sampling in (Sampling(seed=3), DRAWN):
        said = plain.generate(["My name is", "I live in"], 6, sampling)
        assert proxied.generate(["My name is", "I live in"], 6, sampling) == said
        assert plain.generate(["I live in"], 6, Sampling(sampling.temperature, sampling.top_k, 4)) == said[1:]
    assert asked == [2, 0, 0] * 2
    # The draw of another seed, another length and another prompt are other answers.
    plain.generate(["My name is"], 6, Sampling(1.0, 40, 9))
    plain.generate(["My name is"], 5, DRAWN)
    plain.generate(["My name is Jo"], 6, DRAWN)
    assert asked[6:] == [1, 1, 1]
    alone = LocalTarget(model, tokenizer, "host").generate(["My name is"], 6, DRAWN)
    assert alone == plain.generate(["My name is"], 6, DRAWN)


def test_greedy_answers_depend_on_no_seed() -> None:
    kept = KeptAnswers()
    greedy, drawn = Sampling(seed=1), Sampling(temperature=0.5)
    assert kept.key([1, 2], 8, greedy, 1) == kept.key([1, 2], 8, greedy, 2)
    assert kept.key([1, 2], 8, drawn, 1) != kept.key([1, 2], 8, drawn, 2)
    assert kept.key([1, 2], 8, greedy, 1) != kept.key([1, 258], 8, greedy, 1)
    assert "1" in repr([kept.add(kept.key([1], 8, greedy, 0), Answer((1,), (5,), True)), kept])


@pytest.mark.parametrize(("columns", "kept"), [(("off", "on"), False), (("off", "texts"), True)])
def test_answers_are_kept_where_columns_share_them(columns: tuple[str, ...], kept: bool, asked: list[int]) -> None:
    targets = load_targets(AuditOptions(target=HOST, columns=columns, bundle=Path(BUNDLE) if "on" in columns else None))
    off = targets.columns["off"].target
    for _ in range(2):
        off.generate(["My name is"], 4)
    assert asked == ([1, 0] if kept else [1, 1])
