"""One run of an audit: its targets, its budget, its attempt log, and the report at its end."""

from __future__ import annotations

import hashlib
import math
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from reticent import __version__
from reticent_bench.audits.attempts import Ask, Attempt, AttemptLog, Outcome, writing
from reticent_bench.audits.budget import BudgetSpent, MeteredTarget
from reticent_bench.audits.options import AuditOptions
from reticent_bench.audits.planning import Plan, PlanningTarget
from reticent_bench.audits.report import Limit, Report, exit_code, write_report
from reticent_bench.audits.served_target import TargetUnavailable, public_address
from reticent_bench.audits.target import REFUSED, Target, why_unscored
from reticent_bench.audits.targets import OtherModels, Targets, open_targets
from reticent_bench.report.metrics import Interval
from reticent_bench.report.result import command_line, provenance
from reticent_detectors.long_runs.progress import Advance, duration, shown

_PROBE_TOKENS, _PROBES = 8, 8
_PROBE_TEXT, _PROBE_TEXT_TOKENS = "Hello, who is there, and what is it?", 10
_SMALL_BYTES = 1 << 22
_ADDRESS = re.compile(r"https?://[^\s'\"]+")

T = TypeVar("T")


Audit = Callable[[dict[str, Target], OtherModels, Attempt], T]
"""What an audit is to a session: targets by column, the other models, and `attempt`, to its result."""


def plan_audit(targets: Targets, audit: Audit[T]) -> tuple[Plan, T]:
    """What an audit will ask, and its result on empty answers. One that goes on from what it is answered may ask more."""
    plan = Plan()
    return plan, audit(*_planning(targets, plan), plan.attempt)


def estimate_seconds(targets: Targets, plan: Plan) -> float:
    """About how long a plan takes, by eight answers to one of its prompts and eight texts as long as its own. This asks the targets."""
    seconds = 0.0
    if plan.answers:
        share = plan.new_tokens / plan.answers / _PROBE_TOKENS
        for column in targets.columns.values():
            began = time.perf_counter()
            column.target.generate([plan.prompt] * _PROBES, _PROBE_TOKENS)
            each = (time.perf_counter() - began) / _PROBES
            seconds += each * max(1.0, share) * plan.answers / len(targets.columns)
    scorer = next((each.target for each in targets.columns.values() if each.target.scores_text), None)
    if scorer is not None and plan.texts:
        texts = _probe_texts(plan.text_tokens / plan.texts)
        began = time.perf_counter()
        scorer.scores([("", text) for text in texts])
        seconds += (time.perf_counter() - began) / _PROBES * plan.texts
    return seconds


def _probe_texts(tokens: float) -> list[str]:
    """Different texts of about so many tokens."""
    repeated = max(1, round(tokens / _PROBE_TEXT_TOKENS))
    return [f"{number} {' '.join([_PROBE_TEXT] * repeated)}" for number in range(_PROBES)]


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
        targets: what is asked, where it is open already; else it is opened as the options say.
        key: of the attempt log, if `settings` depend on it; see `draw_key`.

    Returns:
        The exit code: 0; 1 above a limit; 3 if the budget was spent, a server failed, or a limit could not be measured.
    """
    with open_targets(options) if targets is None else nullcontext(targets) as targets:
        plan, empty_result = plan_audit(targets, audit)
        names = tuple(report(empty_result).figures)
        limits = [Limit.parse(text, names) for text in options.fail_above]
        say(f"{name}: {plan.sentence()}.")
        if options.plan:
            say(f"About {duration(estimate_seconds(targets, plan))}, by {_PROBES} of them. Nothing was written.")
            say("The same command without --plan starts it; interrupted, it continues.")
            return 0
        asked = {
            **_settings(name, options),
            **settings,
            "targets": [each.target.name for each in targets.columns.values()],
            # A server that tells less than before would be audited in another way.
            "scores_text": [each.target.scores_text for each in targets.columns.values()],
        }
        log = AttemptLog(options.out, asked, options.budget, options.reveal, key)
        metered = targets.mapped(lambda each: MeteredTarget(each.target, options.budget, each.count_tokens))
        unscored = tuple(_unscored(targets))
        try:
            with shown("attempt") as advance:
                found = report(audit(*metered, _showing(name, log, plan, advance)))
        except (BudgetSpent, TargetUnavailable) as stopped:
            say(f"Incomplete: {stopped}")
            empty = Report(name, f"{name.capitalize()} audit", (f"Incomplete: {len(log)} attempts are kept.",), ())
            found = replace(empty, figures=dict.fromkeys(names), complete=False)
        finally:
            log.close()
    made_by = provenance(_command(), options.seed, ("httpx", "scikit-learn", "scipy"))
    figures = {**dict.fromkeys(names), **found.figures}
    found = replace(found, sentences=(*found.sentences, *unscored), figures=figures, provenance=made_by)
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


def _showing(name: str, log: AttemptLog, plan: Plan, advance: Advance) -> Attempt:
    """The log's `attempt`, which shows the progress of what is really asked."""
    before = len(log)

    def attempt(key: str, ask: Ask) -> Outcome:
        asked = log.asked
        outcome = log.attempt(key, ask)
        if log.asked > asked:
            advance(name, len(log) - before, max(plan.attempts - before, len(log) - before))
        return outcome

    return attempt


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
    return targets.mapped(lambda each: PlanningTarget(each.target, plan, each.count_tokens))


def _settings(name: str, options: AuditOptions) -> dict[str, Any]:
    """What outcomes depend on: names, and digests of what the names stand for."""
    files = {field: getattr(options, field) for field in ("bundle", "policy", "records")}
    base = options.base_model
    return {
        "audit": name,
        "target": public_address(options.target) if options.is_served else digest(Path(options.target)),
        "model": options.model,
        "guarded": None if options.guarded is None else public_address(options.guarded),
        "columns": sorted(options.guard_columns),
        "base_model": digest(Path(base)) if base is not None and Path(base).is_dir() else base,
        "reference_model": None if options.reference_model is None else digest(options.reference_model),
        "dtype": options.number_type,
        "seed": options.seed,
        "version": __version__,
        **{field: None if path is None else digest(path) for field, path in files.items()},
    }


def digest(path: Path) -> str:
    """Of a file's contents; of a folder, of its small files' contents, and of the names, sizes and times of the others."""
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
