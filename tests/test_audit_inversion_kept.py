"""What attackers see of the guard's surfaces, kept for a run that continues."""

from __future__ import annotations

import itertools
import stat
from pathlib import Path

import numpy as np
import pytest

from reticent_bench.audits.inversion import surface_file
from reticent_bench.audits.inversion.surface_file import Surfaces, kept
from reticent_detectors.errors import InputError

KEYS = [{0: "ab12"}, {}, {0: "cd34", 2: "ab12"}]


_TIMES = itertools.count()


def at_another_time() -> Surfaces:
    """Surfaces of three texts, which hold a time as the guard's do."""
    return Surfaces({"report": np.full((3, 2), next(_TIMES), np.float32), "metrics": np.eye(3, dtype=np.float32)}, KEYS)


def test_surfaces_are_read_once_and_are_their_owners(tmp_path: Path) -> None:
    file = tmp_path / "out" / surface_file.FILE
    first, again = kept(file, 3, at_another_time), kept(file, 3, at_another_time)
    assert first.keys == again.keys == KEYS
    assert set(first.vectors) == {"report", "metrics"}
    for name, vectors in first.vectors.items():
        assert vectors.dtype == np.float32 and np.array_equal(vectors, again.vectors[name])
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == [surface_file.FILE]


def test_a_reading_that_was_killed_leaves_nothing_that_counts(tmp_path: Path) -> None:
    (tmp_path / "surfaces.tmp").write_bytes(b"PK\x03\x04 torn")
    assert kept(tmp_path / surface_file.FILE, 3, at_another_time).keys == KEYS


def test_surfaces_of_other_answers_and_other_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / surface_file.FILE
    kept(file, 3, at_another_time)
    with pytest.raises(InputError, match="other answers"):
        kept(file, 4, at_another_time)
    for content in (b"", b"notes", file.read_bytes()[:60]):
        file.write_bytes(content)
        with pytest.raises(InputError, match="holds no surfaces"):
            kept(file, 3, at_another_time)
