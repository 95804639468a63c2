"""One run of an audit: its targets, its budget, its attempt log, and the report at its end."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from reticent import __version__
from reticent_bench.audits.blocks import BLOCK, BlockAttempt, KeyedAsk
from reticent_bench.audits.budget import BudgetSpent, MeteredTarget
from reticent_bench.audits.estimate import estimate_seconds
from reticent_bench.audits.open_targets import open_targets
from reticent_bench.audits.options import ON, AuditOptions
from reticent_bench.audits.planning import CostedTarget, Plan
from reticent_bench.audits.report import Limit, Report, exit_code
from reticent_bench.audits.report_files import write_report
from reticent_bench.audits.resumable_attempts import Ask, AttemptLog, Outcome, writing
from reticent_bench.audits.rounds import AskHangs, GatheredTarget
from reticent_bench.audits.served_target import TargetUnavailable, public_address
from reticent_bench.audits.target import REFUSED, Target, why_unscored
from reticent_bench.audits.targets import OtherModels, Targets
from reticent_bench.report.metrics import Interval
from reticent_bench.report.result import command_line, provenance
from reticent_detectors.long_runs.progress import Advance, duration, shown

_LOG_VERSION = 2
"""Of how outcomes are asked: logs of another version are not continued."""
_SMALL_BYTES = 1 << 22
_ADDRESS = re.compile(r"https?://[^\s'\"]+")

T = TypeVar("T")


Audit = Callable[[dict[str, Target], OtherModels, BlockAttempt], T]
"""What an audit is to a session: targets by column, the other models, and `attempt`, to its result."""


def plan_audit(targets: Targets, audit: Audit[T]) -> tuple[Plan, T]:
    """Plans an audit: what it will ask, and its result on empty answers. An adaptive audit may ask more."""
    plan = Plan()
    return plan, audit(*_planning(targets, plan), plan)


def run_audit(
    name: str,
    options: AuditOptions,
    audit: Audit[T],
    report: Callable[[T], Report],
    settings: dict[str, Any],
    say: Callable[[str], None],
    targets: Targets | None = None,
    key: bytes | None = None,
) -> int:
    """Runs an audit and writes its report; an interrupted one continues.

    Args:
        name: of the audit.
        audit: measures.
        report: makes the report of what was measured.
        settings: what the audit's outcomes depend on, besides the shared options; as JSON.
        say: takes lines for the user.
        targets: targets that are open already; without them, they are opened as the options say.
        key: of the attempt log, if `settings` depend on it; see `draw_key`.

    Returns:
        The exit code: 0; 1 above a limit; 3 if the budget was spent, a server failed, a question hung, or a limit could
        not be measured.
    """
    with open_targets(options) if targets is None else nullcontext(targets) as targets:
        plan, empty_result = plan_audit(targets, audit)
        names = tuple(report(empty_result).figures)
        limits = [Limit.parse(text, names) for text in options.fail_above]
        say(f"{name}: {plan.sentence()}.")
        if plan.too_long:
            say(plan.too_long)
        if options.judge is not None:
            say("The judge is asked once about each value that the rules leave open. How many there are is not known.")
        if options.plan:
            say(f"About {duration(estimate_seconds(plan))}, by a few short batches. Nothing was written.")
            say("The same command without --plan starts it; interrupted, it continues.")
            return 0
        asked = {
            **_settings(name, options),
            **settings,
            "targets": [each.target.name for each in targets.columns.values()],
            # A server that tells less than before would be audited in another way.
            "scores_text": [each.target.scores_text for each in targets.columns.values()],
        }
        log = AttemptLog(options.out, asked, options.budget, options.reveal, key, plan.costs)
        metered = targets.mapped(
            lambda each: GatheredTarget(MeteredTarget(each.target, options.budget, each.count_tokens))
        )
        notes = [each.note for each in targets.columns.values() if each.note]
        notes += [*_unscored(targets), *([plan.too_long] if plan.too_long else [])]
        try:
            with shown("attempt") as advance:
                found = report(audit(*metered, _Shown(name, log, plan.planned, advance)))
        except (BudgetSpent, TargetUnavailable, AskHangs) as stopped:
            say(f"Incomplete: {stopped}")
            empty = Report(name, f"{name.capitalize()} audit", (f"Incomplete: {len(log)} attempts are kept.",), ())
            found = replace(empty, figures=dict.fromkeys(names), complete=False)
        finally:
            log.close()
    budget = options.budget
    spent = {"calls": budget.calls, "tokens": budget.tokens, "seconds": round(budget.used_seconds(), 1)}
    made_by = provenance(_command(), options.seed, ("httpx", "scikit-learn", "scipy")) | {"spent": spent}
    figures = {**dict.fromkeys(names), **found.figures}
    found = replace(found, sentences=(*found.sentences, *notes), figures=figures, provenance=made_by)
    return conclude(options.out, found, limits, say)


def conclude(out: Path, found: Report, limits: Sequence[Limit], say: Callable[[str], None]) -> int:
    """Writes a report, and says its headline figures.

    Args:
        out: folder of the report.
        found: with its provenance.
        limits: of figures.
        say: takes lines for the user.

    Returns:
        The exit code, see `report.exit_code`.

    Raises:
        InputError: the folder cannot be written.
    """
    found = replace(found, figures=_measured(found.figures))
    with writing(out):
        write_report(out, found, limits)
    for figure, value in found.figures.items():
        say(
            f"{figure}: "
            + ("not measurable" if value is None else f"{value.value:.3f} [{value.low:.3f}, {value.high:.3f}]")
        )
    say(f"{out / 'report.html'}")
    return exit_code(found, limits)


class _Shown:
    """The attempts of a log, with the progress of what is really asked."""

    def __init__(self, name: str, log: AttemptLog, planned: int, advance: Advance) -> None:
        self._name, self._log, self._planned, self._advance = name, log, planned, advance
        self._before, self._asked = len(log), log.asked

    def __call__(self, key: str, ask: Ask) -> Outcome:
        """The outcome of one attempt."""
        outcome = self._log.attempt(key, ask)
        self._report_progress()
        return outcome

    def attempts(self, tasks: Sequence[KeyedAsk]) -> list[Outcome]:
        """The outcomes of attempts that are asked in blocks."""
        return self._log.attempts(tasks, self._report_progress)

    def _report_progress(self) -> None:
        if self._log.asked > self._asked:
            self._asked = self._log.asked
            done = len(self._log) - self._before
            self._advance(self._name, done, max(self._planned - self._before, done))


def _unscored(targets: Targets) -> Iterator[str]:
    """A sentence for each column whose guard refuses likelihoods."""
    for name, column in targets.columns.items():
        if not column.target.scores_text and why_unscored(column.target) == REFUSED:
            yield f"Likelihoods of given texts are {REFUSED} of {column.target.name} (column {name})."


def _measured(figures: Mapping[str, Interval | None]) -> dict[str, Interval | None]:
    """The figures, with None for a share of nothing."""
    return {name: None if value is None or not math.isfinite(value.value) else value for name, value in figures.items()}


def _planning(targets: Targets, plan: Plan) -> tuple[dict[str, Target], OtherModels]:
    """Targets that answer nothing, and count in a plan."""
    return targets.mapped(lambda each: CostedTarget(each.target, plan, each.count_tokens))


def _settings(name: str, options: AuditOptions) -> dict[str, Any]:
    """What outcomes depend on: names, and digests of the named files and folders."""
    files = {field: getattr(options, field) for field in ("bundle", "policy", "records")}
    if options.logprobs_bundle is not None:  # earlier versions have no such key
        files["logprobs_bundle"] = options.logprobs_bundle
    base = options.base_model
    return {
        "audit": name,
        "target": public_address(options.target) if options.is_served else digest(Path(options.target)),
        "model": options.model,
        "guarded": _addresses(options.guarded or {}),
        "columns": sorted(options.guard_columns),
        "base_model": digest(Path(base)) if base is not None and Path(base).is_dir() else base,
        "reference_model": None if options.reference_model is None else digest(options.reference_model),
        "dtype": options.number_type,
        "seed": options.seed,
        "version": __version__,
        "log_version": _LOG_VERSION,
        "block": BLOCK,
        **{field: None if path is None else digest(path) for field, path in files.items()},
    }


def _addresses(guarded: Mapping[str, str]) -> str | dict[str, str] | None:
    """Addresses of guards without what may be secret. That of `on` alone has no name, as earlier versions wrote it."""
    public = {name: public_address(url) for name, url in guarded.items()}
    return public.get(ON) if public.keys() <= {ON} else public


def digest(path: Path) -> str:
    """Digest of a file's contents, or of a folder: small files' contents, and names, sizes and times of the others."""
    files = [path] if path.is_file() else sorted(each for each in path.iterdir() if each.is_file())
    state = hashlib.sha256()
    for file in files:
        found = file.stat()
        small = found.st_size <= _SMALL_BYTES
        state.update(f"{file.name} {found.st_size} {'' if small else found.st_mtime_ns}\n".encode())
        state.update(file.read_bytes() if small else b"")
    return state.hexdigest()


def _command() -> str:
    """The command line, with addresses freed of what may be secret."""
    return _ADDRESS.sub(lambda found: public_address(found[0]), command_line())
