"""Feature shards: round trip, resumption, damage, and no plain text."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reticent_detectors.collection.labels import Label
from reticent_detectors.collection.shards import LABELS, RowLabels, ShardReader, ShardWriter, keyed_hash, stored_cursor
from reticent_detectors.errors import InputError, ShardError

SETTINGS = {"host": "abc", "features": {"k": 3}}
ROW = RowLabels(
    entity="PHONE_NUMBER",
    label="memorized",
    person_split="train",
    phrasing_split="taught",
    phrasing_id="phone_number-03",
    person_key="0123456789abcdef",
    value_key="fedcba9876543210",
    form="question",
    first_prob=0.5,
)


def rows(number: int, start: int = 0) -> tuple[dict[str, np.ndarray], list[RowLabels]]:
    numbers = np.arange(start, start + number, dtype=np.float32)
    features = {
        "topk_prob": np.repeat(numbers, 6).reshape(number, 2, 3) + np.float32(0.9997),
        "inter": np.repeat(numbers % 2, 9).reshape(number, 1, 3, 3),
        "token_prob": np.repeat(numbers, 3).reshape(number, 3),
    }
    return features, [replace(ROW, tokens=int(number), robust=bool(number % 3 == 0)) for number in numbers.tolist()]


def collect(folder: Path, total: int, stop: int | None = None, step: int = 3, part: int = 5) -> None:
    """A producer of `total` rows, `step` at a time, that is killed before row `stop`."""
    writer = ShardWriter(folder, SETTINGS, rows_per_part=part)
    for at in range(writer.cursor or 0, total, step):
        if stop is not None and at >= stop:
            return  # killed: nothing is flushed
        size = min(step, total - at)
        writer.append(*rows(size, at), cursor=at + size)
    writer.finish()


def test_round_trip(tmp_path: Path) -> None:
    collect(tmp_path / "s", 17)
    reader = ShardReader(tmp_path / "s")
    table = reader.load()
    expected, labels = rows(17)
    assert reader.rows == table.rows == 17
    assert reader.settings == SETTINGS
    assert reader.shapes == {"topk_prob": (2, 3), "inter": (1, 3, 3), "token_prob": (3,)}
    for name, array in expected.items():
        assert table.features[name].dtype == np.float32
        np.testing.assert_array_equal(table.features[name], array)
    assert table.labels["tokens"].tolist() == [row.tokens for row in labels]
    assert table.labels["robust"].tolist() == [row.robust for row in labels]
    assert set(table.labels["entity"]) == {"PHONE_NUMBER"}
    assert table.select(np.array([3, 5])).labels["tokens"].tolist() == [3, 5]
    assert len(list(reader.parts())) == 3
    assert set(reader.load(["inter"]).features) == {"inter"}
    with pytest.raises(ShardError, match="holds no pooled"):
        reader.load(["pooled"])


@settings(max_examples=40)
@given(stops=st.lists(st.integers(0, 20), max_size=3), step=st.integers(1, 4), part=st.integers(1, 9))
def test_an_interrupted_collection_loses_and_doubles_nothing(
    tmp_path_factory: pytest.TempPathFactory, stops: list[int], step: int, part: int
) -> None:
    folder = tmp_path_factory.mktemp("shards") / "s"
    for stop in stops:
        collect(folder, 20, stop, step, part)
        (folder / "part-00099.parquet").write_bytes(b"left behind")
        (folder / "part-00098.parquet.tmp").write_bytes(b"left behind")
    if not (folder / "shards.json").exists() or not json.loads((folder / "shards.json").read_text())["complete"]:
        collect(folder, 20, None, step, part)
    table = ShardReader(folder).load()
    assert table.labels["tokens"].tolist() == list(range(20))


def test_what_an_interruption_left_behind_is_dropped(tmp_path: Path) -> None:
    collect(tmp_path / "s", 20, stop=12)
    for name in ("part-00099.parquet", "part-00098.parquet.tmp"):
        (tmp_path / "s" / name).write_bytes(b"left behind")
    collect(tmp_path / "s", 20)
    assert sorted(path.name for path in (tmp_path / "s").glob("part-*")) == [f"part-{n:05d}.parquet" for n in range(4)]


def test_an_exception_keeps_what_was_appended(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), ShardWriter(tmp_path / "s", SETTINGS) as writer:
        writer.append(*rows(3), cursor={"prompt": 3})
        raise KeyboardInterrupt
    with pytest.raises(ShardError, match=r"not complete.*resume"):
        ShardReader(tmp_path / "s")
    assert ShardReader(tmp_path / "s", allow_incomplete=True).rows == 3
    with ShardWriter(tmp_path / "s", SETTINGS) as writer:
        assert (writer.cursor, writer.rows, writer.complete) == ({"prompt": 3}, 3, False)
        writer.append({}, [], cursor={"prompt": 4})
        assert writer.cursor == {"prompt": 4}
    assert ShardReader(tmp_path / "s").rows == 3
    with pytest.raises(ShardError, match="complete"):
        ShardWriter(tmp_path / "s", SETTINGS).append(*rows(1), cursor=5)


def test_resuming_with_other_settings_is_refused(tmp_path: Path) -> None:
    collect(tmp_path / "s", 6, stop=3)
    with pytest.raises(ShardError, match=r"host: was 'abc', now 'other'.*another folder"):
        ShardWriter(tmp_path / "s", {**SETTINGS, "host": "other"})
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("keep me")
    with pytest.raises(ShardError, match="not empty"):
        ShardWriter(tmp_path / "full", SETTINGS)


@pytest.mark.parametrize("damage", ["cut", "edit", "remove"])
def test_a_damaged_shard_is_named(tmp_path: Path, damage: str) -> None:
    collect(tmp_path / "s", 12)
    victim = tmp_path / "s" / "part-00001.parquet"
    data = bytearray(victim.read_bytes())
    if damage == "remove":
        victim.unlink()
    else:
        data[len(data) // 2] ^= 1
        victim.write_bytes(data[: len(data) // 2] if damage == "cut" else data)
    with pytest.raises(ShardError, match=r"part-00001\.parquet.*collect again"):
        ShardReader(tmp_path / "s").load()


@pytest.mark.parametrize("damage", ["cut", "edit", "format", "remove", "list"])
def test_a_damaged_index_is_named(tmp_path: Path, damage: str) -> None:
    collect(tmp_path / "s", 12)
    index = tmp_path / "s" / "shards.json"
    text = index.read_text()
    match damage:
        case "cut":
            index.write_text(text[:-30])
        case "edit":
            index.write_text(text.replace('"cursor": 12', '"cursor": 13'))
        case "format":
            index.write_text(text.replace('"format": 1', '"format": 9'))
        case "list":
            index.write_text("[1]")
        case _:
            index.unlink()
    with pytest.raises(ShardError, match=r"shards\.json"):
        ShardReader(tmp_path / "s")


@pytest.mark.parametrize(
    "change",
    [
        {"person_key": "Jane Roe"},
        {"value_key": "555-0100"},
        {"phrasing_id": "What is the phone number of Jane Roe?"},
        {"form": "jane@example.org"},
        {"entity": "Jane"},
        {"label": "jane"},
        {"person_split": ""},
        {"first_prob": float("nan")},
    ],
)
def test_plain_text_and_unknown_labels_are_refused_without_repeating_them(
    tmp_path: Path, change: dict[str, object]
) -> None:
    writer = ShardWriter(tmp_path / "s", SETTINGS)
    features, _ = rows(1)
    with pytest.raises(InputError) as error:
        writer.append(features, [replace(ROW, **change)], cursor=1)
    assert writer.rows == 0 and writer.cursor is None
    assert "jane" not in str(error.value).lower() and "555" not in str(error.value)


def test_bad_features_are_refused(tmp_path: Path) -> None:
    writer = ShardWriter(tmp_path / "s", SETTINGS)
    features, labels = rows(2)
    writer.append(features, labels, cursor=2)
    with pytest.raises(InputError, match="inter: was"):
        writer.append({**features, "inter": np.zeros((2, 4, 3, 3))}, labels, cursor=4)
    with pytest.raises(InputError, match="expected 2"):
        writer.append({name: array[:1] for name, array in features.items()}, labels, cursor=4)
    with pytest.raises(InputError, match="not finite"):
        writer.append({**features, "inter": np.full((2, 1, 3, 3), 1e6)}, labels, cursor=4)
    with pytest.raises(InputError, match="called like labels"):
        writer.append({**features, "cue": np.zeros((2, 1))}, labels, cursor=4)
    assert writer.cursor == 2


def test_an_empty_collection_is_refused(tmp_path: Path) -> None:
    ShardWriter(tmp_path / "s", SETTINGS).finish()
    with pytest.raises(ShardError, match="no rows"):
        ShardReader(tmp_path / "s").load()


def test_keyed_hash_needs_a_key() -> None:
    first, second = (keyed_hash(bytes([number]) * 16, "5550100") for number in (1, 2))
    assert first != second and len(first) == 16
    assert first == keyed_hash(bytes([1]) * 16, "5550100")
    with pytest.raises(InputError, match="16 bytes"):
        keyed_hash(b"short", "5550100")


def test_every_label_of_the_labeller_can_be_stored() -> None:
    assert {label.value for label in Label} <= LABELS


def test_a_process_that_is_killed_loses_five_minutes_of_work_at_most(tmp_path: Path) -> None:
    clock = count(0, 100).__next__  # each append seems to take 100 seconds
    writer = ShardWriter(tmp_path / "s", SETTINGS, clock=clock)
    for step in range(8):
        writer.append(*rows(1, step), cursor=step + 1)
        written = stored_cursor(tmp_path / "s", SETTINGS) or 0
        assert step + 1 - written <= 2
    # No block was left, as when the process is killed: who opens the folder again goes on behind what was written.
    assert ShardWriter(tmp_path / "s", SETTINGS).cursor == stored_cursor(tmp_path / "s", SETTINGS) >= 6
    with pytest.raises(ShardError, match="other settings"):
        stored_cursor(tmp_path / "s", {**SETTINGS, "more": 1})
    assert stored_cursor(tmp_path / "nothing", SETTINGS) is None
