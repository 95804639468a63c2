"""Computes the detector's inputs from hidden states: in which layer a value is decided, and how surely.

`topk_prob`, `inter`, `intra` and `token_prob` are PrivacyXray's (section 4.2), at the predictive position of the
span's first token. `pooled` covers every token of the span, because the first is often a constant such as "$".
All arrays are float32, with one row per span. None holds an id or a text.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Protocol, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from reticent_detectors.capture import SpanStates
from reticent_detectors.capture.recorder import TINY
from reticent_detectors.errors import CaptureError, InputError
from reticent_detectors.features.derived_features import BASE_SHAPE, LOG_PROBABILITY, MARGIN, reads_inner
from reticent_detectors.features.name_swap import NAME_SWAP_SHAPE, name_swap_features
from reticent_kernels import LensOutput, token_cosines
from reticent_kernels.lens_output import concatenate

Features = dict[str, NDArray[np.float32]]

BLOCK_STATES = 1 << 24
"""Most numbers of hidden states passed to the lens at once: 64 MiB in float32."""
FLOOR = -100.0
"""Log-probabilities and margins are clipped here.

Smaller ones carry no information, and a padded id would give -inf.
"""


OUTPUT_SHAPES: dict[str, tuple[int, ...]] = {
    "token_prob": (3,),
    "token_logprob": (2, 3),
    "length": (1,),
    "base_logprob": BASE_SHAPE,
}


class LensHost(Protocol):
    """What features need of a host. `HostAdapter` has it, and so has the model of a running engine."""

    @property
    def num_layers(self) -> int: ...
    @property
    def hidden_size(self) -> int: ...
    @property
    def vocabulary(self) -> int: ...
    @property
    def input_embedding(self) -> Tensor: ...
    def lens(
        self,
        hidden: Tensor,
        k: int,
        chosen: Tensor | None = None,
        entropy: bool = False,
        norm: Literal["final", "none"] = "final",
    ) -> LensOutput:
        """Applies the logit lens to raw residual states [R, d] of any layer."""


@dataclass(frozen=True, slots=True)
class FeatureSpec:
    """The features to compute, recorded in the bundle. L below is the host's number of layers.

    `position="first"` gives the paper's four arrays. `"pooled"` (the default) adds `pooled`. `"output"` uses the
    model's own output for all tokens and projects no inner layer, which is many times cheaper.
    `norm="none"` skips the host's final norm in the lens, as the paper's formula does. `names` is the number of other
    names under which a span is read again for `renamed`; 0 leaves `renamed` out.
    """

    k: int = 10
    norm: Literal["final", "none"] = "final"
    position: Literal["pooled", "first", "output"] = "pooled"
    max_tokens: int = 32
    embedding: Literal["input"] = "input"
    names: int = 0

    def __post_init__(self) -> None:
        if self.k < 1 or self.max_tokens < 1:
            raise InputError(f"k and max_tokens must be at least 1, got {self.k} and {self.max_tokens}.")
        if not 0 <= self.names <= 16:
            raise InputError(f"names must be from 0 to 16, got {self.names}.")
        for name, value, allowed in (
            ("norm", self.norm, ("final", "none")),
            ("position", self.position, ("pooled", "first", "output")),
            ("embedding", self.embedding, ("input",)),
        ):
            if value not in allowed:
                raise InputError(f"{name} must be one of {', '.join(allowed)}, got {value!r}.")

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """Reads the spec from a bundle's options, and ignores all other options."""
        return cls(**{name: options[name] for name in cls.__slots__ if name in options})

    def shapes(self, num_layers: int) -> dict[str, tuple[int, ...]]:
        """Returns the shape of each array for one span, by name, in order."""
        name_swap = {"renamed": NAME_SWAP_SHAPE} if self.names else {}
        if self.position == "output":
            return {**OUTPUT_SHAPES, **name_swap}
        shapes: dict[str, tuple[int, ...]] = {
            "topk_prob": (num_layers, self.k),
            "inter": (num_layers - 1, self.k, self.k),
            "intra": (num_layers, self.k - 1),
            "token_prob": (3,),
        }
        shapes |= {"pooled": (num_layers, 4, 3)} if self.position == "pooled" else {}
        return shapes | name_swap

    @property
    def inner(self) -> bool:
        """Whether the features need states of layers below the last."""
        return self.position != "output"


