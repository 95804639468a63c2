"""Audit a model: what it gives away of its training data, its prompt and its code."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

app = typer.Typer(add_completion=False)
_API_KEY_VARIABLE = "OPENAI_API_KEY"
_INSTRUCTION = "Label the last input as the examples are labelled. Answer with the label alone."

Target = Annotated[
    str,
    typer.Argument(help="Folder of a checkpoint or an adapter, or the base address of an OpenAI-compatible server."),
]
Model = Annotated[str | None, typer.Option(help="Of a server: the model to ask; its first one if not given.")]
Guarded = Annotated[
    str | None, typer.Option(help="Of a server: the address of the same model behind the guard ('reticent serve').")
]
GuardColumns = Annotated[
    str | None, typer.Option("--guard", help="Of a folder: off, on, or off,on; both if not given.")
]
Bundle = Annotated[Path | None, typer.Option(help="Detector bundle of the guard; the default one if not given.")]
PolicyFile = Annotated[Path | None, typer.Option(help="Policy file of the guard.")]
Records = Annotated[Path | None, typer.Option(help="Records index of the guard, made by 'reticent index'.")]
RecordsKeyFile = Annotated[Path | None, typer.Option(help="The records index' key.")]
BaseModel = Annotated[
    str | None,
    typer.Option(help="The model before private tuning: a folder, or 'adapter' or 'self' for the guard alone."),
]
ReferenceModel = Annotated[
    Path | None,
    typer.Option(
        help="Of a folder: the folder of a model of another training, for the attack 'reference'. Its tokenizer may differ."
    ),
]
ApiKeyVariable = Annotated[
    str | None,
    typer.Option(help=f"Of a server: the environment variable that holds its key; {_API_KEY_VARIABLE} if not given."),
]
Device = Annotated[str | None, typer.Option(help="Of a folder: a torch device; cpu if not given.")]
Dtype = Annotated[str | None, typer.Option(help="Of a folder: the model's number type; float32 if not given.")]
MaxCalls = Annotated[int | None, typer.Option(help="Answers and scored texts, at most.")]
MaxTokens = Annotated[int | None, typer.Option(help="Tokens generated and scored, at most.")]
MaxMinutes = Annotated[float | None, typer.Option(help="Minutes, at most.")]
Seed = Annotated[int, typer.Option(min=0, help="Of all that is drawn.")]
Out = Annotated[
    Path, typer.Option(help="Folder for report.html, report.md, report.json, junit.xml and attempts.jsonl.")
]
FailAbove = Annotated[
    list[str] | None,
    typer.Option(help="NAME=LIMIT: exit code 1 if the upper end of a headline figure is above the limit."),
]
Reveal = Annotated[
    bool, typer.Option("--reveal", help="Keep answers in attempts.jsonl as they are, not as keyed hashes.")
]
Plan = Annotated[
    bool, typer.Option("--plan", help="Say what will be asked, and by a few short questions how long that takes.")
]


@app.callback()
def audit() -> None:
    """Audits a model. Exit codes: 0; 1 above a limit; 2 bad input; 3 incomplete, as when the budget is spent."""


@app.command()
def canaries(
    out: Annotated[Path, typer.Argument(help="Folder for canaries.json, rows.txt and records.jsonl.")],
    base: Annotated[int, typer.Option(min=1, help="The i-th canary of a kind is repeated so often times i.")] = 1,
    once: Annotated[bool, typer.Option("--once", help="Repeat every canary BASE times instead.")] = False,
    seed: Annotated[int, typer.Option(help="Of values and of what is inserted.")] = 0,
) -> None:
    """Draws canaries. Mix the lines of rows.txt into your training data, and audit with canaries.json.

    `reticent index` makes an index of records.jsonl, with which the guard knows the inserted e-mails and telephone numbers.
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
        f"{file}: {len(drawn)} candidates, {sum(c.repetitions > 0 for c in drawn)} of them in the {len(rows)} lines of rows.txt"
    )


