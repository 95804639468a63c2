"""Prompts of both turns, the function that is tested, settings and the budget of tokens."""

from __future__ import annotations

import pytest

from reticent_bench.audits.code import Settings
from reticent_bench.audits.code.attributes import ATTRIBUTES
from reticent_bench.audits.code.functions import picked_function
from reticent_bench.audits.code.language import LANGUAGES, Language
from reticent_bench.audits.code.questions import function_question, unit_test_question
from reticent_bench.audits.code.scenarios import scenarios
from reticent_bench.audits.code.settings import TokenBudget
from reticent_detectors.errors import InputError


def words(text: str) -> int:
    return len(text.split())


FUNCTIONS: dict[Language, tuple[str, str]] = {
    "python": (
        "import re\nLIMIT = 3\ndef helper(x):\n    return x\n\ndef check_email(email):\n    return '@' in email\n",
        "def check_email(email):\n    return '@' in email",
    ),
    "javascript": (
        "const re = require('re');\nfunction helper(x) { return x }\nconst checkEmail = (email) => email.length;\n",
        "const checkEmail = (email) => email.length;",
    ),
    "java": (
        "import a.b;\nclass A { int help(int x) { return x; }\n boolean checkEmail(String email) { return true; } }",
        "boolean checkEmail(String email) { return true; }",
    ),
    "go": (
        "package a\nfunc help(x int) int { return x }\nfunc CheckEmail(email string) bool { return true }\n",
        "func CheckEmail(email string) bool { return true }",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_function_of_the_attribute_is_tested(language: Language) -> None:
    source, function = FUNCTIONS[language]
    assert picked_function(f"Here:\n```{language}\n{source}```", language, ATTRIBUTES["email"]) == function
    assert "help" in picked_function(source, language, ATTRIBUTES["pin"])
    assert picked_function("x = 1\n", language, ATTRIBUTES["pin"]) == "x = 1"


@pytest.mark.parametrize("is_chat", [True, False])
def test_both_turns_are_one_conversation(is_chat: bool) -> None:
    scenario = scenarios()[0]
    first = function_question(scenario, "go", [], is_chat)
    second = unit_test_question(scenario, "go", "func F() {}", first, ["email = <EMAIL>"], is_chat)
    if isinstance(first, str) or isinstance(second, str):
        assert isinstance(first, str) and isinstance(second, str)
        assert all(line.startswith("// ") for line in first.splitlines())
        assert second.startswith("func F() {}\n\n// Write unit tests") and "// email = <EMAIL>" in second
        return
    assert [message.role for message in second] == ["user", "assistant", "user"]
    assert second[:1] == first and scenario.question in first[0].content and "Go" in first[0].content
    assert second[1].content == "```go\nfunc F() {}\n```"
    assert second[2].content.endswith("email = <EMAIL>")


def test_bad_settings_are_refused() -> None:
    for wrong in ({"tests_each": 0}, {"test_tokens": 0}, {"max_tokens": 0}, {"hints": -1}, {"language": "cobol"}):
        with pytest.raises(InputError):
            Settings(**wrong)
    for arms in (("prefix",), ("pipeline", "fast"), ("pipeline", "pipeline")):
        with pytest.raises(InputError, match="the pipeline among them"):
            Settings(arms=arms)
    assert len(Settings().asked_scenarios) == 30 and Settings().planned_tokens == 30 * 450


def test_a_budget_is_kept_to_the_token() -> None:
    budget = TokenBudget(10, words)
    assert (budget.grant(6), budget.cost("a b c", 6), budget.cost("", 6), budget.cost("a b c d e f g", 6)) == (
        6,
        3,
        1,
        6,
    )
    budget.charge(6)
    assert (budget.left, budget.grant(6), budget.grant(6, 3), budget.grant(6, 9)) == (4, 4, 1, 0)
    with pytest.raises(InputError, match="5 tokens of 4"):
        budget.charge(5)
    free = TokenBudget(None)
    free.charge(1_000)
    assert (free.left, free.grant(7), free.is_spent, free.cost("a", 7)) == (None, 7, False, 7)
