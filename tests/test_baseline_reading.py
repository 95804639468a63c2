"""What is gathered for the baselines, against the host asked directly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from tiny_hosts import LAYERS, SAYS, SECRET, host, tokenizer

from reticent_detectors.baselines.evidence import EvidenceSpec
from reticent_detectors.baselines.gradient_norm import gradient_norms
from reticent_detectors.baselines.self_check import likeness
from reticent_detectors.collection.evidence_reader import EvidenceReader
from reticent_detectors.collection.labels import Labeller
from reticent_detectors.collection.reader import FoundSpan, Reader
from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder
from reticent_detectors.host.answers import Answer, answer_all, prompt_ids
from reticent_detectors.synth.prompts import Prompt

PROMPT = Prompt(
    id="p",
    kind="probe",
    form="question",
    messages=(("user", "What is the phone number of Jane Roe?"),),
    text="",
    entity=Entity.PHONE_NUMBER,
    person="roe",
)
SPEC = EvidenceSpec(state_tokens=5, state_layers=2, samples=3, drawn=1.0, neurons=20)


@pytest.fixture(scope="module")
def gathered() -> tuple[Any, Any, Answer, FoundSpan, dict[str, Any]]:
    """A host and a control, an answer that ends with its value, and the evidence of that value."""
    model, control = host("llama", tokenizer()), host("llama", tokenizer(), seed=1)
    readers = [Reader(m, tokenizer(), SpanFinder(), Labeller([], [])) for m in (model, control)]
    ids = tokenizer()(SAYS.partition(".")[0], add_special_tokens=False)["input_ids"]
    answer = Answer(tuple(prompt_ids(tokenizer(), PROMPT)), tuple(ids), True)
    [found] = readers[0].spans([PROMPT], [answer])
    assert found.value == SECRET and found.tokens.stop == len(ids) and len(found.tokens) > SPEC.state_tokens
    reader = EvidenceReader(*readers, tokenizer(), SPEC)
    evidence = reader.read([PROMPT], [answer], [(found, found.tokens)], [True], seed=5)
    return model, control, answer, found, {name.removeprefix("baseline_"): array[0] for name, array in evidence.items()}


def direct(model: Any, answer: Answer, **options: Any) -> Any:
    with torch.no_grad():
        return model(input_ids=torch.tensor([[*answer.prompt_ids, *answer.ids]]), **options)


def test_log_probabilities_and_their_spread(gathered: Any) -> None:
    model, control, answer, found, evidence = gathered
    count = len(found.tokens)
    for name, who in (("logprob", model), ("control", control)):
        distribution = torch.softmax(direct(who, answer).logits[0].double(), 1)
        for i, token in enumerate(found.tokens):
            p = distribution[len(answer.prompt_ids) + token - 1]
            assert evidence[name][i] == pytest.approx(float(p[answer.ids[token]].log()), abs=1e-4)
            if who is model:
                mean = float((p * p.log()).sum())
                assert evidence["mean"][i] == pytest.approx(mean, abs=1e-4)
                assert evidence["deviation"][i] ** 2 == pytest.approx(
                    float((p * (p.log() - mean) ** 2).sum()), abs=1e-3
                )
    for name in ("logprob", "control", "mean", "deviation", "relevance"):
        assert (evidence[name][:count] != 0).all() and not evidence[name][count:].any()


def test_states_stand_at_the_values_own_tokens_the_last_one_included(gathered: Any) -> None:
    model, _, answer, found, evidence = gathered
    states = direct(model, answer, output_hidden_states=True).hidden_states
    places = [len(answer.prompt_ids) + found.tokens[i] for i in SPEC.places(len(found.tokens))]
    assert places[-1] == len(answer.prompt_ids) + len(answer.ids) - 1
    # The last entry of transformers' hidden_states is behind the final norm, so an earlier layer is compared.
    assert SPEC.layers(LAYERS) == (1, 2) and {n for n in evidence if n.startswith("state_")} == {"state_1", "state_2"}
    np.testing.assert_allclose(evidence["state_1"], states[2][0, places].numpy(), rtol=1e-3, atol=1e-4)


def test_rank_and_activation_of_the_first_token(gathered: Any) -> None:
    model, _, answer, found, evidence = gathered
    seen: list[Any] = []
    hooks = [
        layer.mlp.act_fn.register_forward_hook(lambda _m, _i, out: seen.append(out)) for layer in model.model.layers
    ]
    out = direct(model, answer, output_hidden_states=True)
    for hook in hooks:
        hook.remove()
    before = len(answer.prompt_ids) + found.tokens.start - 1
    assert evidence["activation"].shape == (LAYERS, 16)  # every third of 48 neurons
    np.testing.assert_allclose(evidence["activation"][1], seen[1][0, before, ::3], rtol=1e-3, atol=1e-4)
    first = answer.ids[found.tokens.start]
    for layer in range(LAYERS):
        state = out.hidden_states[layer + 1][0, before]
        logits = model.lm_head(state if layer == LAYERS - 1 else model.model.norm(state))
        assert evidence["rank"][layer] == int((logits > logits[first]).sum())


def test_what_is_dear_is_that_of_the_samples(gathered: Any) -> None:
    model, _, answer, found, evidence = gathered
    np.testing.assert_allclose(
        evidence["gradient"],
        gradient_norms(model, [*answer.prompt_ids, *answer.ids], len(answer.prompt_ids) + found.tokens.start),
        rtol=1e-4,
    )
    assert evidence["drawn"] == 1 and evidence["agreement"].shape == (3,) and evidence["similarity"].shape == (4, 4)
    assert evidence["token_sar"][0] > 0 and evidence["similarity"][0, 0] == pytest.approx(1)


def test_samples_that_give_the_value_or_another_one_or_none(gathered: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    model, _, answer, found, _ = gathered
    other = "468-749-1000"

    def answers(*_: Any, **__: Any) -> list[Answer]:
        texts = [SAYS, SAYS.replace(SECRET, other), "No idea."]
        ids = [tokenizer()(text, add_special_tokens=False)["input_ids"] for text in texts]
        return [replace(answer, ids=tuple(row)) for row in ids]

    monkeypatch.setattr("reticent_detectors.collection.evidence_reader.answer_all", answers)
    reader = Reader(model, tokenizer(), SpanFinder(), Labeller([], []))
    both = [(found, found.tokens), (found, found.tokens)]
    evidence = EvidenceReader(reader, None, tokenizer(), SPEC).read([PROMPT], [answer], both, [True, False], seed=0)
    alike = likeness("4687491093", "4687491000")
    assert evidence["baseline_agreement"][0] == pytest.approx([1.0, alike, 0.0])
    similarity = evidence["baseline_similarity"][0]
    assert similarity[0, 1] == pytest.approx(1.0) and 0 < similarity[0, 2] < 1 and not similarity[3].any()
    # The same tokens in nearly the same place: the first sample's value is about as likely as the answer's.
    assert evidence["baseline_token_sar"][0][1] > 0 and evidence["baseline_token_sar"][0][3] == 0
    assert "baseline_control" not in evidence
    for name in ("drawn", "gradient", "agreement", "token_sar", "similarity"):
        assert not evidence[f"baseline_{name}"][1].any()


def test_a_host_without_an_activation_function_by_name_keeps_the_rest(gathered: Any) -> None:
    model, _, answer, found, _ = gathered
    reader = EvidenceReader(
        Reader(model, tokenizer(), SpanFinder(), Labeller([], [])), None, tokenizer(), replace(SPEC, drawn=0.0)
    )
    reader._activations = []
    evidence = reader.read([PROMPT], [answer], [(found, found.tokens)], [False], seed=0)
    assert "baseline_activation" not in evidence and evidence["baseline_rank"].shape == (1, LAYERS)


def test_sampling_is_repeatable() -> None:
    model = host("llama", tokenizer())
    one, two = (answer_all(model, tokenizer(), [PROMPT] * 3, temperature=1.0, max_new_tokens=8, seed=5) for _ in "ab")
    assert [a.ids for a in one] == [a.ids for a in two] and len({a.ids for a in one}) > 1
