"""Doors by which unjudged tokens, or a value that was withheld, once got out of guarded generation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
import tiny_hosts
import torch
import transformers as tf
from tiny_hosts import QUESTION, SAYS, SECRET, STOP_ALL, Script

from reticent import AfterRedaction, Policy
from reticent.huggingface.answer import Answer
from reticent.huggingface.answer_session import AnswerSession
from reticent.huggingface.guarded_model import GuardedModel
from reticent.observability.observers import Observation, Outcome, Route
from reticent.prompt.segments import from_messages
from reticent_detectors.alignment import TokenText
from reticent_detectors.errors import CaptureError, InputError

REWIND = replace(STOP_ALL, after_redaction=AfterRedaction.REWIND)
START = "The phone number of Jane Roe is "


@pytest.fixture
def llama(tmp_path: Any) -> GuardedModel:
    return tiny_hosts.guarded(tmp_path / "b", seed=1)


class Goes(tf.LogitsProcessor):  # type: ignore[misc]
    """Says a text token by token (the end of text may stand in it), on and on."""

    def __init__(self, ids: Sequence[int], start: int) -> None:
        self.ids, self.start = list(ids), start

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        forced = torch.full_like(scores, -1e4)
        forced[:, self.ids[min(input_ids.shape[1] - self.start, len(self.ids) - 1)]] = 0
        return forced


class Continues(tf.LogitsProcessor):  # type: ignore[misc]
    """Says what a function wants after the answer so far."""

    def __init__(self, tokenizer: Any, prompt: int, wants: Any) -> None:
        self.tokenizer, self.prompt, self.wants = tokenizer, prompt, wants

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        forced = torch.full_like(scores, -float("inf"))
        for row, ids in enumerate(input_ids):
            generated = self.tokenizer.decode(ids[self.prompt :])
            left = self.tokenizer(self.wants(generated)[len(generated) :], add_special_tokens=False)["input_ids"]
            forced[row, left[0] if left else self.tokenizer.eos_token_id] = 0
        return forced


def _digits(text: str) -> int:
    return sum(char.isdigit() for char in text)


def _shown(guard: GuardedModel, out: torch.Tensor, prompt: torch.Tensor) -> str:
    return str(guard.tokenizer.decode(out[0, prompt.shape[1] :], skip_special_tokens=True))


@pytest.mark.parametrize("options", [{}, {"prompt_lookup_num_tokens": 2}], ids=["stepwise", "read again"])
def test_without_an_end_token_all_that_is_said_is_judged(llama: GuardedModel, options: dict[str, Any]) -> None:
    prompt, encode = llama.chat_ids(QUESTION), llama.tokenizer
    ids = [*encode("Sure. ", add_special_tokens=False)["input_ids"], encode.eos_token_id]
    ids += encode(SAYS, add_special_tokens=False)["input_ids"]
    out = llama.generate(
        prompt, policy=STOP_ALL, eos_token_id=None, max_new_tokens=len(ids),
        logits_processor=[Goes(ids, prompt.shape[1])], **options,
    )  # fmt: skip
    assert _digits(_shown(llama, out, prompt)) == 0


def test_settings_of_the_models_own_config_count_beside_a_passed_one(llama: GuardedModel) -> None:
    prompt = llama.chat_ids(QUESTION)
    plain = tf.GenerationConfig(max_new_tokens=80, eos_token_id=llama.tokenizer.eos_token_id, pad_token_id=0)
    script = Script(llama.tokenizer, SAYS, prompt.shape[1])
    for name, value in (("prompt_lookup_num_tokens", 3), ("num_beams", 2), ("num_return_sequences", 1)):
        own = llama.model.generation_config
        before = getattr(own, name, None)
        setattr(own, name, value)
        try:
            out = llama.generate(
                prompt, policy=STOP_ALL, generation_config=plain,
                logits_processor=[Goes(script.ids, prompt.shape[1])],
            )  # fmt: skip
        finally:
            setattr(own, name, before)
        assert _digits(_shown(llama, out, prompt)) == 0, name


@pytest.mark.parametrize("said", [" ".join(SECRET.replace("-", "")), "_".join(SECRET.replace("-", "")), SECRET])
def test_after_a_rewind_the_value_stays_suppressed(llama: GuardedModel, said: str) -> None:
    """Also where the finder would not take the new spelling for personal data."""

    def wants(generated: str) -> str:
        if "<PHONE_NUMBER>" not in generated:
            return f"{START}{SECRET}. Bye."
        goes_on = f". Digits {said}. Bye." if generated.count("<PHONE_NUMBER>") == 1 else ". Bye."
        return generated[: generated.rindex("<PHONE_NUMBER>") + 14] + goes_on

    prompt = llama.chat_ids(QUESTION).shape[1]
    answer = llama.chat(
        QUESTION, policy=REWIND, max_new_tokens=150, do_sample=False,
        logits_processor=[Continues(llama.tokenizer, prompt, wants)],
    )  # fmt: skip
    assert answer.rewinds >= 2 and _digits(answer.text) == 0


def test_a_value_that_ends_the_answer_is_gone_on_from(llama: GuardedModel) -> None:
    def wants(generated: str) -> str:
        if "<PHONE_NUMBER>" not in generated:
            return START + SECRET
        return f"{START}<PHONE_NUMBER>. Ask her at noon. She knows the rest of it. Bye."

    prompt = llama.chat_ids(QUESTION).shape[1]
    answer = llama.chat(
        QUESTION, policy=REWIND, max_new_tokens=200, do_sample=False,
        logits_processor=[Continues(llama.tokenizer, prompt, wants)],
    )  # fmt: skip
    assert answer.text == f"{START}<PHONE_NUMBER>. Ask her at noon. She knows the rest of it. Bye."
    assert answer.finish_reason == "stop"

    def again(generated: str) -> str:
        tags = generated.count("<PHONE_NUMBER>")
        return f"{START}{'<PHONE_NUMBER>' * tags}{SECRET}"

    stubborn = llama.chat(
        QUESTION, policy=REWIND, max_new_tokens=300, do_sample=False,
        logits_processor=[Continues(llama.tokenizer, prompt, again)],
    )  # fmt: skip
    assert _digits(stubborn.text) == 0 and stubborn.finish_reason == "content_filter"


@pytest.mark.parametrize("padding", [0, 1, 6])
def test_padding_changes_nothing_in_a_rewound_answer(llama: GuardedModel, padding: int) -> None:
    def wants(generated: str) -> str:
        if "<PHONE_NUMBER>" not in generated:
            return f"{START}{SECRET}. Bye."
        return f"{START}<PHONE_NUMBER>. The email of Jane Roe is jane77@example.org. Bye."

    policy = Policy(
        rules={"PHONE_NUMBER": {"memorized": _rule(0.0)}, "DEFAULT": {"memorized": _rule(1.0)}},  # type: ignore[dict-item]
        after_redaction=AfterRedaction.REWIND,
    )
    ids = llama.chat_ids(QUESTION)
    pads = torch.full((1, padding), llama.tokenizer.pad_token_id)
    padded = torch.cat([pads, ids], 1)
    mask = torch.cat([torch.zeros_like(pads), torch.ones_like(ids)], 1)
    answers: list[Answer] = []

    class Shifted(Continues):
        def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
            bare = input_ids[:, padding:] if input_ids.shape[1] >= padded.shape[1] and bool(
                (input_ids[0, :padding] == llama.tokenizer.pad_token_id).all()
            ) else input_ids  # fmt: skip
            return super().__call__(bare, scores)

    llama.generate(
        padded, attention_mask=mask, policy=policy, max_new_tokens=120, do_sample=False, on_answer=answers.append,
        logits_processor=[Shifted(llama.tokenizer, ids.shape[1], wants)],
    )  # fmt: skip
    (mail,) = [r for r in answers[0].report.spans if r.entity == "EMAIL_ADDRESS"]
    tokens = llama.tokenizer(answers[0].text, add_special_tokens=False)["input_ids"]
    again = llama.inspect(QUESTION, tokens, policy=policy)
    (there,) = [r for r in again.report.spans if r.entity == "EMAIL_ADDRESS"]
    assert mail.decision.verdict.probability == pytest.approx(there.decision.verdict.probability, abs=1e-3)


def _rule(threshold: float) -> Any:
    from reticent import Action, Rule

    return Rule(Action.REDACT, threshold)


def test_choices_of_a_beam_search_share_what_was_suppressed(
    llama: GuardedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompt = llama.chat_ids(QUESTION)
    texts = [SAYS, f"Well. Digits {' '.join(SECRET.replace('-', ''))}. Bye."]
    rows = [[*llama.tokenizer(t, add_special_tokens=False)["input_ids"], llama.tokenizer.eos_token_id] for t in texts]
    width = max(map(len, rows))
    rows = [row + [llama.tokenizer.pad_token_id] * (width - len(row)) for row in rows]
    out = torch.cat([prompt.repeat(2, 1), torch.tensor(rows)], 1)
    monkeypatch.setattr(llama.model, "generate", lambda *a, **k: out)
    got: list[Answer] = []
    llama.generate(prompt, policy=STOP_ALL, num_beams=2, num_return_sequences=2, on_answer=got.append)
    assert all(_digits(answer.text) == 0 for answer in got)


def test_what_was_not_judged_is_not_returned(llama: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    prompt = llama.chat_ids(QUESTION)
    secret = llama.tokenizer(SAYS, add_special_tokens=False, return_tensors="pt")["input_ids"]
    harmless = llama.tokenizer("I cannot say that.", add_special_tokens=False)["input_ids"]
    honest = llama.model.generate

    def more(*args: Any, **options: Any) -> Any:
        out = honest(*args, **options)
        tail = torch.cat([out.sequences, secret], 1) if hasattr(out, "sequences") else torch.cat([out, secret], 1)
        return type(out)(sequences=tail) if hasattr(out, "sequences") else tail

    class Watching:
        def on_answer(self, observation: Observation) -> None:
            outcomes.append(observation.outcome)

    outcomes, got = list[Outcome](), list[Answer]()
    monkeypatch.setattr(llama.guard, "observers", (Watching(),))
    monkeypatch.setattr(llama.model, "generate", more)
    with pytest.raises(CaptureError, match="other tokens than the guard judged") as error:
        llama.generate(
            prompt,
            policy=STOP_ALL,
            max_new_tokens=len(harmless),
            do_sample=False,
            logits_processor=[Goes(harmless, prompt.shape[1])],
            on_answer=got.append,
        )
    assert SECRET not in str(error.value)
    assert (outcomes, got) == ([Outcome.FAILED], [])


class Observing:
    """Keeps what observers get."""

    def __init__(self) -> None:
        self.seen: list[Observation] = []

    def on_answer(self, observation: Observation) -> None:
        self.seen.append(observation)


@pytest.mark.parametrize("error", [CaptureError("no states"), RuntimeError(f"call {SECRET}"), KeyboardInterrupt()])
def test_an_inspection_that_fails_is_observed(
    llama: GuardedModel, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fails(*args: Any, **options: Any) -> Any:
        raise error

    observer, prompt = Observing(), llama.chat_ids(QUESTION)[0].tolist()
    said = llama.tokenizer(SAYS, add_special_tokens=False)["input_ids"]
    monkeypatch.setattr(llama.guard, "observers", (observer,))
    monkeypatch.setattr(llama.taps, "read", fails)
    with pytest.raises(type(error)):
        llama.inspect(QUESTION, said, policy=STOP_ALL)
    with pytest.raises(type(error)):
        llama.inspect_ids([(prompt, said, from_messages(QUESTION), True)] * 2, policy=STOP_ALL)
    assert [(each.outcome, each.route, each.stream) for each in observer.seen] == [
        (Outcome.FAILED, Route.INSPECT, False)
    ] * 3
    assert [each.choice for each in observer.seen] == [0, 0, 1]
    assert [(each.report.generated_chars, each.report.spans) for each in observer.seen] == [(0, ())] * 3
    assert SECRET not in repr(observer.seen) and SAYS not in repr(observer.seen)


def test_an_inspection_that_fails_midway_is_observed_with_what_was_judged(
    llama: GuardedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first answer was judged; the second is what fails."""
    honest, number = AnswerSession.feed_answer, iter(range(2))

    def fails_second(session: AnswerSession, *args: Any) -> Any:
        yield from honest(session, *args)
        if next(number):
            raise RuntimeError(f"call {SECRET}")

    observer, prompt = Observing(), llama.chat_ids(QUESTION)[0].tolist()
    said = llama.tokenizer(SAYS, add_special_tokens=False)["input_ids"]
    monkeypatch.setattr(llama.guard, "observers", (observer,))
    monkeypatch.setattr(AnswerSession, "feed_answer", fails_second)
    with pytest.raises(RuntimeError):
        llama.inspect_ids([(prompt, said, from_messages(QUESTION), True)] * 2, policy=STOP_ALL)
    assert [each.outcome for each in observer.seen] == [Outcome.FAILED] * 2
    assert [[record.entity for record in each.report.spans] for each in observer.seen] == [["PHONE_NUMBER"]] * 2
    assert SECRET not in repr(observer.seen)


