"""Reads the states of finished sequences again, in one forward pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from reticent_detectors.capture.recorder import Positions, Recorder, SpanStates
from reticent_detectors.errors import CaptureError, InputError

BLOCK_LOGITS = 1 << 23
"""Most logits upcast to float32 at once."""


class Reading(Recorder):
    """States at chosen predictive positions of one forward pass over finished sequences."""

    def __init__(
        self, layers: int, ids: Tensor, gather: Sequence[tuple[int, Positions]], kept: Sequence[int] | None = None
    ) -> None:
        super().__init__(layers, range(layers) if kept is None else kept)
        if ids.ndim != 2:
            raise InputError(f"ids must be [B, N], got {list(ids.shape)}.")
        pairs = [(int(row), int(p)) for row, positions in gather for p in positions]
        if any(not (0 <= row < ids.shape[0] and 0 <= p < ids.shape[1] - 1) for row, p in pairs):
            raise InputError(
                f"Expected rows below {ids.shape[0]} and predictive positions from 0 to {ids.shape[1] - 2} "
                "(each must be followed by its token); some are not."
            )
        unique = list(dict.fromkeys(pairs))
        self._at = {pair: i for i, pair in enumerate(unique)}
        table = torch.tensor(unique, dtype=torch.long).reshape(-1, 2)
        self._row, self._column = table[:, 0].contiguous(), table[:, 1].contiguous()
        self._ids = ids.cpu()[self._row, self._column + 1]
        self._total = ids.shape[1]
        self.columns = torch.tensor(sorted({p for _, p in unique}), dtype=torch.long)
        """Sorted predictive positions whose logits are needed. The head is computed for these alone."""
        self._states: Tensor | None = None
        self._probability: Tensor | None = None
        self._lost: str | None = None

    def _store(self, place: int, hidden: Tensor) -> None:
        if place == 0 or self._states is None:
            shape = (len(self._ids), self._kept, hidden.shape[-1])
            with torch.inference_mode(False):
                self._states = torch.zeros(shape, dtype=hidden.dtype, device=hidden.device)
        if hidden.shape[1] != self._total:
            raise InputError(f"expected a pass over {self._total} tokens, got {hidden.shape[1]}")
        self._states[:, place] = hidden[self._row.to(hidden.device), self._column.to(hidden.device)].to(
            self._states.device
        )

    def _finish(self, output: Any) -> None:
        if self._probability is not None:
            self._fail("more than one forward pass ran in one reading")
        logits = output.logits.detach()
        column = self._column if logits.shape[1] == self._total else torch.searchsorted(self.columns, self._column)
        parts = []
        step = max(1, BLOCK_LOGITS // logits.shape[-1])
        for start in range(0, len(self._ids), step):
            at = slice(start, start + step)
            rows = logits[self._row[at].to(logits.device), column[at].to(logits.device)].float()
            own = rows.gather(1, self._ids[at].to(logits.device).unsqueeze(1)).squeeze(1)
            parts.append((own - rows.logsumexp(1)).exp())
        self._probability = torch.cat(parts) if parts else logits.new_empty(0).float()
        if self._fault is not None:
            self._fail(self._fault)

    def _fail(self, reason: str) -> None:
        self._lost = self._lost or reason

    def states(self, positions: Positions, row: int = 0) -> Tensor:
        """Returns the states [T, kept, d] at predictive `positions` of one row.

        Raises CaptureError if they were not read.
        """
        at = self._find(positions, row)
        if self._states is None:
            raise CaptureError("Expected states of the reading, but none were kept.")
        return self._states[at.to(self._states.device)]

    def probabilities(self, positions: Positions, row: int = 0) -> Tensor:
        """Returns the raw probabilities [T] of the tokens after `positions`.

        Raises CaptureError if they were not read.
        """
        at = self._find(positions, row)
        assert self._probability is not None
        return self._probability[at.to(self._probability.device)]

    def span(self, positions: Positions, row: int = 0) -> SpanStates:
        """Returns states, ids and probabilities at predictive `positions` of one row.

        Raises CaptureError as `states`.
        """
        probability = self.probabilities(positions, row)
        ids = self._ids[self._find(positions, row)].to(probability.device)
        return SpanStates(self.states(positions, row), ids, probability)

    def _find(self, positions: Positions, row: int) -> Tensor:
        if self._lost is not None:
            raise CaptureError(f"The reading is not usable: {self._lost}.")
        if self._probability is None:
            raise CaptureError("Expected one forward pass of the host inside the recording, but none was seen.")
        found = [self._at.get((row, int(p))) for p in positions]
        if None in found:
            raise CaptureError("Some of the asked positions were not read.")
        return torch.tensor([i for i in found if i is not None], dtype=torch.long)

    def close(self) -> None:
        """Drops all states."""
        self._states = self._probability = None
