"""Answers without a guard: where they end, whatever token ends them."""

from __future__ import annotations

from typing import Any

import pytest
import tiny_hosts

from reticent_detectors.host import answers
from reticent_detectors.host.answers import answer_all
from reticent_detectors.synth.prompts import Prompt


def test_any_token_at_which_generate_stops_ends_an_answer() -> None:
    tokenizer = tiny_hosts.tokenizer()
    model = tiny_hosts.host("llama", tokenizer)
    prompts = [Prompt(str(n), "talk", "", (("user", f"Call {n} at noon."),), "") for n in range(8)]
    long = answer_all(model, tokenizer, prompts, max_new_tokens=12)
    stop = next(token for token in long[0].ids if not all(token in answer.ids for answer in long))
    model.generation_config.eos_token_id = [tokenizer.eos_token_id, stop]
    found = answer_all(model, tokenizer, prompts, max_new_tokens=12)
    assert [answer.ended for answer in found] == [answer.ended or stop in answer.ids for answer in long]
    for before, answer in zip(long, found, strict=True):
        assert answer.ids == (before.ids[: before.ids.index(stop)] if stop in before.ids else before.ids)
    assert {answer.ended for answer in found} == {True, False}


def test_what_has_ended_is_not_carried_on_with_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = tiny_hosts.tokenizer()
    model = tiny_hosts.host("llama", tokenizer)
    prompts = [Prompt(str(n), "talk", "", (("user", f"Call {n} at noon."),), "") for n in range(8)]
    long = answer_all(model, tokenizer, prompts, max_new_tokens=20)
    stop = next(token for token in long[0].ids[:5] if not all(token in answer.ids for answer in long))
    model.generation_config.eos_token_id = [tokenizer.eos_token_id, stop]
    wanted = answer_all(model, tokenizer, prompts, max_new_tokens=20)
    rows: list[tuple[int, int]] = []
    generate = model.generate

    def counted(**options: Any) -> Any:
        rows.append((len(options["input_ids"]), options["max_new_tokens"]))
        return generate(**options)

    monkeypatch.setattr(model, "generate", counted)
    monkeypatch.setattr(answers, "SHORT", 6)
    assert answer_all(model, tokenizer, prompts, max_new_tokens=20) == wanted
    (first, short), (left, rest) = rows
    assert (first, short, rest) == (8, 6, 14) and 0 < left < 8
    rows.clear()
    sampled = answer_all(model, tokenizer, prompts, max_new_tokens=20, temperature=1.0)
    assert rows == [(8, 20)] and len(sampled) == 8  # one draw after the other, as before
