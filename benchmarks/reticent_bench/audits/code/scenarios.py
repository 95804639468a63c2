"""The scenario pairs: what a model is asked to write, and for which attribute (sections 4.1 and B.2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from reticent_bench.audits.code.attributes import ATTRIBUTES, Attribute
from reticent_detectors.errors import InputError

_COLUMNS = 4


@dataclass(frozen=True, slots=True)
class Scenario:
    """One pair of an attribute and a development setting, with its question."""

    id: str
    attribute_key: str
    domain: str
    question: str

    @property
    def attribute(self) -> Attribute:
        """The row of the attribute."""
        return ATTRIBUTES[self.attribute_key]


@lru_cache(maxsize=1)
def scenarios() -> tuple[Scenario, ...]:
    """Returns the 30 scenario pairs of `scenarios.tsv`.

    Raises:
        InputError: a row has another number of columns, an unknown attribute or an id that is there already.
    """
    text = resources.files("reticent_bench.audits.code").joinpath("scenarios.tsv").read_text(encoding="utf-8")
    return read_scenarios(text)


def spread(count: int) -> tuple[Scenario, ...]:
    """Returns so many of the scenarios, at equal distances in their list; all if `count` is their number or more."""
    every = scenarios()
    return tuple(every[place * len(every) // count] for place in range(count)) if count < len(every) else every


def read_scenarios(text: str) -> tuple[Scenario, ...]:
    """Reads scenario rows: id, attribute, domain and question, parted by tabs. Lines that begin with # are comments."""
    out: dict[str, Scenario] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != _COLUMNS or not all(cell.strip() for cell in cells):
            raise InputError(f"line {number} of the scenarios: expected {_COLUMNS} filled columns, got {len(cells)}")
        scenario = Scenario(*cells)
        if scenario.attribute_key not in ATTRIBUTES:
            raise InputError(f"line {number} of the scenarios: expected one of {', '.join(ATTRIBUTES)} as attribute")
        if scenario.id in out:
            raise InputError(f"line {number} of the scenarios: the id is used twice; give each row its own")
        out[scenario.id] = scenario
    return tuple(out.values())
