"""Reads a folder of files into a corpus index."""

from __future__ import annotations

from pathlib import Path

from reticent_bench.audits.code.corpus_index import CorpusIndex, CorpusIndexBuilder
from reticent_detectors.errors import InputError

MOST_BYTES = 1 << 20
"""Larger files are left out: they are data, and their literals are no records."""


def check_corpus(folder: Path) -> None:
    """Raises InputError if there is no such folder."""
    if not folder.is_dir():
        raise InputError(
            f"There is no folder {str(folder)!r}; expected the files that the model may have been trained on."
        )


def index_folder(folder: Path, key: bytes, left_out: Path | None = None) -> CorpusIndex:
    """The index of all text files of a folder and its subfolders.

    Files that are no UTF-8 text, those of Git and those in the folder `left_out` are left out.

    Raises:
        InputError: the folder is not there, or holds no text file.
    """
    check_corpus(folder)
    builder, count = CorpusIndexBuilder(key), 0
    skipped = None if left_out is None else left_out.resolve()
    for file in sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()):
        inside = skipped is not None and skipped in file.resolve().parents
        if inside or ".git" in file.relative_to(folder).parts or file.stat().st_size > MOST_BYTES:
            continue
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        builder.add(file.relative_to(folder).as_posix(), text)
        count += 1
    if not count:
        raise InputError(f"{folder} holds no text file; expected the files that the model may have been trained on.")
    return builder.build()
