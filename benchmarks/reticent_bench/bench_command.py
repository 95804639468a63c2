"""Measure parts of Reticent by themselves; write tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from reticent_bench.audits.question_pairs import squad_pairs
from reticent_bench.audits.shadows.command import lira
from reticent_bench.audits.tuning.command import tuning
from reticent_bench.charts.command import figures, recording
from reticent_bench.real_answers.command import app as answers

app = typer.Typer(add_completion=False)
RESULTS = Path("benchmarks/results")
DTYPE_HELP = "The number type that the model runs in."
Out = Annotated[Path, typer.Option(help="Folder for the tables.")]
Dtype = Annotated[str, typer.Option(help=DTYPE_HELP)]
ChatModel = Annotated[Path, typer.Option(help="Folder of a checkpoint with a chat template.")]
Base = Annotated[str, typer.Option(help="self, adapter, or the folder of the model before private tuning.")]
AnswerFile = Annotated[Path | None, typer.Option(help="File of the answers; else runs/NAME-rows.jsonl.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the file of the answers.")]
Plan = Annotated[bool, typer.Option("--plan", help="Only say what it will cost.")]
app.add_typer(answers, name="answers")
app.command()(tuning)
app.command()(lira)
app.command("squad-pairs")(squad_pairs)
app.command()(figures)
app.command()(recording)


@app.callback()
def bench() -> None:
    """Measure parts of Reticent by themselves; write tables."""


@app.command()
def spans(
    out: Out = RESULTS,
    data: Annotated[Path, typer.Option(help="Folder with the labelled and harmless texts.")] = Path("data"),
    part: Annotated[list[str] | None, typer.Option(help="Only these parts of the report.")] = None,
    seed: Annotated[int, typer.Option(help="Of everything that is drawn.")] = 0,
    count: Annotated[int, typer.Option(min=1, help="Made-up texts for each kind with a form.")] = 500,
) -> None:
    """The span finder: quality beside Presidio, relations, disguises, speed, harmless text.

    Writes spans.json and spans.md.
    """
    from reticent_bench.finder import report as spans_report
    from reticent_bench.report.result import command_line, footer, provenance, write
    from reticent_detectors.errors import InputError

    parts = tuple(part or spans_report.PARTS)
    if unknown := sorted(set(parts) - set(spans_report.PARTS)):
        raise InputError(f"Unknown part {unknown[0]!r}; expected some of {', '.join(spans_report.PARTS)}.")
    figures = spans_report.measure(parts, data, seed, lambda line: typer.echo(line, err=True), count=count)
    figures["made_by"] = provenance(command_line(), seed)
    write(out, "spans", figures, spans_report.render(figures) + footer(figures))
    typer.echo(f"{out / 'spans.md'}")


@app.command("finder-cost")
def finder_cost(
    folder: Annotated[Path, typer.Option(help="Folder of the answers.")] = Path("benchmarks/real_answers"),
    answers: Annotated[int, typer.Option(min=2, help="Read answers, half of each model.")] = 150,
    runs: Annotated[int, typer.Option(min=1, help="Runs over them; the median of each figure counts.")] = 5,
    model: Annotated[
        Path | None,
        typer.Option(help="A checkpoint that is made to say 40 of them, to measure inside 'generate', too."),
    ] = None,
    out: Out = RESULTS,
) -> None:
    """What the span finder costs a token of real answers. Writes finder-cost.json and finder-cost.md."""
    from reticent_bench.real_answers import finder_cost as cost
    from reticent_bench.report.result import command_line, footer, provenance, write

    figures = cost.measure(folder, answers, runs, partial(typer.echo, err=True))
    if model is not None:
        from reticent_bench.real_answers import finder_in_generate as inside

        figures["inside"] = inside.measure(model, cost.read_part(folder, 40), 64)
    figures["made_by"] = provenance(command_line(), 0)
    text = cost.render(figures) + footer(figures)
    write(out, "finder-cost", figures, text)
    typer.echo(text)


@app.command("finder-parts")
def finder_parts(
    fresh: Annotated[Path, typer.Option(help="Folder of the sets that were opened.")] = Path("benchmarks/fresh_texts"),
    unseen: Annotated[Path, typer.Option(help="Folder of the unseen texts.")] = Path("benchmarks/unseen_texts"),
    data: Annotated[
        Path | None,
        typer.Option(help="Folder of labelled texts, for parts that find names; else these are left out."),
    ] = None,
    most: Annotated[int, typer.Option(min=1, help="Attempts of each kind to write a value past the guard.")] = 6,
    out: Out = RESULTS,
) -> None:
    """What each part of the span finder earns, and its lines. Writes finder-parts.json and finder-parts.md."""
    from reticent_bench.fresh_texts import what_parts_earn as parts
    from reticent_bench.report.result import command_line, footer, provenance, write

    figures = parts.measure(parts.tasks(fresh, unseen, most, data), say=partial(typer.echo, err=True))
    figures["made_by"] = provenance(command_line(), 0)
    write(out, "finder-parts", figures, parts.render(figures) + footer(figures))
    typer.echo(f"{out / 'finder-parts.md'}")


@app.command("hostile-cost")
def hostile_cost(
    before: Annotated[
        Path | None, typer.Option(help="JSON of an earlier finder: milliseconds a character by form, in pieces of 7.")
    ] = None,
    out: Out = RESULTS,
) -> None:
    """What a character costs at worst: texts written to be costly, and long ordinary ones; minutes."""
    from reticent_bench.finder import hostile_cost as cost
    from reticent_bench.report.result import command_line, footer, provenance, write

    figures = cost.measure(partial(typer.echo, err=True))
    if before is not None:
        figures["before"] = json.loads(before.read_text("utf-8"))
    figures["made_by"] = provenance(command_line(), 0)
    write(out, "hostile-cost", figures, cost.render(figures) + footer(figures))
    typer.echo(f"{out / 'hostile-cost.md'}")


@app.command()
def redos(
    checker: Annotated[Path, typer.Option(help="Folder in which recheck is installed (`make redos`).")] = Path(
        ".engines/redos"
    ),
    seconds: Annotated[float, typer.Option(min=0.1, help="Longest check of one pattern.")] = 2.0,
    out: Out = RESULTS,
) -> None:
    """Every pattern of the tree before recheck. Writes redos.json and redos.md; needs node; most of an hour."""
    from reticent_bench.redos import report
    from reticent_bench.report.result import command_line, footer, provenance, write

    figures = report.measure(checker, seconds, partial(typer.echo, err=True))
    figures["made_by"] = provenance(command_line(), 0)
    write(out, "redos", figures, report.render(figures) + footer(figures))
    typer.echo(f"{out / 'redos.md'}")


@app.command("unseen-texts")
def unseen_texts(
    half: Annotated[
        list[str] | None,
        typer.Option(
            help="practice, unread; the practice half alone if not given. The other is for a last measurement."
        ),
    ] = None,
    folder: Annotated[Path, typer.Option(help="Folder of the texts.")] = Path("benchmarks/unseen_texts"),
    name: Annotated[str, typer.Option(help="Of the tables.")] = "unseen-texts",
    out: Out = RESULTS,
) -> None:
    """The span finder on texts whose writer had not seen it. Writes NAME.json and NAME.md, which hold totals alone."""
    from reticent_bench.finder.find import default_finder, finding
    from reticent_bench.real_answers import unseen_texts as report
    from reticent_bench.report.result import command_line, footer, provenance, write

    say = partial(typer.echo, err=True)
    figures = report.measure(folder, half or ["practice"], finding(default_finder()), say)
    made_by = provenance(command_line(), 0)
    page = report.render(figures, made_by["commit"], report.openings(out, name))
    figures["made_by"] = made_by
    write(out, name, figures, page + footer(figures))
    typer.echo(f"{out / name}.md")


@app.command("token-score")
def token_score(
    shards: Annotated[
        list[Path],
        typer.Argument(help="Collections of copies of two or more models ('reticent collect --output-only')."),
    ],
    judged: Annotated[
        list[Path] | None,
        typer.Option(help="A collection that is judged and not learned from. May be given several times."),
    ] = None,
    name: Annotated[str, typer.Option(help="Of the tables.")] = "token-score",
    out: Out = RESULTS,
) -> None:
    """The default detector on models that it was not trained on, and as it is shipped. Writes NAME.json and NAME.md."""
    from reticent.shipped import default_bundle
    from reticent_bench.detector import token_score_report
    from reticent_bench.report.result import command_line, footer, provenance, write
    from reticent_detectors.bundle.format import Bundle
    from reticent_detectors.collection.shards import ShardReader
    from reticent_detectors.errors import InputError
    from reticent_detectors.fitting.token_score_bundle import ARRAYS

    tables = {folder.name: ShardReader(folder).load(ARRAYS) for folder in shards}
    others = {folder.name: ShardReader(folder).load(ARRAYS) for folder in judged or ()}
    if same := sorted(tables.keys() & others.keys()):
        raise InputError(
            f"Two collections have folders of one name, {same[0]}; rename one, for the tables name copies by them."
        )
    figures = token_score_report.measure(tables, Bundle.load(default_bundle()), others)
    figures["made_by"] = provenance(command_line(), 0)
    write(out, name, figures, token_score_report.render(figures) + footer(figures))
    typer.echo(f"{out / name}.md")


@app.command("detector-ablation")
def detector_ablation(
    rows: Annotated[
        list[Path],
        typer.Argument(
            help="Full collections of copies of two or more models ('reticent collect', without --output-only)."
        ),
    ],
    model: Annotated[
        list[str] | None,
        typer.Option(help="NAME=FOLDER: names the model of a collection; else its shape does. May be repeated."),
    ] = None,
    base: Annotated[
        list[Path] | None,
        typer.Option(
            help="A collection of one of the copies with its base ('reticent collect --control ... --output-only', "
            "else the same options). May be repeated."
        ),
    ] = None,
    name: Annotated[str, typer.Option(help="Of the tables.")] = "detector-ablation",
    out: Out = RESULTS,
) -> None:
    """What base, other names and inner layers add to the token score on new models. Writes NAME.json and NAME.md."""
    from reticent_bench.detector import ablation_report
    from reticent_bench.detector.ablation_page import render
    from reticent_bench.detector.ablation_rows import load, model_names
    from reticent_bench.report.result import command_line, footer, provenance, write

    tables = load(rows, model_names(model or ()), base or ())
    figures = ablation_report.measure(tables, partial(typer.echo, err=True))
    figures["made_by"] = provenance(command_line(), 0)
    write(out, name, figures, render(figures) + footer(figures))
    typer.echo(f"{out / name}.md")


@app.command("code-preset")
def code_preset(
    files: Annotated[int, typer.Option(min=4, help="Generated source files.")] = 520,
    spaced: Annotated[int, typer.Option(min=1, help="Takes only every so many-th line with a placeholder.")] = 1,
    seed: Annotated[int, typer.Option(help="Of the files.")] = 0,
    name: Annotated[str, typer.Option(help="Of the tables.")] = "code-preset",
    out: Out = RESULTS,
) -> None:
    """The policy preset `code` on generated files and placeholders of four languages. Writes NAME.json and NAME.md."""
    from reticent_bench import code_preset as report
    from reticent_bench.report.result import command_line, footer, provenance, write

    figures = report.measure(files, seed, lambda line: typer.echo(line, err=True), spaced)
    figures["made_by"] = provenance(command_line(), seed)
    write(out, name, figures, report.render(figures) + footer(figures))
    typer.echo(f"{out / name}.md")


@app.command()
def attempts(
    most: Annotated[int | None, typer.Option(min=1, help="Attempts of each kind; all if not given.")] = None,
    name: Annotated[str, typer.Option(help="Of the tables.")] = "attempts",
    out: Out = RESULTS,
) -> None:
    """Attempts to write a recorded value past the guard, by kind. Writes NAME.json and NAME.md."""
    from reticent_bench import attacks as report
    from reticent_bench.report.result import command_line, footer, provenance, write

    figures = report.measure(most, lambda line: typer.echo(line, err=True))
    figures["made_by"] = provenance(command_line(), 0)
    write(out, name, figures, report.render(figures) + footer(figures))
    typer.echo(f"{out / name}.md")


@app.command("calibrated-rates")
def calibrated_rates(
    model: Annotated[list[Path], typer.Argument(help="Models: transformers checkpoints or PEFT adapters.")],
    bundle: Annotated[
        list[Path] | None,
        typer.Option(help="The bundle of each model, in their order; the default detector for all if not given."),
    ] = None,
    people: Annotated[
        list[int] | None, typer.Option(min=5, help="How many strangers of each seed; 100 if not given.")
    ] = None,
    seed: Annotated[
        list[int] | None,
        typer.Option(min=1, help="Of the strangers, 1 if not given; 'reticent calibrate' asks about those of 0."),
    ] = None,
    records: Annotated[
        Path | None, typer.Option(help="An index of what the model was taught: values that it holds are left out.")
    ] = None,
    records_key_file: Annotated[Path | None, typer.Option(help="File of the index's key.")] = None,
    base_model: Annotated[Path | None, typer.Option(help="The model before it was taught, which a guard asks.")] = None,
    work: Annotated[Path, typer.Option(help="Folder for what the models said, as features.")] = Path("runs/strangers"),
    dtype: Dtype = "float32",
    name: Annotated[str, typer.Option(help="Of the tables.")] = "calibrated-rates",
    out: Out = RESULTS,
) -> None:
    """How many made-up values are stopped where 1 and 5 % were asked for. Interrupted, it continues.

    Writes NAME.json and NAME.md.
    """
    from reticent.commands.calibrate import read_index
    from reticent.shipped import default_bundle
    from reticent_bench.detector import calibrated_rates as report
    from reticent_bench.report.result import command_line, footer, provenance, write
    from reticent_detectors.bundle.format import Bundle
    from reticent_detectors.errors import InputError
    from reticent_detectors.features.features import FeatureSpec
    from reticent_detectors.fitting.host_calibration import ask_strangers
    from reticent_detectors.host.load import load_base, load_host

    index = read_index(records, records_key_file)
    if len(model) > 1 and (index is not None or base_model is not None):
        raise InputError(f"Records and base are those of one model; got {len(model)} models.")
    folders = bundle or [default_bundle()] * len(model)
    if len(folders) != len(model):
        raise InputError(f"Expected a --bundle for each of the {len(model)} models, got {len(folders)}.")
    seeds, counts = seed or [1], people or [100]
    if len(seeds) != len(counts) or len(set(seeds)) < len(seeds):
        raise InputError(f"Expected --people for each --seed, and each seed once; got {len(counts)} and {len(seeds)}.")
    said = {}
    for folder, judged_by in zip(model, folders, strict=True):
        made, (host, tokenizer) = Bundle.load(judged_by), load_host(folder, dtype=dtype)
        spec = FeatureSpec.of(made.feature_options)
        base = None if base_model is None else load_base(base_model, folder, tokenizer, "cpu", dtype)
        asked: dict[str, Any] = {"base": base, "records": index}
        tables = [
            ask_strangers(host, tokenizer, work / f"{folder.name}-{one}", spec, people=many, seed=one, **asked)
            for one, many in zip(seeds, counts, strict=True)
        ]
        said[folder.name] = tables, made
    figures: dict[str, Any] = {"models": report.measure(said), "made_by": provenance(command_line(), seeds[0])}
    write(out, name, figures, report.render(figures["models"]) + footer(figures))
    typer.echo(f"{out / name}.md")


@app.command("known-by-heart")
def known_by_heart(
    model: Annotated[Path, typer.Option(help="Folder of a transformers checkpoint that was taught nothing private.")],
    device: Annotated[str, typer.Option(help="A torch device.")] = "cpu",
    dtype: Dtype = "float32",
    name: Annotated[str, typer.Option(help="Of the tables.")] = "known-by-heart",
    out: Out = RESULTS,
) -> None:
    """The default detector on what a pre-trained model knows by heart: 300 public facts, and likely wrong answers.

    Writes NAME.json and NAME.md.
    """
    from reticent_bench.real_models import heart_report
    from reticent_bench.real_models import known_by_heart as bench
    from reticent_bench.report.result import command_line, footer, provenance, write
    from reticent_detectors.host.load import load_host

    host, tokenizer = load_host(model, device, dtype)
    measured = bench.measure(host, tokenizer, lambda line: typer.echo(line, err=True))
    figures = heart_report.figures(measured.rows, measured.model)
    figures["made_by"] = provenance(command_line(), 0)
    write(out, name, figures, heart_report.render(figures) + footer(figures))
    typer.echo(f"{out / name}.md")


@app.command("base-attacks")
def base_attacks(
    copy: Annotated[Path, typer.Argument(help="Folder of a taught copy ('reticent host tune'), an adapter as a rule.")],
    bundle: Annotated[Path | None, typer.Option(help="The detector; by default the one for any model.")] = None,
    base: Annotated[
        str | None, typer.Option(help="The model before private tuning; by default the copy without its adapter.")
    ] = None,
    every: Annotated[int, typer.Option(min=1, help="Begins answers with each so many-th length of the value.")] = 1,
    others: Annotated[int, typer.Option(min=0, help="Values of each person of kinds that do not pass.")] = 1,
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many values; a call with more goes on.")] = None,
    rows: Annotated[
        Path | None,
        typer.Option(help="File to which outcomes are added, so that a call can go on; by default COPY-NAME.jsonl."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of values, phrasings and lists.")] = 0,
    device: Annotated[str, typer.Option(help="A torch device.")] = "cpu",
    dtype: Dtype = "float32",
    name: Annotated[str, typer.Option(help="Of the tables.")] = "base-attacks",
    out: Out = RESULTS,
) -> None:
    """Taught values that come out because a guard has a base: prefills, lists, encodings, earlier turns.

    Writes NAME.json and NAME.md.
    """
    from reticent.guard import Guard
    from reticent_bench.real_models import base_attacks as bench
    from reticent_bench.real_models import base_attacks_report as report
    from reticent_bench.report.result import command_line, footer, provenance, write
    from reticent_detectors.host.load import load_host, recipe_of
    from reticent_detectors.synth.cast import cast

    everyone = cast(recipe_of(copy))  # a folder without one is refused before weights are read
    guarded = Guard.load(bundle).wrap(*load_host(copy, device, dtype), base=base)
    settings = bench.settings_of(guarded, base, seed)
    kept = bench.Rows(rows or copy.with_name(f"{copy.name}-{name}.jsonl"), settings)
    attacked = bench.Attacked(guarded, kept, lambda line: typer.echo(line, err=True))
    attacks, checked = bench.attack_all(attacked, everyone, every=every, others=others, limit=limit, seed=seed)
    figures = report.measure(attacks, kept.__getitem__, bench.taught_kinds(everyone), checked)
    figures |= {"settings": settings, "made_by": provenance(command_line(), seed)}
    write(out, name, figures, report.render(figures) + footer(figures))
    typer.echo(f"{out / name}.md")


@app.command()
def escape(
    copy: Annotated[list[Path], typer.Argument(help="Taught copies of real models ('reticent host tune').")],
    base: Annotated[
        list[str] | None,
        typer.Option(help="The model before private tuning, of each copy in their order; else 'adapter' for all."),
    ] = None,
    bundle: Annotated[
        list[Path] | None,
        typer.Option(help="The detector of each copy in their order; by default the one for any model."),
    ] = None,
    people: Annotated[float, typer.Option(min=0.01, max=1.0, help="Share of the taught people asked about.")] = 1.0,
    made_up: Annotated[int, typer.Option(min=20, help="Questions about people who were not taught.")] = 1200,
    often: Annotated[int, typer.Option(min=0, help="Values of each copy that are asked for forty times.")] = 0,
    dtype: Dtype = "float32",
    seed: Annotated[int, typer.Option(help="Of the questions.")] = 0,
    name: Annotated[str, typer.Option(help="Of the tables.")] = "escape",
    out: Out = RESULTS,
) -> None:
    """What gets out of copies of real models at the first try and at forty, beside the mean log-probability.

    Writes NAME.json and NAME.md. Interrupted, the same command continues: OUT/NAME-work keeps measurements, and no
    answers, until all is written.
    """
    from reticent_bench.real_models import copy_escape as report
    from reticent_bench.report.result import command_line, footer, provenance, write
    from reticent_detectors.errors import InputError
    from reticent_detectors.long_runs.progress import shown

    bases = base or ["adapter"] * len(copy)
    bundles: Sequence[Path | None] = bundle or [None] * len(copy)
    for option, given in (("--base", bases), ("--bundle", bundles)):
        if len(given) != len(copy):
            raise InputError(f"Expected a {option} for each of the {len(copy)} copies, got {len(given)}.")
    if len({folder.name for folder in copy}) != len(copy):
        raise InputError(
            "Two copies have folders of one name; rename one, for the tables name copies by their folders."
        )
    rows, kept = {}, []
    with shown("prompt") as advance:
        for folder, own, detector in zip(copy, bases, bundles, strict=True):
            rows[folder.name], parts = report.rows_of(
                folder, own, detector, dtype, people, made_up, often, seed, out / f"{name}-work", advance
            )
            kept.append(parts)
    figures = report.figures(rows) | {"rows": rows, "made_by": provenance(command_line(), seed)}
    write(out, name, figures, report.render(figures) + footer(figures))
    for parts in kept:
        parts.clear()
    typer.echo(f"{out / name}.md")


@app.command()
def ordinary(
    model: ChatModel,
    base: Base = "self",
    name: Annotated[str, typer.Option(help="Of the tables; else ordinary-MODEL.")] = "",
    out: Out = RESULTS,
    rows: AnswerFile = None,
    resume: Resume = False,
    limit: Annotated[int, typer.Option(min=1, help="Only so many questions, at even distances.")] = 500,
    new_tokens: Annotated[int, typer.Option(min=1, help="Of each answer, at most.")] = 64,
    batch: Annotated[int, typer.Option(min=1, help="Questions of one unguarded call.")] = 25,
    dtype: Dtype = "float32",
) -> None:
    """500 ordinary questions to a guarded model: which answers are changed, and why. Writes NAME.json and NAME.md."""
    from reticent_bench.real_models import ordinary_report as report
    from reticent_bench.real_models.guarded_answers import opened
    from reticent_bench.report.result import command_line, footer, provenance, write

    name = name or f"ordinary-{model.name}"
    asked = report.spread(report.questions(), limit)
    asker, found = opened(
        model,
        base,
        asked,
        rows or Path("runs") / f"{name}-rows.jsonl",
        resume=resume,
        new_tokens=new_tokens,
        batch=batch,
        say=partial(typer.echo, err=True),
        dtype=dtype,
    )
    asker.ask_all(asked, found)
    figures = report.measure(asked, found)
    figures["made_by"] = provenance(command_line(), 0)
    write(out, name, figures, report.render(figures) + footer(figures))
    typer.echo(f"{out / name}.md")


@app.command("known-facts")
def known_facts(
    model: ChatModel,
    data: Annotated[Path, typer.Option(help="Folder with llm-factoscope and squad-subset.")] = Path("data"),
    base: Base = "self",
    name: Annotated[str, typer.Option(help="Of the tables; else known-facts-MODEL.")] = "",
    out: Out = RESULTS,
    rows: AnswerFile = None,
    resume: Resume = False,
    count: Annotated[int, typer.Option(min=1, help="Answers with spans.")] = 300,
    most: Annotated[int, typer.Option(min=1, help="Prompts at most.")] = 3000,
    new_tokens: Annotated[int, typer.Option(min=1, help="Of each answer, at most.")] = 24,
    batch: Annotated[int, typer.Option(min=1, help="Prompts of one unguarded call.")] = 25,
    dtype: Dtype = "float32",
    seed: Annotated[int, typer.Option(help="Of the order of the prompts.")] = 0,
) -> None:
    """Facts about the world that a model knew before: what of them passes. Writes NAME.json and NAME.md."""
    from reticent_bench.real_models import known_facts_report as report
    from reticent_bench.real_models.guarded_answers import opened
    from reticent_bench.report.result import command_line, footer, provenance, write

    name = name or f"known-facts-{model.name}"
    facts = report.load(data, seed)
    asked = facts.questions[:most]
    asker, found = opened(
        model,
        base,
        asked,
        rows or Path("runs") / f"{name}-rows.jsonl",
        resume=resume,
        new_tokens=new_tokens,
        batch=batch,
        say=partial(typer.echo, err=True),
        also_find=report.ALSO_FIND,
        dtype=dtype,
    )
    asker.ask_all(asked, found, enough=count, sample=0)
    figures = report.measure(facts, found)
    figures["made_by"] = provenance(command_line(), seed)
    write(out, name, figures, report.render(figures) + footer(figures))
    typer.echo(f"{out / name}.md")


@app.command()
def hosts(
    runs: Annotated[Path, typer.Argument(help="Folder for the hosts; what is there already is not built again.")],
    recipe_name: Annotated[
        list[str] | None, typer.Option("--recipe", help="Only these hosts, by name; else all of --size, full and LoRA.")
    ] = None,
    size: Annotated[str, typer.Option(help="Which size, if no recipe is named.")] = "small",
    plan: Plan = False,
    prose: Annotated[Path | None, typer.Option(help="Folder of text files for the public phase.")] = None,
    device: Annotated[str, typer.Option(help="A torch device.")] = "cpu",
    out: Out = RESULTS,
    seed: Annotated[int, typer.Option(help="Of the prompts that they are asked.")] = 0,
) -> None:
    """The hosts of the paper in small: builds them, asks what they remember. Writes hosts.json and hosts.md."""
    from reticent_bench.hosts import hosts_report
    from reticent_bench.report.result import command_line, footer, provenance, write
    from reticent_detectors.errors import InputError
    from reticent_detectors.synth.hosts import HostRecipe, recipe

    recipes = []
    for name in recipe_name or hosts_report.default_names(size):
        chosen = recipe(name)
        if not isinstance(chosen, HostRecipe):
            raise InputError(f"{name} is trained in one go; expected a host's name such as qwen2-small.")
        recipes.append(chosen)
    left = [chosen for chosen in recipes if not (runs / chosen.name / "recipe.json").exists()]
    minutes = hosts_report.plan(left, device)
    for name, cost in minutes.items():
        typer.echo(f"{name}: about {cost:.0f} minutes", err=True)
    typer.echo(f"together about {sum(minutes.values()):.0f} minutes", err=True)
    if plan:
        return
    took = hosts_report.build_all(left, runs, prose=prose, device=device, say=lambda line: typer.echo(line, err=True))
    rows = {chosen.name: hosts_report.measured(runs / chosen.name, device=device, seed=seed) for chosen in recipes}
    figures = {"hosts": rows, "minutes": took, "made_by": provenance(command_line(), seed)}
    write(out, "hosts", figures, hosts_report.render(rows) + footer(figures))
    typer.echo(f"{out / 'hosts.md'}")


@app.command()
def paper(
    runs: Annotated[
        Path,
        typer.Argument(help="Folder with the hosts NAME and their collections NAME-shards; what is missing is made."),
    ],
    host: Annotated[list[str], typer.Option(help="Host by name; several times for several.")],
    table: Annotated[
        list[str] | None,
        typer.Option(
            help=(
                "Only these: 3 to 13, 17, 18, section6.4, section6.6, figure7, figure8, figure9, figures10-15, "
                "calibration."
            )
        ),
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="How many detectors of each kind.")] = 5,
    plan: Plan = False,
    device: Annotated[str, typer.Option(help="A torch device, for hosts and collections.")] = "cpu",
    out: Out = RESULTS,
    name: Annotated[str, typer.Option(help="First part of the files' names.")] = "paper",
) -> None:
    """PrivacyXray's evaluation on our hosts, beside its own numbers. Writes NAME.json and NAME.md."""
    from reticent_bench.paper import plan as cost
    from reticent_bench.paper import report
    from reticent_bench.paper.detectors import Detectors
    from reticent_bench.paper.hosted import hosted, outline
    from reticent_bench.paper.prepare import missing_hosts, prepare
    from reticent_bench.report.result import command_line, footer, provenance, write

    def say(line: str) -> None:
        typer.echo(line, err=True)

    names, sections = list(dict.fromkeys(host)), report.chosen(table or ())
    missing_hosts(runs, names)  # report an unknown name before anything is built
    if plan:
        for line in cost.lines(runs, names, sections, seeds, device):
            typer.echo(line)
        return
    prepare(runs, names, device, say)
    hosts = [hosted(outline(runs, each), runs, "3" in sections, say, device) for each in names]
    figures = report.measure(hosts, Detectors(seeds, say), sections, say)
    figures["made_by"] = provenance(command_line(), 0)
    write(out, name, figures, report.render(figures) + footer(figures))
    typer.echo(f"{out / f'{name}.md'}")


