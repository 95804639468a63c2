"""The fresh sets: read with their digests, opened once, and two finders compared on them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reticent_bench.finder.score import Gold
from reticent_bench.fresh_texts import compare, sets
from reticent_detectors.errors import InputError

SHIPPED = Path("benchmarks/fresh_texts")
ROW = {"id": "v1", "form": "memo", "language": "en", "question": None, "text": "Jo Day, [[JOB_TITLE:welder]], left."}
OTHER = {"id": "v2", "form": "memo", "language": "de", "question": "Wer?", "text": "Niemand war da."}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small set of each sort."""
    (tmp_path / "unannounced.jsonl").write_text("".join(json.dumps(row) + "\n" for row in (ROW, OTHER)))
    numbers = [
        {**ROW, "id": "m1", "form": "voicemail", "text": "Call [[PHONE_NUMBER:555-0100]]."},
        {**ROW, "id": "m2", "form": "technical-log", "text": "exit 3"},
    ]
    (tmp_path / "numbers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in numbers))
    (tmp_path / "phrasings.jsonl").write_text(
        json.dumps({"id": "p", "kind": "EMPLOYER", "language": "en", "prompt": "{n} works where?", "answer": "At {v}!"})
    )
    (tmp_path / "values.tsv").write_text("kind\tlanguage\tvalue\nEMPLOYER\ten\tBrass & Sons\nEMPLOYER\tde\tKehl\n")
    (tmp_path / "names.tsv").write_text("language\tname\nen\tJo Day\n")
    (tmp_path / "prompts.tsv").write_text("id\tsort\tlanguage\tprompt\nmemos-01\tmemos\ten\tWrite a memo.\n")
    for model in ("gemma3-270m", "qwen2.5-coder-0.5b-instruct", "smollm2-135m-instruct"):
        row = {"id": "memos-01", "model": model, "text": "Jo Day is a welder."}
        (tmp_path / f"answers-{model}.jsonl").write_text(json.dumps(row) + "\n")
    gold = [{"id": "smollm2-135m-instruct/memos-01", "spans": [["JOB_TITLE", 12, 18]]}]
    (tmp_path / "gold-answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in gold))
    (tmp_path / "digests.json").write_text(json.dumps(sets.digests(tmp_path)))
    return tmp_path


def test_each_set_is_read_with_its_values(folder: Path) -> None:
    text = sets.read(folder, "unannounced")[0]
    assert (text.text, text.question, text.gold) == ("Jo Day, welder, left.", "", (Gold("JOB_TITLE", 8, 14),))
    assert [each.id for each in sets.read(folder, "numbers")] == ["m1"]
    assert [each.id for each in sets.read(folder, "technical")] == ["m2"]
    asked = sets.read(folder, "phrasings")
    assert [(each.question, each.text) for each in asked] == [("Jo Day works where?", "At Brass & Sons!")]
    assert asked[0].text[asked[0].gold[0].start : asked[0].gold[0].end] == "Brass & Sons"
    answer = sets.read(folder, "answers")[0]
    assert (answer.group, answer.question) == ("memos-01", "Write a memo.")


def test_a_changed_file_is_refused(folder: Path) -> None:
    (folder / "numbers.jsonl").write_text("")
    with pytest.raises(InputError, match=r"numbers\.jsonl"):
        sets.read(folder, "technical")


def test_a_set_is_opened_once_unless_somebody_says_why(folder: Path) -> None:
    opening = {"set": "numbers", "date": "2026-01-01", "why again": "", "finders": {"old": "abc"}}
    assert compare.write_down(folder, opening) == []
    assert compare.write_down(folder, {**opening, "set": "answers"}) == []
    with pytest.raises(InputError, match="opened on 2026-01-01"):
        compare.write_down(folder, opening)
    assert len(compare.write_down(folder, {**opening, "why again": "the table was lost"})) == 1


def test_two_finders_are_compared_by_text(folder: Path) -> None:
    texts = sets.read(folder, "unannounced")
    right, wrong = (Gold("JOB_TITLE", 8, 14),), (Gold("EMPLOYER", 8, 14),)
    found = {"old": {door: [(), ()] for door in sets.DOORS}, "new": {door: [right, wrong] for door in sets.DOORS}}
    figures = compare.measure(texts, found)
    assert figures["kinds"]["asked"] == {
        "EMPLOYER": {"values": 0, "spans": 1, "right": 0, "met": 0},
        "JOB_TITLE": {"values": 1, "spans": 1, "right": 1, "met": 1},
    }
    asked = figures["doors"]["asked"]
    assert asked["all"]["finders"]["new"]["precision"][0] == 0.5
    assert asked["en"]["differences"]["new less old"]["recall"][0] == 1.0
    assert asked["all"]["texts with a span"] == {"old": 0, "new": 2}


def test_what_reads_the_question_alone_has_no_figures_without_it(folder: Path) -> None:
    texts = sets.read(folder, "unannounced")
    nothing = [(), ()]
    found = {"old": dict.fromkeys(sets.DOORS, nothing), compare.WITH_STATES: {sets.DOORS[0]: nothing}}
    doors = compare.measure(texts, found)["doors"]
    assert [list(doors[door]["all"]["finders"]) for door in sets.DOORS] == [["old", compare.WITH_STATES], ["old"]]


def test_the_finder_of_a_checkout_reads_the_texts(folder: Path) -> None:
    texts = sets.read(folder, "numbers")
    assert compare.found_by(Path.cwd(), texts, "asked") == [(Gold("PHONE_NUMBER", 5, 13),)]


@pytest.mark.skipif(not (SHIPPED / "digests.json").exists(), reason="needs the sets of the repository")
@pytest.mark.parametrize("name", sets.SETS)
def test_the_shipped_sets_are_those_that_were_committed(name: str) -> None:
    assert len(sets.read(SHIPPED, name)) >= 100
