"""The attacks: each gives a window a score that is higher for members of the training data.

"Do LLMs Really Memorize Personally Identifiable Information?", section 4.4 and appendix C.1, names eight. The ninth is
what "PrivLM-Bench", appendix B.1, does to generators. To add an attack, write one function and one row of `ATTACKS`.
"""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from reticent_bench.audits.target import NotMeasurable, TokenScores
from reticent_detectors.errors import InputError

LEAST_LOG_PROB = math.log(5e-324)
"""Log-probability of a token that the model holds impossible, in nats; keeps all figures finite."""

_LEAST_DEVIATION = 1e-4

_Part = TypeVar("_Part")


@dataclass(frozen=True, slots=True)
class TokenFrequencies:
    """How often each token of the target's tokenizer occurs in a reference corpus.

    Attributes:
        counts: occurrences of each token id; ids that are missing occur 0 times.
        vocabulary_size: number of ids, for the smoothing.
    """

    counts: Mapping[int, int]
    vocabulary_size: int

    def __post_init__(self) -> None:
        if self.vocabulary_size < 1 or any(not 0 <= i < self.vocabulary_size for i in self.counts):
            raise InputError(
                f"Expected ids from 0 to {self.vocabulary_size - 1}, got others. Give the size of the vocabulary."
            )

    @classmethod
    def of_texts(cls, texts: Sequence[str], tokenizer: Callable[..., Any], vocabulary_size: int) -> TokenFrequencies:
        """The frequencies in texts, as the target's own tokenizer cuts them, without special tokens.

        Args:
            texts: public texts in the language of the windows; the more, the better.
            tokenizer: of transformers, or any function that takes `add_special_tokens` and gives `input_ids`.
            vocabulary_size: number of its ids.

        Raises:
            InputError: there is no text, or the tokenizer gives an id outside the vocabulary.
        """
        if not texts:
            raise InputError("Expected at least one reference text, got none. Give public texts.")
        cut = tokenizer(list(texts), add_special_tokens=False)["input_ids"]
        return cls(Counter(token for ids in cut for token in ids), vocabulary_size)

    def log_frequencies(self, token_ids: Sequence[int]) -> NDArray[np.float64]:
        """log((count + 1) / (total + vocabulary)) of each id, in nats [tokens]: Laplace smoothing."""
        counts = np.array([self.counts.get(i, 0) for i in token_ids], dtype=np.float64)
        return np.log((counts + 1) / (sum(self.counts.values()) + self.vocabulary_size))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the attacks know about a window. A part that nobody gathered is None or empty.

    Attributes:
        text: the window.
        scores: the target's scores of the window.
        reference: those of another model, which may have another tokenizer.
        pretrained: those of the model that the target was fine-tuned from.
        word_neighbours: the target's scores of variants with other words.
        value_neighbours: the target's scores of variants with other personal values.
        frequencies: token frequencies of a reference corpus.
        lowest_share: share of the tokens that Min-K% and Min-K%++ look at.
        bound: upper bound a of DC-PDD.
    """

    text: str
    scores: TokenScores
    reference: TokenScores | None = None
    pretrained: TokenScores | None = None
    word_neighbours: tuple[TokenScores, ...] = ()
    value_neighbours: tuple[TokenScores, ...] = ()
    frequencies: TokenFrequencies | None = None
    lowest_share: float = 0.2
    bound: float = 0.01

    def __repr__(self) -> str:
        return f"Evidence({len(self.text)} characters, {self.scores!r})"


def log_probs(scores: TokenScores) -> NDArray[np.float64]:
    """Log-probabilities in nats [tokens]; minus infinity becomes `LEAST_LOG_PROB`.

    Raises:
        InputError: no token was scored, or a log-probability is not a number or well above 0.
    """
    found = np.asarray(scores.log_probs, dtype=np.float64)
    if found.shape != (len(scores.token_ids),) or not len(found):
        raise InputError(
            f"Expected one log-probability for each of at least one token, got shape {found.shape} for "
            f"{len(scores.token_ids)} tokens. Score a longer window."
        )
    if not (found <= 1e-6).all():
        raise InputError("Expected log-probabilities of at most 0 nats, got others. Check what the target returns.")
    return np.clip(found, LEAST_LOG_PROB, 0.0)


def loss(scores: TokenScores) -> float:
    """Mean log-probability of the window's tokens, in nats: minus the loss. Yeom et al. 2018."""
    return float(log_probs(scores).mean())


def zlib_ratio(scores: TokenScores, text: str) -> float:
    """sum log p / bytes of the text as zlib compresses it, in nats a byte. Carlini et al. 2021.

    The numerator is a sum. The field's code divides the mean, which makes the score depend on the window's length;
    for windows of one length both rank alike.
    """
    return float(log_probs(scores).sum()) / len(zlib.compress(text.encode("utf-8")))


def reference_difference(scores: TokenScores, reference: TokenScores) -> float:
    """(sum log p - sum log p_ref) / tokens of the target, in nats a token. Carlini et al. 2021.

    With one tokenizer this is the difference of the mean losses. Sums are compared, since two tokenizers may cut
    the same text into different numbers of tokens.
    """
    return pretrained_reference_ratio(scores, reference) / len(scores.token_ids)


