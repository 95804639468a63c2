"""Recognisers, contexts and readiness checks under their old names: they work, and warn."""

from __future__ import annotations

import dataclasses
import importlib
import pickle
import sys
import warnings
from dataclasses import dataclass
from typing import Any

import pytest
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.context.question import Question

from reticent.observability import observers
from reticent_detectors.finder import ALL, Pattern, Recognizer, Run, SpanFinder
from reticent_detectors.finder.engine.recognizers import NONE, OLD_NAMES
from reticent_detectors.spans import FindContext, Span

TEXT = "Her card is 20481 now"


def card(run: str) -> int:
    """The length of a card's number; a cut one has none."""
    return 5 * (len(run) == 5)


RUN = Run("card", "CARD", "d", r"0-9", card, part=str.isdigit, fallback=True, plain_word_starts="")
POSITION = Position(TEXT[:15], 12, None, Question(""))


def pattern(**options: Any) -> Pattern:
    return Pattern("card", None, core=r"\d{5}", **options)


def spans(recognizer: Any) -> tuple[Span | None, Span | None]:
    """What a finder with one recogniser finds in a text, and in what the end of the text cut short."""
    finder, context = SpanFinder((recognizer,)), FindContext()
    return (
        finder.next_span(TEXT, 0, context=context, closed=True).span,
        finder.fragment(TEXT[:15], 0, context=context),
    )


def test_arguments_by_old_names_make_the_same_recogniser() -> None:
    with pytest.warns(DeprecationWarning) as warned:
        old = Run("card", "CARD", chars=r"0-9", value=card, part=str.isdigit, first="d", loose=True, plain="")  # type: ignore[call-arg]
    assert old == RUN and {str(each.message) for each in warned} == {
        "The argument first is now start_classes.",
        "The argument loose is now fallback.",
        "The argument plain is now plain_word_starts.",
    }
    assert all(each.filename == __file__ for each in warned)
    with pytest.warns(DeprecationWarning, match="is now"):
        made = pattern(first="d", cued=True, also=r" a", loose=True, plain="")
    assert made == pattern(
        start_classes="d", needs_announcement=True, kind_lookahead=r" a", fallback=True, plain_word_starts=""
    )
    with pytest.warns(DeprecationWarning, match="The argument loose is now fallback"):
        assert not dataclasses.replace(RUN, loose=False).fallback  # type: ignore[call-arg]


@pytest.mark.parametrize("old", ["first", "loose", "plain"])
def test_attributes_are_read_under_old_names(old: str) -> None:
    for recognizer in (RUN, pattern(start_classes="d"), *{type(row): row for row in ALL}.values()):
        with pytest.warns(DeprecationWarning, match=rf"{type(recognizer).__name__}\.{old} is now {OLD_NAMES[old]}"):
            assert getattr(recognizer, old) == getattr(recognizer, OLD_NAMES[old])


def test_a_pattern_and_its_method_are_read_under_old_names() -> None:
    announced = pattern(start_classes="d", needs_announcement=True, kind_lookahead=" a")
    with pytest.warns(DeprecationWarning, match="Pattern"):
        assert announced.cued and announced.also == " a"
    with pytest.warns(DeprecationWarning, match=r"Run\.begins is now could_be_cut_value"):
        assert RUN.begins(TEXT[:15], 12, POSITION)


class Own:
    """A recogniser of a user, as it was documented."""

    name, entity, first, loose, plain = "card", "CARD", "d", False, ""

    def at(self, text: str, p: int, site: Position, closed: bool) -> int:
        return RUN.at(text, p, site, closed)

    def begins(self, text: str, p: int, site: Position) -> bool:
        return text[p:].isdigit()


class Declared(Recognizer):
    """The same, of a class that names the protocol."""

    name, entity, first, loose, plain = "card", "CARD", "d", False, ""  # type: ignore[assignment]
    at, begins = Own.at, Own.begins  # type: ignore[assignment]


@dataclass
class WithFields:
    name: str
    entity: str
    first: str
    loose: bool = True
    plain: str = "ul"
    at, begins = Own.at, Own.begins  # type: ignore[assignment]


class Lengthened(Run):
    """A user's `Run` that overrides the method under its old name."""

    def begins(self, text: str, p: int, site: Position) -> bool:  # type: ignore[override]
        return len(text) - p > 2 and super().begins(text, p, site)  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class OnlyDigits(Run):
    """A user's `Run` that has a default of its own under an old name."""

    plain: str = ""  # type: ignore[assignment]


@pytest.mark.parametrize("kind", [Own, Declared, WithFields, Lengthened, OnlyDigits])
def test_a_recogniser_of_ones_own_under_old_names_is_found_and_warned_of_once(kind: type) -> None:
    of_run = ("card", "CARD", "d", r"0-9", card, 64, "", str.isdigit)
    own = kind(*of_run) if issubclass(kind, Run) else kind("card", "CARD", "d") if kind is WithFields else kind()
    with pytest.warns(DeprecationWarning, match=rf"^{kind.__name__}\."):
        assert SpanFinder((own,))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Lengthened.begins")  # its own call by `super()`
        assert spans(own) == (Span("CARD", 12, 17, "card"), Span("CARD", 12, 15, "card", fragment=True))


def test_what_overrides_an_old_name_decides() -> None:
    short = Lengthened("card", "CARD", "d", r"0-9", card, part=str.isdigit)
    with pytest.warns(DeprecationWarning, match="begins is now could_be_cut_value"):
        finder = SpanFinder((short,))
        assert finder.fragment(TEXT[:14], 0, context=FindContext()) is None
        assert finder.fragment(TEXT[:15], 0, context=FindContext()) is not None


def test_a_recogniser_under_new_names_is_left_alone() -> None:
    class New(Run):
        def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
            return False

    new: Any = New("card", "CARD", "d", r"0-9", card, part=str.isdigit)
    assert spans(new)[1] is None and "begins" not in vars(New)
    assert SpanFinder((RUN,)) and RUN.at("a", 0, POSITION, True) == NONE


def test_a_context_by_its_old_name() -> None:
    new = FindContext("It is 2", model_chars=1)
    with pytest.warns(DeprecationWarning, match="The argument said is now model_chars"):
        assert FindContext("It is 2", said=1) == new  # type: ignore[call-arg]
    with pytest.warns(DeprecationWarning, match="The argument said is now model_chars"):
        assert new.behind("so", said=2) == new.behind("so", 2)  # type: ignore[call-arg]
    with pytest.warns(DeprecationWarning, match=r"FindContext\.said is now model_chars"):
        assert new.said == 1
    assert pickle.loads(pickle.dumps(new)) == new


def test_the_place_of_a_position_that_had_another_name_still_has_it() -> None:
    sys.modules.pop("reticent_detectors.finder.context.site", None)
    with pytest.warns(DeprecationWarning, match=r"is now reticent_detectors\.finder\.context\.position"):
        old = importlib.import_module("reticent_detectors.finder.context.site")
    assert old.Site is Position


def test_readiness_checks_by_their_old_name() -> None:
    with pytest.warns(DeprecationWarning, match="Part is now ReadinessCheck"):
        assert observers.Part is observers.ReadinessCheck
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = observers.nothing
