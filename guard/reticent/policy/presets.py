"""Makes the policies to start from, each for one kind of service. `preset_settings` says what each sets, and why.

`default`: the built-in table.

`sealed`: every span is redacted alike, so that nobody learns its origin.

`clinic-rag`: for an assistant that answers from retrieved patient files, for staff who may read them.

`gateway`: for a proxy before a model of which nothing is known.

`code`: for a coding assistant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from reticent.policy.policy import Policy
from reticent.policy.preset_settings import CARE, COMMON_IN_CODE, PLACES_OF_CARE, PUBLIC_IN_CODE

__all__ = [
    "CARE",
    "COMMON_IN_CODE",
    "PLACES_OF_CARE",
    "PRESETS",
    "PUBLIC_IN_CODE",
    "clinic_rag",
    "code",
    "default",
    "gateway",
    "sealed",
]


def default(list_key: bytes | None = None) -> Policy:
    """Gives the policy with the built-in table."""
    return Policy.preset("default", list_key=list_key)


def sealed(list_key: bytes | None = None) -> Policy:
    """Gives the policy that redacts every span alike."""
    return Policy.preset("sealed", list_key=list_key)


def clinic_rag(list_key: bytes | None = None) -> Policy:
    """Gives the policy that lets pass what care needs, from retrieved files alone."""
    return Policy.preset("clinic-rag", list_key=list_key)


def gateway(list_key: bytes | None = None) -> Policy:
    """Gives the policy that lets pass what the request says, and nothing else."""
    return Policy.preset("gateway", list_key=list_key)


def code(list_key: bytes | None = None) -> Policy:
    """Gives the policy that redacts people by surrogates, and lets constants and placeholders pass."""
    return Policy.preset("code", list_key=list_key)


PRESETS: Mapping[str, Callable[[bytes | None], Policy]] = MappingProxyType(
    {"default": default, "sealed": sealed, "clinic-rag": clinic_rag, "gateway": gateway, "code": code}
)
