"""Pairs of questions and sentences out of files in SQuAD's form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from reticent.cli import main
from reticent_bench.audits.labelled_texts import read_labelled
from reticent_bench.audits.question_pairs import read_pairs, sentences
from reticent_bench.bench_command import app as bench_app
from reticent_detectors.errors import InputError

CONTEXT = (
    "The bridge over the Orb was opened in 1901. Its engineer, Mrs. A. Lindt of St. Bruck, had never seen the river. "
    "The bridge was painted green. In 1901 a ferry sank."
)


def question(text: str, answer: str) -> dict[str, Any]:
    return {"question": text, "answers": [{"answer_start": CONTEXT.index(answer), "text": answer}], "id": text}


def squad(file: Path, asked: list[dict[str, Any]]) -> Path:
    file.write_text(json.dumps({"data": [{"paragraphs": [{"context": CONTEXT, "qas": asked}]}]}))
    return file


def test_sentences_end_at_full_stops_and_not_at_initials_or_abbreviations() -> None:
    found = [CONTEXT[start:end] for start, end in sentences(CONTEXT)]
    assert [text.split()[0] for text in found] == ["The", "Its", "The", "In"]
    assert [text for text in found if "Lindt" in text] == [found[1]] and found[1].endswith("river.")
    quoted = 'She said "Go." He went.'
    assert [quoted[start:end] for start, end in sentences(quoted)] == ['She said "Go."', "He went."]


def test_each_question_has_a_sentence_with_its_answer_and_the_nearest_one_without(tmp_path: Path) -> None:
    file = squad(tmp_path / "a.json", [question("What colour was the bridge painted?", "green")])
    yes, no = read_pairs([file])
    assert (yes.holds_answer, no.holds_answer) == (True, False)
    assert yes.sentence == "The bridge was painted green."
    assert no.sentence == "The bridge over the Orb was opened in 1901."  # the most words in common: was, the, bridge


def test_a_sentence_that_says_the_answer_elsewhere_is_no_other_one(tmp_path: Path) -> None:
    file = squad(tmp_path / "a.json", [question("When did the ferry on the Orb begin?", "1901")])
    _, no = read_pairs([file])
    assert "1901" not in no.sentence


def test_questions_without_an_answer_or_without_another_sentence_are_left_out(tmp_path: Path) -> None:
    file = squad(tmp_path / "a.json", [{"question": "Why?", "answers": []}])
    assert list(read_pairs([file])) == []
    one = {"context": "It is red.", "qas": [{"question": "What?", "answers": [{"answer_start": 6, "text": "red"}]}]}
    file.write_text(json.dumps({"data": [{"paragraphs": [one]}]}))
    assert list(read_pairs([file])) == []


def test_the_command_writes_texts_that_lira_reads(tmp_path: Path) -> None:
    asked = [question(f"What colour was bridge {n} painted?", "green") for n in range(12)]
    file, out = squad(tmp_path / "a.json", asked), tmp_path / "sub" / "pairs.jsonl"
    done = CliRunner().invoke(bench_app, ["squad-pairs", str(file), "--out", str(out)])
    assert (done.exit_code, done.output) == (0, f"{out}: 12 entailment, 12 not_entailment\n")
    read = read_labelled(out)
    assert len(read) == 24 and read.classes == ("entailment", "not_entailment")
    assert "What colour was bridge 3 painted? The bridge was painted green." in read.texts


def test_another_form_is_refused_without_showing_it(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    for content in ("{", "[]", '{"data": [{"secret": 1}]}', '{"data": [{"paragraphs": [{"qas": 3}]}]}'):
        file.write_text(content)
        with pytest.raises(InputError, match=r"SQuAD 1\.1") as error:
            list(read_pairs([file]))
        assert "secret" not in str(error.value)
    assert main(["bench", "squad-pairs", str(file), "--out", str(tmp_path / "pairs.jsonl")]) == 2
