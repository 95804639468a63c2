"""Decoders: canaries and documents as running text, alone and behind the guard."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from reticent.guard import Guard
from reticent.policy.policy import Policy
from reticent.records.index import RecordsIndex
from reticent_bench.audits.extraction.canaries import KINDS, Canary
from reticent_bench.audits.local_target import LocalTarget
from reticent_bench.audits.membership.blind import blind_check, blind_scores
from reticent_bench.audits.target import Target, TokenScores
from reticent_bench.audits.tuning import methods
from reticent_bench.audits.tuning.families import Family
from reticent_bench.audits.tuning.generating_task import GeneratingTask
from reticent_bench.audits.tuning.measuring import OFF, score
from reticent_bench.audits.tuning.objectives import CAUSAL, Objective
from reticent_bench.audits.tuning.settings import PREFIX, PROMPT, Cell
from reticent_bench.audits.tuning.texts import TuningTexts
from reticent_detectors.alignment import text_ids
from reticent_detectors.errors import HostError, InputError

GUARDED, INDEXED = "guard", "guard-index"
"""Columns of the undefended model: behind the guard, and behind the guard with an index of the inserted values."""
LONGEST = 512


class DecoderTask(GeneratingTask):
    """Next tokens of canaries and documents."""

    family: Family = "decoder"

    def load(self, folder: Path, method: str, device: str) -> tuple[Any, Any]:
        """See `methods.load`."""
        return methods.load(folder, device)

    def examples(self, model: Any, tokenizer: Any, method: str) -> list[Any]:
        """Token ids of the training texts."""
        return encode(tokenizer, self._texts.for_method(method).training(self._settings.seed))

    def objective(self, tokenizer: Any, method: str) -> Objective:
        """The next token."""
        return CAUSAL

    def scores(self, model: Any, tokenizer: Any, method: str) -> Sequence[TokenScores]:
        """Scores of members and others."""
        own = self._texts.for_method(method)
        return score(LocalTarget(model, tokenizer, "base"), (*own.members, *own.others))

    def targets(self, cell: Cell | None, model: Any, tokenizer: Any, method: str, guard: bool) -> dict[str, Target]:
        """The model alone, and an undefended one behind the guard."""
        if cell is None:
            return {OFF: LocalTarget(model, tokenizer, "before tuning")}
        return targets(cell, model, tokenizer, self._texts.for_method(method), guard)

    def blind(self) -> dict[str, Any]:
        """Of the documents."""
        return blind_documents(self._texts, self._settings.seed)


def encode(tokenizer: Any, rows: list[str]) -> list[list[int]]:
    """Token ids of each training text with the end token behind it.

    Raises:
        InputError: the tokenizer has no end token, or a text has more than `LONGEST` tokens.
    """
    end = tokenizer.eos_token_id
    if end is None:
        raise InputError("The model's tokenizer has no end token; set tokenizer.eos_token.")
    out = [[*text_ids(tokenizer, row), end] for row in rows]
    if max(map(len, out)) > LONGEST:
        raise InputError(f"Expected training texts of at most {LONGEST} tokens; this tokenizer writes longer ones.")
    return out


def targets(cell: Cell, model: Any, tokenizer: Any, texts: TuningTexts, guard: bool) -> dict[str, Target]:
    """The model as targets: alone, and an undefended one behind the guard without and with a records index.

    A model that cannot be guarded has no guarded target. Under prompt tuning virtual tokens move the positions of
    states. There the guard would fail closed and redact every value, which is no measurement of what it finds.
    """
    seen = methods.SoftPrompt(model) if cell.method in (PROMPT, PREFIX) else model
    out: dict[str, Target] = {OFF: LocalTarget(seen, tokenizer, cell.name)}
    if cell.is_private or not guard or cell.method == PROMPT:
        return out
    for name, index in ((GUARDED, None), (INDEXED, records_index(texts.repeated))):
        with suppress(HostError), warnings.catch_warnings():
            # That the default detector was not fitted to this model is what is measured.
            warnings.simplefilter("ignore", UserWarning)
            wrapped = Guard.load(None, Policy.default(), records=index).wrap(model, tokenizer)
            out[name] = LocalTarget(model, tokenizer, f"{cell.name} behind the guard", wrapped)
    return out


def records_index(canaries: tuple[Canary, ...]) -> RecordsIndex:
    """An index of the inserted values of those kinds that the guard judges."""
    entities = {kind.name: kind.entity for kind in KINDS}
    return RecordsIndex.build(
        (str(entity), canary.value)
        for canary in canaries
        if canary.repetitions and (entity := entities[canary.kind]) is not None
    )


def blind_documents(texts: TuningTexts, seed: int) -> dict[str, Any]:
    """Whether the documents alone tell members from others."""
    passages = (*texts.members, *texts.others)
    member = np.arange(len(passages)) < len(texts.members)
    people = np.array([passage.person for passage in passages], dtype=np.str_)
    scores = blind_scores([passage.text for passage in passages], member, people, seed)
    found = blind_check(scores, member, people, seed=seed)
    return {"auc": list(found.auc), "verdict": found.verdict}
