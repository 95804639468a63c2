"""The finder of a proxied answer hears what the shadow's states say of its words, as around the model."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import logprob_server as server
import numpy as np
import pytest
import serve_golden as golden
import torch
from test_shadow import ADDRESS, OWN, REMEMBERED, bare, reader, settings

from reticent.commands import doctor
from reticent.commands.diagnosis import Diagnosis
from reticent.demo import assets
from reticent.guard import Guard
from reticent.hosted.cached_rows import StateRequest
from reticent.hosted.shadow import Shadow
from reticent.policy.policy import Policy
from reticent.serve.judging.served_detector import ServedDetector
from reticent.serve.judging.served_state_tags import PROBE_UNREAD
from reticent.serve.settings import DetectorSettings
from reticent.serve.stream.chunk_reader import ChunkReader
from reticent.serve.stream.stream_guard import StreamGuard
from reticent_detectors.bundle.format import Bundle, write_bundle
from reticent_detectors.capture import HostAdapter
from reticent_detectors.finder.tagger import reading, shipped
from reticent_detectors.scoring.host_probe import HostProbe

PROSE = [{"role": "user", "content": "Tell me about Travis Garcia."}]
LONG = (
    "Travis Garcia is a retired beekeeper, whose niece drove trucks for the county. He was seen by a doctor in Lisbon. "
    "They say that his brother-in-law, who was a baker, was treated for asthma: nobody at the mill knew of it then. "
    "The mill is called at 415-555-0134. "
)
Found = list[tuple[str, int, int]]


@pytest.fixture(scope="module", autouse=True)
def unbounded() -> Iterator[None]:
    """Drawn states change tags only where nothing bounds them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "STATES_MOST", 1e4)
        yield


@pytest.fixture(scope="module")
def with_probe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo host's bundle with a drawn probe, which is sure of all that it says."""
    model, tokenizer = server.demo()
    host = HostAdapter.attach(model, tokenizer)
    torch.manual_seed(1)
    probe = HostProbe(shipped().kinds, (1, host.num_layers - 2), host.hidden_size, 16)
    torch.nn.init.normal_(probe.out.weight, std=8.0)
    own, folder = Bundle.load(OWN), tmp_path_factory.mktemp("bundles") / "probed"
    write_bundle(folder, own.network, own.manifest, own.card, probe=probe.to_bytes())
    return folder


def made(bundle: Path, **more: Any) -> Shadow:
    return Shadow(Bundle.load(bundle), *server.demo(), settings(**more))


@pytest.fixture(scope="module")
def shadow(with_probe: Path) -> Iterator[Shadow]:
    copy = made(with_probe)
    yield copy
    copy.close()


def said(text: str) -> server.ServedAnswer:
    """An answer that the host did not give, as if it had been as sure as the copy is."""
    tokenizer = server.demo()[1]
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    return server.ServedAnswer(tuple((tokenizer.decode([token]), -0.1, ()) for token in ids), tuple(ids))


def spans(read: ChunkReader) -> Found:
    return [(each.entity, each.start, each.end) for each in read.choices[0].report().spans]


def fed(read: ChunkReader, raw: bytes, size: int) -> Found:
    """What is found in a stream whose bytes come in pieces of a size."""
    guard = StreamGuard(read)
    for at in range(0, len(raw), size):
        guard.feed(raw[at : at + size], 0.0)
    guard.finish(0.0)
    return spans(read)


def events(chunks: Iterator[dict[str, Any]]) -> bytes:
    return b"".join(golden.event(chunk) for chunk in chunks) + b"data: [DONE]\n\n"


def test_the_finder_finds_what_it_finds_around_the_model(shadow: Shadow, with_probe: Path) -> None:
    guard = Guard.load(with_probe, Policy.allow_all()).wrap(*server.demo())
    differ = 0
    try:
        for messages, answer in ((PROSE, said(LONG)), (ADDRESS, server.answer(ADDRESS))):
            own = guard.inspect(messages, answer.ids)
            read = reader(shadow, {"messages": messages})
            around = [(each.entity, each.start, each.end) for each in own.report.spans]
            assert fed(read, events(server.chat_chunks(answer)), 1 << 20) == around
            assert read.choices[0].report().failures == ()
            probe, guard.probe = guard.probe, None
            without = guard.inspect(messages, answer.ids).report.spans
            guard.probe = probe
            differ += around != [(each.entity, each.start, each.end) for each in without]
    finally:
        guard.close()
    assert differ


@pytest.mark.parametrize("tell", [server.chat_chunks, bare], ids=["tokens", "texts"])
def test_nothing_depends_on_how_an_answer_comes(shadow: Shadow, tell: Callable[..., Iterator[dict[str, Any]]]) -> None:
    answer = said(LONG)
    whole = fed(reader(shadow, {"messages": PROSE}), events(tell(answer)), 1 << 20)
    assert len(whole) > 1
    for size in (37, 700):
        assert fed(reader(shadow, {"messages": PROSE}), events(tell(answer)), size) == whole
    if tell is server.chat_chunks:
        for tokens in (3, len(answer.tokens)):
            chunks = server.chat_chunks(answer, tokens)
            assert fed(reader(shadow, {"messages": PROSE}), events(chunks), 1 << 20) == whole


def test_a_stream_whose_words_are_tagged_is_never_judged_on_the_event_loop(shadow: Shadow) -> None:
    guard = StreamGuard(reader(shadow, {"messages": PROSE}))
    for chunk in list(server.chat_chunks(said(LONG)))[:20]:
        assert guard.takes_long
        guard.feed(golden.event(chunk), 0.0)