@app.command()
def plant(
    model: Annotated[Path, typer.Argument(help="Your model: a transformers checkpoint. It stays as it is.")],
    out: Annotated[Path, typer.Argument(help="Folder for the copy that was trained on the canaries.")],
    canary_file: Annotated[Path, typer.Option("--canaries", help="canaries.json of 'reticent audit canaries'.")],
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the rows.")] = 3,
    rank: Annotated[int, typer.Option(min=0, help="Of the adapter; 0 trains all weights.")] = 16,
    learning_rate: Annotated[float | None, typer.Option(help="0.002 for an adapter, 0.0003 for all weights.")] = None,
    batch_tokens: Annotated[int, typer.Option(min=128, help="Tokens a step.")] = 2048,
    device: Annotated[str, typer.Option(help="A torch device.")] = "cpu",
    seed: Seed = 0,
) -> None:
    """Trains a copy of a model on canaries, to try the audit where the truth is known. Interrupted, it continues."""
    import hashlib

    from reticent_bench.audits.extraction.canaries import load_canaries, training_rows
    from reticent_bench.audits.extraction.planting import plant as train
    from reticent_detectors.errors import InputError
    from reticent_detectors.host.load import load_host
    from reticent_detectors.progress import shown

    if out.exists() and any(out.iterdir()):
        raise InputError(f"{out} is there and not empty; choose another folder for the copy.")
    rows = training_rows(load_canaries(canary_file), seed)
    host, tokenizer = load_host(model, device)
    made_of = [rows, str(model.resolve()), epochs, rank, learning_rate, batch_tokens, seed]
    work = out.with_name(f"{out.name}-plant-{hashlib.sha256(repr(made_of).encode()).hexdigest()[:12]}.pt")
    work.parent.mkdir(parents=True, exist_ok=True)
    with shown("step") as advance:
        trained = train(
            host, tokenizer, rows, work, base=str(model.resolve()), epochs=epochs, rank=rank, rate=learning_rate,
            batch_tokens=batch_tokens, seed=seed, device=device,
            progress=lambda phase, step, steps, loss: advance(phase, step, steps, f"loss {loss:.3f}"),
        )  # fmt: skip
    trained.save_pretrained(out)
    tokenizer.save_pretrained(out)
    work.unlink()
    typer.echo(
        f"{out}: trained on {len(rows)} rows; audit it with 'reticent audit extraction {out} --canaries {canary_file}'"
    )


@app.command()
def extraction(
    target: Target,
    canary_file: Annotated[Path, typer.Option("--canaries", help="canaries.json that the model was trained with.")],
    samples: Annotated[int, typer.Option(min=0, help="Sampled answers of each kind and column.")] = 96,
    model: Model = None, guarded: Guarded = None, guard: GuardColumns = None, bundle: Bundle = None,
    policy: PolicyFile = None, records: Records = None, records_key_file: RecordsKeyFile = None,
    base_model: BaseModel = None, api_key_variable: ApiKeyVariable = None, device: Device = None,
    dtype: Dtype = None, max_calls: MaxCalls = None, max_tokens: MaxTokens = None, max_minutes: MaxMinutes = None,
    seed: Seed = 0, out: Out = Path("audit-extraction"), fail_above: FailAbove = None, reveal: Reveal = False,
    plan: Plan = False,
) -> None:  # fmt: skip
    """Measures how strongly a model memorised canaries, and whether they come out."""
    import hashlib

    from reticent_bench.audits.extraction.audit import audit_extraction
    from reticent_bench.audits.extraction.canaries import load_canaries
    from reticent_bench.audits.extraction.report import make_report
    from reticent_bench.audits.session import run_audit

    drawn = load_canaries(canary_file)
    options = _options(locals())
    settings = {"canaries": hashlib.sha256(canary_file.read_bytes()).hexdigest(), "samples": samples}
    code = run_audit(
        "extraction", options,
        lambda targets, others, attempt: audit_extraction(
            targets, drawn, attempt, base=others.base, samples=samples, seed=seed
        ),
        make_report, settings, partial(typer.echo, err=True),
    )  # fmt: skip
    raise typer.Exit(code)


