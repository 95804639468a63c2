"""The cue: how much of a value a prompt gives away."""

from __future__ import annotations

import random
from collections.abc import Hashable

import pytest

from reticent_bench.audits.cues.forms import digit_form, text_form
from reticent_bench.audits.cues.overlap import CueText
from reticent_bench.audits.cues.substrings import SubstringIndex
from reticent_detectors.entities import Entity
from reticent_detectors.features.cue import cue
from reticent_detectors.features.public_suffixes import without_suffix


def longest(text: str, value: str) -> int:
    """By trying all substrings."""
    pieces = (value[i:j] for i in range(len(value)) for j in range(i + 1, len(value) + 1))
    return max((len(piece) for piece in pieces if piece in text), default=0)


@pytest.mark.parametrize("alphabet", ["ab", "abc", "kt7mail"])
def test_longest_common_substring_against_all_substrings(alphabet: str) -> None:
    draw = random.Random(alphabet)
    for _ in range(300):
        text = "".join(draw.choices(alphabet, k=draw.randint(0, 24)))
        value = "".join(draw.choices(alphabet, k=draw.randint(0, 12)))
        assert SubstringIndex(text).longest(value) == longest(text, value)


def test_bounded_substrings_against_all_substrings() -> None:
    draw = random.Random(5)
    for _ in range(300):
        text = "".join(draw.choices("abc", k=20))
        value = "".join(draw.choices("abc", k=9))
        breaks = sorted({0, *draw.choices(range(20), k=3)})
        starts = sorted({*breaks, *draw.choices(range(20), k=3)})
        value_starts = draw.choices(range(9), k=3)
        ends = [next((b for b in breaks if b > start), 20) for start in starts]
        best = 0
        for at in value_starts:
            for start, end in zip(starts, ends, strict=True):
                shared = 0
                while at + shared < 9 and start + shared < end and value[at + shared] == text[start + shared]:
                    shared += 1
                best = max(best, shared)
        assert SubstringIndex(text, starts, breaks).longest(value, value_starts) == best


class Counted:
    """A symbol that counts how often it is looked up."""

    lookups = 0

    def __init__(self, char: str) -> None:
        self.char = char

    def __hash__(self) -> int:
        Counted.lookups += 1
        return hash(self.char)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counted) and self.char == other.char


@pytest.mark.parametrize("text", ["ab" * 1000, "a" * 1999 + "b", "the quick brown fox " * 100])
def test_a_value_costs_its_own_length_and_the_prompt_is_read_once(text: str) -> None:
    symbols: list[Hashable] = [Counted(char) for char in text]
    value = [Counted(char) for char in "abababaaab brown fox"]
    Counted.lookups = 0
    index = SubstringIndex(symbols)
    # At most 2n states and 3n - 4 transitions; copying a state's transitions looks nothing up.
    assert len(text) <= Counted.lookups <= 12 * len(text)
    Counted.lookups = 0
    for _ in range(2000):
        index.longest(value)
    # Each step of the walk goes one symbol on, or to a shorter suffix: at most 2m steps.
    assert 2000 * len(value) <= Counted.lookups <= 2000 * 4 * len(value)


def test_the_words_of_the_question_give_away_half_of_a_gmail_address() -> None:
    # kt77 and gmail: of nine characters the question holds "t" and "mail", the name one letter of "gmail".
    question = CueText("What is the email address of Jane Doe?").cue("kt77@gmail.com", "email")
    name = CueText("Jane Doe").cue("kt77@gmail.com", "email")
    assert question.share == pytest.approx((1 + 4) / 9) and round(question.share, 2) == 0.56
    assert name.share == pytest.approx((0 + 1) / 9) and round(name.share, 2) == 0.11
    assert (question.local, name.local) == (1 / 4, 0.0)
    # "mail" is no word of the question, and no word of the domain either: a "t" of "the" is left.
    assert question.bounded == pytest.approx(1 / 9) and name.bounded == 0.0
    assert CueText("E-mail:").cue("kt77@gmail.com", "email").bounded == 0.0


