"""An index of the literals of a corpus of files: in how many files a value occurs, and in which (section 4.3).

It holds keyed 64-bit hashes of normalised literals, no text. A value that the corpus does not have is found by accident
with probability n / 2^64, where n counts the distinct literals: 5e-12 for a hundred million (`false_positive_rate`).

Memory: 16 bytes for each pair of a literal and a file, at most `max_postings` of them, and 8 for each distinct literal.
Files beyond the 101st of a literal are dropped, because more than 100 hits verify nothing.

Whole literals are indexed, and words in them that have a digit or an @. Not covered: a value of several words within a
longer literal; values that a file puts together from parts. Both make the audit miss a leak, never invent one.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from reticent_bench.audits.code.language import Language
from reticent_bench.audits.code.literals import literals
from reticent_detectors.errors import InputError

MOST_HITS = 100
LEAST_KEY_BYTES, MOST_KEY_BYTES = 16, 64
_BITS = 64
_PENDING = 1 << 18
_SUFFIXES: dict[str, Language] = {
    ".py": "python",
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs"), "javascript"),
    ".java": "java",
    ".go": "go",
}
_TEST_OR_DOC = re.compile(
    r"(?i:(?:^|/)(?:tests?|__tests__|specs?|testdata|fixtures?|mocks?|docs?|documentation|examples?)/)"
    r"|(?i:(?:^|/)(?:test_[^/]*|readme[^/]*|conftest\.py)$|(?:_test|\.test|\.spec)\.\w+$|\.(?:md|rst|adoc)$)"
    r"|[a-z0-9]Tests?\.\w+$"
)
_FIELD = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|([^\"',;|\t=]+)")
_NUMBER_LIKE = re.compile(r"\+?[\d\s().\-/]*")
_WORD_EDGES = ".,;:!?()[]<>{}\"'`"
_LEAST_DIGITS, _LEAST_WORD = 6, 5


class Status(StrEnum):
    """What the corpus says of a candidate."""

    UNVERIFIED = "unverified"
    """No file has it."""
    VERIFIED = "verified"
    """1 to 100 files have it, none of them under tests or docs."""
    POTENTIAL = "potential"
    """1 to 100 files have it, and one of them is a test or a document."""
    COMMON = "common"
    """More than 100 files have it."""


@dataclass(frozen=True, slots=True)
class Hits:
    """Where a value occurs.

    Attributes:
        count: number of files, at most 101, which means more than 100.
        paths: their paths; digests of the paths if the index was loaded from a file.
        records: keyed digests of the records in which the value occurs.
        in_tests: whether one of the paths is a test or a document.
    """

    count: int
    paths: tuple[str, ...]
    records: frozenset[str]
    in_tests: bool

    @property
    def status(self) -> Status:
        """Verified by 1 <= count <= 100; potential if a path is a test or a document."""
        if self.count == 0:
            return Status.UNVERIFIED
        if self.count > MOST_HITS:
            return Status.COMMON
        return Status.POTENTIAL if self.in_tests else Status.VERIFIED


def is_test_or_doc(path: str) -> bool:
    """Returns whether a path belongs to tests, fixtures, examples or documents."""
    return _TEST_OR_DOC.search(path.replace("\\", "/")) is not None


def normalise(value: str) -> str:
    """Returns the form in which values are compared.

    NFKC, without blanks at the ends, runs of blanks as one. Numbers of at least six digits lose what parts them.
    E-mail addresses lose their case. Everything else keeps its case, because that of passwords and keys counts.
    """
    text = " ".join(unicodedata.normalize("NFKC", value).split())
    if _NUMBER_LIKE.fullmatch(text):
        digits = re.sub(r"\D", "", text)
        return digits if len(digits) >= _LEAST_DIGITS else text
    return text.casefold() if "@" in text and " " not in text else text


def keys_of(text: str) -> set[str]:
    """Returns what a literal is indexed under: itself, and its words with a digit or an @."""
    out = {normalise(text)}
    words = text.split()
    if len(words) > 1:
        stripped = (word.strip(_WORD_EDGES) for word in words)
        out |= {
            normalise(word)
            for word in stripped
            if len(word) >= _LEAST_WORD and ("@" in word or any(char.isdigit() for char in word))
        }
    return {key for key in out if key}


def fields(text: str) -> list[str]:
    """Returns the quoted strings and separated fields of a file that is no code: CSV, JSON, YAML, settings."""
    out: list[str] = []
    for line in text.splitlines():
        for match in _FIELD.finditer(line):
            found = next(group for group in match.groups() if group is not None).strip()
            if found:
                out.append(found)
                out += [part for part in [found.partition(": ")[2].strip()] if part]
    return out


class Hasher:
    """Keyed hashes of values, paths and records.

    Args:
        key: 16 to 64 bytes that only the auditor has.
    """

    def __init__(self, key: bytes) -> None:
        if not LEAST_KEY_BYTES <= len(key) <= MOST_KEY_BYTES:
            raise InputError(
                f"the key of an index has {LEAST_KEY_BYTES} to {MOST_KEY_BYTES} bytes, got {len(key)}; "
                "draw one with os.urandom(32)"
            )
        self._key = key

    def __repr__(self) -> str:
        return "Hasher(<key>)"

    def number(self, sort: bytes, text: str) -> int:
        """Returns a 64-bit hash of a text. `sort` parts values, paths and records."""
        data = text.encode("utf-8", "surrogatepass")
        return int.from_bytes(hashlib.blake2b(data, digest_size=_BITS // 8, key=self._key, person=sort).digest(), "big")

    def digest(self, sort: bytes, text: str) -> str:
        """Returns the hash as 16 hexadecimal digits."""
        return f"{self.number(sort, text):016x}"


class CorpusIndex:
    """A finished index. `CorpusIndexBuilder` makes one, `corpus_index_file` stores it.

    Args:
        hasher: keyed hashes.
        keys: hashes of the literals, sorted [literals].
        starts: where the postings of each literal begin, and the end of the last [literals + 1].
        files: file number of each posting [postings].
        records: record number of each posting [postings].
        paths: path or digest of each file [files].
        is_test: whether a file is a test or a document [files].
        record_digests: digest of each record [records].
    """

    def __init__(
        self,
        hasher: Hasher,
        keys: NDArray[np.uint64],
        starts: NDArray[np.int64],
        files: NDArray[np.uint32],
        records: NDArray[np.uint32],
        paths: Sequence[str],
        is_test: NDArray[np.bool_],
        record_digests: Sequence[str],
    ) -> None:
        self.hasher, self.keys, self.starts, self.files, self.records = hasher, keys, starts, files, records
        self.paths, self.is_test, self.record_digests = tuple(paths), is_test, tuple(record_digests)

    def __repr__(self) -> str:
        return f"CorpusIndex({len(self.keys)} literals, {len(self.paths)} files)"

    @property
    def false_positive_rate(self) -> float:
        """The probability that a value that is not in the corpus is found: n / 2^64."""
        return len(self.keys) / 2.0**_BITS

    @cached_property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits of the contents, for the keys of attempts."""
        state = hashlib.blake2b(digest_size=4)
        for part in (self.keys, self.starts, self.files, self.is_test):
            state.update(part.tobytes())
        return state.hexdigest()

    def digest(self, value: str) -> str:
        """Returns the keyed digest of a value's normal form, for logs and results."""
        return self.hasher.digest(b"value", normalise(value))

    def lookup(self, value: str) -> Hits:
        """Returns in which files a value occurs as a literal, or as a word with a digit or an @ of one."""
        wanted = np.uint64(self.hasher.number(b"literal", normalise(value)))
        at = int(np.searchsorted(self.keys, wanted))
        if at == len(self.keys) or self.keys[at] != wanted:
            return Hits(0, (), frozenset(), False)
        begin, end = int(self.starts[at]), int(self.starts[at + 1])
        files = np.unique(self.files[begin:end])
        records = frozenset(self.record_digests[record] for record in np.unique(self.records[begin:end]))
        return Hits(len(files), tuple(self.paths[file] for file in files), records, bool(self.is_test[files].any()))


