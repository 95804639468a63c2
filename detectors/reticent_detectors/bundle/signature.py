"""Signs and verifies bundles by detached Ed25519 signatures. With a trusted key, only its owner's bundles load.

The digests in a bundle show damage, but whoever can write all files can make them fit. The signature covers the
manifest, which holds the digests of the other files, the thresholds and the host. Needs the extra `sign`.

Not covered: keeping the private key, revocation, and an older bundle of the same owner in place of a newer one.
"""

from __future__ import annotations

import os
from pathlib import Path

from reticent_detectors.errors import BundleUntrusted, InputError, MissingExtra

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
except ImportError:  # pragma: no cover - the extra is installed where tests run
    raise MissingExtra("cryptography", "sign") from None

SIGNATURE = "manifest.sig"
_CONTEXT = b"reticent bundle manifest 1\n"
_LENGTH = 64


def new_key() -> tuple[bytes, bytes]:
    """Makes a new key pair. Returns the private and the public key as PEM."""
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return private, public


def sign(manifest: bytes, private_key: bytes) -> bytes:
    """Signs a manifest file's bytes. Returns 64 bytes. Raises InputError without an Ed25519 private key in PEM."""
    try:
        key = serialization.load_pem_private_key(private_key, password=None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise InputError(
            "Expected an Ed25519 private key in PEM, not encrypted; make one with 'reticent sign --new-key'."
        )
    return key.sign(_CONTEXT + manifest)


def verify(manifest: bytes, signature: bytes | None, public_key: bytes, path: str | os.PathLike[str]) -> None:
    """Checks that the owner of `public_key` (PEM) signed these bytes of the bundle at `path`.

    Raises:
        BundleUntrusted: there is no signature, or it does not fit.
        InputError: `public_key` is no Ed25519 public key in PEM.
    """
    try:
        key = serialization.load_pem_public_key(public_key)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise InputError(
            "Expected an Ed25519 public key in PEM, as 'reticent sign --new-key' writes it beside the private one."
        )
    if signature is None:
        raise BundleUntrusted(
            f"{path} is not signed, but a trusted key was given; "
            "sign it with 'reticent sign', or fetch it from its owner."
        )
    try:
        key.verify(signature, _CONTEXT + manifest)
    except InvalidSignature:
        raise BundleUntrusted(
            f"{path} was edited, or signed by another key than the trusted one; fetch it from its owner again."
        ) from None


def read_signature(folder: Path) -> bytes | None:
    """Returns the signature file's bytes; None without a file."""
    try:
        with open(folder / SIGNATURE, "rb") as file:
            return file.read(_LENGTH + 1)
    except FileNotFoundError:
        return None
