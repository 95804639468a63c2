"""Scores spans whose features lie on a GPU with a network that runs there: nothing but a logit for each comes back.

For a detector whose session has ONNX Runtime's CUDA provider (`OnnxScorer.on_gpu`). The arrays are bound where they lie, in
the session's own stream, which starts when torch's is done with them. Whether they are finite is found out on the device
and read with the logits.
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
    """As `OnnxScorer`, of tensors. Safe to call from several threads."""

    def __init__(self, scorer: OnnxScorer) -> None:
        self._scorer = scorer

    def score(self, features: Mapping[str, Tensor | NDArray[Any]], entities: Sequence[str]) -> NDArray[np.float64]:
        """Probability [S] that each span is memorised, calibrated. Each array is [S, *shape] as named in `OnnxScorer.shapes`, others
        are ignored; `token_logprob` and `entity` need not be given.

        Raises:
            InputError: an array is missing or has another shape.
            CaptureError: an array, or what the network makes of it, is not finite.
        """
        return self._scorer.calibration.probability(self.logits(features, entities))

    def logits(self, features: Mapping[str, Tensor | NDArray[Any]], entities: Sequence[str]) -> NDArray[np.float32]:
        """Raw logits [S]; arguments and errors as for `score`."""
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
