"""Run the finder of the checkout that is imported over texts from standard input; writes ranges, no text.

Run as a file, not as a module: so one checkout's texts are read by another one's finder.
"""

from __future__ import annotations

import json
import sys

from reticent_bench.finder.find import default_finder, find


def main() -> None:
    finder = default_finder()
    for line in sys.stdin:
        row = json.loads(line)
        spans = [list(span) for span in find(finder, row["text"], row["question"])]
        print(json.dumps({"spans": spans}), flush=True)


if __name__ == "__main__":
    main()
