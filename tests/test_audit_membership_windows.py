"""Windows around a value, and their neighbours."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from membership_host import passages

from reticent_bench.audits.membership.neighbours import (
    DrawnValues,
    FrequentWords,
    SameShape,
    mask_words,
    value_neighbours,
    word_neighbours,
)
from reticent_bench.audits.membership.population import read_texts
from reticent_bench.audits.membership.windows import Passage, Span, cut_window, tokens_of, word_tokens
from reticent_detectors.errors import InputError


def numbered(before: int, after: int, value: str = "VALUE") -> Passage:
    """Words b<n> ... b1 before a value and a1 ... a<n> behind it."""
    left = " ".join(f"b{i}" for i in range(before, 0, -1))
    start = len(left) + bool(left)
    text = " ".join(filter(None, [left, value, " ".join(f"a{i}" for i in range(1, after + 1))]))
    return Passage(text, ((start, start + len(value)),), "p")


@pytest.mark.parametrize(
    ("before", "after", "first", "last", "tokens"),
    [
        (200, 200, "b74", "a75", 150),  # 149 tokens beside the value: 74 and 75
        (200, 10, "b74", "a10", 85),  # the left gives no more, as 50 are reached
        (200, 0, "b74", "VALUE", 75),
        (0, 200, "VALUE", "a75", 76),
        (20, 29, "b20", "a29", 50),  # just enough
        (5, 60, "b5", "a60", 66),
    ],
)
def test_windows_are_cut_around_the_value(before: int, after: int, first: str, last: str, tokens: int) -> None:
    window = cut_window(numbered(before, after))
    assert window is not None
    words = window.text.split()
    assert (words[0], words[-1], len(words)) == (first, last, tokens)
    ((start, end),) = window.values
    assert window.text[start:end] == "VALUE"
    assert window == cut_window(numbered(before, after))


def test_the_other_side_gives_more_up_to_the_minimum() -> None:
    # At most 60: 29 on the left and 30 on the right. The right has 2, so the left gives up to 50 tokens in all.
    window = cut_window(numbered(200, 2), 50, 60)
    assert window is not None and window.text.split()[0] == "b47" and len(window.text.split()) == 50
    window = cut_window(numbered(1, 200), 50, 60)
    assert window is not None and window.text.split()[-1] == "a48" and len(window.text.split()) == 50


def test_texts_without_a_window() -> None:
    assert cut_window(numbered(20, 28)) is None
    assert cut_window(numbered(200, 200, value=" ".join(["v"] * 151))) is None
    whole = cut_window(numbered(200, 200, value=" ".join(["v"] * 150)))
    assert whole is not None and len(whole.text.split()) == 150


def test_a_value_of_several_tokens_is_never_cut() -> None:
    for passage in passages("m", 20, 0, words=300):
        window = cut_window(passage, 10, 12)
        assert window is not None
        ((start, end),) = window.values
        assert re.fullmatch(r"\w+\.\w+@example\.org", window.text[start:end])
        assert len(word_tokens(window.text)) == 12


def test_a_value_inside_a_token_takes_the_whole_token() -> None:
    window = cut_window(Passage("one alina41 two", ((9, 11),), "p"), 1, 1)
    assert window is not None and (window.text, window.values) == ("alina41", ((5, 7),))


def test_other_values_move_with_the_window() -> None:
    text = "x y Alina Andsen 12 alina@example.org or 555 0100 z far Berina"
    spans = [
        (m.start(), m.end()) for m in (re.search(s, text) for s in ("alina@\\S+", "Alina", "555 0100", "Berina")) if m
    ]
    window = cut_window(Passage(text, tuple(spans), "p"), 3, 13)
    assert window is not None
    assert [window.text[a:b] for a, b in window.values] == ["alina@example.org", "Alina", "555 0100"]


def test_a_given_tokenizer_counts() -> None:
    passage = numbered(30, 30)
    window = cut_window(passage, 5, 9, lambda text: [(i, i + 1) for i in range(len(text))])
    assert window is not None and len(window.text) == 9 and "VALUE" in window.text


@pytest.mark.parametrize("values", [(), ((3, 3),), ((0, 99),), ((-1, 2),), ((0, 3), (2, 5))])
def test_offsets_are_checked(values: tuple[Span, ...]) -> None:
    with pytest.raises(InputError):
        Passage("alina@example.org", values, "p")


def test_limits_are_checked_and_nothing_shows_the_text() -> None:
    with pytest.raises(InputError, match="least"):
        cut_window(numbered(3, 3), 5, 4)
    with pytest.raises(InputError, match="no token") as error:
        cut_window(Passage("alina   berina", ((6, 7),), "p"), 1, 2)
    assert "alina" not in str(error.value) + repr(Passage("alina", ((0, 5),), "p"))


@pytest.mark.parametrize(("words", "masked"), [(1, 1), (5, 1), (10, 2), (50, 10), (99, 20), (150, 30)])
def test_a_fifth_of_the_words_is_masked_in_short_spans(words: int, masked: int) -> None:
    text = "  ".join(f"w{i}," for i in range(words))
    for seed in range(20):
        spans = mask_words(text, np.random.default_rng(seed))
        lengths = [len(text[a:b].split()) for a, b in spans]
        assert sum(lengths) == masked and max(lengths) <= 3
        assert spans == sorted(spans)
        for (_, end), (start, _) in itertools.pairwise(spans):
            assert text[end:start].split()


def test_every_word_is_masked_as_often() -> None:
    text = " ".join("abcdefghij")
    counts = Counter(
        word
        for seed in range(3000)
        for a, b in mask_words(text, np.random.default_rng(seed), 0.2, 1)
        for word in text[a:b]
    )
    # Two of ten words: the first may be masked as often as any. One that never is, or twice as often, would show.
    assert set(counts) == set("abcdefghij")
    assert max(counts.values()) < 1.5 * min(counts.values())


def test_mask_settings_are_checked() -> None:
    rng = np.random.default_rng(0)
    for share, span in ((0.0, 3), (0.6, 3), (0.2, 0)):
        with pytest.raises(InputError, match="share"):
            mask_words("a b c", rng, share, span)
    with pytest.raises(InputError, match="words to mask"):
        mask_words("  ", rng)


def test_word_neighbours_change_a_fifth_and_draw_from_the_reference() -> None:
    window = numbered(49, 50)
    found = word_neighbours(window, FrequentWords("river river stone"), np.random.default_rng(0), 10, 0.2, 3)
    assert len(set(found)) == 10
    drawn = Counter[str]()
    for text in found:
        before, after = window.text.split(), text.split()
        assert len(before) == len(after)
        new = [word for old, word in zip(before, after, strict=True) if old != word]
        assert len(new) == 20
        drawn.update(new)
    assert set(drawn) == {"river", "stone"}
    assert 1.3 < drawn["river"] / drawn["stone"] < 3.0


def test_value_neighbours_change_values_and_nothing_else() -> None:
    passage = numbered(60, 60, value="Alina.Andsen41@example.org")
    ((start, end),) = passage.values
    found = value_neighbours(passage, SameShape(), np.random.default_rng(0), 10)
    assert len(set(found)) == 10
    # Ten draws of two digits from ten: fewer than five different ones happen once in a million times.
    assert len({char for text in found for char in text[start:end] if char.isdigit()}) >= 5
    for text in found:
        assert (text[:start], text[end:]) == (passage.text[:start], passage.text[end:])
        value = text[start:end]
        assert value != "Alina.Andsen41@example.org"
        assert re.fullmatch(r"[A-Z][a-z]{4}\.[A-Z][a-z]{5}\d\d@[a-z]{7}\.[a-z]{3}", value)


def test_values_are_drawn_from_a_list() -> None:
    passage = numbered(3, 3)
    found = value_neighbours(passage, DrawnValues(["one", "another"]), np.random.default_rng(0), 20)
    assert set(found) == {passage.text.replace("VALUE", "one"), passage.text.replace("VALUE", "another")}
    with pytest.raises(InputError, match="synthetic"):
        DrawnValues([])
    with pytest.raises(InputError, match="words"):
        FrequentWords(" \n")


class Short:
    """A proposer that returns too few variants."""

    name = "short"

    def __call__(self, text: str, masks: Sequence[Sequence[Span]], rng: np.random.Generator) -> list[str]:
        return [text]


def test_too_few_variants_are_refused() -> None:
    with pytest.raises(InputError, match="10 variants"):
        value_neighbours(numbered(3, 3), Short(), np.random.default_rng(0), 10)


def test_tokens_of_a_model_have_no_blanks_at_their_beginnings() -> None:
    class Tokenizer:
        """Two characters are a token."""

        def __call__(self, text: str, **asked: object) -> dict[str, object]:
            assert asked == {"add_special_tokens": False, "return_offsets_mapping": True}
            return {"offset_mapping": [(at, min(at + 2, len(text))) for at in range(0, len(text), 2)]}

    spans = tokens_of(Tokenizer())
    assert spans("ab c  d") == [(0, 2), (3, 4), (6, 7)]  # " c" without its blank; a blank token is none
    # A script without blanks is one word, and many tokens of a model: only these give a window.
    text = "電話" * 40 + "123456" + "番号" * 40
    passage = Passage(text, ((80, 86),), "p")
    assert cut_window(passage) is None
    window = cut_window(passage, tokenize=spans)
    assert window is not None and len(spans(window.text)) == 83
    assert window.text[slice(*window.values[0])] == "123456"
    short = cut_window(passage, 10, 20, spans)
    assert short is not None and len(spans(short.text)) == 20


@pytest.mark.parametrize(("language", "is_known"), [("deu", True), ("afr", False), ("xx", False), (3, False)])
def test_texts_may_name_one_of_25_languages(tmp_path: Path, language: object, is_known: bool) -> None:
    file = tmp_path / "texts.jsonl"
    row = {"text": "Call 555 now", "start": 5, "end": 8, "person": "p", "member": True, "language": language}
    file.write_text(json.dumps(row))
    if is_known:
        assert read_texts(file, None).members[0].language == language
        return
    with pytest.raises(InputError, match="line 1: expected a language of ara, bul"):
        read_texts(file, None)
