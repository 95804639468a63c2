"""Generated texts about made-up people in six languages, with the place of every value: prose, forms, tables and code.

A wording is a line of the tables in `prose_texts`. `{v}` is the value, `{n}` a person's name.
"^" in front says that the value comes first. "||" stands between a question and its answer.
In a value, what stands before "|" is its article: the wording writes it at `{a}`, and it is not part of the value.
A field's label is a wording too.

A hash of the wording decides whether it is in the half `dev` or `test`, so no other wording can move it.

    python -m reticent_bench.finder.prose relations-dev.jsonl

writes the half `dev`, the only one that the author of the finder's words may see.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import random
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Any

from reticent_bench.finder.prose_texts import english, french, german, italian, portuguese, spanish
from reticent_bench.finder.score import Gold
from reticent_bench.finder.values import MAKERS, faker, make, written_day

LANGUAGES: dict[str, ModuleType] = {
    "English": english,
    "German": german,
    "French": french,
    "Spanish": spanish,
    "Italian": italian,
    "Portuguese": portuguese,
}
HALVES = ("dev", "test")
NOTHING = "NONE"
"""Kind of a text without a value."""
_VOWEL = "aeiouyàâéèêhAEIOUYÀÂÉÈÊ"
_TITLE = re.compile(r"(?i)\b(?:dr|dra|docteure?|doctora?|dottor|dottoressa|doutora?|prof\w*|dott|dott\.ssa)\.? \{v\}")
# How long the numbers of chassis and of mobile devices are, and what calls them so; other numbers are called otherwise.
_LONG = {
    "VEHICLE_ID": (
        17,
        re.compile(
            r"(?i)\b(?:VIN|FIN|chassis|châssis|telaio|bastidor|chassi|fahrgestell\w*|fahrzeug-?ident\w*"
            r"|identification number)\b"
        ),
    ),
    "DEVICE_ID": (15, re.compile(r"\bIMEI")),
}


@dataclass(frozen=True, slots=True)
class Example:
    """A text with its values; `gold[0]` is the one that the wording is about, unless the kind is `NOTHING`."""

    language: str
    kind: str
    form: str
    question: str
    text: str
    gold: tuple[Gold, ...]

    def __repr__(self) -> str:
        return f"Example({self.language}, {self.kind}, {self.form}, {len(self.text)} chars)"


class Writer:
    """A text that grows, and where its values stand."""

    def __init__(self) -> None:
        self.text = ""
        self.gold: list[Gold] = []

    def put(self, text: str, kind: str = "") -> None:
        if kind:
            self.gold.append(Gold(kind, len(self.text), len(self.text) + len(text)))
        self.text += text


def half(language: str, kind: str, wording: str) -> str:
    """`dev` or `test`, by a hash of the wording."""
    return HALVES[hashlib.sha256(f"{language}|{kind}|{wording}".encode()).digest()[0] & 1]


def _lines(table: str) -> list[str]:
    return [line.strip() for line in table.strip().splitlines()]


def _items(values: str) -> list[str]:
    return values.split("; ")


def fill(wording: str, kind: str, value: str, name: str, language: str) -> tuple[str, tuple[Gold, ...]]:
    """Gives the wording with its value and name; `gold[0]` is the value."""
    article, _, value = value.rpartition("|")
    article = article if "{a}" in wording else ""
    wording, article = _joined(wording.replace("{a}", ""), article, value, language)
    out = Writer()
    for part in re.split(r"(\{[vn]\})", wording):
        if part == "{v}":
            at_start = not out.text
            if article:
                out.put(article)
            elif at_start:
                value = value[:1].upper() + value[1:]
            out.put(value, kind)
        elif part == "{n}":
            out.put(name, "PERSON")
        else:
            # "gmbh & co." and "S.A." end a sentence by themselves.
            out.put(part[1:] if part.startswith(".") and out.text.endswith(".") else part)
    text = out.text[:1].upper() + out.text[1:]
    return text, tuple(sorted(out.gold, key=lambda g: g.kind != kind))


def _joined(wording: str, article: str, value: str, language: str) -> tuple[str, str]:
    """Gives the wording and the article as they are written before this value."""
    if language == "French" and article:
        for apart, together in (("de le ", "du "), ("de les ", "des "), ("à le ", "au "), ("à les ", "aux ")):
            preposition, _, its = apart.partition(" ")
            if article == its and f" {preposition} {{v}}" in wording:
                return wording.replace(f" {preposition} {{v}}", " {v}"), together
    if article or value[:1] not in _VOWEL:
        return wording, article
    if language == "English" and value[:1] not in "uyhU":
        wording = re.sub(r"\b([Aa]) \{v\}", r"\1n {v}", wording)
    if language == "French":
        wording = re.sub(r"\b([Dd])e \{v\}", r"\1'{v}", wording)
    if language == "Italian":
        wording = re.sub(r"\bil \{v\}", "l'{v}", wording)
    return wording, article


class Values:
    """Values of one language, from a seed."""

    def __init__(self, language: str, rng: random.Random) -> None:
        self.language, self.rng = language, rng
        self.module = LANGUAGES[language]
        self.locale: str = self.module.LOCALE

    def name(self) -> str:
        fake = faker(self.locale)
        fake.seed_instance(self.rng.randrange(2**32))
        return f"{fake.first_name()} {fake.last_name()}"

    def of(self, kind: str, wording: str = "") -> str:
        """Gives a value; `kind` may say which sort after a colon (`FLIGHT:number`)."""
        lists: dict[str, str] = self.module.VALUES
        kind, _, sort = kind.partition(":")
        if kind in MAKERS:
            value = make(kind, self.rng, self.locale)
            if long := _LONG.get(kind):  # a plate is no VIN, and a serial number no IMEI
                while (len(value) == long[0]) != bool(long[1].search(wording)):
                    value = make(kind, self.rng, self.locale)
            return value
        if kind in ("PERSON", "DOCTOR"):
            name = self.name()
            titled = kind == "DOCTOR" and _TITLE.search(wording)
            return name.split(" ", 1)[1] if titled and self.rng.random() < 0.4 else name
        if kind == "FLIGHT":
            return self._flight(sort or self.rng.choice(["route", "route", "number"]))
        if kind in ("EMPLOYER", "ORGANIZATION"):
            return self._company()
        names = {"TRANSACTION_AMOUNT": "AMOUNT", "UTILITY_BILL": "BILL", "LOCATION": "CITY"}
        table = (
            {"party": "PARTY", "view": "VIEW", "belief": "BELIEF"}[sort or "party"]
            if kind == "NRP"
            else names.get(kind, kind)
        )
        return self.rng.choice(_items(lists[table]))

    def _flight(self, sort: str) -> str:
        if sort == "number":
            line = self.rng.choice(["LH", "BA", "AF", "IB", "AZ", "TP", "DL", "UA", "EK", "FR", "U2", "LX"])
            return f"{line}{self.rng.choice([' ', ''])}{self.rng.randrange(100, 9999)}"
        start, end = self.rng.sample(_items(self.module.VALUES["CITY"]), 2)
        day = written_day(self.rng, self.locale[:2], date(2024, 1, 1), date(2026, 12, 31))
        form = self.rng.choice(_items(self.module.VALUES["ROUTE"]))
        return form.replace("{a}", start).replace("{b}", end).replace("{day}", day)

    def _company(self) -> str:
        if self.rng.random() < 0.6:
            return self.rng.choice(_items(self.module.VALUES["COMPANY"]))
        fake = faker(self.locale)
        fake.seed_instance(self.rng.randrange(2**32))
        return str(fake.company())


ValueRow = tuple[tuple[str, str, str], ...]
"""Fields of one person: label, value, kind (empty: not personal data of a kind)."""


def _bare(value: str) -> str:
    """Gives a value without the article that prose writes before it."""
    return value.rpartition("|")[2]


def identifier(label: str, style: str) -> str:
    """Gives a field's label as a name in code: `snake`, `camel` or `Pascal`."""
    written_out = re.sub("[äöüÄÖÜ]", lambda m: {"ä": "ae", "ö": "oe", "ü": "ue"}.get(m[0], m[0] + "e"), label)
    plain = unicodedata.normalize("NFKD", written_out.replace("ß", "ss")).encode("ascii", "ignore").decode()
    words = re.findall(r"[A-Za-z0-9]+", plain.replace("'", " ")) or ["value"]
    if style == "snake":
        return "_".join(word.lower() for word in words)
    joined = "".join(word[:1].upper() + word[1:].lower() for word in words)
    return joined if style == "Pascal" else joined[:1].lower() + joined[1:]


