"""Second looks: what the texts under other names have in common is read once, and an answer has a budget of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
import tiny_hosts
import torch
import transformers as tf
from hypothesis import given
from hypothesis import strategies as st
from test_families import FAMILIES, tiny
from tiny_hosts import QUESTION, SAYS, SECRET

from reticent import AfterRedaction, Policy
from reticent.core.second_look_budget import POSITIONS_PER_STEP, SecondLookBudget
from reticent.huggingface.answer import Answer
from reticent.huggingface.guarded_model import GuardedModel
from reticent.policy.options import SecondLooks
from reticent_detectors.capture import HostAdapter, Taps
from reticent_detectors.capture import name_swap_reading as module
from reticent_detectors.capture.beginning import Beginning
from reticent_detectors.capture.name_swap_reading import NameSwapReader, SecondLook, read_under_other_names
from reticent_detectors.errors import CaptureError, InputError
from reticent_detectors.features.name_swap import NameSwapper

# PEFT asks transformers for a name that is on its way out.
pytestmark = pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated:FutureWarning")

TOKENIZER = tiny_hosts.tokenizer()
FORGET = {"mistral", "gemma2", "gemma3"}
"""Families whose cache has a sliding window."""


def looks_of(vocabulary: int, read: Any = None) -> list[SecondLook]:
    """Three looks whose texts part at different places; `read` makes the beginning of a text under its own names."""
    ids = [(at * 31 + 7) % vocabulary for at in range(150)]
    out = []
    for begins, rest, tokens in ((50, (9, 11, 10), 12), (43, (1, 4), 3), (61, (30, 2, 2, 5), 1)):
        before = [*ids[:begins], *ids[90:96]]
        texts = [[*ids[:begins], *ids[95 + at : 95 + at + size]] for at, size in enumerate(rest, 1)]
        out.append(SecondLook(texts, ids[100 : 100 + tokens], before, read and read(before)))
        assert out[-1].shared == begins
    return out


def cached(model: Any, ids: Sequence[int], **options: Any) -> Beginning:
    with torch.no_grad():
        return Beginning(model(input_ids=torch.tensor([ids]), use_cache=True, **options).past_key_values, 0)


def apart(got: Any, wanted: Any) -> float:
    pairs = [(a, b) for mine, other in zip(got, wanted, strict=True) for a, b in zip(mine, other, strict=True)]
    return max(abs(x - y) for a, b in pairs for x, y in zip(a, b, strict=True))


@contextmanager
def tokens_read(model: Any) -> Iterator[list[int]]:
    """How many positions each pass of the model has read, padding included."""
    passes: list[int] = []
    handle = model.register_forward_hook(
        lambda module, args, kwargs, output: passes.append(kwargs["input_ids"].numel()), with_kwargs=True
    )
    try:
        yield passes
    finally:
        handle.remove()


# ---- reading -----------------------------------------------------------------------------------


@pytest.mark.parametrize("family", sorted(set(FAMILIES) - {"llava"}))
def test_every_family_reads_on_as_it_reads_whole_texts(family: str) -> None:
    model = tiny(family)
    taps = Taps(HostAdapter.attach(model, TOKENIZER))
    reader = NameSwapReader(taps)
    assert reader.shares == (family not in FORGET)
    for read in (None, lambda ids: cached(model, ids)):
        looks = looks_of(len(TOKENIZER), read)
        wanted = read_under_other_names(taps, [(look.texts, look.tokens) for look in looks])
        for places in (module.PLACES, 200, 1):
            assert apart(reader(looks, places), wanted) < 2e-3 * max(abs(x) for a in wanted for b in a for x in b)
    taps.remove()


def test_what_a_generation_has_read_is_not_read_again() -> None:
    model = tiny("llama")
    taps = Taps(HostAdapter.attach(model, TOKENIZER))
    reader = NameSwapReader(taps)
    given = looks_of(len(TOKENIZER), lambda ids: cached(model, ids))
    with tokens_read(model) as passes:
        reader(given)
        assert passes == [9 * 31]  # nine texts, the longest rest with its span
        passes.clear()
        reader([look._replace(beginning=None) for look in given])
    # The third alone has enough before its names for a pass of its own; the texts of the others are read whole.
    assert passes == [61, 4 * 31, 5 * (50 + 11 + 12)]
    assert reader.positions(given[0]) == 9 + 11 + 10 + 3 * 12


def test_the_head_runs_for_the_values_tokens_alone_and_no_state_is_kept() -> None:
    model = tiny("llama")
    adapter = HostAdapter.attach(model, TOKENIZER)
    taps = Taps(adapter)
    reader = NameSwapReader(taps)
    rows: list[int] = []
    handle = adapter.head.register_forward_hook(lambda module, args, output: rows.append(args[0].shape[1]))
    (look, *_) = looks_of(len(TOKENIZER), lambda ids: cached(model, ids))
    rows.clear()
    reader([look])
    handle.remove()
    assert rows == [12 + 2]  # the span's, and the two by which the longest text is longer
    ids = torch.tensor([[1, 2, 3]])
    with pytest.raises(InputError, match="padding"):
        taps.likelihoods(ids, torch.tensor([[1, 1, 0]]), [(0, [1])])
    with taps.reading(ids) as reading:
        reading._kept, reading._place = 0, {}
        model(input_ids=ids)
        assert len(reading.probabilities([0, 1])) == 2
        with pytest.raises(CaptureError, match="none were kept"):
            reading.states([0])


@pytest.mark.parametrize("kind", ["static", "sliding", "short", "other row", "none"])
def test_a_cache_that_may_forget_is_not_gone_on_from(kind: str) -> None:
    model = tiny("mistral" if kind == "sliding" else "llama")
    ids = list(range(3, 23))
    match kind:
        case "static":
            begun = cached(model, ids, past_key_values=tf.StaticCache(config=model.config, max_cache_len=64))
        case "none":
            begun = Beginning(None, 0)
        case _:
            begun = cached(model, ids)
    if kind == "other row":
        begun = Beginning(begun.cache, 1)
    assert begun.layers(21 if kind == "short" else 12) is None
    plain = cached(tiny("llama"), ids).layers(12)
    assert plain is not None and all(part.shape == (1, 2, 12, 16) for layer in plain for part in layer)


def test_a_host_that_reads_on_otherwise_is_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    model = tiny("llama")
    taps = Taps(HostAdapter.attach(model, TOKENIZER))
    joined = module._joined_cache

    def forgets(part: Any, used: int) -> Any:
        cache = joined(part, used)
        for layer in cache.layers:
            layer.keys = torch.zeros_like(layer.keys)
        return cache

    monkeypatch.setattr(module, "_joined_cache", forgets)
    reader = NameSwapReader(taps)
    looks = looks_of(len(TOKENIZER))
    assert not reader.shares and reader.positions(looks[0]) == 3 * 50 + 30 + 3 * 12
    wanted = read_under_other_names(taps, [(look.texts, look.tokens) for look in looks])
    assert reader(looks) == wanted


def test_texts_share_what_the_text_itself_begins_with_too() -> None:
    """The other names may begin alike where the person's own does not, and a generation has read the own."""
    assert SecondLook([[1, 2, 9, 4], [1, 2, 9, 5]], [7], [1, 2, 3, 4]).shared == 2
    assert SecondLook([[1, 2, 3], [1, 2, 3]], [7], [1, 2, 3]).shared == 2  # one is left, which predicts the span
    assert SecondLook([[1, 2, 3, 4], [1, 2, 3, 4]], [7], [1, 2]).shared == 2
    assert SecondLook([[1], [1]], [7], []).shared == 0


