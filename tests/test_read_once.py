"""What is read once, or by one pattern for many, gives what reading anew gives."""

from __future__ import annotations

import random

import pytest
import regex

from reticent_bench.finder import disguise_forms
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.context.question import Question
from reticent_detectors.finder.disguises.candidate import region
from reticent_detectors.finder.disguises.encodings import may_turn, turned_readings
from reticent_detectors.finder.disguises.reading import read_plain
from reticent_detectors.finder.engine.reaching import Reaching
from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.numbers.number_forms import LABEL_CHARS, announces, any_label, label
from reticent_detectors.finder.table import ALL
from reticent_detectors.finder.word_starts import WORD_START

PARTS = (
    "4111 1111 1111 1111|GB82 WEST 1234 5698 7654 32|+1 415 555 0132|jo@example.org|12 May 1980|123-45-6789|AB12 CDE"
    "|her PIN is |password: |Passport number |card |tax id |account no. |born on |plate |user name |hunter2-Xy9|4711"
    "|12 High Street, Leeds|48.85661, 2.35222|192.0.2.17|SW1A 1AA|1/2/20|ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    "| |, |\n|; |A|22|333|-|/|(|)|\u00a0|**|&#52;"
)


def _texts(seed: int, count: int) -> list[str]:
    rng = random.Random(seed)
    return ["".join(rng.choices(PARTS.split("|"), k=rng.randint(2, 9))) for _ in range(count)]


def test_every_value_is_a_run_of_what_its_recogniser_names() -> None:
    rows = [(row, regex.compile(row.value_run)) for row in ALL if getattr(row, "value_run", "")]
    found = set[str]()
    for text in _texts(1, 80):
        for match in WORD_START.finditer(text):
            p = match.start()
            position = Position(text, p, None, Question(""))
            for row, run in rows:
                end = row.at(text, p, position, True)
                if end > NONE:
                    found.add(row.name)
                    assert run.fullmatch(text, p, end), (row.name, text[p:end])
    assert len(rows) > 40 and len(found) > 15


def test_only_recognisers_are_left_out_whose_values_cannot_reach() -> None:
    rows = [row for row in ALL if getattr(row, "value_run", "")]
    reaching = Reaching(rows)
    for text in _texts(2, 24):
        for match in WORD_START.finditer(text):
            p = match.start()
            for least in (1, 5, 12, len(text) - p):
                asked = {id(row) for row in reaching.asked(text, p, least)}
                for row in rows:
                    end = row.at(text, p, Position(text, p, None, Question("")), True)
                    assert end - p < least or id(row) in asked


def test_one_pattern_for_all_announcements_leaves_none_out() -> None:
    names = ["card", "pass(?:port)?", r"tax\s?id", "konto", "D\\.?L\\.?"]
    every = [label(name) for name in names] + [any_label(names)]
    rng = random.Random(3)
    words = ["card", "passport", "tax id", "D.L.", "number", " ", ": ", " is ", "of Jo Day", "12", "(new)", "her "]
    announced = 0
    for _ in range(150):
        left = "".join(rng.choices(words, k=rng.randint(1, 5)))
        for pattern in every:
            direct = pattern.match(left[-LABEL_CHARS:]) is not None
            announced += direct
            assert announces(pattern, Position(left + "4711", len(left), None, Question(""))) == direct
    assert announced > 40


@pytest.mark.parametrize("name", sorted(disguise_forms.FORMS))
def test_a_candidate_that_grows_ends_where_it_ends_when_read_whole(name: str) -> None:
    value = disguise_forms.FORMS[name]("4012 8888 8888 1881")
    for behind in ("", " and more", "\n12 Jan\nuary", " 12 ABC"):
        text = value + behind
        groups: list[int] = []
        for n in range(1, len(text) + 1):
            assert region(text[:n], 0, False, groups) == region(text[:n], 0, False)
        assert region(text, 0, True, groups) == region(text, 0, True) != OPEN


def test_readings_in_reverse_are_those_of_every_end_that_may_be_one() -> None:
    for text in _texts(4, 300):
        first = read_plain(text, 0, len(text))
        found = [reading.plain[::-1] for reading in turned_readings(first)]
        assert len(found) <= 10 and all(first.plain.startswith(value) for value in found)
        assert all(may_turn(value, 0, len(value)) for value in found)
        assert found == sorted(found, key=len, reverse=True)
