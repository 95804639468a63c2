"""The matrix: all cells, one after the other. A finished cell is kept, and an interrupted one continues."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from reticent import __version__
from reticent_bench.audits.labelled_texts import LabelledTexts
from reticent_bench.audits.tuning.cell import NoiseFor, run_cell
from reticent_bench.audits.tuning.families import family_of, refuse_unsupported
from reticent_bench.audits.tuning.settings import FULL, INFILLING, Cell, TuningSettings
from reticent_bench.audits.tuning.task import Texts, make_task
from reticent_detectors.long_runs.progress import Advance, unseen

BEFORE = "before tuning"
Figures = dict[str, Any]


def run_matrix(
    model_folder: Path,
    chosen: Sequence[Cell],
    texts: Texts,
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
        texts: see `draw_texts` and `read_labelled`.
        settings: of all cells.
        work: folder in which cells are kept, below a digest of all that their figures depend on.
        noise_for: the accountant.
        guard: whether undefended decoders are also asked behind the guard.
        device: a torch device.
        advance: shows the progress.

    Returns:
        `rows` (figures of the model before tuning, then of each cell), `blind` (AUC of a classifier that sees the texts
        alone, and its verdict) and `family`, as JSON.

    Raises:
        InputError: the family does not fit the texts, or a method is not supported for it.
    """
    family = family_of(model_folder)
    refuse_unsupported(model_folder, family, [cell.method for cell in chosen], settings)
    folder = kept_folder(model_folder, texts, settings, work, guard)
    folder.mkdir(parents=True, exist_ok=True)
    forms = [FULL, *([INFILLING] if any(cell.method == INFILLING for cell in chosen) else [])]
    rows = [
        _kept(folder / f"before-{form}.json", partial(_before, form, model_folder, texts, settings, device, folder))
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
    blind = _kept(folder / "blind.json", make_task(model_folder, texts, settings).blind)
    return {"rows": rows, "blind": blind, "family": family}


def kept_folder(model_folder: Path, texts: Texts, settings: TuningSettings, work: Path, guard: bool) -> Path:
    """Where the cells of these settings are kept."""
    state = hashlib.sha256()
    for file in sorted(each for each in model_folder.iterdir() if each.is_file()):
        with file.open("rb") as stream:
            state.update(f"{file.name} {hashlib.file_digest(stream, 'sha256').hexdigest()}\n".encode())
    state.update(json.dumps([settings.stamp(), guard, __version__, _content(texts, settings.seed)]).encode())
    return work / state.hexdigest()[:16]


def _content(texts: Texts, seed: int) -> list[Any]:
    """All that is trained on and measured with."""
    if isinstance(texts, LabelledTexts):
        return [texts.digest()]
    others = [canary.text for canary in (*texts.repeated, *texts.once)] + [passage.text for passage in texts.others]
    return [texts.training(seed), others]


def finished(folder: Path, chosen: Sequence[Cell]) -> list[Cell]:
    """The cells that are kept already."""
    return [cell for cell in chosen if (folder / f"{cell.name}.json").is_file()]


def _before(
    form: str, model_folder: Path, texts: Texts, settings: TuningSettings, device: str, folder: Path
) -> Figures:
    """The untuned model, on the texts in the form of a method."""
    task = make_task(model_folder, texts, settings)
    model, tokenizer = task.load(task.start(model_folder, form, folder, device), form, device)
    found = task.measure(None, model, tokenizer, form, task.scores(model, tokenizer, form), False)
    return {**found, "method": BEFORE if form == FULL else f"{BEFORE}, {form}", "epsilon": None, "trained": 0}


def _kept(file: Path, make: Callable[[], Figures]) -> Figures:
    """What a file holds, or what is made and written to it whole."""
    if not file.exists():
        temporary = file.with_suffix(".tmp")
        temporary.write_text(json.dumps(make()), encoding="utf-8")
        temporary.replace(file)
    kept: Figures = json.loads(file.read_text(encoding="utf-8"))
    return kept
