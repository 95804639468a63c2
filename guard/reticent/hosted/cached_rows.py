"""Reads several answers in one forward pass, each from where it was read to before.

Rows end in the same column. They are padded on the left, so the wanted end of each is in the same few columns, and the
head is computed for those alone. All rows read as many tokens as the one with the most new ones. The others read their
last ones again, which needs no padding between cache and text. Every host that can generate in batches supports
padding on the left, and a sliding window sees the same distances.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache
from transformers.cache_utils import Cache, DynamicLayer, DynamicSlidingWindowLayer

from reticent.huggingface.decoding import crop_cache
from reticent_detectors.capture import SpanStates, Taps
from reticent_detectors.errors import CaptureError, InputError

_WASTE = 1.25
"""Most tokens that a pass may read for each token that has to be read."""
_FREE_TOKENS = 32
"""Tokens of a pass up to which it costs about as much as a pass of one token."""
_PROBE_TOKENS = (23, 9, 16, 12)
_PROBE_READ = (17, 4, 0, 11)
_PROBE_APART = 1e-3


class CachedPrefix:
    """Holds one answer as far as it was read: its prompt, the ids in the cache, and the cache."""

    def __init__(self, prompt: Sequence[int]) -> None:
        self.prompt = list(prompt)
        self.ids: list[int] = []
        self.cache: Any = None

    def __repr__(self) -> str:
        return f"CachedPrefix({len(self.ids)} tokens)"

    def forget(self) -> None:
        """Frees the cache. The answer is then read from its beginning again."""
        self.ids, self.cache = [], None


class StateRequest:
    """Asks for states of one answer: its ids up to there, and the predictive positions that are needed.

    `prefix` is None for one that nothing goes on from.
    """

    def __init__(self, ids: list[int], positions: Sequence[int], prefix: CachedPrefix | None = None) -> None:
        self.ids, self.positions, self.prefix = ids, positions, prefix

    def __repr__(self) -> str:
        return f"StateRequest({len(self.ids)} tokens)"

    @property
    def before(self) -> list[int]:
        """Gives the ids before the first token that is asked about."""
        return self.ids[: self.positions[0] + 1]

    @property
    def start(self) -> int:
        """Gives the index of the first token that has to be read."""
        if self.prefix is None or self.prefix.cache is None:
            return 0
        same = 0
        for own, other in zip(self.ids, self.prefix.ids, strict=False):
            if own != other:
                break
            same += 1
        return min(same, self.positions[0])


def choose_batch(rows: Sequence[StateRequest], most: int, places: int) -> list[int]:
    """Chooses rows to read with the first: at most `most`, with at most `places` places of cache and padding.

    It leaves rows out if the longest one would make the others read much again.
    """
    chosen = [0]
    longest, new = len(rows[0].ids), len(rows[0].ids) - rows[0].start
    total = new
    for at, row in enumerate(rows[1:], 1):
        if len(chosen) == most:
            break
        count, own = len(chosen) + 1, len(row.ids) - row.start
        read = count * max(new, own)
        if count * max(longest, len(row.ids)) > places or read > max(_FREE_TOKENS, _WASTE * (total + own)):
            continue
        chosen.append(at)
        longest, new, total = max(longest, len(row.ids)), max(new, own), total + own
    return chosen


class RowReader:
    """Reads rows of one host.

    It tests whether the host reads batches and cut caches as it reads single texts: see `reads_batches`. If it does
    not, rows are read one by one.

    Args:
        taps: the taps on the host.
    """

    def __init__(self, taps: Taps) -> None:
        self._taps, self._config, self._memory = taps, taps.adapter.model.config, BatchMemory()
        own = DynamicCache(config=self._config).layers
        self._plain = all(type(layer) in (DynamicLayer, DynamicSlidingWindowLayer) for layer in own)
        self.reads_batches = self._plain and self._batches_agree()
        self._plain = self.reads_batches

    def __repr__(self) -> str:
        return f"RowReader(reads_batches={self.reads_batches})"

    def states(self, rows: Sequence[StateRequest]) -> list[SpanStates]:
        """Gives the states at each row's positions, and keeps what was read of it.

        Raises:
            InputError: positions that are none.
            CaptureError: the hooks did not see every layer.
        """
        if len(rows) == 1 or not self.reads_batches:
            return [self._read_one(row) for row in rows]
        return self._read_batch(rows)

    def _read_one(self, row: StateRequest) -> SpanStates:
        ids = torch.tensor([row.ids])
        if row.prefix is None:
            return self._taps.read(ids, None, [(0, row.positions)])[0]
        read, start = row.prefix, row.start
        cache = read.cache
        if cache is None or not crop_cache(cache, start):
            cache = self._empty()
        read.forget()  # whatever happens now, it is not half read
        states = self._taps.read_on(ids, None, cache, [(0, row.positions)])[0]
        read.ids, read.cache = row.ids, cache
        return states

    def _read_batch(self, rows: Sequence[StateRequest]) -> list[SpanStates]:
        width, new = max(len(row.ids) for row in rows), max(len(row.ids) - row.start for row in rows)
        shifts = [width - len(row.ids) for row in rows]
        ids = torch.tensor([[0] * shift + row.ids for shift, row in zip(shifts, rows, strict=True)])
        mask = torch.tensor([[0] * shift + [1] * len(row.ids) for shift, row in zip(shifts, rows, strict=True)])
        cache = self._memory.join_caches([(row.prefix, len(row.ids) - new) for row in rows], width - new, width)
        gather = [
            (at, [p + shift for p in row.positions]) for at, (shift, row) in enumerate(zip(shifts, rows, strict=True))
        ]
        states = self._taps.read_on(ids, mask, cache, gather)
        for at, row in enumerate(rows):
            if row.prefix is not None:
                _store_prefix(row, cache, at, new)
        return states

    def _empty(self) -> Any:
        """Makes a cache that keeps everything, so that it can be set back even if the host has a sliding window."""
        return Cache(layer_class_to_replicate=PreallocatedLayer) if self._plain else DynamicCache(config=self._config)

    def _batches_agree(self) -> bool:
        """Says whether a few short texts have the same states in a batch with a cache as each by itself without one."""
        vocabulary = self._taps.adapter.vocabulary
        texts = [[(at * 7919 + 31 * length) % vocabulary for at in range(length)] for length in _PROBE_TOKENS]
        wanted = [self._taps.read(torch.tensor([ids]), None, [(0, [len(ids) - 2])])[0] for ids in texts]
        reads = [CachedPrefix([]) for _ in texts]
        try:
            before = [
                StateRequest(ids[:end], [end - 2], read)
                for ids, end, read in zip(texts, _PROBE_READ, reads, strict=True)
                if end
            ]
            self._read_batch(before)
            got = self._read_batch(
                [StateRequest(ids, [len(ids) - 2], read) for ids, read in zip(texts, reads, strict=True)]
            )
        except (CaptureError, InputError, AttributeError, IndexError, RuntimeError, TypeError, ValueError):
            return False
        return all(_are_close(a.hidden, b.hidden) for a, b in zip(wanted, got, strict=True))


def _are_close(wanted: Tensor, got: Tensor) -> bool:
    apart = float((wanted.float() - got.float()).abs().max()) / float(wanted.float().abs().max())
    return apart <= _PROBE_APART * (1 if wanted.dtype in (torch.float32, torch.float64) else 50)


class PreallocatedLayer(DynamicLayer):
    """Holds one layer's keys and values with room behind them, so that reading on copies only what is new."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._buffer: tuple[Tensor, ...] = ()

    def fill(self, room: tuple[Tensor, Tensor], used: int) -> None:
        """Takes memory in which `used` positions are filled."""
        self._buffer, self.is_initialized = room, True
        self.keys, self.values = (each[:, :, :used] for each in room)

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        """Takes the keys and values of new tokens. Returns all."""
        states = (key_states, value_states)
        begin = self.get_seq_length() if self._buffer else 0
        end = begin + key_states.shape[-2]
        if not self._buffer or end > self._buffer[0].shape[-2]:
            before, size = self._buffer, end + end // 2
            self._buffer = tuple(each.new_empty((*each.shape[:2], size, each.shape[3])) for each in states)
            for room, old in zip(self._buffer, before, strict=False):
                room[:, :, :begin] = old[:, :, :begin]
        for room, new in zip(self._buffer, states, strict=True):
            room[:, :, begin:end] = new
        self.is_initialized = True
        self.keys, self.values = (room[:, :, :end] for room in self._buffer)
        return self.keys, self.values


