"""Say whether a model can be guarded, at which tier, and what stands in the way."""

from __future__ import annotations

import json as json_
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from reticent.policy import DEFAULT
from reticent.verdict import Tier
from reticent_detectors.errors import BundleMismatch, InputError, ReticentError, TokenizerMismatch, UnsupportedHost

app = typer.Typer(add_completion=False)

ATTACH_CHECKS = (
    "one forward pass on a fixed probe: every layer gives what output_hidden_states reports, no state depends on later "
    "tokens, and the lens of the last layer gives the model's own logits"
)
_PACKAGES = ("torch", "transformers", "tokenizers", "onnxruntime", "onnxruntime-gpu", "triton", "peft", "bitsandbytes")
_STATIC_CACHES = ("static", "offloaded_static", "hybrid", "sliding_window")


class Status(StrEnum):
    """How a check came out."""

    OK = "ok"
    NOTE = "note"  # works, but worth knowing
    FAIL = "fail"


_COLOURS = {Status.OK: "green", Status.NOTE: "yellow", Status.FAIL: "bold red"}


@dataclass
class Diagnosis:
    """What is known about a host so far."""

    path: Path
    tiers: dict[Tier, bool] = field(default_factory=lambda: {tier: tier is Tier.TEXT for tier in Tier})
    facts: dict[str, str | int | float | bool | None] = field(default_factory=dict)
    checks: list[tuple[Status, str, str]] = field(default_factory=list)
    attached: bool = False
    broken: bool = False
    """Something that was given (bundle, policy, records) cannot be used."""
    bundle_given: bool = False

    def say(self, status: Status, name: str, detail: str) -> None:
        """Notes how a check came out."""
        self.checks.append((status, name, detail))

    def refuse(self, name: str, error: ReticentError) -> None:
        """Notes that something given cannot be used."""
        self.say(Status.FAIL, name, str(error))
        self.broken = True

    @property
    def best(self) -> Tier | None:
        """The strongest tier at which memorised values are stopped; `text` alone stops none, it flags."""
        return next((tier for tier in (Tier.HIDDEN, Tier.LOGPROBS, Tier.RECORDS) if self.tiers[tier]), None)

    @property
    def guardable(self) -> bool:
        """Whether the host can be guarded with what was given."""
        return self.best is not None and not self.broken

    @property
    def verdict(self) -> str:
        """One line."""
        if self.broken:
            failed = ", ".join(name for status, name, _ in self.checks if status is Status.FAIL)
            return f"Cannot be guarded with what was given; to be put right: {failed}."
        if self.best is None:
            return "Cannot be guarded: only the text could be looked at, which flags spans and stops none."
        also = " and records" if self.tiers[Tier.RECORDS] and self.best is not Tier.RECORDS else ""
        if self.bundle_given or self.best is Tier.RECORDS:
            return f"Can be guarded at tier {self.best}{also}."
        train = "reticent collect, reticent train" if self.best is Tier.HIDDEN else "trained on log-probabilities"
        return f"Can be guarded at tier {self.best}{also}, once there is a bundle for it ({train})."


@app.command()
def doctor(
    path: Annotated[Path, typer.Argument(help="Folder of a transformers checkpoint.")],
    bundle: Annotated[Path | None, typer.Option(help="Detector bundle that is to guard it.")] = None,
    policy: Annotated[Path | None, typer.Option(help="Policy file.")] = None,
    records: Annotated[Path | None, typer.Option(help="Records index made by 'reticent index'.")] = None,
    records_key_file: Annotated[Path | None, typer.Option(help="The records index' key.")] = None,
    device: Annotated[str, typer.Option(help="A torch device to load it on.")] = "cpu",
    json: Annotated[bool, typer.Option("--json", help="One JSON object, for machines.")] = False,
) -> None:
    """Loads a model, tries what the guard needs of it, and ends with a verdict; exit code 1 if it cannot be guarded."""
    if (records is None) != (records_key_file is None):
        raise InputError("Expected --records and --records-key-file together; an index cannot be read without its key.")
    found = Diagnosis(path, bundle_given=bundle is not None)
    _look_at_host(found, bundle, device)
    if policy is not None:
        _look_at_policy(found, policy)
    if records is not None and records_key_file is not None:
        _look_at_records(found, records, records_key_file)
    _look_at_machine(found)
    if json:
        typer.echo(json_.dumps(_plain(found)))
    else:
        _show(found)
    if not found.guardable:
        raise typer.Exit(1)


