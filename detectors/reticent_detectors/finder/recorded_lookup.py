"""What is asked of records, and what is found by it: no value is held here."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

_MOST_KNOWN = 1 << 16
BEGINNING_CHARS, LEAST_BEGINNING = 4, 3
"""How much of a value tells that no recorded one begins so, and how much of it has to be known before something else
may stand in it, in letters and digits."""


class Records(Protocol):
    """Says which values are recorded."""

    @property
    def digit_counts(self) -> tuple[int, ...]:
        """Gives how many digits recorded numbers have, in ascending order; from `recorded.LEAST_DIGITS` on."""
        ...

    @property
    def run_sizes(self) -> tuple[int, ...]:
        """Gives how many letters and digits other recorded values have, in ascending order."""
        ...

    @property
    def word_counts(self) -> tuple[int, ...]:
        """Gives how many words recorded values have that count wherever all their words stand, in ascending order."""
        ...

    @property
    def letter_sizes(self) -> tuple[int, ...]:
        """Return how many letters and digits recorded values of words have, in ascending order."""
        ...

    @property
    def group_counts(self) -> tuple[int, ...]:
        """Gives into how many different groups of digits recorded numbers fall, in ascending order."""
        ...

    @property
    def has_mail(self) -> bool:
        """Says whether any e-mail address is recorded."""
        ...

    @property
    def has_dates(self) -> bool:
        """Says whether any day is recorded."""
        ...

    def contains(self, value: str, entity: str) -> bool:
        """Says whether a value is recorded as one of a kind."""
        ...

    def may_begin(self, beginning: str) -> bool:
        """Says whether any recorded number or run begins with these `recorded.BEGINNING_CHARS` letters and digits."""
        ...

    def run_begins(self, beginning: str) -> bool:
        """Tell whether any recorded run begins with these letters and digits, `LEAST_BEGINNING` of them or more."""
        ...

    def letters_begin(self, beginning: str) -> bool:
        """Tell whether any recorded value of words begins with these `BEGINNING_CHARS` letters and digits."""
        ...

    def kind_of_letters(self, letters: str) -> str | None:
        """Return the kind of a recorded value of words that has these letters and digits, without blanks between."""
        ...

    def kind_of_digits(self, digits: str) -> str | None:
        """Gives the kind of a recorded number that has these digits and no others."""
        ...

    def kind_of_run(self, run: str) -> str | None:
        """Gives the kind of a recorded value of these letters and digits, without what stands between them."""
        ...

    def kind_of_mail(self, address: str) -> str | None:
        """Gives the kind of a recorded e-mail address."""
        ...

    def has_mail_domain(self, domain: str) -> bool:
        """Says whether any recorded e-mail address has this domain."""
        ...

    def has_mail_local(self, local: str) -> bool:
        """Says whether any recorded e-mail address has this before its @, and it is no word of letters alone."""
        ...

    def words_begin(self, words: tuple[str, ...]) -> bool:
        """Says whether a recorded value begins with these words (`recorded_words.word_form`)."""
        ...

    def kind_of_words(self, words: tuple[str, ...]) -> str | None:
        """Gives the kind of a recorded value of these words and no others."""
        ...

    def kind_of_day(self, day: str) -> str | None:
        """Gives the kind of a recorded day, asked as yyyymmdd."""
        ...

    def has_group(self, group: str) -> bool:
        """Says whether a recorded number has this group of digits."""
        ...

    def has_groups(self, one: str, other: str) -> bool:
        """Says whether one recorded number has both groups of digits."""
        ...

    def kind_of_groups(self, groups: tuple[str, ...]) -> str | None:
        """Gives the kind of a recorded number that falls into these different groups, in whatever order."""
        ...


class Hit(NamedTuple):
    """A recorded value in a text: its kind, where it begins and ends, and where its parts are if they stand apart.

    A value whose parts stand apart begins where its last part does.
    """

    kind: str
    start: int
    end: int
    parts: tuple[tuple[int, int], ...] = ()


class Known:
    """Keeps answers of records about short texts."""

    def __init__(self, ask: Callable[..., bool]) -> None:
        self._ask, self._answers = ask, dict[tuple[str, ...], bool]()

    def __repr__(self) -> str:
        return "Known()"

    def __call__(self, *texts: str) -> bool:
        answer = self._answers.get(texts)
        if answer is None:
            answer = self._ask(*texts)
            if len(self._answers) < _MOST_KNOWN:
                self._answers[texts] = answer
        return answer