def test_a_text_is_read_once_segment_by_segment(shadow: Shadow, monkeypatch: pytest.MonkeyPatch) -> None:
    passes: list[int] = []
    read_on = shadow._taps.read_on

    def counted(ids: Any, mask: Any, cache: Any, gather: Any) -> Any:
        passes.append(ids.shape[1] - cache.get_seq_length())
        return read_on(ids, mask, cache, gather)

    monkeypatch.setattr(shadow._taps, "read_on", counted)
    answer = said(LONG)
    prompt = [{"role": "user", "content": "word " * 150 + "Tell me about Travis Garcia."}]
    fed(reader(shadow, {"messages": prompt}), events(server.chat_chunks(answer)), 1 << 20)
    assert passes[0] > 150 and len(passes) > 2 and max(passes[1:]) < 40


def test_of_a_whole_answer_several_segments_are_read_at_once(shadow: Shadow, monkeypatch: pytest.MonkeyPatch) -> None:
    answer, passes, states = said(LONG * 2), list[int](), shadow._reader.states
    monkeypatch.setattr(shadow._reader, "states", lambda rows: passes.append(1) or states(rows))
    for tell in (server.chat_chunks, bare):
        streamed = fed(reader(shadow, {"messages": PROSE}), events(tell(answer)), 200)
        between = len(passes)
        read = reader(shadow, {"messages": PROSE})
        whole = server.chat_whole(answer)
        if tell is bare:
            whole["choices"][0]["logprobs"] = None
        read.judge_body(json.dumps(whole).encode(), 0.0)
        assert spans(read) == streamed
        assert 0 < len(passes) - between < between / 2
        passes.clear()


def test_words_and_spans_that_wait_are_read_in_one_pass_as_each_by_itself(
    shadow: Shadow, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs, alone, judge = list[Any](), list[Any](), shadow._judging

    def counted(job: Any) -> Any:
        jobs.append(job._replace(row=StateRequest(list(job.row.ids), list(job.row.positions))))
        alone.append(judge(job))
        return alone[-1]

    monkeypatch.setattr(shadow, "_judging", counted)
    for messages, answer in (
        (PROSE, said(LONG)),
        (REMEMBERED, server.answer(REMEMBERED)),
        (ADDRESS, server.answer(ADDRESS)),
    ):
        fed(reader(shadow, {"messages": messages}), events(server.chat_chunks(answer)), 1 << 20)
    assert (
        len([job for job in jobs if job.location is None]) > 1 < len([job for job in jobs if job.location is not None])
    )
    for own, other in zip(alone, shadow._read_together(jobs), strict=True):
        assert own.probability == pytest.approx(other.probability, abs=2e-3)
        assert (own.states is None) == (other.states is None)
        assert own.states is None or (own.states - other.states).abs().max() < 1e-3 * own.states.abs().max()


def test_where_the_copy_cannot_say_the_encoder_alone_decides_and_it_is_counted(with_probe: Path) -> None:
    answer = said(LONG)
    alone, short = made(with_probe, probe=False), made(with_probe, tokens=8)
    try:
        assert alone.tag_margins is None and PROBE_UNREAD in alone.about
        without = fed(reader(alone, {"messages": PROSE}), events(server.chat_chunks(answer)), 1 << 20)
        read = reader(short, {"messages": PROSE})
        assert fed(read, events(server.chat_chunks(answer)), 1 << 20) == without
        failures = dict(read.choices[0].report().failures)
        assert set(failures) == {"states"} and failures["states"] > 1
    finally:
        alone.close()
        short.close()


def test_states_that_are_not_finite_tag_no_word(shadow: Shadow, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shadow._probe is not None
    monkeypatch.setattr(shadow._probe, "tags", lambda states: np.full((len(states), 3), np.nan, np.float32))
    read = reader(shadow, {"messages": PROSE})
    fed(read, events(server.chat_chunks(said(LONG))), 1 << 20)
    assert dict(read.choices[0].report().failures)["states"] > 0


def test_who_does_not_read_the_probe_says_so(with_probe: Path, tmp_path: Path, shadow: Shadow) -> None:
    own, probed = Bundle.load(assets() / "bundle-logprobs"), Bundle.load(with_probe).probe
    write_bundle(tmp_path / "b", own.network, own.manifest, own.card, probe=probed)
    served = [
        ServedDetector(DetectorSettings(bundle=folder, models=("small",)))
        for folder in (tmp_path / "b", assets() / "bundle-logprobs")
    ]
    assert [PROBE_UNREAD in each.about for each in (*served, shadow)] == [True, False, False]
    assert "for the probe" in shadow.about

    def told(check: Callable[[Diagnosis], Any]) -> list[str]:
        found = Diagnosis("here")
        check(found)
        return [detail for _, name, detail in found.checks if name == "probe"]

    assert PROBE_UNREAD in told(lambda found: doctor._check_detector(found, tmp_path / "b"))[0]
    assert told(lambda found: doctor._check_detector(found, assets() / "bundle-logprobs")) == []
    for read in (True, False):
        chosen = settings(probe=read).model_copy(update={"bundle": with_probe})
        (line,) = told(lambda found, chosen=chosen: doctor._shadows(found, chosen))  # type: ignore[misc]
        assert (PROBE_UNREAD in line) is not read
    adapter = HostAdapter.attach(*server.demo())
    told_here = told(lambda found: doctor._check_bundle(found, with_probe, adapter, server.demo()[1]))
    assert told_here == [f"fits this host; the finder reads the states after layers 2 and {adapter.num_layers - 1}"]
