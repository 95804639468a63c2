"""Guards vLLM in its API process: judges each answer before a byte of it leaves.

    RETICENT_CONFIG=serve.yaml vllm serve ./base --enable-lora --lora-modules private=./adapter \\
        --middleware reticent.integrations.vllm.GuardMiddleware

    # serve.yaml
    detector:
      models: [private]                           # the models whose answers are judged
      base: {model: ./base, tokenizer: ./base}    # the name of the model before private tuning

Settings are those of `reticent serve`; an upstream's address has no effect. vLLM's own pages about its state are passed
on (`PASSES`), and every other path is refused. Metrics are in vLLM's own `/metrics`.

The base is asked in the same engine, by requests of its own. A client that leaves, or an answer that is stopped, ends
vLLM's request.

With vLLM's `--api-key` the base is asked with `upstream.api_key`, and clients need `keys` of the guard.

Not covered: hidden states. A detector that reads them needs `reticent serve --shadow` or `--host-model`. Several API
processes (`--api-server-count`) judge each for themselves, and each has metrics of its own.
"""

from __future__ import annotations

import os
from pathlib import Path

from prometheus_client import REGISTRY

from reticent.hosted.token_texts import TokenTexts
from reticent.serve.config import load
from reticent.serve.middleware import URL, Application, ReticentMiddleware
from reticent_detectors.errors import InputError

CONFIG = "RETICENT_CONFIG"
"""Environment variable with the path of the settings file."""
PASSES = frozenset({"/health", "/load", "/metrics", "/ping", "/version"})
"""Paths of vLLM that carry no text of a model."""


class GuardMiddleware(ReticentMiddleware):
    """Judges vLLM's answers, with the settings of the file that `RETICENT_CONFIG` names.

    Args:
        app: vLLM's application.

    Raises:
        InputError: no settings file is named, or a setting cannot be used.
        PolicyError: a policy cannot be read.
    """

    def __init__(self, app: Application) -> None:
        file = os.environ.get(CONFIG)
        if not file:
            raise InputError(f"Expected the path of a settings file in {CONFIG}; 'reticent config' prints a template.")
        settings = load(Path(file), overrides={"upstream.url": URL})
        if (
            settings.upstream is not None
            and settings.upstream.api_key is not None
            and not (settings.keys or settings.open)
        ):
            raise InputError(
                "upstream.api_key would be sent with every client's request, and so let everybody in. "
                "Name the clients' keys under 'keys', or say 'open: true'."
            )
        super().__init__(app, settings, PASSES, REGISTRY, TokenTexts)
