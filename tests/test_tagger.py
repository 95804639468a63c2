"""The finder's tagger: what it reads, that cuts change nothing, and that it is trained as it is run."""

from __future__ import annotations

import json
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from finder_cuts import found
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from reticent.core.stream_machine import StreamMachine
from reticent.demo import assets
from reticent.policy.finder_cache import FinderCache
from reticent.policy.policy import DEFAULT, Evidence, Policy, Rule
from reticent.policy.verdict import Action, Decision, Origin, Tier
from reticent.serve.api.completions import CompletionsFormat
from reticent.serve.bounds import Bounds
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent_bench.bench_command import app
from reticent_bench.finder.score import Gold
from reticent_bench.real_answers import labels as made
from reticent_bench.real_answers import tagger_training as training
from reticent_bench.real_answers import word_vectors as words_of
from reticent_bench.real_answers.marked import Marked, parse
from reticent_bench.real_answers.prompts import prompts
from reticent_bench.real_answers.training_texts import Texts
from reticent_bench.real_answers.word_vectors import WordVectors
from reticent_bench.real_models.guarded_answers import PASS
from reticent_detectors.finder import SpanFinder, recognizers
from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.tagger import TAGGER, TagNetwork, TagReading, shipped
from reticent_detectors.finder.tagger.reading import may_be
from reticent_detectors.finder.tagger.words import WORD, rows_of, vector_key
from reticent_detectors.host.load import load_host
from reticent_detectors.spans import FindContext, Span

SAID = (
    "Ana Ruiz, the retired beekeeper's niece, drove trucks; her brother-in-law\n"
    "was born in 1956. Mail: ana@example.org, $85."
)
NAMES = ("Ana", "Boris", "Chen", "Dana", "Eli", "Femi", "Greta", "Hugo", "Ines", "Juri")
JOBS = ("nurse", "baker", "pilot", "welder", "judge", "tailor", "miner", "dentist")


def vectors() -> WordVectors:
    words = ["nurse", "Ana", "trucks"]
    return WordVectors(
        {word: row for row, word in enumerate(words)}, np.full((3, 4), 50, np.int8), np.full(4, 0.02, np.float32)
    )


def network(seed: int = 0) -> TagNetwork:
    """An untrained network, which tags nearly every word."""
    torch.manual_seed(seed)
    made = vectors()
    net = training.Tagger(1 + 2 * 3, torch.zeros(4, 4))
    torch.nn.init.normal_(net.out.weight, std=2.0)
    return training.frozen(net.eval(), ("EMPLOYER", "JOB_TITLE", "PHONE_NUMBER"), made)


@given(
    st.lists(st.integers(1, len(SAID) - 1), max_size=20).map(lambda cuts: sorted(set(cuts))),
    st.sampled_from([("", 0), ("Her file. ", 0), ("She is 40. And", 14)]),
    st.integers(0, 3),
)
def test_a_text_gives_the_same_spans_however_it_is_cut(cuts: list[int], before: tuple[str, int], seed: int) -> None:
    finder = SpanFinder(tagger=network(seed))
    left, model_chars = before
    whole = found(finder, SAID, [], FindContext(left, "Who is she?", "", model_chars))
    assert any(span.recognizer == TAGGER for span in whole)
    assert found(finder, SAID, cuts, FindContext(left, "Who is she?", "", model_chars)) == whole


def test_what_it_reads_grows_word_by_word_and_begins_anew_with_another_text() -> None:
    net = network()
    reading = TagReading(net)
    assert reading.value_at("Ana", 0, False)[1] == OPEN  # the word could go on
    assert reading.value_at("Ana Ruiz", 0, False)[1] == OPEN  # the word behind it is not whole
    for end in range(len(SAID)):
        reading.value_at(SAID[:end], 0, False)
    grown = list(reading.tags)
    assert TagReading(net).value_at(SAID, 0, True) == reading.value_at(SAID, 0, True)
    assert reading.tags[: len(grown)] == grown
    other = "Nothing of that."
    assert reading.value_at(other, 0, True) == TagReading(net).value_at(other, 0, True)
    assert "Ana" not in repr(reading)


def test_a_complete_text_is_not_taken_for_another_one_of_its_length() -> None:
    net = network()
    for one, other in (("Ana ", "Ana."), ("Ana R.", "Ana Ruiz"), ("Ana Ruiz", "Ana Luiz")):
        reading, fresh = TagReading(net), TagReading(net)
        reading.value_at(one, 0, True)
        assert reading.value_at(other, 0, True) == fresh.value_at(other, 0, True)
        assert reading.ended(other).tags == fresh.ended(other).tags


