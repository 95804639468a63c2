"""The bench of hostile tenants: its load against its own server, and its page."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from reticent_bench.proxy import hostile_load, hostile_tenants
from reticent_bench.proxy.load import free_port

ROOT = Path(__file__).resolve().parent.parent


def test_the_load_finds_a_server_that_only_sends_whole_and_on_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hostile_load, "STREAMS", 4)
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        command = ("-m", "reticent_bench.proxy.hostile_upstream", str(port))
        cores = os.sched_getaffinity(0)
        with hostile_tenants.process(ROOT, set(cores), Path(folder) / "log", *command):
            hostile_tenants._until_open(port)
            figures = asyncio.run(hostile_load.run(port, 18.0, False))
    assert figures["streams"] == {"whole": 4}
    assert figures["late streams"] == 0
    assert figures["failures of the load itself"] == []
    page = hostile_tenants.render({hostile_tenants.BARE: figures, "made_by": {}, "x": both(figures)}, 60.0, "nothing")
    assert "x, beside them" in page and "4 whole" in page


def both(figures: dict[str, Any]) -> dict[str, Any]:
    met = {**figures, "memory": {"before": 1.0, "peak": 3.0, "after": 2.0}, "processor share": 0.5}
    return {"calm": met, "hostile": {**met, "hostile": {"aborts": 3}}, "commit": "x"}


def test_twenty_tenants_are_hostile() -> None:
    async def count() -> int:
        tenants = list(hostile_load.Load(1, 0.0).tenants())
        for each in tenants:
            each.close()  # type: ignore[attr-defined]
        return len(tenants)

    assert asyncio.run(count()) == hostile_load.HOSTILE_TENANTS


def test_the_memory_of_a_process_is_that_of_all_it_started() -> None:
    command = ("-c", "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(20)'])")
    with (
        tempfile.TemporaryDirectory() as folder,
        hostile_tenants.process(ROOT, {min(os.sched_getaffinity(0))}, Path(folder) / "log", *command) as parent,
    ):
        for _ in range(200):
            if len(hostile_tenants.family(parent.pid)) == 2:
                break
            time.sleep(0.05)
        child = hostile_tenants.family(parent.pid)[1]
        assert hostile_tenants.memory_mb(parent.pid) > hostile_tenants.memory_mb(child) > 0
        os.kill(child, 15)
