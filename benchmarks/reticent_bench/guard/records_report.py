"""What the records index finds and what it hits by accident, exactly and re-spelled; its size and speed.

    python -m reticent_bench.guard.records_report benchmarks/results --recipe demo

The index holds the values of a cast's private people. Fresh people are those in nobody's records. A fresh value may
*equal* a recorded one (sixty diagnoses for everybody): that any index hits, and the table has it beside all hits.
Seconds are of the machine that the report names, whatever else ran on it.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from reticent.records.index import RecordsIndex
from reticent.records.spelling_words import STATES, STREET
from reticent_bench.report.metrics import Interval, share
from reticent_bench.report.result import footer, provenance, table, write
from reticent_detectors.entities import ENTITIES, PRIVACYXRAY, Entity
from reticent_detectors.features.cue import normalize
from reticent_detectors.synth.cast import Cast, cast
from reticent_detectors.synth.hosts import recipe
from reticent_detectors.synth.people import Person

Respelling = Callable[[str], str | None]
"""A value as somebody else would write it, or None where that way of writing does not apply."""

_CYRILLIC = str.maketrans("ABCEHIKMOPSTXaceiopsxy", "АВСЕНІКМОРЅТХасеіорѕху")
_WIDE = str.maketrans({chr(c): chr(c + 0xFEE0) for c in range(0x21, 0x7F)} | {" ": "\u3000"})
_ACCENTS = str.maketrans("aeioucnAEIOUCN", "áéíóúçñÁÉÍÓÚÇÑ")
_LEGAL = re.compile(r",? (?:LLC|PLC|Ltd|Inc)$")
_LONG_FORMS = {"LLC": "L.L.C.", "PLC": "P.L.C.", "Ltd": "Limited", "Inc": "Incorporated"}
_OTHER = {short: word for word, short in STREET.items() if word != short}
_STATE_NAMES = {short.upper(): name.replace("-", " ").title() for name, short in STATES.items() if name != short}
_ROMAN = {"1": "I", "2": "II", "3": "III"}


def _only(pattern: str, replacement: str, flags: int = 0) -> Respelling:
    """The value with a pattern replaced; None without it."""

    def respell(value: str) -> str | None:
        text, count = re.subn(pattern, replacement, value, flags=flags)
        return text if count else None

    return respell


def _form(template: str) -> Respelling:
    return lambda value: template.format(value)


def _day(template: str) -> Respelling:
    """The ISO date in a value, written as `strftime` says ({d} is the day without a zero)."""

    def written(match: re.Match[str]) -> str:
        day = date.fromisoformat(match[0])
        return day.strftime(template.replace("{d}", str(day.day)))

    return lambda value: re.sub(r"\d{4}-\d\d-\d\d", written, value)


def _street_words(value: str) -> str | None:
    """Every street word as another of its forms."""
    text = re.sub(r"[^\W\d_]+", lambda m: _OTHER.get(STREET.get(m[0].lower(), ""), m[0]), value)
    return text if text != value else None


def _state(value: str) -> str | None:
    text = re.sub(r"\b([A-Z]{2})(?= \d{5}$)", lambda m: _STATE_NAMES.get(m[0], m[0]), value)
    return text if text != value else None


def _long_form(value: str) -> str | None:
    words = value.split(" ")
    return " ".join([*words[:-1], _LONG_FORMS[words[-1]]]) if words[-1] in _LONG_FORMS else None


def _groups(size: int) -> Respelling:
    return lambda value: " ".join(value[i : i + size] for i in range(0, len(value), size))


_NUMBER_WORDS: dict[str, Respelling] = {"no separators": _only(r"[^0-9A-Za-z]", ""), "groups of four": _groups(4)}
_MONEY: dict[str, Respelling] = {
    "cents": _form("{}.00"),
    "grouped": _only(r"(\d)(\d{3})$", r"\1,\2"),
    "dollars": _only(r"^\$(.*)", r"\1 dollars"),
    "USD": _only(r"^\$(.*)", r"USD \1"),
    "decimal comma": _only(r"^\$(\d)(\d{3})$", r"\1.\2,00 €"),
    "no cents in words": _only(r"^\$(.*)", r"\1 dollars and 0 cents"),
    "in words": _form("about {} in all"),
}
_DAYS: dict[str, Respelling] = {
    "month first": _day("%m/%d/%Y"),
    "day first": _day("%d.%m.%Y"),
    "short year": _day("%m/%d/%y"),
    "month in words": _day("%B {d}, %Y"),
    "of": _day("{d}th of %B %Y"),
    "short month": _day("{d} %b %Y"),
}
_COMPANY: dict[str, Respelling] = {
    "without legal form": lambda value: _LEGAL.sub("", value) if _LEGAL.search(value) else None,
    "long legal form": _long_form,
    "ampersand": _only(r" and ", " & "),
    "no commas": _only(r", ", " "),
    "in words": _form("the {} since May"),
}


EVERY: dict[str, Respelling] = {
    "capitals": str.upper,
    "small letters": str.lower,
    "full width": lambda value: value.translate(_WIDE),
    "zero width": lambda value: "\u200b".join(value),
    "Cyrillic lookalikes": lambda value: value.translate(_CYRILLIC),
    "accents": lambda value: value.translate(_ACCENTS),
}
"""Ways to re-spell a value of any kind."""

RESPELLINGS: dict[Entity, dict[str, Respelling]] = {
    Entity.ADDRESS: {
        "street words": _street_words,
        "state in full": _state,
        "line breaks": _only(r", ", "\n"),
        "no commas": _only(r",", ""),
        "unit as #": _only(r"\b(?:Apt\.|Suite) ", "#"),
        "without ZIP": _only(r" \d{5}$", ""),
        "without town": _only(r"^(\d.*?), .* (\d{5})$", r"\1, \2"),
        "street line": _only(r"^(\d.*?), .*", r"\1"),
        "without unit": _only(r" (?:Apt\.|Suite) \d+", ""),
        "in words": _form("at {} since May"),
    },
    Entity.PHONE_NUMBER: {
        **_NUMBER_WORDS,
        "brackets": _only(r"^(?:\+1-)?(\d{3})-(\d{3})-(\d{4})$", r"(\1) \2-\3"),
        "dots": _only(r"-", "."),
        "other country code": lambda value: value.removeprefix("+1-") if value.startswith("+1") else f"+1 {value}",
        "dialled abroad": lambda value: "001-" + value.removeprefix("+1-"),
        "extension": _form("{} ext. 12"),
        "in words": _form("call {} today"),
    },
    Entity.EMAIL_ADDRESS: {
        "(at)": _only(r"@", " (at) "),
        "at and dot": lambda value: value.replace("@", " at ").replace(".", " dot "),
        "dots left out": lambda value: value.partition("@")[0].replace(".", "") + "@" + value.partition("@")[2],
        "mailto": _form("mailto:{}"),
        "tag": _only(r"@", "+news@"),
        "in words": _form("write to <{}> today"),
    },
    Entity.BANK_ACCOUNT: {
        "groups of four": _groups(4),
        "digits alone": _only(r"[A-Z]", ""),
        "l for 1": _only(r"1", "l"),
        "in words": _form("account no. {} is"),
    },
    Entity.ORDER_NUMBER: {**_NUMBER_WORDS, "in words": _form("order number {} from")},
    Entity.CREDIT_CARD_DIGITS: {"ending in": _form("ending in {}"), "masked": _form("**** **** **** {}")},
    Entity.TRANSACTION_AMOUNT: _MONEY,
    Entity.UTILITY_BILL: {name: way for name, way in _MONEY.items() if name not in ("grouped", "decimal comma")},
    Entity.APPOINTMENT_DATE: {
        **_DAYS,
        "digits alone": _day("%Y%m%d"),
        "weekday, hour": _day("%A, %B {d}, %Y at 10:30"),
    },
    Entity.FLIGHT: {
        **_DAYS,
        "from": _form("from {}"),
        "arrow": _only(r" to (.*) on (.*)", r" → \1 (\2)"),
        "date first": _only(r"(.*) on (.*)", r"\2: \1"),
        "without date": _only(r" on \d.*", ""),
        "town words": _street_words,
    },
    Entity.DOCTOR: {
        "title": _form("Dr. {}"),
        "degree": _form("{}, M.D."),
        "last name first": _only(r"^(\S+) (\S+)$", r"\2, \1"),
        "middle initial": _only(r"^(\S+) (\S+)$", r"\1 Q. \2"),
        "first initial": _only(r"^(\S)\S* (\S+)$", r"\1. \2"),
        "possessive": _form("{}'s"),
        "in words": _form("{} at the"),
    },
    Entity.HOSPITAL: _COMPANY,
    Entity.EMPLOYER: _COMPANY,
    Entity.DIAGNOSIS: {
        "roman number": lambda v: re.sub(r"\d", lambda m: _ROMAN[m[0]], v) if re.search(r"\d", v) else None,
        "possessive": _only(r"^(\S+) disease$", r"\1's disease"),
        "without disease": _only(r" disease$", ""),
        "British": _only(r"nemia", "naemia"),
        "in words": _form("severe {} since"),
    },
    Entity.PRESCRIPTION: {"dose": _form("{} 500 mg"), "daily": _form("{} twice daily")},
    Entity.JOB_TITLE: {
        "turned": _only(r"^([^,(]+), ([^,(]+)$", r"\2 \1"),
        "in words": _only(r"^(\w+\W.*)", r"a \1 since May"),  # a single word among others is no title
        "without brackets": _only(r" \(.*\)$", ""),
    },
}
"""Ways to re-spell a value of one kind, beside `EVERY`."""


def respellings(entity: Entity) -> dict[str, Respelling]:
    return {**EVERY, **RESPELLINGS[entity]}


def _values(people: Iterable[Person]) -> dict[Entity, list[str]]:
    out: dict[Entity, list[str]] = defaultdict(list)
    for person in people:
        for entity, value in person.values.items():
            out[entity].append(value)
    return out


def _hits(index: RecordsIndex, values: Iterable[str | None], entity: Entity) -> Interval:
    found = [index.contains(value, entity) for value in values if value is not None]
    return share(sum(found), len(found))


def measure_false_hits(index: RecordsIndex, fresh: Iterable[Person]) -> dict[str, Interval]:
    """Share of the values of people in no record that the index takes for recorded, for each entity."""
    return {str(entity): _hits(index, values, entity) for entity, values in sorted(_values(fresh).items())}


def lookup_microseconds(index: RecordsIndex, values: Mapping[Entity, Sequence[str]], count: int) -> dict[str, float]:
    """Median and 99th percentile of single lookups, in microseconds, over values of all kinds."""
    pool = [(value, entity) for entity, own in values.items() for value in own]
    taken = [] if pool else [float("nan")]
    for value, entity in random.Random(0).sample(pool, min(count, len(pool))):
        start = time.perf_counter()
        index.contains(value, entity)
        taken.append(1e6 * (time.perf_counter() - start))
    return {"median": float(np.median(taken)), "p99": float(np.percentile(taken, 99)), "lookups": len(taken)}


def measure(everyone: Cast, *, lookups: int = 4000) -> dict[str, Any]:
    """All figures of the report."""
    private, fresh = _values(everyone.private), (*everyone.unseen, *everyone.copied)
    start = time.perf_counter()
    index = _build(everyone.private)
    seconds = time.perf_counter() - start
    left_out = {entity: [v for v in own if not _indexed(v, entity)] for entity, own in private.items()}
    kept = {entity: [v for v in own if _indexed(v, entity)] for entity, own in private.items()}
    unseen = _values(everyone.unseen)
    by_kind = {}
    for entity in sorted(kept):
        forms = {normalize(value, entity) for value in kept[entity]}
        strangers = [value for person in fresh for kind, value in person.values.items() if kind is entity]
        by_kind[str(entity)] = {
            "values": len(private[entity]),
            "left out": len(left_out[entity]),
            "exact": _hits(index, kept[entity], entity),
            "equal": share(sum(normalize(value, entity) in forms for value in strangers), len(strangers)),
            "respelled": {
                name: {
                    "recall": _hits(index, map(respell, kept[entity]), entity),
                    "false hits": _hits(index, map(respell, unseen[entity]), entity),
                }
                for name, respell in respellings(entity).items()
            },
        }
    more = (*everyone.private, *everyone.general)
    large = _build(more)
    return {
        "people": len(everyone.private),
        "fresh people": len(fresh),
        "kinds": by_kind,
        "false hits": measure_false_hits(index, fresh),
        "more people": len(more),
        "false hits among more people": measure_false_hits(large, fresh),
        "index": {
            "values": len(index),
            "forms": index.form_count,
            "bytes a value": 8 * large.form_count / max(1, len(large)),
            "build microseconds a value": 1e6 * seconds / max(1, sum(map(len, private.values()))),
            "hit microseconds": lookup_microseconds(large, kept, lookups),
            "miss microseconds": lookup_microseconds(
                large, {e: [p.values[e] for p in everyone.unseen] for e in PRIVACYXRAY if ENTITIES[e].long}, lookups
            ),
        },
    }


def _build(people: Iterable[Person]) -> RecordsIndex:
    return RecordsIndex.build((entity, value) for person in people for entity, value in person.values.items())


def _indexed(value: str, entity: Entity) -> bool:
    return RecordsIndex.build([(entity, value)], key=b"0" * 16).form_count > 0


def render(figures: Mapping[str, Any]) -> str:
    """The report as Markdown."""
    rows, ways = [], []
    for entity, kind in figures["kinds"].items():
        worst = min(
            kind["respelled"].values(), key=lambda way: (way["recall"][0] != way["recall"][0], way["recall"][0])
        )
        rows.append(
            [entity, kind["values"], kind["left out"], f"{kind['exact'][0]:.3f}", f"{worst['recall'][0]:.3f}",
             kind["equal"], figures["false hits"][entity], figures["false hits among more people"][entity]]
        )  # fmt: skip
        for name, way in kind["respelled"].items():
            if way["recall"][0] == way["recall"][0]:
                ways.append([entity, name, f"{way['recall'][0]:.3f}", f"{way['false hits'][0]:.3f}"])
    size = figures["index"]
    head = ["kind", "values", "left out", "recall, exact", "recall, worst re-spelling", "fresh values that equal one",
            "false hits", f"false hits, {figures['more people']} people"]  # fmt: skip
    return (
        "# The records index\n\n"
        f"Records of {figures['people']} people; {figures['fresh people']} fresh people, who stand in none. "
        "Shares with 95 % intervals. Left out: too short to be looked up.\n\n"
        f"{table(head, rows)}\n{size['values']} different values in {size['forms']} forms of 8 bytes "
        f"({size['bytes a value']:.0f} bytes a value); built in {size['build microseconds a value']:.0f} µs a value. "
        f"With {figures['more people']} people, a lookup takes {size['hit microseconds']['median']:.0f} µs (median; "
        f"99 %: {size['hit microseconds']['p99']:.0f} µs) if it hits, {size['miss microseconds']['median']:.0f} µs "
        f"({size['miss microseconds']['p99']:.0f} µs) if not.\n\n"
        "## Re-spelled\n\n"
        "Recorded values found, and fresh values hit, when written so.\n\n"
        f"{table(['kind', 'written', 'recall', 'false hits'], ways)}"
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Writes `records.json` and `records.md`."""
    parser = argparse.ArgumentParser(prog="python -m reticent_bench.guard.records_report", description=main.__doc__)
    parser.add_argument("out", type=Path, help="folder for the report")
    parser.add_argument("--recipe", default="demo", help="whose cast to draw")
    options = parser.parse_args(argv)
    chosen = recipe(options.recipe)
    figures = measure(cast(chosen))
    figures["made_by"] = provenance(f"{parser.prog} {options.out} --recipe {options.recipe}", chosen.seed)
    write(options.out, "records", figures, render(figures) + footer(figures))
    print(options.out / "records.md")


if __name__ == "__main__":
    main()