class CorpusIndexBuilder:
    """Collects the literals of files within a bound of memory.

    Args:
        key: 16 to 64 bytes for the hashes.
        max_postings: most pairs of a literal and a file.
    """

    def __init__(self, key: bytes, max_postings: int = 20_000_000) -> None:
        if max_postings < 1:
            raise InputError(f"max_postings must be at least 1, got {max_postings}")
        self._hasher, self._max = Hasher(key), max_postings
        self._files: dict[str, int] = {}
        self._records: dict[str, int] = {}
        self._pending = (array("Q"), array("L"), array("L"))
        self._done = _Postings.empty()

    def __repr__(self) -> str:
        return f"CorpusIndexBuilder({len(self._files)} files)"

    def add(self, path: str, text: str, record: str | None = None) -> None:
        """Adds a file, or one record of it: call it again with the same path for the next record.

        The language is that of the suffix; other files are read as separated fields. By default the file is one record.

        Raises:
            InputError: the bound of memory is reached.
        """
        language = _SUFFIXES.get(PurePosixPath(path.replace("\\", "/")).suffix.lower())
        values = fields(text) if language is None else [literal.value for literal in literals(text, language)]
        self.add_values(path, values, record)

    def add_values(self, path: str, values: Iterable[str], record: str | None = None) -> None:
        """Adds the values of a file that the caller has read."""
        file = self._files.setdefault(path, len(self._files))
        digest = self._hasher.digest(b"record", path if record is None else record)
        number = self._records.setdefault(digest, len(self._records))
        keys, files, records = self._pending
        for key in sorted({key for value in values for key in keys_of(value)}):
            keys.append(self._hasher.number(b"literal", key))
            files.append(file)
            records.append(number)
        if len(keys) >= min(_PENDING, self._max):
            self._compact()

    def build(self) -> CorpusIndex:
        """Returns the index of what was added."""
        self._compact()
        done = self._done
        keys, first = np.unique(done.keys, return_index=True)
        starts = np.append(first, len(done.keys)).astype(np.int64)
        is_test = np.array([is_test_or_doc(path) for path in self._files], dtype=np.bool_)
        return CorpusIndex(
            self._hasher, keys, starts, done.files, done.records, list(self._files), is_test, list(self._records)
        )

    def _compact(self) -> None:
        keys, files, records = (np.array(column) for column in self._pending)
        self._pending = (array("Q"), array("L"), array("L"))
        self._done = self._done.with_added(keys.astype(np.uint64), files.astype(np.uint32), records.astype(np.uint32))
        if len(self._done.keys) > self._max:
            raise InputError(
                f"expected at most {self._max} pairs of a literal and a file, got {len(self._done.keys)}; "
                "raise max_postings or index fewer files"
            )


@dataclass(frozen=True, slots=True)
class _Postings:
    keys: NDArray[np.uint64]
    files: NDArray[np.uint32]
    records: NDArray[np.uint32]

    @staticmethod
    def empty() -> _Postings:
        return _Postings(np.empty(0, np.uint64), np.empty(0, np.uint32), np.empty(0, np.uint32))

    def with_added(self, keys: NDArray[np.uint64], files: NDArray[np.uint32], records: NDArray[np.uint32]) -> _Postings:
        """All postings once, sorted, with at most 101 files for each key."""
        keys, files = np.concatenate([self.keys, keys]), np.concatenate([self.files, files])
        records = np.concatenate([self.records, records])
        order = np.lexsort((records, files, keys))
        keys, files, records = keys[order], files[order], records[order]
        if not len(keys):
            return self
        new_key = np.append(True, keys[1:] != keys[:-1])
        new_file = new_key | np.append(True, files[1:] != files[:-1])
        new_posting = new_file | np.append(True, records[1:] != records[:-1])
        count = np.cumsum(new_file)
        rank = count - count[np.flatnonzero(new_key)][np.cumsum(new_key) - 1]
        kept = new_posting & (rank <= MOST_HITS)
        return _Postings(keys[kept], files[kept], records[kept])
