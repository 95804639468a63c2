"""Looks values up in two indexes as if they were one, such as the records and the suppressed values."""

from __future__ import annotations

from reticent_detectors.finder.recorded_lookup import Records


class EitherIndex:
    """Says what either of two indexes says. Make it by `of`."""

    def __init__(self, one: Records, other: Records) -> None:
        self._both = one, other

    def __repr__(self) -> str:
        return f"EitherIndex({self._both[0]!r}, {self._both[1]!r})"

    @classmethod
    def of(cls, one: Records | None, other: Records | None) -> Records | None:
        """Return what looks in both indexes; the only one that there is; or None."""
        return cls(one, other) if one is not None and other is not None else one if other is None else other

    @property
    def digit_counts(self) -> tuple[int, ...]:
        return _union(*(each.digit_counts for each in self._both))

    @property
    def run_sizes(self) -> tuple[int, ...]:
        return _union(*(each.run_sizes for each in self._both))

    @property
    def word_counts(self) -> tuple[int, ...]:
        return _union(*(each.word_counts for each in self._both))

    @property
    def letter_sizes(self) -> tuple[int, ...]:
        return _union(*(each.letter_sizes for each in self._both))

    @property
    def group_counts(self) -> tuple[int, ...]:
        return _union(*(each.group_counts for each in self._both))

    @property
    def has_mail(self) -> bool:
        return any(each.has_mail for each in self._both)

    @property
    def has_dates(self) -> bool:
        return any(each.has_dates for each in self._both)

    def contains(self, value: str, entity: str) -> bool:
        return any(each.contains(value, entity) for each in self._both)

    def may_begin(self, beginning: str) -> bool:
        return any(each.may_begin(beginning) for each in self._both)

    def run_begins(self, beginning: str) -> bool:
        return any(each.run_begins(beginning) for each in self._both)

    def letters_begin(self, beginning: str) -> bool:
        return any(each.letters_begin(beginning) for each in self._both)

    def kind_of_letters(self, letters: str) -> str | None:
        return self._both[0].kind_of_letters(letters) or self._both[1].kind_of_letters(letters)

    def kind_of_digits(self, digits: str) -> str | None:
        return self._both[0].kind_of_digits(digits) or self._both[1].kind_of_digits(digits)

    def kind_of_run(self, run: str) -> str | None:
        return self._both[0].kind_of_run(run) or self._both[1].kind_of_run(run)

    def kind_of_mail(self, address: str) -> str | None:
        return self._both[0].kind_of_mail(address) or self._both[1].kind_of_mail(address)

    def has_mail_domain(self, domain: str) -> bool:
        return any(each.has_mail_domain(domain) for each in self._both)

    def has_mail_local(self, local: str) -> bool:
        return any(each.has_mail_local(local) for each in self._both)

    def words_begin(self, words: tuple[str, ...]) -> bool:
        return any(each.words_begin(words) for each in self._both)

    def kind_of_words(self, words: tuple[str, ...]) -> str | None:
        return self._both[0].kind_of_words(words) or self._both[1].kind_of_words(words)

    def kind_of_day(self, day: str) -> str | None:
        return self._both[0].kind_of_day(day) or self._both[1].kind_of_day(day)

    def has_group(self, group: str) -> bool:
        return any(each.has_group(group) for each in self._both)

    def has_groups(self, one: str, other: str) -> bool:
        return any(each.has_groups(one, other) for each in self._both)

    def kind_of_groups(self, groups: tuple[str, ...]) -> str | None:
        return self._both[0].kind_of_groups(groups) or self._both[1].kind_of_groups(groups)


def _union(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted({*one, *other}))
