"""Divides a prompt by its authors: the user, the operator, or the model itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from reticent_detectors.errors import InputError, WrongType
from reticent_detectors.spans import FindContext

LEFT_CHARS = 1024
"""Characters directly before the answer that the span finder sees."""
_EARLIER_CHARS = 64_000
"""Characters of the model's earlier turns, and of its calls in them, that are searched for a person's name."""


class Role(StrEnum):
    """Says who wrote a segment of a prompt.

    Attributes:
        USER: the user; the values may be repeated.
        CONTEXT: the operator, as in a system prompt or a retrieved document. By default the values are redacted.
        MODEL: the model, in earlier turns.
    """

    USER = "user"
    CONTEXT = "context"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Segment:
    """Says who wrote a piece of a prompt.

    Attributes:
        role: the writer, also by name: `user`, `context` or `model`.
        text: the piece, as it is in the prompt.

    Raises:
        InputError: there is no such role.
        WrongType: the text is no `str`.
    """

    role: Role
    text: str

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "role", Role(self.role))
        except ValueError:  # the given value may be the text, so the error does not show it
            raise InputError(
                f"Unknown role in a Segment (got {type(self.role).__name__}); "
                f"expected one of {', '.join(Role)}, and then "
                "the text: Segment(Role.USER, text)."
            ) from None
        if not isinstance(self.text, str):
            raise WrongType(f"The text of a Segment is {type(self.text).__name__}; pass Segment(Role.USER, text).")

    def __repr__(self) -> str:
        return f"Segment({self.role}, <{len(self.text)} chars>)"


@dataclass(frozen=True, slots=True)
class Begun:
    """Holds what the model goes on with, whoever wrote it: the beginning of the answer's first value.

    Attributes:
        text: all of it as one running text, without separators.
        segments: how many segments at the end of the prompt it came in.
        pieced: whether it came in several pieces, between which a server may write something of its own.
    """

    text: str = ""
    segments: int = 0
    pieced: bool = False

    def __repr__(self) -> str:
        return f"Begun(<{len(self.text)} chars>, segments={self.segments}, pieced={self.pieced})"


@dataclass(frozen=True, slots=True)
class PromptView:
    """Holds what the guard knows of a prompt: the user's text, the operator's, and what a span finder may read.

    `pieced` says that the text which the answer goes on with may stand otherwise in the model's prompt (`Begun`).
    `behind` is the text that follows the answer, where the model fills a gap.
    `said` is the end of what the model said in its earlier turns.
    `model` is all of that, with what it has begun to say, and its calls (`with_calls`): it may name a person.
    """

    user: str
    operator: str
    context: FindContext
    pieced: bool = False
    behind: str = ""
    said: str = field(default="", repr=False)
    model: str = field(default="", repr=False)

    def __repr__(self) -> str:
        return f"PromptView(user=<{len(self.user)} chars>, operator=<{len(self.operator)} chars>)"


ROLES = {"user": Role.USER, "assistant": Role.MODEL, "model": Role.MODEL}
"""Maps a chat's role to the author of its turns. The turns of all other roles are the operator's."""


def from_segments(segments: Iterable[Segment], *, continues: bool = False) -> PromptView:
    """Makes the view of a prompt whose authors are known.

    Args:
        segments: the segments in order.
        continues: whether the answer goes on with the last segment as one running text (a completion prompt or a
            prefilled assistant turn).
    """
    parts = list(segments)
    return begun_view(parts, Begun(parts[-1].text, 1) if continues and parts else Begun())


def begun_view(segments: Sequence[Segment], begun: Begun) -> PromptView:
    """Makes the view of a prompt whose authors are known, and with whose end the answer goes on.

    What is begun stays its author's, so the user's own words may be echoed.
    """
    user = "\n".join(s.text for s in segments if s.role is Role.USER)
    operator = "\n".join(s.text for s in segments if s.role is Role.CONTEXT)
    turns = segments[: len(segments) - begun.segments]
    last = next((at for at, s in reversed(list(enumerate(turns))) if s.role is Role.USER), len(segments))
    earlier = "\n".join(s.text for at, s in enumerate(segments) if at != last)
    question = turns[last].text if last < len(turns) else ""
    said = "\n".join(s.text for s in turns if s.role is Role.MODEL)[-LEFT_CHARS:]
    model = "\n".join(s.text for s in segments if s.role is Role.MODEL)[-_EARLIER_CHARS:]
    context = FindContext(begun.text[-LEFT_CHARS:], question, earlier)
    return PromptView(user, operator, context, begun.pieced, said=said, model=model)


def with_calls(view: PromptView, turns: Iterable[Mapping[str, Any]]) -> PromptView:
    """Adds to a view's `model` what turns hold beside their content, as tool calls and thoughts.

    Args:
        view: of a prompt.
        turns: the turns of a chat, or items that are no turns.
    """
    beside = "\n".join(
        text
        for turn in turns
        for name, value in turn.items()
        if name != "role" and not (name == "content" and "role" in turn)
        for text in _texts(value)
    )
    return replace(view, model="\n".join(filter(None, (view.model, beside[-_EARLIER_CHARS:])))) if beside else view


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(each)


def from_messages(messages: Sequence[Mapping[str, Any]], *, continues: bool = False) -> PromptView:
    """Makes the view of a chat, with the authors of `ROLES`. A value in the operator's turns is not echoed.

    Raises:
        InputError: there are no messages, or one lacks a role or has content that is no text.
        WrongType: they are no list of messages.
    """
    check_messages(messages)
    segments = []
    for number, message in enumerate(messages):
        role, content = message.get("role"), message.get("content")
        if not isinstance(role, str) or not isinstance(content, str):
            raise InputError(
                f"messages[{number}] must have a role and a content that are text, got {type(role).__name__} and "
                f"{type(content).__name__}."
            )
        segments.append(Segment(ROLES.get(role, Role.CONTEXT), content))
    return with_calls(from_segments(segments, continues=continues), messages)


def check_messages(messages: Any) -> None:
    """Raises InputError for an empty chat, and WrongType for an argument that is no list of messages."""
    example = "{'role': 'user', 'content': '...'}"
    if isinstance(messages, str | bytes) or not isinstance(messages, Sequence):
        raise WrongType(f"Chat messages must be a list such as [{example}], got {type(messages).__name__}.")
    if not messages:
        raise InputError(f"messages is empty; expected at least one {example}.")
    for number, message in enumerate(messages):
        if not isinstance(message, Mapping):
            raise WrongType(f"messages[{number}] must be a mapping such as {example}, got {type(message).__name__}.")


def from_ids(tokenizer: Any, ids: Sequence[int]) -> PromptView:
    """Makes the view of a bare prompt, all of which is the user's.

    The text after the last special token runs on into the answer. The piece before that token is the question.
    """
    special = set(tokenizer.all_special_ids)
    segments_ids: list[list[int]] = [[]]
    for token in ids:
        if token in special:
            segments_ids.append([])
        else:
            segments_ids[-1].append(token)
    texts = [tokenizer.decode(segment_ids) if segment_ids else "" for segment_ids in segments_ids]
    earlier = [text for text in texts[:-1] if text.strip()]
    user = "\n".join([*earlier, texts[-1]]).strip("\n")
    question = earlier.pop() if earlier else ""
    return PromptView(user, "", FindContext(texts[-1][-LEFT_CHARS:], question, "\n".join([*earlier, texts[-1]])))


def from_rows(
    tokenizer: Any,
    rows: Sequence[Sequence[int]],
    segments: Sequence[Segment] | Sequence[Sequence[Segment]] | None,
) -> list[PromptView]:
    """Makes the views of bare prompts. `segments` gives the authors: a list for each row, or that of the only row.

    Raises:
        InputError: the number of lists is not that of rows, or a text is not in its prompt.
        WrongType: an item of a list is no Segment.
    """
    views = [from_ids(tokenizer, row) for row in rows]
    if segments is None:
        return views
    each = _by_row(segments)
    if len(each) != len(views):
        raise InputError(f"Expected segments for each of {len(views)} prompts, got {len(each)} lists of them.")
    known = [from_segments(_held(tokenizer, row, one)) for row, one in zip(rows, each, strict=True)]
    return [PromptView(k.user, k.operator, v.context, model=k.model) for k, v in zip(known, views, strict=True)]


def _by_row(segments: Any) -> list[Sequence[Segment]]:
    expected = "segments must be a list such as [Segment(Role.USER, text), ...], or one such list for each prompt"
    if isinstance(segments, str | bytes) or not isinstance(segments, Sequence):
        raise WrongType(f"{expected}, got {type(segments).__name__}.")
    each = [segments] if any(isinstance(entry, Segment) for entry in segments) else list(segments)
    for one in each:
        for entry in [one] if isinstance(one, str | bytes) or not isinstance(one, Sequence) else one:
            if not isinstance(entry, Segment):
                raise WrongType(f"{expected}; this one holds {type(entry).__name__}.")
    return each


def _held(tokenizer: Any, ids: Sequence[int], segments: Sequence[Segment]) -> list[Segment]:
    """Gives the segments as the prompt has them: white space aside as given, or else as the tokenizer writes them.

    Raises InputError for a text that is not in the prompt behind the earlier ones. It would be echoed, though nobody
    typed it.
    """
    prompt, at, held = _spaced(_decoded(tokenizer, ids)), 0, []
    for number, segment in enumerate(segments):
        found = prompt.find(_spaced(segment.text), at)
        if found < 0:
            own = tokenizer(segment.text, add_special_tokens=False)["input_ids"]
            segment = Segment(segment.role, _decoded(tokenizer, own))
            found = prompt.find(_spaced(segment.text), at)
        if found < 0:
            raise InputError(
                f"The text of segments[{number}] ({segment.role}) does not stand in the prompt "
                "behind the segments before "
                "it. Pass the texts that the prompt ids were made of, in their order, as the chat template writes them."
            )
        at = found + len(_spaced(segment.text))
        held.append(segment)
    return held


def _decoded(tokenizer: Any, ids: Sequence[int]) -> str:
    text: str = tokenizer.decode(list(ids), skip_special_tokens=False, clean_up_tokenization_spaces=False)
    return text


def _spaced(text: str) -> str:
    return " ".join(text.split())
