"""The matrix: all cells, one after the other. A finished cell is kept, and an interrupted one continues."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from reticent import __version__
from reticent_bench.audits.local_target import LocalTarget
from reticent_bench.audits.membership.blind import blind_check, blind_scores
from reticent_bench.audits.tuning import methods
from reticent_bench.audits.tuning.cell import NoiseFor, run_cell
from reticent_bench.audits.tuning.measuring import OFF, measure, score
from reticent_bench.audits.tuning.settings import FULL, INFILLING, Cell, TuningSettings
from reticent_bench.audits.tuning.texts import TuningTexts
from reticent_detectors.progress import Advance, unseen

BEFORE = "before tuning"
Figures = dict[str, Any]


def run_matrix(
    model_folder: Path,
    chosen: Sequence[Cell],
    texts: TuningTexts,
    settings: TuningSettings,
    work: Path,
    noise_for: NoiseFor,
    *,
    guard: bool = True,
    device: str = "cpu",
    advance: Advance = unseen,
) -> Figures:
    """Tunes and measures all cells.

    Args:
        model_folder: of the untuned model.
        chosen: the cells.
        texts: see `draw_texts`.
        settings: of all cells.
        work: folder in which cells are kept, below a digest of all that their figures depend on.
        noise_for: the accountant.
        guard: whether undefended models are also asked behind the guard.
        device: a torch device.
        advance: shows the progress.

    Returns:
        `rows` (figures of the model before tuning, then of each cell) and `blind` (AUC of a classifier that sees the texts
        alone, and its verdict), as JSON.
    """
    folder = kept_folder(model_folder, texts, settings, work, guard)
    folder.mkdir(parents=True, exist_ok=True)
    forms = [FULL, *([INFILLING] if any(cell.method == INFILLING for cell in chosen) else [])]
    rows = [
        _kept(folder / f"before-{form}.json", lambda form=form: _before(form, model_folder, texts, settings, device))  # type: ignore[misc]
        for form in forms
    ]
    for done, cell in enumerate(chosen):
        advance("cell", done, len(chosen), cell.name)

        def tuned(cell: Cell = cell) -> Figures:
            return run_cell(
                cell, model_folder, texts, settings, folder / cell.name, noise_for, guard=guard, device=device,
                progress=lambda step, steps, loss: advance(cell.name, step, steps, f"loss {loss:.3f}"),
            )  # fmt: skip

        rows.append(_kept(folder / f"{cell.name}.json", tuned))
    advance("cell", len(chosen), len(chosen))
    return {"rows": rows, "blind": _kept(folder / "blind.json", lambda: _blind(texts, settings.seed))}


def kept_folder(model_folder: Path, texts: TuningTexts, settings: TuningSettings, work: Path, guard: bool) -> Path:
    """Where the cells of these settings are kept."""
    state = hashlib.sha256()
    for file in sorted(each for each in model_folder.iterdir() if each.is_file()):
        with file.open("rb") as stream:
            state.update(f"{file.name} {hashlib.file_digest(stream, 'sha256').hexdigest()}\n".encode())
    inserted = texts.training(settings.seed)
    others = [canary.text for canary in (*texts.repeated, *texts.once)] + [passage.text for passage in texts.others]
    state.update(json.dumps([settings.stamp(), guard, __version__, inserted, others]).encode())
    return work / state.hexdigest()[:16]


def finished(folder: Path, chosen: Sequence[Cell]) -> list[Cell]:
    """The cells that are kept already."""
    return [cell for cell in chosen if (folder / f"{cell.name}.json").is_file()]


def _before(form: str, model_folder: Path, texts: TuningTexts, settings: TuningSettings, device: str) -> Figures:
    """The untuned model, on the texts in the form of a method."""
    own = texts.for_method(form)
    target = LocalTarget(*methods.load(model_folder, device), BEFORE)
    base = score(target, (*own.members, *own.others))
    found = measure({OFF: target}, own, base, settings.samples, settings.seed)
    return {**found, "method": BEFORE if form == FULL else f"{BEFORE}, {form}", "epsilon": None, "trained": 0}


def _blind(texts: TuningTexts, seed: int) -> Figures:
    passages = (*texts.members, *texts.others)
    member = np.arange(len(passages)) < len(texts.members)
    people = np.array([passage.person for passage in passages], dtype=np.str_)
    scores = blind_scores([passage.text for passage in passages], member, people, seed)
    found = blind_check(scores, member, people, seed=seed)
    return {"auc": list(found.auc), "verdict": found.verdict}


def _kept(file: Path, make: Callable[[], Figures]) -> Figures:
    """What a file holds, or what is made and written to it whole."""
    if not file.exists():
        temporary = file.with_suffix(".tmp")
        temporary.write_text(json.dumps(make()), encoding="utf-8")
        temporary.replace(file)
    kept: Figures = json.loads(file.read_text(encoding="utf-8"))
    return kept
