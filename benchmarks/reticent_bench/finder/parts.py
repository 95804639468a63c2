"""The parts of the finder that it could do without, and what answers in the place of each.

A part is left out from the outside: the functions through which all else reaches it answer that there is nothing. What
all parts stand on is none: the scan, labels, the reading of plain text, the search for recorded values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from pkgutil import resolve_name
from typing import Any
from unittest.mock import patch

import reticent_detectors.finder
from reticent_detectors.finder.coded_text import CodedText
from reticent_detectors.finder.disguises.families import READERS as FAMILIES
from reticent_detectors.finder.forms import Asked
from reticent_detectors.finder.forms.checks import CHECKS
from reticent_detectors.finder.forms.readers import READERS
from reticent_detectors.finder.loose_text import LooseText
from reticent_detectors.finder.match_ends import NONE
from reticent_detectors.finder.number_text import NumberText
from reticent_detectors.finder.plain_text import PlainText
from reticent_detectors.finder.tagger import TagValue

FOLDER = Path(reticent_detectors.finder.__file__).parent
_PACKAGE = "reticent_detectors.finder"
_READERS = ("forms.kinds.READERS", "forms.value_reader.READERS")
_CHECKS = ("forms.kinds.CHECKS",)
_FAMILIES = ("disguises.disguises.READERS", "disguises.families.READERS")
Answer = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Part:
    """A part and what answers in its place.

    Attributes:
        name: in the report.
        files: of the finder's folder, those whose lines it has; a folder stands for all of its files.
        put: by name within the finder's package, what answers in the place of a function.
        readers: of values with a form, those that find nothing.
        families: of disguises, those that read nothing.
        checks: whether every check is passed.
    """

    name: str
    files: tuple[str, ...]
    put: Mapping[str, Answer] = field(default_factory=dict, repr=False)
    readers: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    checks: bool = False

    @property
    def lines(self) -> int:
        """How many lines of Python it has."""
        named = [FOLDER / file for file in self.files]
        return _lines(file for each in named for file in ([each] if each.suffix else each.glob("*.py")))


def finder_lines() -> int:
    """Count the lines of Python of the whole finder."""
    return _lines(FOLDER.rglob("*.py"))


def _lines(files: Iterable[Path]) -> int:
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)


def _always(answer: Any) -> Answer:
    return lambda *_, **__: answer


def _unread(sort: type[PlainText]) -> Answer:
    """Read a text of this sort as it stands."""

    def read(reading: PlainText, source: str, closed: bool) -> PlainText:
        reading = PlainText() if isinstance(reading, sort) else reading
        if closed:
            return reading.closed(source)
        reading.read(source)
        return reading

    return read


@contextmanager
def left_out(part: Part) -> Iterator[None]:
    """Leave a part out of what finds values, for as long as the context lasts. A finder is made within."""
    with _answering([part], lambda part, own, other: other):
        yield


@contextmanager
def watched(parts: Sequence[Part], note: Callable[[Part], None]) -> Iterator[None]:
    """Tell of each part that it answered otherwise than what would answer in its place: only then does it matter."""

    def watch(part: Part, own: Answer, other: Answer) -> Answer:
        def answer(*given: Any, **named: Any) -> Any:
            try:
                said = own(*given, **named)
            except Exception:
                note(part)
                raise
            if said != other(*given, **named):
                note(part)
            return said

        return answer

    with _answering(parts, watch):
        yield


@contextmanager
def _answering(parts: Sequence[Part], made: Callable[[Part, Answer, Answer], Answer]) -> Iterator[None]:
    """Put in the place of each function what `made` gives for the part, the function, and what answers without it."""
    families, readers, checks = dict(FAMILIES), dict(READERS), dict(CHECKS)
    with ExitStack() as stack:
        for part in parts:
            for target, other in part.put.items():
                own = attrgetter(".".join(_split(target)[1]))(resolve_name(_split(target)[0]))
                stack.enter_context(patch(f"{_PACKAGE}.{target}", made(part, own, other)))
            for name in part.families:
                families[name] = made(part, families[name], _always([]))
            for name in part.readers:
                readers[name] = readers[name]._replace(read=made(part, readers[name].read, _always(NONE)))
            for name in CHECKS if part.checks else ():
                checks[name] = made(part, checks[name], _always(True))
        for targets, table in ((_FAMILIES, families), (_READERS, readers), (_CHECKS, checks)):
            for target in targets:
                stack.enter_context(patch(f"{_PACKAGE}.{target}", table))
        yield


def _split(target: str) -> tuple[str, list[str]]:
    """Part the module of a name within the package from what stands in the module."""
    words = target.split(".")
    first = next(at for at in range(len(words), 0, -1) if (FOLDER.joinpath(*words[:at]).with_suffix(".py")).exists())
    return ".".join([_PACKAGE, *words[:first]]), words[first:]


PARTS = (
    Part("forms: streets", ("forms/streets.py", "forms/street_parts.py"), readers=("street", "address_line")),
    Part("forms: phones", ("forms/phones.py",), readers=("phone", "phone_named")),
    Part("forms: network", ("forms/network.py",), readers=("ipv4", "ipv4_named", "ipv6", "mac", "mail", "web")),
    Part("forms: money", ("forms/money.py",), readers=("bare_amount", "money", "money_for_supply", "money_paid")),
    Part("forms: money for supplies", (), readers=("money_for_supply",)),
    Part("forms: bare amounts", (), readers=("bare_amount",)),
    Part(
        "forms: dates",
        ("forms/dates.py",),
        readers=("born_after", "date", "day_and_time", "moment", "trip"),
    ),
    Part("forms: trips", (), readers=("trip",)),
    Part("forms: days and times", (), readers=("day_and_time",)),
    Part(
        "forms: numbers",
        ("forms/numbers.py",),
        readers=("coordinates", "coordinates_named", "iban", "last_digits", "life_dates"),
    ),
    Part("forms: dates of lives", (), readers=("life_dates",)),
    Part("forms: secrets", ("forms/secrets.py",), readers=("password", "token", "username")),
    Part("forms: keys", ("forms/keys.py",), readers=("key_block", "key_run", "seed_phrase")),
    Part("forms: seed phrases", (), readers=("seed_phrase",)),
    Part("forms: checks", ("forms/checks.py",), checks=True),
    Part("forms: asked", ("forms/asked.py",), {"answer_window.asked_kinds": _always(Asked())}),
    Part("forms: tables", ("forms/tables.py",), {"forms.tables.Tables.column": _always(None)}),
    Part("forms: commands", ("forms/commands.py",), {"forms.commands.called": _always(None)}),
    Part("forms: labels after", ("forms/labels_after.py",), {"forms.value_reader.named_after": _always(None)}),
    Part("forms: cut short", ("forms/cut_short.py",), {"forms.cut_short.begun": _always("")}),
    Part("forms: worded", ("forms/worded.py",), {"forms.worded.Worded.before": _always(frozenset())}),
    Part(
        "fields",
        ("fields",),
        {"fields.field_by_name.FieldByName.at": _always(NONE)},
    ),
    Part("tagger", ("tagger",), {"answer_window.AnswerWindow.tagged": _always(TagValue("", NONE))}),
    Part("tagger: questions", ("tagger/questions.py",), {"answer_window.asking_sentences": _always(())}),
    Part("tagger: names", ("tagger/names.py",), {"finder.name_end": lambda text, end, closed: end}),
    Part(
        "tagger: likely",
        ("tagger/likely.py",),
        {
            "finder.is_piece": _always(False),
            "finder.may_be_name": _always(True),
            "finder.may_be": _always(True),
            "finder.is_told": _always(True),
        },
    ),
    Part("touching", ("touching.py",), {"recognizer_matches.touching_number": _always(NONE)}),
    Part(
        "disguises",
        ("disguises",),
        {
            "disguises.disguises.Disguised.found": _always(NONE),
            "disguises.disguises.Disguised.could_be_cut_value": _always(False),
            "recognizer_matches.says_nothing": _always(False),
        },
    ),
    Part(
        "disguises: characters",
        ("disguises/plain_characters.py", "disguises/escapes.py"),
        {"disguises.disguises.Disguised._characters": _always(None)},
    ),
    Part("disguises: spaced", ("disguises/spaced_characters.py",), families=("spaced",)),
    Part(
        "disguises: words",
        ("disguises/spelled_out.py", "disguises/spelled_parts.py", "disguises/spelled_mailbox.py"),
        families=("words",),
    ),
    Part(
        "disguises: spelled mailboxes",
        ("disguises/spelled_mailbox.py",),
        {"disguises.spelled_out.is_mailbox": _always(False)},
    ),
    Part("disguises: defanged", ("disguises/defanged.py",), families=("chain",)),
    Part("disguises: base64 and hex", (), families=("base64", "hex")),
    Part("disguises: reversed and ROT13", (), {"disguises.disguises.Disguised._turned": _always(None)}),
    Part(
        "disguises: encodings",
        ("disguises/encodings.py",),
        {"disguises.disguises.Disguised._turned": _always(None)},
        families=("base64", "hex"),
    ),
    Part("disguises: JSON cells", ("disguises/json_cells.py",), {"disguises.json_cells.may_be_cells": _always(False)}),
    Part(
        "disguises: ordinary words",
        ("disguises/ordinary_words.py",),
        {"disguises.disguises.is_ordinary": _always(False)},
    ),
    Part(
        "names",
        ("names",),
        {"names.names.Names.at": _always(NONE), "names.lowercase_names.LowercaseNames.at": _always(NONE)},
    ),
    Part(
        "names: in small letters",
        ("names/lowercase_names.py",),
        {"names.lowercase_names.LowercaseNames.at": _always(NONE)},
    ),
    Part("names: headed", ("names/headed_names.py",), {"names.names.named_by_head": _always(None)}),
    Part("names: listed", ("names/listed_names.py",), {"names.names.named_by_list": _always(None)}),
    Part("records: codes", ("coded_text.py",), {"recorded_scan._read": _unread(CodedText)}),
    Part("records: loose text", ("loose_text.py",), {"recorded_scan._read": _unread(LooseText)}),
    Part("records: numbers", ("number_text.py",), {"recorded_scan._read": _unread(NumberText)}),
    Part("records: written days", ("written_days.py",), {"recorded_words.day_at": _always((frozenset(), NONE))}),
)
"""All parts; one within another has no lines of its own where it has no file."""