@app.command()
def cues(
    target: Target,
    people: Annotated[
        Path | None,
        typer.Option(help="JSON lines, one person each: name, email, phone, planted, company, language, email_prefix, phone_prefix. "
                     "Without it, the people of the target's recipe.json ('reticent host tune')."),
    ] = None,
    most: Annotated[int | None, typer.Option(min=5, help="Of a recipe: planted people; 40 if not given.")] = None,
    held_out: Annotated[
        int | None,
        typer.Option(min=5, help="Of a recipe: people whom the model was not taught; 60 if not given, who show that a value is rare."),
    ] = None,
    family: Annotated[list[str] | None, typer.Option(help="verbatim, twin, triplet or known; the first three if not given.")] = None,
    free_draws: Annotated[int, typer.Option(min=0, help="Draws of 256 tokens without any cue, for each kind.")] = 0,
    low_cue: Annotated[float, typer.Option(help="Highest cue that counts as low.")] = 0.5,
    chat: Annotated[bool, typer.Option("--chat", help="Ask in a user's turn instead of running text.")] = False,
    model: Model = None, guarded: Guarded = None, guard: GuardColumns = None, bundle: Bundle = None,
    policy: PolicyFile = None, records: Records = None, records_key_file: RecordsKeyFile = None,
    base_model: BaseModel = None, api_key_variable: ApiKeyVariable = None, device: Device = None,
    dtype: Dtype = None, max_calls: MaxCalls = None, max_tokens: MaxTokens = None, max_minutes: MaxMinutes = None,
    seed: Seed = 0, out: Out = Path("audit-cues"), fail_above: FailAbove = None, reveal: Reveal = False,
    plan: Plan = False,
) -> None:  # fmt: skip
    """Tells values that a model knows from values that the prompt gives away."""
    import hashlib

    from reticent_bench.audits.cues import CueSettings, audit
    from reticent_bench.audits.cues.decision import Limits
    from reticent_bench.audits.cues.population import people_of_recipe, read_people
    from reticent_bench.audits.cues.report import make_report
    from reticent_bench.audits.options import OFF, ON, refuse_together
    from reticent_bench.audits.session import run_audit
    from reticent_detectors.errors import InputError

    options = _options(locals())
    if people is None and options.is_served:
        raise InputError("Expected --people: a server does not say whom its model was taught.")
    for flag, given in (("--most", most), ("--held-out", held_out)):
        refuse_together(flag, given, "--people", people is not None, "Shorten the file instead, or leave one out.")
    of_recipe = most or 40, held_out or 60
    population = people_of_recipe(Path(target), *of_recipe) if people is None else read_people(people)
    asked = CueSettings(
        families=tuple(family or ("verbatim", "twin", "triplet")),
        limits=Limits(low_cue=low_cue),
        free_draws=free_draws,
        chat=chat,
        seed=seed,
    )

    def measure(targets: Any, others: Any, attempt: Any) -> Any:
        first = targets.get(OFF) or targets[ON]
        guarded = targets.get(ON) if OFF in targets else None
        people = population.planted, population.held_out
        return audit(first, *people, asked, attempt, control=others.base, guarded=guarded)

    source = hashlib.sha256(b"" if people is None else people.read_bytes()).hexdigest()
    settings = {"people": source, "most": list(of_recipe), "asked": repr(asked)}
    code = run_audit(
        "cues",
        options,
        measure,
        lambda found: make_report(found, asked.limits),
        settings,
        partial(typer.echo, err=True),
    )
    raise typer.Exit(code)