def neighbourhood(scores: TokenScores, neighbours: Sequence[TokenScores]) -> float:
    """Mean log-probability of the window minus the mean of that of its neighbours, in nats. Mattern et al. 2023.

    Raises:
        InputError: there is no neighbour.
    """
    if not neighbours:
        raise InputError("Expected at least one neighbour of the window, got none. Ask for variants.")
    return loss(scores) - float(np.mean([loss(other) for other in neighbours]))


def min_k(scores: TokenScores, share: float = 0.2) -> float:
    """Mean of the lowest `share` of the log-probabilities, in nats; at least one token. Shi et al. 2023."""
    return _lowest_mean(log_probs(scores), share)


def min_k_plus(scores: TokenScores, share: float = 0.2) -> float:
    """Mean of the lowest `share` of (log p - mean) / deviation, without unit; at least one token. Zhang et al. 2025.

    Mean and deviation are those of the log-probability over the vocabulary at that place.

    Raises:
        NotMeasurable: the target gave no means or deviations.
    """
    found = log_probs(scores)
    means, deviations = (np.asarray(part, dtype=np.float64) for part in (scores.means, scores.deviations))
    if means.shape != found.shape or deviations.shape != found.shape or not np.isfinite([means, deviations]).all():
        raise NotMeasurable(
            "Min-K%++ needs mean and deviation over the whole vocabulary, and the target gave none. "
            "Audit the checkpoint."
        )
    # A model that is certain, or that holds all tokens for equal, has no deviation: its own token then counts 0.
    return _lowest_mean((found - means) / np.maximum(deviations, _LEAST_DEVIATION), share)


def dc_pdd(scores: TokenScores, frequencies: TokenFrequencies, bound: float = 0.01) -> float:
    """Mean over first occurrences of min(a, -p log f), in nats. Zhang et al. 2024, section 3.

    p is the probability of the token and f its smoothed frequency. A token that the window repeats counts once, with
    the probability of its first occurrence.

    Args:
        scores: the target's scores of the window.
        frequencies: of the tokens in a reference corpus.
        bound: a, in nats. The authors choose it per model and data; their code begins with 0.01.

    Raises:
        InputError: the bound is not above 0.
    """
    if bound <= 0:
        raise InputError(f"Expected a bound above 0 nats, got {bound}. Start from 0.01.")
    _, first = np.unique(np.asarray(scores.token_ids), return_index=True)
    ids = [scores.token_ids[i] for i in first]
    terms = -np.exp(log_probs(scores)[first]) * frequencies.log_frequencies(ids)
    return float(np.minimum(bound, terms).mean())


def pretrained_reference_ratio(scores: TokenScores, pretrained: TokenScores) -> float:
    """log(p(x) / p_pretrained(x)) = sum log p - sum log p_pretrained, in nats. PrivLM-Bench, appendix B.1.

    The paper calls this LiRA. It is not: one model that saw no member takes the place of shadow models.
    """
    return float(log_probs(scores).sum() - log_probs(pretrained).sum())


def _lowest_mean(values: NDArray[np.float64], share: float) -> float:
    if not 0 < share <= 1:
        raise InputError(f"Expected a share of tokens above 0 and at most 1, got {share}. The papers take 0.2.")
    # 0.29 * 100 is 28.999...: the small addend keeps whole numbers whole.
    count = max(1, math.floor(share * len(values) + 1e-9))
    return float(np.sort(values)[:count].mean())


@dataclass(frozen=True, slots=True)
class Attack:
    """A row of the table.

    Attributes:
        name: as reports print it.
        source: the paper of the attack.
        needs: the field of `Sources` that it needs besides the target; empty if none.
        score: the score of a window, higher for members.
    """

    name: str
    source: str
    needs: str
    score: Callable[[Evidence], float]

    @property
    def field(self) -> str:
        """The name in lower-case letters, digits and _, under which an outcome holds the score."""
        words = self.name.lower().replace("++", " plus plus").replace("%", "")
        return re.sub(r"[^a-z0-9]+", "_", words)


def _given(part: _Part | None) -> _Part:
    if part is None:
        raise InputError("Expected the evidence that this attack needs, got none. Leave the attack out.")
    return part


ATTACKS = (
    Attack("loss", "Yeom et al. 2018", "", lambda e: loss(e.scores)),
    Attack("zlib", "Carlini et al. 2021", "", lambda e: zlib_ratio(e.scores, e.text)),
    Attack(
        "reference", "Carlini et al. 2021", "reference", lambda e: reference_difference(e.scores, _given(e.reference))
    ),
    Attack(
        "neighbourhood", "Mattern et al. 2023", "propose_words", lambda e: neighbourhood(e.scores, e.word_neighbours)
    ),
    Attack(
        "PII-aware neighbourhood",
        "Do LLMs Really Memorize Personally Identifiable Information?, appendix C.1",
        "propose_values",
        lambda e: neighbourhood(e.scores, e.value_neighbours),
    ),
    Attack("Min-K%", "Shi et al. 2023", "", lambda e: min_k(e.scores, e.lowest_share)),
    Attack("Min-K%++", "Zhang et al. 2025", "", lambda e: min_k_plus(e.scores, e.lowest_share)),
    Attack("DC-PDD", "Zhang et al. 2024", "frequencies", lambda e: dc_pdd(e.scores, _given(e.frequencies), e.bound)),
    Attack(
        "pre-trained reference ratio",
        "PrivLM-Bench, appendix B.1",
        "pretrained",
        lambda e: pretrained_reference_ratio(e.scores, _given(e.pretrained)),
    ),
)
