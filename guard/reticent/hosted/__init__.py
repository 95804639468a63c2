"""Serves a transformers model in this process over an OpenAI-compatible API, guarded by its hidden states."""

from __future__ import annotations
