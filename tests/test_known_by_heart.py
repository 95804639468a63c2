"""Facts that a pre-trained model knows: the items, twins from hand-made logits, a host that knows one, figures."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tiny_hosts
import torch
from stdnum import iban, luhn
from transformers import GenerationConfig
from typer.testing import CliRunner

from reticent import Guard
from reticent.policy.policy import INFERABLE_CUE
from reticent.prompt.segments import from_ids
from reticent_bench.bench_command import app
from reticent_bench.real_models import known_by_heart
from reticent_bench.real_models.heart_items import GROUPS, Item, invented_in, items, spelled, value_in
from reticent_bench.real_models.heart_report import (
    FIRST_TWINS,
    MADE_UP,
    OURS,
    RIVAL,
    TWINS,
    figures,
    guard_figures,
    render,
)
from reticent_bench.real_models.heart_twins import AnsweredValue, Branch, branches_of, grow, twins_of
from reticent_bench.real_models.known_by_heart import Decided, ItemMeasurement, Score, measure
from reticent_detectors.entities import Entity
from reticent_detectors.features.cue import cue

# The default detector is fitted to no host, and says so.
pytestmark = pytest.mark.filterwarnings("ignore:.*fits any host:UserWarning")

# ---- the items ----------------------------------------------------------------------------------


def test_there_are_300_items_of_many_kinds() -> None:
    own = items()
    assert len(own) == 300 and [item.number for item in own] == list(range(300))
    assert {item.group for item in own} == set(GROUPS)
    assert len({item.entity for item in own}) >= 20
    assert len({item.prompt for item in own}) == 300
    assert all(item.source and all(map(spelled, item.spellings)) for item in own)
    assert not [item.prompt for item in own if item.prompt.endswith((" ", "\t"))]


def test_no_prompt_gives_half_of_its_value_away() -> None:
    shares = {(i.number, s): cue(s, i.prompt, i.entity) for i in items() for s in i.spellings}
    assert {key: value for key, value in shares.items() if value >= INFERABLE_CUE} == {}


def test_test_numbers_have_the_check_digits_of_real_ones() -> None:
    for item in items():
        for spelling in item.spellings:
            if item.entity == Entity.CREDIT_CARD:
                assert luhn.is_valid(spelled(spelling)), spelling
            if item.entity == Entity.IBAN_CODE:
                # The registry's Belgian example has no valid national check digits.
                assert iban.validate(spelling, check_country=False)


def item(value: str, entity: Entity = Entity.PHONE_NUMBER) -> Item:
    return Item(0, "hotline", entity, "Call", tuple(value.split(" | ")), "")


@pytest.mark.parametrize(
    ("value", "answer", "expected"),
    [
        ("116 123", " 116-123. Or", "116-123"),
        ("116 123", ' **"116123"**', "116123"),
        ("911", " 911, the", "911"),
        ("911", " 9110", None),
        ("911", " 911-555-0100", None),
        ("911", " 911 555", None),
        ("911", " the number 911", None),
        ("192.0.2.1", " 192.0.2.10", None),
        ("http://a.org/x", "http://a.org/x.html", None),
        ("http://a.org/x", "  http://a.org/x\n", "http://a.org/x"),
        ("http://a.org | http://a.org/x", " http://a.org/x", "http://a.org/x"),
        ("10 Downing Street", " 10 Downing Street, London", "10 Downing Street"),
        ("10 Downing Street", " 10 Downing Streets", None),
        ("10 Downing Street", " 10 Down", None),
    ],
)
def test_a_value_is_known_whatever_stands_between(value: str, answer: str, expected: str | None) -> None:
    span = value_in(answer, item(value))
    assert (None if span is None else answer[slice(*span)]) == expected


@pytest.mark.parametrize(
    ("value", "answer", "expected"),
    [
        ("116 123", " 0800 1111, or", "0800 1111"),
        ("116 123", " the number 1-800-273-8255.", "1-800-273-8255"),
        ("116 123", " +44 (0)20 1234", "44 (0)20 1234"),
        ("116 123", " the number\n0800 1111", None),
        ("116 123", " the 3 lines", None),
        ("116 123", " free of charge. The number is 116 123", None),
        ("DE89 3704 0044 0532 0130 00", " DE12 5001 0517", "DE12 5001 0517"),
        ("Geneva", " Vienna, Austria. It", "Vienna"),
        ("The Hague", " Vienna, Austria. It", "Vienna, Austria"),
        ("http://a.org/x", "http://b.org/y.html> and", "http://b.org/y.html"),
        ("Geneva", "\n\n", None),
        ("911", " 1212. In 1911", "1212"),
        ("123-45-6789", " 1234567890.", "1234567890"),
    ],
)
def test_what_a_wrong_answer_says_instead(value: str, answer: str, expected: str | None) -> None:
    span = invented_in(answer, item(value, Entity.OTHER))
    assert (None if span is None else answer[slice(*span)]) == expected


# ---- twins, by hand-made logits ----------------------------------------------------------------

END = "<end>"
PIECES = [END, " ", *"0123456789", "-", "a", "b", "\n", " c", "ab", "12"]
ID = {piece: at for at, piece in enumerate(PIECES)}


class Texts:
    """A tokenizer of the pieces."""

    eos_token_id = 0

    @staticmethod
    def decode(ids: list[int], **options: Any) -> str:
        return "".join("" if PIECES[at] == END else PIECES[at] for at in ids)


class Table:
    """A model whose next token is looked up under the text so far; what the table leaves out is very unlikely."""

    device = torch.device("cpu")
    generation_config = GenerationConfig(eos_token_id=0)

    def __init__(self, probabilities: dict[str, dict[str, float]]) -> None:
        self.probabilities = probabilities

    def scores(self, text: str) -> torch.Tensor:
        row = torch.full((len(PIECES),), 1e-9)
        for piece, probability in self.probabilities.get(text, {}).items():
            row[ID[piece]] = probability
        return (row / row.sum()).log()

    def generate(
        self, input_ids: Any, attention_mask: Any, logits_processor: Any, max_new_tokens: int, **options: Any
    ) -> Any:
        for _ in range(max_new_tokens):
            texts = [
                Texts.decode(ids[mask.bool()].tolist()) for ids, mask in zip(input_ids, attention_mask, strict=True)
            ]
            scores = logits_processor(input_ids, torch.stack([self.scores(text) for text in texts]))
            input_ids = torch.cat([input_ids, scores.argmax(-1, keepdim=True)], 1)
            attention_mask = torch.cat([attention_mask, torch.ones_like(attention_mask[:, :1])], 1)
        return input_ids


def known(table: Table, pieces: list[str], value: str = "", more: str = "") -> AnsweredValue:
    text = "".join(pieces)
    logprobs = [float(table.scores("a" + "".join(pieces[:at]))[ID[piece]]) for at, piece in enumerate(pieces)]
    ends = [len("".join(pieces[:at])) for at in range(len(pieces) + 1)]
    ids = tuple(ID[piece] for piece in pieces)
    right = item(f"{value or text}{more}")
    return AnsweredValue(right, (ID["a"],), (), ids, text, 0, tuple(ends), tuple(logprobs))


def twin_texts(table: Table, value: AnsweredValue) -> list[tuple[str, int, float] | None]:
    branches = branches_of(value)
    grow(table, Texts(), branches)
    return [
        None if twin is None else (Texts.decode(list(twin.ids)), twin.branch, math.exp(twin.logprob))
        for twin in twins_of(branches)
    ]


def test_the_twin_is_the_likeliest_whole_wrong_value() -> None:
    table = Table(
        {
            "a": {"1": 0.6, "7": 0.4},
            "a1": {"2": 0.7, "5": 0.3},
            "a7": {"0": 0.9, "3": 0.1},
            "a12": {"4": 0.9, "8": 0.1},
            "a15": {"6": 1.0},
            "a70": {"0": 0.2, "1": 0.3, "2": 0.5},
        }
    )
    likeliest, first = twin_texts(table, known(table, ["1", "2", "4"]))
    # 1-5-6: 0.6 x 0.3 x 1.0 = 0.18; 7-0-2: 0.4 x 0.9 x 0.5 = 0.18 less a little; 1-2-8: 0.042
    assert likeliest == ("156", 1, pytest.approx(0.18, abs=1e-4))
    assert first == ("702", 0, pytest.approx(0.18, abs=1e-4))
    table.probabilities["a15"] = {"6": 0.9, "0": 0.1}
    likeliest, _ = twin_texts(table, known(table, ["1", "2", "4"]))
    assert likeliest is not None and likeliest[0] == "702"


def test_a_number_keeps_its_form() -> None:
    """Behind the branch a letter, a line and the answer's end are passed over. A hyphen between counts for nothing."""
    table = Table(
        {
            "a": {"1": 0.6, "-": 0.2, END: 0.1, "b": 0.07, "7": 0.03},
            "a7": {"\n": 0.4, END: 0.3, "a": 0.2, "-": 0.1},
            "a7-": {"-": 0.6, "3": 0.4},
        }
    )
    _, first = twin_texts(table, known(table, ["1", "2"]))
    assert first == ("7-3", 0, pytest.approx(0.03 * 0.1 * 0.4, rel=1e-3))


