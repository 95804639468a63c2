"""The rows that the arms judge: of one host and one regime, with all that an arm may read."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_bench.paper_setting.answer_shards import read_shards
from reticent_bench.paper_setting.draws import FOLDS
from reticent_bench.paper_setting.jobs import FactJob, HostJob
from reticent_bench.paper_setting.lens_features import Norm, lens_features
from reticent_bench.paper_setting.protocol import Regime
from reticent_bench.paper_setting.regime_rows import regime_rows
from reticent_bench.paper_setting.where import facts_folder
from reticent_detectors.capture import HostAdapter

Numbers = NDArray[np.float64]
_NUMBERS = ("surprisal", "rank", "entropy", "margin", "top")
_KEPT = {"kind", "subject", "tokens", "prompt_states", "place_states", *_NUMBERS}
_BASE = {f"base_{name}" for name in _NUMBERS}


@dataclass(frozen=True)
class JudgedRows:
    """n rows. The `repr` shows their number.

    Attributes:
        group: [n] the person, whose rows are drawn together; of public facts the question.
        kind: [n] of the value; of public facts the relation.
        fold: [n] of the person.
        right: [n] whether the answer is a positive.
        tokens: [n] of the value.
        numbers: `surprisal`, `rank`, `entropy` and `margin` [n, T] and `top` [n, T, 10] of the value's tokens, and with
            `base_` before it the same of the model before the training, if there is one. After a value NaN, or 0.
        prompt_states: [n, L + 1, d] of the token before the value, in units of `greedy.STATE_UNIT`.
        place_states: [n, 3, 8, d] of the name's last token, the value's first and its last.
        adapter: the host; None if no arm reads its lens.
    """

    group: NDArray[np.str_]
    kind: NDArray[np.str_]
    fold: NDArray[np.int8]
    right: NDArray[np.bool_]
    tokens: NDArray[np.int16]
    numbers: Mapping[str, NDArray[Any]]
    prompt_states: NDArray[np.float16]
    place_states: NDArray[np.float16]
    adapter: HostAdapter | None = None
    _lens: dict[str, dict[str, NDArray[np.float32]]] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        return f"JudgedRows({int(self.right.sum())} right, {int((~self.right).sum())} wrong)"

    def __len__(self) -> int:
        return len(self.right)

    @cached_property
    def inside(self) -> NDArray[np.bool_]:
        """Tell which columns of the numbers are of the value's tokens, [n, T]."""
        return np.asarray(np.arange(self.numbers["surprisal"].shape[1]) < self.tokens[:, None])

    @property
    def has_base(self) -> bool:
        """Tell whether the numbers hold those of the model before the training."""
        return "base_surprisal" in self.numbers

    @cached_property
    def kinds(self) -> Numbers:
        """Give each row's kind as one-hot, [n, K]."""
        names = np.unique(self.kind)
        return np.asarray(self.kind[:, None] == names, np.float64)

    def lens(self, norm: Norm) -> dict[str, NDArray[np.float32]]:
        """Give the features of inner layers, which are computed once."""
        if norm not in self._lens:
            assert self.adapter is not None, "these rows came without their host"
            self._lens[norm] = lens_features(self.adapter, self.prompt_states, norm)
        return self._lens[norm]


def of_taught(runs: Path, job: HostJob, regime: Regime, adapter: HostAdapter | None = None) -> JudgedRows:
    """Return a regime's rows of a taught host, all folds.

    Raises:
        InputError: the answers are not all there, or the regime is of public facts.
    """
    rows = regime_rows(runs, job, regime, range(FOLDS), _KEPT | _BASE)
    return _judged(rows.columns, rows.right, rows.fold, rows.columns["subject"], adapter)


def of_facts(runs: Path, job: FactJob, adapter: HostAdapter | None = None) -> JudgedRows:
    """Return the rows of an untouched model about public facts; each question is a person of its own.

    Raises:
        InputError: the answers are not all there.
    """
    columns = read_shards(facts_folder(runs, job), {*_KEPT, "whose"})
    columns = {name: column[columns["tokens"] > 0] for name, column in columns.items()}
    fold = [int(hashlib.sha256(subject.encode()).hexdigest(), 16) % FOLDS for subject in columns["subject"]]
    right = columns["whose"] == "own"
    return _judged(columns, right, np.array(fold, np.int8), columns["subject"], adapter)


def _judged(
    columns: Mapping[str, NDArray[Any]],
    right: NDArray[np.bool_],
    fold: NDArray[np.int8],
    group: NDArray[np.str_],
    adapter: HostAdapter | None,
) -> JudgedRows:
    numbers = {name: column for name, column in columns.items() if name.removeprefix("base_") in _NUMBERS}
    return JudgedRows(
        group, columns["kind"], fold, right, columns["tokens"], numbers,
        columns["prompt_states"], columns["place_states"], adapter,
    )  # fmt: skip