def _look_at_host(found: Diagnosis, bundle: Path | None, device: str) -> None:
    from reticent_detectors.capture import HostAdapter
    from reticent_detectors.host.load import load_host

    try:
        model, tokenizer = _loaded(load_host, found.path, device)
        _look_at_tokenizer(found, tokenizer)
        _look_at_model(found, model)
        adapter = HostAdapter.attach(model, tokenizer)
    except TokenizerMismatch as error:
        found.refuse("tokenizer", error)
        return
    except UnsupportedHost as error:
        found.say(Status.FAIL, "host", str(error))
        found.say(
            Status.NOTE,
            "tiers",
            "Hidden states cannot be read. A server that gives log-probabilities can be guarded at tier logprobs, with "
            "a bundle trained for it.",
        )
        found.tiers[Tier.LOGPROBS] = True
        if bundle is not None:
            _look_at_bundle(found, bundle, None, None)
        return
    found.attached = True
    found.tiers[Tier.HIDDEN] = found.tiers[Tier.LOGPROBS] = True
    found.say(Status.OK, "attach", ATTACH_CHECKS)
    _look_at_adapter(found, adapter)
    if bundle is not None:
        _look_at_bundle(found, bundle, adapter, tokenizer)


def _loaded(load: Callable[[Path, str], tuple[Any, Any]], path: Path, device: str) -> tuple[Any, Any]:
    """What the loader gives; whatever a damaged or half-supported checkpoint makes it raise is the host's fault."""
    try:
        return load(path, device)
    except ReticentError:
        raise
    except Exception as error:
        raise UnsupportedHost(
            f"{path} could not be loaded ({type(error).__name__}). Fetch the checkpoint again, or install what it needs."
        ) from error


def _look_at_tokenizer(found: Diagnosis, tokenizer: Any) -> None:
    found.facts["fast_tokenizer"] = bool(getattr(tokenizer, "is_fast", False))
    found.facts["chat_template"] = getattr(tokenizer, "chat_template", None) is not None
    if not found.facts["fast_tokenizer"]:
        found.say(Status.NOTE, "tokenizer", "not a fast one: its digest covers the vocabulary, not the rules")
    if not found.facts["chat_template"]:
        found.say(Status.NOTE, "chat template", "none: chat() is refused; use generate() with prompt ids")


def _look_at_model(found: Diagnosis, model: Any) -> None:
    from reticent.decoding import check

    config = json_.loads((found.path / "config.json").read_text())
    stored = config.get("dtype") or config.get("torch_dtype")
    loaded = str(next(model.parameters()).dtype).removeprefix("torch.")
    quantised = "quantization_config" in config
    # A PEFT layer has a switch of this name; transformers' models have a method of it.
    switches = ((type(module).__name__, getattr(module, "disable_adapters", None)) for module in model.modules())
    adapters = sorted({name for name, switch in switches if isinstance(switch, bool)})
    found.facts |= {
        "architecture": type(model).__name__,
        "dtype_stored": stored,
        "dtype_loaded": loaded,
        "quantised": quantised,
        "peft_adapters": ", ".join(adapters) or None,
        "cache": getattr(model.generation_config, "cache_implementation", None),
    }
    if stored not in (None, loaded):
        found.say(
            Status.NOTE, "dtype", f"stored as {stored}, looked at as {loaded}: a bundle fits the weights as loaded"
        )
    if quantised:
        found.say(Status.NOTE, "quantisation", "a bundle fits this quantised copy only, not the original")
    if adapters:
        found.say(
            Status.NOTE, "adapters", f"{len(adapters)} kinds of PEFT layers; a bundle fits these adapters in this state"
        )
    if str(found.facts["cache"]) in _STATIC_CACHES:
        found.say(
            Status.NOTE,
            "cache",
            f"{found.facts['cache']}: on a GPU transformers compiles a model that has a static cache, and hooks stay silent "
            "there; set cache_implementation to None",
        )
    found.say(Status.NOTE, "torch.compile", "guard the model uncompiled: hooks stay silent in a compiled one")
    try:
        reread = check(model, None, {})
    except ReticentError as error:
        found.say(Status.NOTE, "generation config", str(error))
    else:
        told = "beams or assisted decoding: answers are judged when they are finished, not streamed" if reread else ""
        found.say(Status.NOTE if reread else Status.OK, "generation config", told or "decodes in a way that is guarded")


def _look_at_adapter(found: Diagnosis, adapter: Any) -> None:
    head, embedding = adapter.head, adapter.model.get_input_embeddings().weight
    weight: Any = getattr(head, "weight", None)
    plain = weight is not None and weight.is_floating_point()
    found.facts |= {
        "architecture": type(adapter.model).__name__,
        "layers": adapter.num_layers,
        "hidden_size": adapter.hidden_size,
        "vocab_size": adapter.vocab_size,
        "vocabulary": adapter.vocabulary,
        "padded_rows": adapter.vocab_size - adapter.vocabulary,
        "head": type(head).__name__,
        "head_mode": adapter.mode,
        "head_quantised": not plain,
        "final_modules": ", ".join(type(module).__name__ for module in adapter.tail) or None,
        "logit_scale": adapter.scale,
        "logit_softcap": adapter.softcap,
        "tied_embeddings": plain and weight.data_ptr() == embedding.data_ptr(),
    }
    if adapter.mode == "modules":
        found.say(
            Status.NOTE,
            "head",
            "is more than its weights (quantised, adapted or hooked): it is called in blocks, which is slower",
        )


