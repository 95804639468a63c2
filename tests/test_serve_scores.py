"""What the figures say of a detector, whichever it is: its thresholds as edges of the scores, and its prevalence."""

from __future__ import annotations

from typing import Any

import logprob_server as server
import pytest
from test_guard_metrics import STOPPED, observation, span

from reticent.demo import assets
from reticent.hosted.hosted_model import HostedModel
from reticent.hosted.shadow import Shadow
from reticent.observability.metrics import SCORE_EDGES
from reticent.policy.thresholds import thresholds
from reticent.serve.config import load
from reticent.serve.proxy import Proxy
from reticent.serve.settings import Settings
from reticent.shipped import default_bundle
from reticent_detectors.bundle.format import Bundle

PREVALENCE = 0.01
FOLDER = assets()
UPSTREAM = {"upstream.url": "http://127.0.0.1:1"}
SHADOW = {**UPSTREAM, "shadow.path": FOLDER / "host", "shadow.models": ("small",)}


def proxy(settings: Settings) -> Proxy:
    model, shadow = settings.model, settings.shadow
    if model is not None:
        return Proxy(settings, local_model=lambda *shared: HostedModel.load(model, *shared))
    if shadow is not None:
        return Proxy(settings, shadow=lambda: Shadow(Bundle.load(shadow.bundle), *server.demo(), shadow))
    return Proxy(settings)


@pytest.mark.filterwarnings("ignore:.*reticent calibrate:UserWarning")
@pytest.mark.parametrize(
    ("overrides", "bundle", "stated"),
    [
        (UPSTREAM, None, False),
        ({**UPSTREAM, "detector.bundle": FOLDER / "bundle-logprobs", "detector.models": ("small",)},
         FOLDER / "bundle-logprobs", False),
        (SHADOW, default_bundle(), False),
        ({**SHADOW, "shadow.bundle": FOLDER / "bundle"}, FOLDER / "bundle", False),
        ({"model.path": FOLDER / "host", "model.bundle": FOLDER / "bundle"}, FOLDER / "bundle", True),
    ],
    ids=["text", "logprobs", "shadow", "shadow-own", "model"],
)  # fmt: skip
def test_scores_are_counted_at_the_thresholds_in_force(overrides: dict[str, Any], bundle: Any, stated: bool) -> None:
    """Before a server probabilities are at the bundle's prevalence, whatever the policy says."""
    policies = {"usual": {"prevalence": PREVALENCE, "false_positives": 0.02}}
    made = proxy(load(environ={}, overrides={**overrides, "policy": "usual", "policies": policies}))
    made.metrics.on_answer(observation(span("PHONE_NUMBER", STOPPED)))  # edges appear with the first score
    found = [sample for family in made.metrics._registry.collect() for sample in family.samples]
    edges = {float(s.labels["le"]) for s in found if s.name == "reticent_score_bucket"}
    (prevalence,) = (s.value for s in found if s.name == "reticent_score_prevalence")
    if bundle is None:
        assert (edges, prevalence) == ({*SCORE_EDGES, float("inf")}, 0.0)
        return
    judging = Bundle.load(bundle)
    own = thresholds(judging, PREVALENCE if stated else None, 0.02)
    assert edges == {*SCORE_EDGES, *(round(edge, 2) for edge in own.values()), float("inf")}
    assert prevalence == (PREVALENCE if stated else judging.calibration.prevalence)
