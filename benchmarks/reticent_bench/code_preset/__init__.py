"""Measures the policy preset `code`: what it lets pass, what it stops, and whether code still parses."""

from __future__ import annotations

from reticent_bench.code_preset.measure import measure, render

__all__ = ["measure", "render"]
