"""Scores spans with a bundle's network in onnxruntime: feature arrays in, calibrated probabilities out.

A missing array, a wrong shape or a number that is not finite raises an error, so the guard can fail closed.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.bundle.format import NETWORK, Bundle
from reticent_detectors.detector.calibration import Calibration, logit_of, sigmoid
from reticent_detectors.detector.second_look import without_name_swap
from reticent_detectors.errors import BundleCorrupt, InputError, MissingExtra, WrongType
from reticent_detectors.features.derived_features import derive
from reticent_detectors.install_form import install_line

try:
    import onnxruntime
except ImportError:  # pragma: no cover - the extra is installed where tests run
    raise MissingExtra("onnxruntime", "cpu") from None

_LOGGER = logging.getLogger(__name__)
_CPU, _CUDA = "CPUExecutionProvider", "CUDAExecutionProvider"
_OPTIONS = {_CUDA: {"use_tf32": "0"}}
"""Options of a provider. Products are in full float32, because the thresholds were set with it."""


class OnnxScorer:
    """Scores spans in one session. Safe to call from several threads.

    Args:
        bundle: the detector.
        providers: execution providers in order of preference. Those that this machine lacks are skipped with a warning
            in the log. The CPU is always last.
        threads: threads of one call. The default is 1, because a batch takes about a millisecond and servers have many
            calls.
        prevalence: share of memorised spans to expect; None takes the bundle's.

    Raises:
        InputError: onnxruntime does not know a provider.
        WrongType: `providers` is no list of names.
        BundleCorrupt: onnxruntime refuses the network, or its inputs are not those of the manifest.
    """

    def __init__(
        self,
        bundle: Bundle,
        providers: Sequence[str] | None = None,
        *,
        threads: int = 1,
        prevalence: float | None = None,
    ) -> None:
        wanted = _wanted(providers or ())
        self.shapes = bundle.shapes
        self.entities = bundle.entities
        self.calibration: Calibration = (
            bundle.calibration if prevalence is None else bundle.calibration.at_prevalence(prevalence)
        )
        self._second_look_range = _second_look_range(bundle, self.calibration)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = onnxruntime.InferenceSession(
                bundle.network, options, providers=[*((name, _OPTIONS.get(name, {})) for name in wanted), _CPU]
            )
        except Exception as error:  # onnxruntime has no common base class for its errors
            raise BundleCorrupt(
                f"{bundle.path / NETWORK} is refused by onnxruntime {onnxruntime.__version__} "
                f"({type(error).__name__}); update onnxruntime or export the detector again"
            ) from None
        self._check_session(bundle)

    @property
    def providers(self) -> tuple[str, ...]:
        """Execution providers in use."""
        return tuple(self._session.get_providers())

    @property
    def on_gpu(self) -> bool:
        """Whether the network runs on a GPU, where `DeviceScorer` feeds it."""
        return self.providers[0] == _CUDA

    def run_bound(self, arrays: Mapping[str, Any]) -> NDArray[np.float32]:
        """Runs the network on unchecked arrays of the right shapes. Returns the logits [S].

        The arrays are numpy's, or contiguous float32 tensors, which are read without a copy.
        """
        binding = self._session.io_binding()
        for name, array in arrays.items():
            if isinstance(array, np.ndarray):
                binding.bind_cpu_input(name, array)
            else:
                at = array.device
                binding.bind_input(name, at.type, at.index or 0, np.float32, tuple(array.shape), array.data_ptr())
        binding.bind_output("logit")
        self._session.run_with_iobinding(binding)
        (logit,) = binding.copy_outputs_to_cpu()
        return np.asarray(logit, dtype=np.float32)

    def logits(
        self, features: Mapping[str, NDArray[Any]], entities: Sequence[str] | NDArray[Any] = ()
    ) -> NDArray[np.float32]:
        """Returns the raw logits [S] of S spans. S may be 0.

        Args:
            features: arrays [S, *shape] as named in `shapes`. Others are ignored. Those that `derive` computes may be
                left out.
            entities: the kind of each span [S]. Only a detector that takes `entity` needs them.

        Raises:
            InputError: an array is missing, has another shape or number type, or holds a number that is not finite.
        """
        features = derive(features, entities, self.entities)
        arrays = {name: self._checked(name, features) for name in self.shapes}
        counts = {name: len(array) for name, array in arrays.items()}
        if len(set(counts.values())) != 1:
            raise InputError(f"feature arrays have different numbers of spans: {counts}")
        if next(iter(counts.values())) == 0:
            return np.zeros(0, dtype=np.float32)
        (logit,) = self._session.run(["logit"], arrays)
        answer = np.asarray(logit, dtype=np.float32)
        if answer.shape != (next(iter(counts.values())),) or not np.isfinite(answer).all():
            raise InputError(
                "the detector gave no finite logit for each span; the features are outside what it can take"
            )
        return answer

    def score(
        self, features: Mapping[str, NDArray[Any]], entities: Sequence[str] | NDArray[Any] = ()
    ) -> NDArray[np.float64]:
        """Returns the calibrated probability [S] that each span is memorised.

        Arguments and errors are those of `logits`.
        """
        return self.calibration.probability(self.logits(features, entities))

    def doubtful(self, probabilities: NDArray[np.float64]) -> NDArray[np.int64]:
        """Returns the indices of the probabilities [S], of spans without `renamed`, that need a second look."""
        if "renamed" not in self.shapes:
            return np.zeros(0, np.int64)
        low, high = self._second_look_range
        return np.flatnonzero((probabilities >= low) & (probabilities <= high))

    def score_as_guarded(
        self, features: Mapping[str, NDArray[Any]], entities: Sequence[str] | NDArray[Any] = ()
    ) -> NDArray[np.float64]:
        """Returns the probability [S] that a guard would compute, for rows that always hold `renamed`."""
        if "renamed" not in self.shapes:
            return self.score(features, entities)
        probabilities = self.score(without_name_swap(features), entities)
        at = self.doubtful(probabilities)
        kinds = np.asarray(entities)
        again = {name: np.asarray(array)[at] for name, array in features.items()}
        probabilities[at] = self.score(again, kinds[at] if len(kinds) else kinds)
        return probabilities

    def _checked(self, name: str, features: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        shape = self.shapes[name]
        if name not in features:
            raise InputError(f"feature {name} is missing; the detector takes {', '.join(self.shapes)}")
        array = np.asarray(features[name])
        if array.dtype.kind not in "fiu" or array.shape[1:] != shape or array.ndim != len(shape) + 1:
            raise InputError(
                f"feature {name} is {array.dtype}{list(array.shape)}, "
                f"expected float32[spans, {', '.join(map(str, shape))}]"
            )
        with np.errstate(over="ignore"):
            converted = np.ascontiguousarray(array, dtype=np.float32)
        if not np.isfinite(converted).all():
            raise InputError(f"feature {name} holds numbers that are not finite; its hidden states are broken")
        return converted

    def _check_session(self, bundle: Bundle) -> None:
        got = {entry.name: tuple(entry.shape[1:]) for entry in self._session.get_inputs()}
        outputs = [entry.name for entry in self._session.get_outputs()]
        if got != self.shapes or outputs != ["logit"]:
            raise BundleCorrupt(
                f"{bundle.path / NETWORK} takes {got} and gives {outputs}, but the manifest says "
                f"{self.shapes} and ['logit']; build the bundle again"
            )


def _wanted(providers: Any) -> list[str]:
    """Returns the providers that this machine has, without the CPU."""
    expected = f"providers must be a list of names such as [{_CUDA!r}]"
    if isinstance(providers, str | bytes) or not isinstance(providers, Sequence):
        raise WrongType(f"{expected}, got {type(providers).__name__}.")
    known, available = onnxruntime.get_all_providers(), onnxruntime.get_available_providers()
    for name in providers:
        if not isinstance(name, str):
            raise WrongType(f"{expected}; this one holds {type(name).__name__}.")
        if name not in known:
            by_stem = {_stem(each): each for each in known}
            near = [by_stem[stem] for stem in get_close_matches(_stem(name), by_stem)]
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            raise InputError(f"Unknown execution provider {name!r}.{hint} Available here: {', '.join(available)}.")
        if name not in available:
            _tell_missing(name)
    return [name for name in providers if name in available and name != _CPU]


def _stem(provider: str) -> str:
    return re.sub(r"executionproviders?$", "", provider.casefold())


@cache
def _tell_missing(provider: str) -> None:
    _LOGGER.warning(
        "onnxruntime has no %s here, so the detector runs without it; install the onnxruntime that has it (for CUDA, "
        "in a clone of Reticent %s)",
        provider,
        install_line("gpu"),
    )


def _second_look_range(bundle: Bundle, calibration: Calibration) -> tuple[float, float]:
    """Returns the range of probabilities that need a second look, moved from the bundle's prevalence to this one."""
    stated = bundle.feature_options.get("doubt", (0.0, 1.0))
    try:
        low, high = (float(end) for end in stated)
    except (TypeError, ValueError):
        low, high = math.nan, math.nan
    if not 0.0 <= low <= high <= 1.0:
        raise BundleCorrupt(f"{bundle.path}: the range of doubt is {stated!r}, expected two probabilities; train again")
    moved = logit_of(calibration.prevalence) - logit_of(bundle.calibration.prevalence)
    ends = np.array([low, high])
    with np.errstate(divide="ignore"):
        low, high = sigmoid(np.log(ends) - np.log1p(-ends) + moved).tolist()
    return low, high
