"""The detector network: shapes, groups, scaling, and the written-out LSTM against torch's."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from reticent_detectors.detector.network import (
    GROUPS,
    PAPER_GROUPS,
    STATE_GROUPS,
    BidirectionalLstm,
    DetectorNetwork,
    NetworkOptions,
    Standardize,
)
from reticent_detectors.errors import InputError


def features(options: NetworkOptions, spans: int, seed: int = 0) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    return {name: random.normal(size=(spans, *shape)).astype(np.float32) for name, shape in options.shapes.items()}


@pytest.mark.parametrize("groups", [STATE_GROUPS, PAPER_GROUPS, *(frozenset({group}) for group in GROUPS)])
@pytest.mark.parametrize(("layers", "ranks"), [(2, 2), (5, 3), (8, 10)])
def test_any_groups_and_sizes_give_one_logit_a_span(groups: frozenset[str], layers: int, ranks: int) -> None:
    options = NetworkOptions(layers, ranks, groups)
    network = DetectorNetwork(options)
    assert network.inputs == tuple(array for group, array in GROUPS.items() if group in groups)
    assert network.logits(features(options, 4)).shape == (4,)
    assert network.logits(features(options, 0)).shape == (0,)


def test_rows_do_not_influence_each_other_and_batches_do_not_matter() -> None:
    options = NetworkOptions(4, 3)
    network = DetectorNetwork(options)
    rows = features(options, 7)
    whole = network.logits(rows)
    np.testing.assert_allclose(network.logits(rows, batch=2), whole, atol=1e-6)
    rows["inter"][0] += 1
    changed = network.logits(rows)
    assert changed[0] != whole[0]
    np.testing.assert_allclose(changed[1:], whole[1:], atol=1e-6)
    assert network.training  # logits() leaves the mode as it was


def test_every_group_reaches_the_logit() -> None:
    options = NetworkOptions(4, 3)
    network = DetectorNetwork(options)
    rows = features(options, 3)
    before = network.logits(rows)
    for name in network.inputs:
        changed = network.logits({**rows, name: rows[name] + 1})
        assert np.abs(changed - before).max() > 1e-6, name


def test_layers_have_an_order() -> None:
    options = NetworkOptions(6, 3, frozenset({"inter"}))
    network = DetectorNetwork(options)
    rows = features(options, 3)
    swapped = {"inter": rows["inter"][:, ::-1].copy()}
    assert np.abs(network.logits(swapped) - network.logits(rows)).max() > 1e-6


def test_the_written_out_lstm_is_torchs() -> None:
    torch.manual_seed(0)
    module = BidirectionalLstm(5, 4)
    steps = torch.randn(6, 9, 5)
    _, (hidden, _) = module.cell(steps)
    torch.testing.assert_close(module(steps), hidden.transpose(0, 1).flatten(1))


def test_scales_standardise_clip_and_survive_constant_elements() -> None:
    scale = Standardize((2,))
    random = np.random.default_rng(0)
    rows = np.stack([random.normal(5, 3, 1000), np.full(1000, 7.0)], axis=1).astype(np.float32)
    scale.fit(rows)
    out = scale(torch.from_numpy(rows))
    assert abs(float(out[:, 0].mean())) < 1e-3 and abs(float(out[:, 0].std()) - 1) < 1e-2
    assert float(out[:, 1].abs().max()) < 1e-6
    assert scale(torch.tensor([[1e9, -1e9]])).tolist() == [[8.0, -8.0]]
    assert set(scale.state_dict()) == {"mean", "deviation"}


def test_options_survive_json_and_refuse_nonsense() -> None:
    options = NetworkOptions(8, 10, PAPER_GROUPS, 0.2)
    assert NetworkOptions.from_json(options.to_json()) == options
    with pytest.raises(InputError, match="unknown feature groups: magic"):
        NetworkOptions(8, 10, frozenset({"magic"}))
    with pytest.raises(InputError, match="at least one"):
        NetworkOptions(8, 10, frozenset())
    with pytest.raises(InputError, match="at least 2 layers"):
        NetworkOptions(1, 10)
