"""Batches of a model in this process: sizes, draws of each row, and one call for each prompt behind the guard."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tiny_hosts
import torch
from scipy.stats import chisquare
from test_decoding import Scripts
from tiny_hosts import SAYS, SECRET, STOP_ALL

from reticent.huggingface import decoding
from reticent.prompt.segments import from_ids
from reticent_bench.audits import text_scores
from reticent_bench.audits.local_target import LocalTarget
from reticent_bench.audits.target import Message, Prompt, Sampling
from reticent_bench.audits.text_scores import TextIds, score_texts
from reticent_detectors.host.answers import SHORT, answers_to, cut_batches
from reticent_detectors.host.seeded_rows import SeededRows, drawn, uniform


@pytest.fixture(scope="module")
def model() -> Any:
    return tiny_hosts.host("llama", tiny_hosts.tokenizer()).double()


# ---- the size of a batch -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lengths", "rows", "tokens", "sizes"),
    [
        ([], 3, 10, []), ([1, 1, 1, 1], 3, None, [3, 1]), ([1, 2, 3, 4, 5], 9, 9, [3, 1, 1]),
        ([2, 2, 2, 2], 9, 4, [2, 2]),
        ([1, 50, 60], 9, 9, [1, 1, 1]), ([3, 3, 3], 2, 9, [2, 1]), ([3, 3, 3], 3, 9, [3]), ([3, 3, 3], 3, 8, [2, 1]),
    ],
)  # fmt: skip
def test_a_batch_has_at_most_so_many_rows_and_padded_tokens(
    lengths: list[int], rows: int, tokens: int | None, sizes: list[int]
) -> None:
    parts = [lengths[part] for part in cut_batches(lengths, rows, tokens)]
    assert [len(part) for part in parts] == sizes and [each for part in parts for each in part] == lengths


def test_a_local_target_bounds_each_pass_in_rows_and_tokens(model: Any) -> None:
    tokenizer, read = tiny_hosts.tokenizer(), list[tuple[int, int]]()
    target = LocalTarget(model, tokenizer, "tiny", batch=4, batch_tokens=64)
    hook = model.model.register_forward_pre_hook(
        lambda module, given, options: read.append(tuple(options["input_ids"].shape)), with_kwargs=True
    )
    texts: list[Prompt] = ["a b c " * n for n in (1, 9, 2, 1, 1, 8, 1, 20)]
    answers = target.generate(texts, 6)
    passes = [shape for shape in read if shape[1] > 1]
    read.clear()
    target.scores([("", str(text)) for text in texts])
    hook.remove()
    assert answers == [target.generate([text], 6)[0] for text in texts]
    assert sum(rows for rows, _ in passes) == 8 and max(rows for rows, _ in passes) == 4
    assert all(rows == 1 or rows * (width + 6) <= 64 for rows, width in passes)
    assert all(rows == 1 or rows * width <= 64 for rows, width in read) and max(rows for rows, _ in read) > 1


def test_scores_do_not_depend_on_the_bound(model: Any) -> None:
    texts = [TextIds((1, *range(5, 5 + count)), 1) for count in (9, 3, 9, 4, 8)]
    bounded, free = (score_texts(model, texts, 5, most) for most in (10, None))
    for one, other in zip(bounded, free, strict=True):
        assert one.log_probs == pytest.approx(other.log_probs, abs=1e-9)


@pytest.mark.parametrize("family", ["llama", "qwen2", "gpt2"])
def test_texts_behind_one_long_prompt_read_it_once_and_score_the_same(
    family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tiny_hosts.host(family, tiny_hosts.tokenizer()).double()
    prompt, other = (1, *range(5, 85)), (1, *range(6, 86))
    behind = [TextIds((*prompt, *range(9, 9 + count)), len(prompt)) for count in (1, 4, 2, 1)]
    texts = [*behind, TextIds((*other, 7, 8), len(other)), TextIds((1, 5, 6), 1), TextIds((1, 5, 7), 1)]
    read = list[tuple[int, int]]()
    hook = model.register_forward_pre_hook(
        lambda module, given, options: read.append(tuple(options["input_ids"].shape)), with_kwargs=True
    )
    found = score_texts(model, texts, 2, 1000)
    hook.remove()
    assert read == [(1, 80), (2, 5), (1, 3), (2, 3), (1, 83)]
    monkeypatch.setattr(text_scores, "LONG_PROMPT", 1000)
    alone = [score_texts(model, [text], 1)[0] for text in texts]
    for one, same in zip(found, alone, strict=True):
        assert one.token_ids == same.token_ids
        for name in ("log_probs", "means", "deviations"):
            assert getattr(one, name) == pytest.approx(getattr(same, name), abs=1e-9)


# ---- draws -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("temperature", "top_k", "odds"),
    [(1.0, 0, [1, 2, 3, 4]), (1.0, 4, [1, 2, 3, 4]), (0.5, 0, [1, 4, 9, 16]), (1.0, 2, [0, 0, 3, 4]),
     (0.5, 3, [0, 4, 9, 16])],
)  # fmt: skip
def test_a_token_is_drawn_as_often_as_its_probability_says(temperature: float, top_k: int, odds: list[int]) -> None:
    logits = torch.tensor([1.0, 2.0, 3.0, 4.0]).log().repeat(500, 1)
    counts = Counter[int]()
    for step in range(8):
        uniforms = torch.tensor([uniform(seed, step) for seed in range(500)], dtype=torch.float64)
        counts.update(drawn(logits, uniforms, temperature, top_k).tolist())
    seen = [counts[token] for token in range(4) if odds[token]]
    wanted = [4000 * each / sum(odds) for each in odds if each]
    assert sum(seen) == 4000
    assert chisquare(seen, wanted).pvalue > 0.01


def test_numbers_next_to_zero_and_one_draw_no_token_of_no_probability() -> None:
    logits = torch.tensor([[-torch.inf, 0.0, 1.0, -torch.inf]]).repeat(2, 1)
    edges = torch.tensor([0.0, 1 - 2.0**-53], dtype=torch.float64)
    assert drawn(logits, edges, 1.0).tolist() == [1, 2]
    assert drawn(logits, edges, 1.0, top_k=2).tolist() == [2, 1]  # the likeliest comes first there


def test_a_seed_draws_other_numbers_at_each_step_and_may_be_negative() -> None:
    numbers = {uniform(seed, step) for seed in (-1, 0, 1, 2**40) for step in range(50)}
    assert len(numbers) == 200 and all(0 <= number < 1 for number in numbers)


def test_a_row_draws_the_same_alone_and_in_a_batch(model: Any) -> None:
    tokenizer = tiny_hosts.tokenizer()
    prompts = [[1, *range(5, 5 + count)] for count in (3, 9, 3, 6, 1)]
    seeds, longest = [7, 8, 9, 7, 10], SHORT + 6
    how: dict[str, Any] = {"temperature": 1.0, "top_k": 30, "max_new_tokens": longest}
    together = answers_to(model, tokenizer, prompts, **how, batch=3, seeds=seeds)
    alone = [
        answers_to(model, tokenizer, [ids], **how, seeds=[seed])[0] for ids, seed in zip(prompts, seeds, strict=True)
    ]
    assert together == alone
    assert len({answer.ids for answer in together}) == 5 and max(len(answer.ids) for answer in together) > SHORT


def test_a_row_whose_batch_was_left_goes_on_with_its_own_draws() -> None:
    logits = torch.zeros(2, 50)
    first, later = SeededRows([3, 4], 1.0, 0), SeededRows([4], 1.0, 0, step=2)
    draws = [first(torch.zeros(2, 5), logits).argmax(-1).tolist() for _ in range(4)]
    assert [later(torch.zeros(1, 7), logits[:1]).argmax(-1).item() for _ in range(2)] == [row[1] for row in draws[2:]]


def test_a_target_gives_a_prompt_its_own_draws_in_every_batch(model: Any) -> None:
    target = LocalTarget(model, tiny_hosts.tokenizer(), "tiny", batch=2)
    prompts: list[Prompt] = ["Call", (Message("user", "Jane?"),), "0123"]
    together = target.generate(prompts, 8, Sampling(1.0, seed=5))
    assert together == [target.generate([text], 8, Sampling(1.0, seed=5 + n))[0] for n, text in enumerate(prompts)]
    mixed = target.generate(prompts[::-1], 8, Sampling(1.0, prompt_seeds=(7, 6, 5)))
    assert mixed == together[::-1]


# ---- behind the guard --------------------------------------------------------------------------------------------


def test_prompts_that_are_apart_do_not_share_what_one_was_stopped_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guard = tiny_hosts.guarded(tmp_path / "b", seed=1)
    prompts = [guard.text_ids(text)[0].tolist() for text in ("What is her phone number?", "Hi.")]
    views = [from_ids(guard.tokenizer, ids) for ids in prompts]
    spelled = SECRET.replace("-", " ")
    late = f"Let me think about that for a very long while. It is {spelled}. Bye."
    width, runs, share = max(map(len, prompts)), list[Any](), decoding._share_suppressed

    def shared(of: Any) -> None:
        runs[:] = of
        share(of)

    monkeypatch.setattr(decoding, "_share_suppressed", shared)

    def stopped(apart: bool) -> list[list[str]]:
        """The values that each answer knows it must not say, and that it says none."""
        script = Scripts(guard.tokenizer, [SAYS, late], width)
        answers = guard.answers(
            prompts, views, policy=STOP_ALL, apart=apart, max_new_tokens=90, logits_processor=[script], do_sample=False
        )
        assert not any(char.isdigit() for answer in answers for char in answer.text)
        return [[value.value for value in run.machine.suppressed] for run in runs]

    assert stopped(apart=False) == [[SECRET], [SECRET]]
    assert stopped(apart=True) == [[SECRET], [spelled]]


def test_a_guarded_target_asks_a_batch_whose_prompts_are_apart(tmp_path: Path) -> None:
    guard = tiny_hosts.guarded(tmp_path / "b")
    target = LocalTarget(guard.model, guard.tokenizer, "tiny", guard, batch=2)
    seen = list[tuple[int, bool]]()
    original = guard.answers

    def answers(prompts: Any, views: Any, **options: Any) -> Any:
        seen.append((len(prompts), options["apart"]))
        return original(prompts, views, **options)

    guard.answers = answers  # type: ignore[method-assign]
    texts: list[Prompt] = ["a b c d e f g h", "Call", "0123"]
    together = target.generate(texts, 4)
    assert seen == [(2, True), (1, True)]
    assert together == [target.generate([text], 4)[0] for text in texts]
    how = Sampling(1.0, prompt_seeds=(3, 4, 5))
    assert target.generate(texts, 4, how) == target.generate(texts, 4, replace(how, prompt_seeds=(3, 9, 9)))
