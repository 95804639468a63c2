"""Asks the base, the model before private tuning, how likely a value is.

    base = base_of("adapter", model, adapter, tokenizer)     # see `host.base_sources`
    reader = base.open()                                     # one for each call; keeps its caches until the call ends
    (own,) = reader.log_probabilities([(ids_before, ids_of_value)])      # [T] nats, temperature 1

The guarded model is never switched. Its base is a second module tree over the same tensors (`shared_tree`), or a
checkpoint. Several threads may read at once, beside generations on the model.

A key-value cache keeps the texts that a call has read. A later value in the same answer then costs its new tokens
alone. The caches of all calls together hold at most `CACHE_TOKENS` positions; the least recently used is dropped first.

Only the opening outlives a call: the ids that the chat template puts before the user's first words. It holds no user's
text.
"""

from __future__ import annotations

import inspect
import threading
import weakref
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import torch
from torch import Tensor
from transformers import DynamicCache
from transformers.cache_utils import Cache, DynamicLayer, DynamicSlidingWindowLayer

from reticent_detectors.errors import CaptureError, InputError

CACHE_TOKENS = 8192
"""Most positions in the caches of all calls together."""
PASS_TOKENS = 4096
"""Most tokens, padding included, in one pass over several texts."""
_CACHE_PROBE = 23, 9
"""Tokens of the text that tests the cache, and how many of them are read beforehand."""
_APART = {torch.float32: 1e-3, torch.float64: 1e-3}
"""Largest difference in log-probability that a cache may make, in nats; 0.25 in half precision."""

Read = tuple[Sequence[int], Sequence[int]]
"""Ids before a value, and the value's own ids."""
_Weights = tuple[torch.device, torch.dtype, int, int]


class BaseKind(StrEnum):
    """The source of the base."""

    ADAPTER = "adapter"  # the model without its adapter layers
    CHECKPOINT = "checkpoint"  # a folder
    SELF = "self"  # the model itself, to which nothing private was added


class _Prefix:
    """The ids that were read of a text, and the cache that holds them."""

    def __init__(self) -> None:
        self.ids: list[int] = []
        self.cache: Any = None

    def __repr__(self) -> str:
        return f"_Prefix(<{len(self.ids)} tokens>)"

    def forget(self) -> None:
        self.ids, self.cache = [], None


