"""Defines what an operator chooses: clients' permissions, what a stopped tool call becomes, what is logged."""

from __future__ import annotations

from enum import StrEnum


class Permission(StrEnum):
    """Names what a client gets, or may ask for, only if its API key allows it."""

    LOGPROBS = "logprobs"  # also of the prompt
    TOKEN_IDS = "token_ids"  # in answers and as prompts
    ECHO = "echo"
    LOGIT_BIAS = "logit_bias"
    GRAMMAR = "grammar"
    STORE = "store"
    CACHE = "cache"  # how much of a prompt the server had kept
    UPSTREAM_TOOLS = "upstream_tools"  # tools that the server runs itself, before anything of the answer is judged
    # texts to judge where there are records, suppressions or a deny list, whose values the answer would show
    REDACT = "redact"
    EVIDENCE = "evidence"  # log-probabilities of a text to judge, which whoever sends them could make up
    ADMIN = "admin"  # what is served, and reloads: /admin/config, /admin/reload; for a key alone
    ENGINE = "engine"  # what reaches into the server: adapters, templates, embeddings, code, other addresses


class LogLevel(StrEnum):
    """Names how much is logged: uvicorn's names, without `trace`, which writes clients' paths and queries."""

    CRITICAL = "critical"
    ERROR = "error"
    WARNING = "warning"  # upstreams that fail, and what else needs the operator
    INFO = "info"  # a line for each request
    DEBUG = "debug"


class OnStoppedCall(StrEnum):
    """Says what happens to a tool call with a stopped value."""

    WITHHOLD = "withhold"
    REDACT = "redact"
