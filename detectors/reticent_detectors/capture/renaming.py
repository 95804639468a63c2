"""How likely a host finds tokens when other people are asked about; see `reticent_detectors.renamed`."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from reticent_detectors.capture.taps import Taps

BATCH = 64
TINY = 1e-44
"""Probabilities that float32 cannot hold count as this: e to the power of -101."""


def under_other_names(
    taps: Taps, wanted: Sequence[tuple[Sequence[Sequence[int]], Sequence[int]]], batch: int = BATCH
) -> list[list[list[float]]]:
    """Log-probabilities [K][T] of each span's tokens behind each text that a `Renamer` gave for it.

    Args:
        taps: on the host.
        wanted: (ids of the K texts, ids of the span's tokens [T]) of each span.
        batch: most texts in one forward pass.

    Raises:
        CaptureError: the hooks did not see every layer.
    """
    rows = [(at, before, tokens) for at, (texts, tokens) in enumerate(wanted) for before in texts]
    rows.sort(key=lambda row: len(row[1]) + len(row[2]))
    out: list[list[list[float]]] = [[] for _ in wanted]
    for first in range(0, len(rows), batch):
        part = rows[first : first + batch]
        width = max(len(before) + len(tokens) for _, before, tokens in part)
        ids = torch.zeros(len(part), width, dtype=torch.long)
        mask = torch.zeros_like(ids)
        for at, (_, before, tokens) in enumerate(part):
            length = len(before) + len(tokens)
            ids[at, :length] = torch.tensor([*before, *tokens])
            mask[at, :length] = 1
        gather = [
            (at, range(len(before) - 1, len(before) + len(tokens) - 1)) for at, (_, before, tokens) in enumerate(part)
        ]
        read = taps.read(ids, mask, gather)
        for (index, _, _), states in zip(part, read, strict=True):
            out[index].append(states.probability.double().clamp_min(TINY).log().tolist())
    return out