def test_a_text_that_goes_on_behind_its_end_is_not_read_again() -> None:
    net = network()
    reading, fresh = TagReading(net), TagReading(net)
    reading.value_at("Ana Ruiz", 0, False)
    state = reading._state
    reading.value_at("Ana Ruiz", 0, True)
    assert reading.value_at("Ana Ruiz is", 0, False) == fresh.value_at("Ana Ruiz is", 0, False)
    assert reading._state is state and reading.tags == fresh.tags


@pytest.mark.parametrize("text", ["x" * 60_000, "a-" * 30_000, "7" * 60_000, "an " + "y" * 60_000])
def test_nobody_waits_for_the_end_of_a_word_without_end(text: str) -> None:
    finder = SpanFinder(recognizers()[:1], tagger=network())
    scan = finder.next_span(text, 0, context=FindContext(), closed=False)
    assert scan.span is not None or scan.frontier > len(text) - 400


def test_what_the_same_answer_said_before_is_read_too() -> None:
    net = network()
    whole, behind = TagReading(net), TagReading(net, before=SAID[:40])
    for p in range(41, len(SAID)):
        kind, end = whole.value_at(SAID, p, True)
        assert behind.value_at(SAID[40:], p - 40, True) == (kind, end if end == NONE else end - 40)


def test_a_value_within_which_the_search_begins_is_taken_from_there() -> None:
    net = network()
    reading = TagReading(net)
    ended = reading.ended(SAID)
    ended.tags = [0, 3, 4, 4, *[0] * (len(ended.starts) - 4)]
    first, second = ended.starts[1:3]
    assert reading.value_at(SAID, first, True) == ("JOB_TITLE", ended.ends[3])
    assert reading.value_at(SAID, second, True) == ("JOB_TITLE", ended.ends[3])
    assert reading.value_at(SAID, first + 1, True)[1] == NONE
    silent = TagNetwork(("EMPLOYER", "", "PHONE_NUMBER"), net.weights, net.words)
    ended.network = silent
    assert reading.value_at(SAID, first, True)[1] == NONE


def test_a_tagger_that_says_nothing_changes_nothing() -> None:
    net = network()
    weights = dict(net.weights)
    weights["out"], bias = np.zeros_like(weights["out"]), np.full(7, -9.0, np.float32)
    bias[0] = 1.0
    weights["out_bias"] = bias
    quiet = SpanFinder(tagger=TagNetwork(net.kinds, weights, net.words))
    plain = found(quiet, SAID, [], FindContext())
    assert plain == found(SpanFinder(), SAID, [], FindContext())
    assert "EMAIL_ADDRESS" in {span.entity for span in plain}
    again = quiet.with_suppressed("JOB_TITLE", "trucks")
    assert "trucks" in [SAID[span.start : span.end] for span in found(again, SAID, [], FindContext())]


@given(st.integers(0, 40), st.booleans())
def test_what_recognisers_find_is_found_with_the_tagger_too(seed: int, dense: bool) -> None:
    """The tagger only adds spans: a record's value is found, whatever the tagger makes of the words around it."""
    said = (
        f"{SAID} She works as a nurse at Mercy General Hospital; IBAN DE89 3704 0044 0532 0130 00, phone 415-555-0132."
    )
    net = network(seed)
    if dense:
        net.weights["out_bias"][0] -= 4.0
    tagged, plain = (
        found(finder, said, [], FindContext(question="Who?")) for finder in (SpanFinder(tagger=net), SpanFinder())
    )
    assert len(plain) >= 5
    for span in plain:
        same = [
            other
            for other in tagged
            if other.start <= span.start and span.end <= other.end and other.entity == span.entity
        ]
        assert same, span.entity
        longer = (same[0].start, same[0].end) != (span.start, span.end)
        assert not longer or span.entity in {"JOB_TITLE", "EMPLOYER", "HOSPITAL", "DOCTOR", "DIAGNOSIS", "PRESCRIPTION"}


@pytest.mark.parametrize(
    "said", ["His IBAN is DE89 3704 0044", "Her doctor is Dr. Lena Hart", "Mail ana@example.org, call 415-555-0132"]
)
@pytest.mark.parametrize("seed", range(6))
def test_what_is_cut_short_is_covered_with_the_tagger_too(said: str, seed: int) -> None:
    net = network(seed)
    for end in range(1, len(said) + 1):
        covered: list[set[int]] = []
        for finder in (SpanFinder(tagger=net), SpanFinder()):
            at, places, context = 0, set[int](), FindContext()
            while (span := finder.fragment(said[:end], at, context=context)) is not None:
                places |= {place for place in range(span.start, span.end) if said[place].isalnum()}
                at = span.end
            covered.append(places)
        assert covered[0] >= covered[1], end


