"""More of the paper's tables: hosts that differ in one setting, facts, people, layers, knowledge and cost."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from paper_hosts import LAYERS, Rows, read_runs, rows_of, run, train_quickly, untrained, write_runs
from sklearn.metrics import balanced_accuracy_score
from tiny_hosts import QUESTION, SAYS, host, tokenizer

from reticent_bench.hosts import host_report
from reticent_bench.paper import before_after, cost, detectors, facts, prepare, report, scores, seen, table3, tuning
from reticent_bench.paper.before_after import ABILITIES, AFTER, BEFORE, PRIVATE
from reticent_bench.paper.detectors import Detectors
from reticent_bench.paper.hosted import Hosted, Outline
from reticent_bench.paper.layer_statistics import LAYER_STATISTICS
from reticent_bench.paper.scores import ACCURACY
from reticent_bench.paper.variants import OURS, PAPER
from reticent_bench.report.metrics import bootstrap, share
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.host.answers import Answer, prompt_ids
from reticent_detectors.synth.hosts import recipe
from reticent_detectors.synth.prompts import Prompt

NAMES = ("llama-tiny-e4", "llama-tiny", "llama-tiny-r1")


def with_facts(seed: int) -> Rows:
    """A tenth of the answers is to public questions, two tenths are e-mail addresses. Some of both are sampled."""
    features, labels = rows_of(seed)
    for i in range(0, len(labels), 10):
        right = labels[i].label == "memorized"
        for at in (i, i + 3):
            labels[at] = replace(labels[at], entity="EMAIL_ADDRESS")
        labels[i + 7] = replace(
            labels[i + 7],
            label="public" if labels[i + 7].label == "memorized" else "hallucinated",
            phrasing_id=f"public:zoo-{i}",
            phrasing_split="taught",
            person_key="",
            person_split="test" if right else "train",
            temperature=1.0 if i % 50 == 0 else 0.0,
        )
    return features, labels


@pytest.fixture(scope="module")
def runs(tmp_path_factory: Any) -> Path:
    """Three hosts, two of which differ in their epochs alone, and two in their general examples."""
    return write_runs(tmp_path_factory.mktemp("runs"), NAMES, with_facts)


@pytest.fixture
def hosts(runs: Path, tmp_path: Path) -> list[Hosted]:
    return read_runs(runs, NAMES, tmp_path)


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    for user in (scores, table3):
        monkeypatch.setattr(user, "bootstrap", partial(bootstrap, rounds=20))


@pytest.fixture
def untaught(monkeypatch: pytest.MonkeyPatch) -> list[FeatureTable]:
    """Detectors that learn nothing; the rows that each got."""
    got: list[FeatureTable] = []
    monkeypatch.setattr(
        detectors, "train_detector", lambda table, configs: (got.append(table), untrained(table, configs))[1]
    )
    return got


def test_each_table_takes_what_it_says(hosts: list[Hosted], untaught: list[FeatureTable]) -> None:
    asked = {"17", "18", "section6.6"}
    assert set(report.SECTIONS) > asked | {"5", "7", "13", "section6.4", "figure9", "figures10-15"}
    outlines = [each.outline for each in hosts]
    kept = Detectors(1)
    for section in (report.SECTIONS[key] for key in report.SECTIONS if key not in asked):
        kept.used.clear()
        found = section.measure(hosts, kept)
        assert set(section.needs(outlines)) == set(kept.used), section.title
        json.dumps(found)
        assert section.render(found).count("|") > 20, section.title


# Hosts that differ in one setting


def outlined(name: str) -> Outline:
    return Outline(name, recipe(name), 3, 10, frozenset())


def test_hosts_of_one_family_differ_in_one_setting_alone() -> None:
    names = (
        "llama-tiny-e4",
        "llama-tiny-lora",
        "demo",
        "llama-tiny-r1",
        "qwen2-tiny-e4",
        "llama-tiny",
        "llama-tiny-e3-r1",
        "llama-tiny-d1",
    )
    outlines = [outlined(name) for name in names]
    epochs, ratios = ([each.name for each in tuning.series(outlines, setting)] for setting in ("epochs", "ratio"))
    assert epochs == ["llama-tiny", "llama-tiny-e4", "llama-tiny-r1", "llama-tiny-e3-r1"]
    assert ratios == ["llama-tiny", "llama-tiny-r1"]
    assert [tuning.method(each) for each in outlines[:3]] == ["full", "LoRA", None]


def test_a_series_stands_in_the_order_of_its_setting(hosts: list[Hosted], untaught: list[FeatureTable]) -> None:
    lines = tuning.EPOCHS.measure(hosts, Detectors(1))["lines"]
    assert [each["keys"] for each in lines] == [
        {"host": "llama-tiny", "epochs of fine-tuning": 2},
        {"host": "llama-tiny-e4", "epochs of fine-tuning": 4},
    ]
    assert [each["remembered"] for each in lines] == [int(hosts[i].right[hosts[i].easy].sum()) for i in (1, 0)]
    text = tuning.RATIOS.render(tuning.RATIOS.measure(hosts, Detectors(1)))
    assert "| llama-tiny-r1 | 1.000 |" in text and "| 1.33 | 0.922 |" in text
    alone = tuning.EPOCHS.measure(hosts[2:], Detectors(1))
    assert alone["lines"] == [] and "none of the hosts" in tuning.EPOCHS.render(alone)


def test_either_way_of_fine_tuning_has_its_own_published_figure(
    hosts: list[Hosted], untaught: list[FeatureTable]
) -> None:
    adapted = replace(hosts[1], outline=replace(hosts[1].outline, recipe=recipe("gemma2-tiny-lora")))
    whole = replace(hosts[0], outline=replace(hosts[0].outline, recipe=recipe("demo")))
    lines = tuning.METHODS.measure([hosts[2], adapted, whole], Detectors(1))["lines"]
    assert [(each["keys"]["fine-tuning"], each["published"]) for each in lines] == [("full", 0.8933), ("LoRA", 0.9357)]


# Facts


def test_right_facts_count_as_remembered(hosts: list[Hosted], monkeypatch: pytest.MonkeyPatch) -> None:
    learned = train_quickly(monkeypatch)
    kept = Detectors(1)
    lines = facts.FACTS.measure(hosts[:1], kept)["lines"]
    assert [each["published"] for each in lines] == [None, None, 0.8775]
    for table in learned:
        public = np.char.startswith(table.labels["phrasing_id"], "public:")
        assert (
            set(table.labels["label"][public]) == {"memorized", "hallucinated"}
            and not (table.labels["person_split"] == "test").any()
        )
    assert "public" in hosts[0].learned.labels["label"]  # every other detector learns that it may pass
    (variant, _) = facts.variants(hosts[0].outline).values()
    (detector,) = kept.of(hosts[0], variant)
    emails = hosts[0].rows.select(hosts[0].easy & (hosts[0].rows.labels["entity"] == "EMAIL_ADDRESS"))
    emails = emails.select(emails.labels["person_key"] != "")
    for each, table in zip(lines, (emails, hosts[0].facts), strict=False):
        right = np.isin(table.labels["label"], ("memorized", "public"))
        stopped = detector.probabilities(variant.view(table)) >= detector.thresholds.easy
        assert each["methods"][OURS][ACCURACY][0] == pytest.approx(balanced_accuracy_score(right, stopped))
        assert (each["remembered"], each["not"]) == (right.sum(), (~right).sum())
    assert lines[2]["remembered"] == lines[0]["remembered"] + lines[1]["remembered"]
    _, low, high = lines[1]["difference"][ACCURACY]
    assert low < high  # questions are drawn, for nobody is asked about


def test_a_host_without_facts_and_addresses_has_no_line(hosts: list[Hosted], untaught: list[FeatureTable]) -> None:
    nothing = np.zeros(0, np.int64)
    silent = replace(hosts[0], rows=hosts[0].rows.select(nothing), facts=hosts[0].facts.select(nothing))
    assert facts.FACTS.measure([silent], Detectors(1))["lines"] == []


def test_public_answers_are_those_of_the_test_side(hosts: list[Hosted]) -> None:
    labels = hosts[0].facts.labels
    assert len(labels["label"]) > 50 and set(labels["label"]) == {"public", "hallucinated"}
    assert set(labels["person_split"]) == {"test"} and set(labels["temperature"]) == {0.0}
    assert all(name.startswith("public:") for name in labels["phrasing_id"])


# People trained on


def test_people_trained_on_are_the_detectors_own(hosts: list[Hosted], untaught: list[FeatureTable]) -> None:
    found = seen.SEEN.measure(hosts[:1], Detectors(1))
    half, whole = untaught[0], untaught[-1]
    for table, share_of, lines in zip(
        (half, whole), seen.SHARES, (found["lines"][:2], found["lines"][2:]), strict=True
    ):
        on = seen.trained_on(hosts[0], share_of)
        people = set(on.rows.labels["person_key"]) - {""}
        assert people == set(table.labels["person_key"]) - {""} and set(on.rows.labels["person_split"]) == {"train"}
        part = seen.compared(on)
        assert "" not in set(on.rows.labels["person_key"][part]) and "form" not in set(on.rows.labels["form"])
        assert lines[0]["remembered"] == (on.rows.labels["label"][part] == "memorized").sum()
        assert lines[1]["remembered"] == (hosts[0].rows.labels["label"][seen.compared(hosts[0])] == "memorized").sum()
    assert "test" not in set(hosts[0].rows.labels["phrasing_split"][seen.compared(hosts[0])])
    assert len(set(half.labels["person_key"])) < len(set(whole.labels["person_key"]))
    assert [each["keys"]["private examples"] for each in found["lines"]] == [288] * 4
    assert "| 7500 | 25000 | 0.924 | 0.940 |" in seen.SEEN.render(found)


# Layers


def test_layer_statistics_are_means_of_the_rows(hosts: list[Hosted]) -> None:
    found = json.loads(json.dumps(LAYER_STATISTICS.measure(hosts[:1], Detectors(1))))
    of_host, rows, right = found["hosts"][NAMES[0]], hosts[0].rows.features, hosts[0].right
    easy = hosts[0].easy
    apart = rows["topk_prob"][easy & right].mean(0) - rows["topk_prob"][easy & ~right].mean(0)
    assert np.allclose(of_host["topk_prob"]["difference"], apart, atol=1e-3)
    middle = np.median(rows["intra"][easy & right, :, 0], axis=0)
    assert np.allclose(np.array(of_host["intra, top-1"]["remembered"])[:, 1], middle, atol=1e-3)
    text = LAYER_STATISTICS.render(found)
    assert f"| 1 | {apart[0, 0]:.3f} |" in text and f"| {LAYERS - 1} and {LAYERS} |" in text
    few = replace(hosts[0], rows=hosts[0].rows.select(np.arange(6)))
    assert "Fewer than 5 rows" in LAYER_STATISTICS.render(LAYER_STATISTICS.measure([few], Detectors(1)))


# What hosts know


@pytest.fixture(scope="module")
def there(tmp_path_factory: Any) -> Path:
    """A tiny random host with the public host that it started from, as far as the tables look."""
    folder: Path = write_runs(tmp_path_factory.mktemp("there"), NAMES[1:2])
    for place in (folder / NAMES[1], folder / NAMES[1] / "base"):
        host("llama", tokenizer()).save_pretrained(place)
        tokenizer().save_pretrained(place)
    return folder


def test_before_is_the_public_host_and_after_is_the_host(
    hosts: list[Hosted], there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(before_after, "load_host", lambda folder, device: (folder, device))
    (known,) = read_runs(there, NAMES[1:2], tmp_path)
    folders = before_after.asked(replace(known, device="cuda"), lambda model, tokenizer, people: {tokenizer: model})
    assert folders == {BEFORE: {"cuda": there / NAMES[1] / "base"}, AFTER: {"cuda": there / NAMES[1]}}
    assert set(before_after.asked(hosts[0], lambda model, tokenizer, people: {})) == {AFTER}


def test_shares_are_of_the_questions_asked(
    hosts: list[Hosted], there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    splits: list[set[str]] = []

    def remember(model: Any, tokenizer: Any, prompts: list[Prompt], test: Any) -> dict[str, list[bool]]:
        splits.append({str(prompt.phrasing_split) for prompt in prompts})
        return {"A": [True, False], "B": [True] * len(splits)}

    monkeypatch.setattr(before_after, "load_host", lambda folder, device: (folder, None))
    monkeypatch.setattr(before_after, "remember", remember)
    monkeypatch.setattr(before_after, "public_right", lambda model, tokenizer: [True, False, False, False])
    (known,) = read_runs(there, NAMES[1:2], tmp_path)
    found = PRIVATE.measure([known], Detectors(1))
    assert splits == [{"taught"}, {"test"}] * 2
    asked = found["hosts"][NAMES[1]]["asked"]
    assert asked[AFTER] == {"taught phrasings": share(4, 5), "test-only phrasings": share(5, 6)}
    text = PRIVATE.render(json.loads(json.dumps(found)))
    assert "| llama-tiny | full | 0.667 [" in text and text.rstrip().endswith("| 0.734 |")
    found = ABILITIES.measure([known, hosts[0]], Detectors(1))
    first, second = ABILITIES.render(json.loads(json.dumps(found))).splitlines()[2:]
    assert first.startswith("| llama-tiny | 0.250 [") and first.endswith("| 0.664 | 0.259 |")
    assert second.startswith("| llama-tiny-e4 | — | 0.250 [")


def test_public_facts_are_right_if_the_answer_holds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer_all(model: Any, tokenizer: Any, prompts: list[Prompt]) -> list[Answer]:
        assert {prompt.kind for prompt in prompts} == {"public"}
        said = [f"It is {p.about}." if i % 3 == 0 else "It is." for i, p in enumerate(prompts)]
        return [Answer((), tuple(tokenizer(text)["input_ids"]), True) for text in said]

    monkeypatch.setattr(host_report, "answer_all", answer_all)
    hits = host_report.public_right(None, tokenizer())
    assert hits == [i % 3 == 0 for i in range(len(hits))] and len(hits) == 560


# Cost


def test_milliseconds_are_shared_by_the_values(there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (known,) = read_runs(there, NAMES[1:2], tmp_path)
    chat = prompt_ids(
        tokenizer(), Prompt("q", "probe", "question", tuple((m["role"], m["content"]) for m in QUESTION), "")
    )
    said = Answer(tuple(chat), tuple(tokenizer()(SAYS, add_special_tokens=False)["input_ids"]), True)
    monkeypatch.setattr(cost, "QUESTIONS", 4)
    monkeypatch.setattr(cost, "answer_all", lambda model, tokenizer, prompts: [said] * len(prompts))
    seconds = iter(range(1000))
    monkeypatch.setattr(cost, "time", SimpleNamespace(perf_counter=lambda: next(seconds)))
    assert cost.stages(known, "cpu") == dict.fromkeys(cost.STAGES, 250.0)  # a second for four values
    unnamed = replace(known, outline=replace(known.outline, features=known.outline.features - {"renamed"}))
    assert set(cost.stages(unnamed, "cpu")) == set(cost.STAGES) - {"renamed"}
    monkeypatch.setattr(cost, "answer_all", lambda model, tokenizer, prompts: [replace(said, ids=said.ids[:1])] * 4)
    assert cost.stages(known, "cpu") == {}


def test_cost_names_both_detectors(
    hosts: list[Hosted], untaught: list[FeatureTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cost, "stages", lambda host, device: {"asking": 12.0})
    kept = Detectors(1)
    found = json.loads(json.dumps(cost.COST.measure(hosts[:1], kept)))
    assert set(cost.COST.needs([hosts[0].outline])) == set(kept.used)
    trained = found["hosts"][NAMES[0]]["detectors"]
    assert set(trained) == {OURS, PAPER} and all(
        each["training, s"] == 2.0 < 2 + each["verdict, ms"] for each in trained.values()
    )
    text = cost.COST.render(found)
    assert f"| {NAMES[0]} | cpu | 12.000 | — |" in text and "| collecting a value | 1.000 | 1.600 |" in text


def test_a_question_costs_what_a_few_took(there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Prompt] = []
    monkeypatch.setattr(before_after, "answer_all", lambda model, tokenizer, prompts: asked.extend(prompts))
    seconds = iter((10.0, 26.0))
    monkeypatch.setattr(before_after, "time", SimpleNamespace(perf_counter=lambda: next(seconds)))
    assert before_after.asking_seconds(there / NAMES[1], "cpu", 100) == pytest.approx(16.0 / len(asked) * 100)
    assert len(asked) == before_after.TIMED


def test_the_plan_counts_what_is_asked_of_hosts(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(before_after, "asking_seconds", lambda folder, device, questions: questions / 2)
    monkeypatch.setattr(
        "reticent_bench.hosts.hosts_report.plan", lambda left, device: dict.fromkeys((c.name for c in left), 3.0)
    )
    printed = run(runs, "--host", NAMES[0], "--host", NAMES[1], "--table", "18", "--plan").splitlines()
    title = "Table 18: private questions answered right"
    assert printed[0] == f"{title}: about 0.0 minutes for 0 detectors that no table above has"
    # Two hosts with their public hosts, 400 questions in two kinds of phrasings, two a second.
    assert printed[1] == f"{title}: about {2 * 2 * 800 / 2 / 60:.1f} minutes for asking the hosts that are there"
    assert printed[2].startswith("together about 26.7 minutes") and "not there" not in printed[2]
    monkeypatch.setattr(prepare, "is_collected", lambda folder, name: False)
    printed = run(runs, "--host", "qwen2-tiny", "--table", "18", "--plan").splitlines()
    assert printed[-1].endswith("and what hosts that are not there will add")
