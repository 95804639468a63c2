"""One training of the finder's tagger: without the held-out texts, to measure it, and then with all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from reticent_bench.real_answers import tagger_training as training
from reticent_bench.real_answers import word_vectors as words
from reticent_bench.real_answers.imagined import read_unmarked
from reticent_bench.real_answers.marked import Marked
from reticent_bench.real_answers.tagger_teacher import TEACHER_EPOCHS, taught
from reticent_bench.real_answers.training_texts import SEED, Texts
from reticent_bench.report.result import footer, provenance
from reticent_bench.report.result import write as write_tables
from reticent_detectors.finder.tagger import TagNetwork, shipped
from reticent_detectors.host.load import load_host

Say = Callable[[str], None]


@dataclass(frozen=True)
class Settings:
    """How a tagger is trained.

    Args:
        epochs: of all marked texts.
        caution: added to the log-odds of no value.
        learn_vectors: whether vectors of words are learned as well.
        device: where it is trained.
        vectors_of: a checkpoint whose states are the vectors of words; else they are those of the shipped tagger.
        teacher: a Gemma 3 checkpoint that marks the texts of `unmarked`.
        marks: a folder that keeps what the teacher says of them.
    """

    epochs: float
    caution: float
    learn_vectors: bool
    device: str
    vectors_of: Path | None = None
    teacher: Path | None = None
    unmarked: tuple[Path, ...] = ()
    marks: Path | None = None


def train_and_measure(
    texts: Texts, settings: Settings, file: Path, measured: Path | None, out: Path, name: str, command: str, say: Say
) -> Path:
    """Writes the tagger of all texts to `file`, and NAME.json and NAME.md to `out`. Returns the page's path.

    Args:
        measured: where the tagger that did not see the held-out texts is written, if anywhere.
        command: that made them, for the page.
    """
    further = read_unmarked(settings.unmarked)
    known = _vectors(texts, settings, say)
    learning, held = texts.parted()
    some = _trained(learning, known, further, settings, say)
    if measured is not None:
        _save(some, measured)
    figures = training.figures_of(texts, learning, held, some)
    figures["vectors"] = "the tagger before it" if settings.vectors_of is None else settings.vectors_of.name
    if settings.teacher is not None:
        figures |= {"teacher": settings.teacher.name, "unmarked": len(further)}
    _save(_trained(texts, known, further, settings, say), file)
    figures |= {"bytes": file.stat().st_size, "made_by": provenance(command, SEED)}
    write_tables(out, name, figures, training.render(figures) + footer(figures))
    return out / f"{name}.md"


def _vectors(texts: Texts, settings: Settings, say: Say) -> words.WordVectors:
    if settings.vectors_of is None:
        return words.of_tagger(shipped())
    model, tokenizer = load_host(settings.vectors_of, dtype="bfloat16")
    return words.word_vectors(model, tokenizer, words.vocabulary(texts.written), say)


def _trained(part: Texts, known: words.WordVectors, further: list[Marked], settings: Settings, say: Say) -> TagNetwork:
    marked, weights = part.weighted()
    teach = None
    if settings.teacher is not None:
        teach = taught(
            settings.teacher, marked, further, settings.device, epochs=TEACHER_EPOCHS, marks=settings.marks, say=say
        )
    return training.train(
        marked, weights, known, epochs=settings.epochs, caution=settings.caution,
        learn_vectors=settings.learn_vectors, teach=teach, device=settings.device, say=say,
    )  # fmt: skip


def _save(network: TagNetwork, file: Path) -> None:
    with file.open("wb") as target:
        network.save(target)
