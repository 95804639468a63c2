"""The trained baselines: each finds a planted signal, and its score equals its parts put together by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from sklearn.metrics import roc_auc_score

from reticent_detectors.baselines.factoscope import FactoscopeNetwork, embed, factoscope, nearer, views
from reticent_detectors.baselines.linear_probe import LinearProbe, greatest, linear_probe
from reticent_detectors.baselines.rows import Rows
from reticent_detectors.baselines.saplma import Saplma, saplma

COUNT, TOKENS, WIDTH, LAYERS, RANKS = 600, 4, 6, 3, 5
RNG = np.random.default_rng(0)
POSITIVE = RNG.random(COUNT) < 0.5
LENGTH = RNG.integers(1, 9, COUNT)
TRAIN = np.arange(400)


def rows(arrays: dict[str, Any]) -> Rows:
    features = {name: np.asarray(array, np.float32) for name, array in arrays.items()}
    weight = np.ones(len(TRAIN), np.float32)
    return Rows(features.__getitem__, frozenset(features), {"tokens": LENGTH}, POSITIVE, TRAIN, weight)


def reached(scores: Any) -> float:
    """AUROC on the rows that nothing was fitted on."""
    return float(roc_auc_score(POSITIVE[400:], scores[400:]))


def states(place: str) -> np.ndarray[Any, Any]:
    """Draws states [S, T, d]: noise, a signal in the last or in one chosen token, nonsense behind the span's end."""
    array = RNG.normal(size=(COUNT, TOKENS, WIDTH))
    kept = np.minimum(LENGTH, TOKENS)
    at = kept - 1 if place == "last" else RNG.integers(0, kept)
    array[np.arange(COUNT), at, 0] += np.where(POSITIVE, 6.0, 0.0)
    array[np.arange(TOKENS) >= kept[:, None]] = 1000.0
    return array


@pytest.fixture(scope="module")
def signal() -> Rows:
    noise = RNG.normal(size=(COUNT, TOKENS, WIDTH))
    return rows({"baseline_state_1": noise, "baseline_state_2": states("last"), "other": noise})


def test_saplma_looks_at_the_last_token_of_the_layer_that_knows(signal: Rows) -> None:
    by = {setting: reached(scores) for setting, scores in saplma(signal)}
    assert list(by) == ["layer 2", "layer 3"]
    assert by["layer 3"] > 0.95 and 0.35 < by["layer 2"] < 0.65


def test_saplmas_score_is_a_perceptron_of_three_hidden_layers() -> None:
    probe, array = Saplma(), RNG.normal(3, 2, size=(COUNT, WIDTH)).astype(np.float32)
    probe.fit(array[:400], POSITIVE[:400], np.ones(400, np.float32))
    weights, biases = probe.classifier.coefs_, probe.classifier.intercepts_
    assert [len(b) for b in biases] == [256, 128, 64, 1]
    x = (array - array[:400].mean(0)) / (array[:400].std(0) + 1e-6)
    for layer in range(3):
        x = np.maximum(x @ weights[layer] + biases[layer], 0)
    assert probe.scores(array) == pytest.approx(1 / (1 + np.exp(-(x @ weights[3] + biases[3])[:, 0])), abs=1e-4)


def test_the_linear_probe_finds_one_telling_token_wherever_it_stands() -> None:
    signal = rows({"baseline_state_0": states("somewhere")})
    by = {setting: reached(scores) for setting, scores in linear_probe(signal)}
    assert len(by) == 6
    assert by["layer 1, C 1, greatest remembered"] > 0.9 > by["layer 1, C 1, greatest made up"]