# ---- the budget --------------------------------------------------------------------------------


@given(
    st.lists(st.one_of(st.none(), st.integers(1, 300)), max_size=40),
    st.floats(0, 12),
    st.floats(0, 1),
)
def test_an_answer_spends_no_more_than_its_budget(costs: list[int | None], steps: float, share: float) -> None:
    """None: a span of which the detector is sure."""
    looks, taken = SecondLookBudget(SecondLooks(steps, share)), list[int]()
    for spans, cost in enumerate(costs, 1):
        looks.next_span()
        if cost is None:
            continue
        granted = looks.is_open and looks.spend(cost)
        assert [looks.is_open and looks.spend(cost) for _ in range(2)] == [
            granted
        ] * 2  # a batch that failed is scored again
        if not taken:
            assert granted
        elif granted:
            assert len(taken) + 1 <= share * spans
            assert sum(taken) + cost <= steps * POSITIONS_PER_STEP
        taken += [cost] * granted
    doubtful = [cost for cost in costs if cost is not None]
    assert (looks.taken, looks.taken + looks.skipped) == (len(taken), len(doubtful))


NUMBERS = [SECRET, "555-010-7788", "212-867-5309", "646-555-0133", "917-555-0181"]
LIST = "The phone numbers of Jane Roe are " + " and ".join(NUMBERS) + ". Good."


@pytest.fixture(scope="module")
def guard(tmp_path_factory: Any) -> GuardedModel:
    return tiny_hosts.guarded(tmp_path_factory.mktemp("bundles") / "names", names=3)


def ask(guard: GuardedModel, says: str, second_looks: SecondLooks, streamed: bool) -> Answer:
    policy = Policy(score_threshold=1.0, after_redaction=AfterRedaction.CONTINUE, second_looks=second_looks)
    script = tiny_hosts.Script(TOKENIZER, says, guard.chat_ids(QUESTION).shape[1])
    if streamed:
        return guard.chat(QUESTION, policy=policy, logits_processor=[script], max_new_tokens=200, do_sample=False)
    return guard.inspect(QUESTION, script.ids, policy=policy)


