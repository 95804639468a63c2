"""What is suppressed at one time: says whether a value is, and whether a text names a person who is.

A request keeps the list that it began with, so an answer is judged by one list from its first word to its last.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import islice, product

from reticent.records.index import RecordsIndex
from reticent.suppressions.entry import Entry, EntryKind, index_of
from reticent_detectors.finder.plain_text import plain_form_of
from reticent_detectors.finder.recorded import RecordedValues
from reticent_detectors.finder.recorded_lookup import BEGINNING_CHARS, Known
from reticent_detectors.finder.recorded_words import MOST_WORD, WORD, RecordedWords, forms_of, word_form

BEFORE_CHARS = 8_000
"""Characters of an answer before a value that are searched for a subject's name."""
_MOST_SPELLINGS = 64


class SuppressionList:
    """Holds the entries that suppress at one time. It never changes.

    Args:
        entries: those of a store. Expired ones are left out.
        key: the key of their hashes.
        now: the time, UTC.
    """

    def __init__(self, entries: Iterable[Entry], key: bytes, now: datetime) -> None:
        active = [entry for entry in entries if entry.is_active(now)]
        self.values = index_of((entry for entry in active if entry.kind is EntryKind.VALUE), key)
        """The suppressed values, which a finder looks for wherever they stand. None: there are none."""
        self._recorded = None if self.values is None else RecordedValues(self.values)
        subjects = index_of((entry for entry in active if entry.kind is EntryKind.SUBJECT), key)
        self._subjects = None if subjects is None else _Names(subjects)
        self._size = len(active)
        self.expires = min((entry.expires for entry in active if entry.expires is not None), default=None)
        """When the next of them expires, UTC. None: no one does."""

    def __repr__(self) -> str:
        return f"SuppressionList({self._size} entries)"

    def __len__(self) -> int:
        return self._size

    @property
    def has_subjects(self) -> bool:
        """Say whether any person's name is suppressed."""
        return self._subjects is not None

    def holds(self, value: str, entity: str) -> bool:
        """Say whether a value is suppressed, exactly or lightly re-spelled, under its kind or one of its family."""
        return self.values is not None and self.values.contains(value, entity)

    def is_within(self, text: str) -> bool:
        """Say whether a suppressed value stands anywhere in a complete text."""
        return self._recorded is not None and self._recorded.first_in(text) is not None

    def may_begin_with(self, cut: str) -> bool:
        """Say whether a value that was cut short may have become a suppressed one."""
        if self.values is None:
            return False
        plain = plain_form_of(cut)
        compact = "".join(filter(str.isalnum, plain)).casefold()
        if len(compact) < BEGINNING_CHARS:
            return True
        words = tuple(word_form(match[0]) for match in WORD.finditer(plain))
        return (
            self.values.may_begin(compact[:BEGINNING_CHARS])
            or self.values.letters_begin(compact[:BEGINNING_CHARS])
            or self.values.run_begins(compact)
            or (len(words) > 1 and self.values.words_begin(words[:-1]))
        )

    def names_subject(self, *texts: str) -> bool:
        """Say whether any of these texts names a suppressed person, with first and last name in either order."""
        return self._subjects is not None and any(map(self._subjects.are_in, texts))


class _Names:
    """Looks for the names of an index in texts, in capitals or not."""

    def __init__(self, index: RecordsIndex) -> None:
        self._index, self._words = index, RecordedWords(index)
        self._counts = index.word_counts
        self._begins = Known(lambda word: any(index.words_begin((form,)) for form in forms_of(word)))

    def __repr__(self) -> str:
        return "_Names()"

    def are_in(self, text: str) -> bool:
        """Say whether a text has one of the names."""
        plain = plain_form_of(text)
        if not isinstance(self._words.scan(plain, 0, True), int):  # other names may stand between
            return True
        found = [match[0] for match in WORD.finditer(plain)]
        return any(self._at(found, place) for place in range(len(found)))

    def _at(self, words: list[str], place: int) -> bool:
        if len(words[place]) > MOST_WORD or not self._begins(words[place]):
            return False
        for count in self._counts:
            spelled = product(*map(forms_of, words[place : place + count]))
            if any(len(each) == count and self._index.kind_of_words(each) for each in islice(spelled, _MOST_SPELLINGS)):
                return True
        return False
