"""What a long command says before it starts, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from reticent_detectors.errors import InputError
from reticent_detectors.host import memory
from reticent_detectors.long_runs.estimate import Estimate, gigabytes


def _estimate(**changed: object) -> Estimate:
    values: dict[str, object] = {
        "command": "tune", "unit": "step", "done": 0, "total": 400, "seconds": 840.0, "measured": "4 steps on cpu",
        "memory": {"weights": 0.5e9, "optimiser": 0.1e9}, "peak": 2e9,
        "disk": {"adapter": 0.02e9, "checkpoint": 0.12e9},
    }  # fmt: skip
    return Estimate(**(values | changed))  # type: ignore[arg-type]


def test_time_memory_and_disk_are_said_with_how_they_were_reckoned() -> None:
    time, room, disk, after = _estimate().text(8e9, 70e9).splitlines()
    assert time == "tune: 400 steps, 2.1 s a step (measured: 4 steps on cpu): about 14 min"
    assert room == (
        "memory: about 2.0 GB (weights 0.50 GB, optimiser 0.10 GB; "
        "1.4 GB for activations and libraries, by the peak of the "
        "measurement); 8.0 GB free"
    )
    assert disk == "disk: about 0.14 GB (adapter 0.02 GB, checkpoint 0.12 GB); 70.0 GB free"
    assert "Nothing was started" in after


def test_what_is_done_already_is_taken_off_the_time_alone() -> None:
    lines = _estimate(done=300, seconds=210.0, most=True, note="Fewer if it stops early.").text(None, 1e9).splitlines()
    assert lines[0] == (
        "tune: at most 400 steps, of which 300 are done, 2.1 s a step (measured: 4 steps on cpu): "
        "about 4 min. Fewer if it stops early."
    )
    assert "free" not in lines[1]
    assert "nothing is left" in _estimate(done=400, seconds=0.0).text(None, 1e9)


def test_what_is_known_of_memory_counts_where_the_peak_is_lower() -> None:
    assert (
        _estimate(peak=None).text(None, 1e9).splitlines()[1]
        == "memory: about 0.60 GB (weights 0.50 GB, optimiser 0.10 GB)"
    )
    assert _estimate(peak=1.0).text(None, 1e9).splitlines()[1].startswith("memory: about 0.60 GB (")


@pytest.mark.parametrize(
    ("size", "expected"), [(0, "0.00 GB"), (59e6, "0.06 GB"), (0.96e9, "1.0 GB"), (12.34e9, "12.3 GB")]
)
def test_sizes_have_two_digits(size: float, expected: str) -> None:
    assert gigabytes(size) == expected


def test_too_little_memory_or_disk_is_said_with_both_sizes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_bytes", lambda device: 10**9)
    memory.check_memory("cpu", 0.9e9, "Teaching", "Free some.")
    with pytest.raises(
        InputError, match=r"Teaching needs at least 1.1 GB of memory; 'cpu' has 1.0 GB free. Free some."
    ):
        memory.check_memory("cpu", 1.1e9, "Teaching", "Free some.")
    monkeypatch.setattr(memory, "free_bytes", lambda device: None)
    memory.check_memory("cpu", 1e18, "Teaching", "")
    memory.check_disk(tmp_path / "not" / "there", 1, "Teaching")
    with pytest.raises(InputError, match=r"Teaching needs about 1000000000\.0 GB of disk"):
        memory.check_disk(tmp_path / "not" / "there", 1e18, "Teaching")
    assert not (tmp_path / "not").exists()


def test_the_peak_of_this_process_is_no_less_than_a_block_it_held() -> None:
    before = memory.peak_bytes("cpu")
    if before is None:
        pytest.skip("this system does not tell")
    block = bytearray(before + 50_000_000)
    block[::4096] = b"x" * len(block[::4096])
    after = memory.peak_bytes("cpu")
    assert after is not None and after > before
