"""Rows of one pass: each has the states of its text read by itself, whatever was cached and however rows are mixed."""

from __future__ import annotations

import random
from typing import Any

import pytest
import torch
import transformers as tf
from tiny_configs import GEMMA, GPT_LIKE, LLAMA_LIKE

from reticent.hosted.cached_rows import CachedPrefix, RowReader, StateRequest, choose_batch
from reticent_detectors.capture import HostAdapter, Taps
from reticent_detectors.errors import InputError

torch.set_num_threads(1)

OPT: dict[str, Any] = {"vocab_size": 96, "hidden_size": 32, "ffn_dim": 48, "num_hidden_layers": 4}
FAMILIES: dict[str, Any] = {
    "llama": lambda: tf.LlamaForCausalLM(tf.LlamaConfig(**LLAMA_LIKE)),
    "qwen2": lambda: tf.Qwen2ForCausalLM(tf.Qwen2Config(**LLAMA_LIKE)),
    "mistral": lambda: tf.MistralForCausalLM(tf.MistralConfig(**LLAMA_LIKE, sliding_window=6)),
    "gemma2": lambda: tf.Gemma2ForCausalLM(tf.Gemma2Config(**LLAMA_LIKE, **GEMMA)),
    "gpt2": lambda: tf.GPT2LMHeadModel(tf.GPT2Config(**GPT_LIKE)),
    "gpt-neox": lambda: tf.GPTNeoXForCausalLM(tf.GPTNeoXConfig(**LLAMA_LIKE)),
    "opt": lambda: tf.OPTForCausalLM(
        tf.OPTConfig(
            **OPT,
            num_attention_heads=4,
            word_embed_proj_dim=32,
            max_position_embeddings=128,
            init_std=0.3,
            eos_token_id=1,
        )
    ),
}


class Words:
    all_special_ids = (0, 1)

    def __len__(self) -> int:
        return 96

    def get_vocab(self) -> dict[str, int]:
        return {f"w{i}": i for i in range(96)}


def taps_of(family: str, inner: bool = True) -> Taps:
    torch.manual_seed(0)
    return Taps(HostAdapter.attach(FAMILIES[family]().eval(), Words()), inner)


def check(taps: Taps, rows: list[StateRequest], got: Any) -> None:
    """As one pass over each text alone, without a cache: absolute and relative error below 1e-4."""
    for row, states in zip(rows, got, strict=True):
        wanted = taps.read(torch.tensor([row.ids]), None, [(0, row.positions)])[0]
        torch.testing.assert_close(states.hidden, wanted.hidden, atol=1e-4, rtol=1e-4)
        torch.testing.assert_close(states.probability, wanted.probability, atol=1e-4, rtol=1e-4)
        assert states.ids.tolist() == wanted.ids.tolist()


@pytest.mark.parametrize("inner", [True, False])
@pytest.mark.parametrize("family", FAMILIES)
def test_rows_read_on_together_have_the_states_of_each_by_itself(family: str, inner: bool) -> None:
    """Texts grow by different lengths, change at their ends, come new and are forgotten, in batches of one to six."""
    taps, rng = taps_of(family, inner), random.Random(family)
    reader = RowReader(taps)
    assert reader.reads_batches
    texts = [[rng.randrange(2, 96) for _ in range(rng.choice((3, 9, 30)))] for _ in range(7)]
    reads = [CachedPrefix([]) for _ in texts]
    for _ in range(12):
        chosen = rng.sample(range(7), rng.choice((1, 2, 4, 6)))
        rows = []
        for at in chosen:
            if rng.random() < 0.2:
                del texts[at][rng.randrange(2, len(texts[at])) :]
            texts[at] += [rng.randrange(2, 96) for _ in range(rng.randrange(1, 8))]
            if rng.random() < 0.1:
                reads[at].forget()
            span = rng.randrange(1, min(5, len(texts[at])))
            positions = list(range(len(texts[at]) - 1 - span, len(texts[at]) - 1))
            rows.append(StateRequest(list(texts[at]), positions, None if rng.random() < 0.1 else reads[at]))
        before = [row.start for row in rows]
        check(taps, rows, reader.states(rows))
        for row, start in zip(rows, before, strict=True):
            if row.prefix is not None:
                assert row.prefix.ids == row.ids and row.prefix.cache.get_seq_length() == len(row.ids) > start
                assert {layer.keys.shape[0] for layer in row.prefix.cache.layers} == {1}


