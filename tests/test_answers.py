"""Answers without a guard: where they end, whatever token ends them."""

from __future__ import annotations

import tiny_hosts

from reticent_detectors.host.answers import answer_all
from reticent_detectors.synth.prompts import Prompt


def test_any_token_at_which_generate_stops_ends_an_answer() -> None:
    tokenizer = tiny_hosts.tokenizer()
    model = tiny_hosts.host("llama", tokenizer)
    prompts = [Prompt(str(n), "talk", "", (("user", f"Call {n} at noon."),), "") for n in range(8)]
    long = answer_all(model, tokenizer, prompts, max_new_tokens=12)
    stop = next(token for token in long[0].ids if not all(token in answer.ids for answer in long))
    model.generation_config.eos_token_id = [tokenizer.eos_token_id, stop]
    answers = answer_all(model, tokenizer, prompts, max_new_tokens=12)
    assert [answer.ended for answer in answers] == [answer.ended or stop in answer.ids for answer in long]
    for before, answer in zip(long, answers, strict=True):
        assert answer.ids == (before.ids[: before.ids.index(stop)] if stop in before.ids else before.ids)
    assert {answer.ended for answer in answers} == {True, False}
