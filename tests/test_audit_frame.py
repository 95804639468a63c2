"""What all audits share: attempt log, budget, targets, report, and a run that is interrupted."""

from __future__ import annotations

import json
import math
import stat
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import numpy as np
import pytest
import tiny_hosts
import torch

from reticent.guard import Guard
from reticent_bench.audits import session, text_scores
from reticent_bench.audits.budget import Budget, BudgetSpent, MeteredTarget
from reticent_bench.audits.local_target import LocalTarget
from reticent_bench.audits.open_targets import open_targets
from reticent_bench.audits.options import AuditOptions
from reticent_bench.audits.planning import Plan, PlanningTarget
from reticent_bench.audits.report import (
    Limit,
    Plot,
    Report,
    Series,
    Table,
    exit_code,
)
from reticent_bench.audits.report_files import junit, write_report
from reticent_bench.audits.resumable_attempts import AttemptLog
from reticent_bench.audits.served_target import ServedTarget, TargetUnavailable, public_address
from reticent_bench.audits.target import GREEDY, NOT_MEASURABLE, Message, NotMeasurable, Prompt, Sampling, TokenScores
from reticent_bench.audits.targets import Column, Targets
from reticent_bench.audits.text_scores import TextIds
from reticent_bench.report.metrics import Interval
from reticent_detectors.errors import InputError

VALUE = "jane.roe@example.com"


class Answers:
    """A target that answers every prompt alike."""

    name, scores_text = "answers", True

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        return ["yes"] * len(prompts)

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        one = np.array([-1.0])
        return [TokenScores((0,), one, one, one)] * len(pairs)


# ---- the attempt log ---------------------------------------------------------------------------------------------


def test_an_attempt_is_made_once_and_read_back_by_the_next_run(tmp_path: Path) -> None:
    log, calls = AttemptLog(tmp_path, {"seed": 1}, Budget()), list[int]()
    for _ in range(2):
        assert log.attempt("a/1", lambda: calls.append(1) or {"hit": True, "bits": [1.5, None]}) == {
            "hit": True,
            "bits": [1.5, None],
        }
    again = AttemptLog(tmp_path, {"seed": 1}, Budget())
    assert again.attempt("a/1", lambda: calls.append(2) or {}) == {"hit": True, "bits": [1.5, None]}
    assert (calls, len(again), again.asked) == ([1], 1, 0)


def test_a_text_is_kept_as_keyed_hash_and_the_file_is_its_owners(tmp_path: Path) -> None:
    log = AttemptLog(tmp_path / "a", {}, Budget())
    outcome = log.attempt("k", lambda: {"text": [VALUE, VALUE, "other"], "hit": True})
    assert VALUE not in log.path.read_text()
    assert outcome["text"][0] == outcome["text"][1] == log.digest(VALUE) != outcome["text"][2]
    assert (
        stat.S_IMODE(log.path.stat().st_mode) == stat.S_IMODE((tmp_path / "a" / "attempts.key").stat().st_mode) == 0o600
    )
    assert AttemptLog(tmp_path / "a", {}, Budget()).digest(VALUE) == log.digest(VALUE)
    assert AttemptLog(tmp_path / "b", {}, Budget()).digest(VALUE) != log.digest(VALUE)  # another folder, another key


def test_with_reveal_the_text_is_kept(tmp_path: Path) -> None:
    log = AttemptLog(tmp_path, {}, Budget(), reveal=True)
    log.attempt("k", lambda: {"text": VALUE})
    assert VALUE in log.path.read_text()


@pytest.mark.parametrize(
    "outcome", [{"a": VALUE}, {"a": [[VALUE]]}, {VALUE: 1}, {"a": math.nan}, {"a": object()}, {"a": {"b": "4556"}}]
)
def test_an_outcome_that_could_hold_a_value_is_refused_and_not_shown(tmp_path: Path, outcome: dict[str, Any]) -> None:
    log = AttemptLog(tmp_path, {}, Budget())
    with pytest.raises(InputError) as error:
        log.attempt("k", lambda: outcome)
    assert VALUE not in str(error.value)
    assert len(log) == 0


