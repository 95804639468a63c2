"""Reads log-probabilities of a span under other people's names; see `reticent_detectors.features.name_swap`.

The texts of a span differ from the first name on. `read_under_other_names` is the plain form: it reads each text whole.
`NameSwapReader` reads the part before the first name once, or takes it from the cache of a generation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import pad
from transformers import DynamicCache
from transformers.cache_utils import Cache, DynamicLayer

from reticent_detectors.capture.beginning import Beginning, Layers, keeps_all
from reticent_detectors.capture.layer_hooks import Taps
from reticent_detectors.capture.probe import undisturbed
from reticent_detectors.capture.recorder import TINY
from reticent_detectors.errors import CaptureError, InputError

PLACES = 4096
"""Most tokens, padding included, in one forward pass."""
LEAST_SAVED = 128
"""A shared beginning is read by itself only if that saves this many tokens: they cost about one more pass."""
_PROBE_APART = 1e-3
"""Largest relative difference in log-probability on the probe, in float32; 20 times as much in shorter types."""


class SecondLook(NamedTuple):
    """A span to be read again under K other names."""

    texts: Sequence[Sequence[int]]
    """Ids of the text before the span, under each of the K names."""
    tokens: Sequence[int]
    """Ids [T] of the span's tokens."""
    before: Sequence[int]
    """Ids of the unchanged text before the span."""
    beginning: Beginning | None = None
    """The cache of a generation that has read `before`."""

    def __repr__(self) -> str:
        return f"SecondLook(<{len(self.texts)} texts, {len(self.tokens)} tokens>)"

    @property
    def shared(self) -> int:
        """Number of ids that all texts begin with.

        Leaves one token of each to read, which predicts the span's first.
        """
        for at, ids in enumerate(zip(self.before, *self.texts, strict=False)):
            if len(set(ids)) > 1:
                return at
        return max(0, min(len(self.before), *(len(text) - 1 for text in self.texts)))


class _SharedPrefix(NamedTuple):
    """A look whose first `length` tokens have been read into `layers`."""

    at: int
    look: SecondLook
    length: int
    layers: Layers

    @property
    def rest(self) -> int:
        """Most tokens of a text behind its beginning, with those of the span."""
        return max(map(len, self.look.texts)) - self.length + len(self.look.tokens)


class NameSwapReader:
    """Reads spans again under other names, and reads the beginning that their texts share once.

    A probe on short texts shows whether reading on from a beginning gives the same as reading whole texts (`shares`).
    If not, or if the host's cache drops tokens (a sliding window), every text is read whole. Threads may share a reader
    if they may share the host.
    """

    def __init__(self, taps: Taps) -> None:
        self._taps = taps
        config = taps.adapter.model.config
        self.shares = keeps_all(DynamicCache(config=config).layers) and self._prefix_reading_is_exact()

    def __repr__(self) -> str:
        return f"NameSwapReader(shares={self.shares})"

    def positions(self, look: SecondLook) -> int:
        """Returns how many positions a look reads behind the shared beginning. This is its cost."""
        shared = look.shared if self.shares else 0
        return sum(len(text) - shared + len(look.tokens) for text in look.texts)

    def __call__(self, looks: Sequence[SecondLook], places: int = PLACES) -> list[list[list[float]]]:
        """Returns log-probabilities [K][T] of each look's tokens behind each text, as `read_under_other_names` does.

        Raises:
            CaptureError: the hooks did not see every layer.
        """
        sharing = [each for at, look in enumerate(looks) if (each := self._with_prefix(at, look)) is not None]
        out: list[list[list[float]]] = [[] for _ in looks]
        while sharing:
            part, sharing = _next_batch(sharing, places)
            for each, rows in zip(part, self._read_on(part), strict=True):
                out[each.at] = rows
        without_prefix = [at for at, rows in enumerate(out) if not rows]
        read = read_under_other_names(
            self._taps, [(looks[at].texts, looks[at].tokens) for at in without_prefix], places
        )
        for at, rows in zip(without_prefix, read, strict=True):
            out[at] = rows
        return out

    def _with_prefix(self, at: int, look: SecondLook) -> _SharedPrefix | None:
        """Returns a look with its beginning, or None if reading whole texts is cheaper."""
        if not self.shares or not (length := look.shared):
            return None
        layers = None if look.beginning is None else look.beginning.layers(length)
        if layers is None and (len(look.texts) - 1) * length >= LEAST_SAVED:
            layers = self._taps.read_beginning(look.texts[0][:length])
        return None if layers is None else _SharedPrefix(at, look, length, layers)

    def _read_on(self, part: Sequence[_SharedPrefix]) -> list[list[list[float]]]:
        """Reads the texts behind their beginnings in one pass. Pads beginnings on the left, the rest on the right."""
        used, new = max(each.length for each in part), max(each.rest for each in part)
        rows = [(each, text) for each in part for text in each.look.texts]
        ids = torch.zeros(len(rows), new, dtype=torch.long)
        mask = torch.zeros(len(rows), used + new, dtype=torch.long)
        gather = []
        for at, (each, text) in enumerate(rows):
            behind = [*text[each.length :], *each.look.tokens]
            ids[at, : len(behind)] = torch.tensor(behind)
            mask[at, used - each.length : used + len(behind)] = 1
            gather.append((at, range(len(behind) - len(each.look.tokens) - 1, len(behind) - 1)))
        read = iter(self._taps.likelihoods(ids, mask, gather, _joined_cache(part, used)))
        return [[_log_probabilities(next(read)) for _ in each.look.texts] for each in part]

    def _prefix_reading_is_exact(self) -> bool:
        """Whether short texts behind two beginnings get the same log-probabilities as when they are read whole."""
        ids = [(at * 7919 + 31) % self._taps.adapter.vocabulary for at in range(24)]
        one, other = ids[:9], ids[3:8]
        looks = [
            SecondLook([[*one, *ids[12:14]], [*one, *ids[15:19]]], ids[20:23], one),
            SecondLook([[*other, *ids[10:12]], [*other, *ids[2:3]]], ids[22:24], other),
        ]
        try:
            with undisturbed(self._taps.adapter.model):
                begun = [
                    _SharedPrefix(at, look, len(ids), self._taps.read_beginning(ids))
                    for at, (look, ids) in enumerate(zip(looks, (one, other), strict=True))
                ]
                got = self._read_on(begun)
                wanted = read_under_other_names(self._taps, [(look.texts, look.tokens) for look in looks])
        except (CaptureError, InputError, AttributeError, IndexError, RuntimeError, TypeError, ValueError):
            return False
        exact = self._taps.adapter.input_embedding.dtype in (torch.float32, torch.float64)
        return _largest_difference(got, wanted) <= _PROBE_APART * (1 if exact else 20)


