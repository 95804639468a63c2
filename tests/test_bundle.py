"""Bundles: what was written loads, and whatever was damaged or does not fit is named."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from reticent_detectors.bundle.format import Bundle, write_bundle
from reticent_detectors.bundle.host_match import compare_behaviour
from reticent_detectors.bundle.onnx_check import check_onnx
from reticent_detectors.detector.calibration import Calibration
from reticent_detectors.errors import BundleCorrupt, BundleError, BundleMismatch, InputError

BEHAVIOUR = {
    "probes": [[1, 2, 3], [4, 5, 6]],
    "norms": [[1.0, 2.0], [3.0, 4.0]],
    "top_ids": [[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]], [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]],
    "norm_tolerance": 0.02,
    "top_overlap": 0.9,
}
CALIBRATION = Calibration(1.5, -0.2, 0.5, 0.1, {"0.01": 2.0}, {"FLIGHT": {"0.01": 2.5}}, {"": 900, "FLIGHT": 80}, 0.02)
MANIFEST: dict[str, Any] = {
    "host": {"fingerprint": {"architecture": "LlamaForCausalLM", "layers": 8}, "behaviour": BEHAVIOUR},
    "features": {"inputs": ["token_prob"], "shapes": {"token_prob": [3]}, "options": {"k": 10, "norm": "final"}},
    "calibration": CALIBRATION.to_json(),
    "training": {"rows": {"train": 900, "validation": 80}, "history": [[0.5, 0.4]]},
    "quality": {"auroc": {"taught": 0.99}},
    "versions": {"torch": "2.13"},
}


def make_onnx(domain: str = "", external: bool = False) -> bytes:
    """logit = sum of token_prob + 0.5."""
    half = numpy_helper.from_array(np.array(0.5, dtype=np.float32), "half")
    if external:
        onnx.external_data_helper.set_external_data(half, "weights.bin")
    nodes = [
        helper.make_node("ReduceSum", ["token_prob", "axis"], ["sum"], keepdims=0),
        helper.make_node("Add", ["sum", "half"], ["logit"], domain=domain),
    ]
    graph = helper.make_graph(
        nodes,
        "sum",
        [helper.make_tensor_value_info("token_prob", TensorProto.FLOAT, ["spans", 3])],
        [helper.make_tensor_value_info("logit", TensorProto.FLOAT, ["spans"])],
        [half, numpy_helper.from_array(np.array([1], dtype=np.int64), "axis")],
    )
    opsets = [helper.make_opsetid("", 20)] + ([helper.make_opsetid(domain, 1)] if domain else [])
    return bytes(helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString())


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    return write_bundle(tmp_path / "bundle", make_onnx(), MANIFEST)


def test_round_trip(bundle: Bundle) -> None:
    loaded = Bundle.load(bundle.path)
    assert sorted(path.name for path in bundle.path.iterdir()) == ["CARD.md", "detector.onnx", "manifest.json"]
    assert sorted(path.name for path in bundle.path.parent.iterdir()) == ["bundle"]  # no scratch left
    assert loaded.network == make_onnx()
    assert loaded.shapes == {"token_prob": (3,)} and loaded.feature_options["norm"] == "final"
    assert loaded.calibration == CALIBRATION
    for name, entry in MANIFEST.items():
        assert loaded.manifest[name] == entry
    for text in ("LlamaForCausalLM", "| FLIGHT | 80 |", "auroc.taught | 0.99", "token_prob | [3]"):
        assert text in loaded.card, text
    assert "history" not in loaded.card
    assert len(repr(loaded)) < 200


def test_writing_twice_needs_a_word(bundle: Bundle) -> None:
    with pytest.raises(InputError, match="exists"):
        write_bundle(bundle.path, make_onnx(), MANIFEST)
    second = write_bundle(bundle.path, make_onnx(), {**MANIFEST, "quality": {}}, "# Mine\n", overwrite=True)
    assert second.card == "# Mine\n" and second.manifest["quality"] == {}
    assert write_bundle(second.path, make_onnx(), second.manifest, overwrite=True).manifest["quality"] == {}


def test_an_unusable_manifest_is_not_written(tmp_path: Path) -> None:
    for name in MANIFEST:
        broken = {key: value for key, value in MANIFEST.items() if key != name}
        with pytest.raises((BundleError, KeyError)):
            write_bundle(tmp_path / "bundle", make_onnx(), broken, "card")
    with pytest.raises(BundleCorrupt):
        write_bundle(tmp_path / "bundle", make_onnx(), {**MANIFEST, "calibration": {"slope": 1}}, "card")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["detector.onnx", "manifest.json", "CARD.md"])
def test_damaged_files_are_named(bundle: Bundle, name: str) -> None:
    path = bundle.path / name
    data = path.read_bytes()
    for at in range(0, len(data), max(1, len(data) // 60)):
        edited = bytearray(data)
        edited[at] ^= 0x04
        path.write_bytes(edited)
        if name == "manifest.json" and _same_json(data, bytes(edited)):
            continue  # white space between entries
        with pytest.raises(BundleError, match=name.replace(".", r"\.")):
            Bundle.load(bundle.path)
    for length in (0, 1, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:length])
        with pytest.raises(BundleCorrupt, match=name.replace(".", r"\.")):
            Bundle.load(bundle.path)
    path.unlink()
    with pytest.raises(BundleCorrupt, match=f"{name} is missing"):
        Bundle.load(bundle.path)
    path.mkdir()
    with pytest.raises(BundleCorrupt, match="cannot be read"):
        Bundle.load(bundle.path)


def _same_json(first: bytes, second: bytes) -> bool:
    try:
        return bool(json.loads(first) == json.loads(second))
    except ValueError:
        return False


def test_other_formats_and_no_folder(bundle: Bundle, tmp_path: Path) -> None:
    path = bundle.path / "manifest.json"
    path.write_text(path.read_text().replace('"format": 1', '"format": 2'))
    with pytest.raises(BundleError, match="format 2, expected 1") as error:
        Bundle.load(bundle.path)
    assert not isinstance(error.value, BundleCorrupt)
    with pytest.raises(BundleCorrupt, match="not a folder"):
        Bundle.load(tmp_path / "nowhere")


def test_external_data_custom_operators_and_rubbish_are_refused(tmp_path: Path) -> None:
    check_onnx(make_onnx())
    with pytest.raises(BundleCorrupt, match="external data"):
        write_bundle(tmp_path / "bundle", make_onnx(external=True), MANIFEST)
    with pytest.raises(BundleCorrupt, match="custom operators"):
        write_bundle(tmp_path / "bundle", make_onnx(domain="com.example"), MANIFEST)
    data = make_onnx()
    for rubbish in (b"", b"\x00", b"not an onnx file", data[:-3], data[:40], b"\x08\xff"):
        with pytest.raises(BundleCorrupt, match="no readable ONNX file"):
            check_onnx(rubbish)


def test_external_data_in_a_subgraph_is_refused() -> None:
    model = onnx.load_from_string(make_onnx(external=True))
    inner = model.graph
    outer = helper.make_graph(
        [helper.make_node("If", ["flag"], ["logit"], then_branch=inner, else_branch=inner)], "if", [], []
    )
    with pytest.raises(BundleCorrupt, match="external data"):
        check_onnx(helper.make_model(outer).SerializeToString())
    constant = helper.make_node("Constant", [], ["value"], value=inner.initializer[0])
    with pytest.raises(BundleCorrupt, match="external data"):
        check_onnx(helper.make_model(helper.make_graph([constant], "constant", [], [])).SerializeToString())


def test_the_right_host_passes_and_another_is_described(bundle: Bundle) -> None:
    fingerprint = MANIFEST["host"]["fingerprint"]
    bundle.check_host(fingerprint)
    bundle.check_host(fingerprint, BEHAVIOUR)
    with pytest.raises(
        BundleMismatch,
        match=r"architecture: expected LlamaForCausalLM, got GPT2LMHeadModel.*layers: expected 8, got 12",
    ):
        bundle.check_host({"architecture": "GPT2LMHeadModel", "layers": 12})
    with pytest.raises(BundleMismatch, match="layers: expected 8, got nothing"):
        bundle.check_host({"architecture": "LlamaForCausalLM"})
    with pytest.raises(BundleMismatch, match="adapters: expected nothing, got x"):
        bundle.check_host({**fingerprint, "adapters": "x"})


def test_where_the_weights_alone_differ_the_dtype_may_be_the_reason(tmp_path: Path) -> None:
    print_ = {"architecture": "LlamaForCausalLM", "weights_sha256": "1" * 64}
    bundle = write_bundle(tmp_path / "b", make_onnx(), {**MANIFEST, "host": {"fingerprint": print_, "behaviour": {}}})
    other = {**print_, "weights_sha256": "2" * 64}
    with pytest.raises(BundleMismatch, match=r"weights_sha256: expected 1.*in another dtype"):
        bundle.check_host(other, dtype_of=lambda digest: None)
    with pytest.raises(BundleMismatch, match=r"load the model with dtype=torch\.bfloat16"):
        bundle.check_host(other, dtype_of={"1" * 64: "bfloat16"}.get)
    with pytest.raises(BundleMismatch) as raised:
        bundle.check_host({**other, "architecture": "Qwen2ForCausalLM"}, dtype_of={"1" * 64: "bfloat16"}.get)
    assert "dtype" not in str(raised.value)


def test_behaviour_is_compared_within_tolerance(bundle: Bundle) -> None:
    fingerprint = MANIFEST["host"]["fingerprint"]

    def changed(**entries: Any) -> dict[str, Any]:
        return {**copy.deepcopy(BEHAVIOUR), **entries}

    bundle.check_host(fingerprint, changed(norms=[[1.01, 2.0], [3.0, 3.96]]))
    bundle.check_host(fingerprint, changed(norm_tolerance=9.0))  # the bundle's own tolerance counts
    ids = copy.deepcopy(BEHAVIOUR["top_ids"])
    ids[0][0] = [2, 1, 3, 4, 99]
    bundle.check_host(fingerprint, changed(top_ids=ids))  # order does not matter; 19 of 20 agree
    ids[1][1] = [6, 7, 77, 78, 79]
    for wrong, message in (
        (changed(norms=[[1.05, 2.0], [3.0, 4.0]]), "norms differ by up to 5.0%"),
        (changed(norms=[[float("nan"), 2.0], [3.0, 4.0]]), "norms differ"),
        (changed(top_ids=ids), "80% of top ids agree, expected at least 90%"),
        (changed(probes=[[1]]), "probes differ"),
        (changed(norms=[[1.0], [3.0]]), "of 4 states, got 2"),
        ({"probes": BEHAVIOUR["probes"]}, "of 4 states, got 0"),
    ):
        assert len(compare_behaviour(BEHAVIOUR, wrong)) == 1
        with pytest.raises(BundleMismatch, match=message):
            bundle.check_host(fingerprint, wrong)


def test_loading_needs_neither_torch_nor_scipy_nor_onnx() -> None:
    code = (
        "import sys, reticent_detectors.bundle, reticent_detectors.scoring.scorer;"
        "print([name for name in ('torch', 'scipy', 'sklearn', 'onnx', 'pyarrow') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
