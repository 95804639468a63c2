"""The finder on texts that its authors have not seen: marks, halves, hand-computed figures, and what the page says."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from reticent_bench.bench_command import app
from reticent_bench.finder.score import Gold
from reticent_bench.real_answers.unseen_texts import (
    NUMBERS,
    ScoredText,
    by_kind,
    measure,
    openings,
    read,
    render,
    rows,
    unmarked,
)
from reticent_detectors.errors import InputError

FOLDER = Path("benchmarks/unseen_texts")
LINES: dict[str, list[dict[str, str | None]]] = {
    "unannounced": [{"question": None, "text": "Ana, [[JOB_TITLE:nurse]], saw [[DOCTOR:Dr. Ito]]."}],
    "numbers": [
        {"question": "Call?", "text": "[[[PHONE_NUMBER:555-0100]]](tel:[[PHONE_NUMBER:555-0100]])"},
        {"question": "Which version?", "text": "Version 1.2.3."},
    ],
}


def _folder(folder: Path) -> Path:
    digests = {}
    for set_, own in LINES.items():
        for file in (f"{set_}.jsonl", f"{set_}-unread.jsonl"):
            content = "\n".join(json.dumps(row) for row in own)
            (folder / file).write_text(content + "\n")
            digests[file] = {"sha256": hashlib.sha256(content.encode()).hexdigest()}
    (folder / "digests.json").write_text(json.dumps(digests))
    return folder


def test_a_mark_leaves_its_value_and_the_brackets_of_the_text() -> None:
    text = unmarked("[[[EMAIL_ADDRESS:a@b.example]]](mailto:[[EMAIL_ADDRESS:a@b.example]])")
    assert text.text == "[a@b.example](mailto:a@b.example)"
    assert text.gold == (Gold("EMAIL_ADDRESS", 1, 12), Gold("EMAIL_ADDRESS", 21, 32))
    assert "a@b" not in repr(text)


@pytest.mark.parametrize("marked", ["[[PHONE:555]]", "[[PHONE_NUMBER:]]"])
def test_other_marks_are_refused_without_their_text(marked: str) -> None:
    with pytest.raises(InputError, match="Expected marks") as error:
        unmarked(marked)
    assert "555" not in str(error.value)


def test_the_practice_half_is_whole() -> None:
    texts = {set_: read(FOLDER, set_, "practice") for set_ in LINES}
    assert {set_: len(own) for set_, own in texts.items()} == {"unannounced": 180, "numbers": 200}
    kinds = [gold.kind for text in texts["numbers"] for gold in text.gold]
    assert kinds.count("PHONE_NUMBER") == 102 and kinds.count("IBAN_CODE") == 21 and set(kinds) <= NUMBERS


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    with (folder / "numbers.jsonl").open("a") as file:
        file.write('{"text": "secret"}\n')
    with pytest.raises(InputError, match="another digest") as error:
        read(folder, "numbers", "practice")
    assert "secret" not in str(error.value)
    with pytest.raises(InputError, match="Unknown half 'all'"):
        measure(folder, ["all"], lambda text, question: [])


def test_figures_of_a_hand_computed_case() -> None:
    # Four marked phones: one exact, one with half of its joint range, one of another kind, one missed. One wrong phone.
    gold = [Gold("PHONE_NUMBER", 0, 8), Gold("PHONE_NUMBER", 10, 18), Gold("PHONE_NUMBER", 20, 28)]
    found = [Gold("PHONE_NUMBER", 0, 8), Gold("PHONE_NUMBER", 10, 14), Gold("BANK_ACCOUNT", 20, 28)]
    own = [
        ScoredText(tuple(gold), tuple(found)),
        ScoredText((Gold("PHONE_NUMBER", 0, 8),), ()),
        ScoredText((), (Gold("PHONE_NUMBER", 3, 9),)),
    ]
    phones = by_kind(own)["PHONE_NUMBER"]
    assert (phones["gold"], phones["found"]) == (4, 3)
    assert phones["precision"].value == pytest.approx(1 / 3) and phones["recall"].value == 0.25
    assert phones["exact F1"] == pytest.approx(2 * (1 / 3) * 0.25 / (1 / 3 + 0.25))
    assert phones["overlap recall"].value == 0.5 and phones["found at all"].value == 0.75
    # Clopper and Pearson for 1 of 4: the roots of 1 - (1 - p)^4 = 0.025 and of (1 - p)^4 + 4 p (1 - p)^3 = 0.025.
    low, high = phones["recall"][1:]
    assert low == pytest.approx(1 - 0.975**0.25) and (1 - high) ** 4 + 4 * high * (1 - high) ** 3 == pytest.approx(
        0.025
    )
    account, everything = by_kind(own)["BANK_ACCOUNT"], by_kind(own)["all"]
    assert (account["gold"], account["found"], account["recall"]) == (0, 1, None)
    assert (everything["gold"], everything["found"]) == (4, 4) and everything["found at all"].value == 0.75


def test_a_decoy_counts_only_under_a_kind_of_the_set() -> None:
    texts = [unmarked("Order 17 of version 1.2.3")]
    found = [Gold("ORDER_NUMBER", 6, 8), Gold("IP_ADDRESS", 20, 25), Gold("PHONE_NUMBER", 20, 25)]
    assert rows(texts, lambda text, question: found, NUMBERS)[0].found == (Gold("PHONE_NUMBER", 20, 25),)


def test_a_text_is_read_behind_its_question_and_the_page_names_the_finder(tmp_path: Path) -> None:
    asked = []

    def find(text: str, question: str) -> list[Gold]:
        asked.append(question)
        return [Gold("PHONE_NUMBER", 1, 9)] if text.startswith("[555") else []

    folder = _folder(tmp_path)
    found = measure(folder, ["practice", "unread"], find)
    assert asked == ["", "", "Call?", "Which version?", "Call?", "Which version?"]
    numbers = found["numbers"]["unread"]
    assert numbers["kinds"]["all"]["recall"].value == 0.5 and numbers["kinds"]["all"]["precision"].value == 1
    assert (numbers["texts without a value"], numbers["of these with a span"]) == (1, 0)
    page = render(found, "abc", ["def (unseen-texts-before)"])
    assert "run by the finder of commit abc; before, by that of def (unseen-texts-before)" in page
    assert "555-0100" not in page and "nurse" not in page
    assert "unread half" not in render(measure(folder, ["practice"], find), "abc").split("##", 1)[1]


def test_earlier_runs_on_the_unread_half_are_named(tmp_path: Path) -> None:
    made = {"made_by": {"commit": "abc"}, "numbers": {"practice": {}, "unread": {}}}
    (tmp_path / "unseen-texts-before.json").write_text(json.dumps(made))
    (tmp_path / "unseen-texts-practice.json").write_text(json.dumps({**made, "numbers": {"practice": {}}}))
    (tmp_path / "unseen-texts.json").write_text(json.dumps(made))
    assert openings(tmp_path, "unseen-texts") == ["abc (unseen-texts-before)"]


def test_the_command_runs_the_practice_half_alone(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    folder, out = _folder(tmp_path / "in"), tmp_path / "out"
    ran = CliRunner().invoke(app, ["unseen-texts", "--folder", str(folder), "--out", str(out)])
    assert ran.exit_code == 0, ran.output
    figures = json.loads((out / "unseen-texts.json").read_text())
    assert figures["numbers"].keys() == {"practice"}
    assert "## numbers, practice half: 2 texts" in (out / "unseen-texts.md").read_text()