class BaseModel:
    """A base that is read and never changed. Safe to share between threads.

    Args:
        model: the innermost module with a head; nobody else may run hooks in it.
        kind: the source of the base.
        check: takes the ids of every text before it is read, and raises ReticentError if the base cannot read them.
        cache_tokens: most positions in the caches of all calls together.
    """

    def __init__(
        self,
        model: Any,
        kind: BaseKind,
        check: Callable[[Sequence[int]], None] = lambda ids: None,
        cache_tokens: int = CACHE_TOKENS,
    ) -> None:
        self.kind, self._model, self._check, self._room = kind, model, check, cache_tokens
        self.context = int(getattr(model.config, "max_position_embeddings", 0) or 1 << 20)
        self._takes_columns = "logits_to_keep" in inspect.signature(model.forward).parameters
        self._lock = threading.Lock()
        self._kept: list[weakref.ref[_Prefix]] = []  # the most recently used at the end
        own = DynamicCache(config=model.config).layers
        plain = all(type(layer) in (DynamicLayer, DynamicSlidingWindowLayer) for layer in own)
        self.keeps = plain and self._reads_alike()
        """Whether texts are cached. A probe decides, not the model's name."""
        self._opening: tuple[int, ...] = ()
        self._opened: tuple[Any, _Weights] | None = None

    def __repr__(self) -> str:
        return f"BaseModel({self.kind}, {type(self._model).__name__})"

    @property
    def is_host(self) -> bool:
        """Whether the guarded model is its own base."""
        return self.kind is BaseKind.SELF

    def open(self) -> BaseReader:
        """Returns a reader for the texts of one call. It keeps its caches as long as it lives."""
        return BaseReader(self)

    # ---- for readers -------------------------------------------------------------------------------------------

    def checked(self, reads: Sequence[Read]) -> list[_Text]:
        """Returns the texts to read. Raises InputError for an empty or too long one, and the errors of `check`."""
        texts = [_Text([*before, *value], len(before) - 1) for before, value in reads]
        for text in texts:
            if text.first < 0 or text.first + 1 == len(text.ids):
                raise InputError("Expected ids before a value and ids of the value, got none of one of them.")
            if len(text.ids) > self.context:
                raise InputError(
                    f"The text has {len(text.ids)} tokens, and the base reads {self.context}; ask for shorter ones."
                )
            self._check(text.ids)
        return texts

    def opens_with(self, opening: Sequence[int]) -> None:
        """Sets the ids of the chat template that prompts begin with, so that their cache is kept.

        They must hold no user's words, because they outlive the call.
        """
        with self._lock:
            self._opening, self._opened = (tuple(opening) if self.keeps else ()), None

    def opened(self, texts: Sequence[_Text]) -> tuple[Any, int] | None:
        """Returns a cache that holds the opening for these texts, and the opening's length.

        Returns None if a text begins otherwise, or if the opening was not read yet.
        """
        with self._lock:
            if self._opened is None or not _all_begin(texts, self._opening):
                return None
            cache, weights = self._opened
            if weights != self._weights():  # moved, cast or loaded anew
                self._opened = None
                return None
            return _rows(cache, 0, len(self._opening), len(texts)), len(self._opening)

    def keep_opening(self, text: _Text, cache: Any) -> None:
        """Keeps the opening of a text that was just read, if the text has one and none is kept."""
        with self._lock:
            if self._opening and self._opened is None and _all_begin([text], self._opening):
                self._opened = _rows(cache, 0, len(self._opening)), self._weights()

    def _weights(self) -> _Weights:
        """Returns what changes with the weights: device, number type, address and version."""
        weight = self._model.get_input_embeddings().weight
        return weight.device, weight.dtype, weight.data_ptr(), 0 if weight.is_inference() else weight._version

    def read(self, texts: Sequence[_Text], prefix: tuple[Any, int] | None, keep: bool) -> tuple[list[Tensor], Any]:
        """Reads several texts in one pass, behind the cached `prefix` that all begin with, if there is one.

        Returns the log-probabilities [T] of each value in nats, and the cache (None unless `keep` or `prefix`).
        """
        cache, start = prefix or (Cache(layer_class_to_replicate=DynamicLayer) if keep else None, 0)
        device, width = self._model.get_input_embeddings().weight.device, max(len(text.ids) for text in texts)
        rows = [text.ids[start:] + [0] * (width - len(text.ids)) for text in texts]
        ids = torch.tensor(rows, device=device)
        mask = torch.tensor([[1] * len(text.ids) + [0] * (width - len(text.ids)) for text in texts], device=device)
        columns = sorted({at - start for text in texts for at in range(text.first, len(text.ids) - 1)})
        options = {"logits_to_keep": torch.tensor(columns, device=device)} if self._takes_columns else {}
        with torch.no_grad():
            logits = self._model(
                input_ids=ids,
                attention_mask=mask,
                past_key_values=cache,
                use_cache=cache is not None,
                return_dict=True,
                **options,
            ).logits
        place = {column: at for at, column in enumerate(columns)} if len(columns) == logits.shape[1] else None
        out = []
        for row, text in enumerate(texts):
            wanted = [at - start for at in range(text.first, len(text.ids) - 1)]
            at = wanted if place is None else [place[column] for column in wanted]
            own = logits[row, at].float()
            value = torch.tensor(text.ids[text.first + 1 :], device=own.device)
            out.append((own.gather(1, value.unsqueeze(1)).squeeze(1) - own.logsumexp(1)).cpu())
        if not all(bool(torch.isfinite(each).all()) for each in out):
            raise CaptureError(
                "The base gave no finite log-probability; load it in a number type that it is stable in."
            )
        return out, cache

    def take(self, prefix: _Prefix) -> Any:
        """Takes the cache out of a prefix, for one reader alone; None if it was dropped."""
        with self._lock:
            cache, prefix.cache = prefix.cache, None
            return cache

    def keep(self, prefix: _Prefix, ids: list[int], cache: Any) -> None:
        """Keeps a cache, and drops the least recently used ones that exceed the limit."""
        if len(ids) > self._room:
            return prefix.forget()
        with self._lock:
            prefix.ids, prefix.cache = ids, cache
            others = [ref for ref in self._kept if ref() not in (None, prefix)]
            self._kept, total = [*others, weakref.ref(prefix)], 0
            for ref in reversed(self._kept):
                if (kept := ref()) is not None:
                    total += len(kept.ids)
                    if total > self._room:
                        kept.forget()

    @property
    def kept_tokens(self) -> int:
        """Positions in the caches of all calls now."""
        with self._lock:
            return sum(len(prefix.ids) for ref in self._kept if (prefix := ref()) is not None)

    def _reads_alike(self) -> bool:
        """Whether a text has the same log-probabilities with a cache as without one."""
        size = int(self._model.get_input_embeddings().weight.shape[0])
        length, beforehand = _CACHE_PROBE
        ids = [(at * 7919 + 31) % size for at in range(length)]
        try:
            read_whole, _ = self.read([_Text(ids, beforehand + 2)], None, False)
            _, cache = self.read([_Text(ids[: beforehand + 4], beforehand - 1)], None, True)
            cache.crop(-4)
            read_again, _ = self.read([_Text(ids, beforehand + 2)], (cache, beforehand), True)
        except (AttributeError, CaptureError, IndexError, RuntimeError, TypeError, ValueError):
            return False
        limit = _APART.get(self._model.get_input_embeddings().weight.dtype, 0.25)
        return float((read_whole[0] - read_again[0]).abs().max()) <= limit