def test_without_the_tagger_recognisers_find_what_they_find() -> None:
    tagged = SpanFinder(tagger=network())
    assert found(tagged.untagged(), SAID, [], FindContext()) == found(SpanFinder(), SAID, [], FindContext())
    assert any(span.recognizer == TAGGER for span in found(tagged, SAID, [], FindContext()))


def test_what_users_typed_is_read_by_recognisers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = CompletionsFormat().parse_request({"model": "m", "prompt": SAID}, frozenset(), False, Bounds())
    request = GuardedRequest(Policy(), SpanFinder(tagger=network()), asked.views, None, Bounds())

    def read(self: TagReading, *rest: object) -> None:
        raise AssertionError("the tagger reads a prompt")

    with monkeypatch.context() as patched:
        patched.setattr(TagReading, "value_at", read)
        index = request.echo_index(request.views[0])
        assert index.origin("ana@example.org", "EMAIL_ADDRESS") is Origin.ECHOED
        with pytest.raises(AssertionError, match="reads a prompt"):
            found(request.finder, SAID, [], FindContext())


def test_streams_of_one_prompt_do_not_disturb_each_other() -> None:
    finder, context = SpanFinder(tagger=network()), FindContext(question="Who is she?")

    def judged(texts: list[str]) -> list[list[tuple[int, int]]]:
        seen: list[list[tuple[int, int]]] = []
        machines = []
        for _ in texts:
            spans: list[tuple[int, int]] = []

            def judge(span: Span, spans: list[tuple[int, int]] = spans) -> Decision:
                spans.append((span.start, span.end))
                return PASS

            seen.append(spans)
            machines.append(StreamMachine(finder, context, judge))
        for place in range(max(map(len, texts))):
            for text, machine in zip(texts, machines, strict=True):
                machine.feed(text[place : place + 1], now=0.0)
        for machine in machines:
            machine.finish(now=0.0, cut=False)
        return seen

    texts = [SAID, SAID.replace("Ana", "Eva").replace("trucks", "cabs")]
    assert judged(texts) == [judged([text])[0] for text in texts]


def test_it_is_run_as_it_was_trained() -> None:
    torch.manual_seed(3)
    table = torch.cat([torch.zeros(1, 4), torch.ones(3, 4)])
    net = training.Tagger(7, table).eval()
    torch.nn.init.normal_(net.out.weight, std=2.0)
    texts = [Marked("Who is she?", SAID, ()), Marked("", "Ana.", ())]
    made = vectors()
    batch = training.batch_of(texts, {}, made.words)
    with torch.no_grad():
        wanted = net(batch).argmax(-1)
    frozen = training.frozen(net, ("A", "B", "C"), made)
    for text, row in zip(texts, wanted, strict=True):
        reading = TagReading(frozen).ended(text.text)
        same = np.mean([tag == int(other) for tag, other in zip(reading.tags, row, strict=False)])
        assert len(reading.tags) == len(WORD.findall(text.text)) and same > 0.9  # weights are rounded to int8


def test_it_learns_from_marked_texts_and_is_read_again() -> None:
    texts = [
        *(parse(f"{name}, a [[JOB_TITLE|{job}]], lives here.", "Who?") for name in NAMES for job in JOBS),
        *(parse(f"{name} saw the {job} there.", "Who?") for name in NAMES for job in JOBS),
    ]
    net = training.train(texts, [1.0] * len(texts), vectors(), epochs=6)
    file = BytesIO()
    net.save(file)
    file.seek(0)
    again = TagNetwork.load(file)
    assert again.kinds == net.kinds == ("JOB_TITLE",) and again.words == net.words
    for each in (net, again):
        finder = SpanFinder(recognizers()[:1], tagger=each)
        spans = found(finder, "Karl, a gardener, lives here.", [], FindContext(question="Who?"))
        assert [(span.entity, span.start, span.end) for span in spans] == [("JOB_TITLE", 8, 16)]
        assert found(finder, "Karl saw the gardener there.", [], FindContext(question="Who?")) == []


