"""What the command `reticent audit inversion` does: opens targets, and runs the audit in a session."""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from reticent_bench.audits.commands.options import recipe_settings
from reticent_bench.audits.inversion.audit import (
    REFERENCES,
    SURFACES,
    InversionResult,
    audit_surfaces,
    audit_vectors,
)
from reticent_bench.audits.inversion.decoder import Codec, train_inverter
from reticent_bench.audits.inversion.people import prompts_of_recipe, sentences_of_recipe
from reticent_bench.audits.inversion.records import Record, split_by_person
from reticent_bench.audits.inversion.report import make_report
from reticent_bench.audits.inversion.settings import InversionSettings
from reticent_bench.audits.inversion.surface_file import FILE
from reticent_bench.audits.inversion.vector_file import VectorFile, read_texts
from reticent_bench.audits.open_targets import open_targets
from reticent_bench.audits.options import OFF, ON, AuditOptions
from reticent_bench.audits.resumable_attempts import Attempt
from reticent_bench.audits.sentence_encoder import SentenceEncoder
from reticent_bench.audits.session import Audit, run_audit
from reticent_bench.audits.target import Target
from reticent_bench.audits.targets import Column, OtherModels, Targets
from reticent_detectors.long_runs.progress import duration

Say = Callable[[str], None]
_PROBE_STEPS, _PROBE_TEXTS = 5, 64


@dataclass(frozen=True, slots=True)
class Population:
    """People of a recipe: how many on each side, how many values of each, and the names of `reticent collect`."""

    attack_people: int
    test_people: int
    each: int
    names: int


@dataclass(frozen=True, slots=True)
class VectorSource:
    """Where vectors and their texts come from. With neither of the first two, they are hidden states of the target.

    Attributes:
        embeddings: file of vectors.
        encoder: folder of a sentence encoder.
        texts: file of texts; without it, sentences are made about the people of a recipe.
        recipe: folder of that recipe; the target's own if not given.
    """

    embeddings: Path | None = None
    encoder: Path | None = None
    texts: Path | None = None
    recipe: Path | None = None


def run_surfaces(options: AuditOptions, people: Population, settings: InversionSettings, say: Say) -> int:
    """Audits what the guard exposes or keeps of a host's answers. Returns the exit code."""
    from reticent_bench.audits.inversion.guard_surfaces import Watcher
    from reticent_bench.audits.inversion.read_surfaces import guarded_host, read_surfaces
    from reticent_detectors.host.load import recipe_of
    from reticent_detectors.synth.cast import cast

    folder = Path(options.target)
    with tempfile.TemporaryDirectory() as logs:
        watcher = Watcher.in_folder(Path(logs))
        with open_targets(replace(options, observers=(watcher,))) as targets:
            everybody = cast(recipe_of(folder))
            asked = prompts_of_recipe(folder, people.attack_people, people.test_people, people.each, settings.seed)
            host = guarded_host(targets.columns[ON].target)

            def measure(columns: dict[str, Target], others: OtherModels, attempt: Attempt) -> InversionResult:
                read = partial(
                    read_surfaces,
                    columns[OFF],
                    host,
                    watcher,
                    everybody,
                    asked,
                    people.names,
                    options.budget,
                    options.out / FILE,
                )
                return audit_surfaces(columns[ON].name, read, attempt, settings)

            return _run(
                options,
                measure,
                settings,
                {"people": asdict(people)},
                say,
                targets,
                _example(folder),
                2 * len(SURFACES) + 1,
            )


def run_vectors(
    options: AuditOptions, given: VectorSource, people: Population, settings: InversionSettings, say: Say
) -> int:
    """Audits vectors of a file or of an encoder, or a model's mean-pooled hidden states. Returns the exit code."""
    if given.texts is not None:
        records = read_texts(given.texts)
    else:
        folder, most = given.recipe or Path(options.target), people.attack_people + people.test_people
        records = sentences_of_recipe(folder, most, people.each, settings.seed)
    split_by_person(records, settings.attack_share, settings.seed)  # report too few people before anything is loaded
    source = hashlib.sha256(b"" if given.texts is None else given.texts.read_bytes()).hexdigest()
    depends: dict[str, Any] = {
        "texts": source, "embeddings": given.embeddings is not None, "people": asdict(people),
        **recipe_settings(given.recipe),
    }  # fmt: skip
    column = None
    if given.embeddings is not None:
        column = Column(VectorFile.load(given.embeddings, len(records)), _count_words)
    elif given.encoder is not None:
        encoder = SentenceEncoder.load(given.encoder)
        column = Column(encoder, encoder.count_tokens)
    if column is not None:
        return _run_vectors(options, records, settings, depends, say, Targets({OFF: column}))
    with open_targets(replace(options, columns=(OFF,))) as targets:
        return _run_vectors(options, records, settings, depends, say, targets)


def _run_vectors(
    options: AuditOptions,
    records: list[Record],
    settings: InversionSettings,
    given: dict[str, Any],
    say: Say,
    targets: Targets,
) -> int:
    def measure(columns: dict[str, Target], others: OtherModels, attempt: Attempt) -> InversionResult:
        return audit_vectors(columns[OFF], records, attempt, settings)

    example = [record.text for record in records[:_PROBE_TEXTS]]
    return _run(options, measure, settings, given, say, targets, example, 1)


def _run(
    options: AuditOptions,
    measure: Audit[InversionResult],
    settings: InversionSettings,
    given: dict[str, Any],
    say: Say,
    targets: Targets,
    example: list[str],
    arms: int,
) -> int:
    if options.plan:
        trainings = (len(REFERENCES) - 1 + arms) * settings.trainings
        took = duration(trainings * training_seconds(example, settings))
        say(
            f"inversion: {trainings} attackers are trained, {settings.decoder.steps} steps each: about {took}, by a "
            "short one."
        )
    return run_audit(
        "inversion",
        options,
        measure,
        partial(make_report, settings=settings),
        {**given, "asked": repr(settings)},
        say,
        targets,
    )


def training_seconds(texts: list[str], settings: InversionSettings) -> float:
    """About how long one training takes, by a short one on some texts and a shorter one.

    What is done once, such as making the decoder, is in both; so it is not counted for every step.
    """
    codec = Codec(texts, settings.decoder)
    rows = [codec.ids(text) for text in texts]

    def seconds(steps: int) -> float:
        began = time.perf_counter()
        short = replace(settings.decoder, steps=steps)
        train_inverter(np.zeros((len(texts), 64), np.float32), rows, [False] * len(texts), codec, short, settings.seed)
        return time.perf_counter() - began

    seconds(1)  # what comes first takes longer
    once = seconds(1)
    each_step = max(0.0, seconds(1 + _PROBE_STEPS) - once) / _PROBE_STEPS
    return once + each_step * (settings.decoder.steps - 1)


def _example(folder: Path) -> list[str]:
    return [record.text for record in sentences_of_recipe(folder, _PROBE_TEXTS, 1, 0)]


def _count_words(text: str) -> int:
    return len(text.split())
