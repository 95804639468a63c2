"""Decides which text of a request the model goes on with, in chats, items and blocks.

Whatever it goes on with is the beginning of the answer's first value, in any form and whoever's turn it is:

- the last turns, if they are the model's (its texts, thoughts and calls). Servers go on with them unasked. Some leave
  out empty turns, and some put the operator's before all others, so those are passed over;
- the last turn of anybody, if the request says so (`continue_final_message`, `add_generation_prompt: false`,
  `prefix`, `partial`, a status that is not complete).

Pieces of a turn are joined without a separator, in the order in which templates write them: thoughts, texts, calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reticent.prompt.segments import ROLES, Begun, Role, Segment
from reticent.serve.api.inputs import strings
from reticent.serve.api.media_addresses import is_media

_CONTINUING = ("continue_final_message", "continue_last_message", "continue_", "continue", "_continue")
"""Fields of a request with which the answer goes on with the last turn."""
_OPEN_TURNS = ("prefix", "partial", "prefill", "continue", "incomplete")
"""Fields of a turn that say so."""
_OPEN_STATES = frozenset({"in_progress", "incomplete"})
_OPERATOR = frozenset({"system", "developer"})
_MODEL_ITEMS = frozenset({"reasoning", "program", "compaction"})
_NOT_SAID = frozenset(
    {"role", "type", "id", "call_id", "tool_call_id", "index", "status", "signature", "encrypted_content", "phase"}
    | {"namespace", "server_label", "cache_control", "annotations", "citations", "logprobs", "tools"}
)
"""Fields of a turn that a model does not read as its own words."""
_LAST = ("content", "refusal", "tool_calls", "function_call", "name", "arguments", "input", "action", "code")
"""Fields that templates write after all others, in this order."""


def begun_turns(body: Mapping[str, Any], turns: Any, segments: Sequence[Sequence[Segment]]) -> Begun:
    """Gives what the model goes on with.

    Args:
        body: the request.
        turns: its turns or items, or one text.
        segments: the segments of each turn.
    """
    is_told = _is_told(body)
    if isinstance(turns, str):
        return Begun(turns, len(segments)) if is_told else Begun()
    said = [[piece for piece in _pieces(turn) if piece] for turn in turns]
    last = next((at for at in reversed(range(len(turns))) if said[at]), None)
    if last is None:
        return Begun()
    if is_told or _is_open(turns[last]):
        first = last
        while first and _named(turns[first]) == _named(turns[first - 1]):  # which some servers make one turn of
            first -= 1
    else:
        while last and (not said[last] or _named(turns[last]) in _OPERATOR):
            last -= 1
        if _role(turns[last]) is not Role.MODEL:
            return Begun()
        first = last
        while first and (not said[first - 1] or _role(turns[first - 1]) is Role.MODEL):
            first -= 1
    pieces = [piece for turn in said[first : last + 1] for piece in turn]
    count = sum(map(len, segments[first:]))
    said_before = "".join(pieces)
    if not is_told and said_before.endswith(("?", "!")):
        return Begun()  # no value goes on behind it, and what follows may as well begin a turn of its own
    return Begun(said_before, count, len(pieces) > 1)


def _is_told(body: Mapping[str, Any]) -> bool:
    """Says whether the request tells the server to go on with the last turn."""
    if body.get("add_generation_prompt") not in (None, True):
        return True
    return any(body.get(name) not in (None, False) for name in _CONTINUING)


def _is_open(turn: Mapping[str, Any]) -> bool:
    """Says whether a turn itself says that the answer goes on with it."""
    return turn.get("status") in _OPEN_STATES or any(turn.get(name) not in (None, False) for name in _OPEN_TURNS)


def _named(turn: Mapping[str, Any]) -> str:
    return str(turn.get("role")).lower()


def _role(turn: Mapping[str, Any]) -> Role:
    """Gives the author of a turn or item, as servers see it: some read a role in capitals."""
    kind = str(turn.get("type", "message"))
    if "role" not in turn and (kind in _MODEL_ITEMS or kind.endswith("_call")):
        return Role.MODEL
    return ROLES.get(_named(turn), Role.CONTEXT)


def _pieces(turn: Mapping[str, Any]) -> Iterator[str]:
    """Yields the texts of a turn in the order in which templates write them."""
    names = [name for name in turn if name not in _NOT_SAID and name not in _LAST and name not in _OPEN_TURNS]
    if "content" in turn and "role" in turn:  # the name of a speaker or a tool is no part of what is said
        names = [name for name in names if name != "name"]
    for name in (*names, *_LAST):
        if name == "name" and "role" in turn:
            continue
        if name in turn:
            yield from _texts({name: turn[name]})


def _texts(value: Any) -> Iterator[str]:
    """Yields the texts of a value, without pictures and their addresses, which servers place elsewhere."""
    if isinstance(value, dict):
        if isinstance(kind := value.get("type"), str) and is_media(kind):
            return
        for name, each in value.items():
            if name == "name" and isinstance(each, str):
                yield f"{each} "  # every template writes something between a call's name and its arguments
            elif name not in _NOT_SAID and not is_media(name):
                yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    else:
        yield from strings(value)