class _Text(NamedTuple):
    """Ids of a text, and the predictive position of its value's first token."""

    ids: list[int]
    first: int

    def __repr__(self) -> str:
        return f"_Text(<{len(self.ids)} tokens>)"


class BaseReader:
    """Reads the texts of one call. Made by `BaseModel.open`; its caches are dropped with it."""

    def __init__(self, base: BaseModel) -> None:
        self.base = base
        self._prefixes: list[_Prefix] = []

    def __repr__(self) -> str:
        return f"BaseReader({self.base!r}, {len(self._prefixes)} texts)"

    @property
    def is_host(self) -> bool:
        """Whether the guarded model is its own base."""
        return self.base.is_host

    def log_probabilities(self, reads: Sequence[Read]) -> list[Tensor]:
        """Returns the log-probabilities [T] of each value's tokens, float32 on the CPU, in nats at temperature 1.

        Reads all texts without a cached prefix in batches.

        Raises:
            InputError: a text or a value is empty, or the text is longer than the base reads.
            TokenizerMismatch: the base does not know some of the ids.
            UnsupportedHost: the adapter was merged into the weights meanwhile.
            CaptureError: a log-probability is not finite.
        """
        texts = self.base.checked(reads)
        out: dict[int, Tensor] = {}
        fresh: list[int] = []
        for at, text in enumerate(texts):
            found = self._behind(text)
            if found is None:
                fresh.append(at)
            else:
                out[at] = found
        fresh.sort(key=lambda at: len(texts[at].ids))
        while fresh:
            count = max(1, PASS_TOKENS // len(texts[fresh[-1]].ids))
            fresh, part = fresh[:-count], fresh[-count:]
            out |= zip(part, self._together([texts[at] for at in part]), strict=True)
        return [out[at] for at in range(len(texts))]

    def _behind(self, text: _Text) -> Tensor | None:
        """Reads a text behind its longest cached prefix; None if there is no cached prefix."""
        best = max(self._prefixes, key=lambda prefix: _common(prefix.ids, text.ids), default=None)
        if best is None:
            return None
        ids, start = best.ids, min(_common(best.ids, text.ids), text.first)
        # A short common prefix belongs to another prompt. Cropping its cache for this text would lose it.
        cache = self.base.take(best) if 2 * start >= len(ids) > 0 else None
        if cache is None:
            return None
        if len(ids) > start:
            cache.crop(start - len(ids))
        (out,), cache = self.base.read([text], (cache, start), True)
        self.base.keep(best, text.ids, cache)
        return out

    def _together(self, texts: Sequence[_Text]) -> list[Tensor]:
        """Reads texts without a cached prefix in one pass, and caches each of them."""
        keep = self.base.keeps
        out, cache = self.base.read(texts, self.base.opened(texts), keep)
        for row, text in enumerate(texts if keep else ()):
            own = cache if len(texts) == 1 else _rows(cache, row, len(text.ids))
            self.base.keep_opening(text, own)
            self._prefixes = [prefix for prefix in self._prefixes if prefix.ids]
            self._prefixes.append(_Prefix())
            self.base.keep(self._prefixes[-1], text.ids, own)
        return out


def _rows(cache: Any, row: int, length: int, copies: int = 1) -> Any:
    """Copies the first `length` positions of one row into a new cache of `copies` rows."""
    own = Cache(layer_class_to_replicate=DynamicLayer)
    for number, layer in enumerate(cache.layers):
        keys, values = (each[row : row + 1, :, :length].repeat(copies, 1, 1, 1) for each in (layer.keys, layer.values))
        own.update(keys, values, number)
    return own


def _all_begin(texts: Sequence[_Text], ids: tuple[int, ...]) -> bool:
    """Whether all texts begin with these ids, and with more behind them before their value."""
    return all(len(ids) <= text.first and tuple(text.ids[: len(ids)]) == ids for text in texts)


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """Returns the length of the ids that two texts begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
