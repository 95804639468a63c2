"""One run of an audit: its targets, its budget, its attempt log, and the report at its end."""

from __future__ import annotations

import hashlib
import math
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from reticent import __version__
from reticent.observe import Observer
from reticent_bench.audits.attempts import Ask, Attempt, AttemptLog, Outcome
from reticent_bench.audits.budget import Budget, BudgetSpent, MeteredTarget
from reticent_bench.audits.planning import Plan, PlanningTarget
from reticent_bench.audits.report import Limit, Report, exit_code, write_report
from reticent_bench.audits.served_target import ServedTarget, TargetUnavailable, public_address
from reticent_bench.audits.target import Target
from reticent_bench.metrics import Interval
from reticent_bench.result import command_line, provenance
from reticent_detectors.errors import InputError
from reticent_detectors.progress import Advance, duration, shown

OFF, ON = "off", "on"
_PROBE_TOKENS, _PROBES = 8, 8
_PROBE_TEXT = "Hello, who is there, and what is it?"
_SMALL_BYTES = 1 << 22
_ADDRESS = re.compile(r"https?://[^\s'\"]+")

_OF_FOLDERS = ("bundle", "policy", "records", "records_key_file", "base_model")

T = TypeVar("T")


@dataclass(frozen=True)
class AuditOptions:
    """What all audits share on the command line.

    Attributes:
        target: folder of a checkpoint or an adapter, or the address of a server.
        model: name to ask the server for.
        guarded: address of the same model behind the guard, for a server.
        columns: `off`, `on` or both; for a folder.
        bundle, policy, records, records_key_file, base_model: of the guard around a folder's model.
        api_key: of the servers.
        device, dtype: of a folder's model.
        budget: limits.
        seed: of all that is drawn.
        out: folder of the report and of the attempt log.
        fail_above: limits as NAME=LIMIT.
        reveal: keeps texts in the attempt log.
        plan: says what the audit will ask, and asks nothing.
        observers: told of each answer that the guard around a folder's model inspects.
    """

    target: str
    model: str | None = None
    guarded: str | None = None
    columns: tuple[str, ...] = (OFF, ON)
    bundle: Path | None = None
    policy: Path | None = None
    records: Path | None = None
    records_key_file: Path | None = None
    base_model: str | None = None
    api_key: str | None = field(default=None, repr=False)
    device: str = "cpu"
    dtype: str = "float32"
    budget: Budget = field(default_factory=Budget)
    seed: int = 0
    out: Path = Path("audit")
    fail_above: tuple[str, ...] = ()
    reveal: bool = False
    plan: bool = False
    observers: tuple[Observer, ...] = field(default=(), repr=False)

    @property
    def is_served(self) -> bool:
        """Whether the target is an address."""
        return self.target.startswith(("http://", "https://"))


@dataclass(frozen=True)
class Column:
    """A target as a column of the report, with a token counter."""

    target: Target
    count_tokens: Callable[[str], int]


@dataclass(frozen=True)
class Targets:
    """All that an audit may ask: the columns by name, and the model before private tuning where there is one."""

    columns: dict[str, Column]
    base: Column | None = None

    def mapped(self, wrap: Callable[[Column], Target]) -> tuple[dict[str, Target], Target | None]:
        """Each target wrapped, by column; and the base."""
        return {name: wrap(each) for name, each in self.columns.items()}, None if self.base is None else wrap(self.base)


Audit = Callable[[dict[str, Target], Target | None, Attempt], T]
"""What an audit is to a session: targets by column, the base, and `attempt`, to its result."""


@contextmanager
def open_targets(options: AuditOptions) -> Iterator[Targets]:
    """Loads the folder's model with its guard, or connects to the servers.

    Raises:
        InputError: the target is neither a folder nor an address, a column is unknown, or options contradict each other.
        TargetUnavailable: a server cannot be reached.
        MissingExtra: a package is not installed.
    """
    with ExitStack() as stack:
        if options.is_served:
            given = [name for name in _OF_FOLDERS if getattr(options, name) is not None]
            if given:
                raise InputError(
                    f"--{given[0].replace('_', '-')} goes with a folder; set the guard up where it is served."
                )
            columns = {}
            for name, url in ((OFF, options.target), (ON, options.guarded)):
                if url is not None:
                    served = stack.enter_context(ServedTarget(url, options.model, options.api_key))
                    columns[name] = Column(served, served.count_tokens)
            yield Targets(columns)
            return
        if options.guarded is not None:
            raise InputError("--guarded goes with the address of a server; for a folder use --guard off,on.")
        unknown = sorted(set(options.columns) - {OFF, ON})
        if unknown or not options.columns:
            raise InputError(f"--guard: expected off, on or off,on, got {','.join(options.columns)!r}.")
        if not Path(options.target).is_dir():
            raise InputError(
                "There is no folder of this name. Expected a checkpoint's folder, or an address such as http://127.0.0.1:8000."
            )
        yield _local(options)