def read_under_other_names(
    taps: Taps, wanted: Sequence[tuple[Sequence[Sequence[int]], Sequence[int]]], places: int = PLACES
) -> list[list[list[float]]]:
    """Returns the log-probabilities [K][T] of each span's tokens behind each text that a `NameSwapper` gave for it.

    Args:
        taps: hooks on the host.
        wanted: (ids of the K texts, ids of the span's tokens [T]) of each span.
        places: most tokens in one forward pass, unless one text is longer.

    Raises:
        CaptureError: the hooks did not see every layer.
    """
    rows = [((at, k), before, tokens) for at, (texts, tokens) in enumerate(wanted) for k, before in enumerate(texts)]
    rows.sort(key=lambda row: len(row[1]) + len(row[2]))
    out: list[list[list[float]]] = [[[] for _ in texts] for texts, _ in wanted]
    while rows:
        width = len(rows[-1][1]) + len(rows[-1][2])
        rows, part = rows[: -max(1, places // width)], rows[-max(1, places // width) :]
        ids = torch.zeros(len(part), width, dtype=torch.long)
        mask = torch.zeros_like(ids)
        for at, (_, before, tokens) in enumerate(part):
            length = len(before) + len(tokens)
            ids[at, :length] = torch.tensor([*before, *tokens])
            mask[at, :length] = 1
        gather = [
            (at, range(len(before) - 1, len(before) + len(tokens) - 1)) for at, (_, before, tokens) in enumerate(part)
        ]
        for ((at, k), _, _), probability in zip(part, taps.likelihoods(ids, mask, gather), strict=True):
            out[at][k] = _log_probabilities(probability)
    return out


def _log_probabilities(probability: Tensor) -> list[float]:
    logs: list[float] = probability.cpu().double().clamp_min(TINY).log().tolist()
    return logs


def _largest_difference(got: Sequence[Sequence[Sequence[float]]], wanted: Sequence[Sequence[Sequence[float]]]) -> float:
    """Returns the largest difference as a share of the largest number, which counts as at least 1."""
    pairs = [(torch.tensor(mine), torch.tensor(other)) for mine, other in zip(got, wanted, strict=True)]
    return max(float((mine - other).abs().max()) for mine, other in pairs) / max(
        1.0, *(float(other.abs().max()) for _, other in pairs)
    )


def _next_batch(looks: Sequence[_SharedPrefix], places: int) -> tuple[list[_SharedPrefix], list[_SharedPrefix]]:
    """Splits off the looks of the next pass, at least one. Returns them and the rest."""
    rows = used = new = 0
    for count, each in enumerate(looks):
        rows, used, new = rows + len(each.look.texts), max(used, each.length), max(new, each.rest)
        if count and rows * (used + new) > places:
            return list(looks[:count]), list(looks[count:])
    return list(looks), []


def _joined_cache(part: Sequence[_SharedPrefix], used: int) -> Cache:
    """Returns a cache of `used` columns with a row for each text, whose last columns hold its beginning."""
    cache = Cache(layer_class_to_replicate=DynamicLayer)
    for number in range(len(part[0].layers)):
        pair = []
        for which in (0, 1):
            own = [
                pad(each.layers[number][which], (0, 0, used - each.length, 0)).expand(len(each.look.texts), -1, -1, -1)
                for each in part
            ]
            pair.append(own[0] if len(own) == 1 else torch.cat(own))
        cache.update(pair[0], pair[1], number)
    return cache
