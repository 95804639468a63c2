"""DSPy's GEPA as the search for a query (ContextLeak, appendix A.7; Agrawal et al. 2025).

DSPy proposes and selects. The audit asks the queries itself, as everywhere else, so no adapter of DSPy adds text.
Every question and proposal goes through the attempt log.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib.util import find_spec
from typing import Any

from reticent_bench.audits.context.optimisation import grammar
from reticent_bench.audits.context.optimisation.proposals import proposed_template, reflection_text
from reticent_bench.audits.context.optimisation.search_runs import CallsSpent, Search
from reticent_bench.audits.context.optimisation.settings import OptimisationSettings
from reticent_bench.audits.context.prompts import Query
from reticent_bench.audits.resumable_attempts import QUERY
from reticent_detectors.errors import MissingExtra

Reflect = Callable[[str, int], str]
"""The reflection model's answer to a text, with a seed."""
_PROPOSED = "proposed"


class _Stopped(BaseException):
    """Leaves DSPy, which would count an ordinary exception as a wrong answer."""

    def __init__(self, cause: Exception) -> None:
        self.cause = cause


def require_dspy() -> None:
    """Checks that DSPy is installed, without importing it.

    Raises:
        MissingExtra: it is not. The message names the extra and the command.
    """
    if find_spec("dspy") is None:
        raise MissingExtra("dspy", "gepa")


def reflect(search: Search, start: Query, model: Reflect, settings: OptimisationSettings, seed: int) -> list[Query]:
    """Searches by reflection until the calls are spent or a query tells all runs apart.

    GEPA's score of a query is its share of right answers, which is what it reflects on.

    Args:
        search: asks on the search runs.
        start: the query to begin with.
        model: proposes. Each proposal is kept, so that a continued search goes the same way.
        settings: minibatch and calls.
        seed: of GEPA and of the reflection model.

    Returns:
        The proposed queries that were asked in all search runs, in the order of the search.

    Raises:
        MissingExtra: DSPy is not installed.
    """
    require_dspy()
    import dspy

    student = _student(search, start)
    proposer = _proposer(search, model, seed)
    examples = [dspy.Example(number=number).with_inputs("number") for number in range(len(search.runs))]
    optimiser = dspy.GEPA(
        metric=lambda gold, pred, trace=None, pred_name=None, pred_trace=None: dspy.Prediction(
            score=float(pred.right), feedback=pred.feedback
        ),
        # GEPA also counts what was asked before, which costs nothing here; `search` counts what is asked.
        max_metric_calls=2 * max(1, search.calls_left),
        reflection_minibatch_size=settings.minibatch,
        instruction_proposer=proposer,
        use_merge=False,
        num_threads=1,
        seed=seed,
        gepa_kwargs={"stop_callbacks": [lambda state: search.is_perfect]},
    )
    # DSPy draws progress bars of its own; the audit shows its own progress.
    hidden = io.StringIO()
    try:
        with redirect_stdout(hidden), redirect_stderr(hidden):
            optimiser.compile(student, trainset=examples, valset=examples)
    except _Stopped as stopped:
        if not isinstance(stopped.cause, CallsSpent):
            raise stopped.cause from None
    return [query for query in search.asked_everywhere() if query.name.startswith(_PROPOSED)]


def _student(search: Search, start: Query) -> Any:
    """A DSPy module whose instructions are the query, and which asks in a search run."""
    import dspy

    class AskQuery(dspy.Predict):
        def forward(self, **given: Any) -> Any:
            number = int(given["number"])
            query = _query(self.signature.instructions, start)
            try:
                right, feedback = search.is_right(query, number), feedback_of(search, query, number)
            except Exception as error:
                raise _Stopped(error) from None
            answer = dspy.Prediction(right=right, feedback=feedback)
            if dspy.settings.trace is not None:
                dspy.settings.trace.append((self, given, answer))
            return answer

    class Student(dspy.Module):
        def __init__(self) -> None:
            super().__init__()
            self.query = AskQuery(dspy.Signature("number: int -> right: bool, feedback: str", start.template))

        def forward(self, number: int) -> Any:
            return self.query(number=number)

    return Student()


def _proposer(search: Search, model: Reflect, seed: int) -> Any:
    """What GEPA calls for a new query: asks the reflection model, or reads what an earlier run kept."""
    proposals = iter(range(10**9))

    def propose(
        candidate: Mapping[str, str],
        reflective_dataset: Mapping[str, Sequence[Mapping[str, Any]]],
        components_to_update: Sequence[str],
    ) -> dict[str, str]:
        (component,) = components_to_update
        feedback = [str(row["Feedback"]) for row in reflective_dataset[component]]
        text = reflection_text(candidate[component], feedback)
        number = next(proposals)
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        try:
            kept = search.kept(
                f"gepa/proposal-{number}-{digest}", lambda: {QUERY: proposed_template(model(text, seed + number))}
            )
        except Exception as error:
            raise _Stopped(error) from None
        # Without a usable proposal GEPA keeps the query that it had.
        return {component: kept[QUERY] or candidate[component]}

    return propose


def feedback_of(search: Search, query: Query, number: int) -> str:
    """A sentence on one run, of labels and shares alone."""
    outcome, there = search.outcome(query, number), search.runs[number].present
    if search.task.labels:
        said = "no label" if outcome["label"] < 0 else f"the label {search.task.labels[outcome['label']]}"
    else:
        said = f"{outcome['match']:.0%} of the wanted text"
    right = "That was right." if search.is_right(query, number) else "That was wrong."
    return f"The canary was {'' if there else 'not '}there. The model answered {said}. {right}"


def _query(template: str, start: Query) -> Query:
    """The query of a template; proposals ask for what the query asks for that they came from."""
    return start if template == start.template else grammar.named(_PROPOSED, template, start.asks_for)
