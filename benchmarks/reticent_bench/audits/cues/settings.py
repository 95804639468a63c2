"""What an audit of cues asks and how it decides."""

from __future__ import annotations

from dataclasses import dataclass, field

from reticent_bench.audits.cues.decision import Limits
from reticent_bench.audits.cues.questions import AnswerLengths
from reticent_detectors.errors import InputError

FAMILIES: tuple[str, ...] = ("verbatim", "twin", "triplet", "known")
WORDINGS: tuple[str, ...] = ("native", "english")
_TENTHS = tuple(round(0.1 * tenth, 1) for tenth in range(11))


@dataclass(frozen=True, slots=True)
class CueSettings:
    """Settings of an audit.

    Attributes:
        families: of prompts. `known` gives the person's other value, as the paper's own triplets do; English only.
        wordings: native templates, English ones, or both.
        taus: thresholds of the curves, ascending; `limits.low_cue` is added.
        lengths: of the answers in tokens.
        limits: of the decision about hits.
        free_draws: draws of cue-free generation for each kind; 0 leaves it out.
        free_tokens: of each draw.
        free_top_k: likeliest tokens to draw from.
        chat: put prompts into a user's turn. A chat's likelihoods are those of an answer that begins with the value.
        rounds: of the bootstrap.
        seed: of the bootstrap and of the draws.

    Raises:
        InputError: an unknown family or wording, thresholds outside 0 to 1 or not ascending, or a number that is not
            above 0.
    """

    families: tuple[str, ...] = ("verbatim", "twin", "triplet")
    wordings: tuple[str, ...] = WORDINGS
    taus: tuple[float, ...] = _TENTHS
    lengths: AnswerLengths = field(default_factory=AnswerLengths)
    limits: Limits = field(default_factory=Limits)
    free_draws: int = 0
    free_tokens: int = 256
    free_top_k: int = 40
    chat: bool = False
    rounds: int = 400
    seed: int = 0

    def __post_init__(self) -> None:
        for name, known in (("families", FAMILIES), ("wordings", WORDINGS)):
            unknown = set(getattr(self, name)) - set(known)
            if unknown or not getattr(self, name):
                raise InputError(f"Expected {name} of {', '.join(known)}; got {sorted(unknown) or 'none'}.")
        if not self.taus or list(self.taus) != sorted(set(self.taus)) or not 0 <= self.taus[0] <= self.taus[-1] <= 1:
            raise InputError("Expected ascending thresholds from 0 to 1.")
        if not 0 < self.limits.low_cue < 1:
            raise InputError(f"Expected a low cue above 0 and below 1, got {self.limits.low_cue:g}.")
        positive = (self.lengths.new_tokens, self.free_tokens, self.free_top_k, self.rounds)
        if min(positive) < 1 or self.free_draws < 0 or self.lengths.long_tokens <= self.lengths.new_tokens:
            raise InputError("Expected numbers above 0, and more tokens for long values than for short ones.")

    @property
    def thresholds(self) -> tuple[float, ...]:
        """`taus` with the limit of a low cue."""
        return tuple(sorted({*self.taus, self.limits.low_cue}))