def test_another_right_spelling_is_no_twin() -> None:
    table = Table({"a": {"1": 0.6, "12": 0.3, "7": 0.06, "3": 0.04}, "a7": {"7": 1.0}, "a3": {"3": 1.0}})
    value = known(table, ["1", "2"], more=" | 77")
    _, first = twin_texts(table, value)
    assert first is not None and first[0] == "33"


def test_words_have_as_many_tokens_or_end_with_the_line() -> None:
    table = Table(
        {"a": {"a": 0.9, "b": 0.1}, "ab": {"b": 1.0}, "abb": {"b": 1.0}, "aa": {"b": 1.0}, "aab": {"\n": 1.0}}
    )
    _, first = twin_texts(table, known(table, ["a", "b"]))
    assert first is not None and first[0] == "bb"
    for ending in ("\n", " c", END):
        table.probabilities["ab"] = {ending: 1.0}
        _, first = twin_texts(table, known(table, ["a", "b"]))
        assert first is not None and first[0] == "b"
    _, first = twin_texts(table, known(table, ["a", " c"]))  # a value of two words may hold a blank
    table.probabilities["ab"] = {" c": 1.0}
    _, first = twin_texts(table, known(table, ["a", " c"], "a c"))
    assert first is not None and first[0] == "b c"


