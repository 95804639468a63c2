"""Decides which forms a client may force an answer into: formats of answers, and tools that a server constrains.

A tool's schema binds the server where the tool is `strict`, or where the request forces a call (`tool_choice`). A call
that the model makes by itself is judged as any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from reticent.serve.api.forcing_schemas import forces_values
from reticent.serve.api.gated_fields import not_allowed
from reticent.serve.options import Permission
from reticent.serve.wire.sse import FrameError, parse_json

_PLAIN = frozenset({"text", "json_object", "json_schema"})
"""Types of a format that are no grammar of the client's."""
_FORMATS = ("response_format", "output_format", "format", "json_schema")
_HOLDERS = ("text", "output_config")
"""Fields whose `format` is one."""
_NUMBERS = frozenset({"number", "integer"})
_FREE_CHOICES = (None, "auto", "none")


def check_forms(body: dict[str, Any], allowed: frozenset[Permission], strip: bool) -> dict[str, Any]:
    """Removes formats that need a permission from the body. Raises ApiError unless it is to strip silently.

    It raises for a tool in any case.
    """
    if Permission.GRAMMAR in allowed:
        return body
    for tool, param in _tools(body):
        if _binds(tool, body) and any(forces_values(tool.get(name)) for name in ("parameters", "input_schema")):
            raise not_allowed("A tool whose schema could spell a value out", Permission.GRAMMAR, param)
        how = tool.get("format")
        if how is not None and not (isinstance(how, dict) and how.get("type") == "text"):
            raise not_allowed("A tool's 'format'", Permission.GRAMMAR, param)
    out = dict(body)
    for name in _FORMATS:
        if name in out and not _is_free(out[name], name):
            if not strip:
                raise not_allowed(f"This '{name}'", Permission.GRAMMAR, name)
            del out[name]
    for name in _HOLDERS:
        holder = out.get(name)
        if isinstance(holder, dict) and not _is_free(holder.get("format"), "response_format"):
            if not strip:
                raise not_allowed(f"This '{name}'", Permission.GRAMMAR, name)
            out[name] = {key: value for key, value in holder.items() if key != "format"}
    return out


def asks_for_numbers(body: dict[str, Any]) -> bool:
    """Says whether the answer has to fit a schema with numbers, so that none may become a text."""
    formats = [body.get(name) for name in _FORMATS]
    formats += [holder.get("format") for name in _HOLDERS if isinstance(holder := body.get(name), dict)]
    left: list[Any] = [each for each in formats if each is not None]
    while left:
        each = left.pop()
        if isinstance(each, dict):
            kinds = each.get("type")
            if any(
                isinstance(kind, str) and kind in _NUMBERS for kind in (kinds if isinstance(kinds, list) else [kinds])
            ):
                return True
            left += each.values()
        elif isinstance(each, list):
            left += each
        elif isinstance(each, str) and each[:1] == "{":
            with suppress(FrameError):
                left.append(parse_json(each)[0])
    return False


def _is_free(form: Any, name: str) -> bool:
    """Says whether a format forces no value."""
    if form is None or form in ("", "json", "text") or form == {}:
        return True
    if name in ("response_format", "output_format"):
        if not isinstance(form, dict) or str(form.get("type")) not in _PLAIN:
            return False
        return form["type"] == "text" or not forces_values({**form, "type": None})
    return not forces_values(form)


def _tools(body: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yields what describes each tool, with the field that it stands in."""
    turns = [turn for name in ("messages", "input") if isinstance(body.get(name), list) for turn in body[name]]
    for holder in (body, *turns):
        for name in ("tools", "functions") if isinstance(holder, dict) else ():
            for tool in holder[name] if isinstance(holder.get(name), list) else ():
                if isinstance(tool, dict):
                    yield tool, name
                    yield from (
                        (tool[kind], name) for kind in ("function", "custom") if isinstance(tool.get(kind), dict)
                    )


def _binds(tool: dict[str, Any], body: dict[str, Any]) -> bool:
    """Says whether the server holds the model to a tool's schema."""
    chosen, function = body.get("tool_choice"), body.get("function_call")
    if isinstance(chosen, dict) and chosen.get("type") in ("auto", "none"):
        chosen = None
    return bool(tool.get("strict")) or chosen not in _FREE_CHOICES or function not in _FREE_CHOICES
