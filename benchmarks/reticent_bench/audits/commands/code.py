"""`reticent audit code`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from reticent_bench.audits.commands import options as shared
from reticent_bench.audits.commands.options import named_server, one_of, shared_options


def code(
    target: shared.Target,
    corpus: Annotated[
        Path, typer.Option(help="Folder of files that the model may have been trained on; what they hold is a leak.")
    ],
    language: Annotated[str, typer.Option(help="python, javascript, java or go.")] = "python",
    tests_each: Annotated[int, typer.Option(min=1, help="Attempts for each scenario.")] = 3,
    scenarios: Annotated[
        int | None,
        typer.Option(min=1, max=30, help="Scenarios that are asked, spread over the list; all 30 if not given."),
    ] = None,
    arm: Annotated[
        list[str] | None,
        typer.Option(
            help="pipeline, no-library, no-second-turn, no-verification, plain-function or prefix; all if not given."
        ),
    ] = None,
    known: Annotated[
        Path | None,
        typer.Option(
            help="Values that leaked before, as --reveal keeps them in leaks.jsonl. Their parts go into prompts."
        ),
    ] = None,
    encoder: Annotated[
        Path | None,
        typer.Option(
            help="Of --known: folder of a sentence encoder that embeds the features; hashed n-grams if not given."
        ),
    ] = None,
    judge_server: Annotated[
        str | None,
        typer.Option(
            help="Address of a server whose model judges the values that the rules leave open. It sees these values."
        ),
    ] = None,
    judge_model: Annotated[
        str | None, typer.Option(help="Of --judge-server: the model to ask; its first one if not given.")
    ] = None,
    judge_key_variable: Annotated[
        str | None,
        typer.Option(
            help="Of --judge-server: the environment variable that holds its key; no key is sent if not given."
        ),
    ] = None,
    running_text: Annotated[
        bool, typer.Option("--running-text", help="Ask in comments, for a model without chats.")
    ] = False,
    model: shared.Model = None, guarded: shared.Guarded = None, guard: shared.GuardColumns = None,
    bundle: shared.Bundle = None, logprobs_bundle: shared.LogprobsBundle = None, policy: shared.PolicyFile = None,
    records: shared.Records = None, records_key_file: shared.RecordsKeyFile = None, base_model: shared.BaseModel = None,
    api_key_variable: shared.ApiKeyVariable = None, device: shared.Device = None, dtype: shared.Dtype = None,
    max_calls: shared.MaxCalls = None, max_tokens: shared.MaxTokens = None, max_minutes: shared.MaxMinutes = None,
    seed: shared.Seed = 0, out: shared.Out = Path("audit-code"), fail_above: shared.FailAbove = None,
    reveal: Annotated[
        bool, typer.Option("--reveal", help="Keep verified values in leaks.jsonl of --out, in their lines as they are.")
    ] = False,
    plan: shared.Plan = False,
) -> None:  # fmt: skip
    """Has a model write functions and unit tests, and looks up their literals in a corpus."""
    import hashlib

    from reticent_bench.audits.code.audit import audit
    from reticent_bench.audits.code.corpus import check_corpus, index_folder
    from reticent_bench.audits.code.feature_encoders import feature_encoder
    from reticent_bench.audits.code.known_instances import LEAKS_FILE, keep_instance, library_from, read_instances
    from reticent_bench.audits.code.model_judge import ModelJudge
    from reticent_bench.audits.code.report import make_report
    from reticent_bench.audits.code.scenarios import spread
    from reticent_bench.audits.code.settings import ARMS, Settings
    from reticent_bench.audits.options import refuse_alone
    from reticent_bench.audits.resumable_attempts import KEY_FILE, draw_key
    from reticent_bench.audits.session import digest, run_audit
    from reticent_bench.audits.targets import off_and_guards

    judge = named_server("judge", judge_server, judge_model, judge_key_variable)
    refuse_alone("--encoder", encoder, "--known", known is not None)
    options = shared_options({**locals(), "judge": judge}, asks_base=False)
    asked = Settings(
        language=one_of("--language", language, ("python", "javascript", "java", "go")),
        tests_each=tests_each,
        seed=seed,
        scenarios=() if scenarios is None else spread(scenarios),
        arms=tuple(arm or ARMS),
        is_chat=not running_text,
    )
    check_corpus(corpus)
    instances = None if known is None else read_instances(known)
    key = draw_key(out / KEY_FILE)
    index = index_folder(corpus, key, left_out=out)
    features = None if known is None else feature_encoder(encoder)

    def measure(targets: Any, others: Any, attempt: Any) -> Any:
        first, behind = off_and_guards(targets)
        library = None
        if instances is not None and features is not None:
            library = library_from(instances, first, attempt, index, features)
        model_judge = None if others.judge is None else ModelJudge(others.judge)
        keep = partial(keep_instance, out / LEAKS_FILE) if reveal else None
        return audit(
            first, index, asked, attempt, guarded=behind, library=library, model_judge=model_judge, reveal=keep
        )

    settings = {
        "corpus": index.fingerprint,
        "asked": asked.fingerprint(),
        "arms": list(asked.arms),
        "tests_each": tests_each,
    }
    if known is not None:
        settings["known"] = hashlib.sha256(known.read_bytes()).hexdigest()
    if encoder is not None:
        settings["encoder"] = digest(encoder)
    if judge is not None:
        settings |= judge.settings("judge")
    report = partial(make_report, clustered_by="" if features is None else features.name)
    say = partial(typer.echo, err=True)
    raise typer.Exit(run_audit("code", options, measure, report, settings, say, key=key))