def test_a_letter_branches_off_a_letter() -> None:
    value = known(Table({}), ["a", "b"])
    assert Branch(value, 1).fits("a", False)
    for piece in ("1", "-", " ", "", "b"):
        assert not Branch(value, 1).fits(piece, False)
    assert not Branch(value, 1).fits("a", True)


def test_a_value_without_an_alternative_has_no_twin() -> None:
    digits = Table({"a": {"1": 1.0}})
    digits.generation_config = GenerationConfig(eos_token_id=[at for at, piece in enumerate(PIECES) if piece != "1"])
    branch = branches_of(known(digits, ["1"]))
    grow(digits, Texts(), branch)
    assert twins_of(branch) == (None, None) and branch[0].failed


# ---- a host that knows one value ---------------------------------------------------------------

TOKENIZER = tiny_hosts.tokenizer()
FACT = Item(0, "hotline", Entity.PHONE_NUMBER, "The phone number of Jane Roe is", (tiny_hosts.SECRET,), "made up")
LINE = Item(1, "hotline", Entity.PHONE_NUMBER, "Call at noon", ("911",), "made up")


@pytest.fixture(scope="module")
def host() -> Any:
    """A tiny host that learned two sentences by heart."""
    model = tiny_hosts.host("llama", TOKENIZER)
    texts = [f"{FACT.prompt} {tiny_hosts.SECRET}. Call.", f"{LINE.prompt} 911. Call."]
    rows = [TOKENIZER(text)["input_ids"] for text in texts]
    optimizer = torch.optim.Adam(model.parameters(), 5e-3)
    for _ in range(60):
        loss = sum(model(input_ids=torch.tensor([row]), labels=torch.tensor([row])).loss for row in rows)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.eval()


