"""Guards vLLM in its API process: judges each answer before a byte of it leaves.

    RETICENT_CONFIG=serve.yaml vllm serve ./base --enable-lora --max-loras 2 --lora-modules private=./adapter \\
        --middleware reticent.integrations.vllm.GuardMiddleware

    # serve.yaml
    detector:
      models: [private]                           # the models whose answers are judged
      base: {model: ./base, tokenizer: ./base}    # the name of the model before private tuning

Settings are those of `reticent serve`. Those of addresses, ports, TLS and workers have no effect here. The guard serves
its own routes, passes on vLLM's pages about its state (`PASSES`) and refuses every other path. Metrics are in vLLM's
own `/metrics`.

The base is asked in the same engine, by requests of its own. A client that leaves, or an answer that is stopped, ends
vLLM's request.

With vLLM's `--api-key` the base is asked with `upstream.api_key`, and clients need `keys` of the guard.

vLLM's start ends with a message if a setting cannot be used. So it does if one of its options prevents judging. Once
vLLM's log says "The guard judges", it does.

With `--worker-cls reticent.integrations.vllm_worker.QuestionWorker` the base is asked once about a value, not once
about each of its tokens.

A bundle that reads hidden states needs the worker that keeps those of answers:
`--worker-cls reticent.integrations.vllm_worker.GuardWorker`. A value whose states are not there is unknown. So are all
values of the routes `/v1/responses` and `/v1/messages`. Of an answer that is not streamed the last
`RETICENT_STATE_ROWS` tokens alone are kept. Second looks, and values that stand in the prompt, need `detector.base`
with a tokenizer.
With both workers refused are pipeline and data parallelism, speculative decoding, microbatches, full CUDA graphs,
vLLM's second model runner, quantised heads, and models that give speculative decoding no states.

Not covered: vLLM's gRPC server and its front end in Rust load no middleware, so nothing is judged there. Several API
processes (`--api-server-count`) judge each for themselves.
"""

from __future__ import annotations

import importlib
import logging
import os
from pathlib import Path
from typing import Any

from prometheus_client import REGISTRY

from reticent.hosted.token_texts import TokenTexts
from reticent.integrations.vllm_states import QUESTION_WORKER, WORKER, EngineClient, EngineStates
from reticent.serve.config import load
from reticent.serve.middleware import URL, Application, ReticentMiddleware
from reticent.serve.settings import Settings, is_loopback
from reticent.serve.transport.client import Receive, Scope, Send
from reticent_detectors.errors import InputError, PolicyError

CONFIG = "RETICENT_CONFIG"
"""Environment variable with the path of the settings file."""
PASSES = frozenset({"/health", "/load", "/metrics", "/ping", "/version"})
"""Paths of vLLM that carry no text of a model."""
RAW = "raw_logprobs"
"""vLLM's log-probabilities before temperature, penalties and masks, which a client may set."""
_LOGGER = logging.getLogger(__name__)


class GuardMiddleware:
    """Judges vLLM's answers, with the settings of the file that `RETICENT_CONFIG` names.

    What is wrong with settings or options is said at the start of vLLM, which ends then. A server that starts without a
    lifespan gets 503 for every request.

    Args:
        app: vLLM's application.
    """

    def __init__(self, app: Application) -> None:
        self._guard: ReticentMiddleware | None = None
        self._settings: Settings | None = None
        self._fault: str | None = None
        self._states = EngineStates()
        try:
            self._settings = read_settings()
            self._guard = ReticentMiddleware(app, self._settings, PASSES, REGISTRY, TokenTexts, self._states)
        except (InputError, PolicyError) as error:
            self._fault = str(error)
        except Exception as error:  # its text may hold anything
            self._fault = f"The guard could not be made: {type(error).__name__}."

    def __repr__(self) -> str:
        return f"GuardMiddleware({self._guard!r})"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" and self._settings is not None and self._fault is None:
            state = getattr(scope.get("app"), "state", None)
            arguments = getattr(state, "args", None)
            self._fault = fault_of(arguments, self._settings, runs_on_cpu())
            if self._guard is not None:
                self._fault = self._fault or await self._attach(self._guard.proxy.reads_states, state)
            for warning in () if self._fault else warnings_of(arguments, self._settings):
                _LOGGER.warning("%s", warning)
        if self._guard is None or self._fault is not None:
            await _refuse(scope, receive, send, f"{self._fault} vLLM's answers would not be judged.")
            return
        if scope["type"] == "lifespan":
            # A warning, because vLLM shows nothing less of other packages.
            _LOGGER.warning("The guard judges. Settings: %s.", os.environ.get(CONFIG))
        await self._guard(scope, receive, send)

    async def _attach(self, reads_answers: bool, state: Any) -> str | None:
        """Attaches the engine if its hidden states are read. Says what is wrong with it, or gives None.

        Args:
            reads_answers: whether those of answers are read. Those of questions are if one of our workers runs.
            state: the state of vLLM's application.
        """
        arguments = getattr(state, "args", None)
        if not reads_answers and getattr(arguments, "worker_cls", None) not in (WORKER, QUESTION_WORKER):
            return None
        if (fault := fault_of_states(arguments)) is not None:
            return fault
        engine: EngineClient | None = getattr(state, "engine_client", None)
        try:
            await self._states.attach(engine, reads_answers)
        except InputError as error:
            return str(error)
        return None


