"""`reticent audit membership`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from reticent_bench.audits.commands import options as shared
from reticent_bench.audits.commands.options import shared_options


def membership(
    target: shared.Target,
    texts: Annotated[
        Path | None,
        typer.Option(
            help="JSON lines with text, start, end, person, member and maybe language. Without it, documents about "
            "the people of the target's recipe.json ('reticent host tune')."
        ),
    ] = None,
    reference_texts: Annotated[
        Path | None,
        typer.Option(help="Public texts, one a line: word frequencies for the neighbourhood attack and DC-PDD."),
    ] = None,
    recipe: shared.Recipe = None,
    most: Annotated[
        int | None, typer.Option(min=5, help="Of a recipe: members, and as many non-members; 60 if not given.")
    ] = None,
    variants: Annotated[int, typer.Option(min=1, help="Neighbours of each window.")] = 10,
    model: shared.Model = None, base_model: shared.BaseModel = None, reference_model: shared.ReferenceModel = None,
    api_key_variable: shared.ApiKeyVariable = None, device: shared.Device = None, dtype: shared.Dtype = None,
    max_calls: shared.MaxCalls = None, max_tokens: shared.MaxTokens = None, max_minutes: shared.MaxMinutes = None,
    seed: shared.Seed = 0, out: shared.Out = Path("audit-membership"), fail_above: shared.FailAbove = None,
    plan: shared.Plan = False,
) -> None:  # fmt: skip
    """Tells members of the training data by the likelihood of their texts: attacks on windows around a value."""
    import hashlib

    from reticent_bench.audits.membership import population
    from reticent_bench.audits.membership.attacks import TokenFrequencies
    from reticent_bench.audits.membership.audit import audit
    from reticent_bench.audits.membership.neighbours import FrequentWords
    from reticent_bench.audits.membership.questions import MembershipSettings, Sources
    from reticent_bench.audits.membership.report import make_report
    from reticent_bench.audits.membership.windows import tokens_of, word_tokens
    from reticent_bench.audits.options import OFF, refuse_together
    from reticent_bench.audits.session import run_audit
    from reticent_detectors.errors import InputError

    options = shared_options(locals())
    if texts is None and reference_texts is not None:
        raise InputError("--reference-texts goes with --texts; a recipe brings its own.")
    folder = shared.recipe_folder(target, recipe, "--texts", texts)
    refuse_together("--most", most, "--texts", texts is not None, "Shorten the file instead, or leave one out.")
    people = most or 60
    read = (
        population.read_texts(texts, reference_texts)
        if texts is not None
        else population.texts_of_recipe(folder, people, seed)
    )
    tokenizer = shared.tokenizer_of(target)
    frequencies = None
    if read.reference and tokenizer is not None:
        frequencies = TokenFrequencies.of_texts(read.reference, tokenizer, len(tokenizer))
    words = FrequentWords("\n".join(read.reference)) if read.reference else None
    asked = MembershipSettings(variants=variants, seed=seed)

    def measure(targets: Any, others: Any, attempt: Any) -> Any:
        sources = Sources(
            others.reference,
            others.base,
            propose_words=words,
            frequencies=frequencies,
            tokenize=word_tokens if tokenizer is None else tokens_of(tokenizer),
        )
        return audit(targets[OFF], read.members, read.non_members, attempt, sources, asked)

    files = [file.read_bytes() for file in (texts, reference_texts) if file is not None]
    settings = {
        "texts": [hashlib.sha256(each).hexdigest() for each in files],
        **shared.recipe_settings(recipe),
        "most": people,
        "asked": repr(asked),
    }
    raise typer.Exit(run_audit("membership", options, measure, make_report, settings, partial(typer.echo, err=True)))