def test_the_linear_probes_logits_and_the_greatest_of_them() -> None:
    array, tokens = states("last").astype(np.float32), np.minimum(LENGTH, TOKENS)
    probe = LinearProbe(0.1)
    probe.fit(array[:400], tokens[:400], POSITIVE[:400], np.ones(400, np.float32))
    flat = np.concatenate([array[i, :n] for i, n in enumerate(tokens[:400])])
    logits = probe.logits(array)
    for span in (401, 402, 403):
        own = [
            float(((array[span, t] - flat.mean(0)) / flat.std(0)) @ probe.model.coef_[0] + probe.model.intercept_[0])
            for t in range(tokens[span])
        ]
        one = slice(span, span + 1)
        assert greatest(logits[one], tokens[one], "remembered") == pytest.approx([max(own)], abs=1e-3)
        assert greatest(logits[one], tokens[one], "made up") == pytest.approx([min(own)], abs=1e-3)


def test_a_token_of_a_long_span_weighs_less() -> None:
    array = np.zeros((2, TOKENS, 1), np.float32)
    array[0, :1], array[1, :4] = 1.0, -1.0
    probe, tokens = LinearProbe(1e6), np.array([1, 4])
    probe.fit(array, tokens, np.array([True, False]), np.ones(2, np.float32))
    # Were every token as heavy as the other, the four would push the middle to their side.
    middle = probe.logits(np.zeros((1, 1, 1), np.float32))[0, 0]
    assert abs(middle) < 0.1 * abs(probe.logits(array)[0, 0])


def factoscope_rows(view: str) -> Rows:
    arrays = {
        "baseline_activation": RNG.normal(size=(COUNT, LAYERS, 20)) * 3 + 1,
        "baseline_rank": RNG.integers(0, 50, (COUNT, LAYERS)).astype(float),
        "inter": RNG.uniform(-1, 1, (COUNT, LAYERS - 1, RANKS, RANKS)),
        "topk_prob": RNG.uniform(0, 1, (COUNT, LAYERS, RANKS)),
    }
    if view == "baseline_rank":
        arrays[view] = np.where(POSITIVE[:, None], 0.0, 5.0 + arrays[view])
    elif view == "inter":
        arrays["inter"][:, 0, 1, 1] = np.where(POSITIVE, 0.9, -0.9)
    elif view:
        arrays[view] = arrays[view] * 0.1 + np.where(POSITIVE, 1.0, 0.0).reshape(-1, *[1] * (arrays[view].ndim - 1))
    return rows(arrays)


@pytest.mark.parametrize("view", ["baseline_activation", "baseline_rank", "inter", "topk_prob"])
def test_factoscope_can_use_each_of_its_views(view: str) -> None:
    passes = [reached(scores) for _, scores in factoscope(factoscope_rows(view))]
    assert max(passes) > 0.9


def test_factoscope_learns_nothing_where_nothing_is() -> None:
    *_, (_, scores) = factoscope(factoscope_rows(""))
    assert 0.35 < reached(scores) < 0.65


def test_factoscopes_views() -> None:
    signal = factoscope_rows("")
    maps, rank, cosines, probabilities = views(signal)
    assert float(maps[TRAIN].mean()) == pytest.approx(0, abs=1e-5) and float(maps[TRAIN].std()) == pytest.approx(
        1, abs=1e-3
    )
    assert rank[7, 1] == pytest.approx(1 / (1 + signal.column("baseline_rank")[7, 1]))
    assert cosines[7, 1, 3] == signal.column("inter")[7, 1, 3, 3]
    points = embed(FactoscopeNetwork(20, RANKS), (maps, rank, cosines, probabilities))
    assert points.shape == (COUNT, 64) and points.norm(dim=1).numpy() == pytest.approx(np.ones(COUNT), abs=1e-4)


def test_the_nearest_of_the_support_set_decides() -> None:
    points, support = torch.randn(9, 4), torch.randn(7, 4)
    remembered = np.array([True, False, True, False, False, True, False])
    got = nearer(points, support, remembered)
    for point, score in zip(points, got, strict=True):
        distances = [float((point - other).square().sum().sqrt()) for other in support]
        nearest = int(np.argmin(distances))
        assert (score > 0) == remembered[nearest]
        made_up, own = (
            min(d for d, r in zip(distances, remembered, strict=True) if r is side) for side in (np.False_, np.True_)
        )
        assert score == pytest.approx(made_up - own, abs=1e-4)