def _form_text(out: Writer, rows: Sequence[ValueRow], rng: random.Random) -> None:
    style = rng.choice(
        ["{}: ", "{}: ", "- **{}:** ", "- {}: ", "**{}**: ", "{} = ", "{}\t", "{} – ", "* {} - ", "{}:\n"]
    )
    for label, value, kind in rows[0]:
        out.put(style.replace("{}", label))
        out.put(value, kind)
        out.put("\n")


def _json_text(out: Writer, rows: Sequence[ValueRow], rng: random.Random) -> None:
    style = rng.choice(["snake", "camel", "label"])
    indent, end = rng.choice([("\n  ", "\n"), ("", "")])
    out.put("{" + indent)
    for i, (label, value, kind) in enumerate(rows[0]):
        key = label if style == "label" else identifier(label, style)
        out.put(("," + (indent or " ") if i else "") + json.dumps(key, ensure_ascii=False) + ': "')
        out.put(json.dumps(value, ensure_ascii=False)[1:-1], kind)
        out.put('"')
    out.put(end + "}")


def _yaml_text(out: Writer, rows: Sequence[ValueRow], rng: random.Random) -> None:
    out.put(rng.choice(["person:\n", "record:\n", "- "]))
    first = out.text == "- "
    for label, value, kind in rows[0]:
        quote = '"' if re.search(r"[:#{}\[\]&*!|>%@,]|^\d|^0x", value) else ""
        out.put(("" if first else "  ") + identifier(label, "snake") + ": " + quote)
        first = False
        out.put(value, kind)
        out.put(quote + "\n")