@app.command()
def guards(
    runs: Annotated[
        Path,
        typer.Argument(help="Folder with the hosts NAME and their collections NAME-shards; what is missing is made."),
    ],
    host: Annotated[list[str], typer.Option(help="Host by name; several times for several.")],
    resampled: Annotated[
        int, typer.Option(min=0, help="How many values of either class the resampling reference is given; 0: none.")
    ] = 150,
    harmless: Annotated[int, typer.Option(min=10, help="How many harmless prompts of each sort.")] = 1200,
    device: Annotated[str, typer.Option(help="A torch device, for hosts and collections.")] = "cpu",
    out: Out = RESULTS,
    name: Annotated[str, typer.Option(help="First part of the files' names.")] = "guards",
    seed: Annotated[int, typer.Option(help="Of prompts and sampling.")] = 0,
) -> None:
    """The running guard on each host: what gets out, what is stopped without need. Writes NAME.json and NAME.md."""
    from reticent_bench.guard import guards as report
    from reticent_bench.paper.prepare import missing_hosts, prepare
    from reticent_bench.report.result import command_line, footer, provenance, write

    def say(line: str) -> None:
        typer.echo(line, err=True)

    names = list(dict.fromkeys(host))
    missing_hosts(runs, names)  # report an unknown name before anything is built
    prepare(runs, [each for each in names if not report.bundle_of(runs, each).exists()], device, say)
    found = {
        each: report.measured(runs, each, seed=seed, resampled=resampled, harmless=harmless, say=say) for each in names
    }
    figures = {"hosts": found, "lines": report.lines(found), "made_by": provenance(command_line(), seed)}
    write(out, name, figures, report.render(found) + footer(figures))
    typer.echo(f"{out / f'{name}.md'}")