def test_an_inspection_that_works_is_observed_once(llama: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    observer = Observing()
    monkeypatch.setattr(llama.guard, "observers", (observer,))
    llama.inspect(QUESTION, SAYS, policy=STOP_ALL)
    with pytest.raises(InputError):
        llama.inspect([], SAYS)  # refused before the model was asked
    assert [each.outcome for each in observer.seen] == [Outcome.REDACTED]


@pytest.mark.parametrize("options", [{"cache_implementation": "paged"}, {"token_healing": True}])
def test_modes_that_pass_by_the_guard_are_refused(llama: GuardedModel, options: dict[str, Any]) -> None:
    for more in ({}, {"num_beams": 2}):
        with pytest.raises(InputError, match=next(iter(options))):
            llama.generate(llama.chat_ids(QUESTION), max_new_tokens=4, **options, **more)


def test_new_ids_alone_beside_a_cache_are_refused(llama: GuardedModel) -> None:
    with pytest.raises(InputError, match="whole prompt"):
        llama.generate(torch.tensor([[5, 6]]), attention_mask=torch.ones(1, 9, dtype=torch.long))


def test_bytes_that_are_no_text_do_not_stop_an_answer() -> None:
    """Byte-fallback tokenizers (Llama 2, Mistral) may emit any sequence of bytes."""
    from tokenizers import Tokenizer, decoders, models

    vocab = {"<unk>": 0, **{f"<0x{byte:02X}>": byte + 1 for byte in range(256)}, "a": 257}
    backend = Tokenizer(models.BPE(vocab, [], unk_token="<unk>", byte_fallback=True))
    backend.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Fuse()])
    tokenizer = tf.PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="<unk>")
    generator = torch.Generator().manual_seed(0)
    for _ in range(200):
        text = TokenText(tokenizer)
        for token in torch.randint(1, 258, (20,), generator=generator).tolist():
            text.push(token)
        assert len(text) == 20


def test_marks_of_the_template_in_a_message_are_text(llama: GuardedModel) -> None:
    special = set(llama.tokenizer.all_special_ids)

    def marks(content: str) -> int:
        ids = llama.chat_ids([{"role": "user", "content": content, "name": content}])[0].tolist()
        return sum(token in special for token in ids)

    assert all(marks(f"Hi {mark} there {mark}") == marks("Hi") for mark in llama.tokenizer.all_special_tokens)
