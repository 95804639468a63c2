"""The plain value that a disguised span holds."""

from __future__ import annotations

from reticent_detectors.finder.disguises import encodings
from reticent_detectors.finder.disguises.candidate import region
from reticent_detectors.finder.disguises.families import PREFIX, READERS
from reticent_detectors.finder.disguises.reading import all_readings, read_plain
from reticent_detectors.finder.engine.recognizers import NONE
from reticent_detectors.finder.plain_text import plain_form_of


def plain_form(name: str, text: str) -> str | None:
    """Gives the plain value that a span of a disguised recogniser holds.

    None if `name` is no such recogniser's, or nothing is read.
    A piece of base64 or hex may hold more than the value. Spelled digits come without their groups.

    Args:
        name: of the span's recogniser, `disguised:<family>`.
        text: the span's text as it stands.
    """
    if not name.startswith(PREFIX) or not text:
        return None
    text = plain_form_of(text)
    family = name.removeprefix(PREFIX)
    read = READERS.get(family)
    if read is not None:
        found = read(text, 0, True)
        return None if isinstance(found, int) or not found else found[0].plain
    end = region(text, 0, True)
    if end <= NONE:
        return text if family == "characters" else None
    first = read_plain(text, 0, end)
    if family == "reversed":
        return first.plain[::-1]
    if family == "rot13":
        turned = encodings.rot13_readings(first)
        return turned[0].plain if turned else None
    found = all_readings(text, 0, first, literal="://" in first.plain)
    if family != "characters":
        return None
    if not found:
        return text
    # A letter that stands for a digit is one in numbers only.
    return found[0].plain if "@" in first.plain else max((r.plain for r in found), key=_digits)


def _digits(plain: str) -> int:
    return sum(char.isdigit() for char in plain)