def build_features(
    adapter: LensHost,
    spans: Sequence[SpanStates],
    spec: FeatureSpec,
    wanted: Collection[str] | None = None,
    margin: bool = True,
) -> Features:
    """Computes the features of S spans as arrays [S, ...] in the shapes of `spec.shapes`.

    They are deterministic and do not depend on the batch.

    - `topk_prob` [S, L, k]: lens probabilities of the k best tokens.
    - `inter` [S, L-1, k, k], `intra` [S, L, k-1]: cosines of their embeddings, see `token_cosines`.
    - `token_prob` [S, 3]: min, max and mean raw probability of the span's tokens.
    - `pooled` [S, L, 4, 3]: the emitted token's (log-probability, log(1 + rank), margin, entropy in nats) by
      (least, mean, most) over the span's tokens. Margin: its logit minus the best other token's.
    - If no inner layer is needed: `token_prob`, `token_logprob` [S, 2, 3], `length` [S, 1] and `base_logprob` [S, 4]
      alone; see `derived_features`. `base_logprob` is zeros, which `base_features` may replace.
    - `renamed` [S, 13], if the spec has `names`: zeros, which `compare_names` may replace.

    Only a span's first `max_tokens` tokens count.

    Args:
        adapter: the host.
        spans: states [T, L, d], ids and probabilities of each span; [T, K, d] of some layers, the last at the end, is
            enough if no inner layer is needed.
        spec: the features to compute.
        wanted: the detector's inputs. Arrays that it does not need may be left out. If it needs no inner layer, none is
            read, and `token_logprob` replaces `pooled`, from which `derive` would make it.
        margin: False sets the margins to 0 and does not project the last layer. The probabilities give the rest.

    Raises:
        InputError: a span has no token, or shapes do not fit the host.
        CaptureError: a state or a probability is not finite. Such a span must not be judged.
    """
    layers = adapter.num_layers
    inner = spec.inner if wanted is None else reads_inner(wanted)
    _check(adapter, spans, inner)
    if not spans:
        return {name: np.zeros((0, *shape), np.float32) for name, shape in spec.shapes(layers).items()}
    with torch.no_grad():
        features = _fetched(device_features(adapter, gather(spans, spec, inner), spec, inner, margin))
    if spec.names:
        features["renamed"] = np.zeros((len(spans), *NAME_SWAP_SHAPE), np.float32)
    for name, array in features.items():
        if not np.isfinite(array).all():
            raise CaptureError(f"Expected finite hidden states and probabilities; {name} came out not finite.")
    return features


def build_device_features(
    adapter: LensHost, spans: Sequence[SpanStates], spec: FeatureSpec, wanted: Collection[str], margin: bool = True
) -> dict[str, Tensor]:
    """Computes `build_features` for at least one span, and leaves the arrays on the device.

    The scorer has to check that they are finite. Raises InputError as `build_features` does.
    """
    inner = reads_inner(wanted)
    _check(adapter, spans, inner)
    with torch.no_grad():
        features = device_features(adapter, gather(spans, spec, inner), spec, inner, margin)
    if spec.names:
        features["renamed"] = next(iter(features.values())).new_zeros(
            (len(spans), *NAME_SWAP_SHAPE), dtype=torch.float32
        )
    return features


def _check(adapter: LensHost, spans: Sequence[SpanStates], inner: bool) -> None:
    layers, width = adapter.num_layers, adapter.hidden_size
    for span in spans:
        tokens = len(span.ids)
        kept = span.hidden.shape[1] if span.hidden.ndim == 3 and not inner else layers
        fits = 0 < kept <= layers and span.hidden.shape == (tokens, kept, width)
        if not (tokens and fits and span.probability.shape == (tokens,)):
            wanted = str(layers) if inner else f"1 to {layers}"
            raise InputError(
                f"A span needs states [T, {wanted}, {width}] and T >= 1 ids and probabilities, got "
                f"{list(span.hidden.shape)}, {list(span.ids.shape)} and {list(span.probability.shape)}."
            )


