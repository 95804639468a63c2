"""What an audit of cues gives: numbers and intervals for tables, without any text of prompts, answers or values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reticent_bench.audits.cues.curves import Bin, Excess, Point
from reticent_bench.audits.cues.decision import ClassCount, Hit
from reticent_bench.audits.cues.free import FreeResult
from reticent_bench.audits.cues.guarded import GuardCell
from reticent_bench.audits.cues.languages import Kind
from reticent_bench.report.metrics import Interval


@dataclass(frozen=True, slots=True)
class Measured:
    """Curves by one measure of the cue.

    Attributes:
        measure: entity (the larger of share and local part), entity share, entity bounded, full or full bounded.
        planted, held_out: HR(tau) and LL(tau) of each arm.
        planted_bins, held_out_bins: disjoint bins of each arm.
        excess: HR_planted(tau) - HR_heldout(tau).
    """

    measure: str
    planted: tuple[Point, ...]
    held_out: tuple[Point, ...]
    planted_bins: tuple[Bin, ...]
    held_out_bins: tuple[Bin, ...]
    excess: tuple[Excess, ...]

    def excess_at(self, tau: float) -> Excess:
        """The excess at a threshold of the audit."""
        return next(each for each in self.excess if each.tau == tau)


@dataclass(frozen=True, slots=True)
class Group:
    """Prompts of one kind, family and wording. Long values are left out.

    Attributes:
        kind, family, wording: of the prompts.
        measures: curves by each measure. Hits are classified by the first, the entity-only cue.
        control: excess of the control by the entity-only cue; empty without a control.
    """

    kind: Kind
    family: str
    wording: str
    measures: tuple[Measured, ...]
    control: tuple[Excess, ...]


@dataclass(frozen=True, slots=True)
class LongValues:
    """Values that have more tokens than were asked for.

    Attributes:
        kind, planted: which.
        count: rows.
        exact: share said within the usual tokens, by borders an impossibility or nearly so.
        late: share said within more tokens.
    """

    kind: Kind
    planted: bool
    count: int
    exact: Interval
    late: Interval


@dataclass(frozen=True, slots=True)
class TemplateLine:
    """Hits of one template, summed over languages (the paper's Table 2).

    Attributes:
        kind, variant, wording, planted: which.
        asked: rows.
        exact: share of exact hits.
        other_spelling: rows that say the value only in another spelling.
    """

    kind: Kind
    variant: str
    wording: str
    planted: bool
    asked: int
    exact: Interval
    other_spelling: int


@dataclass(frozen=True, slots=True)
class LanguageLine:
    """Hits of one language (the paper's Table 1 and Appendices E and F).

    Attributes:
        language, kind, family, wording, planted: which.
        doubtful: a template waits for a reader.
        asked: rows.
        exact: share of exact hits.
        cue_of_hits: mean entity-only cue of the hits; NaN without one.
        cue_of_others: mean entity-only cue of all other rows; NaN without one.
    """

    language: str
    kind: Kind
    family: str
    wording: str
    planted: bool
    doubtful: bool
    asked: int
    exact: Interval
    cue_of_hits: float
    cue_of_others: float


@dataclass(frozen=True, slots=True)
class Collisions:
    """How often an answer about one person says a value of another, by chance or by heart.

    Attributes:
        kind: of the values.
        asked: answers.
        planted: share of answers with somebody else's planted value.
        held_out: share of answers with somebody else's held-out value: the chance baseline.
    """

    kind: Kind
    asked: int
    planted: Interval
    held_out: Interval


@dataclass(frozen=True, slots=True)
class CueAudit:
    """An audit's results.

    Attributes:
        target: its name.
        planted, held_out: people.
        questions: rows.
        likelihoods: rows with a likelihood; 0 means that likelihoods are not measurable.
        unknown_lengths: rows whose value's length in tokens is unknown, so that it may be censored.
        groups: curves and excess.
        long_values: values that are censored, apart.
        templates, languages: hits by template and by language.
        collisions: chance baseline of answers.
        hits: all hits, classified.
        classes: their counts.
        guard: verdicts by column and bin; empty without a guarded target.
        guard_low_cue: by column the four cells up to and above the limit of a low cue.
        free: cue-free generation; empty if it was left out.
    """

    target: str
    planted: int
    held_out: int
    questions: int
    likelihoods: int
    unknown_lengths: int
    groups: tuple[Group, ...]
    long_values: tuple[LongValues, ...]
    templates: tuple[TemplateLine, ...]
    languages: tuple[LanguageLine, ...]
    collisions: tuple[Collisions, ...]
    hits: tuple[Hit, ...]
    classes: tuple[ClassCount, ...]
    guard: Mapping[str, tuple[GuardCell, ...]]
    guard_low_cue: Mapping[str, tuple[GuardCell, ...]]
    free: tuple[FreeResult, ...]
