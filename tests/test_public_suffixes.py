"""Domains without their public suffix."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticent_detectors.entities import Entity
from reticent_detectors.features.cue import cue
from reticent_detectors.features.public_suffixes import without_suffix


@pytest.mark.parametrize(
    ("domain", "own"),
    [
        ("example.com", "example"),
        ("mail.EXAMPLE.co.uk", "mail.example"),
        ("example.com.au", "example"),
        ("jane.me.uk", "jane"),  # a registry's label that is none of the common ones
        ("office.lg.jp", "office"),
        ("jane.github.io", "jane"),  # of a company, not a registry
        ("kestrel.example", "kestrel"),  # the list has no such top-level domain
        ("müller.de", "müller"),
        ("ｅｘａｍｐｌｅ．ｃｏ．ｕｋ", "example"),
        ("example.com.", "example"),
        ("example..com", "example"),
        ("com.au", "com"),
        ("localhost", "localhost"),
        ("[192.0.2.1]", "[192.0.2.1]"),
        ("", ""),
        (".", ""),
    ],
)
def test_a_domain_without_its_public_suffix(domain: str, own: str) -> None:
    assert without_suffix(domain) == own


@given(st.text(st.sampled_from("abc.-ü[]@ ukcom"), max_size=20))
def test_something_is_left_of_whatever_has_a_label(domain: str) -> None:
    own = without_suffix(domain)
    assert bool(own) == any(domain.split(".")) and (own in domain.lower() or ".." in domain or domain[:1] == ".")


def test_the_cue_of_an_address_before_a_country() -> None:
    """9 letters and 7 of the domain, of which the prompt has all; with `co` kept it would be 15 of 17."""
    assert cue("ada.bruck@example.co.uk", "Ada Bruck of example", Entity.EMAIL_ADDRESS) == 1.0
    assert cue("ada.bruck@example.co.uk", "Ada Bruck", Entity.EMAIL_ADDRESS) == pytest.approx((8 + 1) / 15)
