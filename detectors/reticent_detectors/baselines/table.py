"""Lists all baselines, each with the features it needs and its scores for each setting. Add a baseline as a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from reticent_detectors.baselines.evidence import PREFIX, STATE, Floats
from reticent_detectors.baselines.factoscope import NEEDS, factoscope
from reticent_detectors.baselines.gradient_norm import ORDERS
from reticent_detectors.baselines.linear_probe import linear_probe
from reticent_detectors.baselines.min_k import SHARES, min_k
from reticent_detectors.baselines.min_k_plus import min_k_plus
from reticent_detectors.baselines.perplexity import perplexity
from reticent_detectors.baselines.reference import reference
from reticent_detectors.baselines.rows import Rows
from reticent_detectors.baselines.saplma import saplma
from reticent_detectors.baselines.sar import TEMPERATURES, sar, token_sar
from reticent_detectors.baselines.self_check import self_check
from reticent_detectors.baselines.zlib_ratio import zlib_ratio

LOGPROB, MEAN, DEVIATION, CONTROL, RELEVANCE, ZLIB, DRAWN, GRADIENT, AGREEMENT, TOKEN_SAR, SIMILARITY = (
    PREFIX + name
    for name in (
        "logprob",
        "mean",
        "deviation",
        "control",
        "relevance",
        "zlib",
        "drawn",
        "gradient",
        "agreement",
        "token_sar",
        "similarity",
    )
)

Variants = Iterator[tuple[str, Floats]]


@dataclass(frozen=True)
class Baseline:
    """A baseline: its features and its scores."""

    name: str
    needs: tuple[str, ...]
    """Prefixes of the names of the features it needs."""
    variants: Callable[[Rows], Variants]
    """Yields each setting's name and its scores [S] of all rows.

    Larger means memorised. An only setting has no name.
    """
    trained: bool = False
    """Whether it learns from the training rows."""

    @property
    def dear(self) -> bool:
        """Whether only drawn rows have scores, because the evidence is expensive."""
        return DRAWN in self.needs


def _perplexity(rows: Rows) -> Variants:
    yield "", perplexity(rows.column(LOGPROB), rows.tokens)


def _min_k(rows: Rows) -> Variants:
    for share in SHARES:
        yield f"k {share:.0%}", min_k(rows.column(LOGPROB), rows.tokens, share)


def _min_k_plus(rows: Rows) -> Variants:
    for share in SHARES:
        yield (
            f"k {share:.0%}",
            min_k_plus(rows.column(LOGPROB), rows.column(MEAN), rows.column(DEVIATION), rows.tokens, share),
        )


def _zlib(rows: Rows) -> Variants:
    yield "", zlib_ratio(perplexity(rows.column(LOGPROB), rows.tokens), rows.column(ZLIB)[:, 0])


def _reference(rows: Rows) -> Variants:
    for total in (False, True):
        scores = reference(rows.column(LOGPROB), rows.column(CONTROL), rows.tokens, total)
        yield "whole span" if total else "mean token", scores


def _token_sar(rows: Rows) -> Variants:
    yield "", -token_sar(rows.column(LOGPROB), rows.column(RELEVANCE), rows.tokens)


def _gradient(rows: Rows) -> Variants:
    for order, norms in zip(ORDERS, rows.column(GRADIENT).T, strict=True):
        yield f"order {order:g}", -norms.astype(float)


def _self_check(rows: Rows) -> Variants:
    yield "", self_check(rows.column(AGREEMENT))


def _sar(rows: Rows) -> Variants:
    for temperature in TEMPERATURES:
        yield f"t {temperature:g}", -sar(rows.column(TOKEN_SAR), rows.column(SIMILARITY), temperature)


BASELINES = (
    Baseline("perplexity", (LOGPROB,), _perplexity),
    Baseline("Min-K%", (LOGPROB,), _min_k),
    Baseline("Min-K%++", (LOGPROB, MEAN, DEVIATION), _min_k_plus),
    Baseline("zlib", (LOGPROB, ZLIB), _zlib),
    Baseline("reference model", (LOGPROB, CONTROL), _reference),
    Baseline("SAR-lite, tokens", (LOGPROB, RELEVANCE), _token_sar),
    Baseline("SAPLMA", (STATE,), saplma, trained=True),
    Baseline("LLM Factoscope", NEEDS, factoscope, trained=True),
    Baseline("linear probe, span-max", (STATE,), linear_probe, trained=True),
    Baseline("gradient norm", (DRAWN, GRADIENT), _gradient),
    Baseline("SelfCheckGPT-lite", (DRAWN, AGREEMENT), _self_check),
    Baseline("SAR-lite, samples", (DRAWN, TOKEN_SAR, SIMILARITY), _sar),
)
"""All baselines, in the order of the tables."""