class BatchMemory:
    """Keeps the memory in which the caches of a pass are side by side."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, str], Tensor] = {}

    def join_caches(self, parts: Sequence[tuple[CachedPrefix | None, int]], used: int, width: int) -> Any:
        """Joins caches of several rows: the first positions of each, at the end of `used`, with room up to `width`."""
        known = [(at, read.cache, length) for at, (read, length) in enumerate(parts) if read is not None and length > 0]
        cache = Cache(layer_class_to_replicate=PreallocatedLayer)
        for number, layers in enumerate(zip(*(cache.layers for _, cache, _ in known), strict=True)):
            pair = []
            for name in ("keys", "values"):
                given = [getattr(layer, name) for layer in layers]
                heads, size = given[0].shape[1], given[0].shape[3]
                room = self._reserve((number, name), given[0], (len(parts), heads, width, size))
                room[:, :, :used] = 0
                for (at, _, length), own in zip(known, given, strict=True):
                    room[at, :, used - length : used] = own[0, :, :length]
                pair.append(room)
            layer = PreallocatedLayer()
            layer.fill((pair[0], pair[1]), used)
            cache.layers.append(layer)
        return cache

    def _reserve(self, key: tuple[int, str], like: Tensor, shape: tuple[int, ...]) -> Tensor:
        size, kept = math.prod(shape), self._kept.get(key)
        if kept is None or kept.numel() < size:
            kept = self._kept[key] = like.new_empty(size)
        return kept[:size].view(shape)


def _store_prefix(row: StateRequest, cache: Any, at: int, new: int) -> None:
    """Notes what was read of a row in a cache of several rows, whose last `new` columns are new."""
    assert row.prefix is not None
    own, kept = row.prefix.cache, max(0, len(row.ids) - new)
    row.prefix.forget()
    if own is None or not crop_cache(own, kept):
        own, kept = Cache(layer_class_to_replicate=PreallocatedLayer), 0
    for number, layer in enumerate(cache.layers):
        first = layer.keys.shape[2] - len(row.ids) + kept
        own.update(layer.keys[at : at + 1, :, first:], layer.values[at : at + 1, :, first:], number)
    row.prefix.ids, row.prefix.cache = row.ids, own
