"""Analysers of whole texts as recognisers: what they find and hold back, however a text is cut."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zlib import crc32

import pytest
from finder_cuts import found
from hypothesis import given, settings
from hypothesis import strategies as st

from reticent.core.stream_machine import StreamMachine
from reticent.policy.verdict import Action, Decision, Origin, Tier, Verdict
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError, MissingExtra, ReticentError
from reticent_detectors.finder import SpanFinder, recognizers
from reticent_detectors.finder.adapters import (
    Finding,
    adapt,
    gliner_recognizers,
    presidio_recognizers,
    sentences,
    token_recognizers,
)
from reticent_detectors.spans import FindContext, Span

NOTHING = FindContext()
WORD = re.compile(r"\w+(?: \w+)?")


def by_words(text: str) -> Iterator[Finding]:
    """An analyser of which every answer depends on every character that it is shown."""
    for match in WORD.finditer(text):
        chance = crc32(f"{text}|{match.start()}".encode())
        if chance % 3 == 0:
            yield Finding("AB"[chance // 3 % 2], match.start(), match.end() - chance // 6 % 2, 0.3 + chance % 8 / 10)


def names(text: str) -> Iterator[Finding]:
    """Knows the Does and Ives, wherever they are."""
    for match in re.finditer(r"(?:St\. )?\b[JI]\w+ (?:[A-Z]\. )?(?:Doe|Ives)\b", text):
        yield Finding("PER", match.start(), match.end(), 0.9)
    for match in re.finditer(r"\bRome\b", text):
        yield Finding("LOC", match.start(), match.end(), 0.6)


def scrambled(chars: int = 320) -> SpanFinder:
    return SpanFinder(adapt("words", by_words, {"A": "ALPHA", "B": Entity.DIAGNOSIS}, 0.4, chars))


def named(analyse: Callable[[str], Iterable[Finding]] = names, **more: Any) -> SpanFinder:
    return SpanFinder(adapt("names", analyse, {"PER": Entity.PERSON, "LOC": Entity.LOCATION}, 0.5, **more))


def read(finder: SpanFinder, text: str, left: str = "") -> list[tuple[str, str]]:
    whole, n = left + text, len(left)
    return [(s.entity, whole[n + s.start : n + s.end]) for s in found(finder, text, context=FindContext(left))]


PROSE = (
    "Dr. Jane Doe met I. Ives in St. Ives on 3. May. She said (no. 7): yes! Did he? "
    'He did... so they say. "Well." Then: a.b@c.org::1.\n'
    "- one line, $40\n\n\n- the other;   tabs\tand  blanks.    罗马很好。他们说：「再见。」我们走吧！"
    "ok e.g. this, 12. of them. 40 more…  Fin. "
)
LONG = " ".join(f"{w}{i % 13}" for i, w in enumerate(("alpha", "beta,", "c-d", "Émile", "x_y", "(z)") * 45))
TEXTS = [
    PROSE,
    LONG[:1200],
    "na " * 250,
    "a" * 700,
    "很 x1 " * 200 + "很" * 300 + "好。x" * 40,
    LONG[:330] + ". " + LONG[:300] + "! Z",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("left", ["", "Jane ", LONG + " and Jo"])
def test_every_cut_gives_the_same_spans(text: str, left: str) -> None:
    context, finder = FindContext(left), scrambled()
    whole = found(finder, text, context=context)
    assert whole or " " not in text
    assert found(finder, text, range(0, len(text), 1 if text is PROSE else 5), context) == whole
    for cut in range(0, len(text), 1 if text is PROSE and len(left) < 9 else len(text) // 8):
        assert found(finder, text, [cut], context) == whole


@pytest.mark.parametrize("chars", [320, 1000])
def test_a_stream_that_outgrows_its_left_context_gives_the_same_spans(chars: int) -> None:
    context, finder, text = FindContext("nothing ends here " * 90), scrambled(chars), LONG + PROSE * 2
    whole = found(finder, text, context=context)
    assert len(whole) > 60
    assert found(finder, text, range(0, len(text), 7), context) == whole
    assert found(finder, text, [1020, 1024, 1030], context) == whole


PIECES = st.sampled_from(
    ["a", "Bo", "Dr", "St", "J", "12", "罗", "é", "_", " ", "  ", "\n", ".", ". ", "! ", "…", "。", "」", '"', ":", "(",
     "$", "=", "\u0301"]
)  # fmt: skip


@settings(max_examples=60)
@given(st.lists(PIECES, max_size=60), st.lists(PIECES, max_size=20), st.sampled_from(["", "wörd " * 65]))
def test_texts_of_marks_give_the_same_spans_character_by_character(text: list[str], left: list[str], long: str) -> None:
    answer, context, finder = long + "".join(text), FindContext("".join(left)), scrambled()
    assert found(finder, answer, range(len(answer)), context) == found(finder, answer, context=context)


@settings(max_examples=60)
@given(st.lists(PIECES, max_size=60))
def test_the_border_before_a_position_is_found_from_behind_as_from_before(pieces: list[str]) -> None:
    text = "".join(pieces)
    borders = [0, *(match.end() for match in sentences._BORDER.finditer(text, overlapped=True))]
    for p, char in enumerate(text):
        if char.isalnum():
            assert sentences._begin(text, p, 840) == max(b for b in borders if b <= p)


def test_with_our_own_recognizers_every_cut_gives_the_same_spans() -> None:
    text = (
        "Write to jane.doe@example.org. Jane Doe of Rome, +1-468-749-1093, is well. "
        "Her IBAN: GB29NWBK60161331926819\nBye"
    )
    finder = SpanFinder((*recognizers(), *adapt("names", names, {"PER": "PERSON", "LOC": "PLACE"}, 0.5)))
    whole = found(finder, text)
    assert [s.entity for s in whole] == ["EMAIL_ADDRESS", "PERSON", "PLACE", "PHONE_NUMBER", "IBAN_CODE"]
    assert [s.recognizer for s in whole if s.entity in ("PERSON", "PLACE")] == ["names", "names"]
    assert all(found(finder, text, [cut]) == whole for cut in range(len(text)))
    assert found(finder, text, range(len(text))) == whole


# Where a sentence ends


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("One is here. Two is.", ["One is here.", "Two is."]),
        ("Really?! (Yes.) \"No.\" Two", ["Really?!", "(Yes.)", '"No."', "Two"]),
        ("Dr. Doe of St. Ives met J. R. Doe, e.g. on 3. Mai. Then",
         ["Dr. Doe of St. Ives met J. R. Doe, e.g. on 3. Mai.", "Then"]),
        ("Tel. 40 is acme.com of Acme corp. of Rome", ["Tel. 40 is acme.com of Acme corp. of Rome"]),
        ("One\nTwo\r\n\nThree", ["One", "Two", "Three"]),
        ("我叫A。他说：「X。」B！", ["我叫A。", "他说：「X。」", "B！"]),
        ("x " * 110 + "! Y", ["x " * 110 + "!", "Y"]),
    ],
)  # fmt: skip
def test_an_analyser_is_shown_each_sentence_once(text: str, shown: list[str]) -> None:
    seen: list[str] = []
    finder = named(lambda sentence: seen.append(sentence) or ())
    found(finder, text, range(len(text)))
    assert seen == shown


def test_a_long_sentence_is_shown_in_few_overlapping_pieces() -> None:
    seen: list[str] = []
    text = re.sub(r"[.,;]", "", " ".join(f"word{crc32(b'%d' % i) % 1000}" for i in range(900)))
    found(named(lambda sentence: seen.append(sentence) or ()), text)
    assert max(map(len, seen)) <= 400
    assert len(text) / 400 < len(seen) < len(text) / 40
    assert all(f" {sentence} " in f" {text} " for sentence in seen)
    for p in range(200, len(text) - 200, 50):
        assert any(text[p : p + 100] in sentence for sentence in seen)


def test_a_value_of_160_characters_is_whole_wherever_it_stands_in_a_long_sentence() -> None:
    value = "Q" * 160

    def values(text: str) -> Iterator[Finding]:
        yield from (Finding("PER", m.start(), m.end(), 1.0) for m in re.finditer("Q+", text))

    for before in range(0, 700, 23):
        text = ("some words in a row, " * 40)[:before] + " " + value + " and more" * 60
        assert read(named(values), text) == [("PERSON", value)]


# What counts


def test_values_begin_in_the_prompt_and_end_with_the_text() -> None:
    assert found(named(), " Doe", context=FindContext("This is Jane")) == [Span("PERSON", -4, 4, "names")]
    assert read(named(), " of Rome", "Hi! Jane Doe") == [("LOCATION", "Rome")]
    assert read(named(), "She is Jane Doe") == [("PERSON", "Jane Doe")]
    assert named().fragment("She is Jane Doe", 0, context=NOTHING) == Span("PERSON", 7, 15, "names", fragment=True)
    assert named().fragment("She is Jane D", 0, context=NOTHING) is None


def test_labels_that_are_not_asked_for_and_low_scores_do_not_count() -> None:
    def analyse(text: str) -> list[Finding]:
        return [Finding("PER", 0, 4, 0.49), Finding("ORG", 5, 8, 1.0), Finding("LOC", 9, 13, 0.5)]

    assert read(named(analyse), "Jane Doe Rome") == [("LOCATION", "Rome")]


def test_a_finder_does_not_judge_again_by_the_words_around_a_value() -> None:
    rows = adapt("names", names, {"PER": Entity.DIAGNOSIS, "LOC": Entity.APPOINTMENT_DATE, "ORG": "DIAGNOSIS"}, 0.5)
    assert [(type(row.entity), row.entity) for row in rows] == [(str, "DIAGNOSIS"), (str, "APPOINTMENT_DATE")]


def test_of_two_kinds_for_one_place_the_higher_score_counts_and_of_two_places_the_longer() -> None:
    def analyse(text: str) -> list[Finding]:
        return [
            Finding("PER", 0, 4, 0.6),
            Finding("LOC", 0, 4, 0.9),
            Finding("LOC", 5, 8, 0.9),
            Finding("PER", 5, 13, 0.6),
        ]

    assert read(named(analyse), "Jane Doe Rome") == [("LOCATION", "Jane"), ("PERSON", "Doe Rome")]


@pytest.mark.parametrize(
    ("text", "start", "end", "value"),
    [
        ("at the Hague now", 3, 12, "Hague"),  # no value begins with `the`
        ("ask @jane_doe now", 4, 13, "@jane_doe"),
        ("ask jane_doe now", 9, 12, "jane_doe"),
        ("ask jane_doe now", 3, 7, "jane_doe"),
        ("ask ' Jane ' now", 4, 11, "Jane"),
        ("我叫Jane吗", 2, 6, "Jane"),
        ("ask Jane", -5, 99, "ask Jane"),
        ("ask Jane", 3, 4, ""),
    ],
)
def test_a_value_is_taken_by_whole_words(text: str, start: int, end: int, value: str) -> None:
    assert read(named(lambda _: [Finding("PER", start, end, 1.0)]), text) == ([("PERSON", value)] if value else [])


def test_what_another_value_covers_in_part_is_found_behind_it() -> None:
    text = "mail jane.doe@example.org Doe, ok"
    analyse = [Finding("PER", 5, 29, 1.0)]
    assert read(SpanFinder((*recognizers(), *named(lambda _: analyse)._recognizers)), text) == [("PERSON", text[5:29])]
    analyse[0] = Finding("PER", 10, 29, 1.0)
    assert read(SpanFinder((*recognizers(), *named(lambda _: analyse)._recognizers)), text) == [
        ("EMAIL_ADDRESS", "jane.doe@example.org"),
        ("PERSON", "Doe"),
    ]


@pytest.mark.parametrize("wrong", [{"entities": {}}, {"score_threshold": 1.1}, {"chars": 319}, {"chars": 1001}])
def test_settings_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        adapt("names", names, **({"entities": {"PER": "PERSON"}, "score_threshold": 0.5} | wrong))


# What is held back


@pytest.mark.parametrize("chars", [320, 1000])
@pytest.mark.parametrize("text", [PROSE, "A" * 1100, LONG])
def test_no_more_is_held_back_than_the_longest_piece(text: str, chars: int) -> None:
    finder, frontier = named(chars=chars), 0
    for cut in range(len(text) + 1):
        while (scan := finder.next_span(text[:cut], frontier, context=NOTHING, closed=False)).span is not None:
            frontier = scan.frontier
        frontier = scan.frontier
        assert cut - frontier <= chars


def test_a_sentence_leaves_as_soon_as_the_next_one_begins() -> None:
    text, finder = "It is Rome. He knows", named()
    assert [finder.next_span(text[:n], 0, context=NOTHING, closed=False).frontier for n in (4, 11, 12)] == [0, 0, 0]
    assert finder.next_span(text[:15], 0, context=NOTHING, closed=False).span == Span("LOCATION", 6, 10, "names")


# Once, by one at a time, and without a trace


def test_threads_share_one_analysis_of_a_sentence() -> None:
    calls: Counter[str] = Counter()
    busy = threading.Lock()

    def analyse(text: str) -> list[Finding]:
        assert busy.acquire(blocking=False), "two threads at once"
        calls[text] += 1
        result = list(names(text))
        threading.Event().wait(0.002)
        busy.release()
        return result

    text = " ".join(f"Jane Doe is number {i} in Rome today." for i in range(20))
    finder = named(analyse)
    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(lambda i: found(finder, text, range(i, len(text), 29), FindContext()), range(8)))
    assert len(results[0]) == 40 and all(result == results[0] for result in results)
    assert set(calls.values()) == {1} and len(calls) == 20


def test_what_was_analysed_is_not_kept_as_text_and_not_for_ever() -> None:
    rows = adapt("names", names, {"PER": "PERSON"}, 0.5)
    found(SpanFinder(rows), "\n".join(f"{i} Jane Doe" for i in range(1000)))
    kept = vars(rows[0].analysis)  # type: ignore[attr-defined]
    assert len(kept["_kept"]) == 512
    assert "Jane" not in repr(kept) and "Jane" not in repr(rows)


def test_an_analyser_that_raises_makes_the_finder_raise_without_the_text() -> None:
    def analyse(text: str) -> Iterator[Finding]:
        yield Finding("PER", 0, 4, 1.0)
        raise ValueError(f"cannot read {text}")

    with pytest.raises(ReticentError, match=r"names failed on a sentence of 15 characters: ValueError\.") as error:
        found(named(analyse), "She is Jane Doe")
    assert error.value.__cause__ is None and error.value.__context__ is None


def test_a_guarded_stream_redacts_what_an_analyser_finds_and_what_it_failed_on() -> None:
    def judge(span: Span) -> Decision:
        return Decision(Action.REDACT, Verdict(Origin.MEMORIZED, 1.0, 0.0, Tier.HIDDEN))

    def run(finder: SpanFinder) -> list[str]:
        machine = StreamMachine(finder, NOTHING, judge)
        text = "She is Jane Doe. Fine"
        return [*(machine.feed(c, now=0.0).text for c in text), machine.finish(now=0.0, cut=False).text]

    def broken(text: str) -> list[Finding]:
        raise RuntimeError

    assert "".join(run(named())) == "She is <PERSON>. Fine"
    assert "Jane" not in "".join(run(named(broken)))


# The three


class FakePresidio:
    """`AnalyzerEngine` as far as it is used."""

    def get_supported_entities(self, language: str) -> list[str]:
        return ["PERSON", "UK_NHS", "DATE_TIME", "US_NPI"] if language == "en" else []

    def analyze(self, text: str, language: str, entities: list[str], score_threshold: float) -> list[SimpleNamespace]:
        assert set(entities) <= set(self.get_supported_entities(language))
        rows = [
            ("PERSON", r"Jane", 0.9),
            ("UK_NHS", r"\d{10}", 0.5),
            ("UK_NHS", r"\b\d{4}\b", 0.1),
            ("DATE_TIME", "May", 1),
        ]
        return [
            SimpleNamespace(entity_type=kind, start=m.start(), end=m.end(), score=score)
            for kind, form, score in rows
            for m in re.finditer(form, text)
            if kind in entities and score >= score_threshold
        ]


def test_presidio_by_our_names() -> None:
    text = "Jane came in May. Her number is 4010232137, her PIN 1234."
    finder = SpanFinder(presidio_recognizers(FakePresidio()))
    assert read(finder, text) == [("PERSON", "Jane"), ("MEDICAL_RECORD_NUMBER", "4010232137")]
    chosen = {"UK_NHS": "NHS", "DATE_TIME": Entity.DATE_TIME}
    finder = SpanFinder(presidio_recognizers(FakePresidio(), entities=chosen, score_threshold=0.05))
    assert read(finder, text) == [("DATE_TIME", "May"), ("NHS", "4010232137"), ("NHS", "1234")]
    with pytest.raises(InputError, match="no US_SSN in"):
        presidio_recognizers(FakePresidio(), entities={"US_SSN": "US_SSN", "UK_NHS": "NHS"})


def test_presidio_itself_gives_the_same_spans_however_a_text_is_cut() -> None:
    pytest.importorskip("presidio_analyzer")
    finder = SpanFinder(presidio_recognizers())
    text = (
        "Write to jo@example.org. His SSN is 536-90-4399, I think. Phone\nnumber: (212) 555-0147; "
        "card 4111 1111 1111 1111, IBAN GB29NWBK60161331926819!"
    )
    whole = found(finder, text)
    assert [(s.entity, text[s.start : s.end]) for s in whole] == [
        ("EMAIL_ADDRESS", "jo@example.org"),
        ("US_SSN", "536-90-4399"),
        ("PHONE_NUMBER", "(212) 555-0147"),
        ("CREDIT_CARD", "4111 1111 1111 1111"),
        ("IBAN_CODE", "GB29NWBK60161331926819"),
    ]
    assert all(found(finder, text, [cut]) == whole for cut in range(len(text)))
    assert found(finder, text, range(len(text))) == whole


class FakeGliner:
    """`GLiNER` as far as it is used."""

    asked: list[str]

    def predict_entities(self, text: str, labels: list[str], threshold: float) -> list[dict[str, Any]]:
        self.asked = labels
        words = {"jane": ("person", 0.8), "rome": ("home town", 0.55), "may": ("person", 0.2)}
        found = ((m, words[m[0].lower()]) for m in re.finditer(r"\w+", text) if m[0].lower() in words)
        return [
            {"start": m.start(), "end": m.end(), "text": m[0], "label": label, "score": score}
            for m, (label, score) in found
            if score >= threshold and label in labels
        ]


def test_gliner_is_asked_in_its_own_words() -> None:
    model = FakeGliner()
    finder = SpanFinder(gliner_recognizers(model, {"person": "PERSON", "home town": Entity.LOCATION}))
    text = "In may, jane left Rome. Jane is back."
    whole = found(finder, text)
    assert [(s.entity, text[s.start : s.end]) for s in whole] == [
        ("PERSON", "jane"),
        ("LOCATION", "Rome"),
        ("PERSON", "Jane"),
    ]
    assert found(finder, text, range(len(text))) == whole
    assert model.asked == ["person", "home town"]


@pytest.fixture(scope="module")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A token classifier of random weights, with a tokenizer of words and their pieces."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models, pre_tokenizers

    pieces = ["[UNK]", "[PAD]", *"abcdefghijklmnopqrstuvwxyzDJRIS.,", *(f"##{c}" for c in "abcdefghijklmnopqrstuvwxyz")]
    tokenizer = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="[UNK]", pad_token="[PAD]", model_max_length=1024
    )
    torch.manual_seed(3)
    config = transformers.BertConfig(
        vocab_size=len(pieces), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        max_position_embeddings=1024, initializer_range=2.0,
        id2label=dict(enumerate(["O", "B-PER", "I-PER", "B-LOC", "I-LOC"])),
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("model")
    transformers.BertForTokenClassification(config).save_pretrained(folder)
    fast.save_pretrained(folder)
    return folder


TALK = "Dr. Jane Doe lives in Rome, I think. She likes cats\nand dogs, and I do too. Jean sees her!"


def test_a_token_classifier_gives_the_same_spans_however_a_text_is_cut(model_folder: Path) -> None:
    import transformers

    chosen = {"PER": Entity.PERSON, "LOC": "PLACE"}
    finder = SpanFinder(token_recognizers(model_folder, chosen, score_threshold=0.3))
    whole = found(finder, TALK)
    assert {span.entity for span in whole} == {"PERSON", "PLACE"}
    assert all(found(finder, TALK, [cut]) == whole for cut in range(0, len(TALK), 5))
    assert found(finder, TALK, range(len(TALK))) == whole
    line = "She likes cats\n"
    pipe = transformers.pipeline("token-classification", model=str(model_folder), aggregation_strategy="first")
    direct = [(chosen[r["entity_group"]], r["start"], r["end"]) for r in pipe(line.strip()) if r["score"] >= 0.3]
    inert = {(e, s, n) for e, s, n in direct}
    assert inert and {(s.entity, s.start, s.end) for s in found(finder, line)} <= inert


def test_a_pipeline_that_cannot_serve_is_refused_at_the_first_value(model_folder: Path) -> None:
    import transformers

    plain = transformers.pipeline("token-classification", model=str(model_folder))
    with pytest.raises(InputError, match="aggregation_strategy"):
        found(SpanFinder(token_recognizers(plain, {"PER": "PERSON"})), TALK)
    slow = [{"entity_group": "PER", "score": 0.9, "word": "jane", "start": None, "end": None}]
    with pytest.raises(InputError, match="fast"):
        found(SpanFinder(token_recognizers(lambda _: slow, {"PER": "PERSON"})), TALK)


# What is not installed


@pytest.mark.parametrize(
    ("module", "extra", "make"),
    [
        ("presidio_analyzer", "presidio", presidio_recognizers),
        ("gliner", "gliner", lambda: gliner_recognizers("models/gliner", {"person": "PERSON"})),
        ("transformers", "model", lambda: token_recognizers("models/ner", {"PER": "PERSON"})),
    ],
)
def test_what_is_not_installed_names_its_extra(
    module: str, extra: str, make: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf"\.\[.*{extra}.*\]"):
        make()


def test_importing_loads_none_of_them() -> None:
    code = (
        "import json, sys, reticent_detectors.finder; before = sorted(sys.modules); "
        "import reticent_detectors.finder.adapters; print(json.dumps([before, sorted(sys.modules)]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, after = json.loads(done.stdout)
    assert not {name for name in before if "finder.adapters" in name}
    assert not {"presidio_analyzer", "spacy", "gliner", "transformers", "torch"} & set(after)
