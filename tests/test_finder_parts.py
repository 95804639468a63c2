"""What the parts of the finder earn: each can be left out, and is read again only where it answered."""

from __future__ import annotations

from pathlib import Path

import pytest
from drawn_taggers import drawn_tagger

from reticent_bench.finder.parts import FOLDER, PARTS, Part, left_out, watched
from reticent_bench.fresh_texts.sets import SETS
from reticent_bench.fresh_texts.what_parts_earn import Finders, RememberedNetwork, f1, measure, render, tasks

TOUCHING = next(part for part in PARTS if part.name == "touching")
FRESH, UNSEEN = Path("benchmarks/opened_texts/2026-11-30"), Path("benchmarks/unseen_texts")
TEXT = "Write to jo@example.org or x650-555-0117, spelled jo at example dot org. See https://example.com/a."


def found(finders: Finders) -> list[str]:
    guard = finders.guards["unknown"]
    return guard.redact(TEXT).text.split()


@pytest.fixture(scope="module")
def network() -> RememberedNetwork:
    return RememberedNetwork(drawn_tagger(no_value=99.0))


def test_every_part_has_files_that_exist_or_is_a_piece_of_one() -> None:
    assert all((FOLDER / file).exists() for part in PARTS for file in part.files)
    assert len({part.name for part in PARTS}) == len(PARTS)


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_the_finder_works_without_a_part(part: Part, network: RememberedNetwork) -> None:
    with left_out(part):
        assert "<URL>." in found(Finders(network)) or part.name == "forms: network"


def test_a_part_that_is_left_out_finds_nothing_and_comes_back(network: RememberedNetwork) -> None:
    assert "x<PHONE_NUMBER>," in found(Finders(network))
    with left_out(TOUCHING):
        assert "x650-555-0117," in found(Finders(network))
    assert "x<PHONE_NUMBER>," in found(Finders(network))


def test_only_parts_that_answered_are_told_of(network: RememberedNetwork) -> None:
    told = set[str]()
    with watched(PARTS, lambda part: told.add(part.name)):
        assert "x<PHONE_NUMBER>," in found(Finders(network))
    assert {"touching", "forms: network", "disguises: words", "disguises"} <= told
    assert told.isdisjoint({"names", "records: codes", "forms: tables", "disguises: spaced"})


def test_a_remembered_tagger_says_the_same(network: RememberedNetwork) -> None:
    own, again = drawn_tagger(no_value=99.0), RememberedNetwork(drawn_tagger(no_value=99.0))
    state, first = own.begin((3, 4)), again.begin((3, 4))
    for rows in ((5, 6), (7,)):
        (logits, state), (said, first) = own.read(state, rows), again.read(first, rows)
        assert logits.tolist() == said.tolist()
    # What is new after what is known is read by the network, after all that stood before.
    known = again.read(again.read(again.begin((3, 4)), (5, 6))[1], (8,))[0]
    assert known.tolist() == own.read(own.read(own.begin((3, 4)), (5, 6))[1], (8,))[0].tolist()


def test_a_slice_is_measured(network: RememberedNetwork) -> None:
    groups = {name: own[:2] for name, own in tasks(FRESH, UNSEEN, 1, None).items()}
    said = list[str]()
    figures = measure(groups, network, [TOUCHING], said.append)
    assert len(said) == 2 and [row["part"] for row in figures["parts"]] == ["touching"]
    assert all(f"{set_}, asked" in figures["whole"] for set_ in SETS)
    page = render(figures)
    assert page.count("\n| touching | ") == 1 and "opened before" in page


def test_f1_is_none_without_values() -> None:
    assert f1({"values": 0, "spans": 3}) is None
    assert f1({"values": 2, "spans": 2, "right": 1}) == 0.5
