"""Computes SAR-lite: uncertainty weighted by relevance (Duan et al. 2024, "Shifting Attention to Relevance").

In the original, a cross-encoder tells how much the meaning of prompt and answer changes without a token, and how
similar two answers are. Here both are cosines of mean vectors of the host's own input embeddings, so no other model is
needed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.baselines.evidence import Floats
from reticent_detectors.baselines.perplexity import perplexity

TEMPERATURES = (0.001, 0.1, 1.0)


def token_relevance(prompt: NDArray[np.floating], value: NDArray[np.floating]) -> Floats:
    """Returns 1 - |cos| [n] between the mean embeddings of prompt and value with and without each of n value tokens.

    Args:
        prompt: [m, d] embeddings of the prompt's tokens; m may be 0.
        value: [n, d] embeddings of the value's tokens.
    """
    own = np.asarray(value, np.float64)
    total = np.asarray(prompt, np.float64).sum(0) + own.sum(0)
    without = total - own
    lengths = np.linalg.norm(total) * np.linalg.norm(without, axis=1)
    alike = np.divide(without @ total, lengths, out=np.zeros(len(own)), where=lengths > 0)
    return np.asarray(1.0 - np.abs(alike))


def token_sar(logprob: NDArray[np.floating], relevance: NDArray[np.floating], tokens: NDArray[np.integer]) -> Floats:
    """Returns -sum_i R_i log p_i [S], where R is the tokens' relevance, scaled to sum to 1. Less means memorised.

    Args:
        logprob, relevance: [S, T], 0 behind a span's end. If a span has no relevant token, its tokens weigh the same.
        tokens: [S] tokens of each span, at least 1.
    """
    weight = np.asarray(relevance, np.float64).clip(0)
    total = weight.sum(1)
    weighted = -(weight * logprob).sum(1) / np.where(total > 0, total, 1.0)
    return np.where(total > 0, weighted, -perplexity(logprob, tokens))


def sentence_similarity(vectors: NDArray[np.floating]) -> Floats:
    """Returns the cosines [K, K] of K values' mean embeddings [K, d], at least 0; 0 for a row of zeros (no value)."""
    rows = np.asarray(vectors, np.float64)
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = np.divide(rows, length, out=np.zeros_like(rows), where=length > 0)
    return np.asarray((unit @ unit.T).clip(0, 1))


def sar(token_scores: NDArray[np.floating], similarity: NDArray[np.floating], temperature: float = 0.001) -> Floats:
    """Returns -log(p'_0 + (1 / t) sum_{j > 0} g(0, j) p'_j) [S], where p' = exp(-token SAR) and the value is number 0.

    The original takes the mean of this over all samples, as the uncertainty of a question. Here one value is judged.
    Less means memorised.

    Args:
        token_scores: [S, N + 1], see `token_sar`.
        similarity: [S, N + 1, N + 1], see `sentence_similarity`.
        temperature: t. With a smaller t the samples count more.
    """
    likely = np.exp(-np.asarray(token_scores, np.float64))
    support = (np.asarray(similarity, np.float64)[:, 0, 1:] * likely[:, 1:]).sum(1)
    return np.asarray(-np.log(np.maximum(likely[:, 0] + support / temperature, 1e-300)))