def test_what_the_cache_holds_is_not_read_again() -> None:
    taps = taps_of("gemma2")
    reader, reads = RowReader(taps), [CachedPrefix([]) for _ in range(3)]
    lengths: list[int] = []
    handle = taps.adapter.model.register_forward_pre_hook(
        lambda module, args, kwargs: lengths.append(kwargs["input_ids"].shape[1]), with_kwargs=True
    )
    for more in (40, 44, 49):  # far behind the sliding window
        rows = [
            StateRequest(list(range(2, 2 + more + at)), [more + at - 3, more + at - 2], read)
            for at, read in enumerate(reads)
        ]
        reader.states(rows)
    handle.remove()
    assert lengths == [42, 4, 5]


def test_a_host_that_reads_batches_otherwise_is_read_one_by_one() -> None:
    torch.manual_seed(0)
    model = FAMILIES["llama"]().eval()

    def disturb(module: Any, args: Any, out: Any) -> Any:
        return out + 0.1 if out.shape[0] > 1 else out

    model.model.layers[1].mlp.register_forward_hook(disturb)
    taps = Taps(HostAdapter.attach(model, Words()))
    reader = RowReader(taps)
    assert not reader.reads_batches
    rows = [StateRequest(list(range(2, 20 + at)), [14 + at], CachedPrefix([])) for at in range(3)]
    check(taps, rows, reader.states(rows))


def test_only_rows_that_cost_little_together_are_read_together() -> None:
    new, on = (
        StateRequest(list(range(80)), [78]),
        [StateRequest(list(range(90)), [80 + at], CachedPrefix([])) for at in range(6)],
    )
    for row in on:
        row.prefix.ids, row.prefix.cache = list(range(80)), object()  # type: ignore[union-attr]
    assert on[0].start == 80
    assert choose_batch([new, *on], 4, 10_000) == [0]  # the others would be read anew from their beginnings
    assert choose_batch([*on, new], 4, 10_000) == [0, 1, 2, 3]
    assert choose_batch([*on, new], 9, 10_000) == [0, 1, 2, 3, 4, 5]
    assert choose_batch([*on, new], 9, 300) == [0, 1, 2]
    assert choose_batch([new, StateRequest(list(range(70)), [68]), on[0]], 9, 10_000) == [0, 1]


def test_a_pass_that_fails_leaves_what_was_read_before() -> None:
    taps = taps_of("llama")
    reader, reads = RowReader(taps), [CachedPrefix([]), CachedPrefix([])]
    first = [StateRequest(list(range(2, 12)), [8], read) for read in reads]
    reader.states(first)
    wrong = [
        StateRequest(list(range(2, 15)), [11], reads[0]),
        StateRequest(list(range(2, 15)), [12], reads[1]),
    ]  # nothing follows it
    with pytest.raises(InputError):
        reader.states(wrong)
    rows = [StateRequest(list(range(2, 15)), [11], read) for read in reads]
    assert [row.start for row in rows] == [10, 10]
    check(taps, rows, reader.states(rows))


def test_padding_may_be_on_the_left_alone_and_is_not_asked_for() -> None:
    taps, ids = taps_of("llama"), torch.ones(2, 6, dtype=torch.long)
    for mask, position in (
        (torch.tensor([[1] * 6, [1] * 5 + [0]]), 3),
        (torch.tensor([[1] * 6, [0, 0, 1, 1, 1, 1]]), 1),
    ):
        with pytest.raises(InputError, match="padding"):
            taps.read_on(ids, mask, tf.DynamicCache(), [(1, [position])])
