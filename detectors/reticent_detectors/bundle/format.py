"""Reads and writes a detector bundle: a folder with the exported network, its manifest and its card.

    detector.onnx   one file, dynamic batch, weights inside, standard operators only
    manifest.json   format, host fingerprint and behaviour print, feature options and shapes, calibration, thresholds,
                    training summary, measured quality, versions, SHA-256 of the other files, and its own digest
    CARD.md         the same for people
    probe.npz       weights of the probe that tags words by the host's states, where the bundle has one

Loading reads the files and checks them against the manifest. Nothing is unpickled. The network is passed on as
bytes, so a file swapped after the check is not read. The digests show damage and careless edits, but they are no
signature: whoever can write all files can make them fit.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from reticent_detectors.bundle.card import make_card
from reticent_detectors.bundle.host_match import check_host
from reticent_detectors.bundle.onnx_check import REMEDY, check_onnx
from reticent_detectors.detector.calibration import Calibration
from reticent_detectors.errors import BundleCorrupt, BundleError, InputError
from reticent_detectors.features.derived_features import OF_A_SERVER

FORMAT = 1
NETWORK, MANIFEST, CARD, PROBE = "detector.onnx", "manifest.json", "CARD.md", "probe.npz"

# Largest sizes to read, because bundles are small and a large file must not fill the memory.
_LIMITS = {NETWORK: 256 << 20, MANIFEST: 8 << 20, CARD: 1 << 20, PROBE: 64 << 20}

_REQUIRED: dict[str, type | tuple[type, ...]] = {
    "host": dict,
    "features": dict,
    "calibration": dict,
    "training": dict,
    "quality": dict,
    "versions": dict,
    "files": dict,
}


@dataclass(frozen=True)
class Bundle:
    """Holds a detector bundle whose files were all checked.

    Attributes:
        path: its folder.
        manifest: `manifest.json`: the model it was made for, features, thresholds and measured quality.
        network: the ONNX graph, as bytes.
        card: `CARD.md`, for people.
        calibration: turns scores into probabilities, and holds the thresholds.
        probe: `probe.npz`, as bytes; None without one.
    """

    path: Path
    manifest: Mapping[str, Any] = field(repr=False)
    network: bytes = field(repr=False)
    card: str = field(repr=False)
    calibration: Calibration = field(repr=False)
    probe: bytes | None = field(default=None, repr=False)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, trusted_key: bytes | None = None) -> Self:
        """Reads and checks a bundle.

        Args:
            path: its folder.
            trusted_key: a public key in PEM; the bundle must be signed by its owner.

        Raises:
            BundleCorrupt: a file is missing, truncated or edited; the message names it.
            BundleError: it is of another format version.
            BundleUntrusted: it is not signed by the trusted key.
        """
        folder = Path(path)
        if not folder.is_dir():
            raise BundleCorrupt(f"{folder} is not a folder; expected a bundle with {NETWORK}, {MANIFEST} and {CARD}")
        if not (folder / MANIFEST).exists() and _is_model(folder):
            raise BundleCorrupt(
                f"{folder} holds a model, not a detector's bundle. Load the model with transformers and guard it with "
                "Guard.load().wrap(model, tokenizer), or on the command line: reticent serve --host-model "
                f"{folder}. A bundle of its own is made by 'reticent train' or 'reticent calibrate'."
            )
        raw = _read(folder, MANIFEST)
        if trusted_key is not None:
            from reticent_detectors.bundle.signature import read_signature, verify

            verify(raw, read_signature(folder), trusted_key, folder)
        manifest = _parse_manifest(folder, raw)
        probe = (PROBE,) if PROBE in manifest["files"] else ()
        contents = {name: _read(folder, name) for name in (NETWORK, CARD, *probe)}
        for name, data in contents.items():
            if hashlib.sha256(data).hexdigest() != manifest["files"].get(name):
                raise BundleCorrupt(
                    f"{folder / name} is truncated or was edited (its SHA-256 is not the manifest's); {REMEDY}"
                )
        check_onnx(contents[NETWORK], folder / NETWORK)
        try:
            calibration = Calibration.from_json(manifest["calibration"])
            _ = {name: tuple(map(int, shape)) for name, shape in manifest["features"]["shapes"].items()}
            card = contents[CARD].decode()
        except (InputError, KeyError, AttributeError, TypeError, ValueError) as error:
            raise BundleCorrupt(f"{folder / MANIFEST} does not describe a detector ({error}); {REMEDY}") from None
        return cls(folder, manifest, contents[NETWORK], card, calibration, contents.get(PROBE))

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the network's feature arrays without the axis of spans, in the network's order."""
        names = self.manifest["features"]["inputs"]
        return {name: tuple(map(int, self.manifest["features"]["shapes"][name])) for name in names}

    @property
    def entities(self) -> tuple[str, ...]:
        """Kinds of data in the order of the one-hot input `entity`."""
        return tuple(map(str, self.manifest["features"].get("entities", ())))

    @property
    def tier(self) -> str:
        """The detector's tier: `logprobs` if it reads the output's probabilities alone, else `hidden`."""
        return "logprobs" if OF_A_SERVER.issuperset(self.shapes) else "hidden"

    @property
    def universal(self) -> bool:
        """Whether it fits any model: trained on several, and calibrated on none that it runs on."""
        return "universal" in self.manifest["host"]

    def warn_if_universal(self) -> None:
        """Warns if the bundle is universal, because it is then fitted to no host."""
        if self.universal:
            warnings.warn(
                f"{self.path} fits any host, but its thresholds are those of the hosts that it was trained on; "
                "fit it to this one with 'reticent calibrate'",
                stacklevel=4,
            )

    @property
    def digest(self) -> str:
        """SHA-256 of the manifest, which holds the digests of the other files."""
        return hashlib.sha256(_canonical(self.manifest)).hexdigest()

    @property
    def feature_options(self) -> Mapping[str, Any]:
        """Options of the features, with the names of `FeatureSpec`: k, norm, position, max_tokens and others."""
        options: Mapping[str, Any] = self.manifest["features"]["options"]
        return options

    def check_host(
        self,
        fingerprint: Mapping[str, Any],
        behaviour: Mapping[str, Any] | None = None,
        dtype_of: Callable[[str], str | None] | None = None,
    ) -> None:
        """Raises `BundleMismatch` with every difference unless the bundle was made for this host.

        A universal bundle fits every host. Fingerprints must be equal. The behaviour print (made with the bundle's
        probes) must agree within the tolerances of the bundle's own print; see `compare_behaviour`. For the message,
        `dtype_of` returns the number type in which the host's weights have a digest.
        """
        if not self.universal:
            check_host(self.path, self.manifest["host"], fingerprint, behaviour, dtype_of)

    def check_fit(self, adapter: Any, tokenizer: Any) -> None:
        """Runs `check_host` on an attached host (a `HostAdapter`), whose weights it hashes. A universal bundle passes.

        Raises:
            BundleMismatch: the bundle was made for another host.
            CaptureError: the host cannot be read.
        """
        if not self.universal:
            self.check_host(adapter.fingerprint(tokenizer), adapter.behaviour_print(), adapter.dtype_of)


