"""Defines the warning about parts of a policy that have no effect. The command line prints it as one line."""

from __future__ import annotations


class PolicyWarning(UserWarning):
    """Says that a part of a policy has no effect, and what to do."""
