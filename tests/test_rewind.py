"""After a redaction: the host goes on as if it had never said the value, or stops.

The scripted host says the value and then works on it, in as many ways as its context lets it: it can transform only
what it sees there.
"""

from __future__ import annotations

import base64
import codecs
from dataclasses import replace
from typing import Any

import pytest
import tiny_hosts
import torch
import transformers as tf
from tiny_hosts import QUESTION, SECRET, STOP_ALL

from reticent import AfterRedaction, Policy
from reticent.huggingface.answer import Answer
from reticent.huggingface.guarded_model import GuardedModel

START = "The phone number of Jane Roe is "
DIGITS = SECRET.replace("-", "")
WORDS = dict(
    zip("0123456789", ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"], strict=True)
)
NATO_WORDS = "nadazero unaone bissotwo terrathree kartefour pantafive soxisix setteseven oktoeight novenine"
NATO = dict(zip("0123456789", NATO_WORDS.split(), strict=True))
LETTERS = dict(zip("0123456789", "abcdefghij", strict=True))


def _each(table: dict[str, str], by: str = " ") -> str:
    return by.join(table[d] for d in DIGITS)


TRANSFORMS: dict[str, str] = {
    "again": SECRET,
    "bare": DIGITS,
    "spaced": " ".join(DIGITS),
    "dotted": ".".join(DIGITS),
    "dashed": "-".join(DIGITS),
    "comma": ", ".join(DIGITS),
    "slashes": "/".join(DIGITS),
    "in pairs": " ".join(DIGITS[i : i + 2] for i in range(0, 10, 2)),
    "country code": f"+1 {DIGITS[:3]} {DIGITS[3:]}",
    "in words": _each(WORDS),
    "NATO": _each(NATO),
    "letters": _each(LETTERS),
    "reversed": DIGITS[::-1],
    "plus one": "".join(str((int(d) + 1) % 10) for d in DIGITS),
    "times two": str(int(DIGITS) * 2),
    "minus one": str(int(DIGITS) - 1),
    "hexadecimal": hex(int(DIGITS)),
    "binary": bin(int(DIGITS)),
    "base64": base64.b64encode(DIGITS.encode()).decode(),
    "ROT13 of words": codecs.encode(_each(WORDS), "rot13"),
    "first half": f"it begins with {DIGITS[:5]}",
    "last four": f"it ends in {DIGITS[-4:]}",
    "as a sum": f"{int(DIGITS) - 1000} and 1000",
    "digit by digit": " ".join(f"digit {i} is {d}." for i, d in enumerate(DIGITS)),
    "repeated digits": "".join(d * 2 for d in DIGITS),
    "in brackets": "".join(f"[{d}]" for d in DIGITS),
}


class Host(tf.LogitsProcessor):  # type: ignore[misc]
    """Says the value, then transforms it if it is in the context, else says something harmless.

    It says the value `stubborn` times again, behind other words each time.
    """

    def __init__(self, tokenizer: Any, prompt: int, transform: str, stubborn: int = 0) -> None:
        self.tokenizer, self.prompt, self.transform, self.stubborn = tokenizer, prompt, transform, stubborn

    def wants(self, generated: str) -> str:
        if SECRET in generated:
            return generated[: generated.index(SECRET)] + SECRET + f". And {self.transform}. Bye."
        if (START + SECRET).startswith(generated):
            return START + SECRET
        redacted = generated.rfind("<PHONE_NUMBER>") + len("<PHONE_NUMBER>")
        rest = generated[redacted:]
        again = f", I {'really ' * generated.count('<PHONE_NUMBER>')}mean {SECRET}"
        if generated.count("<PHONE_NUMBER>") <= self.stubborn and again.startswith(rest):
            return generated[:redacted] + again
        return generated[:redacted] + ". Ask her. Bye."

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        forced = torch.full_like(scores, -float("inf"))
        for row, ids in enumerate(input_ids):
            generated = self.tokenizer.decode(ids[self.prompt :])
            left = self.wants(generated)[len(generated) :]
            encoded = self.tokenizer(left, add_special_tokens=False)["input_ids"]
            forced[row, encoded[0] if encoded else self.tokenizer.eos_token_id] = 0
        return forced


@pytest.fixture(scope="module", params=[("llama", False), ("llama", True), ("gpt2", False)], ids=str)
def guard(request: pytest.FixtureRequest, tmp_path_factory: Any) -> GuardedModel:
    family, overlap = request.param
    return tiny_hosts.guarded(tmp_path_factory.mktemp("bundles") / family, family, overlap=overlap)


def _ask(guard: GuardedModel, policy: Policy, transform: str, stubborn: int = 0, **options: Any) -> Answer:
    prompt = guard.chat_ids(QUESTION).shape[1]
    host = Host(guard.tokenizer, prompt, transform, stubborn)
    options = {"max_new_tokens": 200, "do_sample": False} | options
    return guard.chat(QUESTION, policy=policy, logits_processor=[host], **options)


def _policy(after: AfterRedaction, **settings: Any) -> Policy:
    return replace(STOP_ALL, after_redaction=after, **settings)


def test_the_host_does_work_on_what_it_sees(guard: GuardedModel) -> None:
    """Else the tests below would prove nothing."""
    for name in ("in words", "NATO", "base64"):
        assert TRANSFORMS[name] in _ask(guard, Policy.allow_all(), TRANSFORMS[name]).text
    for name in ("NATO", "letters", "binary"):
        going_on = _policy(AfterRedaction.CONTINUE, tagger=False)  # which takes some of these words for a value
        assert TRANSFORMS[name] in _ask(guard, going_on, TRANSFORMS[name]).text


@pytest.mark.parametrize("name", TRANSFORMS)
def test_no_transformation_gets_out(guard: GuardedModel, name: str) -> None:
    assert len(TRANSFORMS) >= 25
    rewound = _ask(guard, _policy(AfterRedaction.REWIND), TRANSFORMS[name])
    assert rewound.text == f"{START}<PHONE_NUMBER>. Ask her. Bye."
    assert rewound.rewinds == 1 and rewound.finish_reason == "stop" and rewound.report.changed
    stopped = _ask(guard, _policy(AfterRedaction.STOP), TRANSFORMS[name])
    assert stopped.text == f"{START}<PHONE_NUMBER>" and stopped.finish_reason == "content_filter"


def test_a_rewound_answer_equals_what_inspect_reads(guard: GuardedModel) -> None:
    """The value after a rewind is judged on the redacted context, and the returned ids are that context."""

    class Two(Host):
        def wants(self, generated: str) -> str:
            first = super().wants(generated)
            return first.replace(". Ask her. Bye.", ". The email of Jane Roe is jane77@example.org. Bye.")

    prompt = guard.chat_ids(QUESTION)
    rules = Policy(
        rules={"PHONE_NUMBER": {"memorized": _redact(0.0)}, "DEFAULT": {"memorized": _redact(1.0)}},  # type: ignore[dict-item]
        after_redaction=AfterRedaction.REWIND,
    )
    answers: list[Answer] = []
    host = Two(guard.tokenizer, prompt.shape[1], "")
    out = guard.generate(
        prompt, policy=rules, logits_processor=[host], max_new_tokens=120, do_sample=False, on_answer=answers.append
    )
    (answer,) = answers
    assert answer.rewinds == 1 and answer.text.endswith("jane77@example.org. Bye.")
    ids = out[0, prompt.shape[1] :].tolist()
    assert guard.tokenizer.decode(ids, skip_special_tokens=True) == answer.text
    kept = [i for i in ids if i != guard.tokenizer.eos_token_id]
    again = guard.inspect(QUESTION, kept, policy=rules)
    mine = [r for r in answer.report.spans if r.entity == "EMAIL_ADDRESS"]
    theirs = [r for r in again.report.spans if r.entity == "EMAIL_ADDRESS"]
    assert len(mine) == len(theirs) == 1
    assert mine[0].decision.verdict.probability == pytest.approx(theirs[0].decision.verdict.probability, abs=1e-3)


def _redact(threshold: float) -> Any:
    from reticent import Action, Rule

    return Rule(Action.REDACT, threshold)


@pytest.mark.parametrize("times", [1, 3, 9])
def test_a_host_that_says_it_again_is_set_back_again_and_then_stopped(guard: GuardedModel, times: int) -> None:
    answer = _ask(guard, _policy(AfterRedaction.REWIND, max_rewinds=4), "", stubborn=times)
    assert not any(char.isdigit() for char in answer.text)
    assert answer.rewinds == min(times + 1, 4)
    assert answer.finish_reason == ("stop" if times < 4 else "content_filter")


def test_with_and_without_cropping_the_cache(guard: GuardedModel) -> None:
    texts = {_ask(guard, _policy(AfterRedaction.REWIND), "x", use_cache=cached).text for cached in (True, False)}
    assert len(texts) == 1


def test_the_longest_answer_holds_over_rewinds(guard: GuardedModel) -> None:
    full = _ask(guard, _policy(AfterRedaction.REWIND), "x")
    for longest in range(1, 60, 3):
        answer = _ask(guard, _policy(AfterRedaction.REWIND), "x", max_new_tokens=longest)
        assert not any(char.isdigit() for char in answer.text)
        assert len(answer.ids) <= longest + len("<PHONE_NUMBER>"), longest
        assert full.text.startswith(answer.text.split("<")[0])


def test_rewound_rows_of_a_batch(guard: GuardedModel) -> None:
    """Each row is gone on with by itself; an untouched one keeps its ids."""
    ids = guard.chat_ids(QUESTION).repeat(2, 1)
    host = Host(guard.tokenizer, ids.shape[1], "x")
    out = guard.generate(
        ids, policy=_policy(AfterRedaction.REWIND), logits_processor=[host], max_new_tokens=120, do_sample=False
    )
    shown = guard.tokenizer.batch_decode(out[:, ids.shape[1] :], skip_special_tokens=True)
    assert shown == [f"{START}<PHONE_NUMBER>. Ask her. Bye."] * 2


def test_the_stream_is_the_answer(guard: GuardedModel) -> None:
    class Sink:
        text = ""

        def on_finalized_text(self, text: str, stream_end: bool = False) -> None:
            self.text += text

    sink = Sink()
    answer = _ask(guard, _policy(AfterRedaction.REWIND), "x", stubborn=2, streamer=sink)
    assert sink.text == answer.text
