"""The guard around real transformers models: tiny random hosts that are made to say what the test wants."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tiny_hosts
import torch
import transformers as tf
from tiny_hosts import QUESTION, SAYS, SECRET, STOP_ALL, Script

from reticent import Action, Blocked, Guard, Origin, Policy, Role, Rule, Segment
from reticent.huggingface.answer import Answer
from reticent.huggingface.guarded_model import GuardedModel
from reticent.policy.policy import DEFAULT, OnBlock
from reticent_detectors.errors import (
    BundleMismatch,
    InputError,
    PolicyError,
    TokenizerMismatch,
    UnsupportedHost,
    WrongType,
)
from reticent_detectors.finder import SpanFinder
from reticent_detectors.host.tokenizer import train_tokenizer

WATCH = Policy(score_threshold=1.0)
"""Nothing reaches its threshold: all passes, but is judged."""


@pytest.fixture(scope="module", params=["llama", "qwen2", "gpt2"])
def guarded(request: pytest.FixtureRequest, tmp_path_factory: Any) -> GuardedModel:
    return tiny_hosts.guarded(tmp_path_factory.mktemp("bundles") / request.param, request.param)


@pytest.fixture(scope="module")
def llama(tmp_path_factory: Any) -> GuardedModel:
    return tiny_hosts.guarded(tmp_path_factory.mktemp("bundles") / "one", seed=1)


def _says(guard: GuardedModel, text: str, policy: Policy = STOP_ALL, **options: Any) -> Answer:
    start = guard.chat_ids(QUESTION).shape[1]
    options = {"max_new_tokens": 80, "do_sample": False} | options
    return guard.chat(QUESTION, policy=policy, logits_processor=[Script(guard.tokenizer, text, start)], **options)


class Sink:
    def __init__(self) -> None:
        self.text, self.ended = "", False

    def on_finalized_text(self, text: str, stream_end: bool = False) -> None:
        self.text += text
        self.ended = self.ended or stream_end


def _prompt(guard: GuardedModel) -> torch.Tensor:
    return guard.chat_ids(QUESTION)


# ---- nothing withheld: the host's own answer -------------------------------------------------------------------------


def test_allow_all_is_token_for_token_the_unguarded_run(guarded: GuardedModel) -> None:
    prompt = _prompt(guarded)
    for options in ({"do_sample": False}, {"do_sample": True, "temperature": 0.9, "top_k": 7}, {"do_sample": True}):
        for seed in range(4):
            torch.manual_seed(seed)
            plain = guarded.model.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=24, **options)
            torch.manual_seed(seed)
            ours = guarded.generate(prompt, policy=Policy.allow_all(), max_new_tokens=24, **options)
            assert torch.equal(plain, ours)


def test_a_harmless_answer_comes_back_as_the_hosts_own_ids(guarded: GuardedModel) -> None:
    text = "Call at noon, not at midnight."
    answers: list[Answer] = []
    prompt = _prompt(guarded)
    script = Script(guarded.tokenizer, text, prompt.shape[1])
    out = guarded.generate(
        prompt, policy=STOP_ALL, on_answer=answers.append, logits_processor=[script], max_new_tokens=60
    )
    assert out[0, prompt.shape[1] :].tolist() == script.ids
    assert answers[0].text == text and answers[0].finish_reason == "stop" and not answers[0].report.spans


# ---- withheld ----------------------------------------------------------------------------------------------------


def test_a_memorised_value_is_redacted_and_the_rest_stays(guarded: GuardedModel) -> None:
    sink = Sink()
    answer = _says(guarded, SAYS, streamer=sink)
    assert answer.text == SAYS.replace(SECRET, "<PHONE_NUMBER>") == sink.text and sink.ended
    (record,) = answer.report.spans
    assert record.decision.action is Action.REDACT and record.decision.verdict.origin is Origin.MEMORIZED
    assert record.decision.verdict.probability is not None and answer.report.changed
    assert SECRET not in repr(answer) + repr(answer.report) + repr(record)


def test_what_generate_returns_after_a_redaction_is_the_released_text(llama: GuardedModel) -> None:
    prompt = _prompt(llama)
    script = Script(llama.tokenizer, SAYS, prompt.shape[1])
    out = llama.generate(prompt, policy=STOP_ALL, logits_processor=[script], max_new_tokens=80)
    assert torch.equal(out[:, : prompt.shape[1]], prompt)
    assert llama.tokenizer.decode(out[0, prompt.shape[1] :]) == SAYS.replace(SECRET, "<PHONE_NUMBER>")


def test_probabilities_are_raw_whatever_the_sampler(llama: GuardedModel) -> None:
    cold = _says(llama, SAYS, WATCH, do_sample=True, temperature=0.2)
    hot = _says(llama, SAYS, WATCH, do_sample=True, temperature=3.0, top_k=5)
    first, second = (a.report.spans[0].decision.verdict.probability for a in (cold, hot))
    assert first == pytest.approx(second, abs=1e-6)


def test_streamed_verdicts_equal_those_of_inspect(guarded: GuardedModel) -> None:
    text = f"{SAYS} The email of Jane Roe is jane77@example.org. The diagnosis of Jane Roe is asthma."
    streamed = _says(guarded, text, WATCH)
    ids = guarded.tokenizer(text, add_special_tokens=False)["input_ids"]
    again = guarded.inspect(QUESTION, ids, policy=WATCH)
    assert len(streamed.report.spans) == len(again.report.spans) >= 3
    for a, b in zip(streamed.report.spans, again.report.spans, strict=True):
        assert (a.entity, a.start, a.end) == (b.entity, b.start, b.end)
        assert a.decision.verdict.probability == pytest.approx(b.decision.verdict.probability, abs=1e-3)


def test_what_the_user_typed_passes_and_what_the_operator_wrote_does_not(llama: GuardedModel) -> None:
    known = f"The phone number of Jane Roe is {SECRET}."
    user = [{"role": "user", "content": f"{known} What is the phone number of Jane Roe?"}]
    operator = [{"role": "system", "content": known}, *QUESTION]
    for messages, origin, text in ((user, Origin.ECHOED, SECRET), (operator, Origin.CONTEXT, "<PHONE_NUMBER>")):
        start = llama.chat_ids(messages).shape[1]
        script = Script(llama.tokenizer, SECRET, start)
        answer = llama.chat(messages, policy=STOP_ALL, logits_processor=[script], max_new_tokens=40)
        assert answer.text == text and answer.report.spans[0].decision.verdict.origin is origin


def test_segments_say_whose_text_is_whose(llama: GuardedModel) -> None:
    user = [{"role": "user", "content": f"The phone number of Jane Roe is {SECRET}. And what is it again?"}]
    prompt = llama.chat_ids(user)
    script = Script(llama.tokenizer, f"It is {SECRET}.", prompt.shape[1])
    for segments, kept in (
        (None, True),
        ([Segment(Role.USER, user[0]["content"])], True),
        ([Segment(Role.CONTEXT, user[0]["content"])], False),
    ):
        out = llama.generate(prompt, segments=segments, policy=STOP_ALL, logits_processor=[script], max_new_tokens=40)
        assert (SECRET in llama.tokenizer.decode(out[0, prompt.shape[1] :])) is kept


def test_a_segment_that_nobody_wrote_lets_no_value_out(llama: GuardedModel) -> None:
    for segment in (Segment(Role.USER, f"Her number is {SECRET}."), Segment("user", SECRET)):  # type: ignore[arg-type]
        with pytest.raises(InputError, match="does not stand in the prompt") as raised:
            llama.generate(_prompt(llama), segments=[segment], policy=STOP_ALL, max_new_tokens=4)
        assert SECRET not in str(raised.value)


def test_block_stops_generation(llama: GuardedModel) -> None:
    block = Policy(rules={DEFAULT: {Origin.MEMORIZED: Rule(Action.BLOCK, 0.0)}})
    answer = _says(llama, SAYS, block)
    assert answer.finish_reason == "content_filter" and answer.text == "The phone number of Jane Roe is "
    replaced = _says(llama, SAYS, Policy(rules=block.rules, on_block=OnBlock.REPLACE, block_text="No."))
    assert replaced.text == "No."
    with pytest.raises(Blocked):
        _says(llama, SAYS, Policy(rules=block.rules, on_block=OnBlock.ERROR))


# ---- cuts, prefill ---------------------------------------------------------------------------------------------------


def test_every_length_cut_withholds_what_is_open(llama: GuardedModel) -> None:
    whole = SAYS.replace(SECRET, "<PHONE_NUMBER>")
    tokens = len(llama.tokenizer(SAYS, add_special_tokens=False)["input_ids"])
    for longest in range(1, tokens + 1):
        text = _says(llama, SAYS, max_new_tokens=longest).text
        shown = text.split("<")[0]
        assert whole.startswith(shown), longest
        assert not any(char.isdigit() for char in shown)


def test_a_stop_string_at_every_character_of_the_value(llama: GuardedModel) -> None:
    for char in sorted(set(SECRET)):
        text = _says(llama, SAYS, stop_strings=[char]).text
        assert not any(c.isdigit() for c in text)


def test_prefill_at_every_character(llama: GuardedModel) -> None:
    for cut in range(1, len(SECRET)):
        prefill = f"The phone number of Jane Roe is {SECRET[:cut]}"
        messages = [*QUESTION, {"role": "assistant", "content": prefill}]
        start = llama.chat_ids(messages, True).shape[1]
        script = Script(llama.tokenizer, SECRET[cut:] + ". Good.", start)
        answer = llama.chat(
            messages, continue_final_message=True, policy=STOP_ALL, logits_processor=[script], max_new_tokens=40
        )
        assert not any(char.isdigit() for char in answer.text), cut
        assert answer.text.endswith(". Good.")


@pytest.mark.parametrize("longest", [1, 2, 3])
def test_short_answers_with_continuation_give_nothing_away(llama: GuardedModel, longest: int) -> None:
    shown, reply = "", f"The phone number of Jane Roe is {SECRET}"
    ids = llama.tokenizer(reply, add_special_tokens=False)["input_ids"]
    for at in range(0, len(ids), longest):
        prefill = llama.tokenizer.decode(ids[:at])
        messages = [*QUESTION, {"role": "assistant", "content": prefill}] if prefill else QUESTION
        start = llama.chat_ids(messages, bool(prefill)).shape[1]
        script = Script(llama.tokenizer, llama.tokenizer.decode(ids[at:]), start)
        answer = llama.chat(
            messages,
            continue_final_message=bool(prefill),
            policy=STOP_ALL,
            logits_processor=[script],
            max_new_tokens=longest,
        )
        shown += answer.text
    assert sum(char.isdigit() for char in shown.replace("<PHONE_NUMBER>", "")) <= 2


# ---- failures --------------------------------------------------------------------------------------------------------


def test_a_killed_hook_is_noticed(tmp_path: Path) -> None:
    guard = tiny_hosts.guarded(tmp_path / "b")
    guard.taps._handles[1].remove()
    answer = _says(guard, SAYS, WATCH)
    assert SECRET not in answer.text and answer.report.failures == (("judge", 1),)
    assert answer.report.spans[0].decision.verdict.origin is Origin.UNKNOWN


def test_a_layer_that_is_late_is_noticed(tmp_path: Path) -> None:
    guard = tiny_hosts.guarded(tmp_path / "b")
    assert SECRET in _says(guard, SAYS, WATCH).text
    first, second = guard.model.model.layers[0], guard.model.model.layers[1]
    (hook,) = first._forward_hooks.values()
    first._forward_hooks.clear()
    second.register_forward_hook(hook)  # layer 0 reports after layer 1
    late = _says(guard, SAYS, WATCH)
    assert SECRET not in late.text and late.report.failures == (("judge", 1),)


def test_a_failing_detector_fails_closed_and_open_as_set(llama: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(features: Any, entities: Any) -> Any:
        raise RuntimeError("no session")

    monkeypatch.setattr(llama.guard.scorer, "score", broken)
    closed = _says(llama, SAYS, WATCH)
    assert SECRET not in closed.text and closed.report.failures == (("judge", 1),)
    opened = _says(llama, SAYS, Policy.allow_all())
    assert SECRET in opened.text and opened.report.failures == (("judge", 1),)


def test_two_threads_do_not_mix(llama: GuardedModel) -> None:
    texts = [SAYS, f"The phone number of John Poe is {SECRET[::-1]}. Good bye."]
    alone = [_says(llama, text, WATCH).report.spans[0].decision.verdict.probability for text in texts]
    out: list[float | None] = [None, None]

    def work(at: int) -> None:
        for _ in range(3):
            out[at] = _says(llama, texts[at], WATCH).report.spans[0].decision.verdict.probability

    threads = [threading.Thread(target=work, args=(at,)) for at in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert out == pytest.approx(alone, abs=1e-6)


def test_close_leaves_the_model_as_it_was(tmp_path: Path) -> None:
    model = tiny_hosts.host("llama", tiny_hosts.tokenizer())
    before = {name: value.clone() for name, value in model.state_dict().items()}
    guard = Guard.load(tiny_hosts.bundle(tmp_path / "b", model)).wrap(model, tiny_hosts.tokenizer())
    _says(guard, SAYS)
    guard.close()
    assert all(not module._forward_hooks for module in model.modules())
    for ask in (lambda: _says(guard, SAYS), lambda: guard.inspect(QUESTION, [1])):
        with pytest.raises(InputError, match="closed"):
            ask()
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())


# ---- bad input -------------------------------------------------------------------------------------------------------


def test_a_bundle_for_another_host_is_refused(tmp_path: Path) -> None:
    tokenizer = tiny_hosts.tokenizer()
    folder = tiny_hosts.bundle(tmp_path / "b", tiny_hosts.host("llama", tokenizer))
    with pytest.raises(BundleMismatch, match="another host"):
        Guard.load(folder).wrap(tiny_hosts.host("llama", tokenizer, seed=9), tokenizer)


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_the_same_host_in_another_dtype_is_distinguished_from_another_host(tmp_path: Path, dtype: torch.dtype) -> None:
    tokenizer = tiny_hosts.tokenizer()
    model = tiny_hosts.host("llama", tokenizer).bfloat16().float()
    guard = Guard.load(tiny_hosts.bundle(tmp_path / "b", model))
    with pytest.raises(BundleMismatch, match=r"another dtype: load the model with dtype=torch\.float32"):
        guard.wrap(model.to(dtype), tokenizer)
    guard.wrap(model.float(), tokenizer).close()


def test_a_wrap_that_fails_leaves_the_model_as_it_was(llama: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    def hooks() -> int:
        return sum(len(module._forward_hooks) for module in llama.model.modules())

    def broken(finder: SpanFinder) -> None:
        raise OSError

    before = hooks()
    monkeypatch.setattr(SpanFinder, "warm", broken)
    with pytest.raises(OSError):
        llama.guard.wrap(llama.model, llama.tokenizer)
    assert hooks() == before > 0


def test_hosts_that_cannot_be_guarded(llama: GuardedModel) -> None:
    tokenizer = tiny_hosts.tokenizer()
    t5 = tf.T5Config(d_model=16, d_kv=8, d_ff=16, num_layers=2, num_heads=2, vocab_size=64, decoder_start_token_id=0)
    with pytest.raises(UnsupportedHost, match="decoder"):
        llama.guard.wrap(tf.T5ForConditionalGeneration(t5), tokenizer)
    with pytest.raises(UnsupportedHost, match="head"):
        llama.guard.wrap(llama.model.model, tokenizer)
    with pytest.raises(TokenizerMismatch):
        many = [f"{a}{b}{a}" for a in "abcdefghijklmnopqrstuvwxyz" for b in "abcdefghijklmnopqrstuvwxyz"]
        llama.guard.wrap(llama.model, train_tokenizer(many, 900, 512))


@pytest.mark.parametrize(
    "options",
    [
        {"guidance_scale": 1.5},
        {"penalty_alpha": 0.6, "top_k": 4},
        {"dola_layers": "high"},
        {"custom_generate": "somebody/somewhere"},
        {"inputs_embeds": torch.zeros(1, 3, 32)},
    ],
)
def test_what_is_not_supported_is_refused(llama: GuardedModel, options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(options))):
        llama.generate(_prompt(llama), max_new_tokens=4, **options)


def test_bad_prompts(llama: GuardedModel) -> None:
    for empty in (None, torch.zeros(1, 0, dtype=torch.long)):
        with pytest.raises(InputError, match="empty"):
            llama.generate(empty)
    with pytest.raises(InputError, match="padded on the left"):
        llama.generate(torch.ones(1, 3, dtype=torch.long), attention_mask=torch.tensor([[1, 1, 0]]))
    with pytest.raises(InputError, match="A streamer takes one answer"):
        llama.generate(torch.ones(2, 3, dtype=torch.long), streamer=Sink())
    with pytest.raises(InputError, match="messages is empty"):
        llama.chat([])
    with pytest.raises(InputError, match="content"):
        llama.chat([{"role": "user"}])
    with pytest.raises(InputError, match="empty"):
        llama.inspect("", "text")
    with pytest.raises(InputError, match="on_finalized_text"):
        llama.generate(_prompt(llama), streamer=object())  # type: ignore[arg-type]


PASSED_ON = torch.ones(1, 3, dtype=torch.long)


@pytest.mark.parametrize(
    ("prompt", "options", "expected"),
    [
        ("hello", {}, "encode the text"),
        ([[1, 2]], {}, r"torch\.tensor\(ids\)"),
        ({"input_ids": PASSED_ON}, {}, r"generate\(\*\*inputs\)"),
        (PASSED_ON.float(), {}, "whole numbers"),
        (PASSED_ON.bool(), {}, "whole numbers"),
        (PASSED_ON, {"policy": "sealed"}, r"Policy\.preset\('sealed'\)"),
        (PASSED_ON, {"policy": {"preset": "sealed"}}, "policy_from"),
        (PASSED_ON, {"segments": "hello"}, "Segment"),
    ],
)
def test_arguments_of_another_type_are_named(
    llama: GuardedModel, prompt: Any, options: dict[str, Any], expected: str
) -> None:
    with pytest.raises(WrongType, match=expected) as error:
        llama.generate(prompt, **options)
    assert "hello" not in str(error.value)


def test_embeddings_alone_are_refused_as_such(llama: GuardedModel) -> None:
    with pytest.raises(InputError, match="does not support inputs_embeds"):
        llama.generate(inputs_embeds=torch.zeros(1, 3, 32))


def test_a_chat_gives_one_answer(llama: GuardedModel) -> None:
    with pytest.raises(InputError, match="Use generate"):
        llama.chat(QUESTION, num_return_sequences=3, do_sample=True)
    config = tf.GenerationConfig(num_return_sequences=3, do_sample=True)
    with pytest.raises(InputError, match="Use generate"):
        llama.chat(QUESTION, generation_config=config)


@pytest.mark.parametrize("messages", ["hello", QUESTION[0], None])
def test_chats_that_are_none(llama: GuardedModel, messages: Any) -> None:
    for call in (llama.chat, llama.chat_ids):
        with pytest.raises(WrongType, match="'role': 'user'"):
            call(messages)


@pytest.mark.parametrize(
    ("prompt", "answer"), [(None, "x"), (3, "x"), ("x", None), ("x", ["x"]), ("x", [[1]]), ("x", [1.0]), ("x", b"x")]
)
def test_what_cannot_be_inspected(llama: GuardedModel, prompt: Any, answer: Any) -> None:
    with pytest.raises(WrongType, match=r"list"):
        llama.inspect(prompt, answer)


def test_ids_of_an_answer_may_be_a_tensor(llama: GuardedModel) -> None:
    ids = llama.tokenizer(SAYS, add_special_tokens=False)["input_ids"]
    assert llama.inspect(QUESTION, torch.tensor(ids)).text == llama.inspect(QUESTION, ids).text  # type: ignore[arg-type]


class Watching:
    def on_answer(self, observation: object) -> None:
        """Looks away."""


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"records": "records.index"}, r"RecordsIndex\.load"),
        ({"observers": print}, "on_answer"),
        ({"observers": [print]}, "on_answer"),
        ({"observers": Watching()}, "a list of objects"),
        ({"observers": [Watching]}, r"make one: Watching\("),
        ({"finder": "presidio"}, "SpanFinder"),
        ({"finder": [SpanFinder()]}, "SpanFinder"),
        ({"policy": {"preset": "sealed"}}, "policy_from"),
        ({"providers": "CUDAExecutionProvider"}, "list of names"),
    ],
)
def test_a_guard_says_what_to_make_it_of(options: dict[str, Any], expected: str) -> None:
    with pytest.raises(WrongType, match=expected):
        Guard.load(**options)


def test_a_guard_takes_no_name_for_a_policy(llama: GuardedModel) -> None:
    for name in ("sealed", ""):
        with pytest.raises(WrongType, match=r"Policy\.preset"):
            Guard(llama.guard.bundle, name)  # type: ignore[arg-type]


def test_what_cannot_be_wrapped(llama: GuardedModel) -> None:
    with pytest.raises(WrongType, match="AutoTokenizer"):
        llama.guard.wrap(llama.model, None)
    for model in (None, "model", llama, llama.tokenizer):
        with pytest.raises(WrongType, match="AutoModelForCausalLM"):
            llama.guard.wrap(model, llama.tokenizer)


def test_an_empty_answer_is_inspected(llama: GuardedModel) -> None:
    assert llama.inspect(QUESTION, "").text == ""


# ---- how many made-up values may be stopped ------------------------------------------------------------------------


def test_a_policy_chooses_the_rate_of_false_positives() -> None:
    strict, usual = (Guard.load(policy=Policy(false_positives=rate)) for rate in (0.01, None))
    calibration = usual.bundle.calibration
    assert usual.policy.threshold("FLIGHT") == calibration.threshold(0.08, "FLIGHT")
    assert strict.policy.threshold("FLIGHT") == calibration.threshold(0.01, "FLIGHT")
    between = usual.policy_with_thresholds(Policy(false_positives=0.03)).threshold("FLIGHT")
    assert between is not None and calibration.threshold(0.08, "FLIGHT") < between < calibration.threshold(
        0.01, "FLIGHT"
    )
    assert strict.policy_with_thresholds(Policy()).digest_hex == usual.policy.digest_hex != strict.policy.digest_hex
    with pytest.raises(PolicyError, match=r"'false_positives' .*got 0\.2.*0\.001 to 0\.08"):
        Guard.load(policy=Policy(false_positives=0.2))
    tables = {"0.01": 2.0, "0.08": 1.0}
    few = replace(usual.bundle, calibration=replace(calibration, thresholds=tables, entity_thresholds={}))
    with pytest.raises(PolicyError, match=r"false_positives: .* from 0\.01 to 0\.08\. Choose a share in between"):
        Guard(few, Policy(false_positives=0.001))  # a bundle of somebody's own


def test_each_call_has_the_rate_of_its_policy(llama: GuardedModel) -> None:
    bundle = llama.guard.bundle
    apart = replace(bundle.calibration, thresholds={"0.001": 9.0, "0.08": -9.0}, entity_thresholds={})
    for own in (None, 0.001):  # whatever the guard was made with
        guard = Guard(replace(bundle, calibration=apart), Policy(false_positives=own)).wrap(
            llama.model, llama.tokenizer
        )
        texts = [_says(guard, SAYS, Policy(false_positives=rate)).text for rate in (None, 0.001, 0.08)]
        assert [SECRET in text for text in texts] == [False, True, False]


def test_a_prompt_given_twice_is_refused(llama: GuardedModel) -> None:
    with pytest.raises(InputError, match="given twice"):
        llama.generate(_prompt(llama), input_ids=_prompt(llama))


def test_each_answer_has_a_span_behind_the_applications(llama: GuardedModel) -> None:
    """Also in a stream, whose thread is another; the second answer to a question is the first one's child."""
    from provided_spans import attributes, ident, parent, provided  # skips this test where there is no SDK

    start = llama.chat_ids(QUESTION).shape[1]
    blocks = Policy(rules={DEFAULT: {Origin.MEMORIZED: Rule(Action.BLOCK, 0.0)}}, on_block=OnBlock.ERROR)
    with provided() as exporter, exporter.application() as request:
        _says(llama, SAYS)
        says = Script(llama.tokenizer, SAYS, start)
        with llama.stream(QUESTION, policy=STOP_ALL, logits_processor=[says], max_new_tokens=80) as streamed:
            assert SECRET not in "".join(streamed)
        llama.generate(_prompt(llama), num_return_sequences=2, do_sample=True, max_new_tokens=4)
        llama.inspect(QUESTION, SAYS, policy=STOP_ALL)
        with pytest.raises(Blocked):
            _says(llama, SAYS, blocks)
        with pytest.raises(InputError):  # refused before the model is asked: no span
            llama.generate(_prompt(llama), num_return_sequences=2, streamer=Sink())
    spans = [each for each in exporter.get_finished_spans() if each.name != "request"]
    one, other = spans[2:4]
    assert [parent(each) for each in spans] == [ident(one) if each is other else request for each in spans]
    assert [
        (attributes(each)["reticent.route"], attributes(each)["gen_ai.guardrail.result.value"]) for each in spans
    ] == [
        ("chat", "redacted"),
        ("chat", "redacted"),
        ("generate", "passed"),
        ("generate", "passed"),
        ("inspect", "redacted"),
        ("chat", "blocked"),
    ]
    assert all(SECRET not in each.to_json() for each in spans)
