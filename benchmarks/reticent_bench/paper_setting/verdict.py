"""Says whether inner layers add anything, by the protocol: scores every arm, and compares on people unseen.

    python -m reticent_bench.paper_setting.verdict RUNS MODELS --regime R2 --draw A
    python -m reticent_bench.paper_setting.verdict RUNS MODELS --regime R6 --facts 500

Scores of an arm are kept in RUNS/scores, so a command that was stopped goes on. `--tune` judges the people of draw A
on whom detectors are written, and gives no verdict.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_bench.paper_setting.arms import ARMS, cross_fitted
from reticent_bench.paper_setting.draws import DRAWS, FOLDS
from reticent_bench.paper_setting.jobs import JOBS, FactJob, HostJob, judged_epoch
from reticent_bench.paper_setting.judged_rows import JudgedRows, Numbers, of_facts, of_taught
from reticent_bench.paper_setting.protocol import PRIMARY, REGIMES, REPORTED, TEST_FOLDS, THRESHOLDS
from reticent_bench.paper_setting.where import adapter_folder, kept_recalls
from reticent_bench.paper_setting.within_kind import best_threshold, weighted_within_kind
from reticent_bench.report.metrics import Interval, bootstrap, recall_at, weighted_auroc, weighted_balanced_accuracy
from reticent_bench.report.result import command_line, footer, provenance, table, write
from reticent_detectors.capture import HostAdapter
from reticent_detectors.errors import InputError
from reticent_detectors.host.load import load_host

Say = Callable[[str], None]
ROUNDS = int(THRESHOLDS["bootstrap_resamples"])
_LESS = str(PRIMARY["less"])
_PRIMARY: Sequence[str] = [str(arm) for arm in PRIMARY["arms"]]


@dataclass(frozen=True)
class Judged:
    """Score of every arm on the rows of people whom its model had not seen, and what is decided at its threshold.

    Attributes:
        rows: the rows of all hosts, one after the other: `right`, `kind` and `group`.
        scores, decided: [n] by arm.
    """

    right: NDArray[np.bool_]
    kind: NDArray[np.str_]
    group: NDArray[np.str_]
    scores: Mapping[str, Numbers]
    decided: Mapping[str, NDArray[np.bool_]]


def judge(
    rows: JudgedRows,
    folds: Collection[int],
    arms: Sequence[str],
    seed: int,
    keep: Path | None,
    say: Say,
    host: str = "",
) -> Judged:
    """Score the rows of `folds`, each fold by models of the other folds. A threshold is the best on these others.

    Args:
        rows: of one host.
        folds: whose rows are judged.
        arms: names of `ARMS`.
        seed: of networks.
        keep: folder in which scores are kept and looked for; None for none.
        say: takes a line of progress.
        host: goes before a person's name, so that people of several hosts differ.
    """
    judged = np.isin(rows.fold, list(folds))
    scores, decided = {}, {}
    for name in arms:
        scores[name], decided[name] = np.zeros(len(rows)), np.zeros(len(rows), bool)
        for fold in folds:
            file = None if keep is None else keep / f"{name.replace(' ', '-')}-fold-{fold}-seed-{seed}.npy"
            train = rows.fold != fold
            if file is not None and file.exists():
                found = np.load(file)
                if found.shape != (len(rows),):
                    raise InputError(f"{file} is of other rows; remove it to score them anew.")
            else:
                found = cross_fitted(ARMS[name], rows, train, seed)
                if file is not None:
                    file.parent.mkdir(parents=True, exist_ok=True)
                    np.save(file, found)
                say(f"{host} {name} fold {fold}")
            own = ~train
            scores[name][own] = found[own]
            decided[name][own] = found[own] > best_threshold(found[train], rows.right[train])
    group = np.array([f"{host} {person}" for person in rows.group])
    return Judged(
        rows.right[judged], rows.kind[judged], group[judged],
        {name: own[judged] for name, own in scores.items()}, {name: own[judged] for name, own in decided.items()},
    )  # fmt: skip


def pooled(parts: Sequence[Judged]) -> Judged:
    """Return the rows of several hosts as one."""
    arms = list(parts[0].scores)
    return Judged(
        np.concatenate([part.right for part in parts]),
        np.concatenate([part.kind for part in parts]),
        np.concatenate([part.group for part in parts]),
        {arm: np.concatenate([part.scores[arm] for part in parts]) for arm in arms},
        {arm: np.concatenate([part.decided[arm] for part in parts]) for arm in arms},
    )


def measure(judged: Judged) -> dict[str, Any]:
    """Return the figures of each arm, and by how much each is above A10, with intervals over people."""
    right, names = judged.right, list(judged.scores)
    within = {name: weighted_within_kind(judged.scores[name], right, judged.kind) for name in names}
    balanced = {name: weighted_balanced_accuracy(judged.decided[name], right) for name in names}
    whole = {name: weighted_auroc(judged.scores[name], right) for name in names}
    figures = bootstrap(
        lambda weight: [figure(weight) for own in (within, balanced, whole) for figure in own.values()],
        judged.group, ROUNDS,
    )  # fmt: skip
    out: dict[str, Any] = {"arms": {}, "less": {}}
    for at, name in enumerate(names):
        own = [figures[at + part * len(names)] for part in range(3)]
        scores = judged.scores[name]
        out["arms"][name] = {
            "within kind": list(own[0]), "balanced accuracy": list(own[1]), "pooled AUROC": list(own[2]),
            "recall at 1 %": recall_at(scores, right, 0.01), "recall at 5 %": recall_at(scores, right, 0.05),
        }  # fmt: skip
    if _LESS in names:
        gains = bootstrap(
            lambda weight: [own[name](weight) - own[_LESS](weight) for own in (within, balanced) for name in names],
            judged.group, ROUNDS,
        )  # fmt: skip
        for at, name in enumerate(names):
            out["less"][name] = {"within kind": list(gains[at]), "balanced accuracy": list(gains[at + len(names)])}
    out["rows"] = {"right": int(right.sum()), "wrong": int((~right).sum()), "people": len(np.unique(judged.group))}
    return out


def word(figures: Mapping[str, Any]) -> str:
    """Return what one host says of the primary arms: `adds`, `nothing` (the upper end is below a point) or `open`."""
    rows = figures["rows"]
    if min(rows["right"], rows["wrong"]) < THRESHOLDS["least_positives"] or rows["people"] < THRESHOLDS["least_people"]:
        return "too few rows"
    gains = [
        Interval(*figures["less"][arm][measured])
        for arm in _PRIMARY
        if arm in figures["less"]
        for measured in ("within kind", "balanced accuracy")
    ]
    least = THRESHOLDS["adds_least_points"]
    if any(gain.value >= least and gain.low > 0 for gain in gains):
        return "adds"
    return "nothing" if all(gain.high < least for gain in gains) else "open"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("runs", type=Path, help="folder of the runs (`paper_setting.run`)")
    parser.add_argument("models", type=Path, help="folder of the checkpoints, by their names of `reticent models`")
    parser.add_argument("--regime", choices=[each.name for each in REGIMES], default=PRIMARY["regime"])
    parser.add_argument("--model", default="smollm2-135m-instruct", help="of whose rows")
    parser.add_argument("--draw", action="append", choices=DRAWS, help="of taught people; several times")
    parser.add_argument("--facts", type=int, help="how many public facts were asked (R6)")
    parser.add_argument("--tune", action="store_true", help="judge the people on whom detectors are written")
    parser.add_argument("--arm", action="append", choices=list(ARMS), help="several times; all if not given")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    args = parser.parse_args()
    regime = next(each for each in REGIMES if each.name == args.regime)
    if (args.facts is None) is (regime.name == "R6"):
        parser.error("R6 and --facts go together")
    wanted: list[HostJob | FactJob] = [
        job
        for job in JOBS
        if job.model == args.model
        and (job.count == args.facts if isinstance(job, FactJob) else not args.facts and job.draw in (args.draw or "A"))
    ]
    if not wanted:
        parser.error(f"no run of {args.model} is planned for these")
    parts = []
    for job in wanted:
        rows, folds, name = _rows(args.runs, args.models, job, regime.name, args.tune)
        keep = args.runs / "scores" / name / regime.name
        parts.append(
            judge(rows, folds, args.arm or list(ARMS), args.seed, keep, lambda line: print(line, flush=True), name)
        )
    figures: dict[str, Any] = {
        "regime": regime.name,
        "asks": regime.asks,
        "model": args.model,
        **measure(pooled(parts)),
    }
    figures["draws"] = [getattr(job, "draw", "") for job in wanted]
    figures["tune"] = args.tune
    figures["word"] = "" if args.tune or not regime.verdict else word(figures)
    figures["made_by"] = provenance(command_line(), args.seed)
    file = f"paper-setting-{args.model}-{regime.name}" + ("-tune" if args.tune else "")
    write(args.out, file, figures, render(figures) + footer(figures))
    print(args.out / f"{file}.md")


def _rows(
    runs: Path, models: Path, job: HostJob | FactJob, regime: str, tune: bool
) -> tuple[JudgedRows, Sequence[int], str]:
    """Return a host's rows with its lens, the folds that are judged, and its name."""
    if isinstance(job, FactJob):
        adapter = HostAdapter.attach(*load_host(models / job.model))
        return of_facts(runs, job, adapter), range(FOLDS), f"{job.model}-facts-{job.count}"
    recalls = kept_recalls(runs, job)
    epoch = judged_epoch(recalls) or job.epochs
    model, tokenizer = load_host(adapter_folder(runs, job.name, epoch))
    adapter = HostAdapter.attach(model.merge_and_unload(), tokenizer)
    rows = of_taught(runs, job, next(each for each in REGIMES if each.name == regime), adapter)
    tested = TEST_FOLDS[job.draw] if job.model == "smollm2-135m-instruct" else tuple(range(FOLDS))
    written = tuple(fold for fold in range(FOLDS) if fold not in tested)
    if tune and not written:
        raise InputError(f"Detectors are written on the first folds of draw A of SmolLM2, not on {job.name}.")
    return rows, written if tune else tested, job.name


