"""Makes an index of training records from a CSV file, and redacts what stands in it. It needs no model.

    python examples/records_index_from_csv.py

It prints:

    4 values indexed, 0 too short
    recorded    Write to <EMAIL_ADDRESS>.
    re-spelled  Her number is <PHONE_NUMBER>.
    others      Write to ada@example.net or call 212-555-0142.

The index file holds keyed hashes and no value. `reticent index` makes the same file from the command line.
"""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Iterator
from pathlib import Path

from reticent import RecordsIndex, TextGuard
from reticent.records import read_key, write_key

RECORDS = """\
customer,mail,phone
17,jane.roe@example.org,212-555-0187
18,john.doe@example.org,415-555-0113
"""
COLUMNS = {"mail": "EMAIL_ADDRESS", "phone": "PHONE_NUMBER"}
TEXTS = {
    "recorded": "Write to jane.roe@example.org.",
    "re-spelled": "Her number is (212) 555 0187.",
    "others": "Write to ada@example.net or call 212-555-0142.",
}


def values(path: Path) -> Iterator[tuple[str, str]]:
    """Yields kind and value of every cell of the mapped columns."""
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            yield from ((entity, row[column]) for column, entity in COLUMNS.items())


def main(folder: Path) -> None:
    """Writes records, their index and its key into a folder; then redacts texts by the index."""
    (folder / "records.csv").write_text(RECORDS)
    made = RecordsIndex.build(values(folder / "records.csv"))
    made.save(folder / "records.index")
    write_key(folder / "records.key", made.key)  # keep it apart from the index
    print(f"{len(made)} values indexed, {sum(made.skipped.values())} too short")

    index = RecordsIndex.load(folder / "records.index", key=read_key(folder / "records.key"))
    guard = TextGuard(records=index)
    for name, text in TEXTS.items():
        print(f"{name:<11} {guard.redact(text).text}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(Path(folder))
