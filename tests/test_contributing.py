"""What CONTRIBUTING shows is run as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

TEXT = (Path(__file__).resolve().parent.parent / "CONTRIBUTING.md").read_text()


def test_the_example_of_a_recogniser_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    names: dict[str, object] = {}
    exec(code, names)
    assert names["library_card"]("LC-2048164") == 0  # type: ignore[operator]  # a wrong check digit
