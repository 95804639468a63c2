"""Decides which tools of a request the server would run itself, before anything of the answer is judged.

A plain function, or a custom tool with a name, is called by the client, which gets the call once it is judged. Every
other type needs a permission, also one that some servers leave to the client: only the server knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reticent.serve.api.gated_fields import not_allowed
from reticent.serve.options import Permission

_FUNCTIONS = (None, "function", "custom")
_ADDRESSES = ("server_url", "url", "connector_id")


def check_tools(body: dict[str, Any], allowed: frozenset[Permission]) -> None:
    """Raises ApiError for a tool that is no plain function, unless the client may have it."""
    if Permission.UPSTREAM_TOOLS not in allowed and not all(map(_is_clients_own, _tools(body))):
        raise not_allowed(
            "A tool that is no plain function, which the server may run itself,", Permission.UPSTREAM_TOOLS, "tools"
        )


def _tools(body: dict[str, Any]) -> Iterator[Any]:
    """Yields the tools of a request, and those within its messages and items."""
    turns = [turn for name in ("messages", "input") if isinstance(body.get(name), list) for turn in body[name]]
    for holder in (body, *turns):
        if isinstance(holder, dict) and holder.get("tools") is not None:
            tools = holder["tools"]
            yield from tools if isinstance(tools, list) else [tools]


def _is_clients_own(tool: Any) -> bool:
    if not isinstance(tool, dict):
        return False
    kind = tool.get("type")
    holder = tool.get(kind) if isinstance(kind, str) else tool.get("function")
    named = holder if isinstance(holder, dict) else tool
    return kind in _FUNCTIONS and isinstance(named.get("name"), str) and not any(name in tool for name in _ADDRESSES)
