"""`reticent serve` with a detector that hangs over some requests: for the measurement of faults.

    python -m reticent_bench.proxy.faults_proxy SETTINGS

A request with `hang` is judged only after so many seconds; the others at once, as remembered.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from reticent.policy.policy import Policy
from reticent.policy.verdict import Tier
from reticent.serve.judging.detector_protocols import ForEveryModel, Judge, SpanLocation, WithoutBase
from reticent.serve.proxy import Proxy
from reticent.serve.reloading import SettingsSource
from reticent.serve.running import run
from reticent.serve.wire.parsed_request import ParsedRequest


class Hangs(ForEveryModel):
    """The detector."""

    tier, reads_text, wants_logprobs, wants_token_ids, digest, about = (
        Tier.HIDDEN,
        True,
        False,
        False,
        "",
        "it hangs over some requests",
    )
    needs_thread = True
    prevalence = 0.0

    def with_thresholds(self, policy: Policy) -> Policy:
        """The policy with a threshold."""
        return policy.with_thresholds({"DEFAULT": 0.5})

    def open(self, asked: ParsedRequest) -> Judge:
        """What judges one request."""
        return _Request(float(asked.body.get("hang", 0)))

    def close(self) -> None:
        """Nothing is held."""


class _Request(WithoutBase):
    def __init__(self, seconds: float) -> None:
        self._seconds, self._over = seconds, threading.Event()

    def probability(self, location: SpanLocation) -> float | None:
        self._over.wait(self._seconds)
        self._over.set()  # one hang a request
        return 1.0


if __name__ == "__main__":
    source = SettingsSource(Path(sys.argv[1]))
    run(source, Proxy(source.read(), shadow=Hangs))