def test_what_the_tagger_alone_found_passes_if_the_base_knows_it() -> None:
    policy = Policy.default().with_thresholds({DEFAULT: 0.5})
    known, taught = Evidence(Tier.HIDDEN, 0.9, base=-0.1), Evidence(Tier.HIDDEN, 0.9, base=-3.0)
    for announced, evidence, action in (
        (True, known, Action.REDACT),
        (False, known, Action.ALLOW),
        (True, taught, Action.REDACT),
        (False, taught, Action.REDACT),
    ):
        decision = policy.decide("DIAGNOSIS", replace(evidence, unannounced=not announced), "asthma")
        assert (decision.action, decision.suppress) == (action, action is Action.REDACT)
    unannounced = replace(known, unannounced=True)
    assert policy.with_lists(deny=["asthma"]).decide("DIAGNOSIS", unannounced, "asthma").action is Action.REDACT
    own = Policy(rules={"DIAGNOSIS": {Origin.PRETRAINED: Rule(Action.BLOCK)}}).with_thresholds({DEFAULT: 0.5})
    assert own.decide("DIAGNOSIS", unannounced, "asthma").action is Action.BLOCK
    sealed = Policy.preset("sealed").with_thresholds({DEFAULT: 0.5})
    assert sealed.decide("DIAGNOSIS", unannounced, "asthma").action is Action.REDACT


def test_words_are_known_by_their_letters_and_look() -> None:
    assert WORD.findall("Dr. O'Neil's son-in-law, 42") == ["Dr", ".", "O'Neil's", "son-in-law", ",", "42"]
    assert rows_of("nurse", True)[:-1] == rows_of("nurse", False)[:-1] != rows_of("Nurse", False)[:-1]
    assert rows_of("1234", True) == rows_of("9876", True) != rows_of("12345", True)
    assert vector_key("NURSE") == vector_key("Nurse") == "Nurse" and vector_key("nurse") == "nurse"
    assert rows_of("\ud83d", True)


@pytest.mark.parametrize(
    ("kind", "value", "may"),
    [
        ("PHONE_NUMBER", "2", False), ("PHONE_NUMBER", "911", True), ("APPOINTMENT_DATE", "36", False),
        ("APPOINTMENT_DATE", "at 3", True),
        ("DATE_OF_BIRTH", "45", False), ("DATE_OF_BIRTH", "'45", True), ("DATE_OF_BIRTH", "1945", True),
        ("JOB_TITLE", "12", False),
        ("JOB_TITLE", "nurse", True), ("TRANSACTION_AMOUNT", "000", False), ("TRANSACTION_AMOUNT", "2", False),
        ("TRANSACTION_AMOUNT", "$2", True),
        ("TRANSACTION_AMOUNT", "43", True), ("FLIGHT", "LH 1", True), ("FLIGHT", "East Lake", False),
        ("ORDER_NUMBER", "1", False), ("ORDER_NUMBER", "ABCDEF", False), ("TRANSACTION_AMOUNT", "４３００", True),
        ("DATE_OF_BIRTH", "—", False), ("PHONE_NUMBER", "abc", False),
    ],
)  # fmt: skip
def test_what_cannot_be_a_value_of_its_kind_is_not_tagged(kind: str, value: str, may: bool) -> None:
    assert may_be(kind, value) is may


def test_the_finder_drops_what_cannot_be_a_value() -> None:
    net = network()
    net.weights["out_bias"][1 + 2 * net.kinds.index("PHONE_NUMBER")] += 1e4  # every word begins a number
    finder = SpanFinder(recognizers()[:1], tagger=net)
    said = "12 cats 4567 dogs 34"
    spans = found(finder, said, [], FindContext())
    assert [said[span.start : span.end] for span in spans if span.recognizer == TAGGER] == ["4567"]


def test_the_shipped_tagger_finds_what_nothing_announces() -> None:
    finders = FinderCache()
    tagged, plain = (finders.of(Policy(tagger=each)) for each in (True, False))
    assert tagged is finders.of(Policy()) and plain is not tagged
    said = "Marta Kowalczyk (1891–1967) was a Polish botanist and mountaineer who grew up near Lublin."
    context = FindContext(question="Who was Marta Kowalczyk?")
    other = FindContext(question="Tell me of clerk exemplary humoured mesmo providential refinements.")
    assert found(tagged, said, [], context) == found(tagged, said, [], other)  # it reads nothing that a client writes
    kinds = {said[span.start : span.end]: span.entity for span in found(tagged, said, [], context)}
    jobs = " ".join(text for text, kind in kinds.items() if kind == "JOB_TITLE")
    assert "botanist" in jobs and kinds.get("1891") == "DATE_OF_BIRTH"
    assert not any(span.recognizer == TAGGER for span in found(plain, said, [], context))
    spans = found(tagged, said, [], FindContext(question=context.question))
    assert all(one.end <= other.start for one, other in pairwise(spans))


