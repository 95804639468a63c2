"""The default finder on texts by authors who had not seen it: precision and recall by set, half and kind.

`benchmarks/unseen_texts/README.md` describes the texts and how they came about. Nothing here prints or keeps a text, a
value or what was found in one text: only totals leave this module.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reticent_bench.finder.find import Find
from reticent_bench.finder.score import Gold, f1
from reticent_bench.real_answers.labels import KINDS, is_met, lines, matches
from reticent_bench.report.metrics import share
from reticent_bench.report.result import table
from reticent_detectors.errors import InputError

SETS = ("unannounced", "numbers")
HALVES = ("practice", "unread")
NUMBERS = frozenset(["PHONE_NUMBER", "EMAIL_ADDRESS", "CREDIT_CARD", "IBAN_CODE", "BANK_ACCOUNT", "CREDIT_CARD_DIGITS"])
"""The kinds that the set `numbers` marks; found spans of other kinds are not counted there."""
_MARK = re.compile(r"\[\[([A-Z_]+):(.*?)\]\]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Text:
    """A text without its marks, the question that it answers ("" for none) and its values."""

    question: str
    text: str
    gold: tuple[Gold, ...]

    def __repr__(self) -> str:
        return f"Text(<{len(self.text)} chars>, {len(self.gold)} values)"


@dataclass(frozen=True, slots=True)
class ScoredText:
    """The values of one text, and what was found in it."""

    gold: tuple[Gold, ...]
    found: tuple[Gold, ...]

    def __repr__(self) -> str:
        return f"ScoredText({len(self.gold)} gold, {len(self.found)} found)"


def unmarked(marked: str, question: str = "") -> Text:
    """A text without its marks `[[KIND:value]]`. Raises InputError for an unknown kind or an empty value."""
    text, gold, at = "", list[Gold](), 0
    for mark in _MARK.finditer(marked):
        if mark[1] not in KINDS or not mark[2]:
            raise InputError("Expected marks [[KIND:value]] of the guide's kinds, got another kind or no value.")
        text += marked[at : mark.start()]
        gold.append(Gold(mark[1], len(text), len(text) + len(mark[2])))
        text, at = text + mark[2], mark.end()
    return Text(question, text + marked[at:], tuple(gold))


def read(folder: Path, set_: str, half: str) -> list[Text]:
    """Reads the texts of one half of a set.

    Args:
        folder: holds the files and `digests.json`, the SHA-256 of each file's lines.
        set_: one of `SETS`.
        half: one of `HALVES`.

    Raises:
        InputError: a file is missing or not the one of the digest, or a line is no such text. The message quotes no
            text.
    """
    file = folder / (f"{set_}.jsonl" if half == "practice" else f"{set_}-{half}.jsonl")
    try:
        about = json.loads((folder / "digests.json").read_text(encoding="utf-8"))[file.name]
        rows = lines(file)
    except (OSError, ValueError, KeyError) as error:
        raise InputError(
            f"Expected {file.name} and its line in digests.json in {folder} ({type(error).__name__})."
        ) from error
    if hashlib.sha256("\n".join(rows).encode()).hexdigest() != about["sha256"]:
        raise InputError(f"{file} has another digest than digests.json says; restore the file.")
    out = []
    for number, line in enumerate(rows, 1):
        try:
            row = json.loads(line)
            out.append(unmarked(row["text"], row["question"] or ""))
        except (ValueError, KeyError, TypeError, InputError) as error:
            raise InputError(
                f"{file}, line {number}: expected question and marked text ({type(error).__name__})."
            ) from None
    return out


def rows(texts: Sequence[Text], find: Find, kinds: frozenset[str] = KINDS) -> list[ScoredText]:
    """What is found of these kinds in each text, behind its question."""
    return [
        ScoredText(each.gold, tuple(s for s in find(each.text, each.question) if s.kind in kinds)) for each in texts
    ]


def figures(own: Sequence[ScoredText]) -> dict[str, Any]:
    """Computes totals over these rows.

    Returns:
        `gold`, `found`: numbers of spans. `precision` and `recall` of exact ranges, `overlap recall` and `found at
            all`:
        shares with their 95 % Clopper-Pearson intervals, None without spans to count. `exact F1`. All but `found at
            all`
        ask for the kind. `found at all` is the share of values of which a span of any kind shares half.
    """
    gold, found = sum(len(row.gold) for row in own), sum(len(row.found) for row in own)
    exact = sum(matches(row.gold, row.found, exact=True) for row in own)
    overlap = sum(matches(row.gold, row.found) for row in own)
    met = sum(any(is_met(g, s) for s in row.found) for row in own for g in row.gold)
    return {
        "gold": gold,
        "found": found,
        "precision": share(exact, found) if found else None,
        "recall": share(exact, gold) if gold else None,
        "exact F1": f1(exact / found if found else None, exact / gold if gold else None),
        "overlap precision": share(overlap, found) if found else None,
        "overlap recall": share(overlap, gold) if gold else None,
        "found at all": share(met, gold) if gold else None,
    }


def by_kind(own: Sequence[ScoredText]) -> dict[str, dict[str, Any]]:
    """The figures of every kind that is marked or found, and of all together under "all"."""
    out = {"all": figures(own)}
    for kind in sorted({span.kind for row in own for span in (*row.gold, *row.found)}):
        rows_ = [
            ScoredText(tuple(s for s in row.gold if s.kind == kind), tuple(s for s in row.found if s.kind == kind))
            for row in own
        ]
        met = sum(any(is_met(g, s) for s in row.found) for row in own for g in row.gold if g.kind == kind)
        out[kind] = figures(rows_)
        out[kind]["found at all"] = share(met, out[kind]["gold"]) if out[kind]["gold"] else None
    return out


def measure(
    folder: Path, halves: Sequence[str], find: Find, say: Callable[[str], None] = lambda line: None
) -> dict[str, Any]:
    """Figures of each set and half, by kind. Raises InputError for an unknown half or unexpected files."""
    if unknown := sorted(set(halves) - set(HALVES)):
        raise InputError(f"Unknown half {unknown[0]!r}; expected {' or '.join(HALVES)}.")
    out: dict[str, Any] = {}
    for set_ in SETS:
        for half in (half for half in HALVES if half in halves):
            texts = read(folder, set_, half)
            own = rows(texts, find, NUMBERS if set_ == "numbers" else KINDS)
            without = [row for row in own if not row.gold]
            out.setdefault(set_, {})[half] = {
                "texts": len(texts),
                "texts without a value": len(without),
                "of these with a span": sum(bool(row.found) for row in without),
                "kinds": by_kind(own),
            }
            say(f"{set_}, {half}: {len(texts)} texts")
    return out


def openings(folder: Path, name: str) -> list[str]:
    """Commits of the finders that ran on the unread half, by other result files `unseen-texts*.json` of a folder."""
    out = []
    for file in sorted(folder.glob("unseen-texts*.json")):
        about = json.loads(file.read_text(encoding="utf-8"))
        if file.stem != name and any("unread" in about.get(set_, {}) for set_ in SETS):
            out.append(f"{about['made_by']['commit']} ({file.stem})")
    return out


def render(found: Mapping[str, Any], commit: str, before: Sequence[str] = ()) -> str:
    """The page. `commit` is the finder's; `before` names those that ran on the unread half earlier."""
    text = (
        "# The finder on texts written without sight of it\n\n"
        "The default finder reads each text after its question. Its tagger learned the unannounced texts of the "
        "practice half, and the margins of its kinds were chosen on those of the other half. "
        "The unread half was opened by nobody who changes the finder; its totals alone are printed.\n"
    )
    if any("unread" in found[set_] for set_ in SETS):
        text += f"The unread half was run by the finder of commit {commit}"
        text += f"; before, by that of {', '.join(before)}.\n" if before else ", the first to run on it.\n"
    text += (
        "\nPrecision, recall and F1 ask for the kind and the exact range. "
        "*Overlap recall* asks for the kind and half of the joint range, *found at all* for half of the joint range "
        "under any kind that the guard judges. 95 % Clopper-Pearson intervals; "
        "values of one text are not independent of each other.\n"
    )
    for set_ in SETS:
        for half, own in found[set_].items():
            text += f"\n## {set_}, {half} half: {own['texts']} texts\n\n"
            if set_ == "numbers":
                text += (
                    f"Only spans of {', '.join(sorted(NUMBERS))} count. {own['texts without a value']} texts hold no "
                    f"value; {own['of these with a span']} of these got a span of these kinds.\n\n"
                )
            names = ["precision", "recall", "exact F1", "overlap recall", "found at all"]
            text += table(
                ["kind", "marked", "found", *names],
                [
                    [kind, each["gold"], each["found"], *(_cell(each[name]) for name in names)]
                    for kind, each in own["kinds"].items()
                ],
            )
    return text


def _cell(figure: Any) -> Any:
    return tuple(figure) if isinstance(figure, list | tuple) else figure