@pytest.mark.parametrize("key", ["", VALUE, "A", "a b", "x" * 161])
def test_a_key_that_could_hold_a_value_is_refused_and_not_shown(tmp_path: Path, key: str) -> None:
    with pytest.raises(InputError, match="key of lower-case") as error:
        AttemptLog(tmp_path, {}, Budget()).attempt(key, dict)
    assert not key or key not in str(error.value)


def test_a_line_that_was_cut_off_is_asked_for_again(tmp_path: Path) -> None:
    log = AttemptLog(tmp_path, {}, Budget())
    for key in ("a", "b"):
        log.attempt(key, lambda: {"n": 1})
    log.path.write_bytes(log.path.read_bytes()[:-5])
    again = AttemptLog(tmp_path, {}, Budget())
    assert len(again) == 1
    assert again.attempt("b", lambda: {"n": 2}) == {"n": 2}
    assert [json.loads(line).get("key") for line in log.path.read_text().splitlines()] == [None, "a", "b"]


def test_other_settings_are_refused_and_named(tmp_path: Path) -> None:
    AttemptLog(tmp_path, {"seed": 1, "samples": 3}, Budget())
    with pytest.raises(InputError, match=r"other settings \(samples, seed\)"):
        AttemptLog(tmp_path, {"seed": 2}, Budget())


@pytest.mark.parametrize("content", ["nonsense\n", "[1]\n", '{"settings": {}}\n{"k": 1}\n'])
def test_a_file_that_is_no_log_is_refused_and_left_alone(tmp_path: Path, content: str) -> None:
    (tmp_path / "attempts.jsonl").write_text(content)
    with pytest.raises(InputError, match="no attempt log"):
        AttemptLog(tmp_path, {}, Budget())
    assert (tmp_path / "attempts.jsonl").read_text() == content


# ---- the budget --------------------------------------------------------------------------------------------------


def test_a_call_that_would_exceed_the_budget_is_not_made() -> None:
    budget = Budget(max_calls=3, max_tokens=100)
    target = MeteredTarget(Answers(), budget, len)
    target.generate(["a", "b"], 30)
    with pytest.raises(BudgetSpent, match="100 tokens"):
        target.generate(["a"], 41)
    assert target.scores([("", "x" * 40)])
    with pytest.raises(BudgetSpent, match="3 calls"):
        target.generate(["a"], 1)
    assert (budget.calls, budget.tokens) == (3, 100)


def test_time_counts_from_the_first_call_and_with_the_runs_before() -> None:
    now = [1_000.0]
    budget = Budget(max_minutes=1, clock=lambda: now[0], seconds=30)
    budget.spend(1, 1)
    now[0] += 30
    budget.spend(1, 1)
    now[0] += 1
    with pytest.raises(BudgetSpent, match="1 minutes"):
        budget.spend(1, 1)


def test_what_earlier_runs_used_counts_after_a_restart(tmp_path: Path) -> None:
    budget = Budget()
    log = AttemptLog(tmp_path, {}, budget)
    target = MeteredTarget(Answers(), budget, len)
    log.attempt("a", lambda: {"n": len(target.generate(["a", "b"], 5))})
    later = Budget(max_calls=3)
    AttemptLog(tmp_path, {}, later)
    assert (later.calls, later.tokens) == (2, 10)
    with pytest.raises(BudgetSpent):
        later.spend(2, 1)


def test_what_an_unfinished_attempt_cost_counts_after_a_restart(tmp_path: Path) -> None:
    budget = Budget(max_calls=3)
    log = AttemptLog(tmp_path, {}, budget)
    target = MeteredTarget(Answers(), budget, len)

    def two_turns() -> dict[str, int]:
        return {"n": len(target.generate(["a"] * 2, 5)) + len(target.generate(["b"] * 2, 5))}

    with pytest.raises(BudgetSpent):
        log.attempt("a", two_turns)
    log.close()
    log.close()  # says nothing new
    later = Budget()
    assert len(AttemptLog(tmp_path, {}, later)) == 0
    assert (later.calls, later.tokens) == (2, 10)
    assert len(log.path.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    "limits",
    [{"max_calls": 0}, {"max_tokens": -1}, {"max_minutes": 0.0}, {"max_minutes": math.nan}, {"max_minutes": math.inf}],
)
def test_a_limit_that_is_no_number_above_zero_is_refused_and_named(limits: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="--max-"):
        Budget(**limits)