def _local(options: AuditOptions) -> Targets:
    from reticent.guard import Guard
    from reticent.policy import Policy
    from reticent.records import RecordsIndex, read_key
    from reticent_bench.audits.local_target import LocalTarget
    from reticent_detectors.host.load import checkpoint_of, load_host

    if (options.records is None) != (options.records_key_file is None):
        raise InputError("Expected --records and --records-key-file together; an index cannot be read without its key.")
    folder = Path(options.target)
    model, tokenizer = load_host(folder, options.device, options.dtype)
    plain = LocalTarget(model, tokenizer, folder.name)
    columns, base = {}, None
    if OFF in options.columns:
        columns[OFF] = Column(plain, plain.count_tokens)
    if ON in options.columns:
        index = None
        if options.records is not None and options.records_key_file is not None:
            index = RecordsIndex.load(options.records, key=read_key(options.records_key_file))
        policy = Policy.default() if options.policy is None else options.policy
        guard = Guard.load(options.bundle, policy, records=index, observers=options.observers)
        wrapped = guard.wrap(model, tokenizer, base=options.base_model)
        guarded = LocalTarget(model, tokenizer, f"{folder.name} behind the guard", wrapped)
        columns[ON] = Column(guarded, guarded.count_tokens)
    if options.base_model not in (None, "self"):
        # The adapter's model is loaded beside it: a switched adapter would change the columns.
        before = checkpoint_of(folder) if options.base_model == "adapter" else Path(str(options.base_model))
        if before.resolve() == folder.resolve():
            raise InputError("The base is the model itself. Expected the model before private tuning, or 'self'.")
        plain_base = LocalTarget(*load_host(before, options.device, options.dtype), f"{before.name} (base)")
        base = Column(plain_base, plain_base.count_tokens)
    return Targets(columns, base)


def plan_audit(targets: Targets, audit: Audit[T]) -> Plan:
    """What an audit will ask. One that goes on from what it is answered may ask more."""
    plan = Plan()
    audit(*_planning(targets, plan), plan.attempt)
    return plan


def estimate_seconds(targets: Targets, plan: Plan) -> float:
    """About how long a plan takes, by eight answers to one of its prompts and eight short texts. This asks the targets."""
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
        began = time.perf_counter()
        scorer.scores([("", _PROBE_TEXT)] * _PROBES)
        seconds += (time.perf_counter() - began) / _PROBES * plan.texts
    return seconds


def run_audit(
    name: str,
    options: AuditOptions,
    audit: Audit[T],
    report: Callable[[T], Report],
    settings: dict[str, Any],
    say: Callable[[str], None],
    targets: Targets | None = None,
) -> int:
    """Runs an audit and writes its report; an interrupted one continues.

    Args:
        name: of the audit.
        audit: measures.
        report: makes the report of what was measured.
        settings: what the audit's outcomes depend on, besides the shared options; as JSON.
        say: takes lines for the user.
        targets: what is asked, where it is open already; else it is opened as the options say.

    Returns:
        The exit code: 0; 1 above a limit; 3 if the budget was spent, a server failed, or a limit could not be measured.
    """
    with open_targets(options) if targets is None else nullcontext(targets) as targets:
        plan = plan_audit(targets, audit)
        names = tuple(report(audit(*_planning(targets, Plan()), Plan().attempt)).figures)
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
        }
        log = AttemptLog(options.out, asked, options.budget, options.reveal)
        metered = targets.mapped(lambda each: MeteredTarget(each.target, options.budget, each.count_tokens))
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
    found = replace(found, figures=_measured(found.figures), provenance=made_by)
    write_report(options.out, found, limits)
    for figure, value in found.figures.items():
        say(
            f"{figure}: "
            + ("not measurable" if value is None else f"{value.value:.3f} [{value.low:.3f}, {value.high:.3f}]")
        )
    say(f"{options.out / 'report.html'}")
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


def _measured(figures: Mapping[str, Interval | None]) -> dict[str, Interval | None]:
    """The figures, with None for a share of nothing."""
    return {name: None if value is None or not math.isfinite(value.value) else value for name, value in figures.items()}


def _planning(targets: Targets, plan: Plan) -> tuple[dict[str, Target], Target | None]:
    """Targets that answer nothing, and count in a plan."""
    return targets.mapped(
        lambda each: PlanningTarget(each.target.name, each.target.scores_text, plan, each.count_tokens)
    )


def _settings(name: str, options: AuditOptions) -> dict[str, Any]:
    """What outcomes depend on: names, and digests of what the names stand for."""
    files = {field: getattr(options, field) for field in ("bundle", "policy", "records")}
    base = options.base_model
    return {
        "audit": name,
        "target": public_address(options.target) if options.is_served else _digest(Path(options.target)),
        "model": options.model,
        "guarded": None if options.guarded is None else public_address(options.guarded),
        "columns": sorted(options.columns),
        "base_model": _digest(Path(base)) if base is not None and Path(base).is_dir() else base,
        "dtype": options.dtype,
        "seed": options.seed,
        "version": __version__,
        **{field: None if path is None else _digest(path) for field, path in files.items()},
    }


def _digest(path: Path) -> str:
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