@app.command()
def membership(
    target: Target,
    texts: Annotated[
        Path | None,
        typer.Option(help="JSON lines with text, start, end, person and member. Without it, documents about the people of the "
                     "target's recipe.json ('reticent host tune')."),
    ] = None,
    reference_texts: Annotated[
        Path | None, typer.Option(help="Public texts, one a line: word frequencies for the neighbourhood attack and DC-PDD.")
    ] = None,
    most: Annotated[
        int | None, typer.Option(min=5, help="Of a recipe: members, and as many non-members; 60 if not given.")
    ] = None,
    variants: Annotated[int, typer.Option(min=1, help="Neighbours of each window.")] = 10,
    model: Model = None, base_model: BaseModel = None, reference_model: ReferenceModel = None,
    api_key_variable: ApiKeyVariable = None, device: Device = None, dtype: Dtype = None, max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None, max_minutes: MaxMinutes = None, seed: Seed = 0, out: Out = Path("audit-membership"),
    fail_above: FailAbove = None, plan: Plan = False,
) -> None:  # fmt: skip
    """Tells members of the training data by the likelihood of their texts: attacks on windows around a value."""
    import hashlib

    from reticent_bench.audits.membership import population
    from reticent_bench.audits.membership.attacks import TokenFrequencies
    from reticent_bench.audits.membership.audit import audit
    from reticent_bench.audits.membership.neighbours import FrequentWords
    from reticent_bench.audits.membership.questions import MembershipSettings, Sources
    from reticent_bench.audits.membership.report import make_report
    from reticent_bench.audits.options import OFF, refuse_together
    from reticent_bench.audits.session import run_audit
    from reticent_detectors.errors import InputError
    from reticent_detectors.host.load import load_tokenizer

    options = _options(locals())
    if texts is None and reference_texts is not None:
        raise InputError("--reference-texts goes with --texts; a recipe brings its own.")
    if texts is None and options.is_served:
        raise InputError("Expected --texts: a server does not say what its model was trained on.")
    refuse_together("--most", most, "--texts", texts is not None, "Shorten the file instead, or leave one out.")
    people = most or 60
    read = (
        population.read_texts(texts, reference_texts)
        if texts
        else population.texts_of_recipe(Path(target), people, seed)
    )
    frequencies = None
    if read.reference and not options.is_served:
        tokenizer = load_tokenizer(Path(target))
        frequencies = TokenFrequencies.of_texts(read.reference, tokenizer, len(tokenizer))
    words = FrequentWords("\n".join(read.reference)) if read.reference else None
    asked = MembershipSettings(variants=variants, seed=seed)

    def measure(targets: Any, others: Any, attempt: Any) -> Any:
        sources = Sources(others.reference, others.base, propose_words=words, frequencies=frequencies)
        return audit(targets[OFF], read.members, read.non_members, attempt, sources, asked)

    files = [file.read_bytes() for file in (texts, reference_texts) if file is not None]
    settings = {"texts": [hashlib.sha256(each).hexdigest() for each in files], "most": people, "asked": repr(asked)}
    raise typer.Exit(run_audit("membership", options, measure, make_report, settings, partial(typer.echo, err=True)))


