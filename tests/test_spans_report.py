"""The span finder's benchmark: its arithmetic, readers and generated texts, on a few lines of its own."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence

import pytest
from stdnum import bitcoin, iban, luhn
from stdnum.br import cpf
from stdnum.de import idnr
from stdnum.es import dni
from stdnum.fr import nir
from stdnum.in_ import aadhaar
from stdnum.it import codicefiscale
from stdnum.pl import pesel
from stdnum.se import personnummer

from reticent_bench.finder import numbers as spans_numbers
from reticent_bench.finder import report as spans_report
from reticent_bench.finder.data import read_conll, read_presidio_research
from reticent_bench.finder.find import default_finder, find, stream, tokens
from reticent_bench.finder.presidio import our_kind, without_overlaps
from reticent_bench.finder.prose import LANGUAGES, NOTHING, Example, dev_rows, examples, fill, half, identifier
from reticent_bench.finder.quality import measure_disguises, measure_relations, measure_structured
from reticent_bench.finder.score import Gold, Score, accepted, without_general
from reticent_bench.finder.speed import hostile, measure_harmless, words
from reticent_bench.finder.structured import CUED, structured_examples
from reticent_bench.finder.values import MAKERS, make
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError

EVERY = [*examples("dev", 0, 1), *examples("test", 0, 1)]


def scored(gold: Sequence[Gold], found: Sequence[Gold], **options: frozenset[str]) -> Score:
    score = Score(**options)
    score.add(gold, found)
    return score


def test_exact_and_overlapping_spans_are_counted_apart() -> None:
    gold = [Gold("URL", 0, 5), Gold("URL", 10, 15), Gold("URL", 20, 25)]
    found = [Gold("URL", 0, 5), Gold("URL", 11, 15), Gold("URL", 30, 35)]
    figures = scored(gold, found).figures()["URL"]
    assert figures["exact recall"] == figures["exact precision"] == figures["exact F1"] == pytest.approx(1 / 3)
    assert figures["overlap recall"] == figures["overlap precision"] == pytest.approx(2 / 3)


def test_f1_is_the_harmonic_mean() -> None:
    figures = scored([Gold("URL", 0, 5)], [Gold("URL", 0, 5), Gold("URL", 7, 8), Gold("URL", 9, 10)]).figures()["URL"]
    assert (figures["exact recall"], figures["exact precision"]) == (1, pytest.approx(1 / 3))
    assert figures["exact F1"] == pytest.approx(0.5)


def test_nothing_found_has_no_precision_and_no_gold_no_recall() -> None:
    missed = scored([Gold("URL", 0, 5)], []).figures()["URL"]
    assert (missed["exact precision"], missed["exact F1"]) == (None, 0.0)
    wrong = scored([], [Gold("URL", 0, 5)]).figures()["URL"]
    assert (wrong["exact recall"], wrong["exact F1"], wrong["exact precision"]) == (None, None, 0.0)


def test_a_sibling_is_accepted_and_counted_under_the_gold_kind() -> None:
    score = scored([Gold("PERSON", 0, 5)], [Gold("DOCTOR", 0, 5)])
    assert set(score.kinds) == {"PERSON"}
    figures = score.figures()["PERSON"]
    assert (figures["exact recall"], figures["exact precision"], figures["same kind, exact recall"]) == (1, 1, 0)
    assert "DATE_TIME" not in accepted("FLIGHT")
    assert "FLIGHT" in accepted("DATE_TIME")
    assert scored([Gold("PERSON", 0, 5)], [Gold("URL", 0, 5)]).figures()["PERSON"]["overlap recall"] == 0


def test_ignored_gold_is_not_scored_and_excuses_what_meets_it() -> None:
    score = scored([Gold("AGE", 0, 2)], [Gold("PIN", 0, 2), Gold("PIN", 5, 9)], ignored=frozenset({"AGE"}))
    assert set(score.kinds) == {"PIN"}
    assert score.kinds["PIN"].found == 1


def test_only_counted_kinds_can_be_wrong() -> None:
    score = scored([], [Gold("PIN", 0, 2), Gold("URL", 5, 9)], counted=frozenset({"URL"}))
    assert set(score.kinds) == {"URL"}


def test_further_findings_help_recall_alone() -> None:
    score = Score()
    score.add([Gold("URL", 0, 5)], [Gold("PIN", 0, 5)], [Gold("URL", 0, 5)])
    assert score.figures()["URL"]["exact recall"] == 1
    assert score.total().found == 1


def test_names_and_places_beside_the_gold_are_left_out() -> None:
    gold = [Gold("DOCTOR", 0, 5)]
    found = [Gold("PERSON", 0, 5), Gold("PERSON", 9, 12), Gold("PIN", 20, 24)]
    assert without_general(found, gold) == [found[0], found[2]]


def test_of_overlapping_findings_the_surer_then_the_longer_stays() -> None:
    a, b, c = Gold("URL", 0, 5), Gold("PIN", 3, 9), Gold("PIN", 2, 12)
    assert without_overlaps([(a, 0.3), (b, 0.9), (c, 0.9)]) == [c]
    assert without_overlaps([(a, 0.3), (b, 0.2)]) == [a]


def test_presidio_entities_are_ours() -> None:
    wanted = {
        "EMAIL_ADDRESS": "EMAIL_ADDRESS", "US_BANK_NUMBER": "BANK_ACCOUNT", "UK_NINO": "NATIONAL_ID",
        "DE_TAX_ID": "TAX_ID", "IT_DRIVER_LICENSE": "DRIVER_LICENSE", "US_PASSPORT": "PASSPORT", "UK_POSTCODE": "OTHER",
        "IN_VEHICLE_REGISTRATION": "VEHICLE_ID",
    }  # fmt: skip
    assert {entity: our_kind(entity) for entity in wanted} == wanted


def test_presidio_research_is_read_with_our_kinds() -> None:
    row = {
        "full_text": "Mr. Lee of Rome, 45",
        "spans": [
            {"entity_type": "GPE", "start_position": 11, "end_position": 15},
            {"entity_type": "PERSON", "start_position": 4, "end_position": 7},
            {"entity_type": "AGE", "start_position": 17, "end_position": 19},
        ],
    }
    (read,) = read_presidio_research([json.dumps(row)])
    assert read.gold == (Gold("PERSON", 4, 7), Gold("LOCATION", 11, 15), Gold("AGE", 17, 19))
    with pytest.raises(InputError, match="SHOE_SIZE"):
        read_presidio_research([json.dumps(row).replace("GPE", "SHOE_SIZE")])


def test_conll_is_read_with_the_blanks_of_prose() -> None:
    lines = [
        "Ann I-PER",
        "Lee I-PER",
        "( O",
        "Rome I-LOC",
        ") O",
        ". O",
        "",
        "It O",
        "is O",
        "New I-ORG",
        "Co I-ORG",
        ". O",
    ]
    first, second = read_conll(lines)
    assert (first.text, second.text) == ("Ann Lee (Rome).", "It is New Co.")
    assert [(g.kind, first.text[g.start : g.end]) for g in first.gold] == [("PERSON", "Ann Lee"), ("LOCATION", "Rome")]
    assert [(g.kind, second.text[g.start : g.end]) for g in second.gold] == [("ORGANIZATION", "New Co")]


@pytest.mark.parametrize(
    ("wording", "value", "language", "text", "found"),
    [
        ("{n} is a {v}.", "engineer", "English", "Ann Lee is an engineer.", "engineer"),
        ("{v} is what {n} has.", "asthma", "English", "Asthma is what Ann Lee has.", "Asthma"),
        ("Il souffre de {v}.", "de l'|asthme", "French", "Il souffre d'asthme.", "asthme"),
        ("Il a {a}{v}.", "de l'|asthme", "French", "Il a de l'asthme.", "asthme"),
        ("Il est membre de {a}{v}.", "le |MoDem", "French", "Il est membre du MoDem.", "MoDem"),
        ("Fa il {v}.", "idraulico", "Italian", "Fa l'idraulico.", "idraulico"),
        ("She is at {v}.", "Lee Inc.", "English", "She is at Lee Inc.", "Lee Inc."),
    ],
)
def test_a_wording_is_filled(wording: str, value: str, language: str, text: str, found: str) -> None:
    written, gold = fill(wording, "JOB_TITLE", value, "Ann Lee", language)
    assert written == text
    assert gold[0].kind == "JOB_TITLE"
    assert written[gold[0].start : gold[0].end] == found
    if "{n}" in wording:
        assert written[gold[1].start : gold[1].end] == "Ann Lee"


def _is_whole(example: Example, gold: Gold) -> bool:
    """Whether a span stands inside the text, between blanks or marks, and not on a blank."""
    value = example.text[gold.start : gold.end]
    around = example.text[gold.start - 1 : gold.start], example.text[gold.end : gold.end + 1]
    return bool(value) and value == value.strip() and not any(c.isalnum() for c in around)


def test_every_value_of_the_generated_texts_stands_where_it_should() -> None:
    assert {e.language for e in EVERY} == set(LANGUAGES)
    for example in EVERY:
        assert (example.kind == NOTHING) == (not example.gold)
        assert all(_is_whole(example, g) for g in example.gold), (example.language, example.form)
        assert "{" not in example.question
        if example.gold:
            assert example.gold[0].kind == example.kind
        if example.form in ("prose", "value first", "question"):
            assert not any(mark in example.text for mark in ("{", "}", "|", "^")), (example.language, example.kind)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_enough_wordings_and_knows_its_kinds(language: str) -> None:
    module = LANGUAGES[language]
    totals: dict[str, int] = {}
    for sort, lines in module.PROSE.items():
        wordings = [line.strip() for line in lines.strip().splitlines()]
        assert len(wordings) == len(set(wordings))
        assert all(line.count("{v}") == 1 for line in wordings), sort
        kind = sort.partition(":")[0]
        totals[kind] = totals.get(kind, 0) + len(wordings)
    assert min(totals.values()) >= 16
    assert set(totals) | set(module.LABELS) <= set(Entity)
    assert {"US_SSN", "US_ITIN", "DATE_TIME", "OTHER"} | set(module.LABELS) >= set(Entity)


def test_the_halves_share_no_wording_and_both_hold_every_kind() -> None:
    assert half("English", "DIAGNOSIS", "She has {v}.") == half("English", "DIAGNOSIS", "She has {v}.")
    by_half = {
        which: {(e.language, e.kind) for e in examples(which, 0, 1) if e.kind in LANGUAGES["English"].LABELS}
        for which in ("dev", "test")
    }
    assert len(by_half["dev"] & by_half["test"]) > 0.8 * len(by_half["dev"] | by_half["test"])
    shown = {row["text"] for row in dev_rows() if row["form"] == "prose"}
    assert not shown & {e.text for e in examples("test", 0, 1) if e.form == "prose"}


def test_generated_texts_hang_on_the_seed_alone() -> None:
    assert list(examples("test", 3, 1, ["German"])) == list(examples("test", 3, 1, ["German"]))
    assert list(examples("test", 3, 1, ["German"])) != list(examples("test", 4, 1, ["German"]))


def test_labels_become_names_in_code() -> None:
    assert identifier("N° de téléphone", "snake") == "n_de_telephone"
    assert identifier("Behandelnder Arzt", "camel") == "behandelnderArzt"
    assert identifier("Straße", "Pascal") == "Strasse"


@pytest.mark.parametrize("kind", CUED)
def test_structured_texts_say_their_value(kind: str) -> None:
    texts = list(structured_examples(kind, 24, 0))
    assert texts == list(structured_examples(kind, 24, 0))
    for text, gold in texts:
        assert gold.kind == kind
        assert 0 <= gold.start < gold.end <= len(text)
        assert "{v}" not in text
    assert len({text[g.start : g.end] for text, g in texts}) > 15


def test_made_up_numbers_have_their_check_digits() -> None:
    rng = random.Random(1)
    checks = {
        spans_numbers.spanish_dni: dni, spans_numbers.french_nir: nir, spans_numbers.codice_fiscale: codicefiscale,
        spans_numbers.cpf: cpf, spans_numbers.german_tax: idnr, spans_numbers.pesel: pesel,
        spans_numbers.aadhaar: aadhaar, spans_numbers.personnummer: personnummer,
        spans_numbers.bitcoin_address: bitcoin, spans_numbers.segwit_address: bitcoin,
    }  # fmt: skip
    for maker, module in checks.items():
        assert all(module.is_valid(maker(rng)) for _ in range(10)), maker.__name__
    for locale in ("en_US", "es_ES"):
        assert all(iban.is_valid(make("IBAN_CODE", rng, locale)) for _ in range(10))
    assert all(luhn.is_valid(make("CREDIT_CARD", rng, "en_US").replace(" ", "").replace("-", "")) for _ in range(10))
    assert set(MAKERS) == set(CUED)


def test_a_stream_holds_back_what_may_grow_and_finds_the_same() -> None:
    finder, text = default_finder(), "Write to ann.lee@example.com now, and then rest for a while, please."
    assert "".join(tokens(text)) == text
    streamed = stream(finder, tokens(text))
    assert streamed.spans == find(finder, text) == [Gold("EMAIL_ADDRESS", 9, 28)]
    assert len(streamed.held_chars) == len(streamed.microseconds) == len(list(tokens(text)))
    assert max(streamed.held_chars) >= len("ann.lee@example.com")
    later = stream(finder, [" x"], start=text + " ")
    assert (later.spans, len(later.held_chars)) == ([], 1)


def test_words_are_counted_in_chinese_too() -> None:
    assert words("two words") == 2
    assert words("北京大学 is old") == 4


def test_hostile_texts_have_the_size_asked_for() -> None:
    assert {len(text(1000)) for text in hostile(random.Random(0)).values()} == {1000}


def test_the_report_says_what_was_measured() -> None:
    def ours(text: str, question: str) -> list[Gold]:
        return find(default_finder(), text, question)

    def blind(text: str, question: str) -> list[Gold]:
        return []

    figures = {
        "presidio": None,
        "structured": measure_structured(ours, None, 0, 4),
        "relations": measure_relations(blind, 0, 1, ["English"]),
        "disguises": measure_disguises(ours, ["It was a long day."], 0, 1, {"capitals": str.upper}),
        "harmless": {"usual": measure_harmless(default_finder(), [("prose", ["It was a long day."])])},
    }
    assert figures["structured"]["EMAIL_ADDRESS"]["ours"]["exact recall"] == 1
    assert figures["relations"]["languages"]["English"]["prose"]["exact recall"] == 0
    assert figures["harmless"]["usual"]["prose"]["words"] == 5
    text = spans_report.render(figures)
    assert "| EMAIL_ADDRESS | 4 |" in text
    assert "## Labelled sets" not in text
