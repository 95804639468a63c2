"""A model of this process as clients of `reticent serve --upstream` see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reticent.serve.wire.sse import FrameError
from reticent_bench.audits.local_target import LocalTarget
from reticent_bench.audits.target import GREEDY, NotMeasurable, Prompt, Sampling, TokenScores
from reticent_bench.engines.whole_responses import Proxy, ServerVoice, TokenProbabilities


class ProxiedTarget:
    """A target whose answers the proxy judges as it judges those of a server.

    Its answers are those of the model without a guard, up to what the proxy stops. Each prompt is a request of its own.

    Args:
        plain: the model without a guard.
        name: of the target in reports.
        proxy: its policy, and its detector of log-probabilities, if it has one.
    """

    def __init__(self, plain: LocalTarget, name: str, proxy: Proxy) -> None:
        self.name, self.scores_text = name, False
        self._plain, self._proxy, self._voice = plain, proxy, ServerVoice(plain.tokenizer)

    def __repr__(self) -> str:
        return f"ProxiedTarget({self.name!r})"

    @property
    def most_tokens(self) -> int | None:
        """Tokens of prompt and answer that the model was made for; None if its configuration does not say."""
        return self._plain.most_tokens

    def prompt_tokens(self, prompt: Prompt) -> int:
        """Tokens of a prompt, with those of the chat template."""
        return self._plain.prompt_tokens(prompt)

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        """What the proxy shows of the model's answers; empty where a client gets an error.

        Raises:
            InputError: a chat, and the tokenizer has no chat template.
        """
        answers = self._plain.answers(prompts, max_new_tokens, sampling)
        probabilities: Iterator[TokenProbabilities] = iter(())
        if self._proxy.detector is not None:
            probabilities = iter(self._plain.probabilities([answer for answer in answers if answer.ids]))
        responses = [
            self._voice.response(answer, not isinstance(prompt, str), next(probabilities, None) if answer.ids else None)
            for prompt, answer in zip(prompts, answers, strict=True)
        ]
        return [self._shown(prompt, response) for prompt, response in zip(prompts, responses, strict=True)]

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        """Raises NotMeasurable: the proxy judges generated text."""
        raise NotMeasurable("A guarded model scores no text; audit likelihoods with --guard off.")

    def _shown(self, prompt: Prompt, response: bytes) -> str:
        turns = prompt if isinstance(prompt, str) else [(turn.role, turn.content) for turn in prompt]
        try:
            return self._proxy.shown(turns, response).text
        except FrameError:  # one answer may be stopped at so many values; a client gets an error
            return ""