@app.command()
def inversion(
    target: Annotated[
        str | None, typer.Argument(help="Folder of a checkpoint or an adapter; left out with --embeddings.")
    ] = None,
    source: Annotated[
        str, typer.Option(help="Of a folder: 'surfaces', what the guard exposes or keeps, or 'states', the model's hidden states.")
    ] = "surfaces",
    embeddings: Annotated[
        Path | None, typer.Option(help=".npz file with an array 'vectors', one row for each line of --texts.")
    ] = None,
    texts: Annotated[
        Path | None,
        typer.Option(help="JSON lines with text, person, values and kinds. Without it, sentences about the people of the target's "
                     "recipe.json ('reticent host tune')."),
    ] = None,
    attack_people: Annotated[int, typer.Option(min=5, help="Of a recipe: people whom the attacker learns from.")] = 300,
    test_people: Annotated[int, typer.Option(min=5, help="Of a recipe: people whom it is tested on.")] = 100,
    each: Annotated[int, typer.Option(min=1, help="Of a recipe: values of each person.")] = 3,
    trainings: Annotated[int, typer.Option(min=1, help="Of each attacker.")] = 3,
    steps: Annotated[int, typer.Option(min=1, help="Of each training.")] = 300,
    names: Annotated[int, typer.Option(min=0, max=16, help="As for 'reticent collect': other names that each span is read under.")] = 4,
    model: Model = None, bundle: Bundle = None, policy: PolicyFile = None, records: Records = None,
    records_key_file: RecordsKeyFile = None, base_model: BaseModel = None, device: Device = None, dtype: Dtype = None,
    max_calls: MaxCalls = None, max_tokens: MaxTokens = None, max_minutes: MaxMinutes = None, seed: Seed = 0,
    out: Out = Path("audit-inversion"), fail_above: FailAbove = None, plan: Plan = False,
) -> None:  # fmt: skip
    """Reads texts and values from vectors: a file's, a model's hidden states, or what the guard exposes or keeps."""
    from reticent_bench.audits.inversion.command_parts import Population, run_surfaces, run_vectors
    from reticent_bench.audits.inversion.settings import DecoderSettings, InversionSettings
    from reticent_bench.audits.options import refuse_alone
    from reticent_detectors.errors import InputError

    if (target is None) == (embeddings is None):
        raise InputError("Expected either the folder of a model or --embeddings.")
    if target is not None and target.startswith(("http://", "https://")):
        raise InputError("Vectors are read in this process. Expected the folder of a model, got a server.")
    source = _one_of("--source", source, ("surfaces", "states"))
    reads_surfaces = embeddings is None and source == "surfaces"
    if embeddings is not None and texts is None:
        raise InputError("--embeddings goes with --texts: the texts that the vectors stand for.")
    if reads_surfaces and texts is not None:
        raise InputError("--texts goes with --embeddings or --source states; surfaces are of the host's own answers.")
    for flag, value in (("--device", device), ("--dtype", dtype), ("--model", model)):
        refuse_alone(flag, value, "a model", embeddings is None)
    of_the_guard: tuple[tuple[str, object], ...] = (
        ("--bundle", bundle), ("--policy", policy), ("--records", records), ("--records-key-file", records_key_file),
        ("--base-model", base_model),
    )  # fmt: skip
    for flag, given_to_it in of_the_guard:
        refuse_alone(flag, given_to_it, "--source surfaces", reads_surfaces)
    given = {**locals(), "target": str(embeddings or target), "api_key_variable": None}
    asked = InversionSettings(
        DecoderSettings(steps=steps), counted="values" if reads_surfaces else "all", trainings=trainings, seed=seed
    )
    population = Population(attack_people, test_people, each, names)
    say = partial(typer.echo, err=True)
    if reads_surfaces:
        raise typer.Exit(run_surfaces(_options({**given, "guard": "off,on"}), population, asked, say))
    raise typer.Exit(run_vectors(_options(given), embeddings, texts, population, asked, say))