def _csv_text(out: Writer, rows: Sequence[ValueRow], rng: random.Random) -> None:
    delimiter = rng.choice([",", ",", ";"])
    out.put(_cells([label for label, _, _ in rows[0]], delimiter) + "\n")
    for row in rows:
        for i, (_, value, kind) in enumerate(row):
            out.put(delimiter if i else "")
            cell = _cells([value], delimiter)
            inside = cell[1:-1] if cell.startswith('"') else cell
            out.put('"' if cell != inside else "")
            out.put(inside, kind)
            out.put('"' if cell != inside else "")
        out.put("\n")


def _cells(values: Sequence[str], delimiter: str) -> str:
    line = io.StringIO()
    csv.writer(line, delimiter=delimiter, lineterminator="").writerow(values)
    return line.getvalue()


def _table_text(out: Writer, rows: Sequence[ValueRow], rng: random.Random) -> None:
    if rng.random() < 0.4:
        out.put("| | |\n|---|---|\n")
        for label, value, kind in rows[0]:
            out.put(f"| **{label}** | ")
            out.put(value, kind)
            out.put(" |\n")
        return
    out.put("| " + " | ".join(label for label, _, _ in rows[0]) + " |\n" + "|---" * len(rows[0]) + "|\n")
    for row in rows:
        for _, value, kind in row:
            out.put("| ")
            out.put(value, kind)
            out.put(" ")
        out.put("|\n")


def _code_text(out: Writer, rows: Sequence[ValueRow], rng: random.Random) -> None:
    style = rng.choice(["assignment", "dict", "call", "fixture", "script", "environment"])
    fields = [(identifier(label, "snake"), identifier(label, "camel"), *rest) for label, *rest in rows[0]]
    frames: dict[str, tuple[str, Callable[[str, str], tuple[str, str]], str]] = {
        "assignment": ("", lambda snake, camel: (f'{snake} = "', '"\n'), ""),
        "dict": ("record = {\n", lambda snake, camel: (f"    '{snake}': '", "',\n"), "}\n"),
        "call": ("add_person(", lambda snake, camel: (f'{snake}="', '", '), "active=True)\n"),
        "fixture": ("def test_record(record):\n", lambda snake, camel: (f'    assert record.{snake} == "', '"\n'), ""),
        "script": ("", lambda snake, camel: (f"const {camel} = '", "';\n"), ""),
        "environment": ("# .env\n", lambda snake, camel: (f"{snake.upper()}=", "\n"), ""),
    }
    head, frame, tail = frames[style]
    out.put(head)
    for snake, camel, value, kind in fields:
        before, after = frame(snake, camel)
        out.put(before)
        out.put(value, kind)
        out.put(after)
    out.put(tail)


