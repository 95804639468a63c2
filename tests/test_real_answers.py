"""The set of labelled real answers: what is asked, what readers marked, how the finder is scored on it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from reticent.demo import assets
from reticent_bench.bench_command import app
from reticent_bench.finder.score import Gold
from reticent_bench.real_answers import labels as made
from reticent_bench.real_answers.labels import Labels, agreement, disputed, is_same, matches, merge, read_gold
from reticent_bench.real_answers.prompts import UNREAD_MODEL, UNREAD_SORTS, AnswerPrompt, is_unread, prompts
from reticent_bench.real_answers.report import ScoredAnswer, measure, read_all, render
from reticent_bench.real_answers.writing import until_it_repeats, write_answers
from reticent_bench.real_models.guarded_answers import Rows
from reticent_detectors.errors import InputError
from reticent_detectors.host.load import load_host

ANSWERS = {
    "m/a": "Call 555-0142 or 555-0142 today.",
    "m/b": "Ana Ruiz works as a nurse.",
    "m/c": "Nothing here.",
}
PHONE, AGAIN, JOB = Gold("PHONE_NUMBER", 5, 13), Gold("PHONE_NUMBER", 17, 25), Gold("JOB_TITLE", 20, 25)


def _file(folder: Path, *rows: object) -> list[Path]:
    folder.mkdir(exist_ok=True)
    file = folder / "labels.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return [file]


def test_the_prompts_are_of_fourteen_sorts_in_six_languages() -> None:
    asked = prompts()
    sorts = Counter(each.sort for each in asked)
    assert len(asked) == len({each.id for each in asked}) == len({each.text for each in asked}) == 560
    assert set(sorts.values()) == {40} and len(sorts) == 14 and sorts.keys() >= UNREAD_SORTS
    assert {each.language for each in asked} == {"en", "es", "fr", "de", "it", "pt"}
    assert Counter(each.temperature for each in asked) == {0.0: 280, 0.8: 280}
    assert is_unread(UNREAD_MODEL, "facts") and is_unread("other", "medical") and not is_unread("other", "facts")


def test_a_marked_text_is_put_at_its_place(tmp_path: Path) -> None:
    rows = (
        {"id": "m/a", "spans": [["PHONE_NUMBER", "555-0142", 2], ["PHONE_NUMBER", "555-0142", 1]]},
        {"id": "m/c", "drop": True},
    )
    labels = made.read_labels(_file(tmp_path, *rows), ANSWERS)
    assert labels.spans["m/a"] == (PHONE, AGAIN) and labels.dropped == {"m/c"}
    assert "555" not in repr(labels)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"id": "m/z", "spans": []}, "no answer has the id"),
        ({"id": "m/a", "spans": [["PHONE", "555-0142", 1]]}, "unknown kind, 'PHONE'"),
        ({"id": "m/a", "spans": [["PHONE_NUMBER", "555-0142", 3]]}, "does not hold this text 3 times"),
        ({"id": "m/a", "spans": [["PHONE_NUMBER", "555-0199", 1]]}, "does not hold this text"),
        ({"id": "m/a", "spans": [["PHONE_NUMBER", "555-0142", 1], ["PIN", "0142", 1]]}, "overlap at character 9"),
        ({"id": "m/a", "spans": [["PHONE_NUMBER", "555-0142"]]}, "expected id and spans"),
        ({"id": "m/a", "spans": [["555-0142", "PHONE_NUMBER", 1]]}, "unknown kind, which is no name"),
        ({"id": "m/a", "span": []}, "expected id and spans"),
    ],
)
def test_wrong_labels_are_refused_without_their_text(row: object, expected: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=expected) as error:
        made.read_labels(_file(tmp_path, row), ANSWERS)
    assert "line 1" in str(error.value) and "555" not in str(error.value)


def test_spans_are_the_same_from_half_of_their_joint_range_on() -> None:
    assert is_same(Gold("PIN", 0, 4), Gold("PIN", 0, 8)) and not is_same(Gold("PIN", 0, 4), Gold("PIN", 0, 9))
    assert not is_same(Gold("PIN", 0, 4), Gold("PIN", 0, 8), exact=True)
    assert not is_same(Gold("PIN", 0, 4), Gold("PASSWORD", 0, 4))
    # A span has one partner: two halves of one value are one hit.
    assert matches([Gold("PIN", 0, 8)], [Gold("PIN", 0, 4), Gold("PIN", 4, 8)]) == 1


def test_two_readers_are_compared_and_a_third_decides() -> None:
    one = Labels({"m/a": (PHONE, AGAIN), "m/b": (JOB,), "m/c": ()}, frozenset())
    other = Labels({"m/a": (PHONE,), "m/b": (JOB,), "m/c": ()}, frozenset())
    assert agreement(one, other) == pytest.approx(2 * (2 / 3) * 1 / (2 / 3 + 1))
    assert disputed(one, other) == ["m/a"]
    third, keys = Labels({"m/a": (AGAIN,)}, frozenset()), ["m/a", "m/b", "m/c"]
    assert merge(one, other, third, keys).spans == {"m/a": (AGAIN,), "m/b": (JOB,), "m/c": ()}
    with pytest.raises(InputError, match="m/a is missing"):
        merge(one, other, Labels({}, frozenset()), keys)
    with pytest.raises(InputError, match="one reader"):
        merge(one, Labels({"m/a": (PHONE,)}, frozenset()), third, keys)
    with pytest.raises(InputError, match="m/d has one reader at most"):
        merge(one, other, third, [*keys, "m/d"])
    dropped = merge(one, Labels(other.spans, frozenset({"m/b"})), third, keys)
    assert dropped.spans.keys() == {"m/a", "m/c"} and dropped.dropped == {"m/b"}


def test_gold_is_kept_as_it_was(tmp_path: Path) -> None:
    gold = Labels({"m/a": (PHONE, AGAIN), "m/c": ()}, frozenset({"m/b"}))
    digest = made.write_gold(gold, tmp_path / "gold.jsonl")
    again = read_gold(tmp_path / "gold.jsonl")
    assert (again.spans, again.dropped) == (gold.spans, gold.dropped)
    assert made.write_gold(again, tmp_path / "again.jsonl") == digest


def test_the_finder_is_scored_by_kind_and_range() -> None:
    asked = [
        AnswerPrompt("a", "facts", "en", "Whom do I call?", 0.0),
        AnswerPrompt("b", "emails", "en", "What does Ana do?", 0.0),
    ]
    answers = {"m/a": "Call 555-555-0142 today.", f"{UNREAD_MODEL}/b": "Ana Ruiz works as a nurse."}
    gold = Labels({"m/a": (Gold("PHONE_NUMBER", 5, 17),), f"{UNREAD_MODEL}/b": (JOB,)}, frozenset())
    rows = read_all(answers, gold, asked)
    assert [row.part for row in rows] == ["read", "unread"] and "555" not in repr(rows)
    figures = measure(rows)
    assert figures["read"]["all"]["recall"].value == figures["read"]["exact"]["precision"].value == 1.0
    # Marked as another kind the same span is wrong, and the table says what it is.
    wrong = measure(read_all({"m/a": answers["m/a"]}, Labels({"m/a": (Gold("PIN", 5, 17),)}, frozenset()), asked))[
        "read"
    ]
    assert wrong["all"]["recall"].value == wrong["all"]["precision"].value == 0.0
    assert wrong["by kind"]["PHONE_NUMBER"]["wrong"] == {"PIN": 1}
    labels = {"answers": 2, "dropped": 0, "agreement": 1.0, "exact agreement": 1.0}
    page = render({"labels": labels, **figures})
    assert "The read part: 1 answers" in page and "The unread part" in page and "555" not in page
    assert "all, without the tagger | 1 | 1 | 1.000" in page


def test_answers_are_written_once_and_gone_on_with(tmp_path: Path) -> None:
    model, tokenizer = load_host(assets() / "host")
    asked = [AnswerPrompt(f"a-{n}", "facts", "en", f"Question number {n}?", 0.8 * (n % 2)) for n in range(4)]
    file = tmp_path / "answers-m.jsonl"
    write_answers(model, tokenizer, "m", asked, file, new_tokens=6, batch=2)
    before = made.read_answers(file)
    assert before.keys() == {f"m/a-{n}" for n in range(4)}
    whole = file.read_text().splitlines()
    file.write_text("\n".join(whole[:3]) + "\n")  # killed behind the first batch
    lines: list[str] = []
    write_answers(model, tokenizer, "m", asked, file, new_tokens=6, batch=2, resume=True, say=lines.append)
    assert made.read_answers(file) == before and lines == ["4 of 4 answers"]
    file.write_text("\n".join(file.read_text().split("\n")[:4]) + "\n")  # killed within the second batch
    write_answers(model, tokenizer, "m", asked, file, new_tokens=6, batch=2, resume=True)
    assert len(file.read_text().split("\n")[:-1]) == 1 + len(asked)  # none stands there twice
    with pytest.raises(InputError, match="sha256 of the prompts"):
        write_answers(
            model,
            tokenizer,
            "m",
            [*asked[:3], AnswerPrompt("a-9", "facts", "en", "Else?", 0.8)],
            file,
            new_tokens=6,
            batch=2,
            resume=True,
        )
    with pytest.raises(InputError, match="dtype"):
        write_answers(model.bfloat16(), tokenizer, "m", asked, file, new_tokens=6, batch=2, resume=True)
    with pytest.raises(InputError, match="other settings"):
        write_answers(model, tokenizer, "m", asked, file, new_tokens=7, batch=2, resume=True)


def test_a_line_of_an_answer_may_hold_any_mark_of_a_line(tmp_path: Path) -> None:
    text = "one\u2028two\u2029three\x85four"
    file = tmp_path / "answers-m.jsonl"
    file.write_text(
        json.dumps({"settings": {}})
        + "\n"
        + json.dumps({"id": "a", "model": "m", "text": text}, ensure_ascii=False)
        + "\n"
    )
    assert made.read_answers(file) == {"m/a": text}
    assert Rows(file, {}, True).plain["a"]["text"] == text


def test_shares_that_cannot_vary_have_an_interval_and_those_of_nothing_none() -> None:
    def row(number: int, *gold: Gold, found: tuple[Gold, ...] = ()) -> ScoredAnswer:
        return ScoredAnswer("m", f"a-{number}", "facts", "en", gold, found)

    figures = measure([row(n, PHONE) for n in range(13)])["read"]["all"]
    assert figures["precision"] is None and figures["recall"].value == 0.0 and 0.2 < figures["recall"].high < 0.3
    figures = measure([row(n, PHONE, found=(PHONE,)) for n in range(3)])["read"]
    assert figures["all"]["precision"].low < 0.5 and figures["all"]["precision"].high == 1.0
    labels = {"answers": 13, "dropped": 0, "agreement": 0.9, "exact agreement": 0.9}
    page = render({"labels": labels, **measure([row(0, PHONE), row(1)])})
    assert "nan" not in page and "below the 0.93" in page


def test_the_commands_merge_and_score_and_refuse_other_labels(tmp_path: Path) -> None:
    (tmp_path / "answers-m.jsonl").write_text(
        json.dumps({"id": "facts-001", "model": "m", "text": ANSWERS["m/a"]}) + "\n"
        + json.dumps({"id": "medical-001", "model": "m", "text": ANSWERS["m/b"]}) + "\n"
    )  # fmt: skip
    phone = {"id": "m/facts-001", "spans": [["PHONE_NUMBER", "555-0142", 1], ["PHONE_NUMBER", "555-0142", 2]]}
    _file(tmp_path / "one", phone, {"id": "m/medical-001", "spans": [["JOB_TITLE", "nurse", 1]]})
    _file(tmp_path / "two", phone, {"id": "m/medical-001", "spans": []})
    _file(tmp_path / "three", {"id": "m/medical-001", "spans": [["JOB_TITLE", "nurse", 1]]})
    run = CliRunner().invoke
    folders = [str(tmp_path / each) for each in ("one", "two", "three")]
    merged = run(app, ["answers", "merge", *folders, "--folder", str(tmp_path)])
    assert merged.exit_code == 0, merged.output
    about = json.loads((tmp_path / "labels.json").read_text())
    assert (about["answers"], about["disputed"], about["spans"]) == (2, 1, 3)
    score = ["answers", "score", "--folder", str(tmp_path), "--out", str(tmp_path / "out")]
    assert run(app, score).exit_code == 0
    page = (tmp_path / "out" / "real-answers.md").read_text()
    assert "The read part: 1 answers" in page and "unread part" not in page and "555" not in page
    assert isinstance(run(app, [*score, "--part", "all"]).exception, InputError)
    gold = tmp_path / "gold-unread.jsonl"
    gold.write_text(gold.read_text().replace("JOB_TITLE", "DOCTOR"))
    assert isinstance(run(app, [*score, "--part", "unread"]).exception, InputError)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("He is a nurse of Leeds. She left it at once. He is a nurse of Leeds. More.", None),
        ("One two. One two. One two.", "One two. One two. One two."),
        ("| a | b |\n| a | b |\n", "| a | b |"),
        ("He is a nurse of Leeds. He is a nurse of York.", "He is a nurse of Leeds. He is a nurse of York."),
    ],
)
def test_an_answer_ends_where_it_begins_to_repeat_itself(said: str, kept: str | None) -> None:
    assert until_it_repeats(said) == (kept or "He is a nurse of Leeds. She left it at once.")
