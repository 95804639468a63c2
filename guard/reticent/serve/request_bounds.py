"""Bounds what one request may have and hold. Whatever passes a bound is withheld, and counted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of one request.

    Args:
        frame_bytes: one event of a stream.
        held_bytes: all events that wait for a decision.
        prompt_chars: all texts of a request.
        call_chars: the arguments of one tool call, which are held until it is complete.
        choices: answers to one request (`n`, `best_of`, times the prompts).
        channels: running texts of one choice (content, reasoning, refusal, unknown fields, tool calls).
        spans: judged spans; later ones count as failures of the judge.
        stopped: different values that are stopped. Every text is searched for all of them, so time grows with their
            number.
        usage_wait_seconds: how long an upstream is read on for its usage after all answers were stopped.
    """

    frame_bytes: int = 1 << 20
    held_bytes: int = 4 << 20
    prompt_chars: int = 2_000_000
    call_chars: int = 1 << 16
    choices: int = 16
    channels: int = 256
    spans: int = 5_000
    stopped: int = 100
    usage_wait_seconds: float = 5.0
