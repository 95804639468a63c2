"""Chooses decisions of a log by kind, origin, action and time, and counts them by kind and time.

What is kept does not grow with the log, but for a count for each kind, origin and action, and for each hour.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from reticent.observability.decision_lines import DecisionLine
from reticent.policy.verdict import Action, Origin
from reticent_detectors.errors import InputError

INCIDENTS = frozenset({Action.FLAG, Action.REDACT, Action.BLOCK})
"""What counts as an incident: all that was not simply let pass."""
_AGO = re.compile(r"(\d{1,6})([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_LENGTHS = (("%Y-%m-%d %H:00", timedelta(days=2)), ("%Y-%m-%d", timedelta(days=31)), ("%Y-%m", timedelta(days=1000)))
_YEAR = "%Y"
"""Lengths of time to count by: the hour, day, month, where all is within so long, and the year."""


@dataclass(frozen=True, slots=True)
class Query:
    """Says which decisions are wanted.

    Args:
        kinds: in capitals. Empty takes all.
        origins: empty takes all.
        actions: what the policy asked for, also where `monitor: true` prevented it.
        since, until: from when on, and until before when.
    """

    kinds: frozenset[str] = frozenset()
    origins: frozenset[Origin] = frozenset()
    actions: frozenset[Action] = INCIDENTS
    since: datetime | None = None
    until: datetime | None = None

    def takes(self, line: DecisionLine) -> bool:
        """Says whether a decision is wanted."""
        return (
            line.wanted in self.actions
            and (not self.kinds or line.entity.upper() in self.kinds)
            and (not self.origins or line.origin in self.origins)
            and (self.since is None or line.time >= self.since)
            and (self.until is None or line.time < self.until)
        )


@dataclass(slots=True)
class Counts:
    """Counts decisions, and keeps the last ones.

    Args:
        last: the last decisions that were added, as many as fit.
        by_kind: number by kind, origin and what happened.
        first_time, last_time: the earliest and the latest, None before any.
    """

    last: deque[DecisionLine]
    by_kind: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    first_time: datetime | None = None
    last_time: datetime | None = None
    _by_hour: Counter[tuple[datetime, str]] = field(default_factory=Counter)

    def add(self, line: DecisionLine) -> None:
        """Counts a decision."""
        time = line.time
        self.by_kind[line.entity, str(line.origin), happened(line)] += 1
        self._by_hour[time.replace(minute=0, second=0, microsecond=0), line.entity] += 1
        self.first_time = time if self.first_time is None else min(self.first_time, time)
        self.last_time = time if self.last_time is None else max(self.last_time, time)
        self.last.append(line)

    @property
    def by_time(self) -> Mapping[str, Counter[str]]:
        """Gives the number of each kind by hour, day, month or year (UTC), by how far apart the decisions are."""
        rows: dict[str, Counter[str]] = {}
        if self.first_time is not None and self.last_time is not None:
            apart = self.last_time - self.first_time
            length = next((length for length, longest in _LENGTHS if apart <= longest), _YEAR)
            for (hour, kind), count in sorted(self._by_hour.items()):
                rows.setdefault(hour.strftime(length), Counter())[kind] += count
        return rows


def happened(line: DecisionLine) -> str:
    """Names what happened to a value: its action, or the one that `monitor: true` prevented."""
    return str(line.action) if line.would is None else f"would {line.would}"


def time_of(text: str, now: datetime) -> datetime:
    """Reads a time: as ISO 8601, in UTC unless it says otherwise, or as the time since then: `90m`, `24h`, `7d`, `2w`.

    Raises InputError for anything else.
    """
    try:
        if ago := _AGO.fullmatch(text):
            return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo is not None else time.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError:
        raise InputError("Expected a time from the year 1 to 9999.") from None
    except ValueError:
        raise InputError(
            "A time is 2026-03-01, 2026-03-01T12:30 or 2026-03-01T12:30+01:00 (without a zone it is UTC), "
            "or how long ago it was: 90m, 24h, 7d, 2w."
        ) from None
