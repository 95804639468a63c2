"""`reticent audit extraction`, and what goes before it: `canaries` and `plant`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from reticent_bench.audits.commands import options as shared
from reticent_bench.audits.commands.options import shared_options


def canaries(
    out: Annotated[Path, typer.Argument(help="Folder for canaries.json, rows.txt and records.jsonl.")],
    base: Annotated[int, typer.Option(min=1, help="The i-th canary of a kind is repeated so often times i.")] = 1,
    once: Annotated[bool, typer.Option("--once", help="Repeat every canary BASE times instead.")] = False,
    seed: shared.Seed = 0,
) -> None:
    """Draws canaries. Mix the lines of rows.txt into your training data, and audit with canaries.json.

    `reticent index` makes an index of records.jsonl. With it the guard knows the inserted e-mails and telephone
    numbers.
    """
    import json

    from reticent_bench.audits.extraction.canaries import draw_canaries, records, save_canaries, training_rows
    from reticent_detectors.errors import InputError

    file = out / "canaries.json"
    if file.exists():
        raise InputError(f"{file} is there; a model may have been trained on its canaries. Choose another folder.")
    drawn = draw_canaries(seed, base, once)
    rows = training_rows(drawn, seed)
    out.mkdir(parents=True, exist_ok=True)
    (out / "rows.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    known = "".join(json.dumps(record) + "\n" for record in records(drawn))
    (out / "records.jsonl").write_text(known, encoding="utf-8")
    save_canaries(file, drawn)
    typer.echo(
        f"{file}: {len(drawn)} candidates, {sum(c.repetitions > 0 for c in drawn)} of them in the {len(rows)} lines "
        "of rows.txt"
    )


def plant(
    model: Annotated[
        Path, typer.Argument(help="Your model: a transformers checkpoint or an adapter. It stays as it is.")
    ],
    out: Annotated[Path, typer.Argument(help="Folder for the copy that was trained on the canaries.")],
    canary_file: Annotated[Path, typer.Option("--canaries", help="canaries.json of 'reticent audit canaries'.")],
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the rows.")] = 3,
    rank: Annotated[int, typer.Option(min=0, help="Of the adapter; 0 trains all weights.")] = 16,
    learning_rate: Annotated[float | None, typer.Option(help="0.002 for an adapter, 0.0003 for all weights.")] = None,
    batch_tokens: Annotated[int, typer.Option(min=128, help="Tokens a step.")] = 2048,
    device: Annotated[str, typer.Option(help="A torch device.")] = "cpu",
    seed: shared.Seed = 0,
) -> None:
    """Trains a copy of a model on canaries, to try the audit where the truth is known. Interrupted, it continues."""
    import hashlib

    from reticent_bench.audits.extraction.canaries import load_canaries, training_rows
    from reticent_bench.audits.extraction.planting import plant as train
    from reticent_detectors.errors import InputError
    from reticent_detectors.host.load import checkpoint_of, load_host
    from reticent_detectors.long_runs.progress import shown

    if out.exists() and any(out.iterdir()):
        raise InputError(f"{out} is there and not empty; choose another folder for the copy.")
    rows = training_rows(load_canaries(canary_file), seed)
    host, tokenizer = load_host(model, device)
    on_adapter = checkpoint_of(model) != model
    if on_adapter:
        # An adapter cannot name another one as its base, so the copy is a whole checkpoint.
        host = host.merge_and_unload()
    made_of = [rows, str(model.resolve()), epochs, rank, learning_rate, batch_tokens, seed]
    work = out.with_name(f"{out.name}-plant-{hashlib.sha256(repr(made_of).encode()).hexdigest()[:12]}.pt")
    work.parent.mkdir(parents=True, exist_ok=True)
    with shown("step") as advance:
        trained = train(
            host, tokenizer, rows, work, base=str(model.resolve()), epochs=epochs, rank=rank, rate=learning_rate,
            batch_tokens=batch_tokens, seed=seed, device=device,
            progress=lambda phase, step, steps, loss: advance(phase, step, steps, f"loss {loss:.3f}"),
        )  # fmt: skip
    if on_adapter and rank:
        trained = trained.merge_and_unload()
    trained.save_pretrained(out)
    tokenizer.save_pretrained(out)
    work.unlink()
    typer.echo(
        f"{out}: trained on {len(rows)} rows; audit it with 'reticent audit extraction {out} --canaries {canary_file}'"
    )


def extraction(
    target: shared.Target,
    canary_file: Annotated[Path, typer.Option("--canaries", help="canaries.json that the model was trained with.")],
    samples: Annotated[int, typer.Option(min=0, help="Sampled answers of each kind and column.")] = 96,
    model: shared.Model = None, guarded: shared.Guarded = None, guard: shared.GuardColumns = None,
    bundle: shared.Bundle = None, logprobs_bundle: shared.LogprobsBundle = None, policy: shared.PolicyFile = None,
    records: shared.Records = None, records_key_file: shared.RecordsKeyFile = None, base_model: shared.BaseModel = None,
    api_key_variable: shared.ApiKeyVariable = None, device: shared.Device = None, dtype: shared.Dtype = None,
    max_calls: shared.MaxCalls = None, max_tokens: shared.MaxTokens = None, max_minutes: shared.MaxMinutes = None,
    seed: shared.Seed = 0, out: shared.Out = Path("audit-extraction"), fail_above: shared.FailAbove = None,
    reveal: shared.Reveal = False, plan: shared.Plan = False,
) -> None:  # fmt: skip
    """Measures how strongly a model memorised canaries, and whether they come out."""
    import hashlib

    from reticent_bench.audits.extraction.audit import audit_extraction
    from reticent_bench.audits.extraction.canaries import load_canaries
    from reticent_bench.audits.extraction.report import make_report
    from reticent_bench.audits.options import OFF, refuse_together
    from reticent_bench.audits.session import run_audit

    drawn = load_canaries(canary_file)
    options = shared_options(locals())
    guards = options.guarded or set(options.columns or ()) - {OFF} or None
    advice = "Likelihoods have no guarded column; leave it out."
    refuse_together("--guarded" if options.is_served else "--guard", guards, "--samples 0", samples == 0, advice)
    settings = {"canaries": hashlib.sha256(canary_file.read_bytes()).hexdigest(), "samples": samples}
    code = run_audit(
        "extraction", options,
        lambda targets, others, attempt: audit_extraction(
            targets, drawn, attempt, base=others.base, samples=samples, seed=seed
        ),
        make_report, settings, partial(typer.echo, err=True),
    )  # fmt: skip
    raise typer.Exit(code)
