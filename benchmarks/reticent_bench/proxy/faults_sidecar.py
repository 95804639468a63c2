"""The proxy whose faults are measured, and its server: two processes, with what tells of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from prometheus_client.parser import text_string_to_metric_families

from reticent.demo import assets
from reticent.observability.decision_chain import verify
from reticent.observability.decision_log import read_key
from reticent_bench.proxy.load import free_port, ready

STRICT = {"entities": {"DEFAULT": {"unknown": "redact"}}, "after_redaction": "continue"}
CLIENT_SECONDS, JUDGE_SECONDS, READ_SECONDS, INFLIGHT = 2.0, 1.0, 2.0, 64


class Sidecar:
    """The proxy and its server.

    Args:
        folder: for settings and the decision log.
        settings: beside those that all faults share.
        hangs: whether the proxy has a detector that hangs over some requests.
    """

    def __init__(self, folder: Path, settings: dict[str, Any], hangs: bool = False) -> None:
        self.server, self.port, self.metrics = free_port(), free_port(), free_port()
        self.log, self.key = folder / "decisions.jsonl", folder / "decisions.key"
        self.key.write_text(os.urandom(32).hex())
        self.key.chmod(0o600)
        shared: dict[str, Any] = {
            "upstream": {"url": f"http://127.0.0.1:{self.server}", "read_seconds": READ_SECONDS},
            "port": self.port, "metrics_port": self.metrics, "policy": "strict", "policies": {"strict": STRICT},
            "decision_log": {"path": str(self.log), "key_file": str(self.key)},
            "limits": {"client_seconds": CLIENT_SECONDS, "judge_seconds": JUDGE_SECONDS, "inflight": INFLIGHT},
        }  # fmt: skip
        path = folder / "settings.yaml"
        path.write_text(yaml.safe_dump({**shared, **settings}))
        serve = ("-c", "from reticent.commands.serve import app; app()", "--config", str(path))
        self._command = ("-m", "reticent_bench.proxy.faults_proxy", str(path)) if hangs else serve
        self.start_server()
        self.start()

    def start_server(self) -> None:
        """Starts the server."""
        self.upstream = _started("-m", "reticent_bench.proxy.faults_upstream", str(self.server))
        ready(self.server, "/")

    def start(self) -> None:
        """Starts the proxy."""
        self.proxy = _started(*self._command)
        ready(self.port, "/healthz")

    def close(self) -> None:
        """Ends both."""
        for process in (self.proxy, self.upstream):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()

    def count(self, name: str, **labels: str) -> int:
        """A counter of the proxy's."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.metrics}/metrics", timeout=5) as response:
            families = text_string_to_metric_families(response.read().decode())
            samples = [each for family in families for each in family.samples]
        return int(sum(s.value for s in samples if s.name == f"reticent_{name}" and labels.items() <= s.labels.items()))

    def left(self) -> dict[str, int]:
        """When the server saw that somebody left, by request."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.server}/closed", timeout=5) as response:
            counts: dict[str, int] = json.loads(response.read())
        return counts

    def workers(self) -> list[int]:
        """The processes that serve, where there are several."""
        children = Path(f"/proc/{self.proxy.pid}/task/{self.proxy.pid}/children").read_text().split()
        return [int(pid) for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def logged(self) -> int:
        """How many redactions the log tells of. Raises AssertionError for a chain that does not hold."""
        found = 0

        def visit(number: int, fields: Any, good: bool) -> None:
            nonlocal found
            found += fields.get("action") == "redact"

        if self.log.exists():
            held = verify(self.log, read_key(self.key), visit)
            assert held.holds, held.message
        return found


def _started(*command: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        [sys.executable, *command], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


@contextmanager
def sidecar(settings: dict[str, Any]) -> Iterator[Sidecar]:
    """A proxy and its server."""
    with tempfile.TemporaryDirectory() as folder:
        hangs = settings.pop("shadow", False)
        if hangs:
            settings["shadow"] = {"path": folder, "bundle": str(assets() / "bundle"), "models": ["small"]}
        side = Sidecar(Path(folder), settings, hangs)
        try:
            yield side
        finally:
            side.close()
