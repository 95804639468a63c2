"""The readers of disguises that read a candidate of their own, by family, and all readings of a complete text."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from reticent_detectors.finder.disguises import defanged, encodings, spaced_characters, spelled_out
from reticent_detectors.finder.disguises.candidate import REGION_CHARS, region
from reticent_detectors.finder.disguises.escapes import whole_end
from reticent_detectors.finder.disguises.reading import Reading, all_readings, read_plain
from reticent_detectors.finder.engine.recognizers import NONE

PREFIX = "disguised:"
REVERSED = f"{PREFIX}reversed"
CHARACTERS = f"{PREFIX}characters"
READERS: dict[str, Callable[[str, int, bool], list[Reading] | int]] = {
    "chain": defanged.chain_readings,
    "spaced": spaced_characters.spaced_readings,
    "words": spelled_out.word_readings,
    "base64": encodings.base64_readings,
    "hex": encodings.hex_readings,
}


def whole_readings(text: str, p: int) -> Iterator[Reading]:
    """Gives the readings of text[p:], which is complete."""
    end = region(text, p, True)
    if end > NONE:
        first = read_plain(text, p, whole_end(text, p, end))
        yield from all_readings(text, p, first)
    yield from spelled_out.begun(text, p)
    for read in READERS.values():
        found = read(text, p, True)
        yield from () if isinstance(found, int) else found


def says_nothing(text: str, p: int, end: int) -> bool:
    """Whether text[p:end] is base64 or hex of ordinary words: no key, however random it looks."""
    for read in (encodings.base64_readings, encodings.hex_readings):
        start = encodings.run_start(text, p) if read is encodings.base64_readings else p
        found = read(text[start : start + REGION_CHARS], 0, True)
        if not isinstance(found, int) and found and start + found[0].ends[-1] >= end:
            return encodings.is_prose(found[0].plain)
    return False
