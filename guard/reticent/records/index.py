"""Looks values up in the operator's training records, of which it holds keyed hashes alone.

    index = RecordsIndex.build([("PHONE_NUMBER", "555-010-0100")], key=key)
    index.save("records.index")
    RecordsIndex.load("records.index", key=key).contains("+1 (555) 010-0100", "PHONE_NUMBER")    # True

A lookup finds a record's value, exactly or lightly re-spelled, whichever person it is said of. `spellings` has the
rules. Entities of one family are looked up together: phone, account, order and card numbers; amounts and bills;
doctors, hospitals and employers; diagnoses and prescriptions.

The file holds, for each form of each value, 63 bits of keyed BLAKE2b, sorted over all entities. One more bit says
whether the form is a value or a part of one. The file also counts the values of each entity and the words of values.
Without the key it says no more.

**Whoever has both index and key can try values out.** Of phone numbers, names and addresses they can try what they can
think of. Of amounts, dates, four digits or diagnoses they can try all, within minutes. Keep the key apart.

A hit says that a record holds the value, not that the model said it from memory. Kinds with few possible values (see
`EntityInfo.long`) are hit by accident, and more often with more records. Chance collisions of hashes are negligible:
with 10 million forms, one lookup in 10^12.

Not covered: what `spellings` does not cover; entities of the operator's own recognisers; removing single values (build
the index anew).
"""

from __future__ import annotations

import hashlib
import json
import secrets
import struct
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent.key_files import checked_key, key_file_of, read_key, replace_file
from reticent.policy.checked_settings import nearest
from reticent.records.anywhere import (
    BEGINNING,
    DAY,
    DIGITS,
    FIRST_WORDS,
    GROUP,
    GROUP_PAIR,
    GROUPS,
    LETTERS,
    LETTERS_BEGINNING,
    MAIL,
    MAIL_DOMAIN,
    MAIL_LOCAL,
    NAMELESS,
    RUN,
    RUN_BEGINNING,
    SORTS,
    WORDS,
    anywhere_forms,
)
from reticent.records.spelling_words import NO_VALUE
from reticent.records.spellings import LEAST_WORDS, SPELLING_VERSION, forms, joined, windows, worth
from reticent.records.transliteration import readings
from reticent.records.word_forms import places_words
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError
from reticent_detectors.features.cue import normalize

__all__ = ["KEY_BYTES", "RecordsIndex"]

KEY_BYTES = 32

_MAGIC = b"reticent-records"
_VERSION = 4
_HEAD = struct.Struct("<16sII")  # magic, version, size of the header in bytes
_SUM_BYTES = 32
_RECORDS = frozenset({".csv", ".tsv", ".jsonl", ".ndjson", ".json"})
_SURELY_WORTH = 12  # characters of a form, its kind included, from which `worth` holds


