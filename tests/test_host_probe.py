"""The probe: tags by a host's states, while it writes and afterwards, and how it is trained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_hosts
import torch
from drawn_taggers import KINDS, drawn_tagger
from finder_cuts import found
from hypothesis import given
from hypothesis import strategies as st
from tiny_hosts import QUESTION, SAYS, Script

from reticent import Guard, Policy
from reticent.huggingface.answer import Answer
from reticent.huggingface.answer_state_tags import AnswerStateTags
from reticent.huggingface.guarded_model import GuardedModel
from reticent_bench.finder.score import Gold
from reticent_bench.real_answers.marked import Marked
from reticent_bench.tagger import find_with_states
from reticent_bench.tagger import probe as training
from reticent_bench.tagger.host_states import HostStates, load
from reticent_detectors.alignment import TokenText
from reticent_detectors.bundle.format import Bundle, write_bundle
from reticent_detectors.capture import HostAdapter, SpanStates
from reticent_detectors.errors import BundleCorrupt, BundleMismatch, CaptureError
from reticent_detectors.finder import SpanFinder
from reticent_detectors.finder.tagger import reading, shipped
from reticent_detectors.finder.tagger.words import words_of
from reticent_detectors.scoring.host_probe import HostProbe
from reticent_detectors.spans import FindContext, Span

WATCH = Policy(score_threshold=1.0)
WIDTH = tiny_hosts.COMMON["hidden_size"]


def drawn_probe(seed: int = 0) -> HostProbe:
    """A probe of the shipped tagger's kinds with drawn weights, which is sure of all that it says."""
    torch.manual_seed(seed)
    probe = HostProbe(shipped().kinds, (0, 2), WIDTH, 16)
    torch.nn.init.normal_(probe.out.weight, std=20.0)
    return probe.eval()