def test_joined_digits_of_unrelated_numbers_give_a_phone_away_and_bounded_ones_do_not() -> None:
    prompt = CueText("Room 491, floor 77, code 12, shelf 3456, ZIP 7")
    cue = prompt.cue("+49 177 1234567", "phone")
    assert cue.share == 1.0
    # 4917, 7, 12, 3456 and 7 are parted by commas and words; the longest piece in the number has four digits of twelve.
    assert cue.bounded == pytest.approx(4 / 12)
    fax = CueText("Fax: +49 (177) 123-4568").cue("+49 177 1234567", "phone")
    assert fax.share == fax.bounded == pytest.approx(11 / 12)


def test_a_long_domain_does_not_hide_that_the_name_gives_the_local_part_away() -> None:
    # adabruck: 8 of 8. postexample: 1 of 11, whichever letter.
    cue = CueText("Ada Bruck").cue("ada.bruck@post.example.net", "email")
    assert (cue.share, cue.local, cue.strict) == (pytest.approx(9 / 19), 1.0, 1.0)
    assert CueText("Jane Doe").cue("kt77@gmail.com", "email").strict == pytest.approx(1 / 9)


@pytest.mark.parametrize(
    ("prompt", "value", "share", "bounded"),
    [
        ("Jane Doe", "jane.doe@example.org", 7 + 1, 7 + 0),  # "e" of the domain begins no word of the name
        ("Jane Doe", "jdoe@example.org", 3 + 1, 3 + 0),
        ("Zuzu at Example Inc", "qqq@example.org", 0 + 7, 0 + 7),
        ("JANE-DOE", "JaneDoe@b.co.uk", 7, 7),
        ("", "jane@example.org", 0, 0),
    ],
)
def test_emails_weigh_local_part_and_domain_by_length(prompt: str, value: str, share: int, bounded: int) -> None:
    local, _, domain = value.partition("@")
    size = sum(map(str.isalnum, local)) + len(domain.split(".")[0])
    cue = CueText(prompt).cue(value, "email")
    assert cue.share == pytest.approx(share / size)
    assert cue.bounded == pytest.approx(bounded / size)


def test_a_value_without_letters_or_digits_has_no_cue() -> None:
    for value in ("", "@", "...", "-@-.-"):
        cue = CueText("anything at all").cue(value, "email")
        assert (cue.share, cue.bounded, cue.local) == (0.0, 0.0, 0.0)
    assert CueText("555 0123").cue("none", "phone").share == 0.0
    assert CueText("anything at all").cue("all", "email").share == 1.0  # no address: compared as a whole


@pytest.mark.parametrize(
    ("text", "chars"),
    [
        ("Jane DOE-7", "janedoe7"),
        ("Ｊａｎｅ　７", "jane7"),  # full width
        ("Jose\u0301", "josé"),  # NFKC composes
        ("x\u0302y", "xy"),  # no such letter: the accent goes, as in the paper's rule
        ("İbrahim", "ibrahim"),
        ("ΝΙΚΟΣ", "νικοσ"),
        ("Νίκος", "νίκοσ"),
        ("हिन्दी", "हिन्दी"),  # vowel signs and the virama belong to the word
        ("ที่", "ที่"),
        ("٤٢", "42"),
        ("佐藤 太郎", "佐藤太郎"),
        ("co\u00adop", "coop"),
    ],
)
def test_normal_form(text: str, chars: str) -> None:
    assert text_form(text).chars == chars


def test_words_and_pieces_of_a_form() -> None:
    form = text_form("Ann-Lee J. Doe, London")
    assert (form.chars, form.starts, form.breaks) == ("annleejdoelondon", (0, 3, 6, 7, 10), (0, 10))
    assert text_form("co\u00adop").starts == (0,)
    assert text_form("李娜lee").starts == (0, 1, 2)
    numbers = digit_form("Tel. +49 (30) 12-34, or 567")
    assert (numbers.chars, numbers.breaks) == ("49301234567", (0, 8))
    assert "Ann" not in repr(form)


@pytest.mark.parametrize("domain", ["example.com", "post.example.org", "example.co.uk", "example.com.au", "jane.me.uk"])
def test_the_run_time_cue_leaves_the_same_suffix_out(domain: str) -> None:
    own = without_suffix(domain)
    value = f"ada.bruck@{domain}"
    for prompt in (f"Ada Bruck of {own}", f"Ada of {own}", "Bruck"):
        assert CueText(prompt).cue(value, "email").share == cue(value, prompt, Entity.EMAIL_ADDRESS)
    assert cue(value, f"Ada Bruck of {own}", Entity.EMAIL_ADDRESS) == 1.0