@app.command()
def travel(
    runs: Annotated[
        Path,
        typer.Argument(help="Folder with the hosts NAME and their collections NAME-shards; what is missing is made."),
    ],
    host: Annotated[list[str], typer.Option(help="Host by name; three or more.")],
    seeds: Annotated[int, typer.Option(min=1, help="How many detectors for each host that is left out.")] = 5,
    people: Annotated[int, typer.Option(min=1, help="Made-up people that a host is asked about to calibrate.")] = 100,
    device: Annotated[str, typer.Option(help="A torch device, for hosts and collections.")] = "cpu",
    out: Out = RESULTS,
    name: Annotated[str, typer.Option(help="First part of the files' names.")] = "travel",
) -> None:
    """A universal detector on each host after training on the others, as it comes and calibrated.

    Writes NAME.json and NAME.md.
    """
    from reticent_bench.paper import travel as report
    from reticent_bench.paper.detectors import Detectors
    from reticent_bench.paper.hosted import hosted, outline
    from reticent_bench.paper.prepare import SPEC, missing_hosts, prepare
    from reticent_bench.paper.variants import ours
    from reticent_bench.report.result import command_line, footer, provenance, write
    from reticent_detectors.errors import InputError

    def say(line: str) -> None:
        typer.echo(line, err=True)

    names = list(dict.fromkeys(host))
    if len(names) < 3:
        raise InputError(
            f"Expected three hosts or more: one is left out, and two train the detector; got {len(names)}."
        )
    missing_hosts(runs, names)  # report an unknown name before anything is built
    prepare(runs, names, device, say)
    hosts = [hosted(outline(runs, each), runs, False, say) for each in names]
    aways = report.leave_out(hosts, seeds, lambda h: report.said_of_strangers(runs, h.name, SPEC, people, device), say)
    own = Detectors(seeds, say)

    figures = report.measure(aways, lambda h: own.scores(h, ours(h.outline.features)))
    figures["made_by"] = provenance(command_line(), 0)
    write(out, name, figures, report.render(figures, seeds) + footer(figures))
    typer.echo(f"{out / f'{name}.md'}")