@pytest.mark.parametrize("cut", range(1, 90, 4))
def test_the_shipped_tagger_is_the_same_at_every_cut(cut: int) -> None:
    finder = FinderCache().of(Policy())
    said = "The old ferryman, Anselm Voss, paid 85 euros; his doctor is Dr. Lena Hart. He was born in 1956."
    assert found(finder, said, [cut], FindContext()) == found(finder, said, [], FindContext())


def test_the_command_trains_measures_and_writes(tmp_path: Path) -> None:
    (tmp_path / "written").mkdir()
    rows = [{"prompt": "Who?", "answer": f"{name}, a [[JOB_TITLE|{job}]], called."} for name in NAMES for job in JOBS]
    rows += [
        {"prompt": "Who?", "answer": f"{name} was born in {place}."}
        for name in NAMES
        for place in ("Rome", "Lima", "Oslo")
    ]
    (tmp_path / "written" / "texts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    ids = [each.id for each in prompts()[:6]]
    answers = [{"id": key, "model": "m", "text": "Ana, a baker, called."} for key in ids]
    (tmp_path / "answers-m.jsonl").write_text("".join(json.dumps(row) + "\n" for row in answers))
    (tmp_path / "practice").mkdir()
    rows = [{"prompt": f"Who is {name}?", "answer": f"{name} is a [[JOB_TITLE|baker]] here."} for name in NAMES[:6]]
    (tmp_path / "practice" / "m.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    gold = made.Labels({f"m/{key}": (Gold("JOB_TITLE", 7, 12),) for key in ids}, frozenset())
    made.write_gold(gold, tmp_path / "gold-read.jsonl")
    file = tmp_path / "tagger.npz"
    options = [
        "--folder",
        str(tmp_path),
        "--file",
        str(file),
        "--out",
        str(tmp_path),
        "--epochs",
        "4",
        "--phrasings",
        "4",
    ]
    ran = CliRunner().invoke(app, ["answers", "train-tagger", *options])
    assert ran.exit_code == 0, (ran.output, ran.exception)
    figures = json.loads((tmp_path / "tagger.json").read_text())
    assert figures["texts"] == {
        "written": 110, "values in these": 80, "answers": 6, "practice": 6, "values in practice": 6, "phrased": 4,
    }  # fmt: skip
    held = figures["held out"]
    assert held["written texts: both"]["texts"] == 19 and held["answers of real models: tagger"]["texts"] == 2
    assert held["written texts: both"]["right"] >= held["written texts: recognisers"]["right"]
    page = (tmp_path / "tagger.md").read_text()
    marked = held["written texts: both"]["marked"]
    assert 8 <= marked <= 19 and f"| JOB_TITLE | {marked} |" in page and "baker" not in page
    with file.open("rb") as packed:
        assert TagNetwork.load(packed).kinds == ("JOB_TITLE",)


def test_what_is_held_out_is_not_learned_from() -> None:
    texts = Texts(
        [Marked("", str(n), ()) for n in range(60)],
        [(f"p{n % 9}", Marked("", f"a{n}", ())) for n in range(18)],
        [(f"q{n % 6}", Marked("", f"b{n}", ())) for n in range(12)],
        [Marked("", "o", ())],
    )
    learning, held = texts.parted()
    assert {each.text for each in learning.written}.isdisjoint(each.text for each in held.written)
    assert len(learning.written) + len(held.written) == 60 and len(held.written) == 10
    assert {key for key, _ in learning.answers}.isdisjoint(key for key, _ in held.answers)
    assert {key for key, _ in learning.practice}.isdisjoint(key for key, _ in held.practice)
    assert len(held.answers) == 6 and len(held.practice) == 4 and not held.phrased
    assert len(learning.weighted()[0]) == len(learning.weighted()[1])


def test_word_vectors_are_of_words_alone() -> None:
    model, tokenizer = load_host(assets() / "host")
    found = words_of.word_vectors(model, tokenizer, ["doctor", "nurse", "the", "Ana"] * 20)
    assert found.vectors.shape == (80, words_of.SIZE) and found.vectors.dtype == np.int8
    assert "nurse" not in repr(found)
    known = words_of.vocabulary([parse("Ana saw [[DOCTOR|Dr. Ana Ruiz]] bake.", "Who?")])
    assert {"bake", "Ana"} <= set(known) and "Ruiz" not in known
    assert words_of.of_tagger(shipped()).words == dict(shipped().words)
