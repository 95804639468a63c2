"""One entry of a suppression store: a value or a person's name as keyed hashes, with its dates and its legal reference.

A **value** is stopped wherever an answer says it. A **subject** is a name: where the question or the answer has it,
every personal value is stopped. Both are kept as the forms of a records index (`records.index`), so they hold in all
spellings that records do.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from reticent.policy.policy_digest import value_digest
from reticent.records.anywhere import DAY, DIGITS, LETTERS, MAIL, RUN, WORDS
from reticent.records.index import RecordsIndex
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError

_ID_BYTES = 6
_MOST_REFERENCE_CHARS = 200
_ANYWHERE = (DIGITS, RUN, MAIL, WORDS, LETTERS, DAY)
"""Sorts of forms that are found wherever they stand."""


class EntryKind(StrEnum):
    """Says what an entry suppresses.

    Attributes:
        VALUE: one value, whoever it is said of.
        SUBJECT: every personal value where a person is named.
    """

    VALUE = "value"
    SUBJECT = "subject"


@dataclass(frozen=True, slots=True)
class Entry:
    """Holds one suppression. Nothing in it is a value.

    Attributes:
        id: names the entry, 12 hexadecimal digits.
        kind: what it suppresses.
        entity: the kind of the value; `PERSON` for a subject.
        digest: keyed hash of the normal form, 32 hexadecimal digits.
        reference: the legal reference, in the operator's words.
        created: when it was added, UTC.
        expires: from when on it suppresses nothing, UTC. None: until it is removed.
        lengths: sizes of the value, as `RecordsIndex.lengths`, without those that are 0.
        forms: keyed hashes of all spellings, as `RecordsIndex.forms`.
    """

    id: str
    kind: EntryKind
    entity: str
    digest: str
    reference: str
    created: datetime
    expires: datetime | None
    lengths: Mapping[str, int] = field(repr=False)
    forms: bytes = field(repr=False)

    @classmethod
    def of(
        cls,
        kind: EntryKind,
        entity: str,
        value: str,
        key: bytes,
        reference: str,
        now: datetime,
        expires: datetime | None,
    ) -> Entry:
        """Make an entry of a value or a name, of which it keeps keyed hashes alone.

        Raises:
            InputError: the value has too little in it to be recognised, or the name could be anybody's.
        """
        index = RecordsIndex.build([(entity, value)], key=key)
        if not index.form_count:
            raise InputError(
                f"a {entity} is too short, or a word for none ('unknown'). Expected three letters or digits at least; "
                "leave it out. Nothing was added."
            )
        lengths = {sort: sizes for sort, sizes in index.lengths.items() if sizes}
        if kind is EntryKind.SUBJECT and WORDS not in lengths:
            raise InputError(
                "a name is too short to be told from other words. Expected first and last name, with seven letters "
                "together. Add the person's values instead; nothing was added."
            )
        digest = value_digest(key, value, entity)
        made = secrets.token_hex(_ID_BYTES)
        return cls(made, kind, str(entity), digest, reference, now, expires, lengths, index.forms)

    @property
    def found_anywhere(self) -> bool:
        """Say whether it is found wherever it stands. Others are found where the finder takes them for a value."""
        return any(sort in self.lengths for sort in _ANYWHERE)

    def is_active(self, now: datetime) -> bool:
        """Say whether it suppresses at a time."""
        return self.expires is None or now < self.expires


def index_of(entries: Iterable[Entry], key: bytes) -> RecordsIndex | None:
    """Make one index of the forms of entries; None if there are none."""
    counts, lengths, forms = dict[str, int](), dict[str, int](), list[bytes]()
    for entry in entries:
        counts[entry.entity] = counts.get(entry.entity, 0) + 1
        for sort, sizes in entry.lengths.items():
            lengths[sort] = lengths.get(sort, 0) | sizes
        forms.append(entry.forms)
    return RecordsIndex.of_forms(b"".join(forms), counts, lengths, key=key) if forms else None


def checked_reference(given: str) -> str:
    """Check a legal reference: one line that is not too long.

    Raises:
        InputError: it is empty, too long, or has several lines.
    """
    text = given.strip()
    if not text or len(text) > _MOST_REFERENCE_CHARS or not text.isprintable():
        raise InputError(
            f"--reference expects one line of 1 to {_MOST_REFERENCE_CHARS} characters, such as 'GDPR Art. 17, case "
            f"2026-114', got {len(text)} characters. Leave the person's data out of it: it is kept in the clear."
        )
    return text


def checked_entity(given: str) -> str:
    """Check the name of a kind. Raises InputError for one that is unknown."""
    from reticent.policy.checked_settings import nearest

    if given not in Entity.__members__:
        raise InputError(f"Unknown kind {given!r}.{nearest(given, list(Entity))}")
    return given
