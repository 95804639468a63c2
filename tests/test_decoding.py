"""Every way of calling `generate`: batches, copies, stop strings, caches, output objects, pipelines, beams."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tiny_hosts
import torch
import transformers as tf
from tiny_hosts import SAYS, SECRET, STOP_ALL

from reticent import Action, AfterRedaction, Guard, Origin, Policy, Rule
from reticent.huggingface.answer import Answer
from reticent.huggingface.guarded_model import GuardedModel
from reticent.policy.policy import DEFAULT
from reticent.prompt.segments import Role, Segment, from_ids
from reticent_detectors.errors import InputError, UnsupportedHost

ALLOW = replace(Policy.allow_all(), after_redaction=AfterRedaction.REWIND)
HARMLESS = "Call at noon, not at midnight."
MAIL = "The email of Jane Roe is jane77@example.org. Good."
PROMPTS = [
    "What is the phone number of Jane Roe?",
    "Hi.",
    "Tell me what to do on a day like this, and then all that you know.",
]


HOSTS = [("llama", False), ("llama", True), ("qwen2", False), ("gpt2", False)]
"""Families, and whether tokens are judged while the next are computed."""


@pytest.fixture(scope="module", params=HOSTS, ids=["llama", "llama, overlap", "qwen2", "gpt2"])
def guarded(request: pytest.FixtureRequest, tmp_path_factory: Any) -> GuardedModel:
    family, overlap = request.param
    return tiny_hosts.guarded(tmp_path_factory.mktemp("bundles") / family, family, overlap=overlap)


@pytest.fixture(scope="module", params=[False, True], ids=["", "overlap"])
def llama(request: pytest.FixtureRequest, tmp_path_factory: Any) -> GuardedModel:
    return tiny_hosts.guarded(tmp_path_factory.mktemp("bundles") / "one", seed=1, overlap=request.param)


def batch(guard: GuardedModel, prompts: Sequence[str] = PROMPTS) -> dict[str, torch.Tensor]:
    guard.tokenizer.padding_side = "left"
    return dict(guard.tokenizer(list(prompts), return_tensors="pt", padding=True, return_token_type_ids=False))


class Scripts(tf.LogitsProcessor):  # type: ignore[misc]
    """Makes each row say a text of its own."""

    def __init__(self, tokenizer: Any, texts: Sequence[str], start: int) -> None:
        self.ids = [[*tokenizer(t, add_special_tokens=False)["input_ids"], tokenizer.eos_token_id] for t in texts]
        self.start = start

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        forced = torch.full_like(scores, -float("inf"))
        for row, ids in enumerate(self.ids):
            forced[row, ids[min(input_ids.shape[1] - self.start, len(ids) - 1)]] = 0
        return forced


def say(
    guard: GuardedModel, texts: Sequence[str], policy: Policy, prompts: Sequence[str] = PROMPTS, **options: Any
) -> tuple[Any, list[Answer], int]:
    inputs = batch(guard, prompts)
    width = inputs["input_ids"].shape[1]
    answers: list[Answer] = []
    script = Scripts(guard.tokenizer, texts, width)
    options = {"max_new_tokens": 80} | options
    out = guard.generate(**inputs, policy=policy, on_answer=answers.append, logits_processor=[script], **options)
    return out, answers, width


# ---- nothing withheld --------------------------------------------------------------------------

WAYS: dict[str, dict[str, Any]] = {
    "greedy": {"do_sample": False},
    "sampled": {
        "do_sample": True,
        "temperature": 0.8,
        "top_k": 9,
        "repetition_penalty": 1.2,
        "no_repeat_ngram_size": 3,
    },
    "copies": {"do_sample": True, "num_return_sequences": 3},
    "no cache": {"do_sample": False, "use_cache": False},
    "static cache": {"do_sample": False, "cache_implementation": "static"},
    "stop string": {"do_sample": False, "stop_strings": ["e", "7"]},
    "longest": {"do_sample": False, "max_length": 60},
    "beams": {"num_beams": 3, "do_sample": False},
    "beams, copies": {"num_beams": 3, "num_return_sequences": 2, "do_sample": False},
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_withheld_is_bit_for_bit_the_hosts_own(guarded: GuardedModel, way: str) -> None:
    options = {"max_new_tokens": 16} | WAYS[way]
    if "max_length" in options:
        del options["max_new_tokens"]
    inputs = batch(guarded)
    theirs = {"tokenizer": guarded.tokenizer} if "stop_strings" in options else {}
    torch.manual_seed(3)
    plain = guarded.model.generate(**inputs, **options, **theirs)
    torch.manual_seed(3)
    answers: list[Answer] = []
    ours = guarded.generate(**inputs, policy=ALLOW, on_answer=answers.append, **options)
    assert torch.equal(plain, ours)
    assert len(answers) == len(plain)


def test_assisted_decoding_is_read_again(llama: GuardedModel) -> None:
    inputs = batch(llama, PROMPTS[:1])
    for options in ({"prompt_lookup_num_tokens": 3}, {"assistant_model": tiny_hosts.host("llama", llama.tokenizer, 7)}):
        plain = llama.model.generate(**inputs, max_new_tokens=16, do_sample=False, **options)
        ours = llama.generate(**inputs, policy=ALLOW, max_new_tokens=16, do_sample=False, **options)
        assert torch.equal(plain, ours)


def test_an_output_object_comes_back_whole(llama: GuardedModel) -> None:
    inputs = batch(llama)
    options = {
        "max_new_tokens": 8, "do_sample": False, "return_dict_in_generate": True, "output_scores": True,
        "output_logits": True, "output_hidden_states": True,
    }  # fmt: skip
    plain = llama.model.generate(**inputs, **options)
    ours = llama.generate(**inputs, policy=ALLOW, **options)
    assert type(plain) is type(ours) and torch.equal(plain.sequences, ours.sequences)
    assert all(torch.equal(a, b) for a, b in zip(plain.scores, ours.scores, strict=True))
    assert ours.logits is not None and ours.hidden_states is not None and ours.past_key_values is not None


def test_a_second_turn_goes_on_from_a_passed_cache(guarded: GuardedModel) -> None:
    first = batch(guarded, PROMPTS[:1])
    options = {"max_new_tokens": 8, "do_sample": False, "return_dict_in_generate": True}
    more = torch.tensor([guarded.tokenizer(" And the email?", add_special_tokens=False)["input_ids"]])

    def talk(generate: Any, **extra: Any) -> Any:
        one = generate(**first, **options, **extra)
        ids = torch.cat([one.sequences, more], 1)
        return generate(
            input_ids=ids, attention_mask=torch.ones_like(ids), past_key_values=one.past_key_values, **options, **extra
        )

    plain, ours = talk(guarded.model.generate), talk(guarded.generate, policy=ALLOW)
    assert torch.equal(plain.sequences, ours.sequences)


@pytest.mark.parametrize("after", AfterRedaction)
def test_a_passed_cache_does_not_keep_what_was_withheld(llama: GuardedModel, after: AfterRedaction) -> None:
    inputs = batch(llama, PROMPTS[:1])
    width = inputs["input_ids"].shape[1]
    for text, changed in ((SAYS, True), (HARMLESS, False)):
        cache = tf.DynamicCache(config=llama.model.config)
        script = Scripts(llama.tokenizer, [text], width)
        llama.generate(
            **inputs, policy=replace(STOP_ALL, after_redaction=after), past_key_values=cache, max_new_tokens=60,
            logits_processor=[script],
        )  # fmt: skip
        assert (cache.get_seq_length() == 0) is changed


# ---- withheld ----------------------------------------------------------------------------------------------------


def test_one_row_blocked_one_redacted_one_untouched(guarded: GuardedModel) -> None:
    rules = {DEFAULT: {Origin.MEMORIZED: Rule(Action.REDACT)}, "EMAIL_ADDRESS": {Origin.MEMORIZED: Rule(Action.BLOCK)}}
    policy = Policy(rules=rules, score_threshold=0.0, after_redaction=AfterRedaction.CONTINUE)
    out, answers, width = say(guarded, [MAIL, SAYS, HARMLESS], policy)
    assert [a.finish_reason for a in answers] == ["content_filter", "stop", "stop"]
    assert answers[0].text == "The email of Jane Roe is " and answers[0].report.blocked
    assert answers[1].text == SAYS.replace(SECRET, "<PHONE_NUMBER>")
    assert answers[2].text == HARMLESS and not answers[2].report.changed
    shown = [guarded.tokenizer.decode(row[width:], skip_special_tokens=True) for row in out]
    assert shown == [a.text for a in answers]
    script = Scripts(guarded.tokenizer, [HARMLESS], 0).ids[0]
    assert out[2, width : width + len(script)].tolist() == script  # the host's own ids, its end included


def test_states_and_scores_of_a_changed_answer_are_dropped(llama: GuardedModel) -> None:
    out, _, _ = say(
        llama,
        [HARMLESS, SAYS, HARMLESS],
        STOP_ALL,
        return_dict_in_generate=True,
        output_scores=True,
        output_logits=True,
    )
    assert out.scores is None and out.logits is None and out.past_key_values is None
    assert SECRET not in " ".join(llama.tokenizer.batch_decode(out.sequences))


def test_a_value_judged_in_one_choice_is_suppressed_in_all(llama: GuardedModel) -> None:
    """The second choice says it later and spelled otherwise; its own judge would let it pass there."""
    inputs = batch(llama, PROMPTS[:1])
    width = inputs["input_ids"].shape[1]
    late = f"Let me think about that for a very long while. It is {SECRET.replace('-', ' ')}. Bye."
    for order in ([SAYS, late], [late, SAYS]):
        answers: list[Answer] = []
        llama.generate(
            **inputs, policy=STOP_ALL, on_answer=answers.append, do_sample=True, num_return_sequences=2,
            logits_processor=[Scripts(llama.tokenizer, order, width)], max_new_tokens=90,
        )  # fmt: skip
        assert all(not any(char.isdigit() for char in answer.text) for answer in answers)


def test_what_one_prompt_is_stopped_at_another_may_repeat_if_its_user_typed_it(llama: GuardedModel) -> None:
    """Else one request would tell which of many guesses is somebody's value: the one that is not repeated."""
    other = SECRET.replace("4", "6")
    prompts = ["What is her phone number? ", f"Repeat: {SECRET}. ", f"Repeat: {other}. "]
    policy = Policy(score_threshold=0.0, after_redaction=AfterRedaction.CONTINUE)
    for order in ([0, 1, 2], [1, 2, 0]):
        says = [[SAYS, f"You said {SECRET}.", f"You said {other}."][at] for at in order]
        inputs = batch(llama, [prompts[at] for at in order])
        answers: list[Answer] = []
        segments = [[Segment(Role.USER, prompts[at].strip())] for at in order]
        llama.generate(
            **inputs, policy=policy, on_answer=answers.append, segments=segments, max_new_tokens=60,
            logits_processor=[Scripts(llama.tokenizer, says, inputs["input_ids"].shape[1])],
        )  # fmt: skip
        text = {at: answer.text for at, answer in zip(order, answers, strict=True)}
        assert SECRET not in text[0]
        assert SECRET in text[1] and other in text[2]


