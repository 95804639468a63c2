"""How much of a value a prompt gives away: the cue of "Cue-Resistant Memorization" (Section 3.2 and Appendix D).

    cue(p, s)       = |longest common substring of n(p) and n(s)| / |n(s)|, 0 if n(s) is empty
    e-mail l@d      = (|n(l)| cue(p, l) + |n(d')| cue(p, d')) / (|n(l)| + |n(d')|), d' = d without its public suffix
    phone           = cue(p, s) over digits alone, on both sides

Each is reported in two ways. `share` is the paper's. It finds "mail" of "gmail" in "email", and joins the digits of
unrelated numbers. `bounded` is ours: what is shared must begin at a word of the prompt and stay in one piece of it
(see `forms.Form`), for a domain it must begin at a word of the domain, too. For phones it must stay in one number.

The guard's own cue (`reticent_detectors.features.cue`) brings amounts and dates into one form. It counts a re-formatted
value as given away. Both leave out the same suffix of e-mail addresses (`reticent_detectors.features.public_suffixes`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from reticent_bench.audits.cues.forms import Form, digit_form, text_form
from reticent_bench.audits.cues.languages import Kind
from reticent_bench.audits.cues.substrings import SubstringIndex
from reticent_detectors.features.public_suffixes import without_suffix


@dataclass(frozen=True, slots=True)
class Cue:
    """Shares of a value that a text gives away, 0 to 1.

    Attributes:
        share: by the paper's formula.
        bounded: the same with matches bounded by words and numbers; at most `share`.
        local: `share` of an e-mail address's local part alone; `share` for phones.
        local_bounded: `bounded` likewise.
    """

    share: float
    bounded: float
    local: float
    local_bounded: float

    @property
    def strict(self) -> float:
        """The larger of `share` and `local`, by which hits are classified.

        The weighted mean calls an address that the name gives away whole a low cue if its domain is long:
        `ada.bruck@post.example.net` has 0.47 at most from "Ada Bruck". A domain is common to many people, so what the
        local part gives away is enough.
        """
        return max(self.share, self.local)


class CueText:
    """A text that is asked for the cues of many values. Built once, it costs O(value) for each."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return f"CueText({len(self._text)} chars)"

    def cue(self, value: str, kind: Kind) -> Cue:
        """What the text gives away of a value.

        An e-mail address without "@" is compared as a whole.
        """
        if kind == "phone":
            form = _digits(value)
            share = _ratio(self._plain_digits.longest(form.chars), form)
            bounded_share = _ratio(self._bounded_digits.longest(form.chars), form)
            return Cue(share, bounded_share, share, bounded_share)
        local, at, domain = value.rpartition("@")
        if not at:
            local, domain = value, ""
        parts = _chars(local), _chars(without_suffix(domain))
        plain = [self._plain.longest(part.chars) for part in parts]
        bounded = [
            self._bounded.longest(parts[0].chars),
            self._bounded.longest(parts[1].chars, frozenset(parts[1].starts)),
        ]
        size = sum(len(part.chars) for part in parts)
        if not size:
            return Cue(0.0, 0.0, 0.0, 0.0)
        # |n| cue(p, part) is the length of the shared substring itself.
        local_shares = _ratio(plain[0], parts[0]), _ratio(bounded[0], parts[0])
        return Cue(sum(plain) / size, sum(bounded) / size, *local_shares)

    @cached_property
    def _words(self) -> Form:
        return text_form(self._text)

    @cached_property
    def _numbers(self) -> Form:
        return digit_form(self._text)

    @cached_property
    def _plain(self) -> SubstringIndex:
        return SubstringIndex(self._words.chars)

    @cached_property
    def _bounded(self) -> SubstringIndex:
        return SubstringIndex(self._words.chars, self._words.starts, self._words.breaks)

    @cached_property
    def _plain_digits(self) -> SubstringIndex:
        return SubstringIndex(self._numbers.chars)

    @cached_property
    def _bounded_digits(self) -> SubstringIndex:
        return SubstringIndex(self._numbers.chars, None, self._numbers.breaks)


def _ratio(shared: int, form: Form) -> float:
    return shared / len(form.chars) if form.chars else 0.0


@lru_cache(maxsize=4096)
def _chars(value: str) -> Form:
    return text_form(value)


@lru_cache(maxsize=4096)
def _digits(value: str) -> Form:
    return digit_form(value)
