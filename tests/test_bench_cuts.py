"""The table of cuts: an interrupted run continues, and figures of another finder are not added."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from reticent_bench.finder import cuts

PINS = [("PIN", f"48{number}1") for number in range(3)]


def run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    monkeypatch.setattr(sys, "argv", ["cuts", "--out", str(folder), "--parts", str(folder / "parts"), "--every", "9"])
    cuts.main()
    figures = json.loads((folder / "span-cuts.json").read_text())
    return {name: figures[name] for name in ("cuts", "wrong", "kinds")}


def test_an_interrupted_run_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, asked = cuts.measured, list[str]()

    def measured(unit: tuple[str, str], every: int) -> object:
        asked.append(unit[1])
        if len(asked) == 3:
            raise KeyboardInterrupt
        return whole(unit, every)

    monkeypatch.setattr(cuts, "FRAMES", {"alone": cuts.FRAMES["alone"]})
    monkeypatch.setattr(cuts, "PART", 2)
    monkeypatch.setattr(cuts, "values", lambda count, seed: iter(PINS))
    monkeypatch.setattr(cuts, "ProcessPoolExecutor", ThreadPoolExecutor)
    at_once = run(tmp_path / "whole", monkeypatch)
    assert at_once["cuts"] and not at_once["wrong"]
    monkeypatch.setattr(cuts, "measured", measured)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "two", monkeypatch)
    kept = sorted((tmp_path / "two" / "parts").rglob("*.json"))
    assert len(kept) == 1  # two of the three values
    assert run(tmp_path / "two", monkeypatch) == at_once
    assert sorted(asked[3:]) == sorted(value for _, value in PINS[2:])
    assert not (tmp_path / "two" / "parts").exists()
    # Another finder begins anew.
    asked.clear()
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "two", monkeypatch)
    asked.clear()
    monkeypatch.setattr(cuts, "finder_digest", lambda: "another")
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "two", monkeypatch)
    assert asked[0] == PINS[0][1]
