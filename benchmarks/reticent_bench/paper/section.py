"""One table or figure of the paper: which detectors it needs, what it measures, how it reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reticent_bench.paper import lines
from reticent_bench.paper.detectors import Detectors
from reticent_bench.paper.hosted import Hosted, Outline
from reticent_bench.paper.variants import Variant

Needs = list[tuple[str, Variant]]
"""Detectors to train: the host's name, and which."""


def lines_and_notes(figures: Mapping[str, Any]) -> str:
    """The table, and below it why a detector is missing."""
    text = lines.render(figures["lines"])
    return text + "".join(f"\nNot trained: {note}\n" for note in dict.fromkeys(figures["notes"]))


@dataclass(frozen=True)
class Section:
    """A section of the page.

    `needs` names the detectors, also of hosts that may still be missing. `measure` gives what JSON takes, `render` its
    Markdown. If `measure` asks the hosts themselves, `asking` estimates the seconds for a host's folder and a device.
    """

    title: str
    about: str
    needs: Callable[[Sequence[Outline]], Needs]
    measure: Callable[[Sequence[Hosted], Detectors], dict[str, Any]]
    render: Callable[[Mapping[str, Any]], str] = lines_and_notes
    asking: Callable[[Path, str], float] | None = None
