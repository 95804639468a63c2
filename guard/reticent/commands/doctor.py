"""Say whether a model or a server can be guarded, at which tier, and what stands in the way."""

from __future__ import annotations

import json as json_
import os
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reticent.commands.diagnosis import Diagnosis, Status, as_json, show
from reticent.commands.doctor_command import host_command, options, server_command
from reticent.policy.policy import DEFAULT
from reticent.policy.verdict import Tier
from reticent_detectors.errors import BundleMismatch, InputError, ReticentError, TokenizerMismatch, UnsupportedHost

if TYPE_CHECKING:
    from reticent.serve.settings import ShadowSettings
    from reticent_detectors.bundle.format import Bundle

app = typer.Typer(add_completion=False)

ATTACH_CHECKS = (
    "one forward pass on a fixed probe: every layer gives what output_hidden_states reports, no state depends on later "
    "tokens, and the lens of the last layer gives the model's own logits"
)
_PACKAGES = ("torch", "transformers", "tokenizers", "onnxruntime", "onnxruntime-gpu", "triton", "peft", "bitsandbytes")
_STATIC_CACHES = ("static", "offloaded_static", "hybrid", "sliding_window")


@app.command()
def doctor(
    path: Annotated[Path | None, typer.Argument(help="Folder of a transformers checkpoint.")] = None,
    upstream: Annotated[str | None, typer.Option(help="A server in place of a checkpoint: http://HOST:PORT.")] = None,
    config: Annotated[
        Path | None, typer.Option(help="For a server: settings of 'reticent serve', with its address and key.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="For a server: the model to ask. Default: its first one.")] = None,
    bundle: Annotated[
        Path | None,
        typer.Option(help="Detector bundle that is to guard it. Default for a checkpoint: the one of Reticent."),
    ] = None,
    base_model: Annotated[
        str | None,
        typer.Option(help="For a checkpoint: the model before private tuning; 'adapter', 'self', 'none' or a folder."),
    ] = None,
    policy: Annotated[str | None, typer.Option(help="A preset, or a policy's file.")] = None,
    records: Annotated[Path | None, typer.Option(help="Records index made by 'reticent index'.")] = None,
    records_key_file: Annotated[Path | None, typer.Option(help="File of the index's key.")] = None,
    device: Annotated[str, typer.Option(help="A torch device to load it on.")] = "cpu",
    dtype: Annotated[str, typer.Option(help="The number type to load it in.")] = "float32",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object, for machines.")] = False,
) -> None:
    """Tries what the guard needs of a model or server, and prints a verdict. Exit code 1: it cannot be guarded."""
    if records is None and records_key_file is not None:
        raise InputError("--records-key-file goes with --records, the index that 'reticent index' wrote.")
    if (path is None) == (upstream is None and config is None):
        raise InputError("Expected either a checkpoint's folder, or --upstream with an address or --config naming one.")
    if path is None and base_model is not None:
        raise InputError(
            "--base-model goes with the folder of a checkpoint; a server's copy has its own in the settings."
        )
    if path is not None:
        found = Diagnosis(str(path), bundle_given=bundle is not None)
        judge = _check_host(found, bundle, base_model, device, dtype)
        found.command = host_command(found, bundle, base_model, device, dtype)
    else:
        from reticent.commands.doctor_upstream import check_upstream  # needs the extra 'proxy'

        found, settings = check_upstream(upstream, config, model)
        if bundle is None and settings.detector is not None:
            bundle = settings.detector.bundle_of(str(found.facts.get("model")))
        given = bundle
        if bundle is None and settings.detector is None and settings.shadow is None and found.tiers[Tier.LOGPROBS]:
            found.judged_at = Tier.LOGPROBS  # by the detector that comes along, which 'serve' takes as well
        judge = None if bundle is None else _check_detector(found, bundle)
        if judge is None and settings.shadow is not None:  # the server checks which copy of the weights it fits
            judge = _shadows(found, settings.shadow)
        found.command = server_command(found, config, given)
        if records is None and settings.records is not None:  # they stand in the file that the command names
            _check_records(found, settings.records.index, settings.records.key_file)
    _check_given(found, policy, records, records_key_file, judge)
    if found.best is Tier.TEXT and policy is None and config is None:
        found.command += ["--policy", "sealed"]  # the default policy stops nothing there
    if path is not None:
        _check_machine(found)
    if json:
        typer.echo(json_.dumps(as_json(found)))
    else:
        show(found)
    if not found.guardable:
        raise typer.Exit(1)


def _check_given(
    found: Diagnosis, policy: str | None, records: Path | None, records_key_file: Path | None, judge: Bundle | None
) -> None:
    """Checks policy and records, and names them in the command."""
    if policy is not None:
        _check_policy(found, policy, judge)
    if records is not None:
        _check_records(found, records, records_key_file)
    found.command += options(policy=policy, records=records, records_key_file=records_key_file)


def _check_host(
    found: Diagnosis, bundle: Path | None, base_model: str | None, device: str, dtype: str
) -> Bundle | None:
    from reticent_detectors.capture import HostAdapter
    from reticent_detectors.host.load import load_host

    try:
        model, tokenizer = _loaded(load_host, Path(found.subject), device, dtype)
        _check_tokenizer(found, tokenizer)
        _check_model(found, model)
        adapter = HostAdapter.attach(model, tokenizer)
    except TokenizerMismatch as error:
        found.refuse("tokenizer", error)
        return None
    except UnsupportedHost as error:
        found.add(Status.FAIL, "host", str(error))
        found.add(
            Status.NOTE,
            "tiers",
            "Hidden states cannot be read. A server that gives its log-probabilities can be guarded at tier logprobs.",
        )
        found.tiers[Tier.LOGPROBS], found.judged_at = True, Tier.LOGPROBS
        return None if bundle is None else _check_bundle(found, bundle, None, None)
    found.attached = True
    found.tiers[Tier.HIDDEN] = found.tiers[Tier.LOGPROBS] = True
    found.add(Status.OK, "attach", ATTACH_CHECKS)
    _check_adapter(found, adapter)
    _check_base(found, base_model, model, adapter, tokenizer)
    return _check_bundle(found, bundle, adapter, tokenizer)


def _loaded(load: Callable[[Path, str, str], tuple[Any, Any]], path: Path, device: str, dtype: str) -> tuple[Any, Any]:
    """Loads a checkpoint. Reports any error of a damaged or half-supported checkpoint as UnsupportedHost."""
    try:
        return load(path, device, dtype)
    except ReticentError:
        raise
    except Exception as error:
        raise UnsupportedHost(
            f"{path} could not be loaded ({type(error).__name__}). "
            "Fetch the checkpoint again, or install what it needs."
        ) from error


def _check_tokenizer(found: Diagnosis, tokenizer: Any) -> None:
    found.facts["fast_tokenizer"] = bool(getattr(tokenizer, "is_fast", False))
    found.facts["chat_template"] = getattr(tokenizer, "chat_template", None) is not None
    if not found.facts["fast_tokenizer"]:
        found.add(Status.NOTE, "tokenizer", "not a fast one: its digest covers the vocabulary, not the rules")
    if not found.facts["chat_template"]:
        found.add(Status.NOTE, "chat template", "none: chat() is refused; use generate() with prompt ids")


def _check_model(found: Diagnosis, model: Any) -> None:
    from reticent.huggingface.supported_decoding import needs_rereading
    from reticent_detectors.host.load import checkpoint_of

    config = json_.loads((checkpoint_of(Path(found.subject)) / "config.json").read_text())
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
        found.add(
            Status.NOTE, "dtype", f"stored as {stored}, looked at as {loaded}: a bundle fits the weights as loaded"
        )
    if quantised:
        found.add(Status.NOTE, "quantisation", "a bundle fits this quantised copy only, not the original")
    if adapters:
        found.add(
            Status.NOTE, "adapters", f"{len(adapters)} kinds of PEFT layers; a bundle fits these adapters in this state"
        )
    if str(found.facts["cache"]) in _STATIC_CACHES:
        found.add(
            Status.NOTE,
            "cache",
            f"{found.facts['cache']}: on a GPU generate compiles a model that has a static cache; "
            "the guard reads its states from the compiled graph",
        )
    found.add(
        Status.NOTE,
        "torch.compile",
        "let generate compile it (cache_implementation='static'): a model that was compiled otherwise is refused",
    )
    try:
        reread = needs_rereading(model, None, {})
    except ReticentError as error:
        found.add(Status.NOTE, "generation config", str(error))
    else:
        reread_note = (
            "beams or assisted decoding: answers are judged when they are finished, not streamed" if reread else ""
        )
        found.add(
            Status.NOTE if reread else Status.OK, "generation config", reread_note or "decodes in a way that is guarded"
        )


def _check_adapter(found: Diagnosis, adapter: Any) -> None:
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
        found.add(
            Status.NOTE,
            "head",
            "is more than its weights (quantised, adapted or hooked): it is called in blocks, which is slower",
        )


def _check_base(found: Diagnosis, named: str | None, model: Any, adapter: Any, tokenizer: Any) -> None:
    from reticent_detectors.host.base_sources import base_about, base_of

    try:
        base = base_of(named, model, adapter, tokenizer)
    except ReticentError as error:
        found.refuse("base model", error)
        return
    found.facts["base_model"] = None if base is None else str(base.kind)
    found.add(Status.NOTE if base is None else Status.OK, "base model", base_about(base))


def _check_bundle(found: Diagnosis, path: Path | None, adapter: Any, tokenizer: Any) -> Bundle | None:
    """Loads and checks the bundle at a path, or that of Reticent without one. Returns None if it cannot be read."""
    try:
        from reticent.guard import Guard

        guard = Guard.load(path)  # reads its thresholds and its network as well
    except ReticentError as error:
        if found.bundle_given:
            found.tiers[Tier.HIDDEN] = found.tiers[Tier.LOGPROBS] = False
        found.refuse("bundle", error)
        return None
    tier, bundle = guard.tier, guard.bundle
    found.judged_at = tier
    if found.bundle_given:  # without one, another bundle than the one tried here may fit
        found.tiers[Tier.HIDDEN] = found.tiers[Tier.HIDDEN] and tier is Tier.HIDDEN
        found.tiers[Tier.LOGPROBS] = tier is Tier.LOGPROBS
    found.facts |= {"bundle_tier": str(tier), "bundle_threshold": guard.policy.threshold(DEFAULT)}
    if adapter is None:
        if tier is Tier.HIDDEN:
            found.refuse("bundle", BundleMismatch(f"{path} needs hidden states, which this host does not offer."))
        else:
            found.add(Status.NOTE, "bundle", "intact; whether it fits this host cannot be checked without attaching")
        return bundle
    from reticent_detectors.scoring.host_probe import HostProbe

    try:
        bundle.check_fit(adapter, tokenizer)
        probe = HostProbe.of(bundle, adapter)
    except ReticentError as error:
        found.tiers[Tier.HIDDEN] = found.tiers[Tier.LOGPROBS] = False
        found.refuse("bundle", error)
        return bundle
    fits = (
        "fits any host; reticent calibrate sets its thresholds for this one" if bundle.universal else "fits this host"
    )
    status = Status.NOTE if bundle.universal else Status.OK
    found.add(status, "bundle", f"{fits}; tier {tier}; runs on {', '.join(guard.scorer.providers)}")
    if probe is not None:
        depths = " and ".join(str(layer + 1) for layer in probe.layers)
        found.add(Status.OK, "probe", f"fits this host; the finder reads the states after layers {depths}")
    return bundle


def _check_detector(found: Diagnosis, path: Path) -> Bundle | None:
    """Loads and checks a bundle for a server, which must be one of log-probabilities."""
    from reticent.serve.judging.served_state_tags import PROBE_UNREAD

    offered = found.tiers[Tier.LOGPROBS]
    found.bundle_given = True
    bundle = _check_bundle(found, path, None, None)
    if bundle is not None and bundle.probe is not None:
        found.add(Status.NOTE, "probe", f"{PROBE_UNREAD}; that takes the model in the process, or a copy (--shadow)")
    if found.tiers[Tier.LOGPROBS] and not offered:
        found.tiers[Tier.LOGPROBS] = False
        found.refuse(
            "bundle",
            BundleMismatch(
                f"{path} reads log-probabilities, and this server does not give them with its answers; every value "
                "would be withheld. Leave it out, or judge by a copy of the weights (reticent serve --shadow)."
            ),
        )
    return bundle


def _shadows(found: Diagnosis, settings: ShadowSettings) -> Bundle | None:
    """Loads the bundle of a shadow copy, but not the copy's weights."""
    from reticent.serve.judging.served_state_tags import PROBE_UNREAD
    from reticent_detectors.bundle.format import Bundle

    try:
        bundle = Bundle.load(settings.bundle)
    except ReticentError as error:
        found.refuse("bundle", error)
        return None
    if bundle.probe is not None:
        reads = "the finder reads it, by a copy that reads all of each answer"
        found.add(Status.NOTE, "probe", reads if settings.probe else f"{PROBE_UNREAD} (shadow.probe: false)")
    found.judged_at = Tier(bundle.tier)
    found.tiers[found.judged_at] = True
    return bundle


def _check_policy(found: Diagnosis, name: str, judge: Bundle | None) -> None:
    from reticent.policy.loading import named_policy
    from reticent.policy.thresholds import base_threshold, thresholds

    try:
        policy = named_policy(name)
        if judge is not None:  # a bundle that cannot be read was reported already
            thresholds(judge, policy.prevalence, policy.false_positives)
            base_threshold(judge)
    except ReticentError as error:
        found.refuse("policy", error)
        return
    monitors = "; monitor: decides and counts, stops nothing" if policy.monitor else ""
    found.add(Status.NOTE if monitors else Status.OK, "policy", f"understood{monitors}")


def _check_records(found: Diagnosis, path: Path, key_file: Path | None) -> None:
    from reticent.records.index import RecordsIndex

    try:
        index = RecordsIndex.open(path, key_file)
    except ReticentError as error:
        found.refuse("records", error)
        return
    found.tiers[Tier.RECORDS] = len(index) > 0
    counts = ", ".join(f"{entity} {count}" for entity, count in index.counts.items())
    found.add(Status.OK if counts else Status.NOTE, "records", f"{len(index)} values ({counts or 'empty'})")


def _check_machine(found: Diagnosis) -> None:
    import torch

    versions = {name: installed for name in _PACKAGES if (installed := _version(name)) is not None}
    found.facts |= {f"version_{name.replace('-', '_')}": number for name, number in versions.items()}
    found.facts["cpu_threads"] = os.cpu_count()
    cuda = torch.cuda.is_available()
    found.facts["cuda"] = torch.cuda.get_device_name() if cuda else None
    fused = cuda and "triton" in versions
    lens = "the fused Triton kernel" if fused else "torch" + (" (triton is not installed)" if cuda else " on the CPU")
    found.add(Status.OK if fused or not cuda else Status.NOTE, "lens", f"runs in {lens}")
    from reticent_detectors.install_form import install_line

    try:
        import onnxruntime
    except ImportError:
        found.add(
            Status.FAIL,
            "onnxruntime",
            f"not installed; in a clone of Reticent: {install_line('cpu')}, or gpu in the place of cpu",
        )
        found.broken = True
    else:
        found.add(Status.OK, "onnxruntime", ", ".join(onnxruntime.get_available_providers()))


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
