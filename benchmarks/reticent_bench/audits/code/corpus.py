"""Reads a folder of files into a corpus index."""

from __future__ import annotations

from pathlib import Path

from reticent_bench.audits.code.corpus_index import CorpusIndex, CorpusIndexBuilder
from reticent_detectors.errors import InputError

MOST_BYTES = 1 << 20
"""Larger files are left out: they are data, and their literals are no records."""


def index_folder(folder: Path, key: bytes) -> CorpusIndex:
    """The index of all text files of a folder and its subfolders. Files that are no UTF-8 text are left out.

    Raises:
        InputError: the folder is not there, or holds no text file.
    """
    if not folder.is_dir():
        raise InputError(
            f"There is no folder {str(folder)!r}; expected the files that the model may have been trained on."
        )
    builder, count = CorpusIndexBuilder(key), 0
    for file in sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()):
        if file.stat().st_size > MOST_BYTES:
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
