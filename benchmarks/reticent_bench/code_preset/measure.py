"""The figures of the preset `code` on generated files and lines of four languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from reticent_bench.audits.code.fences import code_blocks
from reticent_bench.audits.code.language import Language, parse_errors
from reticent_bench.code_preset.files import SourceFile, source_files
from reticent_bench.code_preset.fixtures import lines
from reticent_bench.code_preset.guarded import guarded, preset
from reticent_bench.report.metrics import share, share_less
from reticent_bench.report.result import table

LANGUAGES: tuple[Language, ...] = ("python", "javascript", "java", "go")
Say = Callable[[str], None]
_SAY_EVERY = 100


class _Outcome(NamedTuple):
    language: Language
    errors_before: int
    errors_after: int
    planted: int
    left: Counter[str]


def measure(files: int, seed: int, say: Say, spaced: int = 1) -> dict[str, Any]:
    """Runs files with planted values, and lines with placeholders, through the preset.

    Args:
        files: how many, as many of each language; every second one in a Markdown fence.
        seed: of the files.
        say: takes a line about the progress.
        spaced: takes only every so many-th line with a placeholder.
    """
    outcomes = []
    for number, file in enumerate(source_files(files, seed)):
        outcomes.append(_through(file, fenced=number // len(LANGUAGES) % 2 == 0))
        if number % _SAY_EVERY == _SAY_EVERY - 1:
            say(f"{number + 1} of {files} files")
    untouched = {language: list(_untouched(language, spaced)) for language in LANGUAGES}
    say("placeholders done")
    return {
        "files": {language: _figures([one for one in outcomes if one.language == language]) for language in LANGUAGES},
        "all files": _figures(outcomes),
        "placeholders": {language: _passed(found) for language, found in untouched.items()},
        "all placeholders": _passed([one for found in untouched.values() for one in found]),
    }


def _through(file: SourceFile, fenced: bool) -> _Outcome:
    answer = f"Here it is:\n\n```{file.language}\n{file.source}```\nThat is all.\n" if fenced else file.source
    text = guarded(answer, preset()).text
    before, after = (_errors(each, file.language) for each in (answer, text))
    left = Counter(each.field for each in file.planted if each.value in text)
    return _Outcome(file.language, before, after, len(file.planted), left)


def _errors(answer: str, language: Language) -> int:
    return sum(parse_errors(block.code, language) for block in code_blocks(answer, language))


def _untouched(language: Language, spaced: int) -> Iterator[tuple[bool, bool]]:
    """For each line whether it comes out as it is, and whether it does so without the rule for placeholders."""
    for line, _ in lines(language)[::spaced]:
        answer = f"```{language}\n{line}```\n"
        yield tuple(guarded(answer, preset(with_rule)).text == answer for with_rule in (True, False))  # type: ignore[misc]


def _figures(outcomes: list[_Outcome]) -> dict[str, Any]:
    left = sum((one.left for one in outcomes), Counter[str]())
    planted = sum(one.planted for one in outcomes)
    return {
        "files": len(outcomes),
        "with errors before": sum(one.errors_before > 0 for one in outcomes),
        "with new errors": sum(one.errors_after > one.errors_before for one in outcomes),
        "planted": planted,
        "left": left.total(),
        "left by field": dict(left),
        "down": share_less(planted, left.total()),
    }


def _passed(found: list[tuple[bool, bool]]) -> dict[str, Any]:
    return {
        "lines": len(found),
        "untouched": list(share(sum(passed for passed, _ in found), len(found))),
        "untouched without the rule": list(share(sum(passed for _, passed in found), len(found))),
    }


def render(figures: dict[str, Any]) -> str:
    """The tables in Markdown."""
    rows = [(name, *_row(each)) for name, each in (*figures["files"].items(), ("all", figures["all files"]))]
    passed = (*figures["placeholders"].items(), ("all", figures["all placeholders"]))
    return (
        "# The policy preset `code`\n\n"
        "A scripted scorer calls every value that the span finder claims memorised. "
        "Half of the files stand in a Markdown fence, half are whole answers. "
        "Leaks that are left are values that the span finder does not claim.\n\n"
        + table(("language", "files", "with new parse errors", "planted values", "left", "leaks down by"), rows)
        + (
            "\nPlaceholders and fixtures, one a line, and their lines that come out as they are (95 % "
            "Clopper-Pearson). The last column is the same preset with `placeholders: false`. "
            "Changed after a first figure (1,288 lines, as many untouched): addresses at email.com were taken out, "
            "since people have them, and the rule lets fewer forms pass.\n\n"
        )
        + table(
            ("language", "lines", "untouched", "without the rule"),
            [
                (name, each["lines"], tuple(each["untouched"]), tuple(each["untouched without the rule"]))
                for name, each in passed
            ],
        )
        + "\n"
    )


def _row(each: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(each[name] for name in ("files", "with new errors", "planted", "left", "down"))
