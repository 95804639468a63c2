"""How likely a host finds tokens when other people are asked about; see `reticent_detectors.renamed`."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from reticent_detectors.capture.recorder import TINY
from reticent_detectors.capture.taps import Taps

PLACES = 4096
"""Most tokens, padding included, in one forward pass."""


def under_other_names(
    taps: Taps, wanted: Sequence[tuple[Sequence[Sequence[int]], Sequence[int]]], places: int = PLACES
) -> list[list[list[float]]]:
    """Log-probabilities [K][T] of each span's tokens behind each text that a `Renamer` gave for it.

    Args:
        taps: on the host.
        wanted: (ids of the K texts, ids of the span's tokens [T]) of each span.
        places: most tokens in one forward pass, but for one text that is longer.

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
        read = taps.read(ids, mask, gather)
        for ((at, k), _, _), states in zip(part, read, strict=True):
            out[at][k] = states.probability.cpu().double().clamp_min(TINY).log().tolist()
    return out
