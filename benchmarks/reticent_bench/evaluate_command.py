"""Measure a host, its detectors and the running guard; write tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from reticent.commands.planned import PLAN_HELP, plan_lines
from reticent_detectors.long_runs.progress import shown

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
    plan: Annotated[bool, typer.Option("--plan", help=PLAN_HELP)] = False,
) -> None:
    """Writes NAME-host, NAME-detector and NAME-guard, and NAME-hosts for several hosts, as JSON and Markdown; the detector's also as a page.

    Interrupted, the same command goes on: OUT/NAME-work keeps what was measured (no answers) until all is written.
    """
    from reticent.guard import Guard
    from reticent_bench.detector import curves as detector_curves
    from reticent_bench.detector import parts as detector_parts
    from reticent_bench.detector import report as detector_report
    from reticent_bench.detector.baseline_scores import score_baselines
    from reticent_bench.evaluate_plan import estimate_evaluation
    from reticent_bench.guard import report as guard_report
    from reticent_bench.hosts import host_report, hosts_report
    from reticent_bench.report.result import command_line, footer, provenance, write
    from reticent_bench.report.resumed_parts import Parts
    from reticent_detectors.capture import HostAdapter
    from reticent_detectors.collection.shards import ShardReader
    from reticent_detectors.errors import InputError
    from reticent_detectors.host.load import load_host, recipe_of
    from reticent_detectors.host.memory import check_room
    from reticent_detectors.synth.cast import cast

    for folder, what in ((host, "a host"), (bundle, "a bundle"), (shards, "a collection"), (control, "a control host")):
        if folder is not None and not folder.is_dir():
            raise InputError(f"There is no folder {str(folder)!r}; expected that of {what}.")
    parts, asked = tuple(part or PARTS), questions or host_report.PER_COLUMN
    if unknown := sorted(set(parts) - set(PARTS)):
        raise InputError(f"Unknown part {unknown[0]!r}; expected some of {', '.join(PARTS)}.")
    if "detector" in parts and shards is None:
        raise InputError("The detector's tables need --shards, a collection made by 'reticent collect'.")
    if "detector" in parts:
        # At once, not after minutes of measuring, it is said that what draws the page is missing.
        from reticent_bench.detector.page import page
    if bundle is None and parts != ("host",):
        raise InputError("Expected a bundle beside the host; only --part host does without.")
    everyone = cast(recipe_of(host))
    check_room(host, device, dtype, *([control] if control is not None else []))
    model, tokenizer = load_host(host, device, dtype)
    switched = load_host(control, device, dtype) if control is not None else None

    other_model = None if switched is None else switched[0]

    def quiet(line: str) -> None:
        """The lines of progress say it."""

    def keep(which: str, figures: dict[str, Any], text: str) -> None:
        figures["made_by"] = provenance(command_line(), seed)
        write(out, f"{name}-{which}", figures, text + footer(figures))
        typer.echo(f"{out / f'{name}-{which}.md'}")

    guard = Guard.load(bundle).wrap(model, tokenizer) if "guard" in parts and bundle is not None else None
    if plan:
        planned = estimate_evaluation(
            parts, model, tokenizer, other_model, everyone,
            None if guard is None else guard_report.Bench(guard, everyone, switched, seed=seed, progress=quiet),
            per_column=asked, seed=seed, device=device,
        )  # fmt: skip
        typer.echo(plan_lines(planned, device, out))
        return
    made_by, reader = provenance("", seed), None if shards is None else ShardReader(shards)
    stamp = [
        *(HostAdapter.attach(*each).fingerprint(each[1]) for each in ((model, tokenizer), switched) if each is not None),
        None if guard is None else guard.guard.bundle.digest, seed, asked, made_by["versions"], made_by["commit"],
        None if reader is None else reader.digest,
    ]  # fmt: skip
    with shown("prompt") as advance:
        kept = Parts(out / f"{name}-work", stamp, advance)
        if "host" in parts:
            figures = host_report.measure(
                model, tokenizer, other_model, everyone, per_column=asked, seed=seed, parts=kept
            )
            keep("host", figures, host_report.render(figures))
            if beside:
                rows = {host.name: hosts_report.row(recipe_of(host), model, figures)}
                rows |= {path.name: hosts_report.measured(path, per_column=asked, seed=seed) for path in beside}
                keep("hosts", {"hosts": rows}, hosts_report.render(rows))
        if "detector" in parts and reader is not None and bundle is not None:
            bundles = {"ours": bundle}
            for pair in other or ():
                label, _, path = pair.partition("=")
                bundles[label] = Path(path)
            baselines = score_baselines(reader, lambda line: typer.echo(line, err=True), kept)
            scored = detector_parts.score_rows(reader.load(), bundles, baselines)
            figures = detector_report.measure(scored)
            figures["page"] = detector_curves.curves(scored, figures)
            keep("detector", figures, detector_report.render(figures))
            (out / f"{name}-detector.html").write_text(page(figures, figures["page"]))
            typer.echo(f"{out / f'{name}-detector.html'}")
        if guard is not None:
            bench = guard_report.Bench(guard, everyone, switched, seed=seed, progress=quiet, parts=kept)
            figures = guard_report.measure(bench)
            keep("guard", figures, guard_report.render(figures))
    kept.clear()
