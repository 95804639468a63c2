"""Speed of the span finder: whole texts beside Presidio, cost of one more token, hostile texts, hold-back.

All times are process time.
"""

from __future__ import annotations

import base64
import random
import re
import statistics
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from reticent_bench.finder.find import find, stream, tokens
from reticent_bench.finder.presidio import Presidio
from reticent_bench.finder.prose import examples
from reticent_bench.finder.structured import CUED, structured_examples
from reticent_detectors.finder import SpanFinder

SIZES_KB = (1, 10, 100, 1000)
HOSTILE_KB = (25, 50, 100)
_LIMIT_SECONDS = 6.0
_CJK = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """Median process time of a call."""
    taken = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return statistics.median(taken)


def _each(search: Callable[[str], object], texts: Sequence[str]) -> None:
    for text in texts:
        search(text)


def mixed_text(chars: int, prose: Sequence[str], seed: int) -> str:
    """Prose, and among it sentences with values: one for about every 400 characters."""
    rng = random.Random(seed)
    said = [e.text for e in examples("test", seed, 1, ["English"]) if e.form in ("prose", "value first")]
    said += [text for kind in CUED for text, _ in structured_examples(kind, 8, seed)]
    sentences = [s for text in prose for s in re.split(r"(?<=[.!?])\s+", text) if s] or ["It was a long day."]
    parts, total, plain = [], 0, 0
    while total < chars:
        if plain > 400:
            part, plain = rng.choice(said), 0
        else:
            part = rng.choice(sentences)[:400]
            plain += len(part)
        parts.append(part)
        total += len(part) + 1
    return " ".join(parts)[:chars]


def measure_whole(
    finders: dict[str, SpanFinder], presidio: Presidio | None, prose: Sequence[str], seed: int
) -> dict[str, Any]:
    """Characters a second of finding in complete texts."""
    rng = random.Random(seed)
    short = [e.text for e in examples("test", seed, 1) if e.form == "prose"]
    short += [text for kind in CUED for text, _ in structured_examples(kind, 10, seed)]
    short = rng.sample(short, min(300, len(short)))
    long = [mixed_text(10_000, prose, seed + i) for i in range(4)]
    out: dict[str, Any] = {}
    for name, texts in (("short sentences", short), ("documents of 10 kB", long)):
        size = sum(map(len, texts))
        searches: dict[str, Callable[[str], object]] = {who: partial(find, finder) for who, finder in finders.items()}
        if presidio is not None:
            searches["presidio"] = presidio.find
        speeds = {who: size / seconds(partial(_each, search, texts)) for who, search in searches.items()}
        out[name] = {"texts": len(texts), "chars": size, "chars per second": speeds}
    return out


def measure_tokens(
    finders: dict[str, SpanFinder], prose: Sequence[str], seed: int, count: int = 3000
) -> dict[str, Any]:
    """Measures microseconds for one more token after a text of so many kB.

    Each figure is the median over three streams of `count` tokens.
    """
    out: dict[str, Any] = {}
    for who, finder in finders.items():
        rows = {}
        for size in SIZES_KB:
            prefix = mixed_text(1000 * size, prose, seed)
            more = list(tokens(mixed_text(8 * count, prose, seed + 1)))[:count]
            runs = [stream(finder, more, prefix).microseconds for _ in range(3)]
            rows[f"{size} kB"] = {
                "mean": statistics.median(float(np.mean(r)) for r in runs),
                "median": statistics.median(float(np.median(r)) for r in runs),
                "p99": statistics.median(float(np.percentile(r, 99)) for r in runs),
            }
        out[who] = rows
    return out


