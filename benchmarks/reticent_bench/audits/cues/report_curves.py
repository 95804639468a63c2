"""Curves over the cue in the report: hit rates, and log-likelihoods of the value given the prompt.

LL(tau) = mean(log P(value | prompt) | cue <= tau)        (Section 3.2), in nats a value and in nats a token
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from reticent_bench.audits.cues.curves import Point
from reticent_bench.audits.cues.result import CueAudit, Group
from reticent_bench.audits.report import Plot, Series, Table
from reticent_bench.report.metrics import Interval

_Figure = Callable[[Point], Interval]
_HIT_RATE: tuple[str, str, _Figure] = ("", "hit rate", lambda point: point.hit_rate)
_LIKELIHOODS: tuple[tuple[str, str, _Figure], ...] = (
    (": log-likelihood", "mean log-likelihood in nats", lambda point: point.log_likelihood),
    (": log-likelihood per token", "mean log-likelihood in nats a token", lambda point: point.per_token),
)


def plots(found: CueAudit) -> Iterator[Plot]:
    """Of each group the hit rate by cue and, where the target scores text, both log-likelihoods beside it."""
    for group in found.groups:
        yield _plot(group, *_HIT_RATE, lambda point: point.count)
        if any(point.scored for _, arm in _arms(group) for point in arm):
            yield from (_plot(group, *each, lambda point: point.scored) for each in _LIKELIHOODS)


def likelihood_tables(found: CueAudit) -> Iterator[Table]:
    """Log-likelihoods at each threshold of the cue; none if the target scores no text."""
    head = (
        "kind", "prompts", "wording", "people", "cue at most", "values scored", "people scored",
        "log-likelihood", "log-likelihood per token",
    )  # fmt: skip
    rows = tuple(
        (
            group.kind, group.family, group.wording, name, point.tau, point.scored, point.scored_people,
            tuple(point.log_likelihood), tuple(point.per_token),
        )
        for group in found.groups
        for name, arm in _arms(group)
        for point in arm
        if point.scored
    )  # fmt: skip
    note = (
        "Means in nats, of a value given its prompt, over values with a cue up to the threshold. "
        "Less negative is likelier. The interval is a bootstrap over people. "
        "Values without a likelihood do not count."
    )
    if rows:
        yield Table("Log-likelihood by cue", head, rows, note)


def _arms(group: Group) -> tuple[tuple[str, tuple[Point, ...]], ...]:
    measured = group.measures[0]
    return ("planted", measured.planted), ("held out", measured.held_out)


def _plot(group: Group, suffix: str, label: str, figure: _Figure, count: Callable[[Point], int]) -> Plot:
    series = []
    for name, arm in _arms(group):
        points = [point for point in arm if count(point)]
        values = [figure(point) for point in points]
        series.append(
            Series(
                name, tuple(point.tau for point in points), tuple(each.value for each in values),
                tuple(each.low for each in values), tuple(each.high for each in values),
            )
        )  # fmt: skip
    return Plot(f"{group.kind}, {group.family}, {group.wording}{suffix}", "cue at most", label, tuple(series))
