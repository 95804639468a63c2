"""Writes the command that guards what `reticent doctor` looked at."""

from __future__ import annotations

from pathlib import Path

from reticent.commands.diagnosis import Diagnosis
from reticent.policy.verdict import Tier


def host_command(found: Diagnosis, bundle: Path | None, base_model: str | None, device: str, dtype: str) -> list[str]:
    """Gives the words of the command that guards a checkpoint in a process of its own, or behind a server."""
    if not found.attached:
        return ["reticent", "serve", "--upstream", "http://HOST:PORT", *options(model="NAME", bundle=bundle)]
    places = {"DEVICE": (device, "cpu"), "DTYPE": (dtype, "float32")}
    variables = [f"RETICENT_SERVE_MODEL__{name}={given}" for name, (given, usual) in places.items() if given != usual]
    chosen = options(host_model=found.subject, bundle=bundle, base_model=base_model)
    return [*(["env", *variables] if variables else []), "reticent", "serve", *chosen]


def server_command(found: Diagnosis, config: Path | None, bundle: Path | None) -> list[str]:
    """Gives the words of the command that stands before a server."""
    command = ["reticent", "serve", *options(config=config, upstream=found.subject)]
    if config is None and found.judged_at is Tier.LOGPROBS:
        command += options(model=found.facts.get("model"), bundle=bundle)
    return command


def options(**given: object) -> list[str]:
    """Gives options by name and value, without those that are None."""
    words = ((f"--{name.replace('_', '-')}", value) for name, value in given.items() if value is not None)
    return [str(word) for option in words for word in option]
