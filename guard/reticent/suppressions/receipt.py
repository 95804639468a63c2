"""A receipt of suppressions: what is suppressed by digest, since when, until when, on which reference, and what not.

A receipt is JSON without values. Its `mac` is a keyed hash of all the rest under the store's key, so whoever has the
key can tell whether a receipt is the store's and was not edited. It proves nothing to anybody else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from secrets import compare_digest
from typing import Any

from reticent._version import __version__
from reticent.suppressions.entry import Entry, EntryKind
from reticent.suppressions.store import key_id, stamp
from reticent_detectors.errors import InputError

STATEMENT = (
    "This is suppression at the output, not erasure from the model. A guard that runs with this store keeps these "
    "values out of the model's answers while the entry is active. The model's weights are unchanged and may still hold "
    "the values. Training data, copies of the model, answers that were given before, logs and backups are not touched. "
    "A value that the user typed may be repeated to that user, and odd forms of a value may not be recognised."
)
_STOPS = {
    (EntryKind.VALUE, True): "the value wherever it stands",
    (EntryKind.VALUE, False): "the value where the guard recognises a value of its kind",
    (EntryKind.SUBJECT, True): "personal values where the user, or the answer before them, names the person",
}
_FORMAT = "reticent-suppression-receipt"


def receipt(entries: Sequence[Entry], key: bytes, now: datetime) -> dict[str, Any]:
    """Make a receipt of entries.

    Args:
        entries: those of one store.
        key: the store's key.
        now: the time of the receipt, UTC.
    """
    content: dict[str, Any] = {
        "format": _FORMAT,
        "version": 1,
        "statement": STATEMENT,
        "issued": stamp(now),
        "reticent": __version__,
        "key_id": key_id(key),
        "entries": [described(entry, now) for entry in entries],
    }
    return {**content, "mac": _mac(content, key)}


def described(entry: Entry, now: datetime) -> dict[str, str]:
    """Describe an entry without its hashes of spellings."""
    return {
        "id": entry.id,
        "suppresses": entry.kind,
        "kind": entry.entity,
        "digest": entry.digest,
        "reference": entry.reference,
        "since": stamp(entry.created),
        "until": "it is removed" if entry.expires is None else stamp(entry.expires),
        "state": "active" if entry.is_active(now) else "expired",
        "stops": _STOPS[entry.kind, entry.found_anywhere],
    }


def check_receipt(text: str, key: bytes) -> Mapping[str, Any]:
    """Return the content of a receipt that was made with this key and not changed since.

    Raises:
        InputError: it is no receipt, was edited, or belongs to another key.
    """
    try:
        content = json.loads(text)
        mac, is_receipt = content.pop("mac"), content["format"] == _FORMAT
    except (ValueError, TypeError, KeyError, AttributeError):
        is_receipt = False
    if not is_receipt:
        raise InputError("This is no receipt of suppressions; expected what 'reticent forget receipt' printed.")
    if content.get("key_id") != key_id(key):
        raise InputError("The receipt was made with another key; give the key file of the store that it is of.")
    if not (isinstance(mac, str) and mac.isascii() and compare_digest(mac, _mac(content, key))):
        raise InputError("The receipt was edited after it was made: its keyed hash does not hold.")
    return dict(content)


def _mac(content: Mapping[str, Any], key: bytes) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), key=key, digest_size=32, person=b"suppress-receipt").hexdigest()