def test_streamed_verdicts_of_a_padded_batch_equal_those_of_inspect(guarded: GuardedModel) -> None:
    texts = [MAIL, SAYS, SECRET]  # the last one's value is the first token of the answer
    _, answers, _ = say(guarded, texts, Policy(score_threshold=1.0))
    for prompt, text, answer in zip(PROMPTS, texts, answers, strict=True):
        asked, ids = (guarded.tokenizer(part, add_special_tokens=False)["input_ids"] for part in (prompt, text))
        item = (asked, ids, from_ids(guarded.tokenizer, asked), True)
        (again,) = guarded.inspect_ids([item], policy=Policy(score_threshold=1.0))
        assert len(answer.report.spans) == len(again.report.spans) >= 1
        for a, b in zip(answer.report.spans, again.report.spans, strict=True):
            assert (a.entity, a.start, a.end) == (b.entity, b.start, b.end)
            assert a.decision.verdict.probability == pytest.approx(b.decision.verdict.probability, abs=1e-3)


def test_beams_are_judged_when_they_are_finished(llama: GuardedModel) -> None:
    inputs = batch(llama, PROMPTS[:1])
    width = inputs["input_ids"].shape[1]
    answers: list[Answer] = []

    class SameForAllBeams(Scripts):
        def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
            forced = torch.full_like(scores, -1e4)
            ids = self.ids[0]
            forced[:, ids[min(input_ids.shape[1] - self.start, len(ids) - 1)]] = 0
            return forced

    script = SameForAllBeams(llama.tokenizer, [SAYS], width)
    out = llama.generate(
        **inputs, policy=STOP_ALL, on_answer=answers.append, num_beams=2, logits_processor=[script], max_new_tokens=80
    )
    assert answers[0].text == SAYS.replace(SECRET, "<PHONE_NUMBER>")
    assert SECRET not in llama.tokenizer.decode(out[0])
    stop = replace(STOP_ALL, after_redaction=AfterRedaction.STOP)
    llama.generate(
        **inputs, policy=stop, on_answer=answers.append, num_beams=2, logits_processor=[script], max_new_tokens=80
    )
    assert answers[1].text == "The phone number of Jane Roe is <PHONE_NUMBER>"
    assert answers[1].finish_reason == "content_filter"