def read_public_key(path: Path) -> bytes:
    """Reads a public key's PEM file. Raises InputError if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"Cannot read the key {str(path)!r} ({error.__class__.__name__}).") from None


def _read(folder: Path, name: str) -> bytes:
    path = folder / name
    try:
        with open(path, "rb") as file:
            data = file.read(_LIMITS[name] + 1)
    except FileNotFoundError:
        raise BundleCorrupt(f"{path} is missing; {REMEDY}") from None
    except OSError as error:
        raise BundleCorrupt(f"{path} cannot be read ({error.strerror}); {REMEDY}") from None
    if len(data) > _LIMITS[name]:
        raise BundleCorrupt(f"{path} is larger than {_LIMITS[name] >> 20} MiB, which no bundle is; {REMEDY}")
    return data


def _is_model(folder: Path) -> bool:
    return any((folder / name).is_file() for name in ("config.json", "adapter_config.json"))


def _canonical(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def _parse_manifest(folder: Path, data: bytes) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        manifest = json.loads(data)
        version = manifest["format"]
        digest = manifest.pop("digest")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise BundleCorrupt(f"{path} is truncated or was edited; {REMEDY}") from None
    if version != FORMAT:
        raise BundleError(
            f"{path} has format {version!r}, expected {FORMAT}; use the version of Reticent that wrote it"
        )
    try:
        intact = hashlib.sha256(_canonical(manifest)).hexdigest() == digest
    except ValueError:
        intact = False
    if not intact:
        raise BundleCorrupt(f"{path} was edited: its digest does not fit; {REMEDY}")
    _check_entries(manifest, path)
    return dict(manifest)


def _check_entries(manifest: Mapping[str, Any], path: Path) -> None:
    for name, kind in _REQUIRED.items():
        if not isinstance(manifest.get(name), kind):
            raise BundleCorrupt(f"{path} has no entry {name!r}; {REMEDY}")
    features, host = manifest["features"], manifest["host"]
    if "universal" in host:
        trained_on = host["universal"]
        if (
            not isinstance(trained_on, list)
            or len(trained_on) < 2
            or {name: entry for name, entry in host.items() if name != "universal"}
            != {"fingerprint": {}, "behaviour": {}}
        ):
            raise BundleCorrupt(f"{path} is neither for one host nor universal; {REMEDY}")
    if not all(isinstance(manifest["host"].get(name), dict) for name in ("fingerprint", "behaviour")):
        raise BundleCorrupt(f"{path} must give fingerprint and behaviour of its host; {REMEDY}")
    if not {"inputs", "shapes", "options"} <= set(features) or set(features["inputs"]) - set(features["shapes"]):
        raise BundleCorrupt(f"{path} must give inputs, shapes and options of its features; {REMEDY}")


def write_bundle(
    path: str | os.PathLike[str],
    network: bytes,
    manifest: Mapping[str, Any],
    card: str | None = None,
    *,
    probe: bytes | None = None,
    overwrite: bool = False,
) -> Bundle:
    """Writes a bundle folder in one step, and loads it again to prove that it can be read.

    `manifest` needs the entries host {fingerprint, behaviour}, features {inputs, shapes, options}, calibration,
    training, quality and versions. Format, files and digest are added. By default `card` is made from the manifest.
    Raises InputError if the folder exists, unless `overwrite`.
    """
    folder = Path(path)
    if folder.exists() and not overwrite:
        raise InputError(f"{folder} exists; choose another path or pass overwrite=True")
    check_onnx(network)
    card = card if card is not None else make_card(manifest)
    files = {NETWORK: network, CARD: card.encode()} | ({} if probe is None else {PROBE: probe})
    content = json.loads(_canonical({key: value for key, value in manifest.items() if key != "digest"}))
    content |= {"format": FORMAT, "files": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}}
    content["digest"] = hashlib.sha256(_canonical(content)).hexdigest()
    files[MANIFEST] = json.dumps(content, indent=1, sort_keys=True, allow_nan=False).encode()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as scratch:
        fresh = Path(scratch) / "new"
        fresh.mkdir()
        for name, data in files.items():
            (fresh / name).write_bytes(data)
        Bundle.load(fresh)
        if folder.exists():
            folder.rename(Path(scratch) / "old")
        fresh.rename(folder)
        shutil.rmtree(Path(scratch) / "old", ignore_errors=True)
    return Bundle.load(folder)
