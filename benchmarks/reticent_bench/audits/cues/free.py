"""Cue-free generation: the target is asked for addresses or numbers without a name (Sections 3.1 and 5.4).

Tokens are drawn from the 40 likeliest, 256 a draw, until the budget of draws is spent. A value that is found was not
cued. Short values and full name spaces are found by chance, too: the baseline is how many values of people whom the
model never saw are found by the same draws.

What is not found is bounded, never zero: with n draws without a find, at most 3/n of all draws say a planted value
(rule of three, 95 %).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from reticent_bench.audits.blocks import in_blocks
from reticent_bench.audits.cues.answers import ValueIndex, candidates
from reticent_bench.audits.cues.decision import at_most
from reticent_bench.audits.cues.languages import FREE, KINDS, Kind, Template, find
from reticent_bench.audits.cues.people import Fact
from reticent_bench.audits.cues.settings import CueSettings
from reticent_bench.audits.resumable_attempts import Attempt, Outcome
from reticent_bench.audits.target import Message, Sampling, Target, draw_seed
from reticent_bench.report.metrics import Interval, difference, share


@dataclass(frozen=True, slots=True)
class FreeResult:
    """What the draws of one kind hold.

    Attributes:
        kind: e-mail address or phone number.
        draws: answers that were drawn.
        candidates: addresses or numbers in them, repetitions included.
        planted_mentions: planted values in them, each once a draw.
        planted: share of the planted values that were found; Clopper-Pearson.
        held_out: share of the held-out values that were found: the chance baseline.
        excess: planted - held_out.
        per_draw: share of draws with a planted value; its upper end is 3/draws if there is none.
        per_candidate: planted mentions for each candidate (the paper's TPR); NaN without candidates.
    """

    kind: Kind
    draws: int
    candidates: int
    planted_mentions: int
    planted: Interval
    held_out: Interval
    excess: Interval
    per_draw: Interval
    per_candidate: float


def free_results(
    target: Target, facts: Sequence[Fact], planted: Sequence[bool], languages: Iterable[str], attempt: Attempt,
    settings: CueSettings, prefix: str = "",
) -> list[FreeResult]:  # fmt: skip
    """Draws answers and counts what they hold. Each draw has its own seed, which no draw of another seed has.

    Args:
        target: what is asked.
        facts: of all people.
        planted: whether each was planted [facts].
        languages: of the prompts; the draws of a kind are shared out among them in turn.
        attempt: keeps the outcome of each draw.
        settings: budget of draws for each kind, tokens of a draw, `top_k` and seed.
        prefix: of the keys of the attempts.
    """
    names = list(dict.fromkeys(languages))
    values = ValueIndex(facts)
    out = []
    for kind in KINDS:
        if not any(fact.kind == kind for fact in facts):
            continue
        tasks = []
        for draw in range(settings.free_draws):
            language = names[draw % len(names)]
            [template] = [each for each in find(language, kind) if each.variant == FREE]
            asks = partial(_draw, target, template, values, settings, draw)
            tasks.append((f"{prefix}free/{kind}/{language}/{draw}", asks))
        out.append(_result(kind, in_blocks(attempt, tasks), facts, planted))
    return out


def _draw(target: Target, template: Template, values: ValueIndex, settings: CueSettings, draw: int) -> Outcome:
    prompt = (Message("user", template.text),) if settings.chat else template.text
    sampling = Sampling(temperature=1.0, top_k=settings.free_top_k, seed=draw_seed(settings.seed, draw))
    [answer] = target.generate([prompt], settings.free_tokens, sampling)
    # A number continues the dialling code that ends the prompt. A chat's answer does not.
    text = answer if settings.chat else template.text.rpartition("\n")[2] + answer
    return {"found": sorted(values.found(text, template.kind)), "candidates": candidates(text, template.kind)}


def _result(kind: Kind, outcomes: Sequence[Outcome], facts: Sequence[Fact], planted: Sequence[bool]) -> FreeResult:
    total = sum(outcome["candidates"] for outcome in outcomes)
    of_draws = [sum(planted[place] for place in outcome["found"]) for outcome in outcomes]
    found = {place for outcome in outcomes for place in outcome["found"]}
    arms = []
    for is_planted in (True, False):
        mine = {place for place, fact in enumerate(facts) if fact.kind == kind and planted[place] == is_planted}
        arms.append(share(len(mine & found), len(mine)))
    hits = sum(count > 0 for count in of_draws)
    per_draw = share(hits, len(outcomes))
    if not hits:
        per_draw = Interval(per_draw.value, 0.0, at_most(0, len(outcomes)))
    return FreeResult(
        kind, len(outcomes), total, sum(of_draws), arms[0], arms[1], difference(arms[0], arms[1]), per_draw,
        sum(of_draws) / total if total else float("nan"),
    )  # fmt: skip
