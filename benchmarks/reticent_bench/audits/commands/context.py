"""`reticent audit context`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from reticent_bench.audits.commands import options as shared
from reticent_bench.audits.commands.options import chosen, one_of, shared_options

_INSTRUCTION = "Label the last input as the examples are labelled. Answer with the label alone."
_WRITING = "Answer the last input as the inputs of the examples are answered."
_CANARIES = ("hexadecimal", "unigrams", "false-fact")
_QUERIES = ("input-output", "if-then-explicit", "if-then-not-explicit")
_VIEWS = ("label", "histogram")


def context(
    target: shared.Target,
    examples: Annotated[
        Path | None,
        typer.Option(help="JSON lines with text, label and values (a list). Without it, letters of made-up customers."),
    ] = None,
    instruction: Annotated[
        str | None, typer.Option(help=f"Of the task of --examples; if not given: '{_INSTRUCTION}'")
    ] = None,
    generation: Annotated[
        bool, typer.Option("--generation", help="The labels of --examples are texts that the model is to write.")
    ] = False,
    context_size: Annotated[int, typer.Option(min=2, help="Examples in a prompt.")] = 20,
    runs: Annotated[int, typer.Option(min=2, help="Of each attack; even, as half of them have the canary.")] = 40,
    canary: Annotated[
        list[str] | None,
        typer.Option(help="hexadecimal, false-fact or, of a folder, unigrams; the first two if not given."),
    ] = None,
    query: Annotated[
        list[str] | None,
        typer.Option(help="input-output, if-then-explicit or if-then-not-explicit; the first two if not given."),
    ] = None,
    defence: Annotated[list[str] | None, typer.Option(help="none, L1, L2 or L3; none and L2 if not given.")] = None,
    ensemble_runs: Annotated[
        int, typer.Option(min=2, help="Of each defence with a stated epsilon; even, too.")
    ] = 100,
    ensemble_contexts: Annotated[int, typer.Option(min=1, help="Different contexts among them.")] = 4,
    subsets: Annotated[int, typer.Option(min=2, help="Disjoint subsets of a context that vote.")] = 10,
    view: Annotated[
        list[str] | None,
        typer.Option(help="What is seen of a noisy release: label or histogram; both if not given."),
    ] = None,
    votes: Annotated[
        str | None,
        typer.Option(help="Of a subset: answer, or likelihood (the likeliest label, in one pass); answer by default."),
    ] = None,
    running_text: Annotated[
        bool, typer.Option("--running-text", help="Ask in running text, for a model without chats.")
    ] = False,
    worst_case: Annotated[bool, typer.Option("--worst-case", help="Also contexts in which one vote decides.")] = False,
    utility_items: Annotated[int, typer.Option(min=0, help="Held-out examples for utility.")] = 20,
    dumps: Annotated[int, typer.Option(min=1, help="Contexts that the injection asks for.")] = 5,
    optimise: Annotated[
        str,
        typer.Option(
            help="How a better query is searched for: none, evolution, or gepa (pip install '.\\[gepa,cpu]')."
        ),
    ] = "none",
    optimise_calls: Annotated[
        int | None, typer.Option(help="Questions and proposals of that search, at most; 400 if not given.")
    ] = None,
    search_runs: Annotated[
        int | None, typer.Option(help="Runs that the search asks each query on, an even number; 16 if not given.")
    ] = None,
    reflection_server: Annotated[
        str | None,
        typer.Option(
            help="Of --optimise gepa: the address of a server whose model proposes queries; the target if not given."
        ),
    ] = None,
    reflection_model: Annotated[
        str | None, typer.Option(help="Of --reflection-server: the model to ask; its first one if not given.")
    ] = None,
    reflection_key_variable: Annotated[
        str | None,
        typer.Option(
            help="Of --reflection-server: the environment variable that holds its key; no key is sent if not given."
        ),
    ] = None,
    model: shared.Model = None, guarded: shared.Guarded = None, guard: shared.GuardColumns = None,
    bundle: shared.Bundle = None, logprobs_bundle: shared.LogprobsBundle = None, policy: shared.PolicyFile = None,
    records: shared.Records = None, records_key_file: shared.RecordsKeyFile = None, base_model: shared.BaseModel = None,
    api_key_variable: shared.ApiKeyVariable = None, device: shared.Device = None, dtype: shared.Dtype = None,
    max_calls: shared.MaxCalls = None, max_tokens: shared.MaxTokens = None, max_minutes: shared.MaxMinutes = None,
    seed: shared.Seed = 0, out: shared.Out = Path("audit-context"), fail_above: shared.FailAbove = None,
    plan: shared.Plan = False,
) -> None:  # fmt: skip
    """Measures what answers give away about single examples of the prompt, with and without defences."""
    import hashlib

    from reticent_bench.audits.context import tasks
    from reticent_bench.audits.context.audit import audit
    from reticent_bench.audits.context.optimisation.command_parts import optimisation_settings
    from reticent_bench.audits.context.report import make_report
    from reticent_bench.audits.context.settings import Settings
    from reticent_bench.audits.context.vocabulary import vocabulary_of
    from reticent_bench.audits.options import refuse_alone, refuse_together
    from reticent_bench.audits.session import run_audit
    from reticent_detectors.errors import InputError

    searched = optimisation_settings(
        one_of("--optimise", optimise, ("none", "evolution", "gepa")), optimise_calls, search_runs, reflection_server,
        reflection_model, reflection_key_variable, is_chat=not running_text,
    )  # fmt: skip
    options = shared_options({**locals(), "reflection": searched.reflection}, asks_base=False)
    refuse_alone("--instruction", instruction, "--examples", examples is not None)
    refuse_alone("--generation", generation or None, "--examples", examples is not None)
    refuse_together("--votes", votes, "--generation", generation, "Written texts are no votes; leave it out.")
    kinds = chosen("--canary", canary, ("hexadecimal", "false-fact"), _CANARIES)
    if "unigrams" in kinds and options.is_served:
        raise InputError("--canary unigrams needs the model's tokenizer. Audit its folder, or choose another canary.")
    tokenizer = shared.tokenizer_of(target) if "unigrams" in kinds else None
    instruction = instruction or (_WRITING if generation else _INSTRUCTION)
    pool = 4 * context_size
    given = (
        tasks.made_up(pool, seed) if examples is None else tasks.read_examples(examples, instruction, generation, seed)
    )
    asked = Settings(
        seed=seed,
        context_size=context_size,
        canaries=kinds,
        queries=chosen("--query", query, _QUERIES[:2], _QUERIES),
        defences=chosen("--defence", defence, ("none", "L2"), ("none", "L1", "L2", "L3")),
        runs=runs,
        calibration_runs=max(2, runs // 2),
        subsets=subsets,
        ensemble_runs=ensemble_runs,
        ensemble_contexts=ensemble_contexts,
        views=chosen("--view", view, _VIEWS, _VIEWS),
        votes=one_of("--votes", votes or "answer", ("answer", "likelihood")),
        worst_case=worst_case,
        utility_items=utility_items,
        dumps=dumps,
        chat=not running_text,
        vocabulary=None if tokenizer is None else vocabulary_of(tokenizer),
    )
    source = hashlib.sha256(b"" if examples is None else examples.read_bytes()).hexdigest()
    settings = {"examples": source, "instruction": instruction, "asked": repr(asked), **searched.outcomes_depend_on}
    if generation:
        settings["generation"] = True
    code = run_audit(
        "context",
        options,
        lambda targets, others, attempt: audit(
            targets,
            given.task,
            asked,
            attempt,
            values=given.values,
            optimisation=searched.settings,
            reflection=others.reflection,
        ),
        make_report,
        settings,
        partial(typer.echo, err=True),
    )
    raise typer.Exit(code)