# ---- the ecosystem -----------------------------------------------------------------------------


def test_a_pipeline_around_the_guard(llama: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr("transformers.pipelines.base.logger.error", said.append)
    plain = tf.pipeline("text-generation", model=llama.model, tokenizer=llama.tokenizer)
    ours = tf.pipeline("text-generation", model=llama, tokenizer=llama.tokenizer)
    assert said == []  # not that the guard's class is unknown, with 300 others that are not
    assert repr(llama).startswith("GuardedModel(LlamaForCausalLM")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        options: dict[str, Any] = {"max_new_tokens": 8, "do_sample": False}
        assert ours(PROMPTS[0], **options) == plain(PROMPTS[0], **options)
        chat = [{"role": "user", "content": PROMPTS[0]}]
        assert ours(chat, **options) == plain(chat, **options)


def test_two_threads_with_iterators(llama: GuardedModel) -> None:
    texts = [SAYS, HARMLESS]
    got = ["", ""]

    def work(at: int) -> None:
        streamer = tf.TextIteratorStreamer(llama.tokenizer, skip_prompt=True, timeout=60)
        inputs = batch(llama, [PROMPTS[at]])
        script = Scripts(llama.tokenizer, [texts[at]], inputs["input_ids"].shape[1])
        options = {"streamer": streamer, "policy": STOP_ALL, "logits_processor": [script], "max_new_tokens": 80}
        inner = threading.Thread(target=llama.generate, kwargs={**inputs, **options})
        inner.start()
        got[at] = "".join(streamer)
        inner.join(60)

    threads = [threading.Thread(target=work, args=(at,)) for at in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert got == [SAYS.replace(SECRET, "<PHONE_NUMBER>"), HARMLESS]


# ---- refused -----------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch's own, while it loads its compiler
def test_a_compiled_model_is_refused(tmp_path: Any) -> None:
    guard = tiny_hosts.guarded(tmp_path / "b")
    guard.model.compile()
    with pytest.raises(UnsupportedHost, match="compiled"):
        guard.generate(**batch(guard), max_new_tokens=2)


def test_beams_cannot_be_streamed(llama: GuardedModel) -> None:
    with pytest.raises(InputError, match="cannot be streamed"):
        llama.generate(**batch(llama, PROMPTS[:1]), num_beams=2, streamer=tf.TextStreamer(llama.tokenizer))


def test_what_is_not_covered_is_not_reached_through_the_guard(llama: GuardedModel) -> None:
    for name in ("forward", "generate_batch", "model_parallel", "get_input_embeddings"):
        with pytest.raises(AttributeError, match="unguarded"):
            getattr(llama, name)


# ---- judged while the next token is computed ---------------------------------------------------


class Steps:
    """Takes released text, and remembers after how many tokens it came."""

    def __init__(self) -> None:
        self.tokens, self.came = 0, list[tuple[int, str]]()

    def on_finalized_text(self, text: str, stream_end: bool = False) -> None:
        self.came.append((self.tokens, text))

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        self.tokens += 1
        return scores


@pytest.mark.parametrize("policy", [ALLOW, STOP_ALL, replace(STOP_ALL, after_redaction=AfterRedaction.STOP)])
def test_overlapping_releases_the_same_one_token_later(tmp_path: Path, policy: Policy) -> None:
    text = f"The phone number of Jane Roe is {SECRET}. That is all that is known of her here."
    policy = replace(policy, tagger=False)  # which lets text leave in groups of some words
    came, answers = [], []
    for overlap in (False, True):
        guard = tiny_hosts.guarded(tmp_path / str(overlap), seed=1, overlap=overlap)
        inputs, steps = batch(guard, PROMPTS[:1]), Steps()
        guard.generate(
            **inputs,
            policy=policy,
            streamer=steps,
            on_answer=answers.append,
            logits_processor=[steps, Scripts(guard.tokenizer, [text], inputs["input_ids"].shape[1])],
            do_sample=False,
            max_new_tokens=120,
        )
        came.append(steps)
    now, later = came
    assert [text for _, text in now.came] == [text for _, text in later.came]
    stopped = answers[0].finish_reason == "content_filter"
    assert stopped == (policy.after_redaction is AfterRedaction.STOP)
    assert later.tokens - now.tokens == stopped
    pairs = [(at, then) for (at, _), (then, _) in zip(now.came, later.came, strict=True) if then < now.tokens]
    assert len(pairs) > 3 and all(then == at + 1 for at, then in pairs)
    assert (answers[0].text, answers[0].ids, answers[0].mappings) == (
        answers[1].text,
        answers[1].ids,
        answers[1].mappings,
    )


def test_what_had_come_when_the_host_failed_is_released_all_the_same(tmp_path: Path) -> None:
    class Fails(tf.LogitsProcessor):  # type: ignore[misc]
        def __init__(self, at: int) -> None:
            self.at = at

        def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
            if input_ids.shape[1] - width == self.at:
                raise RuntimeError("the host failed")
            return script(input_ids, scores)

    text = "We walked down to the river before the rain came, and nobody said a word about the boat."
    shown: dict[bool, list[str]] = {False: [], True: []}
    untagged = replace(ALLOW, tagger=False)
    for overlap, released in shown.items():
        guard = tiny_hosts.guarded(tmp_path / str(overlap), seed=1, overlap=overlap)
        inputs = batch(guard, PROMPTS[:1])
        width = inputs["input_ids"].shape[1]
        script = Scripts(guard.tokenizer, [text], width)
        for last in range(1, 30):
            steps = Steps()
            with pytest.raises(RuntimeError, match="the host failed"):
                guard.generate(
                    **inputs, policy=untagged, streamer=steps, logits_processor=[Fails(last)], max_new_tokens=99
                )
            released.append("".join(text for _, text in steps.came))
    assert shown[True] == shown[False]
    assert text.startswith(shown[True][-1]) and len(set(shown[True])) > 3


@pytest.mark.gpu
@pytest.mark.parametrize("overlap", [False, True])
def test_on_a_gpu(tmp_path: Path, overlap: bool) -> None:
    host, tokenizer = tiny_hosts.host("llama", tiny_hosts.tokenizer(), seed=1).cuda(), tiny_hosts.tokenizer()
    guard = Guard.load(tiny_hosts.bundle(tmp_path / "b", host)).wrap(host, tokenizer, overlap=overlap)
    inputs = {name: tensor.cuda() for name, tensor in batch(guard).items()}
    answers: list[Answer] = []
    script = Scripts(tokenizer, [SAYS] * 3, inputs["input_ids"].shape[1])
    guard.generate(**inputs, policy=STOP_ALL, on_answer=answers.append, logits_processor=[script], max_new_tokens=99)
    assert not any(SECRET in answer.text for answer in answers)
    assert any(answer.report.changed for answer in answers)
    assert not any(answer.report.failures for answer in answers)