def render(figures: Mapping[str, Any]) -> str:
    """Render the page."""
    rows, arms = figures["rows"], figures["arms"]
    names = ("within kind", "balanced accuracy", "pooled AUROC")
    own = [
        [name, *(tuple(each[figure]) for figure in names), each["recall at 1 %"], each["recall at 5 %"]]
        for name, each in arms.items()
    ]
    gains = [[name, *(tuple(each[figure]) for figure in names[:2])] for name, each in figures["less"].items()]
    text = (
        f"# {figures['regime']} of {figures['model']}: {figures['asks']}\n\n"
        f"{rows['right']} right and {rows['wrong']} wrong answers of {rows['people']} people; each is judged by a "
        "detector that had not seen the person. Arms and measures are those of "
        "[the protocol](../../docs/decisions/inner-layers-on-own-models.md). "
        "95 % intervals by a bootstrap over people.\n\n"
        + table(["arm", *names, "recall at 1 %", "recall at 5 %"], own)
        + f"\nThe paper reports an accuracy of {REPORTED['paper_accuracy']:.1%}, and "
        f"{REPORTED['paper_accuracy_probabilities_alone']:.1%} by probabilities alone, on larger models and 5,000 "
        "people.\n"
    )
    if gains:
        text += f"\n## Less {_LESS}\n\n" + table(["arm", *names[:2]], gains)
    if figures["tune"]:
        return text + "\nThese are the people on whom detectors are written; no verdict rests on them.\n"
    return text + (f"\nThis host says: **{figures['word']}**.\n" if figures["word"] else "")


if __name__ == "__main__":
    main()