@pytest.fixture(scope="module", autouse=True)
def unbounded() -> Iterator[None]:
    """Drawn states change tags only where nothing bounds them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "STATES_MOST", 1e4)
        yield


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> GuardedModel:
    """A tiny host whose bundle has a drawn probe."""
    model = tiny_hosts.host("llama", tiny_hosts.tokenizer())
    plain = Bundle.load(tiny_hosts.bundle(tmp_path_factory.mktemp("bundles") / "one", model))
    write_bundle(plain.path, plain.network, plain.manifest, plain.card, probe=drawn_probe(2).to_bytes(), overwrite=True)
    return Guard.load(plain.path).wrap(model, tiny_hosts.tokenizer())


def spans(answer: Answer) -> list[tuple[str, int, int, str]]:
    return [(each.entity, each.start, each.end, each.recognizer) for each in answer.report.spans]


def said(guard: GuardedModel, **options: Any) -> Answer:
    script = Script(guard.tokenizer, SAYS, guard.chat_ids(QUESTION).shape[1])
    return guard.chat(QUESTION, policy=WATCH, logits_processor=[script], max_new_tokens=80, do_sample=False, **options)


def test_a_probe_is_read_as_it_was_written() -> None:
    probe = drawn_probe()
    probe.margins = tuple(0.25 * at for at in range(len(probe.kinds)))
    again = HostProbe.from_bytes(probe.to_bytes())
    states = torch.randn(3, 2, 2, WIDTH)
    assert (again.kinds, again.layers, again.margins) == (probe.kinds, probe.layers, probe.margins)
    assert np.allclose(again.tags(states), probe.tags(states), atol=0.2)
    assert np.allclose(again.tags(states * 7), again.tags(states), atol=1e-3)
    with pytest.raises(BundleCorrupt, match="probe"):
        HostProbe.from_bytes(probe.to_bytes()[:-900])


def test_a_probe_of_another_tagger_or_host_is_refused(guarded: GuardedModel) -> None:
    bundle, host = guarded.guard.bundle, guarded.adapter
    assert HostProbe.of(bundle, host) is not None and HostProbe.of(replace(bundle, probe=None), host) is None
    for kinds, layers, width in ((KINDS, (0, 2), WIDTH), (shipped().kinds, (0, 3), WIDTH), (shipped().kinds, (0,), 64)):
        other = replace(bundle, probe=HostProbe(kinds, layers, width, 4).to_bytes())
        with pytest.raises(BundleMismatch, match="probe"):
            HostProbe.of(other, host)


def test_a_damaged_probe_is_named(guarded: GuardedModel, tmp_path: Path) -> None:
    bundle = guarded.guard.bundle
    assert bundle.probe is not None
    made = write_bundle(tmp_path / "b", bundle.network, bundle.manifest, bundle.card, probe=bundle.probe)
    (made.path / "probe.npz").write_bytes(bundle.probe[:-1])
    with pytest.raises(BundleCorrupt, match=r"probe\.npz"):
        Bundle.load(made.path)


def test_a_probe_has_its_say_and_the_same_one_afterwards(guarded: GuardedModel) -> None:
    streamed = said(guarded)
    ids = guarded.tokenizer(SAYS, add_special_tokens=False)["input_ids"]
    assert spans(guarded.inspect(QUESTION, ids, policy=WATCH)) == spans(streamed)
    probe, guarded.probe = guarded.probe, None
    try:
        assert spans(said(guarded)) != spans(streamed)
    finally:
        guarded.probe = probe


def test_each_row_of_a_batch_is_tagged_by_its_own_states(guarded: GuardedModel) -> None:
    alone, answers = said(guarded), list[Answer]()
    ids = guarded.chat_ids(QUESTION)
    short = guarded.chat_ids([{"role": "user", "content": "Who?"}])
    pad = torch.full((1, ids.shape[1] - short.shape[1]), guarded.tokenizer.pad_token_id)
    rows, mask = torch.cat((torch.cat((pad, short), 1), ids)), torch.ones(2, ids.shape[1], dtype=torch.long)
    mask[0, : pad.shape[1]] = 0
    guarded.generate(
        rows, attention_mask=mask, policy=WATCH, on_answer=answers.append, max_new_tokens=80, do_sample=False,
        logits_processor=[Script(guarded.tokenizer, SAYS, ids.shape[1])],
    )  # fmt: skip
    assert [each[:3] for each in spans(answers[1])] == [each[:3] for each in spans(alone)]


class _States:
    """States [T, 1, 1] that are the numbers of their positions; none beyond a position."""

    compile_seconds = 0.0

    def __init__(self, most: int) -> None:
        self.most = most

    def spans(self, wanted: Sequence[tuple[Sequence[int], int]]) -> list[SpanStates]:
        if any(place > self.most for positions, _ in wanted for place in positions):
            raise CaptureError("too late")
        none = torch.empty(0)
        return [SpanStates(torch.tensor(positions)[:, None, None], none, none) for positions, _ in wanted]

    def beginning(self, row: int) -> None: ...


class _Places:
    """Stands for a probe whose tags are the positions of the states."""

    layers, margins = (0,), ()

    def tags(self, states: torch.Tensor) -> Any:
        return states.flatten(1).numpy()


def test_a_word_is_tagged_by_the_states_before_it_and_at_its_end() -> None:
    tokens = TokenText(tiny_hosts.tokenizer())
    tags = AnswerStateTags(_Places(), (0,), tokens)  # type: ignore[arg-type]
    text = "Jo Roe"
    ids = tiny_hosts.tokenizer()(text, add_special_tokens=False)["input_ids"]
    for token in ids:
        tokens.push(token)
    states = _States(10 + len(ids))
    tags.attach(states, 0, 10)
    first = tokens.tokens(Span("", 0, 2))
    (jo, roe, elsewhere) = tags(text, [(0, 2), (3, 6), (-4, -2)])
    assert jo is not None and jo.tolist() == [10, 10 + first.stop]
    assert roe is None and elsewhere is None  # no token was drawn after the last one
    assert tags("Ja Roe", [(0, 2)]) == [None]
    states.most = 0
    (again,) = tags(text, [(0, 2)])
    assert again is jo  # what was said once is said again, after the state is gone


def test_no_state_silences_a_network_that_is_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "STATES_MOST", 5.0)

    class Against:
        margins = (0.0,)

        def __call__(self, text: str, words: Sequence[tuple[int, int]]) -> list[Any]:
            return [np.array([0, -900, -900], np.float32)]

    word, joined = next(words_of("nurse")), reading._Joined(Against(), 0)
    for lead, stays in ((4.0, True), (3.0, False)):
        logits, has_say = joined.of("nurse", [word], np.array([[0, lead, -9]], np.float32))
        assert has_say == [True]
        assert bool(logits[0].argmax() == 1) == stays


class _ByLength:
    """Tags words by their places and letters; some it does not know."""

    margins = (0.5,) * len(KINDS)

    def __call__(self, text: str, words: Sequence[tuple[int, int]]) -> list[Any]:
        out = list[Any]()
        for start, end in words:
            draw = np.random.default_rng([max(0, start), end - start])
            known = start >= 0 and draw.random() < 0.7
            out.append(draw.normal(0, 40, 1 + 2 * len(KINDS)).astype(np.float32) if known else None)
        return out


@given(st.lists(st.integers(1, 160), max_size=20).map(lambda cuts: sorted(set(cuts))), st.integers(0, 3))
def test_a_text_gives_the_same_spans_however_it_is_cut(cuts: list[int], seed: int) -> None:
    text = "Ana Ruiz, the retired beekeeper's niece, drove trucks; her brother-in-law was born in 1956. " * 2
    finder, states = SpanFinder(tagger=drawn_tagger(seed)), _ByLength()
    context = FindContext("Her file. ", "Who is she?", states=states)
    whole = found(finder, text, [], context.behind(context.left))
    assert found(finder, text, cuts, context.behind(context.left)) == whole
    assert found(finder, text, [], FindContext("Her file. ", "Who is she?")) != whole


TEXTS = [
    Marked("Who?", f"{name} is a {job}. She is here.", (Gold("JOB_TITLE", len(name) + 6, len(name) + 6 + len(job)),))
    for name in ("Jo", "Dee", "Ed")
    for job in ("nurse", "weaver", "cook")
]  # fmt: skip


def test_a_probe_learns_from_the_states_of_a_host(tmp_path: Path) -> None:
    tokenizer = tiny_hosts.tokenizer()
    host = HostStates(HostAdapter.attach(tiny_hosts.host("llama", tokenizer), tokenizer), tokenizer, (0, 1))
    host.keep(list(enumerate(TEXTS)), tmp_path / "texts.jsonl", 60)
    places, states = load(tmp_path / "texts.jsonl", 2)
    assert len(places) == len(TEXTS) and states.shape[1:] == (2, WIDTH)
    probe = training.train(TEXTS, places, states, (0, 1), epochs=900)
    (tags,) = training.read_held_out(probe, {"held": TEXTS}, places, states).values()
    job = 1 + 2 * probe.kinds.index("JOB_TITLE")
    for text, own in zip(TEXTS, tags, strict=True):
        words = [(start, end) for start, end, _ in words_of(text.text)]
        best = [0 if each is None else int(each.argmax()) for each in own(text.text, words)]
        assert [word for word, tag in zip(words, best, strict=True) if tag == job] == [tuple(text.gold[0][1:])]


def test_values_of_a_file_are_found_with_a_hosts_states(tmp_path: Path) -> None:
    tokenizer = tiny_hosts.tokenizer()
    tiny_hosts.host("llama", tokenizer).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    probe = HostProbe(shipped().kinds, (0, 1), WIDTH, 16)
    torch.nn.init.zeros_(probe.out.weight)
    with torch.no_grad():
        probe.out.bias[1 + 2 * probe.kinds.index("JOB_TITLE")] = 1e4
    (spans,) = find_with_states.found(tmp_path, probe, [Marked("", "Then came Harold.", ())])
    assert {span.kind for span in spans} == {"JOB_TITLE"}
    assert found(SpanFinder(), "Then came Harold.") == []
