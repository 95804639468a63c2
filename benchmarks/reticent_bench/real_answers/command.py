"""`reticent bench answers`: make the set of labelled real answers, and measure the finder on it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, help="The finder on what real models answer, against readers' labels.")
FOLDER = Path("benchmarks/real_answers")


@app.command()
def write(
    model: Annotated[Path, typer.Argument(help="Folder of a checkpoint with a chat template.")],
    out: Annotated[Path, typer.Option(help="Folder for the file of its answers.")] = FOLDER,
    new_tokens: Annotated[int, typer.Option(min=1, help="Of each answer, at most.")] = 120,
    batch: Annotated[int, typer.Option(min=1, help="Prompts of one call.")] = 24,
    dtype: Annotated[str, typer.Option(help="The number type that the model runs in.")] = "bfloat16",
    asked: Annotated[Path | None, typer.Option("--prompts", help="A table of prompts in place of the set's.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a file that is there.")] = False,
) -> None:
    """Asks a model all prompts of the set. Writes answers-MODEL.jsonl."""
    from reticent_bench.real_answers.prompts import prompts
    from reticent_bench.real_answers.writing import write_answers
    from reticent_detectors.host.load import load_host

    loaded, tokenizer = load_host(model, dtype=dtype)
    file = out / f"answers-{model.name}.jsonl"
    write_answers(
        loaded, tokenizer, model.name, prompts(asked), file, new_tokens=new_tokens, batch=batch, resume=resume,
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