FORMS: dict[str, Callable[[Writer, Sequence[ValueRow], random.Random], None]] = {
    "form": _form_text,
    "JSON": _json_text,
    "YAML": _yaml_text,
    "CSV": _csv_text,
    "Markdown table": _table_text,
    "code": _code_text,
}
"""Ways to write down fields, with labels for words."""


def _fields(values: Values, label: str, kind: str, people: int) -> tuple[ValueRow, ...]:
    first = _items(values.module.LABELS["PERSON"])[0]
    rows = []
    for _ in range(people):
        own = (label, _bare(values.of(kind, label)), kind)
        row = (own,) if kind == "PERSON" else ((first, values.name(), "PERSON"), own)
        rows.append((*row, ("id", str(values.rng.randrange(10, 99)), "")))
    return tuple(rows)


def _prose_examples(language: str, wanted: str, seed: int, draws: int) -> Iterator[Example]:
    module = LANGUAGES[language]
    for sort, table in module.PROSE.items():
        kind = sort.partition(":")[0]
        for line in _lines(table):
            if half(language, sort, line.replace("{a}", "")) != wanted:
                continue
            first = line.startswith("^")
            asked, _, answer = line.lstrip("^ ").rpartition(" || ")
            for draw in range(draws):
                values = Values(language, random.Random(f"{seed}|{language}|{sort}|{line}|{draw}"))
                value, name = values.of(sort, answer), values.name()
                text, gold = fill(answer, kind, value, name, language)
                form = "question" if asked else "value first" if first else "prose"
                yield Example(language, kind, form, asked.replace("{n}", name), text, gold)
    for line in _lines(module.HARMLESS):
        if half(language, NOTHING, line) == wanted:
            yield Example(language, NOTHING, "prose", "", line, ())


def _form_examples(language: str, wanted: str, seed: int) -> Iterator[Example]:
    labels: dict[str, str] = LANGUAGES[language].LABELS
    for kind, names in labels.items():
        for label in _items(names):
            if half(language, kind, label) != wanted:
                continue
            for form, render in FORMS.items():
                values = Values(language, random.Random(f"{seed}|{language}|{kind}|{label}|{form}"))
                out = Writer()
                render(out, _fields(values, label, kind, 3), values.rng)
                gold = tuple(sorted(out.gold, key=lambda g: g.kind != kind))
                yield Example(language, kind, form, "", out.text, gold)


def examples(
    wanted: str, seed: int = 0, draws: int = 3, languages: Sequence[str] = tuple(LANGUAGES)
) -> Iterator[Example]:
    """All texts of one half, `draws` values for a wording of prose and one for a field in each form."""
    for language in languages:
        yield from _prose_examples(language, wanted, seed, draws)
        yield from _form_examples(language, wanted, seed)


def dev_rows(seed: int = 0) -> Iterator[dict[str, Any]]:
    """Yields the half that may be shown as rows of a JSONL file.

    `others` lists further values in the text: kind, start, end.
    """
    for example in examples("dev", seed):
        start, end = example.gold[0][1:] if example.gold else (0, 0)
        yield {
            "language": example.language, "kind": example.kind, "form": example.form, "question": example.question,
            "text": example.text, "start": start, "end": end, "others": [list(g) for g in example.gold[1:]],
        }  # fmt: skip


def main(argv: Sequence[str] | None = None) -> None:
    """Writes the half `dev` as JSONL."""
    path = Path((argv or sys.argv[1:])[0])
    lines = [json.dumps(row, ensure_ascii=False) for row in dev_rows()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{path}: {len(lines)} texts")


if __name__ == "__main__":
    main()
