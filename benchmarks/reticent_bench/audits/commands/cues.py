"""`reticent audit cues`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from reticent_bench.audits.commands import options as shared
from reticent_bench.audits.commands.options import shared_options


def cues(
    target: shared.Target,
    people: Annotated[
        Path | None,
        typer.Option(
            help=(
                "JSON lines, or CSV with a header, one person each: name, email, phone, planted, company, language, "
                "email_prefix, phone_prefix. Without it, the people of the target's recipe.json ('reticent host tune')."
            )
        ),
    ] = None,
    recipe: shared.Recipe = None,
    most: Annotated[int | None, typer.Option(min=5, help="Of a recipe: planted people; 40 if not given.")] = None,
    held_out: Annotated[
        int | None,
        typer.Option(
            min=5,
            help="Of a recipe: people whom the model was not taught; 60 if not given, who show that a value is rare.",
        ),
    ] = None,
    family: Annotated[
        list[str] | None, typer.Option(help="verbatim, twin, triplet or known; the first three if not given.")
    ] = None,
    free_draws: Annotated[int, typer.Option(min=0, help="Draws of 256 tokens without any cue, for each kind.")] = 0,
    low_cue: Annotated[float, typer.Option(help="Highest cue that counts as low.")] = 0.5,
    chat: Annotated[bool, typer.Option("--chat", help="Ask in a user's turn instead of running text.")] = False,
    model: shared.Model = None, guarded: shared.Guarded = None, guard: shared.GuardColumns = None,
    bundle: shared.Bundle = None, logprobs_bundle: shared.LogprobsBundle = None, policy: shared.PolicyFile = None,
    records: shared.Records = None, records_key_file: shared.RecordsKeyFile = None, base_model: shared.BaseModel = None,
    api_key_variable: shared.ApiKeyVariable = None, device: shared.Device = None, dtype: shared.Dtype = None,
    max_calls: shared.MaxCalls = None, max_tokens: shared.MaxTokens = None, max_minutes: shared.MaxMinutes = None,
    seed: shared.Seed = 0, out: shared.Out = Path("audit-cues"), fail_above: shared.FailAbove = None,
    reveal: shared.Reveal = False, plan: shared.Plan = False,
) -> None:  # fmt: skip
    """Tells values that a model knows from values that the prompt gives away."""
    import hashlib

    from reticent_bench.audits.cues import CueSettings, audit
    from reticent_bench.audits.cues.decision import Limits
    from reticent_bench.audits.cues.population import cut_prefixes, people_of_recipe, read_people
    from reticent_bench.audits.cues.report import make_report
    from reticent_bench.audits.options import refuse_together
    from reticent_bench.audits.session import run_audit
    from reticent_bench.audits.targets import off_and_guards

    options = shared_options(locals())
    folder = shared.recipe_folder(target, recipe, "--people", people)
    for flag, given in (("--most", most), ("--held-out", held_out)):
        refuse_together(flag, given, "--people", people is not None, "Shorten the file instead, or leave one out.")
    of_recipe = most or 40, held_out or 60
    population = people_of_recipe(folder, *of_recipe) if people is None else read_people(people)
    has_prefixes = any(fact.prefix for arm in population for each in arm for fact in each.facts)
    if has_prefixes and (tokenizer := shared.tokenizer_of(target)) is not None:
        population = cut_prefixes(population, tokenizer)
    asked = CueSettings(
        families=tuple(family or ("verbatim", "twin", "triplet")),
        limits=Limits(low_cue=low_cue),
        free_draws=free_draws,
        chat=chat,
        seed=seed,
    )

    def measure(targets: Any, others: Any, attempt: Any) -> Any:
        first, guarded = off_and_guards(targets)
        people = population.planted, population.held_out
        return audit(first, *people, asked, attempt, control=others.base, guarded=guarded)

    source = hashlib.sha256(b"" if people is None else people.read_bytes()).hexdigest()
    settings = {"people": source, **shared.recipe_settings(recipe), "most": list(of_recipe), "asked": repr(asked)}
    code = run_audit(
        "cues",
        options,
        measure,
        lambda found: make_report(found, asked.limits, asked.families),
        settings,
        partial(typer.echo, err=True),
    )
    raise typer.Exit(code)
