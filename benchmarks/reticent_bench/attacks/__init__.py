"""Attempts to write a recorded value so that a reader sees all of it in what the guard lets out."""

from __future__ import annotations

from reticent_bench.attacks.measure import measure, render

__all__ = ["measure", "render"]