def hostile(rng: random.Random) -> dict[str, Callable[[int], str]]:
    """Texts made to be slow: name -> a text of so many characters."""

    def repeated(unit: str) -> Callable[[int], str]:
        return lambda n: (unit * (n // len(unit) + 1))[:n]

    def drawn(alphabet: str) -> Callable[[int], str]:
        return lambda n: "".join(rng.choices(alphabet, k=n))

    return {
        "@": repeated("@"),
        "a@a@": repeated("a@"),
        "digits": repeated("1234567890"),
        "digits with blanks": repeated("4111 1111 "),
        "digits with hyphens": repeated("123-45-"),
        "dots": repeated("."),
        "a.a.a.": repeated("a."),
        "nested quotes": repeated("\"'`(["),
        "base64": lambda n: base64.b64encode(rng.randbytes(n)).decode()[:n],
        "hexadecimal": drawn("0123456789abcdef"),
        "e-mails": lambda n: " ".join(f"user{i}@mail{i % 97}.example.com" for i in range(n // 24))[:n],
        "Dr.": repeated("Dr. "),
        "capitalised words": repeated("Mary Ann Smith "),
        "capitalised words and commas": repeated("Lake, Falls, "),
        "diagnosed with": repeated("diagnosed with "),
        "labels": repeated("password: "),
        "street numbers": repeated("12 High Street, "),
        "colons": repeated("fe80::"),
        "percent signs": repeated("%41"),
        "blanks": repeated(" \n\t"),
        "zero width": repeated("a\u200b"),
        "table bars": repeated("| "),
        "braces": repeated('{"a":'),
        "letters": repeated("a"),
        "hyphens": repeated("a-"),
        "spelled digits": repeated("one two three "),
        "random marks": drawn(" .,:;-@/#+*'\"()[]{}<>|&%$!?=_~^`\\0aA"),
    }


def measure_hostile(finder: SpanFinder, seed: int) -> dict[str, Any]:
    """Seconds for hostile texts of 25, 50 and 100 kB, whole and streamed; memory and hold-back at the largest.

    A size that would take long, judged by the one before, is left out.
    """
    out: dict[str, Any] = {}
    for name, make in hostile(random.Random(seed)).items():
        row: dict[str, Any] = {"whole": [], "streamed": [], "held chars": None, "peak kB": None}
        for size in HOSTILE_KB:
            text = make(1000 * size)
            for way in ("whole", "streamed"):
                if row[way] and (row[way][-1] is None or row[way][-1] > _LIMIT_SECONDS / 4):
                    row[way].append(None)
                    continue
                began = time.process_time()
                if way == "whole":
                    find(finder, text)
                else:
                    pieces = [text[i : i + 4] for i in range(0, len(text), 4)]
                    row["held chars"] = max(stream(finder, pieces).held_chars)
                row[way].append(time.process_time() - began)
        if row["whole"][-1] is not None and row["whole"][-1] < _LIMIT_SECONDS / 4:
            tracemalloc.start()
            find(finder, text)
            row["peak kB"] = tracemalloc.get_traced_memory()[1] / 1000
            tracemalloc.stop()
        out[name] = row
    return out


def words(text: str) -> int:
    """Words; two Chinese characters count as one."""
    cjk = len(_CJK.findall(text))
    return len(re.findall(r"[^\W_]+", _CJK.sub(" ", text))) + cjk // 2


def measure_harmless(finder: SpanFinder, sets: Iterable[tuple[str, Sequence[str]]]) -> dict[str, Any]:
    """Characters held back after every token, and spans for every 2,000 words by kind."""
    out: dict[str, Any] = {}
    for name, texts in sets:
        held: list[int] = []
        kinds: Counter[str] = Counter()
        for text in texts:
            streamed = stream(finder, tokens(text))
            held += streamed.held_chars
            kinds.update(s.kind for s in streamed.spans)
        count = sum(map(words, texts))
        out[name] = {
            "words": count,
            "held chars": {
                "median": float(np.median(held)),
                "mean": float(np.mean(held)),
                "p99": float(np.percentile(held, 99)),
                "max": max(held),
            },
            "spans per 2,000 words": {kind: 2000 * n / count for kind, n in sorted(kinds.items())},
        }
    return out
