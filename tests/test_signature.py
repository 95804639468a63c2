"""Who trusts a key takes no bundle that its owner did not sign."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import tiny_hosts
from typer.testing import CliRunner

from reticent import Guard
from reticent.commands.sign import app
from reticent_detectors.bundle.format import MANIFEST, Bundle, _canonical
from reticent_detectors.bundle.signature import SIGNATURE, new_key
from reticent_detectors.errors import BundleUntrusted, InputError


@pytest.fixture
def signed(tmp_path: Path) -> tuple[Path, bytes]:
    """A signed bundle and the key to trust, made by the command."""
    folder = tiny_hosts.bundle(tmp_path / "b", tiny_hosts.host("llama", tiny_hosts.tokenizer()))
    run = CliRunner().invoke(app, [str(folder), "--new-key", str(tmp_path / "key")])
    assert run.exit_code == 0, run.output
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0
    return folder, (tmp_path / "key.pub").read_bytes()


def _edited(folder: Path) -> None:
    """Thresholds that stop nothing, with digests that fit again."""
    manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
    manifest["calibration"]["thresholds"] = dict.fromkeys(manifest["calibration"]["thresholds"], 50.0)
    del manifest["digest"]
    manifest["digest"] = hashlib.sha256(_canonical(manifest)).hexdigest()
    (folder / MANIFEST).write_text(json.dumps(manifest))


def test_a_signed_bundle_loads(signed: tuple[Path, bytes]) -> None:
    folder, key = signed
    assert Guard.load(folder, trusted_key=key).bundle.digest == Bundle.load(folder).digest
    file = folder.parent / "owner.pub"
    file.write_bytes(key)
    assert Guard.load(folder, trusted_key=file).bundle.digest == Guard.load(folder, trusted_key=str(file)).bundle.digest
    with pytest.raises(InputError, match="nowhere"):
        Guard.load(folder, trusted_key=folder / "nowhere")


def test_edited_thresholds_with_new_digests_are_refused(signed: tuple[Path, bytes]) -> None:
    folder, key = signed
    _edited(folder)
    Bundle.load(folder)  # the digests alone cannot tell
    with pytest.raises(BundleUntrusted, match="edited"):
        Guard.load(folder, trusted_key=key)


def test_no_signature_another_key_and_a_cut_signature_are_refused(signed: tuple[Path, bytes]) -> None:
    folder, key = signed
    with pytest.raises(BundleUntrusted, match="another key"):
        Bundle.load(folder, trusted_key=new_key()[1])
    (folder / SIGNATURE).write_bytes((folder / SIGNATURE).read_bytes()[:-1])
    with pytest.raises(BundleUntrusted, match="edited"):
        Bundle.load(folder, trusted_key=key)
    (folder / SIGNATURE).unlink()
    with pytest.raises(BundleUntrusted, match="not signed"):
        Bundle.load(folder, trusted_key=key)


def test_bad_keys_say_what_was_expected(signed: tuple[Path, bytes], tmp_path: Path) -> None:
    folder, key = signed
    with pytest.raises(InputError, match="public key in PEM"):
        Bundle.load(folder, trusted_key=b"no key")
    (tmp_path / "bad").write_bytes(key)
    run = CliRunner().invoke(app, [str(folder), "--key", str(tmp_path / "bad")])
    assert isinstance(run.exception, InputError) and "private key" in str(run.exception)
    run = CliRunner().invoke(app, ["--new-key", str(tmp_path / "key")])
    assert isinstance(run.exception, InputError) and "exists" in str(run.exception)