def probabilities(answer: Answer) -> list[float | None]:
    return [record.decision.verdict.probability for record in answer.report.spans]


@pytest.mark.parametrize("streamed", [True, False])
@pytest.mark.parametrize(
    ("second_looks", "taken"),
    [
        (SecondLooks(), 1),
        (SecondLooks(steps=math.inf, share=0.5), 2),
        (SecondLooks(steps=math.inf, share=1.0), 5),
        (SecondLooks(steps=0, share=1.0), 1),
    ],
)
def test_beyond_the_budget_the_first_look_decides(
    guard: GuardedModel, monkeypatch: pytest.MonkeyPatch, second_looks: SecondLooks, taken: int, streamed: bool
) -> None:
    unbounded = SecondLooks(math.inf, 1.0)
    monkeypatch.setattr(guard.guard.scorer, "_second_look_range", (2.0, 2.0))
    first = probabilities(ask(guard, LIST, unbounded, streamed))
    monkeypatch.setattr(guard.guard.scorer, "_second_look_range", (0.0, 1.0))
    second = probabilities(ask(guard, LIST, unbounded, streamed))
    answer = ask(guard, LIST, second_looks, streamed)
    got = probabilities(answer)
    assert len(got) == len(NUMBERS) and all(abs(a - b) > 1e-3 for a, b in zip(first, second, strict=True))
    with_second_look = [abs(mine - other) < 1e-6 for mine, other in zip(got, second, strict=True)]
    kept = [abs(mine - other) < 1e-6 for mine, other in zip(got, first, strict=True)]
    assert with_second_look[0] and sum(with_second_look) == taken and [not each for each in with_second_look] == kept
    report = answer.report
    assert (report.second_looks_taken, report.second_looks_skipped) == (taken, len(NUMBERS) - taken)
    assert report.as_dict()["second_looks"] == {"taken": taken, "skipped": len(NUMBERS) - taken}


def test_a_budget_belongs_to_its_answer(guard: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard.guard.scorer, "_second_look_range", (0.0, 1.0))
    for _ in range(3):
        assert ask(guard, SAYS, SecondLooks(), True).report.second_looks_taken == 1


@pytest.mark.parametrize("padded", [False, True])
def test_rows_of_a_batch_get_the_probabilities_of_each_alone(
    guard: GuardedModel, monkeypatch: pytest.MonkeyPatch, padded: bool
) -> None:
    """A padded row's cache does not begin with its text: what it shares is read anew."""
    monkeypatch.setattr(guard.guard.scorer, "_second_look_range", (0.0, 1.0))
    policy = Policy(score_threshold=1.0, after_redaction=AfterRedaction.CONTINUE)
    content = "Say it again: what is the phone number of Daniel Brown?" if padded else QUESTION[0]["content"]
    other = [{"role": "user", "content": content}]
    rows = [guard.chat_ids(messages)[0].tolist() for messages in (QUESTION, other)]
    width = max(map(len, rows))
    assert padded == (len({len(row) for row in rows}) > 1)
    script = tiny_hosts.Script(TOKENIZER, SAYS, width)
    ids = torch.tensor([[TOKENIZER.pad_token_id] * (width - len(row)) + row for row in rows])
    mask = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in rows])
    together: list[Answer] = []
    guard.generate(
        ids, attention_mask=mask, policy=policy, on_answer=together.append, logits_processor=[script],
        max_new_tokens=80, do_sample=False,
    )  # fmt: skip
    for messages, answer in zip((QUESTION, other), together, strict=True):
        alone = guard.inspect(messages, script.ids, policy=policy)
        assert answer.report.second_looks_taken == alone.report.second_looks_taken == 1
        assert probabilities(answer) == pytest.approx(probabilities(alone), abs=1e-4)


def test_an_answer_goes_on_from_the_hosts_own_cache(guard: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard.guard.scorer, "_second_look_range", (0.0, 1.0))
    with tokens_read(guard.model) as passes:
        ask(guard, SAYS, SecondLooks(), True)
    prompt = guard.chat_ids(QUESTION)[0].tolist()
    said = tiny_hosts.Script(TOKENIZER, SAYS, 0).ids
    texts = [TOKENIZER.decode(said[:at]) for at in range(len(said))]
    first = next(at for at, text in enumerate(texts) if len(text) > SAYS.index(SECRET)) - 1
    last = next(at for at, text in enumerate(texts) if len(text) >= SAYS.index(SECRET) + len(SECRET))
    before = [*prompt, *said[:first]]
    look = SecondLook(NameSwapper(TOKENIZER, 3)(before, last - first), said[first:last], before)
    assert look.shared > 4
    rest = max(map(len, look.texts)) - look.shared + last - first
    assert [size for size in passes if size not in (1, len(prompt))] == [3 * rest]