def compare_names(
    spans: Sequence[SpanStates], others: Sequence[Sequence[Sequence[float]]], spec: FeatureSpec
) -> Features:
    """Returns `renamed` [S, 13] of S spans; see `name_swap_features`.

    `others` holds the log-probabilities [K][T] of each span's tokens under other names; empty if no name was found.
    """
    if not spans:
        return {"renamed": np.zeros((0, *NAME_SWAP_SHAPE), np.float32)}
    kept = [span.probability[: spec.max_tokens] for span in spans]
    own = torch.cat(kept).cpu().double().clamp_min(TINY).log().split([len(each) for each in kept])
    read = [[row[: spec.max_tokens] for row in rows] for rows in others]
    return {"renamed": np.stack([name_swap_features(mine.tolist(), its) for mine, its in zip(own, read, strict=True)])}


def _fetched(arrays: Mapping[str, Tensor]) -> Features:
    """Copies the arrays [S, ...] to the CPU in float32, all at once, because each copy waits for the GPU."""
    joined_columns = torch.cat([array.flatten(1).float() for array in arrays.values()], dim=1).cpu()
    parts = joined_columns.split([array[0].numel() for array in arrays.values()], dim=1)
    return {
        name: part.reshape(array.shape).contiguous().numpy()
        for (name, array), part in zip(arrays.items(), parts, strict=True)
    }


class SpanBatch(NamedTuple):
    """The tokens of S spans, one span behind the other, on the device of their states."""

    hidden: Tensor
    """[T, L, d], or [T, 1, d] of the last layer alone. T is S if only first tokens are read."""
    ids: Tensor
    """[T]"""
    probability: Tensor
    """[P], of all tokens that count."""
    lengths: Tensor
    """[S]; number of entries of `probability` for each span."""


def gather(spans: Sequence[SpanStates], spec: FeatureSpec, inner: bool = True) -> SpanBatch:
    """Gathers the tokens of at least one span for `device_features`.

    Only the lengths are copied from the CPU, and nothing waits for them.
    """
    keep = spec.max_tokens if spec.position == "pooled" or not inner else 1
    layers = slice(None) if inner else slice(-1, None)
    hidden = torch.cat([span.hidden[:keep, layers] for span in spans])
    device = hidden.device
    lengths = torch.tensor([min(len(span.ids), spec.max_tokens) for span in spans], pin_memory=device.type == "cuda")
    return SpanBatch(
        hidden,
        torch.cat([span.ids[:keep].long() for span in spans]).to(device),
        torch.cat([span.probability[: spec.max_tokens].float() for span in spans]).to(device),
        lengths.to(device, non_blocking=True),
    )


def device_features(
    adapter: LensHost, batch: SpanBatch, spec: FeatureSpec, inner: bool = True, margin: bool = True
) -> dict[str, Tensor]:
    """Computes the arrays of `build_features` except `renamed`, on the device of the lens.

    Launches depend on shapes alone, so a CUDA graph can hold them.
    """
    if not inner:
        return _output_features(
            batch, _projected_margin(adapter, batch, spec) if margin else _recorded_log_probability(batch)
        )
    pooled = spec.position == "pooled"
    out = _lens(adapter, batch.hidden, batch.ids if pooled else None, spec)
    device = out.logsumexp.device
    lengths = batch.lengths.to(device)
    first = lengths.cumsum(0) - lengths if pooled else torch.arange(len(lengths), device=device)
    shape = (len(batch.ids), adapter.num_layers, -1)
    first_ids = out.topk_id.reshape(shape)[first, :, : spec.k]
    inter, intra = token_cosines(first_ids, adapter.input_embedding)
    probabilities = (out.topk_logit - out.logsumexp.unsqueeze(1)).exp().reshape(shape)
    arrays = {
        "topk_prob": probabilities[first, :, : spec.k],
        "inter": inter.to(device),
        "intra": intra.to(device),
        "token_prob": _token_prob(batch, lengths),
    }
    if pooled:
        arrays["pooled"] = _reduce_runs(_token_statistics(out).reshape(shape), lengths, ("min", "mean", "max"))
    return arrays


