"""Hashes of values in a collection: a key of each person's own."""

from __future__ import annotations

import pytest

from reticent_detectors.collection.group_collector import value_key
from reticent_detectors.collection.shards import keyed_hash
from reticent_detectors.errors import InputError

KEY = bytes(range(32))


def test_equal_values_of_two_people_have_different_hashes() -> None:
    ada, noel = (value_key(KEY, person, "EMAIL_ADDRESS", "info@x.example") for person in ("ada", "noel"))
    assert ada != noel and ada == value_key(KEY, "ada", "EMAIL_ADDRESS", "INFO@x.example")
    assert ada != value_key(KEY, "ada", "URL", "info@x.example")
    assert ada != value_key(bytes(32), "ada", "EMAIL_ADDRESS", "info@x.example")


def test_a_persons_key_is_none_of_the_collections_hashes() -> None:
    """Hashes of the value under the collection's key, or under the person's hash in a collection, are not the key."""
    found = value_key(KEY, "ada", "EMAIL_ADDRESS", "info@x.example")
    text = "EMAIL_ADDRESS infoxexample"
    assert found not in {keyed_hash(KEY, text), keyed_hash(keyed_hash(KEY, "ada").encode(), text)}


def test_values_of_nobody_share_a_key() -> None:
    """`split_rows` keeps equal ones of them together."""
    assert value_key(KEY, "", "URL", "x.example") == keyed_hash(KEY, "URL xexample")


def test_short_keys_are_refused() -> None:
    with pytest.raises(InputError, match="16 bytes"):
        value_key(b"short", "", "URL", "x.example")
