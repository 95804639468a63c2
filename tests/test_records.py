"""The records index: what is worth an entry, what its file gives away, and when it is refused."""

from __future__ import annotations

import os
import pickle
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from reticent.key_files import read_key, write_key
from reticent.records import index as module
from reticent.records.index import RecordsIndex
from reticent.records.spellings import SPELLING_VERSION, forms
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError

KEY = bytes(range(32))
E = Entity
VALUES = [
    (E.PHONE_NUMBER, "+1-555-010-0100 x12"),
    (E.EMAIL_ADDRESS, "jane.roe@example.com"),
    (E.ADDRESS, "123 North Main Street Apt. 4, Springfield, Illinois 62704"),
    (E.DOCTOR, "Jane Anne Roe"),
    (E.EMPLOYER, "Roe Acme Incorporated"),
    (E.BANK_ACCOUNT, "ABCD12345678901234"),
    (E.FLIGHT, "West Roeville to St. Louis on 2024-03-04"),
    (E.JOB_TITLE, "Engineer, mining"),
]


def one(entity: str, value: str) -> RecordsIndex:
    return RecordsIndex.build([(entity, value)], key=KEY)


@pytest.fixture(scope="module")
def index() -> RecordsIndex:
    return RecordsIndex.build(iter(VALUES), key=KEY)


# What is worth an entry


def test_counts_are_of_different_values_and_short_ones_are_left_out() -> None:
    values = [(E.UTILITY_BILL, "$120"), (E.UTILITY_BILL, "120.00"), (E.UTILITY_BILL, "$5"), (E.DOCTOR, "N/A"),
              (E.DOCTOR, "unknown"), (E.DOCTOR, "李明"), (E.DOCTOR, "Jane Roe"), (E.FLIGHT, "-")]  # fmt: skip
    index = RecordsIndex.build(iter(values), key=KEY)
    assert dict(index.counts) == {"DOCTOR": 2, "FLIGHT": 0, "UTILITY_BILL": 1}
    assert dict(index.skipped) == {"DOCTOR": 2, "FLIGHT": 1, "UTILITY_BILL": 1}
    assert len(index) == 3
    assert not any(index.contains(value, entity) for entity, value in values if value in ("$5", "N/A", "unknown", "-"))
    with pytest.raises(TypeError):
        index.counts["DOCTOR"] = 0  # type: ignore[index]


def test_an_empty_index_holds_nothing(tmp_path: Path) -> None:
    empty = RecordsIndex.build([])
    empty.save(tmp_path / "i")
    for index in (empty, RecordsIndex.load(tmp_path / "i", key=empty.key)):
        assert (len(index), index.form_count, index.contains("Jane Roe", E.DOCTOR)) == (0, 0, False)


def test_an_unknown_entity_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"'PHONE'.*Did you mean 'PHONE_NUMBER'") as error:
        RecordsIndex.build([("PHONE", "555-010-0100")])
    assert "555" not in str(error.value)


# The file and the key


def test_a_saved_index_is_the_same(tmp_path: Path, index: RecordsIndex) -> None:
    index.save(tmp_path / "records.index")
    loaded = RecordsIndex.load(tmp_path / "records.index", key=KEY)
    assert (dict(loaded.counts), dict(loaded.skipped), len(loaded)) == (
        dict(index.counts),
        dict(index.skipped),
        len(index),
    )
    assert all(loaded.contains(f"at {value} since", entity) for entity, value in VALUES)
    assert not loaded.contains("555-010-0199", E.PHONE_NUMBER)
    assert loaded.key == KEY and loaded.form_count == index.form_count
    assert (tmp_path / "records.index").stat().st_size < 8 * index.form_count + 2000


def test_neither_file_nor_repr_nor_pickle_holds_a_value(tmp_path: Path, index: RecordsIndex) -> None:
    index.save(tmp_path / "i")
    content = (tmp_path / "i").read_bytes()
    shown = repr(index) + repr(forms("Jane Roe", E.DOCTOR, is_query=True))
    for _, value in VALUES:
        for word in (value, *value.split()):
            if len(word) > 3:
                assert word.encode() not in content and word.lower().encode() not in content
                assert word not in shown
    assert KEY not in content and KEY.hex().encode() not in content and repr(KEY) not in shown
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(index)


def test_the_digests_depend_on_the_key(tmp_path: Path) -> None:
    bodies = []
    for key in (KEY, b"another key of 32 bytes or so ..."):
        index = RecordsIndex.build([(E.DOCTOR, "Jane Roe")], key=key)
        index.save(tmp_path / "i")
        bodies.append((tmp_path / "i").read_bytes()[-32 - 8 * index.form_count : -32])
        digests = {bodies[-1][i : i + 8] for i in range(0, len(bodies[-1]), 8)}
        assert len(digests) == index.form_count
    assert not {bodies[0][i : i + 8] for i in range(0, 24, 8)} & {bodies[1][i : i + 8] for i in range(0, 24, 8)}
    assert RecordsIndex.build([]).key != RecordsIndex.build([]).key


def test_a_cut_or_edited_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "i"
    one(E.DOCTOR, "Jane Roe").save(path)
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(InputError, match=r"cut short|no records index|does not belong"):
            RecordsIndex.load(path, key=KEY)
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(InputError):
            RecordsIndex.load(path, key=KEY)
    path.write_bytes(whole + b"\0" * 8)
    with pytest.raises(InputError, match="make it anew"):
        RecordsIndex.load(path, key=KEY)


def test_another_key_another_version_and_no_file_have_errors_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "i"
    with pytest.raises(InputError, match=r"No such file.*reticent index"):
        RecordsIndex.load(path, key=KEY)
    one(E.DOCTOR, "Jane Roe").save(path)
    with pytest.raises(InputError, match="key does not belong"):
        RecordsIndex.load(path, key=KEY[::-1])
    monkeypatch.setattr(module, "SPELLING_VERSION", SPELLING_VERSION + 1)
    with pytest.raises(InputError, match="spells values otherwise"):
        RecordsIndex.load(path, key=KEY)


@pytest.mark.parametrize("key", [b"", b"short", bytes(15), bytes(65)])
def test_a_key_has_16_to_64_bytes(tmp_path: Path, key: bytes) -> None:
    for use in (
        lambda: RecordsIndex.build([], key=key),
        lambda: RecordsIndex.load(tmp_path / "i", key=key),
        lambda: write_key(tmp_path / "k", key),
    ):
        with pytest.raises(InputError, match="16 to 64"):
            use()


def test_a_key_file_is_for_its_owner_only_and_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "k"
    write_key(path, KEY)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_key(path) == KEY
    with pytest.raises(FileExistsError):
        write_key(path, KEY)


@pytest.mark.parametrize("content", [b"", b"xyz", b"00" * 15, b"00" * 65, b"\xff\xfe", "ключ".encode()])
def test_a_file_without_key_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "k").write_bytes(content)
    with pytest.raises(InputError, match="holds no key"):
        read_key(tmp_path / "k")
    with pytest.raises(InputError, match="Cannot read a key"):
        read_key(tmp_path / "none")


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    path = tmp_path / "i"
    one(E.DOCTOR, "Jane Roe").save(path)
    before = path.read_bytes()

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, step, stop)
    with pytest.raises(KeyboardInterrupt):
        one(E.DOCTOR, "Joan Doe").save(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["i"]


def test_it_starts_without_torch() -> None:
    code = "import sys, reticent.records; print(sorted({'torch', 'transformers', 'scipy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
