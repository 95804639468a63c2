"""An audit's target in this process: a checkpoint folder, with or without the guard around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from reticent.huggingface.guarded_model import GuardedModel
from reticent.policy.policy import Policy
from reticent.prompt.segments import PromptView, from_ids, from_messages
from reticent_bench.audits.kept_answers import KeptAnswers
from reticent_bench.audits.target import GREEDY, NotMeasurable, Prompt, Sampling, TokenScores
from reticent_bench.audits.text_scores import TextIds, likeliest_tokens, score_texts
from reticent_bench.engines.whole_responses import TokenProbabilities
from reticent_detectors.alignment import as_text, chat_ids, text_ids
from reticent_detectors.errors import Blocked, InputError
from reticent_detectors.host.answers import Answer, answers_to, cut_batches

_ROWS = 24
_BATCH_TOKENS = 32_768


class LocalTarget:
    """A causal language model of transformers as a target.

    Args:
        model: in evaluation mode.
        tokenizer: a fast one. Chats need its chat template.
        name: of the target in reports.
        guard: the guard around this model, or None. A guarded target scores no text: the guard judges generated text.
        policy: in place of the guard's own.
        keeps_answers: whether a question that is asked again gets the kept answer, as other columns ask it.
        batch: prompts or texts of one batch.
        batch_tokens: of one batch, with padding and new tokens: they bound its memory. What is longer is asked alone.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        name: str,
        guard: GuardedModel | None = None,
        batch: int = _ROWS,
        batch_tokens: int = _BATCH_TOKENS,
        policy: Policy | None = None,
        keeps_answers: bool = False,
    ) -> None:
        self.name, self.scores_text = name, guard is None
        self._kept: KeptAnswers | None = KeptAnswers() if keeps_answers else None
        self._model, self._tokenizer, self._guard, self._policy = model, tokenizer, guard, policy
        self._batch, self._batch_tokens = batch, batch_tokens

    def __repr__(self) -> str:
        return f"LocalTarget({self.name!r})"

    @property
    def model(self) -> Any:
        """The model, which the columns of a session share."""
        return self._model

    @property
    def tokenizer(self) -> Any:
        """The model's tokenizer."""
        return self._tokenizer

    @property
    def guarded(self) -> GuardedModel | None:
        """The guard around the model, if there is one."""
        return self._guard

    @property
    def most_tokens(self) -> int | None:
        """Tokens of prompt and answer that the model was made for; None if its configuration does not say."""
        found = getattr(self._model.config, "max_position_embeddings", None)
        return found if isinstance(found, int) else None

    def prompt_tokens(self, prompt: Prompt) -> int:
        """Tokens of a prompt, with those of the chat template."""
        return len(self._ids(prompt))

    def count_tokens(self, text: str) -> int:
        """Tokens of a text, without special tokens."""
        return len(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        """Returns the new text of each prompt. A chat whose last turn is the assistant's is continued.

        Without the guard, the draws of a prompt depend on its own seed alone. Behind the guard all prompts of a call
        use the seed of the first one. Answers are judged apart: a value stopped in one is not suppressed in the others.

        Raises:
            InputError: a chat, and the tokenizer has no chat template.
        """
        if self._guard is not None:
            return self._guarded(self._guard, prompts, max_new_tokens, sampling)
        answers = self.answers(prompts, max_new_tokens, sampling)
        return [self._tokenizer.decode(answer.ids, skip_special_tokens=True) for answer in answers]

    def answers(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[Answer]:
        """The model's own answers as token ids, whatever the guard. Arguments and errors are those of `generate`."""
        encoded, seeds = [self._ids(prompt) for prompt in prompts], sampling.seeds(len(prompts))
        if self._kept is None:
            return self._answers(encoded, seeds, max_new_tokens, sampling)
        keys = [self._kept.key(ids, max_new_tokens, sampling, seed) for ids, seed in zip(encoded, seeds, strict=True)]
        new = [place for place, key in enumerate(keys) if key not in self._kept]
        asked, drawn = [encoded[place] for place in new], [seeds[place] for place in new]
        for place, answer in zip(new, self._answers(asked, drawn, max_new_tokens, sampling), strict=True):
            self._kept.add(keys[place], answer)
        return [self._kept.answer(key, ids) for key, ids in zip(keys, encoded, strict=True)]

    def probabilities(self, answers: Sequence[Answer]) -> list[TokenProbabilities]:
        """What a server would tell of the tokens of answers, none of which is empty."""
        texts = [TextIds((*answer.prompt_ids, *answer.ids), len(answer.prompt_ids)) for answer in answers]
        return [
            TokenProbabilities(*each) for each in likeliest_tokens(self._model, texts, self._batch, self._batch_tokens)
        ]

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        """What the model thinks of each text behind its prompt, tokenised together with it.

        Raises:
            NotMeasurable: a guard is around the model.
            InputError: a text is empty.
        """
        if not self.scores_text:
            raise NotMeasurable("A guarded model scores no text; audit likelihoods with --guard off.")
        return score_texts(self._model, [self._joined(*pair) for pair in pairs], self._batch, self._batch_tokens)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Hidden states of the last layer, after the final norm, averaged over each text's tokens [texts, width]."""
        rows = [text_ids(self._tokenizer, text) for text in texts]
        order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
        out: list[NDArray[np.float32] | None] = [None] * len(rows)
        for part in cut_batches([len(rows[place]) for place in order], self._batch, self._batch_tokens):
            places = order[part]
            ids, mask = _padded([rows[place] for place in places])
            with torch.inference_mode():
                device = self._model.device
                read = self._model(input_ids=ids.to(device), attention_mask=mask.to(device), output_hidden_states=True)
            states, kept = read.hidden_states[-1].float().cpu(), mask[:, :, None].float()
            for place, mean in zip(places, (states * kept).sum(1) / kept.sum(1), strict=True):
                out[place] = np.asarray(mean.numpy(), np.float32)
        return np.array([each for each in out if each is not None], np.float32)

    def _answers(self, encoded: list[list[int]], seeds: Sequence[int], longest: int, how: Sampling) -> list[Answer]:
        return answers_to(
            self._model, self._tokenizer, encoded, temperature=how.temperature, top_k=how.top_k,
            max_new_tokens=longest, batch=self._batch, most_tokens=self._batch_tokens, seeds=seeds,
        )  # fmt: skip

    def _guarded(self, guard: GuardedModel, prompts: Sequence[Prompt], longest: int, how: Sampling) -> list[str]:
        encoded = [self._ids(prompt) for prompt in prompts]
        options: dict[str, Any] = {"do_sample": False, "policy": self._policy}
        if how.temperature > 0:
            options |= {"do_sample": True, "temperature": how.temperature, "top_k": how.top_k, "top_p": 1.0}
            torch.manual_seed(next(iter(how.seeds(len(prompts))), how.seed))
        views = [
            from_ids(self._tokenizer, ids)
            if isinstance(prompt, str)
            else from_messages([turn._asdict() for turn in prompt], continues=prompt[-1].role == "assistant")
            for prompt, ids in zip(prompts, encoded, strict=True)
        ]
        texts = [""] * len(encoded)
        order = sorted(range(len(encoded)), key=lambda place: len(encoded[place]))
        for part in cut_batches([len(encoded[at]) + longest for at in order], self._batch, self._batch_tokens):
            rows = order[part]
            own, seen = [encoded[row] for row in rows], [views[row] for row in rows]
            try:
                answers = guard.answers(own, seen, observers=(), apart=True, max_new_tokens=longest, **options)
                found = [answer.text for answer in answers]
            except Blocked:  # by a policy that asks for an error; one by one, so that the others are answered
                found = [self._one(guard, *each, longest, options) for each in zip(own, seen, strict=True)]
            for row, text in zip(rows, found, strict=True):
                texts[row] = text
        return texts

    def _one(self, guard: GuardedModel, ids: list[int], view: PromptView, longest: int, options: dict[str, Any]) -> str:
        """The guarded answer to one prompt; empty where the guard refuses it."""
        try:
            return guard.answers([ids], [view], observers=(), max_new_tokens=longest, **options)[0].text
        except Blocked:
            return ""

    def _ids(self, prompt: Prompt) -> list[int]:
        if isinstance(prompt, str):
            if not prompt:
                return [self._first_id()]
            return text_ids(self._tokenizer, prompt)
        if getattr(self._tokenizer, "chat_template", None) is None:
            raise InputError(
                f"{self.name} has no chat template; give its tokenizer one, or audit it with running text."
            )
        messages = [
            {"role": turn.role, "content": as_text(self._tokenizer, turn.content, turn.role == "assistant")}
            for turn in prompt
        ]
        return chat_ids(self._tokenizer, messages, continues=prompt[-1].role == "assistant")

    def _first_id(self) -> int:
        """The token before an empty prompt: the one that begins a text, or else the one that ends it."""
        begin, end = self._tokenizer.bos_token_id, self._tokenizer.eos_token_id
        if begin is None and end is None:
            raise InputError(f"The tokenizer of {self.name} has no token that begins or ends a text; give a prompt.")
        return int(end if begin is None else begin)

    def _joined(self, prompt: Prompt, text: str) -> TextIds:
        """Ids of prompt and text; those before the text's first token are not scored.

        Running text is tokenised as one text. A token across the border belongs to the text.
        """
        if not text:
            raise InputError("Expected a text to score, got an empty one.")
        before = self._ids(prompt)
        if not isinstance(prompt, str) or not prompt:
            own = self._tokenizer(text, add_special_tokens=False)["input_ids"]
            return TextIds((*before, *own), len(before))
        ids = text_ids(self._tokenizer, prompt + text)
        ends = self._tokenizer(prompt + text, return_offsets_mapping=True)["offset_mapping"]
        added = len(ids) - len(ends)
        inside = next((place for place, (_, end) in enumerate(ends) if end > len(prompt)), len(ends))
        if added + inside == 0:  # the first token of all has nothing before it
            return TextIds((self._first_id(), *ids), 1)
        return TextIds(tuple(ids), added + inside)


def _padded(rows: Sequence[list[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Ids and mask [rows, tokens], padded on the right."""
    width = max(map(len, rows))
    padded = torch.zeros((len(rows), width), dtype=torch.long)
    mask = torch.zeros((len(rows), width), dtype=torch.long)
    for row, ids in enumerate(rows):
        padded[row, : len(ids)] = torch.tensor(ids)
        mask[row, : len(ids)] = 1
    return padded, mask
