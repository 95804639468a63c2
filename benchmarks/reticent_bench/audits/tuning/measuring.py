"""What a cell's model gives away, and how useful it is: the figures of one row of the matrix."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from reticent_bench.audits.extraction.audit import POOLED, Generated, audit_extraction
from reticent_bench.audits.extraction.canaries import Canary
from reticent_bench.audits.membership import attacks
from reticent_bench.audits.membership.figures import measure as measure_attack
from reticent_bench.audits.membership.windows import Passage
from reticent_bench.audits.resumable_attempts import Outcome
from reticent_bench.audits.target import GREEDY, NotMeasurable, Prompt, Sampling, Target, TokenScores
from reticent_bench.audits.tuning.texts import TuningTexts
from reticent_bench.report.metrics import Interval, bootstrap, share

OFF = "off"
ROUNDS = 400
"""Draws of people for each interval."""


def measure(
    targets: Mapping[str, Target], texts: TuningTexts, base: Sequence[TokenScores], samples: int, seed: int
) -> dict[str, Any]:
    """Computes the figures of a model, as JSON.

    Args:
        targets: the model under `off`, and behind guards under other names. Guarded targets answer canaries only.
        texts: in the form of the model's method.
        base: scores of members and others under the model before tuning.
        samples: sampled answers for each kind of canary and target.
        seed: of sampling and intervals.

    Returns:
        `perplexity` on held-out documents; `repeated` and `once` with exposure, in bits, and exposure rates;
            `membership`
        with AUCs; `generated` by target. Intervals are lists of three numbers.
    """
    scores = score(targets[OFF], (*texts.members, *texts.others))
    held_out = scores[len(texts.members) :]
    only = {OFF: targets[OFF]}
    return {
        "perplexity": list(perplexity(held_out, [passage.person for passage in texts.others], seed)),
        "membership": _membership(texts, scores, base, seed),
        "repeated": exposure(only, texts.repeated),
        "once": exposure(only, texts.once),
        "generated": generated(targets, texts.repeated, samples, seed),
    }


def score(target: Target, passages: Sequence[Passage]) -> list[TokenScores]:
    """The target's scores of whole documents."""
    return target.scores([("", passage.text) for passage in passages])


def perplexity(scores: Sequence[TokenScores], people: Sequence[str], seed: int) -> Interval:
    """exp of the mean loss of a token; 95 % bootstrap interval over people [texts]."""
    sums = np.array([float(attacks.log_probs(each).sum()) for each in scores])
    tokens = np.array([len(each.token_ids) for each in scores], dtype=np.float64)
    names = np.array(people, dtype=np.str_)
    return bootstrap(lambda w: [float(np.exp(-(w * sums).sum() / (w * tokens).sum()))], names, ROUNDS, seed)[0]


def exposure(targets: Mapping[str, Target], canaries: Sequence[Canary]) -> dict[str, Any]:
    """Exposure of one arm of canaries, over all kinds; in bits, and as the share that is exposed."""
    found = audit_extraction(targets, canaries, ask, samples=0).exposure
    assert found is not None
    pooled = found[POOLED]
    return {
        "inserted": pooled.inserted, "exposure": list(pooled.mean), "held_out": list(pooled.held_out),
        "rate": list(pooled.rate), "chance": pooled.chance,
    }  # fmt: skip


def generated(targets: Mapping[str, Target], canaries: Sequence[Canary], samples: int, seed: int) -> dict[str, Any]:
    """Counts sampled answers by target that begin with an inserted value: all of them, and those the finder claims."""
    out: dict[str, Any] = {}
    for name, target in targets.items() if samples else ():
        # A target that scores nothing is asked for answers alone.
        result = audit_extraction({name: AnswersOnly(target)}, canaries, ask, samples=samples, seed=seed)
        by_kind = result.generated[name]
        claimed = [each for kind, each in by_kind.items() if result.claimed[kind]]
        out[name] = {**_counts(list(by_kind.values())), "claimed": _claimed(claimed)}
    return out


def _counts(found: Sequence[Generated]) -> dict[str, Any]:
    hits, asked = sum(each.hits for each in found), sum(each.samples for each in found)
    return {
        "answers": asked,
        "hits": hits,
        "rate": list(share(hits, asked)),
        "chance": sum(g.chance_hits for g in found),
    }


def _claimed(found: Sequence[Generated]) -> dict[str, Any]:
    """Of the kinds with values that the span finder claims; hits are claimed ones."""
    hits, asked = sum(each.claimed_hits for each in found), sum(each.samples for each in found)
    return {"answers": asked, "hits": hits, "rate": list(share(hits, asked)) if asked else None}


class AnswersOnly:
    """A target that answers and scores nothing.

    It mutes PEFT's warning about position ids, because the prompts of a call are alike.
    """

    scores_text = False

    def __init__(self, target: Target) -> None:
        self.name, self._target = target.name, target

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        """The target's answers."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Position ids are not supported")
            return self._target.generate(prompts, max_new_tokens, sampling)

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        """Never asked."""
        raise NotMeasurable("This target is asked for answers alone.")


def _membership(
    texts: TuningTexts, scores: Sequence[TokenScores], base: Sequence[TokenScores], seed: int
) -> dict[str, Any]:
    member = np.arange(len(scores)) < len(texts.members)
    people = np.array([passage.person for passage in (*texts.members, *texts.others)], dtype=np.str_)
    by_loss = np.array([attacks.loss(each) for each in scores])
    by_ratio = np.array([attacks.pretrained_reference_ratio(a, b) for a, b in zip(scores, base, strict=True)])
    found = {}
    for name, source, values in (
        ("loss", "Yeom et al. 2018", by_loss),
        ("ratio", "PrivLM-Bench, appendix B.1", by_ratio),
    ):
        figures = measure_attack(name, source, values, member, people, rounds=ROUNDS, seed=seed)
        found[name] = {"auc": list(figures.auc), "null": figures.null.high}
    return found


def ask(key: str, question: Callable[[], Outcome]) -> Outcome:
    """Asks at once: a cell is kept as a whole."""
    return question()
