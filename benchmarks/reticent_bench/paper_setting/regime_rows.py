"""The rows of a regime, with label and fold, for the people whose rows may be read.

A detector is written on draw A's first two folds. Ask for the others once it is finished.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_bench.paper_setting.answer_shards import read_shards
from reticent_bench.paper_setting.asks import AskSet
from reticent_bench.paper_setting.draws import draw
from reticent_bench.paper_setting.jobs import KEPT_EPOCHS, HostJob, judged_epoch
from reticent_bench.paper_setting.protocol import Regime
from reticent_bench.paper_setting.where import answers_folder, kept_recalls
from reticent_detectors.errors import InputError

_LABELS = {"subject", "kind", "form", "taught", "whose", "tokens"}


@dataclass(frozen=True, slots=True)
class RegimeRows:
    """Rows of one host. The `repr` shows their number.

    Attributes:
        columns: by name, one row each.
        right: [n] whether the answer is a positive.
        fold: [n] of the person.
        epoch: [n] after which the host was asked.
        empty: answers without a value, which are in no row.
    """

    columns: dict[str, NDArray[Any]]
    right: NDArray[np.bool_]
    fold: NDArray[np.int8]
    epoch: NDArray[np.int8]
    empty: int

    def __repr__(self) -> str:
        return f"RegimeRows({int(self.right.sum())} right, {int((~self.right).sum())} wrong)"


def regime_rows(
    runs: Path, job: HostJob, regime: Regime, folds: Collection[int], names: Collection[str] = ()
) -> RegimeRows:
    """Returns a regime's rows of the people in `folds`, from what the run has asked.

    Args:
        runs: folder of the runs.
        job: the host.
        regime: which answers are positives and negatives.
        folds: whose rows are read.
        names: columns beside who, what and whose.

    Raises:
        InputError: the answers are not all there, or the regime is of public facts.
    """
    fold = draw(job.draw, job.people).folds()
    parts, rights, epochs, empty = list[dict[str, NDArray[Any]]](), [], [], 0
    for part, epoch, whose_right, whose_wrong in _parts(runs, job, regime):
        columns = read_shards(answers_folder(runs, job.name, epoch, part), {*_LABELS, *names})
        ours = np.isin([fold[subject] for subject in columns["subject"]], list(folds))
        right, wrong = (np.isin(columns["whose"], list(whose)) for whose in (whose_right, whose_wrong))
        empty += int((ours & (columns["tokens"] == 0)).sum())
        chosen = ours & (right | wrong) & (columns["tokens"] > 0)
        parts.append({name: column[chosen] for name, column in columns.items()})
        rights.append(right[chosen])
        epochs.append(np.full(int(chosen.sum()), epoch, dtype=np.int8))
    whole = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    of_row = np.array([fold[subject] for subject in whole["subject"]], dtype=np.int8)
    return RegimeRows(whole, np.concatenate(rights), of_row, np.concatenate(epochs), empty)


def _parts(runs: Path, job: HostJob, regime: Regime) -> Iterator[tuple[AskSet, int, tuple[str, ...], tuple[str, ...]]]:
    """Yields each part of the prompts and each epoch once, with whose answers are right and wrong there."""
    recalls = kept_recalls(runs, job)
    judged = judged_epoch(recalls) or (job.epochs if job.epochs in recalls else None)
    if judged is None:
        raise InputError(f"{job.name} has no judged epoch yet; go on with its run.")
    kept = [epoch for epoch in KEPT_EPOCHS if epoch <= job.epochs and epoch != judged]
    of_name = {"judged": [judged], "kept": kept, "all": sorted({judged, *kept})}
    for part, which in dict.fromkeys((*regime.positive, *regime.negative)):
        if which not in of_name:
            raise InputError(f"{regime.name} is of public facts, which no taught host is asked.")
        right = regime.positive_whose if (part, which) in regime.positive else ()
        wrong = regime.negative_whose if (part, which) in regime.negative else ()
        for epoch in of_name[which]:
            yield AskSet(part), epoch, right, wrong
