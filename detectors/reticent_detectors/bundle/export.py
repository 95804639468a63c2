"""Exports a trained network as one ONNX graph: dynamic batch, standard operators, weights inside.

Uses torch's exporter with `dynamo=True`, because the older one is being removed. It leaves stack traces with paths of
this machine in the graph's metadata, which are stripped.
"""

from __future__ import annotations

import contextlib
import logging
import warnings
from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import torch

from reticent_detectors.bundle.onnx_check import check_onnx
from reticent_detectors.detector.ensemble import Ensemble
from reticent_detectors.detector.network import DetectorNetwork
from reticent_detectors.detector.token_score import TokenScore
from reticent_detectors.errors import BundleError, MissingExtra

Exportable: TypeAlias = DetectorNetwork | Ensemble | TokenScore
OUTPUT = "logit"
OPSET = 20


def to_onnx(network: Exportable, *, tolerance: float = 1e-4) -> bytes:
    """Returns the network as ONNX bytes. Inputs have the names of the feature arrays [spans, ...].

    The output is `logit` [spans]. Compares torch and onnxruntime on random batches of 1, 7 and 64 spans, and raises
    `BundleError` if their logits differ by more than `tolerance` (absolute).
    """
    try:
        import onnx
        import onnxscript  # noqa: F401 - torch's exporter needs it
    except ImportError as error:  # pragma: no cover - the extra is installed where tests run
        raise MissingExtra(error.name or "onnx", "train") from None
    was_training = network.training
    network.eval()
    shapes = network.options.shapes
    # Three spans, because with one the exporter would make the batch axis a constant.
    example = tuple(torch.zeros(3, *shape) for shape in shapes.values())
    dynamic = torch.export.Dim.DYNAMIC
    with _quiet(), torch.no_grad():
        program = torch.onnx.export(
            network,
            example,
            dynamo=True,
            opset_version=OPSET,
            input_names=list(shapes),
            output_names=[OUTPUT],
            dynamic_shapes=(tuple({0: dynamic} for _ in shapes),),
            external_data=False,
            verbose=False,
        )
    network.train(was_training)
    assert program is not None
    model = program.model_proto
    _strip(model)
    del model.graph.value_info[:]  # inferred shapes under generated names; onnxruntime infers its own
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.shape.dim[0].dim_param = "spans"
    onnx.checker.check_model(model)
    data: bytes = model.SerializeToString()
    check_onnx(data)
    difference = parity(network, data)
    if difference > tolerance:
        raise BundleError(
            f"torch and onnxruntime differ by {difference:.2e}, expected at most {tolerance:.0e}; nothing is written"
        )
    return data


def parity(network: Exportable, data: bytes, *, seed: int = 0) -> float:
    """Returns the largest difference between the logits of torch and onnxruntime on random batches (1, 7, 64 spans)."""
    try:
        import onnxruntime
    except ImportError:  # pragma: no cover - the extra is installed where tests run
        raise MissingExtra("onnxruntime", "cpu") from None
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    random = np.random.default_rng(seed)
    worst = 0.0
    for spans in (1, 7, 64):
        features = {
            name: random.normal(0, 2, (spans, *shape)).astype(np.float32)
            for name, shape in network.options.shapes.items()
        }
        (got,) = session.run([OUTPUT], features)
        if got.shape != (spans,):
            raise BundleError(f"the exported graph answers {got.shape} for {spans} spans, expected ({spans},)")
        worst = max(worst, float(np.abs(got - network.logits(features)).max()))
    return worst


def _strip(model: object) -> None:
    """Removes documentation and metadata (stack traces with paths) from every message of an ONNX model."""
    for field, value in model.ListFields():  # type: ignore[attr-defined]
        if field.name in ("metadata_props", "doc_string"):
            model.ClearField(field.name)  # type: ignore[attr-defined]
        elif field.type == field.TYPE_MESSAGE:
            for message in value if field.is_repeated else [value]:
                _strip(message)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Silences warnings of torch's exporter about its own internals (deprecated calls, torchvision not installed)."""
    logger = logging.getLogger("torch.onnx._internal.exporter._registration")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            warnings.simplefilter("ignore", DeprecationWarning)
            yield
    finally:
        logger.setLevel(level)
