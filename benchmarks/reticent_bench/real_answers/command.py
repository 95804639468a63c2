"""`reticent bench answers`: make the set of labelled real answers, and measure the finder on it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, help="The finder on what real models answer, against readers' labels.")
FOLDER = Path("benchmarks/real_answers")
DATA = Path("detectors/reticent_detectors/finder/data")


@app.command()
def write(
    model: Annotated[Path, typer.Argument(help="Folder of a checkpoint with a chat template.")],
    out: Annotated[Path, typer.Option(help="Folder for the file of its answers.")] = FOLDER,
    new_tokens: Annotated[int, typer.Option(min=1, help="Of each answer, at most.")] = 120,
    batch: Annotated[int, typer.Option(min=1, help="Prompts of one call.")] = 24,
    dtype: Annotated[str, typer.Option(help="The number type that the model runs in.")] = "bfloat16",
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a file that is there.")] = False,
) -> None:
    """Asks a model all prompts of the set. Writes answers-MODEL.jsonl."""
    from reticent_bench.real_answers.prompts import prompts
    from reticent_bench.real_answers.writing import write_answers
    from reticent_detectors.host.load import load_host

    loaded, tokenizer = load_host(model, dtype=dtype)
    file = out / f"answers-{model.name}.jsonl"
    write_answers(
        loaded, tokenizer, model.name, prompts(), file, new_tokens=new_tokens, batch=batch, resume=resume,
        say=partial(typer.echo, err=True),
    )  # fmt: skip
    typer.echo(f"{file}")


@app.command()
def merge(
    first: Annotated[Path, typer.Argument(help="Folder with the first reader's labels (*.jsonl).")],
    second: Annotated[Path, typer.Argument(help="Folder with the second reader's labels.")],
    third: Annotated[Path, typer.Argument(help="Folder with the third reader's labels of the disputed answers.")],
    folder: Annotated[Path, typer.Option(help="Folder of the answers; the labels are written there.")] = FOLDER,
) -> None:
    """Merges the labels of three readers.

    Writes gold-read.jsonl, gold-unread.jsonl, and labels.json with their digests.
    """
    import json

    from reticent_bench.real_answers import labels as made
    from reticent_bench.real_answers.prompts import is_unread, prompts

    answers = made.read_answers(*sorted(folder.glob("answers-*.jsonl")))
    one, other, last = (made.read_labels(sorted(each.glob("*.jsonl")), answers) for each in (first, second, third))
    gold, sorts = made.merge(one, other, last, answers), {each.id: each.sort for each in prompts()}
    digests = {}
    for part in ("read", "unread"):
        wanted = part == "unread"
        keys = {key for key in answers if is_unread(key.rpartition("/")[0], sorts[key.rpartition("/")[2]]) is wanted}
        own = made.Labels({key: spans for key, spans in gold.spans.items() if key in keys}, gold.dropped & keys)
        digests[part] = made.write_gold(own, folder / f"gold-{part}.jsonl")
    about = {
        "answers": len(answers), "dropped": len(gold.dropped), "disputed": len(made.disputed(one, other)),
        "spans": sum(map(len, gold.spans.values())), "agreement": made.agreement(one, other),
        "exact agreement": made.agreement(one, other, exact=True), "sha256": digests,
    }  # fmt: skip
    (folder / "labels.json").write_text(json.dumps(about, indent=1) + "\n")
    typer.echo(json.dumps(about, indent=1))


@app.command()
def score(
    part: Annotated[
        list[str] | None,
        typer.Option(help="read, unread; the read part alone if not given. Opening the other shows it."),
    ] = None,
    folder: Annotated[Path, typer.Option(help="Folder of answers and labels.")] = FOLDER,
    out: Annotated[Path, typer.Option(help="Folder for the tables.")] = Path("benchmarks/results"),
    name: Annotated[str, typer.Option(help="Of the tables.")] = "real-answers",
) -> None:
    """The default finder on the labelled answers. Writes NAME.json and NAME.md."""
    import hashlib
    import json

    from reticent_bench.real_answers import labels as made
    from reticent_bench.real_answers import report
    from reticent_bench.real_answers.prompts import prompts
    from reticent_bench.report.result import command_line, footer, provenance
    from reticent_bench.report.result import write as write_tables
    from reticent_detectors.errors import InputError

    parts = part or ["read"]
    if unknown := sorted(set(parts) - set(report.PARTS)):
        raise InputError(f"Unknown part {unknown[0]!r}; expected {' or '.join(report.PARTS)}.")
    about = json.loads((folder / "labels.json").read_text())
    answers, rows = made.read_answers(*sorted(folder.glob("answers-*.jsonl"))), []
    for each in parts:
        file = folder / f"gold-{each}.jsonl"
        if hashlib.sha256(file.read_bytes()).hexdigest() != about["sha256"][each]:
            raise InputError(f"{file} is not what its readers wrote: its digest is another one than in labels.json.")
        rows += report.read_all(answers, made.read_gold(file), prompts())
    figures = {"labels": about, **report.measure(rows), "made_by": provenance(command_line(), 0)}
    write_tables(out, name, figures, report.render(figures) + footer(figures))
    typer.echo(f"{out / name}.md")


@app.command("train-check")
def train_check(
    marked: Annotated[Path, typer.Option(help="Folder of texts with marked values (*.jsonl).")] = FOLDER / "written",
    people: Annotated[int, typer.Option(min=1, help="Made-up people in our own phrasings.")] = 12,
    strength: Annotated[float, typer.Option(help="Inverse of the ridge on the weights.")] = 1.0,
    file: Annotated[Path, typer.Option(help="Where the check is written.")] = DATA / "span_check.npz",
    out: Annotated[Path, typer.Option(help="Folder for the tables.")] = Path("benchmarks/results"),
    name: Annotated[str, typer.Option(help="Of the tables.")] = "span-check",
) -> None:
    """Trains what drops wrong proposals of the finder. Writes the check, NAME.json and NAME.md."""
    import random

    from reticent_bench.real_answers import check_training as training
    from reticent_bench.real_answers.marked import phrased, read_marked
    from reticent_bench.report.result import command_line, footer, provenance
    from reticent_bench.report.result import write as write_tables

    written, ours = read_marked(sorted(marked.glob("*.jsonl"))), list(phrased(people, training.SEED))
    say = partial(typer.echo, err=True)
    random.Random(training.SEED).shuffle(written)  # so that each fold has texts of all sorts
    found = training.proposals([*written, *ours], say)
    trained = training.train(found, len(written), strength)
    training.write_check(trained.check, file)
    figures = {
        "texts": {"written texts": len(written), "answers in our own phrasings": len(ours)},
        "cross-validated": training.cross_validated(written, ours, strength, say),
        "kinds": trained.table,
        "made_by": provenance(command_line(), training.SEED),
    }
    write_tables(out, name, figures, training.render(figures) + footer(figures))
    typer.echo(f"{file}\n{out / name}.md")


@app.command("train-tagger")
def train_tagger(
    folder: Annotated[Path, typer.Option(help="Folder of the written texts, the answers and their labels.")] = FOLDER,
    vectors_of: Annotated[
        Path | None,
        typer.Option(help="A checkpoint whose states are the vectors of words; else those of the shipped tagger."),
    ] = None,
    epochs: Annotated[float, typer.Option(min=0.1, help="Of all texts.")] = 16.0,
    caution: Annotated[float, typer.Option(help="Added to the log-odds of no value.")] = 0.5,
    phrasings: Annotated[int, typer.Option(min=0, help="Answers in our own phrasings.")] = 800,
    unseen: Annotated[
        Path | None,
        typer.Option(help="Folder of the unseen texts: the practice half of its set 'unannounced' is learned as well."),
    ] = None,
    teacher: Annotated[
        Path | None,
        typer.Option(help="A Gemma 3 checkpoint that learns the marked texts first, and then marks --unmarked ones."),
    ] = None,
    unmarked: Annotated[
        list[Path] | None, typer.Option(help="Texts that the teacher marks (JSON lines of question and text).")
    ] = None,
    marks: Annotated[
        Path | None,
        typer.Option(help="Keeps what the teacher says in this folder, and does not ask again what stands there."),
    ] = None,
    learn_vectors: Annotated[
        bool, typer.Option("--learn-vectors", help="Vectors of words are learned as well.")
    ] = False,
    device: Annotated[str, typer.Option(help="Where it is trained: cpu or cuda.")] = "cpu",
    file: Annotated[Path, typer.Option(help="Where the tagger is written.")] = DATA / "tagger.npz",
    measured: Annotated[
        Path | None, typer.Option(help="Where the tagger that did not see the held-out texts is written as well.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for the tables.")] = Path("benchmarks/results"),
    name: Annotated[str, typer.Option(help="Of the tables.")] = "tagger",
) -> None:
    """Trains what finds values that nothing announces.

    It is trained once without some texts, to measure it on these, and once on all. Writes the tagger, NAME.json and
    NAME.md.
    """
    from reticent_bench.real_answers.tagger_run import Settings, train_and_measure
    from reticent_bench.real_answers.training_texts import read_texts
    from reticent_bench.report.result import command_line
    from reticent_detectors.errors import InputError

    if (teacher is None) != (not unmarked):
        raise InputError("A teacher marks unmarked texts: give both --teacher and --unmarked, or neither.")
    settings = Settings(
        epochs=epochs, caution=caution, learn_vectors=learn_vectors, device=device, vectors_of=vectors_of,
        teacher=teacher, unmarked=tuple(unmarked or ()), marks=marks,
    )  # fmt: skip
    texts = read_texts(folder, phrasings, unseen)
    page = train_and_measure(
        texts, settings, file, measured, out, name, command_line(), say=partial(typer.echo, err=True)
    )
    typer.echo(f"{file}\n{page}")


@app.command("score-tagger")
def score_tagger(
    measured: Annotated[Path, typer.Argument(help="A tagger that did not see the held-out texts.")],
    folder: Annotated[Path, typer.Option(help="Folder of the written texts, the answers and their labels.")] = FOLDER,
    out: Annotated[Path, typer.Option(help="Folder for the tables.")] = Path("benchmarks/results"),
    name: Annotated[str, typer.Option(help="Of the tables.")] = "tagger-score",
) -> None:
    """Measures a tagger on the texts that `train-tagger` holds out. Writes NAME.json and NAME.md."""
    from reticent_bench.real_answers import tagger_training as training
    from reticent_bench.real_answers.training_texts import SEED, read_texts
    from reticent_bench.report.result import command_line, footer, provenance
    from reticent_bench.report.result import write as write_tables
    from reticent_detectors.finder.tagger import TagNetwork

    with measured.open("rb") as file:
        network = TagNetwork.load(file)
    texts = read_texts(folder)
    figures = training.figures_of(texts, *texts.parted(), network)
    figures |= {"bytes": measured.stat().st_size, "made_by": provenance(command_line(), SEED)}
    write_tables(out, name, figures, training.render(figures) + footer(figures))
    typer.echo(f"{out / name}.md")


@app.command()
def imagine(
    model: Annotated[Path, typer.Argument(help="Folder of a base model's checkpoint.")],
    file: Annotated[Path, typer.Argument(help="Where the texts are written (JSON lines).")],
    number: Annotated[int, typer.Option(min=1, help="Prompts.")] = 20_000,
    folder: Annotated[Path, typer.Option(help="Folder of the written texts, the answers and their labels.")] = FOLDER,
    batch: Annotated[int, typer.Option(min=1, help="Prompts of one call.")] = 16,
    device: Annotated[str, typer.Option(help="Where the model runs: cpu or cuda.")] = "cpu",
    seed: Annotated[int, typer.Option(help="Of what is shown and drawn.")] = 0,
) -> None:
    """A base model writes texts after the pattern of marked ones, which a tagger's teacher can mark.

    Texts that are held out to measure the tagger are not shown.
    """
    from reticent_bench.real_answers.imagined import imagine as imagined
    from reticent_bench.real_answers.imagined import write_unmarked
    from reticent_bench.real_answers.training_texts import read_texts
    from reticent_detectors.host.load import load_host

    loaded, tokenizer = load_host(model, dtype="bfloat16")
    shown, _ = read_texts(folder, 0).parted()[0].weighted()
    say = partial(typer.echo, err=True)
    made = list(imagined(loaded.to(device), tokenizer, shown, number, batch=batch, seed=seed, say=say))
    write_unmarked(made, file)
    typer.echo(f"{file}: {len(made)} texts")