def layer_log_probabilities(adapter: LensHost, span: SpanStates, spec: FeatureSpec) -> list[list[float]]:
    """Returns the log-probabilities [T][L] of a span's tokens by the lens at each layer, in nats, at least `FLOOR`.

    Args:
        adapter: the host.
        span: states [T, L, d] of the span.
        spec: sets the norm of the lens, and how many tokens count.
    """
    hidden, ids = span.hidden[: spec.max_tokens], span.ids[: spec.max_tokens].long()
    with torch.no_grad():
        statistics = _token_statistics(_lens(adapter, hidden, ids.to(hidden.device), replace(spec, k=1)))
    rows: list[list[float]] = statistics[:, LOG_PROBABILITY].reshape(len(ids), -1).cpu().tolist()
    return rows


def _output_features(batch: SpanBatch, likelihoods: Tensor) -> dict[str, Tensor]:
    """Computes the features of the host's own output from log-probability and margin of the tokens, [P, 2]."""
    lengths = batch.lengths.to(likelihoods.device)
    return {
        "token_prob": _token_prob(batch, lengths),
        "token_logprob": _reduce_runs(likelihoods, lengths, ("min", "mean", "max")),
        "length": lengths.unsqueeze(1).float(),
        "base_logprob": lengths.new_zeros((len(lengths), *BASE_SHAPE), dtype=torch.float32),
    }


def _projected_margin(adapter: LensHost, batch: SpanBatch, spec: FeatureSpec) -> Tensor:
    """Returns log-probability and margin [P, 2] of all tokens, by the lens of the last layer."""
    statistics = _token_statistics(_lens(adapter, batch.hidden, batch.ids, replace(spec, k=1)))
    return torch.stack([statistics[:, LOG_PROBABILITY], statistics[:, MARGIN]], dim=1)


def _recorded_log_probability(batch: SpanBatch) -> Tensor:
    """Returns log-probability and margin [P, 2] from the probabilities alone; the margins are 0."""
    own = batch.probability.clamp_min(TINY).log().clamp(min=FLOOR)
    return torch.stack([own, torch.zeros_like(own)], dim=1)


def _token_prob(batch: SpanBatch, lengths: Tensor) -> Tensor:
    return _reduce_runs(batch.probability.to(lengths.device), lengths, ("min", "max", "mean"))


def _lens(adapter: LensHost, hidden: Tensor, ids: Tensor | None, spec: FeatureSpec) -> LensOutput:
    """Applies the lens to states [T, layers, d] of all tokens, in blocks of rows [T x layers, d]."""
    rows = hidden.flatten(0, 1)
    chosen = None if ids is None else ids.repeat_interleave(hidden.shape[1])
    step = max(1, BLOCK_STATES // rows.shape[1])
    k = max(spec.k, min(2, adapter.vocabulary))  # the margin needs a runner-up
    parts = []
    for start in range(0, len(rows), step):
        own = None if chosen is None else chosen[start : start + step]
        parts.append(adapter.lens(rows[start : start + step], k, own, entropy=own is not None, norm=spec.norm))
    return concatenate(parts)


def _token_statistics(out: LensOutput) -> Tensor:
    """Returns [rows, 4]: the chosen token's log-probability, log(1 + rank) and margin, and the entropy."""
    logit, rank, entropy = out.chosen_logit, out.chosen_rank, out.entropy
    assert logit is not None and rank is not None and entropy is not None
    rival = torch.where(rank == 0, out.topk_logit[:, min(1, out.topk_logit.shape[1] - 1)], out.topk_logit[:, 0])
    return torch.stack(
        [
            (logit - out.logsumexp).clamp(min=FLOOR),
            rank.float().log1p(),
            (logit - rival).clamp(FLOOR, -FLOOR),
            entropy,
        ],
        dim=1,
    )


def _reduce_runs(values: Tensor, lengths: Tensor, ways: Sequence[str]) -> Tensor:
    """Reduces consecutive runs of `values` [all tokens, ...] in every way, to [S, ..., ways]."""
    # unsafe: torch does not check the lengths, which would wait for a GPU.
    return torch.stack([torch.segment_reduce(values, way, lengths=lengths, unsafe=True) for way in ways], dim=-1)
