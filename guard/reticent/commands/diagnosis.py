"""Collects what is known of a host or server, decides whether it can be guarded, and shows it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from reticent.policy.verdict import Tier
from reticent_detectors.errors import ReticentError


class Status(StrEnum):
    """Names the outcome of a check."""

    OK = "ok"
    NOTE = "note"  # works, but worth knowing
    FAIL = "fail"


_COLOURS = {Status.OK: "green", Status.NOTE: "yellow", Status.FAIL: "bold red"}


@dataclass
class Diagnosis:
    """Collects what is known of a host. `subject` is its folder, or the address of the server.

    `routes` lists a server's routes by kind (guarded, open, refused), each with what is known of it.
    """

    subject: str
    tiers: dict[Tier, bool] = field(default_factory=lambda: {tier: tier is Tier.TEXT for tier in Tier})
    facts: dict[str, str | int | float | bool | None] = field(default_factory=dict)
    checks: list[tuple[Status, str, str]] = field(default_factory=list)
    attached: bool = False
    broken: bool = False
    """Says whether something that was given (bundle, policy, records) cannot be used."""
    bundle_given: bool = False
    judged_at: Tier | None = None
    """The tier of the detector that would judge; None if there is none."""
    command: list[str] = field(default_factory=list)
    """The command that guards it, word by word."""
    routes: dict[str, list[str]] = field(default_factory=dict)

    def add(self, status: Status, name: str, detail: str) -> None:
        """Notes the outcome of a check."""
        self.checks.append((status, name, detail))

    def refuse(self, name: str, error: ReticentError) -> None:
        """Notes that something given cannot be used."""
        self.add(Status.FAIL, name, str(error))
        self.broken = True

    @property
    def best(self) -> Tier:
        """Gives the tier at which it would be guarded, as `reticent serve` has it."""
        if self.judged_at is not None and self.tiers[self.judged_at]:
            return self.judged_at
        return Tier.RECORDS if self.tiers[Tier.RECORDS] else Tier.TEXT

    @property
    def guardable(self) -> bool:
        """Says whether the host can be guarded with what was given. By its texts alone every host can."""
        return not self.broken

    @property
    def verdict(self) -> str:
        """Writes the verdict in one line."""
        if self.broken:
            failed = ", ".join(name for status, name, _ in self.checks if status is Status.FAIL)
            return f"Cannot be guarded with what was given; to be put right: {failed}."
        also = " and records" if self.tiers[Tier.RECORDS] and self.best is not Tier.RECORDS else ""
        if self.best is Tier.TEXT:
            return (
                "Can be guarded by its texts alone (tier text): nothing tells what it remembers from what it makes up, "
                "so a policy redacts every value that the user did not type, or none."
            )
        if self.best is Tier.RECORDS or self.bundle_given:
            return f"Can be guarded at tier {self.best}{also}."
        return (
            f"Can be guarded at tier {self.best}{also}, by the detector for any model that comes with Reticent; "
            "'reticent calibrate' fits it to this one."
        )


def as_json(found: Diagnosis) -> Mapping[str, Any]:
    """Gives the diagnosis as values that JSON can hold."""
    return {
        "path": found.subject,
        "guardable": found.guardable,
        "tier": None if found.broken else str(found.best),
        "tiers": {str(tier): offered for tier, offered in found.tiers.items()},
        "attached": found.attached,
        "facts": found.facts,
        **({"routes": found.routes} if found.routes else {}),
        "checks": [{"status": str(s), "name": name, "detail": detail} for s, name, detail in found.checks],
        "verdict": found.verdict,
        "command": None if found.broken else shlex.join(found.command),
    }


def _shown(value: str | int | float | bool | None) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return "none" if value is None else str(value)


def show(found: Diagnosis) -> None:
    """Prints the diagnosis for people."""
    console = Console()
    facts = Table.grid(padding=(0, 2))
    for name, value in found.facts.items():
        facts.add_row(Text(name.replace("_", " "), "dim"), Text(_shown(value)))
    checks = Table.grid(padding=(0, 2))
    for status, name, detail in found.checks:
        checks.add_row(Text(status, _COLOURS[status]), Text(name), Text(detail))
    offered = ", ".join(f"{tier} {'yes' if there else 'no'}" for tier, there in found.tiers.items())
    routes = Table.grid(padding=(0, 2))
    for kind, names in found.routes.items():
        routes.add_row(Text(kind, "dim"), Text(", ".join(names) or "none"))
    for part in (facts, *((routes,) if found.routes else ()), checks, Text(f"tiers  {offered}", "dim")):
        console.print(part)
        console.print()
    console.print(Text(found.verdict, "bold green" if found.guardable else "bold red"))
    if found.guardable:
        print(shlex.join(found.command))  # a console would break it into lines
