"""From a guarded host to what attackers see: asks, inspects, collects, and splits by side."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from reticent_bench.audits.budget import Budget
from reticent_bench.audits.inversion.audit import Seen
from reticent_bench.audits.inversion.flat_rows import Columns, Row
from reticent_bench.audits.inversion.guard_surfaces import (
    Watcher,
    collected,
    feature_vectors,
    inspect_all,
    keyed_values,
    label_row,
)
from reticent_bench.audits.inversion.people import SplitPrompts, question_of
from reticent_bench.audits.inversion.records import Sides, Vectors, check_people
from reticent_bench.audits.inversion.surface_file import Surfaces, kept
from reticent_bench.audits.inversion.what_surfaces_hold import LEFT_OUT
from reticent_bench.audits.local_target import LocalTarget
from reticent_bench.audits.target import Target
from reticent_detectors.errors import InputError
from reticent_detectors.synth.cast import Cast

ANSWER_TOKENS = 48


def read_surfaces(
    answering: Target,
    host: LocalTarget,
    watcher: Watcher,
    cast: Cast,
    asked: SplitPrompts,
    names: int,
    budget: Budget,
    file: Path,
) -> Seen | None:
    """Everything that the guard exposes or keeps of a host's answers.

    Args:
        answering: the host without its guard, as the session meters or plans it.
        host: the host behind its guard; `watcher` is an observer of the guard.
        watcher: fresh.
        cast: of the host's recipe.
        asked: prompts of both sides.
        names: under how many other names each span is read again, as for `reticent collect`.
        budget: of the session, for what is asked beside `answering`.
        file: keeps what attackers see, for a run that continues.

    Returns:
        None if there was no answer, as when the audit is planned.

    Raises:
        InputError: the guard decided on no span.
        BudgetSpent: before the host is asked again.
    """
    prompts = [*asked.attack, *asked.test]
    texts = answering.generate([question_of(prompt) for prompt in prompts], ANSWER_TOKENS)
    answered = [row for row, text in enumerate(texts) if text.strip()]
    if not answered:
        return None
    if host.guarded is None:
        raise InputError("Expected the host behind its guard.")
    prompts, texts = [prompts[row] for row in answered], [texts[row] for row in answered]
    # Inspected each time, which gives the texts' values; collected once.
    times = 1 if file.exists() else 2
    budget.spend(times * len(prompts), times * ANSWER_TOKENS * len(prompts))
    records, rows = inspect_all(host.guarded, watcher, prompts, texts)
    kept_rows = [row for row, record in enumerate(records) if record.values]
    attack = sum(answered[row] < len(asked.attack) for row in kept_rows)
    sides = Sides(tuple(range(attack)), tuple(range(attack, len(kept_rows))))
    records = [records[row] for row in kept_rows]
    check_people(records, sides)

    def read() -> Surfaces:
        with tempfile.TemporaryDirectory() as folder:
            key = secrets.token_bytes(32)
            place = Path(folder) / "c"
            every = collected(host.model, host.tokenizer, cast, prompts, place, key, names, ANSWER_TOKENS)
        tables = [every[row] for row in kept_rows]
        vectors = {name: _vectors([own[row] for row in kept_rows], attack) for name, own in rows.items()}
        labels = _vectors([label_row(table) for table in tables], attack)
        vectors["collection"] = np.concatenate([labels, feature_vectors(tables)], 1)
        return Surfaces(vectors, [keyed_values(record, table) for record, table in zip(records, tables, strict=True)])

    surfaces = kept(file, len(records), read)
    return Seen(records, sides, surfaces.vectors, surfaces.keys, beside_shape=True)


def _vectors(rows: Sequence[Row], attack: int) -> Vectors:
    return Columns.of(rows[:attack], LEFT_OUT).vectors(rows)


def guarded_host(column: Any) -> LocalTarget:
    """The target of a column, as a host in this process.

    Raises:
        InputError: it is a server.
    """
    if not isinstance(column, LocalTarget):
        raise InputError("The guard's surfaces are read in this process. Expected the folder of a model, got a server.")
    return column
