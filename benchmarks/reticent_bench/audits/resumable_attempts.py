"""The attempt log of an audit: what came of each question, kept so that an interrupted audit continues.

The file `attempts.jsonl` is only appended to. It holds numbers, flags, labels and keyed hashes. Texts are kept with
`reveal` alone; the file is readable by its owner only in either case.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import os
import re
import secrets
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reticent_bench.audits.blocks import KeyedAsk, cut
from reticent_bench.audits.budget import Budget
from reticent_bench.audits.rounds import side_by_side
from reticent_detectors.errors import InputError

Outcome = dict[str, Any]
"""What came of an attempt, as JSON: numbers, flags, None, labels, keyed hashes, and lists and tables of these."""
Ask = Callable[[], Outcome]
Attempt = Callable[[str, Ask], Outcome]
"""Gives back the outcome that is kept under a key, or asks, keeps the outcome and returns it."""

TEXT = "text"
"""The field of an outcome that may hold text, or a list of texts. The log keeps its keyed hash in place of it."""
QUERY = "query"
"""The field of an outcome that may hold a proposed query, or None."""
QUERY_CHARS = 2000
"""The most that a query may have."""
_KEY = re.compile(r"[a-z0-9][a-z0-9/_.:+-]{0,159}")
_LABEL = re.compile(r"[a-z][a-z _-]{0,39}|h:[0-9a-f]{16,32}")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_FILE, KEY_FILE = "attempts.jsonl", "attempts.key"
_KEY_BYTES = 32


class AttemptLog:
    """Outcomes by their keys, in a folder.

    Args:
        folder: of the audit; made if it is not there.
        settings: what the outcomes depend on, as JSON: audit, target, seed and options.
        budget: takes over what earlier runs used.
        reveal: keep texts as they are, not as hashes.
        key: of a new folder, from `draw_key`; drawn if not given.
        costs: calls and tokens of attempts by their keys, as a plan counted them. They cut blocks for which the budget
            is too small; of an attempt without any it is not known before.

    Raises:
        InputError: the folder holds the attempts of an audit with other settings, or a file that is no attempt log; or
            it cannot be written.
    """

    def __init__(
        self,
        folder: Path,
        settings: dict[str, Any],
        budget: Budget,
        reveal: bool = False,
        key: bytes | None = None,
        costs: Mapping[str, tuple[int, int]] | None = None,
    ) -> None:
        self.path, self._budget, self._reveal, self._costs = folder / _FILE, budget, reveal, costs or {}
        with writing(folder):
            self._hash_key = folder_key(folder / KEY_FILE, key)
        self._settings = json.loads(json.dumps({**settings, "reveal": reveal}))
        self._outcomes: dict[str, Outcome] = {}
        self._given: set[str] = set()
        """Keys whose outcomes this run has given out."""
        self._kept_spent: list[float] = [0, 0]
        self.asked = 0
        if self.path.exists():
            self._read()
        else:
            self._append({"settings": self._settings})

    def __repr__(self) -> str:
        return f"AttemptLog({len(self._outcomes)} attempts)"

    def __len__(self) -> int:
        return len(self._outcomes)

    def __call__(self, key: str, ask: Ask) -> Outcome:
        """`attempt`."""
        return self.attempt(key, ask)

    def attempt(self, key: str, ask: Ask) -> Outcome:
        """The outcome that is kept under a key; `ask` is called only if there is none.

        Args:
            key: names the attempt; lower-case letters, digits and `/_.:+-`.
            ask: makes the attempt. Its outcome is JSON of numbers, flags, None, labels of lower-case words, and text
                under the field `text`, or a proposed query under `query`.

        Raises:
            InputError: the key or the outcome could hold a value that must not be kept. The message does not show it.
            BudgetSpent: the minutes are spent, or the attempt would ask too much.
        """
        _check_key(key)
        if key not in self._outcomes:
            self._budget.spend(0, 0)  # an attempt may ask nothing, and yet take minutes
            outcome = self._kept(ask(), key)
            self._keep({"key": key, "outcome": outcome}, {key: outcome})
        self._given.add(key)
        return self._outcomes[key]

    def attempts(self, tasks: Sequence[KeyedAsk], on_block: Callable[[], None] = lambda: None) -> list[Outcome]:
        """The outcomes of attempts that do not depend on one another, asked in blocks side by side.

        What this run has not given out yet is cut into blocks in the order of `tasks`. The outcomes of a block are
        written in one line, so that a process that is killed keeps all of them or none. Where the budget is too small
        for a block, its first attempts that fit are asked and kept, and a larger budget asks the others.

        Args:
            tasks: keys, and what makes the attempts, as for `attempt`.
            on_block: called after each block that was asked.

        Raises:
            InputError: as for `attempt`.
            BudgetSpent: before something is asked. What attempts had asked that are not kept is counted.
        """
        for key, _ in tasks:
            _check_key(key)
        for block in cut(tasks, self._given):
            left = [task for task in block if task[0] not in self._outcomes]
            while left:
                self._budget.spend(0, 0)
                costs = [self._costs.get(key, (0, 0)) for key, _ in left]
                count = self._budget.fitting(costs)
                if not count:
                    self._budget.spend(*costs[0])  # which raises, before a part of the attempt is asked in vain
                part, left = left[:count], left[count:]
                made = side_by_side([ask for _, ask in part])
                found = {key: self._kept(outcome, key) for (key, _), outcome in zip(part, made, strict=True)}
                self._keep({"block": [{"key": key, "outcome": outcome} for key, outcome in found.items()]}, found)
                on_block()
        self._given.update(key for key, _ in tasks)
        return [self._outcomes[key] for key, _ in tasks]

    def _keep(self, row: dict[str, Any], outcomes: dict[str, Outcome]) -> None:
        spent = self._spent()
        self._append({**row, "spent": spent})
        self._kept_spent = spent[:2]
        self._outcomes |= outcomes
        self.asked += len(outcomes)

    def close(self) -> None:
        """Keeps what was spent since the last attempt, as by one that was not finished."""
        spent = self._spent()
        if spent[:2] != self._kept_spent:
            self._append({"spent": spent})
            self._kept_spent = spent[:2]

    def _spent(self) -> list[float]:
        return [self._budget.calls, self._budget.tokens, round(self._budget.used_seconds(), 1)]

    def digest(self, text: str) -> str:
        """Keyed hash of a text, the same within a folder."""
        return "h:" + hmac.new(self._hash_key, text.encode(), hashlib.sha256).hexdigest()[:32]

    def _kept(self, outcome: Outcome, key: str) -> Outcome:
        """The outcome as JSON reads it back, with texts hashed unless they are revealed."""
        texts = {} if TEXT not in outcome else {TEXT: self._text(outcome[TEXT])}
        query = outcome.get(QUERY)
        if query is not None and not (isinstance(query, str) and len(query) <= QUERY_CHARS):
            raise InputError(f"The outcome of {key} holds a query of more than {QUERY_CHARS} characters.")
        others = {name: value for name, value in outcome.items() if name not in (TEXT, QUERY)}
        _check(others, key)
        kept: Outcome = json.loads(json.dumps({**others, **texts, **({QUERY: query} if QUERY in outcome else {})}))
        return kept

    def _text(self, text: Any) -> Any:
        if isinstance(text, str):
            return text if self._reveal else self.digest(text)
        return [self._text(each) for each in text]

    def _append(self, row: dict[str, Any]) -> None:
        with writing(self.path.parent):
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(descriptor, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")

    def _read(self) -> None:
        """Reads what an earlier run kept. A last line that was cut off is removed."""
        raw = self.path.read_bytes()
        whole = raw[: raw.rfind(b"\n") + 1]
        if len(whole) < len(raw):
            with self.path.open("r+b") as file:
                file.truncate(len(whole))
        try:
            rows = [json.loads(line) for line in whole.splitlines()]
            settings = rows[0]["settings"] if rows else None
            kept = [each for row in rows[1:] if set(row) != {"spent"} for each in row.get("block", (row,))]
            self._outcomes = {row["key"]: row["outcome"] for row in kept}
            if len(rows) > 1:
                self._budget.calls, self._budget.tokens, self._budget.seconds = rows[-1]["spent"]
                self._kept_spent = rows[-1]["spent"][:2]
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise InputError(
                f"{self.path} is no attempt log ({type(error).__name__}); choose another --out."
            ) from error
        if settings is None:
            self._append({"settings": self._settings})
        elif settings != self._settings:
            names = settings.keys() | self._settings.keys()
            other = sorted(name for name in names if settings.get(name, ...) != self._settings.get(name, ...))
            raise InputError(
                f"{self.path} was made with other settings ({', '.join(other)}). Give the same ones, or another --out."
            )


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Says what to do where the folder of a run cannot be written.

    Raises:
        InputError: the system refuses.
    """
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{folder} cannot be written ({error.strerror}). Make it writable, or choose another folder."
        ) from None


