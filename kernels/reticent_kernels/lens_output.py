"""Defines what a logit lens returns, and joins the outputs of blocks of rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor


class LensOutput(NamedTuple):
    """Result of a lens over R rows: float32 logits, int64 ids.

    A row without finite logits has a `logsumexp` of -inf.
    """

    topk_logit: Tensor
    """[R, k], descending."""
    topk_id: Tensor
    """[R, k]; among equal logits the smaller id comes first."""
    logsumexp: Tensor
    """[R], over the whole vocabulary."""
    chosen_logit: Tensor | None
    """[R]; bitwise equal to the top-k logit of the same id, if that id is in the top k."""
    chosen_rank: Tensor | None
    """[R]; number of ids before the chosen one (0 = most likely), with ties broken by id."""
    entropy: Tensor | None
    """[R], in nats."""


def concatenate(parts: list[LensOutput]) -> LensOutput:
    """Joins the outputs of consecutive blocks of rows."""
    if len(parts) == 1:
        return parts[0]
    columns: list[Any] = [None if column[0] is None else torch.cat(column) for column in zip(*parts, strict=True)]
    return LensOutput(*columns)
