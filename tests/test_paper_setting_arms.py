"""The arms of the paper's setting: they find what is there, and nothing where nothing is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tiny_hosts
import torch

from reticent_bench.paper_setting import arms, verdict
from reticent_bench.paper_setting.arms import ARMS, cross_fitted
from reticent_bench.paper_setting.greedy import STATE_UNIT
from reticent_bench.paper_setting.jobs import FactJob
from reticent_bench.paper_setting.judged_rows import JudgedRows, of_facts
from reticent_bench.paper_setting.lens_features import RANKS, lens_features
from reticent_bench.paper_setting.verdict import judge, measure, pooled, render, word
from reticent_bench.paper_setting.where import facts_folder
from reticent_bench.paper_setting.within_kind import best_threshold, within_kind
from reticent_detectors.capture import HostAdapter

LAYERS, WIDTH, TOKENS, PEOPLE = 9, 12, 6, 60
QUICK = [name for name in ARMS if name != "A2 with A0"]
"""The other one trains the paper's network five times."""


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arms, "_EPOCHS", 8)
    monkeypatch.setattr(verdict, "ROUNDS", 200)


def rows_of(seed: int = 0, planted: float = 0.0, surprising: float = 0.0, people: int = PEOPLE) -> JudgedRows:
    """Random rows. `planted` moves the states of a middle layer by label, `surprising` the surprisals."""
    rng = np.random.default_rng(seed)
    group = np.repeat([f"p{number}" for number in range(people)], 16)
    count = len(group)
    right = rng.random(count) < 0.5
    tokens = rng.integers(1, TOKENS + 1, count).astype(np.int16)
    surprisal = rng.exponential(1.0, (count, TOKENS + 1)) + surprising * ~right[:, None]
    surprisal[np.arange(TOKENS + 1) > tokens[:, None]] = np.nan
    numbers = {name: surprisal.astype(np.float32) for name in ("surprisal", "entropy", "margin")}
    numbers |= {
        "rank": np.ones((count, TOKENS + 1), np.int32),
        "top": np.repeat(-surprisal[..., None], 10, 2).astype(np.float16),
    }
    prompt = rng.normal(size=(count, LAYERS + 1, WIDTH))
    places = rng.normal(size=(count, 3, 8, WIDTH))
    direction = rng.normal(size=WIDTH)
    prompt[:, LAYERS // 2] += planted * np.outer(right, direction)
    places[:, :, 4] += planted * np.outer(right, direction)[:, None]
    fold = np.array([int(name[1:]) % 5 for name in group], np.int8)
    kind = np.array(["mail", "phone"])[rng.integers(0, 2, count)]
    rows = JudgedRows(
        group, kind, fold, right, tokens, numbers, prompt.astype(np.float16), places.astype(np.float16)
    )  # fmt: skip
    features = {
        "topk_prob": rng.random((count, LAYERS, 10)).astype(np.float32),
        "inter": rng.random((count, LAYERS - 1, 10, 10)).astype(np.float32),
        "intra": rng.random((count, LAYERS, 9)).astype(np.float32),
    }
    for name, column in features.items():  # another state of a layer has other best tokens
        column[:, LAYERS // 2] += planted * right.reshape(-1, *[1] * (column.ndim - 2)) * (name != "inter")
    rows._lens.update({"none": features, "final": features})
    return rows


def found(name: str, rows: JudgedRows, seed: int = 0) -> float:
    train = rows.fold != 0
    scores = ARMS[name](rows, train, seed)
    return within_kind(scores[~train], rows.right[~train], rows.kind[~train])


@pytest.mark.parametrize("name", ["A2", "A3", "A5", "A7"])
def test_a_label_planted_in_one_middle_layer_is_found_by_every_inner_arm(name: str) -> None:
    assert found(name, rows_of(planted=3.0)) >= 0.99


@pytest.mark.parametrize("name", ["A0", "A1", "A10", "A11"])
def test_arms_without_inner_layers_do_not_see_it(name: str) -> None:
    assert abs(found(name, rows_of(planted=3.0)) - 0.5) < 0.12


@pytest.mark.parametrize("name", ["A0", "A1", "A8, mean", "A8, Min-K%", "A8, reference", "A11"])
def test_surprisals_that_say_it_are_read(name: str) -> None:
    assert found(name, rows_of(surprising=3.0)) >= 0.9


@pytest.mark.parametrize("name", QUICK)
def test_nothing_is_found_where_nothing_is(name: str) -> None:
    assert abs(found(name, rows_of(1)) - 0.5) < 0.15


def test_another_arm_joins_the_token_score() -> None:
    joined = arms._joined(rows_of(), rows_of().fold != 0, 0, other=lambda rows, train, seed: rows.right + 0.0)
    assert within_kind(joined, rows_of().right, rows_of().kind) == 1.0


def test_scores_of_learned_rows_come_from_models_that_had_not_seen_the_person() -> None:
    rows = rows_of()
    train, seen = rows.fold != 0, list[np.ndarray]()

    def arm(given: JudgedRows, learned: np.ndarray, seed: int) -> np.ndarray:
        seen.append(np.unique(given.fold[learned]))
        return np.full(len(given), float(len(seen)))

    scores = cross_fitted(arm, rows, train, 0)
    assert list(seen[0]) == [1, 2, 3, 4]
    for number, fold in enumerate((1, 2, 3, 4), 1):
        assert fold not in seen[number]
        assert set(scores[rows.fold == fold]) == {number + 1.0}
    assert set(scores[rows.fold == 0]) == {1.0}


def test_a_threshold_parts_classes_best() -> None:
    scores, right = np.array([0.0, 1.0, 1.0, 2.0, 3.0]), np.array([False, False, False, True, True])
    assert best_threshold(scores, right) == 1.0


def test_kinds_with_few_rows_of_a_class_do_not_count() -> None:
    right = np.array([True] * 10 + [False] * 10 + [True] * 4 + [False] * 10)
    kind = np.array(["a"] * 20 + ["b"] * 14)
    scores = np.concatenate([np.arange(20.0)[::-1], np.zeros(14)])
    assert within_kind(scores, right, kind) == 1.0


@pytest.mark.parametrize("planted", [3.0, 0.0])
def test_a_verdict_follows_the_protocol(planted: float) -> None:
    rows = [rows_of(seed, planted=planted, surprising=1.0, people=120) for seed in (3, 4)]
    parts = [judge(own, (0, 1, 2), ("A0", "A5", "A10"), 0, None, str, f"h{at}") for at, own in enumerate(rows)]
    figures = measure(pooled(parts))
    assert figures["rows"]["people"] == 144
    assert word(figures) in ({"adds"} if planted else {"nothing", "open"})
    page = render({**figures, "regime": "R2", "asks": "x", "model": "m", "tune": False, "word": word(figures)})
    assert "| A5 |" in page and "Less A10" in page


def test_kept_scores_are_taken_again_and_those_of_other_rows_refused(tmp_path: Path) -> None:
    from reticent_detectors.errors import InputError

    rows, said = rows_of(), list[str]()
    first = judge(rows, (0,), ("A0",), 0, tmp_path, said.append)
    again = judge(rows, (0,), ("A0",), 0, tmp_path, said.append)
    assert len(said) == 1 and (first.scores["A0"] == again.scores["A0"]).all()
    with pytest.raises(InputError, match="other rows"):
        judge(rows_of(people=PEOPLE + 1), (0,), ("A0",), 0, tmp_path, said.append)


def test_the_last_layer_says_what_the_model_says_and_inner_ones_are_read_both_ways() -> None:
    tokenizer = tiny_hosts.tokenizer()
    model = tiny_hosts.host("llama", tokenizer)
    adapter = HostAdapter.attach(model, tokenizer)
    ids = torch.tensor([[5, 9, 17, 3], [8, 2, 11, 30]])
    with torch.no_grad():
        out = model(input_ids=ids, output_hidden_states=True)
    states = (torch.stack([state[:, -1] for state in out.hidden_states], 1) / STATE_UNIT).half().numpy()
    plain, normed = lens_features(adapter, states, "none"), lens_features(adapter, states, "final")
    wanted = out.logits[:, -1].softmax(-1).topk(RANKS).values.numpy()
    for own in (plain, normed):
        np.testing.assert_allclose(own["topk_prob"][:, -1], wanted, atol=2e-3)
        assert own["inter"].shape == (2, tiny_hosts.LAYERS - 1, RANKS, RANKS)
        assert own["intra"].shape == (2, tiny_hosts.LAYERS, RANKS - 1)
    assert np.abs(plain["topk_prob"][:, 0] - normed["topk_prob"][:, 0]).max() > 1e-3
    inner = torch.from_numpy(states[:, 1]).float() * STATE_UNIT
    first = adapter.lens(inner, RANKS, norm="final")
    np.testing.assert_allclose(
        normed["topk_prob"][:, 0], (first.topk_logit - first.logsumexp[:, None]).exp(), rtol=1e-4
    )


def test_rows_of_facts_are_the_answers_with_a_value(tmp_path: Path) -> None:
    job, count = FactJob("tiny", 3), 3
    folder = facts_folder(tmp_path, job)
    folder.mkdir(parents=True)
    numbers = {name: np.ones((count, 5), np.float32) for name in ("surprisal", "entropy", "margin")}
    np.savez(
        folder / "0000-of-0001.npz", index=np.array([2, 0, 1], np.int32), kind=np.array(["c", "a", "b"]),
        subject=np.array(["c-1", "a-1", "b-1"]), tokens=np.array([2, 1, 0], np.int16),
        whose=np.array(["own", "made up", "own"]), rank=np.ones((count, 5), np.int32), **numbers,
        top=np.zeros((count, 5, 10), np.float16), prompt_states=np.zeros((count, 4, 8), np.float16),
        place_states=np.zeros((count, 3, 8, 8), np.float16),
    )  # fmt: skip
    rows = of_facts(tmp_path, job)
    assert list(rows.kind) == ["a", "c"] and list(rows.right) == [False, True] and not rows.has_base
    assert rows.inside.tolist() == [[True, *[False] * 4], [True, True, *[False] * 3]]
