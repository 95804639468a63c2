"""LiteLLM's proxy before an upstream: bare, with its Presidio guardrail, or with ours."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import yaml

from reticent_bench.engines.servers import CLIENTS, ROOT, Engine

_PATHS = os.pathsep.join(str(ROOT / each) for each in ("guard", "detectors", "kernels", "benchmarks"))
_VARIABLES = {"PYTHONPATH": _PATHS, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_LOG": "ERROR", "DO_NOT_TRACK": "1"}
PRESIDIO = Engine(
    CLIENTS.name,
    "presidio-analyzer",
    lambda folder, port: [str(folder / "bin" / "python"), "-m", "reticent_bench.engines.presidio_service", str(port)],
    _VARIABLES,
    "/health",
)


def reticent(settings: Path) -> dict[str, Any]:
    """Our guardrail, with a file of settings as `reticent serve` reads it."""
    return {
        "guardrail": "reticent.integrations.litellm.ReticentGuardrail",
        "mode": "post_call",
        "default_on": True,
        "settings": str(settings),
    }


def generic(url: str, **params: Any) -> dict[str, Any]:
    """LiteLLM's generic guardrail API, at `reticent serve`."""
    return {
        "guardrail": "generic_guardrail_api",
        "mode": "post_call",
        "default_on": True,
        "api_base": url,
        "streaming_transform_mode": "incremental_diff",
        "streaming_sampling_rate": 1,
        **params,
    }


def presidio(url: str) -> dict[str, Any]:
    """LiteLLM's own guardrail, which masks what a model says."""
    return {
        "guardrail": "presidio",
        "mode": "post_call",
        "default_on": True,
        "apply_to_output": True,
        "presidio_analyzer_api_base": url,
        "presidio_anonymizer_api_base": url,
    }


def litellm(upstream: str, folder: Path, guardrail: dict[str, Any] | None = None, model: str = "small") -> Engine:
    """LiteLLM's proxy before an OpenAI-compatible server; its configuration is written to `folder`."""
    config: dict[str, Any] = {
        "model_list": [
            {
                "model_name": model,
                "litellm_params": {"model": f"openai/{model}", "api_base": f"{upstream}/v1", "api_key": "none-needed"},
            }
        ],
        "litellm_settings": {"telemetry": False, "num_retries": 0},
        "general_settings": {"dangerously_permit_weak_or_unset_master_key": True},  # on loopback, and for minutes
    }
    if guardrail is not None:
        config["guardrails"] = [{"guardrail_name": "guard", "litellm_params": guardrail}]
    path = folder / "litellm.yaml"
    path.write_text(yaml.safe_dump(config))
    return Engine(
        CLIENTS.name,
        "litellm",
        lambda bin, port: [
            str(bin / "bin" / "python"),
            "-m",
            "litellm.proxy.proxy_cli",
            "--config",
            str(path),
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
        ],
        _VARIABLES,
        "/health/liveliness",
    )