# ---- targets -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def local() -> LocalTarget:
    tokenizer = tiny_hosts.tokenizer()
    return LocalTarget(tiny_hosts.host("llama", tokenizer), tokenizer, "tiny", batch=2)


def test_scores_are_those_of_the_model_one_text_at_a_time(local: LocalTarget) -> None:
    tokenizer, model = tiny_hosts.tokenizer(), tiny_hosts.host("llama", tiny_hosts.tokenizer())
    texts = ["Jane Roe is a b c", "Call at noon.", "0123"]
    for text, found in zip(texts, local.scores([("What is ", text) for text in texts]), strict=True):
        ids = torch.tensor(
            [[tokenizer.bos_token_id, *tokenizer("What is " + text, add_special_tokens=False)["input_ids"]]]
        )
        with torch.no_grad():
            logs = model(ids).logits[0].double().log_softmax(-1)
        n = len(found.token_ids)
        assert ids[0, -n:].tolist() == list(found.token_ids)
        assert tokenizer.decode(ids[0, -n:]).strip() == text
        rows = logs[-n - 1 : -1]
        assert found.log_probs == pytest.approx(rows.gather(1, ids[0, -n:, None])[:, 0].numpy(), abs=1e-5)
        weights = rows.exp()
        means = (weights * rows).sum(1)
        assert found.means == pytest.approx(means.numpy(), abs=1e-5)
        spread = (weights * (rows - means[:, None]) ** 2).sum(1).sqrt()
        assert found.deviations == pytest.approx(spread.numpy(), abs=1e-4)


def test_a_chat_and_an_empty_prompt_can_be_scored_behind(local: LocalTarget) -> None:
    chat = (Message("user", "What is the phone number of Jane Roe?"),)
    after_chat, after_nothing = local.scores([(chat, "Call at noon."), ("", "Call at noon.")])
    assert after_chat.token_ids == after_nothing.token_ids
    assert not np.allclose(after_chat.log_probs, after_nothing.log_probs)
    with pytest.raises(InputError, match="empty"):
        local.scores([("a", "")])