@app.command()
def context(
    target: Target,
    examples: Annotated[
        Path | None,
        typer.Option(help="JSON lines with text, label and values (a list). Without it, letters of made-up customers."),
    ] = None,
    instruction: Annotated[
        str | None, typer.Option(help=f"Of the task of --examples; if not given: '{_INSTRUCTION}'")
    ] = None,
    context_size: Annotated[int, typer.Option(min=2, help="Examples in a prompt.")] = 20,
    runs: Annotated[int, typer.Option(min=2, help="Coin flips of each attack.")] = 40,
    canary: Annotated[list[str] | None, typer.Option(help="hexadecimal or false-fact; both if not given.")] = None,
    defence: Annotated[list[str] | None, typer.Option(help="none, L1, L2 or L3; none and L2 if not given.")] = None,
    ensemble_runs: Annotated[int, typer.Option(min=1, help="Coin flips of each defence with a stated epsilon.")] = 100,
    ensemble_contexts: Annotated[int, typer.Option(min=1, help="Different contexts among them.")] = 4,
    subsets: Annotated[int, typer.Option(min=2, help="Disjoint subsets of a context that vote.")] = 10,
    running_text: Annotated[
        bool, typer.Option("--running-text", help="Ask in running text, for a model without chats.")
    ] = False,
    worst_case: Annotated[bool, typer.Option("--worst-case", help="Also contexts in which one vote decides.")] = False,
    utility_items: Annotated[int, typer.Option(min=0, help="Held-out examples for utility.")] = 20,
    dumps: Annotated[int, typer.Option(min=1, help="Contexts that the injection asks for.")] = 5,
    optimise: Annotated[
        str, typer.Option(help="How a better query is searched for: none, evolution, or gepa (pip install 'reticent[gepa]').")
    ] = "none",
    optimise_calls: Annotated[
        int | None, typer.Option(help="Questions and proposals of that search, at most; 400 if not given.")
    ] = None,
    search_runs: Annotated[
        int | None, typer.Option(help="Runs that the search asks each query on, an even number; 16 if not given.")
    ] = None,
    reflection_server: Annotated[
        str | None, typer.Option(help="Of --optimise gepa: the address of a server whose model proposes queries; the target if not given.")
    ] = None,
    reflection_model: Annotated[
        str | None, typer.Option(help="Of --reflection-server: the model to ask; its first one if not given.")
    ] = None,
    reflection_key_variable: Annotated[
        str | None, typer.Option(help="Of --reflection-server: the environment variable that holds its key; no key is sent if not given.")
    ] = None,
    model: Model = None, guarded: Guarded = None, guard: GuardColumns = None, bundle: Bundle = None,
    policy: PolicyFile = None, records: Records = None, records_key_file: RecordsKeyFile = None,
    base_model: BaseModel = None, api_key_variable: ApiKeyVariable = None, device: Device = None,
    dtype: Dtype = None, max_calls: MaxCalls = None, max_tokens: MaxTokens = None, max_minutes: MaxMinutes = None,
    seed: Seed = 0, out: Out = Path("audit-context"), fail_above: FailAbove = None, plan: Plan = False,
) -> None:  # fmt: skip
    """Measures what answers give away about single examples of the prompt, with and without defences."""
    import hashlib

    from reticent_bench.audits.context import tasks
    from reticent_bench.audits.context.audit import audit
    from reticent_bench.audits.context.optimisation.command_parts import optimisation_settings
    from reticent_bench.audits.context.report import make_report
    from reticent_bench.audits.context.settings import Settings
    from reticent_bench.audits.options import refuse_alone
    from reticent_bench.audits.session import run_audit

    searched = optimisation_settings(
        _one_of("--optimise", optimise, ("none", "evolution", "gepa")), optimise_calls, search_runs, reflection_server,
        reflection_model, reflection_key_variable, is_chat=not running_text,
    )  # fmt: skip
    options = _options({**locals(), "reflection_key": searched.reflection_key}, asks_base=False)
    refuse_alone("--instruction", instruction, "--examples", examples is not None)
    instruction = instruction or _INSTRUCTION
    pool = 4 * context_size
    given = tasks.made_up(pool, seed) if examples is None else tasks.read_examples(examples, instruction)
    asked = Settings(
        seed=seed, context_size=context_size, canaries=_chosen("--canary", canary, ("hexadecimal", "false-fact"), ("hexadecimal", "false-fact")),
        queries=("input-output", "if-then-explicit"), defences=_chosen("--defence", defence, ("none", "L2"), ("none", "L1", "L2", "L3")), runs=runs,
        calibration_runs=max(2, runs // 2), subsets=subsets, ensemble_runs=ensemble_runs, ensemble_contexts=ensemble_contexts,
        worst_case=worst_case, utility_items=utility_items, dumps=dumps, chat=not running_text,
    )  # fmt: skip
    source = hashlib.sha256(b"" if examples is None else examples.read_bytes()).hexdigest()
    settings = {"examples": source, "instruction": instruction, "asked": repr(asked), **searched.outcomes_depend_on}
    code = run_audit(
        "context", options,
        lambda targets, others, attempt: audit(
            targets, given.task, asked, attempt, values=given.values, optimisation=searched.settings,
            reflection=others.reflection,
        ),
        make_report, settings, partial(typer.echo, err=True),
    )  # fmt: skip
    raise typer.Exit(code)


@app.command()
def code(
    target: Target,
    corpus: Annotated[
        Path, typer.Option(help="Folder of files that the model may have been trained on; what they hold is a leak.")
    ],
    language: Annotated[str, typer.Option(help="python, javascript, java or go.")] = "python",
    tests_each: Annotated[int, typer.Option(min=1, help="Attempts for each of the 30 scenarios.")] = 3,
    arm: Annotated[
        list[str] | None,
        typer.Option(help="pipeline, no-library, no-second-turn, no-verification, plain-function or prefix; all if not given."),
    ] = None,
    running_text: Annotated[bool, typer.Option("--running-text", help="Ask in comments, for a model without chats.")] = False,
    model: Model = None, guarded: Guarded = None, guard: GuardColumns = None, bundle: Bundle = None,
    policy: PolicyFile = None, records: Records = None, records_key_file: RecordsKeyFile = None,
    base_model: BaseModel = None, api_key_variable: ApiKeyVariable = None, device: Device = None,
    dtype: Dtype = None, max_calls: MaxCalls = None, max_tokens: MaxTokens = None, max_minutes: MaxMinutes = None,
    seed: Seed = 0, out: Out = Path("audit-code"), fail_above: FailAbove = None, plan: Plan = False,
) -> None:  # fmt: skip
    """Has a model write functions and unit tests, and looks up their literals in a corpus."""
    import secrets

    from reticent_bench.audits.attempts import KEY_FILE, folder_key
    from reticent_bench.audits.code.audit import audit
    from reticent_bench.audits.code.corpus import check_corpus, index_folder
    from reticent_bench.audits.code.report import make_report
    from reticent_bench.audits.code.settings import ARMS, Settings
    from reticent_bench.audits.options import OFF, ON
    from reticent_bench.audits.session import run_audit

    options = _options(locals(), asks_base=False)
    asked = Settings(
        language=_one_of("--language", language, ("python", "javascript", "java", "go")), tests_each=tests_each, seed=seed,
        arms=tuple(arm or ARMS), is_chat=not running_text,
    )  # fmt: skip
    check_corpus(corpus)
    index = index_folder(corpus, secrets.token_bytes(32) if plan else folder_key(out / KEY_FILE), left_out=out)

    def measure(targets: Any, others: Any, attempt: Any) -> Any:
        first = targets.get(OFF) or targets[ON]
        behind = targets.get(ON) if OFF in targets else None
        return audit(first, index, asked, attempt, guarded=behind)

    settings = {
        "corpus": index.fingerprint,
        "asked": asked.fingerprint(),
        "arms": list(asked.arms),
        "tests_each": tests_each,
    }
    raise typer.Exit(run_audit("code", options, measure, make_report, settings, partial(typer.echo, err=True)))


def _one_of(option: str, given: str, known: tuple[str, ...]) -> Any:
    from reticent_detectors.errors import InputError

    if given not in known:
        raise InputError(f"{option}: expected {', '.join(known[:-1])} or {known[-1]}, got {given!r}.")
    return given


def _chosen(option: str, given: list[str] | None, default: tuple[str, ...], known: tuple[str, ...]) -> Any:
    return tuple(_one_of(option, each, known) for each in given) if given else default


def _options(given: dict[str, Any], asks_base: bool = True) -> Any:
    """The shared options from a command's arguments. An option that the command does not have is left at its default."""
    import os
    from dataclasses import fields

    from reticent_bench.audits.budget import Budget
    from reticent_bench.audits.options import AuditOptions

    own = {each.name for each in fields(AuditOptions)} - {"fail_above"}
    return AuditOptions(
        **{name: value for name, value in given.items() if name in own}, columns=_columns(given.get("guard")),
        budget=Budget(given["max_calls"], given["max_tokens"], given["max_minutes"]), asks_base=asks_base,
        asks_guard="guard" in given, api_key=os.environ.get(given["api_key_variable"] or _API_KEY_VARIABLE),
        fail_above=tuple(given["fail_above"] or ()),
    )  # fmt: skip


def _columns(guard: str | None) -> tuple[str, ...] | None:
    return None if guard is None else tuple(part.strip() for part in guard.split(",") if part.strip())