def _look_at_bundle(found: Diagnosis, path: Path, adapter: Any, tokenizer: Any) -> None:
    try:
        from reticent.guard import Guard

        guard = Guard.load(path)  # its thresholds and its network as well
    except ReticentError as error:
        found.tiers[Tier.HIDDEN] = found.tiers[Tier.LOGPROBS] = False
        found.refuse("bundle", error)
        return
    tier, bundle = guard.tier, guard.bundle
    found.tiers[Tier.HIDDEN] = found.tiers[Tier.HIDDEN] and tier is Tier.HIDDEN
    found.tiers[Tier.LOGPROBS] = tier is Tier.LOGPROBS
    found.facts |= {"bundle_tier": str(tier), "bundle_threshold": guard.policy.threshold(DEFAULT)}
    if adapter is None:
        if tier is Tier.HIDDEN:
            found.refuse("bundle", BundleMismatch(f"{path} needs hidden states, which this host does not offer."))
        else:
            found.say(Status.NOTE, "bundle", "intact; whether it fits this host cannot be checked without attaching")
        return
    try:
        bundle.check_host(adapter.fingerprint(tokenizer), adapter.behaviour_print())
    except BundleMismatch as error:
        found.tiers[Tier.HIDDEN] = found.tiers[Tier.LOGPROBS] = False
        found.refuse("bundle", error)
        return
    found.say(Status.OK, "bundle", f"fits this host; tier {tier}; runs on {', '.join(guard.scorer.providers)}")


def _look_at_policy(found: Diagnosis, path: Path) -> None:
    from reticent.policy_file import load_policy

    try:
        policy = load_policy(path)
    except ReticentError as error:
        found.refuse("policy", error)
        return
    monitors = "; monitor: decides and counts, stops nothing" if policy.monitor else ""
    found.say(Status.NOTE if monitors else Status.OK, "policy", f"understood{monitors}")


def _look_at_records(found: Diagnosis, path: Path, key_file: Path) -> None:
    from reticent.records import RecordsIndex, read_key

    try:
        index = RecordsIndex.load(path, key=read_key(key_file))
    except ReticentError as error:
        found.refuse("records", error)
        return
    found.tiers[Tier.RECORDS] = len(index) > 0
    counts = ", ".join(f"{entity} {count}" for entity, count in index.counts.items())
    found.say(Status.OK if counts else Status.NOTE, "records", f"{len(index)} values ({counts or 'empty'})")


def _look_at_machine(found: Diagnosis) -> None:
    import torch

    versions = {name: installed for name in _PACKAGES if (installed := _version(name)) is not None}
    found.facts |= {f"version_{name.replace('-', '_')}": number for name, number in versions.items()}
    found.facts["cpu_threads"] = os.cpu_count()
    cuda = torch.cuda.is_available()
    found.facts["cuda"] = torch.cuda.get_device_name() if cuda else None
    fused = cuda and "triton" in versions
    lens = "the fused Triton kernel" if fused else "torch" + (" (triton is not installed)" if cuda else " on the CPU")
    found.say(Status.OK if fused or not cuda else Status.NOTE, "lens", f"runs in {lens}")
    try:
        import onnxruntime
    except ImportError:
        found.say(Status.FAIL, "onnxruntime", "not installed; pip install 'reticent[cpu]' or 'reticent[gpu]'")
        found.broken = True
    else:
        found.say(Status.OK, "onnxruntime", ", ".join(onnxruntime.get_available_providers()))


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _plain(found: Diagnosis) -> Mapping[str, Any]:
    return {
        "path": str(found.path),
        "guardable": found.guardable,
        "tier": None if found.best is None or found.broken else str(found.best),
        "tiers": {str(tier): offered for tier, offered in found.tiers.items()},
        "attached": found.attached,
        "facts": found.facts,
        "checks": [{"status": str(s), "name": name, "detail": detail} for s, name, detail in found.checks],
        "verdict": found.verdict,
    }


def _shown(value: str | int | float | bool | None) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return "none" if value is None else str(value)


def _show(found: Diagnosis) -> None:
    console = Console()
    facts = Table.grid(padding=(0, 2))
    for name, value in found.facts.items():
        shown = (
            {True: "yes", False: "no"}[value] if isinstance(value, bool) else "none" if value is None else str(value)
        )
        facts.add_row(Text(name.replace("_", " "), "dim"), Text(shown))
    checks = Table.grid(padding=(0, 2))
    for status, name, detail in found.checks:
        checks.add_row(Text(status, _COLOURS[status]), Text(name), Text(detail))
    offered = ", ".join(f"{tier} {'yes' if there else 'no'}" for tier, there in found.tiers.items())
    for part in (facts, checks, Text(f"tiers  {offered}", "dim")):
        console.print(part)
        console.print()
    console.print(Text(found.verdict, "bold green" if found.guardable else "bold red"))