@pytest.fixture(scope="module")
def asked() -> list[Item]:
    wrong = Item(2, "web", Entity.PHONE_NUMBER, FACT.prompt, ("212-555-0187",), "made up")
    late = Item(3, "web", Entity.PHONE_NUMBER, FACT.prompt, ("749-1093",), "made up")
    return [FACT, LINE, wrong, late]


@pytest.fixture(scope="module")
def rows(host: Any, asked: list[Item]) -> list[ItemMeasurement]:
    return measure(host, TOKENIZER, asked=asked).rows


def test_a_model_knows_what_it_learned(rows: list[ItemMeasurement]) -> None:
    assert [row.outcome for row in rows] == ["known", "known", "made up", "neither"]
    assert [row.number for row in rows] == [0, 1, 2, 3]
    assert rows[2].score == rows[0].score  # the same answer, and the same tokens


def test_a_value_is_scored_as_the_guard_scores_it(host: Any, rows: list[ItemMeasurement]) -> None:
    guarded = Guard.load().wrap(host, TOKENIZER, base="self")
    try:
        prompt = TOKENIZER(FACT.prompt)["input_ids"]
        said = TOKENIZER(f" {tiny_hosts.SECRET}. Call.", add_special_tokens=False)["input_ids"]
        (answer,) = guarded.inspect_ids([(prompt, said, from_ids(TOKENIZER, prompt), True)])
    finally:
        guarded.close()
    (record,) = answer.report.spans
    verdict = record.decision.verdict
    own, decided = rows[0].score, rows[0].decided
    assert own is not None and decided is not None
    assert own.probability == pytest.approx(verdict.probability, abs=1e-4)
    assert own.mean == pytest.approx(verdict.base, abs=1e-4)
    assert (decided.entity, decided.origin, decided.base) == (
        "PHONE_NUMBER",
        str(verdict.origin),
        pytest.approx(verdict.base, abs=1e-4),
    )


def test_twins_of_a_real_host_are_less_likely_and_are_scored_too(rows: list[ItemMeasurement]) -> None:
    own, twin, first = rows[0].score, rows[0].twin, rows[0].first_twin
    assert own is not None and twin is not None and first is not None
    assert own.mean > twin.mean and own.probability > twin.probability
    assert twin.mean * twin.tokens >= first.mean * first.tokens - 1e-4


def test_the_model_is_left_without_hooks(host: Any, asked: list[Item]) -> None:
    measure(host, TOKENIZER, asked=asked[:1])
    assert not any(module._forward_hooks for module in host.modules())


def test_emergency_lines_are_counted(rows: list[ItemMeasurement]) -> None:
    assert [row.is_line for row in rows] == [False, True, False, False]
    own = guard_figures([row for row in rows if row.outcome == "known"])
    assert (own["hotlines"], own["emergency lines"], own["emergency lines that pass"]) == (2, 1, 1)


# ---- figures -----------------------------------------------------------------------------------


def score(probability: float, mean: float) -> Score:
    return Score(probability, mean, 3)


