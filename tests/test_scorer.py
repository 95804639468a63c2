"""From network to ONNX file to probabilities: parity, standard operators, and errors instead of guesses."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import torch

from reticent_detectors.bundle.export import parity, to_onnx
from reticent_detectors.bundle.format import Bundle, write_bundle
from reticent_detectors.detector.calibration import Calibration
from reticent_detectors.detector.network import DetectorNetwork, NetworkOptions
from reticent_detectors.errors import BundleCorrupt, BundleError, InputError
from reticent_detectors.scoring.scorer import OnnxScorer, _tell_missing

OPTIONS = NetworkOptions(layers=4, ranks=3)
CALIBRATION = Calibration(2.0, 0.3, 0.5, 0.1, {"0.01": 1.0})


def features(spans: int, seed: int = 0) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    return {name: random.normal(size=(spans, *shape)).astype(np.float32) for name, shape in OPTIONS.shapes.items()}


@pytest.fixture(scope="module")
def network() -> DetectorNetwork:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        network = DetectorNetwork(OPTIONS)
    network.fit_scales(features(100, seed=9))
    return network.eval()


@pytest.fixture(scope="module")
def exported(network: DetectorNetwork) -> bytes:
    return to_onnx(network)


def write(folder: Path, data: bytes, options: NetworkOptions = OPTIONS) -> Bundle:
    manifest: dict[str, Any] = {
        "host": {"fingerprint": {}, "behaviour": {}},
        "features": {
            "inputs": list(options.shapes),
            "shapes": {name: list(shape) for name, shape in options.shapes.items()},
            "options": {},
        },
        "calibration": CALIBRATION.to_json(),
        "training": {},
        "quality": {},
        "versions": {},
    }
    return write_bundle(folder / "bundle", data, manifest)


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory, exported: bytes) -> OnnxScorer:
    return OnnxScorer(write(tmp_path_factory.mktemp("scorer"), exported))


def test_the_export_is_one_standard_file(exported: bytes, network: DetectorNetwork) -> None:
    model = onnx.load_from_string(exported)
    assert [(opset.domain, opset.version) for opset in model.opset_import] == [("", 20)]
    assert [entry.name for entry in model.graph.input] == ["inter", "intra", "topk_prob", "token_prob", "pooled"]
    assert [entry.name for entry in model.graph.output] == ["logit"]
    for entry in (*model.graph.input, *model.graph.output):
        assert entry.type.tensor_type.shape.dim[0].dim_param == "spans"
    for trace in (b"site-packages", b"reticent_detectors", b".py"):
        assert trace not in exported  # no paths of the machine that exported it
    assert len(exported) < 2_000_000
    assert parity(network, exported) < 1e-4


def test_a_graph_of_another_network_fails_the_parity_check(exported: bytes, network: DetectorNetwork) -> None:
    other = DetectorNetwork(OPTIONS)
    assert parity(other, exported) > 1e-4
    with pytest.raises(BundleError, match="differ"):
        to_onnx(network, tolerance=-1.0)


@pytest.mark.parametrize("spans", [0, 1, 7, 64])
def test_scores_are_calibrated_logits_of_the_network(scorer: OnnxScorer, network: DetectorNetwork, spans: int) -> None:
    rows = features(spans)
    expected = network.logits(rows)
    np.testing.assert_allclose(scorer.logits(rows), expected, atol=1e-4)
    np.testing.assert_allclose(scorer.score(rows), CALIBRATION.probability(expected), atol=1e-4)
    assert scorer.score(rows).shape == (spans,)


def test_other_arrays_and_number_types_are_fine(scorer: OnnxScorer) -> None:
    rows = features(3)
    expected = scorer.score(rows)
    extra = {**rows, "topk_id": np.zeros((3, 4, 3), dtype=np.int64), "pooled": rows["pooled"].astype(np.float64)}
    np.testing.assert_array_equal(scorer.score(extra), expected)
    backwards = {name: array[::-1] for name, array in rows.items()}
    np.testing.assert_allclose(scorer.score(backwards), expected[::-1], atol=1e-6)


def test_prevalence_can_be_shifted(tmp_path: Path, exported: bytes, scorer: OnnxScorer) -> None:
    rare = OnnxScorer(write(tmp_path, exported), prevalence=0.01)
    assert (rare.score(features(5)) < scorer.score(features(5))).all()


def test_providers_that_this_machine_lacks_are_skipped_and_logged_once(
    tmp_path: Path, exported: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    lacking = next(iter({*onnxruntime.get_all_providers()} - {*onnxruntime.get_available_providers()}))
    bundle = write(tmp_path, exported)
    _tell_missing.cache_clear()
    for _ in range(2):
        assert OnnxScorer(bundle, [lacking, "CPUExecutionProvider"]).providers == ("CPUExecutionProvider",)
    assert [lacking in record.getMessage() for record in caplog.records] == [True]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cuda", r"Did you mean CUDAExecutionProvider\?"),
        ("CUDAExecutionProviders", r"Did you mean CUDAExecutionProvider\?"),
        ("x", r"provider 'x'\. Available here: .*CPUExecutionProvider"),
    ],
)
def test_providers_that_nobody_knows_are_refused(tmp_path: Path, exported: bytes, name: str, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        OnnxScorer(write(tmp_path, exported), [name])


@pytest.mark.parametrize("providers", ["CUDAExecutionProvider", 5, [("CUDAExecutionProvider", {})]])
def test_providers_are_a_list_of_names(tmp_path: Path, exported: bytes, providers: Any) -> None:
    with pytest.raises(TypeError, match=r"\['CUDAExecutionProvider'\]"):
        OnnxScorer(write(tmp_path, exported), providers)


@pytest.mark.parametrize("name", list(OPTIONS.shapes))
@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300])
def test_numbers_that_are_not_finite_raise(scorer: OnnxScorer, name: str, value: float) -> None:
    rows: dict[str, Any] = features(2)
    rows[name] = rows[name].astype(np.float64)
    rows[name].reshape(-1)[-1] = value
    with pytest.raises(InputError, match=f"{name} holds numbers that are not finite"):
        scorer.score(rows)


def test_wrong_arrays_raise(scorer: OnnxScorer) -> None:
    rows = features(2)
    for wrong, message in (
        ({name: array for name, array in rows.items() if name != "inter"}, "inter is missing"),
        (
            {**rows, "inter": rows["inter"][:, :2]},
            r"inter is float32\[2, 2, 3, 3\], expected float32\[spans, 3, 3, 3\]",
        ),
        ({**rows, "inter": rows["inter"][0]}, "inter is"),
        ({**rows, "inter": rows["inter"][:1]}, "different numbers of spans"),
        ({**rows, "inter": rows["inter"].astype(str)}, "inter is"),
        ({}, "missing"),
    ):
        with pytest.raises(InputError, match=message):
            scorer.score(wrong)


def test_a_graph_that_does_not_fit_its_manifest_is_refused(tmp_path: Path, exported: bytes) -> None:
    with pytest.raises(BundleCorrupt, match="but the manifest says"):
        OnnxScorer(write(tmp_path, exported, NetworkOptions(4, 3, frozenset({"prob"}))))


def test_a_graph_that_onnxruntime_refuses_is_named(tmp_path: Path, exported: bytes) -> None:
    model = onnx.load_from_string(exported)
    model.graph.node[0].op_type = "NoSuchOperator"
    with pytest.raises(BundleCorrupt, match=r"detector\.onnx is refused by onnxruntime"):
        OnnxScorer(write(tmp_path, model.SerializeToString()))


def test_threads_may_share_a_scorer(scorer: OnnxScorer) -> None:
    rows = [features(4, seed) for seed in range(4)]
    expected = [scorer.score(entry) for entry in rows]
    wrong: list[int] = []

    def work(number: int) -> None:
        for _ in range(20):
            if not np.array_equal(scorer.score(rows[number]), expected[number]):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
