"""Find values in texts of standard input with what a host's states say of their words; writes ranges, no text.

    python -m reticent_bench.tagger.find_with_states CHECKPOINT PROBE

`reticent probe` makes the probe, `probe.npz` of a bundle. The host reads each text after its question, as if it had
said it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from reticent_bench.finder.find import default_finder, find
from reticent_bench.finder.score import Gold
from reticent_bench.real_answers.marked import Marked
from reticent_bench.tagger.host_states import HostStates, load
from reticent_bench.tagger.probe import read_held_out
from reticent_detectors.capture import HostAdapter
from reticent_detectors.host.load import load_host
from reticent_detectors.scoring.host_probe import HostProbe


def found(checkpoint: Path, probe: HostProbe, texts: Sequence[Marked]) -> list[list[Gold]]:
    """Return what is found in each text."""
    model, tokenizer = load_host(checkpoint, dtype="bfloat16")
    host = HostStates(HostAdapter.attach(model, tokenizer), tokenizer, probe.layers)
    with TemporaryDirectory() as folder:
        file = Path(folder, "states.jsonl")
        host.keep(list(enumerate(texts)), file, float("inf"))
        said = read_held_out(probe, {"all": texts}, *load(file, len(probe.layers)))["all"]
    finder = default_finder()
    return [find(finder, text.text, text.question, states=tags) for text, tags in zip(texts, said, strict=True)]


def main() -> None:
    checkpoint, probe = map(Path, sys.argv[1:])
    rows = [json.loads(line) for line in sys.stdin]
    texts = [Marked(row["question"], row["text"], ()) for row in rows]
    for spans in found(checkpoint, HostProbe.from_bytes(probe.read_bytes()), texts):
        print(json.dumps({"spans": [list(span) for span in spans]}))


if __name__ == "__main__":
    main()
