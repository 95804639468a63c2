"""A server whose model helps an audit, such as one that proposes queries or judges findings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from reticent_bench.audits.served_target import public_address


@dataclass(frozen=True, slots=True)
class NamedServer:
    """An OpenAI-compatible server. The target's key is not sent there.

    Attributes:
        address: base address.
        model: name to ask for; its first one if not given.
        key: sent as bearer token.

    Raises:
        InputError: the address is none.
    """

    address: str = field(repr=False)
    model: str | None = None
    key: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        public_address(self.address)

    def settings(self, role: str) -> dict[str, Any]:
        """What outcomes depend on, for the attempt log: the address without secrets, and the model."""
        return {f"{role}_server": public_address(self.address), f"{role}_model": str(self.model)}