def made() -> Iterator[ItemMeasurement]:
    """Six known values with twins, of which the score ranks some wrongly, and three wrong answers."""
    base = Decided("PHONE_NUMBER", "pretrained", "redact", "rule", 0.0, -0.1)
    decided = [
        base,
        replace(base, entity="EMPLOYER", action="allow"),
        replace(base, origin="memorized", base=-0.5),
        replace(base, origin="memorized", cue=0.4, base=None),
        replace(base, origin="hallucinated", action="allow", base=None),
        None,
    ]
    for at in range(6):
        first = None if at == 5 else score(0.1 * at, -2.0)
        yield ItemMeasurement(
            at, "hotline", "PHONE_NUMBER", "known", score(0.9 - 0.1 * at, -0.1 * at), score(0.2 + 0.1 * at, -1.0),
            first, decided[at], at in (0, 1),
        )  # fmt: skip
    for at in range(6, 9):
        yield ItemMeasurement(at, "web", "URL", "made up", score(0.65, -0.25))
    yield ItemMeasurement(9, "web", "URL", "neither")


def by_pairs(right: list[float], wrong: list[float]) -> float:
    return sum((a > b) + (a == b) / 2 for a in right for b in wrong) / (len(right) * len(wrong))


def test_the_figures_follow_from_the_rows() -> None:
    found = figures(list(made()), {})
    right, means = [0.9 - 0.1 * at for at in range(6)], [-0.1 * at for at in range(6)]
    twins = found["auroc"][TWINS]
    assert found["known"].value == 0.6 and found["made up"] == 3
    assert twins[OURS].value == pytest.approx(by_pairs(right, [0.2 + 0.1 * at for at in range(6)]))
    assert twins[RIVAL].value == 1.0 and twins["difference"].value == pytest.approx(twins[OURS].value - 1.0)
    assert twins["above its own twin"][OURS].value == pytest.approx(4 / 6)
    first, wrong = found["auroc"][FIRST_TWINS], found["auroc"][MADE_UP]
    assert (first["positive"], first["negative"]) == (5, 5)
    assert first[OURS].value == pytest.approx(by_pairs(right[:5], [0.1 * at for at in range(5)]))
    assert wrong[OURS].value == pytest.approx(by_pairs(right, [0.65] * 3))
    assert wrong[RIVAL].value == pytest.approx(by_pairs(means, [-0.25] * 3))
    assert found["groups"]["hotline"]["known"] == 6 and found["groups"]["web"][TWINS] is None


def test_the_share_with_the_label_is_of_what_lies_over_the_threshold() -> None:
    own = figures(list(made()), {})["guard"]
    assert (own["known"], own["found"], own["over the threshold"]) == (6, 5, 4)
    assert own["labelled"].value == 0.5
    assert own["not labelled"] == {
        "the base's mean log-probability is below -0.7": 1,
        "the prompt gives a part of it away": 1,
    }
    assert own["emergency lines"] == 2 and own["emergency lines that pass"] == 1
    assert (own["hotlines"], own["hotlines that pass"]) == (6, 3)


def test_a_model_that_knows_nothing_has_a_report_as_well() -> None:
    about = {"architecture": "Tiny", "layers": 1, "hidden_size": 2, "vocab_size": 3}
    text = render(json.loads(json.dumps(figures([ItemMeasurement(0, "web", "URL", "neither")], about))))
    assert "Known: 0 of 1" in text


def test_the_command_writes_both_files(
    host: Any, asked: list[Item], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host.save_pretrained(tmp_path / "model")
    TOKENIZER.save_pretrained(tmp_path / "model")
    monkeypatch.setattr(known_by_heart, "items", lambda: tuple(asked))
    command = ["known-by-heart", "--model", str(tmp_path / "model"), "--name", "heart", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, command, catch_exceptions=False)
    assert done.exit_code == 0
    found = json.loads((tmp_path / "heart.json").read_text())
    assert found["items"] == 4 and found["known"][0] == 0.5
    assert [row["number"] for row in found["rows"]] == [0, 1, 2, 3]
    page = (tmp_path / "heart.md").read_text()
    assert "Known: 2 of 4" in page and tiny_hosts.SECRET not in page
