"""What an audit measures over which target: as a report shows it, and as the table of `docs/audit.md` says it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

YES, NO, REFUSED = "yes", "not measurable", "refused by the guard"
FOLDER, ECHOES, CHATS, GUARDED = "folder", "server that echoes", "server of chats alone", "`reticent serve`"
_DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "audit.md"


def documented(audit: str, target: str) -> dict[str, str]:
    """What the document says of an audit's rows over a target."""
    lines = [line for line in _DOCUMENT.read_text().splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]
    head = next(row for row in rows if row[:2] == ["audit", "what is measured"])
    own = [dict(zip(head, row, strict=True)) for row in rows if len(row) == len(head) and row[0] == f"`{audit}`"]
    return {row["what is measured"]: row[target] for row in own}


def measured(audit: str, report: dict[str, Any]) -> dict[str, str]:
    """What a report shows of them."""
    refused = any(REFUSED in sentence for sentence in report["sentences"])
    return {row: YES if yes else REFUSED if refused else NO for row, yes in _measured(audit, report).items()}


def nothing(audit: str, says: str) -> dict[str, str]:
    """The same of an audit that ended with exit code 2, by what it said."""
    return dict.fromkeys(documented(audit, FOLDER), REFUSED if REFUSED in says else NO)


def _measured(audit: str, report: dict[str, Any]) -> dict[str, bool]:
    known = {name for name, value in report["figures"].items() if value is not None}
    sentences = " ".join(report["sentences"])
    tables = {table["title"]: table["rows"] for table in report["tables"]}
    match audit:
        case "extraction":
            return {"exposure": "exposure-rate" in known, "extraction": "extraction-rate" in known}
        case "membership":
            by_likelihood = ("auc-loss", "auc-zlib", "auc-pii-aware-neighbourhood", "auc-min-k")
            return {
                "loss, zlib, PII-aware neighbourhood, Min-K%": known.issuperset(by_likelihood),
                "neighbourhood": "auc-neighbourhood" in known,
                "Min-K%++": "auc-min-k-plus-plus" in known,
                "DC-PDD": "auc-dc-pdd" in known,
            }
        case "inversion":
            return {"surfaces, hidden states": bool(known)}
        case "cues":
            return {
                "hit rates": any(name.startswith("low-cue-excess") for name in known),
                "likelihoods": "Not measurable: the likelihood" not in sentences,
            }
        case "context":
            routes = {row[4] for row in tables["Attacks on single answers"]}
            return {
                "attack on answers": "answer" in routes,
                "attack on log-probabilities": "log-probabilities" in routes,
                "defences with a stated epsilon": bool(tables["Defences with a stated epsilon"]),
                "injection": "The injection that asks for the examples" in tables,
            }
        case _:
            return {
                "tests after functions": "leaking-tests" in known,
                "arm `prefix`": "Not measurable: the arm prefix" not in sentences,
            }
