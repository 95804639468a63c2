"""What is read once, or by one pattern for many, gives what reading anew gives."""

from __future__ import annotations

import random

import pytest

from reticent_bench.finder import disguise_forms
from reticent_detectors.finder.disguises.candidate import region
from reticent_detectors.finder.disguises.encodings import may_turn, turned_readings
from reticent_detectors.finder.disguises.reading import read_plain
from reticent_detectors.finder.engine.recognizers import OPEN

PARTS = (
    "4111 1111 1111 1111|GB82 WEST 1234 5698 7654 32|+1 415 555 0132|jo@example.org|12 May 1980|123-45-6789|AB12 CDE"
    "|her PIN is |password: |Passport number |card |tax id |account no. |born on |plate |user name |hunter2-Xy9|4711"
    "|12 High Street, Leeds|48.85661, 2.35222|192.0.2.17|SW1A 1AA|1/2/20|ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    "| |, |\n|; |A|22|333|-|/|(|)|\u00a0|**|&#52;"
)


def _texts(seed: int, count: int) -> list[str]:
    rng = random.Random(seed)
    return ["".join(rng.choices(PARTS.split("|"), k=rng.randint(2, 9))) for _ in range(count)]


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
