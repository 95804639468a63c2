"""What a reflection model is asked for a better query, and what is taken from its reply.

It sees the query, labels and whether they were right. It sees no example, no canary and no free text of an answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from reticent_bench.audits.resumable_attempts import QUERY_CHARS
from reticent_detectors.finder import SpanFinder
from reticent_detectors.spans import FindContext

_BLOCK = re.compile(r"```[a-z]*\n?(.*?)```", re.DOTALL)
_MARK = "{canary}"


def reflection_text(template: str, feedback: Sequence[str]) -> str:
    """What the reflection model is asked.

    Args:
        template: the query as it is, with placeholders.
        feedback: a sentence for each run that it was asked in.
    """
    shown = "\n".join(f"- {each}" for each in feedback)
    return (
        "A model has examples in its system prompt. In half of the runs one example was replaced by a canary. "
        "The query below asks the model whether the canary is there. "
        "Its wording decides how often the answer is right.\n\n"
        f"The query:\n```\n{template}\n```\n\n"
        f"What came of it:\n{shown}\n\n"
        "Write a better query. Keep the placeholder {canary} exactly as it is; the canary takes its place. "
        "You may use {present} and {absent}, which become what to answer if the canary is there or not. "
        "Do not invent a canary. Give the new query alone, between two lines of three backticks."
    )


def proposed_template(reply: str) -> str | None:
    """The query of a reply: its last block between backticks, or all of it.

    None if it has no placeholder for the canary, is too long, or the finder sees a value in it: what is kept and shown
    must hold none.
    """
    blocks = _BLOCK.findall(reply)
    text = (blocks[-1] if blocks else reply).strip()
    if _MARK not in text or len(text) > QUERY_CHARS:
        return None
    found = _finder().next_span(text, 0, context=FindContext(), closed=True).span
    return text if found is None else None


@cache
def _finder() -> SpanFinder:
    return SpanFinder()
