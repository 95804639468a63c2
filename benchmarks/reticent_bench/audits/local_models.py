"""Loads the models of an audit from folders, with the guard around the target."""

from __future__ import annotations

from pathlib import Path

from reticent_bench.audits.guard_columns import guard_columns
from reticent_bench.audits.local_target import LocalTarget
from reticent_bench.audits.options import AROUND_MODEL, AuditOptions
from reticent_bench.audits.targets import Column, Targets
from reticent_detectors.errors import InputError
from reticent_detectors.host.load import checkpoint_of, load_host

_PROBE_TEXT = "Hello, who is there?"


def load_targets(options: AuditOptions) -> Targets:
    """The model of a folder, with its guard and with the models beside it.

    Raises:
        InputError: a folder holds no checkpoint, or a model beside the target is the target itself.
        MissingExtra: a package is not installed.
        UnsupportedHost: transformers cannot load a model, or the guard cannot read it.
    """
    folder = Path(options.target)
    checkpoint_of(folder)
    others = _other_folders(options)
    model, tokenizer = load_host(folder, options.torch_device, options.number_type)
    # The columns of the proxy judge the unguarded model's answers, as its own column shows them.
    unguarded = set(options.guard_columns) - set(AROUND_MODEL)
    plain = LocalTarget(model, tokenizer, folder.name, keeps_answers=len(unguarded) > 1)
    columns = guard_columns(options, plain)
    return Targets(columns, *(None if each is None else _loaded(each, word, options) for each, word in others))


def _other_folders(options: AuditOptions) -> tuple[tuple[Path | None, str], tuple[Path | None, str]]:
    """Folders of the base and of the reference model, checked before any model is loaded, with a word for each."""
    folder, base, reference = Path(options.target), None, options.reference_model
    if options.asks_base and options.base_model not in (None, "self"):
        # The adapter's model is loaded beside it: a switched adapter would change the columns.
        base = checkpoint_of(folder) if options.base_model == "adapter" else Path(str(options.base_model))
        if base.resolve() == folder.resolve():
            raise InputError("The base is the model itself. Expected the model before private tuning, or 'self'.")
        checkpoint_of(base)
    if reference is not None:
        checkpoint_of(reference)
        if reference.resolve() == folder.resolve():
            raise InputError("The --reference-model is the model itself. Expected a model of another training.")
        if base is not None and reference.resolve() == base.resolve():
            raise InputError(
                "The --reference-model is the --base-model, which has an attack of its own. Expected another model."
            )
    return (base, "base"), (reference, "reference")


def _loaded(folder: Path, word: str, options: AuditOptions) -> Column:
    """A model beside the target. It scores a short text at once, so that one that cannot is refused now."""
    loaded = LocalTarget(*load_host(folder, options.torch_device, options.number_type), f"{folder.name} ({word})")
    loaded.scores([("", _PROBE_TEXT)])
    return Column(loaded, loaded.count_tokens)