class RecordsIndex:
    """Says whether a value is in the training records, and holds keyed hashes alone. Make it by `build` or `load`.

    It never changes. Memory and file take 8 bytes for each form. A value has from 1 form (amount, e-mail) to 10
    (address). The time of a lookup grows with the value's length. Each of its forms takes some 20 comparisons.

    A hit says that a record holds the value, not that the model said it from memory. Dates and amounts have few
    possible values, so made-up ones are hit by accident. Whoever has both index and key can try values out.
    """

    def __init__(
        self,
        digests: NDArray[np.uint64],
        key: bytes,
        counts: Mapping[str, int],
        skipped: Mapping[str, int],
        lengths: Mapping[str, int],
    ) -> None:
        digests.flags.writeable = False
        self._digests = digests
        self._sorted = digests.data
        self._key = key
        self._hash = _keyed(key, b"form", 8)
        self._counts, self._skipped, self._lengths = map(MappingProxyType, (dict(counts), dict(skipped), dict(lengths)))

    @classmethod
    def build(cls, values: Iterable[tuple[str, str]], *, key: bytes | None = None) -> RecordsIndex:
        """Makes an index of (entity, value) pairs.

        Args:
            values: is read once, so it may be a generator. Repeated values count once. Values of fewer than three
                letters and digits ("$5") and words for none ("unknown") are left out, and counted in `skipped`.
            key: 16 to 64 random bytes. None draws a new key, which the attribute `key` then gives.

        Raises:
            InputError: an entity is unknown, or the key has another length.
        """
        key = secrets.token_bytes(KEY_BYTES) if key is None else checked_key(key)
        index = cls(np.empty(0, np.uint64), key, {}, {}, {})
        found = array("Q")
        firsts: dict[str, array[int]] = {}
        skipped: dict[str, int] = {}
        lengths = dict.fromkeys((*LEAST_WORDS, *SORTS), 0)
        for entity, value in values:
            entity = str(entity)
            if entity not in firsts:
                if entity not in Entity.__members__:
                    raise InputError(f"Unknown entity {entity!r} in records.{nearest(entity, list(Entity))}")
                firsts[entity], skipped[entity] = array("Q"), 0
            form = normalize(readings(value)[0], entity)
            if not worth(form) or form in NO_VALUE:
                skipped[entity] += 1
                continue
            firsts[entity].append(index._digest(f"{entity}:{form}"))
            for sort, text, size in anywhere_forms(value, entity):
                found.append(index._digest(f"{sort}:{text}"))
                if sort not in NAMELESS:
                    found.append(index._digest(f"{sort}:{entity}:{text}"))
                lengths[sort] |= 1 << size
            spelled = forms(value, entity, is_query=False)
            for form in spelled.whole_forms:
                kind, _, text = form.partition(":")
                if worth(text):
                    found.append(index._digest(form))
                    if kind in lengths:
                        lengths[kind] |= 1 << min(text.count(" ") + 1, 63)
            found.extend(
                index._digest(part) | 1 for part in spelled.parts - spelled.whole_forms if worth(part.partition(":")[2])
            )
        counts = {entity: len(_different(own)) for entity, own in sorted(firsts.items())}
        return cls(_different(found), key, counts, skipped, lengths)

    @classmethod
    def of_forms(
        cls, forms: bytes, counts: Mapping[str, int], lengths: Mapping[str, int], *, key: bytes
    ) -> RecordsIndex:
        """Make an index of the forms of others that were built with the same key.

        Args:
            forms: what `forms` returned, of one index after another.
            counts: the values of each entity.
            lengths: `lengths` of all of them, joined by a bitwise or.
            key: the key of all of them.
        """
        return cls(_different(np.frombuffer(forms, "<u8")), key, counts, {}, lengths)

    @property
    def forms(self) -> bytes:
        """Return the keyed hashes, 8 bytes each, little-endian, in ascending order."""
        return self._digests.astype("<u8", copy=False).tobytes()

    @property
    def lengths(self) -> Mapping[str, int]:
        """Return the sizes of the values by the sort of their forms, with a bit for each size."""
        return self._lengths

    def contains(self, value: str, entity: str) -> bool:
        """Says whether a record holds `value`, exactly or lightly re-spelled, under `entity` or one of its family."""
        spelled, holds = forms(value, entity, is_query=True), self._holds
        return (
            any(holds(form, 1) for form in spelled.whole_forms)
            or any(holds(form, 0) for form in spelled.parts - spelled.whole_forms)
            or any(
                holds(joined(kind, window), 0)
                for kind, words in spelled.words
                for window in windows(kind, words)
                if self._lengths.get(kind, 0) >> min(len(window), 63) & 1
            )
        )

    # What a finder asks that looks for recorded values wherever they stand (`reticent_detectors.finder.recorded`)

    @property
    def digit_counts(self) -> tuple[int, ...]:
        """Gives how many digits the recorded numbers have, in ascending order."""
        return _bits(self._lengths.get(DIGITS, 0))

    @property
    def run_sizes(self) -> tuple[int, ...]:
        """Gives the sizes of recorded values of letters and digits, in characters, in ascending order."""
        return _bits(self._lengths.get(RUN, 0))

    @property
    def has_mail(self) -> bool:
        """Says whether an e-mail address is recorded."""
        return bool(self._lengths.get(MAIL_DOMAIN))

    @property
    def word_counts(self) -> tuple[int, ...]:
        """Gives how many words recorded values have that count wherever they stand, in ascending order."""
        return _bits(self._lengths.get(WORDS, 0))

    @property
    def letter_sizes(self) -> tuple[int, ...]:
        """Return how many letters and digits recorded values of words have, in ascending order."""
        return _bits(self._lengths.get(LETTERS, 0))

    @property
    def group_counts(self) -> tuple[int, ...]:
        """Gives into how many different groups of digits recorded numbers fall, in ascending order."""
        return _bits(self._lengths.get(GROUPS, 0))

    @property
    def has_dates(self) -> bool:
        """Says whether any day is recorded."""
        return bool(self._lengths.get(DAY))

    def may_begin(self, beginning: str) -> bool:
        """Says whether a recorded number or run begins with these letters and digits, `BEGINNING_CHARS` of them."""
        return self._holds(f"{BEGINNING}:{beginning.casefold()}", 0)

    def run_begins(self, beginning: str) -> bool:
        """Tell whether a recorded run begins with these letters and digits, `LEAST_BEGINNING` of them or more."""
        return self._holds(f"{RUN_BEGINNING}:{beginning}", 0)

    def letters_begin(self, beginning: str) -> bool:
        """Tell whether a recorded value of words begins with these letters and digits, `BEGINNING_CHARS` of them."""
        return self._holds(f"{LETTERS_BEGINNING}:{beginning}", 0)

    def kind_of_letters(self, letters: str) -> str | None:
        """Return the kind of a recorded value of words that has these letters and digits, without blanks between."""
        return self._kind(LETTERS, letters)

    def kind_of_digits(self, digits: str) -> str | None:
        """Gives the kind of a recorded number that has these digits in this order."""
        return self._kind(DIGITS, digits)

    def kind_of_run(self, run: str) -> str | None:
        """Gives the kind of a recorded value that has these letters and digits, in capitals or not."""
        return self._kind(RUN, run.casefold())

    def kind_of_mail(self, address: str) -> str | None:
        """Gives the kind of a recorded e-mail address."""
        return self._kind(MAIL, address.casefold())

    def has_mail_domain(self, domain: str) -> bool:
        """Says whether a recorded e-mail address has this domain."""
        return self._holds(f"{MAIL_DOMAIN}:{domain.casefold()}", 0)

    def has_mail_local(self, local: str) -> bool:
        """Says whether a recorded e-mail address has this before its @, and it is no word of letters alone."""
        return self._holds(f"{MAIL_LOCAL}:{local.casefold()}", 0)

    def words_begin(self, words: tuple[str, ...]) -> bool:
        """Says whether a recorded value begins with these words."""
        return self._holds(f"{FIRST_WORDS}:{places_words(words)}", 0)

    def kind_of_words(self, words: tuple[str, ...]) -> str | None:
        """Gives the kind of a recorded value of these words."""
        return self._kind(WORDS, places_words(words))

    def kind_of_day(self, day: str) -> str | None:
        """Gives the kind of a recorded day, asked as yyyymmdd."""
        return self._kind(DAY, day)

    def has_group(self, group: str) -> bool:
        """Says whether a recorded number has this group of digits."""
        return self._holds(f"{GROUP}:{group}", 0)

    def has_groups(self, one: str, other: str) -> bool:
        """Says whether one recorded number has both groups of digits."""
        return self._holds(f"{GROUP_PAIR}:{min(one, other)} {max(one, other)}", 0)

    def kind_of_groups(self, groups: tuple[str, ...]) -> str | None:
        """Gives the kind of a recorded number that falls into these different groups, in whatever order."""
        return self._kind(GROUPS, " ".join(sorted(groups)))

    def _kind(self, sort: str, text: str) -> str | None:
        if not self._holds(f"{sort}:{text}", 0):
            return None
        return next((entity for entity in self._counts if self._holds(f"{sort}:{entity}:{text}", 0)), None)

    def __len__(self) -> int:
        """Counts the different values, summed over the entities."""
        return sum(self._counts.values())

    def __repr__(self) -> str:
        return f"RecordsIndex({len(self)} values of {len(self._counts)} entities, {len(self._digests)} forms)"

    def __reduce__(self) -> Any:
        raise TypeError("A RecordsIndex holds its key and is not pickled; save() it and keep the key apart.")

    @property
    def counts(self) -> Mapping[str, int]:
        """Counts the different values of each entity."""
        return self._counts

    @property
    def skipped(self) -> Mapping[str, int]:
        """Counts the values of each entity that were left out."""
        return self._skipped

    @property
    def form_count(self) -> int:
        """Counts the entries, of 8 bytes each."""
        return len(self._digests)

    @property
    def key(self) -> bytes:
        """Gives the key that the index was built or loaded with. Keep it apart from the file."""
        return self._key

    @property
    def digest(self) -> str:
        """Gives 32 hexadecimal digits that identify what it holds, under its key: without that nothing can be tried."""
        state = _keyed(self._key, b"digest", 16)
        state.update(json.dumps([dict(self._counts), dict(self._lengths)], sort_keys=True).encode())
        state.update(self._digests.astype("<u8", copy=False).data.cast("B"))
        return state.hexdigest()

    @property
    def parts(self) -> tuple[NDArray[np.uint64], bytes, Mapping[str, int], Mapping[str, int], Mapping[str, int]]:
        """Gives what `RecordsIndex(*parts)` makes the same index of. The key is among it: keep all as you keep it."""
        return self._digests, self._key, dict(self._counts), dict(self._skipped), dict(self._lengths)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the index without its key. An interrupted write leaves the former file as it was."""
        header = json.dumps(
            {
                "spelling": SPELLING_VERSION,
                "key_check": _keyed(self._key, b"check", 16).hexdigest(),
                "forms": len(self._digests),
                "counts": dict(self._counts),
                "skipped": dict(self._skipped),
                "lengths": dict(self._lengths),
            }
        ).encode()
        header += b" " * (-(_HEAD.size + len(header)) % 8)
        head = _HEAD.pack(_MAGIC, _VERSION, len(header)) + header
        body = self._digests.astype("<u8", copy=False).data.cast("B")
        replace_file(Path(path), head, body, _sum(self._key, head, body))

    @classmethod
    def load(cls, path: str | PathLike[str], *, key: bytes) -> RecordsIndex:
        """Reads an index from a file.

        Args:
            path: a file that `save` or `reticent index` wrote.
            key: the key that the index was made with.

        Raises:
            InputError: the file is missing, is no index, has another version, or was cut short or edited; or the key
                belongs to another index.
        """
        name, key = str(Path(path)), checked_key(key)
        try:
            content = Path(path).read_bytes()
        except OSError as error:
            raise InputError(
                f"Cannot read a records index from {name!r} ({error.strerror}); make one with 'reticent index'."
            ) from None
        damaged = f"The records index {name!r} is cut short or was edited; make it anew with 'reticent index'."
        if not content.startswith(_MAGIC):
            raise InputError(f"{name!r} is no records index; expected a file made by 'reticent index'.")
        if len(content) < _HEAD.size + _SUM_BYTES:
            raise InputError(damaged)
        _, version, header_bytes = _HEAD.unpack_from(content)
        try:
            header = json.loads(content[_HEAD.size : _HEAD.size + header_bytes])
            made_by = (version, header["spelling"])
        except (ValueError, TypeError, KeyError):
            raise InputError(damaged) from None
        if made_by != (_VERSION, SPELLING_VERSION):
            raise InputError(
                f"The records index {name!r} has version {made_by}, expected {(_VERSION, SPELLING_VERSION)}: "
                "this release spells values otherwise and would miss some. Make it anew with 'reticent index'."
            )
        if header.get("key_check") != _keyed(key, b"check", 16).hexdigest():
            raise InputError(
                f"The key does not belong to the records index {name!r}; give the key file that 'reticent index' wrote "
                "with it, or make the index anew."
            )
        if not secrets.compare_digest(_sum(key, memoryview(content)[:-_SUM_BYTES]), content[-_SUM_BYTES:]):
            raise InputError(damaged)
        digests = np.frombuffer(content, "<u8", header["forms"], _HEAD.size + header_bytes).astype(
            np.uint64, copy=False
        )
        return cls(digests, key, header["counts"], header["skipped"], header["lengths"])

    @classmethod
    def open(cls, path: str | PathLike[str], key_file: str | PathLike[str] | None = None) -> RecordsIndex:
        """Reads an index and its key from files.

        Args:
            path: a file that `reticent index` wrote.
            key_file: the file of its key. None: the index's name with `.key`, as `reticent index` calls it.

        Raises:
            InputError: as `load`; or there is no key, or the file holds records that are not indexed yet.
        """
        path = Path(path)
        if path.suffix.casefold() in _RECORDS:
            raise InputError(f"{str(path)!r} holds records, not an index of them. Make one: reticent index {path}")
        if not path.exists():
            return cls.load(path, key=bytes(KEY_BYTES))  # which says so
        key_path = key_file_of(path, key_file)
        if key_file is None and not key_path.exists():
            raise InputError(
                f"There is no key {str(key_path)!r} beside the records index; give the file of its key "
                "(--records-key-file, or records.key_file in settings)."
            )
        return cls.load(path, key=read_key(key_path))

    def _digest(self, form: str) -> int:
        """Hashes a form to 63 bits. The lowest bit is 0; whoever stores a part of a value sets it to 1."""
        state = self._hash.copy()
        state.update(form.encode("utf-8", "surrogatepass"))
        return int.from_bytes(state.digest(), "little") & ~1

    def _holds(self, form: str, parts: int) -> bool:
        """Says whether a record has the form as a value or, if `parts` is 1, as a part of one."""
        if len(form) < _SURELY_WORTH and not worth(form.partition(":")[2]):
            return False
        digest = self._digest(form)
        at = bisect_left(self._sorted, digest)
        return at < len(self._sorted) and self._sorted[at] <= digest + parts


def _keyed(key: bytes, purpose: bytes, size: int) -> hashlib.blake2b:
    return hashlib.blake2b(key=key, digest_size=size, person=b"records-" + purpose)


def _sum(key: bytes, *pieces: bytes | memoryview) -> bytes:
    state = _keyed(key, b"sum", _SUM_BYTES)
    for piece in pieces:
        state.update(piece)
    return state.digest()


def _bits(sizes: int) -> tuple[int, ...]:
    return tuple(size for size in range(sizes.bit_length()) if sizes >> size & 1)


def _different(values: array[int] | NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Sorts numbers and keeps each once. It takes less memory than `np.unique`."""
    numbers = np.array(values, np.uint64)
    numbers.sort()
    new = np.ones(len(numbers), np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=new[1:])
    return numbers[new]
