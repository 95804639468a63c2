"""Lists the contracts."""

from __future__ import annotations

from reticent.serve.verdicts.agentgateway import WebhookContract
from reticent.serve.verdicts.contract import Contract
from reticent.serve.verdicts.detector_api import TextContentsContract, TextGenerationContract
from reticent.serve.verdicts.litellm import LitellmContract
from reticent.serve.verdicts.redact import RedactContract

CONTRACTS: tuple[Contract, ...] = (
    RedactContract(),
    LitellmContract(),
    TextContentsContract(),
    TextGenerationContract(),
    WebhookContract(answers=False),
    WebhookContract(answers=True),
)
