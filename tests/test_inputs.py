"""Inputs that follow from others: what a black-box host gives equals what the states of a host in hand say."""

from __future__ import annotations

import numpy as np
import pytest
import tiny_hosts
import torch

from reticent_detectors.capture import HostAdapter, Taps
from reticent_detectors.errors import InputError
from reticent_detectors.features.derived_features import derive, logprob_features
from reticent_detectors.features.features import FeatureSpec, build_features

KINDS = ("PHONE_NUMBER", "FLIGHT")


def test_log_probabilities_give_what_the_last_layer_gives() -> None:
    tokenizer = tiny_hosts.tokenizer()
    model = tiny_hosts.host("llama", tokenizer)
    adapter = HostAdapter.attach(model, tokenizer)
    taps = Taps(adapter)
    ids = torch.tensor([[1, 44, 7, 19, 80, 3, 62, 28]])
    (states,) = taps.read(ids, None, [(0, range(2, 7))])
    taps.remove()
    seen = derive(build_features(adapter, [states], FeatureSpec(k=4)), ["FLIGHT"], KINDS)
    with torch.no_grad():
        logprobs = model(ids).logits[0, 2:7].float().log_softmax(1)
    own = logprobs.gather(1, ids[0, 3:8, None])[:, 0]
    others = logprobs.scatter(1, ids[0, 3:8, None], -torch.inf).max(1).values
    from_logprobs = logprob_features(own.tolist(), others.tolist())
    for name in ("token_prob", "token_logprob"):
        np.testing.assert_allclose(from_logprobs[name], seen[name], atol=1e-4)
    assert seen["entity"].tolist() == [[0.0, 1.0]]


def test_kinds_that_a_bundle_does_not_know_are_all_zeros() -> None:
    rows = derive({"token_prob": np.zeros((3, 3), np.float32)}, ["FLIGHT", "IBAN", "PHONE_NUMBER"], KINDS)
    assert rows["entity"].tolist() == [[0, 1], [0, 0], [1, 0]] and "token_logprob" not in rows


@pytest.mark.parametrize(
    ("own", "others"), [([], []), ([-1.0], [-1.0, -2.0]), ([float("nan")], [-1.0]), ([0.5], [-1.0])]
)
def test_log_probabilities_that_are_none_are_refused(own: list[float], others: list[float]) -> None:
    with pytest.raises(InputError):
        logprob_features(own, others)
