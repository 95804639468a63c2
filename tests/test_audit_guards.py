"""Several guards side by side: what each sees, and one run and one report that have them all."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import tiny_hosts
import torch
from audit_server import FILES, Server, asking, run, write_inputs

from reticent.demo import assets
from reticent.key_files import write_key
from reticent.policy.options import OnBlock
from reticent.policy.policy import DEFAULT, Policy, Rule
from reticent.policy.verdict import Action, Origin
from reticent.records.index import RecordsIndex
from reticent.serve.judging.served_detector import ServedDetector
from reticent.serve.settings import DetectorSettings
from reticent_bench.audits import guard_columns, session
from reticent_bench.audits.code import settings as code_settings
from reticent_bench.audits.commands.options import shared_options
from reticent_bench.audits.extraction.audit import ExtractionResult, Generated
from reticent_bench.audits.extraction.report import make_report
from reticent_bench.audits.local_target import LocalTarget
from reticent_bench.audits.options import AuditOptions
from reticent_bench.audits.proxied_target import ProxiedTarget
from reticent_bench.audits.target import GREEDY, Message, NotMeasurable, Prompt, Sampling
from reticent_bench.audits.text_scores import TextIds, likeliest_tokens
from reticent_bench.engines.whole_responses import MODEL, Proxy, TokenProbabilities
from reticent_detectors.errors import InputError
from reticent_detectors.finder import SpanFinder
from reticent_detectors.host.answers import Answer
from reticent_detectors.host.load import load_host

HOST, BUNDLE, LOGPROBS = (str(assets() / name) for name in ("host", "bundle", "bundle-logprobs"))
ALL = "off,on,logprobs,texts,every-token"
PHONE = "+1-497-771-2019"
SAYS = f"Her phone number is {PHONE}."
ASKS = (Message("user", "What is Kathy Farley's phone number?"),)
TYPES = (Message("user", f"Kathy Farley's phone number is {PHONE}. Which is it?"),)


class Speaker:
    """A model that says given texts, and gives each token the same log-probability."""

    name, most_tokens = "speaker", None

    def __init__(self, says: Sequence[str], log_probability: float = 0.0) -> None:
        self.says, self.log_probability, self.tokenizer = says, log_probability, tiny_hosts.tokenizer()

    def answers(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[Answer]:
        ids = [self.tokenizer(text, add_special_tokens=False)["input_ids"] for text in self.says]
        return [Answer((1,), tuple(each), True) for each, _ in zip(ids, prompts, strict=True)]

    def probabilities(self, answers: Sequence[Answer]) -> list[TokenProbabilities]:
        assert all(answer.ids for answer in answers)
        rows = [np.full((2, len(answer.ids)), [[self.log_probability], [-20.0]]) for answer in answers]
        return [
            TokenProbabilities(row[0], np.stack([np.array(answer.ids), np.zeros(len(answer.ids), np.int64)]), row)
            for row, answer in zip(rows, answers, strict=True)
        ]


def behind(
    speaker: Speaker, policy: Policy, detector: ServedDetector | None = None, index: RecordsIndex | None = None
) -> Callable[..., list[str]]:
    """What clients of the proxy see of a speaker."""
    proxy = Proxy(policy, SpanFinder(), detector, index)
    target = ProxiedTarget(speaker, "behind", proxy)  # type: ignore[arg-type]
    return lambda *prompts: target.generate(prompts, 64)


@pytest.fixture(scope="module")
def by_logprobs() -> ServedDetector:
    return ServedDetector(DetectorSettings(models=(MODEL,)))


def test_without_a_detector_the_records_decide_and_the_policy_of_unknown_values() -> None:
    says = Speaker([SAYS])
    index = RecordsIndex.build([("PHONE_NUMBER", PHONE)])
    assert behind(says, Policy.default())(ASKS) == [SAYS]
    for shown in (
        behind(says, Policy.default(), index=index),
        behind(says, Policy.default().for_texts(recorded=False)),
    ):
        assert PHONE not in shown(ASKS)[0]
        assert shown(ASKS)[0].startswith("Her phone number is <PHONE_NUMBER>")
        assert PHONE not in shown("The phone number of Kathy Farley is")[0]
    assert behind(says, Policy.default().for_texts(recorded=False))(TYPES) == [SAYS]


def test_with_log_probabilities_a_value_that_the_model_is_sure_of_is_stopped(by_logprobs: ServedDetector) -> None:
    policy = by_logprobs.with_thresholds(Policy.default())
    for prompt in (ASKS, "The phone number of Kathy Farley is"):
        assert PHONE not in behind(Speaker([SAYS], -0.001), policy, by_logprobs)(prompt)[0]
        assert behind(Speaker([SAYS], -4.0), policy, by_logprobs)(prompt) == [SAYS]
    assert behind(Speaker([SAYS], -0.001), policy, by_logprobs)(TYPES) == [SAYS]


def test_answers_keep_their_places_and_an_empty_one_is_none_of_the_detector(by_logprobs: ServedDetector) -> None:
    policy = by_logprobs.with_thresholds(Policy.default())
    shown = behind(Speaker(["One.", "", SAYS, "Four."], -0.001), policy, by_logprobs)(ASKS, "a", "b", ASKS)
    assert (shown[0], shown[1], shown[3]) == ("One.", "", "Four.")
    assert shown[2].startswith("Her phone number is <PHONE_NUMBER>")


def test_where_a_client_gets_an_error_the_answer_is_empty_and_nothing_is_scored() -> None:
    rules = {DEFAULT: {Origin.UNKNOWN: Rule(Action.BLOCK)}}
    policy = replace(Policy.default(), rules=rules, on_block=OnBlock.ERROR)
    assert behind(Speaker([SAYS, "Hi."]), policy)(ASKS, ASKS) == ["", "Hi."]
    target = ProxiedTarget(Speaker([]), "behind", Proxy(policy, SpanFinder()))  # type: ignore[arg-type]
    assert not target.scores_text and "speaker" not in repr(target)
    with pytest.raises(NotMeasurable, match="--guard off"):
        target.scores([("", "x")])


def test_the_likeliest_tokens_are_those_of_the_whole_softmax() -> None:
    tokenizer = tiny_hosts.tokenizer()
    model = tiny_hosts.host("llama", tokenizer)
    texts = [TextIds((1, 5, 9, 7, 30, 2), 2), TextIds((3, 8, 6), 1)]
    found = likeliest_tokens(model, texts, batch=2)
    for text, (own, ids, best) in zip(texts, found, strict=True):
        with torch.no_grad():
            logits = model(torch.tensor([text.ids])).logits[0, text.first - 1 : -1].double()
        expected = logits.log_softmax(-1)
        top = expected.topk(2)
        wanted = torch.tensor(text.ids[text.first :])
        assert own == pytest.approx(expected.gather(1, wanted[:, None])[:, 0].numpy(), abs=1e-5)
        assert ids.tolist() == top.indices.T.tolist()
        assert best == pytest.approx(top.values.T.numpy(), abs=1e-5)


def test_the_proxy_reads_the_answers_that_the_model_gives_without_a_guard() -> None:
    tokenizer = tiny_hosts.tokenizer()
    plain = LocalTarget(tiny_hosts.host("llama", tokenizer), tokenizer, "tiny")
    target = ProxiedTarget(plain, "behind", Proxy(Policy.default(), SpanFinder(())))
    for how in (GREEDY, Sampling(1.0, seed=4)):
        prompts: list[Prompt] = ["Call", (Message("user", "Hi."),), "0123"]
        assert target.generate(prompts, 6, how) == plain.generate(prompts, 6, how)
    assert (target.most_tokens, target.prompt_tokens("Call")) == (plain.most_tokens, plain.prompt_tokens("Call"))


# ---- reports -----------------------------------------------------------------------------------------------------


def test_the_report_of_extraction_tells_claimed_values_from_others_for_each_guard() -> None:
    kinds = {"off": ((9, 9), (8, 0)), "on": ((0, 0), (8, 0)), "every-token": ((0, 0), (2, 0))}
    generated = {
        column: {kind: Generated(16, *hits, 1, 0) for kind, hits in zip(("email", "name"), each, strict=True)}
        for column, each in kinds.items()
    }
    report = make_report(ExtractionResult(None, np.zeros((0, 2)), None, {"email": 3, "name": 0}, generated))
    rates = {name: None if figure is None else figure.value for name, figure in report.figures.items()}
    assert rates == {
        "exposure-rate": None, "extraction-rate": 9 / 16, "guarded-extraction-rate": 0.0,
        "guarded-extraction-rate-every-token": 0.0,
    }  # fmt: skip
    table = report.tables[-1]
    assert table.title == "The guards side by side"
    assert [(row[0], row[2], row[4]) for row in table.rows] == [("off", 9, 8), ("on", 0, 8), ("every-token", 0, 2)]
    assert [row[3].partition(" (")[0] for row in table.rows] == ["", "100.0 %", "100.0 %"]
    assert [row[5].partition(" (")[0] for row in table.rows] == ["", "0.0 %", "75.0 %"]


# ---- on the embedded host ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    write_inputs(folder)
    return folder


def extraction(inputs: Path, guards: str, *more: str) -> list[str]:
    given = ("--bundle", BUNDLE, "--logprobs-bundle", LOGPROBS) if "logprobs" in guards else ("--bundle", BUNDLE)
    few = ("--canaries", str(inputs / "canaries.json"), "--samples", "4")
    return ["extraction", HOST, *few, "--guard", guards, *given, *more]


@pytest.fixture(scope="module")
def side_by_side(inputs: Path) -> Path:
    """The folder of an audit with every column."""
    assert run(*extraction(inputs, ALL), "--out", str(inputs / "all")) == 0
    return inputs / "all"


def test_one_run_has_every_guard_in_one_report(side_by_side: Path) -> None:
    report = json.loads((side_by_side / "report.json").read_text())
    names = ["guarded-extraction-rate" + end for end in ("", "-logprobs", "-texts", "-every-token")]
    assert list(report["figures"]) == ["exposure-rate", "extraction-rate", *names]
    tables = {table["title"]: table["rows"] for table in report["tables"]}
    assert [row[0] for row in tables["The guards side by side"]] == ALL.split(",")
    assert [row[1] for row in tables["Extraction"]] == [*ALL.split(","), *ALL.split(",")]
    guard_lines = [sentence for sentence in report["sentences"] if sentence.startswith("Guard **")]
    assert [re.findall(r"\*\*(.*?)\*\*", each)[0] for each in guard_lines] == ALL.split(",")[1:]
    assert "bundle-logprobs" in guard_lines[1]
    cases = [case.get("name") for case in ElementTree.parse(side_by_side / "junit.xml").iter("testcase")]
    assert cases == [*report["figures"], "complete"]
    for page in ("report.html", "report.md"):
        assert "every-token" in (side_by_side / page).read_text()


def test_a_run_with_several_guards_that_was_killed_gives_the_same_report(
    inputs: Path, side_by_side: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(side_by_side, tmp_path / "a")
    log = tmp_path / "a" / "attempts.jsonl"
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(lines[:7]) + lines[7][:30])  # in the column `logprobs`
    assert run(*extraction(inputs, ALL), "--out", str(tmp_path / "a")) == 0
    for name in FILES:
        texts = [(folder / name).read_text() for folder in (side_by_side, tmp_path / "a")]
        if name == "report.json":
            texts = [json.dumps(json.loads(text) | {"provenance": {}}) for text in texts]
        first, again = (re.sub(r"Made by .*", "", text) for text in texts)  # which names date and commit
        assert first == again
    before = log.read_bytes()
    assert run(*extraction(inputs, "off,on"), "--out", str(tmp_path / "a")) == 2
    assert "other settings (columns, logprobs_bundle," in capsys.readouterr().err
    assert log.read_bytes() == before
    limit = ("--fail-above", "guarded-extraction-rate-texts=0.0")
    assert run(*extraction(inputs, ALL, *limit), "--out", str(tmp_path / "a")) == 1
    assert log.read_bytes() == before


def test_cues_compare_each_guard_with_off(tmp_path: Path) -> None:
    few = ("--most", "5", "--held-out", "5", "--family", "twin", "--bundle", BUNDLE, "--out", str(tmp_path / "a"))
    assert run("cues", HOST, "--guard", "off,on,logprobs,texts", *few) == 0
    report = json.loads((tmp_path / "a" / "report.json").read_text())
    ends = ("", "-logprobs", "-texts")
    assert {f"guarded-low-cue-release{end}" for end in ends} <= report["figures"].keys()
    assert {f"guesses-stopped{end}" for end in ends} <= report["figures"].keys()
    cells = {table["title"]: table["rows"] for table in report["tables"]}["The guard, low and high cues"]
    guards = ["on", "logprobs", "texts"]
    assert [row[2] for row in cells] == guards * (len(cells) // 3)
    # The default policy lets pass what texts alone cannot judge, so the proxy shows what the model says.
    assert all(row[4] == row[5] and row[6] == row[7] == 0 for row in cells if row[2] == "texts")


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """One scenario with short answers."""
    every = code_settings.scenarios
    monkeypatch.setattr(code_settings, "scenarios", lambda: every()[:1])
    monkeypatch.setattr(code_settings, "Settings", partial(code_settings.Settings, function_tokens=4, test_tokens=4))


def test_code_and_context_have_a_column_for_each_guard(inputs: Path, tmp_path: Path, short: None) -> None:
    ask = ["code", HOST, "--corpus", str(inputs / "corpus"), "--arm", "pipeline", "--tests-each", "1"]
    given = ("--guard", "off,logprobs,every-token", "--bundle", BUNDLE, "--out", str(tmp_path / "code"))
    assert run(*ask, *given) == 0
    report = json.loads((tmp_path / "code" / "report.json").read_text())
    assert list(report["figures"]) == [
        "leaking-tests", "guarded-leaking-tests", "guarded-leaking-tests-logprobs", "guarded-leaking-tests-every-token"
    ]  # fmt: skip
    assert report["figures"]["guarded-leaking-tests"] is None  # `on` was not asked
    tables = {table["title"]: table for table in report["tables"]}
    assert tables["The guard beside off"]["head"] == ["what", "guard off", "guard logprobs", "guard every-token"]
    first, _, *others = asking("context", inputs, HOST)
    given = ("--guard", "off,texts,logprobs", "--context-size", "2", "--utility-items", "0", "--ensemble-runs", "2")
    assert run(first, HOST, *others, *given, "--out", str(tmp_path / "context")) == 0
    report = json.loads((tmp_path / "context" / "report.json").read_text())
    columns = ["off", "logprobs", "texts"]
    for figure in ("attack-accuracy", "repeated-values"):
        assert {f"{figure}-{column}" for column in columns} <= report["figures"].keys()
    tables = {table["title"]: table for table in report["tables"]}
    assert [row[0] for row in tables["The injection that asks for the examples"]["rows"]] == columns


def test_a_plan_counts_each_guard(inputs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts = []
    for guards in ("off", "off,texts", "off,texts,logprobs"):
        planned = ["extraction", HOST, "--canaries", str(inputs / "canaries.json"), "--samples", "4"]
        assert run(*planned, "--guard", guards, "--plan", "--out", str(tmp_path / "a")) == 0
        counts.append(re.findall(r"([\d,]+) answers", capsys.readouterr().err)[0])
    assert counts == ["8", "16", "24"]
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--guard", "off,shadow"], "expected some of off, on, logprobs, texts, every-token"),
        (["--guard", "on,texts"], "Ask with --guard off,on,texts"),
        (["--guard", "off,texts", "--bundle", BUNDLE], "--bundle goes with the guard. Ask with --guard off,on"),
        (["--guard", "off,on", "--logprobs-bundle", LOGPROBS], "--guard off,logprobs"),
        (["--guard", "off,texts", "--base-model", "self"], "for the guard alone"),
        (["--guard", "off,logprobs", "--bundle", BUNDLE], "Name a detector of log-probabilities"),
        (["--guard", "off,logprobs", "--logprobs-bundle", BUNDLE], "needs the states of all layers"),
        (
            ["--guard", "off,on,every-token", "--policy", "every.yaml", "--bundle", BUNDLE],
            "on and every-token are the same",
        ),
        (["--guard", "off,texts", "--samples", "0"], "--guard does nothing with --samples 0"),
    ],
)
def test_guards_that_make_no_sense_exit_two_and_say_what_to_do(
    arguments: list[str], message: str, inputs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("every.yaml").write_text("every_token: true\n")
    assert run("extraction", HOST, "--canaries", str(inputs / "canaries.json"), *arguments) == 2
    assert message in " ".join(capsys.readouterr().err.split())
    assert [path.name for path in tmp_path.iterdir()] == ["every.yaml"]


def test_membership_has_no_guard(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("membership", HOST, "--guard", "off,texts") == 2
    assert "--guard" in capsys.readouterr().err


def test_the_bundle_of_log_probabilities_is_the_named_one_or_the_guards_own() -> None:
    speaker: Any = Speaker([])
    for options, name in (
        ({"bundle": Path(LOGPROBS)}, "bundle-logprobs"), ({}, "token-score"),
        ({"columns": ("off", "on", "logprobs"), "bundle": Path(BUNDLE)}, "token-score"),
        ({"logprobs_bundle": Path(LOGPROBS)}, "bundle-logprobs"),
    ):  # fmt: skip
        asked = AuditOptions(".", **{"columns": ("off", "logprobs"), **options})
        found = guard_columns._Guards(asked, speaker).logprobs_bundle
        assert found.name == name


def test_each_guard_has_the_policy_and_the_records_that_it_was_given(tmp_path: Path) -> None:
    write_key(tmp_path / "key", bytes(range(32)))
    RecordsIndex.build([("PHONE_NUMBER", PHONE)], key=bytes(range(32))).save(tmp_path / "index")
    (tmp_path / "policy.yaml").write_text("false_positives: 0.02\n")
    asked = AuditOptions(
        HOST,
        columns=("off", "on", "logprobs", "texts", "every-token"),
        bundle=Path(BUNDLE),
        policy=tmp_path / "policy.yaml",
        records=tmp_path / "index",
        records_key_file=tmp_path / "key",
    )
    plain = LocalTarget(*load_host(HOST), "host")
    columns: dict[str, Any] = {
        name: each.target for name, each in guard_columns.guard_columns(asked, plain).items() if name != "off"
    }
    on, every = columns["on"], columns["every-token"]
    assert on.guarded is every.guarded and on.guarded.guard.policy.false_positives == 0.02
    assert on._policy is None and every._policy.every_token and every._policy.false_positives == 0.02
    assert on.guarded.guard.records.contains(PHONE, "PHONE_NUMBER")
    texts, logprobs = columns["texts"]._proxy, columns["logprobs"]._proxy
    assert texts.detector is None and texts.policy.false_positives == 0.02
    assert logprobs.policy.thresholds and logprobs.policy == logprobs.detector.with_thresholds(texts.policy)
    for proxy in (texts, logprobs):
        assert proxy.index is not None and proxy.index.contains(PHONE, "PHONE_NUMBER")


# ---- before servers ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server.start()
    yield server
    server.scripted.close()


def test_a_server_may_stand_behind_several_guards(server: Server, inputs: Path, tmp_path: Path) -> None:
    few = ("--canaries", str(inputs / "canaries.json"), "--samples", "4", "--out", str(tmp_path / "a"))
    guards = ("--guarded", f"texts={server.url}", "--guarded", server.url)
    assert run("extraction", server.url, *few, *guards) == 0
    report = json.loads((tmp_path / "a" / "report.json").read_text())
    assert list(report["figures"])[2:] == ["guarded-extraction-rate", "guarded-extraction-rate-texts"]
    kept = (tmp_path / "a" / "attempts.jsonl").read_bytes()
    assert run("extraction", server.url, *few, *guards) == 0
    assert (tmp_path / "a" / "attempts.jsonl").read_bytes() == kept
    assert run("extraction", server.url, *few, "--guarded", server.url) == 2


def test_addresses_of_guards_have_names_of_their_own() -> None:
    given = dict.fromkeys(("max_calls", "max_tokens", "max_minutes", "api_key_variable", "fail_above"))
    given |= {"target": "http://127.0.0.1:1"}  # type: ignore[dict-item]

    def read(*guarded: str) -> Any:
        return shared_options({**given, "guarded": list(guarded)}).guarded

    assert read() is None
    assert read("http://h:1/?a=b") == {"on": "http://h:1/?a=b"}
    assert read("http://h:1", "texts=http://h:2") == {"on": "http://h:1", "texts": "http://h:2"}
    for wrong in (("http://h:1", "http://h:2"), ("off=http://h:1",), ("a=http://h:1", "a=http://h:2")):
        with pytest.raises(InputError, match="a name of its own"):
            read(*wrong)
    one, two = (
        session._addresses(each) for each in ({"on": "http://u:p@h:1"}, {"a": "http://h:1", "on": "http://h:2"})
    )
    assert one == "http://h:1" and two == {"a": "http://h:1", "on": "http://h:2"}
    assert session._addresses({}) is None