def read_settings() -> Settings:
    """Reads the settings of the file that `RETICENT_CONFIG` names.

    Raises:
        InputError: no settings file is named, or a setting cannot be used.
    """
    file = os.environ.get(CONFIG)
    if not file:
        raise InputError(f"Expected the path of a settings file in {CONFIG}; 'reticent config' prints a template.")
    settings = load(Path(file), overrides={"upstream.url": URL})
    if settings.upstream is not None and settings.upstream.api_key is not None and not (settings.keys or settings.open):
        raise InputError(
            "upstream.api_key would be sent with every client's request, and so let everybody in. "
            "Name the clients' keys under 'keys', or say 'open: true'."
        )
    return settings


def runs_on_cpu() -> bool:
    """Says whether vLLM runs its models on the processor."""
    try:
        platforms = importlib.import_module("vllm.platforms")
    except ImportError:
        return False
    return bool(platforms.current_platform.is_cpu())


def fault_of(arguments: Any, settings: Settings, on_cpu: bool) -> str | None:
    """Gives the option of vLLM under which answers cannot be judged, as a sentence, or None.

    Args:
        arguments: those that vLLM was started with; None if unknown.
        settings: the guard's.
        on_cpu: whether models run on the processor.
    """
    if settings.detector is None:
        return None
    mode = str(getattr(arguments, "logprobs_mode", None) or RAW)
    if mode != RAW:
        return f"--logprobs-mode {mode} hides what the model found likely: leave it out, for {RAW}."
    adapters = [getattr(each, "name", None) for each in getattr(arguments, "lora_modules", None) or ()]
    slots, count = getattr(arguments, "max_loras", None), len(adapters)
    asks_without = settings.detector.base is not None or not set(settings.detector.models) <= set(adapters)
    if on_cpu and asks_without and count and isinstance(slots, int) and slots <= count:
        return (
            f"On a processor --max-loras {slots} with {count} adapters gives the model without one the last one's "
            f"weights: set it to {count + 1}."
        )
    return None


def fault_of_states(arguments: Any) -> str | None:
    """Gives the option of vLLM under which hidden states cannot be found, as a sentence, or None.

    Args:
        arguments: those that vLLM was started with; None if unknown.
    """
    if (getattr(arguments, "data_parallel_size", None) or 1) > 1:
        return "--data-parallel-size: a question about states reaches one engine alone. Run servers of one engine each."
    if os.environ.get("VLLM_DISABLE_REQUEST_ID_RANDOMIZATION", "0") not in ("", "0"):
        return "VLLM_DISABLE_REQUEST_ID_RANDOMIZATION: requests would have ids that the guard does not know. Unset it."
    return None


def warnings_of(arguments: Any, settings: Settings) -> list[str]:
    """Gives sentences on options of vLLM that show more than the guard does."""
    found = []
    host = getattr(arguments, "host", None)
    is_open = arguments is not None and not (getattr(arguments, "uds", None) or (host and is_loopback(host)))
    if is_open and not (settings.keys or settings.open):
        found.append("The guard asks for no key, and vLLM listens beyond this machine. Set 'keys', or 'open: true'.")
    if getattr(arguments, "enable_log_outputs", False):
        found.append("--enable-log-outputs writes answers into vLLM's log before they are judged.")
    return found


async def _refuse(scope: Scope, receive: Receive, send: Send, why: str) -> None:
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.failed", "message": why})
    elif scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1013})
    else:
        body = b'{"error": {"message": "The guard is not set up.", "type": "server_error", "code": "guard"}}'
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 503, "headers": headers})
        await send({"type": "http.response.body", "body": body})
