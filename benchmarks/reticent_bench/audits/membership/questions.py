"""The questions of the audit: one for each window, answered by the scores of all attacks.

An outcome holds numbers alone. Token ids and log-probabilities stay in memory, since ids are text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from reticent_bench.audits.membership.attacks import ATTACKS, Attack, Evidence, TokenFrequencies
from reticent_bench.audits.membership.neighbours import Proposer, SameShape, value_neighbours, word_neighbours
from reticent_bench.audits.membership.windows import Passage, Tokenize, word_tokens
from reticent_bench.audits.target import NotMeasurable, Target, TokenScores, why_unscored
from reticent_detectors.errors import InputError


@dataclass(frozen=True, slots=True)
class MembershipSettings:
    """Numbers of the audit; the defaults are the papers'.

    Attributes:
        least_tokens: fewest tokens of a window.
        most_tokens: most tokens of a window.
        variants: neighbours of a window, for each of the two neighbourhood attacks.
        masked_share: share of a window's words that a neighbour replaces.
        span_words: most words of a masked span.
        lowest_share: share of the tokens that Min-K% and Min-K%++ look at.
        dc_pdd_bound: upper bound a of DC-PDD, in nats.
        blind_margin: how far above 0.5 the blind classifier's interval may reach.
        rounds: draws of people for each interval.
        null_rounds: permutations for the null distribution.
        seed: of neighbours, folds, intervals and permutations.

    Raises:
        InputError: one of them is out of range.
    """

    least_tokens: int = 50
    most_tokens: int = 150
    variants: int = 10
    masked_share: float = 0.2
    span_words: int = 3
    lowest_share: float = 0.2
    dc_pdd_bound: float = 0.01
    blind_margin: float = 0.05
    rounds: int = 400
    null_rounds: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        counts = (self.least_tokens, self.variants, self.span_words, self.rounds, self.null_rounds)
        if min(counts) < 1 or self.most_tokens < self.least_tokens or self.seed < 0:
            raise InputError(
                "Expected counts of at least 1, a seed of at least 0 and least_tokens <= most_tokens, got others. "
                "Correct the settings."
            )
        if not (0 < self.masked_share <= 0.5 and 0 < self.lowest_share <= 1 and self.dc_pdd_bound > 0):
            raise InputError(
                f"Expected 0 < masked_share <= 0.5, 0 < lowest_share <= 1 and 0 < dc_pdd_bound, got "
                f"{self.masked_share}, {self.lowest_share} and {self.dc_pdd_bound}. Correct the settings."
            )


@dataclass(frozen=True, slots=True)
class Sources:
    """What attacks need besides the target. Attacks whose part is None are not run, and the result says so.

    Attributes:
        reference: another model of the target's size.
        pretrained: the model that the target was fine-tuned from.
        propose_words: fills masked words, for the neighbourhood attack.
        propose_values: replaces personal values, for the PII-aware neighbourhood attack.
        frequencies: token frequencies of a reference corpus, for DC-PDD.
        tokenize: spans of the tokens of a text, for the limits of the windows.
    """

    reference: Target | None = None
    pretrained: Target | None = None
    propose_words: Proposer | None = None
    propose_values: Proposer | None = field(default_factory=SameShape)
    frequencies: TokenFrequencies | None = None
    tokenize: Tokenize = word_tokens

    def models(self) -> list[Target]:
        """The models besides the target."""
        return [model for model in (self.reference, self.pretrained) if model is not None]


_MISSING = {
    "reference": "no reference model was given",
    "pretrained": "no pre-trained model was given",
    "propose_words": "no proposer of words was given",
    "propose_values": "no proposer of values was given",
    "frequencies": "no token frequencies were given; they take reference texts and a folder's tokenizer",
}
"""Why an attack is not run, by the field of `Sources` that it needs."""


def choose_attacks(sources: Sources) -> tuple[list[Attack], dict[str, str]]:
    """The attacks that the sources allow, and the reason of each other one."""
    missing = {name for name in _MISSING if getattr(sources, name) is None}
    chosen = [attack for attack in ATTACKS if attack.needs not in missing]
    return chosen, {attack.name: _MISSING[attack.needs] for attack in ATTACKS if attack.needs in missing}


_AFTERWARDS = ("blind_margin", "rounds", "null_rounds")
"""Settings that no outcome depends on."""


def fingerprint(target: Target, sources: Sources, settings: MembershipSettings) -> str:
    """Eight hexadecimal digits of all that a window's outcome depends on besides the window.

    It goes into the keys, so that an attempt log gives no outcome of other settings, models or proposers.
    """
    frequencies = sources.frequencies
    parts = {
        "settings": {name: value for name, value in asdict(settings).items() if name not in _AFTERWARDS},
        "models": [target.name, *(m and m.name for m in (sources.reference, sources.pretrained))],
        "proposers": [p and p.name for p in (sources.propose_words, sources.propose_values)],
        "frequencies": frequencies and [frequencies.vocabulary_size, sum(frequencies.counts.values())],
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:8]


def question_key(settings_print: str, member: bool, index: int, window: Passage) -> str:
    """The key of a window: its side, its index on that side, its length and offsets. It holds no text."""
    side = "member" if member else "non-member"
    start, end = window.values[0]
    return f"membership/{settings_print}/{side}/{index:06d}/{len(window.text)}.{start}-{end}"


def ask_window(
    target: Target,
    sources: Sources,
    settings: MembershipSettings,
    attacks: Sequence[Attack],
    window: Passage,
    rng: np.random.Generator,
) -> dict[str, Any]:
    """The outcome of a window: its count of tokens, and the score of each attack or None if it is not measurable.

    Every text is scored from its beginning, behind an empty prompt, so that no score counts the tokens of a prompt.
    """
    s = settings
    words = values = []
    if sources.propose_words is not None:
        words = word_neighbours(window, sources.propose_words, rng, s.variants, s.masked_share, s.span_words)
    if sources.propose_values is not None:
        values = value_neighbours(window, sources.propose_values, rng, s.variants)
    scores, *others = _scores(target, [window.text, *words, *values])
    evidence = Evidence(
        window.text,
        scores,
        reference=_other(sources.reference, window),
        pretrained=_other(sources.pretrained, window),
        word_neighbours=tuple(others[: len(words)]),
        value_neighbours=tuple(others[len(words) :]),
        frequencies=sources.frequencies,
        lowest_share=s.lowest_share,
        bound=s.dc_pdd_bound,
    )
    return {"tokens": len(scores.token_ids), **{attack.field: _score(attack, evidence) for attack in attacks}}


def check_scoring(models: Sequence[Target]) -> None:
    """Check that the models score text, before any is asked.

    Raises:
        NotMeasurable: one of them does not.
    """
    for model in models:
        if not model.scores_text:
            raise NotMeasurable(
                f"Membership inference needs the likelihood of given text, which is {why_unscored(model)} at "
                f"{model.name}. Audit the checkpoint, or a completion route that returns log-probabilities of the "
                "prompt."
            )


def logged_score(outcome: Mapping[str, Any], attack: Attack) -> float | None:
    """The score of an attack in an outcome.

    Raises:
        InputError: the outcome has none, such as one of an edited log.
    """
    if attack.field not in outcome:
        raise InputError(f"Expected a score of {attack.name} in a logged outcome, got none. Begin with an empty log.")
    found = outcome[attack.field]
    return None if found is None else float(found)


def _score(attack: Attack, evidence: Evidence) -> float | None:
    try:
        return attack.score(evidence)
    except NotMeasurable:
        return None


def _other(model: Target | None, window: Passage) -> TokenScores | None:
    return None if model is None else _scores(model, [window.text])[0]


def _scores(model: Target, texts: Sequence[str]) -> list[TokenScores]:
    found = model.scores([("", text) for text in texts])
    if len(found) != len(texts):
        raise InputError(f"Expected scores of {len(texts)} texts, got {len(found)}. Check the target.")
    return found
