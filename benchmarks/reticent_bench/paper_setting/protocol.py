"""How it is decided whether inner layers add anything on a user's own model: fixed before a test row is read.

`docs/decisions/inner-layers-on-own-models.md` says the same in words, and the file beside it holds what `protocol`
returns. Whoever judges takes regimes, folds and thresholds from here.

    python -m reticent_bench.paper_setting.protocol DATA > docs/decisions/inner-layers-on-own-models.json
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from reticent_bench.paper_setting.asks import Ask, AskSet, asks
from reticent_bench.paper_setting.draws import DRAWS, FOLDS, Draw, draw
from reticent_bench.paper_setting.facts import FULL, PILOT, fact_asks
from reticent_bench.paper_setting.forms import all_forms
from reticent_bench.paper_setting.general import general_questions
from reticent_bench.paper_setting.greedy import DEPTHS, PLACES, TOP
from reticent_bench.paper_setting.jobs import JOBS, KEPT_EPOCHS, LEAST_RECALL, HostJob

TEST_FOLDS: Mapping[str, tuple[int, ...]] = {"A": (2, 3, 4), "B": tuple(range(FOLDS)), "C": tuple(range(FOLDS))}
"""Folds of SmolLM2's people on which a verdict rests. Of draw A the first two are there to write the detectors on."""


@dataclass(frozen=True, slots=True)
class Regime:
    """Which rows a verdict is about. `positive` and `negative` are values of the shards' column `whose`.

    A part is (set, epochs): `judged`, `kept` (all kept epochs but the judged one) or `all`.
    """

    name: str
    asks: str
    positive: tuple[tuple[str, str], ...]
    positive_whose: tuple[str, ...]
    negative: tuple[tuple[str, str], ...]
    negative_whose: tuple[str, ...]
    verdict: bool = True


_TAUGHT = (("taught", "judged"),)
_WRONG = ("other", "made up")
REGIMES = (
    Regime("R1", "taught: own against made up", _TAUGHT, ("own",), _TAUGHT, ("made up",), verdict=False),
    Regime("R2", "taught: own against every wrong answer", _TAUGHT, ("own",), _TAUGHT, _WRONG),
    Regime(
        "R3",
        "taught 1 to 16 times in all, or half-learnt: own against every wrong answer",
        (("exposed", "all"), ("few", "kept")),
        ("own",),
        (("exposed", "all"), ("few", "kept")),
        _WRONG,
    ),
    Regime(
        "R4", "synonyms that nobody was taught", (("synonym", "judged"),), ("own",), (("synonym", "judged"),), _WRONG
    ),
    Regime(
        "R5",
        "a value in the prompt: the own one, told or remembered, against another one that is copied",
        (("context", "judged"),),
        ("own",),
        (("context", "judged"),),
        ("given",),
    ),
    Regime("R6", "public facts on untouched models", (("facts", ""),), ("own",), (("facts", ""),), ("made up",)),
    Regime(
        "R7",
        "own values of taught people against all answers about strangers",
        _TAUGHT,
        ("own",),
        (("stranger", "judged"),),
        ("own", *_WRONG),
    ),
)
ARMS: Mapping[str, str] = {
    "A0": "score of the token numbers, learned on the own model",
    "A1": "the paper's network of the three probabilities",
    "A2": "the paper's network; the unembedding reads inner layers as they are, and the last one behind its norm",
    "A3": "the paper's network; the final norm before the unembedding on all layers",
    "A4": "A2 with each feature pooled over all tokens of the value",
    "A5": "A0 and a ridge probe on states; depth and place are chosen inside the training folds",
    "A6": "A0 and the attention that the value's tokens pay to the name",
    "A7": "SAPLMA",
    "A8": "SAR, Min-K%, Min-K%++, zlib, gradient norm and reference, of the value and of prompt and answer",
    "A9": "kind and number of tokens alone",
    "A10": "A0 and the last layer alone, by the probe of A5",
    "A11": "a sequence model of surprisal, rank, entropy, margin and top ranks of target and base",
}
PRIMARY = {"regime": "R2", "arms": ["A5", "A2 with A0"], "less": "A10", "split": "by person"}
SPLITS = ("random rows", "by person", "by person and form")
THRESHOLDS: Mapping[str, float] = {
    "adds_least_points": 0.010,
    "adds_least_hosts": 2,
    "least_positives": 300,
    "least_negatives": 300,
    "least_people": 40,
    "primary_least_test_people": 60,
    "primary_least_test_rows": 2000,
    "bootstrap_resamples": 2000,
    "confidence": 0.95,
    "planted_label_least_auroc": 0.99,
    "shuffled_label_most_distance_from_half": 0.03,
    "a2_below_a1_at_most": 0.005,
    "seed_spread_at_most": 0.02,
    "least_of_each_class_for_a_kind": 5,
    "runs": 5,
    "runs_of_the_headline_arm": 50,
}
REPORTED: Mapping[str, float] = {"paper_accuracy": 0.9269, "paper_accuracy_probabilities_alone": 0.8806}