def test_sampling_follows_its_seed_and_top_k_one_is_greedy(local: LocalTarget) -> None:
    prompts: list[Prompt] = [
        "Call",
        (Message("user", "Jane?"),),
        (Message("user", "Jane?"), Message("assistant", "Call")),
    ]
    greedy = local.generate(prompts, 8)
    assert local.generate(prompts, 8, Sampling(1.0, top_k=1, seed=3)) == greedy
    drawn = [local.generate(prompts, 8, Sampling(1.0, seed=seed)) for seed in (3, 3, 4)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_the_guard_changes_what_comes_out_and_hides_scores(tmp_path: Path) -> None:
    tokenizer = tiny_hosts.tokenizer()
    model = tiny_hosts.host("llama", tokenizer)
    guard = Guard.load(tiny_hosts.bundle(tmp_path / "b", model), tiny_hosts.STOP_ALL).wrap(model, tokenizer)
    target = LocalTarget(model, tokenizer, "tiny", guard)
    asked: list[Prompt] = [
        (Message("user", "What is the phone number of Jane Roe?"), Message("assistant", "The phone number is "))
    ]
    seen = list[Any]()
    original = guard.answers
    guard.answers = lambda *given, **options: seen.append(given) or original(*given, **options)  # type: ignore[method-assign]
    assert len(target.generate(asked, 4)) == 1
    ((_, views),) = seen
    assert views[0].context.left.endswith("The phone number is ")  # a prefilled turn is continued
    with pytest.raises(NotMeasurable, match="--guard off"):
        target.scores([("a", "b")])


def server(
    completion: Callable[[dict[str, Any]], dict[str, Any]], models: Sequence[str] = ("m",)
) -> httpx.MockTransport:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/v1/models":
            return httpx.Response(200, json={"data": [{"id": name} for name in models]})
        body = json.loads(request.content)
        return httpx.Response(200, json={"choices": [completion({**body, "path": request.url.path})]})

    return httpx.MockTransport(answer)


def echoing(body: dict[str, Any]) -> dict[str, Any]:
    """A server whose tokens are words, each a nat less likely than the last, and which echoes prompts."""
    if body.get("echo"):
        words = body["prompt"].split(" ")
        starts = [sum(len(w) + 1 for w in words[:n]) for n in range(len(words))]
        return {
            "text": "",
            "logprobs": {
                "text_offset": [*starts, len(body["prompt"])],
                "token_logprobs": [None, *[-float(n) for n in range(1, len(words) + 1)]],
            },
        }
    return {
        "text": f"text {body['max_tokens']}",
        "message": {"content": f"chat {body['temperature']} {body.get('top_k')}"},
    }


def test_a_server_answers_chats_and_texts_and_scores_what_it_echoes() -> None:
    with ServedTarget("http://user:pw@127.0.0.1:9/v1/", transport=server(echoing)) as target:
        assert target.name == "m at 127.0.0.1:9"
        assert target.generate(["One", (Message("user", "Two"),)], 7, Sampling(0.5, 40, 1)) == ["text 7", "chat 0.5 40"]
        (found,) = target.scores([("a b ", "c d")])
        assert found.log_probs.tolist() == [-2.0, -3.0]
        assert np.isnan(found.means).all()
        with pytest.raises(NotMeasurable, match="chat route"):
            target.scores([((Message("user", "Two"),), "x")])


def test_a_server_that_does_not_echo_scores_nothing_and_says_so() -> None:
    target = ServedTarget("http://127.0.0.1:9", transport=server(lambda body: {"text": "x"}))
    assert not target.scores_text
    with pytest.raises(NotMeasurable, match="checkpoint folder"):
        target.scores([("a", "b")])


def test_equal_prompts_are_sampled_with_different_seeds() -> None:
    target = ServedTarget("http://127.0.0.1:9", transport=server(lambda body: {"text": str(body.get("seed"))}))
    assert target.generate(["a", "a", "b"], 3, Sampling(1.0, seed=7)) == ["7", "8", "9"]


@pytest.mark.parametrize("url", ["http://user:pw@host:8000/v1/?api_key=s#x", "http://host:8000/v1"])
def test_an_address_is_shown_without_what_may_be_secret(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert public_address(url) == "http://host:8000/v1"
    monkeypatch.setattr(session, "command_line", lambda: f"reticent audit cues {url} --guarded {url}")
    assert session._command() == "reticent audit cues http://host:8000/v1 --guarded http://host:8000/v1"


def test_a_server_that_answers_chats_alone_says_so() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/chat/completions"):
            return httpx.Response(200, json={"choices": [{"message": {"content": "yes"}}]})
        return httpx.Response(404)

    target = ServedTarget("http://127.0.0.1:9", "m", transport=httpx.MockTransport(answer))
    assert target.generate([(Message("user", "?"),)], 3) == ["yes"]
    with pytest.raises(NotMeasurable, match="chats alone"):
        target.generate(["?"], 3)


def test_a_server_without_models_or_with_an_error_has_its_own_error() -> None:
    with pytest.raises(InputError, match="--model"):
        ServedTarget("http://127.0.0.1:9", transport=server(echoing, models=()))
    with pytest.raises(TargetUnavailable, match="status 401"):
        ServedTarget("http://127.0.0.1:9", transport=httpx.MockTransport(lambda request: httpx.Response(401)))
    with pytest.raises(TargetUnavailable, match="running at this address"):
        ServedTarget("http://127.0.0.1:1")
    with pytest.raises(InputError, match="such as http://"):
        ServedTarget("ftp://x")


# ---- the report --------------------------------------------------------------------------------------------------

REPORT = Report(
    "extraction", "An <audit>", ("It counts **what** comes out.",),
    (Table("T", ("kind", "rate"), (("e-mail", (0.5, 0.4, 0.6)), ("phone", NOT_MEASURABLE), ("n", float("nan"))),
           "A note."),),
    (Plot("P", "x", "y",
          (Series("fit", (0.0, 1.0), (0.0, 1.0), (0.0, 0.5), (0.1, 1.5)),
           Series("points", (0.5,), (0.5,), points=True))),),
    {"escape": Interval(0.01, 0.0, 0.03), "other": None},
    {"command": "reticent audit", "seed": 0, "date": "2026-01-01", "commit": "c", "machine": "m", "python": "3",
     "versions": {}},
)  # fmt: skip


def test_the_page_holds_all_and_nothing_from_elsewhere(tmp_path: Path) -> None:
    write_report(tmp_path, REPORT, [Limit("escape", 0.02)])
    page = (tmp_path / "report.html").read_text()
    for part in (
        "An &lt;audit&gt;",
        "<strong>what</strong>",
        "0.500 [0.400, 0.600]",
        NOT_MEASURABLE,
        "<svg",
        "A note.",
        "reticent audit",
    ):
        assert part in page
    assert "<script" not in page and "http" not in page.replace("http://www.w3.org", "")
    text = (tmp_path / "report.md").read_text()
    for part in (
        "# An <audit>",
        "| escape | 0.010 [0.000, 0.030] |",
        f"| other | {NOT_MEASURABLE} |",
        "A note.",
        "Made by `reticent audit`",
    ):
        assert part in text
    kept = json.loads((tmp_path / "report.json").read_text())
    assert kept["figures"] == {"escape": [0.01, 0.0, 0.03], "other": None}
    assert kept["tables"][0]["rows"][2][1] is None
    write_report(tmp_path / "again", REPORT, [Limit("escape", 0.02)])
    assert (tmp_path / "again" / "report.html").read_text() == page


@pytest.mark.parametrize(
    ("limits", "complete", "code"),
    [
        ([], True, 0), ([], False, 3), ([Limit("escape", 0.03)], True, 0), ([Limit("escape", 0.029)], True, 1),
        ([Limit("escape", 0.029)], False, 1), ([Limit("escape", 0.03)], False, 3), ([Limit("other", 0.5)], True, 3),
    ],
)  # fmt: skip
def test_the_upper_end_is_held_against_the_limit_and_what_is_incomplete_never_passes(
    limits: list[Limit], complete: bool, code: int
) -> None:
    report = Report(**{**{name: getattr(REPORT, name) for name in REPORT.__slots__}, "complete": complete})
    assert exit_code(report, limits) == code


def test_junit_says_which_figure_is_above_its_limit() -> None:
    suite = ElementTree.fromstring(junit(REPORT, [Limit("escape", 0.02)]))
    assert suite.attrib | {"name": ""} == {"name": "", "tests": "3", "failures": "1", "skipped": "1", "errors": "0"}
    cases = {case.attrib["name"]: [child.tag for child in case] for case in suite}
    assert cases == {"escape": ["failure"], "other": ["skipped"], "complete": []}


@pytest.mark.parametrize(
    ("text", "message"),
    [("x=1", "no figure"), ("escape", "NAME=LIMIT"), ("escape=high", "NAME=LIMIT"), ("escape=inf", "NAME=LIMIT")],
)
def test_a_limit_that_cannot_be_read_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Limit.parse(text, ("escape", "other"))


# ---- a run -------------------------------------------------------------------------------------------------------


def ten_questions(targets: dict[str, Any], base: Any, attempt: Any) -> dict[str, int]:
    return {
        name: sum(
            attempt(f"{name}/{n}", lambda target=target: {"n": len(target.generate(["q"], 5)[0])})["n"]
            for n in range(10)
        )
        for name, target in targets.items()
    }


def as_report(found: dict[str, int]) -> Report:
    return Report(
        "ten", "Ten", (), (Table("T", ("column", "n"), tuple(found.items())),), (), {"n": Interval(found["off"], 0, 1)}
    )


@pytest.fixture
def one_target(monkeypatch: pytest.MonkeyPatch) -> list[Answers]:
    from contextlib import contextmanager

    targets = [Answers()]

    @contextmanager
    def opened(options: AuditOptions) -> Any:
        yield Targets({"off": Column(targets[0], len)})

    monkeypatch.setattr(session, "open_targets", opened)
    return targets


def run(out: Path, *, budget: Budget | None = None, **options: Any) -> tuple[int, list[str]]:
    lines = list[str]()
    model = out.parent / "model"
    model.mkdir(exist_ok=True)
    asked = AuditOptions(str(model), budget=budget or Budget(), out=out, **options)
    return session.run_audit("ten", asked, ten_questions, as_report, {}, lines.append), lines


def test_a_spent_budget_exits_three_and_a_larger_one_continues_to_the_same_report(
    tmp_path: Path, one_target: list[Answers]
) -> None:
    whole, _ = run(tmp_path / "whole")
    code, lines = run(tmp_path / "cut", budget=Budget(max_calls=4))
    assert (whole, code) == (0, 3)
    assert any("budget of 4 calls" in line for line in lines)
    assert json.loads((tmp_path / "cut" / "report.json").read_text())["complete"] is False
    code, _ = run(tmp_path / "cut", budget=Budget(max_calls=10))
    assert code == 0
    reports = [json.loads((tmp_path / name / "report.json").read_text()) for name in ("whole", "cut")]
    for report in reports:
        del report["provenance"]
    assert reports[0] == reports[1]


def test_a_run_that_was_killed_continues_and_asks_only_the_rest(tmp_path: Path, one_target: list[Answers]) -> None:
    class Dies(Answers):
        left = 4

        def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
            if max_new_tokens == 5:  # the plan asks a shorter question first
                self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
            return super().generate(prompts, max_new_tokens)

    one_target[0] = Dies()
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path)
    later = Dies()
    later.left = 6
    one_target[0] = later
    assert run(tmp_path)[0] == 0
    assert later.left == 0


def test_a_plan_counts_and_writes_nothing(tmp_path: Path, one_target: list[Answers]) -> None:
    code, lines = run(tmp_path / "out", plan=True)
    assert code == 0
    assert "10 attempts: 10 answers of at most 50 new tokens" in lines[0]
    assert not (tmp_path / "out").exists()


def test_a_model_that_was_changed_is_not_continued(tmp_path: Path, one_target: list[Answers]) -> None:
    assert run(tmp_path / "out")[0] == 0
    (tmp_path / "model" / "config.json").write_text("{}")
    with pytest.raises(InputError, match=r"other settings \(target\)"):
        run(tmp_path / "out")


def test_a_server_that_fails_half_way_is_incomplete_and_continued(tmp_path: Path, one_target: list[Answers]) -> None:
    class Fails(Answers):
        left = 4

        def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
            self.left -= 1
            if self.left < 0:
                raise TargetUnavailable("The server cannot be asked.")
            return super().generate(prompts, max_new_tokens)

    one_target[0] = Fails()
    assert run(tmp_path / "out")[0] == 3
    one_target[0] = Answers()
    assert run(tmp_path / "out")[0] == 0


def test_a_share_of_nothing_is_not_measured(tmp_path: Path, one_target: list[Answers]) -> None:
    asked = AuditOptions(str(tmp_path), out=tmp_path / "out", fail_above=("n=0.5",))
    nothing = replace(as_report({"off": 1}), figures={"n": Interval(math.nan, 0.0, 1.0)})
    assert session.run_audit("ten", asked, ten_questions, lambda found: nothing, {}, lambda line: None) == 3
    assert json.loads((tmp_path / "out" / "report.json").read_text())["figures"] == {"n": None}


def test_an_unknown_figure_is_refused_before_anything_is_asked(tmp_path: Path, one_target: list[Answers]) -> None:
    with pytest.raises(InputError, match="expected one of n"):
        run(tmp_path / "out", fail_above=("x=1",))
    assert not (tmp_path / "out").exists()


SERVER = "http://127.0.0.1:1"


def test_a_target_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="no folder"), open_targets(AuditOptions("nowhere")):
        pass