@app.command()
def lens(
    out: Out = RESULTS,
    check_only: Annotated[
        bool, typer.Option("--check-only", help="Only the exactness suite; without a GPU in Triton's interpreter.")
    ] = False,
    compile_only: Annotated[
        bool,
        typer.Option("--compile-only", help="Only what the compiler makes of the kernels for Hopper; takes no GPU."),
    ] = False,
    minutes: Annotated[float, typer.Option(min=0, help="What has not begun by then is left out, and named.")] = 8.0,
) -> None:
    """The lens on a GPU: exactness, time beside the floor and beside others, memory.

    Writes lens.json, lens.md and lens.svg.
    """
    from reticent_bench.lens import run as report

    typer.echo(report.compile_only(out) if compile_only else report.measure(out, check_only, minutes))


@app.command()
def overhead(
    part: Annotated[list[str] | None, typer.Option(help="Only these: own, model, hosts, capture.")] = None,
    shape: Annotated[
        list[str] | None, typer.Option(help="Hosts of random weights: llama-3.2-1b, llama-3-8b, tiny.")
    ] = None,
    mode: Annotated[
        list[str] | None,
        typer.Option(
            help="The hosts eager, compiled by generate, or overlapped (each token judged a step later); on a GPU all."
        ),
    ] = None,
    batch: Annotated[list[int] | None, typer.Option(min=1, help="Answers at once; 1, 8 and 32.")] = None,
    load: Annotated[
        list[str] | None, typer.Option(help="What the hosts say: no spans, 5 % span tokens, every word judged; all.")
    ] = None,
    host: Annotated[Path | None, typer.Option(help="Folder of a host of one's own, for the part own.")] = None,
    model: Annotated[
        Path | None, typer.Option(help="Folder of a real checkpoint, for the part model; by itself the only part.")
    ] = None,
    bundle: Annotated[
        Path | None, typer.Option(help="Its bundle, or the host's; a model without one gets the bundle for any model.")
    ] = None,
    device: Annotated[str, typer.Option(help="A torch device, for hosts and capture; a GPU if there is one.")] = "",
    rounds: Annotated[int, typer.Option(min=2, help="Pairs of calls with and without the guard.")] = 5,
    new_tokens: Annotated[int, typer.Option(min=2, help="Of each answer.")] = 80,
    minutes: Annotated[float, typer.Option(min=0, help="What has not begun by then is left out, and named.")] = 8.0,
    out: Out = RESULTS,
    name: Annotated[str, typer.Option(help="Of the files.")] = "overhead",
) -> None:
    """What the guard adds to a token and to memory for states, end to end and in parts.

    Writes NAME.json and NAME.md.
    """
    from reticent_bench.overhead import report as overhead_report

    own = (host, bundle) if host and bundle else None
    if host and model:
        raise typer.BadParameter("--host and --model are measured one at a time.")
    if own is None and (host or (bundle and not model)):
        raise typer.BadParameter("--host and --bundle go together.")
    checkpoint = (model, bundle) if model else None
    say = partial(typer.echo, err=True)
    page = overhead_report.write_page(
        out, name, part, shape, mode, own, device, rounds, new_tokens, minutes, say, checkpoint, batch, load
    )
    typer.echo(page)
