"""Measure a host, its detectors and the running guard; write tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reticent.commands.planned import Plan, plan_lines
from reticent_detectors.long_runs.progress import shown

if TYPE_CHECKING:
    from reticent.huggingface.guarded_model import GuardedModel
    from reticent_bench.report.resumed_parts import Parts
    from reticent_detectors.collection.shards import ShardReader

app = typer.Typer(add_completion=False)
PARTS = ("host", "detector", "guard")


@app.command()
def evaluate(
    host: Annotated[Path, typer.Argument(help="Made by 'reticent host train' or 'reticent host tune'.")],
    bundle: Annotated[Path | None, typer.Argument(help="The detector's bundle; part host needs none.")] = None,
    shards: Annotated[Path | None, typer.Option(help="Collection with test rows, for the detector's tables.")] = None,
    control: Annotated[Path | None, typer.Option(help="The control host.")] = None,
    other: Annotated[
        list[str] | None, typer.Option(help="NAME=BUNDLE to stand beside ours and be compared with.")
    ] = None,
    beside: Annotated[
        list[Path] | None,
        typer.Option(help="Another host, for one table over several; its control is its own folder 'base'."),
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for the tables.")] = Path("benchmarks/results"),
    part: Annotated[list[str] | None, typer.Option(help=f"Only these: {', '.join(PARTS)}.")] = None,
    name: Annotated[str, typer.Option(help="First part of the files' names.")] = "demo",
    device: Annotated[str, typer.Option(help="A torch device, for the host and its control.")] = "cpu",
    dtype: Annotated[str, typer.Option(help="The number type that they are run in.")] = "float32",
    questions: Annotated[
        int | None, typer.Option(min=1, help="Questions of each column of the host's table, at most; else 1,600.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of prompts and sampling.")] = 0,
    plan: Plan = False,
) -> None:
    """Writes NAME-host, NAME-detector and NAME-guard, and NAME-hosts for several hosts, as JSON and Markdown.

    The detector's tables are also written as a page. Interrupted, the same command continues: OUT/NAME-work keeps
    measurements, and no answers, until all is written.
    """
    from reticent.guard import Guard
    from reticent_bench.evaluate_plan import estimate_evaluation
    from reticent_bench.guard import report as guard_report
    from reticent_bench.guard.bench import Bench
    from reticent_bench.hosts import host_report
    from reticent_bench.report.resumed_parts import Parts
    from reticent_detectors.collection.shards import ShardReader
    from reticent_detectors.host.load import load_host, recipe_of
    from reticent_detectors.host.memory import check_room
    from reticent_detectors.synth.cast import cast

    _check_folders({"a host": host, "a bundle": bundle, "a collection": shards, "a control host": control})
    parts, asked = _checked_parts(part, bundle, shards), questions or host_report.PER_COLUMN
    everyone = cast(recipe_of(host))
    check_room(host, device, dtype, *([control] if control is not None else []))
    model, tokenizer = load_host(host, device, dtype)
    switched = load_host(control, device, dtype) if control is not None else None
    other_model = None if switched is None else switched[0]
    guard = Guard.load(bundle).wrap(model, tokenizer) if "guard" in parts and bundle is not None else None
    bench = None if guard is None else partial(Bench, guard, everyone, switched, seed=seed, progress=_say_nothing)
    if plan:
        planned = estimate_evaluation(
            parts, model, tokenizer, other_model, everyone, None if bench is None else bench(),
            per_column=asked, seed=seed, device=device,
        )  # fmt: skip
        typer.echo(plan_lines(planned, device, out))
        return
    reader = None if shards is None else ShardReader(shards)
    stamp = _stamp((model, tokenizer), switched, guard, reader, seed, asked)
    tables = _Tables(out, name, seed)
    with shown("prompt") as advance:
        kept = Parts(out / f"{name}-work", stamp, advance)
        if "host" in parts:
            figures = host_report.measure(
                model, tokenizer, other_model, everyone, per_column=asked, seed=seed, parts=kept
            )
            tables.write("host", figures, host_report.render(figures))
            if beside:
                _compare_hosts(tables, host, model, figures, beside, asked)
        if "detector" in parts and reader is not None and bundle is not None:
            _evaluate_detector(tables, reader, _named_bundles(bundle, other or ()), kept)
        if bench is not None:
            figures = guard_report.measure(bench(parts=kept))
            tables.write("guard", figures, guard_report.render(figures))
    kept.clear()


@dataclass(frozen=True)
class _Tables:
    """The files of one evaluation: their folder, the first part of their names, and the seed that they name."""

    out: Path
    name: str
    seed: int

    def write(self, which: str, figures: dict[str, Any], text: str) -> None:
        """Writes NAME-WHICH.json and NAME-WHICH.md."""
        from reticent_bench.report.result import command_line, footer, provenance, write

        figures["made_by"] = provenance(command_line(), self.seed)
        write(self.out, f"{self.name}-{which}", figures, text + footer(figures))
        typer.echo(f"{self.out / f'{self.name}-{which}.md'}")

    def write_page(self, which: str, page: str) -> None:
        """Writes NAME-WHICH.html."""
        path = self.out / f"{self.name}-{which}.html"
        path.write_text(page)
        typer.echo(f"{path}")


def _check_folders(folders: Mapping[str, Path | None]) -> None:
    from reticent_detectors.errors import InputError

    for what, folder in folders.items():
        if folder is not None and not folder.is_dir():
            raise InputError(f"There is no folder {str(folder)!r}; expected that of {what}.")


def _checked_parts(part: Sequence[str] | None, bundle: Path | None, shards: Path | None) -> tuple[str, ...]:
    """The parts to measure, for which all that they need was given and is installed."""
    from reticent_detectors.errors import InputError

    parts = tuple(part or PARTS)
    if unknown := sorted(set(parts) - set(PARTS)):
        raise InputError(f"Unknown part {unknown[0]!r}; expected some of {', '.join(PARTS)}.")
    if "detector" in parts and shards is None:
        raise InputError("The detector's tables need --shards, a collection made by 'reticent collect'.")
    if "detector" in parts:
        # Fails here, not after minutes of measuring, where what draws the page is not installed.
        import reticent_bench.detector.page  # noqa: F401
    if bundle is None and parts != ("host",):
        raise InputError("Expected a bundle beside the host; only --part host does without.")
    return parts


def _stamp(
    host: tuple[Any, Any],
    control: tuple[Any, Any] | None,
    guard: GuardedModel | None,
    reader: ShardReader | None,
    seed: int,
    asked: int,
) -> list[Any]:
    """What results depend on: those that were kept under another stamp are measured again."""
    from reticent_bench.report.result import provenance
    from reticent_detectors.capture import HostAdapter

    made_by = provenance("", seed)
    return [
        *(HostAdapter.attach(*each).fingerprint(each[1]) for each in (host, control) if each is not None),
        None if guard is None else guard.guard.bundle.digest, seed, asked, made_by["versions"], made_by["commit"],
        None if reader is None else reader.digest,
    ]  # fmt: skip


def _compare_hosts(
    tables: _Tables, host: Path, model: Any, figures: dict[str, Any], beside: Sequence[Path], asked: int
) -> None:
    """Writes one table over this host, which has been measured, and others, which have not."""
    from reticent_bench.hosts import hosts_report
    from reticent_detectors.host.load import recipe_of

    rows = {host.name: hosts_report.row(recipe_of(host), model, figures)}
    rows |= {path.name: hosts_report.measured(path, per_column=asked, seed=tables.seed) for path in beside}
    tables.write("hosts", {"hosts": rows}, hosts_report.render(rows))


def _named_bundles(ours: Path, others: Sequence[str]) -> dict[str, Path]:
    """Our bundle, and those of NAME=BUNDLE."""
    bundles = {"ours": ours}
    for pair in others:
        label, _, path = pair.partition("=")
        bundles[label] = Path(path)
    return bundles


def _evaluate_detector(tables: _Tables, reader: ShardReader, bundles: Mapping[str, Path], kept: Parts) -> None:
    """Scores the collection's test rows with every bundle and baseline; writes tables and page."""
    from reticent_bench.detector import curves, report
    from reticent_bench.detector.baseline_scores import score_baselines
    from reticent_bench.detector.page import page
    from reticent_bench.detector.parts import score_rows

    baselines = score_baselines(reader, lambda line: typer.echo(line, err=True), kept)
    scored = score_rows(reader.load(), bundles, baselines)
    figures = report.measure(scored)
    figures["page"] = curves.curves(scored, figures)
    tables.write("detector", figures, report.render(figures))
    tables.write_page("detector", page(figures, figures["page"]))


def _say_nothing(line: str) -> None:
    """The lines of progress say it."""