@pytest.mark.parametrize(
    ("target", "options", "message"),
    [
        (".", {"columns": ("maybe",)}, "off,on"), (".", {"columns": ()}, "off,on"),
        (".", {"guarded": "http://127.0.0.1:9"}, "address of a server.*--guard off,on"),
        (".", {"model": "m"}, "--model goes with the address of a server"),
        (".", {"api_key_variable": "KEY", "api_key": "k"}, "--api-key-variable goes with the address of a server"),
        (".", {"records": Path("x")}, "together"), (".", {"records_key_file": Path("x")}, "together"),
        (".", {"columns": ("off",), "bundle": Path("x")}, "--bundle goes with the guard"),
        (".", {"columns": ("off",), "policy": Path("x")}, "--policy goes with the guard"),
        (".", {"columns": ("off",), "records": Path("x"), "records_key_file": Path("x")},
         "--records goes with the guard"),
        (".", {"columns": ("off",), "base_model": "self"}, "for the guard alone"),
        (".", {"asks_guard": False, "base_model": "self"}, "for the guard alone"),
        (".", {"columns": ("off",), "base_model": "x", "asks_base": False}, "for the guard alone"),
        (SERVER, {"base_model": "self"}, "--base-model goes with a folder"),
        (SERVER, {"reference_model": Path("x")}, "--reference-model goes with a folder"),
        (SERVER, {"device": "cpu"}, "--device goes with a folder.*server decides"),
        (SERVER, {"dtype": "float32"}, "--dtype goes with a folder.*server decides"),
        (SERVER, {"columns": ("off", "on")}, "--guard goes with a folder.*--guarded"),
        (SERVER, {"bundle": Path("x")}, "--bundle goes with a folder.*--guarded"),
        (SERVER, {"api_key_variable": "KEY"}, "variable that is not set"),
    ],
)  # fmt: skip
def test_an_option_that_would_be_ignored_is_refused(target: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        AuditOptions(target, **options)


def test_a_planning_target_counts_texts_and_answers() -> None:
    plan = Plan()
    target = PlanningTarget(Answers(), plan, len)
    assert target.generate(["a", "b"], 5) == ["", ""]
    assert len(target.scores([("", "abc")])) == 1
    assert (plan.answers, plan.new_tokens, plan.texts, plan.text_tokens) == (2, 10, 1, 3)


# ---- scores of texts ---------------------------------------------------------------------------------------------


def whole_softmax(model: Any, text: TextIds) -> list[np.ndarray[Any, Any]]:
    """The figures of a text scored alone, with the whole softmax of all its places in float64."""
    with torch.no_grad():
        logits = model(torch.tensor([text.ids])).logits[0, text.first - 1 : -1].double()
    logs = logits.log_softmax(-1)
    means = (logs.exp() * logs).nansum(-1)
    squares = (logs.exp() * logs.square()).nansum(-1)
    chosen = logs.gather(1, torch.tensor(text.ids[text.first :])[:, None])[:, 0]
    return [each.numpy() for each in (chosen, means, (squares - means.square()).clamp(min=0).sqrt())]


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_scores_in_blocks_are_those_of_the_whole_softmax(scale: float, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = tiny_hosts.tokenizer()
    model = tiny_hosts.host("llama", tokenizer)
    if scale != 1.0:  # a model that scales its logits behind the output layer
        original = model.forward

        def scaled(*given: Any, **options: Any) -> Any:
            output = original(*given, **options)
            output.logits = output.logits * scale
            return output

        monkeypatch.setattr(model, "forward", scaled)
    monkeypatch.setattr(text_scores, "BLOCK_LOGITS", 3 * len(tokenizer))
    texts = [TextIds((1, *range(5, 5 + count)), first) for count, first in ((9, 1), (4, 2), (9, 1), (6, 4))]
    for text, found in zip(texts, text_scores.score_texts(model, texts, batch=2), strict=True):
        assert found.token_ids == text.ids[text.first :]
        wanted = whole_softmax(model, text)
        for got, right in zip((found.log_probs, found.means, found.deviations), wanted, strict=True):
            assert got == pytest.approx(right, abs=1e-5)


def test_each_text_is_scored_once_in_batches_by_length_and_logits_are_held_in_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tokenizer = tiny_hosts.tokenizer()
    model = tiny_hosts.host("llama", tokenizer)
    monkeypatch.setattr(text_scores, "BLOCK_LOGITS", 4 * len(tokenizer))
    read, projected = list[tuple[int, ...]](), list[int]()
    model.model.register_forward_pre_hook(
        lambda module, given, options: read.append(tuple(options["input_ids"].shape)), with_kwargs=True
    )
    model.lm_head.register_forward_hook(
        lambda module, given, output: projected.append(output.numel() // len(tokenizer))
    )
    texts = [TextIds((1, *range(5, 5 + count)), 1) for count in (9, 3, 9, 4, 8)]
    text_scores.score_texts(model, texts, batch=2)
    assert read == [(2, 5), (2, 10)]  # 4 different texts: of 3 and 4 tokens, then of 8 and 9
    assert max(projected) == 4 and sum(projected) == 3 + 4 + 8 + 9 + 2 * 2  # and a place twice, to compare


def test_a_logit_of_minus_infinity_adds_nothing() -> None:
    logits = torch.tensor([[0.0, 0.0, -torch.inf]])
    chosen, means, deviations = text_scores.token_moments(logits, torch.tensor([1]))
    assert (chosen[0], means[0], deviations[0]) == pytest.approx((-math.log(2), -math.log(2), 0.0))
