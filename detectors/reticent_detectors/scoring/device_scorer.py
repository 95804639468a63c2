"""Scores spans whose features are on a GPU with a network that runs there. Only one logit for each span is copied back.

For detectors whose session has ONNX Runtime's CUDA provider (`OnnxScorer.on_gpu`). The session binds the arrays on the
GPU without copying them. Its stream starts when torch's stream is done with them. The check that they are finite runs
on the device and is read with the logits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from reticent_detectors.errors import CaptureError, InputError
from reticent_detectors.features.derived_features import LOG_PROBABILITY, MARGIN, derive
from reticent_detectors.scoring.scorer import OnnxScorer

DeviceFeatures = dict[str, Tensor]


class DeviceScorer:
    """As `OnnxScorer`, but for tensors. Safe to call from several threads."""

    def __init__(self, scorer: OnnxScorer) -> None:
        self._scorer = scorer

    def score(self, features: Mapping[str, Tensor | NDArray[Any]], entities: Sequence[str]) -> NDArray[np.float64]:
        """Returns the calibrated probability [S] that each span is memorised.

        Args:
            features: arrays [S, *shape] as named in `OnnxScorer.shapes`. Others are ignored. `token_logprob` and
                `entity` may be left out.
            entities: the kind of each span.

        Raises:
            InputError: an array is missing or has another shape.
            CaptureError: an array or a logit is not finite.
        """
        return self._scorer.calibration.probability(self.logits(features, entities))

    def logits(self, features: Mapping[str, Tensor | NDArray[Any]], entities: Sequence[str]) -> NDArray[np.float32]:
        """Returns the raw logits [S]. Arguments and errors are those of `score`."""
        if not entities:
            return np.zeros(0, np.float32)
        given = dict(features) | {"entity": derive({}, entities, self._scorer.entities)["entity"]}
        if "token_logprob" not in given and isinstance(pooled := given.get("pooled"), Tensor):
            given["token_logprob"] = torch.stack([pooled[:, -1, at] for at in (LOG_PROBABILITY, MARGIN)], dim=1)
        arrays = {
            name: self._array(name, given, (len(entities), *shape)) for name, shape in self._scorer.shapes.items()
        }
        tensors = [array for array in arrays.values() if isinstance(array, Tensor)]
        finite = torch.stack([torch.isfinite(tensor).all() for tensor in tensors]).all() if tensors else True
        if tensors and tensors[0].is_cuda:
            torch.cuda.current_stream(tensors[0].device).synchronize()
        logit = self._scorer.run_bound(arrays)
        if not (bool(finite) and logit.shape == (len(entities),) and np.isfinite(logit).all()):
            raise CaptureError("Expected finite features and logits; the span's hidden states are broken.")
        return logit

    def _array(
        self, name: str, given: Mapping[str, Tensor | NDArray[Any]], shape: tuple[int, ...]
    ) -> Tensor | NDArray[np.float32]:
        if name not in given:
            raise InputError(f"feature {name} is missing; the detector takes {', '.join(self._scorer.shapes)}")
        array = given[name]
        if tuple(array.shape) != shape:
            raise InputError(f"feature {name} is {list(array.shape)}, expected {list(shape)}")
        if isinstance(array, Tensor):
            return array.detach().float().contiguous()
        return np.ascontiguousarray(array, np.float32)