def check_writable(folder: Path) -> None:
    """Tries whether files can be written to a folder, or where it would be made. Nothing is left there.

    Raises:
        InputError: they cannot.
    """
    place = next(each for each in (folder, *folder.absolute().parents) if os.path.lexists(each))
    with writing(folder), tempfile.TemporaryFile(dir=place):
        pass


def draw_key(path: Path) -> bytes:
    """The key in a file, or a fresh one where there is none. Nothing is written.

    Raises:
        InputError: the file holds something else.
    """
    if not path.exists():
        return secrets.token_bytes(_KEY_BYTES)
    key = path.read_bytes()
    if len(key) != _KEY_BYTES:
        raise InputError(f"{path} is no key of {_KEY_BYTES} bytes; choose another --out.")
    return key


def folder_key(path: Path, fresh: bytes | None = None) -> bytes:
    """The key of 32 bytes in a file, made with its folder at the first use and readable by its owner only.

    The file appears whole: a process that is killed leaves none or all of it.

    Args:
        path: of the file.
        fresh: what is written where there is no file; drawn if not given.

    Raises:
        InputError: the file holds something else.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # for its owner only
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(fresh or secrets.token_bytes(_KEY_BYTES))
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    return draw_key(path)


def _check_key(key: str) -> None:
    if not _KEY.fullmatch(key):
        raise InputError("Expected an attempt's key of lower-case letters, digits and /_.:+-, at most 160 characters.")


def _check(value: Any, key: str) -> None:
    """Raises InputError if a value is neither a number, a flag, None, a label nor a list or table of these."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if not isinstance(name, str) or not _NAME.fullmatch(name):
                raise InputError(
                    f"The outcome of {key} has a field whose name is not of lower-case letters, digits and _."
                )
            _check(inner, key)
    elif isinstance(value, list | tuple):
        for inner in value:
            _check(inner, key)
    elif isinstance(value, str):
        if not _LABEL.fullmatch(value):
            raise InputError(f"The outcome of {key} holds a text that is no label; put it under {TEXT!r}.")
    elif isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"The outcome of {key} holds a number that is not finite; put None in its place.")
    elif value is not None and not isinstance(value, bool | int | float):
        raise InputError(f"The outcome of {key} holds a {type(value).__name__}; expected JSON.")