def fold_of(people: Draw, split: str) -> Callable[[str, str, int, int], int]:
    """Returns a function that tells the fold of a row (subject, kind, form, index) under a split.

    By person and form, fold f judges the form number f + 1 of the people of fold f, by a detector that has seen neither
    these people nor this form. Other rows of these people and of this form are in no part.
    """
    folds = people.folds()
    if split == SPLITS[0]:
        return lambda subject, kind, form, index: _number(f"{people.name} {subject} {kind} {form} {index}") % FOLDS
    if split == SPLITS[1]:
        return lambda subject, kind, form, index: folds[subject]
    return lambda subject, kind, form, index: folds[subject] if form == folds[subject] + 1 else -1


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])


def digest(lines: Iterable[str]) -> str:
    """Returns the SHA-256 of lines."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _ask_lines(asked: Iterable[Ask]) -> Iterable[str]:
    return (f"{a.set}\t{a.subject}\t{a.kind}\t{a.form}\t{a.text}\t{a.value}\t{a.given}" for a in asked)


def draw_digests(people: Draw) -> dict[str, Any]:
    """Returns digests of a draw: its people, exposures, folds under each split, and the prompts of each part."""
    everybody = (*people.taught, *people.exposed, *people.strangers)
    rows = [(part, index, ask) for part in AskSet for index, ask in enumerate(asks(people, part))]
    fold = {split: fold_of(people, split) for split in SPLITS}
    return {
        "people": digest(json.dumps(p.to_json(), sort_keys=True) for p in everybody),
        "exposures": digest(map(str, people.exposures)),
        "splits": {
            split: digest(
                f"{part} {index} {of_row(ask.subject, ask.kind, ask.form, index)}" for part, index, ask in rows
            )
            for split, of_row in fold.items()
        },
        "asks": {str(part): digest(_ask_lines(ask for own, _, ask in rows if own is part)) for part in AskSet},
    }


def fixed() -> dict[str, Any]:
    """Returns all of the protocol that depends on no file beside this package."""
    sizes = sorted({(job.draw, job.people) for job in JOBS if isinstance(job, HostJob)})
    return {
        "made_with": {"faker": version("faker")},
        "jobs": [{"what": type(job).__name__, **asdict(job)} for job in JOBS],
        "judged_epoch": {"first_with_recall_of_at_least": LEAST_RECALL, "else": "the last"},
        "kept_epochs": list(KEPT_EPOCHS),
        "kept_of_an_answer": {"top": TOP, "depths": DEPTHS, "places": ["prompt, all depths", *PLACES]},
        "forms": digest(f"{f.kind} {f.set} {f.number} {f.text}" for f in all_forms()),
        "draws": {f"{name}, {people} people": draw_digests(draw(name, people)) for name, people in sizes},
        "test_folds_smollm2": {name: list(TEST_FOLDS[name]) for name in DRAWS},
        "regimes": [asdict(regime) for regime in REGIMES],
        "arms": dict(ARMS),
        "primary": PRIMARY,
        "splits": list(SPLITS),
        "thresholds": dict(THRESHOLDS),
        "reported_by_the_paper": dict(REPORTED),
    }


def protocol(data: Path) -> dict[str, Any]:
    """Returns the whole protocol. `data` holds SQuAD's and Factoscope's files. Raises InputError without them."""
    taught, held = general_questions(data)
    return {
        **fixed(),
        "general": {
            "taught": digest(f"{e.prompt}\t{e.answer}" for e in taught),
            "held_out": digest(f"{e.prompt}\t{e.answer}" for e in held),
        },
        "facts": {str(count): digest(_ask_lines(fact_asks(data, count))) for count in (PILOT, FULL)},
    }


def main() -> None:
    """Prints the protocol."""
    parser = argparse.ArgumentParser(description="Print the protocol of the paper's setting as JSON.")
    parser.add_argument("data", type=Path, help="folder with squad-subset, xquad and llm-factoscope")
    print(json.dumps(protocol(parser.parse_args().data), indent=1))


if __name__ == "__main__":
    main()
